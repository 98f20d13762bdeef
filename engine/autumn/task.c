/* Reads the statement `task`. */
#include "engine/autumn/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "engine/autumn/compile.h"

enum { USUAL_STEPS = 300, USUAL_SEARCH = 200000, SEARCH_MAX = 10000000 };

static const sb_au_form *form_at(const sb_au_compiler *c, uint32_t form) { return &c->forms->all[form]; }

#define REFUSE(form, kind, ...) sb_au_fault_at(c->fault, form_at(c, (form)), (kind), __VA_ARGS__)

static uint32_t next(const sb_au_compiler *c, uint32_t form) { return form_at(c, form)->next; }
/* The first part of a clause behind its word; 0: none. */
static uint32_t behind_word(const sb_au_compiler *c, uint32_t clause) { return next(c, form_at(c, clause)->first); }

bool sb_au_is_world(const sb_au_compiler *c, uint32_t first_statement) {
    return first_statement && sb_au_begins(c, first_statement, "task");
}

/* ---- Words and numbers ------------------------------------------------------------------------------------------- */

/* Copies a text of one line that is shown to people. */
static bool read_text(const sb_au_compiler *c, uint32_t form, const char *what, char *to, size_t most) {
    const sb_au_form *f = form_at(c, form);
    if (!form || f->token != SB_AU_FORM_STRING || next(c, form) || !f->n || f->n > most)
        return REFUSE(form ? form : 1, SB_AUTUMN_PARSE, "`%s` takes one text of 1 to %zu bytes", what, most);
    for (size_t i = 0, n; i < f->n; i += n)
        if ((n = sb_utf8_length(sb_au_spelling(c->forms, f) + i, f->n - i)) == 0 ||
            (unsigned char)sb_au_spelling(c->forms, f)[i] < ' ')
            return REFUSE(form, SB_AUTUMN_PARSE, "`%s` takes one line of UTF-8", what);
    memcpy(to, sb_au_spelling(c->forms, f), f->n);
    to[f->n] = '\0';
    return true;
}

static bool is_name(const char *text, size_t n, bool may_begin_with_line) {
    for (size_t i = 0; i < n; i++) {
        const bool letter = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z');
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (!letter && !(text[i] == '_' && (i || may_begin_with_line)) && !(digit && i)) return false;
    }
    return n > 0;
}

static bool read_number(const sb_au_compiler *c, uint32_t form, const char *what, int64_t least, int64_t most,
                        int64_t *number) {
    const sb_au_form *f = form_at(c, form);
    *number = f->number;
    if (form && f->token == SB_AU_FORM_NUMBER && f->number >= least && f->number <= most) return true;
    return REFUSE(form ? form : 1, SB_AUTUMN_PARSE, "`%s` takes a number from %lld to %lld", what, (long long)least,
                  (long long)most);
}

static uint32_t symbol_of_name(sb_au_compiler *c, uint32_t form) {
    if (form_at(c, form)->token == SB_AU_FORM_NAME) return sb_au_symbol_of(c, form_at(c, form));
    return REFUSE(form, SB_AUTUMN_PARSE, "expected the name of a variable"), SB_AU_NO_WORD;
}

/* Whether an atom is nothing but this name: the reader drops what follows in it. */
static bool is_whole(const sb_au_compiler *c, const sb_au_form *name) {
    const size_t end = name->text + name->n;
    return end == c->forms->n_text || strchr(" \t\n\v\f\r()", c->forms->text[end]);
}

/* ---- Difficulties ------------------------------------------------------------------------------------------------ */

static bool read_word(const sb_au_compiler *c, uint32_t form, sb_autumn_difficulty *d) {
    const sb_au_form *f = form_at(c, form);
    const bool is_word = form && (f->token == SB_AU_FORM_NAME || f->token == SB_AU_FORM_KEYWORD);
    if (!is_word || f->n > SB_AUTUMN_WORD_MAX || !is_name(sb_au_spelling(c->forms, f), f->n, true))
        return REFUSE(
            form ? form : 1, SB_AUTUMN_PARSE,
            "`difficulty` begins with its name, at most %d letters: `(difficulty easy (= SIZE 6) (steps 60))`",
            SB_AUTUMN_WORD_MAX);
    memcpy(d->word, sb_au_spelling(c->forms, f), f->n);
    if (!is_whole(c, f)) return REFUSE(form, SB_AUTUMN_PARSE, "the name of a difficulty has letters, digits and `_`");
    return strcmp(d->word, "published") != 0 ||
           REFUSE(form, SB_AUTUMN_PARSE, "`%s` cannot be the name of a difficulty", d->word);
}

