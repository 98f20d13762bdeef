/* Tests: episodes in which an agent first interacts freely, without a score, and is then tested. A family with such
 * episodes has hooks here. Results keep what the hooks tell, so that every score follows without a replay. */
#ifndef SB_ENGINE_TESTING_H
#define SB_ENGINE_TESTING_H

#include "engine/environment.h"

enum { SB_TEST_KINDS = 8 /* the most kinds of tests that a family has */ };

/* What some tests have in common. Kinds are constants of the family. */
typedef struct sb_test_kind {
    const char *name; /* `planning` */
    double chance;    /* the mean score of guessing, below 1, for scores that are corrected for it; 0: there is none */
    bool detects;     /* the agent says when something changed, which is scored in two ways */
} sb_test_kind;

/* What became of a test. Zeroed: the episode is no test. */
typedef struct sb_test_record {
    const sb_test_kind *kind; /* NULL: the episode is no test */
    bool tested;              /* the test began */
    uint32_t interaction;     /* how many actions came before the test; the one that began it counts */
    bool submitted;           /* if the kind detects: the agent said when something changed */
    /* If the kind detects: the frame that shows the change first (0: none did), and the one at which the agent said so.
     */
    uint32_t changed, submitted_at;
    double score_zero; /* if the kind detects: the score by the other formula, which ends at 0 */
} sb_test_record;

/* What an action is, for measures of exploration. */
typedef enum sb_act { SB_ACT_NOOP, SB_ACT_KEY, SB_ACT_CLICK, SB_ACT_RESET, SB_ACT_OTHER, SB_N_ACTS } sb_act;

struct sb_test_source {
    /* The kind of all episodes of a task and difficulty; NULL: they are no tests. */
    const sb_test_kind *(*kind)(const sb_task_info *task, size_t difficulty);
    /* Whether the steps of a task's episodes draw random numbers. If not, equal actions always do the same. */
    bool (*draws)(const sb_task_info *task);
    /* Tells what became of a test. Before the call, `record` has its kind and is zeroed otherwise. */
    void (*tell)(const sb_env *env, sb_test_record *record);
    /* Puts what the agent is told before the first action, plain text of some lines. It tells nothing of this test. */
    void (*instruct)(const sb_env *env, sb_out *out);
    sb_act (*act)(const sb_shape *shape, sb_action action);
    sb_action waits, begins; /* the actions that let time pass, and that begin the test */
    uint32_t limit;          /* the test begins by itself after so many steps */
    uint64_t reserved; /* tests with seeds 1 to this are for evaluation: they are in the pack that comes with Seedbed */
};

/* The kind of all episodes of a task and difficulty, in any family; NULL: they are no tests. */
static inline const sb_test_kind *sb_test_kind_of(const sb_family *family, const sb_task_info *task,
                                                  size_t difficulty) {
    return family->tests ? family->tests->kind(task, difficulty) : NULL;
}

/* The kind of an episode; NULL: it is no test. */
static inline const sb_test_kind *sb_test_kind_in(const sb_env *env) {
    return sb_test_kind_of(env->family, env->task, env->difficulty_index);
}

/* The record of an episode of any family. */
static inline sb_test_record sb_test_record_of(const sb_env *env, const sb_family *family, const sb_task_info *task,
                                               size_t difficulty) {
    sb_test_record record = {.kind = sb_test_kind_of(family, task, difficulty)};
    if (record.kind) family->tests->tell(env, &record);
    return record;
}

/* Whether tests of this seed are for evaluation, and so no part of other datasets. */
static inline bool sb_is_reserved(const sb_family *family, const sb_task_info *task, size_t difficulty, uint64_t seed) {
    return sb_test_kind_of(family, task, difficulty) && seed >= 1 && seed <= family->tests->reserved;
}

static inline bool sb_same_test(sb_test_record a, sb_test_record b) {
    return a.kind == b.kind && a.tested == b.tested && a.interaction == b.interaction && a.submitted == b.submitted &&
           a.changed == b.changed && a.submitted_at == b.submitted_at && a.score_zero == b.score_zero;
}

#endif
