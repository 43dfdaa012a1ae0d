#include "pg/way_out.h"

#include "base/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAKE_ROLE                                                                                  \
    "connect as a user with CREATEROLE; or let an administrator create the role once, and the "    \
    "schema create it only if it is missing: docs/MACHINES.md, \"Test a policy\""
#define STAND_IN                                                                                   \
    "leave it out, and list a file before this one that creates what you call of it: "             \
    "docs/SUPABASE.md, \"What the stand-in provides\""
#define EMBEDDED "test on the embedded server, where pgfsm is a superuser: --embedded"
#define NEWER "name a newer one with -d, or its programs with --pg-bindir"

static const struct {
    const char *sqlstate; /* NULL: any */
    const char *begins;   /* of the message */
    const char *holds;    /* a later part of it, or NULL */
    const char *hint;
} ways[] = {
    {"42501", "permission denied to create role", NULL, MAKE_ROLE},
    {"42501", "permission denied to alter role", NULL, MAKE_ROLE},
    {"42501", "must be superuser to create ", NULL, MAKE_ROLE},
    {"42501", "must be superuser to alter ", NULL, MAKE_ROLE},
    {"42501", "permission denied to create extension", NULL,
     "let an administrator create it once, write CREATE EXTENSION IF NOT EXISTS, and test in that "
     "database with -d and --in-place; or " EMBEDDED},
    {"42501", "permission denied for schema ", NULL,
     "GRANT USAGE, CREATE ON SCHEMA … TO the connecting user; without --in-place, pgfsm tests in a "
     "scratch database, which is the user's own"},
    {"42501", "permission denied for database ", NULL,
     "GRANT CREATE ON DATABASE … TO the connecting user; without --in-place, pgfsm tests in a "
     "scratch database, which is the user's own"},
    {"3F000", "no schema has been selected to create in", NULL,
     "the connecting user may create nothing in the schemas of search_path: GRANT CREATE ON SCHEMA "
     "… TO the user, or ALTER ROLE … SET search_path"},
    {"22023", "role \"", "\" does not exist",
     "create the role in a file of `schema`, or correct its name: docs/MACHINES.md, \"Test a "
     "policy\""},
    {"42704", "role \"", "\" does not exist",
     "create the role first, in this file or in one that `schema` lists before it: "
     "docs/MACHINES.md, \"Test a "
     "policy\"; sql/supabase.sql creates those of Supabase"},
    {NULL, "extension \"", "\" is not available", "install it on the server; or " STAND_IN},
    {NULL, "could not open extension control file", NULL, "install it on the server; or " STAND_IN},
    {NULL, "", "shared_preload_libraries",
     "name a server with -d that loads it when it starts; or " STAND_IN},
    {NULL, "can only create extension in database", NULL,
     "a scratch database has another name: test that database as it is, with -d and --no-schema; "
     "or " STAND_IN},
};

/* Features of later versions, as earlier ones complain of them. pg_dump writes the first. */
static const struct {
    const char *message; /* a part of it */
    int since;
} newer[] = {
    {"unrecognized configuration parameter \"transaction_timeout\"", 17},
    {"subquery in FROM must have an alias", 16},
    {"unrecognized parameter \"security_invoker\"", 15},
    {"syntax error at or near \"NULLS\"", 15},
    {"syntax error at or near \"MERGE\"", 15},
    {"function any_value(", 16},
    {"function uuidv4(", 18},
    {"function uuidv7(", 18},
    {"syntax error at or near \"VIRTUAL\"", 18},
    {"syntax error at or near \"ENFORCED\"", 18},
    {"syntax error at or near \"WITHOUT\"", 18}, /* OVERLAPS */
};

/* The version of the server that pg_dump read; 0: it did not write the text. */
static int dumped_version(const char *text)
{
    static const char mark[] = "\n-- Dumped from database version ";
    const char *at = text ? strstr(text, mark) : NULL;
    return at ? (int)strtol(at + sizeof mark - 1, NULL, 10) : 0;
}

void way_out_newer(struct error *err, const char *text, int version)
{
    enum { PER_MAJOR = 10000 };
    int server = version / PER_MAJOR;
    int since = 0;
    for (size_t i = 0; i < sizeof newer / sizeof *newer; i++) {
        since = strstr(err->message, newer[i].message) ? newer[i].since : since;
    }
    if (since > server) {
        error_hint(err,
                   "PostgreSQL %d and later accept this, and the server is PostgreSQL %d: " NEWER,
                   since, server);
    } else if (strncmp(err->sqlstate, "42", 2) == 0 && dumped_version(text) > server) {
        error_hint(err, "this is a dump of PostgreSQL %d, and the server is PostgreSQL %d: " NEWER,
                   dumped_version(text), server);
    }
}

/* What a migration tool or psql should have replaced: ${schema}, {{schema}}, :schema. */
static bool add_placeholder(struct error *err)
{
    bool syntax = strcmp(err->sqlstate, "42601") == 0 && err->pos.source;
    const char *at = syntax ? err->pos.source->text + err->pos.offset : "";
    if (strncmp(at, "${", 2) == 0 || strncmp(at, "{{", 2) == 0 || strstr(err->message, "\"${")) {
        error_hint(err, "this is a placeholder, which a migration tool replaces and psql does not: "
                        "write its value, or let a command print the SQL, with --schema-command");
        return true;
    }
    if (*at == ':' && at[1] && (isalpha((unsigned char)at[1]) || strchr("_'\"", at[1]))) {
        error_hint(err, "psql has no such variable here: write its value, or set it at the top of "
                        "the file: \\set NAME value");
        return true;
    }
    return false;
}

/* A right that the connecting user lacks, and a superuser has, whatever the server's language. */
static void add_right(struct error *err)
{
    char said[sizeof err->hint];
    memcpy(said, err->hint, sizeof said);
    error_hint(err, "%.200s%sn administrator can grant the right; or " EMBEDDED, said,
               *said ? " A" : "a");
}

void way_out_add(struct error *err, bool embedded)
{
    if (add_placeholder(err)) {
        return;
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        size_t size = strlen(ways[i].begins);
        if ((!ways[i].sqlstate || strcmp(ways[i].sqlstate, err->sqlstate) == 0) &&
            strncmp(err->message, ways[i].begins, size) == 0 &&
            (!ways[i].holds || strstr(err->message + size, ways[i].holds))) {
            error_hint(err, "%s", ways[i].hint);
            return;
        }
    }
    if (!embedded && strcmp(err->sqlstate, "42501") == 0) {
        add_right(err);
    }
}
