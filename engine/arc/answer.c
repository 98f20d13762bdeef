#include "engine/arc/answer.h"

#include <string.h>

#include "base/error.h"

const char *const sb_arc_action_names[SB_ARC_ACTIONS] = {"RESET",   "ACTION1", "ACTION2", "ACTION3",
                                                         "ACTION4", "ACTION5", "ACTION6", "ACTION7"};

/* ---- Writing: compact, keys in the published order ----------------------------------------------------------------
 */

static void put_text(sb_out *out, const char *key, const char *text) {
    sb_putc(out, '"'), sb_puts(out, key), sb_puts(out, "\":");
    if (text)
        sb_put_json_string(out, text);
    else
        sb_puts(out, "null");
}

/* Colours have two digits at most, so a row is written at once. */
static void put_row(sb_out *out, const uint8_t *colours) {
    char row[3 * SB_ARC_FRAME_SIDE], *at = row;
    for (int x = 0; x < SB_ARC_FRAME_SIDE; x++) {
        const int tens = colours[x] / 10;
        if (tens) *at++ = (char)('0' + tens);
        *at++ = (char)('0' + colours[x] % 10);
        *at++ = ',';
    }
    at[-1] = ']';
    sb_put(out, row, (size_t)(at - row));
}

static void put_frame(sb_out *out, const uint8_t *frame) {
    for (int y = 0; y < SB_ARC_FRAME_SIDE; y++) {
        sb_puts(out, y ? ",[" : "[[");
        put_row(out, frame + (size_t)y * SB_ARC_FRAME_SIDE);
    }
    sb_puts(out, "]");
}

static void put_next_frame(void *context, const uint8_t *frame) {
    sb_out *out = context;
    if (out->last == ']') sb_puts(out, ",");
    put_frame(out, frame);
}

static void put_frames(sb_out *out, const sb_arc_message *m) {
    sb_puts(out, "\"frame\":[");
    if (m->answer.n_frames) m->frames(m->source, &(sb_arc_film){.take = put_next_frame, .context = out});
    sb_puts(out, "]");
}

static void put_counts(sb_out *out, const sb_arc_message *m) {
    put_text(out, "state", sb_arc_state_names[m->answer.state]);
    sb_puts(out, ",\"levels_completed\":"), sb_put_int(out, m->answer.levels_completed);
    sb_puts(out, ",\"win_levels\":"), sb_put_int(out, m->win_levels);
    sb_puts(out, ",\"action_input\":{\"id\":");
}

static void put_rest(sb_out *out, const sb_arc_message *m) {
    sb_puts(out, ",\"data\":{");
    if (m->action.id == SB_ARC_CLICK) {
        sb_puts(out, "\"x\":"), sb_put_int(out, m->action.x);
        sb_puts(out, ",\"y\":"), sb_put_int(out, m->action.y);
    }
    sb_puts(out, "},\"reasoning\":"), sb_puts(out, m->reasoning ? m->reasoning : "null"), sb_puts(out, "},");
    put_text(out, "guid", m->guid);
    sb_puts(out, ",\"full_reset\":"), sb_puts(out, m->answer.full_reset ? "true" : "false");
    sb_puts(out, ",\"available_actions\":[");
    bool first = true;
    for (int i = 0; i < SB_ARC_ACTIONS; i++) {
        if (!(m->available >> i & 1)) continue;
        if (!first) sb_putc(out, ',');
        sb_put_int(out, i);
        first = false;
    }
    sb_puts(out, "]");
}

void sb_arc_put_answer(const sb_arc_message *m, sb_out *out) {
    sb_puts(out, "{");
    put_text(out, "game_id", m->game_id);
    sb_puts(out, ",");
    put_frames(out, m);
    sb_puts(out, ",");
    put_counts(out, m);
    sb_put_uint(out, m->action.id);
    put_rest(out, m);
    sb_puts(out, "}");
}

void sb_arc_put_recorded(const sb_arc_message *m, const char *timestamp, sb_out *out) {
    sb_puts(out, "{");
    put_text(out, "timestamp", timestamp);
    sb_puts(out, ",\"data\":{");
    put_text(out, "game_id", m->game_id);
    sb_puts(out, ",");
    put_counts(out, m);
    sb_put_json_string(out, sb_arc_action_names[m->action.id]);
    put_rest(out, m);
    if (m->with_frames) sb_puts(out, ","), put_frames(out, m);
    sb_puts(out, "}}");
}

/* ---- Reading ------------------------------------------------------------------------------------------------------
 */

