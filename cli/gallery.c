/* seedbed gallery: a page that shows tasks and plays an episode of each. */
#include "exporters/gallery.h"

#include "base/error.h"
#include "cli/playground.h"

typedef struct gallery_options {
    cli_common common;
    sb_request request;
    uint64_t seed, size;
    const char *output;
} gallery_options;

static const cli_option options[] = {
    {"output", 'o', "FILE", "the page (-: print it)", CLI_TEXT(gallery_options, output, CLI_OUTPUT)},
    {"family", 0, "NAME", "only this family (default: all)", CLI_TEXT(gallery_options, request.family, CLI_FAMILY)},
    {"tasks", 't', "A,B", "only these tasks", CLI_TEXT(gallery_options, request.tasks, CLI_TASKS)},
    {"category", 0, "A,B", "only tasks of these categories",
     CLI_TEXT(gallery_options, request.category, CLI_CATEGORIES)},
    {"difficulty", 'd', "A,B", "only these difficulties",
     CLI_TEXT(gallery_options, request.difficulty, CLI_DIFFICULTIES)},
    {"seed", 0, "N", "the first seed that is tried (default 0)", CLI_NUMBER(gallery_options, seed)},
    {"size", 0, "N", "look isometric: side of the picture, in pixels (default 512)", CLI_NUMBER(gallery_options, size),
     CLI_RANGE(64, 1024)}};

static int run(const cli_command *self, void *given, const char *const *arguments, size_t n) {
    (void)arguments, (void)n;
    gallery_options *o = given;
    sb_error error;
    sb_out page = sb_out_growing();
    sb_file file = {0};
    if (!o->output) return cli_usage(self, "name the page with -o PAGE.html, or - to print it");
    o->request.catalogue = o->common.catalogue;
    cli_progress progress = cli_progress_begin(o->common.quiet, "played", "episodes");
    const sb_gallery_options how = {.request = o->request,
                                    .seed = o->seed,
                                    .size = (int32_t)o->size,
                                    .jobs = o->common.jobs,
                                    .playground = cli_playground_beside(o->output),
                                    .progress = cli_progress_show,
                                    .context = &progress};
    bool ok = cli_output_open(&file, o->output, &error) && sb_gallery_make(&how, &page, &error);
    cli_progress_end(&progress);
    ok = ok && cli_output_put(&file, o->output, &page, &error);
    sb_file_discard(&file);
    const int status = ok ? cli_tell_page(&o->common, o->output, &page) : cli_fail(&error);
    sb_out_free(&page);
    return status;
}

const cli_command cli_gallery = {
    .name = "gallery",
    .group = CLI_TO_LOOK,
    .summary = "make a page that shows every task and plays an episode of each",
    .usage = "-o PAGE.html [--family NAME] [--tasks A,B] [--category A,B] [--difficulty A,B]",
    .help = "Writes one HTML file that needs no network: the first state of an episode for every task and difficulty\n"
            "of all families. A click plays the episode, as the expert plays it, or the family's teacher, or else\n"
            "random play. Where a task can be solved, the episode is the first of ten seeds in which that succeeds.\n"
            "Tasks that you bring with --program are shown, too. A page has at most 5 MB.\n\n"
            "  seedbed gallery -o gallery.html\n"
            "  seedbed gallery -o maze.html --tasks MazeNavigation --seed 7 --size 512\n"
            "  seedbed gallery -o mine.html --family autumn --program mine.sexp",
    CLI_OPTIONS(gallery_options, options),
    .run = run,
};
