/*
 * How the statements of a migration run inside a transaction that is never committed, so that they
 * do what psql would do with the file: there, each statement has a transaction of its own, unless
 * the file begins one.
 */
#ifndef MACHINE_SQL_INSIDE_H
#define MACHINE_SQL_INSIDE_H

#include "machine/sql/sql.h"

enum sql_inside_kind {
    SQL_INSIDE_RUN,     /* as it is */
    SQL_INSIDE_PLAIN,   /* without the word CONCURRENTLY, which needs no transaction around it */
    SQL_INSIDE_BEGIN,   /* not sent: the file's own transaction begins */
    SQL_INSIDE_COMMIT,  /* not sent: it ends, and deferred constraints are checked */
    SQL_INSIDE_NOTHING, /* not sent: it would do nothing, or nothing that queries show */
    SQL_INSIDE_REFUSED, /* it can't run there */
};

struct sql_inside {
    enum sql_inside_kind kind;
    const char *command; /* names the statement where it is not run as it is: "VACUUM" */
    size_t word;         /* SQL_INSIDE_PLAIN: the place of CONCURRENTLY in the file */
    bool shared;         /* it changes what all databases of a server share */
};

/* Where a statement stands. */
struct sql_inside_place {
    bool own;       /* inside the file's own transaction */
    bool escapes;   /* as in struct sql_file, before the statement */
    bool variables; /* the file has set variables of psql */
};

struct sql_inside sql_inside(const struct source *source,
                             const struct sql_file_statement *statement,
                             struct sql_inside_place place);

/* What a command of psql means for the file, by its text after the backslash. */
enum sql_psql_kind {
    SQL_PSQL_NOTHING, /* it changes nothing in the database */
    SQL_PSQL_SETS,    /* a variable */
    SQL_PSQL_INCLUDES,
    SQL_PSQL_INCLUDES_BESIDE, /* relative to the file that includes it */
    SQL_PSQL_REFUSED,
};
/* `*name`: its one argument, in the arena, where it includes a file. */
enum sql_psql_kind sql_psql_kind(const char *command, size_t size, struct arena *arena,
                                 const char **name);

#endif
