#include "generators/arc/family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "engine/arc/answer.h"
#include "generators/arc/games.h"
#include "generators/arc/levels.h"
#include "generators/arc/observe.h"

extern const unsigned char sb_shipped_arc_text_lantern[], sb_shipped_arc_text_scales[],
    sb_shipped_arc_text_twincompass[], sb_shipped_arc_text_echo[], sb_shipped_arc_text_shepherd[],
    sb_shipped_arc_text_moss[], sb_shipped_arc_text_stamp[], sb_shipped_arc_text_chimes[], sb_shipped_arc_text_fold[],
    sb_shipped_arc_text_polarity[], sb_shipped_arc_text_clockwork[], sb_shipped_arc_text_dyeworks[],
    sb_shipped_arc_text_common[];

enum { INTRO, FULL, N_DIFFICULTIES };
enum { INTRO_LEVELS = 3, BUTTONS = 7, BUTTON_UNDO = 6, SIDE = SB_ARC_FRAME_SIDE };

static const char *const difficulties[N_DIFFICULTIES] = {[INTRO] = "intro", [FULL] = "full"};

/* ---- Tasks ------------------------------------------------------------------------------------------------------- */

typedef struct task {
    sb_task_info info; /* must come first: environments point at it */
    const sb_arc_game *game;
    const unsigned char *text; /* text of the file beside the game, such as lantern.txt */
} task;

#define TASK(game_, file_, name_, category_, summary_)                                                                 \
    {                                                                                                                  \
        .info = {.name = name_, .category = category_, .summary = summary_, .criterion = SB_BY_SUCCESS},               \
        .game = &(game_), .text = sb_shipped_arc_text_##file_                                                          \
    }

static const task tasks[] = {
    TASK(sb_arc_lantern_game, lantern, "Lantern", "exploration", "Find the way out of a dark maze."),
    TASK(sb_arc_scales, scales, "Scales", "exploration",
         "Find out by weighing what stones weigh, and level all beams."),
    TASK(sb_arc_twincompass, twincompass, "TwinCompass", "exploration",
         "Find out where the keys lead, and bring walkers to their goals."),
    TASK(sb_arc_echo, echo, "Echo", "modelling", "Pass gates while echoes repeat what was done before."),
    TASK(sb_arc_shepherd, shepherd, "Shepherd", "modelling",
         "Bring creatures to their nests, each by the rules of its kind."),
    TASK(sb_arc_moss, moss, "Moss", "modelling", "Plant moss so that it grows into exactly the target."),
    TASK(sb_arc_stamp, stamp, "Stamp", "goals", "Stamp a canvas until it has the right relation to the target."),
    TASK(sb_arc_chimes, chimes, "Chimes", "goals", "Play what icons make of a melody that was heard."),
    TASK(sb_arc_fold, fold, "Fold", "goals", "Fold a sheet until it is the goal."),
    TASK(sb_arc_polarity, polarity, "Polarity", "lookahead", "Move blocks onto pads by attracting and repelling them."),
    TASK(sb_arc_clockwork, clockwork, "Clockwork", "lookahead", "Pass gates that open and close by a beat."),
    TASK(sb_arc_dyeworks, dyeworks, "DyeWorks", "lookahead", "Take on the colours that doors ask for."),
};

enum { N_TASKS = sizeof tasks / sizeof *tasks };

static const sb_task_info *task_info(size_t index) { return &tasks[index].info; }

/* What the games have in common is behind each game's own text. */
static void describe(const sb_task_info *info, sb_out *out) {
    sb_puts(out, (const char *)((const task *)info)->text);
    sb_puts(out, "\n");
    sb_puts(out, (const char *)sb_shipped_arc_text_common);
}

static const sb_arc_game *game_of(const sb_task_info *info) { return ((const task *)info)->game; }

static int n_levels_of(const sb_arc_game *game, size_t difficulty) {
    return difficulty == INTRO && game->n_levels > INTRO_LEVELS ? INTRO_LEVELS : game->n_levels;
}

static void shape(const sb_task_info *info, size_t difficulty, sb_shape *shape) {
    const sb_arc_game *game = game_of(info);
    shape->n_buttons = BUTTONS;
    if (sb_arc_offers(game, SB_ARC_CLICK)) shape->click_width = shape->click_height = SIDE;
    shape->max_steps = sb_arc_step_limit(game, n_levels_of(game, difficulty));
    sb_arc_extents(shape);
}

/* ---- Episodes ---------------------------------------------------------------------------------------------------- */

static sb_arc_episode *room_in(sb_env *env, sb_error *error) {
    if (!env->state) env->state = calloc(1, sizeof(sb_arc_episode));
    if (!env->state) sb_fail(error, SB_MEMORY, "out of memory for a game");
    return env->state;
}

