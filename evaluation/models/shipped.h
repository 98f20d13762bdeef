/* Documents that the build embeds in the program (cmake/embed.cmake). */
#ifndef SB_EVALUATION_MODELS_SHIPPED_H
#define SB_EVALUATION_MODELS_SHIPPED_H

#include <stddef.h>

extern const unsigned char sb_shipped_check_style[],
    sb_shipped_check_script[]; /* evaluation/models/check_page.css, .js */
extern const size_t sb_shipped_check_style_size, sb_shipped_check_script_size;

#endif
