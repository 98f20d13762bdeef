/* Compares two packs. */
#include "seeds/pack.h"

/* Without an output, differences are only counted, for a yes or no. */
typedef struct comparison {
    sb_out *out;
    bool differs;
} comparison;

static void compare_text(comparison *c, const char *what, const char *one, const char *other) {
    if (strcmp(one, other) == 0) return;
    c->differs = true;
    sb_putf(c->out, "%s: %s | %s\n", what, *one ? one : "none", *other ? other : "none");
}

static const char *text_of(const char *text) { return text ? text : ""; }

static void put_list_name(comparison *c, const sb_seed_list *list) {
    c->differs = true;
    sb_putf(c->out, "%s%s%s: ", list->task, *list->difficulty ? "/" : "", list->difficulty);
}

/* Counts the different numbers up to the end of the shorter list, and finds the first. */
static size_t count_different(const uint64_t *one, const uint64_t *other, size_t n, size_t *first) {
    size_t different = 0;
    for (size_t i = 0; i < n; i++)
        if (one[i] != other[i] && different++ == 0) *first = i;
    return different;
}

static void compare_seeds(comparison *c, const sb_seed_list *one, const sb_seed_list *other) {
    const size_t shorter = one->n < other->n ? one->n : other->n;
    size_t first = 0;
    const size_t different = count_different(one->seeds, other->seeds, shorter, &first);
    if (one->n != other->n) {
        put_list_name(c, one);
        sb_putf(c->out, "%zu seeds | %zu seeds\n", one->n, other->n);
    }
    if (different) {
        put_list_name(c, one);
        sb_putf(c->out, "%zu of %zu seeds differ, first number %zu: %llu | %llu\n", different, shorter, first + 1,
                (unsigned long long)one->seeds[first], (unsigned long long)other->seeds[first]);
    }
}

/* Compares the digests of two lists with equal seeds. */
static void compare_digests(comparison *c, const sb_seed_list *one, const sb_seed_list *other) {
    size_t first = 0;
    if (!one->digests || !other->digests || one->n != other->n) return;
    if (memcmp(one->seeds, other->seeds, one->n * sizeof *one->seeds) != 0) return;
    const size_t different = count_different(one->digests, other->digests, one->n, &first);
    if (different == 0) return;
    put_list_name(c, one);
    sb_putf(c->out, "%zu of %zu episodes differ, first seed %llu: digest %016llx | %016llx\n", different, one->n,
            (unsigned long long)one->seeds[first], (unsigned long long)one->digests[first],
            (unsigned long long)other->digests[first]);
}

static void compare_list(comparison *c, const sb_seed_list *one, const sb_seed_list *other) {
    const bool differed = c->differs;
    c->differs = false;
    compare_seeds(c, one, other);
    compare_digests(c, one, other);
    if (!c->differs && strcmp(one->hash, other->hash) != 0) {
        put_list_name(c, one);
        sb_putf(c->out, "the same seeds, but hash %.16s... | %.16s...\n", one->hash, other->hash);
    }
    c->differs |= differed;
}

bool sb_pack_compare(const sb_pack *one, const sb_pack *other, sb_out *differences) {
    comparison c = {.out = differences};
    compare_text(&c, "family", one->family, other->family);
    compare_text(&c, "base", one->base, other->base);
    compare_text(&c, "digests under rules", one->rules, other->rules);
    compare_text(&c, "where", text_of(one->demand.where), text_of(other->demand.where));
    compare_text(&c, "spread", text_of(one->demand.spread), text_of(other->demand.spread));
    for (size_t i = 0; i < one->n_lists; i++) {
        const sb_seed_list *list = &one->lists[i], *same = sb_pack_find(other, list->task, list->difficulty);
        if (same) {
            compare_list(&c, list, same);
        } else {
            put_list_name(&c, list);
            sb_puts(differences, "only in the first\n");
        }
    }
    for (size_t i = 0; i < other->n_lists; i++) {
        const sb_seed_list *list = &other->lists[i];
        if (sb_pack_find(one, list->task, list->difficulty)) continue;
        put_list_name(&c, list);
        sb_puts(differences, "only in the second\n");
    }
    if (!c.differs) compare_text(&c, "hash of the whole", one->hash, other->hash);
    return !c.differs;
}
