/* Takes the input as the journal of an unfinished build. If it can be read, it is consistent: its shards belong to the
 * part, and its names and counts can be used without further checks. Otherwise there is an error message. */
#include <string.h>

#include "base/file.h"
#include "datasets/journal.h"
#include "tests/fuzz/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[SB_SCRATCH_PATH], path[SB_SCRATCH_PATH + sizeof SB_JOURNAL_NAME];

static void remove_folder(void) {
    unlink(path);
    rmdir(folder);
}

static void save(const char *bytes, size_t n) {
    if (!path[0]) {
        sb_scratch_folder(folder, "journal-fuzz");
        if (atexit(remove_folder) != 0) abort();
        snprintf(path, sizeof path, "%s/%s", folder, SB_JOURNAL_NAME);
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) abort();
}

static void check_file(const sb_shard_file *file) {
    if (!memchr(file->name, '\0', sizeof file->name) || strlen(file->sha256) != SB_SHA256_HEX - 1 ||
        strlen(file->content_sha256) != SB_SHA256_HEX - 1)
        abort();
}

/* Checks that statistics print to a text that reads back to the same statistics. */
static void check_stats(const sb_stats *stats) {
    sb_stats again = {0};
    sb_error error;
    sb_out first = sb_out_growing(), second = sb_out_growing();
    sb_stats_print(stats, &first);
    cJSON *list = sb_json_parse(first.data, first.size, &error);
    if (!list || !sb_stats_read(NULL, list, &again, &error)) abort();
    sb_stats_print(&again, &second);
    if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0) abort();
    cJSON_Delete(list);
    sb_stats_free(&again);
    sb_out_free(&first), sb_out_free(&second);
}

static void check_journal(const sb_journal *journal) {
    if (!journal->head || journal->n_formats > SB_FORMATS_MAX) abort();
    if (journal->part.number < 1 || journal->part.number > journal->part.of) abort();
    for (size_t i = 0; i < journal->n_shards; i++) {
        const sb_shard *shard = &journal->shards[i];
        if (!shard->done) continue;
        if (i % journal->part.of != journal->part.number - 1) abort();
        for (size_t k = 0; k < journal->n_formats; k++) check_file(&shard->files[k]);
        check_file(&shard->tapes);
        check_stats(&shard->stats);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_journal journal;
    sb_error error = {0};
    save((const char *)data, size);
    if (sb_journal_load(NULL, folder, SB_JOURNAL_NAME, &journal, &error))
        check_journal(&journal);
    else if (error.code == SB_OK || !error.text[0])
        abort();
    sb_journal_free(&journal);
    return 0;
}
