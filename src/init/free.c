#include "init/free.h"

#include "init/init.h"
#include "init/names.h"
#include "init/plan.h"
#include "init/template.h"
#include "init/writer.h"

#include <string.h>

static const char head[] =
    "# Made by pgfsm init --free. It has no model and predicts nothing: each statement may fail.\n"
    "# pgfsm diff compares two schemas with it. Keep what you need, and go on from here.\n"
    "machine: $name\n"
    "schema: [$schema]\n"
    "listen: $channels\n"
    "settings: {errors: any, examples: $examples, statement_timeout: 500ms$more}\n";

static const char model[] =
    "model: |\n"
    "  # The keys of each table's rows, and the rows as they were last seen.\n"
    "  $variables\n"
    "  rows_by_key = {$tables}\n"
    "\n"
    "  # Mostly a key that is there.\n"
    "  def known(keys, other):\n"
    "      return one_of(keys, keys, keys, keys, keys, other)\n"
    "\n"
    "  # Drops keys of rows that are gone: a cascade or a function may have deleted them.\n"
    "  def forget(keys, found):\n"
    "      for key in [key for key in keys if key not in found]:\n"
    "          keys.pop(key)\n"
    "\n"
    "  # JSON of that depth.\n"
    "  def nested(depth):\n"
    "      value = depth\n"
    "      for i in range(depth):\n"
    "          value = [value]\n"
    "      return value\n"
    "\n"
    "  # Seldom NULL.\n"
    "  def or_none(s):\n"
    "      return one_of(s, s, s, s, s, s, s, s, s, s, s, none())\n"
    "\n"
    "  # A row, seldom with something that a constraint may refuse.\n"
    "  def or_wrong(row, wrong):\n"
    "      right = just({})\n"
    "      return builds(lambda row, other: row | other, row,\n"
    "                    one_of(right, right, right, right, right, wrong))\n"
    "\n"
    "  $wrong\n";

/* All inserts: with all columns, without those that have a default, or with numbers, too. */
static const char insert_rule[] = "  $rule:\n"
                                  "    weight: $weight$or_more\n"
                                  "    args:\n"
                                  "      $new\n"
                                  "      $user_args\n"
                                  "    as: $user\n"
                                  "    sql: |\n"
                                  "      INSERT INTO $table AS t $source\n"
                                  "      RETURNING $returned\n"
                                  "    model: $keep\n"
                                  "    target: $target\n"
                                  "    returns: '$returns'\n";

/* For roles that may not read what they have written. */
static const char blind_insert_rule[] = "  insert_blind_$variable:\n"
                                        "    weight: 0.5\n"
                                        "    args:\n"
                                        "      $new\n"
                                        "      $user_args\n"
                                        "    as: $user\n"
                                        "    sql: |\n"
                                        "      INSERT INTO $table AS t $source\n";

static const char update_rule[] =
    "  update_$variable:\n"
    "    weight: 1$or_less\n"
    "    args:\n"
    "      $key\n"
    "      column: '$chosen'\n"
    "      $to\n"
    "      $user_args\n"
    "    let: {change: '{column: to[column]}'$lets}\n"
    "    as: $user\n"
    "    sql: |\n"
    "      UPDATE $source AS t SET :\"column\" =\n"
    "        (SELECT :\"column\" FROM jsonb_populate_record(NULL::$type, :change) AS new)\n"
    "      WHERE $where\n";

/* The row is drawn first: it calls `column()`. */
static const char update_view_rule[] =
    "  update_$variable:\n"
    "    args:\n"
    "      $key\n"
    "      $to\n"
    "      column: '$chosen'\n"
    "      $user_args\n"
    "    let: {change: '{column: to[column]}'}\n"
    "    as: $user\n"
    "    sql: |\n"
    "      UPDATE $source AS t SET :\"column\" =\n"
    "        (SELECT :\"column\" FROM jsonb_populate_record(NULL::$type, :change) AS new)\n"
    "      WHERE $where\n";

/* A rule ON UPDATE can't refer to columns that are assigned together. */
static const char update_all_rule[] =
    "  update_all_of_$variable:\n"
    "    weight: 0.5$or_less\n"
    "    args:\n"
    "      $key\n"
    "      $to\n"
    "      $user_args\n"
    "    let: {$all_lets}\n"
    "    as: $user\n"
    "    sql: |\n"
    "      UPDATE $source AS t SET ($changed) =\n"
    "        (SELECT $changed FROM jsonb_populate_record(NULL::$type, :to) AS new)\n"
    "      WHERE $where\n";

