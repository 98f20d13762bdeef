#include "generators/autumn/worlds/solve.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"
#include "base/out.h"
#include "engine/autumn/packed.h"

/* Where the bytes of a state are. */
typedef struct entry {
    uint64_t key[2]; /* both 0: free */
    size_t at;
    uint32_t n;
    int32_t depth; /* steps from the start, on the way on which it was found first */
} entry;

/* A state of a beam, and how it was reached. */
typedef struct step {
    uint64_t key[2];
    uint32_t parent, move;
    int64_t worth;  /* the more, the more promising */
    int32_t gained; /* the sum of the world's rewards on the way */
} step;

struct sb_world_solver {
    const sb_autumn_program *program;
    const sb_world_question *question;
    sb_autumn_state *work; /* the state that is expanded, or one after it */
    sb_out bytes;          /* bytes of states, one behind the other */
    entry *entries;        /* where the bytes of states are: open addressing, at most half full */
    size_t room, n;
    /* clicks that need not be tried any more in the state that is expanded; clicks that do what the last one does */
    uint64_t *tried, *alike;
    size_t tried_capacity, alike_capacity;
    sb_search *search; /* the search that is running */
    sb_budget *budget; /* budget of the search that is running */
    uint64_t evaluations;
    void *memory; /* memory of a search */
    uint32_t n_states;
    uint32_t *moves; /* the play that was found */
    int n_moves;
    step *steps; /* steps of a beam */
    size_t n_steps, steps_room;
    size_t parent;                   /* number of the step from which steps are added */
    bool is_won;                     /* the last step wins */
    int32_t depth;                   /* depth of the state that is expanded; -1: none is */
    bool packs, failed, is_too_deep; /* is_too_deep: states lie beyond the longest way that a search can hold */
    bool is_used_up;                 /* evaluations or bytes were used up */
};

enum { KEY_SIZE = 2 * sizeof(uint64_t), FIRST_ROOM = 1 << 12 };
enum { BYTE_COST = 1 /* evaluations that keeping a byte of a state counts as */ };

sb_world_solver *sb_world_solver_make(const sb_autumn_program *program) {
    sb_world_solver *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->program = program, s->packs = sb_autumn_packs(program);
    s->work = sb_autumn_new(program);
    s->moves = malloc(SB_SEARCH_COST_MAX * sizeof *s->moves);
    s->bytes = sb_out_growing();
    if (s->work && s->moves) return s;
    return sb_world_solver_free(s), NULL;
}

void sb_world_solver_free(sb_world_solver *s) {
    if (!s) return;
    sb_autumn_free(s->work);
    sb_out_free(&s->bytes);
    sb_search_free(s->memory);
    free(s->entries), free(s->moves), free(s->steps), free(s->tried), free(s->alike);
    free(s);
}

/* ---- States by their keys ---------------------------------------------------------------------------------------- */

/* The place of a key: its own, or the free one where it belongs. */
static entry *place_of(const sb_world_solver *s, const uint64_t key[2]) {
    size_t i = key[0] & (s->room - 1);
    while ((s->entries[i].key[0] || s->entries[i].key[1]) && memcmp(s->entries[i].key, key, KEY_SIZE) != 0)
        i = (i + 1) & (s->room - 1);
    return &s->entries[i];
}

static bool make_room(sb_world_solver *s) {
    if (s->room && 2 * s->n < s->room) return true;
    entry *const old = s->entries;
    const size_t n = s->room;
    s->room = n ? 2 * n : FIRST_ROOM;
    s->entries = calloc(s->room, sizeof *s->entries);
    for (size_t i = 0; s->entries && i < n; i++)
        if (old[i].key[0] || old[i].key[1]) *place_of(s, old[i].key) = old[i];
    free(old);
    return s->entries != NULL;
}

/* Finds the key of the state in `work`; puts its bytes behind the others if the state is new. */
static bool keep_state(sb_world_solver *s, uint64_t key[2]) {
    const size_t at = s->bytes.size;
    if (s->packs ? !sb_autumn_pack(s->work, &s->bytes) : !sb_autumn_hash(s->work, true, key)) return false;
    if (s->packs) sb_hash128(s->bytes.data + at, s->bytes.size - at, key);
    s->evaluations += BYTE_COST * (s->bytes.size - at);
    if (!make_room(s)) return false;
    entry *e = place_of(s, key);
    if (e->key[0] || e->key[1]) return s->bytes.size = at, true;
    if (!s->packs) sb_autumn_save(s->work, &s->bytes);
    *e = (entry){.key = {key[0], key[1]}, .at = at, .n = (uint32_t)(s->bytes.size - at), .depth = s->depth + 1};
    s->is_too_deep |= s->depth + 1 >= SB_SEARCH_COST_MAX;
    s->n++;
    return sb_out_ok(&s->bytes);
}

