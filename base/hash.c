#include "base/hash.h"

#include <sodium/core.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_shorthash.h>
#include <string.h>

void sb_hex(const uint8_t *bytes, size_t n, char *hex) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        *hex++ = digits[bytes[i] >> 4];
        *hex++ = digits[bytes[i] & 15];
    }
    *hex = '\0';
}

void sb_sha256_end_hex(sb_sha256 *hash, char hex[SB_SHA256_HEX]) {
    uint8_t digest[32];
    sb_sha256_end(hash, digest);
    sb_hex(digest, sizeof digest, hex);
}

void sb_sha256_hex(const void *bytes, size_t n, char hex[SB_SHA256_HEX]) {
    uint8_t digest[32];
    sb_sha256_of(bytes, n, digest);
    sb_hex(digest, sizeof digest, hex);
}

/* sodium_init chooses the code that is fastest on this processor, once; if it cannot, the hash is the same. */
void sb_blake2b_of(const void *bytes, size_t n, uint8_t digest[32]) {
    const int chosen = sodium_init();
    (void)chosen;
    crypto_generichash(digest, 32, bytes, n, NULL, 0);
}

void sb_hash128(const void *bytes, size_t n, uint64_t key[2]) {
    static const uint8_t secret[crypto_shorthash_siphashx24_KEYBYTES] = "seedbed episode"; /* any constant will do */
    uint8_t digest[crypto_shorthash_siphashx24_BYTES];
    crypto_shorthash_siphashx24(digest, bytes, n, secret);
    memcpy(key, digest, sizeof digest);
}
