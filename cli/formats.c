/* The table of formats, in the order of --help. */
#include "exporters/exporter.h"

extern const sb_exporter sb_steps, sb_trajectories, sb_chat, sb_npz, sb_minari, sb_predict, sb_plan_rows, sb_decompose,
    sb_seedpack, sb_next_frame, sb_values, sb_preference;

const sb_exporter *const sb_exporters[] = {&sb_steps,   &sb_trajectories, &sb_chat,      &sb_npz,      &sb_minari,
                                           &sb_predict, &sb_plan_rows,    &sb_decompose, &sb_seedpack, &sb_next_frame,
                                           &sb_values,  &sb_preference,   NULL};
