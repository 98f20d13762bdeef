/* A team: which program plays which role of an arena, and what a game may take (docs/arena.md). */
#ifndef SB_EVALUATION_ARENA_TEAM_H
#define SB_EVALUATION_ARENA_TEAM_H

#include "base/hash.h"
#include "evaluation/models/conversation.h"

typedef enum sb_role {
    SB_OBSERVER,
    SB_SIMULATOR,
    SB_INDUCTIVE,
    SB_TRANSDUCTIVE,
    SB_CRITIC,
    SB_LEADER,
    SB_N_ROLES
} sb_role;
extern const char *const sb_role_names[SB_N_ROLES];

/* The artifacts, in the order of the owners of models (sb_model_owner): who owns observation writes `observable`. */
enum { SB_N_ARTIFACTS = SB_N_OWNERS };
extern const char *const sb_artifact_names[SB_N_ARTIFACTS]; /* `observable`, `dynamics`, `strategy` */

/* What a game may take. 0: no limit, where a number of its own says none. */
typedef struct sb_arena_limits {
    uint64_t actions;                  /* actions of a game; 0: the episode's own limit */
    uint64_t step_tokens, tokens;      /* tokens of a step (what is done between two decisions), and of a game */
    uint64_t answer_seconds, seconds;  /* seconds for an answer of a role, and for a game */
    uint64_t rounds, batch, reset_gap; /* turns of a role in a step; actions of a decision; actions between resets */
    uint64_t ledger, catch_up;         /* open ledger entries by source and owner; steps from which h is made again */
    uint64_t nodes, depth;             /* predictions, and steps of the longest plan, in a search */
    double cost;                       /* cost of a game */
} sb_arena_limits;

typedef struct sb_arena_team {
    char name[SB_MODEL_NAME];
    char sha256[SB_SHA256_HEX]; /* SHA-256 of the team's file */
    sb_out text;                /* text of the team's file */
    char *model;                /* the command that runs the artifacts, with {artifacts} where their folder goes */
    uint64_t model_seconds;     /* seconds that the model has for an answer */
    char *programs[SB_N_ROLES]; /* commands, each once */
    size_t n_programs;
    int of[SB_N_ROLES]; /* index of the program of each role; -1: the role is absent */
    sb_arena_limits limits;
} sb_arena_team;

/* Reads a team's file. `folder` stands for {here} in commands; NULL: the folder of the file. The caller frees the team,
 * also after a failure. */
bool sb_arena_team_load(sb_arena_team *team, const char *path, const char *folder, sb_error *error);
void sb_arena_team_free(sb_arena_team *team);

/* Who does the part of a role: itself; if it is absent, the next one that is there of observer, simulator, inductive,
 * leader, in a circle. Without a transductive explorer or a critic the arena itself does their part: SB_N_ROLES. */
sb_role sb_arena_team_holder(const sb_arena_team *team, sb_role role);
/* Who owns an artifact. */
sb_role sb_arena_team_owner(const sb_arena_team *team, sb_model_owner artifact);

#endif
