#include "datasets/card.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/visible.h"
#include "engine/environment.h"

/* ---- Texts ---- */

/* Writes a user's text on one line. */
static void put_line(sb_out *out, const char *text) {
    for (; *text; text++) sb_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
}

void sb_card_title(const sb_manifest *manifest, const sb_schedule *schedule, sb_out *out) {
    if (manifest->recipe.name && *manifest->recipe.name)
        put_line(out, manifest->recipe.name);
    else
        sb_puts(out, "Episodes of "), sb_puts(out, schedule->family->name);
}

static void put_agent(const char *agent, sb_out *out) {
    sb_puts(out, strcmp(agent, SB_RECORDED) == 0 ? "whoever recorded the tapes" : agent);
}

void sb_card_actors(const sb_schedule *schedule, sb_out *out) {
    const sb_cast *cast = &schedule->cast;
    if (cast->recorded && cast->n == 1) {
        sb_puts(out, "whoever recorded the tapes");
        return;
    }
    sb_puts(out, cast->n > 1 ? "one of the agents, drawn for each episode: " : "the agent ");
    for (size_t i = 0; i < cast->n; i++) sb_puts(out, i ? ", " : ""), put_agent(cast->of[i].agent, out);
    if (cast->epsilon > 0) {
        sb_puts(out, ", with a random action in its place with probability ");
        sb_put_double(out, cast->epsilon);
    }
}

/* Writes a number with one digit after the point, in any locale. */
static void put_tenths(sb_out *out, double value) {
    const long long tenths = llround(fabs(value) * 10);
    if (value < 0 && tenths) sb_putc(out, '-');
    sb_put_uint(out, (uint64_t)(tenths / 10)), sb_putc(out, '.'), sb_putc(out, (char)('0' + tenths % 10));
}

static void put_count(sb_out *out, uint64_t n, const char *what) { sb_put_uint(out, n), sb_puts(out, what); }

/* ---- The header ---- */

/* HuggingFace's identifiers of licences that are likely for data; any other licence becomes `other` with a name. */
static const char *const licenses[] = {"afl-3.0",
                                       "agpl-3.0",
                                       "apache-2.0",
                                       "artistic-2.0",
                                       "bsd",
                                       "bsd-2-clause",
                                       "bsd-3-clause",
                                       "bsl-1.0",
                                       "c-uda",
                                       "cc",
                                       "cc0-1.0",
                                       "cc-by-2.0",
                                       "cc-by-3.0",
                                       "cc-by-4.0",
                                       "cc-by-nc-4.0",
                                       "cc-by-nc-nd-4.0",
                                       "cc-by-nd-4.0",
                                       "cc-by-nc-sa-4.0",
                                       "cc-by-sa-3.0",
                                       "cc-by-sa-4.0",
                                       "cdla-permissive-1.0",
                                       "cdla-permissive-2.0",
                                       "cdla-sharing-1.0",
                                       "ecl-2.0",
                                       "epl-2.0",
                                       "eupl-1.1",
                                       "eupl-1.2",
                                       "gfdl",
                                       "gpl",
                                       "gpl-2.0",
                                       "gpl-3.0",
                                       "isc",
                                       "lgpl",
                                       "lgpl-2.1",
                                       "lgpl-3.0",
                                       "mit",
                                       "mpl-2.0",
                                       "ms-pl",
                                       "ncsa",
                                       "odbl",
                                       "odc-by",
                                       "ofl-1.1",
                                       "openrail",
                                       "osl-3.0",
                                       "pddl",
                                       "postgresql",
                                       "unlicense",
                                       "wtfpl",
                                       "zlib",
                                       NULL};

static bool same_but_for_case(const char *a, const char *b) {
    for (; *a && tolower((unsigned char)*a) == *b; a++) b++;
    return !*a && !*b;
}

/* Writes a text for YAML. Its strings are nearly those of JSON, but it forbids some characters beyond ASCII and takes
 * some for line ends; the escapes of base/visible.h work for all of them. */
static void put_yaml(sb_out *out, const char *text) {
    sb_out json = sb_out_growing();
    sb_put_json_string(&json, text);
    if (sb_out_ok(&json))
        sb_put_visible_bytes(out, json.data, json.size);
    else
        out->failed = true;
    sb_out_free(&json);
}

