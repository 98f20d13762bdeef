/* The engine of ARC-like games against recordings of the published one: sprites, cameras, scenes, collisions, games,
 * and the answers and recordings that agents get of a small game. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/arc/answer.h"
#include "engine/arc/stage.h"
#include "generators/conformance/arc.h"

/* ---- Parts and games ----------------------------------------------------------------------------------------------
 */

static sb_conformity total;
static size_t differing;

static void compare_line(const cJSON *recording) {
    sb_error error = {0};
    sb_conformity found = {0};
    const char *what = NULL;
    const sb_conformer *conformer = sb_conformer_without_task(recording, &what); /* as the command finds it */
    assert_non_null(conformer);
    assert_int_equal(strncmp(what, "ARC ", 4), 0);
    assert_ok(conformer->compare(recording, &found, &error), error);
    if (found.differs) print_message("%s\n", found.difference), differing++;
    for (int i = 0; i < SB_N_ASPECTS; i++) total.compared[i] += found.compared[i];
    total.steps += found.steps;
}

static void test_all_recordings_are_reproduced(void **state) {
    (void)state;
    static const struct {
        const char *file;
        size_t lines;
    } files[] = {{"sprites", 92},    {"cameras", 43}, {"scenes", 134},
                 {"collisions", 46}, {"games", 27},   {"games-random", 120}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[60];
        snprintf(name, sizeof name, "arc/%s.jsonl.gz", files[i].file);
        assert_int_equal(each_vector(name, compare_line), files[i].lines);
    }
    assert_int_equal(differing, 0);
    assert_int_equal(total.steps, 1587);
    assert_int_equal(total.compared[SB_ASPECT_RESET], 462);
    assert_int_equal(total.compared[SB_ASPECT_VIEWS], 3756);
    assert_int_equal(total.compared[SB_ASPECT_STATES], 8661);
    assert_int_equal(total.compared[SB_ASPECT_ENDS], 9652);
    assert_int_equal(total.compared[SB_ASPECT_PICTURES], 217);
}

/* Changes one thing in a recording of a file and expects the difference to be found. */
static struct {
    const char *id, *words;
    void (*change)(cJSON *recording);
    bool was_found;
} wanted;

static void change_line(const cJSON *line) {
    sb_error error = {0};
    sb_conformity found = {0};
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(line, "id");
    if (!cJSON_IsString(id) || strcmp(id->valuestring, wanted.id) != 0) return;
    cJSON *recording = cJSON_Duplicate(line, true);
    wanted.change(recording);
    assert_ok(sb_arc_conformer.compare(recording, &found, &error), error);
    if (!found.differs || !strstr(found.difference, wanted.words))
        fail_msg("`%s` not in: %s", wanted.words, found.difference);
    wanted.was_found = true;
    cJSON_Delete(recording);
}

static void expect_difference(const char *file, const char *id, void (*change)(cJSON *recording), const char *words) {
    wanted.id = id, wanted.words = words, wanted.change = change, wanted.was_found = false;
    each_vector(file, change_line);
    assert_true(wanted.was_found);
}

static cJSON *member(cJSON *object, const char *key) { return cJSON_GetObjectItemCaseSensitive(object, key); }
static cJSON *last_expect(cJSON *recording) {
    cJSON *turns = member(recording, "turns");
    return member(cJSON_GetArrayItem(turns, cJSON_GetArraySize(turns) - 1), "expect");
}

static void change_image(cJSON *r) { cJSON_SetValuestring(member(member(r, "expect"), "rows")->child, "42"); }
static void change_order(cJSON *r) { cJSON_SetValuestring(member(member(r, "expect"), "order")->child, "b"); }
static void change_scene(cJSON *r) { member(member(r, "expect"), "sha256")->valuestring[0] ^= 1; }
static void change_pick(cJSON *r) { member(member(r, "expect"), "at")->child->valuestring[0] = '7'; }
static void change_frame(cJSON *r) { member(last_expect(r), "frames")->child->valuestring[0] = 'x'; }
static void change_state(cJSON *r) { cJSON_SetValuestring(member(last_expect(r), "state"), "WIN"); }
static void change_count(cJSON *r) { cJSON_SetNumberValue(member(last_expect(r), "action_count"), 77); }
static void change_place(cJSON *r) { cJSON_SetNumberValue(member(last_expect(r), "sprites")->child->child->next, 77); }
static void change_reset(cJSON *r) { cJSON_ReplaceItemInObject(last_expect(r), "full_reset", cJSON_CreateTrue()); }
static void drop_frame(cJSON *r) { cJSON_DeleteItemFromArray(member(last_expect(r), "frames"), 0); }

