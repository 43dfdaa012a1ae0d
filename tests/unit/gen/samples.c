#include "samples.h"

#include "support/drawing.h"
#include "value/number/numeric.h"

#include <string.h>

#define I(x) value_int(x)

static struct value numeric(const char *text)
{
    struct value out;
    assert_true(numeric_from_text(&test_arena, text, strlen(text), &out, NULL));
    return out;
}

static bool is_small(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    *out = value_bool(number_compare(call->args[0], I(500)) < 0);
    return true;
}

static bool doubled(const struct native_call *call, struct value *out, struct error *err)
{
    return number_arith(call->caller->arena, ARITH_ADD, call->args[0], call->args[0], out, err);
}

static bool lists_of_it(const struct native_call *call, struct value *out, struct error *err)
{
    (void)err;
    struct value size = I(call->args[0].as.integer % 5);
    *out = strategy("lists", "", strategy("text", NULL), "min_size", size, "max_size", size, NULL);
    return true;
}

/* Strategies made of others. */
static struct value combined(size_t index)
{
    struct value numbers = strategy("integers", "min_value", I(0), "max_value", I(1000), NULL);
    struct value ten = int_list(10, (int64_t[]){5, 1, 5, 2, 8, 9, 100, -1, 0, 3});
    switch (index) {
    case 18:
        return strategy("one_of", "", strategy("none", NULL), "", numbers, "",
                        strategy("text", NULL), NULL);
    case 19:
        return strategy("lists", "", strategy("tuples", "", numbers, "", ten, NULL), NULL);
    case 20:
        return strategy("lists", "",
                        strategy("integers", "max_value", I(5), "min_value", I(0), NULL), "unique",
                        value_bool(true), "min_size", I(2), NULL);
    case 21:
        return strategy("sets", "", strategy("booleans", NULL), NULL);
    case 22:
        return strategy("dictionaries", "", strategy("text", NULL), "",
                        strategy("lists", "", numbers, NULL), NULL);
    case 23:
        return method(numbers, "flatmap", function(lists_of_it));
    case 24:
        return strategy("builds", "", function(doubled), "", numbers, NULL);
    default:
        return value_none();
    }
}

struct value sample(size_t index)
{
    struct value numbers = strategy("integers", "min_value", I(0), "max_value", I(1000), NULL);
    struct value ten = int_list(10, (int64_t[]){5, 1, 5, 2, 8, 9, 100, -1, 0, 3});
    switch (index) {
    case 0:
        return strategy("integers", NULL);
    case 1:
        return strategy("integers", "min_value", I(INT64_MIN), "max_value", I(INT64_MAX), NULL);
    case 2:
        return method(method(numbers, "filter", function(is_small)), "map", function(doubled));
    case 3:
        return strategy("decimals", NULL);
    case 4:
        return strategy("decimals", "min_value", numeric("-0.05"), "max_value",
                        numeric("99999999999999999999.5"), "places", I(3), "allow_nan",
                        value_bool(true), NULL);
    case 5:
        return strategy("floats", NULL);
    case 6:
        return strategy("floats", "width", I(32), "min_value", I(-3), NULL);
    case 7:
        return strategy("text", NULL);
    case 8:
        return strategy("text", "alphabet", text("ab%ä"), "min_size", I(2), "max_size", I(6), NULL);
    case 9:
        return strategy("binary", "min_size", I(1), NULL);
    case 10:
        return strategy("uuids", NULL);
    case 11:
        return strategy("dates", NULL);
    case 12:
        return strategy("times", "min_value", text("00:00:00.25"), NULL);
    case 13:
        return strategy("datetimes", NULL);
    case 14:
        return strategy("sampled_from", "", ten, NULL);
    case 15:
        return ten;
    case 16:
        return bundle_of(ten.as.list);
    case 17:
        return method(bundle_of(ten.as.list), "filter", function(is_small));
    case 25:
        return strategy("timedeltas", NULL);
    case 26:
        return strategy("json_values", NULL);
    case 27:
        return strategy("from_regex", "", text("^(a|bc?)+x{2,4}$|[^0-9]\\d*?(\\w|ä){3}"), NULL);
    case 28:
        return strategy("from_regex", "", text("(a*b?)*c."), "fullmatch", value_bool(true), NULL);
    default:
        return combined(index);
    }
}
