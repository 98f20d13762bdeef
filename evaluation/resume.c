#include "evaluation/resume.h"

#include <string.h>

#include "base/error.h"

static bool keeps(const sb_resume *r) { return r->how == SB_RUN_RESUMED || r->how == SB_RUN_RETRIED; }

/* Whether there is something at the result's path, which a device or a pipe does not keep. */
static bool is_there(const sb_resume *r, const char *path) { return !r->journal.file.direct && sb_file_exists(path); }

static bool load_before(sb_resume *r, const char *path, const sb_catalogue *catalogue, sb_error *error) {
    if (!is_there(r, path)) return true;
    if (!sb_result_load(catalogue, path, &r->before, error)) return false;
    strcpy(r->salt, r->before.salt);
    return true;
}

/* Whether the text is that of a result with remarks of its agent. A text without its end, or with rules of another
 * version, is one, too, so it is not parsed. In a text, quotes are escaped, so the word between quotes is a key. */
static bool has_remarks(const char *text) {
    static const char key[] = "\"said\"";
    if (!strstr(text, "\"seedbed-result\"")) return false;
    for (const char *at = text; (at = strstr(at, key));) {
        at += sizeof key - 1;
        if (at[strspn(at, " \t\r\n:")] == '[') return true;
    }
    return false;
}

/* Refuses to replace a result whose agent said what it thought or spent: a model did, and to ask it again costs money
 * or hours. Anything else is replaced, as other outputs are. */
static bool may_replace(const sb_resume *r, const char *path, sb_error *error) {
    sb_out text = sb_out_growing();
    if (!is_there(r, path)) return true;
    bool ok = sb_file_load_large(path, SB_RESULT_BYTES, &text, error) ||
              sb_fail_at(error, "--force replaces what is there, unseen");
    ok = ok && (!has_remarks(text.data) ||
                sb_fail(error, SB_INVALID,
                        "%s is a result that holds what its agent thought or spent: go on with it (--resume), replace "
                        "it (--force), or name another file",
                        sb_path_end(path)));
    sb_out_free(&text);
    return ok;
}

bool sb_resume_open(sb_resume *r, const char *path, sb_resume_how how, const sb_catalogue *catalogue, sb_timer *now,
                    sb_error *error) {
    sb_run_journal *journal = &r->journal;
    r->how = how;
    if (!sb_run_journal_open(journal, path, now, error)) return false;
    if (keeps(r) && journal->found.size == 0) return load_before(r, path, catalogue, error);
    if (keeps(r)) return sb_run_journal_salt(journal, r->salt), true;
    if (journal->episodes && how == SB_RUN_ANEW)
        return sb_fail(
            error, SB_INVALID,
            "%s holds %zu episodes of an interrupted evaluation: resume it (--resume), or drop them (--force)",
            sb_path_end(journal->file.part), journal->episodes);
    if (how == SB_RUN_ANEW && !may_replace(r, path, error)) return false;
    sb_run_journal_forget(journal);
    return true;
}

bool sb_resume_begin(sb_resume *r, const char *spec, const sb_agent_options *limits, const char *selected,
                     const sb_selection *selection, sb_results *results, sb_error *error) {
    const bool again = r->how == SB_RUN_RETRIED;
    sb_out agent = sb_out_growing(), head = sb_out_growing();
    sb_result_print_agent(results, spec, limits, &agent);
    sb_putc(&agent, '\0');
    bool ok = sb_out_ok(&agent) || sb_fail(error, SB_MEMORY, "out of memory for a journal");
    ok = ok && sb_run_head(SB_VERSION, agent.data, selected, &results->plays, selection, &head, error);
    if (ok && r->before.n)
        ok = sb_run_journal_adopt(&r->journal, &head, &r->before, again, selection, results, error);
    else if (ok)
        ok = sb_run_journal_begin(&r->journal, &head, again, selection, results, error);
    sb_out_free(&agent), sb_out_free(&head);
    return ok;
}

void sb_resume_close(sb_resume *r) {
    sb_run_journal_leave(&r->journal);
    sb_results_free(&r->before);
}
