/* Writes at the machine's head what it does not test, and why: lines that begin with "# Not tested:
 * ". */
#ifndef INIT_UNTESTED_H
#define INIT_UNTESTED_H

#include "base/strbuf.h"
#include "init/facts.h"

void untested_add(const struct plan *plan, struct value facts, struct strbuf *out);

#endif
