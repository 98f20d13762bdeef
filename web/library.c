/* Programs and starts of episodes that users bring. */
#include <string.h>

#include "base/error.h"
#include "engine/contract.h"
#include "engine/lookup.h"
#include "web/session.h"

sb_catalogue *sb_web_library(void) {
    sb_error error;
    return sb_catalogue_make(&error);
}

void sb_web_library_free(sb_catalogue *library) { sb_catalogue_free(library); }

/* A program gives one task, and may give more under names of their own. */
static void put_names(sb_out *out, const sb_family *family, const sb_task_info *task) {
    const sb_task_info *part;
    sb_putf(out, "%s:%s", family->name, task->name);
    for (size_t i = 0; family->imports->part && (part = family->imports->part(task, i)); i++)
        sb_putf(out, "\n%s:%s", family->name, part->name);
}

bool sb_web_add_program(sb_web *web, sb_catalogue *library) {
    const sb_family *family = sb_family_of_programs();
    const sb_task_info *task;
    sb_out_clear(&web->out);
    if (!family) return sb_fail(&web->error, SB_INVALID, "no family takes programs"), sb_web_failed(web);
    if (!sb_catalogue_add_program(library, family, web->in.data, web->in.size, &task, &web->error))
        return sb_web_failed(web);
    put_names(&web->out, family, task);
    return true;
}

bool sb_web_add_start(sb_web *web, sb_catalogue *library) {
    char *const end = strchr(web->in.data, '\n');
    sb_name name;
    sb_out_clear(&web->out);
    if (!end)
        return sb_fail(&web->error, SB_INVALID, "a name, a newline and a document are needed"), sb_web_failed(web);
    *end = '\0';
    const size_t n = web->in.size - (size_t)(end + 1 - web->in.data);
    return (sb_name_parse(library, web->in.data, &name, &web->error) &&
            sb_catalogue_add_derived(library, &name, end + 1, n, &web->error)) ||
           sb_web_failed(web);
}
