/* Rollouts: episodes that workers play, with what was observed in every state, as values of Python. */
#include <stdlib.h>

#include "base/error.h"
#include "datasets/cast.h"
#include "python/core/look.h"
#include "python/core/objects.h"
#include "python/core/selection.h"
#include "python/core/shaping.h"
#include "python/core/stream.h"

/* An episode on its way: made by a worker, then handed out. */
typedef struct played {
    sb_tape tape;
    sb_shape shape;
    sb_out rewards;               /* rewards of the steps, as double */
    sb_out texts[CORE_PARTS];     /* of each mode a text for each state, each with its NUL */
    sb_out arrays[SB_ARRAYS_MAX]; /* numbers of each array, state by state */
    sb_out names;                 /* with intents: names of what should have been done, each with its NUL */
    /* The next members are used while the episode is played. */
    const struct rollouts *wanted;
    sb_costs **costs; /* where the worker has its costs */
    sb_progress progress;
} played;

/* What a worker plays with. */
typedef struct seat {
    sb_actor actor;
    sb_costs *costs; /* costs for rewards of progress; NULL: not asked for yet */
} seat;

typedef struct rollouts {
    PyObject_HEAD core *core;
    core_stream stream;
    atomic_bool in_use;
    core_selection *selection; /* episodes to play; NULL: a single tape, in `line` */
    PyObject *line;
    sb_cast cast;
    char *agent, *labeller;                         /* names of the cast's agent and labeller, as they were given */
    core_look *look;                                /* what is observed */
    bool wants_array[SB_ARRAYS_MAX], dense, shapes; /* shapes: rewards are progress */
    double gamma;
} rollouts;

/* ---- Working, in any thread ---- */

static void free_played(void *data) {
    played *p = data;
    sb_tape_clear(&p->tape);
    sb_out_free(&p->rewards), sb_out_free(&p->names);
    for (size_t i = 0; i < CORE_PARTS; i++) sb_out_free(&p->texts[i]);
    for (size_t i = 0; i < SB_ARRAYS_MAX; i++) sb_out_free(&p->arrays[i]);
}

static void free_seat(void *data) {
    seat *s = data;
    sb_actor_free(&s->actor);
    sb_costs_free(s->costs);
}

static bool is_text(const core_part *part) { return part->kind == CORE_TEXT || part->kind == CORE_DOCUMENT; }

static void clear(sb_out *out) {
    out->grows = true;
    sb_out_clear(out);
}

static void begin(played *p, const rollouts *wanted, sb_costs **costs) {
    p->wanted = wanted, p->costs = costs, p->progress = sb_progress_by(wanted->gamma);
    clear(&p->rewards), clear(&p->names);
    for (size_t i = 0; i < CORE_PARTS; i++) clear(&p->texts[i]);
    for (size_t i = 0; i < SB_ARRAYS_MAX; i++) clear(&p->arrays[i]);
}

static bool put_array(const sb_env *env, size_t i, sb_out *out) {
    const sb_array *array = &env->family->arrays[i];
    const size_t n = sb_numbers_size(array->type, array->rank, env->shape.extent[i]);
    char *room = sb_out_reserve(out, n);
    if (!room) return false;
    env->family->fill(env, i, room);
    sb_out_advance(out, n);
    return true;
}

static bool has_intents(const rollouts *r, const sb_tape *tape) {
    return r->cast.intents || (r->line && tape->n_purposes > 0);
}

/* Puts the name of what should be done in this state, if there is a next step. */
static void put_name(played *p, const sb_env *env) {
    const size_t step = (size_t)env->status.steps;
    char name[64] = "";
    if (!has_intents(p->wanted, &p->tape) || step >= p->tape.n) return;
    sb_action_name(env, sb_tape_label(&p->tape, step), name, sizeof name);
    sb_put(&p->names, name, strnlen(name, sizeof name - 1) + 1);
}

