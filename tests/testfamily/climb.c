/* A family with features that others lack: buttons beside a small click area, levels and a score, clicks that break the
 * world, programs that users bring, episodes that are expensive to find, and hidden state that cannot be masked.
 *
 * On every level the agent has to reach a height exactly, by going up or down, or by clicks, each of which raises it by
 * the value of its cell. Observations do not show the values of cells. */
#include "tests/testfamily/toy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "seeds/rng.h"

enum { UP, DOWN, N_BUTTONS, LEVELS_MAX = 8, SIDE_MAX = 8 };
enum { PLAIN, STEEP, KEPT, N_DIFFICULTIES };

/* The content of a program. */
typedef struct tower {
    sb_task_info info; /* must come first: environments point at it */
    int32_t levels, width, height, limit;
    int32_t broken; /* the cell whose click the world cannot take; -1: none */
} tower;

typedef struct state {
    int32_t at, level, presses; /* height; levels solved; actions on this level */
    int32_t clock;
    double score;
    bool failed;
    int32_t target[LEVELS_MAX], worth[SIDE_MAX * SIDE_MAX];
} state;

static const tower towers[] = {
    {.info = {.name = "Climb-v1",
              .category = "towers",
              .summary = "Reach the height of each level.",
              .criterion = SB_BY_SCORE},
     .levels = 3,
     .width = 4,
     .height = 3,
     .limit = 40,
     .broken = 11},
    {.info = {.name = "Roam-v1", .category = "towers", .summary = "Look around.", .criterion = SB_BY_NOTHING},
     .width = 2,
     .height = 2,
     .limit = 12,
     .broken = -1},
};

static const sb_task_info *task_info(size_t index) { return &towers[index].info; }

/* ---- Programs ---- */

static bool read_number(const char *line, const char *word, int32_t *number) {
    const size_t n = strlen(word);
    char *end;
    if (strncmp(line, word, n) != 0 || line[n] != ' ') return false;
    const long value = strtol(line + n + 1, &end, 10);
    if (end == line + n + 1 || (*end && *end != '\n') || value < 0 || value > 100) return false;
    return *number = (int32_t)value, true;
}

