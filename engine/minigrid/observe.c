/* The modes of the family. All but the privileged ones show only what the view of size 7 and the mission's text
 * contain. */
#include "engine/minigrid/view.h"

#include <stdio.h>

#include "engine/shipped.h"

enum { ASCII, ASCII_COLOR, LANGUAGE, LANGUAGE3, LANGUAGE5, LANGUAGE9, VIEW3, VIEW5, VIEW7, VIEW9, FULL_ASCII, FULL };

const sb_mode sb_mg_modes[SB_MG_N_MODES] = {
    {.name = "ascii", .code = ASCII, .relative = true, .first_row = 3},
    {.name = "ascii_color", .code = ASCII_COLOR, .relative = true, .first_row = 3},
    {.name = "language", .alias = "language7", .code = LANGUAGE, .relative = true},
    {.name = "language3", .code = LANGUAGE3, .relative = true},
    {.name = "language5", .code = LANGUAGE5, .relative = true},
    {.name = "language9", .code = LANGUAGE9, .privileged = true, .relative = true},
    {.name = "view3", .code = VIEW3, .document = true, .schema = SB_SCHEMA(view3), .relative = true},
    {.name = "view5", .code = VIEW5, .document = true, .schema = SB_SCHEMA(view5), .relative = true},
    {.name = "view7",
     .alias = "partial",
     .code = VIEW7,
     .document = true,
     .schema = SB_SCHEMA(view7),
     .relative = true},
    {.name = "view9",
     .code = VIEW9,
     .document = true,
     .privileged = true,
     .schema = SB_SCHEMA(view9),
     .relative = true},
    {.name = "full_ascii", .code = FULL_ASCII, .privileged = true},
    {.name = "full", .code = FULL, .document = true, .privileged = true, .schema = SB_SCHEMA(full)},
};

const char *const sb_mg_dataset_modes[] = {"ascii", "language", NULL};

/* A grid of codes: (type, colour, state) of cell (i,j) at 3 * (j * width + i). */
typedef struct picture {
    int width, height;
    uint8_t codes[3 * SB_MG_CELLS_MAX];
} picture;

static const uint8_t *code_at(const picture *p, int i, int j) { return p->codes + 3 * ((ptrdiff_t)j * p->width + i); }

static void take_view(const sb_mg_world *w, int size, picture *p) {
    p->width = p->height = size;
    sb_mg_view(w, size, p->codes);
}

static void take_all(const sb_mg_world *w, picture *p) {
    p->width = w->width, p->height = w->height;
    sb_mg_encode_all(w, p->codes);
    uint8_t *agent = p->codes + 3 * (ptrdiff_t)sb_mg_index(w, w->agent);
    agent[0] = SB_MG_AGENT, agent[1] = 0, agent[2] = w->facing;
}

/* ---- Documents: what gymnasium's observation holds --------------------------------------------------------------- */

/* Writes a code as `[2, 5, 0]` and returns the end: as a whole, and then its digits. */
static char *write_code(char *at, const uint8_t code[3]) {
    *at++ = '[';
    if (code[0] >= 10) *at++ = '1'; /* only SB_MG_AGENT */
    memcpy(at, "0, 0, 0]", 8);
    at[0] = (char)('0' + code[0] % 10), at[3] = (char)('0' + code[1]), at[6] = (char)('0' + code[2]);
    return at + 8;
}

/* The image is a list of columns, as published: indexed [i][j]. */
static void put_image(sb_out *out, const picture *p) {
    sb_puts(out, "[");
    for (int i = 0; i < p->width; i++) {
        char text[SB_MG_SIDE_MAX * sizeof "[10, 0, 0], " + 2], *at = text;
        *at++ = '[';
        for (int j = 0; j < p->height; j++) {
            if (j) *at++ = ',', *at++ = ' ';
            at = write_code(at, code_at(p, i, j));
        }
        *at++ = ']';
        if (i) sb_puts(out, ", ");
        sb_put(out, text, (size_t)(at - text));
    }
    sb_puts(out, "]");
}

static void put_mission_text(sb_out *out, const sb_mg_world *w) {
    char text[512];
    sb_out mission = sb_out_fixed(text, sizeof text);
    sb_mg_put_mission(&mission, &w->mission);
    sb_out_finish(&mission);
    sb_member_text(out, "mission", text);
}

static void put_document(sb_out *out, const sb_mg_world *w, const picture *p) {
    sb_puts(out, "{");
    sb_put_key(out, "image");
    put_image(out, p);
    sb_member_int(out, "direction", w->facing);
    put_mission_text(out, w);
    sb_puts(out, "}");
}

/* ---- Words ------------------------------------------------------------------------------------------------------- */

