#include "datasets/legible.h"

#include <stdio.h>

#include "engine/brush.h"
#include "engine/lookup.h"

static bool is_small(const sb_schedule *schedule, const sb_export *export, const sb_chosen *one) {
    const sb_task_info *task = sb_task_at(schedule->selection.catalogue, schedule->family, one->task);
    return task && sb_brush_is_small(export->brush, task, one->difficulty);
}

static void note_format(const sb_schedule *schedule, const sb_export *export, sb_note *note, void *context) {
    sb_seen_pairs seen = {0};
    sb_pair_text first = {""};
    char text[400];
    size_t n = 0, small = 0;
    for (size_t i = 0; i < schedule->selection.n; i++) {
        const sb_chosen *one = &schedule->selection.episodes[i];
        if (!sb_is_new_pair(&seen, one)) continue;
        n++;
        if (!is_small(schedule, export, one)) continue;
        sb_name name;
        if (small++ == 0) {
            sb_selection_name(&schedule->selection, i, &name);
            first = sb_pair_text_of(name.task, name.difficulty);
        }
    }
    if (!small) return;
    snprintf(text, sizeof text,
             "format %s: in pictures of this size not every number and sign can be told, in %zu of %zu tasks and "
             "difficulties, such as %s: give them a larger `size`, or take another look",
             export->name, small, n, first.text);
    note(context, text);
}

void sb_note_small_pictures(const sb_schedule *schedule, sb_note *note, void *context) {
    for (size_t k = 0; note && k < schedule->n_exports; k++)
        if (schedule->exports[k].brush) note_format(schedule, &schedule->exports[k], note, context);
}

void sb_note_other_prompts(const sb_schedule *schedule, const cJSON *about, sb_note *note, void *context) {
    const cJSON *prompts = cJSON_GetObjectItemCaseSensitive(about, "prompts");
    char text[400];
    for (size_t k = 0; note && cJSON_IsObject(prompts) && k < schedule->n_exports; k++) {
        const sb_export *export = &schedule->exports[k];
        const char *key = export->exporter->asks_otherwise ? export->exporter->asks_otherwise(export, prompts) : NULL;
        if (!key) continue;
        snprintf(
            text, sizeof text,
            "format %s: the rows do not ask what the model was asked when it played: `%s` differs. If they should, "
            "give one recipe to both: `chat_model.py --recipe RECIPE`, and its `formats` here",
            export->name, key);
        note(context, text);
    }
}
