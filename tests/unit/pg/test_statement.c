/* Templates as sent to the server, and the positions in its errors. */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "pg/session/statement.h"

#include <string.h>

struct bench {
    struct arena arena;
    struct source source;
    struct snippet snippet;
    const struct sql_template *sql;
};

static void start(struct bench *bench, const char *text)
{
    struct sql_templates templates = {0};
    *bench = (struct bench){.source = {.name = "test.sql", .text = text, .size = strlen(text)}};
    struct diagnostics diagnostics = {.arena = &bench->arena};
    bench->snippet = snippet_of_source(&bench->source);
    assert_true(sql_scan(&bench->snippet, NULL, NULL, &bench->arena, &templates, &diagnostics));
    assert_int_equal(templates.items.count, 1);
    bench->sql = templates.items.items[0];
}

static void values_get_numbers(void **state)
{
    struct bench bench;
    struct strbuf text = {0};
    const struct statement_sink sink = {.text = &text};
    (void)state;
    start(&bench, "SELECT :x::int, ':x', :x /* :y */ + :y");
    assert_true(statement_text(bench.sql, NULL, &sink, NULL));
    assert_string_equal(strbuf_text(&text), "SELECT $1::int, ':x', $2 /* :y */ + $3");
    assert_int_equal(statement_slots(bench.sql), 3);
    strbuf_free(&text);
    arena_free(&bench.arena);
}

/* Every character of the sent text that is also in the written one is mapped back to it. */
static void positions(void **state)
{
    static const char written[] = "  SELECT 'é', :long_name::int,\n é.b + :y FROM é";
    struct bench bench;
    struct strbuf text = {0};
    const struct statement_sink sink = {.text = &text};
    (void)state;
    start(&bench, written);
    assert_true(statement_text(bench.sql, NULL, &sink, NULL));
    const char *sent = strbuf_text(&text);
    assert_string_equal(sent, "SELECT 'é', $1::int,\n é.b + $2 FROM é");
    static const char *const marks[] = {"'é'", "::int", "é.b", " FROM"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(sent, marks[i]);
        int position = 1;
        for (const char *c = sent; c < at; c++) {
            position += ((unsigned char)*c & 0xC0U) != 0x80U;
        }
        struct source_pos pos =
            statement_place(bench.sql, statement_position(bench.sql, position, NULL));
        assert_ptr_equal(written + pos.offset, strstr(written, marks[i]));
    }
    /* Within a parameter: its beginning. */
    struct source_pos pos = statement_place(bench.sql, statement_position(bench.sql, 14, NULL));
    assert_memory_equal(written + pos.offset, ":long_name", 10);
    assert_int_equal(statement_position(bench.sql, 0, NULL), 0);
    assert_int_equal(statement_position(bench.sql, 10000, NULL), 0);
    strbuf_free(&text);
    arena_free(&bench.arena);
}

/* The server points past the last character if the text ends too soon. */
static void position_at_the_end(void **state)
{
    struct bench bench;
    (void)state;
    start(&bench, "SELECT 1 +");
    assert_int_equal(statement_position(bench.sql, 11, NULL), 11);
    assert_int_equal(statement_place(bench.sql, 11).offset, 10);
    arena_free(&bench.arena);
}

static void pasted_widths(void **state)
{
    struct bench bench;
    const uint32_t widths[] = {20, 2};
    (void)state;
    start(&bench, "SELECT :'x', :y, nosuch");
    /* Sent: 7 characters, 20 pasted, ", ", "$1", ", nosuch". */
    assert_int_equal(statement_position(bench.sql, 7 + 20 + 2 + 2 + 2 + 1, widths), 18);
    arena_free(&bench.arena);
}

/* One statement per template and actor; actors are told apart by both names. */
static void actors(void **state)
{
    struct arena arena = {0};
    struct machine machine = {0};
    struct statements statements;
    struct sql_template sql = {.id = 0};
    const struct sql_template *templates[] = {&sql};
    (void)state;
    machine.templates.items = templates;
    machine.templates.count = 1;
    statements_init(&statements, &machine, &arena);
    assert_int_equal(
        statements_actor(&statements, &(struct actor){.session_user = NULL, .role = NULL}), 0);
    size_t ann =
        statements_actor(&statements, &(struct actor){.session_user = NULL, .role = "ann"});
    size_t as_ann =
        statements_actor(&statements, &(struct actor){.session_user = "ann", .role = NULL});
    assert_int_not_equal(ann, as_ann);
    assert_int_equal(
        statements_actor(&statements, &(struct actor){.session_user = NULL, .role = "ann"}), ann);
    struct statement *one = statements_get(&statements, &sql, ann);
    assert_ptr_equal(statements_get(&statements, &sql, ann), one);
    assert_ptr_not_equal(statements_get(&statements, &sql, as_ann), one);
    assert_string_not_equal(statements_get(&statements, &sql, as_ann)->name, one->name);
    one->state = STATEMENT_PREPARED;
    statements_forget(&statements);
    assert_int_equal(one->state, STATEMENT_NEW);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_get_numbers),
        cmocka_unit_test(positions),
        cmocka_unit_test(position_at_the_end),
        cmocka_unit_test(pasted_widths),
        cmocka_unit_test(actors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
