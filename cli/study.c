/* seedbed study: people play episodes, and what they did is kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/command.h"
#include "cli/playground.h"
#include "cli/plugin.h"
#include "evaluation/study/server.h"
#include "rollout/recorded.h"

enum { CONNECTIONS_MAX = 100000, THREADS_MAX = 256, BODY_MAX_KIB = 16 << 10 };

typedef struct study_options {
    cli_common common;
    const char *output, *module, *page, *collect, *listen, *origin, *participant;
    uint64_t place, participants, threads, connections, seconds, body, rate, each;
    bool has_place;
} study_options;

static const cli_option options[] = {
    {"output", 'o', "PATH", "of page: the file (-: print it); of serve and add: the folder of plays",
     CLI_TEXT(study_options, output, CLI_OUTPUT)},
    {"module", 0, "FILE", "of page and serve: seedbed.wasm (default: that beside the program's own files)",
     CLI_TEXT(study_options, module, CLI_FILE)},
    {"collect", 0, "URL", "of page: the URL to which it sends what was played (default: it offers a file)",
     CLI_TEXT(study_options, collect, CLI_ANYTHING)},
    {"listen", 0, "HOST:PORT", "of serve: where it listens (default 127.0.0.1:8000; port 0: one that is free)",
     CLI_TEXT(study_options, listen, CLI_ANYTHING)},
    {"page", 0, "FILE", "of serve: serve this page instead of making one", CLI_TEXT(study_options, page, CLI_FILE)},
    {"origin", 0, "URL", "of serve: only pages of this site may send: https://example.org (default: its own)",
     CLI_TEXT(study_options, origin, CLI_ANYTHING)},
    {"participants", 0, "N", "of serve and add: how many are taken at most (default 1000)",
     CLI_NUMBER(study_options, participants), CLI_RANGE(1, 100000)},
    {"threads", 0, "N", "of serve: threads that answer (default 8)", CLI_NUMBER(study_options, threads),
     CLI_RANGE(1, THREADS_MAX)},
    {"connections", 0, "N", "of serve: connections at the same time (default 500)",
     CLI_NUMBER(study_options, connections), CLI_RANGE(1, CONNECTIONS_MAX)},
    {"timeout", 0, "S", "of serve: seconds for a request to arrive; for its answer three times as many (default 20)",
     CLI_NUMBER(study_options, seconds), CLI_RANGE(1, 3600)},
    {"body", 0, "N", "of serve: the largest record that is taken, in KiB (default 512)",
     CLI_NUMBER(study_options, body), CLI_RANGE(1, BODY_MAX_KIB)},
    {"rate", 0, "N", "of serve: records that are taken of all participants in a second (default 300)",
     CLI_NUMBER(study_options, rate), CLI_RANGE(1, 1000000)},
    {"each", 0, "N", "of serve: records that are taken of one participant in ten seconds (default 20)",
     CLI_NUMBER(study_options, each), CLI_RANGE(1, 1000000)},
    {"participant", 0, "HEX", "of check: also print this participant's order",
     CLI_TEXT(study_options, participant, CLI_ANYTHING)},
    {"place", 0, "N", "of check: how many joined before this participant (default: not known)",
     CLI_NUMBER(study_options, place), CLI_GIVEN(study_options, has_place)},
};

static void warn_of_lock(bool lacks_lock, const char *folder) {
    if (lacks_lock) cli_warn("seedbed: note: %s: " SB_LOCK_MISSING "\n", CLI_PLAIN(folder));
}

/* ---- check ---- */

static void put_names(const sb_study *study, const uint32_t *order, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_puts(out, "[");
    for (size_t i = 0; i < study->played; i++) {
        sb_name_print(&study->episodes[order[i]], name, sizeof name);
        sb_put_comma(out), sb_put_json_string(out, name);
    }
    sb_puts(out, "]");
}

static void put_facts(const sb_study *study, const uint32_t *order, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "name", study->name), sb_member_text(out, "sha256", study->digest);
    sb_member_uint(out, "listed", study->n), sb_member_uint(out, "episodes", study->played);
    sb_member_uint(out, "questions", study->n_questions);
    sb_member_double(out, "minutes", sb_study_minutes(study));
    if (order) sb_put_key(out, "order"), put_names(study, order, out);
    sb_puts(out, "}\n");
}

