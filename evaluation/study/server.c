#include "evaluation/study/server.h"

#include "base/error.h"

#ifndef SB_HAS_MICROHTTPD
bool sb_study_serve(const sb_study_serving *serving, sb_error *error) {
    (void)serving;
    return sb_fail(error, SB_INVALID,
                   "`study serve` needs libmicrohttpd, but this program was built without it (Debian: "
                   "libmicrohttpd-dev); `study page` makes a page that needs no server");
}
#else
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/signals.h"

/* Bodies that are being read take at most so many bytes together. */
#define BODIES_MOST ((size_t)128 << 20)

/* A connection. Whoever is too slow loses it: libmicrohttpd itself only asks that something comes from time to time. */
typedef struct seat {
    struct seat *next, **here;
    int socket;
    double until;
} seat;

typedef struct server {
    const sb_study_serving *of;
    pthread_mutex_t mutex; /* protects the pace, the seats and the environments */
    sb_pace pace;
    seat *seats;
    sb_env **envs; /* environments that nobody uses */
    size_t n_envs;
    atomic_size_t bodies;
} server;

/* A request that is being read. */
typedef struct request {
    sb_out body;
    size_t taken; /* how many of the bytes that all bodies may take are this body's */
    unsigned refused;
    const char *why;
} request;

/* ---- Answers ---- */

static const char *const headers[][2] = {
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; connect-src 'self'"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
    {"Cache-Control", "no-store"},
};

static const char *header(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Whether a page of the site that may send asks, where the page itself is somewhere else (the Fetch standard, CORS). */
static bool is_of_origin(const server *s, struct MHD_Connection *connection) {
    const char *origin = header(connection, "Origin");
    return s->of->origin && origin && strcmp(origin, s->of->origin) == 0;
}

static enum MHD_Result reply(const server *s, struct MHD_Connection *connection, unsigned status, const char *type,
                             struct MHD_Response *response) {
    if (!response) return MHD_NO;
    if (is_of_origin(s, connection)) MHD_add_response_header(response, "Access-Control-Allow-Origin", s->of->origin);
    if (s->of->origin) MHD_add_response_header(response, "Vary", "Origin");
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) MHD_add_response_header(response, "Allow", "GET, HEAD, POST");
    if (status == MHD_HTTP_TOO_MANY_REQUESTS || status == MHD_HTTP_SERVICE_UNAVAILABLE)
        MHD_add_response_header(response, "Retry-After", "2");
    const enum MHD_Result done = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return done;
}

static enum MHD_Result reply_json(const server *s, struct MHD_Connection *connection, unsigned status, sb_out *text) {
    struct MHD_Response *response = sb_out_ok(text)
                                        ? MHD_create_response_from_buffer(text->size, text->data, MHD_RESPMEM_MUST_COPY)
                                        : NULL;
    sb_out_free(text);
    return reply(s, connection, status, "application/json", response);
}

static enum MHD_Result refuse(const server *s, struct MHD_Connection *connection, unsigned status, const char *why) {
    sb_out text = sb_out_growing();
    sb_puts(&text, "{");
    sb_member_text(&text, "error", why);
    sb_puts(&text, "}\n");
    return reply_json(s, connection, status, &text);
}

static enum MHD_Result confirm(const server *s, struct MHD_Connection *connection, bool is_new, uint64_t place) {
    sb_out text = sb_out_growing();
    sb_puts(&text, "{");
    sb_member_bool(&text, "kept", true), sb_member_bool(&text, "new", is_new);
    if (place != UINT64_MAX) sb_member_uint(&text, "place", place);
    sb_puts(&text, "}\n");
    return reply_json(s, connection, MHD_HTTP_OK, &text);
}

static enum MHD_Result show_page(const server *s, struct MHD_Connection *connection) {
    const sb_out *page = s->of->page;
    return reply(s, connection, MHD_HTTP_OK, "text/html; charset=utf-8",
                 MHD_create_response_from_buffer(page->size, page->data, MHD_RESPMEM_PERSISTENT));
}

/* Tells a browser that a page of another site may send, which it asks before. */
static enum MHD_Result allow_origin(const server *s, struct MHD_Connection *connection) {
    struct MHD_Response *response = MHD_create_response_from_buffer(0, (void *)(uintptr_t) "", MHD_RESPMEM_PERSISTENT);
    if (!response) return MHD_NO;
    MHD_add_response_header(response, "Access-Control-Allow-Methods", "POST");
    MHD_add_response_header(response, "Access-Control-Allow-Headers", "Content-Type");
    MHD_add_response_header(response, "Access-Control-Max-Age", "600");
    return reply(s, connection, MHD_HTTP_NO_CONTENT, "text/plain", response);
}

/* ---- Records ---- */

