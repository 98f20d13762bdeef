/* Masked frame prediction (challenges 3): a course whose last frames are partly hidden, and six possible contents of
 * the hidden part at its end. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/autumn/state.h"
#include "generators/autumn/options.h"
#include "generators/autumn/study.h"

static const uint32_t lengths[SB_AUTUMN_LEVELS][2] = {{20, 30}, {25, 40}, {35, 55}, {50, 70}};
static const uint32_t hidden[SB_AUTUMN_LEVELS][2] = {{1, 3}, {4, 8}, {9, 20}, {21, 40}};
/* A course that was too long to enumerate is followed by shorter ones. */
enum { LONGEST = 70, POOL_MAX = 96, CELLS_MIN = 4, CELLS_MAX = 64, RECTANGLES = 60, SAMPLES = 12, UNKNOWN_MAX = 14 };

/* What the tracker may take for one course. */
static const sb_autumn_support_limits limits = {.branches = 10000, .states = 600, .total = 15000};

/* A course, and what else could be in its last frame. */
typedef struct prediction {
    sb_autumn_study *s;
    sb_autumn_challenge *c;
    sb_rng *rng;
    uint8_t *before, *last; /* the last frame that is shown in full, and the last of all: in c->frames */
    struct {
        uint8_t *frame, cause;
    } pool[POOL_MAX];
    uint32_t n_pool;
    uint8_t *robust; /* by cell: all other draws that were tried gave the same */
    bool no_memory;
} prediction;

static uint8_t *frame_at(const prediction *p, uint32_t t) { return p->c->frames + (size_t)t * p->s->n_cells; }

/* ---- The course -------------------------------------------------------------------------------------------------- */

/* Walks; s->b becomes the state before the masked steps, s->a the last one. */
static bool record(prediction *p) {
    sb_autumn_study *s = p->s;
    sb_autumn_challenge *c = p->c;
    sb_autumn_walk *const walk = sb_autumn_walk_new(s->program, sb_next64(p->rng));
    bool ok = walk && sb_autumn_copy(s->a, s->start);
    if (!ok) p->no_memory = true;
    ok = ok && sb_autumn_study_frame(s, s->a, frame_at(p, 0));
    for (uint32_t t = 0; ok && t < c->n_actions; t++) {
        if (t == c->n_actions - c->masked && !sb_autumn_copy(s->b, s->a)) p->no_memory = true;
        ok = sb_autumn_walk_choose(walk, s->a, &c->actions[t]) && sb_autumn_step(s->a, c->actions[t], NULL) &&
             sb_autumn_study_frame(s, s->a, frame_at(p, t + 1));
        for (size_t i = 0; ok && t >= c->n_actions - c->masked && i < sb_autumn_n_handlers(s->program); i++)
            c->firings += sb_autumn_fired(s->a)[i];
    }
    sb_autumn_walk_free(walk);
    p->before = frame_at(p, c->n_actions - c->masked), p->last = frame_at(p, c->n_actions);
    return ok && !p->no_memory;
}

/* Keeps a frame as what the last one could be. */
static void add_to_pool(prediction *p, const uint8_t *frame, uint8_t cause) {
    if (p->n_pool == POOL_MAX) return;
    uint8_t **const copy = &p->pool[p->n_pool].frame;
    if (!(*copy = malloc(p->s->n_cells + 1))) {
        p->no_memory = true;
        return;
    }
    memcpy(*copy, frame, p->s->n_cells); // NOLINT(clang-analyzer-unix.Malloc): the pool is freed at the end
    p->pool[p->n_pool++].cause = cause;
}

/* Plays the masked steps on s->a, which stands before them; the frame is in s->frame. */
static bool play_on(prediction *p, const sb_autumn_event *actions) {
    for (uint32_t i = 0; i < p->c->masked; i++)
        if (!sb_autumn_step(p->s->a, actions[i], NULL)) return false;
    return sb_autumn_study_frame(p->s, p->s->a, p->s->frame);
}

static bool begin_masked(prediction *p) {
    if (sb_autumn_copy(p->s->a, p->s->b)) return true;
    p->no_memory = true;
    return false;
}

