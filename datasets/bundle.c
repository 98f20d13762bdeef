#include "datasets/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "datasets/prompts.h"
#include "datasets/text_facts.h"
#include "engine/lookup.h"

/* Bytes of rows at which they are packed and forgotten before the bundle is whole: episodes of a large grid may have
 * gigabytes. */
enum { LARGE = 64 << 20 };

/* A member that is packed in parts. */
typedef struct sb_packer {
    sb_gzip gzip;
    bool begun;
    /* Room for the hash, which is aligned to more than malloc's memory. */
    uint8_t room[sizeof(sb_blake2b) + _Alignof(sb_blake2b)];
} sb_packer;

static sb_blake2b *hash_of(sb_packer *packer) {
    const uintptr_t up = _Alignof(sb_blake2b) - (uintptr_t)packer->room % _Alignof(sb_blake2b);
    return (sb_blake2b *)(void *)(packer->room + up);
}

static void free_packer(sb_packer *packer) {
    if (packer) sb_gzip_free(&packer->gzip);
    free(packer);
}

void sb_bundle_worker_free(void *data) {
    sb_bundle_worker *worker = data;
    sb_actor_free(&worker->actor);
    sb_tellers_free(&worker->tellers);
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_out_free(&worker->rows[k]);
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) free_packer(worker->packers[k]);
    sb_out_free(&worker->tapes), sb_out_free(&worker->texts);
    sb_gzip_free(&worker->gzip);
}

void sb_bundle_free(void *data) {
    sb_bundle *bundle = data;
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_out_free(&bundle->formats[k].bytes);
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_out_free(&bundle->asked[k]);
    sb_out_free(&bundle->tapes.bytes), sb_out_free(&bundle->lines);
    sb_stats_free(&bundle->stats);
}

/* ---- Filling ---- */

void sb_bundle_begin(sb_bundle *bundle) {
    bundle->lines.grows = true;
    sb_out_clear(&bundle->lines);
    bundle->n = 0;
}

void sb_bundle_add_line(sb_bundle *bundle, const sb_out *line) {
    sb_put(&bundle->lines, line->data, line->size);
    sb_putc(&bundle->lines, '\n');
}

bool sb_bundle_end(sb_bundle *bundle, sb_error *error) {
    char *end = sb_out_reserve(&bundle->lines, 1);
    if (!end) return sb_fail(error, SB_MEMORY, "out of memory for tapes");
    *end = '\0';
    return true;
}

/* ---- Tapes ---- */

/* Reads the tape in the line at `*at` and moves `*at` behind it. Recorded tapes are always replayed, to check them,
 * even if they get no rows. */
static bool read_tape(const sb_order *order, const char **at, sb_worker *worker, const sb_name *name, sb_error *error) {
    const char *end = strchr(*at, '\n');
    if (!end) return sb_fail(error, SB_MISMATCH, "its tape is missing");
    if (!sb_tape_parse(worker->catalogue, *at, (size_t)(end - *at), &worker->tape, error)) return false;
    *at = end + 1;
    if (sb_compare_names(&worker->tape.name, name) != 0)
        return sb_fail(error, SB_MISMATCH, "the next tape is of another episode");
    if (!sb_worker_open(worker, error)) return false;
    return order->reads_only ||
           (sb_tape_replay(&worker->tape, worker->env, NULL, NULL, error) && sb_tape_check_whole(&worker->tape, error));
}

/* Labels recorded tapes. Tapes of a dataset have their labels already. */
static bool label(const sb_order *order, sb_bundle_worker *worker, sb_error *error) {
    return order->reads_only || sb_cast_label(&order->schedule->cast, &worker->actor, error);
}

/* Whether the episode's tape is read from the line at `*at`. In a mixture an oracle may play it in place of the tape,
 * whose line is then passed over. */
static bool takes_tape(const sb_order *order, const sb_name *name, const char **at) {
    if (!order->reads) return false;
    if (order->reads_only || sb_cast_records(&order->schedule->cast, name)) return true;
    const char *end = strchr(*at, '\n');
    if (end) *at = end + 1;
    return false;
}

static bool play_or_read(const sb_order *order, sb_bundle_worker *worker, size_t episode, const char **at,
                         sb_error *error) {
    const sb_schedule *schedule = order->schedule;
    const sb_name *name = sb_selection_name(&schedule->selection, episode, &(sb_name){0});
    worker->actor.worker.catalogue = schedule->selection.catalogue;
    if (takes_tape(order, name, at)
            ? read_tape(order, at, &worker->actor.worker, name, error) && label(order, worker, error)
            : sb_cast_play(&schedule->cast, &worker->actor, name, error))
        return true;
    char text[SB_NAME_MAX];
    sb_name_print(name, text, sizeof text);
    return strstr(error->text, text) ? false : sb_fail_at(error, "%s", text);
}

/* ---- Rows in parts ---- */

