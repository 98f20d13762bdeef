#include "cli/task_page.h"

#include <string.h>

#include "base/json.h"
#include "cli/shipped.h"

bool cli_known_games_load(cli_known_games *known, sb_error *error) {
    known->table = sb_json_parse((const char *)sb_shipped_games, sb_shipped_games_size, error);
    return known->table != NULL;
}

void cli_known_games_free(cli_known_games *known) {
    cJSON_Delete(known->table);
    *known = (cli_known_games){0};
}

static bool says(const cJSON *row, const char *key, const char *text) {
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(row, key);
    return strcmp(cJSON_IsString(member) ? member->valuestring : "", text) == 0;
}

bool cli_known_games_find(const cli_known_games *known, const char *family, const char *task, const char *difficulty,
                          sb_games *games) {
    const cJSON *row;
    sb_error ignored;
    cJSON_ArrayForEach(row, known->table) {
        if (says(row, "task", task) && says(row, "difficulty", difficulty) && says(row, "family", family))
            return sb_games_read(row, games, &ignored);
    }
    return false;
}
