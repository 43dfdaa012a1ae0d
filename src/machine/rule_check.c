/* Checks rules before and after they are compiled: the names that they define, dependencies between
 * keys, and if they need the database's answer. */
#include "machine/loader.h"

#include <string.h>

void check_rule(struct loader *loader, struct rule_draft *draft, const struct node *value,
                bool initialize)
{
    if (value->kind != NODE_MAP) {
        struct error *err =
            report(loader, value, "%s '%s' must be a mapping, not %s", initialize ? "step" : "rule",
                   draft->name, node_kind_name(value));
        error_hint(err, "write at least its SQL: {sql: …}");
        draft->broken = true;
        return;
    }
    keys_check(loader, &rule_keys, value, initialize ? KEY_RULE_ONLY : 0, draft->values);
    draft->broken = values_count(draft->values, RULE_KEYS) < value->entries.count;
    draft->lacks_names = keys_lost_names(value, draft->values, RULE_KEYS);
}

static void add_names(struct loader *loader, const struct node *map, struct lang_locals *locals)
{
    for (size_t i = 0; map && i < map->entries.count; i++) {
        if (map->entries.items[i].key->kind == NODE_SCALAR) {
            (void)lang_locals_add(locals, loader->arena, map->entries.items[i].key->text);
        }
    }
}

void declare_variables(struct loader *loader, const struct rule_draft *step)
{
    const struct node *model = step->values[RULE_MODEL];
    struct lang_locals locals = {0};
    const struct snippet *snippet = model ? take_code(loader, model) : NULL;
    if (snippet) {
        add_names(loader, step->values[RULE_ARGS], &locals);
        add_names(loader, step->values[RULE_LET], &locals);
        lang_declare(loader->machine->module, loader->arena, &locals, snippet);
    }
}

static void declare_bundle(struct loader *loader, const struct node *node)
{
    struct machine *machine = loader->machine;
    size_t slot;
    const char *name = read_name(loader, SPELL_IDENTIFIER, "a target", node);
    if (name && machine->clock && strcmp(name, "now") == 0) {
        (void)report(loader, node, "'now' is the clock's time and can't be a target");
        return;
    }
    if (!name || lang_module_find_global(machine->module, name, &slot)) {
        return; /* the same bundle again, or a collection of the model */
    }
    (void)map_set_text(&loader->bundle_names, name, node->size, machine->bundles.count, NULL);
    *VEC_PUSH(loader->arena, &machine->bundles) = (struct bundle){
        .name = name,
        .global = lang_module_global(machine->module, name, LANG_FIXED),
        .pos = node_pos(loader->source, node),
    };
}

void declare_bundles(struct loader *loader, const struct rule_draft *draft)
{
    const struct node *target = draft->values[RULE_TARGET];
    if (target && target->kind == NODE_SCALAR) {
        declare_bundle(loader, target);
    }
    for (size_t i = 0; target && i < target->entries.count; i++) {
        declare_bundle(loader, target->entries.items[i].value);
    }
}

static void check_without_sql(struct loader *loader, const struct rule_draft *draft)
{
    if (draft->values[RULE_SQL] || draft->broken) {
        return;
    }
    keys_check_without_sql(loader, &rule_keys, draft->values);
    if (draft->values[RULE_TARGET] && !draft->values[RULE_RETURNS]) {
        (void)report(loader, draft->values[RULE_TARGET],
                     "the target gets no value: the rule has neither sql nor returns");
    }
    if (!draft->values[RULE_MODEL] && !draft->values[RULE_CHECK] && !draft->values[RULE_TARGET] &&
        !draft->values[RULE_ADVANCE]) {
        error_hint(report(loader, draft->key, "'%s' does nothing", draft->name),
                   "give it `sql`, or `model` if it only changes the model");
    }
}

