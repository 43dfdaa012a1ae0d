#include "machine/yaml/keys.h"

#include "base/names.h"
#include "lang/lang.h"
#include "machine/loader.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#define REF(name) "{\"$ref\": \"#/$defs/" name "\"}"
#define MAP_OF(item) "{\"type\": \"object\", \"additionalProperties\": " item "}"
/* Names of the model language and of files. A pattern can't exclude reserved words. */
#define IDENTIFIER                                                                                 \
    "{\"pattern\": \"^[^\\\\x00-@\\\\[-^`{-\\\\x7f][^\\\\x00-/:-@\\\\[-^`{-\\\\x7f]*$\"}"
#define PLAIN_NAME "{\"pattern\": \"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$\"}"
#define NAMED(names, item)                                                                         \
    "{\"type\": \"object\", \"propertyNames\": " names ", \"additionalProperties\": " item "}"
#define ONE_OR_LIST(item)                                                                          \
    "{\"anyOf\": [" item ", {\"type\": \"array\", \"items\": " item ", \"minItems\": 1}]}"
#define SCALAR "{\"type\": [\"string\", \"number\", \"boolean\"]}"

const struct shape_info shapes[SHAPES] = {
    [SHAPE_NAME] = {"name", "a name", ACCEPT_TEXT,
                    "{\"type\": [\"string\", \"number\"], \"pattern\": "
                    "\"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}$\"}"},
    [SHAPE_TEXT] = {"text", "text", ACCEPT_TEXT, SCALAR},
    [SHAPE_NUMBER] = {"number", "a whole number", ACCEPT_TEXT, "{\"type\": \"integer\"}"},
    [SHAPE_WEIGHT] =
        {"weight", "a number or an expression", ACCEPT_TEXT,
         "{\"anyOf\": [{\"type\": \"number\", \"minimum\": 0}, {\"type\": \"string\"}]}"},
    [SHAPE_DURATION] = {"duration", "a duration such as 5s or 2min", ACCEPT_TEXT,
                        "{\"anyOf\": [{\"const\": 0}, {\"type\": \"string\", \"pattern\": "
                        "\"^(none|0|[0-9]+(\\\\.[0-9]+)? ?(ms|s|m|min|h))$\"}]}"},
    [SHAPE_EXPRESSION] = {"expression", "an expression", ACCEPT_CODE | ACCEPT_TEXT | ACCEPT_FLOW,
                          "{\"type\": [\"string\", \"number\", \"boolean\", \"array\", "
                          "\"object\"]}"},
    [SHAPE_EXPRESSIONS] = {"expressions", "an expression or a list of them",
                           ACCEPT_CODE | ACCEPT_TEXT | ACCEPT_LIST, ONE_OR_LIST(REF("expression"))},
    [SHAPE_STATEMENTS] = {"statements", "statements of the model language",
                          ACCEPT_CODE | ACCEPT_TEXT, "{\"type\": \"string\"}"},
    [SHAPE_CALLS] = {"calls", "calls of rules, one on each line", ACCEPT_CODE | ACCEPT_TEXT,
                     "{\"type\": \"string\"}"},
    [SHAPE_BINDINGS] = {"bindings", "a mapping of names to expressions", ACCEPT_MAP,
                        MAP_OF(REF("expression"))},
    [SHAPE_SQL] = {"sql", "SQL, or a list of statements", ACCEPT_CODE | ACCEPT_TEXT | ACCEPT_LIST,
                   "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"minItems\": 1, "
                   "\"items\": {\"anyOf\": [{\"type\": \"string\"}, " REF("statement") "]}}]}"},
    [SHAPE_PATHS] = {"paths", "a path or a list of paths", ACCEPT_TEXT | ACCEPT_LIST,
                     ONE_OR_LIST("{\"type\": \"string\"}")},
    [SHAPE_TARGETS] = {"targets", "a name or a list of names", ACCEPT_TEXT | ACCEPT_LIST,
                       ONE_OR_LIST("{\"type\": \"string\"}")},
    [SHAPE_CHANNELS] = {"channels", "a channel or a list of channels", ACCEPT_TEXT | ACCEPT_LIST,
                        ONE_OR_LIST("{\"type\": \"string\", \"minLength\": 1}")},
    [SHAPE_NOTES] = {"notes", "a text or a list of texts", ACCEPT_TEXT | ACCEPT_LIST,
                     ONE_OR_LIST("{\"type\": \"string\"}")},
    [SHAPE_CONTEXT] = {"as", "the name of a context, or a context", ACCEPT_TEXT | ACCEPT_MAP,
                       "{\"anyOf\": [{\"type\": \"string\"}, " REF("context") "]}"},
    [SHAPE_ROLE] = {"role", "the name of a role, or :name", ACCEPT_TEXT, "{\"type\": \"string\"}"},
    [SHAPE_WHEN] = {"when", "step or end", ACCEPT_TEXT, "{\"enum\": [\"step\", \"end\"]}"},
    [SHAPE_CHECK_DEFERRED] = {"check_deferred", "step, end or never", ACCEPT_TEXT,
                              "{\"enum\": [\"step\", \"end\", \"never\"]}"},
    [SHAPE_TRANSACTIONS] = {"transactions", "savepoint or commit", ACCEPT_TEXT,
                            "{\"enum\": [\"savepoint\", \"commit\"]}"},
    [SHAPE_ISOLATION] = {"isolation", "read committed, repeatable read or serializable",
                         ACCEPT_TEXT,
                         "{\"enum\": [\"read committed\", \"repeatable read\", "
                         "\"serializable\"]}"},
    [SHAPE_ACCEPT] = {"accept", "serial or invariants", ACCEPT_TEXT,
                      "{\"enum\": [\"serial\", \"invariants\"]}"},
    [SHAPE_ERRORS] = {"errors", "predicted or any", ACCEPT_TEXT,
                      "{\"enum\": [\"predicted\", \"any\"]}"},
    [SHAPE_TRANSACTION] = {"transaction", "none", ACCEPT_TEXT, "{\"const\": \"none\"}"},
    [SHAPE_CLOCK] = {"clock", "a time such as 2026-01-01 00:00:00+00", ACCEPT_TEXT,
                     "{\"type\": \"string\", \"pattern\": \"^[0-9]{4}-[0-9]{2}-[0-9]{2}\"}"},
    [SHAPE_CONTEXTS] = {"contexts", "a mapping of names to contexts", ACCEPT_MAP,
                        NAMED(PLAIN_NAME, REF("context"))},
    [SHAPE_DATASET] = {"dataset", "a mapping of tables to lists of rows", ACCEPT_MAP,
                       MAP_OF("{\"type\": \"array\", \"items\": {\"type\": \"object\"}}")},
    [SHAPE_INITIALIZE] = {"initialize", "a list of steps, or a mapping of names to steps",
                          ACCEPT_LIST | ACCEPT_MAP,
                          "{\"anyOf\": [{\"type\": \"array\", \"items\": " REF("step") "}, " MAP_OF(
                              REF("step")) "]}"},
    [SHAPE_RULES] = {"rules", "a mapping of names to rules", ACCEPT_MAP,
                     "{\"type\": \"object\", \"minProperties\": 1, "
                     "\"propertyNames\": " IDENTIFIER ", "
                     "\"additionalProperties\": " REF("rule") "}"},
    [SHAPE_INVARIANTS] = {"invariants", "a mapping of names to invariants", ACCEPT_MAP,
                          NAMED(PLAIN_NAME,
                                "{\"anyOf\": [{\"type\": \"string\"}, " REF("invariant") "]}")},
    [SHAPE_EXAMPLES] = {"examples", "a list of examples, each with name and steps", ACCEPT_LIST,
                        "{\"type\": \"array\", \"items\": " REF("example") "}"},
    [SHAPE_SETTINGS] = {"settings_of_run", "a mapping of settings", ACCEPT_MAP, REF("settings")},
    [SHAPE_SHRINK] = {"shrink_settings", "a mapping with executions and time", ACCEPT_MAP,
                      REF("shrink")},
    [SHAPE_PROFILES] = {"profiles", "a mapping of names to settings", ACCEPT_MAP,
                        MAP_OF(REF("settings"))},
    [SHAPE_REQUIRE] = {"require", "a mapping of rules and labels to shares", ACCEPT_MAP,
                       MAP_OF("{\"type\": \"string\", \"pattern\": "
                              "\"^[0-9]+(\\\\.[0-9]+)? ?%$\"}")},
    [SHAPE_MUTANTS] =
        {"mutants", "a mapping of mutants to reasons", ACCEPT_MAP,
         "{\"type\": \"object\", \"propertyNames\": {\"pattern\": "
         "\"^([0-9a-f]{8}( +[0-9a-f]{8})*|[^ ]+ .+)$\"}, \"additionalProperties\": {\"type\": "
         "\"string\"}}"},
    [SHAPE_DIFFERENCES] = {"differences", "a list of differences", ACCEPT_LIST,
                           "{\"type\": \"array\", \"items\": " REF("difference") "}"},
    [SHAPE_DIFFERENCE] = {"difference_kind", "the kind of a difference", ACCEPT_TEXT,
                          "{\"enum\": [\"error\", \"rows\", \"order\", \"count\", \"column\", "
                          "\"notify\", \"missing\", \"migrate\"]}"},
    [SHAPE_MIGRATION] = {"migration_of_machine", "a path, a list of paths, or a mapping with files",
                         ACCEPT_TEXT | ACCEPT_LIST | ACCEPT_MAP,
                         "{\"anyOf\": [" REF("paths") ", " REF("migration") "]}"},
    [SHAPE_STEPS] = {"steps", "a path, a list of paths, or a mapping of names to paths",
                     ACCEPT_TEXT | ACCEPT_LIST | ACCEPT_MAP,
                     "{\"anyOf\": [" REF("paths") ", " NAMED(
                         IDENTIFIER, "{\"anyOf\": [" REF("paths") ", {\"type\": \"null\"}]}") "]}"},
    [SHAPE_CUT] = {"cut", "file or statement", ACCEPT_TEXT,
                   "{\"enum\": [\"file\", \"statement\"]}"},
    [SHAPE_BLOCKING] = {"blocking", "a mapping of rules to short or any", ACCEPT_MAP,
                        MAP_OF("{\"enum\": [\"short\", \"any\"]}")},
    [SHAPE_TABLES] = {"tables", "a mapping of tables", ACCEPT_MAP,
                      MAP_OF("{\"type\": \"object\"}")},
    [SHAPE_POLICIES] =
        {"policies", "a mapping of roles and settings", ACCEPT_MAP,
         "{\"type\": \"object\", \"required\": [\"roles\"], \"additionalProperties\": false, "
         "\"properties\": {\"roles\": {\"type\": \"array\", \"items\": {\"type\": \"string\"}}, "
         "\"settings\": {\"type\": \"object\"}}}"},
    [SHAPE_BOOLEAN] = {"boolean", "true or false", ACCEPT_TEXT, "{\"type\": \"boolean\"}"},
    [SHAPE_XFAIL] = {"known_failure", "a reason, or a mapping with reason and strict",
                     ACCEPT_TEXT | ACCEPT_MAP,
                     "{\"anyOf\": [{\"type\": \"string\"}, " REF("xfail") "]}"},
    [SHAPE_CRASH] = {"crash_of_rule", "a mapping with then", ACCEPT_MAP, REF("crash")},
    [SHAPE_THEN] = {"crash_then", "again, another or nothing", ACCEPT_TEXT,
                    "{\"enum\": [\"again\", \"another\", \"nothing\"]}"},
};

