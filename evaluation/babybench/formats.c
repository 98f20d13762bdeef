/* Formats `predict`, `plan` and `decompose`: BabyBench's three data sets, one row per episode, as JSON lines or as one
 * comma-separated file with a header line. Columns and values are the benchmark's (docs/babyai.md). */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "base/json.h"
#include "engine/environment.h"
#include "engine/facts.h"
#include "exporters/columns.h"
#include "exporters/description.h"
#include "exporters/template.h"
#include "rollout/tape.h"

/* ---- Subgoals ---- */

/* The subgoals that a played episode fulfils one after another, in the words of BabyBench's Decompose task, each with
 * the actions that belong to it: going to a cell, and then what is done with the thing there. */

typedef struct sb_subgoal_part {
    const char *what; /* `OpenSubgoal` */
    bool has_cell;
    sb_xy cell;      /* the cell to go next to */
    size_t first, n; /* the actions of this part: number of the first one, and how many */
} sb_subgoal_part;

/* The subgoals of an episode. Starts zeroed; subgoals_free frees it. */
typedef struct sb_subgoals {
    sb_subgoal_part *parts;
    size_t n, capacity;
    size_t steps;   /* actions so far */
    size_t settled; /* actions that belong to parts */
} sb_subgoals;

/* The actions that handle what is ahead. Doors are always opened: no expert of ours closes one. */
static const struct {
    const char *action, *subgoal;
} handling[] = {{"pickup", "PickupSubgoal"}, {"drop", "DropSubgoal"}, {"toggle", "OpenSubgoal"}};

static bool add_part(sb_subgoals *s, sb_subgoal_part part, sb_error *error) {
    if (!SB_GROW(s->parts, s->n + 1, s->capacity)) return sb_fail(error, SB_MEMORY, "out of memory for subgoals");
    s->parts[s->n++] = part;
    s->settled = part.first + part.n;
    return true;
}

static bool add_way(sb_subgoals *s, sb_xy to, sb_error *error) {
    return add_part(s, (sb_subgoal_part){"GoNextToSubgoal", true, to, s->settled, s->steps - s->settled}, error);
}

static const sb_fact *thing_at(const sb_facts *facts, sb_xy at) {
    for (size_t i = 0; i < facts->n_things; i++)
        if (facts->things[i].at.x == at.x && facts->things[i].at.y == at.y) return &facts->things[i];
    return NULL;
}

/* Whether the thing is what an intent calls `red ball`, `ball`, `red object` or `object`. */
static bool is_called(const sb_fact *thing, const char *object) {
    const size_t n = strlen(thing->colour);
    const char *type = strncmp(object, thing->colour, n) == 0 && object[n] == ' ' ? object + n + 1 : object;
    return strcmp(type, thing->type) == 0 || strcmp(type, "object") == 0;
}

/* Whether the agent was on its way to what is ahead now, and is next on its way to something else. */
static bool has_arrived(const sb_subgoals *s, const sb_tape *tape, const sb_facts *now) {
    if (s->steps == 0 || s->steps == s->settled) return false;
    const sb_purpose *was = sb_tape_purpose(tape, s->steps - 1), *is = sb_tape_purpose(tape, s->steps);
    const sb_fact *ahead = thing_at(now, now->front);
    if (!was || !is || was == is || !ahead || strcmp(was->verb, "go to") != 0 || strcmp(is->verb, "go to") != 0)
        return false;
    return was->at.x < 0 ? is_called(ahead, was->object) : was->at.x == ahead->at.x && was->at.y == ahead->at.y;
}

/* Adds an action. A plan has to begin with a way, even if it takes no step: the benchmark drops a first line that
 * handles something. */
static bool subgoals_add(sb_subgoals *s, const sb_tape *tape, const sb_facts *before, const char *action,
                         sb_error *error) {
    if (has_arrived(s, tape, before) && !add_way(s, before->front, error)) return false;
    for (size_t i = 0; i < sizeof handling / sizeof *handling; i++) {
        if (strcmp(handling[i].action, action) != 0) continue;
        if ((s->n == 0 || s->steps > s->settled) && !add_way(s, before->front, error)) return false;
        if (!add_part(s, (sb_subgoal_part){handling[i].subgoal, false, before->front, s->steps, 1}, error))
            return false;
    }
    s->steps++;
    return true;
}

