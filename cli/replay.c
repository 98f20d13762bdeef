/* seedbed replay: shows tapes. */
#include "base/error.h"
#include "base/file.h"
#include "cli/film.h"
#include "cli/log.h"
#include "cli/picture.h"
#include "cli/terminal.h"
#include "engine/lookup.h"
#include "exporters/exporter.h"
#include "rollout/recorded.h"
#include "rollout/view.h"

typedef struct replay_options {
    cli_common common;
    bool watch, step;
    uint64_t delay; /* milliseconds per picture */
    bool has_delay;
    const char *modes; /* NULL: the family's choice */
    cli_showing showing;
    const char *film, *tapes, *recording;
} replay_options;

static const cli_option options[] = {
    {"watch", 'w', NULL, "animate on the terminal", CLI_FLAG(replay_options, watch)},
    {"delay", 0, "MS", "milliseconds per picture of --watch and --film (default 150)",
     CLI_NUMBER(replay_options, delay), CLI_GIVEN(replay_options, has_delay)},
    {"step", 's', NULL, "show a picture at a time; a key shows the next", CLI_FLAG(replay_options, step)},
    {"modes", 'm', "A,B", "observations of --json (default: those of datasets)",
     CLI_TEXT(replay_options, modes, CLI_MODES)},
    {"film", 0, "FILE", "film one tape: NAME.gif, or raw frames as NAME.rgb or - for a pipe",
     CLI_TEXT(replay_options, film, CLI_OUTPUT)},
    {"output", 'o', "FILE", "keep the tapes, one line of JSON per episode",
     CLI_TEXT(replay_options, tapes, CLI_OUTPUT)},
    {"recording", 0, "FILE", "write what the published toolkit would have recorded (arc; -: print it)",
     CLI_TEXT(replay_options, recording, CLI_OUTPUT)},
    CLI_MODE_OPTION(replay_options, showing, 0),
    CLI_SHOWING_OPTIONS(replay_options, showing)};

typedef struct replaying {
    const replay_options *options;
    cli_display display;
    cli_film film; /* the film, if the options name one */
    sb_file tapes, recorded;
    sb_recording recording; /* the recording of the tape that is shown */
    bool stopped;           /* the person who steps has quit */
    sb_export seen;         /* only its modes are used: those of the shown tape's family */
    sb_tape tape;           /* the tape that is shown */
    cli_terminal terminal;
    size_t tapes_shown;
} replaying;

/* Shows the state on a screen of the size that the terminal has now. */
static bool put_screen(replaying *r, const sb_env *env, const sb_out *heading, sb_out *shown, sb_error *error) {
    static const char keys[] = "any key: the next step   q: quit\n\n";
    enum { HEADING = 2, KEYS = 2, RANK_OF_LEGEND = 4 };
    const cli_room room = cli_room_below(HEADING + KEYS, 0);
    if (!cli_put_shown(shown, env, &r->display, &room, error)) return false;
    if (!r->terminal.raw || r->terminal.dumb) sb_puts(shown, "\n");
    if (!sb_out_ok(heading) || !sb_out_ok(shown)) return sb_fail(error, SB_MEMORY, "out of memory for a picture");
    cli_part parts[2 + CLI_SHOWN_PARTS] = {{heading->data, heading->size, 2, false}, {keys, sizeof keys - 1, 3, false}};
    cli_divide_shown(&r->display, shown, RANK_OF_LEGEND, parts + 2);
    cli_terminal_show(&r->terminal, parts, sizeof parts / sizeof *parts, NULL);
    return true;
}

/* Shows the state and waits for a key; q, or the end of input, stops the replay. */
static bool show_and_wait(replaying *r, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    sb_out heading = sb_out_growing(), shown = sb_out_growing();
    int key = CLI_KEY_REDRAW;
    bool ok = true;
    cli_put_heading(&heading, env, action, result, NULL);
    while (ok && key == CLI_KEY_REDRAW) {
        sb_out_clear(&shown);
        ok = put_screen(r, env, &heading, &shown, error);
        if (ok) key = cli_terminal_key(&r->terminal, -1);
    }
    r->stopped = ok && (key == 'q' || key == CLI_KEY_END);
    sb_out_free(&heading);
    sb_out_free(&shown);
    return ok && !r->stopped;
}

/* Puts the action and its rewards; nulls before the first step. */
static void put_result(sb_out *out, const sb_env *env, sb_action action, const sb_result *result) {
    static const char *const keys[] = {"action", "action_name", "reward", "dense_reward"};
    if (!result) {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) sb_put_key(out, keys[i]), sb_puts(out, "null");
        return;
    }
    sb_member_int(out, keys[0], action);
    sb_put_key(out, keys[1]);
    sb_put_action_text(out, env, action);
    sb_member_double(out, keys[2], result->reward);
    sb_member_double(out, keys[3], result->dense);
}

