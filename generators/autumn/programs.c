#include "generators/autumn/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/word.h"
#include "generators/autumn/colours.h"
#include "generators/autumn/worlds/plain.h"

extern const unsigned char sb_shipped_autumn_text_common[];

enum { DETERMINISTIC = false, STOCHASTIC = true };

#define SB_PROGRAM(title, file, group, side, draws, does)                                                              \
    extern const unsigned char sb_shipped_autumn_##file[];                                                             \
    extern const char sb_shipped_autumn_##file##_hash[];
#include "generators/autumn/programs.def"
#undef SB_PROGRAM

#define SB_PROGRAM(title, file, group, grid_size, is_drawing, does)                                                    \
    {.info = {.name = #title,                                                                                          \
              .category = group,                                                                                       \
              .summary = does,                                                                                         \
              .rules = sb_shipped_autumn_##file##_hash,                                                                \
              .criterion = SB_BY_NOTHING},                                                                             \
     .text = (const char *)sb_shipped_autumn_##file,                                                                   \
     .side = grid_size,                                                                                                \
     .draws = is_drawing},
static const sb_autumn_task tasks[SB_AUTUMN_N_PROGRAMS] = {
#include "generators/autumn/programs.def"
};
#undef SB_PROGRAM

const sb_task_info *sb_autumn_task_at(size_t index) { return &tasks[index].info; }

/* ---- The rules in words ------------------------------------------------------------------------------------------ */

static const char *next_line(const char *line) {
    const char *end = line + strcspn(line, "\n");
    return end + (*end == '\n');
}

/* Puts lines of comments, without their semicolons, up to the first line that is none. */
static void put_comments(const char *line, sb_out *out) {
    for (; *line == ';'; line = next_line(line)) {
        const char *words = line + 1 + (line[1] == ' ');
        sb_put(out, words, (size_t)(next_line(line) - words));
    }
}

static void put_accepted(const sb_autumn_world *w, sb_out *out) {
    for (size_t i = 0; i < w->n_difficulties; i++) {
        const sb_autumn_difficulty *d = &w->difficulties[i];
        if (!d->has_solution) continue;
        sb_puts(out, "- ");
        if (*d->word) sb_putf(out, "`%s`: ", d->word);
        sb_putf(out, "a shortest play has %d to %d steps\n", d->least, d->most);
    }
    for (sb_autumn_key key = SB_AUTUMN_LEFT; key <= SB_AUTUMN_CLICK; key++)
        if (w->needs[key]) sb_putf(out, "- no start can be won without `%s`\n", sb_autumn_key_names[key]);
}

/* A world's page: its comment, without the sentence that stands above it, and what its clauses say of rewards, ends and
 * starts. */
static void describe_world(const sb_autumn_task *task, sb_out *out) {
    const sb_autumn_world *w = task->world;
    const size_t n = strlen(w->says);
    const char *comment = task->text + strspn(task->text, "; ");
    put_comments(strncmp(comment, w->says, n) == 0 ? next_line(comment) : task->text, out);
    if (out->size) sb_puts(out, "\n");
    sb_puts(out, "## Rewards and ends\n\n");
    sb_puts(out, w->has_score ? "A step's reward is what it adds to the score, as a share of the highest one."
                              : "The reward is 1 for the step that wins, else 0.");
    sb_puts(out, w->has_reward ? " The dense reward is the world's own." : " The dense reward is the same.");
    sb_puts(out, w->has_lose ? " The episode ends when it is won or lost, or at the step limit.\n"
                             : " The episode ends when it is won, or at the step limit.\n");
    sb_puts(out, task->draws ? "Steps draw random numbers.\n\n" : "Steps draw no random numbers.\n\n");
    put_accepted(w, out);
}

static void describe_plain(const sb_autumn_task *task, sb_out *out) {
    const int n = (int)strcspn(task->name, "/");
    sb_putf(out,
            "The world `%.*s` without its statement `task`, as a program whose rules are to be found out. Its "
            "difficulties are challenges:\npredictions (`mfp-1` to `mfp-4`), plans (`planning-1` to `planning-4`) and "
            "changes (`change-1` to `change-4`).\ndocs/autumn-challenges.md says what they are.\n",
            n, task->name);
}

void sb_autumn_describe(const sb_task_info *task, sb_out *out) {
    const sb_autumn_task *t = sb_autumn_task_of(task);
    if (t->is_plain) {
        describe_plain(t, out);
        return;
    }
    if (t->world) {
        describe_world(t, out);
        return;
    }
    sb_puts(out, "## Rules, which are what there is to find out\n\n");
    const char *line = next_line(t->text);
    if (strncmp(line, ";\n", 2) == 0) line = next_line(line);
    put_comments(line, out);
    sb_puts(out, "\n");
    sb_puts(out, (const char *)sb_shipped_autumn_text_common);
}

/* ---- Compiling ---- */

