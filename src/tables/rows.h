/* The rows of tables, with an index for each key and foreign key. */
#ifndef TABLES_ROWS_H
#define TABLES_ROWS_H

#include "tables/definition.h"

/* A row in an index: its place in the table, and what it holds. */
struct index_node {
    uint64_t hash;
    struct value key; /* of the row, in `rows` */
    struct table *row;
    size_t next; /* in its bucket, + 1; 0: it is the last */
};

/* Rows by what they hold in some columns; rows with a NULL there are not in it. */
struct row_index {
    VEC(struct index_node) nodes;
    size_t *buckets; /* node + 1; 0: none */
    size_t bucket_count;
    size_t unused;                 /* nodes to use again, + 1 */
    const struct row_index *under; /* of the rows below; NULL: there are none */
};

struct table_store {
    struct table *rows; /* a dict: key -> row, a frozen dict; the language sees it */
    struct row_index *indexes;
    struct table *written; /* a set: the keys of rows that were put or removed */
    int64_t number;        /* the largest key given to a row of a table without one */
    bool filled;           /* there was a row in it at some time */
};

struct row_store {
    struct arena *arena;
    const struct definition *definition;
    struct table_store *tables;
};

/* `definition` is borrowed. */
void rows_begin(struct row_store *store, struct arena *arena, const struct definition *definition);

/* Lays an empty store over another one of the same definition, whose rows it then holds, at no
 * cost. `under` must live as long and not change. */
void rows_lay_over(struct row_store *store, const struct row_store *under);

/* The row; NULL: there is none. False with err if the key has no hash. */
bool rows_find(const struct row_store *store, size_t table, struct value key, struct table **out,
               struct error *err);
/* Puts a row under the key, instead of one that is there: a copy, unless it is frozen. */
bool rows_put(struct row_store *store, size_t table, struct value key, struct value row,
              struct error *err);
bool rows_remove(struct row_store *store, size_t table, struct value key, struct error *err);
void rows_clear(struct row_store *store, size_t table);

/* The key of the table that the row has; of a table without one, a new number. */
struct value rows_key_of(struct row_store *store, size_t table, const struct table *row);

/* Appends all items. */
void list_append_all(struct list *list, struct items items);
/* The value of a column; None if the row says nothing of it. */
struct value row_get(const struct table *row, struct value column);
/* A row with other values in some columns, frozen; in the arena. False with err if a column's name
 * has no hash. */
bool row_with(struct arena *arena, const struct table *row, const struct table *values,
              struct table **out, struct error *err);
/* Whether `a` holds in its columns what `b` holds in the others, and none is NULL. */
bool row_matches(const struct table *a, const struct column_list *columns, const struct table *b,
                 const struct column_list *others);

/* Rows that hold in the index's columns what `like` holds in `others`: begin with `node` 0; each
 * call gives the next one, or NULL. The store must not change between. */
struct index_search {
    const struct row_store *store;
    size_t table, index;
    const struct table *like;
    const struct column_list *others;
    size_t node;
    bool begun;
    bool below; /* among the rows of the store that it lies over */
};
const struct index_node *index_next(struct index_search *search);

#endif
