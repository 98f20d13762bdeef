/* Takes the input as files that replace files of a small dataset and of a part of one. Then the dataset is verified,
 * and the part is merged. Both succeed or fail with a message. They write only files of a dataset, and only in the
 * folder of the merged dataset.
 *
 * A line `@name` begins a file. After `@!name` all hashes of the file are corrected, as a forger of a dataset would do.
 * The content of a name that ends in `.gz` is compressed first, unless it is gzip already. */
#include <dirent.h>
#include <string.h>

#include "base/file.h"
#include "base/gzip.h"
#include "base/word.h"
#include "datasets/build.h"
#include "datasets/folder.h"
#include "datasets/verify.h"
#include "tests/fuzz/scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILES_MAX = 16, BYTES_MAX = 1 << 20 };

/* ---- Folders ---- */

static char root[SB_SCRATCH_PATH];

typedef struct folder {
    char path[SB_SCRATCH_PATH + 16];
    struct {
        char name[64];
        sb_out bytes; /* as it was built */
        bool replaced;
    } files[FILES_MAX];
    size_t n;
} folder;

static folder dataset, part, whole;

static void write_file(const char *path, const char *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) abort();
}

static bool is_dot(const char *name) { return strcmp(name, ".") == 0 || strcmp(name, "..") == 0; }

static void empty(const char *path) {
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (!is_dot(entry->d_name)) unlink(sb_path_in(path, entry->d_name).text);
    if (list) closedir(list);
}

static void remove_all(void) {
    folder *const all[] = {&dataset, &part, &whole};
    for (size_t i = 0; i < 3; i++) {
        empty(all[i]->path), rmdir(all[i]->path);
        for (size_t k = 0; k < all[i]->n; k++) sb_out_free(&all[i]->files[k].bytes);
    }
    rmdir(root);
}

