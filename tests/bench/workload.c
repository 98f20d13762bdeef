#include "tests/bench/workload.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/pool.h"
#include "engine/lookup.h"

/* ---- Preparation ---- */

static bool start_episodes(workload *w) {
    sb_name name = w->name;
    for (name.seed = 0; name.seed < WORKLOAD_STARTS; name.seed++) {
        sb_env **start = &w->starts[name.seed];
        *start = sb_make(NULL, NULL, &w->error);
        if (!*start || !sb_reset_name(*start, &name, &w->error)) return false;
    }
    return sb_copy(w->env, w->starts[0], &w->error);
}

static void draw_actions(workload *w) {
    sb_rng rng;
    sb_rng_seed(&rng, 0, NULL);
    for (int i = 0; i < WORKLOAD_ACTIONS; i++) w->actions[i] = (sb_action)sb_integer_below(&rng, w->env->n_actions);
}

static bool solve(workload *w, uint64_t seed, sb_tape *tape) {
    sb_name name = w->name;
    name.seed = seed;
    return sb_roll_out(w->env, &w->player, w->agent, &name, tape, NULL, NULL, &w->error);
}

static bool render(workload *w, const sb_tape *tape, sb_out *out, tally *done) {
    uint64_t n_rows;
    const sb_rollout rollout = {.episode_id = tape->name.seed, .tape = tape, .env = w->env};
    if (!w->exporter->rows(&rollout, &w->options, out, &n_rows, &w->error)) return false;
    done->units += n_rows;
    return true;
}

static bool render_member(workload *w, size_t member, sb_out *out, tally *done) {
    sb_out_clear(out);
    for (size_t i = 0; i < SB_MEMBER_EPISODES; i++)
        if (!render(w, &w->tapes[member * SB_MEMBER_EPISODES + i], out, done)) return false;
    done->bytes += out->size;
    return sb_out_ok(out) || sb_fail(&w->error, SB_MEMORY, "out of memory for rows");
}

static bool make_tapes(workload *w) {
    tally ignored = {0};
    for (uint64_t seed = 0; seed < WORKLOAD_TAPES; seed++)
        if (!solve(w, seed, &w->tapes[seed])) return false;
    for (size_t i = 0; i < WORKLOAD_MEMBERS; i++)
        if (!render_member(w, i, &w->rows[i], &ignored)) return false;
    return true;
}

static bool make_plan(workload *w) {
    w->recipe = sb_recipe_default();
    w->recipe.selection = (sb_request){.family = w->name.family, .tasks = w->name.task, .seeds = WORKLOAD_TAPE_SEEDS};
    if (w->name.difficulty[0]) w->recipe.selection.difficulty = w->name.difficulty;
    w->recipe.casting.agent = w->agent;
    w->recipe.keep_evaluation = true;
    if (!sb_schedule_make(&w->recipe, NULL, 0, &w->schedule, &w->error)) return false;
    w->schedule.fates = calloc(w->schedule.selection.n, 1);
    return w->schedule.fates || sb_fail(&w->error, SB_MEMORY, "out of memory");
}

static bool give_tapes(const workload *w, size_t member, sb_bundle *bundle, sb_error *error) {
    sb_bundle_begin(bundle);
    for (size_t i = 0; i < SB_MEMBER_EPISODES; i++) {
        const size_t episode = member * SB_MEMBER_EPISODES + i;
        bundle->episodes[bundle->n++] = episode;
        sb_tape_put_line(&w->tapes[episode], &bundle->lines);
    }
    return sb_bundle_end(bundle, error);
}

static bool make_bundles(workload *w) {
    for (size_t i = 0; i < WORKLOAD_MEMBERS; i++)
        if (!give_tapes(w, i, &w->bundles[i], &w->error)) return false;
    return true;
}

