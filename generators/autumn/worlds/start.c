#include "generators/autumn/worlds/start.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

/* ---- One attempt ------------------------------------------------------------------------------------------------- */

static const sb_autumn_difficulty *difficulty_of(const sb_autumn_compiled *world) {
    return &sb_autumn_world_of(world->program)->difficulties[world->difficulty];
}

/* The seed of a draw does not depend on the text of the world, so an edit of a comment changes no start. */
static uint64_t seed_of(const sb_autumn_compiled *world, uint64_t seed, uint32_t attempt) {
    char text[128];
    uint8_t digest[32];
    uint64_t made = 0;
    const int n = snprintf(text, sizeof text, "world:%s/%s#%llu/%u", sb_autumn_world_of(world->program)->name,
                           difficulty_of(world)->word, (unsigned long long)seed, attempt);
    sb_blake2b_of(text, (size_t)n, digest);
    for (int i = 0; i < 8; i++) made |= (uint64_t)digest[i] << 8 * i;
    return made;
}

bool sb_world_draw(const sb_autumn_compiled *world, uint64_t seed, uint32_t attempt, sb_autumn_state *state) {
    return sb_autumn_start(state, SB_AUTUMN_PCG64, seed_of(world, seed, attempt), NULL);
}

static uint64_t allowed_for(const sb_world_starts *starts) {
    return starts->allowed ? starts->allowed : SB_WORLD_EVALUATIONS;
}

static bool is_used_up(const sb_world_starts *starts) { return starts->evaluations >= allowed_for(starts); }

static bool search(sb_world_solver *solver, const sb_autumn_state *state, sb_world_question question,
                   sb_world_starts *starts, sb_world_answer *answer, sb_error *error) {
    *answer = (sb_world_answer){.verdict = SB_NOT_FOUND};
    if (is_used_up(starts)) return true;
    question.evaluations = allowed_for(starts) - starts->evaluations;
    if (!sb_world_solve(solver, state, &question, answer))
        return sb_fail(error, SB_MEMORY, "out of memory for a search over %llu states",
                       (unsigned long long)question.limit);
    starts->states += answer->states, starts->evaluations += answer->evaluations;
    return true;
}

/* Whether the shortest play has the length that the difficulty demands. */
static bool has_solution(const sb_autumn_difficulty *d, sb_world_solver *solver, const sb_autumn_state *state,
                         sb_world_starts *starts, bool *is_right, sb_error *error) {
    const sb_world_question question = {.limit = d->search, .max_steps = d->most, .trusts_bound = true};
    sb_world_answer *const answer = &starts->answer;
    if (!search(solver, state, question, starts, answer, error)) return false;
    *is_right = answer->verdict == SB_SOLVED && answer->is_shortest && answer->steps >= d->least;
    const bool is_cut = answer->verdict == SB_NOT_FOUND || (answer->verdict == SB_SOLVED && !answer->is_shortest);
    if (!*is_right) starts->refused[is_cut ? SB_WORLD_LIMIT : SB_WORLD_SOLUTION]++;
    return true;
}

/* Whether the start cannot be won without any one of the actions that it should need. */
static bool needs_all(const sb_autumn_compiled *world, sb_world_solver *solver, const sb_autumn_state *state,
                      sb_world_starts *starts, bool *is_right, sb_error *error) {
    const sb_autumn_world *w = sb_autumn_world_of(world->program);
    const uint64_t limit = difficulty_of(world)->search;
    *is_right = true;
    for (sb_autumn_key key = SB_AUTUMN_LEFT; *is_right && key <= SB_AUTUMN_CLICK; key++) {
        const sb_world_question question = {.limit = limit, .without = key};
        sb_world_answer answer;
        if (!w->needs[key]) continue;
        if (!search(solver, state, question, starts, &answer, error)) return false;
        *is_right = answer.verdict == SB_IMPOSSIBLE;
        if (!*is_right) starts->refused[answer.verdict == SB_SOLVED ? SB_WORLD_NEEDLESS : SB_WORLD_UNDECIDED]++;
    }
    return true;
}