size_t line_of(const struct loader *loader, struct source_pos pos)
{
    return loader->diagnostics->errors.count > DIAGNOSTICS_MAX ? 0 : source_place(pos).line;
}

static bool shape_accepts(enum shape shape, const struct node *value)
{
    static const unsigned bits[] = {
        [NODE_SCALAR] = ACCEPT_TEXT, [NODE_LIST] = ACCEPT_LIST, [NODE_MAP] = ACCEPT_MAP};
    unsigned accepted = shapes[shape].accepts;
    bool flow = value->style == STYLE_FLOW && (accepted & ACCEPT_FLOW);
    return flow || ((accepted & bits[value->kind]) && !node_is_empty(value));
}

/* Explains a collection instead of text (YAML read the text as one), or a list instead of names. */
static void hint_at_collection(struct error *err, unsigned accepted, const struct node *value)
{
    if (accepted == ACCEPT_MAP && value->kind == NODE_LIST) {
        error_hint(
            err,
            "write each as `name:`, without `- ` before it, and its value after or below that");
    }
    if (!(accepted & ACCEPT_CODE) || value->kind == NODE_SCALAR) {
        return;
    }
    if (value->style == STYLE_FLOW) {
        error_hint(err, "text that begins with { or [ needs quotes");
    } else if (value->kind == NODE_MAP) {
        error_hint(err, "`: ` inside plain text makes it a mapping; put the text in quotes, or "
                        "write it after | on lines of its own");
    } else if (accepted & ACCEPT_FLOW) {
        error_hint(err, "write a list of the model language in brackets: [1, 2]");
    } else {
        error_hint(
            err,
            "`- ` at the start of a line makes a list; write the text after | on lines of its own");
    }
}

