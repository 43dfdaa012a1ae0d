#include "tables/rows.h"

#include "base/hash.h"

#include <assert.h>

enum { BUCKETS_FIRST = 16 };

struct value row_get(const struct table *row, struct value column)
{
    struct table_entry *entry = NULL;
    (void)table_find(row, column, &entry, NULL);
    return entry ? entry->value : value_none();
}

void list_append_all(struct list *list, struct items items)
{
    for (size_t i = 0; i < items.count; i++) {
        list_append(list, items.items[i]);
    }
}

bool row_with(struct arena *arena, const struct table *row, const struct table *values,
              struct table **out, struct error *err)
{
    struct table *merged = value_dict(arena).as.table;
    const struct table *parts[] = {row, values};
    const struct table_entry *entry;
    for (size_t i = 0; i < 2; i++) {
        for (size_t at = 0; (entry = table_next(parts[i], &at));) {
            if (!table_set(merged, entry->key, entry->value, err)) {
                return false;
            }
        }
    }
    merged->base.frozen = true;
    *out = merged;
    return true;
}

bool row_matches(const struct table *a, const struct column_list *columns, const struct table *b,
                 const struct column_list *others)
{
    for (size_t i = 0; i < columns->count; i++) {
        struct value value = row_get(a, columns->names[i]);
        if (value.type == VALUE_NONE || !value_equal(value, row_get(b, others->names[i]))) {
            return false;
        }
    }
    return true;
}

/* The hash of a row's values in the columns; false if one of them is NULL. Values without a hash
 * get the same hash; searches compare the values anyway. */
static bool hash_of(const struct table *row, const struct column_list *columns, uint64_t *out)
{
    *out = HASH_START;
    for (size_t i = 0; i < columns->count; i++) {
        struct value value = row_get(row, columns->names[i]);
        uint64_t hash = 0;
        struct error ignored;
        if (value.type == VALUE_NONE) {
            return false;
        }
        if (!value_hash(value, &hash, &ignored)) {
            hash = 0;
        }
        *out = hash_mix(*out ^ hash);
    }
    return true;
}

static void grow_index(struct arena *arena, struct row_index *index)
{
    size_t count = index->bucket_count ? index->bucket_count * 2 : BUCKETS_FIRST;
    size_t *buckets = ARENA_ARRAY(arena, size_t, count);
    for (size_t i = 0; i < index->bucket_count; i++) {
        for (size_t at = index->buckets[i]; at;) {
            struct index_node *node = &index->nodes.items[at - 1];
            size_t next = node->next;
            size_t *bucket = &buckets[node->hash & (count - 1)];
            node->next = *bucket;
            *bucket = at;
            at = next;
        }
    }
    index->buckets = buckets;
    index->bucket_count = count;
}

static void index_add(struct arena *arena, struct row_index *index, const struct index_node *new)
{
    size_t at = index->unused;
    if (at) {
        index->unused = index->nodes.items[at - 1].next;
    } else {
        if (index->nodes.count >= index->bucket_count) {
            grow_index(arena, index);
        }
        (void)VEC_PUSH(arena, &index->nodes);
        at = index->nodes.count;
    }
    size_t *bucket = &index->buckets[new->hash &(index->bucket_count - 1)];
    struct index_node *node = &index->nodes.items[at - 1];
    *node = *new;
    node->next = *bucket;
    *bucket = at;
}

static void index_remove(struct row_index *index, const struct index_node *old)
{
    if (index->bucket_count == 0) {
        return;
    }
    size_t *link = &index->buckets[old->hash & (index->bucket_count - 1)];
    while (*link) {
        struct index_node *node = &index->nodes.items[*link - 1];
        size_t at = *link;
        if (node->row == old->row && value_equal(node->key, old->key)) {
            *link = node->next;
            node->next = index->unused;
            index->unused = at;
            return;
        }
        link = &node->next;
    }
}

void rows_begin(struct row_store *store, struct arena *arena, const struct definition *definition)
{
    *store = (struct row_store){arena, definition, NULL};
    store->tables = ARENA_ARRAY(arena, struct table_store, definition->tables.count + 1);
    for (size_t i = 0; i < definition->tables.count; i++) {
        size_t indexes = definition->tables.items[i].indexes.count;
        store->tables[i].rows = value_dict(arena).as.table;
        store->tables[i].rows->base.kept = true;
        store->tables[i].written = value_set(arena).as.table;
        store->tables[i].indexes = ARENA_ARRAY(arena, struct row_index, indexes + 1);
    }
}

void rows_lay_over(struct row_store *store, const struct row_store *under)
{
    assert(store->definition == under->definition);
    for (size_t i = 0; i < store->definition->tables.count; i++) {
        struct table_store *table = &store->tables[i];
        table_lay_over(table->rows, under->tables[i].rows);
        table->number = under->tables[i].number;
        table->filled = under->tables[i].filled;
        for (size_t j = 0; j < store->definition->tables.items[i].indexes.count; j++) {
            table->indexes[j].under = &under->tables[i].indexes[j];
        }
    }
}

