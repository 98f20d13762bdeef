/* Plays real episodes, thinking in a candidate: plans are looked for in what it predicts, and one action at a time is
 * taken for real (docs/world-models.md, "Planning"). */
#ifndef SB_EVALUATION_MODELS_PLAN_H
#define SB_EVALUATION_MODELS_PLAN_H

#include "base/out.h"
#include "engine/efficiency.h"
#include "evaluation/models/candidate.h"

enum { SB_PLAN_NODES = 20000, SB_PLAN_DEPTH = 200 /* unless told otherwise */ };

/* Why an action was taken. */
typedef enum sb_plan_reason {
    SB_BY_PLAN,     /* the action is on the way to the end of the level, or to the goal, as the candidate has it */
    SB_BY_PROGRESS, /* on the way to more progress */
    SB_BY_PROBE,    /* there was no plan: the action taken least often in this very frame */
    SB_BY_RESET,    /* the game was over, or the test was still to begin */
    SB_PLAN_REASONS
} sb_plan_reason;
extern const char *const sb_plan_reasons[SB_PLAN_REASONS]; /* `plan`, `progress`, `probe`, `reset` */

/* What an episode came to. */
typedef struct sb_plan_report {
    sb_name name;
    sb_status status;
    sb_criterion criterion;
    const char *score_name; /* of the effort: `rhae-proxy`; NULL: the family does not measure it */
    sb_effort effort;
    uint64_t actions, by[SB_PLAN_REASONS];
    uint64_t surprises;                          /* actions after which the frame, done or over were not as predicted */
    uint64_t plans, plans_true, ways, ways_true; /* found, and came true to their end: to the goal, and to progress */
    uint64_t searches, searches_cut, predictions;
    uint64_t asked, right; /* retrodiction on the play itself, each transition before it was learnt */
    double seconds;        /* spent waiting for the candidate */
} sb_plan_report;

typedef struct sb_plan_options {
    const sb_catalogue *catalogue;
    uint64_t nodes, depth;                                /* of a search: predictions, steps; 0: as above */
    uint64_t actions;                                     /* after which the play ends; 0: the episode's limit */
    sb_out *log;                                          /* the play's log of transitions is appended; NULL: none */
    void (*progress)(void *context, size_t n, size_t of); /* actions of this episode; may be NULL */
    void *context;
} sb_plan_options;

/* Plays an episode in `env`. Fails if it has no frames or nothing to reach, and for errors of this process; failures of
 * the candidate are mispredictions. */
bool sb_plan_play(sb_env *env, const sb_name *name, sb_candidate *candidate, const sb_plan_options *options,
                  sb_plan_report *report, sb_error *error);

/* Looks for a plan in a candidate: breadth-first, from what is seen now, by what the candidate predicts. */

enum { SB_IMAGINE_BYTES = 512 << 20 /* of all z and h in a search; a search that needs more is cut */ };

/* Where a search begins, and what it may use. */
typedef struct sb_imagine_from {
    sb_candidate *candidate;
    const sb_frame_shape *shape;
    const sb_model_value *z, *h, *c;
    sb_model_meta m;
    const sb_log_action *buttons; /* in the order in which they are tried */
    size_t n_buttons;
    const sb_log_action *click; /* tried after them, at the candidate's places; NULL: there are none */
    uint64_t nodes, depth;      /* predictions that may be asked, and steps of the longest plan */
} sb_imagine_from;

/* An action of a plan, and what the candidate said it would lead to. */
typedef struct sb_imagined_step {
    sb_log_action action;
    bool done;     /* otherwise the level goes on */
    bool is_drawn; /* the frame could be rendered */
} sb_imagined_step;

typedef enum sb_imagined_kind {
    SB_IMAGINED_NOTHING,
    SB_IMAGINED_PLAN,    /* leads to the end of the level, or to the goal */
    SB_IMAGINED_PROGRESS /* leads to more progress than now */
} sb_imagined_kind;

/* A search with its memory, which is used again. Starts zeroed; the caller frees it. */
typedef struct sb_imagining {
    sb_imagined_kind kind;
    sb_imagined_step *steps;
    uint8_t *frames; /* of the steps, one after the other */
    size_t n_steps;
    uint64_t predictions; /* of this search */
    bool is_cut;          /* a budget ran out before everything was looked at */
    struct sb_imagining_room *room;
} sb_imagining;

/* Searches. The candidate's failures close a way; false only for errors of this process. */
bool sb_imagine(sb_imagining *search, const sb_imagine_from *from, sb_error *error);
void sb_imagining_free(sb_imagining *search);

/* Gives the clicks that the candidate finds worth trying, as actions; `frame` is room for one. */
bool sb_imagine_clicks(const sb_imagine_from *from, const sb_model_value *z, const sb_model_value *h,
                       const sb_model_meta *m, uint8_t *frame, sb_log_action clicks[SB_MODEL_CLICKS], size_t *n,
                       sb_error *error);

/* One spelling for equal JSON values: keys sorted, numbers in their shortest form, no spaces. */

/* Appends the canonical text of a value of n bytes; an empty text is null. Keys are sorted by their bytes. Fails if the
 * text is no JSON or memory is out. Cost: n log n. */
bool sb_put_canonical(sb_out *out, const char *text, size_t n, sb_error *error);

#endif
