#include "evaluation/models/server.h"

#include <sodium/randombytes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "evaluation/models/members.h"

enum {
    MARK = 16,       /* bytes of the mark behind a state */
    LARGE = 16 << 10 /* states with more bytes are packed, which takes longer than telling a smaller one as it is */
};
enum { PLAIN = 'p', PACKED = 'z' }; /* how a state is told: the byte before its mark */

/* ---- Beginning and ending ---------------------------------------------------------------------------------------- */

static bool turn_to(sb_model_server *s, const char *name, sb_error *error) {
    sb_out_clear(&s->text);
    if (!sb_reset(s->env, name, error)) return false;
    const sb_frame_source *source = s->env->family->frames;
    if (!source || !source->shape(s->env, &s->shape))
        return sb_fail(error, SB_INVALID, "%.60s has no frames, so there is no model of it", name);
    free(s->frame);
    s->frame = malloc(sb_frame_cells(&s->shape));
    return s->frame || sb_fail(error, SB_MEMORY, "out of memory for a frame");
}

bool sb_model_server_open(sb_model_server *s, const sb_catalogue *catalogue, const char *name, sb_error *error) {
    *s = (sb_model_server){.state.grows = true, .told.grows = true, .text.grows = true, .line.grows = true};
    randombytes_buf(s->key, sizeof s->key);
    s->env = sb_make(catalogue, NULL, error);
    if (s->env && turn_to(s, name, error)) return true;
    sb_model_server_close(s);
    return false;
}

void sb_model_server_close(sb_model_server *s) {
    sb_free(s->env);
    sb_out_free(&s->state), sb_out_free(&s->told), sb_out_free(&s->text), sb_out_free(&s->line);
    sb_gzip_free(&s->gzip);
    free(s->frame);
    *s = (sb_model_server){0};
}

/* ---- States ------------------------------------------------------------------------------------------------------ */

static void mark_of(const sb_model_server *s, const char *bytes, size_t n, uint8_t mark[32]) {
    sb_blake2b_keyed(bytes, n, s->key, sizeof s->key, mark);
}

static void put_hex(sb_out *out, const char *bytes, size_t n) {
    static const char digits[] = "0123456789abcdef";
    char *to = sb_out_reserve(out, 2 * n);
    if (!to) {
        out->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        *to++ = digits[(uint8_t)bytes[i] >> 4];
        *to++ = digits[(uint8_t)bytes[i] & 15];
    }
    sb_out_advance(out, 2 * n);
}

static bool no_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a state"); }

/* Packs the state if it is large: some programs have states that would not fit into an h otherwise. */
static bool tell(sb_model_server *s, sb_error *error) {
    const bool packs = s->state.size > LARGE;
    sb_out_clear(&s->told);
    if (packs && !sb_gzip_member(&s->gzip, 1, s->state.data, s->state.size, &s->told, error)) return false;
    if (!packs) sb_put_out(&s->told, &s->state);
    sb_putc(&s->told, packs ? PACKED : PLAIN);
    return sb_out_ok(&s->told) || no_memory(error);
}

/* Writes the state that the environment is in as h. */
static bool save(sb_model_server *s, sb_error *error) {
    uint8_t mark[32];
    sb_out_clear(&s->state), sb_out_clear(&s->text);
    s->env->family->frames->save(s->env, &s->state);
    if (!sb_out_ok(&s->state)) return no_memory(error);
    if (!tell(s, error)) return false;
    mark_of(s, s->told.data, s->told.size, mark);
    sb_put(&s->told, (const char *)mark, MARK);
    put_hex(&s->text, s->told.data, s->told.size);
    return (sb_out_ok(&s->told) && sb_out_ok(&s->text)) || no_memory(error);
}

/* Only what bears our mark is unpacked, and believed to be a state. */
static bool restore(sb_model_server *s, const char *hex, sb_error *error) {
    uint8_t mark[32];
    const size_t all = strlen(hex) / 2;
    sb_out_clear(&s->told), sb_out_clear(&s->state);
    char *bytes = sb_out_reserve(&s->told, all + 1);
    if (!bytes) return no_memory(error);
    if (all <= MARK || !sb_unhex(hex, (uint8_t *)bytes, all) || strlen(hex) != 2 * all)
        return sb_fail(error, SB_INVALID, "key `state` of h is no state");
    size_t n = all - MARK, used;
    mark_of(s, bytes, n, mark);
    if (memcmp(mark, bytes + n, MARK) != 0)
        return sb_fail(error, SB_INVALID, "key `state` of h is no state that this process has told");
    if (bytes[--n] == PLAIN) return s->env->family->frames->restore(s->env, bytes, n, error);
    return sb_gzip_unpack(bytes, n, &used, &s->state, error) &&
           s->env->family->frames->restore(s->env, s->state.data, s->state.size, error);
}

