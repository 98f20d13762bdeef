/* A format: how an episode becomes rows. Text formats are pure functions of a tape and the options, so any worker may
 * render any episode and the results are put one after another. */
#ifndef SB_EXPORTER_H
#define SB_EXPORTER_H

#include "rollout/tape.h"

enum { SB_EXPORT_MODES = 8 };

typedef struct sb_export {
    const sb_mode *modes[SB_EXPORT_MODES]; /* observations that rows show, each a column of its own */
    size_t n_modes;
    bool dense; /* rewards and returns are dense, not sparse */
} sb_export;

typedef struct sb_rollout {
    uint64_t episode_id; /* index in the unfiltered selection */
    const sb_tape *tape;
    sb_env *env; /* for the replay; whatever it held before is lost */
} sb_rollout;

typedef struct sb_exporter {
    const char *name;    /* `steps` */
    const char *suffix;  /* of its files: `jsonl.gz` */
    const char *summary; /* one line for --help */
    /* Appends the episode's rows and says how many they are. */
    bool (*rows)(const sb_rollout *rollout, const sb_export *options, sb_out *out, uint64_t *n_rows, sb_error *error);
} sb_exporter;

/* All formats, NULL-terminated. */
extern const sb_exporter *const sb_exporters[];

/* An error lists the formats there are. */
const sb_exporter *sb_exporter_find(const char *name, sb_error *error);

/* Reads a comma-separated list of modes of the family; NULL means the family's own choice. */
bool sb_export_modes(sb_export *options, const sb_family *family, const char *modes, sb_error *error);

#endif
