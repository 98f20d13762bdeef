#include "generators/arc/family.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "engine/arc/answer.h"

/* ---- Efficiency -------------------------------------------------------------------------------------------------- */

/* The action that completes a level counts for it. */
void sb_arc_count(sb_effort *effort, sb_arc_action action, const sb_arc_answer *answer) {
    if (answer->n_frames == 0) return;
    effort->actions[effort->completed]++;
    effort->resets += action.id == SB_ARC_RESET;
    effort->losses += answer->state == SB_ARC_GAME_OVER;
    effort->completed = (uint32_t)answer->levels_completed;
}

static void measure(const sb_env *env, sb_effort *effort) {
    const sb_arc_episode *e = env->state;
    *effort = e->effort;
    for (int i = 0; i < e->n_levels; i++) effort->baselines[i] = (uint32_t)e->levels[i].baseline;
}

const sb_efficiency_source sb_arc_efficiency = {.score = "rhae-proxy", .measure = measure};

/* ---- Writing recordings ------------------------------------------------------------------------------------------ */

enum { STAMP = 40 };

static void give_frames(const void *source, const sb_arc_film *film) { sb_arc_play_frames(source, film); }

/* Content never depends on the clock, so the play began in 1970 and takes an action a second. */
static void print_stamp(uint64_t step, char stamp[STAMP]) {
    snprintf(stamp, STAMP, "1970-01-01T%02u:%02u:%02u+00:00", (unsigned)(step / 3600 % 24), (unsigned)(step / 60 % 60),
             (unsigned)(step % 60));
}

static void put(const sb_env *env, const char *play, uint64_t step, sb_out *out) {
    char name[SB_NAME_MAX], stamp[STAMP];
    const sb_arc_episode *e = env->state;
    sb_name_print(&env->name, name, sizeof name);
    print_stamp(step, stamp);
    const sb_arc_message message = {.game_id = name,
                                    .guid = play,
                                    .action = e->play.now.loop.action,
                                    .answer = e->answer,
                                    .win_levels = e->n_levels,
                                    .available = sb_arc_available(e->play.game),
                                    .with_frames = true,
                                    .frames = give_frames,
                                    .source = &e->play};
    sb_arc_put_recorded(&message, stamp, out);
    sb_puts(out, "\n");
}

/* ---- Reading recordings ------------------------------------------------------------------------------------------ */

static bool is_one(const char *text, size_t n) {
    static const char begin[] = "{\"timestamp\"";
    return n >= strlen(begin) && memcmp(text, begin, strlen(begin)) == 0;
}

/* Returns whether a line has an action, as the framework's `Playback` decides it. */
static bool tells(const cJSON *document) {
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(document, "data");
    return cJSON_IsObject(data) && cJSON_HasObjectItem(data, "action_input");
}

static const cJSON *last_frame(const cJSON *document) {
    const cJSON *frames = sb_arc_frames_of(document);
    const int n = cJSON_GetArraySize(frames);
    return n ? cJSON_GetArrayItem(frames, n - 1) : NULL;
}

/* A reset right after a reset is a full one, and shows the same. Games on the framework's server never say
 * `full_reset`, so of lines with frames only another frame is a proof. */
static bool is_lost_action(const cJSON *before, const sb_arc_message *first, const cJSON *document,
                           const sb_arc_message *second) {
    const cJSON *old = last_frame(before), *new = last_frame(document);
    if (first->action.id != SB_ARC_RESET || second->action.id != SB_ARC_RESET || second->answer.full_reset)
        return false;
    if (strcmp(first->game_id, second->game_id) != 0 ||
        strcmp(first->guid ? first->guid : "", second->guid ? second->guid : "") != 0)
        return false;
    return !second->with_frames || !first->with_frames || (old && new && !cJSON_Compare(old, new, true));
}

static bool keeps_actions(const cJSON *before, const cJSON *document, sb_error *error) {
    sb_arc_message first, second;
    sb_error ignored;
    if (!sb_arc_read_message(before, &first, &ignored) || !sb_arc_read_message(document, &second, &ignored))
        return true;
    return !is_lost_action(before, &first, document, &second) ||
           sb_fail(
               error, SB_INVALID,
               "the actions were lost: a RESET right after a RESET, and no full one. ARC-AGI-3-Agents records RESET "
               "for every action; record with Arcade.make(.., save_recording=True)");
}

static bool read(const cJSON *document, sb_recorded_line *line, sb_error *error) {
    sb_arc_message m;
    if (!sb_arc_read_message(document, &m, error)) return false;
    snprintf(line->name, sizeof line->name, "%s", m.game_id);
    snprintf(line->play, sizeof line->play, "%s", m.guid ? m.guid : "");
    line->action = sb_arc_action_number(m.action);
    line->can_begin = m.action.id == SB_ARC_RESET;
    line->begins = line->can_begin && m.answer.full_reset;
    line->may_follow_end = (!m.with_frames || m.answer.n_frames == 0) && m.answer.state == SB_ARC_WIN;
    return true;
}

