/* Lets a program play the episodes of a recipe, and keeps its tapes, from which the dataset is then built. So a dataset
 * is a function of its recipe and of tapes, and no recipe starts anything.
 *
 * Every tape is written to a journal in the folder when its episode is over, and flushed. What a killed or interrupted
 * run has played is kept, and the next run plays the rest. Then the tapes are written in the order of the selection,
 * the attempts at an episode one after another, whatever the number of workers and of interruptions. */
#ifndef SB_DATASETS_PLAYING_H
#define SB_DATASETS_PLAYING_H

#include "agents/agent.h"
#include "datasets/destination.h"
#include "datasets/schedule.h"

/* Names of two files that are removed when the dataset is finished. */
#define SB_PLAYING_NAME                                                                                                \
    "playing.jsonl"                   /* the journal: {"playing": 1, "agent": SPEC, ...} says who plays, and how; then \
                                         lines {"attempt": N, "tape": {...}}; N is 0 if there is only one attempt */
#define SB_PLAYED_NAME "played.jsonl" /* the tapes in their order, from which the dataset is built */

typedef struct sb_playing {
    const sb_schedule *schedule; /* a cast with a command; the census is taken: what it leaves out is not played */
    const sb_destination *destination;
    const sb_agent_options *program;
    size_t attempts; /* attempts at every episode; programs get other random numbers in each. 0: one */
    size_t jobs;
    bool resume;                                                    /* keep what an interrupted run has played */
    void (*started)(void *context);                                 /* may be NULL; the program was started */
    void (*progress)(void *context, size_t episodes, size_t total); /* may be NULL; called in order */
    const sb_stop *stop;                                            /* may be NULL; asked after every episode */
    sb_note *note;                                                  /* may be NULL */
    void *context;
} sb_playing;

/* Lets the program play. An episode that it loses (by a crash, or a late or wrong reply) has no tape, and a note says
 * so; if it only took too many steps, its tape is unfinished. Fails if the program cannot be started, if many episodes
 * in a row are lost, or if all are; the tapes of all other episodes are kept. */
bool sb_playing_run(const sb_playing *playing, sb_error *error);

#endif
