#include "lang/builtins/unicode.h"

/* The range that holds the code point, or NULL. */
static const struct unicode_range *find(const struct unicode_table *table, uint32_t code)
{
    size_t low = 0;
    size_t high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->ranges[middle].last < code) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const struct unicode_range *range = low < table->count ? &table->ranges[low] : NULL;
    bool holds = range && code >= range->first && (code - range->first) % range->stride == 0;
    return holds ? range : NULL;
}

static uint32_t mapped(const struct unicode_table *table, uint32_t code)
{
    const struct unicode_range *range = find(table, code);
    return range ? (uint32_t)((int64_t)code + range->delta) : code;
}

bool unicode_is_alpha(uint32_t code) { return find(&unicode_data_alpha, code); }
bool unicode_is_mark(uint32_t code) { return find(&unicode_data_mark, code); }
bool unicode_is_digit(uint32_t code) { return find(&unicode_data_digit, code); }
bool unicode_is_space(uint32_t code) { return find(&unicode_data_space, code); }
bool unicode_is_upper(uint32_t code) { return find(&unicode_data_is_upper, code); }
bool unicode_is_lower(uint32_t code) { return find(&unicode_data_is_lower, code); }
bool unicode_is_title(uint32_t code) { return find(&unicode_data_is_title, code); }
uint32_t unicode_upper(uint32_t code) { return mapped(&unicode_data_to_upper, code); }
uint32_t unicode_lower(uint32_t code) { return mapped(&unicode_data_to_lower, code); }

uint32_t unicode_title(uint32_t code)
{
    const struct unicode_range *range = find(&unicode_data_to_title, code);
    return range ? (uint32_t)((int64_t)code + range->delta) : unicode_upper(code);
}
