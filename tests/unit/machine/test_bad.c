/* Every bad/NAME.yaml gives exactly the messages of bad/NAME.expected, all together: file, line,
 * column, the line with a caret, hints. Write the .expected of a new file by hand, or let this
 * program write it with UPDATE=1 in the environment, and read it before you commit it. */
#include "machine/machine.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    char *text = malloc((1 << 21) + 1);
    assert_non_null(text);
    *size = fread(text, 1, 1 << 21, file);
    text[*size] = '\0';
    (void)fclose(file);
    return text;
}

static void write_file(const char *path, const struct strbuf *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    (void)fwrite(strbuf_text(text), 1, text->size, file);
    (void)fclose(file);
}

static void messages(const char *name, const char *text, size_t size, struct strbuf *out)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    const struct machine *machine;
    bool ok = machine_read(name, text, size, NULL, &arena, &machine, &diagnostics);
    assert_int_equal(ok, diagnostics.errors.count == 0);
    assert_int_equal(ok, machine != NULL);
    for (size_t i = 0; i < diagnostics.errors.count; i++) {
        error_format(&diagnostics.errors.items[i], out);
    }
    arena_free(&arena);
}

static bool check_file(const char *name)
{
    char path[512];
    size_t size;
    size_t expected_size = 0;
    struct strbuf got = {0};
    (void)snprintf(path, sizeof path, "%s/bad/%s", TEST_DATA_DIR, name);
    char *text = read_file(path, &size);
    assert_non_null(text);
    messages(name, text, size, &got);
    (void)snprintf(path, sizeof path, "%s/bad/%.*s.expected", TEST_DATA_DIR,
                   (int)(strlen(name) - strlen(".yaml")), name);
    char *expected = read_file(path, &expected_size);
    bool same = expected && !strcmp(expected, strbuf_text(&got)) && got.size;
    if (getenv("UPDATE")) {
        write_file(path, &got);
    } else if (!same) {
        print_error("%s gives\n%s\nexpected\n%s\n", name, strbuf_text(&got),
                    expected ? expected : "(there is no .expected)");
    }
    free(expected);
    free(text);
    strbuf_free(&got);
    return same;
}

static int is_yaml(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > 5 && !strcmp(entry->d_name + size - 5, ".yaml");
}

static void test_bad_files(void **state)
{
    (void)state;
    struct dirent **entries;
    int count = scandir(TEST_DATA_DIR "/bad", &entries, is_yaml, alphasort);
    bool ok = true;
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        ok = check_file(entries[i]->d_name) && ok;
        free(entries[i]);
    }
    free(entries);
    assert_true(ok);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
