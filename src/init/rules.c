#include "init/rules.h"

#include "init/model.h"
#include "init/template.h"
#include "init/together.h"
#include "init/writer.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

/* The template of three rules: insert the drawn row, copy unique columns from another row, or leave
 * columns to their defaults. */
static const char insert_rule[] = "  $rule:\n"
                                  "    weight: $weight\n"
                                  "    args:\n"
                                  "      $args\n"
                                  "    let: {new: '$new'}\n"
                                  "    sql: |\n"
                                  "      INSERT INTO $table AS t $source$end\n"
                                  "      RETURNING $row AS row\n"
                                  "      $reread\n"
                                  "    raises: 'db.inserting($name, new)'\n"
                                  "    check: '$check'\n"
                                  "    model: '$model'\n";

static const char update_rule[] =
    "  update_$variable:\n"
    "    args:\n"
    "      $to\n"
    "      columns: '$chosen'\n"
    "      $like\n"
    "      same: '$same'\n"
    "      key: '$one'\n"
    "    let: {change: '$change'$lets}\n"
    "    sql: |\n"
    "      UPDATE $source AS t SET ($columns) =\n"
    "        (SELECT $new_columns FROM jsonb_populate_record(t.*, :change) AS new)\n"
    "      WHERE $where$end\n"
    "      RETURNING $row\n"
    "      $reread\n"
    "    raises: 'db.updating($name, key, change)'\n"
    "    affects: $affects\n"
    "    check: '$check'\n"
    "    model: |\n"
    "      $model\n";

static const char delete_rule[] = "  delete_$variable:\n"
                                  "    weight: $weight\n"
                                  "    args: {key: '$one'}\n"
                                  "    let: {$lets}\n"
                                  "    sql: |\n"
                                  "      DELETE FROM $source AS t WHERE $where$end\n"
                                  "      $reread\n"
                                  "    raises: 'db.deleting($name, key)'\n"
                                  "    affects: $affects\n"
                                  "    check: '$check'\n"
                                  "    model: |\n"
                                  "      $model\n";

/* Columns that triggers always set must not keep the given values. */
static const char overwritten_rule[] =
    "  update_overwritten_$variable:\n"
    "    weight: 0.5\n"
    "    args: {key: $variable}\n"
    "    let: {$lets}\n"
    "    sql: |\n"
    "      UPDATE $source AS t SET $given WHERE $where;\n"
    "      $rows\n"
    "      UNION ALL SELECT '', '[]', to_jsonb(array_remove(ARRAY[$kept], NULL)) FROM $source AS "
    "t\n"
    "        WHERE $where\n"
    "    raises: 'db.updating($name, key, {})'\n"
    "    check: 'all([r[2] == [] for r in result.rows if r[0] == \"\"])'\n"
    "    model: 'db.read([r for r in result.rows if r[0] != \"\"], $names)'\n";

/* Reads the tables that triggers may have changed, and the table itself if `also`. NULL if there is
 * nothing to read. */
static const char *reread_query(const struct writer *writer, bool also)
{
    struct items names = fact_list(writer->table->facts, "reread");
    struct strbuf out = {0};
    if (!writer->rereads) {
        return NULL;
    }
    for (size_t i = 0; i < names.count; i++) {
        const struct table_plan *table = plan_table(writer->plan, value_cstr(names.items[i]));
        also = also && table != writer->table;
        strbuf_addf(&out, "%s%s", i ? "\nUNION ALL " : "", rows_query(writer->arena, table));
    }
    if (also) {
        strbuf_addf(&out, "\nUNION ALL %s", rows_query(writer->arena, writer->table));
    }
    return strbuf_take(&out, writer->arena);
}

