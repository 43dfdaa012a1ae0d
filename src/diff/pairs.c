#include "diff/pairs.h"

#include "base/hash.h"
#include "diff/token.h"

#include <assert.h>
#include <string.h>

enum {
    TELLING_TEXT = 6,         /* bytes of a text that may become a pair */
    TELLING_NUMBER = 1000000, /* the least number that may */
    REPLACED_TEXT = 8,        /* bytes of a text that is replaced inside of others */
    SLOTS_FIRST = 64,
    SIDES = 2,
};

struct pair {
    struct value value[SIDES];
    uint64_t hash[SIDES];
    size_t under; /* the pair before it whose text begins with the same bytes, plus one */
};

/* Slots hold the number of a pair plus one; 0: free. */
struct slots {
    uint32_t *items;
    size_t capacity; /* a power of two */
};

/* Pairs leave in the opposite order in which they came, so that a slot of linear probing can just
 * be freed. */
struct pairs {
    struct arena memory;  /* of the copies; rewound by pairs_back */
    struct arena indexes; /* of what grows: it stays */
    struct arena_mark memory_mark;
    size_t marked;
    VEC(struct pair) all;
    struct slots slots[SIDES];
    struct slots begins; /* by the first bytes of texts before that are replaced inside of others */
    size_t renamed;      /* pairs of two different values */
    size_t replaced;     /* those in `begins` */
};

static void release(void *data)
{
    struct pairs *pairs = data;
    arena_free(&pairs->memory);
    arena_free(&pairs->indexes);
}

static struct slots slots_new(struct arena *arena, size_t capacity)
{
    return (struct slots){ARENA_ARRAY(arena, uint32_t, capacity), capacity};
}

struct pairs *pairs_new(struct arena *arena)
{
    struct pairs *pairs = ARENA_NEW(arena, struct pairs);
    for (size_t side = 0; side < SIDES; side++) {
        pairs->slots[side] = slots_new(&pairs->indexes, SLOTS_FIRST);
    }
    pairs->begins = slots_new(&pairs->indexes, SLOTS_FIRST);
    pairs->memory_mark = arena_mark(&pairs->memory);
    arena_defer(arena, release, pairs);
    return pairs;
}

size_t pairs_count(const struct pairs *pairs) { return pairs->all.count; }

bool pairs_any(const struct pairs *pairs) { return pairs->renamed > 0; }

static bool is_uuid(struct value leaf)
{
    if (leaf.type != VALUE_STRING || leaf.as.string->size != UUID_SIZE) {
        return false;
    }
    const char *data = leaf.as.string->data;
    return token_is_uuid(&(struct token_text){data, data, data + UUID_SIZE});
}

static uint64_t text_hash(const char *text, size_t size)
{
    return hash_mix(hash_words(HASH_START, text, size));
}

static bool leaf_hash(struct value leaf, uint64_t *hash)
{
    if (leaf.type == VALUE_STRING) {
        *hash = text_hash(leaf.as.string->data, leaf.as.string->size);
        return true;
    }
    struct error err;
    return value_hash(leaf, hash, &err);
}

bool pairs_telling(struct value leaf)
{
    if (leaf.type == VALUE_STRING) {
        return leaf.as.string->size >= TELLING_TEXT;
    }
    if (leaf.type == VALUE_BYTES) {
        return leaf.as.bytes->size >= TELLING_TEXT;
    }
    if (leaf.type == VALUE_INT) {
        return (leaf.flags & VALUE_BIG) != 0 || leaf.as.integer >= TELLING_NUMBER ||
               leaf.as.integer <= -TELLING_NUMBER;
    }
    if (!value_is_number(leaf)) {
        return false;
    }
    struct strbuf text = {0};
    value_str(leaf, &text);
    bool telling = text.size > TELLING_TEXT;
    strbuf_free(&text);
    return telling;
}

/* What is looked for among the pairs. */
struct sought {
    uint64_t hash;
    struct value leaf;
    const char *text; /* instead of the leaf; or NULL */
    size_t size;
};

static bool is_sought(struct value value, const struct sought *sought)
{
    if (sought->text == NULL) {
        return value_equal(value, sought->leaf);
    }
    return value.type == VALUE_STRING && value.as.string->size == sought->size &&
           memcmp(value.as.string->data, sought->text, sought->size) == 0;
}

static const struct pair *find(const struct pairs *pairs, enum pair_side side,
                               const struct sought *sought)
{
    const struct slots *slots = &pairs->slots[side];
    for (size_t i = sought->hash;; i++) {
        uint32_t number = slots->items[i & (slots->capacity - 1)];
        if (number == 0) {
            return NULL;
        }
        const struct pair *pair = &pairs->all.items[number - 1];
        if (pair->hash[side] == sought->hash && is_sought(pair->value[side], sought)) {
            return pair;
        }
    }
}

