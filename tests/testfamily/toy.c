/* Two tasks. Pile: make the sum of a pile of numbers equal a target, by adding a 1, doubling the last number or
 * dropping it. Hunt: click on the hidden cell of a board; every click tells whether the cell is left, right, above or
 * below. */
#include "tests/testfamily/toy.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "seeds/rng.h"

enum { PILE, HUNT, MAX_STEPS = TOY_MAX_STEPS, TOO_MUCH = 500 };

/* The pile is on the heap, so an episode cannot be copied by memcpy or cleared by free alone. */
typedef struct state {
    int32_t *pile; /* room for MAX_STEPS numbers */
    size_t n;
    int32_t target, low[2], high[2]; /* in Hunt, the target is at low..high in x and y */
    int32_t hidden[2], clicks, clock;
    bool found;
} state;

_Atomic int toy_states;

static const sb_task_info tasks[] = {
    /* published ids like tasks of other families, for tests of names without a family */
    {.name = "Pile-v1", .category = "sums", .summary = "Make the pile sum up to the target.", .alias = "OneRoomS8-v7"},
    {.name = "Hunt-v1", .category = "memory", .summary = "Click on the hidden cell.", .alias = "RecursiveRooms-v0"}};

bool toy_is_hunt(const sb_task_info *task) { return task == &tasks[HUNT]; }

void toy_hidden(const sb_env *env, int32_t at[2]) {
    const state *s = env->state;
    memcpy(at, s->hidden, sizeof s->hidden);
}

static const sb_task_info *task_info(size_t index) { return &tasks[index]; }

static void clear(sb_env *env) {
    state *s = env->state;
    free(s->pile);
    free(s);
    env->state = NULL;
    toy_states--;
}

static state *state_in(sb_env *env, sb_error *error) {
    if (env->state) return env->state;
    state *s = calloc(1, sizeof *s);
    if (s) s->pile = calloc(MAX_STEPS, sizeof *s->pile);
    if (!s || !s->pile) return free(s), sb_fail(error, SB_MEMORY, "out of memory for a toy"), NULL;
    toy_states++;
    return env->state = s;
}

static bool start(sb_env *env, int32_t *max_steps, sb_error *error) {
    state *s = state_in(env, error);
    if (!s) return false;
    *s = (state){.pile = s->pile, .high = {TOY_BOARD_WIDTH - 1, TOY_BOARD_HEIGHT - 1}};
    if (env->name.seed == 666)
        return sb_fail(error, SB_INVALID, "no instance for seed 666"); /* for tests of failures */
    sb_rng rng;
    sb_rng_seed(&rng, env->name.seed, NULL);
    s->target = (int32_t)sb_integers(&rng, 5, 60);
    s->hidden[0] = (int32_t)sb_integers(&rng, 0, TOY_BOARD_WIDTH);
    s->hidden[1] = (int32_t)sb_integers(&rng, 0, TOY_BOARD_HEIGHT);
    *max_steps = MAX_STEPS;
    return true;
}

static int32_t sum_of(const state *s) {
    int32_t sum = 0;
    for (size_t i = 0; i < s->n; i++) sum += s->pile[i];
    return sum;
}

static void click(state *s, int32_t cell) {
    const int32_t at[2] = {cell % TOY_BOARD_WIDTH, cell / TOY_BOARD_WIDTH};
    s->clicks++;
    s->found = at[0] == s->hidden[0] && at[1] == s->hidden[1];
    for (int k = 0; k < 2; k++) {
        if (at[k] == s->hidden[k])
            s->low[k] = s->high[k] = at[k];
        else if (at[k] < s->hidden[k] && at[k] >= s->low[k])
            s->low[k] = at[k] + 1;
        else if (at[k] > s->hidden[k] && at[k] <= s->high[k])
            s->high[k] = at[k] - 1;
    }
}

static void press(state *s, sb_action button) {
    if (button == TOY_ADD)
        s->pile[s->n++] = 1;
    else if (button == TOY_DOUBLE && s->n)
        s->pile[s->n - 1] *= 2;
    else if (button == TOY_DROP && s->n)
        s->n--;
}

