#include "evaluation/babybench/marks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/json.h"
#include "base/pool.h"
#include "engine/facts.h"
#include "engine/lookup.h"

enum { STEPS_MAX = 1000 /* steps of an expert's episode that count */ };

const char *const sb_babybench_task_names[SB_N_BABYBENCH_TASKS] = {"predict", "plan", "decompose"};

bool sb_babybench_task_find(const char *name, sb_babybench_task *protocol, sb_error *error) {
    for (int i = 0; i < SB_N_BABYBENCH_TASKS; i++)
        if (strcmp(sb_babybench_task_names[i], name) == 0) return *protocol = (sb_babybench_task)i, true;
    return sb_fail(error, SB_UNKNOWN, "unknown protocol `%.40s`; known protocols: predict, plan, decompose", name);
}

/* ---- What is measured ---- */

enum { ACCURACY, POSITION_ACCURACY, READABLE, DISTANCE, DISTANCE_OF_WRONG };
enum { SUCCESS, EFFICIENCY, EFFICIENCY_OF_SUCCESSES, DISTANCE_LEFT, REWARD, EXPERT_REWARD, STEPS, EXPERT_STEPS };
enum { CR, PR, ACI, ADDED, MAX_HELP };

const sb_mark_measure sb_measures[SB_N_BABYBENCH_TASKS][SB_MEASURES_MAX + 1] = {
    [SB_PREDICT] = {[ACCURACY] = {"accuracy", "accuracy_percent", 100, true, true},
                    [POSITION_ACCURACY] = {"position_accuracy", "position_accuracy_percent", 100, true, true},
                    [READABLE] = {"readable", "readable", 1, true, true},
                    [DISTANCE] = {"distance", "mean_distance", 1, false, true},
                    [DISTANCE_OF_WRONG] = {"distance_if_wrong", "mean_distance_of_wrong", 1, false, true}},
    [SB_PLAN] = {[SUCCESS] = {"success", "success_rate", 1, true, true},
                 [EFFICIENCY] = {"efficiency", "mean_efficiency", 1, true, false},
                 [EFFICIENCY_OF_SUCCESSES] = {"efficiency_if_successful", "efficiency_ratio", 1, false, false},
                 [DISTANCE_LEFT] = {"distance", "mean_distance", 1, false, true},
                 [REWARD] = {"reward", "mean_reward", 1, true, false},
                 [EXPERT_REWARD] = {"expert_reward", "mean_expert_reward", 1, false, false},
                 [STEPS] = {"steps", "mean_steps", 1, false, true},
                 [EXPERT_STEPS] = {"expert_steps", "mean_expert_steps", 1, false, true}},
    [SB_DECOMPOSE] = {[CR] = {"CR", "CR", 1, true, true},
                      [PR] = {"PR", "PR", 1, true, true},
                      [ACI] = {"ACI", "ACI", 1, true, false},
                      [ADDED] = {"added", "mean_added", 1, false, true},
                      [MAX_HELP] = {"max_help", "mean_max_help", 1, false, true}},
};

static void set(sb_mark *mark, int measure, double value) { mark->has[measure] = true, mark->values[measure] = value; }

/* ---- One answer ---- */

/* A line of the file. */
typedef struct question {
    const char *answer, *actions; /* actions: the question of Predict, or NULL */
    sb_worker *worker;
    const char *expert;
} question;

static const char *expert_for(const question *q, const sb_mark *mark) {
    const sb_oracle *oracle = sb_oracle_that_assists(mark->name.family, mark->name.task);
    return q->expert ? q->expert : oracle ? oracle->name : sb_oracle_names[SB_SEES_STATE];
}

static bool play_expert(const question *q, const sb_mark *mark, sb_error *error) {
    return sb_worker_play(q->worker, expert_for(q, mark), &mark->name, NULL, NULL, error);
}

/* Starts the episode in the worker's environment. */
static bool start(const question *q, const sb_mark *mark, sb_error *error) {
    return sb_worker_open(q->worker, error) && sb_reset_name(q->worker->env, &mark->name, error);
}

