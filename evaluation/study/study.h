/* Studies: which episodes people play, in which order, under which limits, and what they are told and asked. A study is
 * a document, study.json (study.schema.json, docs/studies.md). What people did is kept in a folder (collection.h), to
 * which a server adds it (server.h). */
#ifndef SB_EVALUATION_STUDY_H
#define SB_EVALUATION_STUDY_H

#include "base/hash.h"
#include "base/json.h"
#include "base/out.h"
#include "engine/lookup.h"
#include "rollout/person.h"

#define SB_STUDY_FORMAT "seedbed-study"

enum {
    SB_STUDY_VERSION = 1,
    SB_STUDY_BYTES = 8 << 20,  /* bytes of the document, at most */
    SB_STUDY_EPISODES = 10000, /* episodes to choose from, at most */
    SB_STUDY_PLAYED = 500,     /* episodes that one participant plays, at most */
    SB_STUDY_QUESTIONS = 64,   /* questions, and also choices of a question, at most */
    SB_STUDY_TEXT = 16 << 10,  /* bytes of a text */
    SB_STUDY_ANSWER = 4000,    /* bytes of an answer: a choice, or words (`letters` may allow fewer) */
    SB_STUDY_ATTEMPTS = 100,
    SB_STUDY_QUESTION_NAME = 33, /* bytes of a question's name, with NUL */
};

typedef enum { SB_ORDER_FIXED, SB_ORDER_BALANCED, SB_ORDER_DRAWN } sb_study_order_kind;
extern const char *const sb_study_orders[]; /* names of the orders; NULL-terminated */

enum { SB_TEXT_WELCOME, SB_TEXT_CONSENT, SB_TEXT_INSTRUCTIONS, SB_TEXT_END, SB_STUDY_TEXTS };
extern const char *const sb_study_text_names[SB_STUDY_TEXTS];

typedef enum { SB_ASK_CHOICE, SB_ASK_NUMBER, SB_ASK_TEXT } sb_asked;

typedef struct sb_question {
    char name[SB_STUDY_QUESTION_NAME];
    const char *text; /* the question's text, which belongs to the study's document, as its choices do */
    sb_asked kind;
    const cJSON *choices; /* texts */
    double least, most;   /* bounds of a number */
    uint64_t letters;     /* bytes of an answer in words, at most */
    bool each; /* asked after every episode; false: only after those whose number, from 1 on, is set in `after` */
    bool after[SB_STUDY_PLAYED + 1];
} sb_question;

/* A study that was read. Starts zeroed. */
typedef struct sb_study {
    cJSON *document;
    char name[SB_STUDY_NAME];
    sb_study_order_kind order;
    sb_name *episodes;
    size_t n, played;          /* episodes, and how many of them each participant plays */
    uint64_t attempts;         /* attempts at an episode, at most */
    uint64_t seconds, actions; /* seconds and actions for an episode, at most; 0: no limit but the episode's own */
    uint64_t minutes;          /* minutes for all episodes together; 0: no limit */
    bool undo, hint;           /* whether taking back and hints are on */
    const char *look, *mode;   /* how episodes are shown; NULL: as the page shows them */
    const char *texts[SB_STUDY_TEXTS];
    sb_question *questions;
    size_t n_questions;
    sb_out text; /* the study as one line of JSON, with names in place of packs: the same study gives the same bytes */
    char digest[SB_SHA256_HEX]; /* SHA-256 of `text` */
} sb_study;

/* Reads a study; paths of packs are relative to the folder of the file. Errors say where what is wrong. The caller
 * frees the study, also after a failure. */
bool sb_study_load(sb_study *study, const sb_catalogue *catalogue, const char *path, sb_error *error);
bool sb_study_parse(sb_study *study, const sb_catalogue *catalogue, const char *text, size_t n, const char *folder,
                    sb_error *error);
void sb_study_free(sb_study *study);

/* Gives a participant's order: study->n indices of episodes, of which the first study->played are played. `place` says
 * how many participants came before; UINT64_MAX: nobody knows, and the participant's number decides. */
bool sb_study_draw(const sb_study *study, const char *participant, uint64_t place, uint32_t *order, sb_error *error);

/* The index of the named episode; study->n if it is none of the study's. */
size_t sb_study_find(const sb_study *study, const sb_name *name);
/* The question of that name; NULL if there is none. */
const sb_question *sb_study_question(const sb_study *study, const char *name);
/* Whether the question is asked after the episode of this number, from 1 on. */
bool sb_is_asked(const sb_question *question, size_t after);
/* The most minutes that a participant plays; 0: nothing limits that. */
double sb_study_minutes(const sb_study *study);

/* Writes what a participant will see, for people. */
void sb_study_tell(const sb_study *study, sb_out *out);

#endif
