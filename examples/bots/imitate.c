/* A bot that learns from the expert's play and then plays alone. It keeps a table: for the cells around the agent and
 * the direction of the goal, how often the expert took each action. It plays seeds that it has not seen, and writes its
 * episodes as tapes, which anybody can replay:
 *
 *   cc imitate.c $(pkg-config --cflags --libs seedbed) -o imitate
 *   ./imitate DynamicObstacles-v0/easy tapes.jsonl && seedbed verify tapes.jsonl */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seedbed/gridworld.h>
#include <seedbed/player.h>
#include <seedbed/tape.h>

enum { ENVS = 50, LESSONS = 2000, EXAMS = 100, SITUATIONS = 1 << 16, LINE = 1 << 14 };

/* Observations of all environments of the batch; their grids follow each other. */
typedef struct observation {
    int8_t terrain[ENVS * SB_CELLS_MAX], objects[ENVS * SB_CELLS_MAX];
    int16_t agent[ENVS][3]; /* x, y, facing */
    bool masks[ENVS][SB_N_ACTIONS];
    sb_result results[ENVS];
    int width, height;
} observation;

static uint32_t count[SITUATIONS][SB_N_ACTIONS]; /* how often the expert took each action */

static int sign(int n) { return (n > 0) - (n < 0); }

static uint32_t mix(uint32_t hash, int number) { return (hash ^ (uint32_t)number) * 16777619u; }

/* Returns a number for the nine cells around the agent and the direction of the goal. */
static uint32_t state(const observation *s, size_t env) {
    const int cells = s->width * s->height, x = s->agent[env][0], y = s->agent[env][1];
    const int8_t *terrain = s->terrain + env * (size_t)cells, *objects = s->objects + env * (size_t)cells;
    uint32_t hash = 2166136261u;
    for (int at_y = y - 1; at_y <= y + 1; at_y++)
        for (int at_x = x - 1; at_x <= x + 1; at_x++) {
            const bool inside = at_x >= 0 && at_y >= 0 && at_x < s->width && at_y < s->height;
            const int cell = at_y * s->width + at_x;
            hash = mix(hash, inside ? terrain[cell] * 32 + objects[cell] : 255);
        }
    for (int cell = 0; cell < cells; cell++)
        if (objects[cell] == SB_GOAL) hash = mix(hash, 3 * sign(cell % s->width - x) + sign(cell / s->width - y) + 4);
    return (hash ^ hash >> 16) % SITUATIONS;
}

/* Returns the expert's most frequent action here, or a valid action if the expert never was here. */
static sb_action choose(const observation *s, size_t env, size_t step) {
    const uint32_t *done = count[state(s, env)];
    sb_action best = SB_NOOP;
    for (sb_action a = 1; a < SB_N_ACTIONS; a++)
        if (done[a] > done[best]) best = a;
    for (size_t i = 0; done[best] == 0 && i < SB_N_ACTIONS; i++)
        if (s->masks[env][(step + i) % SB_N_ACTIONS]) return (sb_action)((step + i) % SB_N_ACTIONS);
    return best;
}

/* Makes a batch that plays `n` episodes of a task, with seeds from `first` on. */
static sb_batch *open_batch(const char *task, uint64_t first, size_t n, observation *s, sb_error *error) {
    static sb_name names[LESSONS];
    char text[SB_NAME_MAX];
    sb_shape shape;
    snprintf(text, sizeof text, "%s#0", task);
    if (!sb_name_parse(NULL, text, &names[0], error) || !sb_name_shape(NULL, &names[0], &shape, error)) return NULL;
    for (size_t i = 0; i < n; i++) names[i] = names[0], names[i].seed = first + i;

    sb_array_out arrays[] = {{.out = s->terrain}, {.out = s->objects}, {.out = s->agent}};
    static const char *const wanted[] = {"terrain", "objects", "agent"};
    const sb_family *family = sb_family_find(names[0].family, error);
    for (size_t i = 0; i < 3; i++)
        if (!family || !(arrays[i].array = sb_array_find(family, wanted[i], error))) return NULL;
    const int32_t *grid = shape.extent[sb_array_index(family, arrays[0].array)];
    s->height = grid[0], s->width = grid[1];

    const sb_batch_plan plan = {.names = names, .n_names = n, .n = ENVS, .then = SB_THEN_NEXT, .record = true};
    const sb_batch_view view = {.arrays = arrays, .n_arrays = 3, .masks = s->masks[0], .mask_size = SB_N_ACTIONS};
    return sb_batch_make(&plan, &(sb_batch_arrays){.results = s->results, .now = view}, error);
}

/* Lets the expert play, and counts its actions. */
static bool learn(const char *task, observation *s, sb_error *error) {
    sb_action actions[ENVS];
    sb_batch *batch = open_batch(task, EXAMS, LESSONS, s, error);
    sb_players *experts = batch ? sb_players_make(batch, "expert", error) : NULL;
    bool ok = experts;
    while (ok && sb_batch_running(batch) > 0) {
        ok = sb_players_act(experts, actions, error);
        for (size_t i = 0; i < ENVS && ok; i++)
            if (actions[i] >= 0) count[state(s, i)][actions[i]]++;
        ok = ok && sb_batch_step(batch, actions, error);
    }
    sb_players_free(experts);
    sb_batch_free(batch);
    return ok;
}

static bool write_tape(FILE *file, const sb_env *env, sb_error *error) {
    static char line[LINE];
    sb_tape *tape = sb_tape_of(env, "imitate", error);
    if (!tape) return false;
    if (sb_tape_print(tape, line, sizeof line) < sizeof line) fprintf(file, "%s\n", line);
    sb_tape_free(tape);
    return true;
}

/* Plays alone; returns the number of successful episodes, or -1 on errors. */
static int play(const char *task, observation *s, FILE *file, sb_error *error) {
    sb_action actions[ENVS];
    int successes = 0;
    sb_batch *batch = open_batch(task, 0, EXAMS, s, error);
    bool ok = batch;
    for (size_t step = 0; ok && sb_batch_running(batch) > 0; step++) {
        for (size_t i = 0; i < ENVS; i++) actions[i] = choose(s, i, step);
        ok = sb_batch_step(batch, actions, error);
        for (size_t i = 0; i < ENVS && ok; i++) {
            if (!s->results[i].terminated && !s->results[i].truncated) continue;
            successes += s->results[i].success;
            ok = write_tape(file, sb_batch_env(batch, i), error); /* the next episode begins with the next step */
        }
    }
    sb_batch_free(batch);
    return ok ? successes : -1;
}

int main(int argc, char **argv) {
    static observation s;
    const char *task = argc > 1 ? argv[1] : "DynamicObstacles-v0/easy", *path = argc > 2 ? argv[2] : "tapes.jsonl";
    sb_error error = {0};
    FILE *file = fopen(path, "w");
    if (!file) return perror(path), 1;
    const int successes = learn(task, &s, &error) ? play(task, &s, file, &error) : -1;
    if (fclose(file) != 0) return perror(path), 1;
    if (successes < 0) return fprintf(stderr, "%s\n", error.text), 1;
    printf("%d of %d solved\n", successes, EXAMS);
    return 0;
}
