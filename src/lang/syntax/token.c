#include "lang/syntax/token.h"

#include "base/utf8.h"
#include "lang/builtins/unicode.h"
#include "lang/lang.h"

#include <assert.h>
#include <string.h>

/* The name of each kind in messages. For keywords and punctuation, the spelling is between the
 * quotes. */
static const char *const kind_texts[TOKEN_KINDS] = {
    [TOKEN_ERROR] = "an error",
    [TOKEN_END] = "the end of the text",
    [TOKEN_NEWLINE] = "the end of the line",
    [TOKEN_INDENT] = "an indented line",
    [TOKEN_DEDENT] = "the end of the block",
    [TOKEN_NAME] = "a name",
    [TOKEN_LITERAL] = "a literal",
    [TOKEN_AND] = "'and'",
    [TOKEN_BREAK] = "'break'",
    [TOKEN_CONTINUE] = "'continue'",
    [TOKEN_DEF] = "'def'",
    [TOKEN_ELIF] = "'elif'",
    [TOKEN_ELSE] = "'else'",
    [TOKEN_FOR] = "'for'",
    [TOKEN_IF] = "'if'",
    [TOKEN_IN] = "'in'",
    [TOKEN_IS] = "'is'",
    [TOKEN_LAMBDA] = "'lambda'",
    [TOKEN_NOT] = "'not'",
    [TOKEN_OR] = "'or'",
    [TOKEN_PASS] = "'pass'",
    [TOKEN_RETURN] = "'return'",
    [TOKEN_LPAREN] = "'('",
    [TOKEN_RPAREN] = "')'",
    [TOKEN_LBRACKET] = "'['",
    [TOKEN_RBRACKET] = "']'",
    [TOKEN_LBRACE] = "'{'",
    [TOKEN_RBRACE] = "'}'",
    [TOKEN_COMMA] = "','",
    [TOKEN_COLON] = "':'",
    [TOKEN_SEMICOLON] = "';'",
    [TOKEN_DOT] = "'.'",
    [TOKEN_PLUS] = "'+'",
    [TOKEN_MINUS] = "'-'",
    [TOKEN_STAR] = "'*'",
    [TOKEN_STAR_STAR] = "'**'",
    [TOKEN_SLASH] = "'/'",
    [TOKEN_SLASH_SLASH] = "'//'",
    [TOKEN_PERCENT] = "'%'",
    [TOKEN_AMPERSAND] = "'&'",
    [TOKEN_PIPE] = "'|'",
    [TOKEN_CARET] = "'^'",
    [TOKEN_SHIFT_LEFT] = "'<<'",
    [TOKEN_SHIFT_RIGHT] = "'>>'",
    [TOKEN_TILDE] = "'~'",
    [TOKEN_LESS] = "'<'",
    [TOKEN_GREATER] = "'>'",
    [TOKEN_LESS_EQUAL] = "'<='",
    [TOKEN_GREATER_EQUAL] = "'>='",
    [TOKEN_EQUAL_EQUAL] = "'=='",
    [TOKEN_NOT_EQUAL] = "'!='",
    [TOKEN_ASSIGN] = "'='",
    [TOKEN_PLUS_ASSIGN] = "'+='",
    [TOKEN_MINUS_ASSIGN] = "'-='",
    [TOKEN_STAR_ASSIGN] = "'*='",
    [TOKEN_SLASH_ASSIGN] = "'/='",
    [TOKEN_SLASH_SLASH_ASSIGN] = "'//='",
    [TOKEN_PERCENT_ASSIGN] = "'%='",
    [TOKEN_AMPERSAND_ASSIGN] = "'&='",
    [TOKEN_PIPE_ASSIGN] = "'|='",
    [TOKEN_CARET_ASSIGN] = "'^='",
    [TOKEN_SHIFT_LEFT_ASSIGN] = "'<<='",
    [TOKEN_SHIFT_RIGHT_ASSIGN] = "'>>='",
};

static const struct refusal words[] = {
    {"as", "'as' is a reserved word without a use here", "choose another name"},
    {"assert", "there is no 'assert' here",
     "write `if not x: fail(\"...\")`; what the database must fulfil goes under check: or "
     "invariants:"},
    {"async", "there is no 'async' here", "write a plain def"},
    {"await", "there is no 'await' here", "call the function"},
    {"class", "there are no classes here", "keep records as dicts or tuples"},
    {"del", "there is no 'del' here", "write d.pop(key), or xs.pop(index) for a list"},
    {"except", "there are no exceptions here",
     "test first, as in `if key in d`, or give a default: d.get(key, 0)"},
    {"finally", "there are no exceptions here", "write the statements one after the other"},
    {"from", "there is no 'from' here", "everything that exists is built in"},
    {"global", "a function can't assign a variable outside it anew, so there is no 'global' here",
     "change what the variable holds (d[key] = x, d.clear(), xs.append(x)), or return the new "
     "value"},
    {"import", "there is no 'import' here", "everything that exists is built in"},
    {"load", "there is no 'load' here", "everything that exists is built in"},
    {"nonlocal",
     "a function can't assign a variable outside it anew, so there is no 'nonlocal' here",
     "change what the variable holds (d[key] = x, xs.append(x)), or return the new value"},
    {"raise", "there are no exceptions here", "fail(\"...\") stops the run as a mistake in it"},
    {"try", "there are no exceptions here",
     "test first, as in `if key in d`, or give a default: d.get(key, 0)"},
    {"while", "there is no 'while' here, so that every run ends",
     "write `for i in range(n):` with a bound and `break`"},
    {"with", "there is no 'with' here", "write the statements one after the other"},
    {"yield", "there is no 'yield' here", "collect in a list and return it"},
};

