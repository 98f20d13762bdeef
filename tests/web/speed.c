/* seedbed-web-speed: how many steps, texts and pictures of an episode one core makes in a second. It is built as a
 * program and as a WebAssembly module, whose numbers tests/web_test.py compares.
 *
 *   seedbed-web-speed NAME...
 *
 * Prints a line for each measure: family, what is measured, number per second. Each is the fastest of many short runs,
 * because others may use the machine, too. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "seedbed.h"
#include "seedbed/picture.h"

enum { ROUNDS = 40, BUFFER = 1 << 22, ACTIONS = 1024, SETTLED = 10 };
static const double warm_up = 0.15, shortest = 0.003; /* seconds: before runs are timed, and of a run */

typedef struct subject {
    sb_env *start, *env;
    const sb_mode *mode;
    const sb_array *pixels;
    char *buffer;
    sb_action actions[ACTIONS];
    size_t next;
} subject;

typedef void work(subject *s);

static double now(void) {
    struct timespec is;
    clock_gettime(CLOCK_MONOTONIC, &is);
    return (double)is.tv_sec + 1e-9 * (double)is.tv_nsec;
}

static double seconds_of(subject *s, work *work, size_t n) {
    const double began = now();
    for (size_t i = 0; i < n; i++) work(s);
    return now() - began;
}

static double rate(subject *s, work *work) {
    double best = 0;
    size_t n = 1;
    for (const double until = now() + warm_up; now() < until;) seconds_of(s, work, n);
    while (seconds_of(s, work, n) < shortest) n *= 2;
    for (int i = 0; i < ROUNDS; i++) {
        const double is = (double)n / seconds_of(s, work, n);
        if (is > best) best = is;
    }
    return best;
}

static void step(subject *s) {
    sb_error error;
    sb_result result;
    if (sb_status_of(s->env)->done && !sb_copy(s->env, s->start, &error)) exit(1);
    if (!sb_step(s->env, s->actions[s->next++ % ACTIONS], &result, &error)) exit(1);
}

static void observe(subject *s) { sb_observe(s->env, s->mode, s->buffer, BUFFER); }
static void paint(subject *s) { sb_observe_array(s->env, s->pixels, s->buffer, BUFFER); }

/* Half of the actions are clicks where there are any. */
static void draw_actions(subject *s) {
    const sb_shape *shape = sb_shape_of(s->env);
    const int32_t clicks = shape->click_width * shape->click_height;
    uint32_t random = 1;
    for (size_t i = 0; i < ACTIONS; i++) {
        random = random * 1664525U + 1013904223U;
        const uint32_t high = random >> 8;
        const bool clicked = clicks && (high & 1 || !shape->n_buttons);
        s->actions[i] = clicked ? shape->n_buttons + (int32_t)(high % (uint32_t)clicks)
                                : (int32_t)(high % (uint32_t)shape->n_buttons);
    }
}

static void measure_pictures(subject *s, const sb_family *family) {
    const sb_look *look;
    sb_error error;
    for (size_t i = 0; (look = sb_look_at(family, i)); i++) {
        sb_brush *brush = sb_brush_make(family, look, NULL, &error);
        if (!brush) exit(1);
        s->pixels = sb_brush_array(brush);
        printf("%s\tpicture %s\t%.0f\n", sb_family_name(family), look->name, rate(s, paint));
        sb_brush_free(brush);
    }
}

/* Goes to a state that does not depend on how many steps were timed. */
static void settle(subject *s) {
    sb_error error;
    if (!sb_copy(s->env, s->start, &error)) exit(1);
    for (s->next = 0; s->next < SETTLED;) step(s);
}

static void measure(subject *s) {
    const sb_family *family = sb_family_of(s->env);
    draw_actions(s);
    printf("%s\tstep\t%.0f\n", sb_family_name(family), rate(s, step));
    settle(s);
    for (size_t i = 0; (s->mode = sb_mode_at(family, i)); i++)
        printf("%s\ttext %s\t%.0f\n", sb_family_name(family), s->mode->name, rate(s, observe));
    measure_pictures(s, family);
}

int main(int argc, char **argv) {
    static char buffer[BUFFER];
    static subject s;
    sb_error error;
    for (int i = 1; i < argc; i++) {
        s = (subject){.buffer = buffer, .start = sb_make(NULL, argv[i], &error)};
        s.env = s.start ? sb_clone(s.start, &error) : NULL;
        if (!s.env) return fprintf(stderr, "%s\n", error.text), 1;
        measure(&s);
        sb_free(s.start), sb_free(s.env);
    }
    return 0;
}
