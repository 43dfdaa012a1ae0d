/*
 * The interface to a database, as the engine sees it. `pg` implements it; tests have a fake one.
 *
 * Statements are queued and their answers taken later, in the order queued, so that an
 * implementation may send many before it waits. `take` waits. What happens between `reset` calls is
 * undone by the second one: by a savepoint that is never committed, or where each step is a
 * transaction of its own, by putting back what was written.
 *
 * Outcomes are data: an error that the server raised is in the answer. A function returns false
 * only where the backend can't go on: the connection is lost, the run was interrupted, or a mistake
 * in the machine showed (a parameter whose value has no form in its type): `err` says which by its
 * code.
 *
 * After an error in an unguarded call what is queued behind it, up to the next take, is answered
 * ANSWER_SKIPPED; the engine then ends the example with reset().
 */
#ifndef EXAMPLE_BACKEND_H
#define EXAMPLE_BACKEND_H

#include "base/error.h"
#include "base/vec.h"
#include "machine/machine.h"
#include "schema/catalog.h"
#include "value/value.h"

#include <stdbool.h>
#include <stdint.h>

/* What a column's values are, as far as comparing needs to know. */
enum column_class {
    COLUMN_NUMBER, /* int2/4/8, oid, numeric, bool: decoded values compare by value */
    COLUMN_FLOAT,  /* float4, float8: the expected value is first made one of the column's type */
    COLUMN_TEXT,   /* text, varchar, name: plain; different text is different */
    COLUMN_JSON,   /* compared by structure */
    COLUMN_BYTES,
    COLUMN_CONTAINER, /* arrays, composites: item by item, and by the server where `plain` is false
                       */
    COLUMN_OTHER,     /* by text, and by the server where the texts differ */
};

struct answer_column {
    const char *name;
    uint32_t type;         /* oid */
    const char *type_name; /* as format_type gives it, without a length or a scale */
    int modifier;          /* these, as pg_attribute.atttypmod; -1: none */
    /* The column of a table that it is, or the one that it refers to by foreign keys: two columns
     * of the same origin hold the same ids. 0: it is of a function, an expression, a view. */
    uint64_t origin;
    bool no_id; /* of a table: it is neither in the primary key nor in a foreign one */
    enum column_class class;
    /* COLUMN_CONTAINER: all leaves are of a class that is compared by the decoded value alone
     * (COLUMN_NUMBER, COLUMN_TEXT, COLUMN_BYTES): the server need not be asked where they differ.
     */
    bool plain;
};

struct divergence; /* example/divergence.h */

enum answer_status {
    ANSWER_OK,
    ANSWER_ERROR,   /* the server raised one */
    ANSWER_SKIPPED, /* not run: something before it failed */
    /* A plan that the server kept got stale (DDL in the example changed what the statement
     * returns): nobody's mistake. Everything until reset() is ANSWER_SKIPPED; the same trace is to
     * be run again from its start, and will not meet this again. */
    ANSWER_STALE,
};

struct server_error {
    char sqlstate[6];
    const char *severity;
    const char *message;
    const char *detail; /* or NULL, as the next ones */
    const char *hint;
    const char *context;
    const char *schema;
    const char *table;
    const char *column;
    const char *constraint;
    const char *datatype;
    bool lacking; /* the server lacks room, memory or a sound disk: no statement is to blame */
    /* A time limit or the backend cancelled the statement: nothing in it raised the error. */
    bool cancelled;
    /* The session had prepared the statement before the schema changed (`prepared`), and the server
     * can't make that fit. */
    bool outlived;
    bool fitted; /* the server took the statement before the machine's migration */
    /* A value is missing (23502) of a column that was not there before the machine's migration. */
    bool column_made;
    int position;      /* in the template's snippet, from 1 in characters; 0: none */
    const char *place; /* of a migration: "file:line:column"; otherwise NULL */
};

/* What the session told itself by NOTIFY. */
struct notification {
    const char *channel;
    const char *payload;
};

