#include "evaluation/atlas/demand.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numerals.h"

typedef enum kind {
    NUMBER,
    MEASURE,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    LESS,
    AT_MOST,
    MORE,
    AT_LEAST,
    EQUAL,
    UNEQUAL,
    NOT,
    AND,
    OR
} kind;

/* Nodes follow their operands, so an expression is evaluated from its first node to its last. */
typedef struct node {
    kind kind;
    double number;
    sb_measure measure;
    size_t left, right; /* operands; NOT has `left` alone */
} node;

enum { NODES = SB_DEMAND_TEXT, DEPTH = 100 };

struct sb_demand {
    size_t n;
    bool reads[SB_N_MEASURES];
    node nodes[NODES];
};

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
    sb_demand *demand;
    const char *text, *at;
    int depth;
    sb_error *error;
} reader;

static bool is_truth(kind k) { return k >= LESS; }

/* Fails, with the place and what stands there. */
static bool refuse(const reader *r, const char *at, const char *what) {
    const int column = (int)(at - r->text) + 1;
    if (!*at) return sb_fail(r->error, SB_INVALID, "the demand `%.60s`: at the end %s", r->text, what);
    return sb_fail(r->error, SB_INVALID, "the demand, column %d, at `%.20s`: %s", column, at, what);
}

static void skip_space(reader *r) {
    while (isspace((unsigned char)*r->at)) r->at++;
}

static bool is_part_of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Takes the word or the sign if it comes next. */
static bool take(reader *r, const char *what) {
    const size_t n = strlen(what);
    skip_space(r);
    if (strncmp(r->at, what, n) != 0) return false;
    if (is_part_of_word(*what) && is_part_of_word(r->at[n])) return false;
    return r->at += n, true;
}

/* Adds a node. There is room: each takes a byte of the text at least. Returns true. */
static bool add(reader *r, node new, size_t *at) {
    sb_demand *d = r->demand;
    *at = d->n;
    d->nodes[d->n++] = new;
    return true;
}

static bool read_or(reader *r, size_t *at);

static bool read_number(reader *r, size_t *at) {
    char *end;
    const double number = sb_read_double(r->at, &end);
    if (end == r->at || is_part_of_word(*end) || !isfinite(number)) return refuse(r, r->at, "this is no number");
    r->at = end;
    return add(r, (node){.kind = NUMBER, .number = number}, at);
}

static bool refuse_word(const reader *r, size_t n) {
    char text[400];
    sb_out out = sb_out_fixed(text, sizeof text);
    sb_putf(&out, "`%.*s` is no measure; those are", (int)(n < 30 ? n : 30), r->at);
    for (int i = 0; i < SB_N_MEASURES; i++) sb_putf(&out, "%s %s", i ? "," : "", sb_atlas_measures[i].name);
    sb_out_finish(&out);
    return refuse(r, r->at, text);
}

static bool read_measure(reader *r, size_t *at) {
    size_t n = 0;
    while (is_part_of_word(r->at[n])) n++;
    const int measure = sb_atlas_measure_find(r->at, n);
    if (measure < 0) return refuse_word(r, n);
    r->at += n;
    r->demand->reads[measure] = true;
    return add(r, (node){.kind = MEASURE, .measure = (sb_measure)measure}, at);
}

static bool read_in_brackets(reader *r, size_t *at) {
    if (++r->depth > DEPTH) return refuse(r, r->at, "brackets stand in each other too deeply");
    if (!read_or(r, at)) return false;
    r->depth--;
    return take(r, ")") || refuse(r, r->at, "a bracket should close here");
}

static bool read_factor(reader *r, size_t *at) {
    skip_space(r);
    if (take(r, "(")) return read_in_brackets(r, at);
    if (isdigit((unsigned char)*r->at) || *r->at == '.' || *r->at == '-') return read_number(r, at);
    if (isalpha((unsigned char)*r->at)) return read_measure(r, at);
    return refuse(r, r->at, "a number, a measure or a bracket should stand here");
}

