/* An environment: one episode of some family, and what all layers know of it. */
#ifndef SB_ENGINE_ENVIRONMENT_H
#define SB_ENGINE_ENVIRONMENT_H

#include "engine/contract.h"

struct sb_env {
    /* What every step reads and writes comes first, so that it is in few lines of the cache. */
    const sb_family *family; /* NULL until the first episode */
    void *state;             /* the family's own; NULL or made by its start or copy, freed by its clear */
    sb_action *log;          /* what was played, if that is wanted: room for log_capacity; NULL: it is not */
    sb_status status;        /* kept by api/env.c; families read it and never write */
    int32_t n_actions;       /* actions are 0..n_actions-1 */
    bool has_extras; /* of the family's steps: a standing, or faults. One question in every step instead of two */

    const sb_catalogue *catalogue; /* where resets look names up; NULL: what is built in */
    const sb_task_info *task;
    size_t task_index, difficulty_index;
    sb_name name;
    sb_shape shape;
    size_t log_capacity;
};

enum { SB_BUTTONS_MAX = 1023, SB_MASK_MAX = SB_BUTTONS_MAX + 1 };

static inline bool sb_has_clicks(const sb_shape *shape) { return shape->click_width > 0; }
/* Entries of a mask of valid actions. */
static inline size_t sb_mask_size(const sb_shape *shape) { return (size_t)shape->n_buttons + sb_has_clicks(shape); }

/* Bytes of so many numbers: of an extent of `rank` dimensions. */
size_t sb_numbers_size(sb_scalar type, int rank, const int32_t *extent);
/* Puts numbers of an extent that lie one behind the other into the upper left corner of a larger one, `whole`, whose
 * other numbers stay. NULL for the numbers: ones, of types of one byte. */
void sb_put_corner(sb_scalar type, int rank, const int32_t *extent, const int32_t *whole, const char *numbers,
                   char *to);

/* What a search tries: every button, and the clicks that are worth it, ascending. */
size_t sb_worthwhile_actions(const sb_env *env, sb_action *out, size_t capacity);

/* An observation, or an action's name, as a JSON string. */
void sb_put_observation_text(sb_out *out, const sb_env *env, const sb_mode *mode);
void sb_put_action_text(sb_out *out, const sb_env *env, sb_action action);
/* The name of an entry of a list of valid actions: a button's, or `click`, which stands for all clicks. Then the same
 * as a JSON string. */
void sb_put_entry(sb_out *out, const sb_env *env, sb_action entry);
void sb_put_entry_text(sb_out *out, const sb_env *env, sb_action entry);
/* An observation as a JSON value: a string, or, if the mode's text is a document, the document itself. */
void sb_put_observation(sb_out *out, const sb_env *env, const sb_mode *mode);

#endif