struct answer {
    enum answer_status status;
    struct server_error error; /* ANSWER_ERROR */
    size_t column_count;
    const struct answer_column *columns;
    size_t row_count;
    const struct value *rows;  /* row_count rows (VALUE_TUPLE with names) */
    struct row_copies *copies; /* setup/prefix.h: others share the rows; NULL: no other does */
    int64_t count;             /* rows returned or affected; -1: the command has no count */
    const char *command;       /* command tag: "INSERT 0 1" */
    int64_t time_us;           /* until the answer came; an estimate when run ahead */
    /* Of queue_deferred: what came since the last one, in order; where the machine `listens`. */
    bool listens;
    size_t notification_count;
    const struct notification *notifications;
    /* Of two databases (src/diff), the answer of the second, and how it differs; NULL: of one
     * database, and where it does not. */
    const struct answer *after;
    const struct divergence *divergence;
    /* They no longer agree for a reason that is no failure, such as a time limit that one of them
     * ran into: the example is to end. */
    bool parts;
    bool undone; /* they differ in a way that is accepted, so that both undid the step */
};

/* A table, a view or a materialised view that can be read. */
struct backend_relation {
    const char *name; /* "public.orders": schema and name, quoted where SQL needs it */
    const char *kind; /* "table", "view", "materialized view" */
    const char *id;   /* the server's */
    VEC(struct backend_relation_column {
        const char *name; /* as in the catalog, not quoted */
        const char *sql;  /* quoted where SQL needs it */
        /* As format_type gives it, without a length, with its schema unless it is PostgreSQL's; of
         * a domain the type under it. */
        const char *type;
    })
    columns; /* in their order */
};
struct backend_relations {
    VEC(struct backend_relation) items; /* by name, in the order of bytes */
};

/* A part of an object of the schema: a column of a table, a trigger, the body of a function. */
struct backend_part {
    const char *object;     /* "table public.orders", "function f(integer)" */
    const char *name;       /* the last part of the object's name, not quoted: "orders" */
    const char *kind;       /* "column", "trigger", "definition" */
    const char *definition; /* to be compared with one of a server of the same version */
};
struct backend_parts {
    VEC(struct backend_part) items; /* by object, kind and definition, in the order of bytes */
};

/* Last parts of names, in lower case. */
struct backend_names {
    VEC(const char *) items;
};

/* Of two databases: the objects whose requests may show that the schemas differ. */
struct backend_concerns {
    VEC(const char *) changed; /* last parts of their names, in lower case */
    VEC(const char *) near;    /* what these refer to, and what refers to them */
};

/* A relation of two databases, and whether it has had rows when it was compared. */
struct backend_filled {
    const char *relation; /* "table public.orders" */
    bool filled;
};

/* A context with its expressions evaluated. Equal pointers are not needed: compared by content. */
struct backend_setting {
    const char *name;
    const char *value;
};
struct backend_context {
    const char *role;         /* NULL: the connecting user */
    const char *session_user; /* NULL: unchanged */
    const struct backend_setting *settings;
    size_t setting_count;
    const struct value *given; /* what the settings' values are texts of; for recordings */
};

/* What a call is the first of: a request of its own. Where steps are transactions, a step is one;
 * checks that follow one another share one. */
enum backend_begins { BEGINS_NOTHING, BEGINS_STEP, BEGINS_CHECK };

struct backend_call {
    const struct sql_template *sql;
    const struct backend_context *context; /* NULL: none; read when queued, not kept */
    const struct value
        *values; /* one per piece that is no SQL_TEXT, in order; read when queued, not kept */
    /* Of the first of a step or a check: where SQL under test may have changed what the context
     * sets, it is set anew. Between the statements of one request it is set where it is another
     * one. */
    enum backend_begins begins;
    /* BEGINS_STEP, where steps are transactions. */
    enum isolation isolation;
    /* Each call of the step is outside of a transaction, and waits for its answer: after an error
     * the rest is skipped, and what was done before stays. */
    bool outside;
    /* The application keeps the statement prepared: where the session has run it before in this
     * example, it runs as it was prepared then, and an error by which the server refuses that after
     * a change of the schema is the answer. */
    bool prepared;
    const char *asker; /* the rule or invariant that it belongs to; NULL: a row of the dataset */
    /* If not NULL: gets for each of the values the type that the server inferred for it, 0 where it
     * is pasted or the server refused the statement. Filled when queued. */
    uint32_t *types;
};

/* How deferred constraints are forced and deferred again, as things stand. */
struct backend_deferral {
    bool any; /* whether any constraint can be deferred */
    const char
        *restore;      /* SQL that defers those again which are deferred at first; NULL: none is */
    bool by_savepoint; /* they can't be told apart by name: the check is rolled back instead */
};

