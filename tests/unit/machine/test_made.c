/* The expansion of `tables` and `policies`: which mistakes are found, and how the machine's own
 * parts are merged with the generated ones. */
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct reading {
    struct arena arena;
    struct diagnostics diagnostics;
    const struct machine *machine;
};

static void read_text(struct reading *reading, const char *text)
{
    *reading = (struct reading){0};
    reading->diagnostics.arena = &reading->arena;
    (void)machine_read("a.yaml", text, strlen(text), NULL, &reading->arena, &reading->machine,
                       &reading->diagnostics);
    for (size_t i = 0; i < reading->diagnostics.errors.count; i++) {
        struct strbuf said = {0};
        error_format(&reading->diagnostics.errors.items[i], &said);
        print_message("%s", strbuf_text(&said));
        strbuf_free(&said);
    }
}

static const char *const wrong[][2] = {
    {"tables:", "at least one table"},
    {"tables: {}", "at least one table"},
    {"tables: 3", "`tables` must be a mapping"},
    {"tables: {a: 3}", "a table must be a mapping"},
    {"tables: {'': {}}", "a table must have a name"},
    {"tables: {a: {}, a: {}}", "the key 'a' is written twice"},
    {"tables: {a: {indexes: []}}", "there is no key 'indexes' here"},
    {"tables: {a: {columns: [b]}}", "each column of a list must have a name"},
    {"tables: {a: {columns: {b: 3}}}", "column 'b': this must be a type and words"},
    {"tables: {a: {columns: {b: {near: [1]}}}}", "column 'b' needs 'base'"},
    {"tables: {a: {columns: {b: int4 primary}}}", "column 'b': 'primary' is no word for it"},
    {"tables: {a: {columns: {b: {is: int4, broken: [1]}}}}", "column 'b': 'broken' must be a text"},
    {"tables: {a: {columns: {b: int4}, key: [c]}}", "the table has no column 'c'"},
    {"tables: {a: {columns: {b: int4}, key: b}}", "'key' must be a list of columns"},
    {"tables: {a: {columns: {b: int4}, unique: {k: [c]}}}",
     "constraint 'k': the table has no column 'c'"},
    {"tables: {a: {columns: {b: int4}, unique: {k: {where: b > 1}}}}",
     "constraint 'k': it needs 'columns' or 'terms'"},
    {"tables: {a: {unique: {k: {columns: [b], where: b > 1}}}}",
     "constraint 'k': the table has no column 'b'"},
    {"tables: {a: {columns: {b: int4}, checks: {k: [b]}}}", "CHECK 'k': this must be a mapping"},
    {"tables: {a: {columns: {b: int4}, references: {k: {columns: [b]}}}}",
     "foreign key 'k' needs 'parent'"},
    {"tables: {a: {columns: {b: int4}, references: {k: {columns: [b], parent: z}}}}",
     "foreign key 'k': there is no table 'z' in `tables`"},
    {"tables: {a: {columns: {b: int4}, references: {k: {columns: [b], parent: a}}}}",
     "foreign key 'k': the number of its columns, 1, is not that of the key that it refers to, 0"},
    {"tables: {a: {columns: {b: int4}, references: {k: {columns: [b], parent: a, "
     "parent_columns: [c]}}}}",
     "foreign key 'k': there is no column 'c' in table 'a'"},
    {"tables: {a: {columns: {b: int4}, reread: [q]}}", "there is no table 'q' in `tables`"},
    {"tables: {a: {columns: {b: int4}, reread: some}}",
     "'reread' must be a list of tables, or all"},
    {"tables: {a: {columns: {b: int4}, policies: {r: {select: [1]}}}}", "'select' must be a text"},
    {"tables: {a: {columns: {b: int4}, policies: {select: b > 1}}}",
     "'policies' of a role must be a mapping"},
    {"policies: {roles: [r]}\nrules: {a: {sql: SELECT 1}}",
     "`policies` says nothing without `tables`"},
    {"policies: {settings: {}}\ntables: {a: {columns: {b: int4}}}",
     "`policies` must have a list `roles`"},
    {"policies: {roles: [r], settings: {app.u: users}}\ntables: {a: {columns: {b: int4}}}",
     "the setting 'app.u' must name a table of `tables`, or have a `type` or `labels`"},
    {"tables: {a: {columns: {b: int4}}}\ninitialize: {s: {sql: SELECT 1}}",
     "with `tables`, `initialize` must be a list"},
    {"tables: {a: {columns: {b: int4}}}\nrules: {insert_b: null}",
     "there is no 'insert_b' here to leave out"},
};

static void mistakes_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        struct reading reading;
        (void)snprintf(text, sizeof text, "machine: x\n%s\n", wrong[i][0]);
        read_text(&reading, text);
        assert_null(reading.machine);
        assert_int_equal(reading.diagnostics.errors.count, 1);
        const struct error *err = &reading.diagnostics.errors.items[0];
        if (!strstr(err->message, wrong[i][1])) {
            fail_msg("%s: %s, not %s", wrong[i][0], err->message, wrong[i][1]);
        }
        assert_ptr_not_equal(err->pos.source, NULL);
        assert_true(source_place(err->pos).line > 1);
        arena_free(&reading.arena);
    }
}