static bool go_to(sb_world_solver *s, const uint64_t key[2]) {
    const entry *e = place_of(s, key);
    s->depth = e->depth;
    return (s->packs ? sb_autumn_unpack : sb_autumn_restore)(s->work, s->bytes.data + e->at, e->n);
}

/* ---- Moves ------------------------------------------------------------------------------------------------------- */

static sb_autumn_event event_of(uint32_t move) {
    if (move < SB_AUTUMN_CLICK) return (sb_autumn_event){.key = (sb_autumn_key)move};
    move -= SB_AUTUMN_CLICK;
    return (sb_autumn_event){
        .key = SB_AUTUMN_CLICK, .x = (int32_t)(move % SB_AUTUMN_SIZE_MAX), .y = (int32_t)(move / SB_AUTUMN_SIZE_MAX)};
}

static uint32_t click_at(uint32_t x, uint32_t y) { return SB_AUTUMN_CLICK + y * SB_AUTUMN_SIZE_MAX + x; }

/* Adds the state after a move, which is the one in `work`. */
typedef void adder(sb_world_solver *s, const uint64_t after[2], uint32_t move, bool is_new);

/* Tries an event in the state that is expanded, whose key is `key`, and adds the state after it. */
static void try_move(sb_world_solver *s, const uint64_t key[2], uint32_t move, adder *add) {
    uint64_t after[2] = {0};
    if (s->failed) return;
    const bool ok = sb_autumn_step(s->work, event_of(move), NULL);
    s->evaluations += sb_autumn_evaluations(s->work) + SB_WORLD_STEP_COST;
    if (ok) { /* a fault of the program ends the episode, and wins nothing */
        const sb_autumn_standing *standing = sb_autumn_standing_of(s->work);
        const size_t known = s->n;
        if (standing->won || (!standing->lost && !sb_autumn_has_stayed(s->work))) {
            if (!keep_state(s, after))
                s->failed = true;
            else if (standing->won || memcmp(key, after, KEY_SIZE) != 0)
                add(s, after, move, s->n > known);
        }
        if (s->packs) sb_autumn_undo(s->work);
    }
    if (!s->packs && !go_to(s, key)) s->failed = true;
}

/* A key that nothing reads does what `noop` does. */
static bool may_use(const sb_world_solver *s, sb_autumn_key key) {
    return key == SB_AUTUMN_NOOP || (key != s->question->without && sb_autumn_reads(s->program, key));
}

/* A search ends where too much was evaluated or kept. */
static bool use_up(sb_world_solver *s) {
    const uint64_t most = s->question->evaluations ? s->question->evaluations : SB_WORLD_EVALUATIONS;
    if (s->evaluations < most && s->bytes.size < SB_WORLD_BYTES) return false;
    if (s->budget) s->budget->spent = s->budget->limit;
    return s->is_used_up = true;
}

/* Makes room for the clicks on a grid, none of which was tried. */
static bool forget_clicks(sb_world_solver *s, size_t words) {
    if (!SB_GROW(s->tried, words, s->tried_capacity) || !SB_GROW(s->alike, words, s->alike_capacity)) return false;
    if (words) memset(s->tried, 0, words * sizeof *s->tried);
    return true;
}

/* Tries one of all clicks that do the same. */
static void try_clicks(sb_world_solver *s, const uint64_t key[2], uint32_t size, adder *add) {
    const size_t words = ((size_t)size * size + 63) / 64;
    if (!forget_clicks(s, words)) {
        s->failed = true;
        return;
    }
    for (uint32_t cell = 0; cell < size * size; cell++) {
        if (s->tried[cell / 64] >> cell % 64 & 1) continue;
        if (s->packs) sb_autumn_watch_clicks(s->work, s->alike, size);
        try_move(s, key, click_at(cell % size, cell / size), add);
        for (size_t i = 0; s->packs && i < words; i++) s->tried[i] |= s->alike[i];
    }
    sb_autumn_watch_clicks(s->work, NULL, 0);
}

