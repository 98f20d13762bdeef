#include "evaluation/resume.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "evaluation/result.h"

#define HEAD_BEGINS "{\"evaluation\": "

enum { SB_PLACES = 1 << 28 /* more than any run has */ };

/* ---- The first line ---- */

bool sb_run_head(const char *version, const char *agent, const char *selection, const sb_plays *plays,
                 const sb_selection *selected, sb_out *out, sb_error *error) {
    sb_puts(out, "{");
    sb_member_uint(out, "evaluation", SB_RUN_JOURNAL_VERSION);
    sb_member_text(out, "seedbed", version);
    sb_put_key(out, "agent");
    sb_put_in_one_line(out, agent, strlen(agent));
    sb_put_key(out, "selection");
    sb_put_in_one_line(out, selection, strlen(selection));
    sb_plays_print(plays, out);
    sb_put_key(out, "rules");
    sb_selection_put_rules(selected, out);
    sb_member_uint(out, "episodes", sb_plays_count(plays, selected->n));
    sb_puts(out, "}\n");
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for a journal");
}

static bool same_text(const sb_json_part *a, const sb_json_part *b) {
    return a->n == b->n && (a->n == 0 || memcmp(a->at, b->at, a->n) == 0);
}

/* Fails, with the name of the member that differs, without its quotes. */
static bool fail_differently(const char *within, const sb_json_part *key, sb_error *error) {
    char name[48];
    const size_t n = key->n > 2 ? key->n - 2 : 0;
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), n ? key->at + 1 : "");
    return sb_fail(error, SB_MISMATCH, "that was another evaluation: `%s%.47s` differs", within, name);
}

static bool has_member(const sb_json_part *object, const sb_json_part *key) {
    sb_json_walk walk = sb_json_walk_of(object);
    sb_error ignored;
    while (sb_json_walk_next(&walk, &ignored))
        if (same_text(&walk.key, key)) return true;
    return false;
}

static bool members_agree(const char *within, const sb_json_part *said, const sb_json_part *due, sb_error *error) {
    sb_json_walk a = sb_json_walk_of(said), b = sb_json_walk_of(due);
    sb_error ignored;
    while (sb_json_walk_next(&b, &ignored)) {
        if (!sb_json_walk_next(&a, &ignored)) return fail_differently(within, &b.key, error);
        if (!same_text(&a.key, &b.key))
            return fail_differently(within, has_member(said, &b.key) ? &a.key : &b.key, error);
        if (same_text(&a.value, &b.value)) continue;
        const bool is_agent = !*within && b.key.n == strlen("\"agent\"") && memcmp(b.key.at, "\"agent\"", b.key.n) == 0;
        return is_agent ? members_agree("agent.", &a.value, &b.value, error) : fail_differently(within, &b.key, error);
    }
    return sb_fail(error, SB_MISMATCH, "that was another evaluation: it has more members");
}

bool sb_run_heads_agree(const char *said, size_t n, const char *due, size_t n_due, sb_error *error) {
    const sb_json_part one = sb_json_whole(said, n), other = sb_json_whole(due, n_due);
    return (n == n_due && memcmp(said, due, n) == 0) ||
           (sb_json_check(said, n, error) && members_agree("", &one, &other, error));
}

/* ---- Places ---- */

static void forget_places(sb_run_journal *journal) { journal->episodes = 0, sb_out_clear(&journal->seen); }

/* Counts the place if it is a new one. (Without memory for that, every line counts.) */
static void note_place(sb_run_journal *journal, uint64_t place) {
    sb_out *seen = &journal->seen;
    seen->grows = true;
    while (place < SB_PLACES && seen->size <= place && sb_out_ok(seen)) sb_putc(seen, 0);
    if (place < seen->size && seen->data[place]) return;
    if (place < seen->size) seen->data[place] = 1;
    journal->episodes++;
}

/* The place of a line, as sb_run_journal_add writes it. */
static uint64_t place_of(const char *line) {
    static const char begins[] = "{\"place\": ";
    const size_t n = strlen(begins);
    return strncmp(line, begins, n) == 0 ? strtoull(line + n, NULL, 10) : UINT64_MAX;
}

/* ---- Reading ---- */

typedef struct reading {
    sb_run_journal *journal;
    const sb_selection *selection;
    sb_results *results;
    bool again;
    sb_env *env;
    uint64_t room;
} reading;

/* Returns the length of the line at `at`, with its newline; 0 if there is no whole line. */
static size_t line_length(const sb_out *found, size_t at) {
    const char *line = found->data + at, *newline = at < found->size ? memchr(line, '\n', found->size - at) : NULL;
    return newline ? (size_t)(newline - line) + 1 : 0;
}

