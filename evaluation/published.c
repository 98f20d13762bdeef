#include "evaluation/published.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "evaluation/shipped.h"

void sb_published_free(sb_published *published) {
    cJSON_Delete(published->document);
    free(published->agents);
    *published = (sb_published){0};
}

static bool add_rates(const cJSON *rates, const char *category, sb_contribution *pairs, size_t capacity, size_t *n,
                      sb_error *error) {
    const cJSON *rate;
    cJSON_ArrayForEach(rate, rates) {
        if (cJSON_IsNull(rate)) continue;
        if (!cJSON_IsNumber(rate) || *n == capacity)
            return sb_fail(error, SB_INVALID, "key `success`: a list should hold rates, at most one per difficulty");
        pairs[(*n)++] = (sb_contribution){category, rate->valuedouble};
    }
    return true;
}

/* Reads success rates, one list per task; `tasks` names the tasks. */
static bool read_pairs(const cJSON *agent, const cJSON *tasks, const sb_family *family, sb_contribution *pairs,
                       size_t capacity, size_t *n, sb_error *error) {
    const cJSON *success, *rates, *task = tasks->child;
    *n = 0;
    if (!sb_json_array(agent, "success", &success, error)) return false;
    cJSON_ArrayForEach(rates, success) {
        size_t index;
        if (!task || !cJSON_IsString(task))
            return sb_fail(error, SB_INVALID, "key `success` has more lists than there are tasks");
        if (!sb_task_find(NULL, family, task->valuestring, &index, error) ||
            !add_rates(rates, family->task(index)->category, pairs, capacity, n, error))
            return false;
        task = task->next;
    }
    return true;
}

static bool read_agent(const cJSON *object, const cJSON *tasks, const sb_family *family, sb_published_agent *agent,
                       sb_error *error) {
    const size_t all = family->n_tasks * family->n_difficulties;
    sb_contribution *pairs = malloc((all + 1) * sizeof *pairs);
    if (!pairs) return sb_fail(error, SB_MEMORY, "out of memory for published results");
    const char *rewards = "sparse";
    bool ok = sb_json_string(object, "name", &agent->name, error) &&
              sb_json_string(object, "harness", &agent->harness, error) &&
              sb_json_string(object, "observation", &agent->observation, error) &&
              sb_json_string(object, "date", &agent->date, error) &&
              read_pairs(object, tasks, family, pairs, all, &agent->n_pairs, error) &&
              sb_leaderboard(pairs, agent->n_pairs, &agent->total, error);
    ok = ok && sb_json_array(object, "return", &agent->returns, error) &&
         sb_json_optional_string(object, "rewards", &rewards, error);
    agent->complete = agent->n_pairs == all;
    agent->dense = strcmp(rewards, "dense") == 0;
    free(pairs);
    return ok;
}

/* Compares agents: complete ones come first, then those with the higher score. */
static int best_first(const void *a, const void *b) {
    const sb_published_agent *x = a, *y = b;
    if (x->complete != y->complete) return x->complete ? -1 : 1;
    if (x->total.score != y->total.score) return x->total.score > y->total.score ? -1 : 1;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->date, y->date);
}

/* Finds an agent by its name; it has no returns if there is none. */
static sb_published_agent find_agent(const sb_published *published, const char *name) {
    for (size_t i = 0; i < published->n; i++) {
        const char *is = published->agents[i].name;
        if (is && strcmp(is, name) == 0) return published->agents[i];
    }
    return (sb_published_agent){0};
}

static bool read_document(sb_published *published, const sb_family *family, sb_error *error) {
    const cJSON *tasks, *agents, *agent;
    const char *name;
    if (!sb_json_string(published->document, "family", &name, error) ||
        !sb_json_string(published->document, "source", &published->source, error) ||
        !sb_json_array(published->document, "tasks", &tasks, error) ||
        !sb_json_array(published->document, "agents", &agents, error))
        return false;
    if (strcmp(name, family->name) != 0) return true;
    published->agents = calloc((size_t)cJSON_GetArraySize(agents) + 1, sizeof *published->agents);
    if (!published->agents) return sb_fail(error, SB_MEMORY, "out of memory for published results");
    cJSON_ArrayForEach(agent, agents) {
        if (!read_agent(agent, tasks, family, &published->agents[published->n++], error)) return false;
    }
    published->family = family;
    published->random = find_agent(published, "Random Agent"),
    published->oracle = find_agent(published, "Oracle Agent");
    qsort(published->agents, published->n, sizeof *published->agents, best_first);
    return true;
}

bool sb_published_load(sb_published *published, const sb_family *family, sb_error *error) {
    *published = (sb_published){0};
    published->document = sb_json_parse((const char *)sb_shipped_published, sb_shipped_published_size, error);
    return published->document && read_document(published, family, error);
}

/* ---- Returns ---- */

/* Returns the place of a name in a list; -1: it is not there. */
static int place_of(const cJSON *list, const char *name) {
    const cJSON *item;
    int place = 0;
    cJSON_ArrayForEach(item, list) {
        if (cJSON_IsString(item) && strcmp(item->valuestring, name) == 0) return place;
        place++;
    }
    return -1;
}

bool sb_published_return(const sb_published *published, const sb_published_agent *agent, const char *task,
                         const char *difficulty, double *value) {
    const int row = place_of(cJSON_GetObjectItemCaseSensitive(published->document, "tasks"), task);
    const int column = place_of(cJSON_GetObjectItemCaseSensitive(published->document, "difficulties"), difficulty);
    const cJSON *item = row < 0 || column < 0 || !agent->returns
                            ? NULL
                            : cJSON_GetArrayItem(cJSON_GetArrayItem(agent->returns, row), column);
    if (!item || !cJSON_IsNumber(item)) return false;
    *value = item->valuedouble;
    return true;
}

bool sb_published_references(const sb_published *published, const char *task, const char *difficulty,
                             sb_bounds *references) {
    return published->family &&
           sb_published_return(published, &published->random, task, difficulty, &references->random) &&
           sb_published_return(published, &published->oracle, task, difficulty, &references->optimal);
}
