/* The selection of a result: writes it into the document, and makes the list of episodes from it again. */
#ifndef SB_SELECTED_H
#define SB_SELECTED_H

#include "evaluation/budget.h"
#include "rollout/selection.h"
#include "seeds/pack.h"

/* Verifies a pack and selects its episodes; fails if there are none. The caller frees the selection, also after a
 * failure. */
bool sb_select_verified_pack(const sb_catalogue *catalogue, const sb_pack *pack, sb_selection *selection,
                             sb_error *error);

/* Writes the selection as a JSON object: a request's members, with the `budget` if there is one, or `pack` with the
 * whole pack, so that its file is not needed later. Of a request that demands something, `chosen` lists the episodes,
 * so that they need not be measured to be known. */
void sb_selected_print_request(const sb_request *request, const sb_selection *selection, const sb_eval_budget *budget,
                               sb_out *out);
void sb_selected_print_pack(const sb_pack *pack, sb_out *out);
/* Reads a pack from a file, verifies it and selects its episodes; fails if there are none. If `out` is not NULL,
 * prints the pack there. */
bool sb_select_pack_file(const sb_catalogue *catalogue, const char *path, sb_selection *selection, sb_out *out,
                         sb_error *error);

enum { SB_SELECTED_WORDS = 200 };

/* A selection that was read. Starts zeroed. */
typedef struct sb_selected {
    char words[SB_SELECTED_WORDS]; /* for people: `tasks GoToGoal, split eval`, `pack mine (12ab34cd56ef)`; one line */
    sb_selection selection;
    sb_eval_budget_plan plan; /* the plan by which the episodes were drawn; zeroed: no budget */
    bool was_chosen;          /* the episodes were read from `chosen` */
} sb_selected;
void sb_selected_free(sb_selected *selected);

/* Reads the members of a request, with its budget and `chosen`, and lists its episodes as sb_selected_read does.
 * `written`: a result holds the request; in those of version 0.2 episodes may repeat. `out` may be NULL; it receives
 * the selection as results have it. The object loses its budget and `chosen`. */
bool sb_selected_read_request(const sb_catalogue *catalogue, cJSON *object, bool written, size_t most,
                              sb_selected *selected, sb_out *out, sb_error *error);

/* Reads the selection of a result, a part of a text that sb_json_check accepted, and lists its episodes, at most
 * `most`. Under a budget it draws them again. A pack is verified like one in a file. If `pack` is not NULL, the object
 * must hold the same pack, or its hash. After a failure the words say what could be read. */
bool sb_selected_read(const sb_catalogue *catalogue, const sb_json_part *object, const sb_pack *pack, size_t most,
                      sb_selected *selected, sb_error *error);
/* Chooses the episodes again by measuring, if the request demands something; fails with SB_MISMATCH if they are
 * others. */
bool sb_selected_check_chosen(const sb_catalogue *catalogue, const sb_json_part *object, const sb_selected *selected,
                              sb_error *error);

#endif
