/* The state for writing a table's rules. */
#ifndef INIT_WRITER_H
#define INIT_WRITER_H

#include "init/facts.h"

struct writer {
    struct arena *arena;
    const struct plan *plan;
    const struct table_plan *table;
    struct strbuf *out;
    struct items columns, key;
    struct items also; /* columns with a sequence, for which an insert gives values anyway */
    bool rereads;      /* triggers change rows in unpredictable ways */
    const char *wrong; /* a strategy for what is seldom wrong in a row: a dict; NULL: from facts */
};

struct writer writer_for(const struct plan *plan, const struct table_plan *table,
                         struct strbuf *out);

/* Columns that row() draws, that an insert can give (also those with a sequence), that an update
 * changes, that form the key. */
bool is_drawn(const struct writer *writer, struct value column);
bool is_given(const struct writer *writer, struct value column);
bool is_changed(const struct writer *writer, struct value column);
bool is_key(const struct writer *writer, struct value column);
/* Columns that row() draws, and those of `also`. */
bool is_drawn_or_also(const struct writer *writer, struct value column);

/* The chosen columns separated by commas: a fact of each, with a prefix; an empty fact means their
 * names as literals. NULL if no column is chosen. */
const char *columns_text(const struct writer *writer,
                         bool (*chosen)(const struct writer *writer, struct value column),
                         const char *fact, const char *prefix);
/* "t.a = :key_0 AND t.b = :key_1" */
const char *where_key(const struct writer *writer);
/* "key_0: 'key[0]', key_1: 'key[1]'", or NULL for a key of one column. */
const char *key_lets(const struct writer *writer);
/* The table's name, as a literal of the model language. */
const char *table_literal(const struct writer *writer);
/* "to: row("users")" */
const char *row_arg(const struct writer *writer, const char *name);
/* Strategies for a row without deliberate faults, and for a dict with another value for a column in
 * the table's CHECKs, or an empty dict. */
const char *fitting_strategy(const struct writer *writer);
/* The same without some columns, "\"a\", \"b\"". */
const char *strategy_without(const struct writer *writer, const char *without);
const char *changes_strategy(const struct writer *writer);
/* Strategies for dicts with another value for a column in a CHECK, with commas; or NULL. */
const char *checked_column(const struct writer *writer, struct value column);
/* "to: …" for rows near the bounds of the table's CHECKs. */
const char *checked_arg(const struct writer *writer, const char *name);

#endif
