/* Oracles as policies: hints of an environment, and players, which remember what they were shown. */
#include <stdio.h>
#include <stdlib.h>

#include "oracles/costs.h"
#include "python/core/env.h"
#include "python/core/objects.h"

/* Reads the budget of states. None: the default. */
static bool read_budget(core *c, PyObject *value, uint64_t *states) {
    *states = 0;
    if (value == Py_None) return true;
    if (!core_seed(c, value, "budget", states)) return false;
    if (*states > 0) return true;
    core_refuse(c, "InvalidError", "budget is a number of states, 1 at least");
    return false;
}

/* Checks the length of an agent's name. NULL: the default. */
static bool read_agent_name(core *c, const char *agent) {
    if (!agent || strlen(agent) < sizeof((sb_player *)0)->own) return true;
    core_refuse(c, "UnknownError", "there is no agent `%.40s`", agent);
    return false;
}

/* What the player has just said, with what it is up to, as a Hint. */
static PyObject *hint_of(core *c, const sb_env *env, const sb_player *player, sb_action action) {
    const sb_intent *intent = &player->intent;
    const bool has_place = intent->verb && intent->at.x >= 0;
    const char *object = intent->verb && *intent->object ? intent->object : NULL;
    PyObject *fields = Py_BuildValue("(iNszzN)", action, core_action_name(c, env, action), player->own, intent->verb,
                                     object, has_place ? core_cell(intent->at) : Py_NewRef(Py_None));
    return core_named_tuple(c, CORE_HINT, fields);
}

/* ---- Hints ---- */

/* Begins the player of hints. It is kept from one hint to the next in the same episode, so that who plans an episode
 * plans it once. Who remembers begins anew for every hint: it has not seen what was played. */
static bool begin_asked(core_env *self, const char *agent, uint64_t budget, sb_error *error) {
    sb_player *player = &self->player;
    if (!agent) agent = sb_default_agent(&self->env->name);
    const bool is_same = self->is_asked && strcmp(player->own, agent) == 0 && self->budget == budget;
    const bool is_fit = player->random ? self->drawn <= self->env->status.steps
                                       : !player->oracle || !player->oracle->remembers;
    if (is_same && is_fit) return true;
    if (self->budget != budget) sb_player_clear(player); /* a plan that it kept was made with the other budget */
    snprintf(player->own, sizeof player->own, "%s", agent);
    self->is_asked = false, self->drawn = 0;
    self->budget = player->states = budget;
    return self->is_asked = sb_player_begin_as(player, player->own, self->env, error);
}

/* Lets the player of hints act. The random agent says what it would take in this step if it had played from the
 * beginning. */
static sb_action act_as_asked(core_env *self) {
    while (self->player.random && self->drawn++ < self->env->status.steps) sb_player_act(&self->player, self->env);
    return sb_player_act(&self->player, self->env);
}

/* Asks for a hint, and lets other Python threads run meanwhile. */
static bool ask(core_env *self, const char *agent, uint64_t budget, sb_action *action) {
    sb_error error;
    if (!core_env_is_running(self)) return false;
    PyThreadState *thread = PyEval_SaveThread();
    const bool ok = begin_asked(self, agent, budget, &error);
    if (ok) *action = act_as_asked(self);
    PyEval_RestoreThread(thread);
    if (!ok) core_raise(self->core, &error);
    return ok;
}

static bool read_question(core_env *self, PyObject *positional, PyObject *keywords, const char *format,
                          const char **agent, uint64_t *budget) {
    static char *names[] = {"agent", "budget", NULL};
    PyObject *states = Py_None;
    *agent = NULL;
    return core_parse_keywords(positional, keywords, format, names, agent, &states) &&
           read_agent_name(self->core, *agent) && read_budget(self->core, states, budget);
}

PyObject *core_env_expert_action(PyObject *object, PyObject *positional, PyObject *keywords) {
    core_env *self = (core_env *)object;
    const char *agent;
    uint64_t budget;
    sb_action action;
    if (!read_question(self, positional, keywords, "|zO:expert_action", &agent, &budget) || !core_env_enter(self))
        return NULL;
    return core_env_leave(self, ask(self, agent, budget, &action) ? PyLong_FromLong(action) : NULL);
}

