/* The conversation with a candidate's program: it is started, told of the game, asked line by line, and started again
 * when it dies or hangs. The operations (evaluation/models/candidate.h) write lines and read answers with this. */
#ifndef SB_EVALUATION_MODELS_CONVERSATION_H
#define SB_EVALUATION_MODELS_CONVERSATION_H

#include "evaluation/models/candidate.h"

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* Begins the candidate's line, which sb_model_ask ends. */
sb_out *sb_model_begin_line(sb_candidate *candidate, sb_model_op op);
/* Put members behind others. */
void sb_model_put_value(sb_out *out, const char *key, const sb_model_value *value);
void sb_model_put_meta(sb_out *out, const sb_model_meta *m);

/* ---- Asking ------------------------------------------------------------------------------------------------------ */

/* Ends the line and asks. The answer is an object; after a failure, which is counted, it is empty. */
bool sb_model_ask(sb_candidate *candidate, sb_model_op op, sb_json_part *answer, sb_error *error);
/* Also asks the line once more, now and then, and compares. What was answered first counts, and is kept meanwhile. */
bool sb_model_ask_purely(sb_candidate *candidate, sb_model_op op, sb_json_part *answer, sb_error *error);

/* ---- Answers ----------------------------------------------------------------------------------------------------- */

/* Notes that an answer is no good after all. */
void sb_model_refuse(sb_candidate *candidate, sb_model_op op, const sb_json_part *answer, const char *why);
/* Keeps a value; false with a failure if it is too large. */
bool sb_model_keep(sb_candidate *candidate, sb_model_op op, const sb_json_part *answer, const sb_json_part *value,
                   sb_model_value *to);
bool sb_model_is_text(const sb_json_part *part);
/* Copies a text without its escapes, cut to what there is room for. */
void sb_model_copy_text(const sb_json_part *part, char *to, size_t capacity);

#endif
