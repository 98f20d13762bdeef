/* The modes of the family. All but the privileged ones tell only what the view of size 7 and the mission's text tell.
 */
#include "engine/minigrid/view.h"

#include <stdio.h>

enum { ASCII, LANGUAGE, VIEW3, VIEW5, VIEW7, VIEW9, FULL_ASCII, FULL };

const sb_mode sb_mg_modes[SB_MG_N_MODES] = {
    {.name = "ascii", .code = ASCII},
    {.name = "language", .code = LANGUAGE},
    {.name = "view3", .code = VIEW3, .document = true},
    {.name = "view5", .code = VIEW5, .document = true},
    {.name = "view7", .alias = "partial", .code = VIEW7, .document = true},
    {.name = "view9", .code = VIEW9, .document = true, .privileged = true},
    {.name = "full_ascii", .code = FULL_ASCII, .privileged = true},
    {.name = "full", .code = FULL, .document = true, .privileged = true},
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
    for (int i = 0; i < sb_mg_n_cells(w); i++) sb_mg_encode(w, sb_mg_xy_of(w, i), p->codes + 3 * (ptrdiff_t)i);
    uint8_t *agent = p->codes + 3 * (ptrdiff_t)sb_mg_index(w, w->agent);
    agent[0] = SB_MG_AGENT, agent[1] = 0, agent[2] = w->facing;
}

/* ---- Documents: what gymnasium's observation holds ----------------------------------------------------------------
 */

