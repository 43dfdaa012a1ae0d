/*
 * A session: one connection that runs one machine's statements, inside one transaction that is
 * never committed, or in a copy of the scratch database, each step in one that is. It is what is
 * behind backend.h; each file below does a part of it.
 *
 *     session.c      talking to the server: queue, guards, answers' arrival
 *     own.c          queries of our own
 *     learn.c        types that were not met before
 *     memory.c       its memory
 *     connection.c   connecting, and what a new connection has to begin with
 *     sequences.c    sequences put back, which no rollback does
 *     align.c        sequences set before a step
 *     rearrange.c    rows in another order
 *     snapshot.c     what a rollback to a savepoint brings back
 *     settings.c     the settings of a session
 *     transaction.c  the outer transaction: begin, mark, reset, restart, reconnect
 *     commit.c       in its place, where each step is a transaction that is committed
 *     restore.c      what the steps of an example committed, put back
 *     large.c        of a table with many rows: which
 *     shared.c       what no copy of a database has, and is not to be committed
 *     lane.c         sessions beside it, in the same database
 *     gated.c        statements that lock rows, with a gate for each row
 *     prepare.c      preparing statements, all at once or one when it is first met
 *     answer.c       a result as an answer
 *     migrate.c      a migration in the middle of an example
 *     deferred.c     deferred constraints
 *     equal.c        what the server holds for equal
 *     reads.c        what invariants and relations read
 *     written.c      what was written of it
 *     changed.c      what changed in the tables, to be told
 *     changed_rows.c their rows before and after
 *     coverage.c     what of the schema was touched
 *     referred.c     rows that foreign keys may refer to
 *     origins.c      which columns hold the same ids
 *     relations.c    what can be read of the schema, and what it consists of
 *     readings.c     reading it, as anyone
 */
#ifndef PG_SESSION_H
#define PG_SESSION_H

#include "base/map.h"
#include "example/lanes.h"
#include "pg/load.h"
#include "pg/migration.h"
#include "pg/scratch.h"
#include "pg/session/context.h"
#include "pg/session/flight.h"
#include "pg/session/large.h"
#include "pg/session/statement.h"
#include "pg/session/wire.h"
#include "pg/target.h"
#include "pg/types/decode.h"
#include "pg/types/text_array.h"
#include "pg/types/types.h"

/* Statements of our own that are prepared once under a name. */
enum fixed {
    FIXED_MARK,
    FIXED_RESET,
    FIXED_GUARD,
    FIXED_GUARD_BACK,
    FIXED_GUARD_DONE,
    FIXED_CHECK, /* deferred constraints: now */
    FIXED_TRY,   /* a savepoint of prepare.c, deferred.c and equal.c */
    FIXED_TRY_BACK,
    FIXED_TRY_DONE,
    FIXED_CONTEXT,
    FIXED_BEGIN, /* a step's transaction: see commit.c */
    FIXED_COMMIT,
    FIXED_SHARED, /* before a commit: see shared.c */
    FIXED_ROLLBACK,
    FIXED_PREPARED,                        /* those above */
    FIXED_NOTE_SEQUENCES = FIXED_PREPARED, /* prepared at the mark: see sequences.c */
    FIXED_SEQUENCES_BACK,
    FIXED_FIND_WRITTEN, /* prepared at the mark: see restore.c */
    FIXED_SETTINGS_BACK,
    FIXED_WRITTEN,    /* prepared at the mark: see written.c */
    FIXED_ALIGN,      /* see align.c: under other names */
    FIXED_CHECKPOINT, /* a savepoint of an example, or what restores a table: as a text */
    FIXED_COUNT
};

struct session;

struct guard {
    bool open;
    bool failed;     /* an error came in it; known when all is read */
    bool outside;    /* of a transaction: nothing of it can be undone */
    uint64_t number; /* tells guards apart: answers of earlier ones may still be out */
    enum backend_guard kind;
};

/* Which constraints are deferred when a transaction begins. */
struct deferral {
    bool any;              /* whether any constraint can be deferred at all */
    bool by_savepoint;     /* they can't be told apart by name: see deferred.c */
    uint64_t schema;       /* in which this was read */
    struct strbuf restore; /* SET CONSTRAINTS … DEFERRED; empty: none is */
};

