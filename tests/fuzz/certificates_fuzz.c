/* Takes the input as a certificate, as the first and the last line of a file of certificates, and as such a file. What
 * can be read prints to a line that reads back to the same line; verifying succeeds or fails with a message. */
#include <stdlib.h>
#include <string.h>

#include "evaluation/certificates/certify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_failure(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

static void check_same(sb_out *a, sb_out *b) {
    if (!sb_out_ok(a) || !sb_out_ok(b) || a->size != b->size || memcmp(a->data, b->data, a->size) != 0) abort();
    if (memchr(a->data, '\n', a->size) != a->data + a->size - 1) abort();
    sb_out_free(a), sb_out_free(b);
}

static void try_certificate(const char *text, size_t n) {
    sb_certificate c = {0}, again = {0};
    sb_error error = {0};
    sb_out first = sb_out_growing(), second = sb_out_growing();
    if (sb_certificate_parse(NULL, text, n, &c, &error)) {
        sb_certificate_print(&c, &first);
        if (!sb_certificate_parse(NULL, first.data, first.size, &again, &error)) abort();
        sb_certificate_print(&again, &second);
        check_same(&first, &second);
    } else {
        check_failure(&error);
    }
    sb_certificate_free(&c), sb_certificate_free(&again);
}

/* Returns whether selecting and verifying the episodes of this head is fast. */
static bool is_small(const sb_certificates_head *head) {
    return head->budget <= 1000 && head->request.n_names > 0 && head->request.n_names <= 4;
}

/* Prints the head with the rules of these episodes, and reads it back. */
static void print_again(const sb_certificates_head *head, const sb_selection *selection) {
    sb_certificates_head again;
    sb_error error = {0};
    sb_out first = sb_out_growing(), second = sb_out_growing();
    sb_certificates_head_print(head, selection, &first);
    if (!sb_certificates_head_parse(NULL, first.data, first.size, &again, &error)) abort();
    sb_certificates_head_print(&again, selection, &second);
    check_same(&first, &second);
    sb_certificates_head_free(&again);
}

/* What heads are printed with that select nothing, or too much to be fast. */
static const sb_selection *one_episode(void) {
    static sb_selection one;
    sb_error error;
    if (one.n == 0 && !sb_select(&(sb_request){.tasks = "GoToGoal", .difficulty = "easy", .seeds = "0"}, &one, &error))
        abort();
    return &one;
}

static bool try_head(const char *text, size_t n) {
    sb_certificates_head head;
    sb_selection selection = {0};
    sb_error error = {0};
    const bool is_head = sb_certificates_head_parse(NULL, text, n, &head, &error), small = is_head && is_small(&head);
    if (!is_head || (small && !sb_select(&head.request, &selection, &error))) check_failure(&error);
    if (is_head) print_again(&head, selection.n ? &selection : one_episode());
    sb_selection_free(&selection);
    sb_certificates_head_free(&head);
    return small;
}

static void try_tail(const char *text, size_t n) {
    sb_certificates_tail tail, again;
    sb_error error = {0};
    sb_out first = sb_out_growing(), second = sb_out_growing();
    if (!sb_certificates_tail_parse(text, n, &tail, &error)) {
        check_failure(&error);
        return;
    }
    sb_certificates_tail_print(&tail, &first);
    if (!sb_certificates_tail_parse(first.data, first.size, &again, &error)) abort();
    sb_certificates_tail_print(&again, &second);
    check_same(&first, &second);
}

static void try_file(const char *text, size_t n) {
    const char *newline = memchr(text, '\n', n);
    const sb_certificates_check check = {.jobs = 1};
    sb_certificates_found found;
    sb_error error = {0};
    if (!newline || !try_head(text, (size_t)(newline - text))) return;
    if (!sb_certificates_verify_text(text, n, &check, &found, &error)) check_failure(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    if (!text) return 0;
    try_certificate(text, size);
    try_head(text, size);
    try_tail(text, size);
    try_file(text, size);
    return 0;
}
