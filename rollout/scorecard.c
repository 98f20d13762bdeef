#include "rollout/scorecard.h"

double sb_rhae_level(double baseline, double actions) {
    if (actions <= 0) return 0;
    const double ratio = baseline / actions, score = ratio * ratio * 100;
    return score < 115 ? score : 115;
}

/* The weighted mean of some levels and its ceiling, in the published order of additions. */
typedef struct weighing {
    double sum, weights, scored;
} weighing;

static void weigh(weighing *w, size_t number, double score) {
    w->sum += (double)number * score;
    w->weights += (double)number;
    if (score > 0) w->scored += (double)number;
}

static double weighed(const weighing *w) {
    if (w->weights == 0) return 0;
    const double mean = w->sum / w->weights, ceiling = w->scored / w->weights * 100;
    return mean < ceiling ? mean : ceiling;
}

double sb_rhae_game(const double *scores, size_t n_levels) {
    weighing w = {0};
    for (size_t i = 0; i < n_levels; i++) weigh(&w, i + 1, scores[i]);
    return weighed(&w);
}

/* ---- Counting ---------------------------------------------------------------------------------------------------- */

bool sb_card_count(sb_card_play *play, const sb_card_answer *answer) {
    if (answer->full_reset) return false;
    if (!answer->has_frames) return true;
    play->actions++;
    if (answer->is_reset) play->resets++;
    if (answer->is_win) play->state = SB_CARD_WIN;
    if (answer->is_over) play->state = SB_CARD_GAME_OVER;
    if (answer->levels_completed == play->levels_completed) return true;
    play->levels_completed = answer->levels_completed;
    if (play->n_entries == SB_CARD_LEVELS) return true;
    play->entries[play->n_entries].levels = answer->levels_completed;
    play->entries[play->n_entries++].actions = play->actions;
    return true;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* Returns the actions of a level: those since the entry before; the level that was reached has the rest. */
static uint32_t actions_of(const sb_card_play *play, size_t level) {
    const uint32_t before = level ? level <= play->n_entries ? play->entries[level - 1].actions : play->actions : 0;
    return (level < play->n_entries ? play->entries[level].actions : play->actions) - before;
}

void sb_card_score(const sb_card_play *play, const uint32_t *baselines, size_t n_baselines, sb_card_run *run) {
    *run = (sb_card_run){0};
    if (n_baselines == 0) run->message = "Human baseline actions are not available for this environment";
    if (n_baselines && n_baselines < play->n_entries) run->message = "Human baseline actions size mismatch";
    run->n_levels = run->message ? (size_t)play->n_entries + 1 : n_baselines;
    if (run->n_levels > SB_CARD_LEVELS) run->n_levels = SB_CARD_LEVELS;
    for (size_t i = 0; i < run->n_levels; i++) {
        run->level_actions[i] = actions_of(play, i);
        if (i < play->n_entries && !run->message)
            run->level_scores[i] = sb_rhae_level(baselines[i], run->level_actions[i]);
    }
    run->score = run->message ? 0 : sb_rhae_game(run->level_scores, run->n_levels);
}

double sb_card_game_score(const sb_card_game *game) {
    double best = 0;
    for (size_t i = 0; i < game->n_plays; i++) {
        sb_card_run run;
        sb_card_score(&game->plays[i], game->baselines, game->n_baselines, &run);
        if (run.score > best) best = run.score;
    }
    return best;
}

/* Returns the play with most levels, the first of several. */
static const sb_card_play *farthest(const sb_card_game *game) {
    const sb_card_play *best = &game->plays[0];
    for (size_t i = 1; i < game->n_plays; i++)
        if (game->plays[i].levels_completed > best->levels_completed) best = &game->plays[i];
    return best;
}

/* What a game contributes to its card. */
typedef struct totals {
    uint64_t actions, resets;
    size_t levels;
    bool is_completed;
} totals;

static totals totals_of(const sb_card_game *game) {
    totals t = {0};
    for (size_t i = 0; i < game->n_plays; i++) {
        sb_card_run run;
        sb_card_score(&game->plays[i], game->baselines, game->n_baselines, &run);
        t.actions += game->plays[i].actions, t.resets += game->plays[i].resets;
        if (run.n_levels > t.levels) t.levels = run.n_levels;
        t.is_completed |= game->plays[i].state == SB_CARD_WIN;
    }
    return t;
}

/* ---- Documents --------------------------------------------------------------------------------------------------- */

static const char *state_name(const sb_card_play *play) {
    static const char *const names[] = {"NOT_FINISHED", "WIN", "GAME_OVER"};
    return names[play->state];
}

static void put_play_numbers(sb_out *out, const sb_card_game *game, const char *key,
                             uint64_t (*of)(const sb_card_play *)) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < game->n_plays; i++) sb_put_comma(out), sb_put_uint(out, of(&game->plays[i]));
    sb_puts(out, "]");
}

