#include "oracles/autumn/hypotheses.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES = SB_AUTUMN_HYPOTHESES,
    COOLING = 2048,   /* proposals of a walk to a start that fits */
    PROPOSALS = 6000, /* proposals for one set of samples */
    THINNED = 3,      /* proposals for one sample */
    PROBES = 3,       /* values of a draw that change nothing, after which it counts as idle */
    VALUES = 128,     /* values of a draw that one sweep tries */
    RESTARTS = 60,    /* attempts to find a start that fits, before the search gives up */
    TYPE_WRONG = 3,   /* how much worse another type is in a cell than another look */
    TRIED = 32,       /* hypotheses that were refuted, from which a search may begin */
    FEW = 8,          /* with fewer hypotheses than this, the first walk lasts longer */
    REDRAWN = 32,     /* with fewer hypotheses than this, the step of one that shows something else is drawn anew */
    REDRAWS = 8       /* how often the step of a hypothesis is drawn anew and mended */
};

#define UNSEEN UINT32_MAX /* mismatches that no start has */

/* Detours of a walk: how many proposals they last at most, and how likely one more mismatch is accepted. */
static const struct {
    int proposals;
    double leap;
} detours[] = {{8, 0.1}, {24, 0.3}, {64, 0.55}};
enum { DETOURS = sizeof detours / sizeof *detours };

/* A start that is tried. */
typedef struct trial {
    sb_autumn_tape tape;
    sb_autumn_state *state;
    uint32_t wrong; /* by how much the start shows what was not shown; UNSEEN: too much, or the program failed */
    uint64_t look;  /* the hash of the last view */
} trial;

struct sb_hypotheses {
    const sb_autumn_program *program;
    bool draws; /* steps of the program draw random numbers */
    sb_rng rng;
    sb_budget *budget;
    sb_autumn_hypothesis all[SAMPLES];
    size_t n;
    uint32_t weight; /* weight of all hypotheses together */
    trial current, next, origin;
    double leap;    /* how likely one more mismatch is accepted */
    uint32_t *busy; /* the numbers of draws that change something */
    size_t n_busy, busy_room;

    /* What was shown: views[0], then events[0], views[1], ... */
    sb_autumn_view *views;
    sb_autumn_event *events;
    size_t n_views, room;
    sb_autumn_view work;
    uint8_t *wrong; /* by how much each cell differs from what was shown, at any time */
    size_t wrong_room;
};

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

sb_hypotheses *sb_hypotheses_make(const sb_autumn_program *program) {
    sb_hypotheses *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->program = program, h->draws = sb_autumn_draws_in_steps(program);
    h->current.state = sb_autumn_new(program), h->next.state = sb_autumn_new(program);
    h->origin.state = sb_autumn_new(program);
    if (h->current.state && h->next.state && h->origin.state) return h;
    return sb_hypotheses_free(h), NULL;
}

static void free_trial(trial *t) {
    sb_autumn_free(t->state);
    sb_autumn_tape_free(&t->tape);
}

void sb_hypotheses_free(sb_hypotheses *h) {
    if (!h) return;
    for (size_t i = 0; i < SAMPLES; i++) sb_autumn_free(h->all[i].state), sb_autumn_tape_free(&h->all[i].tape);
    for (size_t i = 0; i < h->room; i++) sb_autumn_view_free(&h->views[i]);
    free_trial(&h->current), free_trial(&h->next), free_trial(&h->origin);
    sb_autumn_view_free(&h->work);
    free(h->views), free(h->events), free(h->wrong), free(h->busy);
    free(h);
}

static bool copy_tape(sb_autumn_tape *to, const sb_autumn_tape *from) {
    if (to->capacity < from->n) {
        struct sb_autumn_draw *draws = realloc(to->draws, 2 * from->n * sizeof *draws);
        if (!draws) return false;
        to->draws = draws, to->capacity = 2 * from->n;
    }
    if (from->n) memcpy(to->draws, from->draws, from->n * sizeof *to->draws);
    to->n = to->used = from->n;
    to->records = to->mends = to->goes_on = true;
    return true;
}

static void exchange(trial *a, trial *b) {
    const trial t = *a;
    *a = *b, *b = t;
}

/* ---- What was shown ---------------------------------------------------------------------------------------------- */

