/* The library: lists, numbers, random draws (stdlib 1 to 3). */
#include <string.h>

#include "engine/autumn/library_kit.h"

sb_au_value sb_au_new_list(sb_autumn_state *m, uint32_t n, sb_au_type items) {
    const sb_au_value list = sb_au_new_thing(m, SB_AU_LIST, n, items);
    if (!sb_au_failed(list)) memset(sb_au_thing_of(m, list)->v, 0, n * sizeof(sb_au_value));
    return list;
}

static bool can_append(sb_autumn_state *m, sb_au_type type, sb_au_value item) {
    if (type == SB_AU_T_NONE)
        return sb_au_fail(m, SB_AUTUMN_TYPE, "the items of the list are of several types; only lists can be added"),
               false;
    if (type == SB_AU_T_UNKNOWN || item.kind >= SB_AU_POSITION || type == sb_au_type_of(m, item)) return true;
    return sb_au_fail(m, SB_AUTUMN_TYPE, "%s cannot be added to a list of another type", sb_au_kind_name(item)), false;
}

bool sb_au_append(sb_autumn_state *m, sb_au_value list, uint32_t *n, sb_au_value item) {
    sb_au_thing *l = sb_au_thing_of(m, list);
    if (!can_append(m, l->type, item)) return false;
    l->v[(*n)++] = item;
    l->type = sb_au_type_of(m, item);
    return true;
}

void sb_au_cut(sb_autumn_state *m, sb_au_value list, uint32_t n) { sb_au_thing_of(m, list)->n = n; }

bool sb_au_holds(sb_autumn_state *m, sb_au_value function, sb_au_value argument) {
    const sb_au_value v = sb_au_call(m, function, &argument, 1);
    return !sb_au_failed(v) && sb_au_truth(m, v);
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

SB_AU_LIB(map) {
    if (!sb_au_want_function(m, a[0]) || !sb_au_want_list(m, a[1])) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[1]);
    const sb_au_value list = sb_au_new_list(m, length, SB_AU_T_UNKNOWN);
    if (sb_au_failed(list)) return list;
    for (uint32_t i = 0; i < length; i++) {
        const sb_au_value item = sb_au_item(m, a[1], i), v = sb_au_call(m, a[0], &item, 1);
        if (sb_au_failed(v)) return v;
        sb_au_thing_of(m, list)->v[i] = v;
    }
    return list;
}

SB_AU_LIB(filter) {
    if (!sb_au_want_function(m, a[0]) || !sb_au_want_list(m, a[1])) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[1]);
    const sb_au_value list = sb_au_new_list(m, length, SB_AU_T_UNKNOWN);
    uint32_t kept = 0;
    if (sb_au_failed(list)) return list;
    for (uint32_t i = 0; i < length; i++) {
        const sb_au_value item = sb_au_item(m, a[1], i);
        if (sb_au_holds(m, a[0], item)) (void)sb_au_append(m, list, &kept, item);
        if (m->has_fault) return SB_AU_FAILED;
    }
    sb_au_cut(m, list, kept);
    return list;
}

SB_AU_LIB(foldl) {
    if (!sb_au_want_function(m, a[0]) || !sb_au_want_list(m, a[2])) return SB_AU_FAILED;
    sb_au_value pair[2] = {a[1]};
    for (uint32_t i = 0; i < sb_au_length(m, a[2]) && !sb_au_failed(pair[0]); i++) {
        pair[1] = sb_au_item(m, a[2], i);
        pair[0] = sb_au_call(m, a[0], pair, 2);
    }
    return pair[0];
}

SB_AU_LIB(any) {
    const sb_au_value list = a[n - 1];
    if ((n == 2 && !sb_au_want_function(m, a[0])) || !sb_au_want_list(m, list)) return SB_AU_FAILED;
    for (uint32_t i = 0; i < sb_au_length(m, list); i++) {
        const sb_au_value item = sb_au_item(m, list, i);
        if (n == 2 ? sb_au_holds(m, a[0], item) : sb_au_truth(m, item)) return sb_au_bool(true);
        if (m->has_fault) return SB_AU_FAILED;
    }
    return sb_au_bool(false);
}

