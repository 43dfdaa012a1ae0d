#include "init/policies.h"

#include "init/model.h"
#include "init/template.h"
#include "init/writer.h"

#include <string.h>

/* Whether the setting holds all claims of a token, as PostgREST passes them. */
static bool holds_claims(const char *setting) { return strcmp(setting, "request.jwt.claims") == 0; }

static const struct table_plan *actors_of(const struct plan *plan, size_t index)
{
    const char *table = fact_text(plan->settings.items[index], "table");
    return table ? plan_table(plan, table) : NULL;
}

static const char *actor_name(const struct plan *plan, const struct table_plan *table)
{
    return arena_printf(plan->arena, "actor_%s", table ? table->variable : "");
}

/* A user who has to do with the row `of`: it names the user, or both belong to the same. */
static const char *actor_strategy(const struct plan *plan, const struct table_plan *users,
                                  struct value together)
{
    static const char named[] =
        "'$rows[of][$column] if of != None and $rows[of][$column] != None else $users'";
    static const char fellow[] =
        "'sampled_from([r[$column] for r in $peers.values() if r[$column] != None and r[$theirs] "
        "== $rows[of][$link]] or $users) if of != None else $users'";
    struct value column = together.type == VALUE_DICT
                              ? fact_value(fact_value(together, "actors"), users->name)
                              : value_none();
    const char *peer = together.type == VALUE_DICT &&
                               value_is_string(fact_value(together, "peer_actor"), users->name)
                           ? fact_text(together, "peer")
                           : NULL;
    if (column.type == VALUE_NONE && !peer) {
        return users->variable;
    }
    struct arena *arena = plan->arena;
    const struct hole holes[] = {
        {"users", users->variable},
        {"rows", plan_table(plan, fact_text(together, "table"))->variable},
        {"column",
         in_quotes(arena, literal(arena, peer ? fact_value(together, "peer_user") : column))},
        {"peers", peer ? plan_table(plan, peer)->variable : NULL},
        {"theirs", in_quotes(arena, literal(arena, fact_value(together, "peer_link")))},
        {"link", in_quotes(arena, literal(arena, fact_value(together, "link")))},
        {0}};
    return template_text(arena, peer ? fellow : named, holes);
}

const char *policies_actors(const struct plan *plan, struct value together)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < plan->settings.count; i++) {
        const struct table_plan *table = actors_of(plan, i);
        bool first = table != NULL;
        for (size_t j = 0; j < i; j++) {
            first = first && actors_of(plan, j) != table;
        }
        if (first) {
            strbuf_addf(&out, "%s%s: %s", out.size ? "\n" : "", actor_name(plan, table),
                        actor_strategy(plan, table, together));
        }
    }
    return out.size ? strbuf_take(&out, plan->arena) : NULL;
}

void policies_add_context(const struct plan *plan, struct strbuf *out)
{
    static const char text[] =
        "contexts:\n"
        "  # Whom policies are tested as. What follows from the table's rows\n"
        "  # and the policy's text is what this user may see and do.\n"
        "  user:\n"
        "    role: $role\n"
        "    settings: {$settings}\n"
        "    claims: '{\"sub\": $subject, \"role\": $role}'\n";
    struct strbuf settings = {0};
    const char *subject = NULL;
    if (!plan->role) {
        return;
    }
    for (size_t i = 0; i < plan->settings.count; i++) {
        const char *name = fact_text(plan->settings.items[i], "name");
        const char *actor = actor_name(plan, actors_of(plan, i));
        if (holds_claims(name)) {
            subject = arena_printf(plan->arena, "str(%s)", actor);
        } else {
            strbuf_addf(&settings, "%s%s: str(%s)", settings.size ? ", " : "", name, actor);
        }
    }
    const struct hole holes[] = {
        {"role", literal(plan->arena, value_text(plan->arena, plan->role))},
        {"settings", settings.size ? strbuf_text(&settings) : NULL},
        {"subject", subject},
        {0}};
    template_add(out, text, holes);
    strbuf_free(&settings);
}

/* The conditions stand in the statements themselves, so that the server says whether they hold, in
 * the user's own context: a row that they allow must be taken, any other one refused. */
static const char insert_rules[] =
    "  insert_${variable}_as_user:\n"
    "    args:\n"
    "      $actors\n"
    "      $new\n"
    "    as: user\n"
    "    sql: |\n"
    "      INSERT INTO $table AS t ($columns)\n"
    "      SELECT $columns FROM jsonb_populate_record(NULL::$type, :new) AS $alias\n"
    "      WHERE ($insert) AND ($select)\n"
    "      RETURNING $returning\n"
    "    raises: '[None$denied] + db.inserting($name, new)'\n"
    "    model: db.read(result.rows)\n"
    "  insert_${variable}_refused:\n"
    "    weight: 0.3\n"
    "    args:\n"
    "      $actors\n"
    "      $new\n"
    "    as: user\n"
    "    sql: |\n"
    "      INSERT INTO $table AS t ($columns)\n"
    "      SELECT $columns FROM jsonb_populate_record(NULL::$type, :new) AS $alias\n"
    "      WHERE ($insert) IS NOT TRUE\n"
    "    raises: '[None, insufficient_privilege, not_null_violation] + db.may($name)'\n"
    "    affects: 0\n";

