/* Ledgers of models: any sequence of revisions against a model that keeps every verdict, documents that are read back,
 * and documents that are not ledgers of the log. */
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation/models/ledger.h"

enum { TRANSITIONS = 23, REVISIONS = 12 };

static const char *const log_hash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
static const char *const fields[] = {"positions/player/0/1", "a \"quoted\" field"};

/* A small generator of our own: the same verdicts in every run. */
static unsigned draw(uint64_t *state, unsigned below) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* ---- A model that remembers everything ---- */

typedef struct history {
    uint8_t verdicts[REVISIONS][TRANSITIONS][SB_MODEL_N_SOURCES];
    bool passed[REVISIONS][TRANSITIONS];
} history;

static bool is_asked(size_t i) { return i % 5 != 4; }

static void draw_verdicts(history *h, size_t r, uint64_t *state, sb_ledger_verdict *verdicts) {
    for (size_t i = 0; i < TRANSITIONS; i++) {
        sb_ledger_verdict *v = &verdicts[i];
        *v = (sb_ledger_verdict){.play = i / 8,
                                 .t = i % 8 * 2 + 1,
                                 .level = 1 + i % 3,
                                 .action = i % 2 ? "{\"id\":4}" : "\"left\"",
                                 .asked = is_asked(i),
                                 .passed = is_asked(i) && draw(state, 2)};
        h->passed[r][i] = v->passed;
        for (int s = 0; s < SB_MODEL_N_SOURCES; s++) {
            const unsigned verdict = draw(state, 3);
            h->verdicts[r][i][s] = (uint8_t)verdict;
            v->claims[s].verdict = verdict == 0 ? SB_NOT_JUDGED : verdict == 1 ? SB_RIGHT : SB_WRONG;
            v->claims[s].owner = (sb_model_owner)draw(state, SB_N_OWNERS);
            v->claims[s].fields = fields, v->claims[s].n_fields = draw(state, 3);
        }
    }
}

/* What an entry must be after r + 1 revisions, by the words of the specification. */
static sb_ledger_entry expected_entry(const history *h, size_t r, size_t i, int s, uint64_t *reopened) {
    sb_ledger_entry e = {.reopened = reopened};
    for (size_t k = 0; k <= r; k++) {
        const bool wrong = h->verdicts[k][i][s] == SB_WRONG, right = h->verdicts[k][i][s] == SB_RIGHT;
        e.times_wrong += wrong;
        if (wrong && !e.opened) {
            e.opened = k + 1;
        } else if (wrong && e.resolved) {
            e.resolved = 0;
            reopened[e.n_reopened++] = k + 1;
        } else if (right && e.opened && !e.resolved) {
            e.resolved = k + 1;
        }
    }
    return e;
}

static const sb_ledger_entry *find(const sb_ledger *ledger, const sb_ledger_verdict *v, int source) {
    for (size_t i = 0; i < ledger->n; i++) {
        const sb_ledger_entry *e = &ledger->entries[i];
        if (e->play == v->play && e->t == v->t && (int)e->source == source) return e;
    }
    return NULL;
}

static void check_entry(const sb_ledger_entry *found, const sb_ledger_entry *expected, const sb_ledger_verdict *v) {
    assert_true((found != NULL) == (expected->opened > 0));
    if (!found) return;
    assert_int_equal(found->opened, expected->opened);
    assert_int_equal(found->resolved, expected->resolved);
    assert_int_equal(found->times_wrong, expected->times_wrong);
    assert_int_equal(found->n_reopened, expected->n_reopened);
    assert_memory_equal(found->reopened, expected->reopened, found->n_reopened * sizeof *found->reopened);
    assert_string_equal(found->texts, v->action);
    assert_in_range(found->n_fields, 0, 2);
    const char *field = found->texts;
    for (size_t i = 0; i < found->n_fields && i < 2; i++) {
        field += strlen(field) + 1;
        assert_string_equal(field, fields[i]);
    }
}

static void check_news(const history *h, size_t r, const sb_ledger_news *news) {
    size_t fixed = 0, broken = 0, still_right = 0, still_wrong = 0;
    for (size_t i = 0; i < TRANSITIONS; i++) {
        if (!is_asked(i) || !r) continue;
        const bool was = h->passed[r - 1][i], is = h->passed[r][i];
        fixed += !was && is, still_right += was && is, still_wrong += !was && !is;
        if (was && !is) assert_int_equal(news->broken_at[broken++], i);
    }
    assert_int_equal(news->fixed, fixed);
    assert_int_equal(news->broken, broken);
    assert_int_equal(news->still_right, still_right);
    assert_int_equal(news->still_wrong, still_wrong);
    assert_int_equal(news->before, r);
    assert_int_equal(news->revision, r + 1);
}

