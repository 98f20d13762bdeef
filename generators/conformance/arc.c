#include "generators/conformance/arc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

typedef struct comparison {
    sb_comparison at;
    sb_arc_texts texts;
    sb_arc_scene scene;
    sb_out theirs, ours;
} comparison;

void sb_arc_frame_hash(const uint8_t *frame, char hex[SB_SHA256_HEX]) { sb_sha256_hex(frame, SB_ARC_FRAME, hex); }

static bool has(const cJSON *object, const char *key) { return cJSON_HasObjectItem(object, key); }

const char *sb_arc_recording(const cJSON *r) {
    const cJSON *expect = cJSON_GetObjectItemCaseSensitive(r, "expect");
    if (has(r, "levels") && has(r, "turns")) return "ARC games";
    if (has(r, "sprite") && expect) return "ARC sprites";
    if (has(r, "sprites") && expect) return has(expect, "collide") ? "ARC collisions" : "ARC scenes";
    if (has(r, "camera") && (has(r, "column") || has(r, "error"))) return "ARC cameras";
    return NULL;
}

/* ---- Texts of both sides ------------------------------------------------------------------------------------------
 */

static bool equal_texts(comparison *c, sb_aspect aspect, const char *what, sb_error *error) {
    sb_put(&c->theirs, "\0", 1);
    sb_put(&c->ours, "\0", 1);
    if (c->theirs.failed || c->ours.failed) return sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    (void)sb_equal_text(&c->at, aspect, what, c->theirs.data, c->ours.data);
    sb_out_clear(&c->theirs);
    sb_out_clear(&c->ours);
    return true;
}

/* Compares a member of `expect` with what was put into `ours`. */
static bool equal_member(comparison *c, const cJSON *expect, const char *key, sb_error *error) {
    if (c->at.found->differs) return sb_out_clear(&c->ours), true;
    sb_put_recorded(&c->theirs, cJSON_GetObjectItemCaseSensitive(expect, key));
    return equal_texts(c, SB_ASPECT_STATES, key, error);
}

/* ---- Sprites ------------------------------------------------------------------------------------------------------
 */

static void put_image(sb_out *out, const sb_arc_scene *scene, const sb_arc_sprite *s) {
    sb_puts(out, "[");
    for (int32_t j = 0; j < sb_arc_image_height(s); j++) {
        sb_puts(out, j ? ",\"" : "\"");
        for (int32_t i = 0; i < sb_arc_image_width(s); i++)
            sb_putc(out, sb_arc_character(sb_arc_image_pixel(scene, s, i, j)));
        sb_puts(out, "\"");
    }
    sb_puts(out, "]");
}

static bool compare_image(comparison *c, const cJSON *expect, sb_error *error) {
    const sb_arc_sprite *s = &c->scene.sprites[0];
    put_image(&c->ours, &c->scene, s);
    sb_put_recorded(&c->theirs, cJSON_GetObjectItemCaseSensitive(expect, "rows"));
    if (!equal_texts(c, SB_ASPECT_PICTURES, "image", error)) return false;
    sb_put_int(&c->ours, sb_arc_image_width(s));
    if (!equal_member(c, expect, "w", error)) return false;
    sb_put_int(&c->ours, sb_arc_image_height(s));
    return equal_member(c, expect, "h", error);
}

static bool compare_sprite(comparison *c, const cJSON *recording, sb_error *error) {
    const cJSON *expect = cJSON_GetObjectItemCaseSensitive(recording, "expect");
    sb_arc_recorded_sprite read;
    if (!sb_arc_read_sprite(cJSON_GetObjectItemCaseSensitive(recording, "sprite"), &c->texts, &read, error))
        return false;
    const bool made = sb_arc_make_sprite(&c->scene, &read);
    free(read.pixels);
    if (!sb_equal_bool(&c->at, SB_ASPECT_ENDS, "error", has(expect, "error"), !made) || !made) return true;
    return compare_image(c, expect, error);
}

