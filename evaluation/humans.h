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
    SB_HUMANS_BYTES = 64 << 20, /* of the document */
    SB_HUMANS_PLAYS = 1000000
};

/* The places of some values. */
typedef struct sb_spread {
    size_t n; /* 0: nothing is known */
    double quartiles[3], percentile80;
} sb_spread;

/* What people did in an episode, or in a task and difficulty; then the name's seed means nothing. */
typedef struct sb_people {
    sb_name name;
    size_t episodes, participants, plays;
    size_t first;             /* plays that are the participant's first of that episode */
    size_t counted;           /* of these, those of people who played alone */
    bool enough;              /* these are as many as are wanted */
    size_t judged, successes; /* of those that count */
    sb_spread scores, actions, seconds;
    size_t n_levels; /* of a game, for an episode only */
    struct {
        size_t completed;  /* by so many plays that count */
        uint32_t baseline; /* 0: too few */
    } levels[SB_EFFORT_LEVELS];
} sb_people;

/* Starts zeroed. */
typedef struct sb_humans {
    size_t least;
    size_t participants, plays;
    size_t again;                /* tapes that were there twice */
    size_t anonymous;            /* tapes of people that do not tell who, so that none is anybody's first */
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
/* Puts people's baselines in place of those of an episode's effort; false: on some level they are too few. */
bool sb_humans_rebase(const sb_people *people, sb_effort *effort);

/* The places of n values, which are sorted on the way. */
sb_spread sb_spread_of(double *values, size_t n);

#endif
