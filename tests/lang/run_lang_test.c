/*
 * Runs a file of tests of the model language, and reports the lines that differ.
 *
 * A file holds cases. Lines before the first case are for the reader. A case is
 *
 * == what it shows
 *     the program
 *     -- prints
 *     what print() prints, then the value of the last expression, unless that is None
 *
 * or, of a program that must be refused or must fail,
 *
 * -- fails
 *     2:5: the error's message, with line and column in the program
 *     further lines: of the call stack (the file is called `test`), and `hint: …`; those that stand
 *     here must come out, in this order; others may
 *
 * Between the title and the program may stand lines that change how it is run:
 *
 * -- expression        the program is one expression
 *     -- steps 1000        the limits of an example; also -- bytes N, -- depth N
 */
#include "base/source.h"
#include "lang/lang.h"
#include "tables/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    const char *data;
    size_t size;
};

struct test_case {
    struct text title;
    struct text program;
    struct text expected;
    bool fails;
    enum lang_mode mode;
    struct lang_limits limits;
    size_t line; /* of its title, in the file */
};

struct reader {
    const char *name;
    struct text rest;
    size_t line;
};

static struct text next_line(struct reader *reader)
{
    const char *end = memchr(reader->rest.data, '\n', reader->rest.size);
    size_t size = end ? (size_t)(end - reader->rest.data) : reader->rest.size;
    struct text line = {reader->rest.data, size};
    size_t passed = end ? size + 1 : size;
    reader->rest = (struct text){reader->rest.data + passed, reader->rest.size - passed};
    reader->line++;
    return line;
}

static bool starts(struct text line, const char *with)
{
    return line.size >= strlen(with) && memcmp(line.data, with, strlen(with)) == 0;
}

static bool is(struct text line, const char *other)
{
    return line.size == strlen(other) && starts(line, other);
}

static void stop(const struct reader *reader, const char *message)
{
    (void)fprintf(stderr, "%s:%zu: %s\n", reader->name, reader->line, message);
    exit(2);
}

/* A line `-- word number`. */
static bool read_number(struct text line, const char *word, uint64_t *out)
{
    if (!starts(line, word)) {
        return false;
    }
    *out = strtoull(line.data + strlen(word), NULL, 10);
    return true;
}

static bool read_option(struct text line, struct test_case *test)
{
    uint64_t number;
    if (is(line, "-- expression")) {
        test->mode = LANG_EXPRESSION;
    } else if (read_number(line, "-- steps ", &number)) {
        test->limits.steps = number;
    } else if (read_number(line, "-- bytes ", &number)) {
        test->limits.bytes = (size_t)number;
    } else if (read_number(line, "-- depth ", &number)) {
        test->limits.depth = (unsigned)number;
    } else {
        return false;
    }
    return true;
}

/* Up to a line that `is_end` knows, which is taken only where it is no title. */
static struct text read_part(struct reader *reader, bool (*is_end)(struct text line))
{
    struct text part = {reader->rest.data, 0};
    while (reader->rest.size > 0) {
        struct reader before = *reader;
        struct text line = next_line(reader);
        if (is_end(line)) {
            *reader = before;
            break;
        }
        part.size = (size_t)(reader->rest.data - part.data);
    }
    return part;
}

static bool ends_program(struct text line)
{
    return is(line, "-- prints") || is(line, "-- fails") || starts(line, "== ");
}

static bool ends_case(struct text line) { return starts(line, "== "); }

/* False at the end of the file. */
static bool read_case(struct reader *reader, struct test_case *test)
{
    (void)read_part(reader, ends_case);
    if (reader->rest.size == 0) {
        return false;
    }
    struct text title = next_line(reader);
    *test = (struct test_case){.title = {title.data + 3, title.size - 3},
                               .mode = LANG_TOP,
                               .limits = lang_default_limits,
                               .line = reader->line};
    struct reader before = *reader;
    while (read_option(next_line(reader), test)) {
        before = *reader;
    }
    *reader = before;
    test->program = read_part(reader, ends_program);
    struct text marker = next_line(reader);
    if (!ends_program(marker) || ends_case(marker)) {
        stop(reader, "`-- prints` or `-- fails` is missing");
    }
    test->fails = is(marker, "-- fails");
    test->expected = read_part(reader, ends_case);
    while (test->expected.size > 1 &&
           memcmp(test->expected.data + test->expected.size - 2, "\n\n", 2) == 0) {
        test->expected.size--; /* empty lines before the next title */
    }
    if (test->expected.size == 1 && *test->expected.data == '\n') {
        test->expected.size = 0;
    }
    return true;
}

