/* Formats: how a played episode becomes data.
 *
 * Every format has `rows`, a pure function of a tape and the options: any worker may render any episode, and the
 * content of the format is what it appends for one episode after another. It depends on nothing else: no clock, no
 * locale, no order of work.
 *
 * Text formats need no more: their rows are compressed sixteen episodes at a time and written one after another. A
 * format whose files are more than their rows (an archive of arrays, a container with an index) has a writer as well.
 * There the bytes that `rows` appends have a layout of the format's own and never reach a file: the build passes them,
 * episode by episode and in order, to `add`, and `begin`, `add` and `finish` append what the file holds. Each shard is
 * a file with a writer of its own. A writer runs in one thread, so expensive work belongs into `rows`, which runs in
 * all.
 *
 * In both cases the content hash is over the output of `rows`, so that it does not depend on compression or on the
 * version of a library. Verification renders again and compares both rows and files byte for byte; of a format
 * that compares its files itself, what they hold counts, because another version of a library may pack the same content
 * otherwise. */
#ifndef SB_EXPORTER_H
#define SB_EXPORTER_H

#include "base/json.h"
#include "rollout/selection.h"
#include "rollout/tape.h"
#include "seedbed/picture.h"

enum { SB_EXPORT_MODES = 8, SB_EXPORT_NAME = 17 /* bytes of the longest name, with NUL */, SB_COLUMNS_MAX = 64 };

typedef struct sb_exporter sb_exporter;

/* Which rewards rows have. */
typedef struct sb_rewarding {
    const char *kind; /* `sparse`, `dense` or `progress`; NULL: sparse */
    double gamma;     /* discount of progress */
} sb_rewarding;

/* A format with its options read. */
typedef struct sb_export {
    const sb_exporter *exporter;
    const sb_family *family;
    char name[SB_EXPORT_NAME];             /* name of the format's files; by default the exporter's name */
    const sb_mode *modes[SB_EXPORT_MODES]; /* observations that rows show, each a column of its own */
    size_t n_modes;
    bool dense;                /* rewards and returns are dense, not sparse */
    bool shapes;               /* rewards are progress (seedbed/costs.h), as the expert sees it; returns are sparse */
    double gamma;              /* discount of progress */
    bool published_mask;       /* masks of actions are the published list, not the sound one */
    bool labels;               /* rows also hold what the oracle would have done */
    bool taken;                /* set by `read`: rows also hold the actions that led to their states */
    const cJSON *instructions; /* the recipe's texts before tests; NULL: ours */
    bool hints_offer;          /* texts that the options leave out are those of version 1 of a recipe's defaults, which
                                  offered the published hint `valid_actions`; and no answer has to be on offer */
    bool nulls;                /* texts that do not apply are null, and seeds of any size are allowed, as in versions 1
                                  and 2 of a recipe's defaults. Otherwise such texts are empty: a column's first rows
                                  have its type, which is all that some readers look at */
    const char *labeller;      /* who gives labels and intents; "": the agent of each tape */
    const sb_look *look;       /* set by `read`: the look of the rows' pictures; NULL: there are none */
    const sb_brush *brush;   /* set by `read`: what draws the rows' pictures, belongs to `own`; NULL: there are none */
    bool needs_intents;      /* set by `read`: tapes have to hold the oracle's intents */
    bool any_intents;        /* set by `read`: intents may be of oracles that know more than the agent is shown */
    bool needs_thoughts;     /* set by `read`: rows tell the thoughts of recorded agents */
    const char *bettered_by; /* set by `read`: rows need episodes that this oracle plays better; NULL: they do not */
    int level;               /* compression level for writers, 1 to 9; the build compresses rows itself */
    const char *dataset;     /* the name of the dataset; NULL: it has none */
    /* Flags that follow from the tasks of `episodes`, so that all rows of a dataset have the same columns: some tasks
     * are judged by a score; some have no success; some worlds may end by a fault. */
    bool scores, explores, faults;
    sb_selection episodes; /* all episodes of the dataset's plan; declarations for the whole dataset follow from them */
    void *own;             /* the options that `read` made */
} sb_export;

typedef struct sb_tellers sb_tellers; /* exporters/teller.h */

