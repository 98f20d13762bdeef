#include "rollout/rules.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

void sb_rules_name(const sb_family *family, const sb_task_info *task, char rules[SB_RULES_NAME]) {
    const char *own = task ? task->rules : NULL;
    snprintf(rules, SB_RULES_NAME, "%s %s%s%s", family->name, family->version, own ? " " : "", own ? own : "");
}

bool sb_rules_agree(const char *what, const char *said, const char *rules, sb_error *error) {
    return strcmp(said, rules) == 0 ||
           sb_fail(error, SB_VERSION_OTHER,
                   "%s under the rules `%.40s`; this program has the rules `%s`: make it again, or use the version of "
                   "Seedbed that made it",
                   what, said, rules);
}

/* ---- Lists of rules ---- */

static void put_rules_of(const sb_selection *selection, const sb_family *family, sb_out *out) {
    bool wanted[SB_TASKS_MAX + 1] = {false}; /* by task; the last one: rules of the family */
    for (size_t i = 0; i < selection->n; i++) {
        const size_t index = selection->episodes[i].task;
        if (sb_selection_family(selection, i) != family) continue;
        wanted[sb_task_at(selection->catalogue, family, index)->rules ? index : SB_TASKS_MAX] = true;
    }
    for (size_t i = 0; i <= SB_TASKS_MAX; i++) {
        char rules[SB_RULES_NAME];
        if (!wanted[i]) continue;
        sb_rules_name(family, i < SB_TASKS_MAX ? sb_task_at(selection->catalogue, family, i) : NULL, rules);
        sb_put_comma(out);
        sb_put_json_string(out, rules);
    }
}

void sb_put_rules(const sb_selection *selection, sb_out *out) {
    sb_puts(out, "[");
    for (const sb_family *const *family = sb_families; *family; family++) put_rules_of(selection, *family, out);
    sb_puts(out, "]");
}

/* Whether the name of rules is of this family. */
static bool is_of(const char *rules, const sb_family *family) {
    const size_t n = strlen(family->name);
    return strncmp(rules, family->name, n) == 0 && rules[n] == ' ';
}

bool sb_rules_agree_with(const char *what, const cJSON *said, const sb_family *family, const sb_task_info *task,
                         sb_error *error) {
    char rules[SB_RULES_NAME];
    const char *other = NULL; /* rules of the family, such as those of the task before it was changed */
    sb_rules_name(family, task, rules);
    for (const cJSON *item = cJSON_IsArray(said) ? said->child : said; item; item = item->next) {
        const char *text = cJSON_GetStringValue(item);
        if (!text) return sb_fail(error, SB_INVALID, "key `rules` should hold texts");
        if (strcmp(text, rules) == 0) return true;
        if (!other || is_of(text, family)) other = text;
        if (!cJSON_IsArray(said)) break; /* what follows is another key */
    }
    if (!other) return sb_fail(error, SB_INVALID, "key `rules` is empty");
    return sb_rules_agree(what, other, rules, error) || sb_fail_at(error, "%s", task->name);
}
