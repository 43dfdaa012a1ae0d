/* The places at which a schema's files define the objects of mutants. */
#include "mutate/locate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char first[] =
    "\\restrict (\n"
    "-- CREATE TABLE app.item (n);\n"
    "COPY nothing FROM stdin;\n"
    "1\t2\n"
    "\\.\n"
    "CREATE TABLE app.item (\n"
    "  id int PRIMARY KEY, n int NOT NULL,\n"
    "  \"the Size\" int CONSTRAINT small CHECK (\"the Size\" < 9), UNIQUE (n));\n"
    "CREATE TABLE other (n int NOT NULL, m numeric(4, 1) DEFAULT 3);\n"
    "CREATE POLICY few ON App.Item TO a, b USING (n < 5);\n"
    "CREATE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS $$\n"
    "BEGIN\n"
    "  RETURN n * 2;\n"
    "END $$;\n"
    "GRANT SELECT, INSERT ON other TO a;\n"
    "CREATE POLICY some ON other USING (n IS NOT NULL);\n";
static const char second[] =
    "CREATE OR REPLACE FUNCTION twice(n int) RETURNS int LANGUAGE plpgsql AS "
    "$$\nBEGIN\n  RETURN n * 2;\nEND $$;\n"
    "ALTER TABLE other ADD CONSTRAINT later CHECK (n > 0);\n"
    "CREATE TABLE \"Odd\" (n int);\nCREATE TABLE broken (text 'it";

static const struct source sources[] = {
    {.name = "first.sql", .text = first, .size = sizeof first - 1},
    {.name = "second.sql", .text = second, .size = sizeof second - 1}};

static const struct {
    struct mutant mutant;
    const char *file; /* NULL: nowhere */
    size_t line;
    const char *words;
} cases[] = {
    {{.kind = "column", .object = "app.item.n", .relation = "app.item", .was = "NOT NULL"},
     "first.sql",
     7,
     "NOT NULL"},
    {{.kind = "column", .object = "other.n", .relation = "other", .was = "NOT NULL"},
     "first.sql",
     9,
     "NOT NULL"},
    {{.kind = "column", .object = "app.item.id", .relation = "app.item", .was = "NOT NULL"},
     "first.sql",
     7,
     "id"},
    {{.kind = "constraint",
      .object = "app.item.small",
      .relation = "app.item",
      .was = "CHECK (\"the Size\" < 9)"},
     "first.sql",
     8,
     "CHECK (\"the Size\" < 9)"},
    {{.kind = "constraint",
      .object = "app.item.item_n_key",
      .relation = "app.item",
      .was = "UNIQUE (id)"},
     "first.sql",
     6,
     "item"},
    {{.kind = "column", .object = "app.item.\"the Size\"", .relation = "app.item", .was = "x"},
     "first.sql",
     8,
     "\"the Size\""},
    {{.kind = "column", .object = "other.m", .relation = "other", .was = "DEFAULT 3"},
     "first.sql",
     9,
     "DEFAULT 3"},
    {{.kind = "policy", .object = "few on app.item", .relation = "app.item", .was = "(n < 5)"},
     "first.sql",
     10,
     "(n < 5)"},
    {{.kind = "function",
      .object = "twice(integer)",
      .relation = "twice(integer)",
      .was = "RETURN n * 2;"},
     "second.sql",
     3,
     "RETURN n * 2;"},
    {{.kind = "function",
      .object = "twice(integer)",
      .relation = "twice(integer)",
      .was = "VOLATILE"},
     "first.sql",
     11,
     "twice"},
    {{.kind = "grant", .object = "INSERT on other to a", .relation = "other", .was = "INSERT"},
     "first.sql",
     15,
     "INSERT"},
    {{.kind = "constraint", .object = "other.later", .relation = "other", .was = "CHECK ((n > 0))"},
     "second.sql",
     5,
     "later"},
    {{.kind = "column", .object = "\"Odd\".n", .relation = "\"Odd\"", .was = "integer"},
     "second.sql",
     6,
     "n"},
    {{.kind = "column", .object = "odd.n", .relation = "odd", .was = "integer"}, .file = NULL},
    {{.kind = "schema", .object = "", .relation = "", .was = ""}, .file = NULL},
};

static void places(void **state)
{
    const struct source *const both[] = {&sources[0], &sources[1]};
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mutant mutant = cases[i].mutant;
        mutant.becomes = mutant.ddl = "";
        mutants_locate(&mutant, 1, both, 2, &arena);
        print_message("%s: %s\n", mutant.object, mutant.was);
        if (!cases[i].file) {
            assert_null(mutant.pos.source);
            continue;
        }
        assert_non_null(mutant.pos.source);
        assert_string_equal(mutant.pos.source->name, cases[i].file);
        assert_int_equal(source_place(mutant.pos).line, cases[i].line);
        assert_int_equal(mutant.size, strlen(cases[i].words));
        assert_memory_equal(mutant.pos.source->text + mutant.pos.offset, cases[i].words,
                            mutant.size);
    }
    arena_free(&arena);
}

