#include "evaluation/models/grasp.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { N_VALUES = 7 };

static void list_values(sb_grasp *g, sb_model_value *values[N_VALUES]) {
    sb_model_value *const all[N_VALUES] = {&g->z, &g->h, &g->c, &g->next_z, &g->next_h, &g->last_z, &g->prediction.z};
    memcpy(values, all, sizeof all);
}

bool sb_grasp_begin(sb_grasp *g, sb_candidate *candidate, const sb_log_play *play, sb_error *error) {
    const size_t cells = sb_frame_cells(&play->shape);
    sb_model_value *values[N_VALUES];
    list_values(g, values);
    for (int i = 0; i < N_VALUES; i++) *values[i] = sb_out_growing();
    g->candidate = candidate, g->shape = &play->shape;
    g->m = (sb_model_meta){.available = play->available};
    g->frame = malloc(cells), g->predicted = malloc(cells), g->room = malloc(cells);
    if (!g->frame || !g->predicted || !g->room) return sb_fail(error, SB_MEMORY, "out of memory for frames");
    memcpy(g->frame, play->start, cells);
    return true;
}

bool sb_grasp_enter(sb_grasp *g, int32_t level, sb_error *error) {
    g->m.level = level, g->m.action_count = 0;
    sb_out_clear(&g->h), sb_out_clear(&g->next_z);
    return sb_candidate_level(g->candidate, level, error) &&
           sb_candidate_encode(g->candidate, g->frame, &g->next_z, &g->c, &g->m, &g->z, error);
}

sb_imagine_from sb_grasp_from_here(const sb_grasp *g, const sb_offers *offers, uint64_t nodes, uint64_t depth) {
    return (sb_imagine_from){.candidate = g->candidate,
                             .shape = g->shape,
                             .z = &g->z,
                             .h = &g->h,
                             .c = &g->c,
                             .m = g->m,
                             .buttons = offers->buttons,
                             .n_buttons = offers->n_buttons,
                             .click = offers->has_clicks ? &offers->click : NULL,
                             .nodes = nodes,
                             .depth = depth};
}

/* ---- Before the action ------------------------------------------------------------------------------------------- */

bool sb_grasp_carry(sb_grasp *g, const sb_log_action *action, sb_error *error) {
    return sb_candidate_history(g->candidate, &g->h, &g->z, action, &g->c, &g->m, &g->next_h, error);
}

bool sb_grasp_predict(sb_grasp *g, const sb_log_action *action, sb_expected *expected, sb_error *error) {
    sb_candidate *c = g->candidate;
    *expected = (sb_expected){0};
    if (!sb_candidate_predict(c, &g->z, &g->next_h, action, &g->c, &g->m, NULL, &g->prediction, error)) return false;
    if (c->last.kind) return true;
    expected->is_said = true, expected->done = g->prediction.done, expected->over = g->prediction.over;
    if (!sb_candidate_render(c, &g->prediction.z, &g->c, g->predicted, error)) return false;
    if (!c->last.kind) expected->frame = g->predicted;
    return true;
}

/* ---- After the action -------------------------------------------------------------------------------------------- */

void sb_grasp_see(sb_grasp *g, const sb_log_transition *line) {
    memcpy(g->frame, line->last, sb_frame_cells(g->shape));
    g->m.step++, g->m.action_count++;
}

bool sb_grasp_encode(sb_grasp *g, sb_error *error) {
    return sb_candidate_encode(g->candidate, g->frame, &g->z, &g->c, &g->m, &g->next_z, error);
}

bool sb_grasp_go_on(sb_grasp *g, const sb_log_transition *line, int32_t level, sb_error *error) {
    const bool is_end = line->kind == SB_TRANSITION_LEVEL;
    if (line->kind == SB_TRANSITION_NONE) return true;
    if (is_end || line->kind == SB_TRANSITION_RESET) {
        sb_model_swap(&g->z, &g->last_z);
        return sb_grasp_enter(g, level, error) &&
               (!is_end || sb_candidate_learn(g->candidate, line, &g->last_z, &g->next_h, &g->z, error));
    }
    if (!sb_candidate_learn(g->candidate, line, &g->z, &g->next_h, &g->next_z, error)) return false;
    sb_model_swap(&g->z, &g->next_z), sb_model_swap(&g->h, &g->next_h);
    return true;
}

void sb_grasp_free(sb_grasp *g) {
    sb_model_value *values[N_VALUES];
    list_values(g, values);
    for (int i = 0; i < N_VALUES; i++) sb_out_free(values[i]);
    free(g->frame), free(g->predicted), free(g->room);
    *g = (sb_grasp){0};
}