static void put_words(const sb_study *study, const uint32_t *order, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_study_tell(study, out);
    if (order) sb_puts(out, "this participant's order:\n");
    for (size_t i = 0; order && i < study->played; i++) {
        sb_name_print(&study->episodes[order[i]], name, sizeof name);
        sb_putf(out, "  %zu. %s\n", i + 1, name);
    }
}

static bool tell_study(const study_options *o, const sb_study *study, sb_out *out, sb_error *error) {
    uint32_t *order = NULL;
    if (o->participant && !sb_is_participant(o->participant))
        return sb_fail(error, SB_INVALID, "--participant should be 16 hexadecimal digits in lower case");
    if (o->participant && !(order = calloc(study->n, sizeof *order)))
        return sb_fail(error, SB_MEMORY, "out of memory for an order");
    const bool ok = !order || sb_study_draw(study, o->participant, o->has_place ? o->place : UINT64_MAX, order, error);
    if (ok) (o->common.json ? put_facts : put_words)(study, order, out);
    free(order);
    return ok;
}

static int check(const cli_command *self, const void *options, const char *const *arguments, size_t n) {
    const study_options *o = options;
    sb_study study = {0};
    sb_error error;
    sb_out out = sb_out_growing();
    (void)n;
    if (o->has_place && !o->participant) return cli_usage(self, "--place is for --participant");
    const bool ok = sb_study_load(&study, o->common.catalogue, arguments[0], &error) &&
                    tell_study(o, &study, &out, &error);
    sb_study_free(&study);
    if (ok) return cli_emit(&out, cli_data_if(o->common.json));
    sb_out_free(&out);
    return cli_fail(&error);
}

/* ---- page ---- */

static bool select_episodes(const sb_study *study, const sb_catalogue *catalogue, sb_selection *selection,
                            sb_error *error) {
    size_t capacity = 0;
    bool ok = true;
    selection->catalogue = catalogue;
    for (size_t i = 0; ok && i < study->n; i++) {
        char text[SB_NAME_MAX];
        sb_name name;
        sb_resolved of;
        sb_name_print(&study->episodes[i], text, sizeof text);
        ok = sb_resolve_text(catalogue, text, &name, &of, error) &&
             sb_selection_add(selection, &of, name.seed, &capacity, error);
    }
    return ok;
}

static bool make_page(const study_options *o, const sb_study *study, const char *collect, sb_out *page,
                      sb_error *error) {
    sb_selection listed = {0};
    sb_out module = sb_out_growing(), text = sb_out_growing();
    sb_put(&text, study->text.data, study->text.size), sb_putc(&text, '\0');
    bool ok = sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for the page");
    ok = ok && cli_playground_module(o->module, &module, error) &&
         select_episodes(study, o->common.catalogue, &listed, error);
    const sb_playground playground = {
        .module = &module, .listed = &listed, .catalogue = o->common.catalogue, .study = text.data, .collect = collect};
    ok = ok && sb_playground_put(&playground, page, error);
    sb_selection_free(&listed);
    sb_out_free(&module), sb_out_free(&text);
    return ok;
}

static int page(const cli_command *self, const void *options, const char *const *arguments, size_t n) {
    const study_options *o = options;
    sb_study study = {0};
    sb_error error;
    sb_file file = {0};
    sb_out out = sb_out_growing();
    (void)n;
    if (!o->output) return cli_usage(self, "name the page with -o PAGE.html, or - to print it");
    const bool ok = sb_study_load(&study, o->common.catalogue, arguments[0], &error) &&
                    cli_output_open(&file, o->output, &error) && make_page(o, &study, o->collect, &out, &error) &&
                    cli_output_put(&file, o->output, &out, &error);
    const int status = ok ? cli_tell_page(&o->common, o->output, &out) : cli_fail(&error);
    sb_file_discard(&file);
    sb_study_free(&study);
    sb_out_free(&out);
    return status;
}

/* ---- serve ---- */

static void say_ready(void *context, const char *address, unsigned port) {
    const study_options *o = context;
    if (!o->common.quiet) cli_warn("serving on http://%s:%u/; Ctrl-C ends\n", CLI_PLAIN(address), port);
}

