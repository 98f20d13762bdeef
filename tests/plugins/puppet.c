/* A plugin that plays random valid actions, and does what $PUPPET says besides (tests/plugin_test.py): a word, and
 * where it is followed by `:N`, in step N of every episode. PUPPET_KIND is its kind. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "seedbed/plugin.h"

enum { ZEROES = 64, CHUNK = 64 << 20 };

typedef struct memory {
    unsigned char zeroes[ZEROES];
    uint32_t draws;
    int step;
} memory;

static bool is_due(const char *word, int step) {
    const char *order = getenv("PUPPET");
    const size_t n = strlen(word);
    return order && strncmp(order, word, n) == 0 && (!order[n] || (order[n] == ':' && atoi(order + n + 1) == step));
}

/* Does not return, and cannot be left out by a compiler. */
static void loop(void) {
    for (volatile int i = 0;; i = 0) (void)i;
}

static void crash(void) { raise(SIGSEGV); }

/* Allocates until there is no more, and touches none of it. */
static void grow(void) {
    while (malloc(CHUNK)) continue;
    fputs("no more memory\n", stderr);
    abort();
}

static bool begin(void *kept, const sb_env *env, uint32_t random, sb_error *error) {
    static const unsigned char zeroes[ZEROES];
    memory *m = kept;
    (void)env;
    if (memcmp(m->zeroes, zeroes, sizeof zeroes) != 0 || m->step != 0) abort(); /* an earlier episode left something */
    m->draws = random;
    if (is_due("crash-begin", 0)) crash();
    if (is_due("loop-begin", 0)) loop();
    if (is_due("refuse", 0)) snprintf(error->text, sizeof error->text, "no such luck\n");
    return !is_due("refuse", 0) && !is_due("silent", 0);
}

/* Does what was ordered instead of playing; true if that is an action. */
static bool obey(memory *m, const sb_env *env, sb_action *action) {
    const int step = m->step;
    sb_error error;
    sb_result result;
    if (is_due("crash", step)) crash();
    if (is_due("exit", step)) exit(3);
    if (is_due("loop", step)) loop();
    if (is_due("grow", step)) grow();
    if (is_due("close", step))
        for (int i = 3; i < 64; i++) close(i);
    if (is_due("close", step)) sleep(100);
    if (is_due("slow", step)) usleep(400000);
    if (is_due("print", step)) puts("the puppet speaks"), fflush(stdout);
    if (is_due("read", step) && getchar() != EOF) abort();
    if (is_due("cheat", step)) sb_step((sb_env *)env, 0, &result, &error);
    if (is_due("illegal", step)) return *action = 4711, true;
    if (is_due("negative", step)) return *action = -1, true;
    return false;
}

static sb_action act(void *kept, const sb_env *env) {
    memory *m = kept;
    sb_action valid[64], action;
    memset(m->zeroes, 0xff, sizeof m->zeroes);
    m->step++;
    if (obey(m, env, &action)) return action;
    const size_t n = sb_valid_actions(env, valid, 64);
    m->draws = m->draws * 1664525 + 1013904223;
    return n ? valid[(m->draws >> 8) % (n < 64 ? n : 64)] : 0;
}

static void end(void *kept) {
    (void)kept;
    if (is_due("crash-end", 0)) crash();
}

const sb_plugin seedbed_plugin = {SB_PLUGIN_HEAD, .name = "puppet", .kind = PUPPET_KIND, .memory = sizeof(memory),
                                  .begin = begin, .act = act,       .end = end};
