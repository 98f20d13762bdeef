/* Writes a task's configuration as JSON members, in the published order. If `c->hidden` is set, private members are
 * included. */
#ifndef SB_GRIDWORLD_CONFIG_H
#define SB_GRIDWORLD_CONFIG_H

#include "engine/gridworld/episode.h"

struct sb_config {
    sb_out *out;
    bool hidden; /* for the coding API: the complete configuration; else only what observations may show */
};

void sb_config_xy(sb_config *c, const char *key, sb_xy value);
void sb_config_cells(sb_config *c, const char *key, const sb_xy *cells, size_t n);
void sb_config_ints(sb_config *c, const char *key, const int32_t *values, size_t n);
void sb_config_text(sb_config *c, const char *key, const char *value);
void sb_config_int(sb_config *c, const char *key, int64_t value);
void sb_config_double(sb_config *c, const char *key, double value);
void sb_config_null(sb_config *c, const char *key);
void sb_config_bool(sb_config *c, const char *key, bool value);

/* Puts `[x, y]`. */
void sb_put_xy(sb_out *out, sb_xy value);
/* Puts the whole configuration as a JSON object. */
void sb_put_config(sb_out *out, const sb_episode *e, bool hidden);

#endif
