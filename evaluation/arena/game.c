/* A game from its beginning to its end. */
#include "evaluation/arena/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static bool make_values(sb_game *g) {
    sb_out *const all[] = {&g->line, &g->text, &g->times, &g->curve, &g->texts[0], &g->texts[1], &g->texts[2]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = sb_out_growing();
    for (int i = 0; i < SB_N_ROLES; i++) g->programs[i].memory = sb_out_growing();
    sb_runner_begin(&g->runner);
    return true;
}

static bool make_frames(sb_game *g) {
    g->observed = malloc(sb_frame_cells(&g->writer.play.shape));
    return g->observed ? sb_grasp_begin(&g->grasp, &g->model, &g->writer.play, g->error) : sb_game_no_memory(g);
}

/* The command that runs the artifacts, with the path of their folder in place of the mark. */
static bool make_command(sb_game *g) {
    static const char mark[] = "{artifacts}";
    const char *from = g->team->model, *found;
    sb_out out = sb_out_growing();
    while ((found = strstr(from, mark))) {
        sb_put(&out, from, (size_t)(found - from));
        sb_put_shell(&out, g->artifacts, strlen(g->artifacts));
        from = found + sizeof mark - 1;
    }
    sb_puts(&out, from), sb_putc(&out, '\0');
    g->command = out.data;
    return sb_out_ok(&out) || sb_game_no_memory(g);
}

/* Writes the artifacts, which the program reads when it starts. */
static bool prepare(void *context, sb_error *error) {
    sb_game *g = context;
    return sb_workspace_write(&g->files, "artifacts/", error);
}

static void make_voices(sb_game *g) {
    const sb_voice voice = {.guard = g->guard, .now = g->o->now, .errors = g->o->errors};
    g->runner.answers = &g->answers, g->runner.prepare = prepare, g->runner.context = g;
    g->runner.voice = voice, g->runner.voice.command = g->command;
    g->runner.voice.seconds = g->team->model_seconds, g->runner.voice.start_seconds = SB_MODEL_START_SECONDS;
    for (size_t i = 0; i < g->team->n_programs; i++) {
        sb_voice *v = &g->programs[i].voice;
        *v = voice, v->command = g->team->programs[i];
        v->seconds = v->start_seconds = g->team->limits.answer_seconds;
    }
}

