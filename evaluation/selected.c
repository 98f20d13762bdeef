#include "evaluation/selected.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/failure.h"
#include "base/error.h"
#include "rollout/packs.h"

/* ---- Writing ---- */

static const char budget_key[] = "budget", chosen_key[] = "chosen";

static void put_chosen(const sb_selection *selection, sb_out *out) {
    sb_put_key(out, chosen_key);
    sb_puts(out, "[");
    for (size_t i = 0; i < selection->n; i++) {
        char text[SB_NAME_MAX];
        sb_name name;
        sb_name_print(sb_selection_name(selection, i, &name), text, sizeof text);
        sb_put_comma(out);
        sb_put_json_string(out, text);
    }
    sb_puts(out, "]");
}

void sb_selected_print_request(const sb_request *request, const sb_selection *selection, const sb_eval_budget *budget,
                               sb_out *out) {
    sb_puts(out, "{");
    sb_request_print(request, out);
    if (sb_request_demands(request)) put_chosen(selection, out);
    if (sb_has_eval_budget(budget)) sb_put_key(out, budget_key), sb_eval_budget_print(budget, out);
    sb_puts(out, "}");
}

void sb_selected_print_pack(const sb_pack *pack, sb_out *out) {
    sb_puts(out, "{");
    sb_put_key(out, "pack");
    sb_pack_put(pack, out);
    sb_puts(out, "}");
}

/* ---- In words ---- */

/* Writes a text that came from a file, without its control characters. Cuts off what does not fit. */
static void put_words(sb_out *out, const char *key, const char *text) {
    char plain[SB_SELECTED_WORDS];
    if (!text) return;
    sb_copy_plain(plain, sizeof plain, text);
    sb_putf(out, "%s%s %s", out->size ? ", " : "", key, plain);
}

static void describe_request(const sb_request *r, const sb_eval_budget *budget, char words[SB_SELECTED_WORDS]) {
    char text[8 * SB_SELECTED_WORDS];
    sb_out out = sb_out_fixed(text, sizeof text);
    put_words(&out, "family", r->family);
    put_words(&out, "tasks", r->tasks);
    put_words(&out, "category", r->category);
    put_words(&out, "difficulty", r->difficulty);
    put_words(&out, "split", r->split);
    put_words(&out, "seeds", r->seeds);
    if (r->count) sb_putf(&out, ", %llu of each", (unsigned long long)r->count);
    put_words(&out, "where", r->where);
    put_words(&out, "spread", r->spread);
    if (r->n_names)
        sb_putf(&out, "%s%zu episode%s named one by one", out.size ? ", " : "", r->n_names, sb_plural(r->n_names));
    if (sb_has_eval_budget(budget)) sb_eval_budget_describe(budget, &out);
    sb_out_finish(&out);
    sb_copy_plain(words, SB_SELECTED_WORDS - strlen("..."), text);
    if (strlen(words) < strlen(text)) strcat(words, "...");
}

static void describe_pack(const char *base, const char *hash, char words[SB_SELECTED_WORDS]) {
    char plain[SB_SELECTED_WORDS / 2], start[13];
    sb_copy_plain(plain, sizeof plain, base);
    sb_copy_plain(start, sizeof start, hash);
    snprintf(words, SB_SELECTED_WORDS, "pack %s (%s)", plain, start);
}

/* ---- Reading ---- */

void sb_selected_free(sb_selected *selected) {
    sb_selection_free(&selected->selection);
    sb_eval_budget_free(&selected->plan);
}

/* Takes the budget out of the object, so that the members of a request are left. */
static bool take_budget(cJSON *object, sb_eval_budget *budget, sb_error *error) {
    cJSON *told = cJSON_DetachItemFromObjectCaseSensitive(object, budget_key);
    *budget = (sb_eval_budget){0};
    const bool ok = !told || sb_eval_budget_read(told, budget, error) || sb_fail_at(error, "key `budget`");
    cJSON_Delete(told);
    return ok;
}

/* Selects the episodes that were chosen by the request, which lists them. */
static bool select_chosen(const sb_request *request, const cJSON *chosen, size_t most, sb_selection *selection,
                          sb_error *error) {
    sb_request listed;
    cJSON *object = cJSON_CreateObject();
    bool ok = object && cJSON_AddItemReferenceToObject(object, "names", (cJSON *)(uintptr_t)chosen);
    if (!ok) sb_fail(error, SB_MEMORY, "out of memory for a selection");
    ok = ok && (sb_request_demands(request) ||
                sb_fail(error, SB_INVALID, "episodes were chosen, but nothing is demanded of them"));
    ok = ok && sb_request_read(request->catalogue, object, &listed, error);
    if (ok) ok = sb_select_at_most(&listed, most, selection, error), free((void *)(uintptr_t)listed.names);
    cJSON_Delete(object);
    return ok || sb_fail_at(error, "key `chosen`");
}

static bool select_told(const sb_request *request, const cJSON *chosen, const sb_eval_budget *budget, size_t most,
                        sb_selected *selected, sb_error *error) {
    describe_request(request, budget, selected->words);
    selected->was_chosen = chosen;
    return (chosen ? select_chosen(request, chosen, most, &selected->selection, error)
                   : sb_select_at_most(request, most, &selected->selection, error)) &&
           sb_eval_budget_draw(budget, request, &selected->selection, &selected->plan, error);
}