/* Adds the states after all moves from the state of a key. */
static void try_moves(sb_world_solver *s, const uint64_t key[2], adder *add) {
    if (use_up(s)) return;
    if (s->failed || !go_to(s, key)) {
        s->failed = true;
        return;
    }
    const uint32_t size = sb_autumn_size(s->work);
    for (uint32_t move = SB_AUTUMN_NOOP; move < SB_AUTUMN_CLICK; move++)
        if (may_use(s, (sb_autumn_key)move)) try_move(s, key, move, add);
    if (may_use(s, SB_AUTUMN_CLICK)) try_clicks(s, key, size, add);
}

static void add_to_search(sb_world_solver *s, const uint64_t after[2], uint32_t move, bool is_new) {
    (void)is_new; /* a search keeps its own books */
    sb_search_add(s->search, after, move, 1, sb_autumn_standing_of(s->work)->won);
}

static void expand(void *context, const void *state, sb_search *search) {
    sb_world_solver *s = context;
    uint64_t key[2];
    memcpy(key, state, sizeof key);
    s->search = search;
    try_moves(s, key, add_to_search);
}

/* The search asks for the bound of the state that was just reached, which is the one in `work`. */
static int bound(void *context, const void *state) {
    const sb_world_solver *s = context;
    (void)state;
    const int32_t least = sb_autumn_standing_of(s->work)->bound;
    return least > 0 ? least : 0;
}

/* ---- The search -------------------------------------------------------------------------------------------------- */

/* The memory of a search has one size, so a larger one replaces it. */
static bool make_memory(sb_world_solver *s, uint64_t limit) {
    if (s->memory && s->n_states == limit) return true;
    sb_search_free(s->memory);
    s->n_states = (uint32_t)limit;
    s->memory = sb_search_new(KEY_SIZE, s->n_states);
    return s->memory != NULL;
}

static void forget(sb_world_solver *s) {
    if (s->entries) memset(s->entries, 0, s->room * sizeof *s->entries);
    s->n = 0;
    s->bytes.size = 0;
    s->failed = s->is_too_deep = s->is_used_up = false;
    s->evaluations = 0;
    s->depth = -1;
}

/* Puts the start into `work`, and keeps it as the first state. */
static bool begin(sb_world_solver *s, const sb_autumn_state *start, const sb_world_question *question, bool is_bounded,
                  uint64_t key[2]) {
    s->question = question;
    forget(s);
    if (!sb_autumn_copy(s->work, start)) return false;
    sb_autumn_want_bound(s->work, is_bounded);
    if (s->packs) sb_autumn_begin_packing(s->work);
    return keep_state(s, key);
}

bool sb_world_solve(sb_world_solver *s, const sb_autumn_state *start, const sb_world_question *question,
                    sb_world_answer *answer) {
    const bool is_bounded = question->trusts_bound && sb_autumn_world_of(s->program)->has_bound;
    const bool is_limited = question->max_steps > 0 && question->max_steps < SB_SEARCH_COST_MAX;
    const sb_problem problem = {.state_size = KEY_SIZE,
                                .expand = expand,
                                .bound = is_bounded ? bound : NULL,
                                .context = s,
                                .max_cost = is_limited ? question->max_steps : SB_SEARCH_COST_MAX};
    sb_budget budget = {.limit = question->limit};
    uint64_t key[2] = {0};
    *answer = (sb_world_answer){.verdict = SB_NOT_FOUND};
    if (!make_memory(s, question->limit) || !begin(s, start, question, is_bounded, key)) return false;
    s->budget = &budget;
    answer->verdict = sb_search_run(s->memory, s->n_states, &problem, key, &budget);
    s->budget = NULL;
    answer->states = s->is_used_up ? s->n : budget.spent, answer->evaluations = s->evaluations;
    if (s->is_used_up && answer->verdict == SB_IMPOSSIBLE) answer->verdict = SB_NOT_FOUND;
    if (answer->verdict == SB_IMPOSSIBLE && s->is_too_deep && !is_limited) answer->verdict = SB_NOT_FOUND;
    if (answer->verdict == SB_SOLVED) {
        s->n_moves = sb_search_plan(s->memory, s->moves, SB_SEARCH_COST_MAX);
        answer->steps = s->n_moves, answer->is_shortest = !budget.is_cut;
    }
    return !s->failed && !sb_search_is_starved(s->memory);
}