static bool know_colours(sb_autumn_compiled *c) {
    const uint32_t n = sb_autumn_n_strings(c->program);
    c->lower = malloc(n + 1), c->exact = malloc(n + 1);
    if (!c->lower || !c->exact) return false;
    for (uint32_t i = 0; i < n; i++) {
        const char *text = sb_autumn_string(c->program, i);
        c->lower[i] = sb_colour_find(text, true);
        c->exact[i] = sb_colour_find(text, false);
    }
    return true;
}

static void free_compiled(sb_autumn_compiled *c) {
    sb_autumn_unload(c->program);
    free(c->lower);
    free(c->exact);
    free(c->accepted);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

static bool know_world(sb_autumn_compiled *c) {
    if (!sb_autumn_world_of(c->program)) return true;
    c->accepted = calloc(SB_AUTUMN_ACCEPTED, sizeof *c->accepted);
    return c->accepted != NULL;
}

static sb_autumn_compiled *compile(const char *text, size_t n, size_t difficulty, const char *name, sb_error *error) {
    const sb_autumn_options options = {.difficulty = difficulty};
    sb_autumn_fault fault;
    sb_autumn_compiled *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a program"), NULL;
    c->users = 1;
    c->difficulty = difficulty;
    pthread_mutex_init(&c->mutex, NULL);
    c->program = sb_autumn_load(text, n, &options, &fault);
    if (c->program && know_colours(c) && know_world(c)) return c;
    if (c->program)
        sb_fail(error, SB_MEMORY, "out of memory for a program");
    else
        sb_autumn_fail(&fault, name, error);
    free_compiled(c);
    return NULL;
}

sb_autumn_compiled *sb_autumn_compile(const sb_autumn_task *task, size_t difficulty, sb_error *error) {
    const size_t number = task->world ? difficulty : 0;
    if (task->compiled[number]) return sb_autumn_share(task->compiled[number]);
    sb_autumn_compiled *c = compile(task->text, strlen(task->text), 0, task->info.name, error);
    if (c) c->side = task->side;
    return c;
}

sb_autumn_compiled *sb_autumn_share(sb_autumn_compiled *compiled) {
    compiled->users++;
    return compiled;
}

void sb_autumn_release(sb_autumn_compiled *compiled) {
    if (compiled && --compiled->users == 0) free_compiled(compiled);
}

/* ---- Programs that users bring ---- */

/* Programs that users bring get their names from their content, so errors call all of them `program`. */
static const char nameless[] = "program";

const sb_autumn_fault sb_autumn_no_grid = {.kind = SB_AUTUMN_LIMIT,
                                           .text = "GRID_SIZE must be at least 1 at the start"};

/* Starts the program once: its first GRID_SIZE gives the shapes, and one that cannot start is no task. Starts of a
 * world may fail: they are drawn until one does not. */
static bool measure(sb_autumn_compiled *c, bool of_world, sb_error *error) {
    enum { DRAWN = 100 };
    sb_autumn_state *state = sb_autumn_new(c->program);
    bool started = false;
    if (!state) return sb_fail(error, SB_MEMORY, "out of memory for a program");
    for (uint64_t seed = 0; c->side == 0 && seed < (of_world ? DRAWN : 1); seed++) {
        started = sb_autumn_start(state, SB_AUTUMN_PCG64, seed, NULL);
        if (started) c->side = (int32_t)sb_autumn_size(state);
    }
    if (c->side == 0) sb_autumn_fail(started ? &sb_autumn_no_grid : sb_autumn_fault_of(state), nameless, error);
    sb_autumn_free(state);
    return c->side > 0;
}

static void drop_program(sb_task_info *info) {
    sb_autumn_task *task = (sb_autumn_task *)info;
    for (size_t i = 0; i < SB_AUTUMN_DIFFICULTIES_MAX && task->plain[i]; i++) drop_program(&task->plain[i]->info);
    for (size_t i = 0; i < SB_AUTUMN_DIFFICULTIES_MAX; i++) sb_autumn_release(task->compiled[i]);
    if (task->is_plain) free((char *)task->text);
    free(task);
}

static bool compile_at(sb_autumn_task *task, size_t n, size_t difficulty, sb_error *error) {
    sb_autumn_compiled *c = task->compiled[difficulty] = compile(task->text, n, difficulty, nameless, error);
    return c && measure(c, task->is_plain || sb_autumn_world_of(c->program), error);
}

bool sb_autumn_is_shipped(const char *name) {
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++)
        if (sb_same_word(name, tasks[i].info.name)) return true;
    return false;
}

/* ---- Worlds ---- */

/* Makes the task with the challenges of one difficulty. The word `plain` stands for a difficulty without a name. False:
 * the name is too long, or the world without its statement `task` is no program; or memory is out. */
