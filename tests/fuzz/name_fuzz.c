/* Takes the input as an episode's name. A valid name prints to one that reads back to the same episode, and printing
 * into a smaller buffer gives its beginning. */
#include <stdlib.h>
#include <string.h>

#include "seedbed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_episode(const sb_name *a, const sb_name *b) {
    return a->seed == b->seed && strcmp(a->family, b->family) == 0 && strcmp(a->task, b->task) == 0 &&
           strcmp(a->difficulty, b->difficulty) == 0;
}

static void check_cut(const sb_name *name, const char *whole, size_t capacity) {
    char *cut = malloc(capacity + 1);
    if (!cut) return;
    if (sb_name_print(name, cut, capacity) != strlen(whole)) abort();
    if (capacity && (strlen(cut) >= capacity || strncmp(cut, whole, strlen(cut)) != 0)) abort();
    free(cut);
}

static void check_name(const sb_name *name) {
    char text[SB_NAME_MAX];
    sb_name again;
    sb_error error;
    const size_t n = sb_name_print(name, text, sizeof text);
    if (n >= sizeof text || strlen(text) != n) abort();
    if (!sb_name_parse(NULL, text, &again, &error) || !same_episode(name, &again)) abort();
    for (size_t capacity = 0; capacity <= n; capacity += 7) check_cut(name, text, capacity);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    sb_name name;
    sb_error error = {0};
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (sb_name_parse(NULL, text, &name, &error))
        check_name(&name);
    else if (error.code == SB_OK || !error.text[0])
        abort();
    free(text);
    return 0;
}
