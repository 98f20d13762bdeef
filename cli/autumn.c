/* seedbed autumn: checks and runs programs in Autumn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/autumn_worlds.h"
#include "cli/command.h"
#include "engine/autumn/world.h"
#include "engine/lookup.h"

/* Steps are tried until together they have taken so many evaluations, which lasts seconds. */
enum { TRIED_SEEDS = 3, TRIED_STEPS = 300, TRIED_EVALUATIONS = 20000000 };

typedef struct autumn_options {
    cli_common common;
    const char *actions, *trigger, *difficulty;
    uint64_t seed;
    bool published;
} autumn_options;

static const cli_option options[] = {
    {"actions", 'x', "A,B", "what to do, in order: noop, left, right, up, down, click X Y; noop*5 is five of them",
     CLI_TEXT(autumn_options, actions, CLI_LIST), CLI_WORDS("noop", "left", "right", "up", "down", "click 0 0")},
    {"seed", 's', "N", "seed of the random numbers (default 1)", CLI_NUMBER(autumn_options, seed)},
    {"generator", 0, "NAME", "where random numbers come from: pcg64 (default) or published",
     CLI_SWITCH(autumn_options, published, "pcg64", "published")},
    {"difficulty", 'd', "NAME", "run, plain: a difficulty of a world (default: the first)",
     CLI_TEXT(autumn_options, difficulty, CLI_ANYTHING), CLI_WORDS("easy", "medium", "hard")},
    {"trigger", 0, "TEXT", "tell after each step whether this held before it, such as '== n 2'",
     CLI_TEXT(autumn_options, trigger, CLI_ANYTHING)},
};

static sb_autumn_generator generator_of(const autumn_options *o) {
    return o->published ? SB_AUTUMN_PUBLISHED : SB_AUTUMN_PCG64;
}

/* ---- check ------------------------------------------------------------------------------------------------------- */

/* A program under the three orders of rules, with what was found out about it. */
typedef struct checking {
    const char *path;
    const autumn_options *o;
    sb_out *out;
    sb_autumn_program *programs[3];
    sb_autumn_state *states[3];
    uint32_t tried;       /* actions that were tried */
    uint64_t evaluations; /* evaluations that all steps took together */
    bool is_world;        /* faults are left to the review, which knows what a play is */
    bool is_sensitive;    /* the order of rules changes what the program shows */
    bool wrong;
} checking;

static void tell(checking *c, const sb_autumn_fault *fault, const char *what) {
    sb_put_visible(c->out, c->path);
    if (fault->line) sb_putf(c->out, ":%u:%u", fault->line, fault->column);
    sb_putf(c->out, ": %s%s: %s\n", what, sb_autumn_kind_names[fault->kind], fault->text);
}

static void tell_warnings(checking *c) {
    const sb_autumn_fault *warning;
    for (size_t i = 0; (warning = sb_autumn_warning(c->programs[0], i)); i++) {
        const bool serious = warning->kind == SB_AUTUMN_UNDEFINED;
        tell(c, warning, serious ? "" : "warning: ");
        c->wrong |= serious;
    }
}

static bool same_frames(const sb_autumn_state *a, const sb_autumn_state *b) {
    const uint32_t size = sb_autumn_size(a);
    uint32_t *const frames = malloc(2 * (size_t)size * size * sizeof *frames + 1);
    if (!frames || size != sb_autumn_size(b)) return free(frames), frames == NULL;
    sb_autumn_frame(a, frames);
    sb_autumn_frame(b, frames + (size_t)size * size);
    const bool same = memcmp(frames, frames + (size_t)size * size, (size_t)size * size * sizeof *frames) == 0;
    free(frames);
    return same;
}

static sb_autumn_event random_event(uint32_t *random, uint32_t size) {
    *random = *random * 1664525u + 1013904223u;
    const uint32_t number = *random >> 8, places = size ? size * size : 1;
    if (number % 2) return (sb_autumn_event){.key = (sb_autumn_key)(number / 2 % 5)};
    const uint32_t place = number / 2 % places;
    return (sb_autumn_event){
        .key = SB_AUTUMN_CLICK, .x = (int32_t)(place % (size ? size : 1)), .y = (int32_t)(place / (size ? size : 1))};
}

