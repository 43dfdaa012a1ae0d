/* Expands a machine's `tables` and `policies`. The text of the generated rules is appended to the
 * machine's text, read as a second document, and merged into the machine's parts. */
#include "machine/loader.h"

#include "init/init.h"
#include "value/json/json.h"

#include <string.h>

static const struct node *find_part(const struct node *root, const char *name)
{
    for (size_t i = 0; i < root->entries.count; i++) {
        if (node_is(root->entries.items[i].key, name)) {
            return root->entries.items[i].value;
        }
    }
    return NULL;
}

static bool is_made_of(const struct node *key)
{
    return node_is(key, "tables") || node_is(key, "policies");
}

/* Reads YAML as a value. Text without quotes is read as JSON if possible. */
static bool read_value(struct loader *loader, struct arena *arena, const struct node *node,
                       struct value *out)
{
    struct error err;
    bool plain = node->kind == NODE_SCALAR && node->style == STYLE_PLAIN && !node->tag;
    if (node->kind == NODE_SCALAR) {
        *out = value_string(arena, node->text, node->size);
        if (plain && node->size == 0) {
            *out = value_none();
        } else if (plain) {
            (void)json_decode(arena, node->text, node->size, out, &err);
            *out = out->type == VALUE_JSON_NULL ? value_none() : *out;
        }
        return true;
    }
    *out = node->kind == NODE_MAP ? value_dict(arena) : value_list(arena);
    for (size_t i = 0; i < node->entries.count; i++) {
        const struct node_entry *entry = &node->entries.items[i];
        struct value value;
        if (!read_value(loader, arena, entry->value, &value)) {
            return false;
        }
        if (node->kind == NODE_LIST) {
            list_append(out->as.list, value);
            continue;
        }
        if (entry->key->kind != NODE_SCALAR) {
            (void)report(loader, entry->key, "a key must be text, not %s",
                         node_kind_name(entry->key));
            return false;
        }
        size_t before = out->as.table->count;
        struct value key = value_string(arena, entry->key->text, entry->key->size);
        if (!table_set(out->as.table, key, value, &err) || out->as.table->count == before) {
            (void)report(loader, entry->key, "the key '%s' is written twice", entry->key->text);
            return false;
        }
    }
    return true;
}

/* The key of the table in `tables`, or the value of the part. */
static const struct node *node_of(const struct node *root, const char *table)
{
    const struct node *tables = find_part(root, "tables");
    const struct node *policies = find_part(root, "policies");
    for (size_t i = 0; table && tables->kind == NODE_MAP && i < tables->entries.count; i++) {
        if (node_is(tables->entries.items[i].key, table)) {
            return tables->entries.items[i].key;
        }
    }
    return table || !policies ? tables : policies;
}

/* Appends the text to the machine's, with the origin of each part. */
static void append(struct loader *loader, const struct node *root, const struct strbuf *made,
                   const struct init_origins *made_of)
{
    struct source *source = loader->source;
    size_t from = source->size;
    struct strbuf text = {0};
    struct source_origin *origins =
        ARENA_ARRAY(loader->arena, struct source_origin, made_of->count + 1);
    strbuf_add(&text, source->text, source->size);
    strbuf_addc(&text, '\n');
    strbuf_add(&text, made->data, made->size);
    for (size_t i = 0; i < made_of->count; i++) {
        const struct node *node = node_of(root, made_of->items[i].table);
        origins[i] = (struct source_origin){from + 1 + made_of->items[i].at, node->start};
    }
    source->size = text.size;
    source->text = strbuf_copy(&text, loader->arena);
    source->origins = origins;
    source->origin_count = made_of->count;
    strbuf_free(&text);
}

static bool is_null(const struct node *node)
{
    return node_is_empty(node) ||
           (node->style == STYLE_PLAIN && (node_is(node, "null") || node_is(node, "~")));
}

/* Merges the generated entries, except those that the machine defines itself, with the machine's.
 * An empty entry of the machine only removes a generated one. */
static struct node *merge_maps(struct loader *loader, const struct node *made,
                               const struct node *own)
{
    struct node *out = arena_memdup(loader->arena, own, sizeof *own);
    out->entries.items = NULL;
    out->entries.count = out->entries.capacity = 0;
    struct map names = {.arena = loader->arena};
    for (size_t i = 0; i < own->entries.count; i++) {
        const struct node *key = own->entries.items[i].key;
        if (key->kind == NODE_SCALAR) {
            (void)map_set_text(&names, key->text, key->size, 0, NULL);
        }
    }
    for (size_t i = 0; i < made->entries.count; i++) {
        const struct node *key = made->entries.items[i].key;
        size_t number;
        if (map_get_text(&names, key->text, key->size, &number)) {
            (void)map_set_text(&names, key->text, key->size, 1, NULL);
        } else {
            *VEC_PUSH(loader->arena, &out->entries) = made->entries.items[i];
        }
    }
    for (size_t i = 0; i < own->entries.count; i++) {
        const struct node_entry *entry = &own->entries.items[i];
        size_t replaces = 0;
        if (!is_null(entry->value)) {
            *VEC_PUSH(loader->arena, &out->entries) = *entry;
        } else if (entry->key->kind != NODE_SCALAR ||
                   !map_get_text(&names, entry->key->text, entry->key->size, &replaces) ||
                   !replaces) {
            error_hint(report(loader, entry->key, "there is no '%s' here to leave out",
                              entry->key->text ? entry->key->text : ""),
                       "`null` leaves out what `tables` stands for; `pgfsm expand` shows that");
        }
    }
    return out;
}

