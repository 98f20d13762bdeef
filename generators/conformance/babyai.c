/* Recordings of BabyAI. Compares everything that a recording holds: of the reset, and of every rollout. Recordings of
 * pictures: babyai_pictures.h.
 *
 * A recording is a line of JSON:
 *       `id`, `seed`, `mission`, `size`, `max_steps`, `agent`, `carrying`, `box_contents`
 *       `rooms`       columns, rows, side
 *       `instr`       [kind, strict, D], ["putnext", strict, M, D] or [and|before|after, a, b], where a description
 *                     D or M is [type, colour, location, tracked positions]
 *       `grid`        rows of three digits a cell
 *       `hash`        of the state
 *       `rejected`    a text for each abandoned attempt, of which only the number is compared
 *       `rng`         the generator: state, buffer
 *       `image7`      the first observation
 *       `views`       of sizes 3, 5, 7, 9
 *       `rollouts`    of each: a policy, actions (a digit a step), the first eight hex digits of every step's state
 *                     hash, `reward` as [step, reward], how it ended, and for some `obs` (the first eight digits of
 *                     SHA-256 of every step's view of 7x7) and `views` after some steps
 *
 * The state hash is SHA-256 over width and height (u16); type, colour, state and content (1 + colour of the key inside,
 * or 0) of every cell, row by row; the agent's x, y (i16) and direction; type, colour and content of what is carried;
 * and the step counter (u16); all little-endian. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "engine/minigrid/minigrid.h"
#include "engine/minigrid/view.h"
#include "generators/babyai/family.h"
#include "generators/conformance/babyai_pictures.h"
#include "generators/conformance/rollout.h"

typedef struct rollout {
    sb_recorded_rollout all;
    /* items of the current step in the lists of hashes and images; images: NULL if they were not recorded */
    const cJSON *hashes, *images;
    const cJSON *views; /* views by step, or NULL */
} rollout;

/* One recording being compared. */
typedef struct comparison {
    sb_comparison at;
    rollout rollout; /* the current rollout */
    sb_mg_world reset, world;
    sb_mg_birth birth;
} comparison;

static bool equal_digest(comparison *c, sb_aspect aspect, const char *recorded, size_t n) {
    uint8_t digest[32];
    char hex[SB_SHA256_HEX];
    sb_mg_digest(&c->world, digest);
    sb_hex(digest, sizeof digest, hex);
    return sb_equal_hash(&c->at, aspect, "state hash", recorded, n, hex);
}

/* ---- The instruction in the form of recordings ------------------------------------------------------------------- */

/* Writes a word, or null if there is none. */
static void put_word(sb_out *out, const char *word, const char *after) {
    if (word)
        sb_put_json_string(out, word);
    else
        sb_puts(out, "null");
    sb_puts(out, after);
}

static void put_description(sb_out *out, const sb_mg_description *d) {
    static const char *const locations[SB_MG_N_LOCATIONS] = {NULL, "left", "right", "front", "behind"};
    sb_puts(out, ",[");
    put_word(out, d->type == SB_MG_UNSEEN ? NULL : sb_mg_type_names[d->type], ",");
    put_word(out, d->colour == SB_MG_ANY_COLOUR ? NULL : sb_mg_colour_names[d->colour], ",");
    put_word(out, locations[d->location], ",[");
    for (int i = 0; i < d->n_positions; i++)
        sb_putf(out, "%s[%d,%d]", i ? "," : "", d->positions[i].x, d->positions[i].y);
    sb_puts(out, "]]");
}

static void put_single(sb_out *out, const sb_mg_single *s) {
    static const char *const kinds[] = {"goto", "pickup", "open", "putnext"};
    sb_putf(out, "[\"%s\",%s", kinds[s->verb], s->strict ? "true" : "false");
    put_description(out, &s->what);
    if (s->verb == SB_MG_PUT_NEXT) put_description(out, &s->to);
    sb_puts(out, "]");
}

static void put_part(sb_out *out, const sb_mg_part *part) {
    if (part->n_singles == 2) sb_puts(out, "[\"and\",");
    put_single(out, &part->single[0]);
    if (part->n_singles == 1) return;
    sb_puts(out, ",");
    put_single(out, &part->single[1]);
    sb_puts(out, "]");
}

static void put_instruction(sb_out *out, const sb_mg_mission *m) {
    if (m->order != SB_MG_ALONE) sb_puts(out, m->order == SB_MG_BEFORE ? "[\"before\"," : "[\"after\",");
    put_part(out, &m->part[0]);
    if (m->order == SB_MG_ALONE) return;
    sb_puts(out, ",");
    put_part(out, &m->part[1]);
    sb_puts(out, "]");
}

