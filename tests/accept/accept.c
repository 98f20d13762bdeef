/* Examines programs in Autumn for scripts/accept-environments: plays them under all orders of rules and both
 * generators, walks through them, and prints what was found as a line of JSON for each program.
 *
 *   seedbed-accept SEEDS STEPS WALKS FILE...
 *
 * SEEDS episodes of STEPS random actions for each generator, and up to WALKS coverage walks of WALK_STEPS steps: fewer
 * if every handler has fired ENOUGH times, and as many steps again from states met before if one has not fired. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "engine/autumn/state.h"
#include "generators/autumn/challenges/walk.h"
#include "generators/autumn/colours.h"
#include "tests/accept/archive.h"

enum { ORDERS = 3, WALK_STEPS = 300, ENOUGH = 5, ARCHIVE_WALK = 30, LARGEST = 4 << 20 };

static const sb_autumn_generator generators[] = {SB_AUTUMN_PCG64, SB_AUTUMN_PUBLISHED};

typedef struct examination {
    const char *path;
    sb_autumn_program *programs[ORDERS];
    sb_autumn_state *states[ORDERS];
    uint64_t seeds, steps, walks;
    sb_out out;
    char problem[300];         /* of playing: a fault, or frames that depend on the order */
    bool black;                /* something black was drawn */
    bool *drawn;               /* variables that had cells */
    uint32_t *played;          /* by handler: how often it fired in random actions */
    uint32_t *fired;           /* by handler, in all walks */
    uint32_t *changed;         /* by variable, in all walks */
    uint64_t walked, archived; /* steps from the start; from the archive */
} examination;

/* ---- Playing ----------------------------------------------------------------------------------------------------- */

static void note_fault(examination *e, const sb_autumn_state *state, const char *doing) {
    const sb_autumn_fault *fault = sb_autumn_fault_of(state);
    snprintf(e->problem, sizeof e->problem, "%s: %u:%u: %s: %s", doing, fault->line, fault->column,
             sb_autumn_kind_names[fault->kind], fault->text);
}

static void note_drawing(examination *e, const sb_autumn_state *state) {
    const sb_autumn_layer *layers = sb_autumn_layers(state);
    for (size_t i = 0; i < sb_autumn_n_layers(state); i++) {
        e->drawn[layers[i].variable] = true;
        for (uint32_t k = 0; k < layers[i].n; k++)
            if (sb_autumn_cells(state)[layers[i].first + k].colour == e->programs[0]->black) e->black = true;
    }
}

static bool same_frames(const sb_autumn_state *a, const sb_autumn_state *b) {
    static uint32_t frames[2][SB_AUTUMN_SIZE_MAX * SB_AUTUMN_SIZE_MAX];
    const size_t size = sb_autumn_size(a);
    if (size != sb_autumn_size(b)) return false;
    sb_autumn_frame(a, frames[0]);
    sb_autumn_frame(b, frames[1]);
    return memcmp(frames[0], frames[1], size * size * sizeof **frames) == 0;
}

/* Half of the actions are noop or a key, half are clicks anywhere. */
static sb_autumn_event random_event(sb_rng *rng, uint32_t size) {
    if (sb_bounded(rng, 1)) return (sb_autumn_event){.key = (sb_autumn_key)sb_bounded(rng, 4)};
    const int32_t x = (int32_t)sb_bounded(rng, size ? size - 1 : 0), y = (int32_t)sb_bounded(rng, size ? size - 1 : 0);
    return (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = x, .y = y};
}

/* Starts or steps the program under all orders; false: a problem was noted. */
static bool advance(examination *e, sb_autumn_generator generator, uint64_t seed, const sb_autumn_event *event) {
    for (int i = 0; i < ORDERS; i++) {
        sb_autumn_state *const state = e->states[i];
        const bool ok = event ? sb_autumn_step(state, *event, NULL) : sb_autumn_start(state, generator, seed, NULL);
        if (!ok) return note_fault(e, state, event ? "step" : "start"), false;
        if (i && !same_frames(state, e->states[0])) {
            snprintf(e->problem, sizeof e->problem, "frames depend on the order of rules (seed %llu, %s draws)",
                     (unsigned long long)seed, generator == SB_AUTUMN_PCG64 ? "pcg64" : "published");
            return false;
        }
    }
    note_drawing(e, e->states[0]);
    for (size_t i = 0; i < sb_autumn_n_handlers(e->programs[0]); i++) e->played[i] += sb_autumn_fired(e->states[0])[i];
    return true;
}

static void play(examination *e, sb_autumn_generator generator, uint64_t seed) {
    sb_rng rng;
    sb_rng_seed(&rng, seed, NULL);
    bool ok = advance(e, generator, seed, NULL);
    for (uint64_t i = 0; ok && i < e->steps; i++) {
        const sb_autumn_event event = random_event(&rng, sb_autumn_size(e->states[0]));
        ok = advance(e, generator, seed, &event);
    }
}

/* ---- Walking ----------------------------------------------------------------------------------------------------- */

