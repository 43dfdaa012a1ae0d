#include "lang/syntax/lexer.h"

#include "base/digits.h"
#include "base/utf8.h"

#include <assert.h>
#include <string.h>

static bool refuse_token(struct lexer *lexer, uint32_t pos, const struct refusal *refusal)
{
    (void)lexer_fail(lexer, pos, "%s", refusal->message);
    return error_hint(lexer->err, "%s", refusal->hint);
}

bool lexer_begin(struct lexer *lexer, const struct snippet *snippet, enum lex_layout layout,
                 struct arena *arena, struct error *err)
{
    *lexer = (struct lexer){.snippet = snippet,
                            .arena = arena,
                            .err = err,
                            .text = snippet->text,
                            .size = (uint32_t)snippet->size,
                            .line_start = layout == LEX_STATEMENTS,
                            .line_empty = true,
                            .layout = layout};
    if (snippet->size > INT32_MAX) {
        return lexer_fail(lexer, 0, "the text is too long");
    }
    size_t invalid = utf8_invalid_at(snippet->text, snippet->size);
    if (invalid < snippet->size) {
        return lexer_fail(lexer, (uint32_t)invalid, "a byte here is not valid UTF-8");
    }
    const char *nul = snippet->size ? memchr(snippet->text, '\0', snippet->size) : NULL;
    if (nul) {
        return lexer_fail(lexer, (uint32_t)(nul - snippet->text), "a NUL byte in the text");
    }
    if (snippet->size >= 3 && memcmp(snippet->text, "\xef\xbb\xbf", 3) == 0) {
        lexer->at = 3; /* a byte order mark */
    }
    return true;
}

static char peek_ahead(const struct lexer *lexer, uint32_t ahead)
{
    return lexer->size - lexer->at > ahead ? lexer->text[lexer->at + ahead] : '\0';
}

/* Skips the space between tokens; leaves `at` on a token, on a newline that is a token, or at the
 * end. */
static void skip_space(struct lexer *lexer)
{
    bool joined = lexer->bracket_count > 0 || lexer->layout == LEX_EXPRESSION;
    for (;;) {
        char c = peek_ahead(lexer, 0);
        if (c == '#') {
            while (lexer->at < lexer->size && peek_ahead(lexer, 0) != '\n') {
                lexer->at++;
            }
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || (c == '\n' && joined)) {
            lexer->at++;
        } else if (c == '\\' && peek_ahead(lexer, 1) == '\n') {
            lexer->at += 2;
        } else if (c == '\\' && peek_ahead(lexer, 1) == '\r' && peek_ahead(lexer, 2) == '\n') {
            lexer->at += 3;
        } else {
            return;
        }
    }
}

/* Reads a line's indentation; skips lines without a token. Returns true if `token` is now an
 * INDENT; counts pending DEDENTs. */
static bool read_indent(struct lexer *lexer, struct token *token)
{
    lexer->line_start = false;
    lexer->line_empty = true;
    uint32_t start = lexer->at;
    while (peek_ahead(lexer, 0) == ' ') {
        lexer->at++;
    }
    uint32_t indent = lexer->at - start;
    char c = peek_ahead(lexer, 0);
    if (c == '\t') {
        uint32_t tab = lexer->at;
        skip_space(lexer);
        c = peek_ahead(lexer, 0);
        if (c != '\n' && lexer->at < lexer->size) {
            (void)lexer_fail(lexer, tab, "a tab in the indentation, which is of spaces here");
            return false;
        }
    }
    if (c == '\n' || c == '#' || c == '\r' || lexer->at == lexer->size) {
        return false;
    }
    if (lexer->indent_count == 0) {
        lexer->indents[lexer->indent_count++] =
            indent; /* the first line sets the base indentation */
        return false;
    }
    uint32_t current = lexer->indents[lexer->indent_count - 1];
    if (indent > current) {
        if (lexer->indent_count > LEX_NESTING_MAX) {
            (void)lexer_fail(lexer, lexer->at, "nested deeper than %d", LEX_NESTING_MAX);
            return false;
        }
        lexer->indents[lexer->indent_count++] = indent;
        *token = (struct token){.kind = TOKEN_INDENT, .pos = lexer->at, .end = lexer->at};
        return true;
    }
    while (lexer->indent_count > 1 && indent < lexer->indents[lexer->indent_count - 1]) {
        lexer->indent_count--;
        lexer->dedents++;
    }
    if (indent != lexer->indents[lexer->indent_count - 1]) {
        (void)lexer_fail(lexer, lexer->at, "this line is indented like no line before it");
        error_hint(lexer->err, "the lines of a block begin in the same column");
    }
    return false;
}

static void open_bracket(struct lexer *lexer, uint32_t pos)
{
    assert(pos < lexer->size);
    if (lexer->bracket_count == LEX_NESTING_MAX) {
        (void)lexer_fail(lexer, pos, "nested deeper than %d", LEX_NESTING_MAX);
        return;
    }
    lexer->brackets[lexer->bracket_count++] = pos;
}

