/* Writes croissant.json, which describes the dataset in the vocabulary of Croissant 1.0 (mlcommons.org/croissant) with
 * its responsible-AI fields: files with sizes and hashes, and a record set for every format with columns. */
#ifndef SB_DATASETS_CROISSANT_H
#define SB_DATASETS_CROISSANT_H

#include "datasets/manifest.h"

void sb_croissant_print(const sb_manifest *manifest, const sb_schedule *schedule, sb_out *out);

#endif
