/*
 * `dataset`: rows as INSERT statements whose parameters are constants.
 *
 * Scalars are read by YAML's core schema (YAML 1.2, section 10.3.2), with one difference: a number
 * that would not print as it was written (1e3, 007, +5) stays text, since the column may be one of
 * text, and the server reads it as a number where that is wanted. Inside a list or mapping, which
 * become arrays and JSON, it is a number.
 */
#include "machine/loader.h"

#include "value/number/numeric.h"

#include <string.h>

/* Tables and columns are called as in the catalog: no case is folded. */
static void add_identifier(struct strbuf *sql, const char *name, size_t size)
{
    strbuf_addc(sql, '"');
    for (size_t i = 0; i < size; i++) {
        strbuf_addc(sql, name[i]);
        if (name[i] == '"') {
            strbuf_addc(sql, '"');
        }
    }
    strbuf_addc(sql, '"');
}

/* `users`, `app.users`: a dot parts schema and table. */
static void add_table(struct strbuf *sql, const char *table)
{
    const char *dot = strchr(table, '.');
    if (dot) {
        add_identifier(sql, table, (size_t)(dot - table));
        strbuf_addc(sql, '.');
        table = dot + 1;
    }
    add_identifier(sql, table, strlen(table));
}

/* A statement while it is written; every byte knows which node it comes from. */
struct writing {
    struct loader *loader;
    struct sql_template *template;
    struct strbuf text;
    VEC(uint32_t) offsets;
    size_t piece; /* where the piece being written begins */
};

static void came_from(struct writing *writing, const struct node *node)
{
    while (writing->offsets.count <= writing->text.size) {
        *VEC_PUSH(writing->loader->arena, &writing->offsets) = (uint32_t)node->start;
    }
}

static void end_text(struct writing *writing)
{
    struct sql_piece *piece = VEC_PUSH(writing->loader->arena, &writing->template->pieces);
    piece->kind = SQL_TEXT;
    piece->offset = writing->piece;
    piece->size = writing->text.size - writing->piece;
    piece->text =
        arena_strndup(writing->loader->arena, writing->text.data + writing->piece, piece->size);
}

/* `:column`, as it would be written by hand. */
static void add_value(struct writing *writing, const struct node *column)
{
    end_text(writing);
    struct sql_piece *piece = VEC_PUSH(writing->loader->arena, &writing->template->pieces);
    piece->kind = SQL_VALUE;
    piece->offset = writing->text.size;
    piece->text = column->text;
    piece->size = column->size;
    piece->slot = writing->template->value_count++;
    strbuf_addc(&writing->text, ':');
    strbuf_adds(&writing->text, column->text);
    came_from(writing, column);
    writing->piece = writing->text.size;
}

/* Rows may bring the keys that the server would issue; on columns that are no identity the words
 * OVERRIDING SYSTEM VALUE mean nothing. */
static void write_values(struct writing *writing, const struct node *row)
{
    for (size_t i = 0; i < row->entries.count; i++) {
        strbuf_adds(&writing->text, i ? ", " : " OVERRIDING SYSTEM VALUE VALUES (");
        add_value(writing, row->entries.items[i].key);
    }
    strbuf_adds(&writing->text, ")");
}

static const struct sql_template *insert_template(struct loader *loader, const struct node *table,
                                                  const struct node *row)
{
    struct writing writing = {.loader = loader,
                              .template = ARENA_NEW(loader->arena, struct sql_template)};
    strbuf_adds(&writing.text, "INSERT INTO ");
    add_table(&writing.text, table->text);
    came_from(&writing, table);
    for (size_t i = 0; i < row->entries.count; i++) {
        const struct node *column = row->entries.items[i].key;
        strbuf_adds(&writing.text, i ? ", " : " (");
        add_identifier(&writing.text, column->text, column->size);
        came_from(&writing, column);
    }
    if (row->entries.count) {
        strbuf_addc(&writing.text, ')');
        write_values(&writing, row);
    } else {
        strbuf_adds(&writing.text, " DEFAULT VALUES");
    }
    came_from(&writing, row);
    end_text(&writing);
    writing.template->snippet = (struct snippet){.source = loader->source,
                                                 .text = strbuf_copy(&writing.text, loader->arena),
                                                 .size = writing.text.size,
                                                 .offsets = writing.offsets.items};
    strbuf_free(&writing.text);
    writing.template->command = "INSERT";
    writing.template->id = loader->machine->templates.count;
    *VEC_PUSH(loader->arena, &loader->machine->templates) = writing.template;
    return writing.template;
}

