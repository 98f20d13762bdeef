/* The contract between worlds and everything above them. A family lists its tasks and difficulties, makes an episode
 * from a name, steps it, shows it, and copies it. Code above this contract knows nothing of grids, six actions or
 * difficulties. A hook may be NULL only where its comment says so. */
#ifndef SB_ENGINE_CONTRACT_H
#define SB_ENGINE_CONTRACT_H

#include "base/out.h"
#include "seedbed.h"

typedef struct sb_fact_source sb_fact_source;
typedef struct sb_picture_source sb_picture_source;
typedef struct sb_efficiency_source sb_efficiency_source;
typedef struct sb_recording_source sb_recording_source;
typedef struct sb_test_source sb_test_source;
typedef struct sb_frame_source sb_frame_source;

/* The list that sb_task_info.skills points to. */
#define SB_SKILLS(...)                                                                                                 \
    (const char *const[]) { __VA_ARGS__, NULL }

/* What a user may add to a family (engine/catalogue.h). */
typedef struct sb_imports {
    /* Reads a program and makes a task of it, on the heap; the engine may put its own data after the task. A task whose
     * name is NULL gets one from the caller, which keeps the text alive longer than the task. NULL: the family takes no
     * programs. */
    sb_task_info *(*read)(const char *text, size_t n, sb_error *error);
    void (*drop)(sb_task_info *task);
    /* Returns the index-th of further tasks that the same program gives, under names of their own; NULL behind the
     * last. They live as long as the task. NULL: a program gives one task. */
    const sb_task_info *(*part)(const sb_task_info *task, size_t index);
    /* Whether episodes of this difficulty take long to find. They are stored in catalogues, and selections take them
     * from packs only. NULL: none does. */
    bool (*is_derived)(const sb_task_info *task, size_t difficulty);
    /* Whether starts of this difficulty are found by searches, so that each takes a while. NULL: none is. */
    bool (*is_searched)(const sb_task_info *task, size_t difficulty);
    const char *how_to_derive; /* the command with which a user makes a pack of such episodes */
} sb_imports;

/* What the published environments of a family show, and what they tell with every step beside that. */
typedef struct sb_info_source {
    bool by_default; /* observations tell what `tell` puts, unless less is asked for */
    bool in_arrays;  /* observations show the family's arrays, with single numbers and texts as such, not the text of a
                        mode */
    /* Puts what observations tell beside steps, rewards and ends, which every family has: a JSON object. */
    void (*tell)(const sb_env *env, sb_out *out);
    /* JSON has no tuples. A list of exactly two whole numbers stands for a tuple, but not at these paths: `TASK PATH`
     * with `[]` for each item of a list and `*` for any key; NULL-terminated. NULL: there are no lists of two. */
    const char *const *lists;
} sb_info_source;

/* Limits for one family, including the tasks of a catalogue. */
enum { SB_TASKS_MAX = 1024, SB_DIFFICULTIES_MAX = 32 };

/* Difficulties by their names, at least one; "" is the difficulty that names of episodes leave out. */
typedef struct sb_difficulties {
    const char *const *names;
    size_t n;
    size_t n_usual;       /* a selection that names no difficulty takes the first n_usual */
    const char *in_short; /* the names in short, for errors, where they are too many to list; NULL: they are listed */
} sb_difficulties;

/* What is on a grid, for whoever measures episodes; also what is hidden. */
typedef struct sb_grid_survey {
    /* cells of the grid; kinds of things on it that look different, the agent and bare ground not counted */
    int32_t cells, kinds;
    bool has_agent;
    sb_xy agent; /* the agent's cell */
} sb_grid_survey;

