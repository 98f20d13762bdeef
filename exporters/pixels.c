#include "exporters/pixels.h"

#include "base/error.h"

/* Reads a key that is true unless the object says otherwise. */
static bool read_switch(const cJSON *object, const char *key, bool *off, sb_error *error) {
    bool on = true;
    if (cJSON_HasObjectItem(object, key) && !sb_json_bool(object, key, &on, error)) return false;
    *off = !on;
    return true;
}

static bool read_side(const cJSON *object, const char *key, int32_t *side, sb_error *error) {
    uint64_t n = 0;
    if (!sb_json_optional_uint(object, key, &n, error)) return false;
    if (n > INT16_MAX) return sb_fail(error, SB_INVALID, "key `%s` is too large", key);
    *side = (int32_t)n;
    return true;
}

static bool read(const sb_family *family, const cJSON *object, sb_brush **brush, sb_error *error) {
    static const char *const keys[] = {"look", "tile", "size", "view", "panel", "highlight", NULL};
    const char *name;
    sb_brush_options options = {0};
    if (!sb_json_known_keys(object, keys, error) || !sb_json_string(object, "look", &name, error) ||
        !read_side(object, "tile", &options.tile, error) || !read_side(object, "size", &options.size, error) ||
        !read_side(object, "view", &options.view, error) || !read_switch(object, "panel", &options.no_panel, error) ||
        !read_switch(object, "highlight", &options.no_highlight, error))
        return false;
    const sb_look *look = sb_look_find(family, name, error);
    return look && (*brush = sb_brush_make(family, look, &options, error));
}

bool sb_pixels_read(const sb_family *family, const cJSON *options, sb_brush **brush, sb_error *error) {
    const cJSON *object;
    *brush = NULL;
    if (!cJSON_HasObjectItem(options, "pixels")) return true;
    return (sb_json_object(options, "pixels", &object, error) && read(family, object, brush, error)) ||
           sb_fail_at(error, "key `pixels`");
}
