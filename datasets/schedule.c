#include "datasets/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "datasets/candidates.h"
#include "engine/environment.h"
#include "exporters/columns.h"

static bool check_numbers(const sb_recipe *recipe, sb_error *error) {
    if (recipe->level < 1 || recipe->level > 9)
        return sb_fail(error, SB_INVALID, "level: compression is 1 (fast) to 9 (small), not %llu",
                       (unsigned long long)recipe->level);
    if (recipe->shard_episodes == 0 || recipe->shard_episodes % SB_MEMBER_EPISODES || recipe->shard_episodes > 1 << 24)
        return sb_fail(error, SB_INVALID, "shard_episodes: should be a multiple of %d up to %d", SB_MEMBER_EPISODES,
                       1 << 24);
    return true;
}

/* ---- Episodes ---- */

/* Recorded tapes that are being read. */
typedef struct recording {
    sb_schedule *schedule;
    sb_tape tape;
    sb_sha256 hash;
    sb_out line; /* what is hashed of a tape */
    size_t capacity;
    sb_attempt *attempts; /* all tapes as attempts, only if the best ones are wanted */
    size_t attempts_capacity;
} recording;

/* Hashes who played which episode, and how: everything else follows from that. */
static bool hash_tape(recording *r, sb_error *error) {
    char name[SB_NAME_MAX];
    const sb_tape *tape = &r->tape;
    sb_out_clear(&r->line);
    sb_name_print(&tape->name, name, sizeof name);
    sb_puts(&r->line, name), sb_putc(&r->line, ' '), sb_puts(&r->line, tape->agent);
    for (size_t i = 0; i < tape->n; i++) sb_putc(&r->line, ' '), sb_put_int(&r->line, tape->actions[i]);
    sb_putc(&r->line, '\n');
    if (!sb_out_ok(&r->line)) return sb_fail(error, SB_MEMORY, "out of memory for a tape");
    sb_sha256_add(&r->hash, r->line.data, r->line.size);
    r->schedule->n_recorded++;
    return true;
}

