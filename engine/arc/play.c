#include "engine/arc/play.h"

#include "base/hash.h"

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

static sb_arc_camera camera_of(const sb_arc_level *level) {
    return (sb_arc_camera){.width = level->ground.width,
                           .height = level->ground.height,
                           .background = SB_ARC_OFF_BLACK,
                           .letter_box = SB_ARC_OFF_BLACK};
}

/* The budget is shown in the last row: 64 pixels for all of it. */
static void draw_budget(int32_t left, int32_t budget, uint8_t *frame) {
    uint8_t *row = frame + (SB_ARC_FRAME_SIDE - 1) * SB_ARC_FRAME_SIDE;
    const int32_t lit = budget > 0 ? (SB_ARC_FRAME_SIDE * left + budget - 1) / budget : 0;
    memset(row, SB_ARC_GREY, SB_ARC_FRAME_SIDE);
    memset(row, SB_ARC_YELLOW, (size_t)lit);
}

static void draw_level(const sb_arc_game *game, const sb_arc_level *level, const void *situation, int lost_at,
                       uint8_t *frame) {
    sb_arc_canvas canvas;
    const sb_arc_camera camera = camera_of(level);
    canvas.width = level->ground.width, canvas.height = level->ground.height;
    memcpy(canvas.pixels, level->ground.pixels, (size_t)canvas.width * (size_t)canvas.height);
    game->draw(level, situation, &canvas);
    if (lost_at != SB_ARC_NOWHERE) sb_arc_put(&canvas, level, lost_at, SB_ARC_EX, SB_ARC_RED);
    sb_arc_camera_show(&camera, canvas.pixels, frame);
}

void sb_arc_play_frame(const sb_arc_play *play, uint8_t frame[SB_ARC_FRAME]) {
    const sb_arc_level *level = sb_arc_play_level(play);
    draw_level(play->game, level, play->now.situation, play->now.shown_lost, frame);
    draw_budget(play->now.left, level->budget, frame);
}

void sb_arc_first_frame(const sb_arc_game *game, const sb_arc_level *level, uint8_t frame[SB_ARC_FRAME]) {
    _Alignas(8) uint8_t situation[SB_ARC_SITUATION] = {0};
    game->begin(level, situation);
    draw_level(game, level, situation, SB_ARC_NOWHERE, frame);
    draw_budget(1, 1, frame);
}

/* ---- Clicks ------------------------------------------------------------------------------------------------------ */

sb_arc_move sb_arc_move_in(const sb_arc_level *level, sb_arc_action action) {
    const sb_arc_camera camera = camera_of(level);
    sb_arc_move move = {.id = action.id, .cell = SB_ARC_NOWHERE};
    int64_t x, y;
    if (action.id == SB_ARC_CLICK && sb_arc_camera_cell(&camera, action.x, action.y, &x, &y))
        move.cell = (int16_t)sb_arc_cell(level, (int)x / SB_ARC_CELL_SIDE, (int)y / SB_ARC_CELL_SIDE);
    return move;
}

sb_arc_move sb_arc_play_move(const sb_arc_play *play, sb_arc_action action) {
    return sb_arc_move_in(sb_arc_play_level(play), action);
}

sb_arc_action sb_arc_action_of(const sb_arc_level *level, sb_arc_move move) {
    const sb_arc_camera camera = camera_of(level);
    const sb_arc_fit fit = sb_arc_camera_fit(&camera);
    if (move.id != SB_ARC_CLICK) return (sb_arc_action){.id = move.id};
    return (sb_arc_action){.id = move.id,
                           .x = (uint8_t)(fit.x + fit.scale * SB_ARC_CELL_SIDE * sb_arc_x(level, move.cell)),
                           .y = (uint8_t)(fit.y + fit.scale * SB_ARC_CELL_SIDE * sb_arc_y(level, move.cell))};
}

/* ---- Undo -------------------------------------------------------------------------------------------------------- */

static void remember(sb_arc_play *play, const uint8_t *situation) {
    sb_arc_now *now = &play->now;
    memcpy(play->undo[now->next_undo], situation, play->game->situation);
    now->next_undo = (uint8_t)((now->next_undo + 1) % SB_ARC_UNDONE);
    if (now->n_undo < SB_ARC_UNDONE) now->n_undo++;
}

