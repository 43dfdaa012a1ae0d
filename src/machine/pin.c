#include "machine/pin.h"

#include "base/json.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "machine/yaml/document.h"

#include <ctype.h>
#include <string.h>

enum { INDENT = 2 };

/* Bytes [from, to) are removed, and the text goes to `at`, which is not among them. */
struct edit {
    size_t from, to;
    size_t at;
    struct strbuf text;
};

struct pinning {
    const struct source *source;
    const struct new_example *example;
    const char *eol; /* as most editors find it: that of the first line */
    const struct node *root;
    const struct node *key; /* `examples`; NULL: the machine has none */
    const struct node *value;
    struct edit edit;
};

/* --- the example as text --- */

static bool is_shown(const char *text)
{
    size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        uint32_t code;
        size_t bytes = utf8_decode(text + i, size - i, &code);
        if (!bytes || visible_hides(code) || code >= 0xFFFE) {
            return false;
        }
        i += bytes;
    }
    return true;
}

/* Characters that would end a line or can't stand in YAML are escaped in a quoted text only. */
static bool can_be_block(const struct new_example *example)
{
    bool can = true;
    for (size_t i = 0; i < example->calls.count; i++) {
        can = can && is_shown(example->calls.items[i]);
    }
    return can;
}

static void join_calls(const struct new_example *example, struct strbuf *out)
{
    for (size_t i = 0; i < example->calls.count; i++) {
        strbuf_addf(out, "%s\n", example->calls.items[i]);
    }
}

static void add_quoted(const char *text, struct strbuf *out)
{
    struct json json = {out, false};
    json_text(&json, NULL, text);
}

static void add_quoted_calls(const struct new_example *example, struct strbuf *out)
{
    struct strbuf calls = {0};
    join_calls(example, &calls);
    add_quoted(strbuf_text(&calls), out);
    strbuf_free(&calls);
}