/* Adds what is left when the last action was taken: the way to where the agent looks in the end. */
static bool subgoals_end(sb_subgoals *s, const sb_facts *end, sb_error *error) {
    return (s->n && s->steps == s->settled) || add_way(s, end->front, error);
}

/* Writes `(GoNextToSubgoal, (3, 4))` or `(OpenSubgoal)`. */
static void put_subgoal(sb_out *out, const sb_subgoal_part *part) {
    if (part->has_cell)
        sb_putf(out, "(%s, (%d, %d))", part->what, part->cell.x, part->cell.y);
    else
        sb_putf(out, "(%s)", part->what);
}

static void subgoals_free(sb_subgoals *s) {
    free(s->parts);
    *s = (sb_subgoals){0};
}

/* ---- Questions ---- */

/* BabyBench's questions as conversations: what a model is told and asked, and the right answer. The sentences are ours
 * (examples/babybench/questions.json); examples/babybench/ask.py asks with the same. */

typedef enum sb_question_field {
    SB_QUESTION_DESCRIPTION,
    SB_QUESTION_STATE,
    SB_QUESTION_ACTIONS,
    SB_QUESTION_TARGET_STATE,
    SB_QUESTION_TARGET,
    SB_QUESTION_MISSION,
    SB_QUESTION_PLAN
} sb_question_field;

typedef struct sb_item_question {
    sb_template system, user, answer;
    cJSON *document; /* holds the templates' texts */
} sb_item_question;

extern const unsigned char sb_shipped_questions[]; /* embedded by the build */
extern const size_t sb_shipped_questions_size;

static const char *const fields[] = {"description", "initial_state", "actions", "target_state",
                                     "target",      "mission",       "plan",    NULL};

static bool read(const cJSON *texts, const char *key, sb_template *template, sb_error *error) {
    const char *text;
    return sb_json_string(texts, key, &text, error) && sb_template_parse(template, text, fields, error);
}

/* Opens the question of a task: `predict`, `plan` or `decompose`. The caller closes it, also after a failure. */
static bool question_open(sb_item_question *q, const char *task, sb_error *error) {
    const cJSON *texts;
    q->document = sb_json_parse((const char *)sb_shipped_questions, sb_shipped_questions_size, error);
    return q->document && sb_json_object(q->document, task, &texts, error) &&
           read(texts, "system", &q->system, error) && read(texts, "user", &q->user, error) &&
           read(texts, "answer", &q->answer, error);
}

static void question_close(sb_item_question *q) {
    cJSON_Delete(q->document);
    *q = (sb_item_question){0};
}

static void put_message(sb_out *out, const char *role, const sb_out *text) {
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "role", role);
    sb_put_key(out, "content");
    sb_put_json_bytes(out, text->data ? text->data : "", text->size);
    sb_puts(out, "}");
}

/* Writes the member `messages`: system, user and assistant. */
static bool question_put(const sb_item_question *q, sb_out *out, sb_put_field *put, void *context, sb_error *error) {
    static const char *const roles[] = {"system", "user", "assistant"};
    const sb_template *const templates[] = {&q->system, &q->user, &q->answer};
    sb_out text = sb_out_growing();
    bool ok = true;
    sb_put_key(out, "messages");
    sb_puts(out, "[");
    for (size_t i = 0; i < 3 && ok; i++) {
        sb_out_clear(&text);
        sb_template_put(templates[i], &text, put, context);
        ok = sb_out_ok(&text) || sb_fail(error, SB_MEMORY, "out of memory for a conversation");
        if (ok) put_message(out, roles[i], &text);
    }
    sb_puts(out, "]");
    sb_out_free(&text);
    return ok;
}

enum { STEPS_MAX = 1000 /* actions of an expert's episode that a row covers, at most */, COLUMNS_MAX = 6 };

typedef enum kind { PREDICT, PLAN, DECOMPOSE, N_KINDS } kind;

typedef enum column {
    ENV_NAME,
    SEED,
    ENV_DESCRIPTION,
    INITIAL_STATE,
    ACTION_SEQUENCE,
    TARGET_STATE,
    TARGET_SUBGOAL,
    EXPERT_ACTION_SEQUENCE,
    MISSION,
    HELP_COUNT
} column;

