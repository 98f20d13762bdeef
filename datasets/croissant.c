
#include <string.h>

#include "base/word.h"
#include "datasets/card.h"
#include "engine/environment.h"

/* The context of the specification, word for word, because readers compare it. */
static const char context[] =
    "{\"@language\": \"en\", \"@vocab\": \"https://schema.org/\", \"citeAs\": \"cr:citeAs\", \"column\": "
    "\"cr:column\", "
    "\"conformsTo\": \"dct:conformsTo\", \"cr\": \"http://mlcommons.org/croissant/\", "
    "\"rai\": \"http://mlcommons.org/croissant/RAI/\", \"data\": {\"@id\": \"cr:data\", \"@type\": \"@json\"}, "
    "\"dataType\": {\"@id\": \"cr:dataType\", \"@type\": \"@vocab\"}, \"dct\": \"http://purl.org/dc/terms/\", "
    "\"equivalentProperty\": \"cr:equivalentProperty\", "
    "\"examples\": {\"@id\": \"cr:examples\", \"@type\": \"@json\"}, \"extract\": \"cr:extract\", "
    "\"field\": \"cr:field\", \"fileProperty\": \"cr:fileProperty\", \"fileObject\": \"cr:fileObject\", "
    "\"fileSet\": \"cr:fileSet\", \"format\": \"cr:format\", \"includes\": \"cr:includes\", "
    "\"isLiveDataset\": \"cr:isLiveDataset\", \"jsonPath\": \"cr:jsonPath\", \"key\": \"cr:key\", \"md5\": \"cr:md5\", "
    "\"parentField\": \"cr:parentField\", \"path\": \"cr:path\", \"recordSet\": \"cr:recordSet\", "
    "\"references\": \"cr:references\", \"regex\": \"cr:regex\", \"repeated\": \"cr:repeated\", "
    "\"replace\": \"cr:replace\", \"samplingRate\": \"cr:samplingRate\", \"sc\": \"https://schema.org/\", "
    "\"separator\": \"cr:separator\", \"source\": \"cr:source\", \"subField\": \"cr:subField\", "
    "\"transform\": \"cr:transform\"}";

/* Writes `"key": {`, and the type and id of a node. */
static void open_node(sb_out *out, const char *type, const char *id) {
    sb_put_comma(out);
    sb_puts(out, "\n  {");
    out->last = '{';
    sb_member_text(out, "@type", type);
    sb_member_text(out, "@id", id);
    sb_member_text(out, "name", id);
}

static void put_reference(sb_out *out, const char *key, const char *id) {
    sb_put_key(out, key);
    sb_puts(out, "{"), sb_member_text(out, "@id", id), sb_puts(out, "}");
}

typedef struct label {
    char text[128];
} label;

/* Joins texts, for example to `steps/task`. */
static label joined(const char *a, const char *between, const char *b) {
    label l;
    sb_out out = sb_out_fixed(l.text, sizeof l.text);
    sb_puts(&out, a), sb_puts(&out, between), sb_puts(&out, b);
    sb_out_finish(&out);
    return l;
}

/* ---- Files ---- */

static void put_file(sb_out *out, const char *name, const char *format, uint64_t bytes, const char *sha256) {
    open_node(out, "cr:FileObject", name);
    sb_member_text(out, "contentUrl", name);
    sb_member_text(out, "encodingFormat", format);
    sb_put_key(out, "contentSize"), sb_putc(out, '"'), sb_put_uint(out, bytes), sb_puts(out, " B\"");
    sb_member_text(out, "sha256", sha256);
    sb_puts(out, "}");
}

/* Media types of files by suffix. A gzipped file with rows has the type of its rows; readers recognise gzip by its
 * first bytes. */
static const struct {
    const char *suffix, *type;
    bool has_rows; /* the vocabulary can describe the columns of such a file */
} types[] = {{"jsonl.gz", "application/jsonlines", true}, {"csv", "text/csv", true},
             {"npz", "application/zip", false},           {"zip", "application/zip", false},
             {"tar", "application/x-tar", false},         {"json", "application/json", false},
             {"", "application/octet-stream", false}};

static size_t type_at(const char *suffix) {
    size_t i = 0;
    while (types[i].suffix[0] && strcmp(types[i].suffix, suffix) != 0) i++;
    return i;
}

static const char *type_of(const char *suffix) { return types[type_at(suffix)].type; }

static bool has_columns(const sb_export *export) {
    return export->exporter->columns && types[type_at(export->exporter->suffix)].has_rows;
}

/* The name of a format's rows, `steps`; if there are splits, of those in one split, `steps-train`. */
static label rows_of(const sb_schedule *schedule, const sb_export *export, size_t split) {
    const sb_recipe *recipe = schedule->recipe;
    return recipe->n_splits ? joined(export->name, "-", recipe->splits[split].split) : joined(export->name, "", "");
}

static label set_of(const char *rows) { return joined(rows, "-", "files"); }

