/* Recipes of levels in which the agent goes to things. */
#include "generators/babyai/levels.h"

void sb_recipe_red_ball(sb_builder *b) {
    sb_place_agent_anywhere(b);
    const int ball = sb_add_object(b, 0, 0, SB_MG_BALL, SB_MG_RED);
    const sb_things others = sb_distract(b, b->line->n);
    if (b->line->grey)
        for (int i = 0; i < others.n; i++) sb_thing(b, others.first + i)->colour = SB_MG_GREY;
    sb_check(b);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, ball));
}

void sb_recipe_go_to_obj(sb_builder *b) {
    sb_place_agent_anywhere(b);
    const sb_things only = sb_add_distractors(b, SB_ANY, SB_ANY, 1, true);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, only.first));
}

void sb_recipe_go_to_local(sb_builder *b) {
    sb_place_agent_anywhere(b);
    const sb_things things = sb_distract(b, b->line->n);
    sb_check(b);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, sb_draw_thing(b, things)));
}

void sb_recipe_go_to(sb_builder *b) {
    sb_place_agent_anywhere(b);
    sb_connect_all(b);
    const sb_things things = sb_distract(b, b->line->n);
    sb_check(b);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, sb_draw_thing(b, things)));
    if (b->line->open) sb_open_all(b);
}

void sb_recipe_red_blue_ball(sb_builder *b) {
    sb_place_agent_anywhere(b);
    const sb_things others = sb_distract(b, b->line->n);
    for (int i = 0; i < others.n; i++) {
        const sb_mg_object *other = sb_thing(b, others.first + i);
        if (other->type == SB_MG_BALL && (other->colour == SB_MG_RED || other->colour == SB_MG_BLUE)) sb_reject(b);
    }
    const sb_mg_colour colour = sb_draw(b, 2) == 0 ? SB_MG_RED : SB_MG_BLUE;
    const int ball = sb_add_object(b, 0, 0, SB_MG_BALL, (int)colour);
    sb_check(b);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, ball));
}

static void add_four_doors(sb_builder *b, int locked) {
    for (int i = 0; i < 4; i++) sb_add_door(b, 1, 1, SB_ANY, SB_ANY, locked);
}

void sb_recipe_go_to_door(sb_builder *b) {
    const sb_things doors = {sb_next_id(b), 4};
    add_four_doors(b, SB_ANY);
    sb_place_agent(b, 1, 1);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, sb_draw_thing(b, doors)));
}

void sb_recipe_go_to_obj_door(sb_builder *b) {
    sb_place_agent(b, 1, 1);
    sb_things things = sb_add_distractors(b, 1, 1, 8, false);
    add_four_doors(b, SB_ANY);
    things.n += 4;
    sb_check(b);
    sb_ask(b, SB_MG_GO_TO, sb_like(b, sb_draw_thing(b, things)));
}

void sb_recipe_action_obj_door(sb_builder *b) {
    sb_things things = sb_add_distractors(b, 1, 1, 5, true);
    add_four_doors(b, SB_UNLOCKED);
    things.n += 4;
    sb_place_agent(b, 1, 1);
    const sb_mg_description thing = sb_like(b, sb_draw_thing(b, things));
    const sb_mg_verb other = thing.type == SB_MG_DOOR ? SB_MG_OPEN : SB_MG_PICK_UP;
    sb_ask(b, sb_draw_bool(b) ? SB_MG_GO_TO : other, thing);
}
