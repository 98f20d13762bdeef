/* The program. */
#ifndef SB_CLI_H
#define SB_CLI_H

/* Finds the command, runs it, and returns the exit code. A host program may call this any number of times, with
 * argv[argc] = NULL. It can rely on this:
 *   - One call runs at a time, in any thread. It uses the standard streams and the working directory.
 *   - It prints what a new process would print. It flushes standard output at the end and never closes it.
 *   - Afterwards everything is as before: signal dispositions and mask, umask, working directory, locale, descriptors,
 *     threads, children, memory, locks and temporary files. Only the order of the pointers in argv may have changed.
 *   - Meanwhile SIGXFSZ is ignored; commands that talk to programs or serve also ignore SIGPIPE and reset SIGCHLD
 *     (cli_expect_programs).
 *   - It does not end the process. SIGINT, SIGTERM and SIGHUP do, as long as they have their default action; a handler
 *     of the host is called, and the command goes on.
 *   - Some commands take these signals for themselves, whatever the host does with them. They end `serve --socket`,
 *     `study serve`, and `play` and `replay --step` on a terminal. The latter two return CLI_SIGNAL plus the number;
 *     but SIGINT is an ordinary way to quit them. */
int cli_main(int argc, char **argv);

#endif
