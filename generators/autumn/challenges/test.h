/* The test as a protocol (protocol 1 to 5): free interaction with the program, then the test that a challenge poses,
 * then its score. Everything here is behind the hooks of an episode whose difficulty is a challenge. */
#ifndef SB_AUTUMN_TEST_H
#define SB_AUTUMN_TEST_H

#include "engine/environment.h"
#include "generators/autumn/challenges/changing.h"
#include "generators/autumn/events.h"
#include "generators/autumn/programs.h"
#include "generators/autumn/variants.h"

/* The challenge that an episode poses: taken from the catalogue, or derived from its name. */

/* A challenge that is posed. Copies of an episode share it. */
typedef struct sb_autumn_posed {
    sb_autumn_challenge challenge;
    uint32_t left, top, width, height; /* the smallest rectangle that holds the mask */
    _Atomic size_t users;
} sb_autumn_posed;

/* Poses the challenge that env->name names. Deriving it takes seconds, and up to a minute; a catalogue that has it
 * saves that. Both give the same challenge. NULL with an error: it cannot be derived, or the document of the catalogue
 * is none of this program. */
sb_autumn_posed *sb_autumn_pose(const sb_env *env, sb_error *error);
sb_autumn_posed *sb_autumn_posed_share(sb_autumn_posed *posed);
void sb_autumn_posed_release(sb_autumn_posed *posed);

typedef enum sb_autumn_phase {
    SB_AUTUMN_INTERACTION,
    SB_AUTUMN_TESTING,
    SB_AUTUMN_CHOOSING /* change: the agent has found the change, and looks for its frame */
} sb_autumn_phase;
extern const char *const sb_autumn_phase_names[3]; /* `interaction`, `test`, `choice` */

/* Buttons behind the five keys, and the buttons of each kind behind these. */
enum {
    SB_AUTUMN_RESET = SB_AUTUMN_N_BUTTONS, /* interaction: begins anew */
    SB_AUTUMN_GO_TO_TEST,                  /* interaction: ends this phase */
    SB_AUTUMN_QUIT,                        /* ends the episode with score 0 */
    SB_AUTUMN_N_SHARED_BUTTONS,
    /* buttons of mfp */
    SB_AUTUMN_NEXT = SB_AUTUMN_N_SHARED_BUTTONS,
    SB_AUTUMN_REWIND,
    SB_AUTUMN_OPTION,
    SB_AUTUMN_N_MFP_BUTTONS = SB_AUTUMN_OPTION + SB_AUTUMN_CHOICES,
    /* buttons of change */
    SB_AUTUMN_DECLARE = SB_AUTUMN_N_SHARED_BUTTONS,
    SB_AUTUMN_SUBMIT,
    SB_AUTUMN_CHOOSE_FRAME
};

/* Limits of the phases of a challenge, in steps. That of interaction is the published one, those of the tests are our
 * own; a planning challenge has its own limit, the horizon. */
enum {
    SB_AUTUMN_INTERACTION_STEPS = 300,
    SB_AUTUMN_MFP_STEPS = 500,
    SB_AUTUMN_PLANNING_STEPS = 1000, /* the longest horizon */
    SB_AUTUMN_CHANGE_STEPS = 500,    /* steps of acting in the test */
    SB_AUTUMN_CHOICE_STEPS = 500,    /* steps of choosing a frame */
    SB_AUTUMN_N_CHANGE_BUTTONS = SB_AUTUMN_CHOOSE_FRAME + SB_AUTUMN_CHANGE_STEPS + 1
};

typedef struct sb_autumn_test {
    sb_autumn_posed *posed;
    sb_autumn_phase phase;
    uint32_t resets, interactions; /* interactions: steps of the interaction */
    uint32_t steps;                /* steps of the present phase */
    uint32_t at;                   /* the frame that is shown: of a prediction, or of a choice */
    bool seen_all;                 /* mfp: the last frame was shown */
    /* the test was answered, with an option, a submitted frame, or by reaching the goal */
    bool answered;
    bool idle;          /* the last action did nothing, or ended the episode */
    uint32_t submitted; /* change: number of the frame that was submitted */
    /* score_zero: the score by the other reading of the formula; for other kinds than change equal to `score` */
    double score, score_zero;
    uint64_t history[2]; /* change: a hash of what was done in the test */

    uint32_t *goal;               /* planning: strings of the program, row by row; UINT32_MAX does not count */
    uint32_t *strings;            /* scratch: a frame */
    sb_autumn_changing *changing; /* the changed program of a change; NULL for other kinds */
    /* change: the frames that were shown, of `cells` strings of the changed program each. */
    uint16_t *frames;
    uint16_t *sizes; /* width and height of each frame */
    uint32_t n_frames;
    size_t cells;
} sb_autumn_test;

/* What is shown now: the size of the frame, and the colours of row y as texts; NULL is a cell that is masked. */
uint32_t sb_autumn_shown_size(const sb_autumn_episode *e);
void sb_autumn_shown_row(const sb_autumn_episode *e, uint32_t y, const char *colours[SB_AUTUMN_SIZE_MAX]);

/* Hooks of the family. */
void sb_autumn_test_shape(size_t variant, sb_shape *shape);
bool sb_autumn_test_start(sb_env *env, int32_t *max_steps, sb_error *error);
void sb_autumn_test_step(sb_env *env, sb_action action, sb_result *result);
void sb_autumn_test_valid(const sb_env *env, bool *mask);
void sb_autumn_test_effective(const sb_env *env, bool *mask);
bool sb_autumn_test_copy(sb_autumn_episode *to, const sb_autumn_episode *from, sb_error *error);
void sb_autumn_test_free(sb_autumn_test *test);
/* Begins the episode anew, with the challenge that it has. */
bool sb_autumn_test_again(sb_env *env);
/* Writes what the state of the program does not say of a planning challenge; takes it back from the end of `bytes`, and
 * returns how many they were, 0 if there are too few. */
void sb_autumn_test_save(const sb_autumn_test *test, sb_out *out);
size_t sb_autumn_test_restore(sb_autumn_test *test, const char *bytes, size_t n);
/* Adds to a key what the state of the program does not say. */
void sb_autumn_test_add_key(const sb_autumn_test *test, uint64_t key[2]);
/* The fault of the last step that failed. */
const sb_autumn_fault *sb_autumn_test_fault(const sb_autumn_episode *e);
/* Names of the buttons behind the keys; NULL: there is none. `room` is for names with numbers. */
const char *sb_autumn_test_button(size_t variant, sb_action button, char room[32]);

/* The steps that a phase may take. */
uint32_t sb_autumn_phase_limit(const sb_autumn_test *test);
/* Scores of submitting a frame (protocol 5), of which 0 is the first: the printed formula, clamped to 0..1, and the one
 * that ends at 0. `changed` is the first frame that shows the change; 0: none did. */
void sb_autumn_score_change(uint32_t submitted, uint32_t changed, double *printed, double *zero);

#endif
