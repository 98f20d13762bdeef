/* seedbed verify: checks anything that this program writes. */
#include "cli/verify.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/kinds.h"
#include "datasets/folder.h"
#include "datasets/verify.h"
#include "evaluation/arena/arena.h"
#include "evaluation/atlas/atlas.h"
#include "evaluation/atlas/packs.h"
#include "evaluation/certificates/certify.h"
#include "evaluation/result_check.h"
#include "generators/autumn/challenges/pack.h"
#include "rollout/packs.h"
#include "rollout/recorded.h"
#include "rollout/transitions.h"
#include "seeds/pack.h"

static const cli_option options[] = {
    {"sample", 0, "N", "certificates (of each verdict), atlases: repeat only N, evenly spread (default: all)",
     CLI_NUMBER(cli_verify_options, sample)},
    {"again", 0, NULL, "datasets: let every agent play every episode again, and compare; challenges: derive again",
     CLI_FLAG(cli_verify_options, again)},
    {"tokenizer", 0, "FILE", "datasets with a budget of tokens: the tokenizer.json, to count them again",
     CLI_TEXT(cli_verify_options, tokenizer, CLI_FILE)},
    {"python", 0, "PROGRAM", "a Python that has the library tokenizers (default " SB_TOKENIZER_PYTHON ")",
     CLI_TEXT(cli_verify_options, python, CLI_FILE)},
    {"apart-from", 0, "PACK", "challenges, with --again: the pack that was named when they were derived",
     CLI_TEXT(cli_verify_options, apart_from, CLI_FILE)},
    {"pack", 0, "FILE", "results: the seed pack that selected their episodes",
     CLI_TEXT(cli_verify_options, pack, CLI_FILE)},
    {"baseline", 0, "FILE", "results: the baseline that normalises them, if it is not built in",
     CLI_TEXT(cli_verify_options, baseline, CLI_FILE)},
    {"certificates", 0, "FILE", "results: certificates of `seedbed certify`, for episodes that are not official",
     CLI_TEXT(cli_verify_options, certificates, CLI_FILE)}};

/* One thing to verify. */
typedef struct checking {
    const cli_verify_options *options;
    const char *path;
    sb_out *said;  /* what was found to be right */
    sb_out *notes; /* what is no fault but worth knowing: texts, each with its NUL */
} checking;

static void take_note(void *notes, const char *text) { sb_put(notes, text, strlen(text) + 1); }

/* Returns the note after this one, or the first after NULL; NULL at the end. */
static const char *next_note(const sb_out *notes, const char *note) {
    const char *next = note ? note + strlen(note) + 1 : notes->data;
    return notes->size && sb_out_ok(notes) && next < notes->data + notes->size ? next : NULL;
}

static bool verify_dataset(const checking *c, sb_error *error) {
    sb_manifest manifest = {0};
    const cli_verify_options *o = c->options;
    cli_progress progress = cli_progress_begin(o->common.quiet, "verified", "episodes");
    const sb_dataset_check check = {.catalogue = o->common.catalogue,
                                    .folder = c->path,
                                    .jobs = o->common.jobs,
                                    .again = o->again,
                                    .progress = cli_progress_show,
                                    .context = &progress,
                                    .note = take_note,
                                    .stop = o->stop,
                                    .tokenizer_source = {o->tokenizer, o->python, cli_now},
                                    .note_context = c->notes};
    const bool ok = sb_dataset_verify(&check, &manifest, error);
    cli_progress_end(&progress);
    if (ok)
        sb_putf(c->said,
                "dataset of %llu episodes and %llu rows: every tape replayed, every row as rendered, every hash "
                "right%s",
                (unsigned long long)manifest.episodes, (unsigned long long)manifest.rows,
                !o->again                   ? ""
                : *manifest.recorded_sha256 ? ", the actions of agents that played here what they do"
                                            : ", every agent's actions what it does");
    sb_manifest_free(&manifest);
    return ok;
}

