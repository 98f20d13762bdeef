/* Formats: how an episode that was played becomes data.
 *
 * Every format has `rows`, a pure function of a tape and the options: any worker renders any episode, and what it
 * appends for one episode after another is the format's content. Nothing else may reach it: no clock, no locale, no
 * order of work.
 *
 * Text formats are done with that: their rows are compressed sixteen episodes at a time and written one after another.
 * A format whose files are more than their rows (an archive of arrays, a container with an index) has a writer as well.
 * There the bytes that `rows` appends are of the format's own making and never reach a file: the build hands them,
 * episode by episode and in order, to `add`, and `begin`, `add` and `finish` append what the file holds. Each shard is
 * a file with a writer of its own. A writer runs in one thread; what is dear belongs into `rows`, which runs in all.
 *
 * In both cases the content hash is over what `rows` gave, so that it does not depend on compression or on the version
 * of a library, and verification renders again and compares both rows and files byte for byte. */
#ifndef SB_EXPORTER_H
#define SB_EXPORTER_H

#include "base/json.h"
#include "rollout/selection.h"
#include "rollout/tape.h"

enum { SB_EXPORT_MODES = 8, SB_EXPORT_NAME = 17 /* bytes of the longest name, with NUL */, SB_COLUMNS_MAX = 64 };

typedef struct sb_exporter sb_exporter;

/* A format with its options read. */
typedef struct sb_export {
    const sb_exporter *exporter;
    const sb_family *family;
    char name[SB_EXPORT_NAME];             /* of its files; that of the exporter unless the options say otherwise */
    const sb_mode *modes[SB_EXPORT_MODES]; /* observations that rows show, each a column of its own */
    size_t n_modes;
    bool dense;         /* rewards and returns are dense, not sparse */
    bool labels;        /* rows say as well what the oracle would have done */
    bool needs_intents; /* set by `read`: tapes have to say what the oracle was up to */
    int level;          /* of compression, 1 to 9: for writers; rows are compressed by the build */
    /* What follows from the tasks of `episodes`, so that all rows of a dataset have the same columns: some are judged
     * by a score; some have no success; worlds may end by a fault. */
    bool scores, explores, faults;
    sb_selection
        episodes; /* of the whole dataset, the plan's: what is declared once for all of them follows from these */
    void *own;    /* what `read` made */
} sb_export;

typedef struct sb_rollout {
    uint64_t episode_id; /* index in the unfiltered selection */
    const sb_tape *tape;
    sb_env *env; /* for the replay; whatever it held before is lost */
} sb_rollout;

/* Which of the dataset's files. */
typedef struct sb_file_place {
    size_t shard, n_shards;
} sb_file_place;

/* What the columns of a text format hold: for a dataset's card and croissant.json. */
typedef enum sb_column_type {
    SB_COLUMN_TEXT,
    SB_COLUMN_INTEGER,
    SB_COLUMN_NUMBER,
    SB_COLUMN_BOOLEAN,
    SB_COLUMN_MESSAGE, /* an object with the texts `role` and `content` */
    SB_COLUMN_TYPES
} sb_column_type;

typedef struct sb_column {
    char name[64];
    sb_column_type type;
    bool is_list;     /* of any length, of that type */
    const char *what; /* a sentence without its full stop */
} sb_column;

typedef struct sb_columns {
    sb_column of[SB_COLUMNS_MAX];
    size_t n;
} sb_columns;

struct sb_exporter {
    const char *name;    /* `steps` */
    const char *suffix;  /* of its files: `jsonl.gz` */
    const char *other;   /* the suffix with some option; NULL: there is no such option */
    const char *summary; /* one line for --help */

    /* Options beside those that all formats have (`format`, `name`, `modes`, `reward`): their keys, NULL-terminated;
     * NULL if there are none. `read` checks their values and keeps in `own` what it makes of them; texts may point into
     * `options`, which outlives the export. Called also where no option is given; may be NULL, as may `free`. */
    const char *const *keys;
    const char *document; /* the option that may name a file with the JSON object that it wants; NULL: none does */
    bool (*read)(sb_export *export, const cJSON *options, sb_error *error);
    void (*free)(void *own);

    /* Adds the keys of a row, in their order (exporters/columns.h helps). NULL where files hold no rows with columns.
     */
    void (*columns)(const sb_export *export, sb_columns *columns);

    /* For a dataset's card: what files without columns hold, in Markdown, and lines of Python that load those of the
     * folder `FOLDER`, of which `place` is the first. Both NULL: rows with columns, for loaders of JSON lines or CSV.
     */
    void (*tell)(const sb_export *export, sb_out *out);
    void (*load)(const sb_export *export, sb_file_place place, sb_out *out);

    /* Appends the episode's rows and says how many they are: at most one a step, and one more. */
    bool (*rows)(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error);

    /* The writer of a file: NULL for text formats. `begin` gets writer_size zeroed bytes; `add` what `rows` appended
     * for one episode; `end` frees what the writer holds and is called also after a failure. All append to `out` what
     * comes next in the file; the caller takes it away after every call. */
    size_t writer_size;
    bool (*begin)(void *writer, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error);
    bool (*add)(void *writer, const char *rows, size_t n_bytes, uint64_t n_rows, sb_out *out, sb_error *error);
    bool (*finish)(void *writer, sb_out *out, sb_error *error);
    void (*end)(void *writer);
    /* Puts the name of the part of a finished file that a byte is in, for those who find it damaged; may be NULL. */
    void (*part)(const void *writer, uint64_t at, sb_out *out);
};

/* All formats, NULL-terminated. Defined once per program: cli/formats.c, or a test's own list. */
extern const sb_exporter *const sb_exporters[];

/* An error lists the formats there are. */
const sb_exporter *sb_exporter_find(const char *name, sb_error *error);

/* Reads a comma-separated list of modes of the family; NULL means the family's own choice. */
bool sb_export_modes(sb_export *options, const sb_family *family, const char *modes, sb_error *error);

/* What a format takes unless it says otherwise. */
typedef struct sb_export_defaults {
    const sb_family *family;
    const char *modes; /* NULL: the family's choice */
    bool dense, labels;
    int level;
    sb_selection episodes;
} sb_export_defaults;

/* Reads one item of a recipe's `formats`: a name, or an object with the key `format` and options. The caller frees the
 * export, also after a failure; the item has to outlive it. */
bool sb_export_read(sb_export *export, const cJSON *item, const sb_export_defaults *defaults, sb_error *error);
void sb_export_free(sb_export *export);

/* Puts the content of a file that an item with options names in the place of its name, so that it says everything
 * itself. */
bool sb_export_embed(cJSON *options, sb_error *error);

/* `sparse` or `dense`, in the optional key `reward`. */
bool sb_read_reward(const cJSON *object, bool *dense, sb_error *error);

#endif
