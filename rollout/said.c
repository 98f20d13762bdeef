#include "rollout/said.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/utf8.h"
#include "base/visible.h"

const char *const sb_counter_names[SB_COUNTERS] = {"calls", "tokens_in", "tokens_out", "seconds", "cost"};
const char *const sb_counter_titles[SB_COUNTERS] = {"calls", "tokens in", "tokens out", "seconds", "cost"};

const char *const sb_answer_marks[SB_ANSWER_MARKS] = {"answers", "unreadable", "cut", "refused", "empty", "dropped"};

static bool is_whole(sb_counter counter) { return counter <= SB_TOKENS_OUT; }

void sb_said_free(sb_said *said) {
    free(said->remarks);
    sb_out_free(&said->texts), sb_out_free(&said->lost);
    *said = (sb_said){0};
}

/* ---- Sums ---- */

void sb_counters_add(sb_counters *sum, const sb_counters *more) {
    sum->has |= more->has;
    for (int i = 0; i < SB_COUNTERS; i++) sum->value[i] += more->value[i];
    for (int i = 0; i < SB_ANSWER_MARKS; i++) sum->mark[i] += more->mark[i];
}

sb_counters sb_said_total(const sb_said *said) {
    sb_counters total = {0};
    for (size_t i = 0; i < said->n; i++) sb_counters_add(&total, &said->remarks[i].counters);
    return total;
}

/* Whatever replies were added to the last remark that an episode may have, any unreadable answer there counts. */
bool sb_said_is_unreadable(const sb_said *said) {
    for (size_t i = 0; i < said->n; i++) {
        const double *mark = said->remarks[i].counters.mark;
        const double enough = i + 1 == SB_SAID_REMARKS ? 1 : mark[SB_ANSWERS];
        if (!said->remarks[i].again && mark[SB_ANSWER_UNREADABLE] > 0 && mark[SB_ANSWER_UNREADABLE] >= enough)
            return true;
    }
    return false;
}

/* ---- Keeping ---- */

/* The most bytes, at most `room`, that end with a whole character. */
static size_t fitting(const char *text, size_t n, size_t room) {
    size_t kept = 0;
    if (n <= room) return n;
    for (size_t length; kept < room && (length = sb_utf8_length(text + kept, n - kept)); kept += length)
        if (kept + length > room) break;
    return kept;
}