static void put_license(sb_out *out, const char *license) {
    if (!license || !*license) return;
    for (const char *const *known = licenses; *known; known++)
        if (same_but_for_case(license, *known)) {
            sb_puts(out, "license: "), sb_puts(out, *known), sb_puts(out, "\n");
            return;
        }
    sb_puts(out, "license: other\nlicense_name: "), put_yaml(out, license), sb_puts(out, "\n");
}

/* Returns the name of the index-th split in the `datasets` library. Without splits of its own, evaluation episodes are
 * its test split. */
static const char *split_of(const sb_schedule *schedule, size_t index) {
    const sb_recipe *recipe = schedule->recipe;
    if (recipe->n_splits) return recipe->splits[index].split;
    return schedule->sections[0].evaluates ? "test" : "train";
}

/* Writes the pattern of a format's files, of one split if there are any: `steps-*.jsonl.gz`. */
static void put_pattern(const sb_schedule *schedule, const sb_export *export, size_t split, sb_out *out) {
    sb_puts(out, export->name), sb_puts(out, "-");
    if (schedule->recipe->n_splits) sb_puts(out, schedule->recipe->splits[split].split), sb_puts(out, "-");
    sb_puts(out, "*."), sb_puts(out, export->exporter->suffix);
}

/* Returns the loader of the `datasets` library for a format's files; NULL if there is none. */
static const char *loader_of(const sb_export *export) {
    const char *suffix = export->exporter->suffix;
    static const char *const loaders[][2] = {{"jsonl.gz", "json"}, {"csv", "csv"}, {"zip", "imagefolder"}};
    for (size_t i = 0; i < sizeof loaders / sizeof *loaders; i++)
        if (strcmp(suffix, loaders[i][0]) == 0) return loaders[i][1];
    return NULL;
}

/* Whether the format is one of the configurations in the card's header. A dataset has one loader on HuggingFace, so
 * these are the formats that have the same loader as the first. */
static bool is_config(const sb_schedule *schedule, size_t k) {
    const char *loader = NULL, *mine = loader_of(&schedule->exports[k]);
    for (size_t i = 0; i < schedule->n_exports && !loader; i++) loader = loader_of(&schedule->exports[i]);
    return mine && loader && strcmp(mine, loader) == 0;
}

static void put_configs(const sb_schedule *schedule, sb_out *out) {
    bool first = true;
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const sb_export *export = &schedule->exports[k];
        if (!is_config(schedule, k)) continue;
        sb_puts(out, first ? "configs:\n- config_name: " : "- config_name: ");
        put_yaml(out, export->name), sb_puts(out, "\n"); /* in quotes, because null and true are possible names */
        if (first) sb_puts(out, "  default: true\n");
        sb_puts(out, "  data_files:\n");
        for (size_t i = 0; i < schedule->n_splits; i++) {
            sb_puts(out, "  - split: "), sb_puts(out, split_of(schedule, i)), sb_puts(out, "\n    path: \"");
            put_pattern(schedule, export, i, out), sb_puts(out, "\"\n");
        }
        first = false;
    }
}

/* The types of columns in the library `datasets`; NULL: a type that its loaders find by themselves. */
static const char *const dtypes[SB_COLUMN_TYPES] = {[SB_COLUMN_TEXT] = "string",
                                                    [SB_COLUMN_INTEGER] = "int64",
                                                    [SB_COLUMN_NUMBER] = "float64",
                                                    [SB_COLUMN_BOOLEAN] = "bool"};

static void put_feature(const sb_column *column, sb_out *out) {
    sb_puts(out, "  - name: "), sb_puts(out, column->name);
    if (column->type == SB_COLUMN_MESSAGE)
        sb_puts(out, "\n    list:\n    - name: role\n      dtype: string\n    - name: content\n      dtype: string\n");
    else
        sb_puts(out, column->is_list ? "\n    list: " : "\n    dtype: "), sb_puts(out, dtypes[column->type]),
            sb_puts(out, "\n");
}

/* Whether all columns have types that can be told. Messages come in lists only. */
static bool has_features(const sb_columns *columns) {
    bool all = columns->n > 0;
    for (size_t i = 0; i < columns->n; i++) {
        const sb_column *column = &columns->of[i];
        all &= dtypes[column->type] || (column->type == SB_COLUMN_MESSAGE && column->is_list);
    }
    return all;
}