static bool load_page(const study_options *o, const sb_study *study, sb_out *out, sb_error *error) {
    if (o->page) return sb_file_load_plain(o->page, SB_PLAYGROUND_MOST, out, error);
    return make_page(o, study, &SB_COLLECT_PATH[1], out, error);
}

static bool serve_plays(study_options *o, const sb_study *study, const sb_out *page, sb_collection *collection,
                        sb_error *error) {
    const sb_study_serving serving = {.study = study,
                                      .catalogue = o->common.catalogue,
                                      .collection = collection,
                                      .page = page,
                                      .listen = o->listen,
                                      .origin = o->origin,
                                      .threads = o->threads,
                                      .connections = o->connections,
                                      .seconds = o->seconds,
                                      .body = o->body << 10,
                                      .rate = o->rate,
                                      .each = o->each,
                                      .now = cli_now,
                                      .ready = say_ready,
                                      .context = o};
    size_t participants, tapes;
    warn_of_lock(sb_collection_lacks_lock(collection), o->output);
    cli_expect_programs();
    if (!sb_study_serve(&serving, error)) return false;
    sb_collection_count(collection, &participants, &tapes);
    if (!o->common.quiet) cli_warn("%zu tapes of %zu participants in %s\n", tapes, participants, CLI_PLAIN(o->output));
    return true;
}

static int serve(const cli_command *self, const void *options, const char *const *arguments, size_t n) {
    study_options o = *(const study_options *)options;
    sb_study study = {0};
    sb_error error;
    sb_collection *collection = NULL;
    sb_out page = sb_out_growing();
    (void)n;
    if (!o.output) return cli_usage(self, "name the folder of plays with -o DIR");
    if (o.page && o.module)
        return cli_usage(self, "--page serves a page that is there, --module makes one: choose one");
    const bool ok = sb_study_load(&study, o.common.catalogue, arguments[0], &error) &&
                    load_page(&o, &study, &page, &error) &&
                    (collection = sb_collection_open(&study, o.common.catalogue, o.output, o.participants, &error)) &&
                    serve_plays(&o, &study, &page, collection, &error);
    sb_collection_close(collection);
    sb_study_free(&study);
    sb_out_free(&page);
    return ok ? CLI_OK : cli_fail(&error);
}

/* ---- add ---- */

typedef struct adding {
    const study_options *options;
    const sb_study *study;
    sb_collection *collection;
    sb_env *env;
    size_t kept, known;
} adding;

static bool add_line(adding *a, const sb_out *line, sb_error *error) {
    sb_posted posted = {0};
    uint64_t place;
    bool ok = sb_posted_read(&posted, a->study, a->options->common.catalogue, line->data, line->size, error);
    if (ok) {
        const sb_posted_fate fate = sb_collection_take(a->collection, &posted, a->env, &place, error);
        a->kept += fate == SB_POSTED_KEPT, a->known += fate == SB_POSTED_KNOWN;
        ok = fate == SB_POSTED_KEPT || fate == SB_POSTED_KNOWN;
    }
    sb_posted_free(&posted);
    return ok;
}

static bool add_file(adding *a, const char *path, sb_error *error) {
    sb_lines lines;
    bool ok = sb_lines_open(&lines, path, SB_TAPE_BYTES, error);
    while (ok && sb_lines_next(&lines, error))
        ok = add_line(a, &lines.line, error) || sb_fail_at(error, "%s, line %zu", sb_path_end(path), lines.number);
    ok = ok && error->code == SB_OK;
    sb_lines_close(&lines);
    return ok;
}

