/* The expert of TaskInterference.
 *
 * If items do not move, it visits them in the shortest order: distances are Manhattan distances, and no order ends with
 * a meter that is too low (a test tries them all).
 *
 * If items flee, it plays ahead to the end with a beam of the most promising courses, extended by one chase at a time.
 * The flight of an item is known except for the order of its last two directions. The expert draws that order itself,
 * in several futures, takes the move that is best in all of them together, and plans again at every step. */
#include "generators/agentick/reasoning/task_interference.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/search/tour.h"
#include "oracles/agentick/packed.h"
#include "oracles/belief.h"

/* Wider beams and more candidates cost more and gain little, because the drawn flights soon differ from the real ones.
 * Futures are added until one move leads by more than ENOUGH steps in all of them together. */
enum { FUTURES = 24, ENOUGH = 6 };
enum {
    MAX_ITEMS = SB_TASK_INTERFERENCE_ITEMS,
    WIDTH = 8,
    NEAREST = 2 /* nearest items of each colour */,
    HOPELESS = 10000
};

typedef struct course {
    sb_area taken;
    sb_xy agent, item[MAX_ITEMS];
    int n_gems, n_items, clock;
    double gem_meter, orb_meter, drain;
    int future;         /* number of the future, from which its draws of the items' flight follow */
    int score;          /* estimated steps in all; HOPELESS more if no good end seems possible */
    sb_direction first; /* the first move; SB_NOWHERE before it is chosen */
    sb_xy target;       /* the first item of the course */
    bool is_gem;
} course;

typedef struct memory { /* working memory: nothing is remembered */
    sb_tour tour;
    struct beam {
        int n;
        course best[WIDTH]; /* sorted by score */
    } beam[2];
} memory;

/* ---- The rules, applied to courses ---- */

static course course_of(const sb_episode *e) {
    const sb_task_interference_vars *v = SB_VARS(e);
    course c = {.agent = e->agent.at,
                .n_gems = v->n_gems,
                .n_items = v->n_items,
                .clock = e->clock,
                .gem_meter = v->gem_meter,
                .orb_meter = v->orb_meter,
                .drain = sb_task_interference_drain(e),
                .first = SB_NOWHERE};
    memcpy(c.item, v->item, sizeof c.item);
    sb_task_interference_taken(&c.taken, e);
    return c;
}

static void fill_meters(course *c, bool is_gem) {
    double *meter = is_gem ? &c->gem_meter : &c->orb_meter, *other = is_gem ? &c->orb_meter : &c->gem_meter;
    sb_task_interference_collect(meter, other, c->drain);
    c->n_gems -= is_gem, c->n_items--;
}

static void collect(course *c) {
    int i = 0;
    while (!sb_same(c->item[i], c->agent)) i++;
    fill_meters(c, i < c->n_gems);
    memmove(&c->item[i], &c->item[i + 1], sizeof *c->item * (size_t)(c->n_items - i));
}

/* Replaces a draw of the episode by one of its own. */
static bool made_up_swap(int future, int clock, int item) {
    uint32_t bits = (uint32_t)clock * 2654435761u ^ (uint32_t)item * 2654435769u ^ (uint32_t)future * 0x9e3779b1u;
    bits ^= bits >> 15, bits *= 2246822519u, bits ^= bits >> 13;
    return bits & 1;
}

/* Moves one step; returns whether an item was collected. */
static bool step(course *c, sb_direction ahead) {
    if (c->first == SB_NOWHERE) c->first = ahead;
    sb_area_set(&c->taken, c->agent, false);
    c->agent = sb_beside(c->agent, ahead);
    const bool found = sb_area_has(&c->taken, c->agent);
    if (found) collect(c);
    sb_area_add(&c->taken, c->agent);
    if (++c->clock % SB_TASK_INTERFERENCE_PACE != 0) return found;
    for (int i = 0; i < c->n_items; i++)
        c->item[i] = sb_task_interference_flee(&c->taken, c->item[i], c->agent, made_up_swap(c->future, c->clock, i));
    return found;
}

/* ---- Scores ---- */

/* Tells whether the meters are high enough after the rest was taken in a cautious order: first the colour with more
 * items left, and among equals that of the fuller meter. */
static bool can_end_well(course c) {
    while (c.n_items > 0) {
        const int surplus = 2 * c.n_gems - c.n_items;
        fill_meters(&c, surplus > 0 || (surplus == 0 && c.gem_meter > c.orb_meter));
    }
    return sb_task_interference_suffices(c.gem_meter, c.orb_meter);
}

