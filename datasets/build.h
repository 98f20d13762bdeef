/* Builds a dataset: every episode is solved once, its tape is kept, and its rows are rendered in every format. */
#ifndef SB_DATASETS_BUILD_H
#define SB_DATASETS_BUILD_H

#include "datasets/census.h"
#include "datasets/journal.h"
#include "datasets/losses.h"
#include "datasets/manifest.h"
#include "datasets/playing.h"

typedef struct sb_build {
    const sb_recipe *recipe;
    const sb_agent_options *program; /* if the recipe's agent is `exec:COMMAND`: how to run it (datasets/playing.h); the
                                        dataset is then built from its tapes. Otherwise NULL */
    size_t attempts;                 /* how often the program plays every episode; 0: once */
    const char *folder;              /* made if it does not exist, with those above it */
    size_t jobs;                     /* workers; 0: one per processor */
    bool overwrite;                  /* replace a dataset in the folder, finished or not; otherwise that is an error */
    bool resume;                     /* continue an interrupted build of the same recipe; if it is done, do nothing */
    sb_part part;                    /* which part to build; zeroed: everything */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    const sb_stop *stop;                                            /* may be NULL; asked now and then */
    void (*started)(void *context); /* may be NULL; called before there are threads, and after the program started */
    void (*left)(void *context, const sb_left *left); /* may be NULL; called once, before anything is played */
    sb_note *note;                                    /* may be NULL */
    void *context;
} sb_build;

/* Builds and fills `made`, which the caller frees, also after a failure; its texts point into the recipe. For a part,
 * only the recipe is filled. A build that fails or is killed leaves no manifest, and files under their final names are
 * always complete. */
bool sb_build_run(const sb_build *build, sb_manifest *made, sb_error *error);

/* Adds episodes to a finished dataset, as a section of its own: no file with rows or tapes that is there changes, and
 * their hashes are compared in the end. The dataset is then the one that a build of the recipe with its `extensions`
 * would have made.
 *
 * An extension that fails or is killed can be resumed. Until the first of its files is there, the dataset is still the
 * old one; from then on it does not verify until the extension is done. */
typedef struct sb_extend {
    const sb_recipe *recipe; /* what is added: its selection and its composition, of which the dataset's own recipe, or
                                that of the split, says what is left out. Nothing else of it counts */
    const char *split;       /* name of the split that is extended; NULL: train, or the dataset without splits */
    const char *folder;
    size_t jobs;
    bool resume;    /* continue an interrupted extension of the same recipe */
    bool overwrite; /* begin an interrupted extension again */
    void (*progress)(void *context, size_t episodes, size_t total);
    const sb_stop *stop;
    /* Called once, about the episodes that are added, before any is played; may be NULL. */
    void (*left)(void *context, const sb_left *left);
    sb_note *note;
    void *context;
} sb_extend;
/* Extends the dataset. `made` is filled as by sb_build_run; *n_unchanged: how many files were there and have the same
 * hashes as before. */
bool sb_extend_run(const sb_extend *extend, sb_manifest *made, size_t *n_unchanged, sb_error *error);

/* An estimate of what a recipe makes, from a sample that is really played: up to SB_SAMPLE episodes, evenly spread. */
enum { SB_SAMPLE = 64 };
typedef struct sb_dataset_estimate {
    uint64_t selected, evaluation, duplicates, across, elsewhere,
        played;         /* exact counts, unless a budget is unsettled */
    sb_left left;       /* what is left of all episodes that were selected */
    uint32_t unsettled; /* a bit for each section whose budget only playing would tell; selected and played are then
                           scaled from the sample, too */
    uint64_t sampled;   /* episodes in the sample, from which the other numbers are scaled */
    double episodes, successes, steps, tape_bytes;
    uint64_t compared, unlike_observer; /* steps of the sample, as in stats.json */
    sb_loss losses[SB_SAMPLE];          /* episodes of the sample that were lost */
    size_t n_losses;
    bool drops_losses;     /* whether lost episodes get no rows, whatever the filter says */
    double unreadable;     /* about how many episodes have an unreadable answer of a model, */
    bool drops_unreadable; /* and whether they get no rows for that */
    double seconds;        /* how long it would take with these workers; 0: no clock was given */
    struct {
        char name[SB_EXPORT_NAME];
        double rows, content_bytes, bytes; /* sums over all rows, also those that rules for rows will leave out */
        /* Counts of the sample's rows, of all splits together; a whole dataset repeats more, and holds more of an
         * evaluation. All 0: the format has no prompts. */
        sb_prompt_counts prompts;
        uint64_t evaluation, found; /* prompts of evaluation episodes, and how many stand in the sample */
    } formats[SB_FORMATS_MAX];
    struct {
        char task[40];
        double characters, tokens;
    } texts[SB_SAMPLE]; /* texts of the first format, by task: scaled from the sample, as far as it has the task */
    size_t n_texts;
    bool has_texts, has_tokens; /* has_texts: the first format is one of texts */
    bool leaves_out_rows;       /* rules for rows will leave some of the rows out */
    uint64_t evaluated;         /* how many evaluation episodes were played */
    size_t n_formats, n_shards;
} sb_dataset_estimate;
/* Estimates without writing anything; `now` (may be NULL) is a clock, `note` may be NULL. For formats with a writer,
 * bytes are those of their rows. A program is not started, so its tapes cannot be estimated: that is an error. */
bool sb_build_estimate(const sb_recipe *recipe, size_t jobs, sb_timer *now, sb_note *note, void *context,
                       sb_dataset_estimate *estimate, sb_error *error);

/* Renders more formats from the tapes of a dataset, without playing: names and objects as in a recipe's `formats`, or a
 * comma-separated text. The result is the dataset that a build with these formats would have made.
 *
 * A rendering that fails leaves the dataset unchanged, unless it fails while the last files get their names. A
 * rendering that fails there, or is killed at any time, can be resumed; until then the dataset does not verify. */
typedef struct sb_render {
    const sb_catalogue *catalogue; /* where the dataset's tasks are looked up */
    const char *folder;
    const char *formats; /* may be NULL with `resume`: the formats of the interrupted rendering */
    bool resume;         /* continue an interrupted rendering */
    bool overwrite;      /* remove what an interrupted rendering left */
    size_t jobs;
    void (*progress)(void *context, size_t episodes, size_t total);
    sb_note *note;
    void *context;
} sb_render;
bool sb_render_run(const sb_render *render, sb_manifest *made, sb_error *error);

/* Joins the parts of a dataset, which were built separately, into the dataset that a single build would have made.
 * Before anything is written, it checks what the parts say about their shards, without playing (datasets/audit.h). */
typedef struct sb_merge {
    const sb_catalogue *catalogue; /* where the tasks of the parts are looked up */
    const char *const *parts;      /* folders of the parts, in any order */
    size_t n_parts;
    const char *folder;
    size_t jobs;
    bool overwrite;
    sb_note *note;
    void *context;
} sb_merge;
bool sb_merge_run(const sb_merge *merge, sb_manifest *made, sb_error *error);

#endif
