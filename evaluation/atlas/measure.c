#include "evaluation/atlas/measure.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/lookup.h"

const sb_atlas_measure_info sb_atlas_measures[SB_N_MEASURES] = {
    [SB_MEASURE_STEPS] = {"steps", "steps", "the shortest play that is known: of an oracle, or of the search below"},
    [SB_MEASURE_PROVEN] = {"proven", "steps",
                           "no play that wins is shorter: the oracle's claim, the search, or the task's lower bound"},
    [SB_MEASURE_RANDOM] = {"random", "0 to 1", "share of 256 random plays that win"},
    [SB_MEASURE_RANDOM_LOW] = {"random_low", "0 to 1", "lower end of Wilson's interval of 95 % for `random`"},
    [SB_MEASURE_RANDOM_HIGH] = {"random_high", "0 to 1", "upper end of that interval"},
    [SB_MEASURE_GREEDY] = {"greedy", "0 or 1",
                           "whether a bot wins that walks to the nearest goal, and at random where no way leads there"},
    [SB_MEASURE_SEARCH] =
        {"search", "states",
         "what a breadth-first search by the rules alone sees until it wins; 10,000: it was cut there"},
    [SB_MEASURE_BRANCH] = {"branch", "states", "what one action can lead to, mean over 40 states of the best play"},
    [SB_MEASURE_CHOICE] = {"choice", "0 to 1", "share of these states in which one action alone is best, by costs"},
    [SB_MEASURE_TRAPS] = {"traps", "0 to 1",
                          "share of 16 states after 1 to 30 random steps from which nobody wins in time; with "
                          "`traps_proven`, proofs and plays say so, else the expert's failure"},
    [SB_MEASURE_HIDDEN] = {"hidden", "ratio", "steps of the observer over `steps`"},
    [SB_MEASURE_LUCK] = {"luck", "steps",
                         "standard deviation of the expert's steps in 8 other futures; 0 where no step draws"},
    [SB_MEASURE_BACKTRACK] = {"backtrack", "0 to 1",
                              "share of steps of the best play that lead away from what the expert goes for"},
    [SB_MEASURE_SIZE] = {"size", "cells", "of the grid"},
    [SB_MEASURE_KINDS] = {"kinds", "kinds", "of things on the grid at the start"},
};

const char *const sb_lack_words[SB_N_LACKS] = {
    [SB_LACKS_QUESTION] = "it was not asked for",
    [SB_LACKS_AIM] = "nothing is won in this task",
    [SB_LACKS_CHANCE] = "no play wins: proven",
    [SB_LACKS_PLAY] = "no play that wins is known",
    [SB_LACKS_PROOF] = "nothing is proven",
    [SB_LACKS_GOAL] = "no goal stands on a grid",
    [SB_LACKS_COSTS] = "the costs of actions are estimates, or unknown",
    [SB_LACKS_OBSERVER] = "the task has no observer",
    [SB_LACKS_OBSERVED_PLAY] = "the observer does not win",
    [SB_LACKS_FUTURES] = "the expert wins in fewer than two other futures",
    [SB_LACKS_AGENT] = "no agent walks on a grid",
    [SB_LACKS_GRID] = "there is no grid",
    [SB_LACKS_SEARCH] = "trying all actions would take hours: of a challenge, or of more than 64 at the start",
};

int sb_atlas_measure_find(const char *name, size_t n) {
    for (int i = 0; i < SB_N_MEASURES; i++)
        if (strlen(sb_atlas_measures[i].name) == n && memcmp(sb_atlas_measures[i].name, name, n) == 0) return i;
    return -1;
}

/* ---- Rows as text ------------------------------------------------------------------------------------------------ */

static void put_missing(const sb_atlas_row *row, sb_out *out) {
    sb_put_key(out, "missing");
    sb_puts(out, "{");
    for (int i = 0; i < SB_N_MEASURES; i++)
        if (isnan(row->values[i])) sb_member_text(out, sb_atlas_measures[i].name, sb_lack_words[row->missing[i]]);
    sb_puts(out, "}");
}

void sb_atlas_row_print(const sb_atlas_row *row, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_name_print(&row->name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_text(out, "episode", name);
    for (int i = 0; i < SB_N_MEASURES; i++) {
        if (!isnan(row->values[i])) {
            sb_member_double(out, sb_atlas_measures[i].name, row->values[i]);
        } else {
            sb_put_key(out, sb_atlas_measures[i].name);
            sb_puts(out, "null");
        }
    }
    sb_member_bool(out, "traps_proven", row->traps_proven);
    put_missing(row, out);
    sb_puts(out, "}\n");
}

static bool read_why(const cJSON *missing, int i, sb_atlas_row *row, sb_error *error) {
    const char *why;
    if (!sb_json_string(missing, sb_atlas_measures[i].name, &why, error)) return sb_fail_at(error, "key `missing`");
    for (int k = SB_LACKS_NOTHING + 1; k < SB_N_LACKS; k++)
        if (strcmp(why, sb_lack_words[k]) == 0) return row->missing[i] = (sb_lack)k, true;
    return sb_fail(error, SB_INVALID, "key `missing`: `%.60s` is no reason why there is no `%s`", why,
                   sb_atlas_measures[i].name);
}

static bool read_value(const cJSON *object, const cJSON *missing, int i, sb_atlas_row *row, sb_error *error) {
    const char *key = sb_atlas_measures[i].name;
    row->values[i] = NAN, row->missing[i] = SB_LACKS_NOTHING;
    if (cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, key))) return read_why(missing, i, row, error);
    if (cJSON_HasObjectItem(missing, key)) return sb_fail(error, SB_INVALID, "key `missing`: `%s` has a value", key);
    return sb_json_double(object, key, &row->values[i], error);
}

static bool read_row(const sb_catalogue *catalogue, const cJSON *object, sb_atlas_row *row, sb_error *error) {
    const char *keys[SB_N_MEASURES + 4] = {"episode", "traps_proven", "missing"};
    const char *measures[SB_N_MEASURES + 1] = {NULL}, *name;
    const cJSON *missing;
    sb_resolved of;
    for (int i = 0; i < SB_N_MEASURES; i++) keys[3 + i] = measures[i] = sb_atlas_measures[i].name;
    if (!sb_json_known_keys(object, keys, error) || !sb_json_string(object, "episode", &name, error) ||
        !sb_resolve_text(catalogue, name, &row->name, &of, error) ||
        !sb_json_bool(object, "traps_proven", &row->traps_proven, error) ||
        !sb_json_object(object, "missing", &missing, error) || !sb_json_known_keys(missing, measures, error))
        return false;
    for (int i = 0; i < SB_N_MEASURES; i++)
        if (!read_value(object, missing, i, row, error)) return sb_fail_at(error, "%.80s", name);
    return true;
}

bool sb_atlas_row_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_atlas_row *row, sb_error *error) {
    cJSON *object = sb_json_parse(line, n, error);
    const bool ok = object && read_row(catalogue, object, row, error);
    cJSON_Delete(object);
    return ok;
}
