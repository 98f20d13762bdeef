/* Episodes played, written to tapes, read back and replayed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "oracles/reasons.h"
#include "rollout/worker.h"
#include "tests/support.h"

/* ---- Helpers ----------------------------------------------------------------------------------------------------- */

static sb_name named(const char *text) {
    sb_name name;
    sb_error error;
    memset(&name, 0, sizeof name);
    assert_ok(sb_name_parse(NULL, text, &name, &error), error);
    return name;
}

static sb_env *empty_env(void) {
    sb_error error;
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(env, error);
    return env;
}

/* Lets a new player play the episode and returns the tape; the caller frees it. */
static sb_tape played(const char *episode, const char *agent) {
    const sb_name name = named(episode);
    sb_tape tape = {0};
    sb_player player = {0};
    sb_error error;
    sb_env *env = empty_env();
    assert_ok(sb_roll_out(env, &player, agent, &name, &tape, NULL, NULL, &error), error);
    sb_player_clear(&player);
    sb_free(env);
    return tape;
}

static sb_out printed(const sb_tape *tape) {
    sb_out line = sb_out_growing();
    sb_tape_put_line(tape, &line);
    assert_true(sb_out_ok(&line));
    return line;
}

static bool same_end(const sb_tape *a, const sb_tape *b) {
    const sb_status *s = &a->outcome, *t = &b->outcome;
    return a->n == b->n && strcmp(a->digest, b->digest) == 0 && s->total == t->total &&
           s->dense_total == t->dense_total && s->terminated == t->terminated && s->truncated == t->truncated &&
           s->success == t->success;
}

static bool same_tape(const sb_tape *a, const sb_tape *b) {
    return same_end(a, b) && strcmp(a->name.family, b->name.family) == 0 && strcmp(a->name.task, b->name.task) == 0 &&
           strcmp(a->name.difficulty, b->name.difficulty) == 0 && a->name.seed == b->name.seed &&
           memcmp(a->actions, b->actions, a->n * sizeof *a->actions) == 0 && strcmp(a->rules, b->rules) == 0 &&
           strcmp(a->agent, b->agent) == 0;
}

static bool replays(const sb_tape *tape, sb_env *env, sb_error *error) {
    return sb_tape_replay(tape, env, NULL, NULL, error);
}

/* Asserts that the tape is refused with a message that names the episode and what is wrong. */
static void assert_mismatch(const sb_tape *tape, sb_env *env, const char *words) {
    char name[SB_NAME_MAX + 2];
    sb_error error;
    const size_t n = sb_name_print(&tape->name, name, SB_NAME_MAX);
    strcpy(name + n, ": ");
    assert_error(replays(tape, env, &error), &error, SB_MISMATCH, words);
    assert_memory_equal(error.text, name, n + 2);
}

static const char *const episodes[] = {"GoToGoal/easy#0",      "GoToGoal/expert#1",
                                       "KeyDoorPuzzle/easy#2", "KeyDoorPuzzle/hard#18446744073709551615",
                                       "toy:Pile#3",           "toy:Hunt#4"};
static const char *const agents[] = {"expert", "random"};
enum { N_EPISODES = sizeof episodes / sizeof *episodes };

/* ---- Tapes ------------------------------------------------------------------------------------------------------- */

static void a_tape_reads_back_from_its_line(void **state) {
    (void)state;
    sb_env *env = empty_env();
    sb_tape back = {0}; /* reused for every tape */
    for (size_t i = 0; i < 2 * N_EPISODES; i++) {
        sb_error error;
        sb_tape tape = played(episodes[i / 2], agents[i % 2]);
        sb_out line = printed(&tape);
        assert_ptr_equal(memchr(line.data, '\n', line.size), line.data + line.size - 1);
        assert_ok(sb_tape_parse(NULL, line.data, line.size, &back, &error), error);
        assert_true(same_tape(&tape, &back));
        sb_out again = printed(&back);
        assert_int_equal(again.size, line.size);
        assert_memory_equal(again.data, line.data, line.size);
        assert_ok(replays(&back, env, &error), error);
        assert_true(sb_status_of(env)->done);
        sb_out_free(&line), sb_out_free(&again);
        sb_tape_clear(&tape);
    }
    sb_tape_clear(&back);
    sb_free(env);
}

