#include "pg/catalog/check_facts.h"

#include "base/utf8.h"
#include "pg/types/decode.h"
#include "sql/tokens.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct arena *arena;
    struct sql_list sql;
    struct column_facts *column;
};

/* Tokens [from, to). */
struct part {
    size_t from, to;
};

static const struct sql_listed *token_at(const struct reading *reading, size_t index)
{
    return &reading->sql.tokens.items[index];
}

static bool is_text(const struct reading *reading, size_t index, const char *text)
{
    return sql_is_text(&reading->sql, index, text);
}

static bool is_word(const struct reading *reading, size_t index, const char *upper)
{
    return sql_is(&reading->sql, index, upper);
}

/* Takes off parentheses around the whole. */
static struct part without_parentheses(const struct reading *reading, struct part part)
{
    while (part.to - part.from > 2 && is_text(reading, part.from, "(") &&
           token_at(reading, part.from)->mate + 1 == part.to) {
        part.from++;
        part.to--;
    }
    return part;
}

/* The place of the word outside of brackets, or part.to. */
static size_t find_word(const struct reading *reading, struct part part, const char *word)
{
    return sql_find(&reading->sql, part.from, part.to, word);
}

/* Takes off casts as well: ('a'::text) becomes 'a'. */
static struct part operand_of(const struct reading *reading, struct part part)
{
    for (;;) {
        part = without_parentheses(reading, part);
        size_t cast = find_word(reading, part, "::");
        if (cast == part.to) {
            return part;
        }
        part.to = cast;
    }
}

/* True if the quoted name means this one. Its own quotes are doubled. */
static bool is_quoted(const struct reading *reading, const struct sql_listed *token,
                      const char *name)
{
    size_t at = token->start + 1;
    for (; *name && at + 1 < token->end && reading->sql.text[at] == *name; name++, at++) {
        at += *name == '"';
    }
    return *name == '\0' && at + 1 == token->end;
}

static bool is_column(const struct reading *reading, struct part part)
{
    part = operand_of(reading, part);
    if (part.to - part.from != 1) {
        return false;
    }
    const struct sql_listed *token = token_at(reading, part.from);
    if (token->kind == SQL_TOKEN_QUOTED_NAME) {
        return is_quoted(reading, token, reading->column->name);
    }
    return is_text(reading, part.from, reading->column->name) ||
           is_text(reading, part.from, "VALUE");
}

/* length(column), in what the column's length is counted in */
static bool is_length(const struct reading *reading, struct part part)
{
    static const char *const of_text[] = {"LENGTH", "CHAR_LENGTH", "CHARACTER_LENGTH", NULL};
    static const char *const of_bytes[] = {"LENGTH", "OCTET_LENGTH", NULL};
    static const char *const of_array[] = {"CARDINALITY", NULL};
    const struct column_facts *column = reading->column;
    bool bytes = column->type && strcmp(column->type, "bytea") == 0;
    const char *const *name = column->shape == SHAPE_ARRAY ? of_array : bytes ? of_bytes : of_text;
    part = operand_of(reading, part);
    if (column->shape == SHAPE_ARRAY && part.to - part.from == 6 &&
        is_word(reading, part.from, "ARRAY_LENGTH")) {
        return is_text(reading, part.from + 4, "1") &&
               is_column(reading, (struct part){part.from + 2, part.from + 3});
    }
    while (part.to - part.from > 3 && *name && !is_word(reading, part.from, *name)) {
        name++;
    }
    return part.to - part.from > 3 && *name &&
           is_column(reading, (struct part){part.from + 1, part.to});
}

/* A constant's text without quotes, or NULL. */
static const char *constant(const struct reading *reading, struct part part)
{
    part = operand_of(reading, part);
    bool negative = part.to - part.from == 2 && is_text(reading, part.from, "-");
    if (part.to - part.from != 1 + (size_t)negative) {
        return NULL;
    }
    const struct sql_listed *token = token_at(reading, part.to - 1);
    const char *text = reading->sql.text;
    if (token->kind == SQL_TOKEN_NUMBER) {
        return arena_printf(reading->arena, "%s%.*s", negative ? "-" : "",
                            (int)(token->end - token->start), text + token->start);
    }
    if (is_word(reading, part.from, "TRUE") || is_word(reading, part.from, "FALSE")) {
        return is_word(reading, part.from, "TRUE") ? "true" : "false";
    }
    if (token->kind != SQL_TOKEN_STRING || negative) {
        return NULL;
    }
    struct strbuf out = {0};
    for (size_t i = token->inner_start; i < token->inner_end; i++) {
        strbuf_addc(&out, text[i]);
        i += text[i] == '\''; /* one of a pair */
    }
    return strbuf_take(&out, reading->arena);
}

