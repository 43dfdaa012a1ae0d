/* The top level of a machine file, and the order in which its parts become a machine. */
#include "machine/loader.h"

#include <string.h>

static void read_machine(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    loader->machine->name = read_name(loader, SPELL_NAME, "a machine", value);
}

static void read_description(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    loader->machine->description = value->text;
}

static void read_as(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    loader->default_as = value;
}

static void read_model(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    loader->model = value;
}

static void add_step(struct loader *loader, const char *name, const struct node *key,
                     const struct node *step)
{
    struct rule_draft *draft = VEC_PUSH(loader->arena, &loader->initialize);
    draft->name = name;
    draft->key = key;
    check_rule(loader, draft, step, true);
}

static void read_initialize(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    struct entries entry = {.map = value, .spelling = SPELL_IDENTIFIER, .what = "a step"};
    loader->machine->initialize_shuffled = value->kind == NODE_MAP;
    for (size_t i = 0; value->kind == NODE_LIST && i < value->entries.count; i++) {
        const struct node *step = value->entries.items[i].value;
        add_step(loader, arena_printf(loader->arena, "initialize %zu", i + 1), step, step);
    }
    while (value->kind == NODE_MAP && entries_next(loader, &entry)) {
        add_step(loader, entry.name, entry.key, entry.value);
    }
}

static void read_rules(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    struct entries entry = {.map = value, .spelling = SPELL_IDENTIFIER, .what = "a rule"};
    while (entries_next(loader, &entry)) {
        struct rule_draft *draft = VEC_PUSH(loader->arena, &loader->rules);
        draft->name = entry.name;
        draft->key = entry.key;
        (void)map_set_text(&loader->rule_names, entry.name, strlen(entry.name),
                           loader->rules.count - 1, NULL);
        check_rule(loader, draft, entry.value, false);
    }
    if (!value->entries.count) {
        (void)report(loader, value, "a machine needs at least one rule");
    }
}

static void read_invariants(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    struct entries entry = {.map = value, .spelling = SPELL_NAME, .what = "an invariant"};
    while (entries_next(loader, &entry)) {
        struct invariant_draft *draft = VEC_PUSH(loader->arena, &loader->invariants);
        draft->name = entry.name;
        draft->key = entry.key;
        check_invariant(loader, draft, entry.value);
    }
}

static void read_examples(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    loader->examples = value;
}

static void add_channel(struct loader *loader, const struct node *node)
{
    enum { CHANNEL_MAX = 63 }; /* bytes of a name */
    if (node->kind != NODE_SCALAR || node->size == 0) {
        (void)report(loader, node, "a channel must be a name");
    } else if (node->size > CHANNEL_MAX) {
        (void)report(loader, node, "the name of a channel has at most %d bytes, not %zu",
                     CHANNEL_MAX, node->size);
    } else {
        *VEC_PUSH(loader->arena, &loader->machine->channels) = node->text;
    }
}

static void read_listen(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    if (value->kind == NODE_SCALAR) {
        add_channel(loader, value);
    }
    for (size_t i = 0; i < value->entries.count; i++) {
        add_channel(loader, value->entries.items[i].value);
    }
    needs_commit(loader, NULL, value, "`listen`");
}

static void add_untested(struct loader *loader, const struct node *node)
{
    if (node->kind != NODE_SCALAR) {
        (void)report(loader, node, "what is not tested must be a text");
    } else {
        *VEC_PUSH(loader->arena, &loader->machine->untested) = node->text;
    }
}

static void read_untested(struct loader *loader, void *into, const struct node *value)
{
    (void)into;
    if (value->kind == NODE_SCALAR) {
        add_untested(loader, value);
    }
    for (size_t i = 0; i < value->entries.count; i++) {
        add_untested(loader, value->entries.items[i].value);
    }
}

