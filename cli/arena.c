/* seedbed arena: a team of programs makes a model of a game while it plays it. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/plugin.h"
#include "evaluation/arena/arena.h"
#include "evaluation/arena/page.h"
#include "evaluation/efficiency.h"
#include "evaluation/selected.h"
#include "evaluation/table.h"
#include "rollout/judging.h"
#include "rollout/transitions.h"

typedef struct arena_options {
    cli_common common;
    sb_request request;
    const char *team, *output, *html, *plays;
    bool gate, resume, without[SB_N_PARTS];
    bool is_silent; /* no game has a usable choice of the leader */
} arena_options;

static const cli_option options[] = {
    {"team", 0, "FILE", "who plays which role: team.json (docs/arena.md; required for a run)",
     CLI_TEXT(arena_options, team, CLI_FILE)},
    {"output", 'o', "FOLDER", "where the run is written (required for a run)",
     CLI_TEXT(arena_options, output, CLI_OUTPUT)},
    {"plays", 0, "LOG", "go through the plays of a log (`seedbed log`) instead: only predictions and repairs",
     CLI_TEXT(arena_options, plays, CLI_FILE)},
    {"html", 0, "FILE", "write a page that replays the run; alone with the folder of an earlier run: of that",
     CLI_TEXT(arena_options, html, CLI_OUTPUT)},
    {"resume", 0, NULL, "go on with a run that was interrupted; start if there is none",
     CLI_FLAG(arena_options, resume)},
    {"gate", 0, NULL, "refuse patches that break what was right on the set of regressions",
     CLI_FLAG(arena_options, gate)},
    {"no-commitment", 0, NULL, "to compare: play without predictions before actions",
     CLI_FLAG(arena_options, without[SB_PART_COMMITMENT])},
    {"no-ownership", 0, NULL, "to compare: play without owners of parts: the simulator owns the whole model",
     CLI_FLAG(arena_options, without[SB_PART_OWNERSHIP])},
    {"no-regressions", 0, NULL, "to compare: play without checks of patches on earlier transitions",
     CLI_FLAG(arena_options, without[SB_PART_REGRESSIONS])},
    {"no-probes", 0, NULL, "to compare: play without probes: actions are drawn where one would be probed",
     CLI_FLAG(arena_options, without[SB_PART_PROBES])},
    {"no-planner", 0, NULL, "to compare: play without plans", CLI_FLAG(arena_options, without[SB_PART_PLANNER])},
    CLI_SELECTION_OPTIONS(arena_options, request)};

typedef struct showing {
    cli_progress progress;
    const char *folder;
    char doing[SB_LOG_GAME + 48];
} showing;

static void show(void *context, size_t n, size_t of) { cli_progress_show(&((showing *)context)->progress, n, of); }

static void note(void *context, const char *text) {
    showing *s = context;
    cli_progress_end(&s->progress);
    cli_warn("seedbed: note: %s: %s\n", CLI_PLAIN(s->folder), CLI_PLAIN(text));
}

static void begin_game(void *context, const char *name, size_t game, size_t of) {
    showing *s = context;
    char which[44] = "";
    if (of > 1) snprintf(which, sizeof which, " (%zu of %zu)", game, of);
    snprintf(s->doing, sizeof s->doing, "%s%s:", name, which);
    cli_progress_again(&s->progress, s->doing);
}

/* ---- Printing ---------------------------------------------------------------------------------------------------- */

static void add_share(sb_table *table, uint64_t n, uint64_t of) {
    sb_table_add_share(table, 100 * (double)n, of, 1, "%");
}