static void add_single(struct reading *reading, enum check_kind kind, const char *value)
{
    struct check_facts check = {.kind = kind};
    *VEC_PUSH(reading->arena, &check.values) = value;
    *VEC_PUSH(reading->arena, &reading->column->checks) = check;
}

/* ANY ('{a,b}'): an array in one constant. A NULL in it equals no value. */
static void add_array_text(struct reading *reading, enum check_kind kind, const char *text)
{
    enum { TEXTS = 1009 }; /* the OID of text[] */
    struct check_facts check = {.kind = kind};
    struct types types;
    struct value items;
    struct error ignored;
    types_init(&types);
    const struct decoder decoder = {&types, reading->arena};
    bool ok =
        decode_value(&decoder, types_get(&types, TEXTS), text, strlen(text), &items, &ignored);
    for (size_t i = 0; ok && i < items.as.list->count; i++) {
        if (items.as.list->items[i].type == VALUE_STRING) {
            *VEC_PUSH(reading->arena, &check.values) = value_cstr(items.as.list->items[i]);
        }
    }
    if (check.values.count) {
        *VEC_PUSH(reading->arena, &reading->column->checks) = check;
    }
    types_free(&types);
}

/* ANY (ARRAY[…]), ALL (ARRAY[…]): every item a constant. */
static void add_array(struct reading *reading, enum check_kind kind, struct part part)
{
    struct check_facts check = {.kind = kind};
    part = operand_of(reading, part);
    const char *text = constant(reading, part);
    if (text) {
        add_array_text(reading, kind, text);
        return;
    }
    if (part.to - part.from < 4 || !is_word(reading, part.from, "ARRAY") ||
        !is_text(reading, part.from + 1, "[")) {
        return;
    }
    for (size_t start = part.from + 2, end; start < part.to; start = end + 1) {
        end = find_word(reading, (struct part){start, part.to - 1}, ",");
        const char *value = constant(reading, (struct part){start, end});
        if (!value) {
            return;
        }
        *VEC_PUSH(reading->arena, &check.values) = value;
    }
    *VEC_PUSH(reading->arena, &reading->column->checks) = check;
}

/* The number above or below one. */
static const char *beside(struct reading *reading, const char *text, int by)
{
    char *end;
    long long number = strtoll(text, &end, 10);
    return *end == '\0' && number > -1000000 && number < 1000000
               ? arena_printf(reading->arena, "%lld", number + by)
               : NULL;
}

static void add_length(struct reading *reading, const char *op, const char *value)
{
    bool above = strcmp(op, ">") == 0;
    bool below = strcmp(op, "<") == 0;
    bool equal = strcmp(op, "=") == 0;
    value = beside(reading, value, above - below);
    if (value && (above || equal || strcmp(op, ">=") == 0)) {
        add_single(reading, CHECK_LENGTH_AT_LEAST, value);
    }
    if (value && (below || equal || strcmp(op, "<=") == 0)) {
        add_single(reading, CHECK_LENGTH_AT_MOST, value);
    }
}

static const struct {
    const char *op, *turned; /* with the sides changed; NULL: can't be */
    enum check_kind kind;
} operators[] = {
    {"=", "=", CHECK_IN},         {"<>", "<>", CHECK_NOT_IN},  {"<", ">", CHECK_BELOW},
    {"<=", ">=", CHECK_AT_MOST},  {">", "<", CHECK_ABOVE},     {">=", "<=", CHECK_AT_LEAST},
    {"~", NULL, CHECK_MATCHES},   {"~*", NULL, CHECK_MATCHES}, {"~~", NULL, CHECK_MATCHES},
    {"~~*", NULL, CHECK_MATCHES},
};

struct comparison {
    struct part left, right;
    const char *op;
};

/* The operator outside of brackets. */
static bool split_comparison(const struct reading *reading, struct part part,
                             struct comparison *out)
{
    for (size_t i = part.from; i < part.to; i = sql_after(&reading->sql, i)) {
        const char *op = sql_word(&reading->sql, i);
        if (*op && strchr("=<>!~*", *op)) {
            *out = (struct comparison){{part.from, i}, {i + 1, part.to}, op};
            return i > part.from && i + 1 < part.to;
        }
    }
    return false;
}