/* ---- Cameras ------------------------------------------------------------------------------------------------------
 */

/* Puts the world column (or row) of every frame column (or row). */
static void put_line(sb_out *out, const sb_arc_camera *camera, bool across, sb_arc_fit fit) {
    sb_puts(out, "[");
    for (int32_t i = 0; i < SB_ARC_FRAME_SIDE; i++) {
        int64_t x, y;
        const bool hit = across ? sb_arc_camera_cell(camera, i, fit.y, &x, &y)
                                : sb_arc_camera_cell(camera, fit.x, i, &x, &y);
        if (i) sb_puts(out, ",");
        if (hit)
            sb_put_int(out, across ? x : y);
        else
            sb_puts(out, "null");
    }
    sb_puts(out, "]");
}

static bool compare_camera(comparison *c, const cJSON *recording, sb_error *error) {
    sb_arc_camera camera;
    bool exists;
    if (!sb_arc_read_camera(cJSON_GetObjectItemCaseSensitive(recording, "camera"), &camera, &exists, error))
        return false;
    if (!sb_equal_bool(&c->at, SB_ASPECT_ENDS, "error", has(recording, "error"), !exists) || !exists) return true;
    const sb_arc_fit fit = sb_arc_camera_fit(&camera);
    sb_put_int(&c->ours, fit.scale);
    if (!equal_member(c, recording, "scale", error)) return false;
    sb_put_int(&c->ours, fit.x);
    if (!equal_member(c, recording, "x_offset", error)) return false;
    sb_put_int(&c->ours, fit.y);
    if (!equal_member(c, recording, "y_offset", error)) return false;
    put_line(&c->ours, &camera, true, fit);
    if (!equal_member(c, recording, "column", error)) return false;
    put_line(&c->ours, &camera, false, fit);
    return equal_member(c, recording, "row", error);
}

/* ---- Scenes -------------------------------------------------------------------------------------------------------
 */

static void put_order(sb_out *out, const comparison *c) {
    sb_puts(out, "[");
    for (size_t i = 0; i < c->scene.n; i++) {
        if (i) sb_puts(out, ",");
        sb_put_json_string(out, c->texts.names[c->scene.sprites[i].name]);
    }
    sb_puts(out, "]");
}

static bool compare_frame(comparison *c, sb_arc_stage *stage, const cJSON *expect, sb_error *error) {
    uint8_t frame[SB_ARC_FRAME];
    char hash[SB_SHA256_HEX];
    const char *recorded;
    sb_arc_stage_draw(stage, frame);
    sb_arc_frame_hash(frame, hash);
    return sb_recorded_hex(expect, "sha256", SB_SHA256_HEX - 1, &recorded, error) &&
           (sb_equal_hash(&c->at, SB_ASPECT_PICTURES, "frame", recorded, SB_SHA256_HEX - 1, hash), true);
}

static bool draw_scene(comparison *c, const cJSON *recording, sb_arc_stage *stage, sb_error *error) {
    bool exists;
    if (!sb_arc_read_camera(cJSON_GetObjectItemCaseSensitive(recording, "camera"), &stage->camera, &exists, error) ||
        !sb_arc_read_pairs(cJSON_GetObjectItemCaseSensitive(recording, "ui"), &c->texts, &stage->pairs, error))
        return false;
    if (!exists)
        return sb_fail(error, SB_INVALID, "key `camera`: there is no camera of %d x %d", stage->camera.width,
                       stage->camera.height);
    return compare_frame(c, stage, cJSON_GetObjectItemCaseSensitive(recording, "expect"), error);
}

static bool compare_scene(comparison *c, const cJSON *recording, sb_error *error) {
    sb_arc_stage stage;
    if (!sb_arc_scene_merge_static(&c->scene)) return sb_fail(error, SB_INVALID, "static sprites cannot be merged");
    put_order(&c->ours, c);
    if (!equal_member(c, cJSON_GetObjectItemCaseSensitive(recording, "expect"), "order", error)) return false;
    if (!sb_arc_stage_new(&stage, 1) || !sb_arc_scene_copy(&stage.levels[0].live, &c->scene))
        return sb_arc_stage_free(&stage), sb_fail(error, SB_MEMORY, "out of memory for a scene");
    const bool ok = draw_scene(c, recording, &stage, error);
    sb_arc_stage_free(&stage);
    return ok;
}