const struct value *pairs_partner(const struct pairs *pairs, enum pair_side side, struct value leaf)
{
    struct sought sought = {.leaf = leaf};
    if (pairs->all.count == 0 || !leaf_hash(leaf, &sought.hash)) {
        return NULL;
    }
    if (leaf.type == VALUE_STRING) {
        sought.text = leaf.as.string->data;
        sought.size = leaf.as.string->size;
    }
    const struct pair *pair = find(pairs, side, &sought);
    return pair == NULL ? NULL : &pair->value[1 - side];
}

const struct value *pairs_partner_text(const struct pairs *pairs, enum pair_side side,
                                       const char *text, size_t size)
{
    if (pairs->all.count == 0) {
        return NULL;
    }
    const struct sought sought = {.hash = text_hash(text, size), .text = text, .size = size};
    const struct pair *pair = find(pairs, side, &sought);
    return pair == NULL ? NULL : &pair->value[1 - side];
}

static bool is_time(struct value leaf)
{
    const struct string *text = leaf.as.string;
    struct token_time time;
    return token_is_time(&(struct token_text){text->data, text->data, text->data + text->size},
                         &time) &&
           time.size == text->size;
}

/* Texts that are replaced inside of others, by their first bytes. Uuids and times are found by
 * their form. */
static bool is_replaced(const struct pair *pair)
{
    struct value before = pair->value[PAIR_BEFORE];
    return before.type == VALUE_STRING && pair->value[PAIR_AFTER].type == VALUE_STRING &&
           before.as.string->size >= REPLACED_TEXT && !is_uuid(before) && !is_time(before) &&
           !value_equal(before, pair->value[PAIR_AFTER]);
}

static uint64_t begin_hash(const char *text) { return text_hash(text, REPLACED_TEXT); }