/* ---- The beam ---- */

static bool are_equal(const course *a, const course *b) {
    return a->score == b->score && a->clock == b->clock && sb_same(a->agent, b->agent) && a->n_gems == b->n_gems &&
           memcmp(a->item, b->item, sizeof *a->item * (size_t)a->n_items) == 0;
}

/* Adds the course if it is among the best, after those that are equally good. */
static void admit(struct beam *beam, const course *c) {
    int at = beam->n;
    for (int i = 0; i < beam->n; i++)
        if (are_equal(&beam->best[i], c)) return;
    while (at > 0 && c->score < beam->best[at - 1].score) at--;
    if (at == WIDTH) return;
    if (beam->n < WIDTH) beam->n++;
    memmove(&beam->best[at + 1], &beam->best[at], sizeof *c * (size_t)(beam->n - 1 - at));
    beam->best[at] = *c;
}

/* Returns the direction from one cell to another: along one axis first, then along the other. */
static sb_direction toward(sb_xy from, sb_xy to, bool rows_first) {
    if (rows_first ? from.x != to.x : from.y == to.y) return to.x > from.x ? SB_EAST : SB_WEST;
    return to.y > from.y ? SB_SOUTH : SB_NORTH;
}

/* Follows an item until it or another one is collected. The agent is three times as fast. Returns whether it makes a
 * difference along which axis it goes first. */
static bool chase(struct beam *next, const course *from, int target, bool rows_first, sb_budget *budget) {
    course c = *from;
    bool differs = false;
    if (c.first == SB_NOWHERE) c.target = c.item[target], c.is_gem = target < c.n_gems;
    do {
        budget->spent++;
        differs |= c.agent.x != c.item[target].x && c.agent.y != c.item[target].y;
    } while (!step(&c, toward(c.agent, c.item[target], rows_first)));
    c.score = c.clock + sb_task_interference_tree(c.agent, c.item, c.n_items) + (can_end_well(c) ? 0 : HOPELESS);
    admit(next, &c);
    return differs;
}

/* Chases each of the nearest items among those from number `first` to `last` - 1. */
static void chase_nearest(struct beam *next, const course *from, int first, int last, sb_budget *budget) {
    bool tried[MAX_ITEMS] = {false};
    for (int n = 0; n < NEAREST && n < last - first; n++) {
        int nearest = -1, least = INT_MAX;
        for (int i = first; i < last; i++) {
            const int distance = sb_manhattan(from->agent, from->item[i]);
            if (!tried[i] && distance < least) nearest = i, least = distance;
        }
        tried[nearest] = true;
        if (chase(next, from, nearest, true, budget)) chase(next, from, nearest, false, budget);
    }
}

/* Plays ahead in one future; returns the best courses. */
static const struct beam *plan(memory *m, const sb_episode *e, int future, sb_budget *budget) {
    struct beam *now = &m->beam[0], *next = &m->beam[1];
    now->n = 1, now->best[0] = course_of(e), now->best[0].future = future;
    while (now->best[0].n_items > 0) {
        next->n = 0;
        for (int i = 0; i < now->n; i++) {
            const course *c = &now->best[i];
            chase_nearest(next, c, 0, c->n_gems, budget);
            chase_nearest(next, c, c->n_gems, c->n_items, budget);
        }
        struct beam *used = now;
        now = next, next = used;
    }
    return now;
}

/* A first move: the sum of its scores in the futures so far, and the item it goes to. */
typedef struct opening {
    int score;
    bool is_gem;
    sb_xy target;
} opening;

/* Adds the scores of one future. A move with which no course has survived is a little worse than the worst of them. */
static void add_scores(opening openings[4], const struct beam *beam) {
    enum { WORSE = 2 };
    int score[4];
    for (int d = 0; d < 4; d++) score[d] = beam->best[beam->n - 1].score + WORSE;
    for (int i = beam->n; i-- > 0;) {
        const course *c = &beam->best[i];
        score[c->first] = c->score;
        openings[c->first].is_gem = c->is_gem, openings[c->first].target = c->target;
    }
    for (int d = 0; d < 4; d++) openings[d].score += score[d];
}

/* Returns by how much the best move leads. */
static int find_best(const opening openings[4], int *best) {
    int lead = INT_MAX;
    *best = 0;
    for (int d = 1; d < 4; d++)
        if (openings[d].score < openings[*best].score) *best = d;
    for (int d = 0; d < 4; d++)
        if (d != *best && openings[d].score - openings[*best].score < lead)
            lead = openings[d].score - openings[*best].score;
    return lead;
}