/* State that returns with a rollback to the savepoint at which the snapshot was taken. */
struct snapshot {
    uint64_t schema;
    struct strbuf context; /* contexts.current */
    size_t held;           /* statements that the session keeps prepared */
    struct deferral deferral;
};

/* A savepoint within an example, for the next one that begins as this one does. */
struct checkpoint {
    size_t index;
    struct snapshot snapshot;
};
struct checkpoints {
    VEC(struct checkpoint) kept; /* for use again: so are their texts */
    size_t open;                 /* of them, how many the server has, if it ran so far */
};

/* A column, and the one that its values come from; 0 if that is unknown. */
struct column_origin {
    uint64_t column;
    uint64_t from;
};

/* Values worth drawing. */
enum { POOL_MAX = 500 };
struct pool {
    struct value items[POOL_MAX];
    size_t count;
};

/* The outer transaction (transaction.c). */
struct outer {
    uint64_t resets;       /* since it began */
    uint64_t taken_before; /* answers, before the mark */
    uint64_t with_types;   /* transactions that made types of their own */
};

/* What the catalog said when it was asked (catalog/). */
struct catalog_facts {
    VEC(const struct table_facts *) tables; /* those that strategies named */
    struct value types;                     /* a dict: what was asked of types, by OID */
    struct map referred_numbers;            /* by the query for rows, its place in `referred` */
    VEC(struct referred *) referred;        /* referred.c */
    const char *const *warnings;            /* NULL: not looked for yet */
    struct pool strings;
    struct pool ints;
};

/* Copies of the scratch database for workers (backend.c). */
struct clones {
    VEC(struct scratch) made; /* until pg_backend_clone takes them, from the last on */
    const char *why_fewer; /* why fewer clones were made than requested; NULL if none is missing */
};

/* Connections to the server (connection.c). */
struct connection {
    int process;            /* of the server, as others see it */
    const char *options;    /* for the server; NULL: the address's */
    bool configured;        /* a new connection has settings of the database or the role */
    VEC(PGconn *) reserved; /* connections that are not used, until pg_backend_unreserve */
};

/* A table at the mark; or one of the catalog. */
struct marked_table {
    const char *name;    /* as SQL */
    const char *only;    /* of the catalog's: which rows, as SQL; or NULL */
    const char *columns; /* that are not generated, as SQL; NULL: it can't be put back by rows */
    const char *fields;  /* the same of a row `r` */
    const char *oid;
    const char *file; /* pg_relation_filenode */
    long long count;
    const char *rows;    /* an array of their texts; NULL: there are none, or `large` has them */
    struct large *large; /* NULL: all its rows are written anew */
    unsigned prepared;   /* bits of what puts it back: see restore.c */
    bool dirty;          /* it was put back since the last VACUUM */
};

/* The state that every example must find (restore.c). */
struct marked {
    struct arena arena;
    VEC(struct marked_table) tables;
    const char *settings;  /* SQL that restores the session's settings; NULL if none were changed */
    const char *sequences; /* SQL that puts them back; NULL if there are none */
    const char *class;     /* what a TRUNCATE does not change of pg_class */
    const char *relations; /* the part of it that changes when something is added; NULL: nothing can
                              be added */
    bool restorable; /* the user may restore, and the session holds nothing that can't be made again
                      */
    const char *catalog; /* how much of it is looked at (state.sql) */
    bool shares;         /* and such as all databases of a server share (shared.c) */
    char since[16];      /* the first transaction after it */
    uint64_t restored;   /* examples since the last VACUUM */
    bool failed;         /* to put something back */
};

/* Whether answers still come (stuck.c). */
struct stuck {
    struct hooks hooks;
    bool cancels;      /* what takes too long is still to be cancelled, as the server does not */
    int64_t looked_ms; /* after that long, whether it sleeps */
    const char *cancelled; /* why a statement was cancelled; NULL if none was */
    uint64_t progress;     /* items sent and received, when it was last looked */
    int64_t since_ms;
    const char *said; /* for the user; "": told already; NULL: nothing */
};

