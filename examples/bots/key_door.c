/* A bot for KeyDoorPuzzle: it fetches the key of the next door, opens the door, and walks to the goal once there is a
 * path.
 *
 *   cc key_door.c -lseedbed -o key_door && ./key_door KeyDoorPuzzle-v0/expert#7 */
#include <stdio.h>

#include <seedbed/gridworld.h>

enum { LONGEST = 1000 };

/* Finds an object with this metadata that the agent can walk up to. */
static bool find(const sb_env *env, sb_object object, int metadata, sb_entity *found) {
    sb_entity all[16];
    size_t n = sb_entities_of(env, object, all, 16);
    for (size_t i = 0; i < n && i < 16; i++)
        if (all[i].metadata == metadata && sb_is_reachable(env, all[i].at)) return *found = all[i], true;
    return false;
}

static size_t plan(const sb_env *env, sb_action *out) {
    sb_entity door, key;
    sb_item held = {.value = -1};
    size_t n = sb_go_to_nearest(env, SB_GOAL, out, LONGEST);
    if (n > 0) return n; /* every door on the way is open */
    int color = 0;
    while (color < 10 && !find(env, SB_DOOR, color, &door)) color++; /* closed doors have metadata below 10 */
    sb_inventory(env, &held, 1);
    if (held.value == color) return sb_interact_with(env, door.at, out, LONGEST);
    if (!find(env, SB_KEY, color, &key)) return 0;
    n = sb_path_to(env, key.at, out, LONGEST);
    if (n > 0) return n;
    sb_xy aside; /* an exchange has put the key under the agent: step off it, and back in the next plan */
    return sb_neighbors(env, key.at, &aside, 1) > 0 ? sb_path_to(env, aside, out, LONGEST) : 0;
}

int main(int argc, char **argv) {
    sb_error error;
    sb_env *env = sb_make(NULL, argc > 1 ? argv[1] : "KeyDoorPuzzle-v0/medium#42", &error);
    if (!env) return fprintf(stderr, "%s\n", error.text), 1;
    sb_action actions[LONGEST];
    sb_result result = {0};
    size_t n = 1;
    while (!sb_status_of(env)->done && n > 0) {
        n = plan(env, actions);
        for (size_t i = 0; i < n && !sb_status_of(env)->done; i++)
            if (!sb_step(env, actions[i], &result, &error)) return fprintf(stderr, "%s\n", error.text), 1;
    }
    printf("%s after %d steps\n", result.success ? "solved" : "not solved", (int)sb_status_of(env)->steps);
    sb_free(env);
    return 0;
}
