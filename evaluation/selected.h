/* Which episodes a result is of: what its document says of that, and the list of episodes made from it again. */
#ifndef SB_SELECTED_H
#define SB_SELECTED_H

#include "rollout/selection.h"
#include "seeds/pack.h"

/* The episodes of a pack that is as it says and holds some. The caller frees the selection, also after a failure. */
bool sb_select_verified_pack(const sb_catalogue *catalogue, const sb_pack *pack, sb_selection *selection,
                             sb_error *error);

/* The JSON object of the document: a request's members, or `pack` with the whole pack, so that nobody needs its file
 * to know its episodes. */
void sb_selected_print_request(const sb_request *request, sb_out *out);
void sb_selected_print_pack(const sb_pack *pack, sb_out *out);

enum { SB_SELECTED_WORDS = 200 };

/* Starts zeroed; the caller frees the selection. */
typedef struct sb_selected {
    char words[SB_SELECTED_WORDS]; /* for people: `tasks GoToGoal, split eval`, `pack mine (12ab34cd56ef)`; one line */
    sb_selection selection;
} sb_selected;

/* Reads such an object, a part of a text that sb_json_check took, and makes the list, which may have at most `most`
 * episodes. A pack is verified like one in a file. If `pack` is not NULL, it should be that one, and also stands in for
 * one of which only the hash is told. The words are there after a failure, too, as far as there are any. */
bool sb_selected_read(const sb_catalogue *catalogue, const sb_json_part *object, const sb_pack *pack, size_t most,
                      sb_selected *selected, sb_error *error);

#endif