/* Puts generated parts first. */
static const struct node *merge(struct loader *loader, const struct node *made,
                                const struct node *own)
{
    if (made->kind == NODE_LIST && own->kind == NODE_MAP) {
        error_hint(report(loader, own, "with `tables`, `initialize` must be a list"),
                   "first, a step reads the rows that are there already");
    }
    if (made->kind != own->kind) {
        return own; /* reported later if it has the wrong kind */
    }
    if (own->kind == NODE_MAP) {
        return merge_maps(loader, made, own);
    }
    struct node *out = arena_memdup(loader->arena, own, sizeof *own);
    if (own->kind == NODE_SCALAR) {
        out->before = made;
        return out;
    }
    out->entries.items = NULL;
    out->entries.count = out->entries.capacity = 0;
    for (size_t i = 0; i < made->entries.count + own->entries.count; i++) {
        *VEC_PUSH(loader->arena, &out->entries) = i < made->entries.count
                                                      ? made->entries.items[i]
                                                      : own->entries.items[i - made->entries.count];
    }
    return out;
}

/* Merges each part of the machine with the generated one. Parts that the machine lacks follow
 * `tables`. */
static const struct node *merge_roots(struct loader *loader, const struct node *made,
                                      const struct node *own)
{
    struct node *out = arena_memdup(loader->arena, own, sizeof *own);
    out->entries.items = NULL;
    out->entries.count = out->entries.capacity = 0;
    for (size_t i = 0; i < own->entries.count; i++) {
        struct node_entry entry = own->entries.items[i];
        const struct node *other =
            entry.key->kind == NODE_SCALAR ? find_part(made, entry.key->text) : NULL;
        if (other && !node_is_empty(entry.value)) {
            entry.value = merge(loader, other, entry.value);
        }
        *VEC_PUSH(loader->arena, &out->entries) = entry;
        for (size_t j = 0; j < made->entries.count && node_is(entry.key, "tables"); j++) {
            if (!find_part(own, made->entries.items[j].key->text)) {
                *VEC_PUSH(loader->arena, &out->entries) = made->entries.items[j];
            }
        }
    }
    return out;
}

/* Reads the values of `tables` and `policies`. */
static bool read_brief(struct loader *loader, struct arena *arena, const struct node *root,
                       struct value *out)
{
    *out = value_dict(arena);
    for (size_t i = 0; i < root->entries.count; i++) {
        const struct node_entry *entry = &root->entries.items[i];
        struct value value;
        struct error ignored;
        if (is_made_of(entry->key) &&
            (!read_value(loader, arena, entry->value, &value) ||
             !table_set(out->as.table, value_text(arena, entry->key->text), value, &ignored))) {
            return false;
        }
    }
    return true;
}

/* Appends their expansion to the machine's text. */
static bool append_made(struct loader *loader, struct arena *arena, const struct node *root)
{
    struct value brief;
    struct strbuf text = {0};
    struct init_origins origins = {0};
    const char *table = NULL;
    struct error err = {0};
    if (!read_brief(loader, arena, root, &brief)) {
        return false;
    }
    bool made = init_expand(brief, arena, &text, &origins, &table, &err);
    if (made) {
        append(loader, root, &text, &origins);
    } else {
        err.pos = node_pos(loader->source, node_of(root, table));
        diagnostics_add(loader->diagnostics, &err);
    }
    strbuf_free(&text);
    return made;
}

const struct node *add_generated(struct loader *loader, const struct node *root)
{
    struct arena arena = {0}; /* for the facts, which are many and not needed later */
    const struct node *made = NULL;
    const struct node *policies = find_part(root, "policies");
    size_t from = loader->source->size + 1;
    if (!find_part(root, "tables")) {
        if (policies) {
            error_hint(report(loader, policies, "`policies` says nothing without `tables`"),
                       "what a rule does as a user is written in `as`");
        }
        return root;
    }
    if (append_made(loader, &arena, root)) {
        (void)document_read(loader->source, from, loader->arena, &made, loader->diagnostics);
    }
    arena_free(&arena);
    return made ? merge_roots(loader, made, root) : NULL;
}
