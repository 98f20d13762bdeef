#include "oracles/relaxation.h"

#include <string.h>

extern const sb_relaxation sb_sokoban_push_relaxed;

static const sb_relaxation *const relaxations[] = {&sb_sokoban_push_relaxed};

const sb_relaxation *sb_relaxation_find(const char *family, const char *task) {
    for (size_t i = 0; i < sizeof relaxations / sizeof *relaxations; i++)
        if (strcmp(relaxations[i]->family, family) == 0 && strcmp(relaxations[i]->task, task) == 0)
            return relaxations[i];
    return NULL;
}
