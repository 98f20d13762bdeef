/* Packs for users of the library: objects on the heap. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "seeds/pack.h"

static sb_pack *make(sb_error *error) {
    sb_pack *pack = calloc(1, sizeof *pack);
    if (!pack) sb_fail(error, SB_MEMORY, "out of memory for a pack");
    return pack;
}

void sb_pack_free(sb_pack *pack) {
    if (!pack) return;
    sb_pack_clear(pack);
    free(pack);
}

/* Returns the pack if it was filled, else frees it. */
static sb_pack *if_filled(sb_pack *pack, bool filled) {
    if (filled) return pack;
    sb_pack_free(pack);
    return NULL;
}

sb_pack *sb_pack_make_official(sb_error *error) {
    sb_pack *pack = make(error);
    return if_filled(pack, pack && sb_pack_official(pack, error));
}

sb_pack *sb_pack_load(const char *path, sb_error *error) {
    sb_pack *pack = make(error);
    return if_filled(pack, pack && sb_pack_read_file(pack, path, error));
}

sb_pack *sb_pack_parse(const char *text, size_t n, sb_error *error) {
    sb_pack *pack = make(error);
    return if_filled(pack, pack && sb_pack_read_text(pack, text, n, error));
}

size_t sb_pack_print(const sb_pack *pack, char *text, size_t capacity) {
    sb_out out = sb_out_fixed(text, capacity);
    sb_pack_put(pack, &out);
    return sb_out_finish(&out);
}

bool sb_pack_save(const sb_pack *pack, const char *path, sb_error *error) {
    sb_file file = {0};
    const bool ok = sb_file_create(&file, path, error) && sb_pack_write(pack, &file, error);
    sb_file_discard(&file);
    return ok;
}

const char *sb_pack_family(const sb_pack *pack) { return pack->family; }
const char *sb_pack_base(const sb_pack *pack) { return pack->base; }
const char *sb_pack_hash(const sb_pack *pack) { return pack->hash; }
size_t sb_pack_size(const sb_pack *pack) { return pack->n_seeds; }

bool sb_pack_name(const sb_pack *pack, size_t index, sb_name *name) {
    for (size_t i = 0; i < pack->n_lists; index -= pack->lists[i++].n) {
        const sb_seed_list *list = &pack->lists[i];
        if (index >= list->n) continue;
        *name = (sb_name){.seed = list->seeds[index]};
        memcpy(name->family, pack->family, sizeof name->family);
        memcpy(name->task, list->task, sizeof name->task);
        memcpy(name->difficulty, list->difficulty, sizeof name->difficulty);
        return true;
    }
    return false;
}

size_t sb_pack_seeds(const sb_pack *pack, const char *task, const char *difficulty, uint64_t *out, size_t capacity) {
    const sb_seed_list *list = sb_pack_find(pack, task, difficulty);
    if (!list) return 0;
    const size_t n = list->n < capacity ? list->n : capacity;
    if (n) memcpy(out, list->seeds, n * sizeof *out);
    return list->n;
}
