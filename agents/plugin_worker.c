#include "agents/plugin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/system.h"
#include "base/visible.h"
#include "engine/environment.h"
#include "oracles/player.h"

const char *const sb_plugin_kinds[3] = {
    [SB_PLUGIN_OBSERVATIONS] = "observations", [SB_PLUGIN_EVERYTHING] = "everything", [0] = ""};

#ifdef SB_HAS_PLUGINS /* the option SEEDBED_PLUGINS of CMakeLists.txt */
#include <dlfcn.h>

const bool sb_loads_plugins = true;

typedef struct serving {
    const sb_plugin *plugin;
    void *memory;
    sb_moves *moves;
    sb_env *env, *shown; /* shown: the copy for plugins that see observations */
    int in, out;
    sb_out line;
} serving;

/* ---- Loading ---- */

static bool is_same_minor(const char *version) {
    const size_t n = (size_t)(strrchr(SB_VERSION, '.') - SB_VERSION) + 1;
    return strncmp(version, SB_VERSION, n) == 0;
}

/* Checks what a plugin says of itself; reads no member before it is known to be there. */
static bool check(const sb_plugin *plugin, sb_error *error) {
    static const char advice[] = "make it anew with the headers of this one";
    if (plugin->size < offsetof(sb_plugin, name) || !plugin->version)
        return sb_fail(error, SB_INVALID,
                       "`seedbed_plugin` does not begin with its size and SB_VERSION: use "
                       "SB_PLUGIN_HEAD");
    if (!is_same_minor(plugin->version))
        return sb_fail(error, SB_INVALID, "it was made with version %.20s, and this is %s: %s", plugin->version,
                       SB_VERSION, advice);
    if (plugin->size != sizeof *plugin)
        return sb_fail(error, SB_INVALID, "`seedbed_plugin` has %zu bytes, and should have %zu: %s", plugin->size,
                       sizeof *plugin, advice);
    const size_t n = plugin->name ? strnlen(plugin->name, SB_PLUGIN_NAME_MAX) : 0;
    if (n == 0 || n == SB_PLUGIN_NAME_MAX)
        return sb_fail(error, SB_INVALID, "its name should be a text of 1 to %d bytes", SB_PLUGIN_NAME_MAX - 1);
    if (plugin->kind != SB_PLUGIN_OBSERVATIONS && plugin->kind != SB_PLUGIN_EVERYTHING)
        return sb_fail(error, SB_INVALID, "its kind should be SB_PLUGIN_OBSERVATIONS or SB_PLUGIN_EVERYTHING");
    return plugin->act || sb_fail(error, SB_INVALID, "it has no `act`");
}

/* A path without a slash would be looked for where libraries are. */
static void *open_object(const char *path) {
    sb_out text = sb_out_growing();
    sb_puts(&text, strchr(path, '/') ? "" : "./");
    sb_put(&text, path, strlen(path) + 1);
    void *object = sb_out_ok(&text) ? dlopen(text.data, RTLD_NOW | RTLD_LOCAL) : NULL;
    sb_out_free(&text);
    return object;
}

static bool load(serving *s, const char *path, sb_error *error) {
    void *object = open_object(path);
    if (!object) return sb_fail(error, SB_IO, "it cannot be loaded: %.180s", dlerror());
    s->plugin = dlsym(object, "seedbed_plugin");
    if (!s->plugin)
        return sb_fail(error, SB_INVALID,
                       "it exports no constant `seedbed_plugin`, so it is no plugin "
                       "(seedbed/plugin.h)");
    if (!check(s->plugin, error)) return false;
    s->memory = s->plugin->memory < PTRDIFF_MAX ? calloc(1, s->plugin->memory + 1) : NULL;
    return s->memory || sb_fail(error, SB_MEMORY, "out of memory for the %zu bytes that it keeps", s->plugin->memory);
}

/* A plugin that takes more and more memory should fail before the machine does. AddressSanitizer maps more than any
 * such limit allows. */
static void limit_data(size_t memory) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    struct rlimit limit;
    const rlim_t most = ((rlim_t)SB_PLUGIN_DATA_MIB << 20) + memory;
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur <= most) return;
    limit.rlim_cur = most;
    setrlimit(RLIMIT_DATA, &limit);
#else
    (void)memory;
#endif
}

/* ---- Lines ---- */

/* Moves the streams away from what a plugin uses: it prints to standard error, and reads nothing. */
static bool take_streams(serving *s, sb_error *error) {
    int empty[2];
    s->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    s->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (s->in < 0 || s->out < 0) return sb_fail_errno(error, "cannot copy a descriptor");
    if (!sb_make_pipe(empty, error)) return false;
    const bool ok = dup2(empty[0], STDIN_FILENO) >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    close(empty[0]), close(empty[1]);
    return ok || sb_fail_errno(error, "cannot replace a standard stream");
}

/* One line is sent at a time. False at the end. */
static bool read_line(serving *s) {
    char piece[1024];
    sb_out_clear(&s->line);
    do {
        const ssize_t n = read(s->in, piece, sizeof piece);
        if (n == 0 || (n < 0 && errno != EINTR)) return false;
        if (n > 0) sb_put(&s->line, piece, (size_t)n);
    } while (s->line.size == 0 || s->line.data[s->line.size - 1] != '\n');
    return sb_out_ok(&s->line);
}