static bool read_solution(const sb_au_compiler *c, uint32_t clause, sb_autumn_difficulty *d) {
    const uint32_t first = behind_word(c, clause), second = first ? next(c, first) : 0;
    int64_t shortest, longest;
    if (!read_number(c, first, "solution", 1, SB_AUTUMN_STEPS_MAX, &shortest) ||
        !read_number(c, second, "solution", shortest, SB_AUTUMN_STEPS_MAX, &longest))
        return false;
    d->has_solution = true, d->least = (int32_t)shortest, d->most = (int32_t)longest;
    return !next(c, second) || REFUSE(clause, SB_AUTUMN_PARSE, "expected `(solution LEAST MOST)`");
}

static bool is_parameter(const sb_au_compiler *c, uint32_t clause) {
    return sb_au_begins(c, clause, "=") && form_at(c, clause)->parts == 3;
}

static bool read_demand(const sb_au_compiler *c, uint32_t clause, sb_autumn_difficulty *d) {
    int64_t number;
    if (is_parameter(c, clause)) return true;
    if (sb_au_begins(c, clause, "solution"))
        return !d->has_solution ? read_solution(c, clause, d)
                                : REFUSE(clause, SB_AUTUMN_PARSE, "`solution` is repeated");
    const bool is_steps = sb_au_begins(c, clause, "steps");
    if ((!is_steps && !sb_au_begins(c, clause, "search")) || form_at(c, clause)->parts != 2)
        return REFUSE(clause, SB_AUTUMN_PARSE,
                      "a difficulty holds `(= NAME VALUE)`, `(steps N)`, `(solution LEAST MOST)`, `(search STATES)`");
    if (is_steps ? d->steps != 0 : d->search != 0)
        return REFUSE(clause, SB_AUTUMN_PARSE, "`%s` is repeated", is_steps ? "steps" : "search");
    if (!read_number(c, behind_word(c, clause), is_steps ? "steps" : "search", 1,
                     is_steps ? SB_AUTUMN_STEPS_MAX : SEARCH_MAX, &number))
        return false;
    if (is_steps)
        d->steps = (int32_t)number;
    else
        d->search = (uint64_t)number;
    return true;
}

static bool read_difficulty(const sb_au_compiler *c, uint32_t clause) {
    sb_autumn_world *w = &c->p->task->told;
    const uint32_t word = behind_word(c, clause);
    if (w->n_difficulties == SB_AUTUMN_DIFFICULTIES_MAX)
        return REFUSE(clause, SB_AUTUMN_LIMIT, "more than %d difficulties", SB_AUTUMN_DIFFICULTIES_MAX);
    sb_autumn_difficulty d = {0};
    if (!read_word(c, word, &d)) return false;
    for (size_t i = 0; i < w->n_difficulties; i++)
        if (strcmp(w->difficulties[i].word, d.word) == 0)
            return REFUSE(word, SB_AUTUMN_PARSE, "the difficulty `%s` is there twice", d.word);
    for (uint32_t form = next(c, word); form; form = next(c, form))
        if (!read_demand(c, form, &d)) return false;
    if (!d.steps) d.steps = USUAL_STEPS;
    if (!d.search) d.search = USUAL_SEARCH;
    w->difficulties[w->n_difficulties++] = d;
    return true;
}

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

static bool may_be_parameter(uint32_t symbol) {
    return symbol >= SB_AU_N_KNOWN || symbol == SB_AU_GRID_SIZE || symbol == SB_AU_background;
}

static bool is_literal(const sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form);
    return f->token == SB_AU_FORM_NUMBER || f->token == SB_AU_FORM_STRING || sb_au_is(c->forms, f, "true") ||
           sb_au_is(c->forms, f, "false");
}

/* The clause `(= NAME VALUE)` of a difficulty for a symbol; 0: it has none. */
static uint32_t value_in(sb_au_compiler *c, uint32_t difficulty, uint32_t symbol) {
    for (uint32_t form = next(c, behind_word(c, difficulty)); form; form = next(c, form))
        if (is_parameter(c, form) && symbol_of_name(c, behind_word(c, form)) == symbol) return form;
    return 0;
}

