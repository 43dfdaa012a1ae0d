/* Methods of strings about upper and lower case, and kinds of characters. */
#include "lang/builtins/string_methods.h"

#include "base/utf8.h"
#include "lang/builtins/unicode.h"

#include <unicase.h>

typedef uint32_t mapper(uint32_t code);
typedef bool tester(uint32_t code);

static bool is_cased(uint32_t code)
{
    return unicode_is_upper(code) || unicode_is_lower(code) || unicode_is_title(code);
}

/* A word's first character goes through `first`, the others through `rest`; `words`: a word starts
 * behind every character without case, not only at the start. */
struct mapping {
    const char *name;
    mapper *first;
    mapper *rest;
    bool words;
};

/* Steps for each byte. */
enum cost { LOOKED_AT = 1, CHANGED = 2 };

/* Each character is looked up in tables: that takes longer than what other methods do. */
static bool begin(const struct native_call *call, const char *name, enum cost cost,
                  struct text *self, struct error *err)
{
    return string_begin(call, name, 0, self, err) &&
           charge(native_state(call), (uint64_t)self->size * cost, err);
}

static bool map_case(const struct native_call *call, const struct mapping *mapping,
                     struct value *out, struct error *err)
{
    struct text self;
    struct strbuf text = {0};
    if (!begin(call, mapping->name, CHANGED, &self, err)) {
        return false;
    }
    bool starts = true;
    for (size_t at = 0; at < self.size;) {
        uint32_t code = 0;
        char bytes[UTF8_MAX];
        at += utf8_decode(self.data + at, self.size - at, &code);
        strbuf_add(&text, bytes,
                   utf8_encode((starts ? mapping->first : mapping->rest)(code), bytes));
        starts = mapping->words && !is_cased(code);
    }
    return string_take(call, &text, out, err);
}

bool string_upper(const struct native_call *call, struct value *out, struct error *err)
{
    return map_case(call, &(struct mapping){"upper", uc_toupper, uc_toupper, false}, out, err);
}

bool string_lower(const struct native_call *call, struct value *out, struct error *err)
{
    return map_case(call, &(struct mapping){"lower", uc_tolower, uc_tolower, false}, out, err);
}

bool string_capitalize(const struct native_call *call, struct value *out, struct error *err)
{
    return map_case(call, &(struct mapping){"capitalize", uc_totitle, uc_tolower, false}, out, err);
}

bool string_title(const struct native_call *call, struct value *out, struct error *err)
{
    return map_case(call, &(struct mapping){"title", uc_totitle, uc_tolower, true}, out, err);
}

static bool test_all(const struct native_call *call, const char *name, tester *test,
                     struct value *out, struct error *err)
{
    struct text self;
    if (!begin(call, name, LOOKED_AT, &self, err)) {
        return false;
    }
    bool all = self.size > 0;
    for (size_t at = 0; all && at < self.size;) {
        uint32_t code = 0;
        at += utf8_decode(self.data + at, self.size - at, &code);
        all = test(code);
    }
    *out = value_bool(all);
    return true;
}

static bool is_alnum(uint32_t code) { return unicode_is_alpha(code) || unicode_is_digit(code); }

bool string_isalnum(const struct native_call *call, struct value *out, struct error *err)
{
    return test_all(call, "isalnum", is_alnum, out, err);
}

bool string_isalpha(const struct native_call *call, struct value *out, struct error *err)
{
    return test_all(call, "isalpha", unicode_is_alpha, out, err);
}

bool string_isdigit(const struct native_call *call, struct value *out, struct error *err)
{
    return test_all(call, "isdigit", unicode_is_digit, out, err);
}

bool string_isspace(const struct native_call *call, struct value *out, struct error *err)
{
    return test_all(call, "isspace", unicode_is_space, out, err);
}

/* At least one character with case, and none that fails the test. */
static bool test_cased(const struct native_call *call, const char *name, tester *fits,
                       struct value *out, struct error *err)
{
    struct text self;
    if (!begin(call, name, LOOKED_AT, &self, err)) {
        return false;
    }
    bool any = false;
    bool all = true;
    for (size_t at = 0; all && at < self.size;) {
        uint32_t code = 0;
        at += utf8_decode(self.data + at, self.size - at, &code);
        any = any || is_cased(code);
        all = !is_cased(code) || fits(code);
    }
    *out = value_bool(any && all);
    return true;
}

bool string_islower(const struct native_call *call, struct value *out, struct error *err)
{
    return test_cased(call, "islower", unicode_is_lower, out, err);
}

bool string_isupper(const struct native_call *call, struct value *out, struct error *err)
{
    return test_cased(call, "isupper", unicode_is_upper, out, err);
}

/* Upper and title case begin words, lower case goes on with them. */
bool string_istitle(const struct native_call *call, struct value *out, struct error *err)
{
    struct text self;
    if (!begin(call, "istitle", LOOKED_AT, &self, err)) {
        return false;
    }
    bool any = false;
    bool fits = true;
    bool inside = false;
    for (size_t at = 0; fits && at < self.size;) {
        uint32_t code = 0;
        at += utf8_decode(self.data + at, self.size - at, &code);
        bool lower = unicode_is_lower(code);
        bool cased = is_cased(code);
        fits = !cased || lower == inside;
        any = any || cased;
        inside = cased;
    }
    *out = value_bool(any && fits);
    return true;
}