/* What invariants or relations read, and whether it was written. */
struct reads {
    struct arena arena;
    bool known;
    uint64_t watched;                         /* of which relations, as a hash */
    const struct invariant_reads *invariants; /* NULL: all read everything */
    const char *all;                          /* then: why, or NULL */
    VEC(const char *) tables;                 /* OIDs */
    bool prepared;                            /* what asks for the counts, which is `sql` */
    bool *changed;                            /* by table, in the last answer */
    struct strbuf sql;
    struct strbuf last; /* counts; empty: they are not known */
};

/* Something of ours failed, or a role may not be assumed: told at the take of `at` or a later one.
 */
struct breakage {
    bool known;
    backend_ticket at;
    struct error error;
};

/* How sequences go back (sequences.c). */
struct sequences {
    const char *script; /* to where they stood at first; NULL: there are none */
    bool known;         /* at the mark: whether there are any to be put back */
    bool followed;
};

/* Parameters being encoded; sized for the largest statement (queue.c). */
struct encoded_values {
    struct strbuf bytes;
    size_t *offsets;
    const char **values;
    int *sizes;
    int *formats;
};

/* Steps that are committed, each in a transaction of its own (commit.c). */
struct committing {
    struct scratch loaded;      /* what `scratch` is a copy of; {0}: another session has it */
    const struct scratch *base; /* that, or another session's */
    struct scratch retired;     /* the copy before this one, to be dropped */
    struct wire restorer;       /* writes back what an example wrote; {0}: nothing yet */
    bool spoilt;                /* `scratch` is to be copied anew */
    bool outdated;              /* it has another time limit than it should */
    enum backend_begins open;   /* the transaction that is, as far as was sent */
    int64_t clock_us;           /* of the simulated clock, if there is one; 0: not set yet */
    int64_t clock_at_mark;
    /* Comes before each call that is sent, and its COMMIT. Or NULL. */
    bool (*before_call)(struct session *session, struct error *err);
};

/* How far the machine's statements are prepared (prepare.c), and which of them change what names
 * mean (catalog/makers.c). */
struct preparation {
    bool has_ddl;              /* some change what names mean */
    const char *mends;         /* SQLSTATEs that those of rules and invariants may mend; or NULL */
    bool *changes;             /* by template: it does */
    bool sets_up;              /* some run before the rules: dataset, initialize */
    bool pending;              /* some could not be prepared before those ran */
    struct diagnostics left;   /* refused for what another may mend, or a missing right */
    struct diagnostics doubts; /* for backend_prepared */
};

/* How sequences are set before a step, in a schema (align.c). */
struct alignment {
    uint64_t schema;
    const char *sql; /* NULL: there are none */
    char name[40];   /* of the prepared statement; "": it is sent as text */
};

/* Whether rows get another order (rearrange.c). */
enum rearranges { REARRANGES_UNKNOWN, REARRANGES_NOTHING, REARRANGES_ROWS };

/* Texts of queries that were read before (readings.c). */
enum { READING_BUCKETS = 256 };
struct readings {
    struct reading *buckets[READING_BUCKETS];
    size_t count;
};

/* The migration of the options (migrate.c). */
struct migrating {
    struct migration files;
    bool done;          /* in this example */
    bool undone;        /* in an example that has ended */
    struct types types; /* as they are where the session's are not: before it, or after it */
};

struct lanes;
struct seen;
struct stopped_bodies;

/* What makes a session a lane, and what the session of lanes has for them (lane.c). */
struct lane {
    struct lanes *lanes;                 /* NULL: it opened none yet */
    const struct backend_ops *ops;       /* of its lanes */
    bool gates;                          /* `scratch` has them */
    const struct stopped_bodies *bodies; /* functions with stops (stops.c); NULL: none */
    const char *no_gates; /* a warning: why there are none, or which tables have none; or NULL */
    struct session *of;   /* NULL: it is none */
    struct lane_host *host;
    size_t number;            /* from 0 */
    struct strbuf stops;      /* that the next call is to be told; empty: it need not be */
    bool told;                /* its session has some, or may have */
    bool by_row;              /* the next call stops at row gates */
    bool stopped;             /* at a gate */
    enum isolation isolation; /* of transactions that ask for none */
    int lock;                 /* the one of its two that it stops at next, or is stopped at */
    bool tidied;              /* what puts it in order was sent */
    bool spoilt;              /* its connection is to be made anew */
    uint64_t clean;           /* what was sent up to the last reset */
};