typedef struct sb_rollout {
    uint64_t episode_id; /* index in the unfiltered selection */
    const sb_tape *tape;
    sb_env *env;         /* the environment for the replay, which replaces its episode */
    sb_tellers *tellers; /* the worker's tellers, for formats that ask what actions cost */
} sb_rollout;

/* Which file of the dataset is written: of a dataset that has splits or was extended, which one of a section. */
typedef struct sb_file_place {
    size_t shard, n_shards;
    const char *label; /* label of the section, as in the file's name: `train`; NULL or "": it has none */
} sb_file_place;

/* The type of a column in a text format, for a dataset's card and croissant.json. */
typedef enum sb_column_type {
    SB_COLUMN_TEXT,
    SB_COLUMN_INTEGER,
    SB_COLUMN_NUMBER,
    SB_COLUMN_BOOLEAN,
    SB_COLUMN_MESSAGE, /* an object with the texts `role` and `content` */
    SB_COLUMN_PARTS,   /* an object with the text `role` and the list `content`, of pictures and texts */
    SB_COLUMN_PICTURE,
    SB_COLUMN_TYPES
} sb_column_type;

typedef struct sb_column {
    char name[64];
    sb_column_type type;
    bool is_list;     /* a list of any length with items of that type */
    bool is_read;     /* texts that a trainer reads: what is shown, and the answer (exporters/texts.h) */
    const char *what; /* what the column holds: a sentence without its full stop */
} sb_column;

typedef struct sb_columns {
    sb_column of[SB_COLUMNS_MAX];
    size_t n;
} sb_columns;

/* A piece of a text that belongs to somebody else. */
typedef struct sb_span {
    const char *at;
    size_t n;
} sb_span;

/* What a row asks and what it answers, as pieces of the row's text. */
typedef struct sb_asked {
    sb_span prompt[2]; /* what a model is shown before it answers */
    sb_span shown;     /* what of the prompt is new in this step: the last message of the user */
    sb_span answer;
} sb_asked;

struct sb_exporter {
    const char *name;    /* name of the format: `steps` */
    const char *suffix;  /* suffix of the format's files: `jsonl.gz` */
    const char *other;   /* another suffix that some option chooses; NULL: none */
    const char *summary; /* one line for --help */

    bool keeps_failures; /* the format has no rows to imitate: to who learns from arrays offline, or how a world works,
                            failed episodes tell as much as solved ones */

    /* Keys of the options that other formats do not have (all have `format`, `name`, `modes`, `reward` and `gamma`),
     * NULL-terminated; NULL if there are none. `read` checks their values and keeps the result in `own`; texts may
     * point into `options`, which outlives the export. It is also called if there are no options. `read` and `free` may
     * be NULL. */
    const char *const *keys;
    const char *document; /* the option whose value may be the name of a file that holds the JSON object; NULL: none */
    bool (*read)(sb_export *export, const cJSON *options, sb_error *error);
    void (*free)(void *own);

    bool masks; /* rows of the format hold masks of actions, and the recipe says which */

    /* Adds the keys of a row, in their order (exporters/columns.h helps). NULL if files hold no rows with columns. */
    void (*columns)(const sb_export *export, sb_columns *columns);

    /* For a dataset's card, if files have no columns: `tell` writes in Markdown what they hold, and `load` writes lines
     * of Python that load the files of the folder `FOLDER`, of which `place` is the first. Both are NULL if there are
     * rows with columns, which any loader of JSON lines or CSV reads. */
    void (*tell)(const sb_export *export, sb_out *out);
    void (*load)(const sb_export *export, sb_file_place place, sb_out *out);

    /* Appends the episode's rows and counts them: at most one per step, and one more. */
    bool (*rows)(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error);

    /* Says in words what is wrong with a row that was found in a file in the place of the episode's row number `row`,
     * from 0, if that is more than that it differs. False: there are no such words. May be NULL. */
    bool (*blame)(const sb_rollout *rollout, const sb_export *export, size_t row, const char *found, size_t n_bytes,
                  sb_out *words);

    /* Finds the prompt and the answer in a row, which is a line of JSON; what is not there stays empty. Two rows with
     * the same prompt ask the same, so a dataset may keep one of them (datasets/schedule.h). NULL: the format has no
     * prompts, because its rows are whole episodes or it has a writer. */
    void (*ask)(const sb_export *export, sb_span row, sb_asked *asked);

