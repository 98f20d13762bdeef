/* The programs of the family: 43 that are shipped, and those that users bring. */
#ifndef SB_AUTUMN_PROGRAMS_H
#define SB_AUTUMN_PROGRAMS_H

#include "engine/autumn/autumn.h"
#include "engine/contract.h"

enum { SB_AUTUMN_N_PROGRAMS = 43, SB_AUTUMN_HASH = 13 /* 12 digits and NUL */ };

/* A program as it is played: compiled, with what its strings are as colours. Episodes share it, and it is freed with
 * the last of them. */
typedef struct sb_autumn_compiled {
    sb_autumn_program *program;
    /* By string: its colour (generators/autumn/colours.h), in lower case and as it is written. */
    uint8_t *lower, *exact;
    _Atomic size_t users;
} sb_autumn_compiled;

typedef struct sb_autumn_task {
    sb_task_info info;            /* must come first: environments point at it */
    const char *text;             /* of the program */
    int32_t side;                 /* GRID_SIZE at the start: the side of arrays and of the click area */
    bool draws;                   /* its steps draw: sb_autumn_draws, which needs a compiled program */
    sb_autumn_compiled *compiled; /* of a program that a user brought; NULL: it is compiled where it is played */
    char hash[SB_AUTUMN_HASH];
} sb_autumn_task;

const sb_task_info *sb_autumn_task_at(size_t index);
/* Puts the comment at the head of a shipped program, which tells its rules, without the title in its first line. */
void sb_autumn_describe(const sb_task_info *task, sb_out *out);
static inline const sb_autumn_task *sb_autumn_task_of(const sb_task_info *task) { return (const sb_autumn_task *)task; }

/* Returns the program of a task; the caller gives it back with sb_autumn_release. NULL: out of memory, or the text is
 * no program. */
sb_autumn_compiled *sb_autumn_compile(const sb_autumn_task *task, sb_error *error);
sb_autumn_compiled *sb_autumn_share(sb_autumn_compiled *compiled);
void sb_autumn_release(sb_autumn_compiled *compiled);

extern const sb_imports sb_autumn_imports;

#endif
