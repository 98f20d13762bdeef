#include "evaluation/efficiency.h"

#include "base/error.h"
#include "rollout/scorecard.h"

const double sb_efficiency_stops[SB_EFFICIENCY_STOPS] = {0.5, 1, 2, 3, 5};

/* ---- Scores of an episode ---------------------------------------------------------------------------------------- */

/* The score if only the first levels count as completed. */
static double score_of(const sb_effort *effort, size_t completed) {
    double scores[SB_EFFORT_LEVELS] = {0};
    for (size_t i = 0; i < completed; i++) scores[i] = sb_rhae_level(effort->baselines[i], effort->actions[i]);
    return sb_rhae_game(scores, effort->n_levels);
}

double sb_effort_score(const sb_effort *effort) { return score_of(effort, effort->completed); }

static uint64_t sum(const uint32_t *numbers, size_t n) {
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++) all += numbers[i];
    return all;
}

uint64_t sb_effort_actions(const sb_effort *effort) { return sum(effort->actions, effort->n_levels); }

double sb_effort_score_at(const sb_effort *effort, double actions) {
    size_t completed = 0;
    while (completed < effort->completed && (double)sum(effort->actions, completed + 1) <= actions) completed++;
    return score_of(effort, completed);
}

double sb_effort_matched(const sb_effort *effort) {
    const uint64_t actions = sb_effort_actions(effort);
    double scores[SB_EFFORT_LEVELS] = {0};
    for (size_t i = 0; i < effort->n_levels && sum(effort->baselines, i + 1) <= actions; i++) scores[i] = 100;
    return sb_rhae_game(scores, effort->n_levels);
}

void sb_efficiency_add(sb_efficiency *sums, const sb_effort *effort) {
    const double baselines = (double)sum(effort->baselines, effort->n_levels);
    sums->episodes++;
    sums->levels_completed += effort->completed, sums->levels += effort->n_levels;
    sums->actions += sb_effort_actions(effort), sums->solving_actions += sum(effort->actions, effort->completed);
    sums->resets += effort->resets, sums->losses += effort->losses;
    sums->matched += sb_effort_matched(effort);
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++)
        sums->stopped[i] += sb_effort_score_at(effort, sb_efficiency_stops[i] * baselines);
}

/* ---- Documents --------------------------------------------------------------------------------------------------- */

static void put_numbers(sb_out *out, const char *key, const uint32_t *numbers, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) sb_put_comma(out), sb_put_uint(out, numbers[i]);
    sb_puts(out, "]");
}

void sb_member_effort(sb_out *out, const sb_effort *effort) {
    if (!effort->n_levels) return;
    sb_put_key(out, "efficiency");
    sb_puts(out, "{");
    sb_member_double(out, "score", sb_effort_score(effort));
    sb_member_uint(out, "levels_completed", effort->completed);
    sb_member_uint(out, "resets", effort->resets);
    sb_member_uint(out, "losses", effort->losses);
    put_numbers(out, "level_actions", effort->actions, effort->n_levels);
    put_numbers(out, "level_baselines", effort->baselines, effort->n_levels);
    sb_puts(out, "}");
}

static bool read_count(const cJSON *object, const char *key, uint32_t *count, sb_error *error) {
    uint64_t value;
    if (!sb_json_uint(object, key, &value, error)) return false;
    *count = (uint32_t)value;
    return value <= UINT32_MAX || sb_fail(error, SB_INVALID, "key `%s` is too large", key);
}

static bool read_numbers(const cJSON *object, const char *key, uint32_t least, uint32_t *numbers, size_t *n,
                         sb_error *error) {
    const cJSON *list, *item;
    double number;
    *n = 0;
    if (!sb_json_array(object, key, &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        if (*n == SB_EFFORT_LEVELS || !sb_json_is_whole(item, least, INT32_MAX, &number))
            return sb_fail(error, SB_INVALID, "key `%s` should be a list of at most %d counts of actions", key,
                           SB_EFFORT_LEVELS);
        numbers[(*n)++] = (uint32_t)number;
    }
    return true;
}

static bool read_members(const cJSON *object, sb_effort *effort, sb_error *error) {
    static const char *const keys[] = {"score",         "levels_completed", "resets", "losses",
                                       "level_actions", "level_baselines",  NULL};
    size_t n, n_baselines;
    double score;
    if (!sb_json_known_keys(object, keys, error) || !sb_json_double(object, "score", &score, error) ||
        !read_count(object, "levels_completed", &effort->completed, error) ||
        !read_count(object, "resets", &effort->resets, error) ||
        !read_count(object, "losses", &effort->losses, error) ||
        !read_numbers(object, "level_actions", 0, effort->actions, &n, error) ||
        !read_numbers(object, "level_baselines", 1, effort->baselines, &n_baselines, error))
        return false;
    effort->n_levels = (uint32_t)n;
    if (n == 0 || n != n_baselines || effort->completed > n)
        return sb_fail(error, SB_INVALID, "there should be a number of actions and a baseline for every level");
    return score == sb_effort_score(effort) ||
           sb_fail(error, SB_MISMATCH, "key `score` does not follow from actions and baselines");
}

bool sb_read_effort(const cJSON *episode, sb_effort *effort, sb_error *error) {
    const cJSON *object;
    return sb_json_object(episode, "efficiency", &object, error) &&
           (read_members(object, effort, error) || sb_fail_at(error, "efficiency"));
}

void sb_member_efficiency(sb_out *out, const sb_efficiency *e) {
    if (!e->episodes) return;
    sb_put_key(out, "efficiency");
    sb_puts(out, "{");
    sb_member_text(out, "name", e->name);
    sb_member_uint(out, "episodes", e->episodes);
    sb_member_double(out, "score", e->score);
    sb_put_key(out, "interval");
    sb_puts(out, "[");
    sb_put_double(out, e->interval.lower), sb_put_comma(out), sb_put_double(out, e->interval.upper);
    sb_puts(out, "]");
    sb_member_uint(out, "levels_completed", e->levels_completed);
    sb_member_uint(out, "levels", e->levels);
    sb_member_uint(out, "actions", e->actions);
    sb_member_uint(out, "actions_on_completed_levels", e->solving_actions);
    sb_member_uint(out, "resets", e->resets);
    sb_member_uint(out, "losses", e->losses);
    sb_member_double(out, "matched_budget", e->matched);
    sb_put_key(out, "score_after");
    sb_puts(out, "[");
    for (size_t i = 0; i < SB_EFFICIENCY_STOPS; i++) {
        sb_put_comma(out), sb_puts(out, "[");
        sb_put_double(out, sb_efficiency_stops[i]), sb_put_comma(out), sb_put_double(out, e->stopped[i]);
        sb_puts(out, "]");
    }
    sb_puts(out, "]}");
}
