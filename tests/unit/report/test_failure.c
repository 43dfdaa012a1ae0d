#include "fixture.h"

#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add_unexpected(struct fixture *fixture, struct failure *failure, struct value value,
                           const char *reference)
{
    struct shown_cell *cells = fixture_cells(fixture, failure, &value);
    cells[0].name = reference;
    *VEC_PUSH(&fixture->arena, &failure->differences) =
        (struct difference){.kind = DIFFERENCE_UNEXPECTED, .actual = cells};
    failure->difference_count++;
}

static void a_broken_invariant(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    fixture_upsert(&fixture, failure, "projects_1", "editor");
    fixture_upsert(&fixture, failure, "projects_1", "viewer");
    failure->expected = "no rows";
    failure->actual = "1 row";
    add_unexpected(&fixture, failure, fixture_text(&fixture, UUID_1), "projects_1");
    failure->shrinking = (struct shrinking){.executions = 31, .steps = 212, .time_us = 90000};
    fixture.run.again = "pgfsm run machines/membership.yaml --seed 7261";
    fixture_golden(&fixture, "invariant");
    fixture_end(&fixture);
}

static void add(struct fixture *fixture, struct failure *failure, const struct value *expected,
                const struct value *actual, int64_t place)
{
    struct difference *difference = VEC_PUSH(&fixture->arena, &failure->differences);
    *difference = (struct difference){.kind = !expected ? DIFFERENCE_UNEXPECTED
                                              : actual  ? DIFFERENCE_CHANGED
                                                        : DIFFERENCE_MISSING,
                                      .place = place};
    difference->expected = expected ? fixture_cells(fixture, failure, expected) : NULL;
    difference->actual = actual ? fixture_cells(fixture, failure, actual) : NULL;
    for (size_t i = 0; expected && actual && i < failure->column_count; i++) {
        difference->expected[i].differs = difference->actual[i].differs =
            !value_equal(expected[i], actual[i]);
    }
    failure->difference_count++;
}

/* A failure whose rows have four columns. */
static struct failure *fail_rows(struct fixture *fixture)
{
    static const char *const columns[] = {"project_id", "user_id", "role", "n"};
    struct failure *failure = fixture_fail(fixture, FAILURE_INVARIANT);
    failure->columns = columns;
    failure->column_count = 4;
    failure->sql = "\n  SELECT project_id, user_id, role, n\n    FROM project_members\n"
                   "   WHERE user_id = :actor\n";
    failure->step = 1;
    *VEC_PUSH(&fixture->arena, &failure->fors) = (struct shown_arg){
        .name = "actor", .value = fixture_text(fixture, UUID_2), .reference = "users_1"};
    *VEC_PUSH(&fixture->arena, &failure->bundled) =
        (struct shown_arg){.value = fixture_text(fixture, UUID_1), .reference = "projects_2"};
    failure->expected = "2 rows";
    failure->actual = "2 rows";
    return failure;
}

/* Rows of several columns: a changed one by what is the same in it, then what differs; the others
 * as a table. UUIDs appear by their names there, too; what has no name stays. */
static void rows_by_name(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fail_rows(&fixture);
    struct value project = fixture_text(&fixture, UUID_1);
    struct value user = fixture_text(&fixture, UUID_2);
    struct value editor = fixture_text(&fixture, "editor");
    struct value viewer = fixture_text(&fixture, "viewer");
    struct value rows[][4] = {{project, user, editor, value_int(3)},
                              {project, user, viewer, value_int(3)},
                              {project, user, viewer, value_int(4)},
                              {user, user, fixture_text(&fixture, "a"), value_int(12345)}};
    add(&fixture, failure, rows[0], rows[1], 2);
    add(&fixture, failure, rows[0], rows[2], 3);
    add(&fixture, failure, rows[0], NULL, 4);
    add(&fixture, failure, rows[3], NULL, 5);
    failure->difference_count = 11;
    fixture_golden(&fixture, "rows");
    fixture_end(&fixture);
}

