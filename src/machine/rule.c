/* Rules, and the steps of initialize: their keys in the order in which a step runs. */
#include "machine/rule_keys.h"

#include "base/words.h"
#include "machine/conditions.h"
#include "machine/loader.h"
#include "sql/tokens.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shared by the readers of one rule's keys. */
struct rule_reading {
    const struct rule_draft *draft;
    struct rule *rule;
    struct scope scope;
};

static bool has_key(const struct node *map, const char *name)
{
    for (size_t i = 0; map && i < map->entries.count; i++) {
        if (node_is(map->entries.items[i].key, name)) {
            return true;
        }
    }
    return false;
}

static bool has_argument(const struct rule_reading *reading, const char *name)
{
    return has_key(reading->draft->values[RULE_ARGS], name) ||
           has_key(reading->draft->values[RULE_LET], name);
}

enum in_sql { IN_SQL_NOTHING, IN_SQL_COLUMN, IN_SQL_TABLE };

/* True if the token names a table by the word before it, with or without a schema. */
static bool names_table(const struct sql_list *sql, size_t at)
{
    while (sql_is(sql, at - 1, ".")) {
        at -= 2;
    }
    return word_is_in(sql_word(sql, at - 1), "FROM|INTO|UPDATE|JOIN|TABLE|ONLY|USING");
}

/* The meaning of the name in the rule's SQL. */
static enum in_sql meaning_in_sql(const struct rule_reading *reading, const char *name)
{
    const struct node *node = reading->draft->values[RULE_SQL];
    const char *text = node && node->kind == NODE_SCALAR ? node->text : "";
    struct arena scratch = {0};
    struct sql_list sql = {.text = text, .size = strlen(text), .arena = &scratch};
    enum in_sql found = IN_SQL_NOTHING;
    (void)sql_list_read(&sql); /* a mistake in it is reported elsewhere */
    for (size_t i = 0; i < sql.tokens.count && found != IN_SQL_COLUMN; i++) {
        if (sql_is_text(&sql, i, name)) {
            bool table = sql_is(&sql, i + 1, ".") || names_table(&sql, i);
            found = table ? IN_SQL_TABLE : IN_SQL_COLUMN;
        }
    }
    arena_free(&scratch);
    return found;
}

/* Explains why a name that the rule has is unknown here. */
static const char *explain_name(const void *with, const char *name)
{
    if (!strcmp(name, "result")) {
        return "`result` exists only after the statement has run: in check, model, returns and "
               "value";
    }
    if (has_argument(with, name)) {
        return "the rule defines this name later: args come first, in their order, then where, "
               "then let, then the rest";
    }
    const struct rule_reading *reading = with;
    if (statements_name(reading->draft->values[RULE_SQL], name)) {
        return "a statement under `sql` defines this name, and only what comes later can read it: "
               "the statements after it, check, model, returns and value; write the `expect` that "
               "needs it beside its statement";
    }
    static const char *const why[] = {
        [IN_SQL_NOTHING] = NULL,
        [IN_SQL_COLUMN] = "to read a column that the statement returned, use result.value, or "
                          "result.row and its name, under check, model and returns",
        [IN_SQL_TABLE] = "an expression reads the model and the bundles, not the tables: let "
                         "`model` keep what it needs, or `target` fill a bundle"};
    return why[meaning_in_sql(with, name)];
}

static const char *explain_early(const void *with, const char *name)
{
    return has_argument(with, name)
               ? "precondition and weight are evaluated before arguments are drawn, so they see "
                 "only the model; write conditions on arguments under `where`"
               : explain_name(with, name);
}

/* Arguments are drawn before there are columns to read, so a bundle is probably missing. */
static const char *explain_argument(const void *with, const char *name)
{
    return !strcmp(name, "result") || has_argument(with, name)
               ? explain_name(with, name)
               : "no rule and no step of initialize fills a bundle of that name (`target`), and "
                 "the model has no such variable";
}

static struct lang_code *early_expression(struct loader *loader, struct rule_reading *reading,
                                          const struct node *node, enum use use)
{
    struct compile_job job = {
        .mode = LANG_EXPRESSION, .node = node, .explain = explain_early, .with = reading};
    struct lang_code *code = compile(loader, &job);
    foresee(loader, code, use);
    return code;
}