static bool make_progress(played *p, const sb_env *env, const sb_result *result, double *reward, sb_error *error) {
    if (!*p->costs && !(*p->costs = sb_costs_make(sb_oracle_names[SB_SEES_STATE], error))) return false;
    return result ? sb_progress_step(&p->progress, *p->costs, env, result, reward, error)
                  : sb_progress_begin(&p->progress, *p->costs, env, error);
}

/* Puts the reward of a step; before the first step there is no result. */
static bool put_reward(played *p, const sb_env *env, const sb_result *result, sb_error *error) {
    double reward = result ? (p->wanted->dense ? result->dense : result->reward) : 0;
    if (p->wanted->shapes && !make_progress(p, env, result, &reward, error)) return false;
    if (result) sb_put(&p->rewards, (const char *)&reward, sizeof reward);
    return true;
}

static bool visit(void *context, const sb_env *env, sb_action action, const sb_result *result, sb_error *error) {
    played *p = context;
    const rollouts *wanted = p->wanted;
    bool ok = true;
    (void)action;
    if (!put_reward(p, env, result, error)) return false;
    put_name(p, env);
    for (size_t i = 0; i < wanted->look->n_parts; i++) {
        const core_part *part = &wanted->look->part[i];
        if (!is_text(part)) continue;
        core_write_mode(wanted->look, env, part->mode, &p->texts[i]);
        sb_putc(&p->texts[i], '\0');
        ok &= sb_out_ok(&p->texts[i]);
    }
    for (size_t i = 0; i < wanted->look->n_arrays; i++)
        if (wanted->wants_array[i]) ok &= put_array(env, i, &p->arrays[i]);
    ok &= sb_out_ok(&p->rewards) && sb_out_ok(&p->names);
    return ok || sb_fail(error, SB_MEMORY, "out of memory for observations");
}

/* Reads the tape that was given, and labels it if somebody gives labels. */
static bool read_tape(const rollouts *r, sb_actor *actor, sb_error *error) {
    const char *line = PyBytes_AsString(r->line); /* touches no reference, so no lock is needed */
    actor->worker.catalogue = r->core->catalogue;
    return sb_tape_parse(r->core->catalogue, line, strlen(line), &actor->worker.tape, error) &&
           sb_worker_open(&actor->worker, error) &&
           sb_tape_replay(&actor->worker.tape, actor->worker.env, NULL, NULL, error) &&
           sb_cast_label(&r->cast, actor, error);
}

static bool play(const rollouts *r, sb_actor *actor, size_t index, sb_error *error) {
    sb_name name;
    char text[SB_NAME_MAX];
    if (r->line) return read_tape(r, actor, error);
    actor->worker.catalogue = r->selection->selection.catalogue;
    sb_selection_name(&r->selection->selection, index, &name);
    if (sb_cast_can(&r->cast, &name, error) && sb_cast_play(&r->cast, actor, &name, error)) return true;
    sb_name_print(&name, text, sizeof text);
    return strstr(error->text, text) ? false : sb_fail_at(error, "%s", text);
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    const rollouts *r = context;
    seat *s = scratch;
    sb_actor *actor = &s->actor;
    played *p = slot;
    begin(p, r, &s->costs);
    if (!play(r, actor, index, error)) return false;
    const sb_tape tape = actor->worker.tape;
    actor->worker.tape = p->tape, p->tape = tape;
    if (!sb_tape_replay(&p->tape, actor->worker.env, visit, p, error)) return false;
    p->shape = actor->worker.env->shape;
    return true;
}

/* ---- Beginning ---- */

