/* What two states show, for tests of what must not show. */
#ifndef SB_TESTS_SHOWS_H
#define SB_TESTS_SHOWS_H

#include "engine/environment.h"

/* Fails the test unless both states show the same in all arrays and in all modes but the privileged ones. `masked`: the
 * one in which something hidden is different. */
void assert_shows_the_same(const sb_env *env, const sb_env *masked);

#endif
