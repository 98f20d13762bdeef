/* The key `rows` of a recipe, if it is an object: which rows are left out (datasets/row_choice.h). A number there is a
 * budget (datasets/composition.h). */
#ifndef SB_DATASETS_ROW_RULES_H
#define SB_DATASETS_ROW_RULES_H

#include "base/json.h"
#include "base/out.h"

#define SB_APART_FROM_EVAL "eval" /* the evaluation lists of the tasks and difficulties that occur */

typedef struct sb_row_rules {
    bool drop_duplicates;   /* of rows with the same prompt and the same answer, only the first is kept */
    const char *apart_from; /* rows are left out whose prompt stands in these: a split of the recipe or `eval`; in
                               recipes that users write also the path of a seed pack. NULL: see `names` */
    const cJSON *names;     /* episodes by name, whose rows these are; NULL: none */
} sb_row_rules;

static inline bool sb_row_rules_are_empty(const sb_row_rules *r) {
    return !r->drop_duplicates && !r->apart_from && !r->names;
}

bool sb_row_rules_read(const cJSON *recipe, sb_row_rules *rules, sb_error *error);
/* Writes them as the key `rows`; nothing if there are none. */
void sb_row_rules_print(const sb_row_rules *rules, sb_out *out);

/* Lists the names of the episodes of a pack, in the place of its path. NULL with an error; the caller frees it. */
cJSON *sb_row_rules_load(const sb_catalogue *catalogue, const char *path, sb_error *error);
/* Puts such a list into a recipe that names a pack, so that it needs no other file. */
bool sb_row_rules_embed(const sb_catalogue *catalogue, cJSON *recipe, sb_row_rules *rules, sb_error *error);

#endif
