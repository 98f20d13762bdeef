/* The families with recordings. */
#include "conformance/conformance.h"

extern const sb_conformer sb_agentick_conformer, sb_babyai_conformer;

static const sb_conformer *const conformers[] = {&sb_agentick_conformer, &sb_babyai_conformer, NULL};

const sb_conformer *sb_conformer_of(const sb_family *family) {
    for (const sb_conformer *const *conformer = conformers; *conformer; conformer++)
        if ((*conformer)->family == family) return *conformer;
    return NULL;
}
