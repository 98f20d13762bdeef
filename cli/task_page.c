#include "cli/task_page.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/picture.h"
#include "cli/shipped.h"
#include "engine/facts.h"
#include "oracles/reasons.h"
#include "rollout/judging.h"
#include "rollout/view.h"
#include "seedbed/gridworld.h"

static sb_name name_of(const cli_task *task, size_t difficulty, uint64_t seed) {
    sb_name name = {.seed = seed};
    snprintf(name.family, sizeof name.family, "%s", task->family->name);
    snprintf(name.task, sizeof name.task, "%s", task->info->name);
    snprintf(name.difficulty, sizeof name.difficulty, "%s", sb_difficulty_name(task->family, task->info, difficulty));
    return name;
}

/* Who plays the task if nobody is named; NULL: nobody does, as long as it has no oracle of its own. */
static const char *usual_player(const cli_task *task) {
    const sb_name first = name_of(task, 0, 0);
    const char *agent = sb_default_agent(&first);
    return sb_oracle_find(first.family, first.task, agent) ? agent : NULL;
}

/* ---- What a grid shows ---- */

enum { GLYPHS = 48, GLYPH = 96, FROM = -1 /* fog */, VALUES = 512 };

#define LEGEND "--- Legend ---\n"

typedef struct seen {
    char glyphs[GLYPHS][GLYPH]; /* lines of legends, in the order in which they were seen */
    size_t n_glyphs;
    /* Which objects occur, and with which metadata, counted from FROM. */
    bool occurs[SB_N_OBJECTS], has_value[SB_N_OBJECTS][VALUES];
    const sb_mode *mode;
    sb_out text;
} seen;

static void add_glyph(seen *s, const char *line, size_t n) {
    for (size_t i = 0; i < s->n_glyphs; i++)
        if (strncmp(s->glyphs[i], line, n) == 0 && !s->glyphs[i][n]) return;
    if (s->n_glyphs == GLYPHS || n >= GLYPH) return;
    memcpy(s->glyphs[s->n_glyphs], line, n);
    s->glyphs[s->n_glyphs++][n] = '\0';
}

