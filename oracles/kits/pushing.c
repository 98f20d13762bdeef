#include "oracles/kits/pushing.h"

#include <string.h>

void sb_survey_from(sb_survey *survey, const int step_of[4], int from) {
    uint8_t queue[SB_PUSHING_CELLS];
    int n = 0;
    memset(survey->steps, 0, sizeof survey->steps);
    survey->steps[from] = 1;
    queue[n++] = (uint8_t)from;
    for (int i = 0; i < n; i++)
        for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++) {
            const int to = queue[i] + step_of[d];
            if (survey->holds[to] >= SB_GROUND_THING || survey->steps[to]) continue;
            survey->steps[to] = (uint8_t)(survey->steps[queue[i]] + 1);
            queue[n++] = (uint8_t)to;
        }
}

void sb_survey_walk(const sb_survey *survey, const int step_of[4], int from, sb_plan *plan) {
    for (int at = from; survey->steps[at] > 1;) {
        sb_direction d = SB_NORTH;
        while (survey->steps[at + step_of[d]] != survey->steps[at] - 1) d++;
        sb_plan_add(plan, sb_move_of(d));
        at += step_of[d];
    }
}

bool sb_is_stuck(const uint8_t *holds, const int step_of[4], int thing) {
    for (int i = 0; i < 4; i++) {
        const int beside = thing + step_of[i], next = step_of[(i + 1) % 4];
        if (holds[beside] >= SB_GROUND_THING && holds[thing + next] >= SB_GROUND_THING &&
            holds[beside + next] >= SB_GROUND_THING)
            return true;
    }
    return false;
}