/* Counts the places of the lines behind the first, up to `end`. */
static void note_places(sb_run_journal *journal, size_t end) {
    const sb_out *found = &journal->found;
    forget_places(journal);
    for (size_t at = line_length(found, 0), n; at && at < end && (n = line_length(found, at)); at += n)
        note_place(journal, place_of(found->data + at));
}

/* Whether a whole first line was left; otherwise no episode was either. */
static bool has_head(const sb_out *found) {
    return line_length(found, 0) && strncmp(found->data, HEAD_BEGINS, strlen(HEAD_BEGINS)) == 0;
}

/* Whether the episode is the one that is due at its place. */
static bool check_place(const reading *r, size_t place, const sb_played *played, sb_error *error) {
    uint32_t attempt;
    sb_name name;
    if (place >= r->results->room) return sb_fail(error, SB_MISMATCH, "there is no place %zu", place);
    const size_t episode = sb_plays_at(&r->results->plays, place, &attempt);
    if (sb_compare_names(&played->tape.name, sb_selection_name(r->selection, episode, &name)) == 0 &&
        played->attempt == attempt)
        return true;
    return sb_fail(error, SB_MISMATCH, "another episode is due at place %zu", place);
}

/* Puts the episode into the results, in place of an earlier one. */
static void keep(const reading *r, size_t place, sb_played *played) {
    sb_played *at = &r->results->episodes[place];
    sb_tape_clear(&at->tape);
    *at = (sb_played){0};
    if (r->again && sb_is_lost(played)) {
        at->spent = played->spent; /* its cost counts against a limit, though the episode is played again */
        sb_tape_clear(&played->tape);
        return;
    }
    *at = *played;
    at->winnable = SB_NOT_CERTIFIED; /* certificates are added when all is played */
    if (r->results->n <= place) r->results->n = place + 1;
}

static bool read_members(reading *r, const cJSON *object, sb_error *error) {
    static const char *const keys[] = {"place", "played", NULL};
    const cJSON *told;
    uint64_t place;
    sb_played played = {0};
    const bool ok = sb_json_known_keys(object, keys, error) && sb_json_uint(object, "place", &place, error) &&
                    sb_json_object(object, "played", &told, error) &&
                    sb_played_read(r->results->catalogue, told, &r->room, &played, error) &&
                    check_place(r, (size_t)place, &played, error) && sb_played_replay(&played, r->env, error);
    if (ok)
        keep(r, (size_t)place, &played);
    else
        sb_tape_clear(&played.tape);
    return ok;
}

/* Reads the lines behind the first. `good` is where those end that are whole: what a power failure left behind them is
 * no JSON, and is cut off. */
static bool read_lines(reading *r, size_t *good, sb_error *error) {
    const sb_out *found = &r->journal->found;
    size_t n, number = 1;
    sb_error torn;
    *good = line_length(found, 0);
    for (; (n = line_length(found, *good)); *good += n) {
        cJSON *object = sb_json_parse(found->data + *good, n - 1, &torn);
        if (!object && torn.code == SB_MEMORY) return *error = torn, false;
        if (!object) break;
        const bool ok = read_members(r, object, error);
        cJSON_Delete(object);
        number++;
        if (!ok) return sb_fail_at(error, "%s, line %zu", sb_path_end(r->journal->file.part), number);
    }
    note_places(r->journal, *good);
    return true;
}

/* ---- The journal ---- */

bool sb_run_journal_open(sb_run_journal *journal, const char *path, sb_timer *now, sb_error *error) {
    *journal = (sb_run_journal){.found = sb_out_growing(), .now = now};
    if (!sb_file_resume(&journal->file, path, HEAD_BEGINS, &journal->found, error)) return false;
    if (!has_head(&journal->found)) sb_out_clear(&journal->found);
    note_places(journal, journal->found.size);
    return true;
}

void sb_run_journal_forget(sb_run_journal *journal) {
    sb_out_clear(&journal->found);
    forget_places(journal);
}

void sb_run_journal_salt(const sb_run_journal *journal, char salt[SB_SALT_HEX]) {
    sb_error ignored;
    sb_salt read;
    *salt = '\0';
    cJSON *head = journal->found.size
                      ? sb_json_parse(journal->found.data, line_length(&journal->found, 0) - 1, &ignored)
                      : NULL;
    const cJSON *agent = cJSON_GetObjectItemCaseSensitive(head, "agent");
    const char *hex = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(agent, "salt"));
    if (hex && sb_salt_parse(hex, &read, &ignored)) sb_salt_print(&read, salt);
    cJSON_Delete(head);
}

