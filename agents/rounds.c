#include "agents/program.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"

/* A slot with its memory, and the episode that runs there. */
typedef struct seat {
    bool runs;
    sb_round_episode episode;
    sb_slot slot;
    sb_env *env; /* NULL until the first episode */
    sb_tape tape;
    const cJSON *answer; /* the answer to the seat's message in this round; NULL: none */
    bool twice;          /* the seat's message has two answers */
} seat;

typedef struct session {
    sb_agent_program *program;
    const sb_program_rules *rules;
    sb_guard *guard;
    const sb_catalogue *catalogue;
    const sb_round_feed *feed;
    seat *seats;
    size_t n;                /* number of seats */
    sb_round_episode *again; /* episodes to play alone, the next one last */
    size_t n_again;
    bool alone;   /* the episode that runs is the only one, and whatever fails is its own fault */
    bool drained; /* there are no more episodes */
} session;

/* ---- Episodes ---- */

static size_t count_running(const session *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) n += s->seats[i].runs;
    return n;
}

/* Hands over an episode that runs no more. */
static bool hand_over(const session *s, seat *at, sb_error *error) {
    at->runs = false;
    sb_slot_finish(&at->slot);
    const bool ok = s->feed->done(s->feed->context, &at->episode, &at->tape, &at->slot, error);
    at->tape = (sb_tape){0};
    return ok;
}

static bool begin_episode(const session *s, seat *at, sb_error *error) {
    if (!at->env) at->env = sb_make(s->catalogue, NULL, error);
    if (!at->env) return false;
    at->slot.env = at->env, at->slot.tape = &at->tape;
    at->runs = sb_slot_begin(&at->slot, &at->episode.name, at->episode.attempt, error);
    return at->runs && sb_said_add_again(&at->tape.said, &at->episode.before, error);
}

static bool fill_seat(session *s, seat *at, sb_error *error) {
    at->episode = (sb_round_episode){0};
    if (!s->feed->next(s->feed->context, &at->episode, &s->drained, error)) return false;
    return s->drained || begin_episode(s, at, error);
}

/* Begins episodes in the seats that are free. Those that are played again come first, one at a time. */
static bool fill_seats(session *s, sb_error *error) {
    if (s->n_again || s->alone) {
        if (count_running(s)) return true;
        s->alone = s->n_again > 0;
        if (s->alone) {
            s->seats[0].episode = s->again[--s->n_again];
            return begin_episode(s, &s->seats[0], error);
        }
    }
    for (size_t i = 0; i < s->n && !s->drained; i++)
        if (!s->seats[i].runs && !fill_seat(s, &s->seats[i], error)) return false;
    return true;
}

/* ---- A round ---- */

/* Ends the episodes that may not go on; the others say what they want to see. */
static bool check_limits(const session *s, sb_error *error) {
    for (size_t i = 0; i < s->n; i++) {
        seat *at = &s->seats[i];
        if (!at->runs || (sb_slot_may_go_on(&at->slot, &s->rules->slots) &&
                          (at->slot.next != SB_MESSAGE_RESET || sb_slot_look(&at->slot, s->program->hello))))
            continue;
        if (!hand_over(s, at, error)) return false;
    }
    return true;
}

static bool put_messages(const session *s, size_t *count, sb_error *error) {
    sb_out *line = sb_program_line(s->program);
    *count = 0;
    sb_member_text(line, "op", "round");
    sb_put_key(line, "messages");
    sb_puts(line, "[");
    for (size_t i = 0; i < s->n; i++) {
        if (!s->seats[i].runs) continue;
        ++*count;
        sb_put_comma(line);
        sb_puts(line, "{");
        sb_member_uint(line, "slot", i);
        if (!sb_slot_put(&s->seats[i].slot, &s->rules->slots, line, error)) return false;
        sb_puts(line, "}");
    }
    sb_puts(line, "]");
    return true;
}

/* Finds the answer to every message; false if one is to no message. */
static bool sort_answers(const session *s, const cJSON *replies, sb_error *why) {
    const cJSON *item;
    double number;
    for (size_t i = 0; i < s->n; i++) s->seats[i].answer = NULL, s->seats[i].twice = false;
    cJSON_ArrayForEach(item, replies) {
        if (!cJSON_IsObject(item) ||
            !sb_json_is_whole(cJSON_GetObjectItemCaseSensitive(item, "slot"), 0, (double)(s->n - 1), &number) ||
            !s->seats[(size_t)number].runs)
            return sb_fail(why, SB_INVALID, "every item of `replies` should have the `slot` of a message");
        seat *at = &s->seats[(size_t)number];
        at->twice = at->answer;
        at->answer = item;
    }
    return true;
}

