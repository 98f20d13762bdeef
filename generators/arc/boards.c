#include "generators/arc/games.h"

static bool is_border(const sb_arc_level *level, int cell) {
    const int x = sb_arc_x(level, cell), y = sb_arc_y(level, cell);
    return x == 0 || y == 0 || x == level->width - 1 || y == level->height - 1;
}

static int n_cells(const sb_arc_level *level) { return level->width * level->height; }

static void begin_board(sb_arc_level *level, int width, int height) {
    level->width = (uint8_t)width, level->height = (uint8_t)height;
    level->start = level->exit = SB_ARC_NOWHERE;
    memset(level->cells, SB_ARC_FLOOR, sizeof level->cells);
    memset(level->marks, 0, sizeof level->marks);
    for (int cell = 0; cell < n_cells(level); cell++)
        if (is_border(level, cell)) level->cells[cell] = SB_ARC_WALL;
}

void sb_arc_distances(const sb_arc_level *level, int from, int16_t distances[SB_ARC_CELLS]) {
    int16_t queue[SB_ARC_CELLS];
    int n = 0;
    memset(distances, -1, SB_ARC_CELLS * sizeof *distances);
    distances[from] = 0, queue[n++] = (int16_t)from;
    for (int i = 0; i < n; i++)
        for (int action = SB_ARC_UP; action <= SB_ARC_RIGHT; action++) {
            const int to = sb_arc_towards(level, queue[i], action);
            if (sb_arc_is_wall(level, to) || distances[to] >= 0) continue;
            distances[to] = (int16_t)(distances[queue[i]] + 1), queue[n++] = (int16_t)to;
        }
}

static int count_floor(const sb_arc_level *level) {
    int n = 0;
    for (int cell = 0; cell < n_cells(level); cell++) n += level->cells[cell] == SB_ARC_FLOOR;
    return n;
}

/* ---- Rooms ------------------------------------------------------------------------------------------------------- */

static int wall_at(const sb_arc_rooms *rooms, int x) {
    for (int i = 0; i < rooms->n_walls; i++)
        if (rooms->wall_x[i] == x) return i;
    return -1;
}

static bool is_beside_gap(const sb_arc_level *level, const sb_arc_rooms *rooms, int cell) {
    (void)level;
    for (int i = 0; i < rooms->n_walls; i++)
        if (cell >= rooms->gap[i] - 1 && cell <= rooms->gap[i] + 1) return true;
    return false;
}

static void draw_rooms_once(sb_arc_level *level, sb_rng *rng, double p, sb_arc_rooms *rooms) {
    for (int i = 0; i < rooms->n_walls; i++)
        rooms->gap[i] = (int16_t)sb_arc_cell(level, rooms->wall_x[i], (int)sb_integers(rng, 1, level->height - 1));
    for (int cell = 0; cell < n_cells(level); cell++) {
        if (is_border(level, cell)) continue;
        level->cells[cell] = SB_ARC_FLOOR;
        if (is_beside_gap(level, rooms, cell)) continue;
        if (wall_at(rooms, sb_arc_x(level, cell)) >= 0 || sb_random(rng) < p) level->cells[cell] = SB_ARC_WALL;
    }
}

static bool is_connected(const sb_arc_level *level) {
    int16_t distances[SB_ARC_CELLS];
    int first = 0, reached = 0;
    while (level->cells[first] == SB_ARC_WALL) first++;
    sb_arc_distances(level, first, distances);
    for (int cell = 0; cell < n_cells(level); cell++) reached += distances[cell] >= 0;
    return reached == count_floor(level);
}

void sb_arc_draw_rooms(sb_arc_level *level, sb_rng *rng, int width, int height, int n_walls, double p,
                       sb_arc_rooms *rooms) {
    begin_board(level, width, height);
    *rooms = (sb_arc_rooms){.n_walls = (uint8_t)n_walls};
    for (int i = 0; i < n_walls; i++) rooms->wall_x[i] = (uint8_t)((i + 1) * width / (n_walls + 1));
    do draw_rooms_once(level, rng, p, rooms);
    while (!is_connected(level));
}

int sb_arc_room_of(const sb_arc_level *level, const sb_arc_rooms *rooms, int cell) {
    int room = 0;
    while (room < rooms->n_walls && rooms->wall_x[room] < sb_arc_x(level, cell)) room++;
    return room;
}

/* ---- Open boards ------------------------------------------------------------------------------------------------- */

/* Turns all floor into walls that cannot be reached from a cell; returns how much floor is left. */
static int keep_reached(sb_arc_level *level, int from) {
    int16_t distances[SB_ARC_CELLS];
    sb_arc_distances(level, from, distances);
    for (int cell = 0; cell < n_cells(level); cell++)
        if (distances[cell] < 0) level->cells[cell] = SB_ARC_WALL;
    return count_floor(level);
}

static int largest_part(const sb_arc_level *level, int *size) {
    int16_t distances[SB_ARC_CELLS];
    bool seen[SB_ARC_CELLS] = {0};
    int best = SB_ARC_NOWHERE;
    *size = 0;
    for (int from = 0; from < n_cells(level); from++) {
        int n = 0;
        if (sb_arc_is_wall(level, from) || seen[from]) continue;
        sb_arc_distances(level, from, distances);
        for (int cell = 0; cell < n_cells(level); cell++)
            if (distances[cell] >= 0) seen[cell] = true, n++;
        if (n > *size) *size = n, best = from;
    }
    return best;
}

bool sb_arc_draw_open(sb_arc_level *level, sb_rng *rng, int width, int height, double p) {
    int size;
    begin_board(level, width, height);
    for (int cell = 0; cell < n_cells(level); cell++)
        if (!is_border(level, cell) && sb_random(rng) < p) level->cells[cell] = SB_ARC_WALL;
    const int all = count_floor(level), from = largest_part(level, &size);
    return 5 * size > 4 * all && keep_reached(level, from) == size;
}

/* ---- Drawing cells ----------------------------------------------------------------------------------------------- */

static int draw_from(sb_rng *rng, const int16_t *cells, int n) {
    return n ? cells[sb_integers(rng, 0, n)] : SB_ARC_NOWHERE;
}

int sb_arc_draw_floor(const sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int room, bool away) {
    int16_t cells[SB_ARC_CELLS];
    int n = 0;
    for (int cell = 0; cell < n_cells(level); cell++)
        if (level->cells[cell] == SB_ARC_FLOOR &&
            (!rooms || (sb_arc_room_of(level, rooms, cell) == room && !(away && is_beside_gap(level, rooms, cell)))))
            cells[n++] = (int16_t)cell;
    return draw_from(rng, cells, n);
}

int sb_arc_draw_floor_between(const sb_arc_level *level, sb_rng *rng, const sb_arc_rooms *rooms, int first, int last) {
    int16_t cells[SB_ARC_CELLS];
    int n = 0;
    for (int cell = 0; cell < n_cells(level); cell++) {
        const int room = sb_arc_room_of(level, rooms, cell);
        if (level->cells[cell] == SB_ARC_FLOOR && room >= first && room <= last) cells[n++] = (int16_t)cell;
    }
    return draw_from(rng, cells, n);
}
