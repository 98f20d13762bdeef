/* Rows as questions: hashes of prompt and answer, and counts of rows that ask the same. Texts are not kept. */
#ifndef SB_DATASETS_PROMPTS_H
#define SB_DATASETS_PROMPTS_H

#include "datasets/key_set.h"
#include "datasets/schedule.h"
#include "exporters/exporter.h"

/* SipHash, so equal hashes are taken for equal texts: by chance, one of 2^64 rows would be taken for another. */
typedef struct sb_row_hash {
    uint64_t prompt[2], shown[2], answer;
} sb_row_hash;

/* The row is a line of the format, which has prompts. */
sb_row_hash sb_row_hash_of(const sb_export *export, sb_span row);
/* Appends the hash of every line of the text. */
void sb_put_row_hashes(const sb_export *export, const char *rows, size_t n, sb_out *out);
/* Sets the key of prompt and answer together. */
void sb_pair_key(const sb_row_hash *row, uint64_t key[2]);

/* Counts prompts, whatever the order of the rows. A prompt takes 60 to 120 bytes. If there are more than `most`, only
 * those are counted whose hash ends in a zero, or in two zeros and so on, until there are not; so memory is bounded. */
typedef struct sb_prompt_entry {
    uint64_t prompt[2], answer; /* the answer that came first */
    uint64_t rows;
    uint32_t answers, group; /* answers: how many different ones; 0: the entry is free */
} sb_prompt_entry;

enum { SB_PROMPTS_MOST = 1 << 21 /* 160 MiB, and what the others take */ };
typedef struct sb_prompts {
    size_t most; /* set by the caller */
    sb_prompt_entry *entries;
    size_t n, mask;
    sb_key_set others;  /* prompts with answers that are not the first that came */
    unsigned level;     /* how many zeros */
    sb_key_set answers; /* different ones, whatever is asked, limited in the same way by their own hashes */
    unsigned answer_level;
    uint64_t rows; /* all, counted or not */
} sb_prompts;

/* `group` is a number of the caller's, for what the row belongs to. */
bool sb_prompts_add(sb_prompts *prompts, const sb_row_hash *row, uint32_t group, sb_error *error);
void sb_prompts_free(sb_prompts *prompts);

typedef struct sb_prompt_counts {
    uint64_t rows, prompts; /* prompts: distinct ones */
    uint64_t repeated;      /* rows with the prompt and the answer of an earlier one */
    uint64_t conflicts;     /* prompts with several answers */
    uint64_t answers;       /* distinct ones; estimated if there are very many */
    uint64_t one_in; /* all but `rows` and `answers` is estimated from one in so many prompts; 1: all were counted */
} sb_prompt_counts;
sb_prompt_counts sb_prompts_count(const sb_prompts *prompts);
/* Adds to `groups` (n of them) how many conflicts each has. A prompt of several groups counts in the first of them. */
void sb_prompts_count_groups(const sb_prompts *prompts, uint64_t *groups, size_t n);

/* What the manifest and the card say of prompts: how many rows ask the same, where the answers differ, and how many
 * prompts of an evaluation stand in the dataset. */

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
