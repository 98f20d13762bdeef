#include "engine/environment.h"

#include <string.h>

#include "engine/brush.h"

size_t sb_worthwhile_actions(const sb_env *env, sb_action *out, size_t capacity) {
    const size_t n_buttons = (size_t)env->shape.n_buttons, n_actions = (size_t)env->n_actions;
    const bool all = !env->family->clicks;
    const size_t n = all ? n_actions : n_buttons;
    for (size_t i = 0; i < n && i < capacity; i++) out[i] = (sb_action)i;
    if (all || !sb_has_clicks(&env->shape)) return n;
    const bool fits = n < capacity;
    return n + env->family->clicks(env, fits ? out + n : NULL, fits ? capacity - n : 0);
}

size_t sb_scalar_size(sb_scalar type) {
    static const uint8_t sizes[SB_N_SCALARS] = {
        [SB_BOOL] = 1,  [SB_CHAR] = 1,  [SB_INT8] = 1,   [SB_UINT8] = 1, [SB_INT16] = 2,
        [SB_INT32] = 4, [SB_INT64] = 8, [SB_UINT64] = 8, [SB_DOUBLE] = 8};
    return (unsigned)type < SB_N_SCALARS ? sizes[type] : 0;
}

size_t sb_numbers_size(sb_scalar type, int rank, const int32_t *extent) {
    size_t size = sb_scalar_size(type);
    for (int i = 0; i < rank; i++) size *= (size_t)extent[i];
    return size;
}

bool sb_has_array(const sb_family *family, const sb_array *array) {
    return array->brush ? array->brush->family == family
                        : array >= family->arrays && array < family->arrays + family->n_arrays;
}

void sb_extent_of(const sb_array *array, const sb_family *family, const sb_task_info *task, size_t difficulty,
                  const sb_shape *shape, int32_t extent[SB_ARRAY_RANK]) {
    if (!array->brush) {
        memcpy(extent, shape->extent[array - family->arrays], sizeof(int32_t[SB_ARRAY_RANK]));
        return;
    }
    family->pictures->size(array->brush, task, difficulty, extent);
    extent[2] = array->rank == 3 ? sb_brush_depth(array->brush) : 0;
}

void sb_fill_array(const sb_env *env, const sb_array *array, void *numbers) {
    if (array->brush)
        env->family->pictures->paint(array->brush, env, numbers);
    else
        env->family->fill(env, (size_t)(array - env->family->arrays), numbers);
}

/* Adds dimensions of 1 in front, so that every array has SB_ARRAY_RANK dimensions. */
static void widen(const int32_t *extent, int rank, int32_t wide[SB_ARRAY_RANK]) {
    for (int i = 0; i < SB_ARRAY_RANK; i++) {
        const int from = i - (SB_ARRAY_RANK - rank);
        wide[i] = from < 0 ? 1 : extent[from];
    }
}

void sb_put_corner(sb_scalar type, int rank, const int32_t *extent, const int32_t *whole, const char *numbers,
                   char *to) {
    const size_t size = sb_scalar_size(type);
    int32_t n[SB_ARRAY_RANK], shape[SB_ARRAY_RANK];
    widen(extent, rank, n), widen(whole, rank, shape);
    const size_t bytes = (size_t)n[2] * size;
    for (ptrdiff_t i = 0; i < n[0]; i++)
        for (ptrdiff_t j = 0; j < n[1]; j++) {
            char *line = to + (size_t)((i * shape[1] + j) * shape[2]) * size;
            if (numbers)
                memcpy(line, numbers + (size_t)(i * n[1] + j) * bytes, bytes);
            else
                memset(line, 1, bytes);
        }
}

/* Escapes the observation all at once if it fits, which is faster than in the small pieces in which modes write. */
void sb_put_observation_text(sb_out *out, const sb_env *env, const sb_mode *mode) {
    char text[16384];
    sb_out plain = sb_out_fixed(text, sizeof text);
    env->family->observe(env, mode, &plain);
    sb_putc(out, '"');
    out->json = true;
    if (sb_out_ok(&plain))
        sb_put(out, plain.data, plain.size);
    else
        env->family->observe(env, mode, out);
    out->json = false;
    sb_putc(out, '"');
}

void sb_put_action_text(sb_out *out, const sb_env *env, sb_action action) {
    sb_putc(out, '"');
    out->json = true;
    env->family->print_action(env, action, out);
    out->json = false;
    sb_putc(out, '"');
}

void sb_put_entry(sb_out *out, const sb_env *env, sb_action entry) {
    if (entry < env->shape.n_buttons)
        env->family->print_action(env, entry, out);
    else
        sb_puts(out, "click");
}

void sb_put_entry_text(sb_out *out, const sb_env *env, sb_action entry) {
    sb_putc(out, '"');
    out->json = true;
    sb_put_entry(out, env, entry);
    out->json = false;
    sb_putc(out, '"');
}

void sb_put_observation(sb_out *out, const sb_env *env, const sb_mode *mode) {
    if (mode->document)
        env->family->observe(env, mode, out);
    else
        sb_put_observation_text(out, env, mode);
}
