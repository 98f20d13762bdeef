/* The library: objects and variables (stdlib 4). */
#include <string.h>

#include "engine/autumn/library_kit.h"
#include "engine/autumn/scopes.h"

/* ---- updateObj --------------------------------------------------------------------------------------------------- */

/* A copy of any value; instances and lists get an identity of their own. */
static sb_au_value copy_value(sb_autumn_state *m, sb_au_value v) {
    if (v.kind == SB_AU_OBJECT) return sb_au_copy_object(m, v);
    if (!sb_au_is_thing(v)) return v;
    const uint32_t n = sb_au_thing_of(m, v)->n;
    const sb_au_value copy = sb_au_new_thing(m, (sb_au_kind)v.kind, n, sb_au_thing_of(m, v)->type);
    if (!sb_au_failed(copy)) memcpy(sb_au_thing_of(m, copy)->v, sb_au_thing_of(m, v)->v, n * sizeof(sb_au_value));
    return copy;
}

static sb_au_value update_field(sb_autumn_state *m, sb_au_value object, sb_au_value name, sb_au_value v) {
    const uint32_t symbol = m->program->string_symbols[name.at];
    uint32_t place;
    if (symbol == SB_AU_NO_WORD || !sb_au_find_field(m, object, symbol, &place))
        return sb_au_fail(m, SB_AUTUMN_FIELD, "%s has no field `%.40s`", sb_au_kind_name(object),
                          sb_au_word(&m->program->strings, name.at));
    const sb_au_value copy = copy_value(m, object);
    if (!sb_au_failed(copy)) sb_au_thing_of(m, copy)->v[place] = v;
    return copy;
}

static sb_au_value update_some(sb_autumn_state *m, sb_au_value list, sb_au_value f, sb_au_value test) {
    if (!sb_au_want_function(m, f) || !sb_au_want_function(m, test) || !sb_au_want_list(m, list)) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, list);
    const sb_au_value result = sb_au_new_list(m, length, SB_AU_T_UNKNOWN);
    if (sb_au_failed(result)) return result;
    for (uint32_t i = 0; i < length; i++) {
        sb_au_value item = sb_au_item(m, list, i);
        if (sb_au_holds(m, test, item)) item = sb_au_call(m, f, &item, 1);
        if (m->has_fault) return SB_AU_FAILED;
        sb_au_thing_of(m, result)->v[i] = item;
    }
    return result;
}

SB_AU_LIB(updateObj) {
    const sb_au_value swapped[2] = {a[1], a[0]};
    if (n == 3) return a[1].kind == SB_AU_STRING ? update_field(m, a[0], a[1], a[2]) : update_some(m, a[0], a[1], a[2]);
    return a[0].kind == SB_AU_LIST ? sb_au_lib_map(m, swapped, 2) : sb_au_call(m, a[1], a, 1);
}

/* ---- addObj ------------------------------------------------------------------------------------------------------ */

/* Copies are only needed where the program can tell a copy from the original; the types of fields are always checked.
 */
static bool copy_items(sb_autumn_state *m, sb_au_value list, uint32_t n) {
    const bool shared = !m->program->asks_identity && !m->program->sets_fields;
    for (uint32_t i = 0; i < n; i++) {
        const sb_au_value item = sb_au_item(m, list, i);
        const uint32_t used = m->heap.used;
        if (!sb_au_is_thing(item) || (shared && item.kind != SB_AU_OBJECT)) continue;
        const sb_au_value copy = copy_value(m, item);
        if (sb_au_failed(copy)) return false;
        if (shared)
            m->heap.used = used;
        else
            sb_au_thing_of(m, list)->v[i] = copy;
    }
    return true;
}

/* A copy of the list with room for `more` items, of the type that is found again (language 4, "Lists"). */
static sb_au_value copy_list(sb_autumn_state *m, sb_au_value list, uint32_t more) {
    const uint32_t length = sb_au_length(m, list);
    const sb_au_value copy = sb_au_new_list(m, length + more, SB_AU_T_UNKNOWN);
    if (sb_au_failed(copy)) return copy;
    memcpy(sb_au_thing_of(m, copy)->v, sb_au_thing_of(m, list)->v, length * sizeof(sb_au_value));
    if (!copy_items(m, copy, length)) return SB_AU_FAILED;
    sb_au_thing_of(m, copy)->type = sb_au_common_type(m, sb_au_thing_of(m, copy)->v, length);
    return copy;
}

SB_AU_LIB(addObj) {
    const bool lists = a[1].kind == SB_AU_LIST;
    if (!sb_au_want_list(m, a[0]) || (lists && !sb_au_want_list(m, a[1]))) return SB_AU_FAILED;
    uint32_t length = sb_au_length(m, a[0]);
    const uint32_t more = lists ? sb_au_length(m, a[1]) : 1;
    const sb_au_value list = copy_list(m, a[0], more);
    if (sb_au_failed(list)) return list;
    if (!lists) return sb_au_append(m, list, &length, a[1]) ? list : SB_AU_FAILED;
    sb_au_thing *l = sb_au_thing_of(m, list);
    if (more) memcpy(l->v + length, sb_au_thing_of(m, a[1])->v, more * sizeof *l->v);
    l->type = sb_au_common_type(m, l->v, l->n);
    return list;
}

/* ---- removeObj --------------------------------------------------------------------------------------------------- */

static bool same_identity(const sb_autumn_state *m, sb_au_value v, sb_au_value w) {
    return sb_au_is_thing(v) && sb_au_is_thing(w) && sb_au_thing_of(m, v)->id == sb_au_thing_of(m, w)->id;
}

