/* Says what a review has found: what is so, and what to do. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/numerals.h"
#include "base/visible.h"
#include "generators/autumn/worlds/review_kit.h"

enum {
    ALWAYS_WON = 5,  /* plays at least that must all be won before it is said that random actions always win */
    FEW_STARTS = 20, /* starts are few where only one of so many is accepted */
    EXPLAINED = 5,   /* refused starts that are searched once more, to say why */
    SHARES = 10      /* each search for an explanation may take one of so many shares of the evaluations */
};

static const sb_autumn_place nowhere = {0};

void sb_review_find(sb_review_work *w, bool is_wrong, sb_autumn_place place, const char *format, ...) {
    sb_review *review = w->review;
    char text[SB_REVIEW_TEXT];
    va_list arguments;
    if (review->n_findings == SB_REVIEW_FINDINGS) return;
    sb_review_finding *finding = &review->findings[review->n_findings++];
    va_start(arguments, format);
    sb_format(text, sizeof text, format, arguments);
    va_end(arguments);
    *finding = (sb_review_finding){.is_wrong = is_wrong, .line = place.line, .column = place.column};
    sb_copy_plain(finding->text, sizeof finding->text, text);
    review->is_wrong |= is_wrong;
}

/* ---- Places of clauses ------------------------------------------------------------------------------------------- */

static bool is_clause(const sb_au_forms *f, uint32_t form, const char *word) {
    const sb_au_form *list = &f->all[form];
    return list->token == SB_AU_FORM_LIST && list->first && sb_au_is(f, &f->all[list->first], word);
}

sb_autumn_place sb_review_place(const sb_review_work *w, const char *clause, const char *name) {
    const sb_au_form *all = w->forms.all;
    const uint32_t task = all[all[1].first].next;
    for (uint32_t form = all[task].first; form; form = all[form].next) {
        if (!is_clause(&w->forms, form, clause)) continue;
        if (!name) return (sb_autumn_place){all[form].line, all[form].column};
        for (uint32_t i = all[all[form].first].next; i; i = all[i].next)
            if (sb_au_is(&w->forms, &all[i], name)) return (sb_autumn_place){all[i].line, all[i].column};
    }
    return nowhere;
}

static sb_autumn_place place_of_clause(const sb_review_work *w, const char *clause) {
    return sb_review_place(w, clause, NULL);
}

static sb_autumn_place place_of_difficulty(const sb_review_work *w) {
    return *w->difficulty->word ? sb_review_place(w, "difficulty", w->difficulty->word) : nowhere;
}

/* ---- No start is accepted ---------------------------------------------------------------------------------------- */

/* The beginning of a finding: `easy: `, or nothing. */
static const char *prefix(const sb_review_work *w, char text[SB_AUTUMN_WORD_MAX + 3]) {
    snprintf(text, SB_AUTUMN_WORD_MAX + 3, "%s%s", w->difficulty->word, *w->difficulty->word ? ": " : "");
    return text;
}

#define PREFIX prefix(w, (char[SB_AUTUMN_WORD_MAX + 3]){0})

typedef struct lengths {
    int n, solved, impossible; /* starts that were searched, that have a play, and that have none */
    int32_t least, most;
} lengths;

/* Searches some drawn starts again, for plays of any length. */
static bool search_again(sb_review_work *w, sb_autumn_key without, lengths *found) {
    const sb_world_question question = {
        .limit = w->difficulty->search, .evaluations = w->limit / SHARES + 1, .without = without};
    *found = (lengths){0};
    for (uint64_t seed = 0; seed < w->facts->drawn && found->n < EXPLAINED; seed++) {
        sb_world_answer answer;
        if (!sb_world_draw(&w->world, seed, 0, w->walker)) continue;
        const sb_autumn_standing *standing = sb_autumn_standing_of(w->walker);
        if (!standing->starts || standing->won || standing->lost) continue;
        if (!sb_world_solve(w->solver, w->walker, &question, &answer))
            return sb_fail(w->error, SB_MEMORY, "out of memory for a review");
        found->n++;
        found->impossible += answer.verdict == SB_IMPOSSIBLE;
        if (answer.verdict != SB_SOLVED) continue;
        if (!found->solved++ || answer.steps < found->least) found->least = answer.steps;
        if (answer.steps > found->most) found->most = answer.steps;
    }
    return true;
}