static void add_name(const char *name, struct strbuf *out)
{
    if (isalpha((unsigned char)*name) &&
        strspn(name, "abcdefghijklmnopqrstuvwxyz"
                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == strlen(name)) {
        strbuf_adds(out, name);
    } else {
        add_quoted(name, out);
    }
}

static void add_item(const struct new_example *example, size_t indent, const char *eol,
                     struct strbuf *out)
{
    strbuf_fill(out, ' ', indent);
    strbuf_adds(out, "- name: ");
    add_name(example->name, out);
    strbuf_adds(out, eol);
    strbuf_fill(out, ' ', indent + INDENT);
    strbuf_adds(out, "steps: ");
    if (can_be_block(example)) {
        strbuf_addc(out, '|');
        for (size_t i = 0; i < example->calls.count; i++) {
            strbuf_adds(out, eol);
            strbuf_fill(out, ' ', indent + INDENT + INDENT);
            strbuf_adds(out, example->calls.items[i]);
        }
    } else {
        add_quoted_calls(example, out);
    }
    strbuf_adds(out, eol);
}

void pin_write(const struct new_example *example, struct strbuf *out)
{
    add_item(example, 0, "\n", out);
}

static void add_flow_item(const struct new_example *example, struct strbuf *out)
{
    strbuf_adds(out, "{name: ");
    add_name(example->name, out);
    strbuf_adds(out, ", steps: ");
    add_quoted_calls(example, out);
    strbuf_addc(out, '}');
}

/* --- places in the file --- */

static bool ends_line(char c) { return c == '\n' || c == '\r'; }

static size_t line_start(const struct source *source, size_t at)
{
    while (at > 0 && !ends_line(source->text[at - 1])) {
        at--;
    }
    return at;
}

/* Behind the end of the line. */
static size_t next_line(const struct source *source, size_t at)
{
    at += strcspn(source->text + at, "\r\n");
    at += at < source->size && source->text[at] == '\r';
    return at + (at < source->size && source->text[at] == '\n');
}

static size_t column_of(const struct source *source, size_t at)
{
    return at - line_start(source, at);
}

static const char *find_eol(const struct source *source)
{
    const char *end = source->text + strcspn(source->text, "\r\n");
    return *end != '\r' ? "\n" : end[1] == '\n' ? "\r\n" : "\r";
}

/* The start of a line `...`, or the end of the file. */
static size_t document_end(const struct source *source, size_t from)
{
    size_t at = line_start(source, from);
    while (at < source->size &&
           !(strncmp(source->text + at, "...", 3) == 0 &&
             (!source->text[at + 3] || strchr(" \t\r\n", source->text[at + 3])))) {
        at = next_line(source, at);
    }
    return at;
}

/* Whether the line says nothing, or is a comment no deeper than the items: it may be about what
 * comes next. A deeper one may be a line of a text. */
static bool is_between(const struct source *source, size_t start, size_t column)
{
    const char *line = source->text + start;
    size_t blanks = strspn(line, " \t");
    return !line[blanks] || ends_line(line[blanks]) || (line[blanks] == '#' && blanks <= column);
}

/* Behind the last line of a list in block style; its own end is some way behind that. */
static size_t list_end(const struct source *source, const struct node *list)
{
    size_t column = column_of(source, list->start);
    size_t at = list->end < source->size ? line_start(source, list->end) : source->size;
    size_t first = next_line(source, list->start);
    while (at > first) {
        size_t before = at;
        before -= source->text[before - 1] == '\n';
        before -= before > 0 && source->text[before - 1] == '\r';
        size_t start = line_start(source, before);
        if (!is_between(source, start, column)) {
            break;
        }
        at = start;
    }
    return at;
}

/* --- edits --- */

static void begin_line(struct pinning *pinning)
{
    const struct edit *edit = &pinning->edit;
    if (edit->at > 0 && !ends_line(pinning->source->text[edit->at - 1])) {
        strbuf_adds(&pinning->edit.text, pinning->eol);
    }
}

static void add_key(struct pinning *pinning)
{
    const struct source *source = pinning->source;
    size_t column = column_of(source, pinning->root->start);
    pinning->edit.at = document_end(source, pinning->root->start);
    begin_line(pinning);
    strbuf_adds(&pinning->edit.text, pinning->eol);
    strbuf_fill(&pinning->edit.text, ' ', column);
    strbuf_addf(&pinning->edit.text, "examples:%s", pinning->eol);
    add_item(pinning->example, column + INDENT, pinning->eol, &pinning->edit.text);
}

/* Into a list in flow style, or a mapping that lacks the key: as the first member. */
static void add_in_brackets(struct pinning *pinning, const struct node *node)
{
    struct strbuf *text = &pinning->edit.text;
    pinning->edit.at = node->start + 1;
    if (node->kind == NODE_MAP) {
        strbuf_adds(text, "examples: [");
        add_flow_item(pinning->example, text);
        strbuf_addc(text, ']');
    } else {
        add_flow_item(pinning->example, text);
    }
    strbuf_adds(text, node->entries.count ? ", " : "");
}

/* Nothing, null, [] or {} becomes a list. */
static void replace_nothing(struct pinning *pinning)
{
    const struct source *source = pinning->source;
    struct edit *edit = &pinning->edit;
    edit->from = pinning->value->start;
    edit->to = pinning->value->end;
    if (pinning->root->style == STYLE_FLOW) {
        edit->at = edit->to;
        strbuf_adds(&edit->text, source->text[edit->from - 1] == ':' ? " [" : "[");
        add_flow_item(pinning->example, &edit->text);
        strbuf_addc(&edit->text, ']');
        return;
    }
    bool alone = !source->text[edit->to] || ends_line(source->text[edit->to]);
    while (alone && edit->from > 0 && strchr(" \t", source->text[edit->from - 1])) {
        edit->from--;
    }
    edit->at = next_line(source, edit->to);
    begin_line(pinning);
    add_item(pinning->example, column_of(source, pinning->key->start) + INDENT, pinning->eol,
             &edit->text);
}

static bool is_null(const struct node *node)
{
    return node_is_empty(node) || (node->kind == NODE_SCALAR && node->style == STYLE_PLAIN &&
                                   (node_is(node, "null") || node_is(node, "~")));
}

/* [] and {} with nothing in them that could be lost */
static bool is_hollow(const struct source *source, const struct node *node)
{
    const char *inside = source->text + node->start + 1;
    return node->kind != NODE_SCALAR && node->style == STYLE_FLOW && !node->entries.count &&
           node->start + 1 + strspn(inside, " \t") + 1 == node->end;
}

static bool choose_edit(struct pinning *pinning, struct error *err)
{
    const struct source *source = pinning->source;
    const struct node *value = pinning->value;
    if (!value && pinning->root->style == STYLE_FLOW) {
        add_in_brackets(pinning, pinning->root);
    } else if (!value) {
        add_key(pinning);
    } else if (value->start < pinning->key->end) {
        return error_at(err, ERROR_MACHINE, node_pos(source, pinning->key),
                        "`examples` is an alias of another part of the file");
    } else if (is_null(value) || is_hollow(source, value)) {
        replace_nothing(pinning);
    } else if (value->kind != NODE_LIST) {
        return error_at(err, ERROR_MACHINE, node_pos(source, value), "`examples` is not a list");
    } else if (value->style == STYLE_FLOW) {
        add_in_brackets(pinning, value);
    } else {
        pinning->edit.at = list_end(source, value);
        begin_line(pinning);
        add_item(pinning->example, column_of(source, value->start), pinning->eol,
                 &pinning->edit.text);
    }
    return true;
}

/* --- what the file holds --- */

static const struct node *find_value(const struct node *map, const char *key,
                                     const struct node **key_node)
{
    for (size_t i = 0; map->kind == NODE_MAP && i < map->entries.count; i++) {
        if (node_is(map->entries.items[i].key, key)) {
            *key_node = map->entries.items[i].key;
            return map->entries.items[i].value;
        }
    }
    return NULL;
}

/* Text without the ends of lines behind it: a file may lack the last one. */
static size_t text_size(const struct node *node)
{
    size_t size = node->size;
    while (size && node->text[size - 1] == '\n') {
        size--;
    }
    return size;
}

static bool is_same(const struct node *a, const struct node *b)
{
    if (a->kind != b->kind || a->style != b->style || a->tag != b->tag ||
        a->entries.count != b->entries.count) {
        return false;
    }
    if (a->kind == NODE_SCALAR) {
        return text_size(a) == text_size(b) && memcmp(a->text, b->text, text_size(a)) == 0;
    }
    bool same = true;
    for (size_t i = 0; i < a->entries.count && same; i++) {
        const struct node_entry *one = &a->entries.items[i];
        const struct node_entry *other = &b->entries.items[i];
        same = (!one->key || is_same(one->key, other->key)) && is_same(one->value, other->value);
    }
    return same;
}

static bool has_text(const struct node *map, const char *key, const char *text)
{
    const struct node *ignored;
    const struct node *value = find_value(map, key, &ignored);
    size_t size = strlen(text);
    while (size && text[size - 1] == '\n') {
        size--;
    }
    return value && value->kind == NODE_SCALAR && text_size(value) == size &&
           memcmp(value->text, text, size) == 0;
}

/* The number of the example whose text under the key is that; the number of all if there is none.
 */
static size_t find_example(const struct node *list, const char *key, const char *text)
{
    size_t i = 0;
    while (i < list->entries.count && !has_text(list->entries.items[i].value, key, text)) {
        i++;
    }
    return i;
}

static bool find_free_name(const struct pinning *pinning, struct new_example *example,
                           struct arena *arena, struct error *err)
{
    const struct node *list = pinning->value;
    const char *wanted = example->name;
    struct strbuf calls = {0};
    if (!list || list->kind != NODE_LIST) {
        return true;
    }
    join_calls(example, &calls);
    size_t same = find_example(list, "steps", strbuf_text(&calls));
    strbuf_free(&calls);
    if (same < list->entries.count) {
        return error_at(err, ERROR_USAGE,
                        node_pos(pinning->source, list->entries.items[same].value),
                        "an example with these steps is pinned already");
    }
    for (size_t i = 2; find_example(list, "name", example->name) < list->entries.count; i++) {
        example->name = arena_printf(arena, "%s-%zu", wanted, i);
    }
    return true;
}

/* --- the new text --- */

static void write_text(const struct pinning *pinning, struct strbuf *out)
{
    const struct source *source = pinning->source;
    const struct edit *edit = &pinning->edit;
    size_t from = edit->to ? edit->from : edit->at;
    size_t to = edit->to ? edit->to : edit->at;
    strbuf_add(out, source->text, from);
    strbuf_add(out, source->text + to, edit->at - to);
    strbuf_add(out, strbuf_text(&edit->text), edit->text.size);
    strbuf_add(out, source->text + edit->at, source->size - edit->at);
}

/* Whether the new list is the old one with the example before or behind it. */
static bool is_longer_by(const struct node *old, const struct node *list,
                         const struct new_example *example)
{
    size_t count = old && old->kind == NODE_LIST ? old->entries.count : 0;
    struct strbuf calls = {0};
    join_calls(example, &calls);
    bool good = list && list->kind == NODE_LIST && list->entries.count == count + 1;
    size_t place = good ? find_example(list, "steps", strbuf_text(&calls)) : 0;
    good = good && (place == 0 || place == count) &&
           has_text(list->entries.items[place].value, "name", example->name);
    for (size_t i = 0; good && i < count; i++) {
        good = is_same(old->entries.items[i].value,
                       list->entries.items[i + (place == 0 && count > 0)].value);
    }
    strbuf_free(&calls);
    return good;
}

/* Whether the rest is as it was. */
static bool is_as_meant(const struct pinning *pinning, const struct node *root)
{
    const struct node *key = NULL;
    const struct node *list = root ? find_value(root, "examples", &key) : NULL;
    const struct node *old = pinning->root;
    size_t others = old->entries.count - (pinning->key != NULL);
    bool good =
        is_longer_by(pinning->value, list, pinning->example) && root->entries.count == others + 1;
    for (size_t i = 0, k = 0; good && i < old->entries.count; i++) {
        const struct node_entry *entry = &old->entries.items[i];
        if (entry->key != pinning->key) {
            k += root->entries.items[k].key == key;
            good = is_same(entry->key, root->entries.items[k].key) &&
                   is_same(entry->value, root->entries.items[k].value);
            k++;
        }
    }
    return good;
}

static bool read_root(const struct source *source, struct arena *arena, const struct node **out,
                      struct error *err)
{
    struct diagnostics diagnostics = {.arena = arena};
    if (!document_read(source, 0, arena, out, &diagnostics)) {
        *err = diagnostics.errors.items[0];
        return false;
    }
    return (*out && (*out)->kind == NODE_MAP) ||
           error_set(err, ERROR_MACHINE, "%s is not a machine", source->name);
}

static size_t find_line(const struct source *source, const struct node *root, const char *name)
{
    const struct node *key;
    const struct node *list = find_value(root, "examples", &key);
    const struct node *item = list->entries.items[find_example(list, "name", name)].value;
    return source_place(node_pos(source, item)).line;
}

bool pin_add(const struct source *source, struct new_example *example, struct arena *arena,
             struct strbuf *out, struct error *err)
{
    struct pinning pinning = {.source = source, .example = example, .eol = find_eol(source)};
    const struct node *root;
    struct error ignored = {0};
    if (!read_root(source, arena, &pinning.root, err)) {
        return false;
    }
    pinning.value = find_value(pinning.root, "examples", &pinning.key);
    bool good = find_free_name(&pinning, example, arena, err) && choose_edit(&pinning, err);
    if (good) {
        size_t before = out->size;
        write_text(&pinning, out);
        const struct source changed = {.name = source->name,
                                       .text = strbuf_copy(out, arena) + before,
                                       .size = out->size - before};
        good = (read_root(&changed, arena, &root, &ignored) && is_as_meant(&pinning, root)) ||
               error_set(err, ERROR_MACHINE, "%s is written in a way that can't be added to",
                         source->name);
        example->line = good ? find_line(&changed, root, example->name) : 0;
    }
    strbuf_free(&pinning.edit.text);
    return good;
}