static const struct refusal refused_punctuation[] = {
    {"**=", "there is no ** operator here", "multiply (x * x), or shift (1 << n) for powers of 2"},
    {":=", "there is no := here", "assign on a line of its own"},
    {"->", "there are no type annotations here", "leave it out"},
    {"&&", "there is no && operator here", "write `and`"},
    {"||", "there is no || operator here", "write `or`; strings are joined by +"},
    {"<>", "there is no <> operator here", "write !="},
    {"@", "there are no decorators and no matrices here", "leave it out"},
    {"!", "there is no ! operator here", "write `not x`, or != to compare"},
    {"?", "there is no ? operator here", "write `a if condition else b`"},
    {"$", "'$' means nothing here", "name an argument or a variable as it is, without $ or :"},
    {"`", "'`' means nothing here", "strings stand in \"...\" or '...'"},
    {"\xe2\x80\x9c", "a typographic quotation mark", "strings stand in \"...\" or '...'"},
    {"\xe2\x80\x9d", "a typographic quotation mark", "strings stand in \"...\" or '...'"},
    {"\xe2\x80\x98", "a typographic quotation mark", "strings stand in \"...\" or '...'"},
    {"\xe2\x80\x99", "a typographic quotation mark", "strings stand in \"...\" or '...'"},
    {"\xc2\xa0", "a no-break space", "write an ordinary space"},
};

/* The replacement of a name; tables end with name NULL. */
struct suggestion {
    const char *name, *hint;
};

/* Names of other languages and libraries. */
static const struct suggestion foreign_names[] = {
    {"callable", "compare type(x)"},
    {"chr", "write the character as \"\\u00e9\""},
    {"datetime", "there is no clock here; times are strings such as \"2020-01-01 00:00:00\""},
    {"Decimal", "1.50 is exact as it stands; numeric(\"1.50\") too"},
    {"divmod", "write (a // b, a % b)"},
    {"eval", "code can't be made at run time"},
    {"exec", "code can't be made at run time"},
    {"false", "write False"},
    {"FALSE", "write False"},
    {"format", "it is a method: \"{} of {}\".format(a, b)"},
    {"frozenset", "as a key use a tuple: tuple(sorted(xs))"},
    {"input", "code here reads nothing from outside"},
    {"isinstance", "compare type(x) == \"int\""},
    {"iter", "write a for loop or a comprehension"},
    {"next", "write xs[0], or a for loop with break"},
    {"nil", "SQL's NULL is written None"},
    {"now", "there is no clock here; ask the database"},
    {"null", "SQL's NULL is written None, JSON's null json_null"},
    {"NULL", "SQL's NULL is written None"},
    {"open", "code here reads nothing from outside"},
    {"ord", "strings compare by code point; bytes(s) gives the bytes"},
    {"pow", "multiply, or shift (1 << n) for powers of 2"},
    {"random", "there is no randomness here; draw an argument from a strategy"},
    {"st", "strategies are called by their own names: integers()"},
    {"strategies", "strategies are called by their own names: integers()"},
    {"time", "there is no clock here; ask the database"},
    {"true", "write True"},
    {"TRUE", "write True"},
    {0},
};

/* The same for names that may be a model's variables, so only for calls. */
static const struct suggestion foreign_functions[] = {
    {"array", "write a list: [a, b]"},
    {"array_length", "write len(xs)"},
    {"characters", "the strategy is text(alphabet, min_size=1, max_size=1)"},
    {"coalesce", "write a if a != None else b"},
    {"concat", "strings are joined by +, or by \"\".join(xs)"},
    {"count", "write len(xs), or len([x for x in xs if …])"},
    {"dicts", "the strategy is dictionaries(keys, values)"},
    {"elements", "the strategy is sampled_from(xs)"},
    {"emails", "the strategy is from_regex(\"^[a-z]{1,9}@example\\\\.com$\")"},
    {"fixed_dictionaries", "write builds(lambda a, b: {\"a\": a, \"b\": b}, first, second)"},
    {"frozensets", "the strategy is sets(elements)"},
    {"greatest", "write max(a, b)"},
    {"ints", "the strategy is integers(min_value, max_value)"},
    {"least", "write min(a, b)"},
    {"permutations",
     "write lists(sampled_from(xs), min_size=len(xs), max_size=len(xs), unique=True)"},
    {"string", "the strategy is text(); str(x) makes a string of a value"},
    {"strings", "the strategy is text()"},
    {"substring", "write s[start:end]; places count from 0"},
    {"timestamps", "the strategy is datetimes()"},
    {0},
};

