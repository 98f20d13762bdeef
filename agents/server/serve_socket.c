/* Serves clients on a Unix socket, each in a process of its own. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agents/server/serve.h"
#include "base/error.h"
#include "base/signals.h"
#include "base/system.h"

enum { PAUSE_MS = 100 };

typedef struct listener {
    const sb_catalogue *catalogue;
    const char *path;
    struct sockaddr_un address;
    struct stat made; /* identifies the socket's file: in the end only this one is removed */
    int socket;
    int life[2]; /* a pipe that is open as long as this process lives */
    sb_signals signals;
    const sb_limits *limits;
    pid_t *clients; /* the clients' processes */
    size_t n;
} listener;

/* ---- The socket's file ---- */

static bool set_address(listener *l, sb_error *error) {
    const size_t n = strlen(l->path);
    if (n == 0 || n >= sizeof l->address.sun_path)
        return sb_fail(error, SB_INVALID, "a socket's path has 1 to %zu bytes, not %zu: choose a shorter one",
                       sizeof l->address.sun_path - 1, n);
    l->address.sun_family = AF_UNIX;
    memcpy(l->address.sun_path, l->path, n + 1);
    return true;
}

static bool somebody_answers(const listener *l) {
    const int probe = socket(AF_UNIX, SOCK_STREAM, 0);
    const bool answers = probe >= 0 && connect(probe, (const struct sockaddr *)&l->address, sizeof l->address) == 0;
    const bool refused = !answers && errno == ECONNREFUSED;
    if (probe >= 0) close(probe);
    return !refused;
}

static bool remove_stale(const listener *l, sb_error *error) {
    struct stat facts;
    if (lstat(l->path, &facts) != 0) return true;
    if (!S_ISSOCK(facts.st_mode))
        return sb_fail(error, SB_INVALID, "%s exists and is no socket: choose another path", sb_path_end(l->path));
    if (somebody_answers(l))
        return sb_fail(error, SB_INVALID, "another server answers on %s: choose another path", sb_path_end(l->path));
    return unlink(l->path) == 0 || sb_fail_errno(error, "cannot remove the old socket %s", sb_path_end(l->path));
}

/* Makes the socket under a umask, so that other users cannot connect even for a moment. */
static bool bind_private(listener *l, sb_error *error) {
    const mode_t before = umask(0177);
    const bool bound = bind(l->socket, (const struct sockaddr *)&l->address, sizeof l->address) == 0;
    const int reason = errno;
    umask(before);
    errno = reason;
    if (!bound) return sb_fail_errno(error, "cannot make the socket %s", sb_path_end(l->path));
    if (lstat(l->path, &l->made) != 0 || listen(l->socket, SOMAXCONN) != 0)
        return sb_fail_errno(error, "cannot listen on %s", sb_path_end(l->path));
    return true;
}

static int open_folder_of(const char *path) {
    char folder[sizeof(struct sockaddr_un)];
    const char *slash = strrchr(path, '/');
    if (!slash) return open(".", O_RDONLY | O_CLOEXEC);
    const size_t n = slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, n);
    folder[n] = '\0';
    return open(folder, O_RDONLY | O_CLOEXEC);
}

/* Locks the folder meanwhile, so that of two servers that start at once neither removes the other's socket. */
static bool claim(listener *l, sb_error *error) {
    const int folder = open_folder_of(l->path);
    if (folder < 0) return sb_fail_errno(error, "cannot open the folder of %s", sb_path_end(l->path));
    while (flock(folder, LOCK_EX) != 0 && errno == EINTR) continue;
    l->socket = socket(AF_UNIX, SOCK_STREAM, 0);
    const bool ok = (l->socket >= 0 || sb_fail_errno(error, "cannot make a socket")) && remove_stale(l, error) &&
                    bind_private(l, error);
    close(folder);
    return ok && (fcntl(l->socket, F_SETFL, O_NONBLOCK) == 0 || sb_fail_errno(error, "cannot set up the socket"));
}

