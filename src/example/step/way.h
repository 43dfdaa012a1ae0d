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
#include <stdint.h>

struct way {
    const char *name;
    bool simplest; /* the simplest values, rules in the order of the file */
    bool hot;      /* some values of small ranges and short collections are left out (gen/hot.h) */
    bool local;    /* items of bundles and collections that were drawn before come again */
    bool novel;    /* of several drawn steps the most novel one is run (example/step/novel.h) */
    bool late;     /* after LATE_STEPS some rules are left out, and recent ones come again */
    bool skew;     /* and some are favored */
};

enum way_index { WAY_UNIFORM, WAY_HOT, WAY_NOVEL, WAY_LATE, WAY_SKEW, WAY_SIMPLEST, WAY_COUNT };
extern const struct way example_ways[WAY_COUNT];

/* The way of example `number`, from 1. */
const struct way *way_of(uint64_t number);
/* NULL if no way has this name. */
const struct way *way_named(const char *name);

#endif