/* Goes to the state that h tells: of the start of the level if it is null. */
static bool go_to(sb_model_server *s, const cJSON *request, int32_t level, sb_error *error) {
    const cJSON *h = cJSON_GetObjectItemCaseSensitive(request, "h");
    const char *state = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(h, "state"));
    double frames = 1;
    if (!h || cJSON_IsNull(h)) {
        sb_out_clear(&s->text);
        s->frames = 1;
        return s->env->family->frames->enter(s->env, level) ||
               sb_fail(error, SB_INVALID, "key `level` of m: there is no level %d", level);
    }
    if (!state || !sb_json_is_whole(cJSON_GetObjectItemCaseSensitive(h, "frames"), 0, INT32_MAX, &frames))
        return sb_fail(error, SB_INVALID, "h should be null, or an object with `state` and `frames`");
    s->frames = (uint32_t)frames;
    const size_t n = strlen(state);
    /* the environment is in that state already */
    if (n && n == s->text.size && memcmp(state, s->text.data, n) == 0) return true;
    sb_out_clear(&s->text);
    if (!restore(s, state, error)) return false;
    sb_put(&s->text, state, n);
    return true;
}

/* ---- Requests ---------------------------------------------------------------------------------------------------- */

static bool read_level(const cJSON *request, int32_t *level, sb_error *error) {
    const cJSON *m;
    uint64_t number;
    if (!sb_json_object(request, "m", &m, error) || !sb_json_uint(m, "level", &number, error)) return false;
    return *level = number > INT32_MAX ? INT32_MAX : (int32_t)number, true;
}

static void put_z(sb_model_server *s, sb_out *out) {
    s->env->family->frames->draw(s->env, s->frame);
    sb_puts(out, "{\"frame\":\""), sb_put_frame(out, &s->shape, s->frame), sb_puts(out, "\"}");
}

static bool answer_hello(sb_model_server *s, const cJSON *request, sb_out *out, sb_error *error) {
    const char *name;
    char now[SB_NAME_MAX];
    sb_name_print(&s->env->name, now, sizeof now);
    if (!sb_json_string(request, "name", &name, error)) return false;
    if (strcmp(name, now) != 0 && !turn_to(s, name, error)) return false;
    sb_puts(out, "\"name\":\"true-rules\",\"version\":\"" SB_VERSION "\",\"learns\":false,\"offers\":[");
    sb_puts(out, "\"encode\",\"render\",\"history\",\"predict\",\"hypotheses\",");
    /* without `clicks`, the usual clicks are tried */
    sb_puts(out, s->env->family->clicks ? "\"clicks\",\"goal\"]" : "\"goal\"]");
    return true;
}

/* The frame itself is z. */
static bool answer_encode(sb_model_server *s, const cJSON *request, sb_out *out, sb_error *error) {
    const char *frame;
    if (!sb_json_string(request, "frame", &frame, error)) return false;
    if (!sb_read_frame(frame, strlen(frame), &s->shape, s->frame))
        return sb_fail(error, SB_INVALID, "key `frame` is no frame");
    sb_putf(out, "\"z\":{\"frame\":\"%s\"}", frame);
    return true;
}

static bool answer_render(const cJSON *request, sb_out *out, sb_error *error) {
    const cJSON *z;
    const char *frame;
    if (!sb_json_object(request, "z", &z, error) || !sb_json_string(z, "frame", &frame, error)) return false;
    sb_puts(out, "\"frame\":"), sb_put_json_string(out, frame);
    return true;
}

/* Steps beyond the limit of an episode are none of a model's business, so the family is asked itself. */
static bool answer_history(sb_model_server *s, const cJSON *request, int32_t level, sb_out *out, sb_error *error) {
    sb_log_action named;
    sb_action action;
    sb_result result = {0};
    sb_frame_standing now;
    if (!go_to(s, request, level, error) ||
        !sb_read_log_action(cJSON_GetObjectItemCaseSensitive(request, "action"), &s->shape, &named, error) ||
        !sb_log_action_in(s->env, &named, &action, error))
        return false;
    s->env->family->step(s->env, action, &result);
    s->env->family->frames->stand(s->env, &now);
    s->frames = result.fault ? 0 : now.n_frames;
    if (!save(s, error)) return false;
    sb_puts(out, "\"h\":{\"state\":\""), sb_put_out(out, &s->text), sb_putf(out, "\",\"frames\":%u}", s->frames);
    return true;
}

static bool answer_predict(sb_model_server *s, const cJSON *request, int32_t level, sb_out *out, sb_error *error) {
    sb_frame_standing now;
    if (!go_to(s, request, level, error)) return false;
    s->env->family->frames->stand(s->env, &now);
    sb_puts(out, "\"z\":"), put_z(s, out);
    sb_putf(out, ",\"done\":%s,\"over\":%s,\"events\":%u", now.completed >= level ? "true" : "false",
            now.is_over ? "true" : "false", s->frames);
    return true;
}

