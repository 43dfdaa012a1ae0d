#include "replay/quote.h"

#include "base/utf8.h"
#include "base/visible.h"
#include "base/words.h"

#include <string.h>

static void add_doubled(struct strbuf *out, const char *text, size_t size, const char *quotes)
{
    for (size_t i = 0; i < size; i++) {
        strbuf_fill(out, text[i], text[i] && strchr(quotes, text[i]) ? 2 : 1);
    }
}

/* E'' accepts the escapes of visible.h, each of which is longer than the escaped character. */
void quote_literal(struct strbuf *out, const char *text, size_t size)
{
    struct strbuf shown = {0};
    struct strbuf doubled = {0};
    visible_add(&shown, VISIBLE_LINE, text, size);
    bool escapes = shown.size != size;
    add_doubled(&doubled, text, size, escapes ? "'\\" : "'");
    strbuf_adds(out, escapes ? "E'" : "'");
    visible_add(out, VISIBLE_LINE, strbuf_text(&doubled), doubled.size);
    strbuf_addc(out, '\'');
    strbuf_free(&shown);
    strbuf_free(&doubled);
}

/* Key words that can't name a column or a role without quotes (manual, appendix C: reserved, or
 * reserved except for functions and types). */
static const char reserved[] =
    "all|analyse|analyze|and|any|array|as|asc|asymmetric|authorization|binary|both|case|cast|"
    "check|collate|collation|column|concurrently|constraint|create|cross|current_catalog|"
    "current_date|current_role|current_schema|current_time|current_timestamp|current_user|default|"
    "deferrable|desc|distinct|do|else|end|except|false|fetch|for|foreign|freeze|from|full|grant|"
    "group|having|ilike|in|initially|inner|intersect|into|is|isnull|join|lateral|leading|left|"
    "like|limit|localtime|localtimestamp|natural|none|not|notnull|null|offset|on|only|or|order|"
    "outer|overlaps|placing|primary|public|references|returning|right|row|select|session_user|"
    "similar|some|symmetric|system_user|table|tablesample|then|to|trailing|true|union|unique|user|"
    "using|values|variadic|verbose|when|where|window|with";

void quote_identifier(struct strbuf *out, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    bool digit = *name >= '0' && *name <= '9';
    if (*name && !digit && strspn(name, plain) == strlen(name) && !word_is_in(name, reserved)) {
        strbuf_adds(out, name);
        return;
    }
    strbuf_addc(out, '"');
    add_doubled(out, name, strlen(name), "\"");
    strbuf_addc(out, '"');
}

/* psql only has escapes for bytes, not for characters. */
static void add_argument(struct strbuf *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        size_t bytes = utf8_decode(text + i, size - i, &code);
        bool hidden = bytes == 0 || visible_hides(code);
        size_t end = i + (bytes ? bytes : 1);
        for (; i < end; i++) {
            if (hidden) {
                strbuf_addf(out, "\\x%02x", (unsigned)(unsigned char)text[i]);
            } else {
                strbuf_fill(out, text[i], text[i] == '\'' || text[i] == '\\' ? 2 : 1);
            }
        }
    }
}

void quote_argument(struct strbuf *out, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
    if (*text && strspn(text, plain) == strlen(text)) {
        strbuf_adds(out, text);
        return;
    }
    strbuf_addc(out, '\'');
    add_argument(out, text, strlen(text));
    strbuf_addc(out, '\'');
}

void quote_cast(struct strbuf *out, const char *type)
{
    static const char without_words[] =
        "text|name|oid|json|jsonb|uuid|bytea|date|bpchar|\"char\"|\"bit\"|inet|cidr|macaddr|"
        "macaddr8|"
        "money|xml|tsvector|tsquery|pg_lsn|point|box|circle|line|lseg|path|polygon|regclass|"
        "regtype|"
        "int4range|int8range|numrange|daterange|tsrange|tstzrange|int4multirange|int8multirange|"
        "nummultirange|datemultirange|tsmultirange|tstzmultirange|jsonpath|xid|xid8|tid";
    bool named = words_hold(without_words, type, strcspn(type, "["));
    strbuf_addf(out, named ? "::pg_catalog.%s" : "::%s", type);
}
