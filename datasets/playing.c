#include "datasets/playing.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/pool.h"
#include "datasets/legible.h"
#include "rollout/recorded.h"

/* One tape that is wanted. */
typedef struct seat {
    size_t episode;
    uint32_t attempt;   /* number of the attempt, from 1; 0: it is the only one */
    bool taken;         /* the tape is there */
    size_t begin, size; /* place of the tape's line, with its newline, among the lines that were read */
} seat;

/* A seat with its episode, for finding it by a name. */
typedef struct place {
    sb_chosen episode;
    size_t seat;
} place;

typedef struct run {
    const sb_playing *playing;
    sb_agent agent;
    sb_agent_options program;  /* options of the program, with the salt of an interrupted run */
    char salt[SB_SALT_HEX];    /* the salt of an interrupted run, or the one that was given, as journals have it */
    char name[SB_AGENT_NAME];  /* the program's name in its tapes */
    char begun[SB_AGENT_NAME]; /* name of the program whose tapes are there; "": none are */
    seat *seats;               /* all seats, in the order of the finished file */
    size_t n_seats;
    place *order;             /* the seats by episode, for finding them */
    size_t *todo, n_todo;     /* seats that are played one at a time */
    size_t *rounds, n_rounds; /* seats of a program that plays several at a time */
    size_t next;              /* place of the next seat in `rounds` */
    size_t n_done;
    pthread_mutex_t mutex; /* guards everything that changes while several processes play in rounds */
    sb_path path;
    bool is_there; /* the journal's file exists */
    size_t n_lost, lost_in_a_row;
    sb_failure failure; /* the last failure of the program */
} run;

/* ---- Seats ---- */

static bool is_program(const sb_schedule *schedule, const sb_name *name) {
    return strcmp(sb_cast_agent(&schedule->cast, name), SB_PROGRAM) == 0;
}

/* How many attempts are made at an episode. An agent of ours plays it in one way only, so it makes one. */
static size_t attempts_at(const run *r, size_t episode) {
    sb_name name;
    const sb_schedule *schedule = r->playing->schedule;
    sb_selection_name(&schedule->selection, episode, &name);
    return r->playing->attempts && is_program(schedule, &name) ? r->playing->attempts : 1;
}

static int by_episode(const void *first, const void *second) {
    const place *a = first, *b = second;
    const int order = sb_compare_chosen(&a->episode, &b->episode);
    return order ? order : (a->seat > b->seat) - (a->seat < b->seat);
}

static bool make_seats(run *r, sb_error *error) {
    const sb_schedule *schedule = r->playing->schedule;
    const size_t most = schedule->selection.n * (r->playing->attempts ? r->playing->attempts : 1);
    if (most > SB_SELECTION_MAX) return sb_fail(error, SB_INVALID, "at most %d tapes are allowed", SB_SELECTION_MAX);
    r->seats = calloc(most + 1, sizeof *r->seats);
    r->order = calloc(most + 1, sizeof *r->order);
    r->todo = calloc(most + 1, sizeof *r->todo);
    r->rounds = calloc(most + 1, sizeof *r->rounds);
    if (!r->seats || !r->order || !r->todo || !r->rounds)
        return sb_fail(error, SB_MEMORY, "out of memory for %zu tapes", most);
    for (size_t i = 0; i < schedule->selection.n; i++) {
        if (sb_schedule_leaves_out(schedule, i)) continue;
        const size_t n = attempts_at(r, i);
        for (size_t k = 0; k < n; k++)
            r->seats[r->n_seats++] = (seat){.episode = i, .attempt = n > 1 ? (uint32_t)k + 1 : 0};
    }
    for (size_t i = 0; i < r->n_seats; i++) r->order[i] = (place){schedule->selection.episodes[r->seats[i].episode], i};
    if (r->n_seats) qsort(r->order, r->n_seats, sizeof *r->order, by_episode);
    return true;
}

/* Returns the seat of the attempt at the episode, if it is not taken; NULL: there is none. */
static seat *free_seat(const run *r, const sb_chosen *episode, uint64_t attempt) {
    size_t low = 0, high = r->n_seats;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (sb_compare_chosen(&r->order[middle].episode, episode) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < r->n_seats && sb_compare_chosen(&r->order[low].episode, episode) == 0; low++) {
        seat *at = &r->seats[r->order[low].seat];
        if (!at->taken && at->attempt == attempt) return at;
    }
    return NULL;
}

