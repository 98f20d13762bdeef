#include "evaluation/arena/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

enum { TEAM_BYTES = 1 << 20 };

const char *const sb_role_names[SB_N_ROLES] = {"observer",     "simulator", "inductive",
                                               "transductive", "critic",    "leader"};
const char *const sb_artifact_names[SB_N_ARTIFACTS] = {"observable", "dynamics", "strategy"};

/* ---- Who does what ----------------------------------------------------------------------------------------------- */

sb_role sb_arena_team_holder(const sb_arena_team *team, sb_role role) {
    static const sb_role circle[] = {SB_OBSERVER, SB_SIMULATOR, SB_INDUCTIVE, SB_LEADER};
    enum { N = sizeof circle / sizeof *circle };
    size_t at = 0;
    if (team->of[role] >= 0) return role;
    while (at < N && circle[at] != role) at++;
    if (at == N) return SB_N_ROLES;
    for (size_t i = 1; i < N; i++)
        if (team->of[circle[(at + i) % N]] >= 0) return circle[(at + i) % N];
    return SB_N_ROLES;
}

sb_role sb_arena_team_owner(const sb_arena_team *team, sb_model_owner artifact) {
    static const sb_role owners[SB_N_OWNERS] = {SB_OBSERVER, SB_SIMULATOR, SB_INDUCTIVE};
    return sb_arena_team_holder(team, owners[artifact]);
}

/* ---- Commands ---------------------------------------------------------------------------------------------------- */

/* Puts a word as a shell reads it, with the folder for {here}. */
static void put_word(sb_out *out, const char *word, const char *here) {
    static const char mark[] = "{here}";
    const char *found;
    sb_puts(out, out->size ? " '" : "'");
    while ((found = strstr(word, mark))) {
        sb_put_shell(out, word, (size_t)(found - word)), sb_put_shell(out, here, strlen(here));
        word = found + sizeof mark - 1;
    }
    sb_put_shell(out, word, strlen(word));
    sb_putc(out, '\'');
}

