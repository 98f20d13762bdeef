#include "engine/gridworld/parts/cells.h"

void sb_fill(sb_episode *e, sb_terrain terrain) {
    for (int i = 0; i < sb_n_cells(e); i++) e->cells[i] = (sb_cell){.terrain = (int8_t)terrain};
}

void sb_wall_border(sb_episode *e) {
    const int w = e->width, h = e->height;
    for (int x = 0; x < w; x++) e->cells[x].terrain = e->cells[(h - 1) * w + x].terrain = SB_WALL;
    for (int y = 0; y < h; y++) e->cells[y * w].terrain = e->cells[y * w + w - 1].terrain = SB_WALL;
}

void sb_clear_room(sb_episode *e) {
    sb_fill(e, SB_EMPTY);
    sb_wall_border(e);
}

void sb_carve(sb_episode *e, sb_xy from, sb_xy to, sb_cells *cells) {
    const int x1 = from.x > 1 ? from.x : 1, x2 = to.x < e->width - 2 ? to.x : e->width - 2;
    const int y1 = from.y > 1 ? from.y : 1, y2 = to.y < e->height - 2 ? to.y : e->height - 2;
    cells->n = 0;
    for (int y = y1; y <= y2; y++)
        for (int x = x1; x <= x2; x++) {
            sb_cell_at(e, sb_at(x, y))->terrain = SB_EMPTY;
            sb_cells_add(cells, sb_at(x, y));
        }
}

int sb_scatter(sb_episode *e, const sb_cells *candidates, int n, sb_terrain terrain,
               bool (*is_sound)(const sb_episode *e)) {
    int placed = 0;
    for (int i = 0; i < candidates->n && placed < n; i++) {
        sb_cell *cell = sb_cell_at(e, candidates->at[i]);
        cell->terrain = (int8_t)terrain;
        if (is_sound(e))
            placed++;
        else
            cell->terrain = SB_EMPTY;
    }
    return placed;
}

void sb_draw_walls(sb_episode *e, int draws, sb_rng *rng) {
    for (int i = 0; i < draws; i++) {
        const int x = (int)sb_integers(rng, 1, e->width - 1);
        const int y = (int)sb_integers(rng, 1, e->height - 1);
        sb_cell_at(e, sb_at(x, y))->terrain = SB_WALL;
    }
}

void sb_cells_rows(sb_cells *cells, const sb_episode *e, int margin) {
    cells->n = 0;
    for (int y = margin; y < e->height - margin; y++)
        for (int x = margin; x < e->width - margin; x++) sb_cells_add(cells, sb_at(x, y));
}

void sb_cells_columns(sb_cells *cells, const sb_episode *e, int margin) {
    cells->n = 0;
    for (int x = margin; x < e->width - margin; x++)
        for (int y = margin; y < e->height - margin; y++) sb_cells_add(cells, sb_at(x, y));
}

static bool is_empty(const sb_episode *e, sb_xy p) { return sb_peek(e, p)->terrain == SB_EMPTY; }

void sb_cells_interior_empty(sb_cells *cells, const sb_episode *e) {
    sb_cells_rows(cells, e, 1);
    sb_cells_keep(cells, e, is_empty);
}

void sb_cells_keep(sb_cells *cells, const sb_episode *e, bool (*passes)(const sb_episode *e, sb_xy p)) {
    int kept = 0;
    for (int i = 0; i < cells->n; i++)
        if (passes(e, cells->at[i])) cells->at[kept++] = cells->at[i];
    cells->n = kept;
}

void sb_cells_within(sb_cells *members, const sb_cells *cells, const sb_area *area) {
    int n = 0;
    for (int i = 0; i < cells->n; i++) {
        const sb_xy p = cells->at[i];
        members->at[n] = p; /* without a branch: whether it is a member is as good as random */
        n += sb_area_has(area, p);
    }
    members->n = n;
}

void sb_cells_remove(sb_cells *cells, sb_xy p) {
    int kept = 0;
    for (int i = 0; i < cells->n; i++)
        if (!sb_same(cells->at[i], p)) cells->at[kept++] = cells->at[i];
    cells->n = kept;
}

void sb_reached_set(sb_set *set, const sb_episode *e, const sb_open *open, sb_xy from, const sb_direction order[4]) {
    sb_reach reach;
    sb_reach_from(&reach, e, open, from, order);
    sb_set_clear(set);
    for (int i = 0; i < reach.n; i++) sb_set_add(set, reach.order[i]);
}

static void flood(sb_set *set, const sb_episode *e, sb_xy from) {
    sb_open open;
    sb_open_walkable(&open, e);
    sb_reached_set(set, e, &open, from, sb_nesw);
}

void sb_cells_reached(sb_cells *cells, const sb_episode *e, sb_xy from) {
    sb_set reached;
    flood(&reached, e, from);
    cells->n = (int)sb_set_list(&reached, cells->at, SB_CELLS_MAX);
}

void sb_cells_reached_without(sb_cells *cells, const sb_episode *e, sb_xy from) {
    sb_set reached, start, rest;
    flood(&reached, e, from);
    sb_set_clear(&start);
    sb_set_add(&start, from);
    sb_set_minus(&rest, &reached, &start);
    cells->n = (int)sb_set_list(&rest, cells->at, SB_CELLS_MAX);
}

void sb_cells_draw(sb_cells *cells, const sb_episode *e, bool (*passes)(const sb_episode *e, sb_xy p), sb_rng *rng) {
    sb_cells_columns(cells, e, 1);
    sb_cells_keep(cells, e, passes);
    sb_cells_shuffle(cells, rng);
}

void sb_place(sb_episode *e, const sb_xy *cells, int n, sb_object object, sb_xy *placed) {
    for (int i = 0; i < n; i++) {
        placed[i] = cells[i];
        sb_set_object(e, cells[i], object, 0);
    }
}

void sb_shuffle_corners(const sb_episode *e, sb_rng *rng, sb_xy corners[4]) {
    for (int k = 0; k < 4; k++) corners[k] = sb_corner(e, k);
    sb_shuffle_xy(rng, corners, 4);
}

sb_xy sb_draw_corner(const sb_episode *e, sb_rng *rng) {
    sb_xy corners[4];
    sb_shuffle_corners(e, rng, corners);
    return corners[0];
}

void sb_sort_cells(sb_xy *cells, int32_t *values, int n) {
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && sb_comes_before(cells[k], cells[k - 1]); k--) {
            const sb_xy cell = cells[k];
            cells[k] = cells[k - 1], cells[k - 1] = cell;
            if (!values) continue;
            const int32_t value = values[k];
            values[k] = values[k - 1], values[k - 1] = value;
        }
}