/* Writes the types of columns, so that they do not follow from the first rows. */
static void put_features(const sb_schedule *schedule, sb_out *out) {
    bool first = true;
    if (schedule->recipe->defaults < 3) return; /* cards of older datasets had no types of columns */
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const sb_export *export = &schedule->exports[k];
        sb_columns columns = {.n = 0};
        if (!is_config(schedule, k) || !export->exporter->columns) continue;
        export->exporter->columns(export, &columns);
        if (!has_features(&columns)) continue;
        sb_puts(out, first ? "dataset_info:\n- config_name: " : "- config_name: ");
        put_yaml(out, export->name), sb_puts(out, "\n  features:\n");
        for (size_t i = 0; i < columns.n; i++) put_feature(&columns.of[i], out);
        first = false;
    }
}

static void put_size(const sb_manifest *m, sb_out *out) {
    static const struct {
        uint64_t below;
        const char *name;
    } sizes[] = {
        {1000, "n<1K"},         {10000, "1K<n<10K"},       {100000, "10K<n<100K"},    {1000000, "100K<n<1M"},
        {10000000, "1M<n<10M"}, {100000000, "10M<n<100M"}, {1000000000, "100M<n<1B"}, {UINT64_MAX, "1B<n<10B"}};
    uint64_t most = 0;
    size_t i = 0;
    for (size_t k = 0; k < m->n_formats; k++)
        if (m->formats[k].rows > most) most = m->formats[k].rows;
    while (most >= sizes[i].below) i++;
    sb_puts(out, "size_categories:\n- "), sb_puts(out, sizes[i].name), sb_puts(out, "\n");
}

/* Whether rows are made for trainers of language models. */
static bool has_answers(const sb_schedule *schedule) {
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const char *name = schedule->exports[k].exporter->name;
        if (strcmp(name, "chat") == 0 || strcmp(name, "preference") == 0) return true;
    }
    return false;
}

static void put_header(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    sb_out title = sb_out_growing();
    sb_card_title(m, schedule, &title);
    sb_putc(&title, '\0');
    sb_puts(out, "---\n");
    put_license(out, m->recipe.license);
    sb_puts(out, "pretty_name: "), put_yaml(out, sb_out_ok(&title) ? title.data : "");
    sb_puts(out, "\ntask_categories:\n- reinforcement-learning\n");
    if (has_answers(schedule)) sb_puts(out, "- text-generation\n");
    sb_puts(out, "tags:\n- seedbed\n- gridworld\n- imitation-learning\n- "), sb_puts(out, schedule->family->name);
    sb_puts(out, "\n");
    put_size(m, out);
    put_configs(schedule, out);
    put_features(schedule, out);
    sb_puts(out, "---\n");
    out->failed |= title.failed;
    sb_out_free(&title);
}

/* ---- The text ---- */

/* Writes how many of the episodes whose task has success succeeded. */
static void put_successes(const sb_manifest *m, const sb_stats *sum, sb_out *out) {
    const uint64_t judged = sb_stats_total(sum).judged;
    if (judged == m->episodes)
        sb_puts(out, "; "), put_count(out, m->successes, " of them succeeded");
    else if (judged)
        sb_puts(out, "; "), put_count(out, m->successes, " of the "),
            put_count(out, judged, " whose task has success succeeded");
    sb_puts(out, ".\n");
}

/* Says in how many steps the teacher does what nobody can learn from what the agent is shown. */
static void put_teacher(const sb_stats *sum, sb_out *out) {
    const sb_stats_group total = sb_stats_total(sum);
    if (!total.compared) return;
    sb_puts(out, "\nIn "), put_count(out, total.unlike_observer, " of "), put_count(out, total.compared, " steps (");
    put_tenths(out, 100.0 * (double)total.unlike_observer / (double)total.compared);
    sb_puts(out,
            " %) that were compared, the action to imitate is not the observer's, which knows only what the agent is "
            "shown: a model that sees only the observations can but guess there.\n");
}

/* Warns of what the choice of solved episodes does to the data. Datasets of version 1 of the defaults have no such
 * warning in their cards. */
static void put_choice(const sb_manifest *m, sb_out *out) {
    if (!m->filtered || m->recipe.defaults == 1 || !sb_filter_takes_solved(&m->recipe.filter)) return;
    sb_puts(
        out,
        "\nOnly solved episodes have rows. Where chance decides what comes next, that picks lucky futures: what was "
        "done looks safer here than it is.\n");
}

