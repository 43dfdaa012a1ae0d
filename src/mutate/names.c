#include "mutate/names.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "pgtypes/pgtypes.h"

#include <string.h>

static uint64_t hash_name(const char *text, const struct sql_listed *token)
{
    bool quoted = token->kind == SQL_TOKEN_QUOTED_NAME;
    size_t end = quoted ? token->inner_end : token->end;
    uint64_t hash = HASH_START;
    for (size_t i = quoted ? token->inner_start : token->start; i < end; i++) {
        bool upper = !quoted && text[i] >= 'A' && text[i] <= 'Z';
        char c = upper ? (char)(text[i] - 'A' + 'a') : text[i];
        hash = hash_bytes(hash, &c, 1);
    }
    return hash;
}

static bool is_name(const struct sql_list *list, size_t index)
{
    return sql_is_kind(list, index, SQL_TOKEN_WORD) ||
           sql_is_kind(list, index, SQL_TOKEN_QUOTED_NAME);
}

uint64_t sql_name_alone(const struct sql_list *list, size_t index)
{
    return is_name(list, index) ? hash_name(list->text, &list->tokens.items[index]) : 0;
}

struct sql_name sql_name_at(const struct sql_list *list, size_t index)
{
    struct sql_name name = {.end = index};
    bool more = is_name(list, index);
    while (more) {
        name.schema = name.name;
        name.name = hash_name(list->text, &list->tokens.items[index]);
        name.end = index + 1;
        more = sql_is(list, name.end, ".") && is_name(list, name.end + 1);
        index = name.end + 1;
    }
    return name;
}

struct sql_name sql_name_of(const char *text)
{
    struct arena arena = {0};
    struct sql_list list = {.text = text, .size = strlen(text), .arena = &arena};
    (void)sql_list_read(&list);
    struct sql_name name = sql_name_at(&list, 0);
    arena_free(&arena);
    return name;
}

bool sql_name_same(struct sql_name a, struct sql_name b)
{
    return a.name && a.name == b.name && (!a.schema || !b.schema || a.schema == b.schema);
}

/* The last of the words before the token, in the same brackets; the token if there is none. */
static size_t word_before(const struct sql_list *list, size_t index, const char *words)
{
    const struct sql_listed *tokens = list->tokens.items;
    for (size_t i = index; i-- > 0 && tokens[i].mate <= i; i = tokens[i].mate) {
        if (word_is_in(sql_word(list, i), words)) {
            return i;
        }
    }
    return index;
}

/* Whether tables stand behind the word. In `extract(year FROM day)` and `IS DISTINCT FROM day`,
 * none does. */
static bool begins_tables(const struct sql_list *list, size_t index)
{
    return sql_is(list, index, "FROM")
               ? !sql_is(list, index - 1, "DISTINCT") &&
                     word_before(list, index, "SELECT|DELETE|UPDATE") != index
               : word_is_in(sql_word(list, index),
                            "JOIN|INTO|UPDATE|ONLY|USING|TABLE|TRUNCATE|LOCK|COPY");
}

static bool stands_for(const struct sql_list *list, size_t index, size_t end, bool function)
{
    size_t before = index - 1; /* past all tokens if there is none */
    bool into = sql_is(list, before, "INTO");
    bool calls = sql_is(list, end, "(") && !into;
    if (function || calls) {
        return function && calls;
    }
    if (sql_is(list, before, ",")) {
        before = word_before(list, before,
                             "SELECT|FROM|WHERE|SET|VALUES|TRUNCATE|LOCK|BY|RETURNING|HAVING|USING|"
                             "TABLE");
    }
    return begins_tables(list, before);
}

static bool is_function(const char *relation)
{
    return *relation && relation[strlen(relation) - 1] == ')';
}

bool sql_names(const char *text, size_t size, const char *relation)
{
    struct arena arena = {0};
    struct sql_list list = {.text = text, .size = size, .arena = &arena};
    struct sql_name wanted = sql_name_of(relation);
    bool function = is_function(relation);
    bool named = false;
    (void)sql_list_read(&list);
    (void)sql_list_match(&list, 0, list.tokens.count);
    for (size_t i = 0; i < list.tokens.count && !named; i++) {
        struct sql_name name = sql_name_at(&list, i);
        named = sql_name_same(name, wanted) && stands_for(&list, i, name.end, function);
        i = name.end > i ? name.end - 1 : i;
    }
    arena_free(&arena);
    return named;
}

bool sql_has_name(const char *text, size_t size, const char *name)
{
    struct arena arena = {0};
    struct sql_list list = {.text = text, .size = size, .arena = &arena};
    uint64_t wanted = sql_name_of(name).name;
    bool has = false;
    (void)sql_list_read(&list);
    for (size_t i = 0; i < list.tokens.count && !has; i++) {
        has = wanted && sql_name_alone(&list, i) == wanted;
    }
    arena_free(&arena);
    return has;
}

