/* What the functions of the module share. */
#ifndef SB_WEB_SESSION_H
#define SB_WEB_SESSION_H

#include "base/out.h"
#include "oracles/claims.h"
#include "oracles/player.h"
#include "seedbed/picture.h"
#include "web/module.h"

/* The agent that was asked last. */
typedef struct sb_web_asked {
    sb_player player;
    bool has_begun;
    /* the episode as far as it was shown to an agent that remembers; NULL: the agent does not */
    sb_env *replay;
    sb_action action;
    /* the steps that had been taken when the agent answered last; -1: it has not */
    int32_t answered;
    sb_costs *costs; /* costs that reasons are made of; NULL: nobody asked for a reason */
    sb_claimer *claimer;
} sb_web_asked;

/* The brush of the last picture. */
typedef struct sb_web_brush {
    sb_brush *brush;
    const sb_look *look;
    sb_brush_options options;
    int32_t width;
} sb_web_brush;

struct sb_web {
    sb_env *env;
    sb_web_standing standing;
    sb_out in, out; /* in: the text that the next function reads, with its NUL */
    sb_error error;
    sb_web_asked asked;
    sb_web_brush brush;
};

/* Makes the error's words the text that comes out, and returns false. */
bool sb_web_failed(sb_web *web);
/* Notes where the episode stands after a step with this result, or after none (all zero). */
void sb_web_stand(sb_web *web, const sb_result *result);
/* Forgets who was asked. */
void sb_web_forget(sb_web *web);
/* Whether there is an episode; if not, that is an error. */
bool sb_web_has_episode(sb_web *web);

#endif