/* By default, a target gets the columns of the last statement. */
static void check_columns(struct loader *loader, const struct rule_draft *draft,
                          const struct rule *rule)
{
    size_t count = rule->statements.count;
    const struct machine_statement *last = count ? &rule->statements.items[count - 1] : NULL;
    if (draft->broken || !draft->values[RULE_TARGET] || draft->values[RULE_RETURNS] || !last ||
        !last->sql->no_columns) {
        return;
    }
    struct error *err =
        report(loader, draft->values[RULE_TARGET],
               "the target gets no value: %s returns no columns", last->sql->command);
    error_hint(err, last->sql->is_ddl
                        ? "give the value with `returns`"
                        : "write RETURNING and a column, or give the value with `returns`");
}

static bool reads(const struct lang_code *code, size_t slot)
{
    return code && lang_reads_local(code, slot);
}

/* Whether what follows the statements reads the local. */
static bool any_reads(const struct rule *rule, size_t slot)
{
    bool any = reads(rule->model, slot) || reads(rule->returns, slot);
    for (size_t i = 0; i < rule->checks.count; i++) {
        any = any || reads(rule->checks.items[i], slot);
    }
    for (size_t i = 0; i < rule->targets.count; i++) {
        any = any || reads(rule->targets.items[i].value, slot);
    }
    return any;
}

/* Whether that reads an answer that has a name, or something that was computed on the way. */
static bool any_reads_names(const struct rule *rule)
{
    bool any = false;
    for (size_t i = 0; i < rule->statements.count; i++) {
        const struct machine_statement *statement = &rule->statements.items[i];
        bool named = statement->result_slot != SLOT_NONE;
        any = any || (named && any_reads(rule, (size_t)statement->result_slot));
        for (size_t k = 0; k < statement->lets.count; k++) {
            any = any || any_reads(rule, statement->lets.items[k].slot);
        }
    }
    return any;
}

/* The last statement may be predicted beside it, or for the whole rule. */
static void check_predictions(struct loader *loader, const struct rule_draft *draft,
                              struct rule *rule)
{
    const struct {
        enum rule_key key;
        const char *name;
        bool twice;
    } both[] = {
        {RULE_EXPECT, "expect",
         rule->statements.count && rule->expect &&
             rule->statements.items[rule->statements.count - 1].expect},
        {RULE_AFFECTS, "affects",
         rule->statements.count && rule->affects &&
             rule->statements.items[rule->statements.count - 1].affects},
    };
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        if (both[i].twice) {
            error_hint(report(loader, draft->values[both[i].key],
                              "the last statement has its own `%s`", both[i].name),
                       "`%s` of a rule is that of its last statement: remove one of them",
                       both[i].name);
        }
    }
    for (size_t i = 0; i < rule->statements.count; i++) {
        const struct machine_statement *statement = &rule->statements.items[i];
        rule->expects = rule->expects || statement->expect || statement->affects;
        rule->computes = rule->computes || statement->waits;
        rule->names_answers = rule->names_answers || statement->result_slot != SLOT_NONE;
    }
}

static bool never_succeeds(const struct rule *rule)
{
    const struct lang_code *answer = rule->affects ? rule->affects : rule->expect;
    return (rule->raises && lang_gives_error(rule->raises)) ||
           (answer && lang_gives_nothing(answer));
}

void finish_rule(struct loader *loader, const struct rule_draft *draft, struct rule *rule)
{
    if (draft->piece) {
        return;
    }
    check_without_sql(loader, draft);
    check_columns(loader, draft, rule);
    check_predictions(loader, draft, rule);
    if (rule->result_slot != SLOT_NONE && !any_reads(rule, (size_t)rule->result_slot)) {
        rule->result_slot = SLOT_NONE;
    }
    if (rule->result_slot != SLOT_NONE && !draft->values[RULE_SQL] && !draft->broken) {
        (void)report(loader, draft->key, "'%s' reads `result` but has no sql that returns one",
                     draft->name);
    }
    rule->never_succeeds = never_succeeds(rule);
    rule->breaks = rule->outside && !rule->initialize && (rule->crash_model || !rule->model);
    loader->machine->breaks = loader->machine->breaks || rule->breaks;
    rule->needs_answer = rule->result_slot != SLOT_NONE || any_reads_names(rule) ||
                         (rule->targets.count && !rule->returns);
}
