#include "evaluation/atlas/atlas_file.h"

#include "base/json.h"
#include "evaluation/atlas/measure.h"
#include "rollout/rules.h"

/* The rules of each family in the selection, in order of appearance. */
static void put_rules(const sb_selection *selection, sb_out *out) {
    char rules[SB_RULES_NAME];
    bool told[UINT16_MAX + 1] = {false};
    sb_put_key(out, "rules");
    sb_puts(out, "[");
    for (size_t i = 0; i < selection->n; i++) {
        const uint16_t family = selection->episodes[i].family;
        if (told[family]) continue;
        told[family] = true;
        sb_rules_name(sb_selection_family(selection, i), NULL, rules);
        sb_put_comma(out);
        sb_put_json_string(out, rules);
    }
    sb_puts(out, "]");
}

void sb_atlas_head_print(const sb_selection *selection, const char *selected, size_t n_selected, sb_part part,
                         sb_out *out) {
    sb_puts(out, "{");
    sb_member_int(out, "atlas", SB_ATLAS_VERSION);
    put_rules(selection, out);
    sb_member_uint(out, "episodes", selection->n);
    sb_part_print(part, out);
    sb_put_key(out, "selection");
    for (size_t i = 0; i < n_selected; i++) sb_putc(out, selected[i] == '\n' ? ' ' : selected[i]); /* one line */
    sb_puts(out, "}\n");
}

void sb_atlas_tail_print(size_t rows, const char sha256[SB_SHA256_HEX], sb_out *out) {
    sb_puts(out, "{");
    sb_member_uint(out, "rows", rows);
    sb_member_text(out, "sha256", sha256);
    sb_puts(out, "}\n");
}