static sb_env *lend(server *s, sb_error *error) {
    pthread_mutex_lock(&s->mutex);
    sb_env *env = s->n_envs ? s->envs[--s->n_envs] : NULL;
    pthread_mutex_unlock(&s->mutex);
    return env ? env : sb_make(s->of->catalogue, NULL, error);
}

static void give_back(server *s, sb_env *env) {
    pthread_mutex_lock(&s->mutex);
    const bool has_room = s->n_envs < s->of->threads;
    if (has_room) s->envs[s->n_envs++] = env;
    pthread_mutex_unlock(&s->mutex);
    if (!has_room) sb_free(env);
}

static bool is_slow_enough(server *s, const char *participant) {
    pthread_mutex_lock(&s->mutex);
    const bool allows = sb_pace_allows(&s->pace, participant);
    pthread_mutex_unlock(&s->mutex);
    return allows;
}

static enum MHD_Result keep(server *s, struct MHD_Connection *connection, sb_posted *posted) {
    static const unsigned statuses[] = {
        [SB_POSTED_REFUSED] = MHD_HTTP_UNPROCESSABLE_CONTENT,
        [SB_POSTED_CONFLICT] = MHD_HTTP_CONFLICT,
        [SB_POSTED_TOO_MANY] = MHD_HTTP_FORBIDDEN,
        [SB_POSTED_GONE] = MHD_HTTP_GONE,
        [SB_POSTED_FAILED] = MHD_HTTP_SERVICE_UNAVAILABLE,
    };
    sb_error error = {0};
    uint64_t place;
    sb_env *env = lend(s, &error);
    if (!env) return refuse(s, connection, MHD_HTTP_SERVICE_UNAVAILABLE, error.text);
    const sb_posted_fate fate = sb_collection_take(s->of->collection, posted, env, &place, &error);
    give_back(s, env);
    if (fate == SB_POSTED_KEPT || fate == SB_POSTED_KNOWN) return confirm(s, connection, fate == SB_POSTED_KEPT, place);
    /* Why a file cannot be written is for who runs the study. */
    return refuse(s, connection, statuses[fate],
                  fate == SB_POSTED_FAILED ? "it could not be written; send it again" : error.text);
}

static enum MHD_Result take_record(server *s, struct MHD_Connection *connection, const sb_out *body) {
    sb_posted posted = {0};
    sb_error error = {0};
    enum MHD_Result done;
    if (!sb_posted_read(&posted, s->of->study, s->of->catalogue, body->size ? body->data : "", body->size, &error))
        done = refuse(s, connection, MHD_HTTP_BAD_REQUEST, error.text);
    else if (!is_slow_enough(s, posted.participant))
        done = refuse(s, connection, MHD_HTTP_TOO_MANY_REQUESTS, "too many records at once; send it again later");
    else
        done = keep(s, connection, &posted);
    sb_posted_free(&posted);
    return done;
}

/* ---- What is asked ---- */

/* Browsers say from which site a page posts; programs say nothing. */
static bool is_own_site(const server *s, struct MHD_Connection *connection) {
    const char *origin = header(connection, "Origin"), *host = header(connection, "Host");
    const char *site = header(connection, "Sec-Fetch-Site");
    if (s->of->origin && origin) return is_of_origin(s, connection);
    if (site && strcmp(site, "same-origin") != 0) return false;
    if (!origin) return true;
    const char *named = strstr(origin, "://");
    return named && host && strcasecmp(named + strlen("://"), host) == 0;
}

static bool is_json(struct MHD_Connection *connection) {
    static const char json[] = "application/json";
    const char *type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE);
    if (!type || strncasecmp(type, json, strlen(json)) != 0) return false;
    type += strlen(json);
    return strcspn(type, "; ") == 0;
}

static void set_refusal(request *r, unsigned status, const char *why) {
    if (!r->refused) r->refused = status, r->why = why;
}

static bool is_too_long(const server *s, struct MHD_Connection *connection) {
    const char *length = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    return length && strtoull(length, NULL, 10) > s->of->body;
}

/* Finds out from the head of a request what is wrong with it, before its body comes. */
static void inspect(const server *s, struct MHD_Connection *connection, const char *url, bool posts, request *r) {
    if (strcmp(url, posts ? SB_COLLECT_PATH : "/") != 0)
        set_refusal(r, MHD_HTTP_NOT_FOUND, "there is nothing here");
    else if (posts && !is_own_site(s, connection))
        set_refusal(r, MHD_HTTP_FORBIDDEN, "pages of other sites may not post here");
    else if (posts && !is_json(connection))
        set_refusal(r, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "a record is application/json");
}

static request *begin_request(void) {
    request *r = calloc(1, sizeof *r);
    if (r) *r = (request){.body = sb_out_growing()};
    return r;
}

/* Bytes that are refused are read to their end, so that the client gets to see the answer; a client that sends without
 * end is cut off by its time. */