PyObject *core_env_hint(PyObject *object, PyObject *positional, PyObject *keywords) {
    core_env *self = (core_env *)object;
    const char *agent;
    uint64_t budget;
    sb_action action;
    if (!read_question(self, positional, keywords, "|zO:hint", &agent, &budget) || !core_env_enter(self)) return NULL;
    const bool ok = ask(self, agent, budget, &action);
    return core_env_leave(self, ok ? hint_of(self->core, self->env, &self->player, action) : NULL);
}

/* ---- Player ---- */

typedef struct core_player {
    PyObject_HEAD core *core;
    sb_player player;
    sb_costs *costs;  /* costs by the player's oracle; made at the first use */
    uint64_t episode; /* the episode that the player began with; 0: none */
    atomic_bool in_use;
} core_player;

static PyObject *make(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
    static char *names[] = {"agent", "budget", NULL};
    core *c = core_of_type(type);
    const char *agent = "expert";
    PyObject *states = Py_None;
    uint64_t budget;
    if (!c || !core_parse_keywords(positional, keywords, "|sO:Player", names, &agent, &states) ||
        !read_agent_name(c, agent) || !read_budget(c, states, &budget))
        return NULL;
    core_player *self = core_new(type);
    if (!self) return NULL;
    self->player.states = budget;
    memcpy(self->player.own, agent, strlen(agent) + 1);
    return (PyObject *)self;
}

static void dealloc(PyObject *object) {
    sb_player_clear(&((core_player *)object)->player);
    sb_costs_free(((core_player *)object)->costs);
    core_delete(object);
}

/* Lets the player begin in an environment. sb_player_begin clears nothing that was set when the player was made. */
static PyObject *begin_in(core_player *self, core_env *env) {
    sb_error error;
    if (!core_env_is_running(env)) return NULL;
    self->episode = 0;
    PyThreadState *thread = PyEval_SaveThread();
    const bool ok = sb_player_begin(&self->player, env->env, &error);
    PyEval_RestoreThread(thread);
    if (!ok) return core_raise(self->core, &error);
    self->episode = env->episode;
    Py_RETURN_NONE;
}

static bool act_in(core_player *self, core_env *env, sb_action *action) {
    if (!core_env_is_running(env)) return false;
    if (self->episode != env->episode)
        return core_refuse(self->core, "InvalidError", "the player has not begun with this episode: call begin"), false;
    PyThreadState *thread = PyEval_SaveThread();
    *action = sb_player_act(&self->player, env->env);
    PyEval_RestoreThread(thread);
    return true;
}

static PyObject *action_in(core_player *self, core_env *env) {
    sb_action action;
    return act_in(self, env, &action) ? PyLong_FromLong(action) : NULL;
}

static PyObject *hint_in(core_player *self, core_env *env) {
    sb_action action;
    return act_in(self, env, &action) ? hint_of(self->core, env->env, &self->player, action) : NULL;
}

/* A cost as a Cost. What is not known is None: a number of steps, a probability, a mean. */
static PyObject *cost_of(core *c, const sb_env *env, const sb_cost *cost) {
    const bool is_known = cost->kind != SB_COST_UNKNOWN;
    PyObject *fields = Py_BuildValue("(iNsNNNNNNN)", cost->action, core_action_name(c, env, cost->action),
                                     sb_cost_kind_name(cost->kind), PyBool_FromLong(cost->is_proven),
                                     PyBool_FromLong(cost->is_best),
                                     cost->steps < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(cost->steps),
                                     is_known ? PyFloat_FromDouble(cost->success) : Py_NewRef(Py_None),
                                     is_known ? PyFloat_FromDouble(cost->success_error) : Py_NewRef(Py_None),
                                     cost->mean > 0 ? PyFloat_FromDouble(cost->mean) : Py_NewRef(Py_None),
                                     cost->mean > 0 ? PyFloat_FromDouble(cost->mean_error) : Py_NewRef(Py_None));
    return core_named_tuple(c, CORE_COST, fields);
}

static PyObject *list_of(core *c, const sb_env *env, const sb_cost *costs, size_t n) {
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) core_add(&list, cost_of(c, env, &costs[i]));
    return list;
}

/* Each cost with its regret and the unit of that: (Cost, float, str), or (Cost, None, None) if the regret is not known.
 */
static PyObject *judged_of(core *c, const sb_env *env, const sb_cost *costs, size_t n) {
    const sb_cost *best = sb_best_cost(costs, n);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < n; i++) {
        const sb_regret regret = sb_regret_of(&costs[i], best);
        core_add(&list,
                 regret.unit == SB_REGRET_UNKNOWN
                     ? Py_BuildValue("(NOO)", cost_of(c, env, &costs[i]), Py_None, Py_None)
                     : Py_BuildValue("(Nds)", cost_of(c, env, &costs[i]), regret.by, sb_regret_unit_name(regret.unit)));
    }
    return list;
}

