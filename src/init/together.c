#include "init/together.h"

#include "init/model.h"
#include "init/template.h"
#include "init/writer.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

/* One statement, so that even foreign keys that are not deferred hold at its end. */
static const char together_rule[] = "  insert_together_$variable:\n"
                                    "    weight: 4 if len($variable) < 3 else 1\n"
                                    "    args:\n"
                                    "      $args\n"
                                    "      few: booleans()\n"
                                    "      all: booleans()\n"
                                    "    let: {rows: '$rows'}\n"
                                    "    sql: |\n"
                                    "      WITH $inserts\n"
                                    "      $inserted$end\n"
                                    "      $reread\n"
                                    "    raises: 'db.inserting_all(rows)'\n"
                                    "    model: '$model'\n";

static bool must_refer(const struct table_plan *table, struct value reference)
{
    struct items columns = fact_list(reference, "columns");
    bool must = true;
    for (size_t i = 0; must && i < columns.count; i++) {
        must = fact_is(plan_column(table, value_cstr(columns.items[i])), "required");
    }
    return must;
}

static size_t parent_of(const struct plan *plan, struct value reference)
{
    return (size_t)(plan_table(plan, fact_text(reference, "parent")) - plan->tables.items);
}

/* Finds the tables that rows of the table need, directly or through others. */
static void find_needed(const struct plan *plan, size_t table, bool *needed)
{
    VEC(size_t) open = {0};
    *VEC_PUSH(plan->arena, &open) = table;
    for (size_t i = 0; i < open.count; i++) {
        const struct table_plan *at = &plan->tables.items[open.items[i]];
        struct items references = fact_list(at->facts, "references");
        for (size_t j = 0; j < references.count; j++) {
            size_t parent = parent_of(plan, references.items[j]);
            if (must_refer(at, references.items[j]) && !needed[parent]) {
                needed[parent] = true;
                *VEC_PUSH(plan->arena, &open) = parent;
            }
        }
    }
}

static bool is_with(const struct plan *plan, const struct table_plan *table, struct value reference)
{
    return table->together &&
           plan->tables.items[parent_of(plan, reference)].together == table->together;
}

/* True if the rule may choose every number with a sequence, and the rest is drawn. */
static bool can_give(const struct table_plan *table, struct items columns)
{
    const struct writer writer = {.table = table};
    bool can = true;
    for (size_t i = 0; i < columns.count; i++) {
        struct value column = plan_column(table, value_cstr(columns.items[i]));
        const char *base = fact_text(column, "base");
        can = can && is_given(&writer, column) &&
              (!fact_is(column, "counted") || (base && strncmp(base, "int", 3) == 0));
    }
    return can;
}

/* True if the rule can set every column of the table that it has to know. */
static bool can_insert(const struct plan *plan, const struct table_plan *table)
{
    struct items references = fact_list(table->facts, "references");
    bool can = !table->why_not;
    for (size_t i = 0; can && i < references.count; i++) {
        if (is_with(plan, table, references.items[i]) && must_refer(table, references.items[i])) {
            can = can_give(table, fact_list(references.items[i], "columns")) &&
                  can_give(&plan->tables.items[parent_of(plan, references.items[i])],
                           fact_list(references.items[i], "parent_columns"));
        }
    }
    return can;
}

void together_find(struct plan *plan)
{
    size_t count = plan->tables.count;
    bool *all = ARENA_ARRAY(plan->arena, bool, count *count + 1);
    for (size_t i = 0; i < count; i++) {
        find_needed(plan, i, all + i * count);
    }
    for (size_t i = 0; i < count; i++) {
        bool can = all[i * count + i] && !plan->tables.items[i].together;
        for (size_t j = i; can && j < count; j++) {
            if (all[i * count + j] && all[j * count + i]) {
                plan->tables.items[j].together = i + 1;
            }
        }
        for (size_t j = i; can && j < count; j++) {
            can =
                plan->tables.items[j].together != i + 1 || can_insert(plan, &plan->tables.items[j]);
        }
        for (size_t j = i; !can && j < count; j++) {
            size_t *together = &plan->tables.items[j].together;
            *together = *together == i + 1 ? SIZE_MAX : *together; /* not tried again */
        }
    }
    for (size_t i = 0; i < count; i++) {
        size_t *together = &plan->tables.items[i].together;
        *together = *together == SIZE_MAX ? 0 : *together;
    }
}

/* The next table of the group, from `index` on; SIZE_MAX if there is none. */
static size_t next_with(const struct plan *plan, const struct table_plan *table, size_t index)
{
    while (index < plan->tables.count && plan->tables.items[index].together != table->together) {
        index++;
    }
    return index < plan->tables.count ? index : SIZE_MAX;
}

