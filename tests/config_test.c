/* Compares the tables of configuration keys (generators/agentick/<category>/<task>.txt) with the configuration in every
 * state of the recorded episodes of all tasks: keys and their order, types, ranges, what is public, and what changes.
 * In the end, everything in the tables must have occurred in some state. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/lookup.h"
#include "seedbed/gridworld.h"

enum { ROWS = 512, WORDS = 4, TEXT = 4096 /* as the header promises */, STATE = 1 << 16 };

/* One line of a table. */
typedef struct row {
    char task[40], key[32], part[24]; /* part: a member of each record of the key; empty for the key itself */
    char type[24];
    double least, most;                                                          /* of numbers */
    int fewest, longest;                                                         /* items of a list or a map */
    char word[WORDS][24];                                                        /* of texts */
    bool is_public, is_live;                                                     /* from the table */
    bool has_items, has_changed, of_first_type, of_second_type, has_word[WORDS]; /* what occurred in states */
} row;

static row rows[ROWS];
static size_t n_rows;

/* ---- The document ---- */

/* Splits a table's line into cells, without the blanks and ` around them; returns the number of cells. */
static int split(char *line, char *cells[8]) {
    int n = 0;
    for (char *cell = strchr(line, '|'), *end; cell && n < 8 && (end = strchr(cell + 1, '|')); cell = end) {
        *end = '\0';
        cells[n] = cell + 1 + strspn(cell + 1, " `");
        for (char *last = cells[n] + strlen(cells[n]); last > cells[n] && strchr(" `", last[-1]);) *--last = '\0';
        n++, *end = '|';
        cells[n - 1][strcspn(cells[n - 1], "|")] = '\0';
    }
    return n;
}

/* Reads `0..3`, `4..`, or `5`. */
static void read_bounds(char *text, double *least, double *most) {
    char *dots = strstr(text, "..");
    if (dots) *dots = '\0'; /* otherwise the first dot would belong to the number before it */
    *least = *most = strtod(text, NULL);
    if (dots) *most = strpbrk(dots + 2, "0123456789") == dots + 2 ? strtod(dots + 2, NULL) : 1e300;
}

static void read_words(row *r, char *text) {
    int n = 0;
    for (char *word = text; word; word = strchr(word, ',')) {
        word += strspn(word, ", `");
        assert_true(n < WORDS);
        snprintf(r->word[n++], sizeof *r->word, "%.*s", (int)strcspn(word, "`,"), word);
    }
}

/* Reads ranges of numbers, items and words, in any order, with `;` between them. */
static void read_range(row *r, char *text) {
    double least, most;
    r->longest = INT32_MAX;
    for (char *part = text, *next; part && *part; part = next) {
        next = strchr(part, ';');
        if (next) *next++ = '\0';
        part += strspn(part, " ");
        const bool items = strstr(part, " item");
        if (strspn(part, "-0123456789") == 0) {
            read_words(r, part);
            continue;
        }
        read_bounds(part, &least, &most);
        if (items)
            r->fewest = (int)least, r->longest = most < INT32_MAX ? (int)most : INT32_MAX;
        else
            r->least = least, r->most = most;
    }
}

static bool one_of(const char *word, const char *yes, const char *no) {
    if (strcmp(word, yes) != 0 && strcmp(word, no) != 0) fail_msg("`%s` is neither `%s` nor `%s`", word, yes, no);
    return strcmp(word, yes) == 0;
}

static void read_row(const char *task, char *line) {
    char *cells[8];
    if (split(line, cells) != 6) fail_msg("not a line of six cells: %s", line);
    assert_true(n_rows < ROWS);
    row *r = &rows[n_rows++];
    char *const part = strstr(cells[0], "[].");
    snprintf(r->task, sizeof r->task, "%s", task);
    snprintf(r->key, sizeof r->key, "%.*s", part ? (int)(part - cells[0]) : (int)strlen(cells[0]), cells[0]);
    snprintf(r->part, sizeof r->part, "%s", part ? part + 3 : "");
    snprintf(r->type, sizeof r->type, "%s", cells[1]);
    read_range(r, cells[2]);
    r->is_public = one_of(cells[3], "public", "private");
    r->is_live = one_of(cells[4], "live", "fixed");
    if (!*cells[5]) fail_msg("%s: %s has no description", task, cells[0]);
}

