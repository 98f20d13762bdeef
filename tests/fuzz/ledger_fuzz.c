/* Takes the input as a ledger. If it can be read, it is written and read back, and a check of its log brings it up to
 * date or is refused; otherwise there is an error message. */
#include <stdlib.h>
#include <string.h>

#include "evaluation/models/ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_back(const sb_ledger *ledger) {
    sb_error error = {0};
    sb_ledger again;
    sb_out text = sb_out_growing(), other = sb_out_growing();
    sb_ledger_put(ledger, &text);
    if (!sb_ledger_parse(&again, text.data, text.size, &error)) abort();
    sb_ledger_put(&again, &other);
    if (text.size != other.size || memcmp(text.data, other.data, text.size) != 0) abort();
    sb_ledger_free(&again);
    sb_out_free(&text), sb_out_free(&other);
}

static void revise(sb_ledger *ledger) {
    sb_error error = {0};
    sb_ledger_news news;
    sb_ledger_verdict verdicts[16] = {0};
    for (size_t i = 0; i < 16; i++) {
        verdicts[i].t = i, verdicts[i].action = "{\"id\":1}", verdicts[i].asked = verdicts[i].passed = i % 3;
        verdicts[i].claims[SB_MODEL_PREDICTED].verdict = i % 3 ? SB_RIGHT : SB_WRONG;
    }
    char log[SB_SHA256_HEX];
    memcpy(log, ledger->log_sha256, sizeof log);
    const sb_ledger_check check = {.log_sha256 = log, .verdicts = verdicts, .n = 16, .cap = 2};
    if (sb_ledger_revise(ledger, &check, &news, &error)) {
        if (news.right + news.wrong != 16 || news.open > SB_MODEL_N_SOURCES * check.cap) abort();
        read_back(ledger);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_ledger_news_free(&news);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sb_ledger ledger;
    sb_error error = {0};
    if (sb_ledger_parse(&ledger, (const char *)data, size, &error)) {
        read_back(&ledger);
        revise(&ledger);
    } else if (error.code == SB_OK || !error.text[0]) {
        abort();
    }
    sb_ledger_free(&ledger);
    return 0;
}
