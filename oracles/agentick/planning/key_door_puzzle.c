/* The expert of KeyDoorPuzzle: breadth-first search over everything that can change, so it takes the fewest possible
 * steps.
 *
 * Little can change: the agent's cell and direction, the key in its hand, which key lies on which key site (a swap
 * leaves a key only where a key lay), and which doors are open. All of this fits into eight bytes. Leaving a key's cell
 * and entering it again swaps the keys back. A search over states, unlike a plan that fetches one key after the other,
 * therefore never walks in circles. */
#include "generators/agentick/planning/key_door_puzzle.h"

#include <string.h>

#include "oracles/agentick/packed.h"
#include "oracles/kits/puzzle.h"

enum { MAX_KEYS = SB_KEY_DOOR_PUZZLE_KEYS, EMPTY_HAND = 0 };

/* A key is 1 + its colour, 0 is no key. */
typedef struct packed_state {
    uint16_t cell;
    uint8_t facing, hand;
    uint16_t sites; /* three bits for each site: the key that lies there */
    uint16_t doors; /* bit i set if door i is open */
} packed_state;

static int key_on(const packed_state *s, int site) { return s->sites >> 3 * site & 7; }
static void lay_key(packed_state *s, int site, int key) {
    s->sites = (uint16_t)((s->sites & ~(7u << 3 * site)) | (unsigned)key << 3 * site);
}

enum { STATES = 1 << 18 };

/* Everything that does not change during the episode. */
typedef struct map {
    int8_t site_at[SB_CELLS_MAX], door_at[SB_CELLS_MAX]; /* -1: none */
    bool wall[SB_CELLS_MAX];
    int step_of[4]; /* change of a cell's index for each direction */
    int goal;
} map;

/* ---- States ---- */

static void read_state(const sb_episode *e, void *state_) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    packed_state *s = state_;
    s->cell = (uint16_t)sb_index(e, e->agent.at), s->facing = e->agent.facing;
    if (e->agent.n_items) s->hand = (uint8_t)(1 + e->items[0].value);
    for (int i = 0; i < v->n_keys; i++) {
        const sb_cell *site = sb_peek(e, v->key[i]);
        if (site->object == SB_KEY) lay_key(s, i, 1 + site->metadata);
        if (!sb_door_is_closed(sb_peek(e, v->door[i]))) s->doors |= (uint16_t)(1u << i);
    }
}

static void draw_map(void *map_, const sb_episode *e) {
    map *m = map_;
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    memset(m->site_at, -1, sizeof m->site_at);
    memset(m->door_at, -1, sizeof m->door_at);
    for (int i = 0; i < sb_n_cells(e); i++) m->wall[i] = e->cells[i].terrain == SB_WALL;
    for (int i = 0; i < v->n_keys; i++) {
        m->site_at[sb_index(e, v->key[i])] = (int8_t)i;
        m->door_at[sb_index(e, v->door[i])] = (int8_t)i;
    }
    sb_index_steps(e, m->step_of);
    m->goal = sb_index(e, v->goal);
}

static bool is_closed(const map *m, const packed_state *s, int cell) {
    return m->door_at[cell] >= 0 && !(s->doors >> m->door_at[cell] & 1);
}

/* Applies the rules of the task to a state. */
static bool play(const void *map_, void *state_, sb_action action) {
    const map *m = map_;
    packed_state *s = state_;
    if (action == SB_INTERACT) {
        const int target = s->cell + m->step_of[s->facing];
        if (!is_closed(m, s, target) || s->hand != 1 + m->door_at[target]) return false;
        s->doors |= (uint16_t)(1u << m->door_at[target]);
        s->hand = EMPTY_HAND;
        return true;
    }
    const sb_direction ahead = sb_direction_of(action);
    const int to = s->cell + m->step_of[ahead];
    const bool blocked = m->wall[to] || is_closed(m, s, to);
    if (blocked && s->facing == (int)ahead) return false;
    s->facing = (uint8_t)ahead;
    if (blocked) return true;
    s->cell = (uint16_t)to;
    const int site = m->site_at[to];
    if (site >= 0 && key_on(s, site)) {
        const int held = s->hand;
        s->hand = (uint8_t)key_on(s, site);
        lay_key(s, site, held);
    }
    return true;
}

static bool is_solved(const void *map_, const void *state_) {
    const map *m = map_;
    const packed_state *s = state_;
    return s->cell == m->goal;
}

static const char *const key_names[MAX_KEYS] = {"gold key", "red key", "blue key", "green key"};
static const char *const door_names[MAX_KEYS] = {"gold door", "red door", "blue door", "green door"};

/* Names what the plan does next: fetch a key, unlock a door, or else go to the goal. */
static bool explain(const void *map_, const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    const map *m = map_;
    const packed_state *before = before_, *after = after_;
    if (!after) {
        sb_intend(intent, "go to", "goal", v->goal);
    } else if (after->doors != before->doors) {
        const int door = m->door_at[before->cell + m->step_of[before->facing]];
        sb_intend(intent, "unlock", door_names[door], v->door[door]);
    } else if (after->hand != before->hand) {
        sb_intend(intent, before->hand ? "swap for" : "fetch", key_names[after->hand - 1], sb_xy_of(e, after->cell));
    }
    return !after || after->doors != before->doors || after->hand != before->hand;
}

/* ---- Acting ---- */

typedef SB_PUZZLE_MEMORY(map, packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_LAYOUT(memory),
    .state_size = sizeof(packed_state),
    .n_states = STATES,
    .last_action = SB_INTERACT,
    .draw_map = draw_map,
    .read = read_state,
    .play = play,
    .is_solved = is_solved,
    .explain = explain,
};

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    sb_puzzle_act(&puzzle, memory_, observation, budget, action, intent);
}

const sb_oracle sb_key_door_puzzle_expert = {
    .family = "agentick",
    .task = "KeyDoorPuzzle-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};

const sb_packed_rule sb_key_door_puzzle_rule = {.task = "KeyDoorPuzzle-v0", .puzzle = &puzzle};