/* Returns the clause that says when the world is won: `win` or `score`. */
static const char *winning(const sb_review_work *w) { return place_of_clause(w, "win").line ? "win" : "score"; }

static void tell_hopeless(sb_review_work *w, uint32_t n) {
    const char *clause = winning(w);
    sb_review_find(w, true, place_of_clause(w, clause),
                   "%sno play can win, as `%s` says it: from %u starts every state that can be reached was searched; "
                   "let it ask for what a play can reach",
                   PREFIX, clause, n);
}

static bool tell_lengths(sb_review_work *w) {
    const sb_autumn_difficulty *d = w->difficulty;
    lengths found;
    if (!sb_review_play_refused(w) || !search_again(w, SB_AUTUMN_NOOP, &found)) return false;
    if (w->fault_at.is_there) return true; /* a fault may be the reason */
    if (found.n && found.impossible == found.n)
        tell_hopeless(w, (uint32_t)found.n);
    else if (found.solved)
        sb_review_find(w, true, place_of_difficulty(w),
                       "%sno start of %u is accepted: `solution` demands %d to %d steps, but shortest plays have %d to "
                       "%d (of %d starts); change `solution` or what is drawn",
                       PREFIX, w->facts->drawn, d->least, d->most, found.least, found.most, found.solved);
    else
        sb_review_find(w, true, place_of_difficulty(w),
                       "%sno start of %u is accepted: no play of at most %d steps was found from any; demand less of "
                       "`solution`, or make the world smaller",
                       PREFIX, w->facts->drawn, d->most);
    return true;
}

static bool tell_need(sb_review_work *w) {
    for (sb_autumn_key key = SB_AUTUMN_LEFT; key <= SB_AUTUMN_CLICK; key++) {
        lengths found;
        if (!w->told->needs[key]) continue;
        if (!search_again(w, key, &found)) return false;
        if (!found.solved) continue;
        sb_review_find(w, true, sb_review_place(w, "needs", sb_autumn_key_names[key]),
                       "%s`needs` is never so: %d of %d starts can be won without `%s`; take it out of `needs`, or "
                       "draw starts that demand it",
                       PREFIX, found.solved, found.n, sb_autumn_key_names[key]);
        return true;
    }
    sb_review_find(w, true, place_of_clause(w, "needs"), "%s`needs` does not hold in any of %u starts", PREFIX,
                   w->facts->drawn);
    return true;
}

static void tell_fault(sb_review_work *w) {
    sb_review_find(w, true, (sb_autumn_place){w->fault.line, w->fault.column},
                   "%sno start of %u is accepted: the program fails when it is drawn: %s: %s", PREFIX, w->facts->drawn,
                   sb_autumn_kind_names[w->fault.kind], w->fault.text);
}

static void tell_over(sb_review_work *w) {
    const bool won = w->facts->won_at_once > w->facts->lost_at_once;
    const char *clause = won ? winning(w) : "lose";
    sb_review_find(w, true, place_of_clause(w, clause),
                   "%sno start of %u is accepted: %u are %s at once, because `%s` holds before the first step", PREFIX,
                   w->facts->drawn, won ? w->facts->won_at_once : w->facts->lost_at_once, won ? "won" : "lost", clause);
}

/* Tells the most frequent reason. */
static bool tell_refusals(sb_review_work *w) {
    int most = 0;
    for (int i = 1; i < SB_WORLD_N_REFUSALS; i++)
        if (w->facts->refused[i] > w->facts->refused[most]) most = i;
    switch (most) {
    case SB_WORLD_FAULT: return tell_fault(w), true;
    case SB_WORLD_OVER: return tell_over(w), true;
    case SB_WORLD_SOLUTION: return tell_lengths(w);
    case SB_WORLD_NEEDLESS: return tell_need(w);
    case SB_WORLD_CONDITION:
        sb_review_find(w, true, place_of_clause(w, "start"),
                       "%sno start of %u is accepted: `start` was false in %u; ask for less, or draw what it asks for",
                       PREFIX, w->facts->drawn, w->facts->refused[most]);
        return true;
    default:
        sb_review_find(w, true, place_of_difficulty(w),
                       "%sno start of %u is accepted: searches ended at %llu states; raise `search`, add a `bound`, or "
                       "make the world smaller",
                       PREFIX, w->facts->drawn, (unsigned long long)w->difficulty->search);
        return true;
    }
}