/* Writes all files with rows of this name as one set. */
static void put_set(sb_out *out, const sb_export *export, const char *rows) {
    open_node(out, "cr:FileSet", set_of(rows).text);
    sb_member_text(out, "encodingFormat", type_of(export->exporter->suffix));
    sb_member_text(out, "includes", joined(rows, "-*.", export->exporter->suffix).text);
    sb_puts(out, "}");
}

static void put_distribution(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    sb_put_key(out, "distribution");
    sb_puts(out, "[");
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const char *suffix = schedule->exports[k].exporter->suffix;
        const char *type = sb_ends_with(suffix, ".gz") ? "application/gzip" : type_of(suffix);
        for (size_t i = 0; i < m->n_shards; i++) {
            const sb_shard_file *file = sb_manifest_file(m, k, i);
            put_file(out, file->name, type, file->bytes, file->sha256);
        }
        for (size_t i = 0; has_columns(&schedule->exports[k]) && i < schedule->n_splits; i++)
            put_set(out, &schedule->exports[k], rows_of(schedule, &schedule->exports[k], i).text);
    }
    for (size_t i = 0; i < m->n_shards; i++)
        put_file(out, m->tapes[i].name, "application/gzip", m->tapes[i].bytes, m->tapes[i].sha256);
    put_file(out, SB_STATS_NAME, "application/json", m->documents[SB_STATS].bytes, m->documents[SB_STATS].sha256);
    sb_puts(out, "]");
}

/* ---- Record sets ---- */

static const char *data_type(sb_column_type type) {
    static const char *const types[SB_COLUMN_TYPES] = {
        [SB_COLUMN_TEXT] = "sc:Text",          [SB_COLUMN_INTEGER] = "sc:Integer", [SB_COLUMN_NUMBER] = "sc:Float",
        [SB_COLUMN_BOOLEAN] = "sc:Boolean",    [SB_COLUMN_MESSAGE] = "sc:Text",    [SB_COLUMN_PARTS] = "sc:Text",
        [SB_COLUMN_PICTURE] = "sc:ImageObject"};
    return types[type];
}

static void put_source(sb_out *out, const char *rows, const char *column, const char *path) {
    sb_put_key(out, "source");
    sb_puts(out, "{");
    put_reference(out, "fileSet", set_of(rows).text);
    sb_put_key(out, "extract");
    sb_puts(out, "{"), sb_member_text(out, "column", column), sb_puts(out, "}");
    if (path) {
        sb_put_key(out, "transform");
        sb_puts(out, "{"), sb_member_text(out, "jsonPath", path), sb_puts(out, "}");
    }
    sb_puts(out, "}");
}