/* Reads lines like `levels 3`. */
static bool read_lines(const char *text, tower *t, sb_error *error) {
    for (int line = 1; *text; line++) {
        if (!read_number(text, "levels", &t->levels) && !read_number(text, "width", &t->width) &&
            !read_number(text, "height", &t->height) && !read_number(text, "limit", &t->limit) &&
            !read_number(text, "broken", &t->broken))
            return sb_fail(error, SB_INVALID, "line %d: expected levels, width, height, limit or broken, and a number",
                           line);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return (t->levels <= LEVELS_MAX && t->width > 0 && t->width <= SIDE_MAX && t->height > 0 && t->height <= SIDE_MAX &&
            t->limit > 0) ||
           sb_fail(error, SB_INVALID, "a tower has at most %d levels, a board of 1 to %d cells a side, and a limit",
                   LEVELS_MAX, SIDE_MAX);
}

static sb_task_info *read_program(const char *text, size_t n, sb_error *error) {
    tower *t = calloc(1, sizeof *t);
    if (!t) return sb_fail(error, SB_MEMORY, "out of memory for a tower"), NULL;
    *t = (tower){.info = {.category = "files", .summary = "Climb a tower of one's own.", .criterion = SB_BY_SCORE}};
    t->broken = -1;
    if (strlen(text) == n && read_lines(text, t, error)) {
        if (t->levels == 0) t->info.criterion = SB_BY_NOTHING;
        return &t->info;
    }
    free(t);
    return NULL;
}

static void drop_program(sb_task_info *task) { free(task); }

static bool is_derived(const sb_task_info *task, size_t difficulty) {
    (void)task;
    return difficulty == KEPT;
}

static const sb_imports imports = {
    .read = read_program, .drop = drop_program, .is_derived = is_derived, .how_to_derive = "the tests make one"};

/* ---- Episodes ---- */

static void shape(const sb_task_info *task, size_t difficulty, sb_shape *shape) {
    const tower *t = (const tower *)task;
    (void)difficulty;
    shape->n_buttons = N_BUTTONS;
    shape->click_width = t->width, shape->click_height = t->height;
    shape->max_steps = t->limit;
    shape->extent[0][0] = 3;
}

static void draw_targets(state *s, int32_t levels, sb_rng *rng, size_t difficulty) {
    for (int i = 0; i < levels; i++) s->target[i] = (int32_t)sb_integers(rng, 2, difficulty == STEEP ? 30 : 12);
}

static int32_t sum_of(const state *s, int32_t levels) {
    int32_t sum = 0;
    for (int i = 0; i < levels; i++) sum += s->target[i];
    return sum;
}

/* Kept towers have heights whose sum is a multiple of seven, so that they are expensive to find. */
static void derive(state *s, int32_t levels, sb_rng *rng) {
    do draw_targets(s, levels, rng, KEPT);
    while (sum_of(s, levels) % 7 != 0);
}

static bool read_targets(state *s, int32_t levels, const char *text, sb_error *error) {
    for (int i = 0; i < levels; i++) {
        char *end;
        s->target[i] = (int32_t)strtol(text, &end, 10);
        if (end == text || s->target[i] < 1)
            return sb_fail(error, SB_INVALID, "a kept tower names %d heights", (int)levels);
        text = end;
    }
    return true;
}

static bool start(sb_env *env, int32_t *max_steps, sb_error *error) {
    const tower *t = (const tower *)env->task;
    if (!env->state && !(env->state = calloc(1, sizeof(state))))
        return sb_fail(error, SB_MEMORY, "out of memory for a tower");
    state *s = env->state;
    sb_rng rng;
    size_t n;
    *s = (state){0};
    sb_rng_seed(&rng, env->name.seed, NULL);
    for (int i = 0; i < t->width * t->height; i++) s->worth[i] = (int32_t)sb_integers(&rng, 0, 6);
    const char *kept = sb_catalogue_document(env->catalogue, &env->name, &n);
    if (kept && !read_targets(s, t->levels, kept, error)) return false;
    if (!kept && env->difficulty_index == KEPT)
        derive(s, t->levels, &rng);
    else if (!kept)
        draw_targets(s, t->levels, &rng, env->difficulty_index);
    *max_steps = t->limit;
    return true;
}

static void step(sb_env *env, sb_action action, sb_result *result) {
    const tower *t = (const tower *)env->task;
    state *s = env->state;
    *result = (sb_result){.fault = action == N_BUTTONS + t->broken && t->broken >= 0};
    if (result->fault) return;
    s->clock++, s->presses++;
    if (action == UP) s->at++;
    if (action == DOWN && s->at > 0) s->at--;
    if (action >= N_BUTTONS) s->at += s->worth[action - N_BUTTONS];
    if (s->level < t->levels && s->at == s->target[s->level]) {
        result->reward = result->dense = 1.0 / s->presses;
        s->score += result->reward;
        s->level++, s->at = s->presses = 0;
    }
    result->success = result->terminated = t->levels > 0 && s->level == t->levels;
    result->truncated = s->clock >= t->limit;
}

static void stand(const sb_env *env, sb_status *status) {
    const state *s = env->state;
    status->score = s->score;
    status->level = s->level, status->n_levels = ((const tower *)env->task)->levels;
}

static void tell_fault(const sb_env *env, sb_out *out) {
    const tower *t = (const tower *)env->task;
    sb_putf(out, "the cell at (%d,%d) is broken", t->broken % t->width, t->broken / t->width);
}

/* ---- Observations ---- */

enum { TEXT, DATA };
static const char data_schema[] =
    "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\", \"properties\": {\"level\": "
    "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": 8}, \"at\": {\"type\": \"integer\", \"minimum\": 0, "
    "\"maximum\": "
    "1000}, \"target\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": 100}}, \"required\": [\"level\", \"at\", "
    "\"target\"], \"additionalProperties\": false}\n";
static const sb_mode modes[] = {{.name = "text", .code = TEXT},
                                {.name = "data", .code = DATA, .document = true, .schema = data_schema}};
static const char *const dataset_modes[] = {"text", NULL};

static int32_t target_of(const sb_env *env) {
    const state *s = env->state;
    return s->level < ((const tower *)env->task)->levels ? s->target[s->level] : 0;
}

static void observe(const sb_env *env, const sb_mode *mode, sb_out *out) {
    const state *s = env->state;
    if (mode->code == TEXT) {
        sb_putf(out, "level %d, at %d of %d", s->level, s->at, target_of(env));
        return;
    }
    sb_puts(out, "{");
    sb_member_int(out, "level", s->level);
    sb_member_int(out, "at", s->at);
    sb_member_int(out, "target", target_of(env));
    sb_puts(out, "}");
}