/* Checks that both sides are numbers, or both truths, and joins them. */
static bool join(reader *r, const char *place, kind kind, bool of_truths, size_t left, size_t right, size_t *at) {
    const node *nodes = r->demand->nodes;
    if (is_truth(nodes[left].kind) != of_truths || is_truth(nodes[right].kind) != of_truths)
        return refuse(r, place,
                      of_truths ? "conditions should stand on both sides, such as `steps > 5`"
                                : "numbers should stand on both sides");
    return add(r, (node){.kind = kind, .left = left, .right = right}, at);
}

typedef struct word {
    const char *text;
    kind kind;
} word;

/* Reads operands with operators of one rank between them, from left to right. */
static bool read_chain(reader *r, bool (*operand)(reader *, size_t *), const word *words, size_t n, bool of_truths,
                       size_t *at) {
    if (!operand(r, at)) return false;
    for (size_t i = 0; i < n;) {
        skip_space(r);
        const char *place = r->at;
        size_t right;
        if (!take(r, words[i].text)) {
            i++;
            continue;
        }
        if (!operand(r, &right) || !join(r, place, words[i].kind, of_truths, *at, right, at)) return false;
        i = 0;
    }
    return true;
}

static bool read_term(reader *r, size_t *at) {
    static const word words[] = {{"*", MULTIPLY}, {"/", DIVIDE}};
    return read_chain(r, read_factor, words, 2, false, at);
}

static bool read_sum(reader *r, size_t *at) {
    static const word words[] = {{"+", ADD}, {"-", SUBTRACT}};
    return read_chain(r, read_term, words, 2, false, at);
}

static bool read_comparison(reader *r, size_t *at) {
    static const word words[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"==", EQUAL},
                                 {"!=", UNEQUAL}, {"<", LESS},      {">", MORE}};
    size_t right;
    if (!read_sum(r, at)) return false;
    skip_space(r);
    const char *place = r->at;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (take(r, words[i].text)) return read_sum(r, &right) && join(r, place, words[i].kind, false, *at, right, at);
    return true;
}

static bool read_not(reader *r, size_t *at) {
    size_t denied = 0;
    if (!take(r, "not")) return read_comparison(r, at);
    const char *place = r->at;
    if (++r->depth > DEPTH) return refuse(r, place, "`not` stands too often");
    if (!read_not(r, &denied)) return false;
    r->depth--;
    return join(r, place, NOT, true, denied, denied, at);
}

static bool read_and(reader *r, size_t *at) {
    static const word words[] = {{"and", AND}};
    return read_chain(r, read_not, words, 1, true, at);
}

static bool read_or(reader *r, size_t *at) {
    static const word words[] = {{"or", OR}};
    return read_chain(r, read_and, words, 1, true, at);
}

static bool read_all(reader *r) {
    size_t last;
    if (!read_or(r, &last)) return false;
    skip_space(r);
    if (*r->at) return refuse(r, r->at, "`and`, `or` or an operator should stand here");
    return is_truth(r->demand->nodes[last].kind) ||
           refuse(r, r->text, "this is a number, not a condition such as `steps > 5`");
}

/* Reads an expression that stands in `depth` brackets less than it seems to. */
static sb_demand *make(const char *text, int depth, sb_error *error) {
    reader r = {.demand = calloc(1, sizeof *r.demand), .text = text, .at = text, .depth = -depth, .error = error};
    if (!r.demand) return sb_fail(error, SB_MEMORY, "out of memory for a demand"), NULL;
    if (read_all(&r)) return r.demand;
    return sb_demand_free(r.demand), NULL;
}

sb_demand *sb_demand_make(const char *text, sb_error *error) {
    if (strlen(text) <= SB_DEMAND_BYTES) return make(text, 0, error);
    return sb_fail(error, SB_INVALID, "a demand has at most %d bytes", SB_DEMAND_BYTES), NULL;
}

