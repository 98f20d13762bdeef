#include "exporters/description.h"

#include "base/error.h"
#include "base/file.h"
#include "engine/facts.h"
#include "exporters/shipped.h"

const char *const sb_style_names[SB_N_STYLES] = {"narrative", "structured", "json"};

/* ---- Sentences and their placeholders ---- */

typedef enum sentence {
    ONE_ROOM,
    MANY_ROOMS,
    COMMON,
    OBJECT,
    NO_OBJECTS,
    MISSION,
    HEADER,
    ROOMS_LINE,
    ONE_ROOM_LINE,
    ROOM_SIZE_LINE,
    INNER_SIZE_LINE,
    GRID_LINE,
    AGENT_LINE,
    FACING_LINE,
    OBJECTS_LINE,
    OBJECT_LINE,
    NO_OBJECTS_LINE,
    MISSION_LINE
} sentence;

static const char *const sentence_keys[] = {
    "one_room",     "many_rooms",    "common",          "object",          "no_objects", "mission",    "header",
    "rooms_line",   "one_room_line", "room_size_line",  "inner_size_line", "grid_line",  "agent_line", "facing_line",
    "objects_line", "object_line",   "no_objects_line", "mission_line",    NULL};

_Static_assert(sizeof sentence_keys / sizeof *sentence_keys == SB_SENTENCES + 1, "a key for every sentence");

typedef enum field {
    F_ROWS,
    F_COLUMNS,
    F_ROOM_SIZE,
    F_INNER_SIZE,
    F_WIDTH,
    F_HEIGHT,
    F_AGENT,
    F_FRONT,
    F_DIRECTION,
    F_MISSION,
    N_FACT_FIELDS,
    F_ARTICLE = N_FACT_FIELDS,
    F_COLOR,
    F_TYPE,
    F_POSITION,
    F_LOCKED
} field;

/* Placeholders that sentences about an object have, which are all; and the first of them, which every sentence has. */
static const char *const thing_fields[] = {"rows",  "columns",  "room_size", "inner_size", "width",   "height",
                                           "agent", "front",    "direction", "mission",    "article", "color",
                                           "type",  "position", "locked",    NULL};
static const char *const fact_fields[] = {"rows",  "columns", "room_size", "inner_size", "width", "height",
                                          "agent", "front",   "direction", "mission",    NULL};

static bool read_sentence(sb_wording *w, sentence which, const cJSON *own, sb_error *error) {
    const char *key = sentence_keys[which], *text;
    const cJSON *from = cJSON_HasObjectItem(own, key) ? own : w->standard;
    const char *const *fields = which == OBJECT || which == OBJECT_LINE ? thing_fields : fact_fields;
    return sb_json_string(from, key, &text, error) &&
           (sb_template_parse(&w->sentences[which], text, fields, error) || sb_fail_at(error, "key `%s`", key));
}

static bool read_sentences(sb_wording *w, const cJSON *own, sb_error *error) {
    if (own && !sb_json_known_keys(own, sentence_keys, error)) return false;
    for (int i = 0; i < SB_SENTENCES; i++)
        if (!read_sentence(w, (sentence)i, own, error)) return false;
    return true;
}

static bool load_own(sb_wording *w, const char *path, sb_error *error) {
    enum { BYTES_MAX = 1 << 16 };
    sb_out text = sb_out_growing();
    bool ok = sb_file_load(path, BYTES_MAX, &text, error);
    if (ok) {
        w->own = sb_json_parse(text.data, text.size, error);
        ok = (w->own && read_sentences(w, w->own, error)) || sb_fail_at(error, "%s", sb_path_end(path));
    }
    sb_out_free(&text);
    return ok;
}

bool sb_wording_open(sb_wording *w, const cJSON *own, sb_error *error) {
    *w = (sb_wording){0};
    w->standard = sb_json_parse((const char *)sb_shipped_descriptions, sb_shipped_descriptions_size, error);
    if (!w->standard) return false;
    return cJSON_IsString(own) ? load_own(w, own->valuestring, error) : read_sentences(w, own, error);
}

void sb_wording_close(sb_wording *w) {
    cJSON_Delete(w->standard);
    cJSON_Delete(w->own);
    *w = (sb_wording){0};
}

/* ---- Filling the sentences in ---- */

void sb_put_cell(sb_out *out, sb_xy cell) { sb_putf(out, "(%d, %d)", cell.x, cell.y); }

typedef struct telling {
    const sb_wording *wording;
    const sb_facts *facts;
    const sb_fact *thing; /* the thing of the sentence that is being written */
    sb_out *out;
} telling;

static bool is_one_room(const sb_facts *f) { return f->room_rows == 1 && f->room_columns == 1; }
static int inner_side(const sb_facts *f) { return f->room_side - 2; }
static const char *article_of(const sb_fact *t) { return !t->has_lock ? "a" : t->locked ? "a locked" : "an unlocked"; }
static const char *lock_of(const sb_fact *t) {
    return !t->has_lock ? "" : t->locked ? ", locked=True" : ", locked=False";
}

static void put_thing_field(const sb_fact *thing, field field, sb_out *out) {
    switch (field) {
    case F_ARTICLE: sb_puts(out, article_of(thing)); break;
    case F_COLOR: sb_puts(out, thing->colour); break;
    case F_TYPE: sb_puts(out, thing->type); break;
    case F_POSITION: sb_put_cell(out, thing->at); break;
    default: sb_puts(out, lock_of(thing)); break;
    }
}