SB_AU_LIB(concat) {
    uint64_t length = 0;
    if (!sb_au_want_list(m, a[0])) return SB_AU_FAILED;
    for (uint32_t i = 0; i < sb_au_length(m, a[0]); i++) {
        if (!sb_au_want_list(m, sb_au_item(m, a[0], i))) return SB_AU_FAILED;
        length += sb_au_length(m, sb_au_item(m, a[0], i));
    }
    /* each list was paid for by evaluations, so the sum fits */
    const sb_au_value list = sb_au_new_list(m, (uint32_t)length, SB_AU_T_UNKNOWN);
    if (sb_au_failed(list)) return list;
    sb_au_value *to = sb_au_thing_of(m, list)->v;
    for (uint32_t i = 0; i < sb_au_length(m, a[0]); i++) {
        const sb_au_thing *part = sb_au_thing_of(m, sb_au_item(m, a[0], i));
        memcpy(to, part->v, part->n * sizeof *to);
        to += part->n;
    }
    return list;
}

SB_AU_LIB(vcat) { return sb_au_lib_concat(m, a, n); }

SB_AU_LIB(length) {
    return sb_au_want(m, a[0], SB_AU_LIST) ? sb_au_number((int32_t)sb_au_length(m, a[0])) : SB_AU_FAILED;
}

SB_AU_LIB(at) {
    if (!sb_au_want(m, a[0], SB_AU_LIST) || !sb_au_want(m, a[1], SB_AU_NUMBER)) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[0]);
    if (a[1].number >= 0 && (uint32_t)a[1].number < length) return sb_au_item(m, a[0], (uint32_t)a[1].number);
    return sb_au_fail(m, SB_AUTUMN_INDEX, "there is no item %d in a list of %u", a[1].number, length);
}

SB_AU_LIB(head) {
    if (!sb_au_want(m, a[0], SB_AU_LIST)) return SB_AU_FAILED;
    if (sb_au_length(m, a[0])) return sb_au_item(m, a[0], 0);
    return sb_au_fail(m, SB_AUTUMN_INDEX, "the empty list has no first item");
}

/* The last item, not the rest. */
SB_AU_LIB(tail) {
    if (!sb_au_want(m, a[0], SB_AU_LIST)) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[0]);
    if (length) return sb_au_item(m, a[0], length - 1);
    return sb_au_fail(m, SB_AUTUMN_INDEX, "the empty list has no last item");
}

SB_AU_LIB(range) {
    if (!sb_au_want(m, a[0], SB_AU_NUMBER) || !sb_au_want(m, a[1], SB_AU_NUMBER)) return SB_AU_FAILED;
    const int64_t length = (int64_t)a[1].number - a[0].number;
    if (length > 0 && !sb_au_spend(m, length)) return SB_AU_FAILED;
    const sb_au_value list = sb_au_new_list(m, length > 0 ? (uint32_t)length : 0,
                                            length > 0 ? SB_AU_T_NUMBER : SB_AU_T_UNKNOWN);
    for (int64_t i = 0; !sb_au_failed(list) && i < length; i++)
        sb_au_thing_of(m, list)->v[i] = sb_au_number((int32_t)(a[0].number + i));
    return list;
}

SB_AU_LIB(isList) { return sb_au_bool(a[0].kind == SB_AU_LIST); }

SB_AU_LIB(arrayEqual) {
    if (!sb_au_want_list(m, a[0]) || !sb_au_want_list(m, a[1])) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, a[0]);
    if (length != sb_au_length(m, a[1]))
        return sb_au_fail(m, SB_AUTUMN_INDEX, "lists of different lengths: %u and %u", length, sb_au_length(m, a[1]));
    const sb_au_value list = sb_au_new_list(m, length, length ? SB_AU_T_BOOL : SB_AU_T_UNKNOWN);
    for (uint32_t i = 0; !sb_au_failed(list) && i < length; i++) {
        const bool equal = sb_au_equal(m, sb_au_item(m, a[0], i), sb_au_item(m, a[1], i));
        sb_au_thing_of(m, list)->v[i] = sb_au_bool(equal);
    }
    return m->has_fault ? SB_AU_FAILED : list;
}

SB_AU_LIB(in) {
    if (!sb_au_want_list(m, a[1])) return SB_AU_FAILED;
    for (uint32_t i = 0; i < sb_au_length(m, a[1]); i++)
        if (sb_au_equal(m, sb_au_item(m, a[1], i), a[0])) return sb_au_bool(true);
    return m->has_fault ? SB_AU_FAILED : sb_au_bool(false);
}

