#include "init/functions.h"

#include "init/model.h"
#include "init/policies.h"
#include "init/template.h"
#include "init/writer.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

/* The function's effect and its errors are unknown. The user completes the rule. */
static const char call_rule[] = "  $name:\n"
                                "    weight: 1 if $rows else 0.2\n"
                                "    $args_key\n"
                                "      of: $of\n"
                                "      $actors\n"
                                "      $args\n"
                                "    sql:\n"
                                "      - {as: $user, sql: $as_user}\n"
                                "      - $call\n"
                                "      - $reread\n"
                                "    raises: '$raises'\n"
                                "    model: 'db.read(result.rows, $names)'\n";

static const char *any_strategy(const struct plan *plan, struct value arg)
{
    return fact_list(arg, "labels").count > 0
               ? arena_printf(plan->arena, "sampled_from(%s)",
                              literal(plan->arena, fact_value(arg, "labels")))
               : pgtype_named(fact_text(arg, "base"))->strategy;
}

/* Keys of existing rows, three times as often as other values. */
static const char *keys_strategy(const struct plan *plan, const struct table_plan *table,
                                 const char *any)
{
    const char *keys = table->variable;
    return arena_printf(plan->arena, "one_of(%s, %s, %s, %s)", keys, keys, keys, any);
}

/* Valid values of the column, existing ones, and any other value. */
static const char *column_strategy(const struct plan *plan, const struct table_plan *table,
                                   struct value column, const char *any)
{
    const char *name = arena_printf(plan->arena, "%s.%s", table->name, fact_text(column, "name"));
    const char *drawn = arena_printf(plan->arena, "column(%s)",
                                     literal(plan->arena, value_text(plan->arena, name)));
    const char *there =
        fact_is(column, "plain")
            ? arena_printf(plan->arena, "sampled_from([r[%s] for r in %s]), ",
                           literal(plan->arena, fact_value(column, "name")), plan_rows(plan, table))
            : "";
    return arena_printf(plan->arena, "one_of(%s, %s, %s%s)", drawn, drawn, there, any);
}

/* The name tells the column or the table whose rows are meant. Otherwise it may be a key of any
 * table that the function mentions. */
static const char *arg_strategy(const struct plan *plan, struct value arg)
{
    const char *any = any_strategy(plan, arg);
    struct value column = fact_value(arg, "column");
    struct items tables = fact_list(arg, "tables");
    struct strbuf keys = {0};
    if (!any) {
        return NULL;
    }
    if (column.type == VALUE_DICT && (fact_is(column, "key") || !fact_list(arg, "labels").count)) {
        const struct table_plan *table = plan_table(plan, fact_text(column, "table"));
        return fact_is(column, "key") ? keys_strategy(plan, table, any)
                                      : column_strategy(plan, table, column, any);
    }
    for (size_t i = 0; i < tables.count; i++) {
        strbuf_addf(&keys, "%s, ", plan_table(plan, value_cstr(tables.items[i]))->variable);
    }
    return keys.size
               ? arena_printf(plan->arena, "one_of(%s%s)", strbuf_take(&keys, plan->arena), any)
               : any;
}

/* Related arguments, such as an order and one of its lines, are drawn from one row `of` a table
 * half of the time. */
static const char *row_of(const struct plan *plan, struct value together)
{
    if (together.type != VALUE_DICT) {
        return NULL;
    }
    const char *rows = plan_table(plan, fact_text(together, "table"))->variable;
    return fact_is(together, "adds") /* the row must not exist yet */
               ? arena_printf(plan->arena, "one_of(none(), none(), none(), %s)", rows)
               : arena_printf(plan->arena, "one_of(none(), %s, %s, %s)", rows, rows, rows);
}

/* The strategy, or the value in the row `of`. */
static const char *or_of_row(const struct plan *plan, struct value function, struct value arg,
                             const char *strategy)
{
    struct value column = fact_value(arg, "together");
    if (column.type == VALUE_NONE || !strategy) {
        return strategy;
    }
    const char *table = fact_text(fact_value(function, "together"), "table");
    return arena_printf(plan->arena, "%s[of][%s] if of != None else %s",
                        plan_table(plan, table)->variable, literal(plan->arena, column), strategy);
}

static const char *wanted_name(const struct plan *plan, struct value arg)
{
    return identifier(plan->arena, arena_printf(plan->arena, "arg_%s", fact_text(arg, "name")));
}

/* A name for the argument that differs from those before it. */
static const char *arg_name(const struct plan *plan, struct items args, size_t index)
{
    const char *name = wanted_name(plan, args.items[index]);
    for (size_t i = 0; i < index; i++) {
        if (strcmp(wanted_name(plan, args.items[i]), name) == 0) {
            return arena_printf(plan->arena, "%s_%zu", name, index + 1);
        }
    }
    return name;
}

/* Writes the arguments of the rule, one per line, and of the call; false if a type has no strategy.
 */
