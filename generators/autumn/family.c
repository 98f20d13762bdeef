#include "generators/autumn/family.h"

#include "engine/testing.h"
#include "generators/autumn/challenges/test_view.h"
#include "generators/autumn/observe.h"

static int32_t frame_rate(const sb_env *env) { return sb_autumn_frame_rate(sb_autumn_state_of(env)); }

static sb_criterion criterion(const sb_task_info *task, size_t difficulty) {
    return sb_autumn_is_challenge(sb_autumn_variant_of(task, difficulty)) ? SB_BY_SCORE : task->criterion;
}

/* Success is set by the step that ends the test. */
static void stand(const sb_env *env, sb_status *status) {
    const sb_autumn_episode *e = sb_autumn_episode_of(env);
    if (e->test) status->score = e->test->score;
    if (e->task->world && e->task->world->has_score) status->score = sb_autumn_score_of(e);
}

/* ---- Tests ---- */

static const sb_test_kind kinds[SB_AUTUMN_N_CHALLENGES] = {
    [SB_AUTUMN_MFP] = {.name = "mfp", .chance = 1.0 / SB_AUTUMN_CHOICES},
    [SB_AUTUMN_PLANNING] = {.name = "planning"},
    [SB_AUTUMN_CHANGE] = {.name = "change", .detects = true}};

static const sb_test_kind *kind(const sb_task_info *task, size_t difficulty) {
    const size_t variant = sb_autumn_variant_of(task, difficulty);
    return sb_autumn_is_challenge(variant) ? &kinds[sb_autumn_kind_of(variant)] : NULL;
}

static bool draws(const sb_task_info *task) { return sb_autumn_task_of(task)->draws; }

static void tell(const sb_env *env, sb_test_record *record) {
    const sb_autumn_test *t = sb_autumn_episode_of(env)->test;
    record->tested = t->phase != SB_AUTUMN_INTERACTION;
    record->interaction = t->interactions;
    if (!t->changing || !record->tested) return;
    record->changed = sb_autumn_changing_acted(t->changing);
    record->submitted = t->answered, record->submitted_at = t->submitted;
    record->score_zero = t->score_zero;
}

static sb_act act(const sb_shape *shape, sb_action action) {
    if (action == SB_AUTUMN_NOOP) return SB_ACT_NOOP;
    if (action < SB_AUTUMN_N_BUTTONS) return SB_ACT_KEY;
    if (action >= shape->n_buttons) return SB_ACT_CLICK;
    return action == SB_AUTUMN_RESET ? SB_ACT_RESET : SB_ACT_OTHER;
}

static const sb_test_source tests = {.kind = kind,
                                     .draws = draws,
                                     .tell = tell,
                                     .instruct = sb_autumn_put_instructions,
                                     .act = act,
                                     .waits = SB_AUTUMN_NOOP,
                                     .begins = SB_AUTUMN_GO_TO_TEST,
                                     .limit = SB_AUTUMN_INTERACTION_STEPS,
                                     .reserved = SB_AUTUMN_RESERVED_SEEDS};

const sb_family sb_autumn = {
    .name = "autumn",
    .version = "1",
    .difficulties = sb_autumn_variants,
    .difficulties_in_short = sb_autumn_variants_in_short,
    .n_difficulties = SB_AUTUMN_N_VARIANTS,
    .n_usual = 1,
    .difficulties_of = sb_autumn_difficulties_of,
    .n_tasks = SB_AUTUMN_N_PROGRAMS,
    .hiding = SB_CANNOT_HIDE,
    .modes = sb_autumn_modes,
    .n_modes = SB_AUTUMN_N_MODES,
    .text_max = SB_AUTUMN_TEXT_MAX,
    .dataset_modes = sb_autumn_dataset_modes,
    .teacher = "coverage",
    .task = sb_autumn_task_at,
    .describe = sb_autumn_describe,
    .criterion = criterion,
    .shape = sb_autumn_shape,
    .start = sb_autumn_episode_start,
    .step = sb_autumn_episode_step,
    .stand = stand,
    .tell_fault = sb_autumn_tell_fault,
    .observe = sb_autumn_observe,
    .arrays = sb_autumn_arrays,
    .n_arrays = SB_AUTUMN_N_ARRAYS,
    .fill = sb_autumn_fill,
    .frame_rate = frame_rate,
    .pictures = &sb_autumn_pictures,
    .valid = sb_autumn_valid,
    .effective = sb_autumn_effective,
    .print_action = sb_autumn_print_action,
    .parse_action = sb_autumn_parse_action,
    .copy = sb_autumn_episode_copy,
    .clear = sb_autumn_clear,
    .key = sb_autumn_episode_key,
    .reseed = sb_autumn_episode_reseed,
    .survey = sb_autumn_survey,
    .extend = sb_autumn_episode_extend,
    .digest = sb_autumn_digest,
    .tests = &tests,
    .frames = &sb_autumn_frames,
    .imports = &sb_autumn_imports,
};