/* The tables that the query reads completely. */
static const char *reread_names(const struct writer *writer, bool also)
{
    struct items names = fact_list(writer->table->facts, "reread");
    struct value name = fact_value(writer->table->facts, "name");
    struct strbuf out = {0};
    for (size_t i = 0; i < names.count; i++) {
        strbuf_addf(&out, "%s%s", i ? ", " : "", literal(writer->arena, names.items[i]));
        also = also && !value_equal(names.items[i], name);
    }
    if (also) {
        strbuf_addf(&out, ", %s", literal(writer->arena, name));
    }
    const char *text = arena_printf(writer->arena, "[%s]", strbuf_text(&out));
    strbuf_free(&out);
    return text;
}

/* The model's update after a statement: reads the changes of triggers, or otherwise does `plain`,
 * if there is any. */
static const char *model_after(const struct writer *writer, const char *plain, bool also)
{
    return writer->rereads
               ? arena_printf(writer->arena, "db.read(result.rows, %s)", reread_names(writer, also))
               : plain;
}

struct insert {
    const char *rule, *weight, *args, *row, *check;
    /* The columns that it gives. */
    bool (*given)(const struct writer *writer, struct value column);
    bool overriding; /* also those that are GENERATED ALWAYS AS IDENTITY */
};

static const char *insert_source(const struct writer *writer, const struct insert *insert)
{
    const char *columns = columns_text(writer, insert->given, "sql", "");
    return columns ? arena_printf(writer->arena,
                                  "(%s)%s\n"
                                  "SELECT %s FROM jsonb_populate_record(NULL::%s, :new)",
                                  columns, insert->overriding ? " OVERRIDING SYSTEM VALUE" : "",
                                  columns, writer->table->type)
                   : "DEFAULT VALUES";
}

/* A check that triggers have added rows to other tables. NULL if no trigger always does. */
static const char *check_growth(const struct writer *writer, const char *event)
{
    struct value grows = fact_value(writer->table->facts, "grows");
    struct items names =
        grows.type == VALUE_DICT ? fact_list(grows, event) : (struct items){NULL, 0};
    struct strbuf out = {0};
    for (size_t i = 0; i < names.count; i++) {
        const struct table_plan *table = plan_table(writer->plan, value_cstr(names.items[i]));
        if (table && fact_has(fact_list(writer->table->facts, "reread"), table->name)) {
            strbuf_addf(&out, "%slen([r for r in result.rows if r[0] == %s]) > len(%s)",
                        out.size ? " and " : "", literal(writer->arena, names.items[i]),
                        table->variable);
        }
    }
    return out.size ? strbuf_take(&out, writer->arena) : NULL;
}

/* Both checks, or the only one. */
static const char *check_both(const struct writer *writer, const char *one, const char *other)
{
    const char *both = one && other ? arena_printf(writer->arena, "%s and %s", one, other)
                       : one        ? one
                                    : other;
    return both ? in_quotes(writer->arena, both) : NULL;
}

static void add_insert(const struct writer *writer, const struct insert *insert)
{
    bool rereads = writer->rereads;
    const char *name = arena_printf(writer->arena, "%s_%s", insert->rule, writer->table->variable);
    const struct hole holes[] = {
        {"rule", name},
        {"weight", insert->weight},
        {"args", insert->args},
        {"new", insert->row ? in_quotes(writer->arena, insert->row) : NULL},
        {"table", writer->table->sql},
        {"source", insert_source(writer, insert)},
        {"end", rereads ? ";" : ""},
        {"row", rereads ? NULL : row_expression(writer->arena, writer->table)},
        {"reread", reread_query(writer, true)},
        {"name", in_quotes(writer->arena, table_literal(writer))},
        {"check", check_both(writer, insert->check, check_growth(writer, "insert"))},
        {"model", in_quotes(writer->arena,
                            model_after(writer,
                                        arena_printf(writer->arena, "db.insert(%s, result.value)",
                                                     table_literal(writer)),
                                        true))},
        {0}};
    template_add(writer->out, insert_rule, holes);
}

