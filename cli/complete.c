#include "cli/complete.h"

#include <string.h>
#include <strings.h>

#include "engine/environment.h"
#include "engine/lookup.h"
#include "exporters/exporter.h"
#include "oracles/oracle.h"

typedef struct completion {
    const cli_asked *asked;
    const sb_family *family; /* that the line is about */
    const char *word;        /* what is being typed; of a list, its last item */
    const char *before;      /* what stands before that in the same word of the shell, and how much it is */
    size_t n_before;
} completion;

static void offer_with(const completion *c, const char *text, const char *suffix, const char *meaning) {
    if (strncasecmp(text, c->word, strlen(c->word)) != 0) return;
    printf("%.*s%s%s\t%s\n", (int)c->n_before, c->before, text, suffix, meaning);
}

static void offer(const completion *c, const char *text, const char *meaning) { offer_with(c, text, "", meaning); }

/* From now on what is being typed begins at `at`, somewhere in the word. */
static void go_on_at(completion *c, const char *at) {
    c->n_before += (size_t)(at - c->word);
    c->word = at;
}

/* ---- What there is ---- */

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

static void offer_documents(completion *c) {
    for (size_t i = 0; i < c->family->n_modes; i++)
        if (c->family->modes[i].schema) offer(c, c->family->modes[i].name, "");
}

static void offer_formats(completion *c) {
    for (const sb_exporter *const *format = sb_exporters; *format; format++)
        offer(c, (*format)->name, (*format)->summary);
}

/* Whether an oracle of that name plays one of the family's first tasks. */
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

static void offer_agents(completion *c) {
    if (strncmp(c->word, "tape:", 5) == 0) {
        offer_files(c);
        return;
    }
    offer_players(c);
    offer_with(c, "tape", ":", "tapes, a line each");
    offer_with(c, "exec", ":", "a program that plays");
}

/* The family that a word names before a colon, or NULL. */
static const sb_family *family_of_name(const char *word) {
    const char *colon = strchr(word, ':');
    for (const sb_family *const *family = sb_families; colon && *family; family++)
        if (strncmp((*family)->name, word, (size_t)(colon - word)) == 0 && !(*family)->name[colon - word])
            return *family;
    return NULL;
}

/* Names of episodes, a part at a time: family, task, difficulty. */
static void offer_episodes(completion *c) {
    const sb_family *named = family_of_name(c->word);
    for (const sb_family *const *other = sb_families + 1; !named && *other; other++)
        offer_with(c, (*other)->name, ":", "family of tasks");
    c->family = named ? named : sb_families[0];
    if (named) go_on_at(c, strchr(c->word, ':') + 1);
    const char *difficulties[SB_DIFFICULTIES_MAX];
    const size_t n_difficulties = sb_named_difficulties(c->family, difficulties);
    const bool may_end = !*c->family->difficulties[0]; /* names need not say a difficulty */
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

/* ---- What goes where ---- */

/* Values of options that do not list them (cli_option.words), which mean the same in every command but those that are
 * named here; and what commands take besides options. The first line that fits counts. */
typedef struct place {
    const char *command, *option;
    void (*offer)(completion *c);
    const char *words; /* offered as well, separated by blanks */
} place;

static const place places[] = {
    {"eval", "agent", offer_agents, NULL},
    {"eval", "oracle", offer_agents, NULL},
    {NULL, "agent", offer_players, NULL},
    {NULL, "oracle", offer_players, NULL},
    {NULL, "labels", offer_oracles, NULL},
    {NULL, "expert", offer_oracles, NULL},
    {NULL, "family", offer_families, NULL},
    {NULL, "tasks", offer_tasks, NULL},
    {NULL, "category", offer_categories, NULL},
    {NULL, "difficulty", offer_difficulties, NULL},
    {NULL, "mode", offer_modes, NULL},
    {NULL, "modes", offer_modes, NULL},
    {NULL, "schema", offer_documents, NULL},
    {NULL, "format", offer_formats, NULL},
    {NULL, "split", NULL, "eval train"},
    {NULL, "protocol", NULL, "predict plan decompose"},
    {NULL, "published", NULL, "all none"},
    {NULL, "output", offer_files, NULL},
    {NULL, "recipe", offer_files, NULL},
    {NULL, "pack", offer_files, NULL},
    {NULL, "baseline", offer_files, NULL},
    {NULL, "certificates", offer_files, NULL},
    {NULL, "agent-log", offer_files, NULL},
    {NULL, "html", offer_files, NULL},
    {NULL, "socket", offer_files, NULL},
    {"show", NULL, offer_episodes, NULL},
    {"play", NULL, offer_episodes, NULL},
    {"solve", NULL, offer_episodes, NULL},
    {"eval", NULL, offer_episodes, NULL},
    {"certify", NULL, offer_episodes, NULL},
    {"build", NULL, offer_episodes_and_files, NULL},
    {"replay", NULL, offer_files, NULL},
    {"score", NULL, offer_files, NULL},
    {"report", NULL, offer_files, NULL},
    {"seeds", NULL, offer_files, "diff"},
    {"render", NULL, offer_files, NULL},
    {"merge", NULL, offer_files, NULL},
    {"verify", NULL, offer_files, NULL},
    {"conform", NULL, offer_files, NULL},
};

static void offer_words(const completion *c, const char *words) {
    char word[32];
    while (*words) {
        const size_t n = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        offer(c, word, "");
        words += n + (words[n] == ' ');
    }
}

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* `option` is NULL for what is no option's value. */
static void offer_at(completion *c, const char *option) {
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const place *p = &places[i];
        if (!same(p->option, option) || (p->command && strcmp(p->command, c->asked->self->name) != 0)) continue;
        if (p->offer) p->offer(c);
        if (p->words) offer_words(c, p->words);
        return;
    }
}

