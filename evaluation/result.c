#include "evaluation/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/estimates.h"

/* ---- Writing ---- */

/* Writes the success rate over the episodes that have success; null if there are none. */
static void put_success(sb_out *out, const sb_tally *t, bool older) {
    if (t->judged != t->episodes) sb_member_uint(out, "judged", t->judged);
    if (t->judged || !t->episodes) {
        sb_member_double(out, "success_rate", t->success_rate);
        sb_member_interval(out, "success_interval", &t->success_interval);
        if (!older) sb_member_interval(out, "success_wilson", &t->success_wilson);
    } else {
        sb_put_key(out, "success_rate"), sb_puts(out, "null");
        sb_put_key(out, "success_interval"), sb_puts(out, "null");
        if (!older) sb_put_key(out, "success_wilson"), sb_puts(out, "null");
    }
}

static void put_score_of(sb_out *out, const sb_tally *t) {
    if (!t->scored) return;
    sb_member_uint(out, "scored", t->scored);
    sb_member_double(out, "mean_score", t->mean_score);
    sb_member_interval(out, "score_interval", &t->score_interval);
}

/* Writes the estimates of pass@1, pass@2, ... in this order. */
static void put_pass_at(sb_out *out, const sb_tally *t) {
    if (!t->n_pass_at) return;
    sb_put_key(out, "pass_at");
    sb_puts(out, "[");
    for (size_t k = 0; k < t->n_pass_at; k++) {
        sb_put_comma(out);
        sb_put_double(out, t->pass_at[k]);
    }
    sb_puts(out, "]");
}

/* Which share of a model's answers had a mark. Without answers there is none. */
static void put_mark_rates(sb_out *out, const sb_counters *spent) {
    const double answers = spent->mark[SB_ANSWERS];
    if (!(answers > 0)) return;
    sb_put_key(out, "mark_rates");
    sb_puts(out, "{");
    for (int i = SB_ANSWER_UNREADABLE; i <= SB_ANSWER_EMPTY; i++)
        sb_member_double(out, sb_answer_marks[i], spent->mark[i] / answers);
    sb_puts(out, "}");
}

/* Writes the mean steps of successes. Without successes it is null; older results say 0. */
static void put_success_steps(sb_out *out, const sb_tally *t, bool older) {
    if (t->successes || older) {
        sb_member_double(out, "mean_steps_of_successes", t->mean_success_steps);
    } else {
        sb_put_key(out, "mean_steps_of_successes"), sb_puts(out, "null");
    }
}

static void put_tally(sb_out *out, const sb_tally *t, bool older) {
    sb_member_uint(out, "episodes", t->episodes);
    sb_member_uint(out, "successes", t->successes);
    sb_member_uint(out, "errors", t->failures);
    if (t->faults) sb_member_uint(out, "faults", t->faults);
    put_success(out, t, older);
    put_pass_at(out, t);
    put_score_of(out, t);
    sb_member_double(out, "mean_return", t->mean_return);
    sb_member_double(out, "return_deviation", t->return_deviation);
    sb_member_double(out, "mean_dense_return", t->mean_dense_return);
    sb_member_double(out, "mean_steps", t->mean_steps);
    put_success_steps(out, t, older);
    sb_member_efficiency(out, &t->efficiency);
    sb_counters_print(&t->spent, out);
    put_mark_rates(out, &t->spent);
    if (t->can_be_won + t->cannot_be_won == 0) return;
    sb_put_key(out, "solvable");
    sb_puts(out, "{");
    sb_member_uint(out, "episodes", t->can_be_won);
    sb_member_uint(out, "successes", t->certified_successes);
    if (t->can_be_won) sb_member_double(out, "success_rate", (double)t->certified_successes / (double)t->can_be_won);
    sb_member_uint(out, "impossible", t->cannot_be_won);
    sb_member_uint(out, "uncertified", t->episodes - t->can_be_won - t->cannot_be_won);
    sb_puts(out, "}");
}

