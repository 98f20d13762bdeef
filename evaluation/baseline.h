/* Baselines: the returns of random actions and of the best known policy, for every task and difficulty. Returns are
 * normalised with them. The document is described in docs/evaluation.md. */
#ifndef SB_BASELINE_H
#define SB_BASELINE_H

#include "base/hash.h"
#include "evaluation/evaluate.h"
#include "evaluation/score.h"

#define SB_BASELINE_FORMAT  "seedbed-baseline"
#define SB_BASELINE_VERSION 1

/* The program contains numbered, frozen baselines; scores are normalised with the last one. */
#define SB_BASELINE_CURRENT 1

enum { SB_BASELINE_RANDOM = 50, SB_BASELINE_OPTIMAL = 20 /* episodes of each pair, with seeds from 0 on */ };

typedef struct sb_baseline_entry {
    char family[16], task[40], difficulty[16], rules[SB_RULES_NAME];
    sb_bounds bounds;
} sb_baseline_entry;

/* A baseline. Starts zeroed; the caller frees it, also after a failure. */
typedef struct sb_baseline {
    sb_baseline_entry *entries;
    size_t n;
    unsigned frozen;          /* number of the frozen baseline; 0: it is not a frozen one */
    char hash[SB_SHA256_HEX]; /* SHA-256 of the document; identifies the baseline of a score */
} sb_baseline;

/* Reads a file, or a frozen baseline by its number (`1`; NULL: the current one). A frozen one whose bytes have changed
 * is refused. */
bool sb_baseline_load(sb_baseline *baseline, const char *which, sb_error *error);
bool sb_baseline_load_file(sb_baseline *baseline, const char *path, sb_error *error);
/* Reads a baseline from a text. */
bool sb_baseline_parse(sb_baseline *baseline, const char *text, size_t n, sb_error *error);
void sb_baseline_free(sb_baseline *baseline);

/* Returns the number of the frozen baseline with that hash; 0 if there is none. */
unsigned sb_baseline_frozen(const char *hash);
/* Writes the baseline in words: `1 (9aa876999859)`, or `a file's (9aa876999859)` if it is not frozen. */
enum { SB_BASELINE_LABEL = 40 };
void sb_baseline_label(unsigned number, const char *hash, char label[SB_BASELINE_LABEL]);

/* Finds the bounds of a task; NULL if there are none. Bounds made under other rules of the family do not count. */
const sb_bounds *sb_baseline_find(const sb_baseline *baseline, const sb_family *family, const char *task,
                                  const char *difficulty);

/* Makes the document for every task and difficulty that the request selects (which must not choose seeds), or of every
 * family if the request is empty: mean returns of 50 random episodes and of 20 of the expert's, or ten times the random
 * return if there is no expert. */
bool sb_baseline_make(const sb_request *request, size_t jobs, void (*progress)(void *, size_t, size_t), void *context,
                      sb_out *document, sb_error *error);

#endif
