/* A run: all games of a selection, their results, and the replay of both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/arena/game.h"
#include "evaluation/result.h"

#define RUN_FILE        "run.json"
#define TEAM_FILE       "team.json"
#define RESULTS_FILE    "results.json"
#define RECORDINGS_FILE "recordings.jsonl"

enum { PATH_BYTES = 1100, RUN_BYTES = 64 << 20 };

static void path_in(const char *folder, const char *name, char path[PATH_BYTES]) {
    snprintf(path, PATH_BYTES, "%.700s/%s", folder, name);
}

static bool no_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a run of the arena"); }

/* ---- What decides about a run ------------------------------------------------------------------------------------ */

const char *const sb_arena_parts[SB_N_PARTS] = {"commitment", "ownership", "regressions", "probes", "planner"};

static void put_options(const sb_arena_options *o, sb_out *out) {
    sb_member_bool(out, "gate", o->gate);
    sb_put_key(out, "without"), sb_puts(out, "[");
    for (int part = 0; part < SB_N_PARTS; part++)
        if (o->without[part]) sb_put_comma(out), sb_put_json_string(out, sb_arena_parts[part]);
    sb_puts(out, "]");
}

/* Puts all plays as a log: a log that is read and put again is the same. */
static void put_recordings(const sb_log *log, sb_out *out) {
    for (size_t i = 0; i < log->n_plays; i++) {
        const sb_log_play *play = &log->plays[i];
        sb_log_put_play(out, play);
        for (size_t k = 0; k < play->n; k++) sb_log_put_transition(out, play, &log->transitions[play->first + k]);
    }
}

/* What is played: a selection, or recordings with the hash of their file. */
static void put_source(const sb_arena_options *o, const sb_out *recordings, sb_out *out) {
    char sha256[SB_SHA256_HEX];
    if (!recordings->size) {
        sb_put_key(out, "selection"), sb_put_in_one_line(out, o->selection, strlen(o->selection));
        return;
    }
    sb_sha256_hex(recordings->data, recordings->size, sha256);
    sb_member_text(out, "recordings_sha256", sha256);
}

/* Puts the document that says what is played, by whom. `recordings` is empty where games are played. */
static bool put_run(const sb_arena_options *o, const sb_arena_games *games, const sb_out *recordings, sb_out *out,
                    sb_error *error) {
    sb_puts(out, "{");
    sb_member_int(out, "arena", SB_ARENA_VERSION);
    sb_member_text(out, "seedbed", SB_VERSION);
    sb_member_text(out, "team", o->team->name), sb_member_text(out, "team_sha256", o->team->sha256);
    put_options(o, out);
    put_source(o, recordings, out);
    sb_put_key(out, "games"), sb_puts(out, "[");
    for (size_t i = 0; i < sb_arena_n_games(games); i++)
        sb_put_comma(out), sb_put_json_string(out, sb_arena_game_of(games, i).text);
    sb_puts(out, "]}\n");
    return sb_out_ok(out) || no_memory(error);
}

/* The first line of a game's journal. */
static bool put_head(const sb_arena_options *o, const char *name, sb_out *out, sb_error *error) {
    sb_out_clear(out);
    sb_puts(out, "{");
    sb_member_int(out, "arena_answers", SB_ARENA_VERSION);
    sb_member_text(out, "seedbed", SB_VERSION);
    sb_member_text(out, "game", name), sb_member_text(out, "team_sha256", o->team->sha256);
    put_options(o, out);
    sb_puts(out, "}\n");
    return sb_out_ok(out) || no_memory(error);
}

