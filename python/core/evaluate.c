/* EvaluationCore: the episodes of a selection, played by an agent of the library or by a function of Python, and the
 * document that comes of it. The glue asks the function and says here what it answered, slot by slot: a slot is one
 * of the episodes that run at the same time. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/error.h"
#include "base/pool.h"
#include "cli/output.h"
#include "engine/environment.h"
#include "evaluation/resume.h"
#include "evaluation/selected.h"
#include "python/core/actions.h"
#include "python/core/look.h"
#include "python/core/objects.h"

typedef struct core_slot {
    bool runs;
    size_t place; /* of the episode, in the results */
    uint32_t attempt;
    sb_env *env;
    sb_tape tape;
    sb_failure failure;
    sb_action action; /* to be taken next */
    sb_result last;   /* of the step before */
    core_look *look;
    PyObject *told; /* what info holds from the first step of the episode to the last */
} core_slot;

typedef struct core_evaluation {
    PyObject_HEAD core *core;
    sb_selection selection;
    sb_out selected; /* what was asked for, as results tell it, and a NUL */
    sb_baseline baseline;
    PyObject *certificates, *spec, *salt_text, *about; /* bytes or NULL */
    char label[SB_AGENT_LABEL];                        /* empty: what the agent is called */
    sb_plays plays;
    bool has_output;
    sb_run_watch watch; /* over functions; its limits are for all agents */
    sb_resume resume;   /* with the journal, if there is an output */
    sb_agent_options options;
    sb_results results;
    atomic_size_t done;
    atomic_bool stops;
    pthread_mutex_t mutex; /* of the guard */
    pid_t guard;           /* who watches over the agent's programs; 0: nobody */
    /* For functions of Python. */
    core_slot *slots;
    size_t n_slots, jobs, next; /* next: the first place that nobody has begun */
    sb_salt salt;
    PyObject *obs, *pad;
} core_evaluation;

/* ---- Which episodes ---- */

static bool select_requested(core_evaluation *self, const cJSON *object, sb_error *error) {
    sb_request request = {0};
    const bool ok = sb_json_known_keys(object, sb_request_keys, error) &&
                    sb_request_read(NULL, object, &request, error) && sb_select(&request, &self->selection, error);
    if (ok) sb_selected_print_request(&request, &self->selected);
    free((void *)request.names);
    return ok;
}

static bool select_packed(core_evaluation *self, const sb_json_part *document, sb_error *error) {
    sb_pack pack = {0};
    const bool ok = sb_pack_read(&pack, document, error) &&
                    sb_select_verified_pack(NULL, &pack, &self->selection, error);
    if (ok) sb_selected_print_pack(&pack, &self->selected);
    sb_pack_clear(&pack);
    return ok;
}

/* Reads the members of a request, or `pack` with a pack's document, as results tell of their selection; or such a
 * document by itself. */
static bool read_selection(core_evaluation *self, const char *text, size_t n, sb_error *error) {
    static const char *const names[] = {"pack", "lists", NULL};
    sb_json_part parts[2];
    const sb_json_part whole = sb_json_whole(text, n);
    cJSON *object = sb_json_split(text, n, names, parts, error);
    bool ok = object;
    if (ok && parts[1].n)
        ok = select_packed(self, &whole, error);
    else if (ok && parts[0].n)
        ok = select_packed(self, &parts[0], error);
    else if (ok)
        ok = select_requested(self, object, error);
    cJSON_Delete(object);
    sb_putc(&self->selected, '\0');
    return ok && (sb_out_ok(&self->selected) || sb_fail(error, SB_MEMORY, "out of memory for the selection"));
}

/* ---- Making ---- */

/* What would fail in the end fails before hours of play. */
static bool read_all(core_evaluation *self, const char *selection, size_t n, const char *baseline, const char *output,
                     sb_resume_how how, sb_error *error) {
    sb_results none = {0};
    self->has_output = output;
    return read_selection(self, selection, n, error) && sb_baseline_load(&self->baseline, baseline, error) &&
           sb_results_certify(&none, core_bytes_text(self->certificates), error) &&
           (!output || sb_resume_open(&self->resume, output, how, NULL, cli_now, error));
}

