#include "generators/babyai/levels.h"

#include <assert.h>

#include "base/error.h"
#include "engine/minigrid/tracking.h"

/* ---- The table --------------------------------------------------------------------------------------------------- */

static bool generate(const sb_mg_level *level, uint64_t seed, sb_mg_world *w, sb_mg_birth *birth, sb_error *error);
static int most_steps(const sb_mg_level *level);
static sb_xy size(const sb_mg_level *level);

#define ROOMS(s, c, r) .side = (s), .columns = (c), .rows = (r)
#define ONLY(which)    .verb = (which), .n_verbs = 1
#define ALL_VERBS      .verb = SB_MG_GO_TO, .n_verbs = 4
#define DOES(text)     .level.info.summary = text

/* The texts of the recipes, which the build embeds. */
#define SB_LEVEL(name, group, recipe, ...)               extern const unsigned char sb_shipped_babyai_text_##recipe[];
#define SB_LEVEL_AS(published, name, group, recipe, ...) SB_LEVEL(name, group, recipe, )
#define SB_PLAN_LEVEL(size, side, n)                     SB_LEVEL(size, plan, red_ball, )
#include "generators/babyai/levels.def"
#undef SB_LEVEL
#undef SB_LEVEL_AS
#undef SB_PLAN_LEVEL

/* What a level asks for. The first four are what missions say; the others are what stands in the way. */
#define GO_TO           "go to"
#define OPEN            "open"
#define PICK_UP         "pick up"
#define PUT_NEXT        "put next"
#define ALL_MISSIONS    GO_TO, OPEN, PICK_UP, PUT_NEXT
#define ROOMS_ON_WAY    "rooms"           /* the way may lead through several rooms */
#define DISTRACTORS     "distractors"     /* there are things that the mission does not want */
#define UNBLOCK         "unblock"         /* things may block the way */
#define UNLOCK          "unlock"          /* a locked door may have to be opened */
#define IMPLICIT_UNLOCK "implicit unlock" /* a locked door may have to be opened that the mission does not name */
#define LOCATION        "location"        /* descriptions may name a place as seen from the agent */
#define SEQUENCE        "sequence"        /* there may be several things to do, in an order */
#define SKILLS(...)     .level.info.skills = SB_SKILLS(__VA_ARGS__)

#define SB_LEVEL_AS(published, name_, group_, recipe_, ...)                                                            \
    {.level.info.name = name_,                                                                                         \
     .level.info.category = group_,                                                                                    \
     .level.info.alias = published,                                                                                    \
     .level.generate = generate,                                                                                       \
     .level.most_steps = most_steps,                                                                                   \
     .level.size = size,                                                                                               \
     .recipe = sb_recipe_##recipe_,                                                                                    \
     .text = sb_shipped_babyai_text_##recipe_,                                                                         \
     __VA_ARGS__},
#define SB_LEVEL(name, ...) SB_LEVEL_AS("BabyAI-" name "-v0", name, __VA_ARGS__)
#define SB_PLAN_LEVEL(size, side, n_)                                                                                  \
    SB_LEVEL_AS("CustomBabyAI-GoToRedBall-" #size "-" #n_ "Dists-v0", "GoToRedBall-" #size "-" #n_ "Dists", "plan",    \
                red_ball, ROOMS(side, 1, 1), .n = (n_), .grey = true, SKILLS(GO_TO, DISTRACTORS),                      \
                DOES("Go to the red ball; everything else is grey."))
static const sb_babyai_line lines[] = {
#include "generators/babyai/levels.def"
};

static_assert(sizeof lines / sizeof *lines == SB_BABYAI_N_LEVELS,
              "the table and levels.h must have the same number of levels");

const sb_mg_level *sb_babyai_level(size_t index) { return &lines[index].level; }

/* ---- Worlds ------------------------------------------------------------------------------------------------------ */

/* Makes one attempt; returns whether it gave a valid world. */
static bool attempt(sb_builder *b) {
    sb_begin_attempt(b);
    b->line->recipe(b);
    return !b->failed && sb_mg_mission_is_fair(b->world, b->line->unblocking);
}

static int step_limit(const sb_babyai_line *line, int navigations) {
    if (line->max_steps) return line->max_steps;
    return navigations * line->side * line->side * line->rows * line->columns;
}

/* A single needs at most two navigations: to a thing, and to where it is put. */
static int most_steps(const sb_mg_level *level) {
    const sb_babyai_line *line = (const sb_babyai_line *)level;
    return step_limit(line, line->compound ? 4 * 2 : 2);
}

/* Rooms share walls. */
static sb_xy size(const sb_mg_level *level) {
    const sb_babyai_line *line = (const sb_babyai_line *)level;
    return sb_at((line->side - 1) * line->columns + 1, (line->side - 1) * line->rows + 1);
}

/* Puts an object into the agent's hand. The published code does this last, so the object keeps remembering its cell. */
static void take_in_hand(sb_mg_world *w, int id) {
    sb_mg_remove(w, id);
    w->carried = (uint8_t)id;
}

static bool generate(const sb_mg_level *level, uint64_t seed, sb_mg_world *w, sb_mg_birth *birth, sb_error *error) {
    /* The published generator has no limit. The hardest level needs 18 attempts on average, and none of 2000 seeds
     * needed 200. */
    enum { ATTEMPTS = 100000 };
    sb_builder b = {.line = (const sb_babyai_line *)level, .world = w, .locked_room = {-1, -1}};
    sb_rng_seed(&b.rng, seed, NULL);
    int rejected = 0;
    while (!attempt(&b))
        if (++rejected == ATTEMPTS)
            return sb_fail(error, SB_INVALID, "%s: no valid world in %d attempts with this seed; use another seed",
                           level->info.name, ATTEMPTS);
    if (!sb_mg_begin_tracking(w, error)) return false;
    w->max_steps = step_limit(b.line, sb_mg_navigations(&w->mission));
    if (b.in_hand) take_in_hand(w, b.in_hand);
    if (birth) *birth = (sb_mg_birth){rejected, b.rng};
    return true;
}
