/* Which differences of two databases are told together, and in which order. */
#include "fixture.h"

#include "example/divergence.h"
#include "report/alike.h"
#include "report/delivery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Rules of a made-up schema. */
enum { INSERT, UPDATE, LIST, CALL, RULES };
static struct rule rules[RULES] = {
    {.name = "insert"}, {.name = "update"}, {.name = "list"}, {.name = "call"}};

static struct failure *differ(struct fixture *fixture, struct divergence divergence)
{
    struct failure *failure = fixture_fail(fixture, FAILURE_DIFFERS);
    failure->invariant = NULL;
    failure->divergence = arena_memdup(&fixture->arena, &divergence, sizeof divergence);
    failure->identity = "some";
    return failure;
}

/* Steps of the rules with an argument that no other failure has. */
static void take(struct fixture *fixture, struct failure *failure, size_t count, const int *which)
{
    static int64_t last;
    for (size_t i = 0; i < count; i++) {
        struct shown_step *step = VEC_PUSH(&fixture->arena, &failure->steps);
        step->rule = failure->rule = &rules[which[i]];
        *VEC_PUSH(&fixture->arena, &step->args) =
            (struct shown_arg){.name = "n", .value = value_int(++last)};
    }
    failure->step = count;
}

static struct failure *raise(struct fixture *fixture, struct server_error error, const char *sql,
                             size_t steps)
{
    static const int inserts[] = {INSERT, INSERT, INSERT};
    bool missing = strncmp(error.sqlstate, "42", 2) == 0;
    struct failure *failure = differ(
        fixture,
        (struct divergence){.kind = missing ? DIVERGES_MISSING : DIVERGES_ERROR,
                            .before = "no error",
                            .after = error.sqlstate,
                            .error_after = arena_memdup(&fixture->arena, &error, sizeof error)});
    failure->sql = sql;
    take(fixture, failure, steps, inserts);
    return failure;
}

static struct server_error error_of(const char *sqlstate, const char *message)
{
    struct server_error error = {.message = message};
    memcpy(error.sqlstate, sqlstate, sizeof error.sqlstate);
    return error;
}

static bool together(const struct fixture *fixture, size_t a, size_t b)
{
    const struct failure *items = fixture->result.failures.items;
    return alike_head(&fixture->result, &items[a]) == alike_head(&fixture->result, &items[b]);
}