static bool add_parameter(sb_au_compiler *c, uint32_t form) {
    sb_au_task *t = c->p->task;
    const uint32_t name = behind_word(c, form), symbol = symbol_of_name(c, name);
    if (symbol == SB_AU_NO_WORD) return false;
    if (!may_be_parameter(symbol))
        return REFUSE(name, SB_AUTUMN_PARSE, "`%s` is a name of the library and cannot be a parameter",
                      sb_au_word(&c->p->names, symbol));
    for (size_t i = 0; i < t->n_parameters; i++)
        if (t->parameters[i] == symbol)
            return REFUSE(name, SB_AUTUMN_PARSE, "the parameter `%s` is there twice", sb_au_word(&c->p->names, symbol));
    if (!SB_GROW(t->parameters, t->n_parameters + 1, t->parameters_capacity)) return sb_au_no_memory(c);
    t->parameters[t->n_parameters++] = symbol;
    return true;
}

static size_t count_parameters(const sb_au_compiler *c, uint32_t difficulty) {
    size_t n = 0;
    for (uint32_t form = next(c, behind_word(c, difficulty)); form; form = next(c, form)) n += is_parameter(c, form);
    return n;
}

/* All difficulties have the parameters of the first one. */
static bool check_parameters(sb_au_compiler *c, uint32_t difficulty) {
    const sb_au_task *t = c->p->task;
    for (size_t i = 0; i < t->n_parameters; i++) {
        const uint32_t form = value_in(c, difficulty, t->parameters[i]);
        if (!form)
            return REFUSE(difficulty, SB_AUTUMN_PARSE, "this difficulty has no `%s`, which the first one has",
                          sb_au_word(&c->p->names, t->parameters[i]));
        if (!is_literal(c, next(c, behind_word(c, form))))
            return REFUSE(form, SB_AUTUMN_PARSE, "a parameter is a number, a text, true or false");
    }
    return count_parameters(c, difficulty) == t->n_parameters ||
           REFUSE(difficulty, SB_AUTUMN_PARSE, "this difficulty has parameters which the first one does not have");
}

static bool define_parameters(sb_au_compiler *c, uint32_t difficulty) {
    sb_autumn_program *p = c->p;
    for (size_t i = 0; i < p->task->n_parameters; i++) {
        const uint32_t node = sb_au_compile(c, value_in(c, difficulty, p->task->parameters[i]));
        if (!node) return false;
        if (!SB_AU_ROOM(p, parameters)) return sb_au_no_memory(c);
        p->parameters[p->n_parameters++] = node;
    }
    return true;
}

/* `first` and `chosen`: clauses; 0: the world has no difficulties, and so no parameters. */
static bool read_parameters(sb_au_compiler *c, uint32_t first, uint32_t chosen) {
    if (!first) return true;
    for (uint32_t form = next(c, behind_word(c, first)); form; form = next(c, form))
        if (is_parameter(c, form) && !add_parameter(c, form)) return false;
    for (uint32_t clause = first; clause; clause = next(c, clause))
        if (sb_au_begins(c, clause, "difficulty") && !check_parameters(c, clause)) return false;
    return define_parameters(c, chosen);
}

/* ---- Lists of names and actions ---------------------------------------------------------------------------------- */

static bool read_needs(const sb_au_compiler *c, uint32_t clause) {
    for (uint32_t form = behind_word(c, clause); form; form = next(c, form)) {
        const sb_au_form *f = form_at(c, form);
        sb_autumn_key key = SB_AUTUMN_NOOP;
        if (sb_au_is(c->forms, f, "click"))
            key = SB_AUTUMN_CLICK;
        else if (f->token == SB_AU_FORM_NAME)
            (void)sb_autumn_key_find(sb_au_spelling(c->forms, f), f->n, &key);
        if (key == SB_AUTUMN_NOOP) return REFUSE(form, SB_AUTUMN_PARSE, "`needs` lists left, right, up, down, click");
        c->p->task->told.needs[key] = true;
    }
    return true;
}