static struct error *report_kind(struct loader *loader, enum shape shape, const char *name,
                                 const struct node *value)
{
    return report(loader, value, "%s must be %s, not %s", name, shapes[shape].wanted,
                  node_kind_name(value));
}

bool shape_check(struct loader *loader, enum shape shape, const char *name,
                 const struct node *value)
{
    assert(shape < SHAPES);
    if (shape_accepts(shape, value)) {
        return true;
    }
    hint_at_collection(report_kind(loader, shape, name, value), shapes[shape].accepts, value);
    return false;
}

static const struct key *find_key(const struct keys *keys, const char *name)
{
    size_t index = name_index(name, ROWS_OF(*keys, name));
    return index < keys->count ? &keys->items[index] : NULL;
}

/* "known keys: a, b, c" */
static void hint_keys(const struct keys *keys, unsigned refused, struct error *err)
{
    struct strbuf list = {0};
    assert(keys->items || !keys->count);
    for (size_t i = 0; i < keys->count; i++) {
        if (!(keys->items[i].flags & refused)) {
            strbuf_addf(&list, "%s%s", list.size ? ", " : "", keys->items[i].name);
        }
    }
    error_hint(err, "its keys are: %s", strbuf_text(&list));
    strbuf_free(&list);
}

/* True if the value may have the key's kind. */
static bool key_takes(const struct key *key, const struct node *value)
{
    return shape_accepts(key->shape, value) &&
           (key->shape != SHAPE_NUMBER || strspn(value->text, "0123456789") == value->size);
}

