/* Texts as numbers: the names and strings of a program, each once, numbered from 0 in the order of their first use. */
#ifndef SB_AUTUMN_WORDS_H
#define SB_AUTUMN_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_AU_NO_WORD = INT32_MAX };

typedef struct sb_au_words {
    struct sb_au_word {
        uint64_t hash;
        size_t start;
        uint32_t length;
    } * words;
    size_t n, capacity;
    char *texts; /* one behind the other, each with NUL */
    size_t n_texts, texts_capacity;
    uint32_t *buckets; /* number of a word + 1, or 0 */
    size_t n_buckets;  /* a power of two */
} sb_au_words;

/* Returns the number of the text, which is added if it is new; SB_AU_NO_WORD: out of memory. */
uint32_t sb_au_word_of(sb_au_words *words, const char *text, size_t n);
/* Returns the number of the text, or SB_AU_NO_WORD if it is not there. */
uint32_t sb_au_find_word(const sb_au_words *words, const char *text, size_t n);
const char *sb_au_word(const sb_au_words *words, uint32_t word);
void sb_au_words_free(sb_au_words *words);

/* The hash that decides the order of tables (language 7.1). */
uint64_t sb_au_name_hash(const char *name, size_t n);

/* Returns the word most like a name among those that `fits` accepts, or NULL if none is alike. */
const char *sb_au_closest_word(const sb_au_words *words, const char *name, bool (*fits)(void *context, uint32_t word),
                               void *context);

#endif