/* Starts or steps all three states; false: the first one failed, or another one does something else. */
static bool advance(checking *c, const sb_autumn_event *event, uint64_t seed) {
    bool ok[3];
    for (int i = 0; i < 3; i++)
        ok[i] = event ? sb_autumn_step(c->states[i], *event, NULL)
                      : sb_autumn_start(c->states[i], generator_of(c->o), seed, NULL);
    if (!ok[0] && c->is_world) return false;
    if (!ok[0]) return tell(c, sb_autumn_fault_of(c->states[0]), ""), c->wrong = true, false;
    for (int i = 1; i < 3; i++)
        if (!ok[i] || !same_frames(c->states[0], c->states[i])) {
            sb_put_visible(c->out, c->path);
            sb_puts(c->out, ": warning: order-sensitive: frames depend on the order in which rules run\n");
            c->is_sensitive = true;
            return false;
        }
    c->evaluations += sb_autumn_evaluations(c->states[0]);
    return true;
}

static bool is_over(const checking *c) {
    const sb_autumn_standing *standing = sb_autumn_standing_of(c->states[0]);
    return c->is_world && (standing->won || standing->lost);
}

/* Plays random actions of one seed; false: something is wrong, or they have taken long. */
static bool try_seed(checking *c, uint64_t seed) {
    uint32_t random = (uint32_t)seed;
    if (!advance(c, NULL, seed)) return false;
    for (int i = 0; i < TRIED_STEPS && !is_over(c); i++, c->tried++) {
        if (c->evaluations > TRIED_EVALUATIONS) return false;
        const sb_autumn_event event = random_event(&random, sb_autumn_size(c->states[0]));
        if (!advance(c, &event, seed)) return false;
    }
    return true;
}

static void try_out(checking *c) {
    for (uint64_t seed = c->o->seed; seed < c->o->seed + TRIED_SEEDS; seed++)
        if (!try_seed(c, seed) && (!c->is_world || c->is_sensitive)) return;
}

static bool make_states(checking *c, const sb_out *text, sb_error *error) {
    sb_autumn_fault fault;
    for (int i = 0; i < 3; i++) {
        const sb_autumn_options how = {.order = (sb_autumn_order)i};
        c->programs[i] = sb_autumn_load(text->data, text->size, &how, &fault);
        if (!c->programs[i]) return tell(c, &fault, ""), c->wrong = true;
        c->states[i] = sb_autumn_new(c->programs[i]);
        if (!c->states[i]) return sb_fail(error, SB_MEMORY, "out of memory for a program");
    }
    return true;
}

static void put_summary(checking *c) {
    const size_t n_handlers = sb_autumn_n_handlers(c->programs[0]);
    sb_put_visible(c->out, c->path);
    sb_putf(c->out, ": %zu handler%s, %s", n_handlers, sb_plural(n_handlers),
            sb_autumn_draws_in_steps(c->programs[0]) ? "stochastic" : "deterministic");
    if (!c->is_world) /* the size of worlds may depend on the difficulty */
        sb_putf(c->out, ", %u x %u", sb_autumn_size(c->states[0]), sb_autumn_size(c->states[0]));
    if (c->evaluations > TRIED_EVALUATIONS)
        sb_putf(c->out, "; its steps take long, so only %u random actions were tried", c->tried);
    sb_puts(c->out, "\n");
}

static bool check_file(checking *c, sb_error *error) {
    sb_out text = sb_out_growing();
    bool ok = sb_file_load_plain(c->path, SB_PROGRAM_BYTES, &text, error) && make_states(c, &text, error);
    if (ok && c->states[2]) {
        c->is_world = sb_autumn_world_of(c->programs[0]);
        tell_warnings(c);
        try_out(c);
        if (!c->wrong && !c->o->common.quiet) put_summary(c);
        if (c->is_world && !c->wrong)
            ok = cli_review_world(c->path, &text, c->o->common.quiet, c->out, &c->wrong, error);
    }
    sb_out_free(&text);
    for (int i = 0; i < 3; i++) sb_autumn_free(c->states[i]), sb_autumn_unload(c->programs[i]);
    return ok;
}