static void offer_value(completion *c, const cli_option *option) {
    const char *comma = strrchr(c->word, ',');
    const bool is_list = strchr(option->argument, ',') != NULL;
    if (is_list && comma) go_on_at(c, comma + 1);
    if (!option->words) offer_at(c, option->name);
    for (const char *const *word = option->words; word && *word; word++) offer(c, *word, "");
}

static void offer_options(const completion *c) {
    char text[64];
    for (size_t i = 0; i < c->asked->n; i++) {
        snprintf(text, sizeof text, "--%s", c->asked->options[i].name);
        offer(c, text, c->asked->options[i].help);
    }
    offer(c, "--help", "how to use it");
}

/* By --family, or by the name of an episode; NULL if the word, behind `previous`, is neither. */
static const sb_family *family_of_word(const char *previous, const char *word) {
    static const char option[] = "--family=";
    const size_t n = strlen(option);
    sb_error error;
    if (strcmp(previous, "--family") == 0) return sb_family_find(word, &error);
    if (strncmp(word, option, n) == 0) return sb_family_find(word + n, &error);
    return family_of_name(word);
}

static const sb_family *family_of_line(const cli_asked *asked) {
    const char *previous = "";
    for (int i = 0; i < asked->n_words; i++) {
        const sb_family *family = family_of_word(previous, asked->words[i]);
        if (family) return family;
        previous = asked->words[i];
    }
    return sb_families[0];
}

void cli_complete_options(const cli_asked *asked) {
    const int last = asked->n_words - 1;
    if (last < 0) return;
    const char *word = asked->words[last], *value = NULL;
    completion c = {.asked = asked, .family = family_of_line(asked), .word = word, .before = word};
    const cli_option *option = word[0] == '-' ? cli_find_option(asked->options, asked->n, word, &value) : NULL;
    if (option && !option->flag && value) {
        go_on_at(&c, value);
        offer_value(&c, option);
        return;
    }
    const char *previous = last > 0 ? asked->words[last - 1] : "";
    option = previous[0] == '-' ? cli_find_option(asked->options, asked->n, previous, &value) : NULL;
    if (option && !option->flag && !value)
        offer_value(&c, option);
    else if (word[0] == '-')
        offer_options(&c);
    else
        offer_at(&c, NULL);
}

static void offer_commands(const completion *c) {
    for (const cli_command *const *command = cli_commands; *command; command++)
        offer(c, (*command)->name, (*command)->summary);
}

int cli_complete(int n, char **words) {
    char how[] = "--help=complete";
    if (n < 1) return CLI_OK;
    const completion c = {.word = words[n - 1], .before = words[n - 1]};
    const cli_command *command = cli_find_command(words[0]);
    if (n == 1) {
        offer_commands(&c);
        offer(&c, "help", "how to use a command");
        if (words[0][0] == '-') offer_words(&c, "--help --version");
    } else if (command) {
        words[0] = how; /* what follows is what it is asked about */
        return command->run(command, n, words);
    } else if (n == 2 && strcmp(words[0], "help") == 0) {
        offer_commands(&c);
    }
    return CLI_OK;
}
