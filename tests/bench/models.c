/* Measures checks of world models on one core, without pipes: reading a log, judging a model that costs nothing (it
 * echoes the frame), and the predictions that the true model serves.
 *
 *   seedbed-bench-models [EPISODE] */
#include <stdio.h>
#include <string.h>

#include "evaluation/models/check.h"
#include "evaluation/models/server.h"
#include "rollout/worker.h"
#include "tests/bench/clock.h"

enum { SECONDS_EACH = 2 };

static int fail(const sb_error *error) {
    fprintf(stderr, "seedbed-bench-models: %s\n", error->text);
    return 1;
}

/* The log of random play. */
static bool make_log(const char *name, sb_out *text, sb_error *error) {
    sb_name parsed;
    sb_worker worker = {0};
    sb_log_writer writer = {0};
    const bool ok = sb_name_parse(NULL, name, &parsed, error) &&
                    sb_worker_play(&worker, "random", &parsed, NULL, NULL, error) &&
                    sb_log_put_tape(&writer, worker.env, &worker.tape, text, error);
    sb_log_writer_free(&writer);
    sb_worker_free(&worker);
    return ok;
}

/* A model that answers `predict` with the z that it is given: `{"op":"predict","z":{...},"h":...`. */
typedef struct echo {
    sb_out line;
} echo;

static bool ask_echo(void *context, sb_model_op op, const char *line, size_t n, sb_json_part *answer,
                     sb_failure *failure, sb_error *error) {
    static const char begin[] = "{\"op\":\"predict\"";
    sb_out *out = &((echo *)context)->line;
    const char *end = op == SB_MODEL_PREDICT ? strstr(line, ",\"h\":") : NULL;
    (void)n, (void)failure, (void)error;
    sb_out_clear(out);
    if (end)
        sb_puts(out, "{"), sb_put(out, line + sizeof begin, (size_t)(end - line) - sizeof begin), sb_puts(out, "}");
    else
        sb_puts(out, "{\"offers\":[\"predict\"]}");
    sb_putc(out, '\0');
    *answer = (sb_json_part){.at = out->data, .n = out->size - 1, .document = out->data};
    return true;
}

/* Prints how long a transition takes, and how many predictions there are in a second. */
static bool measure(const char *what, const sb_out *text, const sb_candidate_rules *rules, sb_error *error) {
    const double began = bench_processor_seconds();
    double spent = 0;
    size_t transitions = 0;
    uint64_t predictions = 0;
    while (spent < SECONDS_EACH) {
        sb_log log;
        sb_candidate candidate;
        sb_model_report report = {0};
        const sb_check_options options = {0};
        bool ok = sb_log_parse(&log, what, text->data, text->size, false, error);
        if (ok && rules) {
            ok = sb_candidate_open(&candidate, rules, error) &&
                 sb_model_check(&log, 1, &candidate, &options, &report, error);
            predictions += report.asked[SB_MODEL_PREDICT];
            sb_model_report_free(&report);
            sb_candidate_close(&candidate);
        }
        transitions += log.n_transitions;
        sb_log_close(&log);
        if (!ok) return false;
        spent = bench_processor_seconds() - began;
    }
    printf("%-28s %6.1f us a transition", what, 1e6 * spent / (double)transitions);
    if (predictions) printf(", %.0f predictions a second", (double)predictions / spent);
    printf("\n");
    return true;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "arc:Echo/full#7";
    sb_error error = {0};
    sb_out text = sb_out_growing();
    sb_model_server server;
    echo free_model = {.line = sb_out_growing()};
    const sb_candidate_rules echoes = {.transport = {.ask = ask_echo, .context = &free_model}};
    bool ok = make_log(name, &text, &error) && sb_model_server_open(&server, NULL, name, &error);
    if (!ok) return fail(&error);
    const sb_candidate_rules truth = {.transport = sb_model_server_transport(&server)};
    ok = measure("reading", &text, NULL, &error) && measure("reading, judging an echo", &text, &echoes, &error) &&
         measure("reading, judging the truth", &text, &truth, &error);
    sb_model_server_close(&server);
    sb_out_free(&text), sb_out_free(&free_model.line);
    return ok ? 0 : fail(&error);
}
