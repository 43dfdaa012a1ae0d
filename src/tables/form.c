#include "tables/form.h"

#include "base/digits.h"
#include "base/strbuf.h"
#include "value/time/interval.h"

#include <string.h>

struct type_form {
    const char *type; /* the beginning of the form */
    struct value (*stored)(struct arena *arena, struct value value);
};

static struct value take_text(struct arena *arena, struct strbuf *out)
{
    struct value text = value_string(arena, strbuf_text(out), out->size);
    strbuf_free(out);
    return text;
}

static struct value hex(struct arena *arena, struct value value)
{
    struct strbuf out = {0};
    strbuf_adds(&out, "\\x");
    for (size_t i = 0; i < value.as.bytes->size; i++) {
        strbuf_addf(&out, "%02x", value.as.bytes->data[i]);
    }
    return take_text(arena, &out);
}

/* char(n): cuts, or pads with blanks. Counts the first bytes of characters. */
static struct value padded_text(struct arena *arena, struct value value, int64_t width)
{
    const struct string *text = value.as.string;
    struct strbuf out = {0};
    int64_t length = 0;
    for (size_t i = 0; i < text->size; i++) {
        length += ((unsigned char)text->data[i] & 0xC0U) != 0x80U;
        if (length > width) {
            break;
        }
        strbuf_addc(&out, text->data[i]);
    }
    for (; length < width; length++) {
        strbuf_addc(&out, ' ');
    }
    return take_text(arena, &out);
}

/* Like justify_interval(): 24 hours are a day, 30 days a month. */
static struct value justified_interval(struct arena *arena, struct value value)
{
    enum { DAYS_OF_MONTH = 30 };
    static const int64_t day_us = INT64_C(86400) * 1000 * 1000;
    struct interval interval;
    char text[INTERVAL_TEXT_MAX];
    if (!interval_read(value_cstr(value), value.as.string->size, &interval)) {
        return value;
    }
    int64_t days = interval.days + interval.us / day_us;
    int64_t months = interval.months + days / DAYS_OF_MONTH;
    if (months > INT32_MAX || months < INT32_MIN) {
        return value;
    }
    interval =
        (struct interval){(int32_t)months, (int32_t)(days % DAYS_OF_MONTH), interval.us % day_us};
    size_t size = interval_write(interval, text);
    return value_string(arena, text, size);
}

/* "2020-01-31T12:30:00", followed by `zone`. */
static struct value moment_text(struct arena *arena, struct value value, const char *zone)
{
    const char *text = value_cstr(value);
    struct strbuf out = {0};
    if (!is_digit(*text)) {
        return value; /* infinity */
    }
    for (; *text && !(*zone && *text == '+'); text++) {
        strbuf_addc(&out, *text == ' ' ? 'T' : *text);
    }
    strbuf_adds(&out, zone);
    return take_text(arena, &out);
}

static struct value timestamp(struct arena *arena, struct value value)
{
    return moment_text(arena, value, "");
}

static struct value timestamptz(struct arena *arena, struct value value)
{
    return moment_text(arena, value, "+00:00");
}

/* Longer names first, because forms may end with a modifier. */
static const struct type_form forms[] = {
    {"interval", justified_interval}, {"timestamptz", timestamptz}, {"timestamp", timestamp}};

struct value form_stored(struct arena *arena, struct value form, struct value value)
{
    if (value.type == VALUE_BYTES) {
        return hex(arena, value);
    }
    if (value.type != VALUE_STRING) {
        return value;
    }
    if (form.type == VALUE_INT && !(form.flags & VALUE_BIG)) {
        return padded_text(arena, value, form.as.integer);
    }
    for (size_t i = 0; form.type == VALUE_STRING && i < sizeof forms / sizeof *forms; i++) {
        if (strncmp(value_cstr(form), forms[i].type, strlen(forms[i].type)) == 0) {
            return forms[i].stored(arena, value);
        }
    }
    return value;
}
