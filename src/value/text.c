#include "base/utf8.h"
#include "value/number/numeric.h"
#include "value/object.h"
#include "value/walk.h"

#include <string.h>

/* The containers being written, innermost first. A container that appears again holds itself. */
struct open {
    const struct open *outer;
    const void *container;
};

struct writer {
    struct strbuf *out;
    struct walk walk;
    size_t start; /* out->size at the beginning */
    const struct open *open;
};

static void write_value(struct writer *writer, struct value value);

/* Code points that are written as escapes: controls, characters that YAML does not allow in a file,
 * line separators, invisible marks and those that change the direction of text. */
static const struct {
    uint32_t first, last;
} escaped[] = {{0x00, 0x1F},       {0x7F, 0xA0},      {0xAD, 0xAD},     {0x200B, 0x200F},
               {0x2028, 0x202E},   {0x2060, 0x206F},  {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFF},
               {0x1FFFE, 0x1FFFF}, {0xE0000, 0xE007F}};

static bool is_escaped(uint32_t code)
{
    for (size_t i = 0; i < sizeof escaped / sizeof *escaped; i++) {
        if (code >= escaped[i].first && code <= escaped[i].last) {
            return true;
        }
    }
    return false;
}

/* The letter of a two-character escape, or 0. */
static char short_escape(uint32_t code)
{
    static const char meanings[] = "\n\r\t\"\\";
    const char *found = code && code < 0x80U ? strchr(meanings, (int)code) : NULL;
    return found ? "nrt\"\\"[found - meanings] : '\0';
}

static void write_code(struct strbuf *out, uint32_t code)
{
    char bytes[UTF8_MAX];
    if (short_escape(code)) {
        strbuf_addc(out, '\\');
        strbuf_addc(out, short_escape(code));
    } else if (!is_escaped(code)) {
        strbuf_add(out, bytes, utf8_encode(code, bytes));
    } else if (code < 0x80U) {
        strbuf_addf(out, "\\x%02x", (unsigned)code);
    } else if (code < 0x10000U) {
        strbuf_addf(out, "\\u%04x", (unsigned)code);
    } else {
        strbuf_addf(out, "\\U%08x", (unsigned)code);
    }
}

/* The offset of the first character that may need an escape. */
static size_t skip_plain(const struct string *string, size_t at)
{
    for (; at < string->size; at++) {
        char c = string->data[at];
        if (c < ' ' || c > '~' || c == '"' || c == '\\') {
            break;
        }
    }
    return at;
}

static void write_string(struct strbuf *out, const struct string *string)
{
    size_t at;
    size_t plain = 0; /* the start of the text before `at` that is not written yet */
    strbuf_addc(out, '"');
    for (at = skip_plain(string, 0); at < string->size; at = skip_plain(string, at)) {
        uint32_t code = '?';
        size_t size = utf8_decode(string->data + at, string->size - at, &code);
        if (size == 0) {
            size = 1; /* invalid UTF-8 is kept */
        } else if (short_escape(code) || is_escaped(code)) {
            strbuf_add(out, string->data + plain, at - plain);
            write_code(out, code);
            plain = at + size;
        }
        at += size;
    }
    strbuf_add(out, string->data + plain, at - plain);
    strbuf_addc(out, '"');
}

static void write_bytes(struct strbuf *out, const struct bytes *bytes)
{
    strbuf_adds(out, "b\"");
    for (size_t i = 0; i < bytes->size; i++) {
        if (bytes->data[i] < 0x80U) {
            write_code(out, bytes->data[i]);
        } else {
            strbuf_addf(out, "\\x%02x", bytes->data[i]);
        }
    }
    strbuf_addc(out, '"');
}

static void write_number(struct strbuf *out, struct value value)
{
    bool special = value.type == VALUE_NUMERIC && value.as.numeric->kind != NUMERIC_FINITE;
    if (value.type == VALUE_FLOAT || special) {
        strbuf_adds(out, value.type == VALUE_FLOAT ? "float(\"" : "numeric(\"");
        number_text(value, out);
        strbuf_adds(out, "\")");
    } else {
        number_text(value, out);
    }
}

/* Writes the separator between parts. At the limit, writes "..." and returns false. */
static bool write_separator(struct writer *writer, const char *separator)
{
    if (writer->walk.limit == WALK_TOO_MUCH) {
        return false;
    }
    strbuf_adds(writer->out, separator);
    if (writer->out->size - writer->start > WALK_TEXT_MAX) {
        writer->walk.limit = WALK_TOO_MUCH;
        strbuf_adds(writer->out, "...");
        return false;
    }
    return true;
}

static void write_items(struct writer *writer, const char *before, struct value value,
                        const char *after)
{
    struct items items = value_items(value);
    strbuf_adds(writer->out, before);
    for (size_t i = 0; i < items.count && write_separator(writer, i ? ", " : ""); i++) {
        write_value(writer, items.items[i]);
    }
    strbuf_adds(writer->out, after);
}

