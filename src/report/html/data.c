#include "report/html/data.h"

#include <inttypes.h>
#include <string.h>

static void add_string(struct strbuf *out, const char *text)
{
    strbuf_addc(out, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < ' ' || c == '<' || c == '"' || c == '\\') {
            strbuf_addf(out, "\\u%04x", c);
        } else {
            strbuf_addc(out, *text);
        }
    }
    strbuf_addc(out, '"');
}

static void begin(struct strbuf *out, const char *key)
{
    char last = out->size ? out->data[out->size - 1] : '[';
    if (last != '{' && last != '[') {
        strbuf_addc(out, ',');
    }
    if (key) {
        add_string(out, key);
        strbuf_addc(out, ':');
    }
}

void data_open(struct strbuf *out, const char *key, char bracket)
{
    begin(out, key);
    strbuf_addc(out, bracket);
}

void data_close(struct strbuf *out, char bracket) { strbuf_addc(out, bracket); }

void data_text(struct strbuf *out, const char *key, const char *text)
{
    if (text) {
        begin(out, key);
        add_string(out, text);
    }
}

void data_number(struct strbuf *out, const char *key, uint64_t number)
{
    begin(out, key);
    strbuf_addf(out, "%" PRIu64, number);
}

void data_flag(struct strbuf *out, const char *key, bool flag)
{
    if (flag) {
        begin(out, key);
        strbuf_adds(out, "true");
    }
}

void data_raw(struct strbuf *out, const char *key, const char *json)
{
    if (json) {
        begin(out, key);
        strbuf_adds(out, json);
    }
}
