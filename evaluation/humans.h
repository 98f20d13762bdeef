/* People as agents: what their tapes come to, by episode and by task, and baselines for agents (docs/studies.md).
 *
 * A play counts if it is the participant's first of that episode, and if the person played alone: without hints,
 * without taking a step back, without the expert. Actions and seconds are those of counted plays that succeeded; where
 * nothing judges success, those of all counted plays. Quartiles and the 80th percentile are interpolated between
 * the two nearest plays (of n sorted values, number 1 + q (n - 1)). The baseline of a level is the upper median (number
 * n div 2 + 1) of the counted plays that completed it. */
#ifndef SB_EVALUATION_HUMANS_H
#define SB_EVALUATION_HUMANS_H

#include "engine/efficiency.h"
#include "engine/lookup.h"
#include "rollout/tape.h"

#define SB_HUMANS_FORMAT "seedbed-humans"

enum {
    SB_HUMANS_VERSION = 1,
    SB_HUMANS_LEAST = 5,        /* plays that a baseline or a percentile is taken from, unless told otherwise */
    SB_HUMANS_BYTES = 64 << 20, /* bytes of the document, at most */
    SB_HUMANS_PLAYS = 1000000
};

/* Quartiles and the 80th percentile of some values. */
typedef struct sb_quartiles {
    size_t n; /* number of values; 0: nothing is known */
    double quartiles[3], percentile80;
} sb_quartiles;

/* What people did in an episode, or in a task and difficulty; then the name's seed means nothing. */
typedef struct sb_people {
    sb_name name;
    size_t episodes, participants, plays;
    size_t first;             /* plays that are the participant's first of that episode */
    size_t counted;           /* first plays of people who played alone: those that count */
    bool enough;              /* the plays that count are as many as are wanted */
    size_t judged, successes; /* plays that count: those that have success at all, and those that succeeded */
    sb_quartiles scores, actions, seconds;
    size_t n_levels; /* number of a game's levels, for an episode only */
    struct {
        size_t completed;  /* plays that count in which the level was completed */
        uint32_t baseline; /* baseline of the level; 0: too few completed it */
    } levels[SB_EFFORT_LEVELS];
} sb_people;

/* What people did. Starts zeroed. */
typedef struct sb_humans {
    size_t least;
    size_t participants, plays;
    size_t again;                /* tapes that were in the files twice */
    size_t anonymous;            /* plays of people who are not named, so that none is anybody's first */
    sb_people *episodes, *tasks; /* sorted by name */
    size_t n_episodes, n_tasks;
} sb_humans;

/* Replays the tapes of people in these files and folders of plays, and sums them up. Fails at a tape that is of no
 * person, or of which another one has the same participant and ordinal. */
bool sb_humans_make(sb_humans *humans, const sb_catalogue *catalogue, const char *const *paths, size_t n, size_t least,
                    sb_error *error);
void sb_humans_free(sb_humans *humans);

void sb_humans_print(const sb_humans *humans, sb_out *out);
bool sb_humans_load(sb_humans *humans, const sb_catalogue *catalogue, const char *path, sb_error *error);
bool sb_humans_parse(sb_humans *humans, const sb_catalogue *catalogue, const char *text, size_t n, sb_error *error);

/* What people did in an episode; NULL: nothing is known. */
const sb_people *sb_humans_find(const sb_humans *humans, const sb_name *name);
/* Puts people's baselines in place of those of an episode's effort; false: too few completed some level. */
bool sb_humans_rebase(const sb_people *people, sb_effort *effort);

/* Finds the quartiles and the 80th percentile of n values, which are sorted on the way. */
sb_quartiles sb_spread_of(double *values, size_t n);

#endif
