/* Copying, freezing, looping, changing while looping. */
#include "check.h"

static void copies_live_on(void **state)
{
    (void)state;
    static const char *const column[] = {"id", "n"};
    struct arena first = {0};
    const char **names = arena_memdup(&first, column, sizeof column);
    names[0] = arena_strdup(&first, "id");
    struct value items[] = {value_text(&first, "x"), INT(2)};
    struct value row = value_row(&first, items, names, 2);
    struct value dict = value_dict(&first);
    struct value list = value_list(&first);
    struct value big;
    struct value numeric;
    struct error_value error = {.condition = value_text(&first, "c")};
    assert_true(int_from_text(&first, "123456789012345678901234567890", 30, 10, &big, NULL));
    assert_true(numeric_from_text(&first, "-1.50", 5, &numeric, NULL));
    const struct value all[] = {
        big, numeric,          value_bytes(&first, "b\0", 2), value_error(&first, &error),
        row, value_float(0.5), value_bag(list.as.list)};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        list_append(list.as.list, all[i]);
    }
    list.as.list->count--; /* not the bag of itself */
    assert_true(table_set(dict.as.table, value_text(&first, "k"), list, NULL));
    assert_true(table_set(dict.as.table, row, value_none(), NULL));
    struct value copy = value_copy(&memory, dict);
    assert_true(value_equal(copy, dict));
    arena_reset(&first); /* under ASan: poisoned */
    assert_repr(copy, "{\"k\": [123456789012345678901234567890, -1.50, b\"b\\x00\", "
                      "error(\"c\"), (\"x\", 2), float(\"0.5\")], (\"x\", 2): None}");
    assert_string_equal(copy.as.table->entries[1].key.as.tuple->names[0], "id");
    arena_free(&first);
}

static void copies_are_apart(void **state)
{
    (void)state;
    struct value inner = LIST(INT(1));
    struct value outer = LIST(inner, TUPLE(inner));
    value_freeze(outer);
    struct value copy = value_copy(&memory, outer);
    assert_true(value_check_mutable(copy, NULL));
    list_append(copy.as.list->items[0].as.list, INT(2));
    assert_repr(copy, "[[1, 2], ([1, 2],)]"); /* shared in the copy as in the original */
    assert_repr(outer, "[[1], ([1],)]");
    struct value set = SET(INT(1), INT(2), INT(3), INT(4), INT(5), INT(6), INT(7), INT(8), INT(9));
    value_freeze(set);
    assert_true(value_check_mutable(value_copy(&memory, set), NULL));
    struct value set_copy = value_copy(&memory, set);
    struct table_entry *entry;
    assert_true(table_set(set_copy.as.table, INT(10), value_none(), NULL));
    assert_true(table_find(set_copy.as.table, INT(1), &entry, NULL));
    table_remove(set_copy.as.table, entry);
    assert_int_equal(set.as.table->count, 9);
    assert_true(table_find(set.as.table, INT(1), &entry, NULL));
    assert_non_null(entry);
    assert_true(table_find(set.as.table, INT(10), &entry, NULL));
    assert_null(entry);
}

static void freezing(void **state)
{
    (void)state;
    struct error err;
    struct value list = LIST(INT(1));
    struct value set = SET(INT(1));
    struct value dict = value_dict(&memory);
    assert_true(table_set(dict.as.table, text("a"), LIST(TUPLE(set)), NULL));
    assert_true(table_set(dict.as.table, text("b"), value_bag(list.as.list), NULL));
    assert_true(value_check_mutable(dict, &err));
    value_freeze(TUPLE(dict));
    assert_false(value_check_mutable(dict, &err));
    assert_string_equal(err.message, "cannot change a frozen dict");
    assert_false(value_check_mutable(list, &err));
    assert_string_equal(err.message, "cannot change a frozen list");
    assert_false(value_check_mutable(set, &err));
    value_freeze(dict);
    value_freeze(INT(1));
    assert_false(value_check_mutable(TUPLE(INT(1)), &err));
    assert_string_equal(err.message, "a tuple cannot be changed");
}

