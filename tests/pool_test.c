/* The lowest layer: the pool of workers. */
#include "tests/support.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/pool.h"

enum { NOWHERE = 1000 };

typedef struct job {
    size_t n, workers, fail_work[2], fail_take; /* items that fail */
    atomic_size_t worked, slots_freed, scratches_freed;
    size_t taken, given;
    bool order, given_in_order;
} job;

/* Memory of a slot or a scratch, so that a sanitizer finds memory that is freed twice or never. */
typedef struct owner {
    size_t *number;
} owner;

static size_t *number_of(void *block) {
    owner *o = block;
    if (!o->number) o->number = calloc(1, sizeof *o->number);
    return o->number;
}

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    job *j = context;
    (void)error;
    j->given_in_order &= index == j->given++;
    *number_of(slot) = index;
    return true;
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    job *j = context;
    *number_of(scratch) = index;
    for (size_t i = index * 7 % 5; i; i--) sched_yield();
    atomic_fetch_add(&j->worked, 1);
    if (index == j->fail_work[0] || index == j->fail_work[1]) return sb_fail(error, SB_INVALID, "item %zu", index);
    if (*number_of(slot) != index) return sb_fail(error, SB_MISMATCH, "item %zu was not given", index);
    *number_of(slot) = *number_of(scratch) * 3;
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    job *j = context;
    j->order &= index == j->taken && *number_of(slot) == 3 * index;
    j->order &= atomic_load(&j->worked) <= j->taken + 4 * j->workers;
    if (index == j->fail_take) return sb_fail(error, SB_IO, "taking %zu", index);
    j->taken++;
    return true;
}

static _Atomic(job *) current; /* for the two functions without a context */

static void free_slot(void *slot) {
    free(((owner *)slot)->number);
    current->slots_freed++;
}

static void free_scratch(void *scratch) {
    free(((owner *)scratch)->number);
    current->scratches_freed++;
}

static bool run(job *j, sb_error *error) {
    const sb_pool pool = {.workers = j->workers,
                          .context = j,
                          .give = give,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(owner),
                          .scratch_size = sizeof(owner),
                          .free_slot = free_slot,
                          .free_scratch = free_scratch};
    current = j;
    j->order = j->given_in_order = true;
    j->given = 0;
    const bool ok = sb_pool_run(&pool, j->n, error);
    assert_true(j->order && j->given_in_order);
    const size_t workers = j->workers < j->n ? j->workers : j->n;
    assert_int_equal(j->scratches_freed, workers);
    assert_in_range(j->slots_freed, workers, 4 * workers);
    return ok;
}

static sb_pool fetching(job *j) {
    current = j;
    return (sb_pool){.workers = j->workers,
                     .context = j,
                     .give = give,
                     .work = work,
                     .slot_size = sizeof(owner),
                     .scratch_size = sizeof(owner),
                     .free_slot = free_slot,
                     .free_scratch = free_scratch};
}

static const size_t worker_counts[] = {1, 2, 7};

static void results_can_be_fetched_and_left_at_any_time(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t n = 0; n <= 40; n += 8)
            for (size_t left = 0; left <= n; left += 1 + n / 5) {
                sb_error error;
                void *slot;
                job j = {.n = n, .workers = worker_counts[w], .fail_work = {NOWHERE, NOWHERE}};
                const sb_pool pool = fetching(&j);
                sb_pool_results *results = sb_pool_begin(&pool, n, &error);
                assert_non_null(results);
                for (size_t i = 0; i < left; i++) {
                    assert_ok(sb_pool_next(results, &slot, &error), error);
                    assert_int_equal(*number_of(slot), 3 * i);
                }
                for (int again = 0; left == n && again < 3; again++) {
                    assert_false(sb_pool_next(results, &slot, &error));
                    assert_int_equal(error.code, SB_OK);
                }
                sb_pool_end(results);
                assert_int_equal(j.scratches_freed, j.workers < n ? j.workers : n);
                assert_true(j.worked <= left + 4 * j.workers);
            }
}

static void behind_a_failure_nothing_more_is_fetched(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t at = 0; at < 40; at += 13) {
            sb_error error;
            void *slot;
            job j = {.n = 40, .workers = worker_counts[w], .fail_work = {at, NOWHERE}};
            const sb_pool pool = fetching(&j);
            sb_pool_results *results = sb_pool_begin(&pool, j.n, &error);
            for (size_t i = 0; i < at; i++) assert_ok(sb_pool_next(results, &slot, &error), error);
            assert_error(sb_pool_next(results, &slot, &error), &error, SB_INVALID, "item");
            assert_false(sb_pool_next(results, &slot, &error));
            assert_int_equal(error.code, SB_OK);
            sb_pool_end(results);
        }
}

static void results_come_in_order_whatever_the_number_of_workers(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t n = 0; n <= 100; n += n < 32 ? 1 : 17) {
            sb_error error;
            job j = {.n = n, .workers = worker_counts[w], .fail_work = {NOWHERE, NOWHERE}, .fail_take = NOWHERE};
            assert_ok(run(&j, &error), error);
            assert_int_equal(j.taken, n);
            assert_int_equal(j.worked, n);
        }
}

static void the_first_failure_in_order_is_reported(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t n = 1; n <= 100; n += 9)
            for (size_t first = 0; first < n; first += 1 + n / 7) {
                char words[20];
                sb_error error;
                job j = {.n = n, .workers = worker_counts[w], .fail_work = {first + 1, first}, .fail_take = NOWHERE};
                snprintf(words, sizeof words, "item %zu", first);
                assert_error(run(&j, &error), &error, SB_INVALID, words);
                assert_int_equal(j.taken, first);
            }
}

static void a_failure_to_take_stops_the_run(void **state) {
    (void)state;
    for (size_t w = 0; w < 3; w++)
        for (size_t at = 0; at < 100; at += 11) {
            char words[20];
            sb_error error;
            job j = {.n = 100, .workers = worker_counts[w], .fail_work = {at + 1, NOWHERE}, .fail_take = at};
            snprintf(words, sizeof words, "taking %zu", at);
            assert_error(run(&j, &error), &error, SB_IO, words);
            assert_int_equal(j.taken, at);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_come_in_order_whatever_the_number_of_workers),
        cmocka_unit_test(the_first_failure_in_order_is_reported),
        cmocka_unit_test(a_failure_to_take_stops_the_run),
        cmocka_unit_test(results_can_be_fetched_and_left_at_any_time),
        cmocka_unit_test(behind_a_failure_nothing_more_is_fetched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
