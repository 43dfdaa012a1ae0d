#include "init/free.h"
#include "init/template.h"
#include "init/writer.h"

#include <string.h>

static const char call_rule[] = "  $name:\n"
                                "    weight: $weight\n"
                                "    $args_key\n"
                                "      $of\n"
                                "      $args\n"
                                "      $user_args\n"
                                "    transaction: $outside\n"
                                "    sql:\n"
                                "      - {as: $user, sql: $as_user}\n"
                                "      - $call\n"
                                "      - $reread\n"
                                "    model: $keep\n"
                                "    target: $target\n"
                                "    returns: '$returns'\n";

/* A function, or one whose arguments with defaults are left out. */
struct free_call {
    const struct free_plan *plan;
    struct value facts;
    struct items args;
    size_t given;
    const struct table_plan *of; /* whose row several arguments come from; or NULL */
};

static const char *wanted_name(const struct free_call *call, size_t index)
{
    return identifier(call->plan->arena, arena_printf(call->plan->arena, "arg_%s",
                                                      fact_text(call->args.items[index], "name")));
}

/* A name for the argument that differs from those before it. */
static const char *arg_name(const struct free_call *call, size_t index)
{
    const char *name = wanted_name(call, index);
    for (size_t i = 0; i < index; i++) {
        if (strcmp(wanted_name(call, i), name) == 0) {
            return arena_printf(call->plan->arena, "%s_%zu", name, index + 1);
        }
    }
    return name;
}

/* What the call has at the argument's place: a parameter as a value of its type. */
static const char *parameter(const struct free_call *call, size_t index)
{
    struct value arg = call->args.items[index];
    struct value element = fact_value(arg, "element");
    const char *name = arg_name(call, index);
    struct arena *arena = call->plan->arena;
    if (fact_is(arg, "out")) {
        return "NULL";
    }
    if (element.type == VALUE_DICT && fact_text(element, "row")) {
        return arena_printf(arena,
                            "ARRAY(SELECT r FROM jsonb_populate_recordset(NULL::%s, :%s) AS r)",
                            fact_text(element, "row"), name);
    }
    return fact_text(arg, "row")
               ? arena_printf(arena, "jsonb_populate_record(NULL::%s, :%s)", fact_text(arg, "row"),
                              name)
               : arena_printf(arena, "CAST(:%s AS %s)", name, fact_text(arg, "type"));
}

static const char *call_sql(const struct free_call *call)
{
    struct strbuf out = {0};
    strbuf_addf(&out, "%s%s(",
                fact_is(call->facts, "procedure") ? "CALL "
                : fact_is(call->facts, "record")  ? "SELECT "
                                                  : "SELECT * FROM ",
                fact_text(call->facts, "sql"));
    for (size_t i = 0; i < call->given; i++) {
        bool variadic = fact_is(call->facts, "variadic") && i + 1 == call->args.count;
        strbuf_addf(&out, "%s%s%s", i ? ", " : "", variadic ? "VARIADIC " : "", parameter(call, i));
    }
    strbuf_addc(&out, ')');
    return literal(call->plan->arena,
                   value_text(call->plan->arena, strbuf_take(&out, call->plan->arena)));
}

static const char *call_args(const struct free_call *call)
{
    struct arena *arena = call->plan->arena;
    struct strbuf out = {0};
    for (size_t i = 0; i < call->given; i++) {
        struct value arg = call->args.items[i];
        const char *column = fact_text(arg, "together");
        if (fact_is(arg, "out")) {
            continue;
        }
        const char *strategy =
            arena_printf(arena, "or_none(%s)", free_arg(call->plan, call->facts, arg));
        strategy =
            column && call->of ? free_of_row(call->plan, call->of, column, strategy) : strategy;
        strbuf_addf(&out, "%s%s: '%s'", out.size ? "\n" : "", arg_name(call, i),
                    in_quotes(arena, strategy));
    }
    return out.size ? strbuf_take(&out, arena) : NULL;
}

/* By table, an argument that is a key of it. */
static struct value keys_in(const struct free_call *call)
{
    struct value out = value_dict(call->plan->arena);
    for (size_t i = 0; i < call->given; i++) {
        struct value column = fact_value(call->args.items[i], "column");
        bool is_key = column.type == VALUE_DICT && fact_is(column, "key") &&
                      fact_value(call->args.items[i], "element").type != VALUE_DICT;
        if (is_key) {
            fact_put(out, call->plan->arena, fact_text(column, "table"),
                     value_text(call->plan->arena, arg_name(call, i)));
        }
    }
    return out;
}

/* What commits is outside of a transaction, and a step by itself. */
static const char *transaction_of(const struct free_call *call)
{
    return fact_is(call->facts, "commits") ? "none" : NULL;
}

/* A table that the function adds rows to, and that is small enough to be read after each call. */
static const struct table_plan *added_to(const struct free_call *call)
{
    struct items adds = fact_list(call->facts, "adds");
    for (size_t i = 0; !transaction_of(call) && i < adds.count; i++) {
        const struct table_plan *table = plan_table(call->plan->plan, value_cstr(adds.items[i]));
        if (table && fact_list(table->facts, "key").count > 0 && !fact_is(table->facts, "many")) {
            return table;
        }
    }
    return NULL;
}

static const struct table_plan *table_of(const struct free_call *call, const char *fact)
{
    const char *name = fact_text(call->facts, fact);
    const struct table_plan *table = name ? plan_table(call->plan->plan, name) : NULL;
    return table && fact_list(table->facts, "key").count > 0 ? table : NULL;
}

