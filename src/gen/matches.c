#include "gen/matches.h"

#include <string.h>

static bool written_alike(struct value a, struct value b)
{
    struct strbuf first = {0};
    struct strbuf second = {0};
    value_repr(a, &first);
    value_repr(b, &second);
    bool alike = strcmp(strbuf_text(&first), strbuf_text(&second)) == 0;
    strbuf_free(&first);
    strbuf_free(&second);
    return alike;
}

bool value_matches(struct value value, struct value wanted)
{
    bool numbers = value_is_number(value) && value_is_number(wanted);
    if (value.type != wanted.type && !numbers) {
        return false;
    }
    return value_equal(value, wanted);
}

bool value_matches_exactly(struct value value, struct value wanted)
{
    return value_matches(value, wanted) && written_alike(value, wanted);
}