/* `NAME` or `NAME.FIELD`: the reader drops what follows a name in an atom, so the field is found in the text. */
static bool read_hidden(sb_au_compiler *c, uint32_t clause) {
    sb_au_task *t = c->p->task;
    for (uint32_t form = behind_word(c, clause); form; form = next(c, form)) {
        sb_au_hidden_name name = {.symbol = symbol_of_name(c, form), .field = SB_AU_NO_WORD};
        const sb_au_form *f = form_at(c, form);
        const char *field = c->forms->text + f->text + f->n;
        size_t n = 0;
        if (name.symbol == SB_AU_NO_WORD) return false;
        if (*field == '.') {
            while (is_name(field + 1, n + 1, true)) n++;
            name.field = sb_au_word_of(&c->p->names, field + 1, n);
            if (!n) return REFUSE(form, SB_AUTUMN_PARSE, "expected the name of a field behind the dot");
            if (name.field == SB_AU_NO_WORD) return sb_au_no_memory(c);
        }
        if (t->n_hidden == SB_AU_LISTED_MAX) return REFUSE(form, SB_AUTUMN_LIMIT, "too many names in `hidden`");
        t->hidden[t->n_hidden++] = name;
    }
    return true;
}

static bool read_unordered(sb_au_compiler *c, uint32_t clause) {
    sb_au_task *t = c->p->task;
    for (uint32_t form = behind_word(c, clause); form; form = next(c, form)) {
        const uint32_t symbol = symbol_of_name(c, form);
        if (symbol == SB_AU_NO_WORD) return false;
        if (t->n_unordered == SB_AU_LISTED_MAX) return REFUSE(form, SB_AUTUMN_LIMIT, "too many names in `unordered`");
        t->unordered[t->n_unordered++] = symbol;
    }
    return true;
}

/* ---- Sprites ----------------------------------------------------------------------------------------------------- */

static bool read_row(const sb_au_compiler *c, uint32_t form, char *row) {
    const sb_au_form *f = form_at(c, form);
    if (!form || f->token != SB_AU_FORM_STRING || f->n != SB_AUTUMN_SPRITE) return false;
    for (size_t i = 0; i < SB_AUTUMN_SPRITE; i++)
        if (!strchr(".#+-", row[i] = sb_au_spelling(c->forms, f)[i])) return false;
    return true;
}

static bool read_sprite(sb_au_compiler *c, uint32_t clause) {
    sb_au_task *t = c->p->task;
    const uint32_t type = behind_word(c, clause);
    uint32_t form = type ? next(c, type) : 0;
    sb_au_sprite sprite;
    if (!type || (sprite.type = symbol_of_name(c, type)) == SB_AU_NO_WORD)
        return REFUSE(clause, SB_AUTUMN_PARSE, "expected `(sprite TYPE ROW...)`");
    for (size_t i = 0; i < t->n_sprites; i++)
        if (t->sprites[i].type == sprite.type) return REFUSE(type, SB_AUTUMN_PARSE, "this type has a sprite already");
    for (int y = 0; y < SB_AUTUMN_SPRITE; y++, form = next(c, form))
        if (!read_row(c, form, sprite.rows + (ptrdiff_t)y * SB_AUTUMN_SPRITE))
            return REFUSE(clause, SB_AUTUMN_PARSE, "a sprite has %d rows of %d characters out of `.#+-`",
                          SB_AUTUMN_SPRITE, SB_AUTUMN_SPRITE);
    if (form) return REFUSE(form, SB_AUTUMN_PARSE, "a sprite has no more than %d rows", SB_AUTUMN_SPRITE);
    if (t->n_sprites == SB_AU_SPRITES_MAX) return REFUSE(clause, SB_AUTUMN_LIMIT, "too many sprites");
    t->sprites[t->n_sprites++] = sprite;
    return true;
}

/* ---- Clauses ----------------------------------------------------------------------------------------------------- */

/* Clauses that are expressions wait until the program is known; their nodes are compiled later. */
enum {
    CATEGORY,
    SAYS,
    DIFFICULTY,
    WIN,
    LOSE,
    SCORE,
    REWARD,
    START,
    NEEDS,
    BOUND,
    HIDDEN,
    SPRITE,
    UNORDERED,
    N_CLAUSES
};

