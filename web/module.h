/* What the module exports to JavaScript (web/package/seedbed.js), besides malloc, free and the memory.
 *
 * A session holds one environment and what is asked of it. A text goes in through sb_web_room; what a function says
 * comes out through sb_web_text, until the next call: its answer, or after a failure its error. Functions that return
 * bool tell whether they succeeded. */
#ifndef SB_WEB_MODULE_H
#define SB_WEB_MODULE_H

#include "seedbed.h"

/* Marks functions that nothing in the module calls. */
#define SB_WEB __attribute__((used, visibility("default")))

typedef struct sb_web sb_web;

enum { SB_WEB_DONE = 1 << 4 };

/* Where the episode stands. seedbed.js reads it as it lies in memory. */
typedef struct sb_web_standing {
    /* reward and dense: of the last step; totals: sums so far; score: in tasks that have one */
    double reward, dense, total, dense_total, score;
    int32_t steps, max_steps, level, n_levels;
    uint32_t flags; /* bits: terminated, truncated, success, fault, done */
} sb_web_standing;

/* ---- Libraries: what users bring ---- */

/* An empty library. NULL: out of memory. First it is filled, then sessions are opened in it, and it must outlive them.
 */
SB_WEB sb_catalogue *sb_web_library(void);
SB_WEB void sb_web_library_free(sb_catalogue *library);
/* Adds the program whose text was put into the session. Text: the names of its tasks, a line each. */
SB_WEB bool sb_web_add_program(sb_web *web, sb_catalogue *library);
/* Adds what an episode starts from. The text that was put: its name, a newline, and the family's document. */
SB_WEB bool sb_web_add_start(sb_web *web, sb_catalogue *library);

/* ---- Sessions ---- */

/* Opens a session. Names are looked up in the library, too, unless it is NULL. NULL: out of memory. */
SB_WEB sb_web *sb_web_open(const sb_catalogue *library);
SB_WEB void sb_web_close(sb_web *web);
/* Makes another session with a copy of the environment; NULL with an error in `web`. */
SB_WEB sb_web *sb_web_clone(sb_web *web);
/* Makes the environment a copy of another session's. */
SB_WEB bool sb_web_copy(sb_web *web, const sb_web *from);

/* Room for a text of n bytes, which the next function reads; NULL: out of memory. */
SB_WEB char *sb_web_room(sb_web *web, size_t n);
SB_WEB const char *sb_web_text(const sb_web *web);
SB_WEB size_t sb_web_size(const sb_web *web);
/* The sb_code of the last failure. */
SB_WEB int sb_web_code(const sb_web *web);

/* ---- Episodes ---- */

/* Hears how an episode is coming on that takes long to start (sb_start_watcher). JavaScript has this function. `what`
 * has n bytes. */
void sb_web_heard(const char *what, size_t n, double done, double of);

/* Starts the named episode. */
SB_WEB bool sb_web_start(sb_web *web);
SB_WEB bool sb_web_step(sb_web *web, sb_action action);
SB_WEB const sb_web_standing *sb_web_standing_of(const sb_web *web);
/* Text: the key of the state, 32 hexadecimal digits. */
SB_WEB void sb_web_key(sb_web *web);
/* Text: the observation. `mode` counts the family's modes from 0. */
SB_WEB bool sb_web_observe(sb_web *web, size_t mode);
/* Writes the mask of actions as bytes, or the published one, and returns how many there are; they lie where texts do.
 */
SB_WEB size_t sb_web_mask(sb_web *web, bool published);
/* Text: the name of the action. */
SB_WEB bool sb_web_action_name(sb_web *web, sb_action action);
/* Reads the name of an action, or its number; -1 with an error. */
SB_WEB sb_action sb_web_parse_action(sb_web *web);
/* Draws a picture as red, green, blue and alpha, which lie where texts do. `look` counts the family's looks from 0;
 * tile, size and view are as in sb_brush_options. */
SB_WEB bool sb_web_picture(sb_web *web, size_t look, int32_t tile, int32_t size, int32_t view, bool panel);
SB_WEB int32_t sb_web_picture_width(const sb_web *web);
/* How many frames the last action has shown, at least 1; and shows one of them, from 0, in place of the last until the
 * next step: in a copy, because whoever acts has to see the last. */
SB_WEB int32_t sb_web_frames(const sb_web *web);
SB_WEB bool sb_web_show_frame(sb_web *web, int32_t frame);

/* ---- Oracles and tapes ---- */

/* Asks the named agent what it would do now; an empty text stands for the task's usual one. Agents that remember what
 * they were shown are shown the episode from its start on. Text: a JSON object. */
SB_WEB bool sb_web_hint(sb_web *web);
/* Text: sentences that say why the action of the last hint is right, as far as `depth` goes (sb_depth). Empty if there
 * is nothing to say. */
SB_WEB bool sb_web_reason(sb_web *web, int depth);
/* Text: the tape of what was played so far; the text that goes in is the name of who played. */
SB_WEB bool sb_web_tape(sb_web *web);
/* Plays a tape, and compares its end. */
SB_WEB bool sb_web_replay(sb_web *web);

/* ---- Documents: JSON ---- */

/* What the episode is: its name, actions, modes, looks, agents. */
SB_WEB bool sb_web_about(sb_web *web);
/* Text in Markdown: what a solver should know of the task; of tests, what its agent is told. Empty: nobody wrote it. */
SB_WEB bool sb_web_page(sb_web *web);
/* All families with their tasks. */
SB_WEB bool sb_web_catalogue(sb_web *web);
/* A tape, taken apart: `name`, `agent`, `actions`. */
SB_WEB bool sb_web_read_tape(sb_web *web);

#endif