static void read_body(server *s, request *r, const char *bytes, size_t n) {
    if (r->refused) return;
    if (r->body.size + n > s->of->body) {
        set_refusal(r, MHD_HTTP_CONTENT_TOO_LARGE, "the record is too long");
        return;
    }
    r->taken += n;
    if (atomic_fetch_add(&s->bodies, n) + n > BODIES_MOST)
        set_refusal(r, MHD_HTTP_SERVICE_UNAVAILABLE, "too much at once; send it again later");
    else
        sb_put(&r->body, bytes, n);
    if (!sb_out_ok(&r->body)) set_refusal(r, MHD_HTTP_SERVICE_UNAVAILABLE, "out of memory; send it again later");
}

static void give_time(server *s, struct MHD_Connection *connection, double seconds) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    seat *of = info ? info->socket_context : NULL;
    if (!of) return;
    pthread_mutex_lock(&s->mutex);
    of->until = s->of->now() + seconds;
    pthread_mutex_unlock(&s->mutex);
}

/* libmicrohttpd calls this when the head of a request has come, for each piece of its body, and at its end. */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *bytes, size_t *n, void **kept) {
    server *s = context;
    request *r = *kept;
    const bool posts = strcmp(method, "POST") == 0, gets = strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
    (void)version;
    if (strcmp(method, "OPTIONS") == 0 && is_of_origin(s, connection)) return allow_origin(s, connection);
    if (!posts && !gets) return refuse(s, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET, HEAD and POST are known");
    if (!r) {
        *kept = r = begin_request();
        if (!r) return MHD_NO;
        inspect(s, connection, url, posts, r);
        if (is_too_long(s, connection)) return refuse(s, connection, MHD_HTTP_CONTENT_TOO_LARGE, "it is too long");
        return MHD_YES;
    }
    if (*n) {
        read_body(s, r, bytes, *n);
        *n = 0;
        return MHD_YES;
    }
    give_time(s, connection, 3 * (double)s->of->seconds);
    if (r->refused) return refuse(s, connection, r->refused, r->why);
    return posts ? take_record(s, connection, &r->body) : show_page(s, connection);
}

static void end_request(void *context, struct MHD_Connection *connection, void **kept,
                        enum MHD_RequestTerminationCode how) {
    server *s = context;
    request *r = *kept;
    (void)how;
    give_time(s, connection, (double)s->of->seconds);
    if (!r) return;
    atomic_fetch_sub(&s->bodies, r->taken);
    sb_out_free(&r->body);
    free(r);
    *kept = NULL;
}

/* ---- Connections ---- */

static void sit_down(server *s, struct MHD_Connection *connection, void **kept) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    seat *new = calloc(1, sizeof *new);
    if (!new || !info) {
        free(new);
        return;
    }
    pthread_mutex_lock(&s->mutex);
    *new = (seat){s->seats, &s->seats, info->connect_fd, s->of->now() + (double)s->of->seconds};
    if (s->seats) s->seats->here = &new->next;
    s->seats = new;
    pthread_mutex_unlock(&s->mutex);
    *kept = new;
}

static void stand_up(server *s, void **kept) {
    seat *old = *kept;
    if (!old) return;
    pthread_mutex_lock(&s->mutex);
    *old->here = old->next;
    if (old->next) old->next->here = old->here;
    pthread_mutex_unlock(&s->mutex);
    free(old);
    *kept = NULL;
}

static void note_connection(void *context, struct MHD_Connection *connection, void **kept,
                            enum MHD_ConnectionNotificationCode what) {
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        sit_down(context, connection, kept);
    else
        stand_up(context, kept);
}

/* A seat is given up before its socket is closed, so the number is still that connection's. */
static void cut_off_slow_ones(server *s) {
    pthread_mutex_lock(&s->mutex);
    const double now = s->of->now();
    for (const seat *at = s->seats; at; at = at->next)
        if (now > at->until) shutdown(at->socket, SHUT_RDWR);
    pthread_mutex_unlock(&s->mutex);
}

/* ---- Listening ---- */

/* Takes `127.0.0.1:8000` apart; addresses of version 6 stand in brackets. */
static bool split(const char *listen, char host[64], char port[8], sb_error *error) {
    const char *colon = strrchr(listen, ':'), *from = listen, *to = colon;
    if (colon && *listen == '[' && colon > listen + 1 && colon[-1] == ']') from = listen + 1, to = colon - 1;
    if (!colon || to <= from || to - from >= 64 || !colon[1] || strlen(colon + 1) >= 8)
        return sb_fail(error, SB_INVALID, "--listen should be an address and a port, such as 127.0.0.1:8000");
    snprintf(host, 64, "%.*s", (int)(to - from), from);
    snprintf(port, 8, "%s", colon + 1);
    return true;
}

