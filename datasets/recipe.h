/* What a dataset is made of. The same recipe gives the same content, whatever the number of workers. docs/datasets.md
 * explains the keys, docs/recipe.schema.json says them to a machine. */
#ifndef SB_DATASETS_RECIPE_H
#define SB_DATASETS_RECIPE_H

#include "base/json.h"
#include "datasets/cast.h"
#include "datasets/filter.h"
#include "exporters/exporter.h"
#include "rollout/selection.h"

enum {
    SB_MEMBER_EPISODES = 16, /* in one gzip member: the unit of work */
    SB_SHARD_EPISODES = 4096,
    SB_FORMATS_MAX = 8
};

typedef struct sb_recipe {
    const char *name, *license, *description; /* for the dataset's card; NULL: not said */
    sb_request selection;
    sb_casting casting;      /* who acts */
    sb_filter filter;        /* which of the episodes that were played get rows */
    bool keep_evaluation;    /* also outside the split `eval`: episodes of the evaluation lists */
    bool drop_duplicates;    /* of episodes that begin alike only the first stays, and none like one to evaluate with */
    const char *format;      /* default `steps`; a comma-separated list of names */
    const cJSON *formats;    /* the same with options: a list of names and objects; NULL: see `format` */
    const char *modes;       /* observations in the rows, comma-separated; NULL: the family's choice */
    bool dense;              /* rewards in the rows: dense instead of sparse */
    uint64_t level;          /* of compression, 1 to 9; default 6 */
    uint64_t shard_episodes; /* episodes a file: a multiple of SB_MEMBER_EPISODES */
    cJSON *document;         /* what the texts point into, if the recipe was parsed */
} sb_recipe;

#define SB_RECIPE_DEFAULT                                                                                              \
    { .casting.agent = "expert", .format = "steps", .level = 6, .shard_episodes = SB_SHARD_EPISODES }
static inline sb_recipe sb_recipe_default(void) { return (sb_recipe)SB_RECIPE_DEFAULT; }

/* Reads a recipe document, whose tasks are looked up in the catalogue; errors name the key. The recipe takes the
 * document and sb_recipe_free frees it. */
bool sb_recipe_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_recipe *recipe, sb_error *error);
bool sb_recipe_read(const sb_catalogue *catalogue, cJSON *document, sb_recipe *recipe, sb_error *error);
/* A recipe of somebody who wants something made: files that it names are read, and it holds their content. */
bool sb_recipe_load(const sb_catalogue *catalogue, const char *path, sb_recipe *recipe, sb_error *error);
/* The same for a list of formats that is on its way into a recipe. */
bool sb_recipe_embed(cJSON *formats, sb_error *error);
void sb_recipe_free(sb_recipe *recipe);

/* One JSON object that reads back to the same recipe. */
void sb_recipe_print(const sb_recipe *recipe, sb_out *out);
/* Whether they print alike; false if memory runs out. */
bool sb_recipe_same(const sb_recipe *a, const sb_recipe *b);

/* `steps-00000-of-00003.jsonl.gz`, or the same for tapes. */
typedef struct sb_shard_name {
    char text[64];
} sb_shard_name;
sb_shard_name sb_shard_of(const char *kind, size_t shard, size_t n_shards, const char *suffix);
#define SB_TAPES_KIND   "tapes"
#define SB_TAPES_SUFFIX "jsonl.gz"

#endif
