/* How episodes are shown to people: as text, or as pictures on the terminal. Pictures are half blocks in 24-bit colour,
 * or real pixels where the terminal says that it understands kitty's graphics protocol. */
#ifndef SB_CLI_DISPLAY_H
#define SB_CLI_DISPLAY_H

#include "cli/drawing.h"

/* Returns the family's first mode, or its coloured form if the family has a mode `<name>_color`. */
const sb_mode *cli_picture_mode(const sb_family *family, bool color);

/* Where the cells of the click area are in what was shown. */
typedef struct cli_cells {
    int first_line;        /* how many lines are above them */
    int width, half_lines; /* of a cell: its columns, and its height in halves of lines */
    int n_x, n_y;          /* how many are shown, from (0,0); 0: none */
} cli_cells;

typedef struct cli_display {
    bool color;              /* of texts */
    const cli_look *look;    /* NULL: texts */
    bool has_pixels;         /* the terminal draws pictures */
    const sb_family *family; /* that was shown last */
    sb_brush *brush;         /* for this family */
    sb_image image;
    cli_cells cells; /* that were shown last */
} cli_display;

/* A row for the option that says how pictures get onto the terminal. */
#define CLI_PICTURES_OPTION(type, member)                                                                              \
    CLI_ROW("pictures", 0, "auto|kitty|blocks",                                                                        \
            "how --look draws on a terminal (default: auto, which asks the terminal)",                                 \
            CLI_TEXT(type, member, CLI_WORD), CLI_WORDS("auto", "kitty", "blocks"))

/* Begins to show texts, or pictures if the look has a name. `how`: a word of the option; NULL: auto. Pictures need a
 * terminal or --color always. */
bool cli_display_begin(cli_display *display, const cli_common *common, const cli_look *look, const char *how,
                       sb_error *error);
void cli_display_end(cli_display *display);

/* Puts a picture as half blocks in 24-bit colour: a character shows two pixels, one above the other. */
void cli_put_blocks(sb_out *out, const sb_image *image);
/* Puts what the environment shows: a picture, or the observation in cli_picture_mode. */
bool cli_put_shown(sb_out *out, const sb_env *env, cli_display *display, sb_error *error);

#endif