static void read_precondition(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    reading->rule->precondition = early_expression(loader, reading, value, USE_ANY);
}

static bool is_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return *text && !*end && strspn(text, "+-.0123456789eE") == strlen(text);
}

static void read_weight(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    struct rule *rule = reading->rule;
    if (!is_number(value->text, &rule->weight)) {
        rule->weight = 1;
        rule->weight_code = early_expression(loader, reading, value, USE_WEIGHT);
    } else if (rule->weight < 0 || !isfinite(rule->weight)) {
        rule->weight = 1;
        (void)report(loader, value, "weight must be 0 or more, not %s", value->text);
    }
}

static void read_limit(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    struct error err = {0};
    if (!setting_whole_number(value->text, 0, INT64_MAX, &reading->rule->limit, &err)) {
        (void)report(loader, value, "limit: %s", err.message);
    }
}

static void read_rule_from(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    read_from(loader, reading->rule, value);
}

static void read_rule_until(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    read_until(loader, reading->rule, value);
}

static void read_arg(struct loader *loader, struct rule_reading *reading,
                     const struct entries *entry)
{
    struct rule *rule = reading->rule;
    struct rule_arg arg = {
        .name = entry->name, .bundle = -1, .pos = node_pos(loader->source, entry->key)};
    if (entry->value && shape_check(loader, SHAPE_EXPRESSION, entry->name, entry->value)) {
        struct compile_job job = {.locals = &rule->locals,
                                  .mode = LANG_EXPRESSION,
                                  .node = entry->value,
                                  .explain = explain_argument,
                                  .with = reading};
        arg.code = compile(loader, &job);
    }
    if (arg.code) {
        study_argument(loader, &rule->locals, entry->value, &arg);
    }
    arg.slot = lang_locals_add(&rule->locals, loader->arena, entry->name);
    *VEC_PUSH(loader->arena, &rule->args) = arg;
}

static void read_args(struct loader *loader, void *into, const struct node *map)
{
    struct rule_reading *reading = into;
    struct entries entry = {.map = map, .spelling = SPELL_IDENTIFIER, .what = "an argument"};
    while (binding_next(loader, &reading->rule->locals, &entry)) {
        read_arg(loader, reading, &entry);
    }
}

static void read_where(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    if (!reading->draft->values[RULE_ARGS] && !loader->names_incomplete) {
        error_hint(report(loader, value, "`where` needs arguments, but the rule has no args"),
                   "write a condition on the model alone under `precondition`");
    }
    reading->rule->where = scope_expression(loader, &reading->scope, value, USE_ANY);
}

static void read_advance(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    struct rule *rule = reading->rule;
    rule->advances = true;
    rule->advance_pos = node_pos(loader->source, value);
    if (!read_interval(loader, value, &rule->advance_by)) {
        rule->advance = scope_expression(loader, &reading->scope, value, USE_ADVANCE);
    }
}

static void read_let(struct loader *loader, void *into, const struct node *map)
{
    struct rule_reading *reading = into;
    read_bindings(loader, &reading->scope, "a let", map, USE_VALUE, &reading->rule->lets);
}

static void read_transaction(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    reading->rule->outside = reading->scope.outside = node_is(value, "none");
    if (!reading->rule->outside) {
        error_hint(report(loader, value, "expected none, not '%s'", value->text),
                   "a step is a transaction unless the rule says `transaction: none`");
        return;
    }
    needs_commit(loader, NULL, value, "`transaction: none`");
}

static void read_isolation(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    struct settings settings = settings_default;
    struct error err = {0};
    if (!settings_set(&settings, "isolation", value->text, &err)) {
        (void)report(loader, value, "%s", err.message);
    } else if (reading->rule->outside) {
        error_hint(report(loader, value, "without a transaction a rule has no isolation level"),
                   "the setting `isolation` applies to the transactions of its statements");
    } else {
        reading->rule->isolation = settings.isolation;
        needs_commit(loader, NULL, value, "an isolation level");
    }
}

