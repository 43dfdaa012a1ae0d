#include "diff/cells.h"

#include "diff/token.h"
#include "value/time/calendar.h"

#include <string.h>

enum { DEPTH_MAX = 200 };

struct comparing {
    const struct comparing_sides *sides;
    enum nature nature;
    unsigned depth;
};

static int64_t epoch_of(int64_t epoch, bool day)
{
    return day ? floor_div(epoch, CALENDAR_DAY) * CALENDAR_DAY : epoch;
}

int64_t time_after(const struct comparing_sides *sides, const struct token_time *before)
{
    return before->us + epoch_of(sides->epoch_after, before->day) -
           epoch_of(sides->epoch_before, before->day);
}

bool times_agree(const struct comparing_sides *sides, const struct token_time *before,
                 const struct token_time *after)
{
    return before->day == after->day && before->separator == after->separator &&
           (before->us == after->us || time_after(sides, before) == after->us);
}

/* Joins what is new, if values of that kind may become pairs here. */
static bool leaves_agree(const struct comparing *comparing, struct value before, struct value after,
                         bool joins)
{
    struct pairs *pairs = comparing->sides->pairs;
    switch (pairs_compare(pairs, before, after)) {
    case PAIR_SAME:
        return true;
    case PAIR_CONFLICT:
        return false;
    case PAIR_NEW:
        break;
    }
    if (!joins) {
        return false;
    }
    if (pairs_telling(before) && pairs_telling(after)) {
        pairs_join(pairs, before, after);
    }
    return true;
}

static bool uuids_agree(const struct comparing *comparing, const char *before, const char *after)
{
    struct pairs *pairs = comparing->sides->pairs;
    const struct value *partner = pairs_partner_text(pairs, PAIR_BEFORE, before, UUID_SIZE);
    if (partner != NULL) {
        return memcmp(partner->as.string->data, after, UUID_SIZE) == 0;
    }
    if (pairs_partner_text(pairs, PAIR_AFTER, after, UUID_SIZE) != NULL) {
        return false;
    }
    struct arena *arena = comparing->sides->arena;
    struct arena_mark mark = arena_mark(arena);
    pairs_join(pairs, value_string(arena, before, UUID_SIZE),
               value_string(arena, after, UUID_SIZE));
    arena_rewind(arena, mark);
    return true;
}

/* Moves over what agrees at the beginning of both; false if nothing does. */
static bool step_over(const struct comparing *comparing, struct token_text *before,
                      struct token_text *after)
{
    if (token_is_uuid(before)) {
        if (!token_is_uuid(after) || !uuids_agree(comparing, before->at, after->at)) {
            return false;
        }
        before->at += UUID_SIZE;
        after->at += UUID_SIZE;
        return true;
    }
    const struct value *partner = NULL;
    size_t left = (size_t)(after->end - after->at);
    size_t size = pairs_begins(comparing->sides->pairs, before->at,
                               (size_t)(before->end - before->at), &partner);
    if (size > 0 && partner->as.string->size <= left &&
        memcmp(partner->as.string->data, after->at, partner->as.string->size) == 0) {
        before->at += size;
        after->at += partner->as.string->size;
        return true;
    }
    struct token_time time_before;
    struct token_time time_after;
    if (token_is_time(before, &time_before) && token_is_time(after, &time_after)) {
        before->at += time_before.size;
        after->at += time_after.size;
        return times_agree(comparing->sides, &time_before, &time_after);
    }
    return *before->at++ == *after->at++;
}

static struct token_text text_of(struct value value)
{
    const struct string *text = value.as.string;
    return (struct token_text){text->data, text->data, text->data + text->size};
}

static bool has_uuid(struct value text)
{
    return token_first_uuid(text.as.string->data, text.as.string->size) != NULL;
}

/* A text is one value where texts may become pairs, unless it has parts that may everywhere. */
static bool texts_agree(const struct comparing *comparing, struct value before, struct value after)
{
    const struct pairs *pairs = comparing->sides->pairs;
    const struct value *partner = pairs_partner(pairs, PAIR_BEFORE, before);
    if (partner != NULL && value_equal(*partner, after)) {
        return true;
    }
    struct token_text a = text_of(before);
    struct token_text b = text_of(after);
    bool agree = true;
    if (comparing->nature == NATURE_PAIRED && !has_uuid(before) && !has_uuid(after)) {
        struct token_time x;
        struct token_time y;
        return (token_is_time(&a, &x) && token_is_time(&b, &y) &&
                times_agree(comparing->sides, &x, &y)) ||
               leaves_agree(comparing, before, after, true);
    }
    while (agree && a.at < a.end && b.at < b.end) {
        agree = step_over(comparing, &a, &b);
    }
    return agree && a.at == a.end && b.at == b.end;
}

