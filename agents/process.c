#include "agents/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/system.h"

/* ---- Starting ---- */

static void close_both(int ends[2]) {
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0) close(ends[i]);
    ends[0] = ends[1] = -1;
}

/* An entry for poll(): it has an event once the guard is gone. */
static struct pollfd end_of(const sb_guard *guard) {
    return (struct pollfd){.fd = guard ? guard->life : -1, .events = POLLIN};
}

static bool is_gone(const sb_guard *guard) {
    struct pollfd end = end_of(guard);
    return poll(&end, 1, 0) > 0;
}

static bool fail_unguarded(sb_error *error) {
    return sb_fail(error, SB_IO,
                   "the process that guards the agent's programs was killed, so they were ended, too: start again");
}

/* What a child becomes. */
typedef struct start_of {
    const char *path;
    char *const *words; /* NULL at the end */
    int errors;         /* descriptor for the child's standard error; -1: ours */
    int kept;           /* a descriptor that the child inherits besides the standard streams; -1: none */
} start_of;

/* Runs in the child and calls only what is safe between fork and exec. The child puts itself on the guard's list, so
 * that it never runs unguarded. */
static _Noreturn void become(const start_of *what, int in, int out, int guard) {
    sigset_t none;
    setpgid(0, 0);
    if (!sb_guard_tell(guard, getpid())) _exit(127);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL); /* the command line ignores it, but the program should not */
    if (what->kept >= 0) fcntl(what->kept, F_SETFD, 0);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        (what->errors < 0 || dup2(what->errors, STDERR_FILENO) >= 0))
        execv(what->path, what->words);
    _exit(127);
}

static bool start(sb_process *p, const start_of *what, sb_error *error) {
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    if (is_gone(p->guard)) return fail_unguarded(error);
    if (!sb_make_pipe(in, error)) return false;
    if (!sb_make_pipe(out, error)) return close_both(in), false;
    p->pid = fork();
    if (p->pid == 0) become(what, in[0], out[1], p->guard->pipe);
    if (p->pid < 0) {
        p->pid = 0;
        sb_fail_errno(error, "cannot start a process");
        close_both(in), close_both(out);
        return false;
    }
    setpgid(p->pid, p->pid); /* the child does it too, because either may come first */
    close(in[0]), close(out[1]);
    p->in = in[1], p->out = out[0];
    sb_silence_pipe(p->in);
    fcntl(p->in, F_SETFL, O_NONBLOCK);
    fcntl(p->out, F_SETFL, O_NONBLOCK);
    return true;
}

/* Whether the command is one program and its arguments, without anything that only a shell can do. */
static bool is_simple(const char *command) {
    static const char *const own[] = {".", "cd", "eval", "exec", "exit", "export", "set", "trap", "ulimit", "umask"};
    const char *word = command + strspn(command, " \t");
    const size_t n = strcspn(word, " \t");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(own[i]) == n && memcmp(own[i], word, n) == 0) return false;
    return !strpbrk(command, ";&|(){}!`\n") && strcspn(word, "=<>") >= n;
}

static bool begin(sb_process *process, sb_guard *guard, const start_of *what, sb_error *error) {
    process->guard = guard;
    process->reply.grows = true;
    pthread_mutex_lock(&guard->mutex);
    const bool ok = start(process, what, error);
    pthread_mutex_unlock(&guard->mutex);
    return ok;
}

bool sb_process_begin(sb_process *process, sb_guard *guard, const char *command, int errors, sb_error *error) {
    char name[] = "sh", option[] = "-c";
    sb_out text = sb_out_growing();
    sb_puts(&text, is_simple(command) ? "exec " : ""); /* otherwise the shell stays and keeps the pipes open */
    sb_put(&text, command, strlen(command) + 1);
    char *const words[] = {name, option, text.data, NULL};
    const bool ok = sb_out_ok(&text) ? begin(process, guard, &(start_of){"/bin/sh", words, errors, -1}, error)
                                     : sb_fail(error, SB_MEMORY, "out of memory for a command");
    sb_out_free(&text);
    return ok;
}

bool sb_process_begin_self(sb_process *process, sb_guard *guard, char *const words[], int kept, int errors,
                           sb_error *error) {
    char room[SB_PROGRAM_ROOM];
    const char *path = sb_own_program(room);
    if (!path) return sb_fail(error, SB_IO, "cannot start a process: this system does not tell where the program is");
    return begin(process, guard, &(start_of){path, words, errors, kept}, error);
}

