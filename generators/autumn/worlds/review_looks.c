/* States that look alike: in which variables they differ, and whether they need different actions. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "generators/autumn/worlds/review_kit.h"
#include "generators/autumn/worlds/tell.h"

enum {
    LOOKS = 1 << 14,      /* most states whose looks are compared */
    LOOKED_SIDE_MAX = 64, /* longest side of a grid whose looks are compared */
    TWIN_SEARCH = 5000,   /* states of a search from a state that looks like another one */
    TWIN_SHARE = 4        /* searches from twins may take one of so many shares of the evaluations that are left */
};

const char *const sb_review_view_words[SB_REVIEW_VIEWS] = {
    [SB_REVIEW_FRAME] = "`frame`", [SB_REVIEW_MAP] = "`ascii`", [SB_REVIEW_SENTENCES] = "`language`"};

static bool no_memory(sb_review_work *w) { return sb_fail(w->error, SB_MEMORY, "out of memory for a review"); }

bool sb_review_open_looks(sb_review_work *w) {
    bool ok = (w->looks = calloc(2 * (size_t)LOOKS, sizeof *w->looks)) &&
              (w->contents = malloc(w->n_variables * sizeof *w->contents));
    for (int i = 0; i < SB_REVIEW_VIEWS; i++)
        ok = ok && (w->views[i].seen = calloc(2 * (size_t)LOOKS, sizeof *w->views[i].seen));
    return ok || no_memory(w);
}

void sb_review_close_looks(sb_review_work *w) {
    for (int i = 0; i < SB_REVIEW_VIEWS; i++) free(w->views[i].seen);
    free(w->looks), free(w->contents);
}

void sb_review_clear_views(sb_review_work *w) {
    for (int i = 0; i < SB_REVIEW_VIEWS; i++) {
        memset(w->views[i].seen, 0, 2 * (size_t)LOOKS * sizeof *w->views[i].seen);
        w->views[i].n_seen = 0, w->views[i].n_twins = 0;
        sb_rng_seed(&w->views[i].rng, 0, NULL);
    }
}

/* ---- Variables --------------------------------------------------------------------------------------------------- */

/* The place of a frame among the looks: its own, or a free one. */
static sb_review_look *look_of(const sb_review_work *w, const uint64_t frame[2]) {
    size_t i = frame[0] & (2 * LOOKS - 1);
    while ((w->looks[i].frame[0] || w->looks[i].frame[1]) &&
           memcmp(w->looks[i].frame, frame, sizeof w->looks[i].frame) != 0)
        i = (i + 1) & (2 * LOOKS - 1);
    return &w->looks[i];
}

/* Notes in which variables the state differs from another one with the same frame. */
static void compare_variables(sb_review_work *w, const uint64_t frame[2]) {
    if (w->n_looks == LOOKS) return;
    sb_review_look *look = look_of(w, frame);
    const bool is_known = look->frame[0] || look->frame[1];
    for (size_t i = 0; is_known && i < w->n_tracked; i++) w->hides[i] |= look->variables[i] != w->values[i];
    if (is_known) return;
    memcpy(look->frame, frame, sizeof look->frame);
    memcpy(look->variables, w->values, sizeof look->variables);
    w->n_looks++;
}

/* ---- Twins ------------------------------------------------------------------------------------------------------- */

/* Keeps a twin, perhaps in place of another one. */
static void add_twin(const sb_review_work *w, sb_review_view *view, sb_review_spot other) {
    size_t place = view->n_twins++;
    if (place >= SB_REVIEW_TWINS) place = (size_t)sb_integers(&view->rng, 0, (int64_t)view->n_twins);
    if (place < SB_REVIEW_TWINS) view->twins[place] = (sb_review_twin){other, w->spot};
}

/* Keeps the state as the first that looks so, or as the twin of another one. */
static void compare_with_seen(const sb_review_work *w, sb_review_view *view, const uint64_t shown[2]) {
    uint64_t state[2];
    size_t i = shown[0] & (2 * LOOKS - 1);
    if (view->n_seen == LOOKS) return;
    sb_hash128(w->values, w->n_tracked * sizeof *w->values, state);
    while (view->seen[i].is_there && memcmp(view->seen[i].shown, shown, sizeof view->seen[i].shown) != 0)
        i = (i + 1) & (2 * LOOKS - 1);
    sb_review_seen *seen = &view->seen[i];
    if (!seen->is_there) {
        *seen = (sb_review_seen){{shown[0], shown[1]}, {state[0], state[1]}, w->spot, true};
        view->n_seen++;
    } else if (memcmp(seen->state, state, sizeof state) != 0) {
        add_twin(w, view, seen->spot);
    }
}

