#include "evaluation/humans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/grow.h"
#include "evaluation/score.h"
#include "evaluation/study/folder.h"
#include "rollout/recorded.h"

/* A play of a person, as it is counted. */
typedef struct play {
    sb_name name;
    char study[SB_STUDY_NAME], participant[SB_PARTICIPANT];
    uint32_t ordinal, attempt, actions;
    bool is_first, is_alone, judged, success, scored;
    double seconds, score;
    sb_effort effort;
    uint64_t content[2]; /* hash of the tape without its times */
} play;

typedef struct gathering {
    sb_humans *humans;
    play *plays;
    size_t n, capacity;
    sb_env *env;
} gathering;

void sb_humans_free(sb_humans *humans) {
    free(humans->episodes), free(humans->tasks);
    *humans = (sb_humans){0};
}

/* ---- Reading tapes ---- */

static bool is_told(const play *p) { return *p->participant; }

static bool hash_content(const sb_tape *tape, uint64_t content[2], sb_error *error) {
    sb_out text = sb_out_growing();
    sb_tape_put_without_times(tape, &text);
    const bool ok = sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for a tape");
    if (ok) sb_hash128(text.data, text.size, content);
    sb_out_free(&text);
    return ok;
}

/* What a tape and its replay, which has just ended in `env`, tell of a play. */
static play play_of(const sb_tape *tape, const sb_env *env) {
    const sb_person *p = &tape->person;
    play one = {.name = tape->name,
                .ordinal = p->ordinal,
                .attempt = p->attempt,
                .actions = (uint32_t)tape->n,
                .is_alone = sb_played_alone(p),
                .judged = sb_has_success(tape->criterion),
                .success = tape->outcome.success,
                .scored = sb_has_score(tape->criterion),
                .score = tape->outcome.score,
                .seconds = p->n ? (double)p->milliseconds[p->n - 1] / 1000 : 0};
    strcpy(one.study, p->study), strcpy(one.participant, p->participant);
    if (env->family->efficiency) env->family->efficiency->measure(env, &one.effort);
    return one;
}

