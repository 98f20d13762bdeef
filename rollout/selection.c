#include "rollout/selection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/json.h"
#include "base/word.h"
#include "engine/lookup.h"
#include "rollout/rules.h"
#include "seeds/official.h"

void sb_selection_free(sb_selection *selection) {
    free(selection->episodes);
    *selection = (sb_selection){0};
}

/* ---- Comma-separated lists ---- */

typedef struct item {
    char text[64];
    bool fits;
} item;

/* Reads the next item of the list and moves `at` behind it; false at the end. */
static bool next_item(const char **at, item *it) {
    if (!*at) return false;
    const char *comma = strchr(*at, ',');
    const size_t n = comma ? (size_t)(comma - *at) : strlen(*at);
    it->fits = n < sizeof it->text;
    snprintf(it->text, sizeof it->text, "%.*s", (int)(it->fits ? n : sizeof it->text - 1), *at);
    *at = comma ? comma + 1 : NULL;
    return true;
}

bool sb_list_has(const char *list, const char *wanted) {
    item it;
    while (next_item(&list, &it))
        if (strcmp(it.text, wanted) == 0) return true;
    return false;
}

/* ---- What was asked for ---- */

/* A key of the request's `count`, looked up. */
typedef struct share {
    bool has_task;
    const char *difficulty; /* NULL: any */
    size_t task, count;
} share;

/* A request whose words were looked up. */
typedef struct asked {
    const sb_catalogue *catalogue;
    const sb_family *family;
    bool task[SB_TASKS_MAX];  /* the tasks that are wanted */
    const char *difficulties; /* the difficulties that are wanted, as a list; NULL: the usual ones */
    share *shares;            /* on the heap; NULL: the same count for all */
    size_t n_shares;
} asked;

static const sb_task_info *first_of_group(const sb_catalogue *catalogue, const sb_family *family, const char *group) {
    const sb_task_info *task;
    for (size_t i = 0; (task = sb_task_at(catalogue, family, i)); i++)
        if (strcmp(task->category, group) == 0) return task;
    return NULL;
}

/* Finds the first two families that have the category; returns how many there are, at most two. */
static int families_of_group(const sb_catalogue *catalogue, const char *group, const sb_family *found[2]) {
    int n = 0;
    for (const sb_family *const *family = sb_families; *family && n < 2; family++)
        if (first_of_group(catalogue, *family, group)) found[n++] = *family;
    return n;
}

/* A program that somebody brings does not change to which family a category of built-in tasks belongs. */
static const sb_family *family_of_category(const sb_catalogue *catalogue, const char *group, sb_error *error) {
    const sb_family *found[2] = {NULL, NULL};
    int n = families_of_group(NULL, group, found);
    if (!n) n = families_of_group(catalogue, group, found);
    if (!n) sb_fail(error, SB_UNKNOWN, "category: there is no category `%.40s`; see `seedbed tasks`", group);
    if (n == 2)
        sb_fail(error, SB_INVALID, "category: `%.40s` is in several families: say --family %s or %s", group,
                found[0]->name, found[1]->name);
    return n == 1 ? found[0] : NULL;
}

/* The family of a request without tasks: the explicit one, else that of the first category, else the first. */
static const sb_family *family_without_tasks(const sb_request *request, sb_error *error) {
    const char *groups = request->category;
    item it;
    if (request->family) return sb_family_find(request->family, error);
    return next_item(&groups, &it) ? family_of_category(request->catalogue, it.text, error) : sb_families[0];
}

const sb_family *sb_request_family(const sb_request *request, sb_error *error) {
    const char *tasks = request->tasks;
    sb_resolved of;
    sb_name name;
    item it;
    if (request->n_names)
        return sb_resolve_text(request->catalogue, request->names[0], &name, &of, error) ? of.family : NULL;
    if (request->family || !next_item(&tasks, &it)) return family_without_tasks(request, error);
    if (sb_task_resolve(request->catalogue, it.text, &of.family, &of.task_index, error)) return of.family;
    sb_fail_at(error, "tasks");
    return NULL;
}