/* What an output's path and what is there come to. */
static bool read_how(core_evaluation *self, const char *said, sb_resume_how *how) {
    static const char *const words[] = {"anew", "force", "resume", "retry"};
    size_t index;
    if (!sb_find_word(words, 4, said, &index)) return core_refuse(self->core, "InvalidError", "how: unknown"), false;
    *how = (sb_resume_how)index;
    return true;
}

/* What is told about the agent: an object, which is checked here. */
static bool read_about(core_evaluation *self, const char *about) {
    sb_error error;
    cJSON *object = about ? sb_json_parse(about, strlen(about), &error) : NULL;
    const bool ok = !about || (cJSON_IsObject(object) || sb_fail(&error, SB_INVALID, "about is an object"));
    cJSON_Delete(object);
    self->about = ok && about ? PyBytes_FromString(about) : NULL;
    if (!ok) core_raise(self->core, &error);
    return ok && (!about || self->about);
}

static bool read_shard(core_evaluation *self, const char *said) {
    sb_error error;
    return !said || sb_part_parse(said, &self->plays.part, &error) || (core_raise(self->core, &error), false);
}

static int init(PyObject *object, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"selection", "baseline", "certificates", "label", "output",
                            "how",       "attempts", "shard",        "about", NULL};
    core_evaluation *self = (core_evaluation *)object;
    const char *selection, *label = NULL, *said = "anew", *shard = NULL, *about = NULL;
    Py_ssize_t n, attempts = 1;
    PyObject *baseline = Py_None, *certificates = Py_None, *output = Py_None, *path = NULL, *to = NULL;
    sb_resume_how how;
    sb_error error;
    if (!PyArg_ParseTupleAndKeywords(positional, keywords, "s#|OOzOsnzz:EvaluationCore", names, &selection, &n,
                                     &baseline, &certificates, &label, &output, &said, &attempts, &shard, &about))
        return -1;
    if (attempts < 1 || attempts > SB_ATTEMPTS_MAX)
        return core_refuse(self->core, "InvalidError", "attempts is from 1 to %d", SB_ATTEMPTS_MAX), -1;
    self->plays.attempts = (size_t)attempts;
    if (!read_how(self, said, &how) || !read_shard(self, shard) || !read_about(self, about)) return -1;
    if (self->selected.size) return core_refuse(self->core, "Error", "an evaluation is made once"), -1;
    if (label && !*label) return core_refuse(self->core, "InvalidError", "name is empty"), -1;
    if (!core_read_path(baseline, &path) || !core_read_path(certificates, &self->certificates) ||
        !core_read_path(output, &to))
        return Py_XDECREF(path), -1;
    if (label) sb_copy_plain(self->label, sizeof self->label, label);
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = read_all(self, selection, (size_t)n, core_bytes_text(path), core_bytes_text(to), how, &error);
    Py_END_ALLOW_THREADS;
    Py_XDECREF(path), Py_XDECREF(to);
    return ok ? 0 : (core_raise(self->core, &error), -1);
}

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    core *c = core_of_type(type);
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    core_evaluation *self = c ? (core_evaluation *)allocate(type, 0) : NULL;
    if (!self) return NULL;
    self->core = c, self->selected = sb_out_growing();
    pthread_mutex_init(&self->mutex, NULL);
    return (PyObject *)self;
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
    core_evaluation *self = (core_evaluation *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->obs);
    Py_VISIT(self->pad);
    return 0;
}

static int clear(PyObject *object) {
    core_evaluation *self = (core_evaluation *)object;
    Py_CLEAR(self->obs);
    Py_CLEAR(self->pad);
    return 0;
}

static void free_slot(core_slot *slot) {
    sb_free(slot->env);
    sb_tape_clear(&slot->tape);
    core_look_free(slot->look);
    Py_XDECREF(slot->told);
}

