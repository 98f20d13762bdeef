#include "oracles/reasons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/env.h"

enum { LISTED = 4 /* stages that a sentence names */ };

static void put_place(sb_out *out, sb_xy at) {
    sb_putc(out, '('), sb_put_int(out, at.x), sb_putc(out, ','), sb_put_int(out, at.y), sb_putc(out, ')');
}

static void put_aim(sb_out *out, const sb_intent *intent, bool places) {
    sb_puts(out, intent->verb), sb_puts(out, strcmp(intent->verb, sb_gives_up) == 0 ? ": " : " the ");
    sb_puts(out, intent->object);
    if (!places || intent->at.x < 0) return;
    sb_puts(out, strcmp(intent->verb, sb_verb_move) == 0 ? " to " : " at ");
    put_place(out, intent->at);
}

void sb_put_intent(sb_out *out, const sb_intent *intent) {
    if (intent && intent->verb && *intent->verb) put_aim(out, intent, true);
}

/* ---- Sentences ----
 *
 * In them a letter after `$` stands for something of the claim: `$a` its action, `$s` its steps, `$d` how many more or
 * fewer they are than those of the move, `$c` its steps and those of the stages before, `$g` its aim, `$v` the thing
 * that is meant, `$p` at which place, `$t` where the move leads,
 * `$o` what there is, `$i` what comes of it, `$n` which stage, `$k` how many there are more, `$w` how many of the
 * imagined futures are won, `$m` in how many steps. Without places, `$p` is nothing. */

typedef const char *const ways[SB_REASON_WAYS];

static ways only_stage = {"The plan is to ", "It is time to ", "What remains is to ", "The aim is to "};
static ways stages = {"Left to do: ", "The plan: ", "What remains: ", "In this order: "};
static ways more_stages = {", and $k more", ", and so on, $k more", ", with $k more to follow", ", then $k more"};
static ways stages_follow = {"$k more follow", "There are $k more", "$k are left after that", "Then come $k more"};

static ways simple[SB_N_CLAIMS] = {
    [SB_CLAIM_AT] = {"There is $o$p", "I see $o$p", "$o is$p", "The grid shows $o$p"},
    [SB_CLAIM_WALK] = {"It is $s to the $v", "The $v is $s away", "The walk to the $v takes $s",
                       "From here it is $s to the $v"},
    [SB_CLAIM_BLOCKED] = {"No open way leads to the $v$p yet", "The way to the $v$p is closed so far",
                          "One cannot walk to the $v$p yet", "The $v$p is out of reach so far"},
    [SB_CLAIM_OPENS] = {"The $n of these opens the way to the $v", "After the $n of these one can walk to the $v",
                        "The way to the $v is free after the $n of these",
                        "The $n of these has to come before, for it frees the way to the $v"},
    [SB_CLAIM_MOVES] = {"$a leads $t", "$a takes me $t", "With $a I get $t", "$a brings me $t"},
    [SB_CLAIM_STAYS] = {"$a leaves me where I am", "With $a I stay where I am", "$a does not move me",
                        "After $a I stand where I stood"},
};

static ways goes = {"$o$p is gone then", "It takes away $o$p", "$o$p will be gone", "$o is no longer$p then"};
static ways comes = {"$i is$p then", "It brings $i to be$p", "$i will be$p", "$i comes to be$p"};
static ways becomes = {"$o$p becomes $i", "It turns $o$p into $i", "$o$p will be $i", "It makes $o$p $i"};

/* Sentences of a search: each stage, and what it brings about. */
static ways traced = {"Stage $n: $g, done after $c", "In stage $n I $g, which is done after $c",
                      "$c is where stage $n ends: $g", "After $c stage $n is done: $g"};
static ways turns = {"$o$p changes", "That turns $o$p", "$o$p is in another state", "It changes $o$p"};
static ways now = {"Now each move: ", "The moves one by one: ", "What each move leads to: ", "Move by move: "};
static ways so = {"So $a", "Hence $a", "That leaves $a", "Therefore $a"};