/* True if the column also refers to existing rows. */
static bool refers_elsewhere(const struct writer *writer, const char *column)
{
    struct items references = fact_list(writer->table->facts, "references");
    bool does = false;
    for (size_t i = 0; i < references.count; i++) {
        does = does || (!is_with(writer->plan, writer->table, references.items[i]) &&
                        fact_has(fact_list(references.items[i], "columns"), column));
    }
    return does;
}

/* A column of one of the tables. */
struct place {
    const struct table_plan *table;
    const char *column;
};

/* Finds the column that this one copies its value from; false if there is none. */
static bool find_source(const struct plan *plan, struct place *place)
{
    struct items references = fact_list(place->table->facts, "references");
    for (size_t i = 0; i < references.count; i++) {
        struct items columns = fact_list(references.items[i], "columns");
        struct items parents = fact_list(references.items[i], "parent_columns");
        for (size_t j = 0; j < columns.count && must_refer(place->table, references.items[i]) &&
                           is_with(plan, place->table, references.items[i]);
             j++) {
            if (value_is_string(columns.items[j], place->column)) {
                *place = (struct place){&plan->tables.items[parent_of(plan, references.items[i])],
                                        value_cstr(parents.items[j])};
                return true;
            }
        }
    }
    return false;
}

/* True if the value would be copied from itself, through keys that contain foreign keys. Then the
 * first of these tables draws it. */
static bool comes_back(const struct writer *writer, const char *column)
{
    struct place place = {writer->table, column};
    for (size_t i = 0; i <= writer->plan->tables.count; i++) {
        if (!find_source(writer->plan, &place) || place.table < writer->table) {
            return false;
        }
        if (place.table == writer->table && strcmp(place.column, column) == 0) {
            return true;
        }
    }
    return false;
}

/* Columns whose values come from the other rows. */
static bool is_linked(const struct writer *writer, struct value column)
{
    const char *name = fact_text(column, "name");
    struct items references = fact_list(writer->table->facts, "references");
    bool is = false;
    for (size_t i = 0; i < references.count; i++) {
        is = is || (is_with(writer->plan, writer->table, references.items[i]) &&
                    must_refer(writer->table, references.items[i]) &&
                    fact_has(fact_list(references.items[i], "columns"), name));
    }
    return is && !refers_elsewhere(writer, name);
}

/* Finds columns with a sequence that the other rows refer to. */
static struct items find_counted(const struct plan *plan, const struct table_plan *table)
{
    struct value out = value_list(plan->arena);
    for (size_t i = next_with(plan, table, 0); i != SIZE_MAX; i = next_with(plan, table, i + 1)) {
        const struct table_plan *other = &plan->tables.items[i];
        struct items references = fact_list(other->facts, "references");
        for (size_t j = 0; j < references.count; j++) {
            struct items columns = fact_list(references.items[j], "parent_columns");
            bool of_table = is_with(plan, other, references.items[j]) &&
                            &plan->tables.items[parent_of(plan, references.items[j])] == table;
            for (size_t k = 0; of_table && k < columns.count; k++) {
                const char *name = value_cstr(columns.items[k]);
                if (fact_is(plan_column(table, name), "counted") &&
                    !fact_has(value_items(out), name)) {
                    list_append(out.as.list, columns.items[k]);
                }
            }
        }
    }
    return value_items(out);
}

/* A strategy for the row, including numbers that no sequence gives, and values that would be copied
 * from themselves. */
static const char *new_row(const struct writer *writer)
{
    struct arena *arena = writer->arena;
    struct strbuf names = {0};
    struct strbuf strategies = {0};
    const char *without = columns_text(writer, is_linked, "", "");
    const char *row = strategy_without(writer, without ? without : "");
    for (size_t i = 0; i < writer->columns.count; i++) {
        const char *name = fact_text(writer->columns.items[i], "name");
        const char *any = fact_has(writer->also, name) ? "integers(-30000, -1)"
                          : is_linked(writer, writer->columns.items[i]) && comes_back(writer, name)
                              ? pgtype_named(fact_text(writer->columns.items[i], "base"))->strategy
                              : NULL;
        if (any) {
            strbuf_addf(&names, "%s%s", names.size ? ", " : "",
                        literal(arena, fact_value(writer->columns.items[i], "name")));
            strbuf_addf(&strategies, ", %s", any);
        }
    }
    row = names.size ? arena_printf(arena, "builds(lambda row, *v: row | dict(zip([%s], v)), %s%s)",
                                    strbuf_text(&names), row, strbuf_text(&strategies))
                     : row;
    strbuf_free(&names);
    strbuf_free(&strategies);
    return in_quotes(arena, row);
}

