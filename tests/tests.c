/* Runs one of the tests in C: seedbed-tests NAME. The build gives the `main` of each test's file the name of the test,
 * and SB_TESTS lists them,
 * as TEST(name) each. */
#include <stdio.h>
#include <string.h>

#define TEST(name) int name(void);
SB_TESTS
#undef TEST

typedef struct test {
    const char *name;
    int (*run)(void);
} test;

#define TEST(name) {#name, name},
static const test tests[] = {SB_TESTS};

int main(int argc, char **argv) {
    for (size_t i = 0; argc == 2 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(argv[1], tests[i].name) == 0) return tests[i].run();
    fputs("usage: seedbed-tests NAME, where NAME is one of\n", stderr);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) fprintf(stderr, "  %s\n", tests[i].name);
    return 2;
}
