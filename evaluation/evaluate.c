#include "evaluation/evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "rollout/player.h"

typedef struct run {
    const sb_evaluation *evaluation;
    sb_scores *scores;
    size_t capacity;
} run;

void sb_scores_free(sb_scores *scores) {
    free(scores->of);
    *scores = (sb_scores){0};
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const sb_evaluation *evaluation = ((run *)context)->evaluation;
    sb_stage *stage = scratch;
    if (!sb_stage_play(stage, evaluation->agent, &evaluation->selection->names[index], NULL, NULL, error)) return false;
    *(sb_status *)slot = stage->tape.outcome;
    return true;
}

/* Selections list all episodes of a task and variant in a row; a name that comes again begins a new line. */
static sb_score *score_of(run *r, const sb_name *name, sb_error *error) {
    sb_scores *scores = r->scores;
    sb_score *last = scores->n ? &scores->of[scores->n - 1] : NULL;
    if (last && strcmp(last->task, name->task) == 0 && strcmp(last->variant, name->variant) == 0 &&
        strcmp(last->family, name->family) == 0)
        return last;
    if (!scores->of || scores->n == r->capacity) {
        const size_t capacity = r->capacity ? 2 * r->capacity : 32;
        sb_score *of = realloc(scores->of, capacity * sizeof *of);
        if (!of) return sb_fail(error, SB_MEMORY, "out of memory for scores"), NULL;
        scores->of = of, r->capacity = capacity;
    }
    sb_score *score = &scores->of[scores->n++];
    *score = (sb_score){0};
    strcpy(score->family, name->family);
    strcpy(score->task, name->task);
    strcpy(score->variant, name->variant);
    return score;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    run *r = context;
    const sb_status *end = slot;
    const sb_evaluation *evaluation = r->evaluation;
    sb_score *score = score_of(r, &evaluation->selection->names[index], error);
    if (!score) return false;
    score->episodes++;
    score->successes += end->success;
    score->total += end->total, score->dense_total += end->dense_total;
    score->steps += (uint64_t)end->steps;
    if (end->success) score->success_steps += (uint64_t)end->steps;
    if (evaluation->progress) evaluation->progress(evaluation->context, index + 1, evaluation->selection->n);
    return true;
}

bool sb_evaluate(const sb_evaluation *evaluation, sb_scores *scores, sb_error *error) {
    *scores = (sb_scores){0};
    run r = {.evaluation = evaluation, .scores = scores};
    const sb_pool pool = {.workers = evaluation->jobs,
                          .context = &r,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_status),
                          .scratch_size = sizeof(sb_stage),
                          .free_scratch = sb_stage_free};
    return sb_pool_run(&pool, evaluation->selection->n, error);
}
