#include "evaluation/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "engine/contract.h"

/* ---- Results ---- */

void sb_results_free(sb_results *results) {
    for (size_t i = 0; i < results->n; i++) sb_tape_clear(&results->episodes[i].tape);
    free(results->episodes);
    cJSON_Delete(results->head);
    free(results->selection);
    free(results->told), free(results->about);
    sb_eval_budget_free(&results->budget);
    *results = (sb_results){0};
}

bool sb_results_begin(sb_results *results, const sb_selection *selection, const sb_plays *plays, const char *label,
                      sb_agent_kind kind, sb_error *error) {
    const size_t n = sb_plays_count(plays, selection->n);
    *results = (sb_results){.catalogue = selection->catalogue, .kind = kind, .plays = *plays, .room = n};
    sb_copy_plain(results->agent, sizeof results->agent, label);
    if (n == 0 && selection->n)
        return sb_fail(error, SB_INVALID, "part %zu of %zu has no episodes: only %zu are selected", plays->part.number,
                       plays->part.of, selection->n);
    results->episodes = calloc(n + 1, sizeof *results->episodes);
    return results->episodes || sb_fail(error, SB_MEMORY, "out of memory for the results of %zu episodes", n);
}

bool sb_results_tell_about(sb_results *results, const char *about, sb_error *error) {
    if (about) results->about = strdup(about);
    return results->about || !about || sb_fail(error, SB_MEMORY, "out of memory for what is told about an agent");
}

void sb_results_plan(sb_results *results, sb_eval_budget_plan *plan) {
    results->budget = *plan;
    *plan = (sb_eval_budget_plan){0};
}

void sb_results_cut(sb_results *results, size_t place) {
    for (size_t i = place; i < results->n; i++) {
        sb_tape_clear(&results->episodes[i].tape);
        results->episodes[i] = (sb_played){0};
    }
    if (results->n > place) results->n = place;
}

/* Moves an episode to its place, in place of one that was there. */
static void put(sb_results *results, size_t place, sb_played *played) {
    sb_played *at = &results->episodes[place];
    sb_tape *tape = &played->tape;
    sb_action *actions = realloc(tape->actions, (tape->n + 1) * sizeof *actions);
    if (actions) tape->actions = actions, tape->capacity = tape->n + 1;
    sb_tape_clear(&at->tape);
    *at = *played;
    at->done = true;
    sb_plays_at(&results->plays, place, &at->attempt);
    *played = (sb_played){0};
    if (results->n <= place) results->n = place + 1;
}

void sb_results_put(sb_results *results, size_t place, sb_tape *tape, const sb_failure *failure) {
    sb_played played = {.tape = *tape, .failure = *failure, .spent = sb_said_total(&tape->said)};
    put(results, place, &played);
    *tape = (sb_tape){0};
}

bool sb_has_family(const sb_results *results, const sb_family *family) {
    for (size_t i = 0; i < results->n; i++)
        if (strcmp(results->episodes[i].tape.name.family, family->name) == 0) return true;
    return false;
}

size_t sb_results_done(const sb_results *results) {
    size_t done = 0;
    for (size_t i = 0; i < results->n; i++) done += results->episodes[i].done;
    return done;
}

size_t sb_results_lost(const sb_results *results) {
    size_t lost = 0;
    for (size_t i = 0; i < results->n; i++) lost += sb_is_lost(&results->episodes[i]);
    return lost;
}

bool sb_results_are_older(const sb_results *results) { return results->version && results->version < 3; }

/* ---- A run, which all workers share ---- */

typedef struct run {
    const sb_evaluation *evaluation;
    sb_results *results;
    size_t end;   /* number of places, from the first on, that are to be played, as far as is known */
    size_t *left; /* the places before `end` that are still to play */
    size_t n_left;
    pthread_mutex_t mutex; /* protects the members below it, and whatever keeps episodes */
    size_t next;           /* index in `left` of the next place, for agents that play several episodes at a time */
    size_t done;
    sb_run_watch watch;
} run;

static bool begin(run *r, sb_error *error) {
    const sb_results *results = r->results;
    r->left = malloc((results->room + 1) * sizeof *r->left);
    if (!r->left) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", results->room);
    for (size_t i = 0; i < results->room; i++) sb_run_count_before(&r->watch, &results->episodes[i]);
    return true;
}

/* Lists the places that are still to play: of all places or, under a budget, of those that are known to be needed. */
static bool list_left(run *r, sb_error *error) {
    sb_results *results = r->results;
    r->end = results->room;
    if (r->evaluation->due && !r->evaluation->due(results, &r->end, error)) return false;
    r->next = r->n_left = r->done = 0;
    for (size_t i = 0; i < r->end; i++) {
        if (!results->episodes[i].done) r->left[r->n_left++] = i;
        r->done += results->episodes[i].done;
    }
    return true;
}

/* Whether another episode may begin. */
static bool may_begin(run *r, sb_error *error) {
    pthread_mutex_lock(&r->mutex);
    const bool ok = sb_run_goes_on(&r->watch, error);
    pthread_mutex_unlock(&r->mutex);
    return ok;
}