static void dealloc(PyObject *object) {
    core_evaluation *self = (core_evaluation *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    clear(object);
    for (size_t i = 0; i < self->n_slots; i++) free_slot(&self->slots[i]);
    PyMem_Free(self->slots);
    Py_XDECREF(self->certificates), Py_XDECREF(self->spec), Py_XDECREF(self->salt_text), Py_XDECREF(self->about);
    sb_resume_close(&self->resume);
    sb_results_free(&self->results);
    sb_baseline_free(&self->baseline);
    sb_out_free(&self->selected);
    sb_selection_free(&self->selection);
    pthread_mutex_destroy(&self->mutex);
    freefunc drop = (freefunc)PyType_GetSlot(type, Py_tp_free);
    drop(object);
    Py_DECREF(type);
}

/* Notes who plays. The texts are kept, since the options point into them. */
static bool note_agent(core_evaluation *self, const char *spec, const char *salt, unsigned long long steps) {
    if (self->spec || !self->selected.size)
        return core_refuse(self->core, "Error", "an evaluation is made, and then played once"), false;
    self->spec = PyBytes_FromString(spec);
    if (!salt && *self->resume.salt) salt = self->resume.salt;
    self->salt_text = salt ? PyBytes_FromString(salt) : NULL;
    if (!self->spec || (salt && !self->salt_text)) return false;
    self->options = (sb_agent_options){.spec = core_bytes_text(self->spec),
                                       .salt = core_bytes_text(self->salt_text),
                                       .about = core_bytes_text(self->about),
                                       .start_seconds = SB_AGENT_START_SECONDS,
                                       .reply_seconds = SB_AGENT_REPLY_SECONDS,
                                       .steps = steps,
                                       .now = cli_now};
    return true;
}

/* ---- Agents of the library ---- */

static bool goes_on(void *context, sb_error *error) {
    core_evaluation *self = context;
    (void)error;
    return !atomic_load(&self->stops) || sb_fail(error, SB_INVALID, "the evaluation was stopped");
}

/* So that `stop` need not wait for a program's answer. 0: the guard goes. */
static void note_guard(core_evaluation *self, pid_t guard) {
    pthread_mutex_lock(&self->mutex);
    self->guard = guard;
    if (guard && atomic_load(&self->stops)) kill(guard, SIGKILL);
    pthread_mutex_unlock(&self->mutex);
}

static void count(void *context, size_t done, size_t total) {
    (void)total;
    atomic_store(&((core_evaluation *)context)->done, done);
}

/* Takes up what was played before; the results were begun. */
static bool take_up(core_evaluation *self, sb_error *error) {
    if (!self->has_output) return true;
    const bool ok = sb_resume_begin(&self->resume, self->options.spec, &self->options, self->selected.data,
                                    &self->selection, &self->results, error);
    atomic_store(&self->done, sb_results_done(&self->results));
    return ok;
}

static bool play_agent(core_evaluation *self, sb_error *error) {
    sb_agent agent;
    if (!sb_agent_open(&agent, &self->options, &self->selection, error)) return false;
    if (*self->label) strcpy(agent.label, self->label);
    note_guard(self, agent.guard.pid);
    const sb_evaluation evaluation = {.selection = &self->selection,
                                      .plays = self->plays,
                                      .agent = &agent,
                                      .jobs = self->jobs,
                                      .limits = self->watch.limits,
                                      .now = cli_now,
                                      .keep = self->has_output ? sb_run_journal_add : NULL,
                                      .keeper = &self->resume.journal,
                                      .progress = count,
                                      .goes_on = goes_on,
                                      .context = self};
    const bool ok = sb_evaluation_begin(&evaluation, &self->results, error) && take_up(self, error) &&
                    sb_evaluate_rest(&evaluation, &self->results, error);
    note_guard(self, 0);
    sb_agent_close(&agent);
    return ok;
}

/* A program that no longer reads is no accident, whatever the process makes of SIGPIPE: the signal is for the thread
 * that writes, so it is held back in this one and in those that it starts. */
static bool play_without_signals(core_evaluation *self, sb_error *error) {
    sigset_t pipe, before;
    const struct timespec now = {0};
    sigemptyset(&pipe), sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
    const bool ok = play_agent(self, error);
    while (sigtimedwait(&pipe, NULL, &now) > 0) continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static PyObject *play(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    const char *spec, *salt;
    Py_ssize_t jobs;
    unsigned long long steps;
    sb_error error;
    if (!PyArg_ParseTuple(arguments, "snzK:play", &spec, &jobs, &salt, &steps) || !note_agent(self, spec, salt, steps))
        return NULL;
    self->jobs = (size_t)jobs;
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = play_without_signals(self, &error);
    Py_END_ALLOW_THREADS;
    if (!ok) return core_raise(self->core, &error);
    Py_RETURN_NONE;
}

/* Sets what ends the run early: seconds, cost, and losses in a row. */
static PyObject *limit(PyObject *object, PyObject *arguments) {
    sb_run_limits *limits = &((core_evaluation *)object)->watch.limits;
    unsigned long long lost;
    if (!PyArg_ParseTuple(arguments, "ddK:limit", &limits->seconds, &limits->cost, &lost)) return NULL;
    limits->lost_in_a_row = lost;
    Py_RETURN_NONE;
}

static PyObject *stop(PyObject *object, PyObject *none) {
    core_evaluation *self = (core_evaluation *)object;
    (void)none;
    pthread_mutex_lock(&self->mutex);
    atomic_store(&self->stops, true);
    if (self->guard) kill(self->guard, SIGKILL); /* then all its programs are ended */
    pthread_mutex_unlock(&self->mutex);
    Py_RETURN_NONE;
}

/* ---- Functions of Python: who plays ---- */

static bool needs_arrays(const core_look *look) {
    bool some = false;
    for (size_t i = 0; i < look->n_parts; i++)
        some |= look->part[i].kind == CORE_ARRAYS || look->part[i].kind == CORE_ARRAY ||
                look->part[i].kind == CORE_FLAT;
    return some;
}

static core_look *look_for(core_evaluation *self, const sb_family *family, const sb_shape *shape) {
    return core_look_make(self->core, family, shape, self->obs, self->pad, true);
}

static bool refuse_mixture(core_evaluation *self, const sb_name *one, const sb_name *other) {
    core_refuse(self->core, "InvalidError",
                "arrays of %s%s%s and %s%s%s have different shapes, so they cannot be in one batch%s", one->task,
                *one->difficulty ? "/" : "", one->difficulty, other->task, *other->difficulty ? "/" : "",
                other->difficulty, strcmp(one->family, other->family) == 0 ? ": pad=\"family\" makes them equal" : "");
    return false;
}

/* Whether there are such observations of all episodes, and, where they are stacked, of one shape. */
static bool check_observations(core_evaluation *self, bool stacked) {
    const sb_selection *all = &self->selection;
    core_look *look = NULL;
    sb_name first, name;
    sb_shape shape;
    sb_error error;
    bool ok = true;
    for (size_t i = 0; ok && i < all->n; i++) {
        const sb_family *family = sb_selection_family(all, i);
        if (i && sb_same_chosen_pair(&all->episodes[i], &all->episodes[i - 1])) continue;
        ok = sb_name_shape(NULL, sb_selection_name(all, i, &name), &shape, &error);
        if (!ok) core_raise(self->core, &error);
        const bool same = ok && look && look->family == family;
        if (ok && look && stacked && needs_arrays(look) && !(same && core_look_fits(look, &shape)))
            ok = refuse_mixture(self, &first, &name);
        if (!ok || same) continue;
        core_look_free(look);
        look = look_for(self, family, &shape), first = name;
        ok = look;
    }
    core_look_free(look);
    return ok;
}

static bool tell_about(core_evaluation *self, sb_error *error) {
    sb_out about = sb_out_growing();
    bool ok = sb_about_print(NULL, 0, self->options.about, &about, error);
    if (about.size) sb_putc(&about, '\0');
    ok = ok && sb_results_tell_about(&self->results, about.size ? about.data : NULL, error);
    sb_out_free(&about);
    return ok;
}

static bool make_slots(core_evaluation *self, Py_ssize_t n) {
    sb_error error;
    if (!(self->options.salt ? sb_salt_parse(self->options.salt, &self->salt, &error)
                             : sb_salt_draw(&self->salt, &error)) ||
        !sb_results_begin(&self->results, &self->selection, &self->plays, self->label, SB_AGENT_PYTHON, &error))
        return core_raise(self->core, &error), false;
    sb_salt_print(&self->salt, self->results.salt);
    if (!tell_about(self, &error) || !take_up(self, &error)) return core_raise(self->core, &error), false;
    self->watch = sb_run_watch_of(&self->watch.limits, cli_now);
    for (size_t i = 0; i < self->results.n; i++) sb_run_count_before(&self->watch, &self->results.episodes[i]);
    self->slots = PyMem_Calloc((size_t)n, sizeof *self->slots);
    if (!self->slots) return PyErr_NoMemory(), false;
    self->n_slots = (size_t)n;
    return true;
}

static PyObject *seat(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    const char *spec, *salt;
    Py_ssize_t slots, jobs;
    int stacked;
    unsigned long long steps;
    PyObject *obs, *pad;
    if (!PyArg_ParseTuple(arguments, "snnpOOzK:seat", &spec, &slots, &jobs, &stacked, &obs, &pad, &salt, &steps))
        return NULL;
    if (slots < 1 || jobs < 0) return core_refuse(self->core, "InvalidError", "at least one episode runs at a time");
    if (!note_agent(self, spec, salt, steps)) return NULL;
    self->jobs = jobs ? (size_t)jobs : sb_processors();
    self->obs = Py_NewRef(obs), self->pad = Py_NewRef(pad);
    if (!check_observations(self, stacked) || !make_slots(self, slots)) return NULL;
    Py_RETURN_NONE;
}

/* ---- Functions of Python: several slots at a time ---- */

typedef bool slot_work(core_evaluation *self, core_slot *slot, sb_error *error);

/* A list of slots; the room is the caller's to free. */
typedef struct some_slots {
    core_evaluation *self;
    core_slot **slots;
    size_t n, first; /* first: before it, all is done */
    slot_work *work;
} some_slots;

static core_slot *slot_at(core_evaluation *self, PyObject *number) {
    const Py_ssize_t i = PyLong_AsSsize_t(number);
    if (PyErr_Occurred()) return NULL;
    if (i >= 0 && (size_t)i < self->n_slots) return &self->slots[i];
    PyErr_SetString(PyExc_IndexError, "there is no such slot");
    return NULL;
}

static core_slot *running_slot(core_evaluation *self, PyObject *number) {
    core_slot *slot = slot_at(self, number);
    if (slot && !slot->runs) return core_refuse(self->core, "FinishedError", "the slot's episode is over"), NULL;
    return slot;
}

static bool list_slots(core_evaluation *self, PyObject *list, bool running, some_slots *some) {
    const Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    *some = (some_slots){.self = self, .slots = PyMem_Malloc(((size_t)n + 1) * sizeof *some->slots)};
    if (!some->slots) return PyErr_NoMemory(), false;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *number = PyList_GetItem(list, i);
        core_slot *slot = running ? running_slot(self, number) : slot_at(self, number);
        if (!slot) return PyMem_Free(some->slots), false;
        if (slot->runs == running) some->slots[some->n++] = slot;
    }
    return true;
}

/* The numbers of those that run. */
static PyObject *numbers_of_running(const some_slots *some) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < some->n; i++) {
        if (!some->slots[i]->runs) continue;
        PyObject *number = PyLong_FromSsize_t(some->slots[i] - some->self->slots);
        if (!number || PyList_Append(list, number) < 0) Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return list;
}

