/* Baselines: what random actions and the best known policy get, for every task and difficulty. Returns are normalised
 * with them. The document is described in docs/evaluation.md. */
#ifndef SB_BASELINE_H
#define SB_BASELINE_H

#include "base/hash.h"
#include "evaluation/evaluate.h"
#include "evaluation/score.h"

#define SB_BASELINE_FORMAT  "seedbed-baseline"
#define SB_BASELINE_VERSION 1

/* The frozen baselines that come with the program are numbered; scores are normalised with the last one. */
#define SB_BASELINE_CURRENT 1

enum { SB_BASELINE_RANDOM = 50, SB_BASELINE_OPTIMAL = 20 /* episodes, seeds from 0 on */ };

typedef struct sb_baseline_entry {
    char family[16], task[40], difficulty[16], rules[SB_RULES_NAME];
    sb_bounds bounds;
} sb_baseline_entry;

/* Starts zeroed; the caller frees it, also after a failure. */
typedef struct sb_baseline {
    sb_baseline_entry *entries;
    size_t n;
    unsigned frozen;          /* the number of the frozen baseline that this is; 0: none of them */
    char hash[SB_SHA256_HEX]; /* of the document: says which baseline a score was made with */
} sb_baseline;

/* Reads a file, or a frozen baseline by its number (`1`; NULL: the current one). A frozen one whose bytes have changed
 * is refused. */
bool sb_baseline_load(sb_baseline *baseline, const char *which, sb_error *error);
bool sb_baseline_load_file(sb_baseline *baseline, const char *path, sb_error *error);
/* Reads the text of one. */
bool sb_baseline_parse(sb_baseline *baseline, const char *text, size_t n, sb_error *error);
void sb_baseline_free(sb_baseline *baseline);

/* The number of the frozen baseline with that hash; 0 if there is none. */
unsigned sb_baseline_frozen(const char *hash);
/* In words: `1 (9aa876999859)`, or of others `a file's (9aa876999859)`. */
enum { SB_BASELINE_LABEL = 40 };
void sb_baseline_label(unsigned number, const char *hash, char label[SB_BASELINE_LABEL]);

/* NULL if there is none; of other rules than those of today's family there is none. */
const sb_bounds *sb_baseline_find(const sb_baseline *baseline, const sb_family *family, const char *task,
                                  const char *difficulty);

/* Makes the document for every task and difficulty that the request selects (whose seeds it leaves open), or, if it is
 * empty, of every family: mean returns of 50 random episodes and of 20 of the expert's; ten times the random return
 * where there is no expert. */
bool sb_baseline_make(const sb_request *request, size_t jobs, void (*progress)(void *, size_t, size_t), void *context,
                      sb_out *document, sb_error *error);

#endif
