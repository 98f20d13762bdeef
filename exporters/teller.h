/* The oracle that tells a format what actions cost: its option `teller`, and its answers (oracles/costs.h). */
#ifndef SB_EXPORTERS_TELLER_H
#define SB_EXPORTERS_TELLER_H

#include "exporters/exporter.h"
#include "oracles/claims.h"
#include "oracles/costs.h"

/* Reads the option, which is `expert` if it is left out, and checks that the oracle can tell the costs in all tasks of
 * the dataset. The text belongs to `options`, or is constant. */
bool sb_teller_read(const sb_export *export, const cJSON *options, const char **teller, sb_error *error);

/* Fails if the teller knows more than the agent is shown in some task of the dataset. */
bool sb_teller_is_open(const sb_export *export, const char *teller, sb_error *error);

/* Whether the oracle can tell what actions cost in all tasks of the dataset. */
bool sb_teller_can(const sb_export *export, const char *teller, sb_error *error);

typedef struct sb_teller {
    char agent[SB_AGENT_NAME]; /* "": none yet */
    sb_costs *costs;
    sb_claimer *claimer; /* makes claims; made at the first use */
    sb_cost *list;       /* costs of the state that was asked about last */
    size_t n, room;
} sb_teller;

/* The tellers of a worker, which keep their memory from episode to episode. Starts zeroed. */
enum { SB_TELLERS = 8 };
struct sb_tellers {
    sb_teller of[SB_TELLERS];
};
void sb_tellers_free(sb_tellers *tellers);

/* Returns the teller of this name, for the rows of one episode: it remembers nothing of what it was asked before. NULL
 * with an error. */
sb_teller *sb_teller_open(sb_tellers *tellers, const char *agent, sb_error *error);
/* Fills the list with the costs of all actions of the state. */
bool sb_teller_ask(sb_teller *teller, const sb_env *env, sb_error *error);
/* Finds what can be claimed of an action, as sb_claims_find does. */
bool sb_teller_claim(sb_teller *teller, const sb_env *env, sb_action action, const sb_intent *why, sb_depth depth,
                     sb_claims *claims, sb_error *error);

/* Writes a number of a cost with six decimals: more would be noise. */
void sb_put_cost_number(sb_out *out, double value);

#endif
