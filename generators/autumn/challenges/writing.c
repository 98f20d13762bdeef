/* Challenges as lines of JSON: what is asked, and the answer with its certificate. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "generators/autumn/challenges/study.h"

const char sb_autumn_signs[SB_AUTUMN_SIGNS + 1] =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&()*+,-./:;<=>@[]^_`{|}";

enum { HIDDEN = '?', ACTIONS_MAX = 1000 }; /* HIDDEN: a cell that is not shown, or that does not count */

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

void sb_autumn_put_guard(sb_out *out, const char *key, const sb_autumn_guard *guard) {
    sb_put_key(out, key);
    sb_puts(out, "{");
    sb_member_text(out, "after", sb_autumn_guard_names[guard->kind]);
    sb_member_uint(out, "number", guard->number);
    sb_member_uint(out, "times", guard->times);
    if (guard->cells) sb_member_uint(out, "cells", guard->cells);
    sb_puts(out, "}");
}

static void put_action(sb_out *out, sb_autumn_event event) {
    sb_put_comma(out);
    sb_puts(out, "\"");
    sb_autumn_put_event(out, event);
    sb_puts(out, "\"");
}

static void put_actions(sb_out *out, const char *key, const sb_autumn_challenge *c) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (uint32_t i = 0; i < c->n_actions; i++) put_action(out, c->actions[i]);
    sb_puts(out, "]");
}

/* Cells for which `hidden` is not `mask[i]` are shown; mask NULL: all. */
static void put_cells(sb_out *out, const uint8_t *cells, size_t n, const uint8_t *mask, bool hidden) {
    sb_puts(out, "\"");
    for (size_t i = 0; i < n; i++) sb_putc(out, mask && mask[i] == hidden ? (char)HIDDEN : sb_autumn_signs[cells[i]]);
    sb_puts(out, "\"");
}

static void put_mask(sb_out *out, const sb_autumn_challenge *c) {
    sb_put_key(out, "mask");
    sb_puts(out, "\"");
    for (uint32_t i = 0; i < c->size * c->size; i++) sb_putc(out, c->mask[i] ? '1' : '0');
    sb_puts(out, "\"");
}

static void put_prediction(sb_out *out, const sb_autumn_challenge *c) {
    const uint32_t n = c->size * c->size;
    put_actions(out, "actions", c);
    sb_member_uint(out, "masked", c->masked);
    put_mask(out, c);
    sb_put_key(out, "frames");
    sb_puts(out, "[");
    for (uint32_t t = 0; t <= c->n_actions; t++)
        sb_put_comma(out),
            put_cells(out, c->frames + (size_t)t * n, n, t + c->masked > c->n_actions ? c->mask : NULL, true);
    sb_puts(out, "]");
    sb_put_key(out, "options");
    sb_puts(out, "[");
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++)
        sb_put_comma(out), put_cells(out, c->options + (size_t)k * c->n_mask, c->n_mask, NULL, false);
    sb_puts(out, "]");
}

static void put_task(sb_out *out, const sb_autumn_challenge *c) {
    sb_puts(out, "{\"challenge\": \"");
    sb_autumn_challenge_put_name(&c->name, out);
    sb_puts(out, "\"");
    sb_member_text(out, "env", c->name.program);
    sb_member_text(out, "kind", sb_autumn_challenge_names[c->name.kind]);
    sb_member_uint(out, "level", c->name.level);
    sb_member_uint(out, "seed", c->name.seed);
    sb_member_text(out, "generator", "pcg64");
    sb_member_text(out, "program_sha256", c->sha256);
    sb_member_uint(out, "size", c->size);
    sb_member_texts(out, "colours", (const char *const *)c->colours, c->n_colours);
    if (c->name.kind == SB_AUTUMN_MFP) put_prediction(out, c);
    if (c->name.kind == SB_AUTUMN_PLANNING) {
        put_mask(out, c);
        sb_put_key(out, "goal");
        put_cells(out, c->frames, (size_t)c->size * c->size, c->mask, false);
        sb_member_uint(out, "horizon", c->horizon);
    }
    sb_puts(out, "}\n");
}