static void write_table(struct writer *writer, struct value value)
{
    const struct table *table = value.as.table;
    const struct table_entry *entry;
    bool dict = value.type == VALUE_DICT;
    const char *separator = "";
    strbuf_adds(writer->out, dict ? "{" : "set([");
    for (size_t i = 0; (entry = table_next(table, &i)) && write_separator(writer, separator);) {
        write_value(writer, entry->key);
        if (dict) {
            strbuf_adds(writer->out, ": ");
            write_value(writer, entry->value);
        }
        separator = ", ";
    }
    strbuf_adds(writer->out, dict ? "}" : "])");
}

static void write_error(struct writer *writer, const struct error_value *error)
{
    const struct {
        const char *name;
        struct value value;
    } parts[] = {{", constraint=", error->constraint},
                 {", message=", error->message},
                 {", table=", error->table}};
    strbuf_adds(writer->out, "error(");
    write_value(writer, error->condition);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].value.type != VALUE_NONE) {
            strbuf_adds(writer->out, parts[i].name);
            write_value(writer, parts[i].value);
        }
    }
    strbuf_addc(writer->out, ')');
}

static void write_object(struct strbuf *out, const struct object *object)
{
    if (object->type->repr) {
        object->type->repr(object, out);
    } else {
        strbuf_addf(out, "<%s>", object->type->name);
    }
}

static bool is_open(const struct writer *writer, const void *container)
{
    for (const struct open *open = writer->open; open; open = open->outer) {
        if (open->container == container) {
            return true;
        }
    }
    return false;
}

static void write_inside(struct writer *writer, struct value value)
{
    if (value.type == VALUE_TUPLE) {
        write_items(writer, "(", value, value.as.tuple->count == 1 ? ",)" : ")");
    } else if (value_is_table(value)) {
        write_table(writer, value);
    } else if (value.type == VALUE_BAG) {
        write_items(writer, "bag([", value, "])");
    } else if (value.type == VALUE_MULTIPLE) {
        write_items(writer, "multiple(", value, ")");
    } else if (value.type == VALUE_ERROR) {
        write_error(writer, value.as.error);
    } else {
        write_items(writer, "[", value, "]");
    }
}

static void write_container(struct writer *writer, struct value value)
{
    struct open open = {.outer = writer->open,
                        .container = value.as.list /* a container of any type */};
    if (is_open(writer, open.container)) {
        strbuf_adds(writer->out, value.type == VALUE_DICT    ? "{...}"
                                 : value.type == VALUE_TUPLE ? "(...)"
                                                             : "[...]");
        return;
    }
    if (!walk_enter(&writer->walk, value)) {
        strbuf_adds(writer->out, "...");
        if (writer->walk.limit == WALK_TOO_DEEP) {
            writer->walk.limit = WALK_FINE; /* continues with the next part */
        }
        return;
    }
    writer->open = &open;
    write_inside(writer, value);
    writer->open = open.outer;
    walk_leave(&writer->walk);
}

static void write_value(struct writer *writer, struct value value)
{
    switch (value.type) {
    case VALUE_NONE:
        strbuf_adds(writer->out, "None");
        break;
    case VALUE_BOOL:
        strbuf_adds(writer->out, value.as.boolean ? "True" : "False");
        break;
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
        write_number(writer->out, value);
        break;
    case VALUE_STRING:
        write_string(writer->out, value.as.string);
        break;
    case VALUE_BYTES:
        write_bytes(writer->out, value.as.bytes);
        break;
    case VALUE_JSON_NULL:
        strbuf_adds(writer->out, "json_null");
        break;
    case VALUE_OBJECT:
        write_object(writer->out, value.as.object);
        break;
    case VALUE_LIST:
    case VALUE_TUPLE:
    case VALUE_DICT:
    case VALUE_SET:
    case VALUE_BAG:
    case VALUE_MULTIPLE:
    case VALUE_ERROR:
        write_container(writer, value);
        break;
    default:
        strbuf_adds(writer->out, "<unset>");
    }
}

void value_repr(struct value value, struct strbuf *out)
{
    struct writer writer = {.out = out, .start = out->size};
    write_value(&writer, value);
}

const char *value_repr_text(struct arena *arena, struct value value)
{
    struct strbuf text = {0};
    value_repr(value, &text);
    return strbuf_take(&text, arena);
}

void value_str(struct value value, struct strbuf *out)
{
    if (value.type == VALUE_STRING) {
        strbuf_add(out, value.as.string->data, value.as.string->size);
    } else if (value_is_number(value)) {
        number_text(value, out);
    } else {
        value_repr(value, out);
    }
}