static void put_summary(const sb_manifest *m, const sb_schedule *schedule, const sb_stats *sum, sb_out *out) {
    sb_puts(out, "\n" SB_CARD_MARK "\n\n# ");
    sb_card_title(m, schedule, out);
    if (m->recipe.description && *m->recipe.description) sb_puts(out, "\n\n"), sb_puts(out, m->recipe.description);
    sb_puts(out, "\n\n"), put_count(out, m->episodes, " episodes of gridworld tasks of the family `");
    sb_puts(out, schedule->family->name), sb_puts(out, "`, played by "), sb_card_actors(schedule, out);
    put_successes(m, sum, out);
    put_choice(m, out);
    put_teacher(sum, out);
    if (!m->recipe.n_splits && schedule->sections[0].evaluates)
        sb_puts(out,
                "\nThese are episodes to evaluate with: whoever reports scores on them should not train on them.\n");
}

/* Says what each section has, if there are several or a budget. */
static void put_sections(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    if (!sb_manifest_has_sections(&m->recipe)) return;
    sb_puts(out, "\n## Splits\n\n| split | seeds | selected | episodes | rows of `"), sb_puts(out, m->formats[0].name);
    sb_puts(out, "` |\n|---|---|---:|---:|---:|\n");
    for (size_t i = 0; i < m->n_sections; i++) {
        const sb_section *is = &schedule->sections[i].is;
        const char *seeds = is->request.seeds ? is->request.seeds : is->request.split ? is->request.split : "eval";
        sb_puts(out, "| "), sb_puts(out, *is->split ? is->split : split_of(schedule, 0));
        if (is->extension) sb_puts(out, ", extension "), sb_put_uint(out, is->extension);
        sb_puts(out, " | `"), put_line(out, seeds), sb_puts(out, "` | ");
        put_count(out, m->sections[i].selected, " | "), put_count(out, m->sections[i].has[SB_EPISODES], " | ");
        put_count(out, m->sections[i].has[SB_ROWS], " |\n");
    }
    if (m->recipe.n_splits > 1)
        sb_puts(out, "\nNo episode is in two splits, and none begins like one of another split.\n");
    for (size_t i = 0; m->recipe.n_splits && i < m->recipe.n_splits; i++)
        if (schedule->sections[i].evaluates)
            sb_puts(out, "\nThe split `"), sb_puts(out, m->recipe.splits[i].split),
                sb_puts(out, "` has the episodes to evaluate with: whoever reports scores on them should not train on "
                             "them.\n");
}

enum { COMMON = 3 /* actions named in a line of the table */ };

/* Writes the most frequent actions and their shares; of equally frequent ones the lower number comes first. */
static void put_actions(const sb_stats_group *g, const sb_env *env, sb_out *out) {
    uint64_t bound = UINT64_MAX; /* every action named so far was taken at least this often */
    size_t named = 0, last = SIZE_MAX;
    while (named < COMMON && named < g->n_actions) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < g->n_actions; i++) {
            const uint64_t n = g->actions[i].n;
            const bool is_next = n < bound || (n == bound && i > last);
            if (is_next && (best == SIZE_MAX || n > g->actions[best].n)) best = i;
        }
        char name[64];
        sb_action_name(env, g->actions[best].action, name, sizeof name);
        sb_puts(out, named++ ? ", `" : "`"), sb_puts(out, name), sb_puts(out, "` ");
        put_tenths(out, 100.0 * (double)g->actions[best].n / (double)g->steps), sb_puts(out, " %");
        bound = g->actions[best].n, last = best;
    }
}

static void put_group_numbers(const sb_stats_group *g, const sb_schedule *schedule, sb_out *out) {
    uint64_t bytes = 0;
    for (size_t k = 0; k < schedule->n_exports; k++) bytes += g->bytes[k];
    put_count(out, g->episodes, " | ");
    if (g->episodes) {
        const double n = (double)g->episodes;
        if (g->judged)
            put_tenths(out, 100.0 * (double)g->successes / (double)g->judged), sb_puts(out, " % | ");
        else
            sb_puts(out, "- | ");
        put_tenths(out, (double)g->steps / n), sb_puts(out, " (");
        sb_put_uint(out, g->min_steps), sb_puts(out, " to "), sb_put_uint(out, g->max_steps), sb_puts(out, ") | ");
        put_tenths(out, g->total / n), sb_puts(out, " | ");
    } else {
        sb_puts(out, "- | - | - | ");
    }
    put_count(out, bytes, " | ");
}

