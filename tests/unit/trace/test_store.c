/* The example database, in a directory of its own. */
#include "trace/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct rule rules[] = {{.name = "push"}, {.name = "pop"}};
static const struct machine machine = {.name = "My Heap", .rules = {.items = rules, .count = 2}};
static const struct machine other = {.name = "other", .rules = {.items = rules, .count = 2}};

struct fixture {
    struct arena arena;
    char top[64];       /* a temporary directory */
    char directory[80]; /* the database in it */
    struct store store;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    strcpy(fixture->top, "/tmp/pgfsm-store-XXXXXX");
    assert_non_null(mkdtemp(fixture->top));
    (void)snprintf(fixture->directory, sizeof fixture->directory, "%s/db", fixture->top);
    fixture->store = store_folder(fixture->directory);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", fixture->top);
    int status = system(command); /* NOLINT(cert-env33-c): a path of mkdtemp's */
    arena_free(&fixture->arena);
    free(fixture);
    return status;
}

static struct stored_trace sample(struct fixture *fixture, const char *identity, size_t steps)
{
    struct stored_trace stored = {.identity = identity, .seed = UINT64_MAX, .example = 12};
    for (size_t i = 0; i < steps; i++) {
        struct trace_step *step = VEC_PUSH(&fixture->arena, &stored.trace.steps);
        step->id = (uint32_t)i;
        step->rule = i % 2;
    }
    return stored;
}

static const char *save(struct fixture *fixture, const struct stored_trace *stored)
{
    struct error err = {0};
    const char *path = NULL;
    assert_true(store_save(&fixture->store, &machine, stored, &fixture->arena, &path, &err));
    return path;
}

static struct stored_traces load(struct fixture *fixture, const struct machine *of)
{
    struct stored_traces traces;
    struct error err = {0};
    assert_true(store_load(&fixture->store, of, &fixture->arena, &traces, &err));
    return traces;
}

static void test_keeps_what_was_saved(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load(fixture, &machine).items.count, 0);
    struct stored_trace one = sample(fixture, "invariant a", 3);
    struct stored_trace two = sample(fixture, "rule pay: 23514 \"x\"\n%", 2);
    (void)save(fixture, &one);
    (void)save(fixture, &two);
    struct stored_traces traces = load(fixture, &machine);
    assert_int_equal(traces.items.count, 2);
    assert_int_equal(traces.skipped.count, 0);
    assert_string_equal(traces.items.items[0].identity, one.identity);
    assert_string_equal(traces.items.items[1].identity, two.identity);
    assert_true(traces.items.items[0].seed == UINT64_MAX);
    assert_int_equal(traces.items.items[0].example, 12);
    assert_true(trace_equal(&traces.items.items[1].trace, &two.trace));
    assert_int_equal(load(fixture, &other).items.count, 0);
}

static void test_one_file_for_an_identity(void **state)
{
    struct fixture *fixture = *state;
    struct stored_trace long_one = sample(fixture, "invariant a", 9);
    struct stored_trace short_one = sample(fixture, "invariant a", 2);
    struct stored_trace alike = sample(fixture, "invariant A", 1);
    (void)save(fixture, &long_one);
    const char *path = save(fixture, &short_one);
    (void)save(fixture, &alike);
    assert_int_equal(load(fixture, &machine).items.count, 2);
    struct error err = {0};
    assert_true(store_remove(&fixture->store, &machine,
                             &(struct stored_trace){.identity = "invariant a"}, &err));
    assert_int_equal(access(path, F_OK), -1);
    assert_true(store_remove(&fixture->store, &machine,
                             &(struct stored_trace){.identity = "invariant a"}, &err));
    assert_int_equal(load(fixture, &machine).items.count, 1);
}