static bool make_levels(sb_arc_episode *e, const sb_arc_game *game, sb_error *error) {
    sb_arc_solver solver;
    bool ok = sb_arc_solver_new(&solver, game, false, error);
    for (int i = 1; ok && i <= e->n_levels; i++) ok = sb_arc_make_level(&solver, e->seed, i, e->levels, error);
    sb_arc_solver_free(&solver);
    return ok;
}

/* The first frame is that of a reset, which counts as no action. Resets never restart the whole game. */
static bool start(sb_env *env, int32_t *max_steps, sb_error *error) {
    const sb_arc_game *game = game_of(env->task);
    sb_arc_episode *e = room_in(env, error);
    if (!e) return false;
    e->play.game = NULL; /* no game until all levels are there: copies look whether they have the same levels */
    e->seed = env->name.seed, e->steps = e->turned = 0, e->is_masked = false;
    e->n_levels = n_levels_of(game, env->difficulty_index);
    e->effort = (sb_effort){.n_levels = (uint32_t)e->n_levels};
    if (!make_levels(e, game, error)) return false;
    sb_hash128(e->levels, (size_t)e->n_levels * sizeof *e->levels, e->levels_key);
    sb_arc_play_begin(&e->play, game, e->levels, e->n_levels, true);
    e->answer = (sb_arc_answer){.n_frames = e->play.now.loop.frames, .state = SB_ARC_NOT_FINISHED, .full_reset = true};
    *max_steps = env->shape.max_steps;
    return true;
}

static sb_arc_action action_of(sb_action action) {
    if (action < BUTTON_UNDO) return (sb_arc_action){.id = (uint8_t)action};
    if (action == BUTTON_UNDO) return (sb_arc_action){.id = SB_ARC_UNDO};
    const int place = action - BUTTONS;
    return (sb_arc_action){.id = SB_ARC_CLICK, .x = (uint8_t)(place % SIDE), .y = (uint8_t)(place / SIDE)};
}

sb_action sb_arc_action_number(sb_arc_action action) {
    if (action.id == SB_ARC_UNDO) return BUTTON_UNDO;
    return action.id == SB_ARC_CLICK ? BUTTONS + action.y * SIDE + action.x : action.id;
}

/* Actions that are not on offer, and all but a reset after GAME_OVER, change nothing but count as steps. */
static void step(sb_env *env, sb_action action, sb_result *result) {
    sb_arc_episode *e = env->state;
    const int32_t completed = e->play.now.loop.score;
    e->turned = 0;
    sb_arc_play_act(&e->play, action_of(action), NULL, &e->answer);
    sb_arc_count(&e->effort, action_of(action), &e->answer);
    *result = (sb_result){.reward = (double)(e->play.now.loop.score - completed) / e->n_levels};
    result->dense = result->reward;
    result->success = result->terminated = e->play.now.loop.state == SB_ARC_WIN;
    result->truncated = ++e->steps >= env->shape.max_steps;
}

static void stand(const sb_env *env, sb_status *status) {
    const sb_arc_episode *e = env->state;
    status->level = e->play.now.loop.score, status->n_levels = e->n_levels;
}

/* ---- Actions ----------------------------------------------------------------------------------------------------- */

static void valid(const sb_env *env, bool *mask) {
    const sb_arc_episode *e = env->state;
    const bool is_over = e->play.now.loop.state == SB_ARC_GAME_OVER;
    mask[SB_ARC_RESET] = is_over;
    for (sb_action button = 1; button < BUTTONS; button++)
        mask[button] = !is_over && sb_arc_offers(e->play.game, action_of(button).id);
    if (sb_has_clicks(&env->shape)) mask[BUTTONS] = !is_over;
}

/* What is shown tells which actions are on offer and whether the try is over. An action that is not on offer is not
 * taken at all, and only the step counts. A reset begins the level anew. */
static void effective(const sb_env *env, bool *mask) {
    valid(env, mask);
    mask[SB_ARC_RESET] = true;
}

/* One place to click for each cell of the board: its upper left pixel. */
static size_t clicks(const sb_env *env, sb_action *out, size_t capacity) {
    const sb_arc_episode *e = env->state;
    const sb_arc_level *level = sb_arc_play_level(&e->play);
    const size_t n = sb_has_clicks(&env->shape) ? (size_t)level->width * level->height : 0;
    for (size_t i = 0; i < n && i < capacity; i++) {
        const sb_arc_action at = sb_arc_action_of(level, (sb_arc_move){.id = SB_ARC_CLICK, .cell = (int16_t)i});
        out[i] = BUTTONS + at.y * SIDE + at.x;
    }
    return n;
}