static void put_odds(sb_out *out, const sb_autumn_challenge *c) {
    sb_put_key(out, "random");
    sb_puts(out, "{");
    sb_member_uint(out, "episodes", c->odds.episodes);
    sb_member_uint(out, "successes", c->odds.successes);
    if (c->odds.tried) sb_member_uint(out, "tried", c->odds.tried);
    sb_member_uint(out, "within", c->odds.within);
    sb_member_double(out, "steps", c->odds.steps);
    sb_puts(out, "}");
}

static void put_answer_of_prediction(sb_out *out, const sb_autumn_challenge *c) {
    const uint32_t n = c->size * c->size;
    sb_member_uint(out, "correct", c->answer);
    sb_put_key(out, "causes");
    sb_puts(out, "[");
    for (uint32_t k = 0; k < SB_AUTUMN_CHOICES; k++)
        sb_put_comma(out), sb_put_json_string(out, sb_autumn_cause_names[c->causes[k]]);
    sb_puts(out, "]");
    sb_put_key(out, "hidden");
    sb_puts(out, "[");
    for (uint32_t t = c->n_actions + 1 - c->masked; t <= c->n_actions; t++)
        sb_put_comma(out), put_cells(out, c->frames + (size_t)t * n, n, NULL, false);
    sb_puts(out, "]");
    sb_member_uint(out, "firings", c->firings);
    sb_member_uint(out, "latents", c->latents);
    sb_member_uint(out, "closest", c->closest);
}

static void put_plan(sb_out *out, const sb_autumn_challenge *c) {
    put_actions(out, "plan", c);
    sb_member_uint(out, "alive", c->alive);
    put_odds(out, c);
}

