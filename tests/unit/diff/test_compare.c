/* What agrees and what does not: answers in short, one after the other with the same pairs. */
#include "sides.h"

#include <stdlib.h>
#include <string.h>

struct step {
    const char *before; /* begins with "list: ", "partial: " for what was asked */
    const char *after;
    const char *found;
};

enum { STEPS_MAX = 5 };

struct scenario {
    const char *name;
    struct step steps[STEPS_MAX];
};

static const struct scenario scenarios[] = {
    {"uuids that differ are partners from then on",
     {{"id uuid = [[\"@1\"]]", "id uuid = [[\"@101\"]]", "agree"},
      {"id uuid = [[\"@2\"]]", "id uuid = [[\"@102\"]]", "agree"},
      {"id uuid = [[\"@1\"]]", "id uuid = [[\"@102\"]]", "rows: 1 row, 1 row; ~(*@1)(*@102)"},
      {"id uuid = [[\"@2\"]]", "id uuid = [[\"@102\"]]", "agree"}}},
    {"equal uuids are their own partners",
     {{"id uuid = [[\"@1\"],[\"@2\"]]", "id uuid = [[\"@1\"],[\"@2\"]]", "agree"},
      {"id uuid = [[\"@1\"]]", "id uuid = [[\"@2\"]]", "rows: 1 row, 1 row; ~(*@1)(*@2)"}}},
    {"an equal uuid is not the same if it has another partner",
     {{"id uuid = [[\"@1\"]]", "id uuid = [[\"@2\"]]", "agree"},
      {"id uuid = [[\"@2\"]]", "id uuid = [[\"@2\"]]", "rows: 1 row, 1 row; ~(*@2)(*@2)"}}},
    {"uuids inside of texts, arrays and JSON",
     {{"a text, b uuid[], c jsonb = [[\"for @1.\", [\"@2\"], {\"x\": {\"@3\": [1]}}]]",
       "a text, b uuid[], c jsonb = [[\"for @11.\", [\"@12\"], {\"x\": {\"@13\": [1]}}]]", "agree"},
      {"a text, b uuid[], c jsonb = [[\"@2-@3\", [\"@1\"], {\"@2\": null}]]",
       "a text, b uuid[], c jsonb = [[\"@12-@13\", [\"@11\"], {\"@12\": null}]]", "agree"},
      {"a text, b uuid[], c jsonb = [[\"@2-@3\", [\"@1\"], {\"@2\": null}]]",
       "a text, b uuid[], c jsonb = [[\"@12-@12\", [\"@11\"], {\"@12\": 1}]]",
       "rows: 1 row, 1 row; ~(*\"@2-@3\", [@1], *{@2: None})(*\"@12-@12\", [@11], *{@12: 1})"}}},
    {"a value that each server makes in a form of its own",
     {{"t text = [[\"@1\"]]", "t text = [[\"af31b2c4d5\"]]", "agree"},
      {"m text = [[\"for @1.\"]]", "m text = [[\"for af31b2c4d5.\"]]", "agree"},
      {"t text = [[\"@1\"]]", "t text = [[\"bf31b2c4d5\"]]",
       "rows: 1 row, 1 row; ~(*@1)(*\"bf31b2c4d5\")"},
      {"t text = [[\"@2\"]]", "t text = [[\"af31b2c4d5\"]]",
       "rows: 1 row, 1 row; ~(*@2)(*\"af31b2c4d5\")"},
      {"t text = [[\"cf31b2c4d5\"]]", "t text = [[\"@3\"]]", "agree"}}},
    {"the same in JSON, and in several rows",
     {{"n int4, t jsonb = [[1, {\"x\": \"@1\"}], [2, {\"x\": \"@2\"}]]",
       "n int4, t jsonb = [[2, {\"x\": \"bf31b2c4d5\"}], [1, {\"x\": \"af31b2c4d5\"}]]", "agree"},
      {"x text = [[\"@2\"]]", "x text = [[\"bf31b2c4d5\"]]", "agree"},
      {"x text = [[\"@2\"]]", "x text = [[\"af31b2c4d5\"]]",
       "rows: 1 row, 1 row; ~(*@2)(*\"af31b2c4d5\")"},
      {"n int4, t jsonb = [[1, {\"x\": \"@3\", \"y\": \"no\"}]]",
       "n int4, t jsonb = [[1, {\"x\": \"cf31b2c4d5\", \"y\": \"yes\"}]]",
       "rows: 1 row, 1 row; ~(1, *{\"x\": @3, \"y\": \"no\"})(1, *{\"x\": \"cf31b2c4d5\", \"y\": "
       "\"yes\"})"}}},
    {"a text of a few letters is no such value",
     {{"t text = [[\"@1\"]]", "t text = [[\"none\"]]", "rows: 1 row, 1 row; ~(*@1)(*\"none\")"}}},
    {"a bag in another order",
     {{"id int4, name text = [[1, \"a\"], [2, \"b\"]]",
       "id int4, name text = [[2, \"b\"], [1, \"a\"]]", "agree"}}},
    {"a list in another order",
     {{"list: id int4 = [[1], [2]]", "id int4 = [[2], [1]]",
       "order: 2 rows, 2 rows; ~1(*1)(*2) ~2(*2)(*1)"}}},
    {"a list that ties by its time",
     {{"list: id uuid, at timestamptz = [[\"@1\", \"2020-01-01 10:00:00+00\"], [\"@2\", "
       "\"2020-01-01 "
       "10:00:00+00\"]]",
       "id uuid, at timestamptz = [[\"@2\", \"2020-01-01 10:00:00+00\"], [\"@1\", \"2020-01-01 "
       "10:00:00+00\"]]",
       "agree"}}},
    {"a list in the order of uuids, which each server made",
     {{"list: id uuid, name text = [[\"@1\", \"a\"], [\"@2\", \"b\"]]",
       "id uuid, name text = [[\"@11\", \"b\"], [\"@12\", \"a\"]]", "agree"},
      {"id uuid = [[\"@1\"]]", "id uuid = [[\"@12\"]]", "agree"},
      {"list: id uuid, name text = [[\"@1\", \"a\"], [\"@2\", \"b\"]]",
       "id uuid, name text = [[\"@12\", \"a\"], [\"@11\", \"b\"]]", "agree"}}},
    {"a place in a list does not tell which row it is",
     {{"list: id uuid, n int4 = [[\"@2\", 1], [\"@1\", 1]]",
       "id uuid, n int4 = [[\"@11\", 1], [\"@12\", 1]]", "agree"},
      {"id uuid = [[\"@1\"]]", "id uuid = [[\"@11\"]]", "agree"}}},
    {"columns in another order, by name",
     {{"id int4, name text = [[1, \"a\"]]", "name text, id int4 = [[\"a\", 1]]", "agree"},
      {"id int4, name text = [[1, \"a\"]]", "name text, id int4 = [[\"b\", 1]]",
       "rows: 1 row, 1 row; ~(1, *\"a\")(1, *\"b\")"}}},
    {"columns of one name",
     {{"x int4, x text = [[1, \"a\"]]", "x int4, x text = [[1, \"a\"]]", "agree"},
      {"x int4, x int4 = [[1, 2]]", "x int4 = [[1]]", "column: column x, no column x"}}},
    {"columns of one side",
     {{"id int4, name text = [[1, \"a\"]]", "id int4 = [[1]]",
       "column: column name, no column name"},
      {"id int4 = [[1]]", "id int4, name text = [[1, \"a\"]]", "agree"},
      {"partial: id int4, name text = [[1, \"a\"]]", "id int4 = [[1]]", "agree"},
      {"partial: id int4, name text = [[1, \"a\"]]", "id int4, age int4 = [[2, 7]]",
       "rows: 1 row, 1 row; ~(*1)(*2)"}}},
    {"types",
     {{"id integer = [[1]]", "id bigint = [[1]]", "column: id integer, id bigint"},
      {"x text = [[\"a\"]]", "x character varying(10) = [[\"a\"]]", "agree"},
      {"x text[] = [[[\"a\"]]]", "x character varying(10)[] = [[[\"a\"]]]", "agree"},
      {"x numeric(10,2) = [[1]]", "x numeric = [[1]]", "agree"},
      {"x timestamp(3) without time zone = [[null]]", "x timestamp without time zone = [[null]]",
       "agree"}}},
    {"digits behind the point, unless the type has another number of them",
     {{"x numeric = [[1.5]]", "x numeric = [[1.50]]", "rows: 1 row, 1 row; ~(*1.5)(*1.50)"},
      {"x numeric = [[1.50], [2.5]]", "x numeric = [[2.5], [1.50]]", "agree"},
      {"x numeric[] = [[[1.5]]]", "x numeric[] = [[[1.50]]]",
       "rows: 1 row, 1 row; ~(*[1.5])(*[1.50])"},
      {"x numeric = [[1.5]]", "x numeric(10,2) = [[1.50]]", "agree"},
      {"x jsonb = [[{\"a\": 1.5}]]", "x jsonb = [[{\"a\": 1.50}]]", "agree"}}},
    {"json is a text, jsonb is none",
     {{"x json = [[{\"a\": 1, \"b\": 2}]]", "x json = [[{\"b\": 2, \"a\": 1}]]",
       "rows: 1 row, 1 row; ~(*{\"a\": 1, \"b\": 2})(*{\"b\": 2, \"a\": 1})"},
      {"x json = [[[{\"a\": 1}, 1.5]]]", "x json = [[[{\"a\": 1}, 1.50]]]",
       "rows: 1 row, 1 row; ~(*[{\"a\": 1}, 1.5])(*[{\"a\": 1}, 1.50])"},
      {"x json = [[{\"a\": 1}]]", "x json = [[{\"a\": 0, \"a\": 1}]]",
       "rows: 1 row, 1 row; ~(*{\"a\": 1})(*\"{\\\"a\\\": 1}, with a key twice\")"},
      {"x json = [[{\"@1\": 1, \"@2\": 2}]]", "x json = [[{\"@11\": 1, \"@12\": 2}]]", "agree"},
      {"x jsonb = [[{\"a\": 1, \"b\": 2}]]", "x jsonb = [[{\"b\": 2, \"a\": 1}]]", "agree"}}},
    {"rows of one side",
     {{"id int4, name text = [[1, \"a\"], [2, \"b\"]]", "id int4, name text = [[2, \"b\"]]",
       "rows: 2 rows, 1 row; -(1, \"a\")"},
      {"id int4, name text = []", "id int4, name text = [[2, \"b\"]]",
       "rows: no rows, 1 row; +(2, \"b\")"},
      {"list: id int4 = [[1], [2], [3], [4]]", "id int4 = [[1], [3], [4]]",
       "rows: 4 rows, 3 rows; -2(2)"}}},
    {"a row with other values",
     {{"id int4, name text, n int4 = [[1, \"a\", 3], [2, \"b\", 3]]",
       "id int4, name text, n int4 = [[2, \"b\", 4], [1, \"a\", 3]]",
       "rows: 2 rows, 2 rows; ~(2, \"b\", *3)(2, \"b\", *4)"}}},
    {"NULL is no value",
     {{"x text = [[null]]", "x text = [[\"\"]]", "rows: 1 row, 1 row; ~(*None)(*\"\")"}}},
    {"a token used twice, by its colour",
     {{"id uuid, name text = [[\"@1\", \"x\"], [\"@2\", \"x\"]]",
       "id uuid, name text = [[\"@11\", \"x\"], [\"@11\", \"x\"]]",
       "rows: 2 rows, 2 rows; ~(*@2, \"x\")(*@11, \"x\")"}}},
    {"ties stay open until something tells them apart",
     {{"id uuid = [[\"@1\"], [\"@2\"]]", "id uuid = [[\"@11\"], [\"@12\"]]", "agree"},
      {"id uuid, name text = [[\"@1\", \"a\"], [\"@2\", \"b\"]]",
       "id uuid, name text = [[\"@11\", \"b\"], [\"@12\", \"a\"]]", "agree"},
      {"id uuid = [[\"@1\"]]", "id uuid = [[\"@11\"]]", "rows: 1 row, 1 row; ~(*@1)(*@11)"}}},
    {"a tree of rows makes itself known",
     {{"id uuid, up uuid, name text = [[\"@1\", null, \"r\"], [\"@2\", \"@1\", \"x\"], [\"@3\", "
       "\"@2\", "
       "\"x\"], [\"@4\", \"@3\", \"x\"]]",
       "id uuid, up uuid, name text = [[\"@13\", \"@12\", \"x\"], [\"@14\", \"@13\", \"x\"], "
       "[\"@11\", "
       "null, \"r\"], [\"@12\", \"@11\", \"x\"]]",
       "agree"},
      {"id uuid = [[\"@3\"]]", "id uuid = [[\"@13\"]]", "agree"},
      {"id uuid = [[\"@3\"]]", "id uuid = [[\"@14\"]]", "rows: 1 row, 1 row; ~(*@3)(*@14)"}}},
    {"counts",
     {{"2", "2", "agree"},
      {"1", "0", "count: UPDATE 1, UPDATE 0"},
      {"skipped", "skipped", "agree"}}},
    {"errors",
     {{"23505 a_key a", "23505 a_key a", "agree"},
      {"23505 a_key a", "1", "error: unique_violation (23505) a_key, no error"},
      {"1", "23505 a_key a", "error: no error, unique_violation (23505) a_key"},
      {"23505 a_key a", "23514 a_check a",
       "error: unique_violation (23505) a_key, check_violation (23514) a_check"},
      {"1", "42P01", "missing: no error, undefined_table (42P01)"}}},
    {"objects that were missing before, too",
     {{"42883", "42883", "agree"},
      {"42883", "1", "error: undefined_function (42883), no error"},
      {"42883", "42P01", "error: undefined_function (42883), undefined_table (42P01)"}}},
    {"a constraint under another name, one to one",
     {{"23505 a_key a", "23505 a_name_key a", "agree"},
      {"23505 a_key a", "23505 a_name_key a", "agree"},
      {"23505 b_key a", "23505 a_name_key a",
       "error: unique_violation (23505) b_key, unique_violation (23505) a_name_key"},
      {"23505 a_key a", "23505 a_key b",
       "error: unique_violation (23505) a_key, unique_violation (23505) a_key"}}},
    {"a constraint of a partition",
     {{"23505 a_pkey a", "23505 a_2020_pkey a_2020", "agree"},
      {"23505 a_2020_pkey a_2020", "23505 a_2021_pkey a_2021", "agree"},
      {"23505 a_pkey a", "23505 a_2022_pkey a_2022",
       "error: unique_violation (23505) a_pkey, unique_violation (23505) a_2022_pkey"},
      {"23505 a_pkey a", "23505 b_pkey b",
       "error: unique_violation (23505) a_pkey, unique_violation (23505) b_pkey"}}},
    {"an error of a partition that names no constraint",
     {{"23502 - a", "23502 - a_2020", "agree"},
      {"23502 - a_2020", "23502 - a", "agree"},
      {"23502 - a", "23502 - a_2022",
       "error: not_null_violation (23502), not_null_violation (23502)"}}},
    {"a constraint that became one of a domain",
     {{"23514 a_name_check a", "23514 name_check", "agree"},
      {"23514 a_name_check a", "23514 name_check", "agree"},
      {"23514 a_other_check a", "23514 name_check",
       "error: check_violation (23514) a_other_check, check_violation (23514) name_check"}}},
    {"notifications",
     {{"notify [[\"c\", \"x @1\"], [\"d\", \"\"]]", "notify [[\"d\", \"\"], [\"c\", \"x @11\"]]",
       "agree"},
      {"notify [[\"c\", \"x @1\"]]", "notify [[\"c\", \"x @12\"]]",
       "notify: 1 notification, 1 notification; ~(\"c\", *\"x @1\")(\"c\", *\"x @12\")"},
      {"notify [[\"c\", \"x\"]]", "notify []",
       "notify: 1 notification, 0 notifications; -(\"c\", \"x\")"}}},
};

