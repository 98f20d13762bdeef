/* The formats there are, in the order of --help. */
#include "exporters/exporter.h"

extern const sb_exporter sb_steps, sb_trajectories, sb_chat, sb_npz, sb_minari;

const sb_exporter *const sb_exporters[] = {&sb_steps, &sb_trajectories, &sb_chat, &sb_npz, &sb_minari, NULL};
