/* Which rule is tried next: by weight, in the order of the file in the simplest example; and where
 * the example's way is `runs`, now and then the same one many times. */
#ifndef EXAMPLE_CHOOSE_H
#define EXAMPLE_CHOOSE_H

#include "machine/machine.h"

struct example;

/* What every choice of a rule needs to know; in the example's arena. */
struct choosing {
    bool *tried;      /* by rule: given up or blocked in this step */
    const bool *near; /* by rule: it belongs to the example's part; NULL: all do */
    bool beyond;      /* none of the part can run in this step: all rules may */
    unsigned *why;    /* by rule: as example_note_why was told; DEAD_END_REASONS: not tried */
    double *weights;  /* by rule */
    unsigned *runs;   /* by rule: in this example; once it succeeded, many */
    size_t running;   /* the rule that runs `run` times more */
    size_t run;
};

void choosing_begin_example(struct example *example);
bool choosing_begin(struct example *example, struct error *err);
/* The next rule to try, by weight, or NULL: none is left. */
const struct rule *choose_rule(struct example *example);
/* How likely the rule is to be chosen here, against others: from 0 up. */
bool rule_weight(struct example *example, const struct rule *rule, double *out, struct error *err);
/* The rule can't run in this step. */
void choosing_exclude(struct example *example, const struct rule *rule);
/* The rule ran in this step. */
void choosing_note(struct example *example, const struct rule *rule);
/* Its step changed the model, as no error came. */
void choosing_succeeded(struct example *example, const struct rule *rule);

#endif