/* Notes an episode that was played, at once, so that whatever ends the run does not lose it. */
static bool finish(run *r, size_t place, sb_played *played, sb_error *error) {
    const sb_evaluation *e = r->evaluation;
    bool ok = true;
    sb_plays_at(&e->plays, place, &played->attempt);
    played->spent = sb_said_total(&played->tape.said);
    pthread_mutex_lock(&r->mutex);
    if (e->keep) ok = e->keep(e->keeper, place, played, error);
    if (!ok && r->watch.why.code == SB_OK) r->watch.why = *error;
    r->done++;
    sb_run_count(&r->watch, played);
    put(r->results, place, played);
    if (e->progress) e->progress(e->context, r->done, r->end);
    pthread_mutex_unlock(&r->mutex);
    return ok;
}

/* ---- Playing one by one ---- */

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    run *r = context;
    sb_agent_worker *contestant = scratch;
    sb_played played = {0};
    sb_name name;
    uint32_t attempt;
    (void)slot;
    if (!may_begin(r, error)) return false;
    const size_t episode = sb_plays_at(&r->evaluation->plays, r->left[index], &attempt);
    sb_selection_name(r->evaluation->selection, episode, &name);
    if (!sb_agent_worker_play(contestant, r->evaluation->agent, &name, attempt, &played.failure, error)) return false;
    played.tape = contestant->worker.tape;
    contestant->worker.tape = (sb_tape){0};
    return finish(r, r->left[index], &played, error);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    const sb_evaluation *e = ((run *)context)->evaluation;
    (void)index, (void)slot;
    return !e->goes_on || e->goes_on(e->context, error);
}

static bool play_one_by_one(run *r, sb_error *error) {
    const sb_pool pool = {.workers = r->evaluation->jobs,
                          .context = r,
                          .work = work,
                          .take = take,
                          .scratch_size = sizeof(sb_agent_worker),
                          .free_scratch = sb_agent_worker_free};
    return sb_pool_run(&pool, r->n_left, error);
}

/* ---- Playing several at a time ---- */

static bool give_next(void *context, sb_round_episode *episode, bool *none, sb_error *error) {
    run *r = context;
    const sb_evaluation *e = r->evaluation;
    const bool stopped = !may_begin(r, error); /* what has begun is played to its end all the same */
    pthread_mutex_lock(&r->mutex);
    *none = stopped || r->next == r->n_left;
    if (!*none) episode->place = r->left[r->next++];
    pthread_mutex_unlock(&r->mutex);
    if (!*none)
        sb_selection_name(e->selection, sb_plays_at(&e->plays, episode->place, &episode->attempt), &episode->name);
    return true;
}

static bool take_done(void *context, const sb_round_episode *episode, sb_tape *tape, const sb_slot *slot,
                      sb_error *error) {
    run *r = context;
    const sb_evaluation *e = r->evaluation;
    sb_played played = {.tape = *tape, .failure = slot->failure};
    return finish(r, episode->place, &played, error) && (!e->goes_on || e->goes_on(e->context, error));
}

static bool play_in_rounds(run *r, sb_error *error) {
    const sb_evaluation *e = r->evaluation;
    const sb_round_feed feed = {r, give_next, take_done};
    if (!sb_agent_play_rounds(e->agent, r->n_left, e->jobs, &feed, error)) return false;
    *error = r->watch.why;
    return r->watch.why.code == SB_OK;
}

/* ---- The evaluation ---- */

bool sb_evaluation_begin(const sb_evaluation *evaluation, sb_results *results, sb_error *error) {
    const sb_agent *agent = evaluation->agent;
    if (!sb_results_begin(results, evaluation->selection, &evaluation->plays, agent->label, agent->kind, error))
        return false;
    results->sees = agent->plugin.kind;
    results->frames = agent->rules.slots.testing.frames;
    if (sb_agent_is_process(results->kind)) sb_salt_print(&agent->rules.slots.salt, results->salt);
    return sb_results_tell_about(results, agent->about.size ? agent->about.data : NULL, error);
}

bool sb_evaluate_rest(const sb_evaluation *evaluation, sb_results *results, sb_error *error) {
    run r = {
        .evaluation = evaluation, .results = results, .watch = sb_run_watch_of(&evaluation->limits, evaluation->now)};
    pthread_mutex_init(&r.mutex, NULL);
    bool ok = begin(&r, error) && list_left(&r, error);
    while (ok && r.n_left)
        ok = (sb_agent_takes_rounds(evaluation->agent) ? play_in_rounds : play_one_by_one)(&r, error) &&
             list_left(&r, error);
    if (ok) sb_results_cut(results, r.end); /* batches that are not needed any more: lost episodes were played again */
    pthread_mutex_destroy(&r.mutex);
    free(r.left);
    return ok;
}

bool sb_evaluate(const sb_evaluation *evaluation, sb_results *results, sb_error *error) {
    return sb_evaluation_begin(evaluation, results, error) && sb_evaluate_rest(evaluation, results, error);
}
