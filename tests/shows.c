#include "tests/shows.h"

#include <string.h>

#include "tests/support.h"

enum { OBSERVATION_MAX = 1 << 20 };

static void fail_in(const sb_env *env, const char *kind, const char *name, const char *text, const char *masked) {
    fail_msg("%s/%s#%llu, step %d: %s %s tells what is hidden\n%s\nmasked:\n%s", env->name.task, env->name.difficulty,
             (unsigned long long)env->name.seed, env->status.steps, kind, name, text, masked);
}

static void compare_texts(const sb_env *env, const sb_env *masked) {
    static char text[OBSERVATION_MAX], other[OBSERVATION_MAX];
    for (size_t m = 0; m < env->family->n_modes; m++) {
        const sb_mode *mode = &env->family->modes[m];
        if (mode->privileged) continue;
        assert_true(sb_observe(env, mode, text, sizeof text) < sizeof text);
        assert_true(sb_observe(masked, mode, other, sizeof other) < sizeof other);
        if (strcmp(text, other) != 0) fail_in(env, "mode", mode->name, text, other);
    }
}

static void compare_arrays(const sb_env *env, const sb_env *masked) {
    static int64_t numbers[OBSERVATION_MAX / sizeof(int64_t)], others[OBSERVATION_MAX / sizeof(int64_t)];
    for (size_t a = 0; a < env->family->n_arrays; a++) {
        const sb_array *array = &env->family->arrays[a];
        const size_t size = sb_observe_array(env, array, numbers, sizeof numbers);
        assert_in_range(size, 1, sizeof numbers);
        assert_int_equal(sb_observe_array(masked, array, others, sizeof others), size);
        if (memcmp(numbers, others, size) != 0) fail_in(env, "array", array->name, "", "");
    }
}

void assert_shows_the_same(const sb_env *env, const sb_env *masked) {
    compare_texts(env, masked);
    compare_arrays(env, masked);
}