static bool is_one_of(const char *text, const char *const *words)
{
    while (*words && strcmp(*words, text) != 0) {
        words++;
    }
    return *words != NULL;
}

static size_t digits(const char *text) { return strspn(text, "0123456789"); }

/* [-+]?[0-9]+, 0o7, 0xF */
static bool is_int(const char *text)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'o')) {
        const char *set = text[1] == 'x' ? "0123456789abcdefABCDEF" : "01234567";
        return text[2] && strspn(text + 2, set) == strlen(text + 2);
    }
    text += *text == '-' || *text == '+';
    return digits(text) && !text[digits(text)];
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool is_float(const char *text)
{
    text += *text == '-' || *text == '+';
    size_t whole = digits(text);
    text += whole;
    size_t fraction = *text == '.' ? digits(text + 1) : 0;
    text += (*text == '.') + fraction;
    if (!whole && !fraction) {
        return false;
    }
    if (*text == 'e' || *text == 'E') {
        text += 1 + (text[1] == '-' || text[1] == '+');
        return digits(text) && !text[digits(text)];
    }
    return !*text;
}

static bool read_int(struct arena *arena, const char *text, struct value *out)
{
    bool prefixed = text[0] == '0' && (text[1] == 'x' || text[1] == 'o');
    const char *from = text + (*text == '+');
    return int_from_text(arena, from, strlen(from), prefixed ? 0 : 10, out, NULL);
}

static bool read_float(struct arena *arena, const char *text, struct value *out)
{
    return is_float(text) && numeric_from_text(arena, text, strlen(text), out, NULL);
}

