/* Frames on pages of HTML: the script that paints them (class FramePainter), and the colours of published games. */
#ifndef SB_EVALUATION_MODELS_FRAMES_PAGE_H
#define SB_EVALUATION_MODELS_FRAMES_PAGE_H

#include "exporters/page.h"

/* The frames that are painted: before an action, as predicted, as they were, and where these differ. */
#define SB_FRAMES_FIGURES                                                                                              \
    "<div class=\"frames\">\n"                                                                                         \
    "<figure><canvas id=\"before\" role=\"img\" aria-label=\"the frame before\"></canvas>"                             \
    "<figcaption>before</figcaption></figure>\n"                                                                       \
    "<figure><canvas id=\"predicted\" role=\"img\" aria-label=\"the predicted frame\"></canvas>"                       \
    "<figcaption id=\"claim\">predicted</figcaption></figure>\n"                                                       \
    "<figure><canvas id=\"real\" role=\"img\" aria-label=\"the real frame\"></canvas>"                                 \
    "<figcaption>real</figcaption></figure>\n"                                                                         \
    "<figure><canvas id=\"difference\" role=\"img\" aria-label=\"the cells that differ\"></canvas>"                    \
    "<figcaption>difference: wrong cells are bright</figcaption></figure>\n</div>\n"

/* Puts the style and the script of a page behind those of frames; `room` has to be kept until the page is written. */
sb_page_part sb_frames_page_style(sb_out *room, sb_page_part own);
sb_page_part sb_frames_page_script(sb_out *room, sb_page_part own);
/* Puts a member `colours` with the colours of published frames: those with which the family that has such frames is
 * drawn. */
bool sb_frames_page_put_colours(sb_out *out, sb_error *error);

#endif