static void print_line(void *host, const char *line, size_t size)
{
    strbuf_add(host, line, size);
    strbuf_addc(host, '\n');
}

static void write_error(const struct error *err, struct strbuf *out)
{
    if (err->pos.source) {
        struct source_place place = source_place(err->pos);
        strbuf_addf(out, "%zu:%zu: ", place.line, place.column);
    }
    strbuf_addf(out, "%s\n", err->message);
    if (err->detail[0]) {
        strbuf_addf(out, "%s\n", err->detail);
    }
    if (err->hint[0]) {
        strbuf_addf(out, "hint: %s\n", err->hint);
    }
}

/* Runs the program; true if it succeeds. Its output or the error goes to `out`. */
static bool run(const struct test_case *test, struct arena *machine, struct arena *example,
                struct strbuf *out)
{
    struct source source = {.name = "test",
                            .text = arena_strndup(machine, test->program.data, test->program.size),
                            .size = test->program.size};
    struct snippet snippet = snippet_of_source(&source);
    static const struct native_function *const tables[] = {tables_functions, NULL};
    struct lang_module *module = lang_module_new(machine, tables, NULL);
    struct error err = {0};
    struct lang_code *code;
    struct lang_state state;
    struct value value;
    if (!lang_compile(module, machine, NULL, test->mode, &snippet, &code, &err)) {
        write_error(&err, out);
        return false;
    }
    lang_state_begin(&state, module, example, NULL);
    state.limits = test->limits;
    state.print = print_line;
    state.print_host = out;
    if (!lang_eval(&state, code, NULL, &value, &err)) {
        write_error(&err, out);
        return false;
    }
    if (value.type != VALUE_NONE) {
        value_repr(value, out);
        strbuf_addc(out, '\n');
    }
    return true;
}

/* True if the actual lines contain the expected ones in this order, and begin with the first. */
static bool error_matches(struct text expected, struct text actual)
{
    struct reader wanted = {.rest = expected};
    struct reader given = {.rest = actual};
    for (bool first = true; wanted.rest.size > 0; first = false) {
        struct text line = next_line(&wanted);
        bool found = false;
        while (!found && given.rest.size > 0) {
            struct text other = next_line(&given);
            found = other.size == line.size && memcmp(other.data, line.data, line.size) == 0;
            if (first && !found) {
                return false;
            }
        }
        if (!found) {
            return false;
        }
    }
    return expected.size > 0;
}

static bool passes(const struct reader *reader, const struct test_case *test)
{
    struct arena machine = {0};
    struct arena example = {0};
    struct strbuf out = {0};
    bool succeeded = run(test, &machine, &example, &out);
    struct text actual = {strbuf_text(&out), out.size};
    bool same = actual.size == test->expected.size &&
                memcmp(actual.data, test->expected.data, actual.size) == 0;
    bool ok =
        succeeded != test->fails && (succeeded ? same : error_matches(test->expected, actual));
    if (!ok) {
        (void)fprintf(stderr, "%s:%zu: %.*s\nexpected:\n%.*sactual:\n%s\n", reader->name,
                      test->line, (int)test->title.size, test->title.data, (int)test->expected.size,
                      test->expected.data, actual.data);
    }
    strbuf_free(&out);
    arena_free(&example);
    arena_free(&machine);
    return ok;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    struct strbuf text = {0};
    char block[4096];
    size_t count;
    while ((count = fread(block, 1, sizeof block, file)) > 0) {
        strbuf_add(&text, block, count);
    }
    (void)fclose(file);
    *size = text.size;
    return text.data;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: %s FILE.test\n", argv[0]);
        return 2;
    }
    size_t size;
    char *text = read_file(argv[1], &size);
    struct reader reader = {.name = argv[1], .rest = {text, size}};
    struct test_case test;
    size_t cases = 0;
    size_t failures = 0;
    while (read_case(&reader, &test)) {
        cases++;
        failures += !passes(&reader, &test);
    }
    if (cases == 0) {
        stop(&reader, "no case in this file");
    }
    (void)printf("%zu cases, %zu failed\n", cases, failures);
    free(text);
    return failures > 0;
}
