/* The command inside a host program: called again and again in one process, it does the same as a new process, and
 * leaves the process as it was. Called as `twice_test --fresh ARGUMENTS`, this program is that new process. */
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier): pseudo-terminals
#include "tests/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/command.h"

enum { WORDS_MAX = 32, RESTORER = 0x04000000 /* a flag of actions that the C library sets, whoever asks */ };

static char top[1024]; /* the folder of this test; commands run in its folder `work` */

/* ---- Calls of the command ---- */

typedef struct example {
    const char *words; /* separated by blanks; ~ is a blank within a word */
    const char *input; /* standard input; NULL: empty */
} example;

/* These calls make files that other calls read: `work` begins as a copy of them. */
static const example makers[] = {
    {"solve --tasks PreciseNavigation,KeyDoorPuzzle -d easy --seeds 0..2 -q -o tapes.jsonl", NULL},
    {"eval --tasks GoToGoal -d easy -n 3 -q -o result.json", NULL},
    {"seeds --tasks GoToGoal -d easy -n 3 --digests -o pack.json", NULL},
    {"build --tasks PreciseNavigation -d easy --split train -n 4 -q -o dataset", NULL},
    {"build --tasks PreciseNavigation -d easy --split train -n 4 --shard 1/2 -q -o part1", NULL},
    {"build --tasks PreciseNavigation -d easy --split train -n 4 --shard 2/2 -q -o part2", NULL},
    {"certify PreciseNavigation-v0/hard#42 -q -o certificates.jsonl.gz", NULL},
};

static const char *const files[][2] = {
    {"answers.jsonl", "{\"name\": \"babyai:GoTo#5\", \"answer\": \"The agent's final state is: ((3, 4), "
                      "1)\"}\n{\"name\": \"babyai:GoTo#6\"}\n"},
    {"cut.sexp", "(program (= GRID_SIZE 4)\n"},
    {"study.json", "{\"format\": \"seedbed-study\", \"version\": 1, \"name\": \"first\", \"packs\": "
                   "[[\"GoToGoal-v0/easy#0\"]], \"texts\": {\"welcome\": \"a\", \"consent\": \"b\", "
                   "\"instructions\": \"c\", \"end\": \"d\"}}\n"},
    {"people.jsonl", "{\"tape\": 1, \"name\": \"GoToGoal-v0/easy#0\", \"rules\": \"agentick 1\", \"agent\": "
                     "\"human\", \"success\": true, \"return\": 1.0, \"dense_return\": 1.27, \"terminated\": true, "
                     "\"truncated\": false, \"digest\": \"cd4116413dfa3a79\", \"actions\": [1, 1, 3], \"person\": "
                     "{\"participant\": \"0123456789abcdef\", \"study\": \"first\", \"ordinal\": 0, \"attempt\": 1, "
                     "\"hints\": 0, \"undos\": 0, \"expert\": [], \"milliseconds\": [1, 2, 3]}}\n"},
    {"recipe.json", "{\"tasks\": \"GoToGoal\", \"difficulty\": \"easy\", \"seeds\": \"0..3\", \"formats\": 7}\n"},
};

