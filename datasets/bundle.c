#include "datasets/bundle.h"

#include <string.h>

#include "base/error.h"
#include "engine/lookup.h"

void sb_bench_free(void *data) {
    sb_bench *bench = data;
    sb_actor_free(&bench->actor);
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_out_free(&bench->rows[k]);
    sb_out_free(&bench->tapes);
    sb_gzip_free(&bench->gzip);
}

void sb_bundle_free(void *data) {
    sb_bundle *bundle = data;
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) sb_out_free(&bundle->formats[k].bytes);
    sb_out_free(&bundle->tapes.bytes), sb_out_free(&bundle->lines);
    sb_stats_free(&bundle->stats);
}

/* ---- Giving ---- */

void sb_bundle_begin(sb_bundle *bundle) {
    bundle->lines.grows = true;
    sb_out_clear(&bundle->lines);
    bundle->n = 0;
}

void sb_bundle_add_line(sb_bundle *bundle, const sb_lines *lines) {
    sb_put(&bundle->lines, lines->line.data, lines->line.size);
    sb_putc(&bundle->lines, '\n');
}

bool sb_bundle_end(sb_bundle *bundle, sb_error *error) {
    char *end = sb_out_reserve(&bundle->lines, 1);
    if (!end) return sb_fail(error, SB_MEMORY, "out of memory for tapes");
    *end = '\0';
    return true;
}

/* ---- Tapes ---- */

/* The next of the lines; `at` walks along them. Tapes of strangers are replayed whatever becomes of them. */
static bool read_tape(const sb_order *order, const char **at, sb_stage *stage, const sb_name *name, sb_error *error) {
    const char *end = strchr(*at, '\n');
    if (!end) return sb_fail(error, SB_MISMATCH, "its tape is missing");
    if (!sb_tape_parse(stage->catalogue, *at, (size_t)(end - *at), &stage->tape, error)) return false;
    *at = end + 1;
    if (sb_compare_names(&stage->tape.name, name) != 0)
        return sb_fail(error, SB_MISMATCH, "another tape is in its place");
    if (!sb_stage_open(stage, error)) return false;
    return order->reads_only ||
           (sb_tape_replay(&stage->tape, stage->env, NULL, NULL, error) && sb_tape_check_whole(&stage->tape, error));
}

/* Tapes of a dataset have their labels already. */
static bool label(const sb_order *order, sb_bench *bench, sb_error *error) {
    return order->reads_only || sb_cast_label(&order->plan->cast, &bench->actor, error);
}

static bool play_or_read(const sb_order *order, sb_bench *bench, size_t episode, const char **at, sb_error *error) {
    const sb_plan *plan = order->plan;
    const sb_name *name = sb_selection_name(&plan->selection, episode, &(sb_name){0});
    bench->actor.stage.catalogue = plan->selection.catalogue;
    if (order->reads ? read_tape(order, at, &bench->actor.stage, name, error) && label(order, bench, error)
                     : sb_cast_play(&plan->cast, &bench->actor, name, error))
        return true;
    char text[SB_NAME_MAX];
    sb_name_print(name, text, sizeof text);
    return strstr(error->text, text) ? false : sb_fail_at(error, "%s", text);
}

/* ---- Rows ---- */

/* Renders the episode in the stage into every format. */
static bool render(const sb_plan *plan, sb_bench *bench, size_t episode, sb_stats_group *group, sb_bundle *bundle,
                   sb_error *error) {
    const sb_rollout rollout = {.episode_id = episode, .tape = &bench->actor.stage.tape, .env = bench->actor.stage.env};
    for (size_t k = 0; k < plan->n_exports; k++) {
        sb_out *rows = &bench->rows[k];
        const size_t before = rows->size;
        uint64_t n_rows;
        if (!plan->exports[k].exporter->rows(&rollout, &plan->exports[k], rows, &n_rows, error)) return false;
        group->rows[k] += n_rows, group->bytes[k] += rows->size - before;
        bundle->rows[k][bundle->n_kept] = n_rows, bundle->ends[k][bundle->n_kept] = rows->size;
    }
    bundle->n_kept++;
    return sb_stats_keep(group, &bench->actor.stage.tape, error);
}

static bool make_episode(const sb_order *order, sb_bench *bench, size_t episode, const char **at, sb_bundle *bundle,
                         sb_error *error) {
    const sb_plan *plan = order->plan;
    sb_stats_group *group = sb_stats_episode(&bundle->stats, plan, episode, error);
    if (!group) return false;
    if (!sb_plan_has_tape(plan, episode)) return true;
    if (!play_or_read(order, bench, episode, at, error)) return false;
    if (!order->reads_only) sb_tape_put_line(&bench->actor.stage.tape, &bench->tapes);
    bundle->n_tapes++;
    return !sb_plan_wants(plan, episode, &bench->actor.stage.tape) ||
           render(plan, bench, episode, group, bundle, error);
}

/* ---- Packing ---- */

static bool pack(sb_bench *bench, int level, const sb_out *text, sb_packed *packed, sb_error *error) {
    if (!sb_out_ok(text)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    packed->bytes.grows = true;
    sb_out_clear(&packed->bytes);
    sb_blake2b_of(text->data, text->size, packed->digest);
    return sb_gzip_member(&bench->gzip, level, text->data, text->size, &packed->bytes, error);
}

/* The writer gets the rows as they are. */
static bool hand_over(sb_out *rows, sb_packed *packed, sb_error *error) {
    if (!sb_out_ok(rows)) return sb_fail(error, SB_MEMORY, "out of memory for rows");
    const sb_out used = packed->bytes;
    sb_blake2b_of(rows->data, rows->size, packed->digest);
    packed->bytes = *rows;
    *rows = used;
    return true;
}

static bool pack_all(const sb_order *order, sb_bench *bench, sb_bundle *bundle, sb_error *error) {
    const sb_plan *plan = order->plan;
    for (size_t k = order->first_kept; k < plan->n_exports; k++)
        if (!(plan->exports[k].exporter->begin ? hand_over(&bench->rows[k], &bundle->formats[k], error)
                                               : pack(bench, plan->level, &bench->rows[k], &bundle->formats[k], error)))
            return false;
    return order->reads_only || pack(bench, plan->level, &bench->tapes, &bundle->tapes, error);
}

bool sb_bundle_make(const sb_order *order, sb_bench *bench, sb_bundle *bundle, sb_error *error) {
    const char *at = bundle->lines.size ? bundle->lines.data : "";
    for (size_t k = 0; k < SB_FORMATS_MAX; k++) {
        bench->rows[k].grows = true;
        sb_out_clear(&bench->rows[k]);
    }
    bench->tapes.grows = true;
    sb_out_clear(&bench->tapes);
    sb_stats_clear(&bundle->stats);
    bundle->n_kept = 0, bundle->n_tapes = 0;
    for (size_t i = 0; i < bundle->n; i++)
        if (!make_episode(order, bench, bundle->episodes[i], &at, bundle, error)) return false;
    return pack_all(order, bench, bundle, error);
}
