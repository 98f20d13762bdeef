/* Takes the input as a plan. A valid plan is carried out, and its scores are consistent. An invalid one gets an error
 * message, the same from every bot. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/babyai/levels.h"
#include "oracles/babyai/bot.h"
#include "oracles/babyai/decompose.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_stack(const sb_bot *bot) {
    if (bot->n < 1 || bot->n > SB_BOT_STACK_MAX || bot->pushes != 0) abort();
    for (int i = 0; i < bot->n; i++)
        if (bot->stack[i].kind >= SB_N_SUBGOALS || bot->stack[i].reason != SB_NO_REASON) abort();
}

/* Carries the plan out in an episode of BabyBench that depends on the text. */
static void check_scores(const char *text) {
    enum { LEVELS = 16 };
    const sb_mg_level *level = sb_babyai_level(strlen(text) % LEVELS);
    char name[SB_NAME_MAX];
    sb_error error;
    sb_decomposition d;
    snprintf(name, sizeof name, "babyai:%s#%zu", level->info.name, strlen(text) / LEVELS);
    sb_env *env = sb_make(NULL, name, &error);
    if (!env) return;
    if (!sb_bot_decompose(env, text, &d, NULL, 0, &error)) abort();
    if (d.scores.max_help < 1 || d.n > (size_t)sb_status_of(env)->max_steps) abort();
    if (d.scores.precision > d.scores.comprehension || d.scores.assistance > d.scores.comprehension ||
        d.scores.assistance < 0.0)
        abort();
    if (d.scores.precision == 1.0 && d.scores.assistance != 1.0) abort();
    sb_free(env);
}

/* Carries the plan out with the bot that has more trouble with closed doors, full hands and missing things. */
static void check_published(const char *text) {
    sb_bot bot;
    sb_error error;
    sb_env *env = sb_make(NULL, "babyai:BossLevel#0", &error);
    sb_budget budget = {0};
    if (!env) return;
    if (!sb_bot_begin_with_plan(&bot, SB_BOT_PUBLISHED, text, &error)) abort();
    for (int i = 0; i < 100 && !sb_status_of(env)->done; i++) {
        const int taken = i ? (unsigned char)text[(size_t)i % strlen(text)] % SB_MG_N_ACTIONS : SB_BOT_NOT_TOLD;
        sb_result result;
        if (taken != SB_BOT_NOT_TOLD) sb_step(env, taken, &result, &error);
        if (sb_bot_replan(&bot, sb_mg_world_of(env), taken, &budget) >= SB_MG_N_ACTIONS) abort();
    }
    sb_free(env);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    sb_bot bot;
    sb_error error = {0};
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (sb_bot_begin_with_plan(&bot, SB_BOT_OMNIBOT, text, &error)) {
        check_stack(&bot);
        check_scores(text);
        check_published(text);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