static int place_of(const char *const names[], int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

/* Ids are names, numbers, or the texts of numbers. */
static int number_of(const char *id) {
    const bool is_digit = id[0] >= '0' && id[0] < '0' + SB_ARC_ACTIONS && !id[1];
    return is_digit ? id[0] - '0' : place_of(sb_arc_action_names, SB_ARC_ACTIONS, id);
}

static bool read_place(const cJSON *data, const char *key, uint8_t *place, sb_error *error) {
    double value;
    if (!sb_json_is_whole(cJSON_GetObjectItemCaseSensitive(data, key), 0, SB_ARC_FRAME_SIDE - 1, &value))
        return sb_fail(error, SB_INVALID, "key `%s` of a click should be a whole number in 0..63", key);
    return *place = (uint8_t)value, true;
}

static bool read_action(const cJSON *document, sb_arc_action *action, sb_error *error) {
    const cJSON *input;
    double number = -1;
    if (!sb_json_object(document, "action_input", &input, error)) return false;
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(input, "id"), *data = cJSON_GetObjectItem(input, "data");
    if (data && !cJSON_IsNull(data) && !sb_json_object(input, "data", &data, error)) return false;
    if (cJSON_IsString(id))
        number = number_of(id->valuestring);
    else if (!sb_json_is_whole(id, 0, SB_ARC_ACTIONS - 1, &number))
        number = -1;
    if (number < 0)
        return sb_fail(error, SB_INVALID,
                       "key `id` of `action_input` should be 0..7, `RESET`, or `ACTION1` to `ACTION7`");
    *action = (sb_arc_action){.id = (uint8_t)number};
    return action->id != SB_ARC_CLICK ||
           (read_place(data, "x", &action->x, error) && read_place(data, "y", &action->y, error));
}

static bool is_frame(const cJSON *frame) {
    const cJSON *row, *cell;
    double colour;
    if (!cJSON_IsArray(frame) || cJSON_GetArraySize(frame) != SB_ARC_FRAME_SIDE) return false;
    cJSON_ArrayForEach(row, frame) {
        if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != SB_ARC_FRAME_SIDE) return false;
        cJSON_ArrayForEach(cell, row) if (!sb_json_is_whole(cell, 0, 15, &colour)) return false;
    }
    return true;
}

static bool read_frames(const cJSON *document, uint32_t *n, sb_error *error) {
    const cJSON *frames = cJSON_GetObjectItemCaseSensitive(document, "frame"), *frame;
    *n = UINT32_MAX;
    if (!frames) return true;
    if (!sb_json_array(document, "frame", &frames, error)) return false;
    *n = 0;
    cJSON_ArrayForEach(frame, frames) {
        if (!is_frame(frame))
            return sb_fail(error, SB_INVALID, "key `frame`: frame %u is not 64 rows of 64 colours 0..15", *n);
        ++*n;
    }
    return true;
}

static bool read_level(const cJSON *document, const char *key, int32_t *levels, sb_error *error) {
    double value;
    if (!sb_json_is_whole(cJSON_GetObjectItemCaseSensitive(document, key), 0, 254, &value))
        return sb_fail(error, SB_INVALID, "key `%s` should be a whole number in 0..254", key);
    return *levels = (int32_t)value, true;
}

static bool read_available(const cJSON *document, uint8_t *available, sb_error *error) {
    const cJSON *list, *item;
    double id;
    if (!sb_json_array(document, "available_actions", &list, error)) return false;
    *available = 0;
    cJSON_ArrayForEach(item, list) {
        if (!sb_json_is_whole(item, 0, SB_ARC_ACTIONS - 1, &id))
            return sb_fail(error, SB_INVALID, "key `available_actions` should hold numbers in 0..7");
        *available |= (uint8_t)(1u << (int)id);
    }
    return true;
}

static bool read_answer(const cJSON *document, sb_arc_message *m, sb_error *error) {
    const char *state;
    if (!sb_json_string(document, "state", &state, error)) return false;
    const int found = place_of(sb_arc_state_names, 4, state);
    if (found < 0) return sb_fail(error, SB_INVALID, "key `state`: there is no state `%.40s`", state);
    m->answer.state = (uint8_t)found;
    return read_level(document, "levels_completed", &m->answer.levels_completed, error) &&
           read_level(document, "win_levels", &m->win_levels, error) &&
           sb_json_bool(document, "full_reset", &m->answer.full_reset, error) &&
           read_available(document, &m->available, error) && read_frames(document, &m->answer.n_frames, error);
}

/* What an answer says is the document itself; a line of a recording wraps it. */
static const cJSON *data_of(const cJSON *document) {
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(document, "data");
    return data ? data : document;
}

const cJSON *sb_arc_frames_of(const cJSON *document) {
    return cJSON_GetObjectItemCaseSensitive(data_of(document), "frame");
}

bool sb_arc_read_recorded(const char *text, size_t n, sb_arc_message *m, cJSON **kept, sb_error *error) {
    *m = (sb_arc_message){0};
    *kept = sb_json_parse(text, n, error);
    return *kept && sb_arc_read_message(*kept, m, error);
}

bool sb_arc_read_message(const cJSON *document, sb_arc_message *m, sb_error *error) {
    *m = (sb_arc_message){0};
    if (cJSON_HasObjectItem(document, "data") && !sb_json_object(document, "data", &document, error)) return false;
    const cJSON *guid = cJSON_GetObjectItemCaseSensitive(document, "guid");
    m->guid = cJSON_IsString(guid) ? guid->valuestring : NULL;
    m->with_frames = cJSON_HasObjectItem(document, "frame");
    return sb_json_string(document, "game_id", &m->game_id, error) && read_action(document, &m->action, error) &&
           read_answer(document, m, error);
}
