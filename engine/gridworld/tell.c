#include "engine/gridworld/tell.h"

void sb_tell(sb_told *told, sb_told_what what, int which, int value) {
    told->rows[told->n++] = (sb_told_row){(int32_t)what, which, value};
}

/* The two numbers are nearly equal, so their difference is exact. It is a whole number of units, because hundredths,
 * like 0.01, are multiples of 2^-59. */
void sb_tell_meter(sb_told *told, sb_object of, double meter) {
    const int hundredths = (int)(meter * 100 + 0.5);
    sb_tell(told, SB_TOLD_METER, of, hundredths);
    sb_tell(told, SB_TOLD_METER_REST, of, (int)((meter - hundredths / 100.0) * 0x1p59));
}

void sb_tell_task(const sb_episode *e, sb_told *told) {
    *told = (sb_told){0};
    if (e->task->tell) e->task->tell(e, told);
}

void sb_tell_all(const sb_episode *e, sb_told *told) {
    *told = (sb_told){0};
    sb_tell(told, SB_TOLD_STEPS, 0, e->clock);
    sb_tell(told, SB_TOLD_STEP_LIMIT, 0, e->max_steps);
    if (e->task->tell) e->task->tell(e, told);
}
