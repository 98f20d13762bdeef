#include "evaluation/models/imagine.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

#define NOBODY UINT32_MAX
enum { FIRST_SLOTS = 1 << 10 };

/* A state that the candidate predicted: z and h are texts in `values`. */
typedef struct node {
    size_t z_at, z_n, h_at, h_n;
    uint32_t parent, depth;
    sb_log_action action;
    bool done;
} node;

typedef struct slot {
    uint64_t key[2];
    bool used;
} slot;

/* The memory of a search. */
typedef struct sb_imagining_room {
    node *nodes;
    size_t n, capacity;
    slot *slots; /* states that were met; n_slots is a power of two */
    size_t n_slots, n_used;
    sb_out values, canonical;
    sb_model_value next_h;
    sb_prediction prediction;
    uint8_t *frame;
    size_t frame_bytes;
} room;

typedef struct looking {
    sb_imagining *search;
    room *room;
    const sb_imagine_from *from;
    double progress; /* the most progress so far, at first that of now */
    uint32_t best;   /* the state with the most progress; NOBODY: none is better than now */
    uint32_t found;  /* the state that is the goal; NOBODY: none was found */
    sb_error *error;
} looking;

static bool no_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a plan"); }

/* ---- States ------------------------------------------------------------------------------------------------------ */

static bool grow_slots(room *r, sb_error *error) {
    const size_t n = r->n_slots ? 2 * r->n_slots : FIRST_SLOTS;
    slot *slots = calloc(n, sizeof *slots);
    if (!slots) return no_memory(error);
    for (size_t i = 0; i < r->n_slots; i++) {
        if (!r->slots[i].used) continue;
        size_t at = r->slots[i].key[0] & (n - 1);
        while (slots[at].used) at = (at + 1) & (n - 1);
        slots[at] = r->slots[i];
    }
    free(r->slots);
    r->slots = slots, r->n_slots = n;
    return true;
}

/* Notes a state; *is_new says whether it is met for the first time. Two states are the same if their canonical texts
 * are. */
static bool meet(looking *l, const sb_model_value *z, const sb_model_value *h, bool *is_new) {
    room *r = l->room;
    uint64_t key[2];
    sb_out_clear(&r->canonical);
    sb_putc(&r->canonical, '[');
    if (!sb_put_canonical(&r->canonical, z->data, z->size, l->error)) return false;
    sb_putc(&r->canonical, ',');
    if (!sb_put_canonical(&r->canonical, h->data, h->size, l->error)) return false;
    if (!sb_out_ok(&r->canonical)) return no_memory(l->error);
    sb_hash128(r->canonical.data, r->canonical.size, key);
    if (2 * r->n_used >= r->n_slots && !grow_slots(r, l->error)) return false;
    size_t at = key[0] & (r->n_slots - 1);
    while (r->slots[at].used && (r->slots[at].key[0] != key[0] || r->slots[at].key[1] != key[1]))
        at = (at + 1) & (r->n_slots - 1);
    *is_new = !r->slots[at].used;
    if (*is_new) r->slots[at] = (slot){.key = {key[0], key[1]}, .used = true}, r->n_used++;
    return true;
}

static bool add(looking *l, const sb_model_value *z, const sb_model_value *h, uint32_t parent,
                const sb_log_action *action, bool done) {
    room *r = l->room;
    if (!SB_GROW(r->nodes, r->n + 1, r->capacity)) return no_memory(l->error);
    node *new = &r->nodes[r->n];
    *new = (node){.z_n = z->size, .h_n = h->size, .parent = parent, .done = done};
    if (action) new->action = *action, new->depth = r->nodes[parent].depth + 1;
    new->z_at = r->values.size;
    sb_put(&r->values, z->data, z->size);
    new->h_at = r->values.size;
    sb_put(&r->values, h->data, h->size);
    r->n++;
    return sb_out_ok(&r->values) || no_memory(l->error);
}

/* A value as it lies among the others; valid until the next state is added. */
static sb_model_value value_at(const room *r, size_t at, size_t n) {
    return (sb_model_value){.data = r->values.data + at, .size = n, .capacity = n};
}