static const char delete_rule[] = "  delete_$variable:\n"
                                  "    weight: 0.5$or_less\n"
                                  "    args:\n"
                                  "      $key\n"
                                  "      $user_args\n"
                                  "    let: {$all_lets}\n"
                                  "    as: $user\n"
                                  "    sql: |\n"
                                  "      DELETE FROM $source AS t WHERE $where\n"
                                  "    model: $forget\n";

/* What triggers do with single rows must hold when all go at once. */
static const char truncate_rule[] = "  truncate_$variable:\n"
                                    "    weight: 0.05\n"
                                    "    sql: |\n"
                                    "      TRUNCATE $table CASCADE\n"
                                    "    model: |\n"
                                    "      $variable = {}\n";

/* Constraints that are checked at the end of a step may need rows that make up for each other. */
static const char pair_rule[] =
    "  insert_pair_of_$variable:\n"
    "    weight: 1\n"
    "    args:\n"
    "      $new\n"
    "      $to\n"
    "      $user_args\n"
    "    let: {more: '[new, to | {c: -new[c] for c in [$amounts] if new.get(c) != None}]'}\n"
    "    as: $user\n"
    "    sql: |\n"
    "      INSERT INTO $table AS t ($columns)\n"
    "        SELECT $columns FROM jsonb_populate_recordset(NULL::$type, :more)\n"
    "      RETURNING $returned\n"
    "    model: $keep\n"
    "    target: $target\n"
    "    returns: '$returns'\n";

static const char read_rule[] = "  read_$variable:\n"
                                "    weight: 0.3$or_less\n"
                                "    args:\n"
                                "      $key\n"
                                "      $user_args\n"
                                "    let: {$all_lets}\n"
                                "    as: $user\n"
                                "    sql: |\n"
                                "      SELECT t.* FROM $source AS t WHERE $where\n";

/* Rows that functions and triggers have added become known. */
static const char list_rule[] = "  list_$variable:\n"
                                "    weight: $weight\n"
                                "    $args_key\n"
                                "      $user_args\n"
                                "    as: $user\n"
                                "    sql: |\n"
                                "      SELECT $what FROM $source AS t\n"
                                "    model: $keep\n"
                                "    target: $target\n"
                                "    returns: '$returns'\n";

static const char refresh_rule[] = "  refresh_$variable:\n"
                                   "    weight: 0.3\n"
                                   "    sql: |\n"
                                   "      REFRESH MATERIALIZED VIEW $source\n";

static const char first_rows[] = "  # Rows that are there already.\n"
                                 "  - sql: |\n"
                                 "      SELECT t.* FROM $source AS t LIMIT 20\n"
                                 "    model: $keep\n"
                                 "    target: $variable\n"
                                 "    returns: '$returns'\n";

/* A table that rules are about. */
struct subject {
    const struct free_plan *plan;
    const struct table_plan *table;
    struct writer writer;
    struct value relation; /* what pg_describe_free knows */
};

static struct free_user user_of(const struct subject *subject, const char *privilege,
                                enum free_row row)
{
    return (struct free_user){.may = fact_list(subject->relation, privilege),
                              .looks = fact_is(subject->relation, "looks"),
                              .args = value_none(),
                              .columns = fact_value(subject->relation, "actors"),
                              .row = row,
                              .of = subject->table};
}

static bool is_given_always(const struct writer *writer, struct value column)
{
    return is_drawn(writer, column) && !fact_has(writer->also, fact_text(column, "name"));
}

static const char *source_of_row(const struct subject *subject,
                                 bool (*given)(const struct writer *writer, struct value column))
{
    const char *columns = columns_text(&subject->writer, given, "sql", "");
    return columns ? arena_printf(subject->plan->arena,
                                  "(%s) SELECT %s FROM jsonb_populate_record(NULL::%s, :new)",
                                  columns, columns, subject->table->type)
                   : "DEFAULT VALUES";
}

/* Values for columns with a sequence, which no sequence is to reach: "\"id\": 1000000000 + n"; adds
 * the columns to `names`. NULL if an insert can't give any. */
