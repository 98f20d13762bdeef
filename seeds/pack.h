/* A seed pack: which episodes to play, as a document that others can check.
 *
 * A pack holds lists of seeds, one for each task and difficulty, all derived from one base. The bases `eval` and
 * `train` are official: for the tasks of the benchmark they give exactly the published lists, or the beginnings of
 * these. All other lists repeat no seed and leave out every official evaluation seed of any task, and (except for
 * `eval` itself) the seeds that `eval` gives for the same task. The derivation draws more seeds instead, and the pack
 * says how many were left out.
 *
 * The published lists overlap in one seed: 323538274 is both an evaluation and a training seed of DistributionShift-v0,
 * easy. The official lists are kept exactly as published, so drop this seed from training if no evaluation episode may
 * be seen.
 *
 * Two kinds of hashes protect a pack: that of each list (the published one: SHA-256 of its JSON text), and that of the
 * pack: SHA-256 of these lines, each with a newline:
 *
 *       seedbed-pack 1
 *       FAMILY BASE
 *       TASK/DIFFICULTY COUNT HASH          for every list, sorted by task and difficulty; `TASK COUNT HASH` without
 * one
 *
 * A pack may also say what the episodes are: for every seed the digest of the episode at its start (the first 16 hex
 * digits of the family's digest), and the version of the rules (`agentick 1`). A program that computes the same digests
 * generates the same episodes. Such a document has version 2; a pack without digests is still written as version 1,
 * byte for byte. The hashed lines of version 2 are
 *
 *       seedbed-pack 2
 *       FAMILY BASE
 *       RULES
 *       TASK/DIFFICULTY COUNT HASH DIGESTS  for every list; DIGESTS is the SHA-256 of the digests, each with a newline
 *
 * A pack may say by what its episodes were chosen: what was demanded, and for every seed the measures that decided. Its
 * lists are those of the base without what was left out. Such a document has version 3, with or without digests; the
 * line of the rules is empty without them, and the demand follows as in the document:
 *
 *       seedbed-pack 3
 *       FAMILY BASE
 *       RULES
 *       DEMAND
 *       TASK/DIFFICULTY COUNT HASH DIGESTS MEASURED     MEASURED is the SHA-256 of the rows of measures, each with a
 *                                                       newline; DIGESTS only if there are some
 *
 * This layer stores and hashes digests and measures; rollout/packs.h and evaluation/atlas/packs.h take them. */
#ifndef SB_SEEDS_PACK_H
#define SB_SEEDS_PACK_H

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/json_scan.h"
#include "seedbed/pack.h"

#define SB_PACK_FORMAT  "seedbed-pack"
#define SB_PACK_VERSION 1           /* version of documents without digests or a demand */
#define SB_PACK_DIGESTS 2           /* the version with digests */
#define SB_PACK_DEMAND  3           /* the version with a demand */
#define SB_PACK_LISTS   10000       /* the most lists of a pack */
#define SB_PACK_SEEDS   10000000    /* the most seeds of a pack, all lists together */
#define SB_PACK_BYTES   (480 << 20) /* the longest text that is read; every pack within the other limits is shorter */

typedef struct sb_seed_list {
    char task[40], difficulty[16];
    size_t n, left_out;        /* n: seeds in the list; left_out: derived seeds that were not allowed in it */
    uint64_t *seeds, *digests; /* n each; digests are NULL in a pack without digests */
    double *values;            /* n times n_values: measures, NaN: none; NULL in a pack without a demand */
    size_t n_values;
    char hash[SB_SHA256_HEX]; /* hash of the list as the document says; sb_pack_verify computes it again */
} sb_seed_list;

enum { SB_PACK_MEASURES = 32 };

/* By what the episodes of a pack were chosen. */
typedef struct sb_pack_demand {
    char *where, *spread; /* both NULL: the episodes were not chosen */
    unsigned version;     /* version of the measures */
    size_t n;             /* measures that decided */
    char measures[SB_PACK_MEASURES][16];
} sb_pack_demand;

struct sb_pack {
    char family[16], base[40];
    char rules[32];      /* the rules for which the digests were made; "" in a pack without digests */
    sb_seed_list *lists; /* sorted by task, then difficulty */
    size_t n_lists, n_seeds;
    sb_pack_demand demand;
    char hash[SB_SHA256_HEX]; /* hash of the pack as the document says */
};

typedef struct sb_pack_task {
    const char *task, *difficulty; /* difficulty: the difficulty, "" in families without difficulties */
} sb_pack_task;