static sb_action hunt(memory *m, const sb_episode *e, sb_budget *budget, sb_intent *intent) {
    opening openings[4] = {{0}};
    int best;
    for (int future = 0; future < FUTURES; future++) {
        add_scores(openings, plan(m, e, future, budget));
        if (find_best(openings, &best) > ENOUGH) break;
    }
    sb_intend(intent, "chase", openings[best].is_gem ? "gem" : "orb", openings[best].target);
    return sb_move_of((sb_direction)best);
}

/* ---- Items that do not move ---- */

static sb_action gather(memory *m, const sb_episode *e, sb_budget *budget, sb_intent *intent) {
    const sb_task_interference_vars *v = SB_VARS(e);
    int route[SB_TOUR_STOPS];
    sb_xy pose[1 + MAX_ITEMS] = {e->agent.at};
    memcpy(pose + 1, v->item, sizeof v->item);
    m->tour.n_stops = v->n_items, m->tour.last = -1, m->tour.n_poses = v->n_items + 1;
    for (int i = 0; i <= v->n_items; i++) {
        m->tour.stop_of[i] = (int8_t)(i - 1);
        for (int k = 0; k <= v->n_items; k++) m->tour.cost[i][k] = (int16_t)sb_manhattan(pose[i], pose[k]);
    }
    sb_tour_solve(&m->tour, route);
    budget->spent += (uint64_t)v->n_items << v->n_items;
    sb_intend(intent, "fetch", route[0] <= v->n_gems ? "gem" : "orb", pose[route[0]]);
    return sb_move_of(toward(e->agent.at, pose[route[0]], true));
}

static void act(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const sb_episode *e = sb_episode_of(observation->env);
    *action = sb_task_interference_items_flee(e) ? hunt(memory_, e, budget, intent)
                                                 : gather(memory_, e, budget, intent);
}

const sb_oracle sb_task_interference_expert = {
    .family = "agentick",
    .task = "TaskInterference-v0",
    .name = "expert",
    .sees = SB_SEES_STATE,
    .shortest = 1, /* easy: nothing flees */
    .memory = sizeof(memory),
    .act = act,
};

/* ---- The observer ---- */

/* Items flee in the order of their placement, which is known at the start; nothing else is hidden. The observer lists
 * the items in that order and follows each of them. If two items of one colour may have exchanged their ways, it keeps
 * both lists; later observations show which one is wrong. */
enum { MAX_LISTS = 64 };

typedef struct list {
    sb_xy item[MAX_ITEMS]; /* cells of the items: gems, then orbs */
} list;

typedef struct notes {
    int clock; /* clock of the next state that the observer expects to see */
    int n_gems, n_items, n_lists;
    list list[MAX_LISTS], old[MAX_LISTS];
    memory expert;
} notes;

/* Makes the list that is known without having watched. */
static void begin_list(notes *n, const sb_episode *e) {
    const sb_task_interference_vars *v = SB_VARS(e);
    n->n_gems = v->n_gems, n->n_items = v->n_items, n->n_lists = 1;
    memcpy(n->list[0].item, e->clock == 0 ? v->placed : v->item, sizeof n->list[0].item);
}

static void cross_out(list *l, int n_items, sb_xy collected) {
    int i = 0;
    while (i < n_items && !sb_same(l->item[i], collected)) i++;
    if (i < n_items) memmove(&l->item[i], &l->item[i + 1], sizeof *l->item * (size_t)(n_items - 1 - i));
}

static void note(notes *n, const list *l) {
    for (int k = 0; k < n->n_lists; k++)
        if (memcmp(n->list[k].item, l->item, sizeof *l->item * (size_t)n->n_items) == 0) return;
    if (n->n_lists < MAX_LISTS) n->list[n->n_lists++] = *l;
}

/* Adds every way in which the items from number i on can have moved to the visible items. The recursion is n_items
 * deep. */
static void follow(notes *n, const sb_episode *e, list *l, int i, const sb_area *taken) {
    const sb_xy from = l->item[i];
    if (i == n->n_items) {
        note(n, l);
        return;
    }
    for (int swapped = 0; swapped < 2; swapped++) {
        sb_area then = *taken;
        const sb_xy to = sb_task_interference_flee(&then, from, e->agent.at, swapped);
        if (swapped && sb_same(to, l->item[i])) break;
        l->item[i] = to;
        if (sb_peek(e, to)->object == (i < n->n_gems ? SB_GEM : SB_ORB)) follow(n, e, l, i + 1, &then);
    }
    l->item[i] = from;
}

