/* Documents that come with the program, as the build put them into it (cmake/embed.cmake). */
#ifndef SB_SHIPPED_H
#define SB_SHIPPED_H

#include <stddef.h>

extern const unsigned char sb_shipped_baseline[];  /* evaluation/baseline.json */
extern const unsigned char sb_shipped_published[]; /* evaluation/published.json */
extern const size_t sb_shipped_baseline_size, sb_shipped_published_size;

#endif
