#include <stdlib.h>

#include "evaluation/study/server.h"

/* A bucket holds what comes in so many seconds, so that a page may send at once what it could not send before. */
enum { BURST_SECONDS = 5, EACH_SECONDS = 10, EACH_BURST = 6 };

/* Fills the bucket by what has come back since the last look, and takes one from it. */
static bool take(sb_bucket *bucket, double rate, double most, double now) {
    bucket->left += (now - bucket->since) * rate;
    if (bucket->left > most) bucket->left = most;
    bucket->since = now;
    if (bucket->left < 1) return false;
    bucket->left -= 1;
    return true;
}

static void begin(sb_pace *pace, double now) {
    pace->begun = true;
    pace->all = (sb_bucket){pace->rate * BURST_SECONDS, now};
    for (size_t i = 0; i < SB_PACE_SLOTS; i++) pace->of[i] = (sb_bucket){pace->each * EACH_BURST, now};
}

bool sb_pace_allows(sb_pace *pace, const char *participant) {
    const double now = pace->now();
    uint64_t key[2];
    if (!pace->begun) begin(pace, now);
    sb_hash128(participant, strlen(participant), key);
    sb_bucket *own = &pace->of[key[0] % SB_PACE_SLOTS];
    if (!take(own, pace->each / EACH_SECONDS, pace->each * EACH_BURST, now)) return false;
    if (take(&pace->all, pace->rate, pace->rate * BURST_SECONDS, now)) return true;
    own->left += 1; /* what others use up costs this participant nothing */
    return false;
}
