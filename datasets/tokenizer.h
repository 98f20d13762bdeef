/* Counts tokens with a tokenizer of Hugging Face's library `tokenizers`, which is written for Python: processes of
 * Python do it, one for each worker that counts at the same time. Each is started once, and ends with the tokenizer. */
#ifndef SB_DATASETS_TOKENIZER_H
#define SB_DATASETS_TOKENIZER_H

#include "agents/process.h"
#include "base/hash.h"
#include "base/out.h"

#define SB_TOKENIZER_PYTHON "python3"

enum { SB_LIBRARY_NAME = 48, SB_TOKENIZER_BYTES = 256 << 20 };

#define SB_TOKENS_MAX (UINT64_C(1) << 32) /* an episode's tokens: more are a mistake, so sums never overflow */

/* Which tokenizer counts: what a recipe says of it. */
typedef struct sb_tokenizer_facts {
    const char *file;              /* path of its tokenizer.json, which datasets do not name; NULL: not said */
    char sha256[SB_SHA256_HEX];    /* "": not known yet */
    char library[SB_LIBRARY_NAME]; /* `tokenizers 0.23.3`; "": not known yet, or any */
} sb_tokenizer_facts;

/* Where the tokenizer is on this machine. */
typedef struct sb_tokenizer_source {
    const char *file;   /* NULL: where the recipe says */
    const char *python; /* a program that has the library; NULL: SB_TOKENIZER_PYTHON */
    sb_timer *now;      /* a clock, for who waits for it; not NULL if there is a tokenizer */
} sb_tokenizer_source;

typedef struct sb_tokenizer sb_tokenizer;

/* Loads the file, which need not be that of the source, and starts the first process. NULL with an error, which says
 * what to do. */
sb_tokenizer *sb_tokenizer_open(const char *file, const sb_tokenizer_source *source, sb_error *error);
void sb_tokenizer_close(sb_tokenizer *tokenizer); /* takes NULL, too */

/* Returns the hash and the library of a tokenizer. */
const sb_tokenizer_facts *sb_tokenizer_is(const sb_tokenizer *tokenizer);

/* Counts the tokens of a list of texts, in JSON on one line: of each text alone, without special tokens. Any thread may
 * call it. */
bool sb_tokenizer_count(sb_tokenizer *tokenizer, const sb_out *texts, uint64_t *tokens, sb_error *error);

#endif