/* A session that is to end in the middle of a step (death.c). */
struct dying {
    uint32_t gate; /* at this gate; 0: no */
    bool told;     /* the server knows */
    bool lost;     /* it has ended */
};

struct session {
    struct backend backend; /* first */
    struct pg_target *target;
    struct pg_backend_options options;
    const struct machine *machine;
    struct arena arena; /* until close */
    struct scratch scratch;
    bool copied;            /* which is a copy of another session's, as it was opened */
    bool scratch_has_files; /* it has the files that options.loaded counts */
    struct clones clones;
    struct committing commit;
    struct preparation prepare;
    struct migrating migrating;
    struct marked found; /* by every example */
    struct map columns;  /* of a machine with a migration: those before it (columns.c) */
    struct lane lane;
    struct dying dying;
    struct connection connection;
    struct wire wire;
    struct stuck stuck;
    bool counted;  /* among the target's users */
    bool in_place; /* SQL files, if any, are loaded inside the transaction */
    bool loads;    /* and there are some */
    /* SQL under test deallocates prepared statements, as was read in it or has shown: everything is
     * sent as text from then on. */
    bool deallocated;
    bool stale;            /* that showed in this example, which is to be run again */
    bool counts_functions; /* track_functions may be set, and is to be */
    bool planted;          /* `deferral` may be that of a schema with a fault in it */
    bool commits;          /* each step is a transaction of its own: see commit.c */
    bool outside;          /* or has none: what it sets is set for the session, and unset */
    bool marked;
    bool failed; /* the transaction failed outside of a guard: nothing runs before reset */
    struct breakage broken;
    const char *user;
    struct sequences sequences;
    VEC(struct column_origin) origins; /* as open() found them */
    struct types types;
    struct statements statements;
    struct strbuf fixed_texts[FIXED_COUNT];
    struct contexts contexts;
    struct flight flight;
    struct guard guard;
    struct checkpoints checkpoints;
    uint64_t schema;          /* what DDL was sent since the transaction began, see statement.h */
    struct deferral deferral; /* as things stand */
    struct snapshot at_mark;
    struct snapshot at_guard;
    VEC(struct deferral) deferrals; /* those of the schemas met so far */
    struct outer outer;
    struct strbuf text; /* of a statement that is made anew */
    struct encoded_values params;
    struct backend_coverage coverage; /* in earlier transactions; empty unless options.coverage */
    struct reads reads;
    struct readings readings;
    VEC(struct alignment) alignments;
    enum rearranges rearranges;
    size_t aligned; /* schemas so far: names of statements */
    /* Queued so far, checks of deferred constraints included; and rollbacks: rows that were read
     * are as they were while it is the same. */
    uint64_t calls;

    struct seen *seen; /* changed.h; NULL: nothing in this example */
    /* Reading them counts as what was touched, on this connection: counts outlive a transaction. */
    bool looked;
    struct catalog_facts catalog;
};

/* A function below that takes a backend is its operation of that name: see example/backend.h. */
static inline struct session *session_of(struct backend *backend)
{
    return (struct session *)backend;
}

/* session.c */
/* The user that an actor's statements run as. */
const char *actor_name(const struct session *session, size_t index);
/* queue.c */
bool session_queue(struct backend *backend, const struct backend_call *call, backend_ticket *ticket,
                   struct error *err);
bool session_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err);
bool session_guard_end(struct backend *backend, struct error *err);
void session_guard_undo(struct backend *backend);
/* Sends a statement of our own; that it fails is an error of ours, unless the transaction has
 * failed. */
bool session_fixed(struct session *session, enum fixed fixed, struct error *err);
/* The same with parameters, or if the caller wants the answer. */
bool session_send_fixed(struct session *session, enum fixed fixed, const struct wire_params *params,
                        struct wire_call call, struct error *err);
/* Prepares it. */
bool session_prepare_own(struct session *session, enum fixed fixed, const char *sql,
                         struct wire_call call, struct error *err);
/* The answers of those whose answers are of no interest. */
struct wire_call session_fixed_call(struct session *session, enum fixed fixed);
/* The same as session_fixed with a text. */
bool session_own(struct session *session, const char *sql, struct error *err);
/* Sends what changes from the current context to this one (NULL: none). */
bool session_context(struct session *session, const struct backend_context *context,
                     struct error *err);
