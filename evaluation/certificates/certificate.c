#include "evaluation/certificates/certificate.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

const char *const sb_certified_names[3] = {"solved", "impossible", "unknown"};

void sb_certificate_clear(sb_certificate *c) {
    c->verdict = SB_UNCERTIFIED;
    c->method[0] = c->check[0] = '\0';
    c->states = c->check_states = 0;
}

void sb_certificate_free(sb_certificate *c) {
    sb_tape_clear(&c->tape);
    *c = (sb_certificate){0};
}

/* ---- Writing ---- */

static void put_proofs(const sb_certificate *c, sb_out *out) {
    sb_member_text(out, "method", c->method);
    sb_member_uint(out, "states", c->states);
    if (!c->check[0]) return;
    sb_member_text(out, "check", c->check);
    sb_member_uint(out, "check_states", c->check_states);
}

void sb_certificate_print(const sb_certificate *c, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_name_print(&c->name, name, sizeof name);
    sb_puts(out, "{");
    sb_member_text(out, "episode", name);
    sb_member_text(out, "verdict", sb_certified_names[c->verdict]);
    if (c->verdict == SB_CERTIFIED_SOLVED) {
        sb_member_text(out, "method", c->method);
        sb_put_key(out, "tape");
        sb_tape_put(&c->tape, out);
    } else if (c->verdict == SB_CERTIFIED_IMPOSSIBLE) {
        put_proofs(c, out);
    } else {
        sb_member_uint(out, "states", c->states);
    }
    sb_puts(out, "}\n");
}

static bool has_own_rules(const sb_selection *selection) {
    for (size_t i = 0; i < selection->n; i++)
        if (sb_selection_at(selection, i).task->rules) return true;
    return false;
}

/* Puts a list only for tasks with rules of their own: all others are of one family. */
static void put_rules(const sb_selection *selection, sb_out *out) {
    char rules[SB_RULES_NAME];
    sb_put_key(out, "rules");
    if (has_own_rules(selection)) {
        sb_selection_put_rules(selection, out);
        return;
    }
    sb_rules_name(sb_selection_family(selection, 0), NULL, rules);
    sb_put_json_string(out, rules);
}

void sb_certificates_head_print(const sb_certificates_head *head, const sb_selection *selection, sb_out *out) {
    sb_puts(out, "{");
    sb_member_int(out, "certificates", SB_CERTIFICATES_FORMAT);
    put_rules(selection, out);
    sb_member_uint(out, "budget", head->budget);
    sb_member_uint(out, "episodes", head->episodes);
    sb_put_key(out, "selection");
    sb_puts(out, "{");
    sb_request_print(&head->request, out);
    sb_puts(out, "}}\n");
}

void sb_certificates_tail_print(const sb_certificates_tail *tail, sb_out *out) {
    sb_puts(out, "{");
    for (int i = 0; i < 3; i++) sb_member_uint(out, sb_certified_names[i], tail->counts[i]);
    sb_member_text(out, "sha256", tail->sha256);
    sb_puts(out, "}\n");
}

/* ---- Reading ---- */

static bool read_solved(const sb_catalogue *catalogue, const cJSON *object, sb_certificate *c, sb_error *error) {
    static const char *const keys[] = {"episode", "verdict", "method", "tape", NULL};
    const cJSON *tape;
    char name[SB_NAME_MAX], played[SB_NAME_MAX];
    if (!sb_json_known_keys(object, keys, error) ||
        !sb_json_text(object, "method", c->method, sizeof c->method, error) ||
        !sb_json_object(object, "tape", &tape, error))
        return false;
    if (!sb_tape_read(catalogue, tape, &c->tape, error)) return sb_fail_at(error, "key `tape`");
    sb_name_print(&c->name, name, sizeof name);
    sb_name_print(&c->tape.name, played, sizeof played);
    if (strcmp(name, played) != 0) return sb_fail(error, SB_MISMATCH, "the tape is of another episode, %s", played);
    if (strcmp(c->method, c->tape.agent) != 0)
        return sb_fail(error, SB_MISMATCH, "the tape says that the agent was %s, the certificate says %s",
                       c->tape.agent, c->method);
    return c->tape.outcome.success ||
           sb_fail(error, SB_MISMATCH, "the verdict is solved, but the tape does not succeed");
}

static bool read_impossible(const cJSON *object, sb_certificate *c, sb_error *error) {
    static const char *const keys[] = {"episode", "verdict", "method", "states", "check", "check_states", NULL};
    if (!sb_json_known_keys(object, keys, error) ||
        !sb_json_text(object, "method", c->method, sizeof c->method, error) ||
        !sb_json_uint(object, "states", &c->states, error))
        return false;
    if (!cJSON_HasObjectItem(object, "check") && !cJSON_HasObjectItem(object, "check_states")) return true;
    if (!sb_json_text(object, "check", c->check, sizeof c->check, error) ||
        !sb_json_uint(object, "check_states", &c->check_states, error))
        return false;
    return (c->check[0] && strcmp(c->check, c->method) != 0) ||
           sb_fail(error, SB_MISMATCH, "key `check`: `%s` cannot be the second proof beside `%s`", c->check, c->method);
}

