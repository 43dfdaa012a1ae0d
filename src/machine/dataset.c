/*
 * `dataset`: rows as INSERT statements whose parameters are constants.
 *
 * Scalars are read by YAML's core schema (YAML 1.2, section 10.3.2), with one difference: a number
 * that would not print as it was written (1e3, 007, +5) stays text. The column may be text; for
 * other columns the server reads the text as a number. Inside a list or mapping, which become
 * arrays and JSON, it is a number.
 */
#include "machine/loader.h"

#include "value/number/numeric.h"

#include <regex.h>
#include <string.h>

/* Names of tables and columns are those of the catalog; their case is not folded. */
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

/* `users`, `app.users`: a dot separates schema and table. */
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

/* A statement being written; every byte knows its node. */
struct writing {
    struct loader *loader;
    struct sql_template *template;
    struct strbuf text;
    VEC(uint32_t) places;
    size_t piece; /* start of the piece being written */
};

static void came_from(struct writing *writing, const struct node *node)
{
    while (writing->places.count <= writing->text.size) {
        *VEC_PUSH(writing->loader->arena, &writing->places) = (uint32_t)node->start;
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
static void add_parameter(struct writing *writing, const struct node *column)
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

/* Rows may contain generated keys. OVERRIDING SYSTEM VALUE has no effect on columns that are not
 * identities. */
static void write_values(struct writing *writing, const struct node *row)
{
    for (size_t i = 0; i < row->entries.count; i++) {
        strbuf_adds(&writing->text, i ? ", " : " OVERRIDING SYSTEM VALUE VALUES (");
        add_parameter(writing, row->entries.items[i].key);
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
                                                 .size = writing.text.size};
    snippet_map(&writing.template->snippet, writing.places.items, loader->arena);
    strbuf_free(&writing.text);
    writing.template->command = "INSERT";
    writing.template->id = loader->machine->templates.count;
    *VEC_PUSH(loader->arena, &loader->machine->templates) = writing.template;
    return writing.template;
}

/* The core schema: a pattern for the text of each type. Text without a tag has the first type that
 * fits. */
static const struct {
    enum node_tag tag;
    const char *pattern;
} core_schema[] = {
    {NODE_TAG_NULL, "^(|~|null|Null|NULL)$"},
    {NODE_TAG_BOOL, "^(true|True|TRUE|false|False|FALSE)$"},
    {NODE_TAG_INT, "^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$"},
    {NODE_TAG_FLOAT, "^[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?$"},
    {NODE_TAG_FLOAT, "^([-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN))$"},
};
enum { CORE_TYPES = sizeof core_schema / sizeof core_schema[0] };

/* The state while values are read. */
struct valuing {
    struct loader *loader;
    regex_t core[CORE_TYPES];
};

static void valuing_begin(struct valuing *valuing)
{
    for (size_t i = 0; i < CORE_TYPES; i++) {
        if (regcomp(&valuing->core[i], core_schema[i].pattern, REG_EXTENDED | REG_NOSUB) != 0) {
            memory_exhausted(); /* the patterns are valid, so this is a lack of memory */
        }
    }
}

static void valuing_end(struct valuing *valuing)
{
    for (size_t i = 0; i < CORE_TYPES; i++) {
        regfree(&valuing->core[i]);
    }
}

/* The type of a text: `wanted` if that is not NODE_UNTAGGED and fits; NODE_TAG_STR if no type fits.
 */
static enum node_tag type_of(const struct valuing *valuing, const char *text, enum node_tag wanted)
{
    for (size_t i = 0; i < CORE_TYPES; i++) {
        if ((wanted == NODE_UNTAGGED || wanted == core_schema[i].tag) &&
            regexec(&valuing->core[i], text, 0, NULL, 0) == 0) {
            return core_schema[i].tag;
        }
    }
    return NODE_TAG_STR;
}

static bool read_number(struct arena *arena, enum node_tag tag, const char *text, struct value *out)
{
    if (tag == NODE_TAG_INT) {
        bool prefixed = text[0] == '0' && (text[1] == 'x' || text[1] == 'o');
        text += *text == '+';
        return int_from_text(arena, text, strlen(text), prefixed ? 0 : 10, out, NULL);
    }
    bool infinite = strpbrk(text, "iI") != NULL;
    bool nan = !infinite && strpbrk(text, "nN");
    text = infinite ? (*text == '-' ? "-Infinity" : "Infinity") : nan ? "NaN" : text;
    return numeric_from_text(arena, text, strlen(text), out, NULL);
}

static bool prints_as(struct value number, const char *text)
{
    struct strbuf printed = {0};
    number_text(number, &printed);
    bool same = !strcmp(strbuf_text(&printed), text);
    strbuf_free(&printed);
    return same;
}

static struct value scalar(const struct valuing *valuing, const struct node *node, bool inside)
{
    struct arena *arena = valuing->loader->arena;
    bool plain = node->style == STYLE_PLAIN && node->tag == NODE_UNTAGGED;
    bool tagged = node->tag != NODE_UNTAGGED && node->tag != NODE_TAG_STR;
    enum node_tag tag = plain || tagged ? type_of(valuing, node->text, node->tag) : NODE_TAG_STR;
    struct value value;
    if (tag == NODE_TAG_NULL) {
        return value_none();
    }
    if (tag == NODE_TAG_BOOL) {
        return value_bool(node->text[0] == 't' || node->text[0] == 'T');
    }
    if (tag != NODE_TAG_STR && read_number(arena, tag, node->text, &value) &&
        (tagged || inside || strpbrk(node->text, "nN") || prints_as(value, node->text))) {
        return value;
    }
    if (tagged) {
        (void)report(valuing->loader, node, "'%s' does not have the type that its tag names",
                     node->text);
        return value_none();
    }
    return value_string(arena, node->text, node->size);
}

static struct value node_value(const struct valuing *valuing, const struct node *node, bool inside);

/* Keys of JSON objects are texts. */
static struct value map_value(const struct valuing *valuing, const struct node *node)
{
    struct loader *loader = valuing->loader;
    struct value dict = value_dict(loader->arena);
    struct entries entry = {.map = node, .spelling = SPELL_ANY, .what = "a key"};
    while (entries_next(loader, &entry)) {
        (void)table_set(dict.as.table, value_text(loader->arena, entry.name),
                        node_value(valuing, entry.value, true), NULL);
    }
    return dict;
}

/* The document bounds the nesting. */
static struct value node_value(const struct valuing *valuing, const struct node *node, bool inside)
{
    if (node->kind == NODE_SCALAR) {
        return scalar(valuing, node, inside);
    }
    if (node->kind == NODE_MAP) {
        return map_value(valuing, node);
    }
    struct value list = value_list(valuing->loader->arena);
    for (size_t i = 0; i < node->entries.count; i++) {
        list_append(list.as.list, node_value(valuing, node->entries.items[i].value, true));
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

static void read_rows(const struct valuing *valuing, const struct node *table,
                      const struct node *rows)
{
    struct loader *loader = valuing->loader;
    const struct node *last = NULL;
    const struct sql_template *sql = NULL;
    for (size_t i = 0; i < rows->entries.count; i++) {
        const struct node *row = rows->entries.items[i].value;
        if (!check_row(loader, row)) {
            continue;
        }
        struct value *values = ARENA_ARRAY(loader->arena, struct value, row->entries.count);
        for (size_t k = 0; k < row->entries.count; k++) {
            values[k] = node_value(valuing, row->entries.items[k].value, false);
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
    struct valuing valuing = {.loader = loader};
    valuing_begin(&valuing);
    while (entries_next(loader, &entry)) {
        if (entry.value->kind == NODE_LIST) {
            read_rows(&valuing, entry.key, entry.value);
        } else {
            error_hint(report(loader, entry.value, "the rows of '%s' must be a list, not %s",
                              entry.name, node_kind_name(entry.value)),
                       "write `- ` before each row");
        }
    }
    valuing_end(&valuing);
}
