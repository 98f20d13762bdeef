/* The contract between worlds and everything above them. A family lists its tasks and variants, makes an episode from a
 * name, steps it, shows it, and copies it. Nothing above this line knows of grids, six actions or difficulties. */
#ifndef SB_ENGINE_CONTRACT_H
#define SB_ENGINE_CONTRACT_H

#include "base/out.h"
#include "seedbed.h"

typedef struct sb_fact_source sb_fact_source;

struct sb_family {
    const char *name;            /* in names: `babyai:...` */
    const char *version;         /* of the rules; in manifests, packs and tapes: other rules, other episodes */
    const char *const *variants; /* every task has each of them; NULL if the family has none */
    size_t n_variants, n_tasks, n_modes;
    const sb_mode *modes;             /* the first is the default */
    const char *const *dataset_modes; /* what dataset rows show by default; NULL-terminated */
    const sb_task_info *(*task)(size_t index);
    int32_t (*n_actions)(const sb_env *env); /* of a started episode */
    /* Starts env->name (canonical; task_index and variant_index are set) and says the step limit. */
    bool (*start)(sb_env *env, int32_t *max_steps, sb_error *error);
    /* The action is in range and the episode is not over. */
    void (*step)(sb_env *env, sb_action action, sb_result *result);
    void (*observe)(const sb_env *env, const sb_mode *mode, sb_out *out);
    /* What the agent is shown, as numbers: no more than the modes that are not privileged tell. NULL: it has none. An
     * array is as large in all episodes of a task and variant; `extent` fills the first `rank` items. */
    const sb_array *arrays;
    size_t n_arrays;
    void (*extent)(const sb_env *env, size_t array, int32_t extent[SB_ARRAY_RANK]);
    void (*fill)(const sb_env *env, size_t array, void *numbers);
    size_t (*valid)(const sb_env *env, sb_action *out, size_t capacity);
    void (*print_action)(const sb_env *env, sb_action action, sb_out *out);
    bool (*parse_action)(const sb_env *env, const char *text, sb_action *action); /* names; numbers are parsed above */
    bool (*copy)(sb_env *to, const sb_env *from, sb_error *error); /* the state only; `to` is empty or of this family */
    void (*clear)(sb_env *env);
    void (*key)(const sb_env *env, uint64_t key[2]); /* equal if and only if the futures are */
    /* No more than the steps that are left to success; negative if that is proven to be out of reach. NULL: unknown. */
    int (*bound)(const sb_env *env);
    /* Overwrites all of the state that no observation has shown, which leaves observations as they are (but those of
     * privileged modes). NULL: everything is shown. */
    void (*scramble)(sb_env *env);
    const sb_fact_source *facts;                           /* engine/facts.h; NULL: it has none */
    void (*digest)(const sb_env *env, uint8_t digest[32]); /* of what is visible, as recordings hold it */
};

#endif