/* What else than the machine sets what a context sets: SQL under test (`SET LOCAL` in a function,
 * `set_config`), and the database or the role for each new connection to it. */
struct backend_changes {
    bool settings;     /* and the role */
    bool session_user; /* that, too; only where `settings` */
    /* SQL that gives a connection which was there before what the database and the role set for a
     * new one; NULL: they set nothing. */
    const char *connected;
    /* Settings that a session of ours has, whatever the server's default is, and that SQL under
     * test may change; only where `settings`. */
    const struct backend_setting *own;
    size_t own_count;
};

/* What of the schema a run touched. */
enum backend_object_kind {
    OBJECT_FUNCTION, /* procedures, too */
    OBJECT_TRIGGER_FUNCTION,
    OBJECT_TABLE,
    OBJECT_POLICY,
    OBJECT_KINDS
};
struct backend_object {
    enum backend_object_kind kind;
    const char *name; /* "leave(uuid)", "audit.log", "own on members" */
    bool touched;
    const char *note; /* of one that was not: why, or what else may be; or NULL */
    bool reached;     /* it was near: its note says more than that of one that was not */
};
struct backend_coverage {
    VEC(struct backend_object) objects; /* by kind and name */
    const char *no_functions;           /* why they can't be told; NULL: they can */
};

/* How many statements the machine has, but for the dataset's, and how many are prepared for whoever
 * runs them. */
struct backend_prepared {
    size_t statements;
    size_t prepared;
    /* Those that the server refuses as things stand, which a rule may put right or predict. */
    const struct diagnostics *left;
    /* Those that were prepared, and do something that is probably not meant. */
    const struct diagnostics *doubts;
};

/* Which tables decide what an invariant's query, or a relation, answers, by number. */
struct invariant_reads {
    const char
        *all; /* why it may be any, or what is no table: "it reads a sample"; NULL: it isn't */
    VEC(size_t) tables;
};

/* What the machine's invariants or the relations of a schema read. */
struct backend_reads {
    /* By invariant or relation; NULL: all may read everything. */
    const struct invariant_reads *invariants;
    const char *all; /* then: why, if it is known */
    size_t tables;   /* how many there are */
};

/* What was written since the last answer. */
struct backend_written {
    bool all;           /* anything may have been, or a query may mean something else now */
    const bool *tables; /* by number; NULL: none was */
};

typedef uint64_t backend_ticket;

enum backend_guard {
    GUARD_MUST_FAIL, /* an error is predicted: rolled back whatever happens */
    GUARD_MAY_FAIL,  /* rolled back where one failed, else kept */
};

/* As whom the state of two databases is compared: as the connecting user, or also as everyone whom
 * the example has been. */
enum backend_readers { READERS_OWNER, READERS_ALL };

/* What comparing the state of two databases, or running a migration on one, comes to. */
struct backend_compared {
    const struct divergence *divergence; /* NULL: they agree */
    /* As ANSWER_STALE: nothing is known, and the same trace is to be run again. */
    bool stale;
    bool parts; /* as in struct answer */
    /* Of compare(): all that both databases have, in the same order in all examples, with what was
     * seen since the example began. */
    const struct backend_filled *relations;
    size_t relation_count;
};

struct backend;
struct lane_ops;
struct table_changes;

/* Queries of ours; each names everything with its schema. Read when queued, not kept. */
struct backend_queries {
    const char *const *sql;
    size_t count;
    const struct backend_context *context; /* NULL: as the connecting user */
};

/* How a session ended in the middle of a step. */
struct backend_death {
    bool within;      /* at the gate that was wanted; false: there was none */
    uint32_t commits; /* how many transactions that had written something were committed */
};

