/* Takes the input as a seed pack, or as the published export. A valid pack prints to a document that reads back to a
 * pack with the same text, and verifying does not change it. */
#include <stdlib.h>
#include <string.h>

#include "seeds/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static sb_out text_of(const sb_pack *pack) {
    sb_out out = sb_out_growing();
    sb_pack_put(pack, &out);
    if (!sb_out_ok(&out)) abort();
    return out;
}

static void check_same(const sb_out *a, const sb_out *b) {
    if (a->size != b->size || memcmp(a->data, b->data, a->size) != 0) abort();
}

static void check_export(const sb_pack *pack) {
    sb_out export = sb_out_growing();
    sb_error error;
    sb_pack again;
    if (sb_pack_print_published(pack, &export, &error)) {
        if (!sb_pack_read_text(&again, export.data, export.size, &error)) abort();
        if (again.n_lists != pack->n_lists || again.n_seeds != pack->n_seeds) abort();
        sb_pack_clear(&again);
    }
    sb_out_free(&export);
}

static void check_pack(const sb_pack *pack) {
    sb_error error = {0};
    sb_pack again;
    sb_out text = text_of(pack);
    if (!sb_pack_read_text(&again, text.data, text.size, &error)) abort();
    if (!sb_pack_verify(pack, &error) && (error.code == SB_OK || !error.text[0])) abort();
    sb_out text_again = text_of(&again), text_after = text_of(pack);
    check_same(&text, &text_again);
    check_same(&text, &text_after);
    check_export(pack);
    sb_out_free(&text), sb_out_free(&text_again), sb_out_free(&text_after);
    sb_pack_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_pack pack;
    sb_error error = {0};
    if (sb_pack_read_text(&pack, (const char *)data, size, &error))
        check_pack(&pack);
    else if (error.code == SB_OK || !error.text[0] || pack.lists)
        abort();
    sb_pack_clear(&pack);
    return 0;
}