static bool same_file(const char *path, const sb_out *due, sb_error *error) {
    sb_out is = sb_out_growing();
    const bool read = sb_file_load_plain(path, RUN_BYTES, &is, error);
    const bool ok = read && ((is.size == due->size && memcmp(is.data, due->data, is.size) == 0) ||
                             sb_fail(error, SB_MISMATCH, "%s differs", sb_path_end(path)));
    sb_out_free(&is);
    return ok;
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

static void put_percent(sb_out *out, const char *before, uint64_t n, uint64_t of, const char *after) {
    sb_puts(out, before);
    if (of)
        sb_putf(out, "%.1f %%", 100 * (double)n / (double)of);
    else
        sb_puts(out, "-");
    sb_puts(out, after);
}

/* What reports tell of the team beside scores: sums over the games. */
static void put_about(const sb_arena_report *reports, size_t n, sb_out *out) {
    sb_arena_report sum = {0};
    for (size_t i = 0; i < n; i++) {
        const sb_arena_report *r = &reports[i];
        sum.asked += r->asked, sum.said += r->said, sum.right += r->right, sum.actions += r->actions;
        sum.repaired += r->repaired, sum.held += r->held, sum.retrodiction += r->retrodiction / (double)n;
        for (int k = 0; k < SB_CHOICES; k++) sum.by[k] += r->by[k];
        for (int k = 0; k < SB_N_OWNERS; k++) sum.surprises[k] += r->surprises[k];
    }
    put_percent(out, "{\"predictions before actions\":\"right ", sum.right, sum.said, " of those said");
    put_percent(out, ", ", sum.right, sum.asked, " of those due; said: ");
    put_percent(out, "", sum.said, sum.asked, "\"");
    sb_putf(out, ",\"retrodiction of the last models\":\"%.1f %%\",\"surprises\":\"", 100 * sum.retrodiction);
    for (int k = 0; k < SB_N_OWNERS; k++)
        sb_putf(out, "%s%s %llu", k ? ", " : "", sb_model_owner_names[k], (unsigned long long)sum.surprises[k]);
    sb_putf(out, "\",\"repairs that held\":\"%llu of %llu\",\"actions by\":\"", (unsigned long long)sum.held,
            (unsigned long long)sum.repaired);
    for (int k = 0; k < SB_CHOICES; k++) {
        sb_putf(out, "%s%s ", k ? ", " : "", sb_arena_choices[k]);
        put_percent(out, "", sum.by[k], sum.actions, "");
    }
    sb_puts(out, "\"}"), sb_putc(out, '\0');
}

static bool tell_about(const sb_arena_report *reports, size_t n, sb_results *results, sb_error *error) {
    sb_out about = sb_out_growing();
    put_about(reports, n, &about);
    const bool ok = sb_out_ok(&about) ? sb_results_tell_about(results, about.data, error) : no_memory(error);
    sb_out_free(&about);
    return ok;
}

static bool put_results(const sb_arena_options *o, sb_results *results, sb_out *out, sb_error *error) {
    sb_baseline baseline = {0};
    const sb_result_context context = {.spec = "exec:seedbed arena", .selection = o->selection, .baseline = &baseline};
    const bool ok = sb_baseline_load(&baseline, NULL, error) && sb_results_certify(results, NULL, error) &&
                    sb_result_print(results, &context, true, out, error);
    sb_baseline_free(&baseline);
    return ok;
}

/* ---- Playing ----------------------------------------------------------------------------------------------------- */

/* What is needed for all games. */
typedef struct running {
    const sb_arena_options *o;
    const sb_arena_games *games;
    sb_results *results;
    sb_arena_report *reports;
    sb_env *env;
    sb_guard *guard;
    const sb_lock *lock;
    sb_out head;
} running;

static bool play_game(running *r, size_t i, sb_error *error) {
    sb_tape tape = {0};
    sb_failure failure = {0};
    const sb_arena_game game = sb_arena_game_of(r->games, i);
    if (r->o->begins) r->o->begins(r->o->context, game.text, i + 1, sb_arena_n_games(r->games));
    if (!put_head(r->o, game.text, &r->head, error) || !sb_game_play(r->o, r->games, &game, r->env, r->guard, r->lock,
                                                                     &r->head, &r->reports[i], &tape, &failure, error))
        return false;
    if (!r->games->log) sb_results_put(r->results, i, &tape, &failure);
    return true;
}

/* What reports call the team: with what was left out of the loop, `table, no planner`, so that this is no second run of
 * the whole team. */
static void name_team(const sb_arena_options *o, char name[SB_AGENT_LABEL]) {
    sb_out out = sb_out_fixed(name, SB_AGENT_LABEL);
    sb_puts(&out, o->team->name);
    if (o->gate) sb_puts(&out, ", gate");
    for (int part = 0; part < SB_N_PARTS; part++)
        if (o->without[part]) sb_putf(&out, ", no %s", sb_arena_parts[part]);
    sb_out_finish(&out);
}

/* Plays, or replays, all games, and puts the document of the results; of recordings there are none. */
static bool play_games(running *r, sb_out *document, sb_error *error) {
    const sb_plays once = {0};
    const bool has_results = !r->games->log;
    const size_t n = sb_arena_n_games(r->games);
    char name[SB_AGENT_LABEL];
    name_team(r->o, name);
    r->head = sb_out_growing();
    r->env = has_results ? sb_make(r->o->catalogue, NULL, error) : NULL;
    bool ok = !has_results ||
              (r->env && sb_results_begin(r->results, r->games->selection, &once, name, SB_AGENT_EXEC, error));
    for (size_t i = 0; ok && i < n; i++) ok = play_game(r, i, error);
    if (ok && has_results)
        ok = tell_about(r->reports, n, r->results, error) && put_results(r->o, r->results, document, error);
    sb_free(r->env);
    sb_out_free(&r->head);
    return ok;
}

static bool begin_folder(const sb_arena_options *o, const sb_out *run, const sb_out *recordings, const sb_lock *lock,
                         sb_error *error) {
    char path[PATH_BYTES], team[PATH_BYTES], recorded[PATH_BYTES];
    path_in(o->folder, RUN_FILE, path), path_in(o->folder, TEAM_FILE, team);
    path_in(o->folder, RECORDINGS_FILE, recorded);
    if (!sb_file_exists(path))
        return sb_file_save_under(team, lock, o->team->text.data, o->team->text.size, error) &&
               (!recordings->size || sb_file_save_under(recorded, lock, recordings->data, recordings->size, error)) &&
               sb_file_save_under(path, lock, run->data, run->size, error);
    if (!o->resume)
        return sb_fail(error, SB_INVALID, "%s holds a run already: go on with --resume, or name another folder",
                       sb_path_end(o->folder));
    return same_file(path, run, error) || sb_fail_at(error, "that was a run of other games, another team or version");
}

static bool play_in_folder(running *r, sb_error *error) {
    const sb_arena_options *o = r->o;
    char path[PATH_BYTES];
    sb_out run = sb_out_growing(), recordings = sb_out_growing(), document = sb_out_growing();
    path_in(o->folder, RESULTS_FILE, path);
    if (r->games->log) put_recordings(r->games->log, &recordings);
    const bool ok = (sb_out_ok(&recordings) || no_memory(error)) && put_run(o, r->games, &recordings, &run, error) &&
                    begin_folder(o, &run, &recordings, r->lock, error) && play_games(r, &document, error) &&
                    (!document.size || sb_file_save_under(path, r->lock, document.data, document.size, error));
    sb_out_free(&run), sb_out_free(&recordings), sb_out_free(&document);
    return ok;
}

void sb_arena_reports_free(sb_arena_report *reports, size_t n) {
    for (size_t i = 0; reports && i < n; i++) sb_out_free(&reports[i].scores);
    free(reports);
}

/* Refuses sets of regressions: they are logs, but their plays begin where nobody knows what was before. */
static bool need_whole_plays(const sb_log *log, sb_error *error) {
    for (size_t i = 0; log && i < log->n_plays; i++)
        if (!sb_log_is_from_start(log, &log->plays[i]))
            return sb_fail(error, SB_INVALID,
                           "%s, line %zu: the play begins in the middle, as in a set of regressions; a whole log is "
                           "needed",
                           sb_path_end(log->path), log->plays[i].line);
    return true;
}

bool sb_arena_run(const sb_arena_options *o, const sb_arena_games *games, sb_results *results,
                  sb_arena_report **reports, sb_error *error) {
    sb_lock lock = {0};
    sb_guard guard;
    *results = (sb_results){0};
    *reports = calloc(sb_arena_n_games(games) + 1, sizeof **reports);
    if (!*reports) return no_memory(error);
    running r = {.o = o, .games = games, .results = results, .reports = *reports, .lock = &lock};
    if (!need_whole_plays(games->log, error)) return false;
    if (!sb_folder_fits(o->folder, error) || !sb_make_folder(o->folder, error) ||
        !sb_lock_folder(&lock, o->folder, error))
        return false;
    if (lock.missing && o->note) o->note(o->context, SB_LOCK_MISSING);
    bool ok = sb_guard_begin(&guard, error);
    if (ok) {
        r.guard = &guard;
        ok = play_in_folder(&r, error);
        sb_guard_end(&guard);
    }
    sb_lock_release(&lock);
    return ok;
}

/* ---- Replaying --------------------------------------------------------------------------------------------------- */

bool sb_arena_is_run(const char *folder) {
    char run[PATH_BYTES], team[PATH_BYTES];
    path_in(folder, RUN_FILE, run), path_in(folder, TEAM_FILE, team);
    return sb_file_exists(run) && sb_file_exists(team);
}

static bool read_without(const cJSON *document, sb_arena_options *o, sb_error *error) {
    const cJSON *list, *item;
    size_t part;
    if (!sb_json_array(document, "without", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item) || !sb_find_word(sb_arena_parts, SB_N_PARTS, item->valuestring, &part))
            return sb_fail(error, SB_INVALID, "key `without` should be a list of parts of the loop");
        o->without[part] = true;
    }
    return true;
}

