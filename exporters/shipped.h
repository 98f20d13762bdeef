/* Documents that the build embeds in the program (cmake/embed.cmake). */
#ifndef SB_EXPORTERS_SHIPPED_H
#define SB_EXPORTERS_SHIPPED_H

#include <stddef.h>

extern const unsigned char sb_shipped_descriptions[]; /* exporters/descriptions.json */
extern const size_t sb_shipped_descriptions_size;

#endif
