/* Requests for episodes: which they select and in which order, and what is wrong with those that select none. */
#include "rollout/selection.h"

#include <stdio.h>
#include <string.h>

#include "datasets/recipe.h"
#include "engine/lookup.h"
#include "evaluation/certificates/certificate.h"
#include "evaluation/selected.h"
#include "tests/support.h"

static sb_selection selected(const sb_request *request) {
    sb_selection selection;
    sb_error error;
    assert_ok(sb_select(request, &selection, &error), error);
    return selection;
}

static void assert_name(const sb_name *name, const char *expected) {
    char text[SB_NAME_MAX];
    sb_name_print(name, text, sizeof text);
    assert_string_equal(text, expected);
}

/* Asserts the order by task, then difficulty, then place in the list, for all built-in tasks. */
static void assert_published(const char *split, uint64_t count, const char *key, size_t n) {
    sb_error error;
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load(golden("eval-seeds.json"), 8 << 20, &text, &error), error);
    cJSON *all = sb_json_parse(text.data, text.size, &error);
    assert_ok(all, error);
    sb_selection selection = selected(&(sb_request){.split = split, .count = count});
    const sb_family *family = sb_families[0];
    size_t at = 0;
    for (size_t i = 0; i < family->n_tasks; i++)
        for (size_t v = 0; v < family->n_difficulties; v++) {
            const cJSON *task = cJSON_GetObjectItemCaseSensitive(all, family->task(i)->name);
            const cJSON *lists = cJSON_GetObjectItemCaseSensitive(task, family->difficulties[v]), *seed;
            cJSON_ArrayForEach(seed, cJSON_GetObjectItemCaseSensitive(lists, key)) {
                char name[SB_NAME_MAX];
                snprintf(name, sizeof name, "%s/%s#%.0f", family->task(i)->name, family->difficulties[v],
                         seed->valuedouble);
                assert_name(sb_selection_name(&selection, at++, &(sb_name){0}), name);
            }
        }
    assert_int_equal(at, n * family->n_tasks * family->n_difficulties);
    assert_int_equal(at, selection.n);
    sb_selection_free(&selection);
    cJSON_Delete(all);
    sb_out_free(&text);
}

static void the_official_splits_are_the_published_lists(void **state) {
    (void)state;
    assert_published(NULL, 0, "eval", 25);
    assert_published("eval", 25, "eval", 25);
    assert_published("train", 5, "train_first5", 5);
}

/* Asserts that a request selects these episodes in this order. */
static void assert_selects(const sb_request *request, size_t n, const char *const names[]) {
    sb_selection selection = selected(request);
    assert_int_equal(selection.n, n);
    for (size_t i = 0; i < n; i++) assert_name(sb_selection_name(&selection, i, &(sb_name){0}), names[i]);
    sb_selection_free(&selection);
}

static void explicit_seeds_are_selected_as_written(void **state) {
    (void)state;
    assert_selects(&(sb_request){.tasks = "GoToGoal", .difficulty = "easy", .seeds = "3..5,42,2"}, 5,
                   (const char *const[]){"GoToGoal-v0/easy#3", "GoToGoal-v0/easy#4", "GoToGoal-v0/easy#5",
                                         "GoToGoal-v0/easy#42", "GoToGoal-v0/easy#2"});
    assert_selects(
        &(sb_request){.family = "toy", .tasks = "Hunt", .seeds = "18446744073709551614..18446744073709551615,7..7"}, 3,
        (const char *const[]){"toy:Hunt-v1#18446744073709551614", "toy:Hunt-v1#18446744073709551615", "toy:Hunt-v1#7"});
    assert_selects(&(sb_request){.family = "toy", .tasks = "Hunt", .seeds = "0000000000000000000000000005..6"}, 2,
                   (const char *const[]){"toy:Hunt-v1#5", "toy:Hunt-v1#6"});
}

