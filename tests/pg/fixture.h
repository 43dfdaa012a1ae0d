/*
 * A backend on an embedded server, for tests that use it like the engine.
 *
 * A test names its statements as rules of a machine: fixture_open reads the YAML and opens a
 * backend; fixture_run runs the statements of a rule by name, with the given values. Unexpected
 * errors fail the test.
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

/* A fixture on fixture_target. Change its options before fixture_open. */
struct fixture fixture_new(void);
/* Writes a file and gives its path. */
const char *fixture_file(struct fixture *fixture, const char *text);
/* `schema` (SQL; NULL: none) becomes the machine's; the YAML holds the rest. */
void fixture_read(struct fixture *fixture, const char *schema, const char *yaml);
/* Reads, and opens the backend. If it returns false, fixture->err or fixture->diagnostics has the
 * reason. */
bool fixture_try(struct fixture *fixture, const char *schema, const char *yaml);
/* The same, but it must succeed, and sets the mark. */
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
/* Evaluates a text of the model language. */
struct value fixture_eval(struct fixture *fixture, const char *expression);

/* Runs SQL on a separate connection to the target's database `dbname`; returns the first value's
 * text, in the fixture's arena ("" if there is none). */
const char *fixture_sql(struct fixture *fixture, const char *dbname, const char *sql);

#endif
