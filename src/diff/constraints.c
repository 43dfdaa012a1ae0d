#include "diff/constraints.h"

#include <string.h>

/* Schema, table, constraint, and what they are of a partitioned table. A unique index counts, too:
 * the server names it in errors as it does a constraint. A partition itself has no name of one. It
 * runs with the schema's search_path, which may lead to other operators: so it names its own. */
#define IS "OPERATOR(pg_catalog.=)"
#define IS_NOT "OPERATOR(pg_catalog.<>)"
static const char query[] =
    "SELECT n.nspname::pg_catalog.text, c.relname::pg_catalog.text, k.name::pg_catalog.text,"
    " m.nspname::pg_catalog.text, r.relname::pg_catalog.text, k.root::pg_catalog.text"
    " FROM (SELECT x.indrelid AS relation, i.relname AS name, j.relname AS root"
    " FROM pg_catalog.pg_index AS x JOIN pg_catalog.pg_class AS i ON i.oid " IS " x.indexrelid"
    " JOIN pg_catalog.pg_class AS j"
    " ON j.oid " IS " COALESCE(pg_catalog.pg_partition_root(i.oid)::pg_catalog.oid, i.oid)"
    " WHERE x.indisunique OR x.indisexclusion"
    " UNION SELECT conrelid, conname, conname FROM pg_catalog.pg_constraint"
    " WHERE contype " IS_NOT " ALL ('{p,u,x}'::pg_catalog.\"char\"[])"
    " UNION SELECT oid, '', '' FROM pg_catalog.pg_class"
    " WHERE relispartition AND relkind " IS_NOT " 'i'::pg_catalog.\"char\") AS k"
    " JOIN pg_catalog.pg_class AS c ON c.oid " IS " k.relation"
    " JOIN pg_catalog.pg_class AS r"
    " ON r.oid " IS " COALESCE(pg_catalog.pg_partition_root(c.oid)::pg_catalog.oid, c.oid)"
    " JOIN pg_catalog.pg_namespace AS n ON n.oid " IS " c.relnamespace"
    " JOIN pg_catalog.pg_namespace AS m ON m.oid " IS " r.relnamespace"
    " WHERE n.nspname OPERATOR(pg_catalog.!~) '^pg_' AND n.nspname " IS_NOT " 'information_schema'"
    " ORDER BY n.nspname COLLATE pg_catalog.\"C\", c.relname COLLATE pg_catalog.\"C\","
    " k.name COLLATE pg_catalog.\"C\"";
#undef IS
#undef IS_NOT

enum {
    COLUMN_SCHEMA,
    COLUMN_TABLE,
    COLUMN_NAME,
    COLUMN_ROOT_SCHEMA,
    COLUMN_ROOT_TABLE,
    COLUMN_ROOT,
};

static const char *cell(const struct answer *answer, size_t row, size_t column)
{
    return answer->rows[row].as.tuple->items[column].as.string->data;
}

static int compare_rows(const struct answer *before, size_t i, const struct answer *after, size_t k)
{
    int order = 0;
    for (size_t column = COLUMN_SCHEMA; order == 0 && column <= COLUMN_NAME; column++) {
        order = strcmp(cell(before, i, column), cell(after, k, column));
    }
    return order;
}

static struct constraint_name name_at(const struct answer *answer, size_t row, size_t column)
{
    return (struct constraint_name){cell(answer, row, column), cell(answer, row, column + 1),
                                    cell(answer, row, column + 2)};
}

const char *constraint_table(struct arena *arena, struct constraint_name name)
{
    bool plain = name.schema == NULL || strcmp(name.schema, "public") == 0;
    return plain || name.table == NULL ? name.table
                                       : arena_printf(arena, "%s.%s", name.schema, name.table);
}

/* Both are sorted. */
static void note_shared(struct arena *arena, const struct answer *before,
                        const struct answer *after, struct natures *natures)
{
    size_t k = 0;
    for (size_t i = 0; i < before->row_count; i++) {
        while (k < after->row_count && compare_rows(before, i, after, k) > 0) {
            k++;
        }
        if (k < after->row_count && compare_rows(before, i, after, k) == 0) {
            const struct constraint_name at = name_at(before, i, COLUMN_SCHEMA);
            (void)natures_rename(natures, constraint_table(arena, at), at.name, at.name);
        }
    }
}

static void add_partitions(struct arena *arena, const struct answer *answer,
                           struct constraints *out)
{
    for (size_t i = 0; i < answer->row_count; i++) {
        const struct constraint_name of = name_at(answer, i, COLUMN_SCHEMA);
        const struct constraint_name root = name_at(answer, i, COLUMN_ROOT_SCHEMA);
        if (strcmp(of.table, root.table) != 0 || strcmp(of.schema, root.schema) != 0) {
            *VEC_PUSH(arena, &out->partitions) = (struct partition_constraint){of, root};
        }
    }
}

bool constraints_find(struct arena *arena, struct backend *const backends[2],
                      struct natures *natures, struct constraints *out, struct error *err)
{
    backend_ticket tickets[2];
    struct answer answers[2];
    const char *const sql[] = {query};
    const struct backend_queries reads = {sql, 1, NULL};
    *out = (struct constraints){0};
    for (size_t i = 0; i < 2; i++) {
        if (!backends[i]->ops->queue_reads(backends[i], &reads, &tickets[i], err)) {
            return false;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        if (!backends[i]->ops->take(backends[i], tickets[i], arena, &answers[i], err)) {
            return false;
        }
    }
    if (answers[0].status == ANSWER_OK && answers[1].status == ANSWER_OK) {
        note_shared(arena, &answers[0], &answers[1], natures);
        add_partitions(arena, &answers[0], out);
        add_partitions(arena, &answers[1], out);
    }
    return true;
}

struct constraint_name constraints_root(const struct constraints *constraints,
                                        struct constraint_name name)
{
    for (size_t i = 0; constraints && name.table && i < constraints->partitions.count; i++) {
        const struct partition_constraint *at = &constraints->partitions.items[i];
        if (strcmp(at->of.table, name.table) == 0 &&
            (!name.schema || !at->of.schema || strcmp(at->of.schema, name.schema) == 0) &&
            strcmp(at->of.name, name.name ? name.name : "") == 0) {
            return (struct constraint_name){at->root.schema, at->root.table,
                                            name.name ? at->root.name : NULL};
        }
    }
    return name;
}
