/* The order of CPython's sets: compared with recorded orders, with CPython over thousands of operations, and membership
 * with a table of bools. */
#include "seeds/set_order.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

enum { SIDE = 31, CELLS = SIDE * SIDE, SETS = 4 };

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_non_null(item);
    return item;
}

static sb_xy cell_of(const cJSON *pair) {
    return (sb_xy){(int16_t)cJSON_GetArrayItem(pair, 0)->valueint, (int16_t)cJSON_GetArrayItem(pair, 1)->valueint};
}

static void check_hashes(const cJSON *line) {
    const cJSON *item, *hash = member(line, "result")->child;
    cJSON_ArrayForEach(item, member(line, "items")) {
        assert_true(sb_tuple_hash(cell_of(item)) == strtoull(hash->valuestring, NULL, 16));
        hash = hash->next;
    }
}

static void build(sb_set *set, const cJSON *cells) {
    const cJSON *item;
    sb_set_clear(set);
    cJSON_ArrayForEach(item, cells) sb_set_add(set, cell_of(item));
}

static void assert_order(const sb_set *set, const cJSON *expected) {
    sb_xy cells[SB_SET_ITEMS];
    const size_t n = sb_set_list(set, cells, SB_SET_ITEMS);
    size_t i = 0;
    const cJSON *item;
    assert_int_equal(n, cJSON_GetArraySize(expected));
    cJSON_ArrayForEach(item, expected) {
        assert_int_equal(cells[i].x, cell_of(item).x);
        assert_int_equal(cells[i].y, cell_of(item).y);
        i++;
    }
}

static void check_vector(const cJSON *line) {
    sb_set sets[2], other;
    const char *operation = member(line, "op")->valuestring;
    if (strcmp(operation, "tuple_hash") == 0) {
        check_hashes(line);
        return;
    }
    size_t now = 0;
    build(&sets[now], member(line, "insert"));
    if (strcmp(operation, "copy") == 0) {
        sb_set_copy(&sets[1], &sets[0]);
        now = 1;
    } else if (strcmp(operation, "minus") == 0) {
        const cJSON *subtrahend;
        cJSON_ArrayForEach(subtrahend, member(line, "minus")) {
            build(&other, subtrahend);
            sb_set_minus(&sets[!now], &sets[now], &other);
            now = !now;
        }
    } else {
        assert_string_equal(operation, "insert");
    }
    assert_order(&sets[now], member(line, "result"));
}

static void every_recorded_order_is_reproduced(void **state) {
    (void)state;
    assert_int_equal(each_vector("cpython-set-order.jsonl.gz", check_vector), 91);
}

/* ---- Random operations ------------------------------------------------------------------------------------------- */

/* Four sets, and their expected items. */
typedef struct world {
    sb_set sets[SETS];
    bool has[SETS][SIDE][SIDE];
    uint64_t random;
} world;

static unsigned draw(world *w, unsigned n) {
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(w->random >> 33) % n;
}

static world *new_world(void) {
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (size_t i = 0; i < SETS; i++) sb_set_clear(&w->sets[i]);
    return w;
}

static void change_some(world *w, unsigned target, bool add) {
    for (unsigned n = draw(w, 60); n > 0; n--) {
        const unsigned x = draw(w, SIDE), y = draw(w, SIDE);
        const sb_xy cell = {(int16_t)x, (int16_t)y};
        w->has[target][x][y] = add;
        if (add)
            sb_set_add(&w->sets[target], cell);
        else
            sb_set_discard(&w->sets[target], cell);
    }
}

/* Makes the target from two others: 0 copy, 1 minus. */
static void combine(world *w, unsigned target, unsigned operation) {
    const unsigned a = (target + 1 + draw(w, SETS - 1)) % SETS, b = (target + 1 + draw(w, SETS - 1)) % SETS;
    if (operation == 0)
        sb_set_copy(&w->sets[target], &w->sets[a]);
    else
        sb_set_minus(&w->sets[target], &w->sets[a], &w->sets[b]);
    for (size_t x = 0; x < SIDE; x++)
        for (size_t y = 0; y < SIDE; y++) {
            const bool in_a = w->has[a][x][y], in_b = w->has[b][x][y];
            w->has[target][x][y] = in_a && (operation == 0 || !in_b);
        }
}

static unsigned do_something(world *w) {
    const unsigned target = draw(w, SETS), operation = draw(w, 10);
    if (operation < 8)
        change_some(w, target, operation < 4);
    else
        combine(w, target, operation - 8);
    return target;
}

static void membership_agrees_with_a_table_of_bools(void **state) {
    (void)state;
    world *w = new_world();
    for (int step = 0; step < 3000; step++) {
        const unsigned target = do_something(w);
        const sb_set *set = &w->sets[target];
        size_t n = 0;
        for (int16_t x = 0; x < SIDE; x++)
            for (int16_t y = 0; y < SIDE; y++) {
                assert_int_equal(sb_set_has(set, (sb_xy){x, y}), w->has[target][x][y]);
                n += w->has[target][x][y];
            }
        assert_int_equal(set->used, n);
        assert_true(set->fill >= n && set->fill <= set->mask && set->mask < SB_SET_SLOTS);
    }
    free(w);
}

