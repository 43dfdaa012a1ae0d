#include "init/free.h"
#include "init/template.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

/* The argument that gives the setting's value. */
static const char *arg_of(const struct free_plan *plan, size_t index)
{
    struct value setting = plan->settings.items[index];
    struct items path = fact_list(setting, "path");
    const char *wanted =
        path.count ? value_cstr(path.items[path.count - 1]) : fact_text(setting, "name");
    const char *name = arena_printf(plan->arena, "set_%s", identifier(plan->arena, wanted));
    for (size_t i = 0; i < index; i++) {
        if (strcmp(arg_of(plan, i), name) == 0) {
            return arena_printf(plan->arena, "%s_%zu", name, index + 1);
        }
    }
    return name;
}

/* Values of a setting that names no row: those that texts compare it with, and others. */
static const char *values_of(const struct free_plan *plan, struct value setting)
{
    const char *type = fact_text(setting, "type");
    struct items labels = fact_list(setting, "labels");
    return type && pgtype_named(type)->setting && labels.count == 0
               ? arena_printf(plan->arena, "sampled_from(%s)", pgtype_named(type)->setting)
           : labels.count ? arena_printf(plan->arena, "one_of(sampled_from(%s), just(\"other\"))",
                                         literal(plan->arena, fact_value(setting, "labels")))
                          : "sampled_from([\"a\", \"b\"])";
}

/* The value of the rule's row, as an expression. */
static const char *column_in_row(const struct free_plan *plan, const struct free_user *user,
                                 struct value column)
{
    const char *rows = arena_printf(plan->arena, "rows_by_key[%s]",
                                    literal(plan->arena, fact_value(user->of->facts, "name")));
    const char *key = user->row == FREE_ROW_OF ? "of" : "key";
    return user->row == FREE_ROW_NEW
               ? arena_printf(plan->arena, "new.get(%s)", literal(plan->arena, column))
               : arena_printf(plan->arena, "%s[%s][%zu] if %s in %s else None", rows, key,
                              free_place(user->of, value_cstr(column)), key, rows);
}

/* Values of the rule's row that are probably the setting's, with a comma after each. */
static const char *values_in_row(const struct free_plan *plan, const struct free_user *user,
                                 const char *id)
{
    struct items columns =
        user->columns.type == VALUE_DICT ? fact_list(user->columns, id) : (struct items){0};
    struct strbuf out = {0};
    for (size_t i = 0; user->row != FREE_ROW_NONE && i < columns.count; i++) {
        strbuf_addf(&out, "just(%s), ", column_in_row(plan, user, columns.items[i]));
    }
    return out.size ? strbuf_take(&out, plan->arena) : "";
}

/* A column of a table, or the one that it refers to. */
struct root {
    const char *table;
    const char *column;
};

static struct root root_of(const struct table_plan *table, const char *column)
{
    struct items references = fact_list(table->facts, "references");
    for (size_t i = 0; i < references.count; i++) {
        struct items columns = fact_list(references.items[i], "columns");
        struct items parents = fact_list(references.items[i], "parent_columns");
        for (size_t j = 0; j < columns.count && j < parents.count; j++) {
            if (value_is_string(columns.items[j], column)) {
                return (struct root){fact_text(references.items[i], "parent"),
                                     value_cstr(parents.items[j])};
            }
        }
    }
    return (struct root){fact_text(table->facts, "name"), column};
}

/* The users in those rows of `through` that have the same value at that column, with a comma after
 * each: members of the row's project. */
static void add_related(const struct free_plan *plan, const struct table_plan *through,
                        struct root root, const char *value, const char *id, struct strbuf *out)
{
    struct value relation = fact_named(plan->relations, through->name);
    struct value actors =
        relation.type == VALUE_DICT ? fact_value(relation, "actors") : value_none();
    struct items users = actors.type == VALUE_DICT ? fact_list(actors, id) : (struct items){0};
    struct items columns = fact_list(through->facts, "columns");
    for (size_t i = 0; users.count > 0 && i < columns.count; i++) {
        const char *name = fact_text(columns.items[i], "name");
        struct root other = root_of(through, name);
        if (fact_has(users, name) || strcmp(other.table, root.table) != 0 ||
            strcmp(other.column, root.column) != 0) {
            continue;
        }
        strbuf_addf(out,
                    "sampled_from([r[%zu] for r in rows_by_key[%s].values() if r[%zu] == (%s)]), ",
                    free_place(through, value_cstr(users.items[0])),
                    literal(plan->arena, fact_value(through->facts, "name")), i, value);
    }
}