static void put_change(sb_out *out, const sb_autumn_challenge *c) {
    sb_member_text(out, "mutation", c->mutation);
    sb_put_key(out, "edits");
    sb_puts(out, "[");
    for (uint32_t i = 0; i < c->n_edits; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_uint(out, "at", c->edits[i].at);
        sb_member_text(out, "old", c->edits[i].before);
        sb_member_text(out, "new", c->edits[i].after);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
    sb_autumn_put_guard(out, "guard", &c->guard);
    put_actions(out, "example", c);
    sb_member_uint(out, "cells", c->cells);
    put_odds(out, c);
}

void sb_autumn_challenge_put(const sb_autumn_challenge *c, sb_out *task, sb_out *answer) {
    static const char *const certificates[] = {"D", "E", "T"};
    char sha256[SB_SHA256_HEX];
    const size_t from = task->size;
    put_task(task, c);
    if (!sb_out_ok(task)) return;
    sb_sha256_hex(task->data + from, task->size - from, sha256);
    sb_puts(answer, "{\"answer\": \"");
    sb_autumn_challenge_put_name(&c->name, answer);
    sb_puts(answer, "\"");
    sb_member_text(answer, "task_sha256", sha256);
    sb_member_uint(answer, "attempt", c->attempt);
    sb_member_text(answer, "certificate", c->name.kind == SB_AUTUMN_PLANNING ? "plan" : certificates[c->proof]);
    sb_member_uint(answer, "states", c->largest);
    if (c->name.kind == SB_AUTUMN_MFP) put_answer_of_prediction(answer, c);
    if (c->name.kind == SB_AUTUMN_PLANNING) put_plan(answer, c);
    if (c->name.kind == SB_AUTUMN_CHANGE) put_change(answer, c);
    sb_puts(answer, "}\n");
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reading {
    sb_autumn_challenge *c;
    sb_error *error;
} reading;

static bool wrong(reading *r, const char *what) { return sb_fail(r->error, SB_INVALID, "%s", what); }

static bool number(reading *r, const cJSON *of, const char *key, uint64_t least, uint64_t most, uint32_t *value) {
    uint64_t n;
    if (!sb_json_uint(of, key, &n, r->error)) return false;
    if (n < least || n > most)
        return sb_fail(r->error, SB_INVALID, "key `%s` should be from %llu to %llu", key, (unsigned long long)least,
                       (unsigned long long)most);
    *value = (uint32_t)n;
    return true;
}

static bool read_action(const char *text, uint32_t size, sb_autumn_event *event) {
    unsigned x, y;
    int end = 0;
    *event = (sb_autumn_event){0};
    if (sb_autumn_key_find(text, strlen(text), &event->key)) return true;
    if (strlen(text) > 20 || sscanf(text, "click %3u %3u%n", &x, &y, &end) != 2 || text[end] || x >= size || y >= size)
        return false;
    *event = (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = (int32_t)x, .y = (int32_t)y};
    return true;
}

static bool read_actions(reading *r, const cJSON *of, const char *key) {
    const cJSON *list, *item;
    if (!sb_json_array(of, key, &list, r->error)) return false;
    const int n = cJSON_GetArraySize(list);
    if (n < 1 || n > ACTIONS_MAX)
        return sb_fail(r->error, SB_INVALID, "key `%s` should hold 1 to %d actions", key, ACTIONS_MAX);
    r->c->actions = calloc((size_t)n, sizeof *r->c->actions);
    if (!r->c->actions) return sb_fail(r->error, SB_MEMORY, "out of memory for a challenge");
    cJSON_ArrayForEach(item, list) {
        sb_autumn_event *action = &r->c->actions[r->c->n_actions++];
        if (!cJSON_IsString(item) || !read_action(item->valuestring, r->c->size, action))
            return sb_fail(r->error, SB_INVALID, "key `%s` has something that is no action", key);
    }
    return true;
}

/* Reads n cells; those that are hidden stay as they are, and are only allowed where the mask is `hidden`. */
static bool read_cells(reading *r, const char *text, size_t n, const uint8_t *mask, bool hidden, uint8_t *cells) {
    if (strlen(text) != n) return wrong(r, "a frame or an option has the wrong number of cells");
    for (size_t i = 0; i < n; i++) {
        const bool is_hidden = mask && mask[i] == hidden;
        const char *const sign = strchr(sb_autumn_signs, text[i]);
        if (is_hidden != (text[i] == HIDDEN) ||
            (!is_hidden && (!sign || (size_t)(sign - sb_autumn_signs) >= r->c->n_colours)))
            return wrong(r, "a cell has an unknown sign, or is hidden or shown where it should not be");
        if (!is_hidden) cells[i] = (uint8_t)(sign - sb_autumn_signs);
    }
    return true;
}

/* Reads a list of `count` texts of n cells each; those from `masked` on are masked. */
static bool read_frames(reading *r, const cJSON *of, const char *key, size_t n, uint32_t count, uint32_t masked,
                        uint8_t *to) {
    const cJSON *list, *item;
    uint32_t i = 0;
    if (!sb_json_array(of, key, &list, r->error)) return false;
    if (cJSON_GetArraySize(list) != (int)count)
        return sb_fail(r->error, SB_INVALID, "key `%s` should hold %u texts", key, count);
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item)) return sb_fail(r->error, SB_INVALID, "key `%s` should hold texts", key);
        if (!read_cells(r, item->valuestring, n, i >= masked ? r->c->mask : NULL, true, to + i * n)) return false;
        i++;
    }
    return true;
}

static bool read_mask(reading *r, const cJSON *of) {
    sb_autumn_challenge *c = r->c;
    const size_t n = (size_t)c->size * c->size;
    const char *text;
    if (!sb_json_string(of, "mask", &text, r->error)) return false;
    if (strlen(text) != n || strspn(text, "01") != n) return wrong(r, "key `mask` should have 0 or 1 for each cell");
    if (!(c->mask = malloc(n))) return sb_fail(r->error, SB_MEMORY, "out of memory for a challenge");
    for (size_t i = 0; i < n; i++) c->n_mask += c->mask[i] = text[i] == '1';
    return c->n_mask || wrong(r, "key `mask` marks no cell");
}

