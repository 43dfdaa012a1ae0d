/* The model of a generated machine: the constraints as data for tables(), and the rows. */
#ifndef INIT_MODEL_H
#define INIT_MODEL_H

#include "init/facts.h"

/* Appends the program, without indentation. */
void model_add(const struct plan *plan, struct strbuf *out);

/* The columns of a row for the model's read(): "'users', jsonb_build_array(t.id), to_jsonb(t.*)".
 */
const char *returned_row(struct arena *arena, const struct table_plan *table);
/* A query for all rows of the table, for read(). */
const char *rows_query(struct arena *arena, const struct table_plan *table);
/* to_jsonb() of a row, without the columns that the model leaves to the server. */
const char *row_expression(struct arena *arena, const struct table_plan *table);

#endif