/* Finds a task, whose name may include its family. The first one decides the family if nothing else does; a later one
 * of another family gets an error message of its own. */
static bool find_task(const sb_catalogue *catalogue, const sb_family **family, const char *name, size_t *index,
                      sb_error *error) {
    const sb_family *of = *family;
    sb_error ignored;
    const bool found = !of || strchr(name, ':') ? sb_task_resolve(catalogue, name, &of, index, error)
                                                : sb_task_find(catalogue, of, name, index, error);
    if (!*family && found) *family = of;
    if (found && of == *family) return true;
    if (!*family || !sb_task_resolve(catalogue, name, &of, index, &ignored)) return false;
    return sb_fail(error, SB_INVALID,
                   "`%.40s` is a task of %s, and this selection is of %s: select one family at a time", name, of->name,
                   (*family)->name);
}

const sb_task_info *sb_request_first_task(const sb_request *request) {
    const sb_catalogue *catalogue = request->catalogue;
    const char *tasks = request->tasks, *groups = request->category;
    sb_resolved of;
    sb_name name;
    sb_error ignored;
    item it;
    if (request->n_names)
        return sb_resolve_text(catalogue, request->names[0], &name, &of, &ignored)
                   ? sb_task_at(catalogue, of.family, of.task_index)
                   : NULL;
    if (!(of.family = sb_request_family(request, &ignored))) return NULL;
    if (!next_item(&tasks, &it))
        return next_item(&groups, &it) ? first_of_group(catalogue, of.family, it.text)
                                       : sb_task_at(catalogue, of.family, 0);
    const bool found = find_task(catalogue, &of.family, it.text, &of.task_index, &ignored);
    return found ? sb_task_at(catalogue, of.family, of.task_index) : NULL;
}

static bool ask_tasks(const sb_request *request, asked *a, sb_error *error) {
    const char *tasks = request->tasks, *groups = request->category;
    const sb_task_info *task;
    item it;
    for (size_t i = 0; !tasks && i < a->family->n_tasks; i++) a->task[i] = true;
    while (next_item(&tasks, &it)) {
        size_t index;
        if (!find_task(request->catalogue, &a->family, it.text, &index, error)) return sb_fail_at(error, "tasks");
        a->task[index] = true;
    }
    if (!groups) return true;
    for (size_t i = 0; (task = sb_task_at(request->catalogue, a->family, i)); i++)
        a->task[i] &= sb_list_has(request->category, task->category);
    while (next_item(&groups, &it))
        if (!first_of_group(request->catalogue, a->family, it.text))
            return sb_fail(error, SB_UNKNOWN, "category: %s has no category `%.40s`; see `seedbed tasks`",
                           a->family->name, it.text);
    return true;
}

/* Whether a difficulty of a task is wanted. */
static bool wants(const asked *a, const sb_task_info *task, size_t difficulty) {
    const sb_difficulties of = sb_difficulties_of(a->family, task);
    const char *list = a->difficulties;
    item it;
    if (!list) return difficulty < of.n_usual;
    while (next_item(&list, &it))
        if (sb_same_word(it.text, of.names[difficulty])) return true;
    return false;
}

/* Every word must be a difficulty of a wanted task; if it is of none, the error is that of the first one. */
static bool ask_difficulties(const sb_request *request, asked *a, sb_error *error) {
    const char *list = request->difficulty;
    item it;
    a->difficulties = request->difficulty;
    while (next_item(&list, &it)) {
        const sb_task_info *task;
        bool found = false, failed = false;
        for (size_t i = 0; !found && (task = sb_task_at(a->catalogue, a->family, i)); i++) {
            sb_error other;
            size_t index;
            if (!a->task[i]) continue;
            found = sb_difficulty_find(a->family, task, it.text, &index, failed ? &other : error);
            failed = true;
        }
        if (!found && failed) return sb_fail_at(error, "difficulty");
    }
    return true;
}