/* Reads the tables at the end of what the family says of the task. */
static void read_task(const sb_task_info *task) {
    sb_out text = sb_out_growing();
    sb_families[0]->describe(task, &text);
    assert_true(sb_out_finish(&text));
    char *line = strstr(text.data, "\n## Configuration keys\n");
    if (!line) fail_msg("%s has no tables", task->name);
    for (char *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        if (strncmp(line, "| `", 3) == 0) read_row(task->name, line);
    }
    sb_out_free(&text);
}

static int read_tasks(void **state) {
    (void)state;
    for (size_t i = 0; i < sb_families[0]->n_tasks; i++) read_task(sb_families[0]->task(i));
    return 0;
}

/* Returns the next line, from `r` on, for a key of the task, or for a part of this key; NULL if there is none. */
static row *next_row(row *r, const char *task, const char *key, bool parts) {
    for (; r < rows + n_rows; r++) {
        if (strcmp(r->task, task) != 0 || (*r->part != '\0') != parts) continue;
        if (!parts || strcmp(r->key, key) == 0) return r;
    }
    return NULL;
}

/* Returns the line for a key, which the table must have. */
static row *line_of(const char *task, const char *key) {
    for (row *r = rows; r < rows + n_rows; r++)
        if (strcmp(r->task, task) == 0 && strcmp(r->key, key) == 0 && !*r->part) return r;
    fail_msg("no line for %s of %s", key, task);
    return rows;
}

/* ---- Values ---- */

/* A state of an episode. */
typedef struct look {
    const char *name; /* of the episode, for messages */
    const char *task;
    sb_xy size;
} look;

static bool is_whole(const cJSON *value) {
    return cJSON_IsNumber(value) && value->valuedouble >= -1e15 && value->valuedouble <= 1e15 &&
           (double)(int64_t)value->valuedouble == value->valuedouble;
}

static bool is_within(const row *r, const cJSON *number) {
    return number->valuedouble >= r->least && number->valuedouble <= r->most;
}

static bool is_pair(const cJSON *value) {
    return cJSON_IsArray(value) && cJSON_GetArraySize(value) == 2 && is_whole(value->child) &&
           is_whole(value->child->next);
}

static bool is_cell(const cJSON *value, sb_xy size) {
    if (!is_pair(value)) return false;
    const int x = value->child->valueint, y = value->child->next->valueint;
    return x >= 0 && x < size.x && y >= 0 && y < size.y;
}

static bool is_word(row *r, const cJSON *value) {
    for (int i = 0; cJSON_IsString(value) && i < WORDS; i++)
        if (*r->word[i] && strcmp(r->word[i], value->valuestring) == 0) return r->has_word[i] = true;
    return false;
}

static bool is_of_one(row *r, const look *at, const char *type, const cJSON *value) {
    if (strcmp(type, "cell") == 0) return is_cell(value, at->size);
    if (strcmp(type, "offset") == 0)
        return is_pair(value) && is_within(r, value->child) && is_within(r, value->child->next);
    if (strcmp(type, "int") == 0) return is_whole(value) && is_within(r, value);
    if (strcmp(type, "number") == 0) return cJSON_IsNumber(value) && is_within(r, value);
    if (strcmp(type, "bool") == 0) return cJSON_IsBool(value);
    if (strcmp(type, "text") == 0) return is_word(r, value);
    if (strcmp(type, "record") == 0) return cJSON_IsObject(value); /* the parts have lines of their own */
    if (strcmp(type, "null") == 0) return cJSON_IsNull(value);
    fail_msg("%s: this test does not know the type `%s`", r->key, type);
    return false;
}

static bool is_of_type(row *r, const look *at, const char *type, const cJSON *value);

/* Checks every item, and the number of items of the outermost list or map. */
static bool are_of_type(row *r, const look *at, const char *type, const cJSON *values) {
    const cJSON *item;
    cJSON_ArrayForEach(item, values) if (!is_of_type(r, at, type, item)) return false;
    return true;
}

static bool is_of_type(row *r, const look *at, const char *type, const cJSON *value) {
    const size_t n = strlen(type);
    char singular[24];
    if (strcmp(type, "empty list") == 0) return cJSON_IsArray(value) && !value->child;
    if (strcmp(type, "empty map") == 0) return cJSON_IsObject(value) && !value->child;
    if (strncmp(type, "map of ", 7) == 0) return cJSON_IsObject(value) && are_of_type(r, at, type + 7, value);
    if (type[n - 1] != 's') return is_of_one(r, at, type, value);
    snprintf(singular, sizeof singular, "%.*s", (int)n - 1, type);
    return cJSON_IsArray(value) && are_of_type(r, at, singular, value);
}

