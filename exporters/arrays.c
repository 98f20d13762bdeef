#include "exporters/arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "exporters/columns.h"
#include "rollout/selection.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fields are written as they lie in memory");

/* ---- Choosing the fields ---- */

/* The smallest and largest shapes over the tasks and difficulties of all episodes. */
typedef struct survey {
    int32_t least[SB_SEEN_MAX][SB_ARRAY_RANK], most[SB_SEEN_MAX][SB_ARRAY_RANK];
    int32_t n_actions, n_entries; /* the largest number of actions, and of entries of a mask */
} survey;

static void look_at_array(survey *s, size_t array, const int32_t extent[SB_ARRAY_RANK], bool first) {
    for (int i = 0; i < SB_ARRAY_RANK; i++) {
        if (first || extent[i] < s->least[array][i]) s->least[array][i] = extent[i];
        if (extent[i] > s->most[array][i]) s->most[array][i] = extent[i];
    }
}

static bool look_at(survey *s, const sb_fields *fields, const sb_export *export, const sb_name *name, bool first,
                    sb_error *error) {
    sb_shape shape;
    int32_t extent[SB_ARRAY_RANK];
    const sb_catalogue *catalogue = export->episodes.catalogue;
    if (!sb_name_shape(catalogue, name, &shape, error)) return false;
    for (size_t a = 0; a < fields->n_arrays; a++) {
        if (!sb_name_extent(catalogue, name, fields->arrays[a], extent, error)) return false;
        look_at_array(s, a, extent, first);
    }
    if (sb_n_actions(&shape) > s->n_actions) s->n_actions = sb_n_actions(&shape);
    if ((int32_t)sb_mask_size(&shape) > s->n_entries) s->n_entries = (int32_t)sb_mask_size(&shape);
    return true;
}

/* Finds the smallest and largest shapes. It is enough to look at the first episode of each task and difficulty. */
static bool take_survey(survey *s, const sb_fields *fields, const sb_export *export, sb_error *error) {
    const sb_selection *episodes = &export->episodes;
    sb_seen_pairs seen = {0};
    for (size_t i = 0; i < episodes->n; i++) {
        sb_name name;
        if (!sb_is_new_pair(&seen, &episodes->episodes[i])) continue;
        if (!look_at(s, fields, export, sb_selection_name(episodes, i, &name), i == 0, error)) return false;
    }
    return true;
}

static sb_field *add(sb_fields *fields, sb_array_source source, const char *prefix, const char *name,
                     const char *suffix) {
    sb_field *field = &fields->of[fields->n++];
    *field = (sb_field){.source = source, .by_step = source == SB_FIELD_SEEN};
    snprintf(field->name, sizeof field->name, "%s%s%s", prefix, name, suffix);
    return field;
}

static void add_array(sb_fields *fields, const survey *s, const sb_array *array, size_t index, sb_array_source source) {
    sb_field *field = add(fields, source, source == SB_FIELD_FINAL ? "final_" : "", array->name,
                          source == SB_FIELD_MASK ? "_mask" : "");
    field->array = index;
    field->type = source == SB_FIELD_MASK ? SB_BOOL : array->type;
    field->rank = array->rank;
    field->by_step &= !array->constant;
    memcpy(field->shape, s->most[index], sizeof field->shape);
}

static void add_arrays(sb_fields *fields, const survey *s) {
    for (size_t a = 0; a < fields->n_arrays; a++) {
        const sb_array *array = fields->arrays[a];
        add_array(fields, s, array, a, SB_FIELD_SEEN);
        if (!array->constant) add_array(fields, s, array, a, SB_FIELD_FINAL);
        if (!array->brush && memcmp(s->least[a], s->most[a], sizeof s->most[a]) != 0)
            add_array(fields, s, array, a, SB_FIELD_MASK);
    }
}

/* Whether the dataset has the field; all datasets have most fields. */
static bool has_field(const sb_export *export, sb_array_source source) {
    switch (source) {
    case SB_FIELD_EFFECTIVE: return !export->published_mask;
    case SB_FIELD_VALID: return export->published_mask;
    case SB_FIELD_LABEL: return export->labels;
    case SB_FIELD_SCORE:
    case SB_FIELD_LEVEL:
    case SB_FIELD_N_LEVELS: return export->scores;
    case SB_FIELD_FAULT: return export->faults;
    default: return true;
    }
}

