/* Reads the entries of dicts and sets. Hashes and equality build on it. */
#include "value/entries.h"

#include <assert.h>

size_t table_under_count(const struct table *table)
{
    return table->over ? table->over->table->used : 0;
}

size_t table_own_count(const struct table *table)
{
    return table->over ? table->count - (table_under_count(table) - table->over->gone_count)
                       : table->count;
}

bool table_is_gone(const struct table_over *over, size_t index)
{
    return over->gone[index / WORD] >> (index % WORD) & 1;
}

struct table_entry *table_next_own(const struct table *table, size_t *at)
{
    *at = *at < table->first ? table->first : *at;
    while (*at < table->used) {
        struct table_entry *entry = &table->entries[(*at)++];
        if (entry->live) {
            return entry;
        }
    }
    return NULL;
}

bool table_is_under(const struct table *table, const struct table_entry *entry)
{
    return table->over && entry >= table->over->table->entries &&
           entry < table->over->table->entries + table_under_count(table);
}

size_t table_places(const struct table *table) { return table_under_count(table) + table->used; }

size_t table_place(const struct table *table, const struct table_entry *entry)
{
    return table_is_under(table, entry)
               ? (size_t)(entry - table->over->table->entries)
               : table_under_count(table) + (size_t)(entry - table->entries);
}

struct table_entry *table_at(const struct table *table, size_t place)
{
    size_t under = table_under_count(table);
    assert(place < table_places(table));
    if (place < under) {
        return table_is_gone(table->over, place) ? NULL : &table->over->table->entries[place];
    }
    struct table_entry *entry = &table->entries[place - under];
    return entry->live ? entry : NULL;
}

struct table_entry *table_next(const struct table *table, size_t *at)
{
    size_t under = table_under_count(table);
    while (*at < under) {
        struct table_entry *entry = table_at(table, (*at)++);
        if (entry) {
            return entry;
        }
    }
    size_t own = *at - under;
    struct table_entry *entry = table_next_own(table, &own);
    *at = under + own;
    return entry;
}

/* The number of entries before `at` in the table below that are gone. */
static size_t gone_before(const struct table_over *over, size_t place)
{
    size_t gone = 0;
    for (size_t i = 0; over->gone_count && i < place / WORD; i++) {
        gone += (size_t)__builtin_popcountll(over->gone[i]);
    }
    for (size_t i = place / WORD * WORD; over->gone_count && i < place; i++) {
        gone += table_is_gone(over, i);
    }
    return gone;
}

size_t table_position(const struct table *table, size_t place)
{
    size_t under = table_under_count(table);
    if (table_places(table) == table->count) {
        return place;
    }
    if (place <= under) {
        return place - (table->over ? gone_before(table->over, place) : 0);
    }
    size_t position = table->count - table_own_count(table);
    for (size_t i = table->first; i < place - under; i++) {
        position += table->entries[i].live;
    }
    return position;
}

size_t table_select(const struct table *table, size_t position)
{
    size_t under = table_under_count(table);
    size_t left = table->count - table_own_count(table);
    assert(position < table->count);
    if (table_places(table) == table->count) {
        return position;
    }
    size_t at = 0;
    if (position >= left) {
        at = under;
        position -= left;
    } else {
        /* `position` is a lower bound; each gone entry moves the place by one at most */
        for (at = position; at - gone_before(table->over, at) < position;) {
            at += position - (at - gone_before(table->over, at));
        }
    }
    const struct table_entry *entry = table_next(table, &at);
    for (size_t i = 0; at > under && i < position; i++) {
        entry = table_next(table, &at);
    }
    return table_place(table, entry);
}

struct table_entry *table_first(const struct table *table)
{
    size_t at = 0;
    return table_next(table, &at);
}