static const char machine[] = "machine: x\n"
                              "model: |\n"
                              "  mine = [0]\n"
                              "  first = len(a)\n"
                              "tables:\n"
                              "  a:\n"
                              "    columns: {b: int4 required}\n"
                              "    unique: {k: [b]}\n"
                              "initialize:\n"
                              "  - {sql: SELECT 2, model: mine.append(1)}\n"
                              "rules:\n"
                              "  own: {sql: SELECT 1, model: mine.append(len(a))}\n"
                              "  delete_a: null\n"
                              "  update_a: {sql: SELECT 3}\n"
                              "invariants:\n"
                              "  more: {sql: SELECT 1, expect: 1}\n";

static bool has_rule(const struct machine *read, const char *name)
{
    for (size_t i = 0; i < read->rules.count; i++) {
        if (strcmp(read->rules.items[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void parts_join(void **state)
{
    struct reading reading;
    (void)state;
    read_text(&reading, machine);
    assert_non_null(reading.machine);
    const struct machine *read = reading.machine;
    assert_true(has_rule(read, "insert_a") && has_rule(read, "own"));
    assert_false(has_rule(read, "delete_a"));
    assert_int_equal(read->initialize.count, 2);
    assert_string_equal(read->rules.items[read->rules.count - 1].name, "update_a");
    assert_int_equal(source_place(read->rules.items[read->rules.count - 1].pos).line, 14);
    assert_int_equal(read->invariants.count, 2);
    assert_string_equal(read->invariants.items[0].name, "a");
    /* Generated parts have the place of their origin. */
    assert_int_equal(source_place(read->rules.items[0].pos).line, 6);
    assert_int_equal(source_place(read->invariants.items[1].pos).line, 16);
    arena_free(&reading.arena);
}

/* The output of expand is a machine with the same names, and without anything to expand. */
static void expanded_is_a_machine(void **state)
{
    struct reading reading;
    struct reading again;
    struct strbuf once = {0};
    struct strbuf twice = {0};
    (void)state;
    read_text(&reading, machine);
    machine_expand(reading.machine, &once);
    read_text(&again, strbuf_text(&once));
    assert_non_null(again.machine);
    assert_int_equal(again.machine->rules.count, reading.machine->rules.count);
    assert_int_equal(again.machine->initialize.count, 2);
    for (size_t i = 0; i < again.machine->rules.count; i++) {
        assert_true(has_rule(reading.machine, again.machine->rules.items[i].name));
    }
    assert_null(strstr(strbuf_text(&once), "\ntables:"));
    assert_non_null(strstr(strbuf_text(&once), "\n  mine = [0]\n  first = len(a)\n"));
    machine_expand(again.machine, &twice);
    assert_string_equal(strbuf_text(&twice), strbuf_text(&once));
    strbuf_free(&once);
    strbuf_free(&twice);
    arena_free(&reading.arena);
    arena_free(&again.arena);
}

/* If there is nothing at the end of the file, the place is the end. */
static void end_is_a_place(void **state)
{
    struct reading reading;
    (void)state;
    read_text(&reading, "machine: x\ntables: {a: {columns: {b: int4}}}\ninvariants:");
    assert_int_equal(reading.diagnostics.errors.count, 1);
    assert_int_equal(source_place(reading.diagnostics.errors.items[0].pos).line, 3);
    arena_free(&reading.arena);
}

/* Aliases refer to text elsewhere. */
static void aliases_are_kept(void **state)
{
    struct reading reading;
    struct reading again;
    struct strbuf text = {0};
    (void)state;
    read_text(&reading, "machine: x\n"
                        "tables: {a: {columns: {b: int4}}}\n"
                        "initialize:\n"
                        "  - &step {sql: SELECT 1}\n"
                        "  - *step\n"
                        "rules:\n"
                        "  one: &rule\n"
                        "    sql: SELECT 1\n"
                        "  two: *rule # the same\n"
                        "  three: {sql: SELECT 3}\n"
                        "invariants: {z: SELECT 1}\n");
    assert_non_null(reading.machine);
    machine_expand(reading.machine, &text);
    read_text(&again, strbuf_text(&text));
    assert_non_null(again.machine);
    assert_true(has_rule(again.machine, "one") && has_rule(again.machine, "two") &&
                has_rule(again.machine, "three"));
    assert_int_equal(again.machine->rules.count, reading.machine->rules.count);
    assert_int_equal(again.machine->initialize.count, reading.machine->initialize.count);
    strbuf_free(&text);
    arena_free(&reading.arena);
    arena_free(&again.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_found),    cmocka_unit_test(parts_join),
        cmocka_unit_test(expanded_is_a_machine), cmocka_unit_test(end_is_a_place),
        cmocka_unit_test(aliases_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
