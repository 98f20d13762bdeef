/* Challenges: masked frame prediction, planning and change detection, derived from any program and a seed (challenges
 * of the specification). docs/autumn-challenges.md says how they are played and derived. Derivation differs from the
 * specification in this:
 * - A changed program is one text with both versions of a rule, and one state; switching sets a variable.
 * - Certificate D is of the course that was played, not of the program: what counts is whether any step drew.
 * - All six options are futures of the program, and the answer is drawn among them last, so that no guesser finds it.
 *   So `stay` may be the answer, and mutants and other times are no options.
 * - A plan must work with at least 45 of 50 other draws, so no expert is needed to derive a goal.
 * - Whether a goal is out of reach after random actions is hard to tell from a search that was too short: the first
 *   attempts demand that it is found, later ones only note how often it was (`alive`).
 * - How easily a change is seen is measured step by step along the unchanged course: two courses with random draws part
 *   anyway. Changes are tried out on random actions of interest, because the coverage walk tries every action first.
 * - A program is suitable with four different frames instead of eight.
 * - Forced draws and pruning in the tracker are not built: they would only be quicker, and the limits of tracking are a
 *   part of the rules.
 *
 * A challenge is a function of (program, kind, level, seed) and nothing else. It comes with a certificate:
 * sb_autumn_audit replays it against the program and finds whatever was altered. */
#ifndef SB_AUTUMN_CHALLENGE_H
#define SB_AUTUMN_CHALLENGE_H

#include "base/hash.h"
#include "engine/autumn/autumn.h"

typedef enum sb_autumn_challenge_kind {
    SB_AUTUMN_MFP, /* masked frame prediction */
    SB_AUTUMN_PLANNING,
    SB_AUTUMN_CHANGE,
    SB_AUTUMN_N_CHALLENGES
} sb_autumn_challenge_kind;

/* `mfp`, `planning`, `change`. */
extern const char *const sb_autumn_challenge_names[SB_AUTUMN_N_CHALLENGES];

/* The version of the rules by which challenges are derived. Packs of earlier versions are played and their certificates
 * are replayed, but what they hold is no longer derived. */
enum { SB_AUTUMN_CHALLENGE_VERSION = 2 };
enum { SB_AUTUMN_LEVELS = 4, SB_AUTUMN_ATTEMPTS = 200, SB_AUTUMN_CHOICES = 6, SB_AUTUMN_EDITS = 2 };
/* Seeds 1 to this are those of the pack that comes with Seedbed, so datasets to train with leave them out. */
enum { SB_AUTUMN_RESERVED_SEEDS = 5 };

typedef struct sb_autumn_challenge_name {
    char program[40];
    sb_autumn_challenge_kind kind;
    uint32_t level; /* 1..SB_AUTUMN_LEVELS */
    uint64_t seed;
} sb_autumn_challenge_name;

/* How it is known that the answer is certain, or that the changed frame is impossible: by a course in which nothing is
 * drawn, by enumerating all draws, or by what chance cannot touch. A plan's certificate is its replay. */
typedef enum sb_autumn_proof { SB_AUTUMN_NO_DRAWS, SB_AUTUMN_ENUMERATED, SB_AUTUMN_CLEAN } sb_autumn_proof;
extern const char *const sb_autumn_proof_letters; /* "DET" */

/* A replacement in the program's text. */
typedef struct sb_autumn_edit {
    size_t at, n; /* at: where the edit begins; n: bytes that are replaced */
    char *before, *after;
} sb_autumn_edit;

/* When a change may act: from the moment on in which something has happened `times` times in the test. */
typedef enum sb_autumn_guard_kind {
    SB_AUTUMN_AFTER_HANDLER, /* handler `number` has fired */
    SB_AUTUMN_AFTER_CHANGE,  /* the variable of rule `number` has changed */
    SB_AUTUMN_AFTER_CLICKS,
    SB_AUTUMN_AFTER_STEPS,
    SB_AUTUMN_N_GUARDS
} sb_autumn_guard_kind;
extern const char *const sb_autumn_guard_names[SB_AUTUMN_N_GUARDS];

typedef struct sb_autumn_guard {
    sb_autumn_guard_kind kind;
    uint32_t number; /* number of the handler or rule, in program order; otherwise 0 */
    uint32_t times;
    uint32_t cells; /* cells in which the changed frame must differ at least; 0: version 1, where one is enough */
} sb_autumn_guard;

/* How random agents do in a challenge: the share of `episodes` episodes of at most `limit` steps that succeed, and the
 * mean number of steps until then (0: none did). */
typedef struct sb_autumn_odds {
    uint32_t episodes, successes;
    /* planning: agents that were tried, and those that reach the goal within the horizon; tried 0: `episodes` agents */
    uint32_t tried, within;
    double steps;
} sb_autumn_odds;

/* A challenge. Colours are numbers of `colours`; frames and masks are rows of size * size. sb_autumn_challenge_clear
 * frees the parts. */
