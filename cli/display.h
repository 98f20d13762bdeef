/* How episodes are shown to people: as pictures, where the terminal can draw the look for people so that it tells
 * everything, else as texts. Files and pipes get texts, unless --look asks for pictures. */
#ifndef SB_CLI_DISPLAY_H
#define SB_CLI_DISPLAY_H

#include "cli/canvas.h"
#include "cli/drawing.h"

/* What the options say about how episodes are shown. */
typedef struct cli_showing {
    const char *mode; /* the observation mode of texts; NULL: what suits the terminal is shown */
    cli_look look;
    const char *pictures; /* how they get onto the terminal; NULL: auto */
} cli_showing;

/* Rows for a cli_showing in a command's options. */
#define CLI_SHOWING_OPTIONS(type, showing)                                                                             \
    CLI_LOOK_OPTIONS(type, showing.look),                                                                              \
        CLI_ROW("pictures", 0, "auto|kitty|blocks", "how pictures get onto a terminal (default: auto, found out)",     \
                CLI_TEXT(type, showing.pictures, CLI_WORD), CLI_WORDS("auto", "kitty", "blocks"))
#define CLI_MODE_OPTION(type, showing, letter)                                                                         \
    CLI_ROW("mode", letter, "MODE", "show texts, in this observation mode (see `seedbed tasks`)",                      \
            CLI_TEXT(type, showing.mode, CLI_MODE))

/* So many columns, or halves of lines, of the terminal show so many cells. */
typedef struct cli_scale {
    int places, cells;
} cli_scale;

/* Where the cells of the click area are in what was shown. */
typedef struct cli_cells {
    cli_scale across, down;
    int n_x, n_y; /* how many cells are shown across and down, from (0,0); 0: none */
} cli_cells;

/* The part of the terminal that is left for a picture and the lines around it. */
typedef struct cli_room {
    int columns;    /* 0: the output is no terminal, and there is no limit */
    int lines;      /* lines that are left if everything else is shown */
    int most_lines; /* lines that are left if all that can be left out is */
} cli_room;

/* The room below the given number of lines, of which some can be left out. */
cli_room cli_room_below(int lines, int needed_lines);

typedef struct cli_display {
    const cli_showing *showing; /* NULL: only texts */
    bool color;                 /* texts are coloured */
    bool is_asked;              /* the options name a look */
    cli_canvas canvas;
    /* What the picture was fitted to last, and how. */
    const sb_family *family;
    const sb_task_info *task;
    size_t difficulty;
    cli_room room;
    sb_brush *brush; /* draws the pictures; NULL: texts are better there */
    int line_pixels; /* kitty: pixels in a line */
    int shrink;      /* so many cells become one, in each direction */
    sb_image image;
    /* The last thing that was shown. */
    /* is_drawn: what was shown has rows of cells, which must not be wrapped. */
    bool is_picture, is_drawn;
    /* Where the picture, or a text's rows of cells, begin in what was shown, and where what follows them begins. */
    size_t grid, below;
    cli_cells cells;
} cli_display;

/* Begins to show what the options say; `showing` NULL: texts. Fails if pictures are asked for and cannot be drawn. */
bool cli_display_begin(cli_display *display, const cli_common *common, const cli_showing *showing, sb_error *error);
void cli_display_end(cli_display *display);

/* Fails if the family has no such mode or look. */
bool cli_display_suits(const cli_display *display, const sb_family *family, sb_error *error);

/* Puts what the environment shows: a picture with what only texts tell around it, or a text. */
bool cli_put_shown(sb_out *out, const sb_env *env, cli_display *display, const cli_room *room, sb_error *error);

#endif
