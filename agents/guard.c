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

/* In a process group of its own, and with all signals blocked: Ctrl-C and a closed terminal should not end it. */
static int spawn(pid_t *pid, posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int list) {
    char name[] = "seedbed-guard", option[] = "-c", text[sizeof script];
    char *arguments[] = {name, option, text, NULL}, *environment[] = {NULL};
    sigset_t all;
    sigfillset(&all);
    memcpy(text, script, sizeof script);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(attributes, 0);
    posix_spawnattr_setsigmask(attributes, &all);
    posix_spawn_file_actions_adddup2(actions, list, STDIN_FILENO);
    posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    close_inherited(actions);
    return posix_spawn(pid, "/bin/sh", actions, attributes, arguments, environment);
}

static bool start(pid_t *pid, int list, sb_error *error) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    errno = posix_spawn_file_actions_init(&actions);
    if (errno) return sb_fail_errno(error, "cannot start a process");
    errno = posix_spawnattr_init(&attributes);
    if (errno == 0) {
        errno = spawn(pid, &actions, &attributes, list);
        posix_spawnattr_destroy(&attributes);
    }
    const bool ok = errno == 0 || sb_fail_errno(error, "cannot start a process");
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

/* ---- Beginning and ending ---- */

bool sb_guard_begin(sb_guard *guard, sb_error *error) {
    int list[2];
    *guard = (sb_guard){0};
    if (!sb_make_pipe(list, error)) return false;
    const bool ok = start(&guard->pid, list[0], error);
    close(list[0]);
    if (ok) {
        guard->pipe = list[1];
        pthread_mutex_init(&guard->mutex, NULL);
        return true;
    }
    close(list[1]);
    guard->pid = 0;
    return false;
}

void sb_guard_end(sb_guard *guard) {
    close(guard->pipe);
    while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR) continue;
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