/* Reads what is played: the names of the games, the selection as text, and options. */
static bool read_run(const cJSON *document, const sb_json_part *selection, sb_arena_options *o, sb_out *text,
                     const cJSON **games, sb_error *error) {
    static const char *const known[] = {"arena",   "seedbed",   "team",  "team_sha256",       "gate",
                                        "without", "selection", "games", "recordings_sha256", NULL};
    const char *version;
    uint64_t arena;
    if (!sb_json_known_keys(document, known, error) || !sb_json_uint(document, "arena", &arena, error) ||
        !sb_json_string(document, "seedbed", &version, error) || !sb_json_bool(document, "gate", &o->gate, error) ||
        !read_without(document, o, error) || !sb_json_array(document, "games", games, error))
        return false;
    if (arena != SB_ARENA_VERSION || strcmp(version, SB_VERSION) != 0)
        return sb_fail(error, SB_INVALID, "the run is of version %.20s of Seedbed, and only that one can replay it",
                       version);
    sb_put(text, selection->at, selection->n), sb_putc(text, '\0');
    o->selection = text->data;
    return sb_out_ok(text) || no_memory(error);
}

static bool select_games(const sb_catalogue *catalogue, const cJSON *games, sb_selection *selection, sb_error *error) {
    const size_t n = (size_t)cJSON_GetArraySize(games);
    const char **names = calloc(n + 1, sizeof *names);
    const cJSON *item;
    size_t at = 0;
    if (!names) return no_memory(error);
    cJSON_ArrayForEach(item, games) {
        if (cJSON_IsString(item)) names[at++] = item->valuestring;
    }
    const sb_request request = {.catalogue = catalogue, .names = names, .n_names = at, .repeats = true};
    const bool ok = at == n && n ? sb_select(&request, selection, error)
                                 : sb_fail(error, SB_INVALID, "key `games` should be a list of names");
    free(names);
    return ok;
}

