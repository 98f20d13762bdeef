/* Pages of HTML that play episodes. A page is one file, uses no network, and has its data in a script element. */
#ifndef SB_EXPORTERS_PAGE_H
#define SB_EXPORTERS_PAGE_H

#include "exporters/mosaic.h"

/* A style or a script of one page, which stands behind those that all pages share (page.css, page_player.js). */
typedef struct sb_page_part {
    const void *text;
    size_t n;
} sb_page_part;

/* Writes everything up to the beginning of the body. The title is HTML. */
void sb_page_begin(sb_out *out, const char *title, sb_page_part style);
/* Writes the elements that the player fills: picture, text, buttons and a line about the step. The page's script shows
 * them. `playground` is the name of a playground's page in the same folder, to which each episode links; NULL: there is
 * none. */
void sb_page_player(sb_out *out, const char *playground);
/* Writes the data, a JSON document. */
void sb_page_data(sb_out *out, const sb_out *data);
/* Writes the data compressed, for large pages. The script gets it as a promise (unpackData). */
bool sb_page_packed_data(sb_out *out, const sb_out *data, sb_error *error);
/* Writes the scripts and the end of the page. */
void sb_page_end(sb_out *out, sb_page_part script);

/* Writes the member `atlas` of the data: the tiles of all pictures that are drawn with this brush. */
bool sb_page_put_atlas(const sb_mosaic *mosaic, const sb_brush *brush, sb_out *data, sb_error *error);

#endif