struct backend_ops {
    /* Readies the database for the machine: outer transaction, schema in place, session settings;
     * prepares every template and reports all mistakes in one go (but see `pending`). Once, before
     * all else. */
    bool (*open)(struct backend *backend, const struct machine *machine,
                 struct diagnostics *diagnostics, struct error *err);
    /* Whether open() left something that it could not prepare, because what it names may be made
     * by dataset and initialize. NULL: no; prepare, too. */
    bool (*pending)(struct backend *backend);
    /* After them, or a part of them: prepares what is still to be. `diagnostics` (NULL: something
     * is still to come) get what is not there now either. */
    bool (*prepare)(struct backend *backend, struct diagnostics *diagnostics, struct error *err);
    /* What came of it; valid until anything else is called. May be NULL. */
    struct backend_prepared (*prepared)(struct backend *backend);
    /* Changes the schema until the next restart or reconnect: a fault is planted, by SQL of ours
     * that runs as the connecting user, just before mark. False with ERROR_SERVER: the server
     * refused it, and only restart, reconnect or close may follow. NULL: that can't be done. */
    bool (*plant)(struct backend *backend, const char *sql, struct error *err);
    /* From here on reset() comes back to this state: called after dataset and constant initialize.
     */
    bool (*mark)(struct backend *backend, struct error *err);
    /* Ends an example: takes all answers still out, rolls back to the mark. Sequences go back as
     * well, but for those of a database that was named, where that would stay. */
    bool (*reset)(struct backend *backend, struct error *err);
    /* For examples that begin alike. A savepoint, to be known by `index`, which rises from one to
     * the next until reset. NULL, and rewind too: there are none. */
    bool (*checkpoint)(struct backend *backend, size_t index, struct error *err);
    /* Ends an example as reset does, but rolls back to the last savepoint up to `*index` that there
     * is, and says which; 0: to the mark. */
    bool (*rewind)(struct backend *backend, size_t *index, struct error *err);
    /* Whether the outer transaction should be ended and begun again (restart), as a long one gets
     * slow. */
    bool (*wants_restart)(struct backend *backend);
    /* How long a statement may take, in milliseconds, from the next restart or reconnect on, which
     * is wanted then; 0: as long as it likes. NULL: that can't be changed. */
    void (*limit)(struct backend *backend, int64_t timeout_ms);
    /* Rolls back all, begins anew as after open(), with sequences as in reset, and without advisory
     * locks and currval; dataset, constant initialize and mark must follow. */
    bool (*restart)(struct backend *backend, struct error *err);
    /* As restart, on a connection of its own: what an earlier example left behind and no rollback
     * took away is gone (currval, advisory locks, settings, plans, a session's memory). */
    bool (*reconnect)(struct backend *backend, struct error *err);
    /* In an example, where steps are transactions: the client goes away without a word, and another
     * one takes its place in the same database. The server rolls back the transaction that is open.
     * Locks of the session, its temporary tables and what it set go, too. Waits until they have
     * gone. All answers must have been taken. NULL: that can't be done. */
    bool (*die)(struct backend *backend, struct error *err);
    /* In a guard, before the calls of a step outside of a transaction: at its gate of this number,
     * from 1, the server ends the session. That answer and all behind it are ANSWER_SKIPPED. die()
     * has to follow. NULL, and died_at, too: that can't be done. */
    bool (*die_at)(struct backend *backend, uint32_t gate, struct error *err);
    /* After that die(). Fails if the connection was lost elsewhere. */
    bool (*died_at)(struct backend *backend, struct backend_death *out, struct error *err);

    bool (*queue)(struct backend *backend, const struct backend_call *call, backend_ticket *ticket,
                  struct error *err);
    /* Forces deferred constraints, as a commit would: IMMEDIATE in `context`, then back to what the
     * schema declares; `begins` as in a call. Without any in the schema it costs nothing and
     * answers ANSWER_OK. Where steps are transactions it commits the one that is open. */
    bool (*queue_deferred)(struct backend *backend, const struct backend_context *context,
                           bool begins, backend_ticket *ticket, struct error *err);
    /* Sets the simulated clock, in microseconds since 2000-01-01 UTC, for what is queued from now
     * on; reset and restart set it back to where it was at the mark, and at open. NULL: there is
     * none. */
    bool (*clock)(struct backend *backend, int64_t now_us, struct error *err);
    /* Between them, calls whose failure leaves the rest of the example intact. Not nested. */
    bool (*guard_begin)(struct backend *backend, enum backend_guard guard, struct error *err);
    bool (*guard_end)(struct backend *backend, struct error *err);
    /* Has the open guard roll back when it ends, whatever happened in it. */
    void (*guard_undo)(struct backend *backend);
    /* Waits for a ticket's answer and those before it; each ticket once, in any order. The answer
     * and its values are in `arena`. */
    bool (*take)(struct backend *backend, backend_ticket ticket, struct arena *arena,
                 struct answer *out, struct error *err);
    /* After all answers of a step were taken: whether it lost against other sessions, and its
     * client sends it again. Nothing of it counts then. NULL: no client does. */
    bool (*again)(struct backend *backend, bool *again, struct error *err);
    /* Whether taking the ticket would not have to wait. */
    bool (*ready)(struct backend *backend, backend_ticket ticket);

