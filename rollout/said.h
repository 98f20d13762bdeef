/* What an agent said while it played: its thoughts, counters of what they took, and marks of the answers of its model.
 * Replies carry all three (docs/agents.md, "Thoughts and counters"); tapes and results keep them, step by step. */
#ifndef SB_ROLLOUT_SAID_H
#define SB_ROLLOUT_SAID_H

#include "base/hash.h"
#include "base/json.h"
#include "base/out.h"

/* The first three are whole numbers; seconds and cost are not. */
typedef enum sb_counter {
    SB_CALLS,      /* calls of a model */
    SB_TOKENS_IN,  /* tokens that the model read */
    SB_TOKENS_OUT, /* tokens that the model wrote */
    SB_SECONDS,
    SB_COST, /* cost in the agent's unit */
    SB_COUNTERS
} sb_counter;

extern const char *const sb_counter_names[SB_COUNTERS];  /* `calls`, `tokens_in`, `tokens_out`, `seconds`, `cost` */
extern const char *const sb_counter_titles[SB_COUNTERS]; /* names of the counters for people: `tokens in` */

/* How many of the answers that a model gave for a reply were odd. An answer may have several marks. */
typedef enum sb_answer_mark {
    SB_ANSWERS,           /* all answers, odd or not */
    SB_ANSWER_UNREADABLE, /* answers that held no action */
    SB_ANSWER_CUT,        /* answers that ended because they had too many tokens */
    SB_ANSWER_REFUSED,    /* answers in which the model or its provider refused */
    SB_ANSWER_EMPTY,      /* answers that held no text */
    SB_TURNS_DROPPED,     /* earlier turns, not answers, that were left out because the messages were too long */
    SB_ANSWER_MARKS
} sb_answer_mark;

extern const char
    *const sb_answer_marks[SB_ANSWER_MARKS]; /* `answers`, `unreadable`, `cut`, `refused`, `empty`, `dropped` */

enum {
    SB_THOUGHT_BYTES = 8 << 10, /* bytes of a thought in UTF-8; the rest is cut off */
    SB_SAID_BYTES = 2 << 20,    /* bytes of all thoughts in an episode; the rest is cut off */
    SB_SAID_REMARKS = 1 << 14,  /* remarks in an episode; later ones are added to the last, without their thoughts */
    SB_LOST_BYTES = 8 << 10,    /* bytes of the text that says why an episode was lost; the rest is cut off */
    SB_COUNTER_MAX = 1000000000 /* largest value of a counter in one reply */
};

typedef struct sb_counters {
    unsigned has; /* bit i: counter i was told; bit SB_COUNTERS: marks were */
    double value[SB_COUNTERS];
    double mark[SB_ANSWER_MARKS]; /* whole numbers */
} sb_counters;

/* What one reply said. */
typedef struct sb_remark {
    uint32_t step; /* step of the reply's first action; after the last action, the number of steps */
    bool again;    /* counters of tries that broke off and were played again; stands first and has no thought */
    sb_counters counters;
    size_t begin, n; /* the thought, in the texts; n is 0 if there is none */
    uint64_t cut;    /* bytes of the thought that were cut off */
} sb_remark;

/* Starts zeroed. */
typedef struct sb_said {
    sb_remark *remarks; /* steps ascend */
    size_t n, capacity;
    sb_out texts;
    sb_out lost; /* the agent's own words about why the episode was lost, visible; empty: it said none */
} sb_said;

void sb_said_free(sb_said *said);
static inline void sb_said_clear(sb_said *said) {
    said->n = 0;
    sb_out_clear(&said->texts), sb_out_clear(&said->lost);
}
static inline bool sb_has_marks(const sb_counters *counters) { return counters->has >> SB_COUNTERS & 1; }

void sb_counters_add(sb_counters *sum, const sb_counters *more);
/* Sums up all remarks, in their order. */
sb_counters sb_said_total(const sb_said *said);

/* Keeps what a reply said: a thought of n bytes of UTF-8, n may be 0, which is cut to the limits. Nothing is kept of a
 * reply that said nothing. */
bool sb_said_add(sb_said *said, size_t step, const char *thought, size_t n, const sb_counters *counters,
                 sb_error *error);
/* Keeps the counters of tries that are played again now; call it before all else. */
bool sb_said_add_again(sb_said *said, const sb_counters *counters, sb_error *error);
/* Keeps why the episode was lost: the beginning of the text, if it is too long. */
bool sb_said_lose(sb_said *said, const char *text, sb_error *error);
/* The remark that belongs to a step; NULL: nothing was said with it. */
const sb_remark *sb_said_at(const sb_said *said, size_t step);
static inline const char *sb_thought(const sb_said *said, const sb_remark *remark) {
    return said->texts.data + remark->begin;
}

/* Reads the counters and the marks of an object: numbers from 0 to `most`, which is SB_COUNTER_MAX for a reply. A
 * repeated key is an error, and so are more answers with a mark than there are answers. */
bool sb_counters_read(const cJSON *object, double most, sb_counters *counters, sb_error *error);
/* In documents counters may be sums, up to what a double holds exactly. */
#define SB_COUNTER_SUM_MAX 9007199254740992.0
#define SB_COUNTER_KEYS    "calls", "tokens_in", "tokens_out", "seconds", "cost", "marks"
/* Writes the counters as members, and the marks as another. */
void sb_counters_print(const sb_counters *counters, sb_out *out);

/* Writes the member `said`, or nothing if nothing was said. */
void sb_said_print(const sb_said *said, sb_out *out);
/* Reads the member `said` of an episode of so many steps. What is out of order or beyond a limit is an error. */
bool sb_said_read(const cJSON *object, size_t steps, sb_said *said, sb_error *error);
/* Adds the thoughts to the hash, but not the counters, which differ from run to run. */
void sb_said_hash(const sb_said *said, sb_sha256 *hash);

#endif