/* wire_done of a slot's statement: owner is the session, tag the ticket. */
void session_arrived(void *owner, uint64_t tag, PGresult *result);
/* Whether it was not run, because something before it failed. */
bool session_was_skipped(const PGresult *result);
/* Whether it says that the plan which the server kept no longer fits what it is about. Without the
 * plan the same statement may work. */
bool session_is_stale(const PGresult *result);
/* A prepared statement of ours is gone: SQL under test deallocated it. Whether that is what the
 * result says; then the example is to be run again. */
bool session_was_deallocated(struct session *session, const PGresult *result);
/* After a drain: whether the transaction, guarded or not, is in a state where statements run. */
bool session_runs(const struct session *session);
/* Something of ours failed: to be told from `ticket` on. */
void session_break(struct session *session, backend_ticket ticket, const struct error *err);
/* Of the session's wire: adds what the server was doing when it went away. */
void session_explain_loss(void *owner, struct error *err);
/* To wait with, in place of the target's: they also end a statement that waits for itself. */
const struct hooks *session_hooks(struct session *session);
/* Tells the user that they did, at close: a session may wait on a thread of its own. */
void session_tell_stuck(const struct session *session);
/* Waits for all answers, and makes queries of our own possible: a transaction that failed is rolled
 * back to the innermost savepoint (session->failed stays). */
bool session_settle(struct session *session, struct error *err);
/* Between steps: where these are committed, begins a transaction of checks, if none is open. */
bool session_begin_check(struct session *session, struct error *err);

/* own.c */
/* Runs a query of our own in a savepoint or a transaction that is rolled back. If the server
 * refuses it, that is an error. */
PGresult *session_query(struct session *session, const char *sql, const struct wire_params *params,
                        struct error *err);
/* One text value of a query with one parameter, in `arena`. */
bool session_value(struct session *session, const char *sql, const char *param, struct arena *arena,
                   const char **out, struct error *err);
/* Settles, then runs a query of ours. */
PGresult *session_ask(struct session *session, const char *sql, const struct wire_params *params,
                      struct error *err);
/* The same with arrays of texts as parameters, which are freed. */
PGresult *session_ask_texts(struct session *session, const char *sql, struct text_array *arrays,
                            size_t count, struct error *err);
/* Runs DDL that was read from the catalog by a query of ours, for a fault in the schema. */
bool session_do_ddl(struct session *session, const char *sql, struct error *err);

/* learn.c */
/* Makes a type, or those of a result's parameters and columns, known, with all that they are made
 * of. */
bool session_learn_type(struct session *session, uint32_t oid, struct error *err);
bool session_learn_types(struct session *session, const PGresult *result, struct error *err);

/* connection.c */
/* Connects to the session's database; custom settings that contexts name are there from the start.
 */
bool session_connect(struct session *session, struct error *err);
/* True if the session belongs to a pooler, or another one stands for it. */
bool session_is_pooled(const struct session *session);
/* Opens connections that are not used: as many as it needs beside those that it has, and so many
 * for others. `*missing`: so many could not be opened. */
bool session_reserve(struct session *session, size_t others, size_t *missing, struct error *err);
/* Connects to the scratch database beside its session, for statements of our own. */
bool connect_beside(const struct scratch *scratch, struct wire *wire, struct error *err);

/* sequences.c */
/* Outside of transactions: notes the state of the scratch database's sequences, or restores it. */
bool session_note_sequences(struct session *session, struct error *err);
/* SQL that restores their present state, in `arena`; NULL if there are none. */
bool session_read_sequences(struct session *session, struct arena *arena, const char **out,
                            struct error *err);
bool session_restore_sequences(struct session *session, struct error *err);
/* Within one: before a savepoint, as the connecting user, and after a rollback to it. */
bool session_keep_sequences(struct session *session, struct error *err);
bool session_sequences_back(struct session *session, struct error *err);

/* align.c */
bool session_align(struct backend *backend, uint64_t step, struct error *err);
/* The server forgot what was prepared, or the schema is not the one that the number stood for. */
void session_forget_alignments(struct session *session);

/* rearrange.c: before a step, as the connecting user. */
bool session_rearrange(struct session *session, struct error *err);