static const struct {
    const char *name;
    sb_column_type type;
    const char *what;
} column_facts[] = {
    [ENV_NAME] = {"env_name", SB_COLUMN_TEXT, "Published id of the level"},
    [SEED] = {"seed", SB_COLUMN_INTEGER, "Seed of the episode"},
    [ENV_DESCRIPTION] = {"env_description", SB_COLUMN_TEXT, "The level at reset, in words"},
    [INITIAL_STATE] = {"initial_state", SB_COLUMN_TEXT, "Cell and direction at reset: ((x, y), d)"},
    [ACTION_SEQUENCE] = {"action_sequence", SB_COLUMN_TEXT, "What was done: names of actions, joined by commas"},
    [TARGET_STATE] = {"target_state", SB_COLUMN_TEXT, "Cell and direction that the actions lead to: ((x, y), d)"},
    [TARGET_SUBGOAL] = {"target_subgoal", SB_COLUMN_TEXT, "Cell of what the mission names first: (x, y)"},
    [EXPERT_ACTION_SEQUENCE] = {"expert_action_sequence", SB_COLUMN_TEXT,
                                "What was done: names of actions, joined by commas"},
    [MISSION] = {"mission", SB_COLUMN_TEXT, "What is to be done"},
    [HELP_COUNT] = {"help_count", SB_COLUMN_INTEGER, "How many subgoals OmniBot makes without any help"},
};

static const column columns[N_KINDS][COLUMNS_MAX] = {
    [PREDICT] = {ENV_NAME, SEED, ENV_DESCRIPTION, INITIAL_STATE, ACTION_SEQUENCE, TARGET_STATE},
    [PLAN] = {ENV_NAME, SEED, ENV_DESCRIPTION, INITIAL_STATE, TARGET_SUBGOAL, EXPERT_ACTION_SEQUENCE},
    [DECOMPOSE] = {ENV_NAME, SEED, ENV_DESCRIPTION, INITIAL_STATE, MISSION, HELP_COUNT},
};

static bool is_number(column c) { return column_facts[c].type == SB_COLUMN_INTEGER; }

/* ---- Options ---- */

typedef struct options {
    kind kind;
    sb_style style;
    bool csv, conversation;
    sb_wording wording;
    sb_item_question question; /* words of a conversation's question */
} options;

static const char *const keys[] = {"style", "csv", "conversation", "templates", NULL};
static const char *const kind_names[N_KINDS] = {"predict", "plan", "decompose"};

static bool read_style(const cJSON *all, sb_style *style, sb_error *error) {
    size_t index = *style;
    if (!sb_json_optional_word(all, "style", sb_style_names, SB_N_STYLES, &index, error)) return false;
    *style = (sb_style)index;
    return true;
}

static bool read_wording(const cJSON *all, sb_wording *wording, sb_error *error) {
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(all, "templates");
    if (own && !cJSON_IsString(own) && !cJSON_IsObject(own))
        return sb_fail(error, SB_INVALID, "key `templates` should be the name of a file, or an object");
    return sb_wording_open(wording, own, error) || sb_fail_at(error, "key `templates`");
}

/* Questions describe the whole state, so the answer may follow what an expert intends. */
static bool read_conversation(sb_export *export, const cJSON *all, options *o, sb_error *error) {
    if (cJSON_HasObjectItem(all, "conversation") && !sb_json_bool(all, "conversation", &o->conversation, error))
        return false;
    export->needs_intents = export->any_intents = o->conversation;
    if (!o->conversation) return true;
    if (o->csv)
        return sb_fail(error, SB_INVALID,
                       "key `conversation`: messages do not fit into fields with commas; leave out `csv`");
    return question_open(&o->question, kind_names[o->kind], error);
}

static bool takes_plans(const sb_family *family) {
    for (size_t i = 0; i < family->n_tasks; i++)
        if (sb_oracle_that_assists(family->name, family->task(i)->name)) return true;
    return false;
}

static bool check_family(const sb_export *export, kind kind, sb_error *error) {
    const char *format = export->exporter->name, *family = export->family->name;
    if (!export->family->facts)
        return sb_fail(error, SB_INVALID, "format %s: the family %s has no rooms and things to describe", format,
                       family);
    return kind != DECOMPOSE || takes_plans(export->family) ||
           sb_fail(error, SB_INVALID, "format %s: the family %s has no oracle that takes plans", format, family);
}

