/* Takes the input as a result of an evaluation. A valid result prints to a document that reads back to the same
 * document. Checking it succeeds or fails with a message. A report of it is complete, whatever names the result has. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "engine/lookup.h"
#include "evaluation/report_print.h"

enum { FEW = 200 /* episodes and actions, so that printing and replaying are fast */ };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

static bool is_small(const sb_results *results) {
    size_t actions = 0;
    for (size_t i = 0; i < results->n; i++) actions += results->episodes[i].tape.n;
    return results->n <= FEW && actions <= FEW;
}

static sb_out print(const sb_results *results, const sb_baseline *baseline) {
    const sb_result_context context = {.spec = "fuzz", .selection = "{}", .baseline = baseline};
    sb_out document = sb_out_growing();
    sb_error error;
    if (!sb_result_print(results, &context, true, &document, &error)) abort();
    return document;
}

static void check_round_trip(const sb_results *results, const sb_baseline *baseline) {
    sb_results again;
    sb_error error;
    sb_out first = print(results, baseline);
    if (!sb_result_parse(NULL, first.data, first.size, &again, &error)) abort();
    sb_out second = print(&again, baseline);
    if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0) abort();
    sb_out_free(&first), sb_out_free(&second);
    sb_results_free(&again);
}

static size_t count(const sb_out *text, const char *word) {
    const size_t n = strlen(word);
    size_t found = 0;
    for (size_t i = 0; i + n <= text->size; i++) found += memcmp(text->data + i, word, n) == 0;
    return found;
}

static void check_form(sb_report_form form, const sb_out *text) {
    sb_error error;
    for (size_t i = 0; i < text->size; i++)
        if ((unsigned char)text->data[i] < ' ' && text->data[i] != '\n') abort();
    if (form == SB_REPORT_HTML && count(text, "<script") != 2) abort();
    if (form != SB_REPORT_JSON) return;
    cJSON *tables = sb_json_parse(text->data, text->size, &error);
    if (!cJSON_IsArray(tables)) abort();
    cJSON_Delete(tables);
}

/* Checks the result: there is always a verdict, and a reason exactly if the result is not right. */
static sb_result_checked check_result(const sb_results *results) {
    sb_result_checked checked;
    sb_error error = {0};
    const sb_result_checking how = {.replay = true};
    if (!sb_result_check(results, &how, &checked, &error)) abort();
    if ((checked.standing == SB_RESULT_RIGHT) != !checked.why[0]) abort();
    return checked;
}

static void check_report(const sb_results *results, const sb_baseline *baseline) {
    const sb_report_options options = {.published = "all", .replays = 1};
    sb_error error = {0};
    const sb_family *family = sb_family_find(results->episodes[0].tape.name.family, &error);
    sb_report_entry entry = {.results = *results, .checked = check_result(results)};
    const sb_report report = {.options = &options, .family = family, .baseline = *baseline, .entries = &entry, .n = 1};
    if (!family || !sb_summarise(results, family, baseline, &entry.summary, &error)) abort();
    for (sb_report_form form = SB_REPORT_TEXT; form <= SB_REPORT_HTML; form++) {
        sb_out text = sb_out_growing();
        if (sb_report_print(&report, form, &text, &error))
            check_form(form, &text);
        else
            check_refusal(&error);
        sb_out_free(&text);
    }
    sb_summary_free(&entry.summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_results results;
    sb_baseline baseline;
    sb_error error = {0};
    if (!sb_result_parse(NULL, (const char *)data, size, &results, &error)) {
        check_refusal(&error);
        return 0;
    }
    if (!sb_baseline_load(&baseline, NULL, &error)) abort();
    if (is_small(&results)) {
        check_round_trip(&results, &baseline);
        check_report(&results, &baseline);
    }
    sb_baseline_free(&baseline);
    sb_results_free(&results);
    return 0;
}
