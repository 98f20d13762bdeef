#include "generators/autumn/worlds/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "generators/autumn/worlds/review_kit.h"

enum {
    REFUSED = 10,    /* starts that were refused, from which plays are made */
    SEARCHED = 20000 /* states of one search for a start whose length nothing demands */
};

static bool no_memory(sb_review_work *w) { return sb_fail(w->error, SB_MEMORY, "out of memory for a review"); }

bool sb_review_may_take(sb_review_work *w, uint64_t evaluations) {
    if (sb_review_left(w) >= evaluations) return true;
    w->facts->is_used_up = true;
    return false;
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

void sb_review_note(const sb_review_work *w, const sb_review_start *start, const sb_out *path,
                    sb_review_witness *witness) {
    const char *word = w->difficulty->word;
    sb_out name = sb_out_fixed(witness->name, sizeof witness->name);
    if (witness->is_there) return;
    witness->is_there = true;
    sb_putf(&name, "%s%s%s#%llu", w->told->name, *word ? "/" : "", word, (unsigned long long)start->seed);
    sb_out_finish(&name);
    sb_out text = sb_out_fixed(witness->path, sizeof witness->path);
    if (path->size && path->size < sizeof witness->path)
        sb_put_any(&text, path->data, path->size);
    else if (path->size)
        sb_put_any(&text, path->data, sizeof witness->path - 4), sb_puts(&text, "...");
    sb_out_finish(&text);
}

static bool is_over(const sb_autumn_state *state) {
    return sb_autumn_standing_of(state)->won || sb_autumn_standing_of(state)->lost;
}

static void watch_cells(sb_review_work *w, const sb_review_start *start, const sb_autumn_state *state,
                        const sb_out *path) {
    const sb_autumn_layer *layers = sb_autumn_layers(state);
    const uint32_t size = sb_autumn_size(state);
    for (size_t i = 0; i < sb_autumn_n_layers(state); i++) {
        const sb_autumn_cell *cells = sb_autumn_cells(state) + layers[i].first;
        w->drawn[layers[i].variable] = true;
        for (uint32_t k = 0; k < layers[i].n; k++)
            if ((uint32_t)cells[k].x >= size || (uint32_t)cells[k].y >= size)
                sb_review_note(w, start, path, &w->left[layers[i].variable]);
    }
}

void sb_review_watch(sb_review_work *w, const sb_review_start *start, sb_autumn_state *state, const sb_out *path) {
    const uint8_t *fired = sb_autumn_fired(state);
    for (size_t i = 0; path->size && i < w->n_handlers; i++) w->fired[i] |= fired[i];
    w->was_lost |= sb_autumn_standing_of(state)->lost;
    watch_cells(w, start, state, path);
    if (!is_over(state)) sb_review_look_at(w, state);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

sb_autumn_event sb_review_random_event(sb_rng *rng, uint32_t size) {
    sb_autumn_event event = {.key = (sb_autumn_key)sb_integers(rng, 0, SB_AUTUMN_CLICK + 1)};
    if (event.key != SB_AUTUMN_CLICK) return event;
    if (!size) return (sb_autumn_event){0};
    event.x = (int32_t)sb_integers(rng, 0, size), event.y = (int32_t)sb_integers(rng, 0, size);
    return event;
}

bool sb_review_step(sb_review_work *w, const sb_review_start *start, sb_autumn_state *state, sb_autumn_event event,
                    sb_out *path) {
    if (path->size) sb_puts(path, ",");
    sb_autumn_put_event(path, event);
    const bool ok = sb_autumn_step(state, event, NULL);
    w->spent += sb_review_cost(state);
    if (ok) return true;
    if (!w->fault_at.is_there) w->fault = *sb_autumn_fault_of(state);
    sb_review_note(w, start, path, &w->fault_at);
    return false;
}

/* ---- Starts ------------------------------------------------------------------------------------------------------ */

static bool keep_start(sb_review_work *w, const sb_autumn_state *state, uint64_t seed) {
    sb_review_start *start = &w->starts[w->n_starts];
    *start = (sb_review_start){.state = sb_autumn_new(w->world.program), .seed = seed};
    if (!start->state || !sb_autumn_copy(start->state, state)) return sb_autumn_free(start->state), no_memory(w);
    w->n_starts++;
    return true;
}

static bool keep_plan(sb_review_work *w, sb_review_start *start, int steps) {
    if (steps > SB_REVIEW_PLAN) return true;
    start->plan = malloc((size_t)(steps ? steps : 1) * sizeof *start->plan);
    if (!start->plan) return no_memory(w);
    start->n_plan = sb_world_plan(w->solver, start->plan, steps);
    return true;
}

/* Finds a shortest play where the acceptance did not. */
static bool solve(sb_review_work *w, sb_review_start *start) {
    sb_world_answer answer;
    const uint64_t limit = w->difficulty->search < SEARCHED ? w->difficulty->search : SEARCHED;
    const sb_world_question question = {.limit = limit, .evaluations = sb_review_left(w), .trusts_bound = true};
    if (!sb_world_solve(w->solver, start->state, &question, &answer)) return no_memory(w);
    w->spent += answer.evaluations;
    w->facts->searched++;
    w->facts->impossible += answer.verdict == SB_IMPOSSIBLE;
    return answer.verdict != SB_SOLVED || !answer.is_shortest || keep_plan(w, start, answer.steps);
}

/* Counts what became of a start that was just drawn. */
static bool count_start(sb_review_work *w, const sb_world_starts *starts, bool accepted, uint64_t seed) {
    const bool cut = starts->refused[SB_WORLD_LIMIT] || starts->refused[SB_WORLD_UNDECIDED];
    const bool undecided = cut && starts->evaluations >= starts->allowed;
    sb_review_facts *f = w->facts;
    w->spent += SB_WORLD_STEP_COST + starts->evaluations;
    f->drawn++;
    f->accepted += accepted;
    f->undecided += undecided;
    for (int i = 0; i < SB_WORLD_N_REFUSALS && !undecided; i++) f->refused[i] += starts->refused[i];
    if (starts->refused[SB_WORLD_FAULT]) w->fault = starts->fault;
    if (starts->refused[SB_WORLD_OVER]) {
        f->won_at_once += sb_autumn_standing_of(w->walker)->won;
        f->lost_at_once += sb_autumn_standing_of(w->walker)->lost;
    }
    if (!accepted && !undecided) return true;
    if (!keep_start(w, w->walker, seed)) return false;
    if (!accepted || !w->difficulty->has_solution) return true;
    f->searched++;
    return starts->states != starts->answer.states || /* other searches came after this one */
           keep_plan(w, &w->starts[w->n_starts - 1], starts->answer.steps);
}

static int compare_steps(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void find_lengths(sb_review_work *w) {
    int32_t steps[SB_REVIEW_STARTS];
    uint32_t n = 0;
    for (size_t i = 0; i < w->n_starts; i++)
        if (w->starts[i].plan) steps[n++] = w->starts[i].n_plan;
    if (!(w->facts->solved = n)) return;
    qsort(steps, n, sizeof *steps, compare_steps);
    w->facts->least = steps[0], w->facts->median = steps[n / 2], w->facts->most = steps[n - 1];
}

/* As many starts are drawn as an episode draws, until one of them is accepted. */
static bool wants_start(const sb_review_work *w, uint64_t drawn) {
    const bool has_none = !w->facts->accepted && !w->facts->undecided;
    return drawn < SB_REVIEW_STARTS || (has_none && drawn < SB_WORLD_ATTEMPTS);
}

bool sb_review_draw(sb_review_work *w) {
    const uint64_t whole = w->limit;
    bool ok = true;
    w->limit = whole / 2; /* the other half of the evaluations is for plays and claims */
    for (uint64_t seed = 0; ok && wants_start(w, seed) && sb_review_may_take(w, 1); seed++) {
        sb_world_starts starts = {.allowed = sb_review_left(w)};
        bool accepted;
        ok = sb_world_try(&w->world, w->solver, seed, 0, w->walker, &starts, &accepted, w->error) &&
             count_start(w, &starts, accepted, seed);
    }
    for (size_t i = 0; ok && i < w->n_starts && sb_review_left(w); i++)
        if (!w->starts[i].plan) ok = solve(w, &w->starts[i]);
    find_lengths(w);
    w->limit = whole;
    return ok;
}

/* ---- Plays ------------------------------------------------------------------------------------------------------- */

static bool begin(sb_review_work *w, const sb_review_start *start, bool by_plan, sb_out *path) {
    sb_out_clear(path);
    w->spot = (sb_review_spot){.start = (uint32_t)(start - w->starts), .by_plan = by_plan};
    if (!sb_autumn_copy(w->walker, start->state)) return no_memory(w);
    sb_review_watch(w, start, w->walker, path);
    return true;
}

static bool play_at_random(sb_review_work *w, const sb_review_start *start, uint64_t limit, sb_out *path) {
    sb_rng rng;
    sb_rng_seed(&rng, start->seed, NULL);
    if (!begin(w, start, false, path)) return false;
    while (w->spot.steps < w->difficulty->steps && !is_over(w->walker)) {
        if (w->spent >= limit) return w->facts->is_used_up = true;
        if (!sb_review_step(w, start, w->walker, sb_review_random_event(&rng, sb_autumn_size(w->walker)), path)) break;
        w->spot.steps++;
        sb_review_watch(w, start, w->walker, path);
    }
    w->facts->plays++, w->n_plays++;
    w->facts->won += sb_autumn_standing_of(w->walker)->won;
    w->facts->lost += sb_autumn_standing_of(w->walker)->lost;
    return true;
}

static bool follow_plan(sb_review_work *w, const sb_review_start *start, sb_out *path) {
    if (!begin(w, start, true, path)) return false;
    for (int i = 0; i < start->n_plan; i++) {
        w->used[start->plan[i].key] = true;
        if (!sb_review_step(w, start, w->walker, start->plan[i], path)) break;
        w->spot.steps++;
        sb_review_watch(w, start, w->walker, path);
    }
    w->n_plans++;
    return true;
}

bool sb_review_play(sb_review_work *w) {
    const uint64_t limit = w->spent + sb_review_left(w) / 2;
    sb_out path = sb_out_growing();
    bool ok = true;
    for (size_t i = 0; ok && i < w->n_starts && w->spent < w->limit; i++)
        if (w->starts[i].plan) ok = follow_plan(w, &w->starts[i], &path);
    for (size_t i = 0; ok && i < w->n_starts && w->spent < limit; i++)
        ok = play_at_random(w, &w->starts[i], limit, &path);
    sb_out_free(&path);
    return ok;
}

bool sb_review_play_refused(sb_review_work *w) {
    sb_out path = sb_out_growing();
    sb_review_facts facts = *w->facts;
    const uint32_t n_plays = w->n_plays;
    bool ok = true;
    for (uint64_t seed = 0; ok && seed < facts.drawn && seed < REFUSED && !w->fault_at.is_there; seed++) {
        if (!sb_world_draw(&w->world, seed, 0, w->walker) || is_over(w->walker)) continue;
        ok = keep_start(w, w->walker, seed) && play_at_random(w, &w->starts[w->n_starts - 1], w->limit, &path);
    }
    *w->facts = facts, w->n_plays = n_plays;
    sb_out_free(&path);
    return ok;
}

/* ---- A difficulty ------------------------------------------------------------------------------------------------ */

static bool open_difficulty(sb_review_work *w, size_t number) {
    const sb_autumn_options options = {.difficulty = number};
    sb_autumn_fault fault;
    w->world = (sb_autumn_compiled){.program = sb_autumn_load(w->text, w->n_text, &options, &fault),
                                    .difficulty = number};
    if (!w->world.program) return sb_autumn_fail(&fault, "program", w->error);
    w->told = sb_autumn_world_of(w->world.program);
    w->difficulty = &w->told->difficulties[number], w->facts = &w->review->facts[number];
    w->solver = sb_world_solver_make(w->world.program);
    w->walker = sb_autumn_new(w->world.program);
    w->n_starts = 0, w->spent = 0;
    sb_review_clear_views(w);
    if (!w->solver || !w->walker) return no_memory(w);
    w->limit = SB_REVIEW_EVALUATIONS / w->told->n_difficulties;
    return true;
}

static void close_difficulty(sb_review_work *w) {
    for (size_t i = 0; i < w->n_starts; i++) sb_autumn_free(w->starts[i].state), free(w->starts[i].plan);
    sb_world_solver_free(w->solver);
    sb_autumn_free(w->walker);
    sb_autumn_unload(w->world.program);
    w->n_starts = 0, w->solver = NULL, w->walker = NULL, w->world.program = NULL;
}

static bool review_difficulty(sb_review_work *w, size_t number) {
    bool ok = open_difficulty(w, number) && sb_review_draw(w) && sb_review_play(w) && sb_review_claims(w) &&
              sb_review_lists(w) && sb_review_twins(w) && sb_review_tell_difficulty(w);
    if (ok && number + 1 == w->told->n_difficulties) sb_review_tell(w); /* while the program is loaded */
    close_difficulty(w);
    return ok;
}

/* ---- The review -------------------------------------------------------------------------------------------------- */

/* Finds the variables of the program whose values may be hidden. */
static void track_variables(sb_review_work *w, const sb_autumn_program *p) {
    for (uint32_t i = 0; i < w->n_variables && w->n_tracked < SB_REVIEW_TRACKED; i++)
        if (sb_autumn_is_read(p, i) && sb_autumn_definition_place(p, i).line) w->tracked[w->n_tracked++] = i;
}

static bool prepare(sb_review_work *w) {
    sb_autumn_fault fault;
    sb_autumn_program *p = sb_autumn_load(w->text, w->n_text, NULL, &fault);
    if (!p) return sb_autumn_fail(&fault, "program", w->error);
    const sb_autumn_world *told = sb_autumn_world_of(p);
    w->review->n_difficulties = told->n_difficulties;
    for (size_t i = 0; i < told->n_difficulties; i++) strcpy(w->review->words[i], told->difficulties[i].word);
    w->n_handlers = sb_autumn_n_handlers(p), w->n_variables = sb_autumn_n_variables(p);
    w->fired = calloc(w->n_handlers + 1, sizeof *w->fired);
    w->drawn = calloc(w->n_variables, sizeof *w->drawn);
    w->left = calloc(w->n_variables, sizeof *w->left);
    w->lists = calloc(w->n_variables, sizeof *w->lists);
    track_variables(w, p);
    sb_autumn_unload(p);
    if (!w->fired || !w->drawn || !w->left || !w->lists) return no_memory(w);
    if (!sb_review_open_looks(w)) return false;
    return sb_au_read(&w->forms, w->text, w->n_text, &fault) || sb_autumn_fail(&fault, "program", w->error);
}

static void clear(sb_review_work *w) {
    free(w->fired), free(w->drawn), free(w->left), free(w->lists);
    sb_review_close_looks(w);
    sb_au_forms_free(&w->forms);
    free(w);
}

sb_review *sb_review_make(const char *text, size_t n, sb_error *error) {
    sb_review *review = calloc(1, sizeof *review);
    sb_review_work *w = calloc(1, sizeof *w);
    if (!review || !w) return free(review), free(w), sb_fail(error, SB_MEMORY, "out of memory for a review"), NULL;
    w->text = text, w->n_text = n, w->review = review, w->error = error;
    bool ok = prepare(w);
    for (size_t i = 0; ok && i < review->n_difficulties; i++) ok = review_difficulty(w, i);
    clear(w);
    if (ok) return review;
    return free(review), NULL;
}