/* Users that other tables relate to the rule's row, or to its arguments. */
static const char *related_users(const struct free_plan *plan, const struct free_user *user,
                                 const char *id)
{
    struct strbuf out = {0};
    bool has_row = user->row == FREE_ROW_NEW || user->row == FREE_ROW_OF_KEY;
    struct items columns = has_row ? fact_list(user->of->facts, "columns") : (struct items){0};
    for (size_t i = 0; i < plan->plan->tables.count; i++) {
        const struct table_plan *through = &plan->plan->tables.items[i];
        if (fact_list(through->facts, "key").count == 0) {
            continue;
        }
        for (size_t j = 0; through != user->of && j < columns.count; j++) {
            struct value name = fact_value(columns.items[j], "name");
            add_related(plan, through, root_of(user->of, value_cstr(name)),
                        column_in_row(plan, user, name), id, &out);
        }
        for (size_t j = 0; user->args.type == VALUE_DICT && j < plan->plan->tables.count; j++) {
            const struct table_plan *of = &plan->plan->tables.items[j];
            struct items key = fact_list(of->facts, "key");
            const char *arg = fact_text(user->args, fact_text(of->facts, "name"));
            if (arg && key.count == 1) {
                add_related(plan, through, root_of(of, value_cstr(key.items[0])), arg, id, &out);
            }
        }
    }
    return out.size ? strbuf_take(&out, plan->arena) : "";
}

static const char *setting_strategy(const struct free_plan *plan, const struct free_user *user,
                                    struct value setting)
{
    const char *table = fact_text(setting, "table");
    const struct table_plan *users = table ? plan_table(plan->plan, table) : NULL;
    const char *own = values_in_row(plan, user, fact_text(setting, "id"));
    const char *values = values_of(plan, setting);
    const char *arg = users && user->args.type == VALUE_DICT ? fact_text(user->args, table) : NULL;
    own = arg ? arena_printf(plan->arena, "%sjust(%s), ", own, arg) : own;
    values = users ? arena_printf(plan->arena, "known(%s, %s)", users->variable, values) : values;
    const char *related = users ? related_users(plan, user, fact_text(setting, "id")) : "";
    return *own || *related
               ? arena_printf(plan->arena, "one_of(%s%s%s%s)", own, own, related, values)
               : values;
}

/* The roles to run a statement as: mostly those that may, but the others show what is denied. */
static const char *roles_of(const struct free_plan *plan, struct items may)
{
    size_t others = plan->roles.count + 2 * may.count;
    struct strbuf out = {0};
    for (size_t i = 0; i < 2 + others / 2; i++) {
        strbuf_addf(&out, "%s\"none\"", i ? ", " : "");
    }
    for (size_t i = 0; i < plan->roles.count; i++) {
        const char *name = literal(plan->arena, plan->roles.items[i]);
        bool has = fact_has(may, value_cstr(plan->roles.items[i]));
        strbuf_addf(&out, ", %s", name);
        if (has) {
            strbuf_addf(&out, ", %s, %s", name, name);
        }
    }
    return arena_printf(plan->arena, "sampled_from([%s])", strbuf_take(&out, plan->arena));
}

const char *free_user_args(const struct free_plan *plan, const struct free_user *user)
{
    struct strbuf out = {0};
    if (plan->roles.count > 0) {
        strbuf_addf(&out, "as_role: '%s'", in_quotes(plan->arena, roles_of(plan, user->may)));
    }
    for (size_t i = 0; user->looks && i < plan->settings.count; i++) {
        strbuf_addf(&out, "%s%s: '%s'", out.size ? "\n" : "", arg_of(plan, i),
                    in_quotes(plan->arena, setting_strategy(plan, user, plan->settings.items[i])));
    }
    return out.size ? strbuf_take(&out, plan->arena) : NULL;
}

