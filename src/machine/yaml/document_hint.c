/* libyaml reports what it did not find; these hints say what to do. */
#include "machine/yaml/document.h"

#include <string.h>

enum cause {
    CAUSE_QUOTE,   /* the value on that line begins with a quote */
    CAUSE_BRACKET, /* … with { or [ */
    CAUSE_TAB,     /* the place is a tab */
    CAUSE_STEP,    /* the line is a step with its number, pasted from a report */
    CAUSE_KEY,     /* the place is after the first word of its line, which looks like a key */
    CAUSE_ANY,
};

static const struct {
    const char *problem; /* a part of libyaml's message */
    enum cause cause;
    const char *hint;
} hints[] = {
    {"", CAUSE_STEP,
     "the steps' numbers must begin in one column; leave the numbers out, or indent this line like "
     "the first"},
    {"mapping values are not allowed", CAUSE_KEY,
     "the line above may lack its colon (`key: value`), or this one is indented deeper than its "
     "mapping"},
    {"mapping values are not allowed", CAUSE_ANY,
     "`: ` inside plain text makes the text before it a key; put the whole in quotes, or write it "
     "after | on a line of its own"},
    {"could not find expected ':'", CAUSE_ANY,
     "write a key with a colon and a space after it, `key: value`; indent further lines of a text "
     "deeper than its key"},
    {"block sequence entries are not allowed", CAUSE_ANY,
     "`- ` begins an item of a list; write each item on a line of its own, below the key"},
    {"did not find expected ',' or", CAUSE_ANY,
     "inside { } and [ ] plain text ends at a comma, a bracket or a quote; put the expression in "
     "quotes, or write the entries on lines of their own"},
    {"did not find expected node content", CAUSE_ANY,
     "inside { } and [ ] text that begins with : needs quotes"},
    {"did not find expected", CAUSE_QUOTE,
     "a value that begins with a quote ends at the next one; put quotes of the other kind around "
     "the whole value, or write it after | on a line of its own"},
    {"did not find expected", CAUSE_BRACKET,
     "a value that begins with a bracket ends where that closes; put quotes around the whole "
     "value, or write it after | on a line of its own"},
    {"did not find expected comment or line break", CAUSE_ANY,
     "begin the text on the line below | or >"},
    {"did not find expected", CAUSE_ANY,
     "check the indentation: keys of one mapping begin in the same column"},
    {"cannot start any token", CAUSE_TAB, "indent with spaces; YAML takes no tabs there"},
    {"found a tab character", CAUSE_ANY, "indent with spaces; YAML takes no tabs there"},
    {"cannot start any token", CAUSE_ANY, "text that begins with this character needs quotes"},
    {"unknown escape character", CAUSE_ANY,
     "between double quotes \\ begins an escape of YAML; use single quotes"},
    {"undefined tag handle", CAUSE_ANY, "text that begins with ! needs quotes"},
    {"this quote is not closed", CAUSE_ANY,
     "write '' for ' inside of '…', and \\\" for \" inside of \"…\""},
    {"control characters are not allowed", CAUSE_ANY,
     "remove the character, or write it as an escape between double quotes"},
};

/* The first character of the value on the line that holds `offset`; NUL if there is none. */
static char value_start(const struct source *source, size_t offset)
{
    struct source_place place = source_place((struct source_pos){source, offset});
    const char *line = place.line_text;
    const char *end = line + place.line_size;
    const char *at = line + strspn(line, " ");
    while (at + 1 < end && at[0] == '-' && at[1] == ' ') {
        at += 2;
    }
    const char *colon = memmem(at, (size_t)(end - at), ": ", 2);
    if (colon && *at && !strchr("\"'{[", *at)) {
        at = colon + 2;
    }
    while (at < end && *at == ' ') {
        at++;
    }
    return at < end ? *at : '\0';
}

static bool is_behind_key(const struct source *source, size_t offset)
{
    struct source_place place = source_place((struct source_pos){source, offset});
    const char *at = place.line_text + strspn(place.line_text, " ");
    size_t word = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return word && place.line > 1 && at + word == source->text + offset;
}

/* "10  pay(o=ids_1)" */
static bool is_step(const struct source *source, size_t offset)
{
    struct source_place place = source_place((struct source_pos){source, offset});
    const char *at = place.line_text + strspn(place.line_text, " ");
    size_t digits = strspn(at, "0123456789");
    return digits && strncmp(at + digits, "  ", 2) == 0 &&
           memchr(at, '(', place.line_size - (size_t)(at - place.line_text));
}

static enum cause cause_at(const struct source *source, size_t offset)
{
    char value = value_start(source, offset);
    if (offset < source->size && source->text[offset] == '\t') {
        return CAUSE_TAB;
    }
    if (is_step(source, offset)) {
        return CAUSE_STEP;
    }
    if (is_behind_key(source, offset)) {
        return CAUSE_KEY;
    }
    return value == '"' || value == '\''  ? CAUSE_QUOTE
           : value == '{' || value == '[' ? CAUSE_BRACKET
                                          : CAUSE_ANY;
}

const char *document_hint(const struct source *source, const char *problem, size_t offset)
{
    enum cause cause = cause_at(source, offset);
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (strstr(problem, hints[i].problem) &&
            (hints[i].cause == CAUSE_ANY || hints[i].cause == cause)) {
            return hints[i].hint;
        }
    }
    return NULL;
}