bool workload_open(workload *w, const sb_name *name, bool solves) {
    *w = (workload){.name = *name};
    w->rendered = w->packed = sb_out_growing();
    for (size_t i = 0; i < WORKLOAD_MEMBERS; i++) w->rows[i] = sb_out_growing();
    w->name.seed = 0;
    w->agent = sb_oracle_find(name->family, name->task, "expert") ? "expert" : "random";
    sb_rng_seed(&w->noise, 0, NULL);
    w->buffer = malloc(WORKLOAD_BUFFER);
    if (!w->buffer) return sb_fail(&w->error, SB_MEMORY, "out of memory");
    w->env = sb_make(NULL, NULL, &w->error);
    w->family = sb_family_find(name->family, &w->error);
    w->exporter = sb_exporter_find("steps", &w->error);
    if (!w->env || !w->family || !w->exporter || !sb_export_modes(&w->options, w->family, NULL, &w->error))
        return false;
    w->teacher = sb_teacher_of(w->family, name->task);
    if (!sb_agent_exists(w->teacher, name->family, name->task, &w->error)) w->teacher = "random";
    if (!start_episodes(w)) return false;
    draw_actions(w);
    return (!solves || (make_tapes(w) && make_plan(w) && make_bundles(w))) && sb_copy(w->env, w->starts[0], &w->error);
}

static void crowd_free(crowd *c) {
    if (!c) return;
    sb_batch_free(c->batch);
    for (size_t i = 0; c->envs && i < WORKLOAD_CROWD; i++) sb_free(c->envs[i]);
    for (size_t i = 0; i < c->n_arrays; i++) free(c->arrays[i].out);
    free(c->envs);
    free(c);
}

void workload_close(workload *w) {
    for (int arrays = 0; arrays < 2; arrays++)
        for (int threads = 0; threads <= WORKLOAD_THREADS; threads++) crowd_free(w->crowds[arrays][threads]);
    for (size_t i = 0; i < WORKLOAD_PAINTS; i++) sb_brush_free(w->brushes[i]);
    for (size_t i = 0; i < WORKLOAD_SCENES; i++) sb_free(w->scenes[i]);
    sb_free(w->env), sb_free(w->costly);
    sb_costs_free(w->costs);
    for (size_t i = 0; i < WORKLOAD_STARTS; i++) sb_free(w->starts[i]), sb_tape_clear(&w->played[i]);
    for (size_t i = 0; i < WORKLOAD_TAPES; i++) sb_tape_clear(&w->tapes[i]);
    for (size_t i = 0; i < WORKLOAD_MEMBERS; i++) sb_out_free(&w->rows[i]), sb_bundle_free(&w->bundles[i]);
    sb_player_clear(&w->player), sb_player_clear(&w->labeller);
    sb_out_free(&w->rendered), sb_out_free(&w->packed);
    sb_gzip_free(&w->gzip);
    free(w->buffer);
    sb_schedule_free(&w->schedule);
    sb_bundle_worker_free(&w->worker);
}

/* ---- Episodes ---- */

bool run_reset(workload *w, const part *part, size_t n, tally *done) {
    (void)part;
    for (size_t i = 0; i < n; i++) {
        w->name.seed = (w->name.seed + 1) % WORKLOAD_SEEDS;
        if (!sb_reset_name(w->env, &w->name, &w->error)) return false;
    }
    done->units += n;
    return true;
}

static bool start_next(workload *w) { return sb_copy(w->env, w->starts[w->next_start++ % WORKLOAD_STARTS], &w->error); }

static bool observe(workload *w, const sb_env *env, const sb_mode *mode) {
    sb_out out = sb_out_fixed(w->buffer, WORKLOAD_BUFFER);
    w->family->observe(env, mode, &out);
    return sb_out_ok(&out) || sb_fail(&w->error, SB_INVALID, "an observation of %zu bytes", out.size);
}

bool run_step(workload *w, const part *part, size_t n, tally *done) {
    for (size_t i = 0; i < n; i++) {
        sb_result result;
        if (w->env->status.done && !start_next(w)) return false;
        if (!sb_step(w->env, w->actions[w->next_action++ % WORKLOAD_ACTIONS], &result, &w->error)) return false;
        if (part->mode && !observe(w, w->env, part->mode)) return false;
        if (part->masks) sb_action_mask(w->env, (bool *)w->buffer, WORKLOAD_BUFFER);
    }
    done->units += n;
    return true;
}

