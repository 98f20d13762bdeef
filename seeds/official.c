#include "seeds/official.h"

#include <string.h>

#define OFFICIAL_FAMILY(name) name
#define OFFICIAL_TASK(name)
#define OFFICIAL_DIFFICULTY(name)
const char sb_official_family[] =
#include "seeds/official.def"
    ;
#undef OFFICIAL_FAMILY
#undef OFFICIAL_TASK
#undef OFFICIAL_DIFFICULTY

#define OFFICIAL_FAMILY(name)
#define OFFICIAL_TASK(name) name,
#define OFFICIAL_DIFFICULTY(name)
const char *const sb_official_tasks[SB_OFFICIAL_TASKS] = {
#include "seeds/official.def"
};
#undef OFFICIAL_TASK
#undef OFFICIAL_DIFFICULTY

#define OFFICIAL_TASK(name)
#define OFFICIAL_DIFFICULTY(name) name,
const char *const sb_official_difficulties[SB_OFFICIAL_DIFFICULTIES] = {
#include "seeds/official.def"
};

size_t sb_official_length(const char *base) {
    if (strcmp(base, "eval") == 0) return SB_EVAL_SEEDS;
    return strcmp(base, "train") == 0 ? SB_TRAIN_SEEDS : 0;
}

static void add_text(sb_sha256 *hash, const char *text) { sb_sha256_add(hash, text, strlen(text)); }

/* Returns the first eight bytes of the key's SHA-256, big-endian. */
static uint64_t seed_of_key(const char *task, const char *difficulty, const char *base) {
    sb_sha256 hash;
    uint8_t digest[32];
    sb_sha256_begin(&hash);
    add_text(&hash, task);
    add_text(&hash, "::");
    add_text(&hash, difficulty);
    if (*difficulty) add_text(&hash, "::");
    add_text(&hash, base);
    sb_sha256_end(&hash, digest);
    uint64_t seed = 0;
    for (size_t i = 0; i < 8; i++) seed = seed << 8 | digest[i];
    return seed;
}

void sb_seed_stream(sb_rng *stream, const char *task, const char *difficulty, const char *base) {
    sb_rng_seed(stream, seed_of_key(task, difficulty, base), NULL);
}

uint64_t sb_next_seed(sb_rng *stream) { return sb_bounded(stream, INT32_MAX); }

void sb_derive_seeds(const char *task, const char *difficulty, const char *base, uint64_t *seeds, size_t n) {
    sb_rng stream;
    sb_seed_stream(&stream, task, difficulty, base);
    for (size_t i = 0; i < n; i++) seeds[i] = sb_next_seed(&stream);
}

void sb_seed_list_hash(const uint64_t *seeds, size_t n, char hex[SB_SHA256_HEX]) {
    sb_sha256 hash;
    sb_sha256_begin(&hash);
    add_text(&hash, "[");
    for (size_t i = 0; i < n; i++) {
        char digits[24];
        sb_out item = sb_out_fixed(digits, sizeof digits);
        sb_put_uint(&item, seeds[i]);
        if (i + 1 < n) sb_puts(&item, ", ");
        sb_sha256_add(&hash, digits, item.size);
    }
    add_text(&hash, "]");
    sb_sha256_end_hex(&hash, hex);
}

bool sb_official_eval_seeds(sb_seed_set *set, sb_error *error) {
    if (!sb_seed_set_make(set, SB_OFFICIAL_TASKS * SB_OFFICIAL_DIFFICULTIES * SB_EVAL_SEEDS, error)) return false;
    for (size_t task = 0; task < SB_OFFICIAL_TASKS; task++)
        for (size_t difficulty = 0; difficulty < SB_OFFICIAL_DIFFICULTIES; difficulty++) {
            sb_rng stream;
            sb_seed_stream(&stream, sb_official_tasks[task], sb_official_difficulties[difficulty], "eval");
            for (size_t i = 0; i < SB_EVAL_SEEDS; i++) sb_seed_set_add(set, sb_next_seed(&stream));
        }
    return true;
}