static const char *numbers_of(const struct subject *subject, struct items *names)
{
    struct arena *arena = subject->plan->arena;
    struct strbuf out = {0};
    VEC(struct value) columns = {0};
    for (size_t i = 0; i < subject->writer.columns.count; i++) {
        struct value column = subject->writer.columns.items[i];
        if (fact_is(free_limits(subject->relation, column), "numbered")) {
            const char *base = fact_text(column, "base");
            strbuf_addf(&out, "%s%s: %s + n", out.size ? ", " : "",
                        literal(arena, fact_value(column, "name")),
                        base && strcmp(base, "int2") == 0 ? "32000" : "1000000000");
            *VEC_PUSH(arena, &columns) = fact_value(column, "name");
        }
    }
    *names = (struct items){columns.items, columns.count};
    return out.size ? strbuf_take(&out, arena) : NULL;
}

static void add_inserts(const struct subject *subject)
{
    const struct free_plan *plan = subject->plan;
    const struct table_plan *table = subject->table;
    struct items defaulted = fact_list(subject->relation, "defaulted");
    const struct free_user user = user_of(subject, "insert", FREE_ROW_NEW);
    bool has_key = subject->writer.key.count > 0 && fact_is(subject->relation, "answers");
    struct hole holes[] = {
        {"rule", arena_printf(plan->arena, "insert_%s", table->variable)},
        {"source", source_of_row(subject, is_drawn)},
        {"weight", "1"},
        {"variable", table->variable},
        /* Without rows of each table, little else succeeds. */
        {"or_more", has_key ? arena_printf(plan->arena, " if %s else 2", table->variable) : ""},
        {"target", has_key ? table->variable : NULL},
        {"new", row_arg(&subject->writer, "new")},
        {"user_args", free_user_args(plan, &user)},
        {"user", free_user_context(plan, &user)},
        {"table", table->sql},
        {"returned",
         subject->writer.columns.count > 0 && fact_is(subject->relation, "answers") ? "t.*" : NULL},
        {"keep", has_key ? free_keep(plan, table, "") : NULL},
        {"returns", has_key ? free_returns(plan, table, "") : NULL},
        {0}};
    template_add(plan->out, insert_rule, holes);
    if (user.may.count > 0 && fact_is(subject->relation, "looks")) {
        template_add(plan->out, blind_insert_rule, holes);
    }
    struct subject shorter = *subject;
    shorter.writer.also = defaulted;
    const char *source = source_of_row(&shorter, is_given_always);
    if (strcmp(source, holes[1].value) != 0) {
        holes[0].value = arena_printf(plan->arena, "insert_by_default_%s", table->variable);
        holes[1].value = source;
        template_add(plan->out, insert_rule, holes);
    }
    struct subject numbered = *subject;
    const char *numbers = numbers_of(subject, &numbered.writer.also);
    if (numbers) {
        holes[0].value = arena_printf(plan->arena, "insert_numbered_%s", table->variable);
        holes[1].value = source_of_row(&numbered, is_drawn_or_also);
        holes[2].value = "0.2";
        holes[4].value = "";
        holes[6].value = arena_printf(
            plan->arena, "new: 'builds(lambda row, n: row | {%s}, row(%s), integers(0, 9))'",
            in_quotes(plan->arena, numbers),
            in_quotes(plan->arena, table_literal(&subject->writer)));
        template_add(plan->out, insert_rule, holes);
    }
}

/* Two rows at once, where only those may hold together: the amounts of one are the other's. */
static void add_pairs(const struct subject *subject)
{
    const struct free_plan *plan = subject->plan;
    const struct table_plan *table = subject->table;
    struct items amounts = fact_list(subject->relation, "amounts");
    const struct free_user user = user_of(subject, "insert", FREE_ROW_NEW);
    struct strbuf names = {0};
    bool has_key = subject->writer.key.count > 0 && fact_is(subject->relation, "answers");
    for (size_t i = 0; i < amounts.count; i++) {
        strbuf_addf(&names, "%s%s", i ? ", " : "", literal(plan->arena, amounts.items[i]));
    }
    const struct hole holes[] = {
        {"variable", table->variable},
        {"new", row_arg(&subject->writer, "new")},
        {"to", row_arg(&subject->writer, "to")},
        {"user_args", free_user_args(plan, &user)},
        {"user", free_user_context(plan, &user)},
        {"amounts", in_quotes(plan->arena, strbuf_text(&names))},
        {"table", table->sql},
        {"type", table->type},
        {"columns", columns_text(&subject->writer, is_given_always, "sql", "")},
        {"returned", fact_is(subject->relation, "answers") ? "t.*" : NULL},
        {"target", has_key ? table->variable : NULL},
        {"keep", has_key ? free_keep(plan, table, "") : NULL},
        {"returns", has_key ? free_returns(plan, table, "") : NULL},
        {0}};
    template_add(plan->out, amounts.count > 0 && holes[8].value ? pair_rule : "", holes);
    strbuf_free(&names);
}

