/* Making an example's failure: what is known when something does not hold, out of the flight; and
 * what to say of a mistake in the machine's code. */
#ifndef EXAMPLE_FAIL_H
#define EXAMPLE_FAIL_H

#include "example/failure/failure.h"

struct comparison;
struct example;
struct invariant_check;
struct received;
struct step;

struct failing {
    enum failure_kind kind;
    const struct step *step;             /* NULL: none */
    const struct invariant_check *check; /* NULL: none */
    const struct machine_statement *statement;
    struct source_pos pos;
    const char *expected;
    const char *actual;
    const char *source;                  /* of a check that does not hold; or NULL */
    const struct shown_sides *sides;     /* of it, if it is a comparison; or NULL */
    const char *returned;                /* what it saw; or NULL */
    const struct comparison *comparison; /* of rows; expected and actual come from it, unless set */
    const struct server_error *error;
    const char *hint; /* NULL: none, or the comparison's */
};

/* Makes the example's failure, in its arena; one that is there already stays. */
void example_fail(struct example *example, const struct failing *failing);
/* An expression of `check` of a step or of an invariant gave `value`, which is not true. */
void fail_check(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct lang_code *code,
                struct value value);
/* The server raised an error that was not predicted: in a step, in the query of an invariant, or
 * (both NULL) in the check of deferred constraints at the end. False with err where the error says
 * that the server lacks something: then it fails no property. */
bool fail_error(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct received *received,
                struct error *err);
/* The server went away while the oldest of what is in flight ran. */
void fail_connection(struct example *example);

/* sides.c */

/* A check with what it was evaluated with: `locals`, `count` of them; `result` is the slot of the
 * answer among them, or SLOT_NONE. */
struct checked {
    const struct lang_code *code;
    struct value *locals;
    size_t count;
    int result;
};
/* The sides of a check that is a comparison, in the example's arena; false: it is none, or can't be
 * told. `differences` (equal: there are none) are set where it is `==` of two collections. */
bool check_sides(struct example *example, const struct checked *checked, struct shown_sides *out,
                 struct comparison *differences);

/* explain.c */

/* Adds to an error in the machine's code which steps led there. */
void explain_mistake(struct example *example, struct error *err);
/* "file:line:column: message". */
const char *mistake_text(struct arena *arena, const struct error *mistake);

#endif
