/* Letters and digits as dots, drawn at whole multiples of their size, never between two of them. */
#ifndef SB_BASE_PICTURES_FONT_H
#define SB_BASE_PICTURES_FONT_H

#include <stdint.h>

/* Dots of 3 x 5 or 5 x 7; letters are capitals. */
typedef enum sb_font { SB_FONT_SMALL, SB_FONT_LARGE } sb_font;

/* A letter: `width` dots a row, `height` rows. The rows are bits, the leftmost dot is bit width - 1. A character that
 * the font lacks is a question mark. */
typedef struct sb_letter {
    int width, height;
    uint8_t rows[7];
} sb_letter;

sb_letter sb_letter_of(sb_font font, char c);
/* Returns the width of a text in dots, with one empty column between letters. */
int sb_text_width(sb_font font, const char *text);

#endif
