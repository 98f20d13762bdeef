/* Takes the input as a row of an atlas, as an atlas, and as a demand. A row that can be read prints to a line that
 * reads back to the same line; a demand that can be read is answered for it; errors say something. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation/atlas/atlas.h"
#include "tests/fuzz/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static sb_scratch_file file;

static void forget(void) { sb_scratch_remove(&file); }

static void check_failure(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

static void try_row(const char *text, size_t n, sb_atlas_row *row) {
    sb_error error = {0};
    sb_atlas_row again;
    sb_out first = sb_out_growing(), second = sb_out_growing();
    if (sb_atlas_row_parse(NULL, text, n, row, &error)) {
        sb_atlas_row_print(row, &first);
        if (!sb_atlas_row_parse(NULL, first.data, first.size, &again, &error)) abort();
        sb_atlas_row_print(&again, &second);
        if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0) abort();
    } else {
        check_failure(&error);
        for (int i = 0; i < SB_N_MEASURES; i++) row->values[i] = i % 3 ? i : NAN;
    }
    sb_out_free(&first), sb_out_free(&second);
}

static void try_demand(const char *text, const sb_atlas_row *row) {
    sb_error error = {0};
    sb_demand *demand = sb_demand_make(text, &error);
    if (!demand) check_failure(&error);
    if (demand) sb_demand_holds(demand, row);
    sb_demand_free(demand);
}

static void try_atlas(const char *text, size_t n) {
    sb_error error = {0};
    sb_atlas_book book;
    sb_scratch_save(&file, "atlas-fuzz", forget, text, n);
    if (!sb_atlas_book_load(&book, NULL, file.path, &error)) check_failure(&error);
    sb_atlas_book_free(&book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_atlas_row row;
    char *text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = '\0';
    try_row(text, size, &row);
    try_demand(text, &row);
    try_atlas(text, size);
    free(text);
    return 0;
}
