/* Seed packs: which episodes to play. A pack has lists of seeds, one for each task and difficulty of a family, all
 * derived from one base text. The bases `eval` and `train` are the published lists (25 and 2000 seeds a task and
 * difficulty of agentick); any other text gives lists of one's own, without repetition and without official evaluation
 * seeds.
 *
 *   sb_pack *pack = sb_pack_make("agentick", "my-split", "KeyDoorPuzzle-v0", "hard", 100, &error);
 *   for (size_t i = 0; i < sb_pack_size(pack); i++) sb_pack_name(pack, i, &name);
 *   sb_pack_free(pack); */
#ifndef SEEDBED_PACK_H
#define SEEDBED_PACK_H

#include "seedbed.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sb_pack sb_pack;

/* The official evaluation seeds of all 37 tasks of agentick: 3700 episodes. */
SB_API sb_pack *sb_pack_make_official(sb_error *error);
/* Derives `count` seeds (0: all of a published list) for each of the tasks and difficulties; lists are separated by
 * commas, NULL is all that are built in. `base`: letters, digits and `._-+`, at most 39 bytes. Fails if that is more
 * than ten million seeds, or more than a published list has. Cost: linear in the seeds. */
SB_API sb_pack *sb_pack_make(const char *family, const char *base, const char *tasks, const char *difficulties,
                             uint64_t count, sb_error *error);
/* Reads a file, or a text of n bytes; the hashes that it says are read and not checked. Files that end in `.gz` may be
 * compressed. */
SB_API sb_pack *sb_pack_load(const char *path, sb_error *error);
SB_API sb_pack *sb_pack_parse(const char *text, size_t n, sb_error *error);
SB_API void sb_pack_free(sb_pack *pack);

/* The document, which `seedbed seeds` and `seedbed verify` read: the same pack gives the same bytes. */
SB_API size_t sb_pack_print(const sb_pack *pack, char *out, size_t capacity);
/* Writes it as a file, whole or not at all; compressed if the path ends in `.gz`. */
SB_API bool sb_pack_save(const sb_pack *pack, const char *path, sb_error *error);

/* Checks all hashes, derives official lists again, and looks for official evaluation seeds in all others. Fails with
 * SB_MISMATCH at the first difference, which it names. Digests of episodes, where a pack has them, are checked by
 * `seedbed verify`. */
SB_API bool sb_pack_verify(const sb_pack *pack, sb_error *error);

SB_API const char *sb_pack_family(const sb_pack *pack);
SB_API const char *sb_pack_base(const sb_pack *pack);
/* SHA-256 over the lists, 64 hexadecimal digits: equal packs have equal hashes. */
SB_API const char *sb_pack_hash(const sb_pack *pack);

/* How many episodes there are, list by list, by task, then difficulty; and the name of each. False if there is none of
 * that index. Cost: linear in the number of lists. */
SB_API size_t sb_pack_size(const sb_pack *pack);
SB_API bool sb_pack_name(const sb_pack *pack, size_t index, sb_name *name);

/* The seeds of one list. 0 if the pack has no such list. `difficulty`: "" in families without difficulties. */
SB_API size_t sb_pack_seeds(const sb_pack *pack, const char *task, const char *difficulty, uint64_t *out,
                            size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