    /* What the machine's invariants read, as things stand at the mark. Nothing of it runs. To be
     * called after mark and prepare, and again after a restart or reconnect; valid until then.
     * NULL, and the next three, too: it can't be told. */
    bool (*reads)(struct backend *backend, struct backend_reads *out, struct error *err);
    /* The same of these relations, which `relations` has just listed, in place of the invariants:
     * for comparing two databases. */
    bool (*watch)(struct backend *backend, const struct backend_relations *relations,
                  struct backend_reads *out, struct error *err);
    /* Asks what was written to these tables. Where one step is undone by its guard, what it wrote
     * counts as well. */
    bool (*queue_written)(struct backend *backend, backend_ticket *ticket, struct error *err);
    /* Waits for that ticket; the answer is valid until the next one. Of the first one of an example
     * nothing follows. */
    bool (*take_written)(struct backend *backend, backend_ticket ticket, struct arena *arena,
                         struct backend_written *out, struct error *err);

    /* What changed in the tables since the last call of an example, as tables.h says; the first one
     * gives the rows that are there. All answers must have been taken. It changes nothing, and
     * where the transaction has failed there is no change. NULL: it can't be told. */
    bool (*tables)(struct backend *backend, struct arena *arena, struct table_changes *out,
                   struct error *err);

    /* For comparing two databases (src/diff); NULL of a lane. */

    /* What of the schema can be read, as things stand: no partitions, no objects of extensions, no
     * temporary tables. Where the transaction has failed, as it was at the mark. */
    bool (*relations)(struct backend *backend, struct arena *arena, struct backend_relations *out,
                      struct error *err);
    /* What the schema consists of, as relations(): of tables what decides what they hold. */
    bool (*parts)(struct backend *backend, struct arena *arena, struct backend_parts *out,
                  struct error *err);
    /* What the migration of the options writes rows to, or alters, by its text. */
    void (*written)(struct backend *backend, struct arena *arena, struct backend_names *out);
    /* Between steps, and not in a guard: queues queries of ours about the user's relations. Their
     * errors undo nothing, and what they write, as a volatile function in a view may, is undone,
     * though the next one may see it. Take their answers as any others, before more than reads is
     * queued, or they may be ANSWER_STALE. */
    bool (*queue_reads)(struct backend *backend, const struct backend_queries *reads,
                        backend_ticket *tickets, struct error *err);
    /* Before a step, with its number; its guard may be open: sets sequences so that two databases
     * which do the same draw the same numbers, and each table numbers of its own; a step has a
     * hundred of each. A sequence that is further already, by its dataset or by a step that drew
     * more, and one with a limit stay where they are. Nothing to be taken; it leaves currval and
     * lastval alone, and is undone by reset and rewind. Where that would stay (a database that was
     * named), it does nothing. */
    bool (*align)(struct backend *backend, uint64_t step, struct error *err);
    /* The time of the transaction that the examples are in, in microseconds since 2000-01-01 UTC:
     * what now() gives. Where steps are transactions, each has another one: the time now. */
    bool (*epoch)(struct backend *backend, int64_t *now_us, struct error *err);
    /* Runs the migration of the options, once in an example, between two steps, as a part of the
     * example that reset undoes. All answers must have been taken. Nothing of it has to be taken.
     * ANSWER_OK; ANSWER_ERROR: the server raised one, and nothing runs before reset;
     * ANSWER_SKIPPED: the example has failed before, or the migration can't run inside the
     * example's transaction (error.message says why, or is NULL), and nothing runs before reset. */
    bool (*migrate)(struct backend *backend, struct arena *arena, struct answer *out,
                    struct error *err);

    /* Of two databases (src/diff); NULL: there is one. */