/* True if a row can set all columns of the unique constraint and, with `counts`, one of them has a
 * sequence. */
static bool can_repeat(const struct writer *writer, struct items touched, bool *counts)
{
    bool given = touched.count > 0;
    *counts = false;
    for (size_t i = 0; i < touched.count; i++) {
        struct value column = plan_column(writer->table, value_cstr(touched.items[i]));
        given = given && is_given(writer, column) && !fact_is(column, "triggered");
        *counts = *counts || !is_drawn(writer, column);
    }
    return given;
}

/* The columns that a copy keeps: for each unique constraint its columns, if all are drawn. */
static const char *repeated(const struct writer *writer)
{
    struct items uniques = fact_list(writer->table->facts, "uniques");
    struct strbuf out = {0};
    for (size_t i = 0; i < uniques.count; i++) {
        bool counts;
        if (can_repeat(writer, fact_list(uniques.items[i], "touched"), &counts) && !counts) {
            strbuf_addf(&out, "%s%s", out.size ? ", " : "",
                        literal(writer->arena, fact_value(uniques.items[i], "touched")));
        }
    }
    const char *text =
        out.size ? arena_printf(writer->arena, "sampled_from([%s])", strbuf_text(&out)) : NULL;
    strbuf_free(&out);
    return text;
}

/* One row in four copies unique columns from another row. */
static const char *like_arg(const struct writer *writer)
{
    return arena_printf(writer->arena, "like: one_of(none(), none(), none(), %s)",
                        writer->table->variable);
}

static const char *copied(const struct writer *writer)
{
    return arena_printf(writer->arena, " | {c: %s[like][c] for c in same if like != None}",
                        writer->table->variable);
}

static bool is_defaulted(const struct writer *writer, struct value column)
{
    return is_drawn(writer, column) && fact_is(column, "defaulted");
}

static bool is_left(const struct writer *writer, struct value column)
{
    return is_drawn(writer, column) && !is_defaulted(writer, column);
}

/* The defaults that are constants: "{"done": False}". */
static const char *constants(const struct writer *writer)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < writer->columns.count; i++) {
        struct value column = writer->columns.items[i];
        struct value constant = fact_value(column, "default");
        if (is_defaulted(writer, column) && constant.type != VALUE_NONE) {
            strbuf_addf(&out, "%s%s: %s", out.size ? ", " : "",
                        literal(writer->arena, fact_value(column, "name")),
                        literal(writer->arena, constant));
        }
    }
    return out.size ? strbuf_take(&out, writer->arena) : NULL;
}

/* Columns whose default is not a constant, but never NULL. */
static bool is_filled(const struct writer *writer, struct value column)
{
    return is_defaulted(writer, column) && fact_is(column, "filled") &&
           fact_value(column, "default").type == VALUE_NONE;
}

/* The rows that an insert made. NULL if triggers may have changed them, or added others. */
static const char *new_rows(const struct writer *writer)
{
    const char *name = fact_text(writer->table->facts, "name");
    const char *variable = writer->table->variable;
    if (!writer->rereads) {
        return "[result.value]";
    }
    if (writer->key.count == 0 || fact_has(fact_list(writer->table->facts, "reread"), name)) {
        return NULL;
    }
    return arena_printf(writer->arena, "[r[2] for r in result.rows if r[0] == %s and %s not in %s]",
                        table_literal(writer), writer->key.count == 1 ? "r[1][0]" : "tuple(r[1])",
                        variable);
}

/* A check that the columns missing in a row have their defaults. NULL if they are unknown. */
static const char *check_defaults(const struct writer *writer, const char *values)
{
    const char *filled = columns_text(writer, is_filled, "", "");
    const char *rows = new_rows(writer);
    if (!rows || (!values && !filled)) {
        return NULL;
    }
    const char *constant = values ? arena_printf(writer->arena,
                                                 "all([r[c] == v for r in %s for c, v in "
                                                 "{%s}.items()])",
                                                 rows, values)
                                  : "";
    const char *given =
        filled ? arena_printf(writer->arena, "all([r[c] != None for r in %s for c in [%s]])", rows,
                              filled)
               : "";
    return arena_printf(writer->arena, "%s%s%s", constant, values && filled ? " and " : "", given);
}