bool sb_selected_read_request(const sb_catalogue *catalogue, cJSON *object, bool written, size_t most,
                              sb_selected *selected, sb_out *out, sb_error *error) {
    sb_request request = {0};
    sb_eval_budget budget;
    cJSON *chosen = cJSON_DetachItemFromObjectCaseSensitive(object, chosen_key);
    const bool ok = take_budget(object, &budget, error) && sb_json_known_keys(object, sb_request_keys, error) &&
                    sb_request_read(catalogue, object, &request, error) && (request.repeats = written, true) &&
                    select_told(&request, chosen, &budget, most, selected, error);
    if (ok && out) sb_selected_print_request(&request, &selected->selection, &selected->plan.budget, out);
    free((void *)request.names);
    cJSON_Delete(chosen);
    return ok;
}

static bool is_same_selection(const sb_selection *a, const sb_selection *b) {
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++) same = sb_compare_chosen(&a->episodes[i], &b->episodes[i]) == 0;
    return same;
}

bool sb_selected_check_chosen(const sb_catalogue *catalogue, const sb_json_part *part, const sb_selected *selected,
                              sb_error *error) {
    sb_selected again = {0};
    if (!selected->was_chosen) return true;
    cJSON *object = sb_json_part_parse(part, error);
    cJSON_DeleteItemFromObjectCaseSensitive(object, chosen_key);
    bool ok = object && sb_selected_read_request(catalogue, object, true, SB_SELECTION_MAX, &again, NULL, error);
    ok = ok && (is_same_selection(&again.selection, &selected->selection) ||
                sb_fail(error, SB_MISMATCH, "the episodes that `chosen` lists are not those that are as demanded"));
    sb_selected_free(&again);
    cJSON_Delete(object);
    return ok;
}

bool sb_select_verified_pack(const sb_catalogue *catalogue, const sb_pack *pack, sb_selection *selection,
                             sb_error *error) {
    return sb_pack_verify(pack, error) && sb_select_pack(catalogue, pack, selection, error) &&
           (selection->n || sb_fail(error, SB_INVALID, "the pack holds no seeds"));
}

bool sb_select_pack_file(const sb_catalogue *catalogue, const char *path, sb_selection *selection, sb_out *out,
                         sb_error *error) {
    sb_pack pack = {0};
    const bool ok = sb_pack_read_file(&pack, path, error) &&
                    ((sb_select_verified_pack(catalogue, &pack, selection, error) &&
                      sb_pack_check_worlds(catalogue, &pack, error)) ||
                     sb_fail_at(error, "%s", sb_path_end(path)));
    if (ok && out) sb_selected_print_pack(&pack, out);
    sb_pack_clear(&pack);
    return ok;
}

/* Reads a pack. Results of version 1 have only its hash. */
static bool read_told(const sb_catalogue *catalogue, const cJSON *told, const sb_json_part *part, const sb_pack *given,
                      sb_selected *selected, sb_error *error) {
    const char *base, *hash;
    sb_pack pack = {0};
    if (!sb_json_string(told, "base", &base, error) || !sb_json_string(told, "hash", &hash, error)) return false;
    describe_pack(base, hash, selected->words);
    if (given && strcmp(given->hash, hash) != 0)
        return sb_fail(error, SB_MISMATCH, "the result has the %.100s, but --pack names %.12s", selected->words,
                       given->hash);
    if (given) return sb_select_verified_pack(catalogue, given, &selected->selection, error);
    if (!cJSON_GetObjectItemCaseSensitive(told, "lists"))
        return sb_fail(error, SB_VERSION_OTHER,
                       "results of version 1 hold only a pack's hash: name its file with --pack");
    const bool ok = sb_pack_read(&pack, part, error) &&
                    sb_select_verified_pack(catalogue, &pack, &selected->selection, error);
    sb_pack_clear(&pack);
    return ok;
}

static bool read_pack(const sb_catalogue *catalogue, const sb_json_part *part, const sb_pack *given,
                      sb_selected *selected, sb_error *error) {
    static const char *const names[] = {"lists", NULL};
    sb_json_part lists;
    cJSON *told = sb_json_part_split(part, names, &lists, error);
    const bool ok = told && read_told(catalogue, told, part, given, selected, error);
    cJSON_Delete(told);
    return ok;
}

static bool read_either(const sb_catalogue *catalogue, cJSON *object, const sb_json_part *packed, const sb_pack *pack,
                        size_t most, sb_selected *selected, sb_error *error) {
    static const char *const only_pack[] = {"pack", NULL};
    if (packed->n)
        return sb_json_known_keys(object, only_pack, error) &&
               (read_pack(catalogue, packed, pack, selected, error) || sb_fail_at(error, "key `pack`"));
    if (!object->child) return sb_fail(error, SB_INVALID, "the selection is empty");
    if (!sb_selected_read_request(catalogue, object, true, most, selected, NULL, error)) return false;
    return !pack || sb_fail(error, SB_MISMATCH, "the selection is no pack, but --pack names one");
}

bool sb_selected_read(const sb_catalogue *catalogue, const sb_json_part *part, const sb_pack *pack, size_t most,
                      sb_selected *selected, sb_error *error) {
    static const char *const names[] = {"pack", NULL};
    sb_json_part packed;
    *selected = (sb_selected){0};
    cJSON *object = sb_json_part_split(part, names, &packed, error);
    const bool ok = object && read_either(catalogue, object, &packed, pack, most, selected, error);
    cJSON_Delete(object);
    return ok;
}
