/* 128-bit arithmetic. Only this file uses the compiler extension (gcc and clang have it on 64-bit machines). */
#ifndef SB_BASE_UINT128_H
#define SB_BASE_UINT128_H

#include <stdint.h>

__extension__ typedef unsigned __int128 sb_uint128;

static inline sb_uint128 sb_uint128_of(uint64_t high, uint64_t low) { return (sb_uint128)high << 64 | low; }
static inline uint64_t sb_high64(sb_uint128 value) { return (uint64_t)(value >> 64); }
static inline uint64_t sb_low64(sb_uint128 value) { return (uint64_t)value; }

#endif
