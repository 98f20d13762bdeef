/* seedbed play: lets a person play an episode. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"
#include "cli/command.h"
#include "cli/film.h"
#include "cli/keys.h"
#include "cli/log.h"
#include "cli/picture.h"
#include "cli/terminal.h"
#include "engine/lookup.h"
#include "oracles/reasons.h"
#include "rollout/testing.h"
#include "rollout/worker.h"
#include "seedbed/gridworld.h"

typedef struct play_options {
    cli_common common;
    const char *agent, *output, *log;
    uint64_t fps; /* the rate in real time, in steps a second; 0: the usual one */
    sb_testing_rules testing;
    cli_showing showing;
} play_options;

enum { USUAL_FPS = 4, MOST_FPS = 60 };

static const cli_option options[] = {
    {"agent", 'a', "NAME", "who gives hints (default: " CLI_USUAL_AGENT ")", CLI_TEXT(play_options, agent, CLI_PLAYER)},
    {"output", 'o', "FILE", "keep the tape of what was played", CLI_TEXT(play_options, output, CLI_OUTPUT)},
    CLI_LOG_OPTION(play_options, log),
    {"fps", 0, "N", "begin in real time, N steps a second (default: step by step, and after t its own rate)",
     CLI_NUMBER(play_options, fps), CLI_RANGE(1, MOST_FPS)},
    {"frames-per-action", 0, "N",
     "challenges: N - 1 frames of waiting follow each action (default 1); not in real time",
     CLI_NUMBER(play_options, testing.frames), CLI_RANGE(1, SB_FRAMES_MAX)},
    CLI_MODE_OPTION(play_options, showing, 'm'),
    CLI_SHOWING_OPTIONS(play_options, showing)};

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
    cli_keys keys;
    cli_terminal terminal;
    cli_display display;
    int cells_row; /* row of the screen where the cells of the click area begin; -1: they are not there */
    int cursor_x, cursor_y;
    sb_testing_rules testing;
    uint64_t fps;      /* the rate that was asked for, in steps a second; 0: the usual one */
    bool real_time;    /* the world does not wait for the player */
    double next;       /* the time of the next step in real time, by cli_now */
    sb_action pending; /* the action for the next step in real time; -1: none */
    bool has_frames;   /* the last action has frames that were not shown yet */
    bool types;        /* an action is being typed */
    char typed[TYPED];
    size_t n_typed;
    char message[sizeof((sb_error){0}.text)];
} game;

static void say(game *g, const char *text) { snprintf(g->message, sizeof g->message, "%s", text); }

static const char *how_it_ended(const sb_env *env) {
    const sb_status *status = &env->status;
    const sb_criterion criterion = sb_criterion_in(env);
    if (status->success && sb_has_success(criterion)) return "Success";
    if (!status->terminated) return "Out of steps";
    return status->fault || criterion != SB_BY_SUCCESS ? "The end" : "Failure";
}

/* Whether the episode is a test, whose score says something only if nothing is taken back. */
static bool is_test(const game *g) { return sb_test_kind_in(g->env); }

static void say_how_it_stands(game *g) {
    const sb_status *status = &g->env->status;
    sb_out out = sb_out_fixed(g->message, sizeof g->message);
    if (status->done) {
        sb_putf(&out, "%s after %d steps", how_it_ended(g->env), status->steps);
        if (status->fault) sb_puts(&out, ", "), cli_put_fault(&out, g->env);
        sb_puts(&out, is_test(g) ? ". q quits." : ". u takes the last step back, r restarts, q quits.");
    }
    sb_out_finish(&out);
}

