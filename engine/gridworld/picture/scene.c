/* The grid of the look `isometric`: first all terrain, then what is on it, row by row from the back. */
#include <stdio.h>

#include "engine/gridworld/picture/stage.h"

enum { UNITS = 64, UNITS_UP = 48, NUMBERS_FROM = 6 /* half a tile in pixels; below, digits are larger than tiles */ };

/* ---- Terrain ---- */

static void write_word(const sb_surface *s, const sb_scene *scene, int x, int y, const char *word) {
    enum { A_DOT = 256 };
    const int scale = scene->layout.side / A_DOT;
    const int width = sb_text_width(SB_FONT_LARGE, word) * scale, height = 7 * scale;
    sb_surface_write(s, SB_FONT_LARGE, scale, x - width / 2, y - height / 2, word, scene->isometric->figures.words);
}

/* Says beside each edge of the grid which move leads there. */
static void write_directions(const sb_surface *s, const sb_scene *scene) {
    enum { LEAST = 256 };
    const sb_layout *l = &scene->layout;
    const int w = scene->ground.width, h = scene->ground.height, away = l->side / 8, over = l->side / 18;
    if (l->side < LEAST) return;
    const int above = l->top - l->up - over, below = l->top - l->up + over + l->half / 4;
    write_word(s, scene, l->left + w * l->half / 2 + away, above + w * l->up / 2, "UP");
    write_word(s, scene, l->left - h * l->half / 2 - away, above + h * l->up / 2, "LEFT");
    write_word(s, scene, l->left + (2 * w - h) * l->half / 2 + away, below + (2 * w + h) * l->up / 2, "RIGHT");
    write_word(s, scene, l->left + (w - 2 * h) * l->half / 2 - away, below + (w + 2 * h) * l->up / 2, "DOWN");
}

void sb_draw_ground(const sb_surface *s, const sb_scene *scene) {
    const sb_stage *stage = &scene->sizes->cells;
    const sb_layout *l = &scene->layout;
    const uint8_t *ground = scene->ground.cells;
    sb_surface_fill(s, 0, 0, s->width, s->height, scene->isometric->figures.background);
    write_directions(s, scene);
    for (int y = 0; y < scene->ground.height; y++)
        for (int x = 0; x < scene->ground.width; x++, ground++) {
            const sb_xy at = sb_at(x, y);
            const int g = *ground == SB_GROUND_FLOOR && (x + y) % 2 ? SB_GROUND_FLOOR_ODD : *ground;
            sb_surface_put(s, &stage->floors, &stage->floor[g].of[SB_LAYER_STANDING], sb_layout_x(l, at),
                           sb_layout_y(l, at));
        }
}

/* ---- Which figure ---- */

static bool is_wall(const sb_scene *scene, int x, int y) {
    const sb_ground_key *g = &scene->ground;
    if (x < 0 || y < 0 || x >= g->width || y >= g->height) return false;
    const int ground = g->cells[y * g->width + x];
    return ground == SB_GROUND_BORDER || (ground >= SB_GROUND_WALL && ground < SB_GROUND_WALL + SB_WALL_COLOURS);
}

/* A task may say which numbers of switches mean on and off. */
static int switch_figure(const sb_scene *scene, int number) {
    const sb_told *told = &scene->told;
    for (int i = 0; i < told->n; i++)
        if (told->rows[i].what == SB_TOLD_SWITCH_MEANS && told->rows[i].which == number)
            return told->rows[i].value ? SB_FIGURE_LIT : SB_FIGURE_DARK;
    return number >= 1 && number <= 4 ? SB_FIGURE_NODE + number - 1 : SB_SIGN_SWITCH_NUMBER;
}

static int npc_figure(const sb_appearance *looks) {
    static const uint8_t kinds[SB_NPC_CONTRARIAN + 1] = {
        [SB_NPC_FOLLOWER] = 1, [SB_NPC_FEARFUL] = 2, [SB_NPC_MIRROR] = 3, [SB_NPC_CONTRARIAN] = 4};
    const int kind = looks->meaning <= SB_NPC_CONTRARIAN ? kinds[looks->meaning] : 0;
    return kind ? SB_FIGURE_NPC_KIND + kind - 1 : looks->sign;
}