static sb_out text_of(const sb_ledger *ledger) {
    sb_out text = sb_out_growing();
    sb_ledger_put(ledger, &text);
    assert_true(sb_out_ok(&text));
    return text;
}

/* Writes the ledger and reads it back in its place. */
static void read_back(sb_ledger *ledger) {
    sb_error error = {0};
    sb_ledger other = {0};
    sb_out text = text_of(ledger);
    assert_ok(sb_ledger_parse(&other, text.data, text.size, &error), error);
    sb_out again = text_of(&other);
    assert_int_equal(again.size, text.size);
    assert_memory_equal(again.data, text.data, text.size);
    sb_out_free(&text), sb_out_free(&again);
    sb_ledger_free(ledger);
    *ledger = other;
}

static void follow(uint64_t seed) {
    static history h;
    sb_ledger ledger = {0};
    uint64_t state = seed;
    for (size_t r = 0; r < REVISIONS; r++) {
        sb_error error = {0};
        sb_ledger_verdict verdicts[TRANSITIONS];
        sb_ledger_news news;
        draw_verdicts(&h, r, &state, verdicts);
        const sb_ledger_check check = {.log_sha256 = log_hash, .verdicts = verdicts, .n = TRANSITIONS};
        assert_ok(sb_ledger_revise(&ledger, &check, &news, &error), error);
        check_news(&h, r, &news);
        sb_ledger_news_free(&news);
        if (draw(&state, 2)) read_back(&ledger);
        for (size_t i = 0; i < TRANSITIONS; i++)
            for (int s = 0; s < SB_MODEL_N_SOURCES; s++) {
                uint64_t reopened[REVISIONS] = {0};
                const sb_ledger_entry expected = expected_entry(&h, r, i, s, reopened);
                check_entry(find(&ledger, &verdicts[i], s), &expected, &verdicts[i]);
            }
    }
    sb_ledger_free(&ledger);
}

static void any_revisions_follow_the_rules(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) follow(seed);
}

/* ---- The cap ---- */

static void fill(sb_ledger_verdict *verdicts, size_t n, bool (*is_wrong)(size_t)) {
    for (size_t i = 0; i < n; i++)
        verdicts[i] = (sb_ledger_verdict){
            .t = i + 1,
            .level = 1,
            .action = "{\"id\":1}",
            .asked = true,
            .passed = !is_wrong(i),
            .claims[SB_MODEL_PREDICTED] = {.verdict = is_wrong(i) ? SB_WRONG : SB_RIGHT, .owner = SB_OWNS_DYNAMICS}};
}

static bool always(size_t i) { return (void)i, true; }
static bool never(size_t i) { return (void)i, false; }
static bool from_five(size_t i) { return i >= 5; }

static void a_cap_keeps_the_last_open_entries(void **state) {
    (void)state;
    sb_error error = {0};
    sb_ledger ledger = {0};
    sb_ledger_news news;
    sb_ledger_verdict verdicts[10];
    bool (*const rounds[])(size_t) = {always, from_five, always, never};
    for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++) {
        fill(verdicts, 10, rounds[r]);
        const sb_ledger_check check = {.log_sha256 = log_hash, .verdicts = verdicts, .n = 10, .cap = 3};
        assert_ok(sb_ledger_revise(&ledger, &check, &news, &error), error);
        assert_int_equal(news.open, r < 3 ? 3 : 0);
        sb_ledger_news_free(&news);
        assert_int_equal(ledger.n, 3);
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(ledger.entries[i].t, 8 + i);
            assert_int_equal(ledger.entries[i].opened, 1);
        }
    }
    assert_int_equal(ledger.entries[0].resolved, 4);
    sb_ledger_free(&ledger);
}

/* ---- What is refused ---- */

static sb_ledger made(sb_ledger_verdict *verdicts, size_t n) {
    sb_error error = {0};
    sb_ledger ledger = {0};
    sb_ledger_news news;
    fill(verdicts, n, from_five);
    const sb_ledger_check check = {.log_sha256 = log_hash, .verdicts = verdicts, .n = n};
    assert_ok(sb_ledger_revise(&ledger, &check, &news, &error), error);
    sb_ledger_news_free(&news);
    return ledger;
}