static void add_course(prediction *p, const sb_autumn_event *actions, uint8_t cause) {
    if (begin_masked(p) && play_on(p, actions)) add_to_pool(p, p->s->frame, cause);
}

static sb_autumn_event another(prediction *p, sb_autumn_event event) {
    const int32_t size = (int32_t)p->s->size;
    if (event.key != SB_AUTUMN_CLICK) {
        const uint32_t key = sb_autumn_below(p->rng, 4);
        return (sb_autumn_event){.key = (sb_autumn_key)(key >= (uint32_t)event.key ? key + 1 : key)};
    }
    int32_t *const moved = sb_autumn_below(p->rng, 2) ? &event.x : &event.y;
    *moved += *moved == 0 ? 1 : *moved == size - 1 ? -1 : sb_autumn_below(p->rng, 2) ? 1 : -1;
    return event;
}

/* Courses with one other action, and some with other actions altogether. */
static void add_other_courses(prediction *p) {
    enum { STEPS = 12, COURSES = 8 };
    sb_autumn_event actions[LONGEST];
    const uint32_t n = p->c->masked, first = p->c->n_actions - n;
    for (uint32_t i = 0; i < n && i < STEPS; i++) {
        const uint32_t at = n <= STEPS ? i : sb_autumn_below(p->rng, n);
        memcpy(actions, p->c->actions + first, n * sizeof *actions);
        if (actions[at].key != SB_AUTUMN_NOOP) {
            actions[at] = (sb_autumn_event){0};
            add_course(p, actions, SB_AUTUMN_MISSED);
        }
        actions[at] = another(p, p->c->actions[first + at]);
        add_course(p, actions, SB_AUTUMN_OTHER);
    }
    for (int k = 0; k < COURSES; k++) {
        for (uint32_t i = 0; i < n; i++) actions[i] = p->c->actions[sb_autumn_below(p->rng, p->c->n_actions)];
        add_course(p, actions, SB_AUTUMN_COURSE);
    }
}

static void add_shifts(prediction *p) {
    add_to_pool(p, p->before, SB_AUTUMN_STAY);
    add_to_pool(p, frame_at(p, p->c->n_actions - 1), SB_AUTUMN_SHIFT);
    if (!begin_masked(p) || !play_on(p, p->c->actions + p->c->n_actions - p->c->masked)) return;
    for (int i = 0; i < 2; i++)
        if (sb_autumn_step(p->s->a, (sb_autumn_event){0}, NULL) && sb_autumn_study_frame(p->s, p->s->a, p->s->frame))
            add_to_pool(p, p->s->frame, SB_AUTUMN_SHIFT);
}

/* The number of a string in the unchanged program, or one that no frame shows. */
static uint8_t string_of(const prediction *p, const char *text) {
    for (uint32_t i = 0; i < sb_autumn_n_strings(p->s->program); i++)
        if (strcmp(sb_autumn_string(p->s->program, i), text) == 0) return (uint8_t)i;
    return UINT8_MAX;
}

/* The course of a changed program, in which the change acts from the first masked step on. */
static void add_mutant(prediction *p, const sb_autumn_mutation *m) {
    sb_autumn_study *s = p->s;
    sb_autumn_fault fault;
    sb_out text = sb_out_growing();
    const sb_autumn_challenge *c = p->c;
    sb_autumn_program *const program = sb_autumn_mutated(s->text, s->n, m->edits, m->n_edits, &text) && sb_out_ok(&text)
                                           ? sb_autumn_load(text.data, text.size, NULL, &fault)
                                           : NULL;
    sb_autumn_state *const state = program ? sb_autumn_new(program) : NULL;
    bool ok = state && sb_autumn_start(state, SB_AUTUMN_PCG64, s->seed, NULL);
    if (ok) sb_autumn_reseed(state, sb_autumn_noise(s->seed, "test", 0));
    for (uint32_t t = 0; ok && t < c->n_actions; t++) {
        if (t == c->n_actions - c->masked) sb_autumn_switch(state, true);
        ok = sb_autumn_step(state, c->actions[t], NULL);
    }
    if (ok && sb_autumn_size(state) == s->size) {
        sb_autumn_frame(state, s->strings);
        for (uint32_t i = 0; i < s->n_cells; i++) s->frame[i] = string_of(p, sb_autumn_string(program, s->strings[i]));
        add_to_pool(p, s->frame, SB_AUTUMN_RULE);
    }
    sb_autumn_free(state);
    sb_autumn_unload(program);
    sb_out_free(&text);
}

