#include "init/untested.h"

#include <string.h>

enum {
    NAMED_MAX = 8,
    ENTRY_MAX = 50, /* entries, so that reports can name what a run does not test */
};

static void begin_list(const char *what, struct strbuf *out)
{
    strbuf_addf(out, "# Not tested: %s ", what);
}

/* Adds a name to a list, which shows only the first few. */
static void add_listed_name(const struct plan *plan, size_t index, struct value name,
                            struct strbuf *out)
{
    const char *text = value_repr_text(plan->arena, name); /* on one line */
    if (index < NAMED_MAX) {
        strbuf_addf(out, "%s%.*s", index ? ", " : "", (int)strlen(text) - 2, text + 1);
    }
}

static void end_names(size_t count, struct strbuf *out)
{
    if (count > NAMED_MAX) {
        strbuf_addf(out, ", … (%zu more)", count - NAMED_MAX);
    }
}

static void add_names(const struct plan *plan, struct items names, struct strbuf *out)
{
    for (size_t i = 0; i < names.count; i++) {
        add_listed_name(plan, i, names.items[i], out);
    }
    end_names(names.count, out);
}

/* "a", or "a" or "b" */
static const char *role(const struct plan *plan)
{
    struct strbuf out = {0};
    for (size_t i = 0; i < plan->roles.count; i++) {
        strbuf_addf(&out, "%s%s",
                    i == 0                      ? ""
                    : i + 1 < plan->roles.count ? ", "
                                                : " or ",
                    literal(plan->arena, plan->roles.items[i]));
    }
    return strbuf_take(&out, plan->arena);
}

static void add_policies(const struct plan *plan, struct value facts, struct strbuf *out)
{
    struct items names = fact_list(facts, plan->roles.count > 0 ? "of_others" : "policies");
    if (names.count == 0) {
        return;
    }
    begin_list("policies", out);
    add_names(plan, names, out);
    if (plan->roles.count > 0) {
        strbuf_addf(out, ", which are not for %s.\n", role(plan));
    } else {
        strbuf_adds(out, ": they hold for no role but owners and superusers.\n");
    }
}

/* A mistake in the schema: the server refuses each statement that evaluates such a policy. */
static void add_recursion(const struct plan *plan, struct value facts, struct strbuf *out)
{
    struct items policies = fact_list(facts, "recursive");
    if (policies.count == 0 || plan->roles.count == 0) {
        return;
    }
    begin_list("what", out);
    strbuf_addf(out, "%s may do with tables ", role(plan));
    add_names(plan, fact_list(facts, "unusable"), out);
    strbuf_adds(out, ": the query of a policy asks that policy again, which the server refuses "
                     "(infinite recursion): ");
    add_names(plan, policies, out);
    strbuf_adds(out, ".\n");
}

/* Nullable columns whose values can't be drawn. */
static void add_undrawn_columns(const struct plan *plan, struct strbuf *out)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->tables.count; i++) {
        const struct table_plan *table = &plan->tables.items[i];
        struct items columns = fact_list(table->facts, "columns");
        for (size_t j = 0; j < columns.count && !table->why_not; j++) {
            if (fact_is(columns.items[j], "unknown")) {
                if (count == 0) {
                    begin_list("columns", out);
                }
                add_listed_name(
                    plan, count++,
                    value_text(plan->arena, arena_printf(plan->arena, "%s.%s (%s)", table->name,
                                                         fact_text(columns.items[j], "name"),
                                                         fact_text(columns.items[j], "base"))),
                    out);
            }
        }
    }
    end_names(count, out);
    strbuf_adds(out, count ? ", which stay NULL: no values of these types can be drawn.\n" : "");
}

/* True if each of the columns needs a value. */
static bool must_refer(const struct table_plan *table, struct value reference)
{
    struct items columns = fact_list(reference, "columns");
    bool must = true;
    for (size_t i = 0; must && i < columns.count; i++) {
        struct value column = plan_column(table, value_cstr(columns.items[i]));
        must = fact_is(column, "required") && !fact_is(column, "triggered");
    }
    return must;
}

/* True if a first row can be inserted, given rows of the tables in `filled` and of its group. */
static bool can_fill_it(const struct plan *plan, const struct table_plan *table, const bool *filled)
{
    struct items references = fact_list(table->facts, "references");
    bool can = !table->why_not && !fact_is(table->facts, "no_partition");
    for (size_t i = 0; can && i < references.count; i++) {
        const struct table_plan *parent =
            plan_table(plan, fact_text(references.items[i], "parent"));
        can = filled[parent - plan->tables.items] || !must_refer(table, references.items[i]) ||
              (table->together && parent->together == table->together);
    }
    return can;
}

static bool can_fill(const struct plan *plan, const struct table_plan *table, const bool *filled)
{
    bool can = can_fill_it(plan, table, filled);
    for (size_t i = 0; table->together && i < plan->tables.count; i++) {
        const struct table_plan *other = &plan->tables.items[i];
        can = can && (other->together != table->together || can_fill_it(plan, other, filled));
    }
    return can;
}

/* By table: true if it can have rows. */
static const bool *find_filled(const struct plan *plan)
{
    bool *filled = ARENA_ARRAY(plan->arena, bool, plan->tables.count + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < plan->tables.count; i++) {
            const struct table_plan *table = &plan->tables.items[i];
            if (!filled[i] &&
                (fact_is(table->facts, "has_rows") || can_fill(plan, table, filled))) {
                filled[i] = changed = true;
            }
        }
    }
    return filled;
}

/* Tables into which no rule can insert, for example because rows of two must refer to each other.
 */
