/* Packs of challenges: many of them in two files of JSON Lines. The first holds what is asked, the second, whose name
 * has `.answers` in it, the answers with their certificates, and why some challenges could not be derived.
 *
 * Both begin with the same line, which says what the pack holds. Then they go on in the same order: by program (in the
 * order of the list of tasks), kind, level and seed. A pack is a function of that line. Files may be packed by gzip. */
#ifndef SB_AUTUMN_PACK_H
#define SB_AUTUMN_PACK_H

#include "base/note.h"
#include "base/stop.h"
#include "generators/autumn/challenges/apart.h"
#include "generators/autumn/challenges/pack_plan.h"
#include "generators/autumn/programs.h"

/* How many challenges there are by kind and level, how many of them were derived, and how many were left out because
 * they are kept apart. With `one` all count as level 1. */
typedef struct sb_autumn_pack_counts {
    uint32_t asked[SB_AUTUMN_N_CHALLENGES][SB_AUTUMN_LEVELS], derived[SB_AUTUMN_N_CHALLENGES][SB_AUTUMN_LEVELS],
        left_out[SB_AUTUMN_N_CHALLENGES][SB_AUTUMN_LEVELS];
    uint32_t version; /* of the rules; verifying alone tells it */
} sb_autumn_pack_counts;

typedef struct sb_autumn_packing {
    const char *path;
    const sb_autumn_apart *apart;  /* what is left out; NULL: nothing. The plan has its hash */
    const sb_catalogue *catalogue; /* of the programs that users brought; NULL: none */
    size_t jobs;                   /* 0: one for each processor */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    sb_note *note;                                              /* of what a user should know; may be NULL */
    void *context;
    const sb_stop *stop; /* may be NULL */
} sb_autumn_packing;

/* Derives all challenges of the plan, and writes the two files. If it is interrupted, the same call goes on where it
 * stopped. The bytes do not depend on the number of workers. */
bool sb_autumn_pack_derive(const sb_autumn_pack_plan *plan, const sb_autumn_packing *how, sb_autumn_pack_counts *counts,
                           sb_error *error);
/* Finds the program of that name in the list, or in the catalogue, which may be NULL. */
const sb_autumn_task *sb_autumn_pack_task(const char *name, const sb_catalogue *catalogue, sb_error *error);
/* Whether the catalogue has all programs of users that the plan names. */
bool sb_autumn_pack_has_programs(const sb_autumn_pack_plan *plan, const sb_catalogue *catalogue, sb_error *error);
/* Audits every challenge of a pack by replay. What could not be derived, or was left out, must be named with a reason
 * that there is. With `again` all are derived again, too, and the files must be the same; a pack that leaves out what
 * another has needs it then (`how->apart`). The error names the first that is wrong. */
bool sb_autumn_pack_verify(const sb_autumn_packing *how, bool again, sb_autumn_pack_counts *counts, sb_error *error);

/* Calls `found` for each challenge of a pack, with its two lines; false ends it. Does not audit them. */
typedef struct sb_autumn_pack_lines {
    const char *task, *answer;
    size_t n_task, n_answer;
    bool alone; /* the pack has one challenge for each program and kind */
} sb_autumn_pack_lines;
bool sb_autumn_pack_each(const char *path,
                         bool (*found)(void *context, const sb_autumn_challenge *c, const sb_autumn_pack_lines *lines,
                                       sb_error *error),
                         void *context, sb_error *error);

/* Keeps all challenges of a pack apart. */
bool sb_autumn_pack_keep_apart(const char *path, sb_autumn_apart *apart, sb_error *error);
/* Whether a file begins like a pack of challenges. */
bool sb_autumn_is_pack(const char *path);
/* Adds the challenges of a pack to a catalogue, from which their episodes are then taken. Does not audit them. `found`,
 * which may be NULL, is called for each in the order of the pack; false ends it. Challenges that the catalogue has
 * already must be the same. */
bool sb_autumn_pack_load(const char *path, sb_catalogue *catalogue,
                         bool (*found)(void *context, const sb_name *name, sb_error *error), void *context,
                         sb_error *error);

#endif
