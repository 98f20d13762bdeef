/* Masked frame prediction (challenges 3): a course whose last frames are partly hidden, and six possible contents of
 * the hidden part at its end.
 *
 * The six contents come from six courses of action that begin alike and show the same outside the mask, in all frames.
 * Which of them was taken is drawn last, after everything that could reject the question, and all that could reject it
 * treats the six alike. So whatever looks at the frames and the options, without knowing what actions do, finds the
 * answer by chance only. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/autumn/state.h"
#include "generators/autumn/challenges/study.h"

static const uint32_t lengths[SB_AUTUMN_LEVELS][2] = {{20, 30}, {25, 40}, {35, 55}, {50, 70}};
static const uint32_t hidden[SB_AUTUMN_LEVELS][2] = {{1, 3}, {4, 8}, {9, 20}, {21, 40}};
enum { HIDDEN_MAX = 40, COURSES = 60, SIX = SB_AUTUMN_CHOICES };
enum { CELLS_MIN = 4, CELLS_MAX = 64, SETS = 40, SAMPLES = 12, UNKNOWN_MAX = 6 };
/* CHOOSY: attempts after which hidden variables need not matter; FEW_MAX: attempts without six contents after which the
 * search ends. */
enum { CHOOSY = 20, FEW_MAX = 40 };

/* What the tracker may take for one course: a part of the rules. */
static const sb_autumn_support_limits limits = {.branches = 10000, .states = 600, .total = 10000};
static const sb_autumn_support_limits limits_of_version_1 = {.branches = 10000, .states = 600, .total = 15000};

/* A way through the masked steps. */
typedef struct course {
    sb_autumn_event actions[HIDDEN_MAX];
    uint8_t *last;    /* the frame at the end of the course */
    uint8_t *differs; /* by cell: some masked frame is not that of the walk */
} course;

/* A walk, and what else could have been done in its masked steps. */
typedef struct prediction {
    sb_autumn_study *s;
    sb_autumn_challenge *c;
    sb_rng *rng;
    uint8_t *before, *last;      /* the last frame that is shown in full, and the last of all: in c->frames */
    course courses[COURSES + 1]; /* the first is the walk; no two end with the same frame */
    uint32_t n_courses, six[SIX];
    bool rest; /* the courses do other things from some step on, and not in one or two steps */
    sb_autumn_event interests[SB_AUTUMN_INTERESTS_MAX]; /* actions of interest in the state before the masked steps */
    uint32_t n_interests;
    uint8_t *needed;  /* by cell: the six courses differ there, so that it must be masked */
    uint8_t *robust;  /* by cell: all other draws that were tried gave the same */
    uint8_t *certain; /* scratch */
    bool no_memory;
} prediction;

static uint8_t *frame_at(const prediction *p, uint32_t t) { return p->c->frames + (size_t)t * p->s->n_cells; }
static uint32_t first_masked(const prediction *p) { return p->c->n_actions - p->c->masked; }

static uint32_t cells_max(const prediction *p) { return p->s->n_cells / 2 < CELLS_MAX ? p->s->n_cells / 2 : CELLS_MAX; }

/* ---- The walk ---------------------------------------------------------------------------------------------------- */

/* Records the walk; s->b becomes the state before the masked steps. */
static bool record(prediction *p) {
    sb_autumn_study *s = p->s;
    sb_autumn_challenge *c = p->c;
    sb_autumn_walk *const walk = sb_autumn_walk_new(s->program, sb_next64(p->rng));
    bool ok = walk && sb_autumn_copy(s->a, s->start);
    if (!ok) p->no_memory = true;
    ok = ok && sb_autumn_study_frame(s, s->a, frame_at(p, 0));
    for (uint32_t t = 0; ok && t < c->n_actions; t++) {
        if (t == first_masked(p) && !sb_autumn_copy(s->b, s->a)) p->no_memory = true;
        ok = sb_autumn_walk_choose(walk, s->a, &c->actions[t]) && sb_autumn_step(s->a, c->actions[t], NULL) &&
             sb_autumn_study_frame(s, s->a, frame_at(p, t + 1));
    }
    sb_autumn_walk_free(walk);
    p->before = frame_at(p, first_masked(p)), p->last = frame_at(p, c->n_actions);
    return ok && !p->no_memory;
}