static const struct key machine_key_items[] = {
    {"machine", SHAPE_NAME, KEY_REQUIRED, read_machine,
     "The machine's name; reports and file names use it."},
    {"description", SHAPE_TEXT, 0, read_description,
     "What the machine tests; for readers of the file."},
    {"untested", SHAPE_NOTES, 0, read_untested,
     "What the machine does not test, a text each; every run says so at its end."},
    {"schema", SHAPE_PATHS, 0, read_schema,
     "SQL files, patterns (migrations/*.sql) or a sqitch.plan, relative to this file, loaded in "
     "order."},
    {"listen", SHAPE_CHANNELS, 0, read_listen,
     "Channels that the session listens to, for result.notifications; needs committed steps."},
    {"clock", SHAPE_CLOCK, 0, read_clock,
     "The time at which every example begins, such as 2026-01-01 00:00:00+00; the server's clock "
     "then stands still, and moves where a rule says `advance`."},
    {"settings", SHAPE_SETTINGS, 0, read_settings, "Defaults for runs of this machine."},
    {"dataset", SHAPE_DATASET, 0, read_dataset,
     "Rows inserted once, in this order, before the first example."},
    {"contexts", SHAPE_CONTEXTS, 0, read_contexts,
     "Users that statements may run as: name to context."},
    {"as", SHAPE_CONTEXT, 0, read_as,
     "Default for rules, invariants and steps of initialize that have no `as`."},
    {"model", SHAPE_STATEMENTS, 0, read_model,
     "The model's variables and functions; run at the start of every example."},
    {"tables", SHAPE_TABLES, 0, NULL,
     "What the schema says of each table, as `pgfsm init` writes it: it stands for a model, rules "
     "and invariants."},
    {"policies", SHAPE_POLICIES, 0, NULL, "Whom the policies of `tables` are tested as."},
    {"initialize", SHAPE_INITIALIZE, 0, read_initialize,
     "Steps that run before any rule: a list in its order, a mapping in a drawn order."},
    {"rules", SHAPE_RULES, KEY_REQUIRED, read_rules, "What may happen: name to rule."},
    {"migration", SHAPE_MIGRATION, 0, read_migration,
     "SQL files that run between steps, each transaction as a rule: what may happen before, within "
     "and after them must still be right."},
    {"invariants", SHAPE_INVARIANTS, 0, read_invariants,
     "What must hold after every step: name to invariant, or to a query that returns no row."},
    {"examples", SHAPE_EXAMPLES, 0, read_examples,
     "Sequences that every run starts with: a name and calls of rules each."},
    {"profiles", SHAPE_PROFILES, 0, read_profiles,
     "Settings by name; --profile NAME applies them over `settings`."},
    {"require", SHAPE_REQUIRE, 0, read_require,
     "Smallest shares of all steps: `rule: 5%`, `label word: 1%`; an unmet one is reported."},
    {"mutants", SHAPE_MUTANTS, 0, read_mutants,
     "Mutants that may survive (pgfsm mutate): ids, or an operator and an object, to the reason."},
    {"differences", SHAPE_DIFFERENCES, 0, read_differences,
     "What two schemas may answer differently (pgfsm diff), each with the reason."},
};
enum { MACHINE_KEYS = sizeof machine_key_items / sizeof machine_key_items[0] };
static const struct other_word machine_words[] = {
    {"actions", "rules"},         {"fixtures", "dataset"}, {"name", "machine"},
    {"properties", "invariants"}, {"roles", "contexts"},   {"setup", "initialize"},
    {"state", "model"},           {"variables", "model"},  {NULL, NULL}};
const struct keys machine_keys = {.of = "a machine",
                                  .where = "at the top of the machine",
                                  .items = machine_key_items,
                                  .count = MACHINE_KEYS,
                                  .words = machine_words,
                                  .bring_names = true};

/* Declares variables first, then bundles, because a target that is a variable of the model is not a
 * bundle. */
static void declare_names(struct loader *loader)
{
    if (loader->model) {
        struct snippet snippet = node_snippet(loader->source, loader->model, loader->arena);
        lang_declare(loader->machine->module, loader->arena, NULL, &snippet);
    }
    for (size_t i = 0; i < loader->initialize.count; i++) {
        declare_variables(loader, &loader->initialize.items[i]);
    }
    for (size_t i = 0; i < loader->initialize.count; i++) {
        declare_bundles(loader, &loader->initialize.items[i]);
    }
    for (size_t i = 0; i < loader->rules.count; i++) {
        declare_bundles(loader, &loader->rules.items[i]);
    }
}