/* Makes a command of a list of words. NULL with an error. */
static char *command_of(const cJSON *program, const char *here, sb_error *error) {
    sb_out out = sb_out_growing();
    const cJSON *word;
    bool ok = cJSON_IsArray(program) && cJSON_GetArraySize(program);
    cJSON_ArrayForEach(word, program) {
        ok = ok && cJSON_IsString(word);
        if (ok) put_word(&out, word->valuestring, here);
    }
    if (!ok) sb_fail(error, SB_INVALID, "key `program` should be a list of words: the program and its arguments");
    sb_putc(&out, '\0');
    if (ok && !sb_out_ok(&out)) ok = sb_fail(error, SB_MEMORY, "out of memory for a command");
    if (!ok) sb_out_free(&out);
    return ok ? out.data : NULL;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Roles with the same command share a program. */
static bool add_program(sb_arena_team *team, sb_role role, char *command) {
    size_t at = 0;
    while (at < team->n_programs && strcmp(team->programs[at], command) != 0) at++;
    team->of[role] = (int)at;
    if (at < team->n_programs)
        free(command);
    else
        team->programs[team->n_programs++] = command;
    return true;
}

static bool read_role(sb_arena_team *team, sb_role role, const cJSON *object, const char *here, sb_error *error) {
    static const char *const known[] = {"program", NULL};
    if (cJSON_HasObjectItem(object, "endpoint"))
        return sb_fail(error, SB_INVALID,
                       "a model behind an endpoint cannot play a role yet: give a `program`, which may ask one");
    if (!sb_json_known_keys(object, known, error)) return false;
    char *command = command_of(cJSON_GetObjectItemCaseSensitive(object, "program"), here, error);
    return command && add_program(team, role, command);
}

static bool read_roles(sb_arena_team *team, const cJSON *roles, const char *here, sb_error *error) {
    static const char *const known[] = {"observer", "simulator", "inductive", "transductive", "critic", "leader", NULL};
    if (!sb_json_known_keys(roles, known, error)) return sb_fail_at(error, "roles");
    for (int role = 0; role < SB_N_ROLES; role++) {
        const cJSON *object = cJSON_GetObjectItemCaseSensitive(roles, sb_role_names[role]);
        if (object && !read_role(team, (sb_role)role, object, here, error))
            return sb_fail_at(error, "role %s", sb_role_names[role]);
    }
    if (sb_arena_team_holder(team, SB_LEADER) != SB_N_ROLES) return true;
    return sb_fail(error, SB_INVALID,
                   "key `roles` should name at least one of observer, simulator, inductive and leader");
}

static bool read_model(sb_arena_team *team, const cJSON *model, const char *here, sb_error *error) {
    static const char *const known[] = {"program", "seconds", NULL};
    team->model_seconds = SB_MODEL_SECONDS;
    if (!sb_json_known_keys(model, known, error) ||
        !sb_json_optional_uint(model, "seconds", &team->model_seconds, error))
        return sb_fail_at(error, "model");
    if (!team->model_seconds) return sb_fail(error, SB_INVALID, "model: key `seconds` should be 1 or more");
    team->model = command_of(cJSON_GetObjectItemCaseSensitive(model, "program"), here, error);
    return team->model || sb_fail_at(error, "model");
}

static bool read_limits(sb_arena_limits *l, const cJSON *object, sb_error *error) {
    static const char *const known[] = {"actions", "step_tokens", "tokens", "answer_seconds", "seconds", "rounds",
                                        "batch",   "reset_gap",   "ledger", "catch_up",       "nodes",   "depth",
                                        "cost",    NULL};
    uint64_t *const at[] = {&l->actions, &l->step_tokens, &l->tokens, &l->answer_seconds, &l->seconds, &l->rounds,
                            &l->batch,   &l->reset_gap,   &l->ledger, &l->catch_up,       &l->nodes,   &l->depth};
    if (!object) return true;
    if (!sb_json_known_keys(object, known, error)) return sb_fail_at(error, "limits");
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (!sb_json_optional_uint(object, known[i], at[i], error)) return sb_fail_at(error, "limits");
    if (cJSON_HasObjectItem(object, "cost") && !sb_json_double(object, "cost", &l->cost, error))
        return sb_fail_at(error, "limits");
    if (!l->rounds || !l->batch || !l->answer_seconds || !l->nodes || !l->depth || !l->ledger || !l->catch_up)
        return sb_fail(error, SB_INVALID,
                       "limits: rounds, batch, answer_seconds, ledger, catch_up, nodes and depth should be 1 or more");
    return l->cost >= 0 || sb_fail(error, SB_INVALID, "limits: key `cost` should be 0 (no limit) or more");
}

static bool read_team(sb_arena_team *team, const cJSON *object, const char *here, sb_error *error) {
    static const char *const known[] = {"name", "model", "roles", "limits", NULL};
    const cJSON *model, *roles;
    return sb_json_known_keys(object, known, error) &&
           sb_json_text(object, "name", team->name, sizeof team->name, error) &&
           sb_json_object(object, "model", &model, error) && read_model(team, model, here, error) &&
           sb_json_object(object, "roles", &roles, error) && read_roles(team, roles, here, error) &&
           read_limits(&team->limits, cJSON_GetObjectItemCaseSensitive(object, "limits"), error);
}

/* The folder of a file. */
static void folder_of(const char *path, char *to, size_t capacity) {
    const int n = sb_folder_length(path);
    snprintf(to, capacity, "%.*s", n ? n : 1, n ? path : ".");
}

bool sb_arena_team_load(sb_arena_team *team, const char *path, const char *folder, sb_error *error) {
    char here[1024];
    *team = (sb_arena_team){.text = sb_out_growing(), .of = {-1, -1, -1, -1, -1, -1}};
    team->limits = (sb_arena_limits){.step_tokens = 250000,
                                     .answer_seconds = 360,
                                     .rounds = 4,
                                     .batch = 20,
                                     .reset_gap = 5,
                                     .ledger = 20,
                                     .catch_up = 20,
                                     .nodes = 2000,
                                     .depth = 200};
    folder_of(path, here, sizeof here);
    if (!sb_file_load_plain(path, TEAM_BYTES, &team->text, error)) return false;
    sb_sha256_hex(team->text.data, team->text.size, team->sha256);
    cJSON *object = sb_json_parse(team->text.data, team->text.size, error);
    const bool ok = object && read_team(team, object, folder ? folder : here, error);
    cJSON_Delete(object);
    return ok || sb_fail_at(error, "%s", sb_path_end(path));
}

void sb_arena_team_free(sb_arena_team *team) {
    sb_out_free(&team->text);
    free(team->model);
    for (size_t i = 0; i < team->n_programs; i++) free(team->programs[i]);
    *team = (sb_arena_team){0};
}