static void step(sb_env *env, sb_action action, sb_result *result) {
    state *s = env->state;
    s->clock++;
    if (action >= TOY_CLICK)
        click(s, action - TOY_CLICK);
    else if (env->task_index == PILE)
        press(s, action);
    const int32_t sum = sum_of(s);
    const bool success = env->task_index == PILE ? sum == s->target : s->found;
    result->reward = success;
    result->dense = (success ? 1.0 : 0.0) - 0.1 * (sum > s->target);
    result->terminated = success || sum > TOO_MUCH;
    result->truncated = s->clock >= MAX_STEPS;
    result->success = success;
}

enum { TEXT, DATA };
static const char data_schema[] =
    "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"type\": \"object\", \"properties\": {\"sum\": "
    "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": 1000}, \"said\": {\"type\": \"string\"}}, \"required\": "
    "[\"sum\", \"said\"], \"additionalProperties\": false}\n";
static const sb_mode modes[] = {{.name = "text", .code = TEXT},
                                {.name = "data", .code = DATA, .document = true, .schema = data_schema}};
static const char *const dataset_modes[] = {"text", NULL};

static void observe(const sb_env *env, const sb_mode *mode, sb_out *out) {
    const state *s = env->state;
    if (mode->code == DATA) {
        sb_puts(out, "{");
        sb_member_int(out, "sum", sum_of(s));
        sb_member_text(out, "said", "a \"quoted\"\nline");
        sb_puts(out, "}");
    } else if (env->task_index == PILE) {
        sb_putf(out, "target %d\npile", s->target);
        for (size_t i = 0; i < s->n; i++) sb_putf(out, " %d", s->pile[i]);
    } else {
        sb_putf(out, "it is in columns %d..%d\nand rows %d..%d", s->low[0], s->high[0], s->low[1], s->high[1]);
    }
}

enum { NUMBERS, SIZE, N_ARRAYS };
static const sb_array arrays[N_ARRAYS] = {
    [NUMBERS] = {.name = "numbers",
                 .type = SB_INT32,
                 .rank = 1}, /* the target and the pile, or the range of the hidden cell */
    [SIZE] = {.name = "size", .type = SB_INT32, .values = MAX_STEPS + 1},
};

static void shape(const sb_task_info *task, size_t difficulty, sb_shape *shape) {
    (void)difficulty;
    const bool is_pile = task == &tasks[PILE];
    *shape = (sb_shape){.n_buttons = TOY_CLICK, .max_steps = MAX_STEPS};
    if (!is_pile) shape->click_width = TOY_BOARD_WIDTH, shape->click_height = TOY_BOARD_HEIGHT;
    shape->extent[NUMBERS][0] = is_pile ? 1 + MAX_STEPS : 4;
}

static void fill(const sb_env *env, size_t array, void *numbers) {
    const state *s = env->state;
    int32_t *out = numbers;
    if (array == SIZE) {
        *out = (int32_t)s->n;
    } else if (env->task_index == PILE) {
        *out = s->target;
        for (size_t i = 0; i < MAX_STEPS; i++) out[1 + i] = i < s->n ? s->pile[i] : 0;
    } else {
        memcpy(out, (int32_t[]){s->low[0], s->high[0], s->low[1], s->high[1]}, 4 * sizeof *out);
    }
}

static void valid(const sb_env *env, bool *mask) {
    const state *s = env->state;
    const bool is_pile = env->task_index == PILE;
    mask[TOY_ADD] = is_pile;
    mask[TOY_DOUBLE] = mask[TOY_DROP] = is_pile && s->n > 0;
    if (!is_pile) mask[TOY_CLICK] = true;
}

static const char *const verbs[] = {"add", "double", "drop"};

static void print_action(const sb_env *env, sb_action action, sb_out *out) {
    (void)env;
    if (action < TOY_CLICK)
        sb_puts(out, verbs[action]);
    else
        sb_putf(out, "click_%d_%d", (action - TOY_CLICK) % TOY_BOARD_WIDTH, (action - TOY_CLICK) / TOY_BOARD_WIDTH);
}

