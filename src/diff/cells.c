#include "diff/cells.h"

#include "base/map.h"
#include "diff/form.h"
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

bool time_is_loaded(const struct comparing_sides *sides, enum pair_side side,
                    const struct token_time *time)
{
    const struct loaded *loaded = sides->loaded != NULL ? &sides->loaded[side] : NULL;
    return loaded != NULL && loaded->known && !time->day && time->us >= loaded->first &&
           time->us <= loaded->last;
}

static bool both_loaded(const struct comparing_sides *sides, const struct token_time *before,
                        const struct token_time *after)
{
    return time_is_loaded(sides, PAIR_BEFORE, before) && time_is_loaded(sides, PAIR_AFTER, after);
}

bool times_agree(const struct comparing_sides *sides, const struct token_time *before,
                 const struct token_time *after)
{
    return before->day == after->day && before->separator == after->separator &&
           (before->us == after->us || time_after(sides, before) == after->us ||
            both_loaded(sides, before, after));
}

void times_join(const struct comparing_sides *sides, struct value before, struct value after)
{
    enum { DAY_SIZE = 10 };
    struct pairs *pairs = sides->pairs;
    if (before.as.string->size > DAY_SIZE && !value_equal(before, after) &&
        pairs_partner(pairs, PAIR_BEFORE, before) == NULL &&
        pairs_partner(pairs, PAIR_AFTER, after) == NULL) {
        pairs_join(pairs, before, after);
    }
}

struct value time_value(struct arena *arena, const char *at, const struct token_time *time)
{
    char text[TIME_SIZE];
    token_time_text(at, time, text);
    return value_string(arena, text, time->size);
}

int64_t clock_unit(const struct comparing_sides *sides, struct value value)
{
    static const int64_t units[] = {1, 1000, 1000000};
    static const int64_t unix_epoch = INT64_C(946684800000000);
    if (value.type != VALUE_INT || (value.flags & VALUE_BIG) != 0) {
        return 0;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        int64_t first = (sides->epoch_before + unix_epoch - CALENDAR_DAY) / units[i];
        int64_t last = (sides->epoch_after + unix_epoch + CALENDAR_DAY) / units[i];
        if (value.as.integer >= first && value.as.integer <= last) {
            return units[i];
        }
    }
    return 0;
}

/* Notes that a value is its own partner, where values may become pairs. */
static void note_equal(struct pairs *pairs, struct value before, struct value after)
{
    if (pairs_telling(before) && pairs_partner(pairs, PAIR_BEFORE, before) == NULL &&
        pairs_partner(pairs, PAIR_AFTER, after) == NULL) {
        pairs_join(pairs, before, after);
    }
}

/* Joins what is new, if values of that kind may become pairs here. */
static bool leaves_agree(const struct comparing *comparing, struct value before, struct value after,
                         bool joins)
{
    struct pairs *pairs = comparing->sides->pairs;
    int64_t unit = joins ? clock_unit(comparing->sides, before) : 0;
    if (unit != 0 && unit == clock_unit(comparing->sides, after)) {
        return true;
    }
    switch (pairs_compare(pairs, before, after)) {
    case PAIR_SAME:
        if (joins) {
            note_equal(pairs, before, after);
        }
        return true;
    case PAIR_NEW:
        if (joins && pairs_telling(before) && pairs_telling(after)) {
            pairs_join(pairs, before, after);
        }
        return joins;
    case PAIR_CONFLICT:
        break;
    }
    return false;
}