/* Adds a rule for rows without the columns that have a default. */
static void add_default(const struct writer *writer)
{
    struct arena *arena = writer->arena;
    const char *names = columns_text(writer, is_defaulted, "", "");
    const char *values = constants(writer);
    if (!names) {
        return;
    }
    const char *row = arena_printf(arena, "{c: v for c, v in row.items() if c not in [%s]}", names);
    const struct insert insert = {
        .rule = "insert_default",
        .weight = "0.5",
        .args = row_arg(writer, "row"),
        .row = values ? arena_printf(arena, "%s | {%s}", row, values) : row,
        .check = check_defaults(writer, values),
        .given = is_left,
    };
    add_insert(writer, &insert);
}

/* Adds, for each column with a sequence, a rule for rows with NULL there. */
static void add_nulls(const struct writer *writer)
{
    for (size_t i = 0; i < writer->columns.count; i++) {
        struct value name = fact_value(writer->columns.items[i], "name");
        struct writer with_null = *writer;
        with_null.also = (struct items){.items = &name, .count = 1};
        if (fact_is(writer->columns.items[i], "unasked")) {
            const struct insert insert = {
                .rule = arena_printf(writer->arena, "insert_null_%s_into",
                                     identifier(writer->arena, value_cstr(name))),
                .weight = "0.2",
                .args = row_arg(writer, "row"),
                .row =
                    arena_printf(writer->arena, "row | {%s: None}", literal(writer->arena, name)),
                .given = is_drawn_or_also,
            };
            add_insert(&with_null, &insert);
        }
    }
}

/* Adds, for each unique constraint over columns with a sequence, a rule for rows that repeat them.
 */
static void add_again(const struct writer *writer)
{
    struct items uniques = fact_list(writer->table->facts, "uniques");
    for (size_t i = 0, number = 1; i < uniques.count; i++) {
        struct value touched = fact_value(uniques.items[i], "touched");
        struct writer again = *writer;
        bool counts;
        again.also = value_items(touched);
        if (can_repeat(writer, again.also, &counts) && counts) {
            const struct insert insert = {
                .rule = number > 1 ? arena_printf(writer->arena, "insert_again_%zu", number)
                                   : "insert_again",
                .weight = "0.3",
                .args = arena_printf(writer->arena, "%s\nlike: %s", row_arg(writer, "row"),
                                     writer->table->variable),
                .row = arena_printf(writer->arena, "row | {c: %s[like][c] for c in %s}",
                                    writer->table->variable, literal(writer->arena, touched)),
                .given = is_drawn_or_also,
                .overriding = true,
            };
            add_insert(&again, &insert);
            number++;
        }
    }
}

static void add_inserts(const struct writer *writer)
{
    struct arena *arena = writer->arena;
    const char *same = repeated(writer);
    const char *row = row_arg(writer, "row");
    /* Others need rows to refer to. */
    struct insert plain = {
        .rule = "insert",
        .weight = arena_printf(arena, "4 if not %s else 2 if len(%s) < 4 else 0.7",
                               writer->table->variable, writer->table->variable),
        .given = is_drawn,
    };
    plain.args = same ? arena_printf(arena, "%s\n%s\nsame: '%s'", row, like_arg(writer),
                                     in_quotes(arena, same))
                      : row_arg(writer, "new");
    plain.row = same ? arena_printf(arena, "row%s", copied(writer)) : NULL;
    add_insert(writer, &plain);
    add_default(writer);
    add_nulls(writer);
    add_again(writer);
}

