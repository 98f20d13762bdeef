/* seedbed questions: writes the challenges of a pack as data. */
#include <stdio.h>
#include <string.h>

#include "base/word.h"
#include "cli/command.h"
#include "generators/autumn/challenges/question_files.h"

typedef struct questions_options {
    cli_common common;
    const char *output, *form, *apart_from;
} questions_options;

static const cli_option options[] = {
    {"output", 'o', "NAME", "write questions to NAME.jsonl and answers to NAME.answers.jsonl; published: a folder",
     CLI_TEXT(questions_options, output, CLI_OUTPUT)},
    {"form", 0, "FORM", "questions, conversations (both of predictions only), or published (default: questions)",
     CLI_TEXT(questions_options, form, CLI_WORD), CLI_WORDS("questions", "conversations", "published")},
    {"apart-from", 0, "PACK", "leave out challenges that this pack has under the same name, or that ask the same",
     CLI_TEXT(questions_options, apart_from, CLI_FILE)},
};

/* Puts the name that the files have before their ending, which people may leave out. */
static void put_stem(char stem[1024], const questions_options *o, bool published) {
    static const char ending[] = ".jsonl";
    size_t n = strlen(o->output);
    if (!published && sb_ends_with(o->output, ending)) n -= strlen(ending);
    snprintf(stem, 1024, "%.*s", (int)(n < 1000 ? n : 1000), o->output);
}

static bool replaces(const char *stem, const char *pack) {
    const size_t n = strlen(stem);
    return strncmp(pack, stem, n) == 0 && strcmp(pack + n, ".jsonl") == 0;
}

static int run(const cli_command *self, void *given, const char *const *paths, size_t n) {
    const questions_options *o = given;
    char stem[1024];
    sb_autumn_question_files files = {
        .pack = paths[0], .output = stem, .apart_from = o->apart_from, .catalogue = o->common.catalogue};
    sb_out said = sb_out_growing();
    sb_error error;
    (void)n;
    if (!o->output || cli_is_dash(o->output)) return cli_usage(self, "-o wants a name for the files");
    while (strcmp(sb_autumn_question_forms[files.form], o->form) != 0) files.form++;
    const bool published = files.form == SB_AUTUMN_FORM_PUBLISHED;
    put_stem(stem, o, published);
    if (!published && replaces(stem, paths[0])) return cli_usage(self, "-o wants another name than that of the pack");
    if (!sb_autumn_write_questions(&files, &error)) return cli_fail(&error);
    if (o->common.json) {
        sb_puts(&said, "{");
        sb_member_uint(&said, "written", files.written);
        sb_member_uint(&said, "left_out", files.left_out);
        sb_puts(&said, "}\n");
    } else if (!o->common.quiet) {
        sb_putf(&said, "%zu challenge%s written, %zu left out to keep the packs apart\n", files.written,
                sb_plural(files.written), files.left_out);
    }
    return cli_emit(&said, cli_data_if(o->common.json));
}

const cli_command cli_questions = {
    .name = "questions",
    .group = CLI_TO_MAKE,
    .summary = "write challenges in Autumn as questions, conversations or published files",
    .usage = "PACK -o NAME [--form FORM] [--apart-from PACK]",
    .help =
        "Writes the challenges of a pack as data, with the answers always in files of their own. Questions and\n"
        "conversations are of predictions: the frames, what was done, and six options. The published form has a file\n"
        "and an answer for each challenge of any kind, such as Seesaw_mfp_2_1.json and Seesaw_mfp_2_1_answer.json; of "
        "a\n"
        "pack with one challenge for each program and kind, Seesaw_mfp.json and Seesaw_mfp_answer.json, as "
        "published.\n\n"
        "  seedbed challenges -o train.jsonl --seed 1000 --count 20\n"
        "  seedbed questions train.jsonl --apart-from seeds/autumn.jsonl.gz --form conversations -o train-chat\n"
        "  seedbed questions seeds/autumn-canonical.jsonl.gz --form published -o published",
    CLI_OPTIONS(questions_options, options),
    .defaults = &(const questions_options){.form = "questions"},
    CLI_ARGUMENTS(CLI_FILE, 1, 1, "name one pack of challenges"),
    .run = run,
};
