#include "generators/conformance/arc.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { LARGEST = 1 << 20 };

const char *const sb_arc_interactions[4] = {"tangible", "intangible", "invisible", "removed"};
const char *const sb_arc_blockings[3] = {"not", "box", "pixel"};

/* ---- Texts and numbers --------------------------------------------------------------------------------------------
 */

bool sb_arc_name(sb_arc_texts *texts, const char *name, uint32_t *number, sb_error *error) {
    for (size_t i = 0; i < texts->n_names; i++)
        if (strcmp(texts->names[i], name) == 0) return *number = (uint32_t)i, true;
    if (texts->n_names == SB_ARC_NAMES)
        return sb_fail(error, SB_INVALID, "a recording may have at most %d names of sprites", SB_ARC_NAMES);
    *number = (uint32_t)texts->n_names;
    texts->names[texts->n_names++] = name;
    return true;
}

bool sb_arc_tag(sb_arc_texts *texts, const char *tag, uint64_t *bit, sb_error *error) {
    size_t i = 0;
    if (strcmp(tag, "sys_static") == 0) return *bit = SB_ARC_STATIC, true;
    while (i < texts->n_tags && strcmp(texts->tags[i], tag) != 0) i++;
    if (i == SB_ARC_TAGS) return sb_fail(error, SB_INVALID, "a recording may have at most %d tags", SB_ARC_TAGS);
    if (i == texts->n_tags) texts->tags[texts->n_tags++] = tag;
    return *bit = SB_ARC_STATIC << (i + 1), true;
}

bool sb_arc_is_number(const cJSON *item, int32_t *number) {
    double value;
    return sb_json_is_whole(item, -LARGEST, LARGEST, &value) && (*number = (int32_t)value, true);
}

bool sb_arc_read_number(const cJSON *object, const char *key, int32_t fallback, int32_t *number, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!item) return *number = fallback, true;
    return sb_arc_is_number(item, number) ||
           sb_fail(error, SB_INVALID, "key `%s` should be a whole number in -%d..%d", key, LARGEST, LARGEST);
}

int sb_arc_choice(const cJSON *item, const char *const names[], int n) {
    size_t index;
    return cJSON_IsString(item) && sb_find_word(names, (size_t)n, item->valuestring, &index) ? (int)index : -1;
}

static bool read_choice(const cJSON *object, const char *key, const char *const names[], int n, int fallback,
                        int *choice, sb_error *error) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    *choice = item ? sb_arc_choice(item, names, n) : fallback;
    return *choice >= 0 || sb_fail(error, SB_INVALID, "key `%s` of a sprite has an unknown value", key);
}

static bool read_flag(const cJSON *object, const char *key, bool *flag, sb_error *error) {
    *flag = false;
    return !cJSON_HasObjectItem(object, key) || sb_json_bool(object, key, flag, error);
}

/* ---- Pixels -------------------------------------------------------------------------------------------------------
 */

static const char characters[] = "~.0123456789abcdef";

char sb_arc_character(int8_t code) { return characters[code + 2]; }

static bool read_row(const cJSON *row, int32_t width, int8_t *to) {
    if (!cJSON_IsString(row) || strlen(row->valuestring) != (size_t)width) return false;
    for (int32_t i = 0; i < width; i++) {
        const char *found = strchr(characters, row->valuestring[i]);
        if (!found) return false;
        to[i] = (int8_t)(found - characters - 2);
    }
    return true;
}

static bool read_pixels(const cJSON *item, sb_arc_recorded_sprite *read, sb_error *error) {
    const cJSON *rows, *row;
    if (!sb_json_array(item, "pixels", &rows, error)) return false;
    const int height = cJSON_GetArraySize(rows);
    const size_t width = height && cJSON_IsString(rows->child) ? strlen(rows->child->valuestring) : 0;
    if (height < 1 || width < 1 || height > SB_ARC_IMAGE_MAX || width > SB_ARC_IMAGE_MAX)
        return sb_fail(error, SB_INVALID, "key `pixels` should be 1 to %d rows of as many characters",
                       SB_ARC_IMAGE_MAX);
    int8_t *to = read->pixels = malloc((size_t)height * width);
    if (!to) return sb_fail(error, SB_MEMORY, "out of memory for a sprite");
    read->sprite.width = (int32_t)width, read->sprite.height = height;
    cJSON_ArrayForEach(row, rows) {
        if (!read_row(row, (int32_t)width, to))
            return sb_fail(error, SB_INVALID, "key `pixels`: rows should be equally long texts of 0-9a-f, `.` and `~`");
        to += width;
    }
    return true;
}

/* ---- Sprites ------------------------------------------------------------------------------------------------------
 */

void sb_arc_set_interaction(sb_arc_sprite *sprite, int interaction) {
    sprite->visible = interaction < 2;
    sprite->collidable = interaction % 2 == 0;
}

