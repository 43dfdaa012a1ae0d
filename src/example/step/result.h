/* `result` in the model language: the result of a statement. */
#ifndef EXAMPLE_RESULT_H
#define EXAMPLE_RESULT_H

#include "example/backend.h"
#include "value/object.h"

/* A value with rows, row, value, count, columns and notifications; the answer must live as long as
 * `arena`. */
struct value result_value(struct arena *arena, const struct answer *answer);

/* A readable form of such a value: "2 rows: 1, 2", "3 rows affected". */
const char *result_text(struct arena *arena, struct value result);

#endif