/* The rarest handler. */
static uint32_t least_fired(const examination *e) {
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < sb_autumn_n_handlers(e->programs[0]); i++)
        if (e->fired[i] < least) least = e->fired[i];
    return least;
}

/* Goes n steps on; states that are met go to the archive, if there is one. */
static void walk_on(examination *e, sb_autumn_walk *w, sb_autumn_state *state, int n, archive *met) {
    sb_autumn_event event;
    for (int i = 0; i < n && !*e->problem; i++) {
        bool remembers = sb_autumn_walk_choose(w, state, &event);
        if (remembers && !sb_autumn_step(state, event, NULL))
            note_fault(e, state, "step of a walk");
        else if (remembers && met)
            remembers = archive_visit(met, state);
        if (!remembers) snprintf(e->problem, sizeof e->problem, "out of memory");
        note_drawing(e, state);
        for (size_t k = 0; k < sb_autumn_n_handlers(e->programs[0]); k++) e->fired[k] += sb_autumn_fired(state)[k];
    }
}

static bool wants_more(const examination *e, uint32_t times) { return least_fired(e) < times && !*e->problem; }

static void note_changes(examination *e, const sb_autumn_walk *w) {
    for (size_t i = 0; i < sb_autumn_n_variables(e->programs[0]); i++) e->changed[i] += sb_autumn_walk_changed(w)[i];
}

/* Starts a walk; NULL: a problem was noted. */
static sb_autumn_walk *start_walk(examination *e, uint64_t seed) {
    sb_autumn_walk *const w = sb_autumn_walk_new(e->programs[0], seed);
    if (!w) return snprintf(e->problem, sizeof e->problem, "out of memory"), NULL;
    if (sb_autumn_start(e->states[0], SB_AUTUMN_PCG64, seed, NULL)) return w;
    note_fault(e, e->states[0], "start of a walk");
    sb_autumn_walk_free(w);
    return NULL;
}

/* Walks until every handler has fired often enough for a challenge to be made of it. */
static void walk(examination *e) {
    for (uint64_t seed = 1; seed <= e->walks && wants_more(e, ENOUGH); seed++) {
        sb_autumn_walk *const w = start_walk(e, seed);
        if (!w) return;
        walk_on(e, w, e->states[0], WALK_STEPS, NULL);
        note_changes(e, w);
        sb_autumn_walk_free(w);
        e->walked += WALK_STEPS;
    }
}

/* If a handler has not fired: walks on from states that were met before, with other random numbers. */
static void walk_from_archive(examination *e) {
    static archive met;
    sb_autumn_walk *const w = wants_more(e, 1) && e->walks ? start_walk(e, 0) : NULL;
    if (!w) return;
    sb_rng_seed(&met.rng, 0, NULL);
    walk_on(e, w, e->states[0], ARCHIVE_WALK, &met);
    for (uint64_t left = e->walks * WALK_STEPS; left > ARCHIVE_WALK && wants_more(e, 1); left -= ARCHIVE_WALK) {
        if (!sb_autumn_copy(e->states[0], archive_pick(&met))) break;
        sb_autumn_reseed(e->states[0], sb_next64(&met.rng));
        sb_autumn_walk_begin(w);
        walk_on(e, w, e->states[0], ARCHIVE_WALK, &met);
        e->archived += ARCHIVE_WALK;
    }
    archive_clear(&met);
    sb_autumn_walk_free(w);
}

/* ---- What is hidden ---------------------------------------------------------------------------------------------- */

static bool mentions(const sb_autumn_program *p, uint32_t at, uint32_t symbol) {
    const sb_au_node *node = &p->nodes[at];
    if (node->op == SB_AU_OP_NAME && node->a == symbol) return true;
    for (uint32_t i = 0; i < sb_au_n_children(node); i++)
        if (mentions(p, sb_au_child(p, node, i), symbol)) return true;
    return false;
}

/* Variables that change and were never drawn. */
static void put_hidden_variables(examination *e) {
    const size_t n = sb_autumn_n_variables(e->programs[0]);
    sb_put_key(&e->out, "variables");
    sb_puts(&e->out, "[");
    for (uint32_t i = SB_AU_N_KNOWN; i < n; i++) {
        if (!e->changed[i] || e->drawn[i]) continue;
        sb_put_comma(&e->out);
        sb_put_json_string(&e->out, sb_autumn_name(e->programs[0], i));
    }
    sb_puts(&e->out, "]");
}

/* Fields of objects that their cells do not depend on. */
static void put_hidden_fields(examination *e) {
    const sb_autumn_program *p = e->programs[0];
    sb_put_key(&e->out, "fields");
    sb_puts(&e->out, "[");
    for (size_t i = 1; i < p->n_objects; i++) {
        const sb_au_object_type *type = &p->objects[i];
        for (uint32_t k = 0; k + 2 < type->n; k++) {
            const uint32_t symbol = p->symbols[type->first + k];
            if (mentions(p, type->shape, symbol)) continue;
            sb_put_comma(&e->out);
            sb_put_json_string(&e->out, sb_autumn_name(p, symbol));
        }
    }
    sb_puts(&e->out, "]");
}

