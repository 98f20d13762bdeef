/* Colours by name: the numbers of the published evaluation code, and how they look. */
#ifndef SB_AUTUMN_COLOURS_H
#define SB_AUTUMN_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

/* 0 stands for cells off the grid; a text without a number of its own has the last one. */
enum { SB_NO_CELL = 0, SB_UNKNOWN_COLOUR = 255 };

/* Returns the number of a colour. `any_case`: capital letters count as small ones. */
uint8_t sb_colour_number(const char *name, bool any_case);
/* Returns how a colour looks, as 0xRRGGBB; that of no known colour is black. */
uint32_t sb_colour_rgb(const char *name);

#endif
