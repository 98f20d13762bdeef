#include "base/hash.h"

#include <sodium/core.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_shorthash.h>
#include <stdio.h>
#include <string.h>

void sb_uuid(const uint8_t hash[16], char text[SB_UUID]) {
    uint8_t bytes[16];
    char hex[33];
    memcpy(bytes, hash, sizeof bytes);
    bytes[6] = (bytes[6] & 0x0f) | 0x80, bytes[8] = (bytes[8] & 0x3f) | 0x80;
    sb_hex(bytes, sizeof bytes, hex);
    snprintf(text, SB_UUID, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16, hex + 20);
}

void sb_hex(const uint8_t *bytes, size_t n, char *hex) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        *hex++ = digits[bytes[i] >> 4];
        *hex++ = digits[bytes[i] & 15];
    }
    *hex = '\0';
}

static int value_of(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

bool sb_unhex(const char *hex, uint8_t *bytes, size_t n) {
    if (strlen(hex) != 2 * n) return false;
    for (size_t i = 0; i < n; i++) {
        const int high = value_of(hex[2 * i]), low = value_of(hex[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
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

/* sodium_init chooses the fastest code for this processor, once; if it fails, the hash is still the same. */
void sb_blake2b_keyed(const void *bytes, size_t n, const uint8_t *key, size_t key_size, uint8_t digest[32]) {
    const int chosen = sodium_init();
    (void)chosen;
    crypto_generichash(digest, 32, bytes, n, key, key_size);
}

void sb_blake2b_of(const void *bytes, size_t n, uint8_t digest[32]) { sb_blake2b_keyed(bytes, n, NULL, 0, digest); }

void sb_blake2b_begin(sb_blake2b *hash) {
    const int chosen = sodium_init();
    (void)chosen;
    crypto_generichash_init(hash, NULL, 0, 32);
}

void sb_blake2b_add(sb_blake2b *hash, const void *bytes, size_t n) { crypto_generichash_update(hash, bytes, n); }
void sb_blake2b_end(sb_blake2b *hash, uint8_t digest[32]) { crypto_generichash_final(hash, digest, 32); }

void sb_hash128(const void *bytes, size_t n, uint64_t key[2]) {
    static const uint8_t secret[crypto_shorthash_siphashx24_KEYBYTES] = "seedbed episode"; /* any constant works */
    uint8_t digest[crypto_shorthash_siphashx24_BYTES];
    crypto_shorthash_siphashx24(digest, bytes, n, secret);
    memcpy(key, digest, sizeof digest);
}
