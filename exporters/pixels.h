/* The option `pixels` of formats that hold pictures: {"look": "flat", "tile": 8, "size": 512, "view": 0, "panel": true,
 * "highlight": true}. All but the look may be left out. */
#ifndef SB_EXPORTERS_PIXELS_H
#define SB_EXPORTERS_PIXELS_H

#include "exporters/exporter.h"
#include "seedbed/picture.h"

/* Makes the brush that the options of a format ask for; sets NULL if they have no such key. The caller frees it. */
bool sb_pixels_read(const sb_family *family, const cJSON *options, sb_brush **brush, sb_error *error);

#endif
