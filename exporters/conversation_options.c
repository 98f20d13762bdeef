/* Reads the options of conversations. */
#include "exporters/conversation.h"

#include <string.h>

#include "base/error.h"
#include "exporters/pixels.h"

enum { TURNS_MAX = 1000 };

static const char *const styles[SB_CHAT_STYLES] = {"messages", "prompt", "prompt_messages"};

static const char *const field_names[SB_CHAT_FIELDS] = {
    "task",      "description", "category", "difficulty", "name",          "seed",    "step",         "turn",
    "max_steps", "observation", "scene",    "actions",    "valid_actions", "history", "instructions", "image"};
static const char *const past_names[] = {"step", "turn", "action", "action_name", "reward", "observation", NULL};
static const char *const valid_names[] = {"action", "action_name", NULL};
static const char *const answer_names[] = {"action", "action_name", "step", "turn", "rationale", "reasoning", NULL};
static const char *const said_names[] = {"thought", NULL};
static const char *const why_names[] = {"intent", "verb", "object", "reason", NULL};

static bool read_template(const cJSON *object, const char *key, const char *standard, const char *const *fields,
                          sb_template *template, sb_error *error) {
    if (!sb_json_optional_string(object, key, &standard, error)) return false;
    return sb_template_parse(template, standard, fields, error) || sb_fail_at(error, "key `%s`", key);
}

static bool read_count(const cJSON *object, const char *key, uint64_t *count, sb_error *error) {
    if (cJSON_HasObjectItem(object, key) && !sb_json_uint(object, key, count, error)) return false;
    return *count <= TURNS_MAX || sb_fail(error, SB_INVALID, "key `%s` should be %d steps at most", key, TURNS_MAX);
}

static bool read_list(const cJSON *object, const char *const known[], const char *standard, const char *const *fields,
                      sb_chat_list *l, sb_error *error) {
    if (object && !sb_json_known_keys(object, known, error)) return false;
    return read_template(object, "item", standard, fields, &l->item, error) &&
           sb_json_optional_string(object, "separator", &l->separator, error) &&
           sb_json_optional_string(object, "empty", &l->empty, error);
}

static bool read_history(const cJSON *all, sb_chat_options *o, sb_error *error) {
    static const char *const known[] = {"steps", "item", "separator", "empty", NULL};
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(all, "history");
    o->history = object ? 0 : 5;
    o->past = (sb_chat_list){.separator = "\n", .empty = "none"};
    return (read_list(object, known, "{step}: {action_name}", past_names, &o->past, error) &&
            (!object || sb_json_uint(object, "steps", &o->history, error)) &&
            (o->history <= TURNS_MAX || sb_fail(error, SB_INVALID, "key `steps` should be %d at most", TURNS_MAX))) ||
           sb_fail_at(error, "key `history`");
}

static bool read_valid(const cJSON *all, sb_chat_options *o, sb_error *error) {
    static const char *const known[] = {"item", "separator", "empty", NULL};
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(all, "valid");
    o->valid = (sb_chat_list){.separator = ", ", .empty = "none"};
    return read_list(object, known, "{action_name}", valid_names, &o->valid, error) || sb_fail_at(error, "key `valid`");
}

static bool read_kind(const cJSON *all, sb_chat_options *o, sb_error *error) {
    static const char *const of_rows[] = {"step", "episode"};
    size_t style = o->style, rows = 0;
    if (!sb_json_optional_word(all, "style", styles, SB_CHAT_STYLES, &style, error) ||
        !sb_json_optional_word(all, "rows", of_rows, 2, &rows, error))
        return false;
    o->style = (sb_chat_style)style, o->by_episode = rows == 1;
    return true;
}

static bool check_turns(const sb_export *export, const sb_chat_options *o, sb_error *error) {
    if (o->by_episode && export->taken)
        return sb_fail(error, SB_INVALID, "key `taken`: rows of whole episodes have no actions before them");
    if (o->by_episode && o->turns)
        return sb_fail(error, SB_INVALID, "key `turns`: rows of whole episodes have all turns, so leave the key out");
    return !(o->style == SB_CHAT_PROMPT && o->turns) ||
           sb_fail(error, SB_INVALID, "key `turns`: the style `prompt` has one text; use {history} to show the past");
}

/* Lists the family's texts that stay the same during an episode. */
static size_t list_texts(const sb_family *family, const sb_array *texts[SB_CHAT_TEXTS]) {
    size_t n = 0;
    for (size_t i = 0; i < family->n_arrays && n < SB_CHAT_TEXTS; i++)
        if (family->arrays[i].type == SB_CHAR && family->arrays[i].constant) texts[n++] = &family->arrays[i];
    return n;
}

static const char *standard_system(const sb_export *export) {
    return export->hints_offer ? "You play {task}. {description}\nAnswer with one of the valid actions."
                               : "You play {task}. {description}\nAnswer with one of these actions: {actions}.";
}

