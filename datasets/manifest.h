/* manifest.json: what a dataset holds and how to check it. It is written last, so a folder without it is no dataset
 * yet. */
#ifndef SB_DATASETS_MANIFEST_H
#define SB_DATASETS_MANIFEST_H

#include "datasets/prompts.h"
#include "datasets/shard.h"
#include "datasets/text_facts.h"

#define SB_MANIFEST_NAME    "manifest.json"
#define SB_MANIFEST_FORMAT  "seedbed-dataset"
#define SB_MANIFEST_VERSION 4

typedef struct sb_manifest_format {
    char name[SB_EXPORT_NAME], format[SB_EXPORT_NAME];
    char picture[SB_PICTURE_NAME];      /* look and version of the format's pictures, `flat 1`; "": it has none */
    uint64_t rows, content_bytes;       /* content_bytes: size of the rows, uncompressed */
    char content_sha256[SB_SHA256_HEX]; /* hash over the content hashes of the format's files */
} sb_manifest_format;

#define SB_CARD_NAME      "README.md"
#define SB_CROISSANT_NAME "croissant.json"

/* Documents about the data. They depend only on the manifest and the statistics, so verification can make them
 * again. */
typedef enum sb_document { SB_STATS, SB_CARD, SB_CROISSANT, SB_DOCUMENTS } sb_document;
typedef struct sb_document_facts {
    uint64_t bytes;
    char sha256[SB_SHA256_HEX];
} sb_document_facts;

/* What the manifest says of a section of the recipe: episodes that were selected, and those with rows. */
typedef struct sb_manifest_section {
    uint64_t selected, has[SB_UNITS], successes; /* has: amounts with rows, as a budget counts */
} sb_manifest_section;

/* Largest manifest and largest other document, in bytes, that are read. Neither is ever gzipped. */
enum { SB_MANIFEST_BYTES = 64 << 20, SB_DOCUMENT_BYTES = 16 << 20 };

typedef struct sb_manifest {
    sb_recipe recipe;
    char seedbed[32]; /* the version of Seedbed that made the dataset */
    char rules[SB_RULES_NAME];
    uint64_t selected; /* episodes that were selected */
    /* Selected episodes that the census found to be so, whether they are left out or not. */
    uint64_t evaluation, duplicates, across;
    uint64_t elsewhere;                  /* selected episodes that are left out because another split has them */
    uint64_t filtered;                   /* selected episodes that were played, but have no rows */
    uint64_t unreadable;                 /* episodes played with an unreadable answer, with rows or without */
    uint64_t recorded;                   /* how many recorded tapes were taken */
    char recorded_sha256[SB_SHA256_HEX]; /* hash of what the recorded tapes say (sb_schedule); "": there are none */
    uint64_t episodes, successes, rows, content_bytes; /* sums over the dataset, all formats together */
    char content_sha256[SB_SHA256_HEX];                /* hash over the content hashes of all files of formats */
    sb_manifest_format formats[SB_FORMATS_MAX];
    size_t n_formats, n_shards;
    sb_manifest_section sections[SB_SECTIONS_MAX];
    size_t n_sections;
    sb_shard_file *files; /* files of the first format's shards, then of the next one's */
    sb_shard_file *tapes; /* files of tapes, one of every shard */
    bool has_prompts;     /* `prompts` are known: datasets of earlier versions do not say them */
    sb_prompt_list prompts;
    bool has_texts; /* `texts` are known: not in earlier versions, and only if the first format is one of texts */
    sb_text_list texts;
    sb_stats stats; /* statistics, filled only after building */
    sb_document_facts documents[SB_DOCUMENTS];
    cJSON *document; /* the manifest, if it was loaded; without the lists of files and the recipe */
} sb_manifest;

static inline sb_shard_file *sb_manifest_file(const sb_manifest *manifest, size_t format, size_t shard) {
    return &manifest->files[format * manifest->n_shards + shard];
}

/* Whether the manifest of a recipe lists its sections: if there are several, or a budget. */
bool sb_manifest_has_sections(const sb_recipe *recipe);
/* Returns how many of the filtered episodes were dropped for an unreadable answer. */
static inline uint64_t sb_manifest_unreadable_dropped(const sb_manifest *m) {
    return m->recipe.filter.unreadable == SB_KEEPING_DROPPED ? m->unreadable : 0;
}
/* Fails if no episode has rows, which nobody wants; the dataset, with its tapes, is there all the same. */
bool sb_manifest_check_rows(const sb_manifest *made, const char *folder, sb_error *error);
/* Adds the statistics of a shard to what is said of its section. */
void sb_manifest_section_add(sb_manifest_section *section, const sb_stats *stats);
/* Returns what the manifest says about a shard's files. */
sb_shard sb_manifest_shard(const sb_manifest *manifest, size_t shard);

/* Returns `stats.json`, `README.md` or `croissant.json`. */
const char *sb_document_name(sb_document which);
/* Writes manifest.json, with its seal. */
void sb_manifest_print(const sb_manifest *manifest, sb_out *out);
bool sb_manifest_load(const sb_catalogue *catalogue, const char *folder, sb_manifest *manifest, sb_error *error);
bool sb_manifest_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_manifest *manifest,
                       sb_error *error);
void sb_manifest_free(sb_manifest *manifest);

#endif
