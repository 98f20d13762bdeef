/* Format `minari`: every shard is a dataset of Farama's Minari, as a tar archive of its folder: `data/main_data.hdf5`,
 * with one group per episode, and `data/metadata.json`. docs/formats.md says how to unpack and load it. A whole shard
 * is held in memory, compressed. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "exporters/arrays.h"
#include "exporters/hdf5.h"

#ifdef SB_HAS_HDF5
enum { ID = 64 /* bytes of a recipe's id, with NUL */, LABEL = 32 /* bytes of a section's label, with NUL */ };

/* The layout is that of 0.5.0, and every later version so far reads it; but 0.5.3 expects JPEG files in images. */
#define MINARI_VERSION "0.5.0"

typedef struct options {
    char id[ID]; /* the dataset's id, without the version */
    sb_fields *fields;
} options;

typedef struct writer {
    const sb_export *export;
    const options *options;
    sb_file_place place;
    sb_hdf5 *file;
    uint64_t steps, episodes;
    sb_out numbers;         /* numbers of one array of an episode, with the last observation after the others */
    uint64_t metadata_from; /* place of the second file in the archive, once that is written */
} writer;

/* ---- Options ---- */

#define ID_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

/* The id of a dataset whose recipe does not say it: made of the dataset's name, in which other characters than Minari
 * allows become `-`, and the name of the files, if that is not the format's. */
static void name_after(const sb_export *export, char id[ID]) {
    const bool is_plain = strcmp(export->name, export->exporter->name) == 0,
               is_named = export->dataset && *export->dataset;
    enum { LONGEST = ID - SB_EXPORT_NAME - (int)sizeof "seedbed/-" };
    const int n = snprintf(id, ID, "seedbed/%.*s", LONGEST, is_named ? export->dataset : export->name);
    for (char *at = id + strlen("seedbed/"); *at; at++)
        if (!strchr(ID_CHARACTERS, *at)) *at = '-';
    if (is_named && !is_plain) snprintf(id + n, ID - (size_t)n, "-%s", export->name);
}

/* Reads the id. Minari allows letters, digits, `_` and `-`, in folders divided by `/`; the first folder has at least
 * two characters. */
static bool read_id(const sb_export *export, const cJSON *all, char id[ID], sb_error *error) {
    const char *text;
    if (!cJSON_HasObjectItem(all, "id")) return name_after(export, id), true;
    if (!sb_json_string(all, "id", &text, error)) return false;
    const size_t n = strspn(text, ID_CHARACTERS "/");
    if (text[n] || n == 0 || n >= ID || text[0] == '/' || text[1] == '/' || text[n - 1] == '/' || strstr(text, "//"))
        return sb_fail(error, SB_INVALID, "key `id` should be letters, digits, - and _ in folders, not `%.60s`", text);
    memcpy(id, text, n + 1);
    return true;
}

static void free_options(void *own) {
    options *o = own;
    sb_fields_free(o->fields);
    free(o);
}

static bool read(sb_export *export, const cJSON *all, sb_error *error) {
    options *o = calloc(1, sizeof *o);
    if (!o) return sb_fail(error, SB_MEMORY, "out of memory for options");
    export->own = o;
    o->fields = sb_fields_make(export, all, SB_PIXELS_RGB, error);
    return o->fields && read_id(export, all, o->id, error);
}

static bool rows(const sb_rollout *rollout, const sb_export *export, sb_out *out, uint64_t *n_rows, sb_error *error) {
    const options *o = export->own;
    return sb_fields_rows(rollout, export, o->fields, out, n_rows, error);
}

/* ---- Episodes ---- */

static bool begin(void *writer_, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error) {
    (void)out;
    writer *w = writer_;
    *w = (writer){.export = export, .options = export->own, .place = place, .numbers = sb_out_growing()};
    w->file = sb_hdf5_make(export->level, error);
    return w->file != NULL;
}

/* One episode's bytes, field by field. */
typedef struct episode {
    const sb_fields *fields;
    const char *at[SB_FIELDS_MAX];
    uint64_t steps;
} episode;

static const char *bytes_of(const episode *e, sb_array_source source, size_t array) {
    for (size_t i = 0; i < e->fields->n; i++)
        if (e->fields->of[i].source == source && (source > SB_FIELD_MASK || e->fields->of[i].array == array))
            return e->at[i];
    return NULL;
}