static bool is_single(const char *type) { return type[strlen(type) - 1] != 's' && strncmp(type, "map of ", 7) != 0; }

/* Checks a value against the type `T` or `T or U`. */
static bool fits(row *r, const look *at, const cJSON *value) {
    char first[24];
    const char * or = strstr(r->type, " or ");
    snprintf(first, sizeof first, "%.*s", or ? (int)(or -r->type) : (int)strlen(r->type), r->type);
    const int n = cJSON_GetArraySize(value);
    if (!is_single(r->type) && (n < r->fewest || n > r->longest)) return false;
    if (n > 0) r->has_items = true;
    if (is_of_type(r, at, first, value)) return r->of_first_type = true;
    return or &&is_of_type(r, at, or +4, value) && (r->of_second_type = true);
}

static void check_value(row *r, const look *at, const cJSON *value) {
    if (fits(r, at, value)) return;
    char *printed = cJSON_PrintUnformatted(value);
    fail_msg("%s: %s%s%s is %s, which does not fit the table", at->name, r->key, *r->part ? "[]." : "", r->part,
             printed);
}

/* ---- Objects ---- */

/* Checks that an object has these keys in this order, with values that fit. `key` is that of the records, or NULL. */
static void check_object(const look *at, const char *key, const cJSON *object) {
    const cJSON *member = object->child;
    row *r = next_row(rows, at->task, key, key);
    for (; r && member; r = next_row(r + 1, at->task, key, key), member = member->next) {
        const char *said = key ? r->part : r->key;
        if (strcmp(said, member->string) != 0)
            fail_msg("%s: the table has `%s` where there is `%s`", at->name, said, member->string);
        check_value(r, at, member);
        if (strcmp(r->type, "records") != 0) continue;
        const cJSON *record;
        cJSON_ArrayForEach(record, member) check_object(at, r->key, record);
    }
    if (member) fail_msg("%s: the table does not have `%s`", at->name, member->string);
    if (r) fail_msg("%s: `%s` is missing", at->name, key ? r->part : r->key);
}

/* Checks that the public part has the public keys in the same order, with the same values. */
static void check_public(const look *at, const cJSON *whole, const cJSON *shown) {
    const cJSON *member = shown->child;
    for (const cJSON *all = whole->child; all; all = all->next) {
        const row *r = line_of(at->task, all->string);
        if (!r->is_public) continue;
        if (!member || strcmp(member->string, all->string) != 0)
            fail_msg("%s: `state` shows %s where %s should follow", at->name, member ? member->string : "nothing",
                     r->key);
        assert_true(cJSON_Compare(member, all, true));
        member = member->next;
    }
    if (member) fail_msg("%s: `state` shows %s, too", at->name, member->string);
}

static void check_changes(const look *at, const cJSON *before, const cJSON *after) {
    const cJSON *old = before->child;
    for (const cJSON *now = after->child; now; now = now->next, old = old->next) {
        if (cJSON_Compare(old, now, true)) continue;
        row *r = line_of(at->task, now->string);
        r->has_changed = true;
        if (!r->is_live) fail_msg("%s: %s changes", at->name, r->key);
    }
}

/* ---- Episodes ---- */

static cJSON *parsed(const char *text) {
    cJSON *object = cJSON_ParseWithOpts(text, NULL, false);
    assert_non_null(object);
    return object;
}

static cJSON *complete_config(const sb_env *env) {
    char text[TEXT];
    assert_in_range(sb_task_config(env, text, sizeof text), 2, sizeof text - 1);
    return parsed(text);
}

static cJSON *shown_config(const sb_env *env) {
    static const char key[] = "\"task_config\": ";
    static char text[STATE];
    sb_error error;
    const sb_mode *state = sb_mode_find(sb_family_of(env), "state", &error);
    assert_ok(state != NULL, error);
    assert_in_range(sb_observe(env, state, text, sizeof text), 1, sizeof text - 1);
    return parsed(strstr(text, key) + sizeof key - 1);
}

/* Checks the state and returns its configuration; frees that of the state before. */
static cJSON *look_at(const sb_env *env, const char *name, cJSON *before) {
    const look at = {name, sb_name_of(env)->task, sb_grid_size(env)};
    cJSON *whole = complete_config(env);
    if (!before || !cJSON_Compare(before, whole, true)) {
        cJSON *shown = shown_config(env);
        check_object(&at, NULL, whole);
        check_public(&at, whole, shown);
        if (before) check_changes(&at, before, whole);
        cJSON_Delete(shown);
    }
    cJSON_Delete(before);
    return whole;
}

