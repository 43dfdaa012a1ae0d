#include "diff/known.h"

#include "base/hash.h"
#include "diff/cells.h"
#include "diff/form.h"
#include "diff/token.h"

#include <string.h>

enum { DEPTH_MAX = 200 };

/* What stands in a hash for a part that is not its bytes. */
enum mark { MARK_NULL = 1, MARK_TEXT, MARK_UNTOLD, MARK_LOADED, MARK_TIME };

struct knowing {
    const struct comparing_sides *sides;
    struct arena *arena;
    enum pair_side side;
    struct map *times; /* of the second database */
    struct known_rows *out;
    size_t row;
    enum nature nature;
    unsigned depth;
};

static uint64_t combine(uint64_t a, uint64_t b) { return hash_mix(a * 31 + b); }

/* Notes a value without a partner; what stands for it in the row's hash. */
static uint64_t note_leaf(struct knowing *knowing, struct value leaf, uint64_t path,
                          enum unknown_kind kind)
{
    struct known_rows *out = knowing->out;
    uint64_t hash = 0;
    struct error err;
    (void)value_hash(leaf, &hash, &err);
    hash = combine(hash, kind);
    size_t before = out->by_hash.count;
    struct map_entry *entry = map_add(&out->by_hash, hash);
    if (out->by_hash.count > before) {
        entry->to.number = out->leaves.count;
        *VEC_PUSH(knowing->arena, &out->leaves) =
            (struct unknown_leaf){.value = leaf, .hash = hash, .kind = kind};
    }
    *VEC_PUSH(knowing->arena, &out->occurrences) =
        (struct occurrence){knowing->row, entry->to.number, path};
    return combine(path, kind);
}

static uint64_t number_hash(struct value leaf)
{
    uint64_t hash = 0;
    struct error err;
    (void)value_hash(leaf, &hash, &err);
    return hash;
}

/* A leaf that may become a pair in this place: a number, bytes, or a whole text. */
static uint64_t whole_leaf(struct knowing *knowing, struct value leaf, uint64_t path,
                           enum unknown_kind kind)
{
    int64_t unit = knowing->nature == NATURE_PAIRED ? clock_unit(knowing->sides, leaf) : 0;
    if (unit != 0) {
        return combine((uint64_t)unit, MARK_TIME);
    }
    const struct value *partner = pairs_partner(knowing->sides->pairs, knowing->side, leaf);
    if (partner != NULL) {
        return number_hash(knowing->side == PAIR_BEFORE ? *partner : leaf);
    }
    if (knowing->nature != NATURE_PAIRED &&
        (knowing->nature != NATURE_MADE || kind != UNKNOWN_TEXT)) {
        return number_hash(leaf);
    }
    return pairs_telling(leaf) ? note_leaf(knowing, leaf, path, kind) : combine(MARK_UNTOLD, kind);
}

static uint64_t time_key(const struct token_time *time, int64_t us)
{
    return combine((uint64_t)us, MARK_TIME + time->day);
}

/* A time of the second database, which others may stand for. */
static uint64_t note_time(struct knowing *knowing, const char *at, const struct token_time *time)
{
    uint64_t key = time_key(time, time->us);
    struct map_entry *entry = map_add(knowing->times, key);
    if (entry->to.pointer == NULL) {
        struct value value = time_value(knowing->arena, at, time);
        entry->to.pointer = arena_memdup(knowing->arena, &value, sizeof value);
    }
    return key;
}

/* A time as the second database would have it, if it has it so in this answer. The two are then a
 * pair. */
static uint64_t time_hash(struct knowing *knowing, const char *at, const struct token_time *time)
{
    if (time_is_loaded(knowing->sides, knowing->side, time)) {
        return MARK_LOADED;
    }
    if (knowing->side == PAIR_AFTER) {
        return note_time(knowing, at, time);
    }
    struct value value = time_value(knowing->arena, at, time);
    const struct value *partner = pairs_partner(knowing->sides->pairs, PAIR_BEFORE, value);
    if (partner != NULL) {
        const char *data = partner->as.string->data;
        const struct token_text text = {data, data, data + partner->as.string->size};
        struct token_time other;
        return token_is_time(&text, &other) ? time_key(&other, other.us) : number_hash(*partner);
    }
    const struct map_entry *entry =
        map_find(knowing->times, time_key(time, time_after(knowing->sides, time)));
    if (entry == NULL) {
        return time_key(time, time->us);
    }
    times_join(knowing->sides, value, *(const struct value *)entry->to.pointer);
    return entry->key;
}

struct reading {
    struct knowing *knowing;
    struct token_text text;
    uint64_t path;
    uint64_t hash;
};

static void read_bytes(struct reading *reading, const char *data, size_t size)
{
    reading->hash = hash_bytes(reading->hash, data, size);
}

static void read_uuid(struct reading *reading)
{
    struct knowing *knowing = reading->knowing;
    const char *at = reading->text.at;
    const struct value *partner =
        pairs_partner_text(knowing->sides->pairs, knowing->side, at, UUID_SIZE);
    if (partner == NULL) {
        struct value leaf = value_string(knowing->arena, at, UUID_SIZE);
        uint64_t hash =
            note_leaf(knowing, leaf, combine(reading->path, reading->hash), UNKNOWN_UUID);
        reading->hash = combine(reading->hash, hash);
    } else {
        bool before = knowing->side == PAIR_BEFORE;
        read_bytes(reading, before ? partner->as.string->data : at,
                   before ? partner->as.string->size : UUID_SIZE);
    }
    reading->text.at += UUID_SIZE;
}

/* Times may be others after, now or in an earlier transaction. */
static bool may_shift(const struct comparing_sides *sides)
{
    return sides->epoch_before != sides->epoch_after ||
           (sides->loaded != NULL && sides->loaded[PAIR_BEFORE].known) || pairs_any(sides->pairs);
}