bool toy_parse_action(const sb_env *env, const char *text, sb_action *action) {
    char printed[32];
    for (*action = 0; *action < env->n_actions; ++*action) {
        sb_out out = sb_out_fixed(printed, sizeof printed);
        env->family->print_action(env, *action, &out);
        sb_out_finish(&out);
        if (strcmp(printed, text) == 0) return true;
    }
    return false;
}

static bool copy(sb_env *to, const sb_env *from, sb_error *error) {
    const state *s = from->state;
    state *t = state_in(to, error);
    if (!t) return false;
    int32_t *pile = t->pile;
    *t = *s;
    t->pile = memcpy(pile, s->pile, MAX_STEPS * sizeof *pile);
    return true;
}

static void digest(const sb_env *env, uint8_t out[32]) {
    const state *s = env->state;
    const int32_t facts[] = {s->target, s->low[0], s->low[1], s->high[0], s->high[1], s->clicks, s->found};
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    sb_sha256_add(&hash, facts, sizeof facts);
    if (s->n) sb_sha256_add(&hash, s->pile, s->n * sizeof *s->pile);
    sb_sha256_end(&hash, out);
}

static void key(const sb_env *env, uint64_t out[2]) {
    const state *s = env->state;
    uint8_t bytes[40];
    digest(env, bytes);
    memcpy(bytes + 32, s->hidden, sizeof s->hidden);
    sb_hash128(bytes, sizeof bytes, out);
}

static void hide(sb_env *env) {
    state *s = env->state;
    if (env->task_index == HUNT) s->hidden[0] = s->hidden[1] = s->target = -1;
}

static const char *const nameless[] = {""};

const sb_family toy_family = {
    .name = "toy",
    .version = "1",
    .difficulties = nameless,
    .n_difficulties = 1,
    .n_tasks = 2,
    .hiding = SB_CAN_HIDE,
    .modes = modes,
    .n_modes = 2,
    .text_max = 1 << 18,
    .dataset_modes = dataset_modes,
    .teacher = "expert", /* there is no observer of Pile */
    .task = task_info,
    .shape = shape,
    .start = start,
    .step = step,
    .observe = observe,
    .arrays = arrays,
    .n_arrays = N_ARRAYS,
    .fill = fill,
    .valid = valid,
    .effective = valid, /* the other actions change nothing */
    .print_action = print_action,
    .parse_action = toy_parse_action,
    .copy = copy,
    .clear = clear,
    .key = key,
    .hide = hide,
    .pictures = &toy_pictures,
    .digest = digest,
};

/* ---- Experts ---- */

static void act_pile(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                     sb_intent *intent) {
    (void)memory;
    const state *s = observation->env->state;
    const int32_t missing = s->target - sum_of(s), last = s->n ? s->pile[s->n - 1] : 0;
    budget->spent++;
    *action = missing < 0 ? TOY_DROP : last && last <= missing ? TOY_DOUBLE : TOY_ADD;
    sb_intend(intent, "reach", "target", (sb_xy){-1, -1});
}

static void act_hunt(void *memory, const sb_observation *observation, sb_budget *budget, sb_action *action,
                     sb_intent *intent) {
    (void)memory;
    const state *s = observation->env->state;
    const int32_t x = (s->low[0] + s->high[0] + 1) / 2, y = (s->low[1] + s->high[1] + 1) / 2;
    budget->spent++;
    *action = TOY_CLICK + y * TOY_BOARD_WIDTH + x;
    sb_intend(intent, "click", "cell", (sb_xy){(int16_t)x, (int16_t)y});
}

const sb_oracle toy_pile_expert = {
    .family = "toy", .task = "Pile-v1", .name = "expert", .sees = SB_SEES_STATE, .act = act_pile};
const sb_oracle toy_hunt_expert = {
    .family = "toy", .task = "Hunt-v1", .name = "expert", .sees = SB_SEES_OBSERVATIONS, .act = act_hunt};
