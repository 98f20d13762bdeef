#include "tests/worlds_support.h"

#include "engine/lookup.h"

sb_out example_text(const char *name) {
    char path[64];
    sb_error error;
    sb_out text = sb_out_growing();
    snprintf(path, sizeof path, "../../examples/worlds/%s.sexp", name);
    assert_ok(sb_file_load(golden(path), 1 << 20, &text, &error), error);
    return text;
}

const sb_catalogue *example_worlds(void) {
    static const char *const names[] = {"crates"};
    static sb_catalogue *worlds;
    sb_error error;
    if (worlds) return worlds;
    const sb_family *family = sb_family_find("autumn", &error);
    worlds = sb_catalogue_make(&error);
    assert_true(family && worlds);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sb_out text = example_text(names[i]);
        assert_ok(sb_catalogue_add_program(worlds, family, text.data, text.size, NULL, &error), error);
        sb_out_free(&text);
    }
    return worlds;
}
