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

const sb_recording_source *sb_recording_of(const char *text, size_t n) {
    for (const sb_family *const *family = sb_families; *family; family++)
        if ((*family)->recordings && (*family)->recordings->is_one(text, n)) return (*family)->recordings;
    return NULL;
}

/* Reads the line that the lines are at. */
static bool read_line(sb_recording_reader *r, const sb_lines *lines, sb_error *error) {
    cJSON_Delete(r->document);
    r->line = (sb_recorded_line){0};
    r->document = sb_json_parse(lines->line.data, lines->line.size, error);
    return r->document && r->source->read(r->document, &r->line, error);
}

/* Goes to the next line; false at the end and on a failure. */
static bool advance(sb_recording_reader *r, sb_lines *lines, sb_error *error) {
    if (!sb_lines_next(lines, error)) return false;
    return r->is_ahead = read_line(r, lines, error);
}

static bool begin_play(sb_recording_reader *r, sb_tape *tape, sb_error *error) {
    sb_name name;
    if (!r->line.can_begin)
        return sb_fail(error, SB_INVALID, "a play should begin with the line of a reset of the whole game");
    if (!sb_name_parse(r->catalogue, r->line.name, &name, error))
        return sb_fail_at(error, "the line does not name an episode");
    if (!r->env && !(r->env = sb_make(r->catalogue, NULL, error))) return false;
    if (!sb_reset_name(r->env, &name, error)) return false;
    if (r->env->family->recordings != r->source)
        return sb_fail(error, SB_INVALID, "%.60s is no episode of which there are such recordings", r->line.name);
    sb_tape_begin(tape, r->env, SB_RECORDING_AGENT);
    return r->source->check(r->env, r->document, error);
}

static bool take_line(sb_recording_reader *r, sb_tape *tape, sb_error *error) {
    sb_result result;
    if (r->env->status.done && r->line.may_follow_end) return true;
    return sb_step(r->env, r->line.action, &result, error) && sb_tape_append(tape, r->line.action, error) &&
           r->source->check(r->env, r->document, error);
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
    if (*has_first) {
        *has_first = false;
        if (!(r->is_ahead = read_line(r, lines, error))) return false;
    }
    if (!r->is_ahead && !advance(r, lines, error)) return false;
    const sb_recorded_line first = r->line;
    if (!begin_play(r, tape, error)) return false;
    r->is_ahead = false;
    while (advance(r, lines, error) && !is_other_play(&first, &r->line)) {
        r->is_ahead = false;
        if (!is_same_episode(&first, &r->line, error) || !take_line(r, tape, error)) return false;
    }
    if (error->code != SB_OK) return false;
    sb_tape_finish(tape, r->env);
    return true;
}

void sb_recording_close(sb_recording_reader *r) {
    cJSON_Delete(r->document);
    sb_free(r->env);
    *r = (sb_recording_reader){0};
}
