/* Takes the input as a recipe, and as a dataset's manifest. A valid one prints to a document that reads back to the
 * same. */
#include <stdlib.h>
#include <string.h>

#include "datasets/manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_failure(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

static void check_same(const sb_out *a, const sb_out *b) {
    if (!sb_out_ok(a) || !sb_out_ok(b) || a->size != b->size || memcmp(a->data, b->data, a->size) != 0) abort();
}

static void try_recipe(const char *text, size_t n) {
    sb_recipe recipe, again;
    sb_error error = {0};
    sb_out first = sb_out_growing(), second = sb_out_growing();
    if (sb_recipe_parse(NULL, text, n, &recipe, &error)) {
        sb_recipe_print(&recipe, &first);
        if (!sb_recipe_parse(NULL, first.data, first.size, &again, &error)) abort();
        sb_recipe_print(&again, &second);
        check_same(&first, &second);
        sb_recipe_free(&again);
    } else {
        check_failure(&error);
    }
    sb_recipe_free(&recipe);
    sb_out_free(&first), sb_out_free(&second);
}

static void check_manifest(const sb_manifest *manifest) {
    sb_manifest again;
    sb_error error;
    sb_out first = sb_out_growing(), second = sb_out_growing();
    sb_manifest_print(manifest, &first);
    if (!sb_manifest_parse(NULL, first.data, first.size, &again, &error)) abort();
    sb_manifest_print(&again, &second);
    check_same(&first, &second);
    sb_manifest_free(&again);
    sb_out_free(&first), sb_out_free(&second);
}

static void try_manifest(const char *text, size_t n) {
    sb_manifest manifest;
    sb_error error = {0};
    if (sb_manifest_parse(NULL, text, n, &manifest, &error))
        check_manifest(&manifest);
    else
        check_failure(&error);
    sb_manifest_free(&manifest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    try_recipe((const char *)data, size);
    try_manifest((const char *)data, size);
    return 0;
}