static bool note_view(sb_hypotheses *h, const sb_autumn_state *shown) {
    if (h->n_views == h->room) {
        const size_t room = h->room ? 2 * h->room : 16;
        sb_autumn_view *views = realloc(h->views, room * sizeof *views);
        if (views) h->views = views;
        sb_autumn_event *events = realloc(h->events, room * sizeof *events);
        if (events) h->events = events;
        if (!views || !events) return false;
        memset(views + h->room, 0, (room - h->room) * sizeof *views);
        h->room = room;
    }
    sb_autumn_view *view = &h->views[h->n_views++];
    if (!sb_autumn_look(view, shown)) return false;
    const size_t n = (size_t)view->size * view->size;
    if (n <= h->wrong_room) return true;
    free(h->wrong);
    h->wrong_room = n, h->wrong = malloc(n);
    return h->wrong || (h->wrong_room = 0, false);
}

/* By how much a cell differs: another type is worse than another look. */
static uint8_t difference(uint64_t a, uint64_t b) { return (uint8_t)((a != b) + TYPE_WRONG * (a >> 32 != b >> 32)); }

/* Notes by how much the cells of a state differ from what was shown; returns how much of it is new. */
static uint32_t mismatches(sb_hypotheses *h, const sb_autumn_state *state, const sb_autumn_view *shown) {
    uint32_t n = 0;
    if (!sb_autumn_look(&h->work, state) || h->work.size != shown->size || h->work.ground != shown->ground)
        return UNSEEN;
    for (size_t i = 0; h->work.hash != shown->hash && i < (size_t)shown->size * shown->size; i++) {
        const uint8_t now = difference(h->work.cells[i], shown->cells[i]);
        if (now <= h->wrong[i]) continue;
        n += now - h->wrong[i];
        h->wrong[i] = now;
    }
    return n;
}

static bool is_over(const sb_autumn_state *state) {
    const sb_autumn_standing *standing = sb_autumn_standing_of(state);
    return standing->won || standing->lost;
}

/* ---- One start --------------------------------------------------------------------------------------------------- */

/* Counts a start or a step, which is more than one state if it takes long. */
static void count(sb_hypotheses *h, const sb_autumn_state *state) {
    enum { EVALUATIONS = 1000 /* evaluations of expressions that count as one state */ };
    h->budget->spent += 1 + sb_autumn_evaluations(state) / EVALUATIONS;
}

static uint32_t add(uint32_t a, uint32_t b) { return a > UNSEEN - b ? UNSEEN : a + b; }

/* Plays the events again and returns how much is wrong. Each step that cannot be taken, since the play is over, counts
 * as a cell. */
static uint32_t replay(sb_hypotheses *h, trial *t, uint32_t most) {
    uint32_t wrong = mismatches(h, t->state, &h->views[0]);
    for (size_t i = 1; i < h->n_views && wrong <= most; i++) {
        if (is_over(t->state)) return add(wrong, (uint32_t)(h->n_views - i));
        const bool ok = sb_autumn_step(t->state, h->events[i - 1], &t->tape);
        count(h, t->state);
        if (!ok) return UNSEEN;
        wrong = add(wrong, mismatches(h, t->state, &h->views[i]));
    }
    return wrong <= most ? add(wrong, is_over(t->state)) : UNSEEN;
}

/* Plays the draws of the tape; those that are missing or do not fit are drawn. Ends where more than `most` is
 * wrong. */
static void play(sb_hypotheses *h, trial *t, uint32_t most) {
    if (h->n_views) memset(h->wrong, 0, h->wrong_room);
    t->tape.used = 0, t->tape.records = t->tape.mends = t->tape.goes_on = true;
    t->wrong = UNSEEN;
    const bool ok = sb_autumn_start(t->state, SB_AUTUMN_PCG64, sb_next64(&h->rng), &t->tape);
    count(h, t->state);
    if (!ok) return;
    if (sb_autumn_standing_of(t->state)->starts) t->wrong = replay(h, t, most);
    t->look = h->work.hash;
    if (t->wrong > most) t->wrong = UNSEEN;
    if (t->wrong != UNSEEN) t->tape.n = t->tape.used;
}

static bool is_spent(const sb_hypotheses *h) { return h->budget->spent >= h->budget->limit; }

/* ---- The first one ----------------------------------------------------------------------------------------------- */

/* Plays the current start with another value of a draw. */
static bool play_other(sb_hypotheses *h, size_t draw, uint32_t value, uint32_t most) {
    if (!copy_tape(&h->next.tape, &h->current.tape)) return false;
    h->next.tape.draws[draw].result = value;
    return play(h, &h->next, most), true;
}

