/*
 * A YAML document as a tree, with every node's place in the file.
 *
 * Only this module calls libyaml. It refuses invalid UTF-8, a file over DOCUMENT_SIZE_MAX, more
 * than DOCUMENT_NODES_MAX nodes once aliases are expanded, nesting over DOCUMENT_DEPTH_MAX (libyaml
 * needs quadratic time there), more than DOCUMENT_TAGS_MAX directives (as there), a second
 * document, an alias without an anchor or inside its own anchor, and tags that YAML's core schema
 * lacks. It accepts duplicate keys, because a flow mapping may be an expression.
 *
 * An alias is the node that it names (shared, so the tree is a graph without cycles). Scalars are
 * text as written: the reader decides what `no` or `1e3` means.
 */
#ifndef MACHINE_DOCUMENT_H
#define MACHINE_DOCUMENT_H

#include "base/error.h"
#include "base/source.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

/* `init` writes some kB for each table, and schemas have hundreds of tables. Reading 16 MiB takes
 * less than a second, and at most 400 MB. */
enum {
    DOCUMENT_SIZE_MAX = 16 << 20,
    DOCUMENT_NODES_MAX = 500000,
    DOCUMENT_DEPTH_MAX = 200,
    DOCUMENT_TAGS_MAX = 100 /* %TAG directives */
};

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

enum node_style {
    STYLE_PLAIN,
    STYLE_SINGLE_QUOTED,
    STYLE_DOUBLE_QUOTED,
    STYLE_LITERAL, /* | */
    STYLE_FOLDED,  /* > */
    STYLE_BLOCK,   /* lists and mappings on lines of their own */
    STYLE_FLOW,    /* [] and {} */
};

/* The tags of YAML's core schema, !!str and so on. */
enum node_tag {
    NODE_UNTAGGED,
    NODE_TAG_STR,
    NODE_TAG_INT,
    NODE_TAG_FLOAT,
    NODE_TAG_BOOL,
    NODE_TAG_NULL,
    NODE_TAG_LIST,
    NODE_TAG_MAP,
};

struct node;

struct node_entry {
    const struct node *key; /* NULL in a list */
    const struct node *value;
};

struct node {
    enum node_kind kind;
    enum node_style style;
    enum node_tag tag;
    const char *text; /* of a scalar: `size` bytes without NUL, and a NUL */
    size_t size;
    size_t start; /* bytes in the source, after anchor and tag; `end` is exact except for block */
    size_t end;   /* styles (|, >, STYLE_BLOCK), where it may be later */
    VEC(struct node_entry) entries;
    const struct node
        *before;     /* for a text joined from parts: the part before it; otherwise NULL */
    size_t nodes;    /* number of nodes in this subtree, with aliases expanded, including itself */
    unsigned height; /* 1 for a scalar */
};

/* Reads the text of `source` from byte `from` on. If there are mistakes, adds them to diagnostics
 * (only the first syntax error) and returns false. `*out` is NULL if the file is empty or was not
 * read to its end. */
bool document_read(const struct source *source, size_t from, struct arena *arena,
                   const struct node **out, struct diagnostics *diagnostics);

/* A hint for a syntax error of libyaml at that place, or NULL. */
const char *document_hint(const struct source *source, const char *problem, size_t offset);

/* The position of a byte in a node. */
struct source_pos node_pos(const struct source *source, const struct node *node);
/* A scalar's text, or a flow collection's source text, with its place byte by byte. If the places
 * of the bytes are unknown, all of them are at the node's start. */
struct snippet node_snippet(const struct source *source, const struct node *node,
                            struct arena *arena);
/* Returns true if there is no value: `key:` */
bool node_is_empty(const struct node *node);
/* Returns true if the node is a scalar with that text. */
bool node_is(const struct node *node, const char *text);
/* "text", "a list", "a mapping", "nothing" */
const char *node_kind_name(const struct node *node);

#endif