    /* Before the first step of an example: whether migrate_after() is to be called in it. If not,
     * the second database has had the migration from the start. */
    void (*begin)(struct backend *backend, bool migrates);
    /* Whether examples are to be compared with the first database itself, from the next begin() on,
     * to find out what differs by nature: that is no divergence any more. Says in *found whether
     * something was found since the last call; of an example, only the first place is, as what
     * comes behind it may follow from it. False: there is no copy of the first database. */
    bool (*doubt)(struct backend *backend, bool on, bool *found);
    /* Whether what the rule is answered may differ, by which its step is undone. All answers are
     * then to be taken before its step, which is to be in a guard that may fail. */
    bool (*accepts)(struct backend *backend, const char *rule);
    /* Runs the migration on the second database. A divergence: it failed. All answers must have
     * been taken. */
    bool (*migrate_after)(struct backend *backend, struct arena *arena,
                          struct backend_compared *out, struct error *err);
    /* How the two schemas differ, as of the first mark(). Valid until close. */
    const struct backend_concerns *(*concerns)(struct backend *backend);
    /* How many of the tables that differ have rows now in the first database, and of how many. All
     * answers must have been taken. */
    bool (*changed_rows)(struct backend *backend, size_t *filled, size_t *of, struct error *err);
    /* Compares their state. All answers must have been taken. */
    bool (*compare)(struct backend *backend, enum backend_readers readers, struct arena *arena,
                    struct backend_compared *out, struct error *err);
    /* A difference that every use of something shows (divergence_shows_always) has been told: what
     * has the same cause is none any more, so that others show. */
    void (*look_past)(struct backend *backend, const struct divergence *told);
    /* After ERROR_CONNECTION, whose connection was lost: "old" or "new"; NULL: it can't be told. */
    const char *(*lost)(struct backend *backend);

    /* How many bytes of answers wait to be taken. NULL: few. */
    size_t (*held)(struct backend *backend);

    /* Whether the server holds expected and actual for equal in the type: same[i] for pair i.
     * `expected` values go out as parameters would; one that has no form in the type is not the
     * same. It may be asked while answers are still out; they can be taken after it. Where one of
     * them is an unguarded error, so that the transaction has failed, the implementation rolls back
     * to the mark to ask: nothing is queued any more before reset() then. */
    bool (*equal)(struct backend *backend, uint32_t type, const struct value *expected,
                  const struct value *actual, size_t count, bool *same, struct error *err);

    /* For recordings of what was sent. */

    /* Appends the text that a value goes out as where the server wants the type (0: pasted); where
     * it is NULL there, nothing, and *null is true. False: it has no form in the type. */
    bool (*encode)(struct backend *backend, uint32_t type, struct value value, struct strbuf *out,
                   bool *null, struct error *err);
    /* As format_type gives it; valid until close or restart. */
    const char *(*type_name)(struct backend *backend, uint32_t type);
    /* Valid until anything else is called. */
    struct backend_deferral (*deferral)(struct backend *backend);
    /* From open() on the same. */
    struct backend_changes (*changes)(struct backend *backend);

    /* Things to tell the user once, found in the catalog (a policy that nothing tests, ON COMMIT,
     * …); NULL at the end. Valid until close. May be called after open. */
    const char *const *(*warnings)(struct backend *backend);
    /* What of the schema's literals (enum labels, CHECK constants) is worth drawing; may be NULL.
     */
    const struct value *(*pool_strings)(struct backend *backend, size_t *count);
    const struct value *(*pool_ints)(struct backend *backend, size_t *count);
    /* Adds to `out` what was touched since open() by whatever ran (dataset and schema files inside
     * the transaction included), its texts in `arena`; what is there under the same kind and name
     * was touched if either says so. To be asked after reset; the backend must have been told to
     * find it out. May be NULL. */
    bool (*coverage)(struct backend *backend, struct arena *arena, struct backend_coverage *out,
                     struct error *err);
    /* Tables, for strategies: as struct draw_catalog (schema/catalog.h); may be NULL. `rows` asks
     * as the connecting user; where the transaction has failed there are none. */
    bool (*table)(struct backend *backend, const char *name, const struct table_facts **out,
                  struct error *err);
    bool (*rows)(struct backend *backend, const struct key_facts *key, struct arena *arena,
                 struct value *out, struct error *err);
    /* Several sessions side by side (lanes.h). NULL: there are none. */
    const struct lane_ops *lanes;
    /* Disconnects at once, with answers unread; only close() may follow. All backends of a run
     * leave before any is closed: a server process that waits for its answers to be read holds up
     * the dropping of databases, other processes' too. Never fails. */
    void (*leave)(struct backend *backend);
    /* Leaves, and drops what was made. Never fails; frees the backend. */
    void (*close)(struct backend *backend);
};

/* The first member of every implementation. */
struct backend {
    const struct backend_ops *ops;
};

#endif
