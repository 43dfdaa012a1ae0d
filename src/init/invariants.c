#include "init/invariants.h"

#include "init/model.h"
#include "init/policies.h"
#include "init/template.h"

#include <string.h>

static void add_rows(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    static const char text[] = "  $name:\n"
                               "    sql: |\n"
                               "      SELECT $row FROM $table AS t\n"
                               "    expect: bag([(r,) for r in $variable.values()])\n";
    const struct hole holes[] = {{"name", table->variable},
                                 {"row", row_expression(plan->arena, table)},
                                 {"table", table->source},
                                 {"variable", table->variable},
                                 {0}};
    template_add(out, text, holes);
}

/* Queries that find rows which break a constraint. The model predicts the `exact` ones. */
static void add_broken(const struct plan *plan, struct items facts, const char *prefix,
                       struct strbuf *out)
{
    static const char text[] = "  $name:\n"
                               "    every: 5\n"
                               "    sql: |\n"
                               "      $sql\n";
    for (size_t i = 0; i < facts.count; i++) {
        const char *sql = fact_text(facts.items[i], "broken");
        const char *wanted =
            arena_printf(plan->arena, "%s%s", prefix, fact_text(facts.items[i], "name"));
        if (!sql || fact_is(facts.items[i], "exact")) {
            continue;
        }
        const struct hole holes[] = {{"name", identifier(plan->arena, wanted)}, {"sql", sql}, {0}};
        template_add(out, text, holes);
    }
}

/* What the user sees of a table with policies must be what they allow of its rows. */
static void add_seen(const struct plan *plan, const struct table_plan *table, size_t user,
                     struct strbuf *out)
{
    static const char text[] =
        "  $name:\n"
        "    every: 5\n"
        "    for:\n"
        "      $actors\n"
        "      rows: '[list($variable.values())]'\n"
        "    as: $user\n"
        "    sql: |\n"
        "      WITH seen AS (SELECT $row AS row FROM $table AS t),\n"
        "        allowed AS (SELECT $row AS row FROM (\n"
        "          SELECT $alias.* FROM jsonb_populate_recordset(NULL::$type, :rows) AS $alias\n"
        "          WHERE $select) AS t)\n"
        "      (SELECT 'seen, not allowed', row FROM seen EXCEPT ALL SELECT 'seen, not allowed', "
        "row FROM allowed)\n"
        "      UNION ALL (SELECT 'allowed, not seen', row FROM allowed EXCEPT ALL SELECT 'allowed, "
        "not seen', row FROM seen)\n";
    struct value policies = policies_of(plan, table, user);
    if (policies.type != VALUE_DICT || !fact_text(policies, "select")) {
        return;
    }
    const struct hole holes[] = {{"name", arena_printf(plan->arena, "%s_seen%s", table->variable,
                                                       policies_suffix(plan, user))},
                                 {"user", policies_user(plan, user)},
                                 {"actors", policies_all_actors(plan)},
                                 {"variable", table->variable},
                                 {"row", row_expression(plan->arena, table)},
                                 {"table", table->source},
                                 {"type", table->type},
                                 {"alias", fact_text(table->facts, "alias")},
                                 {"select", fact_text(policies, "select")},
                                 {0}};
    template_add(out, text, holes);
}

void invariants_add(const struct plan *plan, struct strbuf *out)
{
    static const struct {
        const char *facts;
        bool named; /* the name is a constraint's, which says what it is about */
    } kinds[] = {{"columns", false},
                 {"checks", true},
                 {"nulls", true},
                 {"uniques", true},
                 {"references", true}};
    strbuf_adds(out, "  # Each table, compared with the model.\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        add_rows(plan, &plan->tables.items[i], out);
        for (size_t j = 0; j < plan->roles.count; j++) {
            add_seen(plan, &plan->tables.items[i], j, out);
        }
    }
    strbuf_adds(out, "  # Constraints that the model does not foretell: no row may break them.\n");
    for (size_t i = 0; i < plan->tables.count; i++) {
        const struct table_plan *table = &plan->tables.items[i];
        for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++) {
            const char *prefix =
                kinds[j].named ? "" : arena_printf(plan->arena, "%s_", table->variable);
            add_broken(plan, fact_list(table->facts, kinds[j].facts), prefix, out);
        }
    }
}
