/* A recipe says what a dataset is made of. The same recipe gives the same content with any number of workers.
 * docs/datasets.md explains the keys; docs/recipe.schema.json is their JSON schema. */
#ifndef SB_DATASETS_RECIPE_H
#define SB_DATASETS_RECIPE_H

#include "base/json.h"
#include "base/out.h"
#include "datasets/cast.h"
#include "datasets/filter.h"
#include "datasets/tokenizer.h"
#include "exporters/exporter.h"
#include "rollout/selection.h"

/* What a dataset is composed of: its sections. A recipe without splits has one section, and every split is one; what
 * `seedbed build --extend` added later are further sections. Each selects episodes of its own, and has files of its
 * own, so that a later section changes no file of an earlier one. docs/datasets.md explains the keys. */

enum { SB_SPLIT_NAME = 17, SB_SPLITS_MAX = 8, SB_EXTENSIONS_MAX = 16, SB_SECTIONS_MAX = 24, SB_LABEL = 32 };

/* In which order the episodes of a section are written. */
typedef enum sb_arrangement {
    SB_BY_TASK,  /* in the order of the selection: by task, then difficulty */
    SB_AS_DRAWN, /* one of every task and difficulty in turn, or as a mixture drew them */
    SB_SHUFFLED
} sb_arrangement;

/* What a budget counts: episodes that have rows; or of the first format its rows, or the characters or tokens of the
 * texts in them that a trainer reads (exporters/texts.h). */
typedef enum sb_unit { SB_EPISODES, SB_ROWS, SB_CHARACTERS, SB_TOKENS, SB_UNITS } sb_unit;
extern const char *const sb_unit_names[SB_UNITS];

/* How many episodes are taken, of what, and in which order. */
typedef struct sb_composition {
    uint64_t budget[SB_UNITS];    /* budget in one of the units, at most; all 0: everything that is selected */
    sb_tokenizer_facts tokenizer; /* the tokenizer of a budget of tokens */
    const cJSON *mixture;         /* tasks and difficulties by weight (rollout/mixture.h); NULL: all alike */
    const char *order;            /* `tasks`, `drawn`, `shuffled`; NULL: `drawn` with a mixture, otherwise `tasks` */
} sb_composition;

typedef struct sb_section {
    char split[SB_SPLIT_NAME]; /* "": the dataset has no splits */
    /* Number of the extension that the section is, from 1; 0: the section was there from the beginning. */
    size_t extension;
    sb_request request;
    sb_composition composition;
} sb_section;

/* The unit of a section's budget, at which its episodes end; SB_UNITS: it has no budget. */
sb_unit sb_budget_unit(const sb_composition *composition);
static inline bool sb_has_budget(const sb_composition *c) { return sb_budget_unit(c) != SB_UNITS; }
/* Whether more than episodes have to be counted for the budget. */
static inline bool sb_counts_rows(const sb_composition *c) { return sb_has_budget(c) && !c->budget[SB_EPISODES]; }
/* Whether nothing is said of a section's composition. */
bool sb_composition_is_empty(const sb_composition *composition);
sb_arrangement sb_arrangement_of(const sb_composition *composition);

/* What stands between the kind and the numbers in the names of the section's files: ``, `train`, `more1`,
 * `train-more1`. */
void sb_section_label(const sb_section *section, char label[SB_LABEL]);
/* Adds to an error where in the recipe the section stands; returns false. */
bool sb_fail_in_section(const sb_section *section, sb_error *error);

/* The keys of a section, without those of its request; NULL-terminated. */
extern const char *const sb_composition_keys[];
bool sb_composition_read(const cJSON *object, sb_composition *composition, sb_error *error);
/* Writes the keys of a section's composition as members of an object. */
void sb_composition_print(const sb_composition *composition, sb_out *out);
/* Reads and writes the keys of a section's budget: `episodes`, `rows` and `budget`. */
bool sb_budget_read(const cJSON *object, sb_composition *composition, sb_error *error);
void sb_budget_print(const sb_composition *composition, sb_out *out);

/* Reads the object `splits` and the list `extensions` of a recipe. What a split or an extension leaves out, it has from
 * the recipe, or from the split that it extends; that is then part of the document. */
bool sb_splits_read(const sb_catalogue *catalogue, cJSON *recipe, sb_section *splits, size_t *n, sb_error *error);
bool sb_extensions_read(const sb_catalogue *catalogue, cJSON *recipe, sb_section *extensions, size_t *n,
                        sb_error *error);
void sb_splits_print(const sb_section *splits, size_t n, sb_out *out);
void sb_extensions_print(const sb_section *extensions, size_t n, sb_out *out);

/* The key `rows` of a recipe, if it is an object, says which rows are left out. As a number it is a budget. */

#define SB_APART_FROM_EVAL "eval" /* the evaluation lists of the tasks and difficulties that occur */

