#include "evaluation/evaluate.h"

#include <stdlib.h>

#include "base/error.h"
#include "evaluation/episode.h"

size_t sb_plays_count(const sb_plays *plays, size_t n) {
    const sb_part *part = &plays->part;
    const size_t episodes = !part->of ? n : n < part->number ? 0 : (n - part->number) / part->of + 1;
    return episodes * sb_plays_attempts(plays);
}

size_t sb_plays_at(const sb_plays *plays, size_t place, uint32_t *attempt) {
    const size_t attempts = sb_plays_attempts(plays), episode = place / attempts;
    *attempt = attempts > 1 ? (uint32_t)(place % attempts) + 1 : 0;
    return plays->part.of ? episode * plays->part.of + plays->part.number - 1 : episode;
}

bool sb_plays_list(const sb_plays *plays, const sb_selection *selection, sb_selection *list, sb_error *error) {
    uint32_t attempt;
    *list = (sb_selection){.catalogue = selection->catalogue, .n = sb_plays_count(plays, selection->n)};
    list->episodes = malloc(list->n * sizeof *list->episodes + 1);
    if (!list->episodes) return sb_fail(error, SB_MEMORY, "out of memory for %zu episodes", list->n);
    for (size_t i = 0; i < list->n; i++) list->episodes[i] = selection->episodes[sb_plays_at(plays, i, &attempt)];
    return true;
}

void sb_plays_print(const sb_plays *plays, sb_out *out) {
    if (sb_plays_attempts(plays) > 1) sb_member_uint(out, "attempts", plays->attempts);
    sb_part_print(plays->part, out);
}

bool sb_plays_read(const cJSON *object, sb_plays *plays, sb_error *error) {
    uint64_t attempts = 1;
    *plays = (sb_plays){0};
    if (!sb_json_optional_uint(object, "attempts", &attempts, error)) return false;
    if (attempts < 1 || attempts > SB_ATTEMPTS_MAX)
        return sb_fail(error, SB_INVALID, "key `attempts` should be a number from 1 to %d", SB_ATTEMPTS_MAX);
    plays->attempts = (size_t)attempts;
    return sb_part_read(object, &plays->part, error);
}
