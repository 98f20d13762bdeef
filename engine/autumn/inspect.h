/* What those who judge a program ask of it and of its states, beyond what playing it needs. */
#ifndef SB_AUTUMN_INSPECT_H
#define SB_AUTUMN_INSPECT_H

#include "engine/autumn/world.h"

/* A place in the text, from 1; line 0: there is none. */
typedef struct sb_autumn_place {
    uint32_t line, column;
} sb_autumn_place;

/* Where the condition of a handler stands. */
sb_autumn_place sb_autumn_handler_place(const sb_autumn_program *program, size_t handler);
/* Where a world names a function that draws, in what may run after the start. */
sb_autumn_place sb_autumn_draw_place(const sb_autumn_program *program);
/* Where the program first gives a variable a value. */
sb_autumn_place sb_autumn_definition_place(const sb_autumn_program *program, uint32_t variable);
/* Finds a call of `isWithinBounds` with what is seen to be a position, behind the n-th such call; line 0: there are no
 * more. */
sb_autumn_place sb_autumn_vain_bounds(const sb_autumn_program *program, size_t n);

/* The number of the variable with this name; sb_autumn_n_variables: there is none. */
uint32_t sb_autumn_find_variable(const sb_autumn_program *program, const char *name, size_t n);
/* Whether a step may change the variable, in a world. */
bool sb_autumn_changes(const sb_autumn_program *program, uint32_t variable);
/* Whether something that runs after the start may read the variable, in a world. */
bool sb_autumn_is_read(const sb_autumn_program *program, uint32_t variable);

/* Whether the clause `hidden` of a world names anything. */
bool sb_autumn_hides(const sb_autumn_program *program);

/* Whether a world has this function of worlds, and does not define the name itself. */
bool sb_autumn_has_function(const sb_autumn_program *program, const char *name);
/* How many arguments the function takes that stands for the name of an object type in a world; 0: the name is no type,
 * or the program uses it for something else. */
uint32_t sb_autumn_maker_arguments(const sb_autumn_program *program, const char *name, size_t n);

/* Whether keys of states may leave out the order of a list. Where a program can tell equal things apart, they may not.
 */
bool sb_autumn_may_ignore_order(const sb_autumn_program *program);
/* From now on the order of this variable's items is no part of states, as if the clause `unordered` named it. For
 * programs that no state uses yet. False: there are too many names. */
bool sb_autumn_ignore_order(sb_autumn_program *program, uint32_t variable);
/* How many items the list in a variable has; -1: it is no list. */
int32_t sb_autumn_n_items(const sb_autumn_state *state, uint32_t variable);
/* Exchanges two items of the list in a variable, and draws the state anew. False: a fault was noted. */
bool sb_autumn_swap_items(sb_autumn_state *state, uint32_t variable, uint32_t i, uint32_t j);

/* Hashes the value of each variable as sb_autumn_hash_variables does, but of lists only which items they have, in
 * whatever order. */
bool sb_autumn_hash_contents(const sb_autumn_state *state, uint64_t *hashes);

#endif
