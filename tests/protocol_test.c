/* The line protocol: replies match the library, of single environments and of batches, and have their requests' ids. */

#include <stdio.h>
#include <string.h>

#include "engine/lookup.h"
#include "seedbed/gridworld.h"
#include "tests/protocol_support.h"

static const char *const episode = "KeyDoorPuzzle-v0/medium#42";

/* ---- Replies match the library ---- */

static void assert_number(const cJSON *reply, const char *key, double expected) {
    const cJSON *item = member(reply, key);
    assert_true(cJSON_IsNumber(item));
    if (item->valuedouble != expected) fail_msg("%s is %.17g, not %.17g", key, item->valuedouble, expected);
}

static void assert_bool(const cJSON *reply, const char *key, bool expected) {
    assert_true(cJSON_IsBool(member(reply, key)));
    if ((bool)cJSON_IsTrue(member(reply, key)) != expected) fail_msg("%s is not %d", key, expected);
}

static void assert_shows(const cJSON *reply, const sb_env *env, const char *mode) {
    static char text[1 << 16];
    sb_error error;
    const cJSON *shown = member(member(reply, "observations"), mode);
    const size_t n = sb_observe(env, sb_mode_find(env->family, mode, &error), text, sizeof text);
    assert_in_range(n, 1, sizeof text - 1);
    if (cJSON_IsString(shown)) {
        assert_string_equal(shown->valuestring, text);
        return;
    }
    cJSON *expected = sb_json_parse(text, n, &error);
    assert_ok(expected != NULL, error);
    assert_true(cJSON_Compare(shown, expected, true));
    cJSON_Delete(expected);
}

static void assert_lists_actions(const cJSON *reply, const sb_env *env) {
    sb_action valid[SB_N_ACTIONS];
    const size_t n = sb_valid_actions(env, valid, SB_N_ACTIONS);
    const cJSON *numbers = member(reply, "valid_actions"), *names = member(reply, "valid_names");
    assert_int_equal(cJSON_GetArraySize(numbers), n);
    assert_int_equal(cJSON_GetArraySize(names), n);
    for (size_t i = 0; i < n; i++) {
        char name[32];
        sb_action_name(env, valid[i], name, sizeof name);
        assert_int_equal(cJSON_GetArrayItem(numbers, (int)i)->valueint, valid[i]);
        assert_string_equal(cJSON_GetArrayItem(names, (int)i)->valuestring, name);
    }
}

static void assert_state(const cJSON *reply, const sb_env *env) {
    const sb_status *status = sb_status_of(env);
    assert_bool(reply, "terminated", status->terminated);
    assert_bool(reply, "truncated", status->truncated);
    assert_bool(reply, "success", status->success);
    assert_bool(reply, "done", status->done);
    assert_number(reply, "steps", status->steps);
    assert_number(reply, "return", status->total);
    assert_number(reply, "dense_return", status->dense_total);
    assert_lists_actions(reply, env);
}

/* Plays an episode in both, following the agent's hints, or taking the actions in turn. */
static void play_both(const char *name, const char *agent, bool by_name) {
    sb_session session = {0};
    sb_error error;
    char line[300];
    sb_env *env = sb_make(NULL, name, &error);
    assert_ok(env != NULL, error);
    snprintf(line, sizeof line,
             "{\"op\": \"reset\", \"name\": \"%s\", \"modes\": [\"ascii\", \"language\", \"state\"]}", name);
    cJSON *reply = ask(&session, line);
    assert_string_equal(text_of(reply, "name"), name);
    assert_number(reply, "max_steps", sb_status_of(env)->max_steps);
    assert_number(reply, "n_actions", SB_N_ACTIONS);
    assert_state(reply, env);
    cJSON_Delete(reply);
    while (!sb_status_of(env)->done) {
        sb_action action = sb_status_of(env)->steps % SB_N_ACTIONS;
        sb_result result;
        char action_name[32];
        if (agent) {
            snprintf(line, sizeof line, "{\"op\": \"hint\", \"agent\": \"%s\"}", agent);
            reply = ask(&session, line);
            action = member(reply, "action")->valueint;
            sb_action_name(env, action, action_name, sizeof action_name);
            assert_string_equal(text_of(reply, "action_name"), action_name);
            cJSON_Delete(reply);
        }
        sb_action_name(env, action, action_name, sizeof action_name);
        if (by_name)
            snprintf(line, sizeof line, "{\"op\": \"step\", \"action\": \"%s\"}", action_name);
        else
            snprintf(line, sizeof line, "{\"op\": \"step\", \"action\": %d}", action);
        reply = ask(&session, line);
        assert_ok(sb_step(env, action, &result, &error), error);
        assert_number(reply, "reward", result.reward);
        assert_number(reply, "dense_reward", result.dense);
        assert_state(reply, env);
        assert_shows(reply, env, "ascii");
        assert_shows(reply, env, "language");
        assert_shows(reply, env, "state");
        cJSON_Delete(reply);
    }
    assert_refused(&session, line, "finished", "over");
    assert_refused(&session, "{\"op\": \"hint\"}", "finished", "over");
    sb_free(env);
    sb_session_free(&session);
}