/* The statements contain the CHECKs, and the unique constraints that the model can't evaluate, so
 * that the server evaluates them: it must accept what they allow, and refuse the rest. The server
 * takes the first fitting row of several, each with two changes, because few single draws fit. */
static const char fitting_rule[] =
    "  insert_fitting_$variable:\n"
    "    weight: 4 if len($variable) < 3 else 0.5\n"
    "    args:\n"
    "      rows: 'lists($drawn, min_size=1, max_size=6)'\n"
    "      changes: 'lists($changes, min_size=1, max_size=8)'\n"
    "    sql: |\n"
    "      INSERT INTO $table AS t ($columns)\n"
    "      SELECT $fitting FROM jsonb_array_elements(:rows) WITH ORDINALITY AS r (v, n)\n"
    "      CROSS JOIN jsonb_array_elements(:changes) WITH ORDINALITY AS a (v, n)\n"
    "      CROSS JOIN jsonb_array_elements(:changes) WITH ORDINALITY AS b (v, n)\n"
    "      CROSS JOIN LATERAL (SELECT $columns\n"
    "        FROM jsonb_populate_record(NULL::$type, r.v || a.v || b.v) AS $alias\n"
    "        WHERE NOT ($broken)) AS fits\n"
    "      ORDER BY r.n, a.n, b.n LIMIT 1$end\n"
    "      RETURNING $returning\n"
    "      $reread\n"
    "    raises: '[None, $uniques, foreign_key_violation, not_null_violation, data_exception] + "
    "[e for e in db.may($name) if e not in [$errors]]'\n"
    "    model: 'db.read(result.rows, $names)'\n";

static const char unfit_rule[] = "  insert_unfit_$variable:\n"
                                 "    weight: $weight\n"
                                 "    args:\n"
                                 "      $new\n"
                                 "    sql: |\n"
                                 "      INSERT INTO $table AS t ($columns)\n"
                                 "      SELECT $columns FROM jsonb_populate_record(NULL::$type, "
                                 ":new) AS $alias\n"
                                 "      WHERE $broken\n"
                                 "    raises: '[None] + db.inserting($name, new)'\n"
                                 "    affects: 0\n";

/* True if a statement can evaluate the constraint: it gives all of its columns. */
static bool can_be_asked(const struct writer *writer, struct value check)
{
    bool is_check = fact_value(check, "touched").type == VALUE_NONE;
    struct items columns = fact_list(check, is_check ? "columns" : "touched");
    bool can = fact_text(check, "condition") && columns.count > 0;
    for (size_t i = 0; can && i < columns.count; i++) {
        struct value column = plan_column(writer->table, value_cstr(columns.items[i]));
        can = is_drawn(writer, column) && !fact_is(column, "triggered") &&
              !fact_is(column, "generated");
    }
    return can;
}

static void add_error(const struct writer *writer, struct value constraint, struct strbuf *out)
{
    const char *error = fact_text(constraint, "error");
    strbuf_addf(out, "%serror(%s, constraint=%s)", out->size ? ", " : "",
                error ? error : "check_violation",
                literal(writer->arena, fact_value(constraint, "name")));
}

/* Adds the constraints of a kind that the statement can evaluate: conditions of a violation, and
 * errors. */
static void add_asked(const struct writer *writer, const char *kind, struct strbuf *broken,
                      struct strbuf *errors)
{
    struct items constraints = fact_list(writer->table->facts, kind);
    for (size_t i = 0; i < constraints.count; i++) {
        if (can_be_asked(writer, constraints.items[i])) {
            strbuf_addf(broken, "%s(%s) IS FALSE", broken->size ? " OR " : "",
                        fact_text(constraints.items[i], "condition"));
            add_error(writer, constraints.items[i], errors);
        }
    }
}

