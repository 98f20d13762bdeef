/* The operations of recorded scripts (generators/conformance/arc_game.c), on a stage. */
#ifndef SB_GENERATORS_CONFORMANCE_ARC_OPERATIONS_H
#define SB_GENERATORS_CONFORMANCE_ARC_OPERATIONS_H

#include "base/out.h"
#include "generators/conformance/arc_read.h"

typedef struct sb_arc_script {
    sb_arc_texts texts;
    sb_arc_stage stage;
    sb_out log;      /* what the operations of a turn told: items of a JSON list */
    sb_error *error; /* set, with is_broken, by an operation that is malformed */
    bool is_broken;
} sb_arc_script;

extern const sb_arc_hooks sb_arc_script_stage; /* the hooks of a script but `step`; the game is an sb_arc_script */

/* Does one operation, a list whose first item is its name. */
void sb_arc_operate(sb_arc_script *script, const cJSON *operation);

#endif
