/* The playground: a page on which people play, in one file of HTML that loads nothing. It has the library inside as a
 * WebAssembly module. Its sources are in web/playground/. */
#ifndef SB_EVALUATION_PLAYGROUND_H
#define SB_EVALUATION_PLAYGROUND_H

#include "rollout/selection.h"

/* Largest sizes of a page and of a module, in bytes. */
enum { SB_PLAYGROUND_MOST = 3000000, SB_PLAYGROUND_MODULE = 4 << 20 };

typedef struct sb_playground {
    const sb_out *module;       /* seedbed.wasm (scripts/wasm) */
    const sb_selection *listed; /* these episodes alone are listed; NULL: all tasks, with the seeds of the split eval */
    /* the programs and starts of episodes that are put into the page; NULL: none */
    const sb_catalogue *catalogue;
    const char *study; /* a study, a JSON document; NULL: none */
    /* where the study's tapes go: an address of http or https, or one relative to that of the page; NULL: nowhere */
    const char *collect;
} sb_playground;

/* Fails unless these bytes are a module that was built from the same sources of web/ as this program. `name`: the
 * file, for errors. */
bool sb_playground_check_module(const sb_out *bytes, const char *name, sb_error *error);
/* Writes the page. Fails if it has more than SB_PLAYGROUND_MOST bytes. */
bool sb_playground_put(const sb_playground *playground, sb_out *out, sb_error *error);

#endif