/* Makes the name of a game's folder from that of its episode. */
void sb_game_name_folder(const char *run, const char *name, size_t index, char folder[SB_ARENA_FOLDER]) {
    char text[SB_NAME_MAX];
    snprintf(text, sizeof text, "%s", name);
    for (char *c = text; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.#", *c)) *c = '_';
    snprintf(folder, SB_ARENA_FOLDER, "%.700s/games/%03zu-%s", run, index + 1, text);
}

/* Makes the path of the artifacts absolute, because programs may run elsewhere. */
static bool name_artifacts(sb_game *g) {
    char here[512] = "";
    if (*g->folder != '/' && !getcwd(here, sizeof here))
        return sb_fail_errno(g->error, "cannot tell the folder that this program runs in");
    snprintf(g->artifacts, sizeof g->artifacts, "%s%s%.1000s/artifacts", here, *here ? "/" : "", g->folder);
    return true;
}

static bool open_files(sb_game *g, const sb_arena_game *game, const sb_lock *lock, const sb_out *head) {
    char path[1100];
    sb_game_name_folder(g->o->folder, game->text, game->index, g->folder);
    if (lock && !sb_make_folder(g->folder, g->error)) return false;
    if (!name_artifacts(g)) return false;
    snprintf(path, sizeof path, "%.1000s/" SB_ARENA_ANSWERS, g->folder);
    g->files.folder = g->folder, g->files.lock = lock;
    return sb_answers_open(&g->answers, path, lock, head, g->error);
}

/* Begins an episode; the log and the offers follow from it. */
static bool begin_episode(sb_game *g, const sb_arena_game *game, sb_out *log) {
    if (!sb_reset_name(g->env, &game->name, g->error)) return false;
    if (!sb_log_begin(&g->writer, g->env, log, g->error)) return sb_fail_at(g->error, "%s", game->text);
    sb_tape_begin(&g->tape, g->env, "arena");
    return sb_offers_read(&g->offers, g->env, &g->writer.play.shape, g->error);
}

/* Begins a recording, of which nothing can be chosen, so that nothing is on offer. */
static bool begin_recording(sb_game *g, sb_out *log) {
    g->report->is_recorded = true;
    g->writer.play = *g->recorded;
    g->writer.level = g->recorded->n ? g->all[0].level : 1;
    sb_log_put_play(log, g->recorded);
    return sb_out_ok(log) || sb_game_no_memory(g);
}

static bool begin(sb_game *g, const sb_arena_game *game, const sb_lock *lock, const sb_out *head) {
    if (!make_values(g) || !open_files(g, game, lock, head) || !make_command(g)) return false;
    make_voices(g);
    sb_out *log = sb_workspace_lines(&g->files, SB_ARENA_LOG);
    if (!log) return sb_game_no_memory(g);
    if (!(g->recorded ? begin_recording(g, log) : begin_episode(g, game, log)) || !make_frames(g)) return false;
    if (!sb_evidence_begin(&g->evidence, &g->writer, g->error)) return false;
    if (g->guard && !sb_game_read_times(g)) return false;
    g->began = g->guard ? g->o->now() - g->waited : 0;
    return sb_game_put_artifacts(g) && sb_game_start_model(g) && sb_grasp_enter(&g->grasp, g->writer.level, g->error) &&
           sb_game_greet(g) && sb_game_write_ledger(g);
}

/* ---- Playing ----------------------------------------------------------------------------------------------------- */

static bool begin_test(sb_game *g) {
    sb_log_action begins;
    if (g->recorded || !sb_probe_begins_test(g->env, &g->writer.play.shape, &begins)) return true;
    return sb_game_decide_on(g, SB_CHOSE_RESET, &begins) && sb_game_act(g);
}

/* Writes how long answers took, which does not follow from the answers and so has a file of its own. */
static bool write_times(sb_game *g) {
    char path[1100];
    if (g->runner.seconds > 0) sb_game_note_time(g, "model", g->runner.seconds);
    g->runner.seconds = 0;
    if (!g->guard || !g->times.size) return true;
    snprintf(path, sizeof path, "%.1000s/" SB_ARENA_TIMES, g->folder);
    const bool ok = (sb_file_exists(path) || sb_file_save_under(path, g->files.lock, "", 0, g->error)) &&
                    sb_file_append(path, g->times.data, g->times.size, g->error);
    sb_out_clear(&g->times);
    return ok;
}

/* Writes all files, at most once a second unless `at_once`: only the journal has to be on the disk at once, and all
 * else follows from it. While the journal is replayed, nothing need be written. */
static bool write_all(sb_game *g, bool at_once) {
    const double now = g->guard ? g->o->now() : 0;
    if (!g->guard || (!at_once && (sb_answers_has_next(&g->answers) || now - g->written < 1))) return true;
    g->written = now;
    return sb_answers_sync(&g->answers, g->error) && sb_workspace_write(&g->files, "", g->error) && write_times(g);
}

static bool play(sb_game *g) {
    if (!begin_test(g)) return false;
    const uint64_t most = g->recorded ? g->recorded->n : (uint64_t)sb_status_of(g->env)->max_steps;
    const uint64_t limit = g->team->limits.actions, end = limit && limit < most ? limit : most;
    while (!sb_game_is_done(g) && !g->is_over) {
        if (!sb_game_decide(g)) return false;
        if (!g->is_over && !sb_game_act(g)) return false;
        if (!g->decision.left && (!sb_game_write_ledger(g) || !write_all(g, false))) return false;
        if (g->o->progress) g->o->progress(g->o->context, (size_t)g->report->actions, (size_t)end);
    }
    return true;
}

/* ---- Ending ------------------------------------------------------------------------------------------------------ */

/* What the team reported goes into the tape, as with other programs that play: what is known of all of it. */
static bool tell_spent(sb_game *g) {
    sb_counters all = {0};
    bool is_unknown = false, is_cost_unknown = false;
    for (int role = 0; role < SB_N_ROLES; role++) {
        const sb_arena_spent *s = &g->report->spent[role];
        all.value[SB_CALLS] += (double)s->asked;
        all.value[SB_TOKENS_IN] += s->tokens_in, all.value[SB_TOKENS_OUT] += s->tokens_out;
        all.value[SB_COST] += s->cost;
        is_unknown |= s->is_unknown, is_cost_unknown |= s->is_cost_unknown;
    }
    all.has = 1u << SB_CALLS;
    if (!is_unknown && all.value[SB_TOKENS_IN] + all.value[SB_TOKENS_OUT] > 0)
        all.has |= 1u << SB_TOKENS_IN | 1u << SB_TOKENS_OUT;
    if (!is_cost_unknown && all.value[SB_COST] > 0) all.has |= 1u << SB_COST;
    return sb_said_add(&g->tape.said, g->tape.n, "", 0, &all, g->error);
}

/* A team whose leader never made a choice has not played: its endpoint may have refused it. */
static void judge_silence(sb_game *g) {
    if (!g->n_choices || g->n_silent < g->n_choices || g->failure.kind == SB_FAILED_QUOTA) return;
    g->report->is_silent = true;
    sb_failed(&g->failure, g->silence.kind, "no answer of the leader could be used, the last: %.120s", g->silence.text);
    snprintf(g->report->end, sizeof g->report->end, "no usable answer of the leader");
}

static bool conclude(sb_game *g) {
    sb_out *out = &g->report->scores;
    judge_silence(g);
    if (!sb_game_conclude(g) || !sb_game_write_ledger(g) || !tell_spent(g)) return false;
    if (!g->recorded) sb_tape_finish(&g->tape, g->env);
    *out = sb_out_growing();
    sb_game_put_scores(g, out);
    if (!sb_out_ok(out)) return sb_game_no_memory(g);
    return sb_workspace_put(&g->files, SB_ARENA_SCORES, out->data, out->size, g->error) && write_all(g, true);
}

/* Checks that a replay has made every file again, and used every answer. */
static bool compare(sb_game *g) {
    if (sb_answers_has_next(&g->answers))
        return sb_fail(g->error, SB_MISMATCH, "%s: answers are left after the end of the game",
                       sb_path_end(g->answers.path));
    return sb_workspace_compare(&g->files, g->error);
}

static void free_game(sb_game *g) {
    sb_out *const all[] = {&g->line, &g->text, &g->times, &g->curve, &g->texts[0], &g->texts[1], &g->texts[2]};
    sb_candidate_close(&g->model), sb_candidate_close(&g->thinker);
    sb_runner_free(&g->runner);
    for (int i = 0; i < SB_N_ROLES; i++) {
        sb_voice_end(&g->programs[i].voice);
        sb_out_free(&g->programs[i].memory);
        for (size_t k = 0; k < g->roles[i].n_mail; k++) sb_out_free(&g->roles[i].mail[k]);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sb_out_free(all[i]);
    sb_workspace_free(&g->files);
    sb_answers_close(&g->answers);
    sb_evidence_free(&g->evidence);
    sb_log_writer_free(&g->writer);
    sb_offers_free(&g->offers), free(g->tries.slots), sb_imagining_free(&g->search);
    sb_ledger_free(&g->ledger);
    sb_tape_clear(&g->tape);
    free(g->decision.actions), free(g->command);
    sb_grasp_free(&g->grasp), free(g->observed);
}

sb_arena_game sb_arena_game_of(const sb_arena_games *games, size_t index) {
    sb_arena_game game = {.index = index};
    if (games->log)
        snprintf(game.text, sizeof game.text, "%s", games->log->plays[index].name);
    else
        sb_name_print(sb_selection_name(games->selection, index, &game.name), game.text, sizeof game.text);
    return game;
}

bool sb_game_play(const sb_arena_options *o, const sb_arena_games *games, const sb_arena_game *game, sb_env *env,
                  sb_guard *guard, const sb_lock *lock, const sb_out *head, sb_arena_report *report, sb_tape *tape,
                  sb_failure *failure, sb_error *error) {
    const sb_log *log = games->log;
    sb_game *g = calloc(1, sizeof *g);
    if (!g) return sb_fail(error, SB_MEMORY, "out of memory for a game of the arena");
    g->o = o, g->team = o->team, g->report = report, g->env = env, g->guard = guard, g->error = error;
    if (log) g->recorded = &log->plays[game->index], g->all = log->transitions + g->recorded->first;
    memcpy(report->game, game->text, sizeof report->game);
    const bool ok = begin(g, game, lock, head) && play(g) && conclude(g) && (guard || compare(g));
    if (ok && !log) *tape = g->tape, *failure = g->failure, g->tape = (sb_tape){0};
    free_game(g);
    free(g);
    return ok;
}
