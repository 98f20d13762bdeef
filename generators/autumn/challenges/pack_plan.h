/* What a pack of challenges holds: its plan as a list, and as the first line of its files. */
#ifndef SB_AUTUMN_PACK_PLAN_H
#define SB_AUTUMN_PACK_PLAN_H

#include "generators/autumn/challenges/challenge.h"

#define SB_AUTUMN_PACK_FORMAT "seedbed-challenges"
enum { SB_AUTUMN_PACK_PROGRAMS = 43, SB_AUTUMN_PACK_OWN = 64, SB_AUTUMN_OWN_NAME = 40, SB_AUTUMN_PACK_SEEDS = 10000 };

/* What a pack holds: all combinations, or one challenge for each program and kind. */
typedef struct sb_autumn_pack_plan {
    uint32_t version;                       /* of the rules; 0: the present ones */
    bool programs[SB_AUTUMN_PACK_PROGRAMS]; /* by number in the family's list */
    char own[SB_AUTUMN_PACK_OWN]
            [SB_AUTUMN_OWN_NAME]; /* programs that users brought, ascending: `file-0123456789abcdef` */
    size_t n_own;
    bool kinds[SB_AUTUMN_N_CHALLENGES];
    uint32_t from_level, to_level;  /* 1..SB_AUTUMN_LEVELS */
    uint64_t first_seed, seeds;     /* of each: first_seed, first_seed + 1, ... */
    char apart_from[SB_SHA256_HEX]; /* of the tasks of a pack whose challenges are left out; "": there is none */
    bool one; /* only the first that can be derived, of level 2, 3, 1 or 4 (in this order), and of the lowest seed */
} sb_autumn_pack_plan;

/* Reads `mfp,planning` into the plan's kinds, `1..3` or `2` into its levels, and names of programs, with commas, into
 * its programs. Whether somebody has a program of a user shows when it is needed. */
bool sb_autumn_pack_read_kinds(const char *text, sb_autumn_pack_plan *plan, sb_error *error);
bool sb_autumn_pack_read_levels(const char *text, sb_autumn_pack_plan *plan, sb_error *error);
bool sb_autumn_pack_read_programs(const char *text, sb_autumn_pack_plan *plan, sb_error *error);
size_t sb_autumn_pack_size(const sb_autumn_pack_plan *plan);

/* The name of a program by its number: those of the list come first. */
const char *sb_autumn_pack_program(const sb_autumn_pack_plan *plan, size_t program);

/* One line of a pack: a challenge of this program and kind, with one of n names. */
typedef struct sb_autumn_pack_item {
    size_t program;
    sb_autumn_challenge_kind kind;
    size_t first, n;
} sb_autumn_pack_item;

/* `index` is below sb_autumn_pack_size(plan). */
sb_autumn_pack_item sb_autumn_pack_item_at(const sb_autumn_pack_plan *plan, size_t index);
/* How many names a program and kind have: one for each level and seed. */
size_t sb_autumn_pack_names(const sb_autumn_pack_plan *plan);
/* The names of an item in the order in which they are tried; `try` is below item->n. */
sb_autumn_challenge_name sb_autumn_pack_name_at(const sb_autumn_pack_plan *plan, const sb_autumn_pack_item *item,
                                                size_t try);
/* Whether an item may have this name. */
bool sb_autumn_pack_has(const sb_autumn_pack_plan *plan, const sb_autumn_pack_item *item,
                        const sb_autumn_challenge_name *name);

/* The first line, with its newline. It must be just what would be written. */
void sb_autumn_pack_put_head(const sb_autumn_pack_plan *plan, sb_out *out);
bool sb_autumn_pack_read_head(const char *line, size_t n, sb_autumn_pack_plan *plan, sb_error *error);

#endif
