/* A greedy bot for GoToGoal: at every step it takes the shortest path to the goal that avoids hazards, guards and the
 * cells next to guards. If there is no such path, it waits, or steps out of a guard's reach.
 *
 *   cc greedy.c $(pkg-config --cflags --libs seedbed) -o greedy && ./greedy GoToGoal-v0/medium#0 */
#include <stdio.h>

#include <seedbed/gridworld.h>

enum { CELLS = SB_CELLS_MAX, GUARDS = 16 };

/* Cells to avoid: hazards, guards, and the cells that a guard can reach in the next step. */
typedef struct dangers {
    sb_xy at[CELLS + 5 * GUARDS];
    size_t n;
} dangers;

static void add_hazards(const sb_env *env, dangers *d) {
    const sb_xy size = sb_grid_size(env);
    for (int16_t y = 0; y < size.y; y++)
        for (int16_t x = 0; x < size.x; x++)
            if (sb_terrain_at(env, (sb_xy){x, y}) == SB_HAZARD) d->at[d->n++] = (sb_xy){x, y};
}

static void add_guards(const sb_env *env, dangers *d) {
    sb_xy guards[GUARDS];
    size_t n = sb_positions(env, SB_NPC, guards, GUARDS);
    for (size_t i = 0; i < n && i < GUARDS; i++) {
        d->at[d->n++] = guards[i];
        d->n += sb_neighbors(env, guards[i], d->at + d->n, 4);
    }
}

static bool is_dangerous(const dangers *d, sb_xy cell) {
    for (size_t i = 0; i < d->n; i++)
        if (d->at[i].x == cell.x && d->at[i].y == cell.y) return true;
    return false;
}

/* Returns the move to the neighbour with the shortest path. Paths begin beside the agent, because its own cell may be
 * dangerous. */
static sb_action choose(const sb_env *env) {
    const sb_xy here = sb_agent_position(env);
    dangers d = {.n = 0};
    sb_entity goal;
    sb_xy beside[4];
    sb_action action = SB_NOOP;
    add_hazards(env, &d);
    add_guards(env, &d);
    if (!sb_nearest(env, SB_GOAL, &goal)) return SB_NOOP;
    const sb_path_rules rules = {.avoid = d.at, .n_avoid = d.n};
    const size_t n = sb_neighbors(env, here, beside, 4);
    size_t shortest = is_dangerous(&d, here) ? CELLS + 1 : CELLS; /* in danger, any safe step is good enough */
    for (size_t i = 0; i < n; i++) {
        if (is_dangerous(&d, beside[i])) continue;
        size_t length = sb_bfs_path(env, beside[i], goal.at, &rules, NULL, 0);
        if (length == 0) length = CELLS;
        if (length >= shortest) continue;
        shortest = length;
        sb_action_of_delta(beside[i].x - here.x, beside[i].y - here.y, &action);
    }
    return action;
}

int main(int argc, char **argv) {
    sb_error error;
    sb_result result = {0};
    sb_env *env = sb_make(NULL, argc > 1 ? argv[1] : "GoToGoal-v0/medium#0", &error);
    if (!env) return fprintf(stderr, "%s\n", error.text), 1;
    while (!sb_status_of(env)->done)
        if (!sb_step(env, choose(env), &result, &error)) return fprintf(stderr, "%s\n", error.text), 1;
    printf("%s after %d steps\n", result.success ? "solved" : "not solved", (int)sb_status_of(env)->steps);
    sb_free(env);
    return 0;
}
