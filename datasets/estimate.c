/* Estimates what a recipe makes (datasets/build.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "datasets/budget.h"
#include "datasets/build.h"
#include "datasets/bundle.h"
#include "datasets/census.h"
#include "datasets/evaluated.h"
#include "datasets/legible.h"
#include "rollout/recorded.h"

/* A file of a format with a writer, of which only the size is kept. */
typedef struct weighing {
    const sb_exporter *exporter;
    void *writer;
    sb_out text; /* the text that the writer appended last */
    double bytes;
} weighing;

typedef struct sampling {
    const sb_schedule *schedule;
    sb_order order;
    size_t episodes[SB_SAMPLE], n;
    sb_recorded recorded;
    size_t next_line;
    sb_stats stats;
    sb_dataset_estimate *estimate;        /* where lost episodes are added */
    double packed[SB_FORMATS_MAX], tapes; /* bytes of the sample, packed */
    weighing files[SB_FORMATS_MAX];       /* files that hold the sample, for formats with a writer */
    double empty[SB_FORMATS_MAX];         /* bytes of a file without episodes */
    sb_prompts prompts[SB_FORMATS_MAX];
    sb_evaluated evaluated;
    sb_key_set found[SB_FORMATS_MAX]; /* keys of what the sample shows that is shown in evaluation, too */
} sampling;

/* ---- Files that are more than their rows ---- */

static bool weigh(weighing *w, bool ok, sb_error *error) {
    ok = ok && (sb_out_ok(&w->text) || sb_fail(error, SB_MEMORY, "out of memory for a sample"));
    w->bytes += (double)w->text.size;
    sb_out_clear(&w->text);
    return ok;
}

static bool begin_file(weighing *w, const sb_export *export, sb_error *error) {
    *w = (weighing){.exporter = export->exporter, .text = sb_out_growing()};
    w->writer = calloc(1, w->exporter->writer_size + 1);
    if (!w->writer) return sb_fail(error, SB_MEMORY, "out of memory for a sample");
    return weigh(w, w->exporter->begin(w->writer, export, (sb_file_place){0, 1, NULL}, &w->text, error), error);
}

static bool add_to_file(weighing *w, const sb_bundle *bundle, size_t k, sb_error *error) {
    const char *rows = bundle->formats[k].bytes.data;
    size_t begin = 0;
    for (size_t i = 0; i < bundle->n_kept; i++) {
        const size_t end = bundle->ends[k][i];
        if (!weigh(w, w->exporter->add(w->writer, rows + begin, end - begin, bundle->rows[k][i], &w->text, error),
                   error))
            return false;
        begin = end;
    }
    return true;
}

static bool finish_file(weighing *w, sb_error *error) {
    return weigh(w, w->exporter->finish(w->writer, &w->text, error), error);
}

static void free_file(weighing *w) {
    if (w->writer && w->exporter->end) w->exporter->end(w->writer);
    free(w->writer);
    sb_out_free(&w->text);
}

static bool begin_files(sampling *s, sb_error *error) {
    for (size_t k = 0; k < s->schedule->n_exports; k++) {
        const sb_export *export = &s->schedule->exports[k];
        weighing empty;
        if (!export->exporter->begin) continue;
        const bool ok = begin_file(&empty, export, error) && finish_file(&empty, error);
        s->empty[k] = empty.bytes;
        free_file(&empty);
        if (!ok || !begin_file(&s->files[k], export, error)) return false;
    }
    return true;
}

static bool finish_files(sampling *s, sb_error *error) {
    for (size_t k = 0; k < s->schedule->n_exports; k++)
        if (s->files[k].writer && !finish_file(&s->files[k], error)) return false;
    return true;
}

static void free_files(sampling *s) {
    for (size_t k = 0; k < s->schedule->n_exports; k++) free_file(&s->files[k]);
}

/* ---- The sample ---- */

