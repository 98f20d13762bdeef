/* The part of a task's page about its sizes: grids, limits, what is there at the start, and actions. */
#include <string.h>

#include "base/error.h"
#include "cli/task_page.h"
#include "engine/facts.h"
#include "seedbed/gridworld.h"

enum { SEEDS = 20 /* of which the starts are counted */, KINDS = 40 };

/* A kind of thing, and how many of it there are at the start. */
typedef struct kind {
    const char *name; /* a constant */
    size_t n, least, most;
} kind;

/* What the starts of a difficulty have in common. */
typedef struct starts {
    size_t n_kinds, n_seen;
    kind kinds[KINDS];
    int32_t least_steps, most_steps, n_levels;
    sb_xy size; /* of the grid, which is the same for all seeds; (0,0): there is none */
} starts;

static void count(starts *s, const char *name) {
    size_t i = 0;
    while (i < s->n_kinds && strcmp(s->kinds[i].name, name) != 0) i++;
    if (i == KINDS) return;
    if (i == s->n_kinds) s->kinds[s->n_kinds++] = (kind){.name = name};
    s->kinds[i].n++;
}

/* Floor and walls are not counted: there is always some. */
static void count_cells(starts *s, const sb_env *env) {
    s->size = sb_grid_size(env);
    for (int16_t y = 0; y < s->size.y; y++)
        for (int16_t x = 0; x < s->size.x; x++) {
            const sb_xy at = {x, y};
            if (sb_object_at(env, at) > SB_NONE) count(s, sb_object_name(sb_object_at(env, at)));
            if (sb_terrain_at(env, at) > SB_WALL) count(s, sb_terrain_name(sb_terrain_at(env, at)));
        }
}

static void count_things(starts *s, const sb_env *env) {
    sb_facts facts;
    env->family->facts->tell(env, &facts);
    s->size = facts.size;
    for (size_t i = 0; i < facts.n_things; i++) count(s, facts.things[i].type);
}

static void take(starts *s, const sb_env *env) {
    const sb_status *status = sb_status_of(env);
    for (size_t i = 0; i < s->n_kinds; i++) s->kinds[i].n = 0;
    if (env->family->facts)
        count_things(s, env);
    else
        count_cells(s, env);
    for (size_t i = 0; i < s->n_kinds; i++) {
        kind *k = &s->kinds[i];
        if (s->n_seen == 0 || k->n < k->least) k->least = k->n;
        if (k->n > k->most) k->most = k->n;
    }
    if (s->n_seen == 0 || status->max_steps < s->least_steps) s->least_steps = status->max_steps;
    if (status->max_steps > s->most_steps) s->most_steps = status->max_steps;
    s->n_levels = status->n_levels;
    s->n_seen++;
}

/* ---- A row ---- */

static void put_range(sb_out *out, size_t least, size_t most) {
    sb_put_uint(out, least);
    if (most != least) sb_puts(out, " to "), sb_put_uint(out, most);
}

static void put_things(sb_out *out, const starts *s) {
    for (size_t i = 0; i < s->n_kinds; i++) {
        sb_putf(out, "%s%s ", i ? ", " : "", s->kinds[i].name);
        put_range(out, s->kinds[i].least, s->kinds[i].most);
    }
    if (s->n_kinds == 0) sb_puts(out, "nothing");
}

/* Puts the size of the grid, else that of the area of clicks, else that of the first array. */
static void put_grid(sb_out *out, const sb_env *env, const starts *s) {
    const sb_shape *shape = sb_shape_of(env);
    if (s->size.x)
        sb_putf(out, "%d x %d", s->size.x, s->size.y);
    else if (sb_has_clicks(shape))
        sb_putf(out, "%d x %d", shape->click_width, shape->click_height);
    else if (env->family->n_arrays && env->family->arrays->rank == 2)
        sb_putf(out, "%d x %d", shape->extent[0][1], shape->extent[0][0]);
}

static void put_row(sb_out *out, const sb_env *env, const char *difficulty, const starts *s) {
    sb_putf(out, "| %s | ", *difficulty ? difficulty : "(none)");
    put_grid(out, env, s);
    sb_puts(out, " | ");
    if (s->n_levels) sb_putf(out, "%d | ", s->n_levels);
    put_range(out, (size_t)s->least_steps, (size_t)s->most_steps);
    sb_puts(out, " |");
    if (s->size.x) sb_puts(out, " "), put_things(out, s), sb_puts(out, " |");
    sb_puts(out, "\n");
}

static void put_columns(sb_out *out, const starts *s) {
    sb_puts(out, "\n## Sizes and limits\n\n");
    if (s->size.x) sb_putf(out, "What is there at the start was counted in seeds 0 to %d.\n\n", SEEDS - 1);
    sb_putf(out, "| difficulty | grid |%s step limit |%s\n", s->n_levels ? " levels |" : "",
            s->size.x ? " at the start |" : "");
    sb_putf(out, "|---|---|---|%s%s\n", s->n_levels ? "---|" : "", s->size.x ? "---|" : "");
}

/* Clicks are one item, however large their area is. */
static void put_actions(sb_out *out, const sb_env *env) {
    const sb_shape *shape = sb_shape_of(env);
    char name[64];
    sb_puts(out, "\nActions:");
    for (sb_action action = 0; action < shape->n_buttons; action++) {
        sb_action_name(env, action, name, sizeof name);
        sb_putf(out, "%s %d `%s`", action ? "," : "", action, name);
    }
    if (sb_has_clicks(shape)) sb_putf(out, "; a click on (x,y) is %d + %d y + x", shape->n_buttons, shape->click_width);
    sb_puts(out, ".\n");
}

bool cli_put_task_sizes(sb_out *out, cli_task *task, sb_error *error) {
    if (!sb_worker_open(&task->worker, error)) return false;
    sb_env *env = task->worker.env;
    for (size_t i = 0; i < task->family->n_difficulties; i++) {
        starts s = {0};
        if (sb_is_derived(task->family, task->info, i)) continue;
        /* Without things to count one seed is enough: the limit then belongs to the difficulty. */
        for (uint64_t seed = 0; seed < (s.n_seen && !s.size.x ? 1 : SEEDS); seed++) {
            const sb_name name = cli_task_name(task, i, seed);
            if (!sb_reset_name(env, &name, error)) return false;
            take(&s, env);
        }
        if (i == 0) put_columns(out, &s);
        put_row(out, env, task->family->difficulties[i], &s);
    }
    put_actions(out, env);
    return true;
}