/* Python's methods, and other functions, that are methods of no type here. */
static const struct suggestion foreign_methods[] = {
    {"contains", "write `x in xs`"},
    {"copy", "write dict(x), list(x) or set(x)"},
    {"decode", "bytes are compared as bytes; json.decode(text) reads JSON"},
    {"encode", "bytes(s) gives a string as UTF-8; json.encode(x) writes JSON"},
    {"first", "write xs[0]"},
    {"fromkeys", "write {k: value for k in xs}"},
    {"has_key", "write `key in d`"},
    {"includes", "write `x in xs`"},
    {"isdecimal", "write s.isdigit()"},
    {"isnumeric", "write s.isdigit()"},
    {"isoformat", "dates and times are strings as they stand"},
    {"iteritems", "write d.items()"},
    {"last", "write xs[-1]"},
    {"length", "write len(x)"},
    {"push", "write xs.append(x)"},
    {"quantize", "write round(x, digits)"},
    {"reverse", "write xs = reversed(xs)"},
    {"size", "write len(x)"},
    {"sort", "write xs = sorted(xs)"},
    {"strftime",
     "dates and times are strings as they stand; date_trunc() and extract() take parts"},
    {0},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static bool is_spelled(const char *text, const char *word, size_t size)
{
    return strlen(text) == size && memcmp(text, word, size) == 0;
}

const char *token_kind_text(enum token_kind kind)
{
    assert(kind < TOKEN_KINDS);
    return kind_texts[kind];
}

/* Bytes of the spelling between the quotes. */
static size_t spelling_size(enum token_kind kind) { return strlen(kind_texts[kind]) - 2; }

enum token_kind token_keyword(const char *word, size_t size)
{
    assert(size > 0);
    for (enum token_kind kind = TOKEN_AND; kind <= TOKEN_RETURN; kind++) {
        if (spelling_size(kind) == size && memcmp(kind_texts[kind] + 1, word, size) == 0) {
            return kind;
        }
    }
    return TOKEN_NAME;
}

const struct refusal *token_refused_word(const char *word, size_t size)
{
    for (size_t i = 0; i < COUNT(words); i++) {
        if (is_spelled(words[i].text, word, size)) {
            return &words[i];
        }
    }
    return NULL;
}

enum token_kind token_punctuation(const char *text, size_t size, size_t *length)
{
    enum token_kind best = TOKEN_ERROR;
    *length = 0;
    for (enum token_kind kind = TOKEN_LPAREN; kind < TOKEN_KINDS; kind++) {
        size_t spelling = spelling_size(kind);
        if (spelling > *length && spelling <= size &&
            memcmp(kind_texts[kind] + 1, text, spelling) == 0) {
            best = kind;
            *length = spelling;
        }
    }
    return best;
}

const struct refusal *token_refused_punctuation(const char *text, size_t size)
{
    for (size_t i = 0; i < COUNT(refused_punctuation); i++) {
        size_t length = strlen(refused_punctuation[i].text);
        if (length <= size && memcmp(text, refused_punctuation[i].text, length) == 0) {
            return &refused_punctuation[i];
        }
    }
    return NULL;
}

const char *token_hint(enum foreign kind, const char *name)
{
    static const struct suggestion *const tables[] = {[FOREIGN_NAME] = foreign_names,
                                                      [FOREIGN_FUNCTION] = foreign_functions,
                                                      [FOREIGN_METHOD] = foreign_methods};
    const struct suggestion *row = tables[kind];
    while (row->name && strcmp(row->name, name) != 0) {
        row++;
    }
    return row->hint;
}

size_t name_character(const char *text, size_t size, bool first)
{
    if (size == 0) {
        return 0;
    }
    char c = text[0];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
        (!first && c >= '0' && c <= '9')) {
        return 1;
    }
    uint32_t code;
    size_t length = (unsigned char)c >= 0x80 ? utf8_decode(text, size, &code) : 0;
    return length && (unicode_is_alpha(code) || (!first && unicode_is_mark(code))) ? length : 0;
}

bool lang_is_reserved(const char *text, size_t size)
{
    return is_spelled("None", text, size) || is_spelled("True", text, size) ||
           is_spelled("False", text, size) || token_keyword(text, size) != TOKEN_NAME ||
           token_refused_word(text, size);
}

bool lang_is_name(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        size_t length = name_character(text + at, size - at, at == 0);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return size > 0 && !lang_is_reserved(text, size);
}