/* What a statement becomes: constraints of a column stand behind it, without the column's name. */
static void changes(void **state)
{
    static const char table[] =
        "CREATE TABLE t (id int PRIMARY KEY, email text NOT NULL UNIQUE, boss int CONSTRAINT b "
        "REFERENCES t ON DELETE CASCADE)";
    static const struct source source = {.name = "t.sql", .text = table, .size = sizeof table - 1};
    static const struct {
        const char *was, *after;
    } drops[] = {
        {"UNIQUE (email)", "CREATE TABLE t (id int PRIMARY KEY, email text NOT NULL , boss int "
                           "CONSTRAINT b REFERENCES t ON DELETE CASCADE)"},
        {"PRIMARY KEY (id)", "CREATE TABLE t (id int , email text NOT NULL UNIQUE, boss int "
                             "CONSTRAINT b REFERENCES t ON DELETE CASCADE)"},
        {"FOREIGN KEY (boss) REFERENCES t(id) ON DELETE CASCADE",
         "CREATE TABLE t (id int PRIMARY KEY, email text NOT NULL UNIQUE, boss int )"},
        {"UNIQUE (id, email)",
         "CREATE TABLE t (id int PRIMARY KEY, email text NOT NULL UNIQUE, boss int CONSTRAINT b "
         "REFERENCES t ON DELETE CASCADE);\nALTER TABLE t DROP CONSTRAINT c"},
    };
    const struct source *const all[] = {&source};
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof drops / sizeof *drops; i++) {
        struct mutant mutant = {.kind = "constraint",
                                .object = "t.c",
                                .relation = "t",
                                .was = drops[i].was,
                                .becomes = "",
                                .ddl = "ALTER TABLE t DROP CONSTRAINT c"};
        mutants_locate(&mutant, 1, all, 1, &arena);
        assert_string_equal(change_after(&mutant.change, &arena), drops[i].after);
    }
    arena_free(&arena);
}

/* Of functions of one name the one that has the parameters; of tables that of the schema. */
static void overloads(void **state)
{
    static const char text[] =
        "CREATE FUNCTION f(a int, b varchar(20)[] DEFAULT '{}') RETURNS int RETURN 1;\n"
        "CREATE FUNCTION f(a bigint) RETURNS int RETURN 1;\n"
        "CREATE FUNCTION f(p public.mood, OUT q int) RETURN 1;\n"
        "CREATE OR REPLACE FUNCTION f(a pg_catalog.int4, b character varying[]) RETURNS int "
        "RETURN 1;\n"
        "CREATE FUNCTION f(timestamp(3) with time zone = now()) RETURNS int BEGIN ATOMIC; SELECT "
        "1; END;\n"
        "CREATE TABLE app.t (n int NOT NULL);\n"
        "CREATE TABLE old.t (n int NOT NULL);\n"
        "CREATE TRIGGER g BEFORE INSERT ON app.t EXECUTE FUNCTION g();\n"
        "CREATE FUNCTION g() RETURNS trigger RETURN 1;\n";
    static const struct source source = {.name = "f.sql", .text = text, .size = sizeof text - 1};
    static const struct {
        const char *kind, *object, *relation, *was;
        size_t line; /* 0: nowhere */
    } functions[] = {
        {"function", "f(integer,character varying[])", "f(integer,character varying[])", "1", 4},
        {"function", "f(bigint)", "f(bigint)", "1", 2},
        {"function", "f(mood)", "f(mood)", "1", 3},
        {"function", "f(timestamp with time zone)", "f(timestamp with time zone)", "1", 5},
        {"function", "f(text)", "f(text)", "1", 0},
        {"function", "f()", "f()", "1", 0},
        {"function", "g()", "g()", "STABLE", 9},
        {"column", "app.t.n", "app.t", "NOT NULL", 6},
        {"column", "old.t.n", "old.t", "NOT NULL", 7},
        {"column", "new.t.n", "new.t", "NOT NULL", 0},
    };
    const struct source *const all[] = {&source};
    struct arena arena = {0};
    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        struct mutant mutant = {.kind = functions[i].kind,
                                .object = functions[i].object,
                                .relation = functions[i].relation,
                                .was = functions[i].was,
                                .becomes = "2",
                                .ddl = ""};
        print_message("%s\n", mutant.object);
        mutants_locate(&mutant, 1, all, 1, &arena);
        assert_int_equal(mutant.pos.source ? source_place(mutant.pos).line : 0, functions[i].line);
        assert_int_equal(mutant.statement.source ? source_place(mutant.statement).line : 0,
                         functions[i].line);
    }
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places), cmocka_unit_test(changes),
                                       cmocka_unit_test(overloads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