static void test_differences_are_found(void **state) {
    (void)state;
    expect_difference("arc/sprites.jsonl.gz", "rot90", change_image, "image");
    expect_difference("arc/scenes.jsonl.gz", "one", change_order, "order");
    expect_difference("arc/scenes.jsonl.gz", "one", change_scene, "frame");
    expect_difference("arc/collisions.jsonl.gz", "touch", change_pick, "at");
    expect_difference("arc/games.jsonl.gz", "move", change_frame, "turn 5: frame");
    expect_difference("arc/games.jsonl.gz", "move", drop_frame, "number of frames");
    expect_difference("arc/games.jsonl.gz", "move", change_state, "state");
    expect_difference("arc/games.jsonl.gz", "move", change_count, "action_count");
    expect_difference("arc/games.jsonl.gz", "move", change_place, "sprites");
    expect_difference("arc/games.jsonl.gz", "move", change_reset, "full_reset");
}

/* ---- Malformed recordings -----------------------------------------------------------------------------------------
 */

static void test_malformed_recordings_are_refused_with_the_key(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"{\"sprite\":{\"name\":\"s\",\"pixels\":[]},\"expect\":{}}", "pixels"},
        {"{\"sprite\":{\"name\":\"s\",\"pixels\":[\"12\",\"1\"]},\"expect\":{}}", "pixels"},
        {"{\"sprite\":{\"name\":\"s\",\"pixels\":[\"1\"],\"blocking\":\"all\"},\"expect\":{}}", "blocking"},
        {"{\"sprite\":{\"pixels\":[\"1\"]},\"expect\":{}}", "name"},
        {"{\"camera\":{\"w\":\"wide\"},\"error\":true}", "`w`"},
        {"{\"camera\":{\"background\":16},\"error\":true}", "background"},
        {"{\"levels\":[],\"turns\":[]}", "levels"},
        {"{\"levels\":[{\"grid\":[0,1],\"sprites\":[]}],\"turns\":[]}", "grid"},
        {"{\"levels\":[{\"sprites\":[]}],\"turns\":[{\"action\":9,\"expect\":{}}]}", "action"},
        {"{\"levels\":[{\"sprites\":[]}],\"turns\":[{\"action\":6,\"x\":64,\"y\":0,\"expect\":{}}]}", "0..63"},
        {"{\"levels\":[{\"sprites\":[]}],\"turns\":[{\"action\":1,\"script\":[[[\"fly\"]]],\"expect\":{}}]}",
         "no such operation"},
        {"{\"levels\":[{\"sprites\":[]}],\"turns\":[{\"action\":1,\"script\":[[[\"move\",\"p\",1,1]]],\"expect\":{}}]}",
         "no sprite"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sb_error error = {0};
        sb_conformity found = {0};
        cJSON *recording = sb_json_parse(texts[i][0], strlen(texts[i][0]), &error);
        assert_ok(recording && sb_arc_recording(recording), error);
        assert_error(sb_arc_conformer.compare(recording, &found, &error), &error, SB_INVALID, texts[i][1]);
        cJSON_Delete(recording);
    }
}

/* ---- Answers and lines of recordings ------------------------------------------------------------------------------
 */

/* The recorded game: on a row of eight cells, a walker goes right (ACTION4) to a goal; left off the edge it loses. */
typedef struct walk {
    sb_arc_stage stage;
    uint8_t frames[2][SB_ARC_FRAME];
    uint32_t n_frames;
} walk;

enum { WALKER, GOAL };

static void restore(void *game, int32_t level) { sb_arc_stage_restore(&((walk *)game)->stage, level); }
static void enter(void *game, int32_t level) { sb_arc_stage_enter(&((walk *)game)->stage, level); }
static void draw(void *game, uint8_t *frame) { sb_arc_stage_draw(&((walk *)game)->stage, frame); }