/* ---- The beam ---------------------------------------------------------------------------------------------------- */

enum { WIDTH = 400 /* states that are expanded at each depth */ };

static int64_t worth_of(const sb_autumn_standing *now, int32_t gained) {
    return ((int64_t)now->score << 40) - ((int64_t)now->bound << 20) + gained;
}

static void add_step(sb_world_solver *s, const step *added) {
    if (!SB_GROW(s->steps, s->n_steps + 1, s->steps_room)) {
        s->failed = true;
        return;
    }
    s->steps[s->n_steps++] = *added;
}

static void add_to_beam(sb_world_solver *s, const uint64_t after[2], uint32_t move, bool is_new) {
    enum { GAIN_MAX = 1 << 19 };
    const sb_autumn_standing *now = sb_autumn_standing_of(s->work);
    if (!is_new || s->is_won) return;
    const int64_t sum = (int64_t)s->steps[s->parent].gained + now->reward;
    const int32_t gained = (int32_t)(sum < -GAIN_MAX ? -GAIN_MAX : sum > GAIN_MAX ? GAIN_MAX : sum);
    const step added = {.key = {after[0], after[1]},
                        .parent = (uint32_t)s->parent,
                        .move = move,
                        .worth = worth_of(now, gained),
                        .gained = gained};
    add_step(s, &added);
    s->is_won = now->won;
}

/* The most promising first; which of equal ones does not depend on the order in which they were found. */
static int compare_steps(const void *a_, const void *b_) {
    const step *a = a_, *b = b_;
    if (a->worth != b->worth) return a->worth > b->worth ? -1 : 1;
    return memcmp(a->key, b->key, KEY_SIZE);
}

static void follow_back(sb_world_solver *s, size_t at) {
    s->n_moves = 0;
    for (size_t i = at; i; i = s->steps[i].parent) s->n_moves++;
    for (int k = s->n_moves; at; at = s->steps[at].parent) s->moves[--k] = s->steps[at].move;
}

/* Expands the most promising steps of one depth: steps[first .. end - 1]. */
static void expand_steps(sb_world_solver *s, size_t first, size_t end) {
    const size_t last = first + WIDTH < end ? first + WIDTH : end;
    qsort(s->steps + first, end - first, sizeof *s->steps, compare_steps);
    const uint64_t most = s->question->limit;
    for (s->parent = first; s->parent < last && !s->is_won && !s->failed && s->n < most; s->parent++) {
        uint64_t key[2];
        memcpy(key, s->steps[s->parent].key, sizeof key);
        try_moves(s, key, add_to_beam);
    }
}

bool sb_world_reach(sb_world_solver *s, const sb_autumn_state *start, const sb_world_question *question,
                    sb_world_answer *answer) {
    const bool is_bounded = question->trusts_bound && sb_autumn_world_of(s->program)->has_bound;
    const int deepest = question->max_steps > 0 && question->max_steps < SB_SEARCH_COST_MAX ? question->max_steps
                                                                                            : SB_SEARCH_COST_MAX;
    step root = {.move = SB_AUTUMN_NOOP};
    *answer = (sb_world_answer){.verdict = SB_NOT_FOUND};
    s->is_won = false, s->n_steps = 0;
    if (!begin(s, start, question, is_bounded, root.key)) return false;
    add_step(s, &root);
    for (size_t depth = 0, first = 0; depth < (size_t)deepest && first < s->n_steps && !s->is_won && !s->failed;
         depth++) {
        const size_t end = s->n_steps;
        expand_steps(s, first, end);
        first = end;
    }
    answer->states = s->n, answer->evaluations = s->evaluations;
    if (s->is_won) {
        follow_back(s, s->n_steps - 1);
        answer->verdict = SB_SOLVED, answer->steps = s->n_moves;
    }
    return !s->failed;
}

int sb_world_plan(const sb_world_solver *s, sb_autumn_event *events, int capacity) {
    for (int i = 0; i < s->n_moves && i < capacity; i++) events[i] = event_of(s->moves[i]);
    return s->n_moves;
}
