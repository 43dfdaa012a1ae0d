#include "init/brief.h"
#include "init/fact_table.h"

#include <string.h>

/* Reports a mistake and its place: "column 'id': …". */
static bool refuse_fact(const struct fact_set *set_of, const char *name, struct error *err,
                        const char *message)
{
    return name ? error_set(err, ERROR_MACHINE, "%s '%s': %s", set_of->noun, name, message)
                : error_set(err, ERROR_MACHINE, "%s", message);
}

static bool is_list_of_texts(struct value value)
{
    struct items items = value_items(value);
    bool is = value.type == VALUE_LIST;
    for (size_t i = 0; is && i < items.count; i++) {
        is = items.items[i].type == VALUE_STRING;
    }
    return is;
}

static bool value_fits(enum fact_kind kind, struct value value)
{
    switch (kind) {
    case FACT_FLAG:
        return value.type == VALUE_BOOL || value.type == VALUE_NONE;
    case FACT_TEXT:
        return value.type == VALUE_STRING || value.type == VALUE_NONE;
    case FACT_TABLE:
        return value.type == VALUE_STRING;
    case FACT_TABLES:
        return is_list_of_texts(value) || value_is_string(value, "all");
    case FACT_NAMES:
    case FACT_COLUMNS:
        return is_list_of_texts(value);
    case FACT_ANY:
        break;
    }
    return true;
}

static const char *const wanted[] = {
    [FACT_FLAG] = "true or false",
    [FACT_TEXT] = "a text",
    [FACT_NAMES] = "a list of texts",
    [FACT_COLUMNS] = "a list of columns",
    [FACT_TABLES] = "a list of tables, or all",
    [FACT_TABLE] = "a table",
    [FACT_ANY] = "any value",
};

static const struct fact *find_fact(const struct fact_set *const *sets, const char *name)
{
    for (; *sets; sets++) {
        for (const struct fact *fact = (*sets)->all; fact->name; fact++) {
            if (strcmp(fact->name, name) == 0) {
                return fact;
            }
        }
    }
    return NULL;
}

/* Copies the given facts of a thing, if `sets` allow them. */
static bool take_facts(struct value said, const struct fact_set *const *sets, struct value into,
                       struct arena *arena, struct error *err)
{
    const char *name = fact_text(into, "name");
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(said.as.table, &i));) {
        const char *key = value_cstr(entry->key);
        const struct fact *fact = find_fact(sets, key);
        if (strcmp(key, "name") == 0 || (strcmp(key, "is") == 0 && (*sets)->head)) {
            continue;
        }
        if (!fact) {
            return refuse_fact(*sets, name, err,
                               arena_printf(arena, "there is no key '%s' here", key));
        }
        if (!value_fits(fact->kind, entry->value)) {
            return refuse_fact(*sets, name, err,
                               arena_printf(arena, "'%s' must be %s", key, wanted[fact->kind]));
        }
        fact_put(into, arena, key, entry->value);
    }
    return true;
}

/* Reads "int4 required": the head, and flags. */
static bool take_words(const char *words, const struct fact_set *const *sets, struct value into,
                       struct arena *arena, struct error *err)
{
    size_t size = strcspn(words, " ");
    fact_put(into, arena, (*sets)->head, value_string(arena, words, size));
    for (words += size; *words; words += size) {
        words += strspn(words, " ");
        size = strcspn(words, " ");
        const char *word = arena_strndup(arena, words, size);
        const struct fact *fact = find_fact(sets, word);
        if (!fact || fact->kind != FACT_FLAG) {
            return refuse_fact(*sets, fact_text(into, "name"), err,
                               arena_printf(arena, "'%s' is no word for it", word));
        }
        fact_put(into, arena, word, value_bool(true));
    }
    return true;
}

