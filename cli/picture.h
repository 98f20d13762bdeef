/* Shows episodes to people: pictures, and lines about steps. */
#ifndef SB_CLI_PICTURE_H
#define SB_CLI_PICTURE_H

#include "cli/display.h"
#include "cli/terminal.h"
#include "oracles/oracle.h"
#include "rollout/judging.h"

/* Puts a line about the step that led to `env`: `  12  move_up     fetch the gold key at (3,4)  -> success`. The intent
 * may be NULL. */
void cli_put_step(sb_out *out, const sb_env *env, sb_action action, const sb_result *result, const sb_intent *intent);

/* Returns `success`, `failure`, `fault` or `not finished`; or `ended` if the task is judged by a score or not at all,
 * so that an end without success is no failure. */
const char *cli_outcome(sb_criterion criterion, const sb_status *status);

/* Puts how the episode stands, as `, score 1.5, level 2 of 3`, or the parts of that which apply. */
void cli_put_standing(sb_out *out, sb_criterion criterion, const sb_status *status);

/* Puts the episode's fault, as `fault: the cell at (3,2) is broken`; nothing without a fault. */
void cli_put_fault(sb_out *out, const sb_env *env);

/* Puts what the episode is about: the task's summary, or of which kind a challenge is. */
void cli_put_purpose(sb_out *out, const sb_env *env);

/* Puts two lines with the name, the step and the last action. The result is NULL before the first step; the intent may
 * be NULL. */
void cli_put_heading(sb_out *out, const sb_env *env, sb_action action, const sb_result *result,
                     const sb_intent *intent);

/* The parts of a screen for what cli_put_shown put last into `shown`, which held nothing before: what is above the
 * picture or the cells, the picture or cells themselves, and what is below. Ranks are as in cli_part. */
enum { CLI_SHOWN_PARTS = 3 };
void cli_divide_shown(const cli_display *display, const sb_out *shown, int rank_of_legend,
                      cli_part parts[CLI_SHOWN_PARTS]);

/* Replaces what is on the screen by the heading and what the environment shows, for so many milliseconds; where the
 * last action showed several frames, by all of them. */
bool cli_watch(const sb_env *env, sb_action action, const sb_result *result, const sb_intent *intent,
               cli_display *display, uint64_t delay, sb_error *error);

void cli_pause(uint64_t milliseconds);

#endif
