/*
 * Splits SQL text into statements, finds parameters, and refuses transaction control.
 *
 * The scanner follows PostgreSQL 15's lexical rules (manual, section 4.1): string constants with
 * their escapes, E'', U&'', dollar quotes, nested comments, quoted identifiers, operators; `::` and
 * `:=` are not parameters; `a[1:n]` is a slice, up to the parameter n if that is a known name and
 * up to a column otherwise. Statements end at `;` outside of parentheses and of BEGIN ATOMIC … END.
 *
 * Parameters as in psql: `:name` a value, sent bound, one $n per occurrence; `:'name'` a literal
 * and `:"name"` an identifier, pasted by the backend with the server's quoting rules.
 */
#ifndef MACHINE_SQL_H
#define MACHINE_SQL_H

#include "base/error.h"
#include "base/source.h"
#include "base/vec.h"

enum sql_piece_kind {
    SQL_TEXT,
    SQL_VALUE,      /* :name  → $n */
    SQL_LITERAL,    /* :'name' */
    SQL_IDENTIFIER, /* :"name" */
};

struct sql_piece {
    enum sql_piece_kind kind;
    const char *text; /* SQL_TEXT: `size` bytes as written; otherwise the name, with a NUL */
    size_t size;
    size_t offset; /* start of the piece in the snippet */
    /* The slot of the value, local or global; the machine loader sets it. */
    bool global;
    size_t slot;
};

struct sql_template {
    size_t id;              /* index in machine->templates */
    struct snippet snippet; /* the statement without the `;` and surrounding white space */
    VEC(struct sql_piece) pieces;
    size_t value_count; /* pieces of kind SQL_VALUE */
    bool pasted;        /* has SQL_LITERAL or SQL_IDENTIFIER: its text differs from call to call */
    bool is_ddl;     /* CREATE, ALTER, DROP, …: it may have to run before later statements can be
                        prepared */
    bool no_columns; /* returns no rows: it changes rows without RETURNING, or is DDL */
    bool is_shared;  /* changes objects that all databases of a server share, mostly roles */
    const char *command; /* first word, upper case: "SELECT", "INSERT", "WITH", … */
    /* Of a statement that pgfsm adds behind one of the user's: what it means if it succeeds, in
     * place of its answer. NULL: it is the user's. */
    const char *added;
};

/* Returns true if a name may be a parameter, which decides the meaning of `a[1:n]`. Any other
 * `:name` is a parameter; the loader refuses unknown ones. */
typedef bool sql_known_name(const void *context, const char *name, size_t size);

/* Splits and scans; templates get no id and no slots. Mistakes (unterminated string, transaction
 * control, COPY … STDIN, SET ROLE, …) go to diagnostics with their place. False if there was any.
 */
struct sql_templates {
    VEC(struct sql_template *) items;
    bool outside; /* set before the scan: allows statements that can't run inside a transaction */
};
bool sql_scan(const struct snippet *snippet, sql_known_name *known, const void *context,
              struct arena *arena, struct sql_templates *out, struct diagnostics *diagnostics);

/* An SQL file to run inside a transaction, split into statements like psql does. Between statements
 * you may set `escapes` to the server's setting; otherwise it follows the settings in the file. */
struct sql_file {
    const struct source *source;
    size_t at;
    bool escapes; /* standard_conforming_strings is off */
};
struct sql_file_statement {
    size_t start; /* bytes from the file's start; without the semicolon */
    size_t end;
    const char *control; /* its name if it is transaction control: "COMMIT", …; otherwise NULL */
    bool has_psql;       /* a psql command is in it or before it */
    size_t psql;         /* where */
};
/* Returns false if only white space and comments are left. */
bool sql_file_next(struct sql_file *file, struct sql_file_statement *out);
/* Returns true if psql must run the file by itself, outside of a transaction: it has transaction
 * control, commands that the server refuses in a transaction (VACUUM, CONCURRENTLY), a value added
 * to an enum (usable only after a commit), or \connect. `*what` names it. */
bool sql_file_needs_itself(const struct source *source, const char **what);
/* Calls `each` for every psql command in the file, with its text from after the backslash to the
 * line's end. Returns false as soon as `each` does. */
typedef bool sql_command_fn(void *context, const char *command, size_t size);
bool sql_file_commands(const struct source *source, sql_command_fn *each, void *context);

/* Returns true if the file uses other databases than the one that psql loads it into: connects to,
 * creates or drops one. `*offset` is the place. */
bool sql_file_connects(const struct source *source, size_t *offset);
bool sql_file_has_databases(const struct source *source, size_t *offset);

/* A file of a migration tool, with the migration and its reverse. The marks are those of dbmate (--
 * migrate:up), goose (-- +goose Up), sql-migrate (-- +migrate Up) and node-pg-migrate (-- Up
 * Migration). */
struct sql_migration {
    bool is;             /* the file has a mark for the way up */
    bool no_transaction; /* the file asks not to be loaded in a transaction */
    size_t outside;      /* the place of SQL before the first mark, which no tool would run; */
    bool has_outside;    /* true if there is any */
};
/* Replaces everything outside the way up with blanks, so that the rest keeps its offsets. Does not
 * change a file without a mark. */
void sql_migration_up(char *text, size_t size, struct sql_migration *out);
/* Makes the way down of such a file the only one, as a way up: what is outside of it becomes
 * blanks. Returns false, and changes nothing, if the file has not both marks. */
bool sql_migration_down(char *text, size_t size);

/* String and number constants in a statement, unquoted: candidates for drawn values. */
struct sql_literals {
    VEC(const char *) strings;
    VEC(int64_t) ints;
};
void sql_collect_literals(const struct snippet *snippet, struct arena *arena,
                          struct sql_literals *out);

#endif