/* Ends the object that is in the line, and sends it. */
static bool send_line(serving *s) {
    sb_puts(&s->line, "}\n");
    return sb_out_ok(&s->line) && sb_write_all(s->out, s->line.data, s->line.size);
}

static void put_error(serving *s, sb_error *error) {
    char text[sizeof error->text];
    error->text[sizeof error->text - 1] = '\0'; /* a plugin may have written it */
    sb_member_text(&s->line, "error", sb_copy_plain(text, sizeof text, error->text));
}

static sb_out *begin_line(serving *s) {
    sb_out_clear(&s->line);
    sb_puts(&s->line, "{");
    return &s->line;
}

/* ---- Playing ---- */

/* What the plugin is given in the present state. Dense rewards are no part of an observation. */
static const sb_env *view(serving *s, sb_error *error) {
    if (s->plugin->kind == SB_PLUGIN_EVERYTHING) return s->env;
    if (!sb_show(&s->shown, s->env, error)) return NULL;
    s->shown->status.dense_total = 0;
    return s->shown;
}

static bool begin(serving *s, const sb_name *name, uint64_t number, sb_error *error) {
    const sb_plugin *plugin = s->plugin;
    const sb_env *given = sb_reset_name(s->env, name, error) ? view(s, error) : NULL;
    if (!given) return false;
    memset(s->memory, 0, plugin->memory);
    atomic_store(&s->moves->progress, SB_IN_BEGIN);
    if (!plugin->begin) return true;
    sb_error why = {.text = "it gave no reason"};
    if (plugin->begin(s->memory, given, (uint32_t)number, &why)) return true;
    why.text[sizeof why.text - 1] = '\0';
    return sb_fail(error, SB_INVALID, "its `begin` failed: %.160s", why.text);
}

/* Plays to the end. A step that fails is the last one: the replay finds out why. */
static bool play(serving *s, uint64_t steps, sb_error *error) {
    const sb_plugin *plugin = s->plugin;
    const size_t most = steps && steps < SB_MOVES_MAX ? (size_t)steps : SB_MOVES_MAX;
    bool ok = true;
    for (size_t n = 0; ok && n < most && !s->env->status.done; n++) {
        sb_error why;
        sb_result result;
        atomic_store(&s->moves->progress, SB_IN_ACT + n);
        const sb_env *given = view(s, error);
        if (!given) return false;
        const sb_action action = plugin->act(s->memory, given);
        s->moves->actions[n] = action;
        atomic_store(&s->moves->progress, SB_IN_ACT + n + 1);
        ok = sb_step(s->env, action, &result, &why);
    }
    atomic_fetch_or(&s->moves->progress, SB_IN_END);
    if (plugin->end) plugin->end(s->memory);
    return true;
}

static bool play_request(serving *s, sb_error *error) {
    const char *episode;
    uint64_t number, steps;
    sb_name name;
    cJSON *request = sb_json_parse(s->line.data, s->line.size, error);
    const bool ok = request && sb_json_string(request, "episode", &episode, error) &&
                    sb_json_uint(request, "random", &number, error) && sb_json_uint(request, "steps", &steps, error) &&
                    sb_name_parse(NULL, episode, &name, error);
    cJSON_Delete(request);
    return ok && begin(s, &name, number, error) && play(s, steps, error);
}

static bool answer(serving *s) {
    sb_error error;
    const bool ok = play_request(s, &error);
    begin_line(s);
    if (!ok) put_error(s, &error);
    return send_line(s);
}

/* ---- The worker ---- */

static bool share(serving *s, const char *descriptor, sb_error *error) {
    uint64_t number;
    void *shared = MAP_FAILED;
    if (sb_parse_uint(descriptor, &number) && number <= INT32_MAX) {
        shared = mmap(NULL, sizeof *s->moves, PROT_READ | PROT_WRITE, MAP_SHARED, (int)number, 0);
        close((int)number);
    }
    if (shared == MAP_FAILED) return sb_fail(error, SB_INVALID, "the worker of plugins is started by the command only");
    s->moves = shared;
    return true;
}

static bool say_hello(serving *s, const char *path, sb_error *error) {
    char name[SB_PLUGIN_NAME_MAX];
    const bool ok = load(s, path, error) && (s->env = sb_make(NULL, NULL, error));
    sb_out *line = begin_line(s);
    if (ok) {
        sb_member_text(line, "name", sb_copy_plain(name, sizeof name, s->plugin->name));
        sb_member_text(line, "sees", sb_plugin_kinds[s->plugin->kind]);
        limit_data(s->plugin->memory);
    } else {
        put_error(s, error);
    }
    return send_line(s) && ok;
}

bool sb_plugin_serve(const char *path, const char *descriptor, sb_error *error) {
    serving s = {.line = sb_out_growing(), .in = -1, .out = -1};
    const bool ok = share(&s, descriptor, error) && take_streams(&s, error) && read_line(&s) &&
                    say_hello(&s, path, error);
    while (ok && read_line(&s) && answer(&s)) continue;
    sb_free(s.env), sb_free(s.shown);
    sb_out_free(&s.line);
    free(s.memory);
    return ok;
}

#else

const bool sb_loads_plugins = false;

bool sb_plugin_serve(const char *path, const char *descriptor, sb_error *error) {
    (void)path, (void)descriptor;
    return sb_fail(error, SB_INVALID, SB_NO_PLUGINS);
}
#endif