static void put_play_texts(sb_out *out, const sb_card_game *game, const char *key,
                           const char *(*of)(const sb_card_play *)) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < game->n_plays; i++) sb_put_comma(out), sb_put_json_string(out, of(&game->plays[i]));
    sb_puts(out, "]");
}

static uint64_t levels_of(const sb_card_play *p) { return (uint64_t)p->levels_completed; }
static uint64_t all_actions_of(const sb_card_play *p) { return p->actions; }
static uint64_t resets_of(const sb_card_play *p) { return p->resets; }
static const char *guid_of(const sb_card_play *p) { return p->guid ? p->guid : ""; }

static void put_entries(sb_out *out, const sb_card_play *play) {
    sb_put_comma(out);
    sb_puts(out, "[");
    for (size_t i = 0; i < play->n_entries; i++) {
        sb_put_comma(out);
        sb_putf(out, "[%d, %u]", play->entries[i].levels, play->entries[i].actions);
    }
    sb_puts(out, "]");
}

void sb_put_card(const sb_card_game *game, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "game_id", game->id);
    sb_member_uint(out, "total_plays", game->n_plays);
    put_play_texts(out, game, "guids", guid_of);
    put_play_numbers(out, game, "levels_completed", levels_of);
    put_play_texts(out, game, "states", state_name);
    put_play_numbers(out, game, "actions", all_actions_of);
    sb_put_key(out, "actions_by_level");
    sb_puts(out, "[");
    for (size_t i = 0; i < game->n_plays; i++) put_entries(out, &game->plays[i]);
    sb_puts(out, "]");
    put_play_numbers(out, game, "resets", resets_of);
    sb_member_uint(out, "total_actions", totals_of(game).actions);
    sb_puts(out, "}");
}

static void put_levels(sb_out *out, const sb_card_game *game, const sb_card_run *run) {
    sb_put_key(out, "level_scores");
    sb_puts(out, "[");
    for (size_t i = 0; i < run->n_levels; i++) sb_put_comma(out), sb_put_double(out, run->level_scores[i]);
    sb_puts(out, "]");
    sb_put_key(out, "level_actions");
    sb_puts(out, "[");
    for (size_t i = 0; i < run->n_levels; i++) sb_put_comma(out), sb_put_uint(out, run->level_actions[i]);
    sb_puts(out, "]");
    sb_put_key(out, "level_baseline_actions");
    sb_puts(out, "[");
    for (size_t i = 0; i < run->n_levels; i++)
        sb_put_comma(out), sb_put_int(out, run->message ? -1 : (int64_t)game->baselines[i]);
    sb_puts(out, "]");
}

/* A run without a score has the id of its game; other runs have an id of their own, here the play's. */
static void put_run(sb_out *out, const sb_card_game *game, const sb_card_play *play) {
    sb_card_run run;
    sb_card_score(play, game->baselines, game->n_baselines, &run);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "id", run.message ? game->id : guid_of(play));
    sb_member_text(out, "guid", guid_of(play));
    sb_member_double(out, "score", run.score);
    sb_member_int(out, "levels_completed", play->levels_completed);
    sb_member_uint(out, "actions", play->actions);
    sb_member_uint(out, "resets", play->resets);
    sb_member_text(out, "state", state_name(play));
    sb_member_bool(out, "completed", play->state == SB_CARD_WIN);
    put_levels(out, game, &run);
    if (run.message) sb_member_uint(out, "number_of_environments", 0);
    if (run.message) sb_member_text(out, "message", run.message);
    sb_puts(out, "}");
}

