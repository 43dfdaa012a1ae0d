/* Statements of an account: what was sent by whom, and what came back. */
#ifndef ACCOUNT_STATEMENT_H
#define ACCOUNT_STATEMENT_H

#include "account/words.h"
#include "example/engine.h"
#include "example/step/invariant.h"

/* Who sends statements: a step, or an invariant that is asked behind it, or neither. */
struct asker {
    const struct step *step;
    const struct invariant_check *check;
};

/* The SQL with its values, who runs it, with which settings. It has no answer yet. */
struct account_statement statement_sent(const struct words *words, const struct asker *asker,
                                        const struct backend_call *call);
struct account_answer statement_answer(const struct words *words, const struct example *example,
                                       const struct answer *answer);
/* Adds what was answered; of two databases, by both. */
void statement_answered(const struct words *words, const struct example *example,
                        const struct answer *answer, struct account_statement *out);
/* A row of the example's database, of another one if `example` is NULL: then no cell has a name.
 * NULL of NULL. */
const struct account_cell *statement_cells(const struct words *words, const struct example *example,
                                           const struct answer_column *columns,
                                           const struct value *values, size_t count);
/* "INSERT 0 1", "2 rows", the only value; a condition is not one. NULL: there is none. Of two
 * databases that differ, what the first one answers where they do: also "raises check_violation".
 */
const char *statement_brief(struct arena *arena, const struct account_statements *statements);
/* Where a second database answers differently, what it does; else NULL. */
const char *statement_brief_after(struct arena *arena, const struct account_statements *statements);

#endif
