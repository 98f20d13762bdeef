#include "evaluation/arena/page.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "evaluation/arena/game.h"
#include "evaluation/models/frames_page.h"
#include "evaluation/table.h"

enum { PATH_BYTES = 1200, LINE_BYTES = 64 << 20 };

/* Documents that the build embeds in the program (cmake/embed.cmake): evaluation/arena/arena_page.css, .js */

extern const unsigned char sb_shipped_arena_style[], sb_shipped_arena_script[];
extern const size_t sb_shipped_arena_style_size, sb_shipped_arena_script_size;

/* ---- Files of a game --------------------------------------------------------------------------------------------- */

static bool check_line(const sb_lines *lines, sb_error *error) {
    cJSON *line = sb_json_parse_within(lines->line.data, lines->line.size, SIZE_MAX, error);
    cJSON_Delete(line);
    return line || sb_fail_at(error, "%s, line %zu", sb_path_end(lines->path), lines->number);
}

/* Puts the lines of a file as a list; a line that was cut off, as by a kill, is left out. */
static bool put_lines(sb_out *out, const char *key, const char *folder, const char *name, sb_error *error) {
    char path[PATH_BYTES];
    sb_lines lines;
    bool ok = true;
    snprintf(path, sizeof path, "%.1000s/%s", folder, name);
    sb_put_key(out, key), sb_puts(out, "[");
    if (!sb_file_exists(path)) return sb_puts(out, "]"), true;
    if (!sb_lines_open(&lines, path, LINE_BYTES, error)) return false;
    error->code = SB_OK;
    while (ok && sb_lines_next(&lines, error) && !lines.is_cut) {
        ok = check_line(&lines, error);
        if (out->last != '[') sb_puts(out, ",\n");
        sb_put(out, lines.line.data, lines.line.size);
    }
    sb_lines_close(&lines);
    sb_puts(out, "]");
    return ok && error->code == SB_OK;
}

static bool put_text(sb_out *out, const char *folder, const char *name, sb_error *error) {
    char path[PATH_BYTES];
    sb_out text = sb_out_growing();
    snprintf(path, sizeof path, "%.1000s/%.150s", folder, name);
    const bool ok = !sb_file_exists(path) || sb_file_load_plain(path, LINE_BYTES, &text, error);
    if (text.size) sb_put_key(out, name), sb_put_json_bytes(out, text.data, text.size);
    sb_out_free(&text);
    return ok;
}

/* Puts the texts of one revision, by the names of their files. */
static bool put_patches(sb_out *out, const char *folder, const cJSON *patches, sb_error *error) {
    const cJSON *patch;
    bool ok = true;
    cJSON_ArrayForEach(patch, patches) {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(patch, "text"));
        if (!name) name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(patch, "append"));
        ok = ok && (!name || strncmp(name, "revisions/", 10) != 0 || strstr(name, "..") ||
                    put_text(out, folder, name, error));
    }
    return ok;
}

static bool put_texts(sb_out *out, const char *folder, sb_error *error) {
    char path[PATH_BYTES];
    sb_lines lines;
    bool ok = true;
    snprintf(path, sizeof path, "%.1000s/" SB_ARENA_REVISIONS, folder);
    sb_put_key(out, "texts"), sb_puts(out, "{");
    if (!sb_file_exists(path)) return sb_puts(out, "}"), true;
    if (!sb_lines_open(&lines, path, LINE_BYTES, error)) return false;
    while (ok && sb_lines_next(&lines, error) && !lines.is_cut) {
        cJSON *line = sb_json_parse(lines.line.data, lines.line.size, error);
        const cJSON *revision = cJSON_GetObjectItemCaseSensitive(line, "revision");
        ok = line && (!cJSON_IsNumber(revision) ||
                      put_patches(out, folder, cJSON_GetObjectItemCaseSensitive(line, "patches"), error));
        cJSON_Delete(line);
    }
    sb_lines_close(&lines);
    sb_puts(out, "}");
    return ok && error->code == SB_OK;
}

