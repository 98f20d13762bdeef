/* The programs of the family: 43 that are shipped, and those that users bring. */
#ifndef SB_AUTUMN_PROGRAMS_H
#define SB_AUTUMN_PROGRAMS_H

#include <pthread.h>

#include "engine/autumn/world.h"
#include "engine/contract.h"
#include "generators/autumn/variants.h"

enum { SB_AUTUMN_N_PROGRAMS = 43, SB_AUTUMN_HASH = 13 /* 12 digits and NUL */, SB_AUTUMN_PLAIN_NAME = 40 };

/* Which start of a world was accepted for a seed (generators/autumn/worlds/start.h). */
typedef struct sb_autumn_accepted {
    uint64_t seed;
    uint32_t attempt;
    bool is_known;
} sb_autumn_accepted;
/* starts that are remembered: each replaces one whose seed has the same remainder */
enum { SB_AUTUMN_ACCEPTED = 512 };

/* A program as it is played: compiled, with what its strings are as colours. Episodes share it, and it is freed with
 * the last of them. */
typedef struct sb_autumn_compiled {
    sb_autumn_program *program;
    size_t difficulty; /* difficulty of a world, by number */
    int32_t side;      /* GRID_SIZE at the start: the side of arrays and of the click area */
    /* SB_AUTUMN_ACCEPTED starts of a world, which the mutex guards; NULL: the program is no world */
    sb_autumn_accepted *accepted;
    pthread_mutex_t mutex;
    /* By string: its colour (generators/autumn/colours.h), in lower case and as it is written. */
    uint8_t *lower, *exact;
    _Atomic size_t users;
} sb_autumn_compiled;

typedef struct sb_autumn_task {
    sb_task_info info; /* must come first: environments point at it */
    const char *text;  /* text of the program */
    int32_t side;      /* GRID_SIZE of a shipped program at the start */
    /* steps of the program draw: sb_autumn_draws_in_steps, which needs a compiled program */
    bool draws;
    const sb_autumn_world *world; /* what the program says if it is a world; NULL: it is none */
    /* The compiled program: one that a user brought has the first member, a world has one for each difficulty. NULL: it
     * is compiled where it is played. */
    sb_autumn_compiled *compiled[SB_AUTUMN_DIFFICULTIES_MAX];
    sb_difficulties difficulties; /* difficulties of a world */
    const char *words[SB_AUTUMN_DIFFICULTIES_MAX];
    char hash[SB_AUTUMN_HASH];
    /* By difficulty of a world: the task whose challenges are derived from it without its statement `task`, which is
     * named `Crates/easy`. These tasks stand without gaps. */
    struct sb_autumn_task *plain[SB_AUTUMN_DIFFICULTIES_MAX];
    bool is_plain; /* the task is derived from a world without its statement `task`, and has challenges alone */
    char name[SB_AUTUMN_PLAIN_NAME];
} sb_autumn_task;

const sb_task_info *sb_autumn_task_at(size_t index);
/* Whether a shipped program has this name, in any case of letters. */
bool sb_autumn_is_shipped(const char *name);
/* Puts the page of a task, which tells its rules: of a shipped program, the comment at its head without the title. */
void sb_autumn_describe(const sb_task_info *task, sb_out *out);
static inline const sb_autumn_task *sb_autumn_task_of(const sb_task_info *task) { return (const sb_autumn_task *)task; }

/* The difficulties of a world, and of a task with its challenges; NULL: the task is none of both. */
const sb_difficulties *sb_autumn_difficulties_of(const sb_task_info *task);
/* What the difficulty of a task is in generators/autumn/variants.h: in worlds, all are free of challenges. */
static inline size_t sb_autumn_variant_of(const sb_task_info *task, size_t difficulty) {
    const sb_autumn_task *t = sb_autumn_task_of(task);
    if (t->is_plain) return SB_AUTUMN_FIRST_CHALLENGE + difficulty;
    return t->world ? SB_AUTUMN_OURS : difficulty;
}
/* GRID_SIZE of a task at the start. */
static inline int32_t sb_autumn_side_of(const sb_task_info *task, size_t difficulty) {
    const sb_autumn_task *t = sb_autumn_task_of(task);
    const sb_autumn_compiled *compiled = t->compiled[t->world ? difficulty : 0];
    return compiled ? compiled->side : t->side;
}

/* The fault of a program that starts without a cell: it is no task, and no start of a world. */
extern const sb_autumn_fault sb_autumn_no_grid;

/* Returns the program of a task; the caller gives it back with sb_autumn_release. NULL: out of memory, or the text is
 * no program. */
sb_autumn_compiled *sb_autumn_compile(const sb_autumn_task *task, size_t difficulty, sb_error *error);
sb_autumn_compiled *sb_autumn_share(sb_autumn_compiled *compiled);
void sb_autumn_release(sb_autumn_compiled *compiled);

extern const sb_imports sb_autumn_imports;

#endif