static bool is_mask(sb_array_source source) { return source == SB_FIELD_EFFECTIVE || source == SB_FIELD_VALID; }

static void add_others(sb_fields *fields, const sb_export *export) {
    static const struct {
        sb_array_source source;
        const char *name;
        sb_scalar type;
        bool by_step;
    } others[] = {{SB_FIELD_EFFECTIVE, "action_mask", SB_BOOL, true},
                  {SB_FIELD_VALID, "valid_actions", SB_BOOL, true},
                  {SB_FIELD_ACTION, "actions", SB_INT32, true},
                  {SB_FIELD_LABEL, "labels", SB_INT32, true},
                  {SB_FIELD_REWARD, "rewards", SB_DOUBLE, true},
                  {SB_FIELD_TERMINATION, "terminations", SB_BOOL, true},
                  {SB_FIELD_TRUNCATION, "truncations", SB_BOOL, true},
                  {SB_FIELD_ID, "episode_ids", SB_INT64, false},
                  {SB_FIELD_NAME, "names", SB_CHAR, false},
                  {SB_FIELD_SEED, "seeds", SB_UINT64, false},
                  {SB_FIELD_SUCCESS, "successes", SB_BOOL, false},
                  {SB_FIELD_SCORE, "scores", SB_DOUBLE, false},
                  {SB_FIELD_LEVEL, "levels", SB_INT32, false},
                  {SB_FIELD_N_LEVELS, "n_levels", SB_INT32, false},
                  {SB_FIELD_FAULT, "faults", SB_BOOL, false}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (!has_field(export, others[i].source)) continue;
        sb_field *field = add(fields, others[i].source, "", others[i].name, "");
        field->type = others[i].type, field->by_step = others[i].by_step;
        if (is_mask(others[i].source)) field->rank = 1, field->shape[0] = fields->n_entries;
        if (others[i].source == SB_FIELD_NAME) field->rank = 1, field->shape[0] = SB_NAME_MAX;
    }
}

static void measure(sb_fields *fields) {
    for (size_t i = 0; i < fields->n; i++) {
        sb_field *field = &fields->of[i];
        field->bytes = sb_numbers_size(field->type, field->rank, field->shape);
        if (field->bytes > fields->most_bytes) fields->most_bytes = field->bytes;
    }
}

static bool list_arrays(sb_fields *fields, sb_export *export, const cJSON *options, sb_pixels_use use,
                        sb_error *error) {
    const sb_family *family = export->family;
    const sb_array *array;
    while ((array = sb_array_at(family, fields->n_arrays))) fields->arrays[fields->n_arrays++] = array;
    if (!sb_pixels_read(export, options, use, &fields->brush, error)) return false;
    if (fields->brush) fields->arrays[fields->n_arrays++] = sb_brush_array(fields->brush);
    return fields->n_arrays || sb_fail(error, SB_INVALID, "episodes of family %s have no arrays", family->name);
}

static bool choose(sb_fields *fields, sb_export *export, const cJSON *options, sb_pixels_use use, sb_error *error) {
    survey s = {0};
    if (!list_arrays(fields, export, options, use, error))
        return sb_fail_at(error, "format %s", export->exporter->name);
    if (!take_survey(&s, fields, export, error)) return false;
    fields->n_actions = s.n_actions, fields->n_entries = s.n_entries, fields->explores = export->explores;
    add_arrays(fields, &s);
    add_others(fields, export);
    measure(fields);
    return true;
}

sb_fields *sb_fields_make(sb_export *export, const cJSON *options, sb_pixels_use use, sb_error *error) {
    if (cJSON_HasObjectItem(options, "modes"))
        return sb_fail(error, SB_INVALID, "key `modes`: format %s holds arrays, not texts, so leave the key out",
                       export->exporter->name),
               NULL;
    sb_fields *fields = calloc(1, sizeof *fields);
    if (!fields) return sb_fail(error, SB_MEMORY, "out of memory for fields"), NULL;
    if (choose(fields, export, options, use, error)) return fields;
    sb_fields_free(fields);
    return NULL;
}

void sb_fields_free(sb_fields *fields) {
    if (!fields) return;
    sb_brush_free(fields->brush);
    free(fields);
}

/* ---- An episode's bytes ---- */

typedef struct writer {
    const sb_rollout *rollout;
    const sb_export *export;
    const sb_fields *fields;
    char *at[SB_FIELDS_MAX]; /* where each field begins; its bytes are zero at first */
    size_t step;
    sb_rewards rewards;
    int64_t *numbers; /* room for an item of any field, aligned for any number */
} writer;

