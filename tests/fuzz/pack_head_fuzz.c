/* Takes the input as the first line of a pack of challenges, and as the lists from which such a pack is planned. A head
 * that can be read is just what would be written, and every item of its plan may have its own names. */
#include <stdlib.h>
#include <string.h>

#include "generators/autumn/challenges/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool ok, const sb_error *error) {
    if (!ok && (error->code == SB_OK || !error->text[0])) abort();
}

static void check_item(const sb_autumn_pack_plan *plan, size_t index) {
    const sb_autumn_pack_item item = sb_autumn_pack_item_at(plan, index);
    for (size_t try = 0; try < item.n && try < 5; try++) {
        const sb_autumn_challenge_name name = sb_autumn_pack_name_at(plan, &item, try);
        if (!sb_autumn_pack_has(plan, &item, &name)) abort();
    }
}

static void check_plan(const sb_autumn_pack_plan *plan, const char *line, size_t n) {
    const size_t items = sb_autumn_pack_size(plan);
    sb_out again = sb_out_growing();
    sb_autumn_pack_put_head(plan, &again);
    if (!sb_out_ok(&again) || again.size != n || memcmp(again.data, line, n) != 0) abort();
    if (items) check_item(plan, 0), check_item(plan, items / 2), check_item(plan, items - 1);
    sb_out_free(&again);
}

static void try_lists(const char *text) {
    sb_autumn_pack_plan plan = {0};
    sb_error error = {0};
    check(sb_autumn_pack_read_kinds(text, &plan, &error), &error);
    check(sb_autumn_pack_read_levels(text, &plan, &error), &error);
    check(sb_autumn_pack_read_programs(text, NULL, &plan, &error), &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_autumn_pack_plan plan = {0};
    sb_error error = {0};
    char *text = malloc(size + 1);
    if (!text) abort();
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    const bool ok = sb_autumn_pack_read_head(text, size, &plan, &error);
    check(ok, &error);
    if (ok) check_plan(&plan, text, size);
    try_lists(text);
    free(text);
    return 0;
}
