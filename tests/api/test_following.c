/* What a program sees of its runs, and the lifetime of models in C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <pgfsm/pgfsm.h>

static atomic_int alive; /* states; several threads make them */

struct counter {
    int64_t *value; /* from malloc */
};

static void begin(void *state, struct pgfsm_call *call)
{
    (void)call;
    struct counter *counter = state;
    counter->value = calloc(1, sizeof *counter->value);
    alive++;
}

static void end(void *state, void *host)
{
    (void)host;
    struct counter *counter = state;
    free(counter->value);
    alive--;
}

static const struct pgfsm_value *add(void *state, struct pgfsm_call *call)
{
    struct counter *counter = state;
    return pgfsm_value_int(call, *counter->value += pgfsm_arg_int(call, "n"));
}

static const struct pgfsm_value *value(const void *state, struct pgfsm_call *call)
{
    const struct counter *counter = state;
    return pgfsm_value_int(call, *counter->value);
}

static const struct pgfsm_value *small(const void *state, struct pgfsm_call *call)
{
    const struct counter *counter = state;
    return pgfsm_value_bool(call, *counter->value < 1000);
}

static const struct pgfsm_value *sneak(const void *state, struct pgfsm_call *call)
{
    struct counter changed = {malloc(1)};
    (void)call;
    free(*(int64_t **)(uintptr_t)state);
    memcpy((void *)(uintptr_t)state, &changed, sizeof changed);
    return NULL;
}

static const struct pgfsm_function functions[] = {
    {.name = "add", .params = "n", .change = add},
    {.name = "value", .look = value},
    {.name = "small", .look = small},
    {.name = "sneak", .look = sneak},
    {0},
};
static const struct pgfsm_model counter = {.struct_size = sizeof(struct pgfsm_model),
                                           .name = "counter",
                                           .state_size = sizeof(struct counter),
                                           .functions = functions,
                                           .init = begin,
                                           .free = end,
                                           .show = value};

/* A machine that passes; tests replace one of its texts. */
static const struct pgfsm_entry holds[] = {
    {"machine", "counter"},
    {"settings/seed", "1"},
    {"model", "c = counter()"},
    {"initialize/1/sql", "CREATE TEMP TABLE counter AS SELECT 0 AS n"},
    {"rules/add/precondition", "c.small()"},
    {"rules/add/args/n", "integers(0, 9)"},
    {"rules/add/sql", "UPDATE counter SET n = n + :n RETURNING n"},
    {"rules/add/expect", "c.value() + n"},
    {"rules/add/model", "c.add(n)"},
    {"invariants/value/sql", "SELECT n FROM counter"},
    {"invariants/value/expect", "c.value()"},
    {0},
};
enum { ENTRIES = sizeof holds / sizeof *holds };

struct world {
    struct pgfsm_database *database;
    struct pgfsm_errors *errors;
    struct pgfsm_machine *machine;
    struct pgfsm_run *run;
    char folder[64];
};

static int make_world(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    world->errors = pgfsm_errors_new();
    (void)strcpy(world->folder, "/tmp/pgfsm-api-XXXXXX");
    assert_non_null(mkdtemp(world->folder));
    assert_true(pgfsm_database_open(&world->database, NULL, NULL, world->errors));
    *state = world;
    return 0;
}

static int end_world(void **state)
{
    struct world *world = *state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", world->folder);
    assert_int_equal(system(command), 0); /* NOLINT(bugprone-command-processor,cert-env33-c) */
    pgfsm_database_free(world->database);
    pgfsm_errors_free(world->errors);
    free(world);
    return 0;
}

/* Runs the machine with another text at the path, or unchanged if that is NULL. */
static bool run(struct world *world, const char *path, const char *text,
                const struct pgfsm_run_options *options, const struct pgfsm_callbacks *callbacks)
{
    struct pgfsm_entry entries[ENTRIES];
    memcpy(entries, holds, sizeof holds);
    for (size_t i = 0; path && i + 1 < ENTRIES; i++) {
        entries[i].text = strcmp(entries[i].path, path) == 0 ? text : entries[i].text;
    }
    pgfsm_errors_clear(world->errors);
    return pgfsm_machine_build(&world->machine, "counter", entries, &counter, world->errors) &&
           pgfsm_machine_run(&world->run, world->machine, world->database, options, callbacks,
                             world->errors);
}

/* The states are gone with the run. */
static void clear(struct world *world)
{
    pgfsm_run_free(world->run);
    world->run = NULL;
    pgfsm_machine_free(world->machine);
    world->machine = NULL;
    assert_int_equal(alive, 0);
}