static void count_fates(const sb_schedule *schedule, sb_dataset_estimate *e) {
    e->selected = schedule->selection.n;
    for (size_t i = 0; i < schedule->selection.n; i++) {
        e->evaluation += (schedule->fates[i] & SB_IS_EVALUATION) != 0;
        e->duplicates += (schedule->fates[i] & SB_IS_DUPLICATE) != 0;
        e->across += (schedule->fates[i] & SB_IS_ACROSS) != 0;
        e->elsewhere += (schedule->fates[i] & SB_IS_ELSEWHERE) != 0;
        e->played += !sb_schedule_leaves_out(schedule, i);
    }
    e->n_shards = schedule->n_shards;
    e->left = sb_left_of(schedule, (sb_range){0, schedule->selection.n});
}

/* Chooses every k-th of the episodes that are played. */
static void choose(sampling *s, uint64_t played) {
    uint64_t seen = 0;
    for (size_t i = 0; i < s->schedule->selection.n && s->n < SB_SAMPLE; i++) {
        if (sb_schedule_leaves_out(s->schedule, i)) continue;
        if (played <= SB_SAMPLE || seen == s->n * played / SB_SAMPLE) s->episodes[s->n++] = i;
        seen++;
    }
}

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    sampling *s = context;
    sb_bundle *bundle = slot;
    sb_bundle_begin(bundle);
    for (size_t i = index * SB_MEMBER_EPISODES; i < s->n && bundle->n < SB_MEMBER_EPISODES; i++) {
        bundle->episodes[bundle->n++] = s->episodes[i];
        if (!s->order.reads) continue;
        for (; s->next_line <= s->episodes[i]; s->next_line++)
            if (!sb_recorded_next(&s->recorded, error)) return false;
        sb_bundle_add_line(bundle, s->recorded.line);
    }
    return sb_bundle_end(bundle, error);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    (void)index;
    return sb_bundle_make(&((sampling *)context)->order, scratch, slot, error);
}

static bool add_prompts(sampling *s, const sb_bundle *bundle, size_t k, sb_error *error) {
    const sb_row_hash *rows = (const sb_row_hash *)(const void *)bundle->asked[k].data;
    for (size_t i = 0; i < bundle->asked[k].size / sizeof *rows; i++) {
        if (!sb_prompts_add(&s->prompts[k], &rows[i], 0, error)) return false;
        if (!sb_key_set_has(&s->evaluated.shown[k], rows[i].shown)) continue;
        if (!sb_key_set_grow(&s->found[k], error)) return false;
        sb_key_set_add(&s->found[k], rows[i].shown);
    }
    return true;
}

/* Plays evaluation episodes, as far as the agents can. */
static bool play_evaluation(sampling *s, size_t jobs, sb_error *error) {
    sb_selection episodes = {0};
    if (s->schedule->cast.recorded || !s->n) return true;
    const bool ok = sb_evaluated_lists(s->schedule, &episodes, error) &&
                    sb_evaluated_play(s->schedule, &episodes, s->n, jobs, &s->evaluated, error);
    sb_selection_free(&episodes);
    return ok;
}

static void tell_prompts(const sampling *s, sb_dataset_estimate *e) {
    e->evaluated = s->evaluated.played;
    e->leaves_out_rows = !sb_row_rules_are_empty(&s->schedule->recipe->rows);
    for (size_t k = 0; k < s->schedule->n_exports; k++) {
        e->formats[k].prompts = sb_prompts_count(&s->prompts[k]);
        e->formats[k].evaluation = s->evaluated.shown[k].n, e->formats[k].found = s->found[k].n;
    }
}

static void free_prompts(sampling *s) {
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_prompts_free(&s->prompts[k]), sb_key_set_free(&s->found[k]);
    sb_evaluated_free(&s->evaluated);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    (void)index;
    sampling *s = context;
    const sb_bundle *bundle = slot;
    for (size_t k = 0; k < s->schedule->n_exports; k++) {
        if (s->schedule->exports[k].exporter->ask && !add_prompts(s, bundle, k, error)) return false;
        s->packed[k] += (double)bundle->formats[k].bytes.size;
        if (s->files[k].writer && !add_to_file(&s->files[k], bundle, k, error)) return false;
    }
    s->tapes += (double)bundle->tapes.bytes.size;
    for (size_t i = 0; i < bundle->n_losses; i++) s->estimate->losses[s->estimate->n_losses++] = bundle->losses[i];
    return sb_stats_add(&s->stats, &bundle->stats, error);
}