/* The expected text as value_repr writes it: a uuid alone is a string in quotes. */
static const char *expected_text(struct both *both, const char *text)
{
    struct strbuf out = {0};
    bool quoted = false;
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            quoted = !quoted;
        }
        if (*text == '@' && !quoted) {
            size_t size = 1 + strspn(text + 1, "0123456789");
            strbuf_addc(&out, '"');
            strbuf_add(&out, text, size);
            strbuf_addc(&out, '"');
            text += size - 1;
        } else {
            strbuf_addc(&out, *text);
        }
    }
    const char *found = with_uuids(&both->arena, strbuf_text(&out));
    strbuf_free(&out);
    return found;
}

static const char *read_asked(const char *text, struct asked *out)
{
    out->ordered = strncmp(text, "list: ", strlen("list: ")) == 0;
    out->partial = strncmp(text, "partial: ", strlen("partial: ")) == 0;
    return text + (out->ordered ? strlen("list: ") : out->partial ? strlen("partial: ") : 0);
}

static void finds_what_differs(void **state)
{
    (void)state;
    size_t failed = 0;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        struct both both;
        both_open(&both);
        for (size_t k = 0; k < STEPS_MAX && scenarios[i].steps[k].before != NULL; k++) {
            const struct step *step = &scenarios[i].steps[k];
            struct asked asked = {.place = "rule a"};
            const char *before = read_asked(step->before, &asked);
            const char *found = compared(&both, &asked, before, step->after);
            const char *expected = expected_text(&both, step->found);
            if (strcmp(found, expected) != 0) {
                print_error("%s, step %zu:\n  came      %s\n  expected  %s\n", scenarios[i].name,
                            k + 1, found, expected);
                failed++;
            }
        }
        both_close(&both);
    }
    assert_int_equal(failed, 0);
}