static void hash_frame(const sb_autumn_state *state, uint64_t hash[2]) {
    uint32_t frame[LOOKED_SIDE_MAX * LOOKED_SIDE_MAX];
    const size_t size = sb_autumn_size(state);
    sb_autumn_frame(state, frame);
    sb_hash128(frame, size * size * sizeof *frame, hash);
}

static bool hash_text(sb_review_work *w, sb_autumn_state *state, void (*put)(const sb_autumn_episode *, sb_out *),
                      uint64_t hash[2]) {
    const sb_autumn_task task = {.world = w->told};
    const sb_autumn_episode episode = {.compiled = &w->world, .task = &task, .state = state};
    sb_out text = sb_out_growing();
    put(&episode, &text);
    sb_hash128(text.data, text.size, hash);
    const bool ok = sb_out_ok(&text);
    sb_out_free(&text);
    return ok;
}

void sb_review_look_at(sb_review_work *w, sb_autumn_state *state) {
    uint64_t shown[2];
    sb_review_view *v = w->views;
    if (sb_autumn_size(state) > LOOKED_SIDE_MAX || !sb_autumn_hash_contents(state, w->contents)) return;
    for (size_t i = 0; i < w->n_tracked; i++) w->values[i] = w->contents[w->tracked[i]];
    hash_frame(state, shown);
    compare_variables(w, shown);
    compare_with_seen(w, &v[SB_REVIEW_FRAME], shown);
    if (hash_text(w, state, sb_autumn_put_map, shown)) compare_with_seen(w, &v[SB_REVIEW_MAP], shown);
    if (hash_text(w, state, sb_autumn_put_words, shown)) compare_with_seen(w, &v[SB_REVIEW_SENTENCES], shown);
}

/* ---- Which actions twins need ------------------------------------------------------------------------------------ */

/* One of two states that look alike. */
typedef struct half {
    const sb_review_start *start;
    sb_autumn_state *state;
    sb_out path;           /* actions that led to the state */
    int steps;             /* steps of a shortest play */
    sb_autumn_event first; /* first event of a shortest play */
} half;

static bool search(sb_review_work *w, const sb_autumn_state *state, int max_steps, sb_world_answer *answer) {
    const sb_world_question question = {.limit = TWIN_SEARCH,
                                        .evaluations = sb_review_left(w) / 4 + 1,
                                        .max_steps = max_steps,
                                        .trusts_bound = !w->bound_refuted.is_there};
    if (!sb_world_solve(w->solver, state, &question, answer)) return no_memory(w);
    w->spent += answer->evaluations;
    return true;
}

/* Plays to a state again, unless that takes too long; then nothing is left. */
static bool go_to(sb_review_work *w, sb_review_spot spot, half *h) {
    sb_rng rng;
    h->start = &w->starts[spot.start];
    sb_out_clear(&h->path);
    sb_rng_seed(&rng, h->start->seed, NULL);
    if (!sb_autumn_copy(h->state, h->start->state)) return no_memory(w);
    for (int32_t i = 0; i < spot.steps && sb_review_left(w); i++) {
        const sb_autumn_event event = spot.by_plan ? h->start->plan[i]
                                                   : sb_review_random_event(&rng, sb_autumn_size(h->state));
        sb_review_step(w, h->start, h->state, event, &h->path);
    }
    return true;
}

/* Finds a shortest play; `steps` is 0 where there is none, or none was found. */
static bool find_first(sb_review_work *w, half *h) {
    sb_world_answer answer;
    if (!search(w, h->state, 0, &answer)) return false;
    const bool found = answer.verdict == SB_SOLVED && answer.is_shortest && sb_world_plan(w->solver, &h->first, 1) > 0;
    h->steps = found ? answer.steps : 0;
    return true;
}