/* Failures of two databases and of one may have the same identity. */
static void test_two_databases_have_files_of_their_own(void **state)
{
    struct fixture *fixture = *state;
    struct stored_trace plain = sample(fixture, "rule pay: timeout", 3);
    struct stored_trace differs = sample(fixture, "rule pay: timeout", 2);
    struct stored_head head;
    struct error err = {0};
    differs.differs = true;
    differs.name = "My-Heap-pay";
    const char *path = save(fixture, &plain);
    assert_true(store_head(save(fixture, &differs), &fixture->arena, &head, &err));
    assert_true(head.differs);
    assert_true(store_head(path, &fixture->arena, &head, &err));
    assert_false(head.differs);
    assert_int_equal(load(fixture, &machine).items.count, 2);
    assert_true(store_remove(&fixture->store, &machine, &differs, &err));
    struct stored_traces left = load(fixture, &machine);
    assert_int_equal(left.items.count, 1);
    assert_false(left.items.items[0].differs);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_damaged_files_are_said_and_skipped(void **state)
{
    struct fixture *fixture = *state;
    static const char *const damaged[] = {
        "",
        "pgfsm trace 1\n",
        "pgfsm trace 2\nmachine =My%20Heap\n",
        "pgfsm trace 1\nmachine =other\nfailure =x\nseed 1\nexample 1\n",
        "pgfsm trace 1\nmachine =My%20Heap\nfailure =x\nseed -\nexample 1\n",
        "pgfsm trace 1\nmachine =My%20Heap\nfailure =x\nseed 1\nexample 1\nstep",
    };
    enum { DAMAGED = sizeof damaged / sizeof damaged[0] };
    struct stored_trace good = sample(fixture, "invariant a", 3);
    const char *path = save(fixture, &good);
    const char *end = strrchr(path, '/');
    for (size_t i = 0; i < DAMAGED; i++) {
        write_file(arena_printf(&fixture->arena, "%.*s/%zu.trace", (int)(end - path), path, i),
                   damaged[i]);
    }
    write_file(arena_printf(&fixture->arena, "%.*s/notes.txt", (int)(end - path), path), "hello");
    struct stored_traces traces = load(fixture, &machine);
    assert_int_equal(traces.items.count, 1);
    assert_int_equal(traces.skipped.count, DAMAGED);
    for (size_t i = 0; i < DAMAGED; i++) {
        assert_true(strlen(traces.skipped.items[i].message) > 0);
    }
}

static void test_what_can_not_be_written_is_said(void **state)
{
    struct fixture *fixture = *state;
    struct error err = {0};
    struct stored_trace stored = sample(fixture, "invariant a", 3);
    write_file(fixture->directory, "a file where the directory should be");
    assert_false(store_save(&fixture->store, &machine, &stored, &fixture->arena, NULL, &err));
    assert_int_equal(err.code, ERROR_SYSTEM);
    assert_non_null(strstr(err.message, fixture->directory));
    const struct store nowhere = store_folder("/dev/full/nowhere");
    assert_false(store_save(&nowhere, &machine, &stored, &fixture->arena, NULL, &err));
}

static void test_names_the_machine_of_a_file(void **state)
{
    struct fixture *fixture = *state;
    struct stored_trace stored = sample(fixture, "invariant a", 3);
    const char *path = save(fixture, &stored);
    struct stored_head of;
    struct stored_trace read;
    struct error err = {0};
    assert_true(store_head(path, &fixture->arena, &of, &err));
    assert_string_equal(of.machine, "My Heap");
    assert_null(of.file);
    assert_false(store_head("/dev/null", &fixture->arena, &of, &err));
    assert_string_equal(err.message, "can't read /dev/null: it is a device");
    assert_false(store_head("/nowhere", &fixture->arena, &of, &err));
    assert_non_null(strstr(err.message, "/nowhere"));
    assert_true(store_read(path, &machine, TRACE_WHOLE, &fixture->arena, &read, &err));
    assert_false(store_read(path, &other, TRACE_WHOLE, &fixture->arena, &read, &err));
    assert_non_null(strstr(err.message, "My Heap"));
}

/* Relative to the trace, so that both may be moved together. */
static void test_says_where_the_machine_is(void **state)
{
    struct fixture *fixture = *state;
    struct stored_trace stored = sample(fixture, "invariant a", 3);
    struct machine filed = machine;
    struct stored_head of;
    struct stored_trace read;
    struct error err = {0};
    const char *path = NULL;
    filed.path = arena_printf(&fixture->arena, "%s/a machine.yaml", fixture->top);
    write_file(filed.path, "");
    assert_true(store_save(&fixture->store, &filed, &stored, &fixture->arena, &path, &err));
    assert_true(store_head(path, &fixture->arena, &of, &err));
    assert_string_equal(of.file, arena_printf(&fixture->arena, "%s/my-heap/../../a machine.yaml",
                                              fixture->directory));
    assert_int_equal(access(of.file, F_OK), 0);
    assert_true(store_read(path, &filed, TRACE_WHOLE, &fixture->arena, &read, &err));
    assert_true(trace_equal(&read.trace, &stored.trace));
}

/* A file without a name is of an earlier version. */
static void test_keeps_name_and_calls(void **state)
{
    struct fixture *fixture = *state;
    struct stored_trace stored = sample(fixture, "invariant a", 3);
    struct stored_head head;
    struct stored_heads heads;
    struct error err = {0};
    assert_true(store_head(save(fixture, &stored), &fixture->arena, &head, &err));
    assert_true(head.older);
    assert_string_equal(head.name, "My-Heap-a");
    stored.name = "My-Heap-a-2";
    *VEC_PUSH(&fixture->arena, &stored.calls) = "x_1 = push(s=\"\\n é\")";
    *VEC_PUSH(&fixture->arena, &stored.calls) = "pop()";
    const char *path = save(fixture, &stored);
    assert_true(store_head(path, &fixture->arena, &head, &err));
    assert_false(head.older);
    assert_string_equal(head.name, "My-Heap-a-2");
    assert_int_equal(head.calls.count, 2);
    assert_string_equal(head.calls.items[0], "x_1 = push(s=\"\\n é\")");
    assert_string_equal(load(fixture, &machine).items.items[0].name, "My-Heap-a-2");
    store_heads(fixture->directory, &fixture->arena, &heads);
    assert_int_equal(heads.items.count, 1);
    assert_string_equal(heads.items.items[0].path, path);
    store_heads("/nowhere", &fixture->arena, &heads);
    assert_int_equal(heads.items.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_keeps_what_was_saved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_file_for_an_identity, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_two_databases_have_files_of_their_own, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_files_are_said_and_skipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_can_not_be_written_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_the_machine_of_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_says_where_the_machine_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_keeps_name_and_calls, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