static bool begin_masked(prediction *p) {
    if (sb_autumn_copy(p->s->a, p->s->b)) return true;
    p->no_memory = true;
    return false;
}

/* Plays the masked steps on s->a, which stands before them; the frame is in s->frame. */
static bool play_on(prediction *p, const sb_autumn_event *actions) {
    for (uint32_t i = 0; i < p->c->masked; i++)
        if (!sb_autumn_step(p->s->a, actions[i], NULL)) return false;
    return sb_autumn_study_frame(p->s, p->s->a, p->s->frame);
}

/* Finds out what other draws would not change: only such cells can be certain. */
static void find_robust(prediction *p) {
    memset(p->robust, 1, p->s->n_cells);
    for (uint64_t k = 0; p->s->draws && k < SAMPLES; k++) {
        if (!begin_masked(p)) return;
        sb_autumn_reseed(p->s->a, sb_next64(p->rng));
        if (!play_on(p, p->c->actions + first_masked(p))) continue;
        for (uint32_t i = 0; i < p->s->n_cells; i++) p->robust[i] &= p->s->frame[i] == p->last[i];
    }
}

/* ---- Other courses ----------------------------------------------------------------------------------------------- */

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

/* An action of interest, or now and then a click anywhere. */
static sb_autumn_event interest(prediction *p) {
    enum { ANYWHERE_EVERY = 4 };
    if (sb_autumn_below(p->rng, ANYWHERE_EVERY)) return p->interests[sb_autumn_below(p->rng, p->n_interests)];
    const int32_t x = (int32_t)sb_autumn_below(p->rng, p->s->size), y = (int32_t)sb_autumn_below(p->rng, p->s->size);
    return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = x, .y = y};
}

/* Alters the actions of the walk: one or two of the last `late` ones, or all from one on. All courses of a question are
 * altered in the same manner: otherwise what was done could look more or less like a walk, and tell how far out it
 * ends. */
static void alter(prediction *p, sb_autumn_event *actions, uint32_t late) {
    enum { NOOP, ANOTHER, INTEREST, TWO, EXCHANGE, REST };
    const uint32_t n = p->c->masked, at = n - 1 - sb_autumn_below(p->rng, late);
    const uint32_t other = n - 1 - sb_autumn_below(p->rng, late);
    memcpy(actions, p->c->actions + first_masked(p), n * sizeof *actions);
    const sb_autumn_event old = actions[at];
    switch (p->rest ? REST : sb_autumn_below(p->rng, REST)) {
    case NOOP: actions[at] = old.key == SB_AUTUMN_NOOP ? interest(p) : (sb_autumn_event){0}; break;
    case ANOTHER: actions[at] = another(p, old); break;
    case INTEREST: actions[at] = interest(p); break;
    case TWO: actions[at] = interest(p), actions[other] = interest(p); break;
    case EXCHANGE: actions[at] = actions[other], actions[other] = old; break;
    default:
        for (uint32_t i = at; i < n; i++)
            actions[i] = sb_autumn_below(p->rng, 2) ? interest(p)
                                                    : p->c->actions[sb_autumn_below(p->rng, p->c->n_actions)];
    }
}

/* Plays a course and marks where its frames are not those of the walk. False: it fails, or they differ in too many
 * cells, in cells of which chance decides, or in colours that nothing has shown. */
