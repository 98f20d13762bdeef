#include "evaluation/babybench/questions.h"

#include "base/error.h"

extern const unsigned char sb_shipped_questions[]; /* embedded by the build */
extern const size_t sb_shipped_questions_size;

static const char *const fields[] = {"description", "initial_state", "actions", "target_state",
                                     "target",      "mission",       "plan",    NULL};

static bool read(const cJSON *texts, const char *key, sb_template *template, sb_error *error) {
    const char *text;
    return sb_json_string(texts, key, &text, error) && sb_template_parse(template, text, fields, error);
}

bool sb_question_open(sb_question *q, const char *task, sb_error *error) {
    const cJSON *texts;
    q->document = sb_json_parse((const char *)sb_shipped_questions, sb_shipped_questions_size, error);
    return q->document && sb_json_object(q->document, task, &texts, error) &&
           read(texts, "system", &q->system, error) && read(texts, "user", &q->user, error) &&
           read(texts, "answer", &q->answer, error);
}

void sb_question_close(sb_question *q) {
    cJSON_Delete(q->document);
    *q = (sb_question){0};
}

static void put_message(sb_out *out, const char *role, const sb_out *text) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "role", role);
    sb_put_key(out, "content");
    sb_put_json_bytes(out, text->data ? text->data : "", text->size);
    sb_puts(out, "}");
}

bool sb_question_put(const sb_question *q, sb_out *out, sb_put_field *put, void *context, sb_error *error) {
    static const char *const roles[] = {"system", "user", "assistant"};
    const sb_template *const templates[] = {&q->system, &q->user, &q->answer};
    sb_out text = sb_out_growing();
    bool ok = true;
    sb_put_key(out, "messages");
    sb_puts(out, "[");
    for (size_t i = 0; i < 3 && ok; i++) {
        sb_out_clear(&text);
        sb_template_put(templates[i], &text, put, context);
        ok = sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for a conversation");
        if (ok) put_message(out, roles[i], &text);
    }
    sb_puts(out, "]");
    sb_out_free(&text);
    return ok;
}