/* One row of several columns stands on one line; so do several that are too wide for a table. */
static void rows_on_a_line(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fail_rows(&fixture);
    char *text = arena_zalloc(&fixture.arena, 301);
    memset(text, 'a', 300);
    struct value long_text = fixture_text(&fixture, text);
    struct value row[] = {fixture_text(&fixture, UUID_1), value_none(),
                          fixture_text(&fixture, "editor"), value_int(3)};
    struct value wide[] = {long_text, long_text, long_text, value_int(3)};
    add(&fixture, failure, row, NULL, 0);
    failure->differences.items[0].expected[0].name = "projects_2";
    struct failure *second = fail_rows(&fixture);
    add(&fixture, second, wide, NULL, 1);
    add(&fixture, second, NULL, row, 2);
    fixture_golden(&fixture, "wide");
    fixture_end(&fixture);
}

/* An id of text appears by its name wherever it stands, unless a step shows it; a number that may
 * be a bundle's value is told below, unless it is a constant of the statement. */
static void ids_and_numbers(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "n", "note"};
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_EXPECT);
    fixture_upsert(&fixture, failure, "projects_1", "role_0001");
    fixture_upsert(&fixture, failure, "projects_2", "viewer");
    failure->columns = columns;
    failure->column_count = 3;
    failure->sql = "SELECT doc_9(), f(), 'x' || id FROM docs WHERE n < 8";
    const struct shown_arg bundled[] = {
        {.value = fixture_text(&fixture, "doc_01h9"), .reference = "docs_1"},
        {.value = fixture_text(&fixture, "role_0001"), .reference = "roles_1"},
        {.value = value_int(7), .reference = "projects_1"},
        {.value = value_int(8), .reference = "projects_2"}};
    for (size_t i = 0; i < 4; i++) {
        *VEC_PUSH(&fixture.arena, &failure->bundled) = bundled[i];
    }
    *VEC_PUSH(&fixture.arena, &failure->steps.items[1].args) =
        (struct shown_arg){.name = "draft",
                           .value = fixture_text(&fixture, "doc_01h9"),
                           .reference = "drafts_1"}; /* drawn from another bundle */
    const struct value rows[][3] = {
        {fixture_text(&fixture, "doc_01h9"), value_int(7),
         fixture_text(&fixture, "of doc_01h9, not doc_01h95, as role_0001")},
        {fixture_text(&fixture, "doc_01h9"), value_int(8), value_none()}};
    add(&fixture, failure, rows[0], rows[1], 0);
    struct difference *difference = &failure->differences.items[0];
    difference->expected[0].name = difference->actual[0].name = "docs_1";
    difference->expected[1].name = "projects_1";
    difference->actual[1].name = "projects_2";
    difference->expected[1].maybe = difference->actual[1].maybe = true;
    fixture_golden(&fixture, "ids");
    fixture_end(&fixture);
}

/* What the context set, ids by name; a failure of initialize has no example. */
static void a_context(void **state)
{
    (void)state;
    static struct shown_setting settings[] = {
        {"app.user", UUID_1},
        {"request.jwt.claims", "{\"sub\":\"" UUID_1 "\",\"role\":\"reader\"}"}};
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    failure->example = 0;
    failure->settings.items = settings;
    failure->settings.count = 2;
    failure->expected = "no rows";
    failure->actual = "1 row";
    *VEC_PUSH(&fixture.arena, &failure->bundled) =
        (struct shown_arg){.value = fixture_text(&fixture, UUID_1), .reference = "users_1"};
    fixture_golden(&fixture, "context");
    fixture_end(&fixture);
}

/* Of long values, the part that differs is shown. */
static void long_values_that_differ(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    char *a = arena_zalloc(&fixture.arena, 1001);
    char *b = arena_zalloc(&fixture.arena, 1001);
    memset(a, 'a', 1000);
    memset(b, 'a', 1000);
    b[700] = 'b';
    struct failure *failure = fail_rows(&fixture);
    struct value rows[][4] = {
        {value_int(1), value_none(), fixture_text(&fixture, a), value_int(1)},
        {value_int(1), value_none(), fixture_text(&fixture, b), value_int(1)}};
    add(&fixture, failure, rows[0], rows[1], 0);
    struct failure *single = fixture_fail(&fixture, FAILURE_EXPECT);
    single->expected = a;
    single->actual = b;
    fixture_golden(&fixture, "long_values");
    fixture.options.whole = true;
    assert_non_null(strstr(fixture_report(&fixture), a));
    assert_non_null(strstr(fixture_report(&fixture), b));
    fixture_end(&fixture);
}