/* ---- One difficulty ---------------------------------------------------------------------------------------------- */

/* Whether starts are won by doing nothing. */
static bool wins_by_itself(sb_review_work *w) {
    size_t n = 0;
    for (; n < w->n_starts && n < EXPLAINED; n++) {
        if (!sb_autumn_copy(w->walker, w->starts[n].state)) return false;
        for (int32_t i = 0; i < w->difficulty->steps && !sb_autumn_standing_of(w->walker)->won; i++)
            if (sb_autumn_standing_of(w->walker)->lost || !sb_autumn_step(w->walker, (sb_autumn_event){0}, NULL))
                return false;
        if (!sb_autumn_standing_of(w->walker)->won) return false;
    }
    return n > 0;
}

static void tell_plays(sb_review_work *w) {
    const sb_review_facts *f = w->facts;
    if (f->plays < ALWAYS_WON || f->won != f->plays) return;
    if (wins_by_itself(w))
        sb_review_find(w, true, place_of_difficulty(w), "%sit is always won, also by `noop` alone: nothing is to do",
                       PREFIX);
    else
        sb_review_find(w, true, place_of_difficulty(w),
                       "%srandom actions always win (%u of %u plays, within %d steps): nothing is to learn; demand a "
                       "longer `solution`, allow fewer `steps`, or add `lose`",
                       PREFIX, f->won, f->plays, w->difficulty->steps);
}

static void tell_solvable(sb_review_work *w) {
    const sb_review_facts *f = w->facts;
    if (f->solved || f->won || !f->accepted) return;
    if (f->searched && f->impossible == f->searched)
        tell_hopeless(w, f->impossible);
    else
        sb_review_find(w, false, place_of_clause(w, winning(w)),
                       "%sit was never won from %u starts, in random plays or in searches as long as the review makes; "
                       "an easier difficulty would show that it can be",
                       PREFIX, f->accepted);
}

static void tell_demands(sb_review_work *w) {
    const sb_autumn_difficulty *d = w->difficulty;
    if (d->has_solution && d->least > d->steps)
        sb_review_find(w, true, place_of_difficulty(w),
                       "%sno episode can be won: `solution` demands %d steps at least, but an episode ends after %d",
                       PREFIX, d->least, d->steps);
    else if (d->has_solution && d->most > d->steps)
        sb_review_find(w, false, place_of_difficulty(w),
                       "%s`solution` accepts starts that need %d steps, but an episode ends after %d; raise `steps`",
                       PREFIX, d->most, d->steps);
}

bool sb_review_tell_difficulty(sb_review_work *w) {
    const sb_review_facts *f = w->facts;
    tell_demands(w);
    if (f->drawn && !f->accepted && !f->undecided) return tell_refusals(w);
    if (f->accepted && f->drawn >= SB_REVIEW_STARTS && f->accepted * FEW_STARTS <= f->drawn)
        sb_review_find(w, false, place_of_difficulty(w),
                       "%sonly %u of %u starts are accepted, so each episode is searched for many times; draw starts "
                       "that are more often right",
                       PREFIX, f->accepted, f->drawn);
    tell_plays(w);
    tell_solvable(w);
    return true;
}

/* ---- All difficulties -------------------------------------------------------------------------------------------- */

static const char *after(const sb_review_witness *at, char text[SB_REVIEW_PATH + 100]) {
    snprintf(text, SB_REVIEW_PATH + 100, "%s%s%s", at->name, *at->path ? " after " : " at its start", at->path);
    return text;
}

#define AFTER(witness) after((witness), (char[SB_REVIEW_PATH + 100]){0})

static void tell_faults(sb_review_work *w) {
    if (w->fault_at.is_there)
        sb_review_find(w, true, (sb_autumn_place){w->fault.line, w->fault.column}, "%s: %s (%s)",
                       sb_autumn_kind_names[w->fault.kind], w->fault.text, AFTER(&w->fault_at));
}

