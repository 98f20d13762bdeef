/* What a dataset is composed of: its sections. A recipe without splits has one section, and every split is one; what
 * `seedbed build --extend` added later are further sections. Each selects episodes of its own, and has files of its
 * own, so that a later section changes no file of an earlier one. docs/datasets.md explains the keys. */
#ifndef SB_DATASETS_COMPOSITION_H
#define SB_DATASETS_COMPOSITION_H

#include "rollout/selection.h"

enum { SB_SPLIT_NAME = 17, SB_SPLITS_MAX = 8, SB_EXTENSIONS_MAX = 16, SB_SECTIONS_MAX = 24, SB_LABEL = 32 };

/* In which order the episodes of a section are written. */
typedef enum sb_arrangement {
    SB_BY_TASK,  /* by task, then difficulty, as they are selected */
    SB_AS_DRAWN, /* one of every task and difficulty in turn, or as a mixture drew them */
    SB_SHUFFLED
} sb_arrangement;

/* How many episodes are taken, of what, and in which order. */
typedef struct sb_composition {
    uint64_t episodes,
        rows;             /* the budget: that many with rows, or rows of the first format; 0: all that are selected */
    const cJSON *mixture; /* tasks and difficulties by weight (rollout/mixture.h); NULL: all alike */
    const char *order;    /* `tasks`, `drawn`, `shuffled`; NULL: `drawn` with a mixture, otherwise `tasks` */
} sb_composition;

typedef struct sb_section {
    char split[SB_SPLIT_NAME]; /* "": the dataset has no splits */
    size_t extension;          /* the number of the extension, from 1; 0: it was there from the beginning */
    sb_request request;
    sb_composition composition;
} sb_section;

/* Whether the section's episodes end where its budget is reached. */
static inline bool sb_has_budget(const sb_composition *c) { return c->episodes || c->rows; }
/* Whether nothing is said. */
bool sb_composition_is_empty(const sb_composition *composition);
sb_arrangement sb_arrangement_of(const sb_composition *composition);

/* What stands between the kind and the numbers in the names of the section's files: ``, `train`, `more1`,
 * `train-more1`. */
void sb_section_label(const sb_section *section, char label[SB_LABEL]);

/* The keys of a section, without those of its request; NULL-terminated. */
extern const char *const sb_composition_keys[];
bool sb_composition_read(const cJSON *object, sb_composition *composition, sb_error *error);
/* Writes them as members of an object. */
void sb_composition_print(const sb_composition *composition, sb_out *out);

/* Reads the object `splits` and the list `extensions` of a recipe. What a split or an extension leaves out, it has from
 * the recipe, or from the split that it extends; that is then part of the document. */
bool sb_splits_read(const sb_catalogue *catalogue, cJSON *recipe, sb_section *splits, size_t *n, sb_error *error);
bool sb_extensions_read(const sb_catalogue *catalogue, cJSON *recipe, sb_section *extensions, size_t *n,
                        sb_error *error);
void sb_splits_print(const sb_section *splits, size_t n, sb_out *out);
void sb_extensions_print(const sb_section *extensions, size_t n, sb_out *out);

#endif
