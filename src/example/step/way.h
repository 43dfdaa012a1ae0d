/*
 * The ways to generate an example. The way depends only on the example's number.
 *
 * No way is best for every kind of bug, and the kind is unknown. So the ways take turns, and each
 * kind gets its share, whatever the length of the run. tests/bench/rate measures the shares.
 */
#ifndef EXAMPLE_WAY_H
#define EXAMPLE_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct way {
    const char *name;
    bool simplest; /* the simplest values, rules in the order of the file */
    bool few; /* draw only some values of small ranges and short collections (gen/hot.h), and repeat
                 items of bundles */
    bool accepted; /* draw most refused steps again (example/step/novel.h) */
    bool novel;    /* run the most novel one of several drawn steps */
    bool echoes;   /* some steps take arguments of earlier ones (example/step/echo.h) */
    bool runs;     /* sometimes run a rule many times in a row */
};

enum way_index { WAY_UNIFORM, WAY_NOVEL, WAY_RUNS, WAY_ACCEPTED, WAY_SIMPLEST, WAY_COUNT };

/* The first one has no preferences. */
extern const struct way example_ways[WAY_COUNT];

/* The way of example `number`, from 1. */
const struct way *way_of(uint64_t number);
/* Returns true if the example chooses from a neighbourhood, in a machine that has several: all but
 * one in eight do. `*turn` then counts these examples, from 0. */
bool way_near(uint64_t number, size_t *turn);
/* NULL if no way has this name. */
const struct way *way_named(const char *name);

#endif
