#include "base/utf8.h"
#include "gen/memory.h"
#include "gen/propose/propose.h"

#include <assert.h>
#include <string.h>

/* Texts that have broken programs: values that look like another type, quoting, patterns, format
 * strings, white space, and Unicode with an unexpected length, case or order. */
static const char *const nasty_texts[] = {
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    " a",
    "a ",
    "a  b",
    "0",
    "-0",
    "1",
    "-1",
    "007",
    "1.0",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "null",
    "NULL",
    "None",
    "true",
    "false",
    "t",
    "f",
    "[]",
    "{}",
    "{\"a\": 1}",
    "{a,b}",
    "{NULL}",
    "(1,2)",
    "\"\"",
    "'",
    "''",
    "\"",
    "\\",
    "\\\\",
    "\\'",
    "\\n",
    "\\x00",
    "\\u0000",
    "$$",
    "$1",
    ":a",
    "::",
    "?",
    "%",
    "_",
    "%%",
    "%s",
    "a%",
    "a_b",
    "\\%",
    ".*",
    "[",
    "(",
    "--",
    "/*",
    "*/",
    ";",
    "a;b",
    "' OR 1=1 --",
    "O'Brien",
    "a,b",
    "a|b",
    "a=b",
    "a:b",
    "a/b",
    "../a",
    "<b>",
    "&amp;",
    "${a}",
    "#",
    "@",
    "a@b",
    "2000-01-01",
    "2000-02-30",
    "24:00:00",
    "infinity",
    "now",
    "\u00e9",  /* composed */
    "e\u0301", /* the same, decomposed */
    "\u00df",  /* sharp s: upper case is two letters */
    "\u1e9e",  /* capital sharp s */
    "SS",
    "\u0130", /* I with a dot: lower case is two code points */
    "\u0131", /* dotless i */
    "\u01c6", /* dz digraph: has a title case of its own */
    "\ufb01", /* ligature fi */
    "\u03c2", /* final sigma */
    "\u03a3", /* sigma */
    "\u212a", /* kelvin sign: lower case is k */
    "\u00b5", /* micro sign */
    "\u00c5", /* A with ring */
    "\u212b", /* angstrom sign */
    "\u00a0", /* no-break space */
    "a\u00a0",
    "\u200b", /* zero width space */
    "\u00ad", /* soft hyphen */
    "\ufeff", /* byte order mark */
    "\ufeffa",
    "\u202eabc",                      /* right-to-left override */
    "\u05e9\u05dc\u05d5\u05dd",       /* Hebrew */
    "\u0645\u0631\u062d\u0628\u0627", /* Arabic */
    "\u0661\u0662",                   /* Arabic digits */
    "\uff11",                         /* full-width digit */
    "\u4e2d\u6587",                   /* Chinese */
    "\U00020000",                     /* outside the basic plane */
    "\U0001f600",                     /* emoji */
    "\U0001f468\u200d\U0001f469",     /* two, joined */
    "\U0001f1e9\U0001f1ea",           /* a flag, two code points */
    "a\u0300\u0301\u0302\u0303",      /* a pile of accents */
    "\u0301",                         /* an accent on nothing */
    "\u2028",                         /* line separator */
    "\302\205",                       /* next line */
    "\033[31m",                       /* escape sequence */
    "\001",
    "\177",
    "\uffff",
    "\U0010ffff",
    "zzzz",
    "AAAA",
    "aA",
    "Aa",
};

static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789";

/* A growing text with preallocated room. */
struct writing {
    struct string *text;
    size_t room; /* characters */
};

static struct writing begin_text(struct drawer *drawer, size_t room)
{
    struct string *text = arena_alloc(drawer->arena, sizeof *text + room * UTF8_MAX + 1);
    *text = (struct string){0};
    return (struct writing){text, room};
}

static void put_code(struct writing *writing, uint32_t code)
{
    struct string *text = writing->text;
    size_t size = text->length < writing->room ? utf8_encode(code, text->data + text->size) : 0;
    text->size += size;
    text->length += size > 0;
}

static void put_text(struct writing *writing, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint32_t code;
        size_t read = utf8_decode(text + at, size - at, &code);
        if (read == 0) {
            return;
        }
        put_code(writing, code);
        at += read;
    }
}