/* The place where a key of this name may have such a value: "under `settings`". NULL if there is
 * none. */
static const char *place_of(struct loader *loader, const char *name, const struct node *value)
{
    const char *found = NULL;
    for (const struct keys *const *keys = loader->all_keys; *keys; keys++) {
        const struct key *key = find_key(*keys, name);
        if (key && key_takes(key, value)) {
            found = found ? arena_printf(loader->arena, "%s, or %s", found, (*keys)->where)
                          : (*keys)->where;
        }
    }
    return found;
}

/* The key with this name in another tool, or in lower case; or NULL. */
static const struct key *same_key(const struct keys *keys, const char *word)
{
    for (size_t i = 0; keys->items && i < keys->count; i++) {
        if (strcasecmp(keys->items[i].name, word) == 0) {
            return &keys->items[i];
        }
    }
    const struct other_word *other = keys->words;
    while (other && other->word && strcmp(other->word, word) != 0) {
        other++;
    }
    return other && other->word ? find_key(keys, other->key) : NULL;
}

static const struct key *close_key(struct loader *loader, const struct keys *keys, unsigned refused,
                                   const char *word)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; keys->items && i < keys->count; i++) {
        if (!(keys->items[i].flags & refused)) {
            *VEC_PUSH(loader->arena, &names) = keys->items[i].name;
        }
    }
    const char *close = closest_name(word, names.items, names.count);
    return close ? find_key(keys, close) : NULL;
}

