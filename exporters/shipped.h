/* Documents that come with the program, as the build put them into it (cmake/embed.cmake). */
#ifndef SB_EXPORTERS_SHIPPED_H
#define SB_EXPORTERS_SHIPPED_H

#include <stddef.h>

extern const unsigned char sb_shipped_descriptions[]; /* exporters/descriptions.json */
extern const size_t sb_shipped_descriptions_size;

#endif
