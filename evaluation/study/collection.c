#include "evaluation/study/collection.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grow.h"
#include "datasets/key_set.h"
#include "evaluation/study/folder.h"

enum { PATH = 1200 };

/* A participant of whom something is kept. */
typedef struct participant {
    char number[SB_PARTICIPANT];
    uint64_t place; /* how many joined before; UINT64_MAX: the participant did not join here */
} participant;

struct sb_collection {
    const sb_study *study;
    const sb_catalogue *catalogue;
    sb_lock lock;
    sb_file files[SB_FOLDER_FILES];
    /* whether a piece of a record may stand at the end of the file, which could not be cut off */
    bool broken[SB_FOLDER_FILES];
    pthread_mutex_t mutex; /* protects the members below it, and the files */
    participant *participants;
    size_t n_participants, capacity, most;
    uint64_t next_place;
    size_t n_tapes;
    sb_key_set places;   /* keys of records: which play or answer of which participant */
    sb_key_set contents; /* keys of records with what they say */
    sb_key_set plays;    /* keys of plays: episode, actions and times, whoever played */
    sb_key_set gone;     /* keys of participants who were forgotten */
};

/* ---- What identifies a record ---- */

typedef struct identity {
    uint64_t place[2], content[2], play[2];
    bool has_play; /* only plays with some actions: short ones may be equal by chance */
} identity;

static bool hash_of(sb_out *text, uint64_t key[2], sb_error *error) {
    const bool ok = sb_out_ok(text) || sb_fail(error, SB_MEMORY, "out of memory for a record");
    if (ok) sb_hash128(text->data, text->size, key);
    sb_out_free(text);
    return ok;
}

static void put_place(const sb_posted *r, sb_out *out) {
    sb_putf(out, "%d %s ", (int)r->kind, r->participant);
    if (r->kind == SB_POSTED_TAPE) sb_putf(out, "%u", (unsigned)r->tape.person.ordinal);
    if (r->kind == SB_POSTED_ANSWER) sb_putf(out, "%s %llu", r->question, (unsigned long long)r->after);
}

static void put_content(const sb_posted *r, sb_out *out) {
    put_place(r, out);
    sb_putc(out, '\n');
    if (r->kind == SB_POSTED_ANSWER) sb_put_out(out, &r->value);
    if (r->kind == SB_POSTED_TAPE) sb_tape_put_without_times(&r->tape, out);
}

static void put_play(const sb_posted *r, sb_out *out) {
    char name[SB_NAME_MAX];
    const sb_tape *tape = &r->tape;
    sb_name_print(&tape->name, name, sizeof name);
    sb_puts(out, name);
    for (size_t i = 0; i < tape->n; i++)
        sb_putf(out, " %d %llu", (int)tape->actions[i], (unsigned long long)tape->person.milliseconds[i]);
}

static bool identify(sb_posted *r, identity *id, sb_error *error) {
    enum { SOME = 4 };
    sb_out place = sb_out_growing(), content = sb_out_growing(), play = sb_out_growing();
    put_place(r, &place), put_content(r, &content), put_play(r, &play);
    id->has_play = r->kind == SB_POSTED_TAPE && r->tape.n >= SOME;
    const bool ok = hash_of(&place, id->place, error);
    const bool said = hash_of(&content, id->content, error);
    return hash_of(&play, id->play, error) && ok && said;
}

static void key_of_gone(const char *number, uint64_t key[2]) {
    char hex[SB_SHA256_HEX];
    sb_sha256_hex(number, strlen(number), hex);
    sb_hash128(hex, strlen(hex), key);
}

/* ---- Participants ---- */

static participant *find(const sb_collection *c, const char *number) {
    for (size_t i = 0; i < c->n_participants; i++)
        if (strcmp(c->participants[i].number, number) == 0) return &c->participants[i];
    return NULL;
}

static bool make_room(sb_collection *c, sb_error *error) {
    if (!SB_GROW(c->participants, c->n_participants + 1, c->capacity))
        return sb_fail(error, SB_MEMORY, "out of memory for %zu participants", c->n_participants + 1);
    return sb_key_set_grow(&c->places, error) && sb_key_set_grow(&c->contents, error) &&
           sb_key_set_grow(&c->plays, error) && sb_key_set_grow(&c->gone, error);
}

/* Notes a record that is kept; there has to be room. */
static void note(sb_collection *c, const sb_posted *r, const identity *id) {
    participant *p = find(c, r->participant);
    if (!p) {
        p = &c->participants[c->n_participants++];
        *p = (participant){.place = UINT64_MAX};
        strcpy(p->number, r->participant);
    }
    if (r->kind == SB_POSTED_JOIN) p->place = r->place;
    if (r->kind == SB_POSTED_JOIN && r->place >= c->next_place) c->next_place = r->place + 1;
    c->n_tapes += r->kind == SB_POSTED_TAPE;
    sb_key_set_add(&c->places, id->place), sb_key_set_add(&c->contents, id->content);
    if (id->has_play) sb_key_set_add(&c->plays, id->play);
}