static void add_legend(seen *s, const sb_env *env) {
    sb_out_clear(&s->text);
    env->family->observe(env, s->mode, &s->text);
    sb_putc(&s->text, '\0');
    const char *line = s->text.failed ? NULL : strstr(s->text.data, LEGEND);
    if (!line) return;
    for (line += strlen(LEGEND); *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (*line != '\n') add_glyph(s, line, strcspn(line, "\n"));
}

static bool look(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    seen *s = context;
    sb_entity entities[SB_CELLS_MAX];
    const size_t n = sb_entities(env, entities, SB_CELLS_MAX);
    (void)action, (void)result;
    for (size_t i = 0; i < n; i++) {
        const int32_t value = entities[i].metadata - FROM;
        s->occurs[entities[i].object] = true;
        if (value >= 0 && value < VALUES) s->has_value[entities[i].object][value] = true;
    }
    add_legend(s, env);
    return !s->text.failed || sb_fail(error, SB_MEMORY, "out of memory for the legend of a task");
}

static void put_glyphs(sb_out *out, const seen *s) {
    sb_puts(out, "\n## Glyphs\n\n```\n");
    for (size_t i = 0; i < s->n_glyphs; i++) sb_putf(out, "%s\n", s->glyphs[i]);
    sb_puts(out, "```\n");
}

/* Puts the numbers for which `has` is true, such as `0, 10..12`. */
static void put_values(sb_out *out, const bool has[VALUES]) {
    bool has_any = false;
    for (int first = 0, last; first < VALUES; first = last + 1) {
        last = first;
        if (!has[first]) continue;
        while (last + 1 < VALUES && has[last + 1]) last++;
        sb_putf(out, "%s%d", has_any ? ", " : "", first + FROM);
        if (last > first) sb_putf(out, "%s%d", last > first + 1 ? ".." : ", ", last + FROM);
        has_any = true;
    }
}

static void put_metadata(sb_out *out, const seen *s) {
    sb_puts(out, "\n| object | code | metadata that occurred |\n|---|---|---|\n");
    for (int object = SB_NONE + 1; object < SB_N_OBJECTS; object++) {
        if (!s->occurs[object]) continue;
        sb_putf(out, "| %s | %d | ", sb_object_name((sb_object)object), object);
        put_values(out, s->has_value[object]);
        sb_puts(out, " |\n");
    }
}

static bool put_cells(sb_out *out, cli_task *task, sb_error *error) {
    bool ok = true, has_object = false;
    const char *player = usual_player(task);
    if (!sb_worker_open(&task->worker, error)) return false;
    if (!sb_grid_size(task->worker.env).x) return true;
    seen *s = calloc(1, sizeof *s);
    if (!s) return sb_fail(error, SB_MEMORY, "out of memory for a page of a task");
    s->text = sb_out_growing(), s->mode = &task->family->modes[0];
    for (size_t i = 0; ok && i < sb_difficulties_of(task->family, task->info).n; i++) {
        const sb_name name = name_of(task, i, 0);
        ok = sb_worker_play(&task->worker, player ? player : "random", &name, look, s, error);
    }
    if (ok) put_glyphs(out, s);
    for (int object = 0; object < SB_N_OBJECTS; object++) has_object |= s->occurs[object];
    if (ok && has_object) put_metadata(out, s);
    sb_out_free(&s->text);
    free(s);
    return ok;
}

/* ---- Sizes, limits, what is there at the start, and actions ---- */

enum { STARTS = 20 /* seeds whose starts are counted */, KINDS = 40 };

/* A kind of thing, and how many of it there are at the start. */
typedef struct kind {
    const char *name; /* the kind's name, a constant */
    size_t n, least, most;
} kind;

/* What the starts of a difficulty have in common. */
typedef struct starts {
    size_t n_kinds, n_seen;
    kind kinds[KINDS];
    int32_t least_steps, most_steps, n_levels;
    /* Size of the grid, which is the same for all seeds; (0,0): there is no grid. */
    sb_xy size;
} starts;

static void count_kind(starts *s, const char *name) {
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
            if (sb_object_at(env, at) > SB_NONE) count_kind(s, sb_object_name(sb_object_at(env, at)));
            if (sb_terrain_at(env, at) > SB_WALL) count_kind(s, sb_terrain_name(sb_terrain_at(env, at)));
        }
}

static void count_things(starts *s, const sb_env *env) {
    sb_facts facts;
    env->family->facts->tell(env, &facts);
    s->size = facts.size;
    for (size_t i = 0; i < facts.n_things; i++) count_kind(s, facts.things[i].type);
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
    if (s->size.x) sb_putf(out, "What is there at the start was counted in seeds 0 to %d.\n\n", STARTS - 1);
    sb_putf(out, "| difficulty | grid |%s step limit |%s\n", s->n_levels ? " levels |" : "",
            s->size.x ? " at the start |" : "");
    sb_putf(out, "|---|---|---|%s%s\n", s->n_levels ? "---|" : "", s->size.x ? "---|" : "");
}

/* Whether the area of clicks is as wide at all difficulties. */
static bool has_one_width(const cli_task *task, const sb_shape *shape) {
    sb_shape other;
    sb_error ignored;
    bool same = true;
    for (size_t i = 0; same && i < sb_difficulties_of(task->family, task->info).n; i++) {
        const sb_name name = name_of(task, i, 0);
        same = !sb_name_shape(task->worker.catalogue, &name, &other, &ignored) ||
               other.click_width == shape->click_width;
    }
    return same;
}

/* Puts the list of actions. Clicks are one item of it, however large their area is. */
static void put_actions(sb_out *out, const cli_task *task) {
    const sb_env *env = task->worker.env;
    const sb_shape *shape = sb_shape_of(env);
    char name[64];
    sb_puts(out, "\nActions:");
    for (sb_action action = 0; action < shape->n_buttons; action++) {
        sb_action_name(env, action, name, sizeof name);
        sb_putf(out, "%s %d `%s`", action ? "," : "", action, name);
    }
    if (sb_has_clicks(shape) && has_one_width(task, shape))
        sb_putf(out, "; a click on (x,y) is %d + %d y + x", shape->n_buttons, shape->click_width);
    else if (sb_has_clicks(shape))
        sb_putf(out, "; a click on (x,y) of a grid of width w is %d + w y + x", shape->n_buttons);
    sb_puts(out, ".\n");
}

