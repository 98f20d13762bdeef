/* Explanations are true. Every explanation that an oracle gives belongs to a template below, which says what must be so
 * in the state in which it is given, and what must have happened when the oracle turns to its next aim. An explanation
 * without a template fails. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gridworld/episode.h"
#include "engine/lookup.h"
#include "engine/minigrid/tracking.h"
#include "generators/agentick/generalization/few_shot_adaptation.h"
#include "generators/agentick/memory/sequence_memory.h"
#include "generators/agentick/memory/treasure_hunt.h"
#include "generators/agentick/multi_agent/chase_evade.h"
#include "generators/agentick/multi_agent/emergent_strategy.h"
#include "generators/agentick/navigation/curiosity_maze.h"
#include "generators/agentick/navigation/timing_challenge.h"
#include "generators/agentick/planning/recipe_assembly.h"
#include "generators/agentick/planning/resource_management.h"
#include "generators/agentick/reasoning/graph_coloring.h"
#include "generators/agentick/reasoning/rule_induction.h"
#include "generators/agentick/reasoning/symbol_matching.h"
#include "oracles/copies.h"
#include "oracles/player.h"
#include "rollout/selection.h"

static bool is_nightly(void) { return getenv("SEEDBED_NIGHTLY"); }

/* A state in which an oracle explains its action. */
typedef struct moment {
    const sb_env *env;
    const sb_episode *e;     /* NULL without a grid of this family */
    const sb_episode *shown; /* to an observer; the episode itself otherwise */
    const sb_mg_world *w;    /* NULL unless the family is babyai */
    const char *agent;
    const sb_intent *intent;
    const char *noun; /* the last word of the object */
    sb_action action;
} moment;

/* What must have happened when another aim follows, if only the oracle acted: the agent is there; it has interacted
 * with what is there; anything, because others move or draws decide. */
typedef enum ending { CHANGES, ARRIVES, TOUCHES } ending;

typedef struct template {
    const char *task, *verb, *object; /* task NULL: of the whole family. In an object, `~` is any one word. */
    bool (*is_true)(const moment *m);
    ending ends;
}
template;

/* ---- What must be so ---- */

static const sb_cell *named_cell(const moment *m) { return sb_peek(m->e, m->intent->at); }

static bool has_place(const moment *m) { return m->intent->at.x >= 0 && sb_inside(m->e, m->intent->at); }

static bool waits(const moment *m) { return m->action == SB_NOOP; }

static bool holds(const moment *m, sb_object object) { return has_place(m) && named_cell(m)->object == (int)object; }

/* The cell holds what the last word says, in the colour that the first word says. */
static bool holds_it(const moment *m) {
    sb_object object;
    const char *space = strchr(m->intent->object, ' ');
    if (!sb_object_code(m->noun, &object) || !holds(m, object)) return false;
    if (object == SB_DOOR && !sb_door_is_closed(named_cell(m))) return false;
    if (!space) return true;
    const char *color = sb_color_names[named_cell(m)->metadata];
    return strlen(color) == (size_t)(space - m->intent->object) &&
           strncmp(color, m->intent->object, strlen(color)) == 0;
}

static bool is_goal(const moment *m) { return holds(m, SB_GOAL); }
static bool is_npc(const moment *m) { return holds(m, SB_NPC) || holds(m, SB_ENEMY); }
static bool is_resource(const moment *m) { return holds(m, SB_RESOURCE); }

/* No other mover is nearer. */
static bool is_nearest(const moment *m) {
    const int distance = sb_manhattan(m->e->agent.at, m->intent->at);
    for (int i = 0; i < sb_n_cells(m->shown); i++) {
        const int object = m->shown->cells[i].object;
        const bool moves = object == SB_NPC || object == SB_ENEMY || object == SB_BLOCKER;
        if (moves && sb_manhattan(m->e->agent.at, sb_xy_of(m->e, i)) < distance) return false;
    }
    return true;
}

static bool waits_for_nearest(const moment *m) { return waits(m) && is_npc(m) && is_nearest(m); }
static bool waits_for_obstacle(const moment *m) { return waits(m) && has_place(m) && is_nearest(m); }
static bool waits_for_npc(const moment *m) { return waits(m) && is_npc(m); }

