/* What people who played agreed to. A folder of plays (evaluation/study/collection.h) has the study beside its tapes,
 * and the dataset's card repeats what its participants consented to. */
#ifndef SB_DATASETS_CONSENT_H
#define SB_DATASETS_CONSENT_H

#include "datasets/cast.h"

/* Puts the study's name and its text of consent, with a NUL, if the recipe takes recorded tapes beside which a study
 * lies; nothing otherwise. Fails if that study cannot be read. */
bool sb_consent_find(const sb_casting *casting, sb_out *text, sb_error *error);

#endif