enum { BLOCK = 16 /* slots that are worth a task for a thread */ };

static const double worth_threads = 2e-4; /* seconds: a pool makes its threads anew each time */

static bool work_on_block(void *context, void *scratch, size_t index, void *result, sb_error *error) {
    const some_slots *some = context;
    const size_t begin = some->first + BLOCK * index;
    (void)scratch, (void)result;
    for (size_t i = begin; i < some->n && i < begin + BLOCK; i++)
        if (!some->work(some->self, some->slots[i], error)) return false;
    return true;
}

static bool take_block(void *context, size_t index, void *result, sb_error *error) {
    (void)context, (void)index, (void)result, (void)error;
    return true;
}

/* Whatever is done to one slot depends on no other, so how many threads there are makes no difference. The first block
 * tells whether they are worth their start: most steps are not. */
static bool work_on_all(some_slots *some, slot_work *work, sb_error *error) {
    const double began = cli_now();
    some->work = work;
    for (some->first = 0; some->first < some->n; some->first += BLOCK) {
        const size_t blocks = (some->n - some->first + BLOCK - 1) / BLOCK;
        if (some->self->jobs > 1 && some->first == BLOCK && (cli_now() - began) * (double)blocks > worth_threads)
            return sb_pool_run(
                &(sb_pool){.workers = some->self->jobs, .context = some, .work = work_on_block, .take = take_block},
                blocks, error);
        if (!work_on_block(some, NULL, 0, NULL, error)) return false;
    }
    return true;
}

