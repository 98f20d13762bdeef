/* Building a dataset: every episode solved once, its tape kept, its rows rendered in every format. */
#ifndef SB_DATASETS_BUILD_H
#define SB_DATASETS_BUILD_H

#include "datasets/journal.h"
#include "datasets/manifest.h"

typedef struct sb_build {
    const sb_recipe *recipe;
    const char *folder; /* made if it is not there */
    size_t jobs;        /* workers; 0: one a processor */
    bool overwrite;     /* replace whatever dataset, finished or not, is there; else that is an error */
    bool resume;        /* go on with what an interrupted build of the same recipe left; if it is done, do nothing */
    sb_part part;       /* which part to build; zeroed: the whole */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    sb_note *note;                                                  /* may be NULL */
    void *context;
} sb_build;

/* Builds and fills `made` (freed by the caller, also after a failure), whose texts point into the recipe; of a part,
 * nothing but the recipe is filled. A build that fails or is killed leaves no manifest, and no
 * file under its final name that is not whole. */
bool sb_build_run(const sb_build *build, sb_manifest *made, sb_error *error);

/* What to expect of a recipe, from a sample that is really played: up to SB_SAMPLE episodes, evenly spread. */
enum { SB_SAMPLE = 64 };
typedef struct sb_estimate {
    uint64_t selected, evaluation, duplicates, across, played; /* exact */
    uint64_t sampled;                                          /* the rest is what the sample gives, scaled */
    double episodes, successes, steps, tape_bytes;
    struct {
        char name[SB_EXPORT_NAME];
        double rows, content_bytes, bytes;
    } formats[SB_FORMATS_MAX];
    size_t n_formats, n_shards;
} sb_estimate;
/* Writes nothing. Bytes of formats with a writer are those of their rows. */
bool sb_build_estimate(const sb_recipe *recipe, size_t jobs, sb_estimate *estimate, sb_error *error);

/* Renders more formats from the tapes of a dataset: names and objects as in a recipe's `formats`, or a comma-separated
 * text. The dataset is then the one that a build that had asked for them would have made. Nobody plays.
 *
 * A rendering that fails leaves the dataset as it was, unless it fails while the last files get their names; one that
 * fails there, or is killed anywhere, can be resumed, and until then the dataset does not verify. */
typedef struct sb_render {
    const sb_catalogue *catalogue; /* where the dataset's tasks are looked up */
    const char *folder;
    const char *formats; /* may be NULL if `resume` is set: those that were asked for before */
    bool resume;         /* go on with what an interrupted rendering left */
    bool overwrite;      /* throw away what an interrupted rendering left */
    size_t jobs;
    void (*progress)(void *context, size_t episodes, size_t total);
    sb_note *note;
    void *context;
} sb_render;
bool sb_render_run(const sb_render *render, sb_manifest *made, sb_error *error);

/* Joins the parts of a dataset, built apart, into the one that a single build would have made. What a part says of its
 * shards is checked as far as that takes no playing (datasets/audit.h), before anything is written. */
typedef struct sb_merge {
    const sb_catalogue *catalogue; /* where their tasks are looked up */
    const char *const *parts;      /* their folders, in whatever order */
    size_t n_parts;
    const char *folder;
    size_t jobs;
    bool overwrite;
    sb_note *note;
    void *context;
} sb_merge;
bool sb_merge_run(const sb_merge *merge, sb_manifest *made, sb_error *error);

#endif
