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

/* Actions that follow one another and whose names are a stem and the numbers from `number` on, such as
 * `choose_frame_0`, `choose_frame_1` and so on. Those with one digit have it as their key. */
typedef struct cli_series {
    char stem[32];
    int number;
    sb_action first, last; /* first and last action of the series; equal: there is no series */
    sb_action at;          /* the action that was taken last; the first if none was */
    bool walks;            /* Left and Right take the action before `at` and the one behind it */
} cli_series;

typedef struct cli_keys {
    cli_binding of[CLI_MOST_BOUND];
    size_t n;
    cli_series series;
    bool clicks;       /* clicks are offered: h j k l move a cursor, c clicks there */
    bool waits;        /* the waiting action is offered: t switches real time on and off */
    sb_action waiting; /* number of the waiting action */
} cli_keys;

/* Binds the buttons that are offered (a mask as sb_valid_mask gives it): first the keys that people expect for some
 * names, then digits of a series, then letters of the names. Places of a click area get no keys: they are clicked, or
 * typed. If the keys were bound before and the series is still the same one, it stays where it is. */
void cli_keys_bind(cli_keys *keys, const sb_env *env, const bool *offered);
/* Tells that an action was taken. */
void cli_keys_took(cli_keys *keys, sb_action action);
/* Finds the action that has the key; false if there is none. */
bool cli_keys_find(const cli_keys *keys, int key, sb_action *action);
/* Puts lines that list the keys of actions. */
void cli_keys_put(const cli_keys *keys, sb_out *out);

#endif
