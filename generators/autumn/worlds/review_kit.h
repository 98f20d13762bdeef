/* What the parts of a review share. */
#ifndef SB_AUTUMN_REVIEW_KIT_H
#define SB_AUTUMN_REVIEW_KIT_H

#include "engine/autumn/inspect.h"
#include "engine/autumn/reader.h"
#include "generators/autumn/worlds/findings.h"
#include "seeds/rng.h"

enum {
    SB_REVIEW_PLAN = 1024 /* events of a play that are kept */,
    SB_REVIEW_TRACKED = 32,
    SB_REVIEW_PATH = 120,
    SB_REVIEW_TWINS = 32
};

/* A start that was accepted, or on which the search did not decide. */
typedef struct sb_review_start {
    sb_autumn_state *state;
    uint64_t seed;
    sb_autumn_event *plan; /* a shortest play; NULL: none was found */
    int n_plan;
} sb_review_start;

/* A state that proves something: where it was. */
typedef struct sb_review_witness {
    bool is_there;
    char name[80];             /* name of the episode */
    char path[SB_REVIEW_PATH]; /* actions that led to the state */
} sb_review_witness;

/* The looks of states: open addressing. */
typedef struct sb_review_look {
    uint64_t frame[2]; /* hash of the frame; both 0: free */
    uint64_t variables[SB_REVIEW_TRACKED];
} sb_review_look;

/* A state of a play that was made from a start. */
typedef struct sb_review_spot {
    uint32_t start;
    bool by_plan; /* the state is in the shortest play, otherwise in the random one */
    int32_t steps;
} sb_review_spot;

/* Two states that look alike and differ. */
typedef struct sb_review_twin {
    sb_review_spot a, b;
} sb_review_twin;

/* The first state that has its look. */
typedef struct sb_review_seen {
    uint64_t shown[2], state[2];
    sb_review_spot spot;
    bool is_there;
} sb_review_seen;

/* What agents may be shown of a state: the states of a difficulty as one mode shows them, by open addressing. */
typedef struct sb_review_view {
    sb_review_seen *seen;
    size_t n_seen, n_twins;
    sb_review_twin twins[SB_REVIEW_TWINS]; /* some of all twins that were seen; each had the same chance to be here */
    sb_rng rng;
    bool is_proven; /* two states that look alike need different actions, in one of the difficulties */
} sb_review_view;

enum { SB_REVIEW_FRAME, SB_REVIEW_MAP, SB_REVIEW_SENTENCES, SB_REVIEW_VIEWS };
/* Names of the modes in sentences. */
extern const char *const sb_review_view_words[SB_REVIEW_VIEWS];

/* What `unordered` could say of a list. */
typedef struct sb_review_list {
    uint32_t variable;
    uint32_t line, column; /* place in the clause `unordered`; line 0: the world does not claim the list */
    bool was_list, was_tried, matters;
    uint64_t with, without; /* states of searches that leave the order out, and that do not */
    sb_review_witness witness;
} sb_review_list;

