/*
 * Randomly changed programs (with a fixed seed) must be refused, fail, or run within limits,
 * without a crash or a leak. Every error must have a message and a place.
 *
 * The programs are those of tests/lang.
 */
#include "harness.h"

#include "base/utf8.h"
#include "base/vec.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUTANTS = 6000, CHANGES_MAX = 6, STEPS = 20000, BYTES = 4 << 20, TEXT_MAX = 2000 };

struct corpus {
    struct arena arena;
    VEC(const char *) programs;
};

static uint64_t random_state = 20240229;

/* SplitMix64. */
static uint64_t next_random(void)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15U;
    z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9U;
    z = (z ^ z >> 27U) * 0x94D049BB133111EBU;
    return z ^ z >> 31U;
}

static size_t below(size_t bound) { return bound ? (size_t)(next_random() % bound) : 0; }

/* The programs of one file: what stands between `== …` and `-- prints` or `-- fails`. */
static void add_programs(struct corpus *corpus, char *text)
{
    struct strbuf program = {0};
    bool inside = false;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        bool ends = strcmp(line, "-- prints") == 0 || strcmp(line, "-- fails") == 0;
        if (ends && program.size > 0 && program.size < TEXT_MAX) {
            *VEC_PUSH(&corpus->arena, &corpus->programs) = strbuf_copy(&program, &corpus->arena);
        }
        if (ends || strncmp(line, "== ", 3) == 0) {
            inside = !ends;
            strbuf_clear(&program);
        } else if (inside && strncmp(line, "-- ", 3) != 0) {
            strbuf_adds(&program, line);
            strbuf_addc(&program, '\n');
        }
    }
    strbuf_free(&program);
}

