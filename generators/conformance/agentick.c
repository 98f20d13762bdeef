/* Recordings of Agentick (format: docs/compatibility.md, "Recordings"). Compares everything that a recording holds. For
 * the reset: hash, layers, draws, structured observation, ASCII plain and coloured. For every step: hash, position,
 * inventory, changed cells, draws, ASCII, both rewards. Then the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "engine/gridworld/observe/observe.h"
#include "engine/lookup.h"
#include "generators/agentick/family.h"
#include "generators/conformance/rollout.h"

/* A recorded rollout. `hashes` and `ascii` have eight digits for each step. */
typedef struct rollout {
    sb_recorded_rollout all;
    const char *hashes, *ascii;
    /* items of the current step in the lists of dense rewards and of steps; steps: NULL if none were recorded */
    const cJSON *dense, *steps;
} rollout;

/* One recording being compared. */
typedef struct comparison {
    sb_comparison at;
    rollout rollout; /* the current rollout */
    sb_episode episode;
    sb_draw_log log;
    sb_out text;                    /* scratch for renderings */
    sb_cell previous[SB_CELLS_MAX]; /* the cells before the step */
} comparison;

static bool equal_digest(comparison *c, sb_aspect aspect, const char *recorded, size_t n) {
    uint8_t digest[32];
    char hex[SB_SHA256_HEX];
    sb_episode_digest(&c->episode, digest);
    sb_hex(digest, sizeof digest, hex);
    return sb_equal_hash(&c->at, aspect, "state hash", recorded, n, hex);
}

static bool equal_ascii(comparison *c, bool color, const char *recorded) {
    char hex[SB_SHA256_HEX];
    sb_out_clear(&c->text);
    sb_observe_ascii(&c->episode, color, &c->text);
    sb_sha256_hex(c->text.data, c->text.size, hex);
    return sb_equal_hash(&c->at, SB_ASPECT_VIEWS, color ? "coloured ASCII observation" : "ASCII observation", recorded,
                         8, hex);
}

/* ---- Reset ---- */

static bool equal_agent(comparison *c, sb_aspect aspect, const cJSON *recorded) {
    const sb_grid_agent *agent = &c->episode.agent;
    return sb_equal_int(&c->at, aspect, "agent x", sb_recorded_number(recorded, 0), agent->at.x) &&
           sb_equal_int(&c->at, aspect, "agent y", sb_recorded_number(recorded, 1), agent->at.y) &&
           sb_equal_int(&c->at, aspect, "agent orientation", sb_recorded_number(recorded, 2), agent->facing);
}

static int layer_value(const sb_cell *cell, char layer) {
    switch (layer) {
    case 't': return cell->terrain;
    case 'o': return cell->object;
    case 'm': return cell->metadata;
    default: return 0; /* the agents layer is always empty */
    }
}

static bool equal_layers(comparison *c, const cJSON *layers) {
    static const char *const names[] = {"terrain", "objects", "agents", "metadata"};
    const sb_episode *e = &c->episode;
    for (size_t k = 0; k < 4; k++) {
        const cJSON *rows = cJSON_GetObjectItemCaseSensitive(layers, names[k]), *row, *value;
        int y = 0;
        cJSON_ArrayForEach(row, rows) {
            int x = 0;
            cJSON_ArrayForEach(value, row) {
                char what[48];
                snprintf(what, sizeof what, "layer %s at (%d,%d)", names[k], x, y);
                if (!sb_inside(e, sb_at(x, y))) return sb_differ(&c->at, "%s is outside our grid", what);
                if (!sb_equal_int(&c->at, SB_ASPECT_LAYERS, what, value->valuedouble,
                                  layer_value(sb_peek(e, sb_at(x, y)), names[k][0])))
                    return false;
                x++;
            }
            y++;
        }
    }
    return true;
}

/* The log holds one line for each draw. */
static bool equal_draws(comparison *c, const cJSON *draws) {
    const cJSON *draw;
    int n = 0;
    sb_put(&c->log.text, "", 1);
    char *line = c->log.text.data;
    cJSON_ArrayForEach(draw, draws) {
        char what[40], *newline = line ? strchr(line, '\n') : NULL;
        snprintf(what, sizeof what, "draw %d", n++);
        if (newline) *newline = '\0';
        sb_out_clear(&c->text);
        sb_put_recorded(&c->text, draw);
        sb_put(&c->text, "", 1);
        if (c->text.failed || c->log.text.failed) return sb_differ(&c->at, "out of memory");
        if (!sb_equal_text(&c->at, SB_ASPECT_DRAWS, what, c->text.data, newline ? line : "(no draw)")) return false;
        line = newline + 1;
    }
    return !line || !*line ||
           sb_differ(&c->at, "a draw that was not recorded, after %d draws\n  ours     %.160s", n, line);
}

