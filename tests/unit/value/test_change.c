/* What an update does to a value: the same, whatever the value was. */
#include "check.h"

#include "value/change.h"
#include "value/json/json.h"

static struct value json(const char *text)
{
    struct value value;
    struct error err;
    if (!json_decode(&memory, text, strlen(text), &value, &err)) {
        fail_msg("%s: %s", text, err.message);
    }
    return value;
}

static uint64_t change_of(const char *before, const char *after)
{
    return value_change_hash(&(struct walk){0}, &memory, json(before), json(after));
}

/* Each row is one update of two values, and differs from all other rows. */
static void one_update_one_hash(void **state)
{
    static const char *const rows[][4] = {
        {"1", "3", "-5", "-3"},                   /* 2 more */
        {"1.5", "1", "10", "9.5"},                /* a half less */
        {"\"a\"", "\"b\"", "\"c\"", "\"b\""},     /* set to b */
        {"true", "false", "3", "false"},          /* set to false */
        {"[1, 4]", "[1, 2, 4]", "[]", "[2]"},     /* 2 is put in, wherever */
        {"[1, 2]", "[1]", "[2, 3, 3]", "[3, 3]"}, /* and removed */
        {"[1, 2]", "[1, 5]", "[7, 0]", "[7, 3]"}, /* 3 more at the second place */
        {"{\"a\": 1}", "{\"a\": 2}", "{\"b\": 1, \"a\": 5}", "{\"a\": 6, \"b\": 1}"},
        {"{\"a\": 1}", "{}", "{\"a\": 2, \"c\": 3}", "{\"c\": 3}"},
        {"{\"a\": 1}", "{\"a\": 1, \"b\": 1}", "{}", "{\"b\": 1}"},
        {"{\"a\": [1]}", "{\"a\": [1, 9]}", "{\"a\": []}", "{\"a\": [9]}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t change = change_of(rows[i][0], rows[i][1]);
        assert_true(change != 0);
        assert_true(change == change_of(rows[i][2], rows[i][3]));
        assert_true(change_of(rows[i][0], rows[i][0]) == 0);
        for (size_t j = 0; j < i; j++) {
            assert_true(change != change_of(rows[j][0], rows[j][1]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(one_update_one_hash)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