static bool put_sizes(sb_out *out, cli_task *task, sb_error *error) {
    if (!sb_worker_open(&task->worker, error)) return false;
    sb_env *env = task->worker.env;
    for (size_t i = 0; i < sb_difficulties_of(task->family, task->info).n; i++) {
        starts s = {0};
        if (sb_is_derived(task->family, task->info, i)) continue;
        /* Without things to count one seed is enough: the limit then belongs to the difficulty. */
        for (uint64_t seed = 0; seed < (s.n_seen && !s.size.x ? 1 : STARTS); seed++) {
            const sb_name name = name_of(task, i, seed);
            if (!sb_reset_name(env, &name, error)) return false;
            take(&s, env);
        }
        if (i == 0) put_columns(out, &s);
        put_row(out, env, sb_difficulty_name(task->family, task->info, i), &s);
    }
    put_actions(out, task);
    return true;
}

/* ---- How well oracles play ---- */

/* What was measured of a family: by task and, where it has them, by difficulty and split, the names of agents with
 * [solved, played, mean steps]. */
typedef struct measured {
    const char *family, *of; /* of: which episodes were measured, and which steps */
    const unsigned char *text;
    const size_t *n;
} measured;

static const measured families[] = {
    {"agentick",
     "The official 25 evaluation seeds; steps are means over all of them. Training seeds: docs/measured/oracles.md.",
     sb_shipped_results, &sb_shipped_results_size},
    {"babyai", "Seeds 0 to 99; steps are means over the solved ones.", sb_shipped_results_babyai,
     &sb_shipped_results_babyai_size},
    {"arc", "Seeds 0 to 19; steps are means over the solved ones.", sb_shipped_results_arc,
     &sb_shipped_results_arc_size}};

static const measured *find_family(const char *name) {
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (strcmp(families[i].family, name) == 0) return &families[i];
    return NULL;
}

static void put_names(sb_out *out, const char *const *names, size_t n) {
    sb_puts(out, "\n## Oracles\n\n");
    for (size_t i = 0; i < n; i++) sb_putf(out, "%s`%s`", i ? ", " : "", names[i]);
    sb_puts(out, n ? ".\n" : "None.\n");
}

static void put_rows(sb_out *out, const char *difficulty, const cJSON *agents) {
    const cJSON *agent;
    cJSON_ArrayForEach(agent, agents) {
        if (!cJSON_IsArray(agent) || cJSON_GetArraySize(agent) != 3 || !cJSON_IsNumber(agent->child)) continue;
        const double solved = cJSON_GetArrayItem(agent, 0)->valuedouble;
        const double played = cJSON_GetArrayItem(agent, 1)->valuedouble;
        sb_putf(out, "| %s | `%s` | %.0f of %.0f | ", *difficulty ? difficulty : "(none)", agent->string, solved,
                played);
        const cJSON *steps = cJSON_GetArrayItem(agent, 2);
        if (cJSON_IsNumber(steps)) sb_putf(out, "%.2f", steps->valuedouble);
        sb_puts(out, " |\n");
    }
}

/* Returns what was measured of the task in one of its difficulties. */
static const cJSON *measured_in(const cJSON *of_task, const char *difficulty) {
    const cJSON *here = *difficulty ? cJSON_GetObjectItemCaseSensitive(of_task, difficulty) : of_task;
    const cJSON *official = cJSON_GetObjectItemCaseSensitive(here, "eval");
    return official ? official : here;
}

static void put_table(sb_out *out, const cli_task *task, const measured *from, const cJSON *of_task) {
    sb_putf(out, "\n%s\n\n| difficulty | oracle | solved | steps |\n|---|---|---|---|\n", from->of);
    for (size_t i = 0; i < sb_difficulties_of(task->family, task->info).n; i++)
        put_rows(out, sb_difficulty_name(task->family, task->info, i),
                 measured_in(of_task, sb_difficulty_name(task->family, task->info, i)));
}

