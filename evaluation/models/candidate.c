#include "evaluation/models/candidate.h"

#include <string.h>

#include "base/error.h"
#include "evaluation/models/measures.h"
#include "evaluation/models/members.h"

/* ---- Levels, states and frames ----------------------------------------------------------------------------------- */

static bool check_memory(const sb_model_value *value, sb_error *error) {
    return sb_out_ok(value) || sb_fail(error, SB_MEMORY, "out of memory for a state");
}

static void put_frame(sb_out *out, const char *key, const sb_frame_shape *shape, const uint8_t *frame) {
    sb_puts(out, ",\""), sb_puts(out, key), sb_puts(out, "\":\"");
    sb_put_frame(out, shape, frame);
    sb_puts(out, "\"");
}

bool sb_candidate_level(sb_candidate *c, int32_t level, sb_error *error) {
    sb_json_part answer;
    c->level = level, c->last.kind = SB_NO_FAILURE;
    if (!c->offers[SB_MODEL_LEVEL]) return true;
    sb_puts(sb_model_begin_line(c, SB_MODEL_LEVEL), ",\"level\":"), sb_put_int(&c->line, level);
    return sb_model_ask(c, SB_MODEL_LEVEL, &answer, error);
}

bool sb_candidate_encode(sb_candidate *c, const uint8_t *frame, const sb_model_value *before, sb_model_value *constants,
                         const sb_model_meta *m, sb_model_value *z, sb_error *error) {
    static const char *const names[] = {"z", "c", NULL};
    const sb_frame_shape *shape = &c->play->shape;
    sb_json_part answer, parts[2];
    c->last.kind = SB_NO_FAILURE;
    if (!c->offers[SB_MODEL_ENCODE]) {
        sb_out_clear(z);
        sb_puts(z, "{\"frame\":\""), sb_put_frame(z, shape, frame), sb_puts(z, "\"}");
        return check_memory(z, error);
    }
    sb_out *line = sb_model_begin_line(c, SB_MODEL_ENCODE);
    put_frame(line, "frame", shape, frame);
    sb_model_put_value(line, "z", before), sb_model_put_value(line, "c", constants);
    sb_model_put_meta(line, m);
    sb_out_clear(z);
    if (!sb_model_ask(c, SB_MODEL_ENCODE, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, parts);
    if (!parts[0].n) return sb_model_refuse(c, SB_MODEL_ENCODE, &answer, "key `z` is missing"), true;
    if (!sb_model_keep(c, SB_MODEL_ENCODE, &answer, &parts[0], z)) return true;
    if (parts[1].n && !sb_model_keep(c, SB_MODEL_ENCODE, &answer, &parts[1], constants)) return true;
    return check_memory(z, error) && check_memory(constants, error);
}

static bool read_frame(const sb_candidate *c, const sb_json_part *text, uint8_t *frame) {
    return sb_model_is_text(text) && sb_read_frame(text->at + 1, text->n - 2, &c->play->shape, frame);
}

bool sb_candidate_render(sb_candidate *c, const sb_model_value *z, const sb_model_value *constants, uint8_t *frame,
                         sb_error *error) {
    static const char *const names[] = {"frame", NULL};
    sb_json_part answer = {0}, found;
    const bool offers = c->offers[SB_MODEL_RENDER];
    c->last.kind = SB_NO_FAILURE;
    if (offers) {
        sb_model_put_value(sb_model_begin_line(c, SB_MODEL_RENDER), "z", z),
            sb_model_put_value(&c->line, "c", constants);
        if (!sb_model_ask_purely(c, SB_MODEL_RENDER, &answer, error)) return false;
        if (c->last.kind) return true;
    } else if (z->size)
        answer = sb_json_whole(z->data, z->size);
    sb_model_members(&answer, names, &found);
    if (!read_frame(c, &found, frame)) {
        if (!offers) c->asked[SB_MODEL_RENDER]++;
        sb_model_refuse(c, SB_MODEL_RENDER, &answer,
                        offers ? "key `frame` is no frame"
                               : "it does not offer `render`, and key `frame` of its z is no frame");
    }
    return true;
}

bool sb_candidate_history(sb_candidate *c, const sb_model_value *h, const sb_model_value *z,
                          const sb_log_action *action, const sb_model_value *constants, const sb_model_meta *m,
                          sb_model_value *next, sb_error *error) {
    static const char *const names[] = {"h", NULL};
    sb_json_part answer, found;
    c->last.kind = SB_NO_FAILURE;
    sb_out_clear(next);
    if (!c->offers[SB_MODEL_HISTORY]) {
        if (h->size) sb_put_out(next, h);
        return check_memory(next, error);
    }
    sb_out *line = sb_model_begin_line(c, SB_MODEL_HISTORY);
    sb_model_put_value(line, "h", h), sb_model_put_value(line, "z", z);
    sb_puts(line, ",\"action\":"), sb_put_log_action(line, action);
    sb_model_put_value(line, "c", constants);
    sb_model_put_meta(line, m);
    if (!sb_model_ask(c, SB_MODEL_HISTORY, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &found);
    if (!found.n) return sb_model_refuse(c, SB_MODEL_HISTORY, &answer, "key `h` is missing"), true;
    return !sb_model_keep(c, SB_MODEL_HISTORY, &answer, &found, next) || check_memory(next, error);
}

static bool is_truth(const sb_json_part *part) {
    return (part->n == 4 && memcmp(part->at, "true", 4) == 0) || (part->n == 5 && memcmp(part->at, "false", 5) == 0);
}

/* Reads a truth value that may be left out. */
static bool read_truth(const sb_json_part *part, bool *to) {
    *to = part->n == 4 && *part->at == 't';
    return !part->n || is_truth(part);
}

static bool read_number(const sb_json_part *part, double least, double most, double *to) {
    sb_error ignored;
    cJSON *parsed = part->n ? sb_json_part_parse(part, &ignored) : NULL;
    const bool ok = parsed && cJSON_IsNumber(parsed) && parsed->valuedouble >= least && parsed->valuedouble <= most;
    if (ok) *to = parsed->valuedouble;
    cJSON_Delete(parsed);
    return ok;
}

bool sb_candidate_predict(sb_candidate *c, const sb_model_value *z, const sb_model_value *h,
                          const sb_log_action *action, const sb_model_value *constants, const sb_model_meta *m,
                          const char *hypothesis, sb_prediction *prediction, sb_error *error) {
    static const char *const names[] = {"z", "done", "over", "events", NULL};
    sb_json_part answer, parts[4];
    double events = -1;
    c->last.kind = SB_NO_FAILURE;
    prediction->done = prediction->over = false, prediction->events = -1;
    sb_out *line = sb_model_begin_line(c, SB_MODEL_PREDICT);
    sb_model_put_value(line, "z", z), sb_model_put_value(line, "h", h);
    sb_puts(line, ",\"action\":"), sb_put_log_action(line, action);
    sb_model_put_value(line, "c", constants);
    sb_model_put_meta(line, m);
    sb_puts(line, ",\"hypothesis\":");
    if (hypothesis)
        sb_put_json_string(line, hypothesis);
    else
        sb_puts(line, "null");
    sb_out_clear(&prediction->z);
    if (!sb_model_ask_purely(c, SB_MODEL_PREDICT, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, parts);
    if (!parts[0].n) return sb_model_refuse(c, SB_MODEL_PREDICT, &answer, "key `z` is missing"), true;
    if (!read_truth(&parts[1], &prediction->done) || !read_truth(&parts[2], &prediction->over))
        return sb_model_refuse(c, SB_MODEL_PREDICT, &answer, "keys `done` and `over` should be true or false"), true;
    if (parts[3].n && !read_number(&parts[3], 0, INT32_MAX, &events))
        return sb_model_refuse(c, SB_MODEL_PREDICT, &answer, "key `events` should be a number of frames"), true;
    prediction->events = (int32_t)events;
    return !sb_model_keep(c, SB_MODEL_PREDICT, &answer, &parts[0], &prediction->z) ||
           check_memory(&prediction->z, error);
}

/* Reads names with probabilities, whose sum is 1. */
static bool read_hypotheses(const sb_json_part *table, sb_hypothesis *found, size_t *n) {
    sb_error ignored;
    double sum = 0;
    if (!sb_json_part_is_object(table)) return false;
    sb_json_walk walk = sb_json_walk_of(table);
    for (*n = 0; sb_json_walk_next(&walk, &ignored); ++*n) {
        if (*n == SB_MODEL_HYPOTHESES || walk.key.n - 2 >= SB_MODEL_NAME) return false;
        sb_model_copy_text(&walk.key, found[*n].name, SB_MODEL_NAME);
        if (!read_number(&walk.value, 0, 1, &found[*n].probability)) return false;
        sum += found[*n].probability;
    }
    return *n && sum > 1 - 1e-6 && sum < 1 + 1e-6;
}

bool sb_candidate_hypotheses(sb_candidate *c, sb_hypothesis found[SB_MODEL_HYPOTHESES], size_t *n, sb_error *error) {
    static const char *const names[] = {"hypotheses", NULL};
    sb_json_part answer, table;
    c->last.kind = SB_NO_FAILURE;
    *n = 1;
    found[0] = (sb_hypothesis){.name = "main", .probability = 1};
    if (!c->offers[SB_MODEL_HYPOTHESES_OP]) return true;
    sb_model_begin_line(c, SB_MODEL_HYPOTHESES_OP);
    *n = 0;
    if (!sb_model_ask(c, SB_MODEL_HYPOTHESES_OP, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &table);
    if (!read_hypotheses(&table, found, n)) {
        *n = 0;
        sb_model_refuse(c, SB_MODEL_HYPOTHESES_OP, &answer,
                        "`hypotheses` should be an object of 1 to 16 names with probabilities whose sum is 1");
    }
    return true;
}

/* ---- Clicks ------------------------------------------------------------------------------------------------------ */

/* The middle of the box around an area, or the cell of the area that is nearest to it. */
static sb_xy centre_of(const sb_frame_areas *a, size_t index, int32_t width) {
    int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = -1, y1 = -1;
    for (size_t i = 0; i < a->cells; i++) {
        if (a->labels[i] != index) continue;
        const int32_t x = (int32_t)i % width, y = (int32_t)i / width;
        x0 = x < x0 ? x : x0, y0 = y < y0 ? y : y0, x1 = x > x1 ? x : x1, y1 = y;
    }
    const int32_t x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    int32_t best = INT32_MAX;
    sb_xy centre = {0};
    for (size_t i = 0; i < a->cells; i++) {
        const int32_t dx = (int32_t)i % width - x, dy = (int32_t)i / width - y, distance = dx * dx + dy * dy;
        if (a->labels[i] != index || distance >= best) continue;
        best = distance;
        centre = (sb_xy){.x = (int16_t)(i % (size_t)width), .y = (int16_t)(i / (size_t)width)};
    }
    return centre;
}

/* Whether a cell of a frame has another colour than the goal wants there. */
static bool misses(const uint8_t *goal, const uint8_t *frame, size_t i) {
    return goal[i] != SB_FRAME_ANY && goal[i] != frame[i];
}

/* Takes clicks where the frame differs from the goal; at most half of the capacity. */
static void click_goal(const sb_log_play *play, const uint8_t *frame, sb_xy *clicks, size_t capacity, size_t *n) {
    const size_t width = (size_t)play->shape.width;
    for (size_t i = 0; play->goal && i < sb_frame_cells(&play->shape) && *n < capacity / 2; i++)
        if (misses(play->goal, frame, i))
            clicks[(*n)++] = (sb_xy){.x = (int16_t)(i % width), .y = (int16_t)(i / width)};
}

static bool usual_clicks(const sb_log_play *play, const uint8_t *frame, sb_xy *clicks, size_t capacity, size_t *n,
                         sb_error *error) {
    const sb_frame_shape *shape = &play->shape;
    sb_frame_areas areas = {0};
    const bool ok = sb_frame_areas_find(&areas, shape, frame);
    size_t largest = 0;
    for (size_t i = 1; ok && i < areas.n; i++)
        if (areas.areas[i].cells > areas.areas[largest].cells) largest = i;
    if (capacity > SB_MODEL_CLICKS) capacity = SB_MODEL_CLICKS;
    click_goal(play, frame, clicks, capacity, n);
    for (size_t i = 0; ok && i < areas.n && *n < capacity; i++)
        if (i != largest) clicks[(*n)++] = centre_of(&areas, i, shape->width);
    sb_frame_areas_free(&areas);
    return ok || sb_fail(error, SB_MEMORY, "out of memory for a frame");
}

static bool read_clicks(const sb_frame_shape *shape, const sb_json_part *list, sb_xy *clicks, size_t capacity,
                        size_t *n) {
    sb_error ignored;
    if (!sb_json_part_is_list(list)) return false;
    sb_json_walk walk = sb_json_walk_of(list);
    while (*n < capacity && sb_json_walk_next(&walk, &ignored)) {
        double x, y;
        if (!sb_json_part_is_list(&walk.value)) return false;
        sb_json_walk at = sb_json_walk_of(&walk.value);
        if (!sb_json_walk_next(&at, &ignored) || !read_number(&at.value, 0, shape->width - 1, &x) ||
            !sb_json_walk_next(&at, &ignored) || !read_number(&at.value, 0, shape->height - 1, &y))
            return false;
        clicks[(*n)++] = (sb_xy){.x = (int16_t)x, .y = (int16_t)y};
    }
    return true;
}

/* Puts the members that all questions about a state have. */
static void put_state(sb_out *line, const sb_model_value *z, const sb_model_value *h, const sb_model_value *constants,
                      const sb_model_meta *m) {
    sb_model_put_value(line, "z", z), sb_model_put_value(line, "h", h), sb_model_put_value(line, "c", constants);
    sb_model_put_meta(line, m);
}

bool sb_candidate_clicks(sb_candidate *c, const uint8_t *frame, const sb_model_value *z, const sb_model_value *h,
                         const sb_model_value *constants, const sb_model_meta *m, sb_xy *clicks, size_t capacity,
                         size_t *n, sb_error *error) {
    static const char *const names[] = {"clicks", NULL};
    sb_json_part answer, list;
    c->last.kind = SB_NO_FAILURE;
    *n = 0;
    if (!c->offers[SB_MODEL_CLICKS_OP]) return usual_clicks(c->play, frame, clicks, capacity, n, error);
    put_state(sb_model_begin_line(c, SB_MODEL_CLICKS_OP), z, h, constants, m);
    if (!sb_model_ask(c, SB_MODEL_CLICKS_OP, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &list);
    if (!read_clicks(&c->play->shape, &list, clicks, capacity, n)) {
        *n = 0;
        sb_model_refuse(c, SB_MODEL_CLICKS_OP, &answer, "`clicks` should be a list of [x, y] within the frame");
    }
    return true;
}

/* ---- Goals and policies ------------------------------------------------------------------------------------------ */

static bool ask_goal(sb_candidate *c, sb_model_op op, sb_goal_answer *goal, sb_error *error) {
    static const char *const names[] = {"achieved", "progress", "reason", NULL};
    sb_json_part answer, parts[3];
    if (!sb_model_ask(c, op, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, parts);
    sb_model_copy_text(&parts[2], goal->reason, sizeof goal->reason);
    if (!is_truth(&parts[0]) || !read_truth(&parts[0], &goal->achieved) ||
        (parts[1].n && !read_number(&parts[1], 0, 1, &goal->progress))) {
        *goal = (sb_goal_answer){0};
        sb_model_refuse(c, op, &answer, "`achieved` should be true or false, and `progress` a number from 0 to 1");
    } else if (!parts[1].n)
        goal->progress = goal->achieved;
    return true;
}

/* Looks whether the rendered z has the goal of the play. */
static bool fits_goal(sb_candidate *c, const sb_model_value *z, const sb_model_value *constants, bool *fits,
                      sb_error *error) {
    const size_t n = sb_frame_cells(&c->play->shape);
    const uint8_t *goal = c->play->goal;
    sb_out_clear(&c->drawn);
    uint8_t *frame = (uint8_t *)sb_out_reserve(&c->drawn, n);
    if (!frame) return sb_fail(error, SB_MEMORY, "out of memory for a frame");
    if (!sb_candidate_render(c, z, constants, frame, error)) return false;
    *fits = !c->last.kind;
    for (size_t i = 0; *fits && i < n; i++) *fits = !misses(goal, frame, i);
    return true;
}

bool sb_candidate_goal(sb_candidate *c, const sb_model_value *z, const sb_model_value *h,
                       const sb_model_value *constants, const sb_model_meta *m, bool done, sb_goal_answer *goal,
                       sb_error *error) {
    bool achieved = done;
    c->last.kind = SB_NO_FAILURE;
    if (!c->offers[SB_MODEL_GOAL]) {
        if (!done && c->play->goal && !fits_goal(c, z, constants, &achieved, error)) return false;
        *goal = (sb_goal_answer){.achieved = achieved, .progress = achieved};
        return true;
    }
    *goal = (sb_goal_answer){0};
    put_state(sb_model_begin_line(c, SB_MODEL_GOAL), z, h, constants, m);
    return ask_goal(c, SB_MODEL_GOAL, goal, error);
}

bool sb_candidate_sub_goal(sb_candidate *c, const char *name, const sb_model_value *z, const sb_model_value *h,
                           const sb_model_value *constants, const sb_model_meta *m, sb_goal_answer *goal,
                           sb_error *error) {
    *goal = (sb_goal_answer){0};
    sb_out *line = sb_model_begin_line(c, SB_MODEL_SUB_GOAL);
    sb_puts(line, ",\"name\":"), sb_put_json_string(line, name);
    put_state(line, z, h, constants, m);
    return ask_goal(c, SB_MODEL_SUB_GOAL, goal, error);
}

bool sb_candidate_policy(sb_candidate *c, const char *name, const sb_model_value *z, const sb_model_value *h,
                         const sb_model_value *constants, const sb_model_meta *m, sb_log_action *action,
                         sb_error *error) {
    static const char *const names[] = {"action", NULL};
    sb_json_part answer, found;
    sb_error why = {0};
    sb_out *line = sb_model_begin_line(c, SB_MODEL_POLICY);
    sb_puts(line, ",\"name\":"), sb_put_json_string(line, name);
    put_state(line, z, h, constants, m);
    if (!sb_model_ask(c, SB_MODEL_POLICY, &answer, error)) return false;
    if (c->last.kind) return true;
    sb_model_members(&answer, names, &found);
    cJSON *parsed = found.n ? sb_json_part_parse(&found, &why) : NULL;
    if (!parsed || !sb_read_log_action(parsed, &c->play->shape, action, &why))
        sb_model_refuse(c, SB_MODEL_POLICY, &answer, parsed ? why.text : "key `action` is missing");
    cJSON_Delete(parsed);
    return true;
}

/* ---- Learning ---------------------------------------------------------------------------------------------------- */

bool sb_candidate_learn(sb_candidate *c, const sb_log_transition *t, const sb_model_value *z, const sb_model_value *h,
                        const sb_model_value *next, sb_error *error) {
    sb_json_part answer;
    c->last.kind = SB_NO_FAILURE;
    if (!c->learns) return true;
    sb_out *line = sb_model_begin_line(c, SB_MODEL_LEARN);
    sb_putf(line, ",\"t\":%u", t->t);
    sb_model_put_value(line, "z", z), sb_model_put_value(line, "h", h);
    sb_puts(line, ",\"action\":"), sb_put_log_action(line, &t->action);
    sb_puts(line, ",\"frames\":[");
    for (uint32_t i = 0; i < t->n_frames; i++) {
        sb_puts(line, i ? ",\"" : "\"");
        sb_put_frame(line, &c->play->shape, t->frames[i]);
        sb_puts(line, "\"");
    }
    sb_puts(line, "]");
    sb_model_put_value(line, "z_next", next);
    sb_puts(line, ",\"kind\":\""), sb_puts(line, sb_transition_names[t->kind]), sb_puts(line, "\"");
    return sb_model_ask(c, SB_MODEL_LEARN, &answer, error);
}

bool sb_candidate_save(sb_candidate *c, sb_error *error) {
    sb_json_part answer;
    c->last.kind = SB_NO_FAILURE;
    if (!c->learns || !c->rules.save || !c->offers[SB_MODEL_SAVE]) return true;
    sb_puts(sb_model_begin_line(c, SB_MODEL_SAVE), ",\"path\":"), sb_put_json_string(&c->line, c->rules.save);
    if (!sb_model_ask(c, SB_MODEL_SAVE, &answer, error)) return false;
    c->was_saved |= !c->last.kind;
    return true;
}
