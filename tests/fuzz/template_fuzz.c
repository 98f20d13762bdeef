/* Takes the input as custom sentences for descriptions of BabyBench, a JSON object; if it is not an object, as one
 * template. A template prints to the text that it was parsed from. Descriptions can be made with all valid sentences,
 * and the description that is JSON stays valid JSON. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/facts.h"
#include "exporters/description.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

/* ---- Templates ---- */

static const char *const fields[] = {"a", "step", "observation", NULL};

static void put_name(void *context, int field, sb_out *out) {
    (void)context;
    sb_puts(out, "{"), sb_puts(out, fields[field]), sb_puts(out, "}");
}

static bool has_braces(const sb_template *template) {
    for (size_t i = 0; i < template->n; i++)
        if (template->pieces[i].field < 0 && memchr(template->pieces[i].text, '{', template->pieces[i].n)) return true;
    return false;
}

static void try_template(const char *text) {
    sb_template template;
    sb_error error = {0};
    sb_out out = sb_out_growing();
    if (sb_template_parse(&template, text, fields, &error)) {
        sb_template_put(&template, &out, put_name, NULL);
        if (!sb_out_ok(&out) || out.size > strlen(text)) abort();
        if (!has_braces(&template) && !strstr(text, "}}") && memcmp(out.data ? out.data : "", text, strlen(text)) != 0)
            abort();
    } else {
        check_refusal(&error);
    }
    sb_out_free(&out);
}

/* ---- Descriptions ---- */

static void describe(const sb_wording *wording, const sb_facts *facts, sb_style style) {
    sb_out out = sb_out_growing();
    sb_error error;
    sb_describe(wording, style, facts, &out);
    if (!sb_out_ok(&out)) abort();
    if (style == SB_JSON) {
        cJSON *parsed = sb_json_parse(out.data, out.size, &error);
        if (!cJSON_IsObject(parsed)) abort();
        cJSON_Delete(parsed);
    }
    sb_out_free(&out);
}

static void try_wording(const cJSON *own) {
    static const char *const names[] = {"babyai:GoToRedBall#1", "babyai:UnlockPickup#2", "babyai:BossLevel#3"};
    sb_wording wording = {0};
    sb_error error = {0};
    const bool ok = sb_wording_open(&wording, own, &error);
    if (!ok) check_refusal(&error);
    for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
        sb_facts facts;
        sb_env *env = sb_make(NULL, names[i], &error);
        if (!env) abort();
        env->family->facts->tell(env, &facts);
        for (sb_style style = 0; style < SB_N_STYLES; style++) describe(&wording, &facts, style);
        sb_free(env);
    }
    sb_wording_close(&wording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_error error = {0};
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    cJSON *own = sb_json_parse(text, size, &error);
    if (cJSON_IsObject(own))
        try_wording(own);
    else
        try_template(text);
    cJSON_Delete(own);
    free(text);
    return 0;
}
