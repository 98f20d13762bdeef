#include "cli/manual.h"

#include <string.h>
#include <strings.h>

#include "cli/command.h"
#include "engine/environment.h"
#include "engine/lookup.h"
#include "exporters/exporter.h"
#include "oracles/oracle.h"
#include "seedbed/picture.h"

typedef struct completion {
    const sb_family *family; /* the family whose tasks, modes and so on are offered */
    const char *word;        /* what is being typed; in a list, the last item */
    const char *before;      /* the beginning of the same shell word, `n_before` bytes, repeated in every candidate */
    size_t n_before;
} completion;

static void offer_with(const completion *c, const char *text, const char *suffix, const char *meaning) {
    if (strncasecmp(text, c->word, strlen(c->word)) != 0) return;
    printf("%.*s%s%s\t%s\n", (int)c->n_before, c->before, text, suffix, meaning);
}

static void offer(const completion *c, const char *text, const char *meaning) { offer_with(c, text, "", meaning); }

/* Moves the beginning of what is being typed to `at`, later in the word. */
static void go_on_at(completion *c, const char *at) {
    c->n_before += (size_t)(at - c->word);
    c->word = at;
}

/* ---- Where candidates come from ---- */

static void offer_files(completion *c) {
    (void)c;
    puts("\tfiles");
}

static void offer_families(completion *c) {
    for (const sb_family *const *family = sb_families; *family; family++) offer(c, (*family)->name, "");
}

static void offer_tasks(completion *c) {
    for (size_t i = 0; i < c->family->n_tasks; i++) offer(c, c->family->task(i)->name, c->family->task(i)->summary);
}

static bool is_category_of_earlier_task(const sb_family *family, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (strcmp(family->task(i)->category, family->task(index)->category) == 0) return true;
    return false;
}

static void offer_categories(completion *c) {
    for (size_t i = 0; i < c->family->n_tasks; i++)
        if (!is_category_of_earlier_task(c->family, i)) offer(c, c->family->task(i)->category, "");
}

static void offer_difficulties(completion *c) {
    const char *difficulties[SB_DIFFICULTIES_MAX];
    const size_t n = sb_named_difficulties(c->family, difficulties);
    for (size_t i = 0; i < n; i++) offer(c, difficulties[i], "");
}

static void offer_modes(completion *c) {
    for (size_t i = 0; i < c->family->n_modes; i++) offer(c, c->family->modes[i].name, "");
}

static void offer_json_modes(completion *c) {
    for (size_t i = 0; i < c->family->n_modes; i++)
        if (c->family->modes[i].schema) offer(c, c->family->modes[i].name, "");
}

static void offer_looks(completion *c) {
    const sb_look *look;
    for (size_t i = 0; (look = sb_look_at(c->family, i)); i++) offer(c, look->name, look->summary);
}

static void offer_formats(completion *c) {
    for (const sb_exporter *const *format = sb_exporters; *format; format++)
        offer(c, (*format)->name, (*format)->summary);
}

/* Whether the oracle plays one of the family's first `index` tasks. */
static bool plays_earlier_task(const sb_family *family, size_t index, const char *name) {
    for (size_t i = 0; i < index; i++)
        if (sb_oracle_find(family->name, family->task(i)->name, name)) return true;
    return false;
}

static void offer_oracles(completion *c) {
    for (size_t i = 0; i < c->family->n_tasks; i++) {
        const char *names[SB_ORACLES_MAX];
        const size_t n = sb_oracles_of(c->family->name, c->family->task(i)->name, names);
        for (size_t j = 0; j < n; j++)
            if (!plays_earlier_task(c->family, i, names[j])) offer(c, names[j], "");
    }
}

static void offer_players(completion *c) {
    offer_oracles(c);
    offer(c, "random", "random actions");
}

static void offer_solvers(completion *c) {
    if (strncmp(c->word, "plugin:", 7) == 0) {
        offer_files(c);
        return;
    }
    offer_players(c);
    offer_with(c, "plugin", ":", "a bot in a shared object");
}

static void offer_agents(completion *c) {
    if (strncmp(c->word, "tape:", 5) == 0) {
        offer_files(c);
        return;
    }
    offer_solvers(c);
    offer_with(c, "tape", ":", "tapes, a line each");
    offer_with(c, "exec", ":", "a program that plays");
}

/* Returns the family that the word names before a colon, or NULL. */
static const sb_family *family_of_name(const char *word) {
    const char *colon = strchr(word, ':');
    for (const sb_family *const *family = sb_families; colon && *family; family++)
        if (strncmp((*family)->name, word, (size_t)(colon - word)) == 0 && !(*family)->name[colon - word])
            return *family;
    return NULL;
}

/* Offers names of episodes, a part at a time: family, task, difficulty. */
static void offer_episodes(completion *c) {
    const sb_family *named = family_of_name(c->word);
    for (const sb_family *const *other = sb_families + 1; !named && *other; other++)
        offer_with(c, (*other)->name, ":", "family of tasks");
    c->family = named ? named : sb_families[0];
    if (named) go_on_at(c, strchr(c->word, ':') + 1);
    const char *difficulties[SB_DIFFICULTIES_MAX];
    const size_t n_difficulties = sb_named_difficulties(c->family, difficulties);
    const bool may_end = !*c->family->difficulties[0]; /* a name may end without a difficulty */
    const char *slash = strchr(c->word, '/');
    if (slash) go_on_at(c, slash + 1);
    for (size_t i = 0; slash && i < n_difficulties; i++) offer_with(c, difficulties[i], "#", "");
    for (size_t i = 0; !slash && i < c->family->n_tasks; i++)
        offer_with(c, c->family->task(i)->name, may_end ? "#" : "/", c->family->task(i)->summary);
}

