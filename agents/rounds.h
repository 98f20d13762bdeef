/* Programs that play several episodes at a time: a line has a message for each running episode, and so has the reply an
 * answer (docs/agents.md, "Several episodes at a time"). */
#ifndef SB_AGENTS_ROUNDS_H
#define SB_AGENTS_ROUNDS_H

#include "agents/program.h"

/* An episode that is to be played. */
typedef struct sb_round_episode {
    size_t place; /* whatever it is to the caller */
    sb_name name;
    uint32_t attempt;
    sb_counters before; /* of a first try, which is played again; zero from the caller */
} sb_round_episode;

/* Where episodes come from and go to. Both functions are called in the thread that plays; false is an error that ends
 * everything. */
typedef struct sb_round_feed {
    void *context;
    /* Gives the next episode; `none` tells that there are no more. */
    bool (*next)(void *context, sb_round_episode *episode, bool *none, sb_error *error);
    /* Takes an episode that is over, with its tape, which becomes the caller's; `slot` has its failure. */
    bool (*done)(void *context, const sb_round_episode *episode, sb_tape *tape, const sb_slot *slot, sb_error *error);
} sb_round_feed;

/* Plays all episodes, up to rules->batch at a time. A bad answer loses its own episode only. If a whole line or the
 * process fails, the episodes that were running are played again, each alone, and those that fail again are lost. */
bool sb_rounds_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard,
                    const sb_catalogue *catalogue, const sb_round_feed *feed, sb_error *error);

#endif
