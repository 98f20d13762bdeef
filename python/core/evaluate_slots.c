/* EvaluationCore for functions of Python. The glue asks the function and says here what it answered, slot by slot: a
 * slot is one of the episodes that run at the same time. */
#include "base/error.h"
#include "base/pool.h"
#include "cli/output.h"
#include "engine/environment.h"
#include "evaluation/estimates.h"
#include "python/core/actions.h"
#include "python/core/evaluate.h"

void core_slot_free(core_slot *slot) {
    sb_free(slot->env);
    sb_tape_clear(&slot->tape);
    core_look_free(slot->look);
    Py_XDECREF(slot->told), Py_XDECREF(slot->frames);
}

/* ---- Who plays ---- */

static bool needs_arrays(const core_look *look) {
    bool some = false;
    for (size_t i = 0; i < look->n_parts; i++)
        some |= look->part[i].kind == CORE_ARRAYS || look->part[i].kind == CORE_ARRAY ||
                look->part[i].kind == CORE_PIXELS || look->part[i].kind == CORE_FLAT;
    return some;
}

static core_look *look_for(core_evaluation *self, const sb_name *name) {
    return core_look_make(self->core, &(core_look_plan){name, self->obs, self->pad, .copies = true});
}

static bool refuse_mixture(core_evaluation *self, const sb_name *one, const sb_name *other) {
    core_refuse(self->core, "InvalidError",
                "arrays of %s%s%s and %s%s%s have different shapes, so they cannot be in one batch%s", one->task,
                *one->difficulty ? "/" : "", one->difficulty, other->task, *other->difficulty ? "/" : "",
                other->difficulty, strcmp(one->family, other->family) == 0 ? ": pad=\"family\" makes them equal" : "");
    return false;
}

/* Whether all episodes have the observations that are asked for, and, where these are stacked, of one shape. */
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
        ok = sb_name_shape(self->catalogue, sb_selection_name(all, i, &name), &shape, &error);
        if (!ok) core_raise(self->core, &error);
        const bool same = ok && look && look->family == family;
        if (ok && look && stacked && needs_arrays(look) && !(same && core_look_fits(look, &name)))
            ok = refuse_mixture(self, &first, &name);
        if (!ok || same) continue;
        core_look_free(look);
        look = look_for(self, &name), first = name;
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

/* Finds which places are to be played next. */
static bool find_due(core_evaluation *self, sb_error *error) {
    const sb_results *results = &self->results;
    if (!sb_eval_budget_due(results, &self->end, error)) return false;
    for (self->next = 0; self->next < self->end && results->episodes[self->next].done;) self->next++;
    return true;
}

static bool make_slots(core_evaluation *self, Py_ssize_t n) {
    sb_error error;
    if (!sb_salt_choose(self->options.salt, &self->salt, &error) ||
        !sb_results_begin(&self->results, &self->selection, &self->plays, self->label, SB_AGENT_PYTHON, &error))
        return core_raise(self->core, &error), false;
    sb_results_plan(&self->results, &self->plan);
    sb_salt_print(&self->salt, self->results.salt);
    self->results.frames = self->testing.frames;
    if (!tell_about(self, &error) || !core_take_up(self, &error) || !find_due(self, &error))
        return core_raise(self->core, &error), false;
    self->watch = sb_run_watch_of(&self->watch.limits, cli_now);
    for (size_t i = 0; i < self->results.n; i++) sb_run_count_before(&self->watch, &self->results.episodes[i]);
    self->slots = PyMem_Calloc((size_t)n, sizeof *self->slots);
    if (!self->slots) return PyErr_NoMemory(), false;
    self->n_slots = (size_t)n;
    return true;
}

