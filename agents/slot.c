#include "agents/slot.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "engine/lookup.h"

const char *const sb_message_names[3] = {
    [SB_MESSAGE_RESET] = "reset", [SB_MESSAGE_STEP] = "step", [SB_MESSAGE_END] = "end"};

bool sb_slot_begin(sb_slot *slot, const sb_name *name, uint32_t attempt, sb_error *error) {
    slot->attempt = attempt, slot->next = SB_MESSAGE_RESET;
    slot->reward = 0, slot->taken = 0;
    slot->failure.kind = SB_NO_FAILURE;
    slot->frames.grows = true;
    sb_out_clear(&slot->frames);
    if (!sb_reset_name(slot->env, name, error)) return false;
    sb_tape_begin(slot->tape, slot->env, "program");
    return true;
}

bool sb_slot_look(sb_slot *slot, const cJSON *hello) {
    sb_error why;
    sb_brush_free(slot->brush);
    slot->brush = NULL;
    return (sb_hello_view(hello, slot->env->family, &slot->view, &why) &&
            sb_hello_brush(hello, slot->env->family, &slot->brush, &why)) ||
           sb_failed(&slot->failure, SB_FAILED_NONSENSE, "its hello asks for something unknown: %.120s", why.text);
}

void sb_slot_finish(sb_slot *slot) { sb_tape_finish(slot->tape, slot->env); }

void sb_slot_free(sb_slot *slot) {
    free(slot->valid.actions);
    sb_brush_free(slot->brush);
    sb_out_free(&slot->frames);
    *slot = (sb_slot){0};
}

/* ---- Messages ---- */

static void put_episode(sb_out *line, const sb_salt *salt, const sb_slot *slot) {
    const sb_env *env = slot->env;
    sb_member_text(line, "family", env->name.family);
    sb_member_text(line, "task", env->name.task);
    if (env->name.difficulty[0]) sb_member_text(line, "difficulty", env->name.difficulty);
    sb_member_text(line, "category", env->task->category);
    sb_member_text(line, "summary", env->task->summary);
    sb_member_int(line, "max_steps", env->status.max_steps);
    sb_member_int(line, "n_actions", env->n_actions);
    sb_view_print_actions(env, line);
    sb_member_clicks(line, &env->shape);
    sb_member_uint(line, "random_seed", sb_salted_number(salt, &env->name, slot->attempt));
}

static void put_end(sb_out *line, const sb_env *env) {
    const sb_status *status = &env->status;
    sb_member_double(line, "return", status->total);
    sb_member_bool(line, "terminated", status->terminated);
    sb_member_bool(line, "truncated", status->truncated);
    sb_member_success(line, sb_criterion_in(env), status);
    sb_view_print_standing(env, line);
}

bool sb_slot_may_go_on(sb_slot *slot, const sb_slot_rules *rules) {
    if (slot->env->status.done || !rules->steps || slot->tape->n < rules->steps) return true;
    return sb_failed(&slot->failure, SB_FAILED_STEPS, "the episode was not over after the %zu steps allowed",
                     slot->tape->n);
}

bool sb_slot_put(sb_slot *slot, const sb_slot_rules *rules, sb_out *line, sb_error *error) {
    sb_view seen = slot->view;
    sb_member_text(line, "op", sb_message_names[slot->next]);
    if (slot->next == SB_MESSAGE_RESET) {
        put_episode(line, &rules->salt, slot);
        sb_member_instructions(line, &rules->testing, slot->env);
    } else {
        sb_member_int(line, "steps", slot->env->status.steps);
        if (slot->taken) sb_member_uint(line, "taken", slot->taken);
        sb_member_double(line, "reward", slot->reward);
        sb_member_frames(line, &slot->frames); /* frames before the present one */
    }
    if (slot->next == SB_MESSAGE_END) {
        put_end(line, slot->env);
        seen.actions = SB_LIST_NONE;
    }
    return sb_view_print(&seen, slot->env, &slot->valid, line, error) &&
           (!slot->brush || sb_member_picture(line, slot->brush, slot->env, error));
}

/* ---- Replies ---- */

/* A hash of the valid actions, to see whether they change. */
static bool hash_valid(sb_slot *slot, uint64_t key[2], sb_error *error) {
    sb_action_room *room = &slot->valid;
    size_t n = sb_valid_actions(slot->env, room->actions, room->capacity);
    if (n > room->capacity) {
        sb_action *actions = realloc(room->actions, n * sizeof *actions);
        if (!actions) return sb_fail(error, SB_MEMORY, "out of memory for %zu actions", n);
        room->actions = actions, room->capacity = n;
        n = sb_valid_actions(slot->env, actions, n);
    }
    sb_hash128(room->actions ? (const void *)room->actions : "", n * sizeof *room->actions, key);
    return true;
}