static bool values_agree(struct comparing *comparing, struct value before, struct value after);

static bool items_agree(struct comparing *comparing, struct value before, struct value after)
{
    struct items a = value_items(before);
    struct items b = value_items(after);
    bool agree = a.count == b.count;
    for (size_t i = 0; agree && i < a.count; i++) {
        agree = values_agree(comparing, a.items[i], b.items[i]);
    }
    return agree;
}

/* The entry of the second table that a key stands for, or NULL. */
static struct table_entry *entry_after(const struct comparing *comparing, const struct table *after,
                                       const struct table_entry *entry)
{
    struct table_entry *found = table_find_hashed(after, entry->hash, entry->key);
    if (found == NULL && pairs_any(comparing->sides->pairs)) {
        struct value key =
            pairs_after(comparing->sides->pairs, comparing->sides->arena, entry->key);
        (void)table_find(after, key, &found, NULL);
    }
    return found;
}

/* Keys that are not on the other side stand for each other in their order. */
static bool tables_agree(struct comparing *comparing, const struct table *before,
                         const struct table *after)
{
    struct table_entry *entry = NULL;
    struct table_entry *other = NULL;
    bool agree = before->count == after->count;
    size_t new_ones = 0;
    for (size_t i = 0; agree && (entry = table_next(before, &i)) != NULL;) {
        other = entry_after(comparing, after, entry);
        new_ones += other == NULL;
        agree = other == NULL || values_agree(comparing, entry->value, other->value);
    }
    if (!agree || new_ones == 0) {
        return agree;
    }
    size_t k = 0;
    for (size_t i = 0; agree && (entry = table_next(before, &i)) != NULL;) {
        if (entry_after(comparing, after, entry) != NULL) {
            continue;
        }
        while ((other = table_next(after, &k)) != NULL &&
               pairs_partner(comparing->sides->pairs, PAIR_AFTER, other->key) != NULL) {
        }
        agree = other != NULL && values_agree(comparing, entry->key, other->key) &&
                values_agree(comparing, entry->value, other->value);
    }
    return agree;
}

static bool is_number(struct value value)
{
    return value_is_number(value) || value.type == VALUE_BOOL;
}

static bool same_kind(struct value before, struct value after)
{
    return before.type == after.type || (value_is_number(before) && value_is_number(after));
}

static bool parts_agree(struct comparing *comparing, struct value before, struct value after)
{
    if (value_is_table(before)) {
        return tables_agree(comparing, before.as.table, after.as.table);
    }
    if (before.type == VALUE_TUPLE || value_container(before) != NULL) {
        return items_agree(comparing, before, after);
    }
    if (before.type == VALUE_STRING) {
        return texts_agree(comparing, before, after);
    }
    bool joins =
        comparing->nature == NATURE_PAIRED && (is_number(before) || before.type == VALUE_BYTES);
    return leaves_agree(comparing, before, after, joins);
}

static bool values_agree(struct comparing *comparing, struct value before, struct value after)
{
    if (!same_kind(before, after) || comparing->depth == DEPTH_MAX) {
        return false;
    }
    comparing->depth++;
    bool agree = parts_agree(comparing, before, after);
    comparing->depth--;
    return agree;
}

bool cells_agree(const struct comparing_sides *sides, enum nature nature, struct value before,
                 struct value after)
{
    struct comparing comparing = {.sides = sides, .nature = nature};
    return nature == NATURE_FREE || values_agree(&comparing, before, after);
}

static bool note_text(const struct comparing *comparing, const struct string *text)
{
    const char *end = text->data + text->size;
    const char *uuid = token_first_uuid(text->data, text->size);
    bool agree = true;
    while (agree && uuid != NULL) {
        agree = uuids_agree(comparing, uuid, uuid);
        uuid += UUID_SIZE;
        uuid = token_first_uuid(uuid, (size_t)(end - uuid));
    }
    return agree;
}

static bool note(struct comparing *comparing, struct value value)
{
    if (value.type == VALUE_STRING) {
        return note_text(comparing, value.as.string);
    }
    struct value_parts parts = {.of = value};
    struct value part;
    bool agree = true;
    comparing->depth++;
    while (agree && comparing->depth < DEPTH_MAX && value_parts_next(&parts, &part)) {
        agree = note(comparing, part);
    }
    comparing->depth--;
    return agree;
}

bool cells_note(const struct comparing_sides *sides, struct value value)
{
    struct comparing comparing = {.sides = sides};
    return note(&comparing, value);
}
