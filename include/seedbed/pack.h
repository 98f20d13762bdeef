/* Seed packs: which episodes to play. A pack has one list of seeds for each task and difficulty of a family, all
 * derived from one base text. The bases `eval` and `train` are the published lists (25 and 2000 seeds for each task and
 * difficulty of agentick). Any other base gives lists of your own, without repetition and without official evaluation
 * seeds.
 *
 *     sb_pack *pack = sb_pack_make("agentick", "my-split", "KeyDoorPuzzle-v0", "hard", 100, &error);
 *     for (size_t i = 0; i < sb_pack_size(pack); i++) sb_pack_name(pack, i, &name);
 *     sb_pack_free(pack); */
#ifndef SEEDBED_PACK_H
#define SEEDBED_PACK_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sb_pack sb_pack;

/* Makes the pack of the official evaluation seeds of all 37 tasks of agentick: 3700 episodes. */
SB_API sb_pack *sb_pack_make_official(sb_error *error);
/* Derives `count` seeds (0: all of a published list) for each of the tasks and difficulties. Both are lists separated
 * by commas; NULL means all that are built in. `base`: letters, digits and `._-+`, at most 39 bytes. Fails if this
 * makes more than ten million seeds, or more than a published list has. Cost: linear in the number of seeds. */
SB_API sb_pack *sb_pack_make(const char *family, const char *base, const char *tasks, const char *difficulties,
                             uint64_t count, sb_error *error);
/* Read a pack from a file, or from a text of n bytes. The hashes in it are read but not checked (see sb_pack_verify).
 * Files that end in `.gz` may be compressed. */
SB_API sb_pack *sb_pack_load(const char *path, sb_error *error);
SB_API sb_pack *sb_pack_parse(const char *text, size_t n, sb_error *error);
SB_API void sb_pack_free(sb_pack *pack);

/* Writes the document that `seedbed seeds` and `seedbed verify` read. The same pack gives the same bytes. */
SB_API size_t sb_pack_print(const sb_pack *pack, char *out, size_t capacity);
/* Writes the document to a file, either whole or not at all; compressed if the path ends in `.gz`. */
SB_API bool sb_pack_save(const sb_pack *pack, const char *path, sb_error *error);

/* Checks all hashes, derives official lists again, and makes sure that no other list has official evaluation seeds.
 * Fails with SB_MISMATCH at the first difference, which the error names. Does not check digests of episodes, which a
 * pack may have: `seedbed verify` does. */
SB_API bool sb_pack_verify(const sb_pack *pack, sb_error *error);

SB_API const char *sb_pack_family(const sb_pack *pack);
SB_API const char *sb_pack_base(const sb_pack *pack);
/* Returns the SHA-256 of the lists as 64 hexadecimal digits: equal packs have equal hashes. */
SB_API const char *sb_pack_hash(const sb_pack *pack);

/* Return the number of episodes, and the name of an episode. Episodes are ordered list by list: by task, then by
 * difficulty. sb_pack_name returns false if the index is too high. Cost: linear in the number of lists. */
SB_API size_t sb_pack_size(const sb_pack *pack);
SB_API bool sb_pack_name(const sb_pack *pack, size_t index, sb_name *name);

/* Gives the seeds of one list; 0 if the pack has no such list. `difficulty` is the difficulty, "" in families without.
 */
SB_API size_t sb_pack_seeds(const sb_pack *pack, const char *task, const char *difficulty, uint64_t *out,
                            size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