static bool replay(running *r, size_t *games, uint64_t *actions, sb_error *error) {
    char path[PATH_BYTES];
    const size_t n = sb_arena_n_games(r->games);
    sb_out document = sb_out_growing();
    sb_arena_report *reports = calloc(n + 1, sizeof *reports);
    r->reports = reports;
    path_in(r->o->folder, RESULTS_FILE, path);
    const bool ok = (reports || no_memory(error)) && play_games(r, &document, error) &&
                    (r->games->log || same_file(path, &document, error));
    *games = n;
    for (size_t i = 0; ok && i < n; i++) *actions += reports[i].actions;
    sb_arena_reports_free(reports, n);
    sb_out_free(&document);
    return ok;
}

/* Finds what was played: the games of the list, or the recordings, of which the run has a copy. */
static bool find_games(const sb_arena_options *o, const cJSON *list, bool is_recorded, sb_selection *selection,
                       sb_log *log, sb_out *recordings, sb_error *error) {
    char path[PATH_BYTES];
    if (!is_recorded) return select_games(o->catalogue, list, selection, error);
    path_in(o->folder, RECORDINGS_FILE, path);
    if (!sb_log_open(log, path, true, error) || !need_whole_plays(log, error)) return false;
    put_recordings(log, recordings);
    return sb_out_ok(recordings) || no_memory(error);
}

/* Verifies a run whose document is in memory. */
static bool verify(const sb_catalogue *catalogue, const char *folder, const sb_out *run, const sb_arena_team *team,
                   size_t *games, uint64_t *actions, sb_error *error) {
    static const char *const names[] = {"selection", NULL};
    char path[PATH_BYTES];
    sb_json_part part;
    sb_arena_options o = {.catalogue = catalogue, .team = team, .folder = folder};
    sb_selection selection = {0};
    sb_log log = {0};
    sb_results results = {0};
    sb_out text = sb_out_growing(), recordings = sb_out_growing(), again = sb_out_growing();
    const cJSON *list = NULL;
    cJSON *document = sb_json_split(run->data, run->size, names, &part, error);
    const bool is_recorded = cJSON_HasObjectItem(document, "recordings_sha256");
    const sb_arena_games what = {.selection = &selection, .log = is_recorded ? &log : NULL};
    running r = {.o = &o, .games = &what, .results = &results};
    path_in(folder, RUN_FILE, path);
    const bool ok = document && read_run(document, &part, &o, &text, &list, error) &&
                    find_games(&o, list, is_recorded, &selection, &log, &recordings, error) &&
                    put_run(&o, &what, &recordings, &again, error) && same_file(path, &again, error) &&
                    replay(&r, games, actions, error);
    cJSON_Delete(document);
    sb_selection_free(&selection), sb_log_close(&log), sb_results_free(&results);
    sb_out_free(&text), sb_out_free(&recordings), sb_out_free(&again);
    return ok;
}

bool sb_arena_verify(const sb_catalogue *catalogue, const char *folder, size_t *games, uint64_t *actions,
                     sb_error *error) {
    char path[PATH_BYTES];
    sb_arena_team team = {0};
    sb_out run = sb_out_growing();
    *games = 0, *actions = 0;
    if (!sb_folder_fits(folder, error)) return false;
    path_in(folder, TEAM_FILE, path);
    bool ok = sb_arena_team_load(&team, path, NULL, error);
    path_in(folder, RUN_FILE, path);
    ok = ok && sb_file_load_plain(path, RUN_BYTES, &run, error) &&
         verify(catalogue, folder, &run, &team, games, actions, error);
    sb_out_free(&run);
    sb_arena_team_free(&team);
    return ok;
}