static void give_up_socket(const listener *l) {
    struct stat now;
    if (l->socket >= 0) close(l->socket);
    if (l->made.st_ino && lstat(l->path, &now) == 0 && now.st_ino == l->made.st_ino && now.st_dev == l->made.st_dev)
        unlink(l->path);
}

/* ---- Clients ---- */

static void limit_memory(size_t bytes) {
    const struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    if (bytes) setrlimit(RLIMIT_AS, &limit);
}

static _Noreturn void serve_client(const listener *l, pid_t server, int client) {
    sb_error ignored;
    if (!sb_end_with_parent(server, l->life)) _exit(0);
    close(l->socket);
    sb_signals_leave(&l->signals);
    limit_memory(l->limits->memory);
    fcntl(client, F_SETFL, O_NONBLOCK);
    sb_serve(l->catalogue, client, client, l->limits, &ignored);
    _exit(0);
}

static void refuse(int client) {
    static const char reply[] = "{\"ok\": false, \"error\": {\"code\": \"busy\", \"message\": \"the server has as many "
                                "clients as it takes: try again later\"}}\n";
    fcntl(client, F_SETFL, O_NONBLOCK);
    send(client, reply, sizeof reply - 1, 0); /* SIGPIPE is ignored (agents/server/serve.h) */
}

static void take_client(listener *l) {
    const int client = accept(l->socket, NULL, NULL);
    if (client < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) poll(NULL, 0, PAUSE_MS);
        return;
    }
    const pid_t server = getpid(), process = l->n < l->limits->clients ? fork() : -1;
    if (process == 0) serve_client(l, server, client);
    if (process > 0)
        l->clients[l->n++] = process;
    else
        refuse(client);
    close(client);
}

static void forget_gone_clients(listener *l) {
    for (size_t i = l->n; i-- > 0;)
        if (waitpid(l->clients[i], NULL, WNOHANG) != 0) l->clients[i] = l->clients[--l->n];
}

/* Kills with SIGKILL: clients have nothing to save, and may ignore other signals. */
static void end_clients(listener *l) {
    for (size_t i = 0; i < l->n; i++) kill(l->clients[i], SIGKILL);
    for (size_t i = 0; i < l->n; i++)
        while (waitpid(l->clients[i], NULL, 0) < 0 && errno == EINTR) continue;
}

/* ---- Waiting ---- */

static bool watch_signals(listener *l, sb_error *error) {
    sigset_t watched;
    sb_ending_signals(&watched, true);
    sigaddset(&watched, SIGCHLD);
    if (!sb_make_pipe(l->life, error)) return false;
    if (sb_signals_begin(&l->signals, &watched, error)) return true;
    close(l->life[0]), close(l->life[1]);
    return false;
}

/* Handles the signals that have arrived; false if one of them ends the server. */
static bool heed_signals(listener *l) {
    bool goes_on = true;
    for (int signal; (signal = sb_signals_next(&l->signals)) != 0;) goes_on &= signal == SIGCHLD;
    forget_gone_clients(l);
    return goes_on;
}

static bool take_clients(listener *l, sb_error *error) {
    struct pollfd events[] = {{.fd = l->socket, .events = POLLIN}, {.fd = l->signals.pipe[0], .events = POLLIN}};
    for (;;) {
        if (poll(events, 2, -1) < 0 && errno != EINTR) return sb_fail_errno(error, "cannot wait for clients");
        if (!heed_signals(l)) return true;
        if (events[0].revents) take_client(l);
    }
}

bool sb_serve_socket(const sb_catalogue *catalogue, const char *path, const sb_limits *limits, sb_error *error) {
    listener l = {.catalogue = catalogue, .path = path, .socket = -1, .limits = limits};
    l.clients = calloc(limits->clients, sizeof *l.clients);
    bool ok = l.clients || sb_fail(error, SB_MEMORY, "out of memory for %zu clients", limits->clients);
    if (ok && watch_signals(&l, error)) {
        ok = set_address(&l, error) && claim(&l, error) && take_clients(&l, error);
        end_clients(&l);
        give_up_socket(&l);
        sb_signals_end(&l.signals);
        close(l.life[0]), close(l.life[1]);
    } else {
        ok = false;
    }
    free(l.clients);
    return ok;
}
