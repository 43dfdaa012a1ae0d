#include "report/html/data.h"

#include "base/json.h"

/* What stands before the next member shows in the text. */
static struct json here(struct strbuf *out)
{
    char last = out->size ? out->data[out->size - 1] : '[';
    return (struct json){out, last != '{' && last != '['};
}

void data_open(struct strbuf *out, const char *key, char bracket)
{
    struct json json = here(out);
    json_open(&json, key, bracket);
}

void data_close(struct strbuf *out, char bracket) { strbuf_addc(out, bracket); }

void data_text(struct strbuf *out, const char *key, const char *text)
{
    struct json json = here(out);
    json_optional(&json, key, text);
}

void data_number(struct strbuf *out, const char *key, uint64_t number)
{
    struct json json = here(out);
    json_count(&json, key, number);
}

void data_flag(struct strbuf *out, const char *key, bool flag)
{
    struct json json = here(out);
    if (flag) {
        json_flag(&json, key, true);
    }
}

void data_raw(struct strbuf *out, const char *key, const char *text)
{
    struct json json = here(out);
    if (text) {
        json_raw(&json, key, text);
    }
}
