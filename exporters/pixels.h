/* The option `pixels` of formats that hold pictures: {"look": "flat", "tile": 8, "size": 512, "view": 0, "panel": true,
 * "highlight": true, "channels": 3}. All but the look may be left out. */
#ifndef SB_EXPORTERS_PIXELS_H
#define SB_EXPORTERS_PIXELS_H

#include "exporters/exporter.h"
#include "seedbed/picture.h"

/* What a format makes of pictures. */
typedef enum sb_pixels_use {
    SB_PIXELS_RGB,    /* arrays of red, green and blue */
    SB_PIXELS_CHOICE, /* arrays of red, green and blue, or with `channels` 1 of colour numbers */
    SB_PIXELS_FILES   /* picture files: the brush has colour numbers if the look can */
} sb_pixels_use;

/* Makes the brush that the options of a format ask for, and sets export->look and export->brush; sets all to NULL if
 * the options have no key `pixels`. The caller frees the brush. */
bool sb_pixels_read(sb_export *export, const cJSON *options, sb_pixels_use use, sb_brush **brush, sb_error *error);

#endif