/* A name first assigned here lives only as long as the step. If it is never read and similar to a
 * variable of the model, that variable was probably meant. */
static void check_locals(struct loader *loader, const struct rule *rule,
                         const struct lang_code *code, size_t first, const struct node *node)
{
    for (size_t slot = first; slot < rule->locals.names.count; slot++) {
        const char *name = rule->locals.names.items[slot];
        const char *close = closest_variable(loader, name);
        if (close && !lang_reads_local(code, slot)) {
            struct error *err = report(
                loader, node, "'%s' is lost after the step that assigns it, did you mean '%s'?",
                name, close);
            error_hint(err, "only names that the top-level `model` or `initialize` assigns are "
                            "variables of the model");
        }
    }
}

/* True if an argument has the name of a variable of the model. */
static bool hides_any(const struct loader *loader, const struct rule *rule)
{
    size_t slot;
    bool hides = false;
    for (size_t i = 0; i < rule->args.count + rule->lets.count; i++) {
        hides = hides || lang_module_find_global(loader->machine->module,
                                                 rule->locals.names.items[i], &slot);
    }
    return hides;
}

/* Reports an assignment to an argument that hides a variable of the model. */
static void check_hidden(struct loader *loader, const struct rule *rule, const struct node *node)
{
    static const struct native_function *const no_functions[] = {NULL};
    static const struct named_value no_constants[] = {{.name = NULL}};
    if (!hides_any(loader, rule)) {
        return;
    }
    struct lang_module *assigned = lang_module_new(loader->arena, no_functions, no_constants);
    const struct snippet *snippet = take_code(loader, node);
    if (snippet) {
        lang_declare(assigned, loader->arena, NULL, snippet);
    }
    for (size_t i = 0; i < rule->args.count + rule->lets.count; i++) {
        size_t slot;
        const char *name = rule->locals.names.items[i];
        if (lang_module_find_global(assigned, name, &slot) &&
            lang_module_find_global(loader->machine->module, name, &slot)) {
            error_hint(report(loader, node,
                              "this assigns the argument '%s', not the model's variable '%s'", name,
                              name),
                       "give the argument another name");
        }
    }
}

/* What it assigns, and `commits`, are unknown to the rule's other parts. */
static void read_crash_model(struct loader *loader, struct rule_reading *reading,
                             const struct node *value)
{
    struct rule *rule = reading->rule;
    size_t first = rule->locals.names.count;
    rule->commits_slot = lang_locals_add(&rule->locals, loader->arena, "commits");
    struct compile_job job = {.locals = &rule->locals,
                              .mode = LANG_STEP,
                              .node = value,
                              .explain = explain_name,
                              .with = reading};
    rule->crash_model = compile(loader, &job);
    if (rule->crash_model) {
        check_locals(loader, rule, rule->crash_model, first + 1, value);
        check_hidden(loader, rule, value);
    }
    for (size_t i = first; i < rule->locals.names.count; i++) {
        rule->locals.names.items[i] = "";
    }
}

static void read_crash(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    struct rule *rule = reading->rule;
    const struct node *model;
    rule->crash = crash_read(loader, value, &model);
    loader->machine->crashes = true;
    needs_commit(loader, NULL, value, "`crash`");
    if (model && !rule->outside) {
        error_hint(report(loader, model, "only a rule with `transaction: none` dies in the middle"),
                   "of a step that is one transaction, nothing is left then: leave out `model` "
                   "under `crash`");
    } else if (model) {
        read_crash_model(loader, reading, model);
    }
}

static void read_prepared(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    (void)loader; /* the shape allows true and false only */
    reading->rule->prepared = node_is(value, "true") ? RULE_IS_PREPARED : RULE_IS_NOT_PREPARED;
}

static void read_sql(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    read_statements(loader, &reading->scope, value, &reading->rule->statements);
    statement_names_hide(&reading->scope);
}

