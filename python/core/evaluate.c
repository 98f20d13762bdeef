/* EvaluationCore: the episodes of a selection, played by an agent of the library or by a function of Python, and the
 * document that comes of it. */
#include "python/core/evaluate.h"

#include "base/error.h"
#include "base/signals.h"
#include "cli/output.h"
#include "cli/programs.h"
#include "evaluation/estimates.h"
#include "evaluation/selected.h"
#include "python/core/objects.h"
#include "rollout/packs.h"

/* ---- Which episodes ---- */

static bool select_requested(core_evaluation *self, cJSON *object, sb_error *error) {
    sb_selected selected = {0};
    const bool ok = sb_selected_read_request(self->catalogue, object, false, SB_SELECTION_MAX, &selected,
                                             &self->selected, error);
    self->selection = selected.selection, self->plan = selected.plan;
    return ok;
}

static bool select_packed(core_evaluation *self, const sb_json_part *document, sb_error *error) {
    sb_pack pack = {0};
    const bool ok = sb_pack_read(&pack, document, error) &&
                    sb_select_verified_pack(self->catalogue, &pack, &self->selection, error) &&
                    sb_pack_check_worlds(self->catalogue, &pack, error);
    if (ok) sb_selected_print_pack(&pack, &self->selected);
    sb_pack_clear(&pack);
    return ok;
}

/* Reads a selection: the members of a request, or `pack` with a pack's document, as results tell it; or a pack's
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

static bool bring_challenges(core_evaluation *self, const char *path, sb_error *error) {
    if (!path && !self->core->catalogue) return true;
    return (self->catalogue = core_new_catalogue(self->core, error)) &&
           core_bring_programs(self->core->catalogue, self->catalogue, error) &&
           (!path || cli_catalogue_add_pack(self->catalogue, path, NULL, error));
}

/* Reads everything that the evaluation needs, so that what would fail in the end fails before hours of play. */
static bool read_all(core_evaluation *self, const char *selection, size_t n, const char *challenges,
                     const char *baseline, const char *output, sb_resume_how how, sb_error *error) {
    sb_results none = {0};
    self->has_output = output;
    return bring_challenges(self, challenges, error) && read_selection(self, selection, n, error) &&
           sb_baseline_load(&self->baseline, baseline, error) &&
           sb_results_certify(&none, core_bytes_text(self->certificates), error) &&
           (!output || sb_resume_open(&self->resume, output, how, self->catalogue, cli_now, error));
}

/* Reads how to go on with what is at the output's path. */
static bool read_how(core_evaluation *self, const char *said, sb_resume_how *how) {
    static const char *const words[] = {"anew", "force", "resume", "retry"};
    size_t index;
    if (!sb_find_word(words, 4, said, &index)) return core_refuse(self->core, "InvalidError", "how: unknown"), false;
    *how = (sb_resume_how)index;
    return true;
}

/* Reads what is told about the agent, which has to be an object. */
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
    static char *names[] = {"selection", "baseline", "certificates", "label",      "output", "how",
                            "attempts",  "shard",    "about",        "challenges", NULL};
    core_evaluation *self = (core_evaluation *)object;
    const char *selection, *label = NULL, *said = "anew", *shard = NULL, *about = NULL;
    Py_ssize_t n, attempts = 1;
    PyObject *baseline = Py_None, *certificates = Py_None, *output = Py_None, *challenges = Py_None, *path = NULL,
             *to = NULL, *from = NULL;
    sb_resume_how how;
    sb_error error;
    if (!core_parse_keywords(positional, keywords, "s#|OOzOsnzzO:EvaluationCore", names, &selection, &n, &baseline,
                             &certificates, &label, &output, &said, &attempts, &shard, &about, &challenges))
        return -1;
    if (self->is_made) return core_refuse(self->core, "Error", "an evaluation is made once"), -1;
    self->is_made = true;
    if (attempts < 1 || attempts > SB_ATTEMPTS_MAX)
        return core_refuse(self->core, "InvalidError", "attempts is from 1 to %d", SB_ATTEMPTS_MAX), -1;
    self->plays.attempts = (size_t)attempts;
    if (!read_how(self, said, &how) || !read_shard(self, shard) || !read_about(self, about)) return -1;
    if (label && !sb_agent_name(self->label, label, &error)) return core_raise(self->core, &error), -1;
    if (!core_read_path(baseline, &path) || !core_read_path(certificates, &self->certificates) ||
        !core_read_path(output, &to) || !core_read_path(challenges, &from))
        return Py_XDECREF(path), Py_XDECREF(to), -1;
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = read_all(self, selection, (size_t)n, core_bytes_text(from), core_bytes_text(path), core_bytes_text(to), how,
                  &error);
    Py_END_ALLOW_THREADS;
    Py_XDECREF(path), Py_XDECREF(to), Py_XDECREF(from);
    return ok ? 0 : (core_raise(self->core, &error), -1);
}

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    (void)positional, (void)keywords;
    core_evaluation *self = core_new(type);
    if (!self) return NULL;
    self->selected = sb_out_growing();
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

