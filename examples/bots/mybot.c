/* A plugin: `seedbed` loads it and lets it play, so it has no main and starts no episode. It walks to the goal around
 * hazards, and it sees what an agent of the task is shown: what is hidden has been overwritten, and counts as unknown.
 *
 *   cc -shared -fPIC mybot.c $(pkg-config --cflags seedbed) -o mybot.so
 *   seedbed eval --tasks GoToGoal --agent plugin:./mybot.so */
#include <seedbed/gridworld.h>
#include <seedbed/plugin.h>

enum { CELLS = SB_CELLS_MAX };

/* What the bot keeps from step to step; zeroed when an episode begins. */
typedef struct memory {
    sb_xy last; /* where it stood before the last step */
    int waited; /* steps in which it did not get anywhere */
} memory;

static size_t find_hazards(const sb_env *env, sb_xy *out) {
    const sb_xy size = sb_grid_size(env);
    size_t n = 0;
    for (int16_t y = 0; y < size.y; y++)
        for (int16_t x = 0; x < size.x; x++)
            if (sb_terrain_at(env, (sb_xy){x, y}) == SB_HAZARD) out[n++] = (sb_xy){x, y};
    return n;
}

/* The way of a bot that got stuck: the neighbours in turn. */
static sb_action step_aside(const sb_env *env, int turn) {
    const sb_xy here = sb_agent_position(env);
    sb_xy beside[4];
    sb_action action;
    const size_t n = sb_neighbors(env, here, beside, 4);
    if (n == 0) return SB_NOOP;
    const sb_xy to = beside[(size_t)turn % n];
    return sb_action_of_delta(to.x - here.x, to.y - here.y, &action) ? action : SB_NOOP;
}

static sb_action act(void *kept, const sb_env *env) {
    memory *m = kept;
    sb_entity goal;
    sb_xy hazards[CELLS], path[CELLS];
    sb_action action;
    const sb_xy here = sb_agent_position(env);
    const sb_path_rules rules = {.avoid = hazards, .n_avoid = find_hazards(env, hazards)};
    m->waited = here.x == m->last.x && here.y == m->last.y ? m->waited + 1 : 0;
    m->last = here;
    if (m->waited > 2) return step_aside(env, m->waited);
    if (!sb_nearest(env, SB_GOAL, &goal)) return SB_NOOP;
    if (sb_bfs_path(env, here, goal.at, &rules, path, CELLS) < 2) return SB_NOOP;
    return sb_positions_to_actions(path, 2, &action, 1) == 1 ? action : SB_NOOP;
}

const sb_plugin seedbed_plugin = {SB_PLUGIN_HEAD, .name = "mybot", .kind = SB_PLUGIN_OBSERVATIONS,
                                  .memory = sizeof(memory), .act = act};
