#include "oracles/player.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

static const char random_agent[] = "random";

bool sb_agent_exists(const char *agent, const char *family, const char *task, sb_error *error) {
    if (strcmp(agent, random_agent) == 0 || sb_oracle_find(family, task, agent)) return true;
    const char *oracles[SB_ORACLES_MAX];
    const size_t n = sb_oracles_of(family, task, oracles);
    sb_out names = sb_out_fixed((char[120]){0}, 120);
    for (size_t i = 0; i < n; i++) sb_putf(&names, "%s, ", oracles[i]);
    sb_puts(&names, random_agent);
    sb_out_finish(&names);
    const bool is_program = strpbrk(agent, "/. ") != NULL;
    return sb_fail(error, SB_UNKNOWN, "%s has no agent `%.40s`; known agents: %s%s", task, agent, names.data,
                   is_program ? "; a program of your own is `exec:COMMAND`, for commands that take one" : "");
}

/* ---- Memories ---- */

static void free_memory(const sb_kept *kept) {
    if (kept->oracle->close) kept->oracle->close(kept->memory);
    free(kept->memory);
}

/* Returns the oracle's memory and keeps it no longer; NULL if it is not kept. */
static void *take_kept(sb_player *player, const sb_oracle *oracle) {
    for (size_t i = 0; i < player->n_kept; i++) {
        void *memory = player->kept[i].memory;
        if (player->kept[i].oracle != oracle) continue;
        memmove(player->kept + i, player->kept + i + 1, (--player->n_kept - i) * sizeof *player->kept);
        return memory;
    }
    return NULL;
}

/* Frees what lies beyond the bytes that the player keeps. */
static void forget_oldest(sb_player *player) {
    size_t bytes = 0, n = 0;
    while (n < player->n_kept && (bytes += player->kept[n].oracle->memory) <= player->keeps) n++;
    while (player->n_kept > n) free_memory(&player->kept[--player->n_kept]);
}

/* Keeps the memory of the oracle that played last, or frees it. */
static void put_away(sb_player *player) {
    const sb_kept last = {player->oracle, player->memory};
    if (!last.memory) return;
    player->memory = NULL, player->oracle = NULL;
    if (player->n_kept == player->kept_capacity) {
        const size_t capacity = player->kept_capacity + 16;
        sb_kept *kept = player->keeps ? realloc(player->kept, capacity * sizeof *kept) : NULL;
        if (!kept) { /* the memory is only a cache */
            free_memory(&last);
            return;
        }
        player->kept = kept, player->kept_capacity = capacity;
    }
    memmove(player->kept + 1, player->kept, player->n_kept++ * sizeof *player->kept);
    player->kept[0] = last;
    forget_oldest(player);
}

void sb_player_clear(sb_player *player) {
    put_away(player);
    while (player->n_kept) free_memory(&player->kept[--player->n_kept]);
    free(player->kept);
    sb_free(player->shown);
    *player = (sb_player){0};
}

/* Finds or makes the oracle's memory, in which nothing is remembered. */
static bool make_memory(sb_player *player, const sb_oracle *oracle, sb_error *error) {
    if (player->oracle != oracle) {
        put_away(player);
        player->memory = take_kept(player, oracle);
        player->oracle = player->memory ? oracle : NULL;
    }
    if (player->memory) {
        if (oracle->remembers && oracle->close) oracle->close(player->memory);
        memset(player->memory, 0, oracle->remembers);
        return true;
    }
    player->memory = calloc(1, oracle->memory + 1);
    if (!player->memory) return sb_fail(error, SB_MEMORY, "out of memory for the oracle's %zu bytes", oracle->memory);
    player->oracle = oracle;
    return true;
}

/* ---- Playing ---- */

bool sb_show(sb_env **shown, const sb_env *env, sb_error *error) {
    if (!*shown && !(*shown = sb_make(env->catalogue, NULL, error))) return false;
    if (!sb_copy(*shown, env, error)) return false;
    (*shown)->name.seed = 0;
    if (env->family->hide) env->family->hide(*shown);
    return true;
}

