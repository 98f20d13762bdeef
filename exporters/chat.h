/* Files of format `chat` with pictures: zip archives that the library `datasets` loads as a folder of images. A row of
 * `metadata.jsonl` names its pictures, which lie in the archive as PNG files. */
#ifndef SB_EXPORTERS_CHAT_H
#define SB_EXPORTERS_CHAT_H

#include "base/zip.h"
#include "exporters/conversation.h"

/* The beginning of the content of an episode, which is what its hash is over: this head, the rows, and the pixels
 * before every step. */
typedef struct sb_chat_head {
    uint64_t episode_id, n_text; /* n_text: bytes of the rows */
    uint32_t n, height, width;   /* pictures, and the size of each, in pixels */
    uint32_t depth;              /* bytes of a pixel: 1, a colour number, or 3 */
} sb_chat_head;

/* Writes the name of the picture before a step of an episode. */
enum { SB_CHAT_PICTURE_NAME = 64 };
void sb_chat_picture_name(uint64_t episode_id, size_t step, char name[SB_CHAT_PICTURE_NAME]);

/* The hooks of the format (sb_exporter). Packing turns pixels into PNG files. */
bool sb_chat_pack(const sb_export *export, const char *rows, size_t n, sb_out *out, sb_error *error);

typedef struct sb_chat_writer {
    int level;
    sb_zip zip;
    sb_zip_member metadata; /* compressed rows of all episodes so far */
} sb_chat_writer;

bool sb_chat_begin(void *writer, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error);
bool sb_chat_add(void *writer, const char *packed, size_t n, uint64_t n_rows, sb_out *out, sb_error *error);
bool sb_chat_finish(void *writer, sb_out *out, sb_error *error);
void sb_chat_end(void *writer);

typedef struct sb_chat_comparer {
    const sb_export *export;
    sb_unzip zip;
    sb_unzip_member metadata, picture;
    sb_out found; /* rows, or a picture's file and its pixels */
    uint64_t n_pictures;
} sb_chat_comparer;

bool sb_chat_compare_begin(void *comparer, const sb_export *export, const char *path, sb_error *error);
bool sb_chat_compare_add(void *comparer, const char *rows, size_t n, sb_error *error);
bool sb_chat_compare_finish(void *comparer, sb_error *error);
void sb_chat_compare_end(void *comparer);

#endif