sb_demand *sb_demand_make_within(const char *text, sb_measure measure, double low, double high, sb_error *error) {
    const char *name = sb_atlas_measures[measure].name;
    char both[SB_DEMAND_TEXT];
    sb_out out = sb_out_fixed(both, sizeof both);
    /* The text is read alone first, so that its errors tell columns of its own. */
    sb_demand *alone = text ? sb_demand_make(text, error) : NULL;
    if (text && !alone) return NULL;
    sb_demand_free(alone);
    if (text) sb_putf(&out, "(%s) and ", text);
    /* In `random + 0`, `random` is the estimate, and no end of its interval. */
    sb_putf(&out, "%s + 0 >= %.17g and %s + 0 <= %.17g", name, low, name, high);
    sb_out_finish(&out);
    return make(both, 1, error);
}

void sb_demand_free(sb_demand *demand) { free(demand); }

bool sb_demand_reads(const sb_demand *demand, sb_measure measure) {
    /* The two measures of the interval's ends are read, too, where `random` is compared. */
    const bool is_random = measure == SB_MEASURE_RANDOM_LOW || measure == SB_MEASURE_RANDOM_HIGH;
    return demand->reads[measure] || (is_random && demand->reads[SB_MEASURE_RANDOM]);
}

/* ---- Judging ----------------------------------------------------------------------------------------------------- */

/* Truths are 1 and 0; NaN stands for a number that is missing and a truth that is unknown. */

/* A number that is compared. `random` is an estimate, and stands for one end of its interval. */
static double compared(const sb_demand *d, size_t at, bool high, const sb_atlas_row *row, const double *values) {
    const node *n = &d->nodes[at];
    if (n->kind != MEASURE || n->measure != SB_MEASURE_RANDOM) return values[at];
    return row->values[high ? SB_MEASURE_RANDOM_HIGH : SB_MEASURE_RANDOM_LOW];
}

/* Compares with the ends of `random` that are against the claim, or with those that are for it. */
static double judge(const sb_demand *d, const node *n, const sb_atlas_row *row, const double *values, bool against) {
    const bool is_less = n->kind == LESS || n->kind == AT_MOST, is_order = is_less || n->kind <= AT_LEAST;
    const double x = is_order ? compared(d, n->left, is_less == against, row, values) : values[n->left];
    const double y = is_order ? compared(d, n->right, is_less != against, row, values) : values[n->right];
    if (isnan(x) || isnan(y)) return NAN;
    switch (n->kind) {
    case LESS: return x < y;
    case AT_MOST: return x <= y;
    case MORE: return x > y;
    case AT_LEAST: return x >= y;
    case EQUAL: return x == y;
    default: return x != y;
    }
}

/* A claim holds if it holds at both ends of `random`, and is wrong if it is wrong at both; else nobody knows. */
static double compare(const sb_demand *d, const node *n, const sb_atlas_row *row, const double *values) {
    const double surely = judge(d, n, row, values, true);
    return surely == 0 && judge(d, n, row, values, false) != 0 ? NAN : surely;
}

/* Joins two truths; `decides` is the truth that one of them alone can decide by. */
static double connect(double x, double y, double decides) {
    if (x == decides || y == decides) return decides;
    return isnan(x) || isnan(y) ? NAN : !decides;
}

static double value_of(const sb_demand *d, const node *n, const sb_atlas_row *row, const double *values) {
    const double x = values[n->left], y = values[n->right];
    switch (n->kind) {
    case NUMBER: return n->number;
    case MEASURE: return row->values[n->measure];
    case ADD: return x + y;
    case SUBTRACT: return x - y;
    case MULTIPLY: return x * y;
    case DIVIDE: return y == 0 ? NAN : x / y;
    case NOT: return isnan(x) ? NAN : !x;
    case AND: return connect(x, y, 0);
    case OR: return connect(x, y, 1);
    default: return compare(d, n, row, values);
    }
}

bool sb_demand_holds(const sb_demand *d, const sb_atlas_row *row) {
    double values[NODES], last = 0;
    values[0] = 0; /* leaves name no operands, which is node 0 */
    for (size_t i = 0; i < d->n; i++) last = values[i] = value_of(d, &d->nodes[i], row, values);
    return last == 1;
}
