#include "cli/choosing.h"

#include "engine/lookup.h"

static void show(void *context, size_t measured, size_t total) {
    cli_choosing *c = context;
    if (!c->begun) c->progress = cli_progress_begin(c->quiet, "measured", "episodes");
    c->begun = true;
    cli_progress_show(&c->progress, measured, total);
}

static void end(void *context) {
    cli_choosing *c = context;
    if (c->begun) cli_progress_end(&c->progress);
    c->begun = false;
}

bool cli_choosing_begin(cli_choosing *c, const cli_common *common, sb_catalogue *catalogue, sb_error *error) {
    const sb_chooser_settings settings = {.jobs = common->jobs, .progress = show, .end = end, .context = c};
    *c = (cli_choosing){.quiet = common->quiet, .chooser = sb_chooser_make(&settings, error)};
    if (!c->chooser) return false;
    sb_catalogue_set_chooser(catalogue, sb_chooser_face(c->chooser));
    return !common->atlas || sb_chooser_load(c->chooser, catalogue, common->atlas, error);
}

void cli_choosing_end(cli_choosing *c) { sb_chooser_free(c->chooser); }