/* Takes one step. `stops` tells whether the program wants to be asked now. */
static bool step(sb_slot *slot, sb_action action, unsigned until, bool *stops, sb_error *error) {
    uint64_t before[2] = {0}, after[2] = {0};
    sb_result result;
    const int32_t level = slot->env->status.level;
    if ((until & SB_UNTIL_EVENT) && !hash_valid(slot, before, error)) return false;
    if (!sb_step(slot->env, action, &result, error) || !sb_tape_append(slot->tape, action, error)) return false;
    if ((until & SB_UNTIL_EVENT) && !slot->env->status.done && !hash_valid(slot, after, error)) return false;
    slot->reward += result.reward;
    *stops = ((until & SB_UNTIL_REWARD) && result.reward != 0) ||
             ((until & SB_UNTIL_LEVEL) && slot->env->status.level > level) ||
             ((until & SB_UNTIL_EVENT) && memcmp(before, after, sizeof before) != 0);
    return true;
}

/* Takes a step, and those that tests add to it. */
static bool step_on(sb_slot *slot, const sb_slot_rules *rules, sb_action chosen, unsigned until, bool *stops,
                    sb_error *error) {
    sb_turn turn = sb_turn_of(&rules->testing, slot->env, chosen);
    sb_action next, last = chosen;
    bool stopped = false;
    while (!(rules->steps && slot->tape->n == rules->steps) && sb_turn_next(&turn, &next)) {
        if (turn.taken > 1 && !sb_put_frame_between(&slot->frames, &slot->view, slot->env, last, error)) return false;
        last = next;
        if (!step(slot, last, until, stops, error)) return false;
        stopped |= *stops;
    }
    *stops = stopped;
    return true;
}

/* Takes the actions one after another, until the program wants to be asked, its steps are used up, or the episode is
 * over. */
static bool take_actions(sb_slot *slot, const sb_slot_rules *rules, const sb_reply *reply, sb_error *error) {
    size_t taken = 0;
    bool stops = false;
    slot->reward = 0;
    sb_out_clear(&slot->frames);
    while (taken < reply->n && !stops && !slot->env->status.done && !(rules->steps && slot->tape->n == rules->steps)) {
        if (!step_on(slot, rules, reply->actions[taken], reply->until, &stops, error)) return false;
        taken++;
    }
    slot->taken = reply->several ? taken : 0;
    return true;
}

/* Shows the beginning of the bad reply. */
static bool fail_nonsense(sb_slot *slot, const char *op, const cJSON *object, const char *shown, const char *why) {
    char begin[41] = "";
    char *text = shown ? NULL : cJSON_PrintUnformatted(object);
    if (shown || text) sb_copy_plain(begin, sizeof begin, shown ? shown : text);
    cJSON_free(text);
    return sb_failed(&slot->failure, SB_FAILED_NONSENSE, "it answered `%s` with `%s`: %s", op, begin, why);
}

/* Gives the episode up for the program's own reason. Returns false. */
static bool lose(sb_slot *slot, const sb_reply *reply, sb_error *error) {
    if (!sb_said_lose(&slot->tape->said, reply->lost_text, error)) return false;
    slot->failure.kind = reply->lost;
    sb_copy_plain(slot->failure.text, sizeof slot->failure.text, reply->lost_text);
    return false;
}

bool sb_slot_take(sb_slot *slot, const sb_slot_rules *rules, const cJSON *object, const char *shown, sb_error *error) {
    const char *op = sb_message_names[slot->next];
    sb_reply reply = {0};
    sb_error why;
    const bool read = slot->next == SB_MESSAGE_END ? sb_reply_read_said(object, &reply, &why)
                                                   : sb_reply_read(object, slot->env, &reply, &why);
    const size_t n = reply.thought ? strlen(reply.thought) : 0;
    if (!sb_said_add(&slot->tape->said, slot->tape->n, reply.thought, n, &reply.counters, error)) return false;
    if (!read) return fail_nonsense(slot, op, object, shown, why.text);
    if (reply.lost) return lose(slot, &reply, error);
    if (slot->next == SB_MESSAGE_END) return slot->next = SB_NO_MESSAGE, true;
    if (!take_actions(slot, rules, &reply, error)) return false;
    slot->next = slot->env->status.done ? SB_MESSAGE_END : SB_MESSAGE_STEP;
    return true;
}