static const sb_array arrays[] = {{.name = "standing", .type = SB_INT32, .rank = 1}};

static void fill(const sb_env *env, size_t array, void *numbers) {
    const state *s = env->state;
    (void)array;
    memcpy(numbers, (int32_t[]){s->level, s->at, target_of(env)}, 3 * sizeof(int32_t));
}

static void valid(const sb_env *env, bool *mask) {
    const state *s = env->state;
    mask[UP] = true;
    mask[DOWN] = s->at > 0;
    mask[N_BUTTONS] = true;
}

/* Returns one cell of each value, and the broken one. */
static size_t clicks(const sb_env *env, sb_action *out, size_t capacity) {
    const tower *t = (const tower *)env->task;
    const state *s = env->state;
    unsigned seen = 0;
    size_t n = 0;
    for (int i = 0; i < t->width * t->height; i++) {
        if (i != t->broken && seen >> s->worth[i] & 1) continue;
        if (i != t->broken) seen |= 1U << s->worth[i];
        if (n < capacity) out[n] = N_BUTTONS + i;
        n++;
    }
    return n;
}

static void print_action(const sb_env *env, sb_action action, sb_out *out) {
    const int width = env->shape.click_width, cell = action - N_BUTTONS;
    if (action < N_BUTTONS)
        sb_puts(out, action == UP ? "up" : "down");
    else
        sb_putf(out, "click_%d_%d", cell % width, cell / width);
}

/* ---- Copies and keys ---- */

static bool copy(sb_env *to, const sb_env *from, sb_error *error) {
    if (!to->state && !(to->state = malloc(sizeof(state))))
        return sb_fail(error, SB_MEMORY, "out of memory for a tower");
    memcpy(to->state, from->state, sizeof(state));
    return true;
}

static void clear(sb_env *env) {
    free(env->state);
    env->state = NULL;
}

static void digest(const sb_env *env, uint8_t out[32]) {
    const state *s = env->state;
    const int32_t shown[] = {s->at, s->level, target_of(env), s->clock};
    sb_sha256_of(shown, sizeof shown, out);
}

/* Includes the presses, which decide the score, and the clock, which decides the end. */
static void key(const sb_env *env, uint64_t out[2]) {
    const state *s = env->state;
    const int32_t now[] = {s->at, s->level, s->presses, s->clock};
    sb_hash128(now, sizeof now, out);
}

static const char *const difficulties[N_DIFFICULTIES] = {[PLAIN] = "", [STEEP] = "steep", [KEPT] = "kept"};

const sb_family climb_family = {
    .name = "climb",
    .version = "1",
    .difficulties = difficulties,
    .n_difficulties = N_DIFFICULTIES,
    .n_usual = 1,
    .n_tasks = sizeof towers / sizeof *towers,
    .hiding = SB_CANNOT_HIDE,
    .modes = modes,
    .n_modes = 2,
    .text_max = 1 << 18,
    .dataset_modes = dataset_modes,
    .teacher = "expert",
    .arrays = arrays,
    .n_arrays = 1,
    .task = task_info,
    .shape = shape,
    .start = start,
    .step = step,
    .stand = stand,
    .tell_fault = tell_fault,
    .observe = observe,
    .fill = fill,
    .valid = valid,
    .clicks = clicks,
    .print_action = print_action,
    .parse_action = toy_parse_action,
    .copy = copy,
    .clear = clear,
    .key = key,
    .digest = digest,
    .imports = &imports,
};

/* ---- Expert ---- */

static void act(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                sb_intent *intent) {
    const tower *t = (const tower *)observation->env->task;
    const state *s = observation->env->state;
    const int32_t missing = target_of(observation->env) - s->at;
    int32_t best = 1;
    (void)memory;
    budget->spent++;
    *action = missing < 0 ? DOWN : UP;
    for (int i = 0; i < t->width * t->height; i++)
        if (i != t->broken && s->worth[i] > best && s->worth[i] <= missing) best = s->worth[i], *action = N_BUTTONS + i;
    sb_intend(intent, "reach", "height", (sb_xy){-1, -1});
}

const sb_oracle climb_expert = {.family = "climb", .name = "expert", .sees = SB_SEES_STATE, .act = act};
