/* Chooses the next rule to try: by weight, or in the order of the file in the simplest example.
 * With the way `runs`, it sometimes chooses the same rule many times in a row. */
#ifndef EXAMPLE_CHOOSE_H
#define EXAMPLE_CHOOSE_H

#include "machine/machine.h"

struct example;

/* Which rules may have the step, where a migration runs beside sessions. */
enum choosing_turn { TURN_ANY, TURN_MIGRATION, TURN_OTHERS };

/* The state for choosing rules; in the example's arena. */
struct choosing {
    bool *tried;          /* by rule: true if given up or blocked in this step */
    const bool *near;     /* by rule: true if it is in the example's part; NULL if all are */
    const double *favour; /* by rule: how much more often it runs; NULL: none does */
    enum choosing_turn turn;
    bool beyond; /* no rule of the part can run in this step, so all rules may */
    unsigned
        *why; /* by rule: the reason given to example_note_why; DEAD_END_REASONS if not tried */
    double *weights; /* by rule */
    unsigned *runs;  /* by rule: runs in this example; set high after a success */
    size_t running;  /* the rule that will run `run` more times */
    size_t run;
};

void choosing_begin_example(struct example *example);
bool choosing_begin(struct example *example, struct error *err);
/* The next rule to try, by weight; NULL if none is left. */
const struct rule *choose_rule(struct example *example);
/* The weight of the rule, at least 0. */
bool rule_weight(struct example *example, const struct rule *rule, double *out, struct error *err);
/* Records that the rule can't run in this step. */
void choosing_exclude(struct example *example, const struct rule *rule);
/* Records that the rule ran in this step. */
void choosing_note(struct example *example, const struct rule *rule);
/* Records that the rule's step succeeded and changed the model. */
void choosing_succeeded(struct example *example, const struct rule *rule);

#endif