static bool put_array(writer *w, const sb_field *field, uint64_t items, const void *numbers, sb_error *error) {
    uint64_t shape[SB_ARRAY_RANK + 1] = {items};
    for (int i = 0; i < field->rank; i++) shape[i + 1] = (uint64_t)field->shape[i];
    return sb_hdf5_array(w->file, field->name, field->type, field->rank + 1, shape, numbers, error);
}

/* Writes an observation. Minari stores one more than there are steps. */
static bool put_observation(writer *w, const episode *e, size_t index, sb_error *error) {
    const sb_field *field = &e->fields->of[index];
    sb_out *numbers = &w->numbers;
    sb_out_clear(numbers);
    if (field->by_step) {
        sb_put(numbers, e->at[index], sb_field_size(field, e->steps));
        sb_put(numbers, bytes_of(e, SB_FIELD_FINAL, field->array), field->bytes);
    } else {
        for (uint64_t i = 0; i <= e->steps; i++) sb_put(numbers, e->at[index], field->bytes);
    }
    if (!sb_out_ok(numbers)) return sb_fail(error, SB_MEMORY, "out of memory for an episode");
    return put_array(w, field, e->steps + 1, numbers->data, error);
}

static bool put_observations(writer *w, const episode *e, sb_error *error) {
    if (!sb_hdf5_enter(w->file, "observations", error)) return false;
    for (size_t i = 0; i < e->fields->n; i++)
        if (e->fields->of[i].source == SB_FIELD_SEEN && !put_observation(w, e, i, error)) return false;
    return sb_hdf5_leave(w->file, error);
}

static bool is_info(const sb_field *field) {
    return field->source == SB_FIELD_EFFECTIVE || field->source == SB_FIELD_VALID || field->source == SB_FIELD_LABEL ||
           field->source == SB_FIELD_MASK;
}

static const char *attribute_of(sb_array_source source) {
    switch (source) {
    case SB_FIELD_SCORE: return "score";
    case SB_FIELD_LEVEL: return "level";
    case SB_FIELD_N_LEVELS: return "n_levels";
    case SB_FIELD_FAULT: return "fault";
    default: return NULL;
    }
}

static bool put_fields(writer *w, const episode *e, bool infos, sb_error *error) {
    for (size_t i = 0; i < e->fields->n; i++) {
        const sb_field *field = &e->fields->of[i];
        const bool wanted = infos ? is_info(field)
                                  : field->source >= SB_FIELD_ACTION && field->by_step && !is_info(field);
        if (wanted && !put_array(w, field, field->by_step ? e->steps : 1, e->at[i], error)) return false;
    }
    return true;
}

/* Writes the attributes that only some datasets have. */
static bool put_judging(writer *w, const episode *e, sb_error *error) {
    for (size_t i = 0; i < e->fields->n; i++) {
        const sb_field *field = &e->fields->of[i];
        const char *name = attribute_of(field->source);
        if (name && !sb_hdf5_attribute(w->file, name, field->type, e->at[i], error)) return false;
    }
    return true;
}

static bool put_attributes(writer *w, const episode *e, sb_error *error) {
    const uint64_t id = w->episodes;
    return sb_hdf5_attribute(w->file, "id", SB_INT64, &id, error) &&
           sb_hdf5_attribute(w->file, "total_steps", SB_INT64, &e->steps, error) &&
           sb_hdf5_attribute(w->file, "seed", SB_UINT64, bytes_of(e, SB_FIELD_SEED, 0), error) &&
           sb_hdf5_attribute(w->file, "name", SB_CHAR, bytes_of(e, SB_FIELD_NAME, 0), error) &&
           sb_hdf5_attribute(w->file, "episode_id", SB_INT64, bytes_of(e, SB_FIELD_ID, 0), error) &&
           sb_hdf5_attribute(w->file, "success", SB_BOOL, bytes_of(e, SB_FIELD_SUCCESS, 0), error) &&
           put_judging(w, e, error);
}