/* The errors of unique constraints that the statement does not evaluate. */
static const char *other_uniques(const struct writer *writer)
{
    struct items uniques = fact_list(writer->table->facts, "uniques");
    struct strbuf out = {0};
    for (size_t i = 0; i < uniques.count; i++) {
        if (!can_be_asked(writer, uniques.items[i])) {
            add_error(writer, uniques.items[i], &out);
        }
    }
    return out.size ? strbuf_take(&out, writer->arena) : "None";
}

/* The weight grows with the number of constraints. */
static const char *unfit_weight(const struct writer *writer)
{
    enum { FEW = 4, COUNT_MAX = 16 };
    size_t count = fact_list(writer->table->facts, "checks").count;
    count = count < COUNT_MAX ? count : COUNT_MAX;
    return count <= FEW ? "0.5"
                        : arena_printf(writer->arena, "%zu%s", count / FEW,
                                       count % FEW < FEW / 2 ? "" : ".5");
}

static void add_checked(const struct writer *writer)
{
    struct arena *arena = writer->arena;
    bool rereads = writer->rereads;
    struct strbuf broken = {0};
    struct strbuf errors = {0};
    add_asked(writer, "checks", &broken, &errors);
    add_asked(writer, "uniques", &broken, &errors);
    const struct hole holes[] = {
        {"variable", writer->table->variable},
        {"new", checked_arg(writer, "new")},
        {"weight", unfit_weight(writer)},
        {"drawn", in_quotes(arena, fitting_strategy(writer))},
        {"changes", in_quotes(arena, changes_strategy(writer))},
        {"table", writer->table->sql},
        {"columns", columns_text(writer, is_drawn, "sql", "")},
        {"fitting", columns_text(writer, is_drawn, "sql", "fits.")},
        {"type", writer->table->type},
        {"alias", fact_text(writer->table->facts, "alias")},
        {"broken", broken.size ? strbuf_text(&broken) : NULL},
        {"end", rereads ? ";" : ""},
        {"returning", rereads ? NULL : returned_row(arena, writer->table)},
        {"reread", reread_query(writer, true)},
        {"name", in_quotes(arena, table_literal(writer))},
        {"uniques", in_quotes(arena, other_uniques(writer))},
        {"errors", errors.size ? in_quotes(arena, strbuf_text(&errors)) : NULL},
        {"names", rereads ? in_quotes(arena, reread_names(writer, true)) : "[]"},
        {0}};
    if (broken.size && writer->key.count > 0 && !fact_is(writer->table->facts, "partitioned")) {
        template_add(writer->out, fitting_rule, holes);
        template_add(writer->out, fact_is(writer->table->facts, "by_statement") ? "" : unfit_rule,
                     holes);
    }
    strbuf_free(&broken);
    strbuf_free(&errors);
}

/* For each unique constraint, its columns that an update may change. */
static const char *repeated_by_update(const struct writer *writer)
{
    struct items uniques = fact_list(writer->table->facts, "uniques");
    struct strbuf out = {0};
    for (size_t i = 0; i < uniques.count; i++) {
        struct items touched = fact_list(uniques.items[i], "touched");
        size_t start = out.size;
        for (size_t j = 0; j < touched.count; j++) {
            struct value column = plan_column(writer->table, value_cstr(touched.items[j]));
            if (is_changed(writer, column) && !fact_is(column, "triggered")) {
                strbuf_addf(&out, "%s%s",
                            out.size > start ? ", "
                            : start          ? ", ["
                                             : "[",
                            literal(writer->arena, touched.items[j]));
            }
        }
        strbuf_adds(&out, out.size > start ? "]" : "");
    }
    const char *text =
        out.size ? arena_printf(writer->arena, "sampled_from([%s])", strbuf_text(&out)) : NULL;
    strbuf_free(&out);
    return text;
}

/* The foreign keys that refer to the table. */
static size_t count_referring(const struct plan *plan, const struct table_plan *table)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->tables.count; i++) {
        struct items references = fact_list(plan->tables.items[i].facts, "references");
        for (size_t j = 0; j < references.count; j++) {
            count += value_is_string(fact_value(references.items[j], "parent"), table->name);
        }
    }
    return count;
}