static int check(const cli_command *self, const void *given, const char *const *paths, size_t n) {
    const autumn_options *o = given;
    (void)self;
    sb_error error;
    sb_out out = sb_out_growing();
    bool ok = true, wrong = false;
    for (size_t i = 0; ok && i < n; i++) {
        checking c = {.path = paths[i], .o = o, .out = &out};
        ok = check_file(&c, &error);
        wrong |= c.wrong;
    }
    const int printed = cli_emit(&out, CLI_PROSE);
    if (!ok) return cli_fail(&error);
    return printed == CLI_OK && !wrong ? CLI_OK : CLI_FOUND;
}

/* ---- run --------------------------------------------------------------------------------------------------------- */

/* Reads one action, `noop*5` or `click 3 4`; `*end` is behind it. */
static bool read_action(const char *text, sb_autumn_event *event, uint64_t *times, const char **end, sb_error *error) {
    const size_t n = strcspn(text, ","), word = strcspn(text, "*,");
    int x = 0, y = 0, used = -1;
    *end = text + n;
    *times = 1;
    *event = (sb_autumn_event){0};
    if (word < n) {
        char count[24];
        snprintf(count, sizeof count, "%.*s", (int)(n - word - 1), text + word + 1);
        if (!sb_parse_uint(count, times) || *times > 1000000)
            return sb_fail(error, SB_INVALID, "action `%.*s`: expected a number up to 1000000 behind *", (int)n, text);
    }
    if (sb_autumn_key_find(text, word, &event->key)) return true;
    if (sscanf(text, "click %6d %6d%n", &x, &y, &used) == 2 && (size_t)used == word) {
        *event = (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = x, .y = y};
        return true;
    }
    return sb_fail(error, SB_INVALID, "unknown action `%.*s`; known: noop, left, right, up, down, click X Y",
                   (int)(n < 60 ? n : 60), text);
}

/* Checks all actions first, so that a wrong one is found before anything is printed. */
static bool check_actions(const char *text, sb_error *error) {
    while (text && *text) {
        sb_autumn_event event;
        uint64_t times;
        const char *end;
        if (!read_action(text, &event, &times, &end, error)) return false;
        text = *end ? end + 1 : end;
    }
    return true;
}

typedef struct running {
    const autumn_options *o;
    sb_autumn_state *state;
    sb_out *out;
    size_t step;
} running;

static void put_json_step(const running *r, const char *action) {
    sb_puts(r->out, "{");
    sb_member_uint(r->out, "step", r->step);
    if (action) sb_member_text(r->out, "action", action);
    sb_put_key(r->out, "frame");
    sb_autumn_put_frame(r->state, r->out);
    sb_put_key(r->out, "cells");
    sb_autumn_put_cells(r->state, r->out);
    sb_put_key(r->out, "fired");
    sb_puts(r->out, "[");
    for (size_t i = 0; i < sb_autumn_n_handlers(sb_autumn_program_of(r->state)); i++)
        if (sb_autumn_fired(r->state)[i]) sb_put_comma(r->out), sb_put_uint(r->out, i);
    sb_puts(r->out, "]");
    if (r->o->trigger) sb_member_bool(r->out, "triggered", sb_autumn_triggered(r->state));
    sb_puts(r->out, "}\n");
}

static void put_step(const running *r, const char *action) {
    if (r->o->common.json) {
        put_json_step(r, action);
        return;
    }
    sb_putf(r->out, "%sstep %zu", r->step ? "\n" : "", r->step);
    if (action) sb_putf(r->out, ", %s", action);
    if (r->o->trigger && sb_autumn_triggered(r->state)) sb_puts(r->out, ", triggered");
    sb_puts(r->out, ": ");
    sb_autumn_put_compact(r->state, r->out);
    sb_putc(r->out, '\n');
}

static bool act(running *r, const char *path, sb_autumn_event event, const char *action, sb_error *error) {
    r->step++;
    if (!sb_autumn_step(r->state, event, NULL)) return sb_autumn_fail(sb_autumn_fault_of(r->state), path, error);
    put_step(r, action);
    return true;
}

static bool play(running *r, const char *path, sb_error *error) {
    const char *text = r->o->actions;
    if (!sb_autumn_start(r->state, generator_of(r->o), r->o->seed, NULL))
        return sb_autumn_fail(sb_autumn_fault_of(r->state), path, error);
    put_step(r, NULL);
    while (text && *text) {
        sb_autumn_event event;
        uint64_t times;
        const char *end;
        char action[40];
        if (!read_action(text, &event, &times, &end, error)) return false;
        snprintf(action, sizeof action, "%.*s", (int)strcspn(text, "*,"), text);
        for (uint64_t i = 0; i < times; i++)
            if (!act(r, path, event, action, error)) return false;
        text = *end ? end + 1 : end;
    }
    return true;
}

