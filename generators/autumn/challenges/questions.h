/* Challenges as data: questions and answers for language models, and the published file forms (protocol 3 to 5). What
 * is asked and what is right never stand in one text. */
#ifndef SB_AUTUMN_QUESTIONS_H
#define SB_AUTUMN_QUESTIONS_H

#include "generators/autumn/challenges/challenge.h"

/* Both write one line of JSON each with a newline, and are for predictions only. A question shows the frames as rows of
 * signs, what was done, and the six options; the answer is the number of an option. */
void sb_autumn_put_question(const sb_autumn_challenge *c, sb_out *question, sb_out *answer);
/* The same as conversations: `messages` with one message of the user, and `messages` with the reply. */
void sb_autumn_put_conversation(const sb_autumn_challenge *c, sb_out *question, sb_out *answer);

/* The published form, of any kind: a document, and one with the answer. Colours are numbers from 1, and `colours` says
 * what they are; 0 is a masked cell. Of a change, the document says nothing but the program; the answer has the text of
 * the changed program, which is `text` with the edits. False: out of memory. */
bool sb_autumn_put_published(const sb_autumn_challenge *c, const char *text, size_t n, sb_out *document,
                             sb_out *answer);

#endif