static bool add_attempt(recording *r, size_t place, sb_error *error) {
    const sb_recipe *recipe = r->schedule->recipe;
    if (!recipe->filter.best) return true;
    if (!SB_GROW(r->attempts, place + 1, r->attempts_capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu tapes", place + 1);
    r->attempts[place] = sb_attempt_of(&r->tape, &r->schedule->selection.episodes[place], place, &recipe->filter,
                                       sb_rewards_densely(&recipe->rewards));
    return true;
}

/* Adds the tape's episode. In a mixture, an oracle may play it in place of the tape. */
static bool add_tape(recording *r, const sb_out *line, sb_error *error) {
    sb_selection *selection = &r->schedule->selection;
    if (!sb_tape_parse(selection->catalogue, line->data, line->size, &r->tape, error)) return false;
    if (selection->n == SB_SELECTION_MAX)
        return sb_fail(error, SB_INVALID, "at most %d tapes are allowed", SB_SELECTION_MAX);
    return sb_selection_add(selection, &r->tape.of, r->tape.name.seed, &r->capacity, error) &&
           add_attempt(r, selection->n - 1, error) &&
           (!sb_cast_records(&r->schedule->cast, &r->tape.name) || hash_tape(r, error));
}

/* Copies what a result's agent tells of itself. */
static cJSON *about_of(const cJSON *head) {
    const cJSON *agent = cJSON_GetObjectItemCaseSensitive(head, "agent");
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(agent, "about");
    return about ? cJSON_Duplicate(about, true) : NULL;
}

static bool add_recorded(recording *r, const char *path, sb_error *error) {
    sb_recorded tapes;
    size_t n = 0;
    bool ok = sb_recorded_open(&tapes, r->schedule->selection.catalogue, path, error);
    while (ok && sb_recorded_next(&tapes, error))
        ok = (++n, add_tape(r, tapes.line, error)) ||
             sb_fail_at(error, "%s, %s %zu", sb_path_end(path), tapes.head ? "episode" : "line", n);
    ok = ok && error->code == SB_OK;
    r->schedule->n_lost += tapes.n_lost;
    if (ok && tapes.head && !r->schedule->about) r->schedule->about = about_of(tapes.head);
    sb_recorded_note_left_out(&tapes, r->schedule->left_out);
    sb_recorded_close(&tapes);
    return ok;
}

/* Finds out which tapes are not among the best of their episodes. */
static bool choose_best(recording *r, sb_error *error) {
    sb_schedule *schedule = r->schedule;
    if (!schedule->recipe->filter.best) return true;
    schedule->beaten = calloc(schedule->selection.n, sizeof *schedule->beaten);
    if (!schedule->beaten) return sb_fail(error, SB_MEMORY, "out of memory for %zu tapes", schedule->selection.n);
    sb_best_choose(r->attempts, schedule->selection.n, schedule->recipe->filter.best, schedule->beaten);
    return true;
}

static bool check_recorded(const sb_schedule *schedule, size_t n, sb_error *error) {
    if (!sb_request_is_empty(&schedule->recipe->selection))
        return sb_fail(error, SB_INVALID,
                       "agent: recorded tapes name their episodes, so leave out tasks, seeds and the "
                       "like");
    if (schedule->recipe->filter.best && schedule->cast.n > 1)
        return sb_fail(error, SB_INVALID,
                       "filter: key `best` compares tapes, so there can be no other agent with them");
    return n || *schedule->cast.recorded ||
           sb_fail(error, SB_INVALID, "agent: name the file of the tapes, as in " SB_RECORDED ":FILE");
}

static bool select_recorded(sb_schedule *schedule, const char *const *tapes, size_t n, sb_error *error) {
    recording r = {.schedule = schedule, .line = sb_out_growing()};
    if (!check_recorded(schedule, n, error)) return false;
    schedule->selection.catalogue = schedule->recipe->selection.catalogue;
    sb_sha256_begin(&r.hash);
    const char *const *paths = n ? tapes : &schedule->cast.recorded;
    bool ok = true;
    for (size_t i = 0; ok && i < (n ? n : 1); i++) ok = add_recorded(&r, paths[i], error) || sb_fail_at(error, "agent");
    sb_sha256_end_hex(&r.hash, schedule->recorded_sha256);
    ok = ok &&
         (schedule->selection.n || sb_fail(error, SB_INVALID, "agent: %s holds no tapes", sb_path_end(paths[0]))) &&
         choose_best(&r, error);
    sb_tape_clear(&r.tape);
    sb_out_free(&r.line);
    free(r.attempts);
    return ok;
}

/* ---- Sections ---- */

/* Fails if the recipe has sections or a composition for recorded tapes, which come in an order and a number of their
 * own. */
static bool check_sections(const sb_schedule *schedule, sb_error *error) {
    const sb_recipe *r = schedule->recipe;
    if (!schedule->cast.recorded && !schedule->cast.command) return true;
    if (!r->n_splits && !r->n_extensions && sb_composition_is_empty(&r->composition)) return true;
    return sb_fail(error, SB_INVALID,
                   "recorded tapes and programs' tapes come in their own number and order: leave out episodes, rows, "
                   "budget, mixture, order, splits and extensions");
}

static void list_sections(sb_schedule *schedule) {
    sb_section sections[SB_SECTIONS_MAX];
    const sb_recipe *r = schedule->recipe;
    schedule->n_sections = sb_recipe_sections(r, sections);
    schedule->n_splits = r->n_splits ? r->n_splits : 1;
    for (size_t i = 0; i < schedule->n_sections; i++) {
        sb_scheduled *s = &schedule->sections[i];
        const sb_request *request = &sections[i].request;
        *s = (sb_scheduled){.is = sections[i]};
        sb_section_label(&s->is, s->label);
        for (size_t k = 0; k < r->n_splits; k++)
            if (strcmp(r->splits[k].split, s->is.split) == 0) s->split = k;
        s->evaluates = !schedule->cast.recorded && !schedule->cast.command && !request->seeds && !request->n_names &&
                       (!request->split || strcmp(request->split, "eval") == 0);
    }
}

/* Appends the section's candidates, in the order in which they are written, and notes in which they came. */
static bool add_section(sb_schedule *schedule, size_t index, sb_error *error) {
    sb_scheduled *s = &schedule->sections[index];
    sb_selection *all = &schedule->selection, more;
    const size_t before = all->n;
    bool ok = sb_candidates_select(&s->is, (size_t)schedule->recipe->cuts[index], all->episodes, before, &more, &s->all,
                                   error);
    const size_t n = before + more.n;
    /* A section that takes all that is selected keeps the order of the selection. */
    if (ok && schedule->n_sections == 1 && sb_composition_is_empty(&s->is.composition)) {
        *all = more;
        s->first = 0, s->end = n;
        return true;
    }
    ok = ok && (n <= SB_SELECTION_MAX ||
                sb_fail(error, SB_INVALID, "more than %d episodes: make several datasets", SB_SELECTION_MAX));
    sb_chosen *episodes = ok ? realloc(all->episodes, (n + 1) * sizeof *episodes) : NULL;
    if (episodes) all->episodes = episodes;
    size_t *drawn = ok ? realloc(schedule->drawn, (n + 1) * sizeof *drawn) : NULL;
    if (drawn) schedule->drawn = drawn;
    size_t *order = ok ? malloc((more.n + 1) * sizeof *order) : NULL;
    ok = ok && ((episodes && drawn && order) || sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", n)) &&
         sb_candidates_arrange(&s->is, more.episodes, more.n, order, error);
    for (size_t i = 0; ok && i < more.n; i++) {
        episodes[before + i] = more.episodes[order[i]];
        drawn[before + order[i]] = before + i;
    }
    if (ok) all->n = n, all->catalogue = more.catalogue, s->first = before, s->end = n;
    free(order);
    sb_selection_free(&more);
    return ok;
}

/* Fails if an extension brings tasks or difficulties that the dataset lacks: columns and the sizes of arrays follow
 * from these, so files that are there would change. */
static bool check_extensions(const sb_schedule *schedule, sb_error *error) {
    sb_seen_pairs seen = {0};
    const sb_selection *all = &schedule->selection;
    for (size_t i = 0, section = 0; i < all->n; i++) {
        sb_name name;
        while (i >= schedule->sections[section].end) section++;
        if (!sb_is_new_pair(&seen, &all->episodes[i]) || !schedule->sections[section].is.extension) continue;
        sb_selection_name(all, i, &name);
        return sb_fail(error, SB_INVALID,
                       "extensions[%zu]: %s/%s is not in the dataset, which can be extended by tasks and difficulties "
                       "that it has: build another one of the others",
                       schedule->sections[section].is.extension - 1, name.task, name.difficulty);
    }
    return true;
}

static bool select_sections(sb_schedule *schedule, sb_error *error) {
    bool settled = true, plain = true;
    for (size_t i = 0; i < schedule->n_sections; i++) {
        const sb_scheduled *s = &schedule->sections[i];
        plain &= sb_composition_is_empty(&s->is.composition);
        if (s->is.extension && !settled) { /* the section that this one extends is not known yet */
            schedule->sections[i].first = schedule->sections[i].end = schedule->selection.n;
            continue;
        }
        settled &= !sb_has_budget(&s->is.composition) || schedule->recipe->cuts[i];
        if (!add_section(schedule, i, error)) return sb_fail_in_section(&s->is, error);
        if (s->is.extension && s->all && s->first == s->end)
            return sb_fail(error, SB_INVALID,
                           "extensions[%zu]: all of its episodes are in the dataset already: give a larger count, or "
                           "other seeds",
                           s->is.extension - 1);
    }
    if (plain) free(schedule->drawn), schedule->drawn = NULL;
    return (schedule->selection.n || sb_fail(error, SB_INVALID, "the selection is empty")) &&
           check_extensions(schedule, error);
}

static void number_shards(sb_schedule *schedule) {
    if (schedule->n_sections == 1) schedule->sections[0].end = schedule->selection.n;
    for (size_t i = 0; i < schedule->n_sections; i++) {
        sb_scheduled *s = &schedule->sections[i];
        s->first_shard = schedule->n_shards;
        schedule->n_shards += (s->end - s->first + schedule->shard_episodes - 1) / schedule->shard_episodes;
        s->end_shard = schedule->n_shards;
    }
}

/* Checks that there is one family, and that the agents can play every task that occurs. */
static bool check_episodes(const sb_schedule *schedule, sb_error *error) {
    const sb_selection *all = &schedule->selection;
    sb_seen_pairs seen = {0};
    for (size_t i = 0; i < all->n; i++) {
        sb_name name;
        if (all->episodes[i].family != all->episodes[0].family)
            return sb_fail(error, SB_INVALID, "a dataset holds episodes of one family, not of %s and %s",
                           schedule->family->name, sb_selection_family(all, i)->name);
        if (!sb_is_new_pair(&seen, &all->episodes[i])) continue;
        if (!sb_cast_can(&schedule->cast, sb_selection_name(all, i, &name), error)) return false;
    }
    return true;
}

static bool check_filter(const sb_schedule *schedule, sb_error *error) {
    if (schedule->recipe->filter.best && !schedule->cast.recorded && !schedule->cast.command)
        return sb_fail(error, SB_INVALID,
                       "filter: key `best` chooses among several tapes of one episode, so it needs recorded tapes: our "
                       "agents play an episode in one way only");
    if (schedule->recipe->filter.failures == SB_KEEPING_DROPPED && schedule->recipe->filter.has_success &&
        !schedule->recipe->filter.success)
        return sb_fail(error, SB_INVALID,
                       "failures: `drop` and the filter's \"success\": false leave nothing: take one of them away");
    return !schedule->recipe->filter.has_success || sb_need_success_of_all(&schedule->selection, error) ||
           sb_fail_at(error, "filter: key `success`");
}

/* ---- Formats ---- */

bool sb_formats_add(cJSON *list, const char *text, sb_error *error) {
    for (const char *at = text; at;) {
        char name[SB_EXPORT_NAME];
        const char *comma = strchr(at, ',');
        const size_t n = comma ? (size_t)(comma - at) : strlen(at), kept = n < sizeof name ? n : sizeof name - 1;
        memcpy(name, at, kept);
        name[kept] = '\0';
        cJSON *item = cJSON_CreateString(name);
        if (!cJSON_AddItemToArray(list, item))
            return cJSON_Delete(item), sb_fail(error, SB_MEMORY, "out of memory for formats");
        at = comma ? comma + 1 : NULL;
    }
    return true;
}

static bool is_taken(const sb_schedule *schedule, const char *name) {
    for (size_t i = 0; i < schedule->n_exports; i++)
        if (strcmp(schedule->exports[i].name, name) == 0) return true;
    return false;
}

/* Whether somebody can be asked for intents: nobody asks those who have played already. */
static bool has_explainer(const sb_cast *cast) { return cast->labeller[0] || !(cast->recorded || cast->command); }

/* Fails if rationales are asked for that would all come from an oracle that knows more than the agent is shown. */
static bool check_intents(const sb_schedule *schedule, const sb_export *export, sb_error *error) {
    const sb_selection *all = &schedule->selection;
    const sb_cast *cast = &schedule->cast;
    sb_seen_pairs seen = {0};
    if (!export->needs_intents || export->any_intents || !has_explainer(cast)) return true;
    for (size_t i = 0; i < all->n; i++) {
        sb_name name;
        if (!sb_is_new_pair(&seen, &all->episodes[i])) continue;
        sb_selection_name(all, i, &name);
        for (size_t k = 0; k < cast->n; k++) {
            const char *teacher = sb_cast_teacher(cast, cast->of[k].agent);
            if (sb_is_privileged(name.family, name.task, teacher))
                return sb_fail(error, SB_INVALID,
                               "key `rationale`: in %s the intents of %s tell what the agent is not shown: let "
                               "`observer` act or label, or say \"intents\": \"any\"",
                               name.task, teacher);
        }
    }
    return true;
}

/* Fails if thoughts are asked for where nobody has any: oracles do not say what they think. */
static bool check_thoughts(const sb_cast *cast, const sb_export *export, sb_error *error) {
    return !export->needs_thoughts || cast->recorded || cast->command ||
           sb_fail(error, SB_INVALID,
                   "key `answer`: {reasoning} tells the thoughts of a program or of recorded tapes, and here neither "
                   "acts (\"oracle\": \"tapes:FILE\")");
}

/* Whether everybody who acts plays this task as the oracle does. */
static bool all_play_like(const sb_cast *cast, const sb_name *name, const char *oracle) {
    const sb_oracle *theirs = sb_oracle_find(name->family, name->task, oracle);
    for (size_t k = 0; k < cast->n; k++)
        if (sb_oracle_find(name->family, name->task, cast->of[k].agent) != theirs) return false;
    return true;
}

/* Fails if rows need worse plays than an oracle's, and that oracle plays all episodes. */
static bool check_rivals(const sb_schedule *schedule, const sb_export *export, sb_error *error) {
    const sb_selection *all = &schedule->selection;
    const sb_cast *cast = &schedule->cast;
    sb_seen_pairs seen = {0};
    if (!export->bettered_by || cast->recorded || cast->command || cast->epsilon > 0) return true;
    for (size_t i = 0; i < all->n; i++) {
        sb_name name;
        if (!sb_is_new_pair(&seen, &all->episodes[i])) continue;
        if (!all_play_like(cast, sb_selection_name(all, i, &name), export->bettered_by)) return true;
    }
    return sb_fail(error, SB_INVALID,
                   "key `rows`: the teller `%s` plays these episodes as they are played here, so no row would come of "
                   "them: let another agent act, or this one with noise (\"epsilon\": 0.2)",
                   export->bettered_by);
}

static bool add_export(sb_schedule *schedule, const cJSON *item, sb_error *error) {
    const sb_recipe *recipe = schedule->recipe;
    const sb_export_defaults defaults = {.family = schedule->family,
                                         .modes = recipe->modes,
                                         .dataset = recipe->name,
                                         .rewards = recipe->rewards,
                                         .published_mask = recipe->published_mask,
                                         .labels = schedule->cast.labels,
                                         .labeller = schedule->cast.labeller,
                                         .instructions = recipe->instructions,
                                         .hints_offer = recipe->defaults == 1,
                                         .nulls = recipe->defaults && recipe->defaults < 3,
                                         .level = schedule->level,
                                         .episodes = schedule->selection};
    if (schedule->n_exports == SB_FORMATS_MAX)
        return sb_fail(error, SB_INVALID, "at most %d formats are allowed", SB_FORMATS_MAX);
    sb_export *export = &schedule->exports[schedule->n_exports];
    const bool ok = sb_export_read(export, item, &defaults, error) &&
                    (!is_taken(schedule, export->name) ||
                     sb_fail(error, SB_INVALID, "another format has files named `%s`, too: give this one a `name`",
                             export->name)) &&
                    sb_rewards_check(export, error) && check_intents(schedule, export, error) &&
                    check_thoughts(&schedule->cast, export, error) && check_rivals(schedule, export, error);
    schedule->n_exports++;
    if (ok) schedule->cast.intents |= export->needs_intents && has_explainer(&schedule->cast);
    return ok;
}

static bool read_formats(sb_schedule *schedule, sb_error *error) {
    const cJSON *list = schedule->recipe->formats, *item;
    if (!list) {
        list = schedule->names = cJSON_CreateArray();
        if (!sb_formats_add(schedule->names, schedule->recipe->format, error)) return false;
    }
    cJSON_ArrayForEach(item, list) if (!add_export(schedule, item, error)) return sb_fail_at(error, "formats[%zu]",
                                                                                             schedule->n_exports - 1);
    if (schedule->recipe->published_mask && !sb_recipe_has_masks(schedule->recipe))
        return sb_fail(error, SB_INVALID, "key `mask`: no format here holds masks of actions, so leave the key out");
    return schedule->n_exports || sb_fail(error, SB_INVALID, "key `formats` is an empty list");
}

/* ---- Rules for rows ---- */

static bool is_split(const sb_recipe *recipe, const char *name) {
    for (size_t i = 0; i < recipe->n_splits; i++)
        if (strcmp(recipe->splits[i].split, name) == 0) return true;
    return false;
}

/* Fails if an extension extends the split that others stay apart from: its episodes would take rows away from all
 * others, which would change files that are there. */
static bool check_apart_from_split(const sb_recipe *recipe, const char *split, sb_error *error) {
    for (size_t i = 0; i < recipe->n_extensions; i++)
        if (strcmp(recipe->extensions[i].split, split) == 0)
            return sb_fail(error, SB_INVALID,
                           "extensions[%zu]: rows stay apart from the split `%s`, so it cannot be extended: build "
                           "another dataset with more of it",
                           i, split);
    return true;
}

static bool check_apart_from(const sb_schedule *schedule, sb_error *error) {
    const sb_row_rules *rules = &schedule->recipe->rows;
    if (!rules->apart_from && !rules->names) return true;
    if (rules->apart_from && is_split(schedule->recipe, rules->apart_from))
        return check_apart_from_split(schedule->recipe, rules->apart_from, error);
    if (rules->apart_from && strcmp(rules->apart_from, SB_APART_FROM_EVAL) != 0)
        return sb_fail(error, SB_INVALID,
                       "rows: key `apart_from`: `%.80s` is no split of the recipe; give one, or " SB_APART_FROM_EVAL
                       ", or the path of a seed pack",
                       rules->apart_from);
    return !(schedule->cast.recorded || schedule->cast.command) ||
           sb_fail(error, SB_INVALID,
                   "rows: key `apart_from`: whoever recorded the tapes cannot play episodes to evaluate with, so it is "
                   "not known what they would be shown there");
}

/* Checks the rules for rows. A budget of rows would count rows that are left out later. */
static bool check_rows(const sb_schedule *schedule, sb_error *error) {
    if (sb_row_rules_are_empty(&schedule->recipe->rows)) return true;
    for (size_t k = 0; k < schedule->n_exports; k++)
        if (!schedule->exports[k].exporter->ask)
            return sb_fail(
                error, SB_INVALID,
                "rows: the rows of `%s` are not prompts with answers, so none of them can be left out: leave "
                "out the key `rows`, or build that format as a dataset of its own",
                schedule->exports[k].name);
    for (size_t i = 0; i < schedule->n_sections; i++)
        if (sb_counts_rows(&schedule->sections[i].is.composition))
            return sb_fail(error, SB_INVALID,
                           "rows: a budget of rows or texts counts all of them, also those that are left out: give a "
                           "budget of `episodes`");
    return check_apart_from(schedule, error);
}

/* Checks that budgets can be counted. Characters and tokens are those of the first format. */
static bool check_budgets(const sb_schedule *schedule, sb_error *error) {
    for (size_t i = 0; i < schedule->n_sections && !schedule->texts.n; i++) {
        const sb_unit unit = sb_budget_unit(&schedule->sections[i].is.composition);
        if (unit == SB_CHARACTERS || unit == SB_TOKENS)
            return sb_fail(error, SB_INVALID,
                           "budget: files of `%s` are no lines of text whose %s could be counted: let a format that "
                           "has them be the first, such as steps or chat without pictures",
                           schedule->exports[0].name, sb_unit_names[unit]);
    }
    return true;
}

/* ---- The schedule ---- */

bool sb_schedule_make(const sb_recipe *recipe, const char *const *tapes, size_t n, sb_schedule *schedule,
                      sb_error *error) {
    *schedule = (sb_schedule){
        .recipe = recipe, .level = (int)recipe->level, .shard_episodes = (size_t)recipe->shard_episodes};
    if (!check_numbers(recipe, error) || !sb_cast_make(&schedule->cast, &recipe->casting, error)) return false;
    if (!check_sections(schedule, error)) return false;
    list_sections(schedule);
    if (!(schedule->cast.recorded ? select_recorded(schedule, tapes, n, error) : select_sections(schedule, error)))
        return false;
    schedule->family = sb_selection_family(&schedule->selection, 0);
    sb_cast_default(&schedule->cast, sb_recipe_teacher(recipe));
    number_shards(schedule);
    if (!check_episodes(schedule, error) || !check_filter(schedule, error) || !read_formats(schedule, error))
        return false;
    schedule->texts = sb_texts_of(&schedule->exports[0]);
    return check_rows(schedule, error) && check_budgets(schedule, error);
}

void sb_schedule_free(sb_schedule *schedule) {
    for (size_t i = 0; i < schedule->n_exports; i++) sb_export_free(&schedule->exports[i]);
    sb_selection_free(&schedule->selection);
    cJSON_Delete(schedule->names), cJSON_Delete(schedule->about);
    sb_row_choice_free(schedule->choice);
    free(schedule->fates), free(schedule->beaten), free(schedule->drawn);
    *schedule = (sb_schedule){0};
}

bool sb_schedule_leaves_out(const sb_schedule *schedule, size_t episode) {
    const uint8_t fate = schedule->fates[episode];
    return (fate & SB_IS_ELSEWHERE) ||
           ((fate & (SB_IS_EVALUATION | SB_IS_ACROSS)) && !schedule->recipe->keep_evaluation) ||
           ((fate & SB_IS_DUPLICATE) && schedule->recipe->drop_duplicates);
}

bool sb_schedule_wants(const sb_schedule *schedule, size_t episode, const sb_tape *tape) {
    return !sb_schedule_leaves_out(schedule, episode) && !(schedule->beaten && schedule->beaten[episode]) &&
           sb_filter_passes(&schedule->recipe->filter, tape, sb_rewards_densely(&schedule->recipe->rewards));
}

const sb_scheduled *sb_schedule_section(const sb_schedule *schedule, size_t shard) {
    size_t i = 0;
    while (i + 1 < schedule->n_sections && shard >= schedule->sections[i].end_shard) i++;
    return &schedule->sections[i];
}

sb_range sb_schedule_shard(const sb_schedule *schedule, size_t shard) {
    const sb_scheduled *s = sb_schedule_section(schedule, shard);
    const size_t first = s->first + (shard - s->first_shard) * schedule->shard_episodes;
    const size_t end = first + schedule->shard_episodes;
    return (sb_range){first, end < s->end ? end : s->end};
}

sb_file_place sb_schedule_place(const sb_schedule *schedule, size_t shard) {
    const sb_scheduled *s = sb_schedule_section(schedule, shard);
    return (sb_file_place){shard - s->first_shard, s->end_shard - s->first_shard, s->label};
}

sb_shard_name sb_schedule_file(const sb_schedule *schedule, const char *kind, size_t shard, const char *suffix) {
    const sb_file_place place = sb_schedule_place(schedule, shard);
    return sb_shard_of(kind, place.label, place.shard, place.n_shards, suffix);
}
