/* What tells people and programs of a dataset: README.md, its card, with the header that HuggingFace reads, and
 * croissant.json. */
#ifndef SB_DATASETS_CARD_H
#define SB_DATASETS_CARD_H

#include "datasets/manifest.h"

/* A line of every card, which tells it from other READMEs. */
#define SB_CARD_MARK "<!-- The card of a dataset: made by seedbed, and made anew with the dataset. -->"

bool sb_card_print(const sb_manifest *manifest, const sb_schedule *schedule, const sb_stats *sum, sb_out *out,
                   sb_error *error);

/* Writes the dataset's title: the recipe's `name`, or else one made from the family's name. */
void sb_card_title(const sb_manifest *manifest, const sb_schedule *schedule, sb_out *out);
/* Writes the agents, as the end of a sentence: `the agent expert`, `the agents expert and random, ...`. */
void sb_card_actors(const sb_schedule *schedule, sb_out *out);

/* Writes croissant.json, which describes the dataset in the vocabulary of Croissant 1.0 (mlcommons.org/croissant) with
 * its responsible-AI fields: files with sizes and hashes, and a record set for every format with columns. */

void sb_croissant_print(const sb_manifest *manifest, const sb_schedule *schedule, sb_out *out);

#endif