/* Reports an unknown key. The probably intended key counts as present, with this value if it has
 * none, so that one mistake gives one message. */
static void unknown_key(struct loader *loader, const struct keys *keys, unsigned refused,
                        const struct node_entry *entry, const struct node **values)
{
    const char *word = entry->key->text;
    const struct key *meant = same_key(keys, word);
    const char *place = meant ? NULL : place_of(loader, word, entry->value);
    meant = meant || place ? meant : close_key(loader, keys, refused, word);
    struct error *err =
        report(loader, entry->key, "%s has no key '%s'%s%s%s", keys->of, word,
               meant ? ", did you mean '" : "", meant ? meant->name : "", meant ? "'?" : "");
    if (meant && shape_accepts(meant->shape, entry->value) && !values[meant - keys->items]) {
        values[meant - keys->items] = entry->value;
    }
    if (node_is(entry->key, "<<")) {
        error_hint(err, "merge keys are not part of YAML's core schema; write the keys out");
    } else if (place) {
        error_hint(err, "it belongs %s", place);
    } else if (!meant) {
        hint_keys(keys, refused, err);
    }
    loader->names_incomplete = loader->names_incomplete || (!meant && keys->bring_names);
}

/* True if the next entry can only be the rest of a text that YAML split at its comma. */
static bool is_cut(const struct keys *keys, const struct node *map, size_t at)
{
    const struct node_entry *next =
        at + 1 < map->entries.count ? &map->entries.items[at + 1] : NULL;
    return next && next->key->kind == NODE_SCALAR && !find_key(keys, next->key->text);
}

/* Checks a known key; *value becomes its value if it is valid. */
static void check_entry(struct loader *loader, const struct key *key, unsigned refused,
                        const struct node_entry *entry, const struct node **value)
{
    const char *place =
        shape_accepts(key->shape, entry->value) ? NULL : place_of(loader, key->name, entry->value);
    if (key->flags & refused) {
        error_hint(report(loader, entry->key, "'%s' has no meaning in initialize", key->name),
                   "each step of initialize runs once, before the first rule");
    } else if (place) {
        error_hint(report_kind(loader, key->shape, key->name, entry->value),
                   "with such a value, it belongs %s", place);
    } else if (shape_check(loader, key->shape, key->name, entry->value)) {
        *value = entry->value;
    }
}

void keys_check(struct loader *loader, const struct keys *keys, const struct node *map,
                unsigned refused, const struct node **values)
{
    assert(map->kind == NODE_MAP);
    struct map seen = {.arena = loader->arena};
    memset(values, 0, keys->count * sizeof *values);
    for (size_t i = 0; i < map->entries.count; i++) {
        const struct node_entry *entry = &map->entries.items[i];
        const struct key *key = NULL;
        size_t first;
        size_t behind = is_cut(keys, map, i) ? split_text(loader, map, i) : i;
        if (behind > i) {
            (void)map_set_text(&seen, entry->key->text, entry->key->size, i, &first);
            i = behind - 1;
        } else if (entry->key->kind != NODE_SCALAR) {
            (void)report(loader, entry->key, "a key must be text, not %s",
                         node_kind_name(entry->key));
        } else if (!map_set_text(&seen, entry->key->text, entry->key->size, i, &first)) {
            error_hint(
                report(loader, entry->key, "the key '%s' is written twice", entry->key->text),
                "the first one is in line %zu",
                line_of(loader, node_pos(loader->source, map->entries.items[first].key)));
        } else if (!(key = find_key(keys, entry->key->text))) {
            unknown_key(loader, keys, refused, entry, values);
        } else {
            check_entry(loader, key, refused, entry, &values[key - keys->items]);
        }
    }
    for (size_t i = 0; i < keys->count; i++) {
        size_t at;
        const char *name = keys->items[i].name;
        if ((keys->items[i].flags & KEY_REQUIRED) &&
            !map_get_text(&seen, name, strlen(name), &at) && !values[i]) {
            (void)report(loader, map, "%s needs the key '%s'", keys->of, name);
        }
    }
}