static void put_image(sb_out *out, const picture *p) {
    sb_puts(out, "[");
    for (int i = 0; i < p->width; i++) {
        sb_puts(out, i ? ", [" : "[");
        for (int j = 0; j < p->height; j++) {
            const uint8_t *code = code_at(p, i, j);
            sb_puts(out, j ? ", [" : "[");
            sb_put_int(out, code[0]), sb_puts(out, ", ");
            sb_put_int(out, code[1]), sb_puts(out, ", ");
            sb_put_int(out, code[2]), sb_puts(out, "]");
        }
        sb_puts(out, "]");
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

/* `a closed red door`, `a red ball`. */
static void put_thing(sb_out *out, const uint8_t code[3]) {
    const char *state = code[0] == SB_MG_DOOR ? sb_mg_door_state_names[code[2]] : "";
    sb_puts(out, *state == 'o' ? "an " : "a ");
    if (*state) sb_puts(out, state), sb_putc(out, ' ');
    sb_putf(out, "%s %s", sb_mg_colour_names[code[1]], sb_mg_type_names[code[0]]);
}

static void put_carried(sb_out *out, const sb_mg_world *w) {
    const sb_mg_object *o = sb_mg_carrying(w);
    if (o)
        put_thing(out, (uint8_t[]){o->type, o->colour, 0});
    else
        sb_puts(out, "nothing");
}

static bool is_thing(const uint8_t code[3]) { return code[0] >= SB_MG_DOOR && code[0] <= SB_MG_BOX; }

/* ---- A grid of characters -----------------------------------------------------------------------------------------
 */

/* Two characters: what it is, and its colour's letter (grey is `a`, as in ash). */
static void put_symbol(sb_out *out, const uint8_t code[3]) {
    static const char colours[] = "rgbpya", things[] = {'K', 'O', 'X'}, doors[] = {'/', '+', '#'};
    static const char arrows[] = ">v<^";
    switch (code[0]) {
    case SB_MG_UNSEEN: sb_puts(out, "??"); break;
    case SB_MG_EMPTY: sb_puts(out, ".."); break;
    case SB_MG_WALL: sb_puts(out, "##"); break;
    case SB_MG_AGENT: sb_putc(out, arrows[code[2]]), sb_putc(out, arrows[code[2]]); break;
    case SB_MG_DOOR: sb_putc(out, doors[code[2]]), sb_putc(out, colours[code[1]]); break;
    default: sb_putc(out, things[code[0] - SB_MG_KEY]), sb_putc(out, colours[code[1]]); break;
    }
}

static void put_grid(sb_out *out, const picture *p) {
    for (int j = 0; j < p->height; j++) {
        for (int i = 0; i < p->width; i++) {
            if (i) sb_putc(out, ' ');
            put_symbol(out, code_at(p, i, j));
        }
        sb_putc(out, '\n');
    }
}

/* Every kind of thing in the picture once, in order of codes. */
static void put_legend(sb_out *out, const picture *p) {
    bool there[SB_MG_BOX + 1][SB_MG_N_COLOURS][3] = {0};
    for (int k = 0; k < p->width * p->height; k++) {
        const uint8_t *code = code_at(p, k, 0);
        if (is_thing(code)) there[code[0]][code[1]][code[2]] = true;
    }
    for (int k = SB_MG_DOOR * 18; k < (SB_MG_BOX + 1) * 18; k++) {
        const uint8_t code[3] = {(uint8_t)(k / 18), (uint8_t)(k / 3 % 6), (uint8_t)(k % 3)};
        if (!there[code[0]][code[1]][code[2]]) continue;
        sb_puts(out, ", ");
        put_symbol(out, code);
        sb_putc(out, ' ');
        put_thing(out, code);
    }
}

static void put_head(sb_out *out, const sb_mg_world *w) {
    sb_puts(out, "Mission: ");
    sb_mg_put_mission(out, &w->mission);
    sb_putf(out, "\nFacing: %s\nCarrying: ", sb_mg_direction_names[w->facing]);
    put_carried(out, w);
    sb_putc(out, '\n');
}

static void put_ascii(sb_out *out, const sb_mg_world *w, picture *p) {
    uint8_t *self = p->codes + 3 * ((ptrdiff_t)(p->height - 1) * p->width + p->width / 2);
    self[0] = SB_MG_AGENT, self[1] = 0, self[2] = SB_MG_NORTH;
    put_head(out, w);
    put_grid(out, p);
    sb_puts(out, "Ahead is up. ^^ you, ## wall, .. floor, ?? not seen");
    put_legend(out, p);
    sb_putc(out, '\n');
}

static void put_full_ascii(sb_out *out, const sb_mg_world *w, const picture *p) {
    put_head(out, w);
    put_grid(out, p);
    sb_puts(out, "North is up. >> vv << ^^ you, ## wall, .. floor");
    put_legend(out, p);
    sb_putc(out, '\n');
}

/* ---- Sentences ----------------------------------------------------------------------------------------------------
 */

static void put_steps(sb_out *out, int n, const char *where) {
    sb_put_int(out, n);
    sb_puts(out, n == 1 ? " step " : " steps ");
    sb_puts(out, where);
}

/* ` 2 steps forward and 1 step left`. */
static void put_place(sb_out *out, const picture *p, int i, int j) {
    const int ahead = p->height - 1 - j, right = i - p->width / 2;
    sb_putc(out, ' ');
    if (ahead) put_steps(out, ahead, "forward");
    if (ahead && right) sb_puts(out, " and ");
    if (right) put_steps(out, right < 0 ? -right : right, right < 0 ? "left" : "right");
}

/* The first wall or closed door straight ahead or to a side says how far one sees; doors are told with the things. */
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
    sb_putf(out, ". You face %s and carry ", sb_mg_direction_names[w->facing]);
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
        [ASCII] = 7, [LANGUAGE] = 7, [VIEW3] = 3, [VIEW5] = 5, [VIEW7] = 7, [VIEW9] = 9};
    picture p;
    if (sizes[mode])
        take_view(w, sizes[mode], &p);
    else
        take_all(w, &p);
    switch (mode) {
    case ASCII: put_ascii(out, w, &p); break;
    case LANGUAGE: put_language(out, w, &p); break;
    case FULL_ASCII: put_full_ascii(out, w, &p); break;
    default: put_document(out, w, &p); break;
    }
}
