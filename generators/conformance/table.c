/* The families with recordings. */
#include "generators/conformance/arc.h"
#include "generators/conformance/babyai_pictures.h"

extern const sb_conformer sb_agentick_conformer, sb_babyai_conformer;

static const sb_conformer *const conformers[] = {&sb_agentick_conformer, &sb_babyai_conformer, NULL};

const sb_conformer *sb_conformer_of(const sb_family *family) {
    for (const sb_conformer *const *conformer = conformers; *conformer; conformer++)
        if ((*conformer)->family == family) return *conformer;
    return NULL;
}

const sb_conformer *sb_conformer_without_task(const cJSON *recording, const char **what) {
    if ((*what = sb_arc_recording(recording))) return &sb_arc_conformer;
    if (!sb_is_tile(recording)) return NULL;
    *what = "MiniGrid tiles";
    return &sb_babyai_conformer;
}
