#ifndef PGFSM_MODEL_H
#define PGFSM_MODEL_H

#include <stddef.h>

#include <pgfsm/export.h>
#include <pgfsm/value.h>

PGFSM_BEGIN

/*
 * A model in C: a struct of yours, and functions over it that a machine calls wherever it has an
 * expression. The machine makes the struct, the *state*, by the model's name:
 *
 *     model: q = queue()
 *     rules:
 *       push:
 *         precondition: q.has_room()
 *         args: {id: "integers(1, 9)"}
 *         sql: INSERT INTO queue (id) VALUES (:id)
 *         raises: unique_violation if q.holds(id) else None
 *         model: q.push(id)
 *
 * Each example makes a state of its own, and a shrunk example runs from its start: nothing is ever
 * undone. Functions must follow from the state and their arguments alone (no clock, no random
 * numbers, no address), and change nothing but the state: with `jobs`, several threads call them,
 * each with states of its own.
 */

struct pgfsm_function {
    const char *name;   /* NULL ends a table */
    const char *params; /* names of its parameters, "id, price"; NULL: none */
    /* One of the two. `look` may not change the state, which is an error that ends the run;
     * `change` can be called only where the machine may change its model. */
    const struct pgfsm_value *(*look)(const void *state, struct pgfsm_call *call);
    const struct pgfsm_value *(*change)(void *state, struct pgfsm_call *call);
};

struct pgfsm_model {
    const char *name; /* of the function that makes a state */
    size_t size;      /* of a state */
    const struct pgfsm_function *functions;
    /* Called with a zeroed state. NULL: zeroes will do. */
    void (*init)(void *state);
    /* Called before the state is gone, for what `init` and functions allocated otherwise than with
     * pgfsm_alloc. NULL: nothing is to be freed. */
    void (*free)(void *state);
    /* Gives a value that shows the state in reports, or to print(). NULL: it is not shown. */
    const struct pgfsm_value *(*show)(const void *state, struct pgfsm_call *call);
};

PGFSM_END

#endif
