#include "evaluation/arena/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "evaluation/models/measures.h"
#include "evaluation/models/members.h"

#define TEXT_BEGINS "{\"text\":\""

enum { ANSWERS_BYTES = 1 << 30, LONG_TEXT = 200 };

static bool no_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for a journal"); }

static bool fail_here(const sb_answers *a, sb_error *error, const char *why) {
    return sb_fail(error, SB_MISMATCH, "%s, line %zu: %s", sb_path_end(a->path), a->lines + 2, why);
}

/* ---- Texts that stand once --------------------------------------------------------------------------------------- */

static uint32_t *slot_of(const sb_answers *a, uint32_t *slots, size_t n, const uint64_t hash[2]) {
    size_t at = hash[0] & (n - 1);
    while (slots[at] && memcmp(a->known[slots[at] - 1].hash, hash, 2 * sizeof *hash) != 0) at = (at + 1) & (n - 1);
    return &slots[at];
}

static bool grow(sb_answers *a) {
    const size_t n = a->n_slots ? 2 * a->n_slots : 256;
    sb_answers_text *known = realloc(a->known, n * sizeof *known);
    if (known) a->known = known;
    uint32_t *slots = known ? calloc(n, sizeof *slots) : NULL;
    if (!slots) return false;
    for (size_t i = 0; i < a->n_known; i++) *slot_of(a, slots, n, a->known[i].hash) = (uint32_t)i + 1;
    free(a->slots);
    a->slots = slots, a->n_slots = a->capacity = n;
    return true;
}

/* Returns the number of a text, from 1, which is added if it is new; 0 without memory. */
static uint32_t number_of(sb_answers *a, const char *text, size_t n, bool *is_new) {
    uint64_t hash[2];
    sb_hash128(text, n, hash);
    if (2 * (a->n_known + 1) > a->n_slots && !grow(a)) return 0;
    uint32_t *slot = slot_of(a, a->slots, a->n_slots, hash);
    *is_new = !*slot;
    if (*slot) return *slot;
    a->known[a->n_known] = (sb_answers_text){.hash = {hash[0], hash[1]}, .at = a->texts.size, .n = n};
    sb_put(&a->texts, text, n);
    return *slot = (uint32_t)++a->n_known;
}

/* Finds the next text of JSON without escapes that stands between quotes; false: there is none. */
static bool next_text(const char **at, const char *end, const char **text, size_t *n) {
    const char *quote = memchr(*at, '"', (size_t)(end - *at));
    const char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
    if (!close) return false;
    *text = quote + 1, *n = (size_t)(close - quote - 1), *at = close + 1;
    return true;
}

static bool is_long(const char *text, size_t n) { return n >= LONG_TEXT && sb_is_plain(text, n); }

/* Whether the answer's long texts can be taken out: it has no escapes, and no text that begins with `#`, as numbers of
 * texts do. */
static bool can_shorten(const char *answer, size_t n) {
    const char *at = answer, *const end = answer + n, *text;
    bool has_long = false;
    if (memchr(answer, '\\', n)) return false;
    for (size_t length; next_text(&at, end, &text, &length);) {
        if (length && *text == '#') return false;
        has_long |= is_long(text, length);
    }
    return has_long;
}

/* Puts the answer with numbers in place of its long texts, and before it a line for each text that is new. */
static bool shorten(sb_answers *a, const char *answer, size_t n) {
    const char *at = answer, *from = answer, *const end = answer + n, *text;
    sb_out_clear(&a->answer);
    for (size_t length; next_text(&at, end, &text, &length);) {
        bool is_new;
        if (!is_long(text, length)) continue;
        const uint32_t number = number_of(a, text, length, &is_new);
        if (!number) return false;
        if (is_new) {
            sb_puts(&a->pending, TEXT_BEGINS), sb_put(&a->pending, text, length);
            sb_puts(&a->pending, "\"}\n");
            a->lines++;
        }
        sb_put(&a->answer, from, (size_t)(text - from));
        sb_putf(&a->answer, "#%u", number);
        from = text + length;
    }
    sb_put(&a->answer, from, (size_t)(end - from));
    return sb_out_ok(&a->answer) && sb_out_ok(&a->texts);
}