static void a_tape_reads_as_a_person_would_expect(void **state) {
    (void)state;
    sb_tape tape = played("toy:Pile#3", "expert");
    char expected[800], actions[400] = "";
    for (size_t i = 0; i < tape.n; i++) sprintf(actions + strlen(actions), "%s%d", i ? ", " : "", tape.actions[i]);
    snprintf(
        expected, sizeof expected,
        "{\"tape\": 1, \"name\": \"toy:Pile-v1#3\", \"rules\": \"toy 1\", \"agent\": \"expert\", \"success\": true, "
        "\"return\": 1.0, \"dense_return\": 1.0, \"terminated\": true, \"truncated\": false, \"digest\": \"%s\", "
        "\"actions\": [%s]}\n",
        tape.digest, actions);
    sb_out line = printed(&tape);
    sb_putc(&line, '\0');
    assert_string_equal(line.data, expected);
    sb_out_free(&line);
    sb_tape_clear(&tape);
}

/* Changes, removes or inserts a single action; a tape that is accepted really ends as it says. */
static void no_altered_actions_pass_as_the_tape(void **state) {
    (void)state;
    sb_env *env = empty_env();
    for (size_t i = 0; i < N_EPISODES; i += 2) {
        sb_tape tape = played(episodes[i], "expert");
        const size_t refused_before = tape.n;
        size_t refused = 0;
        for (size_t at = 0; at < tape.n; at++)
            for (sb_action other = 0; other < 5; other++) {
                sb_error error;
                const sb_action kept = tape.actions[at];
                tape.actions[at] = other;
                if (replays(&tape, env, &error)) {
                    assert_true(sb_status_of(env)->total == tape.outcome.total);
                    assert_int_equal(sb_status_of(env)->success, tape.outcome.success);
                } else {
                    assert_mismatch(&tape, env, "");
                    refused++;
                }
                tape.actions[at] = kept;
            }
        assert_true(refused >= refused_before);
        sb_tape_clear(&tape);
    }
    sb_free(env);
}

static void too_many_too_few_and_impossible_actions_are_refused(void **state) {
    (void)state;
    sb_env *env = empty_env();
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_error error;
        sb_tape tape = played(episodes[i], "expert");
        assert_ok(sb_tape_append(&tape, 0, &error), error);
        assert_mismatch(&tape, env, "the episode is over");
        tape.n -= 2;
        assert_mismatch(&tape, env, "replay disagrees with the tape: terminated");
        tape.n++;
        tape.actions[0] = INT32_MAX;
        assert_mismatch(&tape, env, "step 0: action 2147483647 is out of range");
        sb_tape_clear(&tape);
    }
    sb_free(env);
}

static void every_part_of_the_outcome_is_checked(void **state) {
    (void)state;
    sb_env *env = empty_env();
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_tape tape = played(episodes[i], "expert");
        const sb_status truth = tape.outcome;
        tape.outcome.terminated = !truth.terminated;
        assert_mismatch(&tape, env, "terminated");
        tape.outcome = truth, tape.outcome.truncated = !truth.truncated;
        assert_mismatch(&tape, env, "truncated");
        tape.outcome = truth, tape.outcome.success = !truth.success;
        assert_mismatch(&tape, env, "success");
        tape.outcome = truth, tape.outcome.total += 1e-9;
        assert_mismatch(&tape, env, "return");
        tape.outcome = truth, tape.outcome.dense_total -= 1e-9;
        assert_mismatch(&tape, env, "dense_return");
        tape.outcome = truth, tape.digest[15] ^= 1;
        assert_mismatch(&tape, env, "digest");
        sb_tape_clear(&tape);
    }
    sb_free(env);
}

static void a_tape_made_under_other_rules_is_refused_as_such(void **state) {
    (void)state;
    sb_env *env = empty_env();
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_error error;
        sb_tape tape = played(episodes[i], "expert");
        char words[240], rules[SB_RULES_NAME];
        strcpy(rules, tape.rules);
        strcat(tape.rules, "1");
        snprintf(words, sizeof words,
                 "made under the rules `%s`; this program has the rules `%s`: make it again, or use the version of "
                 "Seedbed that made it",
                 tape.rules, rules);
        assert_error(replays(&tape, env, &error), &error, SB_VERSION_OTHER, words);
        assert_non_null(strstr(error.text, tape.name.task));
        sb_tape_clear(&tape);
    }
    sb_free(env);
}