static const char *const clauses[N_CLAUSES] = {"category", "says",   "difficulty", "win",   "lose",
                                               "score",    "reward", "start",      "needs", "bound",
                                               "hidden",   "sprite", "unordered"};

static uint32_t clause_of(const sb_au_compiler *c, uint32_t form) {
    uint32_t i = 0;
    while (i < N_CLAUSES && !sb_au_begins(c, form, clauses[i])) i++;
    return i;
}

static bool refuse_clause(const sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form), *head = f->token == SB_AU_FORM_LIST ? form_at(c, f->first) : NULL;
    if (!head || !f->first || head->token == SB_AU_FORM_LIST)
        return REFUSE(form, SB_AUTUMN_PARSE, "expected a clause of `task`, such as `(win ...)`");
    return REFUSE(form, SB_AUTUMN_PARSE,
                  "`%.*s` is no clause of `task`; those are category, says, difficulty, win, lose, score, reward, "
                  "start, needs, bound, hidden, sprite, unordered",
                  (int)(head->n < 20 ? head->n : 20), sb_au_spelling(c->forms, head));
}

static bool read_clause(sb_au_compiler *c, uint32_t form, uint32_t clause) {
    sb_autumn_world *w = &c->p->task->told;
    const uint32_t parts = form_at(c, form)->parts;
    switch (clause) {
    case CATEGORY: return read_text(c, behind_word(c, form), "category", w->category, SB_AUTUMN_CATEGORY_MAX);
    case SAYS: return read_text(c, behind_word(c, form), "says", w->says, SB_AUTUMN_SENTENCE_MAX);
    case DIFFICULTY: return read_difficulty(c, form);
    case NEEDS: return read_needs(c, form);
    case HIDDEN: return read_hidden(c, form);
    case SPRITE: return read_sprite(c, form);
    case UNORDERED: return read_unordered(c, form);
    case SCORE: return parts == 3 || REFUSE(form, SB_AUTUMN_PARSE, "expected `(score EXPRESSION MAX)`");
    default: return parts == 2 || REFUSE(form, SB_AUTUMN_PARSE, "expected `(%s EXPRESSION)`", clauses[clause]);
    }
}

static bool read_clauses(sb_au_compiler *c, uint32_t first, uint32_t found[N_CLAUSES]) {
    for (uint32_t form = first; form; form = next(c, form)) {
        const uint32_t clause = clause_of(c, form);
        if (clause == N_CLAUSES) return refuse_clause(c, form);
        if (found[clause] && clause != DIFFICULTY && clause != SPRITE)
            return REFUSE(form, SB_AUTUMN_PARSE, "the clause `%s` is there twice", clauses[clause]);
        if (!found[clause]) found[clause] = form;
        if (!read_clause(c, form, clause)) return false;
    }
    return true;
}

/* ---- The statement ----------------------------------------------------------------------------------------------- */

bool sb_autumn_may_be_world(const char *name) {
    return strlen(name) <= SB_AUTUMN_WORLD_NAME_MAX && is_name(name, strlen(name), false);
}

static bool read_name(const sb_au_compiler *c, uint32_t form) {
    const sb_au_form *f = form_at(c, form);
    if (!form || f->token != SB_AU_FORM_STRING || f->n > SB_AUTUMN_WORLD_NAME_MAX ||
        !is_name(sb_au_spelling(c->forms, f), f->n, false))
        return REFUSE(form ? form : c->p->task->form, SB_AUTUMN_PARSE,
                      "expected the world's name: a text of at most %d letters, digits and `_`, a letter first",
                      SB_AUTUMN_WORLD_NAME_MAX);
    memcpy(c->p->task->told.name, sb_au_spelling(c->forms, f), f->n);
    return true;
}

/* The first comment of the text stands in for `says`. */
static void take_comment(const sb_au_compiler *c, size_t n) {
    const char *text = c->forms->text, *end = text + n;
    bool in_string = false;
    char *to = c->p->task->told.says;
    for (; text < end && (in_string || *text != ';'); text++) {
        if (*text == '\\' && in_string && text + 1 < end)
            text++;
        else if (*text == '"')
            in_string = !in_string;
    }
    while (text < end && (*text == ';' || *text == ' ')) text++;
    for (size_t length; text < end && (unsigned char)*text >= ' ' && *text != '\x7f'; text += length) {
        length = sb_utf8_length(text, (size_t)(end - text));
        if (!length || (size_t)(to - c->p->task->told.says) + length > SB_AUTUMN_SENTENCE_MAX) break;
        memcpy(to, text, length), to += length;
    }
    *to = '\0';
}

