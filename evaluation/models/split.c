#include "evaluation/models/split.h"

#include <string.h>

#include "evaluation/models/report_print.h"

/* ---- What was seen ----------------------------------------------------------------------------------------------- */

typedef struct splitting {
    const sb_log *train;
    size_t n_train;
    sb_model_split *split;
} splitting;

/* The length of an episode's name without its seed. */
static size_t game_of(const char *name) {
    const char *seed = strrchr(name, '#');
    return seed ? (size_t)(seed - name) : strlen(name);
}

static bool is_same_game(const char *a, const char *b) {
    return game_of(a) == game_of(b) && memcmp(a, b, game_of(a)) == 0;
}

static bool has_level(const sb_log *log, const sb_log_play *play, int32_t level) {
    for (size_t i = 0; i < play->n; i++)
        if (log->transitions[play->first + i].level == level) return true;
    return false;
}

static void look_up(const splitting *s, const char *name, int32_t level, bool *episode, bool *of_level) {
    *episode = *of_level = false;
    for (size_t i = 0; i < s->n_train; i++)
        for (size_t p = 0; p < s->train[i].n_plays; p++) {
            const sb_log_play *play = &s->train[i].plays[p];
            if (!is_same_game(play->name, name)) continue;
            *episode |= strcmp(play->name, name) == 0;
            *of_level = *of_level || has_level(&s->train[i], play, level);
        }
}

static bool sort_verdict(void *context, const sb_model_verdict *v, sb_error *error) {
    const splitting *s = context;
    bool episode, level;
    (void)error;
    if (!v->is_asked) return true;
    look_up(s, v->played->name, v->transition->level, &episode, &level);
    const sb_model_sums one = {.transitions = 1,
                               .asked = 1,
                               .right = v->right[SB_MODEL_PREDICTED],
                               .observed = v->right[SB_MODEL_RENDERED],
                               .pixels = v->pixels,
                               .changes = v->changes,
                               .objects = v->objects,
                               .histogram = v->histogram,
                               .fields_equal = v->fields.equal,
                               .fields_of = v->fields.of};
    sb_model_sums_add(episode ? &s->split->seen : &s->split->unseen, &one);
    sb_model_sums_add(level ? &s->split->seen_levels : &s->split->unseen_levels, &one);
    return true;
}

bool sb_model_check_split(const sb_log *train, size_t n_train, const sb_log *test, size_t n_test,
                          sb_candidate *candidate, const sb_check_options *options, sb_model_split *split,
                          sb_error *error) {
    splitting s = {.train = train, .n_train = n_train, .split = split};
    sb_check_options learning = *options, testing = *options;
    *split = (sb_model_split){0};
    learning.learns = true, learning.visit = NULL;
    testing.learns = false, testing.visit = sort_verdict, testing.context = &s;
    if (sb_model_check(train, n_train, candidate, &learning, &split->train, error) &&
        sb_model_check(test, n_test, candidate, &testing, &split->test, error))
        return true;
    sb_model_split_free(split);
    return false;
}

void sb_model_split_free(sb_model_split *split) {
    sb_model_report_free(&split->train), sb_model_report_free(&split->test);
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void member_sums(sb_out *out, const char *key, const sb_model_sums *sums) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_model_sums_put(sums, out);
    sb_puts(out, "}");
}

static void member_report(sb_out *out, const char *key, const sb_model_report *report) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_model_report_put(report, out);
    sb_puts(out, "}");
}

void sb_model_split_put(const sb_model_split *s, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "format", "seedbed-model-split");
    sb_member_int(out, "version", 1);
    member_sums(out, "episodes_seen", &s->seen), member_sums(out, "episodes_unseen", &s->unseen);
    member_sums(out, "levels_seen", &s->seen_levels), member_sums(out, "levels_unseen", &s->unseen_levels);
    member_report(out, "train", &s->train), member_report(out, "test", &s->test);
    sb_puts(out, "}\n");
}

static void put_line(sb_out *out, const char *what, const sb_model_sums *s) {
    sb_putf(out, "  %-34s", what);
    if (s->asked)
        sb_putf(out, " %6.4f of %llu\n", sb_model_retrodiction(s), (unsigned long long)s->asked);
    else
        sb_puts(out, " -\n");
}

void sb_model_split_tabulate(const sb_model_split *s, sb_out *out) {
    sb_puts(out, "Retrodiction\n");
    put_line(out, "learning, each before it was seen", &s->train.all);
    put_line(out, "test", &s->test.all);
    put_line(out, "test, episodes seen", &s->seen), put_line(out, "test, episodes unseen", &s->unseen);
    put_line(out, "test, levels seen", &s->seen_levels), put_line(out, "test, levels unseen", &s->unseen_levels);
    put_line(out, "copy, on the test", &s->test.copy), put_line(out, "table, on the test", &s->test.table);
    sb_puts(out, "\n");
    sb_model_report_tabulate(&s->test, out);
}
