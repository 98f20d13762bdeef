/* Options for looks, and pictures drawn by them. */
#ifndef SB_CLI_DRAWING_H
#define SB_CLI_DRAWING_H

#include "cli/command.h"
#include "exporters/image.h"

typedef struct cli_look {
    const char *name; /* NULL: no pictures are wanted, or the family's first look */
    uint64_t tile, view, size;
    bool no_panel, no_highlight;
} cli_look;

enum { CLI_TILE = 8 /* pixels of a cell's side, if the options do not say it */ };

/* Rows for a cli_look in a command's options. */
#define CLI_LOOK_OPTIONS(type, look)                                                                                   \
    CLI_ROW("look", 0, "LOOK", "draw pictures in this look (see `seedbed tasks`)",                                     \
            CLI_TEXT(type, look.name, CLI_LOOK)),                                                                      \
        CLI_ROW("tile", 0, "N", "side of a cell in pictures, in pixels (default 8)", CLI_NUMBER(type, look.tile),      \
                CLI_RANGE(1, 64)),                                                                                     \
        CLI_ROW("size", 0, "N", "look isometric: side of the picture, in pixels (default 512)",                        \
                CLI_NUMBER(type, look.size), CLI_RANGE(64, 1024)),                                                     \
        CLI_ROW("view", 0, "N", "look flat: a square of N x N cells around the agent, N odd",                          \
                CLI_NUMBER(type, look.view), CLI_RANGE(1, 61)),                                                        \
        CLI_ROW("no-panel", 0, NULL, "look flat: leave out the panel below the grid", CLI_FLAG(type, look.no_panel)),  \
        CLI_ROW("no-highlight", 0, NULL, "look grid: do not mark what the agent sees",                                 \
                CLI_FLAG(type, look.no_highlight))

/* Whether any of CLI_LOOK_OPTIONS was given, and what they are in messages. */
bool cli_look_is_given(const cli_look *look);
#define CLI_LOOK_NAMES "--look, --tile, --size, --view, --no-panel and --no-highlight"

/* What a look's options are for a brush. */
sb_brush_options cli_brush_options(const cli_look *look);
/* Makes the brush that the options name; the family's first look if they name none. The caller frees it. */
sb_brush *cli_brush_make(const sb_family *family, const cli_look *look, bool indexed, sb_error *error);

/* Draws the state as a PNG file. */
bool cli_put_still(sb_out *out, const sb_env *env, const cli_look *look, sb_error *error);

#endif
