#include "datasets/text_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

bool sb_texts_measure(const sb_texts *texts, sb_tokenizer *tokenizer, const char *rows, size_t n, sb_out *list,
                      uint64_t *characters, uint64_t *tokens, sb_error *error) {
    list->grows = true;
    sb_out_clear(list);
    *tokens = 0;
    *characters = sb_texts_count(texts, rows, n, tokenizer ? list : NULL);
    if (!tokenizer) return true;
    sb_putc(list, '\n');
    return (sb_out_ok(list) || sb_fail(error, SB_MEMORY, "out of memory for texts")) &&
           sb_tokenizer_count(tokenizer, list, tokens, error);
}

/* ---- The list ---- */

void sb_text_list_free(sb_text_list *list) {
    free(list->of);
    *list = (sb_text_list){0};
}

static sb_text_facts *add(sb_text_list *list, const char *task, const char *difficulty, sb_error *error) {
    sb_text_facts *of = realloc(list->of, (list->n + 1) * sizeof *of);
    if (!of) return sb_fail(error, SB_MEMORY, "out of memory for counts of texts"), NULL;
    list->of = of;
    sb_text_facts *facts = &of[list->n++];
    *facts = (sb_text_facts){0};
    snprintf(facts->task, sizeof facts->task, "%s", task);
    snprintf(facts->difficulty, sizeof facts->difficulty, "%s", difficulty);
    return facts;
}

bool sb_text_list_make(const sb_stats *stats, bool has_tokens, sb_text_list *list, sb_error *error) {
    list->has_tokens = has_tokens;
    for (size_t i = 0; i < stats->n; i++) {
        const sb_stats_group *g = &stats->groups[i];
        sb_text_facts *facts = add(list, g->name.task, g->name.difficulty, error);
        if (!facts) return false;
        facts->characters = g->characters, facts->tokens = g->tokens;
    }
    return true;
}

sb_text_facts sb_text_list_total(const sb_text_list *list) {
    sb_text_facts total = {.task = "all"};
    for (size_t i = 0; i < list->n; i++) total.characters += list->of[i].characters, total.tokens += list->of[i].tokens;
    return total;
}

bool sb_text_lists_agree(const sb_text_list *a, const sb_text_list *b) {
    bool agree = a->n == b->n && a->has_tokens == b->has_tokens;
    for (size_t i = 0; agree && i < a->n; i++)
        agree = strcmp(a->of[i].task, b->of[i].task) == 0 && strcmp(a->of[i].difficulty, b->of[i].difficulty) == 0 &&
                a->of[i].characters == b->of[i].characters && a->of[i].tokens == b->of[i].tokens;
    return agree;
}

/* ---- In a manifest ---- */

void sb_text_list_print(const sb_text_list *list, sb_out *out) {
    sb_put_key(out, "texts");
    sb_puts(out, "[");
    for (size_t i = 0; i < list->n; i++) {
        sb_put_comma(out);
        sb_puts(out, "\n  {");
        sb_member_text(out, "task", list->of[i].task);
        if (*list->of[i].difficulty) sb_member_text(out, "difficulty", list->of[i].difficulty);
        sb_member_uint(out, "characters", list->of[i].characters);
        if (list->has_tokens) sb_member_uint(out, "tokens", list->of[i].tokens);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static bool read_item(const cJSON *item, sb_text_list *list, sb_error *error) {
    static const char *const keys[] = {"task", "difficulty", "characters", "tokens", NULL};
    const char *task, *difficulty = "";
    if (!sb_json_known_keys(item, keys, error) || !sb_json_string(item, "task", &task, error) ||
        !sb_json_optional_string(item, "difficulty", &difficulty, error))
        return false;
    sb_text_facts *facts = add(list, task, difficulty, error);
    return facts && sb_json_uint(item, "characters", &facts->characters, error) &&
           (!list->has_tokens || sb_json_uint(item, "tokens", &facts->tokens, error));
}

bool sb_text_list_read(const cJSON *manifest, bool has_tokens, sb_text_list *list, sb_error *error) {
    const cJSON *items, *item;
    list->has_tokens = has_tokens;
    if (!sb_json_array(manifest, "texts", &items, error)) return false;
    cJSON_ArrayForEach(item, items) if (!read_item(item, list, error)) return sb_fail_at(error, "key `texts`: item %zu",
                                                                                         list->n);
    return true;
}