static bool compare(prediction *p, course *way) {
    const uint32_t n = p->s->n_cells, most = cells_max(p);
    uint32_t differ = 0;
    memset(way->differs, 0, n);
    if (!begin_masked(p)) return false;
    for (uint32_t t = 0; t < p->c->masked && differ <= most; t++) {
        const uint8_t *walked = frame_at(p, first_masked(p) + t + 1);
        if (!sb_autumn_step(p->s->a, way->actions[t], NULL) || !sb_autumn_study_frame(p->s, p->s->a, way->last))
            return false;
        for (uint32_t i = 0; i < n; i++) {
            if (way->last[i] == walked[i]) continue;
            if (!p->robust[i] || !p->s->shown[way->last[i]]) return false;
            differ += !way->differs[i], way->differs[i] = 1;
        }
    }
    return differ <= most;
}

static bool ends_anew(const prediction *p, const course *way) {
    for (uint32_t k = 0; k < p->n_courses; k++)
        if (memcmp(p->courses[k].last, way->last, p->s->n_cells) == 0) return false;
    return true;
}

static void find_courses(prediction *p) {
    enum { STEPS = 600 };
    const uint32_t tries = STEPS / p->c->masked > COURSES ? STEPS / p->c->masked : COURSES;
    const uint32_t late = 1 + sb_autumn_below(p->rng, p->c->masked);
    memcpy(p->courses[0].actions, p->c->actions + first_masked(p), p->c->masked * sizeof *p->c->actions);
    memcpy(p->courses[0].last, p->last, p->s->n_cells);
    p->rest = sb_autumn_below(p->rng, 2);
    p->n_interests = (uint32_t)sb_autumn_interests(p->s->b, p->s->strings, p->rng, p->interests);
    p->n_courses = 1;
    for (uint32_t i = 0; i < tries && p->n_courses <= COURSES && !p->no_memory; i++) {
        course *const way = &p->courses[p->n_courses];
        alter(p, way->actions, late);
        p->n_courses += compare(p, way) && ends_anew(p, way);
    }
}

/* ---- Six of them, and the mask ----------------------------------------------------------------------------------- */

static uint32_t count_cells(const prediction *p, const uint8_t *cells) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->s->n_cells; i++) n += cells[i];
    return n;
}

/* Marks the cells of a course as needed, unless they become too many. */
static bool need(prediction *p, const course *way) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->s->n_cells; i++) n += p->needed[i] | way->differs[i];
    for (uint32_t i = 0; n <= cells_max(p) && i < p->s->n_cells; i++) p->needed[i] |= way->differs[i];
    return n <= cells_max(p);
}

/* Six courses in drawn order whose differences fit into one mask. The walk is none of them: all others are altered from
 * it, so it lies in their middle, and its actions look otherwise. */
static bool draw_six(prediction *p) {
    uint32_t order[COURSES + 1], taken = 0;
    memset(p->needed, 0, p->s->n_cells);
    for (uint32_t k = 1; k < p->n_courses; k++) order[k] = k;
    for (uint32_t k = 1; k < p->n_courses && taken < SIX; k++) {
        const uint32_t drawn = k + sb_autumn_below(p->rng, p->n_courses - k), next = order[drawn];
        order[drawn] = order[k];
        if (need(p, &p->courses[next])) p->six[taken++] = next;
    }
    return taken == SIX;
}

/* Adds the neighbours of masked cells until there are enough. */
static void grow(prediction *p) {
    const uint32_t size = p->s->size, n = p->s->n_cells;
    uint8_t *const mask = p->c->mask;
    while (count_cells(p, mask) < CELLS_MIN) {
        memcpy(p->certain, mask, n);
        for (uint32_t i = 0; i < n; i++)
            mask[i] |= (i % size && p->certain[i - 1]) || (i % size + 1 < size && p->certain[i + 1]) ||
                       (i >= size && p->certain[i - size]) || (i + size < n && p->certain[i + size]);
    }
}

/* The mask is the rectangle around the cells that must be masked, if it is small enough. */
static void choose_mask(prediction *p) {
    const uint32_t size = p->s->size;
    uint32_t low[2] = {size, size}, high[2] = {0, 0};
    for (uint32_t i = 0; i < p->s->n_cells; i++) {
        const uint32_t at[2] = {i % size, i / size};
        for (int k = 0; p->needed[i] && k < 2; k++) {
            if (at[k] < low[k]) low[k] = at[k];
            if (at[k] > high[k]) high[k] = at[k];
        }
    }
    const bool fits = (high[0] + 1 - low[0]) * (high[1] + 1 - low[1]) <= cells_max(p);
    for (uint32_t i = 0; i < p->s->n_cells; i++) {
        const uint32_t x = i % size, y = i / size;
        p->c->mask[i] = p->needed[i] ||
                        (fits && x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] && p->robust[i]);
    }
    grow(p);
}