static bool look(const sb_env *env, sb_facts *facts, sb_error *error) {
    if (!env->family->facts)
        return sb_fail(error, SB_INVALID, "the family %s does not tell positions", env->family->name);
    env->family->facts->tell(env, facts);
    return true;
}

/* Plays a list of names until the episode ends; counts all of them. */
static bool play_list(sb_env *env, sb_answer_part list, size_t *n, sb_error *error) {
    sb_action action;
    sb_result result;
    for (*n = 0; sb_next_action(&list, env, &action); ++*n)
        if (!sb_status_of(env)->done && !sb_step(env, action, &result, error)) return false;
    return true;
}

static bool play_tape(sb_env *env, const sb_tape *tape, sb_error *error) {
    sb_result result;
    for (size_t i = 0; i < tape->n && i < STEPS_MAX; i++)
        if (!sb_step(env, tape->actions[i], &result, error)) return false;
    return true;
}

/* Finds the state after the actions in the question or, if it names none, after the expert's play. */
static bool find_state(const question *q, const sb_mark *mark, sb_pose *pose, sb_error *error) {
    sb_facts facts;
    size_t n;
    if (!q->actions && !play_expert(q, mark, error)) return false;
    if (!start(q, mark, error)) return false;
    if (!(q->actions ? play_list(q->worker->env, (sb_answer_part){q->actions, strlen(q->actions)}, &n, error)
                     : play_tape(q->worker->env, &q->worker->tape, error)))
        return false;
    if (!look(q->worker->env, &facts, error)) return false;
    *pose = (sb_pose){facts.agent.x, facts.agent.y, facts.direction};
    return true;
}

static void write_state(const sb_pose *p, char *text, size_t size) {
    snprintf(text, size, "((%lld, %lld), %lld)", (long long)p->x, (long long)p->y, (long long)p->direction);
}

static double distance(int64_t x, int64_t y) { return (double)((x < 0 ? -x : x) + (y < 0 ? -y : y)); }

static bool mark_predict(const question *q, sb_mark *mark, sb_error *error) {
    sb_pose is, said;
    if (!find_state(q, mark, &is, error)) return false;
    write_state(&is, mark->expected, sizeof mark->expected);
    if (!sb_answer_state(q->answer, &said, error)) return false;
    write_state(&said, mark->said, sizeof mark->said);
    const double away = distance(said.x - is.x, said.y - is.y);
    const bool right = away == 0 && said.direction == is.direction;
    set(mark, ACCURACY, right);
    set(mark, POSITION_ACCURACY, away == 0);
    set(mark, READABLE, 1);
    set(mark, DISTANCE, away);
    if (!right) set(mark, DISTANCE_OF_WRONG, away);
    return true;
}

/* Marks a plan that was played. On the benchmark's levels, success, termination and facing the red ball happen
 * together, so the ball is never carried. */
static void mark_played(const sb_env *env, const sb_facts *facts, size_t n, size_t n_expert, sb_mark *mark) {
    const bool success = sb_status_of(env)->success;
    const double efficiency = success && n ? (double)n_expert / (double)n : 0;
    set(mark, SUCCESS, success);
    set(mark, EFFICIENCY, efficiency);
    if (success) set(mark, EFFICIENCY_OF_SUCCESSES, efficiency);
    if (facts->has_target)
        set(mark, DISTANCE_LEFT, distance(facts->agent.x - facts->target.x, facts->agent.y - facts->target.y) - 1);
    set(mark, REWARD, sb_status_of(env)->total);
    set(mark, STEPS, (double)n);
}

static bool mark_plan(const question *q, sb_mark *mark, sb_error *error) {
    sb_facts facts;
    sb_answer_part list;
    size_t n;
    if (!play_expert(q, mark, error)) return false;
    const size_t n_expert = q->worker->tape.n < STEPS_MAX ? q->worker->tape.n : STEPS_MAX;
    set(mark, EXPERT_REWARD, q->worker->tape.outcome.total);
    set(mark, EXPERT_STEPS, (double)n_expert);
    if (!sb_answer_actions(q->answer, &list, error) || !start(q, mark, error)) return false;
    if (!play_list(q->worker->env, list, &n, error) || !look(q->worker->env, &facts, error)) return false;
    mark_played(q->worker->env, &facts, n, n_expert, mark);
    return n || sb_fail(error, SB_INVALID, "the answer names no action");
}

