#include "engine/autumn/program.h"

#include <string.h>

#include "base/grow.h"

static uint64_t mix(uint64_t v) { return v ^ (v >> 47); }

uint64_t sb_au_name_hash(const char *name, size_t n) {
    const uint64_t m = 0xc6a4a7935bd1e995u;
    uint64_t h = 0xc70f6907u ^ (n * m);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8; k++) word |= (uint64_t)(unsigned char)name[i + k] << (8 * k);
        h = (h ^ (mix(word * m) * m)) * m;
    }
    if (i < n) {
        uint64_t rest = 0;
        for (size_t k = 0; i + k < n; k++) rest |= (uint64_t)(unsigned char)name[i + k] << (8 * k);
        h = (h ^ rest) * m;
    }
    return mix(mix(h) * m);
}

const char *sb_au_word(const sb_au_words *words, uint32_t word) { return words->texts + words->words[word].start; }

static bool is_word(const sb_au_words *w, uint32_t word, uint64_t hash, const char *text, size_t n) {
    return w->words[word].hash == hash && w->words[word].length == n &&
           (n == 0 || memcmp(sb_au_word(w, word), text, n) == 0);
}

static uint32_t find(const sb_au_words *w, uint64_t hash, const char *text, size_t n) {
    if (!w->n_buckets) return SB_AU_NO_WORD;
    for (size_t at = hash & (w->n_buckets - 1); w->buckets[at]; at = (at + 1) & (w->n_buckets - 1))
        if (is_word(w, w->buckets[at] - 1, hash, text, n)) return w->buckets[at] - 1;
    return SB_AU_NO_WORD;
}

uint32_t sb_au_find_word(const sb_au_words *w, const char *text, size_t n) {
    return find(w, sb_au_name_hash(text, n), text, n);
}

static void put_into_bucket(sb_au_words *w, uint32_t word) {
    size_t at = w->words[word].hash & (w->n_buckets - 1);
    while (w->buckets[at]) at = (at + 1) & (w->n_buckets - 1);
    w->buckets[at] = word + 1;
}

/* Adds buckets, so that at most half of them are taken. */
static bool grow_buckets(sb_au_words *w) {
    if ((w->n + 1) * 2 <= w->n_buckets) return true;
    const size_t n = w->n_buckets ? w->n_buckets * 2 : 512;
    uint32_t *const buckets = calloc(n, sizeof *buckets);
    if (!buckets) return false;
    free(w->buckets);
    w->buckets = buckets, w->n_buckets = n;
    for (uint32_t i = 0; i < w->n; i++) put_into_bucket(w, i);
    return true;
}

uint32_t sb_au_word_of(sb_au_words *w, const char *text, size_t n) {
    const uint64_t hash = sb_au_name_hash(text, n);
    const uint32_t known = find(w, hash, text, n);
    if (known != SB_AU_NO_WORD) return known;
    if (!grow_buckets(w) || !SB_GROW(w->words, w->n + 1, w->capacity) ||
        !SB_GROW(w->texts, w->n_texts + n + 1, w->texts_capacity))
        return SB_AU_NO_WORD;
    w->words[w->n] = (struct sb_au_word){.hash = hash, .start = w->n_texts, .length = (uint32_t)n};
    if (n) memcpy(w->texts + w->n_texts, text, n);
    w->texts[w->n_texts + n] = '\0';
    w->n_texts += n + 1;
    put_into_bucket(w, (uint32_t)w->n);
    return (uint32_t)w->n++;
}

void sb_au_words_free(sb_au_words *w) {
    free(w->words);
    free(w->texts);
    free(w->buckets);
    *w = (sb_au_words){0};
}

/* ---- The closest word -------------------------------------------------------------------------------------------- */

enum { LONGEST = 40 };

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

/* The number of letters to insert, drop, change or exchange with their neighbour that makes one text of the other, in
 * either case of letters. */
static size_t edits(const char *a, size_t n, const char *b, size_t m) {
    size_t before[LONGEST + 1], row[LONGEST + 1], next[LONGEST + 1];
    for (size_t j = 0; j <= m; j++) row[j] = j, before[j] = 0;
    for (size_t i = 1; i <= n; i++) {
        next[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            size_t best = row[j - 1] + !same;
            if (row[j] + 1 < best) best = row[j] + 1;
            if (next[j - 1] + 1 < best) best = next[j - 1] + 1;
            const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                                 lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            next[j] = best;
        }
        memcpy(before, row, sizeof row);
        memcpy(row, next, sizeof next);
    }
    return row[m];
}

const char *sb_au_closest_word(const sb_au_words *w, const char *name, bool (*fits)(void *, uint32_t), void *context) {
    const size_t n = strlen(name);
    size_t best = n < 3 ? 2 : n / 3 + 2; /* one edit in a short name, a third of the letters in a long one */
    const char *closest = NULL;
    if (n > LONGEST) return NULL;
    for (uint32_t i = 0; i < w->n; i++) {
        const size_t m = w->words[i].length;
        if (m > LONGEST || (m > n ? m - n : n - m) >= best || !fits(context, i)) continue;
        const size_t distance = edits(name, n, sb_au_word(w, i), m);
        if (distance && distance < best) best = distance, closest = sb_au_word(w, i);
    }
    return closest;
}
