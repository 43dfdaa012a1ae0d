/*
 * Choices: what the draws of a step decided, typed and with their bounds, as a trace keeps them.
 *
 * Replaying a step feeds its choices back in order. A choice that does not fit the bounds asked for
 * is clamped to the nearest that does; one of another kind is replaced by the simplest; missing
 * ones are the simplest (with no random source) or fresh. `simplest` is what a shrinker moves
 * toward.
 *
 * References: a draw from a bundle or a collection of the model names the step that produced the
 * value
 * (`step` is the step's id in its trace, stable while others are removed; `output` counts what that
 * step returned, from 0), or, where no step did (step == REFERENCE_BY_POSITION), the position in
 * the collection. Initialize steps have ids too.
 */
#ifndef GEN_CHOICE_H
#define GEN_CHOICE_H

#include "base/vec.h"
#include "value/value.h"

#include <stdint.h>

enum choice_kind {
    CHOICE_INTEGER, /* also booleans (0, 1) and which alternative */
    CHOICE_FLOAT,
    CHOICE_TEXT, /* a whole string over an alphabet */
    CHOICE_BYTES,
    CHOICE_REFERENCE,
};

enum { REFERENCE_BY_POSITION = 0xFFFFFFFFU };

struct reference {
    uint32_t step;
    uint32_t output;
    uint64_t position; /* in the collection as it was, from 0 (oldest first) */
};

struct choice {
    enum choice_kind kind;
    union {
        struct {
            int64_t value, min, max, toward; /* min ≤ toward ≤ max */
        } integer;
        struct {
            double value, min, max;
        } real;
        struct {
            const struct string *value;
            const struct string *alphabet; /* NULL: any character but NUL and surrogates */
            size_t min_size, max_size;     /* code points */
        } text;
        struct {
            const struct bytes *value;
            size_t min_size, max_size;
        } bytes;
        struct reference reference;
    } as;
};

/* Which choices belong together: an argument, an item of a list. A shrinker may delete or simplify
 * a span as a whole. Spans are listed in the order they were opened; nesting shows by start and
 * end. */
enum span_kind { SPAN_ARGUMENT, SPAN_ITEM, SPAN_OTHER };

struct choice_span {
    enum span_kind kind;
    size_t start; /* index of the first choice */
    size_t end;   /* behind the last one */
};

struct choices {
    VEC(struct choice) items;
    VEC(struct choice_span) spans;
};

/* Deep copy into `arena`. */
struct choices choices_copy(struct arena *arena, const struct choices *choices);
bool choice_equal(const struct choice *a, const struct choice *b);
/* Whether the choice is the simplest of its kind and bounds. */
bool choice_is_simplest(const struct choice *choice);

#endif
