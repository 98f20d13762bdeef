/* seedbed seeds: derive seed packs. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "engine/family.h"
#include "seeds/official.h"
#include "seeds/pack.h"

/* A pack of what a selection holds: its names, which come sorted by task and variant, become lists. */
static bool pairs_of(const sb_selection *selection, sb_pack_task **pairs, size_t *n, sb_error *error) {
    *n = 0;
    *pairs = calloc(selection->n, sizeof **pairs);
    if (!*pairs) return sb_fail(error, SB_MEMORY, "out of memory for a pack");
    for (size_t i = 0; i < selection->n; i++) {
        const sb_name *name = &selection->names[i];
        const sb_pack_task *last = *n ? &(*pairs)[*n - 1] : NULL;
        if (last && strcmp(last->task, name->task) == 0 && strcmp(last->variant, name->variant) == 0) continue;
        (*pairs)[(*n)++] = (sb_pack_task){name->task, name->variant};
    }
    return true;
}

static bool derive(const sb_request *request, sb_pack *pack, sb_error *error) {
    sb_selection selection = {0};
    sb_pack_task *pairs = NULL;
    size_t n;
    const char *base = request->split ? request->split : "eval";
    bool ok = !request->seeds || sb_fail(error, SB_INVALID, "seeds: a pack's seeds come from a split, not from a list");
    ok = ok && sb_select(request, &selection, error) && pairs_of(&selection, &pairs, &n, error);
    if (ok) {
        const size_t count = request->count ? (size_t)request->count : sb_official_length(base);
        ok = sb_pack_derive(pack, selection.names[0].family, base, pairs, n, count, error);
    }
    free(pairs);
    sb_selection_free(&selection);
    return ok;
}

static void print_summary(const sb_pack *pack, const char *output) {
    size_t left_out = 0;
    for (size_t i = 0; i < pack->n_lists; i++) left_out += pack->lists[i].left_out;
    printf("%s: %zu seeds in %zu lists, base %s, hash %.16s...", output, pack->n_seeds, pack->n_lists, pack->base,
           pack->hash);
    if (left_out) printf(", %zu left out because an official evaluation list has them or they repeat", left_out);
    printf("\n");
}

static bool print(const sb_pack *pack, bool published, int *status, sb_error *error) {
    sb_out out = sb_out_growing();
    if (!published)
        sb_pack_print(pack, &out);
    else if (!sb_pack_print_published(pack, &out, error))
        return sb_out_free(&out), false;
    *status = cli_emit(&out);
    return true;
}

static int run(const cli_command *self, int argc, char **argv) {
    cli_common common = {0};
    sb_request request = {0};
    const char *output = "-";
    bool published = false;
    const cli_option options[] = {{.name = "output",
                                   .letter = 'o',
                                   .argument = "FILE",
                                   .help = "where to (default: standard output)",
                                   .text = &output},
                                  {.name = "published",
                                   .help = "all 37 official evaluation lists, in the published export form",
                                   .flag = &published},
                                  CLI_SELECTION_OPTIONS(request),
                                  CLI_COMMON_OPTIONS(common)};
    int status;
    const int n = CLI_PARSE(self, options, argc, argv, &status);
    if (n < 0) return status;
    if (n) return cli_usage(self, "no arguments are expected (to check a pack: seedbed verify FILE)");
    if (published && !sb_request_is_empty(&request))
        return cli_usage(self, "--published is one fixed document and takes no selection");
    sb_error error;
    sb_pack pack = {0};
    bool ok = published ? sb_pack_official(&pack, &error) : derive(&request, &pack, &error);
    if (ok && strcmp(output, "-") == 0)
        ok = print(&pack, published, &status, &error);
    else if (ok)
        ok = (published ? sb_pack_save_published : sb_pack_save)(&pack, output, &error);
    if (ok && strcmp(output, "-") != 0 && !common.quiet) print_summary(&pack, output);
    sb_pack_free(&pack);
    return ok ? status : cli_fail(&error);
}

const cli_command cli_seeds = {
    .name = "seeds",
    .summary = "derive seed packs: official evaluation and training seeds, or your own",
    .usage = "[selection] [--published] [-o FILE]",
    .help = "Writes a seed pack: a JSON document with a list of seeds per task and difficulty, a hash per list and a\n"
            "hash of the whole. Seeds come from SHA-256 of task, difficulty and base.\n\n"
            "  seedbed seeds --split eval -o eval.json             the official evaluation seeds\n"
            "  seedbed seeds --split train --tasks GoToGoal        2000 official training seeds each\n"
            "  seedbed seeds --split my-study --count 500          your own, disjoint from all evaluation seeds\n"
            "  seedbed seeds --published -o eval_seeds.json        the published export, byte for byte\n\n"
            "`seedbed verify FILE` checks any of them.",
    .run = run,
};