static void an_unexpected_error(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_UNEXPECTED_ERROR);
    fixture_upsert(&fixture, failure, "projects_1", "editor");
    failure->invariant = NULL;
    failure->sql = "INSERT INTO project_members (project_id, role)\n"
                   "      VALUES (:project, :role)\n"
                   "      ON CONFLICT DO NOTHING";
    failure->expected = "no error";
    failure->actual = "check_violation (23514)";
    failure->error = (struct server_error){
        .sqlstate = "23514",
        .message = "new row violates check constraint \"role_known\"",
        .detail = "Failing row contains (" UUID_1 ", editor).",
        .table = "project_members",
        .constraint = "role_known",
        .context = "SQL statement \"INSERT …\"\nPL/pgSQL function f() line 3 at SQL statement",
    };
    fixture_golden(&fixture, "error");
    fixture_end(&fixture);
}

/* A long sequence: the first and the last steps; all of them when everything is asked for. */
static void a_long_sequence(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_CHECK);
    failure->invariant = NULL;
    for (int i = 0; i < 50; i++) {
        fixture_upsert(&fixture, failure, "projects_1", i % 2 ? "viewer" : "editor");
    }
    failure->shrinking = (struct shrinking){
        .executions = 31,
        .steps = 212,
        .time_us = 90000,
        .cut_short = "interrupted",
        .mistakes = 2,
        .mistake = "machines/membership.yaml:9:43: index 1 is out of range, the list has 0 items"};
    fixture_golden(&fixture, "long");
    assert_null(strstr(fixture_report(&fixture), "\n  30  "));
    fixture.options.whole = true;
    assert_non_null(strstr(fixture_report(&fixture), "\n  30  "));
    assert_null(strstr(fixture_report(&fixture), "more steps"));
    fixture_end(&fixture);
}

/* A sequence of exactly the size that is shown has nothing left out. */
static void the_longest_shown_in_full(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_CHECK);
    for (int i = 0; i < 24; i++) {
        fixture_upsert(&fixture, failure, "projects_1", i % 2 ? "viewer" : "editor");
    }
    assert_null(strstr(fixture_report(&fixture), "more steps"));
    fixture_upsert(&fixture, failure, "projects_1", "editor");
    assert_non_null(strstr(fixture_report(&fixture), "   …  2 more steps; -v shows them\n   7  "));
    fixture_end(&fixture);
}

/* Equal steps in a row share a line, from three on; such a line can't be pasted. */
static void equal_steps(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_CHECK);
    fixture_upsert(&fixture, failure, "projects_1", "editor");
    fixture_upsert(&fixture, failure, "projects_1", "editor");
    failure->pinnable = true;
    assert_non_null(strstr(fixture_report(&fixture),
                           "\n\n  1  upsert_member(project=projects_1, role=\"editor\")\n"
                           "  2> upsert_member(project=projects_1, role=\"editor\")\n"));
    assert_non_null(strstr(fixture_report(&fixture), "  pin      the two lines above, "));
    for (int i = 0; i < 40; i++) {
        fixture_upsert(&fixture, failure, "projects_1", "viewer");
    }
    assert_non_null(strstr(fixture_report(&fixture),
                           "\n     2  upsert_member(project=projects_1, role=\"editor\")\n"
                           "  3-42> upsert_member(project=projects_1, role=\"viewer\")   x40\n"));
    assert_non_null(strstr(fixture_report(&fixture), "  pin      the 42 lines that -v shows, "));
    fixture.options.whole = true;
    assert_non_null(strstr(fixture_report(&fixture),
                           "\n  42> upsert_member(project=projects_1, role=\"viewer\")\n"));
    assert_non_null(strstr(fixture_report(&fixture), "  pin      the 42 lines above, "));
    fixture_end(&fixture);
}

