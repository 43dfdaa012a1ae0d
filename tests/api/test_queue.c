/* Tests queue.sql with a model in C, and finds the bug that queue-bug.sql plants. */
#include <pgfsm/pgfsm.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct queue {
    size_t first, end;
    int64_t ids[32];
};

static const struct pgfsm_value *has_room(const void *state, struct pgfsm_call *call)
{
    const struct queue *q = state;
    return pgfsm_value_bool(call, q->end < 32);
}

static const struct pgfsm_value *push(void *state, struct pgfsm_call *call)
{
    struct queue *q = state;
    q->ids[q->end++] = pgfsm_arg_int(call, "id");
    return NULL;
}

static const struct pgfsm_value *next(const void *state, struct pgfsm_call *call)
{
    const struct queue *q = state;
    return q->first == q->end ? NULL : pgfsm_value_int(call, q->ids[q->first]);
}

static const struct pgfsm_value *take(void *state, struct pgfsm_call *call)
{
    struct queue *q = state;
    (void)call;
    q->first += q->first < q->end;
    return NULL;
}

static const struct pgfsm_function functions[] = {{.name = "has_room", .look = has_room},
                                                  {.name = "next", .look = next},
                                                  {.name = "push", .params = "id", .change = push},
                                                  {.name = "take", .change = take},
                                                  {0}};
static const struct pgfsm_model model = {.struct_size = sizeof(struct pgfsm_model),
                                         .name = "queue",
                                         .state_size = sizeof(struct queue),
                                         .functions = functions};

static const struct pgfsm_entry entries[] = {
    {"machine", "queue"},
    {"schema", "queue.sql"},
    {"model", "q = queue()"},
    {"rules/push/precondition", "q.has_room()"},
    {"rules/push/args/task", "text(max_size=5)"},
    {"rules/push/sql", "INSERT INTO jobs (task) VALUES (:task) RETURNING id"},
    {"rules/push/model", "q.push(result.value)"},
    {"rules/take/sql", "SELECT take()"},
    {"rules/take/expect", "q.next()"},
    {"rules/take/model", "q.take()"},
    {"invariants/next/sql", "SELECT min(id) FROM jobs"},
    {"invariants/next/expect", "q.next()"},
    {0}};

/* The number of steps to the failure, with the bug if one is given; 0 if all properties hold. */
static size_t steps_to_fail(const char *bug)
{
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_database *database = NULL;
    struct pgfsm_run *run = NULL;
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    options.seed = 1;
    options.apply = &bug;
    options.apply_count = bug != NULL;
    if (!pgfsm_machine_build(&machine, TEST_DATA_DIR "/queue", entries, &model, errors) ||
        !pgfsm_database_open(&database, NULL, NULL, errors) ||
        !pgfsm_machine_run(&run, machine, database, &options, NULL, errors)) {
        fail_msg("%s", pgfsm_errors_at(errors, 0)->text);
    }
    const struct pgfsm_failure *failure = pgfsm_run_failure(run, 0);
    size_t steps = failure ? failure->step : 0;
    pgfsm_run_free(run);
    pgfsm_database_free(database);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
    return steps;
}

static void the_first_job_is_the_first_to_go(void **state)
{
    (void)state;
    assert_int_equal(steps_to_fail(NULL), 0);
    assert_int_equal(steps_to_fail(TEST_DATA_DIR "/queue-bug.sql"), 3); /* push, push, take */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_job_is_the_first_to_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
