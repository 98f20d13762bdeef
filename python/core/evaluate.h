/* The inside of EvaluationCore, for the files that it is made of. */
#ifndef SB_PYTHON_EVALUATE_H
#define SB_PYTHON_EVALUATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "evaluation/resume.h"
#include "python/core/look.h"

/* One of the episodes that run at the same time. */
typedef struct core_slot {
    bool runs;
    atomic_bool in_use;
    size_t place; /* the episode's place in the results */
    uint32_t attempt;
    sb_env *env;
    sb_tape tape;
    sb_failure failure;
    sb_action action; /* the action to be taken next */
    double reward;    /* reward of the action before */
    core_look *look;
    PyObject *told;   /* what info holds from the first step of the episode to the last */
    PyObject *frames; /* a list of what was shown between the last action and now; NULL: nothing */
} core_slot;

typedef struct core_evaluation {
    PyObject_HEAD core *core;
    bool is_made;
    atomic_bool in_use;      /* the library's agent plays, or the result is made */
    sb_catalogue *catalogue; /* challenges and programs that were brought; NULL: neither */
    sb_selection selection;
    /* Plan of what is drawn from the selection, under a budget; moved to the results when they begin. */
    sb_eval_budget_plan plan;
    sb_out selected; /* what was asked for, as results tell it, and a NUL */
    sb_baseline baseline;
    PyObject *certificates, *spec, *salt_text, *about, *instructions; /* texts as bytes, or NULL */
    sb_testing_rules testing;   /* rules of tests, with parsed instructions that belong to the evaluation */
    char label[SB_AGENT_LABEL]; /* what the agent is called; empty: as its options say */
    sb_plays plays;
    bool has_output;
    sb_run_watch watch; /* watches over functions; its limits are for all agents */
    sb_resume resume;   /* holds the journal, if there is an output */
    sb_agent_options options;
    sb_results results;
    atomic_size_t done;
    atomic_bool stops;
    pthread_mutex_t mutex; /* guards `guard` */
    pid_t guard;           /* process that watches over the agent's programs; 0: there is none */
    PyThreadState *thread; /* the thread that lets an agent of the library play, while the interpreter is left alone */
    /* The next members are for functions of Python. */
    core_slot *slots;
    size_t n_slots, jobs, next; /* next: the first place that nobody has begun */
    size_t end;                 /* end of the places to play, as far as is known */
    sb_salt salt;
    PyObject *obs, *pad;
} core_evaluation;

/* Notes who plays: the texts are kept, since the options point into them. False with an exception, also if somebody
 * plays already. */
bool core_note_agent(core_evaluation *self, const char *spec, const char *salt, unsigned long long steps);

/* Takes up what was played before. The results have to be begun. */
bool core_take_up(core_evaluation *self, sb_error *error);

/* ---- evaluate_slots.c: functions of Python ---- */

PyObject *core_evaluation_seat(PyObject *object, PyObject *arguments);
PyObject *core_evaluation_more(PyObject *object, PyObject *none);
PyObject *core_evaluation_begin(PyObject *object, PyObject *list);
PyObject *core_evaluation_show(PyObject *object, PyObject *number);
PyObject *core_evaluation_read(PyObject *object, PyObject *arguments);
PyObject *core_evaluation_say(PyObject *object, PyObject *arguments);
PyObject *core_evaluation_step(PyObject *object, PyObject *arguments);
PyObject *core_evaluation_lose(PyObject *object, PyObject *arguments);
PyObject *core_evaluation_place(PyObject *object, PyObject *number);
void core_slot_free(core_slot *slot);

#endif