static void selections_are_in_the_familys_order(void **state) {
    (void)state;
    const char *const expected[] = {"GoToGoal-v0/medium#1", "GoToGoal-v0/hard#1", "KeyDoorPuzzle-v0/medium#1",
                                    "KeyDoorPuzzle-v0/hard#1"};
    assert_selects(&(sb_request){.tasks = "KeyDoorPuzzle-v0,GoToGoal,KeyDoorPuzzle",
                                 .difficulty = "hard,medium,hard",
                                 .seeds = "1"},
                   4, expected);
    assert_selects(&(sb_request){.family = "toy", .seeds = "1"}, 2,
                   (const char *const[]){"toy:Pile-v1#1", "toy:Hunt-v1#1"});
    assert_selects(&(sb_request){.family = "toy", .category = "memory,sums", .tasks = "Hunt", .seeds = "1"}, 1,
                   (const char *const[]){"toy:Hunt-v1#1"});
}

/* Asserts that the request is of this family, also when it is read from a manifest. */
static void assert_family(const sb_request *request, const char *family) {
    sb_selection selection = selected(request);
    sb_out text = sb_out_growing();
    char expected[40];
    for (size_t i = 0; i < selection.n; i++) assert_string_equal(sb_selection_family(&selection, i)->name, family);
    snprintf(expected, sizeof expected, "\"family\": \"%s\"", family);
    sb_request_print(request, &text);
    sb_putc(&text, '\0');
    assert_non_null(strstr(text.data, expected));
    sb_out_free(&text);
    sb_selection_free(&selection);
}