static const example examples[] = {
    {"", NULL},
    {"--help", NULL},
    {"--version", NULL},
    {"bulid", NULL},
    {"help --man build", NULL},
    {"help --completion bash", NULL},
    {"help --complete seedbed build --format st", NULL},
    {"tasks", NULL},
    {"tasks --family toy --json", NULL},
    {"tasks --schema state", NULL},
    {"tasks --family nonsense", NULL},
    {"show KeyDoorPuzzle-v0/medium#42 babyai:GoTo#5", NULL},
    {"show KeyDoorPuzzle-v0/medium#42 --mode state", NULL},
    {"show KeyDoorPuzzle-v0/medium#42 --color always", NULL},
    {"show KeyDoorPuzle#42", NULL},
    {"play GoToGoal-v0/easy#0 -o mine.jsonl", "wwa?duq"},
    {"play GoToGoal-v0/easy#0 -o no/such/folder/mine.jsonl", "q"},
    {"solve GoToGoal-v0/easy#3 toy:Hunt#3 --explain -o solved.jsonl", NULL},
    {"solve GoToGoal-v0/easy#3 --agent nobody", NULL},
    {"log tapes.jsonl", NULL},
    {"solve arc:Fold/intro#3 --log fold.jsonl -q", NULL},
    {"log", NULL},
    {"model check missing.jsonl --model true", NULL},
    {"model serve arc:Fold/intro#3", "{\"op\":\"dance\"}\n{\"op\":\"close\"}\n"},
    {"model dance", NULL},
    {"model regressions missing.jsonl --model true", NULL},
    {"model plan arc:Fold/intro#3 --actions 3 -q --model exit~3", NULL},
    {"arena arc:Fold/intro#3 --team missing.json -o mine", NULL},
    {"arena", NULL},
    {"replay tapes.jsonl", NULL},
    {"replay - --json", "{}\n"},
    {"replay missing.jsonl", NULL},
    {"eval --tasks GoToGoal -d easy -n 3 --agent random -o mine.json", NULL},
    {"eval GoToGoal-v0/easy#0 --agent tape:tapes.jsonl --json", NULL},
    {"eval GoToGoal-v0/easy#0 --agent exec:exit~3 --salt 00112233445566778899aabbccddeeff", NULL},
    {"eval GoToGoal-v0/easy#0 --agent exec:python3~" SB_GOLDEN "/../../examples/agents/greedy.py "
     "--salt 00112233445566778899aabbccddeeff -j 1 -o mine.json",
     NULL},
    {"score --protocol predict answers.jsonl -o scores.json", NULL},
    {"score --protocol guess answers.jsonl", NULL},
    {"report result.json --markdown", NULL},
    {"report result.json --html page.html", NULL},
    {"report tapes.jsonl", NULL},
    {"baseline --tasks GoToGoal -d easy -o baseline.json", NULL},
    {"seeds --tasks GoToGoal -d easy -n 3 -o mine.json", NULL},
    {"build --tasks PreciseNavigation,KeyDoorPuzzle -d easy --split train -n 3 --format "
     "steps,trajectories,chat,npz,seedpack "
     "-o mine",
     NULL},
    {"build --tasks PreciseNavigation -d easy --split train -n 3 --format minari -j 2 -o mine", NULL},
    {"build --tasks PreciseNavigation -d easy --split train -n 4 -o dataset", NULL},
    {"build recipe.json -o mine", NULL},
    {"render dataset --format chat", NULL},
    {"merge part1 part2 -o whole", NULL},
    {"merge part1 part1 -o whole", NULL},
    {"verify dataset result.json tapes.jsonl pack.json certificates.jsonl.gz", NULL},
    {"verify dataset --again --json", NULL},
    {"verify missing", NULL},
    {"atlas GoToGoal-v0/easy#1 --json", NULL},
    {"atlas GoToGoal-v0/easy#1 -w steps~>~1 --names", NULL},
    {"certify PreciseNavigation-v0/hard#42 GoToGoal-v0/easy#1 -o mine.jsonl.gz", NULL},
    {"conform " SB_GOLDEN "/TagHunt.jsonl.gz", NULL},
    {"conform recipe.json", NULL},
    {"autumn check " SB_GOLDEN "/../../generators/autumn/physical/seesaw.sexp", NULL},
    {"autumn run " SB_GOLDEN "/../../generators/autumn/physical/seesaw.sexp --actions click~3~0,noop", NULL},
    {"show autumn:Seesaw#7 autumn:DecayTray/published#7", NULL},
    {"autumn check cut.sexp", NULL},
    {"autumn check " SB_GOLDEN "/../../generators/autumn/worlds/first/hidden.sexp", NULL},
    {"autumn plain " SB_GOLDEN "/../../examples/worlds/crates.sexp -d hard", NULL},
    {"new Crates -o mine.sexp", NULL},
    {"challenges --tasks Triad --kinds change --levels 1 -j 1 -q -o pack.jsonl", NULL},
    {"questions " SB_GOLDEN "/../../seeds/autumn-canonical.jsonl.gz -o questions", NULL},
    {"gallery --tasks GoToGoal -d easy -q -o page.html", NULL},
    {"playground --tasks GoToGoal -d easy --module recipe.json -o play.html", NULL},
    {"exploration tapes.jsonl", NULL},
    {"study check study.json", NULL},
    {"study add study.json people.jsonl -o plays", NULL},
    {"study forget 0123456789abcdef plays", NULL},
    {"study dance study.json", NULL},
    {"humans people.jsonl -o humans.json", NULL},
    {"humans tapes.jsonl", NULL},
    {"show KeyDoorPuzzle-v0/medium#42 --look flat -o picture.png", NULL},
    {"solve GoToGoal-v0/easy#3 --film film.gif", NULL},
    {"eval --tasks GoToGoal -d easy -n 3 --shard 1/2 -o mine.json", NULL},
    {"build --agent tapes:tapes.jsonl -o mine", NULL},
    {"serve --stdio",
     "{\"op\": \"reset\", \"name\": \"GoToGoal-v0/easy#0\"}\n{\"op\": \"step\", \"action\": \"move_up\"}\n{}\n"},
    {"serve", NULL},
};
enum { N_EXAMPLES = sizeof examples / sizeof *examples, N_MAKERS = sizeof makers / sizeof *makers };

