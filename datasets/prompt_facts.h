/* What the manifest and the card say of prompts: how many rows ask the same, where the answers differ, and how many
 * prompts of an evaluation stand in the dataset. */
#ifndef SB_DATASETS_PROMPT_FACTS_H
#define SB_DATASETS_PROMPT_FACTS_H

#include "datasets/prompts.h"
#include "datasets/schedule.h"

/* A task and difficulty with prompts that have several answers. */
typedef struct sb_prompt_conflicts {
    char task[40], difficulty[16];
    uint64_t prompts;
} sb_prompt_conflicts;

/* Of the rows of one format in one split. */
typedef struct sb_prompt_facts {
    char name[SB_EXPORT_NAME], split[SB_SPLIT_NAME]; /* name: of the format's files; split: "" if there are none */
    sb_prompt_counts counts;
    uint64_t duplicates, apart; /* rows that the recipe's rules left out */
    sb_prompt_conflicts *in;    /* where the conflicts are, in the order of tasks and difficulties */
    size_t n_in;
    bool compared; /* with evaluation episodes; not if nobody can play them, or the rows are those of the evaluation */
    uint64_t episodes, listed;  /* how many of the listed ones were played */
    uint64_t evaluation, found; /* what is shown in them, distinct, and how much of it is shown in these rows, too */
} sb_prompt_facts;

typedef struct sb_prompt_list {
    sb_prompt_facts *of; /* format by format */
    size_t n;
} sb_prompt_list;

void sb_prompt_list_free(sb_prompt_list *list);
/* Adds an empty item; NULL with an error. */
sb_prompt_facts *sb_prompt_list_add(sb_prompt_list *list, const char *name, const char *split, sb_error *error);
bool sb_prompt_facts_add_conflicts(sb_prompt_facts *facts, const char *task, const char *difficulty, uint64_t prompts,
                                   sb_error *error);

/* Writes the key `prompts` of a manifest, with or without what is said of evaluation episodes, and reads it. */
void sb_prompt_list_print(const sb_prompt_list *list, bool alone, sb_out *out);
bool sb_prompt_list_read(const cJSON *manifest, sb_prompt_list *list, sb_error *error);

#endif