static void an_episode_is_the_same_as_one_played_with_the_library(void **unused) {
    (void)unused;
    play_both(episode, NULL, false);
    play_both("GoToGoal-v0/hard#7", NULL, true);
    play_both("GoToGoal-v0/easy#18446744073709551615", NULL, false);
}

static void following_hints_gives_the_agents_rollout(void **unused) {
    (void)unused;
    static const char *const names[] = {"KeyDoorPuzzle-v0/medium#42", "GoToGoal-v0/expert#3"};
    static const char *const agents[] = {"expert", "random", "clairvoyant"};
    for (int i = 0; i < 6; i++) {
        const char *name = names[i / 3], *agent = agents[i % 3];
        sb_error error;
        sb_session session = {0};
        sb_player player = {0};
        sb_tape tape = {0};
        sb_name parsed;
        char line[200];
        sb_env *env = sb_make(NULL, NULL, &error);
        assert_ok(sb_name_parse(NULL, name, &parsed, &error), error);
        assert_ok(sb_roll_out(env, &player, agent, &parsed, &tape, NULL, NULL, &error), error);
        snprintf(line, sizeof line, "{\"op\": \"reset\", \"name\": \"%s\", \"modes\": []}", name);
        tell(&session, line);
        for (size_t k = 0; k < tape.n; k++) {
            snprintf(line, sizeof line, "{\"op\": \"hint\", \"agent\": \"%s\"}", agent);
            cJSON *hint = ask(&session, line);
            assert_int_equal(member(hint, "action")->valueint, tape.actions[k]);
            cJSON_Delete(hint);
            snprintf(line, sizeof line, "{\"op\": \"step\", \"action\": %d}", tape.actions[k]);
            tell(&session, line);
        }
        assert_refused(&session, "{\"op\": \"hint\"}", "finished", "over");
        sb_free(env);
        sb_player_clear(&player);
        sb_tape_clear(&tape);
        sb_session_free(&session);
        play_both(name, agent, i % 3 == 1);
    }
}

static void a_hint_has_the_experts_intent(void **unused) {
    (void)unused;
    sb_session session = {0};
    tell(&session, "{\"op\": \"reset\", \"name\": \"KeyDoorPuzzle-v0/medium#42\"}");
    cJSON *hint = ask(&session, "{\"op\": \"hint\"}");
    const cJSON *intent = member(hint, "intent");
    assert_string_equal(text_of(hint, "agent"), "expert");
    assert_string_equal(text_of(intent, "verb"), "fetch");
    assert_string_equal(text_of(intent, "object"), "gold key");
    assert_int_equal(cJSON_GetArraySize(member(intent, "at")), 2);
    cJSON *again = ask(&session, "{\"op\": \"hint\", \"agent\": \"expert\"}");
    assert_true(cJSON_Compare(hint, again, true));
    cJSON_Delete(hint);
    cJSON_Delete(again);
    hint = ask(&session, "{\"op\": \"hint\", \"agent\": \"random\"}");
    assert_true(cJSON_IsNull(member(hint, "intent")));
    cJSON_Delete(hint);
    sb_session_free(&session);
}

static void names_come_back_canonical(void **unused) {
    (void)unused;
    sb_session session = {0};
    cJSON *reply = ask(&session, "{\"op\": \"reset\", \"name\": \"agentick:GoToGoal/hard#9007199254740993\"}");
    assert_string_equal(text_of(reply, "name"), "GoToGoal-v0/hard#9007199254740993");
    assert_string_equal(text_of(reply, "rules"), "agentick 1");
    cJSON_Delete(reply);
    sb_session_free(&session);
}

