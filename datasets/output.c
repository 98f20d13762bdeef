#include "datasets/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Writes what the format's writer appended. */
static bool drain(sb_output *o, sb_error *error) {
    if (!sb_out_ok(&o->text)) return sb_fail(error, SB_MEMORY, "out of memory for %s", o->facts->name);
    const bool ok = o->text.size == 0 || sb_file_write(&o->file, o->text.data, o->text.size, error);
    sb_out_clear(&o->text);
    return ok;
}

static bool begin_writer(sb_output *o, sb_file_place place, sb_error *error) {
    const sb_exporter *exporter = o->export ? o->export->exporter : NULL;
    if (!exporter || !exporter->begin) return true;
    o->text.grows = true;
    o->writer = calloc(1, exporter->writer_size + 1);
    if (!o->writer) return sb_fail(error, SB_MEMORY, "out of memory for %s", o->facts->name);
    return exporter->begin(o->writer, o->export, place, &o->text, error) && drain(o, error);
}

bool sb_output_open(sb_output *o, const sb_destination *destination, const sb_schedule *schedule,
                    const sb_export *export, size_t shard, sb_shard_file *facts, sb_error *error) {
    const sb_shard_name name = export ? sb_schedule_file(schedule, export->name, shard, export->exporter->suffix)
                                      : sb_schedule_file(schedule, SB_TAPES_KIND, shard, SB_TAPES_SUFFIX);
    *facts = (sb_shard_file){0};
    snprintf(facts->name, sizeof facts->name, "%s", name.text);
    o->export = export, o->facts = facts;
    sb_sha256_begin(&o->content);
    if (!sb_destination_create(destination, name.text, &o->file, error)) return false;
    o->open = true;
    return begin_writer(o, sb_schedule_place(schedule, shard), error);
}

static bool add_to_writer(sb_output *o, const sb_bundle *bundle, size_t k, sb_error *error) {
    const char *rows = bundle->formats[k].bytes.data;
    size_t begin = 0;
    for (size_t i = 0; i < bundle->n_kept; i++) {
        const size_t end = bundle->ends[k][i];
        if (!o->export->exporter->add(o->writer, rows + begin, end - begin, bundle->rows[k][i], &o->text, error) ||
            !drain(o, error))
            return false;
        begin = end;
    }
    return true;
}

bool sb_output_add(sb_output *o, const sb_bundle *bundle, size_t k, sb_error *error) {
    const sb_packed *packed = o->export ? &bundle->formats[k] : &bundle->tapes;
    o->facts->episodes += o->export ? bundle->n_kept : bundle->n_tapes;
    if (!o->export) o->facts->rows += bundle->n_tapes;
    for (size_t i = 0; o->export && i < bundle->n_kept; i++) o->facts->rows += bundle->rows[k][i];
    sb_sha256_add(&o->content, packed->digest, sizeof packed->digest);
    return o->writer ? add_to_writer(o, bundle, k, error)
                     : sb_file_write(&o->file, packed->bytes.data, packed->bytes.size, error);
}

bool sb_output_close(sb_output *o, sb_error *error) {
    if (o->writer && !(o->export->exporter->finish(o->writer, &o->text, error) && drain(o, error))) return false;
    o->facts->bytes = o->file.size;
    sb_sha256_end_hex(&o->content, o->facts->content_sha256);
    o->open = false;
    const bool ok = sb_file_commit(&o->file, o->facts->sha256, error);
    sb_output_discard(o);
    return ok;
}

void sb_output_discard(sb_output *o) {
    if (o->open) sb_file_discard(&o->file);
    if (o->writer && o->export->exporter->end) o->export->exporter->end(o->writer);
    free(o->writer);
    sb_out_free(&o->text);
    *o = (sb_output){0};
}