typedef struct sb_row_rules {
    bool drop_duplicates;   /* of rows with the same prompt and the same answer, only the first is kept */
    const char *apart_from; /* where prompts come from whose rows are left out: a split of the recipe, or `eval`; in
                               recipes that users write also the path of a seed pack. NULL: see `names` */
    const cJSON *names;     /* names of episodes whose prompts are left out; NULL: none */
} sb_row_rules;

static inline bool sb_row_rules_are_empty(const sb_row_rules *r) {
    return !r->drop_duplicates && !r->apart_from && !r->names;
}

bool sb_row_rules_read(const cJSON *recipe, sb_row_rules *rules, sb_error *error);
/* Writes the rules as the key `rows`; nothing if there are none. */
void sb_row_rules_print(const sb_row_rules *rules, sb_out *out);

/* Lists the names of the episodes of a pack, in the place of its path. NULL with an error; the caller frees it. */
cJSON *sb_row_rules_load(const sb_catalogue *catalogue, const char *path, sb_error *error);
/* Puts the names of a pack's episodes into a recipe that names a pack, so that it needs no other file. */
bool sb_row_rules_embed(const sb_catalogue *catalogue, cJSON *recipe, sb_row_rules *rules, sb_error *error);

enum {
    SB_MEMBER_EPISODES = 16, /* episodes in one gzip member, which is the unit of work */
    SB_SHARD_EPISODES = 4096,
    SB_FORMATS_MAX = 8
};

typedef struct sb_recipe {
    const char *name, *license, *description; /* texts for the dataset's card; NULL: none */
    /* What people who played agreed to, for the card; NULL: the study beside the tapes says it (datasets/consent.h). */
    const char *consent;
    /* Programs of users, if they are in the recipe; then this is the catalogue of the selection. */
    sb_catalogue *programs;
    /* Which programs of the catalogue are used, by place (sb_recipe_find_programs); until that is known, all are. */
    bool knows_used;
    uint64_t used[SB_TASKS_MAX / 64];
    sb_request selection;
    sb_composition composition;
    sb_section splits[SB_SPLITS_MAX];         /* sections that take the place of selection and composition */
    size_t n_splits;                          /* how many splits there are; 0: the recipe has none */
    sb_section extensions[SB_EXTENSIONS_MAX]; /* what was added to the finished dataset, in this order */
    size_t n_extensions;
    /* How many candidates each section takes until its budget is reached; 0: not known yet (datasets/budget.h). These
     * are not printed. */
    uint64_t cuts[SB_SECTIONS_MAX];
    sb_tokenizer_source tokenizer_source; /* where the tokenizer of the budgets is; not printed */
    sb_tokenizer *tokenizer;              /* counts with the budgets' tokenizer; NULL: nobody does; not printed */
    sb_casting casting;                   /* which agents act */
    sb_filter filter;                     /* which of the played episodes get rows */
    uint64_t defaults;    /* which version of the defaults the recipe means, 1 to SB_DEFAULTS; 0: not said, which in
                             recipes of users means the newest */
    bool keep_evaluation; /* keep evaluation episodes, and the same games, even if the split is not `eval` */
    bool drop_duplicates; /* of episodes that are the same game keep only the first */
    sb_row_rules rows;    /* which rows are left out */
    const char *format;   /* default `steps`; a comma-separated list of names */
    const cJSON *formats; /* formats with options: a list of names and objects; NULL: see `format` */
    const cJSON *instructions; /* what agents are told before tests, texts by kind in place of ours; NULL: ours */
    const char *modes;         /* observations in the rows, comma-separated; NULL: the family's choice */
    sb_rewarding rewards;      /* which rewards rows have */
    bool published_mask;       /* arrays hold the published list of valid actions instead of the sound mask */
    bool says_no_mask;         /* the recipe in a manifest of 0.2, which knew no other mask; so none is printed */
    uint64_t level;            /* compression level, 1 to 9; default 6 */
    uint64_t shard_episodes;   /* episodes per file: a multiple of SB_MEMBER_EPISODES */
    cJSON *document;           /* the document that owns the texts, if the recipe was parsed */
} sb_recipe;

#define SB_RECIPE_DEFAULT                                                                                              \
    { .format = "steps", .rewards = {.gamma = 1}, .level = 6, .shard_episodes = SB_SHARD_EPISODES }
static inline sb_recipe sb_recipe_default(void) { return (sb_recipe)SB_RECIPE_DEFAULT; }

/* The version of the defaults, which say what a recipe means where it lacks a key. In version 1 failed episodes were
 * kept, and the texts of `chat` offered the published hint `valid_actions` as if it were all that may be answered.
 * Recipes in datasets of that time have no key `defaults`. In versions 1 and 2 rows had null for texts that do not
 * apply, and seeds of any size. */
enum { SB_DEFAULTS = 3 };

extern const char *const sb_recipe_keys[]; /* NULL-terminated */