static bool play_sample(sampling *s, size_t jobs, sb_error *error) {
    const sb_pool pool = {.workers = jobs,
                          .context = s,
                          .give = give,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free};
    bool ok = !s->order.reads ||
              sb_recorded_open(&s->recorded, s->schedule->selection.catalogue, s->schedule->cast.recorded, error);
    ok = ok && sb_pool_run(&pool, (s->n + SB_MEMBER_EPISODES - 1) / SB_MEMBER_EPISODES, error);
    if (s->order.reads) sb_recorded_close(&s->recorded);
    return ok;
}

/* Replaces the number of played episodes by what budgets take, as far as the sample tells: this number is known exactly
 * only where no filter decides and no rows are counted. */
static void scale_budgets(const sampling *s, uint32_t unsettled, sb_dataset_estimate *e) {
    const sb_stats_group sum = sb_stats_total(&s->stats);
    const double sampled = s->n ? (double)s->n : 1;
    double played = 0, selected = 0;
    size_t shards = 0;
    for (size_t i = 0; i < s->schedule->n_sections; i++) {
        const sb_scheduled *at = &s->schedule->sections[i];
        const sb_composition *c = &at->is.composition;
        double n = 0, all = (double)(at->end - at->first);
        for (size_t k = at->first; k < at->end; k++) n += !sb_schedule_leaves_out(s->schedule, k);
        if (unsettled >> i & 1 && n > 0) {
            const sb_unit unit = sb_budget_unit(c);
            const double found[SB_UNITS] = {(double)sum.episodes, (double)sum.rows[0], (double)sum.characters,
                                            (double)sum.tokens};
            const double needed = found[unit] > 0 ? ceil((double)c->budget[unit] * sampled / found[unit]) : n;
            all = ceil(all * needed / n), n = needed;
        }
        played += n, selected += all;
        shards += (size_t)ceil(all / (double)s->schedule->shard_episodes);
    }
    const double part = e->selected ? selected / (double)e->selected : 0;
    uint64_t *counts[] = {&e->evaluation, &e->duplicates, &e->across, &e->elsewhere};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] = (uint64_t)((double)*counts[i] * part + 0.5);
    e->played = (uint64_t)played, e->selected = (uint64_t)selected, e->n_shards = shards;
}

static void scale(const sampling *s, sb_dataset_estimate *e) {
    const sb_stats_group sum = sb_stats_total(&s->stats);
    const double factor = s->n ? (double)e->played / (double)s->n : 0;
    e->sampled = s->n;
    e->compared = sum.compared, e->unlike_observer = sum.unlike_observer;
    e->unreadable = factor * (double)sum.unreadable;
    e->episodes = factor * (double)sum.episodes, e->successes = factor * (double)sum.successes;
    e->steps = factor * (double)sum.steps, e->tape_bytes = factor * s->tapes;
    e->n_formats = s->schedule->n_exports;
    for (size_t k = 0; k < e->n_formats; k++) {
        snprintf(e->formats[k].name, sizeof e->formats[k].name, "%s", s->schedule->exports[k].name);
        e->formats[k].rows = factor * (double)sum.rows[k];
        e->formats[k].content_bytes = factor * (double)sum.bytes[k];
        e->formats[k].bytes = !s->files[k].writer
                                  ? factor * s->packed[k]
                                  : (double)e->n_shards * s->empty[k] + factor * (s->files[k].bytes - s->empty[k]);
    }
}

/* Estimates how much text there is, by task, by scaling the texts of the sample. */
static void tell_texts(const sampling *s, sb_dataset_estimate *e) {
    const double factor = s->n ? (double)e->played / (double)s->n : 0;
    e->has_texts = s->schedule->texts.n > 0, e->has_tokens = s->schedule->recipe->tokenizer != NULL;
    for (size_t i = 0; e->has_texts && i < s->stats.n; i++) {
        const sb_stats_group *g = &s->stats.groups[i];
        size_t at = 0;
        while (at < e->n_texts && strcmp(e->texts[at].task, g->name.task) != 0) at++;
        if (at == e->n_texts) snprintf(e->texts[e->n_texts++].task, sizeof e->texts->task, "%s", g->name.task);
        e->texts[at].characters += factor * (double)g->characters;
        e->texts[at].tokens += factor * (double)g->tokens;
    }
}

