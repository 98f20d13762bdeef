/* Makes nodes of forms. */
#ifndef SB_AUTUMN_COMPILE_H
#define SB_AUTUMN_COMPILE_H

#include "engine/autumn/program.h"
#include "engine/autumn/reader.h"

typedef struct sb_au_compiler {
    sb_autumn_program *p;
    const sb_au_forms *forms;
    sb_autumn_fault *fault;
    size_t difficulty; /* number of the difficulty, in a world */
} sb_au_compiler;

/* Compiles an expression; returns its node, or 0 and the fault. */
uint32_t sb_au_compile(sb_au_compiler *c, uint32_t form);
/* Adds a node at the place of a form; returns its number, or 0 and the fault. */
uint32_t sb_au_add_node(sb_au_compiler *c, const sb_au_form *form, sb_au_node node);
/* Compiles a statement `(: x T)`. */
uint32_t sb_au_compile_declaration(sb_au_compiler *c, uint32_t form);
/* Reads the type in a declaration. */
bool sb_au_compile_type(sb_au_compiler *c, uint32_t form, sb_au_type *type);
/* Returns the symbol of a name; SB_AU_NO_WORD and the fault: there is no memory, or there are too many names. */
uint32_t sb_au_symbol_of(sb_au_compiler *c, const sb_au_form *name);
bool sb_au_no_memory(const sb_au_compiler *c);

/* Whether a form is a list that begins with this atom. */
bool sb_au_begins(const sb_au_compiler *c, uint32_t form, const char *spelling);
/* How deeply a node's evaluation nests: more than any evaluation inside it. */
uint32_t sb_au_height(const sb_au_form *form);

#endif
