/* Strategies for a column, shared by column() and row(). */
#ifndef SCHEMA_COLUMN_H
#define SCHEMA_COLUMN_H

#include "gen/strategies/strategies.h"
#include "schema/types.h"

extern const struct strategy_kind kind_column, kind_row;

/* column_type.c: a strategy for the column's values, sometimes NULL if the column may be. False
 * with err if no values of the type can be drawn. `column` must live as long. */
bool column_strategy(struct arena *arena, const struct column_facts *column, struct value *out,
                     struct error *err);

/* column_times.c: a strategy of one of the four kinds, within the bounds of the checks. */
bool times_strategy(struct arena *arena, const struct column_facts *column,
                    const struct strategy_kind *kind, struct value *out, struct error *err);

/* column_check.c: false if a check is known to fail for the value. */
bool column_holds(struct arena *arena, const struct column_facts *column, struct value value);
/* The value as the column stores it: numeric(3, -2) keeps hundreds, timestamp(0) whole seconds. */
struct value column_kept(struct arena *arena, const struct column_facts *column,
                         struct value value);
/* Sets < 0, 0 or > 0; if the order of texts is unknown, only 0 is meaningful. False if the values
 * can't be compared here. */
bool column_order(const struct column_facts *column, struct value a, struct value b, int *order);

/* column_parts.c: turns a strategy for the values that are not NULL into one for the column. */
bool part_strategy(struct arena *arena, const struct column_facts *column, struct value values,
                   struct value *out, struct error *err);
/* A strategy for ranges, multiranges and composites, made from strategies for their parts. */
bool parts_strategy(struct arena *arena, const struct column_facts *column,
                    const struct value *strategies, struct value *out, struct error *err);
/* Draws whether a value is NULL. `nullable`: it may be NULL; `possible`: it may be something else.
 * False if NULL is wanted but not allowed. */
bool null_draw(struct drawer *drawer, bool nullable, bool possible, const struct value *wanted,
               bool *null);

/* column.c: draws the value of one column without a foreign key, like draw_child. */
enum draw_result column_draw(const struct draw *draw, const struct column_facts *column,
                             uint64_t site, const struct value *wanted, struct value *out);
/* The rows that a foreign key may refer to, a list of tuples. */
bool key_rows(const struct draw *draw, const struct key_facts *key, struct value *out);
/* Draws one of the rows, or None if that is allowed. DRAW_EMPTY if there is no row and the column
 * can't be NULL. */
enum draw_result key_draw(const struct draw *draw, const struct list *rows, bool nullable,
                          const struct value *wanted, struct value *out);
/* Looks up a table that the strategy names. */
bool column_table(const struct draw *draw, const char *name, const struct table_facts **out);

#endif
