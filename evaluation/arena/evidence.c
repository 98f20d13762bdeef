#include "evaluation/arena/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"

static bool no_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for what a game has shown"); }

/* Gives room for n bytes that lives as long as the evidence; NULL without memory. */
static void *keep_room(sb_evidence *e, size_t n) {
    uint8_t *block = SB_GROW(e->blocks, e->n_blocks + 1, e->blocks_capacity) ? malloc(n) : NULL;
    if (block) e->blocks[e->n_blocks++] = block;
    return block;
}

static uint8_t *keep_frame(sb_evidence *e, const uint8_t *frame) {
    const size_t cells = sb_frame_cells(&e->play.shape);
    uint8_t *kept = keep_room(e, cells);
    return kept ? memcpy(kept, frame, cells) : NULL;
}

bool sb_evidence_begin(sb_evidence *e, const sb_log_writer *writer, sb_error *error) {
    e->play = writer->play;
    e->play.first = e->play.n = 0; /* in this log, not in the one that a recording comes from */
    e->play.start = keep_frame(e, writer->play.start);
    e->log.plays = &e->play, e->log.n_plays = 1;
    return e->play.start || no_memory(error);
}

static bool make_room(sb_evidence *e) {
    const size_t need = e->log.n_transitions + 1;
    return SB_GROW(e->log.transitions, need, e->capacity) && SB_GROW(e->past, need, e->past_capacity);
}

/* Copies a line with its frames, behind a list of pointers to them. */
static bool copy_line(sb_evidence *e, const sb_log_writer *writer, sb_log_transition *to) {
    const size_t cells = sb_frame_cells(&e->play.shape), n = e->log.n_transitions;
    const sb_log_transition *line = &writer->line;
    const uint8_t *before = n ? to[-1].last : e->play.start;
    const uint8_t **list = keep_room(e, (line->n_frames + 1) * sizeof *list);
    if (!list) return false;
    *to = *line;
    to->before = to->last = before, to->frames = list, to->available = e->play.available;
    for (uint32_t i = 0; i < line->n_frames; i++) {
        const bool is_same = memcmp(to->last, line->frames[i], cells) == 0;
        if (!is_same && !(to->last = keep_frame(e, line->frames[i]))) return false;
        list[i] = to->last;
    }
    return true;
}

bool sb_evidence_carry(sb_past *past, const sb_model_value *h, sb_error *error) {
    free(past->h);
    past->h = NULL, past->n_h = h->size;
    if (!h->size) return true;
    past->h = malloc(h->size);
    if (!past->h) return no_memory(error);
    memcpy(past->h, h->data, h->size);
    return true;
}

/* Compares what the frame and the action led to now with what they led to before, and remembers it. */
static bool look_back(sb_evidence *e, const sb_log_transition *t, bool *was_other) {
    const sb_frame_shape *shape = &e->play.shape;
    const sb_frame_key key = sb_frame_key_of(shape, t->before), next = sb_frame_key_of(shape, t->last);
    const bool done = t->kind == SB_TRANSITION_LEVEL, over = t->kind == SB_TRANSITION_OVER;
    const sb_seen *seen = sb_seen_find(&e->seen, key, &t->action);
    *was_other = seen && (seen->done != done || seen->over != over ||
                          memcmp(seen->of_next.hash, next.hash, sizeof next.hash) != 0);
    return t->kind == SB_TRANSITION_NONE || t->kind == SB_TRANSITION_RESET ||
           sb_seen_put(&e->seen, key, &t->action, t->last, next, done, over);
}

bool sb_evidence_add(sb_evidence *e, const sb_log_writer *writer, const sb_past *past, const sb_model_value *h,
                     bool *was_other, sb_error *error) {
    if (!make_room(e)) return no_memory(error);
    const size_t at = e->log.n_transitions;
    sb_log_transition *t = &e->log.transitions[at];
    if (!copy_line(e, writer, t)) return no_memory(error);
    e->past[at] = *past, e->past[at].h = NULL;
    e->log.n_transitions = e->play.n = at + 1;
    return sb_evidence_carry(&e->past[at], h, error) && (look_back(e, t, was_other) || no_memory(error));
}

bool sb_evidence_select(const sb_evidence *e, sb_regressions *set, sb_error *error) {
    *set = (sb_regressions){0};
    for (size_t i = 0; i < e->log.n_transitions; i++) {
        const sb_past *past = &e->past[i];
        const sb_model_value h = {.data = past->h, .size = past->n_h, .capacity = past->n_h};
        const sb_model_verdict verdict = {.log = &e->log,
                                          .played = &e->play,
                                          .transition = &e->log.transitions[i],
                                          .is_asked = past->is_asked,
                                          .h_before = &h,
                                          .pixels = past->pixels,
                                          .fields = {.equal = past->equal, .of = past->of}};
        if (!sb_regressions_visit(set, &verdict, error)) return false;
    }
    return true;
}

double sb_evidence_retrodiction(const sb_evidence *e) {
    size_t asked = 0, right = 0;
    for (size_t i = 0; i < e->log.n_transitions; i++)
        asked += e->past[i].is_asked, right += e->past[i].is_asked && e->past[i].is_right;
    return asked ? (double)right / (double)asked : 0;
}

void sb_evidence_free(sb_evidence *e) {
    for (size_t i = 0; i < e->log.n_transitions; i++) free(e->past[i].h);
    for (size_t i = 0; i < e->n_blocks; i++) free(e->blocks[i]);
    free(e->blocks), free(e->past), free(e->log.transitions);
    sb_seen_free(&e->seen);
    *e = (sb_evidence){0};
}