static void step(void *game, sb_arc_loop *loop, const sb_arc_film *film) {
    sb_arc_scene *scene = sb_arc_stage_scene(&((walk *)game)->stage);
    sb_arc_sprite *walker = &scene->sprites[WALKER];
    (void)film;
    sb_arc_complete(loop);
    if (loop->action.id == SB_ARC_RIGHT) walker->x++;
    if (loop->action.id == SB_ARC_LEFT && walker->x-- == 0) walker->x = 0, sb_arc_lose(loop);
    if (walker->x == scene->sprites[GOAL].x) sb_arc_next_level(loop);
}

static const sb_arc_hooks hooks = {.restore = restore, .enter = enter, .step = step, .draw = draw};

static void take(void *context, const uint8_t *frame) {
    walk *w = context;
    memcpy(w->frames[w->n_frames++], frame, SB_ARC_FRAME);
}

static void begin(walk *w) {
    const sb_arc_sprite dot = {.width = 1, .height = 1, .scale = 1, .visible = true, .collidable = true};
    assert_true(sb_arc_stage_new(&w->stage, 3));
    w->stage.camera.background = 1;
    for (int i = 0; i < 3; i++) {
        sb_arc_stage_level *level = &w->stage.levels[i];
        level->width = level->height = 8;
        assert_true(sb_arc_scene_add(&level->clean, &dot, &(int8_t){8}));
        assert_true(sb_arc_scene_add(&level->clean, &dot, &(int8_t){14}));
        level->clean.sprites[GOAL].x = 3;
    }
    assert_true(sb_arc_stage_begin(&w->stage, &hooks, w));
}

static walk walked;

static void give_frames(const void *source, const sb_arc_film *film) {
    const walk *w = source;
    for (uint32_t i = 0; i < w->n_frames; i++) film->take(film->context, w->frames[i]);
}

/* Takes the action that a recorded answer names, and gives the message for it. */
static sb_arc_message answer_like(const cJSON *recorded) {
    const cJSON *input = cJSON_GetObjectItemCaseSensitive(recorded, "action_input");
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(input, "id");
    const bool has_reason = !cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(input, "reasoning"));
    sb_arc_message m = {.game_id = "tt01",
                        .reasoning = has_reason ? "{\"why\":\"test\"}" : NULL,
                        .win_levels = 3,
                        .available = 1 << 3 | 1 << 4 | 1 << 6 | 1 << 7,
                        .frames = give_frames,
                        .source = &walked};
    if (cJSON_IsNumber(id)) m.action.id = (uint8_t)id->valuedouble;
    for (int i = 0; cJSON_IsString(id) && i < SB_ARC_ACTIONS; i++)
        if (strcmp(sb_arc_action_names[i], id->valuestring) == 0) m.action.id = (uint8_t)i;
    if (m.action.id == SB_ARC_CLICK) m.action.x = 5, m.action.y = 60;
    if (m.action.id == SB_ARC_RESET) begin(&walked);
    walked.n_frames = 0;
    assert_true(sb_arc_act(&walked.stage.loop, &hooks, &walked, m.action,
                           &(sb_arc_film){.take = take, .context = &walked}, &m.answer));
    assert_int_equal(m.answer.n_frames, walked.n_frames);
    return m;
}

static cJSON *parse(sb_out *out) {
    sb_error error = {0};
    cJSON *document = sb_json_parse(out->data, out->size, &error);
    assert_ok(document, error);
    return document;
}

static void assert_same_text(const cJSON *ours, const cJSON *recorded) {
    char *one = cJSON_PrintUnformatted(ours), *other = cJSON_PrintUnformatted(recorded);
    assert_string_equal(one, other); /* keys in the same order */
    cJSON_free(one);
    cJSON_free(other);
}

static void check_answer(const cJSON *recorded) {
    sb_arc_message m = answer_like(recorded);
    sb_out out = sb_out_growing();
    sb_arc_put_answer(&m, &out);
    cJSON *ours = parse(&out), *frames = cJSON_CreateArray();
    for (uint32_t i = 0; i < m.answer.n_frames; i++) {
        char hash[SB_SHA256_HEX];
        sb_arc_frame_hash(walked.frames[i], hash);
        cJSON_AddItemToArray(frames, cJSON_CreateString(hash));
    }
    const cJSON *pixel = cJSON_GetObjectItemCaseSensitive(ours, "frame")->child->child->child;
    assert_int_equal(pixel->valuedouble, walked.frames[0][0]);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(ours, "frame")->child), 64);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(ours, "frame")->child->child), 64);
    cJSON_ReplaceItemInObject(ours, "frame", frames);
    assert_same_text(ours, recorded);
    cJSON_Delete(ours);
    sb_out_free(&out);
}