static bool assist(const sb_oracle *oracle, const sb_env *env, sb_answer_part plan, sb_assistance *found,
                   sb_error *error) {
    char *text = malloc(plan.n + 1);
    if (!text) return sb_fail(error, SB_MEMORY, "out of memory for a plan");
    memcpy(text, plan.at, plan.n);
    text[plan.n] = '\0';
    const bool ok = oracle->assist(env, text, found, error);
    free(text);
    return ok;
}

static bool mark_decompose(const question *q, sb_mark *mark, sb_error *error) {
    const sb_oracle *oracle = sb_oracle_that_assists(mark->name.family, mark->name.task);
    sb_assistance found;
    sb_answer_part plan;
    if (!oracle) return sb_fail(error, SB_INVALID, "%s has no oracle that takes plans", mark->name.task);
    if (!start(q, mark, error) || !oracle->assist(q->worker->env, NULL, &found, error)) return false;
    set(mark, MAX_HELP, found.max_help);
    mark->max_help = found.max_help;
    if (!sb_answer_plan(q->answer, &plan, error) || !assist(oracle, q->worker->env, plan, &found, error)) return false;
    if (found.comprehension == 1) mark->solved_with = (int32_t)found.added;
    set(mark, CR, found.comprehension);
    set(mark, PR, found.precision);
    set(mark, ACI, found.assistance);
    set(mark, ADDED, found.added);
    return true;
}

/* ---- One line ---- */

/* Reads `name`, or `env_name` and `seed` as in the data sets. */
static bool read_name(const sb_catalogue *catalogue, const cJSON *object, sb_name *name, sb_resolved *of,
                      sb_error *error) {
    char built[SB_NAME_MAX + 64];
    const char *text;
    uint64_t seed;
    if (cJSON_HasObjectItem(object, "name"))
        return sb_json_string(object, "name", &text, error) && sb_resolve_text(catalogue, text, name, of, error);
    if (!sb_json_string(object, "env_name", &text, error) || !sb_json_uint(object, "seed", &seed, error)) return false;
    snprintf(built, sizeof built, "%.100s#%llu", text, (unsigned long long)seed);
    return sb_resolve_text(catalogue, built, name, of, error);
}

static bool find_episode(const sb_catalogue *catalogue, const cJSON *object, sb_mark *mark, sb_error *error) {
    sb_resolved of;
    if (!read_name(catalogue, object, &mark->name, &of, error)) return false;
    mark->family = of.family, mark->task = of.task_index, mark->is_known = true;
    return true;
}

/* Notes the size of the grid, whatever the answer is. */
static bool measure_grid(const question *q, sb_mark *mark, sb_error *error) {
    sb_facts facts;
    if (!mark->family->facts) return true;
    if (!start(q, mark, error) || !look(q->worker->env, &facts, error)) return false;
    mark->size = facts.size;
    return true;
}

static bool mark_object(const cJSON *object, const sb_marking *marking, sb_worker *worker, sb_mark *mark,
                        sb_error *error) {
    static bool (*const markers[SB_N_BABYBENCH_TASKS])(const question *, sb_mark *,
                                                       sb_error *) = {mark_predict, mark_plan, mark_decompose};
    worker->catalogue = marking->catalogue;
    question q = {.worker = worker, .expert = marking->expert};
    if (!cJSON_IsObject(object)) return sb_fail(error, SB_INVALID, "a line should be a JSON object");
    if (!find_episode(marking->catalogue, object, mark, error) || !measure_grid(&q, mark, error) ||
        !sb_json_string(object, "answer", &q.answer, error))
        return false;
    if (cJSON_HasObjectItem(object, "action_sequence") && !sb_json_string(object, "action_sequence", &q.actions, error))
        return false;
    return markers[marking->protocol](&q, mark, error);
}

static bool mark_line(sb_answer_part line, const sb_marking *marking, sb_worker *worker, sb_mark *mark,
                      sb_error *error) {
    cJSON *object = sb_json_parse(line.at, line.n, error);
    const bool ok = object && mark_object(object, marking, worker, mark, error);
    cJSON_Delete(object);
    return ok;
}

