/* Strategies for a column, shared by column() and row(). */
#ifndef SCHEMA_COLUMN_H
#define SCHEMA_COLUMN_H

#include "gen/strategies/strategies.h"
#include "schema/types.h"

extern const struct strategy_kind kind_column, kind_row;

/* column_type.c: a strategy for the column's values, which makes it NULL at times where it may be.
 * False with err: no values of the type can be drawn. `column` must live as long. */
bool column_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err);

/* column_times.c: a strategy of one of the four kinds, within what the checks say. */
bool times_strategy(struct arena *arena, const struct column_facts *column,
                    const struct strategy_kind *kind, struct value *out, struct error *err);

/* column_check.c: whether the checks hold for the value, as far as can be told. */
bool column_holds(struct arena *arena, const struct column_facts *column, struct value value);
/* What the column keeps of the value: numeric(3, -2) hundreds, timestamp(0) whole seconds. */
struct value column_kept(struct arena *arena, const struct column_facts *column,
                         struct value value);
/* < 0, 0, > 0; of texts whose order is not known 0 alone says something. False: they can't be
 * compared here. */
bool column_order(const struct column_facts *column, struct value a, struct value b, int *order);

/* column_parts.c: of a strategy for the values that are not NULL, one for the column. */
bool part_strategy(struct arena *arena, const struct column_facts *column, struct value values,
                   struct value *out, struct error *err);
/* A strategy for ranges, multiranges and composites, of strategies for their parts. */
bool parts_strategy(struct arena *arena, const struct column_facts *column,
                    const struct value *strategies, struct value *out, struct error *err);
/* Draws whether a value is NULL: `nullable`, it may be; `possible`, it may be anything else. False:
 * the wanted value is NULL, which it can't be. */
bool null_draw(struct drawer *drawer, bool nullable, bool possible, const struct value *wanted,
               bool *null);

/* column.c: of one column without a foreign key, as draw_child. */
enum draw_result column_draw(const struct draw *draw, const struct column_facts *column,
                             uint64_t site, const struct value *wanted, struct value *out);
/* The rows that a foreign key may refer to, a list of tuples. */
bool key_rows(const struct draw *draw, const struct key_facts *key, struct value *out);
/* One of the rows, or, where it may be, None. DRAW_EMPTY where there is no row and it can't be
 * NULL. */
enum draw_result key_draw(const struct draw *draw, const struct list *rows, bool nullable,
                          const struct value *wanted, struct value *out);
/* Looks up a table that the strategy names. */
bool column_table(const struct draw *draw, const char *name, const struct table_facts **out);

#endif