static void test_answers_are_those_of_the_published_engine(void **state) {
    (void)state;
    assert_int_equal(each_vector("arc/answers.jsonl.gz", check_answer), 6);
    sb_arc_stage_free(&walked.stage);
}

/* What was written is read back the same. */
static void check_reading(const sb_arc_message *m, const sb_out *line) {
    sb_arc_message back;
    sb_error error = {0};
    cJSON *kept;
    assert_ok(sb_arc_read_recorded(line->data, line->size, &back, &kept, &error), error);
    assert_string_equal(back.game_id, m->game_id);
    assert_memory_equal(&back.action, &m->action, sizeof m->action);
    assert_int_equal(back.answer.state, m->answer.state);
    assert_int_equal(back.answer.levels_completed, m->answer.levels_completed);
    assert_int_equal(back.answer.full_reset, m->answer.full_reset);
    assert_int_equal(back.answer.n_frames, m->with_frames ? m->answer.n_frames : UINT32_MAX);
    assert_int_equal(back.win_levels, m->win_levels);
    assert_int_equal(back.available, m->available);
    cJSON_Delete(kept);
}

/* The published engine writes counts of zero for actions after the end; ours keeps them (engine 13). */
static void as_published(sb_arc_message *m) {
    if (m->answer.n_frames == 0) m->answer.levels_completed = m->win_levels = 0;
}

static void check_recording(const cJSON *recorded) {
    sb_arc_message m = answer_like(cJSON_GetObjectItemCaseSensitive(recorded, "data"));
    sb_out out = sb_out_growing();
    as_published(&m);
    m.guid = "";
    sb_arc_put_recorded(&m, "", &out);
    cJSON *ours = parse(&out);
    assert_same_text(ours, recorded);
    check_reading(&m, &out);
    sb_out_clear(&out);
    m.with_frames = true;
    sb_arc_put_recorded(&m, "2026-01-01T00:00:00+00:00", &out);
    check_reading(&m, &out);
    cJSON_Delete(ours);
    sb_out_free(&out);
}

static void test_recordings_are_those_of_the_toolkit(void **state) {
    (void)state;
    assert_int_equal(each_vector("arc/recording.jsonl.gz", check_recording), 6);
    sb_arc_stage_free(&walked.stage);
}

static void test_malformed_lines_of_recordings_are_refused(void **state) {
    (void)state;
    static const char good[] =
        "{\"game_id\":\"g\",\"state\":\"WIN\",\"levels_completed\":1,\"win_levels\":1,\"action_input\":"
        "{\"id\":\"ACTION6\",\"data\":{\"x\":1,\"y\":2}},\"guid\":\"\",\"full_reset\":false,"
        "\"available_actions\":[6],\"frame\":[]}";
    static const char *const changes[][3] = {
        {"WIN", "WON", "state"},          {"ACTION6", "ACTION8", "id"},
        {"\"x\":1", "\"x\":64", "`x`"},   {"\"y\":2", "\"z\":2", "`y`"},
        {"[6]", "[8]", "available"},      {"\"frame\":[]", "\"frame\":[[]]", "frame"},
        {"game_id", "gameid", "game_id"}, {"\"levels_completed\":1", "\"levels_completed\":255", "levels_completed"},
    };
    sb_arc_message m;
    sb_error error = {0};
    cJSON *kept;
    assert_ok(sb_arc_read_recorded(good, strlen(good), &m, &kept, &error), error);
    cJSON_Delete(kept);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[400];
        const char *at = strstr(good, changes[i][0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, changes[i][1], at + strlen(changes[i][0]));
        const bool ok = sb_arc_read_recorded(text, strlen(text), &m, &kept, &error);
        assert_error(ok, &error, SB_INVALID, changes[i][2]);
        cJSON_Delete(kept);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_recordings_are_reproduced),
        cmocka_unit_test(test_differences_are_found),
        cmocka_unit_test(test_malformed_recordings_are_refused_with_the_key),
        cmocka_unit_test(test_answers_are_those_of_the_published_engine),
        cmocka_unit_test(test_recordings_are_those_of_the_toolkit),
        cmocka_unit_test(test_malformed_lines_of_recordings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
