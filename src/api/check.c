#include "api/errors.h"
#include "api/session.h"

static bool check_set_up(struct run_session *session, struct backend *backend)
{
    const struct run_callbacks callbacks = callbacks_of(session);
    struct error err = {0};
    session->mistakes.arena = &session->arena;
    const struct run_options options = {
        .settings = session->settings,
        .mistakes = &session->mistakes,
        .callbacks = {.host = callbacks.host,
                      .now_us = callbacks.now_us,
                      .interrupted = callbacks.interrupted},
    };
    return run_check(session->machine, backend, &options, &err) || session_fail(session, &err);
}

static void tell_prepared(const struct run_session *session, struct backend *backend)
{
    if (!session->callbacks->prepared || !backend->ops->prepared) {
        return;
    }
    struct backend_prepared prepared = backend->ops->prepared(backend);
    struct pgfsm_errors *warnings = pgfsm_errors_new();
    for (size_t i = 0; i < prepared.left->errors.count; i++) {
        struct error left = prepared.left->errors.items[i];
        error_context(&left, "not prepared");
        errors_add_warning(warnings, &left);
    }
    for (size_t i = 0; i < prepared.doubts->errors.count; i++) {
        errors_add_warning(warnings, &prepared.doubts->errors.items[i]);
    }
    const struct pgfsm_prepared told = {prepared.statements, prepared.prepared, warnings};
    session->callbacks->prepared(session->callbacks->host, &told);
    pgfsm_errors_free(warnings);
}

bool pgfsm_machine_check(const struct pgfsm_machine *machine, struct pgfsm_database *database,
                         const struct pgfsm_run_options *options,
                         const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors)
{
    struct run_session session;
    if (!run_session_begin(&session, machine, database, options, callbacks, errors)) {
        return false;
    }
    struct backend *backend = session_open(&session);
    bool right = backend && check_set_up(&session, backend);
    if (right) {
        tell_prepared(&session, backend);
    }
    if (backend) {
        backend->ops->close(backend);
    }
    database_end(database);
    arena_free(&session.arena);
    return right;
}
