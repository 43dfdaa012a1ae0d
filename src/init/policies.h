/* The parts of a generated machine that test policies: a context, rules and invariants that run as
 * a user. */
#ifndef INIT_POLICIES_H
#define INIT_POLICIES_H

#include "init/facts.h"

/* The context of a user, by the number of its role; also the suffix of its rules' names. */
const char *policies_user(const struct plan *plan, size_t user);
const char *policies_suffix(const struct plan *plan, size_t user);
/* The role's permissions on the table: a dict of conditions, or None. */
struct value policies_of(const struct plan *plan, const struct table_plan *table, size_t user);
/* Appends `contexts`, unless the plan has no user. */
void policies_add_context(const struct plan *plan, struct strbuf *out);
/* "actor_users: users": the strategies that the context's expressions need, one per line; NULL if
 * there are none. `together` (of a function, or None) names the row that a user may also come from.
 */
const char *policies_actors(const struct plan *plan, struct value together);
/* The same for `for`: collections. */
const char *policies_all_actors(const struct plan *plan);
/* Appends rules that insert, update and delete as the user, for a table with policies. */
void policies_add_rules(const struct plan *plan, const struct table_plan *table,
                        struct strbuf *out);

#endif
