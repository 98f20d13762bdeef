#include "cli/seed_games.h"

#include "engine/lookup.h"

static void put_row(sb_out *out, const sb_selection *selection, size_t index, const sb_games *games) {
    char texts[2][64];
    sb_out number = sb_out_fixed(texts[0], sizeof texts[0]), effective = sb_out_fixed(texts[1], sizeof texts[1]);
    sb_name name;
    sb_selection_name(selection, index, &name);
    sb_games_put_number(games, &number), sb_games_put_effective(games, &effective);
    sb_out_finish(&number), sb_out_finish(&effective);
    sb_putf(out, "%-28s %8llu %9llu  %-32s %-30s %5.1f %%\n", sb_pair_text_of(name.task, name.difficulty).text,
            (unsigned long long)games->starts, (unsigned long long)games->different, texts[0], texts[1],
            sb_games_left(games));
}

static void put_json_row(sb_out *out, const sb_selection *selection, size_t index, const sb_games *games) {
    sb_name name;
    sb_selection_name(selection, index, &name);
    sb_put_comma(out);
    sb_puts(out, "{");
    sb_member_text(out, "family", name.family);
    sb_member_text(out, "task", name.task);
    if (*name.difficulty) sb_member_text(out, "difficulty", name.difficulty);
    sb_games_print(games, out);
    sb_puts(out, "}");
}

static bool count(const sb_selection *selection, const cli_common *common, sb_out *out, sb_error *error) {
    cli_progress progress = cli_progress_begin(common->quiet, "started", "episodes");
    const sb_games_counting how = {.jobs = common->jobs, .progress = cli_progress_show, .context = &progress};
    bool ok = true;
    for (size_t begin = 0, end; ok && begin < selection->n; begin = end) {
        sb_games games;
        for (end = begin + 1; end < selection->n;) {
            if (!sb_same_chosen_pair(&selection->episodes[begin], &selection->episodes[end])) break;
            end++;
        }
        ok = sb_games_count(selection, begin, end, &how, &games, error);
        if (ok) (common->json ? put_json_row : put_row)(out, selection, begin, &games);
    }
    cli_progress_end(&progress);
    return ok;
}

int cli_seed_games(const cli_common *common, const sb_request *request) {
    sb_request wanted = *request;
    sb_selection selection = {0};
    sb_out out = sb_out_growing();
    sb_error error;
    if (!wanted.seeds && !wanted.n_names && !wanted.split) {
        wanted.split = "games";
        if (!wanted.count) wanted.count = SB_GAMES_STARTS;
    }
    if (common->json)
        sb_puts(&out, "[");
    else
        sb_putf(&out, "%-28s %8s %9s  %-32s %-30s %7s\n", "task", "starts", "different", "games", "effective", "left");
    const bool ok = sb_select(&wanted, &selection, &error) && count(&selection, common, &out, &error);
    if (common->json) sb_puts(&out, "]\n");
    sb_selection_free(&selection);
    if (ok) return cli_emit(&out, cli_data_if(common->json));
    sb_out_free(&out);
    return cli_fail(&error);
}