static void each_job_has_states_of_its_own(void **state)
{
    struct world *world = *state;
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    options.jobs = 2;
    assert_true(run(world, NULL, NULL, &options, NULL));
    assert_int_equal(pgfsm_run_summary(world->run)->outcome, PGFSM_OUTCOME_PASSED);
    assert_true(pgfsm_run_summary(world->run)->steps > 1000);
    clear(world);
}

static void only_model_may_change_it(void **state)
{
    static const struct {
        const char *path, *text, *message;
    } cases[] = {
        {"rules/add/precondition", "c.add(1) > 0",
         "counter.add(): it changes the model, which only `model` may do"},
        {"rules/add/expect", "c.add(n)",
         "counter.add(): it changes the model, which only `model` may do"},
        {"invariants/value/expect", "c.sneak()",
         "counter.sneak(): it changed the state, but is a `look`"},
        {"rules/add/model", "c.add(str(n))",
         "counter.add(): argument 'n' is string, not an int of 64 bits"},
        {"rules/add/model", "counter.add(n)",
         "a value of type builtin_function_or_method has no attribute 'add'"},
    };
    struct world *world = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(run(world, cases[i].path, cases[i].text, NULL, NULL));
        const struct pgfsm_error *error = pgfsm_errors_at(world->errors, 0);
        assert_string_equal(error->message, cases[i].message);
        assert_int_equal(error->code, PGFSM_ERROR_MACHINE);
        assert_string_equal(error->file, "counter");
        assert_true(error->line > 0);
        clear(world);
    }
}

static size_t found;

static void on_found(void *host, const struct pgfsm_failure *failure)
{
    found++;
    assert_ptr_equal(host, &found);
    assert_string_equal(failure->identity, "invariant value");
    assert_string_equal(failure->invariant, "value");
    assert_int_equal(failure->step_count, 1);
    assert_string_equal(failure->steps[0], "add(n=5)");
    assert_true(*failure->trace && *failure->script);
    assert_string_equal(failure->spec, ""); /* one session */
    assert_int_equal(failure->kind, PGFSM_FAILURE_INVARIANT);
    assert_string_equal(failure->expected, "5");
    assert_string_equal(failure->actual, "4");
}

/* The database forgets what makes more than 4. */
static const char buggy[] = "WITH old AS (SELECT n FROM counter), "
                            "new AS (UPDATE counter SET n = least(n + :n, 4)) "
                            "SELECT n + :n FROM old";

static void a_failure_can_be_read_and_run_again(void **state)
{
    struct world *world = *state;
    const struct pgfsm_callbacks callbacks = {
        .struct_size = sizeof callbacks, .host = &found, .found = on_found};
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    struct pgfsm_replayed *replayed;
    struct pgfsm_run *again;
    options.store = world->folder;
    options.out = world->folder;
    assert_true(run(world, "rules/add/sql", buggy, &options, &callbacks));
    const struct pgfsm_failure *failure = pgfsm_run_failure(world->run, 0);
    assert_int_equal(found, 1);
    on_found(&found, failure);
    /* psql runs the script, which has the model's values as constants. */
    assert_true(
        pgfsm_replay(&replayed, failure->script, world->database, NULL, NULL, world->errors));
    assert_true(replayed->ran && !replayed->held);
    pgfsm_replayed_free(replayed);
    /* The library runs the trace, with the model. */
    options.trace = failure->trace;
    assert_true(
        pgfsm_machine_run(&again, world->machine, world->database, &options, NULL, world->errors));
    assert_string_equal(pgfsm_run_failure(again, 0)->steps[0], "add(n=5)");
    pgfsm_run_free(again);
    clear(world);
}

/* What each session has read is out of date when it writes. */
static void a_race_has_a_file_for_isolationtester(void **state)
{
    static const char schema[] = "CREATE TABLE counter (n integer); INSERT INTO counter VALUES (0);"
                                 "CREATE FUNCTION add() RETURNS integer LANGUAGE plpgsql AS "
                                 "'DECLARE old integer := (SELECT n FROM counter);"
                                 " BEGIN UPDATE counter SET n = old + 1; RETURN old + 1; END'";
    static const struct pgfsm_entry race[] = {
        {"machine", "race"},
        {"settings/seed", "1"},
        {"settings/sessions", "2"},
        {"model", "n = 0"},
        {"rules/add/sql", "SELECT add()"},
        {"rules/add/expect", "n + 1"},
        {"rules/add/model", "n += 1"},
        {0},
    };
    struct world *world = *state;
    char path[sizeof world->folder + 16];
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    (void)snprintf(path, sizeof path, "%s/race.sql", world->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(schema, file) >= 0 && fclose(file) == 0);
    const char *files[] = {path};
    options.schema = files;
    options.schema_count = 1;
    options.out = world->folder;
    assert_true(pgfsm_machine_build(&world->machine, "race", race, NULL, world->errors));
    assert_true(pgfsm_machine_run(&world->run, world->machine, world->database, &options, NULL,
                                  world->errors));
    const struct pgfsm_failure *failure = pgfsm_run_failure(world->run, 0);
    assert_non_null(failure);
    assert_non_null(strstr(failure->spec, ".spec"));
    assert_int_equal(access(failure->spec, R_OK), 0);
    clear(world);
}

