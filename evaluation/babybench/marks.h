/* BabyBench's scores: reads answers of a language model from a file, plays them and marks them one by one. An answer
 * that cannot be read counts as wrong, with a reason, and the work goes on. The measures: docs/babyai.md. */
#ifndef SB_EVALUATION_BABYBENCH_MARKS_H
#define SB_EVALUATION_BABYBENCH_MARKS_H

#include "base/out.h"
#include "engine/environment.h"
#include "rollout/worker.h"

typedef enum sb_babybench_task { SB_PREDICT, SB_PLAN, SB_DECOMPOSE, SB_N_BABYBENCH_TASKS } sb_babybench_task;
bool sb_babybench_task_find(const char *name, sb_babybench_task *protocol, sb_error *error);
extern const char *const sb_babybench_task_names[SB_N_BABYBENCH_TASKS];

enum { SB_MEASURES_MAX = 8, SB_MARK_REASON = 200 };

/* A value that is measured for every answer and then averaged. */
typedef struct sb_mark_measure {
    const char *name, *mean; /* names of the value and of its average */
    double factor;           /* the average is multiplied by it: 100 for percent */
    bool of_all;             /* an answer that could not be read counts as 0; otherwise it is left out */
    bool whole;              /* the value is a whole number */
} sb_mark_measure;

/* The measures of each task; the list ends with a name that is NULL. */
extern const sb_mark_measure sb_measures[SB_N_BABYBENCH_TASKS][SB_MEASURES_MAX + 1];

typedef struct sb_mark {
    size_t line;
    bool is_known; /* whether the episode is known; if not, the answer counts only in the totals */
    sb_name name;
    const sb_family *family;
    size_t task;
    bool has[SB_MEASURES_MAX];
    double values[SB_MEASURES_MAX];
    char expected[40], said[64]; /* Predict: the right state, and the one that the answer says */
    sb_xy size;                  /* size of the grid in cells; 0 and 0 if it is not known */
    uint32_t max_help;           /* Decompose: subgoals that the oracle makes without any plan; 0 if it is not known */
    int32_t solved_with; /* Decompose: how many subgoals were added to solve the episode; -1: it was not solved */
    char reason[SB_MARK_REASON]; /* why the answer could not be read; empty: it could */
} sb_mark;

enum { SB_MARKS_MAX = 1 << 20 /* most answers in a file */ };

/* What answers are grouped by, besides their levels and the levels' categories (evaluation/babybench/marks_print.c). */
typedef enum sb_mark_grouping {
    SB_MARKS_UNGROUPED,
    SB_MARKS_BY_SKILL,
    SB_MARKS_BY_ADDED,
    SB_MARKS_BY_SIZE,
    SB_N_MARK_GROUPINGS
} sb_mark_grouping;
bool sb_mark_grouping_find(const char *name, sb_mark_grouping *by, sb_error *error);
extern const char *const sb_mark_groupings[SB_N_MARK_GROUPINGS]; /* `skill`, `added`, `size` */

typedef struct sb_marks {
    const sb_catalogue *catalogue; /* the user's tasks, which follow the built-in ones */
    sb_babybench_task protocol;
    sb_mark_grouping by; /* the caller may set it before printing */
    sb_mark *rows;       /* marks of the answers, in the order of the file */
    size_t n;
} sb_marks;

typedef struct sb_marking {
    const sb_catalogue *catalogue; /* where names are looked up */
    sb_babybench_task protocol;
    const char *text; /* one JSON object per line; blank lines are skipped */
    size_t size;
    const char
        *expert; /* the agent whose actions answers are compared with; NULL: the oracle that takes plans, or `expert` */
    size_t jobs; /* workers; 0: one per processor */
    /* plays everything without other threads, for callers that mark many files; may be NULL */
    sb_worker *worker;
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    void *context;
} sb_marking;

/* Marks all answers. The caller frees the marks, also after a failure. */
bool sb_mark_answers(const sb_marking *marking, sb_marks *marks, sb_error *error);
void sb_marks_free(sb_marks *marks);

/* Reads the answers of a language model to BabyBench's three tasks, as the benchmark reads them (docs/babyai.md). If
 * an answer cannot be read, the error says what was looked for. */

/* A part of a text. */
typedef struct sb_answer_part {
    const char *at;
    size_t n;
} sb_answer_part;

typedef struct sb_pose {
    int64_t x, y, direction; /* magnitudes above a thousand million become a thousand million */
} sb_pose;

/* Predict: reads the first `((x, y), d)` after `The agent's final state is: `, or else the first three whole
 * numbers. */
bool sb_answer_state(const char *answer, sb_pose *pose, sb_error *error);

/* Plan: finds the text after `The LLM's action sequence is: `. */
bool sb_answer_actions(const char *answer, sb_answer_part *list, sb_error *error);
/* Takes the next action off a list of names separated by commas; words that name no action are skipped. False at the
 * end. */
bool sb_next_action(sb_answer_part *list, const sb_env *env, sb_action *action);

/* Decompose: finds the lines between the line `<START>` and the line `<END>`; without an end, all but the last
 * character. */
bool sb_answer_plan(const char *answer, sb_answer_part *plan, sb_error *error);

/* Marks as a document and as a table. */

/* Writes a JSON document; `rows` = false leaves out the single answers. */
bool sb_marks_print(const sb_marks *marks, bool rows, sb_out *out, sb_error *error);
/* Writes a table for people, with the first few reasons. */
bool sb_marks_tabulate(const sb_marks *marks, sb_out *out, sb_error *error);

#endif
