/* seedbed replay: shows tapes. */
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/film.h"
#include "cli/picture.h"
#include "cli/terminal.h"
#include "exporters/exporter.h"
#include "rollout/tape.h"
#include "rollout/view.h"

typedef struct replay_options {
    cli_common common;
    bool watch, step;
    uint64_t delay;    /* milliseconds per picture */
    const char *modes; /* NULL: the family's choice */
    cli_look look;
    const char *pictures, *film;
} replay_options;

static const cli_option options[] = {
    {"watch", 'w', NULL, "animate on the terminal", CLI_FLAG(replay_options, watch)},
    {"delay", 0, "MS", "milliseconds per picture of --watch and --film (default 150)",
     CLI_NUMBER(replay_options, delay)},
    {"step", 's', NULL, "show a picture at a time; a key shows the next", CLI_FLAG(replay_options, step)},
    {"modes", 'm', "A,B", "observations of --json (default: those of datasets)",
     CLI_TEXT(replay_options, modes, CLI_MODES)},
    {"film", 0, "FILE", "film one tape: NAME.gif, or raw frames as NAME.rgb or - for a pipe",
     CLI_TEXT(replay_options, film, CLI_FILE)},
    CLI_LOOK_OPTIONS(replay_options, look),
    CLI_PICTURES_OPTION(replay_options, pictures)};

typedef struct replaying {
    const replay_options *options;
    cli_display display;
    cli_film film;  /* if the options name one */
    bool stopped;   /* the person who steps has quit */
    sb_export seen; /* only its modes are used: those of the tape's family */
    sb_tape tape;   /* the one that is shown */
    cli_terminal terminal;
    size_t tapes;
} replaying;

/* Shows the screen and waits for a key; q, or the end of input, stops the replay. */
static bool wait_for_key(replaying *r, const cli_part *parts, size_t n) {
    int key;
    do {
        cli_terminal_show(&r->terminal, parts, n, NULL);
        key = cli_terminal_key(&r->terminal, -1);
    } while (key == CLI_KEY_REDRAW);
    return key != 'q' && key != CLI_KEY_END;
}

