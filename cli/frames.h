/* Worlds in which an action shows several frames: all of them, one after another, for people. */
#ifndef SB_CLI_FRAMES_H
#define SB_CLI_FRAMES_H

#include "engine/environment.h"

enum { CLI_FRAME_MS = 200 /* as the published toolkit plays them, unless the user says otherwise */ };

/* Shows one frame; the others follow or went before. */
typedef bool (*cli_frame_show)(void *context, const sb_env *env, sb_error *error);

int32_t cli_n_frames(const sb_env *env);
/* Shows all frames of the last action but the last one, which is what `env` shows anyway. */
bool cli_frames_before_last(const sb_env *env, cli_frame_show show, void *context, sb_error *error);

#endif