static bool is_pursuer(const moment *m) {
    static const char *const names[] = {
        [SB_CHASER] = "chaser", [SB_AMBUSHER] = "ambusher", [SB_FLANKER] = "flanker", [SB_TRAPPER] = "trapper"};
    return has_place(m) && is_nearest(m) && strcmp(names[named_cell(m)->metadata], m->noun) == 0;
}

static bool is_unvisited(const moment *m) {
    const sb_curiosity_maze_vars *v = SB_VARS(m->e);
    return has_place(m) && sb_walkable(m->e, m->intent->at) && !sb_area_has(&v->visited, m->intent->at);
}

static bool is_kind_of_stage(const moment *m) {
    static const char *const names[] = {"follower", "fearful NPC", "contrarian", "mirror"};
    const sb_emergent_strategy_vars *v = SB_VARS(m->e);
    return is_npc(m) && sb_same(v->npc, m->intent->at) && strcmp(names[v->n_open], m->intent->object) == 0;
}

static bool waits_for_kind_of_stage(const moment *m) { return waits(m) && is_kind_of_stage(m); }

static bool is_before_test(const moment *m) { return has_place(m) && sb_few_shot_until_test(m->e) > 0; }

static bool waits_for_test(const moment *m) {
    return is_before_test(m) && waits(m) && sb_same(m->e->agent.at, m->intent->at);
}

/* From the cell, something can be seen that was not seen before. */
static bool is_near_fog(const moment *m) {
    enum { SIGHT = 3 };
    for (int i = 0; i < sb_n_cells(m->shown); i++) {
        const sb_xy at = sb_xy_of(m->shown, i);
        if (m->shown->cells[i].metadata == -1 && abs(at.x - m->intent->at.x) <= SIGHT &&
            abs(at.y - m->intent->at.y) <= SIGHT)
            return has_place(m);
    }
    return false;
}

static bool is_node(const moment *m) {
    const sb_graph_coloring_vars *v = SB_VARS(m->e);
    for (int i = 0; i < v->n_nodes; i++)
        if (sb_same(v->node[i], m->intent->at)) return true;
    return false;
}

static bool is_light(const moment *m) { return holds(m, SB_SWITCH); }

static bool is_beside_light(const moment *m) {
    bool found = false;
    for (sb_direction d = SB_NORTH; d < SB_NOWHERE; d++)
        found |= sb_peek(m->e, sb_beside(m->intent->at, d))->object == SB_SWITCH;
    return has_place(m) && !is_light(m) && found;
}

static bool carries_key(const moment *m) { return holds_it(m) && m->e->agent.n_items == 1; }

static bool is_ghost(const moment *m) {
    return waits(m) && holds(m, SB_LEVER) && sb_manhattan(m->intent->at, m->e->agent.at) == 1;
}

static bool can_deliver(const moment *m) {
    const sb_recipe_assembly_vars *v = SB_VARS(m->e);
    const char *due = sb_object_name((sb_object)v->recipe[v->step]);
    return sb_same(v->station, m->intent->at) && strcmp(due, m->noun) == 0 &&
           sb_carries(m->e, SB_ITEM_INGREDIENT, v->recipe[v->step]) >= 0;
}

static bool all_full(const moment *m) {
    const sb_resource_management_vars *v = SB_VARS(m->e);
    bool full = true;
    for (int i = 0; i < v->n_stations; i++) full &= v->level[i] == SB_RESOURCE_MANAGEMENT_FULL;
    return full && waits(m);
}

/* ---- RuleInduction: observers only guess what a combination makes ---- */

static int held(const moment *m) { return m->e->agent.n_items ? m->e->items[0].value : SB_NONE; }

static int makes(const moment *m) { return sb_rule_induction_makes(SB_VARS(m->e), held(m), named_cell(m)->object); }

static bool knows_rules(const moment *m) { return strcmp(m->agent, "expert") == 0; }
static bool is_for_empty_hand(const moment *m) { return holds_it(m) && held(m) == SB_NONE; }
static bool combines(const moment *m) {
    return holds_it(m) && held(m) != SB_NONE && (!knows_rules(m) || makes(m) != SB_NONE);
}
static bool discards(const moment *m) {
    const char *in_hand = sb_object_name((sb_object)held(m));
    return held(m) != SB_NONE && named_cell(m)->object != SB_NONE && strcmp(in_hand, m->noun) == 0 &&
           (!knows_rules(m) || makes(m) == SB_NONE);
}
static bool is_wanted(const moment *m) {
    const sb_rule_induction_vars *v = SB_VARS(m->e);
    return holds_it(m) && v->crafted && named_cell(m)->object == v->target;
}
static bool is_not_last_trial(const moment *m) {
    const sb_rule_induction_vars *v = SB_VARS(m->e);
    return has_place(m) && v->trial + 1 < SB_RULE_INDUCTION_TRIALS;
}