static bool read_colours(reading *r, const cJSON *of) {
    const cJSON *list, *item;
    sb_autumn_challenge *c = r->c;
    if (!sb_json_array(of, "colours", &list, r->error)) return false;
    const int n = cJSON_GetArraySize(list);
    if ((size_t)n >= sizeof sb_autumn_signs) return wrong(r, "key `colours` has too many");
    if (!(c->colours = calloc((size_t)n + 1, sizeof *c->colours)))
        return sb_fail(r->error, SB_MEMORY, "out of memory for a challenge");
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item)) return wrong(r, "key `colours` should hold texts");
        if (!sb_autumn_string_fits(item->valuestring, strlen(item->valuestring)))
            return wrong(r, "a colour is longer than the texts of programs may be");
        if (!(c->colours[c->n_colours++] = strdup(item->valuestring)))
            return sb_fail(r->error, SB_MEMORY, "out of memory for a challenge");
    }
    return true;
}

static bool read_name(reading *r, const cJSON *of, const char *key) {
    sb_autumn_challenge *c = r->c;
    size_t kind;
    const char *text;
    char name[200];
    sb_out out = sb_out_fixed(name, sizeof name);
    if (!sb_json_text(of, "env", c->name.program, sizeof c->name.program, r->error) ||
        !sb_json_word(of, "kind", sb_autumn_challenge_names, SB_AUTUMN_N_CHALLENGES, &kind, r->error) ||
        !number(r, of, "level", 1, SB_AUTUMN_LEVELS, &c->name.level) ||
        !sb_json_uint(of, "seed", &c->name.seed, r->error) || !sb_json_string(of, key, &text, r->error))
        return false;
    c->name.kind = (sb_autumn_challenge_kind)kind;
    sb_autumn_challenge_put_name(&c->name, &out);
    sb_out_finish(&out);
    return strcmp(text, name) == 0 || wrong(r, "the name and its parts differ");
}

static bool read_prediction(reading *r, const cJSON *task) {
    sb_autumn_challenge *c = r->c;
    const size_t n = (size_t)c->size * c->size;
    if (!read_actions(r, task, "actions") || !read_mask(r, task) ||
        !number(r, task, "masked", 1, c->n_actions, &c->masked))
        return false;
    c->frames = calloc(c->n_actions + 1, n), c->options = calloc(SB_AUTUMN_CHOICES, c->n_mask);
    if (!c->frames || !c->options) return sb_fail(r->error, SB_MEMORY, "out of memory for a challenge");
    return read_frames(r, task, "frames", n, c->n_actions + 1, c->n_actions + 1 - c->masked, c->frames) &&
           read_frames(r, task, "options", c->n_mask, SB_AUTUMN_CHOICES, SB_AUTUMN_CHOICES, c->options);
}

static bool read_goal(reading *r, const cJSON *task) {
    sb_autumn_challenge *c = r->c;
    const size_t n = (size_t)c->size * c->size;
    const char *text;
    if (!read_mask(r, task) || !sb_json_string(task, "goal", &text, r->error) ||
        !number(r, task, "horizon", 1, ACTIONS_MAX, &c->horizon))
        return false;
    if (!(c->frames = calloc(1, n))) return sb_fail(r->error, SB_MEMORY, "out of memory for a challenge");
    return read_cells(r, text, n, c->mask, false, c->frames);
}

static bool read_task(reading *r, const cJSON *task) {
    const char *generator;
    static const char *const known[][14] = {
        {"challenge", "env", "kind", "level", "seed", "generator", "program_sha256", "size", "colours", "actions",
         "masked", "mask", "frames", "options"},
        {"challenge", "env", "kind", "level", "seed", "generator", "program_sha256", "size", "colours", "mask", "goal",
         "horizon"},
        {"challenge", "env", "kind", "level", "seed", "generator", "program_sha256", "size", "colours"}};
    const char *keys[15] = {NULL};
    if (!read_name(r, task, "challenge") || !sb_json_string(task, "generator", &generator, r->error) ||
        !sb_json_sha256(task, "program_sha256", r->c->sha256, r->error) ||
        !number(r, task, "size", 3, 64, &r->c->size) || !read_colours(r, task))
        return false;
    memcpy(keys, known[r->c->name.kind], sizeof known[0]);
    if (!sb_json_known_keys(task, keys, r->error)) return false;
    if (strcmp(generator, "pcg64") != 0) return wrong(r, "key `generator` should be `pcg64`");
    if (r->c->name.kind == SB_AUTUMN_MFP) return read_prediction(r, task);
    return r->c->name.kind != SB_AUTUMN_PLANNING || read_goal(r, task);
}