static void offer_episodes_and_files(completion *c) {
    offer_episodes(c);
    offer_files(c);
}

/* ---- Values and options ---- */

/* How values of a kind are offered. Kinds that are not listed offer only the words of their option. */
static const struct source {
    void (*offer)(completion *c);
    bool is_list; /* only the last item of the list is completed */
} sources[CLI_N_KINDS] = {
    [CLI_LIST] = {NULL, true},
    [CLI_FILE] = {offer_files, false},
    [CLI_FILES] = {offer_files, false},
    [CLI_OUTPUT] = {offer_files, false},
    [CLI_EPISODE] = {offer_episodes, false},
    [CLI_EPISODE_OR_FILE] = {offer_episodes_and_files, false},
    [CLI_FAMILY] = {offer_families, false},
    [CLI_TASKS] = {offer_tasks, true},
    [CLI_CATEGORIES] = {offer_categories, true},
    [CLI_DIFFICULTIES] = {offer_difficulties, true},
    [CLI_MODE] = {offer_modes, false},
    [CLI_MODES] = {offer_modes, true},
    [CLI_JSON_MODE] = {offer_json_modes, false},
    [CLI_LOOK] = {offer_looks, false},
    [CLI_FORMATS] = {offer_formats, true},
    [CLI_ORACLE] = {offer_oracles, false},
    [CLI_PLAYER] = {offer_players, false},
    [CLI_SOLVER] = {offer_solvers, false},
    [CLI_AGENT] = {offer_agents, false},
};

static void offer_values(completion *c, cli_kind kind, const char *const *words) {
    const char *comma = strrchr(c->word, ',');
    if (sources[kind].is_list && comma) go_on_at(c, comma + 1);
    if (sources[kind].offer) sources[kind].offer(c);
    for (; words && *words; words++) offer(c, *words, "");
}

static void offer_options(const completion *c, const cli_command *command) {
    char text[64];
    const cli_option *option;
    for (size_t i = 0; (option = cli_option_at(command, i)); i++) {
        snprintf(text, sizeof text, "--%s", option->name);
        offer(c, text, option->help);
    }
    offer(c, "--help", "how to use it");
    offer(c, "--help-all", "the same with every option");
}

/* ---- The command line ---- */

/* Finds an option that takes a value, as cli_find_option does. */
static const cli_option *option_in(const cli_command *command, const char *word, const char **value) {
    const cli_option *option = word[0] == '-' ? cli_find_option(command, word, value) : NULL;
    return option && option->argument ? option : NULL;
}

/* Returns the first family that the line names, by an option or in the name of an episode; else the first of all. */
static const sb_family *family_of_line(const cli_command *command, int n, char **words) {
    sb_error error;
    for (int i = 0; i < n; i++) {
        const char *value;
        const cli_option *option = option_in(command, words[i], &value);
        const bool is_named = option && option->kind == CLI_FAMILY && (value || i + 1 < n);
        const sb_family *family = is_named ? sb_family_find(value ? value : words[i + 1], &error)
                                           : family_of_name(words[i]);
        if (family) return family;
    }
    return sb_families[0];
}

/* Completes the last of the words behind the command's name. */
static void complete_arguments(const cli_command *command, int n, char **words) {
    const char *word = words[n - 1], *value;
    completion c = {.family = family_of_line(command, n, words), .word = word, .before = word};
    const cli_option *option = option_in(command, word, &value);
    if (option && value) {
        go_on_at(&c, value);
        offer_values(&c, option->kind, option->words);
        return;
    }
    option = n > 1 ? option_in(command, words[n - 2], &value) : NULL;
    if (option && !value)
        offer_values(&c, option->kind, option->words);
    else if (word[0] == '-')
        offer_options(&c, command);
    else {
        offer_values(&c, command->arguments.kind, command->arguments.words);
        for (const cli_verb *verb = command->verbs; verb && verb->word; verb++) offer(&c, verb->word, "");
    }
}

static void offer_commands(const completion *c) {
    for (const cli_command *const *command = cli_commands; *command; command++)
        offer(c, (*command)->name, (*command)->summary);
}

static void complete_first_word(const completion *c) {
    offer_commands(c);
    offer(c, "help", "how to use a command");
    if (c->word[0] != '-') return;
    offer(c, "--help", "");
    offer(c, "--version", "");
}

void cli_complete(int n, char **words) {
    if (n < 1) return;
    const completion c = {.word = words[n - 1], .before = words[n - 1]};
    const cli_command *command = cli_find_command(words[0]);
    if (n == 1)
        complete_first_word(&c);
    else if (command)
        complete_arguments(command, n - 1, words + 1);
    else if (n == 2 && strcmp(words[0], "help") == 0)
        offer_commands(&c);
}