static bool read_tags(const cJSON *item, sb_arc_texts *texts, uint64_t *tags, sb_error *error) {
    const cJSON *list, *tag;
    uint64_t bit;
    if (!cJSON_HasObjectItem(item, "tags")) return true;
    if (!sb_json_array(item, "tags", &list, error)) return false;
    cJSON_ArrayForEach(tag, list) {
        if (!cJSON_IsString(tag)) return sb_fail(error, SB_INVALID, "key `tags` should hold texts");
        if (!sb_arc_tag(texts, tag->valuestring, &bit, error)) return false;
        *tags |= bit;
    }
    return true;
}

static bool read_place(const cJSON *item, sb_arc_sprite *s, sb_error *error) {
    int32_t x, y;
    if (!sb_arc_read_number(item, "x", 0, &x, error) || !sb_arc_read_number(item, "y", 0, &y, error)) return false;
    s->x = x, s->y = y;
    return sb_arc_read_number(item, "layer", 0, &s->layer, error);
}

static bool read_looks(const cJSON *item, sb_arc_recorded_sprite *read, sb_error *error) {
    sb_arc_sprite *s = &read->sprite;
    int blocking, interaction;
    if (!read_flag(item, "mirror_ud", &s->mirror_ud, error) || !read_flag(item, "mirror_lr", &s->mirror_lr, error) ||
        !read_choice(item, "blocking", sb_arc_blockings, 3, SB_ARC_BLOCKS_PIXEL, &blocking, error) ||
        !read_choice(item, "interaction", sb_arc_interactions, 4, 0, &interaction, error))
        return false;
    s->scale = 1, s->blocking = (uint8_t)blocking;
    sb_arc_set_interaction(s, interaction);
    return sb_arc_read_number(item, "rotation", 0, &read->degrees, error) &&
           sb_arc_read_number(item, "scale", 1, &read->scale, error);
}

bool sb_arc_read_sprite(const cJSON *item, sb_arc_texts *texts, sb_arc_recorded_sprite *read, sb_error *error) {
    const char *name;
    *read = (sb_arc_recorded_sprite){0};
    const bool ok = sb_json_string(item, "name", &name, error) && sb_arc_name(texts, name, &read->sprite.name, error) &&
                    read_place(item, &read->sprite, error) && read_looks(item, read, error) &&
                    read_tags(item, texts, &read->sprite.tags, error) && read_pixels(item, read, error);
    if (ok) return true;
    free(read->pixels);
    read->pixels = NULL;
    return false;
}

bool sb_arc_make_sprite(sb_arc_scene *scene, const sb_arc_recorded_sprite *read) {
    sb_arc_sprite sprite = read->sprite;
    return sb_arc_set_rotation(&sprite, read->degrees) && sb_arc_set_scale(&sprite, read->scale) &&
           sb_arc_scene_add(scene, &sprite, read->pixels);
}

static bool add_sprite(const cJSON *item, sb_arc_texts *texts, sb_arc_scene *scene, sb_error *error) {
    sb_arc_recorded_sprite read;
    if (!sb_arc_read_sprite(item, texts, &read, error)) return false;
    const bool ok = sb_arc_make_sprite(scene, &read);
    free(read.pixels);
    return ok || sb_fail(error, SB_INVALID, "the sprite `%.60s` cannot be turned or scaled so",
                         texts->names[read.sprite.name]);
}

bool sb_arc_read_sprites(const cJSON *list, sb_arc_texts *texts, sb_arc_scene *scene, sb_error *error) {
    const cJSON *item;
    cJSON_ArrayForEach(item, list) if (!add_sprite(item, texts, scene, error)) return false;
    return true;
}

bool sb_arc_read_pairs(const cJSON *list, sb_arc_texts *texts, sb_arc_scene *pairs, sb_error *error) {
    const cJSON *pair;
    cJSON_ArrayForEach(pair, list) {
        if (!cJSON_IsArray(pair) || cJSON_GetArraySize(pair) != 2)
            return sb_fail(error, SB_INVALID, "key `ui` should hold pairs of sprites");
        if (!sb_arc_read_sprites(pair, texts, pairs, error)) return false;
    }
    return true;
}

static bool read_colour(const cJSON *item, const char *key, uint8_t *colour, sb_error *error) {
    int32_t number;
    if (!sb_arc_read_number(item, key, 5, &number, error)) return false;
    if (number < 0 || number > 15) return sb_fail(error, SB_INVALID, "key `%s` should be a colour, 0..15", key);
    return *colour = (uint8_t)number, true;
}

bool sb_arc_read_camera(const cJSON *item, sb_arc_camera *c, bool *exists, sb_error *error) {
    int32_t x, y;
    if (!sb_arc_read_number(item, "x", 0, &x, error) || !sb_arc_read_number(item, "y", 0, &y, error) ||
        !sb_arc_read_number(item, "w", SB_ARC_FRAME_SIDE, &c->width, error) ||
        !sb_arc_read_number(item, "h", SB_ARC_FRAME_SIDE, &c->height, error))
        return false;
    c->x = x, c->y = y;
    *exists = sb_arc_is_view(c->width, c->height);
    return read_colour(item, "background", &c->background, error) &&
           read_colour(item, "letter_box", &c->letter_box, error);
}