/* What decides how the task's episodes go, where the rules of the family do not tell it. */
static void put_own_rules(sb_out *out, const sb_summary *s, const sb_task_info *task) {
    char rules[SB_RULES_NAME];
    const sb_program *program = sb_task_program(s->catalogue, task);
    sb_rules_name(s->family, task, rules);
    if (task->rules) sb_member_text(out, "rules", rules);
    if (program) sb_member_text(out, "program", program->sha256);
}

static void put_pair(sb_out *out, const sb_summary *s, const sb_pair *pair) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "family", s->family->name);
    sb_member_text(out, "task", pair->task->name);
    sb_member_text(out, "difficulty", pair->difficulty);
    sb_member_text(out, "category", pair->task->category);
    put_own_rules(out, s, pair->task);
    put_tally(out, &pair->tally, s->older);
    if (pair->bounds) {
        sb_member_double(out, "normalised", pair->normalised);
        sb_member_interval(out, "normalised_interval", &pair->normalised_interval);
    }
    sb_puts(out, "}");
}

static void put_groups(sb_out *out, const char *key, const sb_group *groups, size_t n, bool older) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", groups[i].name);
        put_tally(out, &groups[i].tally, older);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_tests(sb_out *out, const sb_summary *s) {
    if (!s->n_tests) return;
    sb_put_key(out, "tests");
    sb_puts(out, "[");
    for (size_t i = 0; i < s->n_tests; i++) sb_put_comma(out), sb_put_test_scores(out, &s->tests[i]);
    sb_puts(out, "]");
}