/* ---- What was played before ---- */

/* Puts a tape into its seat, and its line into `tapes`. */
static bool seat_tape(run *r, const sb_tape *tape, uint64_t attempt, sb_out *tapes, sb_error *error) {
    sb_selection one = {.catalogue = r->playing->schedule->selection.catalogue};
    size_t capacity = 0;
    char name[SB_NAME_MAX];
    const bool known = sb_selection_add(&one, &tape->of, tape->name.seed, &capacity, error);
    seat *at = known ? free_seat(r, &one.episodes[0], attempt) : NULL;
    sb_selection_free(&one);
    if (!known) return false;
    sb_name_print(&tape->name, name, sizeof name);
    if (!at)
        return sb_fail(error, SB_INVALID, "there is a tape of %s, which was not asked for; use --force to start again",
                       name);
    at->taken = true, at->begin = tapes->size;
    sb_tape_put_line(tape, tapes);
    at->size = tapes->size - at->begin;
    if (is_program(r->playing->schedule, &tape->name)) strcpy(r->begun, tape->agent);
    return true;
}

/* Puts the first line of the journal: all that decides what the tapes are of, besides the episodes. */
static void put_head(const run *r, const char *salt, sb_out *out) {
    const sb_agent_options *program = &r->program;
    sb_puts(out, "{");
    sb_member_uint(out, "playing", 1);
    sb_member_text(out, "agent", program->spec);
    sb_member_uint(out, "agent_steps", program->steps);
    sb_member_uint(out, "attempts", r->playing->attempts ? r->playing->attempts : 1);
    sb_member_text(out, "instructions", program->instructions ? program->instructions : "");
    sb_member_text(out, "salt", salt);
    sb_puts(out, "}\n");
}

/* Fails if a run with another program, or with other options of it, began the journal. The salt is taken over. */
static bool check_head(run *r, const cJSON *said, sb_error *error) {
    char salt[SB_SALT_HEX];
    sb_out text = sb_out_growing();
    if (!sb_json_text(said, "salt", salt, sizeof salt, error)) return false;
    put_head(r, r->program.salt ? r->program.salt : salt, &text);
    cJSON *const due = sb_out_ok(&text) ? sb_json_parse(text.data, text.size, error) : NULL;
    bool ok = due || sb_fail(error, SB_MEMORY, "out of memory for a journal");
    for (const cJSON *member = due ? due->child : NULL; ok && member; member = member->next)
        ok = cJSON_Compare(member, cJSON_GetObjectItemCaseSensitive(said, member->string), true) ||
             sb_fail(error, SB_MISMATCH, "it was begun with another `%s`: give the same, or use --force to start again",
                     member->string);
    if (ok) strcpy(r->salt, salt), r->program.salt = r->salt;
    cJSON_Delete(due);
    sb_out_free(&text);
    return ok;
}

static bool read_entry(const run *r, const cJSON *line, sb_tape *tape, uint64_t *attempt, sb_error *error) {
    static const char *const keys[] = {"attempt", "tape", NULL};
    const cJSON *object;
    return sb_json_known_keys(line, keys, error) && sb_json_uint(line, "attempt", attempt, error) &&
           sb_json_object(line, "tape", &object, error) &&
           sb_tape_read(r->playing->schedule->selection.catalogue, object, tape, error);
}

/* Reads a line of the journal, the first of which says how it was begun (version 0.2 wrote none). `torn` tells of a
 * line that cannot be read. */
static bool read_line(run *r, const sb_out *text, sb_tape *tape, sb_out *tapes, sb_error *torn, sb_error *error) {
    uint64_t attempt;
    cJSON *line = sb_json_parse(text->data, text->size, torn);
    const bool is_head = cJSON_GetObjectItemCaseSensitive(line, "playing");
    const bool is_read = line && (is_head || read_entry(r, line, tape, &attempt, torn));
    const bool ok = !is_read || (is_head ? check_head(r, line, error) : seat_tape(r, tape, attempt, tapes, error));
    cJSON_Delete(line);
    return ok;
}