static bool answer_clicks(sb_model_server *s, const cJSON *request, int32_t level, sb_out *out, sb_error *error) {
    enum { MOST = SB_BUTTONS_MAX + SB_FRAME_SIDE * SB_FRAME_SIDE };
    const sb_shape *shape = &s->env->shape;
    if (!go_to(s, request, level, error)) return false;
    sb_action *actions = malloc(MOST * sizeof *actions);
    if (!actions) return sb_fail(error, SB_MEMORY, "out of memory for clicks");
    const size_t n = sb_worthwhile_actions(s->env, actions, MOST);
    sb_puts(out, "\"clicks\":[");
    for (size_t i = 0; i < n && i < MOST; i++) {
        const int32_t place = actions[i] - shape->n_buttons;
        if (place < 0) continue;
        sb_putf(out, out->last == '[' ? "[%d,%d]" : ",[%d,%d]", place % shape->click_width, place / shape->click_width);
    }
    sb_puts(out, "]");
    free(actions);
    return true;
}

static bool answer_goal(sb_model_server *s, const cJSON *request, int32_t level, sb_out *out, sb_error *error) {
    sb_frame_standing now;
    if (!go_to(s, request, level, error)) return false;
    s->env->family->frames->stand(s->env, &now);
    const bool achieved = now.completed >= level;
    sb_putf(out, "\"achieved\":%s,\"progress\":%d,\"reason\":\"%s\"", achieved ? "true" : "false", achieved,
            achieved ? "the level is completed" : "the level is not completed");
    return true;
}

static sb_model_op op_of(const char *name) {
    size_t op = SB_MODEL_N_OPS;
    sb_find_word(sb_model_op_names, SB_MODEL_N_OPS, name, &op);
    return (sb_model_op)op;
}

static bool answer(sb_model_server *s, const cJSON *request, sb_out *out, sb_error *error) {
    const char *name;
    int32_t level = 1;
    if (!sb_json_string(request, "op", &name, error)) return false;
    switch (op_of(name)) {
    case SB_MODEL_HELLO: return answer_hello(s, request, out, error);
    case SB_MODEL_ENCODE: return answer_encode(s, request, out, error);
    case SB_MODEL_RENDER: return answer_render(request, out, error);
    case SB_MODEL_HYPOTHESES_OP: return sb_puts(out, "\"hypotheses\":{\"main\":1}"), true;
    case SB_MODEL_HISTORY: return read_level(request, &level, error) && answer_history(s, request, level, out, error);
    case SB_MODEL_PREDICT: return read_level(request, &level, error) && answer_predict(s, request, level, out, error);
    case SB_MODEL_CLICKS_OP: return read_level(request, &level, error) && answer_clicks(s, request, level, out, error);
    case SB_MODEL_GOAL: return read_level(request, &level, error) && answer_goal(s, request, level, out, error);
    case SB_MODEL_LEVEL:
    case SB_MODEL_LEARN:
    case SB_MODEL_SAVE:
    case SB_MODEL_LOAD: return true; /* there is nothing to learn */
    default: return sb_fail(error, SB_UNKNOWN, "there is no operation `%.40s` here", name);
    }
}

/* Parses a request without what it need not look at: z, which holds a frame, unless it is to be rendered. */
static cJSON *read_request(const char *line, size_t n, sb_error *error) {
    static const char *const names[] = {"op", "h", "action", "m", "z", "name", "frame", NULL};
    sb_json_part parts[sizeof names / sizeof *names];
    const sb_json_part whole = sb_json_whole(line, n);
    sb_model_members(&whole, names, parts);
    const bool renders = sb_model_is_key(&parts[0], "render");
    cJSON *request = sb_json_part_is_object(&whole) ? cJSON_CreateObject() : NULL;
    if (!request) sb_fail(error, SB_INVALID, "a request should be a JSON object");
    for (size_t i = 0; request && names[i]; i++) {
        if (!parts[i].n || (!renders && strcmp(names[i], "z") == 0)) continue;
        cJSON *value = sb_json_parse(parts[i].at, parts[i].n, error);
        if (value) {
            cJSON_AddItemToObjectCS(request, names[i], value);
            continue;
        }
        sb_fail_at(error, "key `%s`", names[i]);
        cJSON_Delete(request);
        request = NULL;
    }
    return request;
}

void sb_model_server_answer(sb_model_server *s, const char *line, size_t n, sb_out *reply) {
    sb_error error;
    const size_t begin = reply->size;
    cJSON *request = read_request(line, n, &error);
    sb_puts(reply, "{");
    if (!request || !answer(s, request, reply, &error)) {
        reply->size = begin, reply->last = 0;
        sb_puts(reply, "{\"error\":"), sb_put_json_string(reply, error.text);
    }
    sb_puts(reply, "}\n");
    cJSON_Delete(request);
}

static bool ask(void *context, sb_model_op op, const char *line, size_t n, sb_json_part *found, sb_failure *failure,
                sb_error *error) {
    sb_model_server *s = context;
    (void)op, (void)failure;
    sb_out_clear(&s->line);
    sb_model_server_answer(s, line, n, &s->line);
    sb_putc(&s->line, '\0');
    if (!sb_out_ok(&s->line)) return sb_fail(error, SB_MEMORY, "out of memory for an answer");
    *found = (sb_json_part){.at = s->line.data, .n = s->line.size - 2, .document = s->line.data};
    return true;
}

sb_model_transport sb_model_server_transport(sb_model_server *server) {
    return (sb_model_transport){.ask = ask, .context = server};
}
