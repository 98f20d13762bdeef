/* Files that the build embeds in the program (cmake/embed.cmake). */
#ifndef SB_CLI_SHIPPED_H
#define SB_CLI_SHIPPED_H

#include <stddef.h>

extern const unsigned char sb_shipped_completion_bash[], sb_shipped_completion_zsh[]; /* cli/completion.bash and .zsh */
extern const size_t sb_shipped_completion_bash_size, sb_shipped_completion_zsh_size;

/* docs/measured/results.json, docs/measured/results-babyai.json, docs/measured/results-arc.json */
extern const unsigned char sb_shipped_results[], sb_shipped_results_babyai[], sb_shipped_results_arc[];
extern const size_t sb_shipped_results_size, sb_shipped_results_babyai_size, sb_shipped_results_arc_size;

extern const unsigned char sb_shipped_games[]; /* docs/measured/games.json */
extern const size_t sb_shipped_games_size;

#endif
