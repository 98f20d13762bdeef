#include "evaluation/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"

static const char preset_mark[] = "{preset}", mode_mark[] = "{mode}", pack_key[] = "pack";

void sb_experiment_free(sb_experiment *experiment) {
    for (size_t i = 0; i < experiment->n; i++) {
        free(experiment->runs[i].spec);
        free((void *)experiment->runs[i].request.names);
    }
    free(experiment->runs);
    cJSON_Delete(experiment->document);
    *experiment = (sb_experiment){0};
}

/* ---- Words: they become parts of names of files, and of command lines ---- */

static bool check_word(const char *word, const char *key, sb_error *error) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    const size_t n = strlen(word);
    return (n && n < SB_EXPERIMENT_WORD && strspn(word, letters) == n && *word != '.' && *word != '-') ||
           sb_fail(error, SB_INVALID,
                   "key `%s`: the name `%.40s` should have 1 to %d letters, digits, `.`, `_` and `-`, and begin with "
                   "none of the marks but `_`",
                   key, word, SB_EXPERIMENT_WORD - 1);
}

/* A list of words, or NULL. */
static bool check_words(const cJSON *document, const char *key, sb_error *error) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(document, key), *item, *before;
    if (!list) return true;
    if (!cJSON_IsArray(list) || !list->child)
        return sb_fail(error, SB_INVALID, "key `%s` should be a list of names", key);
    cJSON_ArrayForEach(item, list) {
        if (!cJSON_IsString(item)) return sb_fail(error, SB_INVALID, "key `%s` should be a list of names", key);
        if (!check_word(item->valuestring, key, error)) return false;
        for (before = list->child; before != item; before = before->next)
            if (strcmp(before->valuestring, item->valuestring) == 0)
                return sb_fail(error, SB_INVALID, "key `%s`: `%s` is there twice", key, item->valuestring);
    }
    return true;
}

/* ---- The grid ---- */

/* One run of the grid; what does not apply is NULL. */
typedef struct cell {
    const cJSON *agent, *preset, *mode, *selection;
    uint64_t number, of; /* number of the run, from 1, and how many the agent makes */
} cell;

/* Writes the text with every mark replaced. */
static void put_filled(sb_out *out, const char *text, const char *preset, const char *mode) {
    while (*text) {
        if (preset && strncmp(text, preset_mark, strlen(preset_mark)) == 0) {
            sb_puts(out, preset);
            text += strlen(preset_mark);
        } else if (mode && strncmp(text, mode_mark, strlen(mode_mark)) == 0) {
            sb_puts(out, mode);
            text += strlen(mode_mark);
        } else {
            sb_putc(out, *text++);
        }
    }
    sb_putc(out, '\0');
}

static void put_parts(sb_out *out, const cell *c, const char *separator) {
    sb_puts(out, c->agent->string);
    if (c->preset) sb_puts(out, separator), sb_puts(out, c->preset->valuestring);
    if (c->mode) sb_puts(out, separator), sb_puts(out, c->mode->valuestring);
}

/* Makes the salt of all runs of this number, so that every agent is told the same random numbers. */
static void derive_salt(const sb_experiment *x, uint64_t number, char hex[SB_SALT_HEX]) {
    char text[80];
    uint8_t digest[32];
    sb_sha256 hash;
    sb_salt salt;
    const int n = snprintf(text, sizeof text, "seedbed experiment %s %llu", x->salt, (unsigned long long)number);
    sb_sha256_begin(&hash);
    sb_sha256_add(&hash, text, (size_t)n);
    sb_sha256_end(&hash, digest);
    memcpy(salt.bytes, digest, sizeof salt.bytes);
    sb_salt_print(&salt, hex);
}

