/* Which keys a person plays with: keys of actions by their names, and commands of the game itself. */
#ifndef SB_CLI_KEYS_H
#define SB_CLI_KEYS_H

#include "base/out.h"
#include "engine/environment.h"

enum { CLI_MOST_BOUND = 32, CLI_KEYS = 3, CLI_CONTROL_D = 4 };

typedef struct cli_binding {
    sb_action action;
    char name[32];
    int keys[CLI_KEYS]; /* 0: none */
} cli_binding;

typedef struct cli_keys {
    cli_binding of[CLI_MOST_BOUND];
    size_t n;
    bool clicks;       /* there is a click area: h j k l move a cursor, c clicks there */
    bool waits;        /* there is a waiting action: t switches real time on and off */
    sb_action waiting; /* its number */
} cli_keys;

/* Binds the buttons of the episode: first the keys that people expect for some names, then letters of the names. Places
 * of a click area get no keys: they are clicked, or typed. */
void cli_keys_bind(cli_keys *keys, const sb_env *env);
/* Returns NULL if no action has the key. */
const cli_binding *cli_keys_find(const cli_keys *keys, int key);
/* Puts lines that list the keys of actions. */
void cli_keys_put(const cli_keys *keys, sb_out *out);

#endif