bool sb_world_try(sb_autumn_compiled *world, sb_world_solver *solver, uint64_t seed, uint32_t attempt,
                  sb_autumn_state *state, sb_world_starts *starts, bool *accepted, sb_error *error) {
    const sb_autumn_difficulty *d = difficulty_of(world);
    *accepted = false;
    starts->attempts++;
    const bool drawn = sb_world_draw(world, seed, attempt, state);
    starts->evaluations += sb_autumn_evaluations(state);
    if (!drawn || sb_autumn_size(state) == 0) {
        starts->fault = drawn ? sb_autumn_no_grid : *sb_autumn_fault_of(state), starts->refused[SB_WORLD_FAULT]++;
        return starts->fault.kind != SB_AUTUMN_MEMORY || sb_fail(error, SB_MEMORY, "out of memory for a start");
    }
    const sb_autumn_standing *standing = sb_autumn_standing_of(state);
    if (!standing->starts) return starts->refused[SB_WORLD_CONDITION]++, true;
    if (standing->won || standing->lost) return starts->refused[SB_WORLD_OVER]++, true;
    *accepted = true;
    if (d->has_solution && !has_solution(d, solver, state, starts, accepted, error)) return false;
    return !*accepted || needs_all(world, solver, state, starts, accepted, error);
}

const char *const sb_world_refusal_words[SB_WORLD_N_REFUSALS] = {
    "the program fails",     "`start` is false",      "won or lost at once",     "`solution` does not fit",
    "the search is cut off", "`needs` does not hold", "`needs` is not found out"};

/* ---- Until one is accepted --------------------------------------------------------------------------------------- */

static bool tell_refusals(const sb_autumn_compiled *world, const sb_world_starts *starts, uint64_t seed,
                          sb_error *error) {
    char text[400];
    sb_out out = sb_out_fixed(text, sizeof text);
    const char *comma = "";
    for (int i = 0; i < SB_WORLD_N_REFUSALS; i++) {
        if (!starts->refused[i]) continue;
        sb_putf(&out, "%s%u: %s", comma, starts->refused[i], sb_world_refusal_words[i]);
        comma = ", ";
    }
    if (starts->refused[SB_WORLD_FAULT])
        sb_putf(&out, " (%u:%u: %s)", starts->fault.line, starts->fault.column, starts->fault.text);
    sb_out_finish(&out);
    const char *word = difficulty_of(world)->word;
    return sb_fail(error, SB_INVALID, "%s%s%s#%llu has no start: of %u that were drawn all were refused (%s)%s",
                   sb_autumn_world_of(world->program)->name, *word ? "/" : "", word, (unsigned long long)seed,
                   starts->attempts, text,
                   is_used_up(starts) ? "; more would take too long: make the world smaller, or demand less" : "");
}

/* Searches for starts take long, so accepted attempts are remembered. UINT32_MAX: none is. */
static uint32_t remembered(sb_autumn_compiled *world, uint64_t seed) {
    const sb_autumn_accepted *known = &world->accepted[seed % SB_AUTUMN_ACCEPTED];
    pthread_mutex_lock(&world->mutex);
    const uint32_t attempt = known->is_known && known->seed == seed ? known->attempt : UINT32_MAX;
    pthread_mutex_unlock(&world->mutex);
    return attempt;
}

static void remember(sb_autumn_compiled *world, uint64_t seed, uint32_t attempt) {
    pthread_mutex_lock(&world->mutex);
    world->accepted[seed % SB_AUTUMN_ACCEPTED] = (sb_autumn_accepted){
        .seed = seed, .attempt = attempt, .is_known = true};
    pthread_mutex_unlock(&world->mutex);
}

static bool draw(sb_autumn_compiled *world, uint64_t seed, sb_autumn_state *state, sb_world_starts *starts,
                 sb_error *error) {
    const bool is_searched = sb_autumn_is_searched(sb_autumn_world_of(world->program), world->difficulty);
    sb_world_solver *solver = is_searched ? sb_world_solver_make(world->program) : NULL;
    bool ok = solver || !is_searched || sb_fail(error, SB_MEMORY, "out of memory for a search");
    bool accepted = false;
    for (uint32_t attempt = 0; ok && !accepted && attempt < SB_WORLD_ATTEMPTS && !is_used_up(starts); attempt++) {
        ok = sb_world_try(world, solver, seed, attempt, state, starts, &accepted, error);
        if (accepted) remember(world, seed, attempt);
    }
    sb_world_solver_free(solver);
    return ok && (accepted || tell_refusals(world, starts, seed, error));
}

bool sb_world_start(sb_autumn_compiled *world, uint64_t seed, sb_autumn_state *state, sb_world_starts *starts,
                    sb_error *error) {
    sb_world_starts own = {0};
    const uint32_t attempt = starts ? UINT32_MAX : remembered(world, seed);
    if (attempt == UINT32_MAX) return draw(world, seed, state, starts ? starts : &own, error);
    return sb_world_draw(world, seed, attempt, state) ||
           sb_autumn_fail(sb_autumn_fault_of(state), sb_autumn_world_of(world->program)->name, error);
}
