/*
 * The ways to make an example. Which one an example takes follows from its number alone.
 *
 * No way is best for every kind of bug, and which kind it will be is not known. So the ways take
 * turns: each kind gets its share, whatever the length of the run. The shares are measured by
 * tests/bench/rate.
 */
#ifndef EXAMPLE_WAY_H
#define EXAMPLE_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct way {
    const char *name;
    bool simplest; /* the simplest values, rules in the order of the file */
    bool few; /* only some values of small ranges and short collections are drawn (gen/hot.h), and
                 items of bundles that were drawn before come again */
    bool accepted; /* mostly what the model refuses is drawn again (example/step/novel.h) */
    bool novel;    /* of several drawn steps the most novel one is run */
    bool echoes;   /* some steps take arguments of earlier ones (example/step/echo.h) */
    bool runs;     /* now and then a rule runs many times in a row */
};

enum way_index { WAY_UNIFORM, WAY_NOVEL, WAY_RUNS, WAY_ACCEPTED, WAY_SIMPLEST, WAY_COUNT };

/* The first one leaves nothing out and prefers nothing. */
extern const struct way example_ways[WAY_COUNT];

/* The way of example `number`, from 1. */
const struct way *way_of(uint64_t number);
/* Whether the example chooses from a neighbourhood, if the machine has several: all but one in
 * eight do. `*turn` is then which of those it is, from 0. */
bool way_near(uint64_t number, size_t *turn);
/* NULL if no way has this name. */
const struct way *way_named(const char *name);

#endif
