/* A family as unlike a gridworld as the contract allows: three verbs and a click, state on the heap, no grid, no
 * difficulty. Every layer above the contract is tested with it beside the real families. */
#ifndef SB_TESTS_TOY_H
#define SB_TESTS_TOY_H

#include "engine/brush.h"
#include "engine/environment.h"
#include "exporters/exporter.h"
#include "oracles/oracle.h"

enum {
    TOY_ADD,
    TOY_DOUBLE,
    TOY_DROP,
    TOY_CLICK /* + y * TOY_BOARD_WIDTH + x */,
    TOY_BOARD_WIDTH = 40,
    TOY_BOARD_HEIGHT = 30,
    TOY_MAX_STEPS = 40
};

extern const sb_family toy_family, climb_family;
extern const sb_oracle toy_pile_expert, toy_hunt_expert, climb_expert;
extern const sb_exporter toy_heap; /* a format with a writer */

extern const sb_picture_source toy_pictures;
bool toy_is_hunt(const sb_task_info *task);
void toy_hidden(const sb_env *env, int32_t at[2]); /* the cell to find in Hunt */

/* Finds the action that prints as the text; for families with few actions. */
bool toy_parse_action(const sb_env *env, const char *text, sb_action *action);

/* The number of states in memory: copies and clears must balance. */
extern _Atomic int toy_states;

#endif