static void modes_hold_until_the_next_reset(void **unused) {
    (void)unused;
    sb_session session = {0};
    cJSON *reply = ask(&session, "{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\"}");
    assert_int_equal(cJSON_GetArraySize(member(reply, "observations")), 1);
    assert_true(cJSON_IsString(member(member(reply, "observations"), "ascii")));
    cJSON_Delete(reply);
    tell(&session, "{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#1\", \"modes\": [\"state_dict\", \"language\"]}");
    reply = ask(&session, "{\"op\": \"observe\", \"modes\": [\"structured\"]}");
    assert_int_equal(cJSON_GetArraySize(member(reply, "observations")), 1);
    assert_true(cJSON_IsObject(member(member(reply, "observations"), "structured")));
    cJSON_Delete(reply);
    reply = ask(&session, "{\"op\": \"step\", \"action\": 0}");
    assert_int_equal(cJSON_GetArraySize(member(reply, "observations")), 2);
    assert_true(cJSON_IsObject(member(member(reply, "observations"), "state_dict")));
    assert_true(cJSON_IsString(member(member(reply, "observations"), "language")));
    cJSON_Delete(reply);
    sb_session_free(&session);
}

static void valid_actions_are_listed_as_requested(void **unused) {
    (void)unused;
    static const struct {
        const char *wanted;
        bool numbers, names;
    } cases[] = {{"names", true, true}, {"numbers", true, false}, {"none", false, false}};
    sb_session session = {0};
    for (int i = 0; i < 3; i++) {
        char line[200];
        snprintf(line, sizeof line, "{\"op\": \"reset\", \"name\": \"%s\", \"actions\": \"%s\"}", episode,
                 cases[i].wanted);
        tell(&session, line);
        cJSON *reply = ask(&session, "{\"op\": \"step\", \"action\": \" NOOP\"}");
        assert_int_equal(cJSON_HasObjectItem(reply, "valid_actions"), cases[i].numbers);
        assert_int_equal(cJSON_HasObjectItem(reply, "valid_names"), cases[i].names);
        cJSON_Delete(reply);
    }
    sb_session_free(&session);
}

/* The toy has 1203 actions, no difficulties and no grid. */
static void clicks_are_played_by_name(void **unused) {
    (void)unused;
    sb_session session = {0};
    sb_error error;
    sb_result result = {0};
    sb_env *env = sb_make(NULL, "toy:Hunt-v1#5", &error);
    assert_ok(env != NULL, error);
    cJSON *reply = ask(&session, "{\"op\": \"reset\", \"name\": \"toy:Hunt-v1#5\", \"modes\": [\"text\", \"data\"]}");
    assert_int_equal(cJSON_GetArraySize(member(reply, "valid_actions")), sb_valid_actions(env, NULL, 0));
    assert_int_equal(cJSON_GetArraySize(member(reply, "valid_names")), sb_valid_actions(env, NULL, 0));
    while (!sb_status_of(env)->done) {
        char line[200];
        cJSON *hint = ask(&session, "{\"op\": \"hint\"}");
        snprintf(line, sizeof line, "{\"op\": \"step\", \"action\": \"%s\"}", text_of(hint, "action_name"));
        cJSON_Delete(reply);
        reply = ask(&session, line);
        assert_ok(sb_step(env, member(hint, "action")->valueint, &result, &error), error);
        assert_number(reply, "reward", result.reward);
        assert_bool(reply, "done", sb_status_of(env)->done);
        assert_shows(reply, env, "text");
        assert_shows(reply, env, "data");
        cJSON_Delete(hint);
    }
    assert_bool(reply, "success", sb_status_of(env)->success);
    cJSON_Delete(reply);
    sb_free(env);
    sb_session_free(&session);
}

static void hello_lists_families_and_limits(void **unused) {
    (void)unused;
    sb_session session = {0};
    cJSON *reply = ask(&session, "{\"op\": \"hello\", \"protocol\": 1}");
    const cJSON *family = cJSON_GetArrayItem(member(reply, "families"), 0);
    assert_number(reply, "protocol", SB_PROTOCOL);
    assert_string_equal(text_of(reply, "seedbed"), SB_VERSION);
    assert_string_equal(text_of(family, "name"), sb_families[0]->name);
    assert_int_equal(cJSON_GetArraySize(member(family, "tasks")), sb_families[0]->n_tasks);
    assert_int_equal(cJSON_GetArraySize(member(family, "modes")), sb_families[0]->n_modes);
    assert_number(member(reply, "limits"), "line_bytes", SB_LINE_BYTES);
    cJSON_Delete(reply);
    assert_refused(&session, "{\"op\": \"hello\", \"protocol\": 2}", "version", "version 1");
    sb_session_free(&session);
}