/* Where courses are as the walk, they must show nothing in the mask that exploration has not shown. */
static bool is_known(const prediction *p) {
    for (uint32_t t = first_masked(p) + 1; t <= p->c->n_actions; t++)
        for (uint32_t i = 0; i < p->s->n_cells; i++)
            if (p->c->mask[i] && !p->s->shown[frame_at(p, t)[i]]) return false;
    return true;
}

static bool same_in_mask(const prediction *p, const uint8_t *a, const uint8_t *b) {
    for (uint32_t i = 0; i < p->s->n_cells; i++)
        if (p->c->mask[i] && a[i] != b[i]) return false;
    return true;
}

/* Makes one of the courses what was done. Only the last frame follows: the masked ones before it differ in the mask
 * alone, which is not shown. */
static void take_course(prediction *p, uint32_t k) {
    memcpy(p->c->actions + first_masked(p), p->courses[k].actions, p->c->masked * sizeof *p->c->actions);
    memcpy(p->last, p->courses[k].last, p->s->n_cells);
}

/* ---- The certificate (3.4) --------------------------------------------------------------------------------------- */

/* Follows the course as it is shown, and takes those cells out of the mask whose content is not certain. Cells that are
 * shown after all only tell more, so what remains stays certain. `frames` are strings of the program. */
static bool track(sb_autumn_study *s, const sb_autumn_challenge *c, const uint8_t *frames, uint8_t *mask,
                  sb_autumn_verdict *verdict, sb_autumn_challenge *found) {
    sb_autumn_tracker *const tracker = sb_autumn_tracker_new(s->program,
                                                             c->version == 1 ? &limits_of_version_1 : &limits);
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

static bool holds_needed(const prediction *p) {
    for (uint32_t i = 0; i < p->s->n_cells; i++)
        if (p->needed[i] && !p->c->mask[i]) return false;
    return true;
}

/* Whichever of the six was taken, its content must be certain. Cells that are not, for any of them, are shown after
 * all, which changes the certificates and can only make them better. */
static sb_autumn_try certify(prediction *p, sb_autumn_why *why) {
    sb_autumn_challenge found;
    bool unknown = false;
    for (uint32_t k = 0; p->s->draws && k < SIX; k++) {
        take_course(p, p->six[k]);
        memcpy(p->certain, p->c->mask, p->s->n_cells);
        if (!find_certain(p->s, p->c, p->c->frames, p->certain, &found)) return SB_AUTUMN_NO_MEMORY;
        memcpy(p->c->mask, p->certain, p->s->n_cells);
        unknown |= found.proof == SB_AUTUMN_CLEAN;
        if (!holds_needed(p)) break;
    }
    p->s->unknown += unknown;
    *why = unknown ? SB_AUTUMN_UNKNOWN_ANSWER : SB_AUTUMN_UNCERTAIN;
    if (holds_needed(p) && count_cells(p, p->c->mask) >= CELLS_MIN) return SB_AUTUMN_FOUND;
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

/* Counts hidden variables that decide about the content at the end of a course; `*any` says whether there are hidden
 * variables at all. */
static uint32_t count_latents(prediction *p, const course *way, bool *any) {
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
            sb_au_set_global(s->a, variable, value);
            matters = play_on(p, way->actions) && !same_in_mask(p, s->frame, way->last);
        }
        found += matters;
    }
    return found;
}

/* Counts the hidden variables that matter for all six courses. False: for one of them none matters, though there are
 * some. */
