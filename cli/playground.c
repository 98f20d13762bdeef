/* seedbed playground: a page on which people play. */
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): realpath
#include "cli/playground.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system.h"
#include "cli/programs.h"
#include "evaluation/selected.h"

typedef struct playground_options {
    cli_common common;
    sb_request request;
    const char *module, *output;
} playground_options;

static const cli_option options[] = {
    {"output", 'o', "FILE", "the page (-: print it)", CLI_TEXT(playground_options, output, CLI_OUTPUT)},
    {"pack", 0, "FILE", "list the episodes of a pack of seeds or challenges alone",
     CLI_TEXT(playground_options, common.pack, CLI_FILE)},
    {"module", 0, "FILE", "seedbed.wasm, which the page has inside (default: that beside the program's own files)",
     CLI_TEXT(playground_options, module, CLI_FILE)},
    CLI_SELECTION_OPTIONS(playground_options, request)};

/* ---- Files that came with the program ---- */

/* Where files that came with the program lie, from its folder: installed, and in a build folder of the sources. */
static const char *const places[] = {"../share/seedbed/%s", "../wasm/module/%s", "../../seeds/%s"};

/* Opens the folder of this program; NULL: it is unknown. The caller frees it. */
static char *own_folder(void) {
    char room[SB_PROGRAM_ROOM];
    const char *program = sb_own_program(room);
    char *path = program ? realpath(program, NULL) : NULL;
    char *end = path ? strrchr(path, '/') : NULL;
    if (end) end[1] = '\0';
    return path;
}

/* Finds a file that came with the program, and writes its path; false if the file is not there. */
static bool find_own(const char *name, char path[PATH_MAX]) {
    char *const folder = own_folder();
    bool found = false;
    for (size_t i = 0; folder && !found && i < sizeof places / sizeof *places; i++) {
        const int n = snprintf(path, PATH_MAX, "%s", folder);
        snprintf(path + n, PATH_MAX - (size_t)n, places[i], name); // NOLINT(clang-diagnostic-format-nonliteral)
        found = access(path, R_OK) == 0;
    }
    free(folder);
    return found;
}

bool cli_playground_module(const char *given, sb_out *module, sb_error *error) {
    char own[PATH_MAX];
    const char *path = given ? given : find_own("seedbed.wasm", own) ? own : NULL;
    if (!path)
        return sb_fail(error, SB_IO,
                       "the page needs the library as a WebAssembly module: name it with --module seedbed.wasm; a "
                       "release has it, and ./scripts/wasm builds it");
    return sb_file_load_plain(path, SB_PLAYGROUND_MODULE, module, error) &&
           sb_playground_check_module(module, sb_path_end(path), error);
}

int cli_tell_page(const cli_common *common, const char *output, const sb_out *page) {
    if (cli_is_dash(output)) return CLI_OK;
    sb_out out = sb_out_growing();
    if (common->json) {
        sb_puts(&out, "{");
        sb_member_text(&out, "file", output);
        sb_member_uint(&out, "bytes", page->size);
        sb_puts(&out, "}\n");
    } else if (!common->quiet)
        sb_putf(&out, "%s: a page of %zu bytes\n", CLI_PLAIN(output), page->size);
    return cli_emit(&out, cli_data_if(common->json));
}

/* ---- What is inside ---- */

/* A catalogue of the programs that were given and of the challenges that came with the program. */
static sb_catalogue *shipped_catalogue(const cli_common *common, sb_error *error) {
    static const char *const packs[] = {"autumn.jsonl.gz", "autumn-canonical.jsonl.gz"};
    sb_catalogue *catalogue = cli_catalogue_load(common, error);
    bool ok = catalogue != NULL;
    for (size_t i = 0; ok && i < sizeof packs / sizeof *packs; i++) {
        char path[PATH_MAX];
        if (find_own(packs[i], path)) ok = cli_catalogue_add_pack(catalogue, path, NULL, error);
    }
    if (ok) return catalogue;
    sb_catalogue_free(catalogue);
    return NULL;
}

/* Selects the episodes that the page lists; without a selection there is no list. */
static bool choose(const playground_options *o, sb_selection *listed, sb_error *error) {
    const bool is_all = sb_request_is_empty(&o->request);
    if (!o->common.pack) return is_all || sb_select(&o->request, listed, error);
    if (!is_all) return sb_fail(error, SB_INVALID, "give either --pack or a selection by names, tasks and seeds");
    return sb_select_pack_file(o->common.catalogue, o->common.pack, listed, NULL, error);
}

static bool make(const playground_options *o, sb_out *page, sb_error *error) {
    const bool is_all = sb_request_is_empty(&o->request) && !o->common.pack;
    sb_selection listed = {0};
    sb_out module = sb_out_growing();
    sb_catalogue *own = NULL;
    bool ok = cli_playground_module(o->module, &module, error) && choose(o, &listed, error);
    if (ok && is_all && !o->common.challenges.n) ok = (own = shipped_catalogue(&o->common, error)) != NULL;
    const sb_playground playground = {
        .module = &module, .listed = is_all ? NULL : &listed, .catalogue = own ? own : o->common.catalogue};
    ok = ok && sb_playground_put(&playground, page, error);
    sb_catalogue_free(own);
    sb_selection_free(&listed);
    sb_out_free(&module);
    return ok;
}

static int run(const cli_command *self, void *given, const char *const *names, size_t n) {
    playground_options *o = given;
    sb_error error;
    sb_file file = {0};
    sb_out page = sb_out_growing();
    if (!o->output) return cli_usage(self, "name the page with -o PAGE.html, or - to print it");
    o->request.catalogue = o->common.catalogue;
    o->request.names = names, o->request.n_names = n;
    const bool ok = cli_output_open(&file, o->output, &error) && make(o, &page, &error) &&
                    cli_output_put(&file, o->output, &page, &error);
    sb_file_discard(&file);
    const int status = ok ? cli_tell_page(&o->common, o->output, &page) : cli_fail(&error);
    sb_out_free(&page);
    return status;
}

const cli_command cli_playground = {
    .name = "playground",
    .group = CLI_TO_LOOK,
    .summary = "make a page on which people play, in a browser",
    .usage = "[NAME... | selection] -o PAGE.html [--pack FILE] [--program FILE] [--module seedbed.wasm]",
    .help = "Writes one HTML file that works from a disk and needs no network: all tasks of all families, with undo,\n"
            "hints, experts, tapes and pictures. With names, a selection or a pack, it lists these episodes alone.\n"
            "Tasks that you bring with --program are inside, and the challenges of the packs that come with Seedbed,\n"
            "or of those that you name with --challenges. A page has at most 3 MB.\n\n"
            "  seedbed playground -o play.html\n"
            "  seedbed playground -o maze.html --tasks MazeNavigation\n"
            "  seedbed playground -o mine.html --program mine.sexp",
    CLI_OPTIONS(playground_options, options),
    CLI_ARGUMENTS(CLI_EPISODE, 0, CLI_MANY, NULL),
    .run = run,
};