static bool verify_digests(const sb_pack *pack, const cli_common *common, const sb_stop *stop, sb_error *error) {
    cli_progress progress = cli_progress_begin(common->quiet, "started", "episodes");
    const sb_digesting how = {.catalogue = common->catalogue,
                              .jobs = common->jobs,
                              .progress = cli_progress_show,
                              .context = &progress,
                              .stop = stop};
    const bool ok = !*pack->rules || sb_pack_check_digests(pack, &how, error);
    cli_progress_end(&progress);
    return ok;
}

static bool verify_demand(const sb_pack *pack, const cli_common *common, const sb_stop *stop, sb_error *error) {
    cli_progress progress = cli_progress_begin(common->quiet, "measured", "episodes");
    const sb_pack_measuring how = {.catalogue = common->catalogue,
                                   .jobs = common->jobs,
                                   .progress = cli_progress_show,
                                   .context = &progress,
                                   .stop = stop};
    const bool ok = !sb_pack_demands(pack) || sb_pack_check_demand(pack, &how, error);
    cli_progress_end(&progress);
    return ok;
}

static void say_what_it_was_taken_for(sb_error *error) {
    const sb_error wrong = *error;
    sb_fail(error, wrong.code, "%.400s (taken for a seed pack, since it begins like no other file of this program)",
            wrong.text);
}

static bool verify_pack(const checking *c, sb_error *error) {
    sb_pack pack = {0};
    const bool read = sb_pack_read_file(&pack, c->path, error);
    if (!read && error->code == SB_INVALID) say_what_it_was_taken_for(error);
    const bool ok = read && ((sb_pack_verify(&pack, error) &&
                              verify_digests(&pack, &c->options->common, c->options->stop, error) &&
                              verify_demand(&pack, &c->options->common, c->options->stop, error)) ||
                             sb_fail_at(error, "%s", sb_path_end(c->path)));
    if (ok)
        sb_putf(c->said, "pack of %zu seeds in %zu lists, base %s: every hash right%s%s", pack.n_seeds, pack.n_lists,
                CLI_PLAIN(pack.base), *pack.rules ? ", every episode the one that it says" : "",
                sb_pack_demands(&pack) ? ", every episode as demanded" : "");
    sb_pack_clear(&pack);
    return ok;
}

/* Notes how many tapes end before their episodes do, neither terminated nor truncated: then the player stopped, as they
 * say. */
static void note_unfinished(sb_out *notes, size_t n) {
    char text[100];
    snprintf(text, sizeof text, "%zu of them %s before the episode does: unfinished", n, n == 1 ? "ends" : "end");
    take_note(notes, text);
}

/* Whether the check goes on; if it was stopped, it has failed. */
static bool goes_on(const checking *c, bool *ok, sb_error *error) {
    if (sb_is_stopped(c->options->stop)) *ok = sb_fail(error, SB_INVALID, "the check was stopped");
    return *ok;
}

static bool verify_tapes(const checking *c, sb_error *error) {
    sb_lines lines;
    sb_tape tape = {0};
    size_t successes = 0, unfinished = 0;
    sb_env *env = sb_make(c->options->common.catalogue, NULL, error);
    if (!env) return false;
    bool ok = sb_lines_open(&lines, c->path, SB_TAPE_BYTES, error);
    while (ok && goes_on(c, &ok, error) && sb_lines_next(&lines, error)) {
        ok = sb_tape_parse(env->catalogue, lines.line.data, lines.line.size, &tape, error) &&
             sb_tape_replay(&tape, env, NULL, NULL, error) && sb_tape_check_whole(&tape, error);
        successes += tape.outcome.success, unfinished += !tape.outcome.done;
        if (!ok) sb_fail_at(error, "%s, line %zu", sb_path_end(c->path), lines.number);
    }
    ok = ok && error->code == SB_OK;
    if (ok) sb_putf(c->said, "%zu tapes (%zu successes): every one replayed as it says", lines.number, successes);
    if (ok && unfinished) note_unfinished(c->notes, unfinished);
    sb_lines_close(&lines);
    sb_tape_clear(&tape);
    sb_free(env);
    return ok;
}