static bool read_options(sb_export *export, kind kind, const cJSON *all, sb_error *error) {
    options *o = export->own = calloc(1, sizeof *o);
    if (!o) return sb_fail(error, SB_MEMORY, "out of memory for a format");
    o->kind = kind, o->style = SB_STRUCTURED;
    return check_family(export, kind, error) && read_style(all, &o->style, error) &&
           (!cJSON_HasObjectItem(all, "csv") || sb_json_bool(all, "csv", &o->csv, error)) &&
           read_conversation(export, all, o, error) && read_wording(all, &o->wording, error);
}

static void free_options(void *own) {
    options *o = own;
    sb_wording_close(&o->wording);
    question_close(&o->question);
    free(o);
}

static void add_columns(const sb_export *export, sb_columns *to) {
    const options *o = export->own;
    const column *of = columns[o->kind];
    for (int i = 0; i < COLUMNS_MAX; i++)
        sb_add_column(to, column_facts[of[i]].name, column_facts[of[i]].type, column_facts[of[i]].what);
    if (!o->conversation) return;
    sb_add_list(to, "messages", SB_COLUMN_MESSAGE, "The question and the right answer: system, user and assistant");
    sb_add_list(to, "subgoals", SB_COLUMN_TEXT, "The subgoals that the actions fulfil, one after another");
    sb_add_list(to, "subgoal_actions", SB_COLUMN_TEXT, "The actions of each subgoal: names, joined by commas");
}

/* ---- Values ---- */

/* What a row says about an episode, collected in one replay. */
typedef struct episode {
    const sb_tape *tape;
    kind kind;
    size_t step, last; /* actions that were replayed; the last one that the row covers */
    sb_facts start, end, now;
    bool conversation;
    sb_assistance assistance;
    sb_out actions;
    sb_out names; /* names of the actions, each with its NUL; only for conversations */
    sb_subgoals subgoals;
} episode;

static bool count_help(episode *e, const sb_env *env, sb_error *error) {
    const sb_oracle *oracle = sb_oracle_that_assists(env->family->name, env->task->name);
    if (!oracle) return sb_fail(error, SB_INVALID, "%s has no oracle that takes plans", env->task->name);
    return oracle->assist(env, NULL, &e->assistance, error);
}

/* Adds the action to the subgoals; `now` is what was true before it, and becomes what is true after it. */
static bool follow(episode *e, const sb_env *env, sb_action action, sb_error *error) {
    const size_t at = e->names.size;
    env->family->print_action(env, action, &e->names);
    sb_put(&e->names, "", 1);
    if (!sb_out_ok(&e->names)) return sb_fail(error, SB_MEMORY, "out of memory for a row");
    if (!subgoals_add(&e->subgoals, e->tape, &e->now, e->names.data + at, error)) return false;
    env->family->facts->tell(env, &e->now);
    return true;
}

static bool visit(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    episode *e = context;
    if (!result) env->family->facts->tell(env, &e->start), e->now = e->start;
    if (!result && e->kind == DECOMPOSE && !count_help(e, env, error)) return false;
    if (result && e->step++ < e->last) {
        if (e->step > 1) sb_puts(&e->actions, ", ");
        env->family->print_action(env, action, &e->actions);
        if (e->conversation && !follow(e, env, action, error)) return false;
    }
    if (e->step == e->last && e->kind == PREDICT) env->family->facts->tell(env, &e->end);
    return true;
}

/* Writes cell and direction: `((3, 4), 0)`. */
static void put_state(sb_out *out, const sb_facts *facts) {
    sb_putf(out, "((%d, %d), %d)", facts->agent.x, facts->agent.y, facts->direction);
}

static void put_value(const options *o, const episode *e, const sb_task_info *task, column column, sb_out *out) {
    switch (column) {
    case ENV_NAME: sb_puts(out, task->alias ? task->alias : task->name); break;
    case SEED: sb_put_uint(out, e->tape->name.seed); break;
    case ENV_DESCRIPTION: sb_describe(&o->wording, o->style, &e->start, out); break;
    case INITIAL_STATE: put_state(out, &e->start); break;
    case TARGET_STATE: put_state(out, &e->end); break;
    case ACTION_SEQUENCE:
    case EXPERT_ACTION_SEQUENCE: sb_put_out(out, &e->actions); break;
    case TARGET_SUBGOAL: sb_put_cell(out, e->start.target); break;
    case MISSION: sb_puts(out, e->start.mission); break;
    case HELP_COUNT: sb_put_uint(out, e->assistance.max_help); break;
    }
}

