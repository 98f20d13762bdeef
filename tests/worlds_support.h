/* Worlds of examples/worlds, for tests that go through all tasks. */
#ifndef SB_TESTS_WORLDS_SUPPORT_H
#define SB_TESTS_WORLDS_SUPPORT_H

#include "tests/support.h"

#include "oracles/oracle.h"
#include "rollout/selection.h"

/* The text of a world, by the name of its file without the ending; the caller frees it. */
sb_out example_text(const char *name);
/* A catalogue with those that take part in tests of all tasks, which lives as long as the program. */
const sb_catalogue *example_worlds(void);

/* Selects episodes of every task that an oracle plays; of worlds, those of the two easiest difficulties of an example.
 */
static inline sb_request request_for(const sb_oracle *oracle, const char *seeds) {
    const bool is_of_worlds = oracle->plays != NULL;
    return (sb_request){.catalogue = example_worlds(),
                        .family = oracle->family,
                        .tasks = is_of_worlds ? "Crates" : oracle->task,
                        .difficulty = is_of_worlds ? "easy,medium" : NULL,
                        .seeds = seeds};
}

#endif
