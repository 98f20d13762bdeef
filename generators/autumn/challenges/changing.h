/* A test of change detection as it is played (challenges 5.2): a program with a change that waits.
 *
 * The change acts in the first step in which its guard is armed and what the changed step shows is impossible under the
 * unchanged program, given all that was shown before. Until then the program is the unchanged one, on the same draws,
 * so what was shown is possible. So the step in which it acts is the defect time, whatever the agent does. */
#ifndef SB_AUTUMN_CHANGING_H
#define SB_AUTUMN_CHANGING_H

#include "generators/autumn/challenges/study.h"

/* What enumerating draws may take in one test. Part of the rules: while the answer is unknown the change waits. */
extern const sb_autumn_support_limits sb_autumn_changing_limits;

typedef struct sb_autumn_changing sb_autumn_changing;

/* Makes the changed program. NULL: the edits do not fit, the changed text is no program, or (`*no_memory`) memory ran
 * out. */
sb_autumn_changing *sb_autumn_changing_new(const char *text, size_t n, const sb_autumn_edit *edits, size_t n_edits,
                                           bool *no_memory);
void sb_autumn_changing_free(sb_autumn_changing *c);
/* Makes another test of the same changed program, which both share. It must begin, or become a copy. NULL: no memory.
 */
sb_autumn_changing *sb_autumn_changing_twin(const sb_autumn_changing *c);
/* Makes `to` equal to `from`; both must share their program. False: no memory, `to` must begin again. */
bool sb_autumn_changing_copy(sb_autumn_changing *to, const sb_autumn_changing *from);

/* Starts a test with the noise of this number (sb_autumn_noise). False: the program cannot start, or no memory. */
bool sb_autumn_changing_begin(sb_autumn_changing *c, const sb_autumn_guard *guard, uint64_t seed, uint64_t noise);
/* Takes a step; false: it failed, the test is over. */
bool sb_autumn_changing_step(sb_autumn_changing *c, sb_autumn_event event);
/* Whether the changed step would show something else than the unchanged one that was just taken. Only while the change
 * has not acted, and after sb_autumn_changing_watch. */
bool sb_autumn_changing_would_differ(const sb_autumn_changing *c);
void sb_autumn_changing_watch(sb_autumn_changing *c, bool always);

/* The fault of the last step that failed. */
const sb_autumn_fault *sb_autumn_changing_fault(const sb_autumn_changing *c);
const sb_autumn_program *sb_autumn_changing_program(const sb_autumn_changing *c);
const sb_autumn_state *sb_autumn_changing_state(const sb_autumn_changing *c);
/* The state that the unchanged program would have come to in the step in which the change acted, for one to go on. */
sb_autumn_state *sb_autumn_changing_unchanged(sb_autumn_changing *c);
/* Writes the present frame as strings of the unchanged program. False: it has another size or an unknown colour. */
bool sb_autumn_changing_strings(const sb_autumn_changing *c, const sb_autumn_study *s, uint32_t *shown);
/* Whether a limit of enumeration was hit: from then on only what chance cannot touch proves anything. */
bool sb_autumn_changing_lost(const sb_autumn_changing *c);
/* The number of the step in which the change acted, from 1; 0: it has not. What proved it, and how many states were
 * held at most. */
uint32_t sb_autumn_changing_acted(const sb_autumn_changing *c);
sb_autumn_proof sb_autumn_changing_proof(const sb_autumn_changing *c, uint32_t *largest);
/* Counts the cells in which the frames of two states of the changed program differ. */
uint32_t sb_autumn_changing_differences(sb_autumn_changing *c, const sb_autumn_state *a, const sb_autumn_state *b);

#endif
