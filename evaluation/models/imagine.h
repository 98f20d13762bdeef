/* Looks for a plan in a candidate: breadth-first, from what is seen now, by what the candidate predicts. */
#ifndef SB_EVALUATION_MODELS_IMAGINE_H
#define SB_EVALUATION_MODELS_IMAGINE_H

#include "base/out.h"
#include "evaluation/models/candidate.h"

enum { SB_IMAGINE_BYTES = 512 << 20 /* size of all z and h in a search; a search that needs more is cut */ };

/* Where a search begins, and what it may use. */
typedef struct sb_imagine_from {
    sb_candidate *candidate;
    const sb_frame_shape *shape;
    const sb_model_value *z, *h, *c;
    sb_model_meta m;
    const sb_log_action *buttons; /* in the order in which they are tried */
    size_t n_buttons;
    /* the click, tried after the buttons, at the candidate's places; NULL: there are no clicks */
    const sb_log_action *click;
    uint64_t nodes, depth; /* predictions that may be asked, and steps of the longest plan */
} sb_imagine_from;

/* An action of a plan, and what the candidate said it would lead to. */
typedef struct sb_imagined_step {
    sb_log_action action;
    bool done;     /* the step ends the level */
    bool is_drawn; /* the frame could be rendered */
} sb_imagined_step;

typedef enum sb_imagined_kind {
    SB_IMAGINED_NOTHING,
    SB_IMAGINED_PLAN,    /* the steps lead to the end of the level, or to the goal */
    SB_IMAGINED_PROGRESS /* the steps lead to more progress than now */
} sb_imagined_kind;

/* A search with its memory, which is used again. Starts zeroed; the caller frees it. */
typedef struct sb_imagining {
    sb_imagined_kind kind;
    sb_imagined_step *steps;
    uint8_t *frames; /* predicted frames of the steps, one after the other */
    size_t n_steps;
    uint64_t predictions; /* predictions asked in this search */
    bool is_cut;          /* a budget ran out before everything was looked at */
    struct sb_imagining_room *room;
} sb_imagining;

/* Searches for a plan. The candidate's failures close a way; false only for errors of this process. */
bool sb_imagine(sb_imagining *search, const sb_imagine_from *from, sb_error *error);
void sb_imagining_free(sb_imagining *search);

/* Gives the clicks that the candidate finds worth trying, as actions; `frame` is room for one. */
bool sb_imagine_clicks(const sb_imagine_from *from, const sb_model_value *z, const sb_model_value *h,
                       const sb_model_meta *m, uint8_t *frame, sb_log_action clicks[SB_MODEL_CLICKS], size_t *n,
                       sb_error *error);

/* ---- One spelling for equal JSON values: keys sorted, numbers in their shortest form, no spaces ---- */

/* Appends the canonical text of a value of n bytes; an empty text is null. Keys are sorted by their bytes. Fails if the
 * text is no JSON or memory is out. Cost: n log n. */
bool sb_put_canonical(sb_out *out, const char *text, size_t n, sb_error *error);

#endif