static bool equal_structured(comparison *c, const cJSON *structured) {
    sb_error ignored;
    sb_out recorded = sb_out_growing();
    sb_out_clear(&c->text);
    sb_observe_structured(&c->episode, &c->text);
    cJSON *ours = c->text.failed ? NULL : sb_json_parse(c->text.data, c->text.size, &ignored);
    sb_out_clear(&c->text);
    sb_put_recorded(&c->text, ours), sb_put(&c->text, "", 1);
    sb_put_recorded(&recorded, structured), sb_put(&recorded, "", 1);
    const bool equal = ours && sb_out_ok(&recorded) && sb_out_ok(&c->text)
                           ? sb_equal_text(&c->at, SB_ASPECT_VIEWS, "structured observation", recorded.data,
                                           c->text.data)
                           : sb_differ(&c->at, "structured observation could not be read back");
    cJSON_Delete(ours);
    sb_out_free(&recorded);
    return equal;
}

static bool compare_reset(comparison *c, const cJSON *recording, sb_error *error) {
    const cJSON *reset, *agent, *size, *part;
    const char *hash, *ascii, *ansi;
    double max_steps;
    if (!sb_json_object(recording, "reset", &reset, error) || !(agent = sb_recorded_list(reset, "agent", 3, error)) ||
        !(size = sb_recorded_list(reset, "size", 2, error)) || !sb_recorded_hex(reset, "hash", 64, &hash, error) ||
        !sb_recorded_hex(reset, "ascii", 8, &ascii, error) || !sb_recorded_hex(reset, "ascii_ansi", 8, &ansi, error) ||
        !sb_json_double(reset, "max_steps", &max_steps, error))
        return false;
    if ((part = cJSON_GetObjectItemCaseSensitive(recording, "draws")) && !equal_draws(c, part)) return true;
    if (!sb_equal_int(&c->at, SB_ASPECT_RESET, "grid width", sb_recorded_number(size, 0), c->episode.width) ||
        !sb_equal_int(&c->at, SB_ASPECT_RESET, "grid height", sb_recorded_number(size, 1), c->episode.height) ||
        !sb_equal_int(&c->at, SB_ASPECT_RESET, "step limit", max_steps, c->episode.max_steps) ||
        !equal_agent(c, SB_ASPECT_RESET, agent))
        return true;
    if ((part = cJSON_GetObjectItemCaseSensitive(reset, "layers")) && !equal_layers(c, part)) return true;
    if (!equal_digest(c, SB_ASPECT_RESET, hash, 64)) return true;
    part = cJSON_GetObjectItemCaseSensitive(reset, "ascii_text");
    if (cJSON_IsString(part)) {
        sb_out_clear(&c->text);
        sb_observe_ascii(&c->episode, false, &c->text);
        sb_put(&c->text, "", 1);
        if (!sb_equal_text(&c->at, SB_ASPECT_VIEWS, "ASCII observation", part->valuestring, c->text.data)) return true;
    }
    if (!equal_ascii(c, false, ascii) || !equal_ascii(c, true, ansi)) return true;
    if ((part = cJSON_GetObjectItemCaseSensitive(recording, "structured"))) equal_structured(c, part);
    return true;
}

/* ---- Rollouts ---- */

static bool read_rollout(const cJSON *object, rollout *r, sb_error *error) {
    const cJSON *dense, *steps = NULL;
    if (!sb_recorded_rollout_read(object, '5', "sparse", &r->all, error) ||
        !sb_recorded_hex(object, "hashes", 8 * r->all.n, &r->hashes, error) ||
        !sb_recorded_hex(object, "ascii", 8 * r->all.n, &r->ascii, error) ||
        !(dense = sb_recorded_list(object, "dense", (int)r->all.n, error)) ||
        (cJSON_HasObjectItem(object, "steps") && !(steps = sb_recorded_list(object, "steps", (int)r->all.n, error))))
        return false;
    r->dense = dense->child, r->steps = steps ? steps->child : NULL;
    return true;
}

/* Checks that every recorded change happened and that nothing else changed. */
static bool equal_changes(comparison *c, const cJSON *changes) {
    static const char layers[] = "tom";
    const sb_episode *e = &c->episode;
    const cJSON *change;
    int recorded = 0, ours = 0;
    cJSON_ArrayForEach(change, changes) {
        const cJSON *layer = cJSON_GetArrayItem(change, 0);
        const char name = cJSON_IsString(layer) ? layer->valuestring[0] : '?';
        const double x = sb_recorded_number(change, 1), y = sb_recorded_number(change, 2);
        char what[48];
        if (!(x >= 0 && x < e->width && y >= 0 && y < e->height))
            return sb_differ(&c->at, "a recorded change lies outside our grid");
        const sb_xy at = sb_at((int)x, (int)y);
        snprintf(what, sizeof what, "changed cell, layer %c at (%d,%d)", name, at.x, at.y);
        if (!sb_equal_int(&c->at, SB_ASPECT_STATES, what, sb_recorded_number(change, 3),
                          layer_value(sb_peek(e, at), name)))
            return false;
        recorded++;
    }
    for (int i = 0; i < sb_n_cells(e); i++)
        for (const char *layer = layers; *layer; layer++)
            ours += layer_value(&e->cells[i], *layer) != layer_value(&c->previous[i], *layer);
    return sb_equal_int(&c->at, SB_ASPECT_STATES, "number of changed values", recorded, ours);
}