static const char update_rules[] =
    "  update_${variable}_as_user:\n"
    "    args:\n"
    "      $actors\n"
    "      key: $variable\n"
    "      $to\n"
    "      columns: '$chosen'\n"
    "    let: {row: '${variable}[key]', change: '{c: to[c] for c in columns}'$lets}\n"
    "    as: user\n"
    "    sql: |\n"
    "      WITH before AS (\n"
    "          SELECT FROM jsonb_populate_record(NULL::$type, :row) AS $alias\n"
    "          WHERE ($select) AND ($update)\n"
    "        ), after AS (\n"
    "          SELECT FROM jsonb_populate_record(jsonb_populate_record(NULL::$type, :row), "
    ":change) AS $alias\n"
    "          WHERE ($select) AND ($updated)\n"
    "        ), changed AS (\n"
    "          UPDATE $source AS t SET ($changed) =\n"
    "            (SELECT $new_changed FROM jsonb_populate_record(t.*, :change) AS new)\n"
    "          WHERE $where AND EXISTS (SELECT FROM after) RETURNING $row AS row\n"
    "        )\n"
    "      SELECT EXISTS (SELECT FROM before) AND EXISTS (SELECT FROM after), (SELECT row FROM "
    "changed)\n"
    "    raises: '[None$denied] + db.updating($name, key, change)'\n"
    "    check: result.row[0] == (result.row[1] != None)\n"
    "    model: |\n"
    "      if result.row[1] != None:\n"
    "          db.update($plain_name, key, result.row[1])\n"
    "  update_${variable}_refused:\n"
    "    weight: 0.3\n"
    "    args:\n"
    "      $actors\n"
    "      key: $variable\n"
    "      $to\n"
    "      columns: '$chosen'\n"
    "    let: {row: '${variable}[key]', change: '{c: to[c] for c in columns}'$lets}\n"
    "    as: user\n"
    "    sql: |\n"
    "      WITH after AS (\n"
    "          SELECT FROM jsonb_populate_record(jsonb_populate_record(NULL::$type, :row), "
    ":change) AS $alias\n"
    "          WHERE ($select) AND ($updated)\n"
    "        )\n"
    "      UPDATE $source AS t SET ($changed) =\n"
    "        (SELECT $new_changed FROM jsonb_populate_record(t.*, :change) AS new)\n"
    "      WHERE $where AND NOT EXISTS (SELECT FROM after)\n"
    "    raises: '[None, insufficient_privilege, not_null_violation] + db.may($name)'\n"
    "    affects: 0\n";

static const char delete_rule[] =
    "  delete_${variable}_as_user:\n"
    "    weight: 0.3\n"
    "    args:\n"
    "      $actors\n"
    "      key: $variable\n"
    "    let: {row: '${variable}[key]'$lets}\n"
    "    as: user\n"
    "    sql: |\n"
    "      WITH allowed AS (\n"
    "          SELECT FROM jsonb_populate_record(NULL::$type, :row) AS $alias\n"
    "          WHERE ($select) AND ($delete)\n"
    "        ), gone AS (\n"
    "          DELETE FROM $source AS t WHERE $where RETURNING 1\n"
    "        )\n"
    "      SELECT EXISTS (SELECT FROM allowed), EXISTS (SELECT FROM gone)\n"
    "    raises: '[None$denied] + db.deleting($name, key)'\n"
    "    check: result.row[0] == result.row[1]\n"
    "    model: |\n"
    "      if result.row[1]:\n"
    "          db.delete($plain_name, key)\n";

void policies_add_rules(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    const struct writer writer = writer_for(plan, table, out);
    struct value policies = fact_value(table->facts, "policies");
    if (!plan->role || policies.type != VALUE_DICT || writer.rereads || table->why_not ||
        writer.key.count == 0 || !fact_text(policies, "select")) {
        return;
    }
    const char *lets = key_lets(&writer);
    const char *columns = columns_text(&writer, is_drawn, "sql", "");
    const char *changed = columns_text(&writer, is_changed, "", "");
    const char *chosen =
        changed ? arena_printf(plan->arena, "sets(sampled_from([%s]), min_size=1)", changed) : "";
    const struct hole holes[] = {
        {"variable", table->variable},
        {"actors", policies_actors(plan, value_none())},
        {"new", row_arg(&writer, "new")},
        {"to", row_arg(&writer, "to")},
        {"chosen", in_quotes(plan->arena, chosen)},
        {"lets", lets ? arena_printf(plan->arena, ", %s", lets) : ""},
        {"table", table->sql},
        {"source", table->source},
        {"type", table->type},
        {"alias", fact_text(table->facts, "alias")},
        {"columns", columns},
        {"changed", columns_text(&writer, is_changed, "sql", "")},
        {"new_changed", columns_text(&writer, is_changed, "sql", "new.")},
        {"where", where_key(&writer)},
        {"row", row_expression(plan->arena, table)},
        {"returning", returned_row(plan->arena, table)},
        {"name", in_quotes(plan->arena, table_literal(&writer))},
        {"plain_name", table_literal(&writer)},
        {"denied", fact_is(table->facts, "denied") ? ", insufficient_privilege" : ""},
        {"select", fact_text(policies, "select")},
        {"insert", fact_text(policies, "insert")},
        {"update", fact_text(policies, "update")},
        {"updated", fact_text(policies, "updated")},
        {"delete", fact_text(policies, "delete")},
        {0}};
    if (fact_text(policies, "insert") && columns) {
        template_add(out, insert_rules, holes);
    }
    if (fact_text(policies, "update") && changed) {
        template_add(out, update_rules, holes);
    }
    if (fact_text(policies, "delete")) {
        template_add(out, delete_rule, holes);
    }
}