/* A regular expression for a pattern of LIKE or SIMILAR TO. */
static const char *like_pattern(struct arena *arena, const char *like, bool similar)
{
    struct strbuf out = {0};
    strbuf_adds(&out, similar ? "^(?:" : "^");
    for (; *like; like++) {
        bool escaped = *like == '\\' && like[1];
        like += escaped;
        if (!escaped && *like == '%') {
            strbuf_adds(&out, ".*");
        } else if (!escaped && *like == '_') {
            strbuf_addc(&out, '.');
        } else {
            const char *special = similar && !escaped ? "^$.\\" : "^$.\\|*+?{}()[]";
            strbuf_adds(&out, strchr(special, *like) ? "\\" : "");
            strbuf_addc(&out, *like);
        }
    }
    strbuf_adds(&out, similar ? ")$" : "$");
    return strbuf_take(&out, arena);
}

/* The regular expression that a column matches by ~, ~~ (LIKE) or SIMILAR TO; NULL: none is known.
 */
static const char *pattern_of(const struct reading *reading, const char *op, struct part object)
{
    bool similar = is_word(reading, object.from, "SIMILAR_TO_ESCAPE");
    bool like = strncmp(op, "~~", 2) == 0;
    const char *text = constant(reading, (struct part){object.from + similar, object.to});
    if (text && (like || similar)) {
        text = like_pattern(reading->arena, text, similar);
    }
    bool folds = op[strlen(op) - 1] == '*';
    return text && folds ? arena_printf(reading->arena, "(?i)%s", text) : text;
}

/* The text that position(text IN column) or strpos(column, text) looks for; NULL if the part is
 * neither. */
static const char *sought_text(const struct reading *reading, struct part part)
{
    part = operand_of(reading, part);
    bool position = is_word(reading, part.from, "POSITION");
    if (part.to - part.from < 4 || (!position && !is_word(reading, part.from, "STRPOS"))) {
        return NULL;
    }
    part = without_parentheses(reading, (struct part){part.from + 1, part.to});
    size_t split = find_word(reading, part, position ? "IN" : ",");
    if (split == part.to) {
        return NULL;
    }
    struct part first = {part.from, split};
    struct part second = {split + 1, part.to};
    return is_column(reading, position ? second : first)
               ? constant(reading, position ? first : second)
               : NULL;
}

/* position(text IN column) > n: after n other characters. */
static void add_position(struct reading *reading, const char *op, const char *text,
                         const char *value)
{
    bool above = strcmp(op, ">") == 0;
    bool differs = strcmp(op, "<>") == 0 && strcmp(value, "0") == 0;
    char *end;
    long before = strtol(value, &end, 10) - (strcmp(op, ">=") == 0);
    if (*text && *end == '\0' && before >= 0 && before < 100 &&
        (above || differs || strcmp(op, ">=") == 0)) {
        const char *literal = like_pattern(reading->arena, text, false);
        size_t size = strlen(literal) - 2; /* without ^ and $ */
        size_t first = literal[1] == '\\' ? 2 : utf8_offset(text, strlen(text), 1);
        add_single(reading, CHECK_MATCHES,
                   arena_printf(reading->arena, "^[^%.*s]{%ld,}%.*s", (int)first, literal + 1,
                                before, (int)size, literal + 1));
    }
}

static void add_comparison(struct reading *reading, const struct comparison *from)
{
    bool turned = constant(reading, from->left) != NULL;
    struct part subject = turned ? from->right : from->left;
    struct part object = turned ? from->left : from->right;
    const char *op = from->op;
    size_t i = 0;
    while (i < sizeof operators / sizeof *operators &&
           (!operators[i].turned && turned
                ? true
                : strcmp(turned ? operators[i].turned : operators[i].op, op) != 0)) {
        i++;
    }
    if (i == sizeof operators / sizeof *operators) {
        return;
    }
    const char *value = constant(reading, object);
    bool any = is_word(reading, object.from, "ANY") && operators[i].kind == CHECK_IN;
    bool all = is_word(reading, object.from, "ALL") && operators[i].kind == CHECK_NOT_IN;
    const char *sought = value ? sought_text(reading, subject) : NULL;
    if (sought) {
        add_position(reading, operators[i].op, sought, value);
    } else if (value && is_length(reading, subject)) {
        add_length(reading, operators[i].op, value);
    } else if (!is_column(reading, subject)) {
        return;
    } else if (any || all) {
        add_array(reading, operators[i].kind, (struct part){object.from + 1, object.to});
    } else if (operators[i].kind == CHECK_MATCHES) {
        const char *pattern = pattern_of(reading, op, object);
        if (pattern) {
            add_single(reading, CHECK_MATCHES, pattern);
        }
    } else if (value) {
        add_single(reading, operators[i].kind, value);
    }
}