static void only_answers_that_agree_make_pairs(void **state)
{
    (void)state;
    struct both both;
    both_open(&both);
    const struct asked asked = {.place = "view v", .context = "as ann"};
    struct answer before = answer_of(&both.arena, "id uuid = [[\"@1\"]]");
    struct answer after = answer_of(&both.arena, "id uuid = [[\"@2\"]]");
    const struct notification notification = {"channel", "payload"};
    after.notifications = &notification;
    after.notification_count = 1;
    const struct divergence *found = sides_compare(&both.sides, &asked, &before, &after);
    assert_non_null(found);
    assert_int_equal(found->kind, DIVERGES_NOTIFY);
    assert_string_equal(found->place, "view v");
    assert_string_equal(found->context, "as ann");
    assert_int_equal(pairs_count(both.sides.pairs), 0);
    after.notification_count = 0;
    assert_null(sides_compare(&both.sides, &asked, &before, &after));
    assert_int_equal(pairs_count(both.sides.pairs), 1);
    both_close(&both);
}

static void errors_outlive_their_answers(void **state)
{
    struct both both;
    (void)state;
    both_open(&both);
    struct answer *answers = memory_alloc(2 * sizeof *answers);
    answers[0] = answer_of(&both.arena, "23505 a_key a");
    answers[1] = answer_of(&both.arena, "23514 a_check a");
    const struct divergence *found =
        sides_compare(&both.sides, &(struct asked){.place = "rule a"}, &answers[0], &answers[1]);
    free(answers);
    assert_string_equal(found->error_before->sqlstate, "23505");
    assert_string_equal(found->error_after->sqlstate, "23514");
    both_close(&both);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_differs),
        cmocka_unit_test(only_answers_that_agree_make_pairs),
        cmocka_unit_test(errors_outlive_their_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