static int enemy_figure(const sb_appearance *looks) {
    const int kind = looks->meaning - 1; /* the fourth kind is told as a number */
    return kind >= 0 && kind < SB_WEST ? SB_FIGURE_ENEMY_KIND + kind : looks->sign;
}

int sb_figure_of(const sb_scene *scene, const sb_appearance *looks, sb_xy at) {
    const bool has_kinds = scene->episode->task->has_kinds;
    switch (looks->object) {
    case SB_DOOR: {
        const bool across = is_wall(scene, at.x, at.y - 1) && is_wall(scene, at.x, at.y + 1);
        return across ? SB_FIGURE_ACROSS + looks->sign - SB_SIGN_DOOR : looks->sign;
    }
    case SB_SWITCH: return looks->number == SB_NO_NUMBER ? looks->sign : switch_figure(scene, looks->number);
    case SB_NPC: return has_kinds || looks->meaning > SB_WEST ? npc_figure(looks) : looks->sign;
    case SB_ENEMY: return has_kinds ? enemy_figure(looks) : looks->sign;
    default: return looks->sign;
    }
}

/* ---- Numbers ---- */

/* Single digits as they are, then letters, as the texts do for boxes and their places; others in decimal digits. */
static void print_number(const sb_appearance *looks, char text[8]) {
    const bool has_letters = looks->object == SB_BOX || looks->object == SB_TARGET;
    if (has_letters && looks->number >= 10 && looks->number < 36)
        snprintf(text, 8, "%c", 'A' + looks->number - 10);
    else
        snprintf(text, 8, "%d", looks->number);
}

/* Where a figure's number stands, in units above the middle of the ground; -1: the figure itself tells it. */
static int number_height(const sb_appearance *looks, int figure) {
    if (looks->number == SB_NO_NUMBER || figure == SB_FIGURE_LIT || figure == SB_FIGURE_DARK) return -1;
    if (figure >= SB_FIGURE_NPC_KIND && figure < SB_FIGURE_BUBBLE) return -1;
    switch (looks->object) {
    case SB_BOX: return 34;
    case SB_SWITCH: return 62;
    case SB_RESOURCE: return 74;
    case SB_SCROLL: return 63;
    case SB_TARGET: return sb_target_is_numbered(looks->meaning) ? 0 : -1;
    default: return 22;
    }
}

static uint8_t plate_of(const sb_figures *f, char c) {
    const int digit = c <= '9' ? c - '0' : c - 'A' + 10;
    return (uint8_t)(f->digit + digit % 16);
}

void sb_write_number(const sb_surface *s, const sb_figures *f, sb_font font, int scale, int x, int y,
                     const char *text) {
    for (; *text; text++) {
        const char letter[2] = {*text};
        const sb_letter dots = sb_letter_of(font, *text);
        const int width = dots.width + 1 + !text[1];
        sb_surface_fill(s, x - scale, y - scale, width * scale, (dots.height + 2) * scale, plate_of(f, *text));
        sb_surface_write(s, font, scale, x, y, letter, f->light);
        x += width * scale;
    }
}

/* Writes a number with its middle at (x,y). */
static void write_number(const sb_surface *s, const sb_scene *scene, int x, int y, const char *text) {
    enum { A_DOT = 12, HIGH = 5 };
    const int scale = scene->sizes->half < 2 * A_DOT ? 1 : scene->sizes->half / A_DOT;
    x -= sb_text_width(SB_FONT_SMALL, text) * scale / 2, y -= HIGH * scale / 2;
    sb_write_number(s, &scene->isometric->figures, SB_FONT_SMALL, scale, x, y, text);
}

static void number_thing(const sb_surface *s, const sb_scene *scene, const sb_appearance *looks, int figure, int x,
                         int y) {
    char text[8];
    const int height = number_height(looks, figure);
    if (height < 0 || scene->sizes->half < NUMBERS_FROM) return;
    print_number(looks, text);
    write_number(s, scene, x, y - height * scene->sizes->half / UNITS, text);
}