static void add_mutants(prediction *p) {
    enum { MUTANTS = 8 };
    for (int i = 0; i < MUTANTS && p->s->mutations.n; i++)
        add_mutant(p, &p->s->mutations.all[sb_autumn_below(p->rng, (uint32_t)p->s->mutations.n)]);
}

/* ---- The mask ---------------------------------------------------------------------------------------------------- */

static bool same_in_mask(const prediction *p, const uint8_t *a, const uint8_t *b) {
    for (uint32_t i = 0; i < p->s->n_cells; i++)
        if (p->c->mask[i] && a[i] != b[i]) return false;
    return true;
}

/* Conditions 3.3 (a) to (c). */
static bool is_worth_asking(const prediction *p) {
    uint32_t differ = 0, cells = 0, colours = 0;
    bool seen[UINT8_MAX + 1] = {false}, matters = false;
    for (uint32_t i = 0; i < p->s->n_cells; i++) {
        if (!p->c->mask[i]) continue;
        cells++;
        differ += p->last[i] != p->before[i];
        colours += !seen[p->last[i]];
        seen[p->last[i]] = true;
    }
    for (uint32_t k = 0; k < p->n_pool && !matters; k++)
        matters = p->pool[k].cause == SB_AUTUMN_MISSED && !same_in_mask(p, p->pool[k].frame, p->last);
    return cells >= CELLS_MIN && differ && matters && (colours > 1 || differ > 1);
}

/* Finds out what other draws would not change: only such cells can be certain. */
static void find_robust(prediction *p) {
    memset(p->robust, 1, p->s->n_cells);
    for (uint64_t k = 0; p->s->draws && k < SAMPLES; k++) {
        if (!begin_masked(p)) return;
        sb_autumn_reseed(p->s->a, sb_next64(p->rng));
        if (!play_on(p, p->c->actions + p->c->n_actions - p->c->masked)) continue;
        for (uint32_t i = 0; i < p->s->n_cells; i++) p->robust[i] &= p->s->frame[i] == p->last[i];
    }
}

/* Chooses a rectangle around a cell where an action matters. */
static bool draw_rectangle(prediction *p) {
    const uint32_t size = p->s->size, half = p->s->n_cells / 2;
    uint32_t n = 0, at = 0;
    for (uint32_t i = 0; i < p->s->n_cells; i++) {
        bool matters = false;
        for (uint32_t k = 0; k < p->n_pool && !matters; k++)
            matters = p->pool[k].cause == SB_AUTUMN_MISSED && p->robust[i] && p->pool[k].frame[i] != p->last[i];
        if (matters && sb_autumn_below(p->rng, ++n) == 0) at = i;
    }
    if (!n) return false;
    uint32_t width, height, area;
    do {
        width = 1 + sb_autumn_below(p->rng, size < 16 ? size : 16);
        height = 1 + sb_autumn_below(p->rng, size < 16 ? size : 16);
        area = width * height;
    } while (area < CELLS_MIN || area > CELLS_MAX || area > half);
    const uint32_t x = at % size, y = at / size;
    uint32_t left = sb_autumn_below(p->rng, width), top = sb_autumn_below(p->rng, height);
    left = x < left ? 0 : x - left, top = y < top ? 0 : y - top;
    if (left + width > size) left = size - width;
    if (top + height > size) top = size - height;
    for (uint32_t i = 0; i < p->s->n_cells; i++)
        p->c->mask[i] = i % size >= left && i % size < left + width && i / size >= top && i / size < top + height &&
                        p->robust[i];
    return true;
}

static bool choose_mask(prediction *p) {
    for (int i = 0; i < RECTANGLES; i++)
        if (!draw_rectangle(p))
            return false;
        else if (is_worth_asking(p))
            return true;
    return false;
}

/* ---- The certificate (3.4) --------------------------------------------------------------------------------------- */

/* Follows the course as it is shown, and takes those cells out of the mask whose content is not certain. Cells that are
 * shown after all only tell more, so what remains stays certain. `frames` are strings of the program. */
