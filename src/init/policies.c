#include "init/policies.h"

#include "init/model.h"
#include "init/template.h"
#include "init/writer.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

/* True if the setting holds all claims of a token, as PostgREST passes them. */
static bool holds_claims(const char *setting) { return strcmp(setting, "request.jwt.claims") == 0; }

static const struct table_plan *actors_of(const struct plan *plan, size_t index)
{
    const char *table = fact_text(plan->settings.items[index], "table");
    return table ? plan_table(plan, table) : NULL;
}

/* The argument that gives the setting's value: one for each table. */
static const char *actor_name(const struct plan *plan, size_t index)
{
    const struct table_plan *table = actors_of(plan, index);
    return table ? arena_printf(plan->arena, "actor_%s", table->variable)
                 : arena_printf(
                       plan->arena, "setting_%s",
                       identifier(plan->arena, fact_text(plan->settings.items[index], "name")));
}

/* Values of a setting that names no row: those that policies compare it with, and others. */
static const char *values_of(const struct plan *plan, struct value setting)
{
    const char *type =
        holds_claims(fact_text(setting, "name")) ? "uuid" : fact_text(setting, "type");
    struct items labels = fact_list(setting, "labels");
    struct strbuf out = {0};
    if (type && pgtype_named(type)->setting) {
        return pgtype_named(type)->setting;
    }
    for (size_t i = 0; i < labels.count; i++) {
        strbuf_addf(&out, "%s, ", literal(plan->arena, labels.items[i]));
    }
    const char *text = arena_printf(plan->arena, "[%s\"other\"]", strbuf_text(&out));
    strbuf_free(&out);
    return text;
}

const char *policies_user(const struct plan *plan, size_t user)
{
    const char *suffix = policies_suffix(plan, user);
    return arena_printf(plan->arena, "user%s", suffix);
}

const char *policies_suffix(const struct plan *plan, size_t user)
{
    const char *name = identifier(plan->arena, value_cstr(plan->roles.items[user]));
    size_t same = 0;
    for (size_t i = 1; i < user; i++) {
        same += strcmp(name, identifier(plan->arena, value_cstr(plan->roles.items[i]))) == 0;
    }
    return user == 0   ? ""
           : same == 0 ? arena_printf(plan->arena, "_%s", name)
                       : arena_printf(plan->arena, "_%s_%zu", name, same + 1);
}

struct value policies_of(const struct plan *plan, const struct table_plan *table, size_t user)
{
    struct value policies = fact_value(table->facts, "policies");
    return policies.type == VALUE_DICT ? fact_value(policies, value_cstr(plan->roles.items[user]))
                                       : policies;
}

/* A user related to the row `of`: the row names the user, or both belong to the same group. */
static const char *actor_strategy(const struct plan *plan, const struct table_plan *users,
                                  struct value together)
{
    static const char named[] =
        "'$rows[of][$column] if of != None and $rows[of][$column] != None else $users'";
    static const char fellow[] =
        "'sampled_from([r[$column] for r in $peers if r[$column] != None and r[$theirs] "
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
        {"peers", peer ? in_quotes(arena, plan_rows(plan, plan_table(plan, peer))) : NULL},
        {"theirs", in_quotes(arena, literal(arena, fact_value(together, "peer_link")))},
        {"link", in_quotes(arena, literal(arena, fact_value(together, "link")))},
        {0}};
    return template_text(arena, peer ? fellow : named, holes);
}

/* A row's values that may be the setting's; NULL if there are none. */
static const char *may_be(struct value setting)
{
    const char *type = fact_text(setting, "type");
    return type ? pgtype_named(type)->setting_test : "type(v) == \"string\"";
}

/* A strategy for a setting that names no row; it includes the row's values that policies compare it
 * with. */
static const char *drawn_setting(const struct plan *plan, struct value setting, const char *row)
{
    const char *values = values_of(plan, setting);
    const char *others = row ? may_be(setting) : NULL;
    return others ? arena_printf(plan->arena, "sampled_from(%s + [v for v in %s.values() if %s])",
                                 values, row, others)
                  : arena_printf(plan->arena, "sampled_from(%s)", values);
}

/* The rule that the arguments are for. */
struct acts {
    struct value together; /* of a function: the row that a user may also come from; or None */
    const char *row;       /* an expression for the rule's row; or NULL */
    bool all;              /* collections for `for`, instead of strategies */
};

static const char *setting_arg(const struct plan *plan, size_t index, const struct acts *acts)
{
    const struct table_plan *table = actors_of(plan, index);
    struct value setting = plan->settings.items[index];
    const char *text =
        acts->all ? arena_printf(plan->arena, "%s[:2]", values_of(plan, setting)) : NULL;
    return table ? actor_strategy(plan, table, acts->together)
                 : arena_printf(plan->arena, "'%s'",
                                in_quotes(plan->arena,
                                          text ? text : drawn_setting(plan, setting, acts->row)));
}

static const char *actors(const struct plan *plan, const struct acts *acts)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < plan->settings.count; i++) {
        bool first = true;
        for (size_t j = 0; j < i; j++) {
            first = first && strcmp(actor_name(plan, j), actor_name(plan, i)) != 0;
        }
        if (first) {
            strbuf_addf(&out, "%s%s: %s", out.size ? "\n" : "", actor_name(plan, i),
                        setting_arg(plan, i, acts));
        }
    }
    return out.size ? strbuf_take(&out, plan->arena) : NULL;
}

