/* seedbed play: lets a person play an episode. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/picture.h"
#include "cli/terminal.h"
#include "rollout/worker.h"
#include "seedbed/gridworld.h"

typedef struct play_options {
    cli_common common;
    const char *agent, *output, *pictures;
    cli_look look;
} play_options;

static const cli_option options[] = {
    {"agent", 'a', "NAME", "who gives hints (default: " CLI_USUAL_AGENT ")", CLI_TEXT(play_options, agent, CLI_PLAYER)},
    {"output", 'o', "FILE", "keep the tape of what was played", CLI_TEXT(play_options, output, CLI_FILE)},
    CLI_LOOK_OPTIONS(play_options, look),
    CLI_PICTURES_OPTION(play_options, pictures)};

/* ---- Keys ---- */

enum { MOST_BOUND = 32, KEYS = 3, CONTROL_D = 4 };

/* The keys that people expect for some actions, by name. Keys that are taken already are passed over. */
static const struct preference {
    const char *action;
    int keys[KEYS];
} preferences[] = {
    {"move_up", {CLI_KEY_UP, 'w'}},
    {"move_down", {CLI_KEY_DOWN, 's'}},
    {"move_left", {CLI_KEY_LEFT, 'a'}},
    {"move_right", {CLI_KEY_RIGHT, 'd'}},
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
};

static const char reserved[] = "u?rq:"; /* the commands of the game itself */

typedef struct binding {
    sb_action action;
    char name[32];
    int keys[KEYS]; /* 0: none */
} binding;

typedef struct keys {
    binding of[MOST_BOUND];
    size_t n;
} keys;

static const binding *binding_of(const keys *k, int key) {
    for (size_t i = 0; i < k->n; i++)
        for (int j = 0; j < KEYS; j++)
            if (k->of[i].keys[j] == key) return &k->of[i];
    return NULL;
}

static bool is_free(const keys *k, int key) { return !binding_of(k, key) && (key >= 256 || !strchr(reserved, key)); }

static void bind_preferred(keys *k, binding *b) {
    for (size_t i = 0; i < sizeof preferences / sizeof *preferences; i++) {
        if (strcmp(preferences[i].action, b->name) != 0) continue;
        for (int j = 0; j < KEYS; j++)
            if (preferences[i].keys[j] && is_free(k, preferences[i].keys[j])) b->keys[j] = preferences[i].keys[j];
    }
}

/* Binds the first of the candidates that is free, if the action has no key yet. */
static void bind_free(keys *k, binding *b, const char *candidates) {
    for (const char *c = candidates; *c && !b->keys[0] && !b->keys[1]; c++)
        if (*c != '_' && is_free(k, (unsigned char)*c)) b->keys[0] = (unsigned char)*c;
}

/* Binds preferred keys first, then letters of the actions' names. Numbered actions get no keys, since there tend to be
 * many of them: they are typed. */
