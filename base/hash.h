/* Hashes: SHA-256 for everything that is published or stored, BLAKE2b for many bytes at a time (three times as fast),
 * SipHash-2-4 with 128 bits for keys in memory. All are from libsodium. */
#ifndef SB_BASE_HASH_H
#define SB_BASE_HASH_H

#include <sodium/crypto_generichash.h>
#include <sodium/crypto_hash_sha256.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SB_SHA256_HEX 65 /* 64 digits and NUL */

typedef crypto_hash_sha256_state sb_sha256;

static inline void sb_sha256_begin(sb_sha256 *hash) { crypto_hash_sha256_init(hash); }
static inline void sb_sha256_add(sb_sha256 *hash, const void *bytes, size_t n) {
    crypto_hash_sha256_update(hash, bytes, n);
}
static inline void sb_sha256_end(sb_sha256 *hash, uint8_t digest[32]) { crypto_hash_sha256_final(hash, digest); }
static inline void sb_sha256_of(const void *bytes, size_t n, uint8_t digest[32]) {
    crypto_hash_sha256(digest, bytes, n);
}

/* Writes n bytes as lower-case hex, with NUL. */
void sb_hex(const uint8_t *bytes, size_t n, char *hex);
/* Writes the first 16 bytes of a hash in the form of a UUID, with NUL. Its version is 8: of the application's own. */
enum { SB_UUID = 37 };
void sb_uuid(const uint8_t hash[16], char text[SB_UUID]);
/* Reads n bytes of hex in either case; false if the text is anything else. */
bool sb_unhex(const char *hex, uint8_t *bytes, size_t n);
void sb_sha256_end_hex(sb_sha256 *hash, char hex[SB_SHA256_HEX]);
void sb_sha256_hex(const void *bytes, size_t n, char hex[SB_SHA256_HEX]);

/* BLAKE2b with a digest of 32 bytes, without a key. */
typedef crypto_generichash_state sb_blake2b;
void sb_blake2b_begin(sb_blake2b *hash);
void sb_blake2b_add(sb_blake2b *hash, const void *bytes, size_t n);
void sb_blake2b_end(sb_blake2b *hash, uint8_t digest[32]);
void sb_blake2b_of(const void *bytes, size_t n, uint8_t digest[32]);
/* BLAKE2b with a key of 16 to 64 bytes. Without the key the digest reveals nothing about the bytes. */
void sb_blake2b_keyed(const void *bytes, size_t n, const uint8_t *key, size_t key_size, uint8_t digest[32]);

void sb_hash128(const void *bytes, size_t n, uint64_t key[2]);

#endif
