#include "evaluation/playground.h"

#include <string.h>

#include "base/error.h"
#include "base/gzip.h"
#include "base/hash.h"
#include "base/json.h"
#include "engine/lookup.h"
#include "evaluation/shipped.h"

typedef struct text {
    const void *bytes;
    size_t n;
} text;

static bool has_text(const sb_out *bytes, const char *text) {
    const size_t n = strlen(text);
    for (size_t i = 0; i + n <= bytes->size; i++)
        if (bytes->data[i] == *text && memcmp(bytes->data + i, text, n) == 0) return true;
    return false;
}

bool sb_playground_check_module(const sb_out *bytes, const char *name, sb_error *error) {
    if (bytes->size <= 8 || memcmp(bytes->data, "\0asm", 4) != 0)
        return sb_fail(error, SB_INVALID, "%s is no WebAssembly module", name);
    return has_text(bytes, SB_WEB_SOURCES) ||
           sb_fail(error, SB_VERSION_OTHER,
                   "%s does not go with this program, which is from other sources: take that of the same release, or "
                   "build it with ./scripts/wasm",
                   name);
}

/* ---- What the page has inside, in elements that browsers do not run ---- */

static void put_element(sb_out *out, const char *id, const char *type) {
    sb_putf(out, "<script id=\"%s\" type=\"%s\">", id, type);
}

/* A document in JSON; `<` would end the element. */
static void put_document(sb_out *out, const char *id, const char *document, size_t n) {
    put_element(out, id, "application/json");
    for (size_t i = 0; i < n; i++) document[i] == '<' ? sb_puts(out, "\\u003c") : sb_putc(out, document[i]);
    sb_puts(out, "</script>\n");
}

static bool put_packed(sb_out *out, const char *id, const sb_out *content, sb_error *error) {
    sb_gzip gzip = {0};
    sb_out packed = sb_out_growing();
    const bool ok = (sb_out_ok(content) || sb_fail(error, SB_MEMORY, "out of memory for the page")) &&
                    sb_gzip_member(&gzip, 9, content->data, content->size, &packed, error);
    put_element(out, id, "application/gzip");
    if (ok) sb_put_base64(out, packed.data, packed.size);
    sb_puts(out, "</script>\n");
    sb_gzip_free(&gzip);
    sb_out_free(&packed);
    return ok;
}

/* Begins the list of seeds of one task and difficulty. */
static void put_place(sb_out *out, const sb_selection *listed, size_t i) {
    char name[SB_NAME_MAX];
    sb_name of;
    sb_name_print(sb_selection_name(listed, i, &of), name, sizeof name);
    *strrchr(name, '#') = '\0';
    sb_put_key(out, name);
    sb_puts(out, "[");
}

/* Adds the seeds of a selection by names without their seeds. They are texts: a double cannot hold all. */
static void put_seeds(sb_out *out, const sb_selection *listed) {
    for (size_t i = 0; i < listed->n; i++) {
        const bool is_first = i == 0 || !sb_same_chosen_pair(&listed->episodes[i - 1], &listed->episodes[i]);
        if (is_first && i) sb_puts(out, "]");
        if (is_first) put_place(out, listed, i);
        sb_put_comma(out);
        sb_putf(out, "\"%llu\"", (unsigned long long)listed->episodes[i].seed);
    }
    if (listed->n) sb_puts(out, "]");
}

/* The usual lists of every family. */
static bool put_official(sb_out *out, sb_error *error) {
    const sb_family *family;
    bool ok = true;
    for (size_t i = 0; ok && (family = sb_family_at(i)); i++) {
        const sb_request request = {.family = sb_family_name(family)};
        sb_selection listed = {0};
        if ((ok = sb_select(&request, &listed, error))) put_seeds(out, &listed);
        sb_selection_free(&listed);
    }
    return ok;
}

static bool put_lists(sb_out *out, const sb_playground *p, sb_error *error) {
    sb_out seeds = sb_out_growing();
    sb_puts(&seeds, "{");
    if (p->listed) put_seeds(&seeds, p->listed);
    bool ok = p->listed || put_official(&seeds, error);
    sb_puts(&seeds, "}");
    ok = ok && put_packed(out, "seeds", &seeds, error);
    sb_out_free(&seeds);
    return ok;
}

static bool put_programs(sb_out *out, const sb_catalogue *catalogue, sb_error *error) {
    sb_out programs = sb_out_growing();
    const sb_program *program;
    sb_puts(&programs, "[");
    for (size_t i = 0; catalogue && (program = sb_program_at(catalogue, i)); i++)
        sb_put_comma(&programs), sb_put_json_string(&programs, program->text);
    sb_puts(&programs, "]");
    const bool ok = sb_out_ok(&programs) || sb_fail(error, SB_MEMORY, "out of memory for the page");
    if (ok) put_document(out, "programs", programs.data, programs.size);
    sb_out_free(&programs);
    return ok;
}

