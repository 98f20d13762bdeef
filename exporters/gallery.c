#include "exporters/gallery.h"

#include <stdio.h>

#include "base/error.h"
#include "base/pool.h"
#include "engine/brush.h"
#include "engine/contract.h"
#include "engine/lookup.h"
#include "exporters/page.h"
#include "exporters/reel.h"
#include "exporters/shipped.h"
#include "oracles/oracle.h"
#include "rollout/judging.h"
#include "rollout/worker.h"

enum { FAMILIES = 16 };

/* What the episodes of a family share. */
typedef struct room {
    const sb_family *family;
    sb_brush *brush; /* NULL: the family has no pictures */
    sb_mosaic tiles;
} room;

typedef struct gallery {
    const sb_gallery_options *options;
    sb_selection shown; /* a name for each task and difficulty, with the first seed */
    room rooms[FAMILIES];
    size_t n_rooms;
    sb_out data;
} gallery;

/* The episode that is shown of a task and difficulty. */
typedef struct exhibit {
    sb_reel reel;
    sb_name name;
    char agent[SB_AGENT_NAME];
    sb_criterion criterion;
    sb_status outcome;
} exhibit;

/* ---- What is shown ---- */

static bool has_task(const sb_selection *selection, const sb_chosen *wanted) {
    for (size_t i = 0; i < selection->n; i++)
        if (selection->episodes[i].family == wanted->family && selection->episodes[i].task == wanted->task) return true;
    return false;
}

static bool has_difficulty(const sb_selection *selection, const sb_chosen *wanted) {
    for (size_t i = 0; i < selection->n; i++)
        if (sb_same_chosen_pair(&selection->episodes[i], wanted)) return true;
    return false;
}

/* Whether a page shows a task's difficulty. A request that names no difficulty selects only the usual ones, and one
 * that names no task leaves out those that users bring. A page has them all. */
static bool is_wanted(const sb_request *r, const sb_selection *selected, const sb_family *family,
                      const sb_chosen *one) {
    const bool is_brought = one->task >= family->n_tasks;
    if (r->difficulty) return has_difficulty(selected, one);
    return (is_brought && !r->tasks && !r->category) || has_task(selected, one);
}

static bool add_task(gallery *g, const sb_selection *selected, sb_chosen one, const sb_family *family,
                     const sb_task_info *task, size_t *capacity, sb_error *error) {
    for (one.difficulty = 0; one.difficulty < sb_difficulties_of(family, task).n; one.difficulty++) {
        const sb_resolved of = {family, task, one.task, one.difficulty};
        if (sb_is_derived(family, task, one.difficulty)) continue;
        if (selected && !is_wanted(&g->options->request, selected, family, &one)) continue;
        if (!sb_selection_add(&g->shown, &of, g->options->seed, capacity, error)) return false;
    }
    return true;
}

/* Adds the tasks and difficulties that are wanted; `selected` NULL: everything. */
static bool add_tasks(gallery *g, const sb_family *only, const sb_selection *selected, sb_error *error) {
    const sb_family *family;
    const sb_task_info *task;
    size_t capacity = 0;
    sb_chosen one = {0};
    for (; (family = sb_family_at(one.family)); one.family++) {
        if (only && family != only) continue;
        for (one.task = 0; (task = sb_task_at(g->shown.catalogue, family, one.task)); one.task++)
            if (!add_task(g, selected, one, family, task, &capacity, error)) return false;
    }
    return true;
}

static bool choose(gallery *g, sb_error *error) {
    sb_request request = g->options->request;
    sb_selection selected = {0};
    g->shown.catalogue = request.catalogue;
    if (!request.family && !request.tasks && !request.category && !request.difficulty)
        return add_tasks(g, NULL, NULL, error);
    request.seeds = "0";
    const sb_family *family = sb_request_family(&request, error);
    const bool ok = family && sb_select(&request, &selected, error) && add_tasks(g, family, &selected, error);
    sb_selection_free(&selected);
    return ok;
}

/* Makes the family's brush for people. */
static bool add_room(gallery *g, const sb_family *family, sb_error *error) {
    const sb_look *look = NULL, *next;
    if (g->n_rooms == FAMILIES) return sb_fail(error, SB_INVALID, "a page shows at most %d families", FAMILIES);
    room *added = &g->rooms[g->n_rooms++];
    *added = (room){.family = family};
    for (size_t i = 0; (next = sb_look_at(family, i)); i++) look = next;
    if (!look) return true;
    const int32_t size = g->options->size ? g->options->size : SB_GALLERY_SIZE;
    const sb_brush_options how = {
        .tile = look->is_sized ? 0 : look->display_tile, .size = look->is_sized ? size : 0, .indexed = look->indexed};
    if (!(added->brush = sb_brush_make(family, look, &how, error))) return false;
    added->tiles = sb_reel_mosaic(added->brush);
    return true;
}