static bool run_text(const autumn_options *o, const char *path, const sb_out *text, sb_out *out, sb_error *error) {
    sb_autumn_fault fault;
    sb_autumn_options how = {.trigger = o->trigger};
    if (!cli_find_difficulty(path, text, o->difficulty, &how.difficulty, error)) return false;
    sb_autumn_program *const program = sb_autumn_load(text->data, text->size, &how, &fault);
    if (!program) return sb_autumn_fail(&fault, path, error);
    running r = {.o = o, .state = sb_autumn_new(program), .out = out};
    const bool ok = (r.state || sb_fail(error, SB_MEMORY, "out of memory for a program")) && play(&r, path, error);
    sb_autumn_free(r.state);
    sb_autumn_unload(program);
    return ok;
}

static int run(const cli_command *self, const void *given, const char *const *paths, size_t n) {
    const autumn_options *o = given;
    const char *path = paths[0];
    (void)self, (void)n;
    sb_error error;
    sb_out text = sb_out_growing(), out = sb_out_growing();
    if (!check_actions(o->actions, &error)) return cli_fail(&error);
    const bool ok = sb_file_load_plain(path, SB_PROGRAM_BYTES, &text, &error) && run_text(o, path, &text, &out, &error);
    sb_out_free(&text);
    const int printed = cli_emit(&out, cli_data_if(o->common.json)); /* what came before a fault is printed, too */
    if (ok) return printed;
    cli_fail(&error);
    return CLI_FOUND; /* the call was right, the program is not */
}

/* ---- plain ------------------------------------------------------------------------------------------------------- */

static int plain(const cli_command *self, const void *given, const char *const *paths, size_t n) {
    const autumn_options *o = given;
    (void)self, (void)n;
    return cli_plain_world(paths[0], o->difficulty);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static const cli_verb verbs[] = {{"check", check, 1, CLI_MANY, "name the programs to check"},
                                 {"run", run, 1, 1, "name one program"},
                                 {"plain", plain, 1, 1, "name one world"},
                                 {.word = NULL}};

static const cli_belonging belonging[] = {
    {"actions", "run"},          {"trigger", "run"},           {"json", "run"}, {"seed", "check, run"},
    {"generator", "check, run"}, {"difficulty", "run, plain"}, {NULL, NULL}};

const cli_command cli_autumn = {
    .name = "autumn",
    .group = CLI_TO_MAKE,
    .summary = "check and run programs in Autumn, a small language of interactive grids",
    .usage = "check FILE... [--seed N]\n       seedbed autumn run FILE [--actions A,B] [--seed N] [--json]\n"
             "       seedbed autumn plain FILE [-d NAME]",
    .help =
        "`check` reads programs and says what is wrong with them and where: texts that are no programs, names that\n"
        "are never defined, and faults in random actions, up to 900. It warns of names that the published\n"
        "library overwrites, and of programs whose frames depend on the order in which rules run. Of worlds it tells\n"
        "how many starts are accepted and why not, how long shortest plays are, how often random actions win, and\n"
        "what looks like a mistake: claims that are false, actions that are never needed, handlers that never fire.\n\n"
        "`run` starts a program, takes the actions and prints the frame after each: the palette, the background\n"
        "first, and the rows. With --json there is a line for each frame, with the cells that were drawn and the\n"
        "handlers that fired. Starts of worlds are those that are drawn, whether they would be accepted or not.\n\n"
        "`plain` prints a world without its statement `task`, for interpreters that do not know it.\n\n"
        "  seedbed autumn check lights.sexp\n"
        "  seedbed autumn run lights.sexp --actions 'left,noop*3,click 4 7'\n\n"
        "Exit code 1 if a program is wrong or has a fault.",
    CLI_OPTIONS(autumn_options, options),
    .defaults = &(const autumn_options){.seed = 1},
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY, "say what to do: check FILE..., run FILE or plain FILE"),
    .verbs = verbs,
    .belonging = belonging,
    .run = cli_run_verb,
};