/* ---- Functions of Python: beginning episodes ---- */

static bool begin_episode(core_evaluation *self, core_slot *slot, sb_error *error) {
    sb_name name;
    if (!slot->env) slot->env = sb_make(NULL, NULL, error);
    const size_t episode = sb_plays_at(&self->plays, slot->place, &slot->attempt);
    sb_selection_name(&self->selection, episode, &name);
    if (!slot->env || !sb_reset_name(slot->env, &name, error)) return false;
    sb_tape_begin(&slot->tape, slot->env, "python");
    slot->failure = (sb_failure){0}, slot->last = (sb_result){0};
    return true;
}

/* Puts the value, whose reference it takes, into the dict. */
static bool tell(core_evaluation *self, PyObject *dict, const char *key, PyObject *value) {
    PyObject *name = value ? core_text(self->core, key, strlen(key)) : NULL;
    const int code = name ? PyDict_SetItem(dict, name, value) : -1;
    Py_XDECREF(name);
    Py_XDECREF(value);
    return code == 0;
}

static PyObject *tell_episode(core_evaluation *self, const core_slot *slot) {
    const sb_env *env = slot->env;
    const char *difficulty = env->name.difficulty;
    PyObject *told = PyDict_New();
    const bool ok = told && tell(self, told, "task", PyUnicode_FromString(env->task->name)) &&
                    tell(self, told, "difficulty",
                         *difficulty ? PyUnicode_FromString(difficulty) : Py_NewRef(Py_None)) &&
                    tell(self, told, "category", PyUnicode_FromString(env->task->category)) &&
                    tell(self, told, "summary", PyUnicode_FromString(env->task->summary)) &&
                    tell(self, told, "max_steps", PyLong_FromLong(env->status.max_steps)) &&
                    tell(self, told, "random_seed",
                         PyLong_FromLong((long)sb_salted_number(&self->salt, &env->name, slot->attempt))) &&
                    tell(self, told, "slot", PyLong_FromSsize_t(slot - self->slots));
    if (!ok) Py_CLEAR(told);
    return told;
}