/* ---- SequenceMemory ---- */

static bool is_next_target(const moment *m) {
    static const char *const names[] = {"first", "second", "third", "fourth", "fifth", "sixth"};
    const sb_sequence_memory_vars *v = SB_VARS(m->e);
    const char *name = names[v->progress];
    return sb_same(v->target[v->progress], m->intent->at) && strncmp(name, m->intent->object, strlen(name)) == 0;
}
static bool waits_for_show(const moment *m) { return waits(m) && sb_sequence_memory_left(m->e) > 0; }

/* ---- SymbolMatching ---- */

static bool lies(const moment *m) { return holds_it(m) && !sb_symbol_matching_is_target(m->e, m->intent->at); }
static bool has_in_hand(const moment *m) {
    const sb_symbol_matching_vars *v = SB_VARS(m->e);
    return v->carrying != SB_NONE && strcmp(sb_object_name((sb_object)v->carrying), m->noun) == 0;
}
static bool can_match(const moment *m) {
    return holds_it(m) && has_in_hand(m) && sb_symbol_matching_is_target(m->e, m->intent->at);
}

/* ---- Others ---- */

static bool is_marked(const moment *m) {
    return holds(m, SB_BOX) && sb_box_number(named_cell(m)->metadata) == atoi(m->noun) &&
           sb_manhattan(m->intent->at, m->e->agent.at) == 1;
}

static bool is_gap(const moment *m) {
    const sb_timing_challenge_vars *v = SB_VARS(m->e);
    bool found = false;
    for (int g = 0; g < v->n_gaps; g++) found |= m->intent->at.x == v->gap[g];
    return found && m->intent->at.y == v->row && m->e->agent.at.y <= v->row;
}
static bool waits_for_gap(const moment *m) { return waits(m) && is_gap(m); }

static bool is_hidden_treasure(const moment *m) {
    const sb_treasure_hunt_vars *v = SB_VARS(m->e);
    for (int i = 0; i < v->n_treasures; i++)
        if (sb_same(v->treasure[i], m->intent->at)) return named_cell(m)->object != SB_GOAL;
    return false;
}
static bool may_hide_treasure(const moment *m) {
    return has_place(m) && sb_walkable(m->e, m->intent->at) && named_cell(m)->object != SB_GOAL;
}

/* ---- Giving up ---- */

static sb_copies copies;

/* A search that knows nothing of the task finds no solution either. */
static bool is_not_solved(const moment *m) {
    sb_error error;
    sb_verdict verdict;
    sb_budget budget = {.limit = 3000};
    assert_ok(sb_copies_search(&copies, m->env, &budget, &verdict, &error), error);
    return verdict != SB_SOLVED && m->intent->at.x < 0;
}

static bool has_no_goal(const moment *m) {
    for (int i = 0; i < sb_n_cells(m->shown); i++)
        if (m->shown->cells[i].object == SB_GOAL) return false;
    return true;
}

static bool has_lost_item(const moment *m) {
    const sb_symbol_matching_vars *v = SB_VARS(m->e);
    for (int i = 0; i < v->n_pairs; i++)
        if (sb_peek(m->e, v->target[i])->object != SB_NONE && sb_peek(m->e, v->item[i])->object == SB_NONE &&
            v->carrying != v->kind[i])
            return true;
    return false;
}

static bool is_blocked(const sb_episode *e, sb_xy at, uint32_t things) {
    return sb_peek(e, at)->terrain != SB_EMPTY || things >> sb_peek(e, at)->object & 1;
}

static bool is_stuck(const sb_episode *e, sb_xy at, uint32_t things) {
    bool stuck = false;
    for (int dx = -1; dx <= 1; dx += 2)
        for (int dy = -1; dy <= 1; dy += 2)
            stuck |= is_blocked(e, sb_at(at.x + dx, at.y), things) && is_blocked(e, sb_at(at.x, at.y + dy), things) &&
                     is_blocked(e, sb_at(at.x + dx, at.y + dy), things);
    return stuck;
}