/* A row without a key is the nth of the table. */
static const char *key_arg(const struct subject *subject)
{
    const char *key = free_key(subject->plan, subject->table);
    return key ? arena_printf(subject->plan->arena, "key: '%s'",
                              in_quotes(subject->plan->arena, key))
               : "nth: integers(0, 5)";
}

static const char *where(const struct subject *subject)
{
    return subject->writer.key.count > 0
               ? where_key(&subject->writer)
               : arena_printf(subject->plan->arena,
                              "t.ctid = (SELECT x.ctid FROM %s AS x ORDER BY x::text, x.ctid "
                              "OFFSET :nth LIMIT 1)",
                              subject->table->source);
}

/* Rules for rows that are there. */
static void add_changes(const struct subject *subject)
{
    const struct free_plan *plan = subject->plan;
    const struct table_plan *table = subject->table;
    const struct writer *writer = &subject->writer;
    bool has_key = writer->key.count > 0;
    struct writer one = *writer; /* column is changed */
    one.wrong =
        writer->wrong ? arena_printf(plan->arena, "wrong_%s(column)", table->variable) : NULL;
    enum free_row row = has_key ? FREE_ROW_OF_KEY : FREE_ROW_NONE;
    const char *lets = has_key ? key_lets(writer) : NULL;
    const char *names = columns_text(writer, is_drawn, "", "");
    const struct free_user updates = user_of(subject, "update", row);
    const struct free_user deletes = user_of(subject, "delete", row);
    const struct free_user reads = user_of(subject, "select", row);
    struct hole holes[] = {
        {"user_args", free_user_args(plan, &updates)},
        {"user", free_user_context(plan, &updates)},
        {"variable", table->variable},
        {"or_less", has_key ? arena_printf(plan->arena, " if %s else 0.1", table->variable) : ""},
        {"key", key_arg(subject)},
        {"to", table->why_not ? NULL : row_arg(&one, "to")},
        {"chosen",
         names ? in_quotes(plan->arena, arena_printf(plan->arena, "sampled_from([%s])", names))
               : NULL},
        {"lets", lets ? arena_printf(plan->arena, ", %s", lets) : ""},
        {"all_lets", lets},
        {"source", table->source},
        {"type", table->type},
        {"changed", columns_text(writer, is_drawn, "sql", "")},
        {"where", where(subject)},
        {"forget",
         has_key ? arena_printf(plan->arena, "'%s.pop(key, None) if result.count > 0 else None'",
                                table->variable)
                 : NULL},
        {0}};
    if (names && !table->why_not) {
        template_add(plan->out, update_rule, holes);
        holes[5].value = row_arg(writer, "to");
        template_add(plan->out, fact_is(table->facts, "update_rule") ? "" : update_all_rule, holes);
    }
    holes[0].value = free_user_args(plan, &deletes);
    template_add(plan->out, delete_rule, holes);
    holes[0].value = free_user_args(plan, &reads);
    template_add(plan->out, has_key ? read_rule : "", holes);
}

/* The order of a view's rows counts if the view has one: in a subquery, it may. */
static void add_list(const struct subject *subject)
{
    const struct free_plan *plan = subject->plan;
    const struct table_plan *table = subject->table;
    bool many = table->facts.type == VALUE_DICT && fact_is(table->facts, "many");
    bool kept = table->facts.type == VALUE_DICT && subject->writer.key.count > 0 && !many;
    const struct free_user user = user_of(subject, "select", FREE_ROW_NONE);
    /* Others may not see all rows. */
    const char *condition = plan->roles.count ? " if as_role == \"none\" else None" : "";
    const char *args = free_user_args(plan, &user);
    const struct hole holes[] = {
        {"variable", table->variable},
        {"weight", "0.5"},
        {"args_key", args ? "args:" : NULL},
        {"user_args", args},
        {"user", free_user_context(plan, &user)},
        {"what", many ? "count(*)" : "t.*"},
        {"source", fact_is(subject->relation, "ordered")
                       ? arena_printf(plan->arena, "(TABLE %s)", table->source)
                       : table->source},
        {"keep", kept ? free_refresh(plan, table, condition) : NULL},
        {"target", kept ? table->variable : NULL},
        {"returns", kept ? free_returns(plan, table, free_unknown(plan, table)) : NULL},
        {0}};
    template_add(plan->out, list_rule, holes);
}