/* column IS NULL, or, negated, column IS NOT NULL */
static bool is_null_test(const struct reading *reading, struct part part, bool negated)
{
    part = without_parentheses(reading, part);
    size_t words = negated ? 3 : 2;
    return part.to - part.from > words && is_word(reading, part.to - 1, "NULL") &&
           (!negated || is_word(reading, part.to - 2, "NOT")) &&
           is_word(reading, part.to - words, "IS") &&
           is_column(reading, (struct part){part.from, part.to - words});
}

/* One condition without AND and OR. */
static void read_simple(struct reading *reading, struct part part)
{
    struct comparison comparison;
    struct column_facts *column = reading->column;
    part = without_parentheses(reading, part);
    bool negated = part.from < part.to && is_word(reading, part.from, "NOT");
    bool boolean = column->type && strcmp(column->type, "bool") == 0;
    if (is_null_test(reading, part, true)) {
        column->not_null = true;
    } else if (boolean && is_column(reading, (struct part){part.from + negated, part.to})) {
        add_single(reading, CHECK_IN, negated ? "false" : "true");
    } else if (split_comparison(reading, part, &comparison)) {
        add_comparison(reading, &comparison);
    }
}

/* What is joined by OR: where each says `column = constant` or IN, one of all these constants. NULL
 * tests are passed: what says nothing of NULL lets it pass. */
static void read_choice(struct reading *reading, struct part part)
{
    struct column_facts *column = reading->column;
    struct column_facts branch = *column;
    struct check_facts any = {.kind = CHECK_IN};
    bool told = true;
    reading->column = &branch;
    while (part.from < part.to && told) {
        struct part one = {part.from, find_word(reading, part, "OR")};
        part.from = one.to + 1;
        if (is_null_test(reading, one, false)) {
            continue;
        }
        branch.checks.count = branch.checks.capacity = 0;
        one = without_parentheses(reading, one);
        if (find_word(reading, one, "AND") == one.to && find_word(reading, one, "OR") == one.to) {
            read_simple(reading, one);
        }
        told = branch.checks.count == 1 && branch.checks.items[0].kind == CHECK_IN;
        for (size_t i = 0; told && i < branch.checks.items[0].values.count; i++) {
            *VEC_PUSH(reading->arena, &any.values) = branch.checks.items[0].values.items[i];
        }
    }
    reading->column = column;
    if (told && any.values.count) {
        *VEC_PUSH(reading->arena, &column->checks) = any;
    }
}

static void read_condition(struct reading *reading, struct part part)
{
    for (;;) { /* what is joined by AND, one after the other; NULL tests of a choice are passed */
        part = without_parentheses(reading, part);
        size_t at_or = find_word(reading, part, "OR");
        size_t at_and = find_word(reading, part, "AND");
        if (at_or < part.to) {
            struct part first = {part.from, at_or};
            struct part rest = {at_or + 1, part.to};
            bool first_is = is_null_test(reading, first, false);
            if (!first_is && !is_null_test(reading, rest, false)) {
                read_choice(reading, part);
                return;
            }
            part = first_is ? rest : first;
        } else if (at_and < part.to) {
            read_condition(reading, (struct part){part.from, at_and});
            part.from = at_and + 1;
        } else {
            read_simple(reading, part);
            return;
        }
    }
}

void check_facts_read(struct arena *arena, const char *text, struct column_facts *column)
{
    struct arena scratch = {0};
    struct reading reading = {
        .arena = arena,
        .sql = {.text = text, .size = strlen(text), .arena = &scratch},
        .column = column,
    };
    if (sql_list_read(&reading.sql) && sql_list_match(&reading.sql, 0, reading.sql.tokens.count) &&
        reading.sql.tokens.count) {
        read_condition(&reading, (struct part){0, reading.sql.tokens.count});
    }
    arena_free(&scratch);
}
