/* Damages good machines: changes bytes, cuts out, doubles or inserts pieces. The loader must answer
 * in a short time, with a machine or with at least one message whose place is in the file, without
 * a crash or a leak (under the sanitizers). The seed is fixed. */
#include "machine/machine.h"

#include "support/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEXT_MAX = 1 << 16 };

static const char *const files[] = {
    TEST_DATA_DIR "/good/everything.yaml",
    TEST_DATA_DIR "/../../../machines/membership.yaml",
    TEST_DATA_DIR "/../../../machines/membership_two_users.yaml",
    TEST_DATA_DIR "/../../../machines/items.yaml",
};
enum { FILES = sizeof files / sizeof files[0] };

/* Pieces that random changes of the file rarely give. */
static const char *const pieces[] = {
    "'",           "\"",     "|",     ">",    ": ",     "- ",        "[",
    "]",           "{",      "}",     "#",    " #",     ", ",        "&a ",
    "*a ",         "!x ",    "\t",    "\n",   "\n  ",   ":a",        ":\"a\"",
    "$$",          "--",     "/*",    "(",    ")",      "\\",        "\xff",
    "\xc3\xa9",    "0",      "-1",    "None", "def f(", "for",       "if",
    "lambda x: x", "BEGIN;", "---\n", "%",    "result", "consumes(", "\xe2\x80\xa8",
};
enum { PIECES = sizeof pieces / sizeof pieces[0] };

struct text {
    char data[TEXT_MAX];
    size_t size;
};

static uint64_t seed = 20240229;

static size_t below(size_t bound)
{
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return bound ? (size_t)(seed >> 33) % bound : 0;
}

static void replace(struct text *text, size_t at, size_t cut, const char *with, size_t size)
{
    if (cut > text->size - at) {
        cut = text->size - at;
    }
    if (text->size - cut + size >= TEXT_MAX) {
        return;
    }
    memmove(text->data + at + size, text->data + at + cut, text->size - at - cut);
    memcpy(text->data + at, with, size);
    text->size = text->size - cut + size;
}

static void mutate(struct text *text)
{
    size_t at = below(text->size + 1);
    size_t length = below(30);
    const char *piece = pieces[below(PIECES)];
    char copy[32];
    size_t from = below(text->size + 1);
    if (length > text->size - from) {
        length = text->size - from;
    }
    memcpy(copy, text->data + from, length);
    switch (below(5)) {
    case 0:
        replace(text, at, 1, piece, strlen(piece));
        break;
    case 1:
        replace(text, at, 0, piece, strlen(piece));
        break;
    case 2:
        replace(text, at, below(20), "", 0);
        break;
    case 3:
        replace(text, at, 0, copy, length);
        break;
    default:
        replace(text, at, length, copy, length);
        break;
    }
}

static void read_original(const char *path, struct text *out)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    out->size = fread(out->data, 1, TEXT_MAX, file);
    (void)fclose(file);
}

static void load(const struct text *text)
{
    struct arena arena = {0};
    struct diagnostics diagnostics = {.arena = &arena};
    const struct machine *machine;
    bool ok = machine_read("m.yaml", text->data, text->size, NULL, &arena, &machine, &diagnostics);
    assert_int_equal(ok, machine != NULL);
    assert_int_equal(ok, diagnostics.errors.count == 0);
    struct strbuf out = {0};
    for (size_t i = 0; i < diagnostics.errors.count; i++) {
        const struct error *err = &diagnostics.errors.items[i];
        assert_true(err->pos.source ? err->pos.offset <= text->size : i > 0);
        error_format(err, &out);
    }
    strbuf_free(&out);
    arena_free(&arena);
}

static void test_mutations(void **state)
{
    (void)state;
    static struct text original;
    static struct text text;
    const size_t count = rounds(300, 1500);
    for (size_t file = 0; file < FILES; file++) {
        read_original(files[file], &original);
        for (size_t round = 0; round < count; round++) {
            text = original;
            for (size_t i = 0; i <= round % 4; i++) {
                mutate(&text);
            }
            load(&text);
        }
    }
}

/* A file cut off anywhere. */
static void test_prefixes(void **state)
{
    (void)state;
    static struct text text;
    const size_t cut = rounds(37, 7);
    read_original(files[0], &text);
    while (text.size) {
        load(&text);
        text.size -= text.size > cut ? cut : text.size;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
