/* The statement `task` of worlds, as it is compiled. */
#ifndef SB_AUTUMN_TASK_H
#define SB_AUTUMN_TASK_H

#include "engine/autumn/program.h"
#include "engine/autumn/world.h"

typedef struct sb_au_compiler sb_au_compiler; /* engine/autumn/compile.h */

enum { SB_AU_SPRITES_MAX = 64, SB_AU_LISTED_MAX = 64 };

/* A variable, or a field of one: `sentries.other`. */
typedef struct sb_au_hidden_name {
    uint32_t symbol, field; /* field: SB_AU_NO_WORD if the whole variable is meant */
} sb_au_hidden_name;

typedef struct sb_au_sprite {
    uint32_t type; /* symbol of the type's name */
    char rows[SB_AUTUMN_SPRITE * SB_AUTUMN_SPRITE];
} sb_au_sprite;

struct sb_au_task {
    sb_autumn_world told;
    uint32_t win, lose, score, reward, start, bound; /* nodes; 0: there is no such clause */
    uint32_t won, lost;                              /* symbols that `reward` may ask */
    sb_au_hidden_name hidden[SB_AU_LISTED_MAX];
    uint32_t unordered[SB_AU_LISTED_MAX]; /* symbols of lists whose order is no part of states */
    sb_au_sprite sprites[SB_AU_SPRITES_MAX];
    size_t n_hidden, n_unordered, n_sprites;
    uint32_t *parameters; /* symbols of the parameters */
    size_t n_parameters, parameters_capacity;
    uint32_t form; /* form of the statement, while the program is compiled */
};

enum { SB_AU_CLAUSES = 6 };
/* The nodes of the clauses that are expressions, `start` last; 0 where there is no such clause, or no world. */
void sb_au_clauses_of(const sb_autumn_program *p, uint32_t nodes[SB_AU_CLAUSES]);
/* The next assignment of a function to a name, behind a node; 0: there is none. */
uint32_t sb_au_next_function(const sb_autumn_program *p, uint32_t symbol, uint32_t behind);
/* Whether a node names a function that draws. */
bool sb_au_names_draw(const sb_autumn_program *p, const sb_au_node *node);

/* Whether the first statement of the program is `(task ...)`. */
bool sb_au_is_world(const sb_au_compiler *c, uint32_t first_statement);
/* Reads of the statement `task` what can be read before the statements behind it are compiled, and defines the
 * parameters of a difficulty. */
bool sb_au_compile_task(sb_au_compiler *c, uint32_t form, size_t difficulty);
/* Compiles the clauses that are expressions, when the whole program is known. */
bool sb_au_compile_clauses(sb_au_compiler *c);
/* Finds clauses that change something or draw, and assignments to parameters; false with a fault. */
bool sb_au_check_clauses(const sb_autumn_program *p, sb_autumn_fault *fault);

/* Finds out what the clauses say of the present state, while `event` can still be read; false: a fault was noted. */
bool sb_au_judge(sb_autumn_state *m, sb_autumn_event event);

#endif