/* What a function takes: "id uuid", "double precision". */
struct parameter {
    const char *text;
    bool is_array;
};
struct parameters {
    struct arena *arena;
    VEC(struct parameter) items;
};

static void add_parameter(struct parameters *out, struct strbuf *text, bool is_array)
{
    static const char mode[] = "out ";
    if (text->size && strncmp(text->data, mode, strlen(mode)) != 0) {
        *VEC_PUSH(out->arena, &out->items) =
            (struct parameter){strbuf_copy(text, out->arena), is_array};
    }
    strbuf_clear(text);
}

static void add_lower(struct strbuf *out, const char *text, const struct sql_listed *token)
{
    strbuf_adds(out, out->size ? " " : "");
    for (size_t i = token->start; i < token->end; i++) {
        bool upper = token->kind == SQL_TOKEN_WORD && text[i] >= 'A' && text[i] <= 'Z';
        strbuf_addc(out, upper ? (char)(text[i] - 'A' + 'a') : text[i]);
    }
}

/* `index`: of the bracket. Names and modes stay in front of the types; defaults and modifiers are
 * left out. */
static void read_parameters(const struct sql_list *list, size_t index, struct parameters *out)
{
    struct strbuf text = {0};
    bool types = true;
    bool is_array = false;
    size_t close = list->tokens.items[index].mate;
    for (size_t i = index + 1; i < close; i = sql_after(list, i)) {
        if (sql_is(list, i, ",")) {
            add_parameter(out, &text, is_array);
            types = true;
            is_array = false;
        } else if (sql_is(list, i, "DEFAULT") || sql_is(list, i, "=")) {
            types = false;
        } else if (types && sql_is(list, i, "[")) {
            is_array = true;
        } else if (types && !sql_is(list, i, "(")) {
            add_lower(&text, list->text, &list->tokens.items[i]);
        }
    }
    add_parameter(out, &text, is_array);
    strbuf_free(&text);
}

static bool ends_in(const char *text, const char *words)
{
    size_t size = strlen(text);
    size_t end = strlen(words);
    return size >= end && strcmp(text + size - end, words) == 0 &&
           (size == end || text[size - end - 1] == ' ');
}

/* The row of a type as people write it; NULL: none is known by this name. */
static const struct pgtype *type_of(const char *parameter)
{
    static const char *const aliases[][2] = {
        {"int", "int4"}, {"dec", "numeric"}, {"decimal", "numeric"}, {"float", "float8"}};
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (ends_in(parameter, aliases[i][0])) {
            return pgtype_named(aliases[i][1]);
        }
    }
    for (size_t i = 0; i < pgtype_count; i++) {
        if (ends_in(parameter, pgtypes[i].title) || ends_in(parameter, pgtypes[i].name)) {
            return &pgtypes[i];
        }
    }
    return NULL;
}

static enum sql_overload compare_types(const struct parameter *written,
                                       const struct parameter *wanted)
{
    const struct pgtype *type = type_of(written->text);
    const struct pgtype *other = type_of(wanted->text);
    bool same = type || other ? type == other : ends_in(written->text, wanted->text);
    if (strchr(written->text, '%')) { /* item.id%TYPE */
        return OVERLOAD_LIKELY;
    }
    if (written->is_array != wanted->is_array || ((type || other) && !same)) {
        return OVERLOAD_OTHER;
    }
    return same ? OVERLOAD_SAME : OVERLOAD_LIKELY;
}

static enum sql_overload compare(const struct parameters *written, const struct parameters *wanted)
{
    enum sql_overload least = OVERLOAD_SAME;
    if (written->items.count != wanted->items.count) {
        return OVERLOAD_OTHER;
    }
    for (size_t i = 0; i < wanted->items.count; i++) {
        enum sql_overload one = compare_types(&written->items.items[i], &wanted->items.items[i]);
        least = one < least ? one : least;
    }
    return least;
}

enum sql_overload sql_overload_at(const struct sql_list *statement, size_t index,
                                  const char *relation)
{
    struct arena arena = {0};
    struct sql_list list = {.text = relation, .size = strlen(relation), .arena = &arena};
    struct parameters written = {.arena = &arena};
    struct parameters wanted = {.arena = &arena};
    enum sql_overload overload = OVERLOAD_LIKELY;
    if (!is_function(relation)) {
        return OVERLOAD_SAME;
    }
    if (sql_is(statement, index, "(") && sql_list_read(&list) &&
        sql_list_match(&list, 0, list.tokens.count)) {
        read_parameters(statement, index, &written);
        read_parameters(&list, sql_name_at(&list, 0).end, &wanted);
        overload = compare(&written, &wanted);
    }
    arena_free(&arena);
    return overload;
}
