/* docs/MODEL-LANGUAGE.md is true: its examples give the documented results, and it lists every
 * builtin and method. */
#include "harness.h"

#include "lang/builtins/methods.h"
#include "lang/builtins/native.h"
#include "tables/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char arrow[] = "# \xe2\x86\x92 ";

static char *read_docs(void)
{
    FILE *file = fopen(TEST_DATA_DIR "/../../../docs/MODEL-LANGUAGE.md", "rb");
    struct strbuf text = {0};
    char block[4096];
    size_t count;
    assert_non_null(file);
    while ((count = fread(block, 1, sizeof block, file)) > 0) {
        strbuf_add(&text, block, count);
    }
    (void)fclose(file);
    return text.data;
}

/* A line `expression   # → value` prints the value; the value goes to `expected`. */
static void add_line(const char *line, struct strbuf *program, struct strbuf *expected)
{
    const char *value = strstr(line, arrow);
    if (value) {
        strbuf_addf(program, "print(repr(%.*s))\n", (int)(value - line), line);
        strbuf_addf(expected, "%s\n", value + sizeof arrow - 1);
    } else {
        strbuf_addf(program, "%s\n", line);
    }
}

static void print_line(void *host, const char *line, size_t size)
{
    strbuf_add(host, line, size);
    strbuf_addc(host, '\n');
}

static void run_block(const char *program, const char *expected)
{
    struct harness harness;
    struct strbuf printed = {0};
    static const struct native_function *const tables[] = {tables_functions, NULL};
    harness_begin(&harness, tables, NULL);
    struct lang_code *code = harness_compile(&harness, LANG_TOP, program);
    harness_start(&harness);
    harness.state.print = print_line;
    harness.state.print_host = &printed;
    (void)harness_run(&harness, code, NULL);
    assert_string_equal(strbuf_text(&printed), expected);
    strbuf_free(&printed);
    harness_end(&harness);
}

static void examples_give_what_they_say(void **state)
{
    (void)state;
    char *docs = read_docs();
    struct strbuf program = {0};
    struct strbuf expected = {0};
    bool inside = false;
    size_t blocks = 0;
    for (char *line = strtok(docs, "\n"); line; line = strtok(NULL, "\n")) {
        if (!inside) {
            inside = strcmp(line, "```python") == 0;
        } else if (strcmp(line, "```") == 0) {
            run_block(strbuf_text(&program), strbuf_text(&expected));
            strbuf_clear(&program);
            strbuf_clear(&expected);
            inside = false;
            blocks++;
        } else {
            add_line(line, &program, &expected);
        }
    }
    assert_in_range(blocks, 5, 100);
    strbuf_free(&program);
    strbuf_free(&expected);
    free(docs);
}

static void assert_named(const char *docs, const struct native_function *functions,
                         const char *behind)
{
    for (; functions->name; functions++) {
        char wanted[64];
        (void)snprintf(wanted, sizeof wanted, "`%s%s", functions->name, behind);
        if (!strstr(docs, wanted)) {
            fail_msg("%s is not in docs/MODEL-LANGUAGE.md", functions->name);
        }
    }
}

static void nothing_is_missing(void **state)
{
    (void)state;
    char *docs = read_docs();
    for (size_t i = 0; lang_builtins[i]; i++) {
        assert_named(docs, lang_builtins[i], "(");
    }
    assert_named(docs, tables_functions, "(");
    assert_named(docs, tables_methods, "(");
    for (size_t type = 0; type < VALUE_TYPES; type++) {
        if (method_tables[type]) {
            assert_named(docs, method_tables[type], "`");
        }
    }
    free(docs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_give_what_they_say),
        cmocka_unit_test(nothing_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
