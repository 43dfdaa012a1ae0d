/* What the report says where two databases answer differently. */
#include "fixture.h"

#include "account/account.h"
#include "example/divergence.h"
#include "report/sentence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const columns[] = {"id", "status"};

/* A failure after two steps; with a third one, which is the rule's, if `asked`. */
static struct failure *differ(struct fixture *fixture, struct divergence *divergence, bool asked)
{
    struct failure *failure = fixture_fail(fixture, FAILURE_DIFFERS);
    fixture_upsert(fixture, failure, "projects_1", "editor");
    fixture_upsert(fixture, failure, "projects_1", "viewer");
    failure->identity = "rule remove_member: rows";
    failure->invariant = NULL;
    failure->at_end = !asked;
    failure->sql = asked ? "SELECT * FROM list_orders(:project)" : NULL;
    failure->pos = asked ? failure->pos : (struct source_pos){0};
    failure->context = asked ? "as ann" : divergence->context;
    if (asked) {
        struct shown_step *step = VEC_PUSH(&fixture->arena, &failure->steps);
        step->rule = failure->rule = &fixture->machine.rules.items[1];
        failure->step = 3;
    }
    failure->divergence = divergence;
    failure->expected = divergence->before;
    failure->actual = divergence->after;
    failure->columns = divergence->columns ? divergence->columns : columns;
    failure->column_count = divergence->column_count;
    return failure;
}

/* A row of both columns on one side or both. */
static void add_row(struct fixture *fixture, struct failure *failure, const char *before,
                    const char *after)
{
    struct difference *difference = VEC_PUSH(&fixture->arena, &failure->differences);
    const char *const statuses[] = {before, after};
    struct shown_cell *sides[2] = {NULL, NULL};
    int id = (int)failure->differences.count;
    for (size_t i = 0; i < 2; i++) {
        if (statuses[i]) {
            const struct value values[] = {value_int(id), fixture_text(fixture, statuses[i])};
            sides[i] = fixture_cells(fixture, failure, values);
            sides[i][1].differs = before && after;
        }
    }
    *difference = (struct difference){.kind = !after    ? DIFFERENCE_MISSING
                                              : !before ? DIFFERENCE_UNEXPECTED
                                                        : DIFFERENCE_CHANGED,
                                      .expected = sides[0],
                                      .actual = sides[1]};
    failure->difference_count++;
}

static struct divergence rows_differ(enum divergence_kind kind)
{
    return (struct divergence){.kind = kind,
                               .place = "remove_member",
                               .before = "3 rows",
                               .after = "2 rows",
                               .columns = columns,
                               .column_count = 2};
}

static const struct server_error unique = {
    .sqlstate = "23505",
    .message = "duplicate key value violates unique constraint \"orders_pkey\"",
    .detail = "Key (id)=(1) already exists.",
    .table = "orders",
    .constraint = "orders_pkey"};
static const struct server_error check = {.sqlstate = "23514",
                                          .message =
                                              "new row violates check constraint \"total_known\"",
                                          .constraint = "total_known"};

static struct divergence errors_differ(const struct server_error *before,
                                       const struct server_error *after)
{
    return (struct divergence){.kind = DIVERGES_ERROR,
                               .place = "remove_member",
                               .before =
                                   before ? "unique_violation (23505) orders_pkey" : "no error",
                               .after = after ? "check_violation (23514) total_known" : "no error",
                               .error_before = before,
                               .error_after = after};
}

/* The migration is a step, and so is what differs. */
static void migrate(struct fixture *fixture, struct failure *failure)
{
    static struct rule migration = {.name = "migrate", .files = "0042.sql"};
    struct shown_step *step = &failure->steps.items[1];
    *step = (struct shown_step){.rule = &migration};
    failure->rule = failure->step == 2 ? &migration : failure->rule;
    (void)fixture;
}

/* Two steps that were answered, the second one in two ways. */
static void answer(struct fixture *fixture, struct failure *failure)
{
    struct account *account = ARENA_NEW(&fixture->arena, struct account);
    *VEC_PUSH(&fixture->arena, &account->steps) =
        (struct account_step){.number = 1, .answer = "INSERT 0 1"};
    *VEC_PUSH(&fixture->arena, &account->steps) = (struct account_step){.number = 2};
    *VEC_PUSH(&fixture->arena, &account->steps) =
        (struct account_step){.number = 3, .answer = "3 rows", .after = "2 rows"};
    failure->account = account;
}

