#include "oracles/beam.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oracles/copies.h"

typedef struct sb_beam_successor { /* a state after this step */
    uint64_t key[2];
    double dense;
    int32_t bound;
    sb_action action;
    int32_t parent; /* index of the state before in the beam */
} successor;

typedef struct sb_beam_link { /* how a state was reached */
    int32_t parent;           /* index of the state before in the beam of the step before */
    sb_action action;
} step_back;

/* ---- Room ---- */

static bool make_room(sb_beam *b, size_t n_successors, size_t n_links, sb_error *error) {
    if (n_successors > b->n_successors) {
        uint32_t n_table = 1;
        while (n_table < 2 * n_successors) n_table *= 2;
        free(b->successors), free(b->table);
        b->successors = malloc(n_successors * sizeof *b->successors);
        b->table = malloc(n_table * sizeof *b->table);
        b->n_successors = b->successors && b->table ? n_successors : 0;
        b->n_table = n_table;
    }
    if (n_links > b->n_links) {
        free(b->links);
        b->links = malloc(n_links * sizeof *b->links);
        b->n_links = b->links ? n_links : 0;
    }
    if (b->n_successors >= n_successors && b->n_links >= n_links) return true;
    return sb_fail(error, SB_MEMORY, "out of memory for a beam of %zu successors", n_successors);
}

/* Makes empty environments for copies, which bring their own catalogue. */
static bool make_envs(sb_beam *b, int width, sb_error *error) {
    if (!b->next && !(b->next = sb_make(NULL, NULL, error))) return false;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < width; i++)
            if (!b->kept[side][i] && !(b->kept[side][i] = sb_make(NULL, NULL, error))) return false;
    return true;
}

void sb_beam_close(sb_beam *b) {
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < SB_BEAM_WIDTH; i++) sb_free(b->kept[side][i]);
    sb_free(b->next);
    free(b->successors), free(b->table), free(b->links), free(b->actions);
    *b = (sb_beam){0};
}

/* ---- Successors ---- */

/* Adds the key; returns whether no other successor of this step has the same state. */
static bool is_new(sb_beam *b, const uint64_t key[2], uint32_t index) {
    uint32_t slot = (uint32_t)key[0] & (b->n_table - 1);
    for (; b->table[slot]; slot = (slot + 1) & (b->n_table - 1)) {
        const uint64_t *known = b->successors[b->table[slot] - 1].key;
        if (known[0] == key[0] && known[1] == key[1]) return false;
    }
    b->table[slot] = index + 1;
    return true;
}

/* Compares successors, the better first. No two are equal, so the order is the same everywhere. */
static int compare(const void *left, const void *right) {
    const successor *a = left, *b = right;
    if (a->bound != b->bound) return a->bound < b->bound ? -1 : 1;
    if (a->dense != b->dense) return a->dense > b->dense ? -1 : 1;
    if (a->key[0] != b->key[0]) return a->key[0] < b->key[0] ? -1 : 1;
    return (a->key[1] > b->key[1]) - (a->key[1] < b->key[1]);
}

/* What an action in a state leads to. */
typedef enum outcome { GOES_ON, SUCCEEDED, FAILED } outcome;

/* Plays the action and adds the resulting state if it may still lead to success within `left` more steps. */
static outcome look(sb_beam *b, const sb_env *from, int32_t parent, sb_action action, int left, size_t *n,
                    sb_error *error) {
    sb_result result;
    if (!sb_copy(b->next, from, error) || !sb_step(b->next, action, &result, error)) return FAILED;
    if (b->next->status.done) return result.success ? SUCCEEDED : GOES_ON;
    successor *s = &b->successors[*n];
    *s = (successor){.dense = b->next->status.dense_total, .action = action, .parent = parent};
    if (b->next->family->bound) s->bound = b->next->family->bound(b->next);
    if (s->bound < 0 || s->bound > left) return GOES_ON;
    sb_key(b->next, s->key);
    if (is_new(b, s->key, (uint32_t)*n)) ++*n;
    return GOES_ON;
}

/* Writes the actions that lead to a state kept after `depth` steps, and then one more action; returns how many there
 * are. */
static int trace(const sb_beam *b, int width, int depth, int32_t state, sb_action last, sb_action *actions) {
    actions[depth] = last;
    for (int d = depth - 1; d >= 0; d--) {
        const step_back *link = &b->links[(size_t)d * (size_t)width + (size_t)state];
        actions[d] = link->action, state = link->parent;
    }
    return depth + 1;
}

/* One step of the beam search, and its result. */
typedef struct layer {
    int width, depth, side, left; /* side: where its states are kept; left: steps that remain after this one */
    size_t n_successors;
    int32_t parent; /* after success: the last state and the last action */
    sb_action action;
} layer;

static outcome look_at_all(sb_beam *b, layer *l, sb_budget *budget, sb_error *error) {
    memset(b->table, 0, b->n_table * sizeof *b->table);
    l->n_successors = 0;
    for (l->parent = 0; l->parent < b->n_kept; l->parent++) {
        const sb_env *from = b->kept[l->side][l->parent];
        const size_t n_actions = sb_worthwhile_actions(from, b->actions, b->n_actions);
        budget->spent += n_actions;
        for (size_t i = 0; i < n_actions; i++) {
            l->action = b->actions[i];
            const outcome o = look(b, from, l->parent, l->action, l->left, &l->n_successors, error);
            if (o != GOES_ON) return o;
        }
    }
    return GOES_ON;
}

/* Makes the best successors the states of the next step. */
static bool keep(sb_beam *b, const layer *l, sb_error *error) {
    step_back *links = b->links + (size_t)l->depth * (size_t)l->width;
    qsort(b->successors, l->n_successors, sizeof *b->successors, compare);
    b->n_kept = l->n_successors < (size_t)l->width ? (int)l->n_successors : l->width;
    for (int i = 0; i < b->n_kept; i++) {
        const successor *s = &b->successors[i];
        sb_env *env = b->kept[!l->side][i];
        sb_result result;
        if (!sb_copy(env, b->kept[l->side][s->parent], error) || !sb_step(env, s->action, &result, error)) return false;
        links[i] = (step_back){.parent = s->parent, .action = s->action};
    }
    return true;
}

bool sb_beam_search(sb_beam *b, const sb_env *start, int width, int max_steps, sb_budget *budget, sb_action *actions,
                    int *n, sb_error *error) {
    const size_t n_actions = (size_t)start->n_actions;
    layer l = {.width = width};
    *n = 0;
    if (start->status.done || max_steps <= 0) return true;
    if (!make_room(b, (size_t)width * n_actions + 1, (size_t)width * (size_t)max_steps, error) ||
        !sb_reserve_actions(&b->actions, &b->n_actions, n_actions, error) || !make_envs(b, width, error) ||
        !sb_copy(b->kept[0][0], start, error))
        return false;
    b->n_kept = 1;
    for (; l.depth < max_steps && b->n_kept > 0; l.depth++, l.side = !l.side) {
        if (budget->spent + (uint64_t)b->n_kept * n_actions > budget->limit) return true;
        l.left = max_steps - l.depth - 1;
        const outcome o = look_at_all(b, &l, budget, error);
        if (o == SUCCEEDED) *n = trace(b, width, l.depth, l.parent, l.action, actions);
        if (o != GOES_ON) return o == SUCCEEDED;
        if (!keep(b, &l, error)) return false;
    }
    return true;
}
