#include "init/init.h"

#include "init/brief.h"
#include "init/functions.h"
#include "init/invariants.h"
#include "init/model.h"
#include "init/names.h"
#include "init/plan.h"
#include "init/policies.h"
#include "init/rules.h"
#include "init/template.h"
#include "init/together.h"
#include "init/untested.h"
#include "init/writer.h"
#include "pgtypes/pgtypes.h"
#include "schema/types.h"

#include <string.h>

static const char head[] =
    "# Made by pgfsm init. It holds as it is, and finds constraints that are missing or weaker.\n"
    "# Go on from here: add rules for what your application does, predict what it may not do\n"
    "# (raises), and say what must always be true (invariants).\n"
    "machine: $name\n"
    "schema: [$schema]\n";

/* More steps for many tables: rows need others in several tables, and each constraint takes some
 * steps. */
static const char settings_of_many[] = "settings: {steps: 100}\n";
static const char settings_of_most[] = "settings: {steps: 100, examples: 300}\n";
enum { MANY_TABLES = 8, MOST_TABLES = 40 };

static const char *settings_for(const struct plan *plan)
{
    return plan->tables.count > MOST_TABLES   ? settings_of_most
           : plan->tables.count > MANY_TABLES ? settings_of_many
                                              : "";
}

static const char initialize[] = "initialize:\n"
                                 "  # Rows that are there already.\n"
                                 "  - sql: |\n"
                                 "      $rows\n"
                                 "    model: db.seed(result)\n";

/* True if row() gives the column a value. */
static bool can_draw(const struct column_facts *column)
{
    return !column->left_out && (column_is_known(column) || !column->not_null);
}

/* Records for each column if row() draws it, and for the table why row() can't. */
static bool note_drawn(struct value table, const struct draw_catalog *catalog, struct arena *arena,
                       struct error *err)
{
    const struct table_plan plan = {.facts = table};
    const struct table_facts *known;
    if (!catalog->find(catalog->host, fact_text(table, "name"), &known, err)) {
        return false;
    }
    for (size_t i = 0; i < known->columns.count; i++) {
        const struct column_facts *column = &known->columns.items[i];
        struct value facts = plan_column(&plan, column->name);
        struct error why = {0};
        bool unknown = can_draw(column) && !column_is_known(column);
        const char *checked = fact_text(facts, "checked");
        if (checked && !pgtype_named(checked)->strategy) {
            fact_put(facts, arena, "checked", value_none());
        }
        if (!column_check_type(known, column, false, &why)) {
            fact_put(table, arena, "why_not", value_text(arena, why.message));
        }
        fact_put(facts, arena, "drawn", value_bool(can_draw(column)));
        fact_put(facts, arena, "unknown", value_bool(unknown));
    }
    return true;
}

/* The server's answer with all rows, as JSON, must fit the limit of 64 MiB. */
static bool can_hold_rows(struct items tables, struct error *err)
{
    enum { MEGABYTES_MAX = 48 };
    int64_t all = 0;
    int64_t most = 0;
    const char *largest = "";
    for (size_t i = 0; i < tables.count; i++) {
        struct value held = fact_value(tables.items[i], "megabytes");
        int64_t megabytes = held.type == VALUE_INT ? held.as.integer : 0;
        all += megabytes;
        largest = megabytes > most ? fact_text(tables.items[i], "name") : largest;
        most = megabytes > most ? megabytes : most;
    }
    if (all <= MEGABYTES_MAX) {
        return true;
    }
    (void)error_set(err, ERROR_USAGE,
                    "the tables hold %lld MB of rows, more than the %d MB that a model can hold",
                    (long long)all, MEGABYTES_MAX);
    return error_hint(err,
                      "most are in '%s': leave out the file that fills it, or choose other tables "
                      "with --table",
                      largest);
}

bool init_study_free(struct value facts, const struct draw_catalog *catalog, struct arena *arena,
                     struct error *err)
{
    struct items missing = fact_list(facts, "missing");
    struct items tables = fact_list(facts, "tables");
    if (missing.count > 0) {
        return error_set(err, ERROR_USAGE, "there is no table '%s'", value_cstr(missing.items[0]));
    }
    for (size_t i = 0; i < tables.count; i++) {
        if (!note_drawn(tables.items[i], catalog, arena, err)) {
            return false;
        }
    }
    return true;
}