/* What is shown of an episode that has just begun. */
static bool prepare(core_evaluation *self, core_slot *slot) {
    core_look *look = slot->look;
    if (!look || look->family != slot->env->family || !core_look_fits(look, &slot->env->shape)) {
        core_look_free(look);
        slot->look = look_for(self, slot->env->family, &slot->env->shape);
    }
    Py_XDECREF(slot->told);
    slot->told = slot->look ? tell_episode(self, slot) : NULL;
    return slot->runs = slot->told != NULL;
}

static PyObject *begin(PyObject *object, PyObject *list) {
    core_evaluation *self = (core_evaluation *)object;
    some_slots some;
    sb_error error;
    const bool stops = atomic_load(&self->stops) || !sb_run_goes_on(&self->watch, &error);
    if (!list_slots(self, list, false, &some)) return NULL;
    size_t n = 0;
    for (; n < some.n && self->next < self->results.room && !stops; self->next++)
        if (!self->results.episodes[self->next].done) some.slots[n++]->place = self->next;
    some.n = n;
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = work_on_all(&some, begin_episode, &error);
    Py_END_ALLOW_THREADS;
    if (!ok) core_raise(self->core, &error);
    for (size_t i = 0; ok && i < n; i++) ok = prepare(self, some.slots[i]);
    PyObject *numbers = ok ? numbers_of_running(&some) : NULL;
    PyMem_Free(some.slots);
    return numbers;
}

/* ---- Functions of Python: what they see ---- */

static PyObject *tell_state(core_evaluation *self, const core_slot *slot) {
    const sb_status *status = &slot->env->status;
    PyObject *info = PyDict_Copy(slot->told);
    bool ok = info && tell(self, info, "step", PyLong_FromLong(status->steps)) &&
              tell(self, info, "reward", PyFloat_FromDouble(slot->last.reward)) &&
              tell(self, info, "valid_actions", core_valid_actions(slot->env)) &&
              tell(self, info, "valid_names", core_valid_names(self->core, slot->env)) &&
              tell(self, info, "begins", PyBool_FromLong(status->steps == 0));
    if (ok && status->steps) ok = tell(self, info, "success", PyBool_FromLong(status->success));
    if (!ok) Py_CLEAR(info);
    return info;
}

static PyObject *show(PyObject *object, PyObject *number) {
    core_evaluation *self = (core_evaluation *)object;
    core_slot *slot = running_slot(self, number);
    PyObject *observation = slot ? core_observe(slot->look, slot->env) : NULL;
    PyObject *info = observation ? tell_state(self, slot) : NULL;
    if (!info) return Py_XDECREF(observation), NULL;
    return Py_BuildValue("(NN)", observation, info);
}

