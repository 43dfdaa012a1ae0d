/*
 * Choices: what the draws of a step decided, typed and with their bounds, as a trace keeps them.
 *
 * Replaying a step feeds its choices back in order. A choice that does not fit the bounds asked for
 * is clamped to the nearest that does; one of another kind is replaced by the simplest; missing
 * ones are the simplest (with no random source) or fresh. `simplest` is what a shrinker moves
 * toward.
 *
 * References: a draw from a bundle or a collection of the model names the step that produced the
 * value (`step` is the step's id in its trace, stable while others are removed; `output` counts
 * what that step returned, from 0), or, where no step did (step == REFERENCE_BY_POSITION), the
 * position in the collection. Initialize steps have ids too.
 *
 * A reference by position keeps the item that was drawn. A replay takes an equal item if there is
 * one, wherever it stands now, and else what stands at the position. Whoever moves a reference to
 * another position drops the item.
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

#define REFERENCE_BY_POSITION UINT32_MAX

struct reference {
    uint32_t step;
    uint32_t output;
    uint64_t position;        /* in the collection as it was, from 0 (oldest first) */
    uint32_t source;          /* number of the collection; 0: one made for the draw, or not known */
    const struct value *item; /* plain data; NULL: not kept */
};

/* Whether both are by position, of one collection, and stand for the same item. */
bool references_share_item(const struct reference *a, const struct reference *b);
/* 0 where no item is kept. */
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

/*
 * Removes `count` choices from `start` on, and what the spans hold of them: a span that loses all
 * its choices goes too, but a SPAN_ARGUMENT stays, empty, so that the arguments behind it keep
 * their number. Whoever edits `items` otherwise must keep the spans in step: a replay looks for an
 * argument's choices in the argument's own span.
 */
void choices_remove(struct choices *choices, size_t start, size_t count);

/* Deep copy into `arena`. */
struct choices choices_copy(struct arena *arena, const struct choices *choices);
/* Same kind, bounds and value; floats bit by bit, so that NaN equals NaN and 0.0 is not -0.0. */
bool choice_equal(const struct choice *a, const struct choice *b);
bool choices_equal(const struct choices *a, const struct choices *b);

/*
 * The simplest of each kind within its bounds: an integer at `toward`; the float that is 0.0, else
 * the whole number nearest to 0, else the bound nearest to 0; a text of min_size of the simplest
 * character; min_size zero bytes; the reference to position 0 (the oldest).
 */
bool choice_is_simplest(const struct choice *choice);
/* Makes it so; a new text or bytes goes to `arena`. */
void choice_simplify(struct choice *choice, struct arena *arena);
/* Moves the value to the nearest one within the bounds; a text or bytes go to `arena`, too. */
void choice_clamp(struct choice *choice, struct arena *arena);

/* How simple a character is in a text over the alphabet, 0 the simplest: its place in the alphabet;
 * without one 0-9, a-z, A-Z, the other printable characters of ASCII, then by code point. A
 * character that is not in the alphabet is UINT32_MAX. */
uint32_t choice_char_rank(const struct string *alphabet, uint32_t code);
/* The character of a rank; '0', or the alphabet's first, where there is none. */
uint32_t choice_char_of_rank(const struct string *alphabet, uint32_t rank);

/* The same over ranges of code points, none of which overlaps another, in their order; a range's
 * own order is that of the code points. UINT32_MAX, or '0', where there is none. */
struct char_range {
    uint32_t first, last; /* both included */
};
uint32_t char_range_rank(const struct char_range *ranges, size_t count, uint32_t code);
uint32_t char_range_at(const struct char_range *ranges, size_t count, uint32_t rank);

#endif