static void add_table(const struct free_plan *plan, const struct table_plan *table)
{
    struct subject subject = {.plan = plan,
                              .table = table,
                              .writer = writer_for(plan->plan, table, plan->out),
                              .relation = fact_named(plan->relations, table->name)};
    const struct hole holes[] = {{"variable", table->variable}, {"table", table->sql}, {0}};
    const char *wrong = free_add_wrong(plan, table, subject.relation, NULL);
    subject.writer.wrong = wrong ? arena_printf(plan->arena, "sampled_from([%s]).flatmap(wrong_%s)",
                                                wrong, table->variable)
                                 : NULL;
    if (!table->why_not) {
        add_inserts(&subject);
        add_pairs(&subject);
    }
    add_changes(&subject);
    template_add(plan->out, fact_is(subject.relation, "truncated") ? truncate_rule : "", holes);
    add_list(&subject);
}

/* The columns of a view: as names in a strategy, or as in SQL. `by_default`: without those that
 * have a default. */
static const char *view_columns(const struct subject *subject, const char *fact, bool by_default)
{
    struct items columns = fact_list(subject->relation, "columns");
    struct arena *arena = subject->plan->arena;
    struct strbuf out = {0};
    for (size_t i = 0; i < columns.count; i++) {
        if (!by_default || !fact_is(columns.items[i], "defaulted")) {
            const char *text = fact_text(columns.items[i], fact);
            strbuf_addf(&out, "%s%s", out.size ? ", " : "",
                        strcmp(fact, "name") == 0 ? literal(arena, value_text(arena, text)) : text);
        }
    }
    return out.size ? strbuf_take(&out, arena) : NULL;
}

/* A row of a view: values of the columns that it shows. */
static const char *view_row_arg(const struct subject *subject, const char *name)
{
    const struct free_plan *plan = subject->plan;
    struct items columns = fact_list(subject->relation, "columns");
    struct strbuf out = {0};
    for (size_t i = 0; i < columns.count; i++) {
        strbuf_addf(&out, ", or_none(%s)", free_arg(plan, subject->relation, columns.items[i]));
    }
    return arena_printf(plan->arena, "%s: 'builds(lambda *v: dict(zip([%s], v))%s)'", name,
                        in_quotes(plan->arena, view_columns(subject, "name", false)),
                        in_quotes(plan->arena, strbuf_take(&out, plan->arena)));
}

/* The column by which rows of a view are found: a key of a table, or the first one. */
static struct value view_key(const struct subject *subject)
{
    struct items columns = fact_list(subject->relation, "columns");
    size_t i = 0;
    while (i < columns.count && !fact_is(columns.items[i], "own")) {
        i++;
    }
    return columns.items[i < columns.count ? i : 0];
}

static const char *view_key_arg(const struct subject *subject)
{
    const struct free_plan *plan = subject->plan;
    struct value key = view_key(subject);
    const struct table_plan *table =
        fact_is(key, "own") ? plan_table(plan->plan, fact_text(fact_value(key, "column"), "of"))
                            : NULL;
    bool known = table && fact_list(table->facts, "key").count == 1;
    const char *strategy = known ? free_key(plan, table) : free_arg(plan, subject->relation, key);
    return arena_printf(plan->arena, "key: '%s'", in_quotes(plan->arena, strategy));
}

