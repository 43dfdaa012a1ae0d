/* The state of a run: its options, connections, and warnings. */
#ifndef API_SESSION_H
#define API_SESSION_H

#include "api/database.h"
#include "api/run.h"
#include "api/script.h"
#include "trace/store/store.h"

struct run_session {
    const struct machine *machine;
    const struct pgfsm_callbacks *callbacks;
    struct pgfsm_run_options options; /* as given; adapted if a trace is replayed */
    struct settings settings;
    struct pgfsm_database *database;
    struct pgfsm_errors *errors;
    struct pgfsm_run *run;
    struct script_folder scripts;
    struct stored_traces stored;    /* traces of earlier runs, or the one that was named */
    struct arena arena;             /* of the trace that was named */
    struct pgfsm_progress progress; /* the latest values, except those of shrinking */
    struct diagnostics mistakes;    /* that only showed when initialize had run */
    VEC(struct backend *) helpers;
    VEC(const char *) warnings; /* ends with NULL in the end */
};

/* `options` and `callbacks` may be NULL. */
struct run_session session_of(const struct pgfsm_machine *machine, struct pgfsm_database *database,
                              const struct pgfsm_run_options *options,
                              const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);

/* A backend with the machine on it, or NULL with `errors`. */
struct backend *session_open(struct run_session *session);
/* Opens one more on each copy of the first one's database. false: `errors`. */
bool session_open_helpers(struct run_session *session, struct backend *backend);
/* Ends the work of the backend and the helpers, then closes the helpers. */
void session_leave(struct run_session *session, struct backend *backend);

/* `text` is in the run's arena. */
void session_warn(struct run_session *session, const char *text);
/* Adds all warnings to the report, also those of the machine and the backend. */
void session_report_warnings(struct run_session *session, struct backend *backend);
/* Adds the mistakes found, or else `err`. Always false. */
bool session_fail(struct run_session *session, const struct error *err);
/* Adds what all connections touched to the report. */
void session_report_coverage(struct run_session *session, struct backend *backend);

#endif