/* Splits the words into an argument vector, whose strings are in `text`. */
static int split(const char *program, const char *words, char *text, size_t capacity, char **argv) {
    int argc = 0;
    argv[argc++] = (char *)program;
    snprintf(text, capacity, "%s", words);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        for (char *blank = word; (blank = strchr(blank, '~'));) *blank = ' ';
        assert_true(argc < WORDS_MAX);
        argv[argc++] = word;
    }
    argv[argc] = NULL;
    return argc;
}

/* ---- Outcomes ---- */

typedef struct outcome {
    int code;
    sb_out said, warned, files; /* standard output, standard error, content of `work` afterwards */
} outcome;

static void outcome_free(outcome *o) { sb_out_free(&o->said), sb_out_free(&o->warned), sb_out_free(&o->files); }

static sb_out read_text(const char *path) {
    sb_error error;
    sb_out text = sb_out_growing();
    assert_ok(sb_file_load_plain(path, 64 << 20, &text, &error), error);
    return text;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void shell(const char *command) { assert_int_equal(system(command), 0); }

/* Makes a fresh `work` and changes to it. */
static void begin_work(void) {
    assert_int_equal(chdir(top), 0);
    shell("rm -rf work && cp -r in work");
    assert_int_equal(chdir("work"), 0);
}

/* Lists names and contents, including locks and temporary files. */
static sb_out list_work(void) {
    shell("{ find . | LC_ALL=C sort; find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; } > ../files");
    return read_text("../files");
}

/* Redirects the standard streams from and to files in `top`. */
static void redirect(const example *e, const char *output) {
    write_text("../input", e->input ? e->input : "");
    const int streams[3] = {open("../input", O_RDONLY), open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666),
                            open("../err", O_WRONLY | O_CREAT | O_TRUNC, 0666)};
    for (int i = 0; i < 3; i++) {
        assert_true(streams[i] > 2);
        assert_int_equal(dup2(streams[i], i), i);
        close(streams[i]);
    }
}

static outcome outcome_of(int code, const char *output) {
    return (outcome){code, read_text(output), read_text("../err"), list_work()};
}

