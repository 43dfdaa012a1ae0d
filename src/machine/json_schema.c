/* The JSON Schema of machine files: the tables of keys, written out. */
#include "machine/machine.h"

#include "machine/loader.h"

static void add_string(struct strbuf *out, const char *text)
{
    strbuf_addc(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            strbuf_addc(out, '\\');
        }
        strbuf_addc(out, *text);
    }
    strbuf_addc(out, '"');
}

/* Appends the allowed keys: those without a flag in `left_out`. */
static void add_properties(struct strbuf *out, const struct keys *keys, unsigned left_out)
{
    const char *between = "";
    strbuf_adds(out, "      \"properties\": {\n");
    for (size_t i = 0; i < keys->count; i++) {
        const struct key *key = &keys->items[i];
        if (key->flags & left_out) {
            continue;
        }
        strbuf_addf(
            out,
            "%s        \"%s\": {\n          \"$ref\": \"#/$defs/%s\",\n          \"description\": ",
            between, key->name, shapes[key->shape].name);
        add_string(out, key->help);
        strbuf_adds(out, "\n        }");
        between = ",\n";
    }
    strbuf_adds(out, "\n      }");
}

static void add_required(struct strbuf *out, const struct keys *keys)
{
    const char *between = ",\n      \"required\": [";
    bool any = false;
    for (size_t i = 0; i < keys->count; i++) {
        if (keys->items[i].flags & KEY_REQUIRED) {
            strbuf_addf(out, "%s\"%s\"", between, keys->items[i].name);
            between = ", ";
            any = true;
        }
    }
    strbuf_adds(out, any ? "]" : "");
}

/* Appends the dependencies between keys, as far as JSON Schema can express them. */
static void add_needs(struct strbuf *out, const struct keys *keys)
{
    static const struct {
        unsigned flag;
        const char *key;
    } needs[] = {{KEY_OF_SQL, "sql"}, {KEY_OF_ARGS, "args"}, {KEY_OF_TARGET, "target"}};
    const char *between = "";
    strbuf_adds(out, ",\n      \"dependentRequired\": {");
    for (size_t i = 0; i < keys->count; i++) {
        for (size_t j = 0; j < sizeof needs / sizeof needs[0]; j++) {
            if (keys->items[i].flags & needs[j].flag) {
                strbuf_addf(out, "%s\"%s\": [\"%s\"]", between, keys->items[i].name, needs[j].key);
                between = ", ";
            }
        }
    }
    between = "},\n      \"anyOf\": [";
    for (const char *const *key = keys->one_of; *key; key++) {
        strbuf_addf(out, "%s{\"required\": [\"%s\"]}", between, *key);
        between = ", ";
    }
    strbuf_addc(out, ']');
}

static void add_object(struct strbuf *out, const char *name, const struct keys *keys,
                       unsigned left_out)
{
    strbuf_addf(out, "    \"%s\": {\n      \"type\": \"object\",\n", name);
    add_properties(out, keys, left_out);
    add_required(out, keys);
    if (keys->one_of) {
        add_needs(out, keys);
    }
    strbuf_adds(out, ",\n      \"additionalProperties\": false\n    },\n");
}

void machine_json_schema(struct strbuf *out)
{
    strbuf_adds(out, "{\n"
                     "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
                     "  \"title\": \"A machine of pgfsm\",\n"
                     "  \"$ref\": \"#/$defs/machine\",\n"
                     "  \"$defs\": {\n");
    add_object(out, "machine", &machine_keys, 0);
    add_object(out, "rule", &rule_keys, 0);
    add_object(out, "step", &rule_keys, KEY_RULE_ONLY);
    add_object(out, "invariant", &invariant_keys, 0);
    add_object(out, "example", &pinned_keys, 0);
    add_object(out, "context", &context_keys, 0);
    add_object(out, "statement", &statement_keys, 0);
    add_object(out, "settings", &settings_keys, 0);
    add_object(out, "shrink", &shrink_keys, 0);
    add_object(out, "xfail", &xfail_keys, 0);
    add_object(out, "crash", &crash_keys, 0);
    add_object(out, "difference", &difference_keys, 0);
    add_object(out, "migration", &migration_keys, 0);
    for (size_t i = 0; i < SHAPES; i++) {
        strbuf_addf(out, "    \"%s\": %s%s\n", shapes[i].name, shapes[i].schema,
                    i + 1 < SHAPES ? "," : "");
    }
    strbuf_adds(out, "  }\n}\n");
}
