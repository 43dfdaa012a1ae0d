#include "machine/yaml/document.h"

#include "base/map.h"
#include "base/utf8.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A list or mapping whose end was not read yet. */
struct open_node {
    struct node *node;
    const struct node *key; /* in a mapping: a key without its value so far */
};

struct reading {
    const struct source *source;
    size_t from; /* start of the document */
    struct arena *arena;
    struct diagnostics *diagnostics;
    yaml_parser_t parser;
    uint32_t *bytes; /* start of each code point; `code_points` + 1 of them */
    size_t code_points;
    struct map anchors; /* name → index in `anchored` */
    VEC(struct node *) anchored;
    VEC(struct open_node) open;
    struct node *root;
    size_t nodes;
    size_t documents;
};

static const char *const kind_names[] = {
    [NODE_SCALAR] = "text", [NODE_LIST] = "a list", [NODE_MAP] = "a mapping"};

enum step { STEP_ON, STEP_DONE, STEP_FAILED };

static struct source_pos pos_at(const struct reading *reading, size_t offset)
{
    return (struct source_pos){.source = reading->source, .offset = offset};
}

/* libyaml counts code points. */
static size_t byte_of(const struct reading *reading, yaml_mark_t mark)
{
    return reading->bytes[mark.index < reading->code_points ? mark.index : reading->code_points];
}

static void count_code_points(struct reading *reading)
{
    const struct source *source = reading->source;
    reading->bytes = memory_alloc((source->size - reading->from + 1) * sizeof *reading->bytes);
    size_t count = 0;
    for (size_t at = reading->from; at < source->size; count++) {
        uint32_t code;
        reading->bytes[count] = (uint32_t)at;
        at += utf8_decode(source->text + at, source->size - at, &code);
    }
    reading->bytes[count] = (uint32_t)source->size;
    reading->code_points = count;
}

