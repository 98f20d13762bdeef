#include "datasets/verify_notes.h"

#include "base/visible.h"

static void note(sb_notes notes, sb_out *text) {
    sb_putc(text, '\0');
    if (notes.note && sb_out_ok(text)) notes.note(notes.context, text->data);
    sb_out_free(text);
}

void sb_note_document(sb_notes notes, const sb_manifest *m, sb_document which) {
    sb_out text = sb_out_growing();
    sb_puts(&text, sb_document_name(which)), sb_puts(&text, " is of version ");
    sb_puts(&text, "`"), sb_put_visible(&text, m->seedbed);
    sb_puts(&text,
            "`, and differs from what version " SB_VERSION " writes: its content was not compared with the data");
    note(notes, &text);
}

void sb_note_tokens(sb_notes notes) {
    sb_out text = sb_out_growing();
    sb_puts(&text, "its tokens were not counted again: name the tokenizer.json with --tokenizer FILE");
    note(notes, &text);
}

void sb_note_library(sb_notes notes, const char *said, const char *is) {
    sb_out text = sb_out_growing();
    sb_puts(&text, "its tokens were counted with `"), sb_put_visible(&text, said);
    sb_puts(&text, "`, and are now with `"), sb_put_visible(&text, is), sb_puts(&text, "`, which may count otherwise");
    note(notes, &text);
}

static void note_links(sb_notes notes, size_t n) {
    sb_out text = sb_out_growing();
    if (!n) return;
    sb_put_uint(&text, n);
    sb_puts(&text, n == 1 ? " of its files is a symbolic link, which was followed"
                          : " of its files are symbolic links, which were followed");
    note(notes, &text);
}

void sb_note_strangers(sb_notes notes, const sb_strangers *strangers) {
    note_links(notes, strangers->n_links);
    for (size_t i = 0; i < strangers->n && i < SB_STRANGERS_NAMED; i++) {
        sb_out text = sb_out_growing();
        sb_puts(&text, "`"), sb_put_visible(&text, strangers->names[i]);
        sb_puts(&text, "` is in the folder but not part of the dataset");
        note(notes, &text);
    }
    if (strangers->n <= SB_STRANGERS_NAMED) return;
    sb_out text = sb_out_growing();
    sb_puts(&text, "so are "), sb_put_uint(&text, strangers->n - SB_STRANGERS_NAMED), sb_puts(&text, " others");
    note(notes, &text);
}

void sb_note_unfinished(sb_notes notes, uint64_t n) {
    sb_out text = sb_out_growing();
    if (!n) return;
    sb_put_uint(&text, n);
    sb_puts(&text, n == 1 ? " of the recorded tapes is unfinished: it ends before its episode does"
                          : " of the recorded tapes are unfinished: they end before their episodes do");
    note(notes, &text);
}

void sb_note_recorded(sb_notes notes, const sb_recorded_counts *counts) {
    for (size_t i = 0; i < counts->n; i++) {
        sb_out text = sb_out_growing();
        if (sb_recorded_counts_tell(counts, i, &text))
            note(notes, &text);
        else
            sb_out_free(&text);
    }
}
