/* Episodes for the eyes of people: pictures, and lines that tell of steps. */
#ifndef SB_CLI_PICTURE_H
#define SB_CLI_PICTURE_H

#include "base/out.h"
#include "engine/environment.h"
#include "oracles/oracle.h"
#include "rollout/judging.h"

/* The family's first mode, or that one in colours if there is `<name>_color`. */
const sb_mode *cli_picture_mode(const sb_family *family, bool color);

/* `fetch the gold key at (3,4)`; nothing without a verb. */
void cli_put_intent(sb_out *out, const sb_intent *intent);

/* `  12  move_up     fetch the gold key at (3,4)  -> success`: the step that led to `env`. Intent may be NULL. */
void cli_put_step(sb_out *out, const sb_env *env, sb_action action, const sb_result *result, const sb_intent *intent);

/* `success`, `failure`, `fault` or `not finished`; and `ended` where that is no failure, since the task is judged by a
 * score, or not at all. */
const char *cli_outcome(sb_criterion criterion, const sb_status *status);

/* `, score 1.5, level 2 of 3`, as far as it applies. */
void cli_put_standing(sb_out *out, sb_criterion criterion, const sb_status *status);

/* `fault: the cell at (3,2) is broken`; nothing without a fault. */
void cli_put_fault(sb_out *out, const sb_env *env);

/* Two lines: name, step and what was done (result NULL: nothing yet; intent may be NULL). */
void cli_put_heading(sb_out *out, const sb_env *env, sb_action action, const sb_result *result,
                     const sb_intent *intent);

/* The observation of cli_picture_mode. */
void cli_put_observation(sb_out *out, const sb_env *env, bool color);

/* Where in such an observation its legend begins, behind the last empty line; `n` if there is none. */
size_t cli_legend_of(const char *observation, size_t n);

/* Heading and observation in place of what is on the screen. */
void cli_show_picture(const sb_env *env, sb_action action, const sb_result *result, const sb_intent *intent,
                      bool color);

void cli_pause(uint64_t milliseconds);

#endif
