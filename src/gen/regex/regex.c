/* Reads a regular expression. */
#include "gen/regex/regex.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <string.h>

struct reader {
    struct arena *arena;
    const char *text;
    size_t size;
    size_t next; /* byte */
    size_t at;   /* character */
    unsigned depth;
    bool fold; /* (?i) */
    struct error *err;
};

static bool fail_at(const struct reader *reader, size_t at, const char *what)
{
    return error_set(reader->err, ERROR_MACHINE, "character %zu: %s", at + 1, what);
}

/* The character `ahead` bytes from here if it is ASCII, otherwise 0. All special characters are
 * ASCII. */
static char peek_at(const struct reader *reader, size_t ahead)
{
    size_t at = reader->next + ahead;
    return at < reader->size && (unsigned char)reader->text[at] < 0x80 ? reader->text[at] : '\0';
}

static char peek_char(const struct reader *reader) { return peek_at(reader, 0); }
static bool at_end(const struct reader *reader) { return reader->next >= reader->size; }

static uint32_t take_char(struct reader *reader)
{
    uint32_t code = 0;
    size_t size = utf8_decode(reader->text + reader->next, reader->size - reader->next, &code);
    reader->next += size ? size : 1;
    reader->at++;
    return code;
}

static bool take_if(struct reader *reader, const char *wanted)
{
    size_t size = strlen(wanted);
    if (reader->size - reader->next < size ||
        memcmp(reader->text + reader->next, wanted, size) != 0) {
        return false;
    }
    reader->next += size;
    reader->at += size;
    return true;
}

static struct regex *new_node(const struct reader *reader, enum regex_kind kind, size_t at)
{
    struct regex *node = ARENA_NEW(reader->arena, struct regex);
    node->kind = kind;
    node->at = at;
    return node;
}

/* Escapes. */

static bool take_hex(struct reader *reader, size_t digits, uint32_t *out)
{
    size_t at = reader->at;
    *out = 0;
    for (size_t i = 0; i < digits; i++) {
        int digit = hex_digit(peek_char(reader));
        if (digit < 0) {
            return fail_at(reader, at, "hexadecimal digits are missing here");
        }
        *out = *out << 4 | (uint32_t)digit;
        (void)take_char(reader);
    }
    if (*out == 0 || *out > 0x10ffff || (*out >= 0xd800 && *out <= 0xdfff)) {
        return fail_at(reader, at, "there is no such character");
    }
    return true;
}

/* Reads an escape: a class, which is added to the set, or a character. */
static bool take_escape(struct reader *reader, struct regex_set *set, bool *is_class,
                        uint32_t *code)
{
    static const char letters[] = "ntrfvae";
    static const char meanings[] = "\n\t\r\f\v\a\033";
    size_t at = reader->at;
    (void)take_char(reader); /* the backslash */
    if (at_end(reader)) {
        return fail_at(reader, at, "a backslash at the end");
    }
    *code = take_char(reader);
    const char *letter = *code < 0x80 ? strchr(letters, (int)*code) : NULL;
    *is_class = *code < 0x80 && strchr("dwsDWS", (int)*code) != NULL;
    if (*is_class) {
        char small = (char)(*code | 0x20);
        const char *name = small == 'd' ? "digit" : small == 'w' ? "word" : "space";
        return regex_set_add_named(reader->arena, set, name, strlen(name), (*code & 0x20) == 0);
    }
    if (letter) {
        *code = (unsigned char)meanings[letter - letters];
        return true;
    }
    if (*code == 'x' || *code == 'u' || *code == 'U') {
        return take_hex(reader, *code == 'x' ? 2 : *code == 'u' ? 4 : 8, code);
    }
    bool alphanumeric = (*code >= '0' && *code <= '9') || (*code >= 'a' && *code <= 'z') ||
                        (*code >= 'A' && *code <= 'Z');
    if (alphanumeric) {
        return *code >= '1' && *code <= '9'
                   ? fail_at(reader, at, "references back to a group are not supported")
                   : fail_at(reader, at, "this escape is not supported");
    }
    return true;
}