static void check_condition(struct loader *loader, const char *text, struct source_pos pos)
{
    if (condition_is_name(text) || condition_is_sqlstate(text)) {
        return;
    }
    const char *meant = condition_meant(text);
    struct error *err = diagnostics_at(
        loader->diagnostics, pos, "\"%s\" is neither a condition nor an SQLSTATE%s", text,
        meant ? arena_printf(loader->arena, ", did you mean '%s'?", meant)
              : did_you_mean_of(loader, text, conditions, condition_count, sizeof *conditions));
    error_hint(err, "a condition is a name such as unique_violation; an SQLSTATE is a string of "
                    "five digits and upper-case letters");
}

/* Refuses a number: YAML and users write SQLSTATEs of digits without quotes. */
static void check_no_number(struct loader *loader, const struct lang_code *code,
                            const struct node *node)
{
    struct arena arena = {0};
    struct lang_state state;
    struct value value;
    struct error err = {0};
    lang_state_begin(&state, loader->machine->module, &arena, NULL);
    bool number =
        lang_is_constant(code) && lang_eval(&state, code, NULL, &value, &err) &&
        (value.type == VALUE_INT || value.type == VALUE_BOOL || value.type == VALUE_NUMERIC);
    if (number) {
        error_hint(report(loader, node, "raises must be a condition or an SQLSTATE, not %s",
                          value_type_name(value)),
                   "a condition is a name such as unique_violation; an SQLSTATE is a string, which "
                   "needs quotes of its own inside those of YAML: '\"23505\"'");
    }
    arena_free(&arena);
}

/* A literal condition must exist. */
static void read_raises(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    struct compile_job job = {.locals = &reading->rule->locals,
                              .mode = LANG_EXPRESSION,
                              .node = value,
                              .raises = true,
                              .explain = explain_name,
                              .with = reading};
    struct lang_code *code = compile(loader, &job);
    size_t count = 0;
    reading->rule->raises = code;
    foresee(loader, code, USE_ANY);
    const struct lang_text_call *calls = code ? lang_text_calls(code, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(calls[i].function, "error") == 0) {
            check_condition(loader, calls[i].text, calls[i].pos);
        }
    }
    if (code) {
        check_no_number(loader, code, value);
    }
    if (code && !lang_is_constant(code)) {
        foresee(loader, code, USE_RAISES);
    }
    const char *text = code ? lang_constant_text(code) : NULL;
    if (text) {
        check_condition(loader, text, node_pos(loader->source, value));
    }
}

static void read_expect(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    reading->rule->expect = scope_expression(loader, &reading->scope, value, USE_EXPECT);
}

static void read_affects(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    reading->rule->affects = scope_expression(loader, &reading->scope, value, USE_COUNT);
}

static void read_label(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    reading->rule->label = scope_expression(loader, &reading->scope, value, USE_LABEL);
}

/* From here on, the parts see the last statement's result. */
static void add_result(struct loader *loader, struct rule_reading *reading)
{
    struct rule *rule = reading->rule;
    statement_names_show(&reading->scope);
    if (rule->result_slot == SLOT_NONE) {
        rule->result_slot = (int)lang_locals_add(&rule->locals, loader->arena, "result");
    }
}

static void read_check(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    add_result(loader, reading);
    read_checks(loader, &reading->scope, value, &reading->rule->checks);
}

static void read_model(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    struct rule *rule = reading->rule;
    add_result(loader, reading);
    size_t first = rule->locals.names.count;
    struct compile_job job = {.locals = &rule->locals,
                              .mode = rule->initialize ? LANG_TOP : LANG_STEP,
                              .node = value,
                              .explain = explain_name,
                              .with = reading};
    rule->model = compile(loader, &job);
    if (rule->model && !rule->initialize) {
        check_locals(loader, rule, rule->model, first, value);
        check_hidden(loader, rule, value);
    }
}

static void read_returns(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    if (!reading->draft->values[RULE_TARGET]) {
        error_hint(report(loader, value, "`returns` needs a target, but the rule has none"),
                   "name a bundle: `target: items`");
    }
    add_result(loader, reading);
    reading->rule->returns = scope_expression(loader, &reading->scope, value, USE_VALUE);
}