/* Loads a file. */
typedef bool session_load_fn(struct session *session, const char *path,
                             struct diagnostics *diagnostics, struct error *err);

/* loaded.c: makes the scratch database, with the files in it unless they are loaded in the
 * transaction. An embedded server may have it from its cache. */
bool loaded_open(struct session *session, session_load_fn *load, struct diagnostics *diagnostics,
                 struct error *err);

/* transaction.c */
/* Loads the machine's schema, and what --apply names. */
bool session_load_files(struct session *session, session_load_fn *load,
                        struct diagnostics *diagnostics, struct error *err);
bool session_begin(struct session *session, struct diagnostics *diagnostics, struct error *err);
/* Gives the session the settings of a new connection. */
bool session_renew(struct session *session, struct error *err);
bool session_plant(struct backend *backend, const char *sql, struct error *err);
bool session_mark(struct backend *backend, struct error *err);
bool session_reset(struct backend *backend, struct error *err);
bool session_checkpoint(struct backend *backend, size_t index, struct error *err);
bool session_rewind(struct backend *backend, size_t *index, struct error *err);
bool session_wants_restart(struct backend *backend);
bool session_restart(struct backend *backend, struct error *err);
bool session_reconnect(struct backend *backend, struct error *err);
/* Ends the example: all its answers are taken. */
bool session_end_example(struct session *session, struct error *err);
/* VACUUM of an array of tables' OIDs, outside of transactions. */
bool session_vacuum(struct session *session, const char *oids, struct error *err);
/* Asks again what a new connection must know. */
bool session_learn_again(struct session *session, struct error *err);

/* commit.c: the operations whose names are the same there */
/* Whether steps may be committed; makes the copy of the scratch database. */
bool commit_allowed(const struct session *session, struct error *err);
bool commit_copy(struct session *session, struct error *err);
bool commit_connected(struct session *session, struct error *err);
bool commit_queue(struct backend *backend, const struct backend_call *call, backend_ticket *ticket,
                  struct error *err);
bool commit_queue_deferred(struct backend *backend, const struct backend_context *context,
                           bool begins, backend_ticket *ticket, struct error *err);
bool commit_guard_begin(struct backend *backend, enum backend_guard guard, struct error *err);
bool commit_guard_end(struct backend *backend, struct error *err);
bool commit_clock(struct backend *backend, int64_t now_us, struct error *err);
bool commit_plant(struct backend *backend, const char *sql, struct error *err);
bool commit_mark(struct backend *backend, struct error *err);
bool commit_reset(struct backend *backend, struct error *err);
bool commit_wants_restart(struct backend *backend);
bool commit_restart(struct backend *backend, struct error *err);
bool commit_die(struct backend *backend, struct error *err);
/* Waits for everything, and ends the transaction that is open: what is left of it is kept, or not.
 */
bool commit_end(struct session *session, bool keep, struct error *err);
/* The parts of reset() that are about the session alone: at its beginning, and at its end. */
bool commit_end_example(struct session *session, struct error *err);
bool commit_listen(struct session *session, struct error *err);

/* death.c: clients that die */
/* Whether the server's session ends with the connection. */
bool death_possible(const struct session *session, struct error *err);
/* As session_take, but for the end that is wanted. */
bool death_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                struct answer *out, struct error *err);
bool death_at(struct backend *backend, uint32_t gate, struct error *err);
bool death_was_at(struct backend *backend, struct backend_death *out, struct error *err);
/* Before a call outside of a transaction: tells the server at which gate the session ends. */
bool death_tell(struct session *session, struct error *err);
/* All answers of a session that is about to end were taken; or its end is known. */
bool death_settle(struct session *session, struct error *err);

/* gated.c */
/* Whether the call under way stops at rows that the statement locks. Then its text is put into one
 * with a gate for each of them. */
bool gated_is(const struct session *session, const struct sql_template *sql);
void gated_text(struct strbuf *text);

/* lane.c */
/* Makes gates in the scratch database, as far as the user may; takes them away. */
bool gates_make(struct session *session, struct error *err);
void gates_drop(const struct scratch *scratch);

/* --- stops.c --- */