/* Verifies a recording, by reading it, which plays it and compares every line. */
static bool verify_recording(const checking *c, sb_error *error) {
    sb_recorded plays;
    size_t n = 0, successes = 0;
    bool ok = sb_recorded_open(&plays, c->options->common.catalogue, c->path, error);
    while (ok && goes_on(c, &ok, error) && sb_recorded_next(&plays, error))
        n++, successes += plays.tape.outcome.success;
    ok = ok && error->code == SB_OK;
    if (ok)
        sb_putf(c->said, "%s, %zu play%s (%zu successes): every line is what the replay gives",
                plays.recording.lines.source->form, n, sb_plural(n), successes);
    sb_out left_out = sb_out_growing();
    if (ok && sb_recorded_tell_left_out(&plays, &left_out))
        sb_putc(&left_out, '\0'), take_note(c->notes, left_out.data);
    sb_out_free(&left_out);
    sb_recorded_close(&plays);
    return ok;
}

static bool verify_log(const checking *c, sb_error *error) {
    sb_log log;
    size_t recorded = 0;
    cli_progress progress = cli_progress_begin(c->options->common.quiet, "verified", "plays");
    const bool ok = sb_log_open(&log, c->path, true, error) &&
                    sb_log_replay(&log, c->options->common.catalogue, &recorded, c->options->stop, cli_progress_show,
                                  &progress, error);
    cli_progress_end(&progress);
    if (ok)
        sb_putf(c->said, "log of %zu transitions in %zu play%s: every hash right%s", log.n_transitions, log.n_plays,
                sb_plural(log.n_plays), recorded == log.n_plays ? "" : ", every line as it is replayed");
    if (ok && recorded) {
        char text[160];
        snprintf(text, sizeof text, "%zu play%s cannot be replayed here: of %s only hashes and form were checked",
                 recorded, sb_plural(recorded), recorded == 1 ? "it" : "them");
        take_note(c->notes, text);
    }
    sb_log_close(&log);
    return ok;
}

static bool verify_certificates(const checking *c, sb_error *error) {
    sb_certificates_found found;
    const cli_verify_options *o = c->options;
    cli_progress progress = cli_progress_begin(o->common.quiet, "verified", "certificates");
    const sb_certificates_check check = {.catalogue = o->common.catalogue,
                                         .path = c->path,
                                         .jobs = o->common.jobs,
                                         .sample = o->sample,
                                         .stop = o->stop,
                                         .progress = cli_progress_show,
                                         .context = &progress};
    const bool ok = sb_certificates_verify(&check, &found, error);
    cli_progress_end(&progress);
    if (!ok) return false;
    const uint64_t *all = found.counts, *checked = found.checked;
    sb_putf(c->said, "%llu solved, %llu impossible, %llu unknown: %llu tapes replayed, %llu proofs repeated",
            (unsigned long long)all[SB_CERTIFIED_SOLVED], (unsigned long long)all[SB_CERTIFIED_IMPOSSIBLE],
            (unsigned long long)all[SB_UNCERTIFIED], (unsigned long long)checked[SB_CERTIFIED_SOLVED],
            (unsigned long long)checked[SB_CERTIFIED_IMPOSSIBLE]);
    if (found.once) sb_putf(c->said, "; %llu impossible by one proof only", (unsigned long long)found.once);
    return true;
}

static bool verify_atlas(const checking *c, sb_error *error) {
    const cli_verify_options *o = c->options;
    size_t n, checked;
    cli_progress progress = cli_progress_begin(o->common.quiet, "measured", "episodes");
    const sb_atlas_check check = {.catalogue = o->common.catalogue,
                                  .jobs = o->common.jobs,
                                  .sample = o->sample,
                                  .stop = o->stop,
                                  .progress = cli_progress_show,
                                  .context = &progress};
    const bool ok = sb_atlas_verify(c->path, &check, &n, &checked, error);
    cli_progress_end(&progress);
    if (ok) sb_putf(c->said, "atlas of %zu episodes: %zu measured again, all as it says", n, checked);
    return ok;
}