/* What the move costs. */
static ways whole[SB_N_COST_KINDS] = {
    [SB_COST_EXACT] = {"All of it takes $s, and nothing takes fewer", "That is $s in all, which is proven shortest",
                       "It takes $s, and no way is shorter", "The shortest way takes $s, and this is one"},
    [SB_COST_BOUND] = {"All of it takes $s", "That is $s in all", "It takes $s to the end", "This way takes $s"},
    [SB_COST_LATE] = {"All of it takes $s, too many for the limit", "That is $s in all, more than are left",
                      "It takes $s, and so many are not left", "This way takes $s, which is too late"},
    [SB_COST_ESTIMATE] = {"Of 64 imagined futures $w are won$m", "I imagined 64 futures, and $w of them are won$m",
                          "In $w of 64 imagined futures this wins$m", "This wins $w of 64 imagined futures$m"},
    [SB_COST_LOST] = {"Nothing can be won any more", "It is lost, whatever is done", "There is no way to win from here",
                      "The episode cannot be won any more"},
    [SB_COST_UNKNOWN] = {"I know no way to win", "No way to win is known", "I see no way to win",
                         "I have found no way to win"},
};

/* What another move would cost. */
static ways other[SB_N_COST_KINDS] = {
    [SB_COST_LATE] = {"After $a the steps would not suffice", "$a would be too late", "With $a time would run out",
                      "$a costs too many steps"},
    [SB_COST_ESTIMATE] = {"$a wins $w of 64$m", "With $a it is $w of 64$m", "$a would win $w of 64 of them$m",
                          "After $a $w of 64 are won$m"},
    [SB_COST_LOST] = {"After $a nothing can be won", "$a would lose", "$a ends all hope", "With $a it is lost"},
    [SB_COST_UNKNOWN] = {"After $a I know no way to win", "With $a no way to win is known",
                         "After $a I see no way to win", "$a leads where I know no way to win"},
};

/* What another move would cost beside a move of known steps: where both are proven, and where they are not. */
static ways more = {"$a would take $d more", "$a costs $d more", "With $a it takes $d more", "$a would be $d longer"};
static ways more_known = {"The best plan known after $a takes $d more", "With $a the way that I know is $d longer",
                          "For $a I know only a plan with $d more", "After $a my plan takes $d more"};
static ways equal = {"$a would be as good", "$a is just as good", "$a would do as well", "$a costs no more"};
static ways fewer = {"$a might save $d", "With $a a plan with $d less is known",
                     "After $a a way that is $d shorter is known", "$a could take $d less"};
/* What another move would cost beside a move that reaches nothing. */
static ways takes = {"$a takes $s", "With $a it takes $s", "$a would take $s", "After $a it is $s in all"};

/* ---- What their letters stand for ---- */

typedef struct speech {
    const sb_env *env;
    const sb_claims *claims;
    const sb_reason_wording *wording;
    sb_out *out;
    const sb_cost *move; /* what the move costs */
    int32_t named;       /* stages that are named */
    int32_t steps;       /* steps of the stages so far */
    uint64_t n;          /* sentences so far */
} speech;

static void put_steps(sb_out *out, int32_t steps) {
    sb_put_int(out, steps), sb_puts(out, steps == 1 ? " step" : " steps");
}

static void put_cells(sb_out *out, int n, const char *way) {
    if (n == 1)
        sb_puts(out, "one cell");
    else
        sb_put_int(out, n), sb_puts(out, " cells");
    sb_puts(out, way);
}

static void put_way(const speech *s, sb_xy from, sb_xy to) {
    const int dx = to.x - from.x, dy = to.y - from.y;
    if (s->wording->places) {
        sb_puts(s->out, "to "), put_place(s->out, to);
        return;
    }
    if (dx) put_cells(s->out, abs(dx), dx < 0 ? " to the left" : " to the right");
    if (dx && dy) sb_puts(s->out, " and ");
    if (dy) put_cells(s->out, abs(dy), dy < 0 ? " up" : " down");
}

static void put_object(sb_out *out, sb_object object, bool begins) {
    sb_puts(out, begins ? "The " : "the "), sb_puts(out, sb_object_name(object));
}