const char *free_user_context(const struct free_plan *plan, const struct free_user *user)
{
    return user->looks && plan->settings.count ? "user" : plan->roles.count ? "role" : NULL;
}

/* Whether the claim at `index` lies below the same members as that at `first`, `depth` of them. */
static bool is_below(const struct free_plan *plan, size_t index, size_t first, size_t depth)
{
    struct items path = fact_list(plan->settings.items[index], "path");
    struct items start = fact_list(plan->settings.items[first], "path");
    bool below = path.count > depth && start.count > depth;
    for (size_t i = 0; below && i < depth; i++) {
        below = value_equal(path.items[i], start.items[i]);
    }
    return below;
}

/* Whether an earlier claim below the same members has the same one next. */
static bool is_written(const struct free_plan *plan, size_t index, size_t first, size_t depth)
{
    struct value name = fact_list(plan->settings.items[index], "path").items[depth];
    for (size_t i = 0; i < index; i++) {
        if (is_below(plan, i, first, depth) &&
            value_equal(fact_list(plan->settings.items[i], "path").items[depth], name)) {
            return true;
        }
    }
    return false;
}

/* The claims below the first `depth` members of one of them, as a dict. Claims nest as far as the
 * schema's texts go down. */
static void add_claims(const struct free_plan *plan, size_t first,
                       size_t depth, // NOLINT(misc-no-recursion)
                       struct strbuf *out)
{
    const char *comma = "";
    strbuf_addc(out, '{');
    for (size_t i = 0; i < plan->settings.count; i++) {
        struct items path = fact_list(plan->settings.items[i], "path");
        if (!is_below(plan, i, first, depth) || is_written(plan, i, first, depth)) {
            continue;
        }
        strbuf_addf(out, "%s%s: ", comma, literal(plan->arena, path.items[depth]));
        if (path.count == depth + 1) {
            strbuf_adds(out, arg_of(plan, i));
        } else {
            add_claims(plan, i, depth + 1, out);
        }
        comma = ", ";
    }
    if (depth == 0 && plan->roles.count) {
        strbuf_addf(out, "%s\"role\": as_role", comma);
    }
    strbuf_addc(out, '}');
}

static void add_user(const struct free_plan *plan)
{
    static const char text[] = "  user:\n"
                               "    role: $role\n"
                               "    settings: {$settings}\n"
                               "    claims: '$claims'\n";
    struct strbuf settings = {0};
    struct strbuf claims = {0};
    size_t claim = SIZE_MAX;
    for (size_t i = 0; i < plan->settings.count; i++) {
        struct value setting = plan->settings.items[i];
        if (fact_list(setting, "path").count > 0) {
            claim = claim == SIZE_MAX ? i : claim;
        } else {
            strbuf_addf(&settings, "%s%s: %s", settings.size ? ", " : "",
                        fact_text(setting, "name"), arg_of(plan, i));
        }
    }
    if (claim != SIZE_MAX) {
        add_claims(plan, claim, 0, &claims);
    }
    const struct hole holes[] = {
        {"role", plan->roles.count ? ":as_role" : NULL},
        {"settings", settings.size ? strbuf_text(&settings) : NULL},
        {"claims", claims.size ? in_quotes(plan->arena, strbuf_text(&claims)) : NULL},
        {0}};
    template_add(plan->out, text, holes);
    strbuf_free(&settings);
    strbuf_free(&claims);
}

void free_add_contexts(const struct free_plan *plan)
{
    if (plan->roles.count || plan->settings.count) {
        strbuf_adds(plan->out, "contexts:\n  # As whom rules run: \"none\" is the user of the "
                               "connection.\n");
    }
    strbuf_adds(plan->out, plan->roles.count ? "  role:\n    role: :as_role\n" : "");
    if (plan->settings.count) {
        add_user(plan);
    }
}