/* Columns that the statement gives. */
static bool is_inserted(const struct writer *writer, struct value column)
{
    return is_drawn_or_also(writer, column);
}

static const char *insert_of(const struct writer *writer, size_t number)
{
    static const char text[] =
        "i$number AS (\n"
        "    INSERT INTO $table AS t ($columns)$overriding\n"
        "    SELECT $columns FROM jsonb_populate_record(NULL::$type, CAST(:rows AS jsonb) -> "
        "$quoted)\n"
        "    RETURNING $row)";
    const struct hole holes[] = {
        {"number", arena_printf(writer->arena, "%zu", number)},
        {"table", writer->table->sql},
        {"columns", columns_text(writer, is_inserted, "sql", "")},
        {"overriding", writer->also.count > 0 ? " OVERRIDING SYSTEM VALUE" : ""},
        {"type", writer->table->type},
        {"quoted", fact_text(writer->table->facts, "quoted")},
        {"row", returned_row(writer->arena, writer->table)},
        {0}};
    return template_text(writer->arena, text, holes);
}

/* The parts of the rule. */
struct parts {
    struct strbuf args, rows, inserts, inserted, reread;
    struct value names; /* a list of the tables that are read again */
};

static void add_reread(const struct plan *plan, struct value name, struct parts *parts)
{
    if (!fact_has(value_items(parts->names), value_cstr(name))) {
        list_append(parts->names.as.list, name);
        strbuf_addf(&parts->reread, "%s%s", parts->reread.size ? "\nUNION ALL " : "",
                    rows_query(plan->arena, plan_table(plan, value_cstr(name))));
    }
}

static void add_part(const struct writer *writer, size_t number, struct parts *parts)
{
    struct items reread = fact_list(writer->table->facts, "reread");
    const char *between = number ? ", " : "";
    strbuf_addf(&parts->args, "%snew_%zu: '%s'", number ? "\n" : "", number, new_row(writer));
    strbuf_addf(&parts->rows, "%s%s: new_%zu", between, table_literal(writer), number);
    strbuf_addf(&parts->inserts, "%s%s", between, insert_of(writer, number));
    strbuf_addf(&parts->inserted, "%sSELECT * FROM i%zu", number ? " UNION ALL " : "", number);
    for (size_t i = 0; i < reread.count; i++) {
        add_reread(writer->plan, reread.items[i], parts);
    }
}

/* Reads the rows again if triggers may have changed them. */
static void reread_rows(const struct plan *plan, const struct table_plan *table,
                        struct parts *parts)
{
    for (size_t i = next_with(plan, table, 0); i != SIZE_MAX; i = next_with(plan, table, i + 1)) {
        add_reread(plan, fact_value(plan->tables.items[i].facts, "name"), parts);
    }
}

void together_add(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    struct parts parts = {.names = value_list(plan->arena)};
    size_t number = 0;
    if (table->together != (size_t)(table - plan->tables.items) + 1) {
        return;
    }
    for (size_t i = next_with(plan, table, 0); i != SIZE_MAX; i = next_with(plan, table, i + 1)) {
        struct writer writer = writer_for(plan, &plan->tables.items[i], out);
        writer.also = find_counted(plan, writer.table);
        add_part(&writer, number++, &parts);
    }
    if (parts.reread.size) {
        reread_rows(plan, table, &parts);
    }
    const char *rows =
        arena_printf(plan->arena, "db.linked({%s}, few, all)", strbuf_text(&parts.rows));
    const char *model = parts.reread.size ? arena_printf(plan->arena, "db.read(result.rows, %s)",
                                                         literal(plan->arena, parts.names))
                                          : "db.read(result.rows)";
    const struct hole holes[] = {{"variable", table->variable},
                                 {"args", strbuf_text(&parts.args)},
                                 {"rows", in_quotes(plan->arena, rows)},
                                 {"inserts", strbuf_text(&parts.inserts)},
                                 {"inserted", strbuf_text(&parts.inserted)},
                                 {"end", parts.reread.size ? ";" : ""},
                                 {"reread", parts.reread.size ? strbuf_text(&parts.reread) : NULL},
                                 {"model", in_quotes(plan->arena, model)},
                                 {0}};
    template_add(out, together_rule, holes);
    strbuf_free(&parts.args);
    strbuf_free(&parts.rows);
    strbuf_free(&parts.inserts);
    strbuf_free(&parts.inserted);
    strbuf_free(&parts.reread);
}