/* Reads one thing: a mapping, or the value of its head. */
static bool take_thing(struct value said, const struct fact_set *const *sets, struct value into,
                       struct arena *arena, struct error *err)
{
    const char *head = (*sets)->head;
    bool of_words = head && strcmp(head, "base") == 0;
    if (said.type == VALUE_DICT) {
        struct value is = fact_value(said, "is");
        return take_facts(said, sets, into, arena, err) &&
               (is.type == VALUE_NONE ||
                (is.type == VALUE_STRING && of_words
                     ? take_words(value_cstr(is), sets, into, arena, err)
                     : refuse_fact(*sets, fact_text(into, "name"), err, "'is' must be words")));
    }
    if (of_words && said.type == VALUE_STRING) {
        return take_words(value_cstr(said), sets, into, arena, err);
    }
    const struct fact *fact = head ? find_fact(sets, head) : NULL;
    if (!fact || !value_fits(fact->kind, said) || said.type == VALUE_NONE) {
        return refuse_fact(*sets, fact_text(into, "name"), err,
                           of_words ? "this must be a type and words, such as 'int4 required'"
                                    : "this must be a mapping");
    }
    fact_put(into, arena, head, said);
    return true;
}

static bool check_needs(const struct fact_set *set_of, struct value thing, struct error *err)
{
    return !set_of->needs || fact_value(thing, set_of->needs).type != VALUE_NONE ||
           error_set(err, ERROR_MACHINE, "%s '%s' needs '%s'", set_of->noun,
                     fact_text(thing, "name"), set_of->needs);
}

/* Reads things, by name or as a list of mappings with names, into a list. */
static bool take_things(struct value said, const struct fact_set *const *sets, struct value list,
                        struct arena *arena, struct error *err)
{
    const struct table_entry *entry;
    struct items items = value_items(said);
    if (said.type != VALUE_DICT && said.type != VALUE_LIST) {
        return error_set(err, ERROR_MACHINE, "%ss must be a mapping from their names",
                         (*sets)->noun);
    }
    for (size_t i = 0; said.type == VALUE_DICT && (entry = table_next(said.as.table, &i));) {
        struct value into = value_dict(arena);
        list_append(list.as.list, into);
        fact_put(into, arena, "name", entry->key);
        if (!take_thing(entry->value, sets, into, arena, err) || !check_needs(*sets, into, err)) {
            return false;
        }
    }
    for (size_t i = 0; said.type == VALUE_LIST && i < items.count; i++) {
        struct value into = value_dict(arena);
        bool named = items.items[i].type == VALUE_DICT && fact_text(items.items[i], "name");
        list_append(list.as.list, into);
        if (!named) {
            return error_set(err, ERROR_MACHINE, "each %s of a list must have a name",
                             (*sets)->noun);
        }
        fact_put(into, arena, "name", fact_value(items.items[i], "name"));
        if (!take_thing(items.items[i], sets, into, arena, err) || !check_needs(*sets, into, err)) {
            return false;
        }
    }
    return true;
}

/* The parts of a table that are lists. */
static const struct part {
    const char *key, *facts;
    const struct fact_set *sets[3];
} parts[] = {
    {"columns", "columns", {&column_facts_first, &column_facts_last}},
    {"unique", "uniques", {&unique_facts}},
    {"references", "references", {&reference_facts}},
    {"checks", "checks", {&check_facts_of_table}},
    {"nulls", "nulls", {&null_facts}},
};
enum { PARTS = sizeof parts / sizeof *parts };

static bool is_part(const char *key)
{
    bool is = strcmp(key, "policies") == 0;
    for (size_t i = 0; i < PARTS; i++) {
        is = is || strcmp(parts[i].key, key) == 0;
    }
    return is;
}

/* Reads the permissions of each role. */
static bool take_policies(struct value said, struct value into, struct arena *arena,
                          struct error *err)
{
    static const struct fact_set *const sets[] = {&policy_facts, NULL};
    struct value by_role = value_dict(arena);
    const struct table_entry *entry;
    if (said.type == VALUE_NONE) {
        return true;
    }
    if (said.type != VALUE_DICT) {
        return error_set(err, ERROR_MACHINE, "'policies' must be a mapping from roles");
    }
    for (size_t i = 0; (entry = table_next(said.as.table, &i));) {
        struct value conditions = value_dict(arena);
        if (entry->value.type != VALUE_DICT) {
            return error_set(err, ERROR_MACHINE, "'policies' of a role must be a mapping");
        }
        if (!take_facts(entry->value, sets, conditions, arena, err)) {
            return false;
        }
        fact_put(by_role, arena, value_cstr(entry->key), conditions);
    }
    fact_put(into, arena, "policies", by_role);
    return true;
}

