/* Reading logs of transitions, and replaying them. */
#include "rollout/transitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

enum { CHUNK = 1 << 20 };

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    _Alignas(16) uint8_t bytes[];
} chunk;

struct sb_log_store {
    sb_out text;   /* the file's text; empty: the caller keeps the text */
    chunk *chunks; /* frames and lists of frames */
    size_t cells;  /* cells in all frames */
    size_t plays_capacity, transitions_capacity;
};

static void *take_room(struct sb_log_store *store, size_t n) {
    n = (n + 15) & ~(size_t)15;
    chunk *c = store->chunks;
    if (!c || c->size - c->used < n) {
        const size_t size = n > CHUNK ? n : CHUNK;
        c = malloc(sizeof *c + size);
        if (!c) return NULL;
        *c = (chunk){.next = store->chunks, .size = size};
        store->chunks = c;
    }
    c->used += n;
    return c->bytes + c->used - n;
}

static void free_store(struct sb_log_store *store) {
    if (!store) return;
    for (chunk *c = store->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    sb_out_free(&store->text);
    free(store);
}

/* ---- Values of a line -------------------------------------------------------------------------------------------- */

/* What is being read: a line, and where it goes. */
typedef struct reading {
    sb_log *log;
    struct sb_log_store *store;
    bool hashes;
    sb_log_play *play;     /* the last header; NULL: none yet */
    const uint8_t *before; /* the last frame */
    uint32_t t;            /* `t` of the line before; 0: none in this play */
    int32_t completed;
    char checked[SB_SHA256_HEX]; /* hash of the frame in `before`; "": it was not computed */
} reading;

static bool fail_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a log of transitions"); }

static bool has_key(const sb_json_part *key, const char *name) {
    const size_t n = strlen(name);
    return key->n == n + 2 && memcmp(key->at + 1, name, n) == 0;
}

static bool read_int(const sb_json_part *value, const char *key, int64_t least, int64_t most, int64_t *number,
                     sb_error *error) {
    int64_t found = 0;
    bool ok = value->n > 0 && value->n <= 10;
    for (size_t i = 0; ok && i < value->n; i++) {
        ok = value->at[i] >= '0' && value->at[i] <= '9' && (i == 0 || value->at[0] != '0');
        found = 10 * found + (value->at[i] - '0');
    }
    if (!ok || found < least || found > most)
        return sb_fail(error, SB_INVALID, "key `%s` should be a whole number in %lld..%lld", key, (long long)least,
                       (long long)most);
    return *number = found, true;
}

static bool read_bool(const sb_json_part *value, const char *key, bool *to, sb_error *error) {
    const bool is_true = value->n == 4 && memcmp(value->at, "true", 4) == 0;
    if (!is_true && !(value->n == 5 && memcmp(value->at, "false", 5) == 0))
        return sb_fail(error, SB_INVALID, "key `%s` should be true or false", key);
    return *to = is_true, true;
}

/* A string without escapes: texts of logs need none. Its second quote is its last byte: in a line that is not valid
 * JSON, a value that begins with a string may go on behind it. */
static bool is_text(const sb_json_part *value) {
    return value->n >= 2 && value->at[0] == '"' && !memchr(value->at, '\\', value->n) &&
           memchr(value->at + 1, '"', value->n - 1) == value->at + value->n - 1;
}

static bool read_text(const sb_json_part *value, const char *key, char *to, size_t capacity, sb_error *error) {
    if (!is_text(value) || value->n - 2 >= capacity)
        return sb_fail(error, SB_INVALID, "key `%s` should be a text of less than %zu bytes", key, capacity);
    memcpy(to, value->at + 1, value->n - 2);
    return to[value->n - 2] = '\0', true;
}

static bool read_value(const sb_json_part *value, sb_json_part *to, sb_error *error) {
    cJSON *parsed = sb_json_part_parse(value, error);
    cJSON_Delete(parsed);
    *to = *value;
    return parsed != NULL;
}

/* A list of ids: numbers 0..7, or texts. */
static bool read_available(const sb_json_part *value, bool published, sb_json_part *to, sb_error *error) {
    sb_json_walk walk = sb_json_walk_of(value);
    bool ok = sb_json_part_is_list(value);
    *to = *value;
    error->code = SB_OK;
    while (ok && sb_json_walk_next(&walk, error)) {
        const sb_json_part *item = &walk.value;
        ok = published ? item->n == 1 && *item->at >= '0' && *item->at <= '7'
                       : is_text(item) && item->n > 2 && item->n - 2 < SB_LOG_ACTION_NAME;
    }
    if (!ok) return sb_fail(error, SB_INVALID, "key `available` should be a list of the ids of actions");
    return error->code == SB_OK;
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static int colour_of(char sign) {
    if (sign >= '0' && sign <= '9') return sign - '0';
    if (sign >= 'a' && sign <= 'z') return sign - 'a' + 10;
    return sign >= 'A' && sign <= 'Z' ? sign - 'A' + 36 : SB_FRAME_COLOURS;
}

static bool read_signs(const char *signs, size_t n, int32_t n_colours, uint8_t *to) {
    int most = 0;
    for (size_t i = 0; i < n; i++) {
        const int colour = colour_of(signs[i]);
        most = colour > most ? colour : most;
        to[i] = (uint8_t)colour;
    }
    return most < n_colours;
}

bool sb_read_frame(const char *signs, size_t n, const sb_frame_shape *shape, uint8_t *frame) {
    return n == sb_frame_cells(shape) && read_signs(signs, n, shape->n_colours, frame);
}

static uint8_t *new_frame(const reading *r, sb_error *error) {
    const size_t cells = sb_frame_cells(&r->play->shape);
    r->store->cells += cells;
    if (r->store->cells > SB_LOG_CELLS) {
        sb_fail(error, SB_INVALID, "the frames of the log have more than %d cells: split it", SB_LOG_CELLS);
        return NULL;
    }
    uint8_t *frame = take_room(r->store, cells);
    if (!frame) fail_memory(error);
    return frame;
}

static bool read_whole(const reading *r, const sb_json_part *value, const uint8_t **frame, sb_error *error) {
    const sb_frame_shape *shape = &r->play->shape;
    uint8_t *found = new_frame(r, error);
    if (!found) return false;
    *frame = found;
    return (is_text(value) && sb_read_frame(value->at + 1, value->n - 2, shape, found)) ||
           sb_fail(error, SB_INVALID, "a frame should be %d x %d signs, 0 to %c", shape->width, shape->height,
                   "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[shape->n_colours - 1]);
}

/* A frame in which `?` stands for cells that do not count. */
static bool read_goal(const reading *r, const sb_json_part *value, sb_error *error) {
    const sb_frame_shape *shape = &r->play->shape;
    const size_t n = sb_frame_cells(shape);
    bool ok = is_text(value) && value->n - 2 == n;
    uint8_t *goal = ok ? new_frame(r, error) : NULL;
    if (ok && !goal) return false;
    for (size_t i = 0; ok && i < n; i++) {
        const char sign = value->at[i + 1];
        goal[i] = SB_FRAME_ANY;
        ok = sign == '?' || read_signs(&sign, 1, shape->n_colours, &goal[i]);
    }
    r->play->goal = goal;
    return ok ||
           sb_fail(error, SB_INVALID, "key `goal` should be a frame in which ? stands for cells that do not count");
}

/* Changes one run of cells: `[y,x,"colours"]`. */
static bool read_run(const sb_frame_shape *shape, const sb_json_part *run, uint8_t *frame, sb_error *error) {
    sb_json_walk walk = sb_json_walk_of(run);
    int64_t at[2];
    sb_error ignored;
    bool ok = sb_json_part_is_list(run);
    for (int i = 0; ok && i < 2; i++)
        ok = sb_json_walk_next(&walk, &ignored) &&
             read_int(&walk.value, "d", 0, (i ? shape->width : shape->height) - 1, &at[i], &ignored);
    ok = ok && sb_json_walk_next(&walk, &ignored) && is_text(&walk.value);
    const size_t n = ok ? walk.value.n - 2 : 0;
    ok = ok && n > 0 && n <= (size_t)(shape->width - at[1]) &&
         read_signs(walk.value.at + 1, n, shape->n_colours, frame + at[0] * shape->width + at[1]);
    ignored.code = SB_OK;
    return (ok && !sb_json_walk_next(&walk, &ignored) && ignored.code == SB_OK) ||
           sb_fail(error, SB_INVALID, "a run of a difference should be [y, x, \"colours\"] within the frame");
}

/* A frame that is like the one before is that one. */
static bool read_difference(const reading *r, const sb_json_part *value, const uint8_t *before, const uint8_t **frame,
                            sb_error *error) {
    sb_json_walk members = sb_json_walk_of(value);
    uint8_t *found = NULL;
    error->code = SB_OK;
    if (!sb_json_walk_next(&members, error) || !has_key(&members.key, "d") || !sb_json_part_is_list(&members.value))
        return sb_fail(error, SB_INVALID, "a frame should be a text, or an object with the list `d`");
    sb_json_walk runs = sb_json_walk_of(&members.value);
    *frame = before;
    while (sb_json_walk_next(&runs, error)) {
        if (!found) {
            if (!(found = new_frame(r, error))) return false;
            memcpy(found, before, sb_frame_cells(&r->play->shape));
            *frame = found;
        }
        if (!read_run(&r->play->shape, &runs.value, found, error)) return false;
    }
    return error->code == SB_OK && !sb_json_walk_next(&members, error) && error->code == SB_OK;
}

static bool read_frames(reading *r, const sb_json_part *value, sb_log_transition *t, sb_error *error) {
    if (!sb_json_part_is_list(value)) return sb_fail(error, SB_INVALID, "key `frames` should be a list");
    const size_t n = sb_json_part_length(value);
    sb_json_walk walk = sb_json_walk_of(value);
    const uint8_t **list = n ? take_room(r->store, n * sizeof *list) : NULL;
    const uint8_t *before = r->before;
    if (n && !list) return fail_memory(error);
    t->frames = list;
    error->code = SB_OK;
    while (t->n_frames < n && sb_json_walk_next(&walk, error)) {
        const bool ok = sb_json_part_is_object(&walk.value)
                            ? read_difference(r, &walk.value, before, &list[t->n_frames], error)
                            : read_whole(r, &walk.value, &list[t->n_frames], error);
        if (!ok) return false;
        before = list[t->n_frames++];
    }
    return error->code == SB_OK;
}

/* ---- Headers ----------------------------------------------------------------------------------------------------- */

static const char header_begins[] = "{\"seedbed_transitions\"";

bool sb_log_is_one(const char *text, size_t n) {
    return n >= strlen(header_begins) && memcmp(text, header_begins, strlen(header_begins)) == 0;
}

static bool read_palette(sb_log_play *play, const sb_json_part *value, sb_error *error) {
    const size_t n = sb_json_part_is_list(value) ? sb_json_part_length(value) : 0;
    if (n < 1 || n > SB_FRAME_COLOURS)
        return sb_fail(error, SB_INVALID, "key `palette` should be a list of 1 to %d names of colours",
                       SB_FRAME_COLOURS);
    play->shape.n_colours = (int32_t)n;
    if (!read_value(value, &play->palette, error)) return false;
    sb_json_walk walk = sb_json_walk_of(value);
    while (sb_json_walk_next(&walk, error))
        if (*walk.value.at != '"') return sb_fail(error, SB_INVALID, "key `palette` should be a list of texts");
    return true;
}

/* What a header says, but for what depends on the shape, which may come later in the line. */
typedef struct header {
    sb_json_part start, goal, available;
    bool has_version, has_levels;
} header;

static bool read_header_member(sb_log_play *play, header *h, const sb_json_part *key, const sb_json_part *value,
                               sb_error *error) {
    int64_t number = 0;
    if (has_key(key, "seedbed_transitions"))
        return read_int(value, "seedbed_transitions", 0, UINT16_MAX, &number, error) &&
               (number == SB_LOG_FORMAT ||
                sb_fail(error, SB_VERSION_OTHER, "the log has format %d, but this program reads %d", (int)number,
                        SB_LOG_FORMAT));
    if (has_key(key, "name")) return read_text(value, "name", play->name, sizeof play->name, error);
    if (has_key(key, "version"))
        return h->has_version = read_text(value, "version", play->version, sizeof play->version, error);
    if (has_key(key, "recording")) return read_bool(value, "recording", &play->is_recording, error);
    if (has_key(key, "levels")) {
        h->has_levels = read_int(value, "levels", 0, UINT8_MAX, &number, error);
        return play->levels = (int32_t)number, h->has_levels;
    }
    if (has_key(key, "available")) return h->available = *value, true;
    if (has_key(key, "width") || has_key(key, "height")) {
        const bool is_width = has_key(key, "width");
        if (!read_int(value, is_width ? "width" : "height", 1, SB_FRAME_SIDE, &number, error)) return false;
        return *(is_width ? &play->shape.width : &play->shape.height) = (int32_t)number, true;
    }
    if (has_key(key, "palette")) return read_palette(play, value, error);
    if (has_key(key, "start")) return h->start = *value, true;
    if (has_key(key, "goal")) return h->goal = *value, true;
    if (has_key(key, "action_count")) {
        const bool ok = read_int(value, "action_count", 0, INT32_MAX, &number, error);
        return play->action_count = (uint32_t)number, ok;
    }
    if (has_key(key, "z")) return read_value(value, &play->z, error);
    if (has_key(key, "h")) return read_value(value, &play->h, error);
    return sb_fail(error, SB_INVALID, "unknown key %.*s in a header", (int)(key->n < 60 ? key->n : 60), key->at);
}

static bool check_header(sb_log_play *play, const header *h, sb_error *error) {
    sb_frame_shape *shape = &play->shape;
    const char *missing = !*play->name      ? "name"
                          : !h->has_version ? "version"
                          : !h->has_levels  ? "levels"
                          : !h->available.n ? "available"
                          : !h->start.n     ? "start"
                                            : NULL;
    if (missing) return sb_fail(error, SB_INVALID, "key `%s` is missing or empty in the header", missing);
    const int own = (shape->width > 0) + (shape->height > 0) + (shape->n_colours > 0);
    if (own != 0 && own != 3)
        return sb_fail(error, SB_INVALID, "keys `width`, `height` and `palette` of a header belong together");
    if (!own) *shape = (sb_frame_shape){.width = 64, .height = 64, .n_colours = 16, .published = true};
    return true;
}

static bool read_header(reading *r, const sb_json_part *line, size_t number, sb_error *error) {
    sb_log *log = r->log;
    header h = {0};
    if (!SB_GROW(log->plays, log->n_plays + 1, r->store->plays_capacity)) return fail_memory(error);
    r->play = &log->plays[log->n_plays++];
    *r->play = (sb_log_play){.line = number, .first = log->n_transitions};
    sb_json_walk walk = sb_json_walk_of(line);
    error->code = SB_OK;
    while (sb_json_walk_next(&walk, error))
        if (!read_header_member(r->play, &h, &walk.key, &walk.value, error)) return false;
    if (error->code != SB_OK || !check_header(r->play, &h, error)) return false;
    r->t = 0, r->completed = 0, *r->checked = '\0';
    if (!read_available(&h.available, r->play->shape.published, &r->play->available, error) ||
        !read_whole(r, &h.start, &r->before, error) || (h.goal.n && !read_goal(r, &h.goal, error)))
        return false;
    r->play->start = r->before;
    return true;
}

/* ---- Transitions ------------------------------------------------------------------------------------------------- */

typedef struct members {
    sb_json_part frames;
    bool t, level, action, state, completed, available, full_reset, kind, sha256, x, y;
} members;

static bool read_kind(const sb_json_part *value, sb_transition_kind *kind, sb_error *error) {
    char name[8];
    if (!read_text(value, "kind", name, sizeof name, error)) return false;
    size_t index;
    if (!sb_find_word(sb_transition_names, SB_N_TRANSITIONS, name, &index))
        return sb_fail(error, SB_INVALID, "key `kind` should be step, level, over, reset or none");
    *kind = (sb_transition_kind)index;
    return true;
}

static bool read_place(const sb_json_part *value, const char *key, int32_t below, int16_t *to, sb_error *error) {
    int64_t number = 0;
    const bool ok = read_int(value, key, 0, below - 1, &number, error);
    return *to = (int16_t)number, ok;
}

static bool read_member(const reading *r, sb_log_transition *t, members *m, const sb_json_part *key,
                        const sb_json_part *value, sb_error *error) {
    const sb_frame_shape *shape = &r->play->shape;
    int64_t n = 0;
    bool ok;
    if (has_key(key, "frames")) return m->frames = *value, true;
    if (has_key(key, "t")) return ok = m->t = read_int(value, "t", 1, INT32_MAX, &n, error), t->t = (uint32_t)n, ok;
    if (has_key(key, "level"))
        return ok = m->level = read_int(value, "level", 1, UINT8_MAX, &n, error), t->level = (int32_t)n, ok;
    if (has_key(key, "action"))
        return m->action = read_text(value, "action", t->action.name, sizeof t->action.name, error);
    if (has_key(key, "x")) return m->x = read_place(value, "x", shape->width, &t->action.x, error);
    if (has_key(key, "y")) return m->y = read_place(value, "y", shape->height, &t->action.y, error);
    if (has_key(key, "state")) return m->state = read_text(value, "state", t->state, sizeof t->state, error);
    if (has_key(key, "levels_completed"))
        return ok = m->completed = read_int(value, "levels_completed", 0, UINT8_MAX, &n, error),
               t->completed = (int32_t)n, ok;
    if (has_key(key, "available")) return m->available = read_available(value, shape->published, &t->available, error);
    if (has_key(key, "full_reset")) return m->full_reset = read_bool(value, "full_reset", &t->full_reset, error);
    if (has_key(key, "kind")) return m->kind = read_kind(value, &t->kind, error);
    if (has_key(key, "sha256")) return m->sha256 = read_text(value, "sha256", t->sha256, sizeof t->sha256, error);
    if (has_key(key, "z")) return read_value(value, &t->z, error);
    return sb_fail(error, SB_INVALID, "unknown key %.*s", (int)(key->n < 60 ? key->n : 60), key->at);
}

static const char *missing_member(const members *m) {
    const struct {
        bool is_there;
        const char *name;
    } all[] = {{m->t, "t"},
               {m->level, "level"},
               {m->action, "action"},
               {m->frames.n > 0, "frames"},
               {m->state, "state"},
               {m->completed, "levels_completed"},
               {m->available, "available"},
               {m->full_reset, "full_reset"},
               {m->kind, "kind"},
               {m->sha256, "sha256"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!all[i].is_there) return all[i].name;
    return NULL;
}

static bool read_action(const reading *r, const members *m, sb_log_action *action, sb_error *error) {
    const char *name = action->name;
    const bool is_numbered = strncmp(name, "ACTION", 6) == 0 && name[6] >= '1' && name[6] <= '7' && !name[7];
    action->id = -1, action->is_click = m->x || m->y;
    if (m->x != m->y) return sb_fail(error, SB_INVALID, "a click has both keys `x` and `y`");
    if (!r->play->shape.published) return *name || sb_fail(error, SB_INVALID, "key `action` is empty");
    if (!is_numbered && strcmp(name, "RESET") != 0)
        return sb_fail(error, SB_INVALID, "key `action` should be RESET or ACTION1 to ACTION7");
    action->id = is_numbered ? (int8_t)(name[6] - '0') : 0;
    return action->is_click == (action->id == 6) ||
           sb_fail(error, SB_INVALID, "ACTION6 needs the keys `x` and `y`; no other action has them");
}

static bool check_transition(const reading *r, const sb_log_transition *t, sb_error *error) {
    if (r->t && t->t != r->t + 1) return sb_fail(error, SB_INVALID, "key `t` should be %u", r->t + 1);
    if ((t->kind == SB_TRANSITION_NONE) != (t->n_frames == 0))
        return sb_fail(error, SB_INVALID, "key `kind` should be `none` if there are no frames, and only then");
    if (t->completed > r->play->levels)
        return sb_fail(error, SB_INVALID, "key `levels_completed` should be at most %d", r->play->levels);
    return true;
}

/* A frame that stays is hashed once. */
static bool check_hash(reading *r, const sb_log_transition *t, sb_error *error) {
    if (!r->hashes) return true;
    if (t->last != t->before || !*r->checked) sb_frame_sha256(&r->play->shape, t->last, r->checked);
    return strcmp(t->sha256, r->checked) == 0 ||
           sb_fail(error, SB_MISMATCH, "key `sha256` is not the hash of the last frame: the line was altered");
}

static bool read_transition(reading *r, const sb_json_part *line, size_t number, sb_error *error) {
    sb_log *log = r->log;
    members m = {0};
    if (!r->play)
        return sb_fail(error, SB_INVALID,
                       "a log should begin with a header: {\"seedbed_transitions\":1,... "
                       "(`seedbed log` makes one of tapes and recordings)");
    if (!SB_GROW(log->transitions, log->n_transitions + 1, r->store->transitions_capacity)) return fail_memory(error);
    sb_log_transition *t = &log->transitions[log->n_transitions];
    *t = (sb_log_transition){.line = number, .before = r->before};
    sb_json_walk walk = sb_json_walk_of(line);
    error->code = SB_OK;
    while (sb_json_walk_next(&walk, error))
        if (!read_member(r, t, &m, &walk.key, &walk.value, error)) return false;
    if (error->code != SB_OK) return false;
    const char *missing = missing_member(&m);
    if (missing) return sb_fail(error, SB_INVALID, "key `%s` is missing", missing);
    if (!read_action(r, &m, &t->action, error) || !read_frames(r, &m.frames, t, error)) return false;
    t->last = t->n_frames ? t->frames[t->n_frames - 1] : t->before;
    if (!check_transition(r, t, error) || !check_hash(r, t, error)) return false;
    log->n_transitions++, r->play->n++;
    r->before = t->last, r->t = t->t, r->completed = t->completed;
    return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static bool read_line(reading *r, const char *text, size_t n, size_t number, sb_error *error) {
    if (n > SB_LOG_LINE) return sb_fail(error, SB_INVALID, "the line has more than %d bytes", SB_LOG_LINE);
    if (memchr(text, '\0', n)) return sb_fail(error, SB_INVALID, "the line contains a NUL byte");
    if (!sb_json_check(text, n, error)) return false;
    const sb_json_part line = sb_json_whole(text, n);
    if (!sb_json_part_is_object(&line)) return sb_fail(error, SB_INVALID, "a line should be a JSON object");
    return sb_log_is_one(line.at, line.n) ? read_header(r, &line, number, error)
                                          : read_transition(r, &line, number, error);
}

static bool read_text_of_log(sb_log *log, const char *text, size_t n, bool hashes, sb_error *error) {
    reading r = {.log = log, .store = log->store, .hashes = hashes};
    const char *const end = text + n;
    sb_sha256_hex(text, n, log->sha256);
    for (size_t number = 1; text < end; number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        if (!read_line(&r, text, (size_t)(stop - text), number, error))
            return sb_fail_at(error, "%s, line %zu", sb_path_end(log->path), number);
        text = stop + 1;
    }
    return log->n_plays > 0 || sb_fail(error, SB_INVALID, "%s: the log is empty", sb_path_end(log->path));
}

static bool begin(sb_log *log, const char *path, sb_error *error) {
    *log = (sb_log){.store = calloc(1, sizeof *log->store)};
    snprintf(log->path, sizeof log->path, "%s", path);
    return log->store || fail_memory(error);
}

bool sb_log_parse(sb_log *log, const char *path, const char *text, size_t n, bool hashes, sb_error *error) {
    return begin(log, path, error) && read_text_of_log(log, text, n, hashes, error);
}

bool sb_log_open(sb_log *log, const char *path, bool hashes, sb_error *error) {
    sb_out text = sb_out_growing();
    *log = (sb_log){0};
    const bool ok = sb_file_load(path, SB_LOG_BYTES, &text, error) &&
                    sb_log_parse(log, path, text.data, text.size, hashes, error);
    if (log->store)
        log->store->text = text;
    else
        sb_out_free(&text);
    return ok;
}

void sb_log_close(sb_log *log) {
    free(log->plays);
    free(log->transitions);
    free_store(log->store);
    *log = (sb_log){0};
}

/* ---- Replay ------------------------------------------------------------------------------------------------------ */

/* Spaces between values do not count. */
static bool same_part(const sb_json_part *a, const sb_json_part *b) {
    const char *p = a->at, *q = b->at, *const p_end = a->at + a->n, *const q_end = b->at + b->n;
    for (;;) {
        p = sb_json_skip_spaces(p, p_end), q = sb_json_skip_spaces(q, q_end);
        if (p >= p_end || q >= q_end || *p != *q) return p >= p_end && q >= q_end;
        p++, q++;
    }
}

static bool same_frames(const sb_log_transition *a, const sb_log_transition *b, size_t cells) {
    for (uint32_t i = 0; i < a->n_frames; i++)
        if (memcmp(a->frames[i], b->frames[i], cells) != 0) return false;
    return true;
}

/* Returns the first key in which a line and its replay differ; NULL: none. */
static const char *difference(const sb_log_transition *said, const sb_log_transition *played, size_t cells) {
    if (said->level != played->level) return "level";
    if (said->n_frames != played->n_frames || !same_frames(said, played, cells)) return "frames";
    if (strcmp(said->state, played->state) != 0) return "state";
    if (said->completed != played->completed) return "levels_completed";
    if (!same_part(&said->available, &played->available)) return "available";
    if (said->full_reset != played->full_reset) return "full_reset";
    if (said->kind != played->kind) return "kind";
    return strcmp(said->sha256, played->sha256) != 0 ? "sha256" : NULL;
}

static bool same_goal(const sb_log_play *a, const sb_log_play *b) {
    return a->goal && b->goal ? memcmp(a->goal, b->goal, sb_frame_cells(&a->shape)) == 0 : a->goal == b->goal;
}

static bool same_shape(const sb_frame_shape *a, const sb_frame_shape *b) {
    return a->width == b->width && a->height == b->height && a->n_colours == b->n_colours;
}

/* Returns the first key in which a header and its replay differ; NULL: none. */
static const char *start_difference(const sb_log_play *said, const sb_log_play *played) {
    if (said->levels != played->levels) return "levels";
    if (!same_shape(&said->shape, &played->shape)) return "width";
    if (!same_part(&said->palette, &played->palette)) return "palette";
    if (!same_part(&said->available, &played->available)) return "available";
    if (memcmp(said->start, played->start, sb_frame_cells(&said->shape)) != 0) return "start";
    return same_goal(said, played) ? NULL : "goal";
}

static bool check_start(const sb_log_play *said, const sb_log_writer *w, sb_error *error) {
    if (!sb_rules_agree("key `version`: logged", said->version, w->play.version, error)) return false;
    const char *key = start_difference(said, &w->play);
    return !key || sb_fail(error, SB_MISMATCH, "key `%s` disagrees with the replay", key);
}

static bool replay_step(const sb_log_transition *said, sb_log_writer *w, sb_env *env, sb_error *error) {
    sb_action action;
    sb_result result;
    if (!sb_log_action_in(env, &said->action, &action, error) || !sb_step(env, action, &result, error) ||
        !sb_log_step(w, env, action, error))
        return false;
    const char *key = difference(said, &w->line, sb_frame_cells(&w->play.shape));
    return !key || sb_fail(error, SB_MISMATCH, "key `%s` disagrees with the replay", key);
}

static bool replay_play(const sb_log *log, const sb_log_play *play, sb_log_writer *w, sb_env *env, sb_error *error) {
    sb_out header = sb_out_growing();
    const bool ok = sb_reset(env, play->name, error) && sb_log_begin(w, env, &header, error) &&
                    check_start(play, w, error);
    sb_out_free(&header);
    if (!ok) return sb_fail_at(error, "%s, line %zu", sb_path_end(log->path), play->line);
    for (size_t i = 0; i < play->n; i++) {
        const sb_log_transition *said = &log->transitions[play->first + i];
        if (!replay_step(said, w, env, error))
            return sb_fail_at(error, "%s, line %zu", sb_path_end(log->path), said->line);
    }
    return true;
}

bool sb_log_is_from_start(const sb_log *log, const sb_log_play *play) {
    return !play->h.n && !play->action_count && (!play->n || log->transitions[play->first].t == 1);
}

bool sb_log_replay(const sb_log *log, const sb_catalogue *catalogue, size_t *n_recorded, const sb_stop *stop,
                   void (*progress)(void *context, size_t done, size_t total), void *context, sb_error *error) {
    sb_log_writer writer = {0};
    sb_env *env = sb_make(catalogue, NULL, error);
    bool ok = env != NULL;
    *n_recorded = 0;
    for (size_t i = 0; ok && i < log->n_plays; i++) {
        const bool plays = !log->plays[i].is_recording && sb_log_is_from_start(log, &log->plays[i]);
        *n_recorded += !plays;
        ok = !sb_is_stopped(stop) || sb_fail(error, SB_INVALID, "the check was stopped");
        ok = ok && (!plays || replay_play(log, &log->plays[i], &writer, env, error));
        if (progress) progress(context, i + 1, log->n_plays);
    }
    sb_log_writer_free(&writer);
    sb_free(env);
    return ok;
}
