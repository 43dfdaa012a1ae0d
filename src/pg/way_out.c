#include "pg/way_out.h"

#include <string.h>

#define MAKE_ROLE                                                                                  \
    "connect as a user with CREATEROLE; or let an administrator create the role once, and the "    \
    "schema create it only if it is missing: docs/MACHINES.md, \"Test a policy\""
#define STAND_IN                                                                                   \
    "leave it out, and list a file before this one that creates what you call of it: "             \
    "docs/SUPABASE.md, \"What the stand-in provides\""

static const struct {
    const char *sqlstate; /* NULL: any */
    const char *begins;   /* of the message */
    const char *holds;    /* a later part of it; NULL: none */
    const char *hint;
} ways[] = {
    {"42501", "permission denied to create role", NULL, MAKE_ROLE},
    {"42501", "permission denied to alter role", NULL, MAKE_ROLE},
    {"42501", "must be superuser to create ", NULL, MAKE_ROLE},
    {"42501", "must be superuser to alter ", NULL, MAKE_ROLE},
    {"42501", "permission denied to create extension", NULL,
     "let an administrator create it once, write CREATE EXTENSION IF NOT EXISTS, and test in that "
     "database with -d and --in-place; or test on the embedded server, where pgfsm is a superuser: "
     "--embedded"},
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

void way_out_add(struct error *err)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        size_t size = strlen(ways[i].begins);
        if ((!ways[i].sqlstate || strcmp(ways[i].sqlstate, err->sqlstate) == 0) &&
            strncmp(err->message, ways[i].begins, size) == 0 &&
            (!ways[i].holds || strstr(err->message + size, ways[i].holds))) {
            error_hint(err, "%s", ways[i].hint);
            return;
        }
    }
}
