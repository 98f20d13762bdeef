/* Says what a recipe leaves unsaid (datasets/recipe.h). */
#include <string.h>

#include "base/error.h"
#include "datasets/recipe.h"
#include "rollout/recorded.h"

/* Whether everybody who acts plays now, and to succeed. */
static bool is_played_to_succeed(const sb_recipe *recipe, bool *yes, sb_error *error) {
    sb_cast cast;
    if (!sb_cast_make(&cast, &recipe->casting, error)) return false;
    sb_cast_default(&cast, sb_recipe_teacher(recipe));
    *yes = !cast.recorded && !cast.command;
    for (size_t i = 0; *yes && i < cast.n; i++) *yes = sb_aims_at_success(cast.of[i].agent);
    return true;
}

static bool is_to_imitate(const char *format, size_t n) {
    for (const sb_exporter *const *exporter = sb_exporters; *exporter; exporter++)
        if (strlen((*exporter)->name) == n && memcmp((*exporter)->name, format, n) == 0)
            return !(*exporter)->keeps_failures;
    return true; /* an unknown format is an error later */
}

static bool has_rows_to_imitate(const sb_recipe *recipe) {
    const cJSON *item;
    cJSON_ArrayForEach(item, recipe->formats) {
        const char *name = cJSON_GetStringValue(
            cJSON_IsString(item) ? item : cJSON_GetObjectItemCaseSensitive(item, "format"));
        if (name && is_to_imitate(name, strlen(name))) return true;
    }
    for (const char *at = recipe->formats ? NULL : recipe->format; at;) {
        const char *comma = strchr(at, ',');
        if (is_to_imitate(at, comma ? (size_t)(comma - at) : strlen(at))) return true;
        at = comma ? comma + 1 : NULL;
    }
    return false;
}

bool sb_recipe_settle(sb_recipe *recipe, sb_error *error) {
    bool drops = false;
    sb_recipe_find_programs(recipe);
    if (!recipe->defaults) recipe->defaults = SB_DEFAULTS;
    if (recipe->defaults == 1 || recipe->filter.failures != SB_KEEPING_UNSAID) return true;
    if (!is_played_to_succeed(recipe, &drops, error)) return false;
    drops = drops && !recipe->filter.has_success && has_rows_to_imitate(recipe);
    recipe->filter.failures = drops ? SB_KEEPING_DROPPED : SB_KEEPING_KEPT;
    return true;
}

/* Whether the line of a tape says of an episode that an answer was unreadable. */
static bool is_unreadable(const sb_catalogue *catalogue, const sb_out *line, sb_tape *tape) {
    sb_error ignored;
    return strstr(line->data, sb_answer_marks[SB_ANSWER_UNREADABLE]) &&
           sb_tape_parse(catalogue, line->data, line->size, tape, &ignored) && sb_said_is_unreadable(&tape->said);
}

/* What is wrong with the file is found again by whoever makes the schedule. */
static bool has_unreadable(const sb_catalogue *catalogue, const char *path) {
    sb_recorded tapes;
    sb_tape tape = {0};
    sb_error ignored;
    bool found = false;
    if (sb_recorded_open(&tapes, catalogue, path, &ignored))
        while (!found && sb_recorded_next(&tapes, &ignored)) found = is_unreadable(catalogue, tapes.line, &tape);
    sb_recorded_close(&tapes);
    sb_tape_clear(&tape);
    return found;
}

void sb_recipe_settle_unreadable(sb_recipe *recipe, const char *const *tapes, size_t n) {
    const char *const named = sb_casting_tapes(&recipe->casting);
    bool found = false;
    if (recipe->filter.unreadable || recipe->casting.labels) return;
    for (size_t i = 0; !found && i < n; i++) found = has_unreadable(recipe->selection.catalogue, tapes[i]);
    if (!n && named && *named) found = has_unreadable(recipe->selection.catalogue, named);
    if (found) recipe->filter.unreadable = SB_KEEPING_DROPPED;
}