static bool put_episode(writer *w, const episode *e, sb_error *error) {
    char name[32];
    snprintf(name, sizeof name, "episode_%llu", (unsigned long long)w->episodes);
    return sb_hdf5_enter(w->file, name, error) && put_attributes(w, e, error) && put_observations(w, e, error) &&
           put_fields(w, e, false, error) && sb_hdf5_enter(w->file, "infos", error) && put_fields(w, e, true, error) &&
           sb_hdf5_leave(w->file, error) && sb_hdf5_leave(w->file, error);
}

static bool add(void *writer_, const char *bytes, size_t n_bytes, uint64_t n_rows, sb_out *out, sb_error *error) {
    (void)out;
    writer *w = writer_;
    episode e = {.fields = w->options->fields, .steps = n_rows};
    if (!sb_fields_check(e.fields, n_bytes, n_rows, error)) return false;
    for (size_t i = 0; i < e.fields->n; i++) e.at[i] = bytes, bytes += sb_field_size(&e.fields->of[i], n_rows);
    if (!put_episode(w, &e, error)) return false;
    w->steps += n_rows, w->episodes++;
    return true;
}

/* ---- Metadata: spaces as Minari writes them ---- */

/* Writes the same bound for every number, in lists nested like the shape. */
static void put_bound(sb_out *out, const sb_field *field, int64_t bound) {
    int64_t n = 1;
    for (int i = 0; i < field->rank; i++) n *= field->shape[i];
    for (int64_t k = 0; k < n; k++) {
        int64_t inner = 1;
        if (k) sb_puts(out, ", ");
        for (int i = field->rank - 1; i >= 0; i--)
            if (k % (inner *= field->shape[i]) == 0) sb_putc(out, '[');
        sb_put_int(out, bound);
        inner = 1;
        for (int i = field->rank - 1; i >= 0; i--)
            if ((k + 1) % (inner *= field->shape[i]) == 0) sb_putc(out, ']');
    }
}

static void put_discrete(sb_out *out, int64_t n) {
    sb_putf(out, "{\"type\": \"Discrete\", \"dtype\": \"int64\", \"start\": 0, \"n\": %lld}", (long long)n);
}

static void put_text_space(sb_out *out, const sb_field *field) {
    char printable[128];
    size_t n = 0;
    for (int c = ' '; c <= '~'; c++) printable[n++] = (char)c;
    printable[n] = '\0';
    sb_putf(out, "{\"type\": \"Text\", \"max_length\": %d, \"min_length\": 0, \"charset\": ", field->shape[0]);
    sb_put_json_string(out, printable);
    sb_putc(out, '}');
}

static void put_box(sb_out *out, const sb_field *field, int32_t values) {
    static const struct {
        const char *name;
        int64_t low, high;
    } types[SB_N_SCALARS] = {[SB_INT8] = {"int8", INT8_MIN, INT8_MAX},
                             [SB_UINT8] = {"uint8", 0, UINT8_MAX},
                             [SB_INT16] = {"int16", INT16_MIN, INT16_MAX},
                             [SB_INT32] = {"int32", INT32_MIN, INT32_MAX}};
    sb_putf(out, "{\"type\": \"Box\", \"dtype\": \"%s\", \"shape\": [", types[field->type].name);
    for (int i = 0; i < field->rank; i++) sb_putf(out, "%s%d", i ? ", " : "", field->shape[i]);
    sb_puts(out, "], \"low\": ");
    put_bound(out, field, values ? 0 : types[field->type].low);
    sb_puts(out, ", \"high\": ");
    put_bound(out, field, values ? values - 1 : types[field->type].high);
    sb_putc(out, '}');
}

static void put_space(sb_out *out, const sb_field *field, const sb_array *array) {
    if (array->type == SB_CHAR)
        put_text_space(out, field);
    else if (array->rank == 0 && array->values)
        put_discrete(out, array->values);
    else
        put_box(out, field, array->values);
}

static void put_spaces(sb_out *out, const writer *w) {
    const sb_fields *fields = w->options->fields;
    bool first = true;
    sb_puts(out, "{\"type\": \"Dict\", \"subspaces\": {");
    for (size_t i = 0; i < fields->n; i++) {
        const sb_field *field = &fields->of[i];
        if (field->source != SB_FIELD_SEEN) continue;
        sb_putf(out, "%s\"%s\": ", first ? "" : ", ", field->name);
        put_space(out, field, fields->arrays[field->array]);
        first = false;
    }
    sb_puts(out, "}}");
}