sb_rng sb_draws_of(const sb_name *name, const char *purpose) {
    char text[SB_NAME_MAX];
    uint8_t digest[32];
    uint64_t seed = 0;
    sb_sha256 hash;
    sb_rng rng;
    sb_name_print(name, text, sizeof text);
    sb_sha256_begin(&hash);
    sb_sha256_add(&hash, purpose, strlen(purpose));
    sb_sha256_add(&hash, "::", 2);
    sb_sha256_add(&hash, text, strlen(text));
    sb_sha256_end(&hash, digest);
    for (int i = 0; i < 8; i++) seed = seed << 8 | digest[i];
    sb_rng_seed(&rng, seed, NULL);
    return rng;
}

/* Draws an entry of the list of valid actions first, because otherwise the many clicks would leave the few buttons
 * almost no chance. */
static sb_action random_entry(const sb_env *env, sb_rng *rng) {
    sb_action valid[SB_MASK_MAX];
    const size_t n = sb_valid_actions(env, valid, SB_MASK_MAX);
    const sb_action entry = n ? valid[sb_integers(rng, 0, (int64_t)n)] : 0;
    if (entry < env->shape.n_buttons) return entry;
    return entry + (sb_action)sb_integers(rng, 0, env->n_actions - env->shape.n_buttons);
}

sb_action sb_random_action(const sb_env *env, sb_rng *rng) {
    return sb_has_clicks(&env->shape) ? random_entry(env, rng) : (sb_action)sb_integers(rng, 0, env->n_actions);
}

bool sb_player_begin_as(sb_player *player, const char *agent, const sb_env *env, sb_error *error) {
    if (!sb_agent_exists(agent, env->name.family, env->name.task, error)) return false;
    const sb_oracle *oracle = sb_oracle_find(env->name.family, env->name.task, agent);
    if (oracle && !make_memory(player, oracle, error)) return false;
    if (oracle && oracle->sees == SB_SEES_OBSERVATIONS && !sb_show(&player->shown, env, error)) return false;
    player->agent = agent, player->random = !oracle;
    player->budget = (sb_budget){.limit = player->states ? player->states : SB_DEFAULT_BUDGET};
    player->intent = (sb_intent){0};
    if (player->random) player->rng = sb_draws_of(&env->name, random_agent);
    return !oracle || !oracle->begin || oracle->begin(player->memory, env, &player->budget, error);
}

sb_action sb_player_act(sb_player *player, const sb_env *env) {
    sb_action action;
    sb_observation observation = {.env = env};
    if (player->random) return sb_random_action(env, &player->rng);
    if (player->oracle->sees == SB_SEES_OBSERVATIONS) {
        sb_error none; /* cannot fail: begin made room for the copy */
        sb_show(&player->shown, env, &none);
        observation.env = player->shown;
    }
    player->oracle->act(player->memory, &observation, &player->budget, &action, &player->intent);
    return action;
}

const sb_intent *sb_player_intent(const sb_player *player) { return &player->intent; }

sb_player *sb_player_make(const char *agent, sb_error *error) {
    sb_player *player = calloc(1, sizeof *player);
    if (!player) return sb_fail(error, SB_MEMORY, "out of memory for a player"), NULL;
    if (strlen(agent) < sizeof player->own) return strcpy(player->own, agent), player;
    free(player);
    return sb_fail(error, SB_UNKNOWN, "there is no agent `%.40s`", agent), NULL;
}

void sb_player_free(sb_player *player) {
    if (!player) return;
    sb_player_clear(player);
    free(player);
}

void sb_player_set_budget(sb_player *player, uint64_t states) { player->states = states; }

bool sb_player_begin(sb_player *player, const sb_env *env, sb_error *error) {
    if (!env->state) return sb_fail(error, SB_FINISHED, "no episode was started; reset first");
    return sb_player_begin_as(player, player->own, env, error);
}

size_t sb_agents_of(const sb_family *family, const sb_task_info *task, const char **out, size_t capacity) {
    const char *names[SB_ORACLES_MAX];
    size_t n = sb_oracles_of(family->name, task->name, names);
    for (size_t i = 0; i < n && i < capacity; i++) out[i] = names[i];
    if (n < capacity) out[n] = random_agent;
    return n + 1;
}