/* Each foreign key has its own effect on a delete, so the weight grows with their number. */
static const char *delete_weight(const struct plan *plan, const struct table_plan *table)
{
    enum { COUNT_MAX = 8 };
    size_t count = count_referring(plan, table);
    count = count < COUNT_MAX ? count : COUNT_MAX;
    const char *weight =
        count <= 2 ? "1" : arena_printf(plan->arena, "%zu%s", count / 2, count % 2 ? ".5" : "");
    return count == 0
               ? "0.3"
               : arena_printf(plan->arena, "%s if len(%s) > 2 else 0.3", weight, table->variable);
}

/* A row to change or delete. Few rows drawn at random are referred to, and most of those can't be
 * deleted for several reasons. So half of the time it is one for which a single foreign key
 * decides, all foreign keys equally likely. */
static const char *one_row(const struct writer *writer, const char *change)
{
    static const char text[] = "one_of($rows, sampled_from(db.deciding($name, $change).values())"
                               ".flatmap(lambda keys: sampled_from($some)))";
    const char *rows = writer->table->variable;
    const char *some = fact_is(writer->table->facts, "many") /* too many to iterate over */
                           ? "keys"
                           : arena_printf(writer->arena, "%s).filter(lambda k: k in keys", rows);
    const struct hole holes[] = {
        {"rows", rows}, {"some", some}, {"name", table_literal(writer)}, {"change", change}, {0}};
    return in_quotes(writer->arena, template_text(writer->arena, text, holes));
}

static bool is_changed_key(const struct writer *writer, struct value column)
{
    return is_key(writer, column) && is_changed(writer, column);
}

static void add_update(const struct writer *writer)
{
    bool rereads = writer->rereads;
    const char *variable = writer->table->variable;
    const char *columns = columns_text(writer, is_changed, "sql", "");
    const char *lets = key_lets(writer);
    if (fact_is(writer->table->facts, "update_rule")) {
        strbuf_addf(writer->out, "  # No rule updates rows of %s: it has a rule ON UPDATE.\n",
                    table_literal(writer));
        return;
    }
    if (!columns || writer->key.count == 0) {
        return;
    }
    const char *chosen = arena_printf(writer->arena, "sets(sampled_from([%s]), min_size=1)",
                                      columns_text(writer, is_changed, "", ""));
    const char *same = repeated_by_update(writer);
    const char *change =
        arena_printf(writer->arena, "{c: to[c] for c in columns}%s", same ? copied(writer) : "");
    const struct hole holes[] = {
        {"variable", variable},
        {"one", count_referring(writer->plan, writer->table) > 0 &&
                        columns_text(writer, is_changed_key, "", "")
                    ? one_row(writer, change)
                    : variable},
        {"like", same ? like_arg(writer) : NULL},
        {"same", same ? in_quotes(writer->arena, same) : NULL},
        {"change", in_quotes(writer->arena, change)},
        {"name", in_quotes(writer->arena, table_literal(writer))},
        {"to", row_arg(writer, "to")},
        {"chosen", in_quotes(writer->arena, chosen)},
        {"lets", lets ? arena_printf(writer->arena, ", %s", lets) : ""},
        {"source", writer->table->source},
        {"columns", columns},
        {"new_columns", columns_text(writer, is_changed, "sql", "new.")},
        {"where", where_key(writer)},
        {"end", rereads ? ";" : ""},
        {"row", rereads ? NULL : row_expression(writer->arena, writer->table)},
        {"reread", reread_query(writer, true)},
        {"affects", rereads ? NULL : "1"},
        {"check", check_both(writer, NULL, check_growth(writer, "update"))},
        {"model", rereads ? arena_printf(writer->arena,
                                         "db.update(%s, key, change)\n"
                                         "db.read(result.rows, %s)",
                                         table_literal(writer), reread_names(writer, true))
                          : arena_printf(writer->arena, "db.update(%s, key, result.value)",
                                         table_literal(writer))},
        {0}};
    template_add(writer->out, update_rule, holes);
}