/* Bracket expressions. */

/* A class in brackets: [:alpha:] */
static bool take_posix_class(struct reader *reader, struct regex_set *set)
{
    size_t at = reader->at;
    (void)take_if(reader, "[:");
    const char *name = reader->text + reader->next;
    size_t size = 0;
    while (peek_char(reader) >= 'a' && peek_char(reader) <= 'z') {
        (void)take_char(reader);
        size++;
    }
    if (!take_if(reader, ":]")) {
        return fail_at(reader, at, ":] is missing");
    }
    return regex_set_add_named(reader->arena, set, name, size, false) ||
           fail_at(reader, at, "there is no such class of characters");
}

/* One end of a range, or a class. */
static bool take_bracket_item(struct reader *reader, struct regex_set *set, bool *is_class,
                              uint32_t *code)
{
    *is_class = false;
    if (peek_char(reader) == '\\') {
        return take_escape(reader, set, is_class, code);
    }
    if (peek_char(reader) == '[' && (peek_at(reader, 1) == '.' || peek_at(reader, 1) == '=')) {
        return fail_at(reader, reader->at, "collating elements are not supported");
    }
    *is_class = peek_char(reader) == '[' && peek_at(reader, 1) == ':';
    if (*is_class) {
        return take_posix_class(reader, set);
    }
    *code = take_char(reader);
    return true;
}

static bool take_bracket_range(struct reader *reader, struct regex_set *set)
{
    size_t at = reader->at;
    bool is_class;
    uint32_t first = 0;
    uint32_t last = 0;
    if (!take_bracket_item(reader, set, &is_class, &first)) {
        return false;
    }
    if (is_class) {
        return true;
    }
    last = first;
    if (peek_char(reader) == '-' && peek_at(reader, 1) != ']' && reader->next + 1 < reader->size) {
        (void)take_char(reader);
        if (!take_bracket_item(reader, set, &is_class, &last)) {
            return false;
        }
        if (is_class || last < first) {
            return fail_at(reader, at, "a range must go from one character to a later one");
        }
    }
    regex_set_add(reader->arena, set, first, last);
    return true;
}

static bool take_bracket(struct reader *reader, struct regex_set *set)
{
    size_t at = reader->at;
    (void)take_char(reader);
    bool negated = take_if(reader, "^");
    bool first = true;
    while (first || peek_char(reader) != ']') {
        if (at_end(reader)) {
            return fail_at(reader, at, "the ] of this [ is missing");
        }
        if (!take_bracket_range(reader, set)) {
            return false;
        }
        first = false;
    }
    (void)take_char(reader);
    if (reader->fold) {
        regex_set_fold(reader->arena, set);
    }
    if (negated) {
        regex_set_negate(reader->arena, set);
    }
    return true;
}

/* Atoms. */

static bool take_alternation(struct reader *reader, struct regex **out);

static bool take_group(struct reader *reader, struct regex **out)
{
    size_t at = reader->at;
    (void)take_char(reader);
    if (take_if(reader, "?P<")) {
        while (!at_end(reader) && peek_char(reader) != '>') {
            (void)take_char(reader);
        }
        (void)take_if(reader, ">");
    } else if (peek_char(reader) == '?' && !take_if(reader, "?:")) {
        char kind = peek_at(reader, 1);
        return fail_at(
            reader, at,
            kind == '=' || kind == '!' || kind == '<'
                ? "looking ahead and behind is not supported"
                : "this kind of group is not supported; (?i) may stand at the beginning");
    }
    if (++reader->depth > REGEX_DEPTH_MAX) {
        return fail_at(reader, at, "groups are nested too deep");
    }
    if (!take_alternation(reader, out)) {
        return false;
    }
    reader->depth--;
    return take_if(reader, ")") || fail_at(reader, at, "the ) of this ( is missing");
}

/* Excludes line breaks: Python's `.` does not match them, PostgreSQL's does. */
static void add_any(struct reader *reader, struct regex_set *set)
{
    regex_set_add(reader->arena, set, '\n', '\n');
    regex_set_negate(reader->arena, set);
}