/* The slot of the last pair whose text begins so, or a free one. */
static uint32_t *begin_slot(const struct pairs *pairs, const char *text)
{
    for (size_t i = begin_hash(text);; i++) {
        uint32_t *slot = &pairs->begins.items[i & (pairs->begins.capacity - 1)];
        if (*slot == 0) {
            return slot;
        }
        const struct value before = pairs->all.items[*slot - 1].value[PAIR_BEFORE];
        if (memcmp(before.as.string->data, text, REPLACED_TEXT) == 0) {
            return slot;
        }
    }
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Returns true if the text stands there, and does not cut a number. */
static bool stands_at(const struct string *text, const struct token_text *at)
{
    return text->size <= (size_t)(at->end - at->at) &&
           memcmp(text->data, at->at, text->size) == 0 &&
           (at->at == at->begin || !is_digit(at->at[-1]) || !is_digit(text->data[0])) &&
           (at->at + text->size == at->end || !is_digit(at->at[text->size]) ||
            !is_digit(text->data[text->size - 1]));
}

size_t pairs_begins(const struct pairs *pairs, const struct token_text *at,
                    const struct value **partner)
{
    size_t longest = 0;
    if (pairs->replaced == 0 || at->end - at->at < REPLACED_TEXT) {
        return 0;
    }
    for (size_t number = *begin_slot(pairs, at->at); number > 0;) {
        const struct pair *pair = &pairs->all.items[number - 1];
        const struct string *before = pair->value[PAIR_BEFORE].as.string;
        if (before->size > longest && stands_at(before, at)) {
            longest = before->size;
            *partner = &pair->value[PAIR_AFTER];
        }
        number = pair->under;
    }
    return longest;
}

/* Puts a pair into the indexes. */
static void index_pair(struct pairs *pairs, size_t number)
{
    struct pair *pair = &pairs->all.items[number];
    for (size_t side = 0; side < SIDES; side++) {
        const struct slots *slots = &pairs->slots[side];
        size_t i = pair->hash[side];
        while (slots->items[i & (slots->capacity - 1)] != 0) {
            i++;
        }
        slots->items[i & (slots->capacity - 1)] = (uint32_t)number + 1;
    }
    if (is_replaced(pair)) {
        uint32_t *slot = begin_slot(pairs, pair->value[PAIR_BEFORE].as.string->data);
        pair->under = *slot;
        *slot = (uint32_t)number + 1;
        pairs->replaced++;
    }
}

static void grow(struct pairs *pairs)
{
    size_t capacity = pairs->begins.capacity * 2;
    for (size_t side = 0; side < SIDES; side++) {
        pairs->slots[side] = slots_new(&pairs->indexes, capacity);
    }
    pairs->begins = slots_new(&pairs->indexes, capacity);
    pairs->replaced = 0;
    for (size_t i = 0; i < pairs->all.count; i++) {
        index_pair(pairs, i);
    }
}

void pairs_join(struct pairs *pairs, struct value before, struct value after)
{
    struct pair pair = {.value = {value_copy(&pairs->memory, before), before}};
    bool equal = value_same(before, after);
    pair.value[PAIR_AFTER] = equal ? pair.value[PAIR_BEFORE] : value_copy(&pairs->memory, after);
    if (!leaf_hash(before, &pair.hash[PAIR_BEFORE]) || !leaf_hash(after, &pair.hash[PAIR_AFTER])) {
        return;
    }
    if ((pairs->all.count + 1) * 2 > pairs->begins.capacity) {
        grow(pairs);
    }
    pairs->renamed += !equal;
    *VEC_PUSH(&pairs->indexes, &pairs->all) = pair;
    index_pair(pairs, pairs->all.count - 1);
}

/* Takes the last pair out of the indexes. */
static void drop_last(struct pairs *pairs)
{
    const struct pair *pair = &pairs->all.items[pairs->all.count - 1];
    pairs->renamed -= !value_same(pair->value[PAIR_BEFORE], pair->value[PAIR_AFTER]);
    for (size_t side = 0; side < SIDES; side++) {
        const struct slots *slots = &pairs->slots[side];
        size_t i = pair->hash[side];
        while (slots->items[i & (slots->capacity - 1)] != pairs->all.count) {
            i++;
        }
        slots->items[i & (slots->capacity - 1)] = 0;
    }
    if (is_replaced(pair)) {
        uint32_t *slot = begin_slot(pairs, pair->value[PAIR_BEFORE].as.string->data);
        *slot = (uint32_t)pair->under;
        pairs->replaced--;
    }
    pairs->all.count--;
}

void pairs_cut(struct pairs *pairs, size_t count)
{
    while (pairs->all.count > count) {
        drop_last(pairs);
    }
}

void pairs_mark(struct pairs *pairs)
{
    pairs->marked = pairs->all.count;
    pairs->memory_mark = arena_mark(&pairs->memory);
}

void pairs_back(struct pairs *pairs)
{
    pairs_cut(pairs, pairs->marked);
    arena_rewind(&pairs->memory, pairs->memory_mark);
}

enum pairing pairs_compare(const struct pairs *pairs, struct value before, struct value after)
{
    bool equal = value_equal(before, after);
    if (equal && (!pairs_any(pairs) || !is_uuid(before))) {
        return PAIR_SAME;
    }
    const struct value *partner = pairs_partner(pairs, PAIR_BEFORE, before);
    if (partner != NULL) {
        return value_equal(*partner, after) ? PAIR_SAME : PAIR_CONFLICT;
    }
    if (pairs_partner(pairs, PAIR_AFTER, after) != NULL) {
        return PAIR_CONFLICT;
    }
    return equal ? PAIR_SAME : PAIR_NEW;
}

/* Notes a leaf as its own partner. */
static void note_leaf(struct pairs *pairs, struct value leaf)
{
    if (pairs_telling(leaf) && pairs_partner(pairs, PAIR_BEFORE, leaf) == NULL &&
        pairs_partner(pairs, PAIR_AFTER, leaf) == NULL) {
        pairs_join(pairs, leaf, leaf);
    }
}

static void note_uuids(struct pairs *pairs, const struct string *text)
{
    const char *end = text->data + text->size;
    const char *uuid = token_first_uuid(text->data, text->size);
    for (; uuid != NULL; uuid = token_first_uuid(uuid, (size_t)(end - uuid))) {
        struct value leaf = value_string(&pairs->memory, uuid, UUID_SIZE);
        note_leaf(pairs, leaf);
        uuid += UUID_SIZE;
    }
}

static void note_sent(struct pairs *pairs, struct value value, unsigned depth)
{
    enum { DEPTH_MAX = 200 };
    struct value_parts parts = {.of = value};
    struct value part;
    while (depth < DEPTH_MAX && value_parts_next(&parts, &part)) {
        note_sent(pairs, part, depth + 1);
    }
    if (value.type == VALUE_STRING && value.as.string->size > UUID_SIZE) {
        note_uuids(pairs, value.as.string);
    }
    note_leaf(pairs, value);
}

void pairs_sent(struct pairs *pairs, struct value value) { note_sent(pairs, value, 0); }