/* Reads the journal: its lines into `text`, and the tapes into `tapes`. A last line that was cut off is left away. */
static bool read_journal(run *r, sb_out *text, sb_out *tapes, sb_error *error) {
    sb_lines lines;
    sb_tape tape = {0};
    sb_error torn = {0}; /* an error in a line counts only if another line follows */
    for (size_t i = 0; i < r->n_seats; i++) r->seats[i].taken = false;
    bool ok = sb_lines_open(&lines, r->path.text, SB_TAPE_BYTES, error);
    while (ok && sb_lines_next(&lines, error)) {
        const bool was_torn = torn.code != SB_OK; /* whether the line before could not be read */
        ok = was_torn ? (*error = torn, false) : read_line(r, &lines.line, &tape, tapes, &torn, error);
        if (ok && torn.code == SB_OK) sb_put(text, lines.line.data, lines.line.size), sb_putc(text, '\n');
        if (!ok) sb_fail_at(error, "%s, line %zu", sb_path_end(r->path.text), lines.number - was_torn);
    }
    ok = ok && error->code == SB_OK;
    sb_lines_close(&lines);
    sb_tape_clear(&tape);
    return ok && ((sb_out_ok(text) && sb_out_ok(tapes)) || sb_fail(error, SB_MEMORY, "out of memory for tapes"));
}

/* Takes over what is there, without a line that was cut off. */
static bool take_over(run *r, sb_error *error) {
    if (!r->playing->resume) return sb_destination_remove(r->playing->destination, SB_PLAYING_NAME, error);
    if (!sb_file_exists(r->path.text)) return true;
    sb_out text = sb_out_growing(), tapes = sb_out_growing();
    const bool ok = read_journal(r, &text, &tapes, error) &&
                    sb_destination_save(r->playing->destination, SB_PLAYING_NAME, &text, error);
    sb_out_free(&text), sb_out_free(&tapes);
    r->is_there = ok;
    return ok;
}

static bool fail_all_lost(const run *r, sb_error *error) {
    return sb_fail(error, SB_IO, "all episodes were lost, the last one by `%s`: %.160s",
                   sb_failure_names[r->failure.kind], r->failure.text);
}

/* Writes the tapes in the order of the seats. */
static bool save_tapes(run *r, sb_error *error) {
    sb_out text = sb_out_growing(), tapes = sb_out_growing(), sorted = sb_out_growing();
    bool ok = (!r->is_there || read_journal(r, &text, &tapes, error)) && (tapes.size || fail_all_lost(r, error));
    for (size_t i = 0; ok && i < r->n_seats; i++)
        if (r->seats[i].taken) sb_put(&sorted, tapes.data + r->seats[i].begin, r->seats[i].size);
    ok = ok && sb_destination_save(r->playing->destination, SB_PLAYED_NAME, &sorted, error);
    sb_out_free(&text), sb_out_free(&tapes), sb_out_free(&sorted);
    return ok;
}

/* ---- Playing ---- */

typedef struct played {
    sb_out line;
    sb_failure failure;
} played;

static void free_played(void *data) { sb_out_free(&((played *)data)->line); }

/* Writes a line of the journal. */
static void put_entry(uint32_t attempt, const sb_tape *tape, sb_out *out) {
    sb_puts(out, "{");
    sb_member_uint(out, "attempt", attempt);
    sb_put_key(out, "tape");
    sb_tape_put(tape, out);
    sb_puts(out, "}\n");
}

static bool work(void *context, void *scratch, size_t index, void *slot, sb_error *error) {
    run *r = context;
    const sb_schedule *schedule = r->playing->schedule;
    const seat *at = &r->seats[r->todo[index]];
    sb_agent_worker *worker = scratch;
    played *p = slot;
    sb_name name;
    sb_selection_name(&schedule->selection, at->episode, &name);
    p->line.grows = true, p->failure = (sb_failure){0};
    sb_out_clear(&p->line);
    worker->worker.catalogue = schedule->selection.catalogue;
    if (is_program(schedule, &name)) {
        if (!sb_agent_worker_play(worker, &r->agent, &name, at->attempt, &p->failure, error)) return false;
        strcpy(worker->worker.tape.agent, r->name);
    } else if (!sb_worker_play(&worker->worker, sb_cast_agent(&schedule->cast, &name), &name, NULL, NULL, error)) {
        return false;
    }
    put_entry(at->attempt, &worker->worker.tape, &p->line);
    return true;
}