/* ---- Rows ---- */

static bool has_any(const sb_out *text, const char *characters) {
    for (size_t i = 0; i < text->size; i++)
        if (text->data[i] && strchr(characters, text->data[i])) return true;
    return false;
}

/* Quotes the text only if it contains a comma, a quote or a line break. */
static void put_csv_field(sb_out *out, const sb_out *text) {
    if (!sb_out_ok(text) || !has_any(text, ",\"\r\n")) {
        sb_put_out(out, text);
        return;
    }
    sb_puts(out, "\"");
    for (size_t i = 0; i < text->size; i++) {
        if (text->data[i] == '"') sb_puts(out, "\"");
        sb_put(out, &text->data[i], 1);
    }
    sb_puts(out, "\"");
}

static void put_json_field(sb_out *out, column column, const sb_out *text) {
    sb_put_key(out, column_facts[column].name);
    if (!is_number(column)) sb_puts(out, "\"");
    out->json = true;
    sb_put_out(out, text);
    out->json = false;
    if (!is_number(column)) sb_puts(out, "\"");
}

/* Writes the names of a subgoal's n actions; `*name` moves from the first of them to the first one behind them. */
static void put_subgoal_actions(sb_out *out, size_t n, const char **name) {
    sb_put_comma(out);
    sb_puts(out, "\"");
    for (size_t i = 0; i < n; i++, *name += strlen(*name) + 1) sb_puts(out, i ? ", " : ""), sb_puts(out, *name);
    sb_puts(out, "\"");
}

static void put_subgoals(const episode *e, sb_out *out) {
    const char *name = e->names.data;
    sb_put_key(out, "subgoals");
    sb_puts(out, "[");
    for (size_t i = 0; i < e->subgoals.n; i++) {
        sb_put_comma(out);
        sb_puts(out, "\"");
        put_subgoal(out, &e->subgoals.parts[i]);
        sb_puts(out, "\"");
    }
    sb_puts(out, "]");
    sb_put_key(out, "subgoal_actions");
    sb_puts(out, "[");
    for (size_t i = 0; i < e->subgoals.n; i++) put_subgoal_actions(out, e->subgoals.parts[i].n, &name);
    sb_puts(out, "]");
}

typedef struct asked {
    const options *o;
    const episode *e;
    const sb_task_info *task;
} asked;

static void put_question_field(void *context, int field, sb_out *out) {
    static const column from[] = {
        [SB_QUESTION_DESCRIPTION] = ENV_DESCRIPTION, [SB_QUESTION_STATE] = INITIAL_STATE,
        [SB_QUESTION_ACTIONS] = ACTION_SEQUENCE,     [SB_QUESTION_TARGET_STATE] = TARGET_STATE,
        [SB_QUESTION_TARGET] = TARGET_SUBGOAL,       [SB_QUESTION_MISSION] = MISSION};
    const asked *a = context;
    if (field != SB_QUESTION_PLAN) {
        put_value(a->o, a->e, a->task, from[field], out);
        return;
    }
    for (size_t i = 0; i < a->e->subgoals.n; i++) {
        if (i) sb_puts(out, "\n");
        put_subgoal(out, &a->e->subgoals.parts[i]);
    }
}

static bool put_conversation(const options *o, const episode *e, const sb_task_info *task, sb_out *out,
                             sb_error *error) {
    if (!question_put(&o->question, out, put_question_field, &(asked){o, e, task}, error)) return false;
    put_subgoals(e, out);
    return true;
}

static bool put_row(const options *o, const episode *e, const sb_task_info *task, sb_out *out, sb_error *error) {
    sb_out value = sb_out_growing();
    bool ok = true;
    if (!o->csv) sb_puts(out, "{");
    for (int i = 0; i < COLUMNS_MAX && ok; i++) {
        const column column = columns[o->kind][i];
        sb_out_clear(&value);
        put_value(o, e, task, column, &value);
        ok = sb_out_ok(&value) || sb_fail(error, SB_MEMORY, "out of memory for a row");
        if (o->csv && i) sb_puts(out, ",");
        if (o->csv)
            put_csv_field(out, &value);
        else
            put_json_field(out, column, &value);
    }
    ok = ok && (!o->conversation || put_conversation(o, e, task, out, error));
    sb_puts(out, o->csv ? "\n" : "}\n");
    sb_out_free(&value);
    return ok;
}

