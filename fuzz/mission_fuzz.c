/* Takes the input as a mission's text. If it can be read, it prints to the same text (without surrounding blanks), and
 * can be tracked, judged and refreshed in a world. Otherwise there is an error message. */
#include <stdlib.h>
#include <string.h>

#include "engine/minigrid/step.h"
#include "engine/minigrid/tracking.h"
#include "generators/babyai/levels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_print(const char *text, const sb_mg_mission *m) {
    char printed[512];
    sb_out out = sb_out_fixed(printed, sizeof printed);
    sb_mg_put_mission(&out, m);
    const size_t n = sb_out_finish(&out), skipped = strspn(text, " \n");
    if (n >= sizeof printed || strncmp(text + skipped, printed, n) != 0) abort();
    if (strspn(text + skipped + n, " \n") != strlen(text + skipped + n)) abort();
}

/* Takes random actions, drawn from the text itself. */
static void check_play(const char *text, const sb_mg_mission *m) {
    sb_mg_world w;
    sb_error error;
    sb_result result = {0};
    const sb_mg_level *level = sb_babyai_level(strlen(text) % SB_BABYAI_N_LEVELS);
    if (!level->generate(level, strlen(text), &w, NULL, &error)) abort();
    w.mission = *m;
    if (!sb_mg_begin_tracking(&w, &error)) return; /* there are more grey walls than can be tracked */
    for (const char *c = text; *c && !result.terminated; c++)
        sb_mg_step(&w, (sb_mg_action)((unsigned char)*c % SB_MG_N_ACTIONS), &result);
    sb_mg_mission_is_fair(&w, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    sb_mg_mission m;
    sb_error error = {0};
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (sb_mg_parse_mission(text, &m, &error)) {
        check_print(text, &m);
        check_play(text, &m);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    free(text);
    return 0;
}
