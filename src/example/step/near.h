/*
 * Neighbourhoods: in a machine of many rules, most examples choose from a connected part of them.
 *
 * 50 random steps over 300 rules rarely touch anything twice. A part is a rule and those that have
 * most names in common with it: bundles, variables of the model, tables in their SQL and
 * strategies, and tables that these refer to. If a rule of the part reads something that other
 * rules fill, the part has such a rule. Together, the parts have all rules, and examples take them
 * in turn. An example's part depends on its number and its maximum length.
 *
 * Of two databases that differ, most examples are about what differs: in a machine of many rules
 * they choose from parts around it, and in all others they prefer the rules that name it.
 */
#ifndef EXAMPLE_NEAR_H
#define EXAMPLE_NEAR_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct example;

enum {
    /* A machine with fewer rules is not divided. With a lower limit, faults in updates and deletes
     * were found later, because a part has few of these besides the rules that fill it. */
    NEAR_RULES_MIN = 100,
    NEAR_SIZE = 16,  /* rules of a part, without the further ones that it needs */
    NEAR_STEPS = 50, /* after so many steps, a longer example continues with the next part */
};

struct near_part {
    VEC(uint32_t) rules; /* their indexes */
};
struct near {
    bool made;
    double *favour;              /* by rule: how much more often it runs; NULL: none does */
    VEC(struct near_part) parts; /* none in a machine of few rules */
    size_t about_changes;        /* so many of them, the first ones, are about what differs */
};

/* Sets from which rules the example chooses from this step on, and which it prefers. */
void near_choose(struct example *example);

#endif
