#include "pg/session/large.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_OF_RANGE = 16 };

/* A ctid as one number that orders the same. */
typedef uint64_t place;
#define PLACE_BLOCK(at) ((at) >> 16)

struct range {
    VEC(uint32_t) rows; /* by number */
};

struct large {
    struct arena arena;
    PGresult *rows; /* where each stood at the mark, and its text; owned */
    place *places;  /* where each stands */
    VEC(struct range) ranges;
    VEC(uint32_t) missing; /* by number */
    VEC(place) found;      /* in a range */
    struct strbuf counts;
    char file[16];
};

/* "(12,3)"; `*text` then stands behind it. False: there is none. */
static bool next_place(const char **text, place *out)
{
    const char *begin = strchr(*text, '(');
    char *end = NULL;
    if (!begin) {
        return false;
    }
    uint64_t block = strtoull(begin + 1, &end, 10);
    *out = block << 16 | strtoull(end + 1, &end, 10);
    *text = end;
    return true;
}

/* The row stands there. */
static void put_row(struct large *large, uint32_t row, place at)
{
    uint64_t range = PLACE_BLOCK(at) / BLOCKS_OF_RANGE;
    while (large->ranges.count <= range) {
        *VEC_PUSH(&large->arena, &large->ranges) = (struct range){0};
    }
    large->places[row] = at;
    *VEC_PUSH(&large->arena, &large->ranges.items[range].rows) = row;
}

static void note_file(struct large *large, const char *file)
{
    (void)snprintf(large->file, sizeof large->file, "%s", file);
}

bool large_read(struct wire *wire, const char *table, const char *file, struct large **out,
                struct error *err)
{
    struct strbuf sql = {0};
    strbuf_addf(&sql, "SELECT pgfsm_row.ctid, " ROW_TEXT " FROM ONLY %s AS pgfsm_row", table);
    PGresult *rows = wire_query_ok(wire, strbuf_text(&sql), NULL, err);
    strbuf_free(&sql);
    if (!rows) {
        return false;
    }
    struct large *large = memory_alloc(sizeof *large);
    *large = (struct large){.rows = rows};
    large->places = arena_calloc(&large->arena, (size_t)PQntuples(rows), sizeof *large->places);
    note_file(large, file);
    for (int i = 0; i < PQntuples(rows); i++) {
        const char *text = PQgetvalue(rows, i, 0);
        place at = 0;
        (void)next_place(&text, &at);
        put_row(large, (uint32_t)i, at);
    }
    *out = large;
    return true;
}

void large_free(struct large *large)
{
    if (large) {
        PQclear(large->rows);
        strbuf_free(&large->counts);
        arena_free(&large->arena);
        free(large);
    }
}

static void add_range(const char *table, struct strbuf *out)
{
    strbuf_addf(out,
                " FROM ONLY %s AS pgfsm_row WHERE pgfsm_row.ctid OPERATOR(pg_catalog.>=) "
                "pg_catalog.format('(%%s,0)', (p.k OPERATOR(pg_catalog.-) 1) "
                "OPERATOR(pg_catalog.*) %d)::pg_catalog.tid "
                "AND pgfsm_row.ctid OPERATOR(pg_catalog.<) "
                "pg_catalog.format('(%%s,0)', p.k OPERATOR(pg_catalog.*) %d)::pg_catalog.tid",
                table, BLOCKS_OF_RANGE, BLOCKS_OF_RANGE);
}

void large_look_sql(const char *table, const char *oid, struct strbuf *out)
{
    strbuf_adds(out, "SELECT p.k, (SELECT pg_catalog.array_agg(pgfsm_row.ctid)");
    add_range(table, out);
    strbuf_adds(out, "), f.file FROM pg_catalog.unnest($1::pg_catalog.int8[]) WITH ORDINALITY AS "
                     "p (n, k), ");
    strbuf_addf(out,
                "(SELECT pg_catalog.pg_relation_filenode(%s)::pg_catalog.text OFFSET 0) AS f "
                "(file) WHERE f.file OPERATOR(pg_catalog.<>) $2::pg_catalog.text "
                "OR p.n OPERATOR(pg_catalog.<>) (SELECT pg_catalog.count(*)",
                oid);
    add_range(table, out);
    strbuf_addc(out, ')');
}

const char *large_counts(struct large *large)
{
    struct strbuf *out = &large->counts;
    strbuf_clear(out);
    for (size_t i = 0; i < large->ranges.count; i++) {
        strbuf_addf(out, "%s%zu", i ? "," : "{", large->ranges.items[i].rows.count);
    }
    strbuf_adds(out, large->ranges.count ? "}" : "{}");
    return strbuf_text(out);
}

const char *large_file(const struct large *large) { return large->file; }

static int compare_places(const void *a, const void *b)
{
    const place *left = a;
    const place *right = b;
    return (*left > *right) - (*left < *right);
}

static int compare_rows(const void *a, const void *b)
{
    const uint32_t *left = a;
    const uint32_t *right = b;
    return (*left > *right) - (*left < *right);
}

static void sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1) {
        qsort(items, count, size, compare);
    }
}

/* False if there are rows that should not be. */
static bool compare_range(struct large *large, struct range *range, const char *found)
{
    size_t kept = 0;
    large->found.count = 0;
    for (place at; next_place(&found, &at);) {
        *VEC_PUSH(&large->arena, &large->found) = at;
    }
    sort(large->found.items, large->found.count, sizeof(place), compare_places);
    for (size_t i = 0; i < range->rows.count; i++) {
        uint32_t row = range->rows.items[i];
        if (large->found.count && bsearch(&large->places[row], large->found.items,
                                          large->found.count, sizeof(place), compare_places)) {
            range->rows.items[kept++] = row;
        } else {
            *VEC_PUSH(&large->arena, &large->missing) = row;
        }
    }
    range->rows.count = kept;
    return kept == large->found.count;
}

/* A file with rows of the mark in it is one that they were moved to. */
bool large_compare(struct large *large, const PGresult *looked)
{
    bool same = PQresultStatus(looked) == PGRES_TUPLES_OK;
    large->missing.count = 0;
    for (int i = 0; i < PQntuples(looked) && same; i++) {
        size_t range = (size_t)strtoull(PQgetvalue(looked, i, 0), NULL, 10) - 1;
        const char *file = PQgetvalue(looked, i, 2);
        same = range < large->ranges.count &&
               compare_range(large, &large->ranges.items[range], PQgetvalue(looked, i, 1)) &&
               (large->found.count == 0 || strcmp(file, large->file) == 0);
    }
    if (same && PQntuples(looked) > 0) {
        note_file(large, PQgetvalue(looked, 0, 2));
    }
    sort(large->missing.items, large->missing.count, sizeof(uint32_t), compare_rows);
    return same;
}

size_t large_missing(const struct large *large) { return large->missing.count; }

void large_texts(const struct large *large, struct text_array *out)
{
    for (size_t i = 0; i < large->missing.count; i++) {
        int row = (int)large->missing.items[i];
        text_array_add(out, PQgetvalue(large->rows, row, 1),
                       (size_t)PQgetlength(large->rows, row, 1));
    }
}

bool large_back(struct large *large, const PGresult *inserted)
{
    if ((size_t)PQntuples(inserted) != large->missing.count) {
        return false;
    }
    for (size_t i = 0; i < large->missing.count; i++) {
        const char *text = PQgetvalue(inserted, (int)i, 0);
        place at = 0;
        if (!next_place(&text, &at)) {
            return false;
        }
        put_row(large, large->missing.items[i], at);
    }
    large->missing.count = 0;
    return true;
}
