#include "base/signals.h"

#include <stddef.h>

void sb_ending_signals(sigset_t *signals, bool handled) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(signals);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        struct sigaction now;
        if (sigaction(ending[i], NULL, &now) != 0 || now.sa_handler == SIG_IGN) continue;
        if (handled || now.sa_handler == SIG_DFL) sigaddset(signals, ending[i]);
    }
}

static const int changed[] = {SIGXFSZ, SIGPIPE, SIGCHLD};

void sb_dispositions_keep(sb_dispositions *kept) {
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) sigaction(changed[i], NULL, &kept->actions[i]);
}

void sb_dispositions_restore(const sb_dispositions *kept) {
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) sigaction(changed[i], &kept->actions[i], NULL);
}