static bool read_odds(reading *r, const cJSON *of) {
    const cJSON *odds;
    sb_autumn_odds *o = &r->c->odds;
    static const char *const known[] = {"episodes", "successes", "tried", "within", "steps", NULL};
    return sb_json_object(of, "random", &odds, r->error) && sb_json_known_keys(odds, known, r->error) &&
           number(r, odds, "episodes", 1, ACTIONS_MAX, &o->episodes) &&
           number(r, odds, "successes", 0, o->episodes, &o->successes) &&
           (!cJSON_HasObjectItem(odds, "tried") || number(r, odds, "tried", 1, ACTIONS_MAX, &o->tried)) &&
           number(r, odds, "within", 0, o->tried ? o->tried : o->successes, &o->within) &&
           sb_json_double(odds, "steps", &o->steps, r->error);
}

static bool read_answer_of_prediction(reading *r, const cJSON *answer) {
    sb_autumn_challenge *c = r->c;
    const cJSON *causes, *item;
    uint32_t k = 0;
    const size_t n = (size_t)c->size * c->size;
    if (!number(r, answer, "correct", 0, SB_AUTUMN_CHOICES - 1, &c->answer) ||
        !number(r, answer, "firings", 0, UINT32_MAX, &c->firings) ||
        !number(r, answer, "latents", 0, UINT32_MAX, &c->latents) ||
        !number(r, answer, "closest", 0, UINT32_MAX, &c->closest) ||
        !sb_json_array(answer, "causes", &causes, r->error))
        return false;
    if (cJSON_GetArraySize(causes) != SB_AUTUMN_CHOICES) return wrong(r, "key `causes` should hold six words");
    cJSON_ArrayForEach(item, causes) {
        size_t cause;
        if (!cJSON_IsString(item) ||
            !sb_find_word(sb_autumn_cause_names, SB_AUTUMN_N_CAUSES, item->valuestring, &cause))
            return wrong(r, "key `causes` has an unknown word");
        c->causes[k++] = (uint8_t)cause;
    }
    return read_frames(r, answer, "hidden", n, c->masked, c->masked, c->frames + (c->n_actions + 1 - c->masked) * n);
}

static bool read_edit(reading *r, const cJSON *item) {
    static const char *const known[] = {"at", "old", "new", NULL};
    sb_autumn_edit *const edit = &r->c->edits[r->c->n_edits];
    const char *before, *after;
    uint64_t at;
    if (!cJSON_IsObject(item) || !sb_json_known_keys(item, known, r->error) ||
        !sb_json_uint(item, "at", &at, r->error) || !sb_json_string(item, "old", &before, r->error) ||
        !sb_json_string(item, "new", &after, r->error))
        return cJSON_IsObject(item) ? false : wrong(r, "key `edits` should hold objects");
    *edit = (sb_autumn_edit){.at = (size_t)at, .n = strlen(before), .before = strdup(before), .after = strdup(after)};
    r->c->n_edits++;
    return (edit->before && edit->after) || sb_fail(r->error, SB_MEMORY, "out of memory for a challenge");
}

