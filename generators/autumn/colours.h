/* Colours by name: the numbers of the published evaluation code, and how they look. */
#ifndef SB_AUTUMN_COLOURS_H
#define SB_AUTUMN_COLOURS_H

#include <stdbool.h>
#include <stdint.h>

/* A colour is its place in the list, from 1. The place before the list stands for what is off the grid, the one behind
 * it for texts that are not in the list. */
enum {
    SB_NO_COLOUR,
#define SB_COLOUR(number, name, rgb) +1
    SB_OTHER_COLOUR = SB_NO_COLOUR + 1
#include "generators/autumn/colours.def"
    ,
#undef SB_COLOUR
    SB_N_COLOURS /* the colours of the list and the two places beside it */
};

/* Finds a colour by its name. `any_case`: capital letters count as small ones. */
uint8_t sb_colour_find(const char *name, bool any_case);
/* Returns the published number: 0 off the grid, 255 for a colour without one. */
uint8_t sb_colour_number(uint8_t colour);
/* Returns the name of a colour of the list. */
const char *sb_colour_name(uint8_t colour);
/* Returns how a colour looks, as 0xRRGGBB; what is not in the list is black. */
uint32_t sb_colour_rgb(uint8_t colour);
/* Returns the colour of the list that is nearest to a lighter or a darker shade of this one.
 * Cost: a look at all colours, a microsecond. */
uint8_t sb_colour_shade(uint8_t colour, bool lighter);

#endif
