/*
 * Tallies: which values the arguments of rules had.
 *
 * An example notes what each argument of its steps was, reduced to a number and a short text
 * (`struct tally_note`). A run counts the notes, in a `struct tally` for each argument. Its size is
 * bounded, however long the run is: 64 values, and numbers by powers of two.
 */
#ifndef EXAMPLE_TALLY_H
#define EXAMPLE_TALLY_H

#include "machine/machine.h"

enum tally_kind {
    TALLY_PLAIN,   /* a value that is no number and has no length: None, True, an object */
    TALLY_NUMBER,  /* the number */
    TALLY_LENGTH,  /* of a text in characters, of bytes, of a collection */
    TALLY_RECENCY, /* an item of a bundle or of the model: how many items are newer */
    TALLY_KINDS
};

/* Numbers, counted by size: 0, and each power of two on both sides of it. The whole part of a
 * number decides. */
enum {
    SCALE_SIDE = 64, /* powers of two; the last also takes all that is larger */
    SCALE_ZERO = SCALE_SIDE,
    SCALE_BUCKETS = 2 * SCALE_SIDE + 1,
};
struct scale {
    uint64_t count;
    double least;
    double most;
    uint64_t buckets[SCALE_BUCKETS];
};
/* The whole numbers of a bucket; SCALE_BUCKETS - 1 and 0 also hold what is further out. */
struct scale_range {
    double least;
    double most;
};
struct scale_range scale_range(size_t bucket);
/* The bucket that the median is in. Something must have been counted. */
size_t scale_median(const struct scale *scale);

/* More values are not told apart. */
enum { TALLY_VALUES_MAX = 64 };
struct tally_value {
    const char *text; /* as the model language writes it */
    uint64_t hash;    /* of the text */
    uint64_t count;
};
struct tally {
    uint64_t drawn;
    /* By value, in the order in which they were first drawn. Items of bundles are left out, as each
     * example has others. */
    VEC(struct tally_value) values;
    uint64_t others;                   /* whose value found no place there, or is long */
    struct scale *scales[TALLY_KINDS]; /* NULL: there was none of the kind */
};

/* What one argument of a step was. */
struct tally_note {
    uint32_t rule;
    uint32_t arg;
    enum tally_kind kind;
    double number;    /* unless it is TALLY_PLAIN */
    const char *text; /* NULL: it is not counted by value */
    uint64_t hash;    /* of the text */
};
struct tally_notes {
    struct tally_note *items;
    size_t count;
    size_t capacity;
};

/* Reduces a value; its text goes to the arena. */
struct tally_note tally_note(struct arena *arena, struct value value);

/* Counts a note for its argument. The arena is the tally's. */
void tally_add(struct tally *tally, const struct tally_note *note, struct arena *arena);

#endif