static bool add_run(sb_experiment *x, const sb_catalogue *catalogue, const cell *c, sb_error *error) {
    const bool is_program = sb_agent_is_process(sb_agent_kind_of(c->agent->valuestring));
    if (x->n == SB_EXPERIMENT_MOST)
        return sb_fail(error, SB_INVALID, "the experiment has more than %d runs", SB_EXPERIMENT_MOST);
    sb_experiment_run *runs = realloc(x->runs, (x->n + 1) * sizeof *runs);
    if (!runs) return sb_fail(error, SB_MEMORY, "out of memory for %zu runs", x->n + 1);
    x->runs = runs;
    sb_experiment_run *run = &runs[x->n++];
    *run = (sb_experiment_run){.request.catalogue = catalogue};
    sb_out name = sb_out_fixed(run->name, sizeof run->name), label = sb_out_fixed(run->label, sizeof run->label);
    sb_out spec = sb_out_growing();
    put_parts(&name, c, "+");
    sb_puts(&name, "+"), sb_puts(&name, c->selection->string);
    if (c->of > 1) sb_putf(&name, "+run%llu", (unsigned long long)c->number);
    put_parts(&label, c, ", ");
    sb_out_finish(&name), sb_out_finish(&label);
    put_filled(&spec, c->agent->valuestring, c->preset ? c->preset->valuestring : NULL,
               c->mode ? c->mode->valuestring : NULL);
    run->spec = spec.data;
    if (!sb_out_ok(&spec)) return sb_fail(error, SB_MEMORY, "out of memory for a run");
    if (is_program) derive_salt(x, c->number, run->salt);
    const cJSON *pack = cJSON_GetObjectItemCaseSensitive(c->selection, pack_key);
    if (pack) return run->pack = pack->valuestring, true;
    return sb_request_read(catalogue, c->selection, &run->request, error) ||
           sb_fail_at(error, "key `selections`, `%.24s`", c->selection->string);
}

/* Adds the runs of an agent. What its spec does not mention makes no difference to it, and is left out; and agents that
 * play in one way only run once. */
static bool add_agent(sb_experiment *x, const sb_catalogue *catalogue, const cJSON *agent, uint64_t runs,
                      sb_error *error) {
    const char *spec = agent->valuestring;
    const cJSON *presets = strstr(spec, preset_mark) ? cJSON_GetObjectItemCaseSensitive(x->document, "presets") : NULL;
    const cJSON *modes = strstr(spec, mode_mark) ? cJSON_GetObjectItemCaseSensitive(x->document, "modes") : NULL;
    cell c = {.agent = agent, .of = sb_agent_is_process(sb_agent_kind_of(spec)) ? runs : 1};
    c.preset = presets ? presets->child : NULL;
    do {
        c.mode = modes ? modes->child : NULL;
        do {
            cJSON_ArrayForEach(c.selection, cJSON_GetObjectItemCaseSensitive(x->document, "selections")) {
                for (c.number = 1; c.number <= c.of; c.number++)
                    if (!add_run(x, catalogue, &c, error)) return false;
            }
            c.mode = c.mode ? c.mode->next : NULL;
        } while (c.mode);
        c.preset = c.preset ? c.preset->next : NULL;
    } while (c.preset);
    return true;
}

/* ---- Reading ---- */

static bool check_agents(const cJSON *document, sb_error *error) {
    const cJSON *agents, *agent;
    if (!sb_json_object(document, "agents", &agents, error)) return false;
    if (!agents->child) return sb_fail(error, SB_INVALID, "key `agents` names none");
    cJSON_ArrayForEach(agent, agents) {
        if (!check_word(agent->string, "agents", error)) return false;
        if (!cJSON_IsString(agent) || !*agent->valuestring)
            return sb_fail(error, SB_INVALID, "key `agents`: `%s` should be an agent as --agent takes it",
                           agent->string);
        const char *missing = strstr(agent->valuestring, preset_mark) && !cJSON_HasObjectItem(document, "presets")
                                  ? "presets"
                              : strstr(agent->valuestring, mode_mark) && !cJSON_HasObjectItem(document, "modes")
                                  ? "modes"
                                  : NULL;
        if (missing)
            return sb_fail(error, SB_INVALID, "key `%s` is missing, but the agent `%s` has a place for it", missing,
                           agent->string);
    }
    return true;
}

