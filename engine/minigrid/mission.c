#include "engine/minigrid/mission.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
    const char *text, *at; /* start of the part that is not read yet */
    sb_error *error;
} reader;

static bool expect(const reader *r, const char *what) {
    return sb_fail(r->error, SB_INVALID, "mission, character %d: expected %s, found `%.30s`", (int)(r->at - r->text),
                   what, r->at);
}

static bool take(reader *r, const char *words) {
    const size_t n = strlen(words);
    if (strncmp(r->at, words, n) != 0) return false;
    r->at += n;
    return true;
}

/* Returns the index of the next word, or n if it is none of them. */
static int take_one_of(reader *r, const char *const words[], int n) {
    for (int i = 0; i < n; i++)
        if (words[i] && *words[i] && take(r, words[i])) return i;
    return n;
}

static bool read_description(reader *r, bool doors, bool things, sb_mg_description *d) {
    static const char *const nouns[] = {[SB_MG_UNSEEN] = "object",
                                        [SB_MG_DOOR] = "door",
                                        [SB_MG_KEY] = "key",
                                        [SB_MG_BALL] = "ball",
                                        [SB_MG_BOX] = "box"};
    *d = (sb_mg_description){.several = take(r, "a ")};
    if (!d->several && !take(r, "the ")) return expect(r, "`a` or `the`");
    d->colour = (uint8_t)take_one_of(r, sb_mg_colour_names, SB_MG_N_COLOURS);
    if (d->colour != SB_MG_ANY_COLOUR && !take(r, " ")) return expect(r, "a noun after the colour");
    const reader before_noun = *r;
    const int type = take_one_of(r, nouns, SB_MG_BOX + 1);
    if (type > SB_MG_BOX) return expect(r, d->colour == SB_MG_ANY_COLOUR ? "a colour or a noun" : "a noun");
    if (type == SB_MG_DOOR && !doors) return expect(&before_noun, "something that can be carried");
    if (type != SB_MG_DOOR && !things) return expect(&before_noun, "`door`");
    d->type = (uint8_t)type;
    d->location = (uint8_t)(take_one_of(r, places, SB_MG_N_LOCATIONS) % SB_MG_N_LOCATIONS);
    return true;
}

static bool read_single(reader *r, sb_mg_single *s) {
    *s = (sb_mg_single){.verb = (uint8_t)take_one_of(r, verbs, SB_MG_PUT_NEXT + 1)};
    if (s->verb > SB_MG_PUT_NEXT) return expect(r, "`go to`, `pick up`, `open` or `put`");
    const bool doors = s->verb == SB_MG_GO_TO || s->verb == SB_MG_OPEN;
    if (!read_description(r, doors, s->verb != SB_MG_OPEN, &s->what)) return false;
    if (s->verb != SB_MG_PUT_NEXT) return true;
    return take(r, beside) ? read_description(r, true, true, &s->to) : expect(r, "`next to`");
}

static bool read_part(reader *r, sb_mg_part *part) {
    *part = (sb_mg_part){.n_singles = 1};
    if (!read_single(r, &part->single[0])) return false;
    if (!take(r, both)) return true;
    part->n_singles = 2;
    return read_single(r, &part->single[1]);
}

static bool read_end(reader *r) {
    r->at += strspn(r->at, " \n");
    return !*r->at || expect(r, "the end");
}

bool sb_mg_parse_mission(const char *text, sb_mg_mission *m, sb_error *error) {
    reader r = {text, text + strspn(text, " \n"), error};
    memset(m, 0, sizeof *m);
    if (!read_part(&r, &m->part[0])) return false;
    if (take(&r, then))
        m->order = SB_MG_BEFORE;
    else if (take(&r, after))
        m->order = SB_MG_AFTER;
    return (m->order == SB_MG_ALONE || read_part(&r, &m->part[1])) && read_end(&r);
}