/* Flushes at most once a second: a power failure costs what was played since then. */
static bool flush(sb_run_journal *journal, bool at_once, sb_error *error) {
    const double now = journal->now ? journal->now() : 0;
    if (!at_once && journal->now && now - journal->flushed < 1) return true;
    journal->flushed = now;
    return sb_file_flush(&journal->file, error);
}

static bool begin_anew(sb_run_journal *journal, const sb_out *head, sb_error *error) {
    forget_places(journal);
    if (journal->file.direct) return true;
    return sb_file_keep(&journal->file, "", 0, error) && sb_file_write(&journal->file, head->data, head->size, error) &&
           flush(journal, true, error);
}

bool sb_run_journal_begin(sb_run_journal *journal, const sb_out *head, bool again, const sb_selection *selection,
                          sb_results *results, sb_error *error) {
    const sb_out *found = &journal->found;
    size_t good;
    if (found->size == 0) return begin_anew(journal, head, error);
    if (!sb_run_heads_agree(found->data, line_length(found, 0), head->data, head->size, error))
        return sb_fail_at(error, "%s", sb_path_end(journal->file.part));
    reading r = {.journal = journal,
                 .selection = selection,
                 .results = results,
                 .again = again,
                 .env = sb_make(results->catalogue, NULL, error),
                 .room = SB_RESULT_STEPS * (uint64_t)found->size + SB_RESULT_MORE_STEPS};
    bool ok = r.env && read_lines(&r, &good, error);
    sb_free(r.env);
    ok = ok && sb_file_keep(&journal->file, found->data, good, error);
    sb_out_free(&journal->found);
    return ok;
}

/* Takes over all episodes of a result, which are already known to be whole, and compares them with what is due. */
static bool adopt_all(sb_run_journal *journal, const reading *r, sb_results *before, sb_error *error) {
    for (size_t i = 0; i < before->n; i++) {
        sb_played *played = &before->episodes[i];
        if (!check_place(r, i, played, error) || !sb_played_replay(played, r->env, error)) return false;
        if (!(r->again && sb_is_lost(played)) && !sb_run_journal_add(journal, i, played, error)) return false;
        keep(r, i, played);
        *played = (sb_played){0};
    }
    return flush(journal, true, error);
}

bool sb_run_journal_adopt(sb_run_journal *journal, const sb_out *head, sb_results *before, bool again,
                          const sb_selection *selection, sb_results *results, sb_error *error) {
    const char *version = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(before->head, "seedbed"));
    sb_out said = sb_out_growing();
    bool ok = sb_run_head(version ? version : "", before->told, before->selection, &before->plays, selection, &said,
                          error) &&
              sb_run_heads_agree(said.data, said.size, head->data, head->size, error);
    sb_out_free(&said);
    if (!ok) return sb_fail_at(error, "%s", sb_path_end(journal->file.path));
    reading r = {.journal = journal, .selection = selection, .results = results, .again = again};
    r.env = sb_make(results->catalogue, NULL, error);
    ok = r.env && begin_anew(journal, head, error) && adopt_all(journal, &r, before, error);
    sb_free(r.env);
    return ok;
}

bool sb_run_journal_add(void *data, size_t place, const sb_played *played, sb_error *error) {
    sb_run_journal *journal = data;
    if (journal->file.direct) return true;
    sb_out line = sb_out_growing();
    sb_puts(&line, "{");
    sb_member_uint(&line, "place", place);
    sb_put_key(&line, "played");
    sb_played_print(played, &line);
    sb_puts(&line, "}\n");
    bool ok = sb_out_ok(&line) || sb_fail(error, SB_MEMORY, "out of memory for a journal");
    ok = ok && sb_file_write(&journal->file, line.data, line.size, error) && flush(journal, false, error);
    sb_out_free(&line);
    if (ok) note_place(journal, place);
    return ok;
}

bool sb_run_journal_conclude(sb_run_journal *journal, const sb_out *document, sb_error *error) {
    if (!sb_out_ok(document)) return sb_fail(error, SB_MEMORY, "out of memory for %s", journal->file.path);
    if (journal->file.direct)
        return sb_file_write(&journal->file, document->data, document->size, error) &&
               sb_file_commit(&journal->file, NULL, error);
    return sb_file_conclude(&journal->file, document->data, document->size, error);
}

void sb_run_journal_leave(sb_run_journal *journal) {
    if (journal->episodes)
        sb_file_leave(&journal->file);
    else
        sb_file_discard(&journal->file);
    sb_out_free(&journal->found), sb_out_free(&journal->seen);
}
