#include "engine/autumn/scene.h"

#include <string.h>

#include "base/visible.h"
#include "engine/autumn/state.h"
#include "engine/autumn/task.h"
#include "engine/autumn/values.h"

/* ---- Drawn cells ------------------------------------------------------------------------------------------------- */

typedef struct visiting {
    const sb_autumn_state *m;
    void (*visit)(void *context, const sb_autumn_drawn *drawn);
    void *context;
    sb_autumn_drawn drawn;
    const sb_autumn_cell *end; /* end of the variable's cells */
} visiting;

/* The drawing has the cells of objects in the order in which their variable holds them. */
static void visit_value(visiting *v, sb_au_value value) {
    if (value.kind == SB_AU_LIST)
        for (uint32_t i = 0; i < sb_au_thing_of(v->m, value)->n; i++) visit_value(v, sb_au_thing_of(v->m, value)->v[i]);
    if (value.kind != SB_AU_OBJECT) return;
    const sb_au_thing *object = sb_au_thing_of(v->m, value);
    const uint32_t n = sb_au_thing_of(v->m, sb_au_elems_of(v->m, value))->n;
    v->drawn.object = value.at, v->drawn.type = object->type;
    for (uint32_t i = 0; i < n && v->drawn.cell < v->end; i++, v->drawn.cell++) {
        v->drawn.colour = sb_autumn_string(v->m->program, v->m->program->lower[v->drawn.cell->colour]);
        v->visit(v->context, &v->drawn);
    }
}

void sb_autumn_visit(const sb_autumn_state *state, void (*visit)(void *context, const sb_autumn_drawn *drawn),
                     void *context) {
    const sb_au_drawing *d = &state->drawing;
    for (size_t i = 0; i < d->n_layers; i++) {
        const sb_autumn_layer *layer = &d->layers[i];
        visiting v = {.m = state,
                      .visit = visit,
                      .context = context,
                      .drawn = {.cell = d->cells + layer->first, .variable = layer->variable},
                      .end = d->cells + layer->first + layer->n};
        visit_value(&v, state->globals[layer->variable]);
    }
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

bool sb_autumn_wins_by(const sb_autumn_program *program, uint32_t variable) {
    return program->goal && program->goal[variable];
}

const char *sb_autumn_type_name(const sb_autumn_program *program, uint32_t type) {
    return sb_au_word(&program->names, program->objects[type].name);
}

const char *sb_autumn_sprite(const sb_autumn_program *program, uint32_t type) {
    const sb_au_task *t = program->task;
    for (size_t i = 0; t && i < t->n_sprites; i++)
        if (t->sprites[i].type == program->objects[type].name) return t->sprites[i].rows;
    return NULL;
}

bool sb_autumn_has_sprites(const sb_autumn_program *program) { return program->task && program->task->n_sprites; }

/* ---- What is told of objects ------------------------------------------------------------------------------------- */

static bool is_hidden(const sb_autumn_program *p, uint32_t variable, uint32_t field) {
    const sb_au_task *t = p->task;
    for (size_t i = 0; t && i < t->n_hidden; i++)
        if (t->hidden[i].symbol == variable && (t->hidden[i].field == field || t->hidden[i].field == SB_AU_NO_WORD))
            return true;
    return false;
}

static sb_autumn_told told_of(const sb_autumn_program *p, const char *name, sb_au_value value) {
    sb_autumn_told told = {.name = name, .kind = SB_AUTUMN_TOLD_THING, .number = value.number};
    if (value.kind == SB_AU_BOOL) told.kind = SB_AUTUMN_TOLD_TRUTH;
    if (value.kind == SB_AU_NUMBER) told.kind = SB_AUTUMN_TOLD_NUMBER;
    if (value.kind == SB_AU_STRING) told.kind = SB_AUTUMN_TOLD_TEXT, told.text = sb_autumn_string(p, value.at);
    memcpy(&told.value, &value, sizeof value);
    return told;
}

static bool is_told(sb_au_value v) {
    return (v.kind >= SB_AU_BOOL && v.kind <= SB_AU_STRING) || v.kind == SB_AU_LIST || v.kind == SB_AU_POSITION ||
           v.kind == SB_AU_OBJECT;
}

bool sb_autumn_next_told(const sb_autumn_state *state, const sb_autumn_drawn *drawn, uint32_t *at,
                         sb_autumn_told *told) {
    const sb_autumn_program *p = state->program;
    const sb_au_object_type *type = &p->objects[drawn->type];
    for (; *at + 2 < type->n; ++*at) { /* without origin and elems, which come last */
        const uint32_t field = p->symbols[type->first + *at];
        const sb_au_value value = sb_au_thing_at(state, drawn->object)->v[*at];
        if (!is_told(value) || is_hidden(p, drawn->variable, field)) continue;
        *told = told_of(p, sb_au_word(&p->names, field), value);
        return ++*at, true;
    }
    return false;
}

static void put_thing(const sb_autumn_state *m, uint32_t at, bool json, sb_out *out, int nested);

static void put_value(const sb_autumn_state *m, sb_au_value value, bool json, sb_out *out, int nested) {
    if (value.kind == SB_AU_NUMBER)
        sb_put_int(out, value.number);
    else if (value.kind == SB_AU_BOOL)
        sb_puts(out, value.number ? "true" : "false");
    else if (value.kind == SB_AU_STRING && json)
        sb_put_json_string(out, sb_autumn_string(m->program, value.at));
    else if (value.kind == SB_AU_STRING)
        sb_put_visible(out, sb_autumn_string(m->program, value.at));
    else if (is_told(value))
        put_thing(m, value.at, json, out, nested);
    else
        sb_puts(out, json ? "null" : "?");
}

/* Lists within lists are told to a depth that nobody meets, and long ones no further than the buffer reaches. */
static void put_thing(const sb_autumn_state *m, uint32_t at, bool json, sb_out *out, int nested) {
    enum { DEEPEST = 8 };
    const sb_au_thing *thing = sb_au_thing_at(m, at);
    const bool round = thing->kind == SB_AU_POSITION && !json;
    if (thing->kind == SB_AU_OBJECT) {
        (json ? sb_put_json_string : sb_put_visible)(out, sb_autumn_type_name(m->program, thing->type));
        return;
    }
    sb_puts(out, round ? "(" : "[");
    for (uint32_t i = 0; i < thing->n && nested < DEEPEST && sb_out_ok(out); i++) {
        if (i) sb_puts(out, ", ");
        put_value(m, thing->v[i], json, out, nested + 1);
    }
    sb_puts(out, round ? ")" : "]");
}

void sb_autumn_put_told(const sb_autumn_state *state, const sb_autumn_told *told, bool json, sb_out *out) {
    sb_au_value value;
    memcpy(&value, &told->value, sizeof value);
    put_value(state, value, json, out, 0);
}
