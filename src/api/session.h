/* The state of a run, and the parts that work on it. */
#ifndef API_SESSION_H
#define API_SESSION_H

#include "api/database.h"
#include "api/run.h"
#include "api/script.h"
#include "diff/accepted.h"
#include "diff/natures.h"
#include "mutate/mutant.h"
#include "trace/store/store.h"

#include <pgfsm/diff.h>

/* A name, and the identity of the failure that it stands for. */
struct name_in_use {
    const char *name;
    const char *identity;
    bool taken; /* by a failure of this run */
};

struct run_session {
    const struct machine *machine;
    const struct pgfsm_callbacks *callbacks;
    struct pgfsm_run_options options; /* as given; adapted if a trace is replayed */
    struct pgfsm_diff_options diff;   /* the options' own, if they have any */
    struct pgfsm_mutate_options mutate;
    struct settings settings;
    struct pgfsm_database *database;
    struct pgfsm_errors *errors;
    struct pgfsm_run *run;
    struct script_folder scripts;
    struct store stores[2];              /* where failures are kept: */
    size_t store_count;                  /* a folder, a database, both or neither */
    struct sharing *sharing;             /* that database; or NULL */
    struct stored_traces stored;         /* traces of earlier runs, or the one that was named */
    VEC(struct name_in_use) names;       /* of failures, of earlier runs and of this one */
    struct arena arena;                  /* of the trace that was named */
    const struct merged_machine *merged; /* what shards report of the machine; or NULL */
    struct arena example;                /* of the last example that one of them reports */
    struct pgfsm_progress progress;      /* the latest values, except those of shrinking */
    struct diagnostics mistakes;         /* that only showed when initialize had run */
    bool dies;                           /* clients may die */
    int64_t began_us;                    /* the first example did, by clock_us */
    struct mutation earlier;             /* mutants of the schema without what is applied to it */
    VEC(struct delivery) deliveries;     /* of failures, in their order */
    VEC(struct backend *) helpers;
    struct natures *natures;      /* of a diff; or NULL */
    struct accepted *accepted;    /* the same */
    const struct rule *migration; /* of a diff, in the run's copy of the machine; or NULL */
    VEC(const char *) warnings;   /* ends with NULL in the end */
};

/* Begins a call on the database, to be ended by database_end. `options` and `callbacks` may be
 * NULL. False with `errors`. */
bool run_session_begin(struct run_session *out, const struct pgfsm_machine *machine,
                       struct pgfsm_database *database, const struct pgfsm_run_options *options,
                       const struct pgfsm_callbacks *callbacks, struct pgfsm_errors *errors);

/* A backend with the machine on it, or NULL with `errors`. */
struct backend *session_open(struct run_session *session);
/* Opens one more on each copy of the first one's database. false: `errors`. */
bool session_open_helpers(struct run_session *session, struct backend *backend);
/* Ends the work of the backend and the helpers, then closes the helpers. */
void session_leave(struct run_session *session, struct backend *backend);

/* `text` is in the run's arena. */
static inline void session_warn(struct run_session *session, const char *text)
{
    *VEC_PUSH(&session->run->arena, &session->warnings) = text;
}
/* Adds all warnings to the report, also those of the machine and the backend. */
void session_report_warnings(struct run_session *session, struct backend *backend);
/* Adds the mistakes found, or else `err`. Always false. */
bool session_fail(struct run_session *session, const struct error *err);
/* Adds what all connections touched to the report. */
void session_report_coverage(struct run_session *session, struct backend *backend);

/* callbacks.c: passes the callbacks of a run on to those of the library's caller; all but `found`.
 */
struct run_callbacks callbacks_of(struct run_session *session);

/* diff.c: names the migration of a run over two databases among the rules, if there is one; before
 * a trace is read, which may have it. */
void session_add_migration(struct run_session *session);
/* Prepares a run over two databases, if the options ask for one; once the settings are
 * known. False with `errors`. */