PyObject *core_evaluation_seat(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    const char *spec, *salt;
    Py_ssize_t slots, jobs;
    int stacked;
    unsigned long long steps;
    PyObject *obs, *pad;
    if (!core_parse(arguments, "snnpOOzK:seat", &spec, &slots, &jobs, &stacked, &obs, &pad, &salt, &steps)) return NULL;
    if (slots < 1 || jobs < 0) return core_refuse(self->core, "InvalidError", "at least one episode runs at a time");
    if (!core_note_agent(self, spec, salt, steps)) return NULL;
    self->jobs = jobs ? (size_t)jobs : sb_processors();
    self->obs = Py_NewRef(obs), self->pad = Py_NewRef(pad);
    if (!check_observations(self, stacked) || !make_slots(self, slots)) return NULL;
    Py_RETURN_NONE;
}

/* ---- Several slots at a time ---- */

typedef bool slot_work(core_evaluation *self, core_slot *slot, sb_error *error);

/* Some slots in a list; `slots` is the caller's to free. */
typedef struct some_slots {
    core_evaluation *self;
    core_slot **slots;
    size_t n, first; /* first: all slots before it are done */
    slot_work *work;
} some_slots;

/* The slot with that number, in use by this call from now on. Several calls may work at the same time, in threads of
 * Python's, but not on the same slot. NULL with an exception. */
static core_slot *take_slot(core_evaluation *self, PyObject *number) {
    const Py_ssize_t i = PyLong_AsSsize_t(number);
    if (PyErr_Occurred()) return NULL;
    if (i >= 0 && (size_t)i < self->n_slots)
        return core_take(&self->slots[i].in_use, "this slot is") ? &self->slots[i] : NULL;
    PyErr_SetString(PyExc_IndexError, "there is no such slot");
    return NULL;
}

static PyObject *leave_slot(core_slot *slot, PyObject *result) {
    core_give_back(&slot->in_use);
    return result;
}

static core_slot *take_running_slot(core_evaluation *self, PyObject *number) {
    core_slot *slot = take_slot(self, number);
    if (!slot || slot->runs) return slot;
    leave_slot(slot, NULL);
    return core_refuse(self->core, "FinishedError", "the slot's episode is over"), NULL;
}

static void leave_slots(some_slots *some) {
    for (size_t i = 0; i < some->n; i++) leave_slot(some->slots[i], NULL);
    PyMem_Free(some->slots);
}

static bool take_slots(core_evaluation *self, PyObject *list, bool running, some_slots *some) {
    PyObject *numbers = PySequence_Tuple(list);
    const Py_ssize_t n = numbers ? PyTuple_Size(numbers) : 0;
    *some = (some_slots){.self = self, .slots = PyMem_Malloc(((size_t)n + 1) * sizeof *some->slots)};
    bool ok = numbers && some->slots;
    if (numbers && !some->slots) PyErr_NoMemory();
    for (Py_ssize_t i = 0; ok && i < n; i++) {
        PyObject *number = PyTuple_GetItem(numbers, i);
        core_slot *slot = running ? take_running_slot(self, number) : take_slot(self, number);
        ok = slot != NULL;
        if (slot && slot->runs != running)
            leave_slot(slot, NULL);
        else if (slot)
            some->slots[some->n++] = slot;
    }
    Py_XDECREF(numbers);
    if (!ok) leave_slots(some);
    return ok;
}

/* The numbers of the slots that run. */
static PyObject *numbers_of_running(const some_slots *some) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < some->n; i++)
        if (some->slots[i]->runs) core_add(&list, PyLong_FromSsize_t(some->slots[i] - some->self->slots));
    return list;
}

enum { BLOCK = 16 /* slots that are worth a task for a thread */ };

/* Seconds of work that are worth threads: a pool makes its threads anew each time. */
static const double worth_threads = 2e-4;

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

/* Works on all slots. What is done to one slot depends on no other, so how many threads there are makes no difference.
 * The first block tells whether threads are worth their start: for most steps they are not. */
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

/* ---- Beginning episodes ---- */

static bool begin_episode(core_evaluation *self, core_slot *slot, sb_error *error) {
    sb_name name;
    if (!slot->env) slot->env = sb_make(self->catalogue, NULL, error);
    const size_t episode = sb_plays_at(&self->plays, slot->place, &slot->attempt);
    sb_selection_name(&self->selection, episode, &name);
    if (!slot->env || !sb_reset_name(slot->env, &name, error)) return false;
    sb_tape_begin(&slot->tape, slot->env, "python");
    slot->failure = (sb_failure){0}, slot->reward = 0;
    return true;
}