/* The start of the node itself, after anchor, tag, white space and comments. */
static size_t skip_properties(const struct source *source, size_t at, size_t end)
{
    static const char anchor_chars[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
    const char *text = source->text;
    while (at < end) {
        if (text[at] == '!' && text[at + 1] == '<') {
            at += strcspn(text + at, ">") + 1;
        } else if (text[at] == '&') {
            at += 1 + strspn(text + at + 1, anchor_chars);
        } else if (text[at] == '!') {
            at += strcspn(text + at, " \t\r\n,[]{}");
        } else if (strchr(" \t\r\n", text[at])) {
            at++;
        } else if (text[at] == '#') {
            at += strcspn(text + at, "\r\n");
        } else {
            break;
        }
    }
    return at < end ? at : end;
}

static const struct {
    const char *name;
    enum node_tag tag;
    enum node_kind kind;
} core_tags[] = {
    {"str", NODE_TAG_STR, NODE_SCALAR},     {"int", NODE_TAG_INT, NODE_SCALAR},
    {"float", NODE_TAG_FLOAT, NODE_SCALAR}, {"bool", NODE_TAG_BOOL, NODE_SCALAR},
    {"null", NODE_TAG_NULL, NODE_SCALAR},   {"seq", NODE_TAG_LIST, NODE_LIST},
    {"map", NODE_TAG_MAP, NODE_MAP},
};

static void set_tag(struct reading *reading, struct node *node, const char *tag, size_t offset)
{
    static const char core[] = "tag:yaml.org,2002:";
    if (!tag || (!strcmp(tag, "!") && node->kind != NODE_SCALAR)) {
        return;
    }
    if (!strcmp(tag, "!")) {
        node->tag = NODE_TAG_STR;
        return;
    }
    const char *name = strncmp(tag, core, sizeof core - 1) ? "" : tag + sizeof core - 1;
    for (size_t i = 0; i < sizeof core_tags / sizeof core_tags[0]; i++) {
        if (!strcmp(name, core_tags[i].name) && node->kind == core_tags[i].kind) {
            node->tag = core_tags[i].tag;
            return;
        }
    }
    struct error *err =
        diagnostics_at(reading->diagnostics, pos_at(reading, offset),
                       "the tag %s%s does not belong to %s in YAML's core schema",
                       *name ? "!!" : "", *name ? name : tag, kind_names[node->kind]);
    error_hint(err, "leave it out, or put text that begins with ! in quotes");
}

static void set_anchor(struct reading *reading, struct node *node, const char *anchor)
{
    if (anchor) {
        const char *name = arena_strdup(reading->arena, anchor);
        (void)map_set_text(&reading->anchors, name, strlen(name), reading->anchored.count, NULL);
        *VEC_PUSH(reading->arena, &reading->anchored) = node;
    }
}

static bool fail_at(struct reading *reading, size_t offset, const char *message, const char *hint)
{
    struct error *err =
        diagnostics_at(reading->diagnostics, pos_at(reading, offset), "%s", message);
    if (hint) {
        error_hint(err, "%s", hint);
    }
    return false;
}

/* Adds a node at the current place. */
static void attach_node(struct reading *reading, struct node *node)
{
    if (!reading->open.count) {
        reading->root = node;
        return;
    }
    struct open_node *parent = &reading->open.items[reading->open.count - 1];
    if (parent->node->kind == NODE_MAP && !parent->key) {
        parent->key = node;
    } else {
        *VEC_PUSH(reading->arena, &parent->node->entries) =
            (struct node_entry){.key = parent->key, .value = node};
        parent->key = NULL;
    }
}

static bool check_bounds(struct reading *reading, size_t offset, const struct node *node)
{
    reading->nodes += node->nodes;
    if (reading->nodes > DOCUMENT_NODES_MAX) {
        return fail_at(reading, offset, "more than 500,000 nodes, counting what aliases stand for",
                       NULL);
    }
    if (reading->open.count + node->height > DOCUMENT_DEPTH_MAX) {
        return fail_at(reading, offset, "nested more than 200 levels deep", NULL);
    }
    return true;
}

/* Adds a finished node's counts to its parent. */
static void finish_node(struct reading *reading, const struct node *node)
{
    if (reading->open.count) {
        struct node *parent = reading->open.items[reading->open.count - 1].node;
        parent->nodes += node->nodes;
        parent->height = parent->height > node->height ? parent->height : node->height + 1;
    }
}

static bool add_leaf(struct reading *reading, size_t offset, struct node *node)
{
    attach_node(reading, node);
    finish_node(reading, node);
    return check_bounds(reading, offset, node);
}

static struct node *new_node(struct reading *reading, enum node_kind kind,
                             const yaml_event_t *event, const yaml_char_t *anchor,
                             const yaml_char_t *tag)
{
    struct node *node = ARENA_NEW(reading->arena, struct node);
    size_t offset = byte_of(reading, event->start_mark);
    node->kind = kind;
    node->nodes = node->height = 1;
    node->end = byte_of(reading, event->end_mark);
    node->start =
        anchor || tag ? skip_properties(reading->source, offset, reading->source->size) : offset;
    set_tag(reading, node, (const char *)tag, offset);
    set_anchor(reading, node, (const char *)anchor);
    return node;
}

static bool read_scalar(struct reading *reading, const yaml_event_t *event)
{
    static const enum node_style styles[] = {
        [YAML_ANY_SCALAR_STYLE] = STYLE_PLAIN,
        [YAML_PLAIN_SCALAR_STYLE] = STYLE_PLAIN,
        [YAML_SINGLE_QUOTED_SCALAR_STYLE] = STYLE_SINGLE_QUOTED,
        [YAML_DOUBLE_QUOTED_SCALAR_STYLE] = STYLE_DOUBLE_QUOTED,
        [YAML_LITERAL_SCALAR_STYLE] = STYLE_LITERAL,
        [YAML_FOLDED_SCALAR_STYLE] = STYLE_FOLDED,
    };
    struct node *node =
        new_node(reading, NODE_SCALAR, event, event->data.scalar.anchor, event->data.scalar.tag);
    node->style = styles[event->data.scalar.style];
    node->text = arena_strndup(reading->arena, (const char *)event->data.scalar.value,
                               event->data.scalar.length);
    node->size = event->data.scalar.length;
    if (node->style == STYLE_PLAIN && !node->size) {
        node->start = node->end;
    }
    if (memchr(node->text, '\0', node->size)) {
        node->size = strlen(node->text);
        (void)fail_at(reading, node->start, "a character NUL (\\0) in a text",
                      "PostgreSQL can't store one in a text");
    }
    return add_leaf(reading, node->start, node);
}

static bool read_alias(struct reading *reading, const yaml_event_t *event)
{
    const char *name = (const char *)event->data.alias.anchor;
    size_t offset = byte_of(reading, event->start_mark);
    size_t index;
    struct node *node = ARENA_NEW(reading->arena, struct node);
    *node = (struct node){.text = "", .start = offset, .end = offset, .nodes = 1, .height = 1};
    if (!map_get_text(&reading->anchors, name, strlen(name), &index)) {
        error_hint(diagnostics_at(reading->diagnostics, pos_at(reading, offset),
                                  "the alias *%s names nothing: there is no &%s before it", name,
                                  name),
                   "put text that begins with * in quotes");
    } else if (!reading->anchored.items[index]->end) {
        (void)diagnostics_at(reading->diagnostics, pos_at(reading, offset),
                             "the alias *%s is inside the node that it names", name);
    } else {
        node = reading->anchored.items[index];
    }
    return add_leaf(reading, offset, node);
}

static bool read_start(struct reading *reading, const yaml_event_t *event)
{
    bool is_map = event->type == YAML_MAPPING_START_EVENT;
    bool flow = is_map ? event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                       : event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    struct node *node = is_map
                            ? new_node(reading, NODE_MAP, event, event->data.mapping_start.anchor,
                                       event->data.mapping_start.tag)
                            : new_node(reading, NODE_LIST, event, event->data.sequence_start.anchor,
                                       event->data.sequence_start.tag);
    node->style = flow ? STYLE_FLOW : STYLE_BLOCK;
    node->end = 0; /* open */
    attach_node(reading, node);
    if (!check_bounds(reading, node->start, node)) {
        return false;
    }
    *VEC_PUSH(reading->arena, &reading->open) = (struct open_node){.node = node};
    return true;
}

static bool read_end(struct reading *reading, const yaml_event_t *event)
{
    assert(reading->open.count > 0);
    struct node *node = reading->open.items[--reading->open.count].node;
    node->end = byte_of(reading, event->end_mark);
    finish_node(reading, node);
    return true;
}

static bool read_document_start(struct reading *reading, const yaml_event_t *event)
{
    if (reading->documents++) {
        return fail_at(reading, byte_of(reading, event->start_mark),
                       "a second document begins here; a machine file holds one",
                       "write each machine to a file of its own");
    }
    return true;
}

/* Reports libyaml's error. */
static bool syntax_error(struct reading *reading)
{
    const yaml_parser_t *parser = &reading->parser;
    const char *problem = parser->problem ? parser->problem : "it can't be read";
    if (parser->error == YAML_MEMORY_ERROR) {
        memory_exhausted();
    }
    size_t offset = byte_of(reading, parser->problem_mark);
    if (parser->error == YAML_READER_ERROR) {
        offset = reading->from + parser->problem_offset;
    } else if (!strcmp(problem, "found unexpected end of stream")) {
        problem = "this quote is not closed";
        offset = byte_of(reading, parser->context_mark);
    } else if (!strcmp(problem, "could not find expected ':'")) {
        offset = byte_of(reading, parser->context_mark); /* start of that key */
    }
    struct error *err = diagnostics_at(
        reading->diagnostics, pos_at(reading, offset), "this is not YAML: %s%s%s", problem,
        parser->context ? ", " : "", parser->context ? parser->context : "");
    const char *hint = document_hint(reading->source, problem, offset);
    if (hint) {
        error_hint(err, "%s", hint);
    }
    return false;
}

typedef bool event_reader(struct reading *reading, const yaml_event_t *event);

static enum step read_event(struct reading *reading)
{
    static event_reader *const readers[] = {
        [YAML_DOCUMENT_START_EVENT] = read_document_start,
        [YAML_ALIAS_EVENT] = read_alias,
        [YAML_SCALAR_EVENT] = read_scalar,
        [YAML_SEQUENCE_START_EVENT] = read_start,
        [YAML_SEQUENCE_END_EVENT] = read_end,
        [YAML_MAPPING_START_EVENT] = read_start,
        [YAML_MAPPING_END_EVENT] = read_end,
    };
    yaml_event_t event;
    if (!yaml_parser_parse(&reading->parser, &event)) {
        (void)syntax_error(reading);
        return STEP_FAILED;
    }
    enum step step = event.type == YAML_STREAM_END_EVENT ? STEP_DONE : STEP_ON;
    event_reader *reader =
        event.type < sizeof readers / sizeof readers[0] ? readers[event.type] : NULL;
    if (reader && !reader(reading, &event)) {
        step = STEP_FAILED;
    }
    yaml_event_delete(&event);
    return step;
}

/* The place of the first directive over the limit, or the end. libyaml compares each directive with
 * all earlier ones, without an event in between. Lines end with LF, CR, NEL, LS or PS, which are
 * recognised by their last byte. */
static size_t excess_directive(const struct source *source)
{
    static const char directive[] = "%TAG";
    const char *text = source->text;
    size_t count = 0;
    for (size_t i = 0; i + sizeof directive <= source->size; i++) {
        bool begins = text[i] == '%' && memcmp(text + i, directive, sizeof directive - 1) == 0 &&
                      (i == 0 || (text[i - 1] && strchr("\n\r\x85\xA8\xA9", text[i - 1])));
        count += begins;
        if (begins && count > DOCUMENT_TAGS_MAX) {
            return i;
        }
    }
    return source->size;
}

static bool check_text(struct reading *reading)
{
    const struct source *source = reading->source;
    if (source_written_size(source) > DOCUMENT_SIZE_MAX) {
        return fail_at(reading, 0, "larger than 16 MiB, which is too much for a machine file",
                       "put SQL into files of `schema`");
    }
    size_t directive = excess_directive(source);
    if (directive < source->size) {
        return fail_at(reading, directive, "more than 100 lines that begin with %TAG",
                       "a machine file needs none");
    }
    size_t invalid = utf8_invalid_at(source->text, source->size);
    if (invalid < source->size) {
        return fail_at(reading, invalid, "this byte is not UTF-8", "save the file as UTF-8");
    }
    return true;
}

bool document_read(const struct source *source, size_t from, struct arena *arena,
                   const struct node **out, struct diagnostics *diagnostics)
{
    struct reading reading = {.source = source,
                              .from = from,
                              .arena = arena,
                              .diagnostics = diagnostics,
                              .anchors = {.arena = arena}};
    size_t before = diagnostics->errors.count;
    *out = NULL;
    if (!check_text(&reading)) {
        return false;
    }
    if (!yaml_parser_initialize(&reading.parser)) {
        memory_exhausted();
    }
    count_code_points(&reading);
    yaml_parser_set_encoding(&reading.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reading.parser, (const unsigned char *)source->text + from,
                                 source->size - from);
    enum step step;
    do {
        step = read_event(&reading);
    } while (step == STEP_ON);
    yaml_parser_delete(&reading.parser);
    free(reading.bytes);
    *out = step == STEP_DONE ? reading.root : NULL;
    return diagnostics->errors.count == before;
}

struct source_pos node_pos(const struct source *source, const struct node *node)
{
    return (struct source_pos){.source = source, .offset = node->start};
}

bool node_is_empty(const struct node *node)
{
    return node->kind == NODE_SCALAR && node->style == STYLE_PLAIN && !node->size;
}

bool node_is(const struct node *node, const char *text)
{
    return node->kind == NODE_SCALAR && !strcmp(node->text, text);
}

const char *node_kind_name(const struct node *node)
{
    return node_is_empty(node) ? "nothing" : kind_names[node->kind];
}