/* Large schemas have many rules for tables. Calls are a third of all steps, or there are many more
 * tables than functions. */
static size_t weight_of_calls(const struct free_plan *plan)
{
    enum { RULES_OF_TABLE = 5, SHARE = 2, WEIGHT_MAX = 10 };
    size_t calls = plan->functions.count;
    size_t weight = plan->plan->tables.count * RULES_OF_TABLE / SHARE / (calls ? calls : 1);
    return weight < 1 ? 1 : weight < WEIGHT_MAX ? weight : WEIGHT_MAX;
}

/* Adds " and users", unless it is there. */
static void add_needed(const struct free_call *call, const char *name, struct strbuf *out)
{
    const struct table_plan *table = name ? plan_table(call->plan->plan, name) : NULL;
    const char *text = table ? arena_printf(call->plan->arena, " and %s", table->variable) : "";
    const char *found = strstr(strbuf_text(out), text);
    bool there = found && (found[strlen(text)] == '\0' || found[strlen(text)] == ' ');
    strbuf_adds(out, there ? "" : text);
}

/* Less where there is no row that an argument or the user may be a key of. */
static const char *weight_of(const struct free_call *call, bool looks)
{
    struct arena *arena = call->plan->arena;
    size_t weight = fact_is(call->facts, "only_reads") ? 1 : weight_of_calls(call->plan);
    struct strbuf needed = {0};
    for (size_t i = 0; i < call->given; i++) {
        struct value column = fact_value(call->args.items[i], "column");
        bool is_key = column.type == VALUE_DICT && fact_is(column, "key");
        add_needed(call, is_key ? fact_text(column, "table") : NULL, &needed);
    }
    for (size_t i = 0; looks && i < call->plan->settings.count; i++) {
        add_needed(call, fact_text(call->plan->settings.items[i], "table"), &needed);
    }
    const char *tables = needed.size ? arena_strdup(arena, needed.data + strlen(" and ")) : NULL;
    strbuf_free(&needed);
    return tables       ? arena_printf(arena, "%zu if %s else 0.3", weight, tables)
           : weight > 1 ? arena_printf(arena, "%zu", weight)
                        : NULL;
}

static void add_call(const struct free_call *call, const char *name)
{
    const struct free_plan *plan = call->plan;
    const struct table_plan *added = added_to(call);
    const struct table_plan *rows = added ? added : table_of(call, "rows");
    const struct table_plan *target = rows ? rows : table_of(call, "key");
    const char *args = call_args(call);
    const struct free_user user = {
        .may = fact_list(call->facts, "execute"),
        .looks = fact_is(call->facts, "looks"),
        .args = keys_in(call),
        .row = call->of && args ? FREE_ROW_OF : FREE_ROW_NONE,
        .of = call->of,
        .columns =
            call->of ? fact_value(fact_value(call->facts, "together"), "actors") : value_none()};
    /* A function may return a row of NULLs for none. */
    const char *condition =
        rows && !added
            ? arena_printf(plan->arena, " if r[%zu] != None",
                           free_place(rows, value_cstr(fact_list(rows->facts, "key").items[0])))
            : "";
    const char *context = free_user_context(plan, &user);
    const char *user_args = free_user_args(plan, &user);
    const char *sql = call_sql(call);
    const struct hole holes[] = {
        {"name", name},
        {"weight", weight_of(call, user.looks)},
        {"outside", transaction_of(call)},
        {"args_key", args || user_args ? "args:" : NULL},
        {"of", call->of && args
                   ? arena_printf(plan->arena, "of: one_of(none(), %s, %s, %s)", call->of->variable,
                                  call->of->variable, call->of->variable)
                   : NULL},
        {"args", args},
        {"user_args", user_args},
        {"user", context},
        {"as_user", context ? sql : NULL},
        {"call", context ? NULL : sql},
        {"reread", added ? literal(plan->arena,
                                   value_text(plan->arena,
                                              arena_printf(plan->arena, "SELECT t.* FROM %s AS t",
                                                           added->source)))
                         : NULL},
        {"keep", added  ? free_refresh(plan, added, "")
                 : rows ? free_keep(plan, rows, condition)
                        : NULL},
        {"target", target ? target->variable : NULL},
        {"returns", added    ? free_returns(plan, added, free_unknown(plan, added))
                    : rows   ? free_returns(plan, rows, condition)
                    : target ? "multiple(*[r[0] for r in result.rows if r[0] != None])"
                             : NULL},
        {0}};
    template_add(plan->out, call_rule, holes);
}

void free_add_calls(const struct free_plan *plan)
{
    for (size_t i = 0; i < plan->functions.count; i++) {
        struct value facts = plan->functions.items[i];
        struct value together = fact_value(facts, "together");
        struct items args = fact_list(facts, "args");
        const char *name =
            arena_printf(plan->arena, "call_%s", identifier(plan->arena, fact_text(facts, "name")));
        struct items given = fact_list(facts, "given");
        struct free_call call = {.plan = plan, .facts = facts, .args = args};
        call.of = together.type == VALUE_DICT ? plan_table(plan->plan, fact_text(together, "table"))
                                              : NULL;
        for (size_t j = 0; j < given.count; j++) {
            call.given = (size_t)given.items[j].as.integer;
            add_call(&call, call.given < args.count
                                ? arena_printf(plan->arena, "%s_by_default", name)
                                : name);
        }
    }
}