static bool put_counts(const sb_stats *sum, const sb_schedule *schedule, sb_out *out, sb_error *error) {
    const sb_stats_group total = sb_stats_total(sum);
    sb_env *env = sb_make(schedule->selection.catalogue, NULL, error);
    if (!env) return false;
    sb_puts(out, "\n## What is in it\n\n"
                 "| task | difficulty | episodes | success | steps (range) | return | bytes | most frequent actions |\n"
                 "|---|---|---:|---:|---:|---:|---:|---|\n");
    bool ok = true;
    for (size_t i = 0; ok && i < sum->n; i++) {
        const sb_stats_group *g = &sum->groups[i];
        sb_puts(out, "| "), sb_puts(out, g->name.task), sb_puts(out, " | ");
        sb_puts(out, g->name.difficulty[0] ? g->name.difficulty : "-"), sb_puts(out, " | ");
        put_group_numbers(g, schedule, out);
        ok = sb_reset_name(env, &g->name, error);
        if (ok) put_actions(g, env, out), sb_puts(out, " |\n");
    }
    sb_puts(out, "| all | | "), put_group_numbers(&total, schedule, out);
    sb_puts(out,
            "|\n\nSteps and returns (sparse) are means; bytes are those of the rows, uncompressed. `stats.json` has "
            "all of this, and more, for programs.\n");
    sb_free(env);
    return ok;
}

static void put_columns(const sb_export *export, sb_out *out) {
    static const char *const types[SB_COLUMN_TYPES] = {[SB_COLUMN_TEXT] = "text",
                                                       [SB_COLUMN_INTEGER] = "integer",
                                                       [SB_COLUMN_NUMBER] = "number",
                                                       [SB_COLUMN_BOOLEAN] = "boolean",
                                                       [SB_COLUMN_MESSAGE] = "`{role, content}`",
                                                       [SB_COLUMN_PARTS] = "`{role, content}`",
                                                       [SB_COLUMN_PICTURE] = "picture"};
    sb_columns columns = {0};
    if (!export->exporter->columns) return;
    export->exporter->columns(export, &columns);
    sb_puts(out, "\n| column | type | what |\n|---|---|---|\n");
    for (size_t i = 0; i < columns.n; i++) {
        const sb_column *c = &columns.of[i];
        sb_puts(out, "| `"), sb_puts(out, c->name), sb_puts(out, c->is_list ? "` | list of " : "` | ");
        sb_puts(out, types[c->type]), sb_puts(out, " | "), sb_puts(out, c->what), sb_puts(out, " |\n");
    }
}

static void put_quoted(sb_out *out, const char *text) { sb_puts(out, "\""), sb_puts(out, text), sb_puts(out, "\""); }

/* Writes a call of the loader. The loader of the card's configurations finds its files itself; others need their
 * names. */
static void put_loader(const sb_schedule *schedule, size_t k, sb_out *out) {
    const sb_export *export = &schedule->exports[k];
    sb_puts(out, "import datasets\nrows = datasets.load_dataset(");
    if (is_config(schedule, k)) {
        sb_puts(out, "\"FOLDER\", "), put_quoted(out, export->name);
        sb_puts(out, ", split="), put_quoted(out, split_of(schedule, 0));
    } else {
        put_quoted(out, loader_of(export));
        sb_puts(out, ", data_files=\"FOLDER/"), put_pattern(schedule, export, 0, out);
        sb_puts(out, "\", split=\"train\"");
    }
    sb_puts(out, ")\n");
}

static void put_loading(const sb_schedule *schedule, size_t k, sb_out *out) {
    const sb_export *export = &schedule->exports[k];
    if (!export->exporter->load && !loader_of(export)) return;
    sb_puts(out, "\n```python\n");
    if (export->exporter->load)
        export->exporter->load(export, sb_schedule_place(schedule, 0), out);
    else
        put_loader(schedule, k, out);
    sb_puts(out, "```\n");
}

static void put_formats(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const sb_export *export = &schedule->exports[k];
        sb_puts(out, "\n## Format `"), sb_puts(out, export->name), sb_puts(out, "`\n\n");
        for (size_t i = 0; i < schedule->n_splits; i++)
            sb_puts(out, "`"), put_pattern(schedule, export, i, out), sb_puts(out, "`, ");
        put_count(out, m->formats[k].rows, " rows: "), sb_puts(out, export->exporter->summary), sb_puts(out, ".\n");
        put_columns(export, out);
        if (export->exporter->tell) export->exporter->tell(export, out);
        put_loading(schedule, k, out);
    }
    sb_puts(out,
            "\n`" SB_TAPES_KIND "-*." SB_TAPES_SUFFIX "` holds an episode a line: its name and actions, from which "
            "all rows are rendered.\n");
}

