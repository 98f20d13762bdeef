/* The files of a folder of plays (collection.h), line by line. */
#ifndef SB_EVALUATION_STUDY_FOLDER_H
#define SB_EVALUATION_STUDY_FOLDER_H

#include "base/hash.h"
#include "seedbed.h"

typedef enum { SB_FOLDER_STUDY, SB_FOLDER_TAPES, SB_FOLDER_PARTICIPANTS, SB_FOLDER_FILES } sb_folder_file;

bool sb_folder_path(const char *folder, sb_folder_file which, char *path, size_t capacity, sb_error *error);

/* Takes a line without its newline. */
typedef bool sb_folder_line(void *context, sb_folder_file which, const char *line, size_t n, sb_error *error);

/* Goes through the lines of a file. `good` is where those end that are whole: a last line that is no JSON, or has no
 * newline, is what a failure left of a record that nobody was told is kept. Such a line further up is an error. */
bool sb_folder_walk(sb_folder_file which, const char *text, size_t n, sb_folder_line *take, void *context, size_t *good,
                    sb_error *error);

/* Reads the line of a participant who was forgotten: the SHA-256 of the number. False: the line says something else. */
bool sb_forgotten_read(const char *line, size_t n, char hex[SB_SHA256_HEX]);

#endif