static bool add(gathering *g, const play *one, sb_error *error) {
    if (g->n == SB_HUMANS_PLAYS) return sb_fail(error, SB_INVALID, "more than %d plays", SB_HUMANS_PLAYS);
    if (!SB_GROW(g->plays, g->n + 1, g->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu plays", g->n + 1);
    g->plays[g->n++] = *one;
    return true;
}

static bool take(gathering *g, const sb_out *line, sb_tape *tape, sb_error *error) {
    if (!sb_tape_parse(g->env->catalogue, line->data, line->size, tape, error)) return false;
    if (strcmp(tape->agent, SB_HUMAN) != 0)
        return sb_fail(error, SB_INVALID, "%s played, and not a person (%s)", tape->agent, SB_HUMAN);
    if (!sb_tape_replay(tape, g->env, NULL, NULL, error)) return false;
    play one = play_of(tape, g->env);
    return hash_content(tape, one.content, error) && add(g, &one, error);
}

static bool read_file(gathering *g, const char *path, sb_error *error) {
    sb_recorded recorded;
    sb_tape tape = {0};
    bool ok = sb_recorded_open(&recorded, g->env->catalogue, path, error);
    while (ok && sb_recorded_next(&recorded, error)) {
        ok = take(g, recorded.line, &tape, error);
        if (!ok) sb_fail_at(error, "%s, line %zu", sb_path_end(path), recorded.lines.number);
    }
    ok = ok && error->code == SB_OK;
    sb_tape_clear(&tape);
    sb_recorded_close(&recorded);
    return ok;
}

/* Reads the tapes of a file, or of a folder of plays. */
static bool read_path(gathering *g, const char *path, sb_error *error) {
    char tapes[1200];
    if (!sb_is_folder(path)) return read_file(g, path, error);
    return sb_folder_path(path, SB_FOLDER_TAPES, tapes, sizeof tapes, error) && read_file(g, tapes, error);
}

/* ---- Who played which play, and for the first time ---- */

static int compare_people(const play *a, const play *b) {
    const int study = strcmp(a->study, b->study);
    return study ? study : strcmp(a->participant, b->participant);
}

static int by_person(const void *a, const void *b) {
    const play *x = a, *y = b;
    const int person = compare_people(x, y);
    return person ? person : (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static int by_episode(const void *a, const void *b) {
    const play *x = a, *y = b;
    const int name = sb_compare_names(&x->name, &y->name);
    return name ? name : by_person(a, b);
}

static bool fail_twice(const play *p, sb_error *error) {
    char name[SB_NAME_MAX];
    sb_name_print(&p->name, name, sizeof name);
    return sb_fail(error, SB_MISMATCH, "participant %s has two different plays number %u, one of them of %s",
                   p->participant, (unsigned)p->ordinal, name);
}

/* Keeps the first of equal plays, and sorts by person. */
static bool drop_same(gathering *g, sb_error *error) {
    size_t kept = 0;
    qsort(g->plays, g->n, sizeof *g->plays, by_person);
    for (size_t i = 0; i < g->n; i++) {
        const play *p = &g->plays[i], *before = kept ? &g->plays[kept - 1] : NULL;
        const bool is_same = before && is_told(p) && by_person(before, p) == 0;
        if (is_same && memcmp(before->content, p->content, sizeof p->content) != 0) return fail_twice(p, error);
        g->humans->again += is_same, g->humans->anonymous += !is_told(p);
        g->humans->participants += is_told(p) && !is_same && (!before || compare_people(before, p) != 0);
        if (!is_same) g->plays[kept++] = *p;
    }
    g->n = g->humans->plays = kept;
    return true;
}

/* The first attempt of a person at an episode; a second one that calls itself the first is none. Sorts by episode. */
static void mark_first(gathering *g) {
    qsort(g->plays, g->n, sizeof *g->plays, by_episode);
    for (size_t i = 0; i < g->n; i++) {
        play *p = &g->plays[i];
        const play *before = i ? &g->plays[i - 1] : NULL;
        const bool again = before && sb_compare_names(&before->name, &p->name) == 0 && compare_people(before, p) == 0;
        p->is_first = is_told(p) && p->attempt == 1 && !again;
    }
}

/* ---- Sums ---- */

sb_quartiles sb_spread_of(double *values, size_t n) {
    sb_quartiles spread = {.n = n};
    if (!n) return spread;
    qsort(values, n, sizeof *values, sb_by_value);
    for (int i = 0; i < 3; i++) spread.quartiles[i] = sb_percentile(values, n, 25 * (i + 1));
    spread.percentile80 = sb_percentile(values, n, 80);
    return spread;
}

static bool counts(const play *p) { return p->is_first && p->is_alone; }
/* Whether actions and seconds of the play tell how long the task takes. */
static bool is_timed(const play *p) { return counts(p) && (p->success || !p->judged); }
static bool is_scored(const play *p) { return counts(p) && p->scored; }
static double actions_of(const play *p) { return p->actions; }
static double seconds_of(const play *p) { return p->seconds; }
static double score_of(const play *p) { return p->score; }

static sb_quartiles spread_over(const play *plays, size_t n, bool (*chosen)(const play *),
                                double (*value)(const play *), double *room) {
    size_t some = 0;
    for (size_t i = 0; i < n; i++)
        if (chosen(&plays[i])) room[some++] = value(&plays[i]);
    return sb_spread_of(room, some);
}

/* The upper median of the actions on a level, of those who completed it. */
static void sum_level(sb_people *people, const play *plays, size_t n, size_t level, size_t least, double *room) {
    size_t some = 0;
    for (size_t i = 0; i < n; i++)
        if (counts(&plays[i]) && level < plays[i].effort.completed) room[some++] = plays[i].effort.actions[level];
    qsort(room, some, sizeof *room, sb_by_value);
    people->levels[level].completed = some;
    if (some && some >= least) people->levels[level].baseline = (uint32_t)room[some / 2];
}

/* Sums up n plays, of one episode or one task. `room` has n places. */
static sb_people sum_up(const play *plays, size_t n, size_t least, double *room) {
    sb_people people = {.name = plays->name, .plays = n};
    for (size_t i = 0; i < n; i++) {
        const play *p = &plays[i];
        people.first += p->is_first, people.counted += counts(p);
        people.judged += counts(p) && p->judged, people.successes += counts(p) && p->success;
    }
    people.enough = people.counted >= least;
    people.scores = spread_over(plays, n, is_scored, score_of, room);
    people.actions = spread_over(plays, n, is_timed, actions_of, room);
    people.seconds = spread_over(plays, n, is_timed, seconds_of, room);
    return people;
}

static size_t count_participants(const play *sorted, size_t n) {
    size_t some = 0;
    for (size_t i = 0; i < n; i++)
        some += is_told(&sorted[i]) && (i == 0 || compare_people(&sorted[i - 1], &sorted[i]) != 0);
    return some;
}

static void sum_episode(sb_humans *h, const play *plays, size_t n, double *room) {
    sb_people *people = &h->episodes[h->n_episodes++];
    *people = sum_up(plays, n, h->least, room);
    people->episodes = 1, people->participants = count_participants(plays, n);
    people->n_levels = plays->effort.n_levels;
    for (size_t level = 0; level < people->n_levels; level++) sum_level(people, plays, n, level, h->least, room);
}

static size_t count_episodes(const play *sorted, size_t n) {
    size_t some = 0;
    for (size_t i = 0; i < n; i++) some += i == 0 || sb_compare_names(&sorted[i - 1].name, &sorted[i].name) != 0;
    return some;
}

/* Sorts the plays by person. */
static void sum_task(sb_humans *h, play *plays, size_t n, double *room) {
    sb_people *people = &h->tasks[h->n_tasks++];
    *people = sum_up(plays, n, h->least, room);
    people->name.seed = 0, people->episodes = count_episodes(plays, n);
    qsort(plays, n, sizeof *plays, by_person);
    people->participants = count_participants(plays, n);
}

static bool same_episode(const play *a, const play *b) { return sb_compare_names(&a->name, &b->name) == 0; }
static bool same_task(const play *a, const play *b) { return sb_same_pair(&a->name, &b->name); }

static size_t length_of(const play *plays, size_t n, bool (*same)(const play *, const play *)) {
    size_t some = 1;
    while (some < n && same(&plays[0], &plays[some])) some++;
    return some;
}

/* Sums up the plays by episode and then by task, since summing up tasks sorts their plays. */
static bool sum_all(gathering *g, sb_error *error) {
    sb_humans *h = g->humans;
    double *room = malloc((g->n + 1) * sizeof *room);
    h->episodes = malloc((g->n + 1) * sizeof *h->episodes), h->tasks = malloc((g->n + 1) * sizeof *h->tasks);
    const bool ok = (room && h->episodes && h->tasks) || sb_fail(error, SB_MEMORY, "out of memory for %zu plays", g->n);
    for (size_t i = 0, n; ok && i < g->n; i += n)
        n = length_of(&g->plays[i], g->n - i, same_episode), sum_episode(h, &g->plays[i], n, room);
    for (size_t i = 0, n; ok && i < g->n; i += n)
        n = length_of(&g->plays[i], g->n - i, same_task), sum_task(h, &g->plays[i], n, room);
    free(room);
    return ok;
}

bool sb_humans_make(sb_humans *humans, const sb_catalogue *catalogue, const char *const *paths, size_t n, size_t least,
                    sb_error *error) {
    *humans = (sb_humans){.least = least};
    gathering g = {.humans = humans, .env = sb_make(catalogue, NULL, error)};
    bool ok = g.env;
    for (size_t i = 0; ok && i < n; i++) ok = read_path(&g, paths[i], error);
    ok = ok && (g.n || sb_fail(error, SB_INVALID, "there is no tape of a person")) && drop_same(&g, error);
    if (ok) mark_first(&g);
    ok = ok && sum_all(&g, error);
    sb_free(g.env);
    free(g.plays);
    return ok;
}

/* ---- For agents ---- */

static int by_name(const void *key, const void *people) {
    return sb_compare_names(key, &((const sb_people *)people)->name);
}

const sb_people *sb_humans_find(const sb_humans *humans, const sb_name *name) {
    if (!humans->n_episodes) return NULL;
    return bsearch(name, humans->episodes, humans->n_episodes, sizeof *humans->episodes, by_name);
}

bool sb_humans_rebase(const sb_people *people, sb_effort *effort) {
    if (!people || people->n_levels != effort->n_levels) return false;
    for (size_t i = 0; i < people->n_levels; i++)
        if (!people->levels[i].baseline) return false;
    for (size_t i = 0; i < people->n_levels; i++) effort->baselines[i] = people->levels[i].baseline;
    return true;
}