static bool find_latents(prediction *p, uint32_t latents[SIX]) {
    for (uint32_t k = 0; k < SIX; k++) {
        bool any;
        latents[k] = count_latents(p, &p->courses[p->six[k]], &any);
        if (any && !latents[k]) return false;
    }
    return true;
}

/* ---- The answer and the options ---------------------------------------------------------------------------------- */

/* What an option is, beside the answer. */
static uint8_t cause_of(const prediction *p, const course *way, const course *answer) {
    uint32_t others = 0, at = 0;
    if (way == answer) return SB_AUTUMN_ANSWER;
    if (same_in_mask(p, way->last, p->before)) return SB_AUTUMN_STAY;
    for (uint32_t i = 0; i < p->c->masked; i++) {
        const sb_autumn_event a = way->actions[i], b = answer->actions[i];
        if (a.key == b.key && (a.key != SB_AUTUMN_CLICK || (a.x == b.x && a.y == b.y))) continue;
        others++, at = i;
    }
    if (others > 1) return SB_AUTUMN_COURSE;
    return way->actions[at].key == SB_AUTUMN_NOOP ? SB_AUTUMN_MISSED : SB_AUTUMN_OTHER;
}

/* Writes the contents of the six courses as options, in drawn order. */
static void write_options(prediction *p) {
    sb_autumn_challenge *c = p->c;
    const course *answer = &p->courses[p->six[c->answer]];
    uint8_t *to = c->options;
    for (uint32_t k = 0; k < SIX; k++) {
        const course *way = &p->courses[p->six[k]];
        c->causes[k] = cause_of(p, way, answer);
        for (uint32_t i = 0; i < p->s->n_cells; i++)
            if (c->mask[i]) *to++ = way->last[i];
    }
}

static void shuffle(prediction *p) {
    for (uint32_t i = SIX; i-- > 1;) {
        const uint32_t k = sb_autumn_below(p->rng, i + 1), old = p->six[i];
        p->six[i] = p->six[k], p->six[k] = old;
    }
}

/* Plays the course that was taken: its masked frames, and how many handlers fire in them. */
static bool play_answer(prediction *p) {
    sb_autumn_study *s = p->s;
    if (!begin_masked(p)) return false;
    for (uint32_t t = first_masked(p); t < p->c->n_actions; t++) {
        if (!sb_autumn_step(s->a, p->c->actions[t], NULL) || !sb_autumn_study_frame(s, s->a, frame_at(p, t + 1)))
            return false;
        for (size_t i = 0; i < sb_autumn_n_handlers(s->program); i++) p->c->firings += sb_autumn_fired(s->a)[i];
    }
    return true;
}

/* The fewest cells in which another option differs from the answer. */
static uint32_t find_closest(const sb_autumn_challenge *c) {
    const uint8_t *answer = c->options + (size_t)c->answer * c->n_mask;
    uint32_t closest = UINT32_MAX;
    for (uint32_t k = 0; k < SIX; k++) {
        uint32_t off = 0;
        for (uint32_t i = 0; i < c->n_mask; i++) off += c->options[(size_t)k * c->n_mask + i] != answer[i];
        if (k != c->answer && off < closest) closest = off;
    }
    return closest;
}

/* Draws which of the six courses was taken. Nothing rejects the question from here on. */
static sb_autumn_try draw_answer(prediction *p) {
    sb_autumn_challenge *c = p->c;
    bool any;
    shuffle(p);
    c->answer = sb_autumn_below(p->rng, SIX);
    take_course(p, p->six[c->answer]);
    c->n_mask = count_cells(p, c->mask);
    c->latents = count_latents(p, &p->courses[p->six[c->answer]], &any);
    c->options = malloc((size_t)SIX * c->n_mask);
    if (!c->options || !find_certain(p->s, c, c->frames, c->mask, c) || !play_answer(p)) return SB_AUTUMN_NO_MEMORY;
    write_options(p);
    c->closest = find_closest(c);
    return SB_AUTUMN_FOUND;
}

/* Numbers colours as they come in what is shown, then all others that the program has shown: what is hidden must not
 * change their order. */
