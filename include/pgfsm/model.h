#ifndef PGFSM_MODEL_H
#define PGFSM_MODEL_H

#include <stddef.h>

#include <pgfsm/export.h>
#include <pgfsm/value.h>

PGFSM_BEGIN

/*
 * A model in C: your struct, and functions on it that a machine may call in any expression. The
 * machine makes the struct, the *state*, by the model's name:
 *
 * model: q = queue()
 *     rules:
 *       push:
 *         precondition: q.has_room()
 *         args: {id: "integers(1, 9)"}
 *         sql: INSERT INTO queue (id) VALUES (:id)
 *         raises: unique_violation if q.holds(id) else None
 *         model: q.push(id)
 *
 * Each example makes its own state, and shrinking runs each example from its start, so functions
 * never need to undo a change. A function's result may depend only on the state and its arguments
 * (no clock, no random numbers, no address), and it may change only the state: with `jobs`, several
 * threads call it, each with its own states.
 *
 * A function must return: no longjmp(), no C++ exception and no assertion that does either
 * (cmocka's do) may leave it, as they would skip pgfsm's own clean-up. Call pgfsm_call_fail
 * instead.
 */

struct pgfsm_function {
    const char *name;   /* NULL ends a table */
    const char *params; /* names of its parameters, "id, price"; NULL: none */
    /* Set one of the two. `look` may not change the state: if it does, the run ends with an error.
     * `change` can be called only where the machine may change its model. */
    const struct pgfsm_value *(*look)(const void *state, struct pgfsm_call *call);
    const struct pgfsm_value *(*change)(void *state, struct pgfsm_call *call);
};

struct pgfsm_model {
    size_t struct_size;
    const char *name; /* of the function that makes a state */
    size_t state_size;
    const struct pgfsm_function *functions;
    void *host; /* whatever the functions need: pgfsm_call_host gives it back */
    /* Called with a zeroed state, in a call without arguments; if it fails, the run ends with an
     * error. NULL if zeroes will do. */
    void (*init)(void *state, struct pgfsm_call *call);
    /* Called before the state is discarded. It frees what `init` and functions have not allocated
     * with pgfsm_alloc. NULL if there is nothing to free. */
    void (*free)(void *state, void *host);
    /* Returns a value that shows the state in reports and in print(). NULL: the state is not shown.
     */
    const struct pgfsm_value *(*show)(const void *state, struct pgfsm_call *call);
};
PGFSM_SIZED(pgfsm_model)
#define PGFSM_MODEL_INIT PGFSM_SIZED_INIT(pgfsm_model)

/* The host of the call's model. */
void *pgfsm_call_host(const struct pgfsm_call *call);
/* The function that was called, in the model's table: one C function can so serve many, as a
 * binding to another language needs. NULL in `init` and `show`. */
const struct pgfsm_function *pgfsm_call_function(const struct pgfsm_call *call);

PGFSM_END

#endif
