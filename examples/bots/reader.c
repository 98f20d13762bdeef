/* A bot that uses observations only: it reads the mode `ascii` and never asks the coding API. It walks to the goal if
 * it sees it, otherwise to the nearest cell beside unknown cells. It plays many episodes in step.
 *
 *   cc reader.c $(pkg-config --cflags --libs seedbed) -o reader && ./reader GoToGoal-v0/medium 100 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seedbed/gridworld.h>

enum { ENVS = 16, TEXT = 4096, WIDTH = 40, CELLS = WIDTH * WIDTH };

/* Reads the grid and adds walls around it. A cell has two characters, and an empty line ends the grid. */
static void read_grid(const char *text, char grid[CELLS], int *agent) {
    memset(grid, '#', CELLS);
    for (int x = 0, y = 0; *text && !(*text == '\n' && x == 0); text++, x++) {
        const int cell = (y + 1) * WIDTH + x / 2 + 1;
        if (*text == '\n')
            y++, x = -1;
        else if (x % 2 == 0 && cell < CELLS)
            grid[cell] = *text;
        if (x >= 0 && x % 2 == 0 && strchr("^v<>", *text)) *agent = cell;
    }
}

/* Searches breadth-first over free cells for the goal or an unknown cell, and returns the first move of the path. */
static sb_action choose(const char *text) {
    static const int delta[] = {0, -WIDTH, WIDTH, -1, 1}; /* of SB_NOOP, and of the moves SB_MOVE_UP to SB_MOVE_RIGHT */
    char grid[CELLS], first[CELLS] = {0};
    int queue[CELLS], n = 0, agent = 0;
    sb_action explore = SB_NOOP;
    read_grid(text, grid, &agent);
    queue[n++] = agent;
    for (int i = 0; i < n; i++) {
        for (sb_action move = SB_MOVE_UP; move <= SB_MOVE_RIGHT; move++) {
            const int to = queue[i] + delta[move];
            if (to == agent || first[to] || !strchr(".G ", grid[to])) continue;
            first[to] = queue[i] == agent ? (char)move : first[queue[i]];
            if (grid[to] == 'G') return first[to];
            if (grid[to] == ' ' && !explore) explore = first[to];
            if (grid[to] == '.') queue[n++] = to;
        }
    }
    return explore;
}

static int fail(const sb_error *error) { return fprintf(stderr, "%s\n", error->text), 1; }

int main(int argc, char **argv) {
    static char texts[ENVS][TEXT];
    static sb_result results[ENVS];
    const char *task = argc > 1 ? argv[1] : "GoToGoal-v0/easy";
    const size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
    sb_error error;
    sb_name *names = calloc(count + 1, sizeof *names);
    char first[SB_NAME_MAX];
    snprintf(first, sizeof first, "%s#0", task);
    if (!names) return fputs("out of memory\n", stderr), 1;
    if (!sb_name_parse(NULL, first, &names[0], &error)) return fail(&error);
    for (size_t i = 1; i < count; i++) names[i] = names[0], names[i].seed = i;

    const sb_family *family = sb_family_find(names[0].family, &error);
    const sb_mode *ascii = family ? sb_mode_find(family, "ascii", &error) : NULL;
    if (!ascii) return fail(&error);
    const size_t envs = count < ENVS ? count : ENVS;
    const sb_batch_plan plan = {.names = names, .n_names = count, .n = envs, .threads = 1, .then = SB_THEN_NEXT};
    const sb_batch_arrays arrays = {.results = results, .now = {.mode = ascii, .texts = texts[0], .text_size = TEXT}};
    sb_batch *batch = sb_batch_make(&plan, &arrays, &error);
    if (!batch) return fail(&error);
    size_t successes = 0;
    while (sb_batch_running(batch) > 0) {
        sb_action actions[ENVS];
        for (size_t i = 0; i < envs; i++) actions[i] = choose(texts[i]);
        if (!sb_batch_step(batch, actions, &error)) return fail(&error);
        for (size_t i = 0; i < envs; i++) successes += results[i].success;
    }
    printf("%zu of %zu solved\n", successes, count);
    sb_batch_free(batch);
    free(names);
    return 0;
}