static bool take_table(struct value name, struct value said, struct value into, struct arena *arena,
                       struct error *err)
{
    static const struct fact_set *const own[] = {&table_facts_first, &table_facts_last, NULL};
    struct value facts = value_dict(arena);
    const struct table_entry *entry;
    if (said.type != VALUE_DICT) {
        return error_set(err, ERROR_MACHINE, "a table must be a mapping");
    }
    if (!*value_cstr(name)) {
        return error_set(err, ERROR_MACHINE, "a table must have a name");
    }
    for (size_t i = 0; (entry = table_next(said.as.table, &i));) {
        if (!is_part(value_cstr(entry->key))) {
            fact_put(facts, arena, value_cstr(entry->key), entry->value);
        }
    }
    bool taken = take_facts(facts, own, into, arena, err);
    fact_put(into, arena, "name", name);
    for (size_t i = 0; taken && i < PARTS; i++) {
        struct value list = value_list(arena);
        struct value things = fact_value(said, parts[i].key);
        fact_put(into, arena, parts[i].facts, list);
        taken = things.type == VALUE_NONE || take_things(things, parts[i].sets, list, arena, err);
    }
    return taken && take_policies(fact_value(said, "policies"), into, arena, err);
}

static bool is_said(struct value dict, const char *name)
{
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(dict.as.table, &i));) {
        if (value_is_string(entry->key, name)) {
            return true;
        }
    }
    return false;
}

/* Adds the defaults of missing facts. */
static void fill_facts(const struct fact_set *set_of, const struct fact_scope *scope)
{
    for (const struct fact *fact = set_of->all; fact->name; fact++) {
        if (!is_said(scope->of, fact->name)) {
            fact_put(scope->of, scope->arena, fact->name, fact_otherwise(fact, scope));
        } else if (fact->kind == FACT_TABLES &&
                   value_is_string(fact_value(scope->of, fact->name), "all")) {
            fact_put(scope->of, scope->arena, fact->name, fact_all_tables(scope));
        }
    }
}

static void fill_all(const char *kind, const struct fact_set *set_of,
                     const struct fact_scope *scope)
{
    struct items items = fact_list(scope->table, kind);
    for (size_t i = 0; i < items.count; i++) {
        struct fact_scope inner = *scope;
        inner.of = items.items[i];
        fill_facts(set_of, &inner);
    }
}

static bool is_known(const struct fact_scope *scope, const struct fact *fact, const char *name)
{
    struct items items =
        fact->kind == FACT_COLUMNS ? fact_list(scope->table, "columns") : scope->tables;
    return fact_named(items, name).type == VALUE_DICT;
}

/* Checks that the named columns and tables exist. */
static bool check_names(const struct fact_set *set_of, const struct fact_scope *scope,
                        struct error *err)
{
    bool own = scope->of.as.table == scope->table.as.table;
    const char *name = own ? NULL : fact_text(scope->of, "name");
    for (const struct fact *fact = set_of->all; fact->name; fact++) {
        struct value said = fact_value(scope->of, fact->name);
        struct items items = fact->kind == FACT_TABLE ? (struct items){.items = &said, .count = 1}
                                                      : value_items(said);
        bool names =
            fact->kind == FACT_TABLE || fact->kind == FACT_TABLES || fact->kind == FACT_COLUMNS;
        for (size_t i = 0; names && i < items.count; i++) {
            if (!is_known(scope, fact, value_cstr(items.items[i]))) {
                return refuse_fact(set_of, name, err,
                                   arena_printf(scope->arena,
                                                fact->kind == FACT_COLUMNS
                                                    ? "the table has no column '%s'"
                                                    : "there is no table '%s' in `tables`",
                                                value_cstr(items.items[i])));
            }
        }
    }
    return true;
}

