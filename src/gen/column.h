/* Strategies for a column, shared by column() and row(). */
#ifndef GEN_COLUMN_H
#define GEN_COLUMN_H

#include "gen/catalog.h"
#include "gen/kind.h"

/* column_type.c: a strategy for the values that are not NULL, in `arena`; checks that it can't
 * keep by itself are asked with column_holds. False with err: no values of the type can be
 * drawn. */
bool column_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err);
/* Whether the checks hold for the value, as far as can be told. */
bool column_holds(struct arena *arena, const struct column_facts *column, struct value value);

/* column.c: of one column without a foreign key, NULL at times where it may be. */
enum draw_result column_draw(struct drawer *drawer, const struct column_facts *column,
                             uint64_t site, struct value *out, struct error *err);
enum draw_result column_give(struct drawer *drawer, const struct column_facts *column,
                             uint64_t site, struct value wanted, struct value *out,
                             struct error *err);
/* The same of a foreign key: a tuple of values for its columns, of a row that exists; None for all
 * of them. DRAW_EMPTY where there is no row and it can't be NULL. */
enum draw_result key_draw(struct drawer *drawer, const struct table_facts *table,
                          const struct key_facts *key, struct value *out, struct error *err);
enum draw_result key_give(struct drawer *drawer, const struct table_facts *table,
                          const struct key_facts *key, struct value wanted, struct value *out,
                          struct error *err);
/* The foreign key that the column belongs to; NULL: none. */
const struct key_facts *column_key(const struct table_facts *table, size_t column);
/* Looks the table up; the strategy is named in an error. */
bool column_table(const struct drawer *drawer, const struct strategy *strategy, const char *name,
                  const struct table_facts **out, struct error *err);

#endif