static sb_model_meta meta_at(const looking *l, uint32_t depth) {
    sb_model_meta m = l->from->m;
    m.step += depth, m.action_count += depth;
    return m;
}

/* ---- The search -------------------------------------------------------------------------------------------------- */

bool sb_imagine_clicks(const sb_imagine_from *from, const sb_model_value *z, const sb_model_value *h,
                       const sb_model_meta *m, uint8_t *frame, sb_log_action clicks[SB_MODEL_CLICKS], size_t *n,
                       sb_error *error) {
    sb_xy places[SB_MODEL_CLICKS];
    *n = 0;
    if (!from->click) return true;
    if (!from->candidate->offers[SB_MODEL_CLICKS_OP]) {
        if (!sb_candidate_render(from->candidate, z, from->c, frame, error)) return false;
        if (from->candidate->last.kind) return true;
    }
    if (!sb_candidate_clicks(from->candidate, frame, z, h, from->c, m, places, SB_MODEL_CLICKS, n, error)) return false;
    for (size_t i = 0; i < *n; i++) {
        clicks[i] = *from->click;
        clicks[i].x = places[i].x, clicks[i].y = places[i].y;
    }
    return true;
}

/* Looks whether the newest state is the goal, or more progress than any before. */
static bool weigh(looking *l, const sb_model_meta *m) {
    room *r = l->room;
    const uint32_t index = (uint32_t)(r->n - 1);
    node *at = &r->nodes[index];
    const sb_model_value z = value_at(r, at->z_at, at->z_n), h = value_at(r, at->h_at, at->h_n);
    sb_goal_answer goal = {0};
    if (!sb_candidate_goal(l->from->candidate, &z, &h, l->from->c, m, at->done, &goal, l->error)) return false;
    if (l->from->candidate->last.kind) return true;
    if (goal.achieved && index) {
        l->found = index;
        /* without the operation `goal`, the goal that the play shows is the end of the level */
        at->done |= !l->from->candidate->offers[SB_MODEL_GOAL];
    }
    if (goal.progress > l->progress) l->progress = goal.progress, l->best = index ? index : NOBODY;
    return true;
}

/* Asks what an action leads to from a state. */
static bool try_action(looking *l, uint32_t index, const sb_log_action *action) {
    room *r = l->room;
    sb_candidate *candidate = l->from->candidate;
    const node *at = &r->nodes[index];
    const sb_model_value z = value_at(r, at->z_at, at->z_n), h = value_at(r, at->h_at, at->h_n);
    const sb_model_meta m = meta_at(l, at->depth), after = meta_at(l, at->depth + 1);
    bool is_new;
    l->search->predictions++;
    if (!sb_candidate_history(candidate, &h, &z, action, l->from->c, &m, &r->next_h, l->error)) return false;
    if (candidate->last.kind) return true;
    if (!sb_candidate_predict(candidate, &z, &r->next_h, action, l->from->c, &m, NULL, &r->prediction, l->error))
        return false;
    const sb_prediction *p = &r->prediction;
    if (candidate->last.kind || p->over) return true;
    if (!meet(l, &p->z, &r->next_h, &is_new)) return false;
    if (!is_new && !p->done) return true;
    if (!add(l, &p->z, &r->next_h, index, action, p->done)) return false;
    if (p->done) return l->found = (uint32_t)(r->n - 1), true;
    return weigh(l, &after);
}

static bool has_budget(looking *l) {
    const bool left = l->search->predictions < l->from->nodes && l->room->values.size < SB_IMAGINE_BYTES;
    if (!left) l->search->is_cut = true;
    return left;
}