static void take_back(sb_arc_play *play) {
    sb_arc_now *now = &play->now;
    if (now->n_undo == 0) return;
    now->n_undo--;
    now->next_undo = (uint8_t)((now->next_undo + SB_ARC_UNDONE - 1) % SB_ARC_UNDONE);
    memcpy(now->situation, play->undo[now->next_undo], play->game->situation);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

static void restore(void *game, int32_t level) { (void)game, (void)level; } /* entering a level begins it anew */

static void enter(void *game, int32_t level) {
    sb_arc_play *const play = game;
    play->now.left = play->levels[level].budget;
    play->now.n_undo = play->now.next_undo = 0;
    memset(play->now.situation, 0, SB_ARC_SITUATION);
    play->game->begin(&play->levels[level], play->now.situation);
}

static void draw(void *game, uint8_t *frame) { sb_arc_play_frame(game, frame); }

static void step(void *game, sb_arc_loop *loop, const sb_arc_film *film);

static const sb_arc_hooks hooks = {.restore = restore, .enter = enter, .step = step, .draw = draw};

typedef struct looker {
    sb_arc_viewer viewer; /* the first member, so that a pointer to it points to the looker */
    sb_arc_play *play;
    const sb_arc_film *film;
} looker;

static void look(const sb_arc_viewer *viewer) {
    const looker *l = (const looker *)viewer;
    sb_arc_show(&l->play->now.loop, &hooks, l->play, l->film);
}

static void open_level(sb_arc_play *play, const sb_arc_film *film) {
    const looker l = {.viewer.look = look, .play = play, .film = film};
    if (play->game->prelude) play->game->prelude(sb_arc_play_level(play), play->now.situation, &l.viewer);
}

static sb_arc_outcome act(sb_arc_play *play, const sb_arc_film *film) {
    const looker l = {.viewer.look = look, .play = play, .film = film};
    const sb_arc_move move = sb_arc_play_move(play, play->now.loop.action);
    uint8_t old[SB_ARC_SITUATION];
    memcpy(old, play->now.situation, sizeof old);
    const sb_arc_outcome outcome = play->game->act(sb_arc_play_level(play), play->now.situation, move, &l.viewer);
    if (memcmp(old, play->now.situation, play->game->situation) != 0) remember(play, old);
    return outcome;
}

/* A lost place is shown in a frame of its own. */
static void lose(sb_arc_play *play, const sb_arc_film *film) {
    sb_arc_now *now = &play->now;
    if (play->game->lost_at) now->shown_lost = (int16_t)play->game->lost_at(sb_arc_play_level(play), now->situation);
    if (now->shown_lost != SB_ARC_NOWHERE) sb_arc_show(&now->loop, &hooks, play, film);
    now->shown_lost = SB_ARC_NOWHERE;
    sb_arc_lose(&now->loop);
}

/* The first call takes the action. If that completed a level that opens with frames of its own, a second call, in the
 * next level, shows them. */
static void step(void *game, sb_arc_loop *loop, const sb_arc_film *film) {
    sb_arc_play *const play = game;
    sb_arc_outcome outcome = SB_ARC_GOES_ON;
    sb_arc_complete(loop);
    if (loop->action.id == SB_ARC_RESET || loop->calls > 1) {
        open_level(play, film);
        return;
    }
    play->now.left--;
    if (loop->action.id == SB_ARC_UNDO)
        take_back(play);
    else
        outcome = act(play, film);
    if (outcome == SB_ARC_WON) {
        sb_arc_next_level(loop);
        loop->is_complete = !(loop->is_pending && play->game->prelude);
    } else if (outcome == SB_ARC_LOST)
        lose(play, film);
    else if (play->now.left == 0)
        sb_arc_lose(loop);
}

void sb_arc_play_begin(sb_arc_play *play, const sb_arc_game *game, const sb_arc_level *levels, int32_t n_levels,
                       bool keeps_levels) {
    sb_arc_answer answer;
    *play = (sb_arc_play){.game = game, .levels = levels, .now.shown_lost = SB_ARC_NOWHERE};
    sb_arc_loop_begin(&play->now.loop, n_levels, &hooks, play);
    play->now.loop.only_resets_levels = keeps_levels;
    sb_arc_play_act(play, (sb_arc_action){.id = SB_ARC_RESET}, NULL, &answer);
}

void sb_arc_play_act(sb_arc_play *play, sb_arc_action action, const sb_arc_film *film, sb_arc_answer *answer) {
    play->before = play->now;
    *answer = (sb_arc_answer){.state = play->now.loop.state, .levels_completed = play->now.loop.score};
    const bool is_over = answer->state == SB_ARC_WIN || answer->state == SB_ARC_GAME_OVER;
    if (action.id != SB_ARC_RESET && (is_over || !sb_arc_offers(play->game, action.id))) {
        play->now.loop.action = play->before.loop.action = action;
        return;
    }
    (void)sb_arc_act(&play->now.loop, &hooks, play, action, film, answer); /* a step completes, so this cannot fail */
}

/* Takes the last action once more. The entry that it put into the ring of undo is put there again; no entry that it
 * took back was overwritten. */
void sb_arc_play_frames(const sb_arc_play *play, const sb_arc_film *film) {
    sb_arc_play again;
    sb_arc_answer answer;
    sb_arc_play_copy(&again, play);
    again.now = play->before;
    sb_arc_play_act(&again, play->now.loop.action, film, &answer);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

void sb_arc_play_copy(sb_arc_play *to, const sb_arc_play *from) {
    to->game = from->game, to->levels = from->levels;
    to->now = from->now, to->before = from->before;
    if (strchr(from->game->actions, '0' + SB_ARC_UNDO)) memcpy(to->undo, from->undo, sizeof to->undo);
}

void sb_arc_play_enter(sb_arc_play *play, int32_t level) {
    sb_arc_loop *loop = &play->now.loop;
    loop->level = loop->score = level;
    loop->state = SB_ARC_NOT_FINISHED, loop->is_pending = false;
    loop->action_count = 0, loop->action = (sb_arc_action){.id = SB_ARC_RESET};
    play->now.shown_lost = SB_ARC_NOWHERE;
    enter(play, level);
    play->before = play->now;
}

/* What undo holds comes behind the situation, the last one first. */
size_t sb_arc_play_pack(const sb_arc_play *play, uint8_t bytes[SB_ARC_PACKED]) {
    const sb_arc_now *now = &play->now;
    const size_t size = play->game->situation;
    const bool can_undo = sb_arc_offers(play->game, SB_ARC_UNDO);
    size_t n = 16;
    memset(bytes, 0, n);
    bytes[0] = (uint8_t)now->loop.level, bytes[1] = (uint8_t)now->loop.score, bytes[2] = now->loop.state;
    bytes[3] = now->loop.action_count == 0, bytes[4] = now->loop.only_resets_levels;
    memcpy(bytes + 8, &now->left, sizeof now->left);
    memcpy(bytes + n, now->situation, size);
    n += size;
    for (int i = 0; can_undo && i < now->n_undo; i++, n += size)
        memcpy(bytes + n, play->undo[(now->next_undo + SB_ARC_UNDONE - 1 - i) % SB_ARC_UNDONE], size);
    return n;
}

bool sb_arc_play_unpack(sb_arc_play *play, const uint8_t *bytes, size_t n) {
    sb_arc_now *now = &play->now;
    const size_t size = play->game->situation, head = 16 + size;
    const size_t n_undo = n < head ? SB_ARC_UNDONE + 1 : size ? (n - head) / size : 0;
    if (n_undo > SB_ARC_UNDONE || head + n_undo * size != n || bytes[0] >= now->loop.n_levels) return false;
    now->loop.level = bytes[0], now->loop.score = bytes[1], now->loop.state = bytes[2];
    now->loop.action_count = !bytes[3], now->loop.only_resets_levels = bytes[4];
    now->loop.is_pending = false, now->shown_lost = SB_ARC_NOWHERE;
    memcpy(&now->left, bytes + 8, sizeof now->left);
    memset(now->situation, 0, sizeof now->situation);
    memcpy(now->situation, bytes + 16, size);
    now->n_undo = (uint8_t)n_undo, now->next_undo = (uint8_t)(n_undo % SB_ARC_UNDONE);
    for (size_t i = 0; i < n_undo; i++) memcpy(play->undo[n_undo - 1 - i], bytes + head + i * size, size);
    play->before = *now;
    return true;
}

void sb_arc_play_key(const sb_arc_play *play, uint64_t key[2]) {
    uint8_t bytes[SB_ARC_PACKED];
    sb_hash128(bytes, sb_arc_play_pack(play, bytes), key);
}