/* Puts a line for each stored start: the episode's name, a tab, and the document as a text. */
static bool put_starts(sb_out *out, const sb_catalogue *catalogue, sb_error *error) {
    sb_out starts = sb_out_growing();
    const char *document;
    sb_name of;
    size_t n;
    for (size_t i = 0; (document = sb_catalogue_document_at(catalogue, i, &of, &n)); i++) {
        char name[SB_NAME_MAX];
        sb_name_print(&of, name, sizeof name);
        sb_puts(&starts, name), sb_puts(&starts, "\t");
        sb_put_json_bytes(&starts, document, n), sb_puts(&starts, "\n");
    }
    const bool ok = starts.size == 0 || put_packed(out, "starts", &starts, error);
    sb_out_free(&starts);
    return ok;
}

static void put_text(sb_out *out, const char *id, const char *value) {
    sb_out quoted = sb_out_growing();
    sb_put_json_string(&quoted, value);
    put_document(out, id, quoted.data, sb_out_ok(&quoted) ? quoted.size : 0);
    if (!sb_out_ok(&quoted)) out->failed = true;
    sb_out_free(&quoted);
}

static bool put_data(sb_out *out, const sb_playground *p, sb_error *error) {
    const char *page = p->listed ? "{\"isRestricted\": true}" : "{\"isRestricted\": false}";
    put_document(out, "page", page, strlen(page));
    if (p->study) put_document(out, "study", p->study, strlen(p->study));
    if (p->collect) put_text(out, "collect", p->collect);
    if (!put_lists(out, p, error) || !put_programs(out, p->catalogue, error) || !put_starts(out, p->catalogue, error) ||
        !put_packed(out, "module", p->module, error))
        return false;
    put_element(out, "worker", "text/plain");
    sb_put(out, (const char *)sb_shipped_playground_worker, sb_shipped_playground_worker_size);
    sb_puts(out, "</script>\n");
    return true;
}

/* ---- What the page may do: run its own script and module, and reach the one place that collects ---- */

/* The part of an address that a policy names: `https://host:port`. 0: it is relative to the page's own. */
static size_t origin_of(const char *address) {
    const char *host = strstr(address, "://");
    return host ? (size_t)(host + 3 - address) + strcspn(host + 3, "/?#") : 0;
}

static bool put_connections(sb_out *out, const char *collect, sb_error *error) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:/[]";
    const size_t n = collect ? origin_of(collect) : 0;
    if (!collect) return true;
    if (n &&
        ((strncmp(collect, "http://", 7) != 0 && strncmp(collect, "https://", 8) != 0) || strspn(collect, letters) < n))
        return sb_fail(error, SB_INVALID, "tapes are collected at an address of http or https, and not at `%.80s`",
                       collect);
    sb_puts(out, "; connect-src ");
    if (n)
        sb_put(out, collect, n);
    else
        sb_puts(out, "'self'");
    return true;
}

static void put_hash(sb_out *out, text part) {
    uint8_t digest[32];
    sb_sha256_of(part.bytes, part.n, digest);
    sb_puts(out, "'sha256-");
    sb_put_base64(out, (const char *)digest, sizeof digest);
    sb_puts(out, "'");
}

static bool put_policy(sb_out *out, text style, text script, const char *collect, sb_error *error) {
    sb_puts(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
                 "form-action 'none'; worker-src blob:; style-src ");
    put_hash(out, style);
    sb_puts(out, "; script-src 'wasm-unsafe-eval' ");
    put_hash(out, script);
    if (!put_connections(out, collect, error)) return false;
    sb_puts(out, "\">\n");
    return true;
}

/* ---- The page ---- */

static const char head[] = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<meta name=\"color-scheme\" content=\"light dark\">\n";

static bool fail_too_large(size_t size, sb_error *error) {
    return sb_fail(
        error, SB_INVALID,
        "the page would have %.1f MB, and at most %.1f are made: give fewer challenges (--challenges, --pack)",
        (double)size * 1e-6, SB_PLAYGROUND_MOST * 1e-6);
}

bool sb_playground_put(const sb_playground *p, sb_out *out, sb_error *error) {
    const text style = {sb_shipped_playground_style, sb_shipped_playground_style_size},
               script = {sb_shipped_playground_script, sb_shipped_playground_script_size};
    sb_puts(out, head);
    if (!put_policy(out, style, script, p->collect, error)) return false;
    sb_puts(out, "<title>Seedbed playground</title>\n<style>");
    sb_put(out, style.bytes, style.n);
    sb_puts(out, "</style>\n</head>\n<body>\n");
    sb_put(out, (const char *)sb_shipped_playground_body, sb_shipped_playground_body_size);
    if (!put_data(out, p, error)) return false;
    sb_puts(out, "<script>");
    sb_put(out, script.bytes, script.n);
    sb_puts(out, "</script>\n</body>\n</html>\n");
    if (!sb_out_ok(out)) return sb_fail(error, SB_MEMORY, "out of memory for the page");
    return out->size <= SB_PLAYGROUND_MOST || fail_too_large(out->size, error);
}
