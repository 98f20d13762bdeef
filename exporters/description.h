/* Describes an episode's facts in words, in three styles that BabyBench's data sets use. The choice and order of facts
 * and the spelling of values are fixed; the sentences around them are templates (descriptions.json, or a user's
 * own). */
#ifndef SB_EXPORTERS_DESCRIPTION_H
#define SB_EXPORTERS_DESCRIPTION_H

#include "base/json.h"
#include "engine/environment.h"
#include "engine/facts.h"
#include "exporters/template.h"

typedef enum sb_style { SB_NARRATIVE, SB_STRUCTURED, SB_JSON, SB_N_STYLES } sb_style;
extern const char *const sb_style_names[SB_N_STYLES];

enum { SB_SENTENCES = 18 };

typedef struct sb_wording {
    sb_template sentences[SB_SENTENCES];
    cJSON *standard, *own; /* the documents that hold the templates' texts */
} sb_wording;

/* Opens the standard wording. `own` has sentences that replace ours, as an object or as the name of a file that holds
 * one; NULL: none. The caller closes the wording, also after a failure; an object has to outlive it. */
bool sb_wording_open(sb_wording *wording, const cJSON *own, sb_error *error);
void sb_wording_close(sb_wording *wording);

void sb_describe(const sb_wording *wording, sb_style style, const sb_facts *facts, sb_out *out);

/* Writes `(3, 4)`. */
void sb_put_cell(sb_out *out, sb_xy cell);

#endif