/* Returns the usual user text. A picture takes the place of the observation. It shows no texts, so those of the family
 * follow it. */
static const char *standard_user(const sb_export *export, sb_chat_options *o, size_t n_texts) {
    if (!o->brush) return export->hints_offer ? "{scene}\n\nValid actions: {valid_actions}" : "{scene}";
    sb_out out = sb_out_fixed(o->user_standard, sizeof o->user_standard);
    sb_puts(&out, "{image}");
    for (size_t i = 0; i < n_texts; i++)
        sb_puts(&out, "\n"), sb_puts(&out, o->texts[i]->name), sb_puts(&out, ": {"), sb_puts(&out, o->texts[i]->name),
            sb_puts(&out, "}");
    if (export->hints_offer) sb_puts(&out, "\nValid actions: {valid_actions}");
    sb_out_finish(&out);
    return o->user_standard;
}

/* Reads whose intents {rationale} tells. */
static bool read_intents(const cJSON *all, bool *any, sb_error *error) {
    const char *text = "shown";
    if (!sb_json_optional_string(all, "intents", &text, error)) return false;
    *any = strcmp(text, "any") == 0;
    return *any || strcmp(text, "shown") == 0 ||
           sb_fail(error, SB_INVALID, "key `intents` should be shown or any, not `%.40s`", text);
}

bool sb_conversation_has(const sb_chat_options *o, int field) {
    return sb_template_has(&o->system, field) || sb_template_has(&o->user, field);
}

/* Whether any text of the row shows coordinates: the observation, or another mode. */
static bool shows_places(const sb_export *export, const sb_chat_options *o) {
    const sb_family *family = export->family;
    for (size_t i = 0; i < family->n_modes; i++) {
        const sb_mode *mode = &family->modes[i];
        const bool seen = export->n_modes && export->modes[0] == mode &&
                          (sb_conversation_has(o, SB_CHAT_OBSERVATION) || sb_conversation_has(o, SB_CHAT_SCENE));
        if (!mode->relative && (seen || sb_conversation_has(o, SB_CHAT_FIELDS + (int)i))) return true;
    }
    return false;
}

/* Whether any text of the row lists the published hint: by itself, or in an observation that ends with it. */
static bool lists_hint(const sb_export *export, const sb_chat_options *o) {
    const sb_family *family = export->family;
    if (sb_conversation_has(o, SB_CHAT_VALID_ACTIONS)) return true;
    if (sb_conversation_has(o, SB_CHAT_OBSERVATION) && export->n_modes && export->modes[0]->scene) return true;
    for (size_t i = 0; i < family->n_modes; i++)
        if (family->modes[i].scene && sb_conversation_has(o, SB_CHAT_FIELDS + (int)i)) return true;
    return false;
}

/* Reads how deep rationales go. */
static bool read_depth(const cJSON *all, sb_depth *depth, sb_error *error) {
    static const char *const names[SB_N_DEPTHS] = {"intent", "plan", "search"};
    size_t index = SB_DEPTH_INTENT;
    if (!sb_json_optional_word(all, "reasons", names, SB_N_DEPTHS, &index, error)) return false;
    *depth = (sb_depth)index;
    return true;
}

/* Refuses a text that stands nowhere in the answer. */
static bool check_use(const cJSON *all, const char *key, bool is_used, sb_error *error) {
    return is_used || !cJSON_HasObjectItem(all, key) ||
           sb_fail(error, SB_INVALID, "key `%s`: put {%s}, where it stands, into `answer`", key, key);
}

/* Reads who makes the claims of rationales. What these tell must not be hidden from the agent. */
static bool read_teller(const sb_export *export, sb_chat_options *o, const cJSON *all, sb_error *error) {
    if (!sb_template_has(&o->answer, SB_CHAT_ANSWER_RATIONALE))
        return sb_fail(error, SB_INVALID, "key `reasons`: put {rationale}, where they stand, into `answer`");
    return sb_teller_read(export, all, &o->teller, error) &&
           (export->any_intents || sb_teller_is_open(export, o->teller, error) || sb_fail_at(error, "key `reasons`"));
}