static bool equal_instruction(comparison *c, const cJSON *recorded) {
    sb_out ours = sb_out_growing(), text = sb_out_growing();
    put_instruction(&ours, &c->reset.mission), sb_put(&ours, "", 1);
    sb_put_recorded(&text, recorded), sb_put(&text, "", 1);
    const bool equal = sb_out_ok(&text) && sb_out_ok(&ours)
                           ? sb_equal_text(&c->at, SB_ASPECT_RESET, "instruction", text.data, ours.data)
                           : sb_differ(&c->at, "out of memory");
    sb_out_free(&text);
    sb_out_free(&ours);
    return equal;
}

static bool equal_mission(comparison *c, const char *recorded) {
    char text[512];
    sb_out ours = sb_out_fixed(text, sizeof text);
    sb_mg_put_mission(&ours, &c->reset.mission);
    sb_out_finish(&ours);
    return sb_equal_text(&c->at, SB_ASPECT_RESET, "mission", recorded, text);
}

/* ---- Reset ------------------------------------------------------------------------------------------------------- */

static bool equal_ints(comparison *c, const char *what, const cJSON *recorded, const int *ours, int n) {
    for (int i = 0; i < n; i++)
        if (!sb_equal_int(&c->at, SB_ASPECT_RESET, what, sb_recorded_number(recorded, i), ours[i])) return false;
    return true;
}

static bool equal_hands(comparison *c, const cJSON *recorded) {
    const sb_mg_object *o = sb_mg_carrying(&c->reset);
    if (cJSON_IsNull(recorded)) return sb_equal_int(&c->at, SB_ASPECT_RESET, "carried type", 0, o ? o->type : 0);
    return equal_ints(c, "carried type and colour", recorded, (int[]){o ? o->type : 0, o ? o->colour : 0}, 2);
}

/* Each row has three digits for each cell. */
static bool equal_grid(comparison *c, const cJSON *rows) {
    const sb_mg_world *w = &c->reset;
    const cJSON *row;
    int y = 0;
    cJSON_ArrayForEach(row, rows) {
        char ours[3 * SB_MG_SIDE_MAX + 1] = "", what[24];
        for (int x = 0; x < w->width && y < w->height; x++) {
            uint8_t code[3];
            sb_mg_encode(w, sb_at(x, y), code);
            for (int k = 0; k < 3; k++) ours[3 * x + k] = (char)('0' + code[k]);
        }
        snprintf(what, sizeof what, "grid row %d", y++);
        if (!sb_equal_text(&c->at, SB_ASPECT_LAYERS, what, cJSON_IsString(row) ? row->valuestring : "", ours))
            return false;
    }
    return true;
}

/* `[x, y, type, colour]` for each full box; absent if there is none. */
static bool equal_boxes(comparison *c, const cJSON *boxes) {
    const sb_mg_world *w = &c->reset;
    const cJSON *box;
    int full = 0;
    for (int id = 1; id <= w->n_objects; id++) full += w->objects[id].content != 0;
    if (!sb_equal_int(&c->at, SB_ASPECT_LAYERS, "full boxes", boxes ? cJSON_GetArraySize(boxes) : 0, full))
        return false;
    cJSON_ArrayForEach(box, boxes) {
        const double x = sb_recorded_number(box, 0), y = sb_recorded_number(box, 1);
        const cJSON *type = cJSON_GetArrayItem(box, 2), *colour = cJSON_GetArrayItem(box, 3);
        if (!(x >= 0 && x < w->width && y >= 0 && y < w->height))
            return sb_differ(&c->at, "a recorded box lies outside our grid");
        const sb_mg_object *o = sb_mg_object_at(w, sb_at((int)x, (int)y));
        const sb_mg_object *content = o && o->content ? &w->objects[o->content] : NULL;
        if (!content) return sb_differ(&c->at, "our box at (%g,%g) is empty", x, y);
        if (!sb_equal_text(&c->at, SB_ASPECT_LAYERS, "what a box holds", cJSON_IsString(type) ? type->valuestring : "",
                           sb_mg_type_names[content->type]) ||
            !sb_equal_text(&c->at, SB_ASPECT_LAYERS, "what a box holds",
                           cJSON_IsString(colour) ? colour->valuestring : "", sb_mg_colour_names[content->colour]))
            return false;
    }
    return true;
}

/* The generator's state stands for all draws. Its buffer counts only if it is full, because numpy leaves an old word in
 * it. */
