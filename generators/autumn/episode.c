#include "generators/autumn/episode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "generators/autumn/challenges/test.h"
#include "generators/autumn/worlds/start.h"

/* ---- Start ---- */

static void empty(sb_autumn_episode *e) {
    sb_autumn_test_free(e->test);
    sb_autumn_free(e->state);
    sb_autumn_release(e->compiled);
    *e = (sb_autumn_episode){0};
}

void sb_autumn_clear(sb_env *env) {
    empty(env->state);
    free(env->state);
    env->state = NULL;
}

static bool make_room(sb_env *env, sb_error *error) {
    if (!env->state) env->state = calloc(1, sizeof(sb_autumn_episode));
    return env->state || sb_fail(error, SB_MEMORY, "out of memory for an episode");
}

/* Turns an episode to a program, of which it takes over a use. */
static bool turn_to(sb_autumn_episode *e, const sb_autumn_task *task, sb_autumn_compiled *compiled, sb_error *error) {
    empty(e);
    if (!compiled) return false;
    *e = (sb_autumn_episode){.compiled = compiled, .task = task, .state = sb_autumn_new(compiled->program)};
    return e->state || sb_fail(error, SB_MEMORY, "out of memory for an episode");
}

static const sb_autumn_world *world_in(const sb_env *env) { return sb_autumn_task_of(env->task)->world; }

bool sb_autumn_episode_start(sb_env *env, int32_t *max_steps, sb_error *error) {
    const sb_autumn_task *task = sb_autumn_task_of(env->task);
    const sb_autumn_generator generator = sb_autumn_variant_in(env) == SB_AUTUMN_AS_PUBLISHED ? SB_AUTUMN_PUBLISHED
                                                                                              : SB_AUTUMN_PCG64;
    if (!make_room(env, error)) return false;
    sb_autumn_episode *e = env->state;
    const bool is_other = !e->state || e->task != task ||
                          (task->world && e->compiled->difficulty != env->difficulty_index);
    if (is_other && !turn_to(e, task, sb_autumn_compile(task, env->difficulty_index, error), error)) return false;
    if (sb_autumn_is_challenge(sb_autumn_variant_in(env))) return sb_autumn_test_start(env, max_steps, error);
    sb_autumn_test_free(e->test);
    e->test = NULL;
    *max_steps = env->shape.max_steps;
    if (task->world) return sb_world_start(e->compiled, env->name.seed, e->state, NULL, error);
    return sb_autumn_start(e->state, generator, env->name.seed, NULL) ||
           sb_autumn_fail(sb_autumn_fault_of(e->state), env->name.task, error);
}

/* ---- Steps ---- */

/* A score is rewarded where it rises, and a win by itself otherwise. */
static void judge(const sb_autumn_episode *e, int32_t score, sb_result *result) {
    const sb_autumn_world *w = sb_autumn_world_of(e->compiled->program);
    const sb_autumn_standing *now = sb_autumn_standing_of(e->state);
    result->success = now->won, result->terminated = now->won || now->lost;
    result->reward = w->has_score ? (double)(now->score - score) / w->score_max : now->won;
    result->dense = w->has_reward ? now->reward / 100.0 : result->reward;
}

double sb_autumn_score_of(const sb_autumn_episode *e) {
    return (double)sb_autumn_standing_of(e->state)->score / sb_autumn_world_of(e->compiled->program)->score_max;
}

void sb_autumn_episode_step(sb_env *env, sb_action action, sb_result *result) {
    const sb_autumn_episode *e = env->state;
    if (e->test) {
        sb_autumn_test_step(env, action, result);
        return;
    }
    const int32_t score = sb_autumn_standing_of(e->state)->score;
    *result = (sb_result){.fault = !sb_autumn_step(e->state, sb_autumn_event_of(env, action), NULL)};
    if (result->fault) return;
    result->truncated = env->status.steps + 1 >= env->status.max_steps;
    if (world_in(env)) judge(e, score, result);
}

/* In worlds the step limit is none of the rules. */
bool sb_autumn_episode_extend(sb_env *env, int32_t max_steps) {
    (void)max_steps;
    return world_in(env) != NULL;
}