/* Whether any task of the family has a difficulty of this name. */
static bool is_difficulty(const asked *a, const char *name) {
    const sb_task_info *task;
    sb_error ignored;
    size_t index;
    for (size_t i = 0; (task = sb_task_at(a->catalogue, a->family, i)); i++)
        if (sb_difficulty_find(a->family, task, name, &index, &ignored)) return true;
    return false;
}

/* Looks up a key of `count`: `task`, `difficulty` or `task/difficulty`. A word that could be either is a task. */
static bool find_share(const asked *a, const char *key, share *s) {
    const char *slash = sb_last_slash(key, strlen(key));
    char text[64];
    sb_error ignored;
    snprintf(text, sizeof text, "%.*s", slash ? (int)(slash - key) : 63, key);
    *s = (share){0};
    s->has_task = sb_task_find(a->catalogue, a->family, text, &s->task, &ignored);
    if (s->has_task && !slash) return true;
    if (!s->has_task && slash) return false;
    s->difficulty = slash ? slash + 1 : key;
    return is_difficulty(a, s->difficulty);
}

/* The caller frees the shares, also after a failure. */
static bool ask_counts(const sb_request *request, asked *a, sb_error *error) {
    const cJSON *item;
    if (!request->counts) return true;
    a->shares = calloc((size_t)cJSON_GetArraySize(request->counts) + 1, sizeof *a->shares);
    if (!a->shares) return sb_fail(error, SB_MEMORY, "out of memory for a selection");
    cJSON_ArrayForEach(item, request->counts) {
        share *s = &a->shares[a->n_shares++];
        uint64_t count = 0;
        if (!find_share(a, item->string, s))
            return sb_fail(error, SB_UNKNOWN,
                           "count: `%.60s` is no difficulty, task or task/difficulty of %s; see `seedbed tasks`",
                           item->string, a->family->name);
        if (sb_json_is_uint(item, &count)) s->count = (size_t)count;
    }
    return true;
}

/* Looks up the words of a request that is no list of names, but those of `count`. */
static bool ask(const sb_request *request, asked *a, sb_error *error) {
    const bool tasks_decide = request->tasks && !request->family;
    *a = (asked){.catalogue = request->catalogue, .family = tasks_decide ? NULL : family_without_tasks(request, error)};
    return (tasks_decide || a->family) && ask_tasks(request, a, error) && ask_difficulties(request, a, error);
}

void sb_request_list_tasks(const sb_request *request, sb_request_tasks *tasks) {
    asked a;
    sb_resolved of;
    sb_name name;
    sb_error ignored;
    *tasks = (sb_request_tasks){0};
    for (size_t i = 0; i < request->n_names; i++)
        if (sb_resolve_text(request->catalogue, request->names[i], &name, &of, &ignored))
            tasks->family = of.family, tasks->task[of.task_index] = true;
    if (request->n_names || !ask(request, &a, &ignored)) return;
    tasks->family = a.family;
    memcpy(tasks->task, a.task, sizeof tasks->task);
}

/* Finds the next wanted pair of task and difficulty, in order; begin with *task = *difficulty = 0 and advance
 * *difficulty. */
static bool next_pair(const asked *a, size_t *task, size_t *difficulty) {
    const sb_task_info *info;
    for (; (info = sb_task_at(a->catalogue, a->family, *task)); ++*task, *difficulty = 0) {
        if (!a->task[*task]) continue;
        for (const size_t n = sb_difficulties_of(a->family, info).n; *difficulty < n; ++*difficulty)
            if (wants(a, info, *difficulty)) return true;
    }
    return false;
}

static sb_pack_task pair_at(const asked *a, size_t task, size_t difficulty) {
    const sb_task_info *info = sb_task_at(a->catalogue, a->family, task);
    return (sb_pack_task){info->name, sb_difficulty_name(a->family, info, difficulty)};
}