static const char *looped(struct value over)
{
    struct value_iter iter;
    struct value item;
    struct strbuf buf = {0};
    struct error err;
    if (!value_iter_begin(&iter, over, &memory, &err)) {
        return arena_strdup(&memory, err.message);
    }
    while (value_iter_next(&iter, &item)) {
        value_repr(item, &buf);
        strbuf_addc(&buf, ';');
    }
    assert_false(value_iter_next(&iter, &item));
    value_iter_end(&iter);
    const char *copy = strbuf_copy(&buf, &memory);
    strbuf_free(&buf);
    return copy;
}

static void loops(void **state)
{
    (void)state;
    struct value list = LIST(INT(1), text("a"));
    struct value dict = value_dict(&memory);
    struct table_entry *entry;
    for (int64_t i = 0; i < 4; i++) {
        assert_true(table_set(dict.as.table, INT(i), text("v"), NULL));
    }
    assert_true(table_find(dict.as.table, INT(0), &entry, NULL));
    table_remove(dict.as.table, entry);
    assert_true(table_find(dict.as.table, INT(2), &entry, NULL));
    table_remove(dict.as.table, entry);
    assert_string_equal(looped(list), "1;\"a\";");
    assert_string_equal(looped(dict), "1;3;");
    assert_string_equal(looped(SET(INT(7))), "7;");
    assert_string_equal(looped(TUPLE(INT(7), INT(8))), "7;8;");
    assert_string_equal(looped(value_bag(list.as.list)), "1;\"a\";");
    assert_string_equal(looped(value_bytes(&memory, "\0\xFF", 2)), "0;255;");
    assert_string_equal(looped(value_range(&memory, 3, 0, -1)), "3;2;1;");
    assert_string_equal(looped(value_list(&memory)), "");
    assert_string_equal(looped(text("abc")), "cannot loop over a value of type string");
    assert_string_equal(looped(INT(3)), "cannot loop over a value of type int");
    assert_string_equal(looped(value_none()), "cannot loop over a value of type NoneType");
}

static void no_change_in_a_loop(void **state)
{
    (void)state;
    struct error err;
    struct value_iter outer;
    struct value_iter inner;
    struct value list = LIST(INT(1));
    struct value set = SET(INT(1));
    assert_true(value_iter_begin(&outer, list, &memory, NULL));
    assert_true(value_iter_begin(&inner, list, &memory, NULL));
    value_iter_end(&inner);
    assert_false(value_check_mutable(list, &err));
    assert_string_equal(err.message, "cannot change a list while a loop runs over it");
    assert_false(value_check_mutable(value_bag(list.as.list), &err));
    value_iter_end(&outer);
    assert_true(value_check_mutable(list, &err));
    assert_true(value_iter_begin(&outer, set, &memory, NULL));
    assert_false(value_check_mutable(set, &err));
    struct value copy = value_copy(&memory, set);
    assert_true(value_check_mutable(copy, &err)); /* no loop runs over the copy */
    value_iter_end(&outer);
    assert_true(value_check_mutable(set, &err));
}

/* More parts than can be tracked without allocating. */
static void many_parts(void **state)
{
    (void)state;
    struct value dict = value_dict(&memory);
    struct value shared = LIST(INT(-1));
    for (int i = 0; i < 200; i++) {
        assert_true(table_set(dict.as.table, INT(i), LIST(INT(i), shared), NULL));
    }
    struct value copy = value_copy(&memory, dict);
    assert_true(value_equal(copy, dict));
    const struct list *first = copy.as.table->entries[0].value.as.list;
    struct list *inner = first->items[1].as.list;
    list_append(inner, INT(-2));
    for (size_t i = 0; i < 200; i++) {
        assert_ptr_equal(copy.as.table->entries[i].value.as.list->items[1].as.list, inner);
    }
    assert_repr(shared, "[-1]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(copies_live_on), TEST(copies_are_apart),    TEST(freezing),
        TEST(loops),          TEST(no_change_in_a_loop), TEST(many_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
