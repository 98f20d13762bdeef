/* The true rules of a world behind the protocol of candidates: z is the frame, h the state (docs/world-models.md). It
 * is the upper end of the scale: its predictions are right, but for draws after a state that nobody has shown. */
#ifndef SB_EVALUATION_MODELS_SERVER_H
#define SB_EVALUATION_MODELS_SERVER_H

#include "base/gzip.h"
#include "evaluation/models/candidate.h"

/* The model of an episode. Starts zeroed. */
typedef struct sb_model_server {
    sb_env *env;
    sb_frame_shape shape;
    uint8_t key[32]; /* secret of this process, so that states that come back are known to be those that went out */
    sb_out state;    /* bytes of a state */
    sb_out told;     /* the state as it is told: its bytes, perhaps packed, how they are told, and their mark */
    sb_gzip gzip;
    sb_out text;     /* the h of the state that the environment is in; empty: unknown */
    uint32_t frames; /* frames that the last action before that state has shown */
    sb_out line;     /* the last answer of the transport */
    uint8_t *frame;
} sb_model_server;

/* Makes the model of an episode. A `hello` with the name of another episode turns to that one, if it is of the same
 * family, so that one server does for logs of several seeds. */
bool sb_model_server_open(sb_model_server *server, const sb_catalogue *catalogue, const char *name, sb_error *error);
void sb_model_server_close(sb_model_server *server);

/* Appends the answer to a request of n bytes, with its newline; `{"error": ".."}` if there is something wrong with it.
 */
void sb_model_server_answer(sb_model_server *server, const char *line, size_t n, sb_out *reply);

/* The server as a candidate's transport, in this process; the context is the server. */
sb_model_transport sb_model_server_transport(sb_model_server *server);

#endif