static void add_overwritten(const struct writer *writer)
{
    struct arena *arena = writer->arena;
    bool rereads = writer->rereads;
    struct strbuf given = {0};
    struct strbuf kept = {0};
    for (size_t i = 0; i < writer->columns.count; i++) {
        struct value column = writer->columns.items[i];
        const char *odd = pgtype_named(fact_text(column, "base"))->odd;
        if (fact_is(column, "overwritten") && odd) {
            const char *name = fact_text(column, "sql");
            strbuf_addf(&given, "%s%s = %s", given.size ? ", " : "", name, odd);
            strbuf_addf(&kept, "%sCASE WHEN t.%s = %s THEN %s END", kept.size ? ", " : "", name,
                        odd, fact_text(column, "quoted"));
        } else if (fact_is(column, "wakes")) {
            const char *name = fact_text(column, "sql");
            strbuf_addf(&given, "%s%s = t.%s", given.size ? ", " : "", name, name);
        }
    }
    const struct hole holes[] = {
        {"variable", writer->table->variable},
        {"lets", key_lets(writer)},
        {"source", writer->table->source},
        {"given", strbuf_copy(&given, arena)},
        {"where", where_key(writer)},
        {"rows", rereads ? reread_query(writer, true)
                         : arena_printf(arena, "%s WHERE %s", rows_query(arena, writer->table),
                                        where_key(writer))},
        {"kept", strbuf_copy(&kept, arena)},
        {"name", in_quotes(arena, table_literal(writer))},
        {"names", rereads ? in_quotes(arena, reread_names(writer, true)) : "[]"},
        {0}};
    if (kept.size && writer->key.count > 0 && !fact_is(writer->table->facts, "update_rule")) {
        template_add(writer->out, overwritten_rule, holes);
    }
    strbuf_free(&given);
    strbuf_free(&kept);
}

static void add_delete(const struct writer *writer)
{
    bool rereads = writer->rereads;
    const char *variable = writer->table->variable;
    if (writer->key.count == 0) {
        return;
    }
    const char *remove = arena_printf(writer->arena, "db.delete(%s, key)", table_literal(writer));
    bool referred = count_referring(writer->plan, writer->table) > 0;
    const struct hole holes[] = {
        {"variable", variable},
        {"weight", delete_weight(writer->plan, writer->table)},
        {"one", referred ? one_row(writer, "None") : variable},
        {"lets", key_lets(writer)},
        {"source", writer->table->source},
        {"where", where_key(writer)},
        {"end", rereads ? ";" : ""},
        {"reread", reread_query(writer, false)},
        {"name", in_quotes(writer->arena, table_literal(writer))},
        {"affects", rereads ? NULL : "1"},
        {"check", check_both(writer, NULL, check_growth(writer, "delete"))},
        {"model", rereads ? arena_printf(writer->arena, "%s\ndb.read(result.rows, %s)", remove,
                                         reread_names(writer, false))
                          : remove},
        {0}};
    template_add(writer->out, delete_rule, holes);
}

void rules_add(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    const struct writer writer = writer_for(plan, table, out);
    together_add(plan, table, out); /* first, because it fills a table first */
    if (table->why_not) {
        strbuf_addf(out, "  # No rule inserts into %s: %s.\n", table_literal(&writer),
                    table->why_not);
    } else {
        add_inserts(&writer);
        add_checked(&writer);
        add_update(&writer);
        add_overwritten(&writer);
    }
    if (writer.key.count == 0) {
        strbuf_addf(out, "  # No rule updates or deletes rows of %s: it has no key.\n",
                    table_literal(&writer));
    }
    add_delete(&writer);
}