/* ---- Prompts ---- */

static void put_about(sb_out *out, const sb_prompt_facts *f, uint64_t n) {
    if (f->counts.one_in > 1) sb_puts(out, "about ");
    sb_put_uint(out, n);
}

static void put_prompt_row(const sb_prompt_facts *f, sb_out *out) {
    sb_puts(out, "| `"), sb_puts(out, f->name), sb_puts(out, "` | ");
    sb_puts(out, *f->split ? f->split : "all"), sb_puts(out, " | ");
    put_count(out, f->counts.rows, " | "), put_about(out, f, f->counts.prompts), sb_puts(out, " | ");
    put_about(out, f, f->counts.repeated), sb_puts(out, " | "), put_about(out, f, f->counts.conflicts);
    sb_puts(out, " | "), put_about(out, f, f->counts.answers);
    sb_puts(out, " | "),
        put_tenths(out, f->counts.rows ? 1000.0 * (double)f->counts.answers / (double)f->counts.rows : 0);
    sb_puts(out, " | "), put_count(out, f->duplicates, " | "), put_count(out, f->apart, " |\n");
}

/* Names the tasks in which a prompt has several answers. */
static void put_conflicts(const sb_prompt_facts *f, sb_out *out) {
    if (!f->n_in) return;
    sb_puts(out, "\nPrompts of `"), sb_puts(out, f->name), sb_puts(out, "` with several answers");
    if (*f->split) sb_puts(out, " in the split `"), sb_puts(out, f->split), sb_puts(out, "`");
    for (size_t i = 0; i < f->n_in; i++) {
        sb_puts(out, i ? ", " : ": "), sb_puts(out, f->in[i].task);
        if (*f->in[i].difficulty) sb_puts(out, "/"), sb_puts(out, f->in[i].difficulty);
        sb_puts(out, " "), put_about(out, f, f->in[i].prompts);
    }
    sb_puts(out, ".\n");
}

/* Says how much of an evaluation stands in the rows. */
static void put_evaluation(const sb_prompt_facts *f, sb_out *out) {
    if (!f->compared || !f->evaluation) return;
    sb_puts(out, "\nOf "), put_count(out, f->evaluation, " different prompts that the same agent meets in ");
    put_count(out, f->episodes, " of the "), put_count(out, f->listed, " episodes to evaluate with, ");
    put_count(out, f->found, " ("), put_tenths(out, 100.0 * (double)f->found / (double)f->evaluation);
    sb_puts(out, " %) stand in the rows of `"), sb_puts(out, f->name);
    if (*f->split) sb_puts(out, "`, split `"), sb_puts(out, f->split);
    sb_puts(out, "`, by the last message of the user.\n");
}

