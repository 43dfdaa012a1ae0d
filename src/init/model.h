/* The model of a made machine: the rows, the constraints as data, and functions that foretell with
 * them what a statement does. */
#ifndef INIT_MODEL_H
#define INIT_MODEL_H

#include "init/facts.h"

/* Of model.star. */
extern const char model_functions[];

/* Appends the program, without indentation. */
void model_add(const struct plan *plan, struct strbuf *out);

/* A query for a table's rows as read() of the model takes them. */
const char *rows_query(struct arena *arena, const struct table_plan *table);
/* to_jsonb() of a row, without the columns that the model leaves to the server. */
const char *row_expression(struct arena *arena, const struct table_plan *table);

#endif