static bool was_measured(const cli_task *task, const cJSON *of_task, const char *oracle) {
    bool found = false;
    for (size_t i = 0; i < sb_difficulties_of(task->family, task->info).n; i++)
        found |= cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(
            measured_in(of_task, sb_difficulty_name(task->family, task->info, i)), oracle));
    return found;
}

/* Says which oracles the table lacks. */
static void put_unmeasured(sb_out *out, const cli_task *task, const cJSON *of_task, const char *const *names,
                           size_t n) {
    bool some = false;
    for (size_t i = 0; i < n; i++) {
        if (was_measured(task, of_task, names[i])) continue;
        sb_putf(out, "%s`%s`", some ? ", " : "\nNot measured: ", names[i]);
        some = true;
    }
    if (some) sb_puts(out, ".\n");
}

static bool put_figures(sb_out *out, const cli_task *task, sb_error *error) {
    const measured *from = find_family(task->family->name);
    const char *names[SB_ORACLES_MAX];
    const size_t n = sb_oracles_of(task->family->name, task->info->name, names);
    put_names(out, names, n);
    if (strcmp(task->family->name, "autumn") == 0)
        sb_puts(out, "\nHow they do in challenges: docs/measured/autumn-oracles.md.\n");
    if (!from) return true;
    cJSON *results = sb_json_parse((const char *)from->text, *from->n, error);
    if (!results) return false;
    const cJSON *of_task = cJSON_GetObjectItemCaseSensitive(results, task->info->name);
    if (of_task) {
        put_table(out, task, from, of_task);
        put_unmeasured(out, task, of_task, names, n);
    }
    cJSON_Delete(results);
    return true;
}

/* ---- How many games there are ---- */

enum { COUNTED = 1000 /* starts of a user's task to count, because nobody counted them before */ };

static const char games_head[] =
    "\n## Games\n\nHow many games there are among all seeds (docs/datasets.md says how they are "
    "counted), and how much is "
    "left where no game of an evaluation episode may occur.\n\n"
    "| difficulty | starts counted | games | effective | left |\n|---|---|---|---|---|\n";

/* Counts the games of a user's task. */
static bool count_games(const cli_task *task, size_t difficulty, sb_games *games, sb_error *error) {
    const sb_name first = name_of(task, difficulty, 0);
    const sb_request request = {.catalogue = task->worker.catalogue,
                                .family = first.family,
                                .tasks = first.task,
                                .difficulty = *first.difficulty ? first.difficulty : NULL,
                                .split = "games",
                                .count = COUNTED};
    const sb_games_counting alone = {.jobs = 1};
    sb_selection selection = {0};
    const bool ok = sb_select(&request, &selection, error) &&
                    sb_games_count(&selection, 0, selection.n, &alone, games, error);
    sb_selection_free(&selection);
    return ok;
}

static bool is_built_in(const cli_task *task) {
    size_t index;
    sb_error ignored;
    return sb_task_find(NULL, task->family, task->info->name, &index, &ignored);
}

static void put_games_row(sb_out *out, const char *difficulty, const sb_games *games) {
    sb_putf(out, "| %s | %llu | ", *difficulty ? difficulty : "(none)", (unsigned long long)games->starts);
    sb_games_put_number(games, out), sb_puts(out, " | ");
    sb_games_put_effective(games, out);
    sb_putf(out, " | %.1f %% |\n", sb_games_left(games));
}

static bool put_games(sb_out *out, const cli_task *task, sb_error *error) {
    const sb_family *family = task->family;
    const bool built_in = is_built_in(task);
    bool ok = true, has_head = false;
    for (size_t i = 0; ok && i < sb_difficulties_of(family, task->info).n; i++) {
        const char *difficulty = sb_difficulty_name(family, task->info, i);
        sb_games games;
        if (sb_is_derived(family, task->info, i)) continue;
        if (!cli_known_games_find(task->known, family->name, task->info->name, difficulty, &games)) {
            if (built_in || sb_is_searched(family, task->info, i)) continue;
            ok = count_games(task, i, &games, error);
        }
        if (ok && !has_head) sb_puts(out, games_head);
        has_head = true;
        if (ok) put_games_row(out, difficulty, &games);
    }
    return ok;
}

