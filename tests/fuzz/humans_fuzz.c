/* Takes the input as a document of `seedbed humans`. What can be read prints to a document that reads back to the same
 * bytes; anything else has an error message. */
#include <stdlib.h>
#include <string.h>

#include "evaluation/humans.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const sb_humans *humans) {
    sb_humans again;
    sb_error error;
    sb_out first = sb_out_growing(), second = sb_out_growing();
    sb_humans_print(humans, &first);
    if (!sb_out_ok(&first) || !sb_humans_parse(&again, NULL, first.data, first.size, &error)) abort();
    sb_humans_print(&again, &second);
    if (second.size != first.size || memcmp(first.data, second.data, first.size) != 0) abort();
    for (size_t i = 0; i < again.n_episodes; i++)
        if (sb_humans_find(&again, &again.episodes[i].name) != &again.episodes[i]) abort();
    sb_humans_free(&again);
    sb_out_free(&first), sb_out_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_humans humans;
    sb_error error = {0};
    if (sb_humans_parse(&humans, NULL, (const char *)data, size, &error))
        check_again(&humans);
    else if (error.code == SB_OK || !error.text[0])
        abort();
    sb_humans_free(&humans);
    return 0;
}
