/* Packs of challenges: many of them in two files of JSON Lines. The first holds what is asked, the second, whose name
 * has `.answers` in it, the answers with their certificates, and why some challenges could not be derived.
 *
 * Both begin with the same line, which says what the pack holds. Then they go on in the same order: by program (in the
 * order of the list of tasks), kind, level and seed. A pack is a function of that line. Files may be packed by gzip. */
#ifndef SB_AUTUMN_PACK_H
#define SB_AUTUMN_PACK_H

#include "base/error.h"
#include "base/stop.h"
#include "generators/autumn/challenges/challenge.h"
#include "generators/autumn/programs.h"

/* Challenges that are kept apart: those of a pack, by their names and by what they ask. */

/* Zeroed: nothing is kept apart. */
typedef struct sb_autumn_apart {
    uint64_t (*keys)[2]; /* hashes of names, and of what is asked */
    size_t n, capacity;
    char sha256[SB_SHA256_HEX]; /* SHA-256 of the file of the pack's tasks, unpacked */
} sb_autumn_apart;

/* Keeps a challenge apart. sb_autumn_pack_keep_apart does so with a pack. */
bool sb_autumn_apart_add(sb_autumn_apart *apart, const sb_autumn_challenge *c, sb_error *error);
/* Whether the pack has a challenge of this name. */
bool sb_autumn_apart_has_name(const sb_autumn_apart *apart, const sb_autumn_challenge_name *name);
/* Sets `*has` if the pack has this challenge under the same name, or one that asks the same: the goal on the same
 * cells, the same course with the same mask, or the same change. False: out of memory. */
bool sb_autumn_apart_has(const sb_autumn_apart *apart, const sb_autumn_challenge *c, bool *has, sb_error *error);
void sb_autumn_apart_free(sb_autumn_apart *apart);

/* What a pack of challenges holds: its plan as a list, and as the first line of its files. */

#define SB_AUTUMN_PACK_FORMAT "seedbed-challenges"
enum { SB_AUTUMN_PACK_OWN = 64, SB_AUTUMN_PACK_SEEDS = 10000 };

/* What a pack holds: all combinations, or one challenge for each program and kind. */
typedef struct sb_autumn_pack_plan {
    uint32_t version;                    /* version of the rules; 0: the present version */
    bool programs[SB_AUTUMN_N_PROGRAMS]; /* by number in the family's list: the pack has the program */
    char own[SB_AUTUMN_PACK_OWN]
            [SB_AUTUMN_PLAIN_NAME]; /* programs that users brought, ascending: `file-0123456789abcdef`, `Crates/easy` */
    size_t n_own;
    bool kinds[SB_AUTUMN_N_CHALLENGES];
    uint32_t from_level, to_level; /* 1..SB_AUTUMN_LEVELS */
    uint64_t first_seed, seeds;    /* seeds of each program, kind and level: first_seed, first_seed + 1, ... */
    /* SHA-256 of the tasks of a pack whose challenges are left out; "": there is none */
    char apart_from[SB_SHA256_HEX];
    /* for each program and kind only the first that can be derived, of level 2, 3, 1 or 4 (in this order), and of the
     * lowest seed */
    bool one;
} sb_autumn_pack_plan;

/* Read `mfp,planning` into the plan's kinds, `1..3` or `2` into its levels, and names of programs, with commas, into
 * its programs. Whether there is a program that a user brought shows when it is needed. A world of the catalogue, which
 * may be NULL, stands for all its difficulties. */
bool sb_autumn_pack_read_kinds(const char *text, sb_autumn_pack_plan *plan, sb_error *error);
bool sb_autumn_pack_read_levels(const char *text, sb_autumn_pack_plan *plan, sb_error *error);
bool sb_autumn_pack_read_programs(const char *text, const sb_catalogue *catalogue, sb_autumn_pack_plan *plan,
                                  sb_error *error);
size_t sb_autumn_pack_size(const sb_autumn_pack_plan *plan);

/* The name of a program by its number: programs of the family's list come first. */
const char *sb_autumn_pack_program(const sb_autumn_pack_plan *plan, size_t program);

/* One line of a pack: a challenge of this program and kind, with one of n names. */
typedef struct sb_autumn_pack_item {
    size_t program;
    sb_autumn_challenge_kind kind;
    size_t first, n;
} sb_autumn_pack_item;