static int add(const cli_command *self, const void *options, const char *const *arguments, size_t n) {
    const study_options *o = options;
    sb_study study = {0};
    sb_error error;
    adding a = {.options = o, .study = &study};
    if (!o->output) return cli_usage(self, "name the folder of plays with -o DIR");
    bool ok = sb_study_load(&study, o->common.catalogue, arguments[0], &error) &&
              (a.env = sb_make(o->common.catalogue, NULL, &error)) &&
              (a.collection = sb_collection_open(&study, o->common.catalogue, o->output, o->participants, &error));
    if (ok) warn_of_lock(sb_collection_lacks_lock(a.collection), o->output);
    for (size_t i = 1; ok && i < n; i++) ok = add_file(&a, arguments[i], &error);
    sb_collection_close(a.collection);
    sb_free(a.env);
    sb_study_free(&study);
    if (!o->common.quiet && (a.kept || a.known || ok))
        cli_say("%s: %zu records added, %zu were there already\n", CLI_PLAIN(o->output), a.kept, a.known);
    return ok ? CLI_OK : cli_fail(&error);
}

/* ---- forget ---- */

static int forget(const cli_command *self, const void *options, const char *const *arguments, size_t n) {
    const study_options *o = options;
    sb_error error;
    size_t lines;
    bool lacks_lock;
    (void)self, (void)n;
    if (!sb_collection_forget(arguments[1], arguments[0], &lines, &lacks_lock, &error)) return cli_fail(&error);
    warn_of_lock(lacks_lock, arguments[1]);
    if (!o->common.quiet)
        cli_say("%s: %zu line%s of %s deleted\n", CLI_PLAIN(arguments[1]), lines, sb_plural(lines), arguments[0]);
    return lines ? CLI_OK : CLI_FOUND;
}

/* ---- The command ---- */

static const cli_belonging belonging[] = {{"output", "page, serve, add"},
                                          {"module", "page, serve"},
                                          {"collect", "page"},
                                          {"listen", "serve"},
                                          {"page", "serve"},
                                          {"origin", "serve"},
                                          {"participants", "serve, add"},
                                          {"threads", "serve"},
                                          {"connections", "serve"},
                                          {"timeout", "serve"},
                                          {"body", "serve"},
                                          {"rate", "serve"},
                                          {"each", "serve"},
                                          {"participant", "check"},
                                          {"place", "check"},
                                          {"json", "check, page"},
                                          {NULL, NULL}};

static const cli_verb verbs[] = {{"check", check, 1, 1, "name one study"},
                                 {"page", page, 1, 1, "name one study"},
                                 {"serve", serve, 1, 1, "name one study"},
                                 {"add", add, 2, CLI_MANY, "name the study and the files that participants handed in"},
                                 {"forget", forget, 2, 2, "name the participant and the folder of plays"},
                                 {.word = NULL}};

const cli_command cli_study = {
    .name = "study",
    .group = CLI_TO_MEASURE,
    .summary = "let people play: lead participants through a study, and keep what they did",
    .usage = "check STUDY | page STUDY -o FILE | serve STUDY -o DIR | add STUDY FILE... -o DIR | forget WHO DIR",
    .help =
        "A study is a JSON document: which episodes, in which order, within which limits, what participants are told\n"
        "and asked (docs/studies.md). `check` reads it and prints what a participant will see. `page` makes the page,\n"
        "which without a server offers a file in the end. `serve` serves the page, replays every tape that comes\n"
        "back, and keeps it in the folder DIR; it stands behind a proxy that speaks TLS, and ends on SIGINT or\n"
        "SIGTERM. `add` puts files of participants into such a folder. `forget` deletes all of a participant.\n\n"
        "  seedbed study check study.json\n"
        "  seedbed study page study.json -o study.html\n"
        "  seedbed study serve study.json --listen 127.0.0.1:8000 -o plays\n"
        "  seedbed study add study.json mine.jsonl -o plays\n"
        "  seedbed study forget 0123456789abcdef plays\n\n"
        "`seedbed humans plays -o humans.json` measures what is kept. Exit code 1 if there was nothing to forget.",
    CLI_OPTIONS(study_options, options),
    .defaults = &(const study_options){.listen = "127.0.0.1:8000",
                                       .participants = 1000,
                                       .threads = 8,
                                       .connections = 500,
                                       .seconds = 20,
                                       .body = 512,
                                       .rate = 300,
                                       .each = 20},
    CLI_ARGUMENTS(CLI_FILE, 1, CLI_MANY,
                  "say what to do: check STUDY, page STUDY, serve STUDY, add STUDY FILE... or forget WHO DIR"),
    .verbs = verbs,
    .belonging = belonging,
    .run = cli_run_verb,
};
