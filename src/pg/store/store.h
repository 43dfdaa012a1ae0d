/*
 * A store of failures, and of the examples and mutants of a run that several processes share, as
 * tables of a database (schema `pgfsm`, ../sql/store/migration_1.sql).
 *
 * Who shrinks a failure or runs a chunk of examples holds a *lease*. The server's clock ends it,
 * unless it is renewed (pg_store_tick). Each lease has an epoch, by which what comes from a holder
 * that was too slow is left out. Every call may be repeated, so a lost connection is made anew, and
 * the call is sent again.
 *
 * All texts are UTF-8. What a store holds is not trusted: the caller checks the traces and records.
 * Calls on several threads wait for each other.
 */
#ifndef PG_STORE_STORE_H
#define PG_STORE_STORE_H

#include "base/arena.h"
#include "base/error.h"
#include "os/wait.h"

#include <stdint.h>

struct pg_store;

struct pg_store_options {
    const char *url;           /* a connection URI; borrowed */
    int64_t wait_ms;           /* how long to retry a server that does not answer */
    const struct hooks *hooks; /* borrowed */
};

/* Whether a text names a database, and not a folder. */
bool pg_store_is_url(const char *text);
/* Connects. Makes the tables, or brings them up to date, if the user may. False with err, which
 * has no part of the password. Close *out with pg_store_close. */
bool pg_store_open(struct pg_store **out, const struct pg_store_options *options,
                   struct error *err);
/* Gives back what is leased. NULL: nothing. */
void pg_store_close(struct pg_store *store);
/* Gives back what is leased now, and waits for no answer. */
void pg_store_give_all_back(struct pg_store *store);
/* Renews the leases when a good part of them is over. Call it several times a second. It waits for
 * no answer, and does not fail: what a lease was lost for is found out later. */
void pg_store_tick(struct pg_store *store);

/* A failure. */
struct pg_store_failure {
    const char *machine;
    const char *identity;
    const char *name;
    const char *trace; /* its text */
    int64_t epoch;
    int64_t times; /* that it was found before it was loaded; 0: not known */
};
struct pg_store_failures {
    VEC(struct pg_store_failure) items;
};
/* Those of a machine that were seen last, and no more than a run can repeat. Without identities. If
 * the run with this key is shared (NULL: it is not), those that were found last before it. */
bool pg_store_load(struct pg_store *store, const char *machine, const char *key,
                   struct arena *arena, struct pg_store_failures *out, struct error *err);

enum pg_store_claim {
    STORE_MINE,  /* this process is the one to shrink it, until it is saved or given back */
    STORE_KNOWN, /* it is shrunk: `trace` */
    STORE_TAKEN, /* another process shrinks it */
};
struct pg_store_claimed {
    enum pg_store_claim how;
    const char *holder; /* who shrinks it, or did; NULL: not known */
    const char *trace;
    int64_t epoch;
};
/* Asks for a failure. `stale`: the epoch of a shrunk form that does not fail; 0: none. `again`: it
 * was asked for before, and is not counted once more. */
bool pg_store_claim(struct pg_store *store, const struct pg_store_failure *failure, int64_t stale,
                    bool again, struct arena *arena, struct pg_store_claimed *out,
                    struct error *err);
/* Whether somebody shrinks it at this moment: the question leaves nothing in the store. */
bool pg_store_is_taken(struct pg_store *store, const struct pg_store_failure *failure, bool *out,
                       struct error *err);
/* Keeps the shrunk form of a failure that was claimed; ignores one that another has by now. */
bool pg_store_save(struct pg_store *store, const struct pg_store_failure *failure, int64_t epoch,
                   struct error *err);
/* Keeps a failure that nobody claims, if the store does not know it. */
bool pg_store_add(struct pg_store *store, const struct pg_store_failure *failure,
                  struct error *err);
/* Lets another process have a failure that was claimed, and will not be saved. */
void pg_store_release(struct pg_store *store, const char *machine, const char *identity);
/* Removes a failure that still is as it was at this epoch, and was not found again since (`times`).
 */
bool pg_store_forget(struct pg_store *store, const struct pg_store_failure *failure,
                     struct error *err);

/* A run that is shared: `key` is all that decides what its examples do, or its mutants. */
struct pg_store_run {
    const char *key;
    const char *name; /* of the pipeline */
    const char *machine;
    int64_t examples;
    int64_t least; /* of a chunk, unless there are fewer */
};
struct pg_store_chunk {
    int64_t first;
    int64_t last; /* 0: there is no chunk */
    int64_t epoch;
    const char *holder; /* of the one that is waited for */
    const char *records;
};
/* Makes the run's chunks, if no other process has. */
bool pg_store_begin(struct pg_store *store, const struct pg_store_run *run, struct error *err);
/* Leases the next chunk. If none is free, `last` is 0; then `first` is that of a chunk which others
 * have not finished, with its holder, or 0 if all are done. */
bool pg_store_take(struct pg_store *store, const struct pg_store_run *run, struct arena *arena,
                   struct pg_store_chunk *out, struct error *err);
/* Keeps the records of a chunk, unless another process has it by now. `stop`: examples behind this
 * one do not count; 0: they do. */
bool pg_store_done(struct pg_store *store, const struct pg_store_run *run,
                   const struct pg_store_chunk *chunk, const char *records, int64_t stop,
                   struct error *err);
/* Lets another process run a chunk that was leased. */
void pg_store_give_back(struct pg_store *store, const struct pg_store_run *run,
                        const struct pg_store_chunk *chunk);
/* The first finished chunk that ends with this example or behind it; `last` is 0 if none does. */
bool pg_store_records(struct pg_store *store, const struct pg_store_run *run, int64_t number,
                      struct arena *arena, struct pg_store_chunk *out, struct error *err);

#endif
