/* Resets of VecCore. The batch makes the episodes in its threads, and has the frame filled in there, while other Python
 * threads run. */
#include "engine/environment.h"
#include "python/core/vector.h"

/* ---- What the batch asks and shows ---- */

double core_vec_progress(const core_vec *self) {
    if (self->progress >= 0) return self->progress;
    return self->total && self->n_drawn < self->total ? (double)self->n_drawn / (double)self->total : self->total > 0;
}

/* Draws the next episode of environment i from its chain: the pair by weight, then the seed. */
static void draw_name(core_vec *self, size_t i, sb_name *name) {
    sb_rng *rng = &self->chains[i].rng;
    const sb_chosen *pair = sb_mixture_draw(self->mixture, core_vec_progress(self), rng);
    sb_selection_name(&self->mixture->pairs, (size_t)(pair - self->mixture->pairs.episodes), name);
    name->seed = (uint64_t)sb_integers(rng, 0, INT64_C(1) << 31);
    self->n_drawn++;
}

static bool next_name(void *context, size_t i, sb_name *name) {
    core_vec *self = context;
    const sb_env *env;
    switch (self->then) {
    case CORE_THEN_STOP: return false;
    case CORE_THEN_SAME:
        env = sb_batch_env(self->batch, i);
        *name = env->name;
        return env->state != NULL;
    case CORE_THEN_NEXT:
    case CORE_THEN_REPEAT:
        if (self->next_name == self->n_names && self->then == CORE_THEN_NEXT) return false;
        self->next_name %= self->n_names;
        *name = self->names[self->next_name++];
        return true;
    case CORE_THEN_DRAW: return draw_name(self, i, name), true;
    case CORE_THEN_CHAIN: break;
    }
    *name = self->names[i];
    if (!self->pinned[i]) name->seed = (uint64_t)sb_integers(&self->chains[i].rng, 0, INT64_C(1) << 31);
    return true;
}

static void watch(void *context, size_t i, const sb_env *env, bool final) {
    core_vec *self = context;
    sb_error error;
    if (!final) {
        core_frame_fill(&self->frame, i, env);
        return;
    }
    self->ended[i] = true;
    if (!sb_copy(self->finals[i], env, &error)) atomic_store(&self->failed, true);
}

static void show(void *context, size_t i) {
    core_vec *self = context;
    core_frame_fill(&self->frame, i, sb_batch_env(self->batch, i));
}

/* ---- Reset ---- */

static void start_chain(core_chain *chain, uint64_t seed) {
    chain->begun = true, chain->seed = seed;
    sb_rng_seed(&chain->rng, seed, NULL);
}

/* What a reset is asked for. */
typedef struct request {
    bool *which;     /* NULL: all */
    bool *has_seed;  /* for each of n environments: a seed was given */
    uint64_t *seeds; /* the seeds of n environments */
    bool *said;      /* for each of n environments: the episode is said, and the chain is left alone */
} request;

static bool read_seed_list(core_vec *self, PyObject *seed, request *r) {
    PyObject *list = PySequence_List(seed);
    if (!list) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
        PyErr_Clear();
        return core_refuse(self->core, "InvalidError", "seed is None, a whole number, or a list of them"), false;
    }
    bool ok = (size_t)PyList_Size(list) == self->n;
    if (!ok)
        core_refuse(self->core, "InvalidError",
                    "If seeds are passed as a list the length must match num_envs=%zu but got length=%zd.", self->n,
                    PyList_Size(list));
    for (size_t i = 0; ok && i < self->n; i++) {
        PyObject *item = PyList_GetItem(list, (Py_ssize_t)i);
        r->has_seed[i] = item != Py_None;
        if (r->has_seed[i]) ok = core_seed(self->core, item, "seed", &r->seeds[i]);
    }
    Py_DECREF(list);
    return ok;
}

/* Whether the seed is a single number: arrays, too, say that they can be an index, but only some are. -1 with an
 * exception. */