static void follow_all(notes *n, sb_episode *e) {
    sb_task_interference_vars *v = SB_VARS(e);
    const int n_old = n->n_lists;
    memcpy(n->old, n->list, sizeof n->list);
    n->n_lists = 0;
    for (int k = 0; k < n_old; k++) {
        sb_area taken;
        memcpy(v->item, n->old[k].item, sizeof v->item);
        sb_task_interference_taken(&taken, e);
        follow(n, e, &n->old[k], 0, &taken);
    }
}

/* Updates the lists with the last step. */
static void watch(notes *n, sb_episode *e) {
    const sb_task_interference_vars *v = SB_VARS(e);
    for (int k = 0; k < n->n_lists && v->n_items < n->n_items; k++) cross_out(&n->list[k], n->n_items, e->agent.at);
    n->n_gems = v->n_gems, n->n_items = v->n_items;
    if (sb_task_interference_items_flee(e) && e->clock % SB_TASK_INTERFERENCE_PACE == 0) follow_all(n, e);
}

static void act_on_notes(void *memory_, const sb_observation *observation, sb_budget *budget, sb_action *action,
                         sb_intent *intent) {
    notes *n = memory_;
    sb_belief belief;
    sb_episode *e = sb_believe(&belief, observation);
    sb_task_interference_vars *v = SB_VARS(e);
    if (e->clock > 0 && e->clock == n->clock)
        watch(n, e);
    else
        n->n_lists = 0;
    if (n->n_lists == 0) begin_list(n, sb_episode_of(observation->env));
    n->clock = e->clock + 1;
    memcpy(v->item, n->list[0].item, sizeof v->item);
    sb_act_on_belief(&belief, &sb_task_interference_expert, &n->expert, budget, action, intent);
}

/* All lists are equally likely. */
static void imagine(const void *memory, sb_env *env, sb_rng *rng) {
    const notes *n = memory;
    sb_episode *e = env->state;
    sb_task_interference_vars *v = SB_VARS(e);
    const sb_xy *item = n->list[sb_integer_below(rng, n->n_lists)].item;
    memcpy(v->item, item, sizeof *item * (size_t)v->n_items);
}

const sb_oracle sb_task_interference_observer = {
    .family = "agentick",
    .task = "TaskInterference-v0",
    .name = "observer",
    .sees = SB_SEES_OBSERVATIONS,
    .remembers = offsetof(notes, expert),
    .memory = sizeof(notes),
    .act = act_on_notes,
    .imagine = imagine,
};

/* ---- The rule beside the task's steps ---- */

static void pack(void *e_, const sb_episode *e, void *state) {
    sb_episode_copy(e_, e);
    *(course *)state = course_of(e);
}

/* Courses only go on, and only where items flee. */
static sb_packed_outcome draw(void *e_, void *state, sb_action action, sb_rng *rng) {
    (void)rng;
    course *c = state;
    const sb_direction ahead = sb_direction_of(action);
    if (ahead == SB_NOWHERE || !sb_task_interference_items_flee(e_)) return SB_PACKED_SKIPPED;
    if (!sb_walkable(e_, sb_beside(c->agent, ahead))) return SB_PACKED_SKIPPED;
    step(c, ahead);
    return SB_PACKED_GOES_ON;
}

static int tell(const void *memory_, const void *state, int32_t numbers[SB_PACKED_NUMBERS]) {
    (void)memory_;
    const course *c = state;
    int n = 0;
    numbers[n++] = c->agent.x, numbers[n++] = c->agent.y, numbers[n++] = c->n_gems, numbers[n++] = c->n_items;
    numbers[n++] = (int32_t)(c->gem_meter * 1000 + 0.5), numbers[n++] = (int32_t)(c->orb_meter * 1000 + 0.5);
    for (int i = 0; i < c->n_items && n < SB_PACKED_NUMBERS - 1; i++)
        numbers[n++] = c->item[i].x, numbers[n++] = c->item[i].y;
    return n;
}

const sb_packed_rule sb_task_interference_rule = {
    .task = "TaskInterference-v0",
    .memory = sizeof(sb_episode),
    .state_size = sizeof(course),
    .guesses = true,
    .pack = pack,
    .draw = draw,
    .tell = tell,
};
