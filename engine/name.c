/* Names of episodes: `[family:]task[/difficulty]#seed`. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/out.h"
#include "base/word.h"
#include "engine/environment.h"
#include "engine/lookup.h"

/* Copies a part of a name; false if it does not fit. */
static bool take_part(const char *from, const char *to, char *part, size_t capacity) {
    const size_t n = (size_t)(to - from);
    if (n >= capacity) return false;
    memcpy(part, from, n);
    part[n] = '\0';
    return true;
}

static bool too_long(const char *text, sb_error *error) {
    return sb_fail(error, SB_INVALID, "`%.80s` is not an episode name: a part of it is too long", text);
}

static void spell(const sb_resolved *of, sb_name *name) {
    snprintf(name->family, sizeof name->family, "%s", of->family->name);
    snprintf(name->task, sizeof name->task, "%s", of->task->name);
    snprintf(name->difficulty, sizeof name->difficulty, "%s", sb_difficulty_name(of->family, of->task, of->difficulty));
}

/* Finds the task, whose index is known, and its difficulty. */
static bool find_difficulty(const sb_catalogue *catalogue, const char *name, sb_resolved *of, sb_error *error) {
    of->task = sb_task_at(catalogue, of->family, of->task_index);
    return sb_difficulty_find(of->family, of->task, name, &of->difficulty, error);
}

bool sb_resolve_text(const sb_catalogue *catalogue, const char *text, sb_name *name, sb_resolved *of, sb_error *error) {
    const char *hash = strrchr(text, '#');
    *name = (sb_name){0};
    if (!hash || !sb_parse_uint(hash + 1, &name->seed))
        return sb_fail(error, SB_INVALID,
                       "`%.60s` is not an episode name: expected task/difficulty#seed, with a seed from 0 to 2^64-1",
                       text);
    char task[sizeof name->family + 44]; /* includes the family; published ids are longer than names */
    const char *slash = sb_last_slash(text, (size_t)(hash - text)); /* names of tasks may have a slash, too */
    if (!take_part(text, slash ? slash : hash, task, sizeof task) ||
        (slash && !take_part(slash + 1, hash, name->difficulty, sizeof name->difficulty)))
        return too_long(text, error);

    if (!sb_task_resolve(catalogue, task, &of->family, &of->task_index, error) ||
        !find_difficulty(catalogue, name->difficulty, of, error))
        return sb_fail_at(error, "`%.60s`", text);
    spell(of, name);
    return true;
}

bool sb_name_parse(const sb_catalogue *catalogue, const char *text, sb_name *name, sb_error *error) {
    sb_resolved of;
    return sb_resolve_text(catalogue, text, name, &of, error);
}

bool sb_resolve(const sb_catalogue *catalogue, const sb_name *name, sb_resolved *of, sb_error *error) {
    of->family = sb_family_find(name->family, error);
    if (!of->family || !sb_task_find(catalogue, of->family, name->task, &of->task_index, error) ||
        !find_difficulty(catalogue, name->difficulty, of, error))
        return false;
    return true;
}

size_t sb_name_print(const sb_name *name, char *text, size_t capacity) {
    sb_out out = sb_out_fixed(text, capacity);
    if (strcmp(name->family, sb_families[0]->name) != 0) {
        sb_puts(&out, name->family);
        sb_putc(&out, ':');
    }
    sb_puts(&out, name->task);
    if (name->difficulty[0]) {
        sb_putc(&out, '/');
        sb_puts(&out, name->difficulty);
    }
    sb_putc(&out, '#');
    sb_put_uint(&out, name->seed);
    return sb_out_finish(&out);
}

sb_pair_text sb_pair_text_of(const char *task, const char *difficulty) {
    sb_pair_text pair;
    snprintf(pair.text, sizeof pair.text, "%s%s%s", task, *difficulty ? "/" : "", difficulty);
    return pair;
}

int sb_compare_names(const sb_name *a, const sb_name *b) {
    int order = strcmp(a->family, b->family);
    if (order == 0) order = strcmp(a->task, b->task);
    if (order == 0) order = strcmp(a->difficulty, b->difficulty);
    return order ? order : (a->seed > b->seed) - (a->seed < b->seed);
}

bool sb_same_pair(const sb_name *a, const sb_name *b) {
    return strcmp(a->task, b->task) == 0 && strcmp(a->difficulty, b->difficulty) == 0 &&
           strcmp(a->family, b->family) == 0;
}

bool sb_name_shape(const sb_catalogue *catalogue, const sb_name *name, sb_shape *shape, sb_error *error) {
    sb_resolved of;
    if (!sb_resolve(catalogue, name, &of, error)) return false;
    *shape = (sb_shape){0};
    of.family->shape(of.task, of.difficulty, shape);
    return true;
}

bool sb_name_extent(const sb_catalogue *catalogue, const sb_name *name, const sb_array *array,
                    int32_t extent[SB_ARRAY_RANK], sb_error *error) {
    sb_resolved of;
    sb_shape shape = {0};
    if (!sb_resolve(catalogue, name, &of, error)) return false;
    if (!sb_has_array(of.family, array))
        return sb_fail(error, SB_INVALID, "array %s does not belong to family %s", array->name, of.family->name);
    of.family->shape(of.task, of.difficulty, &shape);
    sb_extent_of(array, of.family, of.task, of.difficulty, &shape, extent);
    return true;
}