static void tasks_and_categories_tell_the_family(void **state) {
    (void)state;
    static const struct {
        const char *family, *tasks, *category;
    } cases[] = {{"agentick", NULL, NULL},
                 {"agentick", "GoToGoal", NULL},
                 {"babyai", "GoTo,Open", NULL},
                 {"babyai", "BabyAI-GoTo", NULL},
                 {"babyai", "babyai:OneRoomS8", NULL},
                 {"toy", "toy:Pile,Hunt", NULL},
                 {"toy", "Hunt,OneRoomS8", NULL},
                 {"agentick", NULL, "planning,memory"},
                 {"babyai", NULL, "unlock"},
                 {"toy", NULL, "sums,memory"},
                 {"toy", "Hunt", "memory"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_family(&(sb_request){.tasks = cases[i].tasks, .category = cases[i].category, .seeds = "1"},
                      cases[i].family);
}

static void names_are_taken_in_the_order_given(void **state) {
    (void)state;
    const char *const names[] = {"toy:Pile-v1#3", "KeyDoorPuzzle-v0/hard#2", "GoToGoal-v0/easy#1", "toy:Pile-v1#2"};
    assert_selects(&(sb_request){.names = names, .n_names = 4}, 4, names);
}

static void an_episode_is_selected_once(void **state) {
    (void)state;
    static const char *const names[] = {"toy:Pile-v1#3", "GoToGoal-v0/easy#1", "Pile#3"};
    static const struct {
        sb_request request;
        const char *words;
    } cases[] = {
        {{.names = names, .n_names = 3}, "toy:Pile-v1#3 is selected twice"},
        {{.tasks = "GoToGoal", .difficulty = "easy", .seeds = "5,5"}, "seeds: GoToGoal-v0/easy#5 is selected twice"},
        {{.family = "toy", .tasks = "Pile", .seeds = "4..9,0..4"}, "seeds: toy:Pile-v1#4 is selected twice"},
        {{.tasks = "GoToGoal,KeyDoorPuzzle", .seeds = "7,1,0..2"}, "seeds: GoToGoal-v0/easy#1 is selected twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_request before = cases[i].request;
        sb_selection selection;
        sb_error error;
        assert_error(sb_select(&before, &selection, &error), &error, SB_INVALID, cases[i].words);
        sb_selection_free(&selection);
        before.repeats = true;
        selection = selected(&before);
        assert_true(selection.n >= 2);
        sb_selection_free(&selection);
    }
}

/* Recipes of datasets, and selections of results and of certificates. */
static void files_of_older_versions_may_select_an_episode_twice(void **state) {
    (void)state;
    static const char certificates[] =
        "{\"certificates\": 1, \"rules\": \"agentick 1\", \"budget\": 5, \"episodes\": 2, "
        "\"selection\": {\"tasks\": \"GoToGoal\", \"difficulty\": \"easy\", \"seeds\": \"5,5\"}}";
    static const char recipe_text[] = "{\"splits\": {\"a\": {\"tasks\": \"GoToGoal\", \"seeds\": \"5,5\"}}}";
    sb_error error;
    sb_recipe recipe;
    sb_certificates_head head;
    sb_selected chosen = {0};
    assert_ok(sb_certificates_head_parse(NULL, certificates, strlen(certificates), &head, &error), error);
    sb_selection selection = selected(&head.request);
    assert_int_equal(selection.n, 2);
    sb_selection_free(&selection);
    cJSON *told = cJSON_Duplicate(cJSON_GetObjectItem(head.document, "selection"), true);
    assert_ok(sb_selected_read_request(NULL, told, true, SB_SELECTION_MAX, &chosen, NULL, &error), error);
    assert_int_equal(chosen.selection.n, 2);
    sb_selected_free(&chosen), cJSON_Delete(told), sb_certificates_head_free(&head);
    cJSON *document = sb_json_parse(recipe_text, strlen(recipe_text), &error);
    assert_ok(document && sb_recipe_read_written(NULL, document, &recipe, &error), error);
    selection = selected(&recipe.splits[0].request);
    assert_int_equal(selection.n, 8);
    sb_selection_free(&selection), sb_recipe_free(&recipe);
}

static void a_longer_list_begins_with_the_shorter_one(void **state) {
    (void)state;
    static const char *const splits[] = {"eval", "train", "mine"}, *const families[] = {"agentick", "toy"};
    for (size_t i = 0; i < 6; i++) {
        const sb_request request = {.family = families[i / 3],
                                    .split = splits[i % 3],
                                    .count = 7,
                                    .tasks = i / 3 ? "Hunt" : "GoToGoal",
                                    .difficulty = i / 3 ? NULL : "hard"};
        sb_request more = request;
        more.count = 25;
        sb_selection few = selected(&request), many = selected(&more);
        assert_true(few.n == 7 && many.n == 25);
        for (size_t k = 0; k < 7; k++) assert_true(few.episodes[k].seed == many.episodes[k].seed);
        sb_selection_free(&few), sb_selection_free(&many);
    }
}

static void impossible_requests_are_refused_with_the_part_that_is_wrong(void **state) {
    (void)state;
    static const char *const one[] = {"Pail#1"}, *const good[] = {"toy:Pile#1"};
    const struct {
        sb_request request;
        sb_code code;
        const char *words;
    } cases[] = {
        {{.names = one, .n_names = 1}, SB_UNKNOWN, "unknown task `Pail`"},
        {{.names = good, .n_names = 1, .family = "toy"}, SB_INVALID, "give either names of episodes"},
        {{.names = good, .n_names = 1, .seeds = "1"}, SB_INVALID, "give either names of episodes"},
        {{.names = good, .n_names = 1, .count = 1}, SB_INVALID, "give either names of episodes"},
        {{.family = "maze"}, SB_UNKNOWN, "unknown family `maze`"},
        {{.tasks = "GoToGoal,Nothing"}, SB_UNKNOWN, "tasks: unknown task `Nothing`"},
        {{.tasks = ""}, SB_UNKNOWN, "tasks: unknown task ``"},
        {{.tasks = "GoToGoal,"}, SB_UNKNOWN, "tasks: unknown task ``"},
        {{.tasks = "GoToGoal, KeyDoorPuzzle"}, SB_UNKNOWN, "tasks: unknown task ` KeyDoorPuzzle`"},
        {{.category = "planning,cooking"}, SB_UNKNOWN, "category: agentick has no category `cooking`"},
        {{.category = "cooking,planning"}, SB_UNKNOWN, "category: there is no category `cooking`"},
        {{.category = "memory"}, SB_INVALID, "category: `memory` is in several families: say --family agentick or toy"},
        {{.category = "sums,planning"}, SB_UNKNOWN, "category: toy has no category `planning`"},
        {{.tasks = "OneRoomS8"},
         SB_INVALID,
         "tasks: task `OneRoomS8` is in several families; say which: babyai:OneRoomS8, toy:Pile-v1"},
        {{.tasks = "GoTo,GoToGoal"},
         SB_INVALID,
         "tasks: `GoToGoal` is a task of agentick, and this selection is of babyai"},
        {{.tasks = "GoToGoal,toy:Pile"},
         SB_INVALID,
         "tasks: `toy:Pile` is a task of toy, and this selection is of agentick"},
        {{.tasks = "GoTo,toy:Pail"}, SB_UNKNOWN, "tasks: unknown task `Pail` of family toy"},
        {{.tasks = "Hunt,Pail"}, SB_UNKNOWN, "tasks: unknown task `Pail` of family toy; `seedbed tasks`"},
        {{.tasks = "OpenDor"}, SB_UNKNOWN, "tasks: unknown task `OpenDor`; did you mean babyai:OpenDoor?"},
        {{.family = "babyai", .tasks = "Hunt"}, SB_INVALID, "`Hunt` is a task of toy, and this selection is of babyai"},
        {{.tasks = "GoToGoal", .category = "planning"}, SB_INVALID, "the selection is empty"},
        {{.tasks = "GoToGoal", .category = "planning", .seeds = "1"}, SB_INVALID, "the selection is empty"},
        {{.difficulty = "easy,insane"}, SB_UNKNOWN, "difficulty: unknown difficulty `insane`"},
        {{.difficulty = ""}, SB_INVALID, "difficulty: the difficulty is missing"},
        {{.family = "toy", .difficulty = "easy"}, SB_UNKNOWN, "difficulty: family toy has no difficulties"},
        {{.seeds = "1", .split = "eval"}, SB_INVALID, "seeds: give either explicit seeds, or a split and count"},
        {{.seeds = "1", .count = 3}, SB_INVALID, "seeds: give either explicit seeds, or a split and count"},
        {{.split = "mine"}, SB_INVALID, "split: `mine` is not a published split, so it needs a count"},
        {{.split = "mine!", .count = 3}, SB_INVALID, "split mine!: "},
        {{.split = "eval", .count = 26}, SB_INVALID, "`eval` has 25 seeds, not 26"},
        {{.split = "train", .count = 2001}, SB_INVALID, "`train` has 2000 seeds, not 2001"},
        {{.split = "mine", .count = UINT64_MAX}, SB_INVALID, "split mine: "},
        {{.seeds = "0..18446744073709551615"}, SB_INVALID, "more than 10000000 episodes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sb_selection selection;
        sb_error error;
        assert_error(sb_select(&cases[i].request, &selection, &error), &error, cases[i].code, cases[i].words);
        sb_selection_free(&selection);
    }
}

static void malformed_seeds_are_refused(void **state) {
    (void)state;
    static const char *const seeds[] = {"",
                                        "1,,2",
                                        "1, 2",
                                        "x",
                                        "-1",
                                        "3..1",
                                        "1..",
                                        "..1",
                                        "1...3",
                                        "0..1..2",
                                        "18446744073709551616",
                                        "0..18446744073709551616",
                                        "1111111111111111111111111111111111111111111111111111111111111111"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        const sb_request request = {.seeds = seeds[i]};
        sb_selection selection;
        sb_error error;
        const bool ok = sb_select(&request, &selection, &error);
        assert_error(ok, &error, SB_INVALID, "is neither a seed from 0 to 2^64-1 nor a range like 0..24");
        sb_selection_free(&selection);
    }
}

static void a_list_has_only_whole_items(void **state) {
    (void)state;
    assert_true(sb_list_has("a,bc,d", "a") && sb_list_has("a,bc,d", "bc") && sb_list_has("a,bc,d", "d"));
    assert_false(sb_list_has("a,bc,d", "b") || sb_list_has("a,bc,d", "bc,d") || sb_list_has(NULL, "a"));
    assert_false(sb_list_has("abc", "ab") || sb_list_has("a,b", ""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_official_splits_are_the_published_lists),
        cmocka_unit_test(explicit_seeds_are_selected_as_written),
        cmocka_unit_test(selections_are_in_the_familys_order),
        cmocka_unit_test(tasks_and_categories_tell_the_family),
        cmocka_unit_test(names_are_taken_in_the_order_given),
        cmocka_unit_test(an_episode_is_selected_once),
        cmocka_unit_test(files_of_older_versions_may_select_an_episode_twice),
        cmocka_unit_test(a_longer_list_begins_with_the_shorter_one),
        cmocka_unit_test(impossible_requests_are_refused_with_the_part_that_is_wrong),
        cmocka_unit_test(malformed_seeds_are_refused),
        cmocka_unit_test(a_list_has_only_whole_items),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
