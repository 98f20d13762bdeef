/* Members of a line of the protocol, found without looking at long texts sign by sign: most of a line is frames. */
#ifndef SB_EVALUATION_MODELS_MEMBERS_H
#define SB_EVALUATION_MODELS_MEMBERS_H

#include "base/json_scan.h"

/* Whether a text, with its quotes, is this name. */
bool sb_model_is_key(const sb_json_part *key, const char *name);

/* Finds the members of an object by name (NULL-terminated); those that are not there have n = 0. Of equal keys the last
 * one counts. Nothing is checked: of what is no JSON, parts may be anything within the text, and who reads one parses
 * it. */
void sb_model_members(const sb_json_part *object, const char *const names[], sb_json_part parts[]);

#endif