/* Adds `instructions` to what is told, if the episode is a test. */
static void tell_instructions(const core_evaluation *self, const sb_env *env, PyObject **told) {
    sb_out text = sb_out_growing();
    sb_puts(&text, "{");
    sb_member_instructions(&text, &self->testing, env);
    sb_puts(&text, "}");
    PyObject *more = sb_out_ok(&text) ? core_document(self->core, text.data, text.size) : PyErr_NoMemory();
    if (!more || PyDict_Update(*told, more) < 0) Py_CLEAR(*told);
    Py_XDECREF(more);
    sb_out_free(&text);
}

static PyObject *tell_episode(core_evaluation *self, const core_slot *slot) {
    const sb_env *env = slot->env;
    const char *difficulty = env->name.difficulty;
    core *c = self->core;
    PyObject *told = PyDict_New();
    (void)(told && core_put_text(c, &told, "task", PyUnicode_FromString(env->task->name)) &&
           core_put_text(c, &told, "difficulty", *difficulty ? PyUnicode_FromString(difficulty) : Py_NewRef(Py_None)) &&
           core_put_text(c, &told, "category", PyUnicode_FromString(env->task->category)) &&
           core_put_text(c, &told, "summary", PyUnicode_FromString(env->task->summary)) &&
           core_put_text(c, &told, "max_steps", PyLong_FromLong(env->status.max_steps)) &&
           core_put_text(c, &told, "random_seed",
                         PyLong_FromLong((long)sb_salted_number(&self->salt, &env->name, slot->attempt))) &&
           core_put_text(c, &told, "slot", PyLong_FromSsize_t(slot - self->slots)));
    if (told) tell_instructions(self, env, &told);
    return told;
}

/* Prepares what is shown of an episode that has just begun. */
static bool prepare(core_evaluation *self, core_slot *slot) {
    core_look *look = slot->look;
    if (!look || look->family != slot->env->family || !core_look_fits(look, &slot->env->name)) {
        core_look_free(look);
        slot->look = look_for(self, &slot->env->name);
    }
    Py_XDECREF(slot->told);
    Py_CLEAR(slot->frames);
    slot->told = slot->look ? tell_episode(self, slot) : NULL;
    return slot->runs = slot->told != NULL;
}

/* Finds more places to play. A batch that did not come to its end was stopped, and nothing follows. */
PyObject *core_evaluation_more(PyObject *object, PyObject *none) {
    core_evaluation *self = (core_evaluation *)object;
    const size_t before = self->end;
    sb_error error;
    (void)none;
    if (!find_due(self, &error)) return core_raise(self->core, &error);
    if (self->next == self->end) sb_results_cut(&self->results, self->end);
    return PyBool_FromLong(self->next < self->end && self->end > before);
}

PyObject *core_evaluation_begin(PyObject *object, PyObject *list) {
    core_evaluation *self = (core_evaluation *)object;
    some_slots some;
    sb_error error;
    const bool is_half_made = self->watch.limits.seconds > 0 && !self->watch.now; /* `init` failed */
    const bool stops = atomic_load(&self->stops) || is_half_made || !sb_run_goes_on(&self->watch, &error);
    if (!take_slots(self, list, false, &some)) return NULL;
    size_t n = 0;
    for (; n < some.n && self->next < self->end && !stops; self->next++)
        if (!self->results.episodes[self->next].done) some.slots[n++]->place = self->next;
    for (size_t i = n; i < some.n; i++) leave_slot(some.slots[i], NULL);
    some.n = n;
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = work_on_all(&some, begin_episode, &error);
    Py_END_ALLOW_THREADS;
    if (!ok) core_raise(self->core, &error);
    for (size_t i = 0; ok && i < n; i++) ok = prepare(self, some.slots[i]);
    PyObject *numbers = ok ? numbers_of_running(&some) : NULL;
    leave_slots(&some);
    return numbers;
}

/* ---- What functions see ---- */

