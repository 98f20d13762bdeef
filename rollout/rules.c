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
