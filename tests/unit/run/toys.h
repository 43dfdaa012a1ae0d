/*
 * Small machines with a planted bug that several sequences show, one of them shorter than the
 * others. They are plain tables, so that two things can be made of them: a machine, which a run
 * tests, and a breadth-first search for the shortest sequence.
 */
#ifndef TESTS_RUN_TOYS_H
#define TESTS_RUN_TOYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOY_DRAWS = 2, TOY_RULES = 6, TOY_BUNDLES = 3, TOY_CELLS = 12 };

/* The result of a draw is always a number. */
enum toy_kind {
    TOY_END,
    TOY_NUMBER, /* from min to max */
    TOY_LENGTH, /* of a text of min to max letters */
    TOY_SUM,    /* of a list of at most three numbers from 0 to max */
    TOY_VALUE,  /* of the bundle `min` */
};
struct toy_draw {
    enum toy_kind kind;
    int min, max;
};
struct toy_rule {
    const char *name;
    int bundle; /* that takes what a step makes, from 1 on; 0: none */
    struct toy_draw draws[TOY_DRAWS + 1];
};

/* The state of a toy's database. */
struct toy_state {
    int64_t cells[TOY_CELLS];
};

enum { TOY_MADE_NOTHING = -1 };

struct toy {
    const char *name;
    struct toy_rule rules[TOY_RULES + 1]; /* the simplest first; ends with one without a name */
    /* Runs a step. True: the bug shows. What it makes for its bundle goes to `*made`. */
    bool (*step)(int64_t *cells, size_t rule, const int64_t *drawn, int64_t *made);
};

extern const struct toy toys[];
extern const size_t toy_count;

/* The length of the shortest sequence, found by trying all. */
size_t toy_shortest(const struct toy *toy);

#endif