static void read_file(struct corpus *corpus, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct strbuf text = {0};
    char block[4096];
    size_t count;
    assert_non_null(file);
    while ((count = fread(block, 1, sizeof block, file)) > 0) {
        strbuf_add(&text, block, count);
    }
    (void)fclose(file);
    add_programs(corpus, text.data);
    strbuf_free(&text);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_test(const struct dirent *entry)
{
    size_t size = strlen(entry->d_name);
    return size > 5 && strcmp(entry->d_name + size - 5, ".test") == 0;
}

static void read_corpus(struct corpus *corpus)
{
    static const char folder[] = TEST_DATA_DIR "/../../lang";
    struct dirent **entries;
    int count = scandir(folder, &entries, is_test, by_name);
    assert_in_range(count, 10, 1000);
    for (int i = 0; i < count; i++) {
        read_file(corpus, arena_printf(&corpus->arena, "%s/%s", folder, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
}

/* Bytes and words that matter to the language. */
static const char *const pieces[] = {
    "(",        ")",
    "[",        "]",
    "{",        "}",
    ",",        ":",
    ";",        ".",
    "=",        "==",
    "+",        "-",
    "*",        "**",
    "/",        "//",
    "%",        "|",
    "&",        "^",
    "<<",       ">>",
    "~",        "<",
    ">=",       "!",
    "\n",       "    ",
    "\t",       "\r\n",
    "#",        "\\",
    "\"",       "'",
    "\"\"\"",   "r\"",
    "b'",       "f'",
    "0",        "1",
    "-1",       "1 << 62",
    "1.5",      "1e9",
    "1e999",    "0x",
    "None",     "True",
    "if ",      "else ",
    "for ",     "in ",
    "not ",     "and ",
    "or ",      "lambda ",
    "def ",     "return ",
    "x",        "xs",
    "f(",       "sorted(",
    "map(",     "str(",
    "*",        "range(",
    "x = ",     "x += ",
    "\xc3",     "\xff",
    "\xc3\xa9", "\xf0\x9f\x98\x80",
    "\\u",      "\\x00",
    "{}",       "()",
    "[]",       "9999999999999999999",
    ".append(", ".format(",
    ".join(",   ".replace(",
    "[::-1]",   "[0]",
    "is ",      "elif ",
    "break\n",  "pass\n",
};

static void insert(struct strbuf *text, size_t at, const char *piece, size_t size)
{
    struct strbuf rest = {0};
    strbuf_add(&rest, strbuf_text(text) + at, text->size - at);
    strbuf_truncate(text, at);
    strbuf_add(text, piece, size);
    strbuf_add(text, strbuf_text(&rest), rest.size);
    strbuf_free(&rest);
}

static void delete (struct strbuf *text, size_t at, size_t size)
{
    memmove(text->data + at, text->data + at + size, text->size - at - size);
    strbuf_truncate(text, text->size - size);
}

static const char *any_program(const struct corpus *corpus)
{
    const char *const *programs = corpus->programs.items;
    return programs ? programs[below(corpus->programs.count)] : "";
}

static void change(struct corpus *corpus, struct strbuf *text)
{
    size_t at = below(text->size + 1);
    size_t left = text->size - at;
    const char *other = any_program(corpus);
    size_t from = below(strlen(other));
    switch (below(6)) {
    case 0:
        delete (text, at, below(left < 8 ? left + 1 : 8));
        break;
    case 1:
        delete (text, at, below(left + 1));
        break;
    case 2: /* a part of another program */
        insert(text, at, other + from, below(strlen(other) - from + 1));
        break;
    case 3: /* a part of itself again */
        insert(text, below(text->size + 1), arena_strdup(&corpus->arena, strbuf_text(text) + at),
               below(left + 1));
        break;
    default: {
        const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
        insert(text, at, piece, strlen(piece));
    }
    }
    if (text->size > TEXT_MAX) {
        strbuf_truncate(text, TEXT_MAX);
    }
}

static void check_error(const struct error *err)
{
    assert_true(err->code == ERROR_MACHINE || err->code == ERROR_LIMIT);
    assert_true(err->message[0] != '\0');
    assert_non_null(err->pos.source);
    assert_true(err->pos.offset <= err->pos.source->size);
    assert_int_equal(utf8_invalid_at(err->message, strlen(err->message)), strlen(err->message));
    assert_int_equal(utf8_invalid_at(err->hint, strlen(err->hint)), strlen(err->hint));
}

static void run(const char *data, size_t size, enum lang_mode mode, size_t counts[2])
{
    struct harness harness;
    harness_begin(&harness, NULL, NULL);
    /* a copy that ends where the text ends: reading behind it is found */
    struct source source = {
        .name = "mutant", .text = arena_memdup(&harness.machine, data, size), .size = size};
    struct snippet snippet = snippet_of_source(&source);
    struct lang_code *code;
    struct value value;
    if (!lang_compile(harness.module, &harness.machine, &harness.locals, mode, &snippet, &code,
                      &harness.err)) {
        check_error(&harness.err);
        harness_end(&harness);
        return;
    }
    counts[0]++;
    struct value *locals = ARENA_ARRAY(&harness.machine, struct value, harness.locals.names.count);
    for (size_t i = 0; i < harness.locals.names.count; i++) {
        lang_unset(&locals[i]);
    }
    harness_start(&harness);
    harness.state.limits.steps = STEPS;
    harness.state.limits.bytes = BYTES;
    if (lang_eval(&harness.state, code, locals, &value, &harness.err)) {
        struct strbuf text = {0};
        value_repr(value, &text);
        strbuf_free(&text);
        counts[1]++;
    } else {
        check_error(&harness.err);
    }
    harness_end(&harness);
}

static void mutants(void **state)
{
    (void)state;
    struct corpus corpus = {0};
    size_t counts[2] = {0, 0};
    read_corpus(&corpus);
    assert_in_range(corpus.programs.count, 300, 10000);
    for (size_t i = 0; i < MUTANTS; i++) {
        struct strbuf text = {0};
        strbuf_adds(&text, any_program(&corpus));
        for (size_t changes = below(CHANGES_MAX); changes > 0; changes--) {
            change(&corpus, &text);
        }
        static const enum lang_mode modes[] = {LANG_TOP, LANG_TOP, LANG_STEP, LANG_EXPRESSION};
        run(strbuf_text(&text), text.size, modes[below(4)], counts);
        strbuf_free(&text);
    }
    /* not all are refused at once */
    assert_in_range(counts[0], MUTANTS / 10, MUTANTS);
    assert_in_range(counts[1], MUTANTS / 20, MUTANTS);
    arena_free(&corpus.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mutants)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
