#include "generators/autumn/challenges/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

static bool add_key(sb_autumn_apart *apart, const uint64_t key[2], sb_error *error) {
    if (!SB_GROW(apart->keys, apart->n + 1, apart->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for a pack");
    memcpy(apart->keys[apart->n++], key, sizeof *apart->keys);
    return true;
}

static bool has_key(const sb_autumn_apart *apart, const uint64_t key[2]) {
    for (size_t i = 0; i < apart->n; i++)
        if (memcmp(apart->keys[i], key, sizeof *apart->keys) == 0) return true;
    return false;
}

static void hash_name(const sb_autumn_challenge_name *name, uint64_t key[2]) {
    char text[200];
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_autumn_challenge_put_name(name, &out);
    sb_hash128(text, out.size, key);
}

/* Colours count by what they are called, because challenges number them on their own. */
static void put_cells(const sb_autumn_challenge *c, const uint8_t *cells, size_t n, sb_out *out) {
    for (size_t i = 0; i < n; i++) sb_puts(out, c->colours[cells[i]]), sb_putc(out, ' ');
}

/* Hashes what is asked, without the name: the goal; the course and its mask; the change. */
static bool hash_asked(const sb_autumn_challenge *c, uint64_t key[2], sb_error *error) {
    const size_t n = (size_t)c->size * c->size;
    sb_out text = sb_out_growing();
    sb_putf(&text, "%s %s ", c->name.program, sb_autumn_challenge_names[c->name.kind]);
    if (c->name.kind == SB_AUTUMN_PLANNING) {
        sb_put(&text, (const char *)c->mask, n);
        for (size_t i = 0; i < n; i++)
            if (c->mask[i]) put_cells(c, &c->frames[i], 1, &text);
    } else if (c->name.kind == SB_AUTUMN_MFP) {
        sb_put(&text, (const char *)c->mask, n);
        put_cells(c, c->frames, n * (c->n_actions + 1), &text);
    }
    for (uint32_t i = 0; i < c->n_edits; i++) sb_putf(&text, "%zu %s ", c->edits[i].at, c->edits[i].after);
    const bool ok = sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for a pack");
    if (ok) sb_hash128(text.data, text.size, key);
    sb_out_free(&text);
    return ok;
}

bool sb_autumn_apart_add(sb_autumn_apart *apart, const sb_autumn_challenge *c, sb_error *error) {
    uint64_t name[2], asked[2];
    hash_name(&c->name, name);
    return hash_asked(c, asked, error) && add_key(apart, name, error) && add_key(apart, asked, error);
}

bool sb_autumn_apart_has_name(const sb_autumn_apart *apart, const sb_autumn_challenge_name *name) {
    uint64_t key[2];
    hash_name(name, key);
    return has_key(apart, key);
}

bool sb_autumn_apart_has(const sb_autumn_apart *apart, const sb_autumn_challenge *c, bool *has, sb_error *error) {
    uint64_t key[2];
    if (!hash_asked(c, key, error)) return false;
    *has = has_key(apart, key) || sb_autumn_apart_has_name(apart, &c->name);
    return true;
}

void sb_autumn_apart_free(sb_autumn_apart *apart) { free(apart->keys); }