/* Compares the frames of the last action, as they are drawn, with those of a line. */
typedef struct comparing {
    const cJSON *frame; /* the next frame of the line */
    uint32_t n;         /* frames that were compared */
    bool differ;
} comparing;

static bool is_same_frame(const cJSON *said, const uint8_t *frame) {
    const cJSON *row, *cell;
    cJSON_ArrayForEach(row, said) cJSON_ArrayForEach(cell, row) if (cell->valuedouble != *frame++) return false;
    return true;
}

static void compare_frame(void *context, const uint8_t *frame) {
    comparing *c = context;
    if (c->differ || !c->frame) return;
    c->differ = !is_same_frame(c->frame, frame);
    c->frame = c->frame->next;
    c->n++;
}

static bool check_frames(const sb_arc_episode *e, const cJSON *document, const sb_arc_message *m, sb_error *error) {
    comparing c = {.frame = sb_arc_frames_of(document)->child};
    if (m->answer.n_frames != e->answer.n_frames)
        return sb_fail(error, SB_MISMATCH, "the line has %u frames, but the replay %u", m->answer.n_frames,
                       e->answer.n_frames);
    if (e->answer.n_frames) sb_arc_play_frames(&e->play, &(sb_arc_film){.take = compare_frame, .context = &c});
    return !c.differ || sb_fail(error, SB_MISMATCH, "frame %u differs from the replay's", c.n);
}

/* Returns the first key in which the line and the episode differ; NULL: none. Answers after the end of a game may have
 * the published zeros in place of levels. */
static const char *difference(const sb_arc_episode *e, const sb_arc_message *m) {
    const sb_arc_loop *loop = &e->play.now.loop;
    const bool is_after_end = e->answer.n_frames == 0 && m->answer.levels_completed == 0 && m->win_levels == 0;
    if (m->answer.state != loop->state) return "state";
    if (!is_after_end && m->answer.levels_completed != loop->score) return "levels_completed";
    if (!is_after_end && m->win_levels != e->n_levels) return "win_levels";
    return m->available != sb_arc_available(e->play.game) ? "available_actions" : NULL;
}

static bool check(const sb_env *env, const cJSON *document, sb_error *error) {
    const sb_arc_episode *e = env->state;
    sb_arc_message m;
    if (!sb_arc_read_message(document, &m, error)) return false;
    const char *what = difference(e, &m);
    if (what) return sb_fail(error, SB_MISMATCH, "key `%s` disagrees with the replay", what);
    return !m.with_frames || check_frames(e, document, &m, error);
}

/* Frames of a message were checked: 64 rows of 64 colours. */
static void give_recorded(const cJSON *frames, const sb_frame_taker *taker) {
    const cJSON *frame, *row, *cell;
    uint8_t colours[SB_ARC_FRAME];
    cJSON_ArrayForEach(frame, frames) {
        size_t n = 0;
        cJSON_ArrayForEach(row, frame) cJSON_ArrayForEach(cell, row) colours[n++] = (uint8_t)cell->valuedouble;
        taker->take(taker->context, colours);
    }
}

static bool show(const cJSON *document, sb_recorded_view *view, const sb_frame_taker *taker, sb_error *error) {
    sb_arc_message m;
    if (!sb_arc_read_message(document, &m, error)) return false;
    if (!m.with_frames)
        return sb_fail(error, SB_INVALID, "the line has no `frame`; record again with include_frame_data=True");
    const int32_t completed = m.answer.levels_completed;
    const bool is_last = completed >= m.win_levels;
    *view = (sb_recorded_view){.standing = {.n_frames = m.answer.n_frames,
                                            .level = is_last && completed ? completed : completed + 1,
                                            .completed = completed,
                                            .state = sb_arc_state_names[m.answer.state],
                                            .is_reset = m.action.id == SB_ARC_RESET,
                                            .is_over = m.answer.state == SB_ARC_GAME_OVER,
                                            .full_reset = m.answer.full_reset},
                               .levels = m.win_levels,
                               .available = m.available,
                               .id = (int8_t)m.action.id,
                               .x = m.action.x,
                               .y = m.action.y};
    give_recorded(sb_arc_frames_of(document), taker);
    return true;
}

const sb_recording_source sb_arc_recordings = {.form = "recording of the ARC-AGI-3 toolkit",
                                               .is_one = is_one,
                                               .tells = tells,
                                               .keeps_actions = keeps_actions,
                                               .put = put,
                                               .read = read,
                                               .check = check,
                                               .show = show};
