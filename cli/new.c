/* seedbed new: writes a first world, a page of text from which a task comes. */
#include <ctype.h>
#include <stdio.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "generators/autumn/worlds/first.h"

typedef struct new_options {
    cli_common common;
    const char *like, *output;
} new_options;

static const cli_option options[] = {
    {"like", 0, "NAME", "what it is like: sokoban (default), clicks, hidden (something nobody sees), chance",
     CLI_TEXT(new_options, like, CLI_WORD), CLI_WORDS("sokoban", "clicks", "hidden", "chance")},
    {"output", 'o', "FILE", "the file (default: the name in small letters, with .sexp; -: print it)",
     CLI_TEXT(new_options, output, CLI_OUTPUT)}};

/* `crates.sexp` for Crates. */
static const char *usual_path(const char *name, char *path, size_t capacity) {
    snprintf(path, capacity, "%s.sexp", name);
    for (char *c = path; *c; c++) *c = (char)tolower((unsigned char)*c);
    return path;
}

static bool write_world(const char *path, const sb_out *text, sb_error *error) {
    sb_file file = {0};
    if (sb_file_exists(path) || sb_is_link(path))
        return sb_fail(error, SB_INVALID, "%s is there already; name another file with -o", sb_path_end(path));
    const bool ok = cli_output_open(&file, path, error) && cli_output_save(&file, text, error);
    sb_file_discard(&file);
    return ok;
}

static int tell(const new_options *o, const char *name, const char *path) {
    sb_out out = sb_out_growing();
    if (o->common.json) {
        sb_puts(&out, "{");
        sb_member_text(&out, "name", name);
        sb_member_text(&out, "file", path);
        sb_puts(&out, "}\n");
        return cli_emit(&out, CLI_DATA);
    }
    if (!o->common.quiet)
        sb_putf(&out,
                "%s holds the world %s, which already plays; change it as you like:\n"
                "  seedbed autumn check %s\n"
                "  seedbed play %s/easy#1\n"
                "  seedbed solve %s/easy#1 --explain\n",
                path, name, path, path, path);
    return cli_emit(&out, CLI_PROSE);
}

static int run(const cli_command *self, void *given, const char *const *arguments, size_t n) {
    const new_options *o = given;
    const char *name = arguments[0];
    char usual[SB_NAME_MAX];
    const char *path = o->output ? o->output : usual_path(name, usual, sizeof usual);
    sb_error error;
    sb_out text = sb_out_growing();
    (void)self, (void)n;
    bool ok = sb_first_world(o->like, name, &text, &error);
    if (ok && cli_is_dash(path)) return cli_emit(&text, CLI_DATA);
    ok = ok && write_world(path, &text, &error);
    sb_out_free(&text);
    return ok ? tell(o, name, path) : cli_fail(&error);
}

const cli_command cli_new = {
    .name = "new",
    .group = CLI_TO_MAKE,
    .summary = "write a first world: a page of text from which a task comes",
    .usage = "NAME [--like sokoban|clicks|hidden|chance] [-o FILE]",
    .help = "Writes a small world that already plays, with comments that say what stands where. Change it, and let\n"
            "`seedbed autumn check` say what is wrong with it; every command takes it with --program. No file is\n"
            "overwritten.\n\n"
            "  seedbed new Crates\n"
            "  seedbed new Lamps --like clicks -o worlds/lamps.sexp\n\n"
            "docs/worlds.md tells the rest.",
    CLI_OPTIONS(new_options, options),
    .defaults = &(const new_options){.like = "sokoban"},
    CLI_ARGUMENTS(CLI_ANYTHING, 1, 1, "name the world, such as `seedbed new Crates`"),
    .run = run,
};