/* A selection is a request, or a pack and nothing else. */
static bool check_selection(const cJSON *selection, sb_error *error) {
    static const char *const pack_keys[] = {pack_key, NULL};
    const char *pack;
    if (!cJSON_GetObjectItemCaseSensitive(selection, pack_key))
        return sb_json_known_keys(selection, sb_request_keys, error);
    if (!sb_json_string(selection, pack_key, &pack, error)) return false;
    if (!*pack) return sb_fail(error, SB_INVALID, "key `pack` should name a file");
    return sb_json_known_keys(selection, pack_keys, error);
}

static bool check_selections(const cJSON *document, sb_error *error) {
    const cJSON *selections, *selection;
    if (!sb_json_object(document, "selections", &selections, error)) return false;
    if (!selections->child) return sb_fail(error, SB_INVALID, "key `selections` names none");
    cJSON_ArrayForEach(selection, selections) {
        if (!check_word(selection->string, "selections", error)) return false;
        if (!check_selection(selection, error)) return sb_fail_at(error, "key `selections`, `%s`", selection->string);
    }
    return true;
}

/* Checks that no key of an object is there twice: two files would have one name. */
static bool check_once(const cJSON *document, const char *key, sb_error *error) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(document, key), *item, *before;
    cJSON_ArrayForEach(item, object) {
        for (before = object->child; before != item; before = before->next)
            if (strcmp(before->string, item->string) == 0)
                return sb_fail(error, SB_INVALID, "key `%s`: `%s` is there twice", key, item->string);
    }
    return true;
}

static bool read_salt(sb_experiment *x, const char *given, sb_error *error) {
    const char *hex = given && *given ? given : NULL;
    sb_salt salt;
    if (!sb_json_optional_string(x->document, "salt", &hex, error)) return false;
    if (!sb_salt_choose(hex, &salt, error)) return sb_fail_at(error, "key `salt`");
    sb_salt_print(&salt, x->salt);
    return true;
}

static bool read_numbers(sb_experiment *x, uint64_t *runs, sb_error *error) {
    *runs = 1;
    if (!sb_json_optional_uint(x->document, "runs", runs, error) ||
        !sb_json_optional_uint(x->document, "attempts", &x->attempts, error) ||
        !sb_json_optional_uint(x->document, "max_steps", &x->steps, error))
        return false;
    if (*runs < 1 || *runs > SB_EXPERIMENT_RUNS)
        return sb_fail(error, SB_INVALID, "key `runs` should be a number from 1 to %d", SB_EXPERIMENT_RUNS);
    return x->attempts <= SB_ATTEMPTS_MAX ||
           sb_fail(error, SB_INVALID, "key `attempts` should be a number from 1 to %d", SB_ATTEMPTS_MAX);
}

static bool read_document(sb_experiment *x, const sb_catalogue *catalogue, const char *salt, sb_error *error) {
    static const char *const keys[] = {"experiment", "name", "salt",     "agents",    "presets", "modes",
                                       "selections", "runs", "attempts", "max_steps", NULL};
    uint64_t format, runs;
    const char *name = "";
    const cJSON *agent;
    if (!sb_json_uint(x->document, "experiment", &format, error)) return false;
    if (format != SB_EXPERIMENT_FORMAT)
        return sb_fail(error, SB_VERSION_OTHER, "the experiment has format %llu, but this program reads format %d",
                       (unsigned long long)format, SB_EXPERIMENT_FORMAT);
    if (!sb_json_known_keys(x->document, keys, error) || !sb_json_optional_string(x->document, "name", &name, error) ||
        !check_words(x->document, "presets", error) || !check_words(x->document, "modes", error) ||
        !check_agents(x->document, error) || !check_selections(x->document, error) ||
        !check_once(x->document, "agents", error) || !check_once(x->document, "selections", error) ||
        !read_salt(x, salt, error) || !read_numbers(x, &runs, error))
        return false;
    cJSON_ArrayForEach(agent, cJSON_GetObjectItemCaseSensitive(x->document, "agents")) {
        if (!add_agent(x, catalogue, agent, runs, error)) return false;
    }
    return true;
}

bool sb_experiment_parse(sb_experiment *x, const sb_catalogue *catalogue, const char *text, size_t n, const char *salt,
                         sb_error *error) {
    *x = (sb_experiment){.document = sb_json_parse(text, n, error)};
    return x->document && read_document(x, catalogue, salt, error);
}
