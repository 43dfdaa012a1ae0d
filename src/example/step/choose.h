/* Which rule is tried next: by weight among those that are switched on, recent ones again where the
 * example likes to stay where it is, in file order in the simplest example. */
#ifndef EXAMPLE_CHOOSE_H
#define EXAMPLE_CHOOSE_H

#include "machine/machine.h"

struct example;

/* What every choice of a rule needs to know; in the example's arena. */
struct choosing {
    double *skew;    /* by rule: times its weight where it is late; above 0 */
    bool *off;       /* by rule: left out where it is late */
    bool *tried;     /* by rule: given up or blocked in this step */
    unsigned *why;   /* by rule: as example_note_why was told; DEAD_END_REASONS: not tried */
    double *weights; /* by rule, skewed */
};

/* Draws what the example prefers. */
void choosing_begin_example(struct example *example);
/* Whether the example's way has come to where it leaves rules out. */
bool choosing_is_late(const struct example *example);
bool choosing_begin(struct example *example, struct error *err);
/* The next rule to try, by weight, or NULL: none is left. */
const struct rule *choose_rule(struct example *example);
/* How likely the rule is to be chosen here, against others: from 0 up. */
bool rule_weight(struct example *example, const struct rule *rule, double *out, struct error *err);
/* The rule can't run in this step. */
void choosing_exclude(struct example *example, const struct rule *rule);

#endif
