/* The panel above the grid of the look `isometric`: along the upper edge a bar for the time that is over, at the left
 * what is carried and the facts of the task, at the right the clock. */
#include <stdio.h>

#include "engine/gridworld/picture/stage.h"

enum { SMALLEST = 96 /* side of a picture; smaller ones have no digits here */, DOTS_HIGH = 7 };

/* Where the next fact is drawn. */
typedef struct head {
    const sb_surface *surface;
    const sb_scene *scene;
    int x, foot, end; /* foot: height at which icons stand; end: where the room for facts ends */
    int unit;         /* half an icon's tile */
    int scale;        /* scale of digits */
} head;

static const sb_figures *figures(const head *h) { return &h->scene->isometric->figures; }

/* ---- Parts ---- */

static void put_icon(head *h, int figure) {
    const sb_stage *icons = &h->scene->isometric->icons;
    const int width = 3 * h->unit / 2;
    if (h->x + width > h->end) return;
    for (int layer = SB_LAYER_FLAT; layer < SB_N_LAYERS; layer++)
        sb_surface_put(h->surface, &icons->things, &icons->thing[figure].of[layer], h->x + width / 2, h->foot);
    h->x += width;
}

static void put_text(head *h, const char *text) {
    const int width = (sb_text_width(SB_FONT_LARGE, text) + 2) * h->scale;
    if (h->surface->width < SMALLEST || h->x + width > h->end) return;
    sb_surface_write(h->surface, SB_FONT_LARGE, h->scale, h->x + h->scale, h->foot - DOTS_HIGH * h->scale, text,
                     figures(h)->light);
    h->x += width;
}

static void put_number(head *h, int number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    const int width = (sb_text_width(SB_FONT_LARGE, text) + 3) * h->scale;
    if (h->surface->width < SMALLEST || h->x + width > h->end) return;
    sb_write_number(h->surface, figures(h), SB_FONT_LARGE, h->scale, h->x + h->scale,
                    h->foot - (DOTS_HIGH + 1) * h->scale, text);
    h->x += width;
}

static void put_count(head *h, int which, int of) {
    char text[32];
    snprintf(text, sizeof text, "%d/%d", which, of);
    put_text(h, text);
}

/* Draws a bar for 0 to 100, and the number. */
static void put_meter(head *h, int hundredths, int need) {
    const int width = 3 * h->unit, height = h->unit / 2, full = width * (hundredths < 100 ? hundredths : 100) / 100;
    if (h->x + width <= h->end) {
        sb_surface_fill(h->surface, h->x, h->foot - height, width, height, figures(h)->empty);
        sb_surface_fill(h->surface, h->x, h->foot - height, full, height, figures(h)->filled);
        if (need > 0)
            sb_surface_fill(h->surface, h->x + width * need / 100, h->foot - height, h->unit / 8 + 1, height,
                            figures(h)->light);
        h->x += width;
    }
    put_number(h, hundredths);
}

/* ---- Facts ---- */

static int icon_of(int object) {
    const sb_cell cell = {.object = (int8_t)object};
    return sb_appearance_of(&cell).sign;
}

/* A thing that is wanted stands in a ring. */
static int wanted(int object) {
    if (object == SB_BOX) return SB_SIGN_TYPED_BOX;
    return object >= SB_GEM && object <= SB_ORB ? SB_SIGN_TYPED_GEM + object - SB_GEM : icon_of(object);
}

static int phase_icon(int kind) {
    static const uint8_t icons[SB_N_PHASE_KINDS] = {[SB_PHASE_UNKNOWN] = SB_SIGN_SCROLL,
                                                    [SB_PHASE_GOAL_REACH] = SB_SIGN_GOAL,
                                                    [SB_PHASE_KEY_DOOR] = SB_SIGN_KEY,
                                                    [SB_PHASE_LEVER_BARRIER] = SB_SIGN_LEVER_ON,
                                                    [SB_PHASE_COLLECTION] = SB_SIGN_GEM};
    return icons[kind];
}