static bool equal_generator(comparison *c, const char *state, double buffered, double word) {
    const sb_rng *rng = &c->birth.rng;
    char hex[33];
    snprintf(hex, sizeof hex, "%016llx%016llx", (unsigned long long)sb_high64(rng->state),
             (unsigned long long)sb_low64(rng->state));
    return sb_equal_hash(&c->at, SB_ASPECT_DRAWS, "generator after the reset", state, 32, hex) &&
           sb_equal_int(&c->at, SB_ASPECT_DRAWS, "generator's buffer", buffered, rng->buffered) &&
           (!rng->buffered || word == rng->buffer ||
            sb_differ(&c->at, "generator's buffer\n  recorded %.0f\n  ours     %u", word, rng->buffer));
}

/* ---- Views ------------------------------------------------------------------------------------------------------- */

enum { VIEW_BYTES = 3 * 9 * 9 };

static bool equal_view(comparison *c, int size, const char *recorded) {
    uint8_t bytes[VIEW_BYTES];
    char ours[VIEW_BYTES + 1] = "", what[24];
    sb_mg_view(&c->world, size, bytes);
    for (int i = 0; i < 3 * size * size; i++) ours[i] = "0123456789abcdef"[bytes[i] & 15];
    snprintf(what, sizeof what, "view of size %d", size);
    return sb_equal_text(&c->at, SB_ASPECT_VIEWS, what, recorded, ours);
}

/* `views` is an object with a member for each size. */
static bool equal_views(comparison *c, const cJSON *views) {
    for (int size = 3; size <= 9; size += 2) {
        const cJSON *view = cJSON_GetObjectItemCaseSensitive(views, (char[]){(char)('0' + size), '\0'});
        if (!equal_view(c, size, cJSON_IsString(view) ? view->valuestring : "")) return false;
    }
    return true;
}

/* Compares what reset returned. In Carrying levels the image shows the world before the object came into the agent's
 * hand. */
static bool equal_first_image(comparison *c, const cJSON *image) {
    uint8_t bytes[VIEW_BYTES];
    sb_mg_world before = c->reset;
    if (before.carried) sb_mg_put(&before, before.carried, before.objects[before.carried].remembered);
    before.carried = 0;
    sb_mg_view(&before, 7, bytes);
    for (int k = 0; k < 3 * 7 * 7; k++) {
        const int i = k / 3 % 7, j = k / 21;
        const cJSON *cell = cJSON_GetArrayItem(cJSON_GetArrayItem(image, i), j);
        if (!sb_equal_int(&c->at, SB_ASPECT_VIEWS, "first image", sb_recorded_number(cell, k % 3), bytes[k]))
            return false;
    }
    return true;
}

/* ---- What a recording holds of its reset ------------------------------------------------------------------------- */

typedef struct recorded_reset {
    const char *mission, *hash, *rng_state;
    const cJSON *instruction, *size, *rooms, *agent, *grid, *rejected, *rng, *image, *views;
    double max_steps, buffered, buffer;
} recorded_reset;

static bool read_reset(const cJSON *recording, recorded_reset *r, sb_error *error) {
    return sb_json_string(recording, "mission", &r->mission, error) &&
           sb_json_array(recording, "instr", &r->instruction, error) &&
           (r->size = sb_recorded_list(recording, "size", 2, error)) &&
           (r->rooms = sb_recorded_list(recording, "rooms", 3, error)) &&
           sb_json_double(recording, "max_steps", &r->max_steps, error) &&
           (r->agent = sb_recorded_list(recording, "agent", 3, error)) &&
           sb_json_array(recording, "grid", &r->grid, error) &&
           sb_recorded_hex(recording, "hash", 64, &r->hash, error) &&
           sb_json_array(recording, "rejected", &r->rejected, error) &&
           sb_json_object(recording, "rng", &r->rng, error) &&
           sb_recorded_hex(r->rng, "state", 32, &r->rng_state, error) &&
           sb_json_double(r->rng, "buffered", &r->buffered, error) &&
           sb_json_double(r->rng, "word", &r->buffer, error) &&
           (r->image = sb_recorded_list(recording, "image7", 7, error)) &&
           sb_json_object(recording, "views", &r->views, error);
}

static void compare_reset(comparison *c, const cJSON *recording, const recorded_reset *r) {
    const sb_mg_world *w = &c->reset;
    (void)(sb_equal_int(&c->at, SB_ASPECT_RESET, "abandoned attempts", cJSON_GetArraySize(r->rejected),
                        c->birth.rejected) &&
           equal_generator(c, r->rng_state, r->buffered, r->buffer) && equal_mission(c, r->mission) &&
           equal_ints(c, "size of the grid", r->size, (int[]){w->width, w->height}, 2) &&
           equal_ints(c, "columns, rows and side of the rooms", r->rooms, (int[]){w->columns, w->rows, w->room_side},
                      3) &&
           sb_equal_int(&c->at, SB_ASPECT_RESET, "step limit", r->max_steps, w->max_steps) &&
           equal_ints(c, "agent", r->agent, (int[]){w->agent.x, w->agent.y, w->facing}, 3) &&
           equal_hands(c, cJSON_GetObjectItemCaseSensitive(recording, "carrying")) && equal_grid(c, r->grid) &&
           equal_boxes(c, cJSON_GetObjectItemCaseSensitive(recording, "box_contents")) &&
           equal_instruction(c, r->instruction) && equal_digest(c, SB_ASPECT_RESET, r->hash, 64) &&
           equal_first_image(c, r->image) && equal_views(c, r->views));
}

