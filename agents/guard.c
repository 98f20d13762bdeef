#include "agents/guard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system.h"

/* ---- The guard's process ---- */

/* Reads a process group from every line, and kills all that were not taken off when there are no more lines. */
static const char script[] =
    "groups=' '\n"
    "while read -r group; do\n"
    "  case $group in\n"
    "  -*)\n"
    "    off=\" ${group#-} \"\n"
    "    case $groups in *\"$off\"*) groups=${groups%%\"$off\"*}' '${groups#*\"$off\"} ;; esac ;;\n"
    "  *) groups=\"$groups$group \" ;;\n"
    "  esac\n"
    "done\n"
    "for group in $groups; do kill -s KILL -- \"-$group\"; done\n";

/* Lets the child close every descriptor that it would inherit, so that locks and pipes of this process end with it. */
static void close_inherited(posix_spawn_file_actions_t *actions) {
    DIR *folder = opendir(sb_descriptors_folder);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int descriptor = entry->d_name[0] == '.' ? 0 : atoi(entry->d_name);
        const int flags = descriptor > STDERR_FILENO ? fcntl(descriptor, F_GETFD) : FD_CLOEXEC;
        if (flags >= 0 && !(flags & FD_CLOEXEC)) posix_spawn_file_actions_addclose(actions, descriptor);
    }
    if (folder) closedir(folder);
}

/* Starts the shell in a process group of its own, and with all signals blocked: Ctrl-C and a closed terminal should not
 * end it. Its standard output is a pipe into which nothing is written: it closes when the guard ends. */
static int spawn(pid_t *pid, posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int list, int life) {
    char name[] = "seedbed-guard", option[] = "-c", text[sizeof script];
    char *arguments[] = {name, option, text, NULL}, *environment[] = {NULL};
    sigset_t all;
    sigfillset(&all);
    memcpy(text, script, sizeof script);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, &all);
    posix_spawn_file_actions_adddup2(actions, list, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(actions, life, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    close_inherited(actions);
    return posix_spawn(pid, "/bin/sh", actions, attributes, arguments, environment);
}

static int start(pid_t *pid, int list, int life) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason) return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        reason = spawn(pid, &actions, &attributes, list, life);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

/* Some systems refuse to close a descriptor that another thread of the host program has just closed. */
static bool start_at_last(pid_t *pid, int list, int life, sb_error *error) {
    enum { ATTEMPTS = 10 };
    errno = EBADF;
    for (int i = 0; i < ATTEMPTS && errno == EBADF; i++) errno = start(pid, list, life);
    return errno == 0 || sb_fail_errno(error, "cannot start /bin/sh, which programs of others need");
}

/* ---- Beginning and ending ---- */

static void close_open(int descriptor) {
    if (descriptor >= 0) close(descriptor);
}

bool sb_guard_begin(sb_guard *guard, sb_error *error) {
    int list[2], life[2] = {-1, -1};
    *guard = (sb_guard){0};
    const bool ok = sb_make_pipe(list, error) && sb_make_pipe(life, error) &&
                    start_at_last(&guard->pid, list[0], life[1], error);
    close_open(list[0]), close_open(life[1]);
    if (!ok) return close_open(list[1]), close_open(life[0]), guard->pid = 0, false;
    guard->pipe = list[1], guard->life = life[0];
    sb_silence_pipe(guard->pipe);
    pthread_mutex_init(&guard->mutex, NULL);
    return true;
}

void sb_guard_end(sb_guard *guard) {
    close(guard->pipe);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR) continue;
    close(guard->life);
    pthread_mutex_destroy(&guard->mutex);
}

bool sb_guard_tell(int pipe, pid_t group) {
    char line[16], *at = line + sizeof line;
    ssize_t n;
    *--at = '\n';
    for (long rest = group < 0 ? -(long)group : group; rest || at == line + sizeof line - 1; rest /= 10)
        *--at = (char)('0' + rest % 10);
    if (group < 0) *--at = '-';
    const size_t size = (size_t)(line + sizeof line - at);
    do n = write(pipe, at, size);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}