static void put_prompts(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    if (!m->prompts.n) return;
    sb_puts(out, "\n## Prompts\n\n| format | split | rows | distinct prompts | repeated rows | prompts with several "
                 "answers | distinct answers | of 1,000 rows | left out: repeated | left out: in evaluation |\n"
                 "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (size_t i = 0; i < m->prompts.n; i++) put_prompt_row(&m->prompts.of[i], out);
    sb_puts(out, "\nA repeated row has the prompt and the answer of an earlier one.\n");
    for (size_t i = 0; i < m->prompts.n; i++) put_conflicts(&m->prompts.of[i], out);
    for (size_t i = 0; i < m->prompts.n; i++) put_evaluation(&m->prompts.of[i], out);
    if (schedule->cast.recorded || schedule->cast.command)
        sb_puts(out,
                "\nIt is not known what whoever recorded the tapes would be shown in episodes to evaluate with.\n");
}

/* ---- Texts ---- */

static void put_text_row(const sb_text_list *list, const sb_text_facts *f, sb_out *out) {
    sb_puts(out, "| "), sb_puts(out, f->task), sb_puts(out, " | ");
    sb_puts(out, *f->difficulty ? f->difficulty : "-"), sb_puts(out, " | ");
    put_count(out, f->characters, list->has_tokens ? " | " : " |\n");
    if (list->has_tokens) put_count(out, f->tokens, " |\n");
}

/* Says how much text the first format holds. */
static void put_texts(const sb_manifest *m, sb_out *out) {
    const sb_text_list *list = &m->texts;
    sb_text_facts total = sb_text_list_total(list);
    if (!m->has_texts) return;
    sb_puts(out, "\n## Texts\n\nWhat a trainer reads in the rows of `"), sb_puts(out, m->formats[0].name);
    sb_puts(out, "`: messages, observations and answers");
    sb_puts(out, list->has_tokens ? ", each text alone, without special tokens or a template.\n" : ".\n");
    sb_puts(out, "\n| task | difficulty | characters |"), sb_puts(out, list->has_tokens ? " tokens |" : "");
    sb_puts(out, "\n|---|---|---:|"), sb_puts(out, list->has_tokens ? "---:|\n" : "\n");
    for (size_t i = 0; i < list->n; i++) put_text_row(list, &list->of[i], out);
    put_text_row(list, &total, out);
}

/* ---- The making ---- */

static void put_fate(sb_out *out, uint64_t n, const char *what, bool left_out) {
    sb_puts(out, "- "), put_count(out, n, what), sb_puts(out, n == 0 ? "\n" : left_out ? ": left out\n" : ": kept\n");
}

static void put_filtered(const sb_manifest *m, sb_out *out) {
    const uint64_t dropped = sb_manifest_unreadable_dropped(m), filtered = m->filtered - dropped;
    if (m->unreadable) put_fate(out, m->unreadable, " have answers of a model that could not be read", dropped > 0);
    sb_puts(out, "- "), put_count(out, filtered, " were played and "),
        sb_puts(out, sb_filter_reason(&m->recipe.filter));
    sb_puts(out, filtered ? ": left out\n" : "\n");
}

static void put_making(const sb_manifest *m, sb_out *out) {
    sb_puts(out, "\n## How it was made\n\n`seedbed build recipe.json -o FOLDER`, with version ");
    sb_puts(out, m->seedbed), sb_puts(out, " and the rules `"), sb_puts(out, m->rules);
    sb_puts(out, *m->recorded_sha256
                     ? "`. The recipe, from which anybody who has the tapes can make the same rows again"
                     : "`. The recipe, from which anybody can make the same rows again");
    sb_puts(out, ":\n\n```json\n");
    sb_recipe_print(&m->recipe, out);
    sb_puts(out, "\n```\n\n");
    sb_puts(out, "- "), put_count(out, m->selected, " episodes selected\n");
    if (*m->recorded_sha256) {
        sb_puts(out, "- "), put_count(out, m->recorded, " recorded tapes; SHA-256 of what they say: `");
        sb_puts(out, m->recorded_sha256), sb_puts(out, "`\n");
    }
    put_fate(out, m->evaluation, " of them are to evaluate with", !m->recipe.keep_evaluation);
    put_fate(out, m->duplicates, " begin like an earlier one", m->recipe.drop_duplicates);
    put_fate(out, m->across, " begin like one to evaluate with", !m->recipe.keep_evaluation);
    if (m->recipe.n_splits > 1) put_fate(out, m->elsewhere, " are in another split or begin like one of it", true);
    put_filtered(m, out);
    sb_puts(out,
            "\n## Verifying\n\n`seedbed verify FOLDER` replays every tape, renders every row again and compares all "
            "bytes, hashes and counts.\nSHA-256 of the content: `");
    sb_puts(out, m->content_sha256), sb_puts(out, "`.\n");
}

/* Writes what people who played agreed to. Quoted text stays one quotation, whatever it holds. */
static void put_consent(const sb_manifest *m, sb_out *out) {
    const char *text = m->recipe.consent;
    if (!text || !*text) return;
    sb_puts(out, "\n## People\n\nPeople played, and this is what they agreed to:\n\n> ");
    for (; *text; text++) {
        sb_putc(out, *text);
        if (*text == '\n') sb_puts(out, "> ");
    }
    sb_putc(out, '\n');
}

bool sb_card_print(const sb_manifest *m, const sb_schedule *schedule, const sb_stats *sum, sb_out *out,
                   sb_error *error) {
    put_header(m, schedule, out);
    put_summary(m, schedule, sum, out);
    put_consent(m, out);
    put_sections(m, schedule, out);
    if (!put_counts(sum, schedule, out, error)) return false;
    put_prompts(m, schedule, out);
    put_texts(m, out);
    put_formats(m, schedule, out);
    put_making(m, out);
    return true;
}