/* Finds out whether other values of a draw change anything that is shown, or that decides the future. */
static bool probe(sb_hypotheses *h, size_t draw, const uint64_t key[2], bool *is_busy) {
    const uint32_t below = h->current.tape.draws[draw].below;
    *is_busy = false;
    for (int i = 0; i < PROBES && below > 1 && !*is_busy; i++) {
        uint64_t other[2];
        if (!play_other(h, draw, (uint32_t)sb_integers(&h->rng, 0, below), UNSEEN - 1)) return false;
        *is_busy = h->next.wrong != h->current.wrong || h->next.look != h->current.look;
        if (!*is_busy && !sb_autumn_hash(h->next.state, false, other)) return false;
        *is_busy = *is_busy || memcmp(key, other, sizeof other) != 0;
    }
    return true;
}

/* Lists the draws of the current start that change something. */
static bool probe_all(sb_hypotheses *h) {
    const size_t n = h->current.tape.n;
    uint64_t key[2];
    h->n_busy = 0;
    if (h->current.wrong == UNSEEN) return true;
    if (n > h->busy_room) {
        uint32_t *busy = realloc(h->busy, n * sizeof *busy);
        if (!busy) return false;
        h->busy = busy, h->busy_room = n;
    }
    if (!sb_autumn_hash(h->current.state, false, key)) return false;
    for (size_t draw = 0; draw < n; draw++) {
        bool is_busy;
        if (!probe(h, draw, key, &is_busy)) return false;
        if (is_busy) h->busy[h->n_busy++] = (uint32_t)draw;
    }
    return true;
}

/* Tries all values of a draw, and keeps what is no worse. */
static bool sweep_draw(sb_hypotheses *h, size_t draw) {
    const uint32_t below = draw < h->current.tape.n ? h->current.tape.draws[draw].below : 0;
    const uint32_t first = below ? (uint32_t)sb_integers(&h->rng, 0, below) : 0;
    for (uint32_t k = 0; k < below && k < VALUES && h->current.wrong && !is_spent(h); k++) {
        const uint32_t value = (first + k) % below;
        if (draw >= h->current.tape.n) break;
        if (value == h->current.tape.draws[draw].result) continue;
        if (!play_other(h, draw, value, h->current.wrong)) return false;
        const bool is_better = h->next.wrong < h->current.wrong;
        const bool is_as_good = h->next.wrong == h->current.wrong && h->next.wrong != UNSEEN;
        if (is_better || (is_as_good && sb_next64(&h->rng) % 4 == 0)) exchange(&h->current, &h->next);
    }
    return true;
}

/* Goes through all draws, or those that change something, as long as that makes it better. */
static bool sweep(sb_hypotheses *h, bool all) {
    for (uint32_t before = UNSEEN; h->current.wrong && h->current.wrong < before;) {
        before = h->current.wrong;
        for (size_t k = 0; k < (all ? h->current.tape.n : h->n_busy) && h->current.wrong; k++)
            if (!sweep_draw(h, all ? k : h->busy[k])) return false;
    }
    return true;
}

static void draw_anew(sb_hypotheses *h) {
    h->current.tape.n = 0;
    play(h, &h->current, UNSEEN - 1);
}

/* ---- Walking ----------------------------------------------------------------------------------------------------- */

/* Returns a draw, mostly one that changes something. */
static size_t any_draw(sb_hypotheses *h) {
    const size_t n = h->current.tape.n;
    const size_t draw = h->n_busy && sb_next64(&h->rng) % 16 ? h->busy[sb_integers(&h->rng, 0, (int64_t)h->n_busy)] : n;
    return draw < n ? draw : (size_t)sb_integers(&h->rng, 0, (int64_t)n);
}

/* Changes one draw of the current start, or two. */
static bool propose(sb_hypotheses *h) {
    const int changes = sb_next64(&h->rng) % 3 ? 1 : 2;
    const size_t n = h->current.tape.n;
    uint32_t most = h->current.wrong;
    if (!copy_tape(&h->next.tape, &h->current.tape)) return false;
    for (int i = 0; i < changes; i++) {
        struct sb_autumn_draw *draw = &h->next.tape.draws[any_draw(h)];
        draw->result = (uint32_t)sb_integers(&h->rng, 0, draw->below);
    }
    while (most < UNSEEN - 1 && sb_random(&h->rng) < h->leap) most++;
    play(h, &h->next, most);
    if (h->next.wrong == UNSEEN) return true;
    for (int i = 0; i < changes && h->next.tape.n > n; i++)
        if (sb_random(&h->rng) * (double)h->next.tape.n >= (double)n) return true;
    return exchange(&h->current, &h->next), true;
}

