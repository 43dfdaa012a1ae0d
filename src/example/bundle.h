/*
 * Bundles: named collections of values that steps returned, with the origin of each value.
 *
 * For the model, a bundle is a list that it can't change (`bundle_kind`); for an argument, it is a
 * strategy. Code that keeps it beyond the step copies it, like any list. A value is named `users_1`
 * in the order of arrival at the bundle (or at the collection of the model that a target names),
 * and keeps its name when it is removed. Mutable values are found by identity, others by equality,
 * the first arrival first. Keys of several tables may be equal, so the collection that a value was
 * drawn from is searched first, then the output that the value is a copy of (its origin,
 * value/value.h).
 *
 * A step's *outputs* are numbered from 0; a reference in a trace names a step and an output.
 * Everything lives in the example's arena.
 */
#ifndef EXAMPLE_BUNDLE_H
#define EXAMPLE_BUNDLE_H

#include "example/backend.h"
#include "gen/strategy.h"
#include "machine/machine.h"

/* Values and their numbers, found by value. */
struct indexed {
    struct value value;
    size_t number;
};
struct value_index {
    struct table *hashed;         /* value → number; NULL until the first */
    VEC(struct indexed) changing; /* values without a hash */
};
/* A value that arrived at a bundle or a target collection. */
struct arrival {
    struct value value;
    const char *name; /* "users_1" */
    size_t steps;     /* in the trace up to the step that returned it */
    size_t output;    /* index in outputs */
};

/* The destination of values: a bundle of the machine, or a collection of the model. */
struct target {
    const char *name;
    size_t global; /* slot of the collection; unset for a bundle */
    VEC(struct arrival) arrivals;
    struct value_index index; /* → arrivals */
};

struct bundle_items {
    struct list list; /* must be first; the current values, oldest first */
    struct target target;
};

struct output {
    uint32_t step; /* id */
    uint32_t output;
    struct value value;
    /* The type of the column that it was read from, as in struct answer_column; 0 if unknown. */
    uint32_t type;
    uint64_t origin;
};

struct bundles {
    struct arena *arena;
    struct bundle_items *items; /* of machine->bundles */
    size_t count;
    VEC(struct target *)
    targets; /* bundles, then collections in the order of their first arrival */
    VEC(struct output) outputs;
    struct value_index output_index;
};

/* Empties the bundles for a new example, whose arena is `arena`. */
void bundles_begin(struct bundles *bundles, const struct machine *machine, struct arena *arena);
struct value bundle_value(struct bundles *bundles, size_t bundle);
/* Records that step `step` (id) returned the value as its next output, from that column of its
 * answer (NULL: unknown). A value that goes to a target must be added there before the next output.
 */
void bundles_add_output(struct bundles *bundles, uint32_t step, uint32_t output, struct value value,
                        const struct answer_column *column);
/* Puts a value into a bundle, and returns its name. `steps` counts up to the step that returned it.
 */
const char *bundle_add(struct bundles *bundles, size_t bundle, size_t steps, struct value value);
/* Names a value that goes to a collection of the model, the global `collection`. */
const char *bundles_name_in(struct bundles *bundles, const char *collection, size_t global,
                            size_t steps, struct value value);

/* The target of a bundle or collection; NULL for other values, or if no value arrived there. */
const struct target *bundles_target(const struct bundles *bundles, const struct lang_state *state,
                                    struct value from);
/* Returns true if the value is a copy of an output, by its origin (value/value.h). */
bool bundles_hold_copy(const struct bundles *bundles, struct value value);
/* Finds the output that the item is, preferably one that arrived at `target` (or NULL). */
void bundles_locate(const struct bundles *bundles, const struct target *target, struct value value,
                    struct reference *out);
bool bundles_resolve(const struct bundles *bundles, const struct reference *reference,
                     struct value *out);

/* An item removed from a bundle, and its place, to put it back. */
struct taken {
    struct bundle_items *bundle;
    size_t position;
    struct value item;
};
/* Removes the item; false if the value is not a bundle or does not hold it. */
bool bundle_take(struct value bundle, struct value item, struct taken *out);
void bundle_put_back(const struct taken *taken);

/* Says if a value in a column of an answer is one of a bundle. */
enum naming {
    NAMING_NONE,
    NAMING_MAYBE, /* it may be equal only by chance */
    NAMING_SURE,
};
/* The name of the value in a cell of that column, among those that arrived with the first `steps`
 * steps. A number is certainly a bundle's value if both are from the same column of a table, or one
 * refers to the other by a foreign key. An equal text certainly is one, unless it is short and both
 * columns are known. */
enum naming bundles_name_cell(const struct bundles *bundles, const struct answer_column *column,
                              struct value value, size_t steps, const char **name);
/* The value's name, preferably at that target (may be NULL), otherwise at any; NULL if it has none.
 * Ignores values that arrived after the first `steps` steps, because the client may have run ahead
 * of a failure. */
const char *bundles_name_of(const struct bundles *bundles, const struct target *target,
                            struct value value, size_t steps);

#endif
