#include "evaluation/models/check.h"

#include <stdlib.h>
#include <string.h>

sb_frame_key sb_frame_key_of(const sb_frame_shape *shape, const uint8_t *frame) {
    sb_frame_key key;
    sb_hash128(frame, sb_frame_cells(shape), key.hash);
    return key;
}

static void key_of(sb_frame_key frame, const sb_log_action *action, uint64_t key[2]) {
    struct {
        sb_frame_key frame;
        sb_log_action action;
    } both;
    memset(&both, 0, sizeof both); /* padding counts, too */
    both.frame = frame;
    memcpy(both.action.name, action->name, strlen(action->name));
    both.action.id = action->id, both.action.is_click = action->is_click;
    both.action.x = action->x, both.action.y = action->y;
    sb_hash128(&both, sizeof both, key);
}

static sb_seen *place_of(const sb_seen_table *t, const uint64_t key[2]) {
    size_t at = key[0] & (t->capacity - 1);
    while (t->items[at].next && (t->items[at].key[0] != key[0] || t->items[at].key[1] != key[1]))
        at = (at + 1) & (t->capacity - 1);
    return &t->items[at];
}

const sb_seen *sb_seen_find(const sb_seen_table *table, sb_frame_key frame, const sb_log_action *action) {
    uint64_t key[2];
    if (!table->n) return NULL;
    key_of(frame, action, key);
    const sb_seen *found = place_of(table, key);
    return found->next ? found : NULL;
}

static bool grow(sb_seen_table *t) {
    if (2 * (t->n + 1) <= t->capacity) return true;
    sb_seen_table larger = {.n = t->n, .capacity = t->capacity ? 2 * t->capacity : 256};
    larger.items = calloc(larger.capacity, sizeof *larger.items);
    if (!larger.items) return false;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->items[i].next) *place_of(&larger, t->items[i].key) = t->items[i];
    free(t->items);
    *t = larger;
    return true;
}

bool sb_seen_put(sb_seen_table *table, sb_frame_key frame, const sb_log_action *action, const uint8_t *next,
                 sb_frame_key of_next, bool done, bool over) {
    uint64_t key[2];
    if (!grow(table)) return false;
    key_of(frame, action, key);
    sb_seen *at = place_of(table, key);
    table->n += !at->next;
    *at = (sb_seen){.key = {key[0], key[1]}, .next = next, .of_next = of_next, .done = done, .over = over};
    return true;
}

void sb_seen_free(sb_seen_table *table) {
    free(table->items);
    *table = (sb_seen_table){0};
}