/* Things in their goals count as well, so at least as many must be stuck as the explanation says. */
static bool are_stuck(const moment *m, uint32_t things) {
    const char *object = m->intent->object;
    const int said = strncmp(object, "a ", 2) == 0 ? 1 : strncmp(object, "both ", 5) == 0 ? 2 : atoi(object);
    int n = 0;
    for (int i = 0; i < sb_n_cells(m->e); i++)
        n += things >> m->e->cells[i].object & 1 && is_stuck(m->e, sb_xy_of(m->e, i), things);
    return said > 0 && n >= said && is_not_solved(m);
}
static bool boxes_are_stuck(const moment *m) { return are_stuck(m, 1u << SB_BOX); }
static bool pieces_are_stuck(const moment *m) {
    return are_stuck(m, 1u << SB_BOX | 1u << SB_GEM | 1u << SB_ORB | 1u << SB_SCROLL);
}

static bool nothing_more(const moment *m) { return m->intent->at.x < 0; }

static const template templates[] = {
    {NULL, "go to", "goal", is_goal, ARRIVES},
    {NULL, "fetch", "~ key", holds_it, ARRIVES},
    {NULL, "unlock", "~ door", holds_it, TOUCHES},
    {NULL, "give up", "no solution is left", is_not_solved, CHANGES},
    {NULL, "give up", "no solution was found", nothing_more, CHANGES},
    {NULL, "give up", "the goal is gone", has_no_goal, CHANGES},
    {"BacktrackPuzzle-v0", "activate", "switch", holds_it, TOUCHES},
    {"ChaseEvade-v0", "evade", "~", is_pursuer, CHANGES},
    {"ChaseEvade-v0", "give up", "no escape is left", is_not_solved, CHANGES},
    {"CooperativeTransport-v0", "push", "box", holds_it, CHANGES},
    {"CooperativeTransport-v0", "wait for", "helper", waits_for_npc, CHANGES},
    {"CooperativeTransport-v0", "give up", "a box is lost", is_not_solved, CHANGES},
    {"CuriosityMaze-v0", "explore", "new cell", is_unvisited, ARRIVES},
    {"DistributionShift-v0", "collect", "gem", holds_it, ARRIVES},
    {"DistributionShift-v0", "fetch", "key", holds_it, ARRIVES},
    {"DistributionShift-v0", "pull", "lever", holds_it, TOUCHES},
    {"DistributionShift-v0", "unlock", "door", holds_it, TOUCHES},
    {"DynamicObstacles-v0", "wait for", "obstacle", waits_for_obstacle, CHANGES},
    {"EmergentStrategy-v0", "chase", "fearful NPC", is_kind_of_stage, CHANGES},
    {"EmergentStrategy-v0", "guide", "mirror", is_kind_of_stage, CHANGES},
    {"EmergentStrategy-v0", "lead", "follower", is_kind_of_stage, CHANGES},
    {"EmergentStrategy-v0", "steer", "contrarian", is_kind_of_stage, CHANGES},
    {"EmergentStrategy-v0", "wait for", "~", waits_for_kind_of_stage, CHANGES},
    {"EmergentStrategy-v0", "wait for", "fearful NPC", waits_for_kind_of_stage, CHANGES},
    {"EmergentStrategy-v0", "give up", "an NPC is lost", is_not_solved, CHANGES},
    {"FewShotAdaptation-v0", "go to", "~", holds_it, ARRIVES},
    {"FewShotAdaptation-v0", "go to", "starting place", is_before_test, CHANGES},
    {"FewShotAdaptation-v0", "wait for", "test", waits_for_test, CHANGES},
    {"FewShotAdaptation-v0", "watch", "demonstration", is_before_test, CHANGES},
    {"FewShotAdaptation-v0", "give up", "no way to the candidate", is_not_solved, CHANGES},
    {"FogOfWarExploration-v0", "explore", "fog", is_near_fog, CHANGES},
    {"FogOfWarExploration-v0", "wait for", "guard", waits_for_nearest, CHANGES},
    {"FogOfWarExploration-v0", "give up", "no goal is left to find", has_no_goal, CHANGES},
    {"GoToGoal-v0", "wait for", "guard", waits_for_nearest, CHANGES},
    {"GraphColoring-v0", "colour", "node", is_node, TOUCHES},
    {"Herding-v0", "herd", "sheep", holds_it, CHANGES},
    {"Herding-v0", "give up", "a sheep has no place", is_not_solved, CHANGES},
    {"InstructionFollowing-v0", "go to", "~", holds_it, ARRIVES},
    {"KeyDoorPuzzle-v0", "swap the key for", "~ key", carries_key, ARRIVES},
    {"LightsOut-v0", "toggle", "light", is_light, ARRIVES},
    {"LightsOut-v0", "toggle", "cross of lights", is_beside_light, ARRIVES},
    {"NoisyObservation-v0", "wait for", "ghost", is_ghost, CHANGES},
    {"NoisyObservation-v0", "wait for", "guard", waits_for_nearest, CHANGES},
    {"PackingPuzzle-v0", "push", "~", holds_it, ARRIVES},
    {"PackingPuzzle-v0", "give up", "a piece is stuck", pieces_are_stuck, CHANGES},
    {"PackingPuzzle-v0", "give up", "both pieces are stuck", pieces_are_stuck, CHANGES},
    {"PackingPuzzle-v0", "give up", "~ pieces are stuck", pieces_are_stuck, CHANGES},
    {"PreciseNavigation-v0", "push", "box", holds_it, CHANGES},
    {"PreciseNavigation-v0", "give up", "a box erased the goal", has_no_goal, CHANGES},
    {"ProgramSynthesis-v0", "push", "gem", holds_it, ARRIVES},
    {"ProgramSynthesis-v0", "wait for", "end of the episode", waits, CHANGES},
    {"RecipeAssembly-v0", "deliver", "~", can_deliver, ARRIVES},
    {"RecipeAssembly-v0", "fetch", "~", holds_it, ARRIVES},
    {"ResourceManagement-v0", "recharge", "station", is_resource, CHANGES},
    {"ResourceManagement-v0", "wait for", "next drain", all_full, CHANGES},
    {"RuleInduction-v0", "collect", "~", is_wanted, CHANGES},
    {"RuleInduction-v0", "combine the item with", "~", combines, CHANGES},
    {"RuleInduction-v0", "fetch", "~", is_for_empty_hand, CHANGES},
    {"RuleInduction-v0", "get rid of", "~", discards, CHANGES},
    {"RuleInduction-v0", "wait for", "next trial", is_not_last_trial, CHANGES},
    {"RuleInduction-v0", "give up", "no trial can be won", is_not_solved, CHANGES},
    {"RuleInduction-v0", "give up", "no solution is known", nothing_more, CHANGES},
    {"SequenceMemory-v0", "go to", "~ target", is_next_target, ARRIVES},
    {"SequenceMemory-v0", "wait for", "end of the show", waits_for_show, CHANGES},
    {"ShortestPath-v0", "collect", "goal", is_goal, ARRIVES},
    {"SokobanPush-v0", "push", "box", holds_it, ARRIVES},
    {"SokobanPush-v0", "give up", "a box is stuck", boxes_are_stuck, CHANGES},
    {"SokobanPush-v0", "give up", "both boxes are stuck", boxes_are_stuck, CHANGES},
    {"SokobanPush-v0", "give up", "~ boxes are stuck", boxes_are_stuck, CHANGES},
    {"SwitchCircuit-v0", "turn on", "switch", holds_it, TOUCHES},
    {"SymbolMatching-v0", "deliver", "~", can_match, ARRIVES},
    {"SymbolMatching-v0", "fetch", "~", lies, ARRIVES},
    {"SymbolMatching-v0", "get rid of", "~", has_in_hand, ARRIVES},
    {"SymbolMatching-v0", "give up", "a target's item is lost", has_lost_item, CHANGES},
    {"TagHunt-v0", "hunt", "enemy", is_npc, CHANGES},
    {"TagHunt-v0", "press", "switch", holds_it, CHANGES},
    {"TagHunt-v0", "wait for", "enemy", waits_for_npc, CHANGES},
    {"TaskInterference-v0", "chase", "~", holds_it, CHANGES},
    {"TaskInterference-v0", "fetch", "~", holds_it, CHANGES},
    {"TileSorting-v0", "slide", "tile marked ~", is_marked, ARRIVES},
    {"TimingChallenge-v0", "go through", "gap", is_gap, CHANGES},
    {"TimingChallenge-v0", "wait for", "gap", waits_for_gap, CHANGES},
    {"TimingChallenge-v0", "give up", "no way to the goal", is_not_solved, CHANGES},
    {"ToolUse-v0", "fetch", "~", holds_it, ARRIVES},
    {"TreasureHunt-v0", "go to", "treasure", is_hidden_treasure, ARRIVES},
    {"TreasureHunt-v0", "look for", "treasure", may_hide_treasure, CHANGES},
};
enum { N_TEMPLATES = sizeof templates / sizeof *templates };

