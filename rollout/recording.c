#include "rollout/recording.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/lookup.h"

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* The play's name has the form of a UUID, as published tools expect. */
void sb_recording_begin(sb_recording *recording, const sb_tape *tape) {
    char name[SB_NAME_MAX];
    uint8_t hash[32];
    sb_sha256 sum;
    sb_name_print(&tape->name, name, sizeof name);
    sb_sha256_begin(&sum);
    sb_sha256_add(&sum, name, strlen(name) + 1);
    sb_sha256_add(&sum, tape->digest, strlen(tape->digest));
    sb_sha256_end(&sum, hash);
    *recording = (sb_recording){0};
    sb_uuid(hash, recording->play);
}

bool sb_recording_put(sb_recording *recording, const sb_env *env, sb_out *out, sb_error *error) {
    const sb_recording_source *source = env->family->recordings;
    if (!source)
        return sb_fail(error, SB_INVALID, "there is no published form of recordings for the family %s",
                       env->family->name);
    source->put(env, recording->play, recording->step++, out);
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for a line of a recording");
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Moves past the mark with which some editors begin a text. */
static void skip_mark(const char **text, size_t *n) {
    static const char mark[] = "\xef\xbb\xbf";
    if (*n >= strlen(mark) && memcmp(*text, mark, strlen(mark)) == 0) *text += strlen(mark), *n -= strlen(mark);
}

const sb_recording_source *sb_recording_of(const char *text, size_t n) {
    skip_mark(&text, &n);
    for (const sb_family *const *family = sb_families; *family; family++)
        if ((*family)->recordings && (*family)->recordings->is_one(text, n)) return (*family)->recordings;
    return NULL;
}

static bool is_blank(const char *text, size_t n) { return sb_json_skip_spaces(text, text + n) == text + n; }

bool sb_is_blank_line(const sb_lines *lines) { return is_blank(lines->line.data, lines->line.size); }

/* Reads the line that the lines are at: `*document` stays NULL if it tells of no action. */
static bool parse_line(sb_recording_lines *r, const sb_lines *lines, cJSON **document, sb_error *error) {
    const char *text = lines->line.data;
    size_t n = lines->line.size;
    if (lines->number == 1) skip_mark(&text, &n);
    *document = NULL;
    if (is_blank(text, n)) return r->n_blank++, true;
    cJSON *parsed = sb_json_parse(text, n, error);
    if (!parsed && lines->is_cut && error->code == SB_INVALID) return r->cut = lines->number, true;
    if (!parsed) return false;
    if (r->source->tells(parsed)) return *document = parsed, true;
    cJSON_Delete(parsed);
    if (!r->n_others++) r->first_other = lines->number;
    return true;
}

static bool take_document(sb_recording_lines *r, cJSON *document, sb_error *error) {
    const bool ok = !r->document || r->source->keeps_actions(r->document, document, error);
    cJSON_Delete(r->document);
    r->document = document;
    r->line = (sb_recorded_line){0};
    return ok && r->source->read(document, &r->line, error);
}

/* At the end of a recording: fails if no line told of an action, although there were lines. */
static bool end_lines(const sb_recording_lines *r, sb_error *error) {
    if (error->code == SB_OK && !r->document && r->n_others)
        sb_fail(error, SB_INVALID,
                "none of %zu lines says which action was taken: whoever wrote them lost the actions; let the toolkit "
                "record (docs/multi-level-games.md, Recordings)",
                r->n_others);
    return false;
}

bool sb_recording_next_line(sb_recording_lines *r, sb_lines *lines, bool *has_line, sb_error *error) {
    cJSON *document = NULL;
    while (!document) {
        if (!*has_line && !sb_lines_next(lines, error)) return end_lines(r, error);
        *has_line = false;
        if (!parse_line(r, lines, &document, error)) return false;
    }
    return take_document(r, document, error);
}

bool sb_recording_tell_left_out(const sb_recording_lines *r, sb_out *out) {
    const char *between = "left out: ";
    if (r->n_blank) sb_putf(out, "%s%zu blank line%s", between, r->n_blank, sb_plural(r->n_blank)), between = ", ";
    if (r->n_early)
        sb_putf(out, "%s%zu line%s before the first frame", between, r->n_early, sb_plural(r->n_early)), between = ", ";
    if (r->n_others)
        sb_putf(out, "%s%zu line%s without an action, such as a scorecard (the first is line %zu)", between,
                r->n_others, sb_plural(r->n_others), r->first_other),
            between = ", ";
    if (r->cut) sb_putf(out, "%sline %zu, of which only a part was written", between, r->cut);
    return r->n_blank || r->n_early || r->n_others || r->cut;
}

void sb_recording_lines_close(sb_recording_lines *r) {
    cJSON_Delete(r->document);
    r->document = NULL;
}

/* Goes to the next line; false at the end and on a failure. */
static bool advance(sb_recording_reader *r, sb_lines *lines, bool *has_line, sb_error *error) {
    return r->is_ahead = sb_recording_next_line(&r->lines, lines, has_line, error);
}

static bool begin_play(sb_recording_reader *r, sb_tape *tape, sb_error *error) {
    sb_name name;
    if (!r->lines.line.can_begin)
        return sb_fail(error, SB_INVALID, "a play should begin with the line of a reset of the whole game");
    if (!sb_name_parse(r->catalogue, r->lines.line.name, &name, error))
        return sb_fail_at(error, "the line does not name an episode");
    if (!r->env && !(r->env = sb_make(r->catalogue, NULL, error))) return false;
    if (!sb_reset_name(r->env, &name, error)) return false;
    if (r->env->family->recordings != r->lines.source)
        return sb_fail(error, SB_INVALID, "%.60s is no episode of which there are such recordings", r->lines.line.name);
    sb_tape_begin(tape, r->env, SB_RECORDING_AGENT);
    return r->lines.source->check(r->env, r->lines.document, error);
}

static bool take_line(sb_recording_reader *r, sb_tape *tape, sb_error *error) {
    sb_result result;
    if (r->env->status.done && r->lines.line.may_follow_end) return true;
    return sb_step(r->env, r->lines.line.action, &result, error) && sb_tape_append(tape, r->lines.line.action, error) &&
           r->lines.source->check(r->env, r->lines.document, error);
}

static bool is_other_play(const sb_recorded_line *first, const sb_recorded_line *line) {
    return line->begins || (line->can_begin && strcmp(first->play, line->play) != 0);
}

static bool is_same_episode(const sb_recorded_line *first, const sb_recorded_line *line, sb_error *error) {
    return strcmp(first->name, line->name) == 0 ||
           sb_fail(error, SB_INVALID, "the line is of another episode than those before, but no start");
}

bool sb_recording_next(sb_recording_reader *r, sb_lines *lines, bool *has_first, sb_tape *tape, sb_error *error) {
    *error = (sb_error){0};
    if (!r->is_ahead && !advance(r, lines, has_first, error)) return false;
    const sb_recorded_line first = r->lines.line;
    if (!begin_play(r, tape, error)) return false;
    r->is_ahead = false;
    while (advance(r, lines, has_first, error) && !is_other_play(&first, &r->lines.line)) {
        r->is_ahead = false;
        if (!is_same_episode(&first, &r->lines.line, error) || !take_line(r, tape, error)) return false;
    }
    if (error->code != SB_OK) return false;
    sb_tape_finish(tape, r->env);
    return true;
}

void sb_recording_close(sb_recording_reader *r) {
    sb_recording_lines_close(&r->lines);
    sb_free(r->env);
    *r = (sb_recording_reader){0};
}
