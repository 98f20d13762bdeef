/* RecipeAssembly's variables, for its generator, its oracle and its tests. */
#ifndef SB_AGENTICK_RECIPE_ASSEMBLY_H
#define SB_AGENTICK_RECIPE_ASSEMBLY_H

#include "engine/gridworld/episode.h"

enum { SB_RECIPE_ASSEMBLY_STEPS = 5, SB_RECIPE_ASSEMBLY_SITES = SB_RECIPE_ASSEMBLY_STEPS + 4 };

typedef struct sb_recipe_assembly_vars {
    sb_xy start, station;
    int32_t n_steps;                              /* steps of the recipe */
    int32_t recipe[SB_RECIPE_ASSEMBLY_STEPS + 1]; /* an object code for each step, then SB_NONE */
    int32_t step;                                 /* the current step, which is also the number of deliveries */
    int32_t n_sites;
    sb_xy site[SB_RECIPE_ASSEMBLY_SITES];   /* where ingredients lay at the start: one for each step, then the decoys */
    int32_t kind[SB_RECIPE_ASSEMBLY_SITES]; /* object codes of the ingredients at the sites */
} sb_recipe_assembly_vars;

extern const sb_task sb_recipe_assembly;

#endif