static room *room_of(gallery *g, const sb_family *family) {
    for (size_t i = 0; i < g->n_rooms; i++)
        if (g->rooms[i].family == family) return &g->rooms[i];
    return NULL;
}

static bool add_rooms(gallery *g, sb_error *error) {
    for (size_t i = 0; i < g->shown.n; i++) {
        const sb_family *family = sb_selection_family(&g->shown, i);
        if (!room_of(g, family) && !add_room(g, family, error)) return false;
    }
    return true;
}

/* ---- Playing ---- */

/* The task's usual player; a task that has no oracle of its own is played at random. */
static const char *player_of(const sb_name *name) {
    const char *const usual = sb_default_agent(name);
    return sb_oracle_find(name->family, name->task, usual) ? usual : "random";
}

static bool play(sb_worker *worker, exhibit *e, sb_error *error) {
    e->reel.intent = &worker->player.intent;
    return sb_reel_begin(&e->reel, error) &&
           sb_worker_play(worker, player_of(&e->name), &e->name, sb_reel_visit, &e->reel, error);
}

/* Looks for a seed whose episode is solved, and keeps the first one if there is none. */
static bool find_seed(sb_worker *worker, exhibit *e, sb_error *error) {
    const uint64_t first = e->name.seed;
    for (uint64_t i = 0; i < SB_GALLERY_SEEDS && first + i >= first; i++) {
        e->name.seed = first + i;
        if (!sb_worker_play(worker, player_of(&e->name), &e->name, NULL, NULL, error)) return false;
        if (!sb_has_success(worker->tape.criterion) || worker->tape.outcome.success) return true;
    }
    e->name.seed = first;
    return true;
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    gallery *g = context;
    sb_worker *worker = scratch;
    exhibit *e = slot;
    const room *room = room_of(g, sb_selection_family(&g->shown, index));
    worker->catalogue = g->shown.catalogue;
    if (e->reel.brush != room->brush) sb_reel_free(&e->reel), e->reel = (sb_reel){0};
    e->reel.brush = room->brush, e->reel.has_text = !room->brush;
    sb_selection_name(&g->shown, index, &e->name);
    if (!find_seed(worker, e, error) || !play(worker, e, error)) return false;
    snprintf(e->agent, sizeof e->agent, "%s", worker->tape.agent);
    e->criterion = worker->tape.criterion, e->outcome = worker->tape.outcome;
    return true;
}

/* ---- Writing ---- */

static const char *outcome_of(const exhibit *e) {
    if (e->outcome.fault) return "fault of the world";
    if (e->outcome.success && sb_has_success(e->criterion)) return "success";
    if (!e->outcome.terminated) return "out of steps";
    return e->criterion == SB_BY_SUCCESS ? "failure" : "ended";
}

static bool end_family(gallery *g, const sb_family *family, sb_error *error) {
    const room *room = room_of(g, family);
    sb_puts(&g->data, "]}]");
    if (room->brush && !sb_page_put_atlas(&room->tiles, room->brush, &g->data, error)) return false;
    sb_puts(&g->data, "}");
    return true;
}

static void begin_family(gallery *g, const sb_family *family) {
    const room *room = room_of(g, family);
    sb_put_comma(&g->data);
    sb_puts(&g->data, "\n{");
    sb_member_text(&g->data, "family", family->name);
    if (room->brush) sb_member_text(&g->data, "look", room->brush->look->name);
    sb_put_key(&g->data, "tasks");
    sb_puts(&g->data, "[");
}

static void begin_task(gallery *g, const sb_task_info *task) {
    sb_put_comma(&g->data);
    sb_puts(&g->data, "\n{");
    sb_member_text(&g->data, "task", task->name);
    sb_member_text(&g->data, "category", task->category);
    sb_member_text(&g->data, "summary", task->summary);
    sb_put_key(&g->data, "episodes");
    sb_puts(&g->data, "[");
}