/* What writes through a view: where it was made to be written to. */
static void add_writes(const struct subject *subject)
{
    const struct free_plan *plan = subject->plan;
    struct value writes = fact_value(subject->relation, "writes");
    if (writes.type != VALUE_DICT || fact_list(subject->relation, "columns").count == 0) {
        return;
    }
    const struct table_plan *view = subject->table;
    const char *names = view_columns(subject, "name", false);
    const char *sql = view_columns(subject, "sql", false);
    const char *shorter = view_columns(subject, "sql", true);
    const struct free_user inserts = user_of(subject, "insert", FREE_ROW_NONE);
    const struct free_user updates = user_of(subject, "update", FREE_ROW_NONE);
    const struct free_user deletes = user_of(subject, "delete", FREE_ROW_NONE);
    static const char source[] = "(%s) SELECT %s FROM jsonb_populate_record(NULL::%s, :new)";
    struct hole holes[] = {
        {"user_args", free_user_args(plan, &inserts)},
        {"user", free_user_context(plan, &inserts)},
        {"rule", arena_printf(plan->arena, "insert_%s", view->variable)},
        {"source", arena_printf(plan->arena, source, sql, sql, view->source)},
        {"variable", view->variable},
        {"table", view->source},
        {"new", view_row_arg(subject, "new")},
        {"weight", "1"},
        {"or_more", ""},
        {"or_less", ""},
        {"key", view_key_arg(subject)},
        {"to", view_row_arg(subject, "to")},
        {"chosen", in_quotes(plan->arena, arena_printf(plan->arena, "sampled_from([%s])", names))},
        {"type", view->source},
        {"returned", fact_is(subject->relation, "answers") ? "t.*" : NULL},
        {"keep", NULL},
        {"target", NULL},
        {"returns", NULL},
        {"all_lets", NULL},
        {"forget", NULL},
        {"where", arena_printf(plan->arena, "t.%s = :key", fact_text(view_key(subject), "sql"))},
        {0}};
    if (fact_is(writes, "insert")) {
        template_add(plan->out, insert_rule, holes);
    }
    if (fact_is(writes, "insert") && shorter && strcmp(shorter, sql) != 0) {
        holes[2].value = arena_printf(plan->arena, "insert_by_default_%s", view->variable);
        holes[3].value = arena_printf(plan->arena, source, shorter, shorter, view->source);
        template_add(plan->out, insert_rule, holes);
    }
    holes[3].value = view->source;
    holes[0].value = free_user_args(plan, &updates);
    template_add(plan->out, fact_is(writes, "update") ? update_view_rule : "", holes);
    holes[0].value = free_user_args(plan, &deletes);
    template_add(plan->out, fact_is(writes, "delete") ? delete_rule : "", holes);
}

static void add_view(const struct free_plan *plan, struct value relation)
{
    const struct table_plan table = {.facts = value_none(),
                                     .name = fact_text(relation, "name"),
                                     .source = fact_text(relation, "sql"),
                                     .variable =
                                         identifier(plan->arena, fact_text(relation, "name"))};
    const struct subject subject = {.plan = plan, .table = &table, .relation = relation};
    const struct hole holes[] = {{"variable", table.variable}, {"source", table.source}, {0}};
    add_writes(&subject);
    add_list(&subject);
    if (fact_is(relation, "refreshed")) {
        template_add(plan->out, refresh_rule, holes);
    }
}

/* Rows of many tables need others in several tables: longer examples, and fewer of them. */
static const struct {
    size_t tables; /* more than these */
    const char *examples, *steps;
} sizes[] = {{40, "100", ", steps: 200"}, {8, "150", ", steps: 100"}};

/* A procedure that commits can't run inside of a transaction, and only a COMMIT notifies. */
static const char *commits(const struct free_plan *plan)
{
    if (plan->channels.type == VALUE_LIST) {
        return ", transactions: commit";
    }
    for (size_t i = 0; i < plan->functions.count; i++) {
        if (fact_is(plan->functions.items[i], "commits")) {
            return ", transactions: commit";
        }
    }
    return "";
}

static void add_head(const struct free_plan *plan, const struct init_options *options)
{
    const char *channels =
        plan->channels.type == VALUE_LIST ? literal(plan->arena, plan->channels) : NULL;
    struct strbuf files = {0};
    const char *examples = "300";
    const char *steps = "";
    for (size_t i = sizeof sizes / sizeof *sizes; i-- > 0;) {
        bool more = plan->plan->tables.count > sizes[i].tables;
        examples = more ? sizes[i].examples : examples;
        steps = more ? sizes[i].steps : steps;
    }
    for (size_t i = 0; i < options->schema_count; i++) {
        strbuf_addf(&files, "%s%s", i ? ", " : "",
                    literal(plan->arena, value_text(plan->arena, options->schema[i])));
    }
    const struct hole holes[] = {{"name", options->name},
                                 {"examples", examples},
                                 {"more", *commits(plan) ? commits(plan) : steps},
                                 {"schema", files.size ? strbuf_text(&files) : NULL},
                                 {"channels", channels},
                                 {0}};
    template_add(plan->out, head, holes);
    strbuf_free(&files);
}

