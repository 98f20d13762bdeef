/* An atlas: the measures of many episodes, in a file that is made in parallel, can be resumed, made in parts and
 * joined, and is verified by measuring again. Format: docs/atlas.md. */
#ifndef SB_ATLAS_H
#define SB_ATLAS_H

#include "base/stop.h"
#include "evaluation/atlas/demand.h"
#include "rollout/part.h"
#include "rollout/selection.h"

typedef struct sb_atlas_making {
    const sb_selection *selection;
    /* what the selection was made from, as JSON (evaluation/selected.h); needed only with a path */
    const sb_out *selected;
    sb_part part;     /* zeroed: all episodes */
    size_t jobs;      /* workers; 0: one per processor */
    const char *path; /* path of the file; NULL: none is written */
    /* For use without a path; both may be NULL. Only what the demand reads is measured, and rows are taken from the
     * book `known` if it has them. */
    const sb_demand *demand;
    const struct sb_atlas_book *known;
    /* Called for each row in the order of the selection, including those that the file held already. May be NULL. */
    bool (*take)(void *context, const sb_atlas_row *row, sb_error *error);
    void (*note)(void *context, const char *text); /* shows the user a message; may be NULL */
    void *context;
    const sb_stop *stop; /* may be NULL; asked between episodes */
} sb_atlas_making;

/* Measures the episodes. With a path, it resumes after the rows that an interrupted run left in `path.part`; if it
 * fails, its own work stays there. */
bool sb_atlas_draw_up(const sb_atlas_making *making, sb_error *error);
/* How many episodes of the selection belong to the part. */
size_t sb_atlas_part_size(size_t n, sb_part part);

/* ---- Reading ---- */

enum { SB_ATLAS_BYTES = 1 << 30 }; /* the longest text that is read */

/* An atlas in memory. */
typedef struct sb_atlas_book {
    sb_out text; /* the whole file, unpacked */
    size_t n;
    sb_atlas_row *rows;   /* in the order of the file */
    uint32_t *slots;      /* by hash of the name: index of a row, + 1; 0: free */
    size_t n_slots;       /* a power of two */
    sb_part part;         /* which part of its selection the atlas is; zeroed: all of it */
    uint64_t episodes;    /* number of episodes in the whole selection */
    const char *selected; /* the selection as JSON text, in `text` */
    size_t n_selected;
    cJSON *head; /* the first line, but for the selection */
} sb_atlas_book;

/* Reads an atlas and checks its form, its hash, and that its tasks have the same rules as then, but neither its
 * selection nor its measures. The caller frees the atlas, also after a failure. */
bool sb_atlas_book_load(sb_atlas_book *atlas, const sb_catalogue *catalogue, const char *path, sb_error *error);
void sb_atlas_book_free(sb_atlas_book *atlas);
/* The row of an episode; NULL: there is none. */
const sb_atlas_row *sb_atlas_book_find(const sb_atlas_book *atlas, const sb_name *name);

/* ---- Verifying and joining ---- */

typedef struct sb_atlas_check {
    const sb_catalogue *catalogue;
    size_t jobs;
    uint64_t sample; /* how many episodes are measured again, evenly spread; 0: all */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *context;
    const sb_stop *stop; /* may be NULL */
} sb_atlas_check;

/* Reads the atlas, checks that its episodes are those of its selection, and measures them again; fails with SB_MISMATCH
 * where something differs. `checked` receives how many were measured. */
bool sb_atlas_verify(const char *path, const sb_atlas_check *check, size_t *n, size_t *checked, sb_error *error);

/* Joins the parts of an atlas: what is written is byte for byte what one call would have made. */
bool sb_atlas_merge(const sb_catalogue *catalogue, const char *const *paths, size_t n, const char *path,
                    size_t *episodes, sb_error *error);

#endif
