/* The JSON Schema of machine files: it is JSON, names every key, its references lead somewhere, and
 * machines/machine.schema.json is this very text. */
#include "machine/machine.h"

#include "value/json/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COMMITTED TEST_DATA_DIR "/../../../machines/machine.schema.json"

static struct arena arena;
static struct strbuf text;
static struct value schema;

static int make(void **state)
{
    (void)state;
    machine_json_schema(&text);
    return 0;
}

static int clear(void **state)
{
    (void)state;
    strbuf_free(&text);
    arena_free(&arena);
    return 0;
}

static void decode(void)
{
    struct error err = {0};
    if (!json_decode(&arena, text.data, text.size, &schema, &err)) {
        fail_msg("%s", err.message);
    }
}

static bool find(struct value dict, const char *key, struct value *out)
{
    struct table_entry *entry = NULL;
    assert_int_equal(dict.type, VALUE_DICT);
    assert_true(table_find(dict.as.table, value_text(&arena, key), &entry, NULL));
    if (entry) {
        *out = entry->value;
    }
    return entry != NULL;
}

static struct value get(struct value dict, const char *key)
{
    struct value out = value_none();
    if (!find(dict, key, &out)) {
        fail_msg("%s is missing", key);
    }
    return out;
}

/* Checks that the object has exactly the keys of the list, each with a description. */
static void check_keys(const char *definition, const char *keys)
{
    struct value object = get(get(schema, "$defs"), definition);
    struct value properties = get(object, "properties");
    assert_false(get(object, "additionalProperties").as.boolean);
    char *words = arena_strdup(&arena, keys);
    size_t count = 0;
    char *rest = NULL;
    for (char *key = strtok_r(words, " ", &rest); key; key = strtok_r(NULL, " ", &rest)) {
        struct value property = get(properties, key);
        assert_true(get(property, "description").as.string->size > 10);
        count++;
    }
    if (properties.as.table->count != count) {
        fail_msg("%s has keys beside: %s", definition, keys);
    }
}

/* The keys that the first table of a section of docs/MACHINES.md describes: what stands in
 * backquotes in its first column. */
static void documented_keys(const char *page, const char *heading, struct strbuf *out)
{
    const char *line = strstr(page, heading);
    assert_non_null(line);
    line = strstr(line, "\n| `");
    assert_non_null(line);
    for (; strncmp(line, "\n| `", 4) == 0; line = strchr(line + 1, '\n')) {
        const char *end = strchr(line + 3, '|');
        for (const char *at = line; (at = strchr(at, '`')) && at < end;
             at = strchr(at + 1, '`') + 1) {
            strbuf_addf(out, " %.*s", (int)strcspn(at + 1, "`"), at + 1);
        }
    }
}

/* Every key is documented, and every key that is documented is there. */
static void test_documented(void **state)
{
    static const struct {
        const char *definition;
        const char *heading;
    } sections[] = {
        {"machine", "\n## Top level\n"},    {"rule", "\n## Rules\n"},
        {"invariant", "\n## Invariants\n"}, {"context", "\n## Contexts\n"},
        {"settings", "\n## Settings\n"},    {"statement", "\n### Use an answer in the same step\n"},
    };
    static char page[1 << 17];
    FILE *file = fopen(TEST_DATA_DIR "/../../../docs/MACHINES.md", "rb");
    (void)state;
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    (void)fclose(file);
    decode();
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        struct strbuf keys = {0};
        documented_keys(page, sections[i].heading, &keys);
        check_keys(sections[i].definition, strbuf_text(&keys));
        strbuf_free(&keys);
    }
}

/* Keys without a table there. */
static void test_keys(void **state)
{
    (void)state;
    decode();
    check_keys(
        "step",
        "precondition args let where advance as transaction isolation sql raises expect affects "
        "check model target returns value");
    check_keys("example", "name steps xfail");
    check_keys("xfail", "reason strict");
    check_keys("shrink", "executions time");
}

static void check_references(struct value value, struct value definitions)
{
    struct value_iter iter;
    struct value item;
    if (value.type == VALUE_LIST) {
        assert_true(value_iter_begin(&iter, value, &arena, NULL));
        while (value_iter_next(&iter, &item)) {
            check_references(item, definitions);
        }
        value_iter_end(&iter);
    }
    for (size_t i = 0; value.type == VALUE_DICT && i < value.as.table->used; i++) {
        const struct table_entry *entry = &value.as.table->entries[i];
        if (value_is_string(entry->key, "$ref")) {
            const char *name = value_cstr(entry->value);
            assert_memory_equal(name, "#/$defs/", 8);
            (void)get(definitions, name + 8);
        } else {
            check_references(entry->value, definitions);
        }
    }
}

static void test_references(void **state)
{
    (void)state;
    decode();
    check_references(schema, get(schema, "$defs"));
}

static void test_required(void **state)
{
    (void)state;
    decode();
    struct value machine = get(get(schema, "$defs"), "machine");
    struct strbuf required = {0};
    value_repr(get(machine, "required"), &required);
    assert_string_equal(strbuf_text(&required), "[\"machine\", \"rules\"]");
    strbuf_free(&required);
}

/* `pgfsm schema > machines/machine.schema.json` updates it. */
static void test_committed(void **state)
{
    (void)state;
    static char committed[1 << 17];
    FILE *file = fopen(COMMITTED, "rb");
    assert_non_null(file);
    size_t size = fread(committed, 1, sizeof committed - 1, file);
    (void)fclose(file);
    committed[size] = '\0';
    assert_string_equal(committed, strbuf_text(&text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_documented, make, clear),
        cmocka_unit_test_setup_teardown(test_keys, make, clear),
        cmocka_unit_test_setup_teardown(test_references, make, clear),
        cmocka_unit_test_setup_teardown(test_required, make, clear),
        cmocka_unit_test_setup_teardown(test_committed, make, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
