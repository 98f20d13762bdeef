/* What `seedbed build --dry-run` says. */
#include "cli/estimate.h"

#include <math.h>

#include "base/error.h"
#include "evaluation/certificates/prover.h"
#include "evaluation/result.h"

/* ---- Episodes that are lost ---- */

/* Why the episodes were lost that an estimate's sample did not solve. */
typedef struct cli_losses {
    size_t impossible;      /* episodes that nobody can solve: a built-in certificate says so, or a proof */
    size_t by[SB_N_LOSSES]; /* the other lost episodes, by how they were lost */
} cli_losses;

enum { STATES = 20000 /* states that each search looks at: an estimate should not take longer than its sample */ };

/* Asks the built-in certificates about all lost episodes at once. */
static bool ask_certificates(const sb_dataset_estimate *e, const sb_catalogue *catalogue, sb_played asked[SB_SAMPLE],
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

/* Finds out with certificates and proofs which lost episodes nobody can solve; a proof looks at a limited number of
 * states. */
static bool judge_losses(const sb_dataset_estimate *e, const sb_catalogue *catalogue, cli_losses *losses,
                         sb_error *error) {
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

static double scaled(const sb_dataset_estimate *e) {
    return e->sampled ? (double)e->n_losses * (double)e->played / (double)e->sampled : 0;
}

static void put_reason(sb_out *out, size_t n, const char *what, bool *first) {
    if (n) sb_putf(out, "%s%zu %s", *first ? "" : ", ", n, what), *first = false;
}

/* Puts how many episodes the sample lost and why: a line for people, members for programs; nothing if it lost none. */
static void put_losses(sb_out *out, const sb_dataset_estimate *e, const cli_losses *losses) {
    bool first = true;
    if (!e->n_losses) return;
    sb_putf(out, "  about %.0f of the episodes played are not solved and %s; of %zu in the sample: ", scaled(e),
            e->drops_losses ? "left out (--failures keep keeps them)" : "kept (--failures drop leaves them out)",
            e->n_losses);
    put_reason(out, losses->impossible, "impossible", &first);
    for (int how = 0; how < SB_N_LOSSES; how++) put_reason(out, losses->by[how], words[how], &first);
    sb_puts(out, "\n");
}

static void put_unreadable(sb_out *out, const sb_dataset_estimate *e) {
    if (e->unreadable > 0)
        sb_putf(out, "  about %.0f of the episodes played have answers of a model that could not be read and are %s\n",
                e->unreadable,
                e->drops_unreadable ? "left out (--unreadable keep keeps them)"
                                    : "kept (--unreadable drop leaves them out)");
}

static void put_json_losses(sb_out *out, const sb_dataset_estimate *e, const cli_losses *losses) {
    sb_put_key(out, "failures");
    sb_puts(out, "{");
    sb_member_double(out, "episodes", round(scaled(e)));
    sb_member_bool(out, "left_out", e->drops_losses);
    sb_member_uint(out, "sampled", e->n_losses);
    sb_member_uint(out, "impossible", losses->impossible);
    for (int how = 0; how < SB_N_LOSSES; how++) sb_member_uint(out, keys[how], losses->by[how]);
    sb_puts(out, "}");
}

static void put_json_unreadable(sb_out *out, const sb_dataset_estimate *e) {
    sb_put_key(out, "unreadable");
    sb_puts(out, "{");
    sb_member_double(out, "episodes", round(e->unreadable));
    sb_member_bool(out, "left_out", e->drops_unreadable);
    sb_puts(out, "}");
}

static void put_json_prompts(sb_out *out, const sb_dataset_estimate *e, size_t k) {
    const sb_prompt_counts *counts = &e->formats[k].prompts;
    sb_put_key(out, "sample");
    sb_puts(out, "{");
    sb_member_uint(out, "rows", counts->rows);
    sb_member_uint(out, "prompts", counts->prompts);
    sb_member_uint(out, "repeated", counts->repeated);
    sb_member_uint(out, "conflicts", counts->conflicts);
    sb_member_uint(out, "answers", counts->answers);
    sb_member_uint(out, "evaluation_prompts", e->formats[k].evaluation);
    sb_member_uint(out, "evaluation_found", e->formats[k].found);
    sb_puts(out, "}");
}

static void put_json_format(sb_out *out, const sb_dataset_estimate *e, size_t k) {
    sb_put_key(out, e->formats[k].name);
    sb_puts(out, "{");
    sb_member_double(out, "rows", round(e->formats[k].rows));
    sb_member_double(out, "content_bytes", round(e->formats[k].content_bytes));
    sb_member_double(out, "bytes", round(e->formats[k].bytes));
    if (e->formats[k].prompts.rows) put_json_prompts(out, e, k);
    sb_puts(out, "}");
}

/* Puts how many tasks and difficulties have nothing left, and names the first of them, if there are any. */
static void put_json_exhausted(sb_out *out, const sb_left *left) {
    sb_member_uint(out, "exhausted", left->n_exhausted);
    if (!left->n_exhausted) return;
    sb_put_key(out, "nothing_left_of");
    sb_puts(out, "[");
    for (size_t i = 0; i < left->n_exhausted && i < SB_LEFT_NAMED; i++) {
        const sb_name *name = &left->exhausted[i];
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "task", name->task);
        if (*name->difficulty) sb_member_text(out, "difficulty", name->difficulty);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_json_texts(sb_out *out, const sb_dataset_estimate *e) {
    if (!e->has_texts) return;
    sb_put_key(out, "texts");
    sb_puts(out, "[");
    for (size_t i = 0; i < e->n_texts; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "task", e->texts[i].task);
        sb_member_double(out, "characters", round(e->texts[i].characters));
        if (e->has_tokens) sb_member_double(out, "tokens", round(e->texts[i].tokens));
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_json_estimate(sb_out *out, const sb_dataset_estimate *e, const cli_losses *losses) {
    sb_puts(out, "{");
    sb_member_uint(out, "selected", e->selected);
    sb_member_uint(out, "evaluation", e->evaluation);
    sb_member_uint(out, "duplicates", e->duplicates);
    sb_member_uint(out, "across", e->across);
    sb_member_uint(out, "elsewhere", e->elsewhere);
    sb_member_uint(out, "played", e->played);
    put_json_exhausted(out, &e->left);
    sb_member_bool(out, "exact", !e->unsettled);
    sb_member_uint(out, "sampled", e->sampled);
    sb_member_uint(out, "shards", e->n_shards);
    sb_member_double(out, "seconds", e->seconds);
    if (e->compared) {
        sb_member_uint(out, "compared_steps", e->compared);
        sb_member_uint(out, "unlike_observer", e->unlike_observer);
    }
    sb_member_double(out, "episodes", round(e->episodes));
    sb_member_double(out, "successes", round(e->successes));
    sb_member_double(out, "steps", round(e->steps));
    sb_member_double(out, "tape_bytes", round(e->tape_bytes));
    put_json_losses(out, e, losses);
    put_json_unreadable(out, e);
    put_json_texts(out, e);
    sb_put_key(out, "formats");
    sb_puts(out, "{");
    for (size_t k = 0; k < e->n_formats; k++) put_json_format(out, e, k);
    sb_puts(out, "}}\n");
}

static void put_time(sb_out *out, double seconds) {
    if (seconds <= 1)
        sb_puts(out, "  about a second on this machine, with as many workers\n");
    else if (seconds < 120)
        sb_putf(out, "  about %.0f seconds on this machine, with as many workers\n", ceil(seconds));
    else if (seconds < 7200)
        sb_putf(out, "  about %.0f minutes on this machine, with as many workers\n", ceil(seconds / 60));
    else
        sb_putf(out, "  about %.0f hours on this machine, with as many workers\n", ceil(seconds / 3600));
}

static void put_text_line(sb_out *out, const sb_dataset_estimate *e, const char *what, double characters,
                          double tokens) {
    sb_putf(out, "    %-28s about %.0f characters", what, characters);
    if (e->has_tokens) sb_putf(out, ", %.0f tokens", tokens);
    sb_puts(out, "\n");
}

/* Says how much text the first format will hold. */
static void put_texts(sb_out *out, const sb_dataset_estimate *e) {
    double characters = 0, tokens = 0;
    if (!e->has_texts || !e->n_texts) return;
    for (size_t i = 0; i < e->n_texts; i++) characters += e->texts[i].characters, tokens += e->texts[i].tokens;
    sb_putf(out, "  texts of %s that a trainer reads, by the tasks of the sample:\n", e->formats[0].name);
    for (size_t i = 0; i < e->n_texts; i++)
        put_text_line(out, e, e->texts[i].task, e->texts[i].characters, e->texts[i].tokens);
    if (e->n_texts > 1) put_text_line(out, e, "all", characters, tokens);
}

/* Says what the sample's rows ask. */
static void put_prompts(sb_out *out, const sb_dataset_estimate *e, size_t k) {
    const sb_prompt_counts *counts = &e->formats[k].prompts;
    if (!counts->rows) return;
    sb_putf(out, "  %s, in the sample: %llu different prompts in %llu rows, %llu rows repeat an earlier one",
            e->formats[k].name, (unsigned long long)counts->prompts, (unsigned long long)counts->rows,
            (unsigned long long)counts->repeated);
    sb_putf(out, ", %llu prompts have several answers", (unsigned long long)counts->conflicts);
    if (e->formats[k].evaluation)
        sb_putf(out, "; %llu of %llu prompts of %llu evaluation episodes stand in it",
                (unsigned long long)e->formats[k].found, (unsigned long long)e->formats[k].evaluation,
                (unsigned long long)e->evaluated);
    sb_puts(out, " (more in all)\n");
}

static void put_format(sb_out *out, const sb_dataset_estimate *e, size_t k) {
    const double rows = e->formats[k].rows;
    sb_putf(out, "  %-16s %s %.0f rows, %.1f MB (%.1f MB unpacked)\n", e->formats[k].name,
            e->leaves_out_rows ? "up to" : "about", rows, e->formats[k].bytes / 1e6, e->formats[k].content_bytes / 1e6);
    if (rows + 0.5 < e->episodes)
        sb_putf(out, "  %-16s so about %.0f episodes or more have none\n", "", e->episodes - rows);
}

static void put_estimate(sb_out *out, const sb_dataset_estimate *e, const cli_losses *losses) {
    if (e->unsettled) sb_puts(out, "only playing would tell where the budget is reached; by the sample, about:\n");
    sb_putf(
        out,
        "%llu episodes selected; %llu to evaluate with, %llu the same game as one of those, %llu as an earlier one: "
        "%llu played\n",
        (unsigned long long)e->selected, (unsigned long long)e->evaluation, (unsigned long long)e->across,
        (unsigned long long)e->duplicates, (unsigned long long)e->played);
    if (e->elsewhere)
        sb_putf(out, "%llu are the same game as one of another split, and are left out\n",
                (unsigned long long)e->elsewhere);
    if (e->left.n_exhausted)
        sb_puts(out, "nothing is left of "), sb_left_put_exhausted(&e->left, out), sb_puts(out, "\n");
    sb_putf(out, "estimated from %llu episodes that were played, in %zu shards:\n", (unsigned long long)e->sampled,
            e->n_shards);
    sb_putf(out, "  about %.0f episodes (%.0f solved), %.0f steps, %.1f MB of tapes\n", e->episodes, e->successes,
            e->steps, e->tape_bytes / 1e6);
    for (size_t k = 0; k < e->n_formats; k++) put_format(out, e, k);
    put_texts(out, e);
    for (size_t k = 0; k < e->n_formats; k++) put_prompts(out, e, k);
    put_losses(out, e, losses);
    put_unreadable(out, e);
    put_time(out, e->seconds);
    if (e->compared)
        sb_putf(out,
                "  in %.1f %% of the sample's steps the action to imitate is not the observer's, which knows only what "
                "the agent is shown\n",
                100.0 * (double)e->unlike_observer / (double)e->compared);
}

bool cli_put_estimate(const sb_dataset_estimate *e, const sb_catalogue *catalogue, bool json, sb_out *out,
                      sb_error *error) {
    cli_losses losses;
    if (!judge_losses(e, catalogue, &losses, error)) return false;
    (json ? put_json_estimate : put_estimate)(out, e, &losses);
    return true;
}