/* Returns how many seeds of the pair are wanted: what its narrowest share says, which may be of the pair, else of the
 * task, else of the difficulty. */
static size_t count_of(const asked *a, size_t task, size_t difficulty) {
    size_t count = 0;
    int narrowest = 0;
    if (!a->shares) return SIZE_MAX;
    const char *word = pair_at(a, task, difficulty).difficulty;
    for (const share *s = a->shares; s < a->shares + a->n_shares; s++) {
        const int rank = 2 * s->has_task + (s->difficulty != NULL);
        if (rank <= narrowest || (s->has_task && s->task != task) ||
            (s->difficulty && !sb_same_word(s->difficulty, word)))
            continue;
        narrowest = rank, count = s->count;
    }
    return count;
}

/* ---- Episodes ---- */

static void copy(char *to, size_t size, const char *text) {
    const size_t n = strlen(text);
    memcpy(to, text, n < size ? n : size - 1);
}

const sb_family *sb_selection_family(const sb_selection *selection, size_t index) {
    return sb_families[selection->episodes[index].family];
}

sb_resolved sb_selection_at(const sb_selection *selection, size_t index) {
    const sb_chosen *e = &selection->episodes[index];
    const sb_family *family = sb_selection_family(selection, index);
    return (sb_resolved){family, sb_task_at(selection->catalogue, family, e->task), e->task, e->difficulty};
}

const sb_name *sb_selection_name(const sb_selection *selection, size_t index, sb_name *name) {
    const sb_resolved of = sb_selection_at(selection, index);
    *name = (sb_name){.seed = selection->episodes[index].seed};
    copy(name->family, sizeof name->family, of.family->name);
    copy(name->task, sizeof name->task, of.task->name);
    copy(name->difficulty, sizeof name->difficulty, sb_difficulty_name(of.family, of.task, of.difficulty));
    return name;
}

static size_t place_of(const sb_family *family) {
    size_t place = 0;
    while (sb_families[place] && sb_families[place] != family) place++;
    return place;
}

static sb_chosen chosen_of(const sb_family *family, size_t task, size_t difficulty) {
    return (sb_chosen){
        .family = (uint16_t)place_of(family), .task = (uint16_t)task, .difficulty = (uint16_t)difficulty};
}

bool sb_same_chosen_pair(const sb_chosen *a, const sb_chosen *b) {
    return a->family == b->family && a->task == b->task && a->difficulty == b->difficulty;
}

bool sb_is_new_pair(sb_seen_pairs *seen, const sb_chosen *episode) {
    const bool is_new = !sb_was_seen(seen, episode);
    seen->of[episode->task][episode->difficulty] = true;
    return is_new;
}

int sb_compare_chosen(const sb_chosen *a, const sb_chosen *b) {
    int order = (a->family > b->family) - (a->family < b->family);
    if (order == 0) order = (a->task > b->task) - (a->task < b->task);
    if (order == 0) order = (a->difficulty > b->difficulty) - (a->difficulty < b->difficulty);
    return order ? order : (a->seed > b->seed) - (a->seed < b->seed);
}

/* ---- Each episode once ---- */

static bool is_ascending(const sb_selection *selection) {
    for (size_t i = 1; i < selection->n; i++)
        if (sb_compare_chosen(&selection->episodes[i - 1], &selection->episodes[i]) >= 0) return false;
    return true;
}

static int compare(const void *a, const void *b) { return sb_compare_chosen(a, b); }

static bool refuse_repeated(const sb_selection *selection, size_t index, sb_error *error) {
    char text[SB_NAME_MAX];
    sb_name name;
    sb_name_print(sb_selection_name(selection, index, &name), text, sizeof text);
    return sb_fail(error, SB_INVALID, "%s is selected twice, and would count twice: select it once", text);
}