static void refuse(sb_ledger *ledger, const sb_ledger_check *check, sb_code code, const char *words) {
    sb_error error = {0};
    sb_ledger_news news;
    sb_out before = text_of(ledger);
    assert_error(sb_ledger_revise(ledger, check, &news, &error), &error, code, words);
    sb_ledger_news_free(&news);
    sb_out after = text_of(ledger);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.data, before.data, before.size);
    sb_out_free(&before), sb_out_free(&after);
}

static void what_does_not_fit_changes_nothing(void **state) {
    (void)state;
    const char *const other = "ff112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    sb_ledger_verdict verdicts[10];
    sb_ledger ledger = made(verdicts, 10);
    sb_ledger_check check = {.log_sha256 = other, .verdicts = verdicts, .n = 10};
    refuse(&ledger, &check, SB_MISMATCH, "another log");
    check.log_sha256 = log_hash, check.revision = 1;
    refuse(&ledger, &check, SB_INVALID, "revision 1 already; the next one is 2");
    check.revision = SB_LEDGER_REVISIONS + 1;
    refuse(&ledger, &check, SB_INVALID, "revisions go up to");
    check.revision = 7, check.n = 5;
    refuse(&ledger, &check, SB_MISMATCH, "`passed` is not of the 5 transitions");
    verdicts[9].asked = false, check.n = 9; /* as many digits, but an entry too many */
    refuse(&ledger, &check, SB_MISMATCH, "entry for play 0, t 10");
    verdicts[3].t = 3;
    refuse(&ledger, &check, SB_INVALID, "twice or not in order");
    sb_ledger_free(&ledger);
}

typedef struct damage {
    const char *from, *to, *words;
} damage;

static const damage damages[] = {
    {"seedbed_ledger", "seedbed_other", "no ledger"},
    {"\"seedbed_ledger\": 1", "\"seedbed_ledger\": 2", "version 2"},
    {"\"revision\": 1", "\"revision\": 0", "`revision`"},
    {"log_sha256\": \"00", "log_sha256\": \"x0", "`log_sha256`"},
    {"\"predict\"", "\"prophet\"", "not `prophet`"},
    {"\"dynamics\"", "\"nobody\"", "not `nobody`"},
    {"\"opened\": 1", "\"opened\": 2", "`opened`"},
    {"\"resolved\": null", "\"resolved\": 1", "`resolved`"},
    {"\"resolved\": null", "\"resolves\": null", "resolve"},
    {"\"reopened\": []", "\"reopened\": [1]", "`reopened`"},
    {"\"times_wrong\": 1", "\"times_wrong\": 2", "`times_wrong`"},
    {"\"t\": 7", "\"t\": 6", "should come after the one before"},
    {"\"action\": {\"id\":1}", "\"action\": [1]", "`action`"},
    {"\"fields\": []", "\"fields\": [1]", "`fields`"},
    {"\"passed\": \"f", "\"passed\": \"g", "`passed`"},
    {"\"play\": 0", "\"play\": -1", "`play`"},
    {"]", "", "line"},
};

static void damaged_documents_are_refused_by_name(void **state) {
    (void)state;
    sb_ledger_verdict verdicts[10];
    sb_ledger ledger = made(verdicts, 10);
    sb_out text = text_of(&ledger);
    sb_putc(&text, '\0');
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const damage *d = &damages[i];
        const char *at = strstr(text.data, d->from);
        if (!at) fail_msg("no %s in %s", d->from, text.data);
        sb_error error = {0};
        sb_ledger other;
        sb_out altered = sb_out_growing();
        sb_put(&altered, text.data, (size_t)(at - text.data));
        sb_puts(&altered, d->to);
        sb_puts(&altered, at + strlen(d->from));
        if (sb_ledger_parse(&other, altered.data, altered.size, &error)) fail_msg("%s was accepted", d->to);
        if (!strstr(error.text, d->words)) fail_msg("%s: %s", d->to, error.text);
        sb_ledger_free(&other);
        sb_out_free(&altered);
    }
    sb_out_free(&text);
    sb_ledger_free(&ledger);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_revisions_follow_the_rules),
        cmocka_unit_test(a_cap_keeps_the_last_open_entries),
        cmocka_unit_test(what_does_not_fit_changes_nothing),
        cmocka_unit_test(damaged_documents_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
