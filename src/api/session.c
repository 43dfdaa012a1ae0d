#include "api/session.h"

#include "api/errors.h"
#include "api/given.h"
#include "api/machine.h"
#include "diff/twin.h"

#include <inttypes.h>

static bool take_options(struct run_session *session, const struct pgfsm_run_options *options)
{
    struct pgfsm_run_options *out = &session->options;
    *out = (struct pgfsm_run_options)PGFSM_RUN_OPTIONS_INIT;
    if (!GIVEN_TAKE(out, options, session->errors, pgfsm_run_options) ||
        !GIVEN_TAKE(&session->diff, out->diff, session->errors, pgfsm_diff_options) ||
        !GIVEN_TAKE(&session->mutate, out->mutate, session->errors, pgfsm_mutate_options)) {
        return false;
    }
    out->diff = out->diff ? &session->diff : NULL;
    out->mutate = out->mutate ? &session->mutate : NULL;
    return true;
}

bool run_session_begin(struct run_session *out, const struct pgfsm_machine *machine,
                       struct pgfsm_database *database, const struct pgfsm_run_options *options,
                       const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    *out = (struct run_session){.database = database, .errors = errors};
    if (!errors_given(machine, "machine", errors) || !take_options(out, options) ||
        !database_begin(database, callbacks, errors)) {
        return false;
    }
    out->callbacks = &database->callbacks;
    out->machine = machine->machine;
    out->settings = machine->machine->settings;
    if (!out->options.schema) {
        out->options.schema = machine->machine->schema.items;
        out->options.schema_count = machine->machine->schema.count;
    }
    return true;
}

/* As many more connections as `jobs` asks for, and there is work for. */
static size_t helpers_wanted(const struct run_session *session)
{
    const struct settings *settings = &session->settings;
    int64_t most = settings->examples < settings->jobs ? settings->examples : settings->jobs;
    return most > 1 && !session->merged ? (size_t)most - 1 : 0;
}

struct backend *session_open(struct run_session *session)
{
    const struct pgfsm_run_options *options = &session->options;
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct error err = {0};
    struct pg_backend_options backend_options = settings_for_backend(session);
    backend_options.clones = helpers_wanted(session);
    struct backend *backend = options->diff
                                  ? session_twin(session, &backend_options)
                                  : pg_backend_new(session->database->target, &backend_options);
    if (!backend->ops->open(backend, session->machine, &diagnostics, &err)) {
        (void)errors_add_both(session->errors, &diagnostics, &err);
        backend->ops->close(backend);
        backend = NULL;
    }
    arena_free(&arena);
    return backend;
}

static void add_backend_warnings(struct run_session *session, struct backend *backend)
{
    const char *const *warnings = backend->ops->warnings ? backend->ops->warnings(backend) : NULL;
    for (size_t i = 0; warnings && warnings[i]; i++) {
        session_warn(session, arena_strdup(&session->run->arena, warnings[i]));
    }
}

/* What the machine's text shows: "a.yaml:5:10: …". */
static void add_machine_warnings(struct run_session *session)
{
    struct arena *arena = &session->run->arena;
    for (size_t i = 0; i < session->machine->warnings.count; i++) {
        const struct error *warning = &session->machine->warnings.items[i];
        struct strbuf text = {0};
        error_place(warning, &text);
        strbuf_addf(&text, "%s; %s", warning->message, warning->hint);
        session_warn(session, arena_strdup(arena, strbuf_text(&text)));
        strbuf_free(&text);
    }
}

void session_report_warnings(struct run_session *session, struct backend *backend)
{
    if (!session->options.diff) { /* whose verdict is not the model's, which they are about */
        add_machine_warnings(session);
    }
    add_backend_warnings(session, backend);
    session_warn(session, NULL);
    session->run->report.warnings = session->warnings.items;
}

/* The backends that it consists of, by number; a diff has several. NULL: there is none any more. */
static struct backend *part_of(const struct run_session *session, struct backend *backend,
                               size_t index)
{
    return session->options.diff ? twin_side(backend, index) : index == 0 ? backend : NULL;
}

