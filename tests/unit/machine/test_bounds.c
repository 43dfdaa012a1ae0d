/* Files that need too much: refused quickly, and the message names the limit. */
#include "machine/machine.h"

#include "support/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The text is `head`, `count` times `item` (a format for a number) and `tail`. */
struct made {
    const char *head;
    const char *item;
    int count;
    const char *tail;
    const char *message; /* one of the mistakes; NULL if there are none */
};

static void add_item(struct strbuf *out, const char *item, int number)
{
    for (; *item; item++) {
        if (*item == '#') {
            strbuf_addf(out, "%d", number);
        } else {
            strbuf_addc(out, *item);
        }
    }
}

static void check(const struct made *made)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct strbuf text = {0};
    const struct machine *machine;
    strbuf_adds(&text, "machine: a\n");
    strbuf_adds(&text, made->head);
    for (int i = 0; i < made->count; i++) {
        add_item(&text, made->item, i);
    }
    strbuf_adds(&text, made->tail);
    bool ok =
        machine_read("m.yaml", strbuf_text(&text), text.size, NULL, &arena, &machine, &diagnostics);
    bool found = ok && !made->message;
    for (size_t i = 0; made->message && i < diagnostics.errors.count; i++) {
        found = found || strstr(diagnostics.errors.items[i].message, made->message);
    }
    if (!found) {
        fail_msg("%s %s: %s", made->head, made->item,
                 ok ? "no mistake" : diagnostics.errors.items[0].message);
    }
    strbuf_free(&text);
    arena_free(&arena);
}

static const struct made cases[] = {
    {"rules:\n", " r#: {sql: SELECT 1, target: b#}\n", 2000, "", NULL},
    {"rules:\n a:\n  sql: SELECT 1\n  args:\n", "   a#: 1\n", 250, "", NULL},
    {"rules:\n a:\n  sql: SELECT 1\n  args:\n", "   a#: 1\n", 251, "",
     "more than 250 names in one place"},
    {"rules: {a: {sql: SELECT 1}}\ninvariants:\n a:\n  sql: SELECT 1\n  for:\n", "   a#: '[]'\n",
     251, "", "more than 250 names in one place"},
    {"rules: {a: {as: {settings: {x.y: '1'", ", a.b#: '1'", 251, "}}, sql: SELECT 1}}",
     "more than 250 settings in one context"},
    {"rules:\n a:\n  sql:\n", "   - SELECT 1\n", 50002, "",
     "the machine has more than 50,000 statements"},
    {"rules:\n a:\n  sql: |\n", "   SELECT 1;\n", 1001, "",
     "more than 1000 statements in one text"},
    {"model: |\n", "  v# = 1\n", 2000, "rules: {a: {sql: SELECT 1}}", NULL},
    {"model: |\n", "  v# = 1\n", 2001, "rules: {a: {sql: SELECT 1}}",
     "more than 2000 variables in one place"},
    {"rules:\n a:\n  model: |\n", "    v# = 1\n", 2001, "",
     "more than 2000 variables in one place"},
    {"model: |\n  def f():\n", "    v# = 1\n", 2001, "rules: {a: {sql: SELECT 1}}",
     "more than 2000 variables in one place"},
    {"rules:\n", " r#: {sql: 'SELECT ('}\n", 3000, "", "and more"},
    {"rules:\n", " r#: {sql: 'SELECT :x#'}\n", 3000, "", "and more"},
    {"", "k#: 1\n", 3000, "rules: {a: {sql: SELECT 1}}", "and more"},
    {"model: x = '", "# and # and # ", 50000, "'\nrules: {a: {sql: SELECT 1}}\n",
     "more than 1 MiB in one text of code or SQL"},
};

static void test_bounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check(&cases[i]);
    }
}

/* Thousands of parts that could each be compared with all others: files that take seconds where one
 * is. Lines of a mebibyte, since a place is a line. */
static const struct made large[] = {
    {"rules:\n", " r#: {args: {x: b#}, returns: '1', target: b#}\n", 20000, "", "and more"},
    {"rules:\n", " r#: {returns: '1', target: b#}\n", 20000, "", NULL},
    {"rules: {", "r: {sql: SELECT 1},", 100000, "}\n", "and more"},
    {"rules:\n", " r#: {sql: SELECT 1}\n", 50000, "", NULL},
    {"rules: {a: {sql: SELECT 1}}\nexamples: [", "{name: e, steps: a()},", 50000, "]\n",
     "and more"},
};

static void test_large(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        struct made made = large[i];
        made.count = (int)rounds((uint64_t)made.count / 20, (uint64_t)made.count);
        check(&made);
    }
}

/* libyaml compares each of these with all before it. */
static void test_directives(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct strbuf text = {0};
    const struct machine *machine;
    for (int i = 0; i < 200000; i++) {
        strbuf_addf(&text, "%%TAG !t%d! x\n", i);
    }
    strbuf_adds(&text, "--- {machine: a, rules: {a: {sql: SELECT 1}}}\n");
    assert_false(machine_read("m.yaml", strbuf_text(&text), text.size, NULL, &arena, &machine,
                              &diagnostics));
    assert_string_equal(diagnostics.errors.items[0].message,
                        "more than 100 lines that begin with %TAG");
    strbuf_free(&text);
    arena_free(&arena);
}

/* A file of some MiB, as `init` made of hundreds of tables. */
static void test_many_tables(void **state)
{
    (void)state;
    check(&(struct made){
        "model: |\n  t = {}\nrules:\n",
        "  insert_#:\n    args: {id: 'integers(0, 1000)', name: 'text(max_size=20)'}\n    sql: |\n"
        "      INSERT INTO table_# AS t (id, name, note, parent)\n"
        "      SELECT id, name, note, parent FROM jsonb_populate_record(NULL::table_#, :id)\n"
        "    raises: 'unique_violation if id in t else None'\n    model: t[id] = name\n",
        (int)rounds(1000, 25000), "", NULL});
}

/* A small file whose aliases or contexts need gigabytes. */
static void test_multiplied(void **state)
{
    (void)state;
    const int rules = (int)rounds(70, 5000);
    struct strbuf head = {0};
    strbuf_adds(&head, "description: &a '");
    strbuf_fill(&head, 'x', 500000);
    strbuf_adds(&head, "'\nrules:\n");
    check(&(struct made){strbuf_text(&head), " r#: {sql: *a}\n", rules, "",
                         "more than 32 MiB of code"});
    strbuf_free(&head);
}

/* Code whose memory is many times its size. */
static void test_memory(void **state)
{
    (void)state;
    struct strbuf head = {0};
    if (rounds(0, 1) == 0) {
        skip();
    }
    strbuf_adds(&head, "description: &a '");
    strbuf_fill(&head, 'x', 500000);
    strbuf_adds(&head, "'\nrules:\n");
    check(&(struct made){strbuf_text(&head), " r#: {model: *a}\n", 5000, "",
                         "more than 32 MiB of code"});
    strbuf_clear(&head);
    strbuf_adds(&head, "as: {claims: '{1:[");
    for (int i = 0; i < 100000; i++) {
        strbuf_adds(&head, "1,");
    }
    strbuf_adds(&head, "]}'}\nrules:\n");
    check(&(struct made){strbuf_text(&head), " r#: {sql: SELECT 1}\n", 5000, "",
                         "the machine takes more than 512 MiB"});
    strbuf_free(&head);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),     cmocka_unit_test(test_large),
        cmocka_unit_test(test_directives), cmocka_unit_test(test_many_tables),
        cmocka_unit_test(test_multiplied), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