/* ---- Functions of Python: what they do ---- */

static PyObject *read_action(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject *number, *value;
    sb_action action;
    if (!PyArg_ParseTuple(arguments, "OO:read", &number, &value)) return NULL;
    const core_slot *slot = running_slot(self, number);
    return slot && core_read_action(self->core, slot->env, value, &action) ? PyLong_FromLong(action) : NULL;
}

static void fail(core_slot *slot, sb_failure_kind kind, const char *text) {
    slot->failure.kind = kind;
    sb_copy_plain(slot->failure.text, sizeof slot->failure.text, text);
}

/* Takes the slot's action; the episode runs no more if it is over, or if something was wrong. */
static bool step_episode(core_evaluation *self, core_slot *slot, sb_error *error) {
    sb_error why;
    if (!sb_step(slot->env, slot->action, &slot->last, &why))
        fail(slot, SB_FAILED_NONSENSE, why.text);
    else if (!sb_tape_append(&slot->tape, slot->action, error))
        return false;
    else if (!slot->env->status.done && slot->tape.n == self->options.steps) {
        sb_fail(&why, SB_INVALID, "the episode was not over after the %zu steps allowed", slot->tape.n);
        fail(slot, SB_FAILED_STEPS, why.text);
    }
    slot->runs = !slot->env->status.done && !slot->failure.kind;
    if (!slot->runs) sb_tape_finish(&slot->tape, slot->env);
    return true;
}

/* Keeps an episode that runs no more. */
static bool keep(core_evaluation *self, core_slot *slot) {
    const size_t place = slot->place;
    sb_error error;
    sb_results_put(&self->results, place, &slot->tape, &slot->failure);
    sb_run_count(&self->watch, &self->results.episodes[place]);
    atomic_fetch_add(&self->done, 1);
    return !self->has_output ||
           sb_run_journal_add(&self->resume.journal, place, &self->results.episodes[place], &error) ||
           (core_raise(self->core, &error), false);
}

/* Moves the actions, one for each slot, to where they are taken. */
static bool read_actions(const some_slots *some, PyObject *actions) {
    const Py_ssize_t n = PyList_Size(actions);
    if (n < 0) return false;
    if ((size_t)n != some->n) return PyErr_SetString(PyExc_ValueError, "one action for each slot"), false;
    for (Py_ssize_t i = 0; i < n; i++) {
        some->slots[i]->action = (sb_action)PyLong_AsLong(PyList_GetItem(actions, i));
        if (PyErr_Occurred()) return false;
    }
    return true;
}

static PyObject *step(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject *list, *actions, *numbers = NULL;
    some_slots some;
    sb_error error;
    if (!PyArg_ParseTuple(arguments, "OO:step", &list, &actions) || !list_slots(self, list, true, &some)) return NULL;
    bool ok = read_actions(&some, actions);
    if (ok && some.n == 1) {
        ok = step_episode(self, some.slots[0], &error) || (core_raise(self->core, &error), false);
    } else if (ok) {
        Py_BEGIN_ALLOW_THREADS;
        ok = work_on_all(&some, step_episode, &error);
        Py_END_ALLOW_THREADS;
        if (!ok) core_raise(self->core, &error);
    }
    for (size_t i = 0; ok && i < some.n; i++)
        if (!some.slots[i]->runs) ok = keep(self, some.slots[i]);
    if (ok) numbers = atomic_load(&self->stops) ? PyList_New(0) : numbers_of_running(&some);
    PyMem_Free(some.slots);
    return numbers;
}