static bool track(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *frames, uint8_t *mask,
                  sb_autumn_verdict *verdict, sb_autumn_challenge *found) {
    sb_autumn_tracker *const tracker = sb_autumn_tracker_new(s->program, &limits);
    uint32_t *const shown = malloc(s->n_cells * sizeof *shown);
    bool ok = tracker && shown && sb_autumn_tracker_begin(tracker, s->start);
    *verdict = SB_AUTUMN_POSSIBLE;
    for (uint32_t t = 1; ok && t <= c->n_actions && *verdict == SB_AUTUMN_POSSIBLE; t++) {
        const bool masked = t + c->masked > c->n_actions;
        for (uint32_t i = 0; i < s->n_cells; i++)
            shown[i] = masked && mask[i] ? SB_AUTUMN_UNSEEN : frames[(size_t)t * s->n_cells + i];
        ok = sb_autumn_tracker_step(tracker, c->actions[t - 1], (sb_autumn_shown){s->size, shown}, verdict);
    }
    for (size_t k = 0; ok && *verdict == SB_AUTUMN_POSSIBLE && k < sb_autumn_tracker_n(tracker); k++) {
        ok = sb_autumn_study_frame(s, sb_autumn_tracker_at(tracker, k), s->frame);
        for (uint32_t i = 0; ok && i < s->n_cells; i++)
            mask[i] = mask[i] && s->frame[i] == frames[(size_t)c->n_actions * s->n_cells + i];
    }
    if (ok) found->proof = sb_autumn_tracker_drew(tracker) ? SB_AUTUMN_ENUMERATED : SB_AUTUMN_NO_DRAWS;
    if (ok) found->largest = (uint32_t)sb_autumn_tracker_largest(tracker);
    sb_autumn_tracker_free(tracker);
    free(shown);
    return ok;
}

/* Keeps the cells of which chance cannot decide, in a state that the course leads to. */
static bool keep_clean(sb_autumn_study *s, const sb_autumn_state *last, uint8_t *mask) {
    bool *const open = malloc(s->n_cells * sizeof *open);
    if (!open) return false;
    if (!s->clean.nothing) sb_autumn_clean_frame(&s->clean, last, s->strings, open);
    for (uint32_t i = 0; i < s->n_cells; i++) mask[i] = mask[i] && !s->clean.nothing && !open[i];
    free(open);
    return true;
}

/* Finds the cells of a mask that are certain, and the proof. False: out of memory. */
static bool find_certain(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *frames, uint8_t *mask,
                         sb_autumn_challenge *found) {
    sb_autumn_verdict verdict;
    found->proof = SB_AUTUMN_NO_DRAWS, found->largest = 1;
    if (!s->draws) return true;
    if (!track(s, c, frames, mask, &verdict, found)) return false;
    if (verdict == SB_AUTUMN_IMPOSSIBLE) memset(mask, 0, s->n_cells);
    if (verdict != SB_AUTUMN_UNKNOWN) return true;
    found->proof = SB_AUTUMN_CLEAN, found->largest = 0;
    if (!sb_autumn_copy(s->a, s->start)) return false;
    for (uint32_t t = 0; t < c->n_actions; t++)
        if (!sb_autumn_step(s->a, c->actions[t], NULL)) return memset(mask, 0, s->n_cells), true;
    return keep_clean(s, s->a, mask);
}

static sb_autumn_try certify(prediction *p, sb_autumn_why *why) {
    if (!find_certain(p->s, p->c, p->c->frames, p->c->mask, p->c)) return SB_AUTUMN_NO_MEMORY;
    const bool unknown = p->c->proof == SB_AUTUMN_CLEAN;
    p->s->unknown += unknown;
    *why = unknown ? SB_AUTUMN_UNKNOWN_ANSWER : SB_AUTUMN_UNCERTAIN;
    /* Cells that are shown after all change the certificate, and can only make it better. */
    if (is_worth_asking(p) && !find_certain(p->s, p->c, p->c->frames, p->c->mask, p->c)) return SB_AUTUMN_NO_MEMORY;
    if (is_worth_asking(p)) return SB_AUTUMN_FOUND;
    return p->s->unknown >= UNKNOWN_MAX ? SB_AUTUMN_NEVER : SB_AUTUMN_AGAIN;
}

