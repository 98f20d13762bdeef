#include "evaluation/testing.h"

#include "base/error.h"
#include "base/json.h"
#include "engine/lookup.h"

const sb_test_kind sb_all_tests = {.name = "all"};
const char *const sb_dynamics_names[2] = {"deterministic", "stochastic"};

const char *sb_test_group(const sb_test_scores *s, const char *all) {
    if (s->category) return s->category;
    return s->dynamics ? s->dynamics : all;
}

static double corrected(double score, const sb_test_kind *kind) { return (score - kind->chance) / (1 - kind->chance); }

void sb_correct_for_chance(sb_test_scores *s) {
    s->corrected = corrected(s->mean, s->kind);
    s->corrected_interval.lower = corrected(s->interval.lower, s->kind);
    s->corrected_interval.upper = corrected(s->interval.upper, s->kind);
}

/* ---- Episodes ---------------------------------------------------------------------------------------------------- */

void sb_member_test(sb_out *out, const sb_test_record *r) {
    if (!r->kind) return;
    sb_put_key(out, "test");
    sb_puts(out, "{");
    sb_member_uint(out, "interaction", r->interaction);
    sb_member_bool(out, "tested", r->tested);
    if (r->kind->detects) {
        if (r->changed) sb_member_uint(out, "changed", r->changed);
        if (r->submitted) sb_member_uint(out, "submitted", r->submitted_at);
        sb_member_double(out, "score_zero", r->score_zero);
    }
    sb_puts(out, "}");
}

static bool read_number(const cJSON *object, const char *key, bool *there, uint32_t *number, sb_error *error) {
    uint64_t value = 0;
    *there = cJSON_HasObjectItem(object, key);
    if (!*there) return true;
    if (!sb_json_uint(object, key, &value, error)) return false;
    *number = (uint32_t)value;
    return value <= INT32_MAX || sb_fail(error, SB_INVALID, "key `%s` is too large", key);
}

static bool read_members(const cJSON *object, sb_test_record *r, sb_error *error) {
    static const char *const all[] = {"interaction", "tested", "changed", "submitted", "score_zero", NULL};
    static const char *const plain[] = {"interaction", "tested", NULL};
    bool there;
    if (!sb_json_known_keys(object, r->kind->detects ? all : plain, error) ||
        !read_number(object, "interaction", &there, &r->interaction, error) ||
        !sb_json_bool(object, "tested", &r->tested, error))
        return false;
    if (!there) return sb_fail(error, SB_INVALID, "key `interaction` is missing");
    if (!r->kind->detects) return true;
    return read_number(object, "changed", &there, &r->changed, error) &&
           read_number(object, "submitted", &r->submitted, &r->submitted_at, error) &&
           sb_json_double(object, "score_zero", &r->score_zero, error);
}

bool sb_read_test(const cJSON *episode, sb_tape *tape, sb_error *error) {
    const cJSON *object;
    tape->test = (sb_test_record){0};
    tape->test.kind = sb_test_kind_of(tape->of.family, tape->of.task, tape->of.difficulty);
    if (!tape->test.kind)
        return !cJSON_HasObjectItem(episode, "test") ||
               sb_fail(error, SB_INVALID, "key `test`: the episode is no test");
    return sb_json_object(episode, "test", &object, error) &&
           (read_members(object, &tape->test, error) || sb_fail_at(error, "test"));
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

void sb_put_test_scores(sb_out *out, const sb_test_scores *s) {
    sb_puts(out, "{");
    sb_member_text(out, "kind", s->kind->name);
    if (s->category) sb_member_text(out, "category", s->category);
    if (s->dynamics) sb_member_text(out, "dynamics", s->dynamics);
    sb_member_uint(out, "episodes", s->episodes);
    sb_member_uint(out, "tested", s->tested);
    sb_member_double(out, "mean_interaction", s->interaction);
    sb_member_double(out, "mean_score", s->mean);
    sb_member_interval(out, "score_interval", &s->interval);
    if (s->kind->chance > 0) {
        sb_member_double(out, "corrected_score", s->corrected);
        sb_member_interval(out, "corrected_interval", &s->corrected_interval);
    }
    if (s->kind->detects) {
        sb_member_double(out, "mean_score_zero", s->zero);
        sb_member_interval(out, "score_zero_interval", &s->zero_interval);
        sb_member_uint(out, "changed", s->changed);
        sb_member_uint(out, "submitted", s->submitted);
    }
    sb_member_exploration_means(out, &s->exploration);
    sb_puts(out, "}");
}
