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

/* Reads the key `channels`: 3, which is the default, or 1. */
static bool read_channels(const cJSON *object, sb_pixels_use use, bool *indexed, sb_error *error) {
    uint64_t n = 3;
    if (!cJSON_HasObjectItem(object, "channels")) return true;
    if (!sb_json_uint(object, "channels", &n, error)) return false;
    if (use != SB_PIXELS_CHOICE)
        return sb_fail(error, SB_INVALID, "key `channels` is only for format npz, so leave it out");
    *indexed = n == 1;
    return n == 1 || n == 3 || sb_fail(error, SB_INVALID, "key `channels` should be 3 or 1");
}

static bool read(sb_export *export, const cJSON *object, sb_pixels_use use, sb_brush **brush, sb_error *error) {
    static const char *const keys[] = {"look", "tile", "size", "view", "panel", "highlight", "channels", NULL};
    const char *name;
    sb_brush_options options = {0};
    if (!sb_json_known_keys(object, keys, error) || !sb_json_string(object, "look", &name, error) ||
        !read_side(object, "tile", &options.tile, error) || !read_side(object, "size", &options.size, error) ||
        !read_side(object, "view", &options.view, error) || !read_switch(object, "panel", &options.no_panel, error) ||
        !read_switch(object, "highlight", &options.no_highlight, error) ||
        !read_channels(object, use, &options.indexed, error))
        return false;
    export->look = sb_look_find(export->family, name, error);
    if (!export->look) return false;
    if (use == SB_PIXELS_FILES) options.indexed = export->look->indexed;
    return (export->brush = *brush = sb_brush_make(export->family, export->look, &options, error));
}

bool sb_pixels_read(sb_export *export, const cJSON *options, sb_pixels_use use, sb_brush **brush, sb_error *error) {
    const cJSON *object;
    export->brush = *brush = NULL, export->look = NULL;
    if (!cJSON_HasObjectItem(options, "pixels")) return true;
    return (sb_json_object(options, "pixels", &object, error) && read(export, object, use, brush, error)) ||
           sb_fail_at(error, "key `pixels`");
}
