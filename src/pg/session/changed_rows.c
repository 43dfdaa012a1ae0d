/*
 * Rows before and after. They are matched by their key, or where there is none by all that is in
 * them, by the hashes that the server gave. Only those that differ are decoded.
 */
#include "pg/session/changed.h"

#include <stdlib.h>
#include <string.h>

enum { NO_ROW = -1 };

struct hashed {
    long long key;
    long long row;
    int index;
};

/* Of each row, which one of the other side it is, or NO_ROW. */
struct matching {
    struct arena arena;
    const struct seen_rows *before;
    const struct seen_rows *after;
    bool by_key;
    bool alike; /* the columns are the same, and so equal hashes mean equal rows */
    int *after_of;
    int *before_of;
    bool *same;             /* by rows after: the row was like that */
    size_t differ;          /* how many rows */
    struct table_row *rows; /* the first of them */
};

void seen_rows_free(struct seen_rows *rows)
{
    PQclear(rows->result);
    free(rows->since);
    *rows = (struct seen_rows){0};
}

static int by_hashes(const void *a, const void *b)
{
    const struct hashed *left = a;
    const struct hashed *right = b;
    return left->key != right->key   ? (left->key < right->key ? -1 : 1)
           : left->row != right->row ? (left->row < right->row ? -1 : 1)
                                     : left->index - right->index;
}