/* Reads a recipe document and looks up its tasks in the catalogue, or among its own programs if it has any; errors name
 * the key. The recipe takes the document and sb_recipe_free frees it. */
bool sb_recipe_parse(const sb_catalogue *catalogue, const char *text, size_t n, sb_recipe *recipe, sb_error *error);
bool sb_recipe_read(const sb_catalogue *catalogue, cJSON *document, sb_recipe *recipe, sb_error *error);
/* Reads a recipe that this program wrote into a dataset or a journal: version 0.2 let episodes repeat there. */
bool sb_recipe_read_written(const sb_catalogue *catalogue, cJSON *document, sb_recipe *recipe, sb_error *error);
/* Says what the recipe leaves unsaid about defaults and failures, so that the dataset's recipe says it: rows to imitate
 * come from solved episodes if only oracles act, unless all formats are for offline learning, or the filter asks for
 * failures itself. */
bool sb_recipe_settle(sb_recipe *recipe, sb_error *error);
/* Says of a recipe of recorded tapes, those of the files `tapes` (n = 0: of the file that it names), that episodes with
 * unreadable answers are dropped, if there are any and the recipe says neither what becomes of them nor who labels:
 * what an oracle answers in their place teaches. So the recipe of tapes without such answers stays as it was. */
void sb_recipe_settle_unreadable(sb_recipe *recipe, const char *const *tapes, size_t n);
/* Finds out which programs of the catalogue the recipe uses: those of the tasks that it names, or of the episodes on
 * the tapes that it names. A catalogue may hold others, and a dataset neither depends on these nor gives them away. */
void sb_recipe_find_programs(sb_recipe *recipe);
/* Returns who acts if the recipe names nobody. */
const char *sb_recipe_teacher(const sb_recipe *recipe);
/* Loads a user's recipe from a file. Files that it names are read too, and the recipe holds their content. */
bool sb_recipe_load(const sb_catalogue *catalogue, const char *path, sb_recipe *recipe, sb_error *error);
/* Reads the named files for a list of formats that will become part of a recipe. */
bool sb_recipe_embed(cJSON *formats, sb_error *error);
/* Reads all files that the recipe, which has a document, names. */
bool sb_recipe_embed_all(sb_recipe *recipe, sb_error *error);
void sb_recipe_free(sb_recipe *recipe);

/* Writes the sections of the recipe, and returns how many there are, at most SB_SECTIONS_MAX: the splits, or else the
 * recipe's own selection, and then the extensions. */
size_t sb_recipe_sections(const sb_recipe *recipe, sb_section sections[SB_SECTIONS_MAX]);
/* Whether rows of some format hold masks of actions. */
bool sb_recipe_has_masks(const sb_recipe *recipe);
/* Whether some section has a budget. */
bool sb_recipe_has_budget(const sb_recipe *recipe);

/* Whether the cuts of all budgets are known. */
bool sb_recipe_is_settled(const sb_recipe *recipe);

/* Returns which tokenizer the recipe's budgets name, the same in all; NULL: no budget is in tokens. */
const sb_tokenizer_facts *sb_recipe_tokenizer(const sb_recipe *recipe);
/* Opens the tokenizer of the recipe's budgets, if there is one, and writes its hash and library into them. Fails if the
 * recipe says others. The caller closes recipe->tokenizer, also after a failure. */
bool sb_recipe_open_tokenizer(sb_recipe *recipe, sb_error *error);

/* Writes one JSON object that reads back to the same recipe, but for the path of recorded tapes: a dataset does not
 * depend on where they were. */
void sb_recipe_print(const sb_recipe *recipe, sb_out *out);
/* Writes a recipe like sb_recipe_print, but with the path of recorded tapes. */
void sb_recipe_print_whole(const sb_recipe *recipe, sb_out *out);
/* Whether two recipes print alike; false if memory runs out. */
bool sb_recipe_same(const sb_recipe *a, const sb_recipe *b);

/* The name of a file of rows or tapes: `steps-00000-of-00003.jsonl.gz`; with a section's label
 * `steps-train-00000-of-00002.jsonl.gz`. */
typedef struct sb_shard_name {
    char text[96];
} sb_shard_name;
sb_shard_name sb_shard_of(const char *kind, const char *label, size_t shard, size_t n_shards, const char *suffix);
#define SB_TAPES_KIND   "tapes"
#define SB_TAPES_SUFFIX "jsonl.gz"

/* Programs of users in a recipe: their texts are part of it, so a dataset can be rebuilt without the files. */

/* Makes a catalogue of a list of programs, `{"family": ..., "sha256": ..., "text": ...}`, without the hash or with the
 * right one. NULL on failure. */
sb_catalogue *sb_programs_read(const cJSON *list, sb_error *error);
/* Puts the programs that the recipe uses as a list, the member `programs`, in the order of families and names. Puts
 * nothing if there are none. */
void sb_programs_print(const sb_recipe *recipe, sb_out *out);

#endif
