/* Frames on pages of HTML: the script that paints them (class FramePainter), and the colours of published games. */
#ifndef SB_EVALUATION_MODELS_FRAMES_PAGE_H
#define SB_EVALUATION_MODELS_FRAMES_PAGE_H

#include "exporters/page.h"

/* Puts the style and the script of a page behind those of frames; `room` has to be kept until the page is written. */
sb_page_part sb_frames_page_style(sb_out *room, sb_page_part own);
sb_page_part sb_frames_page_script(sb_out *room, sb_page_part own);
/* Puts a member `colours` with the colours of published frames: those with which the family that has such frames is
 * drawn. */
bool sb_frames_page_put_colours(sb_out *out, sb_error *error);

#endif