static outcome run_fresh(const example *e) {
    char text[1024], *argv[WORDS_MAX + 1];
    int status;
    split("--fresh", e->words, text, sizeof text, argv + 1);
    argv[0] = "seedbed";
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        redirect(e, "../out");
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return outcome_of(WEXITSTATUS(status), "../out");
}

/* Calls the command in this process, with standard output to a file. */
static int call(const example *e, const char *output) {
    char text[1024], *argv[WORDS_MAX + 1];
    int before[3];
    const int argc = split("seedbed", e->words, text, sizeof text, argv);
    fflush(stdout);
    for (int i = 0; i < 3; i++) before[i] = fcntl(i, F_DUPFD_CLOEXEC, 100);
    redirect(e, output);
    const int code = cli_main(argc, argv);
    for (int i = 0; i < 3; i++) dup2(before[i], i), close(before[i]);
    return code;
}

static void assert_same_text(const char *what, const example *e, const sb_out *fresh, const sb_out *here) {
    if (fresh->size == here->size && memcmp(fresh->data, here->data, here->size) == 0) return;
    fail_msg("`seedbed %s`: %s: a new process gives\n%.*s\nand this one\n%.*s", e->words, what, (int)fresh->size,
             fresh->data, (int)here->size, here->data);
}

/* ---- The state of a process ---- */

static void put_signals(sb_out *out) {
    sigset_t mask;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int i = 1; i < SIGRTMAX; i++) {
        struct sigaction action;
        if (sigaction(i, NULL, &action) != 0) continue;
        sb_putf(out, "signal %d: %p, flags %x, %s\n", i, (void *)(uintptr_t)action.sa_handler,
                (unsigned)action.sa_flags & ~(unsigned)RESTORER, sigismember(&mask, i) ? "blocked" : "comes");
    }
}

static void put_descriptors(sb_out *out) {
    char path[64], target[1024];
    for (int i = 0; i < 1024; i++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", i);
        const ssize_t n = readlink(path, target, sizeof target - 1);
        if (n >= 0) sb_putf(out, "descriptor %d: %.*s, flags %x\n", i, (int)n, target, (unsigned)fcntl(i, F_GETFD));
    }
}

static void put_threads(sb_out *out) {
    DIR *folder = opendir("/proc/self/task");
    size_t n = 0;
    while (readdir(folder)) n++;
    closedir(folder);
    sb_putf(out, "threads: %zu\n", n - 2);
}

static void put_limits(sb_out *out) {
    for (int i = 0; i < RLIMIT_NLIMITS; i++) {
        struct rlimit limit;
        getrlimit(i, &limit);
        sb_putf(out, "limit %d: %llu\n", i, (unsigned long long)limit.rlim_cur);
    }
}

static sb_out look_around(void) {
    char folder[1024];
    sb_out out = sb_out_growing();
    const mode_t mask = umask(0);
    umask(mask);
    sb_putf(&out, "umask %o, folder %s, locale %s\n", (unsigned)mask, getcwd(folder, sizeof folder),
            setlocale(LC_ALL, NULL));
    put_signals(&out);
    put_descriptors(&out);
    put_threads(&out);
    put_limits(&out);
    const bool alone = waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
    sb_putf(&out, "children: %s\n", alone ? "none" : "some");
    return out;
}

/* ---- The host ---- */

static volatile sig_atomic_t handled;

static void handle(int number) {
    (void)number;
    handled++;
}

/* Sets signal dispositions that no command sets itself, without SA_RESTART, as Python does. */
static void become_host(void) {
    static const int signals[] = {SIGXFSZ, SIGPIPE, SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action = {.sa_handler = handle};
        sigaddset(&action.sa_mask, SIGUSR1);
        sigaction(signals[i], &action, NULL);
    }
    umask(027);
    setlocale(LC_ALL, "C.UTF-8");
}