typedef struct visits {
    size_t n, stop_at;
    double total;
    const sb_tape *tape;
} visits;

static bool visit(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    visits *v = context;
    assert_int_equal(result == NULL, v->n == 0);
    assert_int_equal(sb_status_of(env)->steps, v->n);
    if (result) assert_int_equal(action, v->tape->actions[v->n - 1]);
    v->total += result ? result->reward : 0;
    return v->n++ != v->stop_at || sb_fail(error, SB_INVALID, "seen enough");
}

static void a_visitor_sees_every_step(void **state) {
    (void)state;
    sb_env *env = empty_env();
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_error error;
        sb_tape tape = played(episodes[i], "expert");
        visits v = {.stop_at = SIZE_MAX, .tape = &tape};
        assert_ok(sb_tape_replay(&tape, env, visit, &v, &error), error);
        assert_int_equal(v.n, tape.n + 1);
        assert_true(v.total == tape.outcome.total);
        sb_tape_clear(&tape);
    }
    sb_free(env);
}

/* The visitor's failure is not the tape's, so it keeps its own code. */
static void a_visitor_stops_with_its_own_error(void **state) {
    (void)state;
    sb_env *env = empty_env();
    sb_tape tape = played("KeyDoorPuzzle/easy#2", "expert");
    for (size_t at = 0; at <= tape.n; at++) {
        sb_error error;
        visits v = {.stop_at = at, .tape = &tape};
        const bool ok = sb_tape_replay(&tape, env, visit, &v, &error);
        assert_error(ok, &error, SB_INVALID, "seen enough");
        assert_int_equal(v.n, at + 1);
    }
    sb_tape_clear(&tape);
    sb_free(env);
}

/* ---- Damaged tapes ----------------------------------------------------------------------------------------------- */

/* Parses from memory of exactly n bytes, so that sanitizers find reads beyond the end. */
static bool parses(const char *text, size_t n, sb_tape *tape, sb_error *error) {
    char *exact = malloc(n + 1);
    memcpy(exact, text, n);
    char *moved = realloc(exact, n ? n : 1);
    const bool ok = sb_tape_parse(NULL, moved, n, tape, error);
    if (!ok) assert_true(error->code != SB_OK && error->text[0]);
    free(moved);
    return ok;
}

static void a_tape_cut_anywhere_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_error error;
        sb_tape tape = played(episodes[i], "random"), back = {0};
        sb_out line = printed(&tape);
        for (size_t n = 0; n + 1 < line.size; n++) assert_false(parses(line.data, n, &back, &error));
        assert_ok(parses(line.data, line.size - 1, &back, &error), error); /* the newline may be missing */
        sb_out_free(&line);
        sb_tape_clear(&tape), sb_tape_clear(&back);
    }
}

/* The agent's name is not checked, and another name or action may lead to the same end; but no false end is accepted.
 */
static void no_flipped_bit_gives_a_false_tape_that_replays(void **state) {
    (void)state;
    sb_env *env = empty_env();
    for (size_t i = 0; i < N_EPISODES; i++) {
        sb_tape tape = played(episodes[i], "expert"), back = {0};
        sb_out line = printed(&tape);
        size_t parsed = 0;
        for (size_t bit = 0; bit < 8 * line.size; bit++) {
            sb_error error;
            line.data[bit / 8] ^= (char)(1 << bit % 8);
            if (parses(line.data, line.size, &back, &error)) {
                parsed++;
                if (replays(&back, env, &error) && !same_end(&tape, &back)) fail_msg("%.*s", (int)line.size, line.data);
            }
            line.data[bit / 8] ^= (char)(1 << bit % 8);
        }
        assert_in_range(parsed, 100, 4 * line.size); /* digits become other digits, letters other letters */
        sb_out_free(&line);
        sb_tape_clear(&tape), sb_tape_clear(&back);
    }
    sb_free(env);
}

static void assert_tape_refused(const cJSON *object, sb_code code, const char *words) {
    sb_tape tape = {0};
    sb_error error;
    char *text = cJSON_PrintUnformatted(object);
    assert_error(parses(text, strlen(text), &tape, &error), &error, code, words);
    cJSON_free(text);
    sb_tape_clear(&tape);
}