static void a_list_holds_each_item_once(void **state) {
    (void)state;
    world *w = new_world();
    for (int step = 0; step < 1000; step++) {
        const unsigned target = do_something(w);
        sb_xy cells[CELLS];
        bool seen[SIDE][SIDE] = {{false}};
        const size_t n = sb_set_list(&w->sets[target], cells, CELLS);
        assert_int_equal(n, w->sets[target].used);
        for (size_t i = 0; i < n; i++) {
            assert_false(seen[cells[i].x][cells[i].y]);
            seen[cells[i].x][cells[i].y] = true;
        }
        assert_memory_equal(seen, w->has[target], sizeof seen);
    }
    free(w);
}

/* The expected hash is CPython 3.11's own, from this program (the operations are those of `do_something`):
 *
 *     import hashlib
 *     state, sets, text = 0, [set() for _ in range(4)], hashlib.sha256()
 *     def draw(n):
 *         global state
 *         state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
 *         return (state >> 33) % n
 *     for _ in range(20000):
 *         target, operation = draw(4), draw(10)
 *         if operation < 8:
 *             for _ in range(draw(60)):
 *                 cell = (draw(31), draw(31))
 *                 sets[target].add(cell) if operation < 4 else sets[target].discard(cell)
 *         else:
 *             a, b = sets[(target + 1 + draw(3)) % 4], sets[(target + 1 + draw(3)) % 4]
 *             sets[target] = [set(a), a - b][operation - 8]
 *         text.update(bytes(n for cell in sets[target] for n in cell))
 *     print(text.hexdigest())
 */
static void twenty_thousand_operations_give_the_orders_of_cpython(void **state) {
    (void)state;
    world *w = new_world();
    sb_sha256 hash;
    char hex[SB_SHA256_HEX];
    sb_sha256_begin(&hash);
    for (int step = 0; step < 20000; step++) {
        sb_xy cells[CELLS];
        const size_t n = sb_set_list(&w->sets[do_something(w)], cells, CELLS);
        for (size_t i = 0; i < n; i++) sb_sha256_add(&hash, (uint8_t[]){(uint8_t)cells[i].x, (uint8_t)cells[i].y}, 2);
    }
    sb_sha256_end_hex(&hash, hex);
    assert_string_equal(hex, "92acd852931924d2abab6219b1ced8106709c970564cf5cf2c5de2618de73977");
    free(w);
}

/* ---- Edges ------------------------------------------------------------------------------------------------------- */

static void clearing_touches_the_table_only(void **state) {
    (void)state;
    sb_set *set = malloc(sizeof *set);
    assert_non_null(set);
    memset(set, 0x5a, sizeof *set);
    sb_set_clear(set);
    const uint8_t *bytes = (const uint8_t *)set;
    for (size_t i = offsetof(sb_set, state) + 8; i < sizeof *set; i++) assert_int_equal(bytes[i], 0x5a);
    assert_int_equal(sb_set_list(set, NULL, 0), 0);
    assert_false(sb_set_has(set, (sb_xy){0x5a5a, 0x5a5a}));
    free(set);
}

static void a_short_list_is_cut_but_counted(void **state) {
    (void)state;
    sb_set set;
    sb_xy all[5], cells[2];
    sb_set_clear(&set);
    for (int16_t i = 0; i < 5; i++) sb_set_add(&set, (sb_xy){i, i});
    assert_int_equal(sb_set_list(&set, all, 5), 5);
    assert_int_equal(sb_set_list(&set, cells, 2), 5);
    assert_memory_equal(cells, all, sizeof cells);
}

static void a_deleted_place_is_used_again(void **state) {
    (void)state;
    sb_set set;
    sb_set_clear(&set);
    sb_set_add(&set, (sb_xy){1, 2});
    sb_set_discard(&set, (sb_xy){1, 2});
    sb_set_discard(&set, (sb_xy){1, 2});
    assert_int_equal(set.used, 0);
    assert_int_equal(set.fill, 1);
    sb_set_add(&set, (sb_xy){1, 2});
    assert_int_equal(set.used, 1);
    assert_int_equal(set.fill, 1);
}

static void a_set_holds_as_many_items_as_it_promises(void **state) {
    (void)state;
    sb_set set, copy;
    sb_set_clear(&set);
    for (int16_t i = 0; i < SB_SET_ITEMS; i++) sb_set_add(&set, (sb_xy){(int16_t)-i, i});
    sb_set_copy(&copy, &set);
    assert_int_equal(copy.used, SB_SET_ITEMS);
    for (int16_t i = 0; i < SB_SET_ITEMS; i++) assert_true(sb_set_has(&copy, (sb_xy){(int16_t)-i, i}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_order_is_reproduced),
        cmocka_unit_test(membership_agrees_with_a_table_of_bools),
        cmocka_unit_test(a_list_holds_each_item_once),
        cmocka_unit_test(twenty_thousand_operations_give_the_orders_of_cpython),
        cmocka_unit_test(clearing_touches_the_table_only),
        cmocka_unit_test(a_short_list_is_cut_but_counted),
        cmocka_unit_test(a_deleted_place_is_used_again),
        cmocka_unit_test(a_set_holds_as_many_items_as_it_promises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
