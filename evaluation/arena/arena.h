/* The arena: a team of programs plays games and makes a model of each while it plays (docs/arena.md). Every action is
 * committed with a prediction, compared with what happens, and what was wrong goes to whoever owns that part of the
 * model. */
#ifndef SB_EVALUATION_ARENA_ARENA_H
#define SB_EVALUATION_ARENA_ARENA_H

#include "evaluation/arena/team.h"
#include "evaluation/evaluate.h"
#include "rollout/selection.h"
#include "rollout/transitions.h"

enum { SB_ARENA_VERSION = 1, SB_ARENA_PROTOCOL = 1 };

/* How an action was chosen. */
typedef enum sb_arena_choice {
    SB_CHOSE_PLAN,     /* the next step of a plan to the end of a level or to the goal, as the model has it */
    SB_CHOSE_PROGRESS, /* the next step of a plan that leads to more progress */
    SB_CHOSE_POLICY,   /* a policy of the model */
    SB_CHOSE_PROBE,    /* an action that somebody named, or else the one taken least often in this frame */
    SB_CHOSE_RESET,    /* a reset, by the leader or because the game was over */
    SB_CHOSE_RECORDED, /* the action of a recording, chosen long ago */
    SB_CHOICES
} sb_arena_choice;
extern const char *const sb_arena_choices[SB_CHOICES];

/* Parts of the loop that a run can do without, to see what they are good for. */
typedef enum sb_arena_part {
    SB_PART_COMMITMENT, /* predictions before actions */
    /* several owners of artifacts; without: the simulator owns all of them, and is told of every difference */
    SB_PART_OWNERSHIP,
    SB_PART_REGRESSIONS, /* patches are checked on the set of regressions; without: on nothing */
    SB_PART_PROBES,      /* actions are named or chosen; without: they are drawn, whoever would choose one */
    SB_PART_PLANNER,     /* searches for plans; without: no plan is ever found */
    SB_N_PARTS
} sb_arena_part;
extern const char *const sb_arena_parts[SB_N_PARTS];

typedef struct sb_arena_options {
    const sb_catalogue *catalogue;
    const sb_arena_team *team;
    const char *folder;    /* the folder of the run */
    const char *selection; /* what a result says of the selection: a JSON object, with its NUL; unused with a log */
    bool gate;             /* a patch that breaks something is refused */
    bool resume;
    bool without[SB_N_PARTS];
    int errors;                                           /* descriptor of the programs' standard error; -1: ours */
    sb_timer *now;                                        /* needed */
    void (*progress)(void *context, size_t n, size_t of); /* actions of this game; may be NULL */
    void (*begins)(void *context, const char *name, size_t game, size_t of); /* games from 1; may be NULL */
    sb_note *note;                                                           /* may be NULL */
    void *context;
} sb_arena_options;

/* What a role took: what it reported, and how long it was waited for. */
typedef struct sb_arena_spent {
    uint64_t asked, failures;
    double tokens_in, tokens_out, cost;
    bool is_unknown, is_cost_unknown; /* some tokens, some costs were reported as not known */
    /* time that the role was waited for; not in the document of the scores, since it is never the same again */
    double seconds;
} sb_arena_spent;

/* What came of a game. */
typedef struct sb_arena_report {
    char game[SB_LOG_GAME]; /* its name */
    bool is_recorded;       /* the game is a recording, which has no score */
    bool is_silent; /* no choice of the leader could be used: what was done in its place is no score of the team */
    sb_status status;
    sb_criterion criterion;
    const char *score_name; /* name of the effort's score; NULL: the family does not measure it */
    sb_effort effort;
    uint64_t actions, by[SB_CHOICES];
    uint64_t asked, said, right;     /* predictions before the action: due, there, right */
    double retrodiction;             /* share that the last model predicts right, over the whole game */
    uint64_t surprises[SB_N_OWNERS]; /* wrong predictions by owner */
    uint64_t patches, accepted, gated, malformed, marked; /* patches by all roles; marked: they broke something */
    uint64_t repaired, held; /* ledger entries that a revision resolved; those of them that stayed so */
    sb_arena_spent spent[SB_N_ROLES];
    /* waiting for the model in searches (plan) and besides (model); not in the document of the scores */
    double model_seconds, plan_seconds;
    char end[96];  /* why it ended, for people: `success`, `the limit of actions` */
    sb_out scores; /* the whole report as a document, as the game's folder has it */
} sb_arena_report;

/* What a run is about: games that are played; or the plays of a log, which are gone through without a choice of
 * actions: the team only predicts and repairs. */
typedef struct sb_arena_games {
    const sb_selection *selection;
    const sb_log *log; /* NULL: the selection */
} sb_arena_games;
static inline size_t sb_arena_n_games(const sb_arena_games *games) {
    return games->log ? games->log->n_plays : games->selection->n;
}

/* Plays all games, or goes on with them, and writes the run's folder. The caller frees the results (recordings have
 * none) and the reports, one for each game, also after a failure. */
bool sb_arena_run(const sb_arena_options *options, const sb_arena_games *games, sb_results *results,
                  sb_arena_report **reports, sb_error *error);
void sb_arena_reports_free(sb_arena_report *reports, size_t n);
/* Whether a folder is that of a run. */
bool sb_arena_is_run(const char *folder);
/* Replays a run from its journals, and compares every file. `*games` and `*actions` count. */
bool sb_arena_verify(const sb_catalogue *catalogue, const char *folder, size_t *games, uint64_t *actions,
                     sb_error *error);

#endif