static PyObject *lose(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject *number;
    const char *kind, *text;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(arguments, "Osy#:lose", &number, &kind, &text, &n)) return NULL;
    core_slot *slot = running_slot(self, number);
    if (!slot) return NULL;
    fail(slot, strcmp(kind, sb_failure_names[SB_FAILED_CRASH]) == 0 ? SB_FAILED_CRASH : SB_FAILED_NONSENSE, text);
    slot->runs = false;
    sb_tape_finish(&slot->tape, slot->env);
    if (!keep(self, slot)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *place(PyObject *object, PyObject *number) {
    core_evaluation *self = (core_evaluation *)object;
    const core_slot *slot = running_slot(self, number);
    char name[SB_NAME_MAX];
    if (!slot) return NULL;
    sb_name_print(&slot->env->name, name, sizeof name);
    return PyUnicode_FromFormat("in %s, step %d", name, (int)slot->env->status.steps);
}

/* ---- What comes of it ---- */

static bool print_document(core_evaluation *self, sb_out *out, sb_error *error) {
    const sb_agent_kind kind = self->results.kind;
    const sb_result_context context = {.spec = self->options.spec,
                                       .limits = kind == SB_AGENT_EXEC || kind == SB_AGENT_PYTHON ? &self->options
                                                                                                  : NULL,
                                       .selection = self->selected.data,
                                       .baseline = &self->baseline};
    return sb_results_certify(&self->results, core_bytes_text(self->certificates), error) &&
           sb_result_print(&self->results, &context, true, out, error) &&
           (!self->has_output || sb_run_journal_conclude(&self->resume.journal, out, error));
}

static PyObject *document(PyObject *object, PyObject *none) {
    core_evaluation *self = (core_evaluation *)object;
    sb_out out = sb_out_growing();
    sb_error error;
    (void)none;
    const bool whole = self->spec && atomic_load(&self->done) == sb_plays_count(&self->plays, self->selection.n);
    if (!whole && self->watch.why.code != SB_OK) return core_raise(self->core, &self->watch.why);
    if (!whole) return core_refuse(self->core, "Error", "not all episodes were played");
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = print_document(self, &out, &error);
    Py_END_ALLOW_THREADS;
    PyObject *bytes = ok ? PyBytes_FromStringAndSize(out.data, (Py_ssize_t)out.size) : core_raise(self->core, &error);
    sb_out_free(&out);
    return bytes;
}

/* Leaves what was played to be resumed; after the document there is nothing to leave. */
static PyObject *leave(PyObject *object, PyObject *none) {
    (void)none;
    sb_resume_close(&((core_evaluation *)object)->resume);
    Py_RETURN_NONE;
}

static PyObject *get_done(PyObject *object, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(atomic_load(&((core_evaluation *)object)->done));
}

static PyObject *get_total(PyObject *object, void *closure) {
    (void)closure;
    const core_evaluation *self = (core_evaluation *)object;
    return PyLong_FromSize_t(sb_plays_count(&self->plays, self->selection.n));
}

static PyMethodDef methods[] = {
    {"play", play, METH_VARARGS,
     "play($self, spec, jobs, salt, steps, /)\n--\n\nLets an agent of the library play every episode."},
    {"limit", limit, METH_VARARGS, "limit($self, seconds, cost, lost, /)\n--\n\nWhat ends the run early; 0: no limit."},
    {"stop", stop, METH_NOARGS, "stop($self, /)\n--\n\nEnds play soon, from any thread."},
    {"seat", seat, METH_VARARGS,
     "seat($self, spec, slots, jobs, stacked, obs, pad, salt, steps, /)\n--\n\nMakes ready for a function."},
    {"begin", begin, METH_O,
     "begin($self, slots, /)\n--\n\nBegins the next episodes; returns the slots that have one."},
    {"show", show, METH_O, "show($self, slot, /)\n--\n\nThe observation and the info."},
    {"read", read_action, METH_VARARGS, "read($self, slot, action, /)\n--\n\nThe action's number, or an exception."},
    {"step", step, METH_VARARGS, "step($self, slots, actions, /)\n--\n\nReturns the slots whose episodes go on."},
    {"lose", lose, METH_VARARGS, "lose($self, slot, kind, text, /)\n--\n\nEnds an episode by what went wrong."},
    {"place", place, METH_O, "place($self, slot, /)\n--\n\nWhich episode and step it is, in words."},
    {"leave", leave, METH_NOARGS, "leave($self, /)\n--\n\nCloses the output, with what was played."},
    {"document", document, METH_NOARGS, "document($self, /)\n--\n\nThe result, as bytes."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {{"done", get_done, NULL, "Episodes that were played.", NULL},
                                   {"total", get_total, NULL, "Episodes that there are.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, make},
                              {Py_tp_init, init},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_doc, "The episodes of an evaluation, and who plays them."},
                              {0, NULL}};

PyType_Spec core_evaluation_spec = {.name = "seedbed._seedbed.EvaluationCore",
                                    .basicsize = sizeof(core_evaluation),
                                    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                    .slots = slots};