static void rows(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct divergence divergence = rows_differ(DIVERGES_ROWS);
    struct failure *failure = differ(&fixture, &divergence, true);
    migrate(&fixture, failure);
    answer(&fixture, failure);
    add_row(&fixture, failure, "open", "paid");
    add_row(&fixture, failure, "cancelled", NULL);
    add_row(&fixture, failure, "cancelled", NULL);
    add_row(&fixture, failure, NULL, "new");
    fixture_golden(&fixture, "differs_rows");
    assert_null(strstr(fixture_report(&fixture), "expected"));
    assert_null(strstr(fixture_report(&fixture), "actual"));
    fixture_end(&fixture);
}

static void errors(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct divergence one = errors_differ(NULL, &check);
    differ(&fixture, &one, true)->error = check;
    const struct server_error other = {
        .sqlstate = "23514", .message = "the total is unknown", .constraint = "total_small"};
    struct divergence both = errors_differ(&unique, &other);
    both.after = "check_violation (23514) total_small";
    struct failure *failure = differ(&fixture, &both, true);
    failure->error = other;
    failure->steps.items[0].args.items[0].reference = "projects_2";
    fixture_golden(&fixture, "differs_error");
    fixture_end(&fixture);
}

/* As a role that sees less, and as nobody. */
static void states(void **state)
{
    (void)state;
    static struct shown_setting claims = {"request.jwt.claims", "{\"sub\":\"" UUID_1 "\"}"};
    struct fixture fixture;
    fixture_begin(&fixture);
    struct divergence seen = rows_differ(DIVERGES_ROWS);
    seen.place = "table public.orders";
    seen.context = "as authenticated";
    struct failure *failure = differ(&fixture, &seen, false);
    failure->settings.items = &claims;
    failure->settings.count = 1;
    *VEC_PUSH(&fixture.arena, &failure->bundled) =
        (struct shown_arg){.value = fixture_text(&fixture, UUID_1), .reference = "users_1"};
    add_row(&fixture, failure, "open", NULL);
    struct divergence value = rows_differ(DIVERGES_ROWS);
    value.place = "view public.open_orders";
    failure = differ(&fixture, &value, false);
    failure->steps.items[0].args.items[0].reference = "projects_2";
    add_row(&fixture, failure, "open", "a status that is far too long to be on one line");
    fixture_golden(&fixture, "differs_state");
    fixture_end(&fixture);
}

static void a_migration(void **state)
{
    (void)state;
    static const struct server_error error = {
        .sqlstate = "23502",
        .message = "column \"email\" of relation \"users\" contains null values",
        .place = "0042.sql:2:1"};
    struct fixture fixture;
    fixture_begin(&fixture);
    struct divergence divergence = {.kind = DIVERGES_MIGRATE,
                                    .place = "migration",
                                    .before = "no error",
                                    .after = "23502",
                                    .error_after = &error};
    struct failure *failure = differ(&fixture, &divergence, false);
    failure->at_end = false;
    failure->error = error;
    migrate(&fixture, failure);
    fixture_golden(&fixture, "differs_migrate");
    fixture_end(&fixture);
}

/* A constraint that is gone shows in several rules. */
static void one_constraint(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct divergence divergence = errors_differ(&unique, NULL);
    differ(&fixture, &divergence, true);
    struct failure *second = differ(&fixture, &divergence, true);
    second->steps.items[0].args.items[0].reference = "projects_2";
    second->rule = &fixture.machine.rules.items[0];
    struct divergence another = errors_differ(&check, NULL);
    differ(&fixture, &another, true)->steps.items[0].args.items[0].reference = "projects_3";
    const char *report = fixture_report(&fixture);
    const char *also = strstr(report, "  also     differs: rule upsert_member (step 3) raised");
    assert_non_null(also);
    assert_non_null(strstr(also, "DIFFERS  membership  rule remove_member"));
    assert_null(strstr(strstr(also, "DIFFERS") + 1, "DIFFERS"));
    fixture_end(&fixture);
}

/* That one answer differs is no reason for what differs later. */
static void two_stories(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct divergence answered = rows_differ(DIVERGES_ROWS);
    struct failure *first = differ(&fixture, &answered, true);
    first->steps.count = 2;
    first->step = 2;
    struct divergence table = rows_differ(DIVERGES_ROWS);
    table.place = "table public.orders";
    struct failure *second = differ(&fixture, &table, false);
    fixture_upsert(&fixture, second, "projects_1", "editor");
    assert_null(strstr(fixture_report(&fixture), "also"));
    fixture_end(&fixture);
}

/* What is found in the same steps, and behind them, is a line of the first. */
static void one_story(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct divergence asked = rows_differ(DIVERGES_ROWS);
    add_row(&fixture, differ(&fixture, &asked, true), "open", NULL);
    struct divergence table = rows_differ(DIVERGES_ROWS);
    table.place = "table public.orders";
    add_row(&fixture, differ(&fixture, &table, false), "open", NULL);
    struct divergence view = rows_differ(DIVERGES_ROWS);
    view.place = "view public.open_orders";
    view.context = "as ann";
    add_row(&fixture, differ(&fixture, &view, false), "open", NULL);
    fixture_golden(&fixture, "differs_alike");
    fixture_end(&fixture);
}