static bool equal_inventory(comparison *c, const cJSON *items) {
    const sb_episode *e = &c->episode;
    const cJSON *item;
    int i = 0;
    if (!sb_equal_int(&c->at, SB_ASPECT_STATES, "items carried", cJSON_GetArraySize(items), e->agent.n_items))
        return false;
    cJSON_ArrayForEach(item, items) {
        const sb_item *ours = &e->items[i++];
        const sb_item_words *name = &sb_item_names[ours->kind];
        const cJSON *type = cJSON_GetArrayItem(item, 0);
        const cJSON *properties = cJSON_GetArrayItem(item, 1);
        const cJSON *value = name->property ? cJSON_GetObjectItemCaseSensitive(properties, name->property) : NULL;
        if (!sb_equal_text(&c->at, SB_ASPECT_STATES, "item type", cJSON_IsString(type) ? type->valuestring : "",
                           name->type))
            return false;
        if (value && !sb_equal_int(&c->at, SB_ASPECT_STATES, "item property", value->valuedouble, ours->value))
            return false;
    }
    return true;
}

static bool equal_deep_step(comparison *c, const cJSON *step) {
    return equal_agent(c, SB_ASPECT_STATES, cJSON_GetArrayItem(step, 0)) &&
           equal_changes(c, cJSON_GetArrayItem(step, 1)) && equal_inventory(c, cJSON_GetArrayItem(step, 2)) &&
           equal_draws(c, cJSON_GetArrayItem(step, 3));
}

static bool compare_step(void *context, size_t step, int action, sb_result *result) {
    comparison *c = context;
    rollout *r = &c->rollout;
    sb_episode *e = &c->episode;
    memcpy(c->previous, e->cells, sizeof *e->cells * (size_t)sb_n_cells(e));
    sb_out_clear(&c->log.text);
    c->log.hide_shuffled = true; /* recordings list the shuffled items only for generation */
    sb_episode_step(e, action, result);

    if (r->steps && !equal_deep_step(c, r->steps)) return false;
    const double sparse = sb_take_recorded_reward(&r->all, step);
    const bool equal = equal_digest(c, SB_ASPECT_STATES, r->hashes + 8 * step, 8) &&
                       equal_ascii(c, false, r->ascii + 8 * step) &&
                       sb_equal_reward(&c->at, "sparse", sparse, result->reward) &&
                       sb_equal_reward(&c->at, "dense", r->dense->valuedouble, result->dense);
    r->dense = r->dense->next;
    if (r->steps) r->steps = r->steps->next;
    return equal;
}

/* ---- The recording ---- */

static bool start(comparison *c, const sb_task *task, size_t difficulty, uint64_t seed, sb_error *error) {
    sb_out_clear(&c->log.text);
    c->log.hide_shuffled = false;
    sb_draw_log_begin(&c->log, seed);
    return sb_episode_start(&c->episode, task, (sb_difficulty)difficulty, seed, &c->log, error);
}

static bool compare_episode(comparison *c, const cJSON *recording, sb_error *error) {
    const char *task_name, *difficulty_name;
    size_t task_index, difficulty;
    uint64_t seed;
    const cJSON *rollouts, *object;
    char name[SB_NAME_MAX];
    if (!sb_json_string(recording, "task", &task_name, error) ||
        !sb_json_string(recording, "difficulty", &difficulty_name, error) ||
        !sb_json_uint(recording, "seed", &seed, error) || !sb_json_array(recording, "rollouts", &rollouts, error) ||
        !sb_task_find(NULL, &sb_agentick, task_name, &task_index, error) ||
        !sb_difficulty_find(&sb_agentick, NULL, difficulty_name, &difficulty, error))
        return false;
    const sb_task *task = (const sb_task *)sb_agentick.task(task_index);
    snprintf(name, sizeof name, "%s/%s#%llu", task->info.name, difficulty_name, (unsigned long long)seed);
    snprintf(c->at.place, sizeof c->at.place, "%s, reset", name);
    if (!start(c, task, difficulty, seed, error) || !compare_reset(c, recording, error)) return false;
    const sb_rollout_comparison how = {.at = &c->at, .name = name, .compare_step = compare_step, .context = c};
    cJSON_ArrayForEach(object, rollouts) {
        if (c->at.found->differs) break;
        if (!read_rollout(object, &c->rollout, error)) return sb_fail_at(error, "%s, key `rollouts`", name);
        if (!start(c, task, difficulty, seed, error)) return false;
        sb_compare_rollout(&how, &c->rollout.all);
    }
    return true;
}

static bool compare(const cJSON *recording, sb_conformity *found, sb_error *error) {
    comparison *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    c->at.found = found;
    c->text = sb_out_growing(), c->log.text = sb_out_growing();
    const bool ok = compare_episode(c, recording, error);
    sb_out_free(&c->text), sb_out_free(&c->log.text);
    free(c);
    return ok;
}

const sb_conformer sb_agentick_conformer = {.family = &sb_agentick, .compare = compare};