static void put_scores(size_t n, const sb_arena_report *reports, sb_out *out) {
    static const char *const heads[] = {"game", "ended by", "score",  "levels", "actions",
                                        "plan", "progress", "policy", "probe",  "reset"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    sb_table t = sb_table_of("Scores", COLUMNS, 2);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(&t, heads[i]);
    for (size_t i = 0; i < n; i++) {
        const sb_arena_report *r = &reports[i];
        sb_table_add(&t, r->game);
        sb_table_add(&t, r->end);
        if (r->effort.n_levels)
            sb_putf(sb_table_cell(&t), "%.2f", sb_effort_score(&r->effort));
        else
            sb_table_add(&t, !sb_has_success(r->criterion) ? "-" : r->status.success ? "1" : "0");
        if (r->status.n_levels)
            sb_putf(sb_table_cell(&t), "%d/%d", r->status.level, r->status.n_levels);
        else
            sb_table_add(&t, "-");
        sb_put_uint(sb_table_cell(&t), r->actions);
        for (int c = 0; c < SB_CHOSE_RECORDED; c++) add_share(&t, r->by[c], r->actions);
    }
    sb_table_print_text(&t, out);
    sb_table_free(&t);
}

static void put_predictions(size_t n, const sb_arena_report *reports, sb_out *out) {
    static const char *const heads[] = {"game",      "said",    "right",    "right of all due", "retrodiction",
                                        "surprises", "patches", "accepted", "repaired",         "held"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    sb_table t = sb_table_of("Predictions and repairs", COLUMNS, 1);
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(&t, heads[i]);
    for (size_t i = 0; i < n; i++) {
        const sb_arena_report *r = &reports[i];
        uint64_t surprises = 0;
        for (int o = 0; o < SB_N_OWNERS; o++) surprises += r->surprises[o];
        sb_table_add(&t, r->game);
        add_share(&t, r->said, r->asked), add_share(&t, r->right, r->said), add_share(&t, r->right, r->asked);
        sb_putf(sb_table_cell(&t), "%.1f%%", 100 * r->retrodiction);
        sb_put_uint(sb_table_cell(&t), surprises), sb_put_uint(sb_table_cell(&t), r->patches);
        sb_put_uint(sb_table_cell(&t), r->accepted), sb_put_uint(sb_table_cell(&t), r->repaired);
        sb_put_uint(sb_table_cell(&t), r->held);
    }
    sb_table_print_text(&t, out);
    sb_table_free(&t);
}

/* What each role took over all games. */
static void put_roles(const sb_arena_team *team, size_t n, const sb_arena_report *reports, sb_out *out) {
    static const char *const heads[] = {"role", "asked", "failures", "tokens in", "tokens out", "cost", "seconds"};
    enum { COLUMNS = sizeof heads / sizeof *heads };
    sb_table t = sb_table_of("Roles", COLUMNS, 1);
    double model = 0, plan = 0;
    for (size_t i = 0; i < COLUMNS; i++) sb_table_add(&t, heads[i]);
    for (int role = 0; role < SB_N_ROLES; role++) {
        sb_arena_spent sum = {0};
        if (team->of[role] < 0) continue;
        for (size_t i = 0; i < n; i++) {
            const sb_arena_spent *s = &reports[i].spent[role];
            sum.asked += s->asked, sum.failures += s->failures, sum.seconds += s->seconds, sum.cost += s->cost;
            sum.tokens_in += s->tokens_in, sum.tokens_out += s->tokens_out, sum.is_unknown |= s->is_unknown;
            sum.is_cost_unknown |= s->is_cost_unknown;
        }
        sb_table_add(&t, sb_role_names[role]);
        sb_put_uint(sb_table_cell(&t), sum.asked), sb_put_uint(sb_table_cell(&t), sum.failures);
        sb_putf(sb_table_cell(&t), "%.0f%s", sum.tokens_in, sum.is_unknown ? "+?" : "");
        sb_putf(sb_table_cell(&t), "%.0f%s", sum.tokens_out, sum.is_unknown ? "+?" : "");
        sb_putf(sb_table_cell(&t), "%.4g%s", sum.cost, sum.is_cost_unknown ? "+?" : "");
        sb_putf(sb_table_cell(&t), "%.1f", sum.seconds);
    }
    for (size_t i = 0; i < n; i++) model += reports[i].model_seconds, plan += reports[i].plan_seconds;
    snprintf(t.note, sizeof t.note, "besides, the model took %.1f seconds, and searches for plans %.1f", model, plan);
    sb_table_print_text(&t, out);
    sb_table_free(&t);
}

static void put_json(size_t n, const sb_arena_report *reports, sb_out *out) {
    sb_puts(out, "{\"games\": [\n");
    for (size_t i = 0; i < n; i++) {
        if (i) sb_puts(out, ",");
        sb_put_out(out, &reports[i].scores);
    }
    sb_puts(out, "]}\n");
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

static bool select_games(arena_options *o, sb_selection *selection, sb_out *selected, sb_error *error) {
    if (!sb_select(&o->request, selection, error) || !sb_need_frames(selection, error)) return false;
    sb_selected_print_request(&o->request, selection, &(sb_eval_budget){0}, selected);
    sb_putc(selected, '\0');
    return sb_out_ok(selected) || sb_fail(error, SB_MEMORY, "out of memory for the selection");
}

static void put_all(const sb_arena_team *team, size_t n, const sb_arena_report *reports, sb_out *out) {
    if (!reports->is_recorded) put_scores(n, reports, out), sb_puts(out, "\n");
    put_predictions(n, reports, out), sb_puts(out, "\n");
    put_roles(team, n, reports, out);
}

static bool play(arena_options *o, const sb_arena_team *team, const sb_arena_games *games, const sb_out *selected,
                 sb_out *out, sb_error *error) {
    const size_t n = sb_arena_n_games(games);
    showing s = {.folder = o->output, .progress = cli_progress_begin(o->common.quiet, "", "actions")};
    sb_arena_options how = {.catalogue = o->common.catalogue,
                            .team = team,
                            .folder = o->output,
                            .selection = selected->data,
                            .gate = o->gate,
                            .resume = o->resume,
                            .errors = -1,
                            .now = cli_now,
                            .progress = show,
                            .begins = begin_game,
                            .note = note,
                            .context = &s};
    sb_results results;
    sb_arena_report *reports;
    s.progress.ends_early = true;
    memcpy(how.without, o->without, sizeof how.without);
    const bool ok = sb_arena_run(&how, games, &results, &reports, error);
    cli_progress_end(&s.progress);
    o->is_silent = ok && n;
    for (size_t i = 0; ok && i < n; i++) o->is_silent &= reports[i].is_silent;
    if (ok && o->common.json)
        put_json(n, reports, out);
    else if (ok && !o->common.quiet)
        put_all(team, n, reports, out);
    sb_results_free(&results);
    sb_arena_reports_free(reports, n);
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the scores"));
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

/* Opens the page of a run before the run, in whose folder it may be. */
static bool open_page(const arena_options *o, sb_file *file, sb_error *error) {
    return !o->html || (sb_make_folder(o->output, error) && cli_output_open(file, o->html, error));
}

static bool write_page(const arena_options *o, const char *folder, sb_file *file, sb_error *error) {
    sb_out page = sb_out_growing();
    const bool ok = sb_arena_page_put(folder, &page, error) && cli_output_put(file, o->html, &page, error);
    sb_out_free(&page);
    return ok;
}

/* Whether the folder of an earlier run is named instead of games, for a page of it. */
static bool is_of_earlier_run(const arena_options *o, const char *const *names, size_t n) {
    return o->html && !o->team && n == 1 && (sb_is_folder(names[0]) || !strchr(names[0], '#'));
}

static int write_page_only(const cli_command *self, const arena_options *o, const char *folder) {
    sb_error error = {0};
    sb_file file;
    bool plays = o->output || o->plays || o->resume || o->gate || o->common.json || !sb_request_is_empty(&o->request);
    for (int part = 0; part < SB_N_PARTS; part++) plays |= o->without[part];
    if (plays) return cli_usage(self, "the page of an earlier run needs its folder and --html FILE, and nothing else");
    const bool ok = cli_output_open(&file, o->html, &error) && write_page(o, folder, &file, &error);
    sb_file_discard(&file);
    return ok ? CLI_OK : cli_fail(&error);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* Says what is missing or contradicts itself; NULL: nothing. */
static const char *contradiction(const arena_options *o) {
    const bool is_selected = !sb_request_is_empty(&o->request);
    if (!o->team) return "--team is missing: the file that says who plays which role";
    if (!o->output) return "-o is missing: the folder of the run";
    if (cli_is_dash(o->html)) return "--html - is for a run that is there: seedbed arena RUN --html -";
    if (o->plays && is_selected) return "--plays takes the place of games: give one of the two";
    return o->plays || is_selected ? NULL : "name the games to play, or select some";
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    arena_options *o = given;
    sb_error error = {0};
    sb_arena_team team = {0};
    sb_selection selection = {0};
    sb_log log = {0};
    sb_file page = {0};
    const sb_arena_games games = {.selection = &selection, .log = o->plays ? &log : NULL};
    sb_out selected = sb_out_growing(), out = sb_out_growing();
    if (is_of_earlier_run(o, names, n)) return write_page_only(self, o, names[0]);
    o->request.catalogue = o->common.catalogue, o->request.names = names, o->request.n_names = n;
    if (contradiction(o)) return cli_usage(self, contradiction(o));
    cli_expect_programs();
    const bool ok = sb_arena_team_load(&team, o->team, NULL, &error) &&
                    (o->plays ? sb_log_open(&log, o->plays, true, &error)
                              : select_games(o, &selection, &selected, &error)) &&
                    open_page(o, &page, &error) && play(o, &team, &games, &selected, &out, &error) &&
                    (!o->html || write_page(o, o->output, &page, &error));
    sb_file_discard(&page);
    sb_arena_team_free(&team);
    sb_selection_free(&selection);
    sb_log_close(&log);
    sb_out_free(&selected);
    const int status = ok ? cli_emit(&out, cli_data_if(o->common.json)) : cli_fail(&error);
    if (!ok) sb_out_free(&out);
    if (status || !o->is_silent) return status;
    sb_fail(&error, SB_IO, "no choice of the leader could be used: chat.jsonl in the folders of games says why");
    return cli_fail(&error);
}

const cli_command cli_arena = {
    .name = "arena",
    .group = CLI_TO_CONNECT,
    .summary = "let a team of programs make models of games while they play them",
    .usage = "[NAME... | selection | --plays LOG] --team FILE -o FOLDER [--resume] [--gate] [--html FILE]\n"
             "       seedbed arena RUN --html FILE",
    .help =
        "A team has up to six roles, which programs play: they own parts of a model of the game, repair what it\n"
        "predicted wrongly, propose what to try, and choose the actions (docs/arena.md). Every action is taken with\n"
        "the model's prediction, which is compared with what happens.\n\n"
        "  seedbed arena arc:Echo/intro#7 --team examples/arena/table.json -o run\n"
        "  seedbed verify run\n"
        "  seedbed report run/results.json\n"
        "  seedbed arena run --html page.html\n\n"
        "The folder holds the model and all its revisions, logs, the ledger of errors, messages and scores. Every\n"
        "answer is kept before it is used: after an interruption the same command with --resume goes on. Exit code 1\n"
        "if no choice of the leader could be used.",
    CLI_OPTIONS(arena_options, options),
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
