/* Methods of strings about upper and lower case, and kinds of characters. */
#include "lang/builtins/string_methods.h"

#include "lang/builtins/unicode.h"

#include "base/utf8.h"

#include <unicase.h>

static bool is_any(uint32_t code)
{
    (void)code;
    return true;
}

static bool is_alnum(uint32_t code) { return unicode_is_alpha(code) || unicode_is_digit(code); }

static bool is_cased(uint32_t code)
{
    return unicode_is_upper(code) || unicode_is_lower(code) || unicode_is_title(code);
}

/* Charges more than other methods do, because each character is looked up in tables. */
static bool begin_case(const struct native_call *call, uint64_t steps_per_byte, struct text *self,
                       struct error *err)
{
    return string_begin(call, self, NULL, err) &&
           charge(native_state(call), self->size * steps_per_byte, err);
}

/* upper, lower, capitalize, title */
bool string_map(const struct native_call *call, struct value *out, struct error *err)
{
    int how = call->function->variant;
    struct text rest;
    struct strbuf text = {0};
    if (!begin_case(call, 2, &rest, err)) {
        return false;
    }
    bool starts = true;
    while (rest.size > 0) {
        uint32_t code;
        char bytes[UTF8_MAX];
        struct text character = text_next(&rest, &code);
        uint32_t mapped = starts && how & FIRST_AS_TITLE ? uc_totitle(code)
                          : how & REST_AS_UPPER          ? uc_toupper(code)
                                                         : uc_tolower(code);
        if (mapped == code) {
            strbuf_add(&text, character.data, character.size);
        } else {
            strbuf_add(&text, bytes, utf8_encode(mapped, bytes));
        }
        starts = how & EACH_WORD && !is_cased(code);
    }
    return string_take(call, &text, out, err);
}

/* True if at least one character counts, and all that count pass the test. In a title, upper and
 * title case begin words, and lower case continues them. */
bool string_test(const struct native_call *call, struct value *out, struct error *err)
{
    static const struct {
        bool (*counts)(uint32_t code);
        bool (*passes)(uint32_t code);
    } tests[] = {
        [IS_ALNUM] = {is_any, is_alnum},           [IS_ALPHA] = {is_any, unicode_is_alpha},
        [IS_DIGIT] = {is_any, unicode_is_digit},   [IS_SPACE] = {is_any, unicode_is_space},
        [IS_LOWER] = {is_cased, unicode_is_lower}, [IS_UPPER] = {is_cased, unicode_is_upper},
        [IS_TITLE] = {is_cased, unicode_is_lower},
    };
    int which = call->function->variant;
    struct text rest;
    if (!begin_case(call, 1, &rest, err)) {
        return false;
    }
    bool any = false;
    bool all = true;
    bool in_word = false;
    while (all && rest.size > 0) {
        uint32_t code;
        (void)text_next(&rest, &code);
        bool counts = tests[which].counts(code);
        all = !counts || tests[which].passes(code) == (which == IS_TITLE ? in_word : true);
        any = any || counts;
        in_word = counts;
    }
    *out = value_bool(any && all);
    return true;
}