/* ---- An episode ---- */

enum {
    SEEDS = 10,
    ROWS = 40,  /* rows of the table of steps; the tape has all steps */
    LONG = 2500 /* bytes; a longer observation is shown at the start only */
};

/* Steps in a row with one action and one purpose. */
typedef struct run {
    int32_t first, last;
    double reward, dense;
    char action[64], purpose[96];
} run;

typedef struct telling {
    const sb_player *player;
    sb_out start, rows;
    run now;
    size_t n_rows;
    int32_t n_shown; /* steps that the table has so far */
} telling;

static void put_observation(sb_out *out, const sb_env *env) {
    sb_puts(out, "```\n");
    env->family->observe(env, &env->family->modes[0], out);
    if (out->last != '\n') sb_puts(out, "\n");
    sb_puts(out, "```\n");
}

static void end_run(telling *t) {
    run *r = &t->now;
    if (r->first && t->n_rows++ < ROWS) {
        sb_putf(&t->rows, r->last > r->first ? "| %d to %d |" : "| %d |", r->first, r->last);
        sb_putf(&t->rows, " `%s` | %s | %.6g | %.6g |\n", r->action, r->purpose, r->reward, r->dense);
        t->n_shown = r->last;
    }
    *r = (run){0};
}

/* Adds the step to the run, or begins another run. A reward ends a run, so that it stands in a row of its own. */
static bool tell(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    telling *t = context;
    run next = {.first = sb_status_of(env)->steps};
    if (!result) return put_observation(&t->start, env), true;
    sb_out purpose = sb_out_fixed(next.purpose, sizeof next.purpose);
    sb_put_intent(&purpose, &t->player->intent);
    sb_out_finish(&purpose);
    sb_action_name(env, action, next.action, sizeof next.action);
    if (strcmp(next.action, t->now.action) != 0 || strcmp(next.purpose, t->now.purpose) != 0 || result->reward != 0)
        end_run(t), t->now = next;
    t->now.last = sb_status_of(env)->steps;
    t->now.reward += result->reward, t->now.dense += result->dense;
    if (result->reward != 0) end_run(t);
    return (!t->rows.failed && !t->start.failed) || sb_fail(error, SB_MEMORY, "out of memory for a table of steps");
}

static bool play(cli_task *task, telling *t, sb_error *error) {
    sb_worker *worker = &task->worker;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const sb_name name = name_of(task, 0, seed);
        sb_out_clear(&t->start), sb_out_clear(&t->rows);
        t->now = (run){0}, t->n_rows = 0, t->n_shown = 0;
        if (!sb_worker_play(worker, NULL, &name, tell, t, error)) return false;
        end_run(t);
        if (!sb_has_success(task->info->criterion) || worker->tape.outcome.success) break;
    }
    return true;
}

static void put_end(sb_out *out, const cli_task *task, const telling *t) {
    const sb_worker *worker = &task->worker;
    const sb_status *end = &worker->tape.outcome;
    sb_out last = sb_out_growing();
    if (t->n_shown < end->steps) sb_putf(out, "\nThe table ends after %d of %d steps.\n", t->n_shown, end->steps);
    sb_putf(out, "\nIt ends after %d steps: %s, return ", end->steps, cli_outcome(task->info->criterion, end));
    sb_put_double(out, end->total);
    cli_put_standing(out, task->info->criterion, end);
    sb_puts(out, ".\n");
    put_observation(&last, worker->env);
    if (last.size <= LONG) sb_puts(out, "\n"), sb_put_out(out, &last);
    sb_out_free(&last);
}

static void put_played(sb_out *out, const cli_task *task, const telling *t) {
    const sb_tape *tape = &task->worker.tape;
    char name[SB_NAME_MAX];
    sb_name_print(&tape->name, name, sizeof name);
    sb_putf(out, "\n## An episode\n\n`%s`, played by `%s`.\n\n", name, tape->agent);
    sb_put_out(out, &t->start);
    sb_puts(out, "\n| steps | action | what for | reward | dense reward |\n|---|---|---|---|---|\n");
    sb_put_out(out, &t->rows);
    put_end(out, task, t);
    sb_puts(out, "\nIts tape, for `seedbed replay`:\n\n```json\n");
    sb_tape_put_line(tape, out);
    sb_puts(out, "```\n");
}

