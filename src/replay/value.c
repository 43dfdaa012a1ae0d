#include "base/words.h"
#include "replay/quote.h"
#include "replay/script.h"

#include <string.h>

enum { INTEGER_DIGITS = 9 }; /* every number of this many digits is an int4 */

const struct variable *variable_of(const struct script *script, unsigned cell)
{
    for (size_t i = 0; cell && i < script->variables.count; i++) {
        if (script->variables.items[i].cell == cell) {
            return &script->variables.items[i];
        }
    }
    return NULL;
}

/* Appends a variable: as a mark in a text for attempt.c, as a setting for another session,
 * otherwise as a psql variable. */
static void add_variable(const struct script *script, const struct variable *variable,
                         struct strbuf *out)
{
    strbuf_addf(out,
                script->values_in_settings ? "pg_catalog.current_setting('pgfsm.%s')"
                : script->attempting       ? ATTEMPT_MARK "%s" ATTEMPT_MARK
                                           : ":%s",
                variable->name);
}

static void add_joined(const struct recorded_value *value, struct strbuf *out)
{
    for (size_t i = 0; i < value->parts.count; i++) {
        strbuf_add(out, value->parts.items[i].text, value->parts.items[i].size);
    }
}

/* True if the constant needs no quotes, because it has the type that the server inferred: an int4
 * or a bool. Negative numbers do, because the sign could become part of an operator. */
static bool is_bare(const struct recorded_value *value, const struct strbuf *text)
{
    const char *plain = strbuf_text(text);
    if (!value->type || text->size == 0) {
        return false;
    }
    if (strcmp(value->type, "boolean") == 0) {
        return strcmp(plain, "true") == 0 || strcmp(plain, "false") == 0;
    }
    return strcmp(value->type, "integer") == 0 && text->size <= INTEGER_DIGITS &&
           strspn(plain, "0123456789") == text->size;
}

static void add_constant(const struct recorded_value *value, struct strbuf *out)
{
    struct strbuf text = {0};
    add_joined(value, &text);
    if (is_bare(value, &text)) {
        strbuf_adds(out, strbuf_text(&text));
    } else {
        quote_literal(out, strbuf_text(&text), text.size);
    }
    strbuf_free(&text);
}

static bool has_variable(const struct script *script, const struct recorded_value *value)
{
    for (size_t i = 0; i < value->parts.count; i++) {
        if (variable_of(script, value->parts.items[i].cell)) {
            return true;
        }
    }
    return false;
}

/* Appends pg_catalog.concat('a', :b, 'c'), because the user may have defined `||`. Adjacent texts
 * become one constant. */
static void add_sum(const struct script *script, const struct recorded_value *value,
                    struct strbuf *out)
{
    struct strbuf text = {0};
    const char *between = "";
    strbuf_adds(out, value->parts.count > 1 ? "pg_catalog.concat(" : "");
    for (size_t i = 0; i <= value->parts.count; i++) {
        bool end = i == value->parts.count;
        const struct recorded_part *part = end ? NULL : &value->parts.items[i];
        const struct variable *variable = part ? variable_of(script, part->cell) : NULL;
        if ((variable || end) && text.size) {
            strbuf_adds(out, between);
            quote_literal(out, strbuf_text(&text), text.size);
            strbuf_clear(&text);
            between = ", ";
        }
        if (variable) {
            strbuf_adds(out, between);
            add_variable(script, variable, out);
            between = ", ";
        } else if (part) {
            strbuf_add(&text, part->text, part->size);
        }
    }
    strbuf_adds(out, value->parts.count > 1 ? ")" : "");
    strbuf_free(&text);
}

/* True if it is an expression of type text. */
static bool is_sum(const struct script *script, const struct recorded_value *value)
{
    return (value->parts.count > 1 || script->values_in_settings) && has_variable(script, value);
}

/* True if its cells have variables here. */
static bool is_computed(const struct script *script, const struct recorded_value *value)
{
    bool computed = value->computed.count > 0;
    for (size_t i = 0; i < value->computed.count; i++) {
        unsigned cell = value->computed.items[i].cell;
        computed = computed && (!cell || variable_of(script, cell));
    }
    return computed;
}

static void add_computed(const struct script *script, const struct recorded_value *value,
                         struct strbuf *out)
{
    for (size_t i = 0; i < value->computed.count; i++) {
        const struct recorded_part *part = &value->computed.items[i];
        const struct variable *variable = variable_of(script, part->cell);
        if (variable) {
            add_variable(script, variable, out);
        } else {
            strbuf_add(out, part->text, part->size);
        }
    }
}

void value_write(struct script *script, const struct recorded_value *value, struct strbuf *out)
{
    if (value->null) {
        strbuf_adds(out, "NULL");
    } else if (value->type && is_computed(script, value)) {
        add_computed(script, value, out);
        quote_cast(out, value->type);
    } else if (is_sum(script, value) && value->type) {
        add_sum(script, value, out);
        quote_cast(out, value->type);
    } else if (has_variable(script, value)) {
        add_sum(script, value, out);
    } else {
        add_constant(value, out);
    }
}

void value_write_typed(struct script *script, const struct recorded_value *value, const char *type,
                       struct strbuf *out)
{
    struct recorded_value untyped = *value;
    bool sum = is_sum(script, value);
    /* With a cast, a small number needs no quotes for any type of number. */
    bool number = word_is_in(type, "smallint|integer|bigint|numeric");
    untyped.type = !sum && number ? "integer" : NULL;
    value_write(script, &untyped, out);
    quote_cast(out, type);
}

void value_write_pasted(struct script *script, const struct recorded_value *value,
                        enum sql_piece_kind kind, struct strbuf *out)
{
    struct strbuf text = {0};
    bool variable = value->parts.count == 1 && has_variable(script, value);
    add_joined(value, &text);
    if (kind == SQL_IDENTIFIER) {
        quote_identifier(out, strbuf_text(&text));
    } else if (value->null || variable) {
        value_write(script, value, out);
    } else {
        quote_literal(out, strbuf_text(&text), text.size);
    }
    strbuf_free(&text);
}
