/* The oracle that tells a format what actions cost: its option `teller`, and its answers (oracles/costs.h). */
#ifndef SB_EXPORTERS_TELLER_H
#define SB_EXPORTERS_TELLER_H

#include "exporters/exporter.h"
#include "oracles/costs.h"

/* Reads the option, which is `expert` if it is left out, and checks that the oracle can tell the costs in all tasks of
 * the dataset. The text belongs to `options`, or is constant. */
bool sb_teller_read(const sb_export *export, const cJSON *options, const char **teller, sb_error *error);

typedef struct sb_teller {
    sb_costs *costs;
    sb_cost *list; /* of the state that was asked about last */
    size_t n, room;
} sb_teller;

/* Opens a teller, which is zeroed; close it also after a failure. */
bool sb_teller_open(sb_teller *teller, const char *agent, sb_error *error);
void sb_teller_close(sb_teller *teller);
/* Fills the list with the costs of all actions of the state. */
bool sb_teller_ask(sb_teller *teller, const sb_env *env, sb_error *error);

/* Writes a number of a cost with six decimals: more would be noise. */
void sb_put_cost_number(sb_out *out, double value);

#endif
