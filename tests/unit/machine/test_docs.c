/* Every example in YAML of docs/MACHINES.md, docs/STRATEGIES.md and docs/COMING-FROM.md is a
 * machine that can be read, once it has a name and a rule. */
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DOCS TEST_DATA_DIR "/../../../docs/"

static bool has_key(const char *text, const char *key)
{
    size_t size = strlen(key);
    const char *at = text;
    while ((at = strstr(at, key))) {
        if (at == text || at[-1] == '\n') {
            return true;
        }
        at += size;
    }
    return false;
}

static void check_example(const char *page, const char *text, size_t size)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    struct strbuf whole = {0};
    const struct machine *machine;
    strbuf_add(&whole, text, size);
    if (!has_key(strbuf_text(&whole), "machine:")) {
        strbuf_adds(&whole, "machine: docs\n");
    }
    if (!has_key(strbuf_text(&whole), "rules:") && !has_key(strbuf_text(&whole), "tables:")) {
        strbuf_adds(&whole, "rules: {a: {sql: SELECT 1}}\n");
    }
    if (!machine_read(page, strbuf_text(&whole), whole.size, NULL, &arena, &machine,
                      &diagnostics)) {
        struct strbuf message = {0};
        error_format(&diagnostics.errors.items[0], &message);
        print_error("%s", strbuf_text(&message));
        strbuf_free(&message);
        fail();
    }
    strbuf_free(&whole);
    arena_free(&arena);
}

static int check_page(const char *path)
{
    static char page[1 << 17];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    (void)fclose(file);
    int count = 0;
    const char *at = page;
    while ((at = strstr(at, "\n```yaml\n"))) {
        at += strlen("\n```yaml\n");
        const char *end = strstr(at, "\n```\n");
        assert_non_null(end);
        check_example(path, at, (size_t)(end + 1 - at));
        count++;
        at = end + 5;
    }
    return count;
}

static void test_examples(void **state)
{
    (void)state;
    assert_true(check_page(DOCS "MACHINES.md") >= 10);
    assert_true(check_page(DOCS "STRATEGIES.md") >= 1);
    assert_true(check_page(DOCS "COMING-FROM.md") >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
