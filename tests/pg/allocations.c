/* Runs a machine, and prints the number of allocations and of steps. A step's data must be in
 * arenas, whose blocks are reused.
 *
 * allocations MACHINE EXAMPLES
 *
 * The linker replaces the functions of base/arena.h, through which we allocate all memory, by the
 * functions below. Blocks of arenas are not counted, because they are allocated in the same file as
 * those functions. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <pgfsm/pgfsm.h>

static atomic_ulong calls;

void *
__real_memory_alloc(size_t size); /* NOLINT(bugprone-reserved-identifier): the linker's name */
void *__real_memory_realloc(void *old, size_t size); /* NOLINT(bugprone-reserved-identifier) */
void *__wrap_memory_alloc(size_t size);              /* NOLINT(bugprone-reserved-identifier) */
void *__wrap_memory_realloc(void *old, size_t size); /* NOLINT(bugprone-reserved-identifier) */

void *__wrap_memory_alloc(size_t size)
{
    calls++;
    return __real_memory_alloc(size);
}

void *__wrap_memory_realloc(void *old, size_t size)
{
    calls++;
    return __real_memory_realloc(old, size);
}

int main(int argc, char **argv)
{
    struct pgfsm_errors *errors = pgfsm_errors_new();
    struct pgfsm_machine *machine = NULL;
    struct pgfsm_database *database = NULL;
    struct pgfsm_run *run = NULL;
    struct pgfsm_run_options options = PGFSM_RUN_OPTIONS_INIT;
    options.seed = 1;
    options.ways = "uniform"; /* each step is drawn once */
    options.examples = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const struct pgfsm_database_options where = PGFSM_DATABASE_OPTIONS_INIT;
    bool ran = argc > 2 && pgfsm_machine_load(&machine, argv[1], NULL, errors) &&
               pgfsm_database_open(&database, &where, NULL, errors) &&
               pgfsm_machine_run(&run, machine, database, &options, NULL, errors);
    bool passed = ran && pgfsm_run_summary(run)->outcome == PGFSM_OUTCOME_PASSED;
    if (passed) {
        (void)printf("%lu %" PRIu64 "\n", atomic_load(&calls), pgfsm_run_summary(run)->steps);
    }
    pgfsm_run_free(run);
    pgfsm_database_free(database);
    pgfsm_machine_free(machine);
    pgfsm_errors_free(errors);
    return passed ? 0 : 1;
}