bool sb_autumn_is_certain(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *frames,
                          sb_autumn_proof *proof, uint32_t *largest) {
    sb_autumn_challenge found;
    uint8_t *const mask = malloc(s->n_cells);
    if (!mask) return false;
    memcpy(mask, c->mask, s->n_cells);
    const bool ok = find_certain(s, c, frames, mask, &found) && memcmp(mask, c->mask, s->n_cells) == 0;
    *proof = found.proof, *largest = found.largest;
    free(mask);
    return ok;
}

/* ---- Latent variables (3.3 d) ------------------------------------------------------------------------------------ */

static bool is_drawn(const sb_autumn_state *state, uint32_t variable) {
    for (size_t l = 0; l < sb_autumn_n_layers(state); l++)
        if (sb_autumn_layers(state)[l].variable == variable) return true;
    return false;
}

static bool is_plain(sb_au_value v) { return v.kind == SB_AU_BOOL || v.kind == SB_AU_NUMBER; }

/* Another value that the variable has had somewhere; false: none. */
static bool other_value(const sb_autumn_study *s, uint32_t variable, sb_rng *rng, sb_au_value *value) {
    enum { TRIES = 40 };
    const sb_au_value now = s->b->globals[variable];
    if (!is_plain(now) || is_drawn(s->b, variable)) return false;
    for (int i = 0; i < TRIES; i++) {
        *value = s->met[sb_autumn_below(rng, s->n_met)].state->globals[variable];
        if (value->kind == now.kind && value->number != now.number) return true;
    }
    return false;
}

/* Counts hidden variables that decide about the content; `*any` says whether there are hidden variables at all. */
static uint32_t count_latents(prediction *p, bool *any) {
    enum { VALUES = 3 };
    sb_autumn_study *s = p->s;
    uint32_t found = 0;
    sb_au_value value;
    *any = false;
    for (size_t r = 0; r < s->program->n_rules; r++) {
        const uint32_t variable = s->program->rules[r].symbol;
        bool matters = false;
        for (int k = 0; k < VALUES && !matters && other_value(s, variable, p->rng, &value); k++) {
            *any = true;
            if (!begin_masked(p)) return 0;
            s->a->globals[variable] = value;
            matters = play_on(p, p->c->actions + p->c->n_actions - p->c->masked) && !same_in_mask(p, s->frame, p->last);
        }
        found += matters;
    }
    return found;
}

/* ---- Distractors ------------------------------------------------------------------------------------------------- */

static bool all_shown(const prediction *p, const uint8_t *frame) {
    for (uint32_t i = 0; i < p->s->n_cells; i++)
        if (p->c->mask[i] && (frame[i] == UINT8_MAX || !p->s->shown[frame[i]])) return false;
    return true;
}

static void drop(prediction *p, uint32_t k) {
    free(p->pool[k].frame);
    p->n_pool--;
    memmove(&p->pool[k], &p->pool[k + 1], (p->n_pool - k) * sizeof *p->pool);
}

/* Takes out what equals the answer or something before it, and colours that nothing has shown. */
static void clean_pool(prediction *p) {
    for (uint32_t k = 0; k < p->n_pool;) {
        bool good = !same_in_mask(p, p->pool[k].frame, p->last) && all_shown(p, p->pool[k].frame);
        for (uint32_t i = 0; good && i < k; i++) good = !same_in_mask(p, p->pool[k].frame, p->pool[i].frame);
        if (good)
            k++;
        else
            drop(p, k);
    }
}

static bool choose_options(prediction *p) {
    sb_autumn_challenge *c = p->c;
    const uint8_t *frames[POOL_MAX + 1] = {p->last};
    uint8_t causes[POOL_MAX + 1] = {SB_AUTUMN_ANSWER};
    for (uint32_t k = 0; k < p->n_pool; k++) frames[k + 1] = p->pool[k].frame, causes[k + 1] = p->pool[k].cause;
    const sb_autumn_pool pool = {.n = p->n_pool + 1,
                                 .size = p->s->size,
                                 .frames = frames,
                                 .causes = causes,
                                 .mask = c->mask,
                                 .n_mask = c->n_mask,
                                 .shown = p->s->shown,
                                 .background = (uint8_t)sb_autumn_background(p->s->start)};
    return sb_autumn_choose_options(&pool, p->rng, c->options, c->causes, &c->answer, &p->no_memory);
}

