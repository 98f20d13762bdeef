/* Variables. Scopes are dynamic (language 6): a name means the innermost variable of that name in the scopes that are
 * running. So every symbol has one slot for its innermost local variable; a scope remembers what it hides and gives it
 * back at its end. Looking up a name is then one look at the slot, and one at the globals. */
#ifndef SB_AUTUMN_SCOPES_H
#define SB_AUTUMN_SCOPES_H

#include "engine/autumn/memo.h"

/* Returns SB_AU_FAILED, without a fault, if the name has no value here. */
static inline sb_au_value sb_au_look_up(const sb_autumn_state *m, uint32_t symbol) {
    const sb_au_local *local = &m->locals[symbol];
    if (local->depth >= m->floor) return local->value;
    sb_au_read(m, symbol);
    return m->floor == 1 ? m->globals[symbol] : SB_AU_FAILED;
}
/* Notes that a name has no value here. */
sb_au_value sb_au_undefined(sb_autumn_state *m, uint32_t symbol);

/* Opens a scope, which sb_au_leave closes. What nests in it is `height` expressions deep; false: the limit of nesting,
 * and the scope was not opened. */
static inline bool sb_au_enter(sb_autumn_state *m, uint32_t height) {
    if (m->nesting + height > m->program->limits.nesting)
        return sb_au_fail(m, SB_AUTUMN_LIMIT, "functions call each other too deeply"), false;
    m->nesting += height;
    m->depth++;
    return true;
}
static inline void sb_au_leave(sb_autumn_state *m, uint32_t height, size_t hidden) {
    while (m->n_hidden > hidden) {
        const sb_au_hidden *h = &m->hidden[--m->n_hidden];
        if (h->depth == SB_AU_DECLARATION)
            m->declared[h->symbol] = h->value.at;
        else
            m->locals[h->symbol] = (sb_au_local){.value = h->value, .depth = h->depth};
    }
    m->depth--;
    m->nesting -= height;
}

bool sb_au_make_room_to_hide(sb_autumn_state *m);
static inline bool sb_au_hide(sb_autumn_state *m, sb_au_hidden what) {
    if (m->n_hidden == m->hidden_capacity && !sb_au_make_room_to_hide(m)) return false;
    m->hidden[m->n_hidden++] = what;
    return true;
}
/* Makes a new variable in the running scope. */
static inline bool sb_au_bind(sb_autumn_state *m, uint32_t symbol, sb_au_value value) {
    sb_au_local *local = &m->locals[symbol];
    if (!sb_au_hide(m, (sb_au_hidden){.symbol = symbol, .depth = local->depth, .value = local->value})) return false;
    *local = (sb_au_local){.value = value, .depth = m->depth};
    return true;
}
/* The variable of a name that is visible outside of the scope of this depth. */
sb_au_value sb_au_look_up_outside(const sb_autumn_state *m, uint32_t symbol, uint32_t depth);

/* Binds what a cell remembers, to the names of its site. */
bool sb_au_bind_memory(sb_autumn_state *m, const sb_au_site *site, sb_au_value memory);

/* Gives a name a value, as `(= x e)` does. */
bool sb_au_assign(sb_autumn_state *m, uint32_t symbol, sb_au_value value);
/* Defines a global, new or not; its declared type must fit. */
bool sb_au_define(sb_autumn_state *m, uint32_t symbol, sb_au_value value);
/* Gives a name a type, as `(: x T)` does. */
bool sb_au_declare(sb_autumn_state *m, uint32_t symbol, sb_au_type type);

/* Defines or removes a global without an assignment by an expression. */
bool sb_au_define_global(sb_autumn_state *m, uint32_t symbol, sb_au_value value);
void sb_au_remove_global(sb_autumn_state *m, uint32_t symbol);

#endif