static void put_parts(sb_out *out, const sb_total *total, bool intervals) {
    sb_put_key(out, "categories");
    sb_puts(out, "[");
    for (size_t i = 0; i < total->n_parts; i++) {
        const sb_category_score *part = &total->parts[i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "name", part->category);
        sb_member_double(out, "score", part->score);
        if (intervals) sb_member_interval(out, "interval", &part->interval);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_score(sb_out *out, const sb_summary *s, sb_score_kind kind) {
    const sb_score *score = &s->scores[kind];
    sb_put_key(out, sb_score_names[kind]);
    sb_puts(out, "{");
    sb_put_key(out, "score");
    if (!score->known) {
        sb_puts(out, "null");
        sb_member_text(out, "missing", score->missing);
    } else {
        sb_put_double(out, score->total.score);
        sb_member_interval(out, "interval", &score->total.interval);
        sb_member_uint(out, "tasks", score->tasks);
        sb_member_uint(out, "of", s->family->n_tasks);
        if (score->total.n_parts) put_parts(out, &score->total, kind == SB_SCORE_CAPABILITY);
    }
    sb_puts(out, "}");
}

static bool put_summary(sb_out *out, const sb_results *results, const sb_summary *s, sb_error *error) {
    char rules[SB_RULES_NAME];
    sb_rules_name(s->family, NULL, rules);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "name", s->family->name);
    sb_member_text(out, "rules", rules);
    sb_put_key(out, "scores");
    sb_puts(out, "{");
    for (sb_score_kind kind = 0; kind < SB_N_SCORES; kind++) put_score(out, s, kind);
    sb_puts(out, "}");
    if (!sb_estimates_print(results, out, error)) return false;
    sb_put_key(out, "all");
    sb_puts(out, "{");
    put_tally(out, &s->all, s->older);
    sb_puts(out, "}");
    put_groups(out, "categories", s->categories, s->n_categories, s->older);
    put_groups(out, "difficulties", s->difficulties, s->n_difficulties, s->older);
    put_tests(out, s);
    sb_put_key(out, "tasks");
    sb_puts(out, "[");
    for (size_t i = 0; i < s->n_pairs; i++) put_pair(out, s, &s->pairs[i]);
    sb_puts(out, "]}");
    return true;
}

bool sb_result_print_families(const sb_results *results, const sb_baseline *baseline, sb_out *out, sb_error *error) {
    sb_put_key(out, "families");
    sb_puts(out, "[");
    for (const sb_family *const *family = sb_families; *family; family++) {
        sb_summary summary;
        if (!sb_has_family(results, *family)) continue;
        const bool ok = sb_summarise(results, *family, baseline, &summary, error) &&
                        put_summary(out, results, &summary, error);
        sb_summary_free(&summary);
        if (!ok) return false;
    }
    sb_puts(out, "]");
    return true;
}

static void put_baseline(const sb_baseline *baseline, sb_out *out) {
    sb_put_key(out, "baseline");
    sb_puts(out, "{");
    if (baseline->frozen) sb_member_uint(out, "version", baseline->frozen);
    sb_member_text(out, "sha256", baseline->hash);
    sb_puts(out, "}");
}

/* What a plugin says that it sees. Nobody can check that, so it says so itself. */
static void put_sight(sb_out *out, sb_plugin_kind sees) {
    sb_member_text(out, "sees", sb_plugin_kinds[sees]);
    sb_member_bool(out, "privileged", sees == SB_PLUGIN_EVERYTHING);
    sb_member_text(out, "assurance", SB_PLUGIN_STANDING);
}

/* How programs were tested, where that differs from what the episodes say. */
static void put_testing(sb_out *out, const sb_agent_options *limits) {
    char sha256[SB_SHA256_HEX];
    if (limits->interaction) sb_member_uint(out, "interaction", limits->interaction);
    if (limits->frames > 1) sb_member_uint(out, "frames_per_action", limits->frames);
    if (!limits->instructions) return;
    sb_sha256_hex(limits->instructions, strlen(limits->instructions), sha256);
    sb_member_text(out, "instructions_sha256", sha256);
}

void sb_result_print_agent(const sb_results *results, const char *spec, const sb_agent_options *limits, sb_out *out) {
    const bool is_program = sb_agent_is_process(results->kind);
    sb_puts(out, "{");
    sb_member_text(out, "name", results->agent);
    sb_member_text(out, "kind", sb_agent_kinds[results->kind]);
    sb_member_text(out, "spec", spec);
    if (results->sees) put_sight(out, results->sees);
    if (limits && is_program) {
        sb_member_uint(out, "start_seconds", limits->start_seconds);
        sb_member_uint(out, "reply_seconds", limits->reply_seconds);
    }
    if (limits && limits->steps) sb_member_uint(out, "steps", limits->steps);
    if (limits && is_program) sb_member_bool(out, "fresh", limits->fresh);
    if (limits) put_testing(out, limits);
    if (*results->salt) sb_member_text(out, "salt", results->salt);
    if (results->about) sb_put_key(out, "about"), sb_puts(out, results->about);
    sb_puts(out, "}");
}

static void put_episodes(const sb_results *results, sb_out *out) {
    sb_puts(out, ", \"episodes\": [");
    for (size_t i = 0; i < results->n; i++) {
        sb_puts(out, i ? ",\n" : "\n");
        sb_played_print(&results->episodes[i], out);
    }
    sb_puts(out, "\n]");
}

/* What is printed has today's version, and so have its intervals, also where older results are printed again. */
bool sb_result_print(const sb_results *played, const sb_result_context *context, bool episodes, sb_out *out,
                     sb_error *error) {
    sb_results today = *played;
    today.version = SB_RESULT_VERSION;
    const sb_results *results = &today;
    sb_puts(out, "{");
    sb_member_text(out, "format", SB_RESULT_FORMAT);
    sb_member_int(out, "version", SB_RESULT_VERSION);
    sb_member_text(out, "seedbed", SB_VERSION);
    sb_put_key(out, "agent");
    if (context->agent)
        sb_puts(out, context->agent);
    else
        sb_result_print_agent(results, context->spec, context->limits, out);
    sb_put_key(out, "selection");
    sb_puts(out, context->selection);
    sb_plays_print(&results->plays, out);
    put_baseline(context->baseline, out);
    if (!sb_result_print_families(results, context->baseline, out, error)) return false;
    if (episodes) put_episodes(results, out);
    sb_puts(out, "}\n");
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the result");
}
