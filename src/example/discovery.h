/*
 * Discovery: how many different things a run had seen after how many examples. A run that still
 * sees new ones at its end should be longer.
 *
 * Examples count in the order of their numbers, so the curve does not depend on how many
 * connections there were. Its points lie at each of the first 16 examples, then eight to a doubling
 * of their number: about 140 for a million examples.
 */
#ifndef EXAMPLE_DISCOVERY_H
#define EXAMPLE_DISCOVERY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum discovered {
    DISCOVERED_RULES,   /* that ran */
    DISCOVERED_PAIRS,   /* of rules that ran one after the other */
    DISCOVERED_ERRORS,  /* conditions, by the rule that raised them */
    DISCOVERED_BUNDLES, /* that had a value at the end of an example */
    DISCOVERED_TABLES,  /* of the model that had a row */
    DISCOVERED_LABELS,
    DISCOVERED_KINDS
};
/* What a kind is called in reports: "pairs of rules". */
extern const char *const discovered_names[DISCOVERED_KINDS];
/* In JSON: "pairs". */
extern const char *const discovered_keys[DISCOVERED_KINDS];

/* Memory does not grow with the run, so a curve of more than 16 million examples has no points
 * behind those. */
enum { DISCOVERY_POINTS = 16 + 8 * 20 };
struct discovery_point {
    uint64_t example; /* so many had run */
    uint64_t seen[DISCOVERED_KINDS];
};
struct discovery {
    uint64_t seen[DISCOVERED_KINDS]; /* so far */
    uint64_t last[DISCOVERED_KINDS]; /* the example that was the last to show something new */
    struct {
        struct discovery_point *items; /* DISCOVERY_POINTS; NULL: there is no curve */
        size_t count;
    } points;
};

/* Begins an empty curve. */
void discovery_begin(struct discovery *discovery, struct arena *arena);
/* The run has seen so many things after that many examples; `seen` is copied. */
void discovery_add(struct discovery *discovery, uint64_t example, const uint64_t *seen);

#endif