static bool take_character(struct reader *reader, struct regex_set *set)
{
    uint32_t code = 0;
    bool is_class = false;
    switch (peek_char(reader)) {
    case '[':
        return take_bracket(reader, set);
    case '.':
        (void)take_char(reader);
        add_any(reader, set);
        return true;
    case '\\':
        if (!take_escape(reader, set, &is_class, &code)) {
            return false;
        }
        break;
    case '*':
    case '+':
    case '?':
        return fail_at(reader, reader->at, "there is nothing to repeat before this");
    default:
        code = take_char(reader);
    }
    if (!is_class) {
        regex_set_add(reader->arena, set, code, code);
        if (reader->fold) {
            regex_set_fold(reader->arena, set);
        }
    }
    return true;
}

static bool take_atom(struct reader *reader, struct regex **out)
{
    size_t at = reader->at;
    bool starts = take_if(reader, "^") || take_if(reader, "\\A");
    if (starts || take_if(reader, "$") || take_if(reader, "\\Z")) {
        *out = new_node(reader, starts ? REGEX_START : REGEX_END, at);
        (*out)->empty = true;
        return true;
    }
    if (peek_char(reader) == '(') {
        return take_group(reader, out);
    }
    struct regex_set set = {0};
    if (!take_character(reader, &set)) {
        return false;
    }
    *out = new_node(reader, REGEX_CLASS, at);
    (*out)->shortest = 1;
    (*out)->set = regex_set_class(reader->arena, &set);
    return (*out)->set || fail_at(reader, at, "no character matches this");
}

/* Quantifiers. */

static bool take_count(struct reader *reader, size_t *out)
{
    size_t at = reader->at;
    *out = 0;
    while (is_digit(peek_char(reader))) {
        *out = *out * 10 + (size_t)(take_char(reader) - '0');
        if (*out > REGEX_REPEAT_MAX) {
            return fail_at(reader, at, "at most 255 repetitions, as in PostgreSQL");
        }
    }
    return true;
}

/* {m}, {m,}, {m,n} */
static bool take_braces(struct reader *reader, size_t *min, size_t *max)
{
    size_t at = reader->at;
    (void)take_char(reader);
    if (!take_count(reader, min)) {
        return false;
    }
    *max = *min;
    if (take_if(reader, ",")) {
        *max = *min + REGEX_MORE;
        if (is_digit(peek_char(reader)) && !take_count(reader, max)) {
            return false;
        }
    }
    if (!take_if(reader, "}")) {
        return fail_at(reader, at, "the } of this { is missing");
    }
    return *min <= *max || fail_at(reader, at, "the least number is above the greatest");
}

/* Reads a quantifier and its bounds, if one follows. */
static bool take_quantifier(struct reader *reader, bool *there, size_t *min, size_t *max)
{
    *there = true;
    *min = peek_char(reader) == '+';
    *max = *min + REGEX_MORE;
    if (peek_char(reader) == '{' && is_digit(peek_at(reader, 1))) {
        return take_braces(reader, min, max);
    }
    if (peek_char(reader) == '{' && peek_at(reader, 1) == ',') {
        return fail_at(reader, reader->at, "{,n} means something else in PostgreSQL; write {0,n}");
    }
    if (take_if(reader, "?")) {
        *max = 1;
        return true;
    }
    *there = take_if(reader, "*") || take_if(reader, "+");
    return true;
}

static size_t times(size_t a, size_t b)
{
    size_t out;
    return __builtin_mul_overflow(a, b, &out) ? SIZE_MAX : out;
}

static size_t plus(size_t a, size_t b)
{
    size_t out;
    return __builtin_add_overflow(a, b, &out) ? SIZE_MAX : out;
}