/* Minari takes a space for one of images if it has bytes in two or three axes, the first two of which are at least 32
 * long, and expects JPEG files there unless the metadata say otherwise. */
static bool has_images(const sb_fields *fields) {
    enum { LEAST = 32 };
    for (size_t i = 0; i < fields->n; i++) {
        const sb_field *f = &fields->of[i];
        if (f->source == SB_FIELD_SEEN && f->type == SB_UINT8 && (f->rank == 2 || f->rank == 3) &&
            f->shape[0] >= LEAST && f->shape[1] >= LEAST)
            return true;
    }
    return false;
}

static void put_id(sb_out *out, const writer *w) {
    sb_puts(out, w->options->id);
    if (w->place.label && *w->place.label) sb_putf(out, "-%s", w->place.label);
    if (w->place.n_shards > 1) sb_putf(out, "-%05zu-of-%05zu", w->place.shard, w->place.n_shards);
    sb_puts(out, "-v0");
}

/* Writes the metadata. Spaces are JSON documents inside strings. */
static void put_metadata(const writer *w, const sb_out *observations, sb_out *out) {
    char text[ID + LABEL + 40], actions[80];
    sb_out id = sb_out_fixed(text, sizeof text), space = sb_out_fixed(actions, sizeof actions);
    put_id(&id, w), sb_out_finish(&id);
    put_discrete(&space, w->options->fields->n_actions), sb_out_finish(&space);
    sb_puts(out, "{");
    sb_member_text(out, "dataset_id", text);
    sb_member_uint(out, "total_episodes", w->episodes);
    sb_member_uint(out, "total_steps", w->steps);
    sb_member_text(out, "data_format", "hdf5");
    sb_member_text(out, "minari_version", MINARI_VERSION);
    sb_member_text(out, "observation_space", observations->data);
    sb_member_text(out, "action_space", actions);
    if (has_images(w->options->fields)) sb_member_bool(out, "jpeg_encoding", false);
    sb_puts(out, "}\n");
}

/* ---- The archive ---- */

enum { BLOCK = 512, NAME = 100 /* bytes of a name in a block */, PREFIX = 155, PREFIX_AT = 345 };
static const uint64_t FILE_MAX = 077777777777;

#define DATA_FILE     "data/main_data.hdf5"
#define METADATA_FILE "data/metadata.json"
_Static_assert(sizeof DATA_FILE <= NAME &&
                   ID + LABEL + sizeof "-00000000000000000000-of-00000000000000000000-v0" <= PREFIX,
               "every path fits, whatever the id and the number of shards");

/* Writes a file of a ustar archive: a header block, with the folder apart from the name, and the content. Owner and
 * time are 0. */