/* Begins the journal. */
static bool begin_journal(run *r, sb_error *error) {
    char salt[SB_SALT_HEX];
    sb_out head = sb_out_growing();
    sb_salt_print(&r->agent.rules.slots.salt, salt);
    put_head(r, salt, &head);
    r->is_there = (sb_out_ok(&head) || sb_fail(error, SB_MEMORY, "out of memory for a journal")) &&
                  sb_destination_save(r->playing->destination, SB_PLAYING_NAME, &head, error);
    sb_out_free(&head);
    return r->is_there;
}

static bool keep(run *r, const sb_out *line, sb_error *error) {
    return (r->is_there || begin_journal(r, error)) &&
           sb_destination_append(r->playing->destination, SB_PLAYING_NAME, line, error);
}

static bool lose(run *r, const sb_failure *failure, sb_error *error) {
    r->n_lost++, r->lost_in_a_row++;
    r->failure = *failure;
    return r->lost_in_a_row < SB_LOST_IN_A_ROW ||
           sb_fail(error, SB_IO,
                   "%d episodes in a row were lost, the last one by `%s`: %.120s. The tapes are kept: the same command "
                   "with --resume goes on",
                   SB_LOST_IN_A_ROW, sb_failure_names[failure->kind], failure->text);
}

/* Keeps an episode that is over, or counts it as lost. */
static bool settle(run *r, const played *p, sb_error *error) {
    const sb_playing *playing = r->playing;
    if (p->failure.kind && p->failure.kind != SB_FAILED_STEPS) {
        if (!lose(r, &p->failure, error)) return false;
    } else {
        r->lost_in_a_row = 0;
        if (!keep(r, &p->line, error)) return false;
    }
    r->n_done++;
    if (playing->progress) playing->progress(playing->context, r->n_done, r->n_seats);
    return !sb_is_stopped(playing->stop) ||
           sb_fail(error, SB_INVALID, "stopped after %zu of %zu episodes; it can be resumed", r->n_done, r->n_seats);
}

static bool take(void *context, size_t index, void *slot, sb_error *error) {
    (void)index;
    return settle(context, slot, error);
}

static bool play_one_by_one(run *r, sb_error *error) {
    const sb_pool pool = {.workers = r->playing->jobs,
                          .context = r,
                          .work = work,
                          .take = take,
                          .slot_size = sizeof(played),
                          .scratch_size = sizeof(sb_agent_worker),
                          .free_slot = free_played,
                          .free_scratch = sb_agent_worker_free};
    return sb_pool_run(&pool, r->n_todo, error);
}

/* ---- Playing several at a time ---- */

static bool give_next(void *context, sb_round_episode *episode, bool *none, sb_error *error) {
    run *r = context;
    (void)error;
    pthread_mutex_lock(&r->mutex);
    *none = r->next == r->n_rounds;
    if (!*none) episode->place = r->rounds[r->next++];
    pthread_mutex_unlock(&r->mutex);
    if (*none) return true;
    const seat *at = &r->seats[episode->place];
    sb_selection_name(&r->playing->schedule->selection, at->episode, &episode->name);
    episode->attempt = at->attempt;
    return true;
}

static bool take_done(void *context, const sb_round_episode *episode, sb_tape *tape, const sb_slot *slot,
                      sb_error *error) {
    run *r = context;
    played p = {.line = sb_out_growing(), .failure = slot->failure};
    strcpy(tape->agent, r->name);
    put_entry(episode->attempt, tape, &p.line);
    pthread_mutex_lock(&r->mutex);
    const bool ok = settle(r, &p, error);
    pthread_mutex_unlock(&r->mutex);
    sb_out_free(&p.line);
    sb_tape_clear(tape);
    return ok;
}

static bool play_in_rounds(run *r, sb_error *error) {
    const sb_round_feed feed = {r, give_next, take_done};
    return sb_agent_play_rounds(&r->agent, r->n_rounds, r->playing->jobs, &feed, error);
}

