#include "engine/minigrid/mission.h"

static int single_navigations(const sb_mg_single *s) { return s->verb == SB_MG_PUT_NEXT ? 2 : 1; }

int sb_mg_navigations(const sb_mg_mission *m) {
    int n = 0;
    for (int p = 0; p < sb_mg_n_parts(m); p++)
        for (int i = 0; i < m->part[p].n_singles; i++) n += single_navigations(&m->part[p].single[i]);
    return n;
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static const char *const places[SB_MG_N_LOCATIONS] = {"", " on your left", " on your right", " in front of you",
                                                      " behind you"};
static const char *const verbs[] = {"go to ", "pick up ", "open ", "put "};
static const char beside[] = " next to ", both[] = " and ", then[] = ", then ", after[] = " after you ";

static const char *noun_of(int type) { return type == SB_MG_UNSEEN ? "object" : sb_mg_type_names[type]; }

static void put_description(sb_out *out, const sb_mg_description *d) {
    sb_puts(out, d->several ? "a " : "the ");
    if (d->colour != SB_MG_ANY_COLOUR) sb_puts(out, sb_mg_colour_names[d->colour]), sb_putc(out, ' ');
    sb_puts(out, noun_of(d->type));
    sb_puts(out, places[d->location]);
}

static void put_single(sb_out *out, const sb_mg_single *s) {
    sb_puts(out, verbs[s->verb]);
    put_description(out, &s->what);
    if (s->verb != SB_MG_PUT_NEXT) return;
    sb_puts(out, beside);
    put_description(out, &s->to);
}

static void put_part(sb_out *out, const sb_mg_part *part) {
    put_single(out, &part->single[0]);
    if (part->n_singles == 1) return;
    sb_puts(out, both);
    put_single(out, &part->single[1]);
}

void sb_mg_put_mission(sb_out *out, const sb_mg_mission *m) {
    put_part(out, &m->part[0]);
    if (m->order == SB_MG_ALONE) return;
    sb_puts(out, m->order == SB_MG_BEFORE ? then : after);
    put_part(out, &m->part[1]);
}
