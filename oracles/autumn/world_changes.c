#include "oracles/autumn/world_changes.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "generators/autumn/events.h"

enum { OBJECTS_MAX = 512 /* objects that are compared; in larger scenes explanations may miss a change */ };

/* An object as it is drawn. */
typedef struct thing {
    uint32_t object, type;
    bool is_goal; /* the object's variable decides who has won */
    sb_xy at;     /* the object's first cell */
    uint64_t look[2];
} thing;

typedef struct scene {
    const sb_autumn_state *state;
    thing things[OBJECTS_MAX];
    size_t n;
} scene;

/* ---- Scenes ------------------------------------------------------------------------------------------------------ */

static void hash_look(const sb_autumn_state *state, const sb_autumn_drawn *drawn, uint64_t look[2]) {
    char text[400];
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_autumn_told told;
    sb_puts(&out, drawn->colour);
    for (uint32_t at = 0; sb_autumn_next_told(state, drawn, &at, &told);) {
        sb_putf(&out, " %s ", told.name);
        sb_autumn_put_told(state, &told, false, &out);
    }
    sb_hash128(text, out.size < sizeof text ? out.size : sizeof text, look);
}

static void add(void *context, const sb_autumn_drawn *drawn) {
    scene *s = context;
    if ((s->n && s->things[s->n - 1].object == drawn->object) || s->n == OBJECTS_MAX) return;
    thing *t = &s->things[s->n++];
    *t = (thing){.object = drawn->object,
                 .type = drawn->type,
                 .is_goal = sb_autumn_wins_by(sb_autumn_program_of(s->state), drawn->variable),
                 .at = {(int16_t)drawn->cell->x, (int16_t)drawn->cell->y}};
    hash_look(s->state, drawn, t->look);
}

static void see(scene *s, const sb_autumn_state *state) {
    s->state = state, s->n = 0;
    sb_autumn_visit(state, add, s);
}

static bool is_at(const thing *a, const thing *b) { return a->at.x == b->at.x && a->at.y == b->at.y; }
static bool looks_like(const thing *a, const thing *b) {
    return a->type == b->type && memcmp(a->look, b->look, sizeof a->look) == 0;
}

/* ---- Changes ----------------------------------------------------------------------------------------------------- */

static bool is_in(const scene *s, const thing *t) {
    for (size_t i = 0; i < s->n; i++)
        if (is_at(&s->things[i], t) && looks_like(&s->things[i], t)) return true;
    return false;
}

/* Finds an object that is in the scene `in`, and as it is neither in `other` nor in `nor`; one by which the world is
 * won comes first. */
static const thing *find_new(const scene *in, const scene *other, const scene *nor) {
    const thing *found = NULL;
    for (size_t i = 0; i < in->n; i++) {
        const thing *t = &in->things[i];
        if ((found && !t->is_goal) || is_in(other, t) || is_in(nor, t)) continue;
        if (t->is_goal) return t;
        found = t;
    }
    return found;
}

/* What has become of an object: one of its type at its place, else one that looks the same elsewhere, else another one.
 */
static const thing *find_successor(const scene *before, const scene *after, const thing *was) {
    const thing *found = NULL;
    for (size_t i = 0; i < after->n; i++) {
        const thing *t = &after->things[i];
        if (t->type != was->type || is_in(before, t)) continue;
        if (is_at(t, was)) return t;
        if (!found || (looks_like(t, was) && !looks_like(found, was))) found = t;
    }
    return found;
}

static void tell_move(sb_intent *intent, const char *type, const thing *from, const thing *to) {
    char place[16], object[sizeof intent->object];
    const int n = snprintf(place, sizeof place, " from (%d,%d)", from->at.x, from->at.y);
    snprintf(object, sizeof object, "%.*s%s", (int)sizeof object - 1 - n, type, place);
    sb_intend(intent, sb_verb_move, object, to->at);
}

/* Finds an object that is in the scenes `in` and `and`, and as it is not in `not`; one by which the world is won comes
 * first. */
static const thing *find_lost(const scene *in, const scene *and, const scene * not ) {
    const thing *found = NULL;
    for (size_t i = 0; i < in->n; i++) {
        const thing *t = &in->things[i];
        if ((found && !t->is_goal) || !is_in(and, t) || is_in(not, t)) continue;
        if (t->is_goal) return t;
        found = t;
    }
    return found;
}

/* `idle`: the state after `noop`, whose changes are not those of the action. What was there before and after `noop` and
 * is there no more was changed by the action; so was what moves by itself and now does so from elsewhere. */
static void explain(const sb_autumn_program *program, const scene *before, const scene *idle, const scene *after,
                    sb_intent *intent) {
    const thing *was = find_lost(before, idle, after), *came = find_new(after, before, idle);
    if (was && came && came->is_goal && !was->is_goal) was = NULL;
    const thing *is = was ? find_successor(before, after, was) : NULL;
    const char *type = was    ? sb_autumn_type_name(program, was->type)
                       : came ? sb_autumn_type_name(program, came->type)
                              : "";
    if (is && !is_at(was, is))
        tell_move(intent, type, was, is);
    else if (was)
        sb_intend(intent, is ? "change" : "remove", type, was->at);
    else if (came)
        sb_intend(intent, "make", type, came->at);
    else
        sb_intend(intent, "wait for", "next step", (sb_xy){-1, -1});
}

/* Where steps draw, only what two futures have in common is told, and neither is the episode's own. */
void sb_world_explain(const sb_autumn_state *before, sb_autumn_state *after, sb_autumn_event event, sb_intent *intent) {
    sb_intent told[2] = {0};
    const sb_autumn_program *program = sb_autumn_program_of(before);
    const bool draws = sb_autumn_draws_in_steps(program);
    scene scenes[3];
    see(&scenes[0], before);
    for (uint64_t future = 0; future < (draws ? 2 : 1); future++) {
        const sb_autumn_event events[] = {{.key = SB_AUTUMN_NOOP}, event};
        for (int i = 0; i < 2; i++) {
            if (!sb_autumn_copy(after, before)) return;
            if (draws) sb_autumn_reseed(after, future);
            if (!sb_autumn_step(after, events[i], NULL)) return;
            see(&scenes[i + 1], after);
        }
        explain(program, &scenes[0], &scenes[1], &scenes[2], &told[future]);
    }
    const bool same = told[0].verb == told[1].verb && strcmp(told[0].object, told[1].object) == 0 &&
                      told[0].at.x == told[1].at.x && told[0].at.y == told[1].at.y;
    if (!draws || same)
        *intent = told[0];
    else
        sb_intend(intent, "press", sb_autumn_key_names[event.key], (sb_xy){-1, -1});
}
