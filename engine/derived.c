
#include "base/error.h"
#include "engine/catalogue.h"
#include "engine/lookup.h"

/* Returns the index of the name among the documents, or the index at which it belongs. */
static size_t find_place(const sb_derived *documents, size_t n, const sb_name *name, bool *is_there) {
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sb_compare_names(&documents[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *is_there = low < n && sb_compare_names(&documents[low].name, name) == 0;
    return low;
}

const char *sb_catalogue_document(const sb_catalogue *catalogue, const sb_name *name, size_t *n) {
    size_t n_documents;
    bool is_there;
    const sb_derived *documents = sb_catalogue_documents(catalogue, &n_documents);
    const size_t place = find_place(documents, n_documents, name, &is_there);
    if (!is_there) return NULL;
    *n = documents[place].n;
    return documents[place].text;
}

const char *sb_catalogue_document_at(const sb_catalogue *catalogue, size_t index, sb_name *name, size_t *n) {
    size_t n_documents;
    const sb_derived *documents = sb_catalogue_documents(catalogue, &n_documents);
    if (index >= n_documents) return NULL;
    *name = documents[index].name, *n = documents[index].n;
    return documents[index].text;
}

bool sb_catalogue_add_derived(sb_catalogue *catalogue, const sb_name *name, const char *text, size_t n,
                              sb_error *error) {
    char printed[SB_NAME_MAX];
    size_t n_documents;
    bool is_there;
    sb_resolved of;
    if (!sb_resolve(catalogue, name, &of, error)) return false;
    sb_name_print(name, printed, sizeof printed);
    if (!sb_is_derived(of.family, of.task, of.difficulty))
        return sb_fail(error, SB_INVALID, "%s cannot be stored: episodes of this kind are made from their seeds",
                       printed);
    const sb_derived *documents = sb_catalogue_documents(catalogue, &n_documents);
    const size_t place = find_place(documents, n_documents, name, &is_there);
    if (is_there) return sb_fail(error, SB_INVALID, "%s is already in the catalogue", printed);
    return sb_catalogue_insert(catalogue, place, name, text, n, error);
}
