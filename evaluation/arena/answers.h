/* The journal of a game: every answer that anybody gave, in order, before it is used. A game is a function of these
 * answers, so whoever has them goes on with the game, or replays it, without asking anybody.
 *
 * A line holds who was asked, a hash of the question, and the answer. Long texts, which are mostly frames, stand once,
 * in a line of their own. A last line that was cut off is dropped. */
#ifndef SB_EVALUATION_ARENA_ANSWERS_H
#define SB_EVALUATION_ARENA_ANSWERS_H

#include "agents/failure.h"
#include "base/file.h"
#include "base/json_scan.h"

/* A text that stands in a line of its own. */
typedef struct sb_answers_text {
    uint64_t hash[2];
    size_t at, n; /* where the text lies in `texts` */
} sb_answers_text;

/* The journal of a game. Starts zeroed. */
typedef struct sb_answers {
    char path[1024];
    sb_out found;     /* what the file held; `at` is where the next line begins */
    size_t at, lines; /* at: where the first line to read begins; lines: those that were taken or kept */
    sb_sha256 hash;   /* SHA-256 of all lines that were taken or kept */
    bool only_read;   /* nobody is asked: the end of the file is an error */
    sb_out pending;   /* lines that are not in the file yet */
    sb_out texts, answer, line;
    sb_answers_text *known;
    size_t n_known, capacity;
    uint32_t *slots; /* by hash: index in `known`, + 1; 0: free. n_slots is a power of two */
    size_t n_slots;
} sb_answers;

/* Opens the journal, or makes it with its first line. Fails with SB_MISMATCH if there is one with another first line.
 * The caller holds the lock of the folder, unless the journal is only read, and closes it, also after a failure. */
bool sb_answers_open(sb_answers *answers, const char *path, const sb_lock *lock, const sb_out *head, sb_error *error);
/* Whether the next answer is in the journal already. */
bool sb_answers_has_next(const sb_answers *answers);
/* Whether the next answer in the journal is what `who` answered to this question of n bytes. */
bool sb_answers_next_is(const sb_answers *answers, const char *who, const char *question, size_t n);

/* Takes the next answer: of `who` to a question of n bytes; a failure has no answer. Fails with SB_MISMATCH if another
 * question was asked then. The answer lives until the next call. */
bool sb_answers_take(sb_answers *answers, const char *who, const char *question, size_t n, sb_json_part *answer,
                     sb_failure *failure, sb_error *error);
/* Keeps an answer; what is not JSON is kept, too. */
bool sb_answers_keep(sb_answers *answers, const char *who, const char *question, size_t n, const sb_json_part *answer,
                     const sb_failure *failure, sb_error *error);
/* The SHA-256 of all lines so far, without the first. */
void sb_answers_hash(const sb_answers *answers, char hex[SB_SHA256_HEX]);
/* Writes the answers that were kept and flushes them to the disk. */
bool sb_answers_sync(sb_answers *answers, sb_error *error);
void sb_answers_close(sb_answers *answers);

#endif
