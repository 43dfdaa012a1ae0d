/* What a name in SQL stands for. */
#include "mutate/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void names(void **state)
{
    static const struct {
        const char *sql;
        const char *relation;
        bool named;
    } texts[] = {
        {"SELECT * FROM app.Item", "app.item", true},
        {"SELECT * FROM item", "app.item", true},
        {"SELECT * FROM old.item", "app.item", false},
        {"SELECT leave(:item)", "item", false},
        {"SELECT 'item', items, \"Item\" FROM t -- item", "item", false},
        {"SELECT \"the table\".n FROM \"the table\"", "app.\"the table\"", true},
        {"SELECT 1", "", false},
        /* a column */
        {"SELECT item FROM list", "item", false},
        {"SELECT a, item, list.item FROM list WHERE item = 1 GROUP BY a, item", "item", false},
        {"UPDATE list SET a = 1, item = 2", "item", false},
        {"INSERT INTO list (a, item) VALUES (1, 2) ON CONFLICT (item) DO UPDATE SET item = 1 "
         "RETURNING a, item",
         "item", false},
        {"SELECT extract(year FROM item), a IS DISTINCT FROM item FROM list", "item", false},
        {"SELECT f(a, item) FROM item(1)", "item", false},
        /* a table */
        {"SELECT 1 FROM list AS l, item", "item", true},
        {"SELECT 1 FROM list l JOIN (a JOIN item USING (id)) ON true", "item", true},
        {"SELECT 1 WHERE EXISTS (SELECT FROM ONLY item)", "item", true},
        {"INSERT INTO item(id) VALUES (1)", "item", true},
        {"UPDATE item SET a = 1", "item", true},
        {"UPDATE list SET a = item.a FROM item", "item", true},
        {"DELETE FROM list USING a, item WHERE true", "item", true},
        {"TRUNCATE list, item", "item", true},
        {"WITH d AS (DELETE FROM item RETURNING 1) SELECT * FROM d", "item", true},
        /* a function */
        {"SELECT leave(1)", "leave(uuid)", true},
        {"SELECT * FROM app.leave (1)", "leave(uuid)", true},
        {"CALL leave(1)", "leave(uuid)", true},
        {"SELECT leave FROM leave", "leave(uuid)", false},
        {"INSERT INTO leave (id) VALUES (1)", "leave(uuid)", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        print_message("%s: %s\n", texts[i].relation, texts[i].sql);
        assert_int_equal(sql_names(texts[i].sql, strlen(texts[i].sql), texts[i].relation),
                         texts[i].named);
    }
    assert_true(sql_has_name("SELECT a.Item", strlen("SELECT a.Item"), "item"));
    assert_false(sql_has_name("SELECT 'item'", strlen("SELECT 'item'"), "item"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