typedef struct sb_review_work {
    const char *text;
    size_t n_text;
    sb_au_forms forms;
    sb_review *review;
    sb_error *error;
    /* The difficulty that is looked at. */
    sb_autumn_compiled world;
    const sb_autumn_world *told;
    const sb_autumn_difficulty *difficulty;
    sb_review_facts *facts;
    sb_world_solver *solver;
    sb_autumn_state *walker;
    sb_review_start starts[SB_REVIEW_STARTS];
    size_t n_starts;
    uint64_t spent, limit; /* evaluations in this difficulty so far, and how many there may be */
    /* What was seen in all difficulties. */
    size_t n_handlers, n_variables;
    bool *fired;             /* by handler: it fired */
    bool *drawn;             /* by variable: it had cells */
    sb_review_witness *left; /* by variable: it had cells off the grid */
    bool was_lost;
    uint32_t n_plays;
    bool used[SB_AUTUMN_CLICK + 1];   /* by key: a shortest play presses it */
    bool needed[SB_AUTUMN_CLICK + 1]; /* by key: no play without it is as short, or nobody knows */
    uint32_t n_plans;
    sb_review_witness bound_refuted;
    int32_t claimed, remaining; /* steps that the bound claims, and that really remain, where the bound is refuted */
    uint32_t n_bounds;          /* states in which the bound was compared */
    int32_t highest_bound;
    sb_autumn_fault fault; /* the first fault in a play */
    sb_review_witness fault_at;
    sb_review_list *lists;
    size_t n_lists;
    uint32_t tracked[SB_REVIEW_TRACKED];
    size_t n_tracked;
    bool hides[SB_REVIEW_TRACKED];
    sb_review_look *looks;
    size_t n_looks;
    sb_review_view views[SB_REVIEW_VIEWS];
    sb_review_spot spot;                /* where the play is that is being watched */
    uint64_t *contents;                 /* by variable: the hash of what it holds in the state that is looked at */
    uint64_t values[SB_REVIEW_TRACKED]; /* hashes of what the tracked variables hold in the state that is looked at */
} sb_review_work;

/* ---- Walks ---- */

/* An event like those of the agent `random`: one of the keys or a click, and then a cell. */
sb_autumn_event sb_review_random_event(sb_rng *rng, uint32_t size);
/* Takes a step and counts it. False: the program failed, which is noted. `path`: the actions up to now. */
bool sb_review_step(sb_review_work *w, const sb_review_start *start, sb_autumn_state *state, sb_autumn_event event,
                    sb_out *path);
/* Notes what can be seen of a state: handlers that fired, cells off the grid, looks. */
void sb_review_watch(sb_review_work *w, const sb_review_start *start, sb_autumn_state *state, const sb_out *path);
void sb_review_note(const sb_review_work *w, const sb_review_start *start, const sb_out *path,
                    sb_review_witness *witness);
/* Whether so many more expressions may be evaluated; notes it if not. */
bool sb_review_may_take(sb_review_work *w, uint64_t evaluations);
/* Evaluations that the last step or start took. */
static inline uint64_t sb_review_cost(const sb_autumn_state *state) {
    return SB_WORLD_STEP_COST + sb_autumn_evaluations(state);
}
static inline uint64_t sb_review_left(const sb_review_work *w) { return w->limit > w->spent ? w->limit - w->spent : 0; }

/* ---- Looks ---- */

/* Makes room for the looks of states. False: out of memory. */
bool sb_review_open_looks(sb_review_work *w);
void sb_review_close_looks(sb_review_work *w);
/* Forgets the states of a difficulty. */
void sb_review_clear_views(sb_review_work *w);
/* Compares the state at `spot` with those that look like it. */
void sb_review_look_at(sb_review_work *w, sb_autumn_state *state);

/* ---- Parts ---- */

/* Draws starts and finds shortest plays; false: out of memory. */
bool sb_review_draw(sb_review_work *w);
bool sb_review_play(sb_review_work *w);
/* Plays from some starts that were refused, so that faults of the program are seen; false: out of memory. */
bool sb_review_play_refused(sb_review_work *w);
/* Compares claims of the clauses with what is so; false: out of memory. */
bool sb_review_claims(sb_review_work *w);
bool sb_review_lists(sb_review_work *w);
/* Finds out whether states that look alike need different actions; false: out of memory. */
bool sb_review_twins(sb_review_work *w);

/* ---- Findings ---- */

__attribute__((format(printf, 4, 5))) void sb_review_find(sb_review_work *w, bool is_wrong, sb_autumn_place place,
                                                          const char *format, ...);
/* Where a clause of `task` stands, or a name within it (`name` NULL: the clause). */
sb_autumn_place sb_review_place(const sb_review_work *w, const char *clause, const char *name);
/* Tell what was found in one difficulty, and in all. */
bool sb_review_tell_difficulty(sb_review_work *w);
void sb_review_tell(sb_review_work *w);

#endif