/* ---- Asking ---- */

enum { SILENCE_MS = 1000 /* milliseconds of silence after which we check whether the program still runs */ };

typedef struct talk {
    sb_process *process;
    const char *rest; /* what is left of the request */
    size_t n_rest;
    size_t most;     /* most bytes that the reply may have */
    size_t searched; /* bytes at the beginning of the reply that hold no newline */
    bool ended;      /* the program's output has ended */
    bool unguarded;  /* the guard is gone */
} talk;

/* A failed write is no error yet: a program that stopped reading may have answered already. */
static void write_some(talk *t) {
    const ssize_t n = write(t->process->in, t->rest, t->n_rest);
    if (n >= 0)
        t->rest += n, t->n_rest -= (size_t)n;
    else if (errno != EINTR && errno != EAGAIN)
        t->n_rest = 0;
}

static void read_some(talk *t) {
    char piece[4096];
    const ssize_t n = read(t->process->out, piece, sizeof piece);
    if (n > 0)
        sb_put(&t->process->reply, piece, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        t->ended = true;
}

/* Whether the program has ended. WNOWAIT keeps its process id from being reused. Some systems also tell of programs
 * that were only stopped. */
static bool has_ended(pid_t pid) {
    siginfo_t facts = {0};
    return waitid(P_PID, (id_t)pid, &facts, WEXITED | WNOHANG | WNOWAIT) == 0 && facts.si_pid == pid &&
           facts.si_code != CLD_STOPPED && facts.si_code != CLD_CONTINUED;
}

/* Waits until something can be written or read; false if the time is over. If the program has ended, its output counts
 * as ended, even if a child that it left behind keeps it open. */
static bool wait_for_some(talk *t, double seconds) {
    enum { GUARD, OUT, IN };
    struct pollfd all[] = {[GUARD] = end_of(t->process->guard),
                           [OUT] = {.fd = t->process->out, .events = POLLIN},
                           [IN] = {.fd = t->process->in, .events = POLLOUT}};
    if (seconds <= 0) return false;
    const int ready = poll(all, t->n_rest ? 3 : 2, (int)fmin(ceil(seconds * 1000), SILENCE_MS));
    if (ready > 0 && t->n_rest && all[IN].revents) write_some(t);
    if (ready > 0 && all[OUT].revents) read_some(t);
    if (ready > 0 && all[GUARD].revents) t->unguarded = true;
    if (ready == 0 && has_ended(t->process->pid)) {
        read_some(t); /* what the program wrote before it ended */
        t->ended = true;
    }
    return true;
}

/* Whether the reply is complete or can no longer become valid. */
static bool is_settled(talk *t, sb_exchange *went) {
    const sb_out *reply = &t->process->reply;
    const size_t more = reply->size - t->searched;
    const char *newline = more ? memchr(reply->data + t->searched, '\n', more) : NULL;
    const size_t n = newline ? (size_t)(newline - reply->data) : reply->size;
    t->searched = n;
    if (n > t->most)
        *went = SB_OVERLONG;
    else if (newline && n + 1 < reply->size)
        *went = SB_TALKATIVE;
    else if (newline && t->n_rest == 0)
        *went = SB_ANSWERED;
    else if (t->ended)
        *went = SB_GONE;
    else
        return false;
    return true;
}

/* Cuts the reply after its first line, if it has one. */
static void keep_first_line(sb_out *reply) {
    char *newline = memchr(reply->data, '\n', reply->size);
    if (newline) reply->size = (size_t)(newline - reply->data);
    sb_putc(reply, '\0');
    reply->size--;
}

static uint64_t pulse_of(const sb_process *process) { return process->pulse ? atomic_load(process->pulse) : 0; }

bool sb_process_ask(sb_process *process, const char *line, size_t n, size_t most, double seconds, sb_timer *now,
                    const sb_reminder *reminder, sb_exchange *went, sb_error *error) {
    sb_out *reply = &process->reply;
    talk t = {.process = process, .rest = line, .n_rest = n, .most = most};
    const double begun = now();
    double end = begun + seconds;
    uint64_t pulse = pulse_of(process);
    bool reminds = reminder && reminder->note;
    sb_out_clear(reply);
    read_some(&t);
    const bool unasked = reply->size > 0;
    *went = SB_UNASKED;
    while (!unasked && !t.unguarded && !is_settled(&t, went)) {
        if (reminds && now() - begun >= reminder->seconds) {
            reminder->note(reminder->context, reminder->text);
            reminds = false;
        }
        const bool in_time = wait_for_some(&t, end - now());
        if (pulse_of(process) != pulse) {
            pulse = pulse_of(process), end = now() + seconds;
            continue;
        }
        if (in_time) continue;
        *went = SB_LATE;
        break;
    }
    if (t.unguarded || (*went != SB_ANSWERED && is_gone(process->guard))) return fail_unguarded(error);
    if (reply->size) keep_first_line(reply);
    return sb_out_ok(reply) || sb_fail(error, SB_MEMORY, "out of memory for a reply");
}

/* ---- Ending ---- */

enum { PATIENCE = 200, NAP = 5000000 /* nanoseconds: a second in all */ };

void sb_process_dismiss(sb_process *process, const char *line, size_t n) {
    if (process->in < 0) return;
    (void)!write(process->in, line, n); /* a program that has ended need not be told */
    close(process->in);
    process->in = -1;
}

sb_ending sb_process_end(sb_process *p, bool gently) {
    sb_ending ending = {0};
    int status = 0;
    if (!p->pid) return ending;
    bool ended = has_ended(p->pid);
    for (int i = 0; gently && !ended && i < PATIENCE; i++) {
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
        ended = has_ended(p->pid);
    }
    kill(-p->pid, SIGKILL);
    (void)sb_guard_tell(p->guard->pipe, -p->pid); /* before the process id can be reused */
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR) continue;
    ending.how = !ended ? SB_WAS_KILLED : WIFSIGNALED(status) ? SB_SIGNALLED : SB_EXITED;
    ending.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (p->in >= 0) close(p->in);
    close(p->out);
    sb_out_free(&p->reply);
    p->pid = 0;
    return ending;
}