/* Whether a shortest play may begin with this event. What is not found out counts as yes. */
static bool may_begin(sb_review_work *w, const half *h, sb_autumn_event event, bool *may) {
    sb_world_answer answer;
    if (!sb_autumn_copy(w->walker, h->state)) return no_memory(w);
    const bool steps = sb_autumn_step(w->walker, event, NULL);
    const sb_autumn_standing *standing = sb_autumn_standing_of(w->walker);
    *may = steps && standing->won;
    if (!steps || standing->won || standing->lost || h->steps == 1) return true;
    if (!search(w, w->walker, h->steps - 1, &answer)) return false;
    *may = answer.verdict != SB_IMPOSSIBLE;
    return true;
}

/* Whether one event begins shortest plays from both: one of the keys, or what the plays that were found begin with. */
static bool have_common(sb_review_work *w, const half h[2], bool *common) {
    sb_autumn_event events[SB_AUTUMN_CLICK + 2] = {h[0].first, h[1].first};
    for (sb_autumn_key key = SB_AUTUMN_NOOP; key < SB_AUTUMN_CLICK; key++) events[2 + key].key = key;
    *common = false;
    for (size_t i = 0; i < sizeof events / sizeof *events && !*common; i++)
        if (!may_begin(w, &h[0], events[i], common) || (*common && !may_begin(w, &h[1], events[i], common)))
            return false;
    return true;
}

static void put_half(const sb_review_work *w, const half *h, sb_out *out) {
    sb_review_witness witness = {0};
    sb_review_note(w, h->start, &h->path, &witness);
    sb_putf(out, "%s%s%s", witness.name, *witness.path ? " after " : " at its start", witness.path);
}

static void note_difference(sb_review_work *w, const sb_review_view *view, const half h[2]) {
    sb_out out = sb_out_fixed(w->review->needs, sizeof w->review->needs);
    if (*w->review->needs) return;
    sb_putf(&out, "%s shows ", sb_review_view_words[view - w->views]);
    put_half(w, &h[0], &out), sb_puts(&out, " and "), put_half(w, &h[1], &out);
    sb_puts(&out, " alike, but shortest plays go on with `"), sb_autumn_put_event(&out, h[0].first);
    sb_puts(&out, "` and `"), sb_autumn_put_event(&out, h[1].first), sb_puts(&out, "`");
    sb_out_finish(&out);
}

static bool judge(sb_review_work *w, sb_review_view *view, const sb_review_twin *twin, half h[2]) {
    bool common = true;
    if (!go_to(w, twin->a, &h[0]) || !go_to(w, twin->b, &h[1])) return false;
    if (!find_first(w, &h[0]) || !find_first(w, &h[1])) return false;
    if (!h[0].steps || !h[1].steps || !sb_review_left(w)) return true;
    if (!have_common(w, h, &common)) return false;
    w->review->n_twins++;
    view->is_proven = !common;
    if (view->is_proven) note_difference(w, view, h);
    return true;
}

static bool judge_view(sb_review_work *w, sb_review_view *view, half h[2]) {
    const size_t n = view->n_twins < SB_REVIEW_TWINS ? view->n_twins : SB_REVIEW_TWINS;
    for (size_t i = 0; i < n && !view->is_proven && sb_review_left(w); i++)
        if (!judge(w, view, &view->twins[i], h)) return false;
    return true;
}

/* Shortest plays know what steps will draw, so where steps draw they say nothing of what a player needs. */
bool sb_review_twins(sb_review_work *w) {
    if (sb_autumn_draws_in_steps(w->world.program)) return true;
    const uint64_t whole = w->limit;
    w->limit = w->spent + sb_review_left(w) / TWIN_SHARE;
    half h[2] = {{.state = sb_autumn_new(w->world.program), .path = sb_out_growing()},
                 {.state = sb_autumn_new(w->world.program), .path = sb_out_growing()}};
    bool ok = (h[0].state && h[1].state) || no_memory(w);
    for (int i = 0; ok && i < SB_REVIEW_VIEWS; i++) ok = judge_view(w, &w->views[i], h);
    for (int i = 0; i < 2; i++) sb_autumn_free(h[i].state), sb_out_free(&h[i].path);
    w->limit = whole;
    return ok;
}
