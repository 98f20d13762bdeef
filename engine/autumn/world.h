/* Worlds: programs whose first statement, `task`, says when an episode is won, what varies with the difficulty, and
 * which starts count. The statement's clauses are described in docs/worlds.md; what is said of them here is how they
 * are kept. */
#ifndef SB_AUTUMN_WORLD_H
#define SB_AUTUMN_WORLD_H

#include "engine/autumn/autumn.h"

enum {
    SB_AUTUMN_WORLD_NAME_MAX = 39, /* characters of a world's name */
    SB_AUTUMN_WORD_MAX = 15,       /* characters of a difficulty's name */
    SB_AUTUMN_SENTENCE_MAX = 200,  /* bytes of the text of `says` */
    SB_AUTUMN_CATEGORY_MAX = 40,   /* bytes of the text of `category` */
    SB_AUTUMN_DIFFICULTIES_MAX = 8,
    SB_AUTUMN_STEPS_MAX = 100000,
    SB_AUTUMN_MAP_MAX = 1 << 14, /* bytes of a text of several lines */
    SB_AUTUMN_SPRITE = 8         /* rows of a sprite, and characters of each */
};

/* One clause `difficulty`. */
typedef struct sb_autumn_difficulty {
    char word[SB_AUTUMN_WORD_MAX + 1]; /* name of the difficulty; "" if the world has no clause `difficulty` */
    int32_t steps;                     /* the step limit */
    bool has_solution;                 /* a start counts if its shortest solution has least to most steps */
    int32_t least, most;
    uint64_t search; /* how many states the search for a solution may look at */
} sb_autumn_difficulty;

typedef struct sb_autumn_world {
    char name[SB_AUTUMN_WORLD_NAME_MAX + 1], category[SB_AUTUMN_CATEGORY_MAX + 1], says[SB_AUTUMN_SENTENCE_MAX + 1];
    sb_autumn_difficulty difficulties[SB_AUTUMN_DIFFICULTIES_MAX];
    size_t n_difficulties;
    bool has_score, has_bound, has_reward, has_lose;
    int32_t score_max;               /* with `score`: the score that wins */
    bool needs[SB_AUTUMN_CLICK + 1]; /* by key: a start counts if it cannot be won without this one */
} sb_autumn_world;

/* What the clauses say of a state. */
typedef struct sb_autumn_standing {
    bool won, lost;
    bool starts;    /* the clause `start` holds, at the start; true without it */
    int32_t score;  /* 0 without `score` */
    int32_t reward; /* hundredths; 0 without `reward` */
    int32_t bound;  /* the least number of steps that are left; 0 unless it was asked for */
} sb_autumn_standing;

/* Whether a world may have this name. */
bool sb_autumn_may_be_world(const char *name);
/* What the statement `task` says; NULL: the program is no world. */
const sb_autumn_world *sb_autumn_world_of(const sb_autumn_program *program);
/* Whether starts of a difficulty are accepted by searches. */
bool sb_autumn_is_searched(const sb_autumn_world *world, size_t difficulty);
/* The standing of a started state of a world, after its start or its last step. */
const sb_autumn_standing *sb_autumn_standing_of(const sb_autumn_state *state);
/* From now on steps find out `bound`, too; copies do not take this over. */
void sb_autumn_want_bound(sb_autumn_state *state, bool wanted);

#endif