struct sb_family {
    const char *name;    /* the family's name, as in `babyai:...` */
    const char *version; /* version of the rules, for manifests, packs and tapes: other rules give other episodes */
    /* Names of difficulties, at least one. Every built-in task has all of them; "" is the one that names of episodes
     * leave out. */
    const char *const *difficulties;
    /* the difficulties in short, for errors, where they are too many to list; NULL: they are listed */
    const char *difficulties_in_short;
    size_t n_difficulties, n_tasks, n_modes;
    size_t n_usual; /* a selection that names no difficulty takes the first n_usual; 0: all */
    /* The difficulties of a task that has others than the family's; NULL: it has the family's. NULL instead of a
     * function: all tasks have those. */
    const sb_difficulties *(*difficulties_of)(const sb_task_info *task);
    sb_hiding hiding;
    const sb_mode *modes; /* the first is the default */
    size_t text_max;      /* bytes: no observation is a longer text. What users bring and could show more is refused */
    const char *const *dataset_modes; /* what dataset rows show by default; NULL-terminated */
    const char *teacher; /* the oracle that acts in datasets unless another agent is named (sb_teacher_of); NULL:
                            `observer` */
    /* What the agent is shown, as numbers: no more than the non-privileged modes tell. NULL: no arrays. */
    const sb_array *arrays;
    size_t n_arrays;
    const sb_task_info *(*task)(size_t index);
    /* How episodes of a task and difficulty are judged. NULL: as sb_task_info.criterion says, in all difficulties. */
    sb_criterion (*criterion)(const sb_task_info *task, size_t difficulty);
    /* Puts what a solver should know of a task: paragraphs, then sections of Markdown (`## Rewards and ends`). NULL, or
     * nothing put: nobody has written it. */
    void (*describe)(const sb_task_info *task, sb_out *out);
    /* What all episodes of a task and difficulty have in common. `shape` is zeroed before the call. */
    void (*shape)(const sb_task_info *task, size_t difficulty, sb_shape *shape);
    /* Starts env->name (canonical; task, task_index, difficulty_index and shape are set) and gives the step limit.
     * Everything that can fail or needs a search happens here, for the whole episode. */
    bool (*start)(sb_env *env, int32_t *max_steps, sb_error *error);
    /* Takes a step. The action is in range and the episode is not over. Must not allocate and cannot fail: an error
     * inside the world sets result->fault (false before the call) and leaves the state as it was. Writes all other
     * members of the result. */
    void (*step)(sb_env *env, sb_action action, sb_result *result);
    /* Sets `score`, `level` and `n_levels` of the status, after start and after every step. NULL: the family has none
     * of them. */
    void (*stand)(const sb_env *env, sb_status *status);
    /* Tells why the last step was a fault. NULL: there are no faults. */
    void (*tell_fault)(const sb_env *env, sb_out *out);
    void (*observe)(const sb_env *env, const sb_mode *mode, sb_out *out);
    void (*fill)(const sb_env *env, size_t array, void *numbers);
    /* Gives the usual number of steps a second when a person plays in real time; any number. NULL: the world waits for
     * its player. */
    int32_t (*frame_rate)(const sb_env *env);
    /* For worlds that show several frames after an action: tells how many the last action had, at least 1; show_frame
     * shows the n-th of them, from 0, in place of the last one until the next step. For people: agents are asked to act
     * on the last frame, and modes tell of the others. NULL: there is one. */
    int32_t (*n_frames)(const sb_env *env);
    void (*show_frame)(sb_env *env, int32_t frame);
    /* Tells which buttons the published environments list as valid now: n_buttons entries and, if there is a click
     * area, one more for all clicks. It is a hint: a button that it leaves out may win. */
    void (*valid)(const sb_env *env, bool *mask);
    /* Tells in entries like those of `valid` which actions may have an effect. An entry is false only if everything
     * that was shown proves that the action changes no more than a noop does: the state, both rewards and the end are
     * then the same, whatever is hidden and whatever will be drawn. Where no action is a noop, the state stays as it
     * was, but for counters of steps. So the mask tells nothing that observations do not tell. The noop is never
     * masked. Must not allocate. NULL: nothing is proven, and all entries are true. */
    void (*effective)(const sb_env *env, bool *mask);
    /* Lists the clicks worth trying, ascending. Every other click has the same effect as one of these or as a button,
     * so a search may leave it out. NULL: every click is worth trying. */
    size_t (*clicks)(const sb_env *env, sb_action *out, size_t capacity);
    /* Prints the name of an action. Names depend on the task, the difficulty and the shape alone; there need not be an
     * episode. */
    void (*print_action)(const sb_env *env, sb_action action, sb_out *out);
    /* Reads the name of an action; callers read numbers. */
    bool (*parse_action)(const sb_env *env, const char *text, sb_action *action);
    /* Copies the state only; `to` is empty or of this family. */
    bool (*copy)(sb_env *to, const sb_env *from, sb_error *error);
    void (*clear)(sb_env *env);
    void (*key)(const sb_env *env, uint64_t key[2]); /* equal keys: no course tells the two apart; see sb_key */
    /* A lower bound on the steps that are left to success; negative if success is proven to be out of reach. NULL:
     * unknown. */
    int (*bound)(const sb_env *env);
    /* Overwrites everything in the state that no observation has shown. Observations stay as they are, except those of
     * privileged modes. Not NULL if and only if `hiding` is SB_CAN_HIDE. */
    void (*hide)(sb_env *env);
    /* Replaces what coming random draws depend on, which is the future that oracles may not see. False: the steps of
     * this episode draw nothing. NULL: no steps of the family do. */
    bool (*reseed)(sb_env *env, uint64_t seed);
    /* Surveys the grid as it is now. `survey` is zeroed before the call. NULL: there is no grid. */
    void (*survey)(const sb_env *env, sb_grid_survey *survey);
    /* Sets the step limit. False if the limit is one of the rules: then it stays. NULL: it always stays. */
    bool (*extend)(sb_env *env, int32_t max_steps);
    const sb_info_source *info;             /* NULL: the published environments tell nothing of their own */
    const sb_fact_source *facts;            /* engine/facts.h; NULL: none */
    const sb_picture_source *pictures;      /* engine/brush.h; NULL: no looks */
    bool searches;                          /* starts are found by searches, so that each takes a while */
    const sb_efficiency_source *efficiency; /* engine/efficiency.h; NULL: it is not measured */
    const sb_recording_source *recordings;  /* engine/recording.h; NULL: nobody else keeps any */
    const sb_test_source *tests;            /* engine/testing.h; NULL: there are no tests */
    const sb_frame_source *frames;          /* engine/frames.h; NULL: no frames of coloured cells */
    void (*digest)(const sb_env *env, uint8_t digest[32]); /* hash of the visible state, as in recordings */
    const sb_imports *imports;                             /* what users may add; NULL: nothing */
};

/* Whether a catalogue adds nothing to the built-in tasks; NULL adds nothing, too. */
bool sb_catalogue_is_empty(const sb_catalogue *catalogue);
/* Who chooses episodes by what they demand, for selections (rollout/selection.h); NULL: nobody. */
struct sb_chooser;
const struct sb_chooser *sb_catalogue_chooser(const sb_catalogue *catalogue);
/* Lends the catalogue a chooser, which must live as long as the catalogue. */
void sb_catalogue_set_chooser(sb_catalogue *catalogue, const struct sb_chooser *chooser);
/* Lends a catalogue of programs the chooser and the documents of another one (which may be NULL, and must live as
 * long). Fails if programs of the two have one name and different texts. */
bool sb_catalogue_borrow(sb_catalogue *catalogue, const sb_catalogue *lender, sb_error *error);

#endif
