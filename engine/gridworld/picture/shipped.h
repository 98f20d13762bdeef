/* The drawings of the looks `flat` and `isometric`, from which cmake/embed.cmake makes these arrays. */
#ifndef SB_GRIDWORLD_PICTURE_SHIPPED_H
#define SB_GRIDWORLD_PICTURE_SHIPPED_H

extern const unsigned char sb_shipped_tiles8[];
extern const unsigned char sb_shipped_sprites[];

#endif
