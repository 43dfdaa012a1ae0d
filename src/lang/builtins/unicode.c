#include "lang/builtins/unicode.h"

#include <unictype.h>

bool unicode_is_alpha(uint32_t code) { return uc_is_general_category(code, UC_CATEGORY_L); }
bool unicode_is_mark(uint32_t code) { return uc_is_general_category(code, UC_CATEGORY_M); }
bool unicode_is_digit(uint32_t code) { return uc_is_general_category(code, UC_CATEGORY_Nd); }
bool unicode_is_upper(uint32_t code) { return uc_is_property_uppercase(code); }
bool unicode_is_lower(uint32_t code) { return uc_is_property_lowercase(code); }
bool unicode_is_title(uint32_t code) { return uc_is_general_category(code, UC_CATEGORY_Lt); }

/* ASCII's separators count, too, as in Python. */
bool unicode_is_space(uint32_t code)
{
    return uc_is_property_white_space(code) || (code >= 0x1C && code <= 0x1F);
}
