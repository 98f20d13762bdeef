/* Rows as questions: hashes of prompt and answer, and counts of rows that ask the same. Texts are not kept. */
#ifndef SB_DATASETS_PROMPTS_H
#define SB_DATASETS_PROMPTS_H

#include "datasets/key_set.h"
#include "datasets/schedule.h"
#include "exporters/exporter.h"

/* The hashes of a row. They are SipHash, and equal hashes are taken for equal texts: by chance, one of 2^64 rows would
 * be taken for another. */
typedef struct sb_row_hash {
    uint64_t prompt[2], shown[2], answer;
} sb_row_hash;

/* Returns the hashes of a row, which is a line of a format with prompts. */
sb_row_hash sb_row_hash_of(const sb_export *export, sb_span row);
/* Appends the hash of every line of the text. */
void sb_put_row_hashes(const sb_export *export, const char *rows, size_t n, sb_out *out);
/* Sets the key of prompt and answer together. */
void sb_pair_key(const sb_row_hash *row, uint64_t key[2]);

/* Counts prompts, whatever the order of the rows. A prompt takes 60 to 120 bytes. If there are more than `most`, only
 * those are counted whose hash ends in a zero, or in two zeros and so on, until there are not; so memory is bounded. */
typedef struct sb_prompt_entry {
    uint64_t prompt[2], answer; /* answer: hash of the answer that came first */
    uint64_t rows;
    uint32_t answers, group; /* answers: how many different ones the prompt has; 0: the entry is free */
} sb_prompt_entry;

enum { SB_PROMPTS_MOST = 1 << 21 /* prompts, which take 160 MiB and what `others` takes */ };
typedef struct sb_prompts {
    size_t most; /* how many prompts are counted at most; set by the caller */
    sb_prompt_entry *entries;
    size_t n, mask;
    sb_key_set others;  /* keys of prompts with answers that are not the first that came */
    unsigned level;     /* how many zeros the hashes of counted prompts end in */
    sb_key_set answers; /* hashes of different answers, whatever is asked, limited by zeros like prompts */
    unsigned answer_level;
    uint64_t rows; /* all, counted or not */
} sb_prompts;

/* Counts a row. `group` is a number of the caller's, for what the row belongs to. */
bool sb_prompts_add(sb_prompts *prompts, const sb_row_hash *row, uint32_t group, sb_error *error);
void sb_prompts_free(sb_prompts *prompts);

typedef struct sb_prompt_counts {
    uint64_t rows, prompts; /* prompts: different ones */
    uint64_t repeated;      /* rows with the prompt and the answer of an earlier one */
    uint64_t conflicts;     /* prompts with several answers */
    uint64_t answers;       /* different answers; estimated if there are very many */
    /* Everything but `rows` and `answers` is estimated from one in so many prompts; 1: all were counted. */
    uint64_t one_in;
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

/* What is said of the prompts in the rows of one format in one split. */
typedef struct sb_prompt_facts {
    /* name: that of the format's files; split: "" if the dataset has no splits. */
    char name[SB_EXPORT_NAME], split[SB_SPLIT_NAME];
    sb_prompt_counts counts;
    uint64_t duplicates, apart; /* rows that the recipe's rules left out */
    sb_prompt_conflicts *in;    /* where prompts have several answers, in the order of tasks and difficulties */
    size_t n_in;
    /* The prompts were compared with those of evaluation, unless nobody can play its episodes or the rows are theirs.
     */
    bool compared;
    uint64_t episodes, listed; /* how many evaluation episodes were played, and how many are listed */
    /* Different prompts that evaluation episodes show, and how many of them these rows show, too. */
    uint64_t evaluation, found;
} sb_prompt_facts;

typedef struct sb_prompt_list {
    sb_prompt_facts *of; /* facts, format by format */
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