bool session_diff(struct run_session *session);
/* Warns of what a run over two databases can't do because there are no more copies of the first
 * one, and why. */
void session_diff_warn(struct run_session *session, struct backend *backend, const char *why);
/* Adds to the report what was compared, and what was not. */
void session_report_compared(struct run_session *session, struct backend *backend);
/* A backend over two, which are to be opened with these options. */
struct backend *session_twin(struct run_session *session, const struct pg_backend_options *options);
/* Callbacks of a run over two databases (run/options.h); the host is the session. */
struct backend *session_open_committed(void *host);
size_t session_learned(void *host);
void session_fails_uncommitted(void *host, const struct failure *failure);

/* settings.c: the options override those of the profile or the machine. Draws a seed if none is
 * given. Returns false with `errors`. */
bool settings_resolve(struct run_session *session);
/* Sets the report's `rules_off` and `invariants_off` to whether no pattern matches the name; NULL
 * if there are no patterns. Returns false with `errors` if a pattern matches no name. */
bool settings_choose(struct run_session *session);

/* What a backend of the run is opened with. */
struct pg_backend_options settings_for_backend(const struct run_session *session);

/* merge.c: takes the examples from the reports of shards, if the options name some. */

/* Finds what they say of the machine, and takes their seed. False with `errors` if they are about
 * another machine. */
bool merge_begin(struct run_session *session);
/* Reads what a process says of an example (`from`: where it says so), in the arena of the session's
 * last example. False with err. */
bool merge_read(struct run_session *session, const char *from, const char *text, size_t size,
                uint64_t number, struct reported_example *out, struct error *err);
/* A callback for `reported`; the host is the session. */
bool merge_reported(void *host, uint64_t number, struct reported_example *out, struct error *err);
/* Adds to the results what only the shards know, and which of their failures, or of those of the
 * processes that share a run, did not show again. */
void merge_finish(struct run_session *session);
/* The same of one of the run's mutants, in the run's arena. */
bool merge_read_mutant(struct run_session *session, const char *from, const char *text, size_t size,
                       struct mutant *mutant, struct error *err);
/* Takes the verdicts of the run's mutants from the reports. False with err if they are about other
 * mutants, or one is missing. */
bool merge_mutants(struct run_session *session, struct error *err);

/* keep.c: stores failures, their traces in the example database, and replay scripts. */

/* A failure as it is to be stored. */
struct stored_trace keep_trace(struct run_session *session, const struct failure *failure);
/* Reads the traces of earlier runs; skips files that can't be read, with a warning. */
void keep_load(struct run_session *session);
/* A callback for `found`; the host is the session. */
void keep_found(void *host, const struct failure *failure, bool final);
/* A callback for `dropped`. */
void keep_dropped(void *host, const struct failure *failure);
/* After the run: writes what is not written yet, and removes the traces that pass now. */
void keep_finish(struct run_session *session);

/* inputs.c: a hash of the SQL files that the run loads, those that they include, and the file of
 * differences that a diff accepts. */
const char *session_hash_inputs(const struct run_session *session, struct arena *arena);

/* locks.c: after a run whose examples all passed, runs the machine's migration, if it has one, in a
 * scratch database of its own, and warns of what it blocks. */
void session_report_blocking(struct run_session *session);

/* mutate.c: lists what the schema has without the files that are applied to it, if the options ask
 * for mutants that these make. Before session_open: its backend may lock what it has changed.
 * False with `errors`. */
bool session_list_earlier(struct run_session *session);
/* Plants faults in the schema, if the options ask for that, and the machine held in a run with
 * these options. False: it could not go on; `errors`. */
bool session_mutate(struct run_session *session, struct backend *backend,
                    const struct run_options *options);

/* outcome.c: fills in the run's report and summary from its results. */
void outcome_summarize(struct run_session *session);
/* A failure as the caller reads it; its texts are those of the arguments, or in the arena. */
struct pgfsm_failure outcome_failure(const struct failure *failure, const struct delivery *delivery,
                                     struct arena *arena);

#endif