/* ---- Batches ---- */

static const cJSON *item_of(const cJSON *reply, const char *list, int index) {
    const cJSON *item = cJSON_GetArrayItem(member(reply, list), index);
    if (!item) fail_msg("no item %d in `%s`", index, list);
    return item;
}

/* Starts 2 environments on 3 names and plays them to the end with one action, beside direct episodes. */
static void play_batch(const char *then, const char *const names[3], sb_action action, const char *const order[],
                       size_t n_episodes) {
    sb_session session = {0};
    sb_error error;
    sb_env *envs[2];
    char line[300];
    size_t begun = 2;
    snprintf(line, sizeof line,
             "{\"op\": \"start\", \"names\": [\"%s\", \"%s\", \"%s\"], \"envs\": 2, \"then\": \"%s\", "
             "\"actions\": \"none\"}",
             names[0], names[1], names[2], then);
    cJSON *reply = ask(&session, line);
    assert_int_equal(cJSON_GetArraySize(member(reply, "envs")), 2);
    for (int i = 0; i < 2; i++) {
        envs[i] = sb_make(NULL, names[i], &error);
        assert_ok(envs[i] != NULL, error);
        assert_string_equal(text_of(item_of(reply, "envs", i), "name"), names[i]);
        assert_number(item_of(reply, "envs", i), "steps", 0);
        assert_shows(item_of(reply, "envs", i), envs[i], envs[i]->family->modes[0].name);
    }
    cJSON_Delete(reply);
    for (int guard = 0; guard < 200; guard++) {
        sb_out request = sb_out_growing();
        sb_puts(&request, "{\"op\": \"steps\", \"actions\": [");
        for (int i = 0; i < 2; i++) {
            sb_put_comma(&request);
            if (envs[i]->status.done)
                sb_puts(&request, "null");
            else
                sb_put_int(&request, action);
        }
        sb_puts(&request, "]}");
        reply = ask_bytes(&session, request.data, request.size);
        sb_out_free(&request);
        assert_bool(reply, "ok", true);
        int running = 0;
        for (int i = 0; i < 2; i++) {
            const cJSON *item = item_of(reply, "envs", i);
            sb_result result;
            assert_int_equal(cJSON_IsNull(item), envs[i]->status.done);
            if (envs[i]->status.done) continue;
            assert_ok(sb_step(envs[i], action, &result, &error), error);
            assert_number(item, "reward", result.reward);
            assert_number(item, "dense_return", sb_status_of(envs[i])->dense_total);
            assert_bool(item, "done", envs[i]->status.done);
            assert_shows(item, envs[i],
                         envs[i]->family->modes[0].name); /* of the last step, even if another episode follows */
            assert_int_equal(cJSON_HasObjectItem(item, "next"), envs[i]->status.done);
            if (envs[i]->status.done && begun < n_episodes) {
                assert_ok(sb_reset(envs[i], order[begun], &error), error);
                assert_string_equal(text_of(member(item, "next"), "name"), order[begun]);
                assert_shows(member(item, "next"), envs[i], envs[i]->family->modes[0].name);
                begun++;
            } else if (envs[i]->status.done && strcmp(then, "same") != 0) {
                assert_true(cJSON_IsNull(member(item, "next")));
            }
            running += !envs[i]->status.done;
        }
        const bool ends = strcmp(then, "same") == 0 ? begun == n_episodes : running == 0;
        if (strcmp(then, "same") != 0) assert_number(reply, "running", running);
        cJSON_Delete(reply);
        if (ends) break;
        assert_int_not_equal(guard, 199);
    }
    assert_int_equal(begun, n_episodes);
    sb_free(envs[0]);
    sb_free(envs[1]);
    sb_session_free(&session);
}

static void a_batch_plays_the_same_episodes_as_the_library(void **unused) {
    (void)unused;
    static const char *const names[][3] = {
        {"GoToGoal-v0/easy#1", "GoToGoal-v0/medium#2", "KeyDoorPuzzle-v0/easy#3"},
        {"toy:Pile-v1#1", "toy:Pile-v1#2", "toy:Pile-v1#3"},
    };
    for (int i = 0; i < 2; i++) {
        play_batch("stop", names[i], 0, names[i], 2);
        play_batch("next", names[i], 0, names[i], 3);
    }
    static const char *const again[] = {"toy:Hunt-v1#1", "toy:Hunt-v1#2", "toy:Hunt-v1#1", "toy:Hunt-v1#2"};
    play_batch("same", again, 0, again, 4);
}

