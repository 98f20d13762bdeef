#include "exporters/exporter.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

extern const sb_exporter sb_steps;

const sb_exporter *const sb_exporters[] = {&sb_steps, NULL};

const sb_exporter *sb_exporter_find(const char *name, sb_error *error) {
    char known[120] = "";
    for (const sb_exporter *const *exporter = sb_exporters; *exporter; exporter++) {
        if (strcmp((*exporter)->name, name) == 0) return *exporter;
        const size_t n = strlen(known);
        snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", (*exporter)->name);
    }
    sb_fail(error, SB_UNKNOWN, "unknown format `%.40s`; there is: %s", name, known);
    return NULL;
}

static bool add_mode(sb_export *options, const sb_family *family, const char *name, sb_error *error) {
    const sb_mode *mode = sb_mode_find(family, name, error);
    if (!mode) return false;
    for (size_t i = 0; i < options->n_modes; i++)
        if (options->modes[i] == mode) return sb_fail(error, SB_INVALID, "observation mode %s is given twice", name);
    if (options->n_modes == SB_EXPORT_MODES)
        return sb_fail(error, SB_INVALID, "more than %d observation modes", SB_EXPORT_MODES);
    options->modes[options->n_modes++] = mode;
    return true;
}

bool sb_export_modes(sb_export *options, const sb_family *family, const char *modes, sb_error *error) {
    options->n_modes = 0;
    for (const char *const *mode = family->dataset_modes; !modes && *mode; mode++)
        if (!add_mode(options, family, *mode, error)) return false;
    while (modes) {
        char name[40];
        const char *comma = strchr(modes, ',');
        snprintf(name, sizeof name, "%.*s", (int)(comma ? comma - modes : (long)strlen(modes)), modes);
        if (!add_mode(options, family, name, error)) return false;
        modes = comma ? comma + 1 : NULL;
    }
    return true;
}
