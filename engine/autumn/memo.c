#include "engine/autumn/memo.h"

#include <string.h>

/* Expressions that take fewer than CHEAP evaluations are not watched; one that has changed MISSES times in a row is
 * left alone for the next REST. */
enum { CHEAP = 24, MISSES = 4, REST = 32 };

/* ---- What stands ------------------------------------------------------------------------------------------------- */

static bool are_older(const sb_autumn_state *m, const uint64_t *symbols, uint64_t time) {
    for (size_t word = 0; word < sb_au_memo_words(m->program); word++)
        for (uint64_t bits = symbols[word]; bits; bits &= bits - 1)
            if (m->changed_at[word * 64 + (size_t)__builtin_ctzll(bits)] > time) return false;
    return true;
}

static bool stands(const sb_autumn_state *m, size_t number) {
    const sb_au_memo *memo = &m->memos[number];
    const uint64_t *symbols = m->memo_reads + 2 * number * sb_au_memo_words(m->program);
    if (memo->reads_event && (memo->key != m->event.key || memo->key == SB_AUTUMN_CLICK)) return false;
    if (memo->reads_drawing && m->drawn_at > memo->time) return false;
    return are_older(m, symbols, memo->time) && are_older(m, symbols + sb_au_memo_words(m->program), memo->step_began);
}

bool sb_au_recall(sb_autumn_state *m, size_t number, uint32_t symbol) {
    sb_au_memo *memo = &m->memos[number];
    if (!memo->is_known) return false;
    if (!stands(m, number) || (symbol != SB_AU_NO_WORD && m->changed_at[symbol] > memo->ended)) {
        memo->is_known = false;
        if (++memo->misses == MISSES) memo->misses = 0, memo->rest = REST;
        return false;
    }
    memo->misses = 0;
    if (m->evaluations < memo->spent) return false;
    m->evaluations -= memo->spent;
    return true;
}

/* ---- Watching ---------------------------------------------------------------------------------------------------- */

void sb_au_watch(sb_autumn_state *m, size_t number) {
    sb_au_memo *memo = &m->memos[number];
    m->is_watched = m->program->remembers && memo->spent >= CHEAP && memo->rest == 0;
    if (memo->rest > 0) memo->rest--;
    memo->spent = m->evaluations;
    if (!m->is_watched) return;
    m->asked_click |= sb_au_has_read(m, SB_AU_click);
    memset(m->read, 0, sb_au_memo_words(m->program) * sizeof *m->read);
    memset(m->read_prev, 0, sb_au_memo_words(m->program) * sizeof *m->read_prev);
    m->read_event = m->read_drawing = m->acted = false;
    memo->time = m->time;
}

void sb_au_watched(sb_autumn_state *m, size_t number) {
    sb_au_memo *memo = &m->memos[number];
    memo->spent -= m->evaluations;
    m->is_watched = m->is_watched && !m->acted && memo->time == m->time;
}

void sb_au_remember(sb_autumn_state *m, size_t number, bool value) {
    const size_t words = sb_au_memo_words(m->program);
    sb_au_memo *memo = &m->memos[number];
    memo->is_known = m->is_watched;
    if (!memo->is_known) return;
    memo->value = value, memo->key = m->event.key, memo->step_began = m->step_began, memo->ended = m->time;
    memo->reads_event = m->read_event, memo->reads_drawing = m->read_drawing;
    memcpy(m->memo_reads + 2 * number * words, m->read, words * sizeof *m->read);
    memcpy(m->memo_reads + (2 * number + 1) * words, m->read_prev, words * sizeof *m->read_prev);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

enum { COMPARED_MAX = 1 << 14, NESTED_MAX = 64 };

static bool are_alike(const sb_autumn_state *m, sb_au_value a, sb_au_value b, int nested, int *compared) {
    if (memcmp(&a, &b, sizeof a) == 0) return true;
    if (a.kind != b.kind || !sb_au_is_thing(a) || nested == NESTED_MAX) return false;
    const sb_au_thing *x = sb_au_thing_of(m, a), *y = sb_au_thing_of(m, b);
    if (x->n != y->n || x->type != y->type || (*compared += (int)x->n) > COMPARED_MAX) return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (!are_alike(m, x->v[i], y->v[i], nested + 1, compared)) return false;
    return true;
}

bool sb_au_are_alike(const sb_autumn_state *m, sb_au_value a, sb_au_value b) {
    int compared = 0;
    return are_alike(m, a, b, 0, &compared);
}