static void put_file(sb_out *out, const writer *w, const char *name, const sb_out *content) {
    char block[BLOCK] = "", checksum[8];
    sb_out folder = sb_out_fixed(block + PREFIX_AT, PREFIX);
    put_id(&folder, w);
    memcpy(block, name, strlen(name));
    memcpy(block + 100, "0000644\0000000000\0000000000", 24);
    snprintf(block + 124, 12, "%011llo", (unsigned long long)content->size);
    memcpy(block + 136, "00000000000\0        0", 21);
    memcpy(block + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (int i = 0; i < BLOCK; i++) sum += (unsigned char)block[i];
    snprintf(checksum, sizeof checksum, "%06o", sum);
    memcpy(block + 148, checksum, 7);
    sb_put(out, block, BLOCK);
    sb_put(out, content->data, content->size);
    memset(block, 0, BLOCK);
    sb_put(out, block, (BLOCK - content->size % BLOCK) % BLOCK);
}

static bool put_archive(writer *w, const sb_out *data, const sb_out *metadata, sb_out *out, sb_error *error) {
    static const char end[2 * BLOCK];
    if (data->size > FILE_MAX)
        return sb_fail(error, SB_INVALID, "the shard has more than 8 GiB: choose a smaller shard_episodes");
    put_file(out, w, DATA_FILE, data);
    w->metadata_from = out->size;
    put_file(out, w, METADATA_FILE, metadata);
    sb_put(out, end, sizeof end);
    return true;
}

static bool finish(void *writer_, sb_out *out, sb_error *error) {
    writer *w = writer_;
    sb_out data = sb_out_growing(), metadata = sb_out_growing(), spaces = sb_out_growing();
    put_spaces(&spaces, w), sb_putc(&spaces, '\0');
    bool ok = sb_out_ok(&spaces) || sb_fail(error, SB_MEMORY, "out of memory for metadata");
    if (ok) put_metadata(w, &spaces, &metadata);
    ok = ok && (sb_out_ok(&metadata) || sb_fail(error, SB_MEMORY, "out of memory for metadata")) &&
         sb_hdf5_put(w->file, &data, error) && put_archive(w, &data, &metadata, out, error);
    sb_out_free(&data), sb_out_free(&metadata), sb_out_free(&spaces);
    return ok;
}

static void part(const void *writer_, uint64_t at, sb_out *out) {
    const writer *w = writer_;
    sb_puts(out, at < w->metadata_from ? DATA_FILE : METADATA_FILE);
}

static void end(void *writer_) {
    writer *w = writer_;
    sb_hdf5_free(w->file);
    sb_out_free(&w->numbers);
}

/* ---- The card ---- */

static void tell(const sb_export *export, sb_out *out) {
    const options *o = export->own;
    const unsigned elsewhere = 1U << SB_FIELD_FINAL | 1U << SB_FIELD_ID | 1U << SB_FIELD_NAME | 1U << SB_FIELD_SEED |
                               1U << SB_FIELD_SUCCESS | 1U << SB_FIELD_SCORE | 1U << SB_FIELD_LEVEL |
                               1U << SB_FIELD_N_LEVELS | 1U << SB_FIELD_FAULT;
    sb_fields_tell(o->fields, elsewhere, out);
    sb_puts(out, "\nEvery shard is a dataset. Of what the agent saw there is one more than there are steps. Masks, ");
    sb_puts(out, export->published_mask ? "`valid_actions`" : "`action_mask`");
    sb_puts(out, " and `labels` are in `infos`; `seed`, `name`, `episode_id` and `success` are attributes of episodes");
    if (export->explores) sb_puts(out, "; `success` is false in tasks that have none");
    if (export->scores) sb_puts(out, "; so are `score` (NaN in tasks that have none), `level` and `n_levels`");
    if (export->faults) sb_puts(out, "; `fault` says whether the episode ended because its world failed");
    sb_puts(out, ".\n");
}

static void load(const sb_export *export, sb_file_place place, sb_out *out) {
    const writer w = {.options = export->own, .place = place};
    sb_puts(out, "import glob, os, tarfile\n"
                 "os.environ[\"MINARI_DATASETS_PATH\"] = \"FOLDER/unpacked\"\n"
                 "import minari\n"
                 "for path in sorted(glob.glob(\"FOLDER/");
    sb_puts(out, export->name);
    if (place.label && *place.label) sb_puts(out, "-"), sb_puts(out, place.label);
    sb_puts(out, "-*.tar\")):\n"
                 "    with tarfile.open(path) as archive:\n"
                 "        archive.extractall(\"FOLDER/unpacked\")\n"
                 "episodes = minari.load_dataset(\"");
    put_id(out, &w), sb_puts(out, "\")\n");
}

static const char *const keys[] = {"id", "pixels", NULL};

extern const sb_exporter sb_minari;
const sb_exporter sb_minari = {
    .name = "minari",
    .suffix = "tar",
    .summary = "datasets of the Python package minari: HDF5 and metadata, in a tar archive",
    .keeps_failures = true,
    .keys = keys,
    .masks = true,
    .read = read,
    .free = free_options,
    .tell = tell,
    .load = load,
    .rows = rows,
    .writer_size = sizeof(writer),
    .begin = begin,
    .add = add,
    .finish = finish,
    .end = end,
    .part = part,
};

#else

static bool read(sb_export *export, const cJSON *options, sb_error *error) {
    (void)export, (void)options;
    return sb_fail(error, SB_INVALID,
                   "format minari needs libhdf5, but this program was built without it "
                   "(docs/formats.md, \"Format minari\")");
}

extern const sb_exporter sb_minari;
const sb_exporter sb_minari = {
    .name = "minari", .suffix = "tar", .summary = "not in this build, which has no libhdf5", .read = read};
#endif