static bool show_and_wait(replaying *r, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    static const char keys[] = "any key: the next step   q: quit\n\n";
    sb_out heading = sb_out_growing(), picture = sb_out_growing();
    cli_put_heading(&heading, env, action, result, NULL);
    bool ok = cli_put_shown(&picture, env, &r->display, error);
    if (!r->terminal.raw || r->terminal.dumb) sb_puts(&picture, "\n");
    ok = ok &&
         ((sb_out_ok(&heading) && sb_out_ok(&picture)) || sb_fail(error, SB_MEMORY, "out of memory for a picture"));
    if (ok) {
        const size_t legend = r->display.look ? picture.size : cli_legend_of(picture.data, picture.size);
        const cli_part parts[] = {{heading.data, heading.size, 1, false},
                                  {keys, sizeof keys - 1, 2, false},
                                  {picture.data, legend, 0, r->display.look},
                                  {picture.data + legend, picture.size - legend, 3, false}};
        r->stopped = !wait_for_key(r, parts, sizeof parts / sizeof *parts);
    }
    sb_out_free(&heading);
    sb_out_free(&picture);
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
    sb_member_success(out, env->task->criterion, status);
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

static bool show_step(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    replaying *r = context;
    if (r->options->common.json) return print_json_step(r, env, action, result, error);
    if (r->options->film) return film_step(r, env, result, error);
    if (r->options->step) return show_and_wait(r, env, action, result, error);
    if (r->options->watch) {
        if (!cli_show_picture(env, action, result, NULL, &r->display, error)) return false;
        cli_pause(r->options->delay);
    } else if (result) {
        sb_out line = sb_out_growing();
        cli_put_step(&line, env, action, result, NULL);
        cli_emit(&line, CLI_PROSE);
    }
    return true;
}

static void print_heading(const sb_tape *tape) {
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    cli_say("%s: played by %s, %s after %zu steps\n", name, CLI_PLAIN(tape->agent),
            cli_outcome(tape->criterion, &tape->outcome), tape->n);
}

static bool replay_file(replaying *r, const char *path, sb_error *error) {
    sb_lines lines;
    const replay_options *o = r->options;
    const bool has_heading = !o->common.quiet && !o->watch && !o->step && !o->common.json && !o->film;
    sb_env *env = sb_make(o->common.catalogue, NULL, error);
    if (!env) return false;
    error->code = SB_OK;
    bool ok = sb_lines_open(&lines, path, SB_TAPE_BYTES, error);
    while (ok && !r->stopped && sb_lines_next(&lines, error)) {
        ok = sb_tape_parse(o->common.catalogue, lines.line.data, lines.line.size, &r->tape, error);
        if (ok && has_heading) print_heading(&r->tape);
        ok = ok && (sb_tape_replay(&r->tape, env, show_step, r, error) || r->stopped);
        if (!ok) sb_fail_at(error, "%.100s, line %zu", path, lines.number);
        r->tapes++;
    }
    ok = ok && (r->stopped || error->code == SB_OK);
    sb_lines_close(&lines);
    sb_tape_clear(&r->tape);
    sb_free(env);
    return ok;
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    const replay_options *o = given;
    if (o->watch + o->step + o->common.json + (o->film != NULL) > 1)
        return cli_usage(self, "--watch, --step, --film and --json are four ways to show tapes: choose one");
    if (o->modes && !o->common.json) return cli_usage(self, "--modes are the observations of --json");
    if (o->look.name && !o->watch && !o->step && !o->film)
        return cli_usage(self, "--look is for --watch, --step and --film");
    replaying r = {.options = o};
    sb_error error;
    bool ok = cli_display_begin(&r.display, &o->common, o->film ? &(cli_look){0} : &o->look, o->pictures, &error) &&
              (!o->film || cli_film_open(&r.film, o->film, &o->look, o->delay, &error)) &&
              (!o->step || cli_terminal_enter(&r.terminal, false, &error));
    for (size_t i = 0; ok && !r.stopped && i < n; i++) ok = replay_file(&r, paths[i], &error);
    if (o->step) cli_terminal_leave(&r.terminal);
    if (o->film && !cli_film_close(&r.film, ok && r.tapes > 0, &error)) ok = ok && r.tapes == 0;
    cli_display_end(&r.display);
    if (r.terminal.ended_by && r.terminal.ended_by != SIGINT) return CLI_SIGNAL + r.terminal.ended_by;
    if (!ok) return cli_fail(&error);
    if (r.tapes == 0) cli_warn("seedbed replay: there are no tapes\n");
    return r.tapes ? CLI_OK : CLI_FOUND;
}

const cli_command cli_replay = {
    .name = "replay",
    .summary = "show recorded episodes (tapes) step by step",
    .usage = "TAPES... [--watch [--delay MS] | --step | --film FILE | --json [--modes A,B]]",
    .help =
        "Plays tapes again and shows every step: as a line, animated (--watch), a picture for every key (--step), or\n"
        "as JSON with observations, for viewers (--json; docs/datasets.md, \"Tapes\"). Tapes come from `play -o`,\n"
        "`solve -o` and anything else that writes them.\n\n"
        "  seedbed solve GoToGoal-v0/hard#3 -o tapes.jsonl && seedbed replay tapes.jsonl\n"
        "  seedbed solve GoToGoal-v0/hard#3 --json | seedbed replay - --watch --delay 300\n"
        "  seedbed replay tapes.jsonl --step\n"
        "  seedbed replay tapes.jsonl --json --modes language,state\n\n"
        "Exit code 1 if a tape does not lead where it says.",
    CLI_OPTIONS(replay_options, options),
    .defaults = &(const replay_options){.delay = 150},
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "name a file of tapes, or - for standard input"),
    .run = run,
};
