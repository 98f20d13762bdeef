#include <signal.h>

#include "cli/cli.h"
#include "cli/output.h"

/* If a signal asked the command to end, it has cleaned up by now; the program then ends by that signal. */
int main(int argc, char **argv) {
    const int status = cli_main(argc, argv);
    if (status > CLI_SIGNAL) raise(status - CLI_SIGNAL);
    return status;
}
