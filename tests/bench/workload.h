/* The work that is measured, for one task at one difficulty. Timings (bench.c) and instruction counts (count.c) run the
 * same work, through the family contract only. */
#ifndef SB_TESTS_BENCH_WORKLOAD_H
#define SB_TESTS_BENCH_WORKLOAD_H

#include "base/gzip.h"
#include "datasets/bundle.h"
#include "rollout/worker.h"
#include "seedbed/costs.h"
#include "seedbed/picture.h"

#if defined(__clang__)
#define WORKLOAD_COMPILER "clang " __clang_version__
#else
#define WORKLOAD_COMPILER "gcc " __VERSION__
#endif

enum {
    WORKLOAD_STARTS = 16,     /* episodes started beforehand, whose copies are played */
    WORKLOAD_ACTIONS = 16384, /* random actions drawn beforehand */
    WORKLOAD_MEMBERS = 4,     /* gzip members of SB_MEMBER_EPISODES solved episodes each */
    WORKLOAD_TAPES = WORKLOAD_MEMBERS * SB_MEMBER_EPISODES,
    WORKLOAD_SEEDS = 1 << 16,  /* resets take seeds from 0 up to this, over and over */
    WORKLOAD_BUFFER = 1 << 20, /* bytes for an observation */
    WORKLOAD_CROWD = 1024,     /* environments of a batch */
    WORKLOAD_THREADS = 2,      /* of a batch, at most */
    WORKLOAD_PAINTS = 9,       /* ways to paint */
    WORKLOAD_COSTS = 64,       /* actions whose costs are asked for, at most */
    WORKLOAD_SCENES = 512      /* states with different grounds, many more than a brush keeps */
};

#define WORKLOAD_TAPE_SEEDS "0..63"
_Static_assert(WORKLOAD_TAPES == 64, "WORKLOAD_TAPE_SEEDS has one seed for each tape");

/* Many environments, stepped as a batch or one after the other. When an episode ends, the next seed follows. */
typedef struct crowd {
    sb_batch *batch;
    sb_env **envs; /* environments that are stepped one after the other; NULL if this is a batch */
    sb_result results[WORKLOAD_CROWD];
    bool begun[WORKLOAD_CROWD];
    sb_array_out arrays[SB_ARRAYS_MAX];
    size_t sizes[SB_ARRAYS_MAX]; /* bytes of each array of one environment */
    size_t n_arrays;
    sb_name name; /* of the next episode */
} crowd;

typedef struct workload {
    sb_env *env; /* the environment in which everything runs */
    const sb_family *family;
    const char *agent;   /* `expert`, or `random` if there is none */
    const char *teacher; /* whose labels are asked for: the teacher of datasets, or `random` if there is none */
    sb_env *starts[WORKLOAD_STARTS];
    sb_action actions[WORKLOAD_ACTIONS];
    size_t next_start, next_action, next_member;
    sb_name name; /* of the next reset */
    sb_player player, labeller;
    sb_tape played[WORKLOAD_STARTS]; /* the teacher's rollouts of the starts; made at the first use */
    sb_rng noise;                    /* decides where a random action replaces the teacher's */
    sb_costs *costs; /* of the agent's actions; made at the first use, as is the environment in which it is asked */
    sb_env *costly;
    size_t next_costly; /* the step of the tape that is taken there */
    sb_tape tapes[WORKLOAD_TAPES];
    const sb_exporter *exporter;
    sb_export options;
    sb_out rows[WORKLOAD_MEMBERS]; /* rows of the tapes, for zlib alone */
    sb_out rendered, packed;       /* of the member being made: rows, and compressed */
    sb_gzip gzip;
    char *buffer;
    /* The same episodes as a dataset: its schedule and what its workers need. */
    sb_recipe recipe;
    sb_schedule schedule;
    sb_bundle bundles[WORKLOAD_MEMBERS];
    sb_bundle_worker worker;
    sb_brush *brushes[WORKLOAD_PAINTS]; /* made at the first use */
    sb_env *scenes[WORKLOAD_SCENES];    /* the same */
    size_t next_scene;
    crowd *crowds[2][WORKLOAD_THREADS + 1]; /* without and with arrays; by threads, 0: one after the other */
    sb_error error;                         /* why a run failed */
} workload;

