/* An environment: one episode of some family, with the data that all layers use. */
#ifndef SB_ENGINE_ENVIRONMENT_H
#define SB_ENGINE_ENVIRONMENT_H

#include "engine/contract.h"

struct sb_env {
    /* Members that every step reads and writes come first, so that they share few cache lines. */
    const sb_family *family; /* NULL until the first episode */
    void *state;             /* owned by the family: NULL, or made by its start or copy and freed by its clear */
    sb_action *log;          /* the actions so far, for a recording: room for log_capacity; NULL: not recording */
    sb_status status;        /* api/env.c updates it; families only read it */
    int32_t n_actions;       /* actions are 0..n_actions-1 */
    sb_action taken;         /* the last action of the episode; SB_NOTHING_TAKEN before its first step */
    bool has_extras;         /* the family has `stand` or `tell_fault`: one question a step instead of two */

    const sb_catalogue *catalogue; /* where resets look names up; NULL: built-in tasks only */
    const sb_task_info *task;
    size_t task_index, difficulty_index;
    sb_name name;
    sb_shape shape;
    size_t log_capacity;
    sb_start_watcher *watcher; /* who is told how far a start has come; NULL: nobody */
    void *watcher_context;
};

enum { SB_NOTHING_TAKEN = -1 };

enum { SB_BUTTONS_MAX = 1023, SB_MASK_MAX = SB_BUTTONS_MAX + 1 };

static inline bool sb_has_clicks(const sb_shape *shape) { return shape->click_width > 0; }
/* Number of entries of a mask of valid actions. */
static inline size_t sb_mask_size(const sb_shape *shape) { return (size_t)shape->n_buttons + sb_has_clicks(shape); }

/* Tells whether an array is one of the family's or that of a brush for the family. */
bool sb_has_array(const sb_family *family, const sb_array *array);
/* Gives the extent of an array in all episodes of a task and difficulty, which have this shape: `rank` numbers, then
 * zeros. */
void sb_extent_of(const sb_array *array, const sb_family *family, const sb_task_info *task, size_t difficulty,
                  const sb_shape *shape, int32_t extent[SB_ARRAY_RANK]);
/* Gives the extent of an array for the episode of an environment. */
static inline void sb_extent_in(const sb_env *env, const sb_array *array, int32_t extent[SB_ARRAY_RANK]) {
    sb_extent_of(array, env->family, env->task, env->difficulty_index, &env->shape, extent);
}
/* Fills `numbers` with the array, which is dense and has its own extent. */
void sb_fill_array(const sb_env *env, const sb_array *array, void *numbers);
/* Returns the size in bytes of an array of this type, with the first `rank` dimensions of `extent`. */
size_t sb_numbers_size(sb_scalar type, int rank, const int32_t *extent);
/* Copies a dense array of this extent into the upper left corner of a larger one with extent `whole`; the other numbers
 * stay. If `numbers` is NULL, writes ones (one-byte types only). */
void sb_put_corner(sb_scalar type, int rank, const int32_t *extent, const int32_t *whole, const char *numbers,
                   char *to);

/* Lists what a search tries: every button and the clicks worth trying, ascending. */
size_t sb_worthwhile_actions(const sb_env *env, sb_action *out, size_t capacity);

/* Put an observation or the name of an action as a JSON string. */
void sb_put_observation_text(sb_out *out, const sb_env *env, const sb_mode *mode);
void sb_put_action_text(sb_out *out, const sb_env *env, sb_action action);
/* Puts the name of an entry of a list of valid actions: that of a button, or `click` for all clicks. */
void sb_put_entry(sb_out *out, const sb_env *env, sb_action entry);
void sb_put_entry_text(sb_out *out, const sb_env *env, sb_action entry);
/* Puts an observation as a JSON value: a string or, if the mode is a document, the document itself. */
void sb_put_observation(sb_out *out, const sb_env *env, const sb_mode *mode);

#endif