static void tell_bound(sb_review_work *w) {
    const sb_autumn_place place = place_of_clause(w, "bound");
    if (!w->bound_refuted.is_there) w->review->n_bounds = w->n_bounds;
    if (w->bound_refuted.is_there)
        sb_review_find(w, true, place,
                       "`bound` is refuted: it says that at least %d steps are left where %d suffice (%s); it must "
                       "never be too high",
                       w->claimed, w->remaining, AFTER(&w->bound_refuted));
    else if (w->n_bounds && w->highest_bound <= 0)
        sb_review_find(w, false, place, "`bound` was never above 0 in %u states, so it helps no search; leave it out",
                       w->n_bounds);
}

static void tell_list(sb_review_work *w, const sb_review_list *list) {
    const sb_autumn_program *p = w->world.program;
    const char *name = sb_autumn_name(p, list->variable);
    const sb_autumn_place place = {list->line, list->column};
    if (list->line && !list->was_list)
        sb_review_find(w, false, place, "`unordered` names `%s`, which is no list; take it out", name);
    else if (list->line && !sb_autumn_may_ignore_order(p))
        sb_review_find(w, false, place,
                       "`unordered` has no effect: the program sets fields in place, or can tell equal things apart "
                       "(`removeObj`, or `prev` of an expression)");
    else if (list->line && list->matters)
        sb_review_find(w, true, place,
                       "the order of `%s` means something: with two items exchanged, %s is another state", name,
                       AFTER(&list->witness));
    else if (!list->line && list->was_tried && !list->matters && list->without)
        sb_review_find(w, false, sb_autumn_definition_place(p, list->variable),
                       "states differ only in the order of `%s`: with `(unordered %s)` a search looked at %llu states "
                       "instead of %llu",
                       name, name, (unsigned long long)list->with, (unsigned long long)list->without);
}

/* Tells of names in a clause that are no variables at all. */
static void tell_unknown(sb_review_work *w, const char *clause) {
    const sb_au_form *all = w->forms.all;
    for (uint32_t form = all[all[all[1].first].next].first; form; form = all[form].next) {
        if (!is_clause(&w->forms, form, clause)) continue;
        for (uint32_t i = all[all[form].first].next; i; i = all[i].next) {
            const char *text = w->text + all[i].text;
            const uint32_t variable = sb_autumn_find_variable(w->world.program, text, all[i].n);
            if (variable == w->n_variables || !sb_autumn_definition_place(w->world.program, variable).line)
                sb_review_find(w, false, (sb_autumn_place){all[i].line, all[i].column},
                               "`%s` names `%.*s`, which is no variable of the program", clause, (int)all[i].n, text);
        }
    }
}

static void tell_lists(sb_review_work *w) {
    for (size_t i = 0; i < w->n_lists; i++) {
        const bool is_defined = sb_autumn_definition_place(w->world.program, w->lists[i].variable).line;
        if (is_defined && w->n_plays) tell_list(w, &w->lists[i]);
    }
    tell_unknown(w, "unordered");
    tell_unknown(w, "hidden");
}

/* Where steps draw, shortest plays know the draws, so they say little of what a player needs. */
static void tell_actions(sb_review_work *w) {
    if (sb_autumn_draws_in_steps(w->world.program)) return;
    for (sb_autumn_key key = SB_AUTUMN_LEFT; key <= SB_AUTUMN_CLICK && w->n_plans; key++)
        if (sb_autumn_reads(w->world.program, key) && !w->needed[key])
            sb_review_find(w, false, nowhere,
                           "`%s` is never needed: each of %u starts has a shortest play without it; draw starts that "
                           "demand it (`needs`), or leave it out",
                           sb_autumn_key_names[key], w->n_plans);
}

static void tell_handlers(sb_review_work *w) {
    for (size_t i = 0; i < w->n_handlers && w->n_plays; i++)
        if (!w->fired[i])
            sb_review_find(w, false, sb_autumn_handler_place(w->world.program, i),
                           "this handler never fired, in %u random plays and %u shortest ones; is its condition ever "
                           "true?",
                           w->n_plays, w->n_plans);
}

