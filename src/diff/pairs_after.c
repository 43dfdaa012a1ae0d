/* What the second database knows a value by. */
#include "diff/pairs.h"
#include "diff/token.h"

#include <string.h>

/* A part of a text, and what stands for it; its partner is NULL if it stays. */
struct part {
    size_t size;
    const struct value *partner;
    char separator; /* of a time: that of the text stays */
};

static struct part part_at(const struct pairs *pairs, const struct token_text *at)
{
    struct part part = {0};
    struct token_time time;
    if (token_is_uuid(at)) {
        part.size = UUID_SIZE;
        part.partner = pairs_partner_text(pairs, PAIR_BEFORE, at->at, UUID_SIZE);
    } else if (token_is_time(at, &time)) {
        char text[TIME_SIZE];
        token_time_text(at->at, &time, text);
        part = (struct part){time.size, pairs_partner_text(pairs, PAIR_BEFORE, text, time.size),
                             time.separator};
    } else {
        part.size = pairs_begins(pairs, at, &part.partner);
    }
    part.size += part.size == 0;
    return part;
}

/* What has a partner in a text, replaced; the same text if nothing has. */
static struct value text_after(const struct pairs *pairs, struct arena *arena, struct value before)
{
    const struct string *text = before.as.string;
    struct token_text at = {text->data, text->data, text->data + text->size};
    struct strbuf out = {0};
    bool replaced = false;
    while (at.at < at.end) {
        struct part part = part_at(pairs, &at);
        if (part.partner == NULL) {
            strbuf_add(&out, at.at, part.size);
        } else {
            strbuf_add(&out, part.partner->as.string->data, part.partner->as.string->size);
            replaced = true;
        }
        char *space = part.separator == 'T' && part.partner != NULL ? strrchr(out.data, ' ') : NULL;
        if (space != NULL) {
            *space = 'T';
        }
        at.at += part.size;
    }
    if (replaced) {
        before = value_with_origin(value_string(arena, strbuf_text(&out), out.size),
                                   value_origin(before));
    }
    strbuf_free(&out);
    return before;
}

static struct value leaf_after(const struct pairs *pairs, struct arena *arena, struct value before)
{
    const struct value *partner =
        pairs_telling(before) ? pairs_partner(pairs, PAIR_BEFORE, before) : NULL;
    if (partner != NULL) {
        return value_equal(*partner, before)
                   ? before
                   : value_with_origin(value_copy(arena, *partner), value_origin(before));
    }
    return before.type == VALUE_STRING ? text_after(pairs, arena, before) : before;
}

static struct value any_after(const struct pairs *pairs, struct arena *arena, struct value before,
                              unsigned depth);

/* A dict or a set whose keys and values are replaced. */
static struct value table_after(const struct pairs *pairs, struct arena *arena, struct value before,
                                unsigned depth)
{
    struct value out = before.type == VALUE_DICT ? value_dict(arena) : value_set(arena);
    struct table_entry *entry = NULL;
    bool changed = false;
    for (size_t i = 0; (entry = table_next(before.as.table, &i)) != NULL;) {
        struct value key = any_after(pairs, arena, entry->key, depth);
        struct value value = any_after(pairs, arena, entry->value, depth);
        changed = changed || !value_same(key, entry->key) || !value_same(value, entry->value);
        (void)table_set(out.as.table, key, value, NULL);
    }
    return changed ? out : before;
}

static struct value items_after(const struct pairs *pairs, struct arena *arena, struct value before,
                                unsigned depth)
{
    struct items items = value_items(before);
    struct value *copies = ARENA_ARRAY(arena, struct value, items.count + 1);
    bool changed = false;
    for (size_t i = 0; i < items.count; i++) {
        copies[i] = any_after(pairs, arena, items.items[i], depth);
        changed = changed || !value_same(copies[i], items.items[i]);
    }
    if (!changed) {
        return before;
    }
    if (before.type == VALUE_TUPLE) {
        return value_row(arena, copies, before.as.tuple->names, items.count);
    }
    struct value out = value_list(arena);
    for (size_t i = 0; i < items.count; i++) {
        list_append(out.as.list, copies[i]);
    }
    out.type = before.type; /* a bag and a multiple are lists, too */
    return out;
}

static struct value any_after(const struct pairs *pairs, struct arena *arena, struct value before,
                              unsigned depth)
{
    enum { DEPTH_MAX = 200 };
    if (depth == DEPTH_MAX) {
        return before;
    }
    if (value_is_table(before)) {
        return table_after(pairs, arena, before, depth + 1);
    }
    if (value_container(before) != NULL || before.type == VALUE_TUPLE) {
        return items_after(pairs, arena, before, depth + 1);
    }
    return leaf_after(pairs, arena, before);
}

struct value pairs_after(const struct pairs *pairs, struct arena *arena, struct value before)
{
    return pairs_any(pairs) ? any_after(pairs, arena, before, 0) : before;
}