static bool hash_rows(const sb_export *export, const sb_out *rows, sb_out *asked, sb_error *error) {
    if (!export->exporter->ask) return true;
    if (sb_out_ok(rows)) sb_put_row_hashes(export, rows->data, rows->size, asked);
    return (sb_out_ok(rows) && sb_out_ok(asked)) || sb_fail(error, SB_MEMORY, "out of memory for hashes of rows");
}

/* Whether rows become a gzip member, or only hashes: then they need not be in memory as a whole. */
static bool takes_parts(const sb_order *order, size_t k) {
    if (order->rows_only) return order->asks;
    return !order->schedule->exports[k].exporter->begin;
}

static bool begin_packer(sb_packer **at, int level, sb_error *error) {
    if (!*at && !(*at = calloc(1, sizeof **at))) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    if ((*at)->begun) return true;
    sb_blake2b_begin(hash_of(*at));
    return (*at)->begun = sb_gzip_begin(&(*at)->gzip, level, error);
}

static bool pack_part(const sb_order *order, sb_bundle_worker *worker, size_t k, sb_bundle *bundle, sb_error *error) {
    sb_out *rows = &worker->rows[k];
    const bool packs = !order->rows_only && k >= order->first_kept;
    if (!sb_out_ok(rows)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    if (order->asks && !hash_rows(&order->schedule->exports[k], rows, &bundle->asked[k], error)) return false;
    if (packs && !begin_packer(&worker->packers[k], order->schedule->level, error)) return false;
    if (packs) sb_blake2b_add(hash_of(worker->packers[k]), rows->data, rows->size);
    if (packs && !sb_gzip_add(&worker->packers[k]->gzip, rows->data, rows->size, &bundle->formats[k].bytes, error))
        return false;
    sb_out_clear(rows);
    return true;
}

static bool end_parts(sb_packer *packer, sb_packed *packed, sb_error *error) {
    packer->begun = false;
    sb_blake2b_end(hash_of(packer), packed->digest);
    return sb_gzip_end(&packer->gzip, &packed->bytes, error);
}

/* ---- Rows ---- */

uint64_t sb_bundle_amount(const sb_bundle *bundle, size_t place, sb_unit unit) {
    switch (unit) {
    case SB_ROWS: return bundle->rows[0][place];
    case SB_CHARACTERS: return bundle->characters[place];
    case SB_TOKENS: return bundle->tokens[place];
    default: return 1;
    }
}

/* Counts the texts of the episode's rows of the first format, which begin at `begin`. */
static bool count_texts(const sb_order *order, sb_bundle_worker *worker, size_t begin, sb_stats_group *group,
                        sb_bundle *bundle, sb_error *error) {
    const sb_out *rows = &worker->rows[0];
    uint64_t *characters = &bundle->characters[bundle->n_kept], *tokens = &bundle->tokens[bundle->n_kept];
    *characters = *tokens = 0;
    if (!order->counts_texts || !order->schedule->texts.n) return true;
    if (!sb_out_ok(rows)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    if (!sb_texts_measure(&order->schedule->texts, order->schedule->recipe->tokenizer, rows->data + begin,
                          rows->size - begin, &worker->texts, characters, tokens, error))
        return false;
    group->characters += *characters, group->tokens += *tokens;
    return true;
}

/* Renders the episode in the worker into every format. */
static bool render(const sb_order *order, sb_bundle_worker *worker, size_t episode, sb_stats_group *group,
                   sb_bundle *bundle, sb_error *error) {
    const sb_schedule *schedule = order->schedule;
    const sb_rollout rollout = {.episode_id = episode,
                                .tape = &worker->actor.worker.tape,
                                .env = worker->actor.worker.env,
                                .tellers = &worker->tellers};
    for (size_t k = 0; k < schedule->n_exports; k++) {
        sb_out *rows = &worker->rows[k];
        const size_t before = rows->size;
        uint64_t n_rows;
        if (!schedule->exports[k].exporter->rows(&rollout, &schedule->exports[k], rows, &n_rows, error)) return false;
        sb_row_choice_apply(schedule->choice, k, episode, rows, before, &n_rows);
        if (k == 0 && !count_texts(order, worker, before, group, bundle, error)) return false;
        group->rows[k] += n_rows, group->bytes[k] += rows->size - before;
        bundle->rows[k][bundle->n_kept] = n_rows, bundle->ends[k][bundle->n_kept] = rows->size;
        if (rows->size > LARGE && takes_parts(order, k) && !pack_part(order, worker, k, bundle, error)) return false;
    }
    bundle->kept[bundle->n_kept++] = episode;
    return sb_stats_keep(group, &worker->actor.worker.tape, error);
}

static bool compare(const sb_order *order, sb_bundle_worker *worker, size_t episode, sb_stats_group *group,
                    sb_error *error) {
    return order->rows_only || sb_stats_compare_teacher(group, order->schedule, episode, order->compares_all,
                                                        &worker->actor, &worker->actor.worker.tape, error);
}

static bool make_episode(const sb_order *order, sb_bundle_worker *worker, size_t episode, const char **at,
                         sb_bundle *bundle, sb_error *error) {
    const sb_schedule *schedule = order->schedule;
    sb_stats_group *group = sb_stats_episode(&bundle->stats, schedule, episode, error);
    if (!group) return false;
    if (!sb_schedule_has_tape(schedule, episode)) return true;
    if (!play_or_read(order, worker, episode, at, error)) return false;
    const sb_tape *tape = &worker->actor.worker.tape;
    if (!order->reads_only && !order->rows_only) sb_tape_put_line(tape, &worker->tapes);
    bundle->n_tapes++;
    if (sb_was_lost(tape)) bundle->losses[bundle->n_losses++] = sb_loss_of(tape, worker->actor.worker.env);
    return !sb_stats_wants(group, schedule, episode, tape) ||
           (render(order, worker, episode, group, bundle, error) && compare(order, worker, episode, group, error));
}

/* ---- Packing ---- */

static bool pack(sb_bundle_worker *worker, int level, const sb_out *text, sb_packed *packed, sb_error *error) {
    if (!sb_out_ok(text)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    packed->bytes.grows = true;
    sb_out_clear(&packed->bytes);
    sb_blake2b_of(text->data, text->size, packed->digest);
    return sb_gzip_member(&worker->gzip, level, text->data, text->size, &packed->bytes, error);
}

/* Packs each episode's rows as the format's writer takes them; `ends` are afterwards the ends of the packed episodes.
 */
static bool pack_episodes(const sb_export *export, const sb_out *rows, sb_bundle *bundle, size_t k, sb_error *error) {
    sb_out *out = &bundle->formats[k].bytes;
    size_t begin = 0;
    out->grows = true;
    sb_out_clear(out);
    for (size_t i = 0; i < bundle->n_kept; i++) {
        const size_t end = bundle->ends[k][i];
        if (!export->exporter->pack(export, rows->data + begin, end - begin, out, error)) return false;
        begin = end, bundle->ends[k][i] = out->size;
    }
    return sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for rows");
}

/* Passes the rows on uncompressed, for the writer or for a reader in memory. */
static bool hand_over(const sb_order *order, sb_out *rows, sb_bundle *bundle, size_t k, sb_error *error) {
    const sb_export *export = &order->schedule->exports[k];
    sb_packed *packed = &bundle->formats[k];
    if (!sb_out_ok(rows)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    if (!order->rows_only) sb_blake2b_of(rows->data, rows->size, packed->digest);
    if (!order->rows_only && export->exporter->pack) return pack_episodes(export, rows, bundle, k, error);
    const sb_out used = packed->bytes;
    packed->bytes = *rows;
    *rows = used;
    return true;
}

static bool is_begun(const sb_packer *packer) { return packer && packer->begun; }

static bool pack_format(const sb_order *order, sb_bundle_worker *worker, sb_bundle *bundle, size_t k, sb_error *error) {
    if (is_begun(worker->packers[k]))
        return pack_part(order, worker, k, bundle, error) && end_parts(worker->packers[k], &bundle->formats[k], error);
    if (order->asks && !hash_rows(&order->schedule->exports[k], &worker->rows[k], &bundle->asked[k], error))
        return false;
    if (k < order->first_kept || (order->asks && order->rows_only)) return true;
    if (order->rows_only || order->schedule->exports[k].exporter->begin)
        return hand_over(order, &worker->rows[k], bundle, k, error);
    return pack(worker, order->schedule->level, &worker->rows[k], &bundle->formats[k], error);
}

static bool pack_all(const sb_order *order, sb_bundle_worker *worker, sb_bundle *bundle, sb_error *error) {
    for (size_t k = 0; k < order->schedule->n_exports; k++)
        if (!pack_format(order, worker, bundle, k, error)) return false;
    return order->reads_only || order->rows_only ||
           pack(worker, order->schedule->level, &worker->tapes, &bundle->tapes, error);
}

/* Lets everything that is made grow from nothing; what a bundle that failed has begun is forgotten. */
static void begin_output(sb_bundle_worker *worker, sb_bundle *bundle) {
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) {
        worker->rows[k].grows = bundle->formats[k].bytes.grows = bundle->asked[k].grows = true;
        sb_out_clear(&worker->rows[k]), sb_out_clear(&bundle->formats[k].bytes), sb_out_clear(&bundle->asked[k]);
        if (worker->packers[k]) worker->packers[k]->begun = false;
    }
    worker->tapes.grows = true;
    sb_out_clear(&worker->tapes);
}

bool sb_bundle_make(const sb_order *order, sb_bundle_worker *worker, sb_bundle *bundle, sb_error *error) {
    const char *at = bundle->lines.size ? bundle->lines.data : "";
    begin_output(worker, bundle);
    sb_stats_clear(&bundle->stats);
    bundle->n_kept = bundle->n_losses = 0, bundle->n_tapes = 0;
    for (size_t i = 0; i < bundle->n; i++)
        if (!make_episode(order, worker, bundle->episodes[i], &at, bundle, error)) return false;
    return pack_all(order, worker, bundle, error);
}
