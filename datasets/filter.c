#include "datasets/filter.h"

#include "base/error.h"
#include "datasets/losses.h"

bool sb_filter_is_empty(const sb_filter *f) {
    return !f->has_success && !f->has_min_return && !f->has_max_return && !f->has_min_steps && !f->has_max_steps &&
           !f->best;
}

bool sb_filter_passes_all(const sb_filter *f) {
    return sb_filter_is_empty(f) && f->failures != SB_KEEPING_DROPPED && f->unreadable != SB_KEEPING_DROPPED;
}

bool sb_filter_takes_solved(const sb_filter *f) {
    return f->failures == SB_KEEPING_DROPPED || (f->has_success && f->success);
}

const char *sb_filter_reason(const sb_filter *f) {
    if (f->failures != SB_KEEPING_DROPPED) return "did not pass the filter";
    return sb_filter_is_empty(f) ? "were not solved" : "were not solved or did not pass the filter";
}

static bool is_dropped(const sb_filter *f, const sb_tape *tape) {
    return (f->failures == SB_KEEPING_DROPPED && sb_was_lost(tape)) ||
           (f->unreadable == SB_KEEPING_DROPPED && sb_said_is_unreadable(&tape->said));
}

double sb_filter_return(const sb_tape *tape, bool dense) {
    return dense ? tape->outcome.dense_total : tape->outcome.total;
}

bool sb_filter_passes(const sb_filter *f, const sb_tape *tape, bool dense) {
    const double total = sb_filter_return(tape, dense);
    return !is_dropped(f, tape) && (!f->has_success || tape->outcome.success == f->success) &&
           (!f->has_min_return || total >= f->min_return) && (!f->has_max_return || total <= f->max_return) &&
           (!f->has_min_steps || tape->n >= f->min_steps) && (!f->has_max_steps || tape->n <= f->max_steps);
}

static bool read_double(const cJSON *object, const char *key, bool *has, double *value, sb_error *error) {
    *has = cJSON_HasObjectItem(object, key);
    return !*has || sb_json_double(object, key, value, error);
}

static bool read_uint(const cJSON *object, const char *key, bool *has, uint64_t *value, sb_error *error) {
    *has = cJSON_HasObjectItem(object, key);
    return !*has || sb_json_uint(object, key, value, error);
}

/* Reads the key `best`. A best of 0 would mean the same as none, so it is refused. */
static bool read_best(const cJSON *object, sb_filter *f, sb_error *error) {
    if (!cJSON_HasObjectItem(object, "best")) return true;
    return sb_json_uint(object, "best", &f->best, error) &&
           (f->best || sb_fail(error, SB_INVALID, "key `best` should be 1 or more; without it, all are taken"));
}

bool sb_filter_read(const cJSON *object, sb_filter *f, sb_error *error) {
    static const char *const keys[] = {"success", "min_return", "max_return", "min_steps", "max_steps", "best", NULL};
    if (!sb_json_known_keys(object, keys, error)) return false;
    f->has_success = cJSON_HasObjectItem(object, "success");
    if ((f->has_success && !sb_json_bool(object, "success", &f->success, error)) ||
        !read_double(object, "min_return", &f->has_min_return, &f->min_return, error) ||
        !read_double(object, "max_return", &f->has_max_return, &f->max_return, error) ||
        !read_uint(object, "min_steps", &f->has_min_steps, &f->min_steps, error) ||
        !read_uint(object, "max_steps", &f->has_max_steps, &f->max_steps, error) || !read_best(object, f, error))
        return false;
    if (f->has_min_return && f->has_max_return && f->min_return > f->max_return)
        return sb_fail(error, SB_INVALID, "`min_return` is above `max_return`: nothing can pass");
    return !(f->has_min_steps && f->has_max_steps && f->min_steps > f->max_steps) ||
           sb_fail(error, SB_INVALID, "`min_steps` is above `max_steps`: nothing can pass");
}

void sb_filter_print(const sb_filter *f, sb_out *out) {
    sb_puts(out, "{");
    if (f->has_success) sb_member_bool(out, "success", f->success);
    if (f->has_min_return) sb_member_double(out, "min_return", f->min_return);
    if (f->has_max_return) sb_member_double(out, "max_return", f->max_return);
    if (f->has_min_steps) sb_member_uint(out, "min_steps", f->min_steps);
    if (f->has_max_steps) sb_member_uint(out, "max_steps", f->max_steps);
    if (f->best) sb_member_uint(out, "best", f->best);
    sb_puts(out, "}");
}