static bool number_colours(const prediction *p) {
    sb_autumn_challenge *c = p->c;
    const size_t n = (size_t)(c->n_actions + 1) * p->s->n_cells, options = (size_t)SIX * c->n_mask;
    uint8_t *const cells = malloc(n + options + UINT8_MAX);
    size_t n_shown = 0;
    if (!cells) return false;
    for (size_t i = 0; i < n; i++)
        if (i / p->s->n_cells <= first_masked(p) || !c->mask[i % p->s->n_cells]) cells[n_shown++] = c->frames[i];
    memcpy(cells + n_shown, c->options, options), n_shown += options;
    for (uint32_t k = 0; k < UINT8_MAX; k++)
        if (p->s->shown[k]) cells[n_shown++] = (uint8_t)k;
    const bool ok = sb_autumn_take_colours(c, p->s->program, cells, n_shown) &&
                    sb_autumn_take_colours(c, p->s->program, c->frames, n) &&
                    sb_autumn_take_colours(c, p->s->program, c->options, options);
    free(cells);
    return ok;
}

/* ---- One attempt ------------------------------------------------------------------------------------------------- */

static sb_autumn_try attempt(prediction *p, sb_autumn_why *why) {
    uint32_t latents[SIX];
    *why = SB_AUTUMN_FAILED_STEP;
    if (!record(p)) return p->no_memory ? SB_AUTUMN_NO_MEMORY : SB_AUTUMN_AGAIN;
    find_robust(p), find_courses(p);
    if (p->no_memory) return SB_AUTUMN_NO_MEMORY;
    bool found = false;
    *why = SB_AUTUMN_FEW_CONTENTS;
    for (int i = 0; i < SETS && p->n_courses > SIX && !found; i++) found = draw_six(p);
    if (!found) return ++p->s->few < FEW_MAX ? SB_AUTUMN_AGAIN : SB_AUTUMN_NEVER;
    choose_mask(p);
    if (!is_known(p)) return SB_AUTUMN_AGAIN;
    const sb_autumn_try certain = certify(p, why);
    if (certain != SB_AUTUMN_FOUND) return certain;
    *why = SB_AUTUMN_NO_LATENT;
    if (p->c->name.level >= 3 && p->c->attempt < CHOOSY && !find_latents(p, latents))
        return p->no_memory ? SB_AUTUMN_NO_MEMORY : SB_AUTUMN_AGAIN;
    return draw_answer(p);
}

sb_autumn_try sb_autumn_try_mfp(sb_autumn_study *s, sb_autumn_challenge *c, sb_rng *rng, sb_autumn_why *why) {
    prediction p = {.s = s, .c = c, .rng = rng};
    const size_t n = s->n_cells;
    c->n_actions = sb_autumn_between(rng, lengths[c->name.level - 1]);
    c->masked = sb_autumn_between(rng, hidden[c->name.level - 1]);
    if (s->unknown) c->n_actions = c->masked + sb_autumn_between(rng, (const uint32_t[]){3, 10});
    c->actions = calloc(c->n_actions, sizeof *c->actions);
    c->frames = calloc(c->n_actions + 1, n), c->mask = calloc(n, 1);
    uint8_t *const cells = calloc(2 * (COURSES + 1) + 3, n);
    for (uint32_t k = 0; cells && k <= COURSES; k++)
        p.courses[k].last = cells + 2 * k * n, p.courses[k].differs = p.courses[k].last + n;
    p.needed = cells + 2 * (COURSES + 1) * n, p.robust = p.needed + n, p.certain = p.robust + n;
    sb_autumn_try result = SB_AUTUMN_NO_MEMORY;
    if (c->actions && c->frames && c->mask && cells) result = attempt(&p, why);
    if (p.no_memory) result = SB_AUTUMN_NO_MEMORY;
    free(cells);
    if (result != SB_AUTUMN_FOUND) return result;
    return number_colours(&p) ? SB_AUTUMN_FOUND : SB_AUTUMN_NO_MEMORY;
}