static void tell_cells(sb_review_work *w) {
    const sb_autumn_program *p = w->world.program;
    for (uint32_t i = 0; i < w->n_variables; i++)
        if (w->left[i].is_there)
            sb_review_find(w, false, sb_autumn_definition_place(p, i),
                           "`%s` leaves the grid, where nobody sees it (%s); move it only where `isWithinBounds` holds",
                           sb_autumn_name(p, i), AFTER(&w->left[i]));
    sb_autumn_place place;
    for (size_t i = 0; (place = sb_autumn_vain_bounds(p, i)).line; i++)
        sb_review_find(w, false, place,
                       "`isWithinBounds` of a position is always true; compare its `x` and `y`, or ask for an object");
}

/* Where `hidden` names a whole variable, and not a field of it. */
static sb_autumn_place place_in_hidden(const sb_review_work *w, const char *name) {
    const sb_au_form *all = w->forms.all;
    for (uint32_t form = all[all[all[1].first].next].first; form; form = all[form].next)
        for (uint32_t i = is_clause(&w->forms, form, "hidden") ? all[all[form].first].next : 0; i; i = all[i].next)
            if (sb_au_is(&w->forms, &all[i], name) && w->text[all[i].text + all[i].n] != '.')
                return (sb_autumn_place){all[i].line, all[i].column};
    return nowhere;
}

/* Lists the modes in which states that look alike need different actions. */
static void tell_blind(sb_review_work *w) {
    sb_out modes = sb_out_fixed(w->review->blind, sizeof w->review->blind);
    for (int i = 0; i < SB_REVIEW_VIEWS; i++)
        if (w->views[i].is_proven) sb_putf(&modes, "%s%s", modes.size ? ", " : "", sb_review_view_words[i]);
    sb_out_finish(&modes);
}

static void tell_hidden(sb_review_work *w) {
    const sb_autumn_program *p = w->world.program;
    sb_out names = sb_out_fixed(w->review->hides, sizeof w->review->hides);
    for (size_t i = 0; i < w->n_tracked; i++)
        if (w->hides[i]) sb_putf(&names, "%s`%s`", names.size ? ", " : "", sb_autumn_name(p, w->tracked[i]));
    sb_out_finish(&names);
    w->review->n_looks = (uint32_t)w->n_looks;
    tell_blind(w);
    for (uint32_t i = 0; i < w->n_variables; i++) {
        const sb_autumn_place place = w->drawn[i] ? place_in_hidden(w, sb_autumn_name(p, i)) : nowhere;
        if (place.line)
            sb_review_find(w, false, place,
                           "`hidden` names `%s`, but it is drawn, so frames show it; keep what is hidden in a variable "
                           "or a field that draws nothing",
                           sb_autumn_name(p, i));
    }
}

/* Draws in steps make shortest plays hold for one future only. */
static void tell_chance(sb_review_work *w) {
    bool demands = false;
    for (size_t i = 0; i < w->told->n_difficulties; i++) demands |= w->told->difficulties[i].has_solution;
    if (demands && sb_autumn_draws_in_steps(w->world.program))
        sb_review_find(w, false, sb_autumn_draw_place(w->world.program),
                       "steps draw random numbers here, so `solution` holds only for the draws that an episode will "
                       "have; if no chance is meant, draw at the start");
}

static void tell_losses(sb_review_work *w) {
    if (place_of_clause(w, "lose").line && !w->was_lost && w->n_plays)
        sb_review_find(w, false, place_of_clause(w, "lose"), "`lose` never became true in %u random plays; can it?",
                       w->n_plays);
}

static void tell_name(sb_review_work *w) {
    const sb_au_form *all = w->forms.all;
    const uint32_t task = all[all[1].first].next, name = all[all[task].first].next;
    if (!sb_autumn_is_shipped(w->told->name)) return;
    sb_review_find(w, true, (sb_autumn_place){all[name].line, all[name].column},
                   "`%s` is the name of a program that comes with Seedbed, so no command takes this world; give it "
                   "another one",
                   w->told->name);
}

void sb_review_tell(sb_review_work *w) {
    tell_name(w);
    tell_faults(w);
    tell_bound(w);
    tell_lists(w);
    tell_actions(w);
    tell_handlers(w);
    tell_losses(w);
    tell_cells(w);
    tell_hidden(w);
    tell_chance(w);
}