/* ---- Collisions ---------------------------------------------------------------------------------------------------
 */

static void put_collisions(sb_out *out, const sb_arc_scene *scene, bool ignore_modes) {
    bool first = true;
    sb_puts(out, "[");
    for (size_t i = 0; i < scene->n; i++)
        for (size_t j = 0; j < scene->n; j++)
            if (sb_arc_collides(scene, i, j, ignore_modes)) {
                sb_putf(out, first ? "[%zu,%zu]" : ",[%zu,%zu]", i, j);
                first = false;
            }
    sb_puts(out, "]");
}

static void put_picks(sb_out *out, sb_arc_scene *scene, uint64_t tag, bool ignore_modes) {
    sb_puts(out, "[");
    for (int y = -2; y <= 15; y++) {
        sb_puts(out, y > -2 ? ",\"" : "\"");
        for (int x = -2; x <= 19; x++) {
            const int64_t found = sb_arc_sprite_at(scene, x, y, tag, ignore_modes);
            if (x > -2) sb_puts(out, " ");
            if (found < 0)
                sb_puts(out, ".");
            else
                sb_put_int(out, found);
        }
        sb_puts(out, "\"");
    }
    sb_puts(out, "]");
}

static bool compare_collisions(comparison *c, const cJSON *recording, sb_error *error) {
    const cJSON *expect = cJSON_GetObjectItemCaseSensitive(recording, "expect");
    uint64_t tag;
    if (!sb_arc_tag(&c->texts, "k", &tag, error)) return false;
    put_collisions(&c->ours, &c->scene, false);
    if (!equal_member(c, expect, "collide", error)) return false;
    put_collisions(&c->ours, &c->scene, true);
    if (!equal_member(c, expect, "collide_ignoring_modes", error)) return false;
    put_picks(&c->ours, &c->scene, 0, false);
    if (!equal_member(c, expect, "at", error)) return false;
    put_picks(&c->ours, &c->scene, 0, true);
    if (!equal_member(c, expect, "at_ignoring_modes", error)) return false;
    put_picks(&c->ours, &c->scene, tag, false);
    return equal_member(c, expect, "at_tag_k", error);
}

/* ---- All ----------------------------------------------------------------------------------------------------------
 */

static bool compare_part(comparison *c, const cJSON *recording, sb_error *error) {
    const cJSON *sprites;
    c->at.found->compared[SB_ASPECT_RESET]++;
    if (has(recording, "sprite")) return compare_sprite(c, recording, error);
    if (!has(recording, "sprites")) return compare_camera(c, recording, error);
    if (!sb_json_array(recording, "sprites", &sprites, error) ||
        !sb_arc_read_sprites(sprites, &c->texts, &c->scene, error))
        return false;
    return has(cJSON_GetObjectItemCaseSensitive(recording, "expect"), "collide")
               ? compare_collisions(c, recording, error)
               : compare_scene(c, recording, error);
}

static bool compare(const cJSON *recording, sb_conformity *found, sb_error *error) {
    if (has(recording, "turns")) return sb_compare_arc_game(recording, found, error);
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(recording, "id");
    comparison *const c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    c->at.found = found;
    c->theirs = c->ours = sb_out_growing();
    snprintf(c->at.place, sizeof c->at.place, "%.60s", cJSON_IsString(id) ? id->valuestring : "camera");
    const bool ok = compare_part(c, recording, error);
    sb_arc_scene_clear(&c->scene);
    sb_out_free(&c->theirs);
    sb_out_free(&c->ours);
    free(c);
    return ok;
}

const sb_conformer sb_arc_conformer = {.compare = compare};