/* Ends the family and the task that the next episode does not belong to, and begins those that it does. */
static bool turn_to(gallery *g, size_t index, sb_error *error) {
    const sb_chosen *now = &g->shown.episodes[index];
    const sb_family *family = sb_selection_family(&g->shown, index);
    if (index && now[-1].family == now->family) {
        if (now[-1].task == now->task) return true;
        sb_puts(&g->data, "]}");
    } else {
        if (index && !end_family(g, sb_selection_family(&g->shown, index - 1), error)) return false;
        begin_family(g, family);
    }
    begin_task(g, sb_task_at(g->shown.catalogue, family, now->task));
    return true;
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    gallery *g = context;
    const exhibit *e = slot;
    char name[SB_NAME_MAX];
    if (!turn_to(g, index, error)) return false;
    sb_name_print(&e->name, name, sizeof name);
    sb_put_comma(&g->data);
    sb_puts(&g->data, "\n{");
    sb_member_text(&g->data, "name", name);
    sb_member_text(&g->data, "difficulty", e->name.difficulty);
    sb_member_text(&g->data, "agent", e->agent);
    sb_member_text(&g->data, "outcome", outcome_of(e));
    if (!sb_reel_put(&e->reel, &room_of(g, sb_selection_family(&g->shown, index))->tiles, &g->data, error))
        return false;
    sb_puts(&g->data, "}");
    if (g->options->progress) g->options->progress(g->options->context, index + 1, g->shown.n);
    return true;
}

static void free_exhibit(void *slot) { sb_reel_free(&((exhibit *)slot)->reel); }

static bool make_data(gallery *g, sb_error *error) {
    const sb_pool pool = {.workers = g->options->jobs,
                          .context = g,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(exhibit),
                          .scratch_size = sizeof(sb_worker),
                          .free_slot = free_exhibit,
                          .free_scratch = sb_worker_free};
    sb_puts(&g->data, "[");
    if (!choose(g, error) || !add_rooms(g, error) || !sb_pool_run(&pool, g->shown.n, error)) return false;
    if (g->shown.n && !end_family(g, sb_selection_family(&g->shown, g->shown.n - 1), error)) return false;
    sb_puts(&g->data, "]");
    return true;
}

static const char player_begin[] =
    "<dialog id=\"player\" aria-labelledby=\"name\">\n<div class=\"row\"><h2 id=\"name\"></h2>"
    "<button id=\"close\" type=\"button\" aria-label=\"close\">&#10005;</button></div>\n"
    "<p id=\"summary\" class=\"soft\"></p>\n";
static const char player_end[] =
    "<p class=\"note\">Keys: left and right to step, home and end, p to play, escape to close.</p>\n</dialog>\n";

static bool fail_too_large(size_t size, sb_error *error) {
    return sb_fail(error, SB_INVALID,
                   "the page would have %.1f MB, and at most %.1f are made: show fewer tasks (--family, --tasks, "
                   "--difficulty) or smaller pictures (--size)",
                   (double)size * 1e-6, SB_GALLERY_MOST * 1e-6);
}

static bool put_page(const gallery *g, sb_out *out, sb_error *error) {
    sb_page_begin(out, "Seedbed gallery", (sb_page_part){sb_shipped_gallery_style, sb_shipped_gallery_style_size});
    sb_puts(out, "<h1>Seedbed gallery</h1>\n<p>Every picture is the first state of an episode. Choose one, and an "
                 "oracle plays it.</p>\n"
                 "<div class=\"row\"><label>search <input id=\"search\" type=\"search\"></label>"
                 "<nav id=\"families\" class=\"row\" aria-label=\"families\"></nav></div>\n"
                 "<main id=\"gallery\"></main>\n<noscript><p>The pictures need JavaScript.</p></noscript>\n");
    sb_puts(out, player_begin);
    sb_page_player(out, g->options->playground);
    sb_puts(out, player_end);
    const bool ok = sb_page_packed_data(out, &g->data, error);
    sb_page_end(out, (sb_page_part){sb_shipped_gallery_script, sb_shipped_gallery_script_size});
    return ok && (sb_out_ok(out) || sb_fail(error, SB_MEMORY, "out of memory for the page")) &&
           (out->size <= SB_GALLERY_MOST || fail_too_large(out->size, error));
}

bool sb_gallery_make(const sb_gallery_options *options, sb_out *out, sb_error *error) {
    gallery g = {.options = options, .data = sb_out_growing()};
    const bool ok = make_data(&g, error) && put_page(&g, out, error);
    sb_selection_free(&g.shown);
    for (size_t i = 0; i < g.n_rooms; i++) sb_brush_free(g.rooms[i].brush), sb_mosaic_free(&g.rooms[i].tiles);
    sb_out_free(&g.data);
    return ok;
}