/* A way to paint: a look of the family by its index, and options. */
typedef struct paint {
    const char *name;
    size_t look;
    sb_brush_options options;
} paint;

extern const paint workload_paints[WORKLOAD_PAINTS];

typedef struct tally {
    uint64_t units; /* what the part counts: steps, rows, ... */
    uint64_t bytes; /* of rows, before compression; 0 for work without rows */
} tally;

/* One thing to measure. */
typedef struct part {
    const char *unit;
    /* Does it n times (n members where rows are made) and adds to the tally; false with the workload's error. */
    bool (*run)(workload *w, const struct part *part, size_t n, tally *done);
    const sb_mode *mode; /* of the observation, or NULL */
    int level;           /* of compression, or 0 */
    size_t workers;      /* threads, measured by wall time; 0: the calling thread, measured by processor time */
    size_t paint;        /* index in workload_paints, for work that paints */
    bool masks;          /* a mask of actions after every step */
    bool arrays;         /* crowds fill all arrays of each environment after every step */
} part;

/* Starts the episodes of the name's task and difficulty, with seeds from 0 on, and solves the tapes if asked to (parts
 * that make rows need them). The caller closes the workload, even after a failure, which is in its `error`. */
bool workload_open(workload *w, const sb_name *name, bool solves);
void workload_close(workload *w);

bool run_reset(workload *w, const part *part, size_t n, tally *done);
/* Takes random actions, and observes in the part's mode if it has one, or asks for the mask of actions. When an episode
 * ends, a copy of a start follows. */
bool run_step(workload *w, const part *part, size_t n, tally *done);
/* Observes the starts. */
bool run_observe(workload *w, const part *part, size_t n, tally *done);
/* Fills all arrays of the starts, each by a call of sb_observe_array. */
bool run_fill(workload *w, const part *part, size_t n, tally *done);
/* Paints the starts; or takes random actions, and paints after each. */
bool run_paint(workload *w, const part *part, size_t n, tally *done);
/* Paints states whose ground the brush has not kept. */
bool run_paint_anew(workload *w, const part *part, size_t n, tally *done);
bool run_step_and_paint(workload *w, const part *part, size_t n, tally *done);
/* Runs n rounds, in each of which every environment of a crowd takes a random action or begins its next episode. The
 * crowd is a batch with the part's workers, or, without workers, a loop over sb_step and sb_reset_name. */
bool run_crowd(workload *w, const part *part, size_t n, tally *done);
/* Lets the agent play n episodes, including copying the start and taking the steps. */
bool run_decide(workload *w, const part *part, size_t n, tally *done);
/* Lets the teacher label every state of n rollouts: each takes the teacher's own actions from the same start, without
 * looking, except that a random action replaces 12 % of them. So most states are not on the teacher's way. Includes
 * copying the start and taking the steps. */
bool run_relabel(workload *w, const part *part, size_t n, tally *done);
bool run_costs(workload *w, const part *part, size_t n, tally *done);
/* Makes rows from tapes, including the replay; compressed if the part has a level. */
bool run_render(workload *w, const part *part, size_t n, tally *done);
/* Does all the work of a worker of `seedbed render`: also reads tapes from their lines, and counts and hashes rows.
 * Runs in the part's workers if it has any. */
bool run_worker(workload *w, const part *part, size_t n, tally *done);
/* Does all the work of a worker of `seedbed build`: solve, render, print the tapes, hash and compress both. */
bool run_build(workload *w, const part *part, size_t n, tally *done);
/* Runs zlib alone on the bytes that run_render makes, with the same parameters. */
bool run_zlib(workload *w, const part *part, size_t n, tally *done);

#endif
