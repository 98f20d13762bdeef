#include "base/search/tour.h"

#include <string.h>

static int plus(int a, int b) { return a + b < SB_TOUR_NO_WAY ? a + b : SB_TOUR_NO_WAY; }

/* ---- Exact: dynamic programming by Held and Karp over (stops visited, pose) ---- */

static bool may_visit(const sb_tour *t, int stop, int visited) {
    const int all_others = ((1 << t->n_stops) - 1) & ~(1 << stop);
    return !(visited >> stop & 1) && (stop != t->last || visited == all_others);
}

static void extend(sb_tour *t, int visited, int pose) {
    const int so_far = t->best[visited][pose];
    if (so_far >= SB_TOUR_NO_WAY) return;
    for (int next = 1; next < t->n_poses; next++) {
        const int stop = t->stop_of[next];
        if (!may_visit(t, stop, visited)) continue;
        const int cost = plus(so_far, t->cost[pose][next]);
        int16_t *known = &t->best[visited | 1 << stop][next];
        if (cost < *known) *known = (int16_t)cost, t->from[visited | 1 << stop][next] = (int8_t)pose;
    }
}

static int solve_exactly(sb_tour *t, int route[SB_TOUR_STOPS]) {
    const int all = (1 << t->n_stops) - 1;
    for (int visited = 0; visited <= all; visited++)
        for (int pose = 0; pose < t->n_poses; pose++) t->best[visited][pose] = SB_TOUR_NO_WAY;
    t->best[0][0] = 0;
    for (int visited = 0; visited < all; visited++)
        for (int pose = 0; pose < t->n_poses; pose++) extend(t, visited, pose);
    int at = 0;
    for (int pose = 1; pose < t->n_poses; pose++)
        if (at == 0 || t->best[all][pose] < t->best[all][at]) at = pose;
    const int cost = t->best[all][at];
    if (cost >= SB_TOUR_NO_WAY) return -1;
    for (int visited = all, i = t->n_stops - 1; i >= 0; i--) {
        const int before = t->from[visited][at];
        route[i] = at;
        visited &= ~(1 << t->stop_of[at]);
        at = before;
    }
    return cost;
}

/* ---- Heuristic: an order of stops that is improved step by step ---- */

/* Finds the cheapest way to the pose from the poses of the stop before it; `before` holds their costs. */
static int cheapest(const sb_tour *t, const int *before, int pose, int16_t *from) {
    int least = SB_TOUR_NO_WAY;
    *from = 0;
    for (int p = 0; p < t->n_poses; p++) {
        const int cost = before[p] < SB_TOUR_NO_WAY ? plus(before[p], t->cost[p][pose]) : SB_TOUR_NO_WAY;
        if (cost < least) least = cost, *from = (int16_t)p;
    }
    return least;
}

/* Chooses the cheapest poses for an order of stops. */
static int cost_of(const sb_tour *t, const int *order, int route[SB_TOUR_STOPS]) {
    int16_t from[SB_TOUR_STOPS][SB_TOUR_POSES];
    int before[SB_TOUR_POSES], here[SB_TOUR_POSES];
    for (int pose = 0; pose < t->n_poses; pose++) before[pose] = pose ? SB_TOUR_NO_WAY : 0;
    for (int i = 0; i < t->n_stops; i++) {
        for (int pose = 0; pose < t->n_poses; pose++) {
            const bool belongs = pose > 0 && t->stop_of[pose] == order[i];
            here[pose] = belongs ? cheapest(t, before, pose, &from[i][pose]) : SB_TOUR_NO_WAY;
        }
        memcpy(before, here, sizeof before);
    }
    int at = 0;
    for (int pose = 1; pose < t->n_poses; pose++)
        if (at == 0 || before[pose] < before[at]) at = pose;
    const int cost = before[at];
    for (int i = t->n_stops - 1; i >= 0; i--) route[i] = at, at = from[i][at];
    return cost;
}

static void start_with_nearest(const sb_tour *t, int order[SB_TOUR_STOPS]) {
    uint64_t visited = 0;
    int at = 0;
    for (int i = 0; i < t->n_stops; i++) {
        int nearest = 0;
        for (int pose = 1; pose < t->n_poses; pose++) {
            const int stop = t->stop_of[pose];
            if (visited >> stop & 1 || (stop == t->last && i + 1 < t->n_stops)) continue;
            if (nearest == 0 || t->cost[at][pose] < t->cost[at][nearest]) nearest = pose;
        }
        order[i] = t->stop_of[nearest];
        visited |= UINT64_C(1) << order[i];
        at = nearest;
    }
}

static void reverse(int *order, int i, int j) {
    for (; i < j; i++, j--) {
        const int stop = order[i];
        order[i] = order[j], order[j] = stop;
    }
}

/* Removes the piece i..j and inserts it before position k of the rest. */
static void move_piece(int *order, int n, int i, int j, int k) {
    int piece[SB_TOUR_STOPS], rest[SB_TOUR_STOPS], size = j - i + 1;
    memcpy(piece, order + i, sizeof *piece * (size_t)size);
    memcpy(rest, order, sizeof *rest * (size_t)i);
    memcpy(rest + i, order + j + 1, sizeof *rest * (size_t)(n - j - 1));
    memcpy(order, rest, sizeof *rest * (size_t)k);
    memcpy(order + k, piece, sizeof *piece * (size_t)size);
    memcpy(order + k + size, rest + k, sizeof *rest * (size_t)(n - size - k));
}

/* Keeps the changed order if it is cheaper. */
static bool gains(const sb_tour *t, const int *changed, int *order, int route[SB_TOUR_STOPS], int *cost) {
    int new_route[SB_TOUR_STOPS];
    const int new_cost = cost_of(t, changed, new_route);
    if (new_cost >= *cost) return false;
    memcpy(order, changed, sizeof *order * SB_TOUR_STOPS);
    memcpy(route, new_route, sizeof new_route);
    *cost = new_cost;
    return true;
}

static bool improve(const sb_tour *t, int *order, int route[SB_TOUR_STOPS], int *cost) {
    enum { PIECE = 3 };
    const int n = t->last < 0 ? t->n_stops : t->n_stops - 1; /* if there is a last stop, it stays in its place */
    int changed[SB_TOUR_STOPS];
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            memcpy(changed, order, sizeof changed);
            reverse(changed, i, j);
            if (gains(t, changed, order, route, cost)) return true;
        }
    for (int size = 1; size <= PIECE; size++)
        for (int i = 0; i + size <= n; i++)
            for (int k = 0; k + size <= n; k++) {
                memcpy(changed, order, sizeof changed);
                move_piece(changed, n, i, i + size - 1, k);
                if (gains(t, changed, order, route, cost)) return true;
            }
    return false;
}

static int solve_roughly(const sb_tour *t, int route[SB_TOUR_STOPS]) {
    int order[SB_TOUR_STOPS] = {0};
    start_with_nearest(t, order);
    int cost = cost_of(t, order, route);
    while (improve(t, order, route, &cost)) {}
    return cost < SB_TOUR_NO_WAY ? cost : -1;
}

int sb_tour_solve(sb_tour *tour, int route[SB_TOUR_STOPS]) {
    if (tour->n_stops == 0) return 0;
    const bool exact = tour->n_stops <= SB_TOUR_EXACT && tour->n_poses <= SB_TOUR_EXACT_POSES;
    return exact ? solve_exactly(tour, route) : solve_roughly(tour, route);
}
