/*
 * Compares what two databases answered to the same request. Values are equal, or partners
 * (pairs.h), or times that are equally far from the beginning of their transaction; how strictly a
 * place is compared says its nature (natures.h). Rows are a list where the request orders them, and
 * otherwise a bag: rows that agree in what is known are matched first, and what they make known may
 * match others. Columns are compared by name, in any order; types by name, without lengths, and a
 * text is one with or without a limit.
 */
#ifndef DIFF_COMPARE_H
#define DIFF_COMPARE_H

#include "diff/constraints.h"
#include "diff/natures.h"
#include "diff/pairs.h"
#include "example/divergence.h"

/* What of an answer differed in a way that is accepted, beside the names and types of columns. */
enum accepted_parts { ACCEPTED_NOTHING, ACCEPTED_COLUMNS, ACCEPTED_WHOLE };

/* The place of deferred constraints, which are forced behind a step. */
#define ASKED_DEFERRED "deferred constraints"

struct accepted;

enum comparing_purpose {
    COMPARES, /* what differs is a divergence */
    /* The first database is compared with itself: what differs becomes looser (natures_loosen), as
     * far as that goes, and only what can't be loosened is a divergence. */
    LEARNS,
    MEETS, /* what stands for what becomes known, also `loaded`, for all relations */
};

/* When a schema was loaded, as far as its rows tell: from the first such time to the last one, as
 * they are written. */
struct loaded {
    bool known;
    int64_t first; /* microseconds since 2000-01-01 */
    int64_t last;
};

struct comparing_sides {
    struct arena *arena; /* for what is found */
    struct pairs *pairs;
    struct natures *natures;
    const struct constraints *constraints; /* NULL: no table is a partition */
    enum comparing_purpose purpose;
    int64_t epoch_before; /* of each transaction, microseconds since 2000-01-01 UTC */
    int64_t epoch_after;
    struct loaded *loaded;        /* of both: all times of the one are as those of the other */
    bool messages;                /* compare the messages of errors, too */
    struct accepted *accepted;    /* accepted.h; NULL: nothing is */
    enum accepted_parts *expects; /* gets what of it was; may be NULL */
};

struct asked {
    const char *place;   /* as in struct divergence */
    const char *context; /* the same; or NULL */
    const char *rule;    /* of a step, with the name of its rule; or NULL */
    bool ordered;        /* the rows are a list, unless the place's order is free */
    bool partial;        /* columns that one side alone has are no difference */
};

/* NULL: they agree. Both were answered (none is ANSWER_STALE). One that was skipped, or that a time
 * limit ended, agrees with any. Only answers that agree make pairs. Rows that tie agree whichever
 * they are, and make none. What is found borrows the values of the answers. A difference that is
 * accepted is none. */
const struct divergence *sides_compare(const struct comparing_sides *sides,
                                       const struct asked *asked, const struct answer *before,
                                       const struct answer *after);

/* Of two that agree: one raised an error, which undid it, and the other did not. What is there from
 * then on may be unequal. */
bool sides_part(const struct answer *before, const struct answer *after);

#endif