static void put_state(sb_out *out, const sb_env *env, const sb_export *seen) {
    const sb_status *status = &env->status;
    sb_member_double(out, "return", status->total);
    sb_member_double(out, "dense_return", status->dense_total);
    sb_member_bool(out, "terminated", status->terminated);
    sb_member_bool(out, "truncated", status->truncated);
    sb_member_success(out, sb_criterion_in(env), status);
    sb_view_print_standing(env, out);
    sb_put_key(out, "observations");
    sb_puts(out, "{");
    for (size_t i = 0; i < seen->n_modes; i++) {
        sb_put_key(out, seen->modes[i]->name);
        sb_put_observation(out, env, seen->modes[i]);
    }
    sb_puts(out, "}");
}

static bool print_json_step(replaying *r, const sb_env *env, sb_action action, const sb_result *result,
                            sb_error *error) {
    char name[SB_NAME_MAX];
    sb_out line = sb_out_growing();
    if (!result && !sb_export_modes(&r->seen, env->family, r->options->modes, error))
        return sb_fail_at(error, "--modes");
    sb_name_print(&env->name, name, sizeof name);
    sb_puts(&line, "{");
    sb_member_text(&line, "name", name);
    sb_member_text(&line, "agent", r->tape.agent);
    sb_member_int(&line, "step", env->status.steps);
    put_result(&line, env, action, result);
    put_state(&line, env, &r->seen);
    sb_puts(&line, "}\n");
    const bool ok = sb_out_ok(&line) || sb_fail(error, SB_MEMORY, "out of memory for a step");
    if (ok) cli_print(&line, CLI_DATA);
    sb_out_free(&line);
    return ok;
}

static bool film_step(replaying *r, const sb_env *env, const sb_result *result, sb_error *error) {
    if (!result && r->film.frames)
        return sb_fail(error, SB_INVALID, "a film shows one episode, and there are several tapes");
    return cli_film_add(&r->film, env, error);
}

/* Writes lines to a file, or prints them. */
static bool keep_lines(sb_file *file, const char *path, sb_out *lines, sb_error *error) {
    bool ok = sb_out_ok(lines) || sb_fail(error, SB_MEMORY, "out of memory for a line");
    if (ok && cli_is_dash(path))
        cli_print(lines, CLI_DATA);
    else
        ok = ok && sb_file_write(file, lines->data, lines->size, error);
    sb_out_free(lines);
    return ok;
}

static bool record_step(replaying *r, const sb_env *env, sb_error *error) {
    sb_out line = sb_out_growing();
    if (sb_recording_put(&r->recording, env, &line, error))
        return keep_lines(&r->recorded, r->options->recording, &line, error);
    sb_out_free(&line);
    return false;
}

static bool show_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    replaying *r = context;
    if (r->options->recording) return record_step(r, env, error);
    if (r->options->common.json) return print_json_step(r, env, action, result, error);
    if (r->options->film) return film_step(r, env, result, error);
    if (r->options->step) return show_and_wait(r, env, action, result, error);
    if (r->options->watch) return cli_watch(env, action, result, NULL, &r->display, r->options->delay, error);
    if (result) {
        sb_out line = sb_out_growing();
        cli_put_step(&line, env, action, result, NULL);
        cli_emit(&line, CLI_PROSE);
    }
    return true;
}

/* Whether every step is looked at. Who only keeps tapes is told of the episodes, not of their steps. */
static bool shows(const replay_options *o) {
    return !o->tapes || o->recording || o->watch || o->step || o->film || o->common.json;
}

static void print_heading(const sb_tape *tape) {
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    cli_say("%s: played by %s, %s after %zu steps\n", name, CLI_PLAIN(tape->agent),
            cli_outcome(tape->criterion, &tape->outcome), tape->n);
}

static bool keep_tape(replaying *r, sb_error *error) {
    sb_out line = sb_out_growing();
    sb_tape_put_line(&r->tape, &line);
    return keep_lines(&r->tapes, r->options->tapes, &line, error);
}

static bool replay_tape(replaying *r, sb_env *env, const sb_out *line, sb_error *error) {
    const replay_options *o = r->options;
    const bool has_heading = !o->common.quiet && !o->watch && !o->step && !o->common.json && !o->film &&
                             !cli_is_dash(o->tapes) && !cli_is_dash(o->recording);
    if (!sb_tape_parse(o->common.catalogue, line->data, line->size, &r->tape, error)) return false;
    if (has_heading) print_heading(&r->tape);
    sb_recording_begin(&r->recording, &r->tape);
    return (sb_tape_replay(&r->tape, env, shows(o) ? show_step : NULL, r, error) || r->stopped) &&
           (!o->tapes || keep_tape(r, error));
}

static bool replay_file(replaying *r, const char *path, sb_error *error) {
    sb_recorded tapes;
    sb_env *env = sb_make(r->options->common.catalogue, NULL, error);
    if (!env) return false;
    error->code = SB_OK;
    bool ok = sb_recorded_open(&tapes, r->options->common.catalogue, path, error);
    while (ok && !r->stopped && sb_recorded_next(&tapes, error)) {
        ok = replay_tape(r, env, tapes.line, error);
        if (!ok) sb_fail_at(error, "%s, line %zu", sb_path_end(path), tapes.lines.number);
        r->tapes_shown++;
    }
    ok = ok && (r->stopped || error->code == SB_OK);
    if (ok) cli_warn_left_out(path, &tapes.recording.lines);
    sb_recorded_close(&tapes);
    sb_tape_clear(&r->tape);
    sb_free(env);
    return ok;
}