/* The fewest cells in which another option differs from the answer. */
static uint32_t find_closest(const sb_autumn_challenge *c) {
    const uint8_t *answer = c->options + (size_t)c->answer * c->n_mask;
    uint32_t closest = UINT32_MAX;
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++) {
        uint32_t off = 0;
        for (uint32_t i = 0; i < c->n_mask; i++) off += c->options[(size_t)k * c->n_mask + i] != answer[i];
        if (k != c->answer && off < closest) closest = off;
    }
    return closest;
}

static sb_autumn_try make_options(prediction *p, sb_autumn_why *why) {
    sb_autumn_challenge *c = p->c;
    add_mutants(p), clean_pool(p);
    *why = SB_AUTUMN_FEW_CONTENTS;
    c->n_mask = 0;
    for (uint32_t i = 0; i < p->s->n_cells; i++) c->n_mask += c->mask[i];
    if (!c->n_mask) return SB_AUTUMN_AGAIN;
    c->options = malloc((size_t)SB_AUTUMN_CHOICES * c->n_mask);
    if (!c->options || p->no_memory) return SB_AUTUMN_NO_MEMORY;
    if (!choose_options(p)) return p->no_memory ? SB_AUTUMN_NO_MEMORY : SB_AUTUMN_AGAIN;
    c->closest = find_closest(c);
    return SB_AUTUMN_FOUND;
}

/* ---- One attempt ------------------------------------------------------------------------------------------------- */

static sb_autumn_try attempt(prediction *p, sb_autumn_why *why) {
    sb_autumn_challenge *c = p->c;
    *why = SB_AUTUMN_FAILED_STEP;
    if (!record(p)) return p->no_memory ? SB_AUTUMN_NO_MEMORY : SB_AUTUMN_AGAIN;
    add_shifts(p), add_other_courses(p), find_robust(p);
    if (p->no_memory) return SB_AUTUMN_NO_MEMORY;
    *why = SB_AUTUMN_NOTHING_MATTERED;
    if (!choose_mask(p)) return SB_AUTUMN_AGAIN;
    const sb_autumn_try certain = certify(p, why);
    if (certain != SB_AUTUMN_FOUND) return certain;
    bool any;
    c->latents = count_latents(p, &any);
    *why = SB_AUTUMN_NO_LATENT;
    if (c->name.level >= 3 && any && !c->latents && c->attempt < SB_AUTUMN_ATTEMPTS / 4) return SB_AUTUMN_AGAIN;
    return make_options(p, why);
}

sb_autumn_try sb_autumn_try_mfp(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, sb_autumn_why *why) {
    prediction p = {.s = s, .c = c, .rng = rng};
    c->n_actions = sb_autumn_between(rng, lengths[c->name.level - 1]);
    c->masked = sb_autumn_between(rng, hidden[c->name.level - 1]);
    if (s->unknown) c->n_actions = c->masked + sb_autumn_between(rng, (const uint32_t[]){3, 10});
    c->actions = calloc(c->n_actions, sizeof *c->actions);
    c->frames = calloc(c->n_actions + 1, s->n_cells);
    c->mask = calloc(s->n_cells, 1), p.robust = calloc(s->n_cells, 1);
    sb_autumn_try result = SB_AUTUMN_NO_MEMORY;
    if (c->actions && c->frames && c->mask && p.robust) result = attempt(&p, why);
    if (p.no_memory) result = SB_AUTUMN_NO_MEMORY;
    while (p.n_pool) free(p.pool[--p.n_pool].frame);
    free(p.robust);
    if (result != SB_AUTUMN_FOUND) return result;
    return sb_autumn_take_colours(c, s->program, c->frames, (size_t)(c->n_actions + 1) * s->n_cells) &&
                   sb_autumn_take_colours(c, s->program, c->options, (size_t)SB_AUTUMN_CHOICES * c->n_mask)
               ? SB_AUTUMN_FOUND
               : SB_AUTUMN_NO_MEMORY;
}