/* ---- One program ------------------------------------------------------------------------------------------------- */

static void put_numbers(sb_out *out, const char *key, const uint32_t *numbers, size_t n) {
    sb_put_key(out, key);
    sb_puts(out, "[");
    for (size_t i = 0; i < n; i++) sb_put_comma(out), sb_put_uint(out, numbers[i]);
    sb_puts(out, "]");
}

/* Counts the colours that the text names. Every program's strings have black, so that is a colour if it was drawn. */
static size_t count_colours(const examination *e) {
    const sb_autumn_program *p = e->programs[0];
    size_t n = 0;
    for (uint32_t i = 0; i < sb_autumn_n_strings(p); i++)
        n += i == p->black ? e->black : sb_colour_find(sb_autumn_string(p, i), false) != SB_OTHER_COLOUR;
    return n;
}

static void put_findings(examination *e) {
    const sb_autumn_program *p = e->programs[0];
    sb_member_uint(&e->out, "types", p->n_objects - 1);
    sb_member_uint(&e->out, "handlers", p->n_handlers);
    sb_member_uint(&e->out, "colours", count_colours(e));
    sb_member_uint(&e->out, "grid", sb_autumn_size(e->states[0]));
    sb_member_bool(&e->out, "stochastic", sb_autumn_draws_in_steps(p));
    sb_member_uint(&e->out, "walked", e->walked);
    sb_member_uint(&e->out, "archived", e->archived);
    put_numbers(&e->out, "played", e->played, p->n_handlers);
    put_numbers(&e->out, "fired", e->fired, p->n_handlers);
    put_hidden_variables(e);
    put_hidden_fields(e);
}

/* Loads the program under all orders; false: a problem was noted. */
static bool load(examination *e, const sb_out *text) {
    for (int i = 0; i < ORDERS; i++) {
        sb_autumn_fault fault;
        e->programs[i] = sb_autumn_load(text->data, text->size, &(sb_autumn_options){.order = (sb_autumn_order)i},
                                        &fault);
        if (!e->programs[i]) {
            snprintf(e->problem, sizeof e->problem, "load: %u:%u: %s: %s", fault.line, fault.column,
                     sb_autumn_kind_names[fault.kind], fault.text);
            return false;
        }
        e->states[i] = sb_autumn_new(e->programs[i]);
        if (!e->states[i]) return snprintf(e->problem, sizeof e->problem, "out of memory"), false;
    }
    e->drawn = calloc(sb_autumn_n_variables(e->programs[0]), sizeof *e->drawn);
    e->changed = calloc(sb_autumn_n_variables(e->programs[0]), sizeof *e->changed);
    e->played = calloc(sb_autumn_n_handlers(e->programs[0]) + 1, sizeof *e->played);
    e->fired = calloc(sb_autumn_n_handlers(e->programs[0]) + 1, sizeof *e->fired);
    if (e->drawn && e->changed && e->played && e->fired) return true;
    return snprintf(e->problem, sizeof e->problem, "out of memory"), false;
}

static void examine(examination *e, const sb_out *text) {
    const bool loaded = load(e, text);
    for (size_t g = 0; loaded && g < sizeof generators / sizeof *generators; g++)
        for (uint64_t seed = 1; seed <= e->seeds && !*e->problem; seed++) play(e, generators[g], seed);
    if (loaded) walk(e), walk_from_archive(e);
    sb_puts(&e->out, "{");
    sb_member_text(&e->out, "file", e->path);
    if (*e->problem) sb_member_text(&e->out, "problem", e->problem);
    if (loaded) put_findings(e);
    sb_puts(&e->out, "}\n");
}

static bool examine_file(const char *path, const uint64_t numbers[3]) {
    sb_error error;
    sb_out text = sb_out_growing();
    examination e = {
        .path = path, .seeds = numbers[0], .steps = numbers[1], .walks = numbers[2], .out = sb_out_growing()};
    const bool ok = sb_file_load_plain(path, LARGEST, &text, &error);
    if (ok)
        examine(&e, &text), fwrite(e.out.data, 1, e.out.size, stdout), fflush(stdout);
    else
        fprintf(stderr, "seedbed-accept: %s\n", error.text);
    for (int i = 0; i < ORDERS; i++) sb_autumn_free(e.states[i]), sb_autumn_unload(e.programs[i]);
    free(e.drawn), free(e.changed), free(e.played), free(e.fired);
    sb_out_free(&e.out);
    sb_out_free(&text);
    return ok;
}

int main(int argc, char **argv) {
    uint64_t numbers[3];
    bool ok = argc > 4;
    for (int i = 0; i < 3; i++) ok = ok && sb_parse_uint(argv[i + 1], &numbers[i]);
    if (!ok) return fputs("usage: seedbed-accept SEEDS STEPS WALKS FILE...\n", stderr), 2;
    for (int i = 4; i < argc; i++) ok = examine_file(argv[i], numbers) && ok;
    return ok ? 0 : 2;
}