/* ---- BabyAI ---- */

/* The words say the type, or `object` for any, and before it the colour, or none for any. */
static bool is_called(const sb_mg_object *o, const moment *m) {
    char name[48];
    if (!o) return false;
    const char *type = strcmp(m->noun, "object") == 0 ? m->noun : sb_mg_type_names[o->type];
    snprintf(name, sizeof name, "%s %s", sb_mg_colour_names[o->colour], type);
    return strcmp(name, m->intent->object) == 0 || strcmp(type, m->intent->object) == 0;
}

/* No place is named where any of several things may be meant, and by an observer that does not know where it is. */
static bool is_somewhere(const moment *m) {
    return m->intent->at.x < 0 ? strcmp(m->agent, "expert") != 0 : sb_mg_inside(m->w, m->intent->at);
}

static bool is_thing(const moment *m) {
    bool any = false;
    for (int id = 1; id <= m->w->n_objects; id++) any |= is_called(&m->w->objects[id], m);
    return is_somewhere(m) && (m->intent->at.x < 0 ? any : is_called(sb_mg_object_at(m->w, m->intent->at), m));
}

static bool is_open(const moment *m) { return sb_mg_object_at(m->w, m->intent->at)->open; }
static bool can_be_opened(const moment *m) { return is_thing(m) && (m->intent->at.x < 0 || !is_open(m)); }
static bool can_be_closed(const moment *m) { return is_thing(m) && (m->intent->at.x < 0 || is_open(m)); }
static bool is_carried(const moment *m) { return is_somewhere(m) && is_called(sb_mg_carrying(m->w), m); }
static const template babyai_templates[] = {
    {NULL, "go to", "cell", is_somewhere, CHANGES}, /* bots also go towards cells that they have not seen */
    {NULL, "go to", "~", is_thing, CHANGES},
    {NULL, "go to", "~ ~", is_thing, CHANGES},
    {NULL, "pick up", "~ ~", is_thing, CHANGES},
    {NULL, "open", "~ ~", can_be_opened, CHANGES},
    {NULL, "close", "~ ~", can_be_closed, CHANGES},
    {NULL, "drop", "~ ~", is_carried, CHANGES},
    {NULL, "explore", "unseen cells", is_somewhere, CHANGES},
    {NULL, "give up", "no solution is left", is_not_solved, CHANGES},
    {NULL, "give up", "no solution was found", nothing_more, CHANGES},
    {NULL, "give up", "no way on is known", nothing_more, CHANGES},
    {NULL, "give up", "a subgoal is impossible", nothing_more, CHANGES},
    {NULL, "give up", "all was explored", nothing_more, CHANGES},
    {NULL, "give up", "the plan never ends", nothing_more, CHANGES},
    {NULL, "wait for", "end of the episode", nothing_more, CHANGES},
};
enum { N_BABYAI = sizeof babyai_templates / sizeof *babyai_templates };