void sb_autumn_tell_fault(const sb_env *env, sb_out *out) {
    sb_error error;
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    sb_autumn_fail(e->test ? sb_autumn_test_fault(e) : sb_autumn_fault_of(e->state), env->task->name, &error);
    sb_puts(out, error.text);
}

bool sb_autumn_episode_reseed(sb_env *env, uint64_t seed) {
    const sb_autumn_episode *e = env->state;
    if (!e->task->draws) return false;
    sb_autumn_reseed(e->state, seed);
    return true;
}

/* ---- Actions ---- */

void sb_autumn_valid(const sb_env *env, bool *mask) {
    if (sb_autumn_episode_of(env)->test)
        sb_autumn_test_valid(env, mask);
    else
        memset(mask, true, sb_mask_size(&env->shape));
}

void sb_autumn_effective(const sb_env *env, bool *mask) {
    if (sb_autumn_episode_of(env)->test)
        sb_autumn_test_effective(env, mask);
    else
        sb_autumn_effective_events(env, mask);
}

void sb_autumn_print_action(const sb_env *env, sb_action action, sb_out *out) {
    char room[32];
    if (!sb_autumn_is_event(env, action)) {
        sb_puts(out, sb_autumn_test_button(sb_autumn_variant_in(env), action, room));
        return;
    }
    sb_autumn_put_event(out, sb_autumn_event_of(env, action));
}

/* Reads a number up to a character, which it steps over. */
static bool read_number(const char **text, char end, int32_t below, int32_t *number) {
    char digits[8];
    uint64_t value;
    const char *stop = strchr(*text, end);
    const size_t n = stop ? (size_t)(stop - *text) : 0;
    if (!stop || n >= sizeof digits) return false;
    memcpy(digits, *text, n);
    digits[n] = '\0';
    if (!sb_parse_uint(digits, &value) || value >= (uint64_t)below) return false;
    *number = (int32_t)value;
    *text = stop + 1;
    return true;
}

/* Whether a text, in lower case and with underscores for spaces, is the name of a button. */
static bool is_button(const char *text, const char *name) {
    for (; *text && *name; text++, name++)
        if (*text != (*name == ' ' ? '_' : (char)tolower((unsigned char)*name))) return false;
    return !*text && !*name;
}

static bool parse_button(const sb_env *env, const char *text, sb_action *action) {
    char room[32];
    for (sb_action a = SB_AUTUMN_N_BUTTONS; a < env->shape.n_buttons; a++)
        if (is_button(text, sb_autumn_test_button(sb_autumn_variant_in(env), a, room))) return *action = a, true;
    return false;
}

bool sb_autumn_parse_action(const sb_env *env, const char *text, sb_action *action) {
    static const char click[] = "click_"; /* callers write underscores for spaces */
    const int32_t width = env->shape.click_width;
    int32_t x, y;
    sb_autumn_key key;
    if (sb_autumn_key_find(text, strlen(text), &key)) return *action = (sb_action)key, true;
    if (parse_button(env, text, action)) return true;
    if (strncmp(text, click, sizeof click - 1) != 0) return false;
    text += sizeof click - 1;
    if (!read_number(&text, '_', width, &x) || !read_number(&text, '\0', env->shape.click_height, &y)) return false;
    *action = env->shape.n_buttons + y * width + x;
    return true;
}

/* ---- Copies and keys ---- */

bool sb_autumn_episode_copy(sb_env *to, const sb_env *from, sb_error *error) {
    const sb_autumn_episode *source = from->state;
    if (!make_room(to, error)) return false;
    sb_autumn_episode *e = to->state;
    if ((e->compiled != source->compiled || !e->state) &&
        !turn_to(e, source->task, sb_autumn_share(source->compiled), error))
        return false;
    if (!sb_autumn_test_copy(e, source, error)) return false;
    return sb_autumn_copy(e->state, source->state) || sb_fail(error, SB_MEMORY, "out of memory for a copy");
}

/* Without memory for the hash, the key is one that no other state has. */
void sb_autumn_episode_key(const sb_env *env, uint64_t key[2]) {
    sb_autumn_episode *e = env->state;
    if (!sb_autumn_hash(e->state, true, key)) key[0] = (uintptr_t)e, key[1] = e->n_failed_keys++;
    if (e->test) sb_autumn_test_add_key(e->test, key);
}