/* Fails if an episode comes twice. */
static bool check_repeats(const sb_selection *selection, sb_error *error) {
    sb_selection sorted = *selection;
    bool ok = true;
    if (is_ascending(selection)) return true; /* as nearly all are */
    sorted.episodes = malloc(sorted.n * sizeof *sorted.episodes);
    if (!sorted.episodes) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", sorted.n);
    memcpy(sorted.episodes, selection->episodes, sorted.n * sizeof *sorted.episodes);
    qsort(sorted.episodes, sorted.n, sizeof *sorted.episodes, compare);
    for (size_t i = 1; ok && i < sorted.n; i++)
        ok = sb_compare_chosen(&sorted.episodes[i - 1], &sorted.episodes[i]) != 0 || refuse_repeated(&sorted, i, error);
    free(sorted.episodes);
    return ok;
}

/* ---- Seeds ---- */

/* Reads `a` or `a..b`. */
static bool read_range(const char *text, uint64_t *first, uint64_t *last) {
    char begin[64];
    const char *dots = strstr(text, "..");
    if (!dots) return sb_parse_uint(text, first) && sb_parse_uint(text, last);
    snprintf(begin, sizeof begin, "%.*s", (int)(dots - text), text);
    return sb_parse_uint(begin, first) && sb_parse_uint(dots + 2, last) && *first <= *last;
}

static size_t most_of(const sb_selection *selection) { return selection->most ? selection->most : SB_SELECTION_MAX; }

static bool too_many(const sb_selection *selection, sb_error *error) {
    return sb_fail(error, SB_INVALID, "more than %zu episodes: split the work by task, difficulty or seeds",
                   most_of(selection));
}

static bool add(sb_selection *selection, const sb_chosen *episode, size_t *capacity, sb_error *error) {
    if (selection->n == most_of(selection)) return too_many(selection, error);
    if (!sb_make_room((void **)&selection->episodes, selection->n + 1, capacity, sizeof *selection->episodes))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", selection->n + 1);
    selection->episodes[selection->n++] = *episode;
    return true;
}

bool sb_selection_add(sb_selection *selection, const sb_resolved *of, uint64_t seed, size_t *capacity,
                      sb_error *error) {
    sb_chosen episode = chosen_of(of->family, of->task_index, of->difficulty);
    episode.seed = seed;
    return add(selection, &episode, capacity, error);
}

static bool select_explicit(asked *a, const sb_request *request, sb_selection *selection, sb_error *error) {
    size_t capacity = 0;
    if (request->split || request->count || request->counts)
        return sb_fail(error, SB_INVALID, "seeds: give either explicit seeds, or a split and count");
    for (size_t task = 0, difficulty = 0; next_pair(a, &task, &difficulty); difficulty++) {
        const char *seeds = request->seeds;
        item it;
        while (next_item(&seeds, &it)) {
            uint64_t first, last;
            if (!it.fits || !read_range(it.text, &first, &last))
                return sb_fail(error, SB_INVALID,
                               "seeds: `%.40s` is neither a seed from 0 to 2^64-1 nor a range like 0..24", it.text);
            if (last - first >= most_of(selection)) return too_many(selection, error);
            sb_chosen episode = chosen_of(a->family, task, difficulty);
            for (episode.seed = first;; episode.seed++) {
                if (!add(selection, &episode, &capacity, error)) return false;
                if (episode.seed == last) break;
            }
        }
    }
    return request->repeats || check_repeats(selection, error) || sb_fail_at(error, "seeds");
}

/* ---- Derived seeds ---- */

static size_t most_wanted(const asked *a) {
    size_t most = 0;
    for (size_t task = 0, difficulty = 0; next_pair(a, &task, &difficulty); difficulty++) {
        const size_t count = count_of(a, task, difficulty);
        if (count > most) most = count;
    }
    return most;
}