static PyObject *tell_state(core_evaluation *self, const core_slot *slot) {
    const sb_status *status = &slot->env->status;
    core *c = self->core;
    PyObject *info = PyDict_Copy(slot->told);
    (void)(info && core_put_text(c, &info, "step", PyLong_FromLong(status->steps)) &&
           core_put_text(c, &info, "reward", PyFloat_FromDouble(slot->reward)) &&
           core_put_text(c, &info, "valid_actions", core_valid_entries(slot->env)) &&
           core_put_text(c, &info, "valid_names", core_valid_entry_names(slot->env)) &&
           core_put_text(c, &info, "begins", PyBool_FromLong(status->steps == 0)));
    if (info && status->steps) core_put_text(c, &info, "success", PyBool_FromLong(status->success));
    if (info && slot->frames) core_put_text(c, &info, "frames", Py_NewRef(slot->frames));
    return info;
}

PyObject *core_evaluation_show(PyObject *object, PyObject *number) {
    core_evaluation *self = (core_evaluation *)object;
    core_slot *slot = take_running_slot(self, number);
    if (!slot) return NULL;
    PyObject *observation = core_observe(slot->look, slot->env);
    PyObject *info = observation ? tell_state(self, slot) : NULL;
    leave_slot(slot, NULL);
    if (!info) return Py_XDECREF(observation), NULL;
    return Py_BuildValue("(NN)", observation, info);
}

/* ---- What they do ---- */

PyObject *core_evaluation_read(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject *number, *value;
    sb_action action;
    if (!core_parse(arguments, "OO:read", &number, &value)) return NULL;
    core_slot *slot = take_running_slot(self, number);
    if (!slot) return NULL;
    const bool ok = core_read_action(self->core, slot->env, value, &action);
    return leave_slot(slot, ok ? PyLong_FromLong(action) : NULL);
}

/* Reads an answer as a program's reply, so the same rules hold. */
static bool say(core_slot *slot, const char *text, size_t n, sb_error *error) {
    sb_reply reply = {0};
    cJSON *object = sb_reply_parse(text, n, error);
    bool ok = object && sb_reply_read_said(object, &reply, error);
    ok = ok && sb_said_add(&slot->tape.said, slot->tape.n, reply.thought, reply.thought ? strlen(reply.thought) : 0,
                           &reply.counters, error);
    cJSON_Delete(object);
    return ok;
}

PyObject *core_evaluation_say(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject *number;
    const char *text;
    Py_ssize_t n;
    sb_error error;
    if (!core_parse(arguments, "Oy#:say", &number, &text, &n)) return NULL;
    core_slot *slot = take_running_slot(self, number);
    if (!slot) return NULL;
    const bool ok = say(slot, text, (size_t)n, &error);
    return leave_slot(slot, ok ? Py_NewRef(Py_None) : core_raise(self->core, &error));
}

static void fail(core_slot *slot, sb_failure_kind kind, const char *text) {
    slot->failure.kind = kind;
    sb_copy_plain(slot->failure.text, sizeof slot->failure.text, text);
}

/* Keeps the frame that is shown now, with the action that led to it. False with an exception. */
static bool keep_frame(core_evaluation *self, core_slot *slot, sb_action action) {
    core *c = self->core;
    char name[64];
    PyObject *frame = PyDict_New();
    sb_action_name(slot->env, action, name, sizeof name);
    (void)(frame && core_put_text(c, &frame, "steps", PyLong_FromLong(slot->env->status.steps)) &&
           core_put_text(c, &frame, "action", PyUnicode_FromString(name)) &&
           core_put_text(c, &frame, "observation", core_observe(slot->look, slot->env)));
    if (!slot->frames && !(slot->frames = PyList_New(0))) return Py_XDECREF(frame), false;
    return core_add(&slot->frames, frame);
}