/* Packs are made by deriving, parsing and loading. These leave the pack empty when they fail; the caller always frees
 * it. Names of families, tasks, difficulties and bases consist of letters, digits and `.`, `_`, `-`, `+`. */

/* Derives `count` seeds for each of the tasks; published lists have at most 25 (`eval`) or 2000 (`train`). */
bool sb_pack_derive(sb_pack *pack, const char *family, const char *base, const sb_pack_task *tasks, size_t n_tasks,
                    size_t count, sb_error *error);
/* Makes the official evaluation lists of all 37 tasks. */
bool sb_pack_official(sb_pack *pack, sb_error *error);
/* Frees the contents of a pack, but not the pack itself. */
void sb_pack_clear(sb_pack *pack);

/* Returns a list; NULL if the pack does not have it. */
const sb_seed_list *sb_pack_find(const sb_pack *pack, const char *task, const char *difficulty);

/* Puts a line for every difference between two packs; returns whether they are equal. */
bool sb_pack_compare(const sb_pack *one, const sb_pack *other, sb_out *differences);

/* Writes the document: the same pack gives the same bytes. Files whose name ends in `.gz` are compressed. Saving
 * commits the file; after a failure the caller discards it. */
void sb_pack_put(const sb_pack *pack, sb_out *out);
bool sb_pack_write(const sb_pack *pack, sb_file *file, sb_error *error);

/* Writes the published export of evaluation seeds: task -> difficulty -> hash, n_seeds, seeds. It can only express
 * packs of the published family with the base `eval`; other packs are errors. */
bool sb_pack_print_published(const sb_pack *pack, sb_out *out, sb_error *error);
bool sb_pack_write_published(const sb_pack *pack, sb_file *file, sb_error *error);

/* Reads a pack document or a published export from arbitrary bytes. Repeated seeds and lists, counts that disagree, and
 * unknown, missing or repeated keys are errors that name the place; hashes are read but not checked. The export has no
 * hash of the whole pack, so that hash is computed. */
bool sb_pack_read_text(sb_pack *pack, const char *text, size_t n, sb_error *error);
/* Like sb_pack_read_text, for a part of another document that sb_json_check has accepted. */
bool sb_pack_read(sb_pack *pack, const sb_json_part *document, sb_error *error);
bool sb_pack_read_file(sb_pack *pack, const char *path, sb_error *error);

/* For making packs in other ways (a choice of solvable seeds, for example): begin, add lists and fill in their seeds,
 * finish (which checks for repetition and sorts), seal (which computes the hashes). Free the pack if one of them fails.
 */
bool sb_pack_begin(sb_pack *pack, const char *family, const char *base, size_t n_lists, sb_error *error);
/* Adds a list with room for n seeds; NULL on failure. Call it at most n_lists times. */
sb_seed_list *sb_pack_add(sb_pack *pack, const char *task, const char *difficulty, size_t n, sb_error *error);
bool sb_pack_finish(sb_pack *pack, sb_error *error);
/* Makes room for digests, all 0, which the caller fills in before the pack is sealed. */
bool sb_pack_add_digests(sb_pack *pack, const char *rules, sb_error *error);
/* Says by what the episodes were chosen, and makes room for the measures, all NaN. Copies the texts. */
bool sb_pack_add_demand(sb_pack *pack, const sb_pack_demand *demand, sb_error *error);
static inline bool sb_pack_demands(const sb_pack *pack) { return pack->demand.where || pack->demand.spread; }
void sb_pack_seal(sb_pack *pack);
/* Returns the version of the document that the pack is written as. */
int sb_pack_version(const sb_pack *pack);
/* Computes the hash of the whole pack from the hashes of its lists. */
void sb_pack_compute_hash(const sb_pack *pack, char hex[SB_SHA256_HEX]);
/* Puts the name of a list, `TASK/DIFFICULTY`, before an error; returns false. */
bool sb_pack_fail_in(const char *task, const char *difficulty, sb_error *error);

/* The demand as a part of the pack document (pack_demand.c). A demand that is read borrows its texts from the object.
 */
void sb_pack_demand_put(const sb_pack_demand *demand, sb_out *out);
bool sb_pack_demand_read(const cJSON *object, sb_pack_demand *demand, sb_error *error);
void sb_pack_demand_clear(sb_pack *pack);
void sb_seed_list_values_put(const sb_seed_list *list, sb_out *out);
void sb_seed_list_values_hash(const sb_seed_list *list, char hex[SB_SHA256_HEX]);
bool sb_seed_list_values_read(const cJSON *row, sb_seed_list *list, size_t i, sb_error *error);

#endif