static int set_up(void **state) {
    (void)state;
    snprintf(top, sizeof top, "%s", scratch_folder("twice"));
    umask(027);
    assert_int_equal(chdir(top), 0);
    shell("mkdir in");
    for (size_t i = 0; i < N_MAKERS; i++) {
        assert_int_equal(chdir("in"), 0);
        outcome o = run_fresh(&makers[i]);
        if (o.code) fail_msg("`seedbed %s`: %.*s", makers[i].words, (int)o.warned.size, o.warned.data);
        outcome_free(&o);
        assert_int_equal(chdir(top), 0);
    }
    assert_int_equal(chdir("in"), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) write_text(files[i][0], files[i][1]);
    become_host();
    return 0;
}

/* ---- The tests ---- */

static void every_command_has_an_example(void **state) {
    (void)state;
    for (const cli_command *const *command = cli_commands; *command; command++) {
        const size_t n = strlen((*command)->name);
        size_t found = 0;
        for (size_t i = 0; i < N_EXAMPLES; i++)
            found += strncmp(examples[i].words, (*command)->name, n) == 0 && examples[i].words[n] == ' ';
        if (!found) fail_msg("`seedbed %s` is never called here", (*command)->name);
    }
}

static void assert_same(const example *e, const outcome *fresh) {
    begin_work();
    sb_out before = look_around();
    const int code = call(e, "../out");
    sb_out after = look_around();
    assert_same_text("the process itself", e, &before, &after);
    sb_out_free(&before), sb_out_free(&after);
    outcome here = outcome_of(code, "../out");
    assert_same_text("standard output", e, &fresh->said, &here.said);
    assert_same_text("standard error", e, &fresh->warned, &here.warned);
    assert_same_text("files", e, &fresh->files, &here.files);
    if (code != fresh->code) fail_msg("`seedbed %s`: exit code %d, not %d", e->words, code, fresh->code);
    outcome_free(&here);
}

static void calls_are_like_new_processes(void **state) {
    (void)state;
    static outcome fresh[N_EXAMPLES];
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        begin_work();
        fresh[i] = run_fresh(&examples[i]);
    }
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < N_EXAMPLES; i++) assert_same(&examples[i], &fresh[i]);
    for (size_t i = 0; i < N_EXAMPLES; i++) outcome_free(&fresh[i]);
}

/* What the tables promise to those who read them: the parser, help, manual pages and completion. */
static void assert_sound(const cli_command *command, const cli_option *o, size_t index) {
    size_t n_words = 0;
    while (o->words && o->words[n_words]) n_words++;
    const bool is_flag = o->kind == CLI_IS_FLAG, has_only_words = o->kind == CLI_WORD || o->kind == CLI_IS_SWITCH;
    const bool fits = o->at < command->size && o->given < command->size && o->kind != CLI_NOTHING;
    if (!fits || is_flag != !o->argument || (has_only_words && n_words < 2) || (o->most && o->most < o->least))
        fail_msg("--%s of `%s` contradicts itself", o->name, command->name);
    for (size_t i = 0; i < index; i++) {
        const cli_option *other = cli_option_at(command, i);
        if (strcmp(other->name, o->name) == 0 || (o->letter && other->letter == o->letter))
            fail_msg("--%s and --%s of `%s` are called alike", other->name, o->name, command->name);
    }
}

static void tables_of_options_are_sound(void **state) {
    (void)state;
    for (const cli_command *const *command = cli_commands; *command; command++) {
        const cli_option *option;
        for (size_t i = 0; (option = cli_option_at(*command, i)); i++) assert_sound(*command, option, i);
        assert_true((*command)->arguments.least <= (*command)->arguments.most);
        assert_true(((*command)->arguments.kind == CLI_NOTHING) == ((*command)->arguments.most == 0));
    }
}

static void help_and_unknown_options_of_every_command(void **state) {
    (void)state;
    static const char *const options[] = {"--help", "-j4x", "--no-such-option", "-o"};
    for (const cli_command *const *command = cli_commands; *command; command++)
        for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
            char words[64];
            snprintf(words, sizeof words, "%s %s", (*command)->name, options[i]);
            const example e = {words, NULL};
            begin_work();
            outcome fresh = run_fresh(&e);
            assert_same(&e, &fresh);
            outcome_free(&fresh);
        }
}

