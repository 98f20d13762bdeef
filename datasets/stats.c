#include "datasets/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "datasets/cast.h"
#include "engine/lookup.h"

/* ---- The teacher beside the observer ---- */

/* Compares who teaches with the observer. Somebody who learns from a dataset sees what the agent is shown, so it can
 * learn what the observer does; where a teacher that knows more acts otherwise, it can only guess. */

/* Whether the teacher of a played tape (who gives the labels, or else who acted) is compared: it is an oracle that sees
 * more than the agent is shown, and the task has an observer. */
static bool teacher_is_compared(const sb_cast *cast, const sb_tape *tape) {
    const sb_name *name = &tape->name;
    return sb_is_privileged(name->family, name->task, sb_cast_teacher(cast, tape->agent)) &&
           sb_oracle_find(name->family, name->task, sb_oracle_names[SB_SEES_OBSERVATIONS]);
}

/* Adds the tape's steps in which a teacher that is compared wants another action than the observer. Costs as much as
 * letting the observer play. */
static bool teacher_compare(sb_actor *actor, const sb_tape *tape, uint64_t *unlike, sb_error *error) {
    sb_env *env = actor->worker.env;
    actor->observer.keeps = SB_PLAYER_KEEPS;
    if (!sb_reset_name(env, &tape->name, error) ||
        !sb_player_begin_as(&actor->observer, sb_oracle_names[SB_SEES_OBSERVATIONS], env, error))
        return false;
    for (size_t i = 0; i < tape->n; i++) {
        sb_result result;
        *unlike += sb_player_act(&actor->observer, env) != sb_tape_label(tape, i);
        if (!sb_step(env, tape->actions[i], &result, error)) return false;
    }
    return true;
}

void sb_stats_free(sb_stats *stats) {
    for (size_t i = 0; i < stats->capacity; i++) free(stats->groups[i].actions);
    free(stats->groups);
    *stats = (sb_stats){0};
}

static void empty(sb_stats_group *group) {
    sb_action_count *actions = group->actions;
    const size_t capacity = group->capacity;
    *group = (sb_stats_group){.actions = actions, .capacity = capacity};
}

void sb_stats_clear(sb_stats *stats) { stats->n = 0; }

/* Finds or makes the group that an episode's name belongs to. Selections are sorted by group, so it is mostly the last
 * one. */
