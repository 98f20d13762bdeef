/* RHAE and scorecards against the published scorer: levels, games, and plays that were counted. */
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

#include "rollout/scorecard.h"

enum { LEVELS = 16, PLAYS = 4 };

static cJSON *vectors;

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static bool truth(const cJSON *object, const char *key) {
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static const cJSON *list(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsArray(item));
    return item;
}

/* Equal to the last bit. */
static void assert_same(double ours, double recorded) { assert_memory_equal(&ours, &recorded, sizeof ours); }

static void test_levels_have_the_published_scores(void **state) {
    (void)state;
    const cJSON *v;
    size_t n = 0;
    cJSON_ArrayForEach(v, list(vectors, "levels")) {
        assert_same(sb_rhae_level(number(v, "baseline"), number(v, "actions")), number(v, "score"));
        n++;
    }
    assert_int_equal(n, 15);
}

static void check_game(const cJSON *v) {
    const cJSON *level, *scores = list(v, "level_scores");
    double ours[LEVELS];
    int n = 0;
    cJSON_ArrayForEach(level, list(v, "levels")) {
        ours[n] = truth(level, "completed") ? sb_rhae_level(number(level, "baseline"), number(level, "actions")) : 0;
        assert_same(ours[n], cJSON_GetArrayItem(scores, n)->valuedouble);
        n++;
    }
    assert_same(sb_rhae_game(ours, (size_t)n), number(v, "score"));
}

static void test_games_have_the_published_scores(void **state) {
    (void)state;
    const cJSON *v;
    size_t n = 0;
    cJSON_ArrayForEach(v, list(vectors, "games")) check_game(v), n++;
    assert_int_equal(n, 8);
}

/* ---- Plays --------------------------------------------------------------------------------------------------------
 */

typedef struct counted {
    sb_card_play plays[PLAYS];
    uint32_t baselines[LEVELS];
    sb_card_game game;
} counted;

static const char *const game_tags[] = {"keyboard", NULL}, *const card_tags[] = {"agent", NULL};

static void count_turn(counted *c, const cJSON *turn) {
    const char *state = cJSON_GetObjectItemCaseSensitive(turn, "state")->valuestring;
    const sb_card_answer answer = {.is_reset = number(turn, "action") == 0,
                                   .full_reset = truth(turn, "full_reset"),
                                   .has_frames = number(turn, "frames") > 0,
                                   .is_win = strcmp(state, "WIN") == 0,
                                   .is_over = strcmp(state, "GAME_OVER") == 0,
                                   .levels_completed = (int32_t)number(turn, "levels_completed")};
    if (!sb_card_count(&c->plays[c->game.n_plays - 1], &answer)) c->plays[c->game.n_plays++].guid = "*";
}

static void count_play(counted *c, const cJSON *v) {
    const cJSON *turn, *baseline;
    *c = (counted){.plays = {{.guid = "*"}}};
    c->game = (sb_card_game){
        .id = "tt01", .tags = game_tags, .baselines = c->baselines, .plays = c->plays, .n_plays = 1};
    cJSON_ArrayForEach(baseline, cJSON_GetObjectItemCaseSensitive(v, "baseline"))
        c->baselines[c->game.n_baselines++] = (uint32_t)baseline->valuedouble;
    cJSON_ArrayForEach(turn, list(v, "turns")) count_turn(c, turn);
}

/* Removes ids of runs and of the card, which recordings do not have. */
static void remove_ids(cJSON *card) {
    cJSON *environment, *run;
    cJSON_DeleteItemFromObject(card, "card_id");
    cJSON_ArrayForEach(environment, cJSON_GetObjectItemCaseSensitive(card, "environments"))
        cJSON_ArrayForEach(run, cJSON_GetObjectItemCaseSensitive(environment, "runs")) {
        cJSON_DeleteItemFromObject(run, "guid");
        if (!cJSON_HasObjectItem(run, "message")) cJSON_DeleteItemFromObject(run, "id");
    }
}

