#include "generators/autumn/challenges/pack.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "engine/catalogue.h"
#include "generators/autumn/programs.h"

/* Takes the next word of a list with commas; false at its end. */
static bool next_word(const char **list, char word[64]) {
    const size_t n = strcspn(*list, ",");
    if (!**list) return false;
    snprintf(word, 64, "%.*s", (int)n, *list);
    *list += n + ((*list)[n] == ',');
    return true;
}

bool sb_autumn_pack_read_kinds(const char *text, sb_autumn_pack_plan *plan, sb_error *error) {
    char word[64];
    bool any = false;
    while (next_word(&text, word)) {
        size_t kind;
        if (!sb_find_word(sb_autumn_challenge_names, SB_AUTUMN_N_CHALLENGES, word, &kind))
            return sb_fail(error, SB_INVALID, "there is no kind `%s`; the kinds are mfp, planning and change", word);
        plan->kinds[kind] = any = true;
    }
    return any || sb_fail(error, SB_INVALID, "name a kind: mfp, planning or change");
}

bool sb_autumn_pack_read_levels(const char *text, sb_autumn_pack_plan *plan, sb_error *error) {
    unsigned from, to;
    int end = 0;
    const bool range = sscanf(text, "%1u..%1u%n", &from, &to, &end) == 2 && !text[end];
    if (!range && (sscanf(text, "%1u%n", &from, &end) != 1 || text[end])) from = 0;
    if (!range) to = from;
    if (from < 1 || to < from || to > SB_AUTUMN_LEVELS)
        return sb_fail(error, SB_INVALID, "levels are 1 to %d, such as `2` or `1..3`", SB_AUTUMN_LEVELS);
    plan->from_level = from, plan->to_level = to;
    return true;
}

/* Whether a word is the name of a world and a difficulty, as in `Crates/easy`. */
static bool is_of_world(const char *word) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t n = strspn(word, letters);
    return n && word[n] == '/' && word[n + 1] && !word[n + 1 + strspn(word + n + 1, letters)] &&
           strlen(word) < SB_AUTUMN_PLAIN_NAME;
}

/* Whether a word is the name of a program that a user brought: made from its text, or that of a world. */
static bool is_own(const char *word) {
    enum { DIGITS = 16 };
    static const size_t begin = sizeof SB_PROGRAM_PREFIX - 1;
    return is_of_world(word) || (strncmp(word, SB_PROGRAM_PREFIX, begin) == 0 && strlen(word) == begin + DIGITS &&
                                 strspn(word + begin, "0123456789abcdef") == DIGITS);
}

/* Adds the name of a program that a user brought. Names ascend, and each is there once. */
static bool add_own(const char *word, sb_autumn_pack_plan *plan, sb_error *error) {
    size_t at = 0;
    while (at < plan->n_own && strcmp(plan->own[at], word) < 0) at++;
    if (at < plan->n_own && strcmp(plan->own[at], word) == 0) return true;
    if (plan->n_own == SB_AUTUMN_PACK_OWN)
        return sb_fail(error, SB_INVALID, "a pack has challenges from at most %d programs of users",
                       SB_AUTUMN_PACK_OWN);
    memmove(plan->own + at + 1, plan->own + at, (plan->n_own - at) * sizeof *plan->own);
    memset(plan->own[at], 0, sizeof *plan->own);
    strcpy(plan->own[at], word);
    return ++plan->n_own;
}

static bool add_difficulties(const sb_autumn_task *world, sb_autumn_pack_plan *plan, sb_error *error) {
    for (size_t i = 0; i < SB_AUTUMN_DIFFICULTIES_MAX && world->plain[i]; i++)
        if (!add_own(world->plain[i]->name, plan, error)) return false;
    return true;
}

static bool add_program(const char *word, const sb_catalogue *catalogue, sb_autumn_pack_plan *plan, sb_error *error) {
    sb_error ignored;
    size_t i = 0;
    if (is_own(word)) return add_own(word, plan, error);
    const sb_autumn_task *task = sb_autumn_pack_task(word, catalogue, &ignored);
    if (task && task->world) return add_difficulties(task, plan, error);
    while (i < SB_AUTUMN_N_PROGRAMS && strcmp(word, sb_autumn_task_at(i)->name) != 0) i++;
    if (i == SB_AUTUMN_N_PROGRAMS)
        return sb_fail(error, SB_INVALID, "there is no program `%s`; `seedbed tasks --family autumn` lists them", word);
    return plan->programs[i] = true;
}

