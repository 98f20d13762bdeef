#include "engine/lookup.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/word.h"
#include "engine/catalogue.h"
#include "engine/environment.h"
#include "seedbed/picture.h"

/* A list of names for an error message: the first ones, as many as fit, and `...` if there are others. */
typedef struct listing {
    char text[120];
    size_t size;
    bool is_full; /* the list ends with `...` */
} listing;

/* Adds a name to a list. Behind every name there is room left for the dots. */
static void list_name(listing *list, const char *name) {
    static const char dots[] = "...";
    const char *between = list->size ? ", " : "";
    if (list->is_full) return;
    list->is_full = list->size + strlen(between) + strlen(name) + strlen(", ") + sizeof dots > sizeof list->text;
    list->size += (size_t)sprintf(list->text + list->size, "%s%s", between, list->is_full ? dots : name);
}

const sb_family *sb_family_find(const char *name, sb_error *error) {
    for (const sb_family *const *family = sb_families; *family; family++)
        if (strcmp((*family)->name, name) == 0) return *family;
    listing known = {0};
    for (const sb_family *const *family = sb_families; *family; family++) list_name(&known, (*family)->name);
    sb_fail(error, SB_UNKNOWN, "unknown family `%.40s`; known families: %s", name, known.text);
    return NULL;
}

static bool takes_programs(const sb_family *family) { return family->imports && family->imports->read; }

const sb_family *sb_family_of_programs(void) {
    const sb_family *const *family = sb_families;
    while (*family && !takes_programs(*family)) family++;
    return *family;
}

const char *const sb_criterion_names[] = {
    [SB_BY_SUCCESS] = "success", [SB_BY_SCORE] = "score", [SB_BY_NOTHING] = "nothing"};

size_t sb_n_skills(const sb_task_info *task) {
    size_t n = 0;
    while (task->skills && task->skills[n]) n++;
    return n;
}

const sb_mode *sb_mode_find(const sb_family *family, const char *name, sb_error *error) {
    for (size_t i = 0; i < family->n_modes; i++) {
        const sb_mode *mode = &family->modes[i];
        if (strcmp(mode->name, name) == 0 || (mode->alias && strcmp(mode->alias, name) == 0)) return mode;
    }
    listing known = {0};
    for (size_t i = 0; i < family->n_modes; i++) list_name(&known, family->modes[i].name);
    sb_fail(error, SB_UNKNOWN, "unknown observation mode `%.40s`; modes of %s: %s", name, family->name, known.text);
    return NULL;
}

const sb_array *sb_array_find(const sb_family *family, const char *name, sb_error *error) {
    listing known = {0};
    for (size_t i = 0; i < family->n_arrays; i++) {
        if (strcmp(family->arrays[i].name, name) == 0) return &family->arrays[i];
        list_name(&known, family->arrays[i].name);
    }
    sb_fail(error, SB_UNKNOWN, "unknown array `%.40s`; arrays of %s: %s", name, family->name, known.text);
    return NULL;
}

const sb_look *sb_look_find(const sb_family *family, const char *name, sb_error *error) {
    const sb_look *look;
    listing known = {0};
    for (size_t i = 0; (look = sb_look_at(family, i)); i++) {
        if (strcmp(look->name, name) == 0 || (look->alias && strcmp(look->alias, name) == 0)) return look;
        list_name(&known, look->name);
    }
    if (!family->pictures) return sb_fail(error, SB_UNKNOWN, "family %s has no pictures", family->name), NULL;
    sb_fail(error, SB_UNKNOWN, "unknown look `%.40s`; looks of %s: %s", name, family->name, known.text);
    return NULL;
}

const sb_family *sb_family_at(size_t index) {
    for (size_t i = 0; sb_families[i]; i++)
        if (i == index) return sb_families[i];
    return NULL;
}

const char *sb_difficulty_at(const sb_family *family, size_t index) {
    return index < family->n_difficulties ? family->difficulties[index] : NULL;
}

const sb_mode *sb_mode_at(const sb_family *family, size_t index) {
    return index < family->n_modes ? &family->modes[index] : NULL;
}

const sb_array *sb_array_at(const sb_family *family, size_t index) {
    return index < family->n_arrays ? &family->arrays[index] : NULL;
}

size_t sb_array_index(const sb_family *family, const sb_array *array) { return (size_t)(array - family->arrays); }

const char *sb_family_name(const sb_family *family) { return family->name; }
const char *sb_family_rules(const sb_family *family) { return family->version; }
sb_hiding sb_family_hiding(const sb_family *family) { return family->hiding; }

const sb_task_info *sb_task_at(const sb_catalogue *catalogue, const sb_family *family, size_t index) {
    return index < family->n_tasks ? family->task(index)
                                   : sb_catalogue_task(catalogue, family, index - family->n_tasks);
}

