/*
 * Finds the place of each byte of a scalar's value in the file.
 *
 * libyaml gives the value and its start, but not its raw text. The value is therefore compared with
 * the raw text: both have the same characters, in the same order, except for white space, which
 * YAML folds, and indentation. Places in white space are approximate. If the two differ otherwise
 * (by a rule of YAML that this file does not know), there are no places.
 */
#include "machine/yaml/document.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <string.h>

struct raw {
    const char *text; /* of the source */
    size_t at;
    size_t end;
    enum node_style style;
    size_t indent; /* spaces before each line of a block scalar */
};

/* The size of the line break: \n, \r\n, \r, NEL, LS, PS (YAML 1.1, section 4.1.3); or 0. */
static size_t break_size(const struct raw *raw, size_t at)
{
    static const char *const breaks[] = {"\n",       "\r\n",         "\r",
                                         "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        size_t size = strlen(breaks[i]);
        if (at + size <= raw->end && !memcmp(raw->text + at, breaks[i], size)) {
            return size;
        }
    }
    return 0;
}

static bool is_at(const struct raw *raw, char c)
{
    return raw->at < raw->end && raw->text[raw->at] == c;
}

static bool at_escape(const struct raw *raw)
{
    return raw->style == STYLE_DOUBLE_QUOTED && is_at(raw, '\\');
}

/* The size of a blank or a break, or of a break after a backslash, which is removed; 0 if there is
 * none. */
static size_t white_size(const struct raw *raw)
{
    bool blank = is_at(raw, ' ') || is_at(raw, '\t');
    size_t escaped = at_escape(raw) ? break_size(raw, raw->at + 1) : 0;
    return blank ? 1 : escaped ? 1 + escaped : break_size(raw, raw->at);
}

/* The meaning of a letter after a backslash (YAML 1.1, section 5.6); 0 if it is invalid. */
static uint32_t escape_meaning(char letter)
{
    static const char letters[] = "abt\tnvfre \"/\\";
    static const char meanings[] = "\a\b\t\t\n\v\f\r\x1B \"/\\";
    const char *found = letter ? strchr(letters, letter) : NULL;
    return found           ? (unsigned char)meanings[found - letters]
           : letter == 'N' ? 0x85
           : letter == '_' ? 0xA0
           : letter == 'L' ? 0x2028
           : letter == 'P' ? 0x2029
                           : 0;
}

static bool take_escape(struct raw *raw, uint32_t code)
{
    char letter = raw->at + 1 < raw->end ? raw->text[raw->at + 1] : '\0';
    size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    uint32_t meaning = digits ? 0 : escape_meaning(letter);
    raw->at += 2;
    for (size_t i = 0; i < digits && raw->at < raw->end; i++) {
        meaning = meaning << 4 | digit_value(raw->text[raw->at++]);
    }
    return meaning == code;
}

static bool take_break(struct raw *raw, size_t size)
{
    raw->at += size;
    for (size_t i = 0; i < raw->indent && is_at(raw, ' '); i++) {
        raw->at++;
    }
    return true;
}

/* Skips all white space, or only escaped breaks. */
static void skip_white(struct raw *raw, bool all)
{
    while (white_size(raw) && (all || at_escape(raw))) {
        bool escaped = at_escape(raw);
        raw->at += white_size(raw);
        while (escaped && raw->at < raw->end && strchr(" \t", raw->text[raw->at])) {
            raw->at++; /* the indentation after an escaped break */
        }
    }
}

/* Skips the raw text of a character, and anything left out before it. False if it does not match.
 */
static bool take_raw(struct raw *raw, const char *text, size_t size, uint32_t code, size_t *place)
{
    bool white = code == ' ' || code == '\t' || code == '\n' || code == 0x2028 || code == 0x2029;
    skip_white(raw, !white);
    *place = raw->at;
    if (at_escape(raw)) {
        return take_escape(raw, code);
    }
    size_t line = break_size(raw, raw->at);
    bool same = raw->at + size <= raw->end && !memcmp(raw->text + raw->at, text, size);
    if (line && (same || code == '\n')) {
        return take_break(raw, line);
    }
    raw->at += same ? size + (raw->style == STYLE_SINGLE_QUOTED && code == '\'') : 0;
    return same || (white && (raw->at == raw->end || white_size(raw))); /* folded */
}

/* Moves to the first line of a block scalar. Its indentation is that of the first line that is not
 * empty, minus the value's. */
static void begin_block(struct raw *raw, const struct node *node)
{
    while (raw->at < raw->end && !break_size(raw, raw->at)) {
        raw->at++;
    }
    raw->at += break_size(raw, raw->at);
    struct raw ahead = *raw;
    size_t spaces = 0;
    for (size_t line = 1; line; ahead.at += line) {
        spaces = strspn(ahead.text + ahead.at, " ");
        ahead.at += spaces;
        line = break_size(&ahead, ahead.at);
    }
    size_t own = strspn(node->text + strspn(node->text, "\n"), " ");
    raw->indent = spaces > own ? spaces - own : 0;
    (void)take_break(raw, 0);
}

/* The place of each byte of the scalar, and of its end. */
static uint32_t *scalar_places(const struct source *source, const struct node *node,
                               struct arena *arena)
{
    struct raw raw = {
        .text = source->text, .at = node->start, .end = node->end, .style = node->style};
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, node->size + 1);
    bool block = node->style == STYLE_LITERAL || node->style == STYLE_FOLDED;
    bool known = true;
    if (block) {
        raw.end = source->size;
        begin_block(&raw, node);
    } else if (node->style != STYLE_PLAIN) {
        raw.at++;
        raw.end--;
    }
    for (size_t i = 0; i < node->size && known;) {
        uint32_t code;
        size_t place = 0;
        size_t size = utf8_decode(node->text + i, node->size - i, &code);
        known = size && take_raw(&raw, node->text + i, size, code, &place);
        for (; size > 0; size--) {
            places[i++] = (uint32_t)place;
        }
    }
    skip_white(&raw, true);
    known = known && (block || raw.at == raw.end);
    for (size_t i = 0; i < node->size && !known; i++) {
        places[i] = (uint32_t)node->start;
    }
    size_t last = node->size ? places[node->size - 1] : node->start;
    places[node->size] = (uint32_t)(known && !block ? raw.end : last);
    return places;
}

/* The snippet, preceded by the text before it, if any, on separate lines. */
static struct snippet scalar_snippet(const struct source *source, const struct node *node,
                                     struct arena *arena)
{
    struct arena scratch = {0};
    const struct node *before = node->before;
    struct snippet snippet = {.source = source, .text = node->text, .size = node->size};
    uint32_t *places = scalar_places(source, node, &scratch);
    if (before) {
        size_t first = before->size + 1;
        uint32_t *both = ARENA_ARRAY(&scratch, uint32_t, first + node->size + 1);
        memcpy(both, scalar_places(source, before, &scratch), first * sizeof *both);
        memcpy(both + first, places, (node->size + 1) * sizeof *both);
        snippet.text = arena_printf(arena, "%s\n%s", before->text, node->text);
        snippet.size += first;
        places = both;
    }
    snippet_map(&snippet, places, arena);
    arena_free(&scratch);
    return snippet;
}

struct snippet node_snippet(const struct source *source, const struct node *node,
                            struct arena *arena)
{
    if (node->kind == NODE_SCALAR) {
        return scalar_snippet(source, node, arena);
    }
    return (struct snippet){
        .source = source,
        .text = arena_strndup(arena, source->text + node->start, node->end - node->start),
        .size = node->end - node->start,
        .base = node->start};
}