typedef struct sb_autumn_challenge {
    sb_autumn_challenge_name name;
    uint32_t version;           /* version of the rules; 0: the present version */
    char sha256[SB_SHA256_HEX]; /* SHA-256 of the program's text */
    uint32_t attempt;           /* number of the first attempt that gave a challenge, from 0 */
    uint32_t size;
    char **colours;
    uint32_t n_colours;
    sb_autumn_proof proof;
    uint32_t largest; /* ENUMERATED: the most states that were possible at the same time */

    /* mfp: what was done; planning: the plan; change: an example of what makes the change act, in the last step. */
    sb_autumn_event *actions;
    uint32_t n_actions;

    uint8_t *mask;                     /* 1: masked (mfp), must have the goal's colour (planning) */
    uint32_t n_mask;                   /* cells of the mask */
    uint8_t *frames;                   /* mfp: n_actions + 1 frames, the last of them in full; planning: the goal */
    uint32_t masked;                   /* mfp: how many of the last frames are masked */
    uint8_t *options;                  /* mfp: SB_AUTUMN_CHOICES times the n_mask cells, in row order */
    uint8_t causes[SB_AUTUMN_CHOICES]; /* mfp: why each option was chosen, sb_autumn_cause_names */
    uint32_t answer;                   /* mfp: number of the right option */
    uint32_t horizon;                  /* planning: steps within which the goal must be reached */
    uint32_t alive; /* planning: of ten states after 20 random actions, in how many a short search finds the goal */
    sb_autumn_odds odds; /* planning and change: how random agents do */

    char mutation[12];
    sb_autumn_edit edits[SB_AUTUMN_EDITS];
    uint32_t n_edits;
    sb_autumn_guard guard;
    uint32_t cells; /* change: cells that differ in the first changed frame of the example */

    uint32_t firings, latents, closest; /* difficulty of mfp: handlers that fired in masked steps, hidden variables that
                                           matter, smallest distance of an option to the answer */
} sb_autumn_challenge;

/* What an option of a prediction is: beside the answer the content before the mask (`stay`), or where one action less
 * (`missed`), one other (`other`) or several others (`course`) would have led. The rest is only in packs of version 1.
 */
enum {
    SB_AUTUMN_ANSWER,
    SB_AUTUMN_STAY,
    SB_AUTUMN_MISSED,
    SB_AUTUMN_OTHER,
    SB_AUTUMN_SHIFT,
    SB_AUTUMN_RULE,
    SB_AUTUMN_MIRROR,
    SB_AUTUMN_RECOLOUR,
    SB_AUTUMN_COURSE,
    SB_AUTUMN_N_CAUSES
};
extern const char *const sb_autumn_cause_names[];

/* A program to derive from. What was found out about it is kept for further challenges; it changes no result. One
 * thread at a time. */
typedef struct sb_autumn_study sb_autumn_study;
/* Makes a study. `text` must outlive it. NULL with an error: the text is no program, the program cannot start, or
 * memory ran out. */
sb_autumn_study *sb_autumn_study_new(const char *name, const char *text, size_t n, sb_error *error);
void sb_autumn_study_free(sb_autumn_study *study);
/* Sets who is told how far derivations have come (sb_watch_starts); NULL: nobody. */
void sb_autumn_study_watch(sb_autumn_study *study, sb_start_watcher *watcher, void *context);

/* Derives a challenge. False: SB_INVALID with the reason why there is none, or SB_MEMORY. The challenge is zeroed at
 * first and must be cleared in any case. Takes up to SB_AUTUMN_ATTEMPTS attempts. */
bool sb_autumn_derive(sb_autumn_study *study, sb_autumn_challenge_kind kind, uint32_t level, uint64_t seed,
                      sb_autumn_challenge *challenge, sb_error *error);
/* Whether `text` is a reason that the error of sb_autumn_derive may tell of this name. Does not derive. */
bool sb_autumn_may_fail(sb_autumn_study *study, const sb_autumn_challenge_name *name, const char *text);
/* Replays a challenge against the program: its frames, that the answer is certain, that the plan leads to the goal,
 * that the change acts where it says and is impossible there. False with SB_MISMATCH and what is wrong. */
bool sb_autumn_audit(sb_autumn_study *study, const sb_autumn_challenge *challenge, sb_error *error);
void sb_autumn_challenge_clear(sb_autumn_challenge *challenge);

/* Puts a name such as `autumn:Seesaw/planning-3#12`. */
void sb_autumn_challenge_put_name(const sb_autumn_challenge_name *name, sb_out *out);

/* Writes a challenge as two lines of JSON, each with a newline: what is asked, and the answer with its certificate. The
 * line of the answer holds the SHA-256 of the other line. */
void sb_autumn_challenge_put(const sb_autumn_challenge *challenge, sb_out *task, sb_out *answer);
/* Reads the two lines of a challenge, from arbitrary bytes. */
bool sb_autumn_challenge_parse(const char *task, size_t n_task, const char *answer, size_t n_answer,
                               sb_autumn_challenge *challenge, sb_error *error);

/* Puts a member of an object that says when a change acts. */
void sb_autumn_put_guard(sb_out *out, const char *key, const sb_autumn_guard *guard);

/* A sign for each colour of a challenge, by number. `?` is none of them: it stands for cells that are masked or do not
 * count. */
enum { SB_AUTUMN_SIGNS = 89 };
extern const char sb_autumn_signs[SB_AUTUMN_SIGNS + 1];

/* The seed of the noise of a phase: `interaction` or `test`, and the number of the reset (protocol 2). */
uint64_t sb_autumn_noise(uint64_t seed, const char *phase, uint64_t reset);

#endif
