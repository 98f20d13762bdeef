/* Changes of rules (challenges 5.1): all that apply to a program, as replacements in its text. A changed program holds
 * both versions, and `SpecialConditionTriggered` says which one counts:
 *
 *       (moveLeft ball)    becomes    (if SpecialConditionTriggered then (moveRight ball) else (moveLeft ball))
 *
 * So the state of a test is one state, the change acts when it is switched on (sb_autumn_switch), and the text that is
 * run is one that a person can read. */
#ifndef SB_AUTUMN_MUTATIONS_H
#define SB_AUTUMN_MUTATIONS_H

#include "generators/autumn/challenges/challenge.h"

typedef enum sb_autumn_mutation_kind {
    SB_AUTUMN_TURN,
    SB_AUTUMN_STRIDE,
    SB_AUTUMN_DROP,
    SB_AUTUMN_SWAP,
    SB_AUTUMN_THROUGH,
    SB_AUTUMN_PAINT,
    SB_AUTUMN_WHEN,
    SB_AUTUMN_TARGET,
    SB_AUTUMN_FALL,
    SB_AUTUMN_LATENT,
    SB_AUTUMN_LAW,
    SB_AUTUMN_N_MUTATIONS
} sb_autumn_mutation_kind;

extern const char *const sb_autumn_mutation_names[SB_AUTUMN_N_MUTATIONS];

/* Where in the program a mutation is. */
typedef enum sb_autumn_unit { SB_AUTUMN_IN_HANDLER, SB_AUTUMN_IN_RULE, SB_AUTUMN_ELSEWHERE } sb_autumn_unit;

typedef struct sb_autumn_mutation {
    sb_autumn_mutation_kind kind;
    sb_autumn_unit unit;
    uint32_t number; /* number of the handler or rule, from 0 */
    sb_autumn_edit edits[SB_AUTUMN_EDITS];
    uint32_t n_edits;
} sb_autumn_mutation;

typedef struct sb_autumn_mutations {
    sb_autumn_mutation *all;
    size_t n, capacity;
} sb_autumn_mutations;

/* Lists all mutations of a program that sb_autumn_load accepts. The caller frees them. False: out of memory. */
bool sb_autumn_mutations_find(const char *text, size_t n, sb_autumn_mutations *mutations);
void sb_autumn_mutations_free(sb_autumn_mutations *mutations);
/* Writes the text of the changed program. Edits are in ascending order and do not overlap; false: they do not fit the
 * text. */
bool sb_autumn_mutated(const char *text, size_t n, const sb_autumn_edit *edits, size_t n_edits, sb_out *out);

#endif