/* Of long SQL the middle is left out. */
static void long_sql(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_CHECK);
    failure->sql = "SELECT a\n  FROM b\n WHERE c\n   AND d\n   AND e\n   AND f\n";
    assert_non_null(strstr(fixture_report(&fixture), "     AND d\n"));
    failure->sql = "SELECT a\n  FROM b\n WHERE c\n   AND d\n   AND e\n   AND f\n   AND g\n";
    assert_non_null(strstr(fixture_report(&fixture), "     SELECT a\n"
                                                     "      FROM b\n"
                                                     "     WHERE c\n"
                                                     "     … 2 lines; -v shows them\n"
                                                     "       AND f\n"
                                                     "       AND g\n"
                                                     "     as ann\n"));
    fixture.options.whole = true;
    assert_non_null(strstr(fixture_report(&fixture), "       AND d\n       AND e\n"));
    fixture_end(&fixture);
}

enum { WIDE = 14 };

static void fail_wide(struct fixture *fixture)
{
    static const char *const columns[WIDE] = {"a", "b", "c", "d",    "e",      "f", "g",
                                              "h", "i", "j", "Paid", "status", "m", "n"};
    struct failure *failure = fail_rows(fixture);
    struct value row[WIDE];
    struct value other[WIDE];
    failure->columns = columns;
    failure->column_count = WIDE;
    failure->sql = "SELECT b FROM orders WHERE \"Paid\" AND STATUS <> 'm' -- and n";
    for (int64_t i = 0; i < WIDE; i++) {
        row[i] = value_int(i);
        other[i] = value_int(i == 4 ? 44 : i);
    }
    add(fixture, failure, NULL, row, 0);
    failure->differences.items[0].actual[2].name = "orders_1";
    add(fixture, failure, row, other, 0);
    failure->differences.items[1].expected[4].differs = true;
    failure->differences.items[1].actual[4].differs = true;
}

/* A row of many columns has a line for each: first those that say which row it is. A changed row is
 * known by some of them. */
static void rows_of_many_columns(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    fail_wide(&fixture);
    fixture_golden(&fixture, "columns");
    fixture.options.whole = true;
    assert_non_null(strstr(fixture_report(&fixture), "\n                      m        12\n"));
    assert_null(strstr(fixture_report(&fixture), "more columns"));
    fixture_end(&fixture);
}

/* Nothing but steps, SQL and commands is wider than the terminal. */
static void nothing_is_too_wide(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fail_rows(&fixture);
    char *text = arena_zalloc(&fixture.arena, 301);
    memset(text, 'a', 300);
    struct value row[] = {fixture_text(&fixture, text), fixture_text(&fixture, "a few words here"),
                          value_none(), value_int(3)};
    add(&fixture, failure, row, NULL, 1);
    failure->error =
        (struct server_error){.sqlstate = "23514",
                              .message = "a message of more words than one line has room for",
                              .detail = text};
    failure->hint = "a hint that is longer than a line of forty characters";
    failure->shrinking = (struct shrinking){.executions = 31, .steps = 212, .time_us = 90000};
    failure->sql = "SELECT 1";
    for (size_t width = 40; width < 120; width++) {
        fixture.options.width = width;
        for (const char *line = fixture_report(&fixture); *line;) {
            size_t size = strcspn(line, "\n");
            size_t length = utf8_length(line, size);
            if (length > width) {
                print_message("%zu: %.*s\n", width, (int)size, line);
            }
            assert_true(length <= width);
            line += size + 1;
        }
    }
    fixture_end(&fixture);
}

static void no_kind_is_without_words(void **state)
{
    (void)state;
    static const enum failure_kind kinds[] = {
        FAILURE_INVARIANT,     FAILURE_EXPECT,          FAILURE_CHECK,   FAILURE_UNEXPECTED_ERROR,
        FAILURE_MISSING_ERROR, FAILURE_DIFFERENT_ERROR, FAILURE_TIMEOUT, FAILURE_CONNECTION};
    static const char *const roles[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct fixture fixture;
    fixture_begin(&fixture);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct failure *failure = fixture_fail(&fixture, kinds[i]);
        failure->invariant = NULL;
        failure->sql = failure->context = NULL;
        fixture_upsert(&fixture, failure, "projects_1", roles[i]); /* else they are shown as one */
    }
    fixture_golden(&fixture, "kinds");
    fixture_end(&fixture);
}

/* A check has no rows to compare: what it gives is shown, and what it saw. Numbers that are values
 * of a bundle are told by name. */