static bool find(sb_hypotheses *h) {
    static const double warmths[] = {0.5, 0.65, 0.3};
    for (int i = 0; i < RESTARTS && h->current.wrong && !is_spent(h); i++) {
        if (h->current.wrong == UNSEEN || (i % 5 == 0 && i)) draw_anew(h);
        if (i % 5 == 0 && !probe_all(h)) return false;
        if (!sweep(h, false) || (h->current.wrong > 2 * TYPE_WRONG && !sweep(h, true))) return false;
        h->leap = warmths[i % 3];
        for (int k = 1; k <= COOLING && h->current.tape.n && h->current.wrong && !is_spent(h); k++) {
            if (!propose(h)) return false;
        }
    }
    return true;
}

/* ---- The set ----------------------------------------------------------------------------------------------------- */

static bool add_weight(sb_hypotheses *h, const uint64_t key[2], uint32_t weight) {
    for (size_t i = 0; i < h->n; i++) {
        if (memcmp(h->all[i].key, key, sizeof h->all[i].key) != 0) continue;
        h->all[i].weight += weight, h->weight += weight;
        return true;
    }
    return false;
}

/* Adds the current start, which fits. */
static bool keep(sb_hypotheses *h, uint32_t weight) {
    uint64_t key[2];
    if (!sb_autumn_hash(h->current.state, false, key)) return false;
    if (add_weight(h, key, weight) || h->n == SAMPLES) return true;
    sb_autumn_hypothesis *to = &h->all[h->n];
    if (!to->state && !(to->state = sb_autumn_new(h->program))) return false;
    memcpy(to->key, key, sizeof to->key);
    to->weight = weight, h->weight += weight;
    if (!sb_autumn_copy(to->state, h->current.state) || !copy_tape(&to->tape, &h->current.tape)) return false;
    return h->n++, true;
}

/* Makes one of the hypotheses that are left the current start. */
static bool choose_current(sb_hypotheses *h) {
    uint32_t at = (uint32_t)sb_integers(&h->rng, 0, h->weight);
    size_t i = 0;
    while (at >= h->all[i].weight) at -= h->all[i++].weight;
    h->current.wrong = 0;
    return sb_autumn_copy(h->current.state, h->all[i].state) && copy_tape(&h->current.tape, &h->all[i].tape);
}

/* Goes to another start that fits, or stays: through some that do not fit, so that it gets to those between which no
 * single change leads. Ways there and back are equally likely. Returns false if memory is out. */
static bool wander(sb_hypotheses *h, int *proposals) {
    const uint64_t detour = sb_next64(&h->rng) % DETOURS;
    bool is_away = false;
    h->leap = detours[detour].leap;
    for (int k = 0; k < detours[detour].proposals; k++) {
        ++*proposals;
        if (!is_away && !copy_tape(&h->origin.tape, &h->current.tape)) return false;
        if (!is_away && !sb_autumn_copy(h->origin.state, h->current.state)) return false;
        if (!propose(h)) return false;
        if (!h->current.wrong) return true;
        is_away = true;
    }
    h->origin.wrong = 0;
    return exchange(&h->current, &h->origin), true;
}

/* Walks until there are enough hypotheses, from a current start that fits. */
static bool walk(sb_hypotheses *h) {
    if (!h->current.tape.n) return keep(h, SAMPLES);
    if (!probe_all(h)) return false;
    for (int k = 0; k < PROPOSALS && !is_spent(h);) {
        const bool is_short = h->n_views == 1 && h->n < FEW && k < PROPOSALS / 2;
        if (h->weight >= SAMPLES && !is_short) break;
        for (const int until = k + THINNED; k < until;)
            if (!wander(h, &k)) return false;
        if (!keep(h, 1)) return false;
    }
    return true;
}

static bool fill(sb_hypotheses *h) {
    if (h->weight >= SAMPLES / 2) return true;
    if (h->n ? !choose_current(h) : !find(h)) return false;
    if (h->current.wrong) return true;
    return (h->n || keep(h, 1)) && walk(h);
}

/* ---- Step by step ------------------------------------------------------------------------------------------------ */

bool sb_hypotheses_begin(sb_hypotheses *h, const sb_autumn_state *start, uint64_t seed, sb_budget *budget) {
    sb_rng_seed(&h->rng, seed, NULL);
    h->n = h->n_views = 0, h->weight = 0, h->budget = budget;
    h->current.wrong = UNSEEN;
    return note_view(h, start) && fill(h);
}

