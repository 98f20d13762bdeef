#include "datasets/survey.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/pool.h"
#include "datasets/destination.h"
#include "datasets/evaluated.h"
#include "engine/lookup.h"
#include "exporters/asked.h"

/* What was counted of the rows of a format in a split. Counts do not depend on the order of rows, so workers add them
 * as they come. */
typedef struct tally {
    sb_prompts prompts;
    sb_key_set found; /* keys of what evaluation shows that these rows show, too */
} tally;

typedef struct taking {
    const sb_survey *survey;
    const sb_schedule *schedule;
    size_t asking[SB_FORMATS_MAX], n_asking; /* the formats with prompts */
    sb_evaluated evaluated;
    bool compares;
    /* How many difficulties each task has in the numbers of groups of rows, which go by task, then difficulty. */
    size_t n_difficulties;
    tally tallies[SB_FORMATS_MAX][SB_SPLITS_MAX];
    pthread_mutex_t lock; /* guards the tallies */
} taking;

/* ---- The rows of one file ---- */

enum { AT_ONCE = 1024 /* rows that are added under one lock */, PIECE = 1 << 16 /* bytes that are read at once */ };

typedef struct reader {
    taking *taking;
    const sb_export *export;
    tally *tally;
    bool compares;
    gzFile file;
    sb_out text; /* lines that are not yet hashed */
    sb_row_hash rows[AT_ONCE];
    uint32_t groups[AT_ONCE];
    size_t n;
} reader;

static bool add_rows(reader *r, sb_error *error) {
    bool ok = true;
    const sb_key_set *shown = &r->taking->evaluated.shown[r->export - r->taking->schedule->exports];
    pthread_mutex_lock(&r->taking->lock);
    for (size_t i = 0; ok && i < r->n; i++) {
        ok = sb_prompts_add(&r->tally->prompts, &r->rows[i], r->groups[i], error);
        if (!ok || !r->compares || !sb_key_set_has(shown, r->rows[i].shown)) continue;
        ok = sb_key_set_grow(&r->tally->found, error);
        if (ok) sb_key_set_add(&r->tally->found, r->rows[i].shown);
    }
    pthread_mutex_unlock(&r->taking->lock);
    r->n = 0;
    return ok;
}

static bool is_text(sb_span value, const char *text) {
    const size_t n = strlen(text);
    if (!n && value.n == 4 && *value.at == 'n') return true; /* what had no text was null before defaults 3 */
    return value.n == n + 2 && *value.at == '"' && memcmp(value.at + 1, text, n) == 0;
}

/* Returns the number of the row's task and difficulty. Those of the row before are tried first, because the rows of an
 * episode follow each other. */
static uint32_t group_of(const reader *r, sb_span row) {
    const sb_schedule *schedule = r->taking->schedule;
    const sb_family *family = schedule->family;
    const sb_catalogue *catalogue = schedule->selection.catalogue;
    const size_t n_difficulties = r->taking->n_difficulties;
    const size_t n = sb_task_count(catalogue, family) * n_difficulties;
    const size_t first = r->n ? r->groups[r->n - 1] : 0;
    sb_span task = {row.at, 0}, difficulty = {row.at, 0};
    sb_members members = sb_members_of(row);
    while ((!task.n || !difficulty.n) && sb_members_next(&members)) {
        if (sb_span_is(members.key, "task")) task = members.value;
        if (sb_span_is(members.key, "difficulty")) difficulty = members.value;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t group = (first + i) % n;
        const sb_task_info *info = sb_task_at(catalogue, family, group / n_difficulties);
        const char *word = sb_difficulty_name(family, info, group % n_difficulties);
        if (word && is_text(task, info->name) && is_text(difficulty, word)) return (uint32_t)group;
    }
    return UINT32_MAX;
}

static bool add_row(reader *r, sb_span row, sb_error *error) {
    r->groups[r->n] = group_of(r, row);
    r->rows[r->n] = sb_row_hash_of(r->export, row);
    return ++r->n < AT_ONCE || add_rows(r, error);
}

/* Counts the whole lines of the text, and leaves the rest. */
static bool add_lines(reader *r, sb_error *error) {
    const char *at = r->text.data, *end = at + r->text.size, *newline;
    for (; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1)
        if (!add_row(r, (sb_span){at, (size_t)(newline - at)}, error)) return false;
    memmove(r->text.data, at, (size_t)(end - at));
    r->text.size = (size_t)(end - at);
    return true;
}

static bool read_rows(reader *r, const char *path, sb_error *error) {
    for (int n = 1; n > 0;) {
        char *room = sb_out_reserve(&r->text, PIECE);
        if (!room) return sb_fail(error, SB_MEMORY, "out of memory for rows");
        n = gzread(r->file, room, PIECE);
        if (n < 0)
            return sb_file_gzip_could_read(r->file, sb_path_end(path), error) &&
                   sb_fail(error, SB_IO, "cannot read all of %s", sb_path_end(path));
        sb_out_advance(&r->text, (size_t)n);
        if (n && !add_lines(r, error)) return false;
    }
    return add_rows(r, error);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    (void)scratch, (void)slot;
    taking *t = context;
    const size_t k = t->asking[index % t->n_asking], shard = index / t->n_asking;
    const sb_export *export = &t->schedule->exports[k];
    const sb_scheduled *section = sb_schedule_section(t->schedule, shard);
    const sb_shard_name name = sb_schedule_file(t->schedule, export->name, shard, export->exporter->suffix);
    const sb_path path = sb_path_in(t->survey->folder, name.text);
    reader *r = calloc(1, sizeof *r);
    if (!r) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    r->taking = t, r->export = export, r->tally = &t->tallies[k][section->split];
    r->compares = t->compares && !section->evaluates;
    r->text = sb_out_growing();
    r->file = sb_file_open_gzip(path.text, error);
    const bool ok = r->file && read_rows(r, path.text, error);
    if (r->file) gzclose(r->file);
    sb_out_free(&r->text);
    free(r);
    return ok;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    (void)context, (void)index, (void)slot, (void)error;
    return true; /* the file's rows are in the tallies already */
}