/* Puts stops between the statements of the database's functions, over the wire. */
bool stops_make(struct session *session, struct wire *wire, struct error *err);
/* The function's text, which may have stops, as the schema has it. */
const char *stops_original(const struct session *session, const char *text);
/* "total()"; "" for a function without stops. */
const char *stops_name(const struct session *session, unsigned long oid);
/* The SQL that gives the function stops for a replay script; NULL for one without. */
const char *stops_definition(const struct session *session, unsigned long oid, struct arena *arena);
extern const struct lane_ops session_lanes;
bool lane_die(struct backend *backend, struct error *err);
bool lane_reset(struct backend *backend, struct error *err);
/* Disconnects all; frees them. */
void lanes_leave(struct session *session);
void lanes_free(struct session *session);

/* Closes the connection; what it has set in the session goes with it. */
void session_disconnect(struct session *session);

/* memory.c */
/* Of one that has its target and options. */
void session_make(struct session *session, const struct machine *machine);
/* Of one that is disconnected, with itself. */
void session_free(struct session *session);

/* shared.c */
/* Before a COMMIT: fails the transaction, and the run, if it changed what all databases share. */
bool session_keep_shared(struct session *session, struct error *err);

/* restore.c; outside of transactions */
bool restore_mark(struct session *session, struct error *err);
/* `*spoilt`: not everything could be put back. */
bool restore_back(struct session *session, bool *spoilt, struct error *err);
void restore_free(struct session *session);
/* Prepares what gives a session back what was set in it: `settings`, as in struct marked. */
bool restore_prepare_session(struct session *session, const char *settings, struct error *err);
/* Sends SQL that clears what the session keeps beyond a transaction, except prepared statements and
 * currval. If some of it stays, found.failed is set with the answer. */
bool restore_session(struct session *session, struct error *err);
/* After the mark, on a new connection: it gets the settings of the mark, and what restores. */
bool restore_connected(struct session *session, struct error *err);

/* prepare.c */
bool session_prepare_fixed(struct session *session, struct error *err);
/* empty.c: of a machine without a schema on an embedded server, one mistake in place of all that is
 * missing. */
void session_explain_empty(const struct session *session, struct diagnostics *diagnostics);
/* All statements of the machine, for the actors that are known; mistakes go to diagnostics. */
bool session_prepare_all(struct session *session, struct diagnostics *diagnostics,
                         struct error *err);
struct backend_prepared session_prepared(struct backend *backend);
/* After dataset and initialize, or a part of it: prepares statements that could not be prepared
 * before, or were for another schema. With `diagnostics` this is the last attempt, and a refusal is
 * a mistake. */
bool session_prepare_rest(struct session *session, struct diagnostics *diagnostics,
                          struct error *err);
/* Prepares one, in the current context. If the server refuses it, it becomes STATEMENT_VOLATILE, so
 * that the refusal is the answer of its call. */
bool session_prepare_one(struct session *session, struct statement *statement, struct error *err);
/* Parses text under the unnamed statement and learns its parameters' types, in session->arena-free
 * memory of `arena`. `*refused`: the server's refusal, the caller's to PQclear; NULL: none. */
struct parsed {
    size_t param_count;
    const uint32_t *params;
    PGresult *refused;
};
bool session_parse(struct session *session, const char *sql, struct arena *arena,
                   struct parsed *out, struct error *err);

/* answer.c */
bool session_take(struct backend *backend, backend_ticket ticket, struct arena *arena,
                  struct answer *out, struct error *err);
bool session_ready(struct backend *backend, backend_ticket ticket);
/* An error, but for its position. */
void result_error(const struct session *session, const PGresult *result, struct arena *arena,
                  struct server_error *out);
/* A result's column, and the values of its row, whose types are known. */
struct answer_column result_column(const struct session *session, const PGresult *result,
                                   int column, struct arena *arena);
bool result_row(const struct decoder *decoder, const PGresult *result, int row, struct value *items,
                struct error *err);

/* snapshot.c */
void snapshot_take(const struct session *session, struct snapshot *out);
void snapshot_restore(struct session *session, const struct snapshot *from);
/* The migration has run: names mean something else, and types are other ones. It was undone. */
void session_note_migrated(struct session *session);
void session_unmigrate(struct session *session);
void deferral_copy(struct deferral *to, const struct deferral *from);
/* Frees all that a session has. */
void session_free_snapshots(struct session *session);