static void remember(folder *f) {
    DIR *list = opendir(f->path);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (is_dot(entry->d_name)) continue;
        if (f->n == FILES_MAX) abort();
        snprintf(f->files[f->n].name, sizeof f->files[f->n].name, "%.63s", entry->d_name);
        f->files[f->n].bytes = sb_out_growing();
        /* the compressed bytes, not the unpacked ones */
        FILE *file = fopen(sb_path_in(f->path, entry->d_name).text, "rb");
        char buffer[4096];
        for (size_t n; file && (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
            sb_put(&f->files[f->n].bytes, buffer, n);
        if (!file || fclose(file) != 0 || !sb_out_ok(&f->files[f->n].bytes)) abort();
        f->n++;
    }
    if (!list || closedir(list) != 0) abort();
}

static void build(folder *f, const char *name, sb_part which) {
    static const char recipe_text[] = "{\"tasks\": \"KeyDoorPuzzle\", \"difficulty\": \"easy\", \"split\": \"train\", "
                                      "\"count\": 2, \"modes\": \"ascii\"}";
    sb_recipe recipe;
    sb_manifest made = {0};
    sb_error error;
    snprintf(f->path, sizeof f->path, "%s/%s", root, name);
    if (!sb_recipe_parse(NULL, recipe_text, sizeof recipe_text - 1, &recipe, &error)) abort();
    const sb_build work = {.recipe = &recipe, .folder = f->path, .jobs = 1, .part = which};
    if (!sb_build_run(&work, &made, &error)) abort();
    made.recipe = (sb_recipe){0}; /* ours */
    sb_manifest_free(&made);
    sb_recipe_free(&recipe);
    remember(f);
}

static void begin(void) {
    if (whole.path[0]) return;
    sb_scratch_folder(root, "folder-fuzz");
    if (atexit(remove_all) != 0) abort();
    build(&dataset, "dataset", (sb_part){0});
    build(&part, "part", (sb_part){1, 1});
    snprintf(whole.path, sizeof whole.path, "%s/whole", root);
}

static bool is_replaced(const folder *f) {
    bool replaced = false;
    for (size_t i = 0; i < f->n; i++) replaced |= f->files[i].replaced;
    return replaced;
}

/* Writes all files as they were built. */
static void restore(folder *f) {
    for (size_t i = 0; i < f->n; i++) {
        if (!f->files[i].replaced) continue;
        write_file(sb_path_in(f->path, f->files[i].name).text, f->files[i].bytes.data, f->files[i].bytes.size);
        f->files[i].replaced = false;
    }
}

/* ---- Forging ---- */

typedef struct facts {
    const char *name;
    uint64_t bytes;
    char sha256[SB_SHA256_HEX], content_sha256[SB_SHA256_HEX];
} facts;

static void tell_file(sb_shard_file *file, const facts *now) {
    if (strcmp(file->name, now->name) != 0) return;
    file->bytes = now->bytes;
    memcpy(file->sha256, now->sha256, sizeof file->sha256);
    memcpy(file->content_sha256, now->content_sha256, sizeof file->content_sha256);
}

static void tell_manifest(const facts *now) {
    sb_manifest manifest;
    sb_error error;
    if (sb_manifest_load(NULL, dataset.path, &manifest, &error)) {
        for (size_t i = 0; i < manifest.n_formats * manifest.n_shards; i++) tell_file(&manifest.files[i], now);
        for (size_t i = 0; i < manifest.n_shards; i++) tell_file(&manifest.tapes[i], now);
        for (size_t k = 0; k < manifest.n_formats; k++)
            sb_content_hash(sb_manifest_file(&manifest, k, 0), manifest.n_shards, manifest.formats[k].content_sha256);
        sb_content_hash(manifest.files, manifest.n_formats * manifest.n_shards, manifest.content_sha256);
        for (int i = 0; i < SB_DOCUMENTS; i++) {
            if (strcmp(sb_document_name((sb_document)i), now->name) != 0) continue;
            manifest.documents[i].bytes = now->bytes;
            memcpy(manifest.documents[i].sha256, now->sha256, SB_SHA256_HEX);
        }
        for (size_t i = 0; i < dataset.n; i++)
            dataset.files[i].replaced |= strcmp(dataset.files[i].name, SB_MANIFEST_NAME) == 0;
        sb_out text = sb_out_growing();
        sb_manifest_print(&manifest, &text);
        if (!sb_out_ok(&text)) abort();
        write_file(sb_path_in(dataset.path, SB_MANIFEST_NAME).text, text.data, text.size);
        sb_out_free(&text);
    }
    sb_manifest_free(&manifest);
}

/* Replaces the hash of the built file wherever it occurs in the journal. */
static void tell_journal(const char *before, const char *after) {
    sb_out text = sb_out_growing();
    sb_error error;
    const sb_path path = sb_path_in(part.path, SB_JOURNAL_NAME);
    if (sb_file_load(path.text, BYTES_MAX, &text, &error)) {
        char *at = strstr(text.data, before);
        if (at) memcpy(at, after, SB_SHA256_HEX - 1);
        if (at) write_file(path.text, text.data, text.size);
        for (size_t i = 0; at && i < part.n; i++)
            part.files[i].replaced |= strcmp(part.files[i].name, SB_JOURNAL_NAME) == 0;
    }
    sb_out_free(&text);
}

/* ---- Replacing ---- */

static void pack(const char *name, const char *text, size_t n, sb_out *bytes, facts *now) {
    sb_gzip gzip = {0};
    sb_error error;
    uint8_t digest[32];
    const bool is_gzip = n >= 2 && (unsigned char)text[0] == 0x1f && (unsigned char)text[1] == 0x8b;
    if (!sb_ends_with(name, ".gz") || is_gzip)
        sb_put(bytes, text, n);
    else if (!sb_gzip_member(&gzip, 1, text, n, bytes, &error))
        abort();
    sb_gzip_free(&gzip);
    if (!sb_out_ok(bytes)) abort();
    sb_blake2b_of(text, n, digest);
    now->name = name, now->bytes = bytes->size;
    sb_sha256_hex(digest, sizeof digest, now->content_sha256);
    sb_sha256_hex(bytes->data ? bytes->data : "", bytes->size, now->sha256);
}

static void replace_in(folder *f, const char *name, bool forges, const char *text, size_t n) {
    for (size_t i = 0; i < f->n; i++) {
        if (strcmp(f->files[i].name, name) != 0) continue;
        sb_out bytes = sb_out_growing();
        char before[SB_SHA256_HEX];
        facts now;
        pack(name, text, n, &bytes, &now);
        write_file(sb_path_in(f->path, name).text, bytes.data ? bytes.data : "", bytes.size);
        f->files[i].replaced = true;
        sb_sha256_hex(f->files[i].bytes.data, f->files[i].bytes.size, before);
        if (forges && f == &dataset) tell_manifest(&now);
        if (forges && f == &part) tell_journal(before, now.sha256);
        sb_out_free(&bytes);
    }
}

/* Gives a forged manifest the hash that fits. */
static void seal(const char *text, size_t n) {
    sb_out out = sb_out_growing();
    char hex[SB_SHA256_HEX];
    while (n && (text[n - 1] == '\n' || text[n - 1] == '}')) n--;
    sb_sha256_hex(text, n, hex);
    sb_put(&out, text, n);
    sb_putf(&out, ",\n \"sha256\": \"%s\"}\n", hex);
    replace_in(&dataset, SB_MANIFEST_NAME, false, out.data, out.size);
    sb_out_free(&out);
}

static void replace(const char *name, const char *text, size_t n) {
    const bool forges = name[0] == '!';
    name += forges;
    if (forges && strcmp(name, SB_MANIFEST_NAME) == 0) {
        seal(text, n);
        return;
    }
    replace_in(&dataset, name, forges, text, n);
    replace_in(&part, name, forges, text, n);
}

static const char *next_file(const char *at, const char *end) {
    for (; at < end; at++)
        if (*at == '@')
            return at;
        else if (!(at = memchr(at, '\n', (size_t)(end - at))))
            return end;
    return end;
}

static void unpack(const char *at, const char *end) {
    at = next_file(at, end);
    while (at < end) {
        char name[64];
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) return;
        const char *text = newline + 1, *next = next_file(text, end);
        snprintf(name, sizeof name, "%.*s", (int)(newline - at - 1 < 63 ? newline - at - 1 : 63), at + 1);
        replace(name, text, (size_t)(next - text));
        at = next;
    }
}