static void add_target(struct loader *loader, struct rule_reading *reading, const struct node *node,
                       struct lang_code *value)
{
    struct rule_target target = {.name = node->text, .bundle = -1, .value = value};
    size_t index;
    if (map_get_text(&loader->bundle_names, node->text, node->size, &index)) {
        target.kind = TARGET_BUNDLE;
        target.bundle = (int)index;
        target.global = loader->machine->bundles.items[index].global;
    } else if (lang_module_find_global(loader->machine->module, node->text, &target.global)) {
        target.kind = TARGET_COLLECTION;
    } else {
        return; /* not a name, which was reported when bundles were declared */
    }
    *VEC_PUSH(loader->arena, &reading->rule->targets) = target;
}

static void read_target(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    const struct node *written = reading->draft->values[RULE_VALUE];
    add_result(loader, reading);
    struct lang_code *code =
        written ? scope_expression(loader, &reading->scope, written, USE_VALUE) : NULL;
    bool collection = false;
    if (value->kind == NODE_SCALAR) {
        add_target(loader, reading, value, code);
    }
    for (size_t i = 0; i < value->entries.count; i++) {
        const struct node *item = value->entries.items[i].value;
        if (item->kind == NODE_SCALAR) {
            add_target(loader, reading, item, code);
        }
    }
    for (size_t i = 0; i < reading->rule->targets.count; i++) {
        collection = collection || reading->rule->targets.items[i].kind == TARGET_COLLECTION;
    }
    if (written && !collection) {
        error_hint(report(loader, written, "`value` needs a target that is a dict of the model"),
                   "write what goes into a bundle under `returns`");
    }
}

static void read_known(struct loader *loader, void *into, const struct node *value)
{
    struct rule_reading *reading = into;
    reading->rule->xfail = read_xfail(loader, value);
}

