/* What is not evaluated again: the condition of a handler, or a rule, whose value must be the same because nothing that
 * it read has changed. Every global has the time of its last change, counted in changes; an expression that was
 * watched has the globals that it read, and when. An expression that drew, assigned, or needed something that is only
 * computed once a step is evaluated every time, and so is a cheap one. The evaluations that are saved are counted as if
 * they had been made, so a step meets its limit in the same place; if too few are left, nothing is saved. */
#ifndef SB_AUTUMN_MEMO_H
#define SB_AUTUMN_MEMO_H

#include "engine/autumn/state.h"

/* Notes that a global was read, or its value before the step. */
static inline void sb_au_read(const sb_autumn_state *m, uint32_t symbol) {
    m->read[symbol / 64] |= UINT64_C(1) << symbol % 64;
}
static inline bool sb_au_has_read(const sb_autumn_state *m, uint32_t symbol) {
    return m->read[symbol / 64] >> symbol % 64 & 1;
}
static inline void sb_au_read_prev(const sb_autumn_state *m, uint32_t symbol) {
    m->read_prev[symbol / 64] |= UINT64_C(1) << symbol % 64;
}
/* Notes that a global has another value. */
static inline void sb_au_changed(sb_autumn_state *m, uint32_t symbol) { m->changed_at[symbol] = ++m->time; }

/* Whether the value of an expression's last evaluation stands; then its evaluations are counted. `symbol` is the rule's
 * own variable, which must hold that value still; SB_AU_NO_WORD: none. */
bool sb_au_recall(sb_autumn_state *m, size_t number, uint32_t symbol);
/* Begins to watch an expression that is about to be evaluated; sb_au_watched ends it when it has been. */
void sb_au_watch(sb_autumn_state *m, size_t number);
void sb_au_watched(sb_autumn_state *m, size_t number);
/* Remembers what was watched; a rule, after its assignment. `value`: the truth of a condition. */
void sb_au_remember(sb_autumn_state *m, size_t number, bool value);

/* Whether two values of one state are alike for everything that a program without identities and without changes in
 * place can ask. Gives up, as if they were not, where that takes long. */
bool sb_au_are_alike(const sb_autumn_state *m, sb_au_value a, sb_au_value b);

#endif
