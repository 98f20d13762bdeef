/* Format `chat`: what its options say, and the placeholders of its templates (docs/formats.md lists both). Format
 * `preference` has most of them, too. */
#ifndef SB_EXPORTERS_CHAT_H
#define SB_EXPORTERS_CHAT_H

#include "base/zip.h"
#include "exporters/columns.h"
#include "exporters/exporter.h"
#include "exporters/template.h"

enum {
    SB_CHAT_TEXT_FIELDS = 64 /* at most: fields of texts, modes and texts of a family, and NULL */,
    SB_CHAT_TEXTS = 4 /* texts of a family, at most */
};

typedef enum sb_chat_style { SB_CHAT_MESSAGES, SB_CHAT_PROMPT, SB_CHAT_PROMPT_MESSAGES, SB_CHAT_STYLES } sb_chat_style;

/* Placeholders of system and user texts; the family's modes and then its texts follow. */
typedef enum sb_chat_field {
    SB_CHAT_TASK,
    SB_CHAT_DESCRIPTION,
    SB_CHAT_CATEGORY,
    SB_CHAT_DIFFICULTY,
    SB_CHAT_NAME,
    SB_CHAT_SEED,
    SB_CHAT_STEP,
    SB_CHAT_TURN,
    SB_CHAT_MAX_STEPS,
    SB_CHAT_OBSERVATION,
    SB_CHAT_SCENE,
    SB_CHAT_ACTIONS,       /* all actions of the task */
    SB_CHAT_VALID_ACTIONS, /* those of the published hint, which leaves out actions that win */
    SB_CHAT_HISTORY,
    SB_CHAT_INSTRUCTIONS, /* what is told before a test; empty elsewhere */
    SB_CHAT_IMAGE,        /* the picture; only in user texts, and only if there are pictures */
    SB_CHAT_FIELDS
} sb_chat_field;

/* Those of an item of {history}, of an item of {actions} and {valid_actions}, of answers, of {rationale}, and of
 * {reasoning}. */
typedef enum sb_chat_past {
    SB_CHAT_PAST_STEP,
    SB_CHAT_PAST_TURN,
    SB_CHAT_PAST_ACTION,
    SB_CHAT_PAST_NAME,
    SB_CHAT_PAST_REWARD,
    SB_CHAT_PAST_OBSERVATION
} sb_chat_past;
typedef enum sb_chat_valid { SB_CHAT_VALID_ACTION, SB_CHAT_VALID_NAME } sb_chat_valid;
typedef enum sb_chat_answer {
    SB_CHAT_ANSWER_ACTION,
    SB_CHAT_ANSWER_NAME,
    SB_CHAT_ANSWER_STEP,
    SB_CHAT_ANSWER_TURN,
    SB_CHAT_ANSWER_RATIONALE,
    SB_CHAT_ANSWER_REASONING
} sb_chat_answer;
typedef enum sb_chat_said { SB_CHAT_SAID_THOUGHT } sb_chat_said;
typedef enum sb_chat_why { SB_CHAT_WHY_INTENT, SB_CHAT_WHY_VERB, SB_CHAT_WHY_OBJECT } sb_chat_why;

typedef struct sb_chat_list { /* items of one kind, joined */
    sb_template item;
    const char *separator, *empty;
} sb_chat_list;

/* Texts point into the options' JSON. */
typedef struct sb_chat_options {
    sb_chat_style style;
    bool by_episode;
    uint64_t turns;   /* how many earlier exchanges a row repeats */
    uint64_t history; /* how many steps {history} covers */
    sb_template system, user, answer, rationale, reasoning;
    sb_chat_list past, valid;
    bool places; /* rationales tell coordinates, because the texts do */
    /* What a prompt offers to answer with: all actions; or else, if the published hint is all that it lists, that. */
    bool offers_all, offers_hint;
    const char *fields[SB_CHAT_TEXT_FIELDS];
    const sb_array *texts[SB_CHAT_TEXTS]; /* arrays of the family that are one text an episode, such as missions */
    char user_standard[160];
    sb_brush *brush; /* draws the pictures; NULL: there are none */
} sb_chat_options;

/* Names of the options, NULL-terminated. */
extern const char *const sb_chat_keys[];

/* Reads the options of conversations into `o`, which is zeroed except for the style that they have if none is given. */
bool sb_chat_read_texts(sb_export *export, sb_chat_options *o, const cJSON *all, sb_error *error);

/* For sb_exporter.read and free. */
bool sb_chat_read(sb_export *export, const cJSON *all, sb_error *error);
void sb_chat_free(void *options);

/* Files of format `chat` with pictures: zip archives that the library `datasets` loads as a folder of images. A row of
 * `metadata.jsonl` names its pictures, which lie in the archive as PNG files. */

/* The content of an episode, which is what its hash is over: this head, the rows, and the pixels before every step. */
typedef struct sb_chat_head {
    uint64_t episode_id, n_text; /* n_text: bytes of the rows */
    uint32_t n, height, width;   /* pictures, and the size of each, in pixels */
    uint32_t depth;              /* bytes of a pixel: 1, a colour number, or 3 */
} sb_chat_head;

/* Writes the name of the picture before a step of an episode. */
enum { SB_CHAT_PICTURE_NAME = 64 };
void sb_chat_picture_name(uint64_t episode_id, size_t step, char name[SB_CHAT_PICTURE_NAME]);

/* The hooks of the format (sb_exporter). Packing turns pixels into PNG files. */
bool sb_chat_pack(const sb_export *export, const char *rows, size_t n, sb_out *out, sb_error *error);

typedef struct sb_chat_writer {
    int level;
    sb_zip zip;
    sb_zip_member metadata; /* compressed rows of all episodes so far */
} sb_chat_writer;

bool sb_chat_begin(void *writer, const sb_export *export, sb_file_place place, sb_out *out, sb_error *error);
bool sb_chat_add(void *writer, const char *packed, size_t n, uint64_t n_rows, sb_out *out, sb_error *error);
bool sb_chat_finish(void *writer, sb_out *out, sb_error *error);
void sb_chat_end(void *writer);

typedef struct sb_chat_comparer {
    const sb_export *export;
    sb_unzip zip;
    sb_unzip_member metadata, picture;
    sb_out found; /* rows, or a picture's file and its pixels */
    uint64_t n_pictures;
} sb_chat_comparer;

bool sb_chat_compare_begin(void *comparer, const sb_export *export, const char *path, sb_error *error);
bool sb_chat_compare_add(void *comparer, const char *rows, size_t n, sb_error *error);
bool sb_chat_compare_finish(void *comparer, sb_error *error);
void sb_chat_compare_end(void *comparer);

#endif
