#include "base/signals.h"

#include <stddef.h>

void sb_ending_signals(sigset_t *signals) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(signals);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now;
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(signals, ending[i]);
    }
}
