/* Hints, reasons and tapes. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/environment.h"
#include "oracles/reasons.h"
#include "rollout/tape.h"
#include "web/session.h"

void sb_web_forget(sb_web *web) {
    sb_web_asked *asked = &web->asked;
    sb_player_clear(&asked->player);
    sb_free(asked->replay);
    sb_claimer_free(asked->claimer), sb_costs_free(asked->costs);
    *asked = (sb_web_asked){.answered = -1};
}

/* ---- Hints ---- */

static bool remembers(const sb_player *player) {
    return player->random || (player->oracle && player->oracle->remembers);
}

/* A copy of the episode as it started. */
static bool start_replay(sb_web *web) {
    char name[SB_NAME_MAX];
    sb_name_print(&web->env->name, name, sizeof name);
    sb_free(web->asked.replay);
    return (web->asked.replay = sb_make(web->env->catalogue, name, &web->error)) != NULL;
}

static bool begin(sb_web *web, const char *agent) {
    sb_player *player = &web->asked.player;
    if (strlen(agent) >= sizeof player->own)
        return sb_fail(&web->error, SB_UNKNOWN, "there is no agent `%.40s`", agent);
    snprintf(player->own, sizeof player->own, "%s", agent);
    if (!sb_player_begin_as(player, player->own, web->env, &web->error)) return false;
    if (!remembers(player)) return web->asked.has_begun = true;
    if (!start_replay(web) || !sb_player_begin_as(player, player->own, web->asked.replay, &web->error)) return false;
    return web->asked.has_begun = true;
}

/* Lets the player act, but only once in each state: an agent that remembers would take a second time for another
 * state. */
static void act(sb_web_asked *asked, const sb_env *env) {
    if (asked->answered == env->status.steps) return;
    asked->action = sb_player_act(&asked->player, env);
    asked->answered = env->status.steps;
}

/* Shows the player all that was played since it was shown something. */
static bool catch_up(sb_web *web) {
    sb_env *replay = web->asked.replay;
    sb_result result;
    while (replay && replay->status.steps < web->env->status.steps) {
        act(&web->asked, replay);
        if (!sb_step(replay, web->env->log[replay->status.steps], &result, &web->error)) return false;
    }
    return true;
}

static bool answer(sb_web *web, const char *agent) {
    sb_web_asked *asked = &web->asked;
    if (sb_status_of(web->env)->done) return sb_fail(&web->error, SB_FINISHED, "the episode is over");
    if (asked->has_begun && strcmp(asked->player.own, agent) != 0) sb_web_forget(web);
    if (!asked->has_begun && !begin(web, agent)) return false;
    if (!catch_up(web)) return false;
    act(asked, asked->replay ? asked->replay : web->env);
    return true;
}

static void put_hint(sb_web *web) {
    const sb_intent *intent = sb_player_intent(&web->asked.player);
    sb_out *out = &web->out;
    char name[64];
    sb_action_name(web->env, web->asked.action, name, sizeof name);
    sb_putc(out, '{');
    sb_member_int(out, "action", web->asked.action);
    sb_member_text(out, "name", name);
    sb_member_text(out, "agent", web->asked.player.own);
    if (intent->verb) sb_member_text(out, "verb", intent->verb);
    if (intent->verb && *intent->object) sb_member_text(out, "object", intent->object);
    if (intent->verb && intent->at.x >= 0) sb_put_key(out, "at"), sb_putf(out, "[%d, %d]", intent->at.x, intent->at.y);
    sb_put_key(out, "intent");
    sb_putc(out, '"');
    out->json = true, sb_put_intent(out, intent), out->json = false;
    sb_puts(out, "\"}");
}

bool sb_web_hint(sb_web *web) {
    if (!sb_web_has_episode(web)) return false;
    const char *agent = web->in.size ? web->in.data : sb_default_agent(&web->env->name);
    if (!answer(web, agent)) return sb_web_forget(web), sb_web_failed(web);
    put_hint(web);
    return true;
}

static bool make_claimer(sb_web *web) {
    sb_web_asked *asked = &web->asked;
    if (asked->claimer) return true;
    if (!asked->costs) asked->costs = sb_costs_make(asked->player.own, &web->error);
    if (!asked->costs) return false;
    return (asked->claimer = sb_claimer_make(asked->player.own, asked->costs, &web->error)) != NULL;
}

bool sb_web_reason(sb_web *web, int depth) {
    sb_web_asked *asked = &web->asked;
    sb_claims claims;
    if (!sb_web_has_episode(web)) return false;
    if (asked->answered != web->env->status.steps)
        return sb_fail(&web->error, SB_INVALID, "a reason explains a hint: ask for a hint at this step first"),
               sb_web_failed(web);
    const sb_reason_wording wording = {(sb_depth)depth, (uint64_t)web->env->status.steps, true};
    if (!make_claimer(web) || !sb_claims_find(asked->claimer, web->env, asked->action, sb_player_intent(&asked->player),
                                              wording.depth, &claims, &web->error))
        return sb_web_failed(web);
    if (claims.n) sb_put_reason(&web->out, web->env, &claims, &wording);
    return true;
}

/* ---- Tapes ---- */

bool sb_web_tape(sb_web *web) {
    if (!sb_web_has_episode(web)) return false;
    sb_tape *tape = sb_tape_of(web->env, web->in.data, &web->error);
    if (!tape) return sb_web_failed(web);
    sb_tape_put(tape, &web->out);
    sb_tape_free(tape);
    return true;
}

static bool replay(sb_web *web, const sb_tape *tape) {
    sb_web_forget(web);
    const bool ok = sb_tape_replay(tape, web->env, NULL, NULL, &web->error);
    sb_web_stand(web, &(sb_result){0});
    return ok;
}

bool sb_web_replay(sb_web *web) {
    sb_tape *tape = sb_tape_load(web->env->catalogue, web->in.data, web->in.size, &web->error);
    const bool ok = tape && replay(web, tape);
    sb_tape_free(tape);
    return ok || sb_web_failed(web);
}

bool sb_web_read_tape(sb_web *web) {
    sb_tape *tape = sb_tape_load(web->env->catalogue, web->in.data, web->in.size, &web->error);
    sb_out *out = &web->out;
    char name[SB_NAME_MAX];
    if (!tape) return sb_web_failed(web);
    sb_name_print(&tape->name, name, sizeof name);
    sb_out_clear(out);
    sb_putc(out, '{');
    sb_member_text(out, "name", name);
    sb_member_text(out, "agent", tape->agent);
    sb_put_key(out, "actions");
    sb_putc(out, '[');
    for (size_t i = 0; i < tape->n; i++) sb_put_comma(out), sb_put_int(out, tape->actions[i]);
    sb_puts(out, "]}");
    sb_tape_free(tape);
    return true;
}
