/* How much text a dataset's rows of the first format hold, by task and difficulty: what a trainer reads of them
 * (exporters/texts.h). */
#ifndef SB_DATASETS_TEXT_FACTS_H
#define SB_DATASETS_TEXT_FACTS_H

#include "datasets/stats.h"

/* Counts the characters of the texts in an episode's rows, and their tokens if there is a tokenizer. `list` is for the
 * texts, and kept from one call to the next. */
bool sb_texts_measure(const sb_texts *texts, sb_tokenizer *tokenizer, const char *rows, size_t n, sb_out *list,
                      uint64_t *characters, uint64_t *tokens, sb_error *error);

typedef struct sb_text_facts {
    char task[40], difficulty[16];
    uint64_t characters, tokens;
} sb_text_facts;

/* How much text there is, as a list, which starts zeroed. */
typedef struct sb_text_list {
    sb_text_facts *of; /* facts in the order of the statistics */
    size_t n;
    bool has_tokens;
} sb_text_list;

bool sb_text_list_make(const sb_stats *stats, bool has_tokens, sb_text_list *list, sb_error *error);
void sb_text_list_free(sb_text_list *list);
/* Returns the sums over the list. */
sb_text_facts sb_text_list_total(const sb_text_list *list);

bool sb_text_lists_agree(const sb_text_list *a, const sb_text_list *b);

/* Writes the key `texts` of a manifest, and reads it. */
void sb_text_list_print(const sb_text_list *list, sb_out *out);
bool sb_text_list_read(const cJSON *manifest, bool has_tokens, sb_text_list *list, sb_error *error);

#endif
