#include "machine/loader.h"

#include <string.h>

struct invariant_reading {
    struct invariant *invariant;
    struct scope scope;
};

static const char *explain_name(const void *with, const char *name)
{
    (void)with;
    return !strcmp(name, "result")
               ? "only `check` can read `result`: the other keys are evaluated before the query "
                 "runs"
               : "an invariant sees the variables of the model, the bundles, and what it names "
                 "under "
                 "`for`";
}

static void read_when(struct loader *loader, void *into, const struct node *value)
{
    struct invariant_reading *reading = into;
    if (node_is(value, "end")) {
        reading->invariant->when = WHEN_END;
    } else if (!node_is(value, "step")) {
        error_hint(report(loader, value, "when must be step or end, not '%s'", value->text),
                   "for every fifth step write `every: 5`");
    }
}

static void read_every(struct loader *loader, void *into, const struct node *value)
{
    struct invariant_reading *reading = into;
    struct error err = {0};
    if (!setting_whole_number(value->text, 1, INT64_MAX, &reading->invariant->every, &err)) {
        (void)report(loader, value, "every: %s", err.message);
    } else if (reading->invariant->when == WHEN_END) {
        (void)report(loader, value,
                     "`every` counts steps, but `when: end` checks only after the last one");
    }
}

static void read_for(struct loader *loader, void *into, const struct node *map)
{
    struct invariant_reading *reading = into;
    read_bindings(loader, &reading->scope, "a `for` name", map, USE_LOOP,
                  &reading->invariant->fors);
}

static void read_precondition(struct loader *loader, void *into, const struct node *value)
{
    struct invariant_reading *reading = into;
    reading->invariant->precondition = scope_expression(loader, &reading->scope, value, USE_ANY);
}

static void read_sql(struct loader *loader, void *into, const struct node *value)
{
    struct invariant_reading *reading = into;
    read_statements(loader, &reading->scope, value, &reading->invariant->statements);
}

static void read_expect(struct loader *loader, void *into, const struct node *value)
{
    struct invariant_reading *reading = into;
    reading->invariant->expect = scope_expression(loader, &reading->scope, value, USE_EXPECT);
}

static void read_check(struct loader *loader, void *into, const struct node *value)
{
    struct invariant_reading *reading = into;
    struct invariant *invariant = reading->invariant;
    invariant->result_slot = (int)lang_locals_add(&invariant->locals, loader->arena, "result");
    read_checks(loader, &reading->scope, value, &invariant->checks);
}

static void read_known(struct loader *loader, void *into, const struct node *value)
{
    struct invariant_reading *reading = into;
    reading->invariant->xfail = read_xfail(loader, value);
}

static const struct key invariant_key_items[] = {
    [INVARIANT_WHEN] = {"when", SHAPE_WHEN, 0, read_when,
                        "Checked after every step (the default), or after the last one."},
    [INVARIANT_EVERY] = {"every", SHAPE_NUMBER, 0, read_every, "Checked after every N steps."},
    [INVARIANT_FOR] = {"for", SHAPE_BINDINGS, 0, read_for,
                       "Checked once for each value of a bundle or collection; with several, for "
                       "each combination."},
    [INVARIANT_PRECONDITION] = {"precondition", SHAPE_EXPRESSION, 0, read_precondition,
                                "Checked only if this expression is true."},
    [INVARIANT_AS] = {"as", SHAPE_CONTEXT, KEY_OF_SQL, NULL,
                      "The user that the query runs as: a context's name or a context."},
    [INVARIANT_SQL] = {"sql", SHAPE_SQL, 0, read_sql,
                       "A query; without expect and check it must return no row."},
    [INVARIANT_EXPECT] = {"expect", SHAPE_EXPRESSION, KEY_OF_SQL, read_expect,
                          "What the query must return; its shape says how rows are compared."},
    [INVARIANT_CHECK] = {"check", SHAPE_EXPRESSIONS, 0, read_check,
                         "Expressions that must be true; they may read `result`."},
    [INVARIANT_XFAIL] = {"xfail", SHAPE_XFAIL, 0, read_known,
                         "Why it is known to fail; such a failure does not fail the run."},
};
static const struct other_word invariant_words[] = {
    {"assert", "check"}, {"foreach", "for"}, {"query", "sql"}, {"role", "as"}, {NULL, NULL}};
static const char *const one_of[] = {"sql", "check", NULL};
const struct keys invariant_keys = {.of = "an invariant",
                                    .where = "in an invariant",
                                    .items = invariant_key_items,
                                    .count = INVARIANT_KEYS,
                                    .words = invariant_words,
                                    .one_of = one_of};

void check_invariant(struct loader *loader, struct invariant_draft *draft, const struct node *value)
{
    if (value->kind == NODE_MAP) {
        keys_check(loader, &invariant_keys, value, 0, draft->values);
        draft->broken = values_count(draft->values, INVARIANT_KEYS) < value->entries.count;
        draft->lacks_names = keys_lost_names(value, draft->values, INVARIANT_KEYS);
    } else if (value->kind == NODE_SCALAR && !node_is_empty(value)) {
        draft->values[INVARIANT_SQL] = value;
    } else {
        draft->broken = true;
        (void)report(loader, value,
                     "invariant '%s' must be a mapping or a query that returns no row, not %s",
                     draft->name, node_kind_name(value));
    }
}

void compile_invariant(struct loader *loader, const struct invariant_draft *draft,
                       struct invariant *invariant)
{
    const struct node *as = draft->values[INVARIANT_AS];
    struct invariant_reading reading = {
        .invariant = invariant,
        .scope = {.what = arena_printf(loader->arena, "invariant '%s'", draft->name),
                  .locals = &invariant->locals,
                  .explain = explain_name,
                  .as = as ? as : loader->default_as}};
    invariant->name = draft->name;
    invariant->pos = node_pos(loader->source, draft->key);
    invariant->every = 1;
    invariant->result_slot = SLOT_NONE;
    bool incomplete = loader->names_incomplete;
    loader->names_incomplete = incomplete || draft->lacks_names;
    keys_read(loader, &invariant_keys, draft->values, &reading);
    loader->names_incomplete = incomplete;
}

static bool reads_result(const struct invariant *invariant)
{
    for (size_t i = 0; i < invariant->checks.count; i++) {
        const struct lang_code *code = invariant->checks.items[i];
        if (code && lang_reads_local(code, (size_t)invariant->result_slot)) {
            return true;
        }
    }
    return false;
}

void finish_invariant(struct loader *loader, const struct invariant_draft *draft,
                      struct invariant *invariant)
{
    const struct node *const *values = draft->values;
    bool has_sql = values[INVARIANT_SQL];
    invariant->no_rows = has_sql && !values[INVARIANT_EXPECT] && !values[INVARIANT_CHECK];
    if (!reads_result(invariant)) {
        invariant->result_slot = SLOT_NONE;
    }
    if (draft->broken || has_sql) {
        return;
    }
    keys_check_without_sql(loader, &invariant_keys, values);
    if (!values[INVARIANT_CHECK]) {
        (void)report(loader, draft->key, "invariant '%s' checks nothing", draft->name);
    } else if (invariant->result_slot != SLOT_NONE) {
        (void)report(loader, values[INVARIANT_CHECK], "there is no sql that returns a `result`");
    }
}