static void put_ordinal(sb_out *out, int32_t n) {
    static const char *const ordinals[] = {"first",   "second", "third", "fourth", "fifth",    "sixth",
                                           "seventh", "eighth", "ninth", "tenth",  "eleventh", "twelfth"};
    _Static_assert(sizeof ordinals / sizeof *ordinals == SB_STAGES_MAX, "each stage has its ordinal");
    sb_puts(out, ordinals[n - 1]);
}

/* How many of the imagined futures are won. */
static int won_of(const sb_cost *cost) { return (int)lround(cost->success * SB_COST_FUTURES); }

static void put_mean(sb_out *out, const sb_cost *cost) {
    if (cost->mean <= 0) return;
    sb_puts(out, ", after "), sb_put_double(out, round(cost->mean * 10) / 10), sb_puts(out, " steps on average");
}

static void put_letter(const speech *s, char letter, const sb_claim *c, bool begins) {
    sb_out *out = s->out;
    switch (letter) {
    case 'a': s->env->family->print_action(s->env, c->cost.action, out); break;
    case 'c': put_steps(out, s->steps); break;
    case 'd': put_steps(out, abs(c->cost.steps - s->move->steps)); break;
    case 'g': put_aim(out, &c->what, s->wording->places); break;
    case 'i': put_object(out, c->is, begins); break;
    case 'k': sb_put_int(out, s->claims->stages - s->named); break;
    case 'm': put_mean(out, &c->cost); break;
    case 'n': c->kind == SB_CLAIM_STAGE ? sb_put_int(out, c->number) : put_ordinal(out, c->number); break;
    case 'o': put_object(out, c->kind == SB_CLAIM_AT ? c->is : c->was, begins); break;
    case 'p':
        if (s->wording->places) sb_puts(out, " at "), put_place(out, c->to);
        break;
    case 's': put_steps(out, c->kind == SB_CLAIM_WALK ? c->steps : c->cost.steps); break;
    case 't': put_way(s, c->from, c->to); break;
    case 'v': sb_puts(out, c->what.object); break;
    case 'w': sb_put_int(out, won_of(&c->cost)); break;
    default: break;
    }
}

/* ---- Saying them ---- */

/* Returns one of the ways to say a sentence, by the seed and the place of the sentence. */
static const char *choose(speech *s, ways *sentences) {
    uint64_t x = s->wording->seed + ++s->n * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return (*sentences)[(x ^ x >> 27) % SB_REASON_WAYS];
}

static void put_way_of(speech *s, ways *sentences, const sb_claim *c) {
    const char *sentence = choose(s, sentences);
    for (const char *at = sentence; *at; at++) {
        if (*at != '$')
            sb_putc(s->out, *at);
        else
            at++, put_letter(s, *at, c, at == sentence + 1);
    }
}

static void say(speech *s, ways *sentences, const sb_claim *c) {
    if (s->n) sb_putc(s->out, ' ');
    put_way_of(s, sentences, c);
    sb_putc(s->out, '.');
}

static void say_stages(speech *s) {
    const sb_claims *all = s->claims;
    if (!all->stages) return;
    sb_puts(s->out, choose(s, all->stages == 1 ? &only_stage : &stages));
    for (size_t i = 0; i < all->n && i < LISTED && all->of[i].kind == SB_CLAIM_STAGE; i++) {
        if (i) sb_puts(s->out, ", then ");
        put_aim(s->out, &all->of[i].what, s->wording->places);
    }
    s->named = LISTED;
    if (all->stages > LISTED) put_way_of(s, &more_stages, all->of);
    sb_putc(s->out, '.');
}

static bool has_steps(const sb_cost *cost) { return cost->kind == SB_COST_EXACT || cost->kind == SB_COST_BOUND; }

static void say_other(speech *s, const sb_claim *c) {
    const int32_t by = c->cost.steps - s->move->steps;
    if (c->cost.is_best && s->move->is_best && has_steps(s->move))
        say(s, &equal, c);
    else if (!has_steps(&c->cost))
        say(s, &other[c->cost.kind], c);
    else if (!has_steps(s->move))
        say(s, &takes, c);
    else if (by < 0)
        say(s, &fewer, c);
    else
        say(s, c->cost.is_proven && s->move->is_proven ? &more : &more_known, c);
}

