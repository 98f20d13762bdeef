/* Documents that the build embeds in the program (cmake/embed.cmake). */
#ifndef SB_EXPORTERS_SHIPPED_H
#define SB_EXPORTERS_SHIPPED_H

#include <stddef.h>

extern const unsigned char sb_shipped_descriptions[]; /* exporters/descriptions.json */
extern const size_t sb_shipped_descriptions_size;

/* What pages of HTML share: exporters/page.css and page_player.js; and what the gallery adds. */
extern const unsigned char sb_shipped_page_style[], sb_shipped_page_player[];
extern const unsigned char sb_shipped_gallery_style[], sb_shipped_gallery_script[];
extern const size_t sb_shipped_page_style_size, sb_shipped_page_player_size, sb_shipped_gallery_style_size,
    sb_shipped_gallery_script_size;

#endif
