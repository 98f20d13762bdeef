#include "datasets/prompts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"

/* ---- Hashes ---- */

sb_row_hash sb_row_hash_of(const sb_export *export, sb_span row) {
    sb_asked asked = {0};
    sb_row_hash hash;
    uint64_t parts[2][2], answer[2];
    for (size_t i = 0; i < 2; i++) asked.prompt[i].at = row.at;
    asked.shown.at = asked.answer.at = row.at;
    export->exporter->ask(export, row, &asked);
    for (size_t i = 0; i < 2; i++) sb_hash128(asked.prompt[i].at, asked.prompt[i].n, parts[i]);
    sb_hash128(parts, sizeof parts, hash.prompt);
    sb_hash128(asked.shown.at, asked.shown.n, hash.shown);
    sb_hash128(asked.answer.at, asked.answer.n, answer);
    hash.answer = answer[0];
    return hash;
}

void sb_put_row_hashes(const sb_export *export, const char *rows, size_t n, sb_out *out) {
    for (const char *at = rows, *end = rows + n; at < end;) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        if (!line) line = end;
        const sb_row_hash hash = sb_row_hash_of(export, (sb_span){at, (size_t)(line - at)});
        sb_put(out, (const char *)&hash, sizeof hash);
        at = line + 1;
    }
}

void sb_pair_key(const sb_row_hash *row, uint64_t key[2]) {
    const uint64_t all[3] = {row->prompt[0], row->prompt[1], row->answer};
    sb_hash128(all, sizeof all, key);
}

/* ---- Counting ---- */

/* Whether a prompt is counted, by the low bits of one half of its hash. The other half says where its entry is. */
static bool is_counted(const sb_prompts *p, const uint64_t prompt[2]) {
    return (prompt[1] & ((UINT64_C(1) << p->level) - 1)) == 0;
}

static sb_prompt_entry *entry_of(const sb_prompts *p, const uint64_t prompt[2]) {
    size_t at = prompt[0] & p->mask;
    while (p->entries[at].answers && memcmp(p->entries[at].prompt, prompt, sizeof p->entries[at].prompt) != 0)
        at = (at + 1) & p->mask;
    return &p->entries[at];
}

/* Moves the entries of prompts that are counted into a new table. */
static bool rebuild(sb_prompts *p, size_t slots, sb_error *error) {
    const sb_prompts old = *p;
    sb_prompt_entry *entries = calloc(slots, sizeof *entries);
    if (!entries) return sb_fail(error, SB_MEMORY, "out of memory for %zu prompts", p->n);
    p->entries = entries, p->mask = slots - 1, p->n = 0;
    for (size_t i = 0; old.entries && i <= old.mask; i++) {
        const sb_prompt_entry *entry = &old.entries[i];
        if (!entry->answers || !is_counted(p, entry->prompt)) continue;
        *entry_of(p, entry->prompt) = *entry;
        p->n++;
    }
    free(old.entries);
    return true;
}

static bool make_room(sb_prompts *p, sb_error *error) {
    const size_t slots = p->entries ? p->mask + 1 : 0;
    return slots / 3 * 2 > p->n || rebuild(p, slots ? 2 * slots : 1024, error);
}

/* Counts fewer prompts as soon as there are too many. How few in the end depends only on which rows there are. */
static bool limit(sb_prompts *p, sb_error *error) {
    while (p->n > p->most) {
        p->level++;
        if (!rebuild(p, p->mask + 1, error)) return false;
    }
    return true;
}

/* Counts an answer that is not the first one of its prompt. */
static bool add_answer(sb_prompts *p, sb_prompt_entry *entry, const sb_row_hash *row, sb_error *error) {
    uint64_t pair[2];
    sb_pair_key(row, pair);
    if (!sb_key_set_grow(&p->others, error)) return false;
    entry->answers += sb_key_set_add(&p->others, pair);
    return true;
}

/* Keeps only the answers whose hashes end in one zero more than before. */
static bool thin_answers(sb_prompts *p, sb_error *error) {
    const sb_key_set old = p->answers;
    p->answers = (sb_key_set){0}, p->answer_level++;
    bool ok = true;
    for (size_t i = 0; ok && i <= old.mask; i++) {
        if (!old.slots[i][1] || old.slots[i][0] >> (p->answer_level - 1) & 1) continue;
        ok = sb_key_set_grow(&p->answers, error);
        if (ok) sb_key_set_add(&p->answers, old.slots[i]);
    }
    free(old.slots);
    return ok;
}

/* Counts an answer, whatever its prompt is. */
static bool count_answer(sb_prompts *p, uint64_t answer, sb_error *error) {
    const uint64_t key[2] = {answer, 1};
    if (answer & ((UINT64_C(1) << p->answer_level) - 1)) return true;
    if (!sb_key_set_grow(&p->answers, error)) return false;
    sb_key_set_add(&p->answers, key);
    while (p->answers.n > p->most)
        if (!thin_answers(p, error)) return false;
    return true;
}

bool sb_prompts_add(sb_prompts *p, const sb_row_hash *row, uint32_t group, sb_error *error) {
    p->rows++;
    if (!count_answer(p, row->answer, error)) return false;
    if (!is_counted(p, row->prompt)) return true;
    if (!make_room(p, error)) return false;
    sb_prompt_entry *entry = entry_of(p, row->prompt);
    if (!entry->answers) {
        *entry = (sb_prompt_entry){{row->prompt[0], row->prompt[1]}, row->answer, 1, 1, group};
        p->n++;
        return limit(p, error);
    }
    entry->rows++;
    if (group < entry->group) entry->group = group;
    return entry->answer == row->answer || add_answer(p, entry, row, error);
}

void sb_prompts_free(sb_prompts *p) {
    free(p->entries);
    sb_key_set_free(&p->others), sb_key_set_free(&p->answers);
    *p = (sb_prompts){0};
}

sb_prompt_counts sb_prompts_count(const sb_prompts *p) {
    const uint64_t one_in = UINT64_C(1) << p->level;
    sb_prompt_counts counts = {.rows = p->rows,
                               .prompts = one_in * p->n,
                               .one_in = one_in,
                               .answers = (uint64_t)p->answers.n << p->answer_level};
    for (size_t i = 0; p->entries && i <= p->mask; i++) {
        const sb_prompt_entry *entry = &p->entries[i];
        counts.repeated += one_in * (entry->rows - entry->answers);
        counts.conflicts += one_in * (entry->answers > 1);
    }
    return counts;
}

void sb_prompts_count_groups(const sb_prompts *p, uint64_t *groups, size_t n) {
    for (size_t i = 0; p->entries && i <= p->mask; i++) {
        const sb_prompt_entry *entry = &p->entries[i];
        if (entry->answers > 1 && entry->group < n) groups[entry->group] += UINT64_C(1) << p->level;
    }
}
