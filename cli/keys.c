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
    {"step", {CLI_KEY_RIGHT, 'd'}}, /* `step` goes on through the frames of a prediction */
    {"rewind", {CLI_KEY_LEFT, 'a'}},
    {"ACTION1", {CLI_KEY_UP, 'w', '1'}}, /* ACTION1 to 5 and 7 are by custom up, down, left, right, use, undo */
    {"ACTION2", {CLI_KEY_DOWN, 's', '2'}},
    {"ACTION3", {CLI_KEY_LEFT, 'a', '3'}},
    {"ACTION4", {CLI_KEY_RIGHT, 'd', '4'}},
    {"ACTION5", {' ', 'e', '5'}},
    {"ACTION7", {'z', '7'}},
};

/* The commands of the game itself; some only where there are clicks, or a waiting action. */
static const char commands[] = "u?rq:", commands_of_clicks[] = "hjklc", commands_of_waiting[] = "t";
static const char waiting[] = "noop";

static bool has_series(const cli_keys *k) { return k->series.first < k->series.last; }

static bool is_in_series(const cli_keys *k, sb_action action) {
    return has_series(k) && action >= k->series.first && action <= k->series.last;
}

/* Returns the number in the name of the series' last action. */
static int last_number(const cli_series *s) { return s->number + (s->last - s->first); }

static bool find_in_series(const cli_keys *k, int key, sb_action *action) {
    const cli_series *s = &k->series;
    const bool is_digit = key >= '0' && key <= '9', is_left = key == CLI_KEY_LEFT;
    if (!is_digit && (!s->walks || (!is_left && key != CLI_KEY_RIGHT))) return false;
    *action = is_digit ? s->first + (key - '0') - s->number : is_left ? s->at - 1 : s->at + 1;
    return is_in_series(k, *action);
}

bool cli_keys_find(const cli_keys *k, int key, sb_action *action) {
    for (size_t i = 0; key && i < k->n; i++)
        for (int j = 0; j < CLI_KEYS; j++)
            if (k->of[i].keys[j] == key) return *action = k->of[i].action, true;
    return find_in_series(k, key, action);
}

static bool is_command(const cli_keys *k, int key) {
    return key < 256 && (strchr(commands, key) || (k->clicks && strchr(commands_of_clicks, key)) ||
                         (k->waits && strchr(commands_of_waiting, key)));
}

static bool is_free(const cli_keys *k, int key) {
    sb_action action;
    return !cli_keys_find(k, key, &action) && !is_command(k, key);
}

static bool is_preferred(const char *name) {
    for (size_t i = 0; i < sizeof preferences / sizeof *preferences; i++)
        if (strcmp(preferences[i].action, name) == 0) return true;
    return false;
}

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

static void find_waiting(cli_keys *k, const sb_env *env, const bool *offered) {
    char name[sizeof k->of->name];
    for (k->waiting = 0; k->waiting < env->shape.n_buttons; k->waiting++) {
        sb_action_name(env, k->waiting, name, sizeof name);
        if ((k->waits = offered[k->waiting] && strcmp(name, waiting) == 0)) return;
    }
}

/* ---- The series ---- */

/* Divides an action's name into a stem and a number of up to three digits; false if it has no number, or keys of its
 * own. */
static bool read_numbered(const sb_env *env, sb_action action, cli_series *s) {
    sb_action_name(env, action, s->stem, sizeof s->stem);
    size_t n = strlen(s->stem);
    if (is_preferred(s->stem)) return false;
    while (n && s->stem[n - 1] >= '0' && s->stem[n - 1] <= '9') n--;
    if (!s->stem[n] || strlen(s->stem + n) > 3) return false;
    s->first = s->last = s->at = action;
    s->number = 0;
    for (const char *digit = s->stem + n; *digit; digit++) s->number = 10 * s->number + (*digit - '0');
    s->stem[n] = '\0';
    return true;
}

/* Finds the first two or more actions that are offered and whose numbers follow one another. */
static void find_series(cli_keys *k, const sb_env *env, const bool *offered) {
    for (sb_action action = 0; action < env->shape.n_buttons && !has_series(k); action++) {
        cli_series next;
        if (!offered[action] || !read_numbered(env, action, &k->series)) continue;
        while (++action < env->shape.n_buttons && offered[action] && read_numbered(env, action, &next) &&
               strcmp(next.stem, k->series.stem) == 0 && next.number == last_number(&k->series) + 1)
            k->series.last = action;
        action = k->series.last;
    }
    if (!has_series(k)) k->series = (cli_series){0};
}

static void place_series(cli_series *s, const cli_series *before) {
    if (strcmp(s->stem, before->stem) == 0 && s->first == before->first && before->at <= s->last) s->at = before->at;
}

void cli_keys_took(cli_keys *k, sb_action action) {
    if (is_in_series(k, action)) k->series.at = action;
}

/* ---- All together ---- */

void cli_keys_bind(cli_keys *k, const sb_env *env, const bool *offered) {
    const cli_series before = k->series;
    *k = (cli_keys){.clicks = sb_has_clicks(&env->shape) && offered[env->shape.n_buttons]};
    find_waiting(k, env, offered);
    find_series(k, env, offered);
    for (sb_action action = 0; action < env->shape.n_buttons && k->n < CLI_MOST_BOUND; action++) {
        if (!offered[action] || is_in_series(k, action)) continue;
        cli_binding *b = &k->of[k->n++];
        *b = (cli_binding){.action = action};
        sb_action_name(env, action, b->name, sizeof b->name);
        bind_preferred(k, b);
    }
    k->series.walks = has_series(k) && is_free(k, CLI_KEY_LEFT) && is_free(k, CLI_KEY_RIGHT);
    place_series(&k->series, &before);
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

/* Puts the keys of a series' first actions, then how to come to the others. */
static void put_series(sb_out *out, const cli_series *s) {
    const int last = last_number(s), last_key = last < 9 ? last : 9;
    if (s->number <= last_key)
        sb_putf(out, "%d to %d %s%d to %s%d   ", s->number, last_key, s->stem, s->number, s->stem, last_key);
    if (s->walks) sb_puts(out, "Left/Right the one before/after");
    sb_puts(out, "\n");
    if (last > last_key)
        sb_putf(out, "type :%s%d to :%s%d for the others\n", s->stem, s->number > 9 ? s->number : 10, s->stem, last);
}

enum { HELP_WIDTH = 76 };

void cli_keys_put(const cli_keys *k, sb_out *out) {
    size_t line = out->size;
    for (size_t i = 0; i < k->n; i++) {
        if (out->size - line > HELP_WIDTH - sizeof k->of[i].name) sb_puts(out, "\n"), line = out->size;
        if (k->of[i].keys[0] || k->of[i].keys[1]) put_binding(out, &k->of[i]);
    }
    sb_puts(out, "\n");
    if (has_series(k)) put_series(out, &k->series);
}