static bool read_obs(rollouts *self, PyObject *obs, const sb_name *name) {
    sb_error error;
    sb_shape shape;
    const sb_family *family = sb_family_find(name->family, &error);
    if (!family || !sb_name_shape(self->core->catalogue, name, &shape, &error))
        return core_raise(self->core, &error), false;
    PyObject *usual = obs == Py_None ? PyList_New(0) : NULL;
    for (const char *const *mode = family->dataset_modes; usual && *mode; mode++)
        core_add(&usual, PyUnicode_FromString(*mode));
    if (obs == Py_None && !usual) return false;
    self->look = core_look_make(self->core, &(core_look_plan){name, usual ? usual : obs, Py_None, .copies = true});
    if (self->look) self->look->dense = self->dense;
    Py_XDECREF(usual);
    for (size_t i = 0; self->look && i < self->look->n_parts; i++) {
        const core_part *part = &self->look->part[i];
        const bool all = part->kind == CORE_ARRAYS;
        if (!all && !is_text(part) && part->kind != CORE_ARRAY && part->kind != CORE_NOTHING) {
            const char *text = PyUnicode_AsUTF8AndSize(part->key, NULL);
            core_refuse(self->core, "InvalidError",
                        "obs: episodes keep modes, \"arrays\" and single arrays, not \"%.40s\"", text ? text : "?");
            return false;
        }
        for (size_t k = 0; all && k < self->look->n_arrays; k++) self->wants_array[k] = true;
        if (part->kind == CORE_ARRAY) self->wants_array[part->array] = true;
    }
    return self->look != NULL;
}

static char *copy_text(const char *text) {
    const size_t n = text ? strlen(text) + 1 : 0;
    char *copy = text ? PyMem_Malloc(n) : NULL;
    if (copy) memcpy(copy, text, n);
    return copy;
}

static bool read_cast(rollouts *self, const char *agent, const char *label, double epsilon, bool intents) {
    sb_error error;
    self->agent = copy_text(agent), self->labeller = copy_text(label);
    if (!self->agent || (label && !self->labeller)) return PyErr_NoMemory(), false;
    const sb_casting casting = {.agent = self->agent, .labels = self->labeller, .epsilon = epsilon, .intents = intents};
    if (sb_casting_is_recorded(&casting) && !self->line)
        return core_refuse(self->core, "InvalidError", "agent: recorded tapes are replayed by seedbed.replay"), false;
    return sb_cast_make(&self->cast, &casting, &error) || (core_raise(self->core, &error), false);
}

/* Finds the first of the episodes; all have to be of its family. */
static bool read_first(rollouts *self, sb_name *name) {
    sb_error error;
    if (self->line) {
        sb_tape tape = {0};
        const char *line = PyBytes_AsString(self->line);
        const bool ok = sb_tape_parse(self->core->catalogue, line, strlen(line), &tape, &error);
        *name = tape.name;
        sb_tape_clear(&tape);
        return ok || (core_raise(self->core, &error), false);
    }
    const sb_selection *all = &self->selection->selection;
    for (size_t i = 1; i < all->n; i++)
        if (all->episodes[i].family != all->episodes[0].family)
            return core_refuse(self->core, "InvalidError", "episodes of one family at a time, not of %s and %s",
                               sb_selection_family(all, 0)->name, sb_selection_family(all, i)->name),
                   false;
    sb_selection_name(all, 0, name);
    return true;
}

static bool start(rollouts *self, size_t jobs) {
    const sb_pool pool = {.workers = jobs,
                          .context = self,
                          .work = work,
                          .slot_size = sizeof(played),
                          .scratch_size = sizeof(seat),
                          .free_slot = free_played,
                          .free_scratch = free_seat};
    return core_stream_begin(self->core, &self->stream, &pool, self->line ? 1 : self->selection->selection.n);
}

/* Who plays if nobody is named. */
static const char *teacher_of(const sb_name *name) {
    sb_error ignored; /* the family is known, because read_obs has found it */
    return sb_teacher_of(sb_family_find(name->family, &ignored), name->task);
}