static bool check_episode(const episode *e, const sb_task_info *task, sb_error *error) {
    if (!sb_out_ok(&e->actions)) return sb_fail(error, SB_MEMORY, "out of memory for a row");
    return e->kind != PLAN || e->start.has_target ||
           sb_fail(error, SB_INVALID, "the mission of %s names nothing to go to: choose other levels for format plan",
                   task->name);
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    const options *o = export->own;
    const sb_tape *tape = rollout->tape;
    episode e = {.tape = tape,
                 .kind = o->kind,
                 .last = tape->n < STEPS_MAX ? tape->n : STEPS_MAX,
                 .conversation = o->conversation};
    e.actions.grows = e.names.grows = true;
    bool ok = sb_tape_replay(tape, rollout->env, visit, &e, error) &&
              (!o->conversation || subgoals_end(&e.subgoals, &e.now, error));
    ok = ok && check_episode(&e, rollout->env->task, error) && put_row(o, &e, rollout->env->task, out, error);
    sb_out_free(&e.actions), sb_out_free(&e.names);
    subgoals_free(&e.subgoals);
    *n_rows = 1;
    return ok;
}

/* ---- Comma-separated files: a header line before the rows ---- */

static bool begin(void *writer, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error) {
    (void)writer, (void)place, (void)error;
    const options *o = export->own;
    for (int i = 0; i < COLUMNS_MAX; i++)
        sb_puts(out, i ? "," : ""), sb_puts(out, column_facts[columns[o->kind][i]].name);
    sb_puts(out, "\n");
    return true;
}

static bool add(void *writer, const char *bytes, size_t n, uint64_t n_rows, sb_out *out, sb_error *error) {
    (void)writer, (void)n_rows, (void)error;
    sb_put(out, bytes, n);
    return true;
}

static bool finish(void *writer, sb_out *out, sb_error *error) {
    (void)writer, (void)out, (void)error;
    return true;
}

static void end(void *writer) { (void)writer; }

/* ---- The formats ---- */

#define FORMAT(name_, suffix_, summary_, ...)                                                                          \
    {                                                                                                                  \
        .name = name_, .suffix = suffix_, .other = "csv", .summary = summary_, .keys = keys, .document = "templates",  \
        .keeps_failures = true, .free = free_options, .columns = add_columns, .rows = rows, __VA_ARGS__                \
    }
#define PREDICT_IS   "BabyBench's Predict: a row an episode, actions and the state they lead to"
#define PLAN_IS      "BabyBench's Plan: a row an episode, where to go and the expert's actions"
#define DECOMPOSE_IS "BabyBench's Decompose: a row an episode, the mission and how much help it takes"
#define FILE_OF_ROWS .writer_size = 1, .begin = begin, .add = add, .finish = finish, .end = end

static const sb_exporter csv_formats[N_KINDS] = {
    [PREDICT] = FORMAT("predict", "csv", PREDICT_IS, FILE_OF_ROWS),
    [PLAN] = FORMAT("plan", "csv", PLAN_IS, FILE_OF_ROWS),
    [DECOMPOSE] = FORMAT("decompose", "csv", DECOMPOSE_IS, FILE_OF_ROWS),
};

/* Reads the options of a format. A file with a header needs a writer, so it has an exporter of its own with the same
 * name. */
static bool read_as(sb_export *export, kind kind, const cJSON *all, sb_error *error) {
    if (!read_options(export, kind, all, error)) return false;
    if (((const options *)export->own)->csv) export->exporter = &csv_formats[kind];
    return true;
}

static bool read_predict(sb_export *export, const cJSON *all, sb_error *error) {
    return read_as(export, PREDICT, all, error);
}
static bool read_plan(sb_export *export, const cJSON *all, sb_error *error) {
    return read_as(export, PLAN, all, error);
}
static bool read_decompose(sb_export *export, const cJSON *all, sb_error *error) {
    return read_as(export, DECOMPOSE, all, error);
}

extern const sb_exporter sb_predict, sb_plan_rows, sb_decompose;
const sb_exporter sb_predict = FORMAT("predict", "jsonl.gz", PREDICT_IS, .read = read_predict);
const sb_exporter sb_plan_rows = FORMAT("plan", "jsonl.gz", PLAN_IS, .read = read_plan);
const sb_exporter sb_decompose = FORMAT("decompose", "jsonl.gz", DECOMPOSE_IS, .read = read_decompose);