static bool lengthen(sb_answers *a, const sb_json_part *answer, sb_error *error) {
    const char *at = answer->at, *from = answer->at, *const end = at + answer->n, *text;
    sb_out_clear(&a->answer);
    for (size_t length; next_text(&at, end, &text, &length);) {
        if (!length || *text != '#') continue;
        const unsigned long number = strtoul(text + 1, NULL, 10);
        if (!number || number > a->n_known) return fail_here(a, error, "it names a text that is not there");
        sb_put(&a->answer, from, (size_t)(text - from));
        sb_put(&a->answer, a->texts.data + a->known[number - 1].at, a->known[number - 1].n);
        from = text + length;
    }
    sb_put(&a->answer, from, (size_t)(end - from));
    sb_putc(&a->answer, '\0');
    return sb_out_ok(&a->answer) || no_memory(error);
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

static size_t line_length(const sb_answers *a) {
    const char *line = a->found.data + a->at;
    const char *newline = a->at < a->found.size ? memchr(line, '\n', a->found.size - a->at) : NULL;
    return newline ? (size_t)(newline - line) + 1 : 0;
}

bool sb_answers_has_next(const sb_answers *a) { return line_length(a) != 0; }

/* Goes on behind a line that was read. */
static void pass_line(sb_answers *a, size_t n) {
    sb_sha256_add(&a->hash, a->found.data + a->at, n);
    a->at += n, a->lines++;
}

void sb_answers_hash(const sb_answers *a, char hex[SB_SHA256_HEX]) {
    sb_sha256 hash = a->hash;
    sb_sha256_end_hex(&hash, hex);
}

static void hash_question(const char *who, const char *question, size_t n, char hex[33]) {
    uint64_t hash[2], both[3];
    sb_hash128(who, strlen(who), hash);
    both[2] = hash[0];
    sb_hash128(question, n, both);
    sb_hash128(both, sizeof both, hash);
    sb_hex((const uint8_t *)hash, sizeof hash, hex);
}

bool sb_answers_next_is(const sb_answers *a, const char *who, const char *question, size_t n) {
    char begins[128], asked[33];
    if (!sb_answers_has_next(a)) return false;
    hash_question(who, question, n, asked);
    const size_t length = (size_t)snprintf(begins, sizeof begins, "{\"who\":\"%.40s\",\"asked\":\"%s\",", who, asked);
    return line_length(a) > length && memcmp(a->found.data + a->at, begins, length) == 0;
}

/* Learns the lines that hold texts, up to the next answer. */
static bool learn_texts(sb_answers *a, sb_error *error) {
    static const char begins[] = TEXT_BEGINS, ends[] = "\"}\n";
    const size_t n_begins = sizeof begins - 1, n_ends = sizeof ends - 1;
    for (size_t n; (n = line_length(a)); pass_line(a, n)) {
        const char *line = a->found.data + a->at;
        bool is_new;
        if (n < n_begins + n_ends || memcmp(line, begins, n_begins) != 0) return true;
        if (!number_of(a, line + n_begins, n - n_begins - n_ends, &is_new) || !sb_out_ok(&a->texts))
            return no_memory(error);
    }
    return true;
}

static bool take_failure(const sb_answers *a, const sb_json_part *part, sb_failure *failure, sb_error *error) {
    cJSON *object = sb_json_part_parse(part, error);
    uint64_t kind = 0;
    const char *text = "";
    const bool ok = object && sb_json_uint(object, "kind", &kind, error) && kind && kind < SB_N_FAILURES &&
                    sb_json_string(object, "text", &text, error);
    if (ok) failure->kind = (sb_failure_kind)kind, snprintf(failure->text, sizeof failure->text, "%s", text);
    cJSON_Delete(object);
    return ok || fail_here(a, error, "a failure should have `kind` and `text`");
}

/* Reads an answer that was no JSON, so that it was kept in hexadecimal digits. */
static bool take_bytes(sb_answers *a, const sb_json_part *hex, sb_json_part *answer, sb_error *error) {
    const size_t n = hex->n > 2 ? (hex->n - 2) / 2 : 0;
    sb_out_clear(&a->answer);
    char *text = malloc(hex->n + 1), *to = sb_out_reserve(&a->answer, n + 1);
    if (!text || !to) return free(text), no_memory(error);
    snprintf(text, hex->n + 1, "%.*s", (int)(2 * n), hex->at + 1);
    const bool ok = sb_unhex(text, (uint8_t *)to, n);
    free(text);
    to[n] = '\0';
    *answer = (sb_json_part){.at = to, .n = n, .document = to};
    return ok || fail_here(a, error, "key `hex` should have hexadecimal digits");
}

bool sb_answers_take(sb_answers *a, const char *who, const char *question, size_t n, sb_json_part *answer,
                     sb_failure *failure, sb_error *error) {
    static const char *const names[] = {"who", "asked", "answer", "short", "hex", "failure", NULL};
    sb_json_part parts[6];
    char asked[33];
    *answer = (sb_json_part){0}, failure->kind = SB_NO_FAILURE;
    if (!learn_texts(a, error)) return false;
    const size_t length = line_length(a);
    if (!length) return fail_here(a, error, "the journal ends before its game does: go on with --resume");
    const sb_json_part line = {.at = a->found.data + a->at, .n = length - 1, .document = a->found.data + a->at};
    sb_model_members(&line, names, parts);
    hash_question(who, question, n, asked);
    if (!sb_model_is_key(&parts[0], who) || !sb_model_is_key(&parts[1], asked))
        return fail_here(a, error, "another question was answered: is this the same team, and the same version?");
    bool ok = true;
    if (parts[5].n)
        ok = take_failure(a, &parts[5], failure, error);
    else if (parts[4].n)
        ok = take_bytes(a, &parts[4], answer, error);
    else if (parts[3].n && (ok = lengthen(a, &parts[3], error)))
        *answer = sb_json_whole(a->answer.data, a->answer.size - 1);
    else if (parts[2].n) {
        sb_out_clear(&a->answer);
        sb_put(&a->answer, parts[2].at, parts[2].n), sb_putc(&a->answer, '\0');
        *answer = sb_json_whole(a->answer.data, a->answer.size - 1);
    }
    pass_line(a, length);
    return ok;
}

/* ---- Keeping ----------------------------------------------------------------------------------------------------- */

static bool is_json(const sb_json_part *answer) {
    sb_error ignored;
    cJSON *parsed = sb_json_parse_within(answer->at, answer->n, SIZE_MAX, &ignored);
    const bool ok = parsed != NULL && !memchr(answer->at, '\n', answer->n);
    cJSON_Delete(parsed);
    return ok;
}

static bool put_answer(sb_answers *a, const sb_json_part *answer) {
    const sb_json_part whole = sb_json_whole(answer->at, answer->n);
    if (!is_json(answer)) {
        char *hex = malloc(2 * answer->n + 1);
        if (!hex) return false;
        sb_hex((const uint8_t *)answer->at, answer->n, hex);
        sb_puts(&a->line, "\"hex\":\""), sb_puts(&a->line, hex), sb_puts(&a->line, "\"");
        free(hex);
    } else if (can_shorten(whole.at, whole.n)) {
        if (!shorten(a, whole.at, whole.n)) return false;
        sb_puts(&a->line, "\"short\":"), sb_put_out(&a->line, &a->answer);
    } else
        sb_puts(&a->line, "\"answer\":"), sb_put(&a->line, whole.at, whole.n);
    return true;
}

bool sb_answers_keep(sb_answers *a, const char *who, const char *question, size_t n, const sb_json_part *answer,
                     const sb_failure *failure, sb_error *error) {
    char asked[33];
    hash_question(who, question, n, asked);
    const size_t before = a->pending.size;
    sb_out_clear(&a->line);
    sb_puts(&a->line, "{\"who\":\""), sb_puts(&a->line, who);
    sb_puts(&a->line, "\",\"asked\":\""), sb_puts(&a->line, asked), sb_puts(&a->line, "\",");
    if (failure->kind) {
        sb_putf(&a->line, "\"failure\":{\"kind\":%d,\"text\":", failure->kind);
        sb_put_json_string(&a->line, failure->text), sb_puts(&a->line, "}");
    } else if (!put_answer(a, answer))
        return no_memory(error);
    sb_puts(&a->line, "}\n");
    sb_put_out(&a->pending, &a->line);
    sb_sha256_add(&a->hash, a->pending.data + before, a->pending.size - before);
    a->lines++;
    return (sb_out_ok(&a->line) && sb_out_ok(&a->pending)) || no_memory(error);
}

bool sb_answers_sync(sb_answers *a, sb_error *error) {
    if (!a->pending.size) return true;
    if (!sb_file_append(a->path, a->pending.data, a->pending.size, error)) return false;
    sb_out_clear(&a->pending);
    return true;
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------- */

/* The length of what was written whole. A text at the end belongs to an answer that is not there. */
static size_t whole_answers(const sb_out *found) {
    const size_t least = strlen(TEXT_BEGINS);
    size_t n = found->size;
    while (n && found->data[n - 1] != '\n') n--;
    while (n) {
        size_t line = n - 1;
        while (line && found->data[line - 1] != '\n') line--;
        if (n - line < least || memcmp(found->data + line, TEXT_BEGINS, least) != 0) break;
        n = line;
    }
    return n;
}

static bool check_head(const sb_answers *a, const sb_out *head, sb_error *error) {
    if (a->found.size >= head->size && memcmp(a->found.data, head->data, head->size) == 0) return true;
    return sb_fail(error, SB_MISMATCH, "%s: its first line is of another game, team, version or option",
                   sb_path_end(a->path));
}

bool sb_answers_open(sb_answers *a, const char *path, const sb_lock *lock, const sb_out *head, sb_error *error) {
    const sb_out growing = sb_out_growing();
    *a = (sb_answers){.found = growing, .pending = growing, .texts = growing, .answer = growing, .line = growing};
    snprintf(a->path, sizeof a->path, "%s", path);
    sb_sha256_begin(&a->hash);
    a->only_read = !lock;
    if (sb_file_exists(path) && !sb_file_load_plain(path, ANSWERS_BYTES, &a->found, error)) return false;
    const size_t whole = whole_answers(&a->found);
    const bool is_new = !whole, is_cut = whole < a->found.size;
    a->found.size = whole;
    if (is_new && a->only_read) return sb_fail(error, SB_INVALID, "%s is missing", sb_path_end(path));
    if (is_new) sb_put_out(&a->found, head);
    a->at = head->size;
    if (!check_head(a, head, error)) return false;
    return a->only_read || (!is_new && !is_cut) || sb_file_save_under(path, lock, a->found.data, a->found.size, error);
}

void sb_answers_close(sb_answers *a) {
    sb_out_free(&a->found), sb_out_free(&a->pending), sb_out_free(&a->texts), sb_out_free(&a->answer);
    sb_out_free(&a->line);
    free(a->known), free(a->slots);
    *a = (sb_answers){0};
}