static void put_field(void *context, int field, sb_out *out) {
    const telling *t = context;
    const sb_facts *f = t->facts;
    switch (field) {
    case F_ROWS: sb_put_int(out, f->room_rows); break;
    case F_COLUMNS: sb_put_int(out, f->room_columns); break;
    case F_ROOM_SIZE: sb_put_int(out, f->room_side); break;
    case F_INNER_SIZE: sb_put_int(out, inner_side(f)); break;
    case F_WIDTH: sb_put_int(out, f->size.x); break;
    case F_HEIGHT: sb_put_int(out, f->size.y); break;
    case F_AGENT: sb_put_cell(out, f->agent); break;
    case F_FRONT: sb_put_cell(out, f->front); break;
    case F_DIRECTION: sb_puts(out, f->direction_name); break;
    case F_MISSION: sb_puts(out, f->mission); break;
    default: put_thing_field(t->thing, field, out); break;
    }
}

static void say(telling *t, sentence which) { sb_template_put(&t->wording->sentences[which], t->out, put_field, t); }

static void say_thing(telling *t, sentence which, size_t index) {
    t->thing = &t->facts->things[index];
    say(t, which);
}

/* ---- Styles ---- */

/* Joins the last of several things with `, and `, even if there are only two. */
static void narrate_things(telling *t) {
    const size_t n = t->facts->n_things;
    if (n == 0) {
        say(t, NO_OBJECTS);
        return;
    }
    sb_puts(t->out, "There is ");
    for (size_t i = 0; i < n; i++) {
        if (i) sb_puts(t->out, i + 1 < n ? ", " : ", and ");
        say_thing(t, OBJECT, i);
    }
    sb_puts(t->out, ". ");
}

static void narrate(telling *t) {
    say(t, is_one_room(t->facts) ? ONE_ROOM : MANY_ROOMS);
    say(t, COMMON);
    narrate_things(t);
    say(t, MISSION);
}

static void say_line(telling *t, sentence which) {
    say(t, which);
    sb_puts(t->out, "\n");
}

static void list_lines(telling *t) {
    say_line(t, HEADER);
    say_line(t, is_one_room(t->facts) ? ONE_ROOM_LINE : ROOMS_LINE);
    for (sentence line = ROOM_SIZE_LINE; line <= FACING_LINE; line++) say_line(t, line);
    say_line(t, t->facts->n_things ? OBJECTS_LINE : NO_OBJECTS_LINE);
    for (size_t i = 0; i < t->facts->n_things; i++) {
        say_thing(t, OBJECT_LINE, i);
        sb_puts(t->out, "\n");
    }
    say(t, MISSION_LINE);
}

/* Writes a list of two numbers, one per line, inside an indentation of `indent` spaces. */
static void put_pair(sb_out *out, int indent, int a, int b) {
    sb_putf(out, "[\n%*s%d,\n%*s%d\n%*s]", indent + 2, "", a, indent + 2, "", b, indent, "");
}

/* Writes a member that is not the first of its object. */
static void put_pair_member(sb_out *out, const char *key, int indent, int a, int b) {
    sb_putf(out, ",\n%*s\"%s\": ", indent, "", key);
    put_pair(out, indent, a, b);
}

static void put_thing_object(sb_out *out, const sb_fact *thing) {
    sb_putf(out, "      {\n        \"type\": \"%s\",\n        \"color\": \"%s\"", thing->type, thing->colour);
    put_pair_member(out, "position", 8, thing->at.x, thing->at.y);
    if (thing->has_lock) sb_putf(out, ",\n        \"locked\": %s", thing->locked ? "true" : "false");
    sb_puts(out, "\n      }");
}

static void put_things_list(sb_out *out, const sb_facts *f) {
    sb_puts(out, f->n_things ? "[\n" : "[]");
    for (size_t i = 0; i < f->n_things; i++) {
        put_thing_object(out, &f->things[i]);
        sb_puts(out, i + 1 < f->n_things ? ",\n" : "\n    ]");
    }
}

/* Writes the filled template as a JSON string. */
static void put_quoted(telling *t, sentence which) {
    sb_puts(t->out, "\"");
    t->out->json = true;
    say(t, which);
    t->out->json = false;
    sb_puts(t->out, "\"");
}

static void put_document(telling *t) {
    const sb_facts *f = t->facts;
    sb_out *out = t->out;
    sb_puts(out, "{\n  \"context\": ");
    put_quoted(t, HEADER);
    sb_puts(out, ",\n  \"config\": {\n    \"num_rooms\": ");
    if (is_one_room(f))
        sb_puts(out, "1");
    else
        put_pair(out, 4, f->room_rows, f->room_columns);
    put_pair_member(out, "room_size_incl_walls", 4, f->room_side, f->room_side);
    put_pair_member(out, "room_size_excl_walls", 4, inner_side(f), inner_side(f));
    put_pair_member(out, "grid_size", 4, f->size.y, f->size.x);
    put_pair_member(out, "agent_initial_pos", 4, f->agent.x, f->agent.y);
    put_pair_member(out, "agent_front_pos", 4, f->front.x, f->front.y);
    sb_putf(out, ",\n    \"agent_direction\": {\n      \"index\": %d,\n      \"name\": \"%s\"\n    }", f->direction,
            f->direction_name);
    sb_puts(out, ",\n    \"objects\": ");
    put_things_list(out, f);
    sb_puts(out, ",\n    \"mission\": ");
    sb_put_json_string(out, f->mission);
    sb_puts(out, "\n  }\n}");
}

void sb_describe(const sb_wording *wording, sb_style style, const sb_facts *facts, sb_out *out) {
    telling t = {.wording = wording, .facts = facts, .out = out};
    switch (style) {
    case SB_NARRATIVE: narrate(&t); break;
    case SB_STRUCTURED: list_lines(&t); break;
    default: put_document(&t); break;
    }
}