/* Judges a result. It passes if everything in it was checked and found right. */
static bool judge_result(const sb_results *results, const sb_result_checking *how, sb_out *said, sb_error *error) {
    char words[SB_CHECKED_WORDS];
    sb_result_checked checked;
    if (!sb_result_check(results, how, &checked, error)) return false;
    sb_result_checked_print(&checked, words);
    if (checked.standing != SB_RESULT_RIGHT) return sb_fail(error, SB_MISMATCH, "%s", words);
    sb_putf(said,
            "result of %zu episode%s played by %s: all that were selected (%s), every one replayed as it says, "
            "certificates and sums right; normalised with baseline %s",
            results->n, sb_plural(results->n), results->agent, checked.selected, checked.baseline);
    return true;
}

/* Loads the files that the options name. A file that cannot be read fails here, so that this is not taken for a fault
 * of the result. */
static bool load_named(const cli_verify_options *o, sb_pack *pack, sb_baseline *baseline, sb_error *error) {
    sb_results none = {.catalogue = o->common.catalogue};
    return (!o->pack || (sb_pack_read_file(pack, o->pack, error) && (verify_digests(pack, &o->common, o->stop, error) ||
                                                                     sb_fail_at(error, "%s", sb_path_end(o->pack))))) &&
           (!o->baseline || sb_baseline_load(baseline, o->baseline, error)) &&
           (!o->certificates || sb_results_certify(&none, o->certificates, error));
}

static bool verify_result(const checking *c, sb_error *error) {
    sb_results results = {0};
    sb_pack pack = {0};
    sb_baseline baseline = {0};
    const cli_verify_options *o = c->options;
    const sb_result_checking how = {.replay = true,
                                    .pack = o->pack ? &pack : NULL,
                                    .baseline = o->baseline ? &baseline : NULL,
                                    .certificates = o->certificates,
                                    .stop = o->stop};
    const bool ok = load_named(o, &pack, &baseline, error) &&
                    sb_result_load(o->common.catalogue, c->path, &results, error) &&
                    (judge_result(&results, &how, c->said, error) || sb_fail_at(error, "%s", sb_path_end(c->path)));
    sb_results_free(&results);
    sb_baseline_free(&baseline);
    sb_pack_clear(&pack);
    return ok;
}

static uint32_t sum(uint32_t counts[SB_AUTUMN_N_CHALLENGES][SB_AUTUMN_LEVELS]) {
    uint32_t sum = 0;
    for (int k = 0; k < SB_AUTUMN_N_CHALLENGES; k++)
        for (int l = 0; l < SB_AUTUMN_LEVELS; l++) sum += counts[k][l];
    return sum;
}

static void say_of_challenges(sb_autumn_pack_counts *counts, bool again, sb_out *said) {
    const uint32_t derived = sum(counts->derived), left = sum(counts->left_out);
    const bool old = counts->version < SB_AUTUMN_CHALLENGE_VERSION;
    sb_putf(said, "%u challenge%s: every certificate replayed%s; %u more could not be derived%s", derived,
            sb_plural(derived), again ? ", every one derived again" : "", sum(counts->asked) - derived - left,
            again ? ", and still cannot"
            : old ? " by its rules"
                  : " and were not tried again, which --again does");
    if (old)
        sb_putf(said, "; the pack is of version %u, and attempts by its rules cannot be made again", counts->version);
    if (left) sb_putf(said, "; %u left out to keep the packs apart", left);
}

