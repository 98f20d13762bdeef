/* Reads plans as text, one subgoal per line (bot.h). */
#include <string.h>

#include "base/error.h"
#include "oracles/babyai/bot.h"

enum { LINES_MAX = SB_BOT_STACK_MAX / 2, COORDINATE_MAX = 9999 };

static const char *const names[SB_N_SUBGOALS] = {
    [SB_GO_NEXT_TO] = "GoNextToSubgoal", [SB_OPEN] = "OpenSubgoal", [SB_CLOSE] = "CloseSubgoal",
    [SB_PICK_UP] = "PickupSubgoal",      [SB_DROP] = "DropSubgoal", [SB_EXPLORE] = "ExploreSubgoal"};

/* The rest of a line. */
typedef struct line {
    const char *start, *at, *end;
    size_t number;
    sb_error *error;
} line;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool fail_expecting(const line *l, const char *what) {
    return sb_fail(l->error, SB_INVALID, "line %zu of the plan, column %zu: %s expected", l->number,
                   (size_t)(l->at - l->start) + 1, what);
}

static void skip_blanks(line *l) {
    while (l->at < l->end && is_blank(*l->at)) l->at++;
}

static bool take(line *l, char c) {
    skip_blanks(l);
    if (l->at == l->end || *l->at != c) return false;
    l->at++;
    return true;
}

static bool expect(line *l, char c) {
    const char what[] = {'`', c, '`', '\0'};
    return take(l, c) || fail_expecting(l, what);
}

static bool take_name(line *l, uint8_t *kind) {
    skip_blanks(l);
    const char *name = l->at;
    while (l->at < l->end && is_letter(*l->at)) l->at++;
    const size_t n = (size_t)(l->at - name);
    if (n == 0) return fail_expecting(l, "the name of a subgoal");
    for (*kind = 0; *kind < SB_N_SUBGOALS; ++*kind)
        if (strlen(names[*kind]) == n && memcmp(names[*kind], name, n) == 0) return true;
    return sb_fail(l->error, SB_UNKNOWN,
                   "line %zu of the plan: unknown subgoal `%.*s`; known subgoals: %s, %s, %s, %s, %s, %s", l->number,
                   n < 40 ? (int)n : 40, name, names[0], names[1], names[2], names[3], names[4], names[5]);
}

static bool take_coordinate(line *l, int16_t *value) {
    const bool negative = take(l, '-');
    int number = 0;
    skip_blanks(l);
    const char *digits = l->at;
    for (; l->at < l->end && is_digit(*l->at) && number <= COORDINATE_MAX; l->at++)
        number = 10 * number + (*l->at - '0');
    if (l->at == digits || number > COORDINATE_MAX) {
        l->at = digits;
        return fail_expecting(l, "a whole number from -9999 to 9999");
    }
    *value = (int16_t)(negative ? -number : number);
    return true;
}

static bool take_target(line *l, sb_target *target) {
    target->kind = SB_TARGET_CELL;
    return expect(l, ',') && expect(l, '(') && take_coordinate(l, &target->cell.x) && expect(l, ',') &&
           take_coordinate(l, &target->cell.y) && expect(l, ')');
}

static bool take_subgoal(line *l, sb_subgoal *subgoal) {
    const bool enclosed = take(l, '(');
    if (!take_name(l, &subgoal->kind)) return false;
    if (subgoal->kind == SB_GO_NEXT_TO && !take_target(l, &subgoal->target)) return false;
    if (enclosed && !expect(l, ')')) return false;
    skip_blanks(l);
    return l->at == l->end || fail_expecting(l, "the end of the line");
}

static void turn_over(sb_bot *bot) {
    for (int i = 0, j = bot->n - 1; i < j; i++, j--) {
        const sb_subgoal subgoal = bot->stack[i];
        bot->stack[i] = bot->stack[j], bot->stack[j] = subgoal;
    }
}

bool sb_bot_begin_with_plan(sb_bot *bot, sb_bot_kind kind, const char *plan, sb_error *error) {
    static const char blanks[] = " \t\r\n";
    const char *at = plan + strspn(plan, blanks), *end = at + strlen(at);
    while (end > at && strchr(blanks, end[-1])) end--;
    *bot = (sb_bot){.kind = (uint8_t)kind};
    if (at == end) return sb_fail(error, SB_INVALID, "the plan is empty; write one subgoal per line");
    for (size_t number = 1; at <= end; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        line l = {.start = at, .at = at, .end = newline ? newline : end, .number = number, .error = error};
        if (bot->n == LINES_MAX) return sb_fail(error, SB_INVALID, "the plan has more than %d subgoals", LINES_MAX);
        if (!take_subgoal(&l, &bot->stack[bot->n])) return false;
        bot->n++;
        at = l.end + 1;
    }
    turn_over(bot);
    return true;
}