static uint32_t difficulty_at(const sb_au_compiler *c, uint32_t first, size_t number) {
    uint32_t form = first;
    for (; form; form = next(c, form))
        if (sb_au_begins(c, form, "difficulty") && number-- == 0) break;
    return form;
}

bool sb_au_compile_task(sb_au_compiler *c, uint32_t form, size_t difficulty) {
    uint32_t found[N_CLAUSES] = {0};
    sb_au_task *t = c->p->task = calloc(1, sizeof *t);
    if (!t) return sb_au_no_memory(c);
    const uint32_t name = behind_word(c, form);
    t->form = form;
    strcpy(t->told.category, "worlds");
    if (!read_name(c, name) || !read_clauses(c, next(c, name), found)) return false;
    if (!found[SAYS]) take_comment(c, c->forms->n_text);
    if (!found[WIN] && !found[SCORE])
        return REFUSE(form, SB_AUTUMN_PARSE, "a world needs `(win EXPRESSION)` or `(score EXPRESSION MAX)`");
    if (!t->told.n_difficulties)
        t->told.difficulties[t->told.n_difficulties++] = (sb_autumn_difficulty){.steps = USUAL_STEPS,
                                                                                .search = USUAL_SEARCH};
    if (difficulty >= t->told.n_difficulties) return REFUSE(form, SB_AUTUMN_PARSE, "there is no such difficulty");
    t->told.has_score = found[SCORE], t->told.has_bound = found[BOUND], t->told.has_reward = found[REWARD],
    t->told.has_lose = found[LOSE];
    return read_parameters(c, found[DIFFICULTY], difficulty_at(c, found[DIFFICULTY], difficulty));
}

/* The MAX of `score`: a number, or a parameter that is one. */
static bool read_score_max(sb_au_compiler *c, uint32_t form) {
    sb_autumn_program *p = c->p;
    const sb_au_form *f = form_at(c, form);
    int32_t most = f->token == SB_AU_FORM_NUMBER ? f->number : 0;
    for (size_t i = 0; f->token == SB_AU_FORM_NAME && i < p->n_parameters; i++) {
        const sb_au_node *literal = &p->nodes[p->nodes[p->parameters[i]].b];
        if (sb_au_is(c->forms, f, sb_au_word(&p->names, p->task->parameters[i])) && literal->a == SB_AU_NUMBER)
            most = (int32_t)literal->b;
    }
    p->task->told.score_max = most;
    return most > 0 ||
           REFUSE(form, SB_AUTUMN_PARSE, "the MAX of `score` is a number above 0, or a parameter that is one");
}

bool sb_au_compile_clauses(sb_au_compiler *c) {
    sb_au_task *t = c->p->task;
    struct {
        uint32_t clause, *node;
    } expressions[] = {{WIN, &t->win},       {LOSE, &t->lose},   {SCORE, &t->score},
                       {REWARD, &t->reward}, {START, &t->start}, {BOUND, &t->bound}};
    t->won = sb_au_word_of(&c->p->names, "won", 3), t->lost = sb_au_word_of(&c->p->names, "lost", 4);
    if (t->won == SB_AU_NO_WORD || t->lost == SB_AU_NO_WORD) return sb_au_no_memory(c);
    for (uint32_t form = next(c, behind_word(c, t->form)); form; form = next(c, form))
        for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
            if (clause_of(c, form) != expressions[i].clause) continue;
            const uint32_t expression = behind_word(c, form);
            if (!(*expressions[i].node = sb_au_compile(c, expression))) return false;
            if (expressions[i].clause == SCORE && !read_score_max(c, next(c, expression))) return false;
        }
    return true;
}

const sb_autumn_world *sb_autumn_world_of(const sb_autumn_program *program) {
    return program->task ? &program->task->told : NULL;
}

bool sb_autumn_is_searched(const sb_autumn_world *world, size_t difficulty) {
    bool is_searched = world->difficulties[difficulty].has_solution;
    for (int key = 0; key <= SB_AUTUMN_CLICK; key++) is_searched |= world->needs[key];
    return is_searched;
}