size_t sb_task_count(const sb_catalogue *catalogue, const sb_family *family) {
    return family->n_tasks + sb_catalogue_count(catalogue, family);
}

const sb_program *sb_task_program(const sb_catalogue *catalogue, const sb_task_info *task) {
    return sb_catalogue_program(catalogue, task);
}

bool sb_is_derived(const sb_family *family, const sb_task_info *task, size_t difficulty) {
    return family->imports && family->imports->is_derived && family->imports->is_derived(task, difficulty);
}

bool sb_is_searched(const sb_family *family, const sb_task_info *task, size_t difficulty) {
    return family->searches ||
           (family->imports && family->imports->is_searched && family->imports->is_searched(task, difficulty));
}

sb_criterion sb_judged_by(const sb_family *family, const sb_task_info *task, size_t difficulty) {
    return family->criterion ? family->criterion(task, difficulty) : task->criterion;
}

bool sb_has_evaluation(const sb_family *family, const sb_task_info *task, size_t difficulty) {
    return sb_judged_by(family, task, difficulty) != SB_BY_NOTHING && !sb_is_derived(family, task, difficulty);
}

sb_criterion sb_criterion_of(const sb_resolved *of) { return sb_judged_by(of->family, of->task, of->difficulty); }
sb_criterion sb_criterion_in(const sb_env *env) { return sb_judged_by(env->family, env->task, env->difficulty_index); }

/* Tells whether `name` is the full name in any case, or the full name without its `-v<digits>`. No two tasks differ
 * only in case. */
static bool names_task(const char *name, const char *full) {
    const size_t n = sb_common_prefix(name, full);
    if (name[n]) return false;
    const char *rest = full + n;
    return *rest == '\0' ||
           (rest[0] == '-' && rest[1] == 'v' && rest[2] && strspn(rest + 2, "0123456789") == strlen(rest + 2));
}

static bool has_task(const sb_catalogue *catalogue, const sb_family *family, const char *name, size_t *index) {
    const sb_task_info *task;
    for (size_t i = 0; (task = sb_task_at(catalogue, family, i)); i++)
        if (names_task(name, task->name) || (task->alias && names_task(name, task->alias))) return *index = i, true;
    return false;
}

/* Sets `closest` (NULL at first) to the family's task with the longest prefix in common with `name`, the shortest one
 * among equals, if that is better than the one before. Returns whether it changed. */
static bool find_closer(const sb_family *family, const char *name, const char **closest) {
    enum { ALIKE = 3 }; /* letters in common that make a name worth suggesting */
    const char *const before = *closest;
    for (size_t i = 0; i < family->n_tasks; i++) {
        const char *full = family->task(i)->name;
        const size_t n = sb_common_prefix(name, full), best = *closest ? sb_common_prefix(name, *closest) : 0;
        if (n >= ALIKE && (n > best || (n == best && strlen(full) < strlen(*closest)))) *closest = full;
    }
    return *closest != before;
}

/* Programs are not built in: the name of one that was not given has no task that it may have meant. */
static bool lacks_program(const sb_catalogue *catalogue, const sb_family *family, const char *name, sb_error *error) {
    const size_t n = sb_catalogue_count(catalogue, family);
    if (!takes_programs(family) || strncmp(name, SB_PROGRAM_PREFIX, strlen(SB_PROGRAM_PREFIX)) != 0) return false;
    if (n == 0)
        sb_fail(error, SB_UNKNOWN, "unknown task `%.40s` of family %s: name the file of this program with --program",
                name, family->name);
    else
        sb_fail(
            error, SB_UNKNOWN,
            "unknown task `%.40s` of family %s: it is none of the %zu programs given, of which the first is %s; was "
            "a file altered?",
            name, family->name, n, sb_catalogue_task(catalogue, family, 0)->name);
    return true;
}

bool sb_task_find(const sb_catalogue *catalogue, const sb_family *family, const char *name, size_t *index,
                  sb_error *error) {
    const char *closest = NULL;
    if (has_task(catalogue, family, name, index)) return true;
    if (lacks_program(catalogue, family, name, error)) return false;
    if (find_closer(family, name, &closest))
        return sb_fail(error, SB_UNKNOWN, "unknown task `%.40s` of family %s; did you mean %s?", name, family->name,
                       closest);
    return sb_fail(error, SB_UNKNOWN, "unknown task `%.40s` of family %s; `seedbed tasks` lists them%s", name,
                   family->name, takes_programs(family) ? "; a world needs its file: name it with --program" : "");
}

/* Prints the name as episodes are printed: with its family, except for the first family. */
static void print_task(const sb_family *family, const char *task, char text[64]) {
    const bool first = family == sb_families[0];
    snprintf(text, 64, "%s%s%s", first ? "" : family->name, first ? "" : ":", task);
}

