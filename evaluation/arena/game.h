/* One game of an arena, while it is played or replayed. Inside of evaluation/arena only. */
#ifndef SB_EVALUATION_ARENA_GAME_H
#define SB_EVALUATION_ARENA_GAME_H

#include "evaluation/arena/arena.h"
#include "evaluation/arena/evidence.h"
#include "evaluation/arena/runner.h"
#include "evaluation/arena/workspace.h"
#include "evaluation/models/grasp.h"
#include "evaluation/models/ledger.h"

enum {
    SB_ARENA_MAIL = 64,     /* messages that wait for a role; older ones are dropped */
    SB_ARENA_FOLDER = 1024, /* bytes of the path of a game's folder */
    SB_ARENA_POINT = 10     /* actions from a point of the curves to the next */
};

/* The names of files in a game's folder. */
#define SB_ARENA_ANSWERS     "answers.jsonl"
#define SB_ARENA_LOG         "log.jsonl"
#define SB_ARENA_STEPS       "steps.jsonl"
#define SB_ARENA_CHAT        "chat.jsonl"
#define SB_ARENA_REVISIONS   "revisions.jsonl"
#define SB_ARENA_LEDGER      "ledger.json"
#define SB_ARENA_REGRESSIONS "regressions.jsonl"
#define SB_ARENA_SCORES      "scores.json"
#define SB_ARENA_TIMES       "times.jsonl" /* how long answers took: the only file that differs from run to run */

typedef struct sb_role_state {
    bool is_due;                /* it is the role's turn to be asked */
    size_t told;                /* steps that the role has been told of */
    sb_out mail[SB_ARENA_MAIL]; /* messages as JSON objects */
    size_t n_mail;
} sb_role_state;

/* A program of the team. */
typedef struct sb_program_state {
    sb_voice voice;
    sb_out memory; /* JSON that the program gave to be kept; empty: nothing */
} sb_program_state;

/* What was decided, and how far it was carried out. */
typedef struct sb_decision {
    sb_arena_choice choice;
    sb_log_action *actions; /* the steps of a plan, or else one action */
    size_t n, at, capacity;
    char policy[SB_MODEL_NAME];
    bool is_committed; /* the actions are predicted before they are taken */
    uint64_t left;     /* actions that the decision may still take */
} sb_decision;

typedef struct sb_game {
    const sb_arena_options *o;
    const sb_arena_team *team;
    sb_arena_report *report;
    sb_env *env;                  /* the environment of a game that is played; NULL: a recording is gone through */
    const sb_log_play *recorded;  /* the recording that is gone through; NULL: the game is played */
    const sb_log_transition *all; /* lines of the recording that is gone through */
    sb_guard *guard;              /* NULL: nobody is asked */
    sb_answers answers;
    sb_workspace files;
    char folder[SB_ARENA_FOLDER], artifacts[1600]; /* artifacts: their folder, absolute */
    char *command;                                 /* the command that runs the artifacts */
    sb_program_state programs[SB_N_ROLES];
    sb_role_state roles[SB_N_ROLES];
    sb_out line, text, times, curve;
    /* The model. */
    sb_runner runner;
    sb_candidate model, thinker; /* thinker: for searches; it has the same program */
    bool has_model;
    sb_out texts[SB_N_ARTIFACTS];
    uint64_t revisions[SB_N_ARTIFACTS], revision;
    /* Where the game is. */
    sb_log_writer writer;
    sb_evidence evidence;
    sb_tape tape;
    sb_grasp grasp;    /* what `model` has grasped */
    uint8_t *observed; /* what is seen, as the model renders it */
    sb_offers offers;
    sb_tries tries;
    sb_imagining search;
    sb_decision decision;
    uint64_t last_reset;          /* the step of the last reset; 0: there was none */
    uint64_t n_choices, n_silent; /* how often the leader was asked for a choice, and gave no usable answer */
    sb_failure silence;           /* the failure of the leader's last unusable answer */
    /* Books. */
    sb_ledger ledger;
    double step_tokens;
    double began, written; /* by the clock: when the game began, when its files were last written */
    double waited;         /* seconds of waiting for answers, also in runs that were interrupted */
    uint64_t checks;       /* how often the limits were checked */
    bool is_over;
    sb_failure failure;
    sb_error *error;
} sb_game;

/* ---- Roles (roles.c) --------------------------------------------------------------------------------------------- */

/* Lets all programs say hello. */
bool sb_game_greet(sb_game *g);
/* Begins a line to a role; members follow. */
sb_out *sb_game_line(sb_game *g, sb_role role, const char *op);
/* Ends the line and asks; the answer is an object, or NULL after a failure, which is counted. The caller deletes it.
 * False only for errors of this process. */