static void errors(void **state)
{
    (void)state;
    static const char insert[] = "INSERT INTO orders (total) VALUES (:n)";
    static const char update[] = "UPDATE orders SET total = :n";
    static const char other[] = "UPDATE ONLY other SET name = :n";
    struct fixture fixture;
    struct server_error null_total = error_of("23502", "null value in column \"total\"");
    struct server_error null_name = error_of("23502", "null value in column \"name\"");
    null_total.table = null_name.table = "orders";
    null_total.column = "total";
    null_name.column = "name";
    const struct server_error raised = error_of("P0001", "order 17 is closed");
    const struct server_error also_raised = error_of("P0001", "order 2043 is closed");
    const struct server_error others = error_of("P0001", "order 2043 is paid");
    const struct server_error too_long =
        error_of("22001", "value too long for type character varying(20)");
    const struct {
        struct server_error one;
        const char *one_sql;
        struct server_error two;
        const char *two_sql;
        bool together;
    } cases[] = {
        {null_total, insert, null_total, update, true},
        {null_total, insert, null_name, update, false},
        {raised, "SELECT close(:n)", also_raised, update, true},
        {raised, update, others, update, false},
        {too_long, insert, too_long, update, true},
        {too_long, insert, too_long, other, false},
        {error_of("42703", "column \"note\" of relation \"orders\" does not exist"), insert,
         error_of("42703", "column o.note does not exist"), "SELECT o.note FROM orders o", true},
        {error_of("42703", "column \"note\" of relation \"orders\" does not exist"), insert,
         error_of("42703", "column \"note\" of relation \"other\" does not exist"), other, false},
        {error_of("42703", "record \"new\" has no field \"note\""), insert,
         error_of("42703", "column \"note\" does not exist"), update, true},
        {error_of("42P01", "relation \"log\" does not exist"), insert,
         error_of("42P01", "relation \"public.log\" does not exist"), update, true},
        {error_of("42P01", "relation \"log\" does not exist"), insert,
         error_of("42703", "column \"log\" does not exist"), update, false},
        {error_of("42883", "function f(integer) does not exist"), insert,
         error_of("42883", "function f(text) does not exist"), update, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_begin(&fixture);
        raise(&fixture, cases[i].one, cases[i].one_sql, 1);
        raise(&fixture, cases[i].two, cases[i].two_sql, 2);
        if (together(&fixture, 0, 1) != cases[i].together) {
            fail_msg("%s and %s", cases[i].one.message, cases[i].two.message);
        }
        fixture_end(&fixture);
    }
}

static void columns(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    raise(&fixture, error_of("42703", "column \"note\" of relation \"orders\" does not exist"),
          "INSERT INTO orders (note) VALUES (:n)", 1);
    differ(&fixture, (struct divergence){.kind = DIVERGES_COLUMN,
                                         .before = "column note",
                                         .after = "no column note",
                                         .column = "note"});
    differ(&fixture, (struct divergence){.kind = DIVERGES_COLUMN,
                                         .before = "note text",
                                         .after = "note integer",
                                         .column = "note"});
    differ(&fixture, (struct divergence){.kind = DIVERGES_COLUMN,
                                         .before = "note text",
                                         .after = "note integer",
                                         .column = "note"});
    assert_true(together(&fixture, 0, 1));
    assert_false(together(&fixture, 1, 2));
    assert_true(together(&fixture, 2, 3));
    assert_int_equal(alike_count(&fixture.result), 2);
    fixture_end(&fixture);
}

/* A row of the columns id and amount, of which one differs. */
static struct failure *change(struct fixture *fixture, const char *column, size_t count,
                              const int *which, bool at_end)
{
    static const char *names[] = {"id", ""};
    const struct value values[] = {value_int(1), value_int(2)};
    struct failure *failure =
        differ(fixture, (struct divergence){.kind = DIVERGES_ROWS, .before = "1", .after = "1"});
    const char **own = arena_memdup(&fixture->arena, names, sizeof names);
    own[1] = column;
    failure->columns = own;
    failure->column_count = 2;
    struct difference *difference = VEC_PUSH(&fixture->arena, &failure->differences);
    *difference = (struct difference){.kind = DIFFERENCE_CHANGED,
                                      .expected = fixture_cells(fixture, failure, values),
                                      .actual = fixture_cells(fixture, failure, values)};
    difference->expected[1].differs = difference->actual[1].differs = true;
    failure->difference_count = 1;
    failure->at_end = at_end;
    take(fixture, failure, count, which);
    return failure;
}

static void values(void **state)
{
    (void)state;
    static const int steps[] = {INSERT, UPDATE, LIST};
    static const int call[] = {INSERT, UPDATE, INSERT, CALL};
    static const int alone[] = {INSERT};
    struct fixture fixture;
    fixture_begin(&fixture);
    change(&fixture, "amount", 2, steps, true)->identity = "view invoices: rows";
    change(&fixture, "amount", 3, steps, false);
    change(&fixture, "state", 3, steps, false);
    change(&fixture, "amount", 1, alone, true);
    change(&fixture, "total_of", 4, call, false)->follows = "view invoices: rows";
    change(&fixture, "due", 4, call, false)->follows = "view others: rows";
    change(&fixture, "open", 4, call, false)->follows = "view others: rows";
    assert_true(together(&fixture, 0, 1));
    assert_false(together(&fixture, 0, 2));
    assert_false(together(&fixture, 0, 3));
    assert_true(together(&fixture, 0, 4));
    assert_false(together(&fixture, 0, 5));
    assert_true(together(&fixture, 5, 6));
    assert_int_equal(alike_count(&fixture.result), 4);
    fixture_end(&fixture);
}

/* The worst of a cause gives the cause its place, and the shortest stands for it. */
static void order(void **state)
{
    (void)state;
    static const int one[] = {INSERT};
    struct fixture fixture;
    struct delivery deliveries[] = {{.name = "errors"}, {.name = "rows"},    {.name = "fails"},
                                    {.name = "gone"},   {.name = "migrate"}, {.name = "insert"}};
    static const char *const expected[] = {"migrate", "insert", "fails", "gone", "rows", "errors"};
    fixture_begin(&fixture);
    struct server_error checked = error_of("23514", "new row violates \"orders_check\"");
    checked.table = "orders";
    checked.constraint = "orders_check";
    const struct server_error unique = error_of("23505", "duplicate key");
    struct failure *errors = raise(&fixture, error_of("P0001", "no"), NULL, 1);
    struct divergence both = *errors->divergence;
    both.error_before = &unique;
    errors->divergence = &both;
    change(&fixture, "amount", 1, one, true);
    raise(&fixture, error_of("P0001", "closed"), NULL, 3);
    differ(&fixture, (struct divergence){.kind = DIVERGES_COLUMN,
                                         .before = "column note",
                                         .after = "no column note",
                                         .column = "note"});
    struct failure *migrate = raise(&fixture, checked, NULL, 2);
    struct divergence refused = *migrate->divergence;
    refused.kind = DIVERGES_MIGRATE;
    migrate->divergence = &refused;
    raise(&fixture, checked, "INSERT INTO orders VALUES (:n)", 1);
    alike_sort(&fixture.result, deliveries);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_string_equal(deliveries[i].name, expected[i]);
    }
    assert_int_equal(fixture.result.failures.items[0].divergence->kind, DIVERGES_MIGRATE);
    assert_true(together(&fixture, 0, 1));
    assert_int_equal(alike_count(&fixture.result), 5);
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors),
        cmocka_unit_test(columns),
        cmocka_unit_test(values),
        cmocka_unit_test(order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
