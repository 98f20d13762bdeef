#include "engine/gridworld/config.h"

void sb_put_xy(sb_out *out, sb_xy value) {
    sb_puts(out, "[");
    sb_put_int(out, value.x);
    sb_puts(out, ", ");
    sb_put_int(out, value.y);
    sb_puts(out, "]");
}

void sb_config_xy(sb_config *c, const char *key, sb_xy value) {
    sb_put_key(c->out, key);
    sb_put_xy(c->out, value);
}

void sb_config_cells(sb_config *c, const char *key, const sb_xy *cells, size_t n) {
    sb_put_key(c->out, key);
    sb_puts(c->out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(c->out);
        sb_put_xy(c->out, cells[i]);
    }
    sb_puts(c->out, "]");
}

void sb_config_ints(sb_config *c, const char *key, const int32_t *values, size_t n) {
    sb_put_key(c->out, key);
    sb_puts(c->out, "[");
    for (size_t i = 0; i < n; i++) {
        sb_put_comma(c->out);
        sb_put_int(c->out, values[i]);
    }
    sb_puts(c->out, "]");
}

void sb_config_text(sb_config *c, const char *key, const char *value) { sb_member_text(c->out, key, value); }

void sb_config_int(sb_config *c, const char *key, int64_t value) { sb_member_int(c->out, key, value); }

void sb_config_double(sb_config *c, const char *key, double value) { sb_member_double(c->out, key, value); }

void sb_config_null(sb_config *c, const char *key) {
    sb_put_key(c->out, key);
    sb_puts(c->out, "null");
}

void sb_config_bool(sb_config *c, const char *key, bool value) { sb_member_bool(c->out, key, value); }

void sb_put_config(sb_out *out, const sb_episode *e, bool hidden) {
    sb_puts(out, "{");
    if (e->task->config) e->task->config(e, &(sb_config){out, hidden});
    sb_puts(out, "}");
}