static bool is_kept(const struct table_plan *table)
{
    return fact_list(table->facts, "key").count > 0;
}

static void add_model(const struct free_plan *plan)
{
    struct strbuf variables = {0};
    struct strbuf tables = {0};
    struct strbuf wrong = {0};
    for (size_t i = 0; i < plan->plan->tables.count; i++) {
        const struct table_plan *table = &plan->plan->tables.items[i];
        if (!table->why_not) {
            (void)free_add_wrong(plan, table, fact_named(plan->relations, table->name), &wrong);
        }
        strbuf_addf(&variables, "%s%s = {}", i ? "\n" : "", table->variable);
        strbuf_addf(&tables, "%s%s: {}", i ? ", " : "",
                    literal(plan->arena, fact_value(table->facts, "name")));
    }
    const struct hole holes[] = {{"variables", variables.size ? strbuf_text(&variables) : NULL},
                                 {"tables", tables.size ? strbuf_text(&tables) : ""},
                                 {"wrong", wrong.size ? strbuf_text(&wrong) : NULL},
                                 {0}};
    template_add(plan->out, model, holes);
    strbuf_free(&wrong);
    strbuf_free(&variables);
    strbuf_free(&tables);
}

static void add_initialize(const struct free_plan *plan)
{
    const char *start = "initialize:\n";
    for (size_t i = 0; i < plan->plan->tables.count; i++) {
        const struct table_plan *table = &plan->plan->tables.items[i];
        if (is_kept(table) && fact_is(table->facts, "has_rows")) {
            const struct hole holes[] = {{"variable", table->variable},
                                         {"source", table->source},
                                         {"keep", free_keep(plan, table, "")},
                                         {"returns", free_returns(plan, table, "")},
                                         {0}};
            strbuf_adds(plan->out, start);
            start = "";
            template_add(plan->out, first_rows, holes);
        }
    }
}

static void add_rules(const struct free_plan *plan)
{
    struct names names = names_begin(plan->out);
    for (size_t i = 0; i < plan->plan->tables.count; i++) {
        add_table(plan, &plan->plan->tables.items[i]);
        names_settle(&names);
    }
    for (size_t i = 0; i < plan->relations.count; i++) {
        struct value relation = plan->relations.items[i];
        if (fact_is(relation, "view") && !fact_is(relation, "unsafe")) {
            add_view(plan, relation);
        }
    }
    names_settle(&names);
    free_add_calls(plan);
    names_settle(&names);
    names_end(&names);
}

/* No model compares values in the form that they are stored in. */
static void forget_forms(struct value facts, struct arena *arena)
{
    struct items tables = fact_list(facts, "tables");
    for (size_t i = 0; i < tables.count; i++) {
        struct items columns = fact_list(tables.items[i], "columns");
        for (size_t j = 0; j < columns.count; j++) {
            fact_put(columns.items[j], arena, "form", value_none());
        }
    }
}

bool init_write_free(struct value facts, struct value free, const struct init_options *options,
                     struct strbuf *out, struct error *err)
{
    struct arena arena = {0};
    struct plan tables = {.arena = &arena};
    struct items channels = fact_list(free, "channels");
    forget_forms(facts, &arena);
    plan_make(&tables, facts);
    const struct free_plan plan = {.plan = &tables,
                                   .arena = &arena,
                                   .roles = fact_list(free, "roles"),
                                   .settings = fact_list(free, "settings"),
                                   .relations = fact_list(free, "tables"),
                                   .functions = fact_list(free, "functions"),
                                   .channels = options->schema_count && channels.count
                                                   ? fact_value(free, "channels")
                                                   : value_none(),
                                   .out = out};
    add_head(&plan, options);
    add_model(&plan);
    free_add_contexts(&plan);
    add_initialize(&plan);
    strbuf_adds(out, "rules:\n");
    size_t without = out->size;
    add_rules(&plan);
    bool some = out->size > without;
    arena_free(&arena);
    return some || error_set(err, ERROR_USAGE,
                             "there are no tables, views or functions that a rule could use");
}