static bool derive(const asked *a, const char *split, size_t count, const sb_selection *selection, sb_pack *pack,
                   sb_error *error) {
    size_t n = 0;
    for (size_t task = 0, difficulty = 0; next_pair(a, &task, &difficulty); difficulty++) n++;
    sb_pack_task *pairs = calloc(n + 1, sizeof *pairs);
    if (!pairs) return sb_fail(error, SB_MEMORY, "out of memory for a selection");
    n = 0;
    for (size_t task = 0, difficulty = 0; next_pair(a, &task, &difficulty); difficulty++)
        pairs[n++] = pair_at(a, task, difficulty);
    const size_t most = most_of(selection);
    const bool ok = count > most || n * count > most
                        ? too_many(selection, error)
                        : sb_pack_derive(pack, a->family->name, split, pairs, n, count, error);
    free(pairs);
    return ok;
}

static bool add_lists(const asked *a, const sb_pack *pack, sb_selection *selection, sb_error *error) {
    size_t capacity = 0;
    for (size_t task = 0, difficulty = 0; next_pair(a, &task, &difficulty); difficulty++) {
        const sb_pack_task pair = pair_at(a, task, difficulty);
        const sb_seed_list *list = sb_pack_find(pack, pair.task, pair.difficulty);
        sb_chosen episode = chosen_of(a->family, task, difficulty);
        const size_t most = count_of(a, task, difficulty);
        for (size_t i = 0; i < list->n && i < most; i++) {
            episode.seed = list->seeds[i];
            if (!add(selection, &episode, &capacity, error)) return false;
        }
    }
    return true;
}

static bool select_derived(asked *a, const sb_request *request, sb_selection *selection, sb_error *error) {
    const char *split = request->split ? request->split : "eval";
    sb_pack pack = {0};
    if (!ask_counts(request, a, error)) return false;
    const size_t count = request->counts ? most_wanted(a) : request->count ? request->count : sb_official_length(split);
    if (count == 0 && request->counts)
        return sb_fail(error, SB_INVALID, "the selection is empty: `count` names none of its tasks and difficulties");
    if (count == 0)
        return sb_fail(error, SB_INVALID, "split: `%.40s` is not a published split, so it needs a count as well",
                       split);
    const bool ok = derive(a, split, count, selection, &pack, error) && add_lists(a, &pack, selection, error);
    sb_pack_clear(&pack);
    return ok || sb_fail_at(error, "split %s", split);
}

static bool select_named(const sb_request *request, sb_selection *selection, sb_error *error) {
    size_t capacity = 0;
    sb_request rest = *request;
    rest.n_names = 0;
    rest.where = rest.spread = NULL;
    if (!sb_request_is_empty(&rest))
        return sb_fail(error, SB_INVALID,
                       "give either names of episodes, or a selection by task, difficulty and seeds");
    for (size_t i = 0; i < request->n_names; i++) {
        sb_name name;
        sb_resolved of;
        if (!sb_resolve_text(request->catalogue, request->names[i], &name, &of, error) ||
            !sb_selection_add(selection, &of, name.seed, &capacity, error))
            return false;
    }
    return request->repeats || check_repeats(selection, error);
}

/* Digests say which episodes are meant; under other rules the seeds give others. */
static bool has_same_rules(const sb_pack *pack, const sb_family *family, sb_error *error) {
    char rules[SB_RULES_NAME];
    sb_rules_name(family, NULL, rules);
    return !*pack->rules || sb_rules_agree("the pack with its digests was made", pack->rules, rules, error);
}

bool sb_select_pack(const sb_catalogue *catalogue, const sb_pack *pack, sb_selection *selection, sb_error *error) {
    size_t capacity = 0;
    *selection = (sb_selection){.catalogue = catalogue};
    const sb_family *family = sb_family_find(pack->family, error);
    if (!family || !has_same_rules(pack, family, error)) return false;
    for (size_t i = 0; i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        size_t task, difficulty;
        if (!sb_task_find(catalogue, family, list->task, &task, error) ||
            !sb_difficulty_find(family, sb_task_at(catalogue, family, task), list->difficulty, &difficulty, error))
            return false;
        sb_chosen episode = chosen_of(family, task, difficulty);
        for (size_t k = 0; k < list->n; k++) {
            episode.seed = list->seeds[k];
            if (!add(selection, &episode, &capacity, error)) return false;
        }
    }
    return family;
}

