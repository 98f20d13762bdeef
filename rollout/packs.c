#include "rollout/packs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "seedbed/pack.h"
#include "seeds/official.h"

/* Lists the pairs of task and difficulty of a selection, which is sorted by them. */
static bool pairs_of(const sb_selection *selection, sb_pack_task **pairs, size_t *n, sb_error *error) {
    *n = 0;
    *pairs = calloc(selection->n, sizeof **pairs);
    if (!*pairs) return sb_fail(error, SB_MEMORY, "out of memory for a pack");
    for (size_t i = 0; i < selection->n; i++) {
        const sb_chosen *episode = &selection->episodes[i];
        const sb_family *family = sb_selection_family(selection, i);
        if (i && sb_same_chosen_pair(episode - 1, episode)) continue;
        const sb_task_info *task = sb_task_at(selection->catalogue, family, episode->task);
        (*pairs)[(*n)++] = (sb_pack_task){task->name, sb_difficulty_name(family, task, episode->difficulty)};
    }
    return true;
}

bool sb_pack_select(sb_pack *pack, const sb_request *request, sb_error *error) {
    sb_selection selection = {0};
    sb_pack_task *pairs = NULL;
    size_t n;
    const char *base = request->split ? request->split : "eval";
    bool ok = !request->seeds || sb_fail(error, SB_INVALID, "seeds: a pack's seeds come from a split, not from a list");
    ok = ok &&
         (!strchr(base, '+') ||
          sb_fail(error, SB_INVALID, "split `%.40s`: a `+` stands before what seeds of a pack were chosen by", base));
    ok = ok && sb_select(request, &selection, error) && pairs_of(&selection, &pairs, &n, error);
    if (ok) {
        const size_t count = request->count ? (size_t)request->count : sb_official_length(base);
        ok = sb_pack_derive(pack, sb_selection_family(&selection, 0)->name, base, pairs, n, count, error);
    }
    free(pairs);
    sb_selection_free(&selection);
    return ok;
}

sb_pack *sb_pack_make(const char *family, const char *base, const char *tasks, const char *difficulties, uint64_t count,
                      sb_error *error) {
    const sb_request request = {
        .family = family, .split = base, .tasks = tasks, .difficulty = difficulties, .count = count};
    sb_pack *pack = calloc(1, sizeof *pack);
    if (!pack) return sb_fail(error, SB_MEMORY, "out of memory for a pack"), NULL;
    if (sb_pack_select(pack, &request, error)) return pack;
    sb_pack_free(pack);
    return NULL;
}