bool sb_autumn_pack_read_programs(const char *text, const sb_catalogue *catalogue, sb_autumn_pack_plan *plan,
                                  sb_error *error) {
    char word[64];
    bool any = false;
    while (next_word(&text, word)) {
        if (!add_program(word, catalogue, plan, error)) return false;
        any = true;
    }
    return any || sb_fail(error, SB_INVALID, "name a program");
}

static size_t count(const bool *set, size_t n) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += set[i];
    return found;
}

size_t sb_autumn_pack_names(const sb_autumn_pack_plan *plan) {
    return (plan->to_level - plan->from_level + 1) * (size_t)plan->seeds;
}

size_t sb_autumn_pack_size(const sb_autumn_pack_plan *plan) {
    return (count(plan->programs, SB_AUTUMN_N_PROGRAMS) + plan->n_own) * count(plan->kinds, SB_AUTUMN_N_CHALLENGES) *
           (plan->one ? 1 : sb_autumn_pack_names(plan));
}

static size_t nth(const bool *set, size_t n) {
    size_t i = 0;
    while (!set[i] || n--) i++;
    return i;
}

const char *sb_autumn_pack_program(const sb_autumn_pack_plan *plan, size_t program) {
    return program < SB_AUTUMN_N_PROGRAMS ? sb_autumn_task_at(program)->name
                                          : plan->own[program - SB_AUTUMN_N_PROGRAMS];
}

/* The n-th program of the plan, by its number. */
static size_t nth_program(const sb_autumn_pack_plan *plan, size_t n) {
    const size_t listed = count(plan->programs, SB_AUTUMN_N_PROGRAMS);
    return n < listed ? nth(plan->programs, n) : SB_AUTUMN_N_PROGRAMS + n - listed;
}

sb_autumn_pack_item sb_autumn_pack_item_at(const sb_autumn_pack_plan *plan, size_t index) {
    const size_t names = plan->one ? 1 : sb_autumn_pack_names(plan), kinds = count(plan->kinds, SB_AUTUMN_N_CHALLENGES);
    return (sb_autumn_pack_item){.program = nth_program(plan, index / names / kinds),
                                 .kind = (sb_autumn_challenge_kind)nth(plan->kinds, index / names % kinds),
                                 .first = index % names,
                                 .n = plan->one ? sb_autumn_pack_names(plan) : 1};
}

sb_autumn_challenge_name sb_autumn_pack_name_at(const sb_autumn_pack_plan *plan, const sb_autumn_pack_item *item,
                                                size_t try) {
    static const uint32_t middle_first[SB_AUTUMN_LEVELS] = {2, 3, 1, 4};
    const size_t seeds = (size_t)plan->seeds, number = (item->first + try) / seeds;
    sb_autumn_challenge_name name = {.kind = item->kind, .seed = plan->first_seed + (item->first + try) % seeds};
    snprintf(name.program, sizeof name.program, "%s", sb_autumn_pack_program(plan, item->program));
    name.level = plan->from_level + (uint32_t)number;
    for (size_t i = 0, met = 0; plan->one && i < SB_AUTUMN_LEVELS; i++)
        if (middle_first[i] >= plan->from_level && middle_first[i] <= plan->to_level && met++ == number)
            name.level = middle_first[i];
    return name;
}

bool sb_autumn_pack_has(const sb_autumn_pack_plan *plan, const sb_autumn_pack_item *item,
                        const sb_autumn_challenge_name *name) {
    for (size_t i = 0; i < item->n; i++) {
        const sb_autumn_challenge_name one = sb_autumn_pack_name_at(plan, item, i);
        if (one.level == name->level && one.seed == name->seed)
            return one.kind == name->kind && strcmp(one.program, name->program) == 0;
    }
    return false;
}