/* Prints `a closed red door` or `a red ball`. */
static void put_thing(sb_out *out, const uint8_t code[3]) {
    const char *state = code[0] == SB_MG_DOOR ? sb_mg_door_state_names[code[2]] : "";
    sb_puts(out, *state == 'o' ? "an " : "a ");
    if (*state) sb_puts(out, state), sb_putc(out, ' ');
    sb_puts(out, sb_mg_colour_names[code[1]]), sb_putc(out, ' '), sb_puts(out, sb_mg_type_names[code[0]]);
}

static void put_carried(sb_out *out, const sb_mg_world *w) {
    const sb_mg_object *o = sb_mg_carrying(w);
    if (o)
        put_thing(out, (uint8_t[]){o->type, o->colour, 0});
    else
        sb_puts(out, "nothing");
}

static bool is_thing(const uint8_t code[3]) { return code[0] >= SB_MG_DOOR && code[0] <= SB_MG_BOX; }

/* ---- A grid of characters ---------------------------------------------------------------------------------------- */

/* Writes two characters: one for the thing, one for its colour (grey is `a`, as in ash). */
static void write_symbol(char at[2], const uint8_t code[3]) {
    static const char colours[] = "rgbpya", things[] = {'K', 'O', 'X'}, doors[] = {'/', '+', '*'}, arrows[] = ">v<^";
    static const char plain[] = {[SB_MG_UNSEEN] = '?', [SB_MG_EMPTY] = '.', [SB_MG_WALL] = '#'};
    const int type = code[0];
    if (type == SB_MG_AGENT)
        at[0] = at[1] = arrows[code[2]];
    else if (type <= SB_MG_WALL)
        at[0] = at[1] = plain[type];
    else
        at[0] = type == SB_MG_DOOR ? doors[code[2]] : things[type - SB_MG_KEY], at[1] = colours[code[1]];
}

static void put_grid(sb_out *out, const picture *p) {
    for (int j = 0; j < p->height; j++) {
        char line[3 * SB_MG_SIDE_MAX];
        for (int i = 0; i < p->width; i++) {
            write_symbol(line + 3 * (ptrdiff_t)i, code_at(p, i, j));
            line[3 * i + 2] = i + 1 < p->width ? ' ' : '\n';
        }
        sb_put(out, line, 3 * (size_t)p->width);
    }
}

/* Prints a symbol for terminals: things in their own colours, the agent in a colour that no thing has. */
static void put_coloured_symbol(sb_out *out, const uint8_t code[3]) {
    static const int colours[] = {91, 92, 94, 95, 93, 37}; /* in the order of sb_mg_colour */
    char symbol[2];
    write_symbol(symbol, code);
    sb_puts(out, "\x1b[");
    sb_put_int(out, code[0] == SB_MG_AGENT ? 96 : is_thing(code) ? colours[code[1]] : 90);
    sb_putc(out, 'm'), sb_put(out, symbol, sizeof symbol), sb_puts(out, "\x1b[0m");
}

static void put_coloured_grid(sb_out *out, const picture *p) {
    for (int j = 0; j < p->height; j++)
        for (int i = 0; i < p->width; i++) {
            put_coloured_symbol(out, code_at(p, i, j));
            sb_putc(out, i + 1 < p->width ? ' ' : '\n');
        }
}

/* For each type and colour, a bit for each state that is in the picture. */
typedef uint8_t kinds[SB_MG_BOX + 1][SB_MG_N_COLOURS];

static void put_kind(sb_out *out, const uint8_t code[3], bool color) {
    char symbol[2];
    write_symbol(symbol, code);
    sb_puts(out, ", ");
    if (color)
        put_coloured_symbol(out, code);
    else
        sb_put(out, symbol, sizeof symbol);
    sb_putc(out, ' ');
    put_thing(out, code);
}

/* Lists every kind of thing in the picture once, in the order of their codes. */
static void put_legend(sb_out *out, const picture *p, bool color) {
    kinds there = {0};
    for (int k = 0; k < p->width * p->height; k++) {
        const uint8_t *code = code_at(p, k, 0);
        if (is_thing(code)) there[code[0]][code[1]] |= (uint8_t)(1 << code[2]);
    }
    for (int type = SB_MG_DOOR; type <= SB_MG_BOX; type++)
        for (int colour = 0; colour < SB_MG_N_COLOURS; colour++)
            for (int state = 0; there[type][colour] >> state; state++)
                if (there[type][colour] >> state & 1)
                    put_kind(out, (uint8_t[]){(uint8_t)type, (uint8_t)colour, (uint8_t)state}, color);
}