static bool no_family_has(const sb_catalogue *catalogue, const char *name, sb_error *error) {
    const sb_family *of = NULL;
    const char *closest = NULL;
    char suggestion[64];
    if (strstr(name, ".sexp")) /* the command line's paths have become names before */
        return sb_fail(error, SB_UNKNOWN,
                       "task `%.80s`: only the command line takes paths; say the world's name here, and its path with "
                       "--program",
                       name);
    for (const sb_family *const *family = sb_families; *family; family++)
        if (lacks_program(catalogue, *family, name, error)) return false;
    for (const sb_family *const *family = sb_families; *family; family++)
        if (find_closer(*family, name, &closest)) of = *family;
    if (!of) return sb_fail(error, SB_UNKNOWN, "unknown task `%.40s`; `seedbed tasks` lists them", name);
    print_task(of, closest, suggestion);
    return sb_fail(error, SB_UNKNOWN, "unknown task `%.40s`; did you mean %s?", name, suggestion);
}

static bool several_families_have(const sb_catalogue *catalogue, const char *name, sb_error *error) {
    listing choices = {0};
    size_t index;
    for (const sb_family *const *family = sb_families; *family; family++) {
        char choice[64];
        if (!has_task(catalogue, *family, name, &index)) continue;
        snprintf(choice, sizeof choice, "%s:%s", (*family)->name, sb_task_at(catalogue, *family, index)->name);
        list_name(&choices, choice);
    }
    return sb_fail(error, SB_INVALID, "task `%.40s` is in several families; say which: %s", name, choices.text);
}

/* Finds the task in any family. A full name of the first family's task always means that task, because such episodes
 * are printed without the family. */
static bool resolve_anywhere(const sb_catalogue *catalogue, const char *name, const sb_family **of, size_t *index,
                             sb_error *error) {
    size_t found, n = 0;
    for (const sb_family *const *family = sb_families; *family; family++) {
        if (!has_task(catalogue, *family, name, &found)) continue;
        if (n++ == 0) *of = *family, *index = found;
        if (*family == sb_families[0] && strcmp(sb_task_at(catalogue, *family, found)->name, name) == 0) return true;
    }
    if (n == 0) return no_family_has(catalogue, name, error);
    return n == 1 || several_families_have(catalogue, name, error);
}

bool sb_task_resolve(const sb_catalogue *catalogue, const char *name, const sb_family **family, size_t *index,
                     sb_error *error) {
    const char *colon = strchr(name, ':');
    char of[40];
    if (!colon) return resolve_anywhere(catalogue, name, family, index, error);
    snprintf(of, sizeof of, "%.*s", (int)(colon - name), name); /* a name that is cut is not a family's name either */
    *family = sb_family_find(of, error);
    return *family && sb_task_find(catalogue, *family, colon + 1, index, error);
}

sb_difficulties sb_difficulties_of(const sb_family *family, const sb_task_info *task) {
    const sb_difficulties *own = task && family->difficulties_of ? family->difficulties_of(task) : NULL;
    if (own) return *own;
    return (sb_difficulties){.names = family->difficulties,
                             .n = family->n_difficulties,
                             .n_usual = family->n_usual ? family->n_usual : family->n_difficulties,
                             .in_short = family->difficulties_in_short};
}

size_t sb_most_difficulties(const sb_catalogue *catalogue, const sb_family *family) {
    const sb_task_info *task;
    size_t most = family->n_difficulties;
    for (size_t i = family->n_tasks; (task = sb_task_at(catalogue, family, i)); i++) {
        const size_t n = sb_difficulties_of(family, task).n;
        if (n > most) most = n;
    }
    return most;
}

size_t sb_named_difficulties(const sb_family *family, const char *names[SB_DIFFICULTIES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < family->n_difficulties; i++)
        if (*family->difficulties[i]) names[n++] = family->difficulties[i];
    return n;
}

bool sb_difficulty_find(const sb_family *family, const sb_task_info *task, const char *name, size_t *index,
                        sb_error *error) {
    const sb_difficulties of = sb_difficulties_of(family, task);
    listing known = {0};
    for (size_t i = 0; i < of.n; i++) {
        if (sb_same_word(name, of.names[i])) return *index = i, true;
        if (*of.names[i]) list_name(&known, of.names[i]);
    }
    const char *all = of.in_short ? of.in_short : known.text;
    if (!*known.text && of.names == family->difficulties)
        return sb_fail(error, SB_UNKNOWN, "family %s has no difficulties: leave out `%.20s`", family->name, name);
    if (!*known.text) return sb_fail(error, SB_UNKNOWN, "%s has no difficulties: leave out `%.20s`", task->name, name);
    if (*name == '\0') return sb_fail(error, SB_INVALID, "the difficulty is missing; use one of: %s", all);
    return sb_fail(error, SB_UNKNOWN, "unknown difficulty `%.20s`; known difficulties: %s", name, all);
}