/* ---- What went wrong --------------------------------------------------------------------------------------------- */

static const char *quote(const char *op, char room[64]) {
    if (op)
        snprintf(room, 64, " `%s`", op);
    else
        *room = '\0';
    return room;
}

bool sb_failed_nonsense(const sb_process *p, const char *op, const char *why, sb_failure *failure) {
    char shown[41], named[64];
    sb_copy_plain(shown, sizeof shown, p->reply.data);
    return sb_failed(failure, SB_FAILED_NONSENSE, "it answered%s with `%s`: %s", quote(op, named), shown, why);
}

static const char *guess_why(const sb_ending *ending, const sb_unanswered *request) {
    if (ending->number == 127) return " (no such command?)";
    return ending->number == 0 && request->zero ? request->zero : "";
}

static bool failed_by_ending(sb_process *p, const sb_unanswered *request, const char *named, sb_failure *failure) {
    const sb_ending ending = sb_process_end(p, true);
    if (ending.how == SB_WAS_KILLED)
        return sb_failed(failure, SB_FAILED_CLOSED, "it closed its output instead of answering%s, but kept running",
                         named);
    if (ending.how == SB_SIGNALLED)
        return sb_failed(failure, SB_FAILED_CRASH, "it ended by signal %d (%s) instead of answering%s", ending.number,
                         strsignal(ending.number), named);
    return sb_failed(failure, SB_FAILED_CRASH, "it ended with exit code %d instead of answering%s%s", ending.number,
                     named, guess_why(&ending, request));
}

bool sb_failed_exchange(sb_process *p, sb_exchange went, const sb_unanswered *request, sb_failure *failure) {
    char named[64];
    const char *to = request->op ? " to" : "";
    quote(request->op, named);
    switch (went) {
    case SB_LATE:
        return sb_failed(failure, SB_FAILED_TIMEOUT, "no answer%s%s within %llu s%s", to, named,
                         (unsigned long long)request->seconds, request->is_first ? "; does it flush its output?" : "");
    case SB_OVERLONG:
        return sb_failed(failure, SB_FAILED_OVERLONG, "its answer%s%s has more than %zu bytes", to, named,
                         request->most);
    case SB_TALKATIVE: return sb_failed_nonsense(p, request->op, "more than one line for one request", failure);
    case SB_UNASKED: return sb_failed_nonsense(p, request->op, "it wrote that before it was asked", failure);
    default: return failed_by_ending(p, request, named, failure);
    }
}
