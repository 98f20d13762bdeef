/* A curious agent, a baseline: it takes the action that was tried least often in this frame, whoever tried it. It
 * clicks once on every area of one colour. It sees frames only and knows no rule. */
#include <string.h>

#include "base/hash.h"
#include "generators/arc/observe.h"
#include "oracles/oracle.h"
#include "oracles/player.h"

enum { SIDE = SB_ARC_FRAME_SIDE, CLICKS = 7, SLOTS = 1 << 15, CANDIDATES = 512 };

typedef struct memory {
    sb_rng rng; /* chooses among actions tried equally often */
    uint64_t tried[SLOTS];
    uint16_t times[SLOTS];
    bool begun;
    uint8_t frame[SB_ARC_FRAME]; /* the frame at the last call */
    uint64_t key;                /* a hash of the frame at the last call */
} memory;

static bool begin(void *given, const sb_env *env, sb_budget *budget, sb_error *error) {
    memory *m = given;
    (void)budget, (void)error;
    m->rng = sb_draws_of(&env->name, "curious");
    return true;
}

/* Marks the area of one colour that holds a place. */
static void mark_area(const uint8_t *frame, int from, bool *seen) {
    int16_t stack[SB_ARC_FRAME];
    int n = 0;
    stack[n++] = (int16_t)from, seen[from] = true;
    while (n) {
        const int at = stack[--n], x = at % SIDE;
        const int beside[4] = {x ? at - 1 : -1, x < SIDE - 1 ? at + 1 : -1, at - SIDE, at + SIDE};
        for (int i = 0; i < 4; i++) {
            const int to = beside[i];
            if (to < 0 || to >= SB_ARC_FRAME || seen[to] || frame[to] != frame[at]) continue;
            stack[n++] = (int16_t)to, seen[to] = true;
        }
    }
}

/* Lists the first place of each area, in reading order. */
static int list_clicks(const uint8_t *frame, sb_action *actions, int n) {
    bool seen[SB_ARC_FRAME] = {false};
    for (int place = 0; place < SB_ARC_FRAME && n < CANDIDATES; place++) {
        if (seen[place]) continue;
        mark_area(frame, place, seen);
        actions[n++] = CLICKS + place;
    }
    return n;
}

static int list_actions(const sb_env *env, const uint8_t *frame, sb_action actions[CANDIDATES]) {
    bool valid[CLICKS + 1] = {false};
    int n = 0;
    env->family->valid(env, valid);
    for (int button = 0; button < CLICKS; button++)
        if (valid[button]) actions[n++] = button;
    return valid[CLICKS] ? list_clicks(frame, actions, n) : n;
}

/* Returns the mark of an action in a frame; it is never 0, which marks empty slots. */
static uint64_t mark_of(uint64_t frame, sb_action action) {
    return (frame ^ (uint64_t)(action + 1) * UINT64_C(0x9e3779b97f4a7c15)) | 1;
}

/* Returns the slot of an action in a frame; if all slots are taken, that of another action. */
static uint32_t slot_of(const memory *m, uint64_t frame, sb_action action) {
    const uint64_t mark = mark_of(frame, action);
    uint32_t slot = (uint32_t)(mark >> 20) % SLOTS;
    for (int i = 0; i < SLOTS && m->tried[slot] && m->tried[slot] != mark; i++) slot = (slot + 1) % SLOTS;
    return slot;
}

/* Clicks on one area are one action: that on its first place. */
static sb_action as_listed(const uint8_t *frame, sb_action action) {
    bool area[SB_ARC_FRAME] = {false};
    int first = 0;
    if (action < CLICKS) return action;
    mark_area(frame, action - CLICKS, area);
    while (!area[first]) first++;
    return CLICKS + first;
}

static void count(memory *m, sb_action taken) {
    const sb_action action = as_listed(m->frame, taken);
    const uint32_t slot = slot_of(m, m->key, action);
    m->tried[slot] = mark_of(m->key, action);
    m->times[slot]++;
}

static sb_action least_tried(memory *m, uint64_t frame, const sb_action *actions, int n) {
    sb_action best = SB_ARC_RESET;
    int least = UINT16_MAX + 1, equals = 0;
    for (int i = 0; i < n; i++) {
        const uint32_t slot = slot_of(m, frame, actions[i]);
        if (m->times[slot] > least) continue;
        if (m->times[slot] < least) least = m->times[slot], equals = 0;
        if (sb_integers(&m->rng, 0, ++equals) == 0) best = actions[i];
    }
    return best;
}

static void act(void *given, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    memory *m = given;
    const sb_arc_episode *e = observation->env->state;
    uint64_t key[2];
    sb_action actions[CANDIDATES];
    (void)budget;
    if (m->begun) count(m, observation->env->taken);
    m->begun = true;
    sb_arc_play_frame(&e->play, m->frame);
    /* without the row that shows the budget, or no frame would come again */
    memset(m->frame + SB_ARC_FRAME - SIDE, 0, SIDE);
    sb_hash128(m->frame, sizeof m->frame, key);
    m->key = key[0];
    *action = least_tried(m, m->key, actions, list_actions(observation->env, m->frame, actions));
    sb_intend(intent, "try", "least tried action", (sb_xy){-1, -1});
}

const sb_oracle sb_arc_curious = {.family = "arc",
                                  .name = "curious",
                                  .baseline = true,
                                  .sees = SB_SEES_OBSERVATIONS,
                                  .remembers = sizeof(memory),
                                  .memory = sizeof(memory),
                                  .begin = begin,
                                  .act = act};