static bool read_unknown(const cJSON *object, sb_certificate *c, sb_error *error) {
    static const char *const keys[] = {"episode", "verdict", "states", NULL};
    return sb_json_known_keys(object, keys, error) && sb_json_uint(object, "states", &c->states, error);
}

static bool read_finding(const sb_catalogue *catalogue, const cJSON *object, sb_certificate *c, sb_error *error) {
    switch (c->verdict) {
    case SB_CERTIFIED_SOLVED: return read_solved(catalogue, object, c, error);
    case SB_CERTIFIED_IMPOSSIBLE: return read_impossible(object, c, error);
    default: return read_unknown(object, c, error);
    }
}

static bool read_certificate(const sb_catalogue *catalogue, const cJSON *object, sb_certificate *c, sb_error *error) {
    const char *name;
    size_t verdict;
    sb_resolved of;
    sb_certificate_clear(c);
    if (!sb_json_string(object, "episode", &name, error) || !sb_resolve_text(catalogue, name, &c->name, &of, error) ||
        !sb_need_success(c->name.task, sb_criterion_of(&of), error) ||
        !sb_json_word(object, "verdict", sb_certified_names, 3, &verdict, error))
        return false;
    c->verdict = (sb_certified)verdict;
    return read_finding(catalogue, object, c, error) || sb_fail_at(error, "%.80s", name);
}

bool sb_certificate_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_certificate *c,
                          sb_error *error) {
    if (n > SB_TAPE_BYTES) return sb_fail(error, SB_INVALID, "the certificate has more than %d bytes", SB_TAPE_BYTES);
    cJSON *object = sb_json_parse(line, n, error);
    if (!object) return false;
    const bool ok = read_certificate(catalogue, object, c, error);
    cJSON_Delete(object);
    return ok;
}

static bool read_head(const sb_catalogue *catalogue, sb_certificates_head *head, sb_error *error) {
    static const char *const keys[] = {"certificates", "rules", "budget", "episodes", "selection", NULL};
    const cJSON *request;
    uint64_t format;
    if (!sb_json_uint(head->document, "certificates", &format, error)) return false;
    if (format != SB_CERTIFICATES_FORMAT)
        return sb_fail(error, SB_VERSION_OTHER, "the certificates have format %llu, but this program reads format %d",
                       (unsigned long long)format, SB_CERTIFICATES_FORMAT);
    const bool ok = sb_json_known_keys(head->document, keys, error) &&
                    sb_json_uint(head->document, "budget", &head->budget, error) &&
                    sb_json_uint(head->document, "episodes", &head->episodes, error) &&
                    sb_json_object(head->document, "selection", &request, error) &&
                    ((sb_json_known_keys(request, sb_request_keys, error) &&
                      sb_request_read(catalogue, request, &head->request, error)) ||
                     sb_fail_at(error, "key `selection`"));
    head->rules = cJSON_GetObjectItemCaseSensitive(head->document, "rules");
    head->request.repeats = true;
    return ok && (head->rules || sb_fail(error, SB_INVALID, "key `rules` is missing"));
}

bool sb_certificates_head_parse(const sb_catalogue *catalogue, const char *line, size_t n, sb_certificates_head *head,
                                sb_error *error) {
    *head = (sb_certificates_head){0};
    head->document = sb_json_parse(line, n, error);
    return head->document && read_head(catalogue, head, error);
}

void sb_certificates_head_free(sb_certificates_head *head) {
    free((void *)(uintptr_t)head->request.names);
    cJSON_Delete(head->document);
    *head = (sb_certificates_head){0};
}

static bool read_tail(const cJSON *object, sb_certificates_tail *tail, sb_error *error) {
    static const char *const keys[] = {"solved", "impossible", "unknown", "sha256", NULL};
    if (!sb_json_known_keys(object, keys, error)) return false;
    for (int i = 0; i < 3; i++)
        if (!sb_json_uint(object, sb_certified_names[i], &tail->counts[i], error)) return false;
    return sb_json_sha256(object, "sha256", tail->sha256, error);
}

bool sb_certificates_tail_parse(const char *line, size_t n, sb_certificates_tail *tail, sb_error *error) {
    cJSON *object = sb_json_parse(line, n, error);
    if (!object) return false;
    const bool ok = read_tail(object, tail, error);
    cJSON_Delete(object);
    return ok;
}