size_t values_count(const struct node *const *values, size_t count)
{
    size_t there = 0;
    for (size_t i = 0; i < count; i++) {
        there += values[i] != NULL;
    }
    return there;
}

bool keys_lost_names(const struct node *map, const struct node *const *values, size_t count)
{
    for (size_t i = 0; i < map->entries.count; i++) {
        const struct node *value = map->entries.items[i].value;
        size_t at = 0;
        while (at < count && values[at] != value) {
            at++;
        }
        if (at == count && value->kind != NODE_SCALAR) {
            return true;
        }
    }
    return false;
}

void keys_read(struct loader *loader, const struct keys *keys, const struct node *const *values,
               void *into)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (values[i] && keys->items[i].read) {
            keys->items[i].read(loader, into, values[i]);
        }
    }
}

void keys_check_without_sql(struct loader *loader, const struct keys *keys,
                            const struct node *const *values)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (values[i] && (keys->items[i].flags & KEY_OF_SQL)) {
            (void)report(loader, values[i], "%s needs sql", keys->items[i].name);
        }
    }
}

static const struct {
    const char *first; /* the first and the other characters of a name */
    const char *rest;
    const char *rule;
} spellings[] = {
    [SPELL_IDENTIFIER] = {"", "", "a letter or _, then letters, digits and _"},
    [SPELL_NAME] = {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789",
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-",
                    "letters, digits, _, . and -, at most 63"},
    [SPELL_SETTING] = {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$.",
                       "letters, digits, _, $ and dots"},
};
enum { NAME_BYTES_MAX = 63 };

static bool is_spelled(enum spelling spelling, const struct node *node)
{
    if (spelling == SPELL_ANY) {
        return node->size > 0;
    }
    if (spelling == SPELL_IDENTIFIER) {
        return node->size <= NAME_BYTES_MAX && lang_is_name(node->text, node->size);
    }
    return node->size && node->size <= NAME_BYTES_MAX &&
           strchr(spellings[spelling].first, node->text[0]) &&
           strspn(node->text, spellings[spelling].rest) == node->size;
}

const char *read_name(struct loader *loader, enum spelling spelling, const char *what,
                      const struct node *node)
{
    if (node->kind != NODE_SCALAR || !node->size) {
        (void)report(loader, node, "the name of %s must be text, not %s", what,
                     node->kind == NODE_SCALAR ? "nothing" : node_kind_name(node));
        return NULL;
    }
    if (spelling == SPELL_IDENTIFIER && lang_is_reserved(node->text, node->size)) {
        error_hint(report(loader, node,
                          "'%s' is a reserved word of the model language, and can't be the name of "
                          "%s",
                          node->text, what),
                   "choose another name, such as '%s_'", node->text);
        return NULL;
    }
    if (!is_spelled(spelling, node)) {
        error_hint(report(loader, node, "'%s' can't be the name of %s", node->text, what),
                   "a name is made of %s", spellings[spelling].rule);
        return NULL;
    }
    return node->text;
}

bool entries_next(struct loader *loader, struct entries *entry)
{
    const struct node *map = entry->map;
    assert(map->kind == NODE_MAP);
    entry->seen.arena = loader->arena;
    while (entry->next < map->entries.count) {
        const struct node_entry *item = &map->entries.items[entry->next++];
        size_t first;
        entry->name = read_name(loader, entry->spelling, entry->what, item->key);
        entry->key = item->key;
        entry->value = item->value;
        if (!entry->name) {
            continue;
        }
        if (map_set_text(&entry->seen, entry->name, item->key->size, entry->next - 1, &first)) {
            return true;
        }
        error_hint(report(loader, item->key, "the name '%s' is written twice", entry->name),
                   "the first one is in line %zu",
                   line_of(loader, node_pos(loader->source, map->entries.items[first].key)));
    }
    return false;
}
