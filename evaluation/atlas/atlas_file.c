#include "evaluation/atlas/atlas_file.h"

#include "base/json.h"
#include "evaluation/atlas/measure.h"

void sb_atlas_head_print(const sb_selection *selection, const char *selected, size_t n_selected, sb_part part,
                         sb_out *out) {
    sb_puts(out, "{");
    sb_member_int(out, "atlas", SB_ATLAS_VERSION);
    sb_put_key(out, "rules");
    sb_selection_put_rules(selection, out);
    sb_member_uint(out, "episodes", selection->n);
    sb_part_print(part, out);
    sb_put_key(out, "selection");
    sb_put_in_one_line(out, selected, n_selected);
    sb_puts(out, "}\n");
}

void sb_atlas_tail_print(size_t rows, const char sha256[SB_SHA256_HEX], sb_out *out) {
    sb_puts(out, "{");
    sb_member_uint(out, "rows", rows);
    sb_member_text(out, "sha256", sha256);
    sb_puts(out, "}\n");
}