static sb_env *env;
static bool met[4];

/* `actions` are digits. */
static void play(const char *name, const char *actions) {
    sb_error error;
    sb_result result;
    assert_ok(sb_reset(env, name, &error), error);
    cJSON *config = look_at(env, name, NULL);
    for (; *actions && !sb_status_of(env)->done; actions++) {
        assert_ok(sb_step(env, *actions - '0', &result, &error), error);
        config = look_at(env, name, config);
    }
    cJSON_Delete(config);
}

static void play_recorded(const cJSON *line) {
    static const char *const difficulties[] = {"easy", "medium", "hard", "expert"};
    const cJSON *rollout;
    char name[SB_NAME_MAX];
    uint64_t seed;
    sb_error error;
    const char *difficulty = cJSON_GetObjectItem(line, "difficulty")->valuestring;
    assert_ok(sb_json_uint(line, "seed", &seed, &error), error);
    snprintf(name, sizeof name, "%s/%s#%llu", cJSON_GetObjectItem(line, "task")->valuestring, difficulty,
             (unsigned long long)seed);
    for (int i = 0; i < 4; i++) met[i] |= strcmp(difficulty, difficulties[i]) == 0;
    cJSON_ArrayForEach(rollout, cJSON_GetObjectItem(line, "rollouts"))
        play(name, cJSON_GetObjectItem(rollout, "actions")->valuestring);
}

static void check_that_all_was_shown(const row *r) {
    const bool two_types = strstr(r->type, " or ");
    if (!r->of_first_type || (two_types && !r->of_second_type))
        fail_msg("%s: %s %s is never of type %s", r->task, r->key, r->part, r->type);
    if (!is_single(r->type) && !r->has_items) fail_msg("%s: %s %s is always empty", r->task, r->key, r->part);
    if (r->is_live && !*r->part && !r->has_changed) fail_msg("%s: %s never changes", r->task, r->key);
    for (int i = 0; i < WORDS; i++)
        if (*r->word[i] && !r->has_word[i]) fail_msg("%s: %s is never `%s`", r->task, r->key, r->word[i]);
}

static void configurations_match_the_tables(void **state) {
    (void)state;
    const sb_family *family = sb_families[0];
    sb_error error;
    env = sb_make(NULL, NULL, &error);
    assert_ok(env, error);
    for (size_t i = 0; i < family->n_tasks; i++) {
        char file[64];
        const char *task = family->task(i)->name;
        snprintf(file, sizeof file, "%.*s.jsonl.gz", (int)strlen(task) - 3, task);
        memset(met, 0, sizeof met);
        assert_true(each_vector(file, play_recorded) > 0);
        assert_true(met[0] && met[1] && met[2] && met[3]);
    }
    for (const row *r = rows; r < rows + n_rows; r++) check_that_all_was_shown(r);
    sb_free(env);
}

static void every_task_has_one_table_and_every_table_a_task(void **state) {
    (void)state;
    const sb_family *family = sb_families[0];
    size_t tables = 0;
    for (const row *r = rows; r < rows + n_rows; r++) tables += r == rows || strcmp(r->task, r[-1].task) != 0;
    assert_int_equal(tables, family->n_tasks);
    for (size_t i = 0; i < family->n_tasks; i++)
        if (!next_row(rows, family->task(i)->name, NULL, false)) fail_msg("no table for %s", family->task(i)->name);
}

static void no_table_has_a_key_twice(void **state) {
    (void)state;
    for (const row *r = rows; r < rows + n_rows; r++)
        for (const row *s = rows; s < r; s++)
            if (strcmp(r->task, s->task) == 0 && strcmp(r->key, s->key) == 0 && strcmp(r->part, s->part) == 0)
                fail_msg("%s: %s %s occurs twice", r->task, r->key, r->part);
}

static void worlds_without_a_grid_have_an_empty_configuration(void **state) {
    (void)state;
    sb_error error;
    sb_env *level = sb_make(NULL, "babyai:GoTo#5", &error);
    char text[TEXT];
    assert_ok(level, error);
    assert_int_equal(sb_task_config(level, text, sizeof text), 2);
    assert_string_equal(text, "{}");
    sb_free(level);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_has_one_table_and_every_table_a_task),
        cmocka_unit_test(no_table_has_a_key_twice),
        cmocka_unit_test(configurations_match_the_tables),
        cmocka_unit_test(worlds_without_a_grid_have_an_empty_configuration),
    };
    return cmocka_run_group_tests(tests, read_tasks, NULL);
}
