/* What the rules of a table are written with. */
#ifndef INIT_WRITER_H
#define INIT_WRITER_H

#include "init/facts.h"

struct writer {
    struct arena *arena;
    const struct plan *plan;
    const struct table_plan *table;
    struct strbuf *out;
    struct items columns, key;
    struct items also; /* columns that count up by themselves, which an insert gives nonetheless */
    bool rereads;      /* triggers change rows in ways that can't be told */
};

struct writer writer_for(const struct plan *plan, const struct table_plan *table,
                         struct strbuf *out);

/* Columns that row() draws, that an insert can give (also those that count up by themselves), that
 * an update changes, that the key consists of. */
bool is_drawn(const struct writer *writer, struct value column);
bool is_given(const struct writer *writer, struct value column);
bool is_changed(const struct writer *writer, struct value column);
bool is_key(const struct writer *writer, struct value column);
/* Columns that row() draws, and those of `also`. */
bool is_drawn_or_also(const struct writer *writer, struct value column);

/* The names of the chosen columns with a comma between them: the fact of each, behind a prefix. An
 * empty fact: as literals. NULL: no column is chosen. */
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
/* Strategies for a row that has no faults on purpose, and for a dict with another value of a column
 * that the table's CHECKs are about, or none. */
const char *fitting_strategy(const struct writer *writer);
/* The same without some columns, "\"a\", \"b\"". */
const char *strategy_without(const struct writer *writer, const char *without);
const char *changes_strategy(const struct writer *writer);
/* "to: …" for rows that are near what the table's CHECKs refuse. */
const char *checked_arg(const struct writer *writer, const char *name);

#endif
