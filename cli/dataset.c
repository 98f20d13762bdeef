#include "cli/dataset.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static uint64_t bytes_of(const sb_manifest *m) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < m->n_shards * m->n_formats; i++) bytes += m->files[i].bytes;
    return bytes;
}

static void print_json(const sb_manifest *m, const char *folder) {
    sb_out out = sb_out_growing();
    sb_puts(&out, "{");
    sb_member_text(&out, "folder", folder);
    sb_member_uint(&out, "selected", m->selected);
    sb_member_uint(&out, "evaluation", m->evaluation);
    sb_member_uint(&out, "duplicates", m->duplicates);
    sb_member_uint(&out, "across", m->across);
    sb_member_uint(&out, "elsewhere", m->elsewhere);
    sb_member_uint(&out, "filtered", m->filtered);
    sb_member_uint(&out, "unreadable", m->unreadable);
    if (*m->recorded_sha256) sb_member_uint(&out, "recorded", m->recorded);
    sb_member_uint(&out, "episodes", m->episodes);
    sb_member_uint(&out, "successes", m->successes);
    sb_member_uint(&out, "rows", m->rows);
    sb_member_uint(&out, "content_bytes", m->content_bytes);
    sb_member_uint(&out, "bytes", bytes_of(m));
    sb_member_text(&out, "content_sha256", m->content_sha256);
    if (m->has_prompts) sb_prompt_list_print(&m->prompts, false, &out);
    sb_puts(&out, "}\n");
    cli_emit(&out, CLI_DATA);
}

static double mean(double sum, uint64_t n) { return n ? sum / (double)n : 0; }

/* Prints the name of the most frequent action. */
static void print_favourite(const sb_stats_group *g, sb_env *env) {
    size_t most = 0;
    char name[64] = "";
    sb_error error;
    for (size_t i = 1; i < g->n_actions; i++)
        if (g->actions[i].n > g->actions[most].n) most = i;
    if (g->n_actions && sb_reset_name(env, &g->name, &error))
        sb_action_name(env, g->actions[most].action, name, sizeof name);
    if (g->n_actions)
        cli_say("  %s %.0f %%\n", name, 100 * mean((double)g->actions[most].n, g->steps));
    else
        cli_say("  -\n");
}

/* Prints means of the group's episodes; dashes if none of them got rows. */
static void print_means(const sb_stats_group *g, uint64_t bytes) {
    char rate[16] = "-"; /* a dash, where success is not judged */
    if (!g->episodes) {
        cli_say(" %8s %10s %9s %9s", "-", "-", "-", "-");
        return;
    }
    if (g->judged) snprintf(rate, sizeof rate, "%.3f", mean((double)g->successes, g->judged));
    cli_say(" %8s %10.1f %9llu %9.1f", rate, mean((double)g->steps, g->episodes), (unsigned long long)g->min_steps,
            mean((double)bytes, g->episodes) / 1e3);
}

static void print_groups(const sb_manifest *m) {
    sb_error error;
    sb_env *env = sb_make(m->recipe.selection.catalogue, NULL, &error);
    if (!env) return;
    cli_say("%-24s %-10s %8s %8s %10s %9s %9s  %s\n", "task", "difficulty", "episodes", "success", "mean steps",
            "shortest", "kB/epis.", "most frequent action");
    for (size_t i = 0; i < m->stats.n; i++) {
        const sb_stats_group *g = &m->stats.groups[i];
        uint64_t bytes = 0;
        for (size_t k = 0; k < m->n_formats; k++) bytes += g->bytes[k];
        cli_say("%-24s %-10s %8llu", g->name.task, g->name.difficulty, (unsigned long long)g->episodes);
        print_means(g, bytes);
        print_favourite(g, env);
    }
    sb_free(env);
}

/* Whether all of the dataset was selected from evaluation lists, which is what happens to who names no split. */
static bool is_of_eval(const sb_recipe *r) {
    const sb_request *request = &r->selection;
    return !r->n_splits && !sb_casting_is_recorded(&r->casting) && !request->seeds && !request->n_names &&
           (!request->split || strcmp(request->split, "eval") == 0);
}