/* Takes the step in a hypothesis, whose state before it is in `origin`, with the draws on its tape from `drawn` on and
 * then others; returns by how much the state shows what was not shown. */
static uint32_t take_step(sb_hypotheses *h, sb_autumn_hypothesis *it, size_t drawn) {
    const size_t last = h->n_views - 1;
    it->tape.used = drawn;
    if (!sb_autumn_copy(it->state, h->origin.state)) return UNSEEN;
    const bool ok = sb_autumn_step(it->state, h->events[last - 1], &it->tape);
    count(h, it->state);
    it->tape.n = it->tape.used;
    if (!ok || is_over(it->state)) return UNSEEN;
    memset(h->wrong, 0, h->wrong_room);
    return mismatches(h, it->state, &h->views[last]);
}

/* Tries all values of one draw of the step, and keeps the best. */
static uint32_t mend_draw(sb_hypotheses *h, sb_autumn_hypothesis *it, size_t drawn, size_t draw, uint32_t wrong) {
    const uint32_t below = it->tape.draws[draw].below;
    uint32_t best = it->tape.draws[draw].result;
    for (uint32_t value = 0; value < below && value < VALUES; value++) {
        if (value == best) continue;
        it->tape.draws[draw].result = value;
        const uint32_t now = take_step(h, it, drawn);
        if (!now) return 0;
        if (now < wrong) wrong = now, best = value;
    }
    it->tape.draws[draw].result = best;
    return take_step(h, it, drawn);
}

/* Looks for draws of the step after which the hypothesis shows what was shown. */
static bool redraw_step(sb_hypotheses *h, sb_autumn_hypothesis *it, size_t drawn) {
    uint32_t wrong = UNSEEN;
    for (int i = 0; i < REDRAWS && wrong && !is_spent(h); i++) {
        it->tape.n = drawn;
        wrong = take_step(h, it, drawn);
        for (size_t k = drawn; wrong && k < it->tape.n; k++) wrong = mend_draw(h, it, drawn, k, wrong);
    }
    return !wrong;
}

/* Takes the step in a hypothesis; false: it does not show what was shown, whatever the step draws. */
static bool still_fits(sb_hypotheses *h, sb_autumn_hypothesis *it, sb_autumn_event event, const sb_autumn_view *shown) {
    const size_t drawn = it->tape.n;
    if (h->draws && !sb_autumn_copy(h->origin.state, it->state)) return false;
    const bool ok = sb_autumn_step(it->state, event, &it->tape);
    count(h, it->state);
    const bool fits = ok && !is_over(it->state) && sb_autumn_look(&h->work, it->state) && h->work.hash == shown->hash;
    if (!fits && !(it->tape.n > drawn && h->n < REDRAWN && redraw_step(h, it, drawn))) return false;
    return sb_autumn_hash(it->state, false, it->key);
}

/* Where no hypothesis is left, the search begins with the one that was least wrong. */
static bool note_least_wrong(sb_hypotheses *h, size_t n) {
    h->current.wrong = UNSEEN;
    for (size_t i = 0; i < n && i < TRIED; i++) {
        if (!copy_tape(&h->next.tape, &h->all[i].tape)) return false;
        play(h, &h->next, h->current.wrong - 1);
        if (h->next.wrong < h->current.wrong) exchange(&h->current, &h->next);
    }
    return true;
}

bool sb_hypotheses_go_on(sb_hypotheses *h, sb_autumn_event event, const sb_autumn_state *shown, sb_budget *budget) {
    const size_t n = h->n;
    h->budget = budget;
    if (!note_view(h, shown)) return false;
    h->events[h->n_views - 2] = event;
    h->n = 0, h->weight = 0;
    for (size_t i = 0; i < n; i++) {
        const sb_autumn_hypothesis it = h->all[i];
        if (!still_fits(h, &h->all[i], event, &h->views[h->n_views - 1])) continue;
        if (add_weight(h, h->all[i].key, it.weight)) continue;
        const sb_autumn_hypothesis kept = h->all[i];
        h->all[i] = h->all[h->n], h->all[h->n++] = kept;
        h->weight += kept.weight;
    }
    if (!h->n && !note_least_wrong(h, n)) return false;
    return fill(h);
}

const sb_autumn_hypothesis *sb_hypothesis_at(const sb_hypotheses *h, size_t index) {
    return index < h->n ? &h->all[index] : NULL;
}

const sb_autumn_view *sb_hypotheses_view(const sb_hypotheses *h) { return &h->views[h->n_views - 1]; }

sb_rng *sb_hypotheses_rng(sb_hypotheses *h) { return &h->rng; }
