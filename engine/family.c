#include "engine/family.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* Names side by side for an error message, as many as fit. */
typedef struct listing {
    char text[120];
    size_t size;
} listing;

static void list_name(listing *list, const char *name) {
    size_t n = strlen(name);
    if (list->size + n + 6 >= sizeof list->text) {
        if (list->size >= 3 && strcmp(list->text + list->size - 3, "...") != 0)
            list->size += (size_t)sprintf(list->text + list->size, ", ...");
        return;
    }
    list->size += (size_t)sprintf(list->text + list->size, "%s%s", list->size ? ", " : "", name);
}

const sb_family *sb_family_find(const char *name, sb_error *error) {
    for (const sb_family *const *family = sb_families; *family; family++)
        if (strcmp((*family)->name, name) == 0) return *family;
    listing known = {0};
    for (const sb_family *const *family = sb_families; *family; family++) list_name(&known, (*family)->name);
    sb_fail(error, SB_UNKNOWN, "unknown family `%.40s`; there is: %s", name, known.text);
    return NULL;
}

const sb_mode *sb_mode_find(const sb_family *family, const char *name, sb_error *error) {
    for (size_t i = 0; i < family->n_modes; i++) {
        const sb_mode *mode = &family->modes[i];
        if (strcmp(mode->name, name) == 0 || (mode->alias && strcmp(mode->alias, name) == 0)) return mode;
    }
    listing known = {0};
    for (size_t i = 0; i < family->n_modes; i++) list_name(&known, family->modes[i].name);
    sb_fail(error, SB_UNKNOWN, "unknown observation mode `%.40s`; %s has: %s", name, family->name, known.text);
    return NULL;
}

/* Whether `name` is the full name, or the full name without its `-v<digits>`. */
static bool names_task(const char *name, const char *full) {
    size_t n = strlen(name);
    if (strncmp(name, full, n) != 0) return false;
    const char *rest = full + n;
    return *rest == '\0' ||
           (rest[0] == '-' && rest[1] == 'v' && rest[2] && strspn(rest + 2, "0123456789") == strlen(rest + 2));
}

static size_t common_prefix(const char *a, const char *b) {
    size_t n = 0;
    while (a[n] && tolower((unsigned char)a[n]) == tolower((unsigned char)b[n])) n++;
    return n;
}

bool sb_task_find(const sb_family *family, const char *name, size_t *index, sb_error *error) {
    const char *closest = family->task(0)->name;
    for (size_t i = 0; i < family->n_tasks; i++) {
        const char *full = family->task(i)->name, *alias = family->task(i)->alias;
        if (names_task(name, full) || (alias && names_task(name, alias))) return *index = i, true;
        if (common_prefix(name, full) > common_prefix(name, closest)) closest = full;
    }
    if (common_prefix(name, closest) >= 3)
        return sb_fail(error, SB_UNKNOWN, "unknown task `%.40s` of family %s; did you mean %s?", name, family->name,
                       closest);
    return sb_fail(error, SB_UNKNOWN, "unknown task `%.40s` of family %s; `seedbed tasks` lists them", name,
                   family->name);
}

bool sb_variant_find(const sb_family *family, const char *name, size_t *index, sb_error *error) {
    if (family->n_variants == 0) {
        *index = 0;
        return *name == '\0' ||
               sb_fail(error, SB_UNKNOWN, "family %s has no variants: leave out `/%.20s`", family->name, name);
    }
    for (size_t i = 0; i < family->n_variants; i++)
        if (strcmp(family->variants[i], name) == 0) return *index = i, true;
    listing known = {0};
    for (size_t i = 0; i < family->n_variants; i++) list_name(&known, family->variants[i]);
    if (*name == '\0') return sb_fail(error, SB_INVALID, "the difficulty is missing; one of: %s", known.text);
    return sb_fail(error, SB_UNKNOWN, "unknown difficulty `%.20s`; there is: %s", name, known.text);
}

size_t sb_scalar_size(sb_scalar type) {
    static const uint8_t sizes[SB_N_SCALARS] = {
        [SB_BOOL] = 1,  [SB_CHAR] = 1,  [SB_INT8] = 1,   [SB_UINT8] = 1, [SB_INT16] = 2,
        [SB_INT32] = 4, [SB_INT64] = 8, [SB_UINT64] = 8, [SB_DOUBLE] = 8};
    return sizes[type];
}

/* An observation is put in small pieces: escaping all of it at once is faster, where it fits. */
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

void sb_put_observation(sb_out *out, const sb_env *env, const sb_mode *mode) {
    if (mode->document)
        env->family->observe(env, mode, out);
    else
        sb_put_observation_text(out, env, mode);
}
