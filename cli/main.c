#include <signal.h>

#include "cli/cli.h"

/* A command that was asked to end by a signal has put everything in order; now the program ends by that signal. */
int main(int argc, char **argv) {
    const int status = cli_main(argc, argv);
    if (status > CLI_SIGNAL) raise(status - CLI_SIGNAL);
    return status;
}