static long long hash_at(const PGresult *result, int row, int column)
{
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

static struct hashed *read_hashes(struct matching *matching, const PGresult *result)
{
    int count = PQntuples(result);
    struct hashed *hashes = ARENA_ARRAY(&matching->arena, struct hashed, (size_t)count);
    for (int i = 0; i < count; i++) {
        hashes[i] = (struct hashed){
            .key = hash_at(result, i, matching->by_key ? HASH_KEY : HASH_ROW),
            .row = hash_at(result, i, HASH_ROW),
            .index = i,
        };
    }
    qsort(hashes, (size_t)count, sizeof *hashes, by_hashes);
    return hashes;
}

static bool has_key(const struct seen_rows *rows) { return rows->key && *rows->key; }

/* The same column may have another place. */
static const char *key_numbers(struct arena *arena, const struct seen_rows *rows)
{
    struct strbuf text = {0};
    for (const char *key = rows->key; *key;) {
        char *end;
        const char *number = rows->numbers;
        for (unsigned long place = strtoul(key, &end, 10); place > 0; place--) {
            number += strcspn(number, " ") + 1;
        }
        strbuf_addf(&text, "%.*s ", (int)strcspn(number, " "), number);
        key = end;
    }
    const char *copy = strbuf_copy(&text, arena);
    strbuf_free(&text);
    return copy;
}

static int *no_rows(struct arena *arena, int count)
{
    int *rows = ARENA_ARRAY(arena, int, (size_t)count);
    for (int i = 0; i < count; i++) {
        rows[i] = NO_ROW;
    }
    return rows;
}

static void match(struct matching *matching)
{
    const struct seen_rows *before = matching->before;
    const struct seen_rows *after = matching->after;
    int old_count = PQntuples(before->result);
    int new_count = PQntuples(after->result);
    bool both = before->numbers && after->numbers;
    matching->after_of = no_rows(&matching->arena, old_count);
    matching->before_of = no_rows(&matching->arena, new_count);
    matching->same = ARENA_ARRAY(&matching->arena, bool, (size_t)new_count);
    matching->alike = !both || strcmp(before->numbers, after->numbers) == 0;
    matching->by_key =
        both && has_key(before) && has_key(after) &&
        strcmp(key_numbers(&matching->arena, before), key_numbers(&matching->arena, after)) == 0;
    const struct hashed *olds = read_hashes(matching, before->result);
    const struct hashed *news = read_hashes(matching, after->result);
    for (int i = 0, j = 0; i < old_count && j < new_count;) {
        if (olds[i].key != news[j].key) {
            bool old_first = olds[i].key < news[j].key;
            i += old_first;
            j += !old_first;
            continue;
        }
        matching->after_of[olds[i].index] = news[j].index;
        matching->before_of[news[j].index] = olds[i].index;
        matching->same[news[j].index] = matching->alike && olds[i].row == news[j].row;
        i++;
        j++;
    }
}

/* What can't be decoded stays a text. */
static struct value decode_cell(const struct decoder *decoder, const PGresult *result, int row,
                                int column)
{
    struct error ignored;
    struct value value;
    const struct type *type = types_get(decoder->types, PQftype(result, column));
    const char *text = PQgetvalue(result, row, column);
    size_t size = (size_t)PQgetlength(result, row, column);
    if (!PQgetisnull(result, row, column + 1)) {
        const char *begins = PQgetvalue(result, row, column + 1);
        return value_text(decoder->arena, arena_printf(decoder->arena, "%s…", begins));
    }
    if (PQgetisnull(result, row, column)) {
        return value_none();
    }
    return decode_value(decoder, type, text, size, &value, &ignored)
               ? value
               : value_string(decoder->arena, text, size);
}

static const struct value *decode_row(const struct decoder *decoder, const struct seen_rows *rows,
                                      int row)
{
    struct value *cells = ARENA_ARRAY(decoder->arena, struct value, rows->column_count);
    for (size_t i = 0; i < rows->column_count; i++) {
        cells[i] = decode_cell(decoder, rows->result, row, FIRST_VALUE + 2 * (int)i);
    }
    return cells;
}

/* Where the columns were others: each of those that are, as it was then. */
static const struct value *place_row(struct arena *arena, const struct matching *matching,
                                     const struct value *cells)
{
    const struct seen_rows *before = matching->before;
    const struct seen_rows *after = matching->after;
    if (matching->alike) {
        return cells;
    }
    struct value *placed = ARENA_ARRAY(arena, struct value, after->column_count);
    const char *number = after->numbers;
    for (size_t i = 0; i < after->column_count; i++) {
        size_t size = strcspn(number, " ");
        const char *old = before->numbers;
        placed[i] = value_none();
        for (size_t j = 0; j < before->column_count; j++) {
            size_t old_size = strcspn(old, " ");
            if (old_size == size && memcmp(old, number, size) == 0) {
                placed[i] = cells[j];
            }
            old += old_size + 1;
        }
        number += size + 1;
    }
    return placed;
}

/* Adds a row that differs, or counts it. */
static void add_row(const struct decoder *decoder, struct matching *matching, int before, int after)
{
    if (matching->differ++ >= TABLE_ROWS_MAX) {
        return;
    }
    struct table_row *row = &matching->rows[matching->differ - 1];
    if (before != NO_ROW) {
        const struct value *cells = decode_row(decoder, matching->before, before);
        row->before = place_row(decoder->arena, matching, cells);
        row->since = matching->before->since[before];
    }
    if (after != NO_ROW) {
        row->after = decode_row(decoder, matching->after, after);
    }
}

static void add_rows(const struct decoder *decoder, struct matching *matching)
{
    for (int i = 0; i < PQntuples(matching->before->result); i++) {
        if (matching->after_of[i] == NO_ROW) {
            add_row(decoder, matching, i, NO_ROW);
        }
    }
    for (int i = 0; i < PQntuples(matching->after->result); i++) {
        if (!matching->same[i]) {
            add_row(decoder, matching, matching->before_of[i], i);
        }
    }
}

/* A row that stays as it is keeps since when. */
static void keep_since(const struct matching *matching)
{
    for (int i = 0; i < PQntuples(matching->after->result); i++) {
        if (matching->same[i]) {
            matching->after->since[i] = matching->before->since[matching->before_of[i]];
        }
    }
}

static void describe(const struct seen_rows *rows, struct arena *arena, struct table_change *change)
{
    size_t *key = ARENA_ARRAY(arena, size_t, rows->column_count);
    for (const char *at = rows->key; at && *at;) {
        char *end;
        key[change->key_count++] = strtoul(at, &end, 10);
        at = end;
    }
    change->key = key;
    change->column_count = rows->column_count;
    change->columns =
        arena_memdup(arena, rows->columns, rows->column_count * sizeof *rows->columns);
}

void seen_compare(const struct session *session, const struct seen_table *before,
                  const struct seen_rows *after, struct arena *arena, struct table_changes *out)
{
    struct matching matching = {.before = &before->rows, .after = after};
    const struct decoder decoder = {.types = &session->types, .arena = arena};
    match(&matching);
    matching.rows = ARENA_ARRAY(&matching.arena, struct table_row, TABLE_ROWS_MAX);
    add_rows(&decoder, &matching);
    keep_since(&matching);
    if (matching.differ > 0) {
        struct table_change *change = VEC_PUSH(arena, &out->tables);
        size_t count = matching.differ < TABLE_ROWS_MAX ? matching.differ : TABLE_ROWS_MAX;
        change->name = arena_strdup(arena, before->name);
        describe(after->numbers ? after : &before->rows, arena, change);
        change->rows = arena_memdup(arena, matching.rows, count * sizeof *matching.rows);
        change->row_count = count;
        change->more = matching.differ - count;
    }
    arena_free(&matching.arena);
}