static bool keep_state(game *g, sb_error *error) {
    if (!SB_GROW(g->past, g->tape.n + 1, g->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu steps", g->tape.n + 1);
    return (g->past[g->tape.n] = sb_clone(g->env, error)) != NULL;
}

/* Binds keys to actions. In a test these are the actions that belong to its phase: others would cost a step and do
 * nothing. Elsewhere the keys stay the same, because what is valid changes from place to place. */
static void bind_keys(game *g) {
    bool offered[SB_MASK_MAX];
    memset(offered, true, sizeof offered);
    if (is_test(g)) g->env->family->valid(g->env, offered);
    cli_keys_bind(&g->keys, g->env, offered);
}

static void take_step(game *g, sb_action action) {
    sb_error error;
    sb_result result;
    const size_t n = g->tape.n;
    if (g->env->status.done) return;
    if (!keep_state(g, &error)) {
        say(g, error.text);
    } else if (sb_step(g->env, action, &result, &error) && sb_tape_append(&g->tape, action, &error)) {
        g->has_frames = true;
        cli_keys_took(&g->keys, action);
        bind_keys(g);
        say_how_it_stands(g);
    } else {
        say(g, error.text);
        sb_copy(g->env, g->past[n], &error);
        sb_free(g->past[n]);
    }
}

static void show_step(game *g);

/* Takes an action, and the steps that a test adds to it, which are shown one after another. */
static void take_action(game *g, sb_action action) {
    sb_turn turn = sb_turn_of(&g->testing, g->env, action);
    size_t wanted = g->tape.n;
    if (g->env->status.done) return;
    for (sb_action next; g->tape.n == wanted && sb_turn_next(&turn, &next); wanted++) {
        if (turn.taken > 1) show_step(g);
        take_step(g, next);
    }
}

static void undo(game *g) {
    sb_error error;
    g->real_time = false;
    if (is_test(g)) {
        say(g, "In a test nothing is taken back. Before it begins, the action `reset` starts anew.");
    } else if (g->tape.n == 0) {
        say(g, "This is the start.");
    } else if (!sb_copy(g->env, g->past[g->tape.n - 1], &error)) {
        say(g, error.text);
    } else {
        sb_free(g->past[--g->tape.n]);
        say_how_it_stands(g);
    }
}

static void restart(game *g) {
    g->real_time = false;
    while (g->tape.n) {
        const size_t before = g->tape.n;
        undo(g);
        if (g->tape.n == before) return;
    }
    g->has_frames = true;
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
    sb_put_intent(&out, &g->player.intent);
    sb_out_finish(&out);
}

static void take_typed(game *g) {
    sb_action action;
    sb_error error;
    g->typed[g->n_typed] = '\0';
    g->types = false;
    if (g->n_typed == 0) return;
    if (sb_action_parse(g->env, g->typed, &action, &error))
        take_action(g, action);
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

/* ---- Real time ---- */

/* Whether time goes on. The world stands still while an action is typed, where a test does not offer to wait, and at
 * the end. */
static bool runs(const game *g) { return g->real_time && g->keys.waits && !g->types && !g->env->status.done; }

static int rate(const game *g) {
    const sb_family *family = g->env->family;
    const int64_t wanted = g->fps ? (int64_t)g->fps : family->frame_rate ? family->frame_rate(g->env) : USUAL_FPS;
    return (int)(wanted < 1 ? 1 : wanted > MOST_FPS ? MOST_FPS : wanted);
}

static void wait_a_frame(game *g) {
    g->next = cli_now() + 1.0 / rate(g);
    g->pending = -1;
}

static void toggle_real_time(game *g) {
    g->real_time = !g->real_time && g->terminal.raw;
    if (!g->terminal.raw) say(g, "Real time needs a terminal.");
}

/* Takes the action; in real time, the next step takes the last action that the player chose before it. */
static void choose(game *g, sb_action action) {
    if (runs(g))
        g->pending = action;
    else
        take_action(g, action);
}

static void step_in_time(game *g) {
    take_step(g, g->pending >= 0 ? g->pending : g->keys.waiting);
    g->pending = -1;
    g->next += 1.0 / rate(g);
    if (g->next < cli_now()) wait_a_frame(g); /* after a pause of the machine nothing is caught up */
}

/* ---- The click area ---- */

static void click(game *g, int x, int y) {
    g->cursor_x = x, g->cursor_y = y;
    choose(g, g->env->shape.n_buttons + y * g->env->shape.click_width + x);
}

/* Clicks on the cell under the pointer. A click beside the cells does nothing. Where a line has several rows of cells,
 * the upper one is meant. */
static void click_on_screen(game *g) {
    const cli_cells *cells = &g->display.cells;
    if (g->cells_row < 0 || g->terminal.click_row < g->cells_row) return;
    const int x = g->terminal.click_column * cells->across.cells / cells->across.places;
    const int y = 2 * (g->terminal.click_row - g->cells_row) * cells->down.cells / cells->down.places;
    if (x < cells->n_x && y < cells->n_y) click(g, x, y);
}

static void move_cursor(game *g, int dx, int dy) {
    const sb_shape *shape = &g->env->shape;
    const int x = g->cursor_x + dx, y = g->cursor_y + dy;
    if (x >= 0 && x < shape->click_width && y >= 0 && y < shape->click_height) g->cursor_x = x, g->cursor_y = y;
}

static void obey_clicking(game *g, int key) {
    switch (key) {
    case 'h': move_cursor(g, -1, 0); break;
    case 'j': move_cursor(g, 0, 1); break;
    case 'k': move_cursor(g, 0, -1); break;
    case 'l': move_cursor(g, 1, 0); break;
    case 'c': click(g, g->cursor_x, g->cursor_y); break;
    case CLI_KEY_CLICK: click_on_screen(g); break;
    default: break;
    }
}

/* ---- Keys ---- */

/* Does what the key says; returns whether to go on. */
static bool obey(game *g, int key) {
    if (key == CLI_KEY_END) return false;
    if (key == CLI_KEY_REDRAW || key == CLI_KEY_NONE) return true;
    if (g->types) return type(g, key), true;
    sb_action action;
    if (cli_keys_find(&g->keys, key, &action)) return choose(g, action), true;
    if (g->keys.clicks) obey_clicking(g, key);
    switch (key) {
    case 'q':
    case CLI_CONTROL_D: return false;
    case 'u': undo(g); break;
    case 'r': restart(g); break;
    case '?': hint(g); break;
    case 't': g->keys.waits ? toggle_real_time(g) : (void)0; break;
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
    cli_put_standing(out, sb_criterion_in(g->env), status);
    put_carried(out, g->env);
    if (g->keys.clicks) sb_putf(out, "   cursor (%d,%d)", g->cursor_x, g->cursor_y);
    if (runs(g)) sb_putf(out, "   real time, %d a second", rate(g));
    sb_puts(out, "\n");
}

static void put_commands(sb_out *out, const game *g) {
    sb_puts(out, "? hint   u undo   r restart   : type an action   q quit\n");
    if (g->keys.clicks) sb_puts(out, "mouse click   h/j/k/l move the cursor   c click there");
    if (g->keys.waits) sb_putf(out, "%st %s", g->keys.clicks ? "   " : "", g->real_time ? "step by step" : "real time");
    if (g->keys.clicks || g->keys.waits) sb_puts(out, "\n");
}

static void put_message(sb_out *out, const game *g) {
    if (g->types)
        sb_putf(out, ":%.*s_\n", (int)g->n_typed, g->typed);
    else
        sb_putf(out, "%s\n", g->message);
}

/* The parts of the screen, in this order. The picture is in up to three: what is above the cells of a click area, the
 * picture itself, and its legend. */
enum {
    TASK,
    STATE,
    BEFORE_KEYS,
    KEYS_OF_ACTIONS,
    COMMANDS,
    BEFORE_MESSAGE,
    MESSAGE,
    BEFORE_PICTURE,
    ABOVE,
    PICTURE,
    LEGEND,
    N_PARTS
};

/* On a small screen the picture, the state line and the message are the last to be left out. */
enum { EMPTY = 6 /* the rank of the lines between parts */ };
static const int ranks[N_PARTS] = {3, 0, EMPTY, 4, 2, EMPTY, 0, EMPTY, 5, 0, 5};

/* Where a test offers no clicks, the cursor is hidden. */
static void point_at_cursor(const game *g) {
    const bool points = g->keys.clicks && g->cells_row >= 0;
    const cli_scale across = g->display.cells.across, down = g->display.cells.down;
    if (points)
        cli_terminal_point(&g->terminal, g->cells_row + g->cursor_y * down.places / down.cells / 2,
                           g->cursor_x * across.places / across.cells);
    else
        cli_terminal_point(&g->terminal, -1, -1);
}

static bool is_empty_line(const sb_out *text) { return text->size == 1; }

static void show(game *g, const sb_out texts[N_PARTS]) {
    cli_part parts[N_PARTS];
    int rows[N_PARTS];
    for (int i = 0; i < N_PARTS; i++) parts[i] = (cli_part){texts[i].data, texts[i].size, ranks[i], false};
    if (is_empty_line(&texts[MESSAGE])) parts[MESSAGE].rank = ranks[LEGEND];
    cli_divide_shown(&g->display, &texts[PICTURE], ranks[LEGEND], &parts[ABOVE]);
    cli_terminal_show(&g->terminal, parts, N_PARTS, rows);
    g->cells_row = g->display.cells.n_y ? rows[PICTURE] : -1;
    if (sb_has_clicks(&g->env->shape)) point_at_cursor(g);
}

/* The room for the picture: beside all other parts but empty lines, and beside those that are never left out. */
static cli_room room_of(const sb_out texts[N_PARTS]) {
    int columns, rows, all = 0, needed = 0;
    if (!cli_terminal_size(&columns, &rows)) return (cli_room){0};
    for (int i = 0; i < N_PARTS; i++) {
        const int lines = sb_out_ok(&texts[i]) ? cli_terminal_lines(texts[i].data, texts[i].size, columns) : 0;
        if (ranks[i] != EMPTY) all += lines;
        if (ranks[i] == 0 && !is_empty_line(&texts[i])) needed += lines;
    }
    return cli_room_below(all, needed);
}

static void draw(game *g, const sb_env *env) {
    sb_out texts[N_PARTS];
    bool ok = true;
    sb_error error;
    for (int i = 0; i < N_PARTS; i++) texts[i] = sb_out_growing();
    sb_putf(&texts[TASK], "%s: ", g->name);
    if (is_test(g) && g->tape.n == 0)
        g->env->family->tests->instruct(g->env, &texts[TASK]);
    else
        cli_put_purpose(&texts[TASK], g->env);
    sb_puts(&texts[TASK], "\n");
    put_state(&texts[STATE], g);
    cli_keys_put(&g->keys, &texts[KEYS_OF_ACTIONS]);
    put_commands(&texts[COMMANDS], g);
    put_message(&texts[MESSAGE], g);
    const cli_room room = room_of(texts);
    if (!cli_put_shown(&texts[PICTURE], env, &g->display, &room, &error)) say(g, error.text);
    if (!g->terminal.raw || g->terminal.dumb) sb_puts(&texts[PICTURE], "\n");
    for (int i = 0; i < N_PARTS; i++) {
        if (ranks[i] == EMPTY) sb_puts(&texts[i], "\n");
        ok = sb_out_ok(&texts[i]) && ok;
    }
    if (ok) show(g, texts);
    for (int i = 0; i < N_PARTS; i++) sb_out_free(&texts[i]);
}

static bool draw_frame(void *given, const sb_env *env, sb_error *error) {
    game *g = given;
    (void)error;
    draw(g, env);
    if (g->terminal.raw) cli_pause(CLI_FRAME_MS);
    return true;
}

static void show_step(game *g) {
    sb_error error;
    if (!draw_frame(g, g->env, &error)) say(g, error.text);
}

/* Draws the screen after a step; first the frames that the step showed on the way. */
static void draw_news(game *g) {
    sb_error error;
    if (g->has_frames && !cli_frames_before_last(g->env, draw_frame, g, &error)) say(g, error.text);
    g->has_frames = false;
    draw(g, g->env);
}

static bool is_news(const game *g, int key, bool typed) {
    return g->terminal.raw || (!g->types && (typed || key != '\n')); /* a pipe gets no screens of half-typed actions */
}

/* Takes a key, and a step if its time has come. Returns whether to go on. */
static bool go_on(game *g, int *key) {
    const double left = g->next - cli_now();
    const bool ran = runs(g);
    *key = cli_terminal_key(&g->terminal, !ran ? -1 : left > 0 ? left : 0);
    const bool goes_on = obey(g, *key);
    if (!ran)
        wait_a_frame(g);
    else if (runs(g) && cli_now() >= g->next)
        step_in_time(g);
    return goes_on;
}

static bool play(game *g, sb_error *error) {
    bool goes_on = true, news = true;
    if (!cli_terminal_enter(&g->terminal, g->keys.clicks, error)) return false;
    if (g->fps && !g->terminal.raw) return sb_fail(error, SB_INVALID, "--fps needs a terminal, for input and output");
    g->real_time = g->fps > 0, g->has_frames = true;
    wait_a_frame(g);
    while (goes_on) {
        int key;
        const bool typed = g->types;
        if (news) draw_news(g);
        goes_on = go_on(g, &key);
        news = is_news(g, key, typed);
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
    bind_keys(g);
    if (!cli_display_suits(&g->display, g->env->family, error)) return false;
    g->cursor_x = g->env->shape.click_width / 2, g->cursor_y = g->env->shape.click_height / 2;
    if (g->fps && !g->keys.waits)
        return sb_fail(error, SB_INVALID, "%s has no action `noop`, so it cannot be played in real time", g->name);
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

static bool log_tape(game *g, const char *path, sb_error *error) {
    cli_log log;
    sb_tape_finish(&g->tape, g->env);
    const bool ok = cli_log_open(&log, path, g->catalogue, NULL, error) && cli_log_tape(&log, &g->tape, error);
    return cli_log_close(&log, ok, error);
}

static void end(game *g) {
    for (size_t i = 0; i < g->tape.n; i++) sb_free(g->past[i]);
    free(g->past);
    sb_free(g->env);
    sb_tape_clear(&g->tape);
    sb_player_clear(&g->player);
}

static void print_outcome(const game *g, const char *output) {
    cli_say("%s: %s after %d steps\n", g->name, cli_outcome(sb_criterion_in(g->env), &g->env->status),
            g->env->status.steps);
    if (output) cli_say("saved as %s\n", CLI_PLAIN(output));
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    (void)n;
    const play_options *o = given;
    if (cli_is_dash(o->output) || cli_is_dash(o->log))
        return cli_usage(self, "standard output is for the pictures: keep the tape in a file, and the log in another");
    if (o->common.json)
        return cli_usage(
            self, "this command is for people: programs play with `seedbed serve` and read tapes with `replay --json`");
    sb_error error;
    sb_file tape = {0};
    game g = {.catalogue = o->common.catalogue, .agent = o->agent, .fps = o->fps, .testing = o->testing};
    bool ok = cli_display_begin(&g.display, &o->common, &o->showing, &error) &&
              cli_output_open(&tape, o->output, &error) && begin(&g, names[0], &error) && play(&g, &error);
    ok = ok && (!o->output || save(&g, &tape, &error)) && (!o->log || log_tape(&g, o->log, &error));
    sb_file_discard(&tape);
    if (ok && !o->common.quiet) print_outcome(&g, o->output);
    const int ended_by = g.terminal.ended_by;
    cli_display_end(&g.display);
    end(&g);
    const int status = ok ? CLI_OK : cli_fail(&error);
    return ended_by && ended_by != SIGINT ? CLI_SIGNAL + ended_by : status;
}

const cli_command cli_play = {
    .name = "play",
    .group = CLI_TO_LOOK,
    .summary = "play an episode yourself, with undo and hints",
    .usage = "NAME [--agent NAME] [--mode MODE] [--look LOOK] [--fps N] [--frames-per-action N]\n"
             "                    [-o TAPE] [--log FILE]",
    .help =
        "Shows the episode and takes a step for every key; the keys are listed above the picture. Arrows and letters "
        "are\n"
        "actions, u takes a step back, r restarts, ? asks the agent for a hint, : types an action by name or number\n"
        "(for tasks with more actions than keys), q or Ctrl-C quits.\n\n"
        "  seedbed play KeyDoorPuzzle-v0/medium#42\n"
        "  seedbed play GoToGoal-v0/easy#0 -o mine.jsonl && seedbed replay mine.jsonl --watch\n"
        "  seedbed play autumn:Seesaw#7 --fps 4\n"
        "  echo 'wwa?dq' | seedbed play GoToGoal-v0/easy#0\n\n"
        "Where the terminal can draw the family's picture, that is shown (docs/pictures.md), else a text; with\n"
        "--mode always a text.\n\n"
        "In the test of a challenge, only the actions that have an effect have keys. Left and Right go through its\n"
        "frames.\n\n"
        "Where a task has clicks, a click of the mouse on a cell is an action. Without a mouse, h j k l move the "
        "cursor\n"
        "and c clicks there, or type `:click 3 4`.\n\n"
        "The world waits for a key. With --fps, and after t, it goes on by itself, N steps a second (if N is not "
        "given,\n"
        "at its own rate): in every step it takes the last key that was pressed, or `noop`. t, u and r make it wait\n"
        "again. This needs a terminal and a task with the action `noop`.\n\n"
        "The tape holds the steps that were not taken back; `seedbed verify` checks it. Without a terminal, keys are\n"
        "read from standard input and every picture is printed.",
    CLI_OPTIONS(play_options, options),
    CLI_ARGUMENTS(CLI_EPISODE, 1, 1, "name one episode, such as KeyDoorPuzzle-v0/medium#42"),
    .run = run,
};
