#include "engine/gridworld/observe/observe.h"

#include <stdio.h>

#include "engine/gridworld/config.h"

/* ---- Reading the rows ---- */

typedef sb_told_row row;

/* Returns the first row with this code from the row `from` on (NULL: among all rows); NULL if there is none. */
static const row *next(const sb_told *told, const row *from, sb_told_what what) {
    for (const row *r = from ? from : told->rows; r < told->rows + told->n; r++)
        if (r->what == (int32_t)what) return r;
    return NULL;
}

static const row *first(const sb_told *told, sb_told_what what) { return next(told, NULL, what); }

static bool is_clue(const row *r) { return r->what >= SB_TOLD_CLUE_NORTH && r->what <= SB_TOLD_CLUE_WEST; }

static int direction_of(const row *clue) { return clue->what - SB_TOLD_CLUE_NORTH; }

static char letter_of(const row *clue) {
    static const char letters[] = "NESW";
    return letters[direction_of(clue)];
}

/* Returns the value of a meter; what is more than its hundredths is in the row after the meter's. */
static double meter_of(const row *r) { return r[0].value / 100.0 + r[1].value * 0x1p-59; }

static double need_of(const sb_told *told) { return first(told, SB_TOLD_METER_NEED)->value / 100.0; }

/* Puts `Trial: 1/5`, with `before` and `between` as the words. */
static void put_count(sb_out *out, const char *before, const row *r, const char *between) {
    sb_puts(out, before);
    sb_put_int(out, r->which);
    sb_puts(out, between);
    sb_put_int(out, r->value);
}

static void put_capital(sb_out *out, char c) { sb_putc(out, (char)(c - 'a' + 'A')); }

static void put_capitals(sb_out *out, const char *word) {
    for (; *word; word++) put_capital(out, *word);
}

/* ---- Lines above the grid ---- */

static void put_target_line(sb_out *out, const sb_told *told) {
    const row *trial = first(told, SB_TOLD_TRIAL), *target = first(told, SB_TOLD_TARGET);
    if (!target) return;
    if (trial) put_count(out, "Trial: ", trial, "/");
    sb_puts(out, trial ? "  Target: [" : "Target: [");
    put_capitals(out, sb_object_names[target->value]);
    sb_puts(out, "]\n");
}

static void put_bar(sb_out *out, int n) {
    enum { LENGTH = 10 };
    static const char full[] = "==========", empty[] = "          ";
    if (n > LENGTH) n = LENGTH;
    sb_puts(out, ":[");
    sb_put(out, full, (size_t)n);
    sb_put(out, empty, (size_t)(LENGTH - n));
    sb_puts(out, "] ");
}

static void put_meter_line(sb_out *out, const sb_told *told) {
    const row *begin = first(told, SB_TOLD_METER);
    if (!begin) return;
    for (const row *r = begin; r; r = next(told, r + 1, SB_TOLD_METER)) {
        const double meter = meter_of(r);
        if (r > begin) sb_puts(out, "  ");
        put_capitals(out, sb_object_names[r->which]);
        put_bar(out, (int)(meter * 10));
        sb_put_fixed(out, meter, 2);
    }
    sb_putc(out, '\n');
}

static void put_phase_line(sb_out *out, const sb_told *told) {
    static const char *const labels[SB_N_PHASE_KINDS] = {[SB_PHASE_UNKNOWN] = "Unknown",
                                                         [SB_PHASE_GOAL_REACH] = "Navigate",
                                                         [SB_PHASE_KEY_DOOR] = "Key+Door",
                                                         [SB_PHASE_LEVER_BARRIER] = "Lever",
                                                         [SB_PHASE_COLLECTION] = "Collect"};
    const row *phase = first(told, SB_TOLD_PHASE);
    if (!phase) return;
    put_count(out, "Phase: ", phase, "/");
    sb_puts(out, "  Task: ");
    sb_puts(out, labels[first(told, SB_TOLD_PHASE_KIND)->value]);
    sb_puts(out, first(told, SB_TOLD_REMAPPED)->value ? "  [REMAPPED]\n" : "\n");
}

static void put_clue_lines(sb_out *out, const sb_told *told) {
    enum { A_LINE = 5 };
    int n = 0;
    for (int i = 0; i < told->n; i++) {
        const row *r = &told->rows[i];
        if (!is_clue(r)) continue;
        sb_puts(out, n == 0 ? "Clue: " : n % A_LINE == 0 ? "\nClue: " : "  ");
        sb_putc(out, letter_of(r));
        sb_put_int(out, r->value);
        n++;
    }
    if (n > 0) sb_putc(out, '\n');
}

static void put_switch_line(sb_out *out, const sb_told *told) {
    const row *begin = first(told, SB_TOLD_SWITCH_MEANS);
    if (!begin) return;
    sb_puts(out, "LightsOut: ");
    for (const row *r = begin; r; r = next(told, r + 1, SB_TOLD_SWITCH_MEANS)) {
        if (r > begin) sb_puts(out, ", ");
        sb_put_int(out, r->which);
        if (r->value)
            sb_puts(out, "=lit");
        else
            sb_puts(out, "=unlit");
    }
    sb_putc(out, '\n');
}

void sb_put_told_lines(sb_out *out, const sb_told *told) {
    put_target_line(out, told);
    put_meter_line(out, told);
    put_phase_line(out, told);
    put_clue_lines(out, told);
    put_switch_line(out, told);
}

