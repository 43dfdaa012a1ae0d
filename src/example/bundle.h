/*
 * Bundles: named collections of values that steps returned, and where each value came from.
 *
 * To the model a bundle is a list of its values, which it can't change (`bundle_kind`); to an
 * argument it is a strategy. What keeps it beyond the step copies it, as any list. A value is
 * named `users_1` by the order in which values arrived at the bundle (or at the collection of the
 * model that a target names), and keeps its name when it is taken out. Values are found by what
 * they are: by identity where they can change, else by equality, the first that arrived. Keys of
 * several tables may be equal. So what arrived where the value was drawn from comes first, then
 * what the value is a copy of (its origin, value/value.h).
 *
 * What a step returned is numbered from 0 (its *outputs*); a reference in a trace names step and
 * output. All of it lives in the example's arena.
 */
#ifndef EXAMPLE_BUNDLE_H
#define EXAMPLE_BUNDLE_H

#include "example/backend.h"
#include "gen/strategy.h"
#include "machine/machine.h"

/* Values with a number for each, found by value. */
struct indexed {
    struct value value;
    size_t number;
};
struct value_index {
    struct table *hashed;         /* value → number; NULL until the first */
    VEC(struct indexed) changing; /* those that have no hash */
};
/* A value that arrived at a bundle or a target collection. */
struct arrival {
    struct value value;
    const char *name; /* "users_1" */
    size_t steps;     /* in the trace up to the one that it came from */
    size_t output;    /* index in outputs */
};

/* Where values arrive: a bundle of the machine, or a collection of the model. */
struct target {
    const char *name;
    size_t global; /* slot of the collection; of a bundle not set */
    VEC(struct arrival) arrivals;
    struct value_index index; /* → arrivals */
};

struct bundle_items {
    struct list list; /* first: what is in it now, oldest first */
    struct target target;
};

struct output {
    uint32_t step; /* id */
    uint32_t output;
    struct value value;
    /* Of the column that it was read from, as in struct answer_column; 0: not known. */
    uint32_t type;
    uint64_t origin;
};

struct bundles {
    struct arena *arena;
    struct bundle_items *items; /* of machine->bundles */
    size_t count;
    VEC(struct target *) targets; /* of bundles, then of collections by their first arrival */
    VEC(struct output) outputs;
    struct value_index output_index;
};

/* Empties them for a new example, whose arena is `arena`. */
void bundles_begin(struct bundles *bundles, const struct machine *machine, struct arena *arena);
struct value bundle_value(struct bundles *bundles, size_t bundle);
/* Notes that step `step` (id) returned the value as its next output, out of that column of its
 * answer (NULL: not known); if it goes anywhere it does so before the next output. */
void bundles_add_output(struct bundles *bundles, uint32_t step, uint32_t output, struct value value,
                        const struct answer_column *column);
/* Puts a value into a bundle; gives its name. `steps`: up to the one that it came from. */
const char *bundle_add(struct bundles *bundles, size_t bundle, size_t steps, struct value value);
/* Names a value that goes to a collection of the model, the global of that name. */
const char *bundles_name_in(struct bundles *bundles, const char *collection, size_t global,
                            size_t steps, struct value value);

/* Where what is in a bundle or collection arrived; NULL: it is none, or nothing arrived there. */
const struct target *bundles_target(const struct bundles *bundles, const struct lang_state *state,
                                    struct value from);
/* Whether the value is a copy of an output, by its origin (value/value.h). */
bool bundles_hold_copy(const struct bundles *bundles, struct value value);
/* The output that an item is, preferably one that arrived at `target` (or NULL). */
void bundles_locate(const struct bundles *bundles, const struct target *target, struct value value,
                    struct reference *out);
bool bundles_resolve(const struct bundles *bundles, const struct reference *reference,
                     struct value *out);

/* An item that was taken out of a bundle, so that it can be put back where it was. */
struct taken {
    struct bundle_items *bundle;
    size_t position;
    struct value item;
};
/* Takes the item out; false where the value is no bundle or does not hold it. */
bool bundle_take(struct value bundle, struct value item, struct taken *out);
void bundle_put_back(const struct taken *taken);

/* Whether a value in a column of an answer is one of a bundle. */
enum naming {
    NAMING_NONE,
    NAMING_MAYBE, /* it may be as well one that only happens to be equal */
    NAMING_SURE,
};
/* The name of the value that a cell of that column is, of those that arrived with the first
 * `steps`. A number is one of a bundle for certain where both are of the same column of a table, or
 * of one that refers to it by a foreign key; a text is wherever it is equal, unless both columns
 * are known and it is short. */
enum naming bundles_name_cell(const struct bundles *bundles, const struct answer_column *column,
                              struct value value, size_t steps, const char **name);
/* The value's name: at that target first (NULL: none in particular), else wherever it arrived; NULL
 * where it has none. What came later than the first `steps` steps is left out: a failure may be
 * found when the client has run ahead of it. */
const char *bundles_name_of(const struct bundles *bundles, const struct target *target,
                            struct value value, size_t steps);

#endif