bool run_observe(workload *w, const part *part, size_t n, tally *done) {
    for (size_t i = 0; i < n; i++)
        if (!observe(w, w->starts[i % WORKLOAD_STARTS], part->mode)) return false;
    done->units += n;
    return true;
}

bool run_fill(workload *w, const part *part, size_t n, tally *done) {
    (void)part;
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < w->family->n_arrays; a++)
            sb_observe_array(w->starts[i % WORKLOAD_STARTS], &w->family->arrays[a], w->buffer, WORKLOAD_BUFFER);
    done->units += n;
    return true;
}

/* ---- Pictures ---- */

const paint workload_paints[WORKLOAD_PAINTS] = {
    {"8", 0, {.tile = 8}},
    {"8 without panel", 0, {.tile = 8, .no_panel = true}},
    {"8 indexed", 0, {.tile = 8, .indexed = true}},
    {"16", 0, {.tile = 16}},
    {"8", 1, {.tile = 8}},
    {"128", 1, {.size = 128}},
    {"256", 1, {.size = 256}},
    {"512", 1, {.size = 512}},
    {"512 indexed", 1, {.size = 512, .indexed = true}},
};

static const sb_array *pixels_of(workload *w, const part *part) {
    const paint *p = &workload_paints[part->paint];
    sb_brush **brush = &w->brushes[part->paint];
    if (!*brush) *brush = sb_brush_make(w->family, sb_look_at(w->family, p->look), &p->options, &w->error);
    return *brush ? sb_brush_array(*brush) : NULL;
}

static bool paint_one(workload *w, const sb_env *env, const sb_array *pixels) {
    const size_t size = sb_observe_array(env, pixels, w->buffer, WORKLOAD_BUFFER);
    return size <= WORKLOAD_BUFFER || sb_fail(&w->error, SB_INVALID, "a picture of %zu bytes", size);
}

bool run_paint(workload *w, const part *part, size_t n, tally *done) {
    const sb_array *pixels = pixels_of(w, part);
    for (size_t i = 0; pixels && i < n; i++)
        if (!paint_one(w, w->starts[i % WORKLOAD_STARTS], pixels)) return false;
    done->units += n;
    return pixels;
}

static bool start_scenes(workload *w) {
    sb_name name = w->name;
    for (name.seed = 0; name.seed < WORKLOAD_SCENES; name.seed++) {
        sb_env **scene = &w->scenes[name.seed];
        if (*scene) return true;
        *scene = sb_make(NULL, NULL, &w->error);
        if (!*scene || !sb_reset_name(*scene, &name, &w->error)) return false;
    }
    return true;
}

bool run_paint_anew(workload *w, const part *part, size_t n, tally *done) {
    const sb_array *pixels = pixels_of(w, part);
    if (!pixels || !start_scenes(w)) return false;
    for (size_t i = 0; i < n; i++)
        if (!paint_one(w, w->scenes[w->next_scene++ % WORKLOAD_SCENES], pixels)) return false;
    done->units += n;
    return true;
}

bool run_step_and_paint(workload *w, const part *part, size_t n, tally *done) {
    const sb_array *pixels = pixels_of(w, part);
    for (size_t i = 0; pixels && i < n; i++) {
        sb_result result;
        if (w->env->status.done && !start_next(w)) return false;
        if (!sb_step(w->env, w->actions[w->next_action++ % WORKLOAD_ACTIONS], &result, &w->error)) return false;
        if (!paint_one(w, w->env, pixels)) return false;
    }
    done->units += n;
    return pixels;
}

/* ---- Agents ---- */

