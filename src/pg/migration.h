/*
 * A migration, read from its SQL files: what is sent where it runs inside the transaction of an
 * example (session/migrate.c). Files that they include by \i and \ir are part of it.
 */
#ifndef PG_MIGRATION_H
#define PG_MIGRATION_H

#include "base/error.h"
#include "machine/sql/sql_inside.h"

struct migration_part {
    enum sql_inside_kind kind;
    bool connects; /* the first of a file: psql would connect anew */
    struct source_pos pos;
    size_t size;     /* of the statement in its file; 0: the file has none, its tool has */
    const char *sql; /* SQL_INSIDE_RUN, SQL_INSIDE_PLAIN: what is sent, byte for byte at `pos` */
};

struct migration {
    VEC(struct migration_part) parts;
    const char *psql;      /* which command of psql is not known; NULL: none */
    const char *refused;   /* why it can't run inside of a transaction; NULL: it can */
    const char *otherwise; /* what is not run as it is written, for a warning; NULL: nothing */
    /* Why it can't run in a copy of the database either: it changes what all databases share. */
    const char *shared;
};

/* Everything is in the arena. False if a file can't be read. */
bool migration_read(const char *const *files, size_t count, struct arena *arena,
                    struct migration *out, struct error *err);
/* "file:line:column", in the arena. */
const char *migration_place(struct source_pos pos, struct arena *arena);

#endif