static const struct string *end_text(struct writing *writing)
{
    writing->text->data[writing->text->size] = '\0';
    return writing->text;
}

static const char *any_nasty(struct rng *rng)
{
    return nasty_texts[rng_below(rng, sizeof nasty_texts / sizeof *nasty_texts)];
}

/* Each function writes one kind of character. */

static void put_plain(struct writing *writing, struct rng *rng)
{
    put_code(writing, (unsigned char)plain[rng_below(rng, sizeof plain - 1)]);
}

static void put_ascii(struct writing *writing, struct rng *rng)
{
    put_code(writing, (uint32_t)(' ' + rng_below(rng, '~' - ' ' + 1)));
}

static void put_nasty(struct writing *writing, struct rng *rng)
{
    const char *text = any_nasty(rng);
    put_text(writing, text, strlen(text));
}

/* With all planes equally likely, nearly all characters would be unassigned. */
static void put_unicode(struct writing *writing, struct rng *rng)
{
    static const uint32_t ends[] = {0x80, 0x250, 0x600, 0x3000, 0x10000, 0x110000};
    uint32_t code = (uint32_t)rng_below(rng, ends[rng_below(rng, sizeof ends / sizeof *ends)]);
    put_code(writing, code ? code : '0'); /* replaces surrogates */
}

typedef void put_some(struct writing *writing, struct rng *rng);

static const struct string *fill_text(struct drawer *drawer, size_t size, put_some *put_one)
{
    struct writing writing = begin_text(drawer, size);
    /* put_one may write nothing, so the number of tries is bounded */
    for (size_t i = 0; i < 2 * size && writing.text->length < size; i++) {
        put_one(&writing, drawer->rng);
    }
    return end_text(&writing);
}

static const struct string *repeat_one(struct drawer *drawer, size_t size)
{
    struct writing writing = begin_text(drawer, size);
    const char *text = any_nasty(drawer->rng);
    size_t text_size = strlen(text);
    while (text_size > 0 && writing.text->length < size) {
        put_text(&writing, text, text_size);
    }
    return end_text(&writing);
}

const struct string *propose_pooled(struct drawer *drawer)
{
    assert(drawer->rng != NULL);
    const struct draw_pool *pool = drawer->pool;
    if (!pool || pool->string_count == 0) {
        return NULL;
    }
    return pool->strings[rng_below(drawer->rng, pool->string_count)].as.string;
}

static const struct string *earlier_text(struct drawer *drawer, const struct strategy_kind *alike)
{
    if (!drawer->memory) {
        return NULL;
    }
    const struct choices *earlier =
        memory_pick(drawer->memory, kind_memory_key(alike), drawer->rng);
    return earlier ? earlier->items.items[0].as.text.value : NULL;
}

static uint32_t swap_case(uint32_t code)
{
    bool letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
    return letter ? code ^ 0x20 : code;
}

/* Varies a text slightly: changes its case, adds a space or an accent, doubles it, or drops a
 * character. */
static const struct string *vary(struct drawer *drawer, const struct string *text)
{
    enum { CASE, SPACE_BEHIND, SPACE_BEFORE, ACCENT, DOUBLED, SHORTER, WAY_COUNT };
    uint64_t way = rng_below(drawer->rng, WAY_COUNT);
    struct writing writing = begin_text(drawer, 2 * text->length + 1);
    if (way == SPACE_BEFORE) {
        put_code(&writing, ' ');
    }
    for (size_t at = 0; at < text->size;) {
        uint32_t code;
        size_t size = utf8_decode(text->data + at, text->size - at, &code);
        if (size == 0 || (way == SHORTER && at + size == text->size)) {
            break;
        }
        put_code(&writing, way == CASE ? swap_case(code) : code);
        at += size;
    }
    if (way == SPACE_BEHIND) {
        put_code(&writing, ' ');
    } else if (way == ACCENT) {
        put_code(&writing, 0x301);
    } else if (way == DOUBLED) {
        put_text(&writing, text->data, text->size);
    }
    return end_text(&writing);
}