/* Does what the answer says; a bad one loses the episode, unless it was over. */
static bool take_answer(const session *s, seat *at, sb_error *error) {
    sb_slot *slot = &at->slot;
    const char *op = sb_message_names[slot->next];
    const bool over = slot->next == SB_MESSAGE_END;
    if (at->twice || !at->answer) {
        sb_failed(&slot->failure, SB_FAILED_NONSENSE, "there %s in its slot to `%s`",
                  at->twice ? "are two answers" : "is no answer", op);
    } else if (!sb_slot_take(slot, &s->rules->slots, at->answer, NULL, error) && !slot->failure.kind) {
        return false;
    }
    if (over) slot->failure.kind = SB_NO_FAILURE;
    return (!over && !slot->failure.kind) || hand_over(s, at, error);
}

static bool take_answers(const session *s, const cJSON *object, sb_failure *failure, sb_error *error) {
    sb_error why;
    const cJSON *replies = cJSON_GetObjectItemCaseSensitive(object, "replies");
    if (!cJSON_IsArray(replies))
        return sb_failed(failure, SB_FAILED_NONSENSE, "its answer to `round` has no list `replies`");
    if (!sort_answers(s, replies, &why))
        return sb_failed(failure, SB_FAILED_NONSENSE, "its answer to `round`: %s", why.text);
    for (size_t i = 0; i < s->n; i++)
        if (s->seats[i].runs && !take_answer(s, &s->seats[i], error)) return false;
    return true;
}

/* Sends a message for every running episode and takes the answers. False with a failure of the whole line or of the
 * process, or with an error. */
static bool play_round(const session *s, sb_failure *failure, sb_error *error) {
    size_t count;
    if (!sb_program_begin(s->program, s->rules, s->guard, false, failure, error) || failure->kind) return false;
    if (!check_limits(s, error) || !put_messages(s, &count, error)) return false;
    if (count == 0) return true;
    cJSON *object = sb_program_ask(s->program, s->rules, "round", count, failure, error);
    const bool ok = object && take_answers(s, object, failure, error);
    cJSON_Delete(object);
    return ok;
}

/* After a failure of the whole: an episode that ran alone is lost, others are played again. Episodes that are over had
 * only not been told so. */
static bool give_up_round(session *s, const sb_failure *failure, sb_error *error) {
    bool ok = true;
    sb_program_end(s->program, false);
    for (size_t i = s->n; ok && i-- > 0;) {
        seat *at = &s->seats[i];
        if (!at->runs) continue;
        if (!s->alone && at->slot.next != SB_MESSAGE_END) {
            at->runs = false;
            at->episode.before = sb_said_total(&at->tape.said);
            s->again[s->n_again++] = at->episode;
            continue;
        }
        if (at->slot.next != SB_MESSAGE_END) at->slot.failure = *failure;
        ok = hand_over(s, at, error);
    }
    return ok;
}

/* ---- The session ---- */

static bool play_all(session *s, sb_error *error) {
    sb_failure failure;
    while (fill_seats(s, error)) {
        if (count_running(s) == 0 && s->n_again == 0) return true;
        failure.kind = SB_NO_FAILURE;
        if (!play_round(s, &failure, error) && !(failure.kind && give_up_round(s, &failure, error))) return false;
    }
    return false;
}

bool sb_rounds_play(sb_agent_program *program, const sb_program_rules *rules, sb_guard *guard,
                    const sb_catalogue *catalogue, const sb_round_feed *feed, sb_error *error) {
    session s = {.program = program,
                 .rules = rules,
                 .guard = guard,
                 .catalogue = catalogue,
                 .feed = feed,
                 .seats = calloc(rules->batch, sizeof *s.seats),
                 .n = rules->batch,
                 .again = calloc(rules->batch, sizeof *s.again)};
    bool ok = (s.seats && s.again) || sb_fail(error, SB_MEMORY, "out of memory for %zu episodes at a time", s.n);
    ok = ok && play_all(&s, error);
    for (size_t i = 0; s.seats && i < s.n; i++) {
        sb_free(s.seats[i].env);
        sb_tape_clear(&s.seats[i].tape);
        sb_slot_free(&s.seats[i].slot);
    }
    free(s.seats), free(s.again);
    return ok;
}
