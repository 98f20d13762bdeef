/* Files of format `chat` with pictures: zip archives that the library `datasets` loads as a folder of images. A row of
 * `metadata.jsonl` names its pictures, which lie in the archive as PNG files. */
#ifndef SB_EXPORTERS_CHAT_PICTURES_H
#define SB_EXPORTERS_CHAT_PICTURES_H

#include "exporters/exporter.h"

/* The content of an episode, which is what its hash is over: this head, the rows, and the pixels before every step. */
typedef struct sb_chat_head {
    uint64_t episode_id, n_text; /* n_text: bytes of the rows */
    uint32_t n, height, width;   /* pictures, and the size of each, in pixels */
    uint32_t depth;              /* bytes of a pixel: 1, a colour number, or 3 */
} sb_chat_head;

/* Writes the name of the picture before a step of an episode. */
enum { SB_CHAT_PICTURE_NAME = 64 };
void sb_chat_picture_name(uint64_t episode_id, size_t step, char name[SB_CHAT_PICTURE_NAME]);

/* The format, if its options ask for pictures. */
extern const sb_exporter sb_chat_with_pictures;

#endif