bool rows_find(const struct row_store *store, size_t table, struct value key, struct table **out,
               struct error *err)
{
    struct table_entry *entry = NULL;
    bool found = table_find(store->tables[table].rows, key, &entry, err);
    *out = entry ? entry->value.as.table : NULL;
    return found;
}

static void unindex_row(struct row_store *store, size_t table, const struct table_entry *entry)
{
    const struct table_definition *definition = &store->definition->tables.items[table];
    struct index_node old = {.key = entry->key, .row = entry->value.as.table};
    for (size_t i = 0; i < definition->indexes.count; i++) {
        if (hash_of(old.row, &definition->indexes.items[i], &old.hash)) {
            index_remove(&store->tables[table].indexes[i], &old);
        }
    }
}

static void index_row(struct row_store *store, size_t table, struct value key, struct table *row)
{
    const struct table_definition *definition = &store->definition->tables.items[table];
    struct index_node node = {.key = key, .row = row};
    for (size_t i = 0; i < definition->indexes.count; i++) {
        if (hash_of(row, &definition->indexes.items[i], &node.hash)) {
            index_add(store->arena, &store->tables[table].indexes[i], &node);
        }
    }
}

/* Adds the key as the last one written. It is a row's key, so it has a hash. */
static void note_written(struct table_store *table, struct value key)
{
    struct table_entry *entry = NULL;
    struct error ignored;
    if (table_find(table->written, key, &entry, &ignored) && entry) {
        table_remove(table->written, entry);
    }
    (void)table_set(table->written, key, value_none(), &ignored);
}

bool rows_put(struct row_store *store, size_t table, struct value key, struct value row,
              struct error *err)
{
    struct table_store *into = &store->tables[table];
    struct table_entry *entry = NULL;
    if (row.type != VALUE_DICT) {
        return error_set(err, ERROR_MACHINE, "a row must be a dict, not %s", value_type_name(row));
    }
    if (!table_find(into->rows, key, &entry, err)) {
        return false;
    }
    if (!row.as.table->base.frozen) {
        row = value_copy(store->arena, row);
        row.as.table->base.frozen = true;
    }
    if (entry) {
        unindex_row(store, table, entry);
        key = entry->key;
    }
    if (!table_set(into->rows, key, row, err)) {
        return false;
    }
    into->filled = true;
    index_row(store, table, key, row.as.table);
    note_written(into, key);
    if (key.type == VALUE_INT && !(key.flags & VALUE_BIG) && key.as.integer > into->number) {
        into->number = key.as.integer;
    }
    return true;
}

bool rows_remove(struct row_store *store, size_t table, struct value key, struct error *err)
{
    struct table_entry *entry = NULL;
    if (!table_find(store->tables[table].rows, key, &entry, err)) {
        return false;
    }
    if (entry) {
        unindex_row(store, table, entry);
        table_remove(store->tables[table].rows, entry);
        note_written(&store->tables[table], key);
    }
    return true;
}

void rows_clear(struct row_store *store, size_t table)
{
    struct table_store *cleared = &store->tables[table];
    size_t indexes = store->definition->tables.items[table].indexes.count;
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(cleared->rows, &i));) {
        note_written(cleared, entry->key);
    }
    for (size_t i = 0; i < indexes; i++) {
        cleared->indexes[i] = (struct row_index){0};
    }
    table_clear(cleared->rows);
}

struct value rows_key_of(struct row_store *store, size_t table, const struct table *row)
{
    const struct column_list *key = &store->definition->tables.items[table].key;
    struct value *values = ARENA_ARRAY(store->arena, struct value, key->count + 1);
    if (key->count == 0) {
        return value_int(store->tables[table].number + 1);
    }
    for (size_t i = 0; i < key->count; i++) {
        values[i] = row_get(row, key->names[i]);
    }
    return key->count == 1 ? values[0] : value_tuple(store->arena, values, key->count);
}

/* The index of the search, and the columns that it compares. */
static const struct row_index *look_in(struct index_search *search, const struct row_index *index)
{
    uint64_t hash;
    bool whole = index && hash_of(search->like, search->others, &hash);
    search->node =
        whole && index->bucket_count ? index->buckets[hash & (index->bucket_count - 1)] : 0;
    return index;
}

/* True if the node's row still exists: a row below may be removed or replaced. */
static bool is_there(const struct index_search *search, const struct index_node *node)
{
    struct table *row = NULL;
    struct error ignored;
    return !search->below ||
           (rows_find(search->store, search->table, node->key, &row, &ignored) && row == node->row);
}

const struct index_node *index_next(struct index_search *search)
{
    const struct row_index *index = &search->store->tables[search->table].indexes[search->index];
    const struct column_list *columns =
        &search->store->definition->tables.items[search->table].indexes.items[search->index];
    if (!search->begun) {
        search->begun = true;
        look_in(search, index);
    }
    index = search->below ? index->under : index;
    while (search->node || (!search->below && index->under)) {
        if (!search->node) {
            search->below = true;
            index = look_in(search, index->under);
            continue;
        }
        const struct index_node *node = &index->nodes.items[search->node - 1];
        search->node = node->next;
        if (row_matches(node->row, columns, search->like, search->others) &&
            is_there(search, node)) {
            return node;
        }
    }
    return NULL;
}