static sb_stats_group *group_of(sb_stats *stats, const sb_name *name, sb_error *error) {
    for (size_t i = stats->n; i-- > 0;)
        if (sb_same_pair(&stats->groups[i].name, name)) return &stats->groups[i];
    const size_t before = stats->capacity;
    if (!SB_GROW(stats->groups, stats->n + 1, stats->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for statistics"), NULL;
    memset(stats->groups + before, 0, (stats->capacity - before) * sizeof *stats->groups);
    sb_stats_group *group = &stats->groups[stats->n++];
    empty(group);
    group->name = *name;
    return group;
}

sb_stats_group *sb_stats_episode(sb_stats *stats, const sb_schedule *schedule, size_t episode, sb_error *error) {
    sb_stats_group *group = group_of(stats, sb_selection_name(&schedule->selection, episode, &(sb_name){0}), error);
    if (!group) return NULL;
    group->selected++;
    group->evaluation += (schedule->fates[episode] & SB_IS_EVALUATION) != 0;
    group->duplicates += (schedule->fates[episode] & SB_IS_DUPLICATE) != 0;
    group->across += (schedule->fates[episode] & SB_IS_ACROSS) != 0;
    group->elsewhere += (schedule->fates[episode] & SB_IS_ELSEWHERE) != 0;
    group->played += !sb_schedule_leaves_out(schedule, episode);
    return group;
}

bool sb_stats_wants(sb_stats_group *group, const sb_schedule *schedule, size_t episode, const sb_tape *tape) {
    group->unreadable += !sb_schedule_leaves_out(schedule, episode) && sb_said_is_unreadable(&tape->said);
    return sb_schedule_wants(schedule, episode, tape);
}

static bool add_tally(sb_stats_group *group, sb_action action, uint64_t n, sb_error *error) {
    size_t at = group->n_actions;
    while (at && group->actions[at - 1].action >= action) at--;
    if (at < group->n_actions && group->actions[at].action == action) return group->actions[at].n += n, true;
    if (!SB_GROW(group->actions, group->n_actions + 1, group->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for statistics");
    memmove(&group->actions[at + 1], &group->actions[at], (group->n_actions - at) * sizeof *group->actions);
    group->actions[at] = (sb_action_count){action, n};
    group->n_actions++;
    return true;
}

/* Widens the group's bounds by those of another; an empty group has no bounds. */
static void widen(sb_stats_group *group, uint64_t min_steps, uint64_t max_steps, double min_return, double max_return) {
    const bool first = group->episodes == 0;
    if (first || min_steps < group->min_steps) group->min_steps = min_steps;
    if (first || max_steps > group->max_steps) group->max_steps = max_steps;
    if (first || min_return < group->min_return) group->min_return = min_return;
    if (first || max_return > group->max_return) group->max_return = max_return;
}

bool sb_stats_keep(sb_stats_group *group, const sb_tape *tape, sb_error *error) {
    const double total = tape->outcome.total;
    widen(group, tape->n, tape->n, total, total);
    group->episodes++, group->successes += tape->outcome.success;
    group->judged += sb_has_success(tape->criterion);
    group->steps += tape->n, group->total += total, group->corrections += tape->n_corrections;
    for (size_t i = 0; i < tape->n; i++)
        if (!add_tally(group, tape->actions[i], 1, error)) return false;
    return true;
}

enum { COMPARED = 1024 /* episodes of a dataset in which the teacher is compared, at most */ };

bool sb_stats_compares(const sb_schedule *schedule, size_t episode, const sb_tape *tape) {
    const size_t every = (schedule->selection.n + COMPARED - 1) / COMPARED;
    return episode % every == 0 && teacher_is_compared(&schedule->cast, tape);
}

bool sb_stats_compare_teacher(sb_stats_group *group, const sb_schedule *schedule, size_t episode, bool always,
                              sb_actor *actor, const sb_tape *tape, sb_error *error) {
    if (always ? !teacher_is_compared(&schedule->cast, tape) : !sb_stats_compares(schedule, episode, tape)) return true;
    group->compared += tape->n;
    return teacher_compare(actor, tape, &group->unlike_observer, error);
}

static void add_counts(sb_stats_group *to, const sb_stats_group *from) {
    if (from->episodes) widen(to, from->min_steps, from->max_steps, from->min_return, from->max_return);
    to->selected += from->selected, to->evaluation += from->evaluation, to->duplicates += from->duplicates;
    to->across += from->across, to->elsewhere += from->elsewhere;
    to->played += from->played, to->episodes += from->episodes, to->successes += from->successes;
    to->judged += from->judged, to->unreadable += from->unreadable;
    to->steps += from->steps, to->total += from->total, to->corrections += from->corrections;
    to->compared += from->compared, to->unlike_observer += from->unlike_observer;
    to->characters += from->characters, to->tokens += from->tokens;
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) to->rows[k] += from->rows[k], to->bytes[k] += from->bytes[k];
}

bool sb_stats_add(sb_stats *stats, const sb_stats *more, sb_error *error) {
    for (size_t i = 0; i < more->n; i++) {
        const sb_stats_group *from = &more->groups[i];
        sb_stats_group *to = group_of(stats, &from->name, error);
        if (!to) return false;
        add_counts(to, from);
        for (size_t k = 0; k < from->n_actions; k++)
            if (!add_tally(to, from->actions[k].action, from->actions[k].n, error)) return false;
    }
    return true;
}

/* Returns the place of the first group of this task and difficulty at or behind `from`. */
static size_t find_group(const sb_stats *stats, size_t from, const sb_name *name) {
    while (from < stats->n && !sb_same_pair(&stats->groups[from].name, name)) from++;
    return from;
}

void sb_stats_sort(sb_stats *stats, const sb_schedule *schedule) {
    const sb_catalogue *catalogue = schedule->selection.catalogue;
    const sb_task_info *task;
    size_t done = 0;
    if (!schedule->drawn && schedule->n_sections == 1) return; /* selected names are in an order of their own */
    for (size_t i = 0; (task = sb_task_at(catalogue, schedule->family, i)); i++)
        for (size_t k = 0; k < sb_difficulties_of(schedule->family, task).n; k++) {
            sb_name name = {0};
            snprintf(name.family, sizeof name.family, "%s", schedule->family->name);
            snprintf(name.task, sizeof name.task, "%s", task->name);
            snprintf(name.difficulty, sizeof name.difficulty, "%s", sb_difficulty_name(schedule->family, task, k));
            const size_t at = find_group(stats, done, &name);
            if (at == stats->n) continue;
            const sb_stats_group group = stats->groups[at];
            memmove(&stats->groups[done + 1], &stats->groups[done], (at - done) * sizeof group);
            stats->groups[done++] = group;
        }
}

sb_stats_group sb_stats_total(const sb_stats *stats) {
    sb_stats_group total = {0};
    for (size_t i = 0; i < stats->n; i++) add_counts(&total, &stats->groups[i]);
    return total;
}

/* ---- For the journal ---- */

/* A whole number of a group, with its key. */
typedef struct count {
    const char *key;
    size_t at;
} count;

static const count counts[] = {{"selected", offsetof(sb_stats_group, selected)},
                               {"evaluation", offsetof(sb_stats_group, evaluation)},
                               {"duplicates", offsetof(sb_stats_group, duplicates)},
                               {"across", offsetof(sb_stats_group, across)},
                               {"played", offsetof(sb_stats_group, played)},
                               {"episodes", offsetof(sb_stats_group, episodes)},
                               {"successes", offsetof(sb_stats_group, successes)},
                               {"steps", offsetof(sb_stats_group, steps)},
                               {"min_steps", offsetof(sb_stats_group, min_steps)},
                               {"max_steps", offsetof(sb_stats_group, max_steps)},
                               {"corrections", offsetof(sb_stats_group, corrections)},
                               {"compared", offsetof(sb_stats_group, compared)},
                               {"unlike_observer", offsetof(sb_stats_group, unlike_observer)},
                               {"characters", offsetof(sb_stats_group, characters)},
                               {"tokens", offsetof(sb_stats_group, tokens)}};
enum { N_COUNTS = sizeof counts / sizeof *counts, N_PLAIN = N_COUNTS - 3 /* counts that tapes alone give */ };

static uint64_t *count_in(const sb_stats_group *group, const count *c) {
    return (uint64_t *)((uintptr_t)group + c->at);
}

static void print_uints(sb_out *out, const char *key, const uint64_t *values, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) sb_put_comma(out), sb_put_json_uint(out, values[i]);
    sb_puts(out, "]");
}

void sb_stats_print(const sb_stats *stats, sb_out *out) {
    sb_puts(out, "[");
    for (size_t i = 0; i < stats->n; i++) {
        const sb_stats_group *g = &stats->groups[i];
        char name[SB_NAME_MAX];
        sb_name_print(&g->name, name, sizeof name);
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "first", name);
        for (size_t k = 0; k < N_COUNTS; k++) sb_member_uint(out, counts[k].key, *count_in(g, &counts[k]));
        if (g->elsewhere) sb_member_uint(out, "elsewhere", g->elsewhere);
        if (g->unreadable) sb_member_uint(out, "unreadable", g->unreadable);
        sb_member_double(out, "return", g->total);
        sb_member_double(out, "min_return", g->min_return);
        sb_member_double(out, "max_return", g->max_return);
        print_uints(out, "rows", g->rows, SB_FORMATS_MAX);
        print_uints(out, "bytes", g->bytes, SB_FORMATS_MAX);
        sb_put_key(out, "actions");
        sb_puts(out, "[");
        for (size_t k = 0; k < g->n_actions; k++) {
            sb_put_comma(out);
            sb_puts(out, "["), sb_put_int(out, g->actions[k].action), sb_puts(out, ", ");
            sb_put_json_uint(out, g->actions[k].n), sb_puts(out, "]");
        }
        sb_puts(out, "]}");
    }
    sb_puts(out, "]");
}

static bool read_uints(const cJSON *object, const char *key, uint64_t *values, size_t n, sb_error *error) {
    const cJSON *list, *item;
    size_t i = 0;
    if (!sb_json_array(object, key, &list, error)) return false;
    cJSON_ArrayForEach(item, list) if (i == n || !sb_json_is_uint(item, &values[i++])) return sb_fail(error, SB_INVALID,
                                                                                                      "key `%s`", key);
    return i == n || sb_fail(error, SB_INVALID, "key `%s` should have %zu items", key, n);
}

static bool read_actions(const cJSON *object, sb_stats_group *group, sb_error *error) {
    const cJSON *list, *item;
    if (!sb_json_array(object, "actions", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        uint64_t action, n;
        if (cJSON_GetArraySize(item) != 2 || !sb_json_is_uint(item->child, &action) || action > INT32_MAX ||
            !sb_json_is_uint(item->child->next, &n))
            return sb_fail(error, SB_INVALID, "key `actions` should be a list of [action, count]");
        if (!add_tally(group, (sb_action)action, n, error)) return false;
    }
    return true;
}

static bool read_group(const sb_catalogue *catalogue, const cJSON *object, sb_stats *stats, sb_error *error) {
    const char *text;
    sb_name name;
    sb_resolved of;
    if (!sb_json_string(object, "first", &text, error) || !sb_resolve_text(catalogue, text, &name, &of, error))
        return false;
    sb_stats_group *group = group_of(stats, &name, error);
    if (!group) return false;
    for (size_t k = 0; k < N_COUNTS; k++)
        if (!sb_json_uint(object, counts[k].key, count_in(group, &counts[k]), error)) return false;
    group->judged = sb_has_success(sb_criterion_of(&of)) ? group->episodes : 0;
    return sb_json_optional_uint(object, "elsewhere", &group->elsewhere, error) &&
           sb_json_optional_uint(object, "unreadable", &group->unreadable, error) &&
           sb_json_double(object, "return", &group->total, error) &&
           sb_json_double(object, "min_return", &group->min_return, error) &&
           sb_json_double(object, "max_return", &group->max_return, error) &&
           read_uints(object, "rows", group->rows, SB_FORMATS_MAX, error) &&
           read_uints(object, "bytes", group->bytes, SB_FORMATS_MAX, error) && read_actions(object, group, error);
}

bool sb_stats_read(const sb_catalogue *catalogue, const cJSON *list, sb_stats *stats, sb_error *error) {
    const cJSON *item;
    sb_stats_clear(stats);
    if (!cJSON_IsArray(list)) return sb_fail(error, SB_INVALID, "statistics should be a list");
    cJSON_ArrayForEach(item, list) if (!read_group(catalogue, item, stats, error)) return sb_fail_at(error,
                                                                                                     "statistics");
    return true;
}

/* ---- Comparing ---- */

static bool same_actions(const sb_stats_group *a, const sb_stats_group *b) {
    if (a->n_actions != b->n_actions) return false;
    for (size_t i = 0; i < a->n_actions; i++)
        if (a->actions[i].action != b->actions[i].action || a->actions[i].n != b->actions[i].n) return false;
    return true;
}

/* Returns the key of the first difference between two groups; NULL: none. */
static const char *difference(const sb_stats_group *said, const sb_stats_group *is) {
    for (size_t k = 0; k < N_PLAIN; k++)
        if (*count_in(said, &counts[k]) != *count_in(is, &counts[k])) return counts[k].key;
    if (said->elsewhere != is->elsewhere) return "elsewhere";
    if (said->unreadable != is->unreadable) return "unreadable";
    if (said->total != is->total) return "return";
    if (said->min_return != is->min_return || said->max_return != is->max_return) return "min_return or max_return";
    return same_actions(said, is) ? NULL : "actions";
}

bool sb_stats_compare(const sb_stats *said, const sb_stats *is, sb_error *error) {
    if (said->n != is->n)
        return sb_fail(error, SB_MISMATCH, "statistics: there are %zu groups, but should be %zu", said->n, is->n);
    for (size_t i = 0; i < said->n; i++) {
        const sb_stats_group *a = &said->groups[i], *b = &is->groups[i];
        const char *what = sb_compare_names(&a->name, &b->name) == 0 ? difference(a, b) : "first";
        if (what) return sb_fail(error, SB_MISMATCH, "statistics: `%s` of %s is wrong", what, b->name.task);
    }
    return true;
}

/* ---- stats.json ---- */

static double mean(double sum, uint64_t n) { return n ? sum / (double)n : 0; }

static void print_bounds(sb_out *out, const char *key, double mean_, double least, double most) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_member_double(out, "mean", mean_);
    sb_member_double(out, "min", least);
    sb_member_double(out, "max", most);
    sb_puts(out, "}");
}

/* Writes the success rate; null if no episode's task has success. */
static void print_rate(sb_out *out, const sb_stats_group *g) {
    if (g->episodes && !g->judged)
        sb_put_key(out, "success_rate"), sb_puts(out, "null");
    else
        sb_member_double(out, "success_rate", mean((double)g->successes, g->judged));
}

static void print_numbers(const sb_stats_group *g, const sb_schedule *schedule, sb_out *out) {
    sb_member_uint(out, "selected", g->selected);
    sb_member_uint(out, "evaluation", g->evaluation);
    sb_member_uint(out, "duplicates", g->duplicates);
    sb_member_uint(out, "across", g->across);
    if (schedule->n_splits > 1) sb_member_uint(out, "elsewhere", g->elsewhere);
    sb_member_uint(out, "filtered", g->played - g->episodes);
    if (g->unreadable) sb_member_uint(out, "unreadable", g->unreadable);
    sb_member_uint(out, "episodes", g->episodes);
    sb_member_uint(out, "successes", g->successes);
    print_rate(out, g);
    sb_member_uint(out, "total_steps", g->steps);
    if (schedule->cast.epsilon > 0) sb_member_uint(out, "corrected_steps", g->corrections);
    if (g->compared) {
        sb_member_uint(out, "compared_steps", g->compared);
        sb_member_uint(out, "unlike_observer", g->unlike_observer);
    }
    print_bounds(out, "steps", mean((double)g->steps, g->episodes), (double)g->min_steps, (double)g->max_steps);
    print_bounds(out, "return", mean(g->total, g->episodes), g->min_return, g->max_return);
    sb_put_key(out, "formats");
    sb_puts(out, "{");
    for (size_t k = 0; k < schedule->n_exports; k++) {
        sb_put_key(out, schedule->exports[k].name);
        sb_puts(out, "{");
        sb_member_uint(out, "rows", g->rows[k]);
        sb_member_uint(out, "bytes", g->bytes[k]);
        sb_puts(out, "}");
    }
    sb_puts(out, "}");
}

static bool print_actions(const sb_stats_group *g, sb_env *env, sb_out *out, sb_error *error) {
    if (!sb_reset_name(env, &g->name, error)) return false;
    sb_put_key(out, "actions");
    sb_puts(out, "{");
    for (size_t i = 0; i < g->n_actions; i++) {
        char name[64];
        sb_action_name(env, g->actions[i].action, name, sizeof name);
        sb_member_uint(out, name, g->actions[i].n);
    }
    sb_puts(out, "}");
    return true;
}

static bool print_groups(const sb_stats *stats, const sb_schedule *schedule, sb_env *env, sb_out *out,
                         sb_error *error) {
    for (size_t i = 0; i < stats->n; i++) {
        const sb_stats_group *g = &stats->groups[i];
        sb_puts(out, i ? ",\n  {" : "\n  {");
        sb_member_text(out, "task", g->name.task);
        sb_member_text(out, "difficulty", g->name.difficulty);
        print_numbers(g, schedule, out);
        if (!print_actions(g, env, out, error)) return false;
        sb_puts(out, "}");
    }
    return true;
}

bool sb_stats_document(const sb_stats *stats, const sb_schedule *schedule, sb_out *out, sb_error *error) {
    const sb_stats_group total = sb_stats_total(stats);
    sb_env *env = sb_make(schedule->selection.catalogue, NULL, error);
    if (!env) return false;
    sb_puts(out, "{");
    sb_member_text(out, "format", SB_STATS_FORMAT);
    sb_member_uint(out, "version", SB_STATS_VERSION);
    sb_puts(out, ",\n \"total\": {");
    print_numbers(&total, schedule, out);
    sb_puts(out, "},\n \"groups\": [");
    const bool ok = print_groups(stats, schedule, env, out, error);
    sb_puts(out, "]}\n");
    sb_free(env);
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for statistics"));
}
