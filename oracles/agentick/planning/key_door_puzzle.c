/* The expert of KeyDoorPuzzle: breadth-first search over everything that can change, so it takes the fewest possible
 * steps.
 *
 * Little can change: the agent's cell and direction, the key in its hand, which key lies on which key site (a swap
 * leaves a key only where a key lay), and which doors are open. All of this fits into eight bytes. Leaving a key's cell
 * and entering it again swaps the keys back. A search over states, unlike a plan that fetches one key after the other,
 * therefore never walks in circles. */
#include "generators/agentick/planning/key_door_puzzle.h"

#include "oracles/kits/puzzle.h"

enum { MAX_KEYS = SB_KEY_DOOR_PUZZLE_KEYS, STATES = 1 << 18 };

/* A key is 1 + its colour, 0 is no key. Key and door i have colour i. */
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

static void arrange(sb_episode *board, const void *state_) {
    const sb_key_door_puzzle_vars *v = SB_VARS(board);
    const packed_state *s = state_;
    for (int i = 0; i < v->n_keys; i++) {
        const int key = key_on(s, i), is_open = s->doors >> i & 1;
        sb_set_object(board, v->key[i], key ? SB_KEY : SB_NONE, key ? key - 1 : 0);
        sb_set_object(board, v->door[i], SB_DOOR, i + is_open * SB_DOOR_OPEN);
    }
    board->agent.at = sb_xy_of(board, s->cell), board->agent.facing = s->facing, board->agent.n_items = 0;
    if (s->hand) sb_take(board, SB_ITEM_KEY, s->hand - 1, board->agent.at);
}

static const char *const key_names[MAX_KEYS] = {"gold key", "red key", "blue key", "green key"};
static const char *const door_names[MAX_KEYS] = {"gold door", "red door", "blue door", "green door"};

/* Names what the plan does next: fetch a key, unlock a door, or else go to the goal. */
static bool explain(const sb_episode *e, const void *before_, const void *after_, sb_intent *intent) {
    const sb_key_door_puzzle_vars *v = SB_VARS(e);
    const packed_state *before = before_, *after = after_;
    if (!after) {
        sb_intend(intent, "go to", "goal", v->goal);
    } else if (after->doors != before->doors) {
        const int door = before->hand - 1;
        sb_intend(intent, "unlock", door_names[door], v->door[door]);
    } else if (after->hand != before->hand) {
        sb_intend(intent, before->hand ? "swap the key for" : "fetch", key_names[after->hand - 1],
                  sb_xy_of(e, after->cell));
    }
    return !after || after->doors != before->doors || after->hand != before->hand;
}

/* ---- Acting ---- */

typedef SB_PUZZLE_MEMORY(packed_state, STATES) memory;

static const sb_puzzle puzzle = {
    SB_PUZZLE_FOR(memory, packed_state, STATES),
    .last_action = SB_INTERACT,
    .read = read_state,
    .arrange = arrange,
    .explain = explain,
};

SB_PUZZLE_ACT(puzzle)

const sb_oracle sb_key_door_puzzle_expert = {
    .family = "agentick",
    .task = "KeyDoorPuzzle-v0",
    .name = "expert",
    .sees = SB_SEES_OBSERVATIONS,
    .shortest = 15,
    .memory = sizeof(memory),
    .act = act,
};