bool sb_select(const sb_request *request, sb_selection *selection, sb_error *error) {
    return sb_select_at_most(request, SB_SELECTION_MAX, selection, error);
}

/* For some pairs finding instances takes long, so it is done once and the result is kept in a pack. */
static bool check_not_derived(const sb_request *request, const asked *a, sb_error *error) {
    for (size_t task = 0, difficulty = 0; next_pair(a, &task, &difficulty); difficulty++) {
        const sb_task_info *info = sb_task_at(request->catalogue, a->family, task);
        if (sb_is_derived(a->family, info, difficulty))
            return sb_fail(error, SB_INVALID,
                           "%s/%s: its episodes take long to find, so they are selected from a pack: %s", info->name,
                           pair_at(a, task, difficulty).difficulty, a->family->imports->how_to_derive);
    }
    return true;
}

static bool choose(const sb_request *request, size_t most, sb_selection *selection, sb_error *error) {
    const sb_chooser *chooser = sb_catalogue_chooser(request->catalogue);
    if (!chooser) return sb_fail(error, SB_INVALID, "episodes cannot be chosen by what they demand here");
    return chooser->choose(chooser->context, request, most, selection, error);
}

bool sb_select_at_most(const sb_request *request, size_t most, sb_selection *selection, sb_error *error) {
    asked a;
    *selection = (sb_selection){.catalogue = request->catalogue, .most = most};
    if (sb_request_demands(request)) return choose(request, most, selection, error);
    if (request->n_names) return select_named(request, selection, error);
    if (!ask(request, &a, error)) return false;
    size_t task = 0, difficulty = 0;
    if (!next_pair(&a, &task, &difficulty))
        return sb_fail(error, SB_INVALID, "the selection is empty: no task matches everything that was asked for");
    if (!check_not_derived(request, &a, error)) return false;
    const bool ok = (request->seeds ? select_explicit : select_derived)(&a, request, selection, error);
    free(a.shares);
    return ok && (selection->n || sb_fail(error, SB_INVALID, "the selection is empty"));
}

bool sb_select_pairs(const sb_request *request, sb_selection *selection, sb_error *error) {
    asked a;
    size_t capacity = 0;
    *selection = (sb_selection){.catalogue = request->catalogue};
    if (!ask(request, &a, error)) return false;
    for (size_t task = 0, difficulty = 0; next_pair(&a, &task, &difficulty); difficulty++) {
        const sb_chosen pair = chosen_of(a.family, task, difficulty);
        if (!add(selection, &pair, &capacity, error)) return false;
    }
    return selection->n ||
           sb_fail(error, SB_INVALID, "the selection is empty: no task matches everything that was asked for");
}

/* ---- Rules ---- */

static void put_rules_of(const sb_selection *selection, const sb_family *family, sb_out *out) {
    bool wanted[SB_TASKS_MAX + 1] = {false}; /* by task; the last one: rules of the family */
    for (size_t i = 0; i < selection->n; i++) {
        const size_t index = selection->episodes[i].task;
        if (sb_selection_family(selection, i) != family) continue;
        wanted[sb_task_at(selection->catalogue, family, index)->rules ? index : SB_TASKS_MAX] = true;
    }
    for (size_t i = 0; i <= SB_TASKS_MAX; i++) {
        char rules[SB_RULES_NAME];
        if (!wanted[i]) continue;
        sb_rules_name(family, i < SB_TASKS_MAX ? sb_task_at(selection->catalogue, family, i) : NULL, rules);
        sb_put_comma(out);
        sb_put_json_string(out, rules);
    }
}

void sb_selection_put_rules(const sb_selection *selection, sb_out *out) {
    sb_puts(out, "[");
    for (const sb_family *const *family = sb_families; *family; family++) put_rules_of(selection, *family, out);
    sb_puts(out, "]");
}