static bool add(sb_said *said, const sb_remark *remark, sb_error *error) {
    if (!SB_GROW(said->remarks, said->n + 1, said->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for what an agent said");
    said->remarks[said->n++] = *remark;
    return true;
}

bool sb_said_add(sb_said *said, size_t step, const char *thought, size_t n, const sb_counters *counters,
                 sb_error *error) {
    const size_t left = SB_SAID_BYTES - said->texts.size;
    const bool full = said->n == SB_SAID_REMARKS;
    if (!n && !counters->has) return true;
    const size_t kept = full ? 0 : fitting(thought, n, left < SB_THOUGHT_BYTES ? left : SB_THOUGHT_BYTES);
    const sb_remark remark = {
        .step = (uint32_t)step, .counters = *counters, .begin = said->texts.size, .n = kept, .cut = n - kept};
    if (full) {
        sb_remark *last = &said->remarks[said->n - 1];
        sb_counters_add(&last->counters, counters);
        last->cut += n;
        return true;
    }
    said->texts.grows = true;
    sb_put(&said->texts, thought, kept);
    return sb_out_ok(&said->texts) ? add(said, &remark, error)
                                   : sb_fail(error, SB_MEMORY, "out of memory for the thoughts of an agent");
}

bool sb_said_add_again(sb_said *said, const sb_counters *counters, sb_error *error) {
    return !counters->has || add(said, &(sb_remark){.again = true, .counters = *counters}, error);
}

bool sb_said_lose(sb_said *said, const char *text, sb_error *error) {
    sb_out plain = sb_out_growing();
    sb_put_visible(&plain, text);
    said->lost.grows = true;
    sb_out_clear(&said->lost);
    if (plain.size) sb_put(&said->lost, plain.data, fitting(plain.data, plain.size, SB_LOST_BYTES));
    const bool ok = sb_out_ok(&plain) && sb_out_ok(&said->lost);
    sb_out_free(&plain);
    return ok || sb_fail(error, SB_MEMORY, "out of memory for why an episode was lost");
}

const sb_remark *sb_said_at(const sb_said *said, size_t step) {
    size_t low = 0, high = said->n; /* the first remark at or after the step */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (said->remarks[middle].again || said->remarks[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < said->n && said->remarks[low].step == step ? &said->remarks[low] : NULL;
}

/* ---- Counters ---- */

static int counter_of(const char *key) {
    for (int i = 0; i < SB_COUNTERS; i++)
        if (strcmp(key, sb_counter_names[i]) == 0) return i;
    return -1;
}

/* Takes a counter that is there. */
static bool take(sb_counters *counters, sb_counter counter, const cJSON *item, double most) {
    const double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (!(value >= 0 && value <= most) || (is_whole(counter) && value != floor(value))) return false;
    counters->has |= 1u << counter;
    counters->value[counter] = value + 0.0; /* -0 becomes 0 */
    return true;
}

/* Reads a mark that is there. */
static bool read_mark(const cJSON *item, double most, double *mark, unsigned *has, sb_error *error) {
    size_t i = 0;
    while (i < SB_ANSWER_MARKS && strcmp(item->string, sb_answer_marks[i]) != 0) i++;
    if (i == SB_ANSWER_MARKS) return sb_fail(error, SB_INVALID, "key `marks`: unknown mark `%.40s`", item->string);
    if (*has >> i & 1) return sb_fail(error, SB_INVALID, "key `marks`: `%s` is repeated", item->string);
    *has |= 1u << i;
    return sb_json_is_whole(item, 0, most, &mark[i]) ||
           sb_fail(error, SB_INVALID, "key `marks`: `%s` should be a whole number from 0 to %.0f", item->string, most);
}

static bool read_marks(const cJSON *object, double most, sb_counters *counters, sb_error *error) {
    const cJSON *item;
    unsigned has = 0;
    if (!cJSON_IsObject(object)) return sb_fail(error, SB_INVALID, "key `marks` should be an object");
    cJSON_ArrayForEach(item, object) {
        if (!read_mark(item, most, counters->mark, &has, error)) return false;
    }
    for (int i = SB_ANSWER_UNREADABLE; i <= SB_ANSWER_EMPTY; i++)
        if (counters->mark[i] > counters->mark[SB_ANSWERS])
            return sb_fail(error, SB_INVALID, "key `marks`: there are more answers that are `%s` than `answers`",
                           sb_answer_marks[i]);
    counters->has |= 1u << SB_COUNTERS;
    return true;
}

bool sb_counters_read(const cJSON *object, double most, sb_counters *counters, sb_error *error) {
    const cJSON *item;
    *counters = (sb_counters){0};
    cJSON_ArrayForEach(item, object) {
        const bool is_marks = strcmp(item->string, "marks") == 0;
        const int i = is_marks ? SB_COUNTERS : counter_of(item->string);
        if (i < 0) continue;
        if (counters->has & 1u << i) return sb_fail(error, SB_INVALID, "key `%s` is repeated", item->string);
        if (is_marks && !read_marks(item, most, counters, error)) return false;
        if (!is_marks && !take(counters, (sb_counter)i, item, most))
            return sb_fail(error, SB_INVALID, "key `%s` should be a %snumber from 0 to %.0f", item->string,
                           is_whole((sb_counter)i) ? "whole " : "", most);
    }
    return true;
}

void sb_counters_print(const sb_counters *counters, sb_out *out) {
    for (int i = 0; i < SB_COUNTERS; i++) {
        if (!(counters->has & 1u << i)) continue;
        if (is_whole((sb_counter)i))
            sb_put_key(out, sb_counter_names[i]), sb_putf(out, "%.0f", counters->value[i]);
        else
            sb_member_double(out, sb_counter_names[i], counters->value[i]);
    }
    if (!sb_has_marks(counters)) return;
    sb_put_key(out, "marks");
    sb_puts(out, "{");
    for (int i = 0; i < SB_ANSWER_MARKS; i++)
        if (counters->mark[i] > 0 || i == SB_ANSWERS)
            sb_put_key(out, sb_answer_marks[i]), sb_putf(out, "%.0f", counters->mark[i]);
    sb_puts(out, "}");
}

/* ---- Documents ---- */

void sb_said_print(const sb_said *said, sb_out *out) {
    if (!said->n) return;
    sb_put_key(out, "said");
    sb_puts(out, "[");
    for (size_t i = 0; i < said->n; i++) {
        const sb_remark *remark = &said->remarks[i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_uint(out, "step", remark->step);
        if (remark->again) sb_member_bool(out, "again", true);
        if (remark->n) sb_put_key(out, "thought"), sb_put_json_bytes(out, sb_thought(said, remark), remark->n);
        if (remark->cut) sb_member_uint(out, "cut", remark->cut);
        sb_counters_print(&remark->counters, out);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

/* Checks where a remark stands: what broken tries took comes first, then steps that ascend up to the episode's end. */
static bool check_place(const sb_said *said, const sb_remark *remark, size_t steps, bool thinks, sb_error *error) {
    const sb_remark *last = said->n ? &said->remarks[said->n - 1] : NULL;
    if (remark->again)
        return (!last && !remark->step && !thinks && remark->counters.has) ||
               sb_fail(error, SB_INVALID, "with `again` it should be the first, of step 0, with counters only");
    if (last && !last->again && remark->step <= last->step)
        return sb_fail(error, SB_INVALID, "key `step` should ascend");
    return remark->step <= steps || sb_fail(error, SB_INVALID, "key `step`: the episode has %zu steps", steps);
}

static bool read_remark(const cJSON *item, size_t steps, sb_said *said, sb_error *error) {
    static const char *const keys[] = {"step", "again", "thought", "cut", SB_COUNTER_KEYS, NULL};
    const char *thought = NULL;
    uint64_t step;
    sb_remark remark = {.begin = said->texts.size};
    if (!sb_json_known_keys(item, keys, error) || !sb_json_uint(item, "step", &step, error) ||
        !sb_json_optional_string(item, "thought", &thought, error) ||
        !sb_json_optional_uint(item, "cut", &remark.cut, error) ||
        !sb_counters_read(item, SB_COUNTER_SUM_MAX, &remark.counters, error))
        return false;
    if (cJSON_HasObjectItem(item, "again") && !sb_json_bool(item, "again", &remark.again, error)) return false;
    remark.step = step > UINT32_MAX ? UINT32_MAX : (uint32_t)step;
    remark.n = thought ? strlen(thought) : 0;
    if (!check_place(said, &remark, steps, thought || remark.cut, error)) return false;
    if (remark.n > SB_THOUGHT_BYTES || said->texts.size + remark.n > SB_SAID_BYTES)
        return sb_fail(error, SB_INVALID, "key `thought` has more than %d bytes, or all thoughts more than %d",
                       SB_THOUGHT_BYTES, SB_SAID_BYTES);
    if (!remark.n && !remark.cut && !remark.counters.has) return sb_fail(error, SB_INVALID, "it says nothing");
    said->texts.grows = true;
    if (remark.n) sb_put(&said->texts, thought, remark.n);
    return sb_out_ok(&said->texts) ? add(said, &remark, error)
                                   : sb_fail(error, SB_MEMORY, "out of memory for the thoughts of an agent");
}

bool sb_said_read(const cJSON *object, size_t steps, sb_said *said, sb_error *error) {
    const cJSON *list, *item;
    sb_said_clear(said);
    if (!cJSON_HasObjectItem(object, "said")) return true;
    if (!sb_json_array(object, "said", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        if (said->n == SB_SAID_REMARKS)
            return sb_fail(error, SB_INVALID, "key `said` has more than %d items", SB_SAID_REMARKS);
        if (!read_remark(item, steps, said, error)) return sb_fail_at(error, "key `said`: item %zu", said->n);
    }
    return said->n || sb_fail(error, SB_INVALID, "key `said` is an empty list");
}

void sb_said_hash(const sb_said *said, sb_sha256 *hash) {
    for (size_t i = 0; i < said->n; i++) {
        const sb_remark *remark = &said->remarks[i];
        if (!remark->n) continue;
        const uint32_t numbers[] = {remark->step, (uint32_t)remark->n};
        for (size_t k = 0; k < 8; k++) sb_sha256_add(hash, &(uint8_t){(uint8_t)(numbers[k / 4] >> k % 4 * 8)}, 1);
        sb_sha256_add(hash, sb_thought(said, remark), remark->n);
    }
}
