#include "engine/gridworld/picture/stage.h"

#include <stdlib.h>
#include <string.h>

enum {
    WRITER = -1,
    LEAST = 2,
    ROOM = 16 << 20 /* bytes of all grounds; memory is taken only for those that are drawn */
};

bool sb_kept_make(sb_kept_grounds *kept, size_t pixels, int depth) {
    const size_t each = pixels * (depth == 1 ? 1 : 4);
    const size_t n = ROOM / each;
    kept->n = n < LEAST ? LEAST : n > SB_KEPT_MAX ? SB_KEPT_MAX : (int)n;
    if (!(kept->block = calloc((size_t)kept->n, each))) return false;
    for (int i = 0; i < kept->n; i++) {
        atomic_init(&kept->of[i].users, 0);
        kept->of[i].indexed = kept->block + (size_t)i * each;
        kept->of[i].rgb = depth == 1 ? NULL : kept->of[i].indexed + pixels;
    }
    return true;
}

void sb_kept_free(sb_kept_grounds *kept) { free(kept->block); }

static size_t key_size(const sb_ground_key *key) {
    return offsetof(sb_ground_key, cells) + (size_t)(key->width * key->height);
}

static uint32_t hash(const sb_ground_key *key) {
    const uint8_t *bytes = (const uint8_t *)key;
    const size_t n = key_size(key);
    uint64_t h = 0, word = 0;
    size_t i = 0;
    for (; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    for (; i < n; i++) h = (h ^ bytes[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32);
}

static bool has_key(const sb_kept_ground *g, const sb_ground_key *key) {
    return g->is_drawn && memcmp(&g->key, key, key_size(key)) == 0; /* the key begins with its size */
}

static bool begin_reading(sb_kept_ground *g) {
    int users = atomic_load_explicit(&g->users, memory_order_relaxed);
    while (users != WRITER)
        if (atomic_compare_exchange_weak_explicit(&g->users, &users, users + 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return true;
    return false;
}

static bool begin_writing(sb_kept_ground *g) {
    int nobody = 0;
    return atomic_compare_exchange_strong_explicit(&g->users, &nobody, WRITER, memory_order_acquire,
                                                   memory_order_relaxed);
}

sb_kept_ground *sb_kept_take(sb_kept_grounds *kept, const sb_ground_key *key) {
    sb_kept_ground *g = &kept->of[hash(key) % (uint32_t)kept->n];
    if (!begin_reading(g)) return NULL;
    if (has_key(g, key)) return g;
    sb_kept_release(g);
    if (!begin_writing(g)) return NULL;
    g->is_drawn = false;
    return g;
}

void sb_kept_drawn(sb_kept_ground *g, const sb_ground_key *key) {
    g->is_drawn = true;
    memcpy(&g->key, key, key_size(key));
    atomic_store_explicit(&g->users, 1, memory_order_release);
}

void sb_kept_release(sb_kept_ground *g) { atomic_fetch_sub_explicit(&g->users, 1, memory_order_release); }
