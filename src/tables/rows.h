/* The rows of tables, with an index for each key and foreign key. */
#ifndef TABLES_ROWS_H
#define TABLES_ROWS_H

#include "tables/definition.h"

/* A row in an index. */
struct index_node {
    uint64_t hash;
    struct value key; /* of the row, in `rows` */
    struct table *row;
    size_t next; /* in its bucket, + 1; 0 for the last one */
};

/* An index of rows by some columns, without rows that have a NULL there. */
struct row_index {
    VEC(struct index_node) nodes;
    size_t *buckets; /* node + 1; 0: none */
    size_t bucket_count;
    size_t unused;                 /* free nodes, + 1 */
    const struct row_index *under; /* of the rows below; NULL if there are none */
};

struct table_store {
    struct table *rows; /* a dict: key -> row, a frozen dict; the language sees it */
    struct row_index *indexes;
    struct table *written; /* a set: the keys of rows that were written or removed */
    int64_t number;        /* the last key given to a row of a table without a key */
    bool filled;           /* it had a row at some time */
};

struct row_store {
    struct arena *arena;
    const struct definition *definition;
    struct table_store *tables;
};

/* `definition` is borrowed. */
void rows_begin(struct row_store *store, struct arena *arena, const struct definition *definition);

/* Lays an empty store over another one of the same definition, whose rows it then holds without
 * copying. `under` must live as long and must not change. */
void rows_lay_over(struct row_store *store, const struct row_store *under);

/* Finds the row; NULL if there is none. False with err if the key has no hash. */
bool rows_find(const struct row_store *store, size_t table, struct value key, struct table **out,
               struct error *err);
/* Puts a row under the key, and replaces an old one. The row is copied unless it is frozen. */
bool rows_put(struct row_store *store, size_t table, struct value key, struct value row,
              struct error *err);
bool rows_remove(struct row_store *store, size_t table, struct value key, struct error *err);
void rows_clear(struct row_store *store, size_t table);

/* The row's key; a new number if the table has no key. */
struct value rows_key_of(struct row_store *store, size_t table, const struct table *row);

/* Appends all items. */
void list_append_all(struct list *list, struct items items);
/* The value of a column; None if the row does not have it. */
struct value row_get(const struct table *row, struct value column);
/* A frozen copy of the row with other values in some columns; in the arena. False with err if a
 * column's name has no hash. */
bool row_with(struct arena *arena, const struct table *row, const struct table *values,
              struct table **out, struct error *err);
/* Returns true if `a`'s columns equal `b`'s other columns, and none is NULL. */
bool row_matches(const struct table *a, const struct column_list *columns, const struct table *b,
                 const struct column_list *others);

/* A search for rows whose columns in the index equal the columns `others` of `like`. Begin with
 * `node` 0; each call returns the next row, or NULL. The store must not change in between. */
struct index_search {
    const struct row_store *store;
    size_t table, index;
    const struct table *like;
    const struct column_list *others;
    size_t node;
    bool begun;
    bool below; /* now among the rows of the store below */
};
const struct index_node *index_next(struct index_search *search);

#endif