static bool reserve(const struct run_session *session, struct backend *backend, struct error *err)
{
    struct backend *part;
    for (size_t i = 0; (part = part_of(session, backend, i)); i++) {
        if (!pg_backend_reserve(part, err)) {
            return false;
        }
    }
    return true;
}

static void unreserve(const struct run_session *session, struct backend *backend)
{
    struct backend *part;
    for (size_t i = 0; (part = part_of(session, backend, i)); i++) {
        pg_backend_unreserve(part);
    }
}

/* False with err or diagnostics; then there is no such helper. */
static bool open_helper(struct run_session *session, struct backend *backend,
                        struct backend *helper, struct diagnostics *diagnostics, struct error *err)
{
    if (!reserve(session, backend, err) ||
        !helper->ops->open(helper, session->machine, diagnostics, err) ||
        !reserve(session, helper, err)) {
        helper->ops->close(helper);
        return false;
    }
    *VEC_PUSH(&session->run->arena, &session->helpers) = helper;
    return true;
}

static struct backend *clone(const struct run_session *session, struct backend *of)
{
    return session->options.diff ? twin_clone(of) : pg_backend_clone(of);
}

/* As many as the server has room for. The copy of one that it has no room for makes room for the
 * next. */
static bool open_helpers(struct run_session *session, struct backend *backend,
                         struct diagnostics *diagnostics, struct error *err)
{
    struct backend *helper = NULL;
    bool ok = true;
    while (ok && (helper = clone(session, backend))) {
        ok =
            open_helper(session, backend, helper, diagnostics, err) ||
            (diagnostics->errors.count == 0 && pg_backend_lacks(part_of(session, backend, 0), err));
    }
    unreserve(session, backend);
    for (size_t i = 0; i < session->helpers.count; i++) {
        unreserve(session, session->helpers.items[i]);
    }
    return ok;
}

bool session_open_helpers(struct run_session *session, struct backend *backend)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct error err = {0};
    bool ok = open_helpers(session, backend, &diagnostics, &err);
    if (!ok) {
        (void)errors_add_both(session->errors, &diagnostics, &err);
        /* without a code it was mistakes alone: what holds in the first database fails here */
        session->run->report.stopped = err.code == ERROR_NONE ? ERROR_MACHINE : err.code;
    }
    const char *why = NULL;
    struct backend *part;
    for (size_t i = 0; !why && (part = part_of(session, backend, i)); i++) {
        why = pg_backend_no_clones(part);
    }
    if (why && helpers_wanted(session) > 0 && session->options.jobs != 0) {
        session_warn(session,
                     arena_printf(&session->run->arena,
                                  "%zu of %" PRId64 " connections: there can't be more "
                                  "copies of the database: %s",
                                  session->helpers.count + 1, session->settings.jobs, why));
    }
    if (session->options.diff && why) {
        session_diff_warn(session, backend, why);
    }
    arena_free(&arena);
    return ok;
}

void session_report_coverage(struct run_session *session, struct backend *backend)
{
    struct arena *arena = &session->run->arena;
    struct backend_coverage *coverage = ARENA_NEW(arena, struct backend_coverage);
    struct error err = {0};
    bool told = backend->ops->coverage && backend->ops->coverage(backend, arena, coverage, &err);
    for (size_t i = 0; told && i < session->helpers.count; i++) {
        struct backend *helper = session->helpers.items[i];
        told = helper->ops->coverage(helper, arena, coverage, &err);
    }
    if (told) {
        session->run->report.coverage = coverage;
    } else if (err.code != ERROR_NONE) {
        session_warn(session, arena_printf(arena, "no coverage: %s", err.message));
    }
}

bool session_fail(struct run_session *session, const struct error *err)
{
    return session->mistakes.errors.count ? errors_add_all(session->errors, &session->mistakes)
                                          : errors_add(session->errors, err);
}

void session_leave(struct run_session *session, struct backend *backend)
{
    backend->ops->leave(backend);
    for (size_t i = 0; i < session->helpers.count; i++) {
        session->helpers.items[i]->ops->leave(session->helpers.items[i]);
    }
    for (size_t i = 0; i < session->helpers.count; i++) {
        session->helpers.items[i]->ops->close(session->helpers.items[i]);
    }
}
