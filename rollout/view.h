/* What a program sees of an episode, over both protocols, and how its actions are read. */
#ifndef SB_ROLLOUT_VIEW_H
#define SB_ROLLOUT_VIEW_H

#include <cjson/cJSON.h>

#include "base/out.h"
#include "engine/environment.h"
#include "rollout/judging.h"
#include "seedbed/player.h"

enum { SB_VIEW_MODES = 16 /* observation modes that a program may ask for at a time */ };

typedef struct sb_view {
    const sb_mode *modes[SB_VIEW_MODES];
    const char *names[SB_VIEW_MODES]; /* the mode's name or its alias, as it was requested */
    size_t n;
    enum { SB_LIST_NAMES, SB_LIST_NUMBERS, SB_LIST_NONE } actions; /* how valid actions are listed */
} sb_view;

/* Room for valid actions: starts zeroed, grows, and the caller frees `actions`. */
typedef struct sb_action_room {
    sb_action *actions;
    size_t capacity;
} sb_action_room;

/* Reads the request's `modes`; without that key the view's modes stay. */
bool sb_view_read_modes(const cJSON *request, const sb_family *family, sb_view *view, sb_error *error);
/* Reads the request's `actions`: names, numbers or none; without that key the listing stays. */
bool sb_view_read_listing(const cJSON *request, sb_view *view, sb_error *error);
/* Reads an action, given as a number or a name. `key` is the item's key, for errors; `item` is NULL if it is
 * missing. */
bool sb_read_action(const cJSON *item, const char *key, const sb_env *env, sb_action *action, sb_error *error);

/* Writes the members of sb_member_standing, and `fault_text` if there is a fault. */
void sb_view_print_standing(const sb_env *env, sb_out *out);
/* Writes the members `observations`, `valid_actions` and `valid_names`. */
bool sb_view_print(const sb_view *view, const sb_env *env, sb_action_room *room, sb_out *out, sb_error *error);

/* Writes the member `action_names`: all that the episode's task has, by name, as the entries of a mask: buttons, and
 * `click` for all clicks. */
void sb_view_print_actions(const sb_env *env, sb_out *out);

#endif
