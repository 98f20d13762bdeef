/* What a participant of a study will see, for people who make one. */
#include "evaluation/study/study.h"

static void put_limit(sb_out *out, const char *what, uint64_t limit, const char *unit) {
    if (limit)
        sb_putf(out, "  %s: at most %llu %s\n", what, (unsigned long long)limit, unit);
    else
        sb_putf(out, "  %s: no limit of %s\n", what, unit);
}

static void put_order(const sb_study *s, sb_out *out) {
    static const char *const words[] = {"in the order of the study", "in an order by the participant's place",
                                        "in an order drawn for each participant"};
    sb_putf(out, "%s: %zu episode%s of %zu, %s\n", s->name, s->played, sb_plural(s->played), s->n, words[s->order]);
    put_limit(out, "an episode", s->actions, "actions");
    put_limit(out, "an episode", s->seconds, "seconds");
    put_limit(out, "the whole", s->minutes, "minutes");
    sb_putf(out, "  attempts at an episode: %llu; undo is %s, hints are %s\n", (unsigned long long)s->attempts,
            s->undo ? "on" : "off", s->hint ? "on" : "off");
}

static void put_text(const sb_study *s, size_t which, sb_out *out) {
    sb_putf(out, "%s:\n  ", sb_study_text_names[which]);
    for (const char *at = s->texts[which]; *at; at++) {
        sb_putc(out, *at);
        if (*at == '\n') sb_puts(out, "  ");
    }
    sb_putc(out, '\n');
}

static void put_question(const sb_question *q, sb_out *out) {
    const cJSON *choice;
    sb_putf(out, "  question %s: %s", q->name, q->text);
    if (q->kind == SB_ASK_NUMBER) sb_putf(out, " (%g to %g)", q->least, q->most);
    if (q->kind == SB_ASK_TEXT) sb_putf(out, " (in words, at most %llu bytes)", (unsigned long long)q->letters);
    cJSON_ArrayForEach(choice, q->choices)
        sb_putf(out, "%s%s", choice == q->choices->child ? " (" : " | ", choice->valuestring);
    sb_puts(out, q->kind == SB_ASK_CHOICE ? ")\n" : "\n");
}

static void put_course(const sb_study *s, sb_out *out) {
    char name[SB_NAME_MAX];
    sb_puts(out, "episodes:\n");
    for (size_t i = 0; i < s->played; i++) {
        sb_name_print(&s->episodes[i], name, sizeof name);
        if (s->order == SB_ORDER_FIXED)
            sb_putf(out, "  %zu. %s\n", i + 1, name);
        else
            sb_putf(out, "  %zu. one of %zu\n", i + 1, s->n);
        for (size_t k = 0; k < s->n_questions; k++)
            if (sb_is_asked(&s->questions[k], i + 1)) put_question(&s->questions[k], out);
    }
}

void sb_study_tell(const sb_study *s, sb_out *out) {
    const double minutes = sb_study_minutes(s);
    put_order(s, out);
    if (minutes > 0)
        sb_putf(out, "  minutes of play: at most %.0f\n", minutes + 0.499);
    else
        sb_puts(out, "  minutes of play: nothing limits them\n");
    put_text(s, SB_TEXT_WELCOME, out), put_text(s, SB_TEXT_CONSENT, out), put_text(s, SB_TEXT_INSTRUCTIONS, out);
    put_course(s, out);
    put_text(s, SB_TEXT_END, out);
}