const char *policies_actors(const struct plan *plan, struct value together)
{
    return actors(plan, &(struct acts){.together = together});
}

const char *policies_all_actors(const struct plan *plan)
{
    return actors(plan, &(struct acts){.together = value_none(), .all = true});
}

/* The actors of a rule with a row. */
static const char *actors_of_row(const struct plan *plan, const char *row)
{
    return actors(plan, &(struct acts){.together = value_none(), .row = row});
}

static void add_context(const struct plan *plan, size_t user, struct strbuf *out)
{
    static const char text[] = "  $user:\n"
                               "    role: $role\n"
                               "    settings: {$settings}\n"
                               "    claims: '{\"sub\": $subject, \"role\": $role}'\n";
    struct strbuf settings = {0};
    const char *subject = NULL;
    for (size_t i = 0; i < plan->settings.count; i++) {
        const char *name = fact_text(plan->settings.items[i], "name");
        const char *actor = actor_name(plan, i);
        if (holds_claims(name)) {
            subject = arena_printf(plan->arena, "str(%s)", actor);
        } else {
            strbuf_addf(&settings, "%s%s: str(%s)", settings.size ? ", " : "", name, actor);
        }
    }
    const struct hole holes[] = {{"user", policies_user(plan, user)},
                                 {"role", literal(plan->arena, plan->roles.items[user])},
                                 {"settings", settings.size ? strbuf_text(&settings) : NULL},
                                 {"subject", subject},
                                 {0}};
    template_add(out, text, holes);
    strbuf_free(&settings);
}

void policies_add_context(const struct plan *plan, struct strbuf *out)
{
    strbuf_adds(out, plan->roles.count == 0
                         ? ""
                         : "contexts:\n"
                           "  # Whom policies are tested as. What follows from the table's rows\n"
                           "  # and the policy's text is what this user may see and do.\n");
    for (size_t i = 0; i < plan->roles.count; i++) {
        add_context(plan, i, out);
    }
}

/* The statements contain the conditions, so that the server evaluates them in the user's context:
 * it must accept rows that they allow, and refuse all others. */
static const char insert_rules[] =
    "  insert_${variable}_as_user$suffix:\n"
    "    args:\n"
    "      $new\n"
    "      $users\n"
    "    as: $user\n"
    "    sql: |\n"
    "      INSERT INTO $table AS t ($columns)\n"
    "      SELECT $columns FROM jsonb_populate_record(NULL::$type, :new) AS $alias\n"
    "      WHERE ($insert) AND ($select)\n"
    "      RETURNING $returning\n"
    "    raises: '[None$denied] + db.inserting($name, new)'\n"
    "    model: db.read(result.rows)\n"
    "  insert_${variable}_refused$suffix:\n"
    "    weight: 0.3\n"
    "    args:\n"
    "      $new\n"
    "      $users\n"
    "    as: $user\n"
    "    sql: |\n"
    "      INSERT INTO $table AS t ($columns)\n"
    "      SELECT $columns FROM jsonb_populate_record(NULL::$type, :new) AS $alias\n"
    "      WHERE ($insert) IS NOT TRUE\n"
    "    raises: '[None, insufficient_privilege, not_null_violation] + db.may($name)'\n"
    "    affects: 0\n";

static const char update_rules[] =
    "  update_${variable}_as_user$suffix:\n"
    "    args:\n"
    "      key: $variable\n"
    "      $actors\n"
    "      $to\n"
    "      columns: '$chosen'\n"
    "    let: {row: '${variable}[key]', change: '{c: to[c] for c in columns}'$lets}\n"
    "    as: $user\n"
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
    "  update_${variable}_refused$suffix:\n"
    "    weight: 0.3\n"
    "    args:\n"
    "      key: $variable\n"
    "      $actors\n"
    "      $to\n"
    "      columns: '$chosen'\n"
    "    let: {row: '${variable}[key]', change: '{c: to[c] for c in columns}'$lets}\n"
    "    as: $user\n"
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
    "  delete_${variable}_as_user$suffix:\n"
    "    weight: 0.3\n"
    "    args:\n"
    "      key: $variable\n"
    "      $actors\n"
    "    let: {row: '${variable}[key]'$lets}\n"
    "    as: $user\n"
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

static void add_rules(const struct plan *plan, const struct table_plan *table, size_t user,
                      struct strbuf *out)
{
    const struct writer writer = writer_for(plan, table, out);
    struct value policies = policies_of(plan, table, user);
    if (policies.type != VALUE_DICT || writer.rereads || table->why_not || writer.key.count == 0 ||
        !fact_text(policies, "select")) {
        return;
    }
    const char *lets = key_lets(&writer);
    const char *columns = columns_text(&writer, is_drawn, "sql", "");
    const char *changed = columns_text(&writer, is_changed, "", "");
    const char *chosen =
        changed ? arena_printf(plan->arena, "sets(sampled_from([%s]), min_size=1)", changed) : "";
    const struct hole holes[] = {
        {"variable", table->variable},
        {"user", policies_user(plan, user)},
        {"suffix", policies_suffix(plan, user)},
        {"actors", actors_of_row(plan, arena_printf(plan->arena, "%s[key]", table->variable))},
        {"users", actors_of_row(plan, "new")},
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

void policies_add_rules(const struct plan *plan, const struct table_plan *table, struct strbuf *out)
{
    for (size_t i = 0; i < plan->roles.count; i++) {
        add_rules(plan, table, i, out);
    }
}