static bool check_all(const char *kind, const struct fact_set *set_of,
                      const struct fact_scope *scope, struct error *err)
{
    struct items items = fact_list(scope->table, kind);
    bool right = true;
    for (size_t i = 0; right && i < items.count; i++) {
        struct fact_scope inner = *scope;
        inner.of = items.items[i];
        right = check_names(set_of, &inner, err);
    }
    return right;
}

/* Checks that a foreign key has as many columns as the key that it refers to, and that these exist.
 */
static bool check_reference(const struct fact_scope *scope, struct value reference,
                            struct error *err)
{
    const char *name = fact_text(reference, "name");
    size_t columns = fact_list(reference, "columns").count;
    struct items parents = fact_list(reference, "parent_columns");
    struct fact_scope parent = *scope;
    static const struct fact column = {.kind = FACT_COLUMNS};
    parent.table = fact_named(scope->tables, fact_text(reference, "parent"));
    if (columns == 0 || columns != parents.count) {
        return refuse_fact(
            &reference_facts, name, err,
            arena_printf(scope->arena,
                         "the number of its columns, %zu, is not that of the key that "
                         "it refers to, %zu",
                         columns, parents.count));
    }
    for (size_t i = 0; i < parents.count; i++) {
        if (!is_known(&parent, &column, value_cstr(parents.items[i]))) {
            return refuse_fact(&reference_facts, name, err,
                               arena_printf(scope->arena, "there is no column '%s' in table '%s'",
                                            value_cstr(parents.items[i]),
                                            fact_text(reference, "parent")));
        }
    }
    return true;
}

static bool check_references(const struct fact_scope *scope, struct error *err)
{
    struct items references = fact_list(scope->table, "references");
    bool right = true;
    for (size_t i = 0; right && i < references.count; i++) {
        right = check_reference(scope, references.items[i], err);
    }
    return right;
}

/* Checks that a unique constraint has columns or terms. */
static bool check_uniques(const struct fact_scope *scope, struct error *err)
{
    struct items uniques = fact_list(scope->table, "uniques");
    for (size_t i = 0; i < uniques.count; i++) {
        if (fact_list(uniques.items[i], "columns").count == 0 &&
            fact_list(uniques.items[i], "terms").count == 0) {
            return refuse_fact(&unique_facts, fact_text(uniques.items[i], "name"), err,
                               "it needs 'columns' or 'terms'");
        }
    }
    return true;
}

static void fill_conditions(const struct fact_scope *scope)
{
    struct value by_role = fact_value(scope->table, "policies");
    const struct table_entry *entry;
    for (size_t i = 0; by_role.type == VALUE_DICT && (entry = table_next(by_role.as.table, &i));) {
        struct fact_scope inner = *scope;
        inner.of = entry->value;
        fill_facts(&policy_facts, &inner);
    }
}

/* Fills and checks facts before those that are derived from them. */
static bool fill_table(const struct fact_scope *scope, struct error *err)
{
    fill_facts(&table_facts_first, scope);
    fill_all("columns", &column_facts_first, scope);
    if (!check_names(&table_facts_first, scope, err) ||
        !check_all("uniques", &unique_facts, scope, err) || !check_uniques(scope, err) ||
        !check_names(&table_facts_last, scope, err) ||
        !check_all("checks", &check_facts_of_table, scope, err)) {
        return false;
    }
    fill_all("uniques", &unique_facts, scope);
    fill_facts(&table_facts_last, scope);
    fill_all("checks", &check_facts_of_table, scope);
    fill_all("columns", &column_facts_last, scope);
    fill_conditions(scope);
    return true;
}

/* Fills references after all tables have their keys. */
static bool fill_references(const struct fact_scope *scope, struct error *err)
{
    if (!check_all("references", &reference_facts, scope, err)) {
        return false;
    }
    fill_all("references", &reference_facts, scope);
    return check_references(scope, err);
}

typedef bool table_filler(const struct fact_scope *scope, struct error *err);