/* ---- Finding the template ---- */

/* Tells whether a text fits a pattern, in which `~` stands for one word. */
static bool fits(const char *pattern, const char *text) {
    for (; *pattern; pattern++) {
        if (*pattern != '~') {
            if (*pattern != *text++) return false;
            continue;
        }
        if (!*text || *text == ' ') return false;
        while (*text && *text != ' ') text++;
    }
    return !*text;
}

/* The templates of a family, and how often each was met. */
typedef struct family {
    const char *name;
    const template *all;
    int n;
    size_t met[N_TEMPLATES + N_BABYAI];
} family;

static family agentick = {.name = "agentick", .all = templates, .n = N_TEMPLATES},
              babyai = {.name = "babyai", .all = babyai_templates, .n = N_BABYAI};

static const template *template_of(const family *f, const char *task, const sb_intent *intent) {
    for (int i = 0; i < f->n; i++) {
        const template *t = &f->all[i];
        if ((t->task && strcmp(t->task, task) != 0) || strcmp(t->verb, intent->verb) != 0) continue;
        if (fits(t->object, intent->object)) return t;
    }
    return NULL;
}

static const char *last_word(const char *text) {
    const char *space = strrchr(text, ' ');
    return space ? space + 1 : text;
}

/* ---- Playing ---- */

