#include "evaluation/certify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "oracles/search/copies.h"
#include "rollout/player.h"

const char *const sb_certificate_verdicts[3] = {"solved", "impossible", "unknown"};

static const char expert[] = "expert";

/* What a worker keeps from episode to episode. */
typedef struct bench {
    sb_stage stage;
    sb_copies copies; /* without memory until an episode needs it */
} bench;

static void free_bench(void *data) {
    bench *b = data;
    sb_stage_free(&b->stage);
    sb_copies_close(&b->copies);
}

static void free_certificate(void *data) { sb_tape_free(&((sb_certificate *)data)->tape); }

static void add_method(sb_certificate *c, const char *method) {
    const size_t n = strlen(c->method);
    snprintf(c->method + n, sizeof c->method - n, "%s%s", n ? ", " : "", method);
}

static bool copy_tape(sb_tape *to, const sb_tape *from, sb_error *error) {
    sb_action *actions = to->actions;
    size_t capacity = to->capacity;
    if (!actions || capacity < from->n) {
        actions = realloc(actions, (from->n + 1) * sizeof *actions);
        if (!actions) return sb_fail(error, SB_MEMORY, "out of memory for a tape");
        capacity = from->n + 1;
    }
    memcpy(actions, from->actions, from->n * sizeof *actions);
    *to = *from;
    to->actions = actions, to->capacity = capacity;
    return true;
}

/* Does the expert solve it? */
static bool try_expert(bench *b, const sb_name *name, sb_certificate *c, sb_error *error) {
    sb_stage *stage = &b->stage;
    if (!sb_oracle_find(name->family, name->task, expert)) return true;
    if (!sb_stage_play(stage, expert, name, NULL, NULL, error)) return false;
    c->states += stage->player.budget.spent;
    if (!stage->tape.outcome.success) return true;
    c->verdict = SB_CERTIFIED_SOLVED;
    add_method(c, expert);
    return copy_tape(&c->tape, &stage->tape, error);
}

static bool ask_expert(bench *b, const sb_name *name, sb_certificate *c, sb_error *error) {
    const sb_oracle *oracle = sb_oracle_find(name->family, name->task, expert);
    if (!oracle || !oracle->judge) return true;
    sb_player *player = &b->stage.player;
    if (!sb_player_begin(player, expert, b->stage.env, error)) return false;
    const sb_verdict verdict = oracle->judge(player->memory, b->stage.env, &player->budget);
    c->states += player->budget.spent;
    if (verdict == SB_IMPOSSIBLE) add_method(c, expert);
    return true;
}

/* Plays the plan that the search found, for its tape. */
static bool play_plan(bench *b, const sb_name *name, sb_certificate *c, sb_error *error) {
    sb_env *env = b->stage.env;
    const int n = sb_copies_plan(&b->copies, NULL, 0);
    sb_action *actions = malloc(sizeof *actions * (size_t)(n + 1));
    if (!actions) return sb_fail(error, SB_MEMORY, "out of memory for a plan");
    sb_copies_plan(&b->copies, actions, n);
    bool ok = sb_reset_name(env, name, error);
    if (ok) sb_tape_begin(&c->tape, env, "search");
    for (int i = 0; i < n && ok; i++) {
        sb_result result;
        ok = sb_step(env, actions[i], &result, error) && sb_tape_append(&c->tape, actions[i], error);
    }
    free(actions);
    if (!ok) return false;
    sb_tape_finish(&c->tape, env);
    if (!c->tape.outcome.success) return sb_fail(error, SB_MISMATCH, "the plan found by the search does not succeed");
    c->verdict = SB_CERTIFIED_SOLVED;
    add_method(c, "search");
    return true;
}

/* The last resort: with a proof at hand it is not tried. */
static bool try_search(bench *b, uint64_t limit, const sb_name *name, sb_certificate *c, sb_error *error) {
    sb_budget budget = {.limit = limit};
    sb_verdict verdict;
    sb_env *env = b->stage.env;
    if (env->family->bound && env->family->bound(env) < 0) add_method(c, "bound");
    if (c->method[0]) return true;
    if (!b->copies.memory && !sb_copies_open(&b->copies, (uint32_t)limit, error)) return false;
    if (!sb_copies_search(&b->copies, env, &budget, &verdict, error)) return false;
    c->states += budget.spent;
    if (verdict == SB_SOLVED) return play_plan(b, name, c, error);
    if (verdict == SB_IMPOSSIBLE) add_method(c, "exhausted");
    return true;
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const sb_certification *what = context;
    const sb_name *name = &what->selection->names[index];
    bench *b = scratch;
    sb_certificate *c = slot;
    c->verdict = SB_UNCERTIFIED, c->method[0] = '\0', c->states = 0;
    if (!b->stage.env && !(b->stage.env = sb_make(NULL, error))) return false;
    if (!try_expert(b, name, c, error)) return false;
    if (c->verdict == SB_CERTIFIED_SOLVED) return true;
    if (!sb_reset_name(b->stage.env, name, error) || !ask_expert(b, name, c, error) ||
        !try_search(b, what->budget, name, c, error)) {
        char text[SB_NAME_MAX];
        sb_name_print(name, text, sizeof text);
        return sb_fail_at(error, "%s", text);
    }
    if (c->verdict == SB_UNCERTIFIED && c->method[0]) c->verdict = SB_CERTIFIED_IMPOSSIBLE;
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    const sb_certification *what = context;
    return what->take(what->context, &what->selection->names[index], slot, error);
}

bool sb_certify(const sb_certification *certification, sb_error *error) {
    const sb_pool pool = {.workers = certification->jobs,
                          .context = (void *)(uintptr_t)certification,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_certificate),
                          .scratch_size = sizeof(bench),
                          .free_slot = free_certificate,
                          .free_scratch = free_bench};
    return sb_pool_run(&pool, certification->selection->n, error);
}

void sb_certificate_print(const sb_name *name, const sb_certificate *c, sb_out *out) {
    char text[SB_NAME_MAX];
    sb_name_print(name, text, sizeof text);
    sb_puts(out, "{");
    sb_member_text(out, "episode", text);
    sb_member_text(out, "verdict", sb_certificate_verdicts[c->verdict]);
    sb_member_text(out, "method", c->method);
    sb_member_uint(out, "states", c->states);
    if (c->verdict == SB_CERTIFIED_SOLVED) sb_member_uint(out, "steps", c->tape.n);
    sb_puts(out, "}\n");
}