/* Takes the slot's action, and the steps that tests add to it. */
static bool take_turn(core_evaluation *self, core_slot *slot, sb_error *error) {
    sb_turn turn = sb_turn_of(&self->testing, slot->env, slot->action);
    sb_action next, last = slot->action;
    sb_result result;
    sb_error why;
    slot->reward = 0;
    for (; slot->tape.n != self->options.steps || !slot->tape.n; last = next) {
        if (!sb_turn_next(&turn, &next)) break;
        if (turn.taken > 1 && !keep_frame(self, slot, last)) return false;
        if (!sb_step(slot->env, next, &result, &why)) return fail(slot, SB_FAILED_NONSENSE, why.text), true;
        slot->reward += result.reward;
        if (!sb_tape_append(&slot->tape, next, error)) return false;
    }
    return true;
}

/* Takes a step in a slot. Its episode runs no more if it is over, or if something was wrong. */
static bool step_episode(core_evaluation *self, core_slot *slot, sb_error *error) {
    sb_error why;
    if (!take_turn(self, slot, error)) return false;
    if (!slot->failure.kind && !slot->env->status.done && slot->tape.n == self->options.steps) {
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
static bool read_actions(const some_slots *some, PyObject *list) {
    PyObject *actions = PySequence_Tuple(list);
    bool ok = actions != NULL;
    if (ok && (size_t)PyTuple_Size(actions) != some->n)
        ok = false, PyErr_SetString(PyExc_ValueError, "one action for each slot");
    for (size_t i = 0; ok && i < some->n; i++) {
        long action;
        ok = core_read_number(some->self->core, PyTuple_GetItem(actions, (Py_ssize_t)i), 0, INT32_MAX,
                              "actions are whole numbers", &action);
        some->slots[i]->action = (sb_action)action;
    }
    Py_XDECREF(actions);
    return ok;
}

static bool step_all(core_evaluation *self, some_slots *some) {
    sb_error error;
    bool ok;
    const bool keeps_frames = self->testing.frames > 1 || self->testing.interaction;
    for (size_t i = 0; i < some->n; i++) Py_CLEAR(some->slots[i]->frames);
    if (some->n == 1 || keeps_frames) {
        ok = true;
        for (size_t i = 0; ok && i < some->n; i++) ok = step_episode(self, some->slots[i], &error);
    } else {
        Py_BEGIN_ALLOW_THREADS;
        ok = work_on_all(some, step_episode, &error);
        Py_END_ALLOW_THREADS;
    }
    if (!ok && !PyErr_Occurred()) core_raise(self->core, &error);
    return ok;
}

PyObject *core_evaluation_step(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject *list, *actions, *numbers = NULL;
    some_slots some;
    if (!core_parse(arguments, "OO:step", &list, &actions) || !take_slots(self, list, true, &some)) return NULL;
    bool ok = read_actions(&some, actions) && step_all(self, &some);
    for (size_t i = 0; ok && i < some.n; i++)
        if (!some.slots[i]->runs) ok = keep(self, some.slots[i]);
    if (ok) numbers = atomic_load(&self->stops) ? PyList_New(0) : numbers_of_running(&some);
    leave_slots(&some);
    return numbers;
}

PyObject *core_evaluation_lose(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject *number;
    const char *kind, *text;
    Py_ssize_t n;
    if (!core_parse(arguments, "Osy#:lose", &number, &kind, &text, &n)) return NULL;
    core_slot *slot = take_running_slot(self, number);
    if (!slot) return NULL;
    fail(slot, strcmp(kind, sb_failure_names[SB_FAILED_CRASH]) == 0 ? SB_FAILED_CRASH : SB_FAILED_NONSENSE, text);
    slot->runs = false;
    sb_tape_finish(&slot->tape, slot->env);
    return leave_slot(slot, keep(self, slot) ? Py_NewRef(Py_None) : NULL);
}

PyObject *core_evaluation_place(PyObject *object, PyObject *number) {
    core_evaluation *self = (core_evaluation *)object;
    core_slot *slot = take_running_slot(self, number);
    char name[SB_NAME_MAX];
    if (!slot) return NULL;
    sb_name_print(&slot->env->name, name, sizeof name);
    return leave_slot(slot, PyUnicode_FromFormat("in %s, step %d", name, (int)slot->env->status.steps));
}
