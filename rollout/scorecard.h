/* Scores of multi-level games by efficiency: relative human action efficiency (RHAE) and scorecards, computed in the
 * order of the published scorer, so that the last bits are the same. Scores are percent.
 *
 * A module of numbers: it knows levels, actions and baselines, and no family. Baselines of our own games are a proxy,
 * so scores against them are named `rhae-proxy`. */
#ifndef SB_ROLLOUT_SCORECARD_H
#define SB_ROLLOUT_SCORECARD_H

#include "base/out.h"

enum { SB_CARD_LEVELS = 254 }; /* the most levels of a game */

/* The score of a completed level: (baseline / actions)^2, at most 115; 0 without actions. */
double sb_rhae_level(double baseline, double actions);
/* The score of a game: the mean of its levels, each weighted by its number, at most the part (by weight) of levels with
 * a score. `scores`: 0 for levels that were not completed. */
double sb_rhae_game(const double *scores, size_t n_levels);

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

typedef enum sb_card_state { SB_CARD_NOT_FINISHED, SB_CARD_WIN, SB_CARD_GAME_OVER } sb_card_state;

/* One play of a game: from a reset of the whole game to the next. Zeroed: nothing was done but the opening reset. */
typedef struct sb_card_play {
    const char *guid; /* the play's id; belongs to the caller */
    int32_t levels_completed;
    uint32_t actions, resets; /* resets are counted among the actions */
    uint8_t state;            /* sb_card_state: the last WIN or GAME_OVER, even if the play went on */
    uint16_t n_entries;
    struct {
        int32_t levels;        /* completed levels */
        uint32_t actions;      /* actions until then */
    } entries[SB_CARD_LEVELS]; /* an entry for every change of the number of completed levels */
} sb_card_play;

/* What came of one action. */
typedef struct sb_card_answer {
    bool is_reset, full_reset;
    bool has_frames;      /* an answer without frames (to an action after the end) counts for nothing */
    bool is_win, is_over; /* the states WIN and GAME_OVER */
    int32_t levels_completed;
} sb_card_answer;

/* Counts an action. Returns false if it began a new play, which the caller opens with a zeroed one. */
bool sb_card_count(sb_card_play *play, const sb_card_answer *answer);

/* ---- Scoring ----------------------------------------------------------------------------------------------------- */

/* A play with its scores. Level i counts as completed if the play has more than i entries. */
typedef struct sb_card_run {
    double score;
    const char *message; /* why there is no score: baselines are missing or too few; NULL otherwise */
    size_t n_levels;
    double level_scores[SB_CARD_LEVELS];
    uint32_t level_actions[SB_CARD_LEVELS];
} sb_card_run;

/* Scores a play against baselines, one for each level; there are none if n_baselines is 0. */
void sb_card_score(const sb_card_play *play, const uint32_t *baselines, size_t n_baselines, sb_card_run *run);

/* A game's plays, for a scorecard. Everything belongs to the caller. */
typedef struct sb_card_game {
    const char *id;
    const char *const *tags; /* NULL-terminated; NULL: none */
    const uint32_t *baselines;
    size_t n_baselines;
    const sb_card_play *plays;
    size_t n_plays; /* at least 1: games that were not played are left out of a card */
} sb_card_game;

/* The best score of the game's plays. */
double sb_card_game_score(const sb_card_game *game);

/* Writes what was counted of a game, and the scorecard of several, as JSON in the toolkit's form. `tags` are the
 * card's, NULL-terminated. */
void sb_put_card(const sb_card_game *game, sb_out *out);
void sb_put_scorecard(const char *card_id, const char *const *tags, const sb_card_game *games, size_t n_games,
                      sb_out *out);

#endif
