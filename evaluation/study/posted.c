/* Reads what a participant's page sends (collection.h). */
#include <string.h>

#include "base/error.h"
#include "evaluation/study/collection.h"

void sb_posted_free(sb_posted *record) {
    sb_tape_clear(&record->tape);
    sb_out_free(&record->value);
    *record = (sb_posted){0};
}

/* Reads the members `study` and `participant`, which all but tapes have. */
static bool read_who(sb_posted *r, const sb_study *study, const cJSON *object, sb_error *error) {
    const char *name;
    if (!sb_json_string(object, "study", &name, error) ||
        !sb_json_text(object, "participant", r->participant, sizeof r->participant, error))
        return false;
    if (strcmp(name, study->name) != 0)
        return sb_fail(error, SB_MISMATCH, "this is the study %s, not %.60s", study->name, name);
    return sb_is_participant(r->participant) ||
           sb_fail(error, SB_INVALID, "key `participant` should be 16 hexadecimal digits in lower case");
}

/* ---- Tapes ---- */

static bool check_person(const sb_study *study, const sb_person *p, sb_error *error) {
    if (!p->known || !*p->participant) return sb_fail(error, SB_INVALID, "the tape does not say which participant");
    if (strcmp(p->study, study->name) != 0)
        return sb_fail(error, SB_MISMATCH, "this is the study %s, not `%s`", study->name, p->study);
    if (p->attempt > SB_STUDY_ATTEMPTS)
        return sb_fail(error, SB_INVALID, "key `attempt`: at most %d are counted", SB_STUDY_ATTEMPTS);
    if (p->ordinal >= study->played * study->attempts)
        return sb_fail(error, SB_INVALID, "key `ordinal`: a participant plays at most %llu times",
                       (unsigned long long)(study->played * study->attempts));
    if (p->undos && !study->undo) return sb_fail(error, SB_INVALID, "key `undos`: the study has no undo");
    return study->hint || !(p->hints || p->n_expert) ||
           sb_fail(error, SB_INVALID, "keys `hints` and `expert`: the study has no hints");
}

static bool check_play(const sb_study *study, const sb_tape *tape, sb_error *error) {
    if (tape->n_corrections || tape->n_purposes || tape->said.n)
        return sb_fail(error, SB_INVALID, "tapes of people have no labels, intents or thoughts");
    if (study->actions && tape->n > study->actions)
        return sb_fail(error, SB_INVALID, "the tape has %zu actions, but the study allows %llu", tape->n,
                       (unsigned long long)study->actions);
    return sb_study_find(study, &tape->name) < study->n ||
           sb_fail(error, SB_INVALID, "the episode is none of the study's");
}

static bool read_tape(sb_posted *r, const sb_study *study, const sb_catalogue *catalogue, const cJSON *object,
                      sb_error *error) {
    r->kind = SB_POSTED_TAPE;
    if (!sb_tape_read(catalogue, object, &r->tape, error) || !check_person(study, &r->tape.person, error)) return false;
    strcpy(r->participant, r->tape.person.participant);
    return check_play(study, &r->tape, error);
}

/* ---- Answers ---- */

static bool is_choice(const sb_question *q, const char *text) {
    const cJSON *choice;
    cJSON_ArrayForEach(choice, q->choices) {
        if (strcmp(choice->valuestring, text) == 0) return true;
    }
    return false;
}

static bool read_value(sb_posted *r, const sb_question *q, const cJSON *value, sb_error *error) {
    r->value = sb_out_growing();
    if (q->kind == SB_ASK_NUMBER) {
        if (!cJSON_IsNumber(value) || !(value->valuedouble >= q->least && value->valuedouble <= q->most))
            return sb_fail(error, SB_INVALID, "key `value` should be a number from %g to %g", q->least, q->most);
        sb_put_double(&r->value, value->valuedouble);
        return true;
    }
    if (!cJSON_IsString(value)) return sb_fail(error, SB_INVALID, "key `value` should be a text");
    if (q->kind == SB_ASK_CHOICE && !is_choice(q, value->valuestring))
        return sb_fail(error, SB_INVALID, "key `value` is none of the choices");
    if (q->kind == SB_ASK_TEXT && strlen(value->valuestring) > q->letters)
        return sb_fail(error, SB_INVALID, "key `value` has more than %llu bytes", (unsigned long long)q->letters);
    sb_put_json_string(&r->value, value->valuestring);
    return true;
}

static bool read_answer(sb_posted *r, const sb_study *study, const cJSON *object, sb_error *error) {
    static const char *const keys[] = {"answer", "study", "participant", "question", "after", "value", NULL};
    r->kind = SB_POSTED_ANSWER;
    if (!sb_json_known_keys(object, keys, error) || !read_who(r, study, object, error) ||
        !sb_json_text(object, "question", r->question, sizeof r->question, error) ||
        !sb_json_uint(object, "after", &r->after, error))
        return false;
    const sb_question *q = sb_study_question(study, r->question);
    if (!q) return sb_fail(error, SB_INVALID, "the study does not ask `%s`", r->question);
    if (r->after < 1 || r->after > study->played || !sb_is_asked(q, (size_t)r->after))
        return sb_fail(error, SB_INVALID, "key `after`: the question is not asked then");
    return read_value(r, q, cJSON_GetObjectItemCaseSensitive(object, "value"), error);
}

/* ---- Who joined, and who was forgotten ---- */

/* The place is the server's: a page does not say it. */
static bool read_join(sb_posted *r, const sb_study *study, const cJSON *object, sb_error *error) {
    static const char *const keys[] = {"join", "study", "participant", "place", NULL};
    r->kind = SB_POSTED_JOIN, r->place = UINT64_MAX;
    return sb_json_known_keys(object, keys, error) && read_who(r, study, object, error) &&
           sb_json_optional_uint(object, "place", &r->place, error);
}

static bool read_object(sb_posted *r, const sb_study *study, const sb_catalogue *catalogue, const cJSON *object,
                        sb_error *error) {
    if (cJSON_HasObjectItem(object, "tape")) return read_tape(r, study, catalogue, object, error);
    if (cJSON_HasObjectItem(object, "answer")) return read_answer(r, study, object, error);
    if (cJSON_HasObjectItem(object, "join")) return read_join(r, study, object, error);
    return sb_fail(error, SB_INVALID, "this is no tape, no answer, and nobody who joins");
}

bool sb_posted_read(sb_posted *record, const sb_study *study, const sb_catalogue *catalogue, const char *text, size_t n,
                    sb_error *error) {
    *record = (sb_posted){0};
    cJSON *object = sb_json_parse(text, n, error);
    const bool ok = object && read_object(record, study, catalogue, object, error);
    cJSON_Delete(object);
    return ok;
}
