/*
 * Choices: the decisions of a step's draws, typed and with their bounds, as a trace keeps them.
 *
 * Replaying a step feeds its choices back in order. A choice outside the requested bounds is
 * clamped, and one of another kind is replaced by the simplest. Missing choices are fresh or,
 * without a random source, the simplest. A shrinker moves choices toward the simplest.
 *
 * References: a draw from a bundle or a collection of the model names the step that produced the
 * value: `step` is the step's id in its trace, which stays when other steps are removed, and
 * `output` counts the step's results from 0. If no step produced it (step ==
 * REFERENCE_BY_POSITION), the reference names the position in the collection. Initialize steps have
 * ids, too.
 *
 * A reference by position keeps the drawn item. A replay takes an equal item, at any position, and
 * otherwise the item at that position. Code that moves a reference to another position drops the
 * item.
 */
#ifndef GEN_CHOICE_H
#define GEN_CHOICE_H

#include "base/vec.h"
#include "value/value.h"

#include <stdint.h>

enum choice_kind {
    CHOICE_INTEGER, /* also booleans (0, 1) and the number of an alternative */
    CHOICE_FLOAT,
    CHOICE_TEXT, /* a whole string over an alphabet */
    CHOICE_BYTES,
    CHOICE_REFERENCE,
};

#define REFERENCE_BY_POSITION UINT32_MAX

struct reference {
    uint32_t step;
    uint32_t output;
    uint64_t position; /* in the collection as it was, from 0 (oldest first) */
    uint32_t source;   /* number of the collection; 0 if it was made for the draw, or is unknown */
    const struct value *item; /* plain data; NULL if it was not kept */
};

/* Returns true if both refer by position to the same item of one collection. */
bool references_share_item(const struct reference *a, const struct reference *b);
/* 0 if no item is kept. */
uint64_t reference_item_hash(const struct reference *reference);

struct choice {
    enum choice_kind kind;
    union {
        struct {
            int64_t value, min, max, toward; /* min ≤ toward ≤ max */
        } integer;
        struct {
            double value, min, max; /* infinite bounds: infinities are allowed */
            bool nan;               /* NaN is allowed */
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

/* A span groups the choices of an argument or of an item of a list. A shrinker may delete or
 * simplify a span as a whole. Spans are in the order in which they were opened; start and end show
 * their nesting. */
enum span_kind { SPAN_ARGUMENT, SPAN_ITEM, SPAN_OTHER };

struct choice_span {
    enum span_kind kind;
    size_t start; /* index of the first choice */
    size_t end;   /* after the last choice */
};

struct choices {
    VEC(struct choice) items;
    VEC(struct choice_span) spans;
};

/*
 * Removes `count` choices from `start` on, also from the spans. A span that loses all its choices
 * is removed, except a SPAN_ARGUMENT: it stays, empty, so that later arguments keep their numbers.
 * Code that edits `items` directly must update the spans, because a replay reads an argument's
 * choices from its span.
 */
void choices_remove(struct choices *choices, size_t start, size_t count);

/* Deep copy into `arena`. */
struct choices choices_copy(struct arena *arena, const struct choices *choices);
/* Compares kind, bounds and value; floats bit by bit, so that NaN equals NaN and 0.0 differs from
 * -0.0. */
bool choice_equal(const struct choice *a, const struct choice *b);
bool choices_equal(const struct choices *a, const struct choices *b);

/*
 * Returns true for the simplest choice of its kind within the bounds: the integer `toward`; the
 * float 0.0, or else the whole number nearest to 0, or else the bound nearest to 0; a text of
 * min_size times the simplest character; min_size zero bytes; the reference to position 0 (the
 * oldest item).
 */
bool choice_is_simplest(const struct choice *choice);
/* Makes it the simplest choice; a new text or bytes goes to `arena`. */
void choice_simplify(struct choice *choice, struct arena *arena);
/* Moves the value to the nearest one within the bounds; a text or bytes go to `arena`, too. */
void choice_clamp(struct choice *choice, struct arena *arena);

/* The rank of a character by simplicity, from 0: its place in the alphabet. Without an alphabet:
 * 0-9, a-z, A-Z, the other printable characters of ASCII, then by code point. UINT32_MAX for a
 * character outside the alphabet. */
uint32_t choice_char_rank(const struct string *alphabet, uint32_t code);
/* The character of a rank; for other ranks '0' or the alphabet's first. */
uint32_t choice_char_of_rank(const struct string *alphabet, uint32_t rank);

/* The same over ranges of code points, in their order and without overlaps; within a range, code
 * points are in ascending order. UINT32_MAX or '0' if there is none. */
struct char_range {
    uint32_t first, last; /* both included */
};
uint32_t char_range_rank(const struct char_range *ranges, size_t count, uint32_t code);
uint32_t char_range_at(const struct char_range *ranges, size_t count, uint32_t rank);

#endif