SB_AU_LIB(sum) {
    int32_t sum = 0;
    if (!sb_au_want_list(m, a[0])) return SB_AU_FAILED;
    for (uint32_t i = 0; i < sb_au_length(m, a[0]); i++) {
        const sb_au_value item = sb_au_item(m, a[0], i);
        if (!sb_au_want(m, item, SB_AU_NUMBER)) return SB_AU_FAILED;
        sum = sb_au_plus(sum, item.number);
    }
    return sb_au_number(sum);
}

SB_AU_LIB(print) { return a[0]; }

/* ---- Numbers ----------------------------------------------------------------------------------------------------- */

SB_AU_LIB(abs) {
    if (!sb_au_want(m, a[0], SB_AU_NUMBER)) return SB_AU_FAILED;
    return a[0].number < 0 ? sb_au_number(sb_au_minus(0, a[0].number)) : a[0];
}

SB_AU_LIB(sign) {
    if (!sb_au_want(m, a[0], SB_AU_NUMBER)) return SB_AU_FAILED;
    return sb_au_number((a[0].number > 0) - (a[0].number < 0));
}

static bool want_two_numbers(sb_autumn_state *m, const sb_au_value *a) {
    return sb_au_want(m, a[0], SB_AU_NUMBER) && sb_au_want(m, a[1], SB_AU_NUMBER);
}

SB_AU_LIB(max) { return !want_two_numbers(m, a) ? SB_AU_FAILED : a[0].number > a[1].number ? a[0] : a[1]; }
SB_AU_LIB(min) { return !want_two_numbers(m, a) ? SB_AU_FAILED : a[0].number < a[1].number ? a[0] : a[1]; }

SB_AU_LIB(sqrt) {
    if (!sb_au_want(m, a[0], SB_AU_NUMBER)) return SB_AU_FAILED;
    if (a[0].number < 0) return sb_au_fail(m, SB_AUTUMN_TYPE, "%d has no square root", a[0].number);
    int32_t root = 0;
    for (int32_t bit = 1 << 15; bit; bit >>= 1)
        if ((int64_t)(root + bit) * (root + bit) <= a[0].number) root += bit;
    return sb_au_number(root);
}

/* ---- Random draws ------------------------------------------------------------------------------------------------ */

static sb_au_value draw_item(sb_autumn_state *m, sb_au_value list) {
    uint32_t i;
    return sb_au_draw(m, sb_au_length(m, list), &i) ? sb_au_item(m, list, i) : SB_AU_FAILED;
}

SB_AU_LIB(uniformChoice) {
    if (!sb_au_want(m, a[0], SB_AU_LIST) || (n == 2 && !sb_au_want(m, a[1], SB_AU_NUMBER))) return SB_AU_FAILED;
    if (sb_au_length(m, a[0]) == 0) return sb_au_fail(m, SB_AUTUMN_RANDOM, "a choice from the empty list");
    if (n == 1) return draw_item(m, a[0]);
    if (a[1].number < 1) return sb_au_fail(m, SB_AUTUMN_RANDOM, "%d choices; at least one is needed", a[1].number);
    if (!sb_au_spend(m, a[1].number)) return SB_AU_FAILED;
    const sb_au_value list = sb_au_new_list(m, (uint32_t)a[1].number, SB_AU_T_UNKNOWN);
    for (uint32_t i = 0; !sb_au_failed(list) && i < (uint32_t)a[1].number;) {
        const sb_au_value item = draw_item(m, a[0]);
        if (sb_au_failed(item) || !sb_au_append(m, list, &i, item)) return SB_AU_FAILED;
    }
    return list;
}

/* Draws for each position first x, then y. */
SB_AU_LIB(randomPositions) {
    if (!want_two_numbers(m, a)) return SB_AU_FAILED;
    if (a[0].number < 0 || a[1].number < 0)
        return sb_au_fail(m, SB_AUTUMN_RANDOM, "%d positions below %d", a[1].number, a[0].number);
    if (!sb_au_spend(m, a[1].number)) return SB_AU_FAILED;
    const sb_au_value list = sb_au_new_list(m, (uint32_t)a[1].number, SB_AU_T_UNKNOWN);
    for (uint32_t i = 0; !sb_au_failed(list) && i < (uint32_t)a[1].number;) {
        uint32_t x, y;
        if (!sb_au_draw(m, (uint32_t)a[0].number, &x) || !sb_au_draw(m, (uint32_t)a[0].number, &y)) return SB_AU_FAILED;
        const sb_au_value position = sb_au_position(m, (int32_t)x, (int32_t)y);
        if (sb_au_failed(position) || !sb_au_append(m, list, &i, position)) return SB_AU_FAILED;
    }
    return list;
}
