/* The drawings of the look `flat`, from which cmake/embed.cmake makes this array. */
#ifndef SB_GRIDWORLD_PICTURE_SHIPPED_H
#define SB_GRIDWORLD_PICTURE_SHIPPED_H

extern const unsigned char sb_shipped_tiles8[];

#endif
