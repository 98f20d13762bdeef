#include "engine/autumn/scopes.h"

#include <string.h>

#include "base/grow.h"
#include "engine/autumn/values.h"

/* ---- Scopes ------------------------------------------------------------------------------------------------------ */

bool sb_au_make_room_to_hide(sb_autumn_state *m) {
    if (SB_GROW(m->hidden, m->n_hidden + 1, m->hidden_capacity)) return true;
    return sb_au_fail(m, SB_AUTUMN_MEMORY, "out of memory"), false;
}

/* The variable that a scope hides is the oldest one that was hidden at the scope's depth. */
sb_au_value sb_au_look_up_outside(const sb_autumn_state *m, uint32_t symbol, uint32_t depth) {
    const sb_au_local *local = &m->locals[symbol];
    if (local->depth != depth) return sb_au_look_up(m, symbol);
    uint32_t outer = depth;
    sb_au_value value = local->value;
    for (size_t i = m->n_hidden; i-- && outer == depth;)
        if (m->hidden[i].symbol == symbol && m->hidden[i].depth != SB_AU_DECLARATION)
            outer = m->hidden[i].depth, value = m->hidden[i].value;
    if (outer >= m->floor) return value;
    sb_au_read(m, symbol);
    return m->floor == 1 ? m->globals[symbol] : SB_AU_FAILED;
}

static bool has_value(void *context, uint32_t symbol) { return !sb_au_failed(sb_au_look_up(context, symbol)); }

sb_au_value sb_au_undefined(sb_autumn_state *m, uint32_t symbol) {
    const char *name = sb_au_word(&m->program->names, symbol);
    if (m->floor > 1) return sb_au_fail(m, SB_AUTUMN_UNDEFINED, "`%.40s` is not remembered", name);
    const char *closest = sb_au_closest_word(&m->program->names, name, has_value, m);
    if (!closest) return sb_au_fail(m, SB_AUTUMN_UNDEFINED, "`%.40s` has no value here", name);
    return sb_au_fail(m, SB_AUTUMN_UNDEFINED, "`%.40s` has no value here; the closest known name is `%.40s`", name,
                      closest);
}

bool sb_au_bind_memory(sb_autumn_state *m, const sb_au_site *site, sb_au_value memory) {
    for (uint32_t i = 0; i < site->n; i++) {
        const sb_au_value v = sb_au_thing_of(m, memory)->v[i];
        if (!sb_au_failed(v) && !sb_au_bind(m, m->program->symbols[site->first + i], v)) return false;
    }
    return true;
}

/* ---- Globals ----------------------------------------------------------------------------------------------------- */

/* Saves the orders of globals, so that a fault can take back definitions and removals. */
static void save_order(sb_autumn_state *m) {
    if (m->order_saved) return;
    memcpy(m->old_order, m->order, m->core.table.n * sizeof *m->order);
    memcpy(m->old_order + m->program->names.n, m->defined, m->core.n_defined * sizeof *m->defined);
    m->order_saved = true;
}

/* A fresh definition is not marked as assigned, so its rule runs in this step (language 8, `removeObj`). */
bool sb_au_define_global(sb_autumn_state *m, uint32_t symbol, sb_au_value value) {
    if (!sb_au_may_change(m)) return false;
    m->objects = SB_AU_FAILED;
    if (sb_au_failed(m->globals[symbol])) {
        save_order(m);
        sb_au_table_insert(&m->core.table, m->order, (uint16_t)symbol, &m->program->names, m->program->order);
        if (!m->was_defined[symbol]) m->defined[m->core.n_defined++] = (uint16_t)symbol;
        m->was_defined[symbol] = 1;
        m->assigned[symbol] = 0;
    }
    m->globals[symbol] = value;
    sb_au_changed(m, symbol);
    return true;
}

