/* An episode that was played, and how results and journals write it as JSON (docs/evaluation.md, "Results"). */
#ifndef SB_EVALUATION_EPISODE_H
#define SB_EVALUATION_EPISODE_H

#include <cjson/cJSON.h>

#include "agents/failure.h"
#include "agents/salt.h"
#include "rollout/recorded.h"

/* Whether an episode can be won, according to its certificate. */
typedef enum sb_winnable { SB_NOT_CERTIFIED, SB_CAN_BE_WON, SB_CANNOT_BE_WON } sb_winnable;
extern const char *const sb_winnable_names[3]; /* unknown, solved, impossible: the certificates' words */

typedef struct sb_played {
    bool done;          /* the episode was played; all else is zero until then */
    uint32_t attempt;   /* number of the attempt, from 1; 0: the run makes one attempt at every episode */
    sb_tape tape;       /* tape of the whole episode, or of the part before a failure */
    sb_failure failure; /* kind SB_NO_FAILURE: the episode was played to its end */
    sb_winnable winnable;
    sb_counters spent; /* sums of what the agent reported */
} sb_played;

/* Whether the episode has success at all, and whether the agent won it. */
static inline bool sb_is_judged(const sb_played *played) { return sb_has_success(played->tape.criterion); }
static inline bool sb_won(const sb_played *played) {
    return played->failure.kind == SB_NO_FAILURE && played->tape.outcome.success;
}
static inline bool sb_is_lost(const sb_played *played) { return played->failure.kind != SB_NO_FAILURE; }

/* Which counters are not known of the whole episode, as bits: some reply tells that a model was asked, but not what
 * that took. What a lost reply took may well be nothing. */
unsigned sb_partly_told(const sb_played *played);

/* Writes a JSON object. */
void sb_played_print(const sb_played *played, sb_out *out);
/* Reads an episode from its JSON object into a zeroed `played`, which the caller frees with sb_tape_clear, also after
 * a failure. `room` is how many actions this and all later episodes may have. */
bool sb_played_read(const sb_catalogue *catalogue, const cJSON *episode, uint64_t *room, sb_played *played,
                    sb_error *error);
/* Fails unless the episode's replay ends as `played` says and, without a failure, at the episode's end. */
bool sb_played_replay(const sb_played *played, sb_env *env, sb_error *error);

#endif
