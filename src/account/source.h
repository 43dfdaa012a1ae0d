/* The line of the machine that the database contradicts. */
#ifndef ACCOUNT_SOURCE_H
#define ACCOUNT_SOURCE_H

#include "account/statement.h"

/* That of an example's failure, with the values that its names have now: those of the step or
 * check that failed (`asker`) and those of the model. */
struct account_source account_source(const struct words *words, const struct asker *asker,
                                     const struct example *example, const struct failure *failure);

#endif