static void a_check(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_CHECK);
    fixture_upsert(&fixture, failure, "projects_1", "viewer");
    failure->invariant = NULL;
    failure->check = failure->expected = "result.count < 2";
    failure->actual = "False";
    failure->returned = "2 rows: (134, 0), (1350, 0)";
    *VEC_PUSH(&fixture.arena, &failure->bundled) =
        (struct shown_arg){.value = value_int(134), .reference = "projects_1"};
    *VEC_PUSH(&fixture.arena, &failure->bundled) =
        (struct shown_arg){.value = value_int(135), .reference = "projects_1"};
    *VEC_PUSH(&fixture.arena, &failure->bundled) =
        (struct shown_arg){.value = value_int(1350), .reference = "unused_1"};
    fixture_golden(&fixture, "check");
    failure->check = failure->expected = "result.count == 1";
    failure->sides = (struct shown_sides){"result.count", "==", "2", "1"};
    fixture_golden(&fixture, "check_sides");
    fixture_end(&fixture);
}

static void rows_out_of_order(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_EXPECT);
    failure->expected = failure->actual = "2 rows";
    failure->hint = "the rows are the same, their order is not: sorted() goes by code point, "
                    "ORDER BY by the collation of the column";
    for (int i = 0; i < 2; i++) {
        const struct value values[] = {value_int(i), value_int(1 - i)};
        add(&fixture, failure, &values[0], &values[1], i + 1);
    }
    fixture_golden(&fixture, "order");
    fixture_end(&fixture);
}

static void a_timeout(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    fixture.machine.settings.statement_timeout_ms = 50;
    struct failure *failure = fixture_fail(&fixture, FAILURE_TIMEOUT);
    failure->invariant = NULL;
    fixture_upsert(&fixture, failure, "projects_1", "viewer");
    failure->expected = "no error";
    failure->actual = "query_canceled (57014)";
    failure->error = (struct server_error){
        .sqlstate = "57014", .message = "canceling statement due to statement timeout"};
    fixture_golden(&fixture, "timeout");
    fixture_end(&fixture);
}

/* Values from the database can't control the terminal. */
static void hostile_values_are_escaped(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    const char *hostile = "\x1b]0;owned\x07\x1b[31m\xe2\x80\xae\xc2\x9b\x7f\r\n";
    fixture_upsert(&fixture, failure, NULL, hostile);
    failure->sql = "SELECT '\x1b[2J'";
    failure->context = "as \x1b[2J";
    failure->expected = hostile;
    failure->error = (struct server_error){.sqlstate = "P0001", .message = hostile};
    add_unexpected(&fixture, failure, fixture_text(&fixture, hostile), hostile);
    fixture.machine.name = hostile;
    fixture.run.again = hostile;
    fixture.options.stats = true;
    const char *report = fixture_report(&fixture);
    for (const char *c = report; *c; c++) {
        assert_true(*c == '\n' || (unsigned char)*c >= 0x20);
        assert_int_not_equal(*c, 0x7F);
    }
    assert_null(strstr(report, "\xe2\x80\xae"));
    assert_null(strstr(report, "\xc2\x9b"));
    assert_non_null(strstr(report, "\\x1b]0;owned"));
    fixture_end(&fixture);
}

/* Long errors are cut for a terminal, or shown in full. */
static void long_errors_are_cut(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_UNEXPECTED_ERROR);
    failure->error = (struct server_error){
        .sqlstate = "P0001",
        .message = "the first",
        .context = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\nlast"};
    const char *report = fixture_report(&fixture);
    assert_non_null(strstr(report, "… 1 more line\n"));
    assert_null(strstr(report, "last"));
    fixture.options.whole = true;
    report = fixture_report(&fixture);
    assert_non_null(strstr(report, "the first"));
    assert_non_null(strstr(report, "last"));
    assert_null(strstr(report, "more line"));
    fixture_end(&fixture);
}