static void put_head(sb_out *out, const sb_mg_world *w) {
    sb_puts(out, "Mission: ");
    sb_mg_put_mission(out, &w->mission);
    sb_puts(out, "\nFacing: "), sb_puts(out, sb_mg_direction_names[w->facing]), sb_puts(out, "\nCarrying: ");
    put_carried(out, w);
    sb_putc(out, '\n');
}

static void put_ascii(sb_out *out, const sb_mg_world *w, picture *p, bool color) {
    uint8_t *self = p->codes + 3 * ((ptrdiff_t)(p->height - 1) * p->width + p->width / 2);
    self[0] = SB_MG_AGENT, self[1] = 0, self[2] = SB_MG_NORTH;
    put_head(out, w);
    if (color)
        put_coloured_grid(out, p);
    else
        put_grid(out, p);
    sb_puts(out, "Ahead is up. ^^ you, ## wall, .. floor, ?? not seen");
    put_legend(out, p, color);
    sb_putc(out, '\n');
}

static void put_full_ascii(sb_out *out, const sb_mg_world *w, const picture *p) {
    put_head(out, w);
    put_grid(out, p);
    sb_puts(out, "North is up. >> vv << ^^ you, ## wall, .. floor");
    put_legend(out, p, false);
    sb_putc(out, '\n');
}

/* ---- Sentences --------------------------------------------------------------------------------------------------- */

static void put_steps(sb_out *out, int n, const char *where) {
    sb_put_int(out, n);
    sb_puts(out, n == 1 ? " step " : " steps ");
    sb_puts(out, where);
}

/* Prints ` 2 steps forward and 1 step left`. */
static void put_place(sb_out *out, const picture *p, int i, int j) {
    const int ahead = p->height - 1 - j, right = i - p->width / 2;
    sb_putc(out, ' ');
    if (ahead) put_steps(out, ahead, "forward");
    if (ahead && right) sb_puts(out, " and ");
    if (right) put_steps(out, right < 0 ? -right : right, right < 0 ? "left" : "right");
}

/* Tells the first wall straight ahead or to a side, so that the reader knows how far the room goes. Doors are listed
 * with the things. */
static void put_wall(sb_out *out, const picture *p, int across, int down, const char **lead) {
    int i = p->width / 2 + across, j = p->height - 1 + down;
    for (; i >= 0 && i < p->width && j >= 0; i += across, j += down) {
        const int type = code_at(p, i, j)[0];
        if (type == SB_MG_UNSEEN) return;
        if (type != SB_MG_WALL) continue;
        sb_puts(out, *lead);
        *lead = ", ";
        sb_puts(out, "a wall");
        put_place(out, p, i, j);
        return;
    }
}

static void put_language(sb_out *out, const sb_mg_world *w, const picture *p) {
    const char *lead = " You see ";
    sb_puts(out, "Your mission: ");
    sb_mg_put_mission(out, &w->mission);
    sb_puts(out, ". You face "), sb_puts(out, sb_mg_direction_names[w->facing]), sb_puts(out, " and carry ");
    put_carried(out, w);
    sb_putc(out, '.');
    for (int j = p->height - 1; j >= 0; j--)
        for (int i = 0; i < p->width; i++) {
            const bool self = j == p->height - 1 && i == p->width / 2;
            if (self || !is_thing(code_at(p, i, j))) continue;
            sb_puts(out, lead);
            lead = ", ";
            put_thing(out, code_at(p, i, j));
            put_place(out, p, i, j);
        }
    put_wall(out, p, 0, -1, &lead);
    put_wall(out, p, -1, 0, &lead);
    put_wall(out, p, 1, 0, &lead);
    sb_puts(out, *lead == ',' ? "." : " You see nothing but floor.");
}

void sb_mg_observe(const sb_mg_world *w, int mode, sb_out *out) {
    static const int sizes[SB_MG_N_MODES] = {
        [ASCII] = 7,     [ASCII_COLOR] = 7, [LANGUAGE] = 7, [LANGUAGE3] = 3, [LANGUAGE5] = 5,
        [LANGUAGE9] = 9, [VIEW3] = 3,       [VIEW5] = 5,    [VIEW7] = 7,     [VIEW9] = 9};
    picture p;
    if (sizes[mode])
        take_view(w, sizes[mode], &p);
    else
        take_all(w, &p);
    switch (mode) {
    case ASCII:
    case ASCII_COLOR: put_ascii(out, w, &p, mode == ASCII_COLOR); break;
    case LANGUAGE:
    case LANGUAGE3:
    case LANGUAGE5:
    case LANGUAGE9: put_language(out, w, &p); break;
    case FULL_ASCII: put_full_ascii(out, w, &p); break;
    default: put_document(out, w, &p); break;
    }
}
