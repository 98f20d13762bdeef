/* Recordings of Autumn programs. A recording is a JSON object:
 *
 *   program, seed   the name of the program, and the seed of the published generator
 *   actions         list of `noop`, `left`, `right`, `up`, `down`, `click x y`
 *   palette         colours in lower case
 *   frames          after the start and after each action: rows with one character a cell, 0-9a-zA-Z, an index into the
 *                   palette
 *   drawn           the same times: what was drawn, in order: [variable, [[x, y, colour as written], ...]]
 *   rng             the same times: state of the generator; missing if the program does not draw
 *   stopped         only if the run ended early: `at` is "start" or the index of the action that failed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/autumn/autumn.h"
#include "generators/conformance/comparison.h"

typedef struct recorded {
    const char *program;
    uint64_t seed;
    const cJSON *actions, *palette, *frames, *drawn;
    const cJSON *rng;     /* NULL: the program does not draw */
    const cJSON *stopped; /* NULL: the run did not stop early */
    int stopped_at;       /* index of the action that failed; -1: the start */
} recorded;

typedef struct comparison {
    sb_comparison at;
    recorded r;
    sb_autumn_state *state;
    sb_out theirs, ours;
} comparison;

bool sb_is_autumn_recording(const cJSON *recording) {
    return cJSON_IsString(cJSON_GetObjectItemCaseSensitive(recording, "program"));
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static bool read_stop(recorded *r, sb_error *error) {
    double at;
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(r->stopped, "at");
    if (cJSON_IsString(where) && strcmp(where->valuestring, "start") == 0) return r->stopped_at = -1, true;
    if (!sb_json_is_whole(where, 0, cJSON_GetArraySize(r->actions) - 1, &at))
        return sb_fail(error, SB_INVALID, "key `at` of `stopped` should be `start` or the index of an action");
    r->stopped_at = (int)at;
    return true;
}

/* The number of drawings: one after the start and one after each action that did not fail. */
static int n_drawings(const recorded *r) { return r->stopped ? r->stopped_at + 1 : cJSON_GetArraySize(r->actions) + 1; }

static bool read_recording(const cJSON *recording, recorded *r, sb_error *error) {
    r->stopped = cJSON_GetObjectItemCaseSensitive(recording, "stopped");
    if (!sb_json_string(recording, "program", &r->program, error) ||
        !sb_json_uint(recording, "seed", &r->seed, error) || !sb_json_array(recording, "actions", &r->actions, error) ||
        (r->stopped && !read_stop(r, error)))
        return false;
    const int n = n_drawings(r);
    return sb_json_array(recording, "palette", &r->palette, error) &&
           (r->frames = sb_recorded_list(recording, "frames", n, error)) &&
           (r->drawn = sb_recorded_list(recording, "drawn", n, error)) &&
           (!cJSON_HasObjectItem(recording, "rng") || (r->rng = sb_recorded_list(recording, "rng", n, error)));
}

static bool read_action(const cJSON *item, sb_autumn_event *event, sb_error *error) {
    const char *text = cJSON_IsString(item) ? item->valuestring : "";
    int x, y, end = -1;
    *event = (sb_autumn_event){0};
    if (sb_autumn_key_find(text, strlen(text), &event->key)) return true;
    if (sscanf(text, "click %9d %9d%n", &x, &y, &end) != 2 || text[end])
        return sb_fail(error, SB_INVALID, "key `actions`: `%.40s` is no action", text);
    *event = (sb_autumn_event){.key = SB_AUTUMN_CLICK, .x = x, .y = y};
    return true;
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static const char *palette_colour(const recorded *r, char digit) {
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *found = strchr(digits, digit);
    const cJSON *colour = found && digit ? cJSON_GetArrayItem(r->palette, (int)(found - digits)) : NULL;
    return colour && cJSON_IsString(colour) ? colour->valuestring : "(not in the palette)";
}

static void put_recorded_frame(comparison *c, const cJSON *frame) {
    const cJSON *row;
    cJSON_ArrayForEach(row, frame) {
        for (const char *digit = cJSON_IsString(row) ? row->valuestring : ""; *digit; digit++)
            sb_putf(&c->theirs, "%s ", palette_colour(&c->r, *digit));
        sb_puts(&c->theirs, "/ ");
    }
}

static bool put_frame(comparison *c, sb_error *error) {
    const uint32_t size = sb_autumn_size(c->state);
    uint32_t *const colours = calloc((size_t)size * size + 1, sizeof *colours);
    if (!colours) return sb_fail(error, SB_MEMORY, "out of memory for a frame");
    sb_autumn_frame(c->state, colours);
    for (uint32_t i = 0; i < size * size; i++)
        sb_putf(&c->ours, "%s %s", sb_autumn_string(sb_autumn_program_of(c->state), colours[i]),
                i % size == size - 1 ? "/ " : "");
    free(colours);
    return true;
}

static void put_drawn(comparison *c) {
    const sb_autumn_program *program = sb_autumn_program_of(c->state);
    sb_puts(&c->ours, "[");
    for (size_t i = 0; i < sb_autumn_n_layers(c->state); i++) {
        const sb_autumn_layer *layer = &sb_autumn_layers(c->state)[i];
        sb_puts(&c->ours, i ? ",[" : "[");
        sb_put_json_string(&c->ours, sb_autumn_name(program, layer->variable));
        for (uint32_t k = 0; k < layer->n; k++) {
            const sb_autumn_cell *cell = &sb_autumn_cells(c->state)[layer->first + k];
            sb_putf(&c->ours, "%s[%d,%d,", k ? "," : ",[", cell->x, cell->y);
            sb_put_json_string(&c->ours, sb_autumn_string(program, cell->colour));
            sb_puts(&c->ours, "]");
        }
        sb_puts(&c->ours, "]]");
    }
    sb_puts(&c->ours, "]");
}

/* ---- Comparing --------------------------------------------------------------------------------------------------- */

static void clear_texts(comparison *c) {
    sb_out_clear(&c->theirs);
    sb_out_clear(&c->ours);
}

static bool equal_texts(comparison *c, sb_aspect aspect, const char *what, sb_error *error) {
    sb_put(&c->theirs, "\0", 1);
    sb_put(&c->ours, "\0", 1);
    if (c->theirs.failed || c->ours.failed) return sb_fail(error, SB_MEMORY, "out of memory for a comparison");
    (void)sb_equal_text(&c->at, aspect, what, c->theirs.data, c->ours.data);
    clear_texts(c);
    return true;
}

/* Compares drawing i; false: an error. A difference is noted. */
static bool compare_drawing(comparison *c, int i, sb_error *error) {
    clear_texts(c);
    put_recorded_frame(c, cJSON_GetArrayItem(c->r.frames, i));
    if (!put_frame(c, error) || !equal_texts(c, SB_ASPECT_VIEWS, "frame", error)) return false;
    if (c->at.found->differs) return true;
    sb_put_recorded(&c->theirs, cJSON_GetArrayItem(c->r.drawn, i));
    put_drawn(c);
    if (!equal_texts(c, SB_ASPECT_STATES, "drawn cells", error)) return false;
    if (c->at.found->differs || !c->r.rng) return true;
    sb_put_recorded(&c->theirs, cJSON_GetArrayItem(c->r.rng, i));
    sb_put_uint(&c->ours, sb_autumn_generator_state(c->state));
    return equal_texts(c, SB_ASPECT_DRAWS, "generator", error);
}

/* Compares whether a start or step was one that stopped the run. Returns whether the run goes on. */
static bool goes_on(comparison *c, int action, bool ok) {
    const bool stopped = c->r.stopped && action == c->r.stopped_at;
    const sb_autumn_fault *fault = sb_autumn_fault_of(c->state);
    if (stopped || !ok) c->at.found->compared[SB_ASPECT_ENDS]++;
    if (ok == !stopped) return ok;
    if (ok) return sb_differ(&c->at, "stopped\n  recorded an error\n  ours     none");
    return sb_differ(&c->at, "stopped\n  recorded no error\n  ours     line %u, column %u: %s", fault->line,
                     fault->column, fault->text);
}

static bool compare_run(comparison *c, sb_error *error) {
    const int n = cJSON_GetArraySize(c->r.actions);
    const cJSON *action = c->r.actions->child;
    snprintf(c->at.place, sizeof c->at.place, "%.60s, start", c->r.program);
    c->at.found->compared[SB_ASPECT_RESET]++;
    bool ok = goes_on(c, -1, sb_autumn_start(c->state, SB_AUTUMN_PUBLISHED, c->r.seed, NULL));
    if (ok && !compare_drawing(c, 0, error)) return false;
    for (int i = 0; ok && !c->at.found->differs && i < n; i++, action = action->next) {
        sb_autumn_event event;
        if (!read_action(action, &event, error)) return false;
        snprintf(c->at.place, sizeof c->at.place, "%.60s, action %d", c->r.program, i);
        c->at.found->steps++;
        ok = goes_on(c, i, sb_autumn_step(c->state, event, NULL));
        if (ok && !compare_drawing(c, i + 1, error)) return false;
    }
    return true;
}

/* A program that cannot be loaded has stopped at the start. */
static void compare_load(comparison *c, const sb_autumn_fault *fault) {
    snprintf(c->at.place, sizeof c->at.place, "%.60s, start", c->r.program);
    c->at.found->compared[SB_ASPECT_RESET]++;
    c->at.found->compared[SB_ASPECT_ENDS]++;
    if (!c->r.stopped || c->r.stopped_at != -1)
        sb_differ(&c->at, "stopped\n  recorded no error\n  ours     line %u, column %u: %s", fault->line, fault->column,
                  fault->text);
}

bool sb_compare_autumn(const cJSON *recording, const char *text, size_t n, sb_conformity *found, sb_error *error) {
    comparison c = {.at = {.found = found}, .theirs = sb_out_growing(), .ours = sb_out_growing()};
    sb_autumn_fault fault;
    if (!read_recording(recording, &c.r, error)) return false;
    sb_autumn_program *const program = sb_autumn_load(text, n, NULL, &fault);
    bool ok = true;
    if (!program)
        compare_load(&c, &fault);
    else
        ok = ((c.state = sb_autumn_new(program)) || sb_fail(error, SB_MEMORY, "out of memory for a program")) &&
             compare_run(&c, error);
    sb_out_free(&c.theirs);
    sb_out_free(&c.ours);
    sb_autumn_free(c.state);
    sb_autumn_unload(program);
    return ok;
}