static bool uuids_agree(const struct comparing *comparing, const char *before, const char *after)
{
    struct pairs *pairs = comparing->sides->pairs;
    const struct value *partner = pairs_partner_text(pairs, PAIR_BEFORE, before, UUID_SIZE);
    if (partner != NULL) {
        return partner->as.string->size == UUID_SIZE &&
               memcmp(partner->as.string->data, after, UUID_SIZE) == 0;
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

/* Two times that are as far from their beginning become a pair: later transactions have another
 * one. */
static bool tokens_agree(const struct comparing *comparing, struct token_text *before,
                         struct token_text *after)
{
    const struct comparing_sides *sides = comparing->sides;
    struct token_time a;
    struct token_time b;
    if (!token_is_time(before, &a) || !token_is_time(after, &b)) {
        return false;
    }
    struct arena_mark mark = arena_mark(sides->arena);
    struct value x = time_value(sides->arena, before->at, &a);
    struct value y = time_value(sides->arena, after->at, &b);
    bool agree = times_agree(sides, &a, &b);
    if (agree && !both_loaded(sides, &a, &b)) { /* of those, one may be several */
        times_join(sides, x, y);
    } else if (!agree && a.separator == b.separator) {
        const struct value *partner = pairs_partner(sides->pairs, PAIR_BEFORE, x);
        agree = partner != NULL && value_equal(*partner, y);
    }
    before->at += agree ? a.size : 0;
    after->at += agree ? b.size : 0;
    arena_rewind(sides->arena, mark);
    return agree;
}

/* As pairs_begins, and of a uuid whose partner is none. */
static size_t text_begins(const struct pairs *pairs, const struct token_text *at,
                          const struct value **partner)
{
    if (!token_is_uuid(at)) {
        return pairs_begins(pairs, at, partner);
    }
    *partner = pairs_partner_text(pairs, PAIR_BEFORE, at->at, UUID_SIZE);
    return UUID_SIZE;
}

/* Returns true if a uuid has a partner that is none. */
static bool has_other_form(const struct pairs *pairs, const struct token_text *uuid)
{
    const struct value *partner = pairs_partner_text(pairs, PAIR_BEFORE, uuid->at, UUID_SIZE);
    return partner != NULL &&
           !token_is_whole_uuid(partner->as.string->data, partner->as.string->size);
}

/* Moves over what agrees at the beginning of both; false if nothing does. */
static bool step_over(const struct comparing *comparing, struct token_text *before,
                      struct token_text *after)
{
    if (token_is_uuid(before) && !has_other_form(comparing->sides->pairs, before)) {
        if (!token_is_uuid(after) || !uuids_agree(comparing, before->at, after->at)) {
            return false;
        }
        before->at += UUID_SIZE;
        after->at += UUID_SIZE;
        return true;
    }
    const struct value *partner = NULL;
    size_t left = (size_t)(after->end - after->at);
    size_t size = text_begins(comparing->sides->pairs, before, &partner);
    if (size > 0 && partner->as.string->size <= left &&
        memcmp(partner->as.string->data, after->at, partner->as.string->size) == 0) {
        before->at += size;
        after->at += partner->as.string->size;
        return true;
    }
    return tokens_agree(comparing, before, after) || *before->at++ == *after->at++;
}

static struct token_text text_of(struct value value)
{
    const struct string *text = value.as.string;
    return (struct token_text){text->data, text->data, text->data + text->size};
}

static bool has_uuid(struct value text)
{
    return text.type == VALUE_STRING &&
           token_first_uuid(text.as.string->data, text.as.string->size) != NULL;
}

bool text_is_one(enum nature nature, struct value text)
{
    const struct string *string = text.as.string;
    return nature == NATURE_MADE
               ? token_is_made(string->data, string->size)
               : nature == NATURE_PAIRED &&
                     (!has_uuid(text) || token_is_whole_uuid(string->data, string->size));
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
    if (text_is_one(comparing->nature, before) && text_is_one(comparing->nature, after)) {
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

/* Returns true if a key has a uuid without a partner: an equal one may be another's. */
static bool is_open(const struct pairs *pairs, struct value key)
{
    const char *uuid = key.type == VALUE_STRING
                           ? token_first_uuid(key.as.string->data, key.as.string->size)
                           : NULL;
    return uuid != NULL && pairs_partner_text(pairs, PAIR_BEFORE, uuid, UUID_SIZE) == NULL;
}

/* The entry of the second table that a key stands for, or NULL. */
static struct table_entry *entry_after(const struct comparing *comparing, const struct table *after,
                                       const struct table_entry *entry)
{
    const struct comparing_sides *sides = comparing->sides;
    struct table_entry *found = NULL;
    struct value key = pairs_after(sides->pairs, sides->arena, entry->key);
    if (!is_open(sides->pairs, entry->key)) {
        (void)table_find(after, key, &found, NULL);
    }
    return found != NULL || has_uuid(key) ? found
                                          : table_find_hashed(after, entry->hash, entry->key);
}

/* The entries of a table whose keys the other one does not have. */
struct new_entries {
    VEC(const struct table_entry *) before;
    VEC(const struct table_entry *) after;
};

static bool entries_agree(struct comparing *comparing, const struct table_entry *before,
                          const struct table_entry *after)
{
    size_t known = pairs_count(comparing->sides->pairs);
    if (values_agree(comparing, before->key, after->key) &&
        values_agree(comparing, before->value, after->value)) {
        return true;
    }
    pairs_cut(comparing->sides->pairs, known);
    return false;
}

/* Matches new keys in any order. If there are several, what they are stays open: another order may
 * agree, too. */
static bool new_entries_agree(struct comparing *comparing, struct new_entries *new_ones)
{
    size_t known = pairs_count(comparing->sides->pairs);
    bool agree = new_ones->before.count == new_ones->after.count;
    for (size_t i = 0; agree && i < new_ones->before.count; i++) {
        agree = false;
        for (size_t k = 0; !agree && k < new_ones->after.count; k++) {
            const struct table_entry **other = &new_ones->after.items[k];
            agree = *other != NULL && entries_agree(comparing, new_ones->before.items[i], *other);
            *other = agree ? NULL : *other;
        }
    }
    if (new_ones->before.count > 1) {
        pairs_cut(comparing->sides->pairs, known);
    }
    return agree;
}

static bool tables_agree(struct comparing *comparing, const struct table *before,
                         const struct table *after)
{
    struct arena *arena = comparing->sides->arena;
    struct new_entries new_ones = {0};
    struct map taken = {.arena = arena};
    struct table_entry *entry = NULL;
    bool agree = before->count == after->count;
    for (size_t i = 0; agree && (entry = table_next(before, &i)) != NULL;) {
        const struct table_entry *other = entry_after(comparing, after, entry);
        if (other == NULL) {
            *VEC_PUSH(arena, &new_ones.before) = entry;
            continue;
        }
        (void)map_add(&taken, table_place(after, other));
        agree = values_agree(comparing, entry->value, other->value);
    }
    for (size_t i = 0;
         agree && new_ones.before.count > 0 && (entry = table_next(after, &i)) != NULL;) {
        if (map_find(&taken, table_place(after, entry)) == NULL) {
            *VEC_PUSH(arena, &new_ones.after) = entry;
        }
    }
    return agree && new_entries_agree(comparing, &new_ones);
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
    return nature == NATURE_FREE ||
           ((nature != NATURE_EXACT || value_form(before) == value_form(after)) &&
            values_agree(&comparing, before, after));
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

/* A uuid that has no partner. */
struct seeking {
    const struct pairs *pairs;
    enum pair_side side;
    unsigned depth;
};

static bool has_new(struct seeking *seeking, struct value value)
{
    struct value_parts parts = {.of = value};
    struct value part;
    bool found = false;
    if (value.type == VALUE_STRING) {
        return token_is_whole_uuid(value.as.string->data, value.as.string->size) &&
               pairs_partner(seeking->pairs, seeking->side, value) == NULL;
    }
    seeking->depth++;
    while (!found && seeking->depth < DEPTH_MAX && value_parts_next(&parts, &part)) {
        found = has_new(seeking, part);
    }
    seeking->depth--;
    return found;
}

bool cells_new(const struct pairs *pairs, enum pair_side side, struct value value)
{
    return has_new(&(struct seeking){pairs, side, 0}, value);
}

bool cells_note(const struct comparing_sides *sides, struct value value)
{
    struct comparing comparing = {.sides = sides};
    return note(&comparing, value);
}
