#include "generators/autumn/worlds/first.h"

#include <string.h>

#include "base/error.h"
#include "generators/autumn/programs.h"

/* The files of generators/autumn/worlds/first, as the build embeds them; in each the world is called World. */
extern const unsigned char sb_shipped_first_sokoban[], sb_shipped_first_clicks[], sb_shipped_first_hidden[],
    sb_shipped_first_chance[];

const char *const sb_first_worlds[] = {"sokoban", "clicks", "hidden", "chance", NULL};
static const unsigned char *const texts[] = {sb_shipped_first_sokoban, sb_shipped_first_clicks, sb_shipped_first_hidden,
                                             sb_shipped_first_chance};

static bool check_name(const char *name, sb_error *error) {
    if (!sb_autumn_may_be_world(name))
        return sb_fail(error, SB_INVALID, "a world's name has at most %d letters, digits and `_`, a letter first",
                       SB_AUTUMN_WORLD_NAME_MAX);
    return !sb_autumn_is_shipped(name) ||
           sb_fail(error, SB_INVALID, "`%s` is the name of a program that comes with Seedbed", name);
}

bool sb_first_world(const char *like, const char *name, sb_out *out, sb_error *error) {
    static const char word[] = "\"World\"";
    size_t i = 0;
    while (sb_first_worlds[i] && strcmp(sb_first_worlds[i], like) != 0) i++;
    if (!sb_first_worlds[i])
        return sb_fail(error, SB_UNKNOWN, "there is no first world like `%s`; known: sokoban, clicks, hidden, chance",
                       like);
    if (!check_name(name, error)) return false;
    const char *text = (const char *)texts[i], *at = strstr(text, word);
    sb_put_any(out, text, (size_t)(at - text));
    sb_putf(out, "\"%s\"", name);
    sb_puts(out, at + strlen(word));
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for a world");
}
