#include "cli/autumn_worlds.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"
#include "generators/autumn/worlds/plain.h"
#include "generators/autumn/worlds/review.h"

/* ---- Reviews ----------------------------------------------------------------------------------------------------- */

static void put_refusals(const sb_review_facts *f, sb_out *out) {
    const char *before = " (";
    for (int i = 0; i < SB_WORLD_N_REFUSALS; i++) {
        if (!f->refused[i]) continue;
        sb_putf(out, "%s%u: %s", before, f->refused[i], sb_world_refusal_words[i]);
        before = ", ";
    }
    if (f->undecided) sb_putf(out, "%s%u: not decided here", before, f->undecided), before = ", ";
    if (*before == ',') sb_puts(out, ")");
}

static void put_lengths(const sb_review_facts *f, sb_out *out) {
    if (f->solved)
        sb_putf(out, "; shortest plays of %d to %d steps, median %d (of %u)", f->least, f->most, f->median, f->solved);
    if (f->impossible) sb_putf(out, "; %u of %u starts cannot be won", f->impossible, f->searched);
}

static void put_facts(const char *path, const char *word, const sb_review_facts *f, sb_out *out) {
    sb_put_visible(out, path);
    sb_putf(out, ": %s%s%u of %u starts accepted", word, *word ? ": " : "", f->accepted, f->drawn);
    put_refusals(f, out);
    put_lengths(f, out);
    if (f->plays) sb_putf(out, "; random actions win %u of %u plays, lose %u", f->won, f->plays, f->lost);
    if (f->is_used_up) sb_puts(out, "; more would take too long");
    sb_puts(out, "\n");
}

static void put_needs(const char *path, const sb_review *review, sb_out *out) {
    if (!*review->blind) return;
    sb_put_visible(out, path);
    sb_putf(out, ": equal observations need different actions in %s: %s\n", review->blind, review->needs);
}

static void put_visibility(const char *path, const sb_review *review, sb_out *out) {
    if (!review->n_looks) return;
    sb_put_visible(out, path);
    if (!*review->hides)
        sb_putf(out, ": nothing hidden: of %u frames that were seen, each belongs to one state\n", review->n_looks);
    else if (review->n_twins && !*review->blind)
        sb_putf(out, ": hidden: states that look the same differ in %s, but none of %u pairs needs different actions\n",
                review->hides, review->n_twins);
    else
        sb_putf(out, ": hidden: states that look the same differ in %s\n", review->hides);
    put_needs(path, review, out);
}

static void put_bound(const char *path, const sb_review *review, sb_out *out) {
    if (!review->n_bounds) return;
    sb_put_visible(out, path);
    sb_putf(out, ": `bound` held in %u states\n", review->n_bounds);
}

static void put_finding(const char *path, const sb_review_finding *finding, sb_out *out) {
    sb_put_visible(out, path);
    if (finding->line) sb_putf(out, ":%u:%u", finding->line, finding->column);
    sb_putf(out, ": %s%s\n", finding->is_wrong ? "" : "advice: ", finding->text);
}

bool cli_review_world(const char *path, const sb_out *text, bool quiet, sb_out *out, bool *wrong, sb_error *error) {
    sb_review *review = sb_review_make(text->data, text->size, error);
    if (!review) return false;
    for (size_t i = 0; i < review->n_difficulties && !quiet; i++)
        put_facts(path, review->words[i], &review->facts[i], out);
    if (!quiet) put_visibility(path, review, out), put_bound(path, review, out);
    for (size_t i = 0; i < review->n_findings; i++) put_finding(path, &review->findings[i], out);
    *wrong |= review->is_wrong;
    free(review);
    return true;
}

/* ---- Difficulties ------------------------------------------------------------------------------------------------ */

static bool refuse_difficulty(const char *path, const sb_autumn_world *world, const char *word, sb_error *error) {
    char text[400];
    sb_out known = sb_out_fixed(text, sizeof text);
    for (size_t i = 0; world && i < world->n_difficulties; i++)
        sb_putf(&known, "%s%s", i ? ", " : "", world->difficulties[i].word);
    sb_out_finish(&known);
    if (!*text) return sb_fail(error, SB_UNKNOWN, "%s has no difficulties", sb_path_end(path));
    return sb_fail(error, SB_UNKNOWN, "%s: unknown difficulty `%s`; known difficulties: %s", sb_path_end(path), word,
                   text);
}

bool cli_find_difficulty(const char *path, const sb_out *text, const char *word, size_t *number, sb_error *error) {
    sb_autumn_fault fault;
    *number = 0;
    if (!word) return true;
    sb_autumn_program *program = sb_autumn_load(text->data, text->size, NULL, &fault);
    if (!program) return sb_autumn_fail(&fault, path, error);
    const sb_autumn_world *world = sb_autumn_world_of(program);
    const size_t n = world ? world->n_difficulties : 0;
    while (*number < n && strcmp(world->difficulties[*number].word, word) != 0) ++*number;
    const bool ok = *number < n || refuse_difficulty(path, world, word, error);
    sb_autumn_unload(program);
    return ok;
}

/* ---- Plain programs ---------------------------------------------------------------------------------------------- */

int cli_plain_world(const char *path, const char *difficulty) {
    sb_error error;
    size_t number;
    sb_out text = sb_out_growing(), out = sb_out_growing();
    bool ok = sb_file_load_plain(path, SB_PROGRAM_BYTES, &text, &error) &&
              cli_find_difficulty(path, &text, difficulty, &number, &error);
    if (ok && !sb_world_plain(text.data, text.size, number, &out, &error))
        ok = sb_fail_at(&error, "%s", sb_path_end(path));
    sb_out_free(&text);
    if (ok) return cli_emit(&out, CLI_DATA);
    sb_out_free(&out);
    return cli_fail(&error);
}
