/*
 * A database that several processes share: the failures that they find, who shrinks which, and the
 * examples and mutants of a run that they split between them (pg/store/store.h).
 *
 * A process that loses the store goes on with what it has. It says so, and the run ends with an
 * error.
 */
#ifndef API_SHARING_H
#define API_SHARING_H

#include "api/session.h"
#include "os/wait.h"
#include "pg/store/store.h"

/* A failure of the store that this process knows. */
struct known {
    const char *identity; /* as store_identity; NULL: it was loaded under its name */
    const char *name;
    int64_t epoch;
    int64_t times; /* that it was found before it was loaded; 0: it was not loaded */
    bool mine;     /* this process shrinks it */
};

struct sharing {
    struct pg_store *store;
    struct hooks hooks;
    struct arena arena;
    VEC(struct known) known;
    struct pg_store_run run;        /* what is split now; key NULL: nothing is */
    const char *work;               /* "runs the examples" */
    VEC(struct pg_store_chunk) own; /* that this process runs, or has run, with its records */
    uint64_t asked;                 /* the store's next chunk from this number on, … */
    struct pg_store_chunk reported; /* … in its arena; `last` is 0 if there is none */
    struct arena records;
    const char *waits_for; /* the last holder that was named */
    bool limited;          /* a failure from before ends this run, and its chunks, early */
    bool lost;
    struct error why;
};

/* Opens the store that the options name, if they name one. False with `errors`. */
bool sharing_open(struct run_session *session);
/* Once the tested server is known: makes the run whose examples are split, if they are to be. False
 * with `errors`. */
bool sharing_begin(struct run_session *session);
/* Once all of that is known, splits something else that the run does: numbers from 1 to `count`.
 * What decides it beside what came before is the hash. `work`: "grades the mutants". False with
 * err. */
bool sharing_go_on(struct run_session *session, const char *work, uint64_t hash, size_t count,
                   struct error *err);
/* Gives back what this process has not finished. */
void sharing_close(struct run_session *session);
/* Lets others have a failure whose final form is not saved, as nobody can shrink it. Does nothing
 * without a store. */
void sharing_release(struct run_session *session, const struct stored_trace *trace);
/* The store of a session that has one. */
struct store sharing_store(struct run_session *session);
/* Whether this run shares failures: not those of a schema that gets faults. */
bool sharing_keeps(const struct run_session *session);
/* Whether the fresh examples of this run are split between processes, and its mutants. */
bool sharing_splits(const struct run_session *session);
/* Renews leases. Called several times a second; the host is the session. */
void sharing_tick(void *host);

/* What is known of a failure, by its identity, or else by the name that it was loaded under; NULL:
 * nothing. The second one adds it. */
struct known *sharing_find(struct sharing *sharing, const char *identity, const char *name);
struct known *sharing_add(struct sharing *sharing, const char *identity, const char *name);
/* The row of a failure. */
struct pg_store_failure sharing_row(const struct machine *machine, const struct stored_trace *trace,
                                    struct arena *arena);
/* Waits for a moment, which grows with each of them up to a second (`nap_ms`, from 0), and says
 * once for whom; false if this process waits no more. */
bool sharing_wait(struct run_session *session, const char *holder, const char *what,
                  int64_t *nap_ms);
/* The run goes on without the store. */
void sharing_lose(struct run_session *session, const struct error *err);

/* Callbacks of a run (run/options.h); the host is the session. */
bool sharing_take(void *host, bool wait, struct run_chunk *out, struct error *err);
bool sharing_done(void *host, const struct run_chunk *chunk, const struct run_part *part,
                  struct error *err);
bool sharing_reported(void *host, uint64_t number, struct reported_example *out, struct error *err);
/* What some process says of a number: a line of JSON, until the next call. NULL: nothing, or less.
 */
const char *sharing_line(struct run_session *session, uint64_t number, size_t *size);

/* claim.c: a callback of a run, too. */
void sharing_claim(void *host, const struct failure *failure, bool wait, bool stale,
                   struct claimed *out);

/* After the run. False with `errors` if the store was lost before the examples of others were
 * known. */
bool sharing_finish(struct run_session *session);

#endif