/* ---- Things ---- */

/* A thing on a cell: its middle is at (x,y) in the picture. */
typedef struct thing {
    sb_appearance looks;
    int figure, x, y;
} thing;

/* Things on walls stand as high as the wall. */
static int lift(const sb_scene *scene, sb_xy at) {
    if (!is_wall(scene, at.x, at.y)) return 0;
    const bool low = scene->ground.cells[at.y * scene->ground.width + at.x] == SB_GROUND_BORDER;
    return (low ? SB_BORDER_HEIGHT : SB_WALL_HEIGHT) * scene->layout.up / UNITS_UP;
}

static thing thing_at(const sb_scene *scene, sb_xy at) {
    thing t = {.looks = sb_appearance_of(sb_peek(scene->episode, at))};
    t.figure = sb_figure_of(scene, &t.looks, at);
    t.x = sb_layout_x(&scene->layout, at), t.y = sb_layout_y(&scene->layout, at) - lift(scene, at);
    return t;
}

static void put_figure(const sb_surface *s, const sb_scene *scene, int figure, sb_layer layer, int x, int y) {
    const sb_stage *stage = &scene->sizes->cells;
    const sb_sprite_runs *runs = &stage->thing[figure].of[layer];
    if (layer == SB_LAYER_SHADE)
        sb_surface_shade(s, &stage->things, runs, x, y);
    else
        sb_surface_put(s, &stage->things, runs, x, y);
}

/* What is below the agent shows in a bubble at its head. What lies on the ground and open doors show as well. */
static void draw_bubble(const sb_surface *s, const sb_scene *scene, const thing *below) {
    enum { X = 33, FOOT = 67, NUMBER = 74 };
    const sb_stage *small = &scene->sizes->bubble;
    const int half = scene->sizes->half, x = below->x + X * half / UNITS, y = below->y - FOOT * half / UNITS;
    char text[8];
    if (below->looks.object == SB_NONE) return;
    put_figure(s, scene, SB_FIGURE_BUBBLE, SB_LAYER_STANDING, below->x, below->y);
    for (int layer = SB_LAYER_FLAT; layer < SB_N_LAYERS; layer++)
        sb_surface_put(s, &small->things, &small->thing[below->figure].of[layer], x, y);
    if (number_height(&below->looks, below->figure) < 0 || half < NUMBERS_FROM) return;
    print_number(&below->looks, text);
    write_number(s, scene, below->x, below->y - NUMBER * half / UNITS, text);
}

static void draw_agent(const sb_surface *s, const sb_scene *scene, const thing *below) {
    const sb_layer standing = SB_LAYER_STANDING;
    const bool is_open = below->looks.sign >= SB_SIGN_OPEN_DOOR && below->looks.sign < SB_SIGN_OPEN_DOOR + SB_N_COLORS;
    if (is_open) put_figure(s, scene, below->figure, standing, below->x, below->y);
    put_figure(s, scene, SB_SIGN_AGENT + scene->episode->agent.facing, standing, below->x, below->y);
    draw_bubble(s, scene, below);
}

void sb_draw_things(const sb_surface *s, const sb_scene *scene) {
    const sb_episode *e = scene->episode;
    for (int layer = 0; layer < SB_N_LAYERS; layer++)
        for (int i = 0; i < sb_n_cells(e); i++) {
            const sb_xy at = sb_xy_of(e, i);
            const bool is_agent = sb_same(at, e->agent.at);
            if (!e->cells[i].object && !is_agent) continue;
            const thing t = thing_at(scene, at);
            if (layer == SB_LAYER_STANDING && is_agent) {
                draw_agent(s, scene, &t);
                continue;
            }
            put_figure(s, scene, t.figure, (sb_layer)layer, t.x, t.y);
            if (is_agent) put_figure(s, scene, SB_SIGN_AGENT + e->agent.facing, (sb_layer)layer, t.x, t.y);
            if (layer == SB_LAYER_STANDING) number_thing(s, scene, &t.looks, t.figure, t.x, t.y);
        }
}