static cJSON *good_tape(void) {
    sb_error error;
    sb_tape tape = played("toy:Pile#3", "expert");
    sb_out line = printed(&tape);
    cJSON *object = sb_json_parse(line.data, line.size, &error);
    assert_ok(object, error);
    sb_out_free(&line);
    sb_tape_clear(&tape);
    return object;
}

static void every_key_is_needed_once_and_of_its_kind(void **state) {
    (void)state;
    for (int i = 0; i < 11; i++) {
        char words[80];
        cJSON *object = good_tape(), *item = cJSON_DetachItemFromArray(object, i);
        snprintf(words, sizeof words, "key `%s` is missing", item->string);
        assert_tape_refused(object, SB_INVALID, words);
        cJSON *wrong = cJSON_AddNullToObject(object, item->string);
        snprintf(words, sizeof words, "key `%s` should be", item->string);
        assert_tape_refused(object, SB_INVALID, words);
        cJSON_Delete(cJSON_DetachItemViaPointer(object, wrong));
        snprintf(words, sizeof words, "key `%s` is repeated", item->string);
        cJSON_AddItemToObject(object, item->string, cJSON_Duplicate(item, true));
        cJSON_AddItemToObject(object, item->string, item);
        assert_tape_refused(object, SB_INVALID, words);
        cJSON_Delete(object);
    }
}

