#include "evaluation/episode.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "evaluation/efficiency.h"
#include "evaluation/testing.h"
#include "rollout/recorded.h"

const char *const sb_winnable_names[3] = {"unknown", "solved", "impossible"};

unsigned sb_partly_told(const sb_played *played) {
    const sb_said *said = &played->tape.said;
    unsigned told = ~0u;
    for (size_t i = 0; i < said->n; i++) {
        const bool is_lost = played->failure.kind && said->remarks[i].step == played->tape.n;
        if (said->remarks[i].counters.value[SB_CALLS] > 0 && !is_lost) told &= said->remarks[i].counters.has;
    }
    return ~told & ((1u << SB_COUNTERS) - 1);
}

/* ---- Writing ---- */

/* Writes how the episode ended. An episode that the agent failed is no success. */
static void put_outcome(sb_out *out, const sb_played *played) {
    sb_status end = played->tape.outcome;
    end.success = sb_won(played);
    sb_member_success(out, played->tape.criterion, &end);
}

void sb_played_print(const sb_played *played, sb_out *out) {
    char name[SB_NAME_MAX];
    const sb_status *end = &played->tape.outcome;
    sb_name_print(&played->tape.name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_text(out, "episode", name);
    if (played->attempt) sb_member_uint(out, "attempt", played->attempt);
    put_outcome(out, played);
    sb_member_double(out, "return", end->total);
    sb_member_double(out, "dense_return", end->dense_total);
    sb_member_uint(out, "steps", played->tape.n);
    sb_member_bool(out, "terminated", end->terminated);
    sb_member_bool(out, "truncated", end->truncated);
    sb_member_standing(out, played->tape.criterion, end);
    sb_member_effort(out, &played->tape.effort);
    sb_member_test(out, &played->tape.test);
    sb_member_text(out, "digest", played->tape.digest);
    sb_put_key(out, "actions");
    sb_putc(out, '"');
    sb_actions_print(played->tape.actions, played->tape.n, out);
    sb_putc(out, '"');
    sb_counters_print(&played->spent, out);
    sb_said_print(&played->tape.said, out);
    if (played->winnable) sb_member_text(out, "certificate", sb_winnable_names[played->winnable]);
    if (played->failure.kind) {
        sb_put_key(out, "error");
        sb_puts(out, "{");
        sb_member_text(out, "kind", sb_failure_names[played->failure.kind]);
        sb_put_key(out, "text");
        if (played->tape.said.lost.size)
            sb_put_json_bytes(out, played->tape.said.lost.data, played->tape.said.lost.size);
        else
            sb_put_json_string(out, played->failure.text);
        sb_puts(out, "}");
    }
    sb_puts(out, "}");
}

/* ---- Reading ---- */

static bool read_failure(const cJSON *episode, sb_played *played, sb_error *error) {
    sb_failure *failure = &played->failure;
    const cJSON *object;
    const char *text;
    const size_t first = SB_NO_FAILURE + 1;
    size_t index;
    if (!cJSON_GetObjectItemCaseSensitive(episode, "error")) return true;
    if (!sb_json_object(episode, "error", &object, error) ||
        !sb_json_word(object, "kind", sb_failure_names + first, SB_N_FAILURES - first, &index, error) ||
        !sb_json_string(object, "text", &text, error))
        return sb_fail_at(error, "error");
    failure->kind = (sb_failure_kind)(first + index);
    sb_copy_plain(failure->text, sizeof failure->text, text);
    return strlen(text) < sizeof failure->text || sb_said_lose(&played->tape.said, text, error);
}

static bool read_certificate(const cJSON *episode, sb_winnable *winnable, sb_error *error) {
    size_t index = 0;
    if (!sb_json_optional_word(episode, "certificate", sb_winnable_names, 3, &index, error)) return false;
    *winnable = (sb_winnable)index;
    return true;
}

static bool read_attempt(const cJSON *episode, uint32_t *attempt, sb_error *error) {
    uint64_t number = 0;
    if (!cJSON_GetObjectItemCaseSensitive(episode, "attempt")) return true;
    if (!sb_json_uint(episode, "attempt", &number, error)) return false;
    *attempt = (uint32_t)number;
    return (number >= 1 && number <= SB_ATTEMPTS_MAX) ||
           sb_fail(error, SB_INVALID, "key `attempt` should be a number from 1 to %d", SB_ATTEMPTS_MAX);
}

/* Reads the sums of what the agent reported, which follow from its remarks. Results of before 0.2 have only a cost. */
static bool read_spent(const cJSON *episode, sb_played *played, sb_error *error) {
    const sb_said *said = &played->tape.said;
    const sb_counters due = sb_said_total(said);
    if (!sb_counters_read(episode, SB_COUNTER_SUM_MAX, &played->spent, error)) return false;
    for (int i = 0; i < SB_COUNTERS; i++) {
        const bool differs = played->spent.value[i] != due.value[i] || ((played->spent.has ^ due.has) & 1u << i);
        if (differs && (said->n || i != SB_COST))
            return sb_fail(error, SB_INVALID, "key `%s` is not the sum of what was said", sb_counter_names[i]);
    }
    if (memcmp(played->spent.mark, due.mark, sizeof due.mark) != 0 ||
        sb_has_marks(&played->spent) != sb_has_marks(&due))
        return sb_fail(error, SB_INVALID, "key `marks` is not the sum of what was said");
    return true;
}

/* Reads the efficiency of an episode, which it has if its family measures that. */
static bool read_effort(const cJSON *episode, sb_tape *tape, sb_error *error) {
    const sb_family *family = tape->of.family;
    tape->effort = (sb_effort){0};
    if (family->efficiency) return sb_read_effort(episode, &tape->effort, error);
    return !cJSON_HasObjectItem(episode, "efficiency") ||
           sb_fail(error, SB_INVALID, "key `efficiency`: it is not measured in the family %s", family->name);
}

bool sb_played_read(const sb_catalogue *catalogue, const cJSON *episode, uint64_t *room, sb_played *played,
                    sb_error *error) {
    static const char *const keys[] = {"episode",     "attempt",    "success",   "return",         "dense_return",
                                       "steps",       "terminated", "truncated", SB_STANDING_KEYS, "digest",
                                       "actions",     "efficiency", "test",      "said",           SB_COUNTER_KEYS,
                                       "certificate", "error",      NULL};
    sb_tape *tape = &played->tape;
    if (!sb_json_known_keys(episode, keys, error) || !sb_recorded_read(catalogue, episode, room, tape, error) ||
        !read_effort(episode, tape, error) || !sb_read_test(episode, tape, error) ||
        !read_failure(episode, played, error) || !read_certificate(episode, &played->winnable, error) ||
        !read_attempt(episode, &played->attempt, error) || !read_spent(episode, played, error))
        return false;
    if (played->failure.kind && tape->outcome.success)
        return sb_fail(error, SB_INVALID, "key `error`: an episode with an error should be no success");
    strcpy(tape->agent, "result");
    played->done = true;
    sb_rules_name(tape->of.family, tape->of.task, tape->rules);
    return true;
}

bool sb_played_replay(const sb_played *played, sb_env *env, sb_error *error) {
    char name[SB_NAME_MAX];
    if (!sb_tape_replay(&played->tape, env, NULL, NULL, error)) return false;
    if (played->failure.kind || played->tape.outcome.done) return true;
    sb_name_print(&played->tape.name, name, sizeof name);
    return sb_fail(error, SB_MISMATCH, "%s: its actions end before the episode does, but there is no error", name);
}