static void wrong_requests_for_batches_get_an_error_and_change_nothing(void **unused) {
    (void)unused;
    static const struct {
        const char *line, *code, *words;
    } cases[] = {
        {"{\"op\": \"start\"}", "invalid", "`names` is missing"},
        {"{\"op\": \"start\", \"names\": []}", "invalid", "at least one episode"},
        {"{\"op\": \"start\", \"names\": [5]}", "invalid", "item 0: should be a text"},
        {"{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\", \"toy:Heap-v1#1\"]}", "unknown", "item 1"},
        {"{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\", \"GoToGoal-v0/easy#1\"]}", "invalid",
         "the list began with toy"},
        {"{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\"], \"envs\": 2}", "invalid", "1 to 1"},
        {"{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\"], \"envs\": 0}", "invalid", "`envs`"},
        {"{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\"], \"then\": \"more\"}", "invalid", "stop, same or next"},
        {"{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\"], \"env\": 1}", "invalid", "`env`"},
        {"{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\"], \"modes\": [\"ascii\"]}", "unknown", "ascii"},
        {"{\"op\": \"steps\"}", "invalid", "`actions` is missing"},
        {"{\"op\": \"steps\", \"actions\": [0]}", "invalid", "2 items"},
        {"{\"op\": \"steps\", \"actions\": [0, 3]}", "invalid", "item 1: action 3 is out of range"},
        {"{\"op\": \"steps\", \"actions\": [0, -1]}", "invalid", "item 1: action -1 is out of range"},
        {"{\"op\": \"steps\", \"actions\": [\"add\", \"fly\"]}", "invalid", "item 1: `fly`"},
        {"{\"op\": \"steps\", \"actions\": [0, true]}", "invalid", "item 1"},
    };
    sb_session session = {0};
    assert_refused(&session, "{\"op\": \"steps\", \"actions\": []}", "finished", "start first");
    tell(&session, "{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\", \"toy:Pile-v1#2\"]}");
    tell(&session, "{\"op\": \"steps\", \"actions\": [0, null]}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(&session, cases[i].line, cases[i].code, cases[i].words);
    for (int i = 0; i < 2; i++) {
        cJSON *reply = ask(&session, i ? "{\"op\": \"observe\", \"env\": 1}" : "{\"op\": \"observe\"}");
        assert_number(reply, "steps", 1 - i);
        cJSON_Delete(reply);
    }
    tell(&session, "{\"op\": \"close\", \"env\": 1}");
    assert_refused(&session, "{\"op\": \"steps\", \"actions\": [0, 0]}", "finished", "item 1");
    tell(&session, "{\"op\": \"steps\", \"actions\": [0, null]}");
    sb_session_free(&session);
}

/* Seed 666 of the toy cannot be made. */
static void a_batch_outlives_an_episode_that_cannot_be_made(void **unused) {
    (void)unused;
    sb_session session = {0};
    assert_refused(&session, "{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\", \"toy:Pile-v1#666\"]}", "invalid",
                   "item 1: no instance for seed 666");
    assert_refused(&session, "{\"op\": \"observe\"}", "finished", "reset first");
    tell(&session, "{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\", \"toy:Pile-v1#666\", \"toy:Pile-v1#3\"], "
                   "\"envs\": 1, \"then\": \"next\"}");
    cJSON *reply = NULL;
    do {
        cJSON_Delete(reply);
        reply = ask(&session, "{\"op\": \"steps\", \"actions\": [2]}");
    } while (!cJSON_HasObjectItem(item_of(reply, "envs", 0), "next"));
    const cJSON *next = member(item_of(reply, "envs", 0), "next");
    assert_string_equal(text_of(next, "name"), "toy:Pile-v1#666");
    assert_string_equal(text_of(member(next, "error"), "code"), "invalid");
    assert_number(reply, "running", 0);
    cJSON_Delete(reply);
    sb_session_free(&session);
}

static void environments_are_independent_up_to_the_limit(void **unused) {
    (void)unused;
    sb_session session = {.limits.envs = 3};
    tell(&session, "{\"op\": \"reset\", \"env\": 2, \"name\": \"toy:Pile-v1#1\"}");
    tell(&session, "{\"op\": \"reset\", \"env\": 0, \"name\": \"GoToGoal-v0/easy#1\"}");
    tell(&session, "{\"op\": \"step\", \"env\": 2, \"action\": \"add\"}");
    assert_refused(&session, "{\"op\": \"step\", \"env\": 1, \"action\": 0}", "finished", "reset first");
    assert_refused(&session, "{\"op\": \"step\", \"env\": 3, \"action\": 0}", "invalid", "0 to 2");
    cJSON *reply = ask(&session, "{\"op\": \"observe\", \"env\": 2}");
    assert_number(reply, "steps", 1);
    cJSON_Delete(reply);
    reply = ask(&session, "{\"op\": \"hello\"}");
    assert_number(member(reply, "limits"), "envs", 3);
    assert_false(cJSON_HasObjectItem(member(reply, "limits"), "clients"));
    cJSON_Delete(reply);
    reply = ask(&session, "{\"op\": \"start\", \"names\": [\"toy:Pile-v1#1\", \"toy:Pile-v1#2\", \"toy:Pile-v1#3\", "
                          "\"toy:Pile-v1#4\"]}");
    assert_int_equal(cJSON_GetArraySize(member(reply, "envs")), 3);
    cJSON_Delete(reply);
    sb_session_free(&session);
}

/* ---- Ids ---- */

static void ids_come_back_as_they_were_spelled(void **unused) {
    (void)unused;
    static const char *const ids[] = {"0",
                                      "-1.50e+3",
                                      "12345678901234567890",
                                      "null",
                                      "true",
                                      "\"\"",
                                      "\"a \\\"quoted\\\\\\u00e9 \xc3\xa9 } , : text\"",
                                      "[1, {\"id\": [2]}, \"]\"]",
                                      "{\"id\": 3, \"op\": \"}\"}"};
    static const char *const requests[] = {"{\"id\":%s,\"op\":\"hello\"}",
                                           "{\"op\": \"hello\", \"id\" : %s }",
                                           "\t{\"env\": 0, \"\\u0069d\": %s , \"op\": \"close\"} \r",
                                           "{\"op\": \"fly\", \"id\": %s}",
                                           "{\"id\": %s}",
                                           "{\"op\": \"step\", \"action\": [\"id\", 1], \"id\": %s, \"x\": 2}"};
    sb_session session = {0};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
            char line[300], expected[100];
            sb_out reply = sb_out_growing();
            snprintf(line, sizeof line, requests[r], ids[i]);
            snprintf(expected, sizeof expected, "{\"ok\": %s, \"id\": %s", r < 3 ? "true" : "false", ids[i]);
            sb_session_answer(&session, line, strlen(line), &reply);
            if (strncmp(reply.data, expected, strlen(expected)) != 0)
                fail_msg("%s gave %.*s", line, (int)reply.size, reply.data);
            assert_non_null(strchr(",}", reply.data[strlen(expected)]));
            sb_out_free(&reply);
        }
    }
    sb_session_free(&session);
}

