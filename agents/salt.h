/* The salt of a run: the random numbers that programs get are made from the salt and the episode's name. It is drawn
 * anew for every run. Without it, a program could try all names and find out from its number which episode it plays.
 * The same salt gives the same numbers. */
#ifndef SB_AGENTS_SALT_H
#define SB_AGENTS_SALT_H

#include "seedbed.h"

enum { SB_ATTEMPTS_MAX = 100 /* attempts at one episode */ };

enum { SB_SALT_BYTES = 16, SB_SALT_HEX = 2 * SB_SALT_BYTES + 1 /* digits and NUL */ };

typedef struct sb_salt {
    uint8_t bytes[SB_SALT_BYTES];
} sb_salt;

/* Draws a salt from the generator of the operating system. */
void sb_salt_draw(sb_salt *salt);
/* Reads the salt that was given, or draws one if none (NULL) was. */
bool sb_salt_choose(const char *hex, sb_salt *salt, sb_error *error);
/* Reads 32 hex digits. */
bool sb_salt_parse(const char *hex, sb_salt *salt, sb_error *error);
void sb_salt_print(const sb_salt *salt, char hex[SB_SALT_HEX]);

/* Returns the episode's number, in 0..2^31-1. `attempt` counts from 1, and each has a number of its own; 0 is the same
 * as 1. */
uint32_t sb_salted_number(const sb_salt *salt, const sb_name *name, uint32_t attempt);

#endif
