/* Selects episodes: turns flags or a recipe into a list of names, in a fixed order. */
#ifndef SB_ROLLOUT_SELECTION_H
#define SB_ROLLOUT_SELECTION_H

#include "base/json.h"
#include "base/out.h"
#include "base/stop.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "seedbed.h"
#include "seeds/pack.h"

typedef struct sb_selection sb_selection;

/* What to select. Texts and the catalogue may be NULL: no restriction, or the default. Lists are separated by
 * commas. */
typedef struct sb_request {
    const sb_catalogue *catalogue; /* where names are looked up; outlives request and selection */
    const char *const *names;      /* episodes by name; nothing else may be given with them */
    size_t n_names;
    const char *family; /* default: the family of the first of `tasks`, else of the first of `category`, else the first
                           family */
    const char *tasks;  /* default: every built-in task of the family; an item may name its family, which must be the
                           same for all */
    const char *category;   /* only tasks of these categories */
    const char *difficulty; /* only these difficulties */
    const char *split;      /* `eval` (default), `train`, or any other base text, which needs a count */
    const char *seeds;      /* explicit seeds: `0..24,42`; not together with split and count */
    uint64_t count;         /* seeds per task and difficulty; 0: all of the published list */
    /* seeds per task and difficulty, by difficulty, task or `task/difficulty`, of which the narrowest counts; others
     * are not selected. NULL: see `count` */
    const cJSON *counts;
    const char *where;   /* only episodes of which this is so: `steps >= 20` (evaluation/atlas/demand.h) */
    const char *spread;  /* equal numbers in ranges of a measure: `steps=10..60 in 5` (evaluation/atlas/spread.h) */
    const sb_stop *stop; /* asked while episodes are measured for `where` and `spread` */
    bool repeats;        /* names and seeds may select an episode twice, as files of version 0.2 do; else that fails */
} sb_request;

/* Chooses the episodes of a request by what they demand. Measures belong to a layer above, so one is lent to the
 * catalogue (evaluation/atlas/chooser.h). It is called by one thread at a time. */
typedef struct sb_chooser {
    bool (*choose)(void *context, const sb_request *request, size_t most, sb_selection *selection, sb_error *error);
    void *context;
} sb_chooser;

/* An episode that was looked up, in sixteen bytes, because a selection may have ten million: the index of the family in
 * sb_families, and those of the task and the difficulty in the family. */
typedef struct sb_chosen {
    uint64_t seed;
    uint16_t family, task, difficulty;
    uint16_t zero; /* so that equal episodes are equal bytes */
} sb_chosen;

struct sb_selection {
    const sb_catalogue *catalogue; /* the user's tasks, which follow the built-in ones */
    sb_chosen *episodes; /* by task in the family's order, then difficulty, then seed in the order of its list */
    size_t n;
    size_t most; /* largest n that is allowed; 0: SB_SELECTION_MAX */
};

enum { SB_SELECTION_MAX = 10000000 };

/* Whether the request asks for nothing at all. */
bool sb_request_is_empty(const sb_request *request);

/* Returns the family of the request: that of the first name or task, else the explicit one, else that of the first
 * category, else the first family. NULL with an error. */
const sb_family *sb_request_family(const sb_request *request, sb_error *error);
/* Returns the first task that the request names, else the first of its first category or family. NULL: none. */
const sb_task_info *sb_request_first_task(const sb_request *request);
/* Tasks of a family, by index. */
typedef struct sb_request_tasks {
    const sb_family *family;
    bool task[SB_TASKS_MAX];
} sb_request_tasks;
/* Lists the tasks of which the request may select episodes; none if something is wrong with it. */
void sb_request_list_tasks(const sb_request *request, sb_request_tasks *tasks);
/* Whether the request asks for episodes by what they demand. */
static inline bool sb_request_demands(const sb_request *request) { return request->where || request->spread; }
/* Selects episodes. Errors say which part of the request is wrong. The caller frees the selection, also after a
 * failure. Of what is demanded, `count` and `counts` are promises: where there are too few episodes, it fails. */
bool sb_select(const sb_request *request, sb_selection *selection, sb_error *error);
/* Fails if more than `most` episodes are selected: a request from outside can ask for millions in a few bytes. */
bool sb_select_at_most(const sb_request *request, size_t most, sb_selection *selection, sb_error *error);
/* Selects one episode, of seed 0, of every task and difficulty that the request wants, whatever its seeds. */
bool sb_select_pairs(const sb_request *request, sb_selection *selection, sb_error *error);
/* Selects the episodes of a pack, list by list. Fails with SB_VERSION_OTHER if it has digests of other rules. */
bool sb_select_pack(const sb_catalogue *catalogue, const sb_pack *pack, sb_selection *selection, sb_error *error);
void sb_selection_free(sb_selection *selection);
/* Appends an episode; `capacity` (0 at first) is the number of episodes allocated. */
bool sb_selection_add(sb_selection *selection, const sb_resolved *of, uint64_t seed, size_t *capacity, sb_error *error);

/* Writes the index-th episode's name into `name`, and returns that. */
const sb_name *sb_selection_name(const sb_selection *selection, size_t index, sb_name *name);
/* What the index-th episode's name stands for. */
sb_resolved sb_selection_at(const sb_selection *selection, size_t index);
const sb_family *sb_selection_family(const sb_selection *selection, size_t index);
/* Puts the names of the rules of the selected tasks as a list of JSON, each once: by family, and in it those of tasks
 * that have their own before the family's. */
void sb_selection_put_rules(const sb_selection *selection, sb_out *out);
/* Whether two episodes have the same task and difficulty. */
bool sb_same_chosen_pair(const sb_chosen *a, const sb_chosen *b);
/* Which pairs of task and difficulty of one family have come by; starts zeroed. Selections may be shuffled, so the same
 * pair may come again at any time. */
typedef struct sb_seen_pairs {
    bool of[SB_TASKS_MAX][SB_DIFFICULTIES_MAX];
} sb_seen_pairs;
/* Notes the episode's pair; whether it came for the first time. */
bool sb_is_new_pair(sb_seen_pairs *seen, const sb_chosen *episode);
/* Whether the episode's pair has come. */
static inline bool sb_was_seen(const sb_seen_pairs *seen, const sb_chosen *episode) {
    return seen->of[episode->task][episode->difficulty];
}
/* An order of episodes for sorting, as selections have it: family, task, difficulty, seed. */
int sb_compare_chosen(const sb_chosen *a, const sb_chosen *b);

/* The request as members of a JSON object, for manifests: equal requests give equal text. */
void sb_request_print(const sb_request *request, sb_out *out);
/* Reads a request from its members in an object and ignores others; the request keeps the catalogue. The texts belong
 * to the document; the caller frees the list of names. */
bool sb_request_read(const sb_catalogue *catalogue, const cJSON *object, sb_request *request, sb_error *error);
extern const char *const sb_request_keys[]; /* keys of a request's members in JSON; NULL-terminated */

/* Whether an item stands in a comma-separated list. */
bool sb_list_has(const char *list, const char *item);

#endif