/* Returns an item of the plan; `index` is below sb_autumn_pack_size(plan). */
sb_autumn_pack_item sb_autumn_pack_item_at(const sb_autumn_pack_plan *plan, size_t index);
/* How many names a program and kind have: one for each level and seed. */
size_t sb_autumn_pack_names(const sb_autumn_pack_plan *plan);
/* The names of an item in the order in which they are tried; `try` is below item->n. */
sb_autumn_challenge_name sb_autumn_pack_name_at(const sb_autumn_pack_plan *plan, const sb_autumn_pack_item *item,
                                                size_t try);
/* Whether an item may have this name. */
bool sb_autumn_pack_has(const sb_autumn_pack_plan *plan, const sb_autumn_pack_item *item,
                        const sb_autumn_challenge_name *name);

/* The first line of a pack's files, with its newline. What is read must be just what would be written. */
void sb_autumn_pack_put_head(const sb_autumn_pack_plan *plan, sb_out *out);
bool sb_autumn_pack_read_head(const char *line, size_t n, sb_autumn_pack_plan *plan, sb_error *error);

/* How many challenges there are by kind and level, how many of them were derived, and how many were left out because
 * they are kept apart. With `one` all count as level 1. */
typedef struct sb_autumn_pack_counts {
    uint32_t asked[SB_AUTUMN_N_CHALLENGES][SB_AUTUMN_LEVELS], derived[SB_AUTUMN_N_CHALLENGES][SB_AUTUMN_LEVELS],
        left_out[SB_AUTUMN_N_CHALLENGES][SB_AUTUMN_LEVELS];
    uint32_t version; /* version of the rules, which only verifying tells */
} sb_autumn_pack_counts;

typedef struct sb_autumn_packing {
    const char *path;
    const sb_autumn_apart *apart;  /* challenges that are left out; NULL: none. The plan has their hash */
    const sb_catalogue *catalogue; /* the programs that users brought; NULL: none */
    size_t jobs;                   /* workers; 0: one for each processor */
    void (*progress)(void *context, size_t done, size_t total); /* may be NULL */
    sb_note *note;                                              /* told of what a user should know; may be NULL */
    void *context;
    const sb_stop *stop; /* may be NULL */
} sb_autumn_packing;

/* Derives all challenges of the plan, and writes the two files. If it is interrupted, the same call goes on where it
 * stopped. The bytes do not depend on the number of workers. */
bool sb_autumn_pack_derive(const sb_autumn_pack_plan *plan, const sb_autumn_packing *how, sb_autumn_pack_counts *counts,
                           sb_error *error);
/* Finds the program of that name in the list, or in the catalogue, which may be NULL. */
const sb_autumn_task *sb_autumn_pack_task(const char *name, const sb_catalogue *catalogue, sb_error *error);
/* Whether the catalogue has all programs of users that the plan names. */
bool sb_autumn_pack_has_programs(const sb_autumn_pack_plan *plan, const sb_catalogue *catalogue, sb_error *error);
/* Audits every challenge of a pack by replay. What could not be derived, or was left out, must be named with a reason
 * that there is. With `again` all are derived again, too, and the files must be the same; a pack that leaves out what
 * another pack has then needs the other one (`how->apart`). The error names the first that is wrong. */
bool sb_autumn_pack_verify(const sb_autumn_packing *how, bool again, sb_autumn_pack_counts *counts, sb_error *error);

/* The two lines of a challenge in a pack. */
typedef struct sb_autumn_pack_lines {
    const char *task, *answer;
    size_t n_task, n_answer;
    bool alone; /* the pack has one challenge for each program and kind */
} sb_autumn_pack_lines;
/* Calls `found` for each challenge of a pack, with its two lines; false ends it. Does not audit them. */
bool sb_autumn_pack_each(const char *path,
                         bool (*found)(void *context, const sb_autumn_challenge *c, const sb_autumn_pack_lines *lines,
                                       sb_error *error),
                         void *context, sb_error *error);

/* Keeps all challenges of a pack apart. */
bool sb_autumn_pack_keep_apart(const char *path, sb_autumn_apart *apart, sb_error *error);
/* Whether a file begins like a pack of challenges. */
bool sb_autumn_is_pack(const char *path);
/* Adds the challenges of a pack to a catalogue, from which their episodes are then taken. Does not audit them. `found`,
 * which may be NULL, is called for each in the order of the pack; false ends it. Challenges that the catalogue has
 * already must be the same. */
bool sb_autumn_pack_load(const char *path, sb_catalogue *catalogue,
                         bool (*found)(void *context, const sb_name *name, sb_error *error), void *context,
                         sb_error *error);

#endif