void sb_au_remove_global(sb_autumn_state *m, uint32_t symbol) {
    save_order(m);
    sb_au_table_remove(&m->core.table, m->order, (uint16_t)symbol);
    m->globals[symbol] = SB_AU_FAILED;
    m->objects = SB_AU_FAILED;
    sb_au_changed(m, symbol);
}

/* ---- Assignment -------------------------------------------------------------------------------------------------- */

bool sb_au_declare(sb_autumn_state *m, uint32_t symbol, sb_au_type type) {
    const sb_au_hidden hidden = {
        .symbol = symbol, .depth = SB_AU_DECLARATION, .value = sb_au_of(SB_AU_NUMBER, m->declared[symbol])};
    if (m->depth && !sb_au_hide(m, hidden)) return false;
    m->declared[symbol] = type;
    return true;
}

/* The type that was declared in the innermost scope that declares the name; types of lists are not checked. */
static bool has_declared_type(sb_autumn_state *m, uint32_t symbol, sb_au_value value) {
    const sb_au_type declared = m->declared[symbol];
    if (declared == SB_AU_T_UNKNOWN || sb_au_is_list_type(declared) || sb_au_type_of(m, value) == declared) return true;
    sb_au_fail(m, SB_AUTUMN_TYPE, "`%.40s` is declared with another type and cannot be %s",
               sb_au_word(&m->program->names, symbol), sb_au_kind_name(value));
    return false;
}

/* A variable keeps the type it has, except that a list may be put into any variable. */
static bool keeps_type(sb_autumn_state *m, uint32_t symbol, sb_au_value old, sb_au_value value) {
    if (value.kind == SB_AU_LIST || (old.kind == value.kind && old.kind != SB_AU_OBJECT)) return true;
    if (sb_au_type_of(m, old) == sb_au_type_of(m, value)) return true;
    sb_au_fail(m, SB_AUTUMN_TYPE, "`%.40s` is %s%s and cannot become %s%s", sb_au_word(&m->program->names, symbol),
               sb_au_kind_name(old), old.kind == value.kind ? " of another type" : "", sb_au_kind_name(value),
               old.kind == value.kind ? " of this type" : "");
    return false;
}

/* A value that is assigned gets the identity of the variable's old value (language 4). */
static bool take_identity(sb_autumn_state *m, sb_au_value old, sb_au_value value) {
    if (!m->program->asks_identity || !sb_au_is_thing(old) || !sb_au_is_thing(value) || old.at == value.at) return true;
    sb_au_thing *thing = sb_au_thing_of(m, value);
    const uint32_t id = sb_au_thing_of(m, old)->id;
    if (thing->id == id) return true;
    if (!sb_au_note_change(m, value.at + 1)) return false;
    thing->id = id;
    return true;
}

bool sb_au_assign(sb_autumn_state *m, uint32_t symbol, sb_au_value value) {
    sb_au_local *const local = &m->locals[symbol];
    if (!has_declared_type(m, symbol, value)) return false;
    if (local->depth >= m->floor) {
        if (!keeps_type(m, symbol, local->value, value) || !take_identity(m, local->value, value)) return false;
        local->value = value;
        return true;
    }
    const sb_au_value old = m->floor == 1 ? m->globals[symbol] : SB_AU_FAILED;
    if (sb_au_failed(old)) return m->depth ? sb_au_bind(m, symbol, value) : sb_au_define_global(m, symbol, value);
    if (!sb_au_may_change(m) || !keeps_type(m, symbol, old, value) || !take_identity(m, old, value)) return false;
    if (memcmp(&old, &value, sizeof old) != 0) sb_au_changed(m, symbol);
    m->globals[symbol] = value;
    m->assigned[symbol] = 1;
    m->acted = true;
    if (sb_au_is_thing(old) || sb_au_is_thing(value)) m->objects = SB_AU_FAILED;
    return true;
}

bool sb_au_define(sb_autumn_state *m, uint32_t symbol, sb_au_value value) {
    return has_declared_type(m, symbol, value) && sb_au_define_global(m, symbol, value);
}