static void put_environment(sb_out *out, const sb_card_game *game) {
    const totals t = totals_of(game);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "id", game->id);
    sb_put_key(out, "runs");
    sb_puts(out, "[");
    for (size_t i = 0; i < game->n_plays; i++) put_run(out, game, &game->plays[i]);
    sb_puts(out, "]");
    sb_member_double(out, "score", sb_card_game_score(game));
    sb_member_uint(out, "actions", t.actions);
    sb_member_int(out, "levels_completed", farthest(game)->levels_completed);
    sb_member_bool(out, "completed", t.is_completed);
    sb_member_uint(out, "level_count", t.levels);
    sb_member_uint(out, "resets", t.resets);
    sb_puts(out, "}");
}

/* ---- Tags -------------------------------------------------------------------------------------------------------- */

static bool has_tag(const sb_card_game *game, const char *tag) {
    for (const char *const *t = game->tags; t && *t; t++)
        if (strcmp(*t, tag) == 0) return true;
    return false;
}

/* Writes the score of all levels of the games with the tag, as if they were one game; weights are numbers within their
 * own games. Games without usable baselines are left out. */
static void put_tag(sb_out *out, const char *tag, const sb_card_game *games, size_t n_games) {
    weighing w = {0};
    uint64_t actions = 0;
    size_t completed = 0, levels = 0, environments = 0;
    for (size_t g = 0; g < n_games; g++) {
        const sb_card_play *play = farthest(&games[g]);
        sb_card_run run;
        sb_card_score(play, games[g].baselines, games[g].n_baselines, &run);
        if (!has_tag(&games[g], tag) || run.message) continue;
        for (size_t i = 0; i < run.n_levels; i++) weigh(&w, i + 1, run.level_scores[i]);
        actions += play->actions, completed += (size_t)play->levels_completed;
        levels += run.n_levels, environments++;
    }
    if (environments == 0) return;
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "id", tag);
    sb_member_double(out, "score", weighed(&w));
    sb_member_uint(out, "levels_completed", completed);
    sb_member_uint(out, "actions", actions);
    sb_member_uint(out, "number_of_levels", levels);
    sb_member_uint(out, "number_of_environments", environments);
    sb_puts(out, "}");
}

/* Writes each tag of the games once, in order of the games. */
static void put_tags(sb_out *out, const sb_card_game *games, size_t n_games) {
    sb_put_key(out, "tags_scores");
    sb_puts(out, "[");
    for (size_t g = 0; g < n_games; g++)
        for (const char *const *tag = games[g].tags; tag && *tag; tag++) {
            bool is_new = true;
            for (size_t before = 0; before < g; before++) is_new &= !has_tag(&games[before], *tag);
            if (is_new) put_tag(out, *tag, games, n_games);
        }
    sb_puts(out, "]");
}

void sb_put_scorecard(const char *card_id, const char *const *tags, const sb_card_game *games, size_t n_games,
                      sb_out *out) {
    size_t n_tags = 0, completed = 0, levels = 0, levels_completed = 0;
    uint64_t actions = 0;
    double sum = 0;
    while (tags && tags[n_tags]) n_tags++;
    for (size_t g = 0; g < n_games; g++) {
        const totals t = totals_of(&games[g]);
        sum += sb_card_game_score(&games[g]);
        actions += t.actions, levels += t.levels, completed += t.is_completed;
        levels_completed += (size_t)farthest(&games[g])->levels_completed;
    }
    sb_puts(out, "{");
    sb_member_text(out, "card_id", card_id);
    sb_member_texts(out, "tags", tags, n_tags);
    sb_member_double(out, "score", n_games ? sum / (double)n_games : 0);
    sb_put_key(out, "environments");
    sb_puts(out, "[");
    for (size_t g = 0; g < n_games; g++) put_environment(out, &games[g]);
    sb_puts(out, "]");
    put_tags(out, games, n_games);
    sb_member_uint(out, "total_environments_completed", completed);
    sb_member_uint(out, "total_environments", n_games);
    sb_member_uint(out, "total_levels_completed", levels_completed);
    sb_member_uint(out, "total_levels", levels);
    sb_member_uint(out, "total_actions", actions);
    sb_puts(out, "}\n");
}
