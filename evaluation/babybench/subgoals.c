#include "evaluation/babybench/subgoals.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* The actions that handle what is ahead. Doors are always opened: no expert of ours closes one. */
static const struct {
    const char *action, *subgoal;
} handling[] = {{"pickup", "PickupSubgoal"}, {"drop", "DropSubgoal"}, {"toggle", "OpenSubgoal"}};

static bool add(sb_subgoals *s, sb_subgoal_part part, sb_error *error) {
    if (s->n == s->capacity) {
        const size_t capacity = s->capacity ? 2 * s->capacity : 16;
        sb_subgoal_part *parts = realloc(s->parts, capacity * sizeof *parts);
        if (!parts) return sb_fail(error, SB_MEMORY, "out of memory for subgoals");
        s->parts = parts, s->capacity = capacity;
    }
    s->parts[s->n++] = part;
    s->settled = part.first + part.n;
    return true;
}

static bool add_way(sb_subgoals *s, sb_xy to, sb_error *error) {
    return add(s, (sb_subgoal_part){"GoNextToSubgoal", true, to, s->settled, s->steps - s->settled}, error);
}

static const sb_fact *thing_at(const sb_facts *facts, sb_xy at) {
    for (size_t i = 0; i < facts->n_things; i++)
        if (facts->things[i].at.x == at.x && facts->things[i].at.y == at.y) return &facts->things[i];
    return NULL;
}

/* Whether the thing is what an intent calls `red ball`, `ball`, `red object` or `object`. */
static bool is_called(const sb_fact *thing, const char *object) {
    const size_t n = strlen(thing->colour);
    const char *type = strncmp(object, thing->colour, n) == 0 && object[n] == ' ' ? object + n + 1 : object;
    return strcmp(type, thing->type) == 0 || strcmp(type, "object") == 0;
}

/* Whether the agent was on its way to what is ahead now, and is next on its way to something else. */
static bool has_arrived(const sb_subgoals *s, const sb_tape *tape, const sb_facts *now) {
    if (s->steps == 0 || s->steps == s->settled) return false;
    const sb_purpose *was = sb_tape_purpose(tape, s->steps - 1), *is = sb_tape_purpose(tape, s->steps);
    const sb_fact *ahead = thing_at(now, now->front);
    if (!was || !is || was == is || !ahead || strcmp(was->verb, "go to") != 0 || strcmp(is->verb, "go to") != 0)
        return false;
    return was->at.x < 0 ? is_called(ahead, was->object) : was->at.x == ahead->at.x && was->at.y == ahead->at.y;
}

/* A plan has to begin with a way, even if it takes no step: the benchmark drops a first line that handles something. */
bool sb_subgoals_add(sb_subgoals *s, const sb_tape *tape, const sb_facts *before, const char *action, sb_error *error) {
    if (has_arrived(s, tape, before) && !add_way(s, before->front, error)) return false;
    for (size_t i = 0; i < sizeof handling / sizeof *handling; i++) {
        if (strcmp(handling[i].action, action) != 0) continue;
        if ((s->n == 0 || s->steps > s->settled) && !add_way(s, before->front, error)) return false;
        if (!add(s, (sb_subgoal_part){handling[i].subgoal, false, before->front, s->steps, 1}, error)) return false;
    }
    s->steps++;
    return true;
}

bool sb_subgoals_end(sb_subgoals *s, const sb_facts *end, sb_error *error) {
    return (s->n && s->steps == s->settled) || add_way(s, end->front, error);
}

void sb_put_subgoal(sb_out *out, const sb_subgoal_part *part) {
    if (part->has_cell)
        sb_putf(out, "(%s, (%d, %d))", part->what, part->cell.x, part->cell.y);
    else
        sb_putf(out, "(%s)", part->what);
}

void sb_subgoals_free(sb_subgoals *s) {
    free(s->parts);
    *s = (sb_subgoals){0};
}