/* Returns the heap memory in use; main has turned off caches that would distort it. */
static size_t in_use(void) { return mallinfo2().uordblks; }

/* Returns what one more call keeps, in bytes. */
static size_t kept_by(const example *e) {
    begin_work();
    const size_t before = in_use();
    call(e, "../out");
    return in_use() > before ? in_use() - before : 0;
}

/* What is lost is lost in every call. What the C library keeps to use it again, such as stacks of threads, grows now
 * and then: as many threads as ran at the same time. */
static void calls_keep_no_memory(void **state) {
    (void)state;
    enum { CALLS = 10 };
    if (TESTS_ARE_SLOW) skip(); /* with sanitizers, LeakSanitizer does this */
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        size_t kept = 1;
        for (int n = 0; kept && n < CALLS; n++) kept = kept_by(&examples[i]);
        if (kept) fail_msg("each call of `seedbed %s` keeps %zu bytes", examples[i].words, kept);
    }
}

static void output_that_cannot_be_written_leaves_no_trace(void **state) {
    (void)state;
    begin_work();
    assert_int_equal(call(&(example){"tasks", NULL}, "/dev/full"), CLI_FOUND);
    sb_out warned = read_text("../err");
    assert_memory_equal(warned.data, "seedbed: cannot write to standard output", 40);
    sb_out_free(&warned);
    assert_int_equal(call(&(example){"--version", NULL}, "../out"), CLI_OK);
    sb_out said = read_text("../out");
    assert_string_equal(said.data, "seedbed " SB_VERSION "\n");
    sb_out_free(&said);
}

/* Signals the host if it is alive; otherwise its process id may belong to somebody else. */
static bool send_host(pid_t host, int number) { return getppid() == host && kill(host, number) == 0; }

static void nap(long milliseconds) { nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL); }

/* Starts a process that runs `disturb` on ours. */
static pid_t begin_disturber(void (*disturb)(pid_t host)) {
    const pid_t host = getpid(), child = fork();
    if (child) return child;
    signal(SIGTERM, SIG_DFL);
    disturb(host);
    _exit(0);
}

static void end_disturber(pid_t child) {
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0) assert_int_equal(errno, EINTR);
}

static void interrupt_often(pid_t host) {
    while (send_host(host, SIGINT)) nap(2);
}

static void signals_that_the_host_handles_reach_the_host(void **state) {
    (void)state;
    const example e = {"eval --tasks PreciseNavigation,KeyDoorPuzzle,TagHunt -n 10 -o mine.json", NULL};
    begin_work();
    outcome fresh = run_fresh(&e);
    begin_work();
    sb_out before = look_around();
    handled = 0;
    const pid_t disturber = begin_disturber(interrupt_often);
    const int code = call(&e, "../out");
    end_disturber(disturber);
    assert_true(handled > 0);
    sb_out after = look_around();
    assert_same_text("the process itself", &e, &before, &after);
    outcome here = outcome_of(code, "../out");
    assert_int_equal(code, fresh.code);
    assert_same_text("standard output", &e, &fresh.said, &here.said);
    assert_same_text("files", &e, &fresh.files, &here.files);
    outcome_free(&fresh), outcome_free(&here);
    sb_out_free(&before), sb_out_free(&after);
}

/* The socket's file appears a moment before the server listens. */
static bool listens(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    const int client = socket(AF_UNIX, SOCK_STREAM, 0);
    const bool ok = connect(client, (const struct sockaddr *)&address, sizeof address) == 0;
    close(client);
    return ok;
}

/* Sends the signal and stays, because a child that ends is a signal, too. */
static void end_host(pid_t host) {
    send_host(host, SIGTERM);
    for (;;) pause();
}