bool sb_game_ask(sb_game *g, sb_role role, const char *op, cJSON **answer);
/* Leaves a message, which is also kept in the chat. `from` is a role or `arena`. */
bool sb_game_tell(sb_game *g, const char *from, sb_role to, const char *text);
/* Gives every role that is due its turns, and takes patches. */
bool sb_game_turns(sb_game *g);
/* Puts the steps that a role has not been told of, and notes that it has. */
void sb_game_put_news(sb_game *g, sb_role to);
/* Notes how long an answer took: of a role (`leader act`), `model` or `plan`. */
void sb_game_note_time(sb_game *g, const char *who, double seconds);
/* Adds the times of waiting that interrupted runs have noted. */
bool sb_game_read_times(sb_game *g);
/* Ends the game if a limit is reached. */
bool sb_game_check_limits(sb_game *g);

/* ---- The model (model.c) ----------------------------------------------------------------------------------------- */

/* Starts the model of the artifacts as they are in the workspace; `has_model` says whether it can be asked. */
bool sb_game_start_model(sb_game *g);
/* Makes the model's h again before each transition in the set of regressions. */
bool sb_game_carry_past(sb_game *g);
/* Encodes the frame of now and carries h on from at most the limit's steps back. */
bool sb_game_catch_up(sb_game *g);
/* Where a search begins that asks one of the two candidates. */
sb_imagine_from sb_game_from_here(const sb_game *g, sb_candidate *candidate);

/* ---- Repairs (repair.c) ------------------------------------------------------------------------------------------ */

/* Takes the patches of an answer: a list of objects. */
bool sb_game_patch(sb_game *g, sb_role role, const cJSON *patches);
/* Puts the artifacts into their files. */
bool sb_game_put_artifacts(sb_game *g);

/* ---- Actions (act.c, judge.c) ------------------------------------------------------------------------------------ */

/* Decides what to do next, if nothing is left of the last decision. */
bool sb_game_decide(sb_game *g);
/* Decides on one action. */
bool sb_game_decide_on(sb_game *g, sb_arena_choice choice, const sb_log_action *action);
/* Takes one action. */
bool sb_game_act(sb_game *g);
/* Compares a prediction with what happened (the writer's line), tells the owner what was wrong, and writes it down.
 * NULL: no prediction was wanted. */
bool sb_game_judge(sb_game *g, sb_arena_choice choice, const sb_expected *expected, bool *is_surprise);
/* Puts an entry into the ledger, or brings one up to date. */
bool sb_game_enter(sb_game *g, const sb_ledger_verdict *verdict);
bool sb_game_write_ledger(sb_game *g);

/* ---- Scores (scores.c) ------------------------------------------------------------------------------------------- */

/* Checks the last model on the whole game, and fills in the report. */
bool sb_game_conclude(sb_game *g);
void sb_game_put_scores(const sb_game *g, sb_out *out);

/* ---- The game (game.c) ------------------------------------------------------------------------------------------- */

/* A game of a run, by its number from 0. */
typedef struct sb_arena_game {
    char text[SB_LOG_GAME]; /* its name */
    sb_name name;           /* the episode's name */
    size_t index;
} sb_arena_game;
sb_arena_game sb_arena_game_of(const sb_arena_games *games, size_t index);

/* Plays a game, or replays it if there is no guard. `head` is the journal's first line. The tape and the failure are
 * for the results, and left alone with a recording. */
bool sb_game_play(const sb_arena_options *o, const sb_arena_games *games, const sb_arena_game *game, sb_env *env,
                  sb_guard *guard, const sb_lock *lock, const sb_out *head, sb_arena_report *report, sb_tape *tape,
                  sb_failure *failure, sb_error *error);

/* Writes the path of a game's folder, which lies in that of the run. */
void sb_game_name_folder(const char *run, const char *name, size_t index, char folder[SB_ARENA_FOLDER]);
bool sb_game_no_memory(sb_game *g);
/* Which role owns an artifact in this game: the team's owner of it, unless ownership is left out. */
static inline sb_role sb_game_owner(const sb_game *g, sb_model_owner artifact) {
    return g->o->without[SB_PART_OWNERSHIP] ? sb_arena_team_holder(g->team, SB_SIMULATOR)
                                            : sb_arena_team_owner(g->team, artifact);
}
static inline uint64_t sb_game_step(const sb_game *g) { return g->report->actions; }
static inline bool sb_game_is_done(const sb_game *g) {
    return g->recorded ? sb_game_step(g) == g->recorded->n : sb_status_of(g->env)->done;
}
/* The line of a recording that tells of the next action. */
static inline const sb_log_transition *sb_game_next_line(const sb_game *g) { return &g->all[sb_game_step(g)]; }

#endif