static void dealloc(PyObject *object) {
    core_evaluation *self = (core_evaluation *)object;
    PyObject_GC_UnTrack(object);
    clear(object);
    for (size_t i = 0; i < self->n_slots; i++) core_slot_free(&self->slots[i]);
    PyMem_Free(self->slots);
    Py_XDECREF(self->certificates), Py_XDECREF(self->spec), Py_XDECREF(self->salt_text), Py_XDECREF(self->about),
        Py_XDECREF(self->instructions);
    sb_resume_close(&self->resume);
    sb_results_free(&self->results);
    sb_baseline_free(&self->baseline);
    sb_out_free(&self->selected);
    sb_selection_free(&self->selection);
    sb_eval_budget_free(&self->plan);
    sb_catalogue_free(self->catalogue);
    cJSON_Delete((cJSON *)(uintptr_t)self->testing.instructions);
    pthread_mutex_destroy(&self->mutex);
    core_delete(object);
}

bool core_note_agent(core_evaluation *self, const char *spec, const char *salt, unsigned long long steps) {
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
                                       .interaction = self->testing.interaction,
                                       .frames = self->testing.frames,
                                       .instructions = core_bytes_text(self->instructions),
                                       .now = cli_now};
    return true;
}

/* ---- Agents of the library ---- */

static bool goes_on(void *context, sb_error *error) {
    core_evaluation *self = context;
    return !atomic_load(&self->stops) || sb_fail(error, SB_INVALID, "the evaluation was stopped");
}

/* Notes the process that watches over programs, so that `stop` need not wait for a program's answer. 0: it goes. */
static void note_guard(void *context, pid_t guard) {
    core_evaluation *self = context;
    pthread_mutex_lock(&self->mutex);
    self->guard = guard;
    if (guard && atomic_load(&self->stops)) kill(guard, SIGKILL);
    pthread_mutex_unlock(&self->mutex);
}

static void count(void *context, size_t done, size_t total) {
    (void)total;
    atomic_store(&((core_evaluation *)context)->done, done);
}

bool core_take_up(core_evaluation *self, sb_error *error) {
    if (!self->has_output) return true;
    const bool ok = sb_resume_begin(&self->resume, self->options.spec, &self->options, self->selected.data,
                                    &self->selection, &self->results, error);
    atomic_store(&self->done, sb_results_done(&self->results));
    return ok;
}

/* Warns in the thread that opens the agent. A warning that is made an exception is printed: nobody here can catch it.
 */
static void warn(void *context, const char *text) {
    core_evaluation *self = context;
    PyEval_RestoreThread(self->thread);
    if (PyErr_WarnEx(PyExc_RuntimeWarning, text, 1) < 0) PyErr_WriteUnraisable((PyObject *)self);
    self->thread = PyEval_SaveThread();
}