/* Rollouts(selection or bytes of a tape, agent or None, obs, reward, gamma, label, epsilon, intents, jobs) */
static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    PyObject *source, *obs, *jobs;
    const char *agent, *label, *reward;
    int intents;
    double epsilon, gamma;
    sb_name name;
    (void)keywords;
    core *c = core_of_type(type);
    if (!c || !core_parse(positional, "OzOsdzdO&O:Rollouts", &source, &agent, &obs, &reward, &gamma, &label, &epsilon,
                          core_flag, &intents, &jobs))
        return NULL;
    const Py_ssize_t workers = core_jobs(c, jobs);
    const bool is_tape = PyBytes_Check(source);
    const int kind = core_read_reward(c, reward, gamma);
    if (kind < 0 || workers < 0 || (!is_tape && !core_selection_of(c, source))) return NULL;
    rollouts *self = core_new(type);
    if (!self) return NULL;
    self->dense = kind == CORE_DENSE, self->shapes = kind == CORE_PROGRESS, self->gamma = gamma;
    if (is_tape)
        self->line = Py_NewRef(source);
    else
        self->selection = (core_selection *)Py_NewRef(source);
    if (!is_tape && !self->selection->selection.n) return (PyObject *)self; /* nothing will come */
    if (read_first(self, &name) && (!self->shapes || core_shapes(c, &name)) && read_obs(self, obs, &name) &&
        read_cast(self, agent ? agent : teacher_of(&name), label, epsilon, intents) && start(self, (size_t)workers))
        return (PyObject *)self;
    Py_DECREF(self);
    return NULL;
}

static void dealloc(PyObject *object) {
    rollouts *self = (rollouts *)object;
    core_stream_end(&self->stream);
    core_look_free(self->look);
    PyMem_Free(self->agent), PyMem_Free(self->labeller);
    Py_XDECREF((PyObject *)self->selection), Py_XDECREF(self->line);
    core_delete(object);
}

/* ---- Values ---- */

/* An array of n items with a copy of these numbers. */
static PyObject *array_of(core *c, sb_scalar type, size_t n, const void *numbers) {
    PyObject *arguments = core_array_arguments(c, core_shape(&n, 0, NULL), core_scalar_name(type));
    return core_array_of(c, arguments, numbers, n * sb_scalar_size(type));
}

/* A list of n texts, or of the documents that they are. */
static PyObject *texts_of(core *c, const sb_out *texts, size_t n, bool are_documents) {
    PyObject *list = PyList_New(0);
    const char *at = texts->data;
    for (size_t i = 0; list && i < n; i++) {
        const size_t length = strlen(at);
        core_add(&list,
                 are_documents ? core_document(c, at, length) : PyUnicode_DecodeUTF8(at, (Py_ssize_t)length, NULL));
        at += length + 1;
    }
    return list;
}

/* An array of all states, of one of the look's arrays. */
static PyObject *stack(const rollouts *r, const played *p, size_t i) {
    const sb_array *array = r->look->array[i].array;
    const size_t n = p->tape.n + 1;
    PyObject *shape = core_shape(&n, array->rank, p->shape.extent[i]);
    return core_array_of(r->core, core_array_arguments(r->core, shape, core_scalar_name(array->type)),
                         p->arrays[i].data, p->arrays[i].size);
}

static PyObject *stack_all(const rollouts *r, const played *p) {
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < r->look->n_arrays; i++) core_put(&all, r->look->array[i].name, stack(r, p, i));
    return all;
}

static PyObject *seen_by(const rollouts *r, const played *p, size_t i) {
    const core_part *part = &r->look->part[i];
    if (is_text(part)) return texts_of(r->core, &p->texts[i], p->tape.n + 1, part->kind == CORE_DOCUMENT);
    return part->kind == CORE_ARRAY ? stack(r, p, part->array) : stack_all(r, p);
}

static PyObject *observations_of(const rollouts *r, const played *p) {
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && i < r->look->n_parts; i++)
        if (r->look->part[i].kind != CORE_NOTHING) core_put(&all, r->look->part[i].key, seen_by(r, p, i));
    return all;
}

