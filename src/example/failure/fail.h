/* Makes an example's failure from the flight's state when a property fails, and explains mistakes
 * in the machine's code. */
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
    const char *source;                  /* of a failed check; or NULL */
    const struct shown_sides *sides;     /* of that check, if it is a comparison; or NULL */
    const char *returned;                /* what the check saw; or NULL */
    const struct comparison *comparison; /* of rows; the default for expected and actual */
    const struct server_error *error;
    const struct divergence *divergence; /* FAILURE_DIFFERS */
    const char *hint;                    /* NULL: the comparison's, if there is one */
};

/* Sets the example's failure, in its arena, unless it has one already. */
void example_fail(struct example *example, const struct failing *failing);
/* Fails because a `check` of a step or an invariant gave `value`, which is not true. */
void fail_check(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct lang_code *code,
                struct value value);
/* Fails because the server raised an error that was not predicted: in a step, in an invariant's
 * query, or (both NULL) in the final check of deferred constraints. If the error says that the
 * server lacks a resource, no property failed: returns false with err. */
bool fail_error(struct example *example, const struct step *step,
                const struct invariant_check *check, const struct received *received,
                struct error *err);
/* Fails because a second database answered differently: in a step, in an invariant's query, or
 * (both NULL) in what the example left behind. `statement`: which; NULL: none of them. */
void fail_divergence(struct example *example, const struct step *step,
                     const struct invariant_check *check, const struct machine_statement *statement,
                     const struct divergence *divergence);
/* Fails because the connection was lost while the oldest item in flight ran. */
void fail_connection(struct example *example);

/* sides.c */

/* A check and its `count` locals; `result` is the slot of the answer among them, or SLOT_NONE. */
struct checked {
    const struct lang_code *code;
    struct value *locals;
    size_t count;
    int result;
};
/* Gets the sides of a check that is a comparison, in the example's arena; false if it is not one,
 * or if its sides are unknown. For `==` of two collections, sets `differences`, which are otherwise
 * empty (equal). */
bool check_sides(struct example *example, const struct checked *checked, struct shown_sides *out,
                 struct comparison *differences);

/* explain.c */

/* Adds the preceding steps to an error in the machine's code. */
void explain_mistake(struct example *example, struct error *err);
/* "file:line:column: message". */
const char *mistake_text(struct arena *arena, const struct error *mistake);

#endif
