/* Who played a tape, where that was a person: the member `person` of a tape (docs/studies.md). It is carried data: no
 * digest covers it, and no replay judges it. */
#ifndef SB_ROLLOUT_PERSON_H
#define SB_ROLLOUT_PERSON_H

#include "base/json.h"
#include "base/out.h"

#define SB_HUMAN "human" /* the agent of such tapes */

enum {
    SB_PARTICIPANT = 17, /* 16 hex digits and NUL */
    SB_STUDY_NAME = 49   /* room for the name of a study: letters, digits and ._-, with NUL */
};

typedef struct sb_person {
    bool known;                       /* false: nothing is said of who played */
    char participant[SB_PARTICIPANT]; /* the participant's number, which is random; "": not told */
    char study[SB_STUDY_NAME];        /* the study's name; "": the play belongs to none */
    uint32_t ordinal;                 /* which play of this participant it is, from 0 */
    uint32_t attempt;                 /* which of this participant's plays of this episode, from 1 */
    uint32_t hints, undos;            /* how often the person asked for them */
    uint32_t *expert;                 /* steps at which the expert acted instead, ascending; on the heap */
    size_t n_expert, expert_capacity;
    uint64_t *milliseconds; /* milliseconds from the episode's beginning to each action; on the heap */
    size_t n, capacity;
} sb_person;

void sb_person_free(sb_person *person);
/* Forgets who played; memory is kept. */
void sb_person_clear(sb_person *person);

/* Puts the member `person`, or nothing if nothing is said; with `times` false, without the times. */
void sb_person_print(const sb_person *person, bool times, sb_out *out);
/* Reads the member `person` of a tape of that agent with so many actions; without one nothing is said. */
bool sb_person_read(const cJSON *tape, const char *agent, size_t actions, sb_person *person, sb_error *error);

/* Whether a text is a participant's number: 16 hexadecimal digits in lower case. */
bool sb_is_participant(const char *text);
/* Whether a text is the name of a study: 1 to 48 letters, digits, `.`, `_` and `-`, the first one a letter or digit. */
bool sb_is_study_name(const char *text);
/* Whether the person played alone: without hints, without taking a step back, and without the expert. */
bool sb_played_alone(const sb_person *person);

#endif