/* The aim of the step before, if it was the oracle's own. */
typedef struct aim {
    const template *is; /* NULL: none */
    sb_intent intent;
} aim;

static bool is_reached(const aim *aim, const sb_episode *e, sb_action action) {
    const sb_xy at = aim->intent.at;
    if (aim->is->ends == ARRIVES) return sb_same(e->agent.at, at);
    return action == SB_INTERACT && sb_same(sb_beside(e->agent.at, (sb_direction)e->agent.facing), at);
}

static void complain(const char *what, const char *agent, const sb_env *env, const sb_intent *intent) {
    char name[SB_NAME_MAX];
    sb_name_print(&env->name, name, sizeof name);
    fail_msg("%s, %s, step %d: %s: %s the %s at (%d,%d)", name, agent, env->status.steps, what, intent->verb,
             intent->object, intent->at.x, intent->at.y);
}

static void check_truth(family *f, sb_player *player, const sb_env *env, sb_action action, const template *is) {
    const sb_episode *e = sb_episode_of(env);
    const bool observes = player->oracle->sees == SB_SEES_OBSERVATIONS;
    const moment m = {.env = env,
                      .e = e,
                      .w = f == &babyai ? sb_mg_world_of(env) : NULL,
                      .shown = observes ? sb_episode_of(player->shown) : e,
                      .agent = player->agent,
                      .intent = &player->intent,
                      .noun = last_word(player->intent.object),
                      .action = action};
    if (!is) complain("no template", player->agent, env, &player->intent);
    f->met[is - f->all]++;
    if (!is->is_true(&m)) complain("not true", player->agent, env, &player->intent);
}

static bool is_same(const sb_intent *a, const sb_intent *b) {
    return a->verb == b->verb && strcmp(a->object, b->object) == 0 && sb_same(a->at, b->at);
}

/* Checks the aim of the step before, after an action of the oracle that another aim or the end has followed. Waiting
 * only interrupts. */
static void check_end(const aim *aim, const sb_player *player, const sb_env *env, sb_action taken) {
    if (aim->is && aim->is->ends != CHANGES && !is_reached(aim, sb_episode_of(env), taken))
        complain("left before it was reached", player->agent, env, &aim->intent);
}