static int is_number(PyObject *value) {
    PyObject *number = PyIndex_Check(value) ? PyNumber_Index(value) : NULL;
    if (!number && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
    PyErr_Clear();
    Py_XDECREF(number);
    return number != NULL;
}

static bool read_seeds(core_vec *self, PyObject *seed, request *r) {
    uint64_t first;
    if (seed == Py_None) return true;
    if (core_vec_is_list(self))
        return core_refuse(self->core, "InvalidError", "the episodes are those of the selection: reset takes no seed"),
               false;
    const int single = is_number(seed);
    if (single < 1) return single == 0 && read_seed_list(self, seed, r);
    if (!core_seed(self->core, seed, "seed", &first)) return false;
    if (first > UINT64_MAX - (self->n - 1))
        return core_refuse(self->core, "InvalidError", "seed is a whole number from 0 to 2**64 - num_envs"), false;
    for (size_t i = 0; i < self->n; i++) r->has_seed[i] = true, r->seeds[i] = first + i;
    return true;
}

static bool is_bool_array(const Py_buffer *view) { return view->format && strcmp(view->format, "?") == 0; }

/* Reads which environments are reset. The complaints are those of Gymnasium's SyncVectorEnv. */
static bool read_mask(core_vec *self, PyObject *mask, request *r) {
    Py_buffer view;
    bool any = false;
    if (PyObject_GetBuffer(mask, &view, PyBUF_FULL_RO) < 0) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "`options['reset_mask']` must be a numpy array, got %R", Py_TYPE(mask));
        return false;
    }
    if (view.ndim != 1 || (size_t)view.shape[0] != self->n) {
        core_refuse(self->core, "InvalidError", "`options['reset_mask']` must have shape `(%zu,)`", self->n);
    } else if (!is_bool_array(&view)) {
        PyErr_SetString(PyExc_TypeError, "`options['reset_mask']` must have `dtype=np.bool_`");
    } else {
        r->which = self->flags[0];
        for (size_t i = 0; i < self->n; i++)
            any |= r->which[i] = ((const char *)view.buf)[(Py_ssize_t)i * view.strides[0]];
        if (!any)
            core_refuse(self->core, "InvalidError",
                        "`options['reset_mask']` must contain a boolean array with at least one True value");
    }
    PyBuffer_Release(&view);
    return any;
}

/* Reads the name of an episode for environment i, whose chain is left alone then; None: the chain says it. */
static bool read_name(core_vec *self, size_t i, PyObject *item, request *r) {
    sb_error error;
    if (item == Py_None) return true;
    const char *text = PyUnicode_Check(item) ? core_utf8(item) : NULL;
    if (!text && !PyErr_Occurred())
        core_refuse(self->core, "InvalidError", "options[\"names\"] holds names of episodes (str) and None");
    if (!text) return false;
    if (!sb_name_parse(self->core->catalogue, text, &self->starts[i], &error))
        return core_raise(self->core, &error), false;
    return (r->said[i] = core_vec_fits(self, &self->starts[i]));
}