/* ---- All of them ---- */

/* Says which seats are still to be taken; programs that play in rounds get their own list. */
static void list_seats(run *r) {
    const sb_schedule *schedule = r->playing->schedule;
    const bool rounds = sb_agent_takes_rounds(&r->agent);
    sb_name name;
    for (size_t i = 0; i < r->n_seats; i++) {
        if (r->seats[i].taken) continue;
        if (rounds && is_program(schedule, sb_selection_name(&schedule->selection, r->seats[i].episode, &name)))
            r->rounds[r->n_rounds++] = i;
        else
            r->todo[r->n_todo++] = i;
    }
}

/* Says of a plugin that it sees what those who learn from it will not see. */
static void tell_privileged(const run *r) {
    char text[200];
    if (r->agent.plugin.kind != SB_PLUGIN_EVERYTHING || !r->playing->note) return;
    snprintf(text, sizeof text,
             "the plugin `%s` says that it sees everything: who sees observations only may not be able to do the same",
             r->agent.plugin.name);
    r->playing->note(r->playing->context, text);
}

/* Says where the rows will not ask what the program asks its model. */
static void tell_prompts(const run *r) {
    sb_error ignored;
    const sb_out *about = &r->agent.about;
    cJSON *told = about->size ? sb_json_parse(about->data, about->size - 1, &ignored) : NULL;
    sb_note_other_prompts(r->playing->schedule, told, r->playing->note, r->playing->context);
    cJSON_Delete(told);
}

/* Starts the program, which has to be the one whose tapes are there. */
static bool start(run *r, sb_error *error) {
    const sb_playing *playing = r->playing;
    if (!sb_agent_open(&r->agent, &r->program, &playing->schedule->selection, error)) return false;
    sb_recorded_agent(r->agent.label, r->name);
    if (playing->started) playing->started(playing->context);
    tell_privileged(r), tell_prompts(r);
    if (!*r->begun || strcmp(r->begun, r->name) == 0) return true;
    sb_agent_close(&r->agent);
    return sb_fail(error, SB_INVALID,
                   "%s was begun by the program `%s`, and this one is `%s`; use --force to start again", r->path.text,
                   r->begun, r->name);
}

static bool play(run *r, sb_error *error) {
    const sb_playing *playing = r->playing;
    for (size_t i = 0; i < r->n_seats; i++) r->n_done += r->seats[i].taken;
    if (r->n_done == r->n_seats) return true;
    if (!start(r, error)) return false;
    list_seats(r);
    const bool ok = play_one_by_one(r, error) && play_in_rounds(r, error);
    sb_agent_close(&r->agent);
    if (*r->agent.note && playing->note) playing->note(playing->context, r->agent.note);
    return ok;
}

/* ---- The whole ---- */

static void tell_lost(const run *r) {
    char text[400];
    if (!r->n_lost || !r->playing->note) return;
    snprintf(text, sizeof text, "%zu of %zu episodes were lost and have no tape; the last one by `%s`: %.200s",
             r->n_lost, r->n_seats, sb_failure_names[r->failure.kind], r->failure.text);
    r->playing->note(r->playing->context, text);
}

/* Writes the salt that was given as journals have it: the hex digits may be of either case. */
static bool settle_salt(run *r, sb_error *error) {
    sb_salt salt;
    if (!r->program.salt) return true;
    if (!sb_salt_parse(r->program.salt, &salt, error)) return false;
    sb_salt_print(&salt, r->salt);
    r->program.salt = r->salt;
    return true;
}

static bool run_all(run *r, sb_error *error) {
    if (!settle_salt(r, error) || !make_seats(r, error) || !take_over(r, error)) return false;
    if (!play(r, error)) return false;
    tell_lost(r);
    return save_tapes(r, error);
}

bool sb_playing_run(const sb_playing *playing, sb_error *error) {
    run r = {.playing = playing,
             .program = *playing->program,
             .path = sb_path_in(playing->destination->folder, SB_PLAYING_NAME)};
    pthread_mutex_init(&r.mutex, NULL);
    const bool ok = run_all(&r, error);
    pthread_mutex_destroy(&r.mutex);
    free(r.seats), free(r.order), free(r.todo), free(r.rounds);
    return ok;
}
