/* The pictures that a program may ask for: with its hello it says how they are drawn, and every message then has one.
 */
#ifndef SB_AGENTS_PICTURE_H
#define SB_AGENTS_PICTURE_H

#include "base/json.h"
#include "engine/environment.h"
#include "seedbed/picture.h"

/* Makes the brush for episodes of the family that the key `pixels` of a hello asks for, with the options of the formats
 * (exporters/pixels.h); NULL without that key. The caller frees it. */
bool sb_hello_brush(const cJSON *hello, const sb_family *family, sb_brush **brush, sb_error *error);
/* Writes the member `picture`: a PNG file in base64. */
bool sb_member_picture(sb_out *out, const sb_brush *brush, const sb_env *env, sb_error *error);

#endif
