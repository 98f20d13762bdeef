#include "datasets/census.h"

#include "base/error.h"
#include "engine/lookup.h"

sb_left sb_left_of(const sb_schedule *schedule, sb_range episodes) {
    const sb_selection *selection = &schedule->selection;
    sb_left left = {.selected = episodes.end - episodes.first};
    sb_seen_pairs has_some = {0}, seen = {0};
    for (size_t i = episodes.first; i < episodes.end; i++) {
        const bool is_left = !sb_schedule_leaves_out(schedule, i);
        if (is_left) sb_is_new_pair(&has_some, &selection->episodes[i]);
        left.left += is_left;
        const bool evaluates = schedule->fates[i] & (SB_IS_EVALUATION | SB_IS_ACROSS);
        left.guarded += !is_left && evaluates;
        left.kept += is_left && evaluates;
    }
    for (size_t i = episodes.first; i < episodes.end; i++) {
        const sb_chosen *episode = &selection->episodes[i];
        if (sb_was_seen(&has_some, episode) || !sb_is_new_pair(&seen, episode)) continue;
        if (left.n_exhausted < SB_LEFT_NAMED) sb_selection_name(selection, i, &left.exhausted[left.n_exhausted]);
        left.n_exhausted++;
    }
    return left;
}

void sb_left_put_exhausted(const sb_left *left, sb_out *out) {
    const size_t named = left->n_exhausted < SB_LEFT_NAMED ? left->n_exhausted : SB_LEFT_NAMED;
    for (size_t i = 0; i < named; i++) {
        const sb_name *name = &left->exhausted[i];
        sb_putf(out, "%s%s", i ? ", " : "", sb_pair_text_of(name->task, name->difficulty).text);
    }
    if (named < left->n_exhausted) sb_putf(out, " and %zu more", left->n_exhausted - named);
}

void sb_left_put(const sb_left *left, sb_out *out) {
    sb_putf(out, "%llu of %llu episodes are left; %llu are to evaluate with, or are the same game as one of those",
            (unsigned long long)left->left, (unsigned long long)left->selected, (unsigned long long)left->guarded);
    if (left->n_exhausted) sb_puts(out, "; nothing is left of "), sb_left_put_exhausted(left, out);
}

void sb_left_put_kept(const sb_left *left, sb_out *out) {
    if (left->kept)
        sb_putf(out,
                "%llu of %llu episodes are to evaluate with, or are the same game as one of those under another name",
                (unsigned long long)left->kept, (unsigned long long)left->selected);
}

void sb_left_of_request(const sb_request *request, size_t jobs, sb_left *left) {
    sb_recipe recipe = sb_recipe_default();
    sb_schedule schedule;
    sb_error ignored; /* episodes that cannot be made are reported where they are played */
    recipe.selection = *request, recipe.keep_evaluation = true;
    *left = (sb_left){0};
    if (sb_schedule_make(&recipe, NULL, 0, &schedule, &ignored) && sb_census_take(&schedule, jobs, &ignored))
        *left = sb_left_of(&schedule, (sb_range){0, schedule.selection.n});
    sb_schedule_free(&schedule);
}

bool sb_left_check(const sb_left *left, sb_error *error) {
    char text[200];
    if (left->left) return true;
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_left_put_exhausted(left, &out);
    sb_out_finish(&out);
    if (left->guarded < left->selected)
        return sb_fail(error, SB_INVALID,
                       "nothing is left of %s: %llu of %llu episodes are games of evaluation episodes, and the others "
                       "are the same game as one that is there; choose other seeds, or a larger count",
                       text, (unsigned long long)left->guarded, (unsigned long long)left->selected);
    return sb_fail(error, SB_INVALID,
                   "nothing is left of %s: all are games of evaluation episodes; choose other tasks or difficulties "
                   "(`seedbed seeds games` says what is left), or keep them with `--evaluation keep`",
                   text);
}
