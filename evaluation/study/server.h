/* Serves the page of a study and takes what participants did, by libmicrohttpd, which a program may be built without.
 * It speaks HTTP and stands behind a proxy that speaks TLS (docs/studies.md). No address of anybody is kept or logged.
 */
#ifndef SB_EVALUATION_STUDY_SERVER_H
#define SB_EVALUATION_STUDY_SERVER_H

#include "evaluation/study/collection.h"

#define SB_COLLECT_PATH "/collect" /* where records are posted; the page is at / */

typedef struct sb_study_serving {
    const sb_study *study;
    const sb_catalogue *catalogue;
    sb_collection *collection;
    const sb_out *page;
    const char *listen; /* address that it listens at, `127.0.0.1:8000`, `[::1]:8000`; port 0: any that is free */
    /* site whose pages may post: `https://study.example.org`; NULL: that of the host that is asked */
    const char *origin;
    uint64_t threads;     /* number of threads that answer */
    uint64_t connections; /* connections at the same time; further ones wait */
    uint64_t seconds;     /* seconds for a request to come; three times as many for its answer to be taken */
    uint64_t body;        /* bytes of a record, at most */
    uint64_t rate;        /* records in a second, of all participants */
    uint64_t each;        /* records in ten seconds, of one participant */
    double (*now)(void);  /* seconds on a clock that only goes forward */
    void (*ready)(void *context, const char *address, unsigned port);
    void *context;
} sb_study_serving;

/* Serves until the program is asked to end (SIGINT, SIGTERM, SIGHUP). What was confirmed is then on the disk. */
bool sb_study_serve(const sb_study_serving *serving, sb_error *error);

/* ---- How fast records may come: a bucket for all, and one for each participant (pace.c) ---- */

enum { SB_PACE_SLOTS = 1 << 16 };

typedef struct sb_bucket {
    double left, since;
} sb_bucket;

/* A pace. Zeroed but for its first three members. Participants whose numbers hash alike share a bucket. */
typedef struct sb_pace {
    double rate, each; /* records in a second and in ten seconds, as in sb_study_serving */
    double (*now)(void);
    bool begun;
    sb_bucket all, of[SB_PACE_SLOTS];
} sb_pace;

/* Whether one more record may come now. One thread at a time. */
bool sb_pace_allows(sb_pace *pace, const char *participant);

#endif
