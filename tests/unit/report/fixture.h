/* A made-up run, for tests of reports: a machine of two rules and two invariants, and what to fill
 * in.
 */
#ifndef REPORT_FIXTURE_H
#define REPORT_FIXTURE_H

#include "report/report.h"

struct fixture {
    struct arena arena;
    struct machine machine;
    struct run_result result;
    struct report_run run;
    struct report_options options;
    struct strbuf out;
};

void fixture_begin(struct fixture *fixture);
void fixture_end(struct fixture *fixture);
/* Writes the report as text. */
const char *fixture_report(struct fixture *fixture);
/* The same, compared with tests/golden/report/<name>.txt. */
void fixture_golden(struct fixture *fixture, const char *name);

/* A failure of the invariant `editors`, without steps; further ones are the caller's. */
struct failure *fixture_fail(struct fixture *fixture, enum failure_kind kind);
/* Adds a step upsert_member(project=<reference or uuid>, role="<role>"). */
void fixture_upsert(struct fixture *fixture, struct failure *failure, const char *project,
                    const char *role);

#define UUID_1 "f1c03d4a-0f6b-4a8e-9d5f-6f2b8c1e0a11"
#define UUID_2 "0b7e5a52-7d0c-4f38-8a87-2e9f5d6c7b22"

/* Cells of the failure's columns that hold the values. */
struct shown_cell *fixture_cells(struct fixture *fixture, const struct failure *failure,
                                 const struct value *values);

struct value fixture_text(struct fixture *fixture, const char *text);

#endif