bool run_decide(workload *w, const part *part, size_t n, tally *done) {
    (void)part;
    for (size_t i = 0; i < n; i++) {
        sb_result result;
        if (!start_next(w) || !sb_player_begin_as(&w->player, w->agent, w->env, &w->error)) return false;
        for (; !w->env->status.done; done->units++)
            if (!sb_step(w->env, sb_player_act(&w->player, w->env), &result, &w->error)) return false;
    }
    return true;
}

#define RANDOM_SHARE 0.12 /* of actions, in place of the tape's */

/* Labels the states of a rollout that follows the tape except for the noise. */
static bool relabel(workload *w, const sb_tape *tape, tally *done) {
    sb_result result;
    for (size_t i = 0; i < tape->n && !w->env->status.done; i++, done->units++) {
        sb_action action = tape->actions[i];
        sb_player_act(&w->labeller, w->env);
        if (sb_random(&w->noise) < RANDOM_SHARE) action = w->actions[w->next_action++ % WORKLOAD_ACTIONS];
        if (!sb_step(w->env, action, &result, &w->error)) return false;
    }
    return true;
}

static bool play_starts(workload *w) {
    for (size_t i = 0; i < WORKLOAD_STARTS; i++)
        if (!sb_roll_out(w->env, &w->labeller, w->teacher, &w->starts[i]->name, &w->played[i], NULL, NULL, &w->error))
            return false;
    return true;
}

bool run_relabel(workload *w, const part *part, size_t n, tally *done) {
    (void)part;
    if (w->played[0].n == 0 && !play_starts(w)) return false;
    for (size_t i = 0; i < n; i++) {
        const sb_tape *tape = &w->played[w->next_start % WORKLOAD_STARTS];
        if (!start_next(w) || !sb_player_begin_as(&w->labeller, w->teacher, w->env, &w->error)) return false;
        if (!relabel(w, tape, done)) return false;
    }
    return true;
}

/* Goes on to the next state whose costs are asked for, on the way of a tape, as relabel does. */
static bool go_on(workload *w) {
    sb_result result;
    const sb_tape *tape = &w->played[(w->next_start + WORKLOAD_STARTS - 1) % WORKLOAD_STARTS];
    if (w->next_costly < tape->n && !w->costly->status.done) {
        const bool is_random = sb_random(&w->noise) < RANDOM_SHARE;
        const sb_action action = is_random ? w->actions[w->next_action++ % WORKLOAD_ACTIONS]
                                           : tape->actions[w->next_costly];
        w->next_costly++;
        if (!sb_step(w->costly, action, &result, &w->error)) return false;
        if (!w->costly->status.done) return true;
    }
    w->next_costly = 0;
    return start_next(w) && sb_copy(w->costly, w->env, &w->error);
}

bool run_costs(workload *w, const part *part, size_t n, tally *done) {
    (void)part;
    sb_cost costs[WORKLOAD_COSTS];
    size_t all;
    if (w->played[0].n == 0 && !play_starts(w)) return false;
    if (!w->costs && !(w->costs = sb_costs_make(w->agent, &w->error))) return false;
    if (!w->costly && !(w->costly = sb_make(NULL, NULL, &w->error))) return false;
    for (size_t i = 0; i < n; i++, done->units++)
        if (!go_on(w) || !sb_costs_ask(w->costs, w->costly, costs, WORKLOAD_COSTS, &all, &w->error)) return false;
    return true;
}

/* ---- Crowds ---- */

static bool next_name(void *context, size_t index, sb_name *name) {
    (void)index;
    crowd *c = context;
    *name = c->name;
    c->name.seed = (c->name.seed + 1) % WORKLOAD_SEEDS;
    return true;
}

static bool make_arrays(const workload *w, crowd *c) {
    for (; c->n_arrays < w->family->n_arrays; c->n_arrays++) {
        const sb_array *array = &w->family->arrays[c->n_arrays];
        const size_t size = sb_observe_array(w->env, array, NULL, 0);
        c->sizes[c->n_arrays] = size;
        c->arrays[c->n_arrays] = (sb_array_out){.array = array, .out = malloc(size * WORKLOAD_CROWD + 1)};
        if (!c->arrays[c->n_arrays].out) return false;
    }
    return true;
}