/* Reads one part: a uuid, a time, a text with a partner, or a byte. */
static void read_part(struct reading *reading)
{
    struct knowing *knowing = reading->knowing;
    const struct comparing_sides *sides = knowing->sides;
    struct token_text *text = &reading->text;
    const struct value *partner = NULL;
    struct token_time time;
    if (token_is_uuid(text)) {
        read_uuid(reading);
        return;
    }
    size_t size = 0;
    if (may_shift(sides) && token_is_time(text, &time)) {
        size = time.size;
        reading->hash = combine(reading->hash, time_hash(knowing, text->at, &time));
        read_bytes(reading, &time.separator, 1);
    } else if (knowing->side == PAIR_BEFORE &&
               (size = pairs_begins(sides->pairs, text, &partner)) > 0) {
        read_bytes(reading, partner->as.string->data, partner->as.string->size);
    } else {
        size = 1;
        read_bytes(reading, text->at, 1);
    }
    text->at += size;
}

static uint64_t text_known(struct knowing *knowing, struct value value, uint64_t path)
{
    const struct string *text = value.as.string;
    const struct value *partner = pairs_partner(knowing->sides->pairs, knowing->side, value);
    if (partner != NULL && knowing->side == PAIR_BEFORE) {
        text = partner->as.string;
    }
    struct reading reading = {
        knowing, {text->data, text->data, text->data + text->size}, path, HASH_START};
    if (partner != NULL) {
        read_bytes(&reading, text->data, text->size);
        return combine(reading.hash, MARK_TEXT);
    }
    if (text_is_one(knowing->nature, value)) {
        return whole_leaf(knowing, value, path, UNKNOWN_TEXT);
    }
    while (reading.text.at < reading.text.end) {
        read_part(&reading);
    }
    return combine(reading.hash, MARK_TEXT);
}

static uint64_t value_known(struct knowing *knowing, struct value value, uint64_t path);

static uint64_t table_known(struct knowing *knowing, struct value value, uint64_t path)
{
    uint64_t sum = value.as.table->count;
    struct table_entry *entry = NULL;
    for (size_t i = 0; (entry = table_next(value.as.table, &i)) != NULL;) {
        uint64_t key = value_known(knowing, entry->key, combine(path, MARK_NULL));
        uint64_t under = combine(path, key);
        sum += combine(under, value_known(knowing, entry->value, under));
    }
    return combine(sum, value.type);
}

static uint64_t items_known(struct knowing *knowing, struct value value, uint64_t path)
{
    struct items items = value_items(value);
    uint64_t hash = combine(items.count, value.type);
    for (size_t i = 0; i < items.count; i++) {
        hash = combine(hash, value_known(knowing, items.items[i], combine(path, i)));
    }
    return hash;
}

static uint64_t parts_known(struct knowing *knowing, struct value value, uint64_t path)
{
    if (value.type == VALUE_STRING) {
        return text_known(knowing, value, path);
    }
    if (value.type == VALUE_BOOL) {
        return combine(VALUE_BOOL,
                       knowing->nature == NATURE_PAIRED ? MARK_UNTOLD : value.as.boolean);
    }
    if (value_is_number(value)) {
        return combine(whole_leaf(knowing, value, path, UNKNOWN_NUMBER), VALUE_INT);
    }
    if (value.type == VALUE_BYTES) {
        return combine(whole_leaf(knowing, value, path, UNKNOWN_BYTES), VALUE_BYTES);
    }
    if (value_is_table(value)) {
        return table_known(knowing, value, path);
    }
    bool null = value.type == VALUE_NONE || value.type == VALUE_JSON_NULL;
    return null ? combine(MARK_NULL, value.type) : items_known(knowing, value, path);
}

static uint64_t value_known(struct knowing *knowing, struct value value, uint64_t path)
{
    if (knowing->depth == DEPTH_MAX) {
        return MARK_NULL;
    }
    knowing->depth++;
    uint64_t hash = parts_known(knowing, value, path);
    knowing->depth--;
    return hash;
}

static void side_known(struct knowing *knowing, const struct shared_rows *rows)
{
    struct known_rows *out = knowing->out;
    out->count = knowing->side == PAIR_BEFORE ? rows->before->row_count : rows->after->row_count;
    out->hashes = ARENA_ARRAY(knowing->arena, uint64_t, out->count + 1);
    out->by_hash.arena = knowing->arena;
    for (size_t row = 0; row < out->count; row++) {
        uint64_t hash = HASH_START;
        knowing->row = row;
        for (size_t i = 0; i < rows->column_count; i++) {
            knowing->nature = rows->columns[i].nature;
            if (knowing->nature == NATURE_FREE) {
                continue;
            }
            struct value value =
                knowing->side == PAIR_BEFORE ? cell_before(rows, row, i) : cell_after(rows, row, i);
            hash = combine(hash, value_known(knowing, value, combine(HASH_START, i)));
            hash = combine(hash, knowing->nature == NATURE_EXACT ? value_form(value) : 0);
        }
        out->hashes[row] = hash;
    }
}

/* The second database first: its times tell which times of the first are shifted. */
void known_rows(const struct shared_rows *rows, struct known_both *out)
{
    struct arena *arena = rows->sides->arena;
    struct map times = {.arena = arena};
    *out = (struct known_both){0};
    struct knowing knowing = {.sides = rows->sides,
                              .arena = arena,
                              .side = PAIR_AFTER,
                              .times = &times,
                              .out = &out->after};
    side_known(&knowing, rows);
    knowing.side = PAIR_BEFORE;
    knowing.out = &out->before;
    side_known(&knowing, rows);
}