static const struct string *propose_any(struct drawer *drawer, size_t size,
                                        const struct strategy_kind *alike)
{
    enum { ROLL = 32 };
    enum {
        PLAIN = 9,
        ASCII = PLAIN + 4,
        WHOLE = ASCII + 6,
        POOL = WHOLE + 4,
        VARIED = POOL + 3,
        MIXED = VARIED + 3,
        UNICODE = MIXED + 2
    };
    uint64_t roll = rng_below(drawer->rng, ROLL);
    if (roll < PLAIN) {
        return fill_text(drawer, size, put_plain);
    }
    if (roll < ASCII) {
        return fill_text(drawer, size, put_ascii);
    }
    if (roll < WHOLE) {
        const char *text = any_nasty(drawer->rng);
        struct writing writing = begin_text(drawer, strlen(text));
        put_text(&writing, text, strlen(text));
        return end_text(&writing);
    }
    const struct string *other = roll < POOL     ? propose_pooled(drawer)
                                 : roll < VARIED ? earlier_text(drawer, alike)
                                                 : NULL;
    if (other) {
        return roll < POOL && !rng_one_in(drawer->rng, 4) ? other : vary(drawer, other);
    }
    if (roll < MIXED) {
        return fill_text(drawer, size, put_nasty);
    }
    return roll < UNICODE ? fill_text(drawer, size, put_unicode) : repeat_one(drawer, size);
}

/* Characters of the alphabet: all, or only a few, so that they repeat. */
static const struct string *propose_letters(struct drawer *drawer, const struct string *alphabet,
                                            size_t size)
{
    struct rng *rng = drawer->rng;
    uint64_t letters = alphabet->length;
    if (letters > 2 && rng_one_in(rng, 4)) {
        letters = 1 + rng_below(rng, 2);
    }
    uint64_t first = letters < alphabet->length ? rng_below(rng, alphabet->length - letters) : 0;
    struct writing writing = begin_text(drawer, size);
    for (size_t i = 0; i < size && letters > 0; i++) {
        put_code(&writing,
                 choice_char_of_rank(alphabet, (uint32_t)(first + rng_below(rng, letters))));
    }
    return end_text(&writing);
}

static bool in_alphabet(const struct string *text, const struct string *alphabet)
{
    for (size_t at = 0; at < text->size;) {
        uint32_t code;
        size_t size = utf8_decode(text->data + at, text->size - at, &code);
        if (size == 0 || choice_char_rank(alphabet, code) == UINT32_MAX) {
            return false;
        }
        at += size;
    }
    return true;
}

const struct string *propose_text(struct drawer *drawer, const struct text_bounds *bounds,
                                  const struct strategy_kind *alike)
{
    assert(drawer->rng != NULL);
    assert(bounds->min_size <= bounds->max_size);
    enum { TEXT_USUAL = 10 };
    size_t size = propose_size(drawer, bounds->min_size, bounds->max_size, TEXT_USUAL);
    if (!bounds->alphabet) {
        return propose_any(drawer, size, alike);
    }
    const struct string *pooled = rng_one_in(drawer->rng, 8) ? propose_pooled(drawer) : NULL;
    return pooled && in_alphabet(pooled, bounds->alphabet)
               ? pooled
               : propose_letters(drawer, bounds->alphabet, size);
}

const struct bytes *propose_bytes(struct drawer *drawer, size_t min_size, size_t max_size)
{
    assert(drawer->rng != NULL);
    assert(min_size <= max_size);
    enum { BYTES_USUAL = 8 };
    static const unsigned char nasty[] = {0x00, 0xff, 0x80, 0x7f, 0xc3, '\\', '\'', '\n', 'a', '0'};
    struct rng *rng = drawer->rng;
    size_t size = propose_size(drawer, min_size, max_size, BYTES_USUAL);
    struct bytes *bytes = arena_alloc(drawer->arena, sizeof *bytes + size);
    bytes->size = size;
    uint64_t way = rng_below(rng, 4);
    unsigned char same = nasty[rng_below(rng, sizeof nasty)];
    for (size_t i = 0; i < size; i++) {
        bytes->data[i] = way == 0   ? same
                         : way == 1 ? nasty[rng_below(rng, sizeof nasty)]
                                    : (unsigned char)rng_below(rng, 256);
    }
    return bytes;
}