static void long_values_are_cut(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    char *value = arena_zalloc(&fixture.arena, 100001);
    memset(value, 'a', 100000);
    fixture_upsert(&fixture, failure, "projects_1", value);
    add_unexpected(&fixture, failure, fixture_text(&fixture, value), NULL);
    const char *report = fixture_report(&fixture);
    assert_true(strlen(report) < 2000);
    assert_non_null(strstr(report, "… (100,002 characters)"));
    fixture.options.whole = true;
    assert_true(strlen(fixture_report(&fixture)) > 200000);
    fixture_end(&fixture);
}

static struct race_event *add_event(struct fixture *fixture, struct race *race,
                                    enum race_event_kind kind, size_t step, uint32_t call,
                                    const char *text)
{
    struct race_event *event = VEC_PUSH(&fixture->arena, &race->events);
    *event = (struct race_event){.kind = kind, .step = step, .call = call, .text = text};
    return event;
}

/* Two sessions: one stops at a gate, the other waits for its lock, with a statement that needs two
 * lines; the first serial order fails at a step, the other one at the end. */
static struct failure *fail_race(struct fixture *fixture)
{
    static const size_t orders[2][2] = {{0, 1}, {1, 0}};
    static struct race race;
    struct failure *failure = fixture_fail(fixture, FAILURE_RACE);
    race = (struct race){.sessions = 2};
    failure->identity = "sessions: no serial order";
    failure->invariant = NULL;
    failure->expected = "100";
    failure->actual = "101";
    failure->race = &race;
    for (unsigned i = 0; i < 3; i++) {
        fixture_upsert(fixture, failure, "projects_1", i == 1 ? "editor" : "viewer");
    }
    for (unsigned i = 0; i < 2; i++) {
        *VEC_PUSH(&fixture->arena, &race.steps) =
            (struct race_step){.session = i + 1, .shown = failure->steps.items[i + 1]};
    }
    race.steps.items[1].undone = true;
    (void)add_event(fixture, &race, RACE_SENT, 0, 0,
                    "SELECT upsert_member('" UUID_1 "',\n       'editor')");
    (void)add_event(fixture, &race, RACE_STOPPED, 0, 0, "before its UPDATE of members");
    (void)add_event(fixture, &race, RACE_SENT, 1, 0,
                    "UPDATE members SET role = 'viewer', changed = now() WHERE "
                    "project = '" UUID_1 "' AND NOT gone -- \x1b[2J");
    add_event(fixture, &race, RACE_BLOCKED, 1, 0, NULL)->by = 1U << 1;
    (void)add_event(fixture, &race, RACE_RELEASED, 0, 0, NULL);
    (void)add_event(fixture, &race, RACE_ANSWERED, 0, 0, "1 row: 100");
    (void)add_event(fixture, &race, RACE_SENT, 0, 1, "COMMIT");
    (void)add_event(fixture, &race, RACE_ANSWERED, 0, 1, "COMMIT");
    (void)add_event(fixture, &race, RACE_FREED, 1, 0, NULL);
    add_event(fixture, &race, RACE_ANSWERED, 1, 0, "deadlock_detected (40P01): …")->failed = true;
    (void)add_event(fixture, &race, RACE_AGAIN, 1, 0, NULL);
    (void)add_event(fixture, &race, RACE_SENT, 1, 0, "SELECT 1");
    (void)add_event(fixture, &race, RACE_ANSWERED, 1, 0, "1 row: 1");
    *VEC_PUSH(&fixture->arena, &race.orders) = (struct race_order){.steps = orders[0],
                                                                   .count = 2,
                                                                   .raises = true,
                                                                   .who = "rule upsert_member",
                                                                   .expected = "P0ONE",
                                                                   .actual = "no error"};
    *VEC_PUSH(&fixture->arena, &race.orders) = (struct race_order){.steps = orders[1],
                                                                   .count = 2,
                                                                   .at = 2,
                                                                   .who = "invariant editors",
                                                                   .expected = "100",
                                                                   .actual = "101"};
    return failure;
}

static void several_sessions(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    (void)fail_race(&fixture);
    fixture.options.width = 90;
    fixture_golden(&fixture, "race");
    fixture_end(&fixture);
}