/* Shows the start, which is all there is where nobody plays. */
static bool put_start(sb_out *out, cli_task *task, sb_error *error) {
    char text[SB_NAME_MAX];
    const sb_name name = name_of(task, 0, 0);
    if (!sb_worker_open(&task->worker, error) || !sb_reset_name(task->worker.env, &name, error)) return false;
    sb_name_print(&name, text, sizeof text);
    sb_putf(
        out,
        "\n## An episode\n\nNo expert plays it, because the task has no oracle of its own yet (docs/adding-a-task.md "
        "says how to write\none). `seedbed solve %s --agent clairvoyant` searches; the episode begins so:\n\n",
        text);
    put_observation(out, task->worker.env);
    return true;
}

static bool put_episode(sb_out *out, cli_task *task, sb_error *error) {
    if (!usual_player(task)) return put_start(out, task, error);
    telling t = {.player = &task->worker.player, .start = sb_out_growing(), .rows = sb_out_growing()};
    const bool ok = play(task, &t, error);
    if (ok) put_played(out, task, &t);
    sb_out_free(&t.start), sb_out_free(&t.rows);
    return ok;
}

/* ---- The head ---- */

static void put_head(sb_out *out, const cli_task *task) {
    static const char *const judged[] = {[SB_BY_SUCCESS] = "judged by success",
                                         [SB_BY_SCORE] = "judged by a score",
                                         [SB_BY_NOTHING] = "for exploring: nobody wins or loses"};
    char name[SB_NAME_MAX], rules[SB_RULES_NAME];
    const sb_task_info *info = task->info;
    const sb_name first = name_of(task, 0, 0);
    sb_name_print(&first, name, sizeof name);
    sb_rules_name(task->family, info, rules);
    sb_putf(out, "# %s\n\n%s\n\n", info->name, info->summary);
    sb_putf(out, "Category `%s`, rules `%s`, %s.", info->category, rules, judged[sb_judged_by(task->family, info, 0)]);
    if (info->alias) sb_putf(out, " The published id is `%s`.", info->alias);
    const bool is_brought = sb_task_program(task->worker.catalogue, info);
    sb_putf(out, "\n\n    seedbed play %s%s\n", name, is_brought ? " --program FILE" : "");
}

/* What a family says of a task begins with what there is to do; in some families its configuration follows, under this
 * heading. */
static const char config_heading[] = "\n## Configuration keys\n\n";

static void put_text(sb_out *out, const sb_out *text, const char *config) {
    if (!text->size) return;
    sb_puts(out, text->data[0] == '#' ? "\n" : "\n## What to do\n\n");
    sb_put(out, text->data, config ? (size_t)(config - text->data) : text->size);
}

static void put_config(sb_out *out, const char *config) {
    if (!config) return;
    sb_puts(out, config_heading);
    sb_puts(out, "Public keys are shown in the mode `state`, private ones to bots and experts only; live values change "
                 "during an episode. Types and ranges: docs/task-config.md.\n\n");
    sb_puts(out, config + strlen(config_heading));
}

/* ---- The page ---- */

/* Whether all episodes of the task take long to find: then none is started for the page. */
static bool is_all_derived(const cli_task *task) {
    bool all = true;
    for (size_t i = 0; all && i < sb_difficulties_of(task->family, task->info).n; i++)
        all = sb_is_derived(task->family, task->info, i);
    return all;
}

bool cli_put_task_page(sb_out *out, cli_task *task, sb_error *error) {
    sb_out text = sb_out_growing();
    if (task->family->describe) task->family->describe(task->info, &text);
    const char *config = sb_out_finish(&text) ? strstr(text.data, config_heading) : NULL;
    put_head(out, task);
    put_text(out, &text, config);
    const bool starts = !is_all_derived(task);
    const bool ok = !starts || (put_sizes(out, task, error) && put_cells(out, task, error));
    put_config(out, config);
    sb_out_free(&text);
    return ok && (!starts || put_games(out, task, error)) && put_figures(out, task, error) &&
           (!starts || put_episode(out, task, error));
}
