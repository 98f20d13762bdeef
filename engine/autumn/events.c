/* The texts of events: `left`, `click 3 4`. */
#include <string.h>

#include "base/out.h"
#include "engine/autumn/autumn.h"

const char *const sb_autumn_key_names[SB_AUTUMN_CLICK + 1] = {"noop", "left", "right", "up", "down", "click"};

bool sb_autumn_key_find(const char *text, size_t n, sb_autumn_key *key) {
    for (int k = 0; k < SB_AUTUMN_CLICK; k++)
        if (strlen(sb_autumn_key_names[k]) == n && memcmp(sb_autumn_key_names[k], text, n) == 0)
            return *key = (sb_autumn_key)k, true;
    return false;
}

void sb_autumn_put_event(sb_out *out, sb_autumn_event event) {
    sb_puts(out, sb_autumn_key_names[event.key]);
    if (event.key == SB_AUTUMN_CLICK) sb_putf(out, " %d %d", event.x, event.y);
}
