/* Statements of an account of a failing example: what was sent by whom, and what came back. */
#ifndef REPORT_HTML_STATEMENT_H
#define REPORT_HTML_STATEMENT_H

#include "example/engine.h"
#include "example/step/invariant.h"
#include "report/html/parts.h"

/* Who sends statements: a step, or an invariant that is asked behind it; or neither. */
struct asker {
    const struct step *step;
    const struct invariant_check *check;
};

/* Members of an object: the SQL with its values, who runs it, with which settings. */
void statement_call(struct parts *parts, const struct asker *asker,
                    const struct backend_call *call);
/* The member `answer`: rows, an error, or what was done. */
void statement_answer(struct parts *parts, const struct example *example,
                      const struct answer *answer);

#endif