static bool put_game(sb_out *out, const char *folder, const char *name, sb_error *error) {
    sb_puts(out, "{");
    sb_member_text(out, "name", name);
    const bool ok = put_lines(out, "log", folder, SB_ARENA_LOG, error) &&
                    put_lines(out, "steps", folder, SB_ARENA_STEPS, error) &&
                    put_lines(out, "revisions", folder, SB_ARENA_REVISIONS, error) &&
                    put_lines(out, "chat", folder, SB_ARENA_CHAT, error) &&
                    put_lines(out, "scores", folder, SB_ARENA_SCORES, error) && put_texts(out, folder, error);
    sb_puts(out, "}");
    return ok;
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

static const char body[] =
    "<p id=\"none\" hidden>No action of this run was taken yet.</p>\n<main id=\"run\" hidden>\n"
    "<div class=\"row\"><label>game <select id=\"game\"></select></label></div>\n"
    "<h2>Scores</h2>\n<div class=\"wide\"><table id=\"scores\"></table></div>\n"
    "<h2>Predictions, step by step</h2>\n<svg id=\"curves\" viewBox=\"0 0 900 240\" role=\"img\" "
    "aria-label=\"curves of predictions\"></svg>\n<ul class=\"key\" id=\"key\"></ul>\n"
    "<h2>Replay</h2>\n<div class=\"row\">"
    "<button id=\"wrong-before\" type=\"button\" aria-label=\"the surprise before\">&#8676;</button>"
    "<button id=\"back\" type=\"button\" aria-label=\"step back\">&#8592;</button>"
    "<button id=\"on\" type=\"button\" aria-label=\"step on\">&#8594;</button>"
    "<button id=\"wrong-next\" type=\"button\" aria-label=\"the next surprise\">&#8677;</button>"
    "<input id=\"at\" type=\"range\" min=\"1\" max=\"1\" value=\"1\" aria-label=\"step\"></div>\n"
    "<p id=\"said\" aria-live=\"polite\"></p>\n<p id=\"judged\"></p>\n" SB_FRAMES_FIGURES
    "<h2>Who was told</h2>\n<ul id=\"told\"></ul>\n<h2>What was changed</h2>\n<div id=\"changed\"></div>\n"
    "<p class=\"note\">Keys: left and right for a step, p and n for the surprise before and the next one, home and end "
    "for the first step and the last.</p>\n</main>\n";

static void put_head(const cJSON *run, size_t left_out, sb_out *out) {
    sb_out style = sb_out_growing();
    const char *team = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(run, "team"));
    const cJSON *part;
    sb_page_begin(out, "Seedbed: a run of the arena",
                  sb_frames_page_style(&style, (sb_page_part){sb_shipped_arena_style, sb_shipped_arena_style_size}));
    sb_out_free(&style);
    sb_puts(out, "<h1>The team "), sb_put_html(out, team ? team : ""), sb_puts(out, " in the arena</h1>\n");
    sb_puts(out, "<p class=\"soft\">Every action is taken with the model's prediction");
    cJSON_ArrayForEach(part, cJSON_GetObjectItemCaseSensitive(run, "without")) {
        sb_puts(out, ", without "), sb_put_html(out, cJSON_IsString(part) ? part->valuestring : "");
    }
    sb_puts(out, cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(run, "gate")) ? ", with the gate" : "");
    if (left_out) sb_putf(out, "; %zu games are left out, because the page would be too large", left_out);
    sb_puts(out, ".</p>\n");
}

/* Puts the games that there is room for. */
static bool put_games(const char *folder, const cJSON *run, sb_out *data, size_t *left_out, sb_error *error) {
    const cJSON *name;
    size_t index = 0;
    bool ok = true;
    sb_put_key(data, "games"), sb_puts(data, "[");
    cJSON_ArrayForEach(name, cJSON_GetObjectItemCaseSensitive(run, "games")) {
        char game[SB_ARENA_FOLDER];
        const size_t before = data->size;
        if (!ok || !cJSON_IsString(name)) break;
        sb_game_name_folder(folder, name->valuestring, index++, game);
        if (!sb_is_folder(game)) continue;
        if (data->last != '[') sb_puts(data, ",\n");
        ok = put_game(data, game, name->valuestring, error);
        if (data->size <= SB_ARENA_PAGE_BYTES) continue;
        data->size = before, data->last = before && data->data[before - 1] == '[' ? '[' : '}';
        ++*left_out;
    }
    sb_puts(data, "]");
    return ok;
}

static bool put_page(const char *folder, const cJSON *run, sb_out *out, sb_error *error) {
    sb_out data = sb_out_growing(), script = sb_out_growing();
    size_t left_out = 0;
    sb_puts(&data, "{");
    bool ok = sb_frames_page_put_colours(&data, error) && put_games(folder, run, &data, &left_out, error);
    sb_puts(&data, "}");
    if (ok) put_head(run, left_out, out), sb_puts(out, body);
    ok = ok && sb_page_packed_data(out, &data, error);
    if (ok)
        sb_page_end(
            out, sb_frames_page_script(&script, (sb_page_part){sb_shipped_arena_script, sb_shipped_arena_script_size}));
    sb_out_free(&data), sb_out_free(&script);
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the page"));
}

bool sb_arena_page_put(const char *folder, sb_out *out, sb_error *error) {
    char path[PATH_BYTES];
    sb_out text = sb_out_growing();
    cJSON *run = NULL;
    if (!sb_folder_fits(folder, error)) return false;
    if (!sb_arena_is_run(folder))
        return sb_fail(error, SB_INVALID, "%s is no run of the arena: it has no run.json and team.json",
                       sb_path_end(folder));
    snprintf(path, sizeof path, "%.1000s/run.json", folder);
    const bool ok = sb_file_load_plain(path, LINE_BYTES, &text, error) &&
                    (run = sb_json_parse(text.data, text.size, error)) && put_page(folder, run, out, error);
    cJSON_Delete(run);
    sb_out_free(&text);
    return ok;
}