static void a_request_without_id_gets_a_reply_without_id(void **unused) {
    (void)unused;
    sb_session session = {0};
    cJSON *reply = ask(&session, "{\"op\": \"hello\"}");
    assert_false(cJSON_HasObjectItem(reply, "id"));
    cJSON_Delete(reply);
    sb_session_free(&session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_episode_is_the_same_as_one_played_with_the_library),
        cmocka_unit_test(following_hints_gives_the_agents_rollout),
        cmocka_unit_test(a_hint_has_the_experts_intent),
        cmocka_unit_test(names_come_back_canonical),
        cmocka_unit_test(modes_hold_until_the_next_reset),
        cmocka_unit_test(valid_actions_are_listed_as_requested),
        cmocka_unit_test(clicks_are_played_by_name),
        cmocka_unit_test(hello_lists_families_and_limits),
        cmocka_unit_test(a_batch_plays_the_same_episodes_as_the_library),
        cmocka_unit_test(wrong_requests_for_batches_get_an_error_and_change_nothing),
        cmocka_unit_test(a_batch_outlives_an_episode_that_cannot_be_made),
        cmocka_unit_test(environments_are_independent_up_to_the_limit),
        cmocka_unit_test(ids_come_back_as_they_were_spelled),
        cmocka_unit_test(a_request_without_id_gets_a_reply_without_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