/* deferred.c */
bool session_read_deferral(struct session *session, struct error *err);
/* After a fault was planted in the schema or taken out: forgets what was read before. */
bool session_renew_deferral(struct session *session, struct error *err);
/* Where all are immediate: defers those again that the schema defers, as it is now. */
bool session_defer_again(struct session *session, struct error *err);
bool session_queue_deferred(struct backend *backend, const struct backend_context *context,
                            bool begins, backend_ticket *ticket, struct error *err);

/* migrate.c */
bool session_read_migration(struct session *session, struct error *err);
/* columns.c: notes the columns of all tables, for a machine with a migration of its own. */
bool session_note_columns(struct session *session, struct error *err);
/* Whether a column was not there when they were noted. */
bool session_column_is_new(const struct session *session, const struct server_error *error);
bool session_migrate(struct backend *backend, struct arena *arena, struct answer *out,
                     struct error *err);
bool commit_migrate(struct backend *backend, struct arena *arena, struct answer *out,
                    struct error *err);

/* equal.c */
bool session_equal(struct backend *backend, uint32_t type, const struct value *expected,
                   const struct value *actual, size_t count, bool *same, struct error *err);

/* coverage.c; both do nothing unless options.coverage */
/* Before the first transaction: whether functions can be counted. */
bool session_prepare_coverage(struct session *session, struct error *err);
/* Before the transaction ends: what it touched goes to session->coverage. */
bool session_cover(struct session *session, struct error *err);
/* Where steps are committed: whether the server tells; what was touched, before we read or write
 * tables ourselves, and after that. */
bool coverage_is_known(const struct session *session);
bool session_cover_example(struct session *session, struct error *err);
bool session_cover_next(struct session *session, struct error *err);
/* Adds one object, or what it says of one that is there. */
void coverage_add(struct backend_coverage *coverage, struct arena *arena,
                  const struct backend_object *object);

/* reads.c */
bool session_reads(struct backend *backend, struct backend_reads *out, struct error *err);
bool session_watch(struct backend *backend, const struct backend_relations *relations,
                   struct backend_reads *out, struct error *err);

/* written.c */
/* Of what session_reads found. */
bool session_prepare_written(struct session *session, struct error *err);
bool session_queue_written(struct backend *backend, backend_ticket *ticket, struct error *err);
bool session_take_written(struct backend *backend, backend_ticket ticket, struct arena *arena,
                          struct backend_written *out, struct error *err);

/* settings.c: `each`: "SET LOCAL ", or "SET " for all its transactions. */
bool session_set_up(struct session *session, const char *each, struct error *err);

/* changed.c */
bool session_tables(struct backend *backend, struct arena *arena, struct table_changes *out,
                    struct error *err);
/* The example is over: the next call is the first one. */
void session_forget_tables(struct session *session);

/* readings.c */
bool session_queue_reads(struct backend *backend, const struct backend_queries *reads,
                         backend_ticket *tickets, struct error *err);
/* Of one whose plan was stale, or that another one's error skipped: waits for its answer. Where
 * that would be another one, as something was queued since, the example is stale. */
bool session_read_again(struct session *session, backend_ticket ticket, struct error *err);
/* The server forgot them. */
void session_forget_readings(struct session *session);

/* relations.c */
bool session_relations(struct backend *backend, struct arena *arena, struct backend_relations *out,
                       struct error *err);
void session_written(struct backend *backend, struct arena *arena, struct backend_names *out);
bool session_parts(struct backend *backend, struct arena *arena, struct backend_parts *out,
                   struct error *err);
bool session_epoch(struct backend *backend, int64_t *now_us, struct error *err);

/* referred.c */
bool session_rows(struct backend *backend, const struct key_facts *key, struct arena *arena,
                  struct value *out, struct error *err);
/* Their statements are gone. */
void session_forget_referred(struct session *session);
/* origins.c */
bool session_read_origins(struct session *session, struct error *err);
/* The origin of a column that refers to no other one. */
uint64_t session_column(uint32_t table, int number);
/* The origin of a table's column; 0 for a view, or without a table. */
uint64_t session_origin(const struct session *session, uint32_t table, int number);

#endif