/* ---- All of them ---- */

typedef struct run {
    const sb_marking *marking;
    const sb_answer_part *lines;
    const size_t *numbers;
    sb_marks *marks;
} run;

static void count_nothing_as_wrong(sb_mark *mark, const sb_mark_measure *measures) {
    for (int i = 0; measures[i].name; i++) mark->has[i] |= measures[i].of_all;
}

static bool expert_exists(const sb_marking *marking, const sb_mark *mark, sb_error *error) {
    return !marking->expert || !mark->is_known ||
           sb_agent_exists(marking->expert, mark->name.family, mark->name.task, error);
}

/* Marks one line. A senseless answer gets a mark like any other; only errors of the caller or of the machine end the
 * work. */
static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const run *r = context;
    sb_mark *mark = slot;
    *mark = (sb_mark){.line = r->numbers[index], .solved_with = -1};
    if (!mark_line(r->lines[index], r->marking, scratch, mark, error)) {
        if (error->code == SB_MEMORY) return false;
        snprintf(mark->reason, sizeof mark->reason, "%.*s", SB_MARK_REASON - 1, error->text);
    }
    count_nothing_as_wrong(mark, sb_measures[r->marking->protocol]);
    return expert_exists(r->marking, mark, error);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    (void)error;
    const run *r = context;
    r->marks->rows[index] = *(sb_mark *)slot;
    if (r->marking->progress) r->marking->progress(r->marking->context, index + 1, r->marks->n);
    return true;
}

static bool is_blank(sb_answer_part line) {
    for (size_t i = 0; i < line.n; i++)
        if (!strchr(" \t\r", line.at[i]) || !line.at[i]) return false;
    return true;
}

/* Counts the lines that are not blank, and stores them unless `lines` is NULL. */
static size_t split(const sb_marking *marking, sb_answer_part *lines, size_t *numbers) {
    const char *at = marking->text, *end = at + marking->size;
    size_t n = 0;
    for (size_t number = 1; at < end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const sb_answer_part line = {at, (size_t)((newline ? newline : end) - at)};
        at = newline ? newline + 1 : end;
        if (is_blank(line)) continue;
        if (lines) lines[n] = line, numbers[n] = number;
        n++;
    }
    return n;
}

static bool mark_here(run *r, sb_error *error) {
    for (size_t i = 0; i < r->marks->n; i++)
        if (!work(r, r->marking->worker, i, &r->marks->rows[i], error)) return false;
    return true;
}

static bool mark_all(run *r, sb_error *error) {
    if (r->marking->worker) return mark_here(r, error);
    const sb_pool pool = {.workers = r->marking->jobs,
                          .context = r,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_mark),
                          .scratch_size = sizeof(sb_worker),
                          .free_scratch = sb_worker_free};
    return sb_pool_run(&pool, r->marks->n, error);
}

bool sb_mark_answers(const sb_marking *marking, sb_marks *marks, sb_error *error) {
    *marks = (sb_marks){
        .catalogue = marking->catalogue, .protocol = marking->protocol, .n = split(marking, NULL, NULL)};
    if (marks->n == 0) return sb_fail(error, SB_INVALID, "the file holds no answers");
    if (marks->n > SB_MARKS_MAX)
        return sb_fail(error, SB_INVALID, "%zu answers, but at most %d are marked at once: split the file", marks->n,
                       SB_MARKS_MAX);
    sb_answer_part *lines = calloc(marks->n, sizeof *lines);
    size_t *numbers = malloc(marks->n * sizeof *numbers);
    marks->rows = calloc(marks->n, sizeof *marks->rows);
    bool ok = (lines && numbers && marks->rows) || sb_fail(error, SB_MEMORY, "out of memory for %zu answers", marks->n);
    if (ok) {
        split(marking, lines, numbers);
        ok = mark_all(&(run){marking, lines, numbers, marks}, error);
    }
    free(lines), free(numbers);
    return ok;
}

void sb_marks_free(sb_marks *marks) {
    free(marks->rows);
    *marks = (sb_marks){0};
}