static void assert_same_document(cJSON *ours, const cJSON *recorded) {
    if (!cJSON_Compare(ours, recorded, true)) {
        char *text = cJSON_PrintUnformatted(ours), *wanted = cJSON_PrintUnformatted(recorded);
        fail_msg("ours     %s\nrecorded %s", text, wanted);
    }
    cJSON_Delete(ours);
}

static cJSON *parsed(sb_out *out) {
    sb_error error = {0};
    cJSON *document = sb_json_parse(out->data, out->size, &error);
    assert_ok(document, error);
    sb_out_free(out);
    return document;
}

static void check_play(const cJSON *v) {
    counted c;
    sb_out card = sb_out_growing(), scorecard = sb_out_growing();
    count_play(&c, v);
    sb_put_card(&c.game, &card);
    sb_put_scorecard("card", card_tags, &c.game, 1, &scorecard);
    assert_same_document(parsed(&card), cJSON_GetObjectItemCaseSensitive(v, "card"));
    cJSON *document = parsed(&scorecard);
    const cJSON *recorded = cJSON_GetObjectItemCaseSensitive(v, "scorecard");
    assert_same(number(document, "score"), number(recorded, "score"));
    remove_ids(document);
    assert_same_document(document, recorded);
}

static void test_plays_are_counted_as_the_published_scorecard_counts_them(void **state) {
    (void)state;
    const cJSON *v;
    size_t n = 0;
    cJSON_ArrayForEach(v, list(vectors, "plays")) check_play(v), n++;
    assert_int_equal(n, 9);
}

/* Two games of one tag: levels are pooled with their own numbers as weights; a card's score is the games' mean. */
static void test_tags_pool_levels_and_cards_average_games(void **state) {
    (void)state;
    static const uint32_t baselines[2] = {10, 10};
    sb_card_play plays[2] = {
        {.guid = "a", .levels_completed = 2, .actions = 30, .n_entries = 2, .entries = {{1, 10}, {2, 30}}},
        {.guid = "b", .levels_completed = 1, .actions = 10, .n_entries = 1, .entries = {{1, 10}}}};
    const sb_card_game games[2] = {
        {.id = "g", .tags = game_tags, .baselines = baselines, .n_baselines = 2, .plays = &plays[0], .n_plays = 1},
        {.id = "h", .tags = game_tags, .baselines = baselines, .n_baselines = 2, .plays = &plays[1], .n_plays = 1}};
    sb_out out = sb_out_growing();
    sb_put_scorecard("card", NULL, games, 2, &out);
    cJSON *card = parsed(&out);
    const cJSON *tag = list(card, "tags_scores")->child;
    assert_same(sb_card_game_score(&games[0]), (100.0 + 2 * 25.0) / 3);
    assert_same(number(tag, "score"), (100.0 + 2 * 25.0 + 100.0) / 6);
    assert_int_equal(number(tag, "number_of_environments"), 2);
    assert_int_equal(number(tag, "levels_completed"), 3);
    assert_same(number(card, "score"), (50.0 + 1.0 / 3 * 100) / 2);
    assert_null(tag->next);
    cJSON_Delete(card);
}

static int load(void **state) {
    (void)state;
    sb_error error = {0};
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load_plain(golden("arc/scoring.json"), 1 << 20, &text, &error), error);
    vectors = sb_json_parse(text.data, text.size, &error);
    sb_out_free(&text);
    return vectors ? 0 : -1;
}

static int unload(void **state) {
    (void)state;
    cJSON_Delete(vectors);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_have_the_published_scores),
        cmocka_unit_test(test_games_have_the_published_scores),
        cmocka_unit_test(test_plays_are_counted_as_the_published_scorecard_counts_them),
        cmocka_unit_test(test_tags_pool_levels_and_cards_average_games),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