/* Puts an item into the upper left corner of its field; if `numbers` is NULL, ones. */
static void put_corner(const sb_field *field, const int32_t *extent, const void *numbers, char *to) {
    sb_put_corner(field->type, field->rank, extent, field->shape, numbers, to);
}

static bool put_array(const writer *w, const sb_env *env, const sb_field *field, char *to, sb_error *error) {
    const sb_array *array = w->fields->arrays[field->array];
    int32_t extent[SB_ARRAY_RANK];
    sb_extent_in(env, array, extent);
    for (int i = 0; i < field->rank; i++)
        if (extent[i] > field->shape[i])
            return sb_fail(error, SB_INVALID, "array %s is larger than in another episode of the task", field->name);
    if (field->source == SB_FIELD_MASK) return put_corner(field, extent, NULL, to), true;
    sb_fill_array(env, array, w->numbers);
    put_corner(field, extent, w->numbers, to);
    return true;
}

/* Puts the fields that describe the state before step w->step, or at the episode's end. */
static bool put_moment(const writer *w, const sb_env *env, sb_error *error) {
    const bool ended = w->step == w->rollout->tape->n;
    for (size_t i = 0; i < w->fields->n; i++) {
        const sb_field *field = &w->fields->of[i];
        char *to = w->at[i] + (field->by_step ? w->step * field->bytes : 0);
        if (field->source == SB_FIELD_EFFECTIVE && !ended) sb_action_mask(env, (bool *)to, field->bytes);
        if (field->source == SB_FIELD_VALID && !ended) sb_valid_mask(env, (bool *)to, field->bytes);
        if (field->source > SB_FIELD_MASK) continue;
        const bool now = field->source == SB_FIELD_FINAL ? ended : field->by_step ? !ended : w->step == 0;
        if (now && !put_array(w, env, field, to, error)) return false;
    }
    return true;
}

static void put_step(const writer *w, sb_action action, const sb_result *result) {
    const sb_action label = sb_tape_label(w->rollout->tape, w->step);
    for (size_t i = 0; i < w->fields->n; i++) {
        const sb_field *field = &w->fields->of[i];
        char *to = w->at[i] + (field->by_step ? w->step * field->bytes : 0);
        switch (field->source) {
        case SB_FIELD_ACTION: memcpy(to, &action, sizeof action); break;
        case SB_FIELD_LABEL: memcpy(to, &label, sizeof label); break;
        case SB_FIELD_REWARD: memcpy(to, &w->rewards.last, sizeof w->rewards.last); break;
        case SB_FIELD_TERMINATION: *to = result->terminated; break;
        case SB_FIELD_TRUNCATION: *to = result->truncated; break;
        default: break;
        }
    }
}

static void put_episode(const writer *w) {
    const sb_tape *tape = w->rollout->tape;
    const double score = sb_has_score(tape->criterion) ? tape->outcome.score : NAN;
    for (size_t i = 0; i < w->fields->n; i++) {
        char *to = w->at[i];
        switch (w->fields->of[i].source) {
        case SB_FIELD_ID: memcpy(to, &w->rollout->episode_id, sizeof w->rollout->episode_id); break;
        case SB_FIELD_NAME: sb_name_print(&tape->name, to, SB_NAME_MAX); break;
        case SB_FIELD_SEED: memcpy(to, &tape->name.seed, sizeof tape->name.seed); break;
        case SB_FIELD_SUCCESS: *to = tape->outcome.success; break;
        case SB_FIELD_SCORE: memcpy(to, &score, sizeof score); break;
        case SB_FIELD_LEVEL: memcpy(to, &tape->outcome.level, sizeof tape->outcome.level); break;
        case SB_FIELD_N_LEVELS: memcpy(to, &tape->outcome.n_levels, sizeof tape->outcome.n_levels); break;
        case SB_FIELD_FAULT: *to = tape->outcome.fault; break;
        default: break;
        }
    }
}

static bool visit(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    writer *w = context;
    if (!sb_rewards_see(&w->rewards, w->export, w->rollout, env, result, error)) return false;
    if (result) {
        put_step(w, action, result);
        w->step++;
    }
    return put_moment(w, env, error);
}

static size_t size_of(const sb_fields *fields, uint64_t steps) {
    size_t size = 0;
    for (size_t i = 0; i < fields->n; i++) size += sb_field_size(&fields->of[i], steps);
    return size;
}

