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

/* Moves the tape from the worker to the slot; `take` moves it on to the results. */
static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const sb_evaluation *evaluation = ((run *)context)->evaluation;
    sb_agent_worker *contestant = scratch;
    sb_played *played = slot;
    free_played(played);
    *played = (sb_played){0};
    sb_name name;
    if (!sb_agent_worker_play(contestant, evaluation->agent, sb_selection_name(evaluation->selection, index, &name),
                              &played->failure, error))
        return false;
    played->tape = contestant->worker.tape;
    contestant->worker.tape = (sb_tape){0};
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    (void)error;
    run *r = context;
    sb_played *played = slot;
    sb_tape *tape = &played->tape;
    sb_action *actions = realloc(tape->actions, (tape->n + 1) * sizeof *actions);
    if (actions) tape->actions = actions, tape->capacity = tape->n + 1;
    r->results->episodes[r->results->n++] = *played;
    *played = (sb_played){0};
    const sb_evaluation *evaluation = r->evaluation;
    if (evaluation->progress) evaluation->progress(evaluation->context, index + 1, evaluation->selection->n);
    return true;
}

bool sb_evaluate(const sb_evaluation *evaluation, sb_results *results, sb_error *error) {
    const size_t n = evaluation->selection->n;
    *results = (sb_results){.catalogue = evaluation->selection->catalogue, .kind = evaluation->agent->kind};
    strcpy(results->agent, evaluation->agent->label);
    if (results->kind == SB_AGENT_EXEC) sb_salt_print(&evaluation->agent->rules.salt, results->salt);
    results->episodes = malloc((n + 1) * sizeof *results->episodes);
    if (!results->episodes) return sb_fail(error, SB_MEMORY, "out of memory for the results of %zu episodes", n);
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