static bool make_envs(crowd *c, sb_error *error) {
    c->envs = calloc(WORKLOAD_CROWD, sizeof(sb_env *));
    for (size_t i = 0; c->envs && i < WORKLOAD_CROWD; i++) {
        sb_name name;
        next_name(c, i, &name);
        if (!(c->envs[i] = sb_make(NULL, NULL, error)) || !sb_reset_name(c->envs[i], &name, error)) return false;
    }
    return c->envs || sb_fail(error, SB_MEMORY, "out of memory");
}

static bool make_batch(crowd *c, size_t threads, sb_error *error) {
    sb_name *names = calloc(WORKLOAD_CROWD, sizeof *names);
    for (size_t i = 0; names && i < WORKLOAD_CROWD; i++) next_name(c, i, &names[i]);
    const sb_batch_plan schedule = {.names = names,
                                    .n_names = WORKLOAD_CROWD,
                                    .n = WORKLOAD_CROWD,
                                    .threads = threads,
                                    .then = SB_THEN_ASK,
                                    .next = next_name,
                                    .context = c};
    const sb_batch_arrays arrays = {
        .results = c->results, .begun = c->begun, .now = {.arrays = c->arrays, .n_arrays = c->n_arrays}};
    if (names) c->batch = sb_batch_make(&schedule, &arrays, error);
    free(names);
    return c->batch || (!names && sb_fail(error, SB_MEMORY, "out of memory"));
}

/* Returns the part's crowd, which is made at the first use. */
static crowd *crowd_of(workload *w, const part *part) {
    crowd **place = &w->crowds[part->arrays][part->workers], *c = *place;
    if (c) return c;
    c = *place = calloc(1, sizeof *c);
    if (!c) return sb_fail(&w->error, SB_MEMORY, "out of memory"), NULL;
    c->name = w->name;
    c->name.seed = 0;
    if (part->arrays && !make_arrays(w, c)) return sb_fail(&w->error, SB_MEMORY, "out of memory"), NULL;
    return (part->workers ? make_batch(c, part->workers, &w->error) : make_envs(c, &w->error)) ? c : NULL;
}

static bool step_alone(crowd *c, size_t i, sb_action action, sb_error *error) {
    sb_name name;
    c->begun[i] = c->envs[i]->status.done;
    if (!c->begun[i]) return sb_step(c->envs[i], action, &c->results[i], error);
    next_name(c, i, &name);
    return sb_reset_name(c->envs[i], &name, error);
}

static bool step_one_by_one(crowd *c, const sb_action *actions, sb_error *error) {
    for (size_t i = 0; i < WORKLOAD_CROWD; i++) {
        if (!step_alone(c, i, actions[i], error)) return false;
        for (size_t a = 0; a < c->n_arrays; a++)
            sb_observe_array(c->envs[i], c->arrays[a].array, (char *)c->arrays[a].out + i * c->sizes[a], c->sizes[a]);
    }
    return true;
}

bool run_crowd(workload *w, const part *part, size_t n, tally *done) {
    enum { STRIDE = 1021 }; /* so that an environment does not repeat the same few actions */
    crowd *c = crowd_of(w, part);
    if (!c) return false;
    for (size_t i = 0; i < n; i++) {
        const sb_action *actions = w->actions + w->next_action % (WORKLOAD_ACTIONS - WORKLOAD_CROWD);
        w->next_action += STRIDE;
        if (!(c->batch ? sb_batch_step(c->batch, actions, &w->error) : step_one_by_one(c, actions, &w->error)))
            return false;
        for (size_t k = 0; k < WORKLOAD_CROWD; k++) done->units += !c->begun[k];
    }
    return true;
}

/* ---- Rows ---- */

static bool pack(workload *w, int level, const sb_out *text) {
    w->packed.grows = true;
    sb_out_clear(&w->packed);
    return sb_gzip_member(&w->gzip, level, text->data, text->size, &w->packed, &w->error);
}

