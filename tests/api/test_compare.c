/* Compares two schemas, with a machine that is made from the first one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pgfsm/pgfsm.h>

static const char *const schema[] = {TEST_DATA_DIR "/compare.sql"};

static struct pgfsm_machine *made(struct pgfsm_database *database, struct pgfsm_errors *errors)
{
    const struct pgfsm_draft_options free_rules = {.struct_size = sizeof free_rules,
                                                   .schema = schema,
                                                   .schema_count = 1,
                                                   .path = TEST_DATA_DIR "/compare.yaml",
                                                   .free = true};
    struct pgfsm_machine *machine = NULL;
    char *text = NULL;
    if (pgfsm_draft(&text, database, &free_rules, NULL, errors)) {
        (void)pgfsm_machine_read(&machine, free_rules.path, text, strlen(text), NULL, errors);
    }
    free(text);
    return machine;
}

static enum pgfsm_outcome compared(const char *migration)
{
    const struct pgfsm_diff_options diff = {
        .struct_size = sizeof diff, .apply = &migration, .apply_count = migration != NULL};
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    struct pgfsm_database *database = NULL;
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_run *run = NULL;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    options.seed = 1;
    options.examples = 10;
    options.diff = &diff;
    if (!pgfsm_database_open(&database, NULL, NULL, errors) ||
        !(machine = made(database, errors)) ||
        !pgfsm_machine_run(&run, machine, database, &options, NULL, errors)) {
        fail_msg("%s", pgfsm_errors_at(errors, 0)->text);
    }
    enum pgfsm_outcome outcome = pgfsm_run_summary(run)->outcome;
    pgfsm_run_free(run);
    pgfsm_database_free(database);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
    return outcome;
}

static void a_migration_changes_what_a_view_shows(void **state)
{
    (void)state;
    assert_int_equal(compared(NULL), PGFSM_OUTCOME_PASSED);
    assert_int_equal(compared(TEST_DATA_DIR "/compare-new.sql"), PGFSM_OUTCOME_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_migration_changes_what_a_view_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