static void wrong_values_are_refused_with_the_key(void **state) {
    (void)state;
    static const struct {
        const char *key, *value;
        sb_code code;
        const char *words;
    } cases[] = {
        {"tape", "2", SB_VERSION_OTHER, "the tape has format 2, but this program reads format 1"},
        {"name", "\"toy:Pile\"", SB_INVALID, "expected task/difficulty#seed"},
        {"name", "\"Nothing/easy#1\"", SB_UNKNOWN, "unknown task `Nothing`"},
        {"rules", "\"a name of rules that is really too long\"", SB_INVALID, "key `rules` is too long"},
        {"agent", "\"an agent with a name that is longer than any name of an agent may be in a tape\"", SB_INVALID,
         "key `agent` is too long"},
        {"digest", "\"00112233445566778\"", SB_INVALID, "key `digest` is too long"},
        {"actions", "[0, -1]", SB_INVALID, "item 1 should be the number of an action"},
        {"actions", "[0.5]", SB_INVALID, "item 0 should be the number of an action"},
        {"actions", "[2147483648]", SB_INVALID, "item 0 should be the number of an action"},
        {"actions", "[0, 1, \"2\"]", SB_INVALID, "item 2 should be the number of an action"},
        {"labels", "7", SB_INVALID, "key `labels` should be a list"},
        {"labels", "[[0, 3], [0, 4]]", SB_INVALID, "key `labels`: item 1"},
        {"labels", "[[1, 3], [0, 4]]", SB_INVALID, "key `labels`: item 1"},
        {"labels", "[[1000, 3]]", SB_INVALID, "key `labels`: item 0"},
        {"labels", "[[0, -1]]", SB_INVALID, "key `labels`: item 0"},
        {"labels", "[[0]]", SB_INVALID, "key `labels`: item 0"},
        {"labels", "[[0, 0]]", SB_INVALID, "step 0 is labelled with the action taken"},
        {"intents", "[[0, \"go\", \"goal\", 1]]", SB_INVALID, "key `intents`: item 0"},
        {"intents", "[[0, \"go\", \"a goal with a much too long name\", 1, 2]]", SB_INVALID, "key `intents`: item 0"},
        {"intents", "[[0, \"go\", \"goal\", 1, 40000]]", SB_INVALID, "key `intents`: item 0"},
        {"intents", "[[0, \"go\", \"goal\", 1, 1], [0, \"\", \"\", -1, -1]]", SB_INVALID, "key `intents`: item 1"},
        {"said", "[{\"step\": 0, \"thought\": \"Hm.\"}, 7]", SB_INVALID, "key `said`: item 1: "},
        {"surprise", "1", SB_INVALID, "unknown key `surprise`"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cJSON *object = good_tape();
        cJSON_DeleteItemFromObjectCaseSensitive(object, cases[i].key);
        cJSON_AddItemToObject(object, cases[i].key, cJSON_Parse(cases[i].value));
        assert_tape_refused(object, cases[i].code, cases[i].words);
        cJSON_Delete(object);
    }
}

/* A tape with a label in its first step, and an intent that ends in its second. */
static sb_tape annotated(void) {
    const sb_name name = named("toy:Pile#3");
    const sb_intent intent = {.verb = "fetch", .object = "red key", .at = {4, 5}}, nothing = {0};
    sb_tape tape = {0};
    sb_error error;
    sb_result result;
    sb_env *env = empty_env();
    assert_ok(sb_reset_name(env, &name, &error), error);
    sb_tape_begin(&tape, env, "expert");
    for (int i = 0; !sb_status_of(env)->done; i++) {
        if (i == 0) assert_ok(sb_tape_correct(&tape, 2, &error), error);
        assert_ok(sb_tape_explain(&tape, i == 0 ? &intent : &nothing, &error), error);
        assert_ok(sb_step(env, 0, &result, &error) && sb_tape_append(&tape, 0, &error), error);
    }
    sb_tape_finish(&tape, env);
    sb_free(env);
    return tape;
}

static void labels_and_intents_read_back_from_the_line(void **state) {
    (void)state;
    sb_error error;
    sb_tape tape = annotated(), back = {0};
    sb_out line = printed(&tape), again, words = sb_out_fixed((char[64]){0}, 64);
    assert_ok(sb_tape_parse(NULL, line.data, line.size, &back, &error), error);
    again = printed(&back);
    assert_int_equal(again.size, line.size);
    assert_memory_equal(again.data, line.data, line.size);
    assert_int_equal(sb_tape_label(&back, 0), 2);
    assert_int_equal(sb_tape_label(&back, 1), 0);
    sb_put_purpose(&words, sb_tape_purpose(&back, 0));
    sb_put_purpose(&words, sb_tape_purpose(&back, 1)); /* no intent */
    sb_out_finish(&words);
    assert_string_equal(words.data, "fetch the red key at (4,5)");
    const sb_intent lost = {.verb = "give up", .object = "a box is stuck", .at = {-1, -1}};
    words = sb_out_fixed((char[64]){0}, 64);
    sb_put_intent(&words, &lost);
    sb_out_finish(&words);
    assert_string_equal(words.data, "give up: a box is stuck");
    sb_out_free(&line), sb_out_free(&again);
    sb_tape_clear(&tape), sb_tape_clear(&back);
}

static void altered_labels_and_intents_do_not_replay(void **state) {
    (void)state;
    sb_env *env = empty_env();
    sb_error error;
    sb_tape tape = annotated();
    assert_ok(sb_tape_replay(&tape, env, NULL, NULL, &error), error);
    tape.corrections[0].label = 1;
    assert_mismatch(&tape, env, "digest");
    tape.corrections[0].label = 2;
    tape.purposes[0].at.x = 5;
    assert_mismatch(&tape, env, "digest");
    tape.purposes[0].at.x = 4;
    tape.n_purposes--;
    assert_mismatch(&tape, env, "digest");
    sb_tape_clear(&tape);
    sb_free(env);
}

static void a_text_that_is_not_an_object_is_not_a_tape(void **state) {
    (void)state;
    static const char *const texts[] = {"", "null", "[]", "[{}]", "\"tape\"", "7", "{}", "{\"tape\": 1} {}", "\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sb_tape tape = {0};
        sb_error error;
        assert_error(parses(texts[i], strlen(texts[i]), &tape, &error), &error, SB_INVALID, "");
        sb_tape_clear(&tape);
    }
}

/* It would print as Infinity, which is not JSON. */
static void a_return_beyond_all_doubles_is_refused(void **state) {
    (void)state;
    static const char line[] = "{\"tape\": 1, \"name\": \"toy:Pile#3\", \"rules\": \"toy 1\", \"agent\": \"a\", "
                               "\"success\": true, \"return\": 1e999, \"dense_return\": 1.0, \"terminated\": true, "
                               "\"truncated\": false, \"digest\": \"\", \"actions\": []}";
    sb_tape tape = {0};
    sb_error error;
    assert_error(parses(line, sizeof line - 1, &tape, &error), &error, SB_INVALID, "key `return`");
    sb_tape_clear(&tape);
}

/* Tries successes and ends that no episode can have. */
static void contradicting_outcomes_are_refused(void **state) {
    (void)state;
    cJSON *object = good_tape();
    cJSON_ReplaceItemInObjectCaseSensitive(object, "terminated", cJSON_CreateFalse());
    assert_tape_refused(object, SB_INVALID, "");
    cJSON_Delete(object);
}

/* ---- Players ----------------------------------------------------------------------------------------------------- */

/* The same player plays episodes forwards, backwards, and with other agents between. */
static void an_agents_actions_depend_on_the_name_only(void **state) {
    (void)state;
    sb_env *env = empty_env();
    sb_player player = {0};
    sb_tape tape = {0};
    for (size_t k = 0; k < 6 * N_EPISODES; k++) {
        const size_t i = k < 2 * N_EPISODES ? k : (7 * k + k / 5) % (2 * N_EPISODES);
        const char *episode = episodes[N_EPISODES - 1 - i / 2], *agent = agents[i % 2];
        const sb_name name = named(episode);
        sb_error error;
        assert_ok(sb_roll_out(env, &player, agent, &name, &tape, NULL, NULL, &error), error);
        sb_tape fresh = played(episode, agent);
        assert_true(same_tape(&tape, &fresh));
        sb_tape_clear(&fresh);
    }
    sb_tape_clear(&tape);
    sb_player_clear(&player);
    sb_free(env);
}

static void the_random_agent_differs_from_name_to_name(void **state) {
    (void)state;
    sb_tape first = played("toy:Pile#0", "random");
    size_t alike = 0;
    for (int seed = 1; seed < 20; seed++) {
        char name[32];
        snprintf(name, sizeof name, "toy:Pile#%d", seed);
        sb_tape tape = played(name, "random");
        const size_t n = tape.n < first.n ? tape.n : first.n;
        alike += memcmp(tape.actions, first.actions, n * sizeof *tape.actions) == 0;
        sb_tape_clear(&tape);
    }
    assert_true(alike < 5);
    sb_tape_clear(&first);
}

static void an_unknown_agent_is_refused_with_a_list_of_the_known_ones(void **state) {
    (void)state;
    sb_env *env = empty_env();
    for (size_t i = 0; i < N_EPISODES; i++) {
        const sb_name name = named(episodes[i]);
        sb_player player = {0};
        sb_tape tape = {0};
        sb_error error;
        const bool ok = sb_roll_out(env, &player, "nobody", &name, &tape, NULL, NULL, &error);
        assert_error(ok, &error, SB_UNKNOWN, "has no agent `nobody`; known agents: ");
        assert_non_null(strstr(error.text, "expert"));
        assert_non_null(strstr(error.text, ", random"));
        sb_player_clear(&player);
    }
    sb_free(env);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tape_reads_back_from_its_line),
        cmocka_unit_test(a_tape_reads_as_a_person_would_expect),
        cmocka_unit_test(no_altered_actions_pass_as_the_tape),
        cmocka_unit_test(too_many_too_few_and_impossible_actions_are_refused),
        cmocka_unit_test(every_part_of_the_outcome_is_checked),
        cmocka_unit_test(a_tape_made_under_other_rules_is_refused_as_such),
        cmocka_unit_test(a_visitor_sees_every_step),
        cmocka_unit_test(a_visitor_stops_with_its_own_error),
        cmocka_unit_test(a_tape_cut_anywhere_is_refused),
        cmocka_unit_test(no_flipped_bit_gives_a_false_tape_that_replays),
        cmocka_unit_test(every_key_is_needed_once_and_of_its_kind),
        cmocka_unit_test(wrong_values_are_refused_with_the_key),
        cmocka_unit_test(labels_and_intents_read_back_from_the_line),
        cmocka_unit_test(altered_labels_and_intents_do_not_replay),
        cmocka_unit_test(a_text_that_is_not_an_object_is_not_a_tape),
        cmocka_unit_test(a_return_beyond_all_doubles_is_refused),
        cmocka_unit_test(contradicting_outcomes_are_refused),
        cmocka_unit_test(an_agents_actions_depend_on_the_name_only),
        cmocka_unit_test(the_random_agent_differs_from_name_to_name),
        cmocka_unit_test(an_unknown_agent_is_refused_with_a_list_of_the_known_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