static void bind_keys(keys *k, const sb_env *env) {
    for (sb_action action = 0; action < env->n_actions && k->n < MOST_BOUND; action++) {
        binding *b = &k->of[k->n];
        *b = (binding){.action = action};
        sb_action_name(env, action, b->name, sizeof b->name);
        if (!strpbrk(b->name, "0123456789")) k->n++, bind_preferred(k, b);
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

static void put_binding(sb_out *out, const binding *b) {
    const char *between = "";
    for (int j = 0; j < KEYS; j++) {
        if (!b->keys[j]) continue;
        sb_puts(out, between);
        put_key(out, b->keys[j]);
        between = "/";
    }
    sb_putf(out, " %s   ", b->name);
}

enum { HELP_WIDTH = 76 };

static void put_action_keys(sb_out *out, const keys *k) {
    size_t line = out->size;
    for (size_t i = 0; i < k->n; i++) {
        if (out->size - line > HELP_WIDTH - sizeof k->of[i].name) sb_puts(out, "\n"), line = out->size;
        if (k->of[i].keys[0] || k->of[i].keys[1]) put_binding(out, &k->of[i]);
    }
    sb_puts(out, "\n");
}

/* ---- The game ---- */

enum { TYPED = 40 };

typedef struct game {
    const sb_catalogue *catalogue;
    sb_env *env;
    char name[SB_NAME_MAX];
    sb_env **past; /* the states before each of the tape's actions */
    size_t capacity;
    sb_tape tape;
    sb_player player;  /* who gives hints */
    const char *agent; /* NULL: the default */
    keys keys;
    cli_terminal terminal;
    cli_display display;
    bool types; /* an action is being typed */
    char typed[TYPED];
    size_t n_typed;
    char message[300];
} game;

static void say(game *g, const char *text) { snprintf(g->message, sizeof g->message, "%s", text); }

static const char *how_it_ended(const sb_env *env) {
    const sb_status *status = &env->status;
    const sb_criterion criterion = env->task->criterion;
    if (status->success && sb_has_success(criterion)) return "Success";
    if (!status->terminated) return "Out of steps";
    return status->fault || criterion != SB_BY_SUCCESS ? "The end" : "Failure";
}

static void say_how_it_stands(game *g) {
    const sb_status *status = &g->env->status;
    sb_out out = sb_out_fixed(g->message, sizeof g->message);
    if (status->done) {
        sb_putf(&out, "%s after %d steps", how_it_ended(g->env), status->steps);
        if (status->fault) sb_puts(&out, ", "), cli_put_fault(&out, g->env);
        sb_puts(&out, ". u takes the last step back, r restarts, q quits.");
    }
    sb_out_finish(&out);
}

static bool keep_state(game *g, sb_error *error) {
    if (g->tape.n == g->capacity) {
        const size_t capacity = g->capacity ? 2 * g->capacity : 64;
        sb_env **past = realloc(g->past, capacity * sizeof *past);
        if (!past) return sb_fail(error, SB_MEMORY, "out of memory for %zu steps", capacity);
        g->past = past, g->capacity = capacity;
    }
    return (g->past[g->tape.n] = sb_clone(g->env, error)) != NULL;
}

static void take_step(game *g, sb_action action) {
    sb_error error;
    sb_result result;
    const size_t n = g->tape.n;
    if (g->env->status.done) return;
    if (!keep_state(g, &error)) {
        say(g, error.text);
    } else if (sb_step(g->env, action, &result, &error) && sb_tape_append(&g->tape, action, &error)) {
        say_how_it_stands(g);
    } else {
        say(g, error.text);
        sb_copy(g->env, g->past[n], &error);
        sb_free(g->past[n]);
    }
}

static void undo(game *g) {
    sb_error error;
    if (g->tape.n == 0) {
        say(g, "This is the start.");
    } else if (!sb_copy(g->env, g->past[g->tape.n - 1], &error)) {
        say(g, error.text);
    } else {
        sb_free(g->past[--g->tape.n]);
        say_how_it_stands(g);
    }
}

static void restart(game *g) {
    while (g->tape.n) {
        const size_t before = g->tape.n;
        undo(g);
        if (g->tape.n == before) return;
    }
}

static void hint(game *g) {
    sb_error error;
    char name[64];
    if (g->env->status.done) return;
    if (!sb_player_begin_as(&g->player, g->agent, g->env, &error)) {
        say(g, error.text);
        return;
    }
    const sb_action action = sb_player_act(&g->player, g->env);
    sb_out out = sb_out_fixed(g->message, sizeof g->message);
    sb_action_name(g->env, action, name, sizeof name);
    sb_putf(&out, "Hint: %s", name);
    if (g->player.intent.verb) sb_puts(&out, ", to ");
    cli_put_intent(&out, &g->player.intent);
    sb_out_finish(&out);
}

static void take_typed(game *g) {
    sb_action action;
    sb_error error;
    g->typed[g->n_typed] = '\0';
    g->types = false;
    if (g->n_typed == 0) return;
    if (sb_action_parse(g->env, g->typed, &action, &error))
        take_step(g, action);
    else
        say(g, error.text);
}

static void type(game *g, int key) {
    if (key == '\n' || key == '\r')
        take_typed(g);
    else if (key == CLI_KEY_ESCAPE)
        g->types = false;
    else if (key == 127 || key == 8)
        g->n_typed -= g->n_typed > 0;
    else if (key >= ' ' && key < 127 && g->n_typed + 1 < TYPED)
        g->typed[g->n_typed++] = (char)key;
}

/* Does what the key says; returns whether to go on. */
static bool obey(game *g, int key) {
    if (key == CLI_KEY_END) return false;
    if (key == CLI_KEY_REDRAW) return true;
    if (g->types) return type(g, key), true;
    const binding *b = binding_of(&g->keys, key);
    if (b) return take_step(g, b->action), true;
    switch (key) {
    case 'q':
    case CONTROL_D: return false;
    case 'u': undo(g); break;
    case 'r': restart(g); break;
    case '?': hint(g); break;
    case ':': g->types = true, g->n_typed = 0; break;
    default: break;
    }
    return true;
}

/* Puts the kinds of items only: what their values mean, such as the colour of a key, differs between tasks. */
static void put_carried(sb_out *out, const sb_env *env) {
    sb_item items[8];
    const size_t capacity = sizeof items / sizeof *items, n = sb_inventory(env, items, capacity);
    for (size_t i = 0; i < n && i < capacity; i++)
        sb_putf(out, "%s%s", i ? ", " : "   carrying ", sb_item_name((sb_item_kind)items[i].kind));
    if (n > capacity) sb_puts(out, ", ...");
}

static void put_state(sb_out *out, const game *g) {
    char action[64] = "start";
    const size_t n = g->tape.n;
    const sb_status *status = &g->env->status;
    if (n) sb_action_name(g->env, g->tape.actions[n - 1], action, sizeof action);
    sb_putf(out, "step %d of %d: %s   return ", status->steps, status->max_steps, action);
    sb_put_double(out, status->total);
    cli_put_standing(out, g->env->task->criterion, status);
    put_carried(out, g->env);
    sb_puts(out, "\n");
}

static void put_message(sb_out *out, const game *g) {
    if (g->types)
        sb_putf(out, ":%.*s_\n", (int)g->n_typed, g->typed);
    else
        sb_putf(out, "%s\n", g->message);
}

/* Draws the screen. On a small one the picture, the state line and the message are the last to be left out. */
static void draw(game *g) {
    enum { TASK, STATE, BEFORE_KEYS, KEYS_OF_ACTIONS, OTHER_KEYS, BEFORE_MESSAGE, MESSAGE, BEFORE_PICTURE, PICTURE, N };
    static const int ranks[N] = {3, 0, 6, 4, 2, 6, 0, 6, 0};
    enum { LEGEND_RANK = 5 };
    sb_out texts[N];
    cli_part parts[N + 1];
    bool ok = true;
    sb_error error;
    for (int i = 0; i < N; i++) texts[i] = sb_out_growing();
    sb_putf(&texts[TASK], "%s: %s\n", g->name, g->env->task->summary);
    put_state(&texts[STATE], g);
    put_action_keys(&texts[KEYS_OF_ACTIONS], &g->keys);
    sb_puts(&texts[OTHER_KEYS], "? hint   u undo   r restart   : type an action   q quit\n");
    if (!cli_put_shown(&texts[PICTURE], g->env, &g->display, &error)) say(g, error.text);
    put_message(&texts[MESSAGE], g);
    if (!g->terminal.raw || g->terminal.dumb) sb_puts(&texts[PICTURE], "\n");
    for (int i = 0; i < N; i++) {
        if (i == BEFORE_KEYS || i == BEFORE_MESSAGE || i == BEFORE_PICTURE) sb_puts(&texts[i], "\n");
        ok = sb_out_ok(&texts[i]) && ok;
        parts[i] = (cli_part){texts[i].data, texts[i].size, ranks[i], i == PICTURE && g->display.look};
    }
    if (!g->types && !*g->message) parts[MESSAGE].rank = LEGEND_RANK; /* an empty line */
    cli_part *picture = &parts[PICTURE];
    const size_t legend = !ok ? 0 : g->display.look ? picture->n : cli_legend_of(picture->text, picture->n);
    parts[N] = (cli_part){picture->text + legend, picture->n - legend, LEGEND_RANK, false};
    picture->n = legend;
    if (ok) cli_terminal_show(&g->terminal, parts, N + 1);
    for (int i = 0; i < N; i++) sb_out_free(&texts[i]);
}

static bool play(game *g, sb_error *error) {
    bool goes_on = true, is_news = true;
    if (!cli_terminal_enter(&g->terminal, error)) return false;
    while (goes_on) {
        if (is_news) draw(g);
        const int key = cli_terminal_key(&g->terminal);
        const bool typed = g->types;
        goes_on = obey(g, key);
        is_news = g->terminal.raw ||
                  (!g->types && (typed || key != '\n')); /* a pipe gets no screens of half-typed actions */
    }
    cli_terminal_leave(&g->terminal);
    return true;
}

static bool begin(game *g, const char *name, sb_error *error) {
    if (!(g->env = sb_make(g->catalogue, name, error))) return false;
    if (!g->agent)
        g->agent = sb_default_agent(&g->env->name);
    else if (!sb_agent_exists(g->agent, g->env->name.family, g->env->name.task, error))
        return false;
    sb_name_print(&g->env->name, g->name, sizeof g->name);
    sb_tape_begin(&g->tape, g->env, "human");
    bind_keys(&g->keys, g->env);
    return true;
}

static bool save(game *g, sb_file *file, sb_error *error) {
    sb_out line = sb_out_growing();
    sb_tape_finish(&g->tape, g->env);
    sb_tape_put_line(&g->tape, &line);
    const bool ok = cli_output_save(file, &line, error);
    sb_out_free(&line);
    return ok;
}

static void end(game *g) {
    for (size_t i = 0; i < g->tape.n; i++) sb_free(g->past[i]);
    free(g->past);
    sb_free(g->env);
    sb_tape_clear(&g->tape);
    sb_player_clear(&g->player);
}

static void print_outcome(const game *g, const char *output) {
    cli_say("%s: %s after %d steps\n", g->name, cli_outcome(g->env->task->criterion, &g->env->status),
            g->env->status.steps);
    if (output) cli_say("saved as %s\n", CLI_PLAIN(output));
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    (void)n;
    const play_options *o = given;
    if (cli_is_dash(o->output)) return cli_usage(self, "standard output is for the pictures: keep the tape in a file");
    if (o->common.json)
        return cli_usage(
            self, "this command is for people: programs play with `seedbed serve` and read tapes with `replay --json`");
    sb_error error;
    sb_file tape;
    game g = {.catalogue = o->common.catalogue, .agent = o->agent};
    bool ok = cli_display_begin(&g.display, &o->common, &o->look, o->pictures, &error) &&
              cli_output_open(&tape, o->output, &error) && begin(&g, names[0], &error) && play(&g, &error);
    ok = ok && (!o->output || save(&g, &tape, &error));
    sb_file_discard(&tape);
    if (ok && !o->common.quiet) print_outcome(&g, o->output);
    const int ended_by = g.terminal.ended_by;
    cli_display_end(&g.display);
    end(&g);
    if (ended_by && ended_by != SIGINT) return CLI_SIGNAL + ended_by;
    return ok ? CLI_OK : cli_fail(&error);
}

const cli_command cli_play = {
    .name = "play",
    .summary = "play an episode yourself, with undo and hints",
    .usage = "NAME [--agent NAME] [-o TAPE]",
    .help =
        "Shows the episode and takes a step for every key; the keys are listed above the picture. Arrows and letters "
        "are\n"
        "actions, u takes a step back, r restarts, ? asks the oracle for a hint, : types an action by name or number\n"
        "(for tasks with more actions than keys), q or Ctrl-C quits.\n\n"
        "  seedbed play KeyDoorPuzzle-v0/medium#42\n"
        "  seedbed play GoToGoal-v0/easy#0 -o mine.jsonl && seedbed replay mine.jsonl --watch\n"
        "  echo 'wwa?dq' | seedbed play GoToGoal-v0/easy#0\n\n"
        "The tape holds the steps that were not taken back; `seedbed verify` checks it. Without a\n"
        "terminal keys are read from standard input and every picture is printed.",
    CLI_OPTIONS(play_options, options),
    CLI_ARGUMENTS(CLI_EPISODE, 1, 1, "name one episode, such as KeyDoorPuzzle-v0/medium#42"),
    .run = run,
};