/* ---- Opening ---- */

/* Reads a line of the folder that says who was forgotten; false: it says something else. */
static bool take_gone(sb_collection *c, const char *line, size_t n) {
    char hex[SB_SHA256_HEX];
    uint64_t key[2];
    if (!sb_forgotten_read(line, n, hex)) return false;
    sb_hash128(hex, strlen(hex), key);
    sb_key_set_add(&c->gone, key);
    return true;
}

static bool take_line(void *context, sb_folder_file which, const char *line, size_t n, sb_error *error) {
    sb_collection *c = context;
    sb_posted record = {0};
    identity id;
    if (!make_room(c, error)) return false;
    if (which == SB_FOLDER_PARTICIPANTS && take_gone(c, line, n)) return true;
    bool ok = sb_posted_read(&record, c->study, c->catalogue, line, n, error) && identify(&record, &id, error);
    ok = ok && ((record.kind == SB_POSTED_TAPE) == (which == SB_FOLDER_TAPES) ||
                sb_fail(error, SB_INVALID, "the line belongs in another file of the folder"));
    if (ok) note(c, &record, &id);
    sb_posted_free(&record);
    return ok;
}

static bool open_file(sb_collection *c, const char *folder, sb_folder_file which, sb_error *error) {
    char path[PATH];
    size_t good = 0;
    sb_out found = sb_out_growing();
    if (!sb_folder_path(folder, which, path, sizeof path, error)) return false;
    bool ok = sb_file_continue(&c->files[which], path, &found, error) &&
              sb_folder_walk(which, found.data, found.size, take_line, c, &good, error) &&
              (good == found.size ||
               (sb_file_cut(&c->files[which], good, error) && sb_file_flush(&c->files[which], error)));
    sb_out_free(&found);
    return ok;
}

/* A folder that has plays already but no study is refused: nobody knows which study they are of. */
static bool adopt(const sb_collection *c, const char *folder, const char *path, sb_error *error) {
    char tapes[PATH];
    if (!sb_folder_path(folder, SB_FOLDER_TAPES, tapes, sizeof tapes, error)) return false;
    if (sb_file_exists(tapes))
        return sb_fail(error, SB_MISMATCH, "%s has tapes but no study.json: choose another folder",
                       sb_path_end(folder));
    return sb_file_save_under(path, &c->lock, c->study->text.data, c->study->text.size, error);
}

static bool check_study(const sb_collection *c, const char *folder, sb_error *error) {
    char path[PATH], there[SB_SHA256_HEX];
    sb_out text = sb_out_growing();
    if (!sb_folder_path(folder, SB_FOLDER_STUDY, path, sizeof path, error)) return false;
    if (!sb_file_exists(path)) return adopt(c, folder, path, error);
    bool ok = sb_file_load_plain(path, SB_STUDY_BYTES, &text, error);
    if (ok) sb_sha256_hex(text.data, text.size, there);
    ok = ok && (strcmp(there, c->study->digest) == 0 ||
                sb_fail(error, SB_MISMATCH,
                        "%s belongs to another study (%.12s, this one is %.12s): a study that is changed needs a "
                        "folder of its own",
                        sb_path_end(folder), there, c->study->digest));
    sb_out_free(&text);
    return ok;
}

sb_collection *sb_collection_open(const sb_study *study, const sb_catalogue *catalogue, const char *folder,
                                  uint64_t participants, sb_error *error) {
    sb_collection *c = calloc(1, sizeof *c);
    if (!c) return sb_fail(error, SB_MEMORY, "out of memory for a study"), NULL;
    c->study = study, c->catalogue = catalogue, c->most = (size_t)participants;
    pthread_mutex_init(&c->mutex, NULL);
    bool ok = sb_make_folder(folder, error) && sb_lock_folder(&c->lock, folder, error) && check_study(c, folder, error);
    for (sb_folder_file which = 0; ok && which < SB_FOLDER_FILES; which++)
        ok = which == SB_FOLDER_STUDY || open_file(c, folder, which, error);
    if (ok) return c;
    sb_collection_close(c);
    return NULL;
}

