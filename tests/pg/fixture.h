/*
 * A backend on an embedded server, for tests that speak to it as the engine would.
 *
 * A test names its statements as rules of a machine: fixture_open reads the YAML and opens a
 * backend; fixture_run runs the statements of a rule by name with the values given. Everything
 * fails the test that should not fail.
 */
#ifndef TESTS_PG_FIXTURE_H
#define TESTS_PG_FIXTURE_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "machine/machine.h"
#include "pg/pg.h"

struct session; /* pg/session/session.h */

/* For cmocka_run_group_tests: one embedded server for all tests of a file. */
int fixture_start(void **state);
int fixture_stop(void **state);
extern struct pg_target *fixture_target;

struct fixture {
    struct pg_target *target;
    struct pg_backend_options options; /* statement_timeout_ms: 5000 unless set */
    struct arena arena;
    struct diagnostics diagnostics;
    const struct machine *machine;
    struct backend *backend;
    char *files[8]; /* written by fixture_file; removed at the end */
    size_t file_count;
    struct error err;
};

/* On fixture_target. Set what is to differ before fixture_open. */
struct fixture fixture_new(void);
/* Writes a file and gives its path. */
const char *fixture_file(struct fixture *fixture, const char *text);
/* `schema` (SQL; NULL: none) becomes the machine's; the YAML holds the rest. */
void fixture_read(struct fixture *fixture, const char *schema, const char *yaml);
/* Reads, and opens the backend. `false`: fixture->err or fixture->diagnostics say why. */
bool fixture_try(struct fixture *fixture, const char *schema, const char *yaml);
/* The same where it must work, and mark. */
void fixture_open(struct fixture *fixture, const char *schema, const char *yaml);
void fixture_close(struct fixture *fixture);

struct session *fixture_session(const struct fixture *fixture);
const struct rule *fixture_rule(const struct fixture *fixture, const char *name);
/* Queues the first statement of a rule; values may be NULL. */
backend_ticket fixture_queue(struct fixture *fixture, const char *rule, const struct value *values,
                             const struct backend_context *context);
struct answer fixture_take(struct fixture *fixture, backend_ticket ticket);
struct answer fixture_run(struct fixture *fixture, const char *rule, const struct value *values);
/* The only value of an answer. */
struct value fixture_value(const struct answer *answer);
/* value_repr, in the fixture's arena. */
const char *fixture_repr(struct fixture *fixture, struct value value);
/* A value out of a text of the model language. */
struct value fixture_eval(struct fixture *fixture, const char *expression);

/* Runs SQL on a connection of its own to the target's database `dbname`; the first value's text, in
 * the fixture's arena ("" where there is none). */
const char *fixture_sql(struct fixture *fixture, const char *dbname, const char *sql);

#endif
