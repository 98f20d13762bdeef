#include "agents/salt.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/system.h"

void sb_salt_draw(sb_salt *salt) { sb_random_bytes(salt->bytes, sizeof salt->bytes); }

bool sb_salt_parse(const char *hex, sb_salt *salt, sb_error *error) {
    return sb_unhex(hex, salt->bytes, sizeof salt->bytes) ||
           sb_fail(error, SB_INVALID, "a salt should be %d hex digits, as in results, not `%.40s`", SB_SALT_HEX - 1,
                   hex);
}

bool sb_salt_choose(const char *hex, sb_salt *salt, sb_error *error) {
    if (hex) return sb_salt_parse(hex, salt, error);
    sb_salt_draw(salt);
    return true;
}

void sb_salt_print(const sb_salt *salt, char hex[SB_SALT_HEX]) { sb_hex(salt->bytes, sizeof salt->bytes, hex); }

uint32_t sb_salted_number(const sb_salt *salt, const sb_name *name, uint32_t attempt) {
    char text[SB_NAME_MAX + 16];
    uint8_t digest[32];
    const size_t n = sb_name_print(name, text, sizeof text);
    if (attempt > 1) snprintf(text + n, sizeof text - n, " %u", attempt);
    sb_blake2b_keyed(text, strlen(text), salt->bytes, sizeof salt->bytes, digest);
    return (digest[0] & 0x7fu) << 24 | (uint32_t)digest[1] << 16 | (uint32_t)digest[2] << 8 | digest[3];
}