/* ---- Members of the annotations ---- */

static void put_target_member(sb_out *out, const sb_told *told) {
    const row *trial = first(told, SB_TOLD_TRIAL), *target = first(told, SB_TOLD_TARGET);
    if (!target) return;
    const char *name = sb_object_names[target->value];
    if (!trial) {
        sb_member_text(out, "target_object", name);
        return;
    }
    sb_put_key(out, "trial_info");
    put_count(out, "\"Trial ", trial, "/");
    sb_puts(out, ", target: ");
    sb_puts(out, name);
    sb_putc(out, '"');
}

static void put_meter_members(sb_out *out, const sb_told *told) {
    const row *begin = first(told, SB_TOLD_METER);
    if (!begin) return;
    for (const row *r = begin; r; r = next(told, r + 1, SB_TOLD_METER)) {
        char key[32];
        snprintf(key, sizeof key, "%s_meter", sb_object_names[r->which]);
        sb_member_double(out, key, meter_of(r));
    }
    sb_member_double(out, "meter_threshold", need_of(told));
}

static void put_phase_member(sb_out *out, const sb_told *told) {
    const row *phase = first(told, SB_TOLD_PHASE);
    if (!phase) return;
    sb_put_key(out, "phase_info");
    put_count(out, "\"Phase ", phase, "/");
    sb_puts(out, ": ");
    sb_puts(out, sb_phase_names[first(told, SB_TOLD_PHASE_KIND)->value]);
    sb_puts(out, first(told, SB_TOLD_REMAPPED)->value ? " [remapped]\"" : "\"");
}

static void put_clue(sb_out *out, const sb_episode *e, const row *clue) {
    const int d = direction_of(clue);
    sb_put_comma(out);
    sb_putc(out, '{');
    sb_put_key(out, "position");
    sb_put_xy(out, sb_xy_of(e, clue->which));
    sb_member_text(out, "direction", sb_direction_names[d]);
    sb_member_text(out, "direction_short", (char[]){letter_of(clue), '\0'});
    sb_member_int(out, "distance", clue->value);
    sb_putc(out, '}');
}

static void put_clues_member(sb_out *out, const sb_episode *e, const sb_told *told) {
    bool any = false;
    for (int i = 0; i < told->n; i++) {
        if (!is_clue(&told->rows[i])) continue;
        if (!any) sb_put_key(out, "clues"), sb_putc(out, '[');
        any = true;
        put_clue(out, e, &told->rows[i]);
    }
    if (any) sb_putc(out, ']');
}

void sb_put_told_members(sb_out *out, const sb_episode *e, const sb_told *told) {
    put_target_member(out, told);
    put_meter_members(out, told);
    put_phase_member(out, told);
    put_clues_member(out, e, told);
    if (first(told, SB_TOLD_SWITCH_MEANS)) sb_member_bool(out, "lights_out", true);
}

/* ---- Sentences ---- */

static void put_target_sentence(sb_out *out, const sb_told *told) {
    const row *trial = first(told, SB_TOLD_TRIAL), *target = first(told, SB_TOLD_TARGET);
    if (!target) return;
    if (trial) put_count(out, " This is trial ", trial, " of ");
    sb_puts(out, trial ? ". The target is the " : " Your target is the ");
    sb_puts(out, sb_object_names[target->value]);
    sb_putc(out, '.');
}

static void put_meter_sentences(sb_out *out, const sb_told *told) {
    for (const row *r = first(told, SB_TOLD_METER); r; r = next(told, r + 1, SB_TOLD_METER)) {
        const char *name = sb_object_names[r->which];
        sb_putc(out, ' ');
        put_capital(out, *name);
        sb_puts(out, name + 1);
        sb_puts(out, " meter: ");
        sb_put_fixed(out, meter_of(r), 2);
        sb_putc(out, '/');
        sb_put_fixed(out, need_of(told), 1);
        sb_putc(out, '.');
    }
}

static void put_phase_sentence(sb_out *out, const sb_told *told) {
    static const char *const orders[SB_N_PHASE_KINDS] = {
        [SB_PHASE_UNKNOWN] = "unknown",
        [SB_PHASE_GOAL_REACH] = "walk to the goal",
        [SB_PHASE_KEY_DOOR] = "fetch the key, unlock the door and walk to the goal",
        [SB_PHASE_LEVER_BARRIER] = "pull the lever and walk to the goal",
        [SB_PHASE_COLLECTION] = "collect all gems, then walk to the goal"};
    const row *phase = first(told, SB_TOLD_PHASE);
    if (!phase) return;
    put_count(out, " Phase ", phase, " of ");
    sb_puts(out, ": ");
    sb_puts(out, orders[first(told, SB_TOLD_PHASE_KIND)->value]);
    sb_putc(out, '.');
}

static void put_clue_sentences(sb_out *out, const sb_told *told) {
    for (int i = 0; i < told->n; i++) {
        const row *r = &told->rows[i];
        if (!is_clue(r)) continue;
        sb_puts(out, " A scroll said: ");
        sb_put_int(out, r->value);
        sb_puts(out, r->value == 1 ? " step " : " steps ");
        sb_puts(out, sb_direction_names[direction_of(r)]);
        sb_putc(out, '.');
    }
}

void sb_put_told_sentences(sb_out *out, const sb_told *told) {
    put_target_sentence(out, told);
    put_meter_sentences(out, told);
    put_phase_sentence(out, told);
    put_clue_sentences(out, told);
}
