#include "cli/losses.h"

#include <math.h>

#include "base/error.h"
#include "evaluation/certificates/prover.h"
#include "evaluation/result.h"

enum { STATES = 20000 /* for each search: an estimate should not take longer than its sample */ };

/* Asks the built-in certificates about all lost episodes at once. */
static bool ask_certificates(const sb_estimate *e, const sb_catalogue *catalogue, sb_played asked[SB_SAMPLE],
                             sb_error *error) {
    sb_results results = {.catalogue = catalogue, .episodes = asked, .n = e->n_losses};
    for (size_t i = 0; i < e->n_losses; i++) asked[i] = (sb_played){.tape.name = e->losses[i].name};
    return sb_results_certify(&results, NULL, error);
}

static bool prove(sb_prover *prover, const sb_name *name, bool *impossible, sb_error *error) {
    sb_certificate certificate = {.name = *name};
    const bool ok = sb_prover_certify(prover, &certificate, error);
    *impossible = ok && certificate.verdict == SB_CERTIFIED_IMPOSSIBLE;
    sb_certificate_free(&certificate);
    return ok;
}

bool cli_judge_losses(const sb_estimate *e, const sb_catalogue *catalogue, cli_losses *losses, sb_error *error) {
    sb_played asked[SB_SAMPLE];
    sb_prover prover = {.budget = STATES, .worker.catalogue = catalogue};
    bool ok = ask_certificates(e, catalogue, asked, error);
    *losses = (cli_losses){0};
    for (size_t i = 0; ok && i < e->n_losses; i++) {
        bool impossible = asked[i].winnable == SB_CANNOT_BE_WON;
        if (asked[i].winnable == SB_NOT_CERTIFIED) ok = prove(&prover, &e->losses[i].name, &impossible, error);
        if (impossible)
            losses->impossible++;
        else
            losses->by[e->losses[i].how]++;
    }
    sb_prover_free(&prover);
    return ok;
}

/* ---- Printing ---- */

static const char *const keys[SB_N_LOSSES] = {
    [SB_LOSS_ENDED] = "ended", [SB_LOSS_GAVE_UP] = "gave_up", [SB_LOSS_RAN_OUT] = "ran_out"};
static const char *const words[SB_N_LOSSES] = {
    [SB_LOSS_ENDED] = "ended in failure", [SB_LOSS_GAVE_UP] = "given up", [SB_LOSS_RAN_OUT] = "out of steps"};

static double scaled(const sb_estimate *e) {
    return e->sampled ? (double)e->n_losses * (double)e->played / (double)e->sampled : 0;
}

static void put_reason(sb_out *out, size_t n, const char *what, bool *first) {
    if (n) sb_putf(out, "%s%zu %s", *first ? "" : ", ", n, what), *first = false;
}

void cli_put_losses(sb_out *out, const sb_estimate *e, const cli_losses *losses) {
    bool first = true;
    if (!e->n_losses) return;
    sb_putf(out, "  about %.0f of the episodes played are not solved and %s; of %zu in the sample: ", scaled(e),
            e->drops_losses ? "left out (--failures keep keeps them)" : "kept (--failures drop leaves them out)",
            e->n_losses);
    put_reason(out, losses->impossible, "impossible", &first);
    for (int how = 0; how < SB_N_LOSSES; how++) put_reason(out, losses->by[how], words[how], &first);
    sb_puts(out, "\n");
}

void cli_put_json_losses(sb_out *out, const sb_estimate *e, const cli_losses *losses) {
    sb_put_key(out, "failures");
    sb_puts(out, "{");
    sb_member_double(out, "episodes", round(scaled(e)));
    sb_member_bool(out, "left_out", e->drops_losses);
    sb_member_uint(out, "sampled", e->n_losses);
    sb_member_uint(out, "impossible", losses->impossible);
    for (int how = 0; how < SB_N_LOSSES; how++) sb_member_uint(out, keys[how], losses->by[how]);
    sb_puts(out, "}");
}
