/*
 * What is known of rows: a hash of each row in which all that has a partner counts as the second
 * database calls it, and a list of what has none yet.
 */
#ifndef DIFF_KNOWN_H
#define DIFF_KNOWN_H

#include "base/map.h"
#include "diff/rows.h"

/* A value without a partner, wherever it is; it may stand only for one of the same kind. */
enum unknown_kind { UNKNOWN_UUID, UNKNOWN_TEXT, UNKNOWN_NUMBER, UNKNOWN_BYTES, UNKNOWN_KINDS };
struct unknown_leaf {
    struct value value;
    uint64_t hash; /* of the value */
    enum unknown_kind kind;
    uint64_t colour; /* bag.c */
    uint64_t sum;
};
struct occurrence {
    size_t row;
    size_t leaf;
    uint64_t path; /* the column, and the place in its value */
};
struct known_rows {
    size_t count;
    uint64_t *hashes; /* of each row */
    VEC(struct unknown_leaf) leaves;
    VEC(struct occurrence) occurrences; /* by row */
    struct map by_hash;                 /* of the leaves' values */
};

/* Of both answers, in the arena of the sides. */
struct known_both {
    struct known_rows before;
    struct known_rows after;
};
void known_rows(const struct shared_rows *rows, struct known_both *out);

#endif
