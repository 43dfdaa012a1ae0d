/*
 * Makes a value's text twice: unchanged, and with a unique number in place of each scalar from the
 * database. If replacing the numbers in the second text by the scalars' texts gives the first text,
 * the numbers are at the places of the scalars. This also excludes texts that would need other
 * quoting for another value.
 */
#include "replay/recording/record_text.h"

#include "example/step/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KNOWN_MAX = 256,        /* texts of the database to search for */
    KNOWN_SIZE_MIN = 8,     /* shorter ones occur in other texts by chance */
    SEARCHED_MAX = 1 << 16, /* bytes of text to search */
    SENT_MAX = 1 << 20,     /* bytes sent that are remembered */
    DEPTH_MAX = 100,
    MARK_FIRST = 70416, /* a mark: five digits, then ten of the origin */
    MARK_LAST = 70999,
    MARK_PREFIX = 5,
    MARK_SIZE = 15,
};

struct marking {
    const struct recording_text *recording;
    struct text_form form;
    struct arena scratch;
    unsigned prefix;
    VEC(struct value) marked; /* the scalars that were replaced */
    bool too_deep;
};

static bool encode_value(const struct marking *marking, struct text_form form, struct value value,
                         struct strbuf *out, bool *null, struct error *err)
{
    struct backend *backend = marking->recording->backend;
    *null = false;
    return form.setting ? setting_text(value, out, err)
                        : backend->ops->encode(backend, form.type, value, out, null, err);
}

/* A copy with marks. */

static struct value marked_copy(struct marking *marking, struct value value, int depth);

static struct value mark_scalar(struct marking *marking, struct value value)
{
    unsigned origin = value_origin(value);
    if (!origin) {
        return value;
    }
    *VEC_PUSH(&marking->scratch, &marking->marked) = value;
    int64_t number = (int64_t)marking->prefix * 10000000000 + origin;
    return value.type == VALUE_STRING || value.type == VALUE_BYTES
               ? value_text(&marking->scratch,
                            arena_printf(&marking->scratch, "%lld", (long long)number))
               : value_int(number);
}

static struct value mark_tuple(struct marking *marking, const struct tuple *tuple, int depth)
{
    struct value *items = ARENA_ARRAY(&marking->scratch, struct value, tuple->count);
    for (size_t i = 0; i < tuple->count; i++) {
        items[i] = marked_copy(marking, tuple->items[i], depth);
    }
    return value_row(&marking->scratch, items, tuple->names, tuple->count);
}

static struct value mark_list(struct marking *marking, const struct list *list, int depth)
{
    struct value copy = value_list(&marking->scratch);
    for (size_t i = 0; i < list->count; i++) {
        list_append(copy.as.list, marked_copy(marking, list->items[i], depth));
    }
    return copy;
}

static struct value mark_table(struct marking *marking, struct value value, int depth)
{
    const struct table *table = value.as.table;
    struct value copy =
        value.type == VALUE_DICT ? value_dict(&marking->scratch) : value_set(&marking->scratch);
    const struct table_entry *entry;
    for (size_t i = 0; (entry = table_next(table, &i));) {
        struct value key = marked_copy(marking, entry->key, depth);
        (void)table_set(copy.as.table, key, marked_copy(marking, entry->value, depth), NULL);
    }
    return copy;
}

static struct value marked_copy(struct marking *marking, struct value value, int depth)
{
    marking->too_deep = marking->too_deep || depth >= DEPTH_MAX;
    if (marking->too_deep) {
        return value;
    }
    switch (value.type) {
    case VALUE_TUPLE:
        return mark_tuple(marking, value.as.tuple, depth + 1);
    case VALUE_LIST:
        return mark_list(marking, value.as.list, depth + 1);
    case VALUE_BAG:
        return value_bag(mark_list(marking, value.as.list, depth + 1).as.list);
    case VALUE_DICT:
    case VALUE_SET:
        return mark_table(marking, value, depth + 1);
    case VALUE_NONE:
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_NUMERIC:
    case VALUE_FLOAT:
    case VALUE_STRING:
    case VALUE_BYTES:
    case VALUE_JSON_NULL:
    case VALUE_MULTIPLE:
    case VALUE_ERROR:
    case VALUE_OBJECT:
    default:
        return mark_scalar(marking, value);
    }
}

/* Parts. */

static void add_part(struct arena *arena, const char *text, size_t size, unsigned cell,
                     struct recorded_value *out)
{
    if (size || cell) {
        *VEC_PUSH(arena, &out->parts) = (struct recorded_part){
            .text = arena_strndup(arena, text, size), .size = size, .cell = cell};
    }
}

/* A prefix for marks that does not occur in the text; 0 if there is none. */
static unsigned choose_prefix(const struct strbuf *text)
{
    for (unsigned prefix = MARK_FIRST; prefix <= MARK_LAST; prefix++) {
        char digits[16];
        (void)snprintf(digits, sizeof digits, "%u", prefix);
        if (!strstr(strbuf_text(text), digits)) {
            return prefix;
        }
    }
    return 0;
}

static const struct value *scalar_of(const struct marking *marking, unsigned origin)
{
    for (size_t i = 0; i < marking->marked.count; i++) {
        if (value_origin(marking->marked.items[i]) == origin) {
            return &marking->marked.items[i];
        }
    }
    return NULL;
}

