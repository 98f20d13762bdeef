#include "tests/evaluating.h"

#include "evaluation/selected.h"

sb_results evaluate(const char *spec, const sb_selection *selection, size_t jobs) {
    const sb_agent_options options = {.spec = spec};
    sb_agent agent;
    sb_results results;
    sb_error error;
    assert_ok(sb_agent_open(&agent, &options, selection, &error), error);
    const sb_evaluation evaluation = {.selection = selection, .agent = &agent, .jobs = jobs};
    assert_ok(sb_evaluate(&evaluation, &results, &error), error);
    sb_agent_close(&agent);
    return results;
}

sb_out print_results(const sb_results *results, const sb_request *request) {
    sb_baseline baseline;
    sb_error error;
    sb_out document = sb_out_growing(), selection = sb_out_growing();
    sb_selected_print_request(request, NULL, &(sb_eval_budget){0}, &selection);
    sb_putc(&selection, '\0');
    assert_ok(sb_baseline_load(&baseline, NULL, &error), error);
    const sb_result_context context = {.spec = "some", .selection = selection.data, .baseline = &baseline};
    assert_ok(sb_result_print(results, &context, true, &document, &error), error);
    sb_baseline_free(&baseline);
    sb_out_free(&selection);
    return document;
}