/* ---- Rollouts ---------------------------------------------------------------------------------------------------- */

static bool read_rollout(const cJSON *object, rollout *r, sb_error *error) {
    const cJSON *hashes, *images = NULL;
    if (!sb_recorded_rollout_read(object, '6', "reward", &r->all, error) ||
        !(hashes = sb_recorded_list(object, "hashes", (int)r->all.n, error)) ||
        (cJSON_HasObjectItem(object, "obs") && !(images = sb_recorded_list(object, "obs", (int)r->all.n, error))))
        return false;
    r->hashes = hashes->child, r->images = images ? images->child : NULL;
    r->views = cJSON_GetObjectItemCaseSensitive(object, "views");
    return true;
}

static const char *text_of(const cJSON *item) { return cJSON_IsString(item) ? item->valuestring : ""; }

static bool equal_image(comparison *c, const char *recorded) {
    uint8_t bytes[3 * 7 * 7];
    char hex[SB_SHA256_HEX];
    sb_mg_view(&c->world, 7, bytes);
    sb_sha256_hex(bytes, sizeof bytes, hex);
    return sb_equal_hash(&c->at, SB_ASPECT_VIEWS, "view of size 7", recorded, 8, hex);
}

static bool equal_views_after(comparison *c, const rollout *r, size_t step) {
    char key[24];
    snprintf(key, sizeof key, "%zu", step);
    const cJSON *views = cJSON_GetObjectItemCaseSensitive(r->views, key);
    return !views || equal_views(c, views);
}

static bool compare_step(void *context, size_t step, int action, sb_result *result) {
    comparison *c = context;
    rollout *r = &c->rollout;
    sb_mg_step(&c->world, (sb_mg_action)action, result);
    const double reward = sb_take_recorded_reward(&r->all, step);
    const bool equal = equal_digest(c, SB_ASPECT_STATES, text_of(r->hashes), 8) &&
                       sb_equal_reward(&c->at, "sparse", reward, result->reward) &&
                       (!r->images || equal_image(c, text_of(r->images))) && equal_views_after(c, r, step);
    r->hashes = r->hashes->next;
    if (r->images) r->images = r->images->next;
    return equal;
}

/* ---- The recording --------------------------------------------------------------------------------------------------
 */

static bool compare_episode(comparison *c, const cJSON *recording, sb_error *error) {
    const char *id;
    size_t index;
    uint64_t seed;
    const cJSON *rollouts, *object;
    recorded_reset reset;
    char name[SB_NAME_MAX];
    if (!sb_json_string(recording, "id", &id, error) || !sb_json_uint(recording, "seed", &seed, error) ||
        !sb_task_find(NULL, &sb_babyai, id, &index, error) || !read_reset(recording, &reset, error) ||
        !sb_json_array(recording, "rollouts", &rollouts, error))
        return false;
    const sb_mg_level *level = (const sb_mg_level *)sb_babyai.task(index);
    snprintf(name, sizeof name, "%s#%llu", level->info.name, (unsigned long long)seed);
    snprintf(c->at.place, sizeof c->at.place, "%s, reset", name);
    if (!level->generate(level, seed, &c->reset, &c->birth, error)) return false;
    c->world = c->reset;
    compare_reset(c, recording, &reset);
    const sb_rollout_comparison how = {
        .at = &c->at, .name = name, .first_step = 1, .compare_step = compare_step, .context = c};
    cJSON_ArrayForEach(object, rollouts) {
        if (c->at.found->differs) break;
        if (!read_rollout(object, &c->rollout, error)) return sb_fail_at(error, "%s, key `rollouts`", name);
        c->world = c->reset;
        sb_compare_rollout(&how, &c->rollout.all);
    }
    return true;
}

static bool compare(const cJSON *recording, sb_conformity *found, sb_error *error) {
    comparison *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    c->at.found = found;
    const bool ok = sb_is_tile(recording)      ? sb_compare_tile(recording, &c->at, error)
                    : sb_has_frames(recording) ? sb_compare_frames(recording, &c->at, error)
                                               : compare_episode(c, recording, error);
    free(c);
    return ok;
}

const sb_conformer sb_babyai_conformer = {.family = &sb_babyai, .compare = compare};
