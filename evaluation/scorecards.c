#include "evaluation/scorecards.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/lookup.h"
#include "rollout/recording.h"
#include "rollout/scorecard.h"

enum { TAGS = 3 };

/* The texts that a game points to; games with several attempts have several plays, one behind the other. */
typedef struct entry {
    char id[SB_NAME_MAX];
    const char *tags[TAGS + 1];
} entry;

typedef struct card {
    entry *entries;
    sb_card_game *games;
    sb_card_play *plays;
    sb_recording *names; /* names of the plays */
    size_t n_games, n_plays;
} card;

/* What was counted of a play, from what it took on each level. */
static void fill_play(const sb_tape *tape, sb_card_play *play) {
    const sb_effort *e = &tape->effort;
    for (size_t i = 0; i < e->n_levels; i++) {
        play->actions += e->actions[i];
        if (i >= e->completed) continue;
        play->entries[i].levels = (int32_t)i + 1, play->entries[i].actions = play->actions;
    }
    play->n_entries = (uint16_t)e->completed, play->levels_completed = (int32_t)e->completed;
    play->resets = e->resets;
    play->state = (uint8_t)(tape->outcome.success ? SB_CARD_WIN : e->losses ? SB_CARD_GAME_OVER : SB_CARD_NOT_FINISHED);
}

static const sb_task_info *task_of(const sb_results *results, const sb_family *family, const sb_name *name) {
    const sb_task_info *task = NULL;
    for (size_t i = 0; (task = sb_task_at(results->catalogue, family, i)); i++)
        if (strcmp(task->name, name->task) == 0) break;
    return task;
}

static void begin_game(card *c, const sb_results *results, const sb_family *family, const sb_tape *tape) {
    entry *at = &c->entries[c->n_games];
    const sb_task_info *task = task_of(results, family, &tape->name);
    sb_name_print(&tape->name, at->id, sizeof at->id);
    at->tags[0] = tape->name.task, at->tags[1] = task ? task->category : NULL;
    if (task && *tape->name.difficulty) at->tags[2] = tape->name.difficulty;
    c->games[c->n_games++] = (sb_card_game){.id = at->id,
                                            .tags = at->tags,
                                            .baselines = tape->effort.baselines,
                                            .n_baselines = tape->effort.n_levels,
                                            .plays = &c->plays[c->n_plays]};
}

static void add_play(card *c, const sb_tape *tape) {
    sb_recording *name = &c->names[c->n_plays];
    sb_recording_begin(name, tape);
    c->plays[c->n_plays].guid = name->play;
    fill_play(tape, &c->plays[c->n_plays++]);
    c->games[c->n_games - 1].n_plays++;
}

/* The card is named after its plays, so that the same result gives the same bytes. */
static void name_card(const card *c, char id[SB_UUID]) {
    uint8_t hash[32];
    sb_sha256 sum;
    sb_sha256_begin(&sum);
    for (size_t i = 0; i < c->n_plays; i++) sb_sha256_add(&sum, c->names[i].play, strlen(c->names[i].play));
    sb_sha256_end(&sum, hash);
    sb_uuid(hash, id);
}

static bool make_room(card *c, size_t n, sb_error *error) {
    c->entries = calloc(n + 1, sizeof *c->entries), c->games = calloc(n + 1, sizeof *c->games);
    c->plays = calloc(n + 1, sizeof *c->plays), c->names = calloc(n + 1, sizeof *c->names);
    return (c->entries && c->games && c->plays && c->names) ||
           sb_fail(error, SB_MEMORY, "out of memory for a scorecard of %zu episodes", n);
}

static void put_card(const sb_results *results, const card *c, sb_out *out) {
    const char *const tags[] = {results->agent, NULL};
    char id[SB_UUID];
    name_card(c, id);
    sb_put_scorecard(id, tags, c->games, c->n_games, out);
}

bool sb_put_scorecard_of(const sb_results *results, const sb_family *family, sb_out *out, sb_error *error) {
    card c = {0};
    if (!family->efficiency)
        return sb_fail(error, SB_INVALID, "there are no scorecards of the family %s: its efficiency is not measured",
                       family->name);
    const bool ok = make_room(&c, results->n, error);
    for (size_t i = 0; ok && i < results->n; i++) {
        const sb_played *played = &results->episodes[i];
        if (strcmp(played->tape.name.family, family->name) != 0 || !played->tape.effort.n_levels) continue;
        if (played->attempt <= 1 || c.n_games == 0) begin_game(&c, results, family, &played->tape);
        add_play(&c, &played->tape);
    }
    if (ok) put_card(results, &c, out);
    free(c.entries), free(c.games), free(c.plays), free(c.names);
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for a scorecard"));
}