/* ---- Evaluation ---- */

/* Plays episodes to evaluate with, to compare what they show with the rows. Whoever recorded tapes cannot play others.
 */
static bool play_evaluation(taking *t, sb_error *error) {
    const sb_schedule *schedule = t->schedule;
    const size_t most = t->survey->episodes < SB_EVALUATED_MOST ? (size_t)t->survey->episodes : SB_EVALUATED_MOST;
    sb_selection episodes = {0};
    for (size_t i = 0; i < schedule->n_sections; i++) t->compares |= !schedule->sections[i].evaluates;
    t->compares = t->compares && !t->survey->alone && !schedule->cast.recorded && !schedule->cast.command;
    t->compares = t->compares && most > 0;
    if (!t->compares) return true;
    const bool ok = sb_evaluated_lists(schedule, &episodes, error) &&
                    sb_evaluated_play(schedule, &episodes, most, t->survey->jobs, &t->evaluated, error);
    sb_selection_free(&episodes);
    t->compares = ok && t->evaluated.played > 0;
    return ok;
}

/* ---- The whole ---- */

static bool tell_conflicts(const taking *t, const tally *of, sb_prompt_facts *facts, sb_error *error) {
    const sb_family *family = t->schedule->family;
    const sb_catalogue *catalogue = t->schedule->selection.catalogue;
    const size_t n_difficulties = t->n_difficulties;
    const size_t n = sb_task_count(catalogue, family) * n_difficulties;
    uint64_t *groups = calloc(n, sizeof *groups);
    bool ok = groups || sb_fail(error, SB_MEMORY, "out of memory for counts of prompts");
    if (ok) sb_prompts_count_groups(&of->prompts, groups, n);
    for (size_t i = 0; ok && i < n; i++) {
        const sb_task_info *task = sb_task_at(catalogue, family, i / n_difficulties);
        ok = !groups[i] ||
             sb_prompt_facts_add_conflicts(facts, task->name, sb_difficulty_name(family, task, i % n_difficulties),
                                           groups[i], error);
    }
    free(groups);
    return ok;
}

static bool tell_split(const taking *t, size_t k, size_t split, sb_prompt_list *list, sb_error *error) {
    const sb_recipe *recipe = t->schedule->recipe;
    const tally *of = &t->tallies[k][split];
    sb_prompt_facts *facts = sb_prompt_list_add(list, t->schedule->exports[k].name,
                                                recipe->n_splits ? recipe->splits[split].split : "", error);
    if (!facts) return false;
    facts->counts = sb_prompts_count(&of->prompts);
    if (t->schedule->choice) {
        facts->duplicates = t->schedule->choice->of[k].duplicates[split];
        facts->apart = t->schedule->choice->of[k].apart[split];
    }
    facts->compared = t->compares && !t->schedule->sections[split].evaluates;
    if (facts->compared) {
        facts->listed = t->evaluated.listed, facts->episodes = t->evaluated.played;
        facts->evaluation = t->evaluated.shown[k].n, facts->found = of->found.n;
    }
    return tell_conflicts(t, of, facts, error);
}

static bool tell(const taking *t, sb_prompt_list *list, sb_error *error) {
    for (size_t i = 0; i < t->n_asking; i++)
        for (size_t split = 0; split < t->schedule->n_splits; split++)
            if (!tell_split(t, t->asking[i], split, list, error)) return false;
    return true;
}

static void free_tallies(taking *t) {
    for (size_t k = 0; k < SB_FORMATS_MAX; k++)
        for (size_t split = 0; split < SB_SPLITS_MAX; split++)
            sb_prompts_free(&t->tallies[k][split].prompts), sb_key_set_free(&t->tallies[k][split].found);
    sb_evaluated_free(&t->evaluated);
}

bool sb_survey_take(const sb_survey *survey, sb_prompt_list *list, sb_error *error) {
    taking t = {.survey = survey,
                .schedule = survey->schedule,
                .n_difficulties = sb_most_difficulties(survey->schedule->selection.catalogue, survey->schedule->family),
                .lock = PTHREAD_MUTEX_INITIALIZER};
    for (size_t k = 0; k < t.schedule->n_exports; k++)
        if (t.schedule->exports[k].exporter->ask) t.asking[t.n_asking++] = k;
    for (size_t k = 0; k < SB_FORMATS_MAX; k++)
        for (size_t split = 0; split < SB_SPLITS_MAX; split++) t.tallies[k][split].prompts.most = SB_PROMPTS_MOST;
    const sb_pool pool = {.workers = survey->jobs, .context = &t, .work = work, .take = take, .stop = t.schedule->stop};
    const bool ok = !t.n_asking ||
                    (play_evaluation(&t, error) && sb_pool_run(&pool, t.n_asking * t.schedule->n_shards, error) &&
                     tell(&t, list, error));
    free_tallies(&t);
    return ok;
}