void sb_collection_close(sb_collection *c) {
    if (!c) return;
    for (size_t i = 0; i < SB_FOLDER_FILES; i++) sb_file_leave(&c->files[i]);
    sb_lock_release(&c->lock);
    sb_key_set_free(&c->places), sb_key_set_free(&c->contents), sb_key_set_free(&c->plays);
    sb_key_set_free(&c->gone);
    free(c->participants);
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

bool sb_collection_lacks_lock(const sb_collection *c) { return c->lock.missing; }

void sb_collection_count(sb_collection *c, size_t *participants, size_t *tapes) {
    pthread_mutex_lock(&c->mutex);
    *participants = c->n_participants, *tapes = c->n_tapes;
    pthread_mutex_unlock(&c->mutex);
}

/* ---- Keeping ---- */

static void put_line(sb_posted *r, const char *study, sb_out *out) {
    if (r->kind == SB_POSTED_TAPE) {
        sb_tape_put_line(&r->tape, out);
        return;
    }
    sb_puts(out, "{");
    sb_member_int(out, r->kind == SB_POSTED_JOIN ? "join" : "answer", 1);
    sb_member_text(out, "study", study), sb_member_text(out, "participant", r->participant);
    if (r->kind == SB_POSTED_JOIN) sb_member_uint(out, "place", r->place);
    if (r->kind == SB_POSTED_ANSWER) {
        sb_member_text(out, "question", r->question), sb_member_uint(out, "after", r->after);
        sb_put_key(out, "value"), sb_put_out(out, &r->value);
    }
    sb_puts(out, "}\n");
}

/* Appends and flushes a line. What of it was written before a failure is cut off, at once or before the next one. */
static bool append(sb_collection *c, sb_folder_file which, const sb_out *line, sb_error *error) {
    sb_file *file = &c->files[which];
    const uint64_t before = file->size;
    sb_error ignored;
    if (c->broken[which] && !sb_file_cut(file, before, error)) return false;
    c->broken[which] = false;
    if (sb_file_write(file, line->data, line->size, error) && sb_file_flush(file, error)) return true;
    c->broken[which] = !sb_file_cut(file, before, &ignored);
    file->size = before;
    return false;
}

/* What stands against keeping a record, or that nothing does. */
static sb_posted_fate judge(const sb_collection *c, const sb_posted *r, const identity *id, sb_error *error) {
    uint64_t gone[2];
    key_of_gone(r->participant, gone);
    if (sb_key_set_has(&c->gone, gone))
        return sb_fail(error, SB_INVALID, "this participant asked to be forgotten"), SB_POSTED_GONE;
    if (sb_key_set_has(&c->contents, id->content)) return SB_POSTED_KNOWN;
    if (sb_key_set_has(&c->places, id->place))
        return sb_fail(error, SB_MISMATCH, "another record of this participant stands in its place"),
               SB_POSTED_CONFLICT;
    if (id->has_play && sb_key_set_has(&c->plays, id->play))
        return sb_fail(error, SB_MISMATCH, "the same play, to the millisecond, is kept already"), SB_POSTED_CONFLICT;
    if (!find(c, r->participant) && c->n_participants >= c->most)
        return sb_fail(error, SB_INVALID, "the study takes no more participants"), SB_POSTED_TOO_MANY;
    return SB_POSTED_KEPT;
}

static sb_posted_fate keep(sb_collection *c, sb_posted *r, const identity *id, sb_error *error) {
    const sb_posted_fate fate = judge(c, r, id, error);
    if (fate != SB_POSTED_KEPT) return fate;
    sb_out line = sb_out_growing();
    if (r->kind == SB_POSTED_JOIN) r->place = c->next_place;
    put_line(r, c->study->name, &line);
    bool ok = sb_out_ok(&line) || sb_fail(error, SB_MEMORY, "out of memory for a record");
    ok = ok && make_room(c, error) &&
         append(c, r->kind == SB_POSTED_TAPE ? SB_FOLDER_TAPES : SB_FOLDER_PARTICIPANTS, &line, error);
    sb_out_free(&line);
    if (ok) note(c, r, id);
    return ok ? SB_POSTED_KEPT : SB_POSTED_FAILED;
}

static sb_posted_fate judge_alone(sb_collection *c, const sb_posted *r, const identity *id, sb_error *error) {
    pthread_mutex_lock(&c->mutex);
    const sb_posted_fate fate = judge(c, r, id, error);
    pthread_mutex_unlock(&c->mutex);
    return fate;
}

sb_posted_fate sb_collection_take(sb_collection *c, sb_posted *r, sb_env *env, uint64_t *place, sb_error *error) {
    identity id;
    *place = UINT64_MAX;
    if (!identify(r, &id, error)) return SB_POSTED_FAILED;
    sb_posted_fate fate = judge_alone(c, r, &id, error); /* what is known already is not replayed */
    if (fate == SB_POSTED_KEPT && r->kind == SB_POSTED_TAPE && !sb_tape_replay(&r->tape, env, NULL, NULL, error))
        return error->code == SB_MEMORY ? SB_POSTED_FAILED : SB_POSTED_REFUSED;
    pthread_mutex_lock(&c->mutex);
    if (fate == SB_POSTED_KEPT) fate = keep(c, r, &id, error);
    const participant *p = find(c, r->participant);
    if (p) *place = p->place;
    pthread_mutex_unlock(&c->mutex);
    return fate;
}