static void add_name(struct fixture *fixture, struct compared_names *names, const char *name)
{
    *VEC_PUSH(&fixture->arena, &names->items) = name;
}

static void what_was_compared(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct report_compared compared = {.messages = true};
    struct backend_coverage coverage = {0};
    const char *const relations[] = {"table public.users", "view public.open",
                                     "table public.orders", "materialized view public.sums"};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        add_name(&fixture, &compared.relations, relations[i]);
    }
    for (int i = 0; i < 20; i++) {
        add_name(&fixture, &compared.only_after,
                 arena_printf(&fixture.arena, "table public.t%d", i));
    }
    const struct compared_loosely loosely[] = {
        {"add", "token", true},     {"table public.orders", "seen", false},
        {"list", NULL, false},      {"list", "(rows)", false},
        {"draw", "(error)", false}, {"draw", "(count)", false}};
    for (size_t i = 0; i < sizeof loosely / sizeof *loosely; i++) {
        *VEC_PUSH(&fixture.arena, &compared.loosely) = loosely[i];
    }
    *VEC_PUSH(&fixture.arena, &coverage.objects) =
        (struct backend_object){.kind = OBJECT_POLICY, .name = "own on orders", .touched = true};
    *VEC_PUSH(&fixture.arena, &coverage.objects) =
        (struct backend_object){.kind = OBJECT_POLICY, .name = "admin on orders"};
    struct rule_stats *raising = &fixture.result.stats.rules[1];
    stats_raised(raising, &fixture.arena, "23505", raising->ran);
    fixture.run.compared = &compared;
    fixture.run.coverage = &coverage;
    fixture_golden(&fixture, "compared");
    fixture.options.whole = true;
    assert_non_null(strstr(fixture_report(&fixture), "table public.t19"));
    fixture.options.whole = false;
    for (int i = 0; i < 10; i++) {
        *VEC_PUSH(&fixture.arena, &compared.loosely) =
            (struct compared_loosely){"t", arena_printf(&fixture.arena, "c%d", i), true};
    }
    compared.loosely_full = true;
    const char *report = fixture_report(&fixture);
    assert_non_null(strstr(report,
                           "as pairs       11 columns: column token of add, column c0 of t, "
                           "column c1 of t and 8 more; --stats names all\n"));
    assert_non_null(strstr(report, "too many       differ by nature: further places than these 16 "
                                   "were not compared\n"));
    fixture.options.whole = true;
    assert_non_null(strstr(fixture_report(&fixture), "column c9 of t\n"));
    fixture_end(&fixture);
}

static const struct {
    struct divergence divergence;
    const char *says; /* behind "rule remove_member (step 3)" */
} said[] = {
    {{.kind = DIVERGES_COUNT, .before = "UPDATE 1", .after = "UPDATE 0"},
     ": UPDATE 1 before, UPDATE 0 after"},
    {{.kind = DIVERGES_COLUMN, .before = "column total", .after = "no column total"},
     ": column total before, no column total after"},
    {{.kind = DIVERGES_NOTIFY, .before = "1 notification", .after = "0 notifications"},
     ": 1 notification before, 0 notifications after"},
    {{.kind = DIVERGES_MISSING,
      .before = "no error",
      .after = "undefined_function (42883)",
      .error_after = &(const struct server_error){.sqlstate = "42883",
                                                  .message = "function f() does not exist"}},
     " succeeded before and raised undefined_function after: function f() does not exist"},
    {{.kind = DIVERGES_ERROR,
      .before = "unique_violation (23505) orders_pkey",
      .after = "no error",
      .error_before = &unique},
     " raised unique_violation before and succeeded after: constraint orders_pkey of table orders"},
};

static void sentences(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct fixture fixture;
        fixture_begin(&fixture);
        struct divergence divergence = said[i].divergence;
        struct failure *failure = differ(&fixture, &divergence, true);
        const char *text = sentence(&fixture.arena, &fixture.machine, failure);
        const char *says =
            arena_printf(&fixture.arena, "rule remove_member (step 3)%s", said[i].says);
        assert_string_equal(text, says);
        fixture_end(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(errors),
        cmocka_unit_test(states),
        cmocka_unit_test(a_migration),
        cmocka_unit_test(one_story),
        cmocka_unit_test(two_stories),
        cmocka_unit_test(one_constraint),
        cmocka_unit_test(sentences),
        cmocka_unit_test(what_was_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
