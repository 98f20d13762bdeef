/* The helper of CooperativeTransport: where it goes next. */
#include "generators/agentick/multi_agent/cooperative_transport.h"

#include "engine/gridworld/parts/movers.h"

typedef sb_cooperative_transport_vars vars;

int sb_cooperative_transport_box_at(const vars *v, sb_xy p) {
    for (int i = 0; i < v->n_left; i++)
        if (sb_same(v->box[i], p)) return i;
    return -1;
}

/* Returns whether the helper may stand on the cell to help. */
static bool is_station(const sb_episode *e, sb_xy p) {
    const sb_cell *c = sb_peek(e, p);
    return sb_terrain_walkable(c->terrain) && c->object == SB_NONE && !sb_same(p, e->agent.at);
}

/* The list of boxes is checked too, because a box may be invisible. */
bool sb_cooperative_transport_is_free(const sb_episode *e, sb_xy p) {
    return is_station(e, p) && sb_cooperative_transport_box_at(SB_VARS(e), p) < 0;
}

static int within(const sb_episode *e, int coordinate) {
    return coordinate < 1 ? 1 : coordinate > e->width - 2 ? e->width - 2 : coordinate;
}

/* Lists the cells from which the helper can help with a box, the far side first. Returns how many there are. */
static int list_stations(const sb_episode *e, sb_xy box, sb_xy stations[5]) {
    const sb_xy agent = e->agent.at;
    const sb_xy ideal = sb_at(within(e, 2 * box.x - agent.x), within(e, 2 * box.y - agent.y));
    int n = 0;
    if (is_station(e, ideal)) stations[n++] = ideal;
    for (int i = 0; i < 4; i++) {
        const sb_xy side = sb_beside(box, sb_ewsn[i]);
        if (is_station(e, side) && (n == 0 || !sb_same(side, stations[0]))) stations[n++] = side;
    }
    return n;
}

/* Returns the next cell on the way to the first station that the helper can reach. If it can reach none, returns a step
 * towards the first station. */
static sb_xy follow(const sb_episode *e, const sb_xy *stations, int n) {
    const vars *v = SB_VARS(e);
    const sb_xy from = v->helper;
    sb_xy best = from;
    sb_area open;
    sb_area_walkable(&open, e);
    sb_area_set(&open, e->agent.at, false);
    for (int i = 0; i < v->n_left; i++) sb_area_set(&open, v->box[i], false);
    for (int k = 0; k < n; k++) {
        if (sb_same(stations[k], from)) return from;
        const sb_direction d = sb_area_lead(&open, e->height, from, stations[k]);
        if (d != SB_NOWHERE) return sb_beside(from, d);
    }
    for (int i = 0; i < 4; i++) {
        const sb_xy to = sb_beside(from, sb_ewsn[i]);
        if (sb_cooperative_transport_is_free(e, to) && sb_manhattan(to, stations[0]) < sb_manhattan(best, stations[0]))
            best = to;
    }
    return best;
}

int sb_cooperative_transport_whim(int32_t clock, int n, sb_draw_log *log) {
    sb_rng rng;
    sb_rng_seed(&rng, (uint64_t)clock, log);
    return (int)sb_integers(&rng, 0, n);
}

static sb_xy wander(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_direction ways[4];
    const int n = sb_list_ways(e, v->helper, sb_cooperative_transport_is_free, ways);
    return n > 0 ? sb_beside(v->helper, ways[sb_cooperative_transport_whim(e->clock, n, e->log)]) : v->helper;
}

sb_xy sb_cooperative_transport_next(const sb_episode *e) {
    const vars *v = SB_VARS(e);
    sb_xy stations[5];
    int n = 0;
    for (int i = 0; i < v->n_left; i++) {
        if (sb_manhattan(v->box[i], e->agent.at) != 1) continue;
        n = list_stations(e, v->box[i], stations);
        break;
    }
    return n > 0 ? follow(e, stations, n) : wander(e);
}