static bool verify_challenges(const checking *c, sb_error *error) {
    const cli_verify_options *o = c->options;
    sb_autumn_pack_counts counts;
    sb_autumn_apart apart = {0};
    bool ok = !o->apart_from || sb_autumn_pack_keep_apart(o->apart_from, &apart, error);
    cli_progress progress = cli_progress_begin(o->common.quiet, "verified", "challenges");
    const sb_autumn_packing how = {.path = c->path,
                                   .apart = o->apart_from ? &apart : NULL,
                                   .catalogue = o->common.catalogue,
                                   .jobs = o->common.jobs,
                                   .progress = cli_progress_show,
                                   .context = &progress,
                                   .stop = o->stop};
    ok = ok && sb_autumn_pack_verify(&how, o->again, &counts, error);
    cli_progress_end(&progress);
    sb_autumn_apart_free(&apart);
    if (ok) say_of_challenges(&counts, o->again, c->said);
    return ok;
}

static bool verify_arena(const checking *c, sb_error *error) {
    size_t games;
    uint64_t actions;
    if (!sb_arena_verify(c->options->common.catalogue, c->path, &games, &actions, error)) return false;
    sb_putf(
        c->said,
        "run of an arena, %zu game%s and %llu actions: replayed from the answers, every comparison, ledger and score "
        "as it says",
        games, sb_plural(games), (unsigned long long)actions);
    return true;
}

/* Verifies a pack. A file of a dataset that is no pack says little by itself: its folder is to be verified. */
static bool verify_pack_or_say_folder(const checking *c, sb_error *error) {
    if (verify_pack(c, error)) return true;
    if (error->code != SB_INVALID || !sb_is_dataset_file(sb_file_name(c->path))) return false;
    const int n = sb_folder_length(c->path);
    return sb_fail(error, SB_INVALID, "%s is one file of a dataset, which is verified as a whole: seedbed verify %.*s",
                   c->path, n ? n : 1, n ? c->path : ".");
}

/* Says which options are not for things of this kind; NULL: none of those that were given. */
static const char *misused(const cli_verify_options *o, cli_file_kind kind) {
    if (o->again && kind != CLI_DATASET && kind != CLI_CHALLENGES)
        return "--again is for a dataset's folder and for challenges";
    if (o->apart_from && !(o->again && kind == CLI_CHALLENGES)) return "--apart-from is for challenges, with --again";
    if (o->sample && kind != CLI_CERTIFICATES && kind != CLI_ATLAS)
        return "--sample is for certificates and atlases; this is checked as a whole";
    if ((o->pack || o->baseline || o->certificates) && kind != CLI_RESULT)
        return "--pack, --baseline and --certificates are for results";
    if ((o->tokenizer || o->python) && kind != CLI_DATASET) return "--tokenizer and --python are for datasets";
    return NULL;
}

static bool verify(const checking *c, cli_file_kind kind, sb_error *error) {
    switch (kind) {
    case CLI_DATASET: return verify_dataset(c, error);
    case CLI_ARENA: return verify_arena(c, error);
    case CLI_CERTIFICATES: return verify_certificates(c, error);
    case CLI_ATLAS: return verify_atlas(c, error);
    case CLI_RESULT: return verify_result(c, error);
    case CLI_CHALLENGES: return verify_challenges(c, error);
    case CLI_TRANSITIONS: return verify_log(c, error);
    case CLI_TAPES: return verify_tapes(c, error);
    case CLI_RECORDING: return verify_recording(c, error);
    default: return verify_pack_or_say_folder(c, error);
    }
}

/* Checks a thing by its kind; returns an exit code. */
static int check(const char *path, const cli_verify_options *o, sb_out *said, sb_out *notes, sb_error *error) {
    const checking checking = {o, path, said, notes};
    cli_file_kind kind = CLI_PACK;
    const char *wrong = "what is checked is read more than once: name a file, not standard input";
    if (!cli_is_dash(path)) {
        if (!cli_find_kind(path, &kind, error)) return CLI_FOUND;
        wrong = misused(o, kind);
    }
    if (wrong) return sb_fail(error, SB_INVALID, "%s: %s", path, wrong), CLI_USAGE;
    return verify(&checking, kind, error) ? CLI_OK : CLI_FOUND;
}

