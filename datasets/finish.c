#include "datasets/finish.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "datasets/card.h"
#include "datasets/survey.h"

/* ---- From shards ---- */

static void assemble_format(sb_manifest *m, const sb_schedule *schedule, const sb_stats_group *total, size_t k,
                            const sb_shard *shards) {
    sb_manifest_format *format = &m->formats[k];
    snprintf(format->name, sizeof format->name, "%s", schedule->exports[k].name);
    snprintf(format->format, sizeof format->format, "%s", schedule->exports[k].exporter->name);
    if (schedule->exports[k].look) sb_picture_name(schedule->exports[k].look, format->picture);
    format->rows = total->rows[k], format->content_bytes = total->bytes[k];
    m->rows += format->rows, m->content_bytes += format->content_bytes;
    for (size_t i = 0; i < m->n_shards; i++) *sb_manifest_file(m, k, i) = shards[i].files[k];
    sb_content_hash(sb_manifest_file(m, k, 0), m->n_shards, format->content_sha256);
}

static bool sum_stats(const sb_schedule *schedule, const sb_shard *shards, sb_stats *sum, sb_error *error) {
    for (size_t i = 0; i < schedule->n_shards; i++)
        if (!sb_stats_add(sum, &shards[i].stats, error)) return false;
    sb_stats_sort(sum, schedule);
    return true;
}

static bool assemble(sb_manifest *m, const sb_schedule *schedule, const sb_shard *shards, const sb_stats *sum,
                     sb_error *error) {
    const sb_stats_group total = sb_stats_total(sum);
    m->n_shards = schedule->n_shards, m->n_formats = schedule->n_exports;
    m->files = calloc(m->n_shards * m->n_formats, sizeof *m->files);
    m->tapes = calloc(m->n_shards, sizeof *m->tapes);
    if (!m->files || !m->tapes) return sb_fail(error, SB_MEMORY, "out of memory for the manifest");
    sb_rules_name(schedule->family, NULL, m->rules);
    snprintf(m->seedbed, sizeof m->seedbed, "%s", SB_VERSION);
    m->selected = total.selected, m->evaluation = total.evaluation, m->duplicates = total.duplicates;
    m->across = total.across, m->elsewhere = total.elsewhere;
    m->n_sections = schedule->n_sections;
    for (size_t i = 0; i < m->n_shards; i++)
        sb_manifest_section_add(&m->sections[sb_schedule_section(schedule, i) - schedule->sections], &shards[i].stats);
    m->recorded = schedule->n_recorded;
    snprintf(m->recorded_sha256, sizeof m->recorded_sha256, "%s", schedule->recorded_sha256);
    m->unreadable = total.unreadable;
    m->filtered = total.played - total.episodes, m->episodes = total.episodes, m->successes = total.successes;
    m->rows = m->content_bytes = 0;
    for (size_t k = 0; k < m->n_formats; k++) assemble_format(m, schedule, &total, k, shards);
    for (size_t i = 0; i < m->n_shards; i++) m->tapes[i] = shards[i].tapes;
    sb_content_hash(m->files, m->n_shards * m->n_formats, m->content_sha256);
    return true;
}

/* ---- Documents ---- */

bool sb_document_print(sb_document which, const sb_manifest *m, const sb_schedule *schedule, const sb_stats *sum,
                       sb_out *out, sb_error *error) {
    bool ok = true;
    switch (which) {
    case SB_STATS: ok = sb_stats_document(sum, schedule, out, error); break;
    case SB_CARD: ok = sb_card_print(m, schedule, sum, out, error); break;
    default: sb_croissant_print(m, schedule, out); break;
    }
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for %s", sb_document_name(which)));
}

/* ---- Writing ---- */

/* The documents and the manifest are written under temporary names first and then renamed, the manifest last. */
enum { MANIFEST = SB_DOCUMENTS, N_FILES };

static bool write_file(const sb_destination *destination, const char *name, const sb_out *text, sb_file *file,
                       sb_error *error) {
    return (sb_out_ok(text) || sb_fail(error, SB_MEMORY, "out of memory for %s", name)) &&
           sb_destination_create(destination, name, file, error) &&
           sb_file_write(file, text->data, text->size, error) && sb_file_flush(file, error);
}

static bool write_files(sb_manifest *m, const sb_schedule *schedule, const sb_destination *destination,
                        sb_file files[N_FILES], sb_out *text, sb_error *error) {
    for (sb_document which = 0; which < SB_DOCUMENTS; which++) {
        sb_out_clear(text);
        if (!sb_document_print(which, m, schedule, &m->stats, text, error)) return false;
        m->documents[which].bytes = text->size;
        sb_sha256_hex(text->data, text->size, m->documents[which].sha256);
        if (!write_file(destination, sb_document_name(which), text, &files[which], error)) return false;
    }
    sb_out_clear(text);
    sb_manifest_print(m, text);
    return write_file(destination, SB_MANIFEST_NAME, text, &files[MANIFEST], error);
}

static bool save(sb_manifest *m, const sb_schedule *schedule, const sb_destination *destination, sb_error *error) {
    sb_file files[N_FILES] = {0};
    sb_out text = sb_out_growing();
    bool ok = write_files(m, schedule, destination, files, &text, error);
    for (int i = 0; ok && i < N_FILES; i++) ok = sb_file_commit(&files[i], NULL, error);
    for (int i = 0; i < N_FILES; i++) sb_file_discard(&files[i]);
    sb_out_free(&text);
    return ok;
}

bool sb_manifest_finish(sb_manifest *m, const sb_schedule *schedule, const sb_shard *shards,
                        const sb_destination *destination, size_t jobs, sb_error *error) {
    sb_survey survey = {.schedule = schedule, .folder = destination->folder, .jobs = jobs};
    m->has_prompts = true;
    if (!sum_stats(schedule, shards, &m->stats, error) || !assemble(m, schedule, shards, &m->stats, error))
        return false;
    survey.episodes = m->episodes;
    m->has_texts = schedule->texts.n > 0;
    return (!m->has_texts || m->texts.n ||
            sb_text_list_make(&m->stats, sb_recipe_tokenizer(&m->recipe) != NULL, &m->texts, error)) &&
           sb_survey_take(&survey, &m->prompts, error) && save(m, schedule, destination, error);
}