static char closing_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

static void close_bracket(struct lexer *lexer, uint32_t pos)
{
    assert(pos < lexer->size);
    char c = lexer->text[pos];
    if (lexer->bracket_count == 0) {
        (void)lexer_fail(lexer, pos, "'%c' closes nothing", c);
        return;
    }
    uint32_t opened = lexer->brackets[--lexer->bracket_count];
    char open = lexer->text[opened];
    if (closing_of(open) != c) {
        struct source_place place = source_place(snippet_pos(lexer->snippet, opened));
        (void)lexer_fail(lexer, pos, "'%c' does not close the '%c' of line %zu, column %zu", c,
                         open, place.line, place.column);
    }
}

static void read_punctuation(struct lexer *lexer, struct token *token)
{
    const char *text = lexer->text + lexer->at;
    size_t left = lexer->size - lexer->at;
    size_t length;
    token->kind = token_punctuation(text, left, &length);
    const struct refusal *refusal = token_refused_punctuation(text, left);
    if (refusal && strlen(refusal->text) > length) {
        (void)refuse_token(lexer, lexer->at, refusal);
        return;
    }
    if (token->kind == TOKEN_ERROR) {
        uint32_t code = 0;
        size_t size = utf8_decode(text, left, &code);
        if (code >= 0x20 && code != 0x7f) {
            (void)lexer_fail(lexer, lexer->at, "unexpected character '%.*s'", (int)size, text);
        } else {
            (void)lexer_fail(lexer, lexer->at, "unexpected control character U+%04X",
                             (unsigned)code);
        }
        return;
    }
    if (strchr("([{", *text)) {
        open_bracket(lexer, lexer->at);
    } else if (strchr(")]}", *text)) {
        close_bracket(lexer, lexer->at);
    }
    lexer->at += (uint32_t)length;
}

static void read_word(struct lexer *lexer, struct token *token)
{
    uint32_t start = lexer->at;
    size_t length;
    while ((length = name_character(lexer->text + lexer->at, lexer->size - lexer->at,
                                    lexer->at == start)) > 0) {
        lexer->at += (uint32_t)length;
    }
    const char *word = lexer->text + start;
    size_t size = lexer->at - start;
    const struct refusal *refusal = token_refused_word(word, size);
    if (refusal) {
        (void)refuse_token(lexer, start, refusal);
        return;
    }
    token->kind = token_keyword(word, size);
}

/* Reads the token at `at`, which is neither space nor the end of the line or text. */
static void read_token(struct lexer *lexer, struct token *token)
{
    assert(lexer->at < lexer->size);
    uint32_t prefix;
    if (is_digit(peek_ahead(lexer, 0)) ||
        (peek_ahead(lexer, 0) == '.' && is_digit(peek_ahead(lexer, 1)))) {
        (void)lexer_number(lexer, token);
    } else if (lexer_string_starts(lexer, &prefix)) {
        (void)lexer_string(lexer, prefix, token);
    } else if (name_character(lexer->text + lexer->at, lexer->size - lexer->at, true)) {
        read_word(lexer, token);
    } else {
        read_punctuation(lexer, token);
    }
}

static void read_end(struct lexer *lexer, struct token *token)
{
    if (lexer->bracket_count > 0) {
        uint32_t opened = lexer->brackets[lexer->bracket_count - 1];
        (void)lexer_fail(lexer, opened, "'%c' is never closed", lexer->text[opened]);
    } else if (lexer->layout == LEX_STATEMENTS && !lexer->line_empty) {
        token->kind = TOKEN_NEWLINE;
        lexer->line_empty = true;
    } else if (lexer->indent_count > 1) {
        token->kind = TOKEN_DEDENT;
        lexer->indent_count--;
    } else {
        token->kind = TOKEN_END;
    }
}

static void read_next(struct lexer *lexer, struct token *token)
{
    for (;;) {
        if (lexer->line_start && read_indent(lexer, token)) {
            return;
        }
        if (lexer->failed) {
            return;
        }
        if (lexer->dedents > 0) {
            lexer->dedents--;
            token->kind = TOKEN_DEDENT;
            token->pos = lexer->at;
            return;
        }
        skip_space(lexer);
        token->pos = lexer->at;
        if (lexer->at == lexer->size) {
            read_end(lexer, token);
            return;
        }
        if (peek_ahead(lexer, 0) != '\n') {
            lexer->line_empty = false;
            read_token(lexer, token);
            return;
        }
        lexer->at++;
        lexer->line_start = true;
        if (!lexer->line_empty) {
            token->kind = TOKEN_NEWLINE;
            return;
        }
    }
}

void lexer_next(struct lexer *lexer, struct token *token)
{
    assert(lexer->at <= lexer->size);
    *token = (struct token){.kind = TOKEN_ERROR, .pos = lexer->at, .end = lexer->at};
    if (!lexer->failed) {
        read_next(lexer, token);
    }
    if (lexer->failed) {
        token->kind = TOKEN_ERROR;
    }
    token->end = lexer->at;
}