static void say_change(speech *s, const sb_claim *c) {
    ways *const way = c->is == c->was ? &turns : c->is == SB_NONE ? &goes : c->was == SB_NONE ? &comes : &becomes;
    if (s->wording->places) say(s, way, c);
}

/* ---- Of a search ---- */

static void say_traced(speech *s) {
    const sb_claims *all = s->claims;
    for (size_t i = 0; i < all->n && i < SB_STAGES_TRACED && all->of[i].kind == SB_CLAIM_STAGE; i++) {
        s->steps += all->of[i].steps, s->named++;
        say(s, &traced, &all->of[i]);
        for (size_t k = i; k < all->n; k++)
            if (all->of[k].kind == SB_CLAIM_EFFECT && all->of[k].number == all->of[i].number)
                say_change(s, &all->of[k]);
    }
    if (all->stages > s->named) say(s, &stages_follow, all->of);
}

static void put_move(const speech *s, const sb_cost *cost) {
    sb_out *out = s->out;
    s->env->family->print_action(s->env, cost->action, out);
    sb_putc(out, ' ');
    switch (cost->kind) {
    case SB_COST_EXACT:
    case SB_COST_BOUND: put_steps(out, cost->steps); break;
    case SB_COST_LATE: sb_puts(out, "too late"); break;
    case SB_COST_ESTIMATE: sb_put_int(out, won_of(cost)), sb_puts(out, " of 64"), put_mean(out, cost); break;
    case SB_COST_LOST: sb_puts(out, "lost"); break;
    default: sb_puts(out, "no way known");
    }
}

/* Says what every move costs, in the order of their numbers, and then which one the move is. */
static void say_moves(speech *s, const sb_claim *plan) {
    const sb_claims *all = s->claims;
    bool done = false;
    sb_putc(s->out, ' '), sb_puts(s->out, choose(s, &now));
    for (size_t i = 0, n = 0; i < all->n; i++) {
        const sb_cost *other = &all->of[i].cost;
        if (all->of[i].kind != SB_CLAIM_INSTEAD) continue;
        if (!done && other->action > plan->cost.action) {
            if (n++) sb_puts(s->out, "; ");
            put_move(s, &plan->cost), done = true;
        }
        if (n++) sb_puts(s->out, "; ");
        put_move(s, other);
    }
    if (!done) sb_puts(s->out, "; "), put_move(s, &plan->cost);
    sb_putc(s->out, '.');
    say(s, &so, plan);
}

static void say_claim(speech *s, const sb_claim *c) {
    switch (c->kind) {
    case SB_CLAIM_STAGE:
    case SB_CLAIM_EFFECT: break; /* stages and effects were told before */
    case SB_CLAIM_PLAN: say(s, &whole[c->cost.kind], c); break;
    case SB_CLAIM_INSTEAD:
        if (s->wording->depth == SB_DEPTH_PLAN) say_other(s, c);
        break;
    case SB_CLAIM_CHANGES: say_change(s, c); break;
    case SB_CLAIM_AT:
        if (s->wording->places) say(s, &simple[c->kind], c);
        break;
    default: say(s, &simple[c->kind], c);
    }
}

void sb_put_reason(sb_out *out, const sb_env *env, const sb_claims *claims, const sb_reason_wording *wording) {
    const sb_claim *plan = claims->of;
    while (plan->kind != SB_CLAIM_PLAN) plan++; /* there is a claim about the plan */
    speech s = {.env = env, .claims = claims, .wording = wording, .out = out, .move = &plan->cost};
    wording->depth == SB_DEPTH_SEARCH ? say_traced(&s) : say_stages(&s);
    for (size_t i = 0; i < claims->n; i++) say_claim(&s, &claims->of[i]);
    if (wording->depth == SB_DEPTH_SEARCH) say_moves(&s, plan);
}
