/* What to do about errors of the server that its own message does not help with, because a test
 * meets them where production does not: roles and extensions that the server lacks. */
#ifndef PG_WAY_OUT_H
#define PG_WAY_OUT_H

#include "base/error.h"

/* Sets the hint of an error of the server, if there is a better one than the server's. Messages are
 * recognised in English only. */
void way_out_add(struct error *err);

#endif
