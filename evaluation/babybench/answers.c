#include "evaluation/babybench/marks.h"

#include <string.h>

#include "base/error.h"

static const char state_mark[] = "The agent's final state is: ", actions_mark[] = "The LLM's action sequence is: ",
                  start_mark[] = "<START>\n", end_mark[] = "\n<END>";

/* ---- Texts ---- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

static bool begins_with(const char *text, const char *mark) {
    while (*mark && lower(*text) == lower(*mark)) text++, mark++;
    return !*mark;
}

/* Finds the first place of a mark, in upper or lower case; NULL if it is missing. */
static const char *find(const char *text, const char *mark) {
    for (; *text; text++)
        if (begins_with(text, mark)) return text;
    return NULL;
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static sb_answer_part trimmed(const char *begin, const char *end) {
    while (begin < end && is_blank(*begin)) begin++;
    while (end > begin && is_blank(end[-1])) end--;
    return (sb_answer_part){begin, (size_t)(end - begin)};
}

static bool after(const char *answer, const char *mark, sb_answer_part *rest, sb_error *error) {
    const char *at = find(answer, mark);
    if (!at) return sb_fail(error, SB_INVALID, "`%s` is missing", mark);
    at += strlen(mark);
    *rest = trimmed(at, at + strlen(at));
    return true;
}

/* ---- Predict ---- */

/* The text that is left to read. To try something and go back, work on a copy. */
typedef sb_answer_part reader;

static bool take(reader *r, char c) {
    while (r->n && is_blank(*r->at)) r->at++, r->n--;
    if (!r->n || *r->at != c) return false;
    r->at++, r->n--;
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool take_number(reader *r, int64_t *value) {
    static const int64_t most = 1000000000;
    while (r->n && is_blank(*r->at)) r->at++, r->n--;
    const bool negative = r->n && *r->at == '-';
    if (negative) r->at++, r->n--;
    if (!r->n || !is_digit(*r->at)) return false;
    for (*value = 0; r->n && is_digit(*r->at); r->at++, r->n--)
        *value = *value < most ? 10 * *value + (*r->at - '0') : most;
    if (*value > most) *value = most;
    if (negative) *value = -*value;
    return true;
}

static bool take_cell(reader *r, sb_pose *p) {
    return take(r, '(') && take_number(r, &p->x) && take(r, ',') && take_number(r, &p->y) && take(r, ')');
}

static bool take_state(reader *r, sb_pose *p) {
    return take(r, '(') && take_cell(r, p) && take(r, ',') && take_number(r, &p->direction) && take(r, ')');
}

static bool find_state(sb_answer_part text, sb_pose *pose) {
    for (; text.n; text.at++, text.n--) {
        reader r = text;
        if (*text.at == '(' && take_state(&r, pose)) return true;
    }
    return false;
}

/* Finds the next whole number, skipping any other text. */
static bool find_number(reader *r, int64_t *value) {
    for (; r->n; r->at++, r->n--)
        if ((is_digit(*r->at) || *r->at == '-') && take_number(&(reader){r->at, r->n}, value))
            return take_number(r, value);
    return false;
}

bool sb_answer_state(const char *answer, sb_pose *pose, sb_error *error) {
    sb_answer_part text;
    if (!after(answer, state_mark, &text, error)) return false;
    if (find_state(text, pose)) return true;
    return (find_number(&text, &pose->x) && find_number(&text, &pose->y) && find_number(&text, &pose->direction)) ||
           sb_fail(error, SB_INVALID, "no state after `%s`: ((x, y), direction) is expected", state_mark);
}

/* ---- Plan ---- */

bool sb_answer_actions(const char *answer, sb_answer_part *list, sb_error *error) {
    return after(answer, actions_mark, list, error);
}

static bool names_action(sb_answer_part word, const sb_env *env, sb_action *action) {
    char name[32];
    if (word.n == 0 || word.n >= sizeof name) return false;
    for (size_t i = 0; i < word.n; i++) name[i] = lower(word.at[i]);
    name[word.n] = '\0';
    return env->family->parse_action(env, name, action);
}

bool sb_next_action(sb_answer_part *list, const sb_env *env, sb_action *action) {
    while (list->n) {
        const char *comma = memchr(list->at, ',', list->n), *end = list->at + list->n;
        const sb_answer_part word = trimmed(list->at, comma ? comma : end);
        list->at = comma ? comma + 1 : end;
        list->n = (size_t)(end - list->at);
        if (names_action(word, env, action)) return true;
    }
    return false;
}

/* ---- Decompose ---- */

bool sb_answer_plan(const char *answer, sb_answer_part *plan, sb_error *error) {
    const char *start = find(answer, start_mark);
    if (!start) return sb_fail(error, SB_INVALID, "a line `<START>` is missing");
    start += strlen(start_mark);
    const char *end = find(start - 1, end_mark); /* <END> may share its line feed with <START> */
    if (!end) end = *start ? start + strlen(start) - 1 : start;
    *plan = end > start ? trimmed(start, end) : (sb_answer_part){start, 0};
    return plan->n || sb_fail(error, SB_INVALID, "the plan is empty");
}