/* Reads a name for each environment; names for environments that are not reset do not matter. */
static bool read_names(core_vec *self, PyObject *names, request *r) {
    PyObject *list = PyUnicode_Check(names) ? NULL : PySequence_List(names);
    if (!list && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    PyErr_Clear();
    bool ok = list && (size_t)PyList_Size(list) == self->n;
    if (!ok)
        core_refuse(self->core, "InvalidError",
                    "options[\"names\"] is a list with one name for each of %zu environments", self->n);
    for (size_t i = 0; ok && i < self->n; i++)
        ok = (r->which && !r->which[i]) || read_name(self, i, PyList_GetItem(list, (Py_ssize_t)i), r);
    Py_XDECREF(list);
    return ok;
}

typedef bool reader(core_vec *self, PyObject *value, request *r);

/* Reads one of a reset's options, if it is there. */
static bool read_option(core_vec *self, PyObject *options, const char *word, reader *read, request *r) {
    PyObject *key = PyUnicode_FromString(word);
    PyObject *value = key ? Py_XNewRef(PyDict_GetItemWithError(options, key)) : NULL;
    Py_XDECREF(key);
    const bool ok = value ? read(self, value, r) : !PyErr_Occurred();
    Py_XDECREF(value);
    return ok;
}

/* What begins unless the options name something for each environment. */
static bool apply_options(core_vec *self, const core_options *said, request *r) {
    const bool any = said->has_name || said->has_seed;
    for (size_t i = 0; i < self->n; i++) {
        self->starts[i] = self->names[i];
        r->said[i] = any || (self->pinned[i] && !r->has_seed[i]);
        if (any && (!core_apply_options(self->look, said, &self->starts[i]) || !core_vec_fits(self, &self->starts[i])))
            return false;
    }
    return true;
}

/* Reads the options of a reset: which environments, and which episodes are said. */
static bool read_options(core_vec *self, PyObject *options, request *r) {
    static const char *const own[] = {"reset_mask", "names", NULL};
    core_options said;
    if (!core_read_options(self->core, options, own, &said)) return false;
    const Py_ssize_t n = options == Py_None ? 0 : PyDict_Size(options);
    if (n && !read_option(self, options, "reset_mask", read_mask, r)) return false;
    if (core_vec_is_list(self) && n > (r->which != NULL))
        return core_refuse(self->core, "InvalidError",
                           "the episodes are those of the selection: options may hold \"reset_mask\" alone"),
               false;
    return apply_options(self, &said, r) && (!n || read_option(self, options, "names", read_names, r));
}

/* Begins the mixture's schedule again, if all environments are reset with seeds. */
static void begin_schedule(core_vec *self, const request *r) {
    bool all = !r->which;
    for (size_t i = 0; all && i < self->n; i++) all = r->has_seed[i];
    if (all) self->n_drawn = 0;
}

/* Gives an environment the episode that follows in its chain. */
static void draw_next(core_vec *self, size_t i) {
    if (self->then == CORE_THEN_DRAW)
        draw_name(self, i, &self->starts[i]);
    else
        self->starts[i].seed = (uint64_t)sb_integers(&self->chains[i].rng, 0, INT64_C(1) << 31);
}

/* Gives each environment that is reset its episode. Nothing fails here. */
static void draw_seeds(core_vec *self, const request *r) {
    begin_schedule(self, r);
    for (size_t i = 0; i < self->n; i++) {
        core_chain *chain = &self->chains[i];
        if (r->which && !r->which[i]) continue;
        if (r->has_seed[i]) {
            start_chain(chain, r->seeds[i]);
            if (r->said[i]) continue;
            self->starts[i].seed = r->seeds[i];
            if (self->then == CORE_THEN_DRAW) draw_next(self, i);
        } else if (!r->said[i] || !chain->begun) {
            if (!chain->begun) start_chain(chain, core_entropy());
            if (!r->said[i]) draw_next(self, i);
        }
    }
}

static bool make_finals(core_vec *self, sb_error *error) {
    for (size_t i = 0; self->autoreset == SB_SAME_STEP && i < self->n; i++)
        if (!self->finals[i] && !(self->finals[i] = sb_make(self->core->catalogue, NULL, error))) return false;
    return true;
}

/* Makes the batch of these n names. */
static sb_batch *made_of(core_vec *self, const sb_name *names, bool begins, sb_error *error) {
    const sb_batch_plan plan = {.catalogue = self->core->catalogue,
                                .names = names,
                                .n_names = self->n,
                                .n = self->n,
                                .threads = self->threads,
                                .then = SB_THEN_ASK,
                                .autoreset = self->autoreset,
                                .next = next_name,
                                .context = self,
                                .record = self->records};
    const sb_batch_arrays arrays = {.results = self->results, .begun = self->begun, .idle = self->idle};
    if (!make_finals(self, error)) return NULL;
    sb_batch *batch = (begins ? sb_batch_make : sb_batch_make_idle)(&plan, &arrays, error);
    if (batch) sb_batch_set_watch(batch, watch, self);
    return batch;
}

sb_batch *core_vec_idle_batch(core_vec *self, sb_error *error) { return made_of(self, self->names, false, error); }

static void show_all(core_vec *self) { sb_team_run(sb_batch_team(self->batch), self->n, 16, show, self); }

static bool make_batch(core_vec *self, sb_error *error) {
    if (!(self->batch = made_of(self, self->starts, true, error))) return false;
    show_all(self);
    self->next_name = self->n;
    return true;
}

static bool reset_batch(core_vec *self, const bool *which, sb_error *error) {
    const bool draws = core_vec_is_list(self);
    for (size_t i = 0; i < self->n; i++)
        if (!which || which[i]) core_shaping_forget(self->shaping, i);
    if (!self->batch) return make_batch(self, error);
    if (draws && !which) self->next_name = 0;
    if (!sb_batch_reset(self->batch, which, draws ? NULL : self->starts, error)) return false;
    for (size_t i = 0; which && i < self->n; i++)
        if (!which[i]) show(self, i);
    return true;
}

static PyObject *reset_to(core_vec *self, const request *r) {
    sb_error error;
    bool ok;
    if (r->which && !self->batch)
        return core_refuse(self->core, "InvalidError", "the first reset is of all environments: without `reset_mask`");
    if (!core_frame_open(&self->frame)) return NULL;
    draw_seeds(self, r);
    memset(self->ended, 0, self->n);
    Py_BEGIN_ALLOW_THREADS;
    ok = reset_batch(self, r->which, &error);
    Py_END_ALLOW_THREADS;
    if (!ok) return core_frame_drop(&self->frame), core_raise(self->core, &error);
    PyObject *observation = core_frame_close(&self->frame, self->batch, (PyObject *)self);
    PyObject *infos = observation ? core_vec_infos(self, r->which, false) : NULL;
    return infos ? Py_BuildValue("(NN)", observation, infos) : (Py_XDECREF(observation), NULL);
}

static PyObject *reset_as_asked(core_vec *self, PyObject *seed, PyObject *options) {
    request r = {.has_seed = PyMem_Calloc(self->n, sizeof *r.has_seed),
                 .seeds = PyMem_Calloc(self->n, sizeof *r.seeds),
                 .said = PyMem_Calloc(self->n, sizeof *r.said)};
    PyObject *result = NULL;
    if (!r.has_seed || !r.seeds || !r.said)
        PyErr_NoMemory();
    else if (read_seeds(self, seed, &r) && read_options(self, options, &r))
        result = reset_to(self, &r);
    PyMem_Free(r.has_seed), PyMem_Free(r.seeds), PyMem_Free(r.said);
    return result;
}

PyObject *core_vec_reset(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"seed", "options", NULL};
    core_vec *self = (core_vec *)object;
    PyObject *seed = Py_None, *options = Py_None;
    if (!core_parse_keywords(positional, keywords, "|$OO:reset", names, &seed, &options)) return NULL;
    return core_vec_enter(self) ? core_vec_leave(self, reset_as_asked(self, seed, options)) : NULL;
}

/* ---- Looking again ---- */

static PyObject *observed(core_vec *self) {
    if (!core_frame_open(&self->frame)) return NULL;
    Py_BEGIN_ALLOW_THREADS;
    show_all(self);
    Py_END_ALLOW_THREADS;
    return core_frame_close(&self->frame, self->batch, (PyObject *)self);
}

PyObject *core_vec_observe(PyObject *object, PyObject *none) {
    core_vec *self = (core_vec *)object;
    (void)none;
    return core_vec_enter_begun(self) ? core_vec_leave(self, observed(self)) : NULL;
}