/* Whatever the width is, no line of the timeline is longer, as long as a column has its least. */
static void a_timeline_fits(void **state)
{
    (void)state;
    for (size_t width = 1; width < 200; width++) {
        struct fixture fixture;
        fixture_begin(&fixture);
        (void)fail_race(&fixture);
        fixture.options.width = width;
        const char *at = strstr(fixture_report(&fixture), "\n  A ");
        assert_non_null(at);
        const char *end = strstr(at, "\n\n");
        assert_non_null(end);
        while (at < end) {
            size_t size = strcspn(++at, "\n");
            assert_true(size <= (width < 54 ? 54 : width) + strlen("…") - 1);
            at += size;
        }
        fixture_end(&fixture);
    }
}

/* The first line in lines of the terminal's width. */
static void a_narrow_terminal(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    failure->step = 2;
    failure->expected = "no rows";
    failure->actual = "1 row";
    fixture.options.width = 60;
    assert_non_null(strstr(fixture_report(&fixture),
                           "FAIL  membership  invariant editors after upsert_member\n"
                           "      (step 2) gave 1 row, expected no rows\n"));
    fixture_end(&fixture);
}

/* Formats for other programs have one line for it. */
static void several_sessions_on_a_line(void **state)
{
    (void)state;
    static const char *const formats[] = {"github", "junit", "tap", "ctrf", "sarif", "markdown"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct fixture fixture;
        fixture_begin(&fixture);
        (void)fail_race(&fixture);
        fixture.run.path = fixture.machine.path;
        struct report report = {.format = report_format_find(formats[i]), .version = "1"};
        report_begin(&report, &fixture.out);
        report_add(&report, &fixture.run, &fixture.out);
        report_end(&report, &fixture.out);
        assert_non_null(strstr(
            strbuf_text(&fixture.out),
            "2 sessions: A1 upsert_member, B1 upsert_member: no order explains the answers"));
        assert_null(strstr(strbuf_text(&fixture.out), "expected 100, got 101"));
        report_free(&report);
        fixture_end(&fixture);
    }
}

/* psql alone has neither a simulated clock nor a second database. */
static void the_command_that_replays_it_can(void **state)
{
    static const struct machine_clock clock;
    const struct delivery delivery = {.name = "editors", .script = "out/editors.sql"};
    struct fixture fixture;
    (void)state;
    fixture_begin(&fixture);
    struct failure *failure = fixture_fail(&fixture, FAILURE_INVARIANT);
    const struct report_run *run = &fixture.run;
    const struct report_options *options = &fixture.options;
    fixture.run.deliveries = &delivery;
    fixture.run.delivery_count = 1;
    assert_string_equal(report_replay(run, options, failure, &fixture.arena),
                        "psql -X -f out/editors.sql");
    fixture.machine.clock = &clock;
    assert_string_equal(report_replay(run, options, failure, &fixture.arena),
                        "pgfsm replay out/editors.sql");
    fixture.machine.clock = NULL;
    failure->kind = FAILURE_DIFFERS;
    assert_string_equal(report_replay(run, options, failure, &fixture.arena),
                        "pgfsm replay out/editors.sql");
    fixture.options.replay = "./test --replay";
    assert_string_equal(report_replay(run, options, failure, &fixture.arena),
                        "./test --replay out/editors.sql");
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_broken_invariant),
        cmocka_unit_test(the_command_that_replays_it_can),
        cmocka_unit_test(rows_by_name),
        cmocka_unit_test(a_context),
        cmocka_unit_test(rows_on_a_line),
        cmocka_unit_test(ids_and_numbers),
        cmocka_unit_test(long_values_that_differ),
        cmocka_unit_test(an_unexpected_error),
        cmocka_unit_test(a_long_sequence),
        cmocka_unit_test(the_longest_shown_in_full),
        cmocka_unit_test(equal_steps),
        cmocka_unit_test(long_sql),
        cmocka_unit_test(rows_of_many_columns),
        cmocka_unit_test(nothing_is_too_wide),
        cmocka_unit_test(no_kind_is_without_words),
        cmocka_unit_test(hostile_values_are_escaped),
        cmocka_unit_test(long_errors_are_cut),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(a_check),
        cmocka_unit_test(rows_out_of_order),
        cmocka_unit_test(a_timeout),
        cmocka_unit_test(several_sessions),
        cmocka_unit_test(a_timeline_fits),
        cmocka_unit_test(a_narrow_terminal),
        cmocka_unit_test(several_sessions_on_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
