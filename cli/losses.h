/* Why the episodes were lost that an estimate's sample did not solve. */
#ifndef SB_CLI_LOSSES_H
#define SB_CLI_LOSSES_H

#include "datasets/build.h"

typedef struct cli_losses {
    size_t impossible;      /* nobody can solve them: a built-in certificate says so, or a proof */
    size_t by[SB_N_LOSSES]; /* the others, by how they were lost */
} cli_losses;

/* Looks for certificates and proofs; a proof looks at a limited number of states. */
bool cli_judge_losses(const sb_estimate *estimate, const sb_catalogue *catalogue, cli_losses *losses, sb_error *error);
/* Writes a line for people, and members for programs; nothing if the sample lost nothing. */
void cli_put_losses(sb_out *out, const sb_estimate *estimate, const cli_losses *losses);
void cli_put_json_losses(sb_out *out, const sb_estimate *estimate, const cli_losses *losses);

#endif
