/* Measures of how an agent explored, from its actions alone (protocol 7): how varied they were, and of which sorts. */
#ifndef SB_EVALUATION_EXPLORATION_H
#define SB_EVALUATION_EXPLORATION_H

#include "engine/testing.h"
#include "rollout/tape.h"

enum { SB_EXPLORATION_WINDOW = 20 /* actions of a window, unless told otherwise */ };

/* Measures of one episode. Every click position is an action of its own. Actions that only begin, end or answer the
 * test are no part of them. */
typedef struct sb_exploration {
    uint32_t actions, different;
    uint32_t resets;
    double area;              /* area under the curve of the normalised perplexity of windows, over 0..1 */
    double final;             /* normalised perplexity of the last window */
    double shares[SB_N_ACTS]; /* share of each sort in the different actions; 0 if there are none */
} sb_exploration;

/* The normalised perplexity of n actions, 0..1: (e^H - 1) / (K - 1), where H is the entropy of the shares of the K
 * different ones in nats; 0 if K is 1 or less. */
double sb_perplexity(const sb_action *actions, size_t n);
/* Measures n actions with windows of `window` actions, or of all if they are fewer; `acts` says what each is. */
void sb_explore_actions(const sb_action *actions, const sb_act *acts, size_t n, size_t window,
                        sb_exploration *measures);
/* Measures the interaction of a tape: all of it if the episode is no test. In a test where each action of the agent
 * showed several frames (rollout/testing.h), the waiting that was added after the action is left out; frames 0 or 1:
 * none was added. `known` is false if the family does not say what actions are. */
bool sb_explore_tape(const sb_tape *tape, uint64_t frames, size_t window, sb_exploration *measures, bool *known,
                     sb_error *error);

/* Means over episodes; begins zeroed. */
typedef struct sb_exploration_means {
    size_t episodes;
    double area, final, resets, shares[SB_N_ACTS]; /* sums, until sb_finish_means */
} sb_exploration_means;
void sb_add_to_means(sb_exploration_means *means, const sb_exploration *measures);
void sb_finish_means(sb_exploration_means *means);
/* Writes the member `exploration`; nothing if there are no episodes. */
void sb_member_exploration_means(sb_out *out, const sb_exploration_means *means);

/* Writes the measures as members of a JSON object. */
void sb_member_exploration(sb_out *out, const sb_exploration *measures);
extern const char *const sb_act_names[SB_N_ACTS]; /* `noop`, `key`, `click`, `reset`, `other` */

#endif
