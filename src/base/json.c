#include "base/json.h"

#include "base/utf8.h"
#include "base/visible.h"

#include <inttypes.h>
#include <string.h>

static void add_character(struct strbuf *out, const char *text, size_t size, uint32_t code)
{
    if (code == '"' || code == '\\') {
        strbuf_addc(out, '\\');
        strbuf_addc(out, (char)code);
    } else if (code == '\n') {
        strbuf_adds(out, "\\n");
    } else if (code == '<' || visible_hides(code)) { /* none of these characters is past U+FFFF */
        strbuf_addf(out, "\\u%04x", (unsigned)code);
    } else {
        strbuf_add(out, text, size);
    }
}

static void add_string(struct strbuf *out, const char *text)
{
    size_t size = strlen(text);
    strbuf_addc(out, '"');
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        size_t bytes = utf8_decode(text + i, size - i, &code);
        if (bytes) {
            add_character(out, text + i, bytes, code);
        } else {
            strbuf_adds(out, "\xEF\xBF\xBD");
        }
        i += bytes ? bytes : 1;
    }
    strbuf_addc(out, '"');
}

/* Writes the comma and the key before a value. */
static void begin_value(struct json *json, const char *key)
{
    strbuf_adds(json->out, json->comma ? "," : "");
    json->comma = true;
    if (key) {
        add_string(json->out, key);
        strbuf_addc(json->out, ':');
    }
}

void json_open(struct json *json, const char *key, char bracket)
{
    begin_value(json, key);
    strbuf_addc(json->out, bracket);
    json->comma = false;
}

void json_close(struct json *json, char bracket)
{
    strbuf_addc(json->out, bracket);
    json->comma = true;
}

void json_text(struct json *json, const char *key, const char *text)
{
    begin_value(json, key);
    add_string(json->out, text);
}

void json_optional(struct json *json, const char *key, const char *text)
{
    if (text) {
        json_text(json, key, text);
    }
}

void json_raw(struct json *json, const char *key, const char *value)
{
    begin_value(json, key);
    strbuf_adds(json->out, value);
}

void json_count(struct json *json, const char *key, uint64_t count)
{
    begin_value(json, key);
    strbuf_addf(json->out, "%" PRIu64, count);
}

void json_flag(struct json *json, const char *key, bool flag)
{
    begin_value(json, key);
    strbuf_adds(json->out, flag ? "true" : "false");
}
