/* Settings of a run, from a machine file's `settings` and the command line. */
#ifndef MACHINE_SETTINGS_H
#define MACHINE_SETTINGS_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

enum check_deferred { CHECK_DEFERRED_STEP, CHECK_DEFERRED_END, CHECK_DEFERRED_NEVER };
enum transactions { TRANSACTIONS_SAVEPOINT, TRANSACTIONS_COMMIT };
/* The isolation level of committed transactions. */
enum isolation {
    ISOLATION_DEFAULT, /* the database's default */
    ISOLATION_READ_COMMITTED,
    ISOLATION_REPEATABLE_READ,
    ISOLATION_SERIALIZABLE,
    ISOLATIONS
};

/* With several sessions: what a serial order must explain. */
enum accept {
    ACCEPT_SERIAL,     /* every answer, and the invariants at the end */
    ACCEPT_INVARIANTS, /* only the invariants at the end */
};
enum gates { GATES_ON, GATES_OFF };
/* Whether the application keeps statements of rules prepared. */
enum prepared { PREPARED_OFF, PREPARED_ON };
/* What a client does that died in a step, and does not know whether the step was committed. */
enum crash_then {
    CRASH_NEVER,   /* it does not die */
    CRASH_NOTHING, /* nobody knows of the step */
    CRASH_AGAIN,   /* it connects again, and sends the step again */
    CRASH_ANOTHER, /* another session sends it */
};
/* Which errors of a rule are no failure. */
enum errors_allowed {
    ERRORS_PREDICTED, /* those that `raises` predicts */
    ERRORS_ANY,
};

struct settings {
    int64_t examples; /* ≥ 0; default 100 */
    int64_t steps;    /* maximum in an example, ≥ 1; default 50 */
    bool has_seed;
    uint64_t seed;
    int64_t statement_timeout_ms; /* default 5000; 0: none */
    int64_t deadline_ms;          /* of a step; 0: none */
    int64_t max_time_ms;          /* of the machine; 0: none */
    int64_t shrink_executions;    /* default 2000 */
    int64_t shrink_time_ms;       /* default 60000 */
    enum check_deferred check_deferred;
    enum errors_allowed errors;
    enum transactions transactions;
    enum isolation isolation;
    int64_t sessions;   /* concurrent, 1 to 4; above 1, steps are committed */
    int64_t retry;      /* how often to retry a step that another session made fail; default 0 */
    enum accept accept; /* which answers of the sessions must be explained */
    enum gates gates;   /* if sessions are stopped within statements, too */
    enum prepared prepared;
    int64_t jobs; /* ≥ 1 */
    bool crash;   /* the clients of all rules may die; steps are then committed */
};

extern const struct settings settings_default;
/* "serializable"; NULL of ISOLATION_DEFAULT. SQL takes the same words. */
const char *isolation_name(enum isolation isolation);

/* Sets the setting of that name ("steps", "shrink.time") from its text in a machine file. False
 * with err (ERROR_USAGE, no position) if there is no such setting or the value is wrong: "steps
 * must be a whole number from 1 on, not 'x'". */
bool settings_set(struct settings *settings, const char *name, const char *text, struct error *err);

/* Reads decimal digits only, between the limits. */
bool setting_whole_number(const char *text, int64_t min, int64_t max, int64_t *out,
                          struct error *err);

#endif