/* ---- Checking ---- */

static void check_refusal(const sb_error *error) {
    if (error->code == SB_OK || !error->text[0]) abort();
}

/* Returns whether a recipe has few episodes, so that playing them is fast. */
static bool is_small(const sb_recipe *recipe) {
    const sb_request *r = &recipe->selection;
    return r->n_names ? r->n_names <= 4 : r->tasks && r->count && r->count <= 4 && strlen(r->tasks) <= 24;
}

static bool dataset_is_small(void) {
    sb_manifest manifest;
    sb_error error;
    const bool small = !sb_manifest_load(NULL, dataset.path, &manifest, &error) || is_small(&manifest.recipe);
    sb_manifest_free(&manifest);
    return small;
}

static bool part_is_small(void) {
    sb_journal journal;
    sb_error error;
    const bool small = !sb_journal_load(NULL, part.path, SB_JOURNAL_NAME, &journal, &error) ||
                       is_small(&journal.recipe);
    sb_journal_free(&journal);
    return small;
}

static size_t count_entries(const char *path) {
    size_t n = 0;
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list));) n += !is_dot(entry->d_name);
    if (list) closedir(list);
    return n;
}

static bool is_known_name(const char *name) {
    bool known = sb_is_shard_name(name) || strcmp(name, SB_MANIFEST_NAME) == 0;
    for (int i = 0; i < SB_DOCUMENTS; i++) known |= strcmp(name, sb_document_name((sb_document)i)) == 0;
    return known;
}

static void check_names(const char *path) {
    DIR *list = opendir(path);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (!is_dot(entry->d_name) && !is_known_name(entry->d_name) && strcmp(entry->d_name, ".seedbed.lock") != 0)
            abort();
    if (list) closedir(list);
}

static void verify(void) {
    sb_manifest manifest = {0};
    sb_error error = {0};
    const sb_dataset_check check = {.folder = dataset.path, .jobs = 1};
    if (!sb_dataset_verify(&check, &manifest, &error)) check_refusal(&error);
    sb_manifest_free(&manifest);
    if (count_entries(dataset.path) != dataset.n) abort();
}

static void merge(void) {
    const char *const parts[] = {part.path};
    const sb_merge work = {.parts = parts, .n_parts = 1, .folder = whole.path, .overwrite = true};
    sb_manifest made = {0};
    sb_error error = {0};
    const bool ok = sb_merge_run(&work, &made, &error);
    if (!ok) check_refusal(&error);
    if (ok != sb_file_exists(sb_path_in(whole.path, SB_MANIFEST_NAME).text)) abort();
    sb_manifest_free(&made);
    check_names(whole.path);
    empty(whole.path);
    if (count_entries(part.path) != part.n || count_entries(root) > 3) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    begin();
    unpack((const char *)data, (const char *)data + size);
    if (is_replaced(&dataset) && dataset_is_small()) verify();
    if (is_replaced(&part) && part_is_small()) merge();
    restore(&dataset), restore(&part);
    return 0;
}