/* What could not be written is said, and does not hide the failure. */
static void unwritten_files_are_told(void **state)
{
    struct world *world = *state;
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    char text[80];
    char store[128];
    (void)snprintf(text, sizeof text, "%s/file", world->folder);
    FILE *file = fopen(text, "w");
    assert_true(file && fclose(file) == 0);
    (void)snprintf(store, sizeof store, "%s/in", text); /* in a file that is no folder */
    options.store = store;
    options.out = store;
    assert_true(run(world, "rules/add/sql", buggy, &options, NULL));
    const struct pgfsm_failure *failure = pgfsm_run_failure(world->run, 0);
    assert_string_equal(failure->script, "");
    assert_non_null(strstr(failure->no_script, "Not a directory"));
    assert_string_equal(failure->trace, "");
    bool told = false;
    const char *warning;
    for (size_t i = 0; (warning = pgfsm_run_warning(world->run, i)); i++) {
        told = told || strstr(warning, "the failing trace is not stored: ");
    }
    assert_true(told);
    clear(world);
}

static void reports_show_the_state(void **state)
{
    struct world *world = *state;
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    const struct pgfsm_report_options html = {.struct_size = sizeof html, .format = "html"};
    char *report;
    size_t size;
    assert_true(run(world, "rules/add/sql", buggy, &options, NULL));
    assert_true(pgfsm_report(&report, &size, world->run, &html, world->errors));
    assert_non_null(strstr(report, "counter(5)"));
    pgfsm_free(report);
    clear(world);
}

static void runs_again(void *host, const struct pgfsm_progress *progress)
{
    struct world *world = host;
    struct pgfsm_run *run;
    (void)progress;
    if (pgfsm_errors_count(world->errors) == 0) {
        assert_false(
            pgfsm_machine_run(&run, world->machine, world->database, NULL, NULL, world->errors));
        assert_null(run);
    }
}

static void wrong_calls_are_errors(void **state)
{
    static const char *const messages[] = {"shard is 3, but shards are numbered from 0 to 1",
                                           "shard is -1, but shards are numbered from 0 to 1",
                                           "rule_count is set, but its list is NULL",
                                           "apply_count is set, but its list is NULL"};
    struct world *world = *state;
    struct pgfsm_run *run_of_none;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
        options.shard = i == 0 ? 3 : i == 1 ? -1 : 0;
        options.shard_count = i < 2 ? 2 : 0;
        options.rule_count = i == 2;
        options.apply_count = i == 3;
        assert_false(run(world, NULL, NULL, &options, NULL));
        assert_int_equal(pgfsm_errors_at(world->errors, 0)->code, PGFSM_ERROR_USAGE);
        assert_string_equal(pgfsm_errors_at(world->errors, 0)->message, messages[i]);
        assert_null(pgfsm_run_summary(world->run));
        assert_null(pgfsm_run_failure(world->run, 0));
        clear(world);
    }
    pgfsm_errors_clear(world->errors);
    assert_false(pgfsm_machine_run(&run_of_none, NULL, world->database, NULL, NULL, world->errors));
    assert_string_equal(pgfsm_errors_at(world->errors, 0)->message,
                        "there is no machine: it is NULL");
    /* A callback may not use the database, which is in a call. */
    const struct pgfsm_callbacks callbacks = {
        .struct_size = sizeof callbacks, .host = world, .progress = runs_again};
    assert_true(run(world, NULL, NULL, NULL, &callbacks));
    assert_string_equal(pgfsm_errors_at(world->errors, 0)->message,
                        "an earlier call on this database has not ended");
    clear(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_calls_are_errors),
        cmocka_unit_test(each_job_has_states_of_its_own),
        cmocka_unit_test(only_model_may_change_it),
        cmocka_unit_test(a_failure_can_be_read_and_run_again),
        cmocka_unit_test(a_race_has_a_file_for_isolationtester),
        cmocka_unit_test(unwritten_files_are_told),
        cmocka_unit_test(reports_show_the_state),
    };
    return cmocka_run_group_tests(tests, make_world, end_world);
}