/* `what` is a function, a list of things, or a thing. */
static bool is_removed(sb_autumn_state *m, sb_au_value item, sb_au_value what) {
    if (sb_au_is_function(what)) return sb_au_holds(m, what, item);
    if (what.kind != SB_AU_LIST) return same_identity(m, item, what);
    if (!sb_au_spend(m, sb_au_length(m, what))) return false;
    for (uint32_t i = 0; i < sb_au_length(m, what); i++)
        if (same_identity(m, item, sb_au_item(m, what, i))) return true;
    return false;
}

static sb_au_value remove_items(sb_autumn_state *m, sb_au_value from, sb_au_value what) {
    if (!sb_au_want_list(m, from)) return SB_AU_FAILED;
    const uint32_t length = sb_au_length(m, from);
    const sb_au_value list = sb_au_new_list(m, length, SB_AU_T_UNKNOWN);
    uint32_t kept = 0;
    if (sb_au_failed(list)) return list;
    for (uint32_t i = 0; i < length; i++) {
        const sb_au_value item = sb_au_item(m, from, i);
        if (!is_removed(m, item, what)) sb_au_thing_of(m, list)->v[kept++] = item;
        if (m->has_fault) return SB_AU_FAILED;
    }
    sb_au_cut(m, list, kept);
    sb_au_thing_of(m, list)->type = sb_au_common_type(m, sb_au_thing_of(m, list)->v, kept);
    return list;
}

SB_AU_LIB(removeObj) {
    if (n == 2) return remove_items(m, a[0], a[1]);
    if (!sb_au_spend(m, m->core.table.n)) return SB_AU_FAILED;
    for (uint32_t i = 0; i < m->core.table.n; i++)
        if (same_identity(m, m->globals[m->order[i]], a[0])) {
            sb_au_remove_global(m, m->order[i]);
            break;
        }
    return a[0];
}

/* ---- Variables --------------------------------------------------------------------------------------------------- */

SB_AU_LIB(defined) {
    if (!sb_au_want(m, a[0], SB_AU_STRING)) return SB_AU_FAILED;
    const uint32_t symbol = m->program->string_symbols[a[0].at];
    if (symbol != SB_AU_NO_WORD) sb_au_read(m, symbol);
    return sb_au_bool(symbol != SB_AU_NO_WORD && !sb_au_failed(m->globals[symbol]));
}

/* `prev` of a string, or of a value: the global whose old value has the same identity (language 8). With a name behind
 * it, `prev` does not come here. */
SB_AU_LIB(prev) {
    if (a[0].kind == SB_AU_STRING) {
        const uint32_t symbol = m->program->string_symbols[a[0].at];
        if (symbol != SB_AU_NO_WORD) sb_au_read_prev(m, symbol);
        if (symbol != SB_AU_NO_WORD && !sb_au_failed(m->prev[symbol])) return m->prev[symbol];
        return sb_au_fail(m, SB_AUTUMN_UNDEFINED, "`%.40s` had no value before this step",
                          sb_au_word(&m->program->strings, a[0].at));
    }
    if (!sb_au_spend(m, m->core.table.n)) return SB_AU_FAILED;
    for (uint32_t i = 0; i < m->core.table.n; i++)
        if (same_identity(m, m->prev[m->order[i]], a[0])) return m->prev[m->order[i]];
    return sb_au_fail(m, SB_AUTUMN_UNDEFINED, "no variable held this value before the step");
}

/* ---- All objects ------------------------------------------------------------------------------------------------- */

/* Counts the objects of a value and, if `list` is one, appends them. Lists within lists are searched too. */
static bool gather(sb_autumn_state *m, sb_au_value v, uint32_t depth, sb_au_value list, uint32_t *n) {
    enum { DEEPEST = 200 };
    if (v.kind == SB_AU_OBJECT) {
        if (!sb_au_failed(list)) sb_au_thing_of(m, list)->v[*n] = v;
        ++*n;
    }
    if (v.kind != SB_AU_LIST) return true;
    if (depth > DEEPEST) return sb_au_fail(m, SB_AUTUMN_LIMIT, "lists are nested more than %d deep", DEEPEST), false;
    if (!sb_au_spend(m, sb_au_length(m, v))) return false;
    for (uint32_t i = 0; i < sb_au_length(m, v); i++)
        if (!gather(m, sb_au_item(m, v, i), depth + 1, list, n)) return false;
    return true;
}

static bool gather_all(sb_autumn_state *m, sb_au_value list, uint32_t *n) {
    *n = 0;
    for (uint32_t i = 0; i < m->core.table.n; i++)
        if (!gather(m, m->globals[m->order[i]], 0, list, n)) return false;
    return true;
}

sb_au_value sb_au_all_objects(sb_autumn_state *m) {
    uint32_t n;
    m->acted = true; /* whoever asks first in a step pays for all */
    if (!sb_au_failed(m->objects)) return m->objects;
    if (!gather_all(m, SB_AU_FAILED, &n)) return SB_AU_FAILED;
    const sb_au_value list = sb_au_new_list(m, n, SB_AU_T_UNKNOWN);
    if (sb_au_failed(list) || !gather_all(m, list, &n)) return SB_AU_FAILED;
    return m->objects = list;
}

SB_AU_LIB(allObjs) {
    const sb_au_value all = sb_au_all_objects(m);
    return sb_au_failed(all) ? all : copy_value(m, all);
}
