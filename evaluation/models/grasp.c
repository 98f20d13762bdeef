#include "evaluation/models/grasp.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { N_VALUES = 7 };

static void list_values(sb_grasp *b, sb_model_value *values[N_VALUES]) {
    sb_model_value *const all[N_VALUES] = {&b->z, &b->h, &b->c, &b->next_z, &b->next_h, &b->last_z, &b->prediction.z};
    memcpy(values, all, sizeof all);
}

bool sb_grasp_begin(sb_grasp *b, sb_candidate *candidate, const sb_log_play *play, sb_error *error) {
    const size_t cells = sb_frame_cells(&play->shape);
    sb_model_value *values[N_VALUES];
    list_values(b, values);
    for (int i = 0; i < N_VALUES; i++) *values[i] = sb_out_growing();
    b->candidate = candidate, b->shape = &play->shape;
    b->m = (sb_model_meta){.available = play->available};
    b->frame = malloc(cells), b->predicted = malloc(cells), b->room = malloc(cells);
    if (!b->frame || !b->predicted || !b->room) return sb_fail(error, SB_MEMORY, "out of memory for frames");
    memcpy(b->frame, play->start, cells);
    return true;
}

bool sb_grasp_enter(sb_grasp *b, int32_t level, sb_error *error) {
    b->m.level = level, b->m.action_count = 0;
    sb_out_clear(&b->h), sb_out_clear(&b->next_z);
    return sb_candidate_level(b->candidate, level, error) &&
           sb_candidate_encode(b->candidate, b->frame, &b->next_z, &b->c, &b->m, &b->z, error);
}

sb_imagine_from sb_grasp_from_here(const sb_grasp *b, const sb_offers *offers, uint64_t nodes, uint64_t depth) {
    return (sb_imagine_from){.candidate = b->candidate,
                             .shape = b->shape,
                             .z = &b->z,
                             .h = &b->h,
                             .c = &b->c,
                             .m = b->m,
                             .buttons = offers->buttons,
                             .n_buttons = offers->n_buttons,
                             .click = offers->has_clicks ? &offers->click : NULL,
                             .nodes = nodes,
                             .depth = depth};
}

/* ---- Before the action ------------------------------------------------------------------------------------------- */

bool sb_grasp_carry(sb_grasp *b, const sb_log_action *action, sb_error *error) {
    sb_out_clear(&b->prediction.z);
    return sb_candidate_history(b->candidate, &b->h, &b->z, action, &b->c, &b->m, &b->next_h, error);
}

bool sb_grasp_predict(sb_grasp *b, const sb_log_action *action, sb_expected *expected, sb_error *error) {
    sb_candidate *c = b->candidate;
    *expected = (sb_expected){0};
    if (!sb_candidate_predict(c, &b->z, &b->next_h, action, &b->c, &b->m, NULL, &b->prediction, error)) return false;
    if (c->last.kind) return true;
    expected->is_said = true, expected->done = b->prediction.done, expected->over = b->prediction.over;
    if (!sb_candidate_render(c, &b->prediction.z, &b->c, b->predicted, error)) return false;
    if (!c->last.kind) expected->frame = b->predicted;
    return true;
}

/* ---- After the action -------------------------------------------------------------------------------------------- */

void sb_grasp_see(sb_grasp *b, const sb_log_transition *line) {
    memcpy(b->frame, line->last, sb_frame_cells(b->shape));
    b->m.step++, b->m.action_count++;
}

bool sb_grasp_encode(sb_grasp *b, sb_error *error) {
    return sb_candidate_encode(b->candidate, b->frame, &b->z, &b->c, &b->m, &b->next_z, error);
}

bool sb_grasp_go_on(sb_grasp *b, const sb_log_transition *line, int32_t level, sb_error *error) {
    const bool is_end = line->kind == SB_TRANSITION_LEVEL;
    if (line->kind == SB_TRANSITION_NONE) return true;
    if (is_end || line->kind == SB_TRANSITION_RESET) {
        sb_model_swap(&b->z, &b->last_z);
        return sb_grasp_enter(b, level, error) &&
               (!is_end || sb_candidate_learn(b->candidate, line, &b->last_z, &b->next_h, &b->z, error));
    }
    if (!sb_candidate_learn(b->candidate, line, &b->z, &b->next_h, &b->next_z, error)) return false;
    sb_model_swap(&b->z, &b->next_z), sb_model_swap(&b->h, &b->next_h);
    return true;
}

void sb_grasp_free(sb_grasp *b) {
    sb_model_value *values[N_VALUES];
    list_values(b, values);
    for (int i = 0; i < N_VALUES; i++) sb_out_free(values[i]);
    free(b->frame), free(b->predicted), free(b->room);
    *b = (sb_grasp){0};
}
