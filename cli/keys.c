#include "cli/keys.h"

#include <string.h>

#include "cli/terminal.h"

/* The keys that people expect for some actions, by name. Keys that are taken already are passed over. */
static const struct preference {
    const char *action;
    int keys[CLI_KEYS];
} preferences[] = {
    {"move_up", {CLI_KEY_UP, 'w'}},
    {"move_down", {CLI_KEY_DOWN, 's'}},
    {"move_left", {CLI_KEY_LEFT, 'a'}},
    {"move_right", {CLI_KEY_RIGHT, 'd'}},
    {"up", {CLI_KEY_UP, 'w'}},
    {"down", {CLI_KEY_DOWN, 's'}},
    {"left", {CLI_KEY_LEFT, 'a'}},
    {"right", {CLI_KEY_RIGHT, 'd'}},
    {"turn_left", {CLI_KEY_LEFT, 'a'}},
    {"turn_right", {CLI_KEY_RIGHT, 'd'}},
    {"forward", {CLI_KEY_UP, 'w'}},
    {"go_forward", {CLI_KEY_UP, 'w'}},
    {"move_forward", {CLI_KEY_UP, 'w'}},
    {"interact", {' ', 'e'}},
    {"toggle", {' ', 't'}},
    {"pickup", {'p'}},
    {"pick_up", {'p'}},
    {"drop", {'o'}},
    {"noop", {'.'}},
    {"done", {'x'}},
    {"ACTION1", {CLI_KEY_UP, 'w', '1'}}, /* by custom up, down, left, right, use, undo */
    {"ACTION2", {CLI_KEY_DOWN, 's', '2'}},
    {"ACTION3", {CLI_KEY_LEFT, 'a', '3'}},
    {"ACTION4", {CLI_KEY_RIGHT, 'd', '4'}},
    {"ACTION5", {' ', 'e', '5'}},
    {"ACTION7", {'z', '7'}},
};

/* The commands of the game itself; some only where there are clicks, or a waiting action. */
static const char commands[] = "u?rq:", commands_of_clicks[] = "hjklc", commands_of_waiting[] = "t";
static const char waiting[] = "noop";

const cli_binding *cli_keys_find(const cli_keys *k, int key) {
    for (size_t i = 0; i < k->n; i++)
        for (int j = 0; j < CLI_KEYS; j++)
            if (k->of[i].keys[j] == key) return &k->of[i];
    return NULL;
}

static bool is_command(const cli_keys *k, int key) {
    return key < 256 && (strchr(commands, key) || (k->clicks && strchr(commands_of_clicks, key)) ||
                         (k->waits && strchr(commands_of_waiting, key)));
}

static bool is_free(const cli_keys *k, int key) { return !cli_keys_find(k, key) && !is_command(k, key); }

static void bind_preferred(cli_keys *k, cli_binding *b) {
    for (size_t i = 0; i < sizeof preferences / sizeof *preferences; i++) {
        if (strcmp(preferences[i].action, b->name) != 0) continue;
        for (int j = 0; j < CLI_KEYS; j++)
            if (preferences[i].keys[j] && is_free(k, preferences[i].keys[j])) b->keys[j] = preferences[i].keys[j];
    }
}

/* Binds the first of the candidates that is free, if the action has no key yet. */
static void bind_free(cli_keys *k, cli_binding *b, const char *candidates) {
    for (const char *c = candidates; *c && !b->keys[0] && !b->keys[1]; c++)
        if (*c != '_' && is_free(k, (unsigned char)*c)) b->keys[0] = (unsigned char)*c;
}

static void find_waiting(cli_keys *k, const sb_env *env) {
    char name[sizeof k->of->name];
    for (k->waiting = 0; k->waiting < env->shape.n_buttons; k->waiting++) {
        sb_action_name(env, k->waiting, name, sizeof name);
        if ((k->waits = strcmp(name, waiting) == 0)) return;
    }
}

void cli_keys_bind(cli_keys *k, const sb_env *env) {
    k->clicks = sb_has_clicks(&env->shape);
    find_waiting(k, env);
    for (sb_action action = 0; action < env->shape.n_buttons && k->n < CLI_MOST_BOUND; action++) {
        cli_binding *b = &k->of[k->n++];
        *b = (cli_binding){.action = action};
        sb_action_name(env, action, b->name, sizeof b->name);
        bind_preferred(k, b);
    }
    for (size_t i = 0; i < k->n; i++) bind_free(k, &k->of[i], k->of[i].name);
    for (size_t i = 0; i < k->n; i++) bind_free(k, &k->of[i], "0123456789abcdefghijklmnopqrstuvwxyz");
}

static void put_key(sb_out *out, int key) {
    static const char *const arrows[] = {"Up", "Down", "Left", "Right"};
    if (key >= CLI_KEY_UP && key <= CLI_KEY_RIGHT)
        sb_puts(out, arrows[key - CLI_KEY_UP]);
    else if (key == ' ')
        sb_puts(out, "Space");
    else
        sb_putc(out, (char)key);
}

static void put_binding(sb_out *out, const cli_binding *b) {
    const char *between = "";
    for (int j = 0; j < CLI_KEYS; j++) {
        if (!b->keys[j]) continue;
        sb_puts(out, between);
        put_key(out, b->keys[j]);
        between = "/";
    }
    sb_putf(out, " %s   ", b->name);
}

enum { HELP_WIDTH = 76 };

void cli_keys_put(const cli_keys *k, sb_out *out) {
    size_t line = out->size;
    for (size_t i = 0; i < k->n; i++) {
        if (out->size - line > HELP_WIDTH - sizeof k->of[i].name) sb_puts(out, "\n"), line = out->size;
        if (k->of[i].keys[0] || k->of[i].keys[1]) put_binding(out, &k->of[i]);
    }
    sb_puts(out, "\n");
}