static bool read_special(struct arena *arena, const char *text, struct value *out)
{
    static const char *const infinite[] = {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", NULL};
    static const char *const negative[] = {"-.inf", "-.Inf", "-.INF", NULL};
    static const char *const nan[] = {".nan", ".NaN", ".NAN", NULL};
    const char *from = is_one_of(text, infinite)   ? "Infinity"
                       : is_one_of(text, negative) ? "-Infinity"
                       : is_one_of(text, nan)      ? "NaN"
                                                   : NULL;
    return from && numeric_from_text(arena, from, strlen(from), out, NULL);
}

static bool prints_as(struct value number, const char *text)
{
    struct strbuf printed = {0};
    number_text(number, &printed);
    bool same = !strcmp(strbuf_text(&printed), text);
    strbuf_free(&printed);
    return same;
}

static bool read_bool(const char *text, struct value *out)
{
    static const char *const true_words[] = {"true", "True", "TRUE", NULL};
    static const char *const false_words[] = {"false", "False", "FALSE", NULL};
    *out = value_bool(is_one_of(text, true_words));
    return out->as.boolean || is_one_of(text, false_words);
}

static bool read_null(const char *text, struct value *out)
{
    static const char *const null_words[] = {"", "~", "null", "Null", "NULL", NULL};
    *out = value_none();
    return is_one_of(text, null_words);
}

/* A plain scalar, by how it is written. */
static bool read_plain(struct arena *arena, const char *text, bool inside, struct value *out)
{
    if (read_null(text, out) || read_bool(text, out) || read_special(arena, text, out)) {
        return true;
    }
    bool number = is_int(text) ? read_int(arena, text, out) : read_float(arena, text, out);
    return number && (inside || prints_as(*out, text));
}

static bool read_tagged(struct arena *arena, const struct node *node, struct value *out)
{
    switch (node->tag) {
    case NODE_TAG_INT:
        return is_int(node->text) && read_int(arena, node->text, out);
    case NODE_TAG_FLOAT:
        return read_special(arena, node->text, out) || read_float(arena, node->text, out);
    case NODE_TAG_BOOL:
        return read_bool(node->text, out);
    case NODE_TAG_NULL:
        return read_null(node->text, out);
    case NODE_UNTAGGED:
    case NODE_TAG_STR:
    case NODE_TAG_LIST:
    case NODE_TAG_MAP:
    default:
        *out = value_string(arena, node->text, node->size);
        return true;
    }
}

static struct value scalar(struct loader *loader, const struct node *node, bool inside)
{
    struct value value;
    bool plain = node->style == STYLE_PLAIN && node->tag == NODE_UNTAGGED;
    if (plain && read_plain(loader->arena, node->text, inside, &value)) {
        return value;
    }
    if (!read_tagged(loader->arena, node, &value)) {
        (void)report(loader, node, "'%s' does not have the type that its tag names", node->text);
        return value_none();
    }
    return value;
}

static struct value node_value(struct loader *loader, const struct node *node, bool inside);

/* JSON objects have texts as keys. */
static struct value map_value(struct loader *loader, const struct node *node)
{
    struct value dict = value_dict(loader->arena);
    struct entries entry = {.map = node, .spelling = SPELL_ANY, .what = "a key"};
    while (entries_next(loader, &entry)) {
        (void)table_set(dict.as.table, value_text(loader->arena, entry.name),
                        node_value(loader, entry.value, true), NULL);
    }
    return dict;
}

/* Nesting is bounded by the document's. */
static struct value node_value(struct loader *loader, const struct node *node, bool inside)
{
    if (node->kind == NODE_SCALAR) {
        return scalar(loader, node, inside);
    }
    if (node->kind == NODE_MAP) {
        return map_value(loader, node);
    }
    struct value list = value_list(loader->arena);
    for (size_t i = 0; i < node->entries.count; i++) {
        list_append(list.as.list, node_value(loader, node->entries.items[i].value, true));
    }
    return list;
}

static bool same_columns(const struct node *a, const struct node *b)
{
    if (!a || a->entries.count != b->entries.count) {
        return false;
    }
    for (size_t i = 0; i < a->entries.count; i++) {
        if (!node_is(a->entries.items[i].key, b->entries.items[i].key->text)) {
            return false;
        }
    }
    return true;
}

static bool check_row(struct loader *loader, const struct node *row)
{
    struct entries entry = {.map = row, .spelling = SPELL_ANY, .what = "a column"};
    size_t columns = 0;
    if (row->kind != NODE_MAP) {
        return error_hint(report(loader, row,
                                 "a row must be a mapping of columns to values, not %s",
                                 node_kind_name(row)),
                          "write {name: Ann, age: 30}");
    }
    while (entries_next(loader, &entry)) {
        columns++;
    }
    return columns == row->entries.count;
}

static void read_rows(struct loader *loader, const struct node *table, const struct node *rows)
{
    const struct node *last = NULL;
    const struct sql_template *sql = NULL;
    for (size_t i = 0; i < rows->entries.count; i++) {
        const struct node *row = rows->entries.items[i].value;
        if (!check_row(loader, row)) {
            continue;
        }
        struct value *values = ARENA_ARRAY(loader->arena, struct value, row->entries.count);
        for (size_t k = 0; k < row->entries.count; k++) {
            values[k] = node_value(loader, row->entries.items[k].value, false);
            value_freeze(values[k]);
        }
        sql = same_columns(last, row) ? sql : insert_template(loader, table, row);
        last = row;
        *VEC_PUSH(loader->arena, &loader->machine->dataset) =
            (struct dataset_row){.sql = sql,
                                 .values = values,
                                 .table = table->text,
                                 .pos = node_pos(loader->source, row)};
    }
}

void read_dataset(struct loader *loader, void *into, const struct node *map)
{
    (void)into;
    struct entries entry = {.map = map, .spelling = SPELL_ANY, .what = "a table"};
    while (entries_next(loader, &entry)) {
        if (entry.value->kind == NODE_LIST) {
            read_rows(loader, entry.key, entry.value);
        } else {
            error_hint(report(loader, entry.value, "the rows of '%s' must be a list, not %s",
                              entry.name, node_kind_name(entry.value)),
                       "write `- ` before each row");
        }
    }
}