void sb_autumn_pack_put_head(const sb_autumn_pack_plan *plan, sb_out *out) {
    sb_puts(out, "{\"format\": \"" SB_AUTUMN_PACK_FORMAT "\"");
    sb_member_uint(out, "version", plan->version ? plan->version : SB_AUTUMN_CHALLENGE_VERSION);
    sb_put_key(out, "programs");
    sb_puts(out, "[");
    for (size_t i = 0; i < SB_AUTUMN_N_PROGRAMS; i++)
        if (plan->programs[i]) sb_put_comma(out), sb_put_json_string(out, sb_autumn_task_at(i)->name);
    for (size_t i = 0; i < plan->n_own; i++) sb_put_comma(out), sb_put_json_string(out, plan->own[i]);
    sb_puts(out, "]");
    sb_put_key(out, "kinds");
    sb_puts(out, "[");
    for (int k = 0; k < SB_AUTUMN_N_CHALLENGES; k++)
        if (plan->kinds[k]) sb_put_comma(out), sb_put_json_string(out, sb_autumn_challenge_names[k]);
    sb_puts(out, "]");
    sb_member_uint(out, "from_level", plan->from_level);
    sb_member_uint(out, "to_level", plan->to_level);
    sb_member_uint(out, "first_seed", plan->first_seed);
    sb_member_uint(out, "seeds", plan->seeds);
    if (plan->one) sb_member_bool(out, "one", true);
    if (*plan->apart_from) sb_member_text(out, "apart_from", plan->apart_from);
    sb_puts(out, "}\n");
}

/* Reads the texts of a list, each by the function `read`. */
static bool read_words(const cJSON *head, const char *key,
                       bool (*read)(const char *text, sb_autumn_pack_plan *plan, sb_error *error),
                       sb_autumn_pack_plan *plan, sb_error *error) {
    const cJSON *list, *word;
    if (!sb_json_array(head, key, &list, error)) return false;
    cJSON_ArrayForEach(word, list) {
        if (!cJSON_IsString(word)) return sb_fail(error, SB_INVALID, "key `%s` should hold texts", key);
        if (!read(word->valuestring, plan, error)) return false;
    }
    return true;
}

static bool read_listed_programs(const char *text, sb_autumn_pack_plan *plan, sb_error *error) {
    return sb_autumn_pack_read_programs(text, NULL, plan, error);
}

static bool read_members(const cJSON *head, sb_autumn_pack_plan *plan, sb_error *error) {
    uint64_t version, from, to;
    if (!sb_json_uint(head, "version", &version, error) || !sb_json_uint(head, "from_level", &from, error) ||
        !sb_json_uint(head, "to_level", &to, error) || !sb_json_uint(head, "first_seed", &plan->first_seed, error) ||
        !sb_json_uint(head, "seeds", &plan->seeds, error) ||
        !read_words(head, "programs", read_listed_programs, plan, error) ||
        !read_words(head, "kinds", sb_autumn_pack_read_kinds, plan, error))
        return false;
    if (version < 1 || version > SB_AUTUMN_CHALLENGE_VERSION)
        return sb_fail(error, SB_VERSION_OTHER,
                       "the challenges have version %llu, but this program reads versions 1 to %d",
                       (unsigned long long)version, SB_AUTUMN_CHALLENGE_VERSION);
    if (from < 1 || to < from || to > SB_AUTUMN_LEVELS || plan->seeds < 1 || plan->seeds > SB_AUTUMN_PACK_SEEDS)
        return sb_fail(error, SB_INVALID, "levels or seeds are out of range");
    plan->version = (uint32_t)version;
    plan->from_level = (uint32_t)from, plan->to_level = (uint32_t)to;
    plan->one = cJSON_HasObjectItem(head, "one");
    return !cJSON_HasObjectItem(head, "apart_from") || sb_json_sha256(head, "apart_from", plan->apart_from, error);
}

/* The first line must be just what would be written. */
bool sb_autumn_pack_read_head(const char *line, size_t n, sb_autumn_pack_plan *plan, sb_error *error) {
    *plan = (sb_autumn_pack_plan){0};
    cJSON *const head = sb_json_parse(line, n, error);
    sb_out again = sb_out_growing();
    bool ok = head && ((cJSON_IsObject(head) && read_members(head, plan, error)) ||
                       (!cJSON_IsObject(head) && sb_fail(error, SB_INVALID, "the first line is no object")));
    if (ok) sb_autumn_pack_put_head(plan, &again);
    if (ok && (!sb_out_ok(&again) || again.size != n || memcmp(again.data, line, n) != 0))
        ok = sb_fail(error, SB_INVALID, "the first line is not that of a pack of challenges");
    sb_out_free(&again);
    cJSON_Delete(head);
    return ok;
}
