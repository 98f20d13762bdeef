/* How many games a task has at a difficulty, judged from starts. Two starts are the same game if their keys are equal
 * (sb_key): then no course of actions tells them apart. */
#ifndef SB_ROLLOUT_GAMES_H
#define SB_ROLLOUT_GAMES_H

#include "base/stop.h"
#include "rollout/selection.h"

/* What was counted in the starts of one task and difficulty. */
typedef struct sb_games {
    uint64_t starts, different; /* different: games among these starts */
    uint64_t once, twice;       /* games that only one start is, and games that two starts are */
    uint64_t pairs, triples;    /* pairs of starts that are the same game, and triples */
    uint64_t evaluation;        /* starts that are the game of an evaluation episode */
} sb_games;

typedef struct sb_games_counting {
    size_t jobs;                                                /* workers; 0: one per processor */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL; counts starts of the selection */
    void *context;
    const sb_stop *stop; /* may be NULL */
} sb_games_counting;

/* Counts the episodes `first` to `end` - 1 of the selection, which are of one task and difficulty. Memory: 16 bytes for
 * each. */
bool sb_games_count(const sb_selection *selection, size_t first, size_t end, const sb_games_counting *how,
                    sb_games *games, sb_error *error);

/* A number with the interval in which it lies with 95 % confidence. */
typedef struct sb_games_number {
    double is, least, most; /* INFINITY: not bounded */
} sb_games_number;

/* What the counts say of all starts that there may be.
 *
 * `games` is Chao's lower bound (bias-corrected; Chao 1987), with his log-normal interval. If no game was met only
 * once, it is the number of games that were met, and the interval is empty: the chance that a start is another one is
 * estimated as 0 (Good and Turing).
 *
 * `effective` is 1 over the probability that two starts are the same game, from the pairs that are: so many equally
 * likely games would give as many pairs. Its interval is that of a Poisson number, widened where some games come more
 * often than others, whose pairs come in clusters (the variance of the U-statistic, Hoeffding 1948). Without any pair
 * its least value is n (n - 1) / 6, because then the mean is at most 3 with 95 % confidence, and `is` is INFINITY. */
typedef struct sb_games_estimate {
    bool all; /* no game was met only once */
    sb_games_number games, effective;
} sb_games_estimate;
sb_games_estimate sb_games_judge(const sb_games *games);

/* The share of starts that are no game of an evaluation episode, in percent. */
double sb_games_left(const sb_games *games);

/* Put the numbers in words, for people: `9`, `at least 1,230 (1,100 to 1,410)`, `more than 16,700,000`. */
void sb_games_put_number(const sb_games *games, sb_out *out);
void sb_games_put_effective(const sb_games *games, sb_out *out);

/* The counts as members of a JSON object, and read from one. */
void sb_games_print(const sb_games *games, sb_out *out);
bool sb_games_read(const cJSON *object, sb_games *games, sb_error *error);

#endif
