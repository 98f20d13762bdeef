#include "evaluation/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "engine/contract.h"

const char *const sb_winnable_names[3] = {"unknown", "solved", "impossible"};

typedef struct run {
    const sb_evaluation *evaluation;
    sb_results *results;
} run;

static void free_played(void *data) { sb_tape_clear(&((sb_played *)data)->tape); }

void sb_results_free(sb_results *results) {
    for (size_t i = 0; i < results->n; i++) free_played(&results->episodes[i]);
    free(results->episodes);
    cJSON_Delete(results->head);
    free(results->selection);
    *results = (sb_results){0};
}

bool sb_results_begin(sb_results *results, const sb_selection *selection, const char *label, sb_agent_kind kind,
                      sb_error *error) {
    *results = (sb_results){.catalogue = selection->catalogue, .kind = kind};
    sb_copy_plain(results->agent, sizeof results->agent, label);
    results->episodes = calloc(selection->n + 1, sizeof *results->episodes);
    return results->episodes ||
           sb_fail(error, SB_MEMORY, "out of memory for the results of %zu episodes", selection->n);
}

void sb_results_put(sb_results *results, size_t index, sb_tape *tape, const sb_failure *failure) {
    sb_played *played = &results->episodes[index];
    sb_action *actions = realloc(tape->actions, (tape->n + 1) * sizeof *actions);
    if (actions) tape->actions = actions, tape->capacity = tape->n + 1;
    *played = (sb_played){.tape = *tape, .failure = *failure};
    *tape = (sb_tape){0};
    if (results->n <= index) results->n = index + 1;
}

/* Moves the tape from the worker to the slot; `take` moves it on to the results. */
static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const sb_evaluation *evaluation = ((run *)context)->evaluation;
    sb_agent_worker *contestant = scratch;
    sb_played *played = slot;
    free_played(played);
    *played = (sb_played){0};
    sb_name name;
    if (!sb_agent_worker_play(contestant, evaluation->agent, sb_selection_name(evaluation->selection, index, &name), 0,
                              &played->failure, error))
        return false;
    played->tape = contestant->worker.tape;
    contestant->worker.tape = (sb_tape){0};
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    run *r = context;
    sb_played *played = slot;
    const sb_evaluation *evaluation = r->evaluation;
    sb_results_put(r->results, index, &played->tape, &played->failure);
    if (evaluation->progress) evaluation->progress(evaluation->context, index + 1, evaluation->selection->n);
    return !evaluation->goes_on || evaluation->goes_on(evaluation->context, error);
}

bool sb_evaluate(const sb_evaluation *evaluation, sb_results *results, sb_error *error) {
    const size_t n = evaluation->selection->n;
    if (!sb_results_begin(results, evaluation->selection, evaluation->agent->label, evaluation->agent->kind, error))
        return false;
    if (results->kind == SB_AGENT_EXEC) sb_salt_print(&evaluation->agent->rules.salt, results->salt);
    run r = {.evaluation = evaluation, .results = results};
    const sb_pool pool = {.workers = evaluation->jobs,
                          .context = &r,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_played),
                          .scratch_size = sizeof(sb_agent_worker),
                          .free_slot = free_played,
                          .free_scratch = sb_agent_worker_free};
    return sb_pool_run(&pool, n, error);
}

bool sb_has_family(const sb_results *results, const sb_family *family) {
    for (size_t i = 0; i < results->n; i++)
        if (strcmp(results->episodes[i].tape.name.family, family->name) == 0) return true;
    return false;
}
