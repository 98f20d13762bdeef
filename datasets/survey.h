/* Counts the prompts of a finished dataset. */
#ifndef SB_DATASETS_SURVEY_H
#define SB_DATASETS_SURVEY_H

#include "datasets/prompts.h"

/* Reads the rows of a finished dataset's files and counts them; formats without prompts have no items. Memory is that
 * of sb_prompts, for each item. */
typedef struct sb_survey {
    const sb_schedule *schedule;
    const char *folder;
    size_t jobs;
    uint64_t
        /* Episodes with rows: at most as many evaluation episodes are played, so that small datasets stay cheap. */
        episodes;
    bool alone; /* nothing is said of evaluation episodes: agents of another version may play them otherwise */
} sb_survey;
bool sb_survey_take(const sb_survey *survey, sb_prompt_list *list, sb_error *error);

#endif
