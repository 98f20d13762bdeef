#include "cli/few_games.h"

#include "cli/known_games.h"
#include "cli/output.h"
#include "engine/lookup.h"

enum { NAMED = 8 };

/* Whether two of the list's episodes are probably the same game. */
static bool has_few(const cli_known_games *known, const sb_pack *pack, const sb_seed_list *list, sb_games *games) {
    if (!cli_known_games_find(known, pack->family, list->task, list->difficulty, games)) return false;
    const double n = (double)list->n;
    return n * (n - 1) / 2 > sb_games_judge(games).effective.is / 2;
}

bool cli_note_few_games(const sb_pack *pack, sb_error *error) {
    cli_known_games known = {0};
    sb_games games;
    if (!cli_known_games_load(&known, error)) return false;
    size_t n = 0;
    sb_out out = sb_out_growing();
    for (size_t i = 0; i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        if (!has_few(&known, pack, list, &games) || n++ >= NAMED) continue;
        sb_putf(&out, "%s%s has ", n > 1 ? ", " : "", sb_pair_text_of(list->task, list->difficulty).text);
        sb_games_put_number(&games, &out);
    }
    if (n > NAMED) sb_putf(&out, ", and %zu more", n - NAMED);
    if (n)
        cli_warn("seedbed: note: some of these episodes are the same game, because there are few: %.*s\n",
                 (int)out.size, out.data);
    sb_out_free(&out);
    cli_known_games_free(&known);
    return true;
}

bool cli_put_json_few_games(const sb_pack *pack, sb_out *out, sb_error *error) {
    cli_known_games known = {0};
    sb_games games;
    if (!cli_known_games_load(&known, error)) return false;
    sb_put_key(out, "few_games");
    sb_puts(out, "[");
    for (size_t i = 0; i < pack->n_lists; i++) {
        const sb_seed_list *list = &pack->lists[i];
        if (!has_few(&known, pack, list, &games)) continue;
        sb_put_comma(out);
        sb_puts(out, "{");
        sb_member_text(out, "task", list->task);
        if (*list->difficulty) sb_member_text(out, "difficulty", list->difficulty);
        sb_member_uint(out, "seeds", list->n);
        sb_games_print(&games, out);
        sb_puts(out, "}");
    }
    sb_puts(out, "]");
    cli_known_games_free(&known);
    return true;
}