static PyObject *labels_of(const rollouts *r, const played *p) {
    const size_t n = p->tape.n;
    if (!r->cast.labels && !(r->line && p->tape.n_corrections > 0)) Py_RETURN_NONE;
    int32_t *labels = PyMem_Calloc(n + 1, sizeof *labels);
    if (!labels) return PyErr_NoMemory();
    for (size_t i = 0; i < n; i++) labels[i] = sb_tape_label(&p->tape, i);
    PyObject *array = array_of(r->core, SB_INT32, n, labels);
    PyMem_Free(labels);
    return array;
}

/* The tuple (action, its name, who says so, verb, object, place) of a step. */
static PyObject *hint_of(const rollouts *r, const played *p, size_t step, const char *name) {
    const sb_purpose *purpose = sb_tape_purpose(&p->tape, step);
    const char *agent = r->cast.labeller[0] ? r->cast.labeller : p->tape.agent;
    const bool has_verb = purpose && purpose->verb[0];
    PyObject *at = has_verb && purpose->at.x >= 0 ? core_cell(purpose->at) : Py_NewRef(Py_None);
    return Py_BuildValue("(isszzN)", (int)sb_tape_label(&p->tape, step), name, agent, has_verb ? purpose->verb : NULL,
                         has_verb ? purpose->object : NULL, at);
}

static PyObject *intents_of(const rollouts *r, const played *p) {
    const char *name = p->names.data;
    if (!has_intents(r, &p->tape)) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < p->tape.n; i++, name += strlen(name) + 1) core_add(&list, hint_of(r, p, i, name));
    return list;
}

/* The line of a tape, without its end. */
static PyObject *line_of(const sb_tape *tape) {
    sb_out out = sb_out_growing();
    sb_tape_put_line(tape, &out);
    if (out.size) out.size--;
    return core_written(&out);
}

/* The fields of an Episode. */
static PyObject *episode_of(const rollouts *r, const played *p) {
    const sb_tape *t = &p->tape;
    const sb_status *end = &t->outcome;
    core *c = r->core;
    PyObject *all = PyTuple_New(14);
    (void)(all && core_set(&all, 0, core_name(&t->name)) && core_set(&all, 1, PyUnicode_FromString(t->agent)) &&
           core_set(&all, 2, sb_has_success(t->criterion) ? PyBool_FromLong(end->success) : Py_NewRef(Py_None)) &&
           core_set(&all, 3, PyFloat_FromDouble(end->total)) &&
           core_set(&all, 4, PyFloat_FromDouble(end->dense_total)) &&
           core_set(&all, 5, PyBool_FromLong(end->terminated)) && core_set(&all, 6, PyBool_FromLong(end->truncated)) &&
           core_set(&all, 7, PyLong_FromSize_t(t->n)) && core_set(&all, 8, array_of(c, SB_INT32, t->n, t->actions)) &&
           core_set(&all, 9, array_of(c, SB_DOUBLE, t->n, p->rewards.data)) &&
           core_set(&all, 10, observations_of(r, p)) && core_set(&all, 11, labels_of(r, p)) &&
           core_set(&all, 12, intents_of(r, p)) && core_set(&all, 13, line_of(t)));
    return all;
}

static PyObject *next(PyObject *object) {
    rollouts *self = (rollouts *)object;
    if (!core_take(&self->in_use, "this iterator is")) return NULL;
    const played *p = core_stream_next(self->core, &self->stream);
    PyObject *episode = p ? episode_of(self, p) : NULL;
    core_give_back(&self->in_use);
    return episode;
}

static PyObject *itself(PyObject *object) { return Py_NewRef(object); }

static PyType_Slot slots[] = {{Py_tp_new, make},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_iter, itself},
                              {Py_tp_iternext, next},
                              {Py_tp_doc, "Episodes as tuples, while workers play."},
                              {0, NULL}};

PyType_Spec core_rollouts_spec = {
    .name = "seedbed._seedbed.Rollouts", .basicsize = sizeof(rollouts), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