static const struct key rule_key_items[] = {
    [RULE_PRECONDITION] =
        {"precondition", SHAPE_EXPRESSION, 0, read_precondition,
         "An expression over the model: the rule can be chosen only if it is true."},
    [RULE_WEIGHT] = {"weight", SHAPE_WEIGHT, KEY_RULE_ONLY, read_weight,
                     "The relative chance to be chosen among the rules that can run: a number, or "
                     "an expression over the model; default 1."},
    [RULE_LIMIT] = {"limit", SHAPE_NUMBER, KEY_RULE_ONLY, read_limit,
                    "The rule runs at most this often in one example."},
    [RULE_FROM] = {"from", SHAPE_NAME, KEY_RULE_ONLY, read_rule_from,
                   "The step of the migration after which the rule can run."},
    [RULE_UNTIL] = {"until", SHAPE_NAME, KEY_RULE_ONLY, read_rule_until,
                    "The step of the migration before which the rule can run."},
    [RULE_ARGS] = {"args", SHAPE_BINDINGS, 0, read_args,
                   "Arguments, drawn in this order: name to strategy, bundle, collection of the "
                   "model, or constant."},
    [RULE_WHERE] = {"where", SHAPE_EXPRESSION, KEY_OF_ARGS, read_where,
                    "A condition on the arguments, over model and arguments; if it is false, they "
                    "are drawn again."},
    [RULE_ADVANCE] = {"advance", SHAPE_EXPRESSION, 0, read_advance,
                      "How far the step moves the clock before its SQL runs: an interval such as "
                      "90 min, or an expression that gives one."},
    [RULE_LET] =
        {"let", SHAPE_BINDINGS, 0, read_let,
         "Names for values of expressions over model and arguments; not shown in reports."},
    [RULE_AS] = {"as", SHAPE_CONTEXT, KEY_OF_SQL, NULL,
                 "The user that the SQL runs as: a context's name or a context."},
    [RULE_TRANSACTION] =
        {"transaction", SHAPE_TRANSACTION, KEY_OF_SQL, read_transaction,
         "none: each statement runs by itself, outside of a transaction; needs committed steps."},
    [RULE_ISOLATION] = {"isolation", SHAPE_ISOLATION, KEY_OF_SQL, read_isolation,
                        "Isolation level of the step's transaction; needs committed steps."},
    [RULE_CRASH] = {"crash", SHAPE_CRASH, KEY_RULE_ONLY | KEY_OF_SQL, read_crash,
                    "The client may die in the step, and what happens then; needs committed "
                    "steps."},
    [RULE_PREPARED] = {"prepared", SHAPE_BOOLEAN, KEY_RULE_ONLY | KEY_OF_SQL, read_prepared,
                       "Whether the application keeps the rule's statements prepared; default: the "
                       "setting `prepared`."},
    [RULE_SQL] = {"sql", SHAPE_SQL, 0, read_sql,
                  "SQL with parameters :name, :'name' (quoted literal), :\"name\" (quoted "
                  "identifier)."},
    [RULE_RAISES] = {"raises", SHAPE_EXPRESSION, KEY_OF_SQL, read_raises,
                     "The error that the model predicts: None, a condition, an SQLSTATE, error(…), "
                     "or a list of these."},
    [RULE_EXPECT] = {"expect", SHAPE_EXPRESSION, KEY_OF_SQL, read_expect,
                     "What the last statement must return; its shape says how rows are compared."},
    [RULE_AFFECTS] = {"affects", SHAPE_EXPRESSION, KEY_OF_SQL, read_affects,
                      "How many rows the last statement must return or change."},
    [RULE_LABEL] =
        {"label", SHAPE_EXPRESSION, KEY_RULE_ONLY, read_label,
         "A text to count the step under, or None; evaluated before the statement runs."},
    [RULE_CHECK] = {"check", SHAPE_EXPRESSIONS, 0, read_check,
                    "Expressions that must be true; they may read `result`."},
    [RULE_MODEL] = {"model", SHAPE_STATEMENTS, 0, read_model, "How the model changes."},
    [RULE_RETURNS] = {"returns", SHAPE_EXPRESSION, KEY_OF_TARGET, read_returns,
                      "The value for the target, or several with multiple(…); default: the first "
                      "column of every row."},
    [RULE_VALUE] =
        {"value", SHAPE_EXPRESSION, KEY_OF_TARGET, NULL,
         "For a target that is a dict of the model: what the dict holds under the new key."},
    [RULE_TARGET] = {"target", SHAPE_TARGETS, 0, read_target,
                     "The bundles or collections of the model that store what the rule returns."},
    [RULE_XFAIL] = {"xfail", SHAPE_XFAIL, KEY_RULE_ONLY, read_known,
                    "Why its steps are known to fail; such a failure does not fail the run."},
};
static const struct other_word rule_words[] = {
    {"arguments", "args"},     {"assert", "check"},      {"assume", "where"},
    {"bundle", "target"},      {"error", "raises"},      {"given", "args"},
    {"guard", "precondition"}, {"into", "target"},       {"params", "args"},
    {"parameters", "args"},    {"query", "sql"},         {"role", "as"},
    {"throws", "raises"},      {"when", "precondition"}, {NULL, NULL}};
static const char *const one_of[] = {"sql", "model", "check", "target", "advance", NULL};
const struct keys rule_keys = {.of = "a rule",
                               .where = "in a rule",
                               .items = rule_key_items,
                               .count = RULE_KEYS,
                               .words = rule_words,
                               .one_of = one_of};

void compile_rule(struct loader *loader, const struct rule_draft *draft, struct rule *rule)
{
    if (draft->piece) {
        compile_piece(loader, draft, rule);
        return;
    }
    struct rule_reading reading = {
        .draft = draft,
        .rule = rule,
        .scope = {.what = arena_printf(loader->arena, "%s '%s'", rule->initialize ? "step" : "rule",
                                       draft->name),
                  .locals = &rule->locals,
                  .rule = rule,
                  .as = draft->values[RULE_AS] ? draft->values[RULE_AS] : loader->default_as}};
    reading.scope.explain = explain_name;
    reading.scope.with = &reading;
    rule->name = draft->name;
    rule->pos = node_pos(loader->source, draft->key);
    rule->weight = 1;
    rule->limit = rule->from = rule->until = -1;
    rule->result_slot = SLOT_NONE;
    bool incomplete = loader->names_incomplete;
    loader->names_incomplete = incomplete || draft->lacks_names;
    keys_read(loader, &rule_keys, draft->values, &reading);
    statement_names_show(&reading.scope);
    loader->names_incomplete = incomplete;
}