static bool read_change(reading *r, const cJSON *answer) {
    static const char *const known[] = {"after", "number", "times", "cells", NULL};
    sb_autumn_challenge *c = r->c;
    const cJSON *edits, *item, *guard;
    size_t kind, guard_kind;
    if (!sb_json_word(answer, "mutation", sb_autumn_mutation_names, SB_AUTUMN_N_MUTATIONS, &kind, r->error) ||
        !sb_json_array(answer, "edits", &edits, r->error) || !sb_json_object(answer, "guard", &guard, r->error) ||
        !sb_json_known_keys(guard, known, r->error) ||
        !sb_json_word(guard, "after", sb_autumn_guard_names, SB_AUTUMN_N_GUARDS, &guard_kind, r->error) ||
        !number(r, guard, "number", 0, UINT16_MAX, &c->guard.number) ||
        !number(r, guard, "times", 1, ACTIONS_MAX, &c->guard.times) ||
        (cJSON_HasObjectItem(guard, "cells") && !number(r, guard, "cells", 1, UINT8_MAX, &c->guard.cells)) ||
        !number(r, answer, "cells", 1, UINT32_MAX, &c->cells))
        return false;
    c->guard.kind = (sb_autumn_guard_kind)guard_kind;
    snprintf(c->mutation, sizeof c->mutation, "%s", sb_autumn_mutation_names[kind]);
    const int n = cJSON_GetArraySize(edits);
    if (n < 1 || n > SB_AUTUMN_EDITS) return wrong(r, "key `edits` should hold one or two");
    cJSON_ArrayForEach(item, edits) if (!read_edit(r, item)) return false;
    return read_actions(r, answer, "example") && read_odds(r, answer);
}

static bool read_answer(reading *r, const cJSON *answer) {
    static const char *const letters[] = {"D", "E", "T"}, *const plan[] = {"plan"};
    static const char *const known[][12] = {
        {"answer", "task_sha256", "attempt", "certificate", "states", "correct", "causes", "hidden", "firings",
         "latents", "closest"},
        {"answer", "task_sha256", "attempt", "certificate", "states", "plan", "alive", "random"},
        {"answer", "task_sha256", "attempt", "certificate", "states", "mutation", "edits", "guard", "example", "cells",
         "random"}};
    sb_autumn_challenge *c = r->c;
    const bool plans = c->name.kind == SB_AUTUMN_PLANNING;
    size_t proof;
    if (!sb_json_known_keys(answer, known[c->name.kind], r->error) ||
        !number(r, answer, "attempt", 0, SB_AUTUMN_ATTEMPTS - 1, &c->attempt) ||
        !number(r, answer, "states", 0, UINT32_MAX, &c->largest) ||
        !sb_json_word(answer, "certificate", plans ? plan : letters, plans ? 1 : 3, &proof, r->error))
        return false;
    c->proof = (sb_autumn_proof)proof;
    if (c->name.kind == SB_AUTUMN_MFP) return read_answer_of_prediction(r, answer);
    if (c->name.kind == SB_AUTUMN_CHANGE) return read_change(r, answer);
    return read_actions(r, answer, "plan") && number(r, answer, "alive", 0, 10, &c->alive) && read_odds(r, answer);
}

/* Whether the answer is of this task. */
static bool belong_together(reading *r, const char *task, size_t n, const cJSON *answer) {
    char name[200], sha256[SB_SHA256_HEX], found[SB_SHA256_HEX];
    const char *text;
    sb_out out = sb_out_fixed(name, sizeof name);
    sb_autumn_challenge_put_name(&r->c->name, &out);
    sb_out_finish(&out);
    if (!sb_json_string(answer, "answer", &text, r->error) || !sb_json_sha256(answer, "task_sha256", found, r->error))
        return false;
    if (strcmp(text, name) != 0) return sb_fail(r->error, SB_MISMATCH, "the answer is of another challenge");
    sb_sha256_hex(task, n, sha256);
    if (strcmp(found, sha256) == 0) return true;
    return sb_fail(r->error, SB_MISMATCH, "the task was altered: its SHA-256 is another");
}

bool sb_autumn_challenge_parse(const char *task, size_t n_task, const char *answer, size_t n_answer,
                               sb_autumn_challenge *c, sb_error *error) {
    reading r = {.c = c, .error = error};
    *c = (sb_autumn_challenge){0};
    cJSON *const asked = sb_json_parse(task, n_task, error);
    cJSON *const given = asked ? sb_json_parse(answer, n_answer, error) : NULL;
    bool ok = given && cJSON_IsObject(asked) && cJSON_IsObject(given);
    if (given && !ok) wrong(&r, "a challenge is an object");
    ok = ok && read_task(&r, asked) && belong_together(&r, task, n_task, given) && read_answer(&r, given);
    cJSON_Delete(asked), cJSON_Delete(given);
    return ok;
}
