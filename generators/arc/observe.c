#include "generators/arc/observe.h"

#include <string.h>

#include "engine/arc/answer.h"
#include "engine/shipped.h"
#include "generators/arc/games.h"

enum { FRAME, FRAMES, ANSWER, DIFF, STATE };
enum { SIDE = SB_ARC_FRAME_SIDE };

extern const unsigned char sb_shipped_arc_answer_schema[], sb_shipped_arc_state_schema[];

const sb_mode sb_arc_modes[SB_ARC_N_MODES] = {
    {.name = "frame", .code = FRAME, .cell_width = 1},
    {.name = "frames", .code = FRAMES},
    {.name = "answer", .code = ANSWER, .document = true, .schema = SB_SCHEMA(arc_answer)},
    {.name = "diff", .code = DIFF},
    {.name = "state", .code = STATE, .document = true, .privileged = true, .schema = SB_SCHEMA(arc_state)},
};

const char *const sb_arc_dataset_modes[] = {"frame", NULL};

uint8_t sb_arc_available(const sb_arc_game *game) {
    uint8_t available = 0;
    for (int id = SB_ARC_UP; id < SB_ARC_ACTIONS; id++)
        if (sb_arc_offers(game, id)) available |= (uint8_t)(1 << id);
    return available;
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

/* Copies the frame that `before` others precede. */
typedef struct nth {
    uint8_t *frame;
    int32_t before;
} nth;

static void take_nth(void *context, const uint8_t *frame) {
    nth *n = context;
    if (n->before-- == 0) memcpy(n->frame, frame, SB_ARC_FRAME);
}

void sb_arc_shown(const sb_arc_episode *e, uint8_t frame[SB_ARC_FRAME]) {
    nth n = {.frame = frame, .before = (int32_t)e->answer.n_frames - 1 - e->turned};
    if (e->turned)
        sb_arc_play_frames(&e->play, &(sb_arc_film){.take = take_nth, .context = &n});
    else
        sb_arc_play_frame(&e->play, frame);
}

/* An action without frames leaves the last one on the screen. */
int32_t sb_arc_n_frames(const sb_env *env) {
    const int32_t n = (int32_t)((const sb_arc_episode *)env->state)->answer.n_frames;
    return n ? n : 1;
}

void sb_arc_show_frame(sb_env *env, int32_t frame) {
    ((sb_arc_episode *)env->state)->turned = sb_arc_n_frames(env) - 1 - frame;
}

/* ---- Texts ------------------------------------------------------------------------------------------------------- */

static const char digits[] = "0123456789abcdef";

static void put_rows(sb_out *out, const uint8_t *frame) {
    for (int y = 0; y < SIDE; y++) {
        char line[SIDE + 1];
        for (int x = 0; x < SIDE; x++) line[x] = digits[frame[y * SIDE + x]];
        line[SIDE] = '\n';
        sb_put(out, line, sizeof line);
    }
}

/* `level 2 of 7, state NOT_FINISHED, actions 1 2 3 4 6` */
static void put_standing(sb_out *out, const sb_arc_episode *e) {
    const sb_arc_loop *loop = &e->play.now.loop;
    sb_puts(out, "level "), sb_put_int(out, loop->level + 1), sb_puts(out, " of "), sb_put_int(out, e->n_levels);
    sb_puts(out, ", state "), sb_puts(out, sb_arc_state_names[loop->state]), sb_puts(out, ", actions");
    for (const char *action = e->play.game->actions; *action; action++) sb_putc(out, ' '), sb_putc(out, *action);
}

typedef struct numbered {
    sb_out *out;
    uint32_t n, of;
} numbered;

static void put_numbered(void *context, const uint8_t *frame) {
    numbered *to = context;
    sb_puts(to->out, "frame "), sb_put_uint(to->out, ++to->n), sb_puts(to->out, " of "), sb_put_uint(to->out, to->of);
    sb_putc(to->out, '\n');
    put_rows(to->out, frame);
}

static void put_frames(sb_out *out, const sb_arc_episode *e) {
    numbered to = {.out = out, .of = e->answer.n_frames};
    if (to.of) sb_arc_play_frames(&e->play, &(sb_arc_film){.take = put_numbered, .context = &to});
}

/* The end of the run of changed cells that begins at x. */
static int run_end(const uint8_t *before, const uint8_t *now, int x) {
    while (x < SIDE && before[x] != now[x]) x++;
    return x;
}

/* `y x0-x1 colours` */
static void put_run(sb_out *out, int y, int x, int end, const uint8_t *row) {
    sb_put_int(out, y), sb_putc(out, ' '), sb_put_int(out, x), sb_putc(out, '-'), sb_put_int(out, end - 1);
    sb_putc(out, ' ');
    for (; x < end; x++) sb_putc(out, digits[row[x]]);
    sb_putc(out, '\n');
}

static void put_row_changes(sb_out *out, int y, const uint8_t *before, const uint8_t *now) {
    for (int x = 0; x < SIDE; x++) {
        const int end = run_end(before, now, x);
        if (end > x) put_run(out, y, x, end, now), x = end;
    }
}

/* Puts runs of changed cells; most rows have none. */
static void put_changes(sb_out *out, const sb_arc_episode *e) {
    const sb_arc_play old = {.game = e->play.game, .levels = e->play.levels, .now = e->play.before};
    uint8_t before[SB_ARC_FRAME], now[SB_ARC_FRAME];
    sb_arc_play_frame(&old, before);
    sb_arc_play_frame(&e->play, now);
    for (int y = 0; y < SIDE; y++) {
        const uint8_t *was = before + (ptrdiff_t)y * SIDE, *is = now + (ptrdiff_t)y * SIDE;
        if (memcmp(was, is, SIDE) != 0) put_row_changes(out, y, was, is);
    }
}

static void give_frames(const void *source, const sb_arc_film *film) { sb_arc_play_frames(source, film); }

static void put_answer(sb_out *out, const sb_env *env, const sb_arc_episode *e) {
    const sb_arc_message message = {.game_id = env->task->name,
                                    .action = e->play.now.loop.action,
                                    .answer = e->answer,
                                    .win_levels = e->n_levels,
                                    .available = sb_arc_available(e->play.game),
                                    .frames = give_frames,
                                    .source = &e->play};
    sb_arc_put_answer(&message, out);
}

static void put_board(sb_out *out, const sb_arc_level *level) {
    sb_put_key(out, "board");
    sb_puts(out, "[");
    for (int y = 0; y < level->height; y++) {
        char row[SB_ARC_BOARD_SIDE + 1] = {0};
        for (int x = 0; x < level->width; x++) row[x] = digits[level->cells[sb_arc_cell(level, x, y)] & 15];
        sb_put_comma(out);
        sb_put_json_string(out, row);
    }
    sb_puts(out, "]");
}

/* Puts cells by the names of their codes, then what moves. Walls are on the board. */
static void put_things(sb_out *out, const sb_arc_episode *e, const sb_arc_level *level) {
    const sb_arc_game *game = e->play.game;
    sb_put_key(out, "things");
    sb_puts(out, "[");
    for (int cell = 0; cell < level->width * level->height; cell++) {
        const uint8_t code = level->cells[cell];
        if (code == SB_ARC_EXIT) sb_arc_tell_thing(out, level, "exit", cell, 0);
        if (code >= SB_ARC_OWN && game->cells) sb_arc_tell_thing(out, level, game->cells[code - SB_ARC_OWN], cell, 0);
    }
    if (game->things) game->things(level, e->play.now.situation, out);
    sb_puts(out, "]");
}

/* Puts the whole state, also what agents are not shown. */
static void put_state(sb_out *out, const sb_arc_episode *e) {
    const sb_arc_level *level = sb_arc_play_level(&e->play);
    sb_puts(out, "{");
    sb_member_int(out, "level", level->number);
    sb_member_int(out, "actions_left", e->play.now.left);
    sb_member_int(out, "budget", level->budget);
    sb_member_int(out, "baseline", level->baseline);
    sb_member_int(out, "best", level->best);
    put_board(out, level);
    put_things(out, e, level);
    sb_put_key(out, "variables");
    sb_puts(out, "{");
    if (e->play.game->tell) e->play.game->tell(level, e->play.now.situation, out);
    sb_puts(out, "}}");
}

void sb_arc_observe(const sb_env *env, const sb_mode *mode, sb_out *out) {
    const sb_arc_episode *e = env->state;
    uint8_t frame[SB_ARC_FRAME];
    switch (mode->code) {
    case ANSWER: put_answer(out, env, e); return;
    case STATE: put_state(out, e); return;
    case FRAMES: put_frames(out, e); break;
    case DIFF: put_changes(out, e); break;
    default: sb_arc_shown(e, frame); put_rows(out, frame);
    }
    put_standing(out, e);
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

enum { ARRAY_COLORS, ARRAY_FRAMES_COUNT, ARRAY_LEVEL, ARRAY_AVAILABLE, ARRAY_STATE };

const sb_array sb_arc_arrays[SB_ARC_N_ARRAYS] = {
    [ARRAY_COLORS] = {.name = "colors", .type = SB_UINT8, .rank = 2, .values = 16},
    [ARRAY_FRAMES_COUNT] = {.name = "frames_count", .type = SB_INT32, .values = SB_ARC_MOST_FRAMES + 1},
    [ARRAY_LEVEL] = {.name = "level", .type = SB_INT32, .values = SB_ARC_LEVELS + 1},
    [ARRAY_AVAILABLE] = {.name = "available", .type = SB_BOOL, .rank = 1, .values = 2, .constant = true},
    [ARRAY_STATE] = {.name = "game_state", .type = SB_UINT8, .values = 4},
};

void sb_arc_extents(sb_shape *shape) {
    shape->extent[ARRAY_COLORS][0] = shape->extent[ARRAY_COLORS][1] = SIDE;
    shape->extent[ARRAY_AVAILABLE][0] = SB_ARC_ACTIONS;
}

void sb_arc_survey(const sb_env *env, sb_grid_survey *survey) {
    uint8_t shown[SIDE * SIDE];
    bool colours[UINT8_MAX + 1] = {0};
    sb_arc_shown(env->state, shown);
    *survey = (sb_grid_survey){.cells = SIDE * SIDE, .kinds = -1 /* the ground is not counted */};
    for (int i = 0; i < SIDE * SIDE; i++) survey->kinds += !colours[shown[i]], colours[shown[i]] = true;
}

void sb_arc_fill_array(const sb_env *env, size_t array, void *numbers) {
    const sb_arc_episode *e = env->state;
    const int32_t count = (int32_t)e->answer.n_frames, level = e->play.now.loop.level + 1;
    const uint8_t available = sb_arc_available(e->play.game);
    switch (array) {
    case ARRAY_COLORS: sb_arc_shown(e, numbers); break;
    case ARRAY_FRAMES_COUNT: memcpy(numbers, &count, sizeof count); break;
    case ARRAY_LEVEL: memcpy(numbers, &level, sizeof level); break;
    case ARRAY_STATE: *(uint8_t *)numbers = e->play.now.loop.state; break;
    default:
        for (int id = 0; id < SB_ARC_ACTIONS; id++) ((uint8_t *)numbers)[id] = available >> id & 1;
    }
}