bool run_render(workload *w, const part *part, size_t n, tally *done) {
    for (size_t i = 0; i < n; i++) {
        if (!render_member(w, w->next_member++ % WORKLOAD_MEMBERS, &w->rendered, done)) return false;
        if (part->level && !pack(w, part->level, &w->rendered)) return false;
    }
    return true;
}

/* ---- Bundles ---- */

/* Checks that a bundle has the same bytes as rendering alone. */
static void count_bundle(const workload *w, const sb_bundle *bundle, tally *done) {
    for (size_t i = 0; i < bundle->n_kept; i++) done->units += bundle->rows[0][i];
    done->bytes += w->rows[bundle->episodes[0] / SB_MEMBER_EPISODES].size;
}

static bool run_bundles(workload *w, sb_order order, size_t n, tally *done) {
    for (size_t i = 0; i < n; i++) {
        sb_bundle *bundle = &w->bundles[w->next_member++ % WORKLOAD_MEMBERS];
        if (!sb_bundle_make(&order, &w->worker, bundle, &w->error)) return false;
        count_bundle(w, bundle, done);
    }
    return true;
}

typedef struct crew {
    workload *w;
    sb_order order;
    tally *done;
} crew;

static bool give(void *context, size_t index, void *slot, sb_error *error) {
    return give_tapes(((const crew *)context)->w, index % WORKLOAD_MEMBERS, slot, error);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    (void)index;
    return sb_bundle_make(&((const crew *)context)->order, scratch, slot, error);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    (void)index, (void)error;
    const crew *c = context;
    count_bundle(c->w, slot, c->done);
    return true;
}

static bool run_crew(workload *w, sb_order order, size_t workers, size_t n, tally *done) {
    crew c = {w, order, done};
    const sb_pool pool = {.workers = workers,
                          .context = &c,
                          .give = give,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(sb_bundle),
                          .scratch_size = sizeof(sb_bundle_worker),
                          .free_slot = sb_bundle_free,
                          .free_scratch = sb_bundle_worker_free};
    return sb_pool_run(&pool, n, &w->error);
}

bool run_worker(workload *w, const part *part, size_t n, tally *done) {
    const sb_order order = {.schedule = &w->schedule, .reads = true, .reads_only = true};
    w->schedule.level = part->level;
    return part->workers ? run_crew(w, order, part->workers, n, done) : run_bundles(w, order, n, done);
}

bool run_build(workload *w, const part *part, size_t n, tally *done) {
    w->schedule.level = part->level;
    return run_bundles(w, (sb_order){.schedule = &w->schedule}, n, done);
}

/* ---- zlib ---- */

static bool deflate_rows(z_stream *stream, const sb_out *rows, sb_out *out) {
    const size_t bound = deflateBound(stream, rows->size);
    sb_out_clear(out);
    char *room = sb_out_reserve(out, bound);
    if (!room) return false;
    stream->next_in = (Bytef *)rows->data, stream->avail_in = (uInt)rows->size;
    stream->next_out = (Bytef *)room, stream->avail_out = (uInt)bound;
    return deflate(stream, Z_FINISH) == Z_STREAM_END && deflateReset(stream) == Z_OK;
}

bool run_zlib(workload *w, const part *part, size_t n, tally *done) {
    enum { GZIP_WINDOW = 15 + 16, MEMORY = 9 }; /* as in base/gzip.c */
    z_stream stream = {0};
    bool ok = deflateInit2(&stream, part->level, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
    for (size_t i = 0; ok && i < n; i++) {
        const sb_out *rows = &w->rows[w->next_member++ % WORKLOAD_MEMBERS];
        ok = deflate_rows(&stream, rows, &w->packed);
        done->bytes += rows->size;
    }
    deflateEnd(&stream);
    done->units = done->bytes;
    return ok || sb_fail(&w->error, SB_MEMORY, "zlib could not compress");
}