static bool play_agent(core_evaluation *self, sb_error *error) {
    sb_agent agent;
    if (!sb_agent_open(&agent, &self->options, &self->selection, error)) return note_guard(self, 0), false;
    if (*self->label) strcpy(agent.label, self->label);
    const sb_evaluation evaluation = {.selection = &self->selection,
                                      .due = sb_eval_budget_due,
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
    bool ok = sb_evaluation_begin(&evaluation, &self->results, error);
    sb_results_plan(&self->results, &self->plan);
    ok = ok && core_take_up(self, error) && sb_evaluate_rest(&evaluation, &self->results, error);
    note_guard(self, 0);
    sb_agent_close(&agent);
    return ok;
}

/* Lets the agent play without SIGPIPE: a program that no longer reads is no accident, whatever the process makes of
 * that signal. It is for the thread that writes, so it is held back in this one and in those that it starts. */
static bool play_without_signals(core_evaluation *self, sb_error *error) {
    sigset_t before;
    sb_hold_sigpipe(&before);
    const bool ok = play_agent(self, error);
    sb_release_sigpipe(&before);
    return ok;
}

static const char what[] = "this evaluation is";

static PyObject *play(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    const char *spec, *salt;
    Py_ssize_t jobs;
    unsigned long long steps;
    sb_error error;
    if (!core_parse(arguments, "snzK:play", &spec, &jobs, &salt, &steps) || !core_note_agent(self, spec, salt, steps))
        return NULL;
    if (jobs < 0) return core_refuse(self->core, "InvalidError", "jobs is 0 (one for each processor) or more");
    if (!core_take(&self->in_use, what)) return NULL;
    self->jobs = (size_t)jobs;
    self->options.note = warn, self->options.guarded = note_guard, self->options.note_context = self;
    self->thread = PyEval_SaveThread();
    const bool ok = play_without_signals(self, &error);
    PyEval_RestoreThread(self->thread);
    core_give_back(&self->in_use);
    if (!ok) return core_raise(self->core, &error);
    Py_RETURN_NONE;
}

/* Reads a limit; None leaves it as it is. */
static bool read_limit(core *c, const char *what, PyObject *given, double *limit) {
    sb_error error;
    if (given == Py_None) return true;
    *limit = PyFloat_AsDouble(given);
    if (*limit == -1 && PyErr_Occurred()) return false;
    return sb_run_limit_check(what, *limit, &error) || (core_raise(c, &error), false);
}

/* Sets what ends the run early: hours, cost, and losses in a row. */
static PyObject *limit(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    sb_run_limits *limits = &self->watch.limits;
    PyObject *hours, *cost;
    unsigned long long lost;
    double given = 0;
    if (!core_parse(arguments, "OOK:limit", &hours, &cost, &lost)) return NULL;
    if (!read_limit(self->core, "hours", hours, &given) || !read_limit(self->core, "max_cost", cost, &limits->cost))
        return NULL;
    limits->seconds = 3600 * given, limits->lost_in_a_row = lost;
    Py_RETURN_NONE;
}

/* Sets how tests are played: steps of interaction, frames that an action shows, and texts by kind, as JSON. */
static PyObject *test(PyObject *object, PyObject *arguments) {
    core_evaluation *self = (core_evaluation *)object;
    unsigned long long interaction, frames;
    const char *texts;
    sb_error error;
    if (!core_parse(arguments, "KKz:test", &interaction, &frames, &texts)) return NULL;
    if (frames > SB_FRAMES_MAX)
        return core_refuse(self->core, "InvalidError", "frames_per_action is from 1 to %d", SB_FRAMES_MAX);
    self->testing.interaction = interaction, self->testing.frames = frames;
    if (!texts || self->instructions) Py_RETURN_NONE;
    if (!(self->testing.instructions = sb_instructions_parse(texts, strlen(texts), &error)))
        return core_raise(self->core, &error);
    if (!(self->instructions = PyBytes_FromString(texts))) return NULL;
    Py_RETURN_NONE;
}

static PyObject *stop(PyObject *object, PyObject *none) {
    core_evaluation *self = (core_evaluation *)object;
    (void)none;
    pthread_mutex_lock(&self->mutex);
    atomic_store(&self->stops, true);
    if (self->guard) kill(self->guard, SIGKILL); /* without its guard, all programs of the agent are ended */
    pthread_mutex_unlock(&self->mutex);
    Py_RETURN_NONE;
}

/* ---- What comes of it ---- */

static bool print_document(core_evaluation *self, sb_out *out, sb_error *error) {
    const sb_agent_kind kind = self->results.kind;
    const sb_result_context context = {.spec = self->options.spec,
                                       .limits = sb_agent_is_process(kind) || kind == SB_AGENT_PYTHON ? &self->options
                                                                                                      : NULL,
                                       .selection = self->selected.data,
                                       .baseline = &self->baseline};
    return sb_results_certify(&self->results, core_bytes_text(self->certificates), error) &&
           sb_result_print(&self->results, &context, true, out, error) &&
           (!self->has_output || sb_run_journal_conclude(&self->resume.journal, out, error));
}

static bool is_whole(const core_evaluation *self) {
    sb_error error;
    size_t due;
    return self->spec && sb_eval_budget_due(&self->results, &due, &error) && due == sb_results_done(&self->results);
}

static PyObject *document(PyObject *object, PyObject *none) {
    core_evaluation *self = (core_evaluation *)object;
    sb_out out = sb_out_growing();
    sb_error error;
    (void)none;
    const bool whole = is_whole(self);
    if (!whole && self->watch.why.code != SB_OK) return core_raise(self->core, &self->watch.why);
    if (!whole) return core_refuse(self->core, "Error", "not all episodes were played");
    if (!core_take(&self->in_use, what)) return NULL;
    bool ok;
    Py_BEGIN_ALLOW_THREADS;
    ok = print_document(self, &out, &error);
    Py_END_ALLOW_THREADS;
    core_give_back(&self->in_use);
    if (ok) return core_written_bytes(&out);
    sb_out_free(&out);
    return core_raise(self->core, &error);
}

/* Closes the journal, and so leaves what was played to be resumed; after the document there is nothing to leave. */
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
    {"limit", limit, METH_VARARGS,
     "limit($self, hours, cost, lost, /)\n--\n\nWhat ends the run early; None: no limit."},
    {"test", test, METH_VARARGS,
     "test($self, interaction, frames, instructions, /)\n--\n\nHow tests are played; 0 and None: as the tasks say."},
    {"stop", stop, METH_NOARGS, "stop($self, /)\n--\n\nEnds play soon, from any thread."},
    {"seat", core_evaluation_seat, METH_VARARGS,
     "seat($self, spec, slots, jobs, stacked, obs, pad, salt, steps, /)\n--\n\nMakes ready for a function."},
    {"more", core_evaluation_more, METH_NOARGS,
     "more($self, /)\n--\n\nWhether there is a further batch to play, under a budget."},
    {"begin", core_evaluation_begin, METH_O,
     "begin($self, slots, /)\n--\n\nBegins the next episodes; returns the slots that have one."},
    {"show", core_evaluation_show, METH_O, "show($self, slot, /)\n--\n\nThe observation and the info."},
    {"read", core_evaluation_read, METH_VARARGS,
     "read($self, slot, action, /)\n--\n\nThe action's number, or an exception."},
    {"say", core_evaluation_say, METH_VARARGS,
     "say($self, slot, said, /)\n--\n\nKeeps a thought and counters, an object of JSON, with the step that comes "
     "next."},
    {"step", core_evaluation_step, METH_VARARGS,
     "step($self, slots, actions, /)\n--\n\nReturns the slots whose episodes go on."},
    {"lose", core_evaluation_lose, METH_VARARGS,
     "lose($self, slot, kind, text, /)\n--\n\nEnds an episode by what went wrong."},
    {"place", core_evaluation_place, METH_O, "place($self, slot, /)\n--\n\nWhich episode and step it is, in words."},
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
