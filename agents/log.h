/* A file for what programs write to their standard error. They write into a pipe, and a thread copies it as far as the
 * limit allows. Output beyond the limit is read and dropped, so that no program waits and no disk is filled. */
#ifndef SB_AGENTS_LOG_H
#define SB_AGENTS_LOG_H

#include <pthread.h>

#include "seedbed.h"

/* Starts zeroed. */
typedef struct sb_agent_log {
    bool begun;
    const char *path;
    int file, pipe[2], stop[2]; /* programs write into pipe[1]; the thread ends when stop[1] is closed */
    uint64_t limit, kept, dropped;
    int reason; /* errno of the write that failed, after which everything is dropped */
    pthread_t thread;
} sb_agent_log;

/* Opens the file and starts the thread. A regular file is emptied first; a device, such as /dev/null, is written
 * without a limit; a link and any other file are refused. `limit` is in bytes, 0: none; `path` stays the caller's. */
bool sb_agent_log_begin(sb_agent_log *log, const char *path, uint64_t limit, sb_error *error);
/* Copies what is still in the pipe and ends. `note` gets a line for people if the file does not hold everything, else
 * it is empty. */
void sb_agent_log_end(sb_agent_log *log, char *note, size_t size);

#endif
