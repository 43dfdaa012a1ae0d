/* What of a made machine tests policies: a context, rules and invariants that run as a user. */
#ifndef INIT_POLICIES_H
#define INIT_POLICIES_H

#include "init/facts.h"

/* Appends `contexts`, unless the plan has no user. */
void policies_add_context(const struct plan *plan, struct strbuf *out);
/* "actor_users: users": the strategies, bundles for `for`, that the context's expressions need,
 * each on a line of its own; NULL: none. `together` (of a function, or None) says of which row else
 * a user is. */
const char *policies_actors(const struct plan *plan, struct value together);
/* Appends rules that insert, update and delete as the user, for a table with policies. */
void policies_add_rules(const struct plan *plan, const struct table_plan *table,
                        struct strbuf *out);

#endif