    /* Returns the key of the templates that a model was asked with, as chat_model.py tells them (docs/agents.md,
     * "About"), which is not that of the rows; NULL: all are the same, or they are no such templates. May be NULL. */
    const char *(*asks_otherwise)(const sb_export *export, const cJSON *prompts);

    /* Packs what `rows` appended for one episode as `add` takes it. Any worker may run it, so work that depends on
     * libraries or takes long belongs here. NULL: `add` takes the rows as they are. */
    bool (*pack)(const sb_export *export, const char *rows, size_t n_bytes, sb_out *out, sb_error *error);

    /* The writer of a file: NULL for text formats. `begin` gets writer_size zeroed bytes; `add` what `rows` (or
     * `pack`) appended for one episode; `end` frees what the writer holds and is called also after a failure. All
     * append the next bytes of the file to `out`, which the caller empties after every call. */
    size_t writer_size;
    bool (*begin)(void *writer, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error);
    bool (*add)(void *writer, const char *rows, size_t n_bytes, uint64_t n_rows, sb_out *out, sb_error *error);
    bool (*finish)(void *writer, sb_out *out, sb_error *error);
    void (*end)(void *writer);
    /* Writes which part of a finished file holds a byte, for messages about damaged files; may be NULL. */
    void (*part)(const void *writer, uint64_t at, sb_out *out);

    /* Compares a finished file with what `rows` appends. NULL: verification makes the file again and compares bytes.
     * `compare_begin` gets comparer_size zeroed bytes; `compare_add` takes an episode and says what differs;
     * `compare_finish` fails if the file holds more; `compare_end` frees, also after a failure. */
    size_t comparer_size;
    bool (*compare_begin)(void *comparer, const sb_export *export, const char *path, sb_error *error);
    bool (*compare_add)(void *comparer, const char *rows, size_t n_bytes, sb_error *error);
    bool (*compare_finish)(void *comparer, sb_error *error);
    void (*compare_end)(void *comparer);
};

/* All formats, NULL-terminated. Defined once per program: cli/formats.c, or a test's own list. */
extern const sb_exporter *const sb_exporters[];

/* Writes the look and the version of its drawings, `flat 1`, as documents name it. */
enum { SB_PICTURE_NAME = 40 };
void sb_picture_name(const sb_look *look, char name[SB_PICTURE_NAME]);

/* Finds a format by name; an error lists the known formats. */
const sb_exporter *sb_exporter_find(const char *name, sb_error *error);

/* Reads a comma-separated list of modes of the family; NULL means the family's own choice. */
bool sb_export_modes(sb_export *options, const sb_family *family, const char *modes, sb_error *error);

/* The recipe's defaults, which a format's own options may replace. */
typedef struct sb_export_defaults {
    const sb_family *family;
    const char *modes;   /* NULL: the family's choice */
    const char *dataset; /* the name of the dataset; NULL: it has none */
    sb_rewarding rewards;
    bool published_mask, labels;
    const char *labeller; /* who gives labels and intents; NULL or "": the agent of each tape */
    bool hints_offer;     /* texts and offers are as in version 1 of a recipe's defaults (sb_export.hints_offer) */
    bool nulls;           /* texts and seeds are as in versions 1 and 2 of a recipe's defaults (sb_export.nulls) */
    const cJSON *instructions;
    int level;
    sb_selection episodes;
} sb_export_defaults;

/* Reads one item of a recipe's `formats`: a name, or an object with the key `format` and options. The caller frees the
 * export, also after a failure; the item has to outlive it. */
bool sb_export_read(sb_export *export, const cJSON *item, const sb_export_defaults *defaults, sb_error *error);
void sb_export_free(sb_export *export);

/* Replaces the name of a file in an item's options by the content of the file, so that the recipe needs no other
 * file. */
bool sb_export_embed(cJSON *options, sb_error *error);

/* Read the optional keys `reward` and `gamma`, and write them. */
bool sb_rewarding_read(const cJSON *object, sb_rewarding *rewards, sb_error *error);
void sb_rewarding_print(const sb_rewarding *rewards, sb_out *out);
/* Whether rewards and returns are dense. */
bool sb_rewards_densely(const sb_rewarding *rewards);

#endif