static void print_action(const sb_env *env, sb_action action, sb_out *out) {
    const sb_arc_action a = action_of(action);
    (void)env;
    sb_puts(out, sb_arc_action_names[a.id]);
    if (a.id == SB_ARC_CLICK) sb_putf(out, " %d %d", a.x, a.y);
}

/* Buttons have published names and customary ones; `action6_12_63` and `click_12_63` are clicks. The text is in lower
 * case. */
static bool parse_action(const sb_env *env, const char *text, sb_action *action) {
    static const char *const names[BUTTONS][2] = {{"reset", "reset"},  {"action1", "up"},    {"action2", "down"},
                                                  {"action3", "left"}, {"action4", "right"}, {"action5", "use"},
                                                  {"action7", "undo"}};
    int x, y, end = -1;
    for (sb_action button = 0; button < BUTTONS; button++)
        if (strcmp(text, names[button][0]) == 0 || strcmp(text, names[button][1]) == 0) return *action = button, true;
    if (sscanf(text, "action6_%2d_%2d%n", &x, &y, &end) != 2 && sscanf(text, "click_%2d_%2d%n", &x, &y, &end) != 2)
        return false;
    if (end < 0 || text[end] || x < 0 || y < 0 || x >= SIDE || y >= SIDE || !sb_has_clicks(&env->shape)) return false;
    return *action = BUTTONS + y * SIDE + x, true;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* Levels follow from game and seed, so they are copied only where there are others. */
static bool copy(sb_env *to, const sb_env *from, sb_error *error) {
    const sb_arc_episode *source = from->state;
    sb_arc_episode *e = room_in(to, error);
    if (!e) return false;
    const bool has_levels = e->play.game == source->play.game && e->seed == source->seed &&
                            e->n_levels == source->n_levels && !e->is_masked && !source->is_masked;
    if (!has_levels) memcpy(e->levels, source->levels, sizeof e->levels);
    e->seed = source->seed, e->n_levels = source->n_levels, e->is_masked = source->is_masked;
    e->levels_key[0] = source->levels_key[0], e->levels_key[1] = source->levels_key[1];
    e->steps = source->steps, e->turned = source->turned, e->answer = source->answer, e->effort = source->effort;
    sb_arc_play_copy(&e->play, &source->play);
    e->play.levels = e->levels;
    return true;
}

static void clear(sb_env *env) {
    free(env->state);
    env->state = NULL;
}

/* Episodes of different seeds may begin with the same situation, so levels count, too. */
static void key(const sb_env *env, uint64_t out[2]) {
    const sb_arc_episode *e = env->state;
    uint64_t of_levels[2] = {e->levels_key[0], e->levels_key[1]};
    if (e->is_masked) sb_hash128(e->levels, sizeof e->levels, of_levels);
    sb_arc_play_key(&e->play, out);
    out[0] ^= of_levels[0], out[1] ^= of_levels[1];
}

static void digest(const sb_env *env, uint8_t out[32]) {
    const sb_arc_episode *e = env->state;
    uint8_t shown[SB_ARC_FRAME + 2];
    sb_arc_play_frame(&e->play, shown);
    shown[SB_ARC_FRAME] = (uint8_t)e->play.now.loop.level, shown[SB_ARC_FRAME + 1] = e->play.now.loop.state;
    sb_sha256_of(shown, sizeof shown, out);
}

/* The step reads the limit where the shape of the episode has it. */
static bool extend(sb_env *env, int32_t max_steps) {
    env->shape.max_steps = max_steps;
    return true;
}

const sb_family sb_arc = {
    .name = "arc",
    .version = "2",
    .difficulties = difficulties,
    .n_difficulties = N_DIFFICULTIES,
    .n_tasks = N_TASKS,
    .hiding = SB_CAN_HIDE,
    .modes = sb_arc_modes,
    .n_modes = SB_ARC_N_MODES,
    .text_max = 1 << 18,
    .dataset_modes = sb_arc_dataset_modes,
    .arrays = sb_arc_arrays,
    .n_arrays = SB_ARC_N_ARRAYS,
    .task = task_info,
    .describe = describe,
    .shape = shape,
    .start = start,
    .step = step,
    .stand = stand,
    .observe = sb_arc_observe,
    .n_frames = sb_arc_n_frames,
    .show_frame = sb_arc_show_frame,
    .fill = sb_arc_fill_array,
    .pictures = &sb_arc_pictures,
    .valid = valid,
    .effective = effective,
    .clicks = clicks,
    .print_action = print_action,
    .parse_action = parse_action,
    .copy = copy,
    .clear = clear,
    .key = key,
    .hide = sb_arc_hide,
    .survey = sb_arc_survey,
    .extend = extend,
    .searches = true,
    .efficiency = &sb_arc_efficiency,
    .recordings = &sb_arc_recordings,
    .frames = &sb_arc_frames,
    .digest = digest,
};