static bool for_all(struct value tables, struct arena *arena, table_filler *each,
                    const char **table, struct error *err)
{
    struct fact_scope scope = {.arena = arena, .tables = value_items(tables)};
    for (size_t i = 0; i < scope.tables.count; i++) {
        scope.table = scope.of = scope.tables.items[i];
        *table = fact_text(scope.table, "name");
        if (!each(&scope, err)) {
            return false;
        }
    }
    *table = NULL;
    return true;
}

/* Reads a setting of a user: the table whose rows it names, or `type` and `labels`, or nothing. */
static bool fill_setting(const struct table_entry *said, const struct fact_scope *scope,
                         struct value into, struct error *err)
{
    struct value value = said->value;
    const char *key = value_cstr(said->key);
    if (value.type == VALUE_STRING &&
        fact_named(scope->tables, value_cstr(value)).type != VALUE_NONE) {
        fact_put(into, scope->arena, "table", value);
        return true;
    }
    if (value.type == VALUE_DICT && value_fits(FACT_TEXT, fact_value(value, "type")) &&
        (fact_value(value, "labels").type == VALUE_NONE ||
         is_list_of_texts(fact_value(value, "labels")))) {
        fact_put(into, scope->arena, "type", fact_value(value, "type"));
        fact_put(into, scope->arena, "labels", fact_value(value, "labels"));
        return true;
    }
    return value.type == VALUE_NONE ||
           error_set(err, ERROR_MACHINE,
                     "the setting '%s' must name a table of `tables`, or have a `type` or `labels`",
                     key);
}

/* Reads the users that policies are tested as, and the settings that identify them. */
static bool fill_policies(struct value said, struct value facts, struct arena *arena,
                          struct error *err)
{
    const struct fact_scope scope = {.arena = arena, .tables = fact_list(facts, "tables")};
    struct value settings = value_list(arena);
    bool known = said.type == VALUE_DICT;
    struct value by_name = known ? fact_value(said, "settings") : value_none();
    struct value roles = known ? fact_value(said, "roles") : value_none();
    const struct table_entry *entry;
    if (!is_list_of_texts(roles) || (by_name.type != VALUE_DICT && by_name.type != VALUE_NONE)) {
        return error_set(err, ERROR_MACHINE,
                         "`policies` must have a list `roles`, and a mapping `settings`");
    }
    for (size_t i = 0; by_name.type == VALUE_DICT && (entry = table_next(by_name.as.table, &i));) {
        struct value setting = value_dict(arena);
        list_append(settings.as.list, setting);
        fact_put(setting, arena, "name", entry->key);
        if (!fill_setting(entry, &scope, setting, err)) {
            return false;
        }
    }
    fact_put(facts, arena, "roles", roles);
    fact_put(facts, arena, "settings", settings);
    return true;
}

void brief_complete(struct value facts, struct arena *arena)
{
    struct fact_scope scope = {.arena = arena, .tables = fact_list(facts, "tables")};
    for (size_t i = 0; i < scope.tables.count; i++) {
        scope.table = scope.of = scope.tables.items[i];
        fill_all("uniques", &unique_facts, &scope);
    }
}

bool brief_fill(struct value brief, struct arena *arena, struct value *facts, const char **table,
                struct error *err)
{
    struct value tables = value_list(arena);
    struct value said = fact_value(brief, "tables");
    struct value policies = fact_value(brief, "policies");
    const struct table_entry *entry;
    *facts = value_dict(arena);
    *table = NULL;
    if (said.type != VALUE_DICT || said.as.table->count == 0) {
        return error_set(err, ERROR_MACHINE,
                         "`tables` must be a mapping of at least one table to what is known of it");
    }
    for (size_t i = 0; (entry = table_next(said.as.table, &i));) {
        struct value into = value_dict(arena);
        *table = value_cstr(entry->key);
        list_append(tables.as.list, into);
        if (!take_table(entry->key, entry->value, into, arena, err)) {
            return false;
        }
    }
    fact_put(*facts, arena, "tables", tables);
    return for_all(tables, arena, fill_table, table, err) &&
           for_all(tables, arena, fill_references, table, err) &&
           (policies.type == VALUE_NONE || fill_policies(policies, *facts, arena, err));
}