/* Plays an episode. A reason to give up is checked once, as long as it stays the same. */
static void play(family *f, sb_player *player, const char *agent, sb_env *env, double noise) {
    sb_error error;
    sb_rng rng = sb_draws_of(&env->name, "explanations");
    sb_action action = SB_NOOP;
    aim before = {.is = NULL};
    bool strays = false;
    assert_ok(sb_player_begin_as(player, agent, env, &error), error);
    while (!env->status.done) {
        sb_result result;
        const sb_action taken = action;
        action = sb_player_act(player, env);
        if (!player->intent.verb) complain("no reason", agent, env, &(sb_intent){.verb = ""});
        const bool goes_on = before.is && is_same(&before.intent, &player->intent);
        const bool waits = strcmp(player->intent.verb, "wait for") == 0;
        if (!goes_on && !waits && !strays) check_end(&before, player, env, taken);
        const template *is = template_of(f, env->name.task, &player->intent);
        if (!goes_on || strcmp(player->intent.verb, "give up") != 0) check_truth(f, player, env, action, is);
        before = (aim){.is = is, .intent = player->intent};
        strays = sb_random(&rng) < noise;
        if (strays) action = sb_random_action(env, &rng);
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    if (env->status.success && !strays) check_end(&before, player, env, action);
}

/* Lets an agent play these episodes of the family, all tasks if `tasks` is NULL. */
static void check(family *f, const char *agent, const char *tasks, const char *seeds, double noise) {
    sb_error error;
    sb_selection selection;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(sb_select(&(sb_request){.family = f->name, .tasks = tasks, .seeds = seeds}, &selection, &error), error);
    for (size_t i = 0; i < selection.n; i++) {
        assert_ok(sb_reset_name(env, sb_selection_name(&selection, i, &(sb_name){0}), &error), error);
        play(f, &player, agent, env, noise);
    }
    sb_selection_free(&selection);
    sb_player_clear(&player);
    sb_free(env);
}

typedef struct course {
    const char *seeds;
    double noise; /* how often another action is taken; much noise leads to what is lost */
} course;

static void each_agentick(const course *courses, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (int k = SB_SEES_OBSERVATIONS; k <= SB_SEES_STATE; k++)
            check(&agentick, sb_oracle_names[k], NULL, courses[i].seeds, courses[i].noise);
}

static void explanations_of_agentick_are_true(void **state) {
    static const course by_day[] = {{"0", 0}, {"1", 0.2}, {"2", 0.5}};
    static const course at_night[] = {{"0..24", 0}, {"0..24", 0.1}, {"0..24", 0.3}, {"0..24", 0.6}, {"0..9", 0.9}};
    (void)state;
    if (is_nightly())
        each_agentick(at_night, sizeof at_night / sizeof *at_night);
    else
        each_agentick(by_day, TESTS_ARE_SLOW ? 1 : sizeof by_day / sizeof *by_day);
}

/* Without noise: BabyAI's policies remember what they have done themselves. */
static void explanations_of_babyai_are_true(void **state) {
    static const char *const agents[] = {"expert", "observer", "published", "omnibot"};
    (void)state;
    for (int i = 0; i < 4; i++) check(&babyai, agents[i], NULL, is_nightly() ? "0..9" : "0", 0);
}

/* An explanation reads as `VERB the OBJECT`, or as `give up: CLAUSE`. */
static void check_phrase(const char *agent, const sb_env *env, const sb_intent *intent) {
    const bool is_whole = intent->verb && *intent->verb && *intent->object;
    if (!is_whole || strstr(intent->object, "nothing") || (intent->at.x < 0) != (intent->at.y < 0))
        complain("not a phrase", agent, env, intent);
}

static void check_phrases(const char *agent, const sb_name *name) {
    enum { STEPS = 6 };
    sb_error error;
    sb_player player = {0};
    sb_env *env = sb_make(NULL, NULL, &error);
    assert_ok(sb_reset_name(env, name, &error), error);
    assert_ok(sb_player_begin_as(&player, agent, env, &error), error);
    for (int i = 0; i < STEPS && !env->status.done; i++) {
        sb_result result;
        const sb_action action = sb_player_act(&player, env);
        check_phrase(agent, env, &player.intent);
        assert_ok(sb_step(env, action, &result, &error), error);
    }
    sb_player_clear(&player);
    sb_free(env);
}

/* The clairvoyant plans too long, and has three explanations (clairvoyant_test.c). */
static void explanations_of_every_family_are_phrases(void **state) {
    (void)state;
    sb_error error;
    sb_selection selection;
    const char *agents[SB_ORACLES_MAX];
    for (const sb_family *const *f = sb_families; *f; f++) {
        assert_ok(sb_select(&(sb_request){.family = (*f)->name, .seeds = "0"}, &selection, &error), error);
        for (size_t i = 0; i<selection.n; i += selection.n> 20 ? selection.n / 20 : 1) {
            const sb_name *name = sb_selection_name(&selection, i, &(sb_name){0});
            const size_t n = sb_oracles_of(name->family, name->task, agents);
            for (size_t k = 0; k < n; k++)
                if (strcmp(agents[k], sb_oracle_names[SB_SEES_FUTURE]) != 0) check_phrases(agents[k], name);
        }
        sb_selection_free(&selection);
    }
}

static int open_copies(void **state) {
    sb_error error;
    (void)state;
    return sb_copies_open(&copies, 1 << 16, &error) ? 0 : -1;
}

static int close_copies(void **state) {
    (void)state;
    sb_copies_close(&copies);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explanations_of_agentick_are_true),
        cmocka_unit_test(explanations_of_babyai_are_true),
        cmocka_unit_test(explanations_of_every_family_are_phrases),
    };
    return cmocka_run_group_tests(tests, open_copies, close_copies);
}