static void add_unfillable_tables(const struct plan *plan, struct strbuf *out)
{
    const bool *filled = find_filled(plan);
    size_t count = 0;
    for (size_t i = 0; i < plan->tables.count; i++) {
        if (!filled[i]) {
            if (count == 0) {
                begin_list("tables", out);
            }
            add_listed_name(plan, count++, fact_value(plan->tables.items[i].facts, "name"), out);
        }
    }
    end_names(count, out);
    strbuf_adds(out,
                count ? ": no rule can insert a first row, or one that it must refer to.\n" : "");
}

/* Adds a list of names with a text as an entry of `untested`. */
static void add_entry(const struct plan *plan, struct items names, const char *what,
                      struct strbuf *out)
{
    struct strbuf list = {0};
    for (size_t i = 0; i < names.count && i < ENTRY_MAX; i++) {
        const char *name = value_repr_text(plan->arena, names.items[i]); /* on one line */
        strbuf_addf(&list, "%s%.*s", i ? ", " : "", (int)strlen(name) - 2, name + 1);
    }
    if (names.count > 0) {
        if (names.count > ENTRY_MAX) {
            strbuf_addf(&list, ", … (%zu more)", names.count - ENTRY_MAX);
        }
        const char *text = arena_printf(plan->arena, "%s: %s", what, strbuf_text(&list));
        strbuf_addf(out, "  - '%s'\n", in_quotes(plan->arena, text));
    }
    strbuf_free(&list);
}

/* True if another unique constraint, over some of the same columns, refuses everything that this
 * one does. Of two equal constraints, the second is implied. */
static bool is_implied(struct items uniques, size_t index)
{
    struct value unique = uniques.items[index];
    for (size_t i = 0; i < uniques.count; i++) {
        struct items columns = fact_list(uniques.items[i], "columns");
        size_t shared = 0;
        for (size_t j = 0; j < columns.count; j++) {
            shared += fact_has(fact_list(unique, "columns"), value_cstr(columns.items[j]));
        }
        bool all = fact_is(uniques.items[i], "exact") && shared == columns.count;
        bool same = columns.count == fact_list(unique, "columns").count;
        if (i != index && all && (!same || i < index)) {
            return !fact_is(unique, "nulls_equal") && !fact_is(unique, "operators");
        }
    }
    return false;
}

/* Things whose loss has no effect, because others, or triggers, do the same. */
struct hidden {
    struct value uniques, columns, actions, defaults; /* lists of names */
};

static void add_name_of(const struct plan *plan, const struct table_plan *table, struct value thing,
                        struct value names)
{
    list_append(names.as.list,
                value_text(plan->arena, arena_printf(plan->arena, "%s on %s",
                                                     fact_text(thing, "name"), table->name)));
}

/* True if triggers on the table may write to the other one. Then any error of the other one's
 * constraints is possible. */
static bool may_write(const struct table_plan *table, const char *to)
{
    return fact_has(fact_list(table->facts, "reread"), to) &&
           fact_list(table->facts, "fires_before").count +
                   fact_list(table->facts, "fires_after").count >
               0;
}

static void find_hidden(const struct plan *plan, const struct table_plan *table,
                        const struct hidden *out)
{
    struct items uniques = fact_list(table->facts, "uniques");
    struct items columns = fact_list(table->facts, "columns");
    struct items references = fact_list(table->facts, "references");
    for (size_t i = 0; i < uniques.count; i++) {
        if (is_implied(uniques, i)) {
            add_name_of(plan, table, uniques.items[i], out->uniques);
        }
    }
    for (size_t i = 0; i < columns.count; i++) {
        struct value column = columns.items[i];
        if (fact_is(column, "required") && fact_is(column, "overwritten")) {
            add_name_of(plan, table, column, out->columns);
        }
        if (fact_is(column, "required") && fact_is(column, "defaulted") &&
            may_write(table, table->name)) {
            add_name_of(plan, table, column, out->defaults);
        }
    }
    for (size_t i = 0; i < references.count; i++) {
        const struct table_plan *parent =
            plan_table(plan, fact_text(references.items[i], "parent"));
        if (!value_is_string(fact_value(references.items[i], "on_delete"), "no action") &&
            may_write(parent, table->name)) {
            add_name_of(plan, table, references.items[i], out->actions);
        }
    }
}

/* Adds the entries that `run` shows. */
static void add_untested(const struct plan *plan, struct value facts, struct strbuf *out)
{
    struct strbuf entries = {0};
    const struct hidden hidden = {value_list(plan->arena), value_list(plan->arena),
                                  value_list(plan->arena), value_list(plan->arena)};
    for (size_t i = 0; i < plan->tables.count; i++) {
        find_hidden(plan, &plan->tables.items[i], &hidden);
    }
    const struct {
        struct items names;
        const char *what;
    } kinds[] = {
        {value_items(hidden.uniques), "unique constraints that another one implies"},
        {value_items(hidden.columns), "NOT NULL of columns that a trigger sets"},
        {value_items(hidden.defaults), "defaults in tables that their triggers write to"},
        {value_items(hidden.actions), "ON DELETE of foreign keys whose tables triggers write to"},
        {fact_list(facts, "unseen"), "triggers whose loss no rule shows"},
        {fact_list(facts, plan->roles.count > 0 ? "unasked" : ""),
         "policies for commands that no rule gives as a user"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        add_entry(plan, kinds[i].names, kinds[i].what, &entries);
    }
    strbuf_adds(out, entries.size ? "untested:\n" : "");
    strbuf_add(out, entries.data ? entries.data : "", entries.size);
    strbuf_free(&entries);
}

void untested_add(const struct plan *plan, struct value facts, struct strbuf *out)
{
    add_policies(plan, facts, out);
    add_recursion(plan, facts, out);
    add_unfillable_tables(plan, out);
    add_undrawn_columns(plan, out);
    add_untested(plan, facts, out);
}
