/* All that differs between systems: what is no part of POSIX stands here and nowhere else. Where a system has nothing
 * for it, or does not allow it, the same is done by means that every system has. */
#ifndef SB_BASE_SYSTEM_H
#define SB_BASE_SYSTEM_H

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "seedbed.h"

/* Fills the bytes from the generator of the operating system. */
void sb_random_bytes(void *bytes, size_t n);

/* Makes n zeroed bytes that processes can share, and gives a descriptor to map them by, which programs do not inherit.
 */
bool sb_make_shared(size_t n, int *descriptor, sb_error *error);

/* Makes a pipe whose descriptors lie above the standard streams and are not inherited by programs. After a failure both
 * are -1. */
bool sb_make_pipe(int ends[2], sb_error *error);

/* Lets a write into a pipe that nobody reads be an error and no signal, where a pipe can be told. Elsewhere callers
 * hold the signal back (base/signals.h), which is not enough on systems that send it to any thread of the process. */
void sb_silence_pipe(int descriptor);

/* Waits like poll until a descriptor can be read, also where poll takes no terminals. */
int sb_wait_for_input(struct pollfd *events, size_t n, int milliseconds);

/* Whether an error number says that a file system does not offer an operation; some systems have two such numbers. */
bool sb_is_unsupported(int reason);

/* Flushes a file or a folder to the disk itself, not only to what the disk keeps in its memory. 0, or -1 with errno. */
int sb_flush(int descriptor);

/* Drops what a stream holds and could not write. */
void sb_drop_output(FILE *stream);

/* Starts a thread with as much stack on every system: by default some give half a mebibyte. 0, or why not. */
enum { SB_STACK = 8 << 20, SB_SMALL_STACK = 1 << 18 };
int sb_start_thread(pthread_t *thread, size_t stack, void *(*work)(void *), void *context);

/* Returns the file of this program, for execv; NULL if the system does not tell. It may lie in `room`. */
enum { SB_PROGRAM_ROOM = 1024 };
const char *sb_own_program(char room[SB_PROGRAM_ROOM]);
/* Gives the words with which this program was started, separated by blanks; empty if the system does not tell. */
void sb_own_words(char *text, size_t capacity);

/* A folder with an entry for each open descriptor of the process that lists it. */
extern const char sb_descriptors_folder[];

/* Lets a forked child end when its parent ends, whatever it is doing. `life` is a pipe of the parent, of which nobody
 * else keeps ends[1] open; both ends are used up in the child. Returns false if the child would not end. */
bool sb_end_with_parent(pid_t parent, const int life[2]);

#endif