bool sb_fields_rows(const sb_rollout *rollout, const sb_export *export, const sb_fields *fields, sb_out *out,
                    uint64_t *n_rows, sb_error *error) {
    const size_t size = size_of(fields, rollout->tape->n);
    writer w = {.rollout = rollout, .export = export, .fields = fields};
    char *at = sb_out_reserve(out, size);
    w.numbers = calloc(1, fields->most_bytes + sizeof *w.numbers);
    bool ok = (at && w.numbers) || sb_fail(error, SB_MEMORY, "out of memory for arrays");
    if (ok) {
        memset(at, 0, size);
        for (size_t i = 0; i < fields->n; i++) w.at[i] = at, at += sb_field_size(&fields->of[i], rollout->tape->n);
        put_episode(&w);
        ok = sb_tape_replay(rollout->tape, rollout->env, visit, &w, error);
    }
    free(w.numbers);
    if (ok) sb_out_advance(out, size);
    *n_rows = rollout->tape->n;
    return ok;
}

bool sb_fields_check(const sb_fields *fields, size_t n_bytes, uint64_t steps, sb_error *error) {
    return n_bytes == size_of(fields, steps) ||
           sb_fail(error, SB_INVALID, "the rows do not have the size of an episode");
}

/* ---- The table for people ---- */

/* Writes the shape of a field. A text is a single item, as in NumPy. */
static void put_shape(const sb_field *field, sb_out *out) {
    const int rank = field->type == SB_CHAR ? 0 : field->rank;
    sb_puts(out, "(");
    for (int i = 0; i < rank; i++) sb_putf(out, i ? ", %d" : "%d", field->shape[i]);
    sb_puts(out, rank == 1 ? ",)" : ")");
}

static void tell_field(const sb_fields *fields, const sb_field *field, sb_out *out) {
    static const char *const types[SB_N_SCALARS] = {
        [SB_BOOL] = "bool",   [SB_CHAR] = "bytes",    [SB_INT8] = "int8",
        [SB_UINT8] = "uint8", [SB_INT16] = "int16",   [SB_INT32] = "int32",
        [SB_INT64] = "int64", [SB_UINT64] = "uint64", [SB_DOUBLE] = "float64"};
    static const char *const what[SB_SOURCES] = {
        [SB_FIELD_SEEN] = "What the agent saw before it acted",
        [SB_FIELD_FINAL] = "What the agent saw at the very end",
        [SB_FIELD_MASK] = "Where the array has numbers in this episode; elsewhere it is filled up",
        [SB_FIELD_EFFECTIVE] = "Which actions may have had an effect; the others did no more than a noop",
        [SB_FIELD_VALID] = "Which actions were listed as valid",
        [SB_FIELD_ACTION] = "What was done, by number",
        [SB_FIELD_LABEL] = "What should have been done, by number",
        [SB_FIELD_REWARD] = "Reward of this step",
        [SB_FIELD_TERMINATION] = "Whether this step ended the episode by the task's rules",
        [SB_FIELD_TRUNCATION] = "Whether this step was the last one allowed",
        [SB_FIELD_ID] = "Index of the episode in the recipe's selection, from 0",
        [SB_FIELD_NAME] = "Name of the episode: task, difficulty and seed",
        [SB_FIELD_SEED] = "Seed of the episode",
        [SB_FIELD_SUCCESS] = "Whether the episode succeeded",
        [SB_FIELD_SCORE] = "Score of the episode; NaN in tasks that are not judged by one",
        [SB_FIELD_LEVEL] = "Levels that were solved",
        [SB_FIELD_N_LEVELS] = "How many levels there are; 0 in worlds without levels",
        [SB_FIELD_FAULT] = "Whether the episode ended because its world failed"};
    sb_putf(out, "| `%s` | %s | `", field->name, types[field->type]);
    put_shape(field, out);
    sb_putf(out, "` | %s | %s%s |\n", field->by_step ? "step" : "episode", what[field->source],
            fields->explores && field->source == SB_FIELD_SUCCESS ? "; false in tasks that have no success" : "");
}

void sb_fields_tell(const sb_fields *fields, unsigned without, sb_out *out) {
    sb_puts(out, "\n| array | type | shape of one | one for every | what |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < fields->n; i++)
        if (!(without >> fields->of[i].source & 1)) tell_field(fields, &fields->of[i], out);
}