static bool expand(looking *l, uint32_t index) {
    room *r = l->room;
    const node *at = &r->nodes[index];
    const sb_model_value z = value_at(r, at->z_at, at->z_n), h = value_at(r, at->h_at, at->h_n);
    const sb_model_meta m = meta_at(l, at->depth);
    sb_log_action clicks[SB_MODEL_CLICKS];
    size_t n_clicks;
    if (!sb_imagine_clicks(l->from, &z, &h, &m, r->frame, clicks, &n_clicks, l->error)) return false;
    for (size_t i = 0; i < l->from->n_buttons + n_clicks && l->found == NOBODY; i++) {
        const sb_log_action *action = i < l->from->n_buttons ? &l->from->buttons[i] : &clicks[i - l->from->n_buttons];
        if (!has_budget(l)) return true;
        if (!try_action(l, index, action)) return false;
    }
    return true;
}

static bool look(looking *l) {
    room *r = l->room;
    bool is_new;
    if (!meet(l, l->from->z, l->from->h, &is_new) || !add(l, l->from->z, l->from->h, NOBODY, NULL, false) ||
        !weigh(l, &l->from->m))
        return false;
    for (uint32_t at = 0; at < r->n && l->found == NOBODY && !l->search->is_cut; at++) {
        if (r->nodes[at].depth >= l->from->depth)
            l->search->is_cut = true;
        else if (!expand(l, at))
            return false;
    }
    return true;
}

/* ---- The plan ---------------------------------------------------------------------------------------------------- */

static bool take_steps(looking *l, uint32_t end) {
    sb_imagining *s = l->search;
    room *r = l->room;
    const size_t n = r->nodes[end].depth;
    sb_imagined_step *steps = realloc(s->steps, n * sizeof *steps);
    if (steps) s->steps = steps;
    uint8_t *frames = realloc(s->frames, n * r->frame_bytes);
    if (frames) s->frames = frames;
    if (!steps || !frames) return no_memory(l->error);
    s->n_steps = n;
    for (uint32_t at = end; r->nodes[at].parent != NOBODY; at = r->nodes[at].parent) {
        const node *here = &r->nodes[at];
        const sb_model_value z = value_at(r, here->z_at, here->z_n);
        sb_imagined_step *step = &steps[here->depth - 1];
        *step = (sb_imagined_step){.action = here->action, .done = here->done};
        if (!sb_candidate_render(l->from->candidate, &z, l->from->c, frames + (here->depth - 1) * r->frame_bytes,
                                 l->error))
            return false;
        step->is_drawn = !l->from->candidate->last.kind;
    }
    return true;
}

static room *room_of(sb_imagining *search, const sb_frame_shape *shape, sb_error *error) {
    if (!search->room) search->room = calloc(1, sizeof *search->room);
    room *r = search->room;
    if (!r) return no_memory(error), NULL;
    r->values.grows = r->canonical.grows = r->next_h.grows = r->prediction.z.grows = true;
    sb_out_clear(&r->values);
    r->n = r->n_used = 0;
    if (r->slots) memset(r->slots, 0, r->n_slots * sizeof *r->slots);
    r->frame_bytes = sb_frame_cells(shape);
    uint8_t *frame = realloc(r->frame, r->frame_bytes);
    if (!frame) return no_memory(error), NULL;
    r->frame = frame;
    return r;
}

bool sb_imagine(sb_imagining *search, const sb_imagine_from *from, sb_error *error) {
    looking l = {.search = search, .from = from, .best = NOBODY, .found = NOBODY, .error = error};
    search->kind = SB_IMAGINED_NOTHING, search->n_steps = 0, search->predictions = 0, search->is_cut = false;
    l.room = room_of(search, from->shape, error);
    if (!l.room || !look(&l)) return false;
    if (l.found == NOBODY && l.best == NOBODY) return true;
    search->kind = l.found != NOBODY ? SB_IMAGINED_PLAN : SB_IMAGINED_PROGRESS;
    return take_steps(&l, l.found != NOBODY ? l.found : l.best);
}

void sb_imagining_free(sb_imagining *search) {
    room *r = search->room;
    if (r) {
        free(r->nodes), free(r->slots), free(r->frame);
        sb_out_free(&r->values), sb_out_free(&r->canonical), sb_out_free(&r->next_h), sb_out_free(&r->prediction.z);
        free(r);
    }
    free(search->steps), free(search->frames);
    *search = (sb_imagining){0};
}
