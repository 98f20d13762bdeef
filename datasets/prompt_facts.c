#include "datasets/prompts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

void sb_prompt_list_free(sb_prompt_list *list) {
    for (size_t i = 0; i < list->n; i++) free(list->of[i].in);
    free(list->of);
    *list = (sb_prompt_list){0};
}

sb_prompt_facts *sb_prompt_list_add(sb_prompt_list *list, const char *name, const char *split, sb_error *error) {
    sb_prompt_facts *of = realloc(list->of, (list->n + 1) * sizeof *of);
    if (!of) return sb_fail(error, SB_MEMORY, "out of memory for counts of prompts"), NULL;
    list->of = of;
    sb_prompt_facts *facts = &of[list->n++];
    *facts = (sb_prompt_facts){.counts.one_in = 1};
    snprintf(facts->name, sizeof facts->name, "%s", name);
    snprintf(facts->split, sizeof facts->split, "%s", split);
    return facts;
}

bool sb_prompt_facts_add_conflicts(sb_prompt_facts *facts, const char *task, const char *difficulty, uint64_t prompts,
                                   sb_error *error) {
    sb_prompt_conflicts *in = realloc(facts->in, (facts->n_in + 1) * sizeof *in);
    if (!in) return sb_fail(error, SB_MEMORY, "out of memory for counts of prompts");
    facts->in = in;
    sb_prompt_conflicts *last = &in[facts->n_in++];
    *last = (sb_prompt_conflicts){.prompts = prompts};
    snprintf(last->task, sizeof last->task, "%s", task);
    snprintf(last->difficulty, sizeof last->difficulty, "%s", difficulty);
    return true;
}

/* ---- Writing ---- */

static void print_conflicts(const sb_prompt_facts *f, sb_out *out) {
    sb_put_key(out, "conflicts_in");
    sb_puts(out, "[");
    for (size_t i = 0; i < f->n_in; i++) {
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "task", f->in[i].task);
        if (*f->in[i].difficulty) sb_member_text(out, "difficulty", f->in[i].difficulty);
        sb_member_uint(out, "prompts", f->in[i].prompts);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void print_facts(const sb_prompt_facts *f, bool alone, sb_out *out) {
    sb_puts(out, "{");
    sb_member_text(out, "format", f->name);
    if (*f->split) sb_member_text(out, "split", f->split);
    sb_member_uint(out, "rows", f->counts.rows);
    sb_member_uint(out, "prompts", f->counts.prompts);
    sb_member_uint(out, "repeated", f->counts.repeated);
    sb_member_uint(out, "conflicts", f->counts.conflicts);
    sb_member_uint(out, "answers", f->counts.answers);
    print_conflicts(f, out);
    sb_member_uint(out, "counted_one_in", f->counts.one_in);
    sb_member_uint(out, "duplicates_left_out", f->duplicates);
    sb_member_uint(out, "apart_left_out", f->apart);
    if (f->compared && !alone) {
        sb_put_key(out, "evaluation");
        sb_puts(out, "{");
        sb_member_uint(out, "listed", f->listed);
        sb_member_uint(out, "played", f->episodes);
        sb_member_uint(out, "prompts", f->evaluation);
        sb_member_uint(out, "found", f->found);
        sb_puts(out, "}");
    }
    sb_puts(out, "}");
}

void sb_prompt_list_print(const sb_prompt_list *list, bool alone, sb_out *out) {
    sb_put_key(out, "prompts");
    sb_puts(out, "[");
    for (size_t i = 0; i < list->n; i++) {
        sb_put_comma(out);
        sb_puts(out, "\n  ");
        print_facts(&list->of[i], alone, out);
    }
    sb_puts(out, "]");
}

/* ---- Reading ---- */

static bool read_conflicts(const cJSON *object, sb_prompt_facts *facts, sb_error *error) {
    static const char *const keys[] = {"task", "difficulty", "prompts", NULL};
    const cJSON *list, *item;
    if (!sb_json_array(object, "conflicts_in", &list, error)) return false;
    cJSON_ArrayForEach(item, list) {
        const char *task, *difficulty = "";
        uint64_t prompts;
        if (!sb_json_known_keys(item, keys, error) || !sb_json_string(item, "task", &task, error) ||
            !sb_json_optional_string(item, "difficulty", &difficulty, error) ||
            !sb_json_uint(item, "prompts", &prompts, error) ||
            !sb_prompt_facts_add_conflicts(facts, task, difficulty, prompts, error))
            return sb_fail_at(error, "key `conflicts_in`");
    }
    return true;
}

static bool read_evaluation(const cJSON *object, sb_prompt_facts *f, sb_error *error) {
    static const char *const keys[] = {"listed", "played", "prompts", "found", NULL};
    const cJSON *item;
    f->compared = cJSON_HasObjectItem(object, "evaluation");
    return !f->compared ||
           (sb_json_object(object, "evaluation", &item, error) && sb_json_known_keys(item, keys, error) &&
            sb_json_uint(item, "listed", &f->listed, error) && sb_json_uint(item, "played", &f->episodes, error) &&
            sb_json_uint(item, "prompts", &f->evaluation, error) && sb_json_uint(item, "found", &f->found, error)) ||
           sb_fail_at(error, "key `evaluation`");
}

static bool read_item(const cJSON *object, sb_prompt_list *list, sb_error *error) {
    static const char *const keys[] = {"format",
                                       "split",
                                       "rows",
                                       "prompts",
                                       "repeated",
                                       "conflicts",
                                       "answers",
                                       "conflicts_in",
                                       "counted_one_in",
                                       "evaluation",
                                       "duplicates_left_out",
                                       "apart_left_out",
                                       NULL};
    const char *name, *split = "";
    if (!sb_json_known_keys(object, keys, error) || !sb_json_string(object, "format", &name, error) ||
        !sb_json_optional_string(object, "split", &split, error))
        return false;
    sb_prompt_facts *f = sb_prompt_list_add(list, name, split, error);
    return f && sb_json_uint(object, "rows", &f->counts.rows, error) &&
           sb_json_uint(object, "prompts", &f->counts.prompts, error) &&
           sb_json_uint(object, "repeated", &f->counts.repeated, error) &&
           sb_json_uint(object, "conflicts", &f->counts.conflicts, error) &&
           sb_json_uint(object, "answers", &f->counts.answers, error) &&
           sb_json_uint(object, "counted_one_in", &f->counts.one_in, error) &&
           sb_json_uint(object, "duplicates_left_out", &f->duplicates, error) &&
           sb_json_uint(object, "apart_left_out", &f->apart, error) && read_conflicts(object, f, error) &&
           read_evaluation(object, f, error);
}

bool sb_prompt_list_read(const cJSON *manifest, sb_prompt_list *list, sb_error *error) {
    const cJSON *items, *item;
    if (!sb_json_array(manifest, "prompts", &items, error)) return false;
    cJSON_ArrayForEach(item, items) {
        if (list->n == SB_FORMATS_MAX * SB_SPLITS_MAX)
            return sb_fail(error, SB_INVALID, "key `prompts` has too many items");
        if (!read_item(item, list, error)) return sb_fail_at(error, "key `prompts`: item %zu", list->n);
    }
    return true;
}
