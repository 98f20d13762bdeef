#include "generators/autumn/colours.h"

#include <string.h>
#include <strings.h>

typedef struct colour {
    const char *name;
    uint32_t rgb;
    uint8_t number;
} colour;

#define SB_COLOUR(its_number, its_name, its_rgb) {.name = its_name, .rgb = its_rgb, .number = its_number},
static const colour colours[] = {
#include "generators/autumn/colours.def"
};
#undef SB_COLOUR

static const colour *find(const char *name, bool any_case) {
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if ((any_case ? strcasecmp : strcmp)(colours[i].name, name) == 0) return &colours[i];
    return NULL;
}

uint8_t sb_colour_number(const char *name, bool any_case) {
    const colour *found = find(name, any_case);
    return found ? found->number : SB_UNKNOWN_COLOUR;
}

uint32_t sb_colour_rgb(const char *name) {
    const colour *found = find(name, false);
    return found ? found->rgb : 0;
}
