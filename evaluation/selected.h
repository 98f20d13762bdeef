/* The selection of a result: writes it into the document, and makes the list of episodes from it again. */
#ifndef SB_SELECTED_H
#define SB_SELECTED_H

#include "rollout/selection.h"
#include "seeds/pack.h"

/* Verifies a pack and selects its episodes; fails if there are none. The caller frees the selection, also after a
 * failure. */
bool sb_select_verified_pack(const sb_catalogue *catalogue, const sb_pack *pack, sb_selection *selection,
                             sb_error *error);

/* Writes the selection as a JSON object: a request's members, or `pack` with the whole pack, so that its file is not
 * needed later. */
void sb_selected_print_request(const sb_request *request, sb_out *out);
void sb_selected_print_pack(const sb_pack *pack, sb_out *out);
/* Reads a pack, verifies it and selects its episodes, as above. If `out` is not NULL, prints the pack there. */
bool sb_select_pack_file(const sb_catalogue *catalogue, const char *path, sb_selection *selection, sb_out *out,
                         sb_error *error);

enum { SB_SELECTED_WORDS = 200 };

/* Starts zeroed; the caller frees the selection. */
typedef struct sb_selected {
    char words[SB_SELECTED_WORDS]; /* for people: `tasks GoToGoal, split eval`, `pack mine (12ab34cd56ef)`; one line */
    sb_selection selection;
} sb_selected;

/* Reads such an object, which is a part of a text that sb_json_check accepted, and lists its episodes, at most `most`.
 * A pack is verified like one in a file. If `pack` is not NULL, the object must hold the same pack, or its hash. After
 * a failure the words say what could be read. */
bool sb_selected_read(const sb_catalogue *catalogue, const sb_json_part *object, const sb_pack *pack, size_t most,
                      sb_selected *selected, sb_error *error);

#endif