bool init_study(struct value facts, const struct draw_catalog *catalog, struct arena *arena,
                struct error *err)
{
    struct items tables = fact_list(facts, "tables");
    if (!can_hold_rows(tables, err) || !init_study_free(facts, catalog, arena, err)) {
        return false;
    }
    brief_complete(facts, arena);
    return tables.count > 0 || error_set(err, ERROR_USAGE, "there are no tables");
}

static void add_head(const struct plan *plan, const struct init_options *options,
                     struct strbuf *out)
{
    struct strbuf files = {0};
    for (size_t i = 0; i < options->schema_count; i++) {
        strbuf_addf(&files, "%s%s", i ? ", " : "",
                    literal(plan->arena, value_text(plan->arena, options->schema[i])));
    }
    const struct hole holes[] = {
        {"name", options->name}, {"schema", files.size ? strbuf_text(&files) : NULL}, {0}};
    template_add(out, head, holes);
    strbuf_free(&files);
}

static void add_initialize(const struct plan *plan, struct strbuf *out)
{
    struct strbuf rows = {0};
    for (size_t i = 0; i < plan->tables.count; i++) {
        strbuf_addf(&rows, "%s%s", i ? "\nUNION ALL " : "",
                    rows_query(plan->arena, &plan->tables.items[i]));
    }
    const struct hole holes[] = {{"rows", strbuf_text(&rows)}, {0}};
    template_add(out, initialize, holes);
    strbuf_free(&rows);
}

static void add_model(const struct plan *plan, struct strbuf *out)
{
    struct strbuf model = {0};
    model_add(plan, &model);
    strbuf_adds(out, "model: |\n");
    for (const char *line = strbuf_text(&model); *line;) {
        size_t size = strcspn(line, "\n"); /* not as a template, which would read it as SQL */
        strbuf_adds(out, size > 0 ? "  " : "");
        size += line[size] == '\n';
        strbuf_add(out, line, size);
        line += size;
    }
    strbuf_free(&model);
}

/* The generated text from here on is about the table. */
static void add_origin(const struct plan *plan, const struct strbuf *out, const char *table,
                       struct init_origins *origins)
{
    if (origins) {
        *VEC_PUSH(plan->arena, origins) = (struct init_origin){out->size, table};
    }
}

/* Writes everything except the head. */
static void add_parts(const struct plan *plan, struct items functions, struct strbuf *out,
                      struct init_origins *origins)
{
    add_origin(plan, out, NULL, origins);
    add_model(plan, out);
    policies_add_context(plan, out);
    add_initialize(plan, out);
    strbuf_adds(out, "rules:\n");
    struct names names = names_begin(out);
    for (size_t i = 0; i < plan->tables.count; i++) {
        add_origin(plan, out, plan->tables.items[i].name, origins);
        rules_add(plan, &plan->tables.items[i], out);
        policies_add_rules(plan, &plan->tables.items[i], out);
        names_settle(&names);
    }
    functions_add(plan, functions, out);
    names_settle(&names);
    names_end(&names);
    add_origin(plan, out, NULL, origins);
    strbuf_adds(out, "invariants:\n");
    names = names_begin(out);
    invariants_add(plan, out);
    names_settle(&names);
    names_end(&names);
}

void init_write(struct value facts, const struct init_options *options, struct strbuf *out)
{
    struct arena arena = {0};
    struct plan plan = {.arena = &arena};
    plan_make(&plan, facts);
    add_head(&plan, options, out);
    untested_add(&plan, facts, out);
    strbuf_adds(out, settings_for(&plan));
    add_parts(&plan, fact_list(facts, "functions"), out, NULL);
    arena_free(&arena);
}

bool init_expand(struct value brief, struct arena *arena, struct strbuf *out,
                 struct init_origins *origins, const char **table, struct error *err)
{
    struct plan plan = {.arena = arena};
    struct value facts;
    if (!brief_fill(brief, arena, &facts, table, err)) {
        return false;
    }
    plan_make(&plan, facts);
    add_parts(&plan, (struct items){0}, out, origins);
    return true;
}
