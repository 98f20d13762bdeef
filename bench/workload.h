/* What is measured: one task at one difficulty, and what a core can do with it. The timings (bench.c) and the
 * instruction counts (count.c) run the same work, through the family contract alone. */
#ifndef SB_BENCH_WORKLOAD_H
#define SB_BENCH_WORKLOAD_H

#include "base/gzip.h"
#include "datasets/bundle.h"
#include "rollout/worker.h"

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
    WORKLOAD_SEEDS = 1 << 16,  /* resets go round these: consecutive ones from 0 */
    WORKLOAD_BUFFER = 1 << 20, /* bytes for an observation */
    WORKLOAD_CROWD = 1024,     /* environments of a batch */
    WORKLOAD_THREADS = 2       /* of a batch, at most */
};

#define WORKLOAD_TAPE_SEEDS "0..63"
_Static_assert(WORKLOAD_TAPES == 64, "the tapes are those of these seeds");

/* Many environments at a time, stepped as a batch or one after the other. An episode that ends is followed by that of
 * the next seed, without end. */
typedef struct crowd {
    sb_batch *batch;
    sb_env **envs; /* stepped one after the other: as many; NULL: it is a batch */
    sb_result results[WORKLOAD_CROWD];
    bool begun[WORKLOAD_CROWD];
    sb_array_out arrays[SB_ARRAYS_MAX];
    size_t sizes[SB_ARRAYS_MAX]; /* bytes of each array of one environment */
    size_t n_arrays;
    sb_name name; /* of the next episode */
} crowd;

typedef struct workload {
    sb_env *env; /* in which everything happens */
    const sb_family *family;
    const char *agent; /* `expert`, or `random` where there is none */
    sb_env *starts[WORKLOAD_STARTS];
    sb_action actions[WORKLOAD_ACTIONS];
    size_t next_start, next_action, next_member;
    sb_name name; /* of the next reset */
    sb_player player;
    sb_tape tapes[WORKLOAD_TAPES];
    const sb_exporter *exporter;
    sb_export options;
    sb_out rows[WORKLOAD_MEMBERS]; /* what the tapes give, for zlib alone */
    sb_out rendered, packed;       /* of the member being made: rows, and compressed */
    sb_gzip gzip;
    char *buffer;
    /* The same episodes as a data set: what its workers are given, and what they work with. */
    sb_recipe recipe;
    sb_schedule schedule;
    sb_bundle bundles[WORKLOAD_MEMBERS];
    sb_bundle_worker worker;
    crowd *crowds[2][WORKLOAD_THREADS + 1]; /* without and with arrays; by threads, 0: one after the other */
    sb_error error;                         /* why a run failed */
} workload;

typedef struct tally {
    uint64_t units; /* whatever a part counts: steps, rows, ... */
    uint64_t bytes; /* of rows, before compression; 0 for work without rows */
} tally;

/* One thing to measure. */
typedef struct part {
    const char *unit;
    /* Does it n times (n members where rows are made) and adds to the tally; false with the workload's error. */
    bool (*run)(workload *w, const struct part *part, size_t n, tally *done);
    const sb_mode *mode; /* of the observation, or NULL */
    int level;           /* of compression, or 0 */
    size_t workers;      /* threads, timed by the clock on the wall; 0: in this one, by its processor time */
    bool arrays;         /* crowds show all arrays of each environment after every step */
} part;

/* Starts the episodes of the name's task and difficulty, and solves the tapes if asked to (all that makes rows needs
 * them); seeds count from 0. The caller closes it, also after a failure (which is in its `error`). */
bool workload_open(workload *w, const sb_name *name, bool solves);
void workload_close(workload *w);

bool run_reset(workload *w, const part *part, size_t n, tally *done);
/* Random actions, observed in the part's mode if it has one. An episode that ends is followed by a copy of a start. */
bool run_step(workload *w, const part *part, size_t n, tally *done);
/* Observes the starts. */
bool run_observe(workload *w, const part *part, size_t n, tally *done);
/* Fills all arrays of the starts, each a call of sb_observe_array. */
bool run_fill(workload *w, const part *part, size_t n, tally *done);
/* n rounds, in each of which every environment of a crowd takes a random action or begins its next episode. A batch
 * with the part's workers; without workers by sb_step and sb_reset_name. */
bool run_crowd(workload *w, const part *part, size_t n, tally *done);
/* n episodes decided by the agent: copying the start and taking the steps included. */
bool run_decide(workload *w, const part *part, size_t n, tally *done);
/* Tapes to rows: the replay included; compressed if the part has a level. */
bool run_render(workload *w, const part *part, size_t n, tally *done);
/* All that a worker of `seedbed render` does: tapes are read from their lines, rows are counted and hashed as well. By
 * the part's workers if it has some. */
bool run_worker(workload *w, const part *part, size_t n, tally *done);
/* All that a worker of `seedbed build` does: solve, render, print the tapes, hash and compress both. */
bool run_build(workload *w, const part *part, size_t n, tally *done);
/* zlib alone on the bytes that run_render makes, with the same parameters. */
bool run_zlib(workload *w, const part *part, size_t n, tally *done);

#endif