/* What counts the migration's transactions is not the model's. */
static void check_migrated(struct loader *loader)
{
    static const struct native_function *const no_functions[] = {NULL};
    static const struct named_value no_constants[] = {{.name = NULL}};
    static const char *const names[] = {"migrated", "migration_at"};
    struct lang_module *own = lang_module_new(loader->arena, no_functions, no_constants);
    struct snippet snippet = node_snippet(loader->source, loader->model, loader->arena);
    lang_declare(own, loader->arena, NULL, &snippet);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t slot;
        if (lang_module_find_global(own, names[i], &slot)) {
            error_hint(report(loader, loader->model,
                              "'%s' counts the transactions of the migration; it can't be a "
                              "variable of the model",
                              names[i]),
                       "choose another name");
        }
    }
}

static void compile_model(struct loader *loader)
{
    struct compile_job job = {.mode = LANG_TOP, .node = loader->model};
    size_t slot;
    loader->machine->model = compile(loader, &job);
    loader->names_incomplete = loader->names_incomplete || !loader->machine->model;
    if (loader->migration) {
        check_migrated(loader);
    }
    if (lang_module_find_global(loader->machine->module, "result", &slot)) {
        (void)report(loader, loader->model,
                     "'result' is what a statement returned; it can't be a variable of the model");
    }
}

static void compile_all(struct loader *loader)
{
    struct machine *machine = loader->machine;
    if (loader->model) {
        compile_model(loader);
    }
    for (size_t i = 0; i < loader->initialize.count; i++) {
        struct rule *step = VEC_PUSH(loader->arena, &machine->initialize);
        *step = (struct rule){.index = i, .initialize = true};
        compile_rule(loader, &loader->initialize.items[i], step);
        bool has_model = loader->initialize.items[i].values[RULE_MODEL];
        loader->names_incomplete = loader->names_incomplete || (has_model && !step->model);
    }
    for (size_t i = 0; i < loader->rules.count; i++) {
        struct rule *rule = VEC_PUSH(loader->arena, &machine->rules);
        *rule = (struct rule){.index = i};
        compile_rule(loader, &loader->rules.items[i], rule);
    }
    for (size_t i = 0; i < loader->invariants.count; i++) {
        struct invariant *invariant = VEC_PUSH(loader->arena, &machine->invariants);
        *invariant = (struct invariant){.index = i};
        compile_invariant(loader, &loader->invariants.items[i], invariant);
    }
    compile_pinned(loader);
}

static void finish_all(struct loader *loader)
{
    struct machine *machine = loader->machine;
    for (size_t i = 0; i < loader->initialize.count; i++) {
        finish_rule(loader, &loader->initialize.items[i], &machine->initialize.items[i]);
    }
    for (size_t i = 0; i < loader->rules.count; i++) {
        finish_rule(loader, &loader->rules.items[i], &machine->rules.items[i]);
    }
    for (size_t i = 0; i < loader->invariants.count; i++) {
        finish_invariant(loader, &loader->invariants.items[i], &machine->invariants.items[i]);
    }
    while (!machine->initialize_shuffled &&
           machine->initialize_constant < machine->initialize.count &&
           !machine->initialize.items[machine->initialize_constant].args.count) {
        machine->initialize_constant++;
    }
    read_allowed(loader);
    check_unused_contexts(loader);
    check_reach(loader);
    if (!loader->diagnostics->errors.count) {
        foresee_model(loader);
    }
    if (!loader->diagnostics->errors.count) {
        warn_of_doubts(loader);
    }
}

void read_root(struct loader *loader, const struct node *root)
{
    const struct node *values[MACHINE_KEYS];
    keys_check(loader, &machine_keys, root, 0, values);
    keys_read(loader, &machine_keys, values, NULL);
    declare_names(loader);
    compile_all(loader);
    finish_all(loader);
}