static bool take_quantified(struct reader *reader, struct regex **out)
{
    bool there;
    size_t min;
    size_t max;
    if (!take_atom(reader, out)) {
        return false;
    }
    size_t at = reader->at;
    if (!take_quantifier(reader, &there, &min, &max) || !there) {
        return !there;
    }
    (void)take_if(reader, "?"); /* a non-greedy quantifier matches the same texts */
    if ((*out)->kind == REGEX_START || (*out)->kind == REGEX_END) {
        return fail_at(reader, at, "^ and $ can't be repeated");
    }
    char next = peek_char(reader);
    if (next == '*' || next == '+' || next == '?' ||
        (next == '{' && is_digit(peek_at(reader, 1)))) {
        return fail_at(reader, reader->at, "a quantifier can't follow another one");
    }
    struct regex *repeat = new_node(reader, REGEX_REPEAT, at);
    *VEC_PUSH(reader->arena, &repeat->parts) = *out;
    repeat->min = min;
    repeat->max = max;
    repeat->shortest = times(min, (*out)->shortest);
    repeat->empty = (*out)->empty || max == 0;
    *out = repeat;
    return true;
}

static bool take_sequence(struct reader *reader, struct regex **out)
{
    *out = new_node(reader, REGEX_SEQUENCE, reader->at);
    (*out)->empty = true;
    while (!at_end(reader) && peek_char(reader) != '|' && peek_char(reader) != ')') {
        struct regex *part;
        if (!take_quantified(reader, &part)) {
            return false;
        }
        *VEC_PUSH(reader->arena, &(*out)->parts) = part;
        (*out)->shortest = plus((*out)->shortest, part->shortest);
        (*out)->empty = (*out)->empty && part->empty;
    }
    return true;
}

/* Keeps the alternatives sorted by their shortest match; the sort is stable. */
static void insert_alternative(struct arena *arena, struct regex *into, const struct regex *part)
{
    *VEC_PUSH(arena, &into->parts) = part;
    size_t at = into->parts.count - 1;
    while (at > 0 && into->parts.items[at - 1]->shortest > part->shortest) {
        into->parts.items[at] = into->parts.items[at - 1];
        at--;
    }
    into->parts.items[at] = part;
    into->shortest = into->parts.items[0]->shortest;
    into->empty = into->empty && part->empty;
}

static bool take_alternation(struct reader *reader, struct regex **out)
{
    struct regex *alternation = new_node(reader, REGEX_ALTERNATION, reader->at);
    alternation->empty = true;
    do {
        if (!take_sequence(reader, out)) {
            return false;
        }
        insert_alternative(reader->arena, alternation, *out);
    } while (take_if(reader, "|"));
    if (alternation->parts.count > 1) {
        *out = alternation;
    }
    return true;
}

/* ^ and $ are only supported at the ends: in between they would depend on the text on both sides.
 */
static bool check_anchors(const struct reader *reader, const struct regex *node, bool at_start,
                          bool at_stop)
{
    bool repeats = node->kind == REGEX_REPEAT;
    bool in_sequence = node->kind == REGEX_SEQUENCE;
    if (node->kind == REGEX_START && !at_start) {
        return fail_at(reader, node->at, "^ is supported at the beginning only");
    }
    if (node->kind == REGEX_END && !at_stop) {
        return fail_at(reader, node->at, "$ is supported at the end only");
    }
    size_t last = 0; /* the last part that is not empty */
    for (size_t i = 0; in_sequence && i < node->parts.count; i++) {
        last = node->parts.items[i]->empty ? last : i;
    }
    bool before = at_start && !repeats;
    for (size_t i = 0; i < node->parts.count; i++) {
        const struct regex *part = node->parts.items[i];
        bool behind = at_stop && !repeats && (!in_sequence || i >= last);
        if (!check_anchors(reader, part, before, behind)) {
            return false;
        }
        before = before && (!in_sequence || part->empty);
    }
    return true;
}

bool regex_parse(struct arena *arena, const struct string *pattern, const struct regex **out,
                 struct error *err)
{
    struct reader reader = {
        .arena = arena, .text = pattern->data, .size = pattern->size, .err = err};
    struct regex *root;
    reader.fold = take_if(&reader, "(?i)");
    if (!take_alternation(&reader, &root)) {
        return false;
    }
    if (!at_end(&reader)) {
        return fail_at(&reader, reader.at, "this ) closes nothing");
    }
    *out = root;
    return check_anchors(&reader, root, true, true);
}
