/* Why a mutant survived, and what to do about it: from its operator, and from what the run did. */
#ifndef MUTATE_CAUSE_H
#define MUTATE_CAUSE_H

#include "mutate/mutant.h"
#include "run/run.h"

/* Sets the `cause` and `remedy` of those that survived: sentences, in the arena. The same examples
 * gave the same answers on the mutant, so a cause says what none of them can have done. */
void mutants_explain(struct mutation *mutation, const struct machine *machine,
                     const struct run_result *result, struct arena *arena);

/* Whether a statement of the rule names the table or function: "app.members", "leave(uuid)". */
bool rule_names(const struct rule *rule, const char *relation);

/* "policy own on members": the object with its kind, in the arena. */
const char *mutant_object(const struct mutant *mutant, struct arena *arena);

/* Whether both survived a change of one object, for one cause. One without a cause is like no
 * other.
 */
bool mutant_same(const struct mutant *a, const struct mutant *b);
/* The next that is the same in this; NULL: there are no more. */
const struct mutant *mutant_like(const struct mutation *mutation, const struct mutant *after);
/* Whether it is the first that is the same. */
bool mutant_leads(const struct mutation *mutation, const struct mutant *mutant);

#endif