bool cli_check(const char *path, const cli_verify_options *o, sb_out *said, sb_out *notes, sb_error *error) {
    return check(path, o, said, notes, error) == CLI_OK;
}

static void print_json(const char *path, bool ok, const char *text, const sb_out *notes) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    sb_member_text(&out, "path", path);
    sb_member_bool(&out, "ok", ok);
    sb_member_text(&out, "message", text);
    sb_put_key(&out, "notes");
    sb_puts(&out, "[");
    for (const char *note = next_note(notes, NULL); note; note = next_note(notes, note))
        sb_put_comma(&out), sb_put_json_string(&out, note);
    sb_puts(&out, "]}\n");
    cli_emit(&out, CLI_DATA);
}

static void print_plain(const char *path, const char *text, const sb_out *notes) {
    cli_say("%s: %s\n", CLI_PLAIN(path), CLI_PLAIN(text));
    for (const char *note = next_note(notes, NULL); note; note = next_note(notes, note))
        cli_say("%s: note: %s\n", CLI_PLAIN(path), CLI_PLAIN(note));
}

/* Verifies one thing and says what came of it; returns an exit code. */
static int report(const cli_verify_options *o, const char *path, sb_out *notes) {
    char text[1024];
    sb_error error;
    sb_out said = sb_out_fixed(text, sizeof text);
    const int status = check(path, o, &said, notes, &error);
    const bool ok = status == CLI_OK;
    if (sb_is_link(path)) take_note(notes, "it is a symbolic link, which was followed");
    sb_out_finish(&said);
    if (o->common.json)
        print_json(path, ok, ok ? text : error.text, notes);
    else if (!ok)
        cli_warn("seedbed: %s\n", error.text);
    else if (!o->common.quiet)
        print_plain(path, text, notes);
    return status;
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    (void)self;
    int status = CLI_OK;
    sb_out notes = sb_out_growing();
    for (size_t i = 0; i < n; i++) {
        sb_out_clear(&notes);
        const int one = report(given, paths[i], &notes);
        if (one > status) status = one; /* a wrong call says more than a fault */
    }
    sb_out_free(&notes);
    return status;
}

const cli_command cli_verify = {
    .name = "verify",
    .group = CLI_TO_PROVE,
    .summary = "check a dataset, pack, result, atlas or arena run, tapes, certificates, recordings or a log",
    .usage = "THING... [--again] [--sample N] [--jobs N] [--json]",
    .help =
        "Checks what this program writes, each by its kind, and names the first fault: file, line, episode, column.\n\n"
        "  the folder of a dataset   tapes replayed, rows rendered again and compared, hashes recomputed\n"
        "  a pack of seeds           hashes recomputed, official lists derived again, episodes of digests compared\n"
        "  tapes, recordings, logs   replayed; every line of a recording or log compared\n"
        "  a result of eval          replayed; exactly the episodes of its selection, certificates and sums as due\n"
        "  certificates, challenges  solutions replayed, proofs that an episode is impossible made again\n"
        "  an atlas                  measured again\n"
        "  the folder of an arena    replayed from the answers; every comparison, ledger and score\n\n"
        "  seedbed verify dataset eval.json tapes.jsonl\n"
        "  seedbed verify official.jsonl.gz --sample 50\n"
        "  seedbed verify result.json --pack eval.json\n\n"
        "Notes name what is unusual but no fault: other files in the folder, tapes of players who stopped early.\n"
        "Replaying a tape shows that its actions lead where it says. That its agent really takes these actions is\n"
        "checked where a dataset has noise, labels or intents, and everywhere with --again, which takes as long as\n"
        "building. Of challenges, what could not be derived is tried again only with --again. Exit code 1 if anything "
        "is wrong.",
    CLI_OPTIONS(cli_verify_options, options),
    CLI_ARGUMENTS(
        CLI_FILE, 1, CLI_MANY,
        "name the folder of a dataset or of an arena, or a file: a pack, a result, an atlas, tapes, certificates, a "
        "recording or a log"),
    .run = run,
};