bool sb_conversation_read(sb_export *export, sb_chat_options *o, const cJSON *all, sb_error *error) {
    const sb_family *family = export->family;
    const size_t n_texts = list_texts(family, o->texts);
    size_t n = 0;
    for (; n < SB_CHAT_FIELDS; n++) o->fields[n] = field_names[n];
    for (size_t i = 0; i < family->n_modes && n < SB_CHAT_TEXT_FIELDS - 1; i++) o->fields[n++] = family->modes[i].name;
    for (size_t i = 0; i < n_texts && n < SB_CHAT_TEXT_FIELDS - 1; i++) o->fields[n++] = o->texts[i]->name;
    if (!sb_pixels_read(export, all, SB_PIXELS_FILES, &o->brush, error) || !read_kind(all, o, error) ||
        !read_count(all, "turns", &o->turns, error) || !read_history(all, o, error) || !read_valid(all, o, error) ||
        !read_template(all, "system", standard_system(export), o->fields, &o->system, error) ||
        !read_template(all, "user", standard_user(export, o, n_texts), o->fields, &o->user, error) ||
        !read_template(all, "answer", "{action_name}", answer_names, &o->answer, error) ||
        !read_depth(all, &o->depth, error) ||
        !read_template(all, "rationale", o->depth ? "{reason} " : "{intent}. ", why_names, &o->rationale, error) ||
        !read_template(all, "reasoning", "{thought}\n", said_names, &o->reasoning, error) ||
        !read_intents(all, &export->any_intents, error) || !sb_read_taken(export, all, error))
        return false;
    o->places = shows_places(export, o);
    o->offers_all = export->hints_offer || sb_conversation_has(o, SB_CHAT_ACTIONS);
    o->offers_hint = !o->offers_all && lists_hint(export, o);
    export->needs_intents = sb_template_has(&o->answer, SB_CHAT_ANSWER_RATIONALE);
    export->needs_thoughts = sb_template_has(&o->answer, SB_CHAT_ANSWER_REASONING);
    if (!check_use(all, "rationale", export->needs_intents, error) ||
        !check_use(all, "reasoning", export->needs_thoughts, error))
        return false;
    if (o->depth && !read_teller(export, o, all, error)) return false;
    return check_turns(export, o, error);
}

/* ---- What a model was asked ---- */

/* Whether the text is the same template. */
static bool is_template(const sb_template *t, const cJSON *text, const char *const *fields) {
    sb_template other;
    sb_error unknown;
    if (!cJSON_IsString(text) || !sb_template_parse(&other, text->valuestring, fields, &unknown) || other.n != t->n)
        return false;
    for (size_t i = 0; i < t->n; i++)
        if (other.pieces[i].field != t->pieces[i].field || other.pieces[i].n != t->pieces[i].n ||
            (t->pieces[i].n && memcmp(other.pieces[i].text, t->pieces[i].text, t->pieces[i].n) != 0))
            return false;
    return true;
}

static bool is_text(const char *text, const cJSON *object, const char *key) {
    const char *other = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return other && strcmp(other, text) == 0;
}

static bool is_list(const sb_chat_list *l, const cJSON *object, const char *const *fields) {
    return is_template(&l->item, cJSON_GetObjectItemCaseSensitive(object, "item"), fields) &&
           is_text(l->separator, object, "separator") && is_text(l->empty, object, "empty");
}

static bool is_count(uint64_t n, const cJSON *item) {
    uint64_t other;
    return sb_json_is_uint(item, &other) && other == n;
}

/* Who does not say which mode it was shown was shown the first one, as rows are unless they say more. */
static bool is_mode(const sb_export *export, const sb_chat_options *o, const cJSON *prompts) {
    const char *mode = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(prompts, "mode"));
    const bool shown = sb_conversation_has(o, SB_CHAT_OBSERVATION) || sb_conversation_has(o, SB_CHAT_SCENE);
    return !mode || !shown || !export->n_modes || strcmp(mode, export->modes[0]->name) == 0;
}

const char *sb_conversation_asks_otherwise(const sb_export *export, const sb_chat_options *o, const cJSON *prompts) {
    const cJSON *const system = cJSON_GetObjectItemCaseSensitive(prompts, "system");
    const cJSON *const user = cJSON_GetObjectItemCaseSensitive(prompts, "user");
    const cJSON *const history = cJSON_GetObjectItemCaseSensitive(prompts, "history");
    const cJSON *const turns = cJSON_GetObjectItemCaseSensitive(prompts, "turns");
    const bool lists = sb_conversation_has(o, SB_CHAT_ACTIONS) || sb_conversation_has(o, SB_CHAT_VALID_ACTIONS);
    if (!cJSON_IsString(system) || !cJSON_IsString(user)) return NULL;
    if (!is_template(&o->system, system, o->fields)) return "system";
    if (!is_template(&o->user, user, o->fields)) return "user";
    if (!is_template(&o->answer, cJSON_GetObjectItemCaseSensitive(prompts, "answer"), answer_names)) return "answer";
    if (!is_mode(export, o, prompts)) return "modes";
    if (lists && !is_list(&o->valid, cJSON_GetObjectItemCaseSensitive(prompts, "valid"), valid_names)) return "valid";
    if (sb_conversation_has(o, SB_CHAT_HISTORY) &&
        !(is_list(&o->past, history, past_names) &&
          is_count(o->history, cJSON_GetObjectItemCaseSensitive(history, "steps"))))
        return "history";
    return (o->by_episode ? is_text("all", prompts, "turns") : is_count(o->turns, turns)) ? NULL : "turns";
}