static bool write_args(const struct plan *plan, struct value function, struct strbuf *args,
                       struct strbuf *call)
{
    struct items facts = fact_list(function, "args");
    for (size_t i = 0; i < facts.count; i++) {
        const char *name = arg_name(plan, facts, i);
        const char *strategy =
            or_of_row(plan, function, facts.items[i], arg_strategy(plan, facts.items[i]));
        if (!strategy) {
            return false;
        }
        strbuf_addf(args, "%s%s: '%s'", i ? "\n" : "", name, in_quotes(plan->arena, strategy));
        strbuf_addf(call, "%sCAST(:%s AS %s)", i ? ", " : "", name,
                    fact_text(facts.items[i], "type"));
    }
    return true;
}

static const char *reread_of(const struct plan *plan, struct value function)
{
    struct items names = fact_list(function, "reread");
    struct strbuf out = {0};
    for (size_t i = 0; i < names.count; i++) {
        strbuf_addf(&out, "%s%s", i ? "\n  UNION ALL " : "|\n  ",
                    rows_query(plan->arena, plan_table(plan, value_cstr(names.items[i]))));
    }
    return names.count ? strbuf_take(&out, plan->arena) : NULL;
}

/* The errors that it may raise. A privilege can only be missing if it runs as a user. */
static const char *errors_of(const struct plan *plan, struct value function, bool as_user)
{
    struct items codes = fact_list(function, "codes");
    struct strbuf out = {0};
    strbuf_adds(&out, "[None, integrity_constraint_violation, data_exception, plpgsql_error");
    strbuf_adds(&out, as_user && fact_is(function, "denied") ? ", insufficient_privilege" : "");
    for (size_t i = 0; i < codes.count; i++) {
        strbuf_addf(&out, ", %s", literal(plan->arena, codes.items[i]));
    }
    strbuf_addc(&out, ']');
    return strbuf_take(&out, plan->arena);
}

static const size_t NO_ROLE = SIZE_MAX;

/* `user` is the number of the role that calls it, or NOBODY. */
static void add_call(const struct plan *plan, struct value function, size_t user,
                     struct strbuf *out)
{
    const char *wanted = arena_printf(plan->arena, "call_%s", fact_text(function, "name"));
    const char *name = arena_printf(plan->arena, "%s%s", identifier(plan->arena, wanted),
                                    user != NO_ROLE ? policies_suffix(plan, user) : "");
    struct strbuf args = {0};
    struct strbuf call = {0};
    const char *sql = fact_text(function, "sql");
    const char *named = literal(plan->arena, fact_value(function, "sql")); /* on one line */
    bool as_user = user != NO_ROLE;
    strbuf_addf(&call, fact_is(function, "procedure") ? "CALL %s(" : "SELECT * FROM %s(", sql);
    if (fact_text(function, "lacks")) {
        strbuf_addf(out, "  # No rule calls %s: it needs %s, which %s makes.\n", named,
                    fact_text(function, "lacks"),
                    literal(plan->arena, fact_value(function, "maker")));
    } else if (fact_is(function, "ambiguous")) {
        strbuf_addf(out, "  # No rule calls %s: it may be another function of this name.\n", named);
    } else if (write_args(plan, function, &args, &call)) {
        strbuf_addc(&call, ')');
        const char *text = literal(plan->arena, value_text(plan->arena, strbuf_text(&call)));
        struct value together = fact_value(function, "together");
        const char *actors = as_user ? policies_actors(plan, together) : NULL;
        const char *of = row_of(plan, together);
        const char *reread = reread_of(plan, function);
        const struct hole holes[] = {
            {"name", name},
            {"args_key", actors || args.size ? "args:" : NULL},
            {"rows", of ? plan_table(plan, fact_text(together, "table"))->variable : NULL},
            {"of", of},
            {"actors", actors},
            {"args", args.size ? strbuf_text(&args) : NULL},
            {"user", as_user ? policies_user(plan, user) : NULL},
            {"as_user", as_user ? text : NULL},
            {"call", as_user ? NULL : text},
            {"reread", reread},
            {"raises", in_quotes(plan->arena, errors_of(plan, function, as_user))},
            {"names",
             reread ? in_quotes(plan->arena, literal(plan->arena, fact_value(function, "reread")))
                    : NULL},
            {0}};
        template_add(out, call_rule, holes);
    } else if (user == 0 || user == NO_ROLE) { /* the comment appears once */
        strbuf_addf(out, "  # No rule calls %s: no strategy is known for an argument's type.\n",
                    named);
    }
    strbuf_free(&args);
    strbuf_free(&call);
}

/* Adds calls as the other roles for which it is worthwhile. */
static void add_others(const struct plan *plan, struct value function, struct strbuf *out)
{
    struct items also = fact_list(function, "also");
    bool called = !fact_text(function, "lacks") && !fact_is(function, "ambiguous");
    for (size_t i = 1; called && i < plan->roles.count; i++) {
        if (fact_has(also, value_cstr(plan->roles.items[i]))) {
            add_call(plan, function, i, out);
        }
    }
}

void functions_add(const struct plan *plan, struct items functions, struct strbuf *out)
{
    for (size_t i = 0; i < functions.count; i++) {
        bool as_user = plan->roles.count > 0 && fact_is(functions.items[i], "as_user");
        add_call(plan, functions.items[i], as_user ? 0 : NO_ROLE, out);
        add_others(plan, functions.items[i], out);
    }
}