typedef PyObject *list_maker(core *c, const sb_env *env, const sb_cost *costs, size_t n);

/* Makes a list of the costs, of which there are as many as actions, at most. */
static PyObject *ask_in(core_player *self, core_env *env, list_maker *make_list) {
    sb_error error;
    size_t n = 0;
    if (!core_env_is_running(env)) return NULL;
    const size_t room = (size_t)env->env->n_actions;
    sb_cost *costs = malloc(room * sizeof *costs);
    if (!costs) return PyErr_NoMemory();
    PyThreadState *thread = PyEval_SaveThread();
    if (!self->costs && (self->costs = sb_costs_make(self->player.own, &error)))
        sb_costs_set_budget(self->costs, self->player.states);
    const bool ok = self->costs && sb_costs_ask(self->costs, env->env, costs, room, &n, &error);
    PyEval_RestoreThread(thread);
    PyObject *list = ok ? make_list(self->core, env->env, costs, n) : core_raise(self->core, &error);
    free(costs);
    return list;
}

static PyObject *costs_in(core_player *self, core_env *env) { return ask_in(self, env, list_of); }
static PyObject *judged_in(core_player *self, core_env *env) { return ask_in(self, env, judged_of); }

/* Calls a function with the environment that the argument is; both are in use meanwhile. */
static PyObject *with_env(PyObject *object, PyObject *argument, PyObject *(*function)(core_player *, core_env *)) {
    core_player *self = (core_player *)object;
    PyObject *result = NULL;
    if (!core_take(&self->in_use, "this player is")) return NULL;
    core_env *env = core_env_hold(self->core, argument);
    if (env) {
        result = function(self, env);
        core_env_let_go(env);
    }
    core_give_back(&self->in_use);
    return result;
}

static PyObject *begin(PyObject *object, PyObject *env) { return with_env(object, env, begin_in); }
static PyObject *act(PyObject *object, PyObject *env) { return with_env(object, env, action_in); }
static PyObject *hint(PyObject *object, PyObject *env) { return with_env(object, env, hint_in); }
static PyObject *costs(PyObject *object, PyObject *env) { return with_env(object, env, costs_in); }
static PyObject *judged(PyObject *object, PyObject *env) { return with_env(object, env, judged_in); }

static PyObject *get_agent(PyObject *object, void *closure) {
    (void)closure;
    return PyUnicode_FromString(((core_player *)object)->player.own);
}

static PyMethodDef methods[] = {
    {"begin", begin, METH_O, "begin($self, env, /)\n--\n\nGets ready for the episode in an environment, as it stands."},
    {"act", act, METH_O,
     "act($self, env, /)\n--\n\nWhat it does here. Ask it in every state, if it is to remember all that was shown."},
    {"hint", hint, METH_O, "hint($self, env, /)\n--\n\nThe same with what it is up to, as a Hint."},
    {"costs", costs, METH_O,
     "costs($self, env, /)\n--\n\nWhat every action costs here, as a list of Cost; it need not have begun. "
     "An observer that is not shown everything remembers the states it was asked about, step by step."},
    {"_judged", judged, METH_O, "_judged($self, env, /)\n--\n\nThe same, each with its regret and the unit of that."},
    {NULL, NULL, 0, NULL}};

static PyObject *represent(PyObject *object) {
    PyObject *agent = get_agent(object, NULL);
    PyObject *text = agent ? PyUnicode_FromFormat("<seedbed.Player %U>", agent) : NULL;
    Py_XDECREF(agent);
    return text;
}

static PyGetSetDef attributes[] = {{"agent", get_agent, NULL, "Its name.", NULL}, {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_new, make},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_repr, represent},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, attributes},
                              {Py_tp_doc,
                               "Player(agent='expert', budget=None)\n--\n\nAn oracle, or random actions, with "
                               "a memory of the episode.\n\nbudget: how many states it may look at in an "
                               "episode."},
                              {0, NULL}};

PyType_Spec core_player_spec = {
    .name = "seedbed._seedbed.Player", .basicsize = sizeof(core_player), .flags = Py_TPFLAGS_DEFAULT, .slots = slots};
