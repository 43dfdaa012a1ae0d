#include "diff/token.h"

#include "value/time/calendar.h"

#include <string.h>

enum { DAY_SIZE = 10, CLOCK_SIZE = 8, FRACTION_MAX = 6 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool token_is_uuid(const struct token_text *text)
{
    const char *at = text->at;
    if (text->end - at < UUID_SIZE || (at > text->begin && is_word(at[-1]))) {
        return false;
    }
    for (size_t i = 0; i < UUID_SIZE; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? at[i] != '-' : !is_hex(at[i])) {
            return false;
        }
    }
    return text->end - at == UUID_SIZE || !is_word(at[UUID_SIZE]);
}

bool token_is_whole_uuid(const char *text, size_t size)
{
    return size == UUID_SIZE && token_is_uuid(&(struct token_text){text, text, text + size});
}

bool token_is_made(const char *text, size_t size)
{
    enum { MADE_SIZE = 10 };
    bool digit = false;
    for (size_t i = 0; i < size; i++) {
        if (!is_word(text[i]) && (text[i] == '\0' || strchr("-_+/=.", text[i]) == NULL)) {
            return false;
        }
        digit = digit || is_digit(text[i]);
    }
    return size >= MADE_SIZE && digit;
}

const char *token_first_uuid(const char *text, size_t size)
{
    enum { FIRST_DASH = 8 };
    const char *end = text + size;
    const char *dash = size < UUID_SIZE ? NULL : memchr(text, '-', size);
    for (; dash != NULL; dash = memchr(dash + 1, '-', (size_t)(end - dash - 1))) {
        const struct token_text at = {text, dash - FIRST_DASH, end};
        if (dash - text >= FIRST_DASH && token_is_uuid(&at)) {
            return at.at;
        }
    }
    return NULL;
}

/* "12:34:56.789"; the number of its bytes, or 0. */
static size_t clock_size(const char *at, const char *end)
{
    if (end - at < CLOCK_SIZE || at[2] != ':' || at[5] != ':') {
        return 0;
    }
    size_t size = CLOCK_SIZE;
    if (end - at > CLOCK_SIZE + 1 && at[size] == '.' && is_digit(at[size + 1])) {
        size++;
        for (size_t digits = 0; at + size < end && digits < FRACTION_MAX && is_digit(at[size]);
             digits++) {
            size++;
        }
    }
    return size;
}

bool token_is_time(const struct token_text *text, struct token_time *out)
{
    const char *at = text->at;
    int64_t days = 0;
    if (text->end - at < DAY_SIZE || at[4] != '-' || (at > text->begin && is_word(at[-1])) ||
        !calendar_read_date(at, DAY_SIZE, &days)) {
        return false;
    }
    *out = (struct token_time){.size = DAY_SIZE, .day = true, .us = days * CALENDAR_DAY};
    const char *clock = at + DAY_SIZE + 1;
    int64_t time = 0;
    if (clock < text->end && (clock[-1] == ' ' || clock[-1] == 'T')) {
        size_t size = clock_size(clock, text->end);
        if (size > 0 && calendar_read_time(clock, size, &time)) {
            *out = (struct token_time){DAY_SIZE + 1 + size, false, clock[-1], out->us + time};
        }
    }
    return true;
}

void token_time_text(const char *at, const struct token_time *time, char out[TIME_SIZE])
{
    memcpy(out, at, time->size);
    if (!time->day) {
        out[DAY_SIZE] = ' ';
    }
}