static void print_left_out(const sb_manifest *m) {
    const unsigned long long evaluation = m->evaluation, duplicates = m->duplicates, unreadable = m->unreadable,
                             filtered = m->filtered - sb_manifest_unreadable_dropped(m);
    if (is_of_eval(&m->recipe))
        cli_say("all episodes are of the split eval: scores of them say nothing of who trains on these rows (--split "
                "train has others)\n");
    if (evaluation)
        cli_say("%llu of the %llu selected episodes are in evaluation lists: %s\n", evaluation,
                (unsigned long long)m->selected, m->recipe.keep_evaluation ? "kept, as asked for" : "left out");
    if (duplicates)
        cli_say("%llu are the same game as an earlier one: %s\n", duplicates,
                m->recipe.drop_duplicates ? "left out" : "kept");
    if (m->across)
        cli_say("%llu are the same game as one to evaluate with: %s\n", (unsigned long long)m->across,
                m->recipe.keep_evaluation ? "kept, as asked for" : "left out");
    if (m->elsewhere)
        cli_say("%llu are in another split, or are the same game as one of it: left out\n",
                (unsigned long long)m->elsewhere);
    if (unreadable)
        cli_say("%llu have answers of a model that could not be read: %s\n", unreadable,
                sb_manifest_unreadable_dropped(m) ? "left out (--unreadable keep keeps them)"
                                                  : "kept (--unreadable drop leaves them out)");
    if (filtered)
        cli_say("%llu %s: left out%s\n", filtered, sb_filter_reason(&m->recipe.filter),
                m->recipe.filter.failures == SB_KEEPING_DROPPED ? " (--failures keep keeps what failed)" : "");
}

/* Says in how many steps the teacher does not do what can be learned from observations. */
static void print_teacher(const sb_manifest *m) {
    const sb_stats_group total = sb_stats_total(&m->stats);
    if (total.compared)
        cli_say("in %llu of %llu compared steps the action to imitate is not the observer's, which knows only what the "
                "agent is shown\n",
                (unsigned long long)total.unlike_observer, (unsigned long long)total.compared);
}

/* Says how many rows ask the same, and how much of an evaluation they hold. */
static void print_prompts(const sb_manifest *m) {
    for (size_t i = 0; i < m->prompts.n; i++) {
        const sb_prompt_facts *f = &m->prompts.of[i];
        cli_say("%s%s%s: %llu rows with %s%llu different prompts; %llu prompts have several answers", f->name,
                *f->split ? ", " : "", f->split, (unsigned long long)f->counts.rows,
                f->counts.one_in > 1 ? "about " : "", (unsigned long long)f->counts.prompts,
                (unsigned long long)f->counts.conflicts);
        if (f->duplicates || f->apart)
            cli_say("; left out: %llu repeated rows, %llu with prompts of an evaluation",
                    (unsigned long long)f->duplicates, (unsigned long long)f->apart);
        cli_say("\n");
        if (f->compared && f->evaluation)
            cli_say("  evaluation: %llu of %llu episodes were played, which show %llu different prompts; %llu of these "
                    "stand in the rows, too: states that training and evaluation share%s\n",
                    (unsigned long long)f->episodes, (unsigned long long)f->listed, (unsigned long long)f->evaluation,
                    (unsigned long long)f->found, f->found ? " (--rows-apart-from eval leaves them out)" : "");
    }
}

/* Says of which formats many episodes have no rows: fewer rows than episodes leave at least so many without. */
static void print_rowless(const sb_manifest *m) {
    for (size_t k = 0; k < m->n_formats; k++) {
        const unsigned long long rows = m->formats[k].rows, episodes = m->episodes;
        if (rows < episodes)
            cli_say("%s: %llu rows, so %llu or more of %llu episodes have none\n", m->formats[k].name, rows,
                    episodes - rows, episodes);
    }
}

void cli_print_made(const sb_manifest *m, const char *folder, const cli_common *common) {
    const unsigned long long episodes = m->episodes, rows = m->rows, successes = m->successes;
    if (common->json) {
        print_json(m, folder);
        return;
    }
    if (common->quiet) return;
    if (m->stats.n) print_groups(m);
    print_left_out(m);
    print_teacher(m);
    print_prompts(m);
    print_rowless(m);
    cli_say("%s: %llu episodes (%llu solved), %llu rows, %.1f MB in %zu files (%.1f MB unpacked), content %.16s...\n",
            CLI_PLAIN(folder), episodes, successes, rows, (double)bytes_of(m) / 1e6, (m->n_formats + 1) * m->n_shards,
            (double)m->content_bytes / 1e6, m->content_sha256);
}
