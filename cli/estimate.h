/* Says what an estimate found, for people or as JSON. */
#ifndef SB_CLI_ESTIMATE_H
#define SB_CLI_ESTIMATE_H

#include "datasets/build.h"

/* Looks for certificates and proofs that lost episodes cannot be won, which takes about as long as the sample. */
bool cli_put_estimate(const sb_dataset_estimate *estimate, const sb_catalogue *catalogue, bool json, sb_out *out,
                      sb_error *error);

#endif
