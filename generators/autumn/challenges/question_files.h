/* Writes the challenges of a pack as data: questions and answers for language models, or the published file forms
 * (protocol 3 to 5). */
#ifndef SB_AUTUMN_QUESTION_FILES_H
#define SB_AUTUMN_QUESTION_FILES_H

#include "seedbed.h"

typedef enum sb_autumn_question_form {
    SB_AUTUMN_FORM_QUESTIONS,     /* OUTPUT.jsonl and OUTPUT.answers.jsonl, of predictions only */
    SB_AUTUMN_FORM_CONVERSATIONS, /* OUTPUT.jsonl and OUTPUT.answers.jsonl, of predictions only, as conversations */
    SB_AUTUMN_FORM_PUBLISHED      /* a folder with two documents for each challenge */
} sb_autumn_question_form;
extern const char *const sb_autumn_question_forms[]; /* names of the forms, and NULL */

typedef struct sb_autumn_question_files {
    const char *pack, *output;
    const char *apart_from; /* a pack; NULL: nothing is kept apart. Challenges that it has under the same name, or that
                               ask the same as one of its own, are left out */
    const sb_catalogue *catalogue; /* the programs that users brought, which the published form holds; NULL: none */
    sb_autumn_question_form form;
    size_t written, left_out; /* challenges that were written, and left out; set by the call */
} sb_autumn_question_files;

bool sb_autumn_write_questions(sb_autumn_question_files *files, sb_error *error);

#endif