static bool open_files(replaying *r, sb_error *error) {
    const replay_options *o = r->options;
    return cli_output_open(&r->tapes, o->tapes, error) && cli_output_open(&r->recorded, o->recording, error);
}

/* Gives the files their names, unless something went wrong before. */
static bool close_files(replaying *r, bool ok, sb_error *error) {
    const replay_options *o = r->options;
    ok = ok && (!o->tapes || cli_is_dash(o->tapes) || sb_file_commit(&r->tapes, NULL, error)) &&
         (!o->recording || cli_is_dash(o->recording) || sb_file_commit(&r->recorded, NULL, error));
    sb_file_discard(&r->tapes), sb_file_discard(&r->recorded);
    return ok;
}

/* Says what is wrong with the combination of options; NULL: nothing. */
static const char *contradiction(const replay_options *o) {
    const bool has_terminal = o->watch || o->step;
    if (o->watch + o->step + o->common.json + (o->film != NULL) + (o->recording != NULL) > 1)
        return "--watch, --step, --film, --recording and --json are five ways to show tapes: choose one";
    if (cli_is_dash(o->tapes) && (o->common.json || cli_is_dash(o->film) || cli_is_dash(o->recording)))
        return "-o - prints tapes, and nothing else can be printed";
    if (o->modes && !o->common.json) return "--modes are the observations of --json";
    if (!has_terminal && !o->film && cli_look_is_given(&o->showing.look))
        return CLI_LOOK_NAMES " are for --watch, --step and --film";
    if (!o->watch && !o->film && o->has_delay) return "--delay is for --watch and --film";
    if (!has_terminal && (o->showing.mode || o->showing.pictures))
        return "--mode and --pictures are for --watch and --step";
    return NULL;
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    const replay_options *o = given;
    if (contradiction(o)) return cli_usage(self, contradiction(o));
    replaying r = {.options = o};
    sb_error error;
    bool ok = cli_display_begin(&r.display, &o->common, o->watch || o->step ? &o->showing : NULL, &error) &&
              (!o->film || cli_film_open(&r.film, o->film, &o->showing.look, o->delay, &error)) &&
              open_files(&r, &error) && (!o->step || cli_terminal_enter(&r.terminal, false, &error));
    for (size_t i = 0; ok && !r.stopped && i < n; i++) ok = replay_file(&r, paths[i], &error);
    if (o->step) cli_terminal_leave(&r.terminal);
    if (o->film && !cli_film_close(&r.film, ok && r.tapes_shown > 0, &error)) ok = ok && r.tapes_shown == 0;
    ok = close_files(&r, ok, &error);
    cli_display_end(&r.display);
    const int ended_by = r.terminal.ended_by, failure = ok ? CLI_OK : cli_fail(&error);
    if (ended_by && ended_by != SIGINT) return CLI_SIGNAL + ended_by;
    if (!ok) return failure;
    if (r.tapes_shown == 0) cli_warn("seedbed replay: there are no tapes\n");
    return r.tapes_shown ? CLI_OK : CLI_FOUND;
}

const cli_command cli_replay = {
    .name = "replay",
    .group = CLI_TO_LOOK,
    .summary = "show recorded episodes (tapes) step by step; write and read recordings of others",
    .usage = "TAPES... [--watch | --step | --film FILE | --recording FILE | --json [--modes A,B]] [-o TAPES]",
    .help =
        "Plays tapes again and shows every step: as a line, animated (--watch), a picture for every key (--step), or\n"
        "as JSON with observations, for viewers (--json; docs/formats.md, \"Tapes\"). Tapes come from `play -o`,\n"
        "`solve -o` and anything else that writes them. TAPES may also be a result of eval, or a recording of the\n"
        "ARC-AGI-3 toolkit (arc), whose plays become tapes: states and frames in it are compared with the replay.\n\n"
        "  seedbed solve GoToGoal-v0/hard#3 -o tapes.jsonl && seedbed replay tapes.jsonl\n"
        "  seedbed solve GoToGoal-v0/hard#3 --json | seedbed replay - --watch --delay 300\n"
        "  seedbed replay tapes.jsonl --step\n"
        "  seedbed replay tapes.jsonl --json --modes language,state\n"
        "  seedbed solve arc:Echo/intro#7 --json | seedbed replay - --recording echo.recording.jsonl\n"
        "  seedbed replay echo.recording.jsonl -o tapes.jsonl\n\n"
        "Exit code 1 if a tape or a recording does not lead where it says.",
    CLI_OPTIONS(replay_options, options),
    .defaults = &(const replay_options){.delay = 150},
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "name a file of tapes, a result or a recording, or - for standard input"),
    .run = run,
};