/* Writes the parts of a message: its role and its text. */
static void put_message_fields(sb_out *out, const char *rows, const sb_column *column, const char *id) {
    static const char *const parts[] = {"role", "content"};
    sb_put_key(out, "subField");
    sb_puts(out, "[");
    for (size_t i = 0; i < 2; i++) {
        open_node(out, "cr:Field", joined(id, "/", parts[i]).text);
        sb_member_text(out, "dataType", "sc:Text");
        sb_member_bool(out, "repeated", true);
        put_source(out, rows, column->name, joined("[*]", ".", parts[i]).text);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
}

static void put_field(sb_out *out, const char *rows, const sb_column *column) {
    const label id = joined(rows, "/", column->name);
    open_node(out, "cr:Field", id.text);
    sb_member_text(out, "description", column->what);
    if (column->is_list) sb_member_bool(out, "repeated", true);
    if (column->type == SB_COLUMN_MESSAGE) {
        put_message_fields(out, rows, column, id.text);
    } else {
        sb_member_text(out, "dataType", data_type(column->type));
        put_source(out, rows, column->name, NULL);
    }
    sb_puts(out, "}");
}

static void put_record_set(const sb_export *export, const char *rows, sb_out *out) {
    sb_columns columns = {0};
    export->exporter->columns(export, &columns);
    open_node(out, "cr:RecordSet", rows);
    sb_member_text(out, "description", export->exporter->summary);
    sb_put_key(out, "field");
    sb_puts(out, "[");
    for (size_t i = 0; i < columns.n; i++) put_field(out, rows, &columns.of[i]);
    sb_puts(out, "]}");
}

static void put_record_sets(const sb_schedule *schedule, sb_out *out) {
    sb_put_key(out, "recordSet");
    sb_puts(out, "[");
    for (size_t k = 0; k < schedule->n_exports; k++) {
        const sb_export *export = &schedule->exports[k];
        for (size_t i = 0; has_columns(export) && i < schedule->n_splits; i++)
            put_record_set(export, rows_of(schedule, export, i).text, out);
    }
    sb_puts(out, "]");
}

/* ---- About the data ---- */

/* Begin and end a text value that is written in pieces; everything in between is escaped. */
static void begin_text(sb_out *out, const char *key) {
    sb_put_key(out, key);
    sb_putc(out, '"');
    out->json = true;
}
static void end_text(sb_out *out) {
    out->json = false;
    sb_putc(out, '"');
}

static void put_count(sb_out *out, const char *before, uint64_t n, const char *behind) {
    sb_puts(out, before), sb_put_uint(out, n), sb_puts(out, behind);
}

static void put_description(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    begin_text(out, "description");
    if (m->recipe.description && *m->recipe.description)
        sb_puts(out, m->recipe.description);
    else
        put_count(out, "", m->episodes, " episodes of gridworld tasks, played by "), sb_card_actors(schedule, out);
    end_text(out);
}

static void put_labels(const sb_schedule *schedule, sb_out *out) {
    if (!schedule->cast.labels) return;
    begin_text(out, "rai:dataAnnotationProtocol");
    sb_puts(out, "The columns of labels say, for every state, what ");
    sb_puts(out, schedule->cast.labeller[0] ? schedule->cast.labeller : "who acted");
    sb_puts(out, " would have done there, whatever was done. No human annotates.");
    end_text(out);
}

static void put_people(const sb_manifest *m, sb_out *out) {
    const char *key = "rai:personalSensitiveInformation", *consent = m->recipe.consent;
    if (!consent || !*consent) {
        sb_member_text(out, key,
                       "None: nothing here was written by or describes a person, beyond what the recipe's own texts "
                       "say.");
        return;
    }
    begin_text(out, key);
    sb_puts(out, "People played. Their tapes hold what they did and when, and a number for each of them, but no name. "
                 "This is what they agreed to: ");
    sb_puts(out, consent);
    end_text(out);
}

static void put_responsibility(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    begin_text(out, "rai:dataCollection");
    sb_puts(out,
            "Simulated: seeds become episodes of gridworld tasks by a deterministic procedure, and these are played "
            "by ");
    sb_card_actors(schedule, out), sb_puts(out, *m->recorded_sha256 ? ". The recipe, the recorded tapes and seedbed "
                                                                    : ". The recipe and seedbed ");
    sb_puts(out, m->seedbed), sb_puts(out, " with the rules `"), sb_puts(out, m->rules);
    sb_puts(out, "` make the same rows again.");
    end_text(out);
    sb_member_text(out, "rai:dataCollectionType", "Software Collection");
    begin_text(out, "rai:dataCollectionMissingData");
    put_count(out, "Of ", m->selected, " episodes selected");
    put_count(out, ", ", m->evaluation + m->across, " are to evaluate with or begin like one of those");
    sb_puts(out, m->recipe.keep_evaluation ? " (kept)" : " (left out)");
    put_count(out, ", ", m->duplicates, " begin like another");
    sb_puts(out, m->recipe.drop_duplicates ? " (left out)" : " (kept)");
    if (m->recipe.n_splits > 1)
        put_count(out, ", ", m->elsewhere, " are in another split or begin like one of it (left out)");
    const uint64_t unreadable = sb_manifest_unreadable_dropped(m);
    if (unreadable) put_count(out, ", ", unreadable, " have answers of a model that could not be read (left out)");
    put_count(out, " and ", m->filtered - unreadable, " "), sb_puts(out, sb_filter_reason(&m->recipe.filter));
    sb_puts(out, " (left out).");
    end_text(out);
    sb_member_text(out, "rai:dataPreprocessingProtocol",
                   "Rows are rendered from the tapes and not altered; `seedbed verify` renders them again and compares "
                   "all bytes.");
    put_labels(schedule, out);
    begin_text(out, "rai:machineAnnotationTools");
    sb_puts(out, "seedbed "), sb_puts(out, m->seedbed);
    end_text(out);
    sb_member_text(out, "rai:dataUseCases",
                   "Imitation learning, offline reinforcement learning and fine-tuning of language models on gridworld "
                   "tasks. Whoever reports scores should not have trained on the episodes to evaluate with.");
    sb_member_text(out, "rai:dataBiases",
                   "States and actions are those of the policies that played: what they never do is not shown, and "
                   "tasks, difficulties and lengths are as frequent as the recipe makes them (stats.json).");
    sb_member_text(out, "rai:dataLimitations",
                   "Small synthetic worlds with discrete actions; texts come from templates. Nothing follows for the "
                   "real world.");
    put_people(m, out);
}

void sb_croissant_print(const sb_manifest *m, const sb_schedule *schedule, sb_out *out) {
    sb_puts(out, "{\"@context\": "), sb_puts(out, context);
    sb_puts(out, ",\n ");
    out->last = '{';
    sb_member_text(out, "@type", "sc:Dataset");
    begin_text(out, "name"), sb_card_title(m, schedule, out), end_text(out);
    put_description(m, schedule, out);
    sb_put_key(out, "conformsTo");
    sb_puts(out, "[\"http://mlcommons.org/croissant/1.0\", \"http://mlcommons.org/croissant/RAI/1.0\"]");
    if (m->recipe.license && *m->recipe.license) sb_member_text(out, "license", m->recipe.license);
    sb_put_key(out, "keywords");
    sb_puts(out, "[\"gridworld\", \"imitation learning\", \"seedbed\"]");
    sb_member_bool(out, "isLiveDataset", false);
    put_responsibility(m, schedule, out);
    sb_puts(out, ",\n "), out->last = '{';
    put_distribution(m, schedule, out);
    sb_puts(out, ",\n "), out->last = '{';
    put_record_sets(schedule, out);
    sb_puts(out, "}\n");
}
