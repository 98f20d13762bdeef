/* Building a dataset: every episode solved once, its tape kept, its rows rendered; workers share the episodes, files
 * are written in order. */
#ifndef SB_DATASETS_BUILD_H
#define SB_DATASETS_BUILD_H

#include "datasets/manifest.h"

typedef struct sb_build {
    const sb_recipe *recipe;
    const char *folder; /* made if it is not there */
    size_t jobs;        /* workers; 0: one a processor */
    bool overwrite;     /* replace a dataset that is there; else that is an error */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    void *context;
} sb_build;

/* Builds and fills `made` (freed by the caller, also after a failure), whose texts point into the recipe. A build that
 * fails or is killed leaves no manifest, and no file under its final name that is not whole. */
bool sb_build_run(const sb_build *build, sb_manifest *made, sb_error *error);

#endif