/* The scalar whose mark begins at `text`, or NULL. */
static const struct value *read_mark(const struct marking *marking, const char *text)
{
    char digits[MARK_SIZE - MARK_PREFIX + 1];
    if (strspn(text, "0123456789") < MARK_SIZE) {
        return NULL;
    }
    memcpy(digits, text + MARK_PREFIX, sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    return scalar_of(marking, (unsigned)strtoul(digits, NULL, 10));
}

/* Splits the marked text into parts, and rebuilds the plain text from them. */
static bool split_marked(const struct marking *marking, const char *text, struct strbuf *plain,
                         struct recorded_value *out)
{
    struct arena *arena = marking->recording->arena;
    char prefix[16];
    (void)snprintf(prefix, sizeof prefix, "%u", marking->prefix);
    for (;;) {
        const char *mark = strstr(text, prefix);
        size_t before = mark ? (size_t)(mark - text) : strlen(text);
        strbuf_add(plain, text, before);
        add_part(arena, text, before, 0, out);
        if (!mark) {
            return true;
        }
        const struct value *scalar = read_mark(marking, mark);
        size_t start = plain->size;
        bool null;
        if (!scalar || !encode_value(marking, (struct text_form){0}, *scalar, plain, &null, NULL)) {
            return false;
        }
        add_part(arena, strbuf_text(plain) + start, plain->size - start, value_origin(*scalar),
                 out);
        text = mark + MARK_SIZE;
    }
}

/* False if the value has no parts from the database, or if they can't be located in its text. */
static bool make_marked(struct marking *marking, struct value value, const struct strbuf *text,
                        struct recorded_value *out)
{
    struct strbuf marked = {0};
    struct strbuf plain = {0};
    bool null = false;
    marking->prefix = choose_prefix(text);
    struct value copy = marked_copy(marking, value, 0);
    bool made = marking->prefix && marking->marked.count && !marking->too_deep &&
                encode_value(marking, marking->form, copy, &marked, &null, NULL) &&
                split_marked(marking, strbuf_text(&marked), &plain, out) &&
                plain.size == text->size &&
                memcmp(strbuf_text(&plain), strbuf_text(text), text->size) == 0;
    if (!made) {
        out->parts.count = 0;
    }
    strbuf_free(&marked);
    strbuf_free(&plain);
    return made;
}

/* What is known. */

void known_texts_add(struct known_texts *known, unsigned cell, struct value value)
{
    if (value.type != VALUE_STRING || value.as.string->size < KNOWN_SIZE_MIN ||
        known->items.count >= KNOWN_MAX || strstr(strbuf_text(&known->sent), value_cstr(value))) {
        return;
    }
    *VEC_PUSH(known->arena, &known->items) = (struct known_text){
        .cell = cell,
        .text = arena_strndup(known->arena, value_cstr(value), value.as.string->size),
        .size = value.as.string->size};
}

static void note_sent(struct known_texts *known, const struct strbuf *text)
{
    if (known->sent.size + text->size < SENT_MAX) {
        strbuf_add(&known->sent, strbuf_text(text), text->size);
        strbuf_addc(&known->sent, '\n');
    }
}

/* The first known text in `text`, and its place; of two at the same place, the longer one. */
static const struct known_text *find_known(const struct known_texts *known, const char *text,
                                           size_t *at)
{
    const struct known_text *found = NULL;
    for (size_t i = 0; i < known->items.count; i++) {
        const struct known_text *one = &known->items.items[i];
        const char *place = strstr(text, one->text);
        size_t offset = place ? (size_t)(place - text) : 0;
        if (place && (!found || offset < *at || (offset == *at && one->size > found->size))) {
            found = one;
            *at = offset;
        }
    }
    return found;
}

static void make_searched(const struct recording_text *recording, const struct strbuf *text,
                          struct recorded_value *out)
{
    const char *rest = strbuf_text(text);
    const struct known_text *found = NULL;
    size_t at = 0;
    while (text->size <= SEARCHED_MAX && (found = find_known(recording->known, rest, &at))) {
        add_part(recording->arena, rest, at, 0, out);
        add_part(recording->arena, found->text, found->size, found->cell, out);
        rest += at + found->size;
    }
    add_part(recording->arena, rest, (size_t)(strbuf_text(text) + text->size - rest), 0, out);
}

bool recorded_value_make(const struct recording_text *recording, struct text_form form,
                         struct value value, struct recorded_value *out, struct error *err)
{
    struct marking marking = {.recording = recording, .form = form};
    struct strbuf text = {0};
    *out = (struct recorded_value){0};
    bool ok = encode_value(&marking, form, value, &text, &out->null, err);
    if (ok && !out->null && !recording->known) {
        add_part(recording->arena, strbuf_text(&text), text.size, 0, out);
    } else if (ok && !out->null && !make_marked(&marking, value, &text, out)) {
        make_searched(recording, &text, out);
    }
    if (ok && !form.setting && form.type) {
        out->type = arena_strdup(recording->arena,
                                 recording->backend->ops->type_name(recording->backend, form.type));
    }
    if (recording->known) {
        note_sent(recording->known, &text);
    }
    strbuf_free(&text);
    arena_free(&marking.scratch);
    return ok;
}