static bool find_address(const char *listen, struct addrinfo **found, sb_error *error) {
    const struct addrinfo hints = {
        .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    char host[64], port[8];
    return split(listen, host, port, error) &&
           (getaddrinfo(host, port, &hints, found) == 0 ||
            sb_fail(error, SB_INVALID, "--listen: %.80s is no address and port: names are not looked up", listen));
}

/* Paths stay as they were asked for: there is nothing behind other spellings of them. */
static size_t leave_as_it_is(void *context, struct MHD_Connection *connection, char *text) {
    (void)context, (void)connection;
    return strlen(text);
}

static bool is_good_port(const char *listen) {
    const char *colon = strrchr(listen, ':');
    uint64_t port;
    return colon && sb_parse_uint(colon + 1, &port) && port <= 65535;
}

/* Whether browsers may say so in the header `Origin` (RFC 6454): in small letters, and with nothing behind the host and
 * its port. */
static bool is_good_origin(const char *origin) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789.-:[]";
    const size_t scheme = strncmp(origin, "https://", 8) == 0 ? 8 : strncmp(origin, "http://", 7) == 0 ? 7 : 0;
    const char *host = origin + scheme;
    return scheme && *host && host[strspn(host, allowed)] == '\0';
}

static struct MHD_Daemon *begin(server *s, sb_error *error) {
    struct addrinfo *address;
    const sb_study_serving *of = s->of;
    if (!is_good_port(of->listen)) {
        sb_fail(error, SB_INVALID, "--listen should be an address and a port, such as 127.0.0.1:8000");
        return NULL;
    }
    if (of->origin && !is_good_origin(of->origin)) {
        sb_fail(
            error, SB_INVALID,
            "--origin should be a site as browsers call it, such as https://example.org or http://127.0.0.1:8080: in "
            "small letters, without a path");
        return NULL;
    }
    if (!find_address(of->listen, &address, error)) return NULL;
    unsigned flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_ITC;
    if (address->ai_family == AF_INET6) flags |= MHD_USE_IPv6;
    errno = 0;
    struct MHD_Daemon *daemon = MHD_start_daemon(
        flags, 0, NULL, NULL, answer, s, MHD_OPTION_SOCK_ADDR, address->ai_addr, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)of->threads, MHD_OPTION_CONNECTION_LIMIT, (unsigned)of->connections, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)of->seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16 << 10, MHD_OPTION_NOTIFY_COMPLETED,
        end_request, s, MHD_OPTION_NOTIFY_CONNECTION, note_connection, s, MHD_OPTION_UNESCAPE_CALLBACK, leave_as_it_is,
        NULL, MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024U, MHD_OPTION_END);
    freeaddrinfo(address);
    if (!daemon) sb_fail_errno(error, "cannot listen on %s", of->listen);
    return daemon;
}

static void tell_address(const server *s, struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    char address[80];
    snprintf(address, sizeof address, "%.*s", (int)(strrchr(s->of->listen, ':') - s->of->listen), s->of->listen);
    if (s->of->ready) s->of->ready(s->of->context, address, info ? info->port : 0);
}

/* Looks once a second for those who are too slow, until a signal comes. */
static void wait_for_end(server *s, const sb_signals *signals) {
    struct pollfd event = {.fd = signals->pipe[0], .events = POLLIN};
    while (!sb_signals_next(signals)) {
        poll(&event, 1, 1000);
        cut_off_slow_ones(s);
    }
}

static bool serve(server *s, sb_error *error) {
    sigset_t ending;
    sb_signals signals;
    sb_ending_signals(&ending, true);
    if (!sb_signals_begin(&signals, &ending, error)) return false;
    struct MHD_Daemon *daemon = begin(s, error);
    if (daemon) {
        tell_address(s, daemon);
        wait_for_end(s, &signals);
        MHD_stop_daemon(daemon); /* finishes the answers that are under way */
    }
    while (sb_signals_next(&signals)) continue; /* takes further signals away: ending was what all of them asked for */
    sb_signals_end(&signals);
    return daemon;
}

bool sb_study_serve(const sb_study_serving *serving, sb_error *error) {
    server *s = calloc(1, sizeof *s);
    if (s) s->envs = calloc(serving->threads, sizeof(sb_env *));
    bool ok = (s && s->envs) || sb_fail(error, SB_MEMORY, "out of memory for a server");
    if (ok) {
        s->of = serving;
        s->pace = (sb_pace){.rate = (double)serving->rate, .each = (double)serving->each, .now = serving->now};
        pthread_mutex_init(&s->mutex, NULL);
        ok = serve(s, error);
        while (s->n_envs) sb_free(s->envs[--s->n_envs]);
        pthread_mutex_destroy(&s->mutex);
    }
    if (s) free((void *)s->envs);
    free(s);
    return ok;
}
#endif