static void put_clue(head *h, int direction, int steps) {
    put_icon(h, SB_SIGN_CLUE + direction);
    put_number(h, steps);
}

static int need_of(const sb_told *told) {
    for (int i = 0; i < told->n; i++)
        if (told->rows[i].what == SB_TOLD_METER_NEED) return told->rows[i].value;
    return 0;
}

static void put_fact(head *h, const sb_told_row *row) {
    switch (row->what) {
    case SB_TOLD_TARGET: put_icon(h, wanted(row->value)); break;
    case SB_TOLD_METER: put_icon(h, icon_of(row->which)), put_meter(h, row->value, need_of(&h->scene->told)); break;
    case SB_TOLD_TRIAL:
    case SB_TOLD_PHASE: put_count(h, row->which, row->value); break;
    case SB_TOLD_PHASE_KIND: put_icon(h, phase_icon(row->value)); break;
    case SB_TOLD_REMAPPED:
        if (row->value) put_icon(h, SB_SIGN_REVERSED);
        break;
    case SB_TOLD_CLUE_NORTH:
    case SB_TOLD_CLUE_EAST:
    case SB_TOLD_CLUE_SOUTH:
    case SB_TOLD_CLUE_WEST: put_clue(h, row->what - SB_TOLD_CLUE_NORTH, row->value); break;
    default: break; /* what switches mean shows on the grid */
    }
}

static int item_icon(const sb_item *item) {
    const sb_cell key = {.object = SB_KEY, .metadata = item->value};
    switch (item->kind) {
    case SB_ITEM_KEY: return sb_appearance_of(&key).sign;
    case SB_ITEM_ORB: return SB_SIGN_ORB;
    default: return icon_of(item->value);
    }
}

/* ---- The clock ---- */

/* Draws the clock; the room at its left is for the facts. */
static void put_clock(head *h) {
    const sb_episode *e = h->scene->episode;
    const int side = h->surface->width, high = side / 128 > 1 ? side / 128 : 1, scale = side < 256 ? 1 : side / 256;
    const sb_font font = side < 256 ? SB_FONT_SMALL : SB_FONT_LARGE;
    char text[32];
    sb_surface_fill(h->surface, 0, 0, side * e->clock / e->max_steps, high, figures(h)->filled);
    if (side < SMALLEST) return;
    snprintf(text, sizeof text, "%d/%d", e->clock, e->max_steps);
    h->end -= sb_text_width(font, text) * scale;
    sb_surface_write(h->surface, font, scale, h->end, side / 32, text, figures(h)->words);
    h->end -= h->unit / 2;
}

static void put_facts(head *h) {
    const sb_episode *e = h->scene->episode;
    for (int i = 0; i < e->agent.n_items; i++) put_icon(h, item_icon(&e->items[i]));
    for (int i = 0; i < h->scene->told.n; i++) put_fact(h, &h->scene->told.rows[i]);
}

/* Whether all facts fit: places everything as if there were no end, without drawing it. */
static bool all_fits(head h) {
    const sb_surface nothing = {.width = h.surface->width};
    const int end = h.end;
    h.surface = &nothing, h.end = INT32_MAX / 2;
    put_facts(&h);
    return h.x <= end;
}

void sb_draw_head(const sb_surface *surface, const sb_scene *scene) {
    const int side = surface->width;
    head h = {.surface = surface,
              .scene = scene,
              .x = side / 64,
              .foot = scene->layout.panel * 7 / 8,
              .end = side - side / 64,
              .unit = side / 32,
              .scale = side < 256   ? 1
                       : side < 512 ? 2
                                    : side / 256};
    put_clock(&h);
    if (h.scale > 1 && !all_fits(h)) h.scale /= 2; /* twelve clues, for example, do not fit */
    put_facts(&h);
}
