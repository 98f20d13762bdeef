#include "rollout/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Larger times are no times of a play: ten years. */
#define MOST_MILLISECONDS 315576000000.0

void sb_person_free(sb_person *person) {
    free(person->expert), free(person->milliseconds);
    *person = (sb_person){0};
}

void sb_person_clear(sb_person *person) {
    const sb_person kept = *person;
    *person = (sb_person){.expert = kept.expert,
                          .expert_capacity = kept.expert_capacity,
                          .milliseconds = kept.milliseconds,
                          .capacity = kept.capacity};
}

bool sb_played_alone(const sb_person *person) { return !person->hints && !person->undos && !person->n_expert; }

/* ---- Names ---- */

bool sb_is_participant(const char *text) {
    return strlen(text) == SB_PARTICIPANT - 1 && strspn(text, "0123456789abcdef") == SB_PARTICIPANT - 1;
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

bool sb_is_study_name(const char *text) {
    const size_t n = strlen(text);
    return n > 0 && n < SB_STUDY_NAME && strspn(text, LETTERS) > 0 && strspn(text, LETTERS "._-") == n;
}

/* ---- Printing ---- */

static void print_lists(const sb_person *p, bool times, sb_out *out) {
    sb_put_key(out, "expert"), sb_puts(out, "[");
    for (size_t i = 0; i < p->n_expert; i++) sb_put_comma(out), sb_put_uint(out, p->expert[i]);
    sb_puts(out, "]");
    if (!times) return;
    sb_put_key(out, "milliseconds"), sb_puts(out, "[");
    for (size_t i = 0; i < p->n; i++) sb_put_comma(out), sb_put_uint(out, p->milliseconds[i]);
    sb_puts(out, "]");
}

void sb_person_print(const sb_person *p, bool times, sb_out *out) {
    if (!p->known) return;
    sb_put_key(out, "person"), sb_puts(out, "{");
    if (*p->participant) sb_member_text(out, "participant", p->participant);
    if (*p->study) sb_member_text(out, "study", p->study);
    sb_member_uint(out, "ordinal", p->ordinal), sb_member_uint(out, "attempt", p->attempt);
    sb_member_uint(out, "hints", p->hints), sb_member_uint(out, "undos", p->undos);
    print_lists(p, times, out);
    sb_puts(out, "}");
}

/* ---- Reading ---- */

static bool read_count(const cJSON *object, const char *key, uint32_t least, uint32_t *count, sb_error *error) {
    uint64_t value;
    if (!sb_json_uint(object, key, &value, error)) return false;
    *count = (uint32_t)value;
    return (value >= least && value <= INT32_MAX) ||
           sb_fail(error, SB_INVALID, "key `%s` should be a number from %u to %d", key, (unsigned)least, INT32_MAX);
}

static bool read_names(const cJSON *object, sb_person *p, sb_error *error) {
    const char *participant = "", *study = "";
    if (!sb_json_optional_string(object, "participant", &participant, error) ||
        !sb_json_optional_string(object, "study", &study, error))
        return false;
    if (cJSON_HasObjectItem(object, "participant") && !sb_is_participant(participant))
        return sb_fail(error, SB_INVALID, "key `participant` should be 16 hexadecimal digits in lower case");
    if (cJSON_HasObjectItem(object, "study") && !sb_is_study_name(study))
        return sb_fail(error, SB_INVALID, "key `study` should be 1 to %d letters, digits and ._-", SB_STUDY_NAME - 1);
    strcpy(p->participant, participant), strcpy(p->study, study);
    return true;
}

static bool no_memory(sb_error *error) { return sb_fail(error, SB_MEMORY, "out of memory for the times of a play"); }

static bool read_expert(const cJSON *object, size_t actions, sb_person *p, sb_error *error) {
    const cJSON *list, *item;
    double step, least = 0;
    if (!sb_json_array(object, "expert", &list, error)) return false;
    const size_t n = (size_t)cJSON_GetArraySize(list);
    if (n > p->expert_capacity) {
        uint32_t *more = realloc(p->expert, n * sizeof *more);
        if (!more) return no_memory(error);
        p->expert = more, p->expert_capacity = n;
    }
    cJSON_ArrayForEach(item, list) {
        if (!sb_json_is_whole(item, least, (double)actions - 1, &step))
            return sb_fail(error, SB_INVALID, "key `expert`: item %zu should be one of the tape's %zu steps, ascending",
                           p->n_expert, actions);
        p->expert[p->n_expert++] = (uint32_t)step, least = step + 1;
    }
    return true;
}

static bool read_times(const cJSON *object, size_t actions, sb_person *p, sb_error *error) {
    const cJSON *list, *item;
    double time, least = 0;
    if (!sb_json_array(object, "milliseconds", &list, error)) return false;
    const size_t n = (size_t)cJSON_GetArraySize(list);
    if (n != actions)
        return sb_fail(error, SB_INVALID, "key `milliseconds` has %zu times, but the tape has %zu actions", n, actions);
    if (n > p->capacity) {
        uint64_t *more = realloc(p->milliseconds, n * sizeof *more);
        if (!more) return no_memory(error);
        p->milliseconds = more, p->capacity = n;
    }
    cJSON_ArrayForEach(item, list) {
        if (!sb_json_is_whole(item, least, MOST_MILLISECONDS, &time))
            return sb_fail(error, SB_INVALID,
                           "key `milliseconds`: item %zu should be a whole number, and not below the one before", p->n);
        p->milliseconds[p->n++] = (uint64_t)time, least = time;
    }
    return true;
}

static bool read_members(const cJSON *object, size_t actions, sb_person *p, sb_error *error) {
    static const char *const keys[] = {"participant", "study",  "ordinal",      "attempt", "hints",
                                       "undos",       "expert", "milliseconds", NULL};
    p->known = true;
    return sb_json_known_keys(object, keys, error) && read_names(object, p, error) &&
           read_count(object, "ordinal", 0, &p->ordinal, error) &&
           read_count(object, "attempt", 1, &p->attempt, error) && read_count(object, "hints", 0, &p->hints, error) &&
           read_count(object, "undos", 0, &p->undos, error) && read_expert(object, actions, p, error) &&
           read_times(object, actions, p, error);
}

bool sb_person_read(const cJSON *tape, const char *agent, size_t actions, sb_person *person, sb_error *error) {
    const cJSON *object = NULL;
    sb_person_clear(person);
    if (!cJSON_HasObjectItem(tape, "person")) return true;
    if (!sb_json_object(tape, "person", &object, error)) return false;
    if (strcmp(agent, SB_HUMAN) != 0)
        return sb_fail(error, SB_INVALID, "key `person` is there, although the agent is %.40s and not %s", agent,
                       SB_HUMAN);
    return read_members(object, actions, person, error) || sb_fail_at(error, "key `person`");
}