static void end_once_it_listens(pid_t host) {
    while (!listens()) nap(2);
    end_host(host);
}

static void a_server_ends_by_a_signal_and_the_host_goes_on(void **state) {
    (void)state;
    const example e = {"serve --socket socket", NULL};
    for (int round = 0; round < 2; round++) {
        begin_work();
        sb_out before = look_around();
        handled = 0;
        const pid_t disturber = begin_disturber(end_once_it_listens);
        assert_int_equal(call(&e, "../out"), CLI_OK);
        const int seen = handled;
        end_disturber(disturber);
        assert_int_equal(seen, 0);
        assert_int_not_equal(access("socket", F_OK), 0);
        sb_out after = look_around();
        assert_same_text("the process itself", &e, &before, &after);
        sb_out_free(&before), sb_out_free(&after);
    }
}

static int terminal_of_game; /* its other side */

/* A game watches for signals before it takes the terminal. */
static void end_once_it_plays(pid_t host) {
    struct termios now;
    while (tcgetattr(terminal_of_game, &now) == 0 && now.c_lflag & ICANON) nap(2);
    end_host(host);
}

/* Calls the command with a terminal as standard input and output. */
static int call_on_terminal(const char *terminal, const example *e) {
    char text[1024], *argv[WORDS_MAX + 1];
    int before[2];
    const int argc = split("seedbed", e->words, text, sizeof text, argv), there = open(terminal, O_RDWR | O_NOCTTY);
    assert_true(there > 2);
    fflush(stdout);
    for (int i = 0; i < 2; i++) before[i] = fcntl(i, F_DUPFD_CLOEXEC, 100), dup2(there, i);
    close(there);
    const int code = cli_main(argc, argv);
    for (int i = 0; i < 2; i++) dup2(before[i], i), close(before[i]);
    return code;
}

static void a_game_ended_by_a_signal_returns_that_signal(void **state) {
    (void)state;
    const example e = {"play GoToGoal-v0/easy#0", NULL};
    const int ours = posix_openpt(O_RDWR | O_NOCTTY);
    struct termios first, last;
    assert_true(ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0);
    begin_work();
    signal(SIGSEGV, SIG_DFL);
    struct sigaction usual = {.sa_handler = SIG_DFL, .sa_flags = SA_RESTART};
    sigaction(SIGABRT, &usual, NULL);
    assert_int_equal(tcgetattr(ours, &first), 0);
    sb_out before = look_around();
    terminal_of_game = ours;
    const pid_t disturber = begin_disturber(end_once_it_plays);
    assert_int_equal(call_on_terminal(ptsname(ours), &e), CLI_SIGNAL + SIGTERM);
    end_disturber(disturber);
    sb_out after = look_around();
    assert_same_text("the process itself", &e, &before, &after);
    assert_int_equal(tcgetattr(ours, &last), 0);
    assert_int_equal(first.c_lflag, last.c_lflag);
    close(ours);
    sb_out_free(&before), sb_out_free(&after);
}

/* Restarts the program without malloc's cache per thread, in which freed memory counts as in use. */
static void begin_without_caches(char **argv) {
    if (getenv("GLIBC_TUNABLES")) return;
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
    execv("/proc/self/exe", argv);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--fresh") == 0) return cli_main(argc - 1, argv + 1);
    begin_without_caches(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_an_example),
        cmocka_unit_test(calls_are_like_new_processes),
        cmocka_unit_test(tables_of_options_are_sound),
        cmocka_unit_test(help_and_unknown_options_of_every_command),
        cmocka_unit_test(calls_keep_no_memory),
        cmocka_unit_test(output_that_cannot_be_written_leaves_no_trace),
        cmocka_unit_test(signals_that_the_host_handles_reach_the_host),
        cmocka_unit_test(a_server_ends_by_a_signal_and_the_host_goes_on),
        cmocka_unit_test(a_game_ended_by_a_signal_returns_that_signal),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