static bool make_plain(sb_autumn_task *world, size_t difficulty, sb_autumn_task *plain, sb_error *error) {
    const char *word = *world->words[difficulty] ? world->words[difficulty] : "plain";
    sb_out text = sb_out_growing();
    plain->is_plain = true;
    plain->draws = world->draws;
    memcpy(plain->hash, world->hash, sizeof plain->hash);
    plain->info = (sb_task_info){.name = plain->name,
                                 .category = world->info.category,
                                 .summary = "Find out how a world works: what will be, what leads there, what changed.",
                                 .rules = plain->hash,
                                 .criterion = SB_BY_NOTHING};
    const int n = snprintf(plain->name, sizeof plain->name, "%s/%s", world->info.name, word);
    if (n >= (int)sizeof plain->name) return sb_fail(error, SB_INVALID, "the name is too long");
    const bool made = sb_world_plain(world->text, strlen(world->text), difficulty, &text, error);
    sb_putc(&text, '\0');
    plain->text = text.data;
    if (made && !sb_out_ok(&text)) return sb_fail(error, SB_MEMORY, "out of memory for a program");
    return made && compile_at(plain, strlen(plain->text), 0, error);
}

/* Makes the tasks with challenges of all difficulties of which there can be one. False: out of memory. */
static bool make_plains(sb_autumn_task *world, sb_error *error) {
    size_t n = 0;
    for (size_t i = 0; i < world->difficulties.n; i++) {
        sb_autumn_task *plain = calloc(1, sizeof *plain);
        if (!plain) return sb_fail(error, SB_MEMORY, "out of memory for a program");
        if (make_plain(world, i, plain, error)) {
            world->plain[n++] = plain;
            continue;
        }
        drop_program(&plain->info);
        if (error->code == SB_MEMORY) return false;
    }
    return true;
}

static const sb_task_info *part(const sb_task_info *task, size_t index) {
    const sb_autumn_task *plain = index < SB_AUTUMN_DIFFICULTIES_MAX ? sb_autumn_task_of(task)->plain[index] : NULL;
    return plain ? &plain->info : NULL;
}

/* A world has a name, and says what the task is. */
static bool become_world(sb_autumn_task *task, size_t n, sb_error *error) {
    const sb_autumn_world *w = task->world = sb_autumn_world_of(task->compiled[0]->program);
    if (!w) return true;
    if (sb_autumn_is_shipped(w->name))
        return sb_fail(error, SB_INVALID, "%s: `%s` is the name of a program that comes with Seedbed", nameless,
                       w->name);
    task->info.name = w->name, task->info.category = w->category, task->info.summary = w->says;
    task->info.criterion = w->has_score ? SB_BY_SCORE : SB_BY_SUCCESS;
    for (size_t i = 0; i < w->n_difficulties; i++) {
        task->words[i] = w->difficulties[i].word;
        if (i && !compile_at(task, n, i, error)) return false;
    }
    task->difficulties = (sb_difficulties){.names = task->words, .n = w->n_difficulties, .n_usual = w->n_difficulties};
    return true;
}

const sb_difficulties *sb_autumn_difficulties_of(const sb_task_info *task) {
    static const sb_difficulties challenges = {.names = sb_autumn_variants + SB_AUTUMN_FIRST_CHALLENGE,
                                               .n = SB_AUTUMN_N_VARIANTS - SB_AUTUMN_FIRST_CHALLENGE,
                                               .n_usual = SB_AUTUMN_FIRST_SAME - SB_AUTUMN_FIRST_CHALLENGE,
                                               .in_short = sb_autumn_challenges_in_short};
    const sb_autumn_task *t = sb_autumn_task_of(task);
    return t->is_plain ? &challenges : t->world ? &t->difficulties : NULL;
}

static sb_task_info *read_program(const char *text, size_t n, sb_error *error) {
    char sha256[SB_SHA256_HEX];
    sb_autumn_task *task = calloc(1, sizeof *task);
    if (!task) return sb_fail(error, SB_MEMORY, "out of memory for a program"), NULL;
    sb_sha256_hex(text, n, sha256);
    memcpy(task->hash, sha256, SB_AUTUMN_HASH - 1);
    task->text = text;
    task->info = (sb_task_info){.category = "program",
                                .summary = "Find out how a program of your own works.",
                                .rules = task->hash,
                                .criterion = SB_BY_NOTHING};
    const bool ok = compile_at(task, n, 0, error) && become_world(task, n, error);
    task->draws = ok && sb_autumn_draws_in_steps(task->compiled[0]->program);
    if (ok && (!task->world || make_plains(task, error))) return &task->info;
    drop_program(&task->info);
    return NULL;
}

static bool is_derived(const sb_task_info *task, size_t difficulty) {
    return sb_autumn_is_challenge(sb_autumn_variant_of(task, difficulty));
}

static bool is_searched(const sb_task_info *task, size_t difficulty) {
    const sb_autumn_world *world = sb_autumn_task_of(task)->world;
    return world && sb_autumn_is_searched(world, difficulty);
}

const sb_imports sb_autumn_imports = {.read = read_program,
                                      .drop = drop_program,
                                      .part = part,
                                      .is_derived = is_derived,
                                      .is_searched = is_searched,
                                      .how_to_derive = "`seedbed challenges -o PACK.jsonl` makes one"};