/* Opens a tokenizer also where no budget needs one, if the caller names it: then the estimate tells tokens. */
static bool open_tokenizer(sb_recipe *recipe, sb_error *error) {
    const sb_tokenizer_source *source = &recipe->tokenizer_source;
    if (!sb_recipe_open_tokenizer(recipe, error)) return false;
    if (recipe->tokenizer || !source->file) return true;
    return (recipe->tokenizer = sb_tokenizer_open(source->file, source, error));
}

static bool check_agents(const sb_schedule *schedule, sb_error *error) {
    return !schedule->cast.command ||
           sb_fail(error, SB_INVALID,
                   "an estimate starts no program: let it play some episodes first, and estimate from their tapes with "
                   "--agent tape:FILE");
}

/* Fills in how long everything takes, if the part that was done took from `began` to `sampled` for the census and the
 * evaluation, and then until now for the sample. With rules for rows everything is played twice. */
static void estimate_time(sb_dataset_estimate *e, const sb_recipe *recipe, double began, double sampled, double now) {
    const double passes = sb_row_rules_are_empty(&recipe->rows) ? 1 : 2;
    const double factor = e->sampled ? passes * (double)e->played / (double)e->sampled : 0;
    e->seconds = (sampled - began) + factor * (now - sampled);
}

bool sb_build_estimate(const sb_recipe *recipe, size_t jobs, sb_timer *now, sb_note *note, void *context,
                       sb_dataset_estimate *e, sb_error *error) {
    sb_schedule schedule = {0};
    sb_recipe settled = *recipe; /* borrows everything but the cuts */
    *e = (sb_dataset_estimate){0};
    const double began = now ? now() : 0;
    bool ok = sb_recipe_settle(&settled, error) && open_tokenizer(&settled, error) &&
              sb_budget_guess(&settled, jobs, &e->unsettled, error);
    if (ok) sb_recipe_settle_unreadable(&settled, NULL, 0);
    ok = ok && sb_schedule_make(&settled, NULL, 0, &schedule, error) && check_agents(&schedule, error) &&
         sb_census_take(&schedule, jobs, error);
    double sampled = 0;
    if (ok) {
        if (*schedule.left_out && note) note(context, schedule.left_out);
        sb_note_small_pictures(&schedule, note, context);
        sb_note_other_prompts(&schedule, schedule.about, note, context);
        sampling s = {.schedule = &schedule,
                      .estimate = e,
                      .order = {.schedule = &schedule,
                                .reads = schedule.cast.recorded != NULL,
                                .compares_all = true,
                                .asks = true,
                                .counts_texts = true}};
        for (size_t k = 0; k < SB_FORMATS_MAX; k++) s.prompts[k].most = SB_PROMPTS_MOST;
        count_fates(&schedule, e);
        e->drops_losses = settled.filter.failures == SB_KEEPING_DROPPED;
        e->drops_unreadable = settled.filter.unreadable == SB_KEEPING_DROPPED;
        choose(&s, e->played);
        ok = begin_files(&s, error) && play_evaluation(&s, jobs, error);
        sampled = now ? now() : 0;
        ok = ok && play_sample(&s, jobs, error) && finish_files(&s, error);
        if (ok && e->unsettled) scale_budgets(&s, e->unsettled, e);
        if (ok) scale(&s, e), tell_prompts(&s, e), tell_texts(&s, e);
        if (ok && now) estimate_time(e, recipe, began, sampled, now());
        free_files(&s), free_prompts(&s);
        sb_stats_free(&s.stats);
    }
    sb_schedule_free(&schedule);
    sb_tokenizer_close(settled.tokenizer);
    return ok;
}
