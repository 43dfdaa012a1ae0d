/*
 * Neighbourhoods: in a machine of many rules, most examples choose from a connected part of them.
 *
 * 50 steps over 300 rules touch everything once, and nothing twice. A part is a rule and those that
 * have most in common with it: names of bundles, of variables of the model, of tables that their
 * SQL and strategies name, and of tables that these refer to. What a rule of the part reads from
 * is filled by a rule of the part, wherever some rule does so. Together the parts have all rules,
 * and the examples walk through them. Which part an example has follows from its
 * number, and how long it may be.
 */
#ifndef EXAMPLE_NEAR_H
#define EXAMPLE_NEAR_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct example;

enum {
    /* A machine of as many rules is a neighbourhood itself. With fewer than this, faults that an
     * update or a delete shows were found later: a part has few of these beside what fills it. */
    NEAR_RULES_MIN = 100,
    NEAR_SIZE = 16,  /* rules of a part, but for those that it needs beyond these */
    NEAR_STEPS = 50, /* of a longer example: then it goes on to the next part */
};

struct near_part {
    VEC(uint32_t) rules; /* their indexes */
};
struct near {
    bool made;
    VEC(struct near_part) parts;
};

/* By rule, in the example's arena: whether it belongs to the part from this step on; NULL: all do.
 */
bool *near_of(struct example *example);

#endif
